//! `iotempo correlate --load reads|writes`: the operations that servers count.
#![allow(clippy::unwrap_used, clippy::print_stderr)]

mod common;
use common::schema::{check, schema};
use common::{Place, Ran};
use iotempo_formats::darshan::writer::{CounterRecord, LogWriter};
use iotempo_formats::darshan::{JobRecord, LogVersion, Module};
use serde_json::Value;
use std::fmt::Write;

const DAY: i64 = 86_400;
const DAYS: u64 = 40;
/// Midnight of 2026-11-01, in UTC.
const BEGIN: i64 = 1_793_491_200;
/// How long an interval of the servers' log is.
const STEP: i64 = 600;
/// When a job begins to read, and ends, in seconds since its start.
const READS: (f64, f64) = (10.0, 1800.0);
/// How long a job runs. Darshan counts the last second, too.
const RUNS: i64 = 3600;

/// A number in 0..1 that looks random, and is the same every time.
fn noise(number: u64) -> f64 {
    let mixed = (number + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let mixed = (mixed ^ (mixed >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    ((mixed ^ (mixed >> 32)) >> 11) as f64 / (1_u64 << 53) as f64
}

/// Reads per second of a day; its bytes have nothing to do with them.
fn reads(day: u64) -> f64 {
    (1000.0 * noise(3 * day)).round()
}

/// What `iostat -x -t` writes in forty days.
fn iostat() -> String {
    let mut text = "Linux 6.1 (oss1) \t2026-11-01 \t_x86_64_\t(2 CPU)\n".to_owned();
    for report in 0..=DAYS as i64 * DAY / STEP {
        // The stamp is the end of an interval, and the first report is about all since boot.
        let day = (report - 1).max(0) * STEP / DAY;
        let time = iotempo_report::clock::utc((BEGIN + report * STEP) as f64).unwrap();
        let (day, kib) = (day as u64, 4000.0 * noise(3 * day as u64 + 1));
        let reads = reads(day) + if report == 0 { 0.37 } else { 0.0 };
        writeln!(
            text,
            "\n{}+0000\nDevice r/s rkB/s rrqm/s w/s wkB/s wrqm/s %util\n\
             sda {reads:.2} {kib:.2} 0.00 3.00 {kib:.2} 0.00 1.00",
            time.trim_end_matches('Z')
        )
        .unwrap();
    }
    text
}

/// A job at noon whose metadata take longer where servers read more often.
fn job(day: u64) -> Vec<u8> {
    let start = BEGIN + day as i64 * DAY + DAY / 2;
    let record = CounterRecord::new(Module::Posix, "/scratch/in")
        .rank(0)
        .counter("POSIX_OPENS", 10)
        .counter("POSIX_READS", 100)
        .counter("POSIX_BYTES_READ", 1 << 30)
        .float("POSIX_F_OPEN_START_TIMESTAMP", 1.0)
        .float("POSIX_F_READ_START_TIMESTAMP", READS.0)
        .float("POSIX_F_READ_END_TIMESTAMP", READS.1)
        .float("POSIX_F_READ_TIME", 900.0)
        .float(
            "POSIX_F_META_TIME",
            10.0 + 0.02 * reads(day) + noise(3 * day + 2),
        );
    let job = JobRecord {
        nprocs: 1,
        start_s: start,
        end_s: start + RUNS - 1,
        ..JobRecord::default()
    };
    let log = LogWriter::new(LogVersion::V321).job(job).record(record);
    log.finish().unwrap()
}

fn place() -> Place {
    let place = Place::new();
    for day in 0..DAYS {
        place.write(&format!("logs/{day}.darshan"), job(day));
    }
    place.write("iostat.txt", iostat());
    place
}

fn correlate(place: &Place, more: &[&str]) -> Ran {
    let words = ["correlate", "--darshan", "logs", "--log", "iostat.txt"];
    let sure = ["--permutations", "199", "--log-zone", "UTC"];
    place.run(&[&words[..], &sure, more].concat())
}

fn spearman(coefficients: &Value) -> &Value {
    let all = coefficients.as_array().unwrap();
    all.iter().find(|one| one["name"] == "spearman").unwrap()
}

/// The paper's metadata study, on jobs whose metadata depend on operations, and not on bytes.
#[test]
fn times_that_depend_on_operations_are_told_from_those_that_depend_on_bytes() {
    let place = place();
    let meta = ["--time", "meta", "--json"];
    let volume = [&meta[..], &["--load", "reads", "--measure", "volume"]].concat();
    let json = correlate(&place, &volume).ok().json();
    let schema = schema("correlate");
    assert_eq!(check(&json, &schema, &schema, ""), [""; 0]);
    assert_eq!(json["settings"]["load_unit"], "operations");
    let group = &json["results"][0];
    assert_eq!(group["verdict"], "slows-down", "{group:#}");
    assert_eq!(
        (&group["jobs"], &group["time"]),
        (&DAYS.into(), &"meta".into())
    );
    assert!(spearman(&group["coefficients"])["value"].as_f64().unwrap() > 0.95);
    // Eq. 3: operations per second times all of the job's time.
    assert_eq!(group["load_during"], "run");
    let loads = group["points"]["load"].as_array().unwrap();
    for (day, load) in loads.iter().enumerate() {
        let expected = reads(day as u64) * RUNS as f64;
        let load = load.as_f64().unwrap();
        assert!(
            (load - expected).abs() < 1e-3,
            "{day}: {load} for {expected}"
        );
        let input = &group["points"]["input"][day];
        assert_eq!(input, &format!("logs/{day}.darshan"));
    }
    // Published are operations over all of a job's time.
    let published = group["as_published"].as_array().unwrap();
    let pairs: Vec<_> = published
        .iter()
        .map(|one| (&one["time"], &one["load"]))
        .collect();
    let pair = |load: &'static str| (Value::from("meta"), Value::from(load));
    let (reads_too, writes_too) = (pair("reads"), pair("writes"));
    assert_eq!(
        pairs,
        [(&reads_too.0, &reads_too.1), (&writes_too.0, &writes_too.1)]
    );
    assert!(
        spearman(&published[0]["coefficients"])["value"]
            .as_f64()
            .unwrap()
            > 0.95
    );
    assert!(
        spearman(&published[1]["coefficients"])["value"].is_null(),
        "always 3 a second"
    );

    let bytes = [&meta[..], &["--load", "bytes-read", "--measure", "volume"]].concat();
    let json = correlate(&place, &bytes).ok().json();
    assert_eq!(json["settings"]["load_unit"], "bytes");
    assert_eq!(json["results"][0]["verdict"], "no-sign");
    let published = &json["results"][0]["as_published"][0];
    assert_eq!(
        (&published["time"], &published["load_during"]),
        (&"touched".into(), &"files".into())
    );
}

#[test]
fn operations_of_servers_are_said_to_be_those_of_all() {
    let place = place();
    let words = [
        "--time",
        "meta",
        "--load",
        "reads",
        "-o",
        "page.html",
        "--json",
    ];
    let ran = correlate(&place, &words).ok();
    let json = ran.json();
    assert_eq!(json["settings"]["load_unit"], "operations/s");
    let warnings = json["settings"]["warnings"].to_string();
    assert!(warnings.contains("nothing is taken off"), "{warnings}");
    let server = &json["settings"]["servers"][0];
    assert_eq!(
        server["unit"],
        "operations per second; stamps are the ends of intervals"
    );
    assert!(server["bytes_read"].is_null());
    let all: f64 = (0..DAYS).map(|day| reads(day) * DAY as f64).sum();
    assert!(
        (server["reads"].as_f64().unwrap() / all - 1.0).abs() < 1e-9,
        "{server:#}"
    );
    let load = json["results"][0]["points"]["load"][0].as_f64().unwrap();
    assert!((load - reads(0)).abs() < 1e-6, "{load}");
    let page = place.read("page.html").replace('\u{a0}', " ");
    assert!(page.contains("read operations per second, on all servers while the job ran"));
    assert!(page.contains("Time for metadata, beside all read operations while the job ran"));
    assert!(!page.contains("by others"));
}

#[test]
fn logs_without_operations_say_what_to_log_instead() {
    let place = place();
    let plain = "Linux 6.1 (oss1) \t2026-11-01 \t_x86_64_\t(2 CPU)\n\n\
                 2026-11-01T00:00:00+0000\nDevice tps kB_read/s kB_wrtn/s kB_read kB_wrtn\nsda 1.00 4.00 4.00 40 40\n\n\
                 2026-11-01T00:10:00+0000\nDevice tps kB_read/s kB_wrtn/s kB_read kB_wrtn\nsda 1.00 4.00 4.00 2400 2400\n";
    place.write("iostat.txt", plain);
    let ran = correlate(&place, &["--load", "writes"]).code(1);
    assert!(
        ran.err
            .contains("iostat without -x counts no read and write operations")
            && ran.err.contains("log with iostat -x"),
        "{ran:?}"
    );
}
