//! Which generator, with which parameters.

use super::words::{GenerateArgs, Kind, Noise};
use crate::settings::usage_error;
use iotempo_model::Seconds;
use iotempo_sim::{
    Aperiodic, Grain, NoiseLevel, SemiSynthetic, Shape, ShapeKind, SimError, Synthetic,
};
use serde::Serialize;

/// A generator with all its parameters.
pub(super) struct Generator {
    kind: Kind,
    made_by: MadeBy,
}

#[derive(Debug, Clone, Copy)]
enum MadeBy {
    Semi(SemiSynthetic),
    Shape(Shape),
    Aperiodic(Aperiodic, usize),
}

/// All parameters in force.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub(super) enum Parameters {
    Semi {
        ranks: u32,
        iterations: u32,
        compute_mean_s: f64,
        compute_sigma_s: f64,
        desync_s: f64,
        volume_spread_fraction: f64,
        noise: &'static str,
        fine: bool,
    },
    Shape {
        ranks: u32,
        period_s: f64,
        repetitions: u32,
        jitter_fraction: f64,
    },
    Aperiodic {
        samples: usize,
        #[serde(skip_serializing_if = "Option::is_none")]
        probability: Option<f64>,
        #[serde(skip_serializing_if = "Option::is_none")]
        equal: Option<bool>,
        #[serde(skip_serializing_if = "Option::is_none")]
        uniform: Option<bool>,
    },
}

impl Generator {
    /// # Errors
    /// Where a parameter is one of another kind.
    pub(super) fn new(words: &GenerateArgs) -> Result<Self, clap::Error> {
        refuse_foreign(words)?;
        let kind = words.kind;
        let made_by = match (shape_of(kind), aperiodic(words)) {
            (Some(shape), _) => MadeBy::Shape(shape_with(shape, words)),
            (None, Some(other)) => {
                MadeBy::Aperiodic(other, words.aperiodic.samples.unwrap_or(1000))
            }
            (None, None) => MadeBy::Semi(semi(words)),
        };
        Ok(Self { kind, made_by })
    }

    pub(super) fn kind(&self) -> Kind {
        self.kind
    }

    /// The trace of a seed, and the truth about it.
    pub(super) fn generate(&self, seed: u64) -> Result<Synthetic, SimError> {
        match self.made_by {
            MadeBy::Semi(settings) => SemiSynthetic { seed, ..settings }.generate(),
            MadeBy::Shape(settings) => Shape { seed, ..settings }.generate(),
            MadeBy::Aperiodic(kind, samples) => kind.generate(samples, seed),
        }
    }

    /// All parameters in force, as results state them.
    pub(super) fn parameters(&self) -> Parameters {
        match self.made_by {
            MadeBy::Semi(settings) => Parameters::Semi {
                ranks: settings.ranks,
                iterations: settings.iterations,
                compute_mean_s: settings.compute_mean.get(),
                compute_sigma_s: settings.compute_sigma.get(),
                desync_s: settings.desync.get(),
                volume_spread_fraction: settings.volume_spread,
                noise: settings.noise.name(),
                fine: settings.grain == Grain::Fine,
            },
            MadeBy::Shape(settings) => Parameters::Shape {
                ranks: settings.ranks,
                period_s: settings.period.get(),
                repetitions: settings.repetitions,
                jitter_fraction: settings.jitter,
            },
            MadeBy::Aperiodic(kind, samples) => aperiodic_parameters(kind, samples),
        }
    }
}

fn aperiodic_parameters(kind: Aperiodic, samples: usize) -> Parameters {
    let (probability, equal, uniform) = match kind {
        Aperiodic::SparseBursts { probability } => (Some(probability), Some(false), None),
        Aperiodic::EqualBursts { probability } => (Some(probability), Some(true), None),
        Aperiodic::WhiteNoise => (None, None, Some(false)),
        Aperiodic::UniformNoise => (None, None, Some(true)),
        Aperiodic::SingleBurst | Aperiodic::RandomWalk | Aperiodic::Constant => (None, None, None),
    };
    Parameters::Aperiodic {
        samples,
        probability,
        equal,
        uniform,
    }
}

