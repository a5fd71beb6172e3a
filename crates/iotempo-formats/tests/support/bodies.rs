//! What the fuzz targets and the mutation test do with every input.
//!
//! Each body reads bytes that nobody vouches for, and asserts what must hold whatever they are.
#![allow(dead_code, reason = "a fuzz target runs one of them")]

use iotempo_formats::benchmarks::{BenchmarkOptions, read_benchmarks};
use iotempo_formats::darshan::{
    CountedLog, CounterTable, DxtTable, Log, ModuleData, Records, legacy_time_origin,
    read_dxt_text, read_legacy, read_parser_text,
};
use iotempo_formats::jobs::{JobFilter, JobOptions, read_jobs};
use iotempo_formats::server::{self, Options, Quantity};
use iotempo_formats::zone::TimeZone;
use iotempo_formats::{Input, Layer, Limits, ReadOptions, inspect, read, read_trace};
use iotempo_model::{
    Api, FileId, JobRecord, Moved, Op, Request, RequestSink, Seconds, Source, Target, TargetId,
    ThroughputSink, expand_nodes,
};
use std::io::{self, Cursor};

/// Small enough that no input can make a run take long.
const LIMITS: Limits = Limits {
    inflated: 4 << 20,
    decoded: 8 << 20,
    spooled: 1 << 20,
    name: 64 << 10,
};

/// Judges the format by content and reads it.
pub(crate) fn any(bytes: &[u8]) {
    read_with(bytes, &options());
}

/// Decodes a Darshan log of version 3 into memory, then reads its requests from one of its kinds of
/// evidence at one of its layers.
pub(crate) fn darshan(bytes: &[u8]) {
    if let Ok(log) = Log::read(Cursor::new(bytes), &LIMITS) {
        check_log(&log);
    }
    any(bytes);
    // Any choice will do that is always the same for an input.
    let sources = [Source::Dxt, Source::Heatmap, Source::Counters];
    let layers = [
        Layer::Auto,
        Layer::Posix,
        Layer::MpiIo,
        Layer::Stdio,
        Layer::All,
    ];
    let options = ReadOptions {
        source: Some(sources[bytes.len() % sources.len()]),
        layer: layers[bytes.len() / sources.len() % layers.len()],
        ..options()
    };
    read_with(bytes, &options);
    counted(bytes);
}

/// Walks through what a Darshan log counted, and through the finer evidence beside it.
fn counted(bytes: &[u8]) {
    let Ok(mut log) = CountedLog::open(Input::bytes(bytes), &options()) else {
        return;
    };
    let mut files = 0;
    log.each_file(|file| {
        files += 1;
        for op in Op::ALL {
            let time_s = file.of(op).time_s;
            assert!(time_s.is_finite() && time_s >= 0.0, "{time_s}");
        }
    });
    assert_eq!(log.records(), files);
    for api in Api::ALL {
        log.each_request(api, |_| {});
    }
    log.each_bin(|bin| assert!(bin.span_s.0 < bin.span_s.1 || bin.span_s.1.is_infinite()));
    let _ = log.warnings();
}

/// Reads results of benchmarks: what passes is something, and somewhere.
pub(crate) fn benchmarks(bytes: &[u8]) {
    let options = BenchmarkOptions {
        nodes: bytes.len().is_multiple_of(2).then_some(10),
        limits: LIMITS,
        ..BenchmarkOptions::default()
    };
    let Ok(reading) = read_benchmarks(Input::bytes(bytes), &options) else {
        return;
    };
    let taken: usize = reading
        .benchmarks
        .iter()
        .map(|one| one.bandwidths.len())
        .sum();
    assert_eq!(taken as u64, reading.rows);
    assert!(taken > 0);
    for benchmark in &reading.benchmarks {
        let scenario = benchmark.scenario;
        assert!(
            benchmark
                .bandwidths
                .iter()
                .all(|one| one.is_finite() && *one > 0.0)
        );
        assert!(scenario.nodes >= 1 && scenario.nodes <= scenario.processes);
        assert!(scenario.bytes_per_process >= 1 && scenario.request_bytes >= 1);
    }
}

/// Decodes a Darshan log of version 1 or 2 that is not compressed, and reads its requests.
pub(crate) fn darshan_legacy(bytes: &[u8]) {
    if let Ok(log) = read_legacy(bytes, &LIMITS) {
        check_log(&log);
        assert!(legacy_time_origin(&log).is_finite());
    }
    any(bytes);
    counted(bytes);
}

