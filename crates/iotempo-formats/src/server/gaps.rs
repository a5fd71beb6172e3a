//! Gaps of a log: what lies between its rows once they are where they belong.

use super::gate::REMEMBERED;
use iotempo_model::Op;
use std::collections::VecDeque;

/// A gap is longer than the usual interval by more than this share of it.
const LONG: f64 = 0.5;

/// Counts the gaps of one target, which stands for all: rows of a report come together. What lies between two rows
/// is judged when no row that comes late can be put there any more.
#[derive(Debug, Default)]
pub(super) struct Gaps {
    /// By direction: the last intervals, in order of time.
    last: [VecDeque<(f64, f64)>; 2],
    /// The direction whose gaps are counted: those of the other one are the same.
    of: Option<Op>,
    count: u64,
    missing_s: f64,
}

impl Gaps {
    /// Takes an interval that was handed on.
    pub(super) fn take(&mut self, op: Op, (start, end): (f64, f64), usual: Option<f64>) {
        let last = &mut self.last[op as usize];
        let place = last.partition_point(|&(_, other)| other < end);
        last.insert(place, (start, end));
        if last.len() > 1 {
            self.of.get_or_insert(op);
        }
        if last.len() > REMEMBERED {
            self.judge_first(op, usual);
        }
    }

    /// Judges all that is left: the log ends, or its clock was set back.
    pub(super) fn settle(&mut self, op: Op, usual: Option<f64>) {
        while !self.last[op as usize].is_empty() {
            self.judge_first(op, usual);
        }
    }

    /// What follows the first interval that is remembered.
    fn judge_first(&mut self, op: Op, usual: Option<f64>) {
        let last = &mut self.last[op as usize];
        let Some((_, end)) = last.pop_front() else {
            return;
        };
        let gap = last.front().map_or(0.0, |&(next, _)| next - end);
        if self.of == Some(op) && usual.is_some_and(|usual| gap > LONG * usual) {
            self.count += 1;
            self.missing_s += gap;
        }
    }

    /// How many there are, once all is settled.
    pub(super) fn count(&self) -> u64 {
        self.count
    }

    /// How long they are together.
    pub(super) fn missing_s(&self) -> f64 {
        self.missing_s
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Seconds of rows, each of which ends with its second.
    fn gaps(ends: impl IntoIterator<Item = u32>) -> (u64, f64) {
        let mut gaps = Gaps::default();
        for end in ends.into_iter().map(f64::from) {
            gaps.take(Op::Write, (end - 1.0, end), Some(1.0));
        }
        gaps.settle(Op::Write, Some(1.0));
        (gaps.count(), gaps.missing_s())
    }

    #[test]
    fn rows_that_come_late_leave_no_gap() {
        assert_eq!(gaps([1, 2, 4, 3, 5]), (0, 0.0));
        assert_eq!(gaps([2, 1, 3, 5, 4]), (0, 0.0));
        // Two of five seconds are filled, and what is left are two gaps.
        assert_eq!(gaps([1, 7, 3, 4, 8]), (2, 3.0));
    }

    #[test]
    fn gaps_of_a_long_log_are_counted_as_they_pass() {
        let ends = (1..10_000).filter(|end| end % 100 != 0);
        assert_eq!(gaps(ends), (99, 99.0));
        let mut swapped: Vec<u32> = (1..10_000).filter(|end| end % 100 != 0).collect();
        for pair in swapped.chunks_exact_mut(3) {
            pair.swap(0, 2);
        }
        assert_eq!(gaps(swapped), (99, 99.0));
    }

    #[test]
    fn one_direction_stands_for_both() {
        let mut gaps = Gaps::default();
        for end in [1.0, 2.0, 9.0] {
            for op in [Op::Read, Op::Write] {
                gaps.take(op, (end - 1.0, end), Some(1.0));
            }
        }
        for op in [Op::Read, Op::Write] {
            gaps.settle(op, Some(1.0));
        }
        assert_eq!((gaps.count(), gaps.missing_s()), (1, 6.0));
    }
}
