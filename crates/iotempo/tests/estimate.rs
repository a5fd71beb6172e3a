//! `iotempo estimate`: from a log and benchmarks to a curve over I/O nodes.
#![allow(clippy::unwrap_used)]

mod common;
use common::Place;
use common::schema::{check, schema};
use serde_json::Value;

const LOG: &[u8] = include_bytes!("../../../testdata/checkpoint-counters.darshan");
const STORE: &str = include_str!("../../../testdata/benchmarks.csv");
const ESTIMATE: [&str; 6] = [
    "estimate",
    "job.darshan",
    "--nodes",
    "8",
    "--benchmarks",
    "store.csv",
];

fn place() -> Place {
    let place = Place::new();
    place.write("job.darshan", LOG);
    place.write("store.csv", STORE);
    place
}

fn with<'a>(more: &[&'a str]) -> Vec<&'a str> {
    ESTIMATE
        .iter()
        .copied()
        .chain(more.iter().copied())
        .collect()
}

#[test]
fn checkpoints_are_as_fast_as_their_benchmark() {
    let json = place().run(&with(&["--json"])).ok().json();
    let none: [String; 0] = [];
    let schema = schema("estimate");
    assert_eq!(check(&json, &schema, &schema, ""), none);
    let result = &json["results"][0];
    assert_eq!(result["best_io_nodes"], 4);
    let io_nodes: Vec<u64> = result["curve"]
        .as_array()
        .unwrap()
        .iter()
        .map(|point| point["io_nodes"].as_u64().unwrap())
        .collect();
    assert_eq!(io_nodes, [0, 1, 2, 4, 8]);
    // Ten checkpoints of 8 GiB at a median of 3680 MiB/s, and a mesh that is read.
    let time = result["curve"][3]["time_s"].as_f64().unwrap();
    let checkpoints = 10.0 * 8192.0 / 3680.0;
    assert!(time > checkpoints && time < checkpoints + 1.0, "{time}");
}

#[test]
fn two_kinds_of_runs_are_described() {
    let json = place().run(&with(&["--json"])).ok().json();
    let phases = json["results"][0]["phases"].as_array().unwrap();
    let checkpoint = phases
        .iter()
        .find(|phase| phase["scenario"]["op"] == "write" && phase["unmatched"].is_null())
        .unwrap();
    let curve = &checkpoint["parts"][0]["curve"];
    assert_eq!(checkpoint["parts"][0]["matched"]["how"], "exact");
    assert_eq!(curve[0]["bytes_per_s"]["modes"]["fast_share"], 0.2);
    assert_eq!(curve[1]["bytes_per_s"]["modes"], Value::Null);
    let read = phases
        .iter()
        .find(|phase| phase["scenario"]["op"] == "read" && phase["unmatched"].is_null());
    assert_eq!(read.unwrap()["parts"][0]["matched"]["how"], "interpolated");
}

#[test]
fn phases_without_a_match_say_why() {
    let out = place().run(&ESTIMATE).ok().out;
    assert!(out.contains("4 I/O nodes"), "{out}");
    assert!(out.contains("no match"), "{out}");
    assert!(
        out.contains("no benchmark of its kind (read, stdio, unique files"),
        "{out}"
    );
    let ascii = place().run(&with(&["--ascii"])).ok().out;
    assert!(ascii.contains("####") && !ascii.contains('█'), "{ascii}");
}

#[test]
fn a_store_with_one_row_is_enough_for_phases_like_it() {
    let place = place();
    let rows: Vec<&str> = STORE.lines().take(2).collect();
    place.write("store.csv", rows.join("\n"));
    let json = place.run(&with(&["--json"])).ok().json();
    let curve = json["results"][0]["curve"].as_array().unwrap();
    assert_eq!(curve.len(), 1);
    assert_eq!(curve[0]["io_nodes"], 0);
    assert_eq!(curve[0]["expected_regret"], 0);
    // Reads have no match, and one number of I/O nodes is no choice.
    let ran = place.run(&ESTIMATE).ok();
    let headline = ran.lines()[1];
    assert!(
        headline.contains("in 4 of 5 runs), ")
            && headline.contains("for the 98 % of bytes that have a match; no other number"),
        "{headline}"
    );
    assert!(!ran.out.contains("loses"), "{ran:?}");
    assert!(ran.err.contains("[single-repetition]"), "{ran:?}");
}

