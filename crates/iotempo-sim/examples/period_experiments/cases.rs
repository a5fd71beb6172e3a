//! Which signals the experiments are made with.

use iotempo_model::{Hertz, Seconds, Signal};
use iotempo_sim::{Aperiodic, NoiseLevel, SemiSynthetic, Shape, ShapeKind, Truth};

/// How many signals to make.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Plan {
    /// Traces of every point of an experiment.
    pub(crate) traces: u64,
    /// Signals without a period, of every kind and length.
    pub(crate) trials: u64,
}

/// An experiment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Experiment {
    /// Compute phases of any length, with and without noise.
    A,
    /// Ranks out of step.
    B,
    /// Compute phases of varying length.
    C,
    /// Phases of varying volume; not in the paper.
    D,
    /// Hard cases.
    Hard,
    /// Signals without a period.
    None,
}

/// How a signal is made.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Source {
    Semi(SemiSynthetic),
    Shape(Shape),
    Aperiodic(Aperiodic, usize),
}

/// One signal of an experiment.
#[derive(Debug, Clone)]
pub(crate) struct Case {
    pub(crate) experiment: Experiment,
    /// The point of the experiment, for people.
    pub(crate) point: String,
    /// What varies: seconds, a ratio, or a number of samples.
    pub(crate) x: f64,
    pub(crate) source: Source,
    pub(crate) seed: u64,
}

/// Mean compute time in seconds where it does not vary.
const COMPUTE: f64 = 11.0;

pub(crate) fn seconds(value: f64) -> Seconds {
    Seconds::new(value).unwrap_or_default()
}

/// The sampling rate of all experiments.
pub(crate) fn rate() -> Hertz {
    Hertz::new(1.0).expect("positive")
}

/// A point of an experiment.
struct Point {
    experiment: Experiment,
    label: String,
    x: f64,
    source: Source,
}

impl Point {
    fn semi(experiment: Experiment, label: String, x: f64, semi: SemiSynthetic) -> Self {
        Self {
            experiment,
            label,
            x,
            source: Source::Semi(semi),
        }
    }
}

fn compute_times() -> impl Iterator<Item = Point> {
    let usual = SemiSynthetic::default();
    NoiseLevel::ALL.into_iter().flat_map(move |noise| {
        [0.25, 0.5, 1.0, 2.0, 4.0].into_iter().map(move |times| {
            let mean = times * COMPUTE;
            let semi = SemiSynthetic {
                compute_mean: seconds(mean),
                noise,
                ..usual
            };
            let label = match noise {
                NoiseLevel::None => format!("{mean} s"),
                noise => format!("{mean} s, {} noise", noise.name()),
            };
            Point::semi(Experiment::A, label, mean, semi)
        })
    })
}

fn delays() -> impl Iterator<Item = Point> {
    [0.0, 2.0, 5.5, 11.0, 22.0, 44.0].into_iter().map(|delay| {
        let semi = SemiSynthetic {
            desync: seconds(delay),
            ..SemiSynthetic::default()
        };
        Point::semi(Experiment::B, format!("{delay} s"), delay, semi)
    })
}

fn variations() -> impl Iterator<Item = Point> {
    (0..34).map(|tenths| {
        let ratio = f64::from(tenths) / 10.0;
        let semi = SemiSynthetic {
            compute_sigma: seconds(ratio * COMPUTE),
            ..SemiSynthetic::default()
        };
        Point::semi(Experiment::C, format!("{ratio}"), ratio, semi)
    })
}

fn volumes() -> impl Iterator<Item = Point> {
    let usual = SemiSynthetic::default();
    let varied = [
        ("σ/µ = 1", COMPUTE, 0.0),
        ("ϕ = 5.5 s", 0.0, 5.5),
        ("ϕ = 22 s", 0.0, 22.0),
    ];
    varied.into_iter().flat_map(move |(name, sigma, delay)| {
        [0.1, 0.3, 0.5].into_iter().map(move |spread| {
            let semi = SemiSynthetic {
                compute_sigma: seconds(sigma),
                desync: seconds(delay),
                volume_spread: spread,
                ..usual
            };
            let label = format!("{name}, volumes ± {} %", spread * 100.0);
            Point::semi(Experiment::D, label, spread, semi)
        })
    })
}

fn hard_cases() -> impl Iterator<Item = Point> {
    // HACC-IO is measured as it was in the paper, while it runs: docs/experiments/online.md.
    let whole = |kind: &ShapeKind| *kind != ShapeKind::DelayedFirst;
    ShapeKind::ALL.into_iter().filter(whole).map(|kind| {
        let shape = Shape::new(kind);
        Point {
            experiment: Experiment::Hard,
            label: kind.name().to_owned(),
            x: shape.period.get(),
            source: Source::Shape(shape),
        }
    })
}

/// Signals without a period, by name.
pub(crate) const APERIODIC: [(&str, Aperiodic); 7] = [
    ("white noise, abs(N(0, 1))", Aperiodic::WhiteNoise),
    ("white noise, uniform", Aperiodic::UniformNoise),
    ("5 % bursts, random rates", Aperiodic::SPARSE),
    (
        "5 % bursts, equal rates",
        Aperiodic::EqualBursts { probability: 0.05 },
    ),
    ("a single burst", Aperiodic::SingleBurst),
    ("random walk", Aperiodic::RandomWalk),
    ("constant", Aperiodic::Constant),
];

fn without_period() -> impl Iterator<Item = Point> {
    APERIODIC.into_iter().flat_map(|(name, kind)| {
        [60, 240, 1000, 4000].into_iter().map(move |len| Point {
            experiment: Experiment::None,
            label: name.to_owned(),
            x: len as f64,
            source: Source::Aperiodic(kind, len),
        })
    })
}

impl Plan {
    /// All signals, in order. Seeds start far from those that people try by hand.
    pub(crate) fn cases(&self) -> Vec<Case> {
        let points = compute_times()
            .chain(delays())
            .chain(variations())
            .chain(volumes())
            .chain(hard_cases())
            .chain(without_period());
        let mut cases = Vec::new();
        for (index, point) in points.enumerate() {
            let count = match point.experiment {
                Experiment::None => self.trials,
                _ => self.traces,
            };
            for number in 0..count {
                cases.push(Case {
                    experiment: point.experiment,
                    point: point.label.clone(),
                    x: point.x,
                    source: point.source,
                    seed: 7_000_000_000 + 1_000_000 * index as u64 + number,
                });
            }
        }
        cases
    }
}

impl Case {
    /// Whether both belong to the same point.
    pub(crate) fn is_beside(&self, other: &Self) -> bool {
        self.experiment == other.experiment && self.point == other.point && self.x == other.x
    }

    /// The signal at 1 Hz over the whole run, and what is true of it.
    pub(crate) fn signal(&self) -> (Signal, Truth) {
        let seed = self.seed;
        let made = match self.source {
            Source::Semi(semi) => SemiSynthetic { seed, ..semi }.signal(rate()),
            Source::Shape(shape) => Shape { seed, ..shape }.signal(rate()),
            Source::Aperiodic(kind, len) => {
                let signal = kind.signal(len, seed);
                signal.map(|signal| (signal, Truth::default()))
            }
        };
        made.expect("the parameters above make sense")
    }
}
