//! What servers move around the runs of an application, while none of them is in progress.

use super::cut::{Cutter, Run};
use iotempo_model::JobRecord;

/// So many steps from a run are left out: clocks differ, and servers write a little later than a job does.
const MARGIN_STEPS: f64 = 2.0;

/// So long a stretch around the runs tells others' bursts: of runs that do nothing hardly one in a hundred sets is then
/// given a burst (tests of `iotempo-sim`); a quarter of that is hardly better than nothing.
pub const TELLING_STEPS: usize = 100;

/// So many steps on either side of a run are looked at in any case: beside a short run, as many as it has tell
/// little. What is left of them without the margin, and without the steps in which run and margin end, tells
/// others' bursts.
const LEAST_STEPS: f64 = TELLING_STEPS as f64 + MARGIN_STEPS + 2.0;

/// How far from a run what lies beside it is looked at, as a share of its length, and in steps at the least: of
/// fewer nobody can tell what most runs have beside them from what nobody has.
const NEXT: f64 = 0.2;
const NEXT_STEPS: f64 = 12.0;

/// What servers moved next to a run.
#[derive(Debug, Clone, PartialEq)]
pub struct Beside {
    /// When the first of its steps begins.
    pub start_s: f64,
    /// The length of a step.
    pub step_s: f64,
    /// Bytes per second, the nearest first.
    pub rates: Vec<f64>,
    /// On which side of the run.
    pub side: Side,
}

impl Beside {
    /// When these steps were, `steps` of them from this `place` on.
    #[must_use]
    pub fn moment(&self, place: usize, steps: usize) -> (f64, f64) {
        let last = (place + steps).min(self.rates.len());
        let (from, to) = match self.side {
            Side::Before => (self.rates.len() - last, self.rates.len() - place),
            Side::After => (place, last),
        };
        let at = |step: usize| self.start_s + self.step_s * step as f64;
        (at(from), at(to))
    }
}

/// A side of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// What comes before its start.
    Before,
    /// What comes after its end.
    After,
}

impl Cutter<'_> {
    /// What servers moved next to a run, the nearest first, until another job was in progress of those that are
    /// `busy`. None where that is at once, or the log does not have it.
    #[must_use]
    pub fn next_to(&self, run: &Run, side: Side, busy: &[(f64, f64)]) -> Option<Beside> {
        let lasts = run.step_s * run.rates.len() as f64;
        let far = (NEXT * lasts).max(NEXT_STEPS * run.step_s);
        // A step between: clocks are never quite the same, and servers write a little later.
        let edge = match side {
            Side::Before => run.start_s - run.step_s,
            Side::After => run.start_s + lasts + run.step_s,
        };
        if busy.iter().any(|(start, end)| *start < edge && *end > edge) {
            return None;
        }
        let (from, to) = match side {
            Side::Before => {
                let last = busy.iter().map(|(_, end)| *end).filter(|end| *end <= edge);
                (last.fold(edge - far, f64::max), edge)
            }
            Side::After => {
                let next = busy.iter().map(|(start, _)| *start);
                let next = next.filter(|start| *start >= edge);
                (edge, next.fold(edge + far, f64::min))
            }
        };
        let mut found = self.whole_steps(from, to)?;
        if side == Side::Before {
            found.rates.reverse();
        }
        (found.rates.len() as f64 >= NEXT_STEPS).then_some(Beside {
            start_s: found.start_s,
            step_s: found.step_s,
            rates: found.rates,
            side,
        })
    }

    /// What servers moved for as long so many steps later, in the same order. None where a job was in progress then of
    /// those that are `busy`, or the log does not have it.
    #[must_use]
    pub fn later(&self, beside: &Beside, steps: i64, busy: &[(f64, f64)]) -> Option<Vec<f64>> {
        let by_s = beside.step_s * steps as f64;
        let (from, to) = beside.moment(0, beside.rates.len());
        let (from, to) = (from + by_s, to + by_s);
        let margin = MARGIN_STEPS * beside.step_s;
        let is_taken = |(start, end): &(f64, f64)| *start < to + margin && *end > from - margin;
        if busy.iter().any(is_taken) {
            return None;
        }
        // Times of steps are not exact.
        let slack = 0.25 * beside.step_s;
        let mut rates = self.whole_steps(from - slack, to + slack)?.rates;
        if beside.side == Side::Before {
            rates.reverse();
        }
        (rates.len() == beside.rates.len()).then_some(rates)
    }

    /// What servers moved around runs while none of the jobs that are `busy`, from their starts to their ends, was in
    /// progress ([`free_around`]), as far as the log has it: stretches end where it begins or ends, and at its holes.
    #[must_use]
    pub fn around(&self, runs: &[Run], busy: &[(f64, f64)]) -> Vec<Vec<f64>> {
        let Some(step_s) = runs.first().map(|run| run.step_s) else {
            return Vec::new();
        };
        let span = |run: &Run| (run.start_s, run.start_s + step_s * run.rates.len() as f64);
        let spans: Vec<(f64, f64)> = runs.iter().map(span).collect();
        let free = free_around(&spans, busy, step_s).into_iter();
        let known = free.flat_map(|(start, end)| self.without_holes(start, end));
        known
            .filter_map(|(start, end)| Some(self.whole_steps(start, end)?.rates))
            .collect()
    }

    /// What servers moved in the steps that lie wholly between these times, where the log has it.
    fn whole_steps(&self, start: f64, end: f64) -> Option<Run> {
        let stretch = JobRecord {
            start_epoch_s: Some(start),
            end_epoch_s: Some(end),
            ..JobRecord::default()
        };
        self.with_whole_steps_only().cut(0, &stretch).ok()
    }
}

