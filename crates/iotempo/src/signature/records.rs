//! Records that tell of one job together.

use iotempo_model::{JobRecord, JobState};
use std::collections::{HashMap, HashSet};

/// Who ran a job, and its id.
type Key = (String, Option<String>);

fn key(job: &JobRecord) -> Key {
    (job.id.clone(), job.user.clone())
}

fn is_unfinished(job: &JobRecord) -> bool {
    job.end_epoch_s.is_none() && !job.state.is_over()
}

/// What is known of a job besides that it was in progress.
#[derive(Default)]
struct Known {
    latest_start: Option<f64>,
    latest_end: Option<f64>,
    /// Starts of records that tell that it is over, and of those in progress that are kept.
    told: HashSet<Option<u64>>,
}

/// Leaves out what was said of jobs in progress that other records tell more of: the end of the same run, or a
/// later run, which a job that was put back into the queue has, or the same in other words, of which the last that was
/// read counts. Calls `forget` with each that is left out.
pub(super) fn forget_unfinished(jobs: &mut Vec<JobRecord>, mut forget: impl FnMut(&JobRecord)) {
    let unfinished = jobs.iter().filter(|job| is_unfinished(job));
    let mut known: HashMap<Key, Known> =
        unfinished.map(|job| (key(job), Known::default())).collect();
    if known.is_empty() {
        return;
    }
    for job in jobs.iter() {
        let Some(known) = known.get_mut(&key(job)) else {
            continue;
        };
        let later = |a: Option<f64>, b: Option<f64>| match (a, b) {
            (Some(a), Some(b)) => Some(a.max(b)),
            (a, b) => a.or(b),
        };
        known.latest_start = later(known.latest_start, job.start_epoch_s);
        known.latest_end = later(known.latest_end, job.end_epoch_s);
        if !is_unfinished(job) {
            known.told.insert(job.start_epoch_s.map(f64::to_bits));
        }
    }
    let mut counts = |job: &JobRecord| {
        let known = known.get_mut(&key(job)).filter(|_| is_unfinished(job));
        known.is_none_or(|known| {
            let start = job.start_epoch_s;
            let is_past = known.latest_start > start || known.latest_end > start;
            !is_past && known.told.insert(start.map(f64::to_bits))
        })
    };
    let mut kept: Vec<bool> = jobs.iter().rev().map(&mut counts).collect();
    jobs.retain(|job| {
        let keep = kept.pop().unwrap_or(true);
        if !keep {
            forget(job);
        }
        keep
    });
}

/// Whether a job is a part of a heterogeneous one, such as `100+1`, and of which.
fn whole_id(job: &JobRecord) -> Option<&str> {
    let (whole, part) = job.id.split_once('+')?;
    let number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    (number(whole) && number(part) && !job.is_step()).then_some(whole)
}

/// Whether other records may belong to the same job.
pub(super) fn is_part(job: &JobRecord) -> bool {
    whole_id(job).is_some()
}

/// Makes one job of the parts of a heterogeneous one, which start together: what they do is one run. It is called
/// as its first part is.
pub(super) fn join_parts(jobs: &mut Vec<JobRecord>) {
    let mut places: HashMap<(String, Option<String>, Option<u64>), usize> = HashMap::new();
    let mut joined: Vec<JobRecord> = Vec::with_capacity(jobs.len());
    for mut job in jobs.drain(..) {
        let Some(whole) = whole_id(&job).map(str::to_owned) else {
            joined.push(job);
            continue;
        };
        let run = (
            whole.clone(),
            job.user.clone(),
            job.start_epoch_s.map(f64::to_bits),
        );
        let is_first = job.id.ends_with("+0");
        match places.get(&run) {
            None => {
                places.insert(run, joined.len());
                job.id = whole;
                joined.push(job);
            }
            Some(&place) => add_part(&mut joined[place], job, is_first),
        }
    }
    *jobs = joined;
}

