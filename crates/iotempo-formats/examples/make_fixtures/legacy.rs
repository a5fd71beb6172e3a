//! Logs of Darshan 1.x and 2.x, which knew no modules.

use super::heat3d::Run;
use flate2::write::GzEncoder;
use iotempo_formats::darshan::writer::CounterRecord;
use iotempo_formats::darshan::{JobRecord, Layout, Module};
use std::collections::BTreeMap;
use std::io::Write;

const MAGIC: i64 = 6_567_223;

/// A version of the format.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Version {
    name: &'static str,
    /// The numbers of the job.
    job: JobLayout,
    metadata: usize,
    /// Job, metadata and text together.
    job_record: usize,
    big_endian: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum JobLayout {
    /// 32-bit numbers, and counters that are missing.
    One,
    Two,
}

/// Version 2.06, of Darshan 2.3.1.
pub(crate) const LATEST: Version = Version {
    name: "2.06",
    job: JobLayout::Two,
    metadata: 1024,
    job_record: 4096,
    big_endian: false,
};

/// Version 2.02, of Darshan 2.2.
pub(crate) const BIG_ENDIAN: Version = Version {
    name: "2.02",
    metadata: 64,
    job_record: 1024,
    big_endian: true,
    ..LATEST
};

/// Version 1.24, the last before 2.0; always big-endian.
pub(crate) const FIRST: Version = Version {
    name: "1.24",
    job: JobLayout::One,
    metadata: 0,
    ..BIG_ENDIAN
};

impl Version {
    /// The log of a run, before compression.
    pub(crate) fn log(self, run: &Run) -> Vec<u8> {
        let mut log = self.job(&run.job);
        let mut files: BTreeMap<(Option<String>, i64), Vec<CounterRecord>> = BTreeMap::new();
        for record in run.runtime.counters() {
            let key = (record.name.clone(), record.rank);
            files.entry(key).or_default().push(record);
        }
        for ((name, rank), records) in files {
            log.extend(self.file(&name.unwrap_or_default(), rank, &records));
        }
        log
    }

    fn i64(self, value: i64) -> [u8; 8] {
        if self.big_endian {
            value.to_be_bytes()
        } else {
            value.to_le_bytes()
        }
    }

    fn job(self, job: &JobRecord) -> Vec<u8> {
        let mut bytes = self.name.as_bytes().to_vec();
        bytes.resize(8, 0);
        if self.job == JobLayout::One {
            let numbers = [0, job.uid, job.start_s, job.end_s, job.nprocs];
            bytes.extend(numbers.iter().flat_map(|&n| (n as i32).to_be_bytes()));
        } else {
            let numbers = [
                MAGIC,
                job.uid,
                job.start_s,
                job.end_s,
                job.nprocs,
                job.jobid,
            ];
            bytes.extend(numbers.iter().flat_map(|&n| self.i64(n)));
        }
        let text_at = bytes.len() + self.metadata;
        if self.metadata > 0 {
            bytes.extend(b"lib_ver=2.3.1\n");
        }
        bytes.resize(text_at, 0);
        bytes.extend(format!("{}\n", job.exe).bytes());
        for (device, mount) in job.mounts.iter().enumerate() {
            bytes.extend(format!("{device}\t{}\t{}\n", mount.fs_type, mount.point).bytes());
        }
        bytes.resize(self.job_record, 0);
        bytes
    }

    /// One record for all layers of a file.
    fn file(self, name: &str, rank: i64, records: &[CounterRecord]) -> Vec<u8> {
        let id = records.first().map_or(0, |record| record.id);
        let mut bytes = self.i64(id as i64).to_vec();
        // Only the end of a name is kept, with its NUL.
        let suffix = |len: usize| {
            let mut field = name.as_bytes()[name.len().saturating_sub(len - 1)..].to_vec();
            field.resize(len, 0);
            field
        };
        if self.job == JobLayout::One {
            bytes.extend((rank as i32).to_be_bytes());
            bytes.resize(16, 0);
            bytes.extend(self.counters(records));
            bytes.extend(suffix(12));
            bytes.extend([0; 4]);
        } else {
            bytes.extend(self.i64(rank));
            bytes.extend(suffix(16));
            bytes.extend(self.counters(records));
        }
        bytes
    }

    fn counters(self, records: &[CounterRecord]) -> Vec<u8> {
        let layout = Layout::latest(Module::Cp).expect("a layout");
        let known = |name: &&String| self.job == JobLayout::Two || !name.contains("_RANK");
        let ints = layout.ints.iter().filter(known);
        let floats = layout.floats.iter().filter(known);
        ints.map(|name| self.i64(int(records, &name["CP_".len()..])))
            .chain(floats.map(|name| {
                let value = float(records, &name["CP_F_".len()..]);
                self.i64(value.to_bits() as i64)
            }))
            .flatten()
            .collect()
    }
}

fn int(records: &[CounterRecord], name: &str) -> i64 {
    let find = |name: &str| {
        records
            .iter()
            .find_map(|record| record.int(name))
            .unwrap_or(0)
    };
    match name {
        "POSIX_FREADS" => find("STDIO_READS"),
        "POSIX_FWRITES" => find("STDIO_WRITES"),
        "POSIX_FOPENS" => find("STDIO_OPENS"),
        _ if name.starts_with("POSIX_") => find(name).max(0),
        _ => ["POSIX_", "STDIO_", "MPIIO_"]
            .iter()
            .map(|layer| find(&format!("{layer}{name}")))
            .find(|&value| value != 0)
            .unwrap_or(0),
    }
}

fn float(records: &[CounterRecord], name: &str) -> f64 {
    let find = |name: &str| {
        let value = |record: &CounterRecord| record.float_value(name);
        records.iter().find_map(value).unwrap_or(0.0)
    };
    let posix_else_stdio = |name: &str| match find(&format!("POSIX_F_{name}")) {
        0.0 => find(&format!("STDIO_F_{name}")),
        value => value,
    };
    match name.split_once('_') {
        Some(("POSIX", rest)) => posix_else_stdio(rest),
        Some(("MPI", rest)) => find(&format!("MPIIO_F_{rest}")),
        Some(("OPEN", _)) => posix_else_stdio("OPEN_START_TIMESTAMP"),
        Some(("CLOSE", _)) => posix_else_stdio("CLOSE_END_TIMESTAMP"),
        _ => posix_else_stdio(name),
    }
}

/// As Darshan 2.x compressed its logs: as a whole.
pub(crate) fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), flate2::Compression::default());
    encoder.write_all(bytes).expect("in memory");
    encoder.finish().expect("in memory")
}
