//! What holds for every signal, however odd: an answer, numbers that are numbers, and the same
//! answer whatever the unit of bytes or the origin of time.
#![allow(clippy::unwrap_used)]

use iotempo_analysis::period::{Detector, Estimate, PeriodFinding, Rhythm, Verdict};
use iotempo_model::{Seconds, Signal};
use proptest::prelude::*;

fn seconds(value: f64) -> Seconds {
    Seconds::new(value).unwrap()
}

fn signal(samples: Vec<f64>) -> Signal {
    Signal::new(Seconds::ZERO, seconds(1.0), samples)
}

fn detect(samples: Vec<f64>) -> PeriodFinding {
    Detector::default().detect(&signal(samples))
}

fn verdict(samples: &[f64]) -> Verdict {
    detect(samples.to_vec()).verdict
}

/// Bursts of `length` samples at `rate`, every `period` samples.
fn train(samples: usize, period: usize, length: usize, rate: f64) -> Vec<f64> {
    (0..samples)
        .map(|i| if i % period < length { rate } else { 0.0 })
        .collect()
}

fn period(finding: &PeriodFinding) -> Option<f64> {
    finding.main().map(|rhythm| rhythm.period.value.get())
}

fn rhythms(finding: &PeriodFinding) -> impl Iterator<Item = &Rhythm> {
    finding.rhythms.iter().chain(&finding.candidate)
}

fn assert_ordered(estimate: &Estimate) {
    assert!(estimate.low <= estimate.value && estimate.value <= estimate.high);
}

fn assert_rhythm(rhythm: &Rhythm, signal: &Signal) {
    assert!((0.0..=1.0).contains(&rhythm.confidence), "{rhythm:?}");
    assert!(rhythm.period.value.get() > 0.0, "{rhythm:?}");
    assert!(rhythm.jitter.is_none_or(|jitter| jitter >= 0.0));
    assert_ordered(&rhythm.period);
    rhythm.next_start.iter().for_each(assert_ordered);
    let end = signal.time(signal.samples().len());
    let slack = 1e-9 * (signal.step().get() + end.get().abs());
    let mut last = signal.start().get();
    for phase in &rhythm.phases {
        assert!(phase.start.get() >= last - slack, "{rhythm:?}");
        assert!(phase.end >= phase.start, "{rhythm:?}");
        last = phase.end.get();
    }
    assert!(last <= end.get() + slack, "{rhythm:?}");
}

/// What every finding keeps to.
fn assert_sound(finding: &PeriodFinding, signal: &Signal) {
    assert_eq!(finding.is_periodic(), !finding.rhythms.is_empty());
    assert!(!(finding.is_periodic() && finding.candidate.is_some()));
    for rhythm in rhythms(finding) {
        assert_rhythm(rhythm, signal);
    }
    let moved = |rate: &f64| if rate.is_finite() { rate.max(0.0) } else { 0.0 };
    let all: f64 = signal.samples().iter().map(moved).sum();
    // The bytes of phases beyond their share of the time.
    let weight = |rhythm: &Rhythm| {
        let lengths = rhythm.phases.iter().map(|phase| phase.end - phase.start);
        let time: f64 = lengths.map(Seconds::get).sum();
        rhythm.bytes.get() / signal.step().get()
            - all * time / signal.step().get() / signal.samples().len() as f64
    };
    let heavier = |a: &Rhythm, b: &Rhythm| weight(a) >= weight(b) - 1e-6 * all;
    assert!(finding.rhythms.is_sorted_by(heavier));
    for witness in &finding.witnesses {
        assert!((0.0..=1.0).contains(&witness.p_value), "{witness:?}");
    }
    for pair in finding.segments.windows(2) {
        assert!(pair[0].start < pair[0].end && pair[0].end == pair[1].start);
    }
    for segment in &finding.segments {
        assert!((0.0..=1.0).contains(&segment.confidence), "{segment:?}");
        assert_eq!(segment.period.is_some(), segment.confidence > 0.0);
    }
}

