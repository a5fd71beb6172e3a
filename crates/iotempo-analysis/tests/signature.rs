//! Signatures of samples that are none: every answer is typed, and nothing panics.
#![allow(clippy::unwrap_used)]

use iotempo_analysis::signature::{
    Method, Outcome, Preprocessing, Sample, Settings, SignatureFinding, SignatureMiner,
    Undetermined, Warping,
};
use iotempo_model::Seconds;
use proptest::prelude::*;

const METHODS: [Method; 7] = [
    Method::Auto,
    Method::Iosi,
    Method::Clusters,
    Method::Median,
    Method::Warping(Warping::PathResampled),
    Method::Warping(Warping::Path),
    Method::Warping(Warping::Projected),
];

fn mine(settings: Settings, runs: &[Vec<f64>]) -> SignatureFinding {
    mine_beside(settings, runs, &[])
}

fn mine_beside(settings: Settings, runs: &[Vec<f64>], others: &[Vec<f64>]) -> SignatureFinding {
    let step = Seconds::new(2.0).unwrap();
    let ids: Vec<String> = (0..runs.len()).map(|i| i.to_string()).collect();
    let samples: Vec<Sample> = ids
        .iter()
        .zip(runs)
        .map(|(id, rates)| Sample { id, rates, step })
        .collect();
    let found = SignatureMiner::new(settings).mine_beside(&samples, others);
    check(&found, runs.len());
    found
}

/// What is true of every finding.
fn check(found: &SignatureFinding, samples: usize) {
    assert_eq!(found.samples, samples);
    assert!(found.background.is_finite());
    assert!(found.used.len() + found.outliers.len() <= samples);
    let Some(signature) = found.signature() else {
        return;
    };
    assert_eq!(found.sample_bursts.len(), found.used.len());
    assert!(
        signature
            .rates
            .iter()
            .all(|rate| *rate >= 0.0 && rate.is_finite())
    );
    for burst in &signature.bursts {
        assert!(burst.start_s < burst.end_s, "{burst:?}");
        assert!(burst.bytes >= 0.0 && burst.peak >= 0.0 && burst.support <= samples);
        assert!(burst.end_s <= signature.step_s * (signature.rates.len() + 1) as f64);
    }
}

/// Bursts of three points in runs of 24, while others write now and then.
#[test]
fn short_runs_have_a_signature() {
    let rate = |run: usize, point: usize| {
        let own = if [4, 5, 6, 15, 16, 17].contains(&point) {
            160.0
        } else {
            0.0
        };
        let others = if (3 * point + 7 * run).is_multiple_of(8) {
            [50.0, 50.0, 50.0, 20.0, 15.0][run]
        } else {
            0.0
        };
        own + others
    };
    let runs: Vec<Vec<f64>> = (0..5)
        .map(|run| (0..24).map(|point| rate(run, point)).collect())
        .collect();
    let found = mine(Settings::default(), &runs);
    // Their volumes differ by a tenth.
    assert_eq!(found.outliers, []);
    let bursts = &found.signature().unwrap().bursts;
    let starts: Vec<f64> = bursts.iter().map(|burst| burst.start_s).collect();
    assert_eq!(starts.len(), 2, "{bursts:?}");
    assert!(
        (starts[0] - 8.0).abs() <= 2.0 && (starts[1] - 30.0).abs() <= 2.0,
        "{starts:?}"
    );
    assert!(bursts.iter().all(|burst| burst.support == 5), "{bursts:?}");
}

fn every_setting() -> Vec<Settings> {
    let mut all = Vec::new();
    for method in METHODS {
        for preprocessing in [Preprocessing::Full, Preprocessing::RefineOnly] {
            for (level, crest_test) in [(2, true), (0, false), (4, true)] {
                all.push(Settings {
                    method,
                    preprocessing,
                    level,
                    crest_test,
                    ..Settings::default()
                });
            }
        }
    }
    all
}

