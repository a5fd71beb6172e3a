//! Values over time of which it may be open whether they are counters or not: handed on as volumes
//! once that is known.

use super::counters::Counters;
use super::flows::{Flow, Flows, Measure, Stamp};
use super::gate::{Gate, Series};
use super::judge::{Held, Judge, Verdict};
use super::names::Nature;
use super::quantity::Quantity;
use crate::table::units::Scale;
use iotempo_model::Op;
use std::collections::HashMap;
use std::io;

/// A target whose values come in one direction.
#[derive(Clone, Copy)]
struct Use {
    series: Series,
    op: Op,
    scale: Scale,
    name: usize,
}

/// All values under one name: they are counters together, or none is.
struct Named {
    name: String,
    measure: Measure,
    judge: Judge,
    /// Whether the name left it to the values.
    judged: bool,
}

/// What comes in, and how it is to be understood.
pub(super) struct Readings {
    counters: Counters,
    flows: Flows,
    /// Which end of an interval a time is.
    stamp: Stamp,
    /// What values are that rise and fall, where no name says so.
    measure: Measure,
    uses: Vec<Use>,
    names: Vec<Named>,
    by_name: HashMap<(String, u8), usize>,
    count: u64,
}

impl Readings {
    pub(super) fn new(stamp: Stamp, measure: Measure) -> Self {
        Self {
            counters: Counters::default(),
            flows: Flows::new(stamp),
            stamp,
            measure,
            uses: Vec::new(),
            names: Vec::new(),
            by_name: HashMap::new(),
            count: 0,
        }
    }

    /// How many series there are.
    pub(super) fn uses(&self) -> usize {
        self.uses.len()
    }

    /// How many values came in.
    pub(super) fn count(&self) -> u64 {
        self.count
    }

    /// Announces values under `name`: a number for them.
    pub(super) fn announce(
        &mut self,
        name: &str,
        (series, op): (Series, Op),
        nature: Nature,
        scale: Scale,
    ) -> usize {
        let measure = match nature {
            Nature::Rate => Measure::PerSecond,
            Nature::Volume => Measure::PerInterval,
            Nature::Counter | Nature::Counted | Nature::Unstated => self.measure,
        };
        let names = &mut self.names;
        let key = (name.to_owned(), op as u8);
        let name = *self.by_name.entry(key).or_insert_with(|| {
            let judge = match nature {
                Nature::Counter => Judge::knowing(Verdict::Counter),
                Nature::Rate | Nature::Volume => Judge::knowing(Verdict::Flow),
                Nature::Counted => Judge::expecting_a_counter(),
                Nature::Unstated => Judge::default(),
            };
            names.push(Named {
                name: name.to_owned(),
                measure,
                judge,
                judged: matches!(nature, Nature::Counted | Nature::Unstated),
            });
            names.len() - 1
        });
        self.uses.push(Use {
            series,
            op,
            scale,
            name,
        });
        self.uses.len() - 1
    }

    /// Takes a value of what was announced.
    ///
    /// # Errors
    /// Whatever the sink answers.
    pub(super) fn take(
        &mut self,
        gate: &mut Gate<'_>,
        series: usize,
        at: f64,
        value: f64,
    ) -> io::Result<()> {
        self.count += 1;
        let held = Held { series, at, value };
        let name = self.uses[series].name;
        let judge = &mut self.names[name].judge;
        if let Some(verdict) = judge.verdict {
            return self.pass(gate, verdict, held);
        }
        if judge.hold(held) {
            return self.settle(gate, name);
        }
        if judge.is_full_of_zeros() {
            for zero in judge.take_zeros() {
                self.pass(gate, Verdict::Flow, zero)?;
            }
        }
        Ok(())
    }

    fn pass(&mut self, gate: &mut Gate<'_>, verdict: Verdict, held: Held) -> io::Result<()> {
        let Use {
            series,
            op,
            scale,
            name,
        } = self.uses[held.series];
        let (at, value) = (held.at, scale.apply(held.value));
        match verdict {
            Verdict::Counter => self.counters.read(gate, series, op, at, value),
            Verdict::Flow => {
                let measure = self.names[name].measure;
                let flow = Flow { at, value, measure };
                self.flows.take(gate, series, op, flow)
            }
        }
    }

    fn settle(&mut self, gate: &mut Gate<'_>, name: usize) -> io::Result<()> {
        let (verdict, held) = self.names[name].judge.judge();
        for one in held {
            self.pass(gate, verdict, one)?;
        }
        Ok(())
    }

    /// Hands on what still waits, and tells what was assumed.
    ///
    /// # Errors
    /// Whatever the sink answers.
    pub(super) fn finish(&mut self, gate: &mut Gate<'_>) -> io::Result<()> {
        for name in 0..self.names.len() {
            if self.names[name].judge.verdict.is_none() {
                self.settle(gate, name)?;
            }
        }
        self.flows.finish(gate)?;
        self.counters.tell(gate);
        let of = gate.quantity().name();
        for named in self.names.iter().filter(|named| named.judged) {
            let name = &named.name;
            let (code, what) = match (named.judge.verdict, named.measure) {
                (Some(Verdict::Counter), _) => (
                    "counter-assumed",
                    format!("its values only grow: taken as a counter of {of}"),
                ),
                (_, Measure::PerSecond) => (
                    "rate-assumed",
                    format!("its values rise and fall: taken as {of} per second"),
                ),
                (_, Measure::PerInterval) => (
                    "volume-assumed",
                    format!("its values rise and fall: taken as {of} per interval"),
                ),
            };
            gate.warn(code, format!("{name}: {what}"));
        }
        Ok(())
    }

    /// What the values were, in words.
    pub(super) fn unit(&self, quantity: Quantity) -> String {
        let name = quantity.name();
        let is_counter = |named: &Named| named.judge.verdict == Some(Verdict::Counter);
        let any = |wanted: Option<Measure>| {
            let mut names = self.names.iter();
            names.any(|named| match wanted {
                None => is_counter(named),
                Some(measure) => !is_counter(named) && named.measure == measure,
            })
        };
        let (until, of) = match self.stamp {
            Stamp::End => ("until the time of a row", "that ends at the time of a row"),
            Stamp::Start => (
                "from the time of a row on",
                "that begins at the time of a row",
            ),
        };
        let parts = [
            (any(None), format!("{name}, counted since some start")),
            (
                any(Some(Measure::PerSecond)),
                format!("{name} per second {until}"),
            ),
            (
                any(Some(Measure::PerInterval)),
                format!("{name} of the interval {of}"),
            ),
        ];
        let said = parts.into_iter().filter(|(is, _)| *is);
        said.map(|(_, text)| text).collect::<Vec<_>>().join("; ")
    }
}
