//! `iotempo correlate` on logs of jobs and of servers that are not as they should be.
#![allow(clippy::unwrap_used)]

mod common;
use common::schema::{check, schema};
use common::{Place, Ran};
use iotempo_formats::darshan::writer::{CounterRecord, LogWriter};
use iotempo_formats::darshan::{JobRecord, LogVersion, Module};
use serde_json::Value;
use std::fmt::Write;

/// 2026-01-05, a Monday.
const START: i64 = 1_767_571_200;
const MINUTES: i64 = 12 * 24 * 60;

/// A number in 0..1 that looks random, and is the same every time.
fn noise(number: i64) -> f64 {
    let mixed = (number as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let mixed = (mixed ^ (mixed >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    ((mixed ^ (mixed >> 32)) >> 11) as f64 / (1_u64 << 53) as f64
}

/// What others read in a minute, in bytes per second: every ten minutes it is another.
fn traffic(minute: i64) -> f64 {
    1e9 * (0.2 + noise(minute.div_euclid(10))) * (0.9 + 0.2 * noise(1_000_000 + minute))
}

/// The log of a server that has half of the traffic, by a clock that is ahead.
fn server(name: &str, ahead_s: i64, without: impl Fn(i64) -> bool) -> String {
    let mut log = String::from("time,server,read_bytes_per_s\n");
    for minute in (0..MINUTES).filter(|minute| !without(*minute)) {
        let own = 0.98 + 0.04 * noise(7 * minute + name.len() as i64);
        let rate = 0.5 * traffic(minute) * own;
        writeln!(log, "{},{name},{rate}", START + 60 * minute + ahead_s).unwrap();
    }
    log
}

/// A job that reads one file for `seconds`.
fn job(start_s: i64, seconds: f64) -> Vec<u8> {
    let record = CounterRecord::new(Module::Posix, "/scratch/input")
        .counter("POSIX_OPENS", 1)
        .counter("POSIX_READS", 10)
        .counter("POSIX_BYTES_READ", 1_000_000)
        .float("POSIX_F_OPEN_START_TIMESTAMP", 0.5)
        .float("POSIX_F_READ_START_TIMESTAMP", 1.0)
        .float("POSIX_F_READ_END_TIMESTAMP", 1.0 + seconds)
        .float("POSIX_F_CLOSE_END_TIMESTAMP", 1.0 + seconds)
        .float("POSIX_F_READ_TIME", seconds);
    let job = JobRecord {
        uid: 7,
        nprocs: 4,
        start_s,
        end_s: start_s + seconds.ceil() as i64 + 2,
        ..JobRecord::default()
    };
    let log = LogWriter::new(LogVersion::V321).job(job).record(record);
    log.finish().unwrap()
}

/// Four jobs a day that take up to three times as long under load.
fn jobs(place: &Place, length: impl Fn(i64) -> f64) {
    for number in 0..48 {
        let minute = 360 * number + (100.0 * noise(5000 + number)) as i64 + 30;
        let start = START + 60 * minute;
        place.write(
            &format!("logs/{number:02}.darshan"),
            job(start, length(minute)),
        );
    }
}

fn slow(minute: i64) -> f64 {
    200.0 * (1.0 + traffic(minute) / 6e8)
}

fn run(place: &Place, more: &[&str]) -> Ran {
    let words = ["correlate", "--darshan", "logs", "--log", "servers"];
    place.run(
        &[
            &words[..],
            &[
                "--load",
                "bytes-read",
                "--permutations",
                "99",
                "--grains",
                "2",
            ],
            more,
        ]
        .concat(),
    )
}

/// JSON that is as its schema says, and has a reason wherever a coefficient has no value.
fn json(place: &Place, more: &[&str]) -> Value {
    let ran = run(place, &[&["--json"], more].concat());
    assert!(!ran.out.contains("NaN") && !ran.out.contains("inf,"));
    let json = ran.json();
    let schema = schema("correlate");
    assert_eq!(check(&json, &schema, &schema, ""), [""; 0]);
    for group in json["results"].as_array().unwrap() {
        for one in group["coefficients"].as_array().unwrap() {
            for (value, why) in [
                ("value", "why_not"),
                ("interval", "why_no_interval"),
                ("p_permutation", "why_no_permutation"),
            ] {
                let reasons = [&one[why], &one["why_not"]];
                let told = reasons.iter().any(|reason| reason.is_string());
                assert!(one[value].is_null() == told, "{value}: {one:#}");
            }
        }
    }
    json
}

fn warnings(json: &Value) -> String {
    json["settings"]["warnings"].to_string()
}

fn with_servers(ahead_s: i64) -> Place {
    let place = Place::new();
    jobs(&place, slow);
    place.write("servers/oss1.csv", server("oss1", 0, |_| false));
    place.write("servers/oss2.csv", server("oss2", ahead_s, |_| false));
    place
}

#[test]
fn two_servers_whose_clocks_agree_or_nearly_do_give_the_answer() {
    for ahead_s in [0, 20] {
        let json = json(&with_servers(ahead_s), &[]);
        let group = &json["results"][0];
        assert_eq!(group["verdict"], "slows-down", "{ahead_s}: {group:#}");
        assert_eq!(group["jobs"], 48);
        assert!(!warnings(&json).contains("oss"), "{}", warnings(&json));
    }
}

#[test]
fn a_server_whose_clock_is_ahead_is_named_with_its_offset() {
    // By minutes: traffic is blurred, and what is there is still there.
    let place = with_servers(900);
    let shifted = json(&place, &[]);
    let said = warnings(&shifted);
    assert!(
        said.contains("oss2: it does what oss1 did, 900 s later"),
        "{said}"
    );
    assert!(
        said.contains("its clock seems to be ahead by 900 s"),
        "{said}"
    );
    let text = run(&place, &[]).ok();
    assert!(text.err.contains("ahead by 900 s"), "{}", text.err);
    let group = &shifted["results"][0];
    let together = json(&with_servers(0), &[]);
    let value = |json: &Value| {
        json["results"][0]["coefficients"][1]["value"]
            .as_f64()
            .unwrap()
    };
    assert!(value(&shifted) < value(&together) - 0.1, "{group:#}");
    // By hours: the same, and where one of them is missing nothing is made up.
    let place = with_servers(-8 * 3600);
    let shifted = json(&place, &[]);
    let said = warnings(&shifted);
    assert!(
        said.contains("oss2: it does what oss1 did, 28800 s earlier"),
        "{said}"
    );
    let left = &shifted["results"][0]["left_out"];
    assert_eq!(
        left[0]["reason"], "the servers' logs have a gap there",
        "{left:#}"
    );
    let example = left[0]["example"].as_str().unwrap();
    assert!(example.contains("from 2026-01-1"), "{example}");
}

/// By more than the logs are long: what is left is what one of them says, and that is said.
#[test]
fn servers_whose_logs_do_not_overlap_are_named_with_their_dates() {
    let found = json(&with_servers(13 * 86_400), &[]);
    let said = warnings(&found);
    assert!(
        said.contains("oss2: its log goes from 2026-01-18"),
        "{said}"
    );
    assert!(said.contains("that of oss1 from 2026-01-05"), "{said}");
    assert!(said.contains("a clock or a zone is wrong"), "{said}");
    let alone = Place::new();
    jobs(&alone, slow);
    alone.write("servers/oss1.csv", server("oss1", 0, |_| false));
    let alone = json(&alone, &[]);
    let rank = |json: &Value| json["results"][0]["coefficients"][1]["value"].clone();
    assert_eq!(rank(&found), rank(&alone));
}

#[test]
fn jobs_shorter_than_an_interval_are_told_by_their_own_times_alone() {
    let place = Place::new();
    // 5 to 10 s, all inside a minute: they touch one interval each.
    jobs(&place, |minute| 5.0 * (1.0 + traffic(minute) / 1.3e9));
    place.write("servers/oss1.csv", server("oss1", 0, |_| false));
    let found = json(&place, &["--time", "touched", "--measure", "volume"]);
    let group = &found["results"][0];
    assert_eq!(group["verdict"], "undetermined", "{group:#}");
    let why = group["coefficients"][1]["why_not"].as_str().unwrap();
    assert_eq!(why, "the second column is always 60");
    let text = run(&place, &["--time", "touched", "--measure", "volume"]).ok();
    assert!(
        text.out.contains("the second column is always 60"),
        "{}",
        text.out
    );
    // By the times of Darshan the same jobs have an answer.
    let found = json(&place, &[]);
    assert_eq!(found["results"][0]["verdict"], "slows-down");
    // And what the paper has of them is undetermined with a reason.
    let literal = &found["results"][0]["as_published"][0]["coefficients"][0];
    assert!(
        literal["value"].is_null() && literal["why_not"].is_string(),
        "{literal:#}"
    );
}

#[test]
fn missing_intervals_leave_jobs_out_with_a_date() {
    let place = Place::new();
    jobs(&place, slow);
    // The third and fourth day are missing.
    let missing = |minute: i64| (2 * 1440..4 * 1440).contains(&minute);
    place.write("servers/oss1.csv", server("oss1", 0, missing));
    let json = json(&place, &["--mount", "/scratch", "--mount", "/nowhere"]);
    let group = &json["results"][0];
    assert_eq!(
        (&group["jobs"], &group["left_out"][0]["jobs"]),
        (&40.into(), &8.into())
    );
    let example = group["left_out"][0]["example"].as_str().unwrap();
    assert!(
        example.contains("nothing is known of bytes read from 2026-01-07T"),
        "{example}"
    );
    let said = warnings(&json);
    assert!(
        said.contains("--mount /nowhere: no file of any job lies there"),
        "{said}"
    );
    assert!(!said.contains("--mount /scratch"), "{said}");
    let settings = &json["settings"];
    assert_eq!(
        settings["mount"],
        serde_json::json!(["/scratch", "/nowhere"])
    );
    assert_eq!(
        (&settings["grains"], &settings["min_jobs"]),
        (&2.into(), &10.into())
    );
    assert_eq!(
        (&settings["shifts"], &settings["clocks_ahead_s"]),
        (&200.into(), &0.into())
    );
    for not_given in [
        "time", "targets", "step_s", "predict", "group", "bytes", "when",
    ] {
        assert!(settings[not_given].is_null(), "{not_given}: {settings:#}");
    }
    // All but one of twenty, from the first to the last.
    place.write(
        "servers/oss1.csv",
        server("oss1", 0, |minute| minute % 20 > 0),
    );
    let ran = run(&place, &["--interval", "60"]).ok();
    assert!(
        ran.err
            .contains("its intervals are 1200 s long: the 60 s that were stated are not used"),
        "{ran:?}"
    );
    assert!(ran.out.contains("48 jobs read, 48 in 1 group"), "{ran:?}");
    assert!(!ran.out.contains("NaN"), "{ran:?}");
}

#[test]
fn a_mount_without_a_file_of_any_log_is_an_error() {
    let place = with_servers(0);
    let ran = run(&place, &["--mount", "/nothere", "--mount", "/nor/here"]).code(1);
    let said = "--mount /nothere,/nor/here: no file of any log lies there (48 logs read)";
    assert!(ran.err.contains(said) && ran.out.is_empty(), "{ran:?}");
    // Where files elsewhere count as well, there is an answer.
    let more = ["--mount", "/nothere", "--time", "touched"];
    let ran = run(&place, &more).ok();
    assert!(ran.err.contains("--mount /nothere: no file"), "{ran:?}");
}

#[test]
fn a_prediction_has_its_unit() {
    let place = with_servers(0);
    let text = run(&place, &["--predict", "6e8"]).ok().out;
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(
        text.contains("Expected at a load of 572.2 MiB/s: "),
        "{text}"
    );
    let csv = run(&place, &["--predict", "6e8", "--csv"]).ok();
    let column = |name: &str| {
        csv.lines()[0]
            .split(',')
            .position(|one| one == name)
            .unwrap()
    };
    let cell = csv.lines()[1]
        .split(',')
        .nth(column("expected_median_s"))
        .unwrap();
    let found = json(&place, &["--predict", "6e8"]);
    let group = &found["results"][0];
    assert_eq!(group["load_unit"], "bytes/s");
    assert_eq!(found["settings"]["load_unit"], group["load_unit"]);
    let expected = group["expected"]["times_s"][1].as_f64().unwrap();
    assert_eq!(cell.parse::<f64>().unwrap(), expected);
    let cell = csv.lines()[1].split(',').nth(column("slowdown")).unwrap();
    assert_eq!(
        cell.parse::<f64>().unwrap(),
        group["slowdown"]["ratio"].as_f64().unwrap()
    );
}

#[test]
fn narrower_kernels_may_be_asked_for() {
    let place = with_servers(0);
    let width = |rule: &str| {
        let found = json(&place, &["--predict", "6e8", "--bandwidth", rule]);
        assert_eq!(found["settings"]["bandwidth"], rule);
        let times = found["results"][0]["expected"]["times_s"].clone();
        times[2].as_f64().unwrap() - times[0].as_f64().unwrap()
    };
    let (narrow, normal) = (width("sheather-jones"), width("normal"));
    assert!(narrow < normal, "{narrow} {normal}");
}

#[test]
fn clocks_of_all_servers_that_are_behind_are_said_to_be() {
    let place = Place::new();
    jobs(&place, slow);
    for name in ["oss1", "oss2"] {
        place.write(
            &format!("servers/{name}.csv"),
            server(name, -120, |_| false),
        );
    }
    let text = run(&place, &[]).ok().out;
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(
        text.contains("were the servers' clocks behind by 120 s: see --clocks-ahead."),
        "{text}"
    );
}

/// A job that reads in its second minute, and writes in its fourteenth.
fn reads_then_writes(start_s: i64, seconds: f64, run_s: i64) -> Vec<u8> {
    let record = CounterRecord::new(Module::Posix, "/scratch/file")
        .rank(0)
        .counter("POSIX_OPENS", 1)
        .counter("POSIX_READS", 10)
        .counter("POSIX_BYTES_READ", 6_000_000)
        .counter("POSIX_WRITES", 10)
        .counter("POSIX_BYTES_WRITTEN", 3_000_000)
        .float("POSIX_F_OPEN_START_TIMESTAMP", 60.0)
        .float("POSIX_F_READ_START_TIMESTAMP", 60.0)
        .float("POSIX_F_READ_END_TIMESTAMP", 60.0 + seconds)
        .float("POSIX_F_WRITE_START_TIMESTAMP", 780.0)
        .float("POSIX_F_WRITE_END_TIMESTAMP", 780.0 + seconds)
        .float("POSIX_F_READ_TIME", seconds)
        .float("POSIX_F_META_TIME", seconds);
    let job = JobRecord {
        uid: 7,
        nprocs: 1,
        start_s,
        // Darshan counts the last second, too.
        end_s: start_s + run_s - 1,
        ..JobRecord::default()
    };
    let log = LogWriter::new(LogVersion::V321).job(job).record(record);
    log.finish().unwrap()
}

/// What others did at other times cannot have made a job's reads longer.
#[test]
fn the_load_is_that_of_the_time_that_is_studied() {
    let place = Place::new();
    // Minute by minute another rate, day by day another factor; and what the jobs read in their second minute.
    let others = |minute: i64| 1e6 * (minute % 1440 + 1) as f64 * (1.0 + noise(minute / 1440));
    let own = |minute: i64| if minute % 1440 == 1 { 1e5 } else { 0.0 };
    let all = |minute: i64| others(minute) + own(minute);
    let mut log = String::from("time,server,read_bytes_per_s\n");
    for minute in 0..MINUTES {
        writeln!(log, "{},oss1,{}", START + 60 * minute, all(minute)).unwrap();
    }
    place.write("servers/oss1.csv", log);
    for day in 0..12 {
        let seconds = 30.0 + 20.0 * noise(100 + day);
        let job = reads_then_writes(START + 86_400 * day, seconds, 900 + 60 * day);
        place.write(&format!("logs/{day:02}.darshan"), job);
    }
    let is_near = |load: &Value, expected: f64, what: &str| {
        let load = load.as_f64().unwrap();
        assert!(
            (load / expected - 1.0).abs() < 1e-9,
            "{what}: {load} for {expected}"
        );
    };
    let whole: Vec<i64> = (0..15).collect();
    for (time, during, minutes, words) in [
        ("read", "reads", &[1][..], "while the job read."),
        ("write", "writes", &[13], "while the job wrote."),
        ("job", "run", &whole, "while the job ran."),
        ("meta", "run", &whole, "while the job ran."),
        ("io", "files", &[1, 13], "while the job used files."),
    ] {
        let mean = |rate: &dyn Fn(i64) -> f64| {
            let rates = minutes.iter().map(|minute| rate(*minute));
            rates.sum::<f64>() / minutes.len() as f64
        };
        // Of its own bytes those are taken off that it moved meanwhile.
        let found = json(&place, &["--time", time]);
        let group = &found["results"][0];
        assert_eq!(
            (&group["time"], &group["load_during"]),
            (&time.into(), &during.into())
        );
        is_near(&group["points"]["load"][0], mean(&others), time);
        if time != "io" {
            let found = json(&place, &["--time", time, "--measure", "rate"]);
            let load = &found["results"][0]["points"]["load"][0];
            is_near(load, mean(&all), time);
        }
        let text = run(&place, &["--time", time]).ok().out;
        let said = format!("The load: bytes read per second by others {words}");
        assert!(text.contains(&said), "{text}");
    }
}