#[test]
fn what_is_no_set_of_samples_has_a_typed_answer() {
    let nothing: Vec<Vec<Vec<f64>>> = vec![
        vec![],
        vec![vec![]; 5],
        vec![vec![1.0]; 5],
        vec![vec![0.0; 100]; 5],
        vec![vec![f64::NAN; 100]; 5],
        vec![vec![-1.0; 100]; 5],
        vec![vec![1.0, 2.0]; 2],
    ];
    for settings in every_setting() {
        for runs in &nothing {
            let found = mine(settings, runs);
            assert!(
                matches!(found.outcome, Outcome::Undetermined(_)),
                "{found:?}"
            );
        }
        for runs in [
            vec![vec![1.0; 100]; 5],
            vec![vec![f64::MAX; 50]; 5],
            vec![vec![f64::MIN_POSITIVE; 50]; 5],
            vec![vec![0.0, 1.0]; 4],
            (1..8).map(|i| vec![i as f64; 10 * i * i]).collect(),
            (0..5)
                .map(|i| (0..90).map(|k| f64::from(k * k % (7 + i))).collect())
                .collect(),
            (0..5)
                .map(|i| {
                    (0..9)
                        .map(|k| if k == i { f64::INFINITY } else { 1e300 })
                        .collect()
                })
                .collect(),
        ] {
            let _: SignatureFinding = mine(settings, &runs);
        }
    }
}

#[test]
fn reasons_are_told() {
    let why = |runs: &[Vec<f64>]| match mine(Settings::default(), runs).outcome {
        Outcome::Undetermined(why) => why,
        Outcome::Found(signature) => panic!("{signature:?}"),
    };
    let few = Undetermined::TooFewSamples { left: 2, needed: 3 };
    assert_eq!(why(&[vec![1.0; 50], vec![1.0; 50], vec![]]), few);
    assert_eq!(
        few.to_string(),
        "2 runs, and it takes 3 to tell what is common"
    );
    assert_eq!(why(&vec![vec![0.0; 50]; 3]), Undetermined::NothingMoved);
    let odd = Settings {
        density: f64::NAN,
        ..Settings::default()
    };
    let found = mine(odd, &vec![vec![1.0; 50]; 3]);
    let name = "density";
    assert_eq!(
        found.outcome,
        Outcome::Undetermined(Undetermined::Setting { name })
    );
}

#[test]
fn what_was_repaired_is_told() {
    let mut runs: Vec<Vec<f64>> = (0..4)
        .map(|i| {
            (0..400)
                .map(|k| if (k + i) % 100 < 10 { 5e9 } else { 1e7 })
                .collect()
        })
        .collect();
    runs[1][7] = f64::NAN;
    runs[2].truncate(300);
    let found = mine(Settings::default(), &runs);
    let codes: Vec<&str> = found.warnings.iter().map(|w| &*w.code).collect();
    assert_eq!(codes, ["no-rate", "durations-differ", "few-runs"]);
    let short: Vec<Vec<f64>> = runs.iter().map(|run| run[..60].to_vec()).collect();
    let found = mine(Settings::default(), &short);
    assert!(found.warnings.iter().any(|w| w.code == "short-samples"));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn any_numbers_have_an_answer(
        runs in prop::collection::vec(
            prop::collection::vec(
                prop_oneof![4 => Just(0.0), 8 => 0.0..1e10, 1 => any::<f64>()],
                0..120,
            ),
            0..9,
        ),
        others in prop::collection::vec(
            prop::collection::vec(
                prop_oneof![4 => Just(0.0), 8 => 0.0..1e10, 1 => any::<f64>()],
                0..120,
            ),
            0..4,
        ),
        which in 0..42_usize,
    ) {
        let all = every_setting();
        let _: SignatureFinding = mine_beside(all[which % all.len()], &runs, &others);
    }
}