/// When no job was in progress of those that are `busy`, from their starts to their ends: for as long before and
/// behind each run as it lasts, and a little longer where it is short. Servers' logs have steps of this length.
#[must_use]
pub fn free_around(runs: &[(f64, f64)], busy: &[(f64, f64)], step_s: f64) -> Vec<(f64, f64)> {
    let around = runs.iter().map(|run| looked_at(*run, step_s));
    without(&joined(around.collect()), &widened(busy, step_s))
}

/// When, between these times, no job was in progress of those that are `busy`, in a log with steps of this length.
pub(super) fn free_within(
    between: (f64, f64),
    busy: &[(f64, f64)],
    step_s: f64,
) -> Vec<(f64, f64)> {
    without(&[between], &widened(busy, step_s))
}

/// Times at which nobody knows who moved what: clocks differ.
fn widened(busy: &[(f64, f64)], step_s: f64) -> Vec<(f64, f64)> {
    let margin = MARGIN_STEPS * step_s;
    let widened = busy
        .iter()
        .map(|(start, end)| (start - margin, end + margin));
    joined(widened.collect())
}

/// How far around a run is looked at what servers move without it, in a log with steps of this length.
#[must_use]
pub fn looked_at((start, end): (f64, f64), step_s: f64) -> (f64, f64) {
    let far = (end - start).max(LEAST_STEPS * step_s);
    (start - far, end + far)
}

/// Stretches of time that do not touch, in order.
fn joined(mut stretches: Vec<(f64, f64)>) -> Vec<(f64, f64)> {
    stretches.sort_by(|one, other| one.0.total_cmp(&other.0));
    let mut joined: Vec<(f64, f64)> = Vec::with_capacity(stretches.len());
    for (start, end) in stretches {
        match joined.last_mut() {
            Some(last) if start <= last.1 => last.1 = last.1.max(end),
            _ => joined.push((start, end)),
        }
    }
    joined
}

/// What of these stretches lies in none of those; both are in order and do not touch.
fn without(stretches: &[(f64, f64)], those: &[(f64, f64)]) -> Vec<(f64, f64)> {
    let mut left = Vec::new();
    let mut behind = 0;
    for &(start, end) in stretches {
        while behind < those.len() && those[behind].1 <= start {
            behind += 1;
        }
        let mut from = start;
        for &(taken, free) in &those[behind..] {
            if taken >= end {
                break;
            }
            if taken > from {
                left.push((from, taken));
            }
            from = from.max(free);
        }
        if from < end {
            left.push((from, end));
        }
    }
    left
}

#[cfg(test)]
mod tests {
    use super::super::fixtures::{job, log};
    use super::*;
    use iotempo_model::Op;

