//! What logs counted of each file, whatever version they have.
#![allow(clippy::unwrap_used)]

use iotempo_formats::darshan::writer::{CounterRecord, LogWriter, WriteError};
use iotempo_formats::darshan::{ByteOrder, CountedLog, JobRecord, LogVersion, Module};
use iotempo_formats::{Input, ReadOptions};
use iotempo_model::{Api, FileCounters, OpCounters, Rank, Seconds, SizeCount};

fn log(version: LogVersion) -> LogWriter {
    LogWriter::new(version).job(JobRecord {
        nprocs: 8,
        ..JobRecord::default()
    })
}

fn counted(bytes: Vec<u8>) -> (Vec<FileCounters>, Vec<String>) {
    let mut log = CountedLog::open(Input::bytes(bytes), &ReadOptions::default()).unwrap();
    let mut files = Vec::new();
    log.each_file(|file| files.push(file.clone()));
    assert_eq!(log.records(), files.len() as u64);
    let codes = log
        .warnings()
        .iter()
        .map(|warning| warning.code.to_string())
        .collect();
    (files, codes)
}

fn posix() -> CounterRecord {
    CounterRecord::new(Module::Posix, "/f")
        .rank(3)
        .counter("POSIX_WRITES", 6)
        .counter("POSIX_BYTES_WRITTEN", 6 << 20)
        .counter("POSIX_CONSEC_WRITES", 4)
        .counter("POSIX_SEQ_WRITES", 5)
        .counter("POSIX_SIZE_WRITE_100K_1M", 6)
        .counter("POSIX_ACCESS1_ACCESS", 1 << 20)
        .counter("POSIX_ACCESS1_COUNT", 6)
        .float("POSIX_F_WRITE_START_TIMESTAMP", 0.5)
        .float("POSIX_F_WRITE_END_TIMESTAMP", 2.5)
        .float("POSIX_F_WRITE_TIME", 1.25)
}

#[test]
fn every_version_counts_the_same() {
    for version in LogVersion::ALL {
        for order in [ByteOrder::Little, ByteOrder::Big] {
            let bytes = log(version).byte_order(order).record(posix()).finish();
            let (files, _) = counted(bytes.unwrap());
            let [file] = &files[..] else {
                panic!("{files:?}")
            };
            let mut sizes = [0; 10];
            sizes[4] = 6;
            let write = OpCounters {
                requests: 6,
                bytes: 6 << 20,
                consecutive: 4,
                sequential: 5,
                collective: 0,
                start: Seconds::new(0.5),
                end: Seconds::new(2.5),
                time_s: 1.25,
                sizes,
            };
            assert_eq!(file.write, write, "{version:?}");
            assert_eq!(file.read, OpCounters::default());
            assert_eq!(
                (file.api, file.rank, file.processes),
                (Api::Posix, Some(Rank(3)), Some(8))
            );
            // Darshan 3.2.0 wrote wrong sizes.
            let size = SizeCount {
                size: 1 << 20,
                count: 6,
            };
            let known = match version {
                LogVersion::V320 => SizeCount::default(),
                _ => size,
            };
            assert_eq!(file.frequent[0], known, "{version:?}");
            assert_eq!((file.bytes_variance, file.partial), (None, false));
        }
    }
}

#[test]
fn metadata_opens_and_closes_are_counted_in_every_version() {
    let modules = [
        (Module::Posix, "POSIX"),
        (Module::MpiIo, "MPIIO"),
        (Module::Stdio, "STDIO"),
    ];
    for version in LogVersion::ALL {
        for (module, prefix) in modules {
            for (rank, slowest) in [(2, None), (-1, Some(0.5))] {
                // Before there were two stamps of an open, there was one.
                let named = |open: &str, close: &str| {
                    let record = CounterRecord::new(module, "/f")
                        .rank(rank)
                        .float(format!("{prefix}_F_META_TIME"), 0.75)
                        .float(format!("{prefix}_F_SLOWEST_RANK_TIME"), 0.5)
                        .float(format!("{prefix}_F_{open}_TIMESTAMP"), 0.25)
                        .float(format!("{prefix}_F_{close}_TIMESTAMP"), 3.5);
                    log(version).record(record).finish()
                };
                let bytes = named("OPEN_START", "CLOSE_END").or_else(|_| named("OPEN", "CLOSE"));
                if matches!(bytes, Err(WriteError::NoSuchModule { .. })) {
                    assert_eq!((version, module), (LogVersion::V300, Module::Stdio));
                    continue;
                }
                let (files, _) = counted(bytes.unwrap());
                let place = format!("{version:?} {prefix} {rank}");
                let [file] = &files[..] else {
                    panic!("{place}: {files:?}")
                };
                assert_eq!(file.meta_time_s, Some(0.75), "{place}");
                assert_eq!(file.slowest_time_s, slowest, "{place}");
                assert_eq!(file.opened, Seconds::new(0.25), "{place}");
                assert_eq!(file.closed, Seconds::new(3.5), "{place}");
            }
        }
    }
}

