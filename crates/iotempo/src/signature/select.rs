//! What is asked: which jobs, by which method.

use super::args::{HowArgs, MethodChoice, Same, SignatureArgs, StateChoice};
use crate::cli::Direction;
use crate::settings::usage_error;
use iotempo_analysis::runs::{Application, Likeness, applications};
use iotempo_analysis::signature::{Method, Settings, Warping};
use iotempo_formats::jobs::{JobFilter, JobOptions, NameTest};
use iotempo_formats::server;
use iotempo_model::{JobRecord, JobState, Op};
use std::ops::RangeInclusive;

/// What is asked.
pub(super) struct Question {
    filter: JobFilter,
    /// The same by users alone.
    users: JobFilter,
    names: Vec<NameTest>,
    /// Nodes, or processes where a log counts those.
    sizes: Option<RangeInclusive<u64>>,
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

/// More makes wavelets longer than a year of seconds.
const HIGHEST_LEVEL: usize = 18;

impl Question {
    /// # Errors
    /// Where the words make no sense.
    pub(super) fn new(words: &SignatureArgs) -> Result<Self, clap::Error> {
        let (chosen, clocks, how) = (&words.chosen, &words.clocks, &words.how);
        check(how)?;
        let direction = clocks.op.unwrap_or_default();
        let zone = clocks.zone.clone().unwrap_or_default();
        Ok(Self {
            filter: JobFilter {
                users: chosen.user.clone(),
                accounts: chosen.account.clone(),
                partitions: chosen.partition.clone(),
                ..JobFilter::default()
            },
            users: JobFilter {
                users: chosen.user.clone(),
                ..JobFilter::default()
            },
            names: chosen.name.clone(),
            sizes: chosen.nodes.clone(),
            states: chosen.state.clone(),
            all: chosen.all,
            likeness: likeness(&chosen.same)?,
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
                most_samples: how.max_runs(),
                level: how.level,
                density: how.density,
                neighbourhood: how.neighbourhood,
                ..Settings::default()
            },
            max_runs: how.max_runs(),
            clocks_ahead_s: clocks.clocks_ahead.get(),
            log_options: clocks.log_options(&zone),
            job_options: JobOptions {
                zone,
                columns: chosen.job_columns.clone(),
                ..JobOptions::default()
            },
            ascii: words.ascii,
        })
    }

    /// Whether a job is one of those that are asked for, however it ended. What an application is called
    /// in lists is a name of its jobs, too, and its size is what is counted there.
    pub(super) fn wants(&self, job: &JobRecord) -> bool {
        self.filter.matches(job) && self.is_named(job) && self.is_of_size(job)
    }

    /// Whether a job is of the users and names that are asked for, whatever its size.
    pub(super) fn is_related(&self, job: &JobRecord) -> bool {
        self.users.matches(job) && self.is_named(job)
    }

    fn is_named(&self, job: &JobRecord) -> bool {
        if self.names.is_empty() {
            return true;
        }
        let application = Application::of(job, Likeness::default());
        let names = [&job.name, &job.exe, &application.name];
        let mut names = names.into_iter().flatten();
        names.any(|name| self.names.iter().any(|test| test.matches(name)))
    }

    fn is_of_size(&self, job: &JobRecord) -> bool {
        let Some(sizes) = &self.sizes else {
            return true;
        };
        job.nodes
            .or(job.processes)
            .is_some_and(|size| sizes.contains(&size))
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

    /// Why a job that did not end in a way that is wanted is left out.
    pub(super) fn state_reason(&self, state: &JobState) -> String {
        let unfinished = [
            JobState::Pending,
            JobState::Running,
            JobState::Configuring,
            JobState::Completing,
            JobState::Suspended,
        ];
        match self.states.is_empty() {
            true if unfinished.contains(state) => format!("has not ended: {state}"),
            true => format!("did not end well: {state}"),
            false => format!("its state is {state}, which --state does not name"),
        }
    }

    /// What to say where no job is wanted.
    fn nobody(&self, rows: u64) -> String {
        if rows == 0 {
            return "the job logs hold no jobs".to_owned();
        }
        let given = [
            ("--user", !self.filter.users.is_empty()),
            ("--name", !self.names.is_empty()),
            ("--nodes", self.sizes.is_some()),
            ("--partition", !self.filter.partitions.is_empty()),
            ("--account", !self.filter.accounts.is_empty()),
        ];
        let given = given.into_iter().filter(|(_, given)| *given);
        let options: Vec<&str> = given.map(|(option, _)| option).collect();
        let jobs = crate::human::plural(rows, "job");
        match options.as_slice() {
            [] => format!("{jobs}, and none but steps of jobs"),
            options => format!(
                "no job is of this application: none of {jobs} matches {}",
                options.join(" with ")
            ),
        }
    }

    /// The applications to mine, with the places of their jobs.
    ///
    /// # Errors
    /// Where nobody can tell which one is meant.
    pub(super) fn applications(
        &self,
        jobs: &[JobRecord],
        rows: u64,
    ) -> anyhow::Result<Vec<(Application, Vec<usize>)>> {
        let mut found = applications(jobs, self.likeness);
        anyhow::ensure!(!found.is_empty(), self.nobody(rows));
        if found.len() == 1 && !self.all {
            return Ok(found);
        }
        let enough = self.settings.fewest_samples;
        let (all, most) = (found.len(), found[0].1.len());
        found.retain(|(_, runs)| runs.len() >= enough);
        anyhow::ensure!(
            !found.is_empty(),
            "no application has {enough} runs: the most that one has is {most}"
        );
        match self.all {
            true => Ok(found),
            false => Err(several(&found, all, enough).into()),
        }
    }
}

/// What to say where the options fit several applications, `all` in number, and these have `enough` runs.
fn several(found: &[(Application, Vec<usize>)], all: usize, enough: usize) -> clap::Error {
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
        more => format!("\n  and {more} more, which --all lists"),
    };
    let few = match all - found.len() {
        0 => String::new(),
        few => format!("; {few} of them with fewer than {enough} runs cannot be mined"),
    };
    usage_error(format!(
        "these jobs are runs of {all} applications: choose one with --user, --name and --nodes, or \
         mine them with --all{few}{lines}{more}"
    ))
}

/// Refuses settings that make no sense.
fn check(how: &HowArgs) -> Result<(), clap::Error> {
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
    for (option, number, least) in [("--min-runs", how.min_runs, 2), ("--level", how.level, 1)] {
        if number < least {
            return Err(usage_error(format!(
                "{option} {number}: it takes at least {least}"
            )));
        }
    }
    if how.max_runs() < how.min_runs {
        return Err(usage_error(format!(
            "--max-runs {}: fewer than the {} that --min-runs asks for",
            how.max_runs(),
            how.min_runs
        )));
    }
    if how.level > HIGHEST_LEVEL {
        return Err(usage_error(format!(
            "--level {}: at most {HIGHEST_LEVEL}",
            how.level
        )));
    }
    Ok(())
}

fn likeness(same: &[Same]) -> Result<Likeness, clap::Error> {
    let same = |what| same.contains(&what);
    if !same(Same::User) {
        return Err(usage_error(
            "--same: runs of one application have a user in common: name it, too, as in --same user,name",
        ));
    }
    Ok(Likeness {
        by_name: same(Same::Name),
        by_nodes: same(Same::Nodes),
    })
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
