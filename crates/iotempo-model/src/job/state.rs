//! How a job ended, or where it is.

use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::fmt;

/// The states of all batch systems.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(into = "String", from = "String")]
#[non_exhaustive]
pub enum JobState {
    /// Its nodes did not boot.
    BootFail,
    /// Its user or an administrator ended it.
    Cancelled,
    /// It ended well.
    Completed,
    /// It is being cleaned up.
    Completing,
    /// Its nodes are being prepared.
    Configuring,
    /// Its deadline came.
    Deadline,
    /// It ended badly.
    Failed,
    /// Ended from outside; the log does not tell whether by its user, its time limit or the system.
    Killed,
    /// A node failed.
    NodeFail,
    /// It took more memory than it was given.
    OutOfMemory,
    /// A part of a run that went on later.
    Partial,
    /// It waits.
    Pending,
    /// A more important job took its place.
    Preempted,
    /// It was put back into the queue.
    Requeued,
    /// Its size is about to change.
    Resizing,
    /// Another cluster took it.
    Revoked,
    /// It runs.
    Running,
    /// It is being sent a signal.
    Signaling,
    /// It ended with a status that has a meaning at its site.
    SpecialExit,
    /// Its results are being moved.
    StageOut,
    /// It was stopped, and keeps its processors.
    Stopped,
    /// It was stopped, and gave its processors away.
    Suspended,
    /// It ran into its time limit.
    Timeout,
    /// What the log says, where that is none of the above; empty where it says nothing.
    Unknown(String),
}

/// Names in full, as Slurm writes them, and their short forms.
const NAMES: [(&str, &str, JobState); 23] = [
    ("BOOT_FAIL", "BF", JobState::BootFail),
    ("CANCELLED", "CA", JobState::Cancelled),
    ("COMPLETED", "CD", JobState::Completed),
    ("COMPLETING", "CG", JobState::Completing),
    ("CONFIGURING", "CF", JobState::Configuring),
    ("DEADLINE", "DL", JobState::Deadline),
    ("FAILED", "F", JobState::Failed),
    ("KILLED", "", JobState::Killed),
    ("NODE_FAIL", "NF", JobState::NodeFail),
    ("OUT_OF_MEMORY", "OOM", JobState::OutOfMemory),
    ("PARTIAL", "", JobState::Partial),
    ("PENDING", "PD", JobState::Pending),
    ("PREEMPTED", "PR", JobState::Preempted),
    ("REQUEUED", "RQ", JobState::Requeued),
    ("RESIZING", "RS", JobState::Resizing),
    ("REVOKED", "RV", JobState::Revoked),
    ("RUNNING", "R", JobState::Running),
    ("SIGNALING", "SI", JobState::Signaling),
    ("SPECIAL_EXIT", "SE", JobState::SpecialExit),
    ("STAGE_OUT", "SO", JobState::StageOut),
    ("STOPPED", "ST", JobState::Stopped),
    ("SUSPENDED", "S", JobState::Suspended),
    ("TIMEOUT", "TO", JobState::Timeout),
];

/// What else is written for them.
const SYNONYMS: [(&str, JobState); 18] = [
    ("CANCELED", JobState::Cancelled),
    ("COMPLETE", JobState::Completed),
    ("DONE", JobState::Completed),
    ("FINISHED", JobState::Completed),
    ("PASS", JobState::Completed),
    ("PASSED", JobState::Completed),
    ("SUCCESS", JobState::Completed),
    ("FAIL", JobState::Failed),
    ("FAILURE", JobState::Failed),
    ("LAUNCH_FAILED", JobState::Failed),
    ("RECONFIG_FAIL", JobState::Failed),
    ("QUEUED", JobState::Pending),
    ("REQUEUE_FED", JobState::Requeued),
    ("REQUEUE_HOLD", JobState::Requeued),
    ("RESV_DEL_HOLD", JobState::Pending),
    ("POWER_UP_NODE", JobState::Configuring),
    ("UPDATE_DB", JobState::Completing),
    ("WAITING", JobState::Pending),
];

