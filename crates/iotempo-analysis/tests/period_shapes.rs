//! Hard cases whose answers are known: periods, phases with their bytes, when the next one is due,
//! where behaviour changes.
#![allow(clippy::unwrap_used)]

use iotempo_analysis::period::{Detector, PeriodFinding, Rhythm};
use iotempo_model::{Hertz, Seconds, Signal};
use iotempo_sim::server::{Application, Runs, ServerSamples};
use iotempo_sim::{Shape, ShapeKind, TrueRhythm, Truth};

/// Far from the seeds of the experiments page.
const SEEDS: std::ops::Range<u64> = 500..520;

/// A case at 1 Hz: what was found, and what is true.
struct Case {
    shape: Shape,
    finding: PeriodFinding,
    truth: Truth,
}

impl Case {
    fn new(shape: Shape) -> Self {
        let (signal, truth) = shape.signal(Hertz::new(1.0).unwrap()).unwrap();
        Self {
            shape,
            finding: Detector::default().detect(&signal),
            truth,
        }
    }

    /// What was found of the true rhythm of this name: a period within 2 %, no matter which rank.
    fn found(&self, name: &str) -> (&Rhythm, &TrueRhythm) {
        let truth = self.true_rhythm(name);
        let period = truth.mean_period().unwrap().get();
        let near = |rhythm: &&Rhythm| (rhythm.period.value.get() / period - 1.0).abs() < 0.02;
        let found = self.finding.rhythms.iter().find(near);
        (found.unwrap_or_else(|| panic!("no {name}: {self}")), truth)
    }

    fn true_rhythm(&self, name: &str) -> &TrueRhythm {
        let mut rhythms = self.truth.rhythms.iter();
        rhythms.find(|rhythm| rhythm.name == name).unwrap()
    }

    /// When the phase after the last one begins: the same run, one repetition longer.
    fn next_start(&self, name: &str) -> f64 {
        let shape = Shape {
            repetitions: self.shape.repetitions + 1,
            ..self.shape
        };
        let longer = shape.generate().unwrap().truth;
        let rhythm = longer.rhythms.iter().find(|rhythm| rhythm.name == name);
        rhythm.unwrap().phases.last().unwrap().start.get()
    }
}

impl std::fmt::Display for Case {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Shape { kind, seed, .. } = self.shape;
        write!(f, "{} {seed}: {:?}", kind.name(), self.finding)
    }
}

fn cases(kind: ShapeKind) -> impl Iterator<Item = Case> {
    SEEDS.map(move |seed| {
        Case::new(Shape {
            seed,
            ..Shape::new(kind)
        })
    })
}

/// How far found phases are from the true ones next to them.
#[derive(Clone, Copy)]
struct Tolerance {
    /// In samples, which are seconds.
    start: f64,
    /// As a share.
    bytes: f64,
}

const USUAL: Tolerance = Tolerance {
    start: 1.0,
    bytes: 0.03,
};

/// The phases of a rhythm are true ones, all of them or all but as many as may be hidden.
fn assert_phases(case: &Case, name: &str, hidden: usize, tolerance: Tolerance) {
    let (found, truth) = case.found(name);
    let (seen, all) = (found.phases.len(), truth.phases.len());
    assert!(
        seen <= all && seen + hidden >= all,
        "{seen} of {all}: {case}"
    );
    for phase in &found.phases {
        let off = |start: f64| (start - phase.start.get()).abs();
        let next = truth.phases.iter().min_by(|a, b| {
            let (a, b) = (off(a.start.get()), off(b.start.get()));
            a.total_cmp(&b)
        });
        let next = next.unwrap();
        assert!(
            off(next.start.get()) <= tolerance.start,
            "{phase:?} {next:?} {case}"
        );
        let bytes = (phase.bytes.get() / next.bytes.get() - 1.0).abs();
        assert!(bytes <= tolerance.bytes, "{phase:?} {next:?} {case}");
    }
    let bytes: f64 = truth.bytes().get() * seen as f64 / all as f64;
    assert!((found.bytes.get() / bytes - 1.0).abs() <= tolerance.bytes);
}