/// Rates of steps of 2 s, of bursts that begin at these times, last so long and are so fast, beyond what is always
/// there.
fn written(lasts_s: f64, starts: &[f64], length_s: f64, bytes_per_s: f64, always: f64) -> Vec<f64> {
    let rate = |step: usize| {
        let (from, to) = (2.0 * step as f64, 2.0 * (step + 1) as f64);
        let inside = |start: &f64| ((start + length_s).min(to) - start.max(from)).max(0.0);
        always + bytes_per_s * starts.iter().map(inside).sum::<f64>() / 2.0
    };
    (0..(lasts_s / 2.0) as usize).map(rate).collect()
}

/// Ten bursts this far apart, a little later in each run.
fn starts(run: usize, apart_s: f64) -> Vec<f64> {
    (0..10)
        .map(|k| 0.3 * apart_s + apart_s * k as f64 + (7 * run % 5) as f64)
        .collect()
}

fn codes(found: &SignatureFinding) -> Vec<&str> {
    found.warnings.iter().map(|told| &*told.code).collect()
}

/// The same steps with what servers do all the time: a little more or less.
fn unquiet(mut rates: Vec<f64>) -> Vec<f64> {
    for (step, rate) in rates.iter_mut().enumerate() {
        *rate *= 1.0 + 0.2 * (step as f64 * 12.9898).sin();
    }
    rates
}

#[test]
fn bursts_that_fill_most_of_the_time_keep_their_volumes_where_others_are_known() {
    for (length_s, lost) in [(20.0, 0.02), (28.0, 0.05), (32.0, 0.1)] {
        let runs: Vec<Vec<f64>> = (0..8)
            .map(|run| unquiet(written(430.0, &starts(run, 40.0), length_s, 2e9, 6e7)))
            .collect();
        let own = 10.0 * length_s * 2e9;
        let share = |others: &[Vec<f64>]| {
            let found = mine_beside(Settings::default(), &runs, others);
            found.signature().unwrap().bytes() / own
        };
        let around = vec![unquiet(vec![6e7; 200]); 8];
        let (unknown, known) = (share(&[]), share(&around));
        assert!(unknown < 1.0 - lost, "{length_s} s: {unknown}");
        assert!((known - 1.0).abs() < 0.05, "{length_s} s: {known}");
    }
}

#[test]
fn what_is_moved_all_through_the_runs_is_told() {
    let runs: Vec<Vec<f64>> = (0..8)
        .map(|run| unquiet(written(1050.0, &starts(run, 100.0), 10.0, 2e9, 1e9)))
        .collect();
    let told = |others: &[Vec<f64>]| {
        let found = mine_beside(Settings::default(), &runs, others);
        assert_eq!(found.signature().unwrap().bursts.len(), 10);
        let steady = found
            .warnings
            .into_iter()
            .find(|told| told.code == "steady");
        steady.map(|told| told.message)
    };
    let own = told(&vec![unquiet(vec![6e7; 200]); 8]).unwrap();
    assert!(own.contains("probably the application's own"), "{own}");
    let unknown = told(&[]).unwrap();
    assert!(
        unknown.contains("may be the application's own"),
        "{unknown}"
    );
    assert_eq!(told(&vec![unquiet(vec![1e9; 200]); 8]), None);
}

#[test]
fn runs_of_two_kinds_are_told() {
    let of_kinds = |larger: usize, length_s: f64| {
        let length = |run: usize| if run < larger { length_s } else { 10.0 };
        let runs: Vec<Vec<f64>> = (0..12)
            .map(|run| unquiet(written(1050.0, &starts(run, 100.0), length(run), 2e9, 6e7)))
            .collect();
        let settings = Settings {
            // Those of one kind are no outliers.
            outlier_factor: f64::INFINITY,
            ..Settings::default()
        };
        mine(settings, &runs)
    };
    for (larger, length_s) in [(5, 30.0), (4, 20.0), (7, 18.0)] {
        let found = of_kinds(larger, length_s);
        assert!(
            codes(&found).contains(&"volumes-differ"),
            "{larger}: {:?}",
            codes(&found)
        );
    }
    let found = of_kinds(0, 10.0);
    assert_eq!(codes(&found), [] as [&str; 0]);
}

