//! How well signatures are found in generated runs, with seeds that nothing was tuned on.
#![allow(clippy::unwrap_used)]

use iotempo_analysis::period::Detector;
use iotempo_analysis::signature::accuracy::Accuracy;
use iotempo_analysis::signature::{Method, Sample, Settings, Signature, SignatureMiner};
use iotempo_model::Seconds;
use iotempo_sim::server::{Application, PlannedBurst, Runs, ServerSamples};
use std::ops::Range;
use std::thread;

/// Those of docs/experiments/signature.md.
const SEEDS: Range<u64> = 3000..3100;

fn runs(application: Application, load: f64, drift: f64, seed: u64) -> ServerSamples {
    let runs = Runs {
        load,
        drift,
        seed,
        ..Runs::new(application)
    };
    runs.generate().unwrap()
}

/// Means over seeds and over IOR_A, B and C; bursts are counted over all three.
#[derive(Debug, Default, Clone, Copy)]
struct Score {
    correlation: f64,
    cross_correlation: f64,
    volume: f64,
    missed: f64,
    false_bursts: f64,
}

impl Score {
    fn wrong(&self) -> f64 {
        self.missed + self.false_bursts
    }

    fn add(&mut self, accuracy: &Accuracy, weight: f64) {
        self.correlation += weight * accuracy.correlation / 3.0;
        self.cross_correlation += weight * accuracy.cross_correlation / 3.0;
        self.volume += weight * accuracy.volume_ratio / 3.0;
        self.missed += weight * accuracy.missed as f64;
        self.false_bursts += weight * accuracy.false_bursts as f64;
    }
}

/// The scores of methods on the same runs.
fn scores<const N: usize>(
    methods: [Method; N],
    load: f64,
    drift: f64,
    seeds: Range<u64>,
) -> [Score; N] {
    let weight = 1.0 / (seeds.end - seeds.start) as f64;
    let mut scores = [Score::default(); N];
    for application in [
        Application::ior_a(),
        Application::ior_b(),
        Application::ior_c(),
    ] {
        for seed in seeds.clone() {
            let set = runs(application.clone(), load, drift, seed);
            for (score, method) in scores.iter_mut().zip(methods) {
                let settings = Settings {
                    method,
                    ..Settings::default()
                };
                let found = SignatureMiner::new(settings).mine(&set.samples());
                let nothing = Signature {
                    start_s: 0.0,
                    step_s: 1.0,
                    timing: None,
                    rates: Vec::new(),
                    bursts: Vec::new(),
                };
                let signature = found.signature().unwrap_or(&nothing);
                let truth = &set.truth;
                let accuracy =
                    Accuracy::of(signature, &truth.rates, &truth.bursts, truth.interval_s);
                score.add(&accuracy, weight);
            }
        }
    }
    scores
}

#[test]
fn signatures_are_as_close_to_the_truth_as_promised() {
    // Load, and what is promised: correlation, cross correlation, missed of 25 bursts.
    let promises = [
        (0.5, 0.85, 0.88, 0.05),
        (1.0, 0.80, 0.86, 0.1),
        (2.0, 0.72, 0.80, 0.3),
    ];
    let methods = [Method::Auto, Method::Iosi, Method::Median];
    thread::scope(|scope| {
        for (load, correlation, cross_correlation, missed) in promises {
            scope.spawn(move || {
                let [ours, iosi, median] = scores(methods, load, 0.004, SEEDS);
                let told = format!("load {load}: {ours:?}, IOSI {iosi:?}, median {median:?}");
                assert!(ours.correlation >= correlation, "{told}");
                assert!(ours.cross_correlation >= cross_correlation, "{told}");
                assert!(ours.missed <= missed, "{told}");
                assert!((ours.volume - 1.0).abs() <= 0.08, "{told}");
                assert!(ours.wrong() < iosi.wrong(), "{told}");
                assert!(ours.wrong() < median.wrong(), "{told}");
            });
        }
    });
}

