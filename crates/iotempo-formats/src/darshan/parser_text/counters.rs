//! Records that are rows of counters, whatever version of the tool printed them.

use super::line::CounterLine;
use super::{Gather, LeftOut, Taken};
use crate::darshan::layout::{Layout, latest_version};
use crate::darshan::log::{CounterTable, DaosObject, Records};
use crate::darshan::module::Module;
use crate::darshan::text::Spot;
use std::collections::HashMap;

/// Where a counter goes.
#[derive(Clone, Copy)]
enum Slot {
    Int(usize),
    Float(usize),
    /// One of the two ways to open a file that PNETCDF told apart before 3.4.1.
    AddToInt(usize),
    /// `H5D_FILE_REC_ID` and `PNETCDF_VAR_FILE_REC_ID`.
    FileId,
    /// Counters of STDIO in POSIX records of 3.0.
    Dropped,
}

/// The records of a module.
pub(super) struct Counters {
    module: Module,
    table: CounterTable,
    slots: HashMap<Box<str>, Option<Slot>>,
    /// Which counters the current record has: integers, then floating-point ones.
    seen: Vec<bool>,
    /// How many counters the current record has.
    count: Count,
    /// The same of every record, and where it began.
    counts: Vec<(Count, Spot)>,
    begun: Spot,
}

/// How many counters a record has of each kind; their sum tells which record has more.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Count {
    ints: u32,
    floats: u32,
    file_ids: u32,
}

impl Count {
    fn sum(self) -> u32 {
        self.ints + self.floats + self.file_ids
    }
}

impl Counters {
    /// `None` for a module without counters.
    pub(super) fn new(module: Module) -> Option<Self> {
        let layout = Layout::latest(module)?;
        Some(Self {
            module,
            table: CounterTable::new(layout),
            slots: HashMap::new(),
            seen: vec![false; layout.ints.len() + layout.floats.len()],
            count: Count::default(),
            counts: Vec::new(),
            begun: Spot::default(),
        })
    }

    fn slot(&mut self, counter: &str) -> Option<Slot> {
        if let Some(known) = self.slots.get(counter) {
            return *known;
        }
        let slot = slot_of(self.module, self.table.layout, counter);
        // Whoever invents counters gets no table of them.
        if slot.is_some() {
            self.slots.insert(counter.into(), slot);
        }
        slot
    }

    /// Whether the record has the counter already; it has from now on.
    fn mark(&mut self, place: usize) -> bool {
        std::mem::replace(&mut self.seen[place], true)
    }

    fn set(&mut self, slot: Slot, line: &CounterLine<'_>) -> Option<Taken> {
        let (ints, floats) = (self.table.layout.ints.len(), self.table.layout.floats.len());
        match slot {
            Slot::Int(column) => {
                let value = line.int()?;
                if self.mark(column) {
                    return Some(Taken::Again);
                }
                let row = self.table.ints.len() - ints;
                self.table.ints[row + column] = value;
                self.count.ints += 1;
            }
            Slot::Float(column) => {
                let value = line.float()?;
                if self.mark(ints + column) {
                    return Some(Taken::Again);
                }
                let row = self.table.floats.len() - floats;
                self.table.floats[row + column] = value;
                self.count.floats += 1;
            }
            Slot::AddToInt(column) => {
                let row = self.table.ints.len() - ints;
                let sum = &mut self.table.ints[row + column];
                *sum = (*sum).max(0).saturating_add(line.int()?);
                self.count.ints += 1;
            }
            Slot::FileId => {
                *self.table.file_ids.last_mut()? = line.int()?.cast_unsigned();
                self.count.file_ids += 1;
            }
            Slot::Dropped => self.count.ints += 1,
        }
        Some(Taken::Yes)
    }

    /// The table, which records were kept, and what was left out: records with fewer counters
    /// than others. In a text that should be whole, a module's only record must have as many
    /// counters as some version has.
    pub(super) fn finish_table(
        mut self,
        should_be_whole: bool,
    ) -> (CounterTable, Vec<bool>, LeftOut) {
        let full = self
            .counts
            .iter()
            .map(|(count, _)| count.sum())
            .max()
            .unwrap_or(0);
        let whole = |count: Count| match self.counts.len() {
            1 if should_be_whole => is_whole(self.module, count),
            _ => count.sum() == full,
        };
        let keep: Vec<bool> = self.counts.iter().map(|(count, _)| whole(*count)).collect();
        let mut left_out = self.counts.iter().zip(&keep).filter(|(_, keep)| !**keep);
        let first = left_out.next().map(|((_, spot), _)| *spot);
        let left_out = first.map(|spot| (1 + left_out.count() as u64, spot));
        if left_out.is_some() {
            self.retain(&keep);
        }
        (self.table, keep, left_out)
    }

    /// Leaves out the records for which `keep` is false.
    fn retain(&mut self, keep: &[bool]) {
        let table = &mut self.table;
        retain_rows(&mut table.ints, table.layout.ints.len(), keep);
        retain_rows(&mut table.floats, table.layout.floats.len(), keep);
        retain_rows(&mut table.ids, 1, keep);
        retain_rows(&mut table.ranks, 1, keep);
        retain_rows(&mut table.file_ids, 1, keep);
        retain_rows(&mut table.objects, 1, keep);
    }
}

