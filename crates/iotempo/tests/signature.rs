//! `iotempo signature`: what runs of an application have in common, from logs of jobs and of servers.
#![allow(clippy::unwrap_used)]

mod common;
use common::schema::{check, schema};
use common::{Place, Ran};
use serde_json::Value;

/// Logs with a known signature, in folders of their own.
fn generated(kinds: &[&str]) -> Place {
    let place = Place::new();
    for kind in kinds {
        place
            .run(&["generate", kind, "--out-dir", kind, "--seed", "7"])
            .ok();
    }
    place
}

fn mined(place: &Place, folder: &str, more: &[&str]) -> Ran {
    let (jobs, log) = (
        format!("{folder}/jobs.txt"),
        format!("{folder}/servers.csv"),
    );
    let words = ["signature", "--jobs", &jobs, "--log", &log];
    place.run(&[&words[..], more].concat())
}

fn truth(place: &Place, folder: &str) -> Vec<[f64; 3]> {
    let truth: Value = serde_json::from_str(&place.read(&format!("{folder}/truth.json"))).unwrap();
    serde_json::from_value(truth["bursts"].clone()).unwrap()
}

#[test]
fn every_burst_of_a_known_application_is_found_where_it_is() {
    let place = generated(&["ior-a", "ior-b", "ior-c", "s3d"]);
    for kind in ["ior-a", "ior-b", "ior-c", "s3d"] {
        let json = mined(&place, kind, &["--json"]).json();
        let found = json["results"][0]["bursts"].as_array().unwrap();
        let truth = truth(&place, kind);
        assert_eq!(found.len(), truth.len(), "{kind}: {found:?}");
        for (found, &[start, end, bytes]) in found.iter().zip(&truth) {
            let at = found["centre_s"].as_f64().unwrap();
            // Runs are delayed by others, the truth is not.
            let middle = 0.5 * (start + end);
            assert!(
                (at - middle).abs() < 10.0 + 0.05 * middle,
                "{kind}: {at} s for {middle} s"
            );
            let share = found["bytes"].as_f64().unwrap() / bytes;
            assert!(
                (0.6..1.4).contains(&share),
                "{kind}: {share} of a burst's bytes"
            );
        }
        let last = [
            found.last().unwrap()["bytes"].as_f64().unwrap(),
            truth.last().unwrap()[2],
        ];
        let share = last[0] / last[1];
        assert!(
            (0.85..1.2).contains(&share),
            "{kind}: {share} of the last burst's bytes"
        );
    }
}

#[test]
fn the_json_is_what_its_schema_says() {
    let place = generated(&["ior-b"]);
    let schema = schema("signature");
    let none: [String; 0] = [];
    for more in [
        &["--json"][..],
        &["--json", "--method", "iosi"],
        &["--json", "--method", "median"],
        &["--json", "--compare", "ior-b/servers.csv"],
        &["--json", "--min-runs", "30"],
        &["--json", "--all", "--same", "user"],
    ] {
        let json = mined(&place, "ior-b", more).json();
        assert_eq!(check(&json, &schema, &schema, ""), none, "{more:?}");
    }
}

#[test]
fn the_series_goes_into_period() {
    let place = generated(&["ior-a"]);
    mined(&place, "ior-a", &["--series", "ior.csv"]).ok();
    let json = place.run(&["period", "ior.csv", "--json"]).json();
    let period = json["results"][0]["period_s"].as_f64().unwrap();
    assert!(
        (340.0..370.0).contains(&period),
        "{period} s: computing and writing"
    );
    let told = mined(&place, "ior-a", &[]).ok();
    assert!(told.out.contains("repeats      every 35"), "{}", told.out);
}

