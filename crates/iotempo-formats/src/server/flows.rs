//! Rates and volumes whose log states nothing but a time a row: how long each of them held.

use super::gate::{Gate, Series};
use iotempo_model::{Op, counted};
use std::collections::HashMap;
use std::io;

/// Which end of its interval the time of a row is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stamp {
    /// It holds until the next.
    Start,
    /// It held since the last.
    End,
}

/// What a number of a row is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Measure {
    PerSecond,
    PerInterval,
}

/// A row of a target.
#[derive(Debug, Clone, Copy)]
pub(super) struct Flow {
    pub(super) at: f64,
    pub(super) value: f64,
    pub(super) measure: Measure,
}

impl Flow {
    fn volume(self, length: f64) -> f64 {
        match self.measure {
            Measure::PerSecond => self.value * length,
            Measure::PerInterval => self.value,
        }
    }
}

/// An interval that is longer than the usual one by this factor has rows missing in it.
const LATE: f64 = 1.5;

/// Rows that wait for their neighbour.
pub(super) struct Flows {
    stamp: Stamp,
    waiting: HashMap<(usize, u8), (Series, Op, Flow)>,
    lengthless: u64,
}

impl Flows {
    pub(super) fn new(stamp: Stamp) -> Self {
        Self {
            stamp,
            waiting: HashMap::new(),
            lengthless: 0,
        }
    }

    /// Takes a row.
    ///
    /// # Errors
    /// Whatever the sink answers.
    pub(super) fn take(
        &mut self,
        gate: &mut Gate<'_>,
        series: Series,
        op: Op,
        flow: Flow,
    ) -> io::Result<()> {
        let at = flow.at;
        if !at.is_finite() || !flow.value.is_finite() || flow.value < 0.0 {
            return gate.moved(series, op, (at, at), flow.value);
        }
        let key = (series.index(), op as u8);
        match self.stamp {
            Stamp::End => match self.waiting.remove(&key) {
                None => match gate.length_before(series, op, at) {
                    Some(length) => ends(gate, series, op, flow, length),
                    None => {
                        self.waiting.insert(key, (series, op, flow));
                        Ok(())
                    }
                },
                Some((_, _, first)) if first.at == at => {
                    gate.doubled();
                    self.waiting.insert(key, (series, op, first));
                    Ok(())
                }
                Some((_, _, other)) => {
                    let length = (at - other.at).abs();
                    let (first, second) = if at > other.at {
                        (other, flow)
                    } else {
                        (flow, other)
                    };
                    ends(gate, series, op, first, length)?;
                    ends(gate, series, op, second, length)
                }
            },
            Stamp::Start => {
                let Some((_, _, before)) = self.waiting.insert(key, (series, op, flow)) else {
                    return Ok(());
                };
                let since = at - before.at;
                if since == 0.0 {
                    gate.doubled();
                    return Ok(());
                }
                let length = match gate.usual_interval() {
                    Some(usual) if since <= 0.0 || since > LATE * usual => usual,
                    _ if since > 0.0 => since,
                    _ => {
                        self.lengthless += 1;
                        return Ok(());
                    }
                };
                starts(gate, series, op, before, length)
            }
        }
    }

    /// Hands on what still waits, and tells of rows that nothing says the length of.
    ///
    /// # Errors
    /// Whatever the sink answers.
    pub(super) fn finish(&mut self, gate: &mut Gate<'_>) -> io::Result<()> {
        let mut waiting: Vec<_> = self.waiting.drain().map(|(_, one)| one).collect();
        waiting.sort_by_key(|(series, op, _)| (series.index(), *op as u8));
        for (series, op, flow) in waiting {
            match (gate.interval_at_last(), self.stamp) {
                (Some(usual), Stamp::Start) => starts(gate, series, op, flow, usual)?,
                (Some(usual), Stamp::End) => ends(gate, series, op, flow, usual)?,
                (None, _) => self.lengthless += 1,
            }
        }
        if self.lengthless > 0 {
            let rows = counted(self.lengthless, "row");
            gate.warn(
                "interval-unknown",
                format!("{rows} left out: nothing says how long their interval is"),
            );
        }
        Ok(())
    }
}

