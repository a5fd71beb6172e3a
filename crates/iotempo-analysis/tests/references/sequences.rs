//! Wavelets, and how sequences match.

use crate::python::{Reference, assert_close, numbers};
use crate::random::{noise, stairs};
use iotempo_analysis::dtw;
use iotempo_analysis::outliers::{LocalOutlierFactors, Point};
use iotempo_analysis::wavelet::Wavelet;
use serde_json::{Value, json};

const WAVELETS: [(Wavelet, &str); 2] = [(Wavelet::DiscreteMeyer, "dmey"), (Wavelet::Haar, "haar")];

#[test]
fn wavelet_transforms_are_those_of_pywavelets_at_every_length() {
    let Some(mut pywavelets) = Reference::start("wavelet_transforms_are_those_of_pywavelets")
    else {
        return;
    };
    for length in 1..=1000 {
        let values = noise(length as u64, length);
        for (wavelet, name) in WAVELETS {
            for level in 1..=4 {
                assert_same_transform(&mut pywavelets, wavelet, name, &values, level);
            }
        }
    }
}

fn assert_same_transform(
    pywavelets: &mut Reference,
    wavelet: Wavelet,
    name: &str,
    values: &[f64],
    level: usize,
) {
    let question = json!({"of": "wavelet", "values": values, "name": name, "level": level});
    let answer = pywavelets.ask(&question);
    let what = format!("{name}, {} values, level {level}", values.len());
    let parts = wavelet.decompose(values, level);
    let theirs = answer["parts"].as_array().unwrap();
    assert_eq!(theirs.len(), level + 1, "{what}");
    assert_close(&parts.approximation, &numbers(&theirs[0]), 1e-12, &what);
    for (ours, theirs) in parts.details.iter().zip(&theirs[1..]) {
        assert_close(ours, &numbers(theirs), 1e-12, &what);
    }
    let again = wavelet.reconstruct(&parts);
    assert_close(&again, &numbers(&answer["again"]), 1e-12, &what);
    let smooth = wavelet.smooth(values, level);
    assert_close(&smooth, &numbers(&answer["smooth"]), 1e-12, &what);
    assert_eq!(
        json!(wavelet.max_level(values.len())),
        answer["max_level"],
        "{what}"
    );
}

#[test]
fn warping_is_that_of_tslearn() {
    let Some(mut tslearn) = Reference::start("warping_is_that_of_tslearn") else {
        return;
    };
    let lengths = [1, 2, 3, 7, 63, 64, 65, 100, 257];
    for (seed, n) in (0..).zip(lengths) {
        for (other, m) in (100..).zip(lengths) {
            // Noise has no ties, stairs are full of them.
            for (a, b) in [
                (noise(seed, n), noise(other, m)),
                (stairs(seed, n), stairs(other, m)),
            ] {
                let answer = tslearn.ask(&json!({"of": "dtw", "a": a, "b": b}));
                let theirs: Vec<(usize, usize)> = pairs(&answer["path"]);
                assert_eq!(dtw::path(&a, &b).unwrap(), theirs, "{n} and {m} values");
                let distance = answer["distance"].as_f64().unwrap();
                assert_close(
                    &[dtw::distance(&a, &b).unwrap()],
                    &[distance],
                    1e-12,
                    "distance",
                );
            }
        }
    }
}

fn pairs(list: &Value) -> Vec<(usize, usize)> {
    let pair = |pair: &Value| {
        let pair = numbers(pair);
        (pair[0] as usize, pair[1] as usize)
    };
    list.as_array().unwrap().iter().map(pair).collect()
}

#[test]
fn the_few_runs_of_an_application_have_the_outlier_factors_of_scikit_learn() {
    let Some(mut sklearn) = Reference::start("the_few_runs_have_the_factors_of_scikit_learn")
    else {
        return;
    };
    for runs in 5..=40 {
        let (durations, volumes) = (
            noise(runs, runs as usize),
            noise(1000 + runs, runs as usize),
        );
        let points: Vec<Point> = durations
            .iter()
            .zip(volumes)
            .map(|(&t, v)| [t, v])
            .collect();
        let neighbours = (runs as usize / 2 - 1).max(2);
        let answer = sklearn.ask(&json!({
            "of": "lof", "points": points, "neighbours": neighbours, "contamination": 0.1,
        }));
        let ours = LocalOutlierFactors::of(&points, neighbours).unwrap();
        assert_close(
            &ours.factors,
            &numbers(&answer["factors"]),
            1e-9,
            &format!("{runs} runs"),
        );
    }
}
