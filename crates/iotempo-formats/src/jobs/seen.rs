//! Jobs that came before.

use iotempo_model::JobRecord;
use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::mem;

/// How many jobs are remembered before the older ones are forgotten: what a table of 2^21 places
/// holds, 19 MB.
const GENERATION: usize = 7 << 18;

/// Remembers jobs by eight bytes each: those of the last 1.8 to 3.7 million. Logs are doubled where
/// the same days were asked for twice, so most pairs are closer than that; it takes the same memory for
/// any number of jobs. That two different jobs share their eight bytes happens in less than one of
/// 100,000 logs of ten million.
#[derive(Debug, Default)]
struct Seen {
    young: HashSet<u64>,
    old: HashSet<u64>,
}

/// Jobs of any number of logs, so that one that several of them tell of is one job.
#[derive(Debug, Default)]
pub struct JobsSeen {
    /// What this log said, in its words.
    said: Seen,
    /// The jobs of this log, for those that follow: eight bytes for each, however many.
    here: Vec<u64>,
    /// Jobs of the logs before it.
    earlier: Seen,
}

impl JobsSeen {
    /// Says that what follows comes from another log.
    pub(super) fn begin_log(&mut self) {
        self.said = Seen::default();
        for job in mem::take(&mut self.here) {
            self.earlier.again(job);
        }
    }

    /// Whether a job is known: from an earlier log, which may have said other things of it, or from this
    /// one in the same words.
    pub(super) fn again(&mut self, job: &JobRecord) -> bool {
        let run = run(job);
        if self.said.again(hash(job)) || self.earlier.contains(run) {
            return true;
        }
        self.here.push(run);
        false
    }
}

impl Seen {
    fn contains(&self, hash: u64) -> bool {
        self.old.contains(&hash) || self.young.contains(&hash)
    }

    /// Whether this was seen before.
    fn again(&mut self, hash: u64) -> bool {
        if self.old.contains(&hash) || !self.young.insert(hash) {
            return true;
        }
        if self.young.len() >= GENERATION {
            self.old = std::mem::take(&mut self.young);
        }
        false
    }
}

/// Always the same for the same run of a job, whatever else a log says of it.
fn run(job: &JobRecord) -> u64 {
    let (Some(start), Some(end)) = (job.start_epoch_s, job.end_epoch_s) else {
        return hash(job);
    };
    let mut hasher = DefaultHasher::new();
    (&job.id, &job.step, &job.user).hash(&mut hasher);
    (start.to_bits(), end.to_bits()).hash(&mut hasher);
    hasher.finish()
}

/// Always the same for the same job.
fn hash(job: &JobRecord) -> u64 {
    let mut hasher = DefaultHasher::new();
    let texts = (
        &job.id,
        &job.raw_id,
        &job.step,
        &job.user,
        &job.group,
        &job.account,
    );
    texts.hash(&mut hasher);
    let more = (&job.name, &job.exe, &job.partition, &job.node_list);
    (more, &job.state, job.exit_code, job.nodes, job.processes).hash(&mut hasher);
    for time in [
        job.submit_epoch_s,
        job.start_epoch_s,
        job.end_epoch_s,
        job.time_limit_s,
    ] {
        time.map(f64::to_bits).hash(&mut hasher);
    }
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_job_is_the_same_only_where_all_that_is_said_of_it_is() {
        let job = JobRecord {
            id: "7".to_owned(),
            start_epoch_s: Some(1.0),
            ..JobRecord::default()
        };
        let requeued = JobRecord {
            start_epoch_s: Some(2.0),
            ..job.clone()
        };
        let mut seen = JobsSeen::default();
        assert!(!seen.again(&job));
        assert!(!seen.again(&requeued));
        assert!(seen.again(&job) && seen.again(&requeued));
    }

    #[test]
    fn old_jobs_are_forgotten_so_that_memory_has_an_end() {
        let mut seen = Seen::default();
        let job = |number: usize| JobRecord {
            nodes: Some(number as u64),
            ..JobRecord::default()
        };
        for number in 0..2 * GENERATION {
            assert!(!seen.again(hash(&job(number))), "{number}");
        }
        assert!(seen.again(hash(&job(2 * GENERATION - 1))), "the newest");
        assert!(!seen.again(hash(&job(0))), "the oldest");
        assert!(seen.young.len() + seen.old.len() <= 2 * GENERATION);
    }

    #[test]
    fn another_log_may_say_less_of_the_same_job() {
        let job = JobRecord {
            id: "7".to_owned(),
            start_epoch_s: Some(1.0),
            end_epoch_s: Some(9.0),
            nodes: Some(4),
            ..JobRecord::default()
        };
        let less = JobRecord {
            nodes: None,
            ..job.clone()
        };
        let mut seen = JobsSeen::default();
        assert!(!seen.again(&job) && !seen.again(&less));
        seen.begin_log();
        assert!(seen.again(&less));
        let later = JobRecord {
            start_epoch_s: Some(2.0),
            ..job
        };
        assert!(!seen.again(&later));
    }
}
