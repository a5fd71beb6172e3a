//! A 3.x log as it is read: header, job and names at once, modules when they are asked for.

use super::bytes::ByteOrder;
use super::counters::{self, RecordShape};
use super::dxt::{self, DxtVisitor, SegmentShape};
use super::header::{Extent, Header, LogVersion, ModuleEntry};
use super::layout::latest_version;
use super::log::{CounterTable, Damage, HeatmapRecord, JobRecord, ModuleData, Records};
use super::module::Module;
use super::names::NameTable;
use super::opened::partial_warning;
use super::region::{Region, Scratch};
use super::whole::read_records;
use super::{heatmap, job, names};
use crate::budget::budget;
use crate::error::{Error, ErrorKind, Place};
use crate::limits::Limits;
use iotempo_model::Warning;
use std::io::{Read, Seek};
use std::sync::Arc;

/// The most bytes of a job record: Darshan writes 4096.
const JOB_BYTES: usize = 1 << 20;

/// An open log.
pub(crate) struct Reader<R> {
    log: R,
    pub(crate) scratch: Scratch,
    pub(crate) header: Header,
    limits: Limits,
    pub(crate) job: JobRecord,
    pub(crate) names: Arc<NameTable>,
    pub(crate) warnings: Vec<Warning>,
    /// Whether anything was lost so far.
    pub(crate) damaged: bool,
    /// What was wrong with modules so far, each once: a module may be read several times.
    damages: Vec<Damage>,
    /// The heatmap, once it was read to its end, and what was wrong with it.
    heatmap: Option<(Vec<HeatmapRecord>, Option<Damage>)>,
}

/// A heatmap of up to this many bins is kept: its layers must be known before its bytes are, and
/// inflating it again takes ten times as long as walking through it.
const KEPT_BINS: usize = 1 << 20;

impl<R: Read + Seek> Reader<R> {
    /// Reads header, job and names. A damaged header or job refuses the log; of damaged names those
    /// before the damage are kept.
    pub(crate) fn open(mut log: R, limits: Limits) -> Result<Self, Error> {
        let header = Header::read(&mut log)?;
        let mut warnings = Vec::new();
        let mut scratch = Scratch::take();
        let job = read_job(&mut log, &mut scratch, &header, &mut warnings)?;
        let mut reader = Self {
            log,
            scratch,
            header,
            limits,
            job,
            names: Arc::default(),
            warnings,
            damaged: false,
            damages: Vec::new(),
            heatmap: None,
        };
        reader.read_names();
        reader.note_oddities();
        Ok(reader)
    }

    pub(crate) fn version(&self) -> LogVersion {
        self.header.version
    }

