//! `iotempo inspect`: what people see.
#![allow(clippy::unwrap_used, clippy::print_stderr)]

mod common;
use common::{Place, REQUESTS};

#[cfg(feature = "tables")]
#[test]
fn one_input_is_shown_at_length() {
    let place = Place::with_requests();
    let ran = place.run(&["inspect", "requests.csv"]).ok();
    let expected = "\
requests.csv
  format    table of requests
  ranks     2
  I/O time  0 s to 3 s (3 s)
  requests  3
  files     3
  read      50 B
  written   1000 B

modules
  name      version  records  requests  read  written
  requests        -        3         3  50 B   1000 B

evidence
  source    resolution  rows  read  written  from - to
  requests           -     3  50 B   1000 B  0 s - 3 s
  requests cannot show what the tracer did not intercept

ask next
  # does its I/O repeat, and at which period?
  iotempo period requests.csv
  # every request, as a table
  iotempo convert requests.csv -o requests.parquet
  # bytes per second, ten times a second
  iotempo convert requests.csv --signal --rate 10 -o requests-signal.csv
  # this page, for programs
  iotempo inspect requests.csv --json
";
    assert_eq!((ran.out.as_str(), ran.err.as_str()), (expected, ""));
}

#[cfg(feature = "tables")]
#[test]
fn what_is_asked_next_runs_as_printed() {
    let place = Place::new();
    place.write("it's mine.csv", REQUESTS);
    let options = ["--ranks", "0-1", "--files", "^/[ab] ?$", "--start", "-1"];
    let options = [
        &options[..],
        &["--end", "2", "--op", "write", "--api", "posix"],
    ]
    .concat();
    let columns = ["--columns", "bytes=bytes"];
    let arguments = [&["inspect", "it's mine.csv"], &options[..], &columns].concat();
    let ran = place.run(&arguments).ok();
    let commands: Vec<_> = ran
        .out
        .lines()
        .filter(|line| line.starts_with("  iotempo "))
        .collect();
    assert_eq!(commands.len(), 4);
    let program = assert_cmd::cargo::cargo_bin("iotempo");
    let path = program.parent().unwrap().display();
    for command in commands {
        let status = std::process::Command::new("sh")
            .args(["-c", &format!("PATH='{path}':$PATH; {command} > /dev/null")])
            .current_dir(place.path("."))
            .status();
        assert!(status.unwrap().success(), "{command}");
    }
    assert!(place.path("it's mine.parquet").exists());
    // The selection ends at 2 s: a heading and 20 steps.
    assert_eq!(place.read("it's mine-signal.csv").lines().count(), 21);
}

#[test]
fn many_inputs_are_a_line_each_and_a_total() {
    let place = Place::with_requests();
    place.write("samples.csv", "time,read_mb_s\n0,1\n1,1\n2,x\n");
    let ran = place
        .run(&["inspect", "requests.csv", "samples.csv", "--units", "si"])
        .ok();
    let expected = "\
FORMAT        RANKS        TIME      READ   WRITTEN  SOURCE   WARN  INPUT
table             2         3 s      50 B      1 kB  requests    -  requests.csv
table             -         2 s      2 MB       0 B  samples     1  samples.csv
2 inputs, 2 MB read, 1 kB written, 1 warning
";
    assert_eq!((ran.out.as_str(), ran.err.as_str()), (expected, ""));
    let ran = place
        .run(&["inspect", "requests.csv", "samples.csv", "-v"])
        .ok();
    assert!(
        ran.err
            .contains("samples.csv: 1 of 3 rows could not be read"),
        "{ran:?}"
    );
}

#[test]
fn a_damaged_input_is_marked_and_said() {
    let place = Place::with_requests();
    let whole = common::gzip(REQUESTS.as_bytes());
    place.write("cut.csv.gz", &whole[..whole.len() - 9]);
    let ran = place.run(&["inspect", "requests.csv", "cut.csv.gz"]).ok();
    let line = ran.lines()[2];
    assert!(
        line.contains(" 1!  cut.csv.gz") || line.contains("!  cut.csv.gz"),
        "{ran:?}"
    );
    assert!(
        ran.err.contains("cut.csv.gz: the rest could not be read"),
        "{ran:?}"
    );
    let ran = place.run(&["inspect", "cut.csv.gz"]).ok();
    assert!(ran.out.contains("\n  requests (damaged) "), "{ran:?}");
    assert_eq!(ran.out.matches("line ").count(), 1, "said once: {ran:?}");
}

#[test]
fn colour_is_for_those_who_ask() {
    let place = Place::with_requests();
    let colourful = |ran: &str| ran.contains('\x1b');
    let plain = place.run(&["inspect", "requests.csv"]).ok();
    assert!(!colourful(&plain.out), "not a terminal");
    let always = place
        .run(&["inspect", "requests.csv", "--color", "always"])
        .ok();
    assert!(colourful(&always.out));
    let mut never = place.command(&["inspect", "requests.csv", "--color", "never"]);
    assert!(!colourful(
        &String::from_utf8(never.output().unwrap().stdout).unwrap()
    ));
}

#[test]
fn a_selection_is_counted() {
    let place = Place::with_requests();
    let ran = place
        .run(&[
            "inspect",
            "requests.csv",
            "--json",
            "--op",
            "write",
            "--end",
            "0.5",
        ])
        .ok();
    let json = ran.json();
    let result = &json["results"][0];
    assert_eq!(
        (&result["requests"], &result["bytes_written"]),
        (&1.into(), &300.into())
    );
    assert_eq!(json["settings"]["op"], "write");
    assert_eq!(json["settings"]["end_s"], 0.5);
}

