//! Which runs of an application were alone: what servers saw of two at once is both.

use iotempo_model::{JobRecord, JobState};

/// The share of its time that a run may have spent beside another one and still count as alone.
const HARDLY: f64 = 0.02;

/// For each of the jobs at these places whether no other of them ran meanwhile, however it ended.
pub(super) fn alone(jobs: &[JobRecord], places: &[usize]) -> Vec<bool> {
    let spans: Vec<Option<(f64, f64)>> = places.iter().map(|&at| span(&jobs[at])).collect();
    let crowd = Crowd::of(spans.iter().flatten());
    spans
        .into_iter()
        .map(|span| {
            span.is_none_or(|(start, end)| {
                let shared = crowd.shared_until(end) - crowd.shared_until(start);
                shared <= HARDLY * (end - start)
            })
        })
        .collect()
}

/// When a job ran; one that still runs has no end.
fn span(job: &JobRecord) -> Option<(f64, f64)> {
    let start = job.start_epoch_s.filter(|at| at.is_finite())?;
    let end = match job.end_epoch_s.filter(|at| at.is_finite()) {
        Some(end) => end,
        None if job.state == JobState::Running => f64::INFINITY,
        None => return None,
    };
    (end > start).then_some((start, end))
}

/// How long at least two ran at once, summed up to each moment at which one began or ended.
struct Crowd {
    /// The moment, the seconds up to it, and how many ran from it on.
    moments: Vec<(f64, f64, i64)>,
}

impl Crowd {
    fn of<'a>(spans: impl Iterator<Item = &'a (f64, f64)>) -> Self {
        let changes = |&(start, end): &(f64, f64)| [(start, 1), (end, -1)];
        let mut changes: Vec<(f64, i64)> = spans.flat_map(changes).collect();
        changes.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        let (mut last, mut shared, mut running) = (f64::NEG_INFINITY, 0.0, 0);
        let mut moments = Vec::with_capacity(changes.len());
        for (at, change) in changes {
            if running > 1 {
                shared += at - last;
            }
            running += change;
            last = at;
            moments.push((at, shared, running));
        }
        Self { moments }
    }

    /// The seconds up to a moment that is one of its own.
    fn shared_until(&self, at: f64) -> f64 {
        let behind = self.moments.partition_point(|moment| moment.0 <= at);
        behind
            .checked_sub(1)
            .map_or(0.0, |last| self.moments[last].1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn job(start: f64, end: Option<f64>) -> JobRecord {
        JobRecord {
            start_epoch_s: Some(start),
            end_epoch_s: end,
            state: match end {
                Some(_) => JobState::Completed,
                None => JobState::Running,
            },
            ..JobRecord::default()
        }
    }

    fn told(spans: &[(f64, f64)]) -> Vec<bool> {
        let jobs: Vec<JobRecord> = spans.iter().map(|span| job(span.0, Some(span.1))).collect();
        alone(&jobs, &(0..jobs.len()).collect::<Vec<_>>())
    }

    #[test]
    fn runs_that_follow_each_other_are_alone() {
        assert_eq!(
            told(&[(0.0, 100.0), (100.0, 200.0), (300.0, 400.0)]),
            [true; 3]
        );
        assert!(told(&[]).is_empty());
    }

    #[test]
    fn runs_at_the_same_time_are_not() {
        let spans = [(0.0, 100.0), (50.0, 150.0), (149.0, 300.0), (400.0, 500.0)];
        assert_eq!(told(&spans), [false, false, true, true]);
        assert_eq!(told(&[(0.0, 1000.0), (10.0, 20.0)]), [true, false]);
        assert_eq!(told(&[(0.0, 100.0), (0.0, 100.0)]), [false; 2]);
    }

    #[test]
    fn one_that_still_runs_is_beside_all_that_follow() {
        let jobs = [job(0.0, Some(50.0)), job(60.0, None), job(70.0, Some(90.0))];
        let told = alone(&jobs, &[0, 1, 2]);
        assert_eq!((told[0], told[2]), (true, false));
    }
}