/// The true mean period, the phases, and mostly when the next one is due, lie where they are said to.
fn assert_rhythm(kind: ShapeKind, name: &str, tolerance: Tolerance) {
    let (mut due, mut inside) = (0, 0);
    for case in cases(kind) {
        let (found, truth) = case.found(name);
        let period = truth.mean_period().unwrap();
        assert!(
            found.period.low <= period && period <= found.period.high,
            "{case}"
        );
        assert_phases(&case, name, 0, tolerance);
        let next = found.next_start.unwrap_or_else(|| panic!("{case}"));
        assert!(next.value.get() >= case.truth.span.get() - 1.0, "{case}");
        let truth = case.next_start(name);
        due += 1;
        inside += u32::from((next.low.get()..=next.high.get()).contains(&truth));
    }
    // An interval of 95 %.
    assert!(10 * inside >= 9 * due, "{} {inside} of {due}", kind.name());
}

/// Nothing but these rhythms, and one stretch of behaviour.
fn assert_nothing_else(kind: ShapeKind, rhythms: usize) {
    for case in cases(kind) {
        assert_eq!(case.finding.rhythms.len(), rhythms, "{case}");
        assert_eq!(case.finding.segments.len(), 1, "{case}");
    }
}

#[test]
fn bursts_that_leave_nearly_all_samples_idle_are_found() {
    assert_rhythm(ShapeKind::LowDuty, "bursts", USUAL);
    assert_nothing_else(ShapeKind::LowDuty, 1);
}

#[test]
fn four_repetitions_are_enough() {
    assert_rhythm(ShapeKind::FewRepetitions, "bursts", USUAL);
    assert_nothing_else(ShapeKind::FewRepetitions, 1);
}

#[test]
fn a_long_first_phase_does_not_hide_the_rhythm_and_is_a_segment_of_its_own() {
    assert_rhythm(ShapeKind::LongFirst, "bursts", USUAL);
    for case in cases(ShapeKind::LongFirst) {
        let periods = case
            .finding
            .segments
            .iter()
            .map(|part| part.period.is_some());
        assert_eq!(periods.collect::<Vec<_>>(), [false, true], "{case}");
        assert_change(&case, 40.0);
    }
}

#[test]
fn checkpoints_and_logs_are_both_found_with_what_each_moves() {
    for case in cases(ShapeKind::TwoPeriods) {
        assert_eq!(case.finding.rhythms.len(), 2, "{case}");
        let first = case.finding.main().unwrap();
        assert!((first.period.value.get() - 120.0).abs() < 5.0, "{case}");
        // Logs that fall into a checkpoint add to it, and are hidden by it: up to three.
        let tolerance = Tolerance {
            start: 1.5,
            ..USUAL
        };
        assert_phases(&case, "checkpoints", 0, tolerance);
        assert_phases(&case, "logs", 3 * 15, USUAL);
    }
}

#[test]
fn a_period_that_grows_is_one_rhythm_of_its_mean_period() {
    for case in cases(ShapeKind::Drift) {
        assert_eq!(case.finding.rhythms.len(), 1, "{case}");
        assert_eq!(case.finding.segments.len(), 1, "{case}");
        assert_phases(&case, "bursts", 0, USUAL);
        // The last repetition is half as long again as the first.
        let jitter = case.finding.main().unwrap().jitter.unwrap();
        assert!((0.08..0.2).contains(&jitter), "{case}");
    }
}

/// The behaviour changes where it does, to the period.
fn assert_change(case: &Case, period: f64) {
    assert_eq!(case.finding.segments.len(), 2, "{case}");
    let found = case.finding.segments[1].start.get();
    let truth = case.truth.segments[1].start.get();
    assert!((found - truth).abs() <= period, "{found} {truth}: {case}");
}

#[test]
fn a_period_that_doubles_has_a_segment_before_and_one_after() {
    for case in cases(ShapeKind::Doubling) {
        assert_change(&case, 30.0);
        for (found, truth) in case.finding.segments.iter().zip(&case.truth.segments) {
            let found = found.period.unwrap().value.get();
            let truth = truth.period.unwrap().get();
            assert!((found / truth - 1.0).abs() < 0.02, "{case}");
        }
        let main = case.finding.main().unwrap();
        let next = case.next_start("bursts");
        let due = main.next_start.unwrap();
        assert!((due.value.get() - next).abs() < 6.0, "{case}");
        // The first rhythm is over.
        assert_eq!(case.finding.rhythms[1].next_start, None);
    }
}

