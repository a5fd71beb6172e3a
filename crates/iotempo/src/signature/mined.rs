//! From jobs and what servers moved to signatures.

use super::args::MethodChoice;
use super::clockwork::by_the_clock;
use super::company::Company;
use super::edges::clocks_may_differ;
use super::hours::{Shifted, hours_apart};
use super::kinds;
use super::logs::Logs;
use super::select::Question;
use super::told_run::ToldRun;
use crate::talk::Talk;
use iotempo_analysis::period::{Detector, PeriodFinding};
use iotempo_analysis::runs::{Application, Cutter, Likeness, Rejection, Run, TELLING_STEPS};
use iotempo_analysis::signature::{
    Outcome, Sample, SignatureFinding, SignatureMiner, Undetermined, alone,
};
use iotempo_model::{JobRecord, JobState, Seconds, Signal, Warning, counted};
use std::collections::{HashMap, HashSet};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

/// An application, its runs, and what they have in common.
pub(super) struct Mined {
    pub(super) application: Application,
    /// How many jobs are runs of it.
    pub(super) jobs: usize,
    pub(super) runs: Vec<ToldRun>,
    /// Jobs that gave no run, with the reason.
    pub(super) rejected: Vec<(usize, Why)>,
    /// Runs that are used and were in progress while another one was; those that were not are preferred.
    pub(super) overlapping: usize,
    pub(super) finding: SignatureFinding,
    /// For how long what servers moved is known around the runs while the application did not run, where that is
    /// asked for.
    pub(super) others_s: Option<f64>,
    /// Whether that is in pieces too short to tell others' bursts by.
    pub(super) others_in_pieces: bool,
    /// Whether the signature repeats, by its bursts that most runs have.
    pub(super) period: Option<PeriodFinding>,
}

/// Why a job is not among the runs.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Why {
    Rejected(Rejection),
    /// It ended in a way that is not wanted: in words.
    State(String),
    /// There are newer ones, and enough of them.
    Older,
    /// Another run was in progress, and there are enough that were alone.
    NotAlone,
}

/// Jobs that gave no run for the same reason.
pub(super) struct Reason {
    code: &'static str,
    /// That of the first of them.
    pub(super) text: String,
    pub(super) jobs: Vec<usize>,
}

impl Why {
    pub(super) fn code(&self) -> &'static str {
        match self {
            Self::Rejected(why) => why.code(),
            Self::State(_) => "state",
            Self::Older => "older",
            Self::NotAlone => "not-alone",
        }
    }

    pub(super) fn missing_s(&self) -> Option<f64> {
        match self {
            Self::Rejected(why) => why.missing_s(),
            Self::Older | Self::State(_) | Self::NotAlone => None,
        }
    }

    pub(super) fn text(&self) -> String {
        match self {
            Self::Rejected(why) => why.to_string(),
            Self::State(words) => words.clone(),
            Self::Older => "there are enough newer runs (--max-runs)".to_owned(),
            Self::NotAlone => {
                "another run of the application was in progress, and enough were alone".to_owned()
            }
        }
    }
}

/// What is needed to mine.
pub(super) struct Miner<'a> {
    logs: &'a Logs,
    question: &'a Question,
    families: Families,
}

/// The jobs of an application, with which of them were alone, and when any of it was in progress.
struct JobsOfOne<'a> {
    miner: &'a Miner<'a>,
    jobs: &'a [usize],
    alone: &'a [bool],
    busy: &'a [(f64, f64)],
}

impl Shifted for JobsOfOne<'_> {
    fn runs(&self, ahead_s: f64) -> Vec<Run> {
        let cutter = self.miner.cutter().with_clocks_ahead(ahead_s);
        let (runs, _) = self.miner.newest(self.jobs, self.alone, self.busy, cutter);
        runs
    }

    fn mined(&self, ahead_s: f64, runs: &[Run]) -> SignatureFinding {
        let cutter = self.miner.cutter().with_clocks_ahead(ahead_s);
        let others = self.miner.others(runs, self.busy, cutter);
        self.miner.common(runs, &others.unwrap_or_default())
    }
}

/// When jobs of an application ran, whatever their size: a study of how a program scales writes the same on many
/// nodes as on few.
type Families = HashMap<Application, Vec<(f64, f64)>>;

