//! Isolation forests, which are random: compared over many.

use crate::python::{Reference, indices, numbers};
use crate::random::{crowds, spectrum};
use iotempo_analysis::outliers::{IsolationForest, Point};
use serde_json::{Value, json};

const FORESTS: u64 = 16;
const CONTAMINATION: f64 = 0.001;

/// The mean of each point's score over forests, and the square of that mean's standard error.
fn means(scores: &[Vec<f64>]) -> Vec<(f64, f64)> {
    let count = scores.len() as f64;
    let of_point = |i: usize| {
        let mean = scores.iter().map(|forest| forest[i]).sum::<f64>() / count;
        let squares: f64 = scores.iter().map(|forest| (forest[i] - mean).powi(2)).sum();
        (mean, squares / (count - 1.0) / count)
    };
    (0..scores[0].len()).map(of_point).collect()
}

/// How far the means of both are apart, in standard errors of their difference.
fn differences(points: &[Point], answer: &Value) -> Vec<f64> {
    let forest = |seed| IsolationForest {
        seed,
        ..IsolationForest::default()
    };
    let ours: Vec<_> = (0..FORESTS)
        .map(|seed| forest(seed).scores(points).unwrap())
        .collect();
    let theirs: Vec<_> = answer["scores"]
        .as_array()
        .unwrap()
        .iter()
        .map(numbers)
        .collect();
    let pairs = means(&ours).into_iter().zip(means(&theirs));
    pairs
        .map(|((a, va), (b, vb))| (a - b) / (va + vb).sqrt())
        .collect()
}

#[test]
fn scores_are_those_of_scikit_learn_but_for_chance() {
    let Some(mut sklearn) = Reference::start("scores_are_those_of_scikit_learn_but_for_chance")
    else {
        return;
    };
    for points in [crowds(1, 150), spectrum(3, 379)] {
        let answer = sklearn.ask(&json!({
            "of": "forest", "points": points, "seeds": FORESTS, "contamination": CONTAMINATION,
        }));
        let apart = differences(&points, &answer);
        let mean_square = apart.iter().map(|z| z * z).sum::<f64>() / apart.len() as f64;
        // 1 on average; trees that are one level too deep make it 4.
        assert!(mean_square < 2.0, "{} points: {mean_square}", points.len());
        let farthest = apart
            .iter()
            .copied()
            .fold(0.0, |most: f64, z| most.max(z.abs()));
        assert!(farthest < 6.0, "{} points: {farthest}", points.len());
    }
}

#[test]
fn a_spike_in_a_spectrum_is_the_outlier_of_both() {
    let Some(mut sklearn) = Reference::start("a_spike_in_a_spectrum_is_the_outlier_of_both") else {
        return;
    };
    for seed in 0..5 {
        let mut points = spectrum(seed, 379);
        points[40][1] = 0.2;
        let answer = sklearn.ask(&json!({
            "of": "forest", "points": points, "seeds": 1, "contamination": CONTAMINATION,
        }));
        let decisions = IsolationForest::default()
            .decisions(&points, CONTAMINATION)
            .unwrap();
        let ours: Vec<usize> = (0..points.len()).filter(|&i| decisions[i] < 0.0).collect();
        assert_eq!(ours, [40]);
        assert_eq!(indices(&answer["outliers"]), [40]);
    }
}
