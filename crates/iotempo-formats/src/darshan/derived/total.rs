//! `darshan-parser --total`: all records of a module as one.

use super::columns::{Columns, Record};
use crate::darshan::layout::Layout;
use crate::darshan::log::CounterTable;
use crate::darshan::module::Module;

/// The counters of all records, folded into one record.
///
/// Counts, bytes and times are sums; first and last stamps are the first and last of all; the
/// most frequent sizes and strides are merged. Settings such as the mode are those of the last
/// record. The fastest and slowest rank mean something while all records are of one file only, and
/// are −1 otherwise; the variances are 0. `DAOS_NB_OPS` is summed like its kin, where
/// `darshan-parser` 3.5.0 prints 0.
#[derive(Debug, Clone)]
pub struct Total {
    /// The names of the counters.
    pub layout: &'static Layout,
    /// The file, where all records are of the same.
    pub id: Option<u64>,
    /// The rank, where all records are of the same; −1 for all ranks together.
    pub rank: Option<i64>,
    /// The integer counters.
    pub ints: Vec<i64>,
    /// The floating-point counters.
    pub floats: Vec<f64>,
}

impl Total {
    pub(super) fn of(module: Module, table: &CounterTable, columns: &Columns) -> Self {
        let rules = Rules::of(module, table.layout);
        let mut total = Self {
            layout: table.layout,
            id: table.ids.first().copied(),
            rank: table.ranks.first().copied(),
            ints: vec![0; table.layout.ints.len()],
            floats: vec![0.0; table.layout.floats.len()],
        };
        for (place, record) in columns.records(table).enumerate() {
            total.id = total.id.filter(|id| *id == record.id);
            total.rank = total.rank.filter(|rank| *rank == record.rank);
            total.fold(&rules, &record, place == 0);
        }
        total
    }

    /// An integer counter.
    #[must_use]
    pub fn int(&self, name: &str) -> Option<i64> {
        self.layout.int(name).map(|place| self.ints[place])
    }

    /// A floating-point counter.
    #[must_use]
    pub fn float(&self, name: &str) -> Option<f64> {
        self.layout.float(name).map(|place| self.floats[place])
    }

    fn fold(&mut self, rules: &Rules, record: &Record<'_>, first: bool) {
        for (place, rule) in rules.ints.iter().enumerate() {
            self.fold_int(*rule, place, record.ints);
        }
        for (place, rule) in rules.floats.iter().enumerate() {
            let (sum, value) = (&mut self.floats[place], record.floats[place]);
            match rule {
                FloatRule::Sum => *sum += value,
                FloatRule::First if value > 0.0 && (*sum == 0.0 || value < *sum) => *sum = value,
                FloatRule::Last if value > *sum => *sum = value,
                FloatRule::Longest { size } if value > *sum => {
                    *sum = value;
                    self.ints[*size] = record.ints[*size];
                }
                _ => {}
            }
        }
        self.compare(&rules.fastest, record, first, |time, known| time < known);
        self.compare(&rules.slowest, record, first, |time, known| time > known);
    }

    fn fold_int(&mut self, rule: IntRule, place: usize, values: &[i64]) {
        let value = values[place];
        match rule {
            IntRule::Sum => self.ints[place] = self.ints[place].saturating_add(value),
            // −1 says that a counter is not available, and so does the sum of several.
            IntRule::SumOrUnknown => {
                self.ints[place] = self.ints[place].saturating_add(value).max(-1);
            }
            IntRule::Max => self.ints[place] = self.ints[place].max(value),
            IntRule::LastRecord => self.ints[place] = value,
            IntRule::Common => {
                let (found, counts) = (&values[place..place + 4], &values[place + 4..place + 8]);
                merge_common(&mut self.ints[place..place + 8], found, counts);
            }
            IntRule::Elsewhere => {}
        }
    }

    /// Lets a record compete for the fastest or the slowest rank.
    fn compare(
        &mut self,
        extreme: &Option<Extreme>,
        record: &Record<'_>,
        first: bool,
        wins: fn(f64, f64) -> bool,
    ) {
        let Some(extreme) = extreme else { return };
        let (rank, bytes, time) = match self.id {
            None => (-1, -1, 0.0),
            Some(_) => extreme.candidate(record),
        };
        if first || self.id.is_none() || wins(time, self.floats[extreme.time]) {
            self.ints[extreme.rank] = rank;
            self.ints[extreme.bytes] = bytes;
            self.floats[extreme.time] = time;
        }
    }
}