fn families(logs: &Logs, likeness: Likeness) -> Families {
    let mut jobs: HashMap<Application, Vec<&JobRecord>> = HashMap::new();
    for job in logs.jobs.iter().chain(&logs.relatives) {
        jobs.entry(Application::of(job, likeness))
            .or_default()
            .push(job);
    }
    let mut families = Families::new();
    // How long a run may last is told by those of its size.
    for (application, jobs) in jobs {
        let mut spans: Vec<_> = jobs.iter().map(|job| span(job)).collect();
        end_runaways(&mut spans, &jobs);
        let family = families.entry(of_any_size(&application)).or_default();
        family.extend(spans.into_iter().flatten());
    }
    families
}

fn of_any_size(application: &Application) -> Application {
    Application {
        nodes: None,
        processes: None,
        ..application.clone()
    }
}

impl<'a> Miner<'a> {
    pub(super) fn new(logs: &'a Logs, question: &'a Question) -> Self {
        Self {
            logs,
            question,
            families: families(logs, question.likeness),
        }
    }

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
                        let mined = self.one(application, jobs, applications.len() == 1);
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

    fn one(&self, application: &Application, jobs: &[usize], with_rates: bool) -> Mined {
        let records: Vec<&JobRecord> = jobs.iter().map(|&at| &self.logs.jobs[at]).collect();
        let mut spans: Vec<_> = records.iter().map(|job| span(job)).collect();
        let runaways = end_runaways(&mut spans, &records);
        let alone = alone(&spans);
        let busy = self.busy(application);
        let (runs, rejected) = self.newest(jobs, &alone, busy, self.cutter());
        let crowd: HashSet<usize> = jobs
            .iter()
            .zip(&alone)
            .filter_map(|(job, alone)| (!alone).then_some(*job))
            .collect();
        let others = self.others(&runs, busy, self.cutter());
        let step_s = runs.first().map_or(0.0, |run| run.step_s);
        let others_s = others
            .as_ref()
            .map(|others| step_s * others.iter().map(Vec::len).sum::<usize>() as f64);
        let others = others.unwrap_or_default();
        let others_in_pieces = others.iter().all(|stretch| stretch.len() < TELLING_STEPS);
        let mut finding = self.common(&runs, &others);
        let used: Vec<&Run> = finding
            .used_places
            .iter()
            .map(|&place| &runs[place])
            .collect();
        let in_crowd = |run: &&&Run| crowd.contains(&run.job);
        let overlapping = used.iter().filter(in_crowd).count();
        let company = self.company(application);
        let moved = finding
            .signature()
            .and_then(|found| clocks_may_differ(&self.cutter(), &used, busy, found, &company));
        let clockwork = by_the_clock(&self.cutter(), &used, busy, &finding);
        finding.warnings.extend(moved);
        finding.warnings.extend(clockwork);
        if with_rates && finding.signature().is_none() {
            finding
                .warnings
                .extend(self.hours_apart(jobs, &alone, busy, &company));
        }
        kinds::tell(&mut finding, &used);
        finding.warnings.extend(filled(&runs));
        finding.warnings.extend(runaways);
        finding.warnings.extend(seldom_held(&finding));
        if overlapping > 0 {
            let warning = crowded(overlapping, finding.used.len());
            finding.warnings.push(warning);
        }
        let told = |run| ToldRun::new(run, with_rates);
        let mut runs: Vec<ToldRun> = runs.into_iter().map(told).collect();
        for (used, &place) in finding.used_places.iter().enumerate() {
            runs[place].used = Some(used);
        }
        let period = finding
            .signature()
            .and_then(|found| found.repetition(&Detector::default()));
        Mined {
            application: application.clone(),
            jobs: jobs.len(),
            overlapping,
            runs,
            rejected,
            finding,
            others_s,
            others_in_pieces,
            period,
        }
    }

    /// Whether runs would have more in common were clocks some hours apart. A Prometheus was asked for the time of the
    /// jobs alone, and only `auto` tells chance from more.
    fn hours_apart(
        &self,
        jobs: &[usize],
        alone: &[bool],
        busy: &[(f64, f64)],
        company: &Company<'_>,
    ) -> Option<Warning> {
        if self.logs.is_asked || self.question.method != MethodChoice::Auto {
            return None;
        }
        let jobs = JobsOfOne {
            miner: self,
            jobs,
            alone,
            busy,
        };
        hours_apart(self.question.clocks_ahead_s, &jobs, company)
    }

