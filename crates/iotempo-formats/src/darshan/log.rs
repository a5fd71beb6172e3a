//! A Darshan log in memory.

use super::layout::Layout;
use super::module::Module;
use super::names::NameTable;
use iotempo_model::Warning;

/// A Darshan log of any version, decoded.
#[derive(Debug, Clone, Default)]
pub struct Log {
    /// The version string of the format, such as `3.41`.
    pub version: String,
    /// Whether numbers are stored big-endian.
    pub big_endian: bool,
    /// `zlib`, `bzip2`, `none`, or `gzip` around the whole of an old log.
    pub compression: &'static str,
    /// The job.
    pub job: JobRecord,
    /// The names of records: file paths, data sets, variables.
    pub names: NameTable,
    /// The modules that hold data, in the order of their numbers.
    pub modules: Vec<ModuleData>,
    /// What is odd about the log as a whole.
    pub warnings: Vec<Warning>,
}

impl Log {
    /// The data of a module, where there is any.
    #[must_use]
    pub fn module(&self, module: Module) -> Option<&ModuleData> {
        self.modules.iter().find(|data| data.id == module as u32)
    }

    /// The counters of a module, where there are any.
    #[must_use]
    pub fn counters(&self, module: Module) -> Option<&CounterTable> {
        match &self.module(module)?.records {
            Records::Counters(table) => Some(table),
            _ => None,
        }
    }
}

/// The job as Darshan recorded it.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct JobRecord {
    /// The user's numeric id.
    pub uid: i64,
    /// Seconds since 1970-01-01 UTC.
    pub start_s: i64,
    /// Nanoseconds after [`JobRecord::start_s`]; 0 before log version 3.41.
    pub start_ns: i64,
    /// Seconds since 1970-01-01 UTC.
    pub end_s: i64,
    /// Nanoseconds after [`JobRecord::end_s`]; 0 before log version 3.41.
    pub end_ns: i64,
    /// The number of processes.
    pub nprocs: i64,
    /// The scheduler's id, or a process id.
    pub jobid: i64,
    /// The command line.
    pub exe: String,
    /// `key=value` lines, in order.
    pub metadata: Vec<(String, String)>,
    /// The mounted file systems, in order.
    pub mounts: Vec<Mount>,
    /// Length of the run in seconds. Before log version 3.41 it is a whole number and counts the
    /// last second in full.
    pub run_time_s: f64,
}

/// A mounted file system.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mount {
    /// Its type, such as `lustre`.
    pub fs_type: String,
    /// Where it is mounted.
    pub point: String,
    /// Its device number, which `CP_DEVICE` refers to; only before log version 3.00.
    pub device: Option<i64>,
}

/// One module of a log.
#[derive(Debug, Clone)]
pub struct ModuleData {
    /// The number of the module in log version 3.41.
    pub id: u32,
    /// The module; `None` for one of a newer Darshan.
    pub module: Option<Module>,
    /// The version of its records on disk.
    pub version: u32,
    /// Whether it ran out of memory on some rank and dropped records.
    pub partial: bool,
    /// What is wrong with its data; the records before it are kept.
    pub damage: Option<Damage>,
    /// Its records.
    pub records: Records,
}

impl ModuleData {
    /// Darshan's name for the module, or its number.
    #[must_use]
    pub fn name(&self) -> String {
        self.module.map_or_else(
            || format!("unknown module {}", self.id),
            |m| m.name().to_owned(),
        )
    }
}

/// What is wrong with a section, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Damage {
    /// Offset into the file.
    pub offset: u64,
    /// What was met there, as an error says it.
    pub message: String,
}

impl Damage {
    /// The warning that tells of it.
    #[must_use]
    pub fn warning(&self) -> Warning {
        Warning::new("damaged", self.message.clone())
    }
}

/// The records of a module.
#[derive(Debug, Clone)]
pub enum Records {
    /// One row of counters per file and rank.
    Counters(CounterTable),
    /// Stripe layouts of files.
    Lustre(Vec<LustreRecord>),
    /// Single requests.
    Dxt(DxtTable),
    /// Bytes per time bin.
    Heatmap(Vec<HeatmapRecord>),
    /// MDHIM's counters with a histogram.
    Mdhim(Vec<MdhimRecord>),
    /// AutoPerf's MPI counters.
    Apmpi(ApmpiTable),
    /// AutoPerf's Cray XC counters.
    Apxc(ApxcTable),
    /// Nothing that could be read.
    Unreadable,
}

/// Records that consist of counters, converted to the newest version of their module. A counter
/// that the version on disk did not have is −1, as in Darshan's own tools.
#[derive(Debug, Clone)]
pub struct CounterTable {
    /// The counters' names.
    pub layout: &'static Layout,
    /// The id of each record.
    pub ids: Vec<u64>,
    /// The rank of each record; −1 for all ranks together.
    pub ranks: Vec<i64>,
    /// Integer counters, record after record.
    pub ints: Vec<i64>,
    /// Floating-point counters, record after record.
    pub floats: Vec<f64>,
    /// H5D and PNETCDF_VAR: the id of the file that each record belongs to.
    pub file_ids: Vec<u64>,
    /// DFS and DAOS: the object of each record.
    pub objects: Vec<DaosObject>,
}