/// Runs of one kind beside others who come and go, in seven bursts of three runs each.
#[test]
fn what_others_move_makes_no_runs_of_two_kinds() {
    let runs: Vec<Vec<f64>> = (0..9)
        .map(|run| {
            let own = written(1050.0, &starts(run, 100.0), 10.0, 2e9, 6e7);
            let is_beside = |k: usize| run % 3 == 0 && k != 2 && k != 5 && k != 8;
            let theirs: Vec<f64> = (0..10)
                .filter(|&k| is_beside(k))
                .map(|k| starts(run, 100.0)[k] + 2.0)
                .collect();
            let theirs = written(1050.0, &theirs, 6.0, 2e9, 0.0);
            unquiet(
                own.iter()
                    .zip(theirs)
                    .map(|(own, theirs)| own + theirs)
                    .collect(),
            )
        })
        .collect();
    let told = |others: &[Vec<f64>]| {
        let settings = Settings {
            outlier_factor: f64::INFINITY,
            ..Settings::default()
        };
        let found = mine_beside(settings, &runs, others);
        assert_eq!(found.signature().unwrap().bursts.len(), 10);
        codes(&found).contains(&"volumes-differ")
    };
    assert!(told(&[]));
    let busy = unquiet(written(400.0, &[20.0, 150.0], 20.0, 2e9, 6e7));
    assert!(!told(&vec![busy; 8]));
}

#[test]
fn bursts_that_are_written_at_several_speeds_are_told_to_be_too_small() {
    let runs: Vec<Vec<f64>> = (0..9)
        .map(|run| {
            let rate = [2e9, 1e9, 0.5e9][run % 3];
            unquiet(written(1050.0, &starts(run, 100.0), 20e9 / rate, rate, 6e7))
        })
        .collect();
    let found = mine(Settings::default(), &runs);
    assert!(found.signature().unwrap().bytes() < 0.9 * 10.0 * 20e9);
    assert!(
        codes(&found).contains(&"runs-move-more"),
        "{:?}",
        codes(&found)
    );
}

#[test]
fn a_signature_ends_where_runs_that_do_more_are_no_longer_looked_at() {
    let runs: Vec<Vec<f64>> = (0..9)
        .map(|run| {
            let bursts = if run < 4 { 5 } else { 10 };
            let starts: Vec<f64> = (0..bursts).map(|k| 30.0 + 100.0 * f64::from(k)).collect();
            unquiet(written(100.0 * f64::from(bursts), &starts, 10.0, 2e9, 6e7))
        })
        .collect();
    let found = mine(Settings::default(), &runs);
    assert!(codes(&found).contains(&"durations-differ"));
    assert!(!codes(&found).contains(&"shorter-than-runs"));
    let signature = found.signature().unwrap();
    let lasts_s = signature.step_s * signature.rates.len() as f64;
    assert!((lasts_s - 500.0).abs() <= 5.0, "{lasts_s} s");
    assert_eq!(signature.bursts.len(), 5);
}

#[test]
fn of_many_samples_the_ordinary_ones_are_used() {
    let runs: Vec<Vec<f64>> = (0..100)
        .map(|i| {
            let busy = |k: u32| (50..60).contains(&((k + i % 3) % 100));
            let rate = |k: u32| {
                if busy(k) {
                    5e9
                } else {
                    f64::from(1000 * i + k)
                }
            };
            (0..400 + i % 5).map(rate).collect()
        })
        .collect();
    let found = mine(Settings::default(), &runs);
    assert_eq!(found.used.len(), 40);
    assert!(found.warnings.iter().any(|w| w.code == "samples-not-used"));
    assert_eq!(found.signature().unwrap().bursts.len(), 4);
}

