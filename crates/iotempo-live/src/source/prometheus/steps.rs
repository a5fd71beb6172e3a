//! From values at steps of time to bytes, each step once and in order.

use std::collections::BTreeMap;

/// How long a value that is missing is waited for, in steps.
const LATE: i64 = 3;

/// What the values of a query are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Values {
    /// Bytes per second.
    Rate,
    /// Bytes since something began, which may begin anew.
    Counter,
}

/// How far values were taken. Steps are numbered from 1970 on.
#[derive(Debug)]
pub(super) struct Steps {
    values: Values,
    step_s: f64,
    /// The next one that is wanted.
    next: i64,
    /// What the counter was at the one before, where it was there.
    count: Option<f64>,
}

/// What moved in the step that ends with this number.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Moved {
    pub(super) step: i64,
    pub(super) bytes: f64,
}

impl Steps {
    pub(super) fn new(values: Values, step_s: f64, first: i64) -> Self {
        Self {
            values,
            step_s,
            next: first,
            count: None,
        }
    }

    /// The next step that is wanted.
    pub(super) fn next(&self) -> i64 {
        self.next
    }

    /// Takes the values of steps up to `newest`. One that is missing ends that, for a while: it may come.
    /// After that it is a gap, in which nothing is known.
    pub(super) fn take(&mut self, found: &BTreeMap<i64, f64>, newest: i64) -> Vec<Moved> {
        let mut moved = Vec::new();
        while self.next <= newest {
            let value = found.get(&self.next).copied().filter(|one| one.is_finite());
            if value.is_none() && self.next > newest - LATE {
                break;
            }
            let bytes = value.and_then(|value| self.bytes(value));
            moved.extend(bytes.map(|bytes| Moved {
                step: self.next,
                bytes,
            }));
            self.count = value;
            self.next += 1;
        }
        moved
    }

    /// What moved in the step that ends with this value; `None` where that cannot be said.
    fn bytes(&self, value: f64) -> Option<f64> {
        let bytes = match (self.values, self.count) {
            (Values::Rate, _) => value * self.step_s,
            (Values::Counter, None) => return None,
            // It began anew: all that it counts came since.
            (Values::Counter, Some(before)) if value < before => value,
            (Values::Counter, Some(before)) => value - before,
        };
        (bytes >= 0.0).then_some(bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(values: &[(i64, f64)]) -> BTreeMap<i64, f64> {
        values.iter().copied().collect()
    }

    fn pairs(moved: Vec<Moved>) -> Vec<(i64, f64)> {
        moved.iter().map(|one| (one.step, one.bytes)).collect()
    }

    #[test]
    fn a_rate_holds_for_a_step_and_none_counts_twice() {
        let mut steps = Steps::new(Values::Rate, 2.0, 10);
        let values = found(&[(9, 1.0), (10, 5.0), (11, 0.0), (12, 7.0)]);
        assert_eq!(pairs(steps.take(&values, 11)), [(10, 10.0), (11, 0.0)]);
        assert_eq!(pairs(steps.take(&values, 12)), [(12, 14.0)]);
        assert_eq!(pairs(steps.take(&values, 12)), []);
        assert_eq!(steps.next(), 13);
    }

    #[test]
    fn a_late_value_is_waited_for_and_one_that_does_not_come_is_a_gap() {
        let mut steps = Steps::new(Values::Rate, 1.0, 1);
        assert_eq!(
            pairs(steps.take(&found(&[(1, 4.0), (3, 6.0)]), 3)),
            [(1, 4.0)]
        );
        let late = found(&[(2, 5.0), (3, 6.0)]);
        assert_eq!(pairs(steps.take(&late, 3)), [(2, 5.0), (3, 6.0)]);
        assert_eq!(pairs(steps.take(&found(&[(5, 8.0)]), 6)), []);
        assert_eq!(pairs(steps.take(&found(&[(5, 8.0)]), 7)), [(5, 8.0)]);
    }

    #[test]
    fn what_is_no_number_or_runs_backwards_is_a_gap() {
        let mut steps = Steps::new(Values::Rate, 1.0, 1);
        let values = found(&[(1, f64::NAN), (2, f64::INFINITY), (3, -5.0), (4, 1.0)]);
        assert_eq!(pairs(steps.take(&values, 9)), [(4, 1.0)]);
    }

    #[test]
    fn a_counter_counts_what_came_since_and_may_begin_anew() {
        let mut steps = Steps::new(Values::Counter, 1.0, 1);
        let values = found(&[(1, 100.0), (2, 150.0), (3, 30.0), (4, 30.0)]);
        let moved = [(2, 50.0), (3, 30.0), (4, 0.0)];
        assert_eq!(pairs(steps.take(&values, 4)), moved);
        // Over a gap nobody knows when it rose.
        let later = found(&[(6, 90.0), (7, 95.0)]);
        assert_eq!(pairs(steps.take(&later, 9)), [(7, 5.0)]);
    }
}
