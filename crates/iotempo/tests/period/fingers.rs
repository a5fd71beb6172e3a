//! What FTIO's users are used to.

use super::{close, period, place};
use crate::common::Place;
use serde_json::Value;
use std::path::Path;

#[test]
fn options_of_two_letters_are_understood() {
    let place = place();
    let theirs = period(
        &place,
        &["job.csv", "-ts", "20", "-te", "150", "-m", "write_sync"],
    );
    let ours = period(
        &place,
        &["job.csv", "--start", "20", "--end", "150", "--op", "write"],
    );
    assert_eq!(theirs, ours);
    let theirs = period(&place, &["job.csv", "-au", "-np", "-tr", "dft", "-e", "no"]);
    let ours = ["--autocorrelation", "--amplitude", "--method", "ftio"];
    assert_eq!(theirs, period(&place, &[&["job.csv"], &ours[..]].concat()));
    assert!(theirs["autocorrelation"].is_object(), "{theirs}");
}

#[test]
fn modes_are_directions() {
    let place = place();
    let bytes = |mode: &str| {
        period(&place, &["job.csv", "-m", mode])["bytes"]
            .as_f64()
            .unwrap()
    };
    for mode in ["write_sync", "w", "Write_async_t"] {
        assert_eq!(bytes(mode), 24e6, "{mode}");
    }
    assert_eq!(bytes("read_sync"), 10_000.0);
    place
        .run(&["period", "job.csv", "-m", "w", "--op", "read"])
        .code(2);
}

#[test]
fn what_only_ftio_knows_is_answered_as_ftio_does_and_that_is_said() {
    let place = place();
    for (options, named) in [
        (&["-t", "0.7"][..], "--tolerance"),
        (&["-n", "3"], "--top"),
        (&["-au"], "--autocorrelation"),
        (&["-np"], "--amplitude"),
        (&["-o", "peak"], "--outlier"),
        (&["--outlier", "dbscan"], "--outlier"),
    ] {
        let ran = place
            .run(&[&["period", "job.csv", "--json"], options].concat())
            .ok();
        let said = format!("iotempo: {named}: answered as FTIO does (--method ftio)\n");
        assert_eq!(ran.err, said);
        assert_eq!(ran.json()["results"][0]["method"], "ftio");
        let ran = place
            .run(&[&["period", "job.csv", "-q"], options].concat())
            .ok();
        assert_eq!(ran.err, "");
        let explicit = [&["period", "job.csv", "--method", "iotempo"], options].concat();
        let ran = place.run(&explicit).code(2);
        assert!(
            ran.err.contains("only --method ftio and --method paper"),
            "{ran:?}"
        );
    }
    let ran = place
        .run(&["period", "job.csv", "--method", "paper", "-t", "0.7"])
        .ok();
    assert_eq!(ran.err, "");
    place
        .run(&[
            "period",
            "job.csv",
            "--method",
            "ftio",
            "--threshold",
            "0.7",
        ])
        .code(2);
}

#[test]
fn other_transforms_are_refused_with_a_hint_and_figures_are_in_the_report() {
    let place = place();
    let ran = place
        .run(&["period", "job.csv", "-tr", "wave_disc"])
        .code(2);
    assert!(
        ran.err.contains("dft is the only transform; segments"),
        "{ran:?}"
    );
    let ran = place.run(&["period", "job.csv", "-e", "plotly"]).ok();
    assert!(ran.err.contains("-o report.html"), "{ran:?}");
    let ran = place.run(&["period", "job.csv", "-e", "no"]).ok();
    assert_eq!(ran.err, "");
}

#[test]
fn ftio_looks_at_writes_ten_times_a_second_unless_told() {
    let found = period(&place(), &["job.csv", "--method", "ftio"]);
    assert_eq!(
        (&found["step_s"], &found["bytes"]),
        (&0.1.into(), &24_000_000.into())
    );
    close(&found["dominant_frequency_hz"], 0.05, 0.005);
    close(&found["period_s"], 20.0, 2.0);
    assert!(
        found["candidates"].as_array().unwrap().len() == 1,
        "{found}"
    );
    assert_eq!(found["period_low_s"], Value::Null);
    let found = period(
        &place(),
        &["job.csv", "--method", "ftio", "-f", "2", "--op", "both"],
    );
    assert_eq!(
        (&found["step_s"], &found["bytes"]),
        (&0.5.into(), &24_010_000.into())
    );
}

#[test]
fn modules_of_darshan_are_evidence() {
    let place = Place::new();
    let log = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../testdata/checkpoint.darshan"
    );
    let ran = place
        .run(&["period", log, "-x", "DXT_MPIIO", "--json"])
        .ok();
    assert_eq!(ran.json()["settings"]["api"], "mpiio");
    place.run(&["period", log, "-x", "LUSTRE"]).code(2);
    place
        .run(&["period", log, "-x", "DXT_POSIX", "--api", "posix"])
        .code(2);
}

/// Options that change FTIO's answer and that we do not have.
const OTHERS: [&str; 10] = [
    "-tr",
    "--transformation",
    "-p",
    "-cf",
    "--filter_type",
    "--filter_cutoff",
    "--no_avr",
    "-bw",
    "--fourier_fit",
    "--ind",
];

#[test]
fn command_lines_of_ftio_give_the_answers_of_ftio() {
    let data = super::data();
    let Ok(text) = std::fs::read_to_string(data.join("oracles/ftio.json")) else {
        let test = "command_lines_of_ftio_give_the_answers_of_ftio";
        eprintln!("SKIPPED {test}: no data under {}", data.display());
        return;
    };
    let oracle: Value = serde_json::from_str(&text.replace(": NaN", ": null")).unwrap();
    let cases = oracle["cases"].as_array().unwrap().iter();
    let asked = cases.filter(|case| {
        let argv = case["argv"].as_array().unwrap();
        let other = argv
            .iter()
            .any(|word| OTHERS.contains(&word.as_str().unwrap()));
        case["status"] == "ok" && !other && !case["cmd"].as_str().unwrap().contains("constant")
    });
    let mut compared = 0;
    // Some of many: the library's own tests compare all of them.
    for case in asked.step_by(5) {
        compared += usize::from(same_as_recorded(&data, case));
    }
    assert!(compared >= 30, "only {compared} were compared");
}

/// Whether there was an answer to compare with.
fn same_as_recorded(data: &Path, case: &Value) -> bool {
    let Some(expected) = case["predictions"].as_array().and_then(|all| all.first()) else {
        return false;
    };
    let words = case["argv"].as_array().unwrap()[1..].iter();
    let words: Vec<_> = words.map(|word| word.as_str().unwrap()).collect();
    let input = data.join(words[0]);
    let arguments = [
        "period",
        input.to_str().unwrap(),
        "--json",
        "--method",
        "ftio",
    ];
    let arguments = [&arguments[..], &words[1..]].concat();
    let ran = Place::new().run(&arguments).ok();
    let found = super::result(&ran);
    let command = &case["cmd"];
    for (ours, theirs) in [
        ("dominant_frequency_hz", "dominant_freq"),
        ("confidence", "confidence"),
    ] {
        let same = match (found[ours].as_f64(), expected[theirs].as_f64()) {
            (Some(a), Some(b)) => (a - b).abs() <= 1e-9 * b.abs().max(1.0),
            (ours, theirs) => ours.is_none() && theirs.is_none(),
        };
        assert!(
            same,
            "{command}: {ours} is {}, not {}",
            found[ours], expected[theirs]
        );
    }
    assert_eq!(found["n_samples"], expected["n_samples"], "{command}");
    true
}