fn ends(gate: &mut Gate<'_>, series: Series, op: Op, flow: Flow, length: f64) -> io::Result<()> {
    gate.moved(series, op, (flow.at - length, flow.at), flow.volume(length))
}

fn starts(gate: &mut Gate<'_>, series: Series, op: Op, flow: Flow, length: f64) -> io::Result<()> {
    gate.moved(series, op, (flow.at, flow.at + length), flow.volume(length))
}

#[cfg(test)]
mod tests {
    use super::super::kept::Kept;
    use super::super::options::{Clock, Options, Reading};
    use super::*;
    use iotempo_model::TargetKind;

    fn read(stamp: Stamp, rows: &[(f64, f64)]) -> (Vec<(f64, f64, f64)>, Reading) {
        let (mut kept, options) = (Kept::default(), Options::default());
        let mut gate = Gate::new(&options, &mut kept);
        let mut flows = Flows::new(stamp);
        let series = gate.series("", "sda", TargetKind::Device).expect("wanted");
        for &(at, value) in rows {
            let measure = Measure::PerSecond;
            let flow = Flow { at, value, measure };
            flows
                .take(&mut gate, series, Op::Read, flow)
                .expect("taken");
        }
        flows.finish(&mut gate).expect("taken");
        let reading = gate.finish("test", "bytes", Clock::Epoch, None);
        (kept.0, reading)
    }

    #[test]
    fn the_first_row_is_as_long_as_the_second() {
        let rows = [(10.0, 5.0), (12.0, 0.0), (14.0, 1.0)];
        let (kept, _) = read(Stamp::End, &rows);
        assert_eq!(
            kept,
            [(8.0, 10.0, 10.0), (10.0, 12.0, 0.0), (12.0, 14.0, 2.0)]
        );
        let (kept, _) = read(Stamp::Start, &rows);
        assert_eq!(
            kept,
            [(10.0, 12.0, 10.0), (12.0, 14.0, 0.0), (14.0, 16.0, 2.0)]
        );
    }

    #[test]
    fn a_row_after_a_gap_is_as_long_as_usual() {
        let rows = [(1.0, 1.0), (2.0, 1.0), (3.0, 1.0), (9.0, 1.0), (10.0, 1.0)];
        for stamp in [Stamp::End, Stamp::Start] {
            let (kept, reading) = read(stamp, &rows);
            assert_eq!(kept.len(), 5);
            assert_eq!(reading.bytes, [5.0, 0.0], "{stamp:?}");
            assert_eq!(reading.missing.get(), 5.0, "{stamp:?}");
        }
    }

    #[test]
    fn an_interval_that_was_stated_does_not_shorten_rows() {
        for stamp in [Stamp::End, Stamp::Start] {
            let options = Options {
                interval: iotempo_model::Seconds::new(1.0),
                ..Options::default()
            };
            let mut kept = Kept::default();
            let mut gate = Gate::new(&options, &mut kept);
            let mut flows = Flows::new(stamp);
            let series = gate.series("", "sda", TargetKind::Device).expect("wanted");
            for at in [0.0, 10.0, 20.0] {
                let flow = Flow {
                    at,
                    value: 2.0,
                    measure: Measure::PerSecond,
                };
                flows
                    .take(&mut gate, series, Op::Read, flow)
                    .expect("taken");
            }
            flows.finish(&mut gate).expect("taken");
            assert_eq!(
                kept.0.iter().map(|one| one.2).sum::<f64>(),
                60.0,
                "{stamp:?}"
            );
        }
    }

    #[test]
    fn one_row_alone_has_no_length() {
        for stamp in [Stamp::End, Stamp::Start] {
            let (kept, reading) = read(stamp, &[(1.0, 1.0), (1.0, 1.0)]);
            assert!(kept.is_empty());
            let codes: Vec<_> = reading.warnings.iter().map(|one| &*one.code).collect();
            assert_eq!(codes, ["interval-unknown", "doubled-rows"], "{stamp:?}");
        }
    }
}
