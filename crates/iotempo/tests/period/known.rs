//! Series whose period everybody knows.

use super::{close, result};
use crate::common::Place;
use serde_json::Value;

/// What is found in a series of the data folder; `None` where there is none.
fn found(test: &str, name: &str, options: &[&str]) -> Option<Value> {
    let data = super::data();
    let file = data.join("series").join(name);
    if !file.is_file() {
        eprintln!("SKIPPED {test}: no data under {}", data.display());
        return None;
    }
    let arguments = ["period", file.to_str()?, "--json"];
    let ran = Place::new().run(&[&arguments[..], options].concat()).ok();
    Some(result(&ran))
}

const DAY: f64 = 86_400.0;

#[test]
fn passengers_travel_every_year() {
    let test = "passengers_travel_every_year";
    let options = ["--columns", "bandwidth=Passengers", "--step", "1"];
    let Some(by_row) = found(test, "known/Airline.csv", &options) else {
        return;
    };
    assert_eq!(by_row["n_samples"], 144);
    close(&by_row["period_s"], 12.0, 0.25);
    let options = ["--columns", "time=Date,bandwidth=Passengers"];
    let by_month = found(test, "known/Airline.csv", &options).unwrap();
    close(&by_month["period_s"], 365.25 * DAY, 7.0 * DAY);
}

#[test]
fn plants_breathe_every_year() {
    let test = "plants_breathe_every_year";
    let options = ["--columns", "time=date,bandwidth=co2"];
    let Some(found) = found(test, "known/co2.csv", &options) else {
        return;
    };
    assert_eq!(found["n_samples"], 2284);
    close(&found["step_s"], 7.0 * DAY, 1e-6);
    close(&found["period_s"], 365.25 * DAY, 4.0 * DAY);
    let warnings = found["warnings"].as_array().unwrap();
    let missing = warnings
        .iter()
        .find(|warning| warning["code"] == "missing-rates");
    let message = missing.unwrap()["message"].as_str().unwrap();
    assert!(
        message.starts_with("59 samples without a rate (the first in line 8)"),
        "{message}"
    );
}

#[test]
fn other_series_are_read_whatever_their_times_look_like() {
    let test = "other_series_are_read_whatever_their_times_look_like";
    for (name, columns, samples) in [
        ("known/sunspots.csv", "time=YEAR,bandwidth=SUNACTIVITY", 309),
        ("known/nile.csv", "time=year,bandwidth=volume", 100),
        ("known/mstl_elec_vic.csv", "time=ds,bandwidth=y", 3600),
    ] {
        let Some(found) = found(test, name, &["--columns", columns]) else {
            return;
        };
        assert_eq!(found["n_samples"], samples, "{name}");
        let step = if samples == 3600 { 3600.0 } else { 1.0 };
        close(&found["step_s"], step, 1e-9);
    }
}

#[test]
fn days_of_five_minutes_have_288_samples() {
    let test = "days_of_five_minutes_have_288_samples";
    let name = "nab/art_daily_perfect_square_wave.csv";
    let Some(found) = found(test, name, &[]) else {
        return;
    };
    assert_eq!(found["step_s"], 300);
    close(&found["period_s"], DAY, 300.0);
}

/// The benchmark wrote down when its epochs began, 139.34 s apart on average; `iostat` looked once a
/// second.
#[test]
fn epochs_of_a_training_are_seen_by_its_node() {
    let test = "epochs_of_a_training_are_seen_by_its_node";
    let name = "../serverlogs/mlperf-polaris-run0/iostat.json.gz";
    let Some(found) = found(test, name, &[]) else {
        return;
    };
    assert_eq!(found["n_samples"], 697);
    assert_eq!(found["phases"].as_array().unwrap().len(), 5);
    close(&found["period_s"], 139.34, 0.5);
    // A line that stands so close to the step of the samples may be that of a faster rhythm.
    close(&found["alias"]["apparent_s"], 3.75, 0.01);
    assert_eq!(found["alias"]["step_s"], 1);
}