#[test]
fn no_output_overwrites_a_log() {
    let place = generated(&["ior-b"]);
    let other = place.read("ior-b/servers.csv");
    place.write("other.csv", &other);
    std::fs::hard_link(place.path("other.csv"), place.path("link.csv")).unwrap();
    for name in [
        "ior-b/servers.csv",
        "ior-b/jobs.txt",
        "other.csv",
        "link.csv",
    ] {
        let before = place.read(name);
        let words = ["--compare", "other.csv", "--series", name];
        let ran = mined(&place, "ior-b", &words).code(2);
        let said = format!("{name}: the output is an input");
        assert!(ran.err.contains(&said), "{}", ran.err);
        assert_eq!(place.read(name), before);
    }
    let ran = mined(&place, "ior-b", &["--series", "-"]).code(2);
    assert!(ran.err.contains("name a file"), "{}", ran.err);
    let ran = mined(&place, "ior-b", &["--series", "nowhere/a.csv"]).code(1);
    assert!(ran.err.contains("does not exist"), "{}", ran.err);
    let ran = mined(&place, "ior-b", &["--series", "a.html", "-o", "a.html"]).code(2);
    assert!(ran.err.contains("different files"), "{}", ran.err);
}

/// Runs of 2560 s that begin at these times and write 48 GB in 20 s, eight times, every 320 s: the log of
/// jobs, and that of servers.
fn write_runs(place: &Place, starts: &[usize]) {
    const BEGIN: usize = 1_767_225_600;
    let steps = (starts.iter().max().unwrap() + 3000) / 2;
    // What is always there is not the same at all times.
    let mut rates: Vec<usize> = (0..steps)
        .map(|step| 80_000_000 + (step * 7919 + step * step % 104_729) % 40_000_000)
        .collect();
    let mut jobs = "JobID|User|JobName|NNodes|State|Start|End\n".to_owned();
    for (id, start) in (1..).zip(starts) {
        for burst in 1..=8 {
            let from = (start + 320 * burst - 20) / 2;
            rates[from..from + 10]
                .iter_mut()
                .for_each(|rate| *rate += 2_400_000_000);
        }
        let (start, end) = (BEGIN + start, BEGIN + start + 2580);
        jobs += &format!("{id}|ann|app|4|COMPLETED|{start}|{end}\n");
    }
    let rows = rates.iter().enumerate();
    let rows = rows.map(|(step, rate)| format!("{},{rate}\n", BEGIN + 2 * step));
    let rows: String = rows.collect();
    place.write("jobs.txt", jobs);
    place.write("servers.csv", format!("time,write_bytes_per_s\n{rows}"));
}

fn mined_here(place: &Place, more: &[&str]) -> Ran {
    let words = ["signature", "--jobs", "jobs.txt", "--log", "servers.csv"];
    place.run(&[&words[..], more].concat())
}

#[test]
fn runs_that_were_alone_are_preferred() {
    let place = Place::new();
    let alone = (0..5).map(|run| 4000 * run);
    let pairs =
        (0..6).flat_map(|pair| [20_000 + 5000 * pair, 20_000 + 5000 * pair + 490 + 70 * pair]);
    let starts: Vec<usize> = alone.chain(pairs).collect();
    write_runs(&place, &starts);
    let json = mined_here(&place, &["--json"]).json();
    let result = &json["results"][0];
    assert_eq!(result["bursts"].as_array().unwrap().len(), 8, "{result}");
    assert_eq!(result["overlapping_runs"], 0);
    assert_eq!(result["unsure"], Value::Null);
    let rejected = result["rejected"].as_array().unwrap();
    assert_eq!(rejected.len(), 12);
    assert!(rejected.iter().all(|one| one["code"] == "not-alone"));
    let told = mined_here(&place, &[]).ok();
    let said = "12 jobs, such as 6: another run of the application was in progress";
    assert!(told.out.contains(said), "{}", told.out);
}