/// No byte is counted twice, and none is made up.
fn assert_bytes_add_up(finding: &PeriodFinding, signal: &Signal) {
    let all = signal.volume().get();
    for rhythm in rhythms(finding) {
        assert!(rhythm.bytes.get() <= all * (1.0 + 1e-6), "{rhythm:?}");
        let sum: f64 = rhythm.phases.iter().map(|phase| phase.bytes.get()).sum();
        assert!((sum - rhythm.bytes.get()).abs() <= 1e-6 * all);
    }
    if !finding.segments.is_empty() {
        let sum: f64 = finding.segments.iter().map(|part| part.bytes.get()).sum();
        assert!((sum - all).abs() <= 1e-6 * all, "{sum} of {all}");
    }
}

#[test]
fn nothing_has_no_period() {
    for samples in [&[][..], &[0.0], &[0.0, 0.0], &[0.0; 1000]] {
        assert_eq!(verdict(samples), Verdict::Empty, "{}", samples.len());
    }
}

#[test]
fn a_handful_of_samples_says_that_it_is_too_few() {
    assert_eq!(verdict(&[7.0, 0.0]), Verdict::TooFewPhases);
    assert_eq!(verdict(&[7.0, 0.0, 7.0, 0.0, 7.0]), Verdict::TooFewPhases);
}

#[test]
fn what_lies_in_one_sample_is_one_phase() {
    assert_eq!(verdict(&[7.0]), Verdict::SinglePhase);
}

#[test]
fn an_even_rate_is_constant() {
    assert_eq!(verdict(&[7.0, 7.0]), Verdict::Constant);
    assert_eq!(verdict(&[3e9; 500]), Verdict::Constant);
    let rounding: Vec<f64> = (0..500).map(|i| 3e9 + f64::from(i % 7) * 1e-5).collect();
    assert_eq!(verdict(&rounding), Verdict::Constant);
}

#[test]
fn samples_that_are_no_numbers_move_nothing() {
    for odd in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        assert_eq!(verdict(&[odd; 100]), Verdict::Empty);
        let mut samples = train(400, 20, 4, 1e9);
        let whole = detect(samples.clone());
        // Idle ones, so that nothing else changes.
        for i in [10, 30, 55, 399] {
            samples[i] = odd;
        }
        assert_eq!(detect(samples), whole, "{odd}");
    }
}

#[test]
fn rates_below_zero_are_measured_from_the_lowest() {
    let samples = train(400, 20, 4, 1e9);
    let lower = samples.iter().map(|rate| rate - 4e8).collect();
    assert_eq!(period(&detect(lower)), Some(20.0));
    assert_eq!(verdict(&[-5.0; 100]), Verdict::Empty);
}

#[test]
fn huge_and_tiny_rates_have_the_period_that_usual_ones_have() {
    for rate in [
        f64::MIN_POSITIVE,
        5e-324,
        1e-300,
        1.0,
        1e18,
        1e300,
        f64::MAX,
    ] {
        let samples = train(400, 20, 4, rate);
        let finding = detect(samples.clone());
        assert_eq!(period(&finding), Some(20.0), "{rate}");
        assert_sound(&finding, &signal(samples));
    }
}

#[test]
fn ten_million_samples_are_answered() {
    let samples = train(10_000_000, 1000, 100, 1e9);
    let found = period(&detect(samples)).unwrap();
    assert!((found - 1000.0).abs() < 1.0, "{found}");
}

#[test]
fn steps_of_any_length_give_periods_of_as_many_steps() {
    for step in [1e-9, 1e-3, 1.0, 300.0, 1e7] {
        let samples = train(400, 20, 4, 1e9);
        let signal = Signal::new(Seconds::ZERO, seconds(step), samples);
        let finding = Detector::default().detect(&signal);
        assert!((period(&finding).unwrap() / step - 20.0).abs() < 1e-9);
        assert_sound(&finding, &signal);
        assert_bytes_add_up(&finding, &signal);
    }
}

#[test]
fn a_step_of_no_length_is_answered() {
    let signal = Signal::new(Seconds::ZERO, Seconds::ZERO, train(400, 20, 4, 1e9));
    let finding = Detector::default().detect(&signal);
    assert!(rhythms(&finding).all(|rhythm| (0.0..=1.0).contains(&rhythm.confidence)));
}