#[test]
fn drift_is_followed_where_the_median_is_lost() {
    let [ours, median] = scores([Method::Auto, Method::Median], 1.0, 0.03, 3000..3020);
    assert!(
        ours.correlation > median.correlation + 0.1,
        "{ours:?} {median:?}"
    );
    assert!(ours.wrong() < median.wrong(), "{ours:?} {median:?}");
}

#[test]
fn the_order_of_samples_does_not_matter() {
    let set = runs(Application::ior_c(), 1.0, 0.004, 1001);
    let mut samples = set.samples();
    let first = SignatureMiner::default().mine(&samples);
    for by in [1, 4, 7] {
        samples.rotate_left(by);
        samples.swap(0, 5);
        let again = SignatureMiner::default().mine(&samples);
        assert_eq!(again.outcome, first.outcome);
        assert_eq!(again.background, first.background);
        assert_eq!(again.grid, first.grid);
    }
}

/// The samples with each rate changed.
fn changed(set: &ServerSamples, change: impl Fn(&[f64]) -> Vec<f64>) -> Vec<(String, Vec<f64>)> {
    let runs = set.runs.iter();
    runs.map(|run| (run.id.clone(), change(&run.rates)))
        .collect()
}

fn mine(runs: &[(String, Vec<f64>)]) -> Signature {
    let step = Seconds::new(2.0).unwrap();
    let samples: Vec<Sample> = runs
        .iter()
        .map(|(id, rates)| Sample { id, rates, step })
        .collect();
    let found = SignatureMiner::default().mine(&samples);
    found.signature().unwrap().clone()
}

#[test]
fn twice_the_load_is_twice_the_signature() {
    let set = runs(Application::ior_b(), 1.0, 0.004, 1002);
    let once = mine(&changed(&set, <[f64]>::to_vec));
    let twice = mine(&changed(&set, |rates| {
        rates.iter().map(|x| 2.0 * x).collect()
    }));
    let doubled: Vec<f64> = once.rates.iter().map(|x| 2.0 * x).collect();
    assert_eq!(twice.rates, doubled);
    for (once, twice) in once.bursts.iter().zip(&twice.bursts) {
        assert_eq!((twice.start_s, twice.end_s), (once.start_s, once.end_s));
        assert_eq!(twice.support, once.support);
    }
}

#[test]
fn what_starts_later_has_the_same_bursts_later() {
    let set = runs(Application::ior_b(), 0.5, 0.004, 1003);
    let now = mine(&changed(&set, <[f64]>::to_vec));
    // What is always there, for 200 s more.
    let later = mine(&changed(&set, |rates| {
        let idle = rates[..50].iter().cycle().take(100);
        idle.chain(rates).copied().collect()
    }));
    assert_eq!(later.bursts.len(), now.bursts.len());
    for (now, later) in now.bursts.iter().zip(&later.bursts) {
        let moved = later.time_s - now.time_s;
        assert!((moved - 200.0).abs() < 6.0, "{now:?} {later:?}");
        assert!(
            (later.bytes / now.bytes - 1.0).abs() < 0.1,
            "{now:?} {later:?}"
        );
    }
}

#[test]
fn bursts_hold_all_of_the_signature() {
    for (seed, application) in (1004..).zip([Application::ior_a(), Application::s3d()]) {
        let set = runs(application, 1.0, 0.004, seed);
        let signature = mine(&changed(&set, <[f64]>::to_vec));
        let sum: f64 = signature.bursts.iter().map(|burst| burst.bytes).sum();
        assert!((sum / signature.bytes() - 1.0).abs() < 1e-9);
        let in_order = |pair: &[_]| -> bool {
            let [a, b]: &[iotempo_analysis::signature::SignatureBurst; 2] =
                pair.try_into().unwrap();
            a.end_s <= b.start_s
        };
        assert!(signature.bursts.windows(2).all(in_order));
        assert!(
            signature
                .rates
                .iter()
                .all(|rate| rate.is_finite() && *rate >= 0.0)
        );
    }
}

