//! What is remembered of a run once its signature is known.

use iotempo_analysis::runs::Run;

/// A run that was cut out.
pub(super) struct ToldRun {
    /// The job's place among all jobs.
    pub(super) job: usize,
    pub(super) start_s: f64,
    pub(super) step_s: f64,
    pub(super) steps: usize,
    /// What all jobs moved meanwhile.
    pub(super) bytes: f64,
    /// How many steps the log missed, and were filled in.
    pub(super) filled: u64,
    /// Its rates, where it is of the only application that is mined: a page shows them. Those of all jobs
    /// of a year would be gigabytes.
    pub(super) rates: Option<Vec<f64>>,
    /// Its place among those that were used, in their order.
    pub(super) used: Option<usize>,
}

impl ToldRun {
    pub(super) fn new(run: Run, with_rates: bool) -> Self {
        Self {
            job: run.job,
            start_s: run.start_s,
            step_s: run.step_s,
            steps: run.rates.len(),
            bytes: run.step_s * run.rates.iter().sum::<f64>(),
            filled: run.filled,
            rates: with_rates.then_some(run.rates),
            used: None,
        }
    }

    pub(super) fn length_s(&self) -> f64 {
        self.step_s * self.steps as f64
    }
}
