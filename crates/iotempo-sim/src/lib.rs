//! Traces with known answers: what a detector should say is known beforehand.
//!
//! A generator is plain data: its fields are the parameters, its seed decides everything that is
//! random, and the same seed gives the same requests on every machine. What it gives is a
//! [`Synthetic`]: a trace, and the [`Truth`] about it.
//!
//! ```
//! use iotempo_model::Hertz;
//! use iotempo_sim::SemiSynthetic;
//!
//! let generator = SemiSynthetic { seed: 7, ..SemiSynthetic::default() };
//! let (signal, truth) = generator.signal(Hertz::new(1.0).unwrap())?;
//! assert_eq!(truth.rhythms[0].phases.len(), 20);
//! assert!((truth.mean_period().unwrap().get() - 21.4).abs() < 0.2);
//! assert!((signal.volume().get() - 20.0 * 32.0 * 3.5e9).abs() < 1.0);
//! # Ok::<(), iotempo_sim::SimError>(())
//! ```

mod aperiodic;
mod clock;
mod correlation;
mod error;
mod noise;
mod phases;
mod random;
mod semi;
pub mod server;
mod shapes;
mod synthetic;
mod truth;

pub use aperiodic::Aperiodic;
pub use correlation::{CorrelationStudy, Repeated, SimulatedJob, SimulatedStudy};
pub use error::SimError;
pub use noise::NoiseLevel;
pub use phases::{Grain, IoPhase, PhaseLibrary, RankPart};
pub use semi::SemiSynthetic;
pub use shapes::{Shape, ShapeKind};
pub use synthetic::Synthetic;
pub use truth::{TrueRhythm, TrueSegment, Truth};