/// A store of writes at some numbers of I/O nodes and of reads at others.
fn store_of(writes: &[u32], reads: &[u32]) -> String {
    let rows = STORE.lines().filter(|line| {
        let fields: Vec<&str> = line.split(',').collect();
        let wanted = if fields[0] == "write" { writes } else { reads };
        fields[8].parse().map_or(true, |n: u32| wanted.contains(&n))
    });
    rows.map(|row| format!("{row}\n")).collect()
}

#[test]
fn numbers_of_io_nodes_that_some_phases_lack_are_told() {
    let place = place();
    place.write("store.csv", store_of(&[0, 1, 4], &[0, 1]));
    let ran = place.run(&ESTIMATE).ok();
    let told = "are not in the curve: 4 (not near phase 2) [io-nodes-left-out]";
    assert!(ran.err.contains(told), "{}", ran.err);
    let json = place.run(&with(&["--json"])).ok().json();
    let left_out = &json["results"][0]["left_out_io_nodes"];
    assert_eq!(left_out[0]["io_nodes"], 4);
    assert_eq!(left_out[0]["phases_without"][0], 2);

    place.write("store.csv", store_of(&[1, 4], &[0, 2]));
    let ran = place.run(&with(&["-o", "page.html"])).ok();
    let why =
        "no estimate: phases have a match, but no number of I/O nodes was benchmarked for all";
    assert!(ran.out.contains(why), "{}", ran.out);
    let page = place.read("page.html").replace('\u{a0}', " ");
    assert!(page.contains("No estimate: phases have a match"), "{page}");
}

#[test]
fn what_is_exact_at_some_numbers_only_is_told_so() {
    let place = place();
    // The checkpoint lacks 2 I/O nodes, which another size has.
    let other = STORE.replace(",131072,", ",65536,");
    let other: String = other
        .lines()
        .skip(1)
        .map(|row| format!("{row}\n"))
        .collect();
    place.write("store.csv", store_of(&[0, 1], &[0, 1]) + &other);
    let out = place.run(&ESTIMATE).ok().out;
    assert!(out.contains("exact at 0, 1; else interpolated"), "{out}");
}

#[test]
fn json_tells_what_was_assumed_and_left_out_of_benchmarks() {
    let place = place();
    place.write(
        "store.csv",
        STORE
            .replace(",3680\n", ",NaN\n")
            .replace(",3770\n", ",377000000000\n"),
    );
    let more = ["--json", "--files", "unique", "--benchmark-nodes", "3"];
    let json = place.run(&with(&more)).ok().json();
    let schema = schema("estimate");
    assert_eq!(check(&json, &schema, &schema, ""), Vec::<String>::new());
    let settings = &json["settings"];
    let codes: Vec<&str> = settings["benchmarks"][0]["warnings"]
        .as_array()
        .unwrap()
        .iter()
        .map(|warning| warning["code"].as_str().unwrap())
        .collect();
    assert_eq!(codes, ["no-bandwidth", "units"]);
    assert_eq!(settings["benchmark_repetitions"], 53);
    assert_eq!(settings["files_where_unsaid"], "unique");
    assert_eq!(settings["benchmark_nodes_where_unsaid"], 3);
    assert_eq!(
        (&settings["draws"], &settings["seed"]),
        (&2000.into(), &9366.into())
    );
}

#[test]
fn who_must_say_on_how_many_nodes_benchmarks_ran_is_told_how() {
    let place = place();
    let column = |line: &str| {
        let fields: Vec<&str> = line.split(',').collect();
        [&fields[..4], &fields[5..]].concat().join(",") + "\n"
    };
    let rows = STORE.lines().filter(|line| !line.starts_with("read"));
    place.write("store.csv", rows.map(column).collect::<String>());
    let ran = place.run(&ESTIMATE).code(1);
    let told = "store.csv: line 2: the number of nodes is not stated; --benchmark-nodes says it";
    assert!(ran.err.contains(told), "{}", ran.err);
    let ran = place.run(&with(&["--benchmark-nodes", "8"])).ok();
    assert!(ran.out.contains("4 I/O nodes: 3.6 GiB/s"), "{}", ran.out);
}

