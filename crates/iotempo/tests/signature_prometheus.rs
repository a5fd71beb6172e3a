//! `iotempo signature --prometheus`: what servers moved, asked of a real Prometheus.
#![allow(clippy::unwrap_used, clippy::print_stderr)]
#![cfg(target_os = "linux")]

mod common;
#[path = "common/prometheus.rs"]
mod prometheus_server;

use common::Place;
use prometheus_server::{Server, program};
use std::fmt::Write;
use std::process::Command;
use std::time::{Duration, Instant};

/// What the servers of a generated log moved, as counters in the text that `promtool` takes.
fn counters(servers: &str) -> String {
    let mut text = "# TYPE lustre_write_bytes counter\n".to_owned();
    let mut total = 0.0;
    for row in servers.lines().skip(1) {
        let (time, rate) = row.split_once(',').unwrap();
        let time: f64 = time.parse().unwrap();
        writeln!(
            text,
            "lustre_write_bytes_total{{component=\"ost\",target=\"OST0000\"}} {total} {time}"
        )
        .unwrap();
        total += 2.0 * rate.parse::<f64>().unwrap();
    }
    text + "# EOF\n"
}

#[test]
fn a_query_gives_the_signature_that_the_log_gives() {
    let Some(server) = program() else {
        eprintln!("SKIPPED a_query_gives_the_signature_that_the_log_gives: no prometheus");
        return;
    };
    let place = Place::new();
    place
        .run(&["generate", "ior-b", "--out-dir", "logs", "--seed", "11"])
        .ok();
    place.write("counters.txt", counters(&place.read("logs/servers.csv")));
    let made = Command::new(server.with_file_name("promtool"))
        .args(["tsdb", "create-blocks-from", "openmetrics"])
        .args([place.path("counters.txt"), place.path("data")])
        .output()
        .unwrap();
    assert!(
        made.status.success(),
        "{}",
        String::from_utf8_lossy(&made.stderr)
    );
    let folder = place.path("");
    let prometheus = Server::new(&server, &folder, 1);
    let words = |url: &str| {
        [
            "signature",
            "--jobs",
            "logs/jobs.txt",
            "--prometheus",
            url,
            "--query",
            "lustre_write_bytes_total",
        ]
        .into_iter()
        .chain(["--interval", "2s", "--json"])
        .map(str::to_owned)
        .collect::<Vec<_>>()
    };
    let words = words(&prometheus.url);
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let end = Instant::now() + Duration::from_secs(60);
    let ran = loop {
        let ran = place.run(&words);
        if ran.code == Some(0) || Instant::now() > end {
            break ran;
        }
        std::thread::sleep(Duration::from_millis(200));
    };
    let asked = ran.json();
    let from_log = [
        "signature",
        "--jobs",
        "logs/jobs.txt",
        "--log",
        "logs/servers.csv",
        "--json",
    ];
    let from_log = place.run(&from_log).json();
    let bursts = |json: &serde_json::Value| -> Vec<(f64, f64)> {
        let bursts = json["results"][0]["bursts"].as_array().unwrap();
        let numbers = bursts.iter().map(|burst| {
            let number = |name: &str| burst[name].as_f64().unwrap();
            (number("centre_s"), number("bytes"))
        });
        numbers.collect()
    };
    let (asked, told) = (bursts(&asked), bursts(&from_log));
    assert_eq!(asked.len(), 8, "{asked:?}");
    assert_eq!(asked.len(), told.len());
    for ((at, bytes), (expected, volume)) in asked.into_iter().zip(told) {
        assert!((at - expected).abs() < 4.0, "{at} s for {expected} s");
        assert!(
            (bytes / volume - 1.0).abs() < 0.1,
            "{bytes} bytes for {volume}"
        );
    }
    let nobody = [
        "signature",
        "--jobs",
        "logs/jobs.txt",
        "--prometheus",
        "http://127.0.0.1:1",
        "--query",
        "up",
    ];
    let ran = place.run(&nobody).code(1);
    assert!(ran.err.contains("http://127.0.0.1:1: "), "{}", ran.err);
}