#[test]
fn a_selection_is_said_on_the_page() {
    let place = Place::with_requests();
    let options = ["--ranks", "0-3", "--op", "write", "--end", "2"];
    let ran = place
        .run(&[&["inspect", "requests.csv"], &options[..]].concat())
        .ok();
    assert!(
        ran.out
            .contains("\n  selected  ranks 0-3, writes, to 2 s\n"),
        "{ran:?}"
    );
    let again = "\n  iotempo inspect requests.csv --ranks 0-3 --op write --end 2 --json\n";
    assert!(ran.out.contains(again), "{ran:?}");
}

#[test]
fn a_selection_is_said_below_many_inputs() {
    let place = Place::with_requests();
    let ran = place.run(&["inspect", ".", "--op", "read"]).ok();
    assert!(
        ran.out
            .ends_with("0 B written, 0 warnings (selected: reads)\n"),
        "{ran:?}"
    );
}

#[test]
fn a_selection_that_keeps_nothing_is_a_warning() {
    let place = Place::with_requests();
    let ran = place.run(&["inspect", "requests.csv", "--ranks", "7"]).ok();
    assert!(
        ran.out.contains("what is selected: ranks 7 [nothing-left]"),
        "{ran:?}"
    );
    assert!(!ran.out.contains("ask next"), "{ran:?}");
}

#[test]
fn what_is_asked_next_fits_the_evidence() {
    let logs = concat!(env!("CARGO_MANIFEST_DIR"), "/../../testdata");
    let place = Place::new();
    for (log, rows, rate) in [
        ("checkpoint.darshan", "every request", "--rate 10 "),
        (
            "checkpoint-heatmap.darshan",
            "bytes per rank and bin",
            "--rate 0.2 ",
        ),
        (
            "checkpoint-counters.darshan",
            "bytes per file between",
            "--rate 0.2 ",
        ),
    ] {
        let ran = place.run(&["inspect", &format!("{logs}/{log}")]).ok();
        let next = ran.out.split_once("\nask next\n").unwrap().1;
        assert!(next.contains(rows) && next.contains(rate), "{next}");
    }
    place.write("none.csv", "start,end,bytes\n");
    let ran = place.run(&["inspect", "none.csv"]).ok();
    assert!(!ran.out.contains("ask next"), "{ran:?}");
}

#[test]
fn names_of_many_inputs_begin_within_70_columns() {
    let place = Place::new();
    place.write("logs/a.csv", REQUESTS);
    place.write("logs/b.darshan", common::DARSHAN);
    place.write("logs/c.txt", common::DXT_TEXT);
    let ran = place.run(&["inspect", "logs"]).ok();
    assert_eq!(ran.lines().len(), 5);
    for line in &ran.lines()[1..4] {
        assert!(
            line.find("logs/").is_some_and(|column| column < 69),
            "{line}"
        );
    }
}

#[test]
fn records_of_all_ranks_together_can_be_selected() {
    let place = Place::new();
    place.write("r.csv", "rank,op,start,end,bytes\n-1,w,0,1,5\n0,w,0,1,7\n");
    for ranks in [&["--ranks", "-1"][..], &["--ranks=-1"]] {
        let arguments = [&["inspect", "r.csv", "--json"], ranks].concat();
        assert_eq!(
            place.run(&arguments).ok().json()["results"][0]["bytes_written"],
            5
        );
    }
}

#[test]
fn bytes_that_the_evidence_misses_are_said_of_many_inputs() {
    let data = std::env::var_os("IOTEMPO_DATA").map(std::path::PathBuf::from);
    let data = data.unwrap_or_else(|| {
        std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data")
    });
    let folder = data.join("darshan/official/partial_data_dxt");
    if !folder.exists() {
        let place = data.display();
        eprintln!("SKIPPED bytes_that_the_evidence_misses: no data under {place}");
        return;
    }
    let folder = folder.display().to_string();
    let dxt = ["inspect", &folder, "--source", "dxt"];
    let ran = Place::new().run(&dxt).ok();
    assert!(ran.err.contains("[bytes-missing]"), "{ran:?}");
    let quiet = [&dxt[..], &["-q"]].concat();
    assert_eq!(Place::new().run(&quiet).ok().err, "");
}

#[test]
fn volumes_that_damage_destroyed_are_not_known() {
    let place = Place::new();
    // Its POSIX and MPI-IO counters survive, its heatmap and its single requests do not.
    place.write("cut.darshan", &common::DARSHAN[..3802]);
    let json = place.run(&["inspect", "cut.darshan", "--json"]).ok().json();
    let result = &json["results"][0];
    assert_eq!(result["damaged"], true);
    let mut lost = 0;
    for part in ["sources", "modules"].map(|key| result[key].as_array().unwrap()) {
        for entry in part
            .iter()
            .filter(|entry| entry["damage"].is_string() || entry["requests"] == 0)
        {
            assert!(entry["bytes_read"].is_null() && entry["bytes_written"].is_null());
            lost += 1;
        }
    }
    assert!(lost >= 5, "five modules at least: {lost}");
    let page = place.run(&["inspect", "cut.darshan"]).ok().out;
    assert!(page.contains("DXT_POSIX (damaged)"), "{page}");
}

#[test]
fn a_run_time_of_zero_is_none() {
    let place = Place::new();
    let trace = include_bytes!("../../../testdata/small/tmio.msgpack");
    place.write("tmio.msgpack", trace);
    let ran = place.run(&["inspect", "tmio.msgpack", "--json"]).ok();
    let found = &ran.json()["results"][0];
    assert_eq!(found["job"]["run_time_s"], serde_json::Value::Null);
    assert!(found["end_s"].as_f64() > Some(400.0), "{found}");
}