/// Reads the text of `darshan-parser`, whatever it looks like.
pub(crate) fn darshan_text(bytes: &[u8]) {
    if let Ok(log) = read_parser_text(bytes, &LIMITS) {
        check_log(&log);
    }
    any(bytes);
    counted(bytes);
}

/// Reads the text of `darshan-dxt-parser`, whatever it looks like.
pub(crate) fn dxt_text(bytes: &[u8]) {
    if let Ok(log) = read_dxt_text(bytes, &LIMITS) {
        check_log(&log);
    }
    any(bytes);
}

/// Reads a job log, with its steps or without them; what is handed on makes sense.
pub(crate) fn joblog(bytes: &[u8]) {
    let options = JobOptions {
        zone: TimeZone::utc(),
        // Any choice will do that is always the same for an input.
        steps: bytes.len().is_multiple_of(2),
        limits: LIMITS,
        ..JobOptions::default()
    };
    let mut rows = 0;
    let mut wanted = 0;
    let filter = JobFilter {
        steps: true,
        ..JobFilter::default()
    };
    let reading = read_jobs(Input::bytes(bytes), &options, &mut |job| {
        check_job(&job, options.steps);
        rows += 1;
        wanted += u64::from(filter.matches(&job));
    });
    let Ok(reading) = reading else {
        return any(bytes);
    };
    assert_eq!((reading.rows, wanted), (rows, rows), "rows");
    assert!(
        !reading.damaged || !reading.warnings.is_empty(),
        "damage without a word about it"
    );
    any(bytes);
}

fn check_job(job: &JobRecord, steps: bool) {
    assert!(!job.id.is_empty(), "{job:?}");
    assert!(steps || !job.is_step(), "{job:?}");
    for time in [
        job.submit_epoch_s,
        job.start_epoch_s,
        job.end_epoch_s,
        job.time_limit_s,
    ] {
        assert!(time.is_none_or(f64::is_finite), "{job:?}");
    }
    assert!(job.run_time_s().is_none_or(|time| time >= 0.0), "{job:?}");
    if let Some(nodes) = &job.node_list {
        let _ = expand_nodes(nodes);
    }
}

/// Reads the log of a server: all that holds each byte once, then with an interval and a start that
/// the log may not have, then some targets by name, then operations.
pub(crate) fn server_log(bytes: &[u8]) {
    let plain = Options {
        limits: LIMITS,
        ..Options::default()
    };
    let helped = Options {
        start: Some(1.7e9),
        interval: Seconds::new(5.0),
        ..plain.clone()
    };
    let named = Options {
        targets: ["fs-OST0000", "lo", "OST1", "10.0.0.1@o2ib", "make all.0"]
            .map(str::to_owned)
            .to_vec(),
        ..plain.clone()
    };
    let operations = Options {
        quantity: Quantity::Operations,
        ..helped.clone()
    };
    for options in [plain, helped, named, operations] {
        let mut throughput = Throughput::default();
        let read = server::read(Input::bytes(bytes), &options, &mut throughput);
        let Ok(reading) = read else { continue };
        assert_eq!(reading.quantity, options.quantity);
        assert_eq!(reading.samples, throughput.samples);
        assert_eq!(reading.targets, u64::from(throughput.targets));
        assert_eq!(reading.observed.is_some(), reading.samples > 0);
        let finite = |bytes: &f64| bytes.is_finite() && *bytes >= 0.0;
        assert!(reading.bytes.iter().all(finite), "{:?}", reading.bytes);
        assert!(
            !reading.damaged || !reading.warnings.is_empty(),
            "damage without a word about it"
        );
    }
    any(bytes);
}

fn options() -> ReadOptions {
    ReadOptions {
        limits: LIMITS,
        ..ReadOptions::default()
    }
}

