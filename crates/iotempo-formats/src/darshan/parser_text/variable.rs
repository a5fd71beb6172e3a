//! Records of variable size: heat maps and MDHIM's servers.

use super::line::CounterLine;
use super::{Gather, LeftOut, Taken};
use crate::darshan::layout::Layout;
use crate::darshan::log::{HeatmapRecord, MdhimRecord, Records};
use crate::darshan::module::Module;

/// Adds the value of a list's next place: lists grow as their lines arrive, whatever their
/// indices say.
pub(super) fn append<T>(list: &mut Vec<T>, index: usize, value: Option<T>) -> Taken {
    match value {
        _ if index < list.len() => Taken::Again,
        Some(value) if index == list.len() => {
            list.push(value);
            Taken::Yes
        }
        _ => Taken::Bad,
    }
}

/// Heat maps.
#[derive(Default)]
pub(super) struct Heatmap {
    records: Vec<HeatmapRecord>,
}

impl Gather for Heatmap {
    fn begin(&mut self, line: &CounterLine<'_>) {
        self.records.push(HeatmapRecord {
            id: line.id,
            rank: line.rank,
            bin_width_s: f64::NAN,
            writes: Vec::new(),
            reads: Vec::new(),
        });
    }

    fn take(&mut self, line: &CounterLine<'_>) -> Taken {
        let Some(record) = self.records.last_mut() else {
            return Taken::Bad;
        };
        if let Some(bin) = line.index("HEATMAP_WRITE_BIN_") {
            append(&mut record.writes, bin, line.int())
        } else if let Some(bin) = line.index("HEATMAP_READ_BIN_") {
            append(&mut record.reads, bin, line.int())
        } else if line.counter != "HEATMAP_F_BIN_WIDTH_SECONDS" {
            Taken::Unknown
        } else if !record.bin_width_s.is_nan() {
            Taken::Again
        } else if let Some(width) = line.float() {
            record.bin_width_s = width;
            Taken::Yes
        } else {
            Taken::Bad
        }
    }

    fn end(&mut self) -> bool {
        let whole = |record: &HeatmapRecord| {
            let width = record.bin_width_s;
            width > 0.0 && width.is_finite() && record.writes.len() == record.reads.len()
        };
        keep_last_if(&mut self.records, whole)
    }

    fn weight(&self) -> u64 {
        128
    }

    fn finish(self: Box<Self>, _should_be_whole: bool) -> (Records, LeftOut) {
        (Records::Heatmap(self.records), None)
    }
}

/// Drops the last record where it is not `whole`; whether it was.
pub(super) fn keep_last_if<T>(records: &mut Vec<T>, whole: impl Fn(&T) -> bool) -> bool {
    let kept = records.last().is_some_and(whole);
    if !kept {
        records.pop();
    }
    kept
}

/// MDHIM's counters, with one more per server.
#[derive(Default)]
pub(super) struct Mdhim {
    records: Vec<MdhimRecord>,
    count: usize,
}

impl Gather for Mdhim {
    fn begin(&mut self, line: &CounterLine<'_>) {
        let layout = Layout::latest(Module::Mdhim);
        let width = |names: fn(&Layout) -> usize| layout.map_or(0, names);
        self.count = 0;
        self.records.push(MdhimRecord {
            id: line.id,
            rank: line.rank,
            ints: vec![-1; width(|layout| layout.ints.len())],
            floats: vec![-1.0; width(|layout| layout.floats.len())],
            histogram: Vec::new(),
        });
    }

    fn take(&mut self, line: &CounterLine<'_>) -> Taken {
        let (Some(record), Some(layout)) = (self.records.last_mut(), Layout::latest(Module::Mdhim))
        else {
            return Taken::Unknown;
        };
        if let Some(server) = line.index("MDHIM_SERVER_") {
            return append(&mut record.histogram, server, line.int());
        }
        if let Some((place, value)) = layout.int(line.counter).zip(line.int()) {
            record.ints[place] = value;
        } else if let Some((place, value)) = layout.float(line.counter).zip(line.float()) {
            record.floats[place] = value;
        } else if layout
            .int(line.counter)
            .or(layout.float(line.counter))
            .is_some()
        {
            return Taken::Bad;
        } else {
            return Taken::Unknown;
        }
        self.count += 1;
        Taken::Yes
    }

    fn end(&mut self) -> bool {
        let layout = Layout::latest(Module::Mdhim);
        let servers = layout.and_then(|layout| layout.int("MDHIM_SERVERS"));
        let count = self.count;
        keep_last_if(&mut self.records, |record| {
            let announced = servers.map_or(0, |place| record.ints[place]);
            count >= record.ints.len() + record.floats.len()
                && record.histogram.len() as i64 == announced.max(0)
        })
    }

    fn weight(&self) -> u64 {
        128
    }

    fn finish(self: Box<Self>, _should_be_whole: bool) -> (Records, LeftOut) {
        (Records::Mdhim(self.records), None)
    }
}