#[test]
fn a_signature_of_runs_that_overlap_is_unsure() {
    let place = Place::new();
    let starts: Vec<usize> = (0..12)
        .map(|run| 900 * run + 61 * (run * run % 7))
        .collect();
    write_runs(&place, &starts);
    let json = mined_here(&place, &["--json"]).json();
    let result = &json["results"][0];
    let unsure = result["unsure"].as_str().unwrap();
    assert!(
        unsure.contains("10 of 10 runs that are used were in progress"),
        "{unsure}"
    );
    let warnings = result["warnings"].as_array().unwrap();
    assert!(warnings.iter().any(|told| told["code"] == "runs-overlap"));
    let told = mined_here(&place, &[]).ok();
    assert!(told.out.contains("\n  unsure: "), "{}", told.out);
    // Two are unlike the others.
    let said = "10 of 12 jobs are used; 10 of them ran while another one did";
    assert!(told.out.contains(said), "{}", told.out);
    let told = mined_here(&place, &["--csv"]).ok();
    assert!(
        told.out.lines().nth(1).unwrap().contains("10 of 10"),
        "{}",
        told.out
    );
}

/// A job that was put back into the queue has its id again, and so have jobs of another cluster.
#[test]
fn runs_whose_jobs_share_an_id_are_told_apart() {
    let place = Place::new();
    let starts: Vec<usize> = (0..10).map(|run| 4000 * run).collect();
    write_runs(&place, &starts);
    let jobs = place.read("jobs.txt");
    let rows: Vec<&str> = jobs.lines().collect();
    // The third is a restart that ended early.
    let (rest, end) = rows[3].rsplit_once('|').unwrap();
    let early = format!("{rest}|{}", end.parse::<usize>().unwrap() - 1600);
    let jobs = jobs.replace(rows[3], &early);
    place.write("jobs.txt", &jobs);
    let without_ids = |json: &Value| {
        let runs = json["results"][0]["runs"].as_array().unwrap().clone();
        runs.into_iter()
            .map(|mut run| {
                run["job"] = Value::Null;
                run
            })
            .collect::<Vec<Value>>()
    };
    let by_id = without_ids(&mined_here(&place, &["--json"]).json());
    let used = |run: &Value| run["used"].as_bool().unwrap();
    assert!(!used(&by_id[2]) && by_id.iter().filter(|run| used(run)).count() == 9);
    let same = jobs.lines().enumerate().map(|(row, line)| match row {
        0 => format!("{line}\n"),
        _ => format!("7|{}\n", line.split_once('|').unwrap().1),
    });
    place.write("jobs.txt", same.collect::<String>());
    let ran = mined_here(&place, &["--json", "-o", "page.html"]).ok();
    assert_eq!(without_ids(&ran.json()), by_id);
    let page = place.read("page.html");
    assert_eq!(
        page.matches("no: unlike the others: it ran 980 s").count(),
        1
    );
}

/// Runs that write 300 GB in 300 s, three times, and end with the last byte, in logs of such intervals.
fn write_coarse(place: &Place, interval: usize) {
    const BEGIN: usize = 1_767_225_600;
    const RUNS: usize = 8;
    let steps = (5000 * (RUNS + 1)) / interval;
    let mut bytes: Vec<f64> = (0..steps)
        .map(|step| (interval * (9_000_000 + step * 7919 % 2_000_000)) as f64)
        .collect();
    let mut jobs = "JobID|User|JobName|NNodes|State|Start|End\n".to_owned();
    for run in 0..RUNS {
        // On no boundary of the log.
        let start = 5000 * run + 23 * run + 7;
        for second in [1000, 2300, 3600].into_iter().flat_map(|at| at..at + 300) {
            bytes[(start + second) / interval] += 1e9;
        }
        let (from, to) = (BEGIN + start, BEGIN + start + 3900);
        jobs += &format!("{run}|ann|app|4|COMPLETED|{from}|{to}\n");
    }
    let rows = bytes.iter().enumerate().map(|(step, bytes)| {
        format!(
            "{},{:.0}\n",
            BEGIN + interval * step,
            bytes / interval as f64
        )
    });
    let rows: String = rows.collect();
    place.write("jobs.txt", jobs);
    place.write("servers.csv", format!("time,write_bytes_per_s\n{rows}"));
}

