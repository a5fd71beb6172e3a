//! Counters that somebody looked at now and then: two looks tell what was moved in between, one
//! tells only how much it is since the counter began.

use super::counters::Counters;
use super::gate::{Gate, Series};
use iotempo_model::{Op, counted};
use std::collections::HashMap;
use std::io;

/// Counters, and what they showed last.
#[derive(Default)]
pub(super) struct Snapshots {
    counters: Counters,
    shown: HashMap<(usize, u8), Shown>,
}

/// What a counter showed, and when.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Shown {
    pub(super) at: f64,
    pub(super) value: f64,
}

impl Snapshots {
    /// Takes what a counter showed at an instant.
    ///
    /// # Errors
    /// Whatever the sink answers.
    pub(super) fn read(
        &mut self,
        gate: &mut Gate<'_>,
        series: Series,
        op: Op,
        at: f64,
        value: f64,
    ) -> io::Result<()> {
        if at.is_finite() && value.is_finite() && value >= 0.0 {
            let key = (series.index(), op as u8);
            self.shown.insert(key, Shown { at, value });
        }
        self.counters.read(gate, series, op, at, value)
    }

    /// Takes that a counter began anew, at zero, at an instant.
    ///
    /// # Errors
    /// Whatever the sink answers.
    pub(super) fn restart(
        &mut self,
        gate: &mut Gate<'_>,
        series: Series,
        op: Op,
        at: f64,
    ) -> io::Result<()> {
        let key = (series.index(), op as u8);
        self.shown.insert(key, Shown { at, value: 0.0 });
        self.counters.restart(gate, series, op, at)
    }

    /// What a counter showed last.
    pub(super) fn shown(&self, series: Series, op: Op) -> Option<Shown> {
        self.shown.get(&(series.index(), op as u8)).copied()
    }

    /// Tells of resets and clocks, and what the counters show where that is all there is.
    pub(super) fn tell(&self, gate: &mut Gate<'_>) {
        self.counters.tell(gate);
        if gate.samples() > 0 || self.shown.is_empty() {
            return;
        }
        let sum = |op: Op| -> f64 {
            let of_op = self.shown.iter().filter(|((_, one), _)| *one == op as u8);
            // Whole numbers: their sum does not depend on the order.
            of_op.map(|(_, shown)| shown.value).sum()
        };
        let series: std::collections::HashSet<usize> =
            self.shown.keys().map(|&(series, _)| series).collect();
        let (read, written) = gate.quantity().pick(
            ("bytes read", "bytes written"),
            ("read operations", "write operations"),
        );
        gate.warn(
            "one-snapshot",
            format!(
                "one snapshot of {}: since they began, the counters show {} {read} and {} {written}; when that was is not known: take a second snapshot, and append it",
                counted(series.len() as u64, "target"),
                sum(Op::Read),
                sum(Op::Write),
            ),
        );
    }
}
