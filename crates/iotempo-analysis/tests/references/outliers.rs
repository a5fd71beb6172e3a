//! Clusters and local outlier factors.

use crate::python::{Reference, assert_close, numbers};
use crate::random::{crowds, spectrum};
use iotempo_analysis::outliers::{Dbscan, LocalOutlierFactors, Point};
use serde_json::json;

fn assert_same_clusters(sklearn: &mut Reference, points: &[Point], eps: f64, min_samples: usize) {
    let question =
        json!({"of": "dbscan", "points": points, "eps": eps, "min_samples": min_samples});
    let answer = numbers(&sklearn.ask(&question));
    let clusters = Dbscan { eps, min_samples }.clusters(points);
    let ours: Vec<f64> = clusters
        .iter()
        .map(|c| c.map_or(-1.0, |c| c as f64))
        .collect();
    assert_eq!(
        ours,
        answer,
        "{} points, eps {eps}, {min_samples} samples",
        points.len()
    );
}

#[test]
fn clusters_are_those_of_scikit_learn() {
    let Some(mut sklearn) = Reference::start("clusters_are_those_of_scikit_learn") else {
        return;
    };
    for (count, seed) in [1, 2, 20, 300, 2000].into_iter().zip(0..) {
        for points in [crowds(seed, count), spectrum(seed, count)] {
            for eps in [1e-3, 0.01, 0.03, 0.1, 2.0] {
                for min_samples in [1, 2, 4, 15] {
                    assert_same_clusters(&mut sklearn, &points, eps, min_samples);
                }
            }
        }
    }
}

#[test]
fn points_exactly_eps_apart_are_neighbours_as_in_scikit_learn() {
    let Some(mut sklearn) = Reference::start("points_exactly_eps_apart_are_neighbours") else {
        return;
    };
    // A lattice with holes: whole distances, so that rounding has no say.
    let lattice: Vec<Point> = (0..400_u32)
        .filter(|i| i * i % 7 != 2)
        .map(|i| [f64::from(i % 20), f64::from(i / 20)])
        .collect();
    for eps in [1.0, 2.0, 5.0] {
        for min_samples in [2, 4, 5, 9] {
            assert_same_clusters(&mut sklearn, &lattice, eps, min_samples);
        }
    }
}

#[test]
fn local_outlier_factors_are_those_of_scikit_learn() {
    let Some(mut sklearn) = Reference::start("local_outlier_factors_are_those_of_scikit_learn")
    else {
        return;
    };
    for (count, seed) in [2, 3, 15, 21, 22, 60, 500, 3000].into_iter().zip(0..) {
        for points in [crowds(seed, count), spectrum(seed, count)] {
            for (neighbours, contamination) in [(20, 0.001), (5, 0.1), (1, 0.5)] {
                let answer = sklearn.ask(&json!({
                    "of": "lof", "points": points,
                    "neighbours": neighbours, "contamination": contamination,
                }));
                let lof = LocalOutlierFactors::of(&points, neighbours).unwrap();
                let what = format!("{count} points, {neighbours} neighbours");
                let largest = lof.factors.iter().copied().fold(1.0, f64::max);
                let tolerance = 1e-9 * largest;
                assert_close(&lof.factors, &numbers(&answer["factors"]), tolerance, &what);
                let decisions = lof.decisions(contamination);
                assert_close(&decisions, &numbers(&answer["decisions"]), tolerance, &what);
            }
        }
    }
}