#[test]
fn the_last_burst_is_as_large_as_the_others() {
    for interval in [2, 10, 60] {
        let place = Place::new();
        write_coarse(&place, interval);
        let json = mined_here(&place, &["--json"]).json();
        let bursts = json["results"][0]["bursts"].as_array().unwrap();
        assert_eq!(bursts.len(), 3, "{interval} s: {bursts:?}");
        for burst in bursts {
            let share = burst["bytes"].as_f64().unwrap() / 300e9;
            assert!((0.9..1.1).contains(&share), "{interval} s: {burst}");
        }
    }
}

#[test]
fn jobs_that_give_no_run_are_told_with_the_reason() {
    let place = generated(&["ior-b"]);
    let mut jobs = place.read("ior-b/jobs.txt");
    jobs += "77|ann|IOR_B|64|TIMEOUT|1867225600|1867226700\n";
    jobs += "78|ann|IOR_B|64|COMPLETED|1667225600|1667226700\n";
    jobs += "79|ann|IOR_B|64|COMPLETED|1767226720|1767226724\n";
    jobs += "80|ann|IOR_B|64|RUNNING|1867225600|Unknown\n";
    place.write("ior-b/jobs.txt", jobs);
    let json = mined(&place, "ior-b", &["--json"]).json();
    let result = &json["results"][0];
    let rejected = result["rejected"].as_array().unwrap();
    let codes: Vec<_> = rejected
        .iter()
        .map(|one| (one["job"].as_str().unwrap(), one["code"].as_str().unwrap()))
        .collect();
    let mut expected = vec![
        ("77", "state"),
        ("78", "outside-log"),
        ("79", "too-short"),
        ("80", "state"),
    ];
    let mut codes = codes;
    codes.sort_unstable();
    expected.sort_unstable();
    assert_eq!(codes, expected);
    assert_eq!(result["jobs"], 14);
    let told = mined(&place, "ior-b", &[]).ok();
    assert!(
        told.out.contains("job 77: did not end well: TIMEOUT"),
        "{}",
        told.out
    );
}

#[test]
fn a_job_in_progress_is_beside_runs_and_a_runaway_is_not() {
    let place = Place::new();
    let starts: Vec<usize> = (0..8).map(|run| 4000 * run).collect();
    write_runs(&place, &starts);
    let jobs = place.read("jobs.txt");
    let begin = 1_767_225_600;
    // It began with the last run, and is not over.
    let running = format!("{jobs}80|ann|app|4|RUNNING|{}|Unknown\n", begin + 28_100);
    place.write("jobs.txt", running);
    let json = mined_here(&place, &["--json"]).json();
    let result = &json["results"][0];
    let rejected = result["rejected"].as_array().unwrap().iter();
    let codes: Vec<_> = rejected
        .map(|one| (one["job"].as_str().unwrap(), one["code"].as_str().unwrap()))
        .collect();
    assert_eq!(codes, [("8", "not-alone"), ("80", "state")]);
    assert!(!result.to_string().contains("job-runaway"), "{result}");
    let told = mined_here(&place, &[]).ok();
    assert!(told.out.contains("has not ended: RUNNING"), "{}", told.out);
    let runaway = format!("{jobs}80|ann|app|4|RUNNING|{}|Unknown\n", begin - 9_000_000);
    place.write("jobs.txt", runaway);
    let json = mined_here(&place, &["--json"]).json();
    let result = &json["results"][0];
    assert_eq!(result["rejected"].as_array().unwrap().len(), 1, "{result}");
    assert_eq!(result["warnings"][0]["code"], "job-runaway");
}

#[test]
fn parts_of_heterogeneous_jobs_are_not_beside_each_other() {
    let place = Place::new();
    let starts: Vec<usize> = (0..8).map(|run| 4000 * run).collect();
    write_runs(&place, &starts);
    let jobs = place.read("jobs.txt");
    let parts = jobs.lines().enumerate().map(|(row, line)| match row {
        0 => format!("{line}\n"),
        _ => {
            let (id, rest) = line.split_once('|').unwrap();
            format!("{id}+0|{rest}\n{id}+1|{rest}\n")
        }
    });
    place.write("jobs.txt", parts.collect::<String>());
    let json = mined_here(&place, &["--json", "--nodes", "8"]).json();
    let result = &json["results"][0];
    assert_eq!(result["jobs"], 8, "{result}");
    assert_eq!(result["overlapping_runs"], 0);
    assert_eq!(result["rejected"].as_array().unwrap().len(), 0, "{result}");
}

