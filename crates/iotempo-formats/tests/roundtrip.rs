//! What the Darshan writer writes, the reader reads back.
#![allow(clippy::unwrap_used)]

#[path = "support/random_log.rs"]
mod random_log;
#[path = "support/rng.rs"]
mod rng;
#[path = "support/upgrade.rs"]
mod upgrade;

use iotempo_formats::Limits;
use iotempo_formats::darshan::writer::{CounterRecord, DxtRun};
use iotempo_formats::darshan::writer::{LogWriter, WriteError, record_id};
use iotempo_formats::darshan::{
    ByteOrder, Compression, CounterTable, DxtTable, HeatmapRecord, JobRecord, Log, LogVersion,
    Module, ModuleData, Mount, Records, Segment,
};
use random_log::{Row, Rows, module_versions};
use rng::Rng;
use std::io::Cursor;

fn read(bytes: Vec<u8>) -> Log {
    Log::read(Cursor::new(bytes), &Limits::default()).unwrap()
}

fn written_and_read(writer: &LogWriter) -> Log {
    read(writer.finish().unwrap())
}

/// Byte order, compression and streams in all their combinations.
fn all_formats(version: LogVersion) -> Vec<LogWriter> {
    let mut writers = Vec::new();
    for order in [ByteOrder::Little, ByteOrder::Big] {
        for compression in Compression::ALL {
            let writer = LogWriter::new(version)
                .byte_order(order)
                .compression(compression);
            writers.extend([writer.clone().one_stream_per_region(), writer]);
        }
    }
    writers
}

fn job() -> JobRecord {
    JobRecord {
        uid: 1000,
        start_s: 1_700_000_000,
        end_s: 1_700_000_480,
        nprocs: 5,
        jobid: 4711,
        exe: "/home/user/bin/heat3d --steps 2000".to_owned(),
        metadata: vec![
            ("lib_ver".to_owned(), "3.4.5".to_owned()),
            (
                "h".to_owned(),
                "romio_no_indep_rw=true;cb_nodes=4".to_owned(),
            ),
        ],
        mounts: vec![mount("lustre", "/scratch"), mount("xfs", "/")],
        ..JobRecord::default()
    }
}

fn mount(fs_type: &str, point: &str) -> Mount {
    Mount {
        fs_type: fs_type.to_owned(),
        point: point.to_owned(),
        device: None,
    }
}

#[test]
fn every_module_version_in_every_format_reads_back_as_it_was_written() {
    let mut logs = 0;
    for version in LogVersion::ALL {
        let versions = module_versions(version)
            .iter()
            .map(|(_, versions)| versions.len());
        for round in 0..versions.max().unwrap() {
            for writer in all_formats(version) {
                logs += 1;
                random_log_reads_back(version, writer.job(job()), round, logs);
            }
        }
    }
    assert_eq!(logs, (1 + 3 + 1 + 2 + 2) * 12);
}

/// All modules that the log version carries, each in its version number `round`.
fn random_log_reads_back(version: LogVersion, mut writer: LogWriter, round: usize, seed: u64) {
    let mut rng = Rng::new(seed);
    let mut expected = Vec::new();
    for &(module, versions) in module_versions(version) {
        let module_version = versions[round % versions.len()];
        let rows = Rows::random(&mut rng, module, module_version);
        writer = writer
            .module_version(module, module_version)
            .records(rows.records(module));
        if !rows.records(module).is_empty() {
            expected.push((module, module_version, rows));
        }
    }
    let log = written_and_read(&writer);
    assert_eq!(log.version, version.name());
    assert_eq!(log.modules.len(), expected.len());
    for (data, (module, version, rows)) in log.modules.iter().zip(&expected) {
        assert_eq!((data.module, data.version), (Some(*module), *version));
        assert_eq!(data.damage, None, "{module} {version}, seed {seed}");
        assert!(!data.partial);
        assert_same(data, *module, *version, rows);
    }
}

