//! The period of I/O phases.

mod detector;
mod finding;

pub use detector::Detector;
pub use finding::{
    Alias, Estimate, PeriodFinding, Phase, Rhythm, Segment, Verdict, Witness, WitnessKind,
};