#[test]
fn several_applications_are_named_and_mined_with_all() {
    let place = generated(&["ior-a", "ior-c"]);
    let words = [
        "signature",
        "--jobs",
        "ior-a/jobs.txt",
        "more.txt",
        "--log",
        "ior-a/servers.csv",
    ];
    let more = place
        .read("ior-a/jobs.txt")
        .replace("|ann|IOR_A|64|", "|bob|copy|8|");
    place.write("more.txt", more);
    let refused = place.run(&words).code(2);
    assert!(
        refused.err.contains("10 runs  ann, IOR_A, 64 nodes"),
        "{}",
        refused.err
    );
    assert!(
        refused.err.contains("10 runs  bob, copy, 8 nodes"),
        "{}",
        refused.err
    );
    let chosen = place.run(&[&words[..], &["--user", "b*"]].concat()).ok();
    assert!(
        chosen.out.starts_with("bob, copy, 8 nodes\n"),
        "{}",
        chosen.out
    );
    let all = place.run(&[&words[..], &["--all", "--csv"]].concat()).ok();
    assert_eq!(all.out.lines().count(), 1 + 5 + 5, "{}", all.out);
    let twice = ["ior-a/servers.csv", "again.csv", "--json"];
    place.write("again.csv", place.read("ior-a/servers.csv"));
    let one = place.run(&[&words[..5], &twice, &["--user", "ann"]].concat());
    let all = place.run(&[&words[..5], &twice, &["--all"]].concat());
    for (json, often) in [(one.json(), 2), (all.json(), 1)] {
        let text = json.to_string();
        assert_eq!(text.matches("log-twice").count(), often, "{text}");
        assert_eq!(json["settings"]["warnings"][0]["code"], "log-twice");
    }
    let nobody = place
        .run(&[&words[..], &["--user", "eve"]].concat())
        .code(1);
    assert!(
        nobody.err.contains("no job is of this application"),
        "{}",
        nobody.err
    );
}

#[test]
fn clocks_that_never_meet_are_told() {
    let place = generated(&["ior-b"]);
    let jobs = place.read("ior-b/jobs.txt").replace("|17672", "|16672");
    place.write("ior-b/jobs.txt", jobs);
    let ran = mined(&place, "ior-b", &[]).ok();
    assert!(ran.err.contains("--zone, --log-zone"), "{}", ran.err);
    assert!(
        ran.out.contains("no signature: no run could be cut out"),
        "{}",
        ran.out
    );
    mined(&place, "ior-b", &["--exit-code"]).code(3);
}

#[test]
fn what_is_no_log_is_named() {
    let place = generated(&["ior-b"]);
    place.write("diary.txt", "dear diary\n");
    let words = [
        "signature",
        "--jobs",
        "diary.txt",
        "--log",
        "ior-b/servers.csv",
    ];
    let ran = place.run(&words).code(1);
    assert!(
        ran.err.contains("diary.txt: ") && ran.err.contains("no job log could be read"),
        "{}",
        ran.err
    );
    let words = [
        "signature",
        "--jobs",
        "ior-b/jobs.txt",
        "--log",
        "diary.txt",
    ];
    let ran = place.run(&words).code(1);
    assert!(
        ran.err.contains("no log of a server could be read"),
        "{}",
        ran.err
    );
    for (wrong, said) in [
        (
            ["--density", "0"],
            "--density 0: a share lies above 0 and up to 1",
        ),
        (["--min-runs", "1"], "--min-runs 1: it takes at least 2"),
        (
            ["--nodes", "8-2"],
            "a number of nodes, or a range such as 32-128",
        ),
        (["--state", "dead"], "no state of a job"),
        (
            ["--same", "name"],
            "runs of one application have a user in common",
        ),
    ] {
        let ran = mined(&place, "ior-b", &wrong).code(2);
        assert!(ran.err.contains(said), "{}", ran.err);
    }
}

