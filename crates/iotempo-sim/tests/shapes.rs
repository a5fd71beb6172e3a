//! Hard cases are hard in the way that their names say, and their truth is that of their requests.
#![allow(clippy::unwrap_used)]

mod common;

use common::checksum;
use iotempo_model::{Bytes, Hertz, Interval, Op, Request, Seconds};
use iotempo_sim::{Aperiodic, Shape, ShapeKind, SimError, Synthetic, TrueRhythm};

fn made(kind: ShapeKind, seed: u64) -> Synthetic {
    let shape = Shape {
        seed,
        ..Shape::new(kind)
    };
    shape.generate().unwrap()
}

/// The requests of a rhythm: those on its files.
fn requests<'a>(made: &'a Synthetic, rhythm: &'a str) -> impl Iterator<Item = Request> + 'a {
    made.trace.iter().filter(move |request| {
        let name = made.trace.files.name(request.file).unwrap();
        name.split('.').next() == Some(rhythm)
    })
}

fn mean(rhythm: &TrueRhythm) -> f64 {
    rhythm.mean_period().unwrap().get()
}

#[test]
fn phases_hold_the_bytes_and_the_bounds_of_their_requests() {
    for kind in ShapeKind::ALL {
        let made = made(kind, 3);
        for rhythm in &made.truth.rhythms {
            // Epochs are made of the requests of steps.
            let name = if rhythm.name == "epochs" {
                "steps"
            } else {
                rhythm.name
            };
            let all: Bytes = requests(&made, name).map(|r| r.bytes).sum();
            assert_eq!(all, rhythm.bytes(), "{kind:?} {name}");
            for phase in &rhythm.phases {
                let inside = requests(&made, name)
                    .filter(|r| r.when.start() >= phase.start && r.when.end() <= phase.end);
                let hull = inside.map(|r| r.when).reduce(Interval::hull).unwrap();
                assert_eq!((hull.start(), hull.end()), (phase.start, phase.end));
            }
        }
    }
}

#[test]
fn rhythms_are_sorted_and_segments_cover_the_run() {
    for kind in ShapeKind::ALL {
        let truth = made(kind, 4).truth;
        let volumes: Vec<f64> = truth.rhythms.iter().map(|r| r.bytes().get()).collect();
        assert!(volumes.is_sorted_by(|a, b| a >= b), "{kind:?}");
        assert_eq!(truth.segments[0].start, Seconds::ZERO);
        assert_eq!(truth.segments.last().unwrap().end, truth.span);
        assert!(truth.segments.windows(2).all(|w| w[0].end == w[1].start));
        assert!(truth.active_fraction > 0.0 && truth.active_fraction < 1.0);
    }
}

#[test]
fn the_mean_period_is_near_the_one_that_was_asked_for() {
    for kind in ShapeKind::ALL {
        let shape = Shape::new(kind);
        let truth = shape.generate().unwrap().truth;
        let expected = match kind {
            ShapeKind::DelayedFirst => 8.7 / 7.7,
            ShapeKind::Drift => 1.25,
            ShapeKind::Doubling => 1.5,
            ShapeKind::Joining => 8.0,
            _ => 1.0,
        } * shape.period.get();
        let got = truth.mean_period().unwrap().get();
        // Four standard errors of the mean of the repetitions.
        let stray = 4.0 * shape.jitter / f64::from(shape.repetitions).sqrt();
        assert!(
            (got / expected - 1.0).abs() < stray,
            "{kind:?} {got} {expected}"
        );
    }
}

#[test]
fn repetitions_stray_as_much_as_they_are_told_to() {
    let shape = Shape {
        repetitions: 4000,
        jitter: 0.1,
        ..Shape::new(ShapeKind::LowDuty)
    };
    let truth = shape.generate().unwrap().truth;
    let (periods, mean) = (&truth.rhythms[0].periods, mean(&truth.rhythms[0]));
    let variance = periods
        .iter()
        .map(|p| (p.get() - mean).powi(2))
        .sum::<f64>()
        / 4000.0;
    assert!(
        (variance.sqrt() / 100.0 - 0.1).abs() < 0.006,
        "{}",
        variance.sqrt()
    );
    let even = Shape {
        jitter: 0.0,
        ..shape
    }
    .generate()
    .unwrap()
    .truth;
    assert!(even.rhythms[0].periods.iter().all(|p| p.get() == 100.0));
}

#[test]
fn low_duty_is_idle_nearly_all_the_time() {
    let truth = made(ShapeKind::LowDuty, 1).truth;
    assert!((truth.active_fraction - 0.002).abs() < 1e-4);
}

#[test]
fn a_long_first_phase_is_no_repetition() {
    let made = made(ShapeKind::LongFirst, 1);
    let truth = &made.truth;
    assert_eq!(truth.rhythms.len(), 1);
    assert_eq!(truth.rhythms[0].phases.len(), 20);
    assert_eq!(truth.segments.len(), 2);
    assert_eq!(
        (truth.segments[0].end.get(), truth.segments[0].period),
        (120.0, None)
    );
    assert_eq!(truth.segments[1].period, truth.mean_period());
    let first = made.trace.iter().next().unwrap();
    assert_eq!(first.when.length().get(), 120.0);
}

#[test]
fn logs_come_twelve_times_as_often_as_checkpoints() {
    let truth = made(ShapeKind::TwoPeriods, 1).truth;
    let names: Vec<_> = truth.rhythms.iter().map(|r| r.name).collect();
    assert_eq!(names, ["checkpoints", "logs"]);
    assert_eq!(mean(&truth.rhythms[1]), 10.0);
}

