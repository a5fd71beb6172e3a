//! `iotempo signature -o`: the page appears where it should, whole, and holds what is known.
#![allow(clippy::unwrap_used)]

mod common;
use common::Place;
use serde_json::Value;
use std::fmt::Write;

/// When the log of the servers begins: 2026-09-21T14:13:20Z.
const BEGIN: u64 = 1_790_000_000;
const STEP: u64 = 2;
/// Runs begin so long after each other, and take so long.
const APART: u64 = 1500;
const LENGTH: u64 = 1200;
/// Bursts of 30 s and 1 GB/s begin so long after a run does.
const BURSTS: [u64; 3] = [200, 500, 800];
const RUNS: u64 = 8;

/// What the servers moved in every step; a stranger is in each run at another time.
fn rate(second: u64) -> u64 {
    let (run, at) = (second / APART, second % APART);
    let own = BURSTS
        .iter()
        .any(|start| (*start..start + 30).contains(&at));
    let stranger = 260 + 90 * run;
    let foreign = (stranger..stranger + 20).contains(&at);
    10_000_000 + u64::from(own && run < RUNS) * 1_000_000_000 + u64::from(foreign) * 400_000_000
}

/// A log of LDMS: one node, one file system.
fn servers() -> String {
    let mut log = "#Time,component_id,fs_name,read_bytes.sum,write_bytes.sum\n".to_owned();
    let mut written = 0;
    for step in 0..RUNS * APART / STEP {
        writeln!(log, "{},1,scratch,0,{written}", BEGIN + step * STEP).unwrap();
        written += rate(step * STEP) * STEP;
    }
    log
}

fn date(second: u64) -> String {
    let date = iotempo_report::clock::utc((BEGIN + second) as f64).unwrap();
    date.trim_end_matches('Z').to_owned()
}

/// A row of sacct.
fn job(id: u64, name: &str, state: &str, start: u64) -> String {
    let (start, end) = (date(start), date(start + LENGTH));
    format!("{id}|alice|{name}|64|{state}|{start}|{end}\n")
}

/// Eight runs; one more that failed, and two that the servers' log does not cover.
fn jobs(name: &str) -> String {
    let mut log = "JobID|User|JobName|NNodes|State|Start|End\n".to_owned();
    for run in 0..RUNS {
        log += &job(4100 + run, name, "COMPLETED", run * APART);
    }
    log += &job(5000, name, "FAILED", 3000);
    for run in [40, 50] {
        log += &job(6000 + run, name, "COMPLETED", run * APART);
    }
    log
}

fn place(name: &str) -> Place {
    let place = Place::new();
    place.write("sacct.txt", jobs(name));
    place.write("ldms.csv", servers());
    place
}

const WORDS: [&str; 7] = [
    "signature",
    "--jobs",
    "sacct.txt",
    "--log",
    "ldms.csv",
    "--zone",
    "UTC",
];

fn words<'a>(more: &[&'a str]) -> Vec<&'a str> {
    [&WORDS, more].concat()
}

/// The JSON that pictures are drawn from.
fn data(html: &str) -> Value {
    let start = html.split("id=\"data\">").nth(1).unwrap();
    serde_json::from_str(start.split("</script>").next().unwrap()).unwrap()
}

