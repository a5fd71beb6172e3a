//! Which targets of servers are there while jobs run.

use iotempo_model::{Binned, Expected, JobRecord, Op, Seldom, TargetKind, Warning, counted};
use std::collections::BTreeMap;

/// So many jobs, evenly among all, tell which targets are there for most of them.
const ASKED: usize = 512;

/// Targets that are named in one warning.
const SHOWN: usize = 4;

/// What servers watched while jobs ran.
#[derive(Debug, Clone, Default)]
pub struct Watch {
    /// Targets without which a run is not whole.
    pub expected: Expected,
    /// Targets that are there for none or few of the jobs.
    pub warnings: Vec<Warning>,
}

impl Watch {
    /// Looks at which targets are there while these jobs run, whose clock is behind the servers' by
    /// `shift_s` seconds.
    #[must_use]
    pub fn over(throughput: &Binned, ops: &[Op], jobs: &[JobRecord], shift_s: f64) -> Self {
        let hours = |job: &JobRecord| {
            let (start, end) = (job.start_epoch_s? + shift_s, job.end_epoch_s? + shift_s);
            (start.is_finite() && end.is_finite() && end > start).then_some((start, end))
        };
        let all: Vec<(f64, f64)> = jobs.iter().filter_map(hours).collect();
        let every = all.len().div_ceil(ASKED).max(1);
        let asked: Vec<(f64, f64)> = all.iter().copied().step_by(every).collect();
        let expected = throughput.expected(ops, &asked);
        // Jobs and users come and go.
        let stays = |one: &Seldom<'_>| {
            use TargetKind::{Client, Job, User};
            !matches!(one.target.kind, Job | User | Client)
        };
        let mut seldom = throughput.seldom(ops, &asked);
        seldom.retain(stays);
        // Where no log is from the time of the jobs, it is no single target's fault.
        seldom.retain(|one| one.of > 0);
        if every > 1 {
            let never = |one: &Seldom<'_>| {
                let of_any = |(from, to): &(f64, f64)| one.hull.0 < *to && one.hull.1 > *from;
                one.there > 0 || !all.iter().any(of_any)
            };
            seldom.retain(never);
        }
        Self {
            expected,
            warnings: told(&seldom),
        }
    }
}

/// A warning per log, about targets that are never there and about those that seldom are.
fn told(seldom: &[Seldom<'_>]) -> Vec<Warning> {
    let mut by_log: BTreeMap<(&str, bool), Vec<&Seldom<'_>>> = BTreeMap::new();
    for one in seldom {
        by_log
            .entry((one.log, one.there == 0))
            .or_default()
            .push(one);
    }
    let warning = |((log, never), targets): ((&str, bool), Vec<&Seldom<'_>>)| {
        let labels = targets.iter().take(SHOWN).map(|one| one.target.label());
        let mut names: Vec<String> = labels.filter(|label| !label.is_empty()).collect();
        if let more @ 1.. = targets.len().saturating_sub(SHOWN) {
            names.push(counted(more as u64, "more target"));
        }
        let names = match names.is_empty() {
            true => "it".to_owned(),
            false => names.join(", "),
        };
        if never {
            let message = format!(
                "{log}: says nothing of {names} while any of the jobs ran: is its clock in another zone?"
            );
            return Warning::new("target-outside-jobs", message);
        }
        let first = targets[0];
        let message = format!(
            "{log}: {names} are there for {} of {} jobs: what runs move is not all seen in the others",
            first.there, first.of
        );
        Warning::new("target-seldom", message)
    };
    by_log.into_iter().map(warning).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use iotempo_model::{Bytes, Interval, Moved, Seconds, Target, ThroughputSink};

    fn log(binned: &mut Binned, server: &str, from: u32, to: u32) {
        binned.begin_log(format!("{server}.txt"));
        let target = binned.target(&Target::new(server, "sda", TargetKind::Device));
        let at = |second: u32| Seconds::new(f64::from(second)).expect("finite");
        for second in from..to {
            let moved = Moved {
                target,
                op: Op::Write,
                when: Interval::new(at(second), at(second + 1)).expect("forwards"),
                bytes: Bytes::new(1.0).expect("a volume"),
            };
            binned.moved(moved).expect("taken");
        }
        binned.finish();
    }

    fn jobs() -> Vec<JobRecord> {
        let job = |start: u32| JobRecord {
            start_epoch_s: Some(f64::from(start)),
            end_epoch_s: Some(f64::from(start + 90)),
            ..JobRecord::default()
        };
        (0..10).map(|index| job(index * 100)).collect()
    }

    #[test]
    fn a_log_from_another_zone_is_named() {
        let mut binned = Binned::new();
        log(&mut binned, "oss1", 0, 1000);
        log(&mut binned, "oss2", 5000, 6000);
        log(&mut binned, "oss3", 0, 200);
        let watch = Watch::over(&binned, &Op::ALL, &jobs(), 0.0);
        let messages: Vec<&str> = watch.warnings.iter().map(|one| &*one.message).collect();
        assert_eq!(
            messages,
            [
                "oss2.txt: says nothing of oss2/sda while any of the jobs ran: is its clock in another zone?",
                "oss3.txt: oss3/sda are there for 2 of 10 jobs: what runs move is not all seen in the others",
            ]
        );
    }
}