#[test]
fn a_quieter_log_is_less_in_the_way() {
    let place = generated(&["ior-b"]);
    let busy = |rate: u32| {
        let rows = (0..4000).map(|i| format!("{},{rate}\n", 1_767_225_600 + 30 * i));
        format!("time,write_bytes_per_s\n{}", rows.collect::<String>())
    };
    place.write("busy.csv", busy(900_000_000));
    place.write("quiet.csv", busy(1_000_000));
    let words = ["--compare", "busy.csv", "quiet.csv", "--json"];
    let json = mined(&place, "ior-b", &words).json();
    let compared = &json["results"][0]["compared"];
    assert_eq!(compared[0]["input"], "quiet.csv");
    let met = compared[1]["clash"]["met_bytes_per_s"].as_f64().unwrap();
    assert!((met - 9e8).abs() < 1.0, "{met}");
    let own = "10 runs of the application itself in this log";
    let told = mined(&place, "ior-b", &words).ok();
    assert!(!told.err.contains(own), "{}", told.err);
    let told = mined(&place, "ior-b", &["--compare", "ior-b/servers.csv"]).ok();
    assert!(told.err.contains(own), "{}", told.err);
    // A part of it, under another name.
    let log = place.read("ior-b/servers.csv");
    let part: Vec<&str> = log.lines().take(3000).collect();
    place.write("part.csv", part.join("\n"));
    let told = mined(&place, "ior-b", &["--compare", "part.csv"]).ok();
    assert!(
        // The last of them in part.
        told.err.contains("4 runs of the application itself"),
        "{}",
        told.err
    );
}

#[test]
fn a_device_of_the_same_name_may_be_another_servers() {
    let place = generated(&["ior-b"]);
    let with_device = |log: String| {
        let rows = log.lines().enumerate().map(|(i, row)| match i {
            0 => format!("{row},device\n"),
            _ => format!("{row},sda\n"),
        });
        rows.collect::<String>()
    };
    let log = place.read("ior-b/servers.csv");
    let half = log.lines().map(|row| match row.split_once(',') {
        Some((time, rest)) => match rest.parse::<f64>() {
            Ok(rate) => format!("{time},{}\n", 0.5 * rate),
            Err(_) => format!("{row}\n"),
        },
        None => format!("{row}\n"),
    });
    place.write("other.csv", with_device(half.collect()));
    place.write("same.csv", with_device(log.clone()));
    place.write("ior-b/servers.csv", with_device(log));
    let own = "10 runs of the application itself in this log";
    for (compared, is_own) in [("other.csv", false), ("same.csv", true)] {
        let told = mined(&place, "ior-b", &["--compare", compared]).ok();
        assert_eq!(told.err.contains(own), is_own, "{compared}: {}", told.err);
    }
}

/// Moves what the job log says, all starts and all ends, by so many seconds.
fn shift_jobs(place: &Place, starts: i64, ends: i64) {
    let jobs = place.read("jobs.txt");
    let shifted = jobs.lines().skip(1).map(|row| {
        let fields: Vec<&str> = row.split('|').collect();
        let [start, end] = [5, 6].map(|at| fields[at].parse::<i64>().unwrap());
        let (start, end) = (start + starts, end + ends);
        format!("{}|{start}|{end}\n", fields[..5].join("|"))
    });
    let heading = jobs.lines().next().unwrap();
    place.write(
        "jobs.txt",
        format!("{heading}\n{}", shifted.collect::<String>()),
    );
}

/// What is warned of with this code.
fn told_of(place: &Place, code: &str, more: &[&str]) -> Vec<String> {
    let json = mined_here(place, &[more, &["--json"]].concat()).json();
    let told = json["results"][0]["warnings"].as_array().unwrap().iter();
    let told = told.filter(|warning| warning["code"] == code);
    told.map(|warning| warning["message"].as_str().unwrap().to_owned())
        .collect()
}

