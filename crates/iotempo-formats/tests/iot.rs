//! Logs of the tracer: all of a job together, whatever state they are in.
#![allow(clippy::unwrap_used)]

#[path = "support/iot_log.rs"]
mod iot_log;

use iot_log::{IotLog, LOADED, MONOTONIC};
use iotempo_formats::{
    Error, Format, Input, Layer, Part, ReadOptions, ReadSeek, Reading, detect, inspect_part,
    read_trace,
};
use iotempo_model::wire::record_flag::COLLECTIVE;
use iotempo_model::wire::{CHUNK_SIZE, HEADER_SIZE, Header, api, coalesced, flag, kind, note, op};
use iotempo_model::{Api, FileId, Manner, Op, Request, RequestSink, Selection, Trace};
use std::io::{self, Cursor, Read, Seek, SeekFrom};
use std::mem::offset_of;

const WRITE: [u8; 3] = [kind::TRANSFER, op::WRITE, api::POSIX];
const READ: [u8; 3] = [kind::TRANSFER, op::READ, api::POSIX];
const MPI_WRITE: [u8; 3] = [kind::TRANSFER, op::WRITE, api::MPIIO];

fn read(log: Vec<u8>) -> Result<(Reading, Trace), Error> {
    read_trace(Input::bytes(log), &ReadOptions::default())
}

fn job(logs: Vec<Vec<u8>>, layer: Layer) -> (Reading, Trace) {
    let part = |(number, log): (usize, Vec<u8>)| {
        Part::new(format!("{number}.iot"), move || {
            let bytes: Box<dyn ReadSeek> = Box::new(Cursor::new(log.clone()));
            Ok(bytes)
        })
    };
    let parts = logs.into_iter().enumerate().map(part).collect();
    let options = ReadOptions {
        layer,
        ..ReadOptions::default()
    };
    read_trace(Input::several(parts).unwrap(), &options).unwrap()
}

fn codes(reading: &Reading) -> Vec<&str> {
    reading.warnings.iter().map(|w| w.code.as_ref()).collect()
}

fn close(a: f64, b: f64) -> bool {
    (a - b).abs() < 1e-6
}

#[test]
fn a_log_becomes_requests_with_names_that_may_come_later() {
    let mut log = IotLog::new("node1", 10, 3);
    log.record(WRITE, 1, [100, 200], 4096);
    log.record([kind::METADATA, op::CLOSE, api::POSIX], 1, [200, 201], 0);
    log.record([99, 0, 0], 1, [0, 0], 5);
    log.chunk();
    log.name(1, "/scratch/out").record(READ, 2, [300, 300], 10);
    let bytes = log.finish();
    assert_eq!(detect(&bytes).unwrap(), Format::Iot);
    let (reading, trace) = read(bytes).unwrap();
    assert!(
        !reading.damaged && reading.warnings.is_empty(),
        "{:?}",
        reading.warnings
    );
    let requests: Vec<Request> = trace.iter().collect();
    assert_eq!(requests.len(), 2);
    let first = requests[0];
    assert_eq!((first.rank.0, first.bytes.get()), (3, 4096.0));
    assert_eq!(trace.files.name(first.file), Some("/scratch/out"));
    assert_eq!(trace.files.name(requests[1].file), Some(""));
    assert!(close(first.when.start().get(), 0.1) && close(first.when.end().get(), 0.2));
    let job = reading.origin.job;
    assert_eq!(job.exe.as_deref(), Some("/opt/heat3d"));
    assert!(close(job.start_epoch_s.unwrap(), LOADED as f64 * 1e-9));
    assert!(close(job.run_time_s.unwrap(), 10.0));
}

