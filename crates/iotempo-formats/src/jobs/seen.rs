//! Jobs that came before.

use iotempo_model::JobRecord;
use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};

/// How many jobs are remembered before the older ones are forgotten: what a table of 2^21 places
/// holds, 19 MB.
const GENERATION: usize = 7 << 18;

/// Remembers jobs by eight bytes each: those of the last 1.8 to 3.7 million. Logs are doubled where
/// the same days were asked for twice, so most pairs are closer than that; a log of any length takes
/// the same memory. That two different jobs share their eight bytes happens in less than one of
/// 100,000 logs of ten million.
#[derive(Default)]
pub(super) struct Seen {
    young: HashSet<u64>,
    old: HashSet<u64>,
}

impl Seen {
    /// Whether just this was said of a job before.
    pub(super) fn again(&mut self, job: &JobRecord) -> bool {
        let hash = hash(job);
        if self.old.contains(&hash) || !self.young.insert(hash) {
            return true;
        }
        if self.young.len() >= GENERATION {
            self.old = std::mem::take(&mut self.young);
        }
        false
    }
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
        let mut seen = Seen::default();
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
            assert!(!seen.again(&job(number)), "{number}");
        }
        assert!(seen.again(&job(2 * GENERATION - 1)), "the newest");
        assert!(!seen.again(&job(0)), "the oldest");
        assert!(seen.young.len() + seen.old.len() <= 2 * GENERATION);
    }
}
