//! A job as a batch system remembers it.

mod nodes;
mod state;

pub use nodes::{MOST_NODES, NodeListError, expand_nodes};
use serde::{Deserialize, Serialize};
pub use state::JobState;

/// One run of a job, or of a step of it. A job that was put back into the queue has a record for
/// every run.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct JobRecord {
    /// The scheduler's id as it is written, with the task of an array (`2_3`, `2_[1-3]`, `123[4].pbs`)
    /// or the part of a heterogeneous job (`5+0`).
    pub id: String,
    /// The id that programs of the job see, where it is another: Slurm numbers every task of an array.
    pub raw_id: Option<String>,
    /// The step (`batch`, `extern`, `0`); `None` for the job as a whole.
    pub step: Option<String>,
    /// Who submitted it.
    pub user: Option<String>,
    /// The user's group.
    pub group: Option<String>,
    /// What it is charged to: an account or project.
    pub account: Option<String>,
    /// What its user calls it.
    pub name: Option<String>,
    /// The program, where the log names it.
    pub exe: Option<String>,
    /// The partition or queue.
    pub partition: Option<String>,
    /// How it ended, or where it is.
    pub state: JobState,
    /// What its last process returned.
    pub exit_code: Option<ExitCode>,
    /// How many nodes it had; those it asked for, where the log knows no others.
    pub nodes: Option<u64>,
    /// How many processors, or tasks where only these are known.
    pub processes: Option<u64>,
    /// Its nodes as the log writes them; see [`expand_nodes`].
    pub node_list: Option<String>,
    /// When it was submitted, in seconds since 1970-01-01 UTC.
    pub submit_epoch_s: Option<f64>,
    /// When it started.
    pub start_epoch_s: Option<f64>,
    /// When it ended.
    pub end_epoch_s: Option<f64>,
    /// How long it was allowed to run; `None` where there was no limit, or none is known.
    pub time_limit_s: Option<f64>,
}

/// What a process returned.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct ExitCode {
    /// Its status.
    pub status: i64,
    /// The signal that ended it.
    pub signal: Option<u32>,
}

impl JobRecord {
    /// How long it ran, where it has ended.
    #[must_use]
    pub fn run_time_s(&self) -> Option<f64> {
        Some(self.end_epoch_s? - self.start_epoch_s?)
    }

    /// How long it waited.
    #[must_use]
    pub fn wait_time_s(&self) -> Option<f64> {
        Some(self.start_epoch_s? - self.submit_epoch_s?)
    }

    /// Whether it is a step of a job.
    #[must_use]
    pub fn is_step(&self) -> bool {
        self.step.is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_of_time_need_both_ends() {
        let mut job = JobRecord {
            submit_epoch_s: Some(5.0),
            start_epoch_s: Some(10.0),
            ..JobRecord::default()
        };
        assert_eq!((job.wait_time_s(), job.run_time_s()), (Some(5.0), None));
        job.end_epoch_s = Some(40.0);
        assert_eq!(job.run_time_s(), Some(30.0));
        assert!(!job.is_step());
    }
}
