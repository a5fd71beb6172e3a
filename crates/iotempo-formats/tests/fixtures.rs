//! The files of `testdata/` are those that `make_fixtures` writes, and agree with each other.
#![allow(clippy::unwrap_used)]

#[path = "../examples/make_fixtures/fixtures.rs"]
mod fixtures;

use iotempo_formats::darshan::writer::record_id;
use iotempo_formats::darshan::{DxtTable, HeatmapRecord, Log, Module, Records};
use iotempo_formats::{Input, Layer, Limits, ReadOptions, Reading, read_trace};
use iotempo_model::{Seconds, Source, Trace};
use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::path::{Path, PathBuf};

fn testdata() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata")
}

#[test]
fn the_committed_fixtures_are_those_that_make_fixtures_writes() {
    let generated: BTreeMap<PathBuf, Vec<u8>> = fixtures::all()
        .unwrap()
        .into_iter()
        .map(|(name, bytes)| (testdata().join(name), bytes))
        .collect();
    let mut different: BTreeSet<&PathBuf> = BTreeSet::new();
    for (path, bytes) in &generated {
        if std::fs::read(path).ok().as_ref() != Some(bytes) {
            different.insert(path);
        }
    }
    let committed = files_below(&testdata());
    let strays = committed.iter().filter(|path| {
        !generated.contains_key(*path) && path.file_name().is_some_and(|n| n != "README.md")
    });
    different.extend(strays);
    assert!(
        different.is_empty(),
        "run `cargo run -p iotempo-formats --example make_fixtures`: {different:#?}"
    );
}

fn files_below(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files.extend(files_below(&path));
        } else {
            files.push(path);
        }
    }
    files
}

#[test]
fn the_fixtures_stay_small() {
    let size = |path: PathBuf| path.metadata().unwrap().len();
    let total: u64 = files_below(&testdata()).into_iter().map(size).sum();
    assert!(total < 500_000, "{total} bytes");
}

fn read(name: &str) -> Log {
    let file = File::open(testdata().join(name)).unwrap();
    let log = Log::read(file, &Limits::default()).unwrap();
    assert!(log.warnings.is_empty(), "{:?}", log.warnings);
    assert!(log.modules.iter().all(|module| module.damage.is_none()));
    log
}

/// Bytes read and written, as the counters of a layer say.
fn by_counters(log: &Log, module: Module, prefix: &str) -> [i64; 2] {
    let table = log.counters(module).unwrap();
    ["BYTES_READ", "BYTES_WRITTEN"].map(|name| {
        let at = table.layout.int(&format!("{prefix}_{name}")).unwrap();
        (0..table.len()).map(|row| table.ints_of(row)[at]).sum()
    })
}

fn dxt(log: &Log, module: Module) -> &DxtTable {
    match &log.module(module).unwrap().records {
        Records::Dxt(table) => table,
        other => panic!("{other:?}"),
    }
}

/// Bytes read and written, as the segments of a layer say.
fn by_segments(log: &Log, module: Module) -> [i64; 2] {
    let table = dxt(log, module);
    let mut sums = [0, 0];
    for record in &table.records {
        let reads_at = record.first + record.writes as usize;
        let writes = &table.lengths[record.first..reads_at];
        let reads = &table.lengths[reads_at..reads_at + record.reads as usize];
        sums[0] += reads.iter().sum::<i64>();
        sums[1] += writes.iter().sum::<i64>();
    }
    sums
}

fn heatmaps<'a>(log: &'a Log, layer: &str) -> Vec<&'a HeatmapRecord> {
    let Records::Heatmap(records) = &log.module(Module::Heatmap).unwrap().records else {
        panic!("not a heatmap");
    };
    let id = record_id(format!("heatmap:{layer}"));
    records.iter().filter(|record| record.id == id).collect()
}

/// Bytes read and written, as the heatmap of a layer says.
fn by_heatmap(log: &Log, layer: &str) -> [i64; 2] {
    let records = heatmaps(log, layer);
    let sum = |bins: fn(&HeatmapRecord) -> &Vec<i64>| {
        let of_record = |record: &&HeatmapRecord| bins(record).iter().sum::<i64>();
        records.iter().map(of_record).sum()
    };
    [sum(|record| &record.reads), sum(|record| &record.writes)]
}