/// Five runs of a minute's log with a burst from 1200 s to 1560 s.
#[test]
fn bursts_are_in_the_middle_of_what_they_are_made_of() {
    let rates: Vec<f64> = (0..60)
        .map(|minute| match minute {
            20..26 => 5e9,
            _ => 1e7,
        })
        .collect();
    let step = Seconds::new(60.0).unwrap();
    let ids = ["1", "2", "3", "4", "5"];
    let samples: Vec<Sample> = ids
        .iter()
        .map(|id| Sample {
            id,
            rates: &rates,
            step,
        })
        .collect();
    let found = SignatureMiner::default().mine(&samples);
    let burst = found.signature().unwrap().bursts[0];
    // A point between two minutes is in both.
    let [start, centre, end] = [burst.start_s, burst.time_s, burst.end_s];
    assert_eq!([start, centre, end], [1185.0, 1380.0, 1575.0]);
    let bytes = 360.0 * (5e9 - 1e7);
    assert!((burst.bytes / bytes - 1.0).abs() < 0.01, "{burst:?}");
    // Nothing is smoothed here, and the first point of the flat top is the crest.
    let crest = found.sample_bursts[0][0].crest_s;
    assert_eq!(crest, 1215.0);
}

/// Bursts of other lengths in other runs, at other times.
fn uneven(run: usize) -> Vec<f64> {
    let own = |k: usize| {
        let start = 100 * (k / 100) + 40 + (run * 3 + k / 100) % 5;
        let length = 8 + (run * 5 + k / 100 * 2) % 9;
        (start..start + length).contains(&k)
    };
    let ripple = |k: usize| ((k * 7919 + run * 104_729) % 1000) as f64;
    (0..900)
        .map(|k| if own(k) { 5e9 } else { 1e5 * ripple(k) })
        .collect()
}

#[test]
fn bursts_hold_all_bytes_of_the_signature() {
    let runs: Vec<Vec<f64>> = (0..9).map(uneven).collect();
    for method in [Method::Iosi, Method::Clusters, Method::Auto] {
        let settings = Settings {
            method,
            ..Settings::default()
        };
        let found = mine(settings, &runs);
        let signature = found.signature().unwrap();
        assert!(signature.bursts.len() >= 4, "{method:?}");
        let sum: f64 = signature.bursts.iter().map(|burst| burst.bytes).sum();
        assert!(
            (sum / signature.bytes() - 1.0).abs() < 1e-9,
            "{method:?}: {sum} of {}",
            signature.bytes()
        );
        for burst in &signature.bursts {
            assert!(
                burst.bytes_low <= burst.bytes && burst.bytes <= burst.bytes_high,
                "{method:?}: {burst:?}"
            );
        }
    }
}

#[test]
fn a_burst_lies_within_what_most_runs_move_in_it() {
    // In each run somebody else doubles another tenth of the burst: no moment has others in most runs, and
    // every run moves more than what is common.
    let run = |run: usize| -> Vec<f64> {
        let own = |k: usize| (300..400).contains(&k) || (700..800).contains(&k);
        let other = |k: usize| (0..10).contains(&((k % 400).wrapping_sub(305 + 10 * run)));
        let rate = |k: usize| if own(k) { 5e9 } else { 0.0 };
        (0..1000)
            .map(|k| rate(k) * if other(k) { 2.0 } else { 1.0 })
            .collect()
    };
    let runs: Vec<Vec<f64>> = (0..9).map(run).collect();
    let found = mine(Settings::default(), &runs);
    let signature = found.signature().unwrap();
    assert_eq!(signature.bursts.len(), 2);
    for burst in &signature.bursts {
        // 100 steps of 2 s.
        assert!((burst.bytes / 1e12 - 1.0).abs() < 0.02, "{burst:?}");
        assert!(burst.bytes_low <= burst.bytes, "{burst:?}");
        let others = burst.bytes_high / 1.1e12 - 1.0;
        assert!(others.abs() < 0.02, "{burst:?}");
    }
}

#[test]
fn so_few_runs_that_no_outlier_can_be_told_are_warned_of() {
    let codes = |many: usize| -> Vec<String> {
        let runs: Vec<Vec<f64>> = (0..many).map(uneven).collect();
        let found = mine(Settings::default(), &runs);
        assert!(found.signature().is_some(), "{many}");
        let codes = found.warnings.iter().map(|one| one.code.to_string());
        codes.collect()
    };
    assert!(codes(4).contains(&"few-runs".to_owned()));
    assert!(!codes(5).contains(&"few-runs".to_owned()));
}

