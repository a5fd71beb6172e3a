//! Darshan logs of versions 1.x and 2.x, which have no modules: one record per file, POSIX and
//! MPI-IO together, the whole of it wrapped in gzip or bzip2.

mod format;

use super::layout::Layout;
use super::log::{CounterTable, Damage, JobRecord, Log, ModuleData, Mount, Records};
use super::module::Module;
use crate::error::{Error, ErrorKind, Place};
use crate::limits::Limits;
use format::LegacyFormat;
use iotempo_model::{Warning, counted};
use std::io::{self, Read};

/// Whether these bytes, freed of their compression, begin a log of version 1.x or 2.x.
pub(crate) fn is_legacy(head: &[u8]) -> bool {
    match format::version_of(head) {
        Some(version) if version.starts_with("1.") => true,
        Some(version) if version.starts_with("2.") => format::byte_order_of(head).is_some(),
        _ => false,
    }
}

/// Reads a log of version 1.21 to 2.06 that was freed of its compression.
///
/// The log has one module, [`Module::Cp`], with the counters of version 2.x; counters that a
/// version did not have are 0. Time stamps stay as they were written: see [`legacy_time_origin`].
/// For a file that was never opened through POSIX (`CP_POSIX_OPENS`, `CP_POSIX_FOPENS` and
/// `CP_POSIX_STATS` are 0) the counters of POSIX mean nothing.
///
/// These logs keep the last 11 or 15 bytes of a path. Names are given as `...` and those bytes, as
/// `darshan-parser` prints them, so that nobody takes them for paths; several files may share one.
///
/// # Errors
/// Where the version is unknown, or the log ends before its first record could begin.
pub fn read_legacy(mut bytes: impl Read, limits: &Limits) -> Result<Log, Error> {
    let mut version = [0; 16];
    let got = fill(&mut bytes, &mut version).map_err(unreadable(0))?;
    let format = LegacyFormat::of(&version[..got])?;
    let mut job = version.to_vec();
    job.resize(format.job_region, 0);
    let rest = fill(&mut bytes, &mut job[16..]).map_err(unreadable(16))?;
    if got + rest < format.job_region {
        let place = Place::InflatedByte((got + rest) as u64);
        return Err(Error::new(
            "job",
            place,
            ErrorKind::UnexpectedEnd("the job record"),
        ));
    }
    let mut log = Log {
        version: format.version.to_owned(),
        big_endian: format.big_endian,
        compression: "gzip",
        ..Log::default()
    };
    log.job = read_job(&format, &job, &mut log.warnings);
    read_records(&format, bytes, limits, &mut log);
    Ok(log)
}

fn unreadable(offset: u64) -> impl FnOnce(io::Error) -> Error {
    move |error| Error::new("job", Place::InflatedByte(offset), error)
}

/// The moment that time stamps of a log 1.x or 2.x count from.
///
/// Stamps count from the start of the job since version 2.03. Before, they are what `MPI_Wtime()`
/// said: seconds since 1970 on x86, and since some event of the machine on Blue Gene. There the
/// first stamp is the origin; seconds since 1970 count from the job's start instead, which tells
/// how long the job ran before its first file.
#[must_use]
pub fn legacy_time_origin(log: &Log) -> f64 {
    let raw = log.version.starts_with("1.") || ("2.00"..="2.02").contains(&log.version.as_str());
    let Some(first) = log
        .counters(Module::Cp)
        .filter(|_| raw)
        .and_then(first_stamp)
    else {
        return 0.0;
    };
    let start = log.job.start_s as f64;
    let counts_from_1970 = (first - start).abs() < first;
    if counts_from_1970 {
        first.min(start)
    } else {
        first
    }
}