fn assert_within(one: [i64; 2], other: [i64; 2], tolerance: i64) {
    let close = one
        .iter()
        .zip(other)
        .all(|(a, b)| (a - b).abs() <= tolerance);
    assert!(
        close,
        "{one:?} and {other:?} differ by more than {tolerance}"
    );
}

#[test]
fn counters_segments_and_heatmap_of_the_demo_agree() {
    for (name, ranks) in [("checkpoint.darshan", 64), ("small/checkpoint.darshan", 8)] {
        let log = read(name);
        let gib = 1 << 30;
        for (module, traced, prefix) in [
            (Module::Posix, Module::DxtPosix, "POSIX"),
            (Module::MpiIo, Module::DxtMpiio, "MPIIO"),
        ] {
            let counted = by_counters(&log, module, prefix);
            let expected = [ranks * gib / 32, 10 * (ranks * gib / 8 + 4096)];
            assert_eq!(counted, expected);
            assert_eq!(by_segments(&log, traced), counted);
            // Half a byte for each bin that a request is spread over, of which most have two.
            let requests = dxt(&log, traced).lengths.len() as i64;
            assert_within(by_heatmap(&log, prefix), counted, 2 * requests);
        }
        let stdio = by_counters(&log, Module::Stdio, "STDIO");
        assert_eq!(stdio, [223, 7200]);
        assert_eq!(by_heatmap(&log, "STDIO"), stdio);
    }
}

#[test]
fn stamps_and_histograms_of_the_demo_follow_from_its_segments() {
    let log = read("checkpoint.darshan");
    let table = log.counters(Module::Posix).unwrap();
    let segments = dxt(&log, Module::DxtPosix);
    assert_eq!(table.len(), 11);
    for row in 0..table.len() {
        let float = |name: &str| table.floats_of(row)[table.layout.float(name).unwrap()];
        let int = |name: &str| table.ints_of(row)[table.layout.int(name).unwrap()];
        let of_file = |table: &DxtTable| -> Vec<(usize, usize)> {
            let file = |r: &&iotempo_formats::darshan::DxtRecord| r.id == log_id(&log, row);
            let writes =
                |r: &iotempo_formats::darshan::DxtRecord| (r.first, r.first + r.writes as usize);
            table.records.iter().filter(file).map(writes).collect()
        };
        let runs = of_file(segments);
        assert_eq!(runs.len(), 64);
        let writes = || runs.iter().flat_map(|&(from, to)| from..to);
        let first = writes().map(|at| segments.starts[at]).reduce(f64::min);
        let last = writes().map(|at| segments.ends[at]).reduce(f64::max);
        assert_eq!(float("POSIX_F_WRITE_START_TIMESTAMP"), first.unwrap_or(0.0));
        assert_eq!(float("POSIX_F_WRITE_END_TIMESTAMP"), last.unwrap_or(0.0));
        assert_eq!(int("POSIX_WRITES"), writes().count() as i64);
        let big = writes()
            .filter(|&at| segments.lengths[at] > 10 << 20)
            .count();
        assert_eq!(int("POSIX_SIZE_WRITE_10M_100M"), big as i64);
    }
}

fn log_id(log: &Log, row: usize) -> u64 {
    log.counters(Module::Posix).unwrap().ids[row]
}

#[test]
fn the_demo_names_all_its_files_and_runs_for_eight_minutes() {
    let log = read("checkpoint.darshan");
    assert!(
        (log.job.run_time_s - 480.0).abs() < 10.0,
        "{}",
        log.job.run_time_s
    );
    assert_eq!(log.job.nprocs, 64);
    let names: BTreeSet<&str> = log.names.iter_unsorted().map(|(_, name)| name).collect();
    assert_eq!(names.len(), 11 + 2 + 3, "{names:?}");
    for (id, name) in log.names.iter_unsorted() {
        assert_eq!(id, record_id(name));
    }
}

