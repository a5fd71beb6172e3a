//! Estimates on the benchmarks of I/O forwarding that were measured on MareNostrum 4.
#![allow(
    clippy::disallowed_methods,
    clippy::print_stderr,
    reason = "a test reads its data, and says where it is missing"
)]

use iotempo_analysis::estimate::evaluate::{Estimator, HeldOut, Scores, Truth, held_out, split};
use iotempo_analysis::estimate::{Reach, Store};
use iotempo_formats::Input;
use iotempo_formats::benchmarks::{BenchmarkOptions, read_benchmarks};
use std::path::PathBuf;

/// `None`, said aloud, where the data is not here.
fn forge() -> Option<Store> {
    let data =
        std::env::var_os("IOTEMPO_DATA").map_or("../../../shared/data".into(), PathBuf::from);
    let folder = data.join("benchmarks/forge-marenostrum4");
    if !folder.is_dir() {
        eprintln!(
            "SKIPPED estimate_forge: no benchmarks under {}",
            folder.display()
        );
        return None;
    }
    let mut benchmarks = Vec::new();
    for name in ["results.csv", "results-direct-gpfs.csv"] {
        let bytes = std::fs::read(folder.join(name)).expect("a file");
        let reading = read_benchmarks(Input::bytes(bytes), &BenchmarkOptions::default());
        benchmarks.extend(reading.expect("sound").benchmarks);
    }
    let store = Store::new(benchmarks);
    assert_eq!(
        (store.scenarios().count(), store.repetitions()),
        (189, 5039)
    );
    Some(store)
}

fn scores(store: &Store, estimator: Estimator, truth: Truth) -> Scores {
    let how = HeldOut {
        request_ratio: 1.0,
        truth,
        reach: Reach::default(),
    };
    held_out(store, estimator, how).expect("scenarios")
}

#[test]
fn each_scenario_is_estimated_from_the_others() {
    let Some(store) = forge() else { return };
    for truth in [Truth::Median, Truth::Mean] {
        let ours = scores(&store, Estimator::Ours, truth);
        let nearest = scores(&store, Estimator::Nearest(4), truth);
        assert_eq!((ours.scenarios, ours.refused), (189, 0));
        let errors = ours.errors.expect("levels");
        assert!(errors.median <= 0.15, "{truth:?} {errors:?}");
        assert!(ours.mean_regret <= 0.03, "{truth:?} {}", ours.mean_regret);
        assert!(ours.good_choices >= 0.85, "{truth:?} {}", ours.good_choices);
        assert!(errors.median < nearest.errors.expect("levels").median);
        assert!(ours.mean_regret < nearest.mean_regret);
        assert!(ours.good_choices > nearest.good_choices);
        let always = scores(&store, Estimator::Always(2), truth);
        assert!(always.good_choices < 0.55, "{}", always.good_choices);
    }
}

#[test]
fn runs_are_estimated_from_other_runs_of_the_same_scenario() {
    let Some(store) = forge() else { return };
    let scores = split(&store, 20, 1).expect("repetitions");
    assert!(scores.of_mean.median <= 0.15, "{:?}", scores.of_mean);
    assert!(scores.of_median.median <= 0.15, "{:?}", scores.of_median);
    // A few runs ten times as fast as others make the mean of all errors.
    assert!(scores.of_mean.mean > 2.0 * scores.of_mean.median);
    assert!(scores.of_median.mean < scores.of_mean.mean);
    assert!(scores.of_modes.mean < scores.of_median.mean);
    assert!(scores.bimodal_benchmarks > 0.03 && scores.bimodal_benchmarks < 0.06);
}
