//! A whole log in memory.

use super::bytes::ByteOrder;
use super::counters::{self, RecordShape};
use super::dxt::{self, SegmentShape};
use super::log::{Damage, DxtTable, Log, Records};
use super::module::Module;
use super::names::NameTable;
use super::reader::Reader;
use super::region::Region;
use super::{autoperf, heatmap, lustre};
use crate::error::Error;
use crate::limits::Limits;
use iotempo_model::Warning;
use std::io::{Read, Seek};
use std::sync::Arc;

impl Log {
    /// Decodes a whole 3.x log into memory.
    ///
    /// Damage in one module loses what lies behind it in that module, and nothing else.
    ///
    /// # Errors
    /// Where the header or the job record is damaged, or the log is of a version or a fork that is
    /// not known.
    pub fn read(log: impl Read + Seek, limits: &Limits) -> Result<Self, Error> {
        let mut reader = Reader::open(log, *limits)?;
        let mut modules = Vec::new();
        let mut left = limits.decoded;
        for entry in reader.entries() {
            let data = reader.module(entry, left.min(limits.inflated));
            left = left.saturating_sub(data.records.size_in_memory());
            let told = |damage: &&Damage| {
                let mut warnings = reader.warnings.iter();
                warnings.all(|warning| warning.message != damage.message)
            };
            let damage = data.damage.as_ref().filter(told).map(Damage::warning);
            reader.warnings.extend(damage);
            modules.push(data);
        }
        reader.scratch.keep();
        Ok(Self {
            version: reader.header.version.name().to_owned(),
            big_endian: reader.header.order == ByteOrder::Big,
            compression: reader.header.compression.name(),
            job: reader.job,
            names: Arc::unwrap_or_clone(reader.names),
            modules,
            warnings: reader.warnings,
        })
    }
}

impl Records {
    /// Roughly the memory that the records take.
    fn size_in_memory(&self) -> u64 {
        let words = match self {
            Self::Counters(table) => table.ints.len() + table.floats.len() + 2 * table.ids.len(),
            Self::Dxt(table) => 5 * table.lengths.len() + 16 * table.records.len(),
            Self::Heatmap(records) => records.iter().map(|r| 2 * r.writes.len() + 10).sum(),
            Self::Lustre(records) => records
                .iter()
                .map(|r| r.osts.len() + 11 * r.components.len() + 10)
                .sum(),
            Self::Mdhim(records) => records.iter().map(|r| r.histogram.len() + 20).sum(),
            Self::Apmpi(apmpi) => apmpi.table.ints.len() + apmpi.table.floats.len(),
            Self::Apxc(apxc) => apxc.table.ints.len(),
            Self::Unreadable => 0,
        };
        8 * words as u64
    }
}

/// Reads the records of a module that [`unreadable`] found nothing wrong with.
pub(super) fn read_records<R: Read + Seek>(
    region: &mut Region<'_, R>,
    module: Module,
    version: u32,
    order: ByteOrder,
    names: &NameTable,
    warnings: &mut Vec<Warning>,
) -> Records {
    if let Some(shape) = RecordShape::of(module, version) {
        let mut all = shape.table();
        counters::read_into(region, &shape, order, names, &mut all);
        return Records::Counters(all);
    }
    if let Some(shape) = SegmentShape::of(module, version) {
        let mut table = DxtTable::default();
        dxt::read(region, shape, order, names, &mut table);
        return Records::Dxt(table);
    }
    match module {
        Module::Lustre => {
            let records = lustre::read(region, version, order);
            warnings.extend(lustre::contradictions(&records));
            Records::Lustre(records)
        }
        Module::Heatmap => {
            let mut records = Vec::new();
            heatmap::read(region, order, |record| {
                records.push(record);
                true
            });
            heatmap::even_out(&mut records, warnings);
            Records::Heatmap(records)
        }
        Module::Mdhim => Records::Mdhim(autoperf::read_mdhim(region, order)),
        Module::Apmpi => Records::Apmpi(autoperf::read_apmpi(region, order)),
        Module::Apxc => Records::Apxc(autoperf::read_apxc(region, order)),
        _ => Records::Unreadable,
    }
}