#[test]
fn restarts_and_heavy_disturbances_are_left_out() {
    let mut left_out = 0;
    for seed in 1010..1020 {
        let runs = Runs {
            restarts: 1,
            disturbed: 1,
            load: 0.5,
            seed,
            ..Runs::new(Application::ior_c())
        };
        let set = runs.generate().unwrap();
        let found = SignatureMiner::default().mine(&set.samples());
        let restart = found.outliers.iter().any(|outlier| outlier.id == "IOR_C-0");
        left_out += usize::from(restart);
        assert_eq!(found.used.len() + found.outliers.len(), 10);
    }
    assert!(left_out >= 9, "{left_out} of 10");
}

#[test]
fn three_runs_are_enough_for_a_quiet_system() {
    let runs = Runs {
        runs: 3,
        disturbed: 0,
        load: 0.5,
        seed: 1005,
        ..Runs::new(Application::ior_b())
    };
    let set = runs.generate().unwrap();
    let found = SignatureMiner::default().mine(&set.samples());
    let signature = found.signature().unwrap();
    let truth = &set.truth;
    let accuracy = Accuracy::of(signature, &truth.rates, &truth.bursts, truth.interval_s);
    assert_eq!(accuracy.missed, 0, "{signature:?}");
}

/// An application that does nothing for 20 minutes.
fn idle() -> Application {
    let burst = PlannedBurst {
        compute_s: 1200.0,
        bytes: 1.0,
        rate: 1e9,
    };
    Application {
        name: "idle".to_owned(),
        bursts: vec![burst],
    }
}

/// How many of so many sets of runs without an application are given a signature: by the runs alone, or also by
/// what servers saw while it did not run, in two stretches of so many steps, or of as many as a run has, for each run.
fn given(runs: usize, sets: u64, stretch: Option<usize>) -> usize {
    let is_given = |seed: &u64| {
        let seen = Runs {
            runs: stretch.map_or(runs, |_| 3 * runs),
            disturbed: 0,
            // Every other one is beside bursts of others.
            load: (seed % 2) as f64,
            drift: 0.0,
            seed: *seed,
            ..Runs::new(idle())
        };
        let set = seen.generate().unwrap();
        let others: Vec<Vec<f64>> = set.runs[runs..]
            .iter()
            .map(|run| {
                let steps = stretch.unwrap_or_default().min(run.rates.len());
                run.rates[..steps].to_vec()
            })
            .collect();
        let found = SignatureMiner::default().mine_beside(&set.samples()[..runs], &others);
        found.signature().is_some()
    };
    (20_000..20_000 + sets).filter(is_given).count()
}

#[test]
fn applications_that_do_nothing_are_hardly_ever_given_a_signature() {
    thread::scope(|scope| {
        for (runs, sets) in [(3, 480), (5, 480), (10, 120), (40, 20)] {
            scope.spawn(move || {
                let given = given(runs, sets, None);
                assert!(given as u64 * 20 <= sets, "{given} of {sets}: {runs} runs");
            });
        }
    });
}

#[test]
fn what_others_do_without_the_application_is_not_taken_for_it() {
    thread::scope(|scope| {
        for (runs, sets) in [(3, 480), (5, 480), (10, 120), (40, 20)] {
            scope.spawn(move || {
                let given_all = given(runs, sets, Some(usize::MAX));
                assert!(
                    given_all as u64 * 200 <= sets,
                    "{given_all} of {sets}: {runs} runs"
                );
                // So much is enough; of less the tool says that it tells little.
                let given = given(runs, sets, Some(100));
                assert!(given as u64 * 100 <= sets, "{given} of {sets}: {runs} runs");
            });
        }
    });
}

