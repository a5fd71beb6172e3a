//! Jobs that may be held against each other.

use super::doubts::Doubts;
use crate::cli::Units;
use crate::failure::Failure;
use crate::human::{bytes, plural};
use crate::servers::LogSource;
use iotempo_analysis::correlate::groups::Volume;
use iotempo_analysis::correlate::study::Points;
use iotempo_analysis::correlate::{JobMetrics, Load, LoadMetric, TimeMetric};
use serde::{Serialize, Serializer};
use std::collections::BTreeMap;
use std::sync::Arc;

/// All groups of the jobs that were read.
#[derive(Default)]
pub(super) struct Jobs {
    pub(super) subjects: Vec<Subject>,
    /// How many jobs there are.
    pub(super) read: u64,
    /// Groups with too few jobs, and how many these are together.
    pub(super) too_few: u64,
    pub(super) too_few_jobs: u64,
    pub(super) left_out: LeftOut,
    /// Logs of jobs, or the table.
    pub(super) inputs: Vec<Named>,
    pub(super) servers: Vec<LogSource>,
    pub(super) warnings: Vec<String>,
    /// What is odd about the jobs of groups.
    pub(super) doubts: Doubts,
    pub(super) failures: Vec<Failure>,
}

/// A file that was read.
#[derive(Debug, Clone, Serialize)]
pub(super) struct Named {
    pub(super) input: String,
    pub(super) sha256: Option<String>,
}

/// A group of repeated jobs.
pub(super) struct Subject {
    /// What its jobs have in common, by name.
    pub(super) common: Common,
    /// What it is called: what its jobs have in common, and their volumes where that is not enough.
    pub(super) label: String,
    /// What they read and wrote, where that is known.
    pub(super) volumes: Option<[Volume; 2]>,
    pub(super) points: Points,
    pub(super) origins: Origins,
    /// Where they come from logs: how they can be held against other traffic.
    pub(super) traced: Option<Traced>,
    pub(super) left_out: LeftOut,
}

/// Where each point comes from.
#[derive(Serialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Origins {
    /// Logs of jobs, by name.
    Input(Vec<String>),
    /// Lines of the table.
    Line(Vec<u64>),
}

/// Jobs of logs.
pub(super) struct Traced {
    /// With all of the time in which they used files.
    pub(super) jobs: Vec<JobMetrics>,
    pub(super) load: Arc<Load>,
    /// Tells also of which part of their time the load is.
    pub(super) time: TimeMetric,
    pub(super) metric: LoadMetric,
}

impl Jobs {
    /// Whether there are jobs, and none of them could be used.
    pub(super) fn is_useless(&self) -> bool {
        self.read > 0
            && self
                .left_out
                .0
                .values()
                .map(|(count, _)| count)
                .sum::<u64>()
                == self.read
    }
}

/// Why jobs take no part.
#[derive(Debug, Clone, Default)]
pub(super) struct LeftOut(BTreeMap<String, (u64, String)>);

/// One of the reasons.
#[derive(Debug, Clone, Serialize)]
pub(super) struct Reason {
    reason: String,
    jobs: u64,
    /// The first of them.
    example: String,
}

impl LeftOut {
    pub(super) fn add(&mut self, reason: &str) {
        self.add_with(reason, String::new);
    }

    pub(super) fn add_with(&mut self, reason: &str, example: impl FnOnce() -> String) {
        match self.0.get_mut(reason) {
            Some((count, _)) => *count += 1,
            None => {
                self.0.insert(reason.to_owned(), (1, example()));
            }
        }
    }

    pub(super) fn reasons(&self) -> Vec<Reason> {
        let reasons = self.0.iter().map(|(reason, (jobs, example))| Reason {
            reason: reason.clone(),
            jobs: *jobs,
            example: example.clone(),
        });
        reasons.collect()
    }
}

impl Reason {
    /// For a person.
    pub(super) fn words(&self) -> String {
        let jobs = plural(self.jobs, "job");
        match self.example.is_empty() {
            true => format!("{jobs} left out: {}", self.reason),
            false => format!("{jobs} left out: {} (first: {})", self.reason, self.example),
        }
    }
}

/// What jobs have in common, by name, in the order in which a person put it.
#[derive(Debug, Clone, Default)]
pub(super) struct Common(pub(super) Vec<(String, String)>);

impl Serialize for Common {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, value)| (name, value)))
    }
}

impl Common {
    fn name(&self) -> String {
        let values: Vec<&str> = self.0.iter().map(|(_, value)| value.as_str()).collect();
        match values.is_empty() {
            true => "all jobs".to_owned(),
            false => values.join(" "),
        }
    }
}

/// Names groups, by their volumes too where several would have one name.
pub(super) fn label(subjects: &mut [Subject], units: Units) {
    let mut seen: BTreeMap<String, u64> = BTreeMap::new();
    for subject in subjects.iter() {
        *seen.entry(subject.common.name()).or_default() += 1;
    }
    for subject in subjects {
        let name = subject.common.name();
        let alone = seen.get(&name).is_none_or(|count| *count == 1);
        subject.label = match subject.volumes.filter(|_| !alone) {
            Some([read, written]) => {
                let volumes = [(read, "read"), (written, "written")];
                let some = volumes
                    .into_iter()
                    .filter(|(volume, _)| volume.mean_bytes > 0.0);
                let parts = some
                    .map(|(volume, how)| format!(", {} {how}", bytes(volume.mean_bytes, units)));
                std::iter::once(name).chain(parts).collect()
            }
            None => name,
        };
    }
}