#[test]
fn a_list_of_phases_without_a_match_that_is_cut_says_so() {
    let place = place();
    let rows: String = (0..25)
        .map(|at| {
            let start = f64::from(at) * 100.0;
            format!("0,write,posix,/own.{at},{start},{},1048576\n", start + 1.0)
        })
        .collect();
    place.write(
        "trace.csv",
        format!("rank,op,api,file,start,end,bytes\n{rows}"),
    );
    let words = [
        "estimate",
        "trace.csv",
        "--nodes",
        "1",
        "--benchmarks",
        "store.csv",
    ];
    let out = place.run(&words).ok().out;
    let more = out.matches("and 5 phases more (--json lists all)").count();
    assert_eq!(more, 2, "{out}");
}

#[test]
fn stores_that_cannot_be_used_are_named() {
    let place = place();
    place.write("store.csv", "");
    let ran = place.run(&ESTIMATE).code(1);
    assert!(
        ran.err.contains("store.csv: the input is empty"),
        "{}",
        ran.err
    );
    place.write("store.csv", STORE.lines().next().unwrap());
    let ran = place.run(&ESTIMATE).code(1);
    assert!(ran.err.contains("no repetitions in it"), "{}", ran.err);
    // Requests in bytes under a heading of KiB.
    place.write("store.csv", STORE.replace(",131072,", ",134217728,"));
    let ran = place.run(&ESTIMATE).ok();
    assert!(
        ran.err
            .contains("store.csv: 25 rows left out, the first in line 2"),
        "{}",
        ran.err
    );
    assert!(ran.err.contains("are the units mixed up?"), "{}", ran.err);
    let ran = place.run(&[
        "estimate",
        "job.darshan",
        "--nodes",
        "8",
        "--benchmarks",
        "none.csv",
    ]);
    assert!(ran.code(1).err.contains("none.csv"));
}

#[test]
fn repetitions_in_another_unit_are_told_and_as_if_they_were_not_there() {
    let place = place();
    let every_fourth = |of: &dyn Fn(&str) -> String| {
        let rows = STORE.lines().enumerate().map(|(at, row)| match at % 4 {
            2 => of(row),
            _ => format!("{row}\n"),
        });
        place.write("store.csv", rows.collect::<String>());
        let json = place.run(&with(&["--json"])).ok().json();
        json["results"][0]["curve"].clone()
    };
    let without = every_fourth(&|_| String::new());
    // MB among GB.
    assert_eq!(every_fourth(&|row| format!("{row}000\n")), without);
    let ran = place.run(&ESTIMATE).ok();
    let told = "store.csv: 14 rows left out, the first in line 3: line 3 is";
    assert!(ran.err.contains(told), "{}", ran.err);
    assert!(ran.err.contains("[units-mixed]"), "{}", ran.err);
}

#[test]
fn bandwidths_that_are_none_are_left_out_aloud() {
    let place = place();
    place.write(
        "store.csv",
        STORE
            .replace(",3680\n", ",NaN\n")
            .replace(",3770\n", ",0\n"),
    );
    let ran = place.run(&ESTIMATE).ok();
    assert!(ran.err.contains("2 rows left out"), "{}", ran.err);
}

#[test]
fn logs_that_cannot_be_read_are_named_once() {
    let place = place();
    place.write("job.darshan", "");
    let ran = place.run(&ESTIMATE).code(1);
    assert_eq!(ran.err, "iotempo: job.darshan: the input is empty\n");
}

#[test]
fn out_of_reach_is_said_with_the_sizes() {
    let place = place();
    place.write("store.csv", STORE.replace(",8,64,128,", ",8,4096,128,"));
    let out = place.run(&ESTIMATE).ok().out;
    let why = "it has 8 processes per node; the benchmarks of its kind have 512, and reach from 256 to 1024";
    assert!(out.contains(why), "{out}");
    place.write("store.csv", STORE.replace("mpiio", "dfs"));
    let out = place.run(&ESTIMATE).ok().out;
    assert!(out.contains("no estimate: no phase has a match"), "{out}");
    assert!(out.contains("of which 0 % have a match"), "{out}");
}