#[test]
fn ticks_of_a_processor_take_their_rate_from_the_whole_log() {
    let mut log = IotLog::new("node1", 10, 0);
    // Two ticks in a nanosecond, as the pairs say; the first measurement was 1 % off.
    log.number(offset_of!(Header, flags), flag::CPU_CLOCK);
    log.number(offset_of!(Header, ticks_per_second), 2.02e9_f64.to_bits());
    log.number(offset_of!(Header, last_ticks), MONOTONIC + 20_000_000_000);
    log.record(WRITE, 0, [1000, 2000], 1);
    let start = |log: &IotLog| {
        let (_, trace) = read(log.finish()).unwrap();
        trace.iter().next().unwrap().when.start().get()
    };
    assert!(close(start(&log), 0.5));
    // While the last pair is being written, the first measurement has to do.
    log.put(offset_of!(Header, last_sequence), &[1]);
    assert!(close(start(&log), 1.0 / 2.02));
    log.number(offset_of!(Header, ticks_per_second), f64::NAN.to_bits());
    let error = read(log.finish()).unwrap_err().to_string();
    assert!(error.contains("no clock ticks so often"), "{error}");
}

/// A log of 10 s by the monotonic clock, at 2 ticks in a nanosecond, whose counter ends at `last`.
fn counted_log(last: u64) -> IotLog {
    let mut log = IotLog::new("laptop", 10, 0);
    log.number(offset_of!(Header, flags), flag::CPU_CLOCK);
    log.number(offset_of!(Header, ticks_per_second), 2e9_f64.to_bits());
    log.number(offset_of!(Header, last_ticks), last);
    log
}

/// A log whose program reads its clocks again each time that somebody has looked at its header.
struct Running(Cursor<Vec<u8>>);

impl Read for Running {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let at_header = self.0.position() == 0;
        let read = self.0.read(buffer);
        if at_header {
            for at in [
                offset_of!(Header, last_ticks),
                offset_of!(Header, last_monotonic_ns),
            ] {
                self.0.get_mut()[at] += 1;
            }
        }
        read
    }
}

impl Seek for Running {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.0.seek(to)
    }
}

#[test]
fn a_record_that_came_while_the_log_was_read_is_not_lost() {
    let mut log = IotLog::new("node1", 10, 0);
    // Ten minutes after the clocks of the header.
    log.record(WRITE, 0, [10_000, 610_000], 7);
    let bytes = log.finish();
    let (reading, trace) = read(bytes.clone()).unwrap();
    assert!(reading.damaged && trace.is_empty());
    let part = Part::new("running.iot", move || {
        let bytes: Box<dyn ReadSeek> = Box::new(Running(Cursor::new(bytes.clone())));
        Ok(bytes)
    });
    let input = Input::several(vec![part]).unwrap();
    let (reading, trace) = read_trace(input, &ReadOptions::default()).unwrap();
    assert!(!reading.damaged && reading.warnings.is_empty());
    assert!(close(trace.iter().next().unwrap().when.end().get(), 610.0));
    assert_eq!(reading.sections[0].requests, Some(1));
}

#[test]
fn more_than_a_call_can_move_was_not_moved() {
    const MOST: u64 = 0x7fff_f000;
    let stream = [kind::TRANSFER, op::WRITE, api::STDIO];
    let several = [kind::COALESCED, op::READ, api::POSIX];
    let kept = |what, bytes| {
        let mut log = IotLog::new("node1", 10, 0);
        log.record(what, 1, [0, 10], bytes);
        read(log.finish()).unwrap().1.len() == 1
    };
    assert!(kept(WRITE, MOST) && !kept(WRITE, MOST + 1));
    // What is beneath a stream or MPI-IO calls again until all is moved.
    assert!(kept(stream, 1 << 40) && kept(MPI_WRITE, 1 << 40));
    assert!(!kept(stream, 1 << 48) && !kept(MPI_WRITE, 1 << 48));
    let word = |count, bytes| coalesced(count, bytes).unwrap();
    assert!(kept(several, word(3, 3 * MOST)) && !kept(several, word(3, 3 * MOST + 1)));
    assert!(!kept(several, word(0, 0)));
}

#[test]
fn random_bytes_in_a_log_bend_neither_its_time_nor_its_volume_beyond_belief() {
    let mut log = IotLog::new("node1", 10, 0);
    for start in 0..2000 {
        log.record(WRITE, 1, [start, start + 1], 4096);
    }
    let mut bytes = log.finish();
    let mut random = 12345_u64;
    for _ in 0..2000 {
        random = random
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        // Kinds stay, else a zero among them would end the chunk.
        let at = HEADER_SIZE + 32 + (random >> 33) as usize % (2000 * 32);
        if at % 32 < 24 {
            bytes[at] = (random >> 25) as u8;
        }
    }
    let (reading, trace) = read(bytes).unwrap();
    assert!(reading.damaged && trace.len() > 500, "{}", trace.len());
    assert!(trace.span().unwrap().end().get() <= 20.0);
    assert!(
        trace
            .iter()
            .all(|request| request.bytes.get() <= 2_147_479_552.0)
    );
}

