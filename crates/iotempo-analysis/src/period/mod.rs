//! The period of I/O phases.

mod answer;
mod bursts;
mod chance;
mod changes;
mod confidence;
mod detector;
mod finding;
mod fold;
mod numbers;
mod phases;
mod rhythm;
mod sizes;
mod spectral;
mod train;
mod volume;

pub use detector::Detector;
pub use finding::{
    Alias, Estimate, PeriodFinding, Phase, Rhythm, Segment, Verdict, Witness, WitnessKind,
};