fn assert_same(data: &ModuleData, module: Module, version: u32, expected: &Rows) {
    match (&data.records, expected) {
        (Records::Counters(table), Rows::Counters(rows)) => {
            assert_same_counters(table, module, version, rows);
        }
        (Records::Apmpi(apmpi), Rows::Apmpi(header, rows)) => {
            assert_eq!(apmpi.header.as_ref(), Some(header));
            assert_same_counters(&apmpi.table, module, version, rows);
            let nodes: Vec<_> = rows.iter().map(|row| row.node.clone()).collect();
            assert_eq!(apmpi.nodes, nodes);
        }
        (Records::Apxc(apxc), Rows::Apxc(header, rows)) => {
            assert_eq!(apxc.header.as_ref(), Some(header));
            assert_same_counters(&apxc.table, module, version, rows);
            let places: Vec<_> = rows.iter().map(|row| row.place).collect();
            assert_eq!(apxc.places, places);
        }
        (Records::Dxt(table), Rows::Dxt(runs)) => assert_same_dxt(table, runs, version, module),
        (Records::Heatmap(records), Rows::Heatmap(rows)) => assert_eq!(records, rows),
        (Records::Lustre(records), Rows::Lustre(rows)) => assert_eq!(records, rows),
        (Records::Mdhim(records), Rows::Mdhim(rows)) => {
            assert_eq!(bits_of(records), bits_of(rows));
        }
        (records, _) => panic!("{module} was read as {records:?}"),
    }
}

/// Debug output tells NaN from nothing and is the same for the same bits of every other number.
fn bits_of(value: &impl std::fmt::Debug) -> String {
    format!("{value:?}")
}

fn assert_same_counters(table: &CounterTable, module: Module, version: u32, rows: &[Row]) {
    let context = format!("{module} version {version}");
    assert_eq!(table.len(), rows.len(), "{context}");
    for (at, row) in rows.iter().enumerate() {
        assert_eq!(
            (table.ids[at], table.ranks[at]),
            (row.id, row.rank),
            "{context}"
        );
        for (name, &value) in table.layout.ints.iter().zip(table.ints_of(at)) {
            assert_eq!(value, upgrade::int(row, module, name), "{context}: {name}");
        }
        for (name, &value) in table.layout.floats.iter().zip(table.floats_of(at)) {
            let expected = upgrade::float(row, module, name);
            assert_eq!(value.to_bits(), expected.to_bits(), "{context}: {name}");
        }
    }
    assert_same_extras(table, module, version, rows);
}

fn assert_same_extras(table: &CounterTable, module: Module, version: u32, rows: &[Row]) {
    let file_ids: Vec<u64> = match (module, version) {
        (Module::H5d, 1) => vec![0; rows.len()],
        (Module::H5d | Module::PnetcdfVar, _) => rows.iter().map(|row| row.file_id).collect(),
        _ => Vec::new(),
    };
    assert_eq!(table.file_ids, file_ids);
    for (object, row) in table.objects.iter().zip(rows) {
        let mut expected = row.object;
        if module == Module::Dfs {
            expected.oid = (0, 0);
        }
        assert_eq!(*object, expected);
    }
    let objects = if matches!(module, Module::Dfs | Module::Daos) {
        rows.len()
    } else {
        0
    };
    assert_eq!(table.objects.len(), objects);
}

fn assert_same_dxt(table: &DxtTable, runs: &[DxtRun], version: u32, module: Module) {
    assert_eq!(table.records.len(), runs.len());
    for (record, run) in table.records.iter().zip(runs) {
        let counts = (run.writes.len() as u64, run.reads.len() as u64);
        assert_eq!((record.id, record.rank), (run.id, run.rank));
        assert_eq!((record.writes, record.reads), counts);
        assert_eq!(record.hostname, run.hostname);
        for (at, segment) in (record.first..).zip(run.writes.iter().chain(&run.reads)) {
            let offset_known = (module, version) != (Module::DxtMpiio, 1);
            let expected = Segment {
                offset: if offset_known { segment.offset } else { -1 },
                ..*segment
            };
            assert_eq!(bits_of(&segment_at(table, at)), bits_of(&expected));
        }
    }
}

