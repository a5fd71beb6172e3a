//! What differs between the versions of Darshan logs before 3.0.

use crate::darshan::MAGIC;
use crate::darshan::bytes::text;
use crate::darshan::layout::Layout;
use crate::darshan::log::{CounterTable, JobRecord};
use crate::error::{Error, ErrorKind, Place};

/// The layout of one version.
pub(super) struct LegacyFormat {
    pub(super) version: &'static str,
    pub(super) major: u32,
    pub(super) big_endian: bool,
    /// Bytes of the job's fields; the command line and the mount table follow.
    pub(super) job_size: usize,
    /// Bytes up to the first file record.
    pub(super) job_region: usize,
}

/// Version, size of the job's fields, size up to the first file record.
const VERSIONS: [(&str, usize, usize); 11] = [
    ("1.21", 28, 1024),
    ("1.22", 28, 1024),
    ("1.23", 28, 1024),
    ("1.24", 28, 1024),
    ("2.00", 56, 1024),
    ("2.01", 120, 1024),
    ("2.02", 120, 1024),
    ("2.03", 120, 1024),
    ("2.04", 1080, 4096),
    ("2.05", 1080, 4096),
    ("2.06", 1080, 4096),
];

/// Where the metadata begins in a job of version 2.01 and later.
const METADATA: usize = 56;

/// Counters that came with version 2.00.
const SINCE_2_00: [&str; 8] = [
    "CP_FASTEST_RANK",
    "CP_FASTEST_RANK_BYTES",
    "CP_SLOWEST_RANK",
    "CP_SLOWEST_RANK_BYTES",
    "CP_F_FASTEST_RANK_TIME",
    "CP_F_SLOWEST_RANK_TIME",
    "CP_F_VARIANCE_RANK_TIME",
    "CP_F_VARIANCE_RANK_BYTES",
];

/// Counters that came with version 1.23.
const SINCE_1_23: [&str; 2] = ["CP_DEVICE", "CP_SIZE_AT_OPEN"];

/// Counters that came with version 1.22.
const SINCE_1_22: [&str; 7] = [
    "CP_INDEP_NC_OPENS",
    "CP_COLL_NC_OPENS",
    "CP_HDF5_OPENS",
    "CP_MAX_READ_TIME_SIZE",
    "CP_MAX_WRITE_TIME_SIZE",
    "CP_F_MAX_READ_TIME",
    "CP_F_MAX_WRITE_TIME",
];

/// The version that bytes begin with: digits and points, padded with NULs to 8 bytes.
pub(super) fn version_of(head: &[u8]) -> Option<&str> {
    let field = head.get(..8)?;
    let end = field.iter().position(|&byte| byte == 0)?;
    let (version, padding) = field.split_at(end);
    let plausible = version
        .iter()
        .all(|byte| byte.is_ascii_digit() || *byte == b'.');
    (plausible && padding.iter().all(|&byte| byte == 0))
        .then(|| std::str::from_utf8(version).ok())
        .flatten()
}

/// Whether a log of version 2.x is big-endian; `None` without Darshan's magic number.
pub(super) fn byte_order_of(head: &[u8]) -> Option<bool> {
    let magic: [u8; 8] = head.get(8..16)?.try_into().ok()?;
    match (i64::from_le_bytes(magic), i64::from_be_bytes(magic)) {
        (MAGIC, _) => Some(false),
        (_, MAGIC) => Some(true),
        _ => None,
    }
}

/// The columns of a version 2.x table that a version has on disk, in its order.
pub(super) struct Fields {
    ints: Vec<usize>,
    floats: Vec<usize>,
}