/// How the counters of a module are folded.
struct Rules {
    ints: Vec<IntRule>,
    floats: Vec<FloatRule>,
    fastest: Option<Extreme>,
    slowest: Option<Extreme>,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum IntRule {
    Sum,
    SumOrUnknown,
    Max,
    LastRecord,
    /// The first of four values, with their four counts behind.
    Common,
    /// Set together with another counter.
    Elsewhere,
}

enum FloatRule {
    Sum,
    First,
    Last,
    /// Takes the size of the longest request along.
    Longest {
        size: usize,
    },
    /// Set together with another counter, or 0.
    Elsewhere,
}

/// The counters of the fastest or the slowest rank.
struct Extreme {
    rank: usize,
    bytes: usize,
    time: usize,
}

impl Extreme {
    fn of(layout: &Layout, which: &str) -> Option<Self> {
        let int = |end: &str| position(&layout.ints, &format!("_{which}_RANK{end}"));
        Some(Self {
            rank: int("")?,
            bytes: int("_BYTES")?,
            time: position(&layout.floats, &format!("_F_{which}_RANK_TIME"))?,
        })
    }

    /// Rank, bytes and time with which a record competes: a record of one rank has its own.
    fn candidate(&self, record: &Record<'_>) -> (i64, i64, f64) {
        if record.is_shared() {
            return (
                record.ints[self.rank],
                record.ints[self.bytes],
                record.floats[self.time],
            );
        }
        let times = record.times();
        (
            record.rank,
            record.bytes(),
            times.read + times.write + times.meta,
        )
    }
}

fn position(names: &[String], end: &str) -> Option<usize> {
    names.iter().position(|name| name.ends_with(end))
}

impl Rules {
    fn of(module: Module, layout: &Layout) -> Self {
        let sum = match module {
            Module::MpiIo | Module::Stdio => IntRule::Sum,
            _ => IntRule::SumOrUnknown,
        };
        Self {
            ints: layout.ints.iter().map(|name| int_rule(name, sum)).collect(),
            floats: layout
                .floats
                .iter()
                .map(|name| float_rule(name, layout))
                .collect(),
            fastest: Extreme::of(layout, "FASTEST"),
            slowest: Extreme::of(layout, "SLOWEST"),
        }
    }
}

fn int_rule(name: &str, sum: IntRule) -> IntRule {
    const SETTINGS: [&str; 7] = [
        "_MODE",
        "_RENAMED_FROM",
        "_MEM_ALIGNMENT",
        "_FILE_ALIGNMENT",
        "_CHUNK_SIZE",
        "_OBJ_OTYPE",
        "_ARRAY_CELL_SIZE",
    ];
    const TOGETHER: [&str; 5] = ["_TIME_SIZE", "_RANK", "_RANK_BYTES", "_ACCESS", "_STRIDE"];
    let (_, counter) = name.split_once('_').unwrap_or(("", name));
    if counter == "ACCESS1_ACCESS" || counter == "STRIDE1_STRIDE" {
        IntRule::Common
    } else if TOGETHER.iter().any(|end| name.ends_with(end)) || is_common_count(counter) {
        IntRule::Elsewhere
    } else if SETTINGS.iter().any(|end| name.ends_with(end)) {
        IntRule::LastRecord
    } else if counter.starts_with("MAX_BYTE_") {
        IntRule::Max
    } else {
        sum
    }
}

/// `ACCESS2_COUNT`, `STRIDE1_COUNT`.
fn is_common_count(counter: &str) -> bool {
    counter.ends_with("_COUNT") && (counter.starts_with("ACCESS") || counter.starts_with("STRIDE"))
}

fn float_rule(name: &str, layout: &Layout) -> FloatRule {
    let (_, counter) = name.split_once("_F_").unwrap_or(("", name));
    match counter {
        "READ_TIME" | "WRITE_TIME" | "META_TIME" => FloatRule::Sum,
        "MAX_READ_TIME" | "MAX_WRITE_TIME" => position(&layout.ints, &format!("_{counter}_SIZE"))
            .map_or(FloatRule::Elsewhere, |size| FloatRule::Longest { size }),
        counter if counter.ends_with("_START_TIMESTAMP") => FloatRule::First,
        counter if counter.ends_with("_END_TIMESTAMP") => FloatRule::Last,
        _ => FloatRule::Elsewhere,
    }
}

/// Merges four values and their counts into four others, which stand before their counts.
///
/// A value that is there already gets the count added and keeps its place, as in Darshan's own
/// tools: the order by count is that of the values' first appearance. New values go before those
/// with smaller counts, and the last of five falls out. (Those tools compare counts in 32 bits and
/// so lose their order beyond 2³¹.)
fn merge_common(common: &mut [i64], found: &[i64], counts: &[i64]) {
    let (values, totals) = common.split_at_mut(4);
    let pairs = || found.iter().copied().zip(counts.iter().copied());
    let (known, new): (Vec<_>, Vec<_>) = pairs().partition(|(value, _)| values.contains(value));
    for (value, count) in known.into_iter().chain(new) {
        if let Some(place) = values.iter().position(|known| *known == value) {
            totals[place] = totals[place].saturating_add(count);
            continue;
        }
        let place = (0..4).find(|&place| (totals[place], values[place]) <= (count, value));
        let (Some(place), true) = (place, value != 0) else {
            break;
        };
        values[place..].rotate_right(1);
        totals[place..].rotate_right(1);
        (values[place], totals[place]) = (value, count);
    }
}