/// Writes these bytes at 2 GB/s into a log of steps of two seconds.
fn write(rates: &mut [f64], start_s: f64, bytes: f64) {
    const RATE: f64 = 2e9;
    let step = ServerSamples::STEP_S;
    for (index, rate) in rates.iter_mut().enumerate() {
        let begins = step * index as f64;
        let shared = (begins + step).min(start_s + bytes / RATE) - begins.max(start_s);
        *rate += RATE * shared.max(0.0) / step;
    }
}

#[test]
fn a_neighbour_that_also_writes_without_the_application_is_not_taken_for_it() {
    const RUNS: usize = 12;
    let (mut false_sets, mut all_found) = (0, 0);
    for (every_s, bytes) in [
        (90.0, 10e9),
        (60.0, 10e9),
        (97.0, 20e9),
        (60.0, 40e9),
        (150.0, 40e9),
    ] {
        for seed in 75_000..75_030 {
            let background = Runs {
                runs: 3 * RUNS,
                disturbed: 0,
                load: 0.5,
                drift: 0.0,
                seed,
                ..Runs::new(idle())
            };
            let mut logs: Vec<Vec<f64>> = background
                .generate()
                .unwrap()
                .runs
                .into_iter()
                .map(|run| run.rates)
                .collect();
            for (number, log) in logs.iter_mut().enumerate() {
                // Where runs start in its rhythm is as good as chance.
                let begins = (seed as f64 * 0.37 + number as f64 * 0.618).fract() - 1.0;
                for k in 0..30 {
                    write(log, every_s * (begins + f64::from(k)), bytes);
                }
            }
            for log in &mut logs[..RUNS] {
                for k in 0..4 {
                    write(log, 150.0 + 270.0 * f64::from(k), 40e9);
                }
            }
            let step = Seconds::new(ServerSamples::STEP_S).unwrap();
            let samples: Vec<Sample> = logs[..RUNS]
                .iter()
                .map(|rates| Sample {
                    id: "run",
                    rates,
                    step,
                })
                .collect();
            let found = SignatureMiner::default().mine_beside(&samples, &logs[RUNS..]);
            let bursts = found.signature().map_or(&[][..], |found| &found.bursts);
            let is_own =
                |time: f64| (0..4).any(|k| (time - 160.0 - 270.0 * f64::from(k)).abs() < 15.0);
            false_sets += usize::from(bursts.iter().any(|burst| !is_own(burst.time_s)));
            all_found += usize::from(bursts.len() == 4);
        }
    }
    assert!(false_sets <= 7, "{false_sets} of 150");
    assert!(all_found >= 105, "{all_found} of 150");
}

#[test]
fn the_same_seed_gives_the_same_runs() {
    let one = runs(Application::ior_a(), 1.0, 0.004, 7);
    assert_eq!(one, runs(Application::ior_a(), 1.0, 0.004, 7));
    assert_ne!(one, runs(Application::ior_a(), 1.0, 0.004, 8));
    let volume: f64 = one.truth.rates.iter().sum();
    assert!((volume / 640e9 - 1.0).abs() < 1e-9);
    assert_eq!(one.truth.bursts.len(), 5);
    // A background of a tenth of a GB/s, as on Spider.
    let found = SignatureMiner::default().mine(&one.samples());
    assert!(
        (0.08e9..0.2e9).contains(&found.background),
        "{}",
        found.background
    );
}

#[test]
fn a_run_ends_when_all_is_written() {
    for seed in 0..10 {
        let runs = Runs {
            disturbed: 0,
            load: 0.0,
            drift: 0.0,
            seed,
            ..Runs::new(Application::ior_c())
        };
        let set = runs.generate().unwrap();
        let last = set.truth.bursts.last().unwrap();
        let steps = ((last.end_s - last.start_s) / ServerSamples::STEP_S) as usize + 3;
        for run in &set.runs {
            let tail = &run.rates[run.rates.len() - steps..];
            let seen = ServerSamples::STEP_S * tail.iter().sum::<f64>();
            assert!(seen >= last.bytes, "{seen} of {} bytes", last.bytes);
        }
    }
}