    pub(crate) fn byte_order(&self) -> &'static str {
        match self.header.order {
            ByteOrder::Little => "little-endian",
            ByteOrder::Big => "big-endian",
        }
    }

    pub(crate) fn compression(&self) -> &'static str {
        self.header.compression.name()
    }

    /// The modules with data, in the order of their numbers.
    pub(crate) fn entries(&self) -> Vec<ModuleEntry> {
        let with_data = |entry: &&ModuleEntry| entry.extent.len > 0;
        self.header
            .modules
            .iter()
            .filter(with_data)
            .copied()
            .collect()
    }

    /// The entry of a module with data.
    pub(crate) fn entry(&self, module: Module) -> Option<ModuleEntry> {
        self.entries()
            .into_iter()
            .find(|entry| entry.id == module as u32)
    }

    fn read_names(&mut self) {
        let extent = self.header.names;
        if extent.len == 0 || extent.offset == 0 {
            return;
        }
        let (version, order) = (self.header.version, self.header.order);
        let (log, scratch, header) = (&mut self.log, &mut self.scratch, &self.header);
        let limit = self.limits.inflated.min(self.limits.decoded);
        let mut region = open_region(log, scratch, header, "names", extent, limit);
        self.names = Arc::new(names::read(&mut region, version, order, self.limits.name));
        if let Some(damage) = damage_of(&region) {
            self.damaged = true;
            self.warnings.push(Warning::new("damaged", damage.message));
        }
    }

    fn note_oddities(&mut self) {
        if self.header.version == LogVersion::V320 {
            self.warnings.push(Warning::new(
                "darshan-3.2.0",
                "log version 3.20: Darshan 3.2.0 wrote wrong common access sizes (ACCESS counters)",
            ));
        }
        let partial = self.header.modules.iter().filter(|entry| entry.partial);
        let mut told: Vec<_> = partial
            .map(|entry| partial_warning(&module_name(entry.id)))
            .collect();
        for entry in self.entries() {
            let module = Module::from_id(entry.id);
            if let Some(reason) = unreadable(module, entry) {
                let code = if module.is_some() {
                    "damaged"
                } else {
                    "unknown-module"
                };
                told.push(Warning::new(code, reason.message));
                self.damaged |= module.is_some();
            }
        }
        self.warnings.append(&mut told);
    }

    /// Opens the region of a module and lets `read` at it; answers what was wrong with it.
    fn with_region<T>(
        &mut self,
        entry: ModuleEntry,
        limit: u64,
        read: impl FnOnce(&mut Region<'_, R>, &NameTable, ByteOrder) -> T,
    ) -> (T, Option<Damage>) {
        let name = module_name(entry.id);
        let mut region = open_region(
            &mut self.log,
            &mut self.scratch,
            &self.header,
            &name,
            entry.extent,
            limit,
        );
        let result = read(&mut region, &self.names, self.header.order);
        let damage = damage_of(&region);
        self.damaged |= damage.is_some();
        self.damages
            .extend(damage.clone().filter(|new| !self.damages.contains(new)));
        (result, damage)
    }

    /// What was found to be wrong with modules as they were read.
    pub(crate) fn damages(&self) -> Vec<Damage> {
        self.damages.clone()
    }

    /// Hands out the counters of a module in batches.
    pub(crate) fn each_counters(
        &mut self,
        entry: ModuleEntry,
        shape: &RecordShape,
        take: impl FnMut(&mut CounterTable) -> bool,
    ) -> Option<Damage> {
        let limit = self.limits.inflated;
        let read = |region: &mut Region<'_, R>, names: &NameTable, order| {
            counters::read(region, shape, order, names, take);
        };
        self.with_region(entry, limit, read).1
    }

    /// Hands out the segments of a DXT module.
    pub(crate) fn each_dxt(
        &mut self,
        entry: ModuleEntry,
        shape: SegmentShape,
        visitor: &mut impl DxtVisitor,
    ) -> Option<Damage> {
        let limit = self.limits.inflated;
        let read = |region: &mut Region<'_, R>, names: &NameTable, order| {
            dxt::read(region, shape, order, names, visitor);
        };
        self.with_region(entry, limit, read).1
    }

    /// Hands out the records of a heatmap.
    pub(crate) fn each_heatmap(
        &mut self,
        entry: ModuleEntry,
        mut take: impl FnMut(&HeatmapRecord) -> bool,
    ) -> Option<Damage> {
        if let Some((records, damage)) = &self.heatmap {
            let _ = records.iter().all(take);
            return damage.clone();
        }
        let limit = self.limits.inflated;
        let (mut kept, mut bins) = (Vec::new(), 0);
        let read = |region: &mut Region<'_, R>, _: &NameTable, order| {
            let mut all = true;
            heatmap::read(region, order, |record| {
                all = take(&record);
                bins += record.writes.len() + record.reads.len();
                if bins <= KEPT_BINS {
                    kept.push(record);
                }
                all
            });
            all && bins <= KEPT_BINS
        };
        let (whole, damage) = self.with_region(entry, limit, read);
        self.heatmap = whole.then(|| (kept, damage.clone()));
        damage
    }

    /// Reads all records of a module into memory.
    pub(crate) fn decode(&mut self, entry: ModuleEntry) -> ModuleData {
        self.module(entry, self.limits.inflated.min(self.limits.decoded))
    }

    /// Reads all records of a module into memory, up to `limit` bytes of them.
    pub(crate) fn module(&mut self, entry: ModuleEntry, limit: u64) -> ModuleData {
        let module = Module::from_id(entry.id);
        let mut data = ModuleData {
            id: entry.id,
            module,
            version: entry.version,
            partial: entry.partial,
            damage: unreadable(module, entry),
            records: Records::Unreadable,
        };
        if let (Some(module), None) = (module, &data.damage) {
            let mut warnings = Vec::new();
            let read = |region: &mut Region<'_, R>, names: &NameTable, order| {
                read_records(region, module, entry.version, order, names, &mut warnings)
            };
            (data.records, data.damage) = self.with_region(entry, limit, read);
            self.warnings.append(&mut warnings);
        }
        data
    }
}