impl Gather for Counters {
    fn begin(&mut self, line: &CounterLine<'_>) {
        let table = &mut self.table;
        table.ids.push(line.id);
        table.ranks.push(line.rank);
        // Logs before 3.0 have 0 where their version had no counter, and AutoPerf 0 where it did
        // not measure; elsewhere −1 says that a version had none.
        let zero = matches!(self.module, Module::Cp | Module::Apmpi | Module::Apxc);
        let missing = if zero { 0 } else { -1 };
        table
            .ints
            .resize(table.ints.len() + table.layout.ints.len(), missing);
        table.floats.resize(
            table.floats.len() + table.layout.floats.len(),
            missing as f64,
        );
        match self.module {
            Module::Posix => {
                let row = table.ints.len() - table.layout.ints.len();
                if let Some(column) = table.layout.int("POSIX_RENAMED_FROM") {
                    table.ints[row + column] = 0;
                }
            }
            Module::H5d | Module::PnetcdfVar => table.file_ids.push(0),
            Module::Dfs | Module::Daos => table.objects.push(object(line)),
            _ => {}
        }
        self.seen.fill(false);
        self.count = Count::default();
        self.begun = line.spot;
    }

    fn take(&mut self, line: &CounterLine<'_>) -> Taken {
        match self.slot(line.counter) {
            Some(slot) => self.set(slot, line).unwrap_or(Taken::Bad),
            None => Taken::Unknown,
        }
    }

    fn end(&mut self) -> bool {
        self.counts.push((self.count, self.begun));
        true
    }

    fn weight(&self) -> u64 {
        8 * (2 + self.seen.len() as u64)
    }

    fn finish(self: Box<Self>, should_be_whole: bool) -> (Records, LeftOut) {
        let (table, _, left_out) = self.finish_table(should_be_whole);
        (Records::Counters(table), left_out)
    }
}

/// Whether some version of the module has this many counters.
fn is_whole(module: Module, count: Count) -> bool {
    // Versions 1.21, 1.22, 1.23 and 1.24, 2.x.
    const CP: [(u32, u32); 4] = [(133, 12), (138, 14), (140, 14), (144, 18)];
    // Without and with the times that a run has which synchronises before collective calls.
    const APMPI: [(u32, u32); 2] = [(396, 223), (396, 240)];
    let counted = (count.ints, count.floats);
    match module {
        Module::Cp => CP.contains(&counted),
        Module::Apmpi => APMPI.contains(&counted),
        _ => (1..=latest_version(module).unwrap_or(0))
            .filter_map(|version| Layout::of(module, version))
            .any(|layout| (layout.ints.len() as u32, layout.floats.len() as u32) == counted),
    }
}

fn retain_rows<T: Copy>(values: &mut Vec<T>, width: usize, keep: &[bool]) {
    // Not every module has every list.
    if values.is_empty() {
        return;
    }
    let mut to = 0;
    for (row, _) in keep.iter().enumerate().filter(|(_, keep)| **keep) {
        values.copy_within(row * width..(row + 1) * width, to);
        to += width;
    }
    values.truncate(to);
}

/// Where a counter of any version goes in the newest one.
fn slot_of(module: Module, layout: &Layout, counter: &str) -> Option<Slot> {
    match counter {
        "H5D_FILE_REC_ID" | "PNETCDF_VAR_FILE_REC_ID" => return Some(Slot::FileId),
        "PNETCDF_INDEP_OPENS" | "PNETCDF_COLL_OPENS" => {
            return layout.int("PNETCDF_FILE_OPENS").map(Slot::AddToInt);
        }
        "POSIX_FOPENS" | "POSIX_FREADS" | "POSIX_FWRITES" | "POSIX_FSEEKS"
            if module == Module::Posix =>
        {
            return Some(Slot::Dropped);
        }
        _ => {}
    }
    let known = |name: &str| {
        let int = layout.int(name).map(Slot::Int);
        int.or_else(|| layout.float(name).map(Slot::Float))
    };
    known(counter).or_else(|| known(&renamed(module, counter)?))
}

/// The name that a counter of an old version has today.
fn renamed(module: Module, counter: &str) -> Option<String> {
    let name = match module {
        Module::H5f => format!("H5F_{}", counter.strip_prefix("HDF5_")?),
        Module::PnetcdfFile => format!("PNETCDF_FILE_{}", counter.strip_prefix("PNETCDF_")?),
        Module::Posix | Module::MpiIo => counter.to_owned(),
        _ => return None,
    };
    if let Some(prefix) = name.strip_suffix("_F_OPEN_TIMESTAMP") {
        return Some(format!("{prefix}_F_OPEN_START_TIMESTAMP"));
    }
    match name.strip_suffix("_F_CLOSE_TIMESTAMP") {
        Some(prefix) => Some(format!("{prefix}_F_CLOSE_END_TIMESTAMP")),
        None => Some(name),
    }
}

/// DFS and DAOS print `pool:container` as mount point, and DAOS `high.low` as name.
fn object(line: &CounterLine<'_>) -> DaosObject {
    let mut object = DaosObject::default();
    let Some([name, mount, _]) = line.name else {
        return object;
    };
    if let Some((pool, container)) = mount.split_once(':') {
        object.pool = uuid(pool).unwrap_or_default();
        object.container = uuid(container).unwrap_or_default();
    }
    if let Some((high, low)) = name.split_once('.').filter(|_| line.module == "DAOS") {
        object.oid = (high.parse().unwrap_or(0), low.parse().unwrap_or(0));
    }
    object
}

/// 32 hexadecimal digits, with hyphens; `None` for `N/A`.
fn uuid(text: &str) -> Option<[u8; 16]> {
    let digits: Vec<char> = text.chars().filter(|c| *c != '-').collect();
    let mut uuid = [0; 16];
    if digits.len() != 32 {
        return None;
    }
    for (byte, pair) in uuid.iter_mut().zip(digits.chunks(2)) {
        let (high, low) = (pair[0].to_digit(16)?, pair[1].to_digit(16)?);
        *byte = u8::try_from(high << 4 | low).ok()?;
    }
    Some(uuid)
}