#[test]
fn a_machine_that_slept_loses_no_request_and_bends_no_time() {
    // The counter went on for an hour in which the monotonic clock stood.
    let hour = 7_200_000;
    let mut log = counted_log(MONOTONIC + (20_000 + hour) * 1_000_000);
    log.record(WRITE, 0, [1000, 2000], 1);
    log.record(WRITE, 0, [hour + 3000, hour + 4000], 2);
    let (reading, trace) = read(log.finish()).unwrap();
    assert_eq!(codes(&reading), ["clock-parted"]);
    let starts: Vec<_> = trace.iter().map(|r| r.when.start().get()).collect();
    assert!(
        close(starts[0], 0.5) && close(starts[1], 3601.5),
        "{starts:?}"
    );
}

#[test]
fn a_counter_that_begins_anew_loses_no_request() {
    // It stood at 30 s when the program was loaded and at 5 s when the clocks were last read.
    let mut log = counted_log(10_000_000_000);
    log.number(offset_of!(Header, first_ticks), 60_000_000_000);
    log.record(WRITE, 0, [56_000, 57_000], 1);
    log.record(WRITE, 0, [3000, 4000], 2);
    let (reading, trace) = read(log.finish()).unwrap();
    assert_eq!(codes(&reading), ["clock-parted"]);
    let times: Vec<_> = trace.iter().map(|r| r.when.start().get()).collect();
    assert!(close(times[0], 0.5) && close(times[1], 9.0), "{times:?}");
}

#[test]
fn bytes_that_posix_saw_are_not_counted_again_at_mpi_io() {
    let mut first = IotLog::new("node1", 10, 0);
    first.name(1, "/shared").name(2, "/mpi-only");
    first.record(MPI_WRITE, 1, [0, 10], 100);
    first.record(MPI_WRITE, 2, [20, 30], 7);
    let mut second = IotLog::new("node1", 11, 1);
    // The aggregator wrote for both.
    second.name(9, "/shared");
    second.record(WRITE, 9, [0, 10], 200).beneath_mpi();
    second.record(MPI_WRITE, 9, [0, 10], 100);
    let logs = vec![first.finish(), second.finish()];
    let volume = |layer| job(logs.clone(), layer).1.volume().get();
    assert_eq!(volume(Layer::Auto), 207.0);
    assert_eq!(volume(Layer::Posix), 200.0);
    assert_eq!(volume(Layer::MpiIo), 207.0);
    let (reading, _) = job(logs.clone(), Layer::Auto);
    let bytes: Vec<_> = reading.sections.iter().map(|s| s.bytes_written).collect();
    assert_eq!(bytes, [Some(200.0), Some(207.0)]);
    let (reading, trace) = job(logs, Layer::Stdio);
    assert!(trace.is_empty() && codes(&reading).contains(&"no-data"));
}

/// Takes requests with how they were made.
#[derive(Default)]
struct Made(Vec<(Api, f64, Manner)>);

impl RequestSink for Made {
    fn file(&mut self, _: &str) -> FileId {
        FileId(0)
    }

    fn push(&mut self, _: Request) -> io::Result<()> {
        panic!("the tracer says how")
    }

    fn push_made(&mut self, request: Request, manner: Manner) -> io::Result<()> {
        self.0.push((request.api, request.bytes.get(), manner));
        Ok(())
    }
}