impl CounterTable {
    /// A table without records.
    #[must_use]
    pub fn new(layout: &'static Layout) -> Self {
        Self {
            layout,
            ids: Vec::new(),
            ranks: Vec::new(),
            ints: Vec::new(),
            floats: Vec::new(),
            file_ids: Vec::new(),
            objects: Vec::new(),
        }
    }

    /// Forgets all records.
    pub(crate) fn clear(&mut self) {
        self.ids.clear();
        self.ranks.clear();
        self.ints.clear();
        self.floats.clear();
        self.file_ids.clear();
        self.objects.clear();
    }

    /// How many records there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.ids.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.ids.is_empty()
    }

    /// The integer counters of one record.
    #[must_use]
    pub fn ints_of(&self, record: usize) -> &[i64] {
        let width = self.layout.ints.len();
        &self.ints[record * width..(record + 1) * width]
    }

    /// The floating-point counters of one record.
    #[must_use]
    pub fn floats_of(&self, record: usize) -> &[f64] {
        let width = self.layout.floats.len();
        &self.floats[record * width..(record + 1) * width]
    }
}

/// The DAOS object of a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct DaosObject {
    /// The pool.
    pub pool: [u8; 16],
    /// The container.
    pub container: [u8; 16],
    /// The object's id, high and low half; 0 for DFS.
    pub oid: (u64, u64),
}

/// How a file is striped over a Lustre file system.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LustreRecord {
    /// The record's id.
    pub id: u64,
    /// The rank.
    pub rank: i64,
    /// The components of the layout, in order; one for logs before 3.4.6.
    pub components: Vec<LustreComponent>,
    /// The object storage targets of all components, in order.
    pub osts: Vec<i64>,
    /// Number of object storage and metadata targets; only in version 1.
    pub targets: Option<(i64, i64)>,
}

/// A component of a Lustre layout. The fields are −1 where the version on disk had none.
#[derive(Debug, Clone, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names are Lustre's own")]
pub struct LustreComponent {
    pub stripe_size: i64,
    pub stripe_count: i64,
    pub stripe_pattern: i64,
    pub flags: i64,
    pub ext_start: i64,
    pub ext_end: i64,
    pub mirror_id: i64,
    pub pool_name: String,
}

/// Single requests, in columns; each record owns a run of them, writes before reads.
#[derive(Debug, Clone, Default)]
pub struct DxtTable {
    /// One per rank and file.
    pub records: Vec<DxtRecord>,
    /// Offsets in the file; −1 where they are not known.
    pub offsets: Vec<i64>,
    /// Lengths in bytes.
    pub lengths: Vec<i64>,
    /// Start times in seconds.
    pub starts: Vec<f64>,
    /// End times in seconds.
    pub ends: Vec<f64>,
    /// Threads; empty for versions that do not record them.
    pub threads: Vec<u64>,
}

/// The requests of a rank on a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DxtRecord {
    /// The record's id.
    pub id: u64,
    /// The rank.
    pub rank: i64,
    /// The host that the rank ran on.
    pub hostname: String,
    /// How many writes.
    pub writes: u64,
    /// How many reads, which follow the writes.
    pub reads: u64,
    /// Where its requests begin in the columns.
    pub first: usize,
}

/// The bytes of a rank per time bin.
#[derive(Debug, Clone, PartialEq)]
pub struct HeatmapRecord {
    /// The record's id, which names the layer.
    pub id: u64,
    /// The rank.
    pub rank: i64,
    /// The width of a bin in seconds.
    pub bin_width_s: f64,
    /// Bytes written per bin.
    pub writes: Vec<i64>,
    /// Bytes read per bin.
    pub reads: Vec<i64>,
}

/// Counters of the MDHIM key-value store.
#[derive(Debug, Clone, PartialEq)]
pub struct MdhimRecord {
    /// The record's id.
    pub id: u64,
    /// The rank.
    pub rank: i64,
    /// Integer counters.
    pub ints: Vec<i64>,
    /// Floating-point counters.
    pub floats: Vec<f64>,
    /// Requests per server.
    pub histogram: Vec<i64>,
}

/// AutoPerf's MPI counters.
#[derive(Debug, Clone)]
pub struct ApmpiTable {
    /// The job-wide header; `None` where the region is too short for one.
    pub header: Option<ApmpiHeader>,
    /// One row per rank.
    pub table: CounterTable,
    /// The node of each row.
    pub nodes: Vec<String>,
}

/// The job-wide part of AutoPerf's MPI counters.
#[derive(Debug, Clone, PartialEq)]
#[allow(missing_docs, reason = "the names are AutoPerf's own")]
pub struct ApmpiHeader {
    pub id: u64,
    pub rank: i64,
    pub magic: i64,
    pub sync_flag: u32,
    pub variance_total_mpitime: f64,
    pub variance_total_mpisynctime: f64,
}

/// AutoPerf's Cray XC counters.
#[derive(Debug, Clone)]
pub struct ApxcTable {
    /// The job-wide header, as integers: id, rank, magic, nblades, nchassis, ngroups, memory mode,
    /// cluster mode, appid; `None` where the region is too short for one.
    pub header: Option<[i64; 9]>,
    /// One row per router.
    pub table: CounterTable,
    /// Group, chassis, blade and node of each row.
    pub places: Vec<[i64; 4]>,
}
