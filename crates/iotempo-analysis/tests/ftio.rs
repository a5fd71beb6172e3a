//! How FTIO's detector behaves, beside what FTIO itself answers.
#![allow(clippy::unwrap_used)]

use iotempo_analysis::ftio::{Finding, Method, Outlier, Points, Rate, Samples, Settings, Verdict};
use iotempo_model::{
    Api, Bytes, FileId, FileTable, Hertz, Interval, Op, Origin, Rank, Request, Seconds, Signal,
    Source, Trace,
};
use proptest::prelude::*;
use std::f64::consts::TAU;

fn seconds(value: f64) -> Seconds {
    Seconds::new(value).unwrap()
}

fn at(rate: f64) -> Settings {
    Settings {
        freq: Rate::Fixed(Hertz::new(rate).unwrap()),
        ..Settings::default()
    }
}

/// Every way to find outliers, with the autocorrelation and the strongest bins.
fn every_way() -> impl Iterator<Item = Settings> {
    let ways = [Method::Ftio, Method::Paper]
        .into_iter()
        .flat_map(|method| Outlier::ALL.map(|outlier| (method, outlier)));
    ways.map(|(method, outlier)| Settings {
        method,
        outlier,
        autocorrelation: true,
        top_bins: 5,
        ..at(1.0)
    })
}

fn signal(samples: Vec<f64>) -> Signal {
    Signal::new(Seconds::ZERO, seconds(1.0), samples)
}

/// Cosines of these bins and amplitudes on a mean that keeps them positive.
fn cosines(samples: usize, waves: &[(usize, f64)]) -> Signal {
    let mean: f64 = waves.iter().map(|wave| wave.1).sum();
    let value = |i: usize| {
        let wave = |&(k, amplitude): &(usize, f64)| {
            amplitude * (TAU * ((i * k) % samples) as f64 / samples as f64).cos()
        };
        mean + waves.iter().map(wave).sum::<f64>()
    };
    signal((0..samples).map(value).collect())
}

/// Writes of 100 B from `start` to `end` each.
fn trace(writes: &[(f64, f64)], source: Source) -> Trace {
    let request = |&(start, end): &(f64, f64)| Request {
        rank: Rank(0),
        op: Op::Write,
        api: Api::Posix,
        file: FileId(0),
        when: Interval::new(seconds(start), seconds(end)).unwrap(),
        bytes: Bytes::from(100),
    };
    let files = FileTable::default();
    Trace::new(writes.iter().map(request), files, Origin::new(source))
}

fn frequencies(finding: &Finding) -> Vec<f64> {
    finding
        .candidates
        .iter()
        .map(|bin| bin.frequency_hz)
        .collect()
}

/// `count` bursts of a quarter of a second about once a second, off by up to `jitter` seconds.
fn bursts(count: u32, jitter: f64) -> Points {
    let burst = |i: u32| {
        let off = f64::from(i * 7919 % 1000) / 1000.0 * jitter;
        let start = f64::from(i) + off;
        [(start, f64::from(1 + i % 3)), (start + 0.25, 0.0)]
    };
    let (times, rates) = (0..count).flat_map(burst).unzip();
    Points::new(times, rates).unwrap()
}

/// Asserts that samples one by one, which are needed for the strongest bins, give the same answer
/// as far as two ways of adding up may differ.
fn assert_same_one_by_one(by_steps: &Finding, settings: &Settings, points: &Points) {
    let settings = Settings {
        top_bins: 1,
        ..settings.clone()
    };
    let one_by_one = settings.detect_points(points);
    assert_eq!(by_steps.verdict, one_by_one.verdict);
    let near = |a: f64, b: f64| (a - b).abs() <= 1e-9 * b.abs();
    let (steps, samples) = (by_steps.sampling.unwrap(), one_by_one.sampling.unwrap());
    assert_eq!(steps.n_samples, samples.n_samples);
    assert!(near(
        steps.sampled_volume_bytes,
        samples.sampled_volume_bytes
    ));
    assert_eq!(by_steps.candidates.len(), one_by_one.candidates.len());
    for (a, b) in by_steps.candidates.iter().zip(&one_by_one.candidates) {
        assert_eq!(a.k, b.k);
        assert!(near(a.frequency_hz, b.frequency_hz), "{a:?} {b:?}");
        assert!(
            near(a.confidence.unwrap(), b.confidence.unwrap()),
            "{a:?} {b:?}"
        );
        assert!(near(a.amplitude, b.amplitude), "{a:?} {b:?}");
        assert!((a.phase_rad - b.phase_rad).abs() < 1e-6, "{a:?} {b:?}");
    }
}