impl LegacyFormat {
    /// The layout of the log that these bytes begin.
    pub(super) fn of(head: &[u8]) -> Result<Self, Error> {
        let shown = || String::from_utf8_lossy(&head[..head.len().min(8)]).into_owned();
        let version = version_of(head).ok_or_else(|| {
            Error::invalid(
                "job",
                Place::InflatedByte(0),
                "not a version of Darshan's logs",
                shown(),
            )
        })?;
        let known = VERSIONS.iter().find(|(known, ..)| *known == version);
        let &(version, job_size, job_region) = known.ok_or_else(|| {
            let what = format!(
                "Darshan log version {version} cannot be read (of those before 3.00: 1.21 to 2.06)"
            );
            Error::new("job", Place::InflatedByte(0), ErrorKind::Unsupported(what))
        })?;
        let major = if version.starts_with('1') { 1 } else { 2 };
        // Only Blue Gene, which is big-endian, ran version 1.x, and its logs have no magic number.
        let big_endian = match major {
            1 => true,
            _ => byte_order_of(head).ok_or_else(|| {
                let magic = head.get(8..).unwrap_or_default();
                let what = "not Darshan's magic number";
                Error::invalid("job", Place::InflatedByte(8), what, format!("{magic:02x?}"))
            })?,
        };
        Ok(Self {
            version,
            major,
            big_endian,
            job_size,
            job_region,
        })
    }

    /// The numbers and the metadata of the job.
    pub(super) fn job(&self, bytes: &[u8]) -> JobRecord {
        if self.major == 1 {
            return JobRecord {
                uid: i64::from(self.i32(bytes, 12) as u32),
                start_s: self.i32(bytes, 16).into(),
                end_s: self.i32(bytes, 20).into(),
                nprocs: self.i32(bytes, 24).into(),
                ..JobRecord::default()
            };
        }
        let metadata = text(&bytes[METADATA..self.job_size]);
        let pairs = metadata.lines().filter_map(|line| line.split_once('='));
        JobRecord {
            uid: self.i64(bytes, 16),
            start_s: self.i64(bytes, 24),
            end_s: self.i64(bytes, 32),
            nprocs: self.i64(bytes, 40),
            jobid: self.i64(bytes, 48),
            metadata: pairs
                .map(|(key, value)| (key.to_owned(), value.to_owned()))
                .collect(),
            ..JobRecord::default()
        }
    }

    /// The columns of `layout` that this version has.
    pub(super) fn fields(&self, layout: &Layout) -> Fields {
        let columns = |names: &[String]| {
            (0..names.len())
                .filter(|&column| self.has(&names[column]))
                .collect()
        };
        Fields {
            ints: columns(&layout.ints),
            floats: columns(&layout.floats),
        }
    }

    fn has(&self, counter: &str) -> bool {
        !(self.version < "2.00" && SINCE_2_00.contains(&counter)
            || self.version < "1.23" && SINCE_1_23.contains(&counter)
            || self.version < "1.22" && SINCE_1_22.contains(&counter))
    }

    /// Bytes of a file record.
    pub(super) fn record_size(&self, fields: &Fields) -> usize {
        32 + 8 * (fields.ints.len() + fields.floats.len())
    }

    /// Adds a file record to `table`; its name.
    pub(super) fn push(&self, record: &[u8], fields: &Fields, table: &mut CounterTable) -> String {
        let (rank, counters, suffix) = if self.major == 1 {
            let name = record.len() - 16;
            (self.i32(record, 8).into(), 16, &record[name..name + 12])
        } else {
            (self.i64(record, 8), 32, &record[16..32])
        };
        table.ids.push(self.i64(record, 0) as u64);
        table.ranks.push(rank);
        let (ints, floats) = (table.ints.len(), table.floats.len());
        table.ints.resize(ints + table.layout.ints.len(), 0);
        table.floats.resize(floats + table.layout.floats.len(), 0.0);
        for (place, &column) in fields.ints.iter().enumerate() {
            table.ints[ints + column] = self.i64(record, counters + 8 * place);
        }
        let counters = counters + 8 * fields.ints.len();
        for (place, &column) in fields.floats.iter().enumerate() {
            let bits = self.i64(record, counters + 8 * place);
            table.floats[floats + column] = f64::from_bits(bits as u64);
        }
        format!("...{}", text(suffix))
    }

    fn i64(&self, bytes: &[u8], at: usize) -> i64 {
        let mut field = [0; 8];
        field.copy_from_slice(&bytes[at..at + 8]);
        if self.big_endian {
            i64::from_be_bytes(field)
        } else {
            i64::from_le_bytes(field)
        }
    }

    fn i32(&self, bytes: &[u8], at: usize) -> i32 {
        let mut field = [0; 4];
        field.copy_from_slice(&bytes[at..at + 4]);
        if self.big_endian {
            i32::from_be_bytes(field)
        } else {
            i32::from_le_bytes(field)
        }
    }
}
