//! `iotempo correlate -o`: the page appears where it should, whole, and holds what is known.
#![allow(clippy::unwrap_used, clippy::print_stderr)]

mod common;
use common::Place;
use std::fmt::Write;
use std::path::PathBuf;

/// A number in 0..1 that looks random, and is the same every time.
fn noise(number: u64) -> f64 {
    let mixed = (number + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let mixed = (mixed ^ (mixed >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    ((mixed ^ (mixed >> 32)) >> 11) as f64 / (1_u64 << 53) as f64
}

/// Two applications, a run of each per day: one takes up to three times as long under load, the other does not
/// care. One row has no load.
fn table(slow: &str) -> String {
    let mut table = "app,traffic,seconds,start\n".to_owned();
    for day in 0..60 {
        let start = 1_790_000_000 + 86_400 * day;
        let load = 1e10 * noise(4 * day);
        let time = (1.0 + 2.0 * load / 1e10) * (100.0 + 10.0 * noise(4 * day + 1));
        writeln!(table, "{slow},{load},{time},{start}").unwrap();
        let (load, time) = (1e10 * noise(4 * day + 2), 50.0 + noise(4 * day + 3));
        writeln!(table, "steady,{load},{time},{start}").unwrap();
    }
    writeln!(table, "{slow},,1,1790000000").unwrap();
    table
}

const WORDS: [&str; 13] = [
    "correlate",
    "--table",
    "jobs.csv",
    "--x",
    "traffic",
    "--y",
    "seconds",
    "--group",
    "app",
    "--when",
    "start",
    "--permutations",
    "199",
];

fn words<'a>(more: &[&'a str]) -> Vec<&'a str> {
    [&WORDS, more].concat()
}

fn place(slow: &str) -> Place {
    let place = Place::new();
    place.write("jobs.csv", table(slow));
    place
}

#[test]
fn the_page_holds_what_json_states() {
    let place = place("s3d");
    let ran = place.run(&words(&["-o", "page.html", "--json"])).ok();
    let said = ran.json();
    assert_eq!(place.files(), ["jobs.csv", "page.html"]);
    let html = place.read("page.html");
    assert!(html.starts_with("<!doctype html>") && html.ends_with("</html>"));
    let text = html.replace('\u{a0}', " ");
    let found = said["results"].as_array().unwrap();
    assert_eq!(found.len(), 2, "{said}");
    assert_eq!(found[0]["verdict"], "slows-down", "{said}");
    let spearman = found[0]["coefficients"][1]["value"].as_f64().unwrap();
    assert!(spearman > 0.9, "it is there to be found");
    for said in [
        "<h1>Jobs of jobs.csv under load</h1>".to_owned(),
        "1 of 2 groups takes longer when the system is busy; 1 without a sign of it.".to_owned(),
        "121 jobs read, 120 in 2 groups.".to_owned(),
        "1 job left out: no load".to_owned(),
        found[0]["says"].as_str().unwrap().to_owned(),
        format!("<td>Spearman (ranks)</td><td>{spearman:.2}</td>"),
        "Across: load (traffic), in 10⁹.".to_owned(),
        "Upwards: time of jobs (seconds), in s.".to_owned(),
        "<a href=\"#group-1\">s3d</a>".to_owned(),
        "<dt>permutations</dt><dd>199</dd>".to_owned(),
        said["settings"]["inputs"][0]["sha256"]
            .as_str()
            .unwrap()
            .to_owned(),
    ] {
        assert!(text.contains(&said), "{said}");
    }
    assert_eq!(html.matches("<section class=\"group\"").count(), 2);
    let dots = html.split("<path class=\"dots\" d=\"").nth(1).unwrap();
    let dots = dots.split('"').next().unwrap();
    assert_eq!(dots.matches('M').count(), 60, "a dot per job");
}

#[test]
fn the_answer_is_printed_as_well() {
    let place = place("s3d");
    let alone = place.run(&words(&[])).ok();
    let with_page = place.run(&words(&["-o", "page.html"])).ok();
    assert_eq!(alone.out, with_page.out);
    let first = place.read("page.html");
    place.run(&words(&["-o", "page.html"])).ok();
    assert_eq!(
        place.read("page.html"),
        first,
        "a page may be written again"
    );
}

#[test]
fn hostile_names_of_groups_do_no_harm() {
    let place = place("</script><script>alert(1)</script>'\u{202e}");
    place.run(&words(&["-o", "page.html"])).ok();
    let html = place.read("page.html");
    assert_eq!(html.matches("<script").count(), 1, "its own");
    assert!(!html.contains("alert(1)</script>") && !html.contains('\u{202e}'));
}

#[test]
fn a_page_is_written_where_nothing_can_be_said_too() {
    let place = place("s3d");
    place
        .run(&words(&["--min-jobs", "1000", "-o", "page.html"]))
        .ok();
    let html = place.read("page.html");
    assert!(html.contains("No group has enough jobs to be studied."));
}

#[test]
fn names_that_are_no_page_are_refused_and_no_table_is_lost() {
    let place = place("s3d");
    for (name, why) in [
        ("page.csv", "the name of a page ends in .html"),
        ("nowhere/page.html", "the folder nowhere does not exist"),
    ] {
        let ran = place.run(&words(&["-o", name]));
        assert_ne!(ran.code, Some(0));
        assert!(ran.err.contains(why), "{}", ran.err);
        assert_eq!(ran.out, "", "before any work is done");
    }
    let before = place.read("jobs.csv");
    place.write("jobs.html", &before);
    let over = [
        "correlate",
        "--table",
        "jobs.html",
        "--x",
        "traffic",
        "--y",
        "seconds",
        "-o",
        "jobs.html",
    ];
    let ran = place.run(&over).code(2);
    assert!(ran.err.contains("the output is an input"), "{}", ran.err);
    assert_eq!(place.read("jobs.html"), before);
}

/// Twelve jobs of HACC-IO beside what the clients' nodes counted.
#[test]
fn the_page_of_logs_names_them_and_their_units() {
    let beside = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/data");
    let data = std::env::var_os("IOTEMPO_DATA").map_or_else(|| PathBuf::from(beside), Into::into);
    if !data.is_dir() {
        eprintln!("SKIPPED the_page_of_logs_names_them_and_their_units: no IOTEMPO_DATA");
        return;
    }
    let logs = data.join("darshan/hacc-eclipse").display().to_string();
    let servers = data.join("serverlogs/ldms-eclipse").display().to_string();
    let place = Place::new();
    let words = [
        "correlate",
        "--darshan",
        &logs,
        "--log",
        &servers,
        "--measure",
        "rate",
        "--target",
        "pscratch",
        "--min-jobs",
        "3",
        "--json",
        "-o",
        "page.html",
    ];
    let json = place.run(&words).ok().json();
    let text = place.read("page.html").replace('\u{a0}', " ");
    for said in [
        "<h1>12 jobs beside 12 logs of servers</h1>",
        "bytes read and written per second, on all servers while the job wrote, in ",
        "time of writes, in s.",
        "the servers&#39; logs have a gap there",
        "nothing can be said, because",
        "With coarser logs",
        "With other clocks",
        "Time in which files were used, beside all bytes read meanwhile",
    ] {
        assert!(text.contains(said), "{said}");
    }
    for kind in ["inputs", "servers"] {
        let logs = json["settings"][kind].as_array().unwrap();
        assert_eq!(logs.len(), 12, "{kind}");
        for log in logs {
            assert!(text.contains(log["sha256"].as_str().unwrap()), "{log}");
        }
    }
}