#[test]
fn a_plan_is_a_script_that_a_shell_can_read() {
    let place = place();
    let plan = [
        "estimate",
        "job.darshan",
        "--nodes",
        "8",
        "--plan",
        "--plan-io-nodes",
        "0,2",
    ];
    let script = place.run(&plan).ok().out;
    assert!(script.contains("for io_nodes in 0 2; do"), "{script}");
    assert!(
        script.contains("-a MPIIO -w -t 134217728 -b 134217728 -s 1 -e -c"),
        "{script}"
    );
    assert!(script.contains("run 8 64 -a MPIIO"), "{script}");
    place.write("plan.sh", &script);
    // A site without I/O nodes.
    place.write("site.sh", "set_io_nodes() { :; }\n");
    let ran = std::process::Command::new("sh")
        .arg("plan.sh")
        .env("TARGET", "/scratch")
        .env("SITE", "./site.sh")
        .env("LAUNCH", "echo ran")
        .current_dir(place.path("."))
        .output()
        .unwrap();
    let out = String::from_utf8_lossy(&ran.stdout).into_owned();
    assert!(ran.status.success(), "{ran:?}");
    assert!(
        out.contains("iotempo io_nodes=2\nran -N 8 -n 64 ior -a MPIIO"),
        "{out}"
    );
    let without = std::process::Command::new("sh")
        .arg("plan.sh")
        .current_dir(place.path("."))
        .output()
        .unwrap();
    assert!(!without.status.success());
    let told = String::from_utf8_lossy(&without.stderr).into_owned();
    assert!(told.contains("TARGET"), "{told}");
}

/// Runs a script of benchmarks with a launcher of our own.
fn run_plan(place: &Place, launcher: &str) -> std::process::Output {
    place.write("site.sh", format!("set_io_nodes() {{ :; }}\n{launcher}"));
    std::process::Command::new("sh")
        .arg("plan.sh")
        .env("TARGET", "/scratch")
        .env("SITE", "./site.sh")
        .env("LAUNCH", "launched --with options")
        .current_dir(place.path("."))
        .output()
        .unwrap()
}

#[test]
fn a_run_that_fails_is_told_and_the_others_go_on() {
    let place = place();
    let words = ["estimate", "job.darshan", "--nodes", "8", "--plan"];
    let more = ["--plan-io-nodes", "4,4,0", "--plan-repetitions", "1"];
    let script = place.run(&[&words[..], &more].concat()).ok().out;
    assert!(script.contains("for io_nodes in 4 0; do"), "{script}");
    let runs = script.matches("\n    run ").count();
    assert!(runs > 1, "{script}");
    let head = format!("# {} runs, which read and write ", 2 * runs);
    assert!(script.contains(&head), "{head}: {script}");
    place.write("plan.sh", &script);
    let fails_on_reads = "launched() { case \"$*\" in *' -r '*) return 3;; *) echo ran;; esac; }\n";
    let ran = run_plan(&place, fails_on_reads);
    let (out, err) = (
        String::from_utf8_lossy(&ran.stdout).into_owned(),
        String::from_utf8_lossy(&ran.stderr).into_owned(),
    );
    assert_eq!(ran.status.code(), Some(1), "{err}");
    let reads = script.matches(" -r ").count();
    assert!(reads > 0 && reads < runs, "{script}");
    assert_eq!(out.matches("ran\n").count(), 2 * (runs - reads), "{out}");
    assert_eq!(
        err.matches("this run failed (3)").count(),
        2 * reads,
        "{err}"
    );
    assert!(err.contains(&format!("{} runs failed", 2 * reads)), "{err}");
    assert!(
        run_plan(&place, "launched() { echo ran; }\n")
            .status
            .success()
    );
}

#[test]
fn a_plan_has_the_numbers_of_phases_that_phases_prints() {
    let place = place();
    let words = ["estimate", "job.darshan", "--nodes", "8", "--plan"];
    let script = place.run(&words).ok().out;
    let json = place.run(&["phases", "job.darshan", "--json"]).ok().json();
    let phases = json["results"][0]["phases"].as_array().unwrap();
    let numbers: Vec<usize> = script
        .lines()
        .filter_map(|line| line.trim().strip_prefix("# phase "))
        .filter(|line| line.contains("write, mpiio"))
        .flat_map(|line| {
            line.split(':')
                .next()
                .unwrap()
                .split(" and ")
                .next()
                .unwrap()
                .split(", ")
        })
        .map(|number| number.parse().unwrap())
        .collect();
    assert!(numbers.len() > 3, "{script}");
    for number in numbers {
        let phase = &phases[number - 1];
        assert_eq!(
            (&phase["api"], &phase["op"]),
            (&"mpiio".into(), &"write".into()),
            "{number}"
        );
    }
    // So has an estimate, which leaves out the same shadows.
    let json = place.run(&with(&["--json"])).ok().json();
    let estimated = json["results"][0]["phases"].as_array().unwrap();
    assert!(estimated.len() < phases.len(), "{json:#}");
    for one in estimated {
        let phase = &phases[one["number"].as_u64().unwrap() as usize - 1];
        assert_eq!(one["start_s"], phase["start_s"], "{one:#}");
        assert_eq!(one["scenario"]["op"], phase["op"], "{one:#}");
    }
    // STDIO, which IOR has nothing like, is named once.
    assert!(
        script.contains("# Not in this script: IOR has nothing like phase 1, 4."),
        "{script}"
    );
}