/// Millions of samples of few rates are looked at by their steps; the same samples one by one must
/// give the same answer. Odd and even numbers of samples have different highest bins.
#[test]
fn many_samples_between_two_points_are_answered_as_if_taken_one_by_one() {
    let mut compared = 0;
    for (jitter, tolerance, method, rate) in [
        (0.0, 0.8, Method::Ftio, 20_011.0),
        (0.0, 0.8, Method::Ftio, 20_480.0),
        (0.1, 0.3, Method::Ftio, 20_011.0),
        (0.1, 0.8, Method::Paper, 20_480.0),
        (0.7, 0.8, Method::Ftio, 20_011.0),
        (0.1, 0.0, Method::Ftio, 20_480.0),
    ] {
        let settings = Settings {
            method,
            tolerance,
            ..at(rate)
        };
        let points = bursts(60, jitter);
        let by_steps = settings.detect_points(&points);
        assert!(by_steps.sampling.unwrap().n_samples > 1 << 20);
        assert_same_one_by_one(&by_steps, &settings, &points);
        compared += by_steps.candidates.len();
    }
    assert!(compared >= 3, "{compared} candidates were compared");
    let flat = Points::new(vec![0.0, 60.0], vec![5.0, 0.0]).unwrap();
    assert_eq!(at(20_011.0).detect_points(&flat).verdict, Verdict::Constant);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    /// Whatever the steps are.
    #[test]
    fn any_steps_are_answered_as_if_their_samples_were_taken_one_by_one(
        steps in prop::collection::vec((0.01..3.0f64, 0.0..1e9f64), 2..60),
        tolerance in 0.3..0.95f64,
    ) {
        let mut now = -5.0;
        let point = |(length, rate): &(f64, f64)| {
            now += length;
            (now, *rate)
        };
        let (times, rates) = steps.iter().map(point).unzip();
        let points = Points::new(times, rates).unwrap();
        let span = now - points.times()[0];
        let settings = Settings { tolerance, ..at(1_100_000.0 / span) };
        assert_same_one_by_one(&settings.detect_points(&points), &settings, &points);
    }
}

#[test]
fn a_cosine_is_certain() {
    let finding = Settings::default().detect_signal(&cosines(240, &[(20, 5.0)]));
    assert_eq!(finding.verdict, Verdict::Periodic);
    assert_eq!(finding.period_s, Some(12.0));
    assert_eq!(finding.confidence, Some(1.0));
    assert!((finding.candidates[0].amplitude - 600.0).abs() < 1e-9);
}

#[test]
fn two_equal_cosines_share_the_confidence_and_three_are_not_periodic() {
    let two = Settings::default().detect_signal(&cosines(240, &[(20, 5.0), (33, 5.1)]));
    assert_eq!(frequencies(&two), [20.0 / 240.0, 33.0 / 240.0]);
    assert_eq!(two.dominant_frequency_hz, Some(33.0 / 240.0));
    let sum: f64 = two.candidates.iter().filter_map(|bin| bin.confidence).sum();
    assert!((sum - 1.0).abs() < 1e-12);
    let waves = [(20, 5.0), (33, 5.0), (47, 5.0)];
    let three = Settings::default().detect_signal(&cosines(240, &waves));
    assert_eq!(three.verdict, Verdict::TooManyCandidates);
    assert_eq!((three.period_s, three.candidates.len()), (None, 0));
}

#[test]
fn the_paper_drops_harmonics_of_powers_of_two_and_the_tool_drops_all() {
    let with_third = cosines(240, &[(20, 5.0), (60, 5.0)]);
    let found = |method| {
        let settings = Settings {
            method,
            ..Settings::default()
        };
        frequencies(&settings.detect_signal(&with_third))
    };
    assert_eq!(found(Method::Ftio), [20.0 / 240.0]);
    assert_eq!(found(Method::Paper), [20.0 / 240.0, 0.25]);
}

#[test]
fn the_paper_compares_both_periods_and_the_tool_believes_them_equal() {
    // Bursts every 10 s of which every second is lower: the autocorrelation prefers 20 s.
    let value = |i: usize| match i % 20 {
        0..4 => 10.0,
        10..14 => 6.0,
        _ => 0.0,
    };
    let samples = signal((0..400).map(value).collect());
    let found = |method| {
        let settings = Settings {
            method,
            autocorrelation: true,
            ..Settings::default()
        };
        settings.detect_signal(&samples)
    };
    let (tool, paper) = (found(Method::Ftio), found(Method::Paper));
    assert_eq!(tool.similarity, Some(1.0));
    let similarity = paper.similarity.unwrap();
    assert!((0.0..=1.0).contains(&similarity));
    let autocorrelation = paper.autocorrelation.unwrap();
    let sum = paper.candidates[0].confidence.unwrap() + autocorrelation.confidence.unwrap();
    assert!((paper.refined_confidence.unwrap() - (sum + similarity) / 3.0).abs() < 1e-12);
    assert_eq!(paper.confidence, paper.refined_confidence);
}

