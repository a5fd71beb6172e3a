//! What programs read.

use super::{PERIOD, PHASES, close, period, place};
use serde_json::Value;

#[test]
fn a_result_holds_the_period_with_its_evidence() {
    let found = period(&place(), &["job.csv", "--op", "write"]);
    assert_eq!(found["periodic"], true);
    assert_eq!(found["verdict"], "periodic");
    close(&found["period_s"], PERIOD, 0.01 * PERIOD);
    assert!(found["period_low_s"].as_f64().unwrap() <= PERIOD + 0.01);
    assert!(found["period_high_s"].as_f64().unwrap() >= PERIOD - 0.01);
    assert!(found["confidence"].as_f64().unwrap() > 0.9);
    let phases = found["phases"].as_array().unwrap();
    assert_eq!(phases.len(), PHASES);
    for (index, phase) in phases.iter().enumerate() {
        close(&phase["start_s"], 5.0 + PERIOD * index as f64, 0.1);
        close(&phase["end_s"], 7.0 + PERIOD * index as f64, 0.1);
        close(&phase["bytes"], 2e6, 2e4);
    }
    close(&found["next_start_s"], 5.0 + PERIOD * PHASES as f64, 0.5);
    assert_eq!(found["bytes"], 24_000_000);
    assert_eq!(found["n_samples"], 16384);
    assert!(!found["witnesses"].as_array().unwrap().is_empty());
    let sha256 = found["sha256"].as_str().unwrap();
    assert_eq!(sha256.len(), 64);
}

#[test]
fn what_is_not_periodic_has_no_period_but_a_reason() {
    let found = period(&place(), &["irregular.csv"]);
    assert_eq!(found["periodic"], false);
    for field in ["period_s", "period_low_s", "period_high_s", "next_start_s"] {
        assert_eq!(found[field], Value::Null, "{field}");
    }
    assert_eq!(found["phases"], serde_json::json!([]));
    assert!(!found["reason"].as_str().unwrap().is_empty());
}

#[test]
fn the_least_confidence_is_a_matter_of_choice() {
    let place = place();
    let found = period(&place, &["job.csv", "--threshold", "1"]);
    assert_eq!(found["periodic"], false, "nothing is certain");
    close(&found["candidate"]["period_s"], PERIOD, 0.5);
    let sure = found["confidence"].as_f64().unwrap();
    assert!((0.9..1.0).contains(&sure), "{sure}");
    for wrong in ["1.1", "-1", "nan", "x"] {
        let threshold = format!("--threshold={wrong}");
        place.run(&["period", "job.csv", &threshold]).code(2);
    }
}

#[test]
fn all_settings_in_force_are_stated() {
    let place = place();
    let settings = |options: &[&str]| {
        let arguments = [&["period", "job.csv", "--json"], options].concat();
        place.run(&arguments).ok().json()["settings"].clone()
    };
    let ours = settings(&["--start", "5", "--op", "write", "-f", "4", "--skip-first"]);
    assert_eq!(ours["method"], "iotempo");
    assert_eq!(
        (&ours["start_s"], &ours["op"]),
        (&5.into(), &"write".into())
    );
    assert_eq!(
        (&ours["rate_hz"], &ours["skip_first"]),
        (&4.into(), &true.into())
    );
    assert_eq!(
        (&ours["threshold"], &ours["tolerance"]),
        (&0.5.into(), &Value::Null)
    );
    let theirs = settings(&["--method", "paper", "-o", "dbscan", "-t", "0.6", "-n", "3"]);
    assert_eq!(theirs["method"], "paper");
    assert_eq!(
        (&theirs["rate_hz"], &theirs["op"]),
        (&10.into(), &"write".into())
    );
    assert_eq!(theirs["outlier"], "dbscan");
    assert_eq!(
        (&theirs["tolerance"], &theirs["top"]),
        (&0.6.into(), &3.into())
    );
    assert_eq!(
        (&theirs["threshold"], &theirs["autocorrelation"]),
        (&Value::Null, &false.into())
    );
}

#[test]
fn results_are_the_same_for_any_number_of_threads() {
    let place = place();
    let run = |threads: &str| {
        let arguments = [
            "period",
            "job.csv",
            "samples.csv",
            "irregular.csv",
            "--json",
        ];
        let arguments = [&arguments[..], &["--threads", threads]].concat();
        place.run(&arguments).ok().json()["results"].clone()
    };
    assert_eq!(run("1"), run("7"));
}