#[test]
fn words_that_a_plan_has_no_use_for_are_refused() {
    let place = place();
    let words = ["estimate", "job.darshan", "--nodes", "8", "--plan"];
    for more in [&["--json"][..], &["--benchmarks", "store.csv"]] {
        let ran = place.run(&[&words[..], more].concat()).code(2);
        assert!(ran.err.contains("cannot be used with"), "{ran:?}");
    }
}

#[test]
fn processes_that_nobody_counted_are_no_benchmark_of_one() {
    let place = place();
    place.write(
        "nobody.csv",
        "op,api,file,start,end,bytes\nwrite,posix,/f,0,1,4096\n",
    );
    let words = ["estimate", "nobody.csv", "--nodes", "8"];
    let ran = place.run(&[&words[..], &["--plan"]].concat()).code(1);
    assert!(
        ran.err.contains("does not tell how many processes"),
        "{ran:?}"
    );
    assert!(ran.err.contains("taken for consecutive"), "{ran:?}");
    let ran = place
        .run(&[&words[..], &["--benchmarks", "store.csv"]].concat())
        .ok();
    let told = ran.out.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(
        told.contains("the log does not tell how many processes took part"),
        "{ran:?}"
    );
}

#[test]
fn a_log_that_lacks_files_is_estimated_only_where_asked() {
    use iotempo_formats::darshan::writer::{CounterRecord, LogWriter};
    use iotempo_formats::darshan::{JobRecord, LogVersion, Module};
    let place = place();
    let job = JobRecord {
        nprocs: 4,
        start_s: 1_600_000_000,
        end_s: 1_600_000_200,
        ..JobRecord::default()
    };
    // Of POSIX, which dropped files, nothing is left that became a phase.
    let log = LogWriter::new(LogVersion::V321)
        .job(job)
        .partial(Module::Posix)
        .record(CounterRecord::new(Module::Posix, "/only-opened").counter("POSIX_OPENS", 1))
        .record(
            CounterRecord::new(Module::Stdio, "/log")
                .counter("STDIO_WRITES", 3)
                .counter("STDIO_BYTES_WRITTEN", 77)
                .float("STDIO_F_WRITE_START_TIMESTAMP", 0.5)
                .float("STDIO_F_WRITE_END_TIMESTAMP", 0.6),
        );
    place.write("job.darshan", log.finish().unwrap());
    let ran = place.run(&ESTIMATE).code(1);
    assert!(
        ran.err.contains("--partial estimates the others"),
        "{ran:?}"
    );
    let json = place.run(&with(&["--partial", "--json"])).ok().json();
    let warnings = json["results"][0]["warnings"].as_array().unwrap();
    assert!(warnings.iter().any(|warning| warning["code"] == "partial"));
}

#[test]
fn an_evaluation_is_what_its_schema_says() {
    let place = place();
    let arguments = ["estimate", "--evaluate", "--benchmarks", "store.csv"];
    let json = place
        .run(&[&arguments[..], &["--json"]].concat())
        .ok()
        .json();
    let none: [String; 0] = [];
    let schema = schema("estimate-evaluation");
    assert_eq!(check(&json, &schema, &schema, ""), none);
    assert_eq!(json["results"][0]["scenarios"], 3);
    // Checkpoints of other sizes, so that each can be estimated from the others.
    let mut grid = STORE.to_owned();
    for request_kib in [32_768, 65_536] {
        for io_nodes in [1, 2] {
            let rate = request_kib / 64 * io_nodes;
            grid += &format!(
                "write,mpiio,shared,collective,8,64,128,{request_kib},{io_nodes},{rate}\n"
            );
        }
    }
    place.write("store.csv", grid);
    let out = place.run(&arguments).ok().out;
    let rows = [
        "| iotempo |",
        "| always 2 I/O nodes |",
        "| each run by the median |",
    ];
    assert!(rows.iter().all(|row| out.contains(row)), "{out}");
    let rows: Vec<&str> = STORE.lines().take(2).collect();
    place.write("store.csv", rows.join("\n"));
    let ran = place.run(&arguments).code(1);
    assert!(ran.err.contains("nothing to evaluate"), "{}", ran.err);
}