#[test]
fn every_layer_by_itself_says_how_requests_were_made() {
    let mut log = IotLog::new("node1", 10, 0);
    log.name(1, "/shared");
    // A bit that nobody knows yet says nothing.
    log.record(MPI_WRITE, 1, [0, 10], 100)
        .flagged(COLLECTIVE | 1 << 7);
    log.record(WRITE, 1, [1, 9], 100).beneath_mpi();
    log.record(MPI_WRITE, 1, [20, 30], 7);
    let several = coalesced(5, 50).unwrap();
    log.record(
        [kind::COALESCED, op::WRITE, api::POSIX],
        1,
        [40, 50],
        several,
    );
    let options = ReadOptions {
        layer: Layer::All,
        ..ReadOptions::default()
    };
    let mut made = Made::default();
    let input = Input::bytes(log.finish());
    let reading = iotempo_formats::read(input, &options, &mut made).unwrap();
    assert_eq!(codes(&reading), ["coalesced"]);
    let manner = |requests, collective, beneath| Manner {
        requests,
        collective,
        beneath_mpi: Some(beneath),
    };
    assert_eq!(
        made.0,
        [
            (Api::MpiIo, 100.0, manner(1, true, false)),
            (Api::Posix, 100.0, manner(1, false, true)),
            (Api::MpiIo, 7.0, manner(1, false, false)),
            (Api::Posix, 50.0, manner(5, false, false)),
        ]
    );
}

#[test]
fn a_file_that_mpi_io_moved_by_asynchronous_calls_counts_there() {
    let mut log = IotLog::new("node1", 10, 0);
    log.name(1, "/both").name(2, "/alone");
    log.record(MPI_WRITE, 1, [0, 10], 100);
    log.record(WRITE, 1, [1, 9], 100).beneath_mpi();
    log.record(MPI_WRITE, 1, [20, 40], 50);
    log.record([kind::NOTE, note::AIO, 0], 1, [21, 21], 0)
        .beneath_mpi();
    log.record([kind::NOTE, note::AIO, 0], 2, [50, 50], 0);
    let logs = vec![log.finish()];
    let told = |layer| {
        let (reading, trace) = job(logs.clone(), layer);
        let warning = reading.warnings.iter().find(|w| w.code == "aio-invisible");
        (trace.volume().get(), warning.unwrap().message.clone())
    };
    let (volume, message) = told(Layer::Auto);
    assert_eq!(volume, 150.0);
    assert!(message.starts_with("1 file "), "{message}");
    let (volume, message) = told(Layer::Posix);
    assert_eq!(volume, 100.0);
    assert!(message.starts_with("2 files "), "{message}");
}

#[test]
fn what_a_program_moves_by_posix_itself_counts_beside_mpi_io() {
    let mut log = IotLog::new("node1", 10, 0);
    log.name(1, "/mixed").record(WRITE, 1, [0, 10], 700);
    log.record(MPI_WRITE, 1, [20, 40], 200);
    log.record([kind::NOTE, note::AIO, 0], 1, [21, 21], 0)
        .beneath_mpi();
    // Another process, without MPI, reads the file again.
    let mut other = IotLog::new("node1", 11, -1);
    other.name(3, "/mixed").record(READ, 3, [50, 60], 900);
    let (reading, trace) = job(vec![log.finish(), other.finish()], Layer::Auto);
    assert_eq!(trace.volume().get(), 1800.0);
    assert!(!codes(&reading).contains(&"aio-invisible"));
}

#[test]
fn processes_without_a_rank_are_numbered_in_the_order_of_their_starts() {
    let process = |pid, rank, later_ms: u64| {
        let mut log = IotLog::new("node1", pid, rank);
        log.record(WRITE, 0, [100, 200], 1);
        for at in [
            offset_of!(Header, first_ticks),
            offset_of!(Header, first_monotonic_ns),
        ] {
            log.number(at, MONOTONIC + later_ms * 1_000_000);
        }
        log.number(
            offset_of!(Header, first_realtime_ns),
            LOADED + later_ms * 1_000_000,
        );
        log.finish()
    };
    // The last one is what the process 30 became by exec.
    let logs = vec![process(20, -1, 50), process(30, -1, 0), process(30, -1, 90)];
    let (reading, trace) = job(logs, Layer::Auto);
    let ranks: Vec<_> = trace.iter().map(|request| request.rank.0).collect();
    assert_eq!(ranks, [1, 0, 0]);
    assert_eq!(reading.origin.job.ranks, Some(2));
    let (reading, trace) = job(vec![process(20, -1, 0), process(30, 3, 0)], Layer::Auto);
    let ranks: Vec<_> = trace.iter().map(|request| request.rank.0).collect();
    assert_eq!((ranks, codes(&reading)), (vec![4, 3], vec!["no-rank"]));
}

