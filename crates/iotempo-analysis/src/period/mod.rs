//! The period of I/O phases.

mod alias;
mod answer;
mod bursts;
mod chance;
mod changes;
mod choice;
mod confidence;
mod detector;
mod finding;
mod fold;
mod joining;
mod numbers;
mod phases;
mod resemblance;
mod rhythm;
mod segments;
mod sizes;
mod spectral;
mod tracking;
mod train;
mod volume;

pub use detector::{Detector, FEWEST_SAMPLES};
pub use finding::{
    Alias, Estimate, PeriodFinding, Phase, Rhythm, Segment, Verdict, Witness, WitnessKind,
};