#[test]
fn checkpoints_that_join_midway_are_a_segment_and_the_steps_go_on() {
    for case in cases(ShapeKind::Joining) {
        assert_change(&case, 160.0);
        let periods = case
            .finding
            .segments
            .iter()
            .map(|part| part.period.unwrap());
        let periods: Vec<f64> = periods.map(|period| period.value.get()).collect();
        assert!((periods[0] / 20.0 - 1.0).abs() < 0.02, "{case}");
        assert!((periods[1] / 160.0 - 1.0).abs() < 0.02, "{case}");
        assert_phases(&case, "checkpoints", 0, USUAL);
        // One step in eight falls into a checkpoint.
        assert_phases(&case, "steps", 6, USUAL);
    }
}

#[test]
fn steps_that_are_too_fast_for_the_samples_are_told_beside_the_epochs() {
    for case in cases(ShapeKind::Alias) {
        let (found, truth) = case.found("epochs");
        let period = truth.mean_period().unwrap().get();
        assert!(
            (found.period.value.get() / period - 1.0).abs() < 0.01,
            "{case}"
        );
        assert_phases(&case, "epochs", 0, USUAL);
        let alias = case.finding.alias.unwrap_or_else(|| panic!("{case}"));
        assert_eq!(alias.step.get(), 1.0);
        let step = |could_be: f64| (could_be / 1.36 - 1.0).abs() < 0.02;
        assert!(alias.could_be.iter().any(|s| step(s.get())), "{case}");
    }
}

#[test]
fn bursts_in_a_background_are_found_where_they_are() {
    // A third of what moves during a burst is not its own: the background is a quarter of it on
    // average, and at times twice that.
    let tolerance = Tolerance {
        start: 2.5,
        bytes: 0.55,
    };
    assert_rhythm(ShapeKind::Background, "bursts", tolerance);
    assert_nothing_else(ShapeKind::Background, 1);
}

#[test]
fn phases_of_three_bursts_are_not_taken_for_three_phases() {
    assert_rhythm(ShapeKind::MultiBurst, "phases", USUAL);
    assert_nothing_else(ShapeKind::MultiBurst, 1);
}

#[test]
fn every_case_is_certain_enough_and_its_bytes_are_ordered() {
    for kind in ShapeKind::ALL {
        for case in cases(kind) {
            let main = case.finding.main().unwrap_or_else(|| panic!("{case}"));
            assert!(main.confidence > 0.8, "{case}");
            let bytes = |rhythm: &Rhythm| rhythm.bytes;
            assert!(
                case.finding
                    .rhythms
                    .is_sorted_by(|a, b| bytes(a) >= bytes(b))
            );
        }
    }
}

#[test]
fn the_same_at_two_and_at_half_a_sample_a_second() {
    for kind in [
        ShapeKind::FewRepetitions,
        ShapeKind::Drift,
        ShapeKind::MultiBurst,
    ] {
        for rate in [0.5, 2.0] {
            let (signal, truth) = Shape::new(kind).signal(Hertz::new(rate).unwrap()).unwrap();
            let finding = Detector::default().detect(&signal);
            let found = finding.main().unwrap().period.value.get();
            let truth = truth.mean_period().unwrap().get();
            assert!((found / truth - 1.0).abs() < 0.02, "{} {rate}", kind.name());
        }
    }
}

/// One run after the other in a servers' log, each with the same bursts amid others' I/O: four pairs of them, 146 s and
/// 128 s apart. What repeats is the run, or within it the pair; no other harmonic of the run is a period.
#[test]
fn runs_one_after_the_other_repeat_as_a_whole() {
    let mut whole = 0;
    for seed in SEEDS.take(10) {
        let runs = Runs {
            seed,
            ..Runs::new(Application::ior_b())
        };
        let runs = runs.generate().unwrap().runs;
        let rest = [0.0; 30];
        let samples: Vec<f64> = runs
            .iter()
            .flat_map(|run| run.rates.iter().chain(&rest))
            .copied()
            .collect();
        let period = ServerSamples::STEP_S * samples.len() as f64 / runs.len() as f64;
        let seconds = |value| Seconds::new(value).unwrap();
        let signal = Signal::new(seconds(0.0), seconds(ServerSamples::STEP_S), samples);
        let finding = Detector::default().detect(&signal);
        let found = finding.best().map(|best| best.period.value.get());
        let near = |true_s: f64| found.is_some_and(|found| (found / true_s - 1.0).abs() < 0.02);
        let pair = near(274.6) || near(period / 4.0);
        assert!(near(period) || pair, "{seed}: {found:?} of {period} s");
        whole += i32::from(near(period));
    }
    assert!(whole >= 5, "{whole} of 10");
}