fn first_stamp(table: &CounterTable) -> Option<f64> {
    let stamps: Vec<usize> = (0..table.layout.floats.len())
        .filter(|&column| table.layout.floats[column].ends_with("_TIMESTAMP"))
        .collect();
    (0..table.len())
        .flat_map(|record| {
            stamps
                .iter()
                .map(move |&column| table.floats_of(record)[column])
        })
        .filter(|stamp| stamp.is_finite() && *stamp > 0.0)
        .min_by(f64::total_cmp)
}

fn read_job(format: &LegacyFormat, bytes: &[u8], warnings: &mut Vec<Warning>) -> JobRecord {
    let text = super::bytes::text(&bytes[format.job_size..]);
    let (exe, mounts) = text.split_once('\n').unwrap_or((&text, ""));
    let mut job = format.job(bytes);
    job.exe = exe.to_owned();
    job.mounts = read_mounts(mounts, warnings);
    // Times are whole seconds: the last one counts in full.
    job.run_time_s = (job.end_s as f64 - job.start_s as f64 + 1.0).max(0.0);
    job
}

/// Lines of `device<TAB>type<TAB>mount point`.
fn read_mounts(text: &str, warnings: &mut Vec<Warning>) -> Vec<Mount> {
    let mut mounts = Vec::new();
    let mut bad = 0;
    for line in text.lines().filter(|line| !line.is_empty()) {
        let fields: Vec<_> = line.splitn(3, '\t').collect();
        let [device, fs_type, point] = fields[..] else {
            bad += 1;
            continue;
        };
        mounts.push(Mount {
            fs_type: fs_type.to_owned(),
            point: point.to_owned(),
            device: device.parse().ok(),
        });
    }
    if bad > 0 {
        let message = format!(
            "left out {} of the mount table without a mount point",
            counted(bad, "line")
        );
        warnings.push(Warning::new("bad-mount", message));
    }
    mounts
}

fn read_records(format: &LegacyFormat, mut bytes: impl Read, limits: &Limits, log: &mut Log) {
    let layout = Layout::latest(Module::Cp).expect("counters.txt lists them");
    let fields = format.fields(layout);
    let mut table = CounterTable::new(layout);
    let mut record = vec![0; format.record_size(&fields)];
    let mut offset = format.job_region as u64;
    let damage = loop {
        let ended = match fill(&mut bytes, &mut record) {
            Ok(0) => break None,
            Ok(got) if got < record.len() => Some("the data ends inside a file record".to_owned()),
            Ok(_) if offset + record.len() as u64 > limits.decoded => {
                Some(format!("it inflates to more than {} bytes", limits.decoded))
            }
            Ok(_) => None,
            Err(error) => Some(error.to_string()),
        };
        if let Some(message) = ended {
            break Some(Damage { offset, message });
        }
        let name = format.push(&record, &fields, &mut table);
        let id = table.ids[table.len() - 1];
        if log.names.get(id).is_none() {
            log.names.insert(id, &name);
        }
        offset += record.len() as u64;
    };
    warn_of_ranks(&table, log);
    log.modules.push(ModuleData {
        id: Module::Cp as u32,
        module: Some(Module::Cp),
        version: format.major,
        partial: false,
        damage,
        records: Records::Counters(table),
    });
}

fn warn_of_ranks(table: &CounterTable, log: &mut Log) {
    let nprocs = log.job.nprocs;
    let strange = table
        .ranks
        .iter()
        .filter(|&&rank| rank < -1 || rank >= nprocs);
    let count = strange.count();
    if count > 0 {
        let message = format!(
            "{} of a rank that a job of {nprocs} processes has not",
            counted(count as u64, "record")
        );
        log.warnings
            .push(Warning::new("rank-out-of-range", message));
    }
}

/// Reads until `buffer` is full or the data ends; how many bytes there were.
fn fill(bytes: &mut impl Read, buffer: &mut [u8]) -> io::Result<usize> {
    let mut got = 0;
    while got < buffer.len() {
        match bytes.read(&mut buffer[got..]) {
            Ok(0) => break,
            Ok(more) => got += more,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(got)
}

#[cfg(test)]
mod tests;
