//! The detector: witnesses are heard, and one answer is given.

use super::finding::{PeriodFinding, Verdict};
use iotempo_model::Signal;

/// Finds the period of I/O phases.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Detector {
    /// The least confidence that is called periodic.
    pub threshold: f64,
}

impl Default for Detector {
    fn default() -> Self {
        Self { threshold: 0.5 }
    }
}

impl Detector {
    /// Says whether a signal repeats, and how.
    #[must_use]
    pub fn detect(&self, signal: &Signal) -> PeriodFinding {
        let _ = (self.threshold, signal);
        PeriodFinding {
            verdict: Verdict::Empty,
            rhythms: Vec::new(),
            candidate: None,
            segments: Vec::new(),
            alias: None,
            witnesses: Vec::new(),
        }
    }
}
