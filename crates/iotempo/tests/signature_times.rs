//! `iotempo signature`: hours that clocks show twice.
#![allow(clippy::unwrap_used)]

mod common;
use common::{Place, Ran};

fn mined(place: &Place, more: &[&str]) -> Ran {
    let words = ["signature", "--jobs", "jobs.txt", "--log", "servers.csv"];
    place.run(&[&words[..], more].concat()).ok()
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