#[test]
fn a_zone_that_is_wrong_by_hours_is_told_with_how_many() {
    let place = Place::new();
    let starts = [9000, 18_100, 25_300, 34_000, 43_700, 52_000];
    write_runs(&place, &starts);
    assert!(told_of(&place, "clocks-may-differ", &[]).is_empty());
    for (hours, said) in [(1, "1 hour behind"), (-2, "2 hours ahead of")] {
        write_runs(&place, &starts);
        shift_jobs(&place, 3600 * hours, 3600 * hours);
        let told = told_of(&place, "clocks-may-differ", &[]);
        let [told] = told.as_slice() else {
            panic!("{hours} hours: {told:?}");
        };
        assert!(told.contains(said), "{told}");
        assert!(told.contains("8 bursts in common"), "{told}");
        let told = mined_here(&place, &[]).ok();
        let why = "by these clocks, which may differ (see warnings)";
        assert!(told.out.contains(why), "{}", told.out);
        let ahead = (-3600 * hours).to_string();
        let right = ["--clocks-ahead", &ahead];
        assert!(told_of(&place, "clocks-may-differ", &right).is_empty());
    }
    // Without bursts, runs have nothing in common at any hour.
    let log = place.read("servers.csv");
    let rows = log.lines().skip(1).map(|row| {
        let (time, rate) = row.split_once(',').unwrap();
        let rate = rate.parse::<u64>().unwrap() % 2_400_000_000;
        format!("{time},{rate}\n")
    });
    let rows: String = rows.collect();
    place.write("servers.csv", format!("time,write_bytes_per_s\n{rows}"));
    assert!(told_of(&place, "clocks-may-differ", &[]).is_empty());
}

#[test]
fn an_input_that_is_read_before_runs_seem_to_start_is_told() {
    let place = Place::new();
    let starts = [4000, 9100, 14_300, 19_000, 24_700];
    write_runs(&place, &starts);
    // What is read in ten seconds is two fifths of what is written in a burst.
    let log = place.read("servers.csv");
    let rows = log.lines().enumerate().map(|(line, row)| {
        let second = 2 * line.saturating_sub(1);
        let reads = starts
            .iter()
            .any(|start| (start + 4..start + 14).contains(&second));
        match row.split_once(',').filter(|_| reads) {
            Some((time, rate)) => {
                let rate: u64 = rate.parse().unwrap();
                format!("{time},{}\n", rate + 1_920_000_000)
            }
            None => format!("{row}\n"),
        }
    });
    place.write("servers.csv", rows.collect::<String>());
    assert!(told_of(&place, "clocks-may-differ", &[]).is_empty());
    shift_jobs(&place, 60, 60);
    let told = told_of(&place, "clocks-may-differ", &[]);
    let said = "just before runs start, servers move a smaller burst";
    assert!(told.len() == 1 && told[0].starts_with(said), "{told:?}");
    assert!(told_of(&place, "clocks-may-differ", &["--clocks-ahead", "-60"]).is_empty());
}

#[test]
fn runs_of_two_lengths_may_be_two_applications() {
    let place = Place::new();
    write_runs(&place, &[4000, 9100, 14_300, 19_000, 24_700, 30_000]);
    let told = told_of(&place, "durations-differ", &[]);
    assert!(told.is_empty(), "{told:?}");
    let jobs = place.read("jobs.txt");
    shift_jobs(&place, 0, -1280);
    let short = place.read("jobs.txt");
    let rows = jobs.lines().zip(short.lines()).enumerate();
    let rows = rows.map(|(row, (long, short))| format!("{}\n", if row > 3 { short } else { long }));
    place.write("jobs.txt", rows.collect::<String>());
    let told = told_of(&place, "durations-differ", &[]);
    let said = "these may be two applications, so choose by --name, --nodes or --account";
    assert!(told.len() == 1 && told[0].contains(said), "{told:?}");
    let lengths = "3 last about 21 min 40 s and 3 about 43 min";
    assert!(told[0].contains(lengths), "{told:?}");
}