#[test]
fn nonsense_makes_no_runs() {
    for (load, drift) in [
        (-1.0, 0.0),
        (f64::NAN, 0.0),
        (1.0, -0.1),
        (1.0, f64::INFINITY),
    ] {
        let runs = Runs {
            load,
            drift,
            ..Runs::new(Application::ior_a())
        };
        assert!(runs.generate().is_err());
    }
}

#[test]
fn others_may_be_those_of_a_log() {
    // Nobody but in one second of ten.
    let log: Vec<f64> = (0..300)
        .map(|second| f64::from(u8::from(second % 10 == 0)) * 1e9)
        .collect();
    let made = |others: Option<Vec<f64>>| {
        Runs {
            others,
            disturbed: 0,
            seed: 1006,
            ..Runs::new(Application::ior_b())
        }
        .generate()
    };
    let set = made(Some(log)).unwrap();
    let written: f64 = set.truth.bursts.iter().map(|burst| burst.bytes).sum();
    for run in &set.runs {
        let seen = ServerSamples::STEP_S * run.rates.iter().sum::<f64>();
        let seconds = ServerSamples::STEP_S * run.rates.len() as f64;
        let others = (seen - written) / seconds;
        assert!((0.8e8..1.2e8).contains(&others), "{others} bytes/s");
    }
    assert_ne!(set.runs[0].rates[..50], set.runs[1].rates[..50]);
    assert!(made(Some(Vec::new())).is_err());
}

/// Runs that differ by a tenth of their time give a timeline shorter than theirs, and a person is told.
#[test]
fn a_signature_that_is_shorter_than_its_runs_says_so() {
    for (drift, told) in [(0.004, false), (0.1, true)] {
        let runs = Runs {
            runs: 20,
            disturbed: 0,
            drift,
            seed: 2,
            ..Runs::new(Application::ior_a())
        };
        let set = runs.generate().unwrap();
        let found = SignatureMiner::default().mine(&set.samples());
        assert!(found.signature().is_some(), "{drift}");
        let mut warnings = found.warnings.iter();
        let shorter = warnings.any(|warning| warning.code == "shorter-than-runs");
        assert_eq!(shorter, told, "{drift}: {:?}", found.warnings);
    }
}

/// Bursts of two sizes in turns at two distances in turns, of runs that are told to begin a minute late: big ones come
/// twice as far apart as all. No other period is told, and none twice.
#[test]
fn periods_of_signatures_are_told_once_and_are_true() {
    let (mut sets, mut told, mut wrong) = (0, 0, Vec::new());
    for (skipped, seeds) in [(0, 78_000..78_030), (30, 78_030..78_060)] {
        for seed in seeds {
            let set = runs(Application::ior_b(), 0.5, 0.004, seed);
            let mut samples = set.samples();
            for sample in &mut samples {
                sample.rates = &sample.rates[skipped..];
            }
            let finding = SignatureMiner::default().mine(&samples);
            let found = finding.signature().unwrap();
            let starts: Vec<f64> = found.bursts.iter().map(|burst| burst.time_s).collect();
            let mean = (starts[starts.len() - 1] - starts[0]) / (starts.len() - 1) as f64;
            let periods: Vec<f64> =
                found
                    .repetition(&Detector::default())
                    .map_or_else(Vec::new, |repetition| {
                        repetition
                            .rhythms
                            .iter()
                            .map(|rhythm| rhythm.period.value.get())
                            .collect()
                    });
            let is_true = |period: &f64| {
                [1.0, 2.0]
                    .iter()
                    .any(|times| (period / (times * mean) - 1.0).abs() < 0.04)
            };
            let echo = periods.len() > 1 && (periods[0] / periods[1] - 1.0).abs() < 0.2;
            sets += 1;
            told += usize::from(!periods.is_empty());
            if echo || !periods.iter().all(is_true) {
                wrong.push((seed, mean, periods));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:?}");
    assert!(10 * told >= 9 * sets, "{told} of {sets}");
}