#[test]
fn the_page_holds_what_json_states() {
    let place = place("s3d");
    let more = ["--compare", "ldms.csv", "-o", "page.html", "--json"];
    let said = place.run(&words(&more)).ok().json();
    assert_eq!(place.files(), ["ldms.csv", "page.html", "sacct.txt"]);
    let found = &said["results"][0];
    assert_eq!(found["bursts"].as_array().unwrap().len(), 3, "{found}");
    let html = place.read("page.html");
    assert!(html.starts_with("<!doctype html>") && html.ends_with("</html>"));
    let text = html.replace('\u{a0}', " ");
    let used = found["runs"].as_array().unwrap().iter();
    let used = used.filter(|run| run["used"] == true).count();
    for said in [
        "<h1>alice, s3d, 64 nodes</h1>".to_owned(),
        format!("{used} runs of 11 jobs are used."),
        "3 bursts, ".to_owned(),
        "<td>6040, 6050</td>".to_owned(),
        "<td>5000</td><td>did not end well: FAILED</td>".to_owned(),
        "<td>2026-09-21T14:13:20Z</td>".to_owned(),
        "<dt>method</dt><dd>auto</dd>".to_owned(),
        "<td>LDMS CSV</td>".to_owned(),
        "<td>ldms.csv</td>".to_owned(),
        "data-picture=\"hours\"".to_owned(),
    ] {
        assert!(text.contains(&said), "{said}");
    }
    for log in said["settings"]["logs"].as_array().unwrap() {
        assert!(html.contains(log["sha256"].as_str().unwrap()), "{log}");
    }
    let drawn = data(&html);
    let bursts = drawn["signature"]["bursts"].as_array().unwrap();
    for (drawn, found) in bursts.iter().zip(found["bursts"].as_array().unwrap()) {
        assert_eq!(drawn[0].as_f64(), found["start_s"].as_f64());
        assert_eq!(drawn[2], found["support"]);
    }
    assert_eq!(drawn["signature"]["runs"], used);
    for row in drawn["rows"].as_array().unwrap().iter().take(used) {
        let common = |number: u64| {
            let bursts = row["bursts"].as_array().unwrap().iter();
            bursts.filter(|burst| burst[2] == number).count()
        };
        assert_eq!([1, 2, 3].map(common), [1, 1, 1], "{row}");
    }
}

#[test]
fn hostile_names_of_jobs_do_no_harm() {
    let bad = format!(
        "</script><script>alert(1)</script>\"'\u{1b}[31m{}",
        "x".repeat(3000)
    );
    let place = place(&bad);
    place.run(&words(&["-o", "page.html"])).ok();
    let html = place.read("page.html");
    assert_eq!(
        html.matches("<script").count(),
        2,
        "its data and its script"
    );
    assert!(!html.contains('\u{1b}') && !html.contains("alert(1)</script>"));
    assert!(html.contains("\\u{1b}[31m"));
    assert!(!html.contains(&"x".repeat(1000)), "a name ends somewhere");
}

#[test]
fn a_page_is_written_without_a_signature_too() {
    let place = place("s3d");
    let few = ["--min-runs", "9", "-o", "page.html", "--exit-code"];
    place.run(&words(&few)).code(3);
    let html = place.read("page.html");
    assert!(html.contains("No signature: "));
    assert_eq!(data(&html)["rows"].as_array().unwrap().len(), 8);
}

#[test]
fn a_page_is_about_one_application_and_no_log_is_lost() {
    let place = place("s3d");
    let other: String = (0..4)
        .map(|run| job(9000 + run, "other", "COMPLETED", run * APART))
        .collect();
    place.write("sacct.txt", jobs("s3d") + &other);
    let ran = place.run(&words(&["--all", "-o", "page.html"])).code(2);
    let why = "--output is about one application, and there are 2 applications";
    assert!(ran.err.contains(why), "{}", ran.err);
    let before = place.read("ldms.csv");
    for (name, why) in [
        ("page.csv", "the name of a page ends in .html"),
        ("nowhere/page.html", "the folder nowhere does not exist"),
    ] {
        let ran = place.run(&words(&["--name", "s3d", "-o", name]));
        assert_ne!(ran.code, Some(0));
        assert!(ran.err.contains(why), "{}", ran.err);
    }
    place.write("log.html", &before);
    let over = [
        "signature",
        "--jobs",
        "sacct.txt",
        "--log",
        "log.html",
        "--name",
        "s3d",
        "-o",
        "log.html",
    ];
    let ran = place.run(&over).code(2);
    assert!(ran.err.contains("the output is an input"), "{}", ran.err);
    assert_eq!(place.read("log.html"), before);
    assert_eq!(place.files(), ["ldms.csv", "log.html", "sacct.txt"]);
}