/// Reads requests three times: one by one, as a trace, and as a summary. All agree.
fn read_with(bytes: &[u8], options: &ReadOptions) {
    let mut count = Counting::default();
    let Ok(reading) = read(Input::bytes(bytes), options, &mut count) else {
        return;
    };
    assert!(
        !reading.damaged || !reading.warnings.is_empty(),
        "damage without a word about it"
    );
    let (_, trace) = read_trace(Input::bytes(bytes), options).expect("it was just read");
    assert_eq!(trace.len(), count.requests, "requests");
    assert_eq!(trace.volume().get().to_bits(), count.bytes.to_bits());
    let inspection = inspect(Input::bytes(bytes), options).expect("it was just read");
    // A text of DXT is read line by line; in one that names MPI-IO before POSIX, which no tool
    // prints, a file's MPI-IO requests are out before its POSIX ones are seen.
    if !reading.format.starts_with("darshan-dxt-parser") {
        assert_eq!(inspection.rows, count.requests as u64, "requests");
    }
    // Requests need some parts of an input; a summary looks at all.
    assert!(inspection.damaged || !reading.damaged);
    for number in [inspection.bytes_read, inspection.bytes_written] {
        assert!(number.is_finite() && number >= 0.0, "{number} bytes");
    }
    assert_eq!(inspection.start_s.is_some(), count.requests > 0);
    assert!(inspection.start_s <= inspection.end_s);
}

fn check_log(log: &Log) {
    for data in &log.modules {
        check_module(data);
    }
    for (id, name) in log.names.iter_unsorted() {
        assert_eq!(log.names.get(id), Some(name));
    }
}

fn check_module(data: &ModuleData) {
    match &data.records {
        Records::Counters(table) => check_counters(table),
        Records::Apmpi(apmpi) => {
            check_counters(&apmpi.table);
            assert_eq!(apmpi.nodes.len(), apmpi.table.len());
        }
        Records::Apxc(apxc) => {
            check_counters(&apxc.table);
            assert_eq!(apxc.places.len(), apxc.table.len());
        }
        Records::Dxt(table) => check_dxt(table),
        Records::Heatmap(records) => {
            for record in records {
                assert_eq!(record.writes.len(), record.reads.len());
                assert!(record.bin_width_s > 0.0 && record.bin_width_s.is_finite());
            }
        }
        Records::Lustre(_) | Records::Mdhim(_) | Records::Unreadable => {}
    }
}

fn check_counters(table: &CounterTable) {
    let rows = table.len();
    assert_eq!(table.ranks.len(), rows);
    assert_eq!(table.ints.len(), rows * table.layout.ints.len());
    assert_eq!(table.floats.len(), rows * table.layout.floats.len());
    assert!(table.file_ids.is_empty() || table.file_ids.len() == rows);
    assert!(table.objects.is_empty() || table.objects.len() == rows);
}

/// Records own the columns one after the other, without gaps.
fn check_dxt(table: &DxtTable) {
    let mut next = 0;
    for record in &table.records {
        assert_eq!(record.first, next);
        next += (record.writes + record.reads) as usize;
    }
    let columns = [
        table.offsets.len(),
        table.lengths.len(),
        table.starts.len(),
        table.ends.len(),
    ];
    assert_eq!(columns, [next; 4]);
    assert!(table.threads.is_empty() || table.threads.len() == next);
}

/// Counts what it is given, and asserts that all of it is valid.
#[derive(Default)]
struct Counting {
    files: u32,
    requests: usize,
    bytes: f64,
}

impl RequestSink for Counting {
    fn file(&mut self, _name: &str) -> FileId {
        self.files += 1;
        FileId(self.files - 1)
    }

    fn push(&mut self, request: Request) -> io::Result<()> {
        assert!(request.file.0 < self.files, "a file that was never named");
        assert!(request.when.start() <= request.when.end());
        let bytes = request.bytes.get();
        assert!(bytes.is_finite() && bytes >= 0.0, "{bytes} bytes");
        self.requests += 1;
        // As volumes are added: what would overflow stops at the largest number.
        self.bytes = (self.bytes + bytes).min(f64::MAX);
        Ok(())
    }
}

/// Counts what it is given, and asserts that all of it is valid.
#[derive(Default)]
struct Throughput {
    targets: u32,
    samples: u64,
}

impl ThroughputSink for Throughput {
    fn target(&mut self, _: &Target) -> TargetId {
        self.targets += 1;
        TargetId(self.targets - 1)
    }

    fn moved(&mut self, moved: Moved) -> io::Result<()> {
        assert!(
            moved.target.0 < self.targets,
            "a target that was never named"
        );
        assert!(moved.when.start() <= moved.when.end());
        let bytes = moved.bytes.get();
        assert!(bytes.is_finite() && bytes >= 0.0, "{bytes} bytes");
        self.samples += 1;
        Ok(())
    }
}
