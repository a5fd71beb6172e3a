#![allow(clippy::unwrap_used)]

use super::*;

/// A log that is written field by field.
struct Written {
    version: &'static str,
    big_endian: bool,
    job: Vec<u8>,
    records: Vec<u8>,
}

/// Integer and floating-point counters of each version, in the order of `VERSIONS`.
const COUNTERS: [(&str, usize, usize); 11] = [
    ("1.21", 133, 12),
    ("1.22", 138, 14),
    ("1.23", 140, 14),
    ("1.24", 140, 14),
    ("2.00", 144, 18),
    ("2.01", 144, 18),
    ("2.02", 144, 18),
    ("2.03", 144, 18),
    ("2.04", 144, 18),
    ("2.05", 144, 18),
    ("2.06", 144, 18),
];

impl Written {
    fn new(version: &'static str, big_endian: bool) -> Self {
        let mut log = Self {
            version,
            big_endian,
            job: Vec::new(),
            records: Vec::new(),
        };
        log.job = format!("{version}\0\0\0\0").into_bytes();
        let (fields, region) = match version {
            "2.00" => (56, 1024),
            "2.01" | "2.02" | "2.03" => (120, 1024),
            "2.04" | "2.05" | "2.06" => (1080, 4096),
            _ => (28, 1024),
        };
        if log.is_1_x() {
            log.job.extend([0; 4]);
            for value in [1000, 1_279_286_780, 1_279_286_790, 4] {
                log.job.extend(i32::to_be_bytes(value));
            }
        } else {
            for value in [MAGIC, 1000, 1_279_286_780, 1_279_286_790, 4, 77] {
                let bytes = log.number(value);
                log.job.extend(bytes);
            }
        }
        if fields > 56 {
            log.job.extend(b"lib_ver=2.2\nh=a=b\n");
        }
        log.job.resize(fields, 0);
        log.job
            .extend(b"./app -x\n64\tnfs\t/home\n-7\tgpfs\t/a b\n");
        log.job.resize(region, 0);
        log
    }

    fn is_1_x(&self) -> bool {
        self.version.starts_with('1')
    }

    fn number(&self, value: i64) -> [u8; 8] {
        if self.big_endian {
            value.to_be_bytes()
        } else {
            value.to_le_bytes()
        }
    }

    /// A record whose counters are 1, 2, 3, … and then 0.5, 1.5, 2.5, …
    fn record(mut self, id: i64, rank: i64, suffix: &[u8]) -> Self {
        let (_, ints, floats) =
            COUNTERS[COUNTERS.iter().position(|c| c.0 == self.version).unwrap()];
        let mut record = self.number(id).to_vec();
        if self.is_1_x() {
            record.extend(i32::try_from(rank).unwrap().to_be_bytes());
            record.extend([0; 4]);
        } else {
            record.extend(self.number(rank));
            record.extend(suffix);
            record.resize(32, 0);
        }
        for value in 1..=ints {
            record.extend(self.number(value as i64));
        }
        for value in 0..floats {
            record.extend(self.number((value as f64 + 0.5).to_bits() as i64));
        }
        if self.is_1_x() {
            let end = record.len() + 16;
            record.extend(suffix);
            record.resize(end, 0);
        }
        self.records.extend(record);
        self
    }

    fn bytes(&self) -> Vec<u8> {
        [&self.job[..], &self.records[..]].concat()
    }

    fn read(&self) -> Log {
        read_legacy(&self.bytes()[..], &Limits::default()).unwrap()
    }
}

use crate::darshan::MAGIC;

fn table(log: &Log) -> &CounterTable {
    log.counters(Module::Cp).unwrap()
}

fn int(log: &Log, record: usize, name: &str) -> i64 {
    table(log).ints_of(record)[table(log).layout.int(name).unwrap()]
}

fn float(log: &Log, record: usize, name: &str) -> f64 {
    table(log).floats_of(record)[table(log).layout.float(name).unwrap()]
}