#[test]
fn a_launcher_that_moved_nothing_is_no_process_of_the_job() {
    let log = |pid, rank, requests: u64| {
        let mut log = IotLog::new("node1", pid, rank);
        log.put(offset_of!(Header, ranks), &[if rank < 0 { 0 } else { 4 }]);
        log.record([kind::METADATA, op::CLOSE, api::POSIX], 1, [1, 1], 0);
        for at in 0..requests {
            log.record(WRITE, 0, [at, at], 1);
        }
        log.finish()
    };
    let found = |logs: Vec<Vec<u8>>| {
        let (reading, trace) = job(logs, Layer::Auto);
        let ranks: Vec<_> = trace.iter().map(|request| request.rank.0).collect();
        let messages = reading.warnings.into_iter().map(|w| w.message);
        (
            reading.origin.job.ranks,
            ranks,
            messages.collect::<Vec<_>>(),
        )
    };
    let (idle, first) = (log(8, -1, 0), log(10, 0, 1));
    let expected = (Some(4), vec![0], vec![]);
    assert_eq!(found(vec![idle.clone(), first.clone()]), expected);
    // One that did is numbered behind all ranks, also those that left no log, but is none of them.
    let (ranks, rows, messages) = found(vec![idle.clone(), log(7, -1, 1), first]);
    assert_eq!((ranks, rows), (Some(4), vec![4, 0]));
    let said = "1 process without a rank beside 4 processes with one";
    assert!(messages[0].starts_with(said), "{messages:?}");
    assert_eq!(found(vec![idle]), (Some(1), vec![], vec![]));
}

#[test]
fn hosts_are_put_side_by_side_by_their_clocks_of_the_day() {
    let mut first = IotLog::new("node1", 10, 0);
    first.record(WRITE, 0, [100, 200], 1);
    // The other machine was started 1000 s earlier, and its process 2 s later.
    let mut second = IotLog::new("node2", 10, 1);
    let monotonic = MONOTONIC + 1_000_000_000_000;
    for (at, value) in [
        (offset_of!(Header, first_ticks), monotonic),
        (offset_of!(Header, first_monotonic_ns), monotonic),
        (
            offset_of!(Header, first_realtime_ns),
            LOADED + 2_000_000_000,
        ),
        (offset_of!(Header, last_ticks), monotonic + 1_000_000_000),
        (
            offset_of!(Header, last_monotonic_ns),
            monotonic + 1_000_000_000,
        ),
    ] {
        second.number(at, value);
    }
    second.record(WRITE, 0, [1_000_100, 1_000_200], 1);
    let (reading, trace) = job(vec![first.finish(), second.finish()], Layer::Auto);
    let starts: Vec<_> = trace.iter().map(|r| r.when.start().get()).collect();
    assert!(close(starts[0], 0.1) && close(starts[1], 2.1), "{starts:?}");
    assert_eq!(codes(&reading), ["clock-offset"]);
    let message = &reading.warnings[0].message;
    assert!(message.contains("node2 -998.000000 s"), "{message}");
}

#[test]
fn what_was_not_seen_is_told() {
    let mut log = IotLog::new("node1", 10, 0);
    log.record([kind::NOTE, note::MMAP, api::MMAP], 1, [1, 1], 4096);
    log.record([kind::NOTE, note::IO_URING, 0], 0, [1, 1], 8);
    log.record([kind::NOTE, note::AIO, 0], 0, [1, 1], 0);
    let many = coalesced(40, 4000).unwrap();
    log.record([kind::COALESCED, op::WRITE, api::STDIO], 0, [5, 6], many);
    log.number(offset_of!(Header, dropped), 3);
    log.number(offset_of!(Header, flags), flag::RING | flag::STOPPED);
    let (reading, trace) = read(log.finish()).unwrap();
    let expected = [
        "mmap-invisible",
        "io-uring-invisible",
        "aio-invisible",
        "dropped",
        "log-stopped",
        "coalesced",
    ];
    assert_eq!(codes(&reading), expected);
    assert_eq!((trace.len(), trace.volume().get()), (1, 4000.0));
    assert_eq!(reading.sections[0].requests, Some(40));
    assert_eq!(trace.iter().next().unwrap().api, Api::Stdio);
}