#[test]
fn a_page_holds_the_curve() {
    let place = place();
    place.run(&with(&["-o", "page.html"])).ok();
    let page = place.read("page.html");
    assert!(page.contains("<svg class=\"curve\"") && page.contains("Without a match"));
    place.run(&with(&["-o", "page.txt"])).code(2);
    place.run(&with(&["-o", "job.darshan"])).code(2);
}

#[test]
fn many_logs_have_a_result_each_and_a_bad_one_stops_nothing() {
    let place = place();
    place.write("logs/a.darshan", LOG);
    place.write("logs/b.darshan", common::cut_darshan());
    place.write("logs/c.darshan", LOG);
    place.write("logs/d.csv", common::REQUESTS);
    place.write("logs/notes.txt", "dear diary\n");
    let words = |more: &'static [&str]| {
        let words = [
            "estimate",
            "logs",
            "--nodes",
            "8",
            "--benchmarks",
            "store.csv",
        ];
        [&words[..], more].concat()
    };
    let json = place.run(&words(&["--json"])).code(1).json();
    let schema = schema("estimate");
    assert_eq!(check(&json, &schema, &schema, ""), Vec::<String>::new());
    let results = json["results"].as_array().unwrap();
    let inputs: Vec<_> = results.iter().map(|result| &result["input"]).collect();
    assert_eq!(inputs, ["logs/a.darshan", "logs/c.darshan", "logs/d.csv"]);
    assert_eq!(results[0]["curve"], results[1]["curve"]);
    assert_eq!(results[2]["best_io_nodes"], Value::Null);
    assert_eq!(json["errors"].as_array().unwrap().len(), 1);
    assert_eq!(json["errors"][0]["input"], "logs/b.darshan");

    let ran = place.run(&words(&["--csv"])).code(1);
    let rows: Vec<Vec<String>> = ran
        .lines()
        .iter()
        .map(|line| line.split(',').map(str::to_owned).collect())
        .collect();
    assert_eq!(rows.len(), 1 + 5 + 1 + 5 + 1, "{ran:?}");
    // What is wrong with a log is quoted: it may hold commas.
    for row in rows.iter().filter(|row| row[0] != "logs/b.darshan") {
        assert_eq!(row.len(), rows[0].len(), "{row:?}");
    }
    let flags = |row: &[String]| (row[3].clone(), row[10].clone(), row[11].clone());
    let [typical, often] = [4, 1].map(|row| flags(&rows[row]));
    assert_eq!(typical, ("4".into(), "true".into(), "false".into()));
    assert_eq!(often, ("0".into(), "false".into(), "true".into()));
    assert!(rows[6][0] == "logs/b.darshan" && rows[6].last().unwrap().len() > 5);
    assert_eq!(rows[12][0], "logs/d.csv");

    let ran = place.run(&words(&[])).code(1);
    assert!(ran.lines()[0].contains("LEAST LOSS"), "{ran:?}");
    assert!(ran.lines()[1].starts_with("   4   3.6 GiB/s"), "{ran:?}");
    assert!(
        ran.err.contains("1 of 4 inputs could not be read"),
        "{ran:?}"
    );
    assert!(ran.err.contains("skipped 1 file"), "{ran:?}");
    let ran = place.run(&words(&["-o", "page.html"])).code(2);
    assert!(ran.err.contains("a page is about one log"), "{ran:?}");
    let ran = place
        .run(&["estimate", "logs", "--nodes", "8", "--plan"])
        .code(2);
    assert!(ran.err.contains("a script is about one log"), "{ran:?}");
}

#[test]
fn two_numbers_that_are_best_in_two_ways_are_told_everywhere() {
    let place = place();
    let told =
        "A typical run is fastest with 4 I/O nodes, but whoever runs often loses least with 0:";
    let ran = place.run(&with(&["-o", "page.html"])).ok();
    let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words(&ran.out).contains(told), "{ran:?}");
    let page = words(&place.read("page.html").replace('\u{a0}', " "));
    assert!(page.contains(told), "{page}");
    let json = place.run(&with(&["--json"])).ok().json();
    let result = &json["results"][0];
    assert_eq!(result["least_loss_io_nodes"], 0);
    assert!(result["second_thought"].as_str().unwrap().starts_with(told));
}