#[test]
fn a_threshold_only_moves_the_line_between_periodic_and_not() {
    let signal = signal(train(120, 20, 4, 1e9));
    let at = |threshold| Detector { threshold }.detect(&signal);
    let (never, always) = (at(1.1), at(0.0));
    assert!(!never.is_periodic() && always.is_periodic());
    assert_eq!(never.candidate.as_ref(), always.main());
}

/// Any numbers at all.
fn anything() -> impl Strategy<Value = Vec<f64>> {
    let odd = prop_oneof![
        Just(f64::NAN),
        Just(f64::INFINITY),
        Just(-1.0),
        Just(f64::MAX),
        Just(5e-324),
        any::<f64>(),
    ];
    let sample = prop_oneof![
        6 => Just(0.0),
        3 => 0.0..1e9_f64,
        1 => odd,
    ];
    prop::collection::vec(sample, 0..300)
}

/// Rates between 0 and 1 GB/s, most of them idle or not.
fn rates() -> impl Strategy<Value = Vec<f64>> {
    let sample = |idle: u32| prop_oneof![idle => Just(0.0), 4 => 1e6..1e9_f64];
    (0..40_u32).prop_flat_map(move |idle| prop::collection::vec(sample(idle + 1), 6..400))
}

/// Bursts about as far apart as each other, in a background.
fn bursts() -> impl Strategy<Value = Vec<f64>> {
    let each = (0.8..1.2_f64, 0.5..1.5_f64);
    let all = prop::collection::vec(each, 3..30);
    (all, 4..40_usize, 1..12_usize, 0.0..0.3_f64).prop_map(|(each, pause, length, noise)| {
        let mut samples = Vec::new();
        for (stretch, volume) in each {
            let idle = (pause as f64 * stretch) as usize;
            samples.extend((0..idle).map(|i| noise * 1e8 * (1.0 + (i as f64 * 2.4).sin())));
            samples.extend((0..length).map(|i| 1e9 * volume * (1.0 + 0.1 * (i as f64).cos())));
        }
        samples
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn anything_is_answered(samples in anything(), start in -1e9..1e9_f64, step in 1e-6..1e3_f64) {
        let signal = Signal::new(seconds(start), seconds(step), samples);
        assert_sound(&Detector::default().detect(&signal), &signal);
    }

    #[test]
    fn bytes_add_up(samples in prop_oneof![rates(), bursts()], step in 1e-3..1e3_f64) {
        let signal = Signal::new(Seconds::ZERO, seconds(step), samples);
        let finding = Detector::default().detect(&signal);
        assert_sound(&finding, &signal);
        assert_bytes_add_up(&finding, &signal);
    }

    #[test]
    fn the_unit_of_bytes_does_not_matter(samples in prop_oneof![rates(), bursts()], unit in prop_oneof![Just(1.0 / 1048576.0), Just(1048576.0)]) {
        // Powers of two, which round nothing: of two periods that fit equally well, the last digit of a
        // sample decides.
        let scaled = samples.iter().map(|rate| rate * unit).collect();
        let (one, other) = (detect(samples), detect(scaled));
        prop_assert_eq!(one.verdict, other.verdict);
        prop_assert_eq!(one.rhythms.len(), other.rhythms.len());
        for (one, other) in rhythms(&one).zip(rhythms(&other)) {
            let ratio = one.period.value.get() / other.period.value.get();
            prop_assert!((ratio - 1.0).abs() < 1e-9, "{} {}", one.period.value, other.period.value);
        }
    }

    #[test]
    fn the_origin_of_time_does_not_matter(samples in prop_oneof![rates(), bursts()], start in -1e9..2e9_f64) {
        let moved = Signal::new(seconds(start), seconds(1.0), samples.clone());
        let (one, other) = (detect(samples), Detector::default().detect(&moved));
        prop_assert_eq!(one.verdict, other.verdict);
        prop_assert_eq!(one.segments.len(), other.segments.len());
        for (one, other) in rhythms(&one).zip(rhythms(&other)) {
            prop_assert_eq!(one.period, other.period);
            prop_assert_eq!(one.phases.len(), other.phases.len());
            for (one, other) in one.phases.iter().zip(&other.phases) {
                prop_assert!((one.start.get() + start - other.start.get()).abs() < 1e-5);
                prop_assert_eq!(one.bytes, other.bytes);
            }
        }
    }
}

/// Bursts of these lengths at these starts, a second a sample.
fn moving(seconds: usize, at: impl IntoIterator<Item = (usize, usize)>, rate: f64) -> Vec<f64> {
    let mut samples = vec![0.0; seconds];
    for (start, length) in at {
        for sample in samples.iter_mut().skip(start).take(length) {
            *sample += rate;
        }
    }
    samples
}

#[test]
fn a_phase_that_is_missing_does_not_change_the_period() {
    for missing in [2, 5, 17, 37] {
        let phases = (0..40).filter(|i| *i != missing);
        let samples = moving(2400, phases.map(|i| (60 * i, 3)), 1e9);
        let finding = detect(samples);
        let main = finding.main().expect("a rhythm");
        assert!(
            (main.period.value.get() - 60.0).abs() < 0.1,
            "{missing}: {:?}",
            main.period
        );
        assert_eq!(main.phases.len(), 39);
    }
}

#[test]
fn two_rhythms_that_have_nothing_to_do_with_each_other_are_both_found() {
    for (first, second) in [(30, 77), (30, 53), (25, 61)] {
        let often = moving(3000, (0..3000 / first).map(|i| (first * i, 3)), 2e8);
        let rarely = moving(3000, (0..3000 / second).map(|i| (second * i, 5)), 1e8);
        let both = often.iter().zip(&rarely).map(|(a, b)| a + b).collect();
        let finding = detect(both);
        let found: Vec<f64> = finding
            .rhythms
            .iter()
            .map(|one| one.period.value.get())
            .collect();
        for truth in [first as f64, second as f64] {
            let near = |period: &f64| (period / truth - 1.0).abs() < 0.01;
            assert!(found.iter().any(near), "{first} and {second}: {found:?}");
        }
    }
}

#[test]
fn steps_inside_clusters_at_any_time_are_no_rhythm_of_the_whole() {
    let clusters = [
        13, 170, 411, 430, 866, 1190, 1207, 1475, 1900, 2314, 2391, 2800,
    ];
    let steps = clusters
        .iter()
        .flat_map(|start| (0..4).map(move |i| (start + 4 * i, 1)));
    let finding = detect(moving(3000, steps, 1e9));
    for rhythm in &finding.rhythms {
        assert!(rhythm.phases.iter().all(|phase| phase.bytes.get() > 0.0));
        assert!(rhythm.phases.len() <= 48, "{:?}", rhythm.period);
    }
}

#[test]
fn a_smooth_wave_repeats_wherever_the_run_ends() {
    for cycles in [4.4, 5.5, 6.4, 8.4, 10.4] {
        let wave = |i: usize| 1e8 * (1.0 + 0.3 * (std::f64::consts::TAU * i as f64 / 40.0).sin());
        let samples = (0..(40.0 * cycles) as usize).map(wave).collect();
        let finding = detect(samples);
        let main = finding
            .main()
            .unwrap_or_else(|| panic!("{cycles} cycles: {finding:?}"));
        assert!(
            (main.period.value.get() / 40.0 - 1.0).abs() < 0.08,
            "{cycles}: {:?}",
            main.period
        );
    }
}

#[test]
fn bursts_of_one_sample_repeat_at_any_period() {
    for period in (100..1500).step_by(20) {
        let samples = moving(20 * period, (0..20).map(|i| (period * i, 1)), 1e9);
        let finding = detect(samples);
        let main = finding
            .main()
            .unwrap_or_else(|| panic!("{period} s: {:?}", finding.verdict));
        assert!(
            (main.period.value.get() - period as f64).abs() < 0.5,
            "{:?}",
            main.period
        );
    }
}