#[test]
fn the_paper_never_takes_a_period_from_the_autocorrelation_alone() {
    // Bursts of one sample in ten have a flat spectrum.
    let samples = signal((0..200).map(|i| f64::from(u8::from(i % 10 == 0))).collect());
    let found = |method| {
        let settings = Settings {
            method,
            autocorrelation: true,
            ..Settings::default()
        };
        settings.detect_signal(&samples)
    };
    let tool = found(Method::Ftio);
    assert_eq!(tool.verdict, Verdict::AutocorrelationOnly);
    assert!((tool.period_s.unwrap() - 10.0).abs() < 1e-9);
    assert!((tool.confidence.unwrap() - 1.0 / 3.0).abs() < 1e-9);
    let paper = found(Method::Paper);
    assert_eq!((paper.is_periodic(), paper.period_s), (false, None));
    assert!(paper.autocorrelation.unwrap().period_s.is_some());
}

#[test]
fn what_cannot_be_judged_is_undetermined_in_every_way() {
    let none = Points::default();
    let instant = Points::new(vec![3.0, 3.0], vec![5.0, 0.0]).unwrap();
    let constant = Points::new(vec![0.0, 50.0, 100.0], vec![7.0, 7.0, 0.0]).unwrap();
    let zero = Points::new(vec![0.0, 100.0], vec![0.0, 0.0]).unwrap();
    let huge = Points::new(vec![0.0, 50.0, 100.0], vec![1e308, -1e308, 0.0]).unwrap();
    let cases = [
        (none, Verdict::Empty),
        (instant, Verdict::TooShort),
        (constant, Verdict::Constant),
        (zero, Verdict::Constant),
        (huge, Verdict::NotFinite),
    ];
    for settings in every_way() {
        for (points, verdict) in &cases {
            let finding = settings.detect_points(points);
            assert_eq!(finding.verdict, *verdict, "{settings:?}");
            assert!(!finding.is_periodic() && !finding.verdict.is_determined());
        }
        for samples in [vec![], vec![f64::NAN; 9], vec![f64::INFINITY; 9], vec![4.0]] {
            let finding = settings.detect_signal(&signal(samples));
            assert!(!finding.verdict.is_determined());
        }
    }
}

#[test]
fn points_that_are_no_bandwidth_are_refused() {
    assert!(Points::new(vec![0.0, f64::NAN], vec![1.0, 0.0]).is_none());
    assert!(Points::new(vec![0.0, 1.0], vec![1.0, f64::INFINITY]).is_none());
    assert!(Points::new(vec![1.0, 0.0], vec![1.0, 0.0]).is_none());
    assert!(Points::new(vec![0.0, 1.0], vec![1.0]).is_none());
}

#[test]
fn a_window_starts_at_the_first_event_inside_it() {
    let writes: Vec<_> = (0..10)
        .map(|i| (f64::from(10 * i), f64::from(10 * i + 2)))
        .collect();
    let settings = Settings {
        ts: Seconds::new(15.0),
        te: Seconds::new(71.0),
        ..at(1.0)
    };
    let sampling = settings
        .detect(&trace(&writes, Source::Requests))
        .sampling
        .unwrap();
    assert_eq!((sampling.t_start_s, sampling.t_end_s), (20.0, 70.0));
    assert_eq!(sampling.n_samples, 50);
    let outside = Settings {
        ts: Seconds::new(500.0),
        ..at(1.0)
    };
    let finding = outside.detect(&trace(&writes, Source::Requests));
    assert_eq!(finding.verdict, Verdict::Empty);
}

#[test]
fn samples_reach_as_far_as_their_source_watched() {
    let mut trace = trace(&[(10.0, 20.0)], Source::Samples);
    trace.origin.observed = Interval::new(seconds(0.0), seconds(60.0)).ok();
    let points = Points::of_trace(&trace);
    assert_eq!(points.times(), [0.0, 10.0, 20.0, 60.0]);
    assert_eq!(points.rates(), [0.0, 10.0, 0.0, 0.0]);
}

#[test]
fn a_heatmap_is_sampled_by_its_bins_and_says_so() {
    let mut heatmap = trace(&[(0.0, 2.0), (10.0, 12.0), (18.0, 20.0)], Source::Heatmap);
    heatmap.origin.resolution = Some(seconds(2.0));
    let rate = |method| {
        let finding = Settings {
            method,
            ..at(100.0)
        }
        .detect(&heatmap);
        assert_eq!(finding.notes[0].code, "heatmap-rate");
        finding.sampling.unwrap().rate_hz
    };
    assert_eq!(rate(Method::Ftio), 2.5);
    assert_eq!(rate(Method::Paper), 0.5);
}

