//! `iotempo estimate` of traces: which benchmarks are near enough.
#![allow(clippy::unwrap_used)]

mod common;
use common::Place;

const STORE: &str = "op,api,files,spatiality,nodes,processes,bytes_per_process,request_bytes,io_nodes,\
                     bandwidth_mib_per_s\n";

/// Eight processes that each write requests of these sizes, one after the other, to a file of their own.
fn trace(sizes: &[u64]) -> String {
    let mut table = String::from("rank,op,api,file,start,end,bytes\n");
    for (at, size) in sizes.iter().enumerate() {
        let start = at as f64 / 10.0;
        for rank in 0..8 {
            let end = start + 0.05;
            table += &format!("{rank},write,posix,/own.{rank},{start},{end},{size}\n");
        }
    }
    table
}

/// A benchmark like that.
fn row(bytes_per_process: u64, request_bytes: u64, io_nodes: u32, bandwidth: f64) -> String {
    format!(
        "write,posix,unique,consecutive,2,8,{bytes_per_process},{request_bytes},{io_nodes},{bandwidth}\n"
    )
}

const WORDS: [&str; 6] = [
    "estimate",
    "trace.csv",
    "--nodes",
    "2",
    "--benchmarks",
    "store.csv",
];

const MIB: u64 = 1 << 20;

#[test]
fn a_trace_is_as_good_as_a_log() {
    let place = Place::new();
    place.write("trace.csv", trace(&[MIB; 4]));
    let rows = [row(4 * MIB, MIB, 0, 64.0), row(4 * MIB, MIB, 1, 128.0)];
    place.write("store.csv", format!("{STORE}{}", rows.concat()));
    let json = place.run(&[&WORDS[..], &["--json"]].concat()).ok().json();
    let result = &json["results"][0];
    assert_eq!(result["best_io_nodes"], 1, "{json}");
    let time = result["curve"][1]["time_s"].as_f64().unwrap();
    assert!((time / 0.25 - 1.0).abs() < 0.03, "{time}");
    // Whether its requests are consecutive, no trace says; and nothing was repeated.
    assert_eq!(result["warnings"][0]["code"], "spatiality-unknown");
    assert_eq!(result["warnings"][1]["code"], "single-repetition");
    let point = &result["curve"][0];
    let [low, high] =
        ["low_bytes_per_s", "high_bytes_per_s"].map(|name| point[name].as_f64().unwrap());
    assert!(high > 1.2 * low, "{point}");
}

#[test]
fn requests_that_no_benchmark_is_near_are_told_aloud() {
    let place = Place::new();
    place.write("trace.csv", trace(&[MIB, MIB, MIB, 61 * MIB]));
    place.write(
        "store.csv",
        format!("{STORE}{}", row(64 * MIB, 16 * MIB, 0, 640.0)),
    );
    place.write("logs/same.csv", trace(&[MIB, MIB, MIB, 61 * MIB]));
    let why = "mean size in phase 1, because no benchmark is near some of them (phase 1: it has 1 MiB per request;";
    let ran = place.run(&WORDS).ok();
    assert!(ran.err.contains(why), "{}", ran.err);
    assert!(
        ran.out.contains("exact, by mean request size"),
        "{}",
        ran.out
    );
    // In a batch, too.
    let batch = [
        "estimate",
        "logs",
        "--nodes",
        "2",
        "--benchmarks",
        "store.csv",
    ];
    let ran = place.run(&batch).ok();
    assert!(ran.err.contains(why), "{}", ran.err);
}

#[test]
fn of_many_logs_those_without_an_estimate_say_why() {
    let place = Place::new();
    place.write("logs/a.csv", trace(&[MIB; 4]));
    place.write(
        "store.csv",
        format!("{STORE}{}", row(4096 * MIB, MIB, 0, 640.0)),
    );
    let words = [
        "estimate",
        "logs",
        "--nodes",
        "2",
        "--benchmarks",
        "store.csv",
    ];
    let ran = place.run(&words).ok();
    let why = "logs/a.csv: no estimate: phase 1: it has 4 MiB per process; the benchmarks of its kind have 4 GiB, and \
               reach from 2 GiB to 8 GiB";
    assert!(ran.err.contains(why), "{}", ran.err);
}

#[test]
fn a_number_of_io_nodes_that_was_measured_far_away_is_not_recommended() {
    let place = Place::new();
    place.write("trace.csv", trace(&[MIB; 4]));
    let rows = [
        row(4 * MIB, MIB, 0, 500.0),
        row(4 * MIB, MIB, 1, 602.0),
        row(4096 * MIB, 1024 * MIB, 64, 90_000.0),
    ];
    place.write("store.csv", format!("{STORE}{}", rows.concat()));
    let ran = place.run(&WORDS).ok();
    assert!(ran.out.contains("  1 I/O node: "), "{}", ran.out);
    assert!(ran.err.contains("64 (not near phase 1)"), "{}", ran.err);
}

#[test]
fn an_evaluation_goes_as_far_as_it_is_told() {
    let place = Place::new();
    let rows = [0, 1].map(|io_nodes| {
        let sizes = [1, 2, 4].map(|size| row(64 * MIB, size * MIB, io_nodes, 100.0));
        sizes.concat()
    });
    place.write("store.csv", format!("{STORE}{}", rows.concat()));
    let words = [
        "estimate",
        "--evaluate",
        "--benchmarks",
        "store.csv",
        "--json",
    ];
    let first = |more: &[&str]| {
        let json = place.run(&[&words[..], more].concat()).ok().json();
        json["results"][0]["by_median"][0].clone()
    };
    let ours = first(&[]);
    assert_eq!(
        (&ours["estimator"], &ours["refused"]),
        (&"ours".into(), &0.into())
    );
    // Nothing is estimated of what was not measured itself.
    assert_ne!(first(&["--reach", "0"])["estimator"], "ours");
    let ran = place.run(&[&words[..], &["--nodes", "2"]].concat()).code(2);
    assert!(ran.err.contains("cannot be used with"), "{ran:?}");
}
