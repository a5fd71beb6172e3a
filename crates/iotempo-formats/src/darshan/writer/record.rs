//! One record of any module.

use super::super::log::{ApmpiHeader, HeatmapRecord, LustreRecord, MdhimRecord};
use super::super::module::Module;
use super::counters::CounterRecord;
use super::dxt::DxtRun;
use super::error::WriteError;
use super::hash::record_id;
use super::put::Put;

/// The names of heatmaps.
const HEATMAPS: [&str; 5] = [
    "heatmap:POSIX",
    "heatmap:MPIIO",
    "heatmap:STDIO",
    "heatmap:DFS",
    "heatmap:DAOS",
];

/// One record of any module.
#[derive(Debug, Clone, PartialEq)]
pub enum Record {
    /// Counters per file and rank, of any module that has them.
    Counters(CounterRecord),
    /// The requests of a rank on a file.
    Dxt(DxtRun),
    /// Bytes per time bin.
    Heatmap(HeatmapRecord),
    /// How a file is striped. Version 1 knows the first component only.
    Lustre(LustreRecord),
    /// Counters of the MDHIM key-value store.
    Mdhim(MdhimRecord),
    /// What stands before the records of APMPI.
    ApmpiHeader(ApmpiHeader),
    /// What stands before the records of APXC: id, rank, magic and six more integers.
    ApxcHeader([i64; 9]),
}

impl Record {
    /// The module that it belongs to.
    #[must_use]
    pub fn module(&self) -> Module {
        match self {
            Self::Counters(record) => record.module,
            Self::Dxt(run) => run.module,
            Self::Heatmap(_) => Module::Heatmap,
            Self::Lustre(_) => Module::Lustre,
            Self::Mdhim(_) => Module::Mdhim,
            Self::ApmpiHeader(_) => Module::Apmpi,
            Self::ApxcHeader(_) => Module::Apxc,
        }
    }

    /// The rank that it says.
    #[must_use]
    pub fn rank(&self) -> i64 {
        match self {
            Self::Counters(record) => record.rank,
            Self::Dxt(run) => run.rank,
            Self::Heatmap(record) => record.rank,
            Self::Lustre(record) => record.rank,
            Self::Mdhim(record) => record.rank,
            Self::ApmpiHeader(header) => header.rank,
            Self::ApxcHeader(header) => header[1],
        }
    }

    /// Its id with its name, where it brings one along.
    pub(super) fn name(&self) -> Option<(u64, &str)> {
        match self {
            Self::Counters(record) => Some((record.id, record.name.as_deref()?)),
            Self::Dxt(run) => Some((run.id, run.name.as_deref()?)),
            Self::Heatmap(record) => HEATMAPS
                .into_iter()
                .map(|name| (record_id(name), name))
                .find(|(id, _)| *id == record.id),
            _ => None,
        }
    }

    pub(super) fn encode(&self, put: &mut Put, version: u32) -> Result<(), WriteError> {
        match self {
            Self::Counters(record) => return record.encode(put, version),
            Self::Dxt(run) => return run.encode(put, version),
            Self::Heatmap(record) => heatmap(put, record),
            Self::Lustre(record) if version == 1 => lustre_v1(put, record),
            Self::Lustre(record) => lustre_v2(put, record),
            Self::Mdhim(record) => mdhim(put, record),
            Self::ApmpiHeader(header) => apmpi_header(put, header),
            Self::ApxcHeader(header) => put.i64s(header),
        }
        Ok(())
    }
}

impl From<CounterRecord> for Record {
    fn from(record: CounterRecord) -> Self {
        Self::Counters(record)
    }
}

impl From<DxtRun> for Record {
    fn from(run: DxtRun) -> Self {
        Self::Dxt(run)
    }
}

impl From<HeatmapRecord> for Record {
    fn from(record: HeatmapRecord) -> Self {
        Self::Heatmap(record)
    }
}

impl From<LustreRecord> for Record {
    fn from(record: LustreRecord) -> Self {
        Self::Lustre(record)
    }
}

impl From<MdhimRecord> for Record {
    fn from(record: MdhimRecord) -> Self {
        Self::Mdhim(record)
    }
}

/// Both lists get as many bins as the longer one has.
fn heatmap(put: &mut Put, record: &HeatmapRecord) {
    let bins = record.writes.len().max(record.reads.len());
    put.u64(record.id);
    put.i64(record.rank);
    put.f64(record.bin_width_s);
    put.i64(bins as i64);
    // Darshan leaves two stale pointers here.
    put.zeros(16);
    for list in [&record.writes, &record.reads] {
        put.i64s(list);
        put.zeros(8 * (bins - list.len()));
    }
}

fn lustre_v1(put: &mut Put, record: &LustreRecord) {
    let stripe_size = record.components.first().map_or(0, |c| c.stripe_size);
    let (osts, mdts) = record.targets.unwrap_or((-1, -1));
    put.u64(record.id);
    // The stripe offset is always unknown since Darshan 3.3.0.
    put.i64s(&[record.rank, osts, mdts, -1, stripe_size]);
    put.i64(record.osts.len() as i64);
    put.i64s(&record.osts);
}

fn lustre_v2(put: &mut Put, record: &LustreRecord) {
    put.u64(record.id);
    put.i64(record.rank);
    put.i64(record.components.len() as i64);
    put.i64(record.osts.len() as i64);
    for component in &record.components {
        put.i64s(&[
            component.stripe_size,
            component.stripe_count,
            component.stripe_pattern,
            component.flags,
            component.ext_start,
            component.ext_end,
            component.mirror_id,
        ]);
        put.text(&component.pool_name, 16);
    }
    put.i64s(&record.osts);
}

/// The number of servers, a counter of its own, says how long the histogram is.
fn mdhim(put: &mut Put, record: &MdhimRecord) {
    put.u64(record.id);
    put.i64(record.rank);
    put.i64s(&record.ints);
    put.f64s(&record.floats);
    put.i64s(&record.histogram);
}

fn apmpi_header(put: &mut Put, header: &ApmpiHeader) {
    put.u64(header.id);
    put.i64(header.rank);
    put.i64(header.magic);
    put.u32(header.sync_flag);
    put.zeros(4);
    put.f64(header.variance_total_mpitime);
    put.f64(header.variance_total_mpisynctime);
}