    /// The newest runs that were `alone`, or of all jobs where these are too few.
    fn newest(
        &self,
        jobs: &[usize],
        alone: &[bool],
        busy: &[(f64, f64)],
        cutter: Cutter<'_>,
    ) -> (Vec<Run>, Vec<(usize, Why)>) {
        let cutter = cutter.with_busy(busy);
        let cut = self.cut(jobs, alone, cutter);
        match cut.0.len() < self.question.settings.fewest_samples {
            true => self.cut(jobs, &vec![true; jobs.len()], cutter),
            false => cut,
        }
    }

    /// The newest runs, and why other jobs give none: an application changes with the years. Only jobs
    /// that are `wanted` are cut out.
    fn cut(
        &self,
        jobs: &[usize],
        wanted: &[bool],
        cutter: Cutter<'_>,
    ) -> (Vec<Run>, Vec<(usize, Why)>) {
        let (mut runs, mut rejected) = (Vec::new(), Vec::new());
        for (&index, wanted) in jobs.iter().zip(wanted).rev() {
            let job = &self.logs.jobs[index];
            if !self.question.ended_well(job) {
                rejected.push((index, Why::State(self.question.state_reason(&job.state))));
            } else if runs.len() >= self.question.max_runs {
                rejected.push((index, Why::Older));
            } else if !wanted {
                rejected.push((index, Why::NotAlone));
            } else {
                match cutter.cut(index, job) {
                    Ok(run) => runs.push(run),
                    Err(why) => rejected.push((index, Why::Rejected(why))),
                }
            }
        }
        runs.reverse();
        rejected.reverse();
        (runs, rejected)
    }

    fn cutter(&self) -> Cutter<'_> {
        let expected = &self.logs.watch.expected;
        let cutter = Cutter::new(&self.logs.throughput, &self.question.ops, expected)
            .with_clocks_ahead(self.question.clocks_ahead_s);
        match self.question.method {
            MethodChoice::Iosi => cutter.with_whole_steps_only(),
            _ => cutter,
        }
    }

    /// When jobs of an application were in progress, whatever their size.
    fn busy(&self, application: &Application) -> &[(f64, f64)] {
        let family = self.families.get(&of_any_size(application));
        family.map_or(&[], Vec::as_slice)
    }

    /// Jobs of other applications, whether they are asked for or not.
    fn company(&self, application: &Application) -> Company<'_> {
        let own = of_any_size(application);
        let others = self.families.iter().filter(|(family, _)| **family != own);
        let others = others.chain(&self.logs.strangers);
        Company::new(others.map(|(_, jobs)| jobs.as_slice()).collect())
    }

    /// What servers moved around runs while no job of the application was in progress, where the method asks.
    fn others(
        &self,
        runs: &[Run],
        busy: &[(f64, f64)],
        cutter: Cutter<'_>,
    ) -> Option<Vec<Vec<f64>>> {
        (self.question.method == MethodChoice::Auto).then(|| cutter.around(runs, busy))
    }

    /// What runs have in common, beside what others do while none is in progress.
    fn common(&self, runs: &[Run], others: &[Vec<f64>]) -> SignatureFinding {
        let samples: Vec<Sample> = runs
            .iter()
            .map(|run| Sample {
                id: &self.logs.jobs[run.job].id,
                rates: &run.rates,
                step: Seconds::new(run.step_s).unwrap_or_default(),
            })
            .collect();
        SignatureMiner::new(self.question.settings).mine_beside(&samples, others)
    }
}

/// How many times the longest run that ended one may last that is said to be in progress still.
const LASTING: f64 = 4.0;