#[test]
fn every_version_is_read_in_its_byte_orders() {
    for (version, ints, floats) in COUNTERS {
        for big_endian in [true, false] {
            if version.starts_with('1') && !big_endian {
                continue;
            }
            let log = Written::new(version, big_endian)
                .record(5, -1, b"/b.dat")
                .record(-6, 3, b"/c.dat")
                .read();
            assert_eq!(
                (log.version.as_str(), log.big_endian),
                (version, big_endian)
            );
            assert_eq!(table(&log).ids, [5, 6_u64.wrapping_neg()], "{version}");
            assert_eq!(table(&log).ranks, [-1, 3]);
            assert_eq!(log.names.get(5), Some(".../b.dat"));
            assert_eq!(int(&log, 1, "CP_INDEP_OPENS"), 1);
            assert_eq!(
                table(&log)
                    .ints_of(0)
                    .iter()
                    .filter(|value| **value > 0)
                    .count(),
                ints
            );
            assert_eq!(
                table(&log)
                    .floats_of(0)
                    .iter()
                    .filter(|value| **value > 0.0)
                    .count(),
                floats
            );
            assert_eq!(log.modules[0].damage, None);
            assert!(log.warnings.is_empty());
        }
    }
}

#[test]
fn counters_that_a_version_did_not_have_are_0_and_the_others_keep_their_order() {
    let log = Written::new("1.21", true).record(5, -1, b"x").read();
    assert_eq!(int(&log, 0, "CP_POSIX_FDSYNCS"), 23);
    assert_eq!(int(&log, 0, "CP_INDEP_NC_OPENS"), 0);
    assert_eq!(int(&log, 0, "CP_COMBINER_NAMED"), 24);
    assert_eq!(int(&log, 0, "CP_MAX_READ_TIME_SIZE"), 0);
    assert_eq!(int(&log, 0, "CP_ACCESS4_COUNT"), 133);
    assert_eq!(int(&log, 0, "CP_DEVICE"), 0);
    assert_eq!(float(&log, 0, "CP_F_MPI_WRITE_TIME"), 11.5);
    assert_eq!(float(&log, 0, "CP_F_MAX_READ_TIME"), 0.0);
    let log = Written::new("1.23", true).record(5, -1, b"x").read();
    assert_eq!(int(&log, 0, "CP_SIZE_AT_OPEN"), 140);
    assert_eq!(int(&log, 0, "CP_SLOWEST_RANK"), 0);
    assert_eq!(float(&log, 0, "CP_F_MAX_WRITE_TIME"), 13.5);
}

#[test]
fn the_job_has_its_times_metadata_and_mounts() {
    let log = Written::new("2.02", false).read();
    let job = &log.job;
    assert_eq!((job.uid, job.nprocs, job.jobid), (1000, 4, 77));
    assert_eq!(
        (job.start_s, job.end_s, job.run_time_s),
        (1_279_286_780, 1_279_286_790, 11.0)
    );
    assert_eq!(job.exe, "./app -x");
    assert_eq!(job.metadata[1], ("h".to_owned(), "a=b".to_owned()));
    let mounts: Vec<_> = job
        .mounts
        .iter()
        .map(|m| (m.device, &*m.fs_type, &*m.point))
        .collect();
    assert_eq!(
        mounts,
        [(Some(64), "nfs", "/home"), (Some(-7), "gpfs", "/a b")]
    );
    let log = Written::new("1.24", true).read();
    assert_eq!(
        (log.job.uid, log.job.start_s, log.job.nprocs),
        (1000, 1_279_286_780, 4)
    );
    assert_eq!(log.job.exe, "./app -x");
}

#[test]
fn a_log_that_ends_inside_a_record_keeps_the_records_before() {
    let whole = Written::new("2.05", false)
        .record(5, 0, b"x")
        .record(6, 1, b"y")
        .bytes();
    let log = read_legacy(&whole[..whole.len() - 1], &Limits::default()).unwrap();
    assert_eq!(table(&log).ids, [5]);
    let damage = log.modules[0].damage.as_ref().unwrap();
    assert_eq!(
        (damage.offset, &*damage.message),
        (4096 + 1328, "the data ends inside a file record")
    );
}