    #[test]
    fn as_much_as_a_run_lasts_is_looked_at_on_either_side_of_it() {
        let run = (1000.0, 1500.0);
        // The job before ended at 800, and clocks are off by two steps at most.
        let busy = [(0.0, 800.0), run];
        let free = free_around(&[run], &busy, 2.0);
        assert_eq!(free, [(804.0, 996.0), (1504.0, 2000.0)]);
        // Beside a short one, a few more than a hundred steps.
        let short = (1000.0, 1010.0);
        let free = free_around(&[short], &[short], 2.0);
        assert_eq!(free, [(792.0, 996.0), (1014.0, 1218.0)]);
        assert_eq!(free_around(&[run], &[(0.0, f64::INFINITY)], 2.0), []);
    }

    #[test]
    fn what_is_left_of_a_time_is_where_nobody_runs() {
        let around = joined(vec![(50.0, 80.0), (0.0, 30.0), (20.0, 40.0)]);
        assert_eq!(around, [(0.0, 40.0), (50.0, 80.0)]);
        let busy = joined(vec![(-5.0, 2.0), (10.0, 15.0), (35.0, 55.0), (90.0, 95.0)]);
        let free = [(2.0, 10.0), (15.0, 35.0), (55.0, 80.0)];
        assert_eq!(without(&around, &busy), free);
        assert_eq!(without(&around, &[]), around);
        assert_eq!(without(&around, &[(-10.0, 100.0)]), []);
    }

    #[test]
    fn what_others_do_is_known_up_to_the_ends_and_the_holes_of_a_log() {
        let log = log((450..1000).filter(|second| !(640..650).contains(second)));
        let expected = log.usually_expected(&[Op::Write]);
        let cutter = Cutter::new(&log, &[Op::Write], &expected);
        let run = cutter.cut(0, &job(500.0, 600.0)).expect("covered");
        let others = cutter.around(&[run], &[(500.0, 600.0)]);
        let known: Vec<(f64, usize)> = others.iter().map(|one| (one[0], one.len())).collect();
        assert_eq!(known, [(4500.0, 48), (6020.0, 38), (6500.0, 54)]);
    }

    /// Whenever in a step of the log it starts and ends.
    #[test]
    fn beside_a_short_run_enough_is_known_to_tell_others_by() {
        let log = log(0..1000);
        let expected = log.usually_expected(&[Op::Write]);
        let cutter = Cutter::new(&log, &[Op::Write], &expected);
        for part in 0..20 {
            let (start, end) = (
                500.0 + 0.05 * f64::from(part),
                540.95 - 0.1 * f64::from(part),
            );
            let run = cutter.cut(0, &job(start, end)).expect("covered");
            let others = cutter.around(&[run], &[(start, end)]);
            let known: Vec<usize> = others.iter().map(Vec::len).collect();
            let enough = known.iter().all(|steps| *steps >= TELLING_STEPS);
            assert!(known.len() == 2 && enough, "{start} {end}: {known:?}");
        }
    }

    #[test]
    fn what_lies_beside_a_run_has_its_times() {
        let log = log(100..1000);
        let expected = log.usually_expected(&[Op::Write]);
        let cutter = Cutter::new(&log, &[Op::Write], &expected);
        let run = cutter.cut(0, &job(500.0, 600.0)).expect("covered");
        let busy = [(500.0, 600.0), (700.0, 720.0)];
        let after = cutter.next_to(&run, Side::After, &busy).expect("known");
        assert_eq!((after.start_s, after.rates.len()), (601.0, 20));
        assert_eq!(
            (after.rates[0], after.moment(2, 3)),
            (6010.0, (603.0, 606.0))
        );
        let before = cutter.next_to(&run, Side::Before, &busy).expect("known");
        assert_eq!((before.start_s, before.rates[0]), (479.0, 4980.0));
        assert_eq!(before.moment(2, 3), (494.0, 497.0));
        let later = |steps| Some(cutter.later(&before, steps, &busy)?[0]);
        assert_eq!(later(-40), Some(4580.0));
        assert_eq!(later(150), Some(6480.0));
        assert_eq!(later(30), None, "the run itself is in progress");
        assert_eq!(later(210), None, "another is");
        assert_eq!(later(-390), None, "the log begins later");
    }
}
