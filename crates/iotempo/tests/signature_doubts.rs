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
    mined_with(jobs, servers, &[])
}

fn mined_with(jobs: &str, servers: &str, more: &[&str]) -> Value {
    let place = Place::new();
    place.write("jobs.txt", jobs);
    place.write("servers.csv", servers);
    let words = ["--jobs", "jobs.txt", "--log", "servers.csv", "--json"];
    place
        .run(&[&["signature"], &words[..], more].concat())
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

/// In a log of half minutes others write at any time, so often that something is moved about most moments.
#[test]
fn what_others_move_at_any_time_is_not_by_the_clock() {
    const STEP: usize = 30;
    let hourly: Vec<usize> = (1..13).map(|hour| 3600 * hour).collect();
    let own = hourly
        .iter()
        .flat_map(|start| (0..3).map(move |k| (start + 180 + 540 * k, 20)));
    let mut found = 0;
    for seed in 1..9_usize {
        let mut state = seed;
        let mut any = |below: usize| {
            state = state.wrapping_mul(6_364_136_223_846_793_005);
            state = state.wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) % below
        };
        let others: Vec<(usize, usize)> = (0..30 * HOURS)
            .map(|_| (any(HOURS * 3600), 11 + any(6)))
            .collect();
        let mut rates = vec![60e6; HOURS * 3600 / STEP];
        for (start, gigabytes) in own.clone().chain(others) {
            for second in start..start + 15 {
                if let Some(rate) = rates.get_mut(second / STEP) {
                    *rate += 1e9 * gigabytes as f64 / (15 * STEP) as f64;
                }
            }
        }
        let rows: String = rates
            .iter()
            .enumerate()
            .map(|(step, rate)| format!("{},{rate:.0}\n", BEGIN + STEP * step))
            .collect();
        let log = format!("time,write_bytes_per_s\n{rows}");
        let result = mined(&jobs(&hourly), &log);
        found += result["bursts"].as_array().unwrap().len();
        assert_eq!(warning(&result, "by-the-clock"), None, "{seed}");
    }
    assert!(found >= 8, "{found}");
}

#[test]
fn how_far_clocks_are_apart_is_told_whatever_is_said_of_them() {
    let starts = [9000, 18_100, 25_300, 34_000];
    let ahead = starts.map(|start| start + 3 * 3600);
    for (moved, said, words) in [
        (ahead, "0", "3 hours ahead of the scheduler's"),
        (ahead, "3600", "3 hours ahead of the scheduler's"),
        (starts, "-7200", "no other than the scheduler's"),
    ] {
        let option = format!("--clocks-ahead={said}");
        let result = mined_with(&jobs(&starts), &servers(own(&moved)), &[&option]);
        let told = warning(&result, "clocks-may-differ").unwrap();
        let words =
            format!("were the servers' clocks {words}, 4 runs would have 4 bursts in common");
        assert!(told.starts_with(&words), "{said}: {told}");
        assert_eq!(told.contains("(--clocks-ahead, "), said != "0", "{told}");
    }
}

/// Where runs are few, and others write often, that is at the same moment beside most of them by chance.
#[test]
fn what_others_happen_to_move_beside_runs_is_no_matter_of_clocks() {
    let mut state = 7_usize;
    let mut any = |below: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005);
        state = state.wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % below
    };
    let (mut told, mut found) = (0, 0);
    for _ in 0..12 {
        let starts: Vec<usize> = (0..4).map(|k| 3600 + 7200 * k + any(1500)).collect();
        let others: Vec<(usize, usize)> = (0..HOURS * 20)
            .map(|_| (any(HOURS * 3600), 10 + any(30)))
            .collect();
        let beside = servers(own(&starts).chain(others));
        let result = mined(&jobs(&starts), &beside);
        found += usize::from(!result["bursts"].as_array().unwrap().is_empty());
        told += usize::from(warning(&result, "clocks-may-differ").is_some());
    }
    assert!(told == 0 && found > 6, "{told} told, {found} found");
}

#[test]
fn clocks_that_are_off_by_more_than_a_burst_are_told_beside_others() {
    let starts: Vec<usize> = (1..12).map(|k| 3600 * k + 977 * k % 900).collect();
    let others = (0..HOURS * 12).map(|k| (300 * k + 149 * k * k % 280, 20));
    for ahead in [460, 600] {
        let shifted: Vec<usize> = starts.iter().map(|start| start + ahead).collect();
        let result = mined(
            &jobs(&starts),
            &servers(own(&shifted).chain(others.clone())),
        );
        let told = warning(&result, "clocks-may-differ");
        let said = "just after runs end, servers move about as much as in a burst";
        assert!(
            told.is_some_and(|told| told.starts_with(said)),
            "{ahead}: {told:?}"
        );
    }
}

/// Jobs of half an hour under one name, and of `lasts` seconds under another that start so much later.
fn with_company(starts: &[usize], later: usize, lasts: usize) -> String {
    let row = |(id, start): (usize, &usize)| {
        let start = BEGIN + start + later;
        format!("9{id}|ann|other|1|COMPLETED|{start}|{}\n", start + lasts)
    };
    let rows: String = starts.iter().enumerate().map(row).collect();
    jobs(starts) + &rows
}

#[test]
fn what_a_job_moves_that_comes_with_the_runs_is_no_matter_of_clocks() {
    let starts: Vec<usize> = (1..13).map(|k| 3600 * k + 977 * k % 900).collect();
    // Once a run is over, its results are looked at.
    let looked_at = starts.iter().map(|start| (start + 1830, 40));
    let log = servers(own(&starts).chain(looked_at));
    let code = "clocks-may-differ";
    let alone = mined(&jobs(&starts), &log);
    assert!(warning(&alone, code).is_some());
    for lasts in [120, 600] {
        let chain = with_company(&starts, 1805, lasts);
        for name in ["app", "other"] {
            let result = mined_with(&chain, &log, &["--name", name]);
            assert_eq!(warning(&result, code), None, "{name}, {lasts} s");
        }
    }
    // A job that moves nothing comes an hour before the one that does.
    let starts = [9000, 18_100, 25_300, 34_000];
    let ahead = starts.map(|start| start + 3600);
    let log = servers(own(&ahead));
    let alone = mined(&jobs(&starts), &log);
    assert!(warning(&alone, code).is_some_and(|told| told.contains("1 hour ahead of")));
    let both = with_company(&starts, 3600, 1800);
    let result = mined_with(&both, &log, &["--name", "app"]);
    assert_eq!(warning(&result, code), None);
    // A job that is always there explains nothing.
    let always =
        jobs(&starts) + &format!("9|bob|other|1|COMPLETED|{BEGIN}|{}\n", BEGIN + 3600 * HOURS);
    let result = mined_with(&always, &log, &["--name", "app"]);
    assert!(warning(&result, code).is_some());
}