#[test]
fn variants_hold_less_of_the_same_run() {
    let demo = read("checkpoint.darshan");
    let with_heatmap = read("checkpoint-heatmap.darshan");
    let counters_only = read("checkpoint-counters.darshan");
    let modules =
        |log: &Log| -> Vec<Module> { log.modules.iter().filter_map(|data| data.module).collect() };
    let counters = [Module::Posix, Module::MpiIo, Module::Lustre, Module::Stdio];
    assert_eq!(modules(&counters_only), counters);
    assert_eq!(
        modules(&with_heatmap),
        [&counters[..], &[Module::Heatmap]].concat()
    );
    assert_eq!(
        modules(&read("small/heatmap-only.darshan")),
        [Module::Heatmap]
    );
    assert_eq!(heatmaps(&demo, "MPIIO"), heatmaps(&with_heatmap, "MPIIO"));
    let ints = |log: &Log| log.counters(Module::Posix).unwrap().ints.clone();
    assert_eq!(ints(&demo), ints(&counters_only));
}

fn trace_of(name: &str, options: &ReadOptions) -> (Reading, Trace) {
    let input = Input::file(File::open(testdata().join(name)).unwrap()).unwrap();
    let (reading, trace) = read_trace(input, options).unwrap();
    assert!(!reading.damaged, "{:?}", reading.warnings);
    (reading, trace)
}

fn options(source: Source, layer: Layer) -> ReadOptions {
    ReadOptions {
        source: Some(source),
        layer,
        ..ReadOptions::default()
    }
}

#[test]
fn every_source_of_the_demo_gives_the_same_volume_without_a_warning() {
    let volume = 2147483648.0 + 85899386880.0;
    for (source, layer, bytes) in [
        (Source::Dxt, Layer::Auto, volume),
        (Source::Dxt, Layer::MpiIo, volume),
        (Source::Heatmap, Layer::Auto, volume + 7423.0),
        (Source::Counters, Layer::Auto, volume + 7423.0),
    ] {
        let (reading, trace) = trace_of("checkpoint.darshan", &options(source, layer));
        assert!(reading.warnings.is_empty(), "{:?}", reading.warnings);
        let found = trace.volume().get();
        assert!(
            (found / bytes - 1.0).abs() < 1e-8,
            "{source}: {found}, not {bytes}"
        );
    }
}

/// Start and end in microseconds, and bytes, in order.
fn requests_of(trace: &Trace) -> Vec<(i64, i64, i64)> {
    let micros = |time: Seconds| (time.get() * 1e6).round() as i64;
    let mut requests: Vec<_> = trace
        .iter()
        .map(|r| {
            (
                micros(r.when.start()),
                micros(r.when.end()),
                r.bytes.get().round() as i64,
            )
        })
        .collect();
    requests.sort_unstable();
    requests
}

#[test]
fn the_small_run_is_the_same_in_every_format() {
    let dxt = options(Source::Dxt, Layer::MpiIo);
    let (_, log) = trace_of("small/checkpoint.darshan", &dxt);
    let expected = requests_of(&log);
    assert_eq!(expected.len(), 8 * 11 + 10);
    for name in ["small/requests.csv", "small/tmio.msgpack"] {
        let (reading, trace) = trace_of(name, &ReadOptions::default());
        assert!(
            reading.warnings.is_empty(),
            "{name}: {:?}",
            reading.warnings
        );
        assert_eq!(requests_of(&trace), expected, "{name}");
    }
    // TMIO writes rates and rounded times as text: bytes come back with a small error.
    let (_, lines) = trace_of("small/tmio.jsonl", &ReadOptions::default());
    for (one, other) in requests_of(&lines).iter().zip(&expected) {
        assert!((one.0 - other.0).abs() <= 1 && (one.1 - other.1).abs() <= 1);
        assert!(
            (one.2 - other.2).abs() as f64 <= 1e-3 * other.2 as f64,
            "{one:?} {other:?}"
        );
    }
    let (_, legacy) = trace_of("small/legacy.darshan.gz", &ReadOptions::default());
    let stdio = 7423.0;
    assert_eq!(legacy.volume().get(), log.volume().get() + stdio);
}

#[test]
fn a_heatmap_alone_says_what_it_can() {
    let (reading, trace) = trace_of("small/heatmap-only.darshan", &ReadOptions::default());
    assert!(reading.warnings.is_empty(), "{:?}", reading.warnings);
    assert_eq!(reading.origin.source, Source::Heatmap);
    assert!(!trace.is_empty());
}