/// Ends runs that nobody told the end of, when they would long be over: at their time limit, or after [`LASTING`]
/// times the longest run. Slurm's accounting keeps jobs as running for years where it missed their end. What to
/// say where others started after that.
fn end_runaways(spans: &mut [Option<(f64, f64)>], jobs: &[&JobRecord]) -> Option<Warning> {
    const SHOWN: usize = 5;
    let ended = spans.iter().flatten().filter(|(_, end)| end.is_finite());
    let longest = ended.map(|(start, end)| end - start).fold(0.0, f64::max);
    let starts = spans.iter().flatten().map(|(start, _)| *start);
    let last = starts.fold(f64::NEG_INFINITY, f64::max);
    let mut ids = Vec::new();
    for (span, job) in spans.iter_mut().zip(jobs) {
        let Some((start, end)) = span.as_mut().filter(|(_, end)| end.is_infinite()) else {
            continue;
        };
        let limit = job.time_limit_s.filter(|limit| *limit > 0.0);
        let Some(lasts) = limit.or((longest > 0.0).then_some(LASTING * longest)) else {
            continue;
        };
        *end = *start + lasts;
        if last >= *end {
            ids.push(job.id.as_str());
        }
    }
    let more = match ids.len().saturating_sub(SHOWN) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let message = format!(
        "{} told as still running ({}{more}) though later ones have started: taken to be over at the time limit, or \
         without one after {LASTING} times the longest run. Did the scheduler miss the end?",
        counted(ids.len() as u64, "job"),
        ids[..ids.len().min(SHOWN)].join(", "),
    );
    (!ids.is_empty()).then(|| Warning::new("job-runaway", message))
}

/// When a job ran, however it ended; one that still runs has no end.
fn span(job: &JobRecord) -> Option<(f64, f64)> {
    let start = job.start_epoch_s.filter(|at| at.is_finite())?;
    let end = match job.end_epoch_s.filter(|at| at.is_finite()) {
        Some(end) => end,
        None if job.state == JobState::Running => f64::INFINITY,
        None => return None,
    };
    (end > start).then_some((start, end))
}

/// What to say of runs that were seen together.
fn crowded(overlapping: usize, runs: usize) -> Warning {
    let message = format!(
        "{overlapping} of {runs} runs that are used were in progress while another run of the same application was: \
         the bursts of both are in each, and the signature is not to be relied on"
    );
    Warning::new(CROWDED, message)
}

const CROWDED: &str = "runs-overlap";

/// What is said where servers' clocks seem to show another time than the scheduler's.
pub(super) const CLOCKS: &str = "clocks-may-differ";

/// The share of the runs without which a burst is not a common one.
const MOST: f64 = 0.6;

/// What to say of methods that tell bursts that hardly any run has.
fn seldom_held(finding: &SignatureFinding) -> Option<Warning> {
    let bursts = &finding.signature()?.bursts;
    let least = MOST * finding.used.len() as f64;
    let seldom = bursts.iter().filter(|burst| (burst.support as f64) < least);
    let seldom = seldom.count();
    let message = format!(
        "{seldom} of {} bursts are in less than {:.0} % of the runs: this method makes a curve that is not the application's",
        bursts.len(),
        100.0 * MOST
    );
    (2 * seldom > bursts.len()).then(|| Warning::new(SELDOM, message))
}

const SELDOM: &str = "bursts-in-few-runs";

/// What is not from the servers' logs.
fn filled(runs: &[Run]) -> Option<Warning> {
    let steps: u64 = runs.iter().map(|run| run.filled).sum();
    let filled = runs.iter().filter(|run| run.filled > 0).count() as u64;
    let message = format!(
        "{} of {} that the servers' logs miss were filled in from their neighbours",
        counted(steps, "step"),
        counted(filled, "run"),
    );
    (steps > 0).then(|| Warning::new("filled-steps", message))
}

/// Rates as a signal from 0 on.
pub(super) fn signal(rates: &[f64], step_s: f64) -> Option<Signal> {
    let step = Seconds::new(step_s).filter(|step| step.get() > 0.0)?;
    Some(Signal::new(Seconds::ZERO, step, rates.to_vec()))
}

