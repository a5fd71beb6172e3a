//! What is asked: which jobs, by which method.

use super::args::{MethodChoice, Same, SignatureArgs, StateChoice};
use crate::cli::Direction;
use crate::settings::usage_error;
use iotempo_analysis::runs::{Application, Likeness, applications};
use iotempo_analysis::signature::{Method, Settings, Warping};
use iotempo_formats::jobs::{JobFilter, JobOptions};
use iotempo_formats::server;
use iotempo_model::{JobRecord, JobState, Op};

/// What is asked.
pub(super) struct Question {
    pub(super) filter: JobFilter,
    states: Vec<StateChoice>,
    pub(super) all: bool,
    pub(super) likeness: Likeness,
    pub(super) ops: Vec<Op>,
    pub(super) op: &'static str,
    pub(super) method: MethodChoice,
    pub(super) settings: Settings,
    pub(super) max_runs: usize,
    pub(super) clocks_ahead_s: f64,
    pub(super) job_options: JobOptions,
    pub(super) log_options: server::Options,
    pub(super) ascii: bool,
}

impl Question {
    /// # Errors
    /// Where the words make no sense.
    pub(super) fn new(words: &SignatureArgs) -> Result<Self, clap::Error> {
        let (chosen, clocks, how) = (&words.chosen, &words.clocks, &words.how);
        for (option, share) in [
            ("--density", how.density),
            ("--neighbourhood", how.neighbourhood),
        ] {
            if !(share > 0.0 && share <= 1.0) {
                return Err(usage_error(format!(
                    "{option} {share}: a share lies above 0 and up to 1"
                )));
            }
        }
        for (option, number, least) in [
            ("--min-runs", how.min_runs, 2),
            ("--max-runs", how.max_runs, how.min_runs),
            ("--level", how.level, 1),
        ] {
            if number < least {
                return Err(usage_error(format!(
                    "{option} {number}: it takes at least {least}"
                )));
            }
        }
        let same = |what| chosen.same.contains(&what);
        if !same(Same::User) {
            return Err(usage_error(
                "--same: runs of one application have a user in common",
            ));
        }
        let direction = clocks.op.unwrap_or_default();
        let zone = clocks.zone.clone().unwrap_or_default();
        let log_zone = clocks.log_zone.clone().unwrap_or_else(|| zone.clone());
        Ok(Self {
            filter: JobFilter {
                users: chosen.user.clone(),
                names: chosen.name.clone(),
                accounts: chosen.account.clone(),
                partitions: chosen.partition.clone(),
                nodes: chosen.nodes.clone(),
                ..JobFilter::default()
            },
            states: chosen.state.clone(),
            all: chosen.all,
            likeness: Likeness {
                by_name: same(Same::Name),
                by_nodes: same(Same::Nodes),
            },
            ops: direction
                .op()
                .map_or_else(|| vec![Op::Read, Op::Write], |op| vec![op]),
            op: match direction {
                Direction::Read => "read",
                Direction::Write => "write",
                Direction::Both => "both",
            },
            method: how.method,
            settings: Settings {
                method: method(how.method),
                fewest_samples: how.min_runs,
                level: how.level,
                density: how.density,
                neighbourhood: how.neighbourhood,
                ..Settings::default()
            },
            max_runs: how.max_runs,
            clocks_ahead_s: clocks.clocks_ahead.get(),
            job_options: JobOptions {
                zone,
                columns: chosen.job_columns.clone(),
                ..JobOptions::default()
            },
            log_options: server::Options {
                zone: log_zone,
                start: clocks.log_start.map(iotempo_model::Seconds::get),
                interval: clocks.interval,
                targets: clocks.target.clone(),
                columns: clocks.log_columns.clone(),
                ..server::Options::default()
            },
            ascii: words.ascii,
        })
    }

    /// Whether a job ended in a way that is wanted. A log that does not tell is believed.
    pub(super) fn ended_well(&self, job: &JobRecord) -> bool {
        if self.states.is_empty() {
            let untold = matches!(&job.state, JobState::Unknown(word) if word.is_empty());
            return untold || job.state == JobState::Completed;
        }
        self.states.iter().any(|state| match state {
            StateChoice::Any => true,
            StateChoice::Only(state) => *state == job.state,
        })
    }

    /// The applications to mine, with the places of their jobs.
    ///
    /// # Errors
    /// Where nobody can tell which one is meant.
    pub(super) fn applications(
        &self,
        jobs: &[JobRecord],
    ) -> anyhow::Result<Vec<(Application, Vec<usize>)>> {
        let mut found = applications(jobs, self.likeness);
        if found.is_empty() {
            anyhow::bail!(
                "no job is of this application: see what --user, --name and --nodes match"
            );
        }
        if self.all {
            let enough = self.settings.fewest_samples;
            let most = found[0].1.len();
            found.retain(|(_, runs)| runs.len() >= enough);
            anyhow::ensure!(
                !found.is_empty(),
                "no application has {enough} runs: the most that one has is {most}"
            );
            return Ok(found);
        }
        if found.len() > 1 {
            return Err(several(&found).into());
        }
        Ok(found)
    }
}

/// What to say where the options fit several applications.
fn several(found: &[(Application, Vec<usize>)]) -> clap::Error {
    const SHOWN: usize = 8;
    let line = |(application, runs): &(Application, Vec<usize>)| {
        format!(
            "\n  {:>6} runs  {}",
            runs.len(),
            crate::human::printable(&application.label())
        )
    };
    let lines: String = found.iter().take(SHOWN).map(line).collect();
    let more = match found.len().saturating_sub(SHOWN) {
        0 => String::new(),
        more => format!("\n  and {more} more"),
    };
    usage_error(format!(
        "these jobs are runs of {} applications: choose one with --user, --name and --nodes, or \
         mine them with --all{lines}{more}",
        found.len()
    ))
}

fn method(choice: MethodChoice) -> Method {
    match choice {
        MethodChoice::Auto => Method::Auto,
        MethodChoice::Iosi => Method::Iosi,
        MethodChoice::Clusters => Method::Clusters,
        MethodChoice::Median => Method::Median,
        MethodChoice::DtwResampled => Method::Warping(Warping::PathResampled),
        MethodChoice::DtwPath => Method::Warping(Warping::Path),
        MethodChoice::DtwProjected => Method::Warping(Warping::Projected),
    }
}