fn segment_at(table: &DxtTable, at: usize) -> Segment {
    Segment {
        offset: table.offsets[at],
        length: table.lengths[at],
        start: table.starts[at],
        end: table.ends[at],
        thread: table.threads.get(at).copied(),
    }
}

#[test]
fn the_job_reads_back_with_its_mounts_and_metadata() {
    for version in LogVersion::ALL {
        for writer in all_formats(version) {
            let job = JobRecord {
                start_ns: if version < LogVersion::V341 {
                    0
                } else {
                    123_456_789
                },
                end_ns: if version < LogVersion::V341 {
                    0
                } else {
                    987_654_321
                },
                ..job()
            };
            let mut read = written_and_read(&writer.job(job.clone())).job;
            let run_time = if version < LogVersion::V341 {
                481.0
            } else {
                480.864_197_532
            };
            assert!(
                (read.run_time_s - run_time).abs() < 1e-6,
                "{}",
                read.run_time_s
            );
            read.run_time_s = 0.0;
            assert_eq!(read, job);
        }
    }
}

#[test]
fn a_log_without_modules_and_names_is_read() {
    for version in LogVersion::ALL {
        for writer in all_formats(version) {
            let log = written_and_read(&writer);
            assert!(log.modules.is_empty() && log.names.is_empty() && log.warnings.len() < 2);
            assert_eq!(log.job.exe, "");
        }
    }
}

#[test]
fn empty_and_repeated_names_follow_darshans_rules() {
    for version in LogVersion::ALL {
        for writer in all_formats(version) {
            let log = written_and_read(
                &writer
                    .name(1, "")
                    .name(2, "/first")
                    .name_by_rank(1, 2, "/second")
                    .name_by_rank(3, 1, "/late")
                    .name_by_rank(3, 3, ""),
            );
            assert_eq!(log.names.get(1), Some("/late"));
            assert_eq!(log.names.get(2), Some("/first"));
            assert_eq!(log.names.get(3), Some(""));
            assert_eq!(log.names.duplicates, 2);
            assert_eq!(
                log.warnings
                    .iter()
                    .filter(|w| w.code != "darshan-3.2.0")
                    .count(),
                0
            );
        }
    }
}

#[test]
fn names_of_any_bytes_and_of_any_length_are_read() {
    let long = "x".repeat(300 << 10);
    for version in LogVersion::ALL {
        for writer in all_formats(version) {
            let writer = writer
                .name(1, b"/a\xffb".to_vec())
                .name(2, long.as_str())
                .name(3, "/c");
            let names = written_and_read(&writer).names;
            assert_eq!(names.get(1), Some("/a\u{fffd}b"));
            assert_eq!(names.get(2).map(str::len), Some(long.len()));
            assert_eq!(names.get(3), Some("/c"));
        }
    }
}

#[test]
fn a_command_line_that_filled_its_space_has_no_mounts() {
    for version in LogVersion::ALL {
        for writer in all_formats(version) {
            let exe = format!("{}<TRUNCATED>", "/bin/app ".repeat(300));
            let log = written_and_read(&writer.job(job()).job_text(exe.as_str()));
            assert_eq!(log.job.exe, exe);
            assert!(log.job.mounts.is_empty());
        }
    }
}

#[test]
fn a_full_metadata_field_is_kept_and_an_overfull_one_refused() {
    let value = |len: usize| JobRecord {
        metadata: vec![("k".to_owned(), "v".repeat(len))],
        ..job()
    };
    let writer = LogWriter::new(LogVersion::V341);
    let log = written_and_read(&writer.clone().job(value(1021)));
    assert_eq!(log.job.metadata, value(1021).metadata);
    let error = writer.job(value(1022)).finish().unwrap_err();
    assert_eq!(
        error.to_string(),
        "the job's metadata takes 1025 bytes, and its field has 1024"
    );
}