/// A ring with chunks of 500 ms, each with a request at its begin: thread, sequence, begin in ms.
fn ring(pid: u32, chunks: &[(u32, u64, u64)]) -> Vec<u8> {
    let mut log = IotLog::new("node1", pid, pid as i32);
    log.number(offset_of!(Header, flags), flag::RING);
    for &(thread, sequence, begin) in chunks {
        log.chunk_of(thread, sequence, begin);
        log.record(WRITE, 0, [begin + 1, begin + 400], 1);
    }
    log.finish()
}

/// When a job was observed, how many requests are left, and what is said about that.
fn kept(logs: Vec<Vec<u8>>) -> ((f64, f64), usize, Option<String>) {
    let (reading, trace) = job(logs, Layer::Auto);
    let observed = reading.origin.observed.unwrap();
    let mut warnings = reading.warnings.into_iter();
    let warning = warnings.next().inspect(|w| assert_eq!(w.code, "log-ring"));
    let times = (observed.start().get(), observed.end().get());
    (times, trace.len(), warning.map(|w| w.message))
}

#[test]
fn a_ring_is_observed_from_where_it_is_complete() {
    let whole = ring(1, &[(7, 2, 1000), (7, 1, 500), (7, 0, 0)]);
    assert_eq!(kept(vec![whole.clone()]), ((0.0, 10.0), 3, None));
    // Of a slow thread the first chunk is still there, of the other one the last two.
    let over = ring(2, &[(7, 0, 0), (8, 9, 4500), (8, 8, 4000)]);
    let (observed, requests, said) = kept(vec![over.clone()]);
    assert_eq!((observed, requests), ((4.0, 10.0), 2));
    let message = "1 log kept to a size: 7 chunks of up to 2047 requests written over; all is there \
                   from 4.000 s on, and 1 request before that left out";
    assert_eq!(said.as_deref(), Some(message));
    // The log that lacks most decides for all.
    let later = ring(3, &[(7, 11, 4500), (7, 12, 5000)]);
    let (observed, requests, said) = kept(vec![whole, over, later]);
    assert_eq!((observed, requests), ((4.5, 10.0), 3));
    let said = said.unwrap();
    assert!(
        said.starts_with("2 logs kept to a size: 18 chunks"),
        "{said}"
    );
    assert!(
        said.ends_with("and 5 requests before that left out"),
        "{said}"
    );
}

#[test]
fn a_ring_lacks_what_a_thread_did_until_its_oldest_chunk_that_is_left() {
    // Chunk 0 was in use by thread 7 until it took chunk 7.
    let slow = ring(1, &[(8, 5, 3000), (8, 6, 3500), (7, 7, 4000), (8, 8, 4500)]);
    let ((begin, _), requests, _) = kept(vec![slow]);
    assert_eq!((begin, requests), (4.0, 2));
    // Thread 9 went on with the chunk that thread 8 left.
    let mut log = IotLog::new("node1", 1, 1);
    log.number(offset_of!(Header, flags), flag::RING);
    log.chunk_of(8, 5, 3000);
    log.record([kind::THREAD, 0, 0], 0, [3001, 3001], 9);
    log.chunk_of(9, 6, 3500);
    assert_eq!(kept(vec![log.finish()]).0.0, 3.0);
}

#[test]
fn requests_that_share_a_record_are_counted() {
    let mut log = IotLog::new("node1", 10, 0);
    let several = |op| [kind::COALESCED, op, api::POSIX];
    log.record(several(op::WRITE), 0, [5, 6], coalesced(40, 4000).unwrap());
    log.record(several(op::READ), 0, [7, 8], coalesced(3, 30).unwrap());
    log.record(WRITE, 0, [8, 9], 1);
    let (reading, _) = read(log.finish()).unwrap();
    assert_eq!(reading.requests, Some([3, 41]));
    let inspected = |selection| {
        let input = Input::bytes(log.finish());
        let found = inspect_part(input, &ReadOptions::default(), &selection).unwrap();
        (found.requests, found.rows)
    };
    assert_eq!(inspected(Selection::default()), (Some(44), 3));
    // Of a part, only its records are known.
    let writes = Selection {
        op: Some(Op::Write),
        ..Selection::default()
    };
    assert_eq!(inspected(writes), (None, 2));
}