#[test]
fn the_period_doubles_midway() {
    let truth = made(ShapeKind::Doubling, 1).truth;
    let periods: Vec<f64> = truth
        .segments
        .iter()
        .map(|s| s.period.unwrap().get())
        .collect();
    assert!(
        (periods[0] - 30.0).abs() < 1.0 && (periods[1] - 60.0).abs() < 2.0,
        "{periods:?}"
    );
}

#[test]
fn checkpoints_join_midway() {
    let truth = made(ShapeKind::Joining, 1).truth;
    let names: Vec<_> = truth.rhythms.iter().map(|r| r.name).collect();
    assert_eq!(names, ["checkpoints", "steps"]);
    assert!(truth.rhythms[0].phases[0].start > truth.segments[1].start);
    let periods: Vec<f64> = truth
        .segments
        .iter()
        .map(|s| s.period.unwrap().get())
        .collect();
    assert!(
        (periods[0] - 20.0).abs() < 0.5 && (periods[1] - 160.0).abs() < 4.0,
        "{periods:?}"
    );
}

#[test]
fn epochs_read_in_steps_that_one_hertz_cannot_show() {
    let made = made(ShapeKind::Alias, 1);
    assert!(made.trace.iter().all(|r| r.op == Op::Read));
    let truth = &made.truth;
    assert_eq!(truth.rhythms[0].name, "epochs");
    assert!((mean(&truth.rhythms[1]) - 1.36).abs() < 1e-9);
    let steps = truth.rhythms[1].phases.len() as f64 / 10.0;
    assert!((steps - 0.9 * 139.0 / 1.36).abs() < 3.0, "{steps}");
}

#[test]
fn phases_of_three_bursts_are_idle_inside() {
    let made = made(ShapeKind::MultiBurst, 1);
    assert_eq!(made.trace.len(), 20 * 4 * 3);
    let phase = made.truth.rhythms[0].phases[0];
    assert!(((phase.end.get() - phase.start.get()) - 0.23 * 60.0).abs() < 1e-6);
}

#[test]
fn signals_hold_every_byte_and_the_whole_run() {
    for kind in ShapeKind::ALL {
        let made = made(kind, 6);
        for rate in [0.1, 1.0, 7.0] {
            let signal = made.signal(Hertz::new(rate).unwrap()).unwrap();
            let volume = made.trace.volume().get();
            assert!((signal.volume().get() - volume).abs() <= 1e-9 * volume);
            let length = signal.samples().len() as f64 / rate;
            assert!((0.0..1.0 / rate + 1e-6).contains(&(length - made.truth.span.get())));
        }
    }
}

#[test]
fn requests_without_a_period_give_their_signal_back() {
    let one = Hertz::new(1.0).unwrap();
    for kind in [
        Aperiodic::WhiteNoise,
        Aperiodic::SPARSE,
        Aperiodic::SingleBurst,
    ] {
        let made = kind.generate(240, 9).unwrap();
        assert_eq!(made.signal(one).unwrap(), kind.signal(240, 9).unwrap());
        assert_eq!(made.truth.mean_period(), None);
    }
    let idle = Aperiodic::EqualBursts { probability: 0.0 };
    let made = idle.generate(10, 0).unwrap();
    assert_eq!(made.signal(one).unwrap().samples(), [0.0; 10]);
}

#[test]
fn parameters_that_make_no_trace_are_refused() {
    let plain = Shape::new(ShapeKind::Alias);
    let s = |value| Seconds::new(value).unwrap();
    for (bad, name) in [
        (
            Shape {
                period: s(0.0),
                ..plain
            },
            "period",
        ),
        (
            Shape {
                repetitions: 0,
                ..plain
            },
            "repetitions",
        ),
        (Shape { ranks: 0, ..plain }, "ranks"),
        (
            Shape {
                jitter: f64::NAN,
                ..plain
            },
            "jitter",
        ),
    ] {
        let error = bad.generate().unwrap_err();
        assert!(error.to_string().starts_with(name), "{error}");
    }
    let many = Shape {
        repetitions: 1_000_000,
        ..plain
    };
    assert!(matches!(
        many.generate(),
        Err(SimError::TooManyRequests { .. })
    ));
    let long = Shape {
        period: s(1e7),
        repetitions: 10_000,
        ranks: 1,
        ..plain
    };
    assert_eq!(long.generate().err(), Some(SimError::TooLong));
}

#[test]
fn one_repetition_of_anything_is_a_trace() {
    for kind in ShapeKind::ALL {
        for period in [0.001, 1.0, 1000.0] {
            let shape = Shape {
                repetitions: 1,
                period: Seconds::new(period).unwrap(),
                ..Shape::new(kind)
            };
            assert!(!shape.generate().unwrap().trace.is_empty(), "{kind:?}");
        }
    }
}

#[test]
fn a_seed_is_a_trace() {
    let all = |seed| ShapeKind::ALL.map(|kind| checksum(&made(kind, seed).trace));
    let (one, other) = (all(1), all(2));
    assert_eq!(one, all(1));
    assert!(one.iter().zip(&other).all(|(a, b)| a != b));
    let together = one
        .iter()
        .fold(0_u64, |sum, part| sum.rotate_left(7) ^ part);
    assert_eq!(together, 8_442_366_132_722_388_448);
}