fn semi(words: &GenerateArgs) -> SemiSynthetic {
    let usual = SemiSynthetic::default();
    let given = &words.semi;
    SemiSynthetic {
        ranks: given.ranks.unwrap_or(usual.ranks),
        iterations: given.iterations.unwrap_or(usual.iterations),
        compute_mean: given.compute_mean.unwrap_or(usual.compute_mean),
        compute_sigma: given.compute_sigma.unwrap_or(usual.compute_sigma),
        desync: given.desync.unwrap_or(usual.desync),
        volume_spread: given.volume_spread.unwrap_or(usual.volume_spread),
        noise: match given.noise {
            None | Some(Noise::None) => NoiseLevel::None,
            Some(Noise::Low) => NoiseLevel::Low,
            Some(Noise::High) => NoiseLevel::High,
        },
        grain: if given.fine {
            Grain::Fine
        } else {
            Grain::Coarse
        },
        seed: 0,
    }
}

fn shape_of(kind: Kind) -> Option<ShapeKind> {
    let name = kind.name();
    ShapeKind::ALL
        .into_iter()
        .find(|shape| shape.name() == name)
}

fn shape_with(kind: ShapeKind, words: &GenerateArgs) -> Shape {
    let usual = Shape::new(kind);
    Shape {
        period: words.shape.period.unwrap_or(usual.period),
        repetitions: words.shape.repetitions.unwrap_or(usual.repetitions),
        ranks: words.semi.ranks.unwrap_or(usual.ranks),
        jitter: words.shape.jitter.unwrap_or(usual.jitter),
        ..usual
    }
}

fn aperiodic(words: &GenerateArgs) -> Option<Aperiodic> {
    let probability = words.aperiodic.probability.unwrap_or(0.05);
    Some(match words.kind {
        Kind::Bursts if words.aperiodic.equal => Aperiodic::EqualBursts { probability },
        Kind::Bursts => Aperiodic::SparseBursts { probability },
        Kind::Noise if words.aperiodic.uniform => Aperiodic::UniformNoise,
        Kind::Noise => Aperiodic::WhiteNoise,
        Kind::Walk => Aperiodic::RandomWalk,
        Kind::Constant => Aperiodic::Constant,
        Kind::Single => Aperiodic::SingleBurst,
        _ => return None,
    })
}

/// Refuses parameters of other kinds: they would change nothing, in silence.
fn refuse_foreign(words: &GenerateArgs) -> Result<(), clap::Error> {
    let (semi, shape, other) = (&words.semi, &words.shape, &words.aperiodic);
    let kind = words.kind;
    let is_semi = kind == Kind::Semi;
    let is_shape = shape_of(kind).is_some();
    let is_other = !is_semi && !is_shape;
    let given = |seconds: Option<Seconds>| seconds.is_some();
    let words = [
        ("--ranks", semi.ranks.is_some(), is_semi || is_shape),
        ("--iterations", semi.iterations.is_some(), is_semi),
        ("--compute-mean", given(semi.compute_mean), is_semi),
        ("--compute-sigma", given(semi.compute_sigma), is_semi),
        ("--desync", given(semi.desync), is_semi),
        ("--volume-spread", semi.volume_spread.is_some(), is_semi),
        ("--noise", semi.noise.is_some(), is_semi),
        ("--fine", semi.fine, is_semi),
        ("--period", given(shape.period), is_shape),
        ("--repetitions", shape.repetitions.is_some(), is_shape),
        ("--jitter", shape.jitter.is_some(), is_shape),
        ("--samples", other.samples.is_some(), is_other),
        (
            "--probability",
            other.probability.is_some(),
            kind == Kind::Bursts,
        ),
        ("--equal", other.equal, kind == Kind::Bursts),
        ("--uniform", other.uniform, kind == Kind::Noise),
    ];
    match words.iter().find(|(_, given, fits)| *given && !fits) {
        None => Ok(()),
        Some((word, ..)) => {
            let message = format!("{word} is no parameter of {}", kind.name());
            Err(usage_error(message))
        }
    }
}
