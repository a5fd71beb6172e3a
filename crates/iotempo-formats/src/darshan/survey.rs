//! What a log holds, module by module.

use super::counters::RecordShape;
use super::dxt::{DxtVisitor, Segment};
use super::log::{Damage, DxtRecord, ModuleData, Records};
use super::module::Module;
use super::opened::Opened;
use super::reader::{module_name, unreadable};
use super::totals::{self, Totals};
use crate::reading::Section;
use iotempo_model::Op;

/// One section per module, in the order of their numbers, each read through once.
pub(crate) fn sections(log: &mut Opened) -> Vec<Section> {
    let entries: Vec<(u32, u32, bool, Option<Damage>)> = match log {
        Opened::File(reader) => {
            let entries = reader.entries().into_iter();
            entries
                .map(|entry| {
                    let broken = unreadable(Module::from_id(entry.id), entry);
                    (entry.id, entry.version, entry.partial, broken)
                })
                .collect()
        }
        Opened::Memory { log: held, .. } => {
            let modules = held.modules.iter();
            modules
                .map(|data| (data.id, data.version, data.partial, None))
                .collect()
        }
    };
    entries
        .into_iter()
        .map(|(id, version, partial, broken)| {
            let mut section = Section {
                name: section_name(id),
                version: Some(version),
                partial,
                ..Section::default()
            };
            let damage = broken.or_else(|| fill(log, id, version, &mut section));
            section.damage = damage.map(|damage| damage.message);
            section
        })
        .collect()
}

fn section_name(id: u32) -> String {
    if id == Module::Cp as u32 {
        "files (POSIX and MPI-IO)".to_owned()
    } else {
        module_name(id)
    }
}

/// Counts what a module holds; answers what is wrong with it.
fn fill(log: &mut Opened, id: u32, version: u32, section: &mut Section) -> Option<Damage> {
    let module = Module::ALL
        .into_iter()
        .find(|module| *module as u32 == id)?;
    match module {
        Module::DxtPosix | Module::DxtMpiio => fill_dxt(log, module, section),
        Module::Heatmap => fill_heatmap(log, section),
        _ if module == Module::Cp || RecordShape::of(module, version).is_some() => {
            fill_counters(log, module, section)
        }
        _ => fill_others(log, module, section),
    }
}

fn fill_counters(log: &mut Opened, module: Module, section: &mut Section) -> Option<Damage> {
    let mut sum = Totals::default();
    let mut counts_bytes = false;
    let mut requests = None;
    let damage = log.each_counters(module, |table| {
        counts_bytes |= totals::byte_columns(module, table).is_some();
        totals::add(&mut sum, module, table);
        if let Some(more) = totals::requests(module, table) {
            requests = Some(u64::saturating_add(requests.unwrap_or(0), more));
        }
        true
    });
    section.records = sum.records;
    section.requests = requests;
    if counts_bytes {
        (section.bytes_read, section.bytes_written) = (Some(sum.read), Some(sum.written));
    }
    damage
}

#[derive(Default)]
struct DxtSum {
    records: u64,
    requests: u64,
    bytes: [f64; 2],
}

impl DxtVisitor for DxtSum {
    fn record(&mut self, _: &DxtRecord) -> bool {
        self.records += 1;
        true
    }

    fn segments(&mut self, op: Op, segments: impl Iterator<Item = Segment>) -> bool {
        for segment in segments {
            self.requests += 1;
            self.bytes[op as usize] += segment.length.max(0) as f64;
        }
        true
    }
}

fn fill_dxt(log: &mut Opened, module: Module, section: &mut Section) -> Option<Damage> {
    let mut sum = DxtSum::default();
    let damage = log.each_dxt(module, &mut sum);
    section.records = sum.records;
    section.requests = Some(sum.requests);
    section.bytes_read = Some(sum.bytes[Op::Read as usize]);
    section.bytes_written = Some(sum.bytes[Op::Write as usize]);
    damage
}

/// A heatmap's bytes lie at several layers, which must not be added: its evidence tells them.
fn fill_heatmap(log: &mut Opened, section: &mut Section) -> Option<Damage> {
    log.each_heatmap(|_| {
        section.records += 1;
        true
    })
}

fn fill_others(log: &mut Opened, module: Module, section: &mut Section) -> Option<Damage> {
    match log {
        Opened::File(reader) => {
            let entry = reader.entry(module)?;
            let data = reader.decode(entry);
            section.records = records_in(&data);
            data.damage
        }
        Opened::Memory { log: held, .. } => {
            let data = held.module(module)?;
            section.records = records_in(data);
            data.damage.clone()
        }
    }
}

/// How many records a module holds.
fn records_in(data: &ModuleData) -> u64 {
    let records = match &data.records {
        Records::Counters(table) => table.len(),
        Records::Lustre(records) => records.len(),
        Records::Dxt(table) => table.records.len(),
        Records::Heatmap(records) => records.len(),
        Records::Mdhim(records) => records.len(),
        Records::Apmpi(apmpi) => apmpi.table.len(),
        Records::Apxc(apxc) => apxc.table.len(),
        Records::Unreadable => 0,
    };
    records as u64
}
