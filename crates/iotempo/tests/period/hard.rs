//! Inputs that other tools stumble over.

use super::{close, period, result};
use crate::common::Place;
use serde_json::Value;
use std::fmt::Write;

fn verdict(table: &str) -> Value {
    let place = Place::new();
    place.write("x.csv", table);
    let found = period(&place, &["x.csv"]);
    // Whatever it is, a person is told, too.
    let ran = place.run(&["period", "x.csv"]).ok();
    assert!(
        ["periodic", "repeats", "no data moved"]
            .iter()
            .any(|said| ran.out.contains(said)),
        "{ran:?}"
    );
    found
}

#[test]
fn nothing_is_no_failure() {
    let found = verdict("start,end,bytes\n");
    assert_eq!(
        (&found["verdict"], &found["bytes"]),
        (&"empty".into(), &0.into())
    );
    assert_eq!(
        (&found["start_s"], &found["n_samples"]),
        (&Value::Null, &0.into())
    );
    let found = verdict("start,end,bytes\n0,1,0\n5,6,0\n");
    assert_eq!(found["verdict"], "empty");
    let found = verdict("time,write\n0,0\n1,0\n2,0\n3,0\n");
    assert_eq!(
        (&found["verdict"], &found["n_samples"]),
        (&"empty".into(), &4.into())
    );
}

#[test]
fn one_request_does_not_repeat() {
    for table in ["start,end,bytes\n3,4,100\n", "start,end,bytes\n3,3,100\n"] {
        let found = verdict(table);
        assert_eq!(found["periodic"], false, "{found}");
        close(&found["bytes"], 100.0, 1e-9);
    }
    let found = verdict("time,write\n0,5\n");
    assert_eq!(found["periodic"], false);
}

#[test]
fn what_is_not_a_number_is_left_out_and_told() {
    let mut table = super::checkpoints();
    table += "0,write,posix,/x,nan,1,5\n0,write,posix,/x,1,inf,5\n0,write,posix,/x,1,2,nan\n";
    let found = verdict(&table);
    assert_eq!(found["periodic"], true);
    let codes: Vec<_> = found["warnings"]
        .as_array()
        .unwrap()
        .iter()
        .map(|w| &w["code"])
        .collect();
    assert_eq!(codes, ["not-finite"]);
}

#[test]
fn the_order_of_requests_does_not_matter() {
    let table = super::checkpoints();
    let mut lines: Vec<_> = table.lines().collect();
    lines[1..].reverse();
    let (one, other) = (verdict(&table), verdict(&lines.join("\n")));
    assert_eq!(one["period_s"], other["period_s"]);
    assert_eq!(one["phases"], other["phases"]);
}

#[test]
fn clocks_may_count_from_anywhere() {
    for start in [-1e6, 1.7e9] {
        let mut table = String::from("op,start,end,bytes\n");
        for phase in 0..12 {
            let at = start + 20.0 * f64::from(phase);
            writeln!(table, "write,{at},{},1000000", at + 2.0).unwrap();
        }
        let found = verdict(&table);
        close(&found["period_s"], 20.0, 0.2);
    }
    let found = verdict("op,start,end,bytes\nw,0,1,5\nw,1e300,1e300,5\n");
    assert_eq!(found["periodic"], false);
}

#[test]
fn damage_leaves_what_precedes_it() {
    let place = Place::new();
    let whole = crate::common::gzip(super::checkpoints().as_bytes());
    place.write("cut.csv.gz", &whole[..whole.len() - 9]);
    let ran = place.run(&["period", "cut.csv.gz", "--json"]).ok();
    assert_eq!(result(&ran)["damaged"], true);
    place.write("cut.darshan", crate::common::cut_darshan());
    place.run(&["period", "cut.darshan"]).code(1);
}

#[test]
fn ten_million_samples_are_no_more_than_it_can_take() {
    let mut table = String::from("w\n");
    for second in 0..10_000_000_u32 {
        table += if second % 1000 < 100 { "9\n" } else { "0\n" };
    }
    let options = [
        "period",
        "-",
        "--columns",
        "write=w",
        "--step",
        "1",
        "--json",
    ];
    let ran = Place::new().run_with(&options, table).ok();
    let found = result(&ran);
    close(&found["period_s"], 1000.0, 10.0);
    // Ten of them are averaged into one: whole samples, and fewer than 2²⁰.
    assert_eq!(
        (&found["step_s"], &found["n_samples"]),
        (&10.into(), &1_000_000.into())
    );
}

/// What becomes of the inputs on which FTIO fails or answers in silence: periods where there is one
/// (10 s, but for the cut file of another job), and words where there is none.
const BAD_INPUTS: [(&str, &str); 25] = [
    ("a.unknown", "error"),
    ("big_times_unix.json", "periodic"),
    ("blank_lines_8.jsonl", "periodic"),
    ("duplicate_times.json", "empty"),
    ("empty.darshan", "error"),
    ("empty.json", "error"),
    ("empty.jsonl", "error"),
    ("empty.msgpack", "error"),
    ("empty.txt", "error"),
    ("garbage.msgpack", "error"),
    ("inf_bandwidth.json", "periodic"),
    ("list.json", "error"),
    ("mismatch_len.json", "error"),
    ("missing_end_len.json", "error"),
    ("nan_bandwidth.json", "periodic"),
    ("negative_bandwidth.json", "empty"),
    ("negative_times.json", "periodic"),
    ("no_samples.json", "empty"),
    ("one_sample.json", "empty"),
    ("strings.json", "error"),
    ("trunc.json", "error"),
    ("trunc_8.jsonl", "damaged"),
    ("unsorted_app.json", "periodic"),
    ("unsorted_rank.json", "periodic"),
    ("wrong_keys.json", "error"),
];

#[test]
fn every_bad_input_has_an_answer_or_an_error_that_names_it() {
    let data = super::data();
    let folder = data.join("ftio-inputs/bad");
    if !folder.is_dir() {
        let test = "every_bad_input_has_an_answer_or_an_error_that_names_it";
        eprintln!("SKIPPED {test}: no data under {}", data.display());
        return;
    }
    let place = Place::new();
    for (name, expected) in BAD_INPUTS {
        let path = folder.join(name);
        let ran = place.run(&["period", path.to_str().unwrap(), "--json"]);
        if expected == "error" {
            let ran = ran.code(1);
            assert!(ran.err.contains(name), "{ran:?}");
            assert_eq!(ran.json()["errors"].as_array().unwrap().len(), 1, "{name}");
            continue;
        }
        let found = result(&ran.ok());
        if expected == "damaged" {
            assert_eq!(found["damaged"], true, "{name}");
        } else {
            assert_eq!(found["verdict"], expected, "{name}");
            // Nothing of it was repaired in silence.
            assert!(!found["warnings"].as_array().unwrap().is_empty(), "{name}");
        }
        if expected == "periodic" && name != "blank_lines_8.jsonl" {
            close(&found["period_s"], 10.0, 0.2);
        }
    }
    // Times that are not numbers leave their requests out: FTIO answers 200 s.
    let path = folder.join("nan_time.json");
    let found = period(&place, &[path.to_str().unwrap()]);
    close(&found["period_s"], 10.0, 1.0);
}