#[test]
fn a_log_that_ends_before_its_records_is_an_error() {
    let whole = Written::new("2.05", false).bytes();
    for length in [0, 7, 8, 15, 16, 1079, 4095] {
        let error = read_legacy(&whole[..length], &Limits::default()).unwrap_err();
        assert_eq!(error.section, "job", "{length}: {error}");
    }
    let log = read_legacy(&whole[..4096], &Limits::default()).unwrap();
    assert!(table(&log).is_empty());
}

#[test]
fn versions_that_no_tool_reads_are_refused_by_name() {
    let error = read_legacy(&b"1.4\0\0\0\0\0rest of it"[..], &Limits::default()).unwrap_err();
    assert!(
        error.to_string().contains("version 1.4 cannot be read"),
        "{error}"
    );
    let error = read_legacy(&b"2.06\0\0\0\0no magic"[..], &Limits::default()).unwrap_err();
    assert!(
        error.to_string().contains("not Darshan's magic number"),
        "{error}"
    );
}

#[test]
fn only_version_strings_with_their_padding_are_legacy() {
    assert!(is_legacy(&Written::new("2.06", true).bytes()));
    assert!(is_legacy(&Written::new("1.21", true).bytes()));
    assert!(is_legacy(b"1.4\0\0\0\0\0"));
    assert!(!is_legacy(b"2.06\0\0\0\0no magic"));
    assert!(!is_legacy(b"1.25,2.5\n"));
    assert!(!is_legacy(b"1.5\n"));
    let mut newer = b"3.41\0\0\0\0".to_vec();
    newer.extend(MAGIC.to_le_bytes());
    assert!(!is_legacy(&newer));
}

#[test]
fn ranks_beyond_the_job_are_told() {
    let log = Written::new("2.05", false)
        .record(5, 4, b"x")
        .record(6, -2, b"y")
        .read();
    assert_eq!(log.warnings[0].code, "rank-out-of-range");
    assert!(log.warnings[0].message.starts_with("2 records"));
}

#[test]
fn a_log_that_inflates_beyond_the_limit_is_damaged() {
    let bytes = Written::new("2.00", false)
        .record(5, 0, b"x")
        .record(6, 0, b"y")
        .bytes();
    let limits = Limits {
        decoded: 1024 + 1328,
        ..Limits::default()
    };
    let log = read_legacy(&bytes[..], &limits).unwrap();
    assert_eq!(table(&log).ids, [5]);
    assert!(
        log.modules[0]
            .damage
            .as_ref()
            .unwrap()
            .message
            .contains("2352 bytes")
    );
}

/// The origin of a log with `start` as the job's start and `stamps` of opens.
fn origin(version: &str, start: i64, stamps: &[f64]) -> f64 {
    let mut written = Written::new("2.02", false);
    for _ in stamps {
        written = written.record(5, 0, b"x");
    }
    let mut log = written.read();
    version.clone_into(&mut log.version);
    log.job.start_s = start;
    let Records::Counters(table) = &mut log.modules[0].records else {
        panic!("counters")
    };
    table.floats.fill(0.0);
    for (record, stamp) in stamps.iter().enumerate() {
        table.floats[record * 18] = *stamp;
    }
    legacy_time_origin(&log)
}

#[test]
fn seconds_since_1970_count_from_the_start_of_the_job() {
    assert_eq!(
        origin("2.02", 1_279_286_780, &[1_279_286_781.5, 1_279_286_783.0]),
        1_279_286_780.0
    );
    assert_eq!(
        origin("1.24", 1_279_286_780, &[1_279_286_779.5]),
        1_279_286_779.5
    );
}

#[test]
fn a_machine_s_own_time_counts_from_the_first_stamp() {
    assert_eq!(origin("2.02", 1_355_424_185, &[31.0, 14.75]), 14.75);
    // A Blue Gene whose clock was never set: the job starts 77 s after 1970.
    assert_eq!(origin("1.21", 77, &[0.073]), 0.073);
    assert_eq!(origin("2.02", 77, &[0.0, f64::NAN, -1.0]), 0.0);
}

#[test]
fn stamps_of_later_versions_count_from_the_start_already() {
    assert_eq!(origin("2.05", 1_355_424_185, &[3.0]), 0.0);
    assert_eq!(origin("2.03", 1_355_424_185, &[3.0]), 0.0);
}