impl Mined {
    /// Why a signature is not to be relied on.
    pub(super) fn unsure(&self) -> Option<&str> {
        self.finding.signature()?;
        let told = self.finding.warnings.iter();
        let mut told = told.filter(|warning| [CROWDED, SELDOM].contains(&&*warning.code));
        told.next().map(|warning| warning.message.as_str())
    }

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
        let mut steps: Vec<usize> = self.runs.iter().map(|run| run.steps).collect();
        steps.sort_unstable();
        let usual = steps[steps.len() / 2];
        let outside = |why: &Why| {
            matches!(
                why,
                Why::Rejected(Rejection::OutsideLog | Rejection::Partly { .. })
            )
        };
        let any = |is: &dyn Fn(&Why) -> bool| self.rejected.iter().any(|(_, why)| is(why));
        let outside = any(&outside);
        let failed = any(&|why| matches!(why, Why::State(_)));
        let others = self.others_s.is_some_and(|known_s| known_s > 0.0);
        let clocks = self.finding.warnings.iter().any(|told| told.code == CLOCKS);
        Some(match why {
            Undetermined::NothingInCommon if clocks => {
                format!("{why} by these clocks, which may differ (see warnings)")
            }
            Undetermined::NothingInCommon if outside => format!(
                "{why}; the servers' log does not cover all jobs: are its clock and its zone the scheduler's \
                 (--clocks-ahead, --zone, --log-zone)?"
            ),
            Undetermined::NothingInCommon | Undetermined::NoRoom if usual < FEW_STEPS => format!(
                "{why}: runs have about {usual} intervals of the log, and a burst needs about four, and \
                 something beside it"
            ),
            Undetermined::NothingInCommon if others && !failed => format!(
                "{why}: are all jobs logged, also those that failed? What was moved while none that is logged was in \
                 progress counts as others'"
            ),
            why => why.to_string(),
        })
    }

    fn most_common_reason(&self) -> Option<String> {
        let reasons = self.reasons().into_iter();
        let Reason { code, text, jobs } = reasons.max_by_key(|reason| reason.jobs.len())?;
        let others = match code {
            "state" => " (--state takes jobs that ended otherwise)",
            _ => "",
        };
        Some(match jobs.len() {
            1 => format!("{text}{others}"),
            many => format!("{many} jobs, the first: {text}{others}"),
        })
    }

    /// Why jobs gave no run, in the order in which the reasons come.
    pub(super) fn reasons(&self) -> Vec<Reason> {
        let mut places: HashMap<String, usize> = HashMap::new();
        let mut reasons: Vec<Reason> = Vec::new();
        for (job, why) in &self.rejected {
            // Holes and lengths differ from job to job; how jobs ended does not.
            let kind = match why {
                Why::State(words) => words.clone(),
                other => other.code().to_owned(),
            };
            let place = *places.entry(kind).or_insert(reasons.len());
            match reasons.get_mut(place) {
                Some(reason) => reason.jobs.push(*job),
                None => reasons.push(Reason {
                    code: why.code(),
                    text: why.text(),
                    jobs: vec![*job],
                }),
            }
        }
        reasons
    }
}

/// Runs of fewer intervals of a log hardly show anything.
const FEW_STEPS: usize = 40;

fn why_of(jobs: usize) -> String {
    format!("{}, and none gave a run", counted(jobs as u64, "job"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_whose_end_was_missed_is_not_beside_all_that_follow() {
        let open = (0.0, f64::INFINITY);
        let unlimited = JobRecord {
            id: "9".to_owned(),
            ..JobRecord::default()
        };
        let limited = JobRecord {
            time_limit_s: Some(250.0),
            ..unlimited.clone()
        };
        for (job, end) in [(&unlimited, 400.0), (&limited, 250.0)] {
            let mut spans = vec![Some(open), Some((1000.0, 1100.0)), None];
            let told = end_runaways(&mut spans, &[job; 3]).expect("told").message;
            assert!(
                told.starts_with("1 job told as still running (9)"),
                "{told}"
            );
            assert_eq!(spans[0], Some((0.0, end)));
            assert_eq!(alone(&spans), [true; 3]);
        }
        let mut spans = vec![Some(open)];
        assert_eq!(end_runaways(&mut spans, &[&unlimited]), None);
        assert_eq!(spans, [Some(open)], "nothing tells how long is long");
        // The newest may well be in progress.
        let mut spans = vec![Some((1000.0, 1100.0)), Some((1050.0, f64::INFINITY))];
        assert_eq!(end_runaways(&mut spans, &[&unlimited; 2]), None);
        assert_eq!(alone(&spans), [false; 2]);
    }
}
