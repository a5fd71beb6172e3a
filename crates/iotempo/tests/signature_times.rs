//! `iotempo signature`: how even the times between bursts are, and hours that clocks show twice.
#![allow(clippy::unwrap_used)]

mod common;
use common::{Place, Ran};
use serde_json::Value;

/// Logs of IOR_C.
fn logs() -> Place {
    let place = Place::new();
    place
        .run(&["generate", "ior-c", "--out-dir", ".", "--seed", "3"])
        .ok();
    place
}

fn mined(place: &Place, more: &[&str]) -> Ran {
    let words = ["signature", "--jobs", "jobs.txt", "--log", "servers.csv"];
    place.run(&[&words[..], more].concat()).ok()
}

#[test]
fn a_period_is_told_with_how_much_single_ones_scatter() {
    let place = logs();
    let text = mined(&place, &["-o", "page.html"]).out;
    let line = text.lines().find(|line| line.starts_with("  jitter"));
    let line = line.expect("a line of its own");
    assert!(line.contains(" s from start to start, "), "{line}");
    assert!(line.ends_with(" % of the period"), "{line}");
    let json = mined(&place, &["--json"]).json();
    let jitter = json["results"][0]["jitter_fraction"].as_f64().unwrap();
    assert!((0.01..0.2).contains(&jitter), "{jitter}");
    let csv = mined(&place, &["--csv"]).out;
    let mut rows = csv.lines().map(|row| row.split(',').collect::<Vec<_>>());
    let heading = rows.next().unwrap();
    let column = heading.iter().position(|name| *name == "jitter_fraction");
    for row in rows {
        assert_eq!(row.len(), heading.len(), "{row:?}");
        let told: f64 = row[column.expect("a column")].parse().unwrap();
        assert!((told - jitter).abs() < 1e-6, "{row:?}");
    }
    let page = place.read("page.html").replace('\u{a0}', " ");
    assert!(page.contains("<dt>jitter</dt>"), "a tile of its own");
    assert!(page.contains(" s from start to start"));
}

#[test]
fn where_nothing_repeats_there_is_no_jitter() {
    let place = logs();
    // Only the first two phases of each run: too few to tell a rhythm by.
    let jobs = place.read("jobs.txt");
    let rows = jobs.lines().enumerate().map(|(at, row)| {
        let mut fields: Vec<String> = row.split('|').map(str::to_owned).collect();
        if at > 0 {
            let start: u64 = fields[5].parse().unwrap();
            fields[6] = (start + 330).to_string();
        }
        fields.join("|") + "\n"
    });
    place.write("jobs.txt", rows.collect::<String>());
    let ran = mined(&place, &[]);
    assert!(!ran.out.contains("  jitter"), "{}", ran.out);
    let json = mined(&place, &["--json"]).json();
    assert_eq!(json["results"][0]["period_s"], Value::Null);
    assert_eq!(json["results"][0]["jitter_fraction"], Value::Null);
    let csv = mined(&place, &["--csv"]).out;
    let rows = csv.lines().map(|row| row.split(',').count());
    assert!(
        rows.clone().all(|row| Some(row) == rows.clone().next()),
        "{csv}"
    );
}

/// Summer time ended at 2026-10-25 01:00 UTC.
const SET_BACK: u64 = 1_792_890_000;

/// A local time of that night in central Europe.
fn local(epoch_s: u64) -> String {
    let shift = if epoch_s < SET_BACK { 7200 } else { 3600 };
    // 2026-10-24 00:00.
    let since = epoch_s + shift - 1_792_800_000;
    let (day, second) = (24 + since / 86_400, since % 86_400);
    let (hour, minute) = (second / 3600, second / 60 % 60);
    format!("2026-10-{day}T{hour:02}:{minute:02}:{:02}", second % 60)
}

#[test]
fn jobs_in_an_hour_that_clocks_show_twice_are_told() {
    let place = Place::new();
    // Runs of 10 min, each a quarter of an hour after the one before, that write after 4 min.
    let starts = |k: u64| SET_BACK - 7200 + 900 * k;
    let mut jobs = "JobID|User|JobName|NNodes|State|Start|End\n".to_owned();
    for k in 0..16 {
        let (start, end) = (starts(k), starts(k) + 600);
        jobs += &format!("{k}|ann|app|8|COMPLETED|{}|{}\n", local(start), local(end));
    }
    place.write("jobs.txt", jobs);
    let mut log = "time,write_bytes_per_s\n".to_owned();
    for at in (SET_BACK - 9000..SET_BACK + 10_800).step_by(2) {
        let phase = at.saturating_sub(starts(0)) % 900;
        let busy = at >= starts(0) && at < starts(16) && (240..270).contains(&phase);
        log += &format!("{at},{}\n", if busy { 2_000_000_000 } else { 20_000_000 });
    }
    place.write("servers.csv", log);
    // By its rule, so that no database is needed.
    let zone = "CET-1CEST,M3.5.0,M10.5.0/3";
    let told = |zone: &str| -> Vec<String> {
        let json = mined(&place, &["--zone", zone, "--json"]).json();
        let warnings = json["results"][0]["warnings"].as_array().unwrap();
        let of_clocks = warnings
            .iter()
            .filter(|one| one["code"] == "clock-set-back");
        let messages = of_clocks.map(|one| one["message"].as_str().unwrap().to_owned());
        messages.collect()
    };
    let [message] = &told(zone)[..] else {
        panic!("{:?}", told(zone));
    };
    assert!(
        message.starts_with("8 jobs, such as 4, start or end in"),
        "{message}"
    );
    assert_eq!(told("+01:00"), [""; 0]);
}
