//! The whole of a text in memory.

use super::{DxtTextModule, DxtTextRecord, DxtTextRequest, for_each_dxt_request};
use crate::darshan::log::{DxtRecord, DxtTable, Log, ModuleData, Records};
use crate::darshan::module::Module;
use crate::darshan::names::NameTable;
use crate::error::Error;
use crate::limits::Limits;
use std::collections::BTreeMap;
use std::io::BufRead;

/// Reads the whole of a text into memory.
///
/// # Errors
/// As [`for_each_dxt_request`].
pub fn read_dxt_text(reader: impl BufRead, limits: &Limits) -> Result<Log, Error> {
    let mut tables: BTreeMap<Module, Builder> = BTreeMap::new();
    let mut names = NameTable::default();
    let mut last = None;
    let text = for_each_dxt_request(reader, limits, &mut |record, request| {
        let table = tables.entry(record.module).or_default();
        if last != Some(record.ordinal) {
            last = Some(record.ordinal);
            if !record.name.is_empty() && names.get(record.id).is_none() {
                names.insert(record.id, &record.name);
            }
            table.begin(record);
        }
        table.push(request);
        Ok(())
    })?;
    let modules = text.modules.into_iter().map(|module| {
        let table = tables.remove(&module.module).unwrap_or_default();
        module_data(module, table)
    });
    Ok(Log {
        modules: modules.collect(),
        names,
        ..text.log
    })
}

fn module_data(module: DxtTextModule, table: Builder) -> ModuleData {
    ModuleData {
        id: module.module as u32,
        module: Some(module.module),
        version: module.version,
        partial: module.partial,
        damage: module.damage,
        records: Records::Dxt(table.finish()),
    }
}

#[derive(Default)]
struct Builder {
    table: DxtTable,
    /// The requests of the current record: whether each writes.
    writes: Vec<bool>,
}

impl Builder {
    fn begin(&mut self, record: &DxtTextRecord) {
        self.settle();
        self.table.records.push(DxtRecord {
            id: record.id,
            rank: record.rank,
            hostname: record.hostname.clone(),
            writes: 0,
            reads: 0,
            first: self.table.starts.len(),
        });
    }

    fn push(&mut self, request: &DxtTextRequest) {
        let table = &mut self.table;
        if let Some(thread) = request.thread {
            // Requests before the first that names its thread get thread 0.
            table.threads.resize(table.starts.len(), 0);
            table.threads.push(thread);
        }
        table.offsets.push(request.offset);
        table.lengths.push(request.length);
        table.starts.push(request.start_s);
        table.ends.push(request.end_s);
        self.writes.push(request.write);
    }

    /// Ends the current record. The tool prints writes before reads, as the table has them; a text
    /// that was put together otherwise is put in that order.
    fn settle(&mut self) {
        let writes = std::mem::take(&mut self.writes);
        let Some(record) = self.table.records.last_mut() else {
            return;
        };
        record.writes = writes.iter().filter(|write| **write).count() as u64;
        record.reads = writes.len() as u64 - record.writes;
        let first = record.first;
        if writes.is_sorted_by_key(|write| !write) {
            return;
        }
        let table = &mut self.table;
        if !table.threads.is_empty() {
            table.threads.resize(table.starts.len(), 0);
            partition(&mut table.threads[first..], &writes);
        }
        partition(&mut table.offsets[first..], &writes);
        partition(&mut table.lengths[first..], &writes);
        partition(&mut table.starts[first..], &writes);
        partition(&mut table.ends[first..], &writes);
    }

    fn finish(mut self) -> DxtTable {
        self.settle();
        if !self.table.threads.is_empty() {
            self.table.threads.resize(self.table.starts.len(), 0);
        }
        self.table
    }
}

/// Moves the values of writes before those of reads, in their order.
fn partition<T: Copy>(values: &mut [T], writes: &[bool]) {
    let of = |wanted: bool| {
        let kept = values
            .iter()
            .zip(writes)
            .filter(move |(_, write)| **write == wanted);
        kept.map(|(value, _)| *value).collect::<Vec<T>>()
    };
    let sorted = [of(true), of(false)].concat();
    values.copy_from_slice(&sorted);
}