/// Runs of six bursts of so many steps, with so many between, while others ripple.
fn busy(steps: usize, between: usize) -> (Vec<f64>, Vec<Vec<f64>>) {
    let starts: Vec<usize> = (0..6).map(|k| between + k * (steps + between)).collect();
    let run = |run: usize| -> Vec<f64> {
        let own = |k: usize| {
            let holds = |start: &usize| (*start..start + steps).contains(&k);
            starts.iter().any(holds)
        };
        let ripple = |k: usize| ((k * 7919 + run * 104_729) % 1000) as f64;
        let rate = |k: usize| if own(k) { 2.5e9 } else { 0.0 };
        (0..6 * (steps + between) + between)
            .map(|k| rate(k) + 9e7 + 4e4 * ripple(k))
            .collect()
    };
    let starts = starts.iter().map(|start| 2.0 * *start as f64).collect();
    (starts, (0..10).map(run).collect())
}

#[test]
fn an_application_that_writes_most_of_the_time_keeps_its_bursts() {
    for steps in [30, 100, 400] {
        for share in [0.5, 0.65, 0.8, 0.9] {
            let between = (steps as f64 * (1.0 - share) / share).round() as usize;
            let (starts, runs) = busy(steps, between.max(5));
            let found = mine(Settings::default(), &runs);
            let told = format!("{steps} steps, {share}: {:?}", found.outcome);
            let bursts = &found.signature().expect(&told).bursts;
            assert_eq!(bursts.len(), 6, "{told}");
            for (burst, start) in bursts.iter().zip(&starts) {
                assert!((burst.start_s - start).abs() <= 6.0, "{start}: {told}");
            }
        }
    }
}

#[test]
fn bursts_that_leave_nothing_beside_them_are_told() {
    let run: Vec<f64> = (0..120)
        .map(|k| if (3..117).contains(&k) { 2.5e9 } else { 9e7 })
        .collect();
    let found = mine(Settings::default(), &vec![run; 10]);
    let why = Outcome::Undetermined(Undetermined::NoRoom);
    assert_eq!(found.outcome, why);
    let codes: Vec<&str> = found.warnings.iter().map(|w| &*w.code).collect();
    assert_eq!(codes, ["short-samples", "runs-short-beside-bursts"]);
}

/// Runs of an application that writes for 10 s every 120 s, or as often twice, 30 s apart; the time between
/// differs by this much. A rate every two seconds.
fn jittering(runs: usize, jitter_s: f64, pairs: bool, seed: u64) -> (usize, Vec<Vec<f64>>) {
    let mut state = seed;
    let mut uniform = move || {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (state >> 11) as f64 / (1_u64 << 53) as f64
    };
    let bursts = if pairs { 16 } else { 10 };
    let mut run = || {
        let mut rates: Vec<f64> = (0..1700).map(|_| 5e7 * uniform()).collect();
        let mut now = 0.0;
        for burst in 0..bursts {
            let normal = (0..12).map(|_| uniform()).sum::<f64>() - 6.0;
            now += match pairs && burst % 2 == 1 {
                true => 20.0,
                false => f64::max(
                    110.0 * (1.0 + f64::from(u8::from(pairs))) + jitter_s * normal,
                    4.0,
                ),
            };
            for (step, rate) in rates.iter_mut().enumerate() {
                let from = 2.0 * step as f64;
                *rate += 1e9 * ((from + 2.0).min(now + 10.0) - from.max(now)).max(0.0);
            }
            now += 10.0;
        }
        rates.truncate(((now + 60.0) / 2.0) as usize);
        rates
    };
    (bursts, (0..runs).map(|_| run()).collect())
}

