//! From jobs and what servers moved to signatures.

use super::logs::Logs;
use super::select::Question;
use crate::talk::Talk;
use iotempo_analysis::period::{Detector, PeriodFinding};
use iotempo_analysis::runs::{Application, Cutter, Rejection, Run};
use iotempo_analysis::signature::{Outcome, Sample, SignatureFinding, SignatureMiner};
use iotempo_model::{Seconds, Signal};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

/// An application, its runs, and what they have in common.
pub(super) struct Mined {
    pub(super) application: Application,
    /// How many jobs are runs of it.
    pub(super) jobs: usize,
    pub(super) runs: Vec<Run>,
    /// Jobs that gave no run, with the reason.
    pub(super) rejected: Vec<(usize, Why)>,
    /// Runs that were in progress while another one was.
    pub(super) overlapping: usize,
    pub(super) finding: SignatureFinding,
    /// Whether the signature repeats.
    pub(super) period: Option<PeriodFinding>,
}

/// Why a job is not among the runs.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Why {
    Rejected(Rejection),
    /// There are newer ones, and enough of them.
    Older,
}

impl Why {
    pub(super) fn code(&self) -> &'static str {
        match self {
            Self::Rejected(why) => why.code(),
            Self::Older => "older",
        }
    }

    pub(super) fn text(&self) -> String {
        match self {
            Self::Rejected(why) => why.to_string(),
            Self::Older => "there are enough newer runs (--max-runs)".to_owned(),
        }
    }
}

/// What is needed to mine.
pub(super) struct Miner<'a> {
    pub(super) logs: &'a Logs,
    pub(super) question: &'a Question,
}

impl Miner<'_> {
    /// Mines applications on several threads; the answers are in the order of the applications.
    pub(super) fn mine(
        &self,
        applications: &[(Application, Vec<usize>)],
        threads: usize,
        talk: &Talk,
    ) -> Vec<Mined> {
        let next = AtomicUsize::new(0);
        let done = Mutex::new(Vec::with_capacity(applications.len()));
        thread::scope(|scope| {
            for _ in 0..threads.min(applications.len()) {
                scope.spawn(|| {
                    loop {
                        let index = next.fetch_add(1, Ordering::Relaxed);
                        let Some((application, jobs)) = applications.get(index) else {
                            return;
                        };
                        let mined = self.one(application, jobs);
                        talk.done(1);
                        let mut done = done.lock().unwrap_or_else(PoisonError::into_inner);
                        done.push((index, mined));
                    }
                });
            }
        });
        let mut done = done.into_inner().unwrap_or_else(PoisonError::into_inner);
        done.sort_by_key(|(index, _)| *index);
        done.into_iter().map(|(_, mined)| mined).collect()
    }

    fn one(&self, application: &Application, jobs: &[usize]) -> Mined {
        let cutter = Cutter::new(&self.logs.throughput, &self.question.ops)
            .with_clocks_ahead(self.question.clocks_ahead_s);
        let (mut runs, mut rejected) = (Vec::new(), Vec::new());
        // The newest first: an application changes with the years.
        for &index in jobs.iter().rev() {
            let job = &self.logs.jobs[index];
            if !self.question.ended_well(job) {
                rejected.push((index, Why::Rejected(Rejection::State(job.state.clone()))));
            } else if runs.len() >= self.question.max_runs {
                rejected.push((index, Why::Older));
            } else {
                match cutter.cut(index, job) {
                    Ok(run) => runs.push(run),
                    Err(why) => rejected.push((index, Why::Rejected(why))),
                }
            }
        }
        runs.reverse();
        rejected.reverse();
        let finding = self.common(&runs);
        let period = finding
            .signature()
            .and_then(|found| repeats(&found.rates, found.step_s));
        Mined {
            application: application.clone(),
            jobs: jobs.len(),
            overlapping: self.overlapping(&runs),
            runs,
            rejected,
            finding,
            period,
        }
    }

    fn common(&self, runs: &[Run]) -> SignatureFinding {
        let samples: Vec<Sample> = runs
            .iter()
            .map(|run| Sample {
                id: &self.logs.jobs[run.job].id,
                rates: &run.rates,
                step: Seconds::new(run.step_s).unwrap_or_default(),
            })
            .collect();
        SignatureMiner::new(self.question.settings).mine(&samples)
    }

    /// How many runs began before one that began earlier had ended: what is seen of either is both.
    fn overlapping(&self, runs: &[Run]) -> usize {
        let mut latest = f64::NEG_INFINITY;
        let mut count = 0;
        for run in runs {
            let end = run.start_s + run.step_s * run.rates.len() as f64;
            count += usize::from(run.start_s < latest);
            latest = latest.max(end);
        }
        count
    }
}

/// Whether a signature repeats.
fn repeats(rates: &[f64], step_s: f64) -> Option<PeriodFinding> {
    let signal = signal(rates, step_s)?;
    Some(Detector::default().detect(&signal))
}

/// Rates as a signal from 0 on.
pub(super) fn signal(rates: &[f64], step_s: f64) -> Option<Signal> {
    let step = Seconds::new(step_s).filter(|step| step.get() > 0.0)?;
    Some(Signal::new(Seconds::ZERO, step, rates.to_vec()))
}

impl Mined {
    /// Why there is no signature, for a person.
    pub(super) fn why_not(&self) -> Option<String> {
        let Outcome::Undetermined(why) = &self.finding.outcome else {
            return None;
        };
        if self.runs.is_empty() {
            let why = self.most_common_reason();
            return Some(why.map_or_else(
                || why_of(self.jobs),
                |why| format!("no run could be cut out: {why}"),
            ));
        }
        Some(why.to_string())
    }

    fn most_common_reason(&self) -> Option<String> {
        let mut counts: Vec<(&'static str, usize, String)> = Vec::new();
        for (_, why) in &self.rejected {
            match counts.iter_mut().find(|(code, ..)| *code == why.code()) {
                Some((_, count, _)) => *count += 1,
                None => counts.push((why.code(), 1, why.text())),
            }
        }
        let (_, count, text) = counts.into_iter().max_by_key(|(_, count, _)| *count)?;
        Some(match count {
            1 => text,
            many => format!("{many} jobs, the first: {text}"),
        })
    }
}

fn why_of(jobs: usize) -> String {
    format!("{jobs} jobs, and none gave a run")
}