#[test]
fn bins_lose_no_byte_where_points_miss_bursts() {
    // Bursts of 0.2 s every 5 s, off the grid of samples but for every second one.
    let writes: Vec<_> = (0..40)
        .map(|i| 5.0 * f64::from(i) + if i % 2 == 0 { 0.0 } else { 0.5 })
        .map(|start| (start, start + 0.2))
        .chain([(200.0, 200.2)])
        .collect();
    let error = |samples| {
        let settings = Settings { samples, ..at(1.0) };
        let finding = settings.detect(&trace(&writes, Source::Requests));
        finding.sampling.unwrap().abstraction_error
    };
    assert!(error(Samples::Points) > 0.5);
    // But for the last burst, which lies behind the last whole second.
    assert!(error(Samples::Bins) < 0.03);
}

#[test]
fn a_finding_is_written_without_holes() {
    let settings = Settings {
        top_bins: 3,
        autocorrelation: true,
        ..Settings::default()
    };
    let finding = settings.detect_signal(&cosines(240, &[(20, 5.0)]));
    let json = serde_json::to_value(&finding).unwrap();
    assert_eq!(json["verdict"], "periodic");
    assert_eq!(json["period_s"], 12.0);
    assert_eq!(json["candidates"][0]["k"], 20);
    assert_eq!(json["top_bins"][0]["confidence"], serde_json::Value::Null);
    assert_eq!(json["n_samples"], 240);
    assert_eq!(json["sampling_rate_hz"], 1.0);
    assert!(json["autocorrelation"]["period_s"].is_number());
}

/// Every number of a finding that is always there.
fn numbers(finding: &Finding) -> Vec<f64> {
    let bins = finding.candidates.iter().chain(&finding.top_bins);
    let mut numbers: Vec<f64> = bins
        .flat_map(|bin| [bin.frequency_hz, bin.amplitude, bin.phase_rad])
        .collect();
    if let Some(s) = finding.sampling {
        numbers.extend([s.rate_hz, s.t_start_s, s.t_end_s, s.volume_bytes]);
        numbers.extend([s.sampled_volume_bytes, s.abstraction_error]);
    }
    numbers.extend(finding.period_s);
    numbers.extend(finding.confidence);
    numbers.extend(finding.similarity);
    numbers
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn any_points_give_finite_numbers_and_a_sound_confidence(
        steps in prop::collection::vec((0.0..20.0_f64, -1e12..1e12_f64), 0..60),
        tolerance in -0.5..1.5_f64,
    ) {
        let mut now = 0.0;
        let (times, rates) = steps.iter().map(|&(step, rate)| { now += step; (now, rate) }).unzip();
        let points = Points::new(times, rates).unwrap();
        for settings in every_way() {
            let finding = Settings { tolerance, ..settings }.detect_points(&points);
            prop_assert!(numbers(&finding).iter().all(|x| x.is_finite()), "{finding:?}");
            prop_assert!(finding.candidates.len() <= 2);
            prop_assert!(finding.confidence.is_none_or(|c| c <= 1.0 + 1e-9), "{finding:?}");
            prop_assert!(finding.period_s.is_none_or(|period| period > 0.0));
        }
    }

    #[test]
    fn scaling_time_scales_the_period(
        bursts in prop::collection::vec(1.0..9.0_f64, 8..30),
        factor in 0.5..20.0_f64,
    ) {
        // Off the grid of samples, where rounding would decide what a sample sees.
        let start = |i: usize| 10.37 * i as f64;
        let ends = bursts.iter().enumerate().map(|(i, length)| (start(i), start(i) + length));
        let writes: Vec<(f64, f64)> = ends.collect();
        let scaled: Vec<_> = writes.iter().map(|(a, b)| (a * factor, b * factor)).collect();
        let paper = |rate| Settings { method: Method::Paper, ..at(rate) };
        let one = paper(1.0).detect(&trace(&writes, Source::Requests));
        let other = paper(1.0 / factor).detect(&trace(&scaled, Source::Requests));
        let apart = one.sampling.unwrap().n_samples.abs_diff(other.sampling.unwrap().n_samples);
        prop_assume!(apart == 0);
        let scaled = one.period_s.map(|period| period * factor);
        let same = match scaled.zip(other.period_s) {
            Some((a, b)) => (a - b).abs() <= 1e-9 * b,
            None => scaled == other.period_s,
        };
        prop_assert!(same, "{scaled:?}, not {:?}", other.period_s);
    }
}