#[test]
fn an_application_that_takes_its_time_keeps_its_bursts() {
    for (pairs, jitter_s, missed) in [
        (false, 3.0, 0),
        (false, 12.0, 0),
        (false, 18.0, 1),
        (true, 3.0, 0),
        (true, 6.0, 0),
        (true, 9.0, 1),
    ] {
        for seed in 1..5 {
            let (bursts, runs) = jittering(12, jitter_s, pairs, seed);
            let found = mine(Settings::default(), &runs);
            let found = found.signature().map_or(&[][..], |found| &found.bursts);
            let count = found.len();
            let told = format!("{count} of {bursts}: {jitter_s} s, seed {seed}");
            assert!((bursts - missed..=bursts).contains(&count), "{told}");
            // What differs is taken for delays, which are taken out: bursts come a little earlier.
            let mut before = -10.0;
            for (k, burst) in found.iter().enumerate().filter(|_| count == bursts) {
                let (planned, off) = match (pairs, k % 2) {
                    (false, _) => (120.0, 6.0 + jitter_s),
                    (true, 0) => (230.0, 6.0 + jitter_s),
                    (true, _) => (30.0, 6.0),
                };
                let apart = burst.start_s - before;
                assert!((apart - planned).abs() <= off, "{apart}: {told} {burst:?}");
                before = burst.start_s;
            }
        }
    }
}

/// Twelve runs of 1000 s that start at any time and write at these, beside a neighbour that writes for 12 s after
/// each `every_s`, more or less. A rate every two seconds.
fn beside_a_rhythm(own: &[usize], every_s: f64, jitter_s: f64, seed: u64) -> Vec<Vec<f64>> {
    let mut state = seed;
    let mut uniform = move || {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (state >> 11) as f64 / (1_u64 << 53) as f64
    };
    let (runs, steps) = (12, 500);
    let mut log: Vec<f64> = (0..runs * (steps + 150))
        .map(|_| 1e8 * (0.5 + uniform()))
        .collect();
    let mut now = every_s * uniform();
    while now < 2.0 * log.len() as f64 {
        let from = (now / 2.0) as usize;
        log.iter_mut()
            .skip(from)
            .take(6)
            .for_each(|rate| *rate += 2e9);
        now += every_s + jitter_s * (2.0 * uniform() - 1.0);
    }
    let mut next = 0;
    (0..runs)
        .map(|_| {
            let start = next + 10 + (130.0 * uniform()) as usize;
            next = start + steps;
            let mut run = log[start..next].to_vec();
            for own in own {
                let from = own / 2;
                run[from..from + 10]
                    .iter_mut()
                    .for_each(|rate| *rate += 2e9);
            }
            run
        })
        .collect()
}

#[test]
fn jobs_that_do_nothing_are_not_given_a_neighbours_rhythm() {
    for (every_s, jitter_s) in [(60.0, 0.0), (130.0, 0.0), (137.0, 4.0), (200.0, 6.0)] {
        let given = (1..=10).filter(|&seed| {
            let runs = beside_a_rhythm(&[], every_s, jitter_s, seed);
            mine(Settings::default(), &runs).signature().is_some()
        });
        // Of twelve runs that start anywhere, most start at one moment of a rhythm now and then.
        let given = given.count();
        assert!(given <= 1, "{given} of 10 sets: every {every_s} s");
    }
}

#[test]
fn an_application_beside_a_neighbours_rhythm_keeps_its_own_bursts_alone() {
    let (mut missed, mut wrong) = (0, 0);
    for seed in 1..=10 {
        let runs = beside_a_rhythm(&[200, 500, 800], 137.0, 0.0, seed);
        let found = mine(Settings::default(), &runs);
        let bursts = found.signature().map_or(&[][..], |found| &found.bursts);
        let own = |at: f64| bursts.iter().any(|burst| (burst.start_s - at).abs() < 12.0);
        let kept = [200.0, 500.0, 800.0].into_iter().filter(|at| own(*at));
        let kept = kept.count();
        missed += 3 - kept;
        wrong += bursts.len() - kept;
    }
    // In one set of ten most runs happen to start at one moment of the rhythm, and four of its bursts stay.
    assert!(missed <= 3 && wrong <= 5, "{missed} missed, {wrong} wrong");
}