/// Why a module cannot be read at all, if so.
pub(crate) fn unreadable(module: Option<Module>, entry: ModuleEntry) -> Option<Damage> {
    let newest = module.and_then(latest_version);
    let message = match (module, newest) {
        (Some(module), Some(newest)) if !(1..=newest).contains(&entry.version) => format!(
            "{module}: version {} of its records does not exist or is too new (known: 1 to {newest})",
            entry.version
        ),
        (Some(_), Some(_)) => return None,
        _ => format!("module {} is unknown: written by a newer Darshan", entry.id),
    };
    Some(Damage {
        offset: entry.extent.offset,
        message,
    })
}

pub(crate) fn module_name(id: u32) -> String {
    Module::from_id(id).map_or_else(|| format!("module {id}"), |module| module.name().to_owned())
}

fn open_region<'a, R: Read + Seek>(
    log: &'a mut R,
    scratch: &'a mut Scratch,
    header: &Header,
    section: &str,
    extent: Extent,
    limit: u64,
) -> Region<'a, R> {
    let limit = limit.min(budget(extent.len));
    Region::new(
        log,
        scratch,
        section,
        header.compression,
        extent,
        header.file_len,
        limit,
    )
}

fn damage_of<R: Read + Seek>(region: &Region<'_, R>) -> Option<Damage> {
    region.damage().map(|error| Damage {
        offset: region.file_offset(),
        message: error.to_string(),
    })
}

fn read_job<R: Read + Seek>(
    log: &mut R,
    scratch: &mut Scratch,
    header: &Header,
    warnings: &mut Vec<Warning>,
) -> Result<JobRecord, Error> {
    if let Some(error) = fork_header(log, scratch, header) {
        return Err(error);
    }
    let mut region = open_region(log, scratch, header, "job", header.job, u64::MAX);
    // Mounts may be many, but a job record of a megabyte is a bomb; what follows is not looked at.
    let whole = !region.has(JOB_BYTES);
    if whole && let Some(error) = region.damage() {
        let (offset, message) = (region.file_offset(), error.kind.to_string());
        return Err(Error::new(
            "job",
            Place::Byte(offset),
            ErrorKind::Unsupported(message),
        ));
    }
    if !whole {
        warnings.push(Warning::new(
            "job-too-long",
            format!("the job record is longer than {JOB_BYTES} bytes: cut there"),
        ));
    }
    let end = region.bytes().len().min(JOB_BYTES);
    job::decode(
        &region.bytes()[..end],
        header.version,
        header.order,
        warnings,
    )
}

/// Logs with the header of a fork: 8192 bytes stand between the header and the job, under version
/// 3.41. Seen in a public data set; Darshan's own tools crash on them.
fn fork_header<R: Read + Seek>(
    log: &mut R,
    scratch: &mut Scratch,
    header: &Header,
) -> Option<Error> {
    const INSERTED: u64 = 8192;
    let mut begins_at = |offset: u64| {
        let extent = Extent {
            offset,
            len: header.job.len.saturating_sub(offset - header.job.offset),
        };
        let mut region = open_region(log, scratch, header, "job", extent, 1 << 20);
        extent.len > 0 && region.has(1)
    };
    let forked = header.job.len > INSERTED
        && !begins_at(header.job.offset)
        && begins_at(header.job.offset + INSERTED);
    forked.then(|| {
        let message = format!(
            "written by a fork of Darshan whose header is {} bytes long under log version {}: \
             its layout is not known",
            header.job.offset + INSERTED,
            header.version.name()
        );
        Error::new(
            "header",
            Place::Byte(header.job.offset),
            ErrorKind::Unsupported(message),
        )
    })
}