fn add_part(job: &mut JobRecord, part: JobRecord, is_first: bool) {
    let sum = |a: Option<u64>, b: Option<u64>| match (a, b) {
        (Some(a), Some(b)) => a.checked_add(b),
        (a, b) => a.or(b),
    };
    job.nodes = sum(job.nodes, part.nodes);
    job.processes = sum(job.processes, part.processes);
    // It is over when all of its parts are, and well when all of them are.
    job.end_epoch_s = job.end_epoch_s.zip(part.end_epoch_s).map(|(a, b)| a.max(b));
    if job.state == JobState::Completed || (job.state.is_over() && !part.state.is_over()) {
        job.state = part.state;
    }
    job.node_list = match (job.node_list.take(), part.node_list) {
        (Some(a), Some(b)) => Some(format!("{a},{b}")),
        (a, b) => a.or(b),
    };
    if is_first {
        job.name = part.name;
        job.exe = part.exe;
        job.partition = part.partition;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn job(id: &str, state: JobState, start: f64, end_epoch_s: Option<f64>) -> JobRecord {
        JobRecord {
            id: id.to_owned(),
            state,
            start_epoch_s: Some(start),
            end_epoch_s,
            nodes: Some(4),
            ..JobRecord::default()
        }
    }

    fn forgotten(jobs: &mut Vec<JobRecord>) -> usize {
        let mut forgotten = 0;
        forget_unfinished(jobs, |_| forgotten += 1);
        forgotten
    }

    fn left(jobs: &[JobRecord]) -> Vec<(&str, Option<f64>, Option<f64>)> {
        let told = jobs.iter();
        told.map(|job| (job.id.as_str(), job.start_epoch_s, job.end_epoch_s))
            .collect()
    }

    #[test]
    fn a_job_that_has_ended_since_is_one_job() {
        let mut jobs = vec![
            job("1", JobState::Running, 100.0, None),
            job("2", JobState::Running, 100.0, None),
            job("1", JobState::Completed, 100.0, Some(200.0)),
        ];
        assert_eq!(forgotten(&mut jobs), 1);
        let expected = [("2", Some(100.0), None), ("1", Some(100.0), Some(200.0))];
        assert_eq!(left(&jobs), expected);
    }

    #[test]
    fn a_job_that_was_put_back_and_started_again_does_not_run_twice() {
        let mut jobs = vec![
            job("1", JobState::Running, 100.0, None),
            job("1", JobState::Completed, 300.0, Some(400.0)),
            job("2", JobState::Running, 100.0, None),
            job("2", JobState::Running, 500.0, None),
            // What ended before it started says nothing of a run.
            job("3", JobState::NodeFail, 100.0, Some(150.0)),
            job("3", JobState::Running, 200.0, None),
        ];
        assert_eq!(forgotten(&mut jobs), 2);
        let expected = [
            ("1", Some(300.0), Some(400.0)),
            ("2", Some(500.0), None),
            ("3", Some(100.0), Some(150.0)),
            ("3", Some(200.0), None),
        ];
        assert_eq!(left(&jobs), expected);
    }

    #[test]
    fn a_job_in_progress_in_two_logs_runs_once() {
        let mut jobs = vec![
            job("1", JobState::Running, 100.0, None),
            job("1", JobState::Running, 100.0, None),
            job("1", JobState::Running, 200.0, None),
            job("1", JobState::Running, 200.0, None),
        ];
        jobs[2].nodes = None;
        assert_eq!(forgotten(&mut jobs), 3);
        assert_eq!(left(&jobs), [("1", Some(200.0), None)]);
        assert_eq!(jobs[0].nodes, Some(4), "the last that was read counts");
    }

    #[test]
    fn parts_of_a_heterogeneous_job_are_one_run() {
        let mut jobs = vec![
            job("7+1", JobState::Failed, 100.0, Some(250.0)),
            job("7+0", JobState::Completed, 100.0, Some(200.0)),
            job("8", JobState::Completed, 100.0, Some(200.0)),
            // Put back into the queue: another run.
            job("7+0", JobState::Completed, 300.0, Some(400.0)),
        ];
        jobs[1].name = Some("first".to_owned());
        join_parts(&mut jobs);
        let expected = [
            ("7", Some(100.0), Some(250.0)),
            ("8", Some(100.0), Some(200.0)),
            ("7", Some(300.0), Some(400.0)),
        ];
        assert_eq!(left(&jobs), expected);
        assert_eq!(jobs[0].nodes, Some(8));
        assert_eq!(jobs[0].state, JobState::Failed);
        assert_eq!(jobs[0].name.as_deref(), Some("first"));
    }
}