#[test]
fn what_a_log_does_not_say_of_metadata_is_none() {
    let record = CounterRecord::new(Module::Posix, "/f")
        .rank(-1)
        .float("POSIX_F_META_TIME", -1.0)
        .float("POSIX_F_OPEN_START_TIMESTAMP", 0.0)
        .float("POSIX_F_CLOSE_END_TIMESTAMP", -1.0)
        .float("POSIX_F_SLOWEST_RANK_TIME", 0.0);
    let (files, codes) = counted(log(LogVersion::V341).record(record).finish().unwrap());
    let file = &files[0];
    assert_eq!((file.meta_time_s, file.slowest_time_s), (None, None));
    assert_eq!((file.opened, file.closed), (None, None));
    assert!(codes.is_empty(), "{codes:?}");
}

#[test]
fn requests_of_mpi_io_are_of_four_kinds_and_two_are_collective() {
    let mut record = CounterRecord::new(Module::MpiIo, "/f").rank(-1);
    for (kind, count) in [("INDEP", 1), ("COLL", 20), ("SPLIT", 300), ("NB", 4000)] {
        record.set(format!("MPIIO_{kind}_READS"), count);
    }
    let record = record
        .counter("MPIIO_BYTES_READ", 77)
        .float("MPIIO_F_VARIANCE_RANK_BYTES", 9.0);
    let (files, _) = counted(
        log(LogVersion::V341)
            .record(record)
            .partial(Module::MpiIo)
            .finish()
            .unwrap(),
    );
    let [file] = &files[..] else {
        panic!("{files:?}")
    };
    assert_eq!(
        (file.api, file.rank, file.partial),
        (Api::MpiIo, None, true)
    );
    assert_eq!((file.read.requests, file.read.collective), (4321, 320));
    assert_eq!((file.read.bytes, file.bytes_variance), (77, Some(9.0)));
    assert_eq!((file.read.start, file.read.end), (None, None));
}

#[test]
fn layers_beside_posix_are_counted_too() {
    let records = [
        CounterRecord::new(Module::Stdio, "/s").counter("STDIO_WRITES", 1),
        CounterRecord::new(Module::Dfs, "/d")
            .counter("DFS_READS", 1)
            .counter("DFS_READXS", 2)
            .counter("DFS_NB_READS", 4),
    ];
    let (files, _) = counted(log(LogVersion::V341).records(records).finish().unwrap());
    let told: Vec<_> = files
        .iter()
        .map(|f| (f.api, f.read.requests, f.write.requests))
        .collect();
    assert_eq!(told, [(Api::Stdio, 0, 1), (Api::Dfs, 7, 0)]);
}

#[test]
fn what_cannot_be_is_repaired_and_told() {
    let record = CounterRecord::new(Module::Posix, "/f")
        .rank(9)
        .counter("POSIX_READS", -5)
        .counter("POSIX_BYTES_READ", -22_238)
        .float("POSIX_F_READ_TIME", -0.001)
        .float("POSIX_F_WRITE_TIME", f64::INFINITY)
        .float("POSIX_F_READ_START_TIMESTAMP", -1.0)
        .float("POSIX_F_READ_END_TIMESTAMP", f64::NAN);
    let (files, codes) = counted(log(LogVersion::V341).record(record).finish().unwrap());
    assert_eq!(files[0].read, OpCounters::default());
    assert_eq!(files[0].write.time_s, 0.0);
    let told = [
        "negative-timers",
        "negative-counts",
        "not-a-number",
        "odd-ranks",
    ];
    assert_eq!(codes, told);
}

#[test]
fn logs_before_3_00_count_posix_and_start_at_their_first_stamp() {
    let log = include_bytes!("../../../testdata/small/legacy.darshan.gz");
    let (files, _) = counted(log.to_vec());
    let sum = |of: fn(&FileCounters) -> u64| files.iter().map(of).sum::<u64>();
    // A file of 223 bytes, 256 MiB of a mesh, ten checkpoints of 1 GiB with their headings, a log.
    assert!(sum(|file| file.read.bytes) >= 256 << 20);
    assert!(sum(|file| file.write.bytes) >= 10 << 30);
    assert!(files.iter().all(|file| file.api == Api::Posix));
    let starts = files
        .iter()
        .filter_map(|file| file.read.start.or(file.write.start));
    assert!(
        starts
            .map(Seconds::get)
            .all(|start| (0.0..600.0).contains(&start))
    );
}
