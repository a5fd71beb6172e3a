//! Where a trace came from, and what that cannot show.

use crate::request::Interval;
use crate::units::Seconds;
use serde::{Deserialize, Serialize};
use std::fmt;

/// The kind of evidence behind a trace.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Source {
    /// Single requests, as a tracer recorded them.
    Requests,
    /// Darshan's extended tracing: single requests.
    Dxt,
    /// Darshan's heatmap: bytes per rank and time bin.
    Heatmap,
    /// Darshan's counters: bytes per file between its first and last access.
    Counters,
    /// Phases of a rank: from the first issue to the last completion of a group of requests.
    Phases,
    /// A rate at points in time.
    Samples,
    /// The log of a server: what each of its targets moved in each interval.
    Server,
}

impl Source {
    /// The name in tables and JSON.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Requests => "requests",
            Self::Dxt => "dxt",
            Self::Heatmap => "heatmap",
            Self::Counters => "counters",
            Self::Phases => "phases",
            Self::Samples => "samples",
            Self::Server => "server",
        }
    }

    /// What its rows are: an interval with a volume stands for one of these.
    #[must_use]
    pub const fn rows(self) -> &'static str {
        match self {
            Self::Requests | Self::Dxt => "requests",
            Self::Heatmap => "bins",
            Self::Counters => "spans",
            Self::Phases => "phases",
            Self::Samples => "samples",
            Self::Server => "intervals",
        }
    }

    /// What this kind of evidence hides.
    #[must_use]
    pub const fn cannot_show(self) -> &'static str {
        match self {
            Self::Requests => "what the tracer did not intercept",
            Self::Dxt => "STDIO, metadata operations, and requests beyond DXT's memory limit",
            Self::Heatmap => "single requests, files, and anything faster than one bin",
            Self::Counters => {
                "when inside a file's first-to-last access its bytes moved: \
                 short phases and periods are smeared out"
            }
            Self::Phases => "single requests inside a phase",
            Self::Samples => "ranks, files, requests, and anything faster than one sample",
            Self::Server => {
                "whose bytes these are: jobs, ranks, files, and anything faster than one interval"
            }
        }
    }
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// The job that was traced, as far as the source knows it.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Job {
    /// The command line.
    pub exe: Option<String>,
    /// The scheduler's id.
    pub id: Option<String>,
    /// The user's numeric id.
    pub uid: Option<i64>,
    /// The number of processes.
    pub ranks: Option<u64>,
    /// When it started, in seconds since 1970-01-01 UTC; time 0 of the trace.
    pub start_epoch_s: Option<f64>,
    /// How long it ran.
    pub run_time_s: Option<f64>,
}

/// Where a trace came from.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Origin {
    /// The kind of evidence.
    pub source: Source,
    /// Nothing shorter than this can be seen; `None` where only the clock's tick limits it.
    pub resolution: Option<Seconds>,
    /// The stretch that the source watched, idle time included; `None` where it does not say.
    pub observed: Option<Interval>,
    /// The job.
    pub job: Job,
    /// Which layer was believed where several saw the same bytes.
    pub layers: Option<String>,
}

impl Origin {
    /// Evidence of kind `source` about which nothing more is known.
    #[must_use]
    pub fn new(source: Source) -> Self {
        Self {
            source,
            resolution: None,
            observed: None,
            job: Job::default(),
            layers: None,
        }
    }
}
