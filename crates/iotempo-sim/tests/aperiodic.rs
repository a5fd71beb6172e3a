//! Signals without a period have the distributions that they are named after.
#![allow(clippy::unwrap_used)]

use iotempo_sim::Aperiodic;

fn samples(kind: Aperiodic, len: usize, seed: u64) -> Vec<f64> {
    kind.signal(len, seed).unwrap().samples().to_vec()
}

fn mean(samples: &[f64]) -> f64 {
    samples.iter().sum::<f64>() / samples.len() as f64
}

/// Five standard errors around the mean of `n` draws.
fn near(got: f64, expected: f64, sigma: f64, n: usize) {
    let limit = 5.0 * sigma / (n as f64).sqrt();
    assert!(
        (got - expected).abs() < limit,
        "{got} is not {expected} ± {limit}"
    );
}

const KINDS: [Aperiodic; 7] = [
    Aperiodic::WhiteNoise,
    Aperiodic::UniformNoise,
    Aperiodic::SPARSE,
    Aperiodic::EqualBursts { probability: 0.05 },
    Aperiodic::SingleBurst,
    Aperiodic::RandomWalk,
    Aperiodic::Constant,
];

#[test]
fn rates_are_whole_and_never_negative() {
    for kind in KINDS {
        for len in [1, 2, 9, 60, 1000] {
            let rates = samples(kind, len, 4);
            assert_eq!(rates.len(), len);
            assert!(
                rates.iter().all(|r| *r >= 0.0 && r.fract() == 0.0),
                "{kind:?}"
            );
        }
    }
}

#[test]
fn noise_has_the_mean_of_its_distribution() {
    let n = 20_000;
    let folded = (2.0 / std::f64::consts::PI).sqrt();
    near(
        mean(&samples(Aperiodic::WhiteNoise, n, 1)) / 1e9,
        folded,
        0.6,
        n,
    );
    near(
        mean(&samples(Aperiodic::UniformNoise, n, 1)) / 1e9,
        0.5,
        0.29,
        n,
    );
}

#[test]
fn one_sample_in_twenty_is_a_burst() {
    let n = 20_000;
    let share = |rates: &[f64]| rates.iter().filter(|r| **r > 0.0).count() as f64 / n as f64;
    let sparse = samples(Aperiodic::SPARSE, n, 2);
    near(share(&sparse), 0.05, 0.05_f64.sqrt(), n);
    let active: Vec<f64> = sparse.into_iter().filter(|r| *r > 0.0).collect();
    assert!(active.iter().all(|r| (1e8..=1e9).contains(r)));
    near(mean(&active) / 1e9, 0.55, 0.26, active.len());
    let equal = samples(Aperiodic::EqualBursts { probability: 0.05 }, n, 2);
    near(share(&equal), 0.05, 0.05_f64.sqrt(), n);
    assert!(equal.iter().all(|r| *r == 0.0 || *r == 1e9));
}

#[test]
fn a_single_burst_is_single() {
    for seed in 0..200 {
        let rates = samples(Aperiodic::SingleBurst, 60, seed);
        let edges = rates.windows(2).filter(|pair| pair[0] != pair[1]).count();
        let length = rates.iter().filter(|r| **r > 0.0).count();
        assert!((1..=6).contains(&length) && edges <= 2);
    }
}

#[test]
fn a_random_walk_touches_zero_and_takes_unit_steps() {
    let n = 20_000;
    let walk = samples(Aperiodic::RandomWalk, n, 3);
    assert!(walk.contains(&0.0));
    let squares: Vec<f64> = walk
        .windows(2)
        .map(|w| ((w[1] - w[0]) / 1e9).powi(2))
        .collect();
    near(mean(&squares), 1.0, 2_f64.sqrt(), n);
}

#[test]
fn a_seed_is_a_signal() {
    for kind in KINDS {
        assert_eq!(samples(kind, 100, 7), samples(kind, 100, 7));
        let differs = samples(kind, 100, 7) != samples(kind, 100, 8);
        assert_eq!(differs, kind != Aperiodic::Constant, "{kind:?}");
    }
}

#[test]
fn what_is_no_signal_is_refused() {
    assert!(Aperiodic::Constant.signal(0, 0).is_err());
    assert!(Aperiodic::Constant.signal(usize::MAX, 0).is_err());
    for probability in [-0.1, 1.1, f64::NAN] {
        assert!(
            Aperiodic::SparseBursts { probability }
                .signal(10, 0)
                .is_err()
        );
    }
}
