//! `iotempo signature`: what should be known before a signature is believed.
#![allow(clippy::unwrap_used)]

mod common;

use common::Place;
use serde_json::Value;

/// When the log begins: on the hour.
const BEGIN: usize = 1_767_225_600;
const STEP: usize = 5;
const HOURS: usize = 14;

/// A log of servers that always move 60 MB/s, and bursts of 1 GB/s at these times.
fn servers(bursts: impl Iterator<Item = (usize, usize)>) -> String {
    let mut rates = vec![60e6; HOURS * 3600 / STEP];
    for (start, lasts) in bursts {
        for rate in rates.iter_mut().skip(start / STEP).take(lasts / STEP) {
            *rate += 1e9;
        }
    }
    let row = |(step, rate): (usize, &f64)| {
        // Servers are never quite the same.
        let rate = rate * (1.0 + 0.1 * (step as f64 * 12.9898).sin());
        format!("{},{rate:.0}\n", BEGIN + STEP * step)
    };
    let rows: String = rates.iter().enumerate().map(row).collect();
    format!("time,write_bytes_per_s\n{rows}")
}

/// Jobs of half an hour that start at these times.
fn jobs(starts: &[usize]) -> String {
    let row = |(id, start): (usize, &usize)| {
        let start = BEGIN + start;
        format!("{id}|ann|app|4|COMPLETED|{start}|{}\n", start + 1800)
    };
    let rows: String = starts.iter().enumerate().map(row).collect();
    format!("JobID|User|JobName|NNodes|State|Start|End\n{rows}")
}

/// What each run writes: 40 s every 7 min.
fn own(starts: &[usize]) -> impl Iterator<Item = (usize, usize)> {
    let of_run = |start: &usize| {
        let start = *start;
        (0..4).map(move |k| (start + 100 + 420 * k, 40))
    };
    starts
        .iter()
        .flat_map(of_run)
        .collect::<Vec<_>>()
        .into_iter()
}

fn mined(jobs: &str, servers: &str) -> Value {
    let place = Place::new();
    place.write("jobs.txt", jobs);
    place.write("servers.csv", servers);
    let words = ["--jobs", "jobs.txt", "--log", "servers.csv", "--json"];
    place
        .run(&["signature"].into_iter().chain(words).collect::<Vec<_>>())
        .ok()
        .json()["results"][0]
        .clone()
}

fn warning<'a>(result: &'a Value, code: &str) -> Option<&'a str> {
    let told = result["warnings"].as_array().unwrap();
    let found = told.iter().find(|one| one["code"] == code)?;
    found["message"].as_str()
}

#[test]
fn what_others_move_by_the_clock_is_told_where_runs_start_by_it() {
    let hourly: Vec<usize> = (1..13).map(|hour| 3600 * hour + 10).collect();
    let every_ten_minutes = (0..HOURS * 6).map(|k| (600 * k + 250, 20));
    let beside = servers(own(&hourly).chain(every_ten_minutes.clone()));
    let result = mined(&jobs(&hourly), &beside);
    let told = warning(&result, "by-the-clock").unwrap();
    assert!(told.contains("of every 10 min "), "{told}");
    let bursts = result["bursts"].as_array().unwrap();
    for (number, burst) in (1..).zip(bursts) {
        let after = burst["centre_s"].as_f64().unwrap();
        let others = [250.0, 850.0, 1450.0]
            .iter()
            .any(|at| (after - at).abs() < 30.0);
        let named = told.split("is moved").next().unwrap();
        let named = named
            .split(|c: char| !c.is_ascii_digit())
            .any(|word| word == number.to_string());
        assert_eq!(named, others, "burst {number} at {after} s: {told}");
    }
    // Twenty minutes apart, and only in between of the runs that they do not meet.
    let every_twenty_minutes = (0..HOURS * 3).map(|k| (1200 * k + 250, 20));
    let result = mined(
        &jobs(&hourly),
        &servers(own(&hourly).chain(every_twenty_minutes)),
    );
    let told = warning(&result, "by-the-clock").unwrap();
    assert!(told.contains("of every 20 min "), "{told}");
    // Alone, and started at any time: nothing to tell.
    let alone = mined(&jobs(&hourly), &servers(own(&hourly)));
    assert_eq!(warning(&alone, "by-the-clock"), None);
    assert_eq!(alone["bursts"].as_array().unwrap().len(), 4);
    let at_any_time: Vec<usize> = (1..13).map(|k| 3600 * k + 977 * k % 1500).collect();
    let beside = servers(own(&at_any_time).chain(every_ten_minutes));
    let result = mined(&jobs(&at_any_time), &beside);
    assert_eq!(warning(&result, "by-the-clock"), None);
}

#[test]
fn what_others_move_at_any_time_is_not_by_the_clock() {
    let hourly: Vec<usize> = (1..13).map(|hour| 3600 * hour).collect();
    // As often as not within a burst's length of any moment.
    let at_any_time = (0..HOURS * 60).map(|k| (60 * k + 977 * k % 60, 20));
    let result = mined(&jobs(&hourly), &servers(own(&hourly).chain(at_any_time)));
    assert_eq!(result["bursts"].as_array().unwrap().len(), 4);
    assert_eq!(warning(&result, "by-the-clock"), None);
}