#[test]
fn a_log_that_was_cut_gives_what_is_left_of_it() {
    let mut log = IotLog::new("node1", 10, 0);
    log.name(1, "/a");
    for start in 0..50 {
        log.record(WRITE, 1, [start, start], 1);
    }
    let bytes = log.finish();
    for length in 0..bytes.len().min(HEADER_SIZE + 60 * 32) {
        let cut = bytes[..length].to_vec();
        match read(cut) {
            Err(error) => assert!(length < HEADER_SIZE, "{length}: {error}"),
            Ok((reading, trace)) => {
                let whole = length.saturating_sub(HEADER_SIZE + 3 * 32) / 32;
                assert_eq!(trace.len(), whole.min(50), "{length}");
                assert_eq!(reading.damaged, length > HEADER_SIZE, "{length}");
            }
        }
    }
}

#[test]
fn a_log_that_found_no_more_room_is_whole_up_to_there() {
    let mut log = IotLog::new("node1", 10, 0);
    log.record(WRITE, 1, [1, 2], 8);
    log.number(offset_of!(Header, flags), flag::STOPPED);
    log.number(offset_of!(Header, dropped), 1);
    let stopped = |room| {
        let mut bytes = log.finish();
        bytes.resize(bytes.len() + room, 0);
        bytes
    };
    for room in [0, 1, 4096, CHUNK_SIZE - 1] {
        let (reading, trace) = read(stopped(room)).unwrap();
        assert_eq!((trace.len(), reading.damaged), (1, false), "{room}");
        assert_eq!(codes(&reading), ["dropped", "log-stopped"]);
        let [dropped, stopped] = [0, 1].map(|at| reading.warnings[at].message.as_str());
        assert!(dropped.starts_with("at least 1 record "), "{dropped}");
        assert!(
            stopped.ends_with("nothing was kept from 10.000 s on"),
            "{stopped}"
        );
        assert_eq!(reading.origin.job.run_time_s, None);
        assert!(close(reading.origin.observed.unwrap().end().get(), 10.0));
    }
    // Another process tells how long the job ran.
    let mut longer = IotLog::new("node1", 11, 1);
    longer.number(offset_of!(Header, last_ticks), MONOTONIC + 12_000_000_000);
    let (reading, _) = job(vec![stopped(0), longer.finish()], Layer::Auto);
    assert!(close(reading.origin.job.run_time_s.unwrap(), 12.0));
}

#[test]
fn a_log_that_lies_is_left_out_or_refused() {
    let mut log = IotLog::new("node1", 10, 0);
    log.record(WRITE, 1, [1, 2], 8);
    log.record(WRITE, 1, [1, 2], u64::MAX);
    log.record(WRITE, 1, [1, 1 << 40], 8);
    log.record([kind::TRANSFER, 9, 0], 1, [1, 2], 8);
    log.record([kind::NAME, 0, 0], 1, [0, 0], u64::MAX - 3);
    let (reading, trace) = read(log.finish()).unwrap();
    assert_eq!((trace.len(), reading.damaged), (1, true));
    assert_eq!(codes(&reading), ["damaged"]);
    for (at, value) in [(8, 2_u32), (12, 512), (16, 0), (20, u32::MAX)] {
        let mut bytes = log.finish();
        bytes[at..at + 4].copy_from_slice(&value.to_le_bytes());
        assert!(read(bytes).is_err(), "{at}");
    }
}

#[test]
fn one_bad_log_does_not_hide_the_others() {
    let mut log = IotLog::new("node1", 10, 0);
    log.record(WRITE, 1, [1, 2], 8);
    let logs = vec![vec![0; HEADER_SIZE + CHUNK_SIZE], log.finish()];
    let (reading, trace) = job(logs, Layer::Auto);
    assert_eq!((trace.len(), reading.damaged), (1, true));
    let message = &reading.warnings[0].message;
    assert!(message.starts_with("0.iot: left out: "), "{message}");
}