impl JobState {
    /// What a text says: `COMPLETED`, `CD`, `CANCELLED by 1000`, `CANCELLED+` (cut to a column's
    /// width), in upper or lower case.
    #[must_use]
    pub fn parse(text: &str) -> Self {
        let text = text.trim();
        let word = text.split_ascii_whitespace().next().unwrap_or_default();
        let upper = word.to_ascii_uppercase().replace('-', "_");
        let named = NAMES
            .iter()
            .find(|(name, short, _)| *name == upper || (!short.is_empty() && *short == upper));
        if let Some((_, _, state)) = named {
            return state.clone();
        }
        if let Some((_, state)) = SYNONYMS.iter().find(|(name, _)| *name == upper) {
            return state.clone();
        }
        Self::of_cut(&upper).unwrap_or_else(|| Self::Unknown(text.to_owned()))
    }

    /// The one state whose name begins so, for `OUT_OF_ME+`. Fewer letters may be anything.
    fn of_cut(upper: &str) -> Option<Self> {
        let begin = upper.strip_suffix('+').filter(|begin| begin.len() >= 3)?;
        let mut fitting = NAMES.iter().filter(|(name, ..)| name.starts_with(begin));
        match (fitting.next(), fitting.next()) {
            (Some((_, _, state)), None) => Some(state.clone()),
            _ => None,
        }
    }

    /// Its name as Slurm writes it; what the log says where that is none.
    #[must_use]
    pub fn name(&self) -> Cow<'_, str> {
        if let Self::Unknown(text) = self {
            return Cow::Borrowed(text);
        }
        let named = NAMES.iter().find(|(_, _, state)| state == self);
        Cow::Borrowed(named.map_or("", |(name, ..)| name))
    }

    /// Whether nothing more will come.
    #[must_use]
    pub fn is_over(&self) -> bool {
        matches!(
            self,
            Self::BootFail
                | Self::Cancelled
                | Self::Completed
                | Self::Deadline
                | Self::Failed
                | Self::Killed
                | Self::NodeFail
                | Self::OutOfMemory
                | Self::Partial
                | Self::Preempted
                | Self::Revoked
                | Self::SpecialExit
                | Self::Timeout
        )
    }
}

impl Default for JobState {
    fn default() -> Self {
        Self::Unknown(String::new())
    }
}

impl fmt::Display for JobState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.name())
    }
}

impl From<JobState> for String {
    fn from(state: JobState) -> Self {
        state.name().into_owned()
    }
}

impl From<String> for JobState {
    fn from(text: String) -> Self {
        Self::parse(&text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_state_is_read_by_its_name_and_its_short_form() {
        for (name, short, state) in NAMES {
            assert_eq!(JobState::parse(name), state);
            assert_eq!(JobState::parse(&name.to_lowercase()), state);
            assert_eq!(state.name(), name);
            assert_eq!(JobState::from(String::from(state.clone())), state);
            if !short.is_empty() {
                assert_eq!(JobState::parse(short), state);
            }
        }
    }

    #[test]
    fn what_else_is_written_is_understood() {
        for (text, state) in [
            ("CANCELLED by 1000", JobState::Cancelled),
            ("CANCELLED+", JobState::Cancelled),
            ("OUT_OF_ME+", JobState::OutOfMemory),
            (" Pass ", JobState::Completed),
            ("Killed", JobState::Killed),
            ("node-fail", JobState::NodeFail),
            ("", JobState::Unknown(String::new())),
            ("COMP+", JobState::Unknown("COMP+".to_owned())),
            (
                "LOST IN SPACE",
                JobState::Unknown("LOST IN SPACE".to_owned()),
            ),
        ] {
            assert_eq!(JobState::parse(text), state, "{text}");
        }
    }

    #[test]
    fn only_what_is_over_is_over() {
        assert!(JobState::Timeout.is_over());
        for state in [JobState::Running, JobState::Pending, JobState::default()] {
            assert!(!state.is_over(), "{state}");
        }
    }
}