#[test]
fn heatmaps_without_bins_are_read() {
    let record = |rank| HeatmapRecord {
        id: record_id("heatmap:POSIX"),
        rank,
        bin_width_s: 0.1,
        writes: Vec::new(),
        reads: Vec::new(),
    };
    let log = written_and_read(&LogWriter::new(LogVersion::V341).records([record(0), record(1)]));
    let Records::Heatmap(records) = &log.module(Module::Heatmap).unwrap().records else {
        panic!("not a heatmap");
    };
    assert_eq!(*records, [record(0), record(1)]);
}

#[test]
fn partial_modules_are_known_even_where_nothing_of_them_is_left() {
    for version in LogVersion::ALL {
        for writer in all_formats(version) {
            let record = CounterRecord::new(Module::Posix, "/a");
            let log = written_and_read(
                &writer
                    .record(record)
                    .partial(Module::Posix)
                    .partial(Module::MpiIo),
            );
            assert!(log.module(Module::Posix).unwrap().partial);
            let partial: Vec<_> = log
                .warnings
                .iter()
                .filter(|w| w.code == "partial")
                .collect();
            assert_eq!(partial.len(), 2, "{partial:?}");
        }
    }
}

#[test]
fn a_module_of_a_newer_darshan_is_named_and_the_rest_is_read() {
    let writer = LogWriter::new(LogVersion::V341)
        .record(CounterRecord::new(Module::Posix, "/a"))
        .raw(40, 7, b"whatever".to_vec());
    let log = written_and_read(&writer);
    assert_eq!(log.counters(Module::Posix).unwrap().len(), 1);
    let unknown = &log.modules[1];
    assert_eq!((unknown.id, unknown.version), (40, 7));
    assert!(
        unknown
            .damage
            .as_ref()
            .unwrap()
            .message
            .contains("module 40 is unknown")
    );
}

#[test]
fn what_a_version_cannot_hold_is_refused_in_words() {
    let refusal = |writer: LogWriter| writer.finish().unwrap_err().to_string();
    let posix = || CounterRecord::new(Module::Posix, "/a");
    assert_eq!(
        refusal(LogWriter::new(LogVersion::V341).record(posix().counter("POSIX_FOPENS", 1))),
        "version 4 of POSIX has no counter POSIX_FOPENS"
    );
    assert_eq!(
        refusal(LogWriter::new(LogVersion::V310).record(CounterRecord::new(Module::H5d, "/a"))),
        "a log of version 3.10 does not carry H5D"
    );
    assert_eq!(
        refusal(
            LogWriter::new(LogVersion::V341)
                .module_version(Module::Posix, 9)
                .record(posix())
        ),
        "POSIX has no version 9 that can be written"
    );
    let mut room = [0; 100];
    let full = LogWriter::new(LogVersion::V341).write_to(Cursor::new(room.as_mut_slice()));
    assert!(matches!(full, Err(WriteError::Io(_))));
}

#[test]
fn records_and_names_of_a_rank_share_a_stream_unless_told_otherwise() {
    let writer = LogWriter::new(LogVersion::V341)
        .compression(Compression::Zlib)
        .records([
            CounterRecord::new(Module::Posix, "/b").rank(2),
            CounterRecord::new(Module::Posix, "/shared").rank(-1),
            CounterRecord::new(Module::Posix, "/a"),
        ]);
    let streams = |bytes: &[u8]| bytes.windows(2).filter(|w| w == b"\x78\x9c").count();
    let per_rank = writer.finish().unwrap();
    let one = writer.one_stream_per_region().finish().unwrap();
    // Job; names by ranks 0 and 2; records by ranks 0 and 2.
    assert_eq!((streams(&per_rank), streams(&one)), (5, 3));
    let log = read(per_rank);
    assert_eq!(log.counters(Module::Posix).unwrap().ranks, [0, -1, 2]);
}
