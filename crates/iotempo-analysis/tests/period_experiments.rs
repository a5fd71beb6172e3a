//! The experiments of FTIO's paper in small: how often a period is found, how far off it is beside
//! FTIO's, and how often one is found where there is none.
#![allow(clippy::unwrap_used)]

use iotempo_analysis::ftio;
use iotempo_analysis::period::Detector;
use iotempo_model::{Hertz, Seconds, Signal};
use iotempo_sim::{Aperiodic, NoiseLevel, SemiSynthetic};

/// Mean compute time in seconds where it does not vary.
const COMPUTE: f64 = 11.0;
/// Far from the seeds of the experiments page.
const FIRST_SEED: u64 = 31_000_000_000;

fn seconds(value: f64) -> Seconds {
    Seconds::new(value).unwrap()
}

/// Relative errors at one point of an experiment.
#[derive(Debug, Default)]
struct Point {
    traces: u64,
    found: u64,
    ours: f64,
    ftio: f64,
}

impl Point {
    /// Both methods on `traces` traces at 1 Hz.
    fn new(semi: SemiSynthetic, traces: u64) -> Self {
        let mut point = Self::default();
        for seed in FIRST_SEED..FIRST_SEED + traces {
            let made = SemiSynthetic { seed, ..semi }.signal(Hertz::new(1.0).unwrap());
            let (signal, truth) = made.unwrap();
            point.add(&signal, truth.mean_period().unwrap().get());
        }
        let mean = |sum: f64| sum / traces as f64;
        Self {
            ours: mean(point.ours),
            ftio: mean(point.ftio),
            ..point
        }
    }

    fn add(&mut self, signal: &Signal, truth: f64) {
        let error = |period: f64| (period - truth).abs() / truth;
        let finding = Detector::default().detect(signal);
        let (dominant, strongest) = ftio_periods(signal);
        let best = finding.best().map(|rhythm| rhythm.period.value.get());
        self.traces += 1;
        self.found += u64::from(finding.is_periodic());
        self.ours += error(best.expect("a guess at least"));
        self.ftio += error(dominant.or(strongest).unwrap());
    }

    fn found_fraction(&self) -> f64 {
        self.found as f64 / self.traces as f64
    }
}

/// The period of FTIO's dominant frequency, and that of the strongest one.
fn ftio_periods(signal: &Signal) -> (Option<f64>, Option<f64>) {
    let settings = ftio::Settings {
        // One of these is the mean.
        top_bins: 2,
        ..ftio::Settings::default()
    };
    let finding = settings.detect_signal(signal);
    let strongest = finding.top_bins.iter().find(|bin| bin.k > 0);
    (
        finding.period_s,
        strongest.map(|bin| bin.frequency_hz.recip()),
    )
}

/// Where FTIO is right to half a per cent, so is the detector.
fn assert_nowhere_worse(at: f64, point: &Point) {
    assert!(point.ours <= point.ftio + 0.005, "{at}: {point:?}");
}

#[test]
fn long_and_short_compute_phases_are_told_with_and_without_noise() {
    for noise in NoiseLevel::ALL {
        for times in [0.25, 0.5, 1.0, 2.0, 4.0] {
            let semi = SemiSynthetic {
                compute_mean: seconds(times * COMPUTE),
                noise,
                ..SemiSynthetic::default()
            };
            let point = Point::new(semi, 100);
            let at = format!("{times} × {COMPUTE} s, noise {}", noise.name());
            assert!(point.found_fraction() >= 0.95, "{at}: {point:?}");
            assert!(point.ours < 0.005, "{at}: {point:?}");
            assert_nowhere_worse(times, &point);
        }
    }
}

#[test]
fn ranks_out_of_step_are_told_at_least_twice_as_well_as_ftio_does() {
    let mut bounded = [0, 0];
    for delay in [0.0, 2.0, 5.5, 11.0, 22.0, 44.0] {
        let semi = SemiSynthetic {
            desync: seconds(delay),
            ..SemiSynthetic::default()
        };
        let point = Point::new(semi, 100);
        assert_nowhere_worse(delay, &point);
        if point.ftio > 0.1 {
            bounded[1] += 1;
            assert!(point.ours <= point.ftio * 2.0 / 3.0, "{delay} s: {point:?}");
        } else if point.ftio >= 0.04 {
            bounded[0] += 1;
            assert!(point.ours <= point.ftio / 2.0, "{delay} s: {point:?}");
        }
    }
    // The bounds mean something only where FTIO is off.
    assert!(bounded[0] >= 2 && bounded[1] >= 1, "{bounded:?}");
}

#[test]
fn compute_phases_that_vary_are_told_several_times_better_than_ftio_does() {
    for ratio in (0..34).map(|tenths| f64::from(tenths) / 10.0) {
        let semi = SemiSynthetic {
            compute_sigma: seconds(ratio * COMPUTE),
            ..SemiSynthetic::default()
        };
        let point = Point::new(semi, 100);
        assert_nowhere_worse(ratio, &point);
        let share = match ratio {
            1.0.. => 0.2,
            0.5 => 1.0 / 3.0,
            _ => continue,
        };
        assert!(point.ours <= share * point.ftio, "σ/μ = {ratio}: {point:?}");
    }
}

/// The share of signals without a period in which one is found.
fn false_share(kind: Aperiodic, samples: usize, trials: u64) -> f64 {
    let found = (FIRST_SEED..FIRST_SEED + trials).filter(|seed| {
        let signal = kind.signal(samples, *seed).unwrap();
        Detector::default().detect(&signal).is_periodic()
    });
    found.count() as f64 / trials as f64
}

fn assert_hardly_ever_periodic(kinds: &[Aperiodic]) {
    for &kind in kinds {
        for samples in [60, 240, 1000, 4000] {
            let share = false_share(kind, samples, 200);
            assert!(share <= 0.05, "{kind:?}, {samples} samples: {share}");
        }
    }
}

#[test]
fn noise_hardly_ever_has_a_period() {
    assert_hardly_ever_periodic(&[Aperiodic::WhiteNoise, Aperiodic::UniformNoise]);
}

#[test]
fn bursts_at_random_times_hardly_ever_have_a_period() {
    let equal = Aperiodic::EqualBursts { probability: 0.05 };
    assert_hardly_ever_periodic(&[Aperiodic::SPARSE, equal]);
}

#[test]
fn a_random_walk_hardly_ever_has_a_period() {
    assert_hardly_ever_periodic(&[Aperiodic::RandomWalk]);
}

#[test]
fn one_burst_and_a_constant_never_have_a_period() {
    for samples in [60, 240, 1000, 4000] {
        assert_eq!(false_share(Aperiodic::SingleBurst, samples, 100), 0.0);
        assert_eq!(false_share(Aperiodic::Constant, samples, 1), 0.0);
    }
}
