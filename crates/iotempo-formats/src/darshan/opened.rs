//! A log of any version and form, ready to be walked through.

use super::counters::RecordShape;
use super::dxt::{DxtVisitor, SegmentShape};
use super::dxt_text::DXT_TEXT_RESOLUTION_S;
use super::legacy::legacy_time_origin;
use super::log::{CounterTable, Damage, HeatmapRecord, JobRecord, Log, Records};
use super::module::Module;
use super::names::NameTable;
use super::reader::{Reader, unreadable};
use crate::detect::Format;
use crate::input::ReadSeek;
use iotempo_model::Warning;
use std::sync::Arc;

/// A 3.x log is streamed from its file; the text of a tool, or a log 1.x or 2.x, is in memory.
pub(crate) enum Opened {
    File(Box<Reader<Box<dyn ReadSeek>>>),
    Memory {
        log: Box<Log>,
        names: Arc<NameTable>,
        format: Format,
    },
}

/// A module that ran out of memory while the job ran.
pub(crate) fn partial_warning(module: &str) -> Warning {
    let message = format!("{module}: ran out of memory while the job ran and dropped records");
    Warning::new("partial", message)
}

impl Opened {
    /// A log that was read as a whole.
    pub(crate) fn memory(mut log: Log, format: Format) -> Self {
        let partial = log.modules.iter().filter(|data| data.partial);
        let partial: Vec<Warning> = partial.map(|data| partial_warning(&data.name())).collect();
        for warning in partial {
            if !log.warnings.contains(&warning) {
                log.warnings.push(warning);
            }
        }
        Self::Memory {
            names: Arc::new(std::mem::take(&mut log.names)),
            log: Box::new(log),
            format,
        }
    }

    /// Whether a module has data that can be read.
    pub(crate) fn has(&self, module: Module) -> bool {
        match self {
            Self::File(reader) => reader
                .entry(module)
                .is_some_and(|entry| unreadable(Some(module), entry).is_none()),
            Self::Memory { log, .. } => log.module(module).is_some(),
        }
    }

    /// Whether a module dropped records while the job ran.
    pub(crate) fn is_partial(&self, module: Module) -> bool {
        match self {
            Self::File(reader) => reader.entry(module).is_some_and(|entry| entry.partial),
            Self::Memory { log, .. } => log.module(module).is_some_and(|data| data.partial),
        }
    }

    pub(crate) fn job(&self) -> &JobRecord {
        match self {
            Self::File(reader) => &reader.job,
            Self::Memory { log, .. } => &log.job,
        }
    }

    /// The names of records, shared: a walk needs them beside the log.
    pub(crate) fn names(&self) -> Arc<NameTable> {
        match self {
            Self::File(reader) => Arc::clone(&reader.names),
            Self::Memory { names, .. } => Arc::clone(names),
        }
    }

    /// The format and its version.
    pub(crate) fn format(&self) -> String {
        match self {
            Self::File(reader) => format!("darshan {}", reader.version().name()),
            Self::Memory { log, format, .. } => match format {
                Format::DarshanParserText => format!("darshan-parser text of {}", log.version),
                Format::DarshanDxtText => format!("darshan-dxt-parser text of {}", log.version),
                _ => format!("darshan {}", log.version),
            },
        }
    }

    /// What the time stamps of counters count from: in logs up to 2.02, whatever the clock of the
    /// machine counted from.
    pub(crate) fn time_origin_s(&self) -> f64 {
        match self {
            Self::Memory { log, .. } if log.module(Module::Cp).is_some() => legacy_time_origin(log),
            _ => 0.0,
        }
    }

    /// Whether it is the text of `darshan-dxt-parser`.
    pub(crate) fn is_dxt_text(&self) -> bool {
        matches!(
            self,
            Self::Memory {
                format: Format::DarshanDxtText,
                ..
            }
        )
    }

    /// The shortest time that stamps can tell apart.
    pub(crate) fn tick_s(&self) -> f64 {
        match self {
            Self::Memory {
                format: Format::DarshanDxtText,
                ..
            } => DXT_TEXT_RESOLUTION_S,
            // Darshan's clocks tick in microseconds or less.
            _ => 1e-6,
        }
    }

    pub(crate) fn warnings(&self) -> &[Warning] {
        match self {
            Self::File(reader) => &reader.warnings,
            Self::Memory { log, .. } => &log.warnings,
        }
    }

    /// Whether anything was lost so far.
    pub(crate) fn is_damaged(&self) -> bool {
        match self {
            Self::File(reader) => reader.damaged,
            Self::Memory { log, .. } => log.modules.iter().any(|data| data.damage.is_some()),
        }
    }

    /// What was found to be wrong with modules so far, whether or not requests came from them.
    pub(crate) fn damages(&self) -> Vec<Damage> {
        match self {
            Self::File(reader) => reader.damages(),
            Self::Memory { log, .. } => {
                let damages = log.modules.iter().map(|data| data.damage.clone());
                damages.flatten().collect()
            }
        }
    }

    /// Walks through the counters of a module, batch by batch.
    pub(crate) fn each_counters(
        &mut self,
        module: Module,
        mut take: impl FnMut(&CounterTable) -> bool,
    ) -> Option<Damage> {
        match self {
            Self::File(reader) => {
                let entry = reader.entry(module)?;
                let shape = RecordShape::of(module, entry.version)?;
                reader.each_counters(entry, &shape, |table| take(table))
            }
            Self::Memory { log, .. } => {
                if let Some(table) = log.counters(module) {
                    take(table);
                }
                log.module(module)?.damage.clone()
            }
        }
    }

    /// Walks through the segments of a DXT module.
    pub(crate) fn each_dxt(
        &mut self,
        module: Module,
        visitor: &mut impl DxtVisitor,
    ) -> Option<Damage> {
        match self {
            Self::File(reader) => {
                let entry = reader.entry(module)?;
                let shape = SegmentShape::of(module, entry.version)?;
                reader.each_dxt(entry, shape, visitor)
            }
            Self::Memory { log, .. } => {
                let data = log.module(module)?;
                if let Records::Dxt(table) = &data.records {
                    table.visit(visitor);
                }
                data.damage.clone()
            }
        }
    }

    /// Walks through the records of the heatmap.
    pub(crate) fn each_heatmap(
        &mut self,
        take: impl FnMut(&HeatmapRecord) -> bool,
    ) -> Option<Damage> {
        match self {
            Self::File(reader) => {
                let entry = reader.entry(Module::Heatmap)?;
                reader.each_heatmap(entry, take)
            }
            Self::Memory { log, .. } => {
                let data = log.module(Module::Heatmap)?;
                if let Records::Heatmap(records) = &data.records {
                    let _ = records.iter().all(take);
                }
                data.damage.clone()
            }
        }
    }
}
