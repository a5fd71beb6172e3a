//! Writes a Darshan log with as many DXT segments as asked for, in bounded memory.
//!
//! `cargo run --release -p iotempo-formats --example big_dxt -- OUT SEGMENTS RANKS`
//!
//! All ranks write to one file, 1 MiB at a time, in a burst every 10 seconds.

#[path = "../tests/support/rng.rs"]
mod rng;

use iotempo_formats::darshan::writer::{CounterRecord, DxtHead, LogFormat, LogStream, record_id};
use iotempo_formats::darshan::{
    ByteOrder, Compression, JobRecord, LogVersion, Module, Mount, Segment,
};
use rng::Rng;
use std::error::Error;
use std::fs::File;
use std::io::BufWriter;

const FILE: &str = "/scratch/big/output.dat";
const LENGTH: i64 = 1 << 20;
const PERIOD_S: f64 = 10.0;

/// Every burst is this long, so that its segments stay in the first part of a period.
const BURST_S: f64 = 2.0;

/// Segments that a rank writes in one burst. Jobs with more segments run longer.
const PER_BURST: u64 = 64;

/// What a rank writes, in order.
#[derive(Clone)]
struct Work {
    rank: u64,
    ranks: u64,
    next: u64,
    count: u64,
    rng: Rng,
}

impl Work {
    fn of(rank: u64, ranks: u64, segments: u64) -> Self {
        let count = segments / ranks + u64::from(rank < segments % ranks);
        Self {
            rank,
            ranks,
            next: 0,
            count,
            rng: Rng::new(rank),
        }
    }
}

impl Iterator for Work {
    type Item = Segment;

    fn next(&mut self) -> Option<Segment> {
        let at = (self.next < self.count).then_some(self.next)?;
        self.next += 1;
        let slice = BURST_S / PER_BURST as f64;
        let burst = (at / PER_BURST) as f64 * PERIOD_S;
        let start = 1.0 + burst + (at % PER_BURST) as f64 * slice;
        let start = start + slice * self.rng.between(0.0, 0.4);
        let end = start + slice * self.rng.between(0.2, 0.5);
        let offset = (at * self.ranks + self.rank) as i64 * LENGTH;
        Some(Segment::new(offset, LENGTH, start, end))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = (self.count - self.next) as usize;
        (left, Some(left))
    }
}

impl ExactSizeIterator for Work {}

/// The counters that go with the segments.
fn totals(segments: u64, ranks: u64) -> CounterRecord {
    let all = || (0..ranks).flat_map(|rank| Work::of(rank, ranks, segments));
    let first = all().map(|s| s.start).fold(f64::INFINITY, f64::min);
    let last = all().map(|s| s.end).fold(0.0, f64::max);
    let busy: f64 = all().map(|s| s.end - s.start).sum();
    CounterRecord::new(Module::Posix, FILE)
        .rank(-1)
        .counter("POSIX_OPENS", ranks as i64)
        .counter("POSIX_WRITES", segments as i64)
        .counter("POSIX_BYTES_WRITTEN", segments as i64 * LENGTH)
        .counter("POSIX_SIZE_WRITE_100K_1M", segments as i64)
        .float("POSIX_F_OPEN_START_TIMESTAMP", 0.5)
        .float("POSIX_F_WRITE_START_TIMESTAMP", first)
        .float("POSIX_F_WRITE_END_TIMESTAMP", last)
        .float("POSIX_F_CLOSE_END_TIMESTAMP", last + 0.01)
        .float("POSIX_F_WRITE_TIME", busy)
}

fn job(segments: u64, ranks: u64) -> JobRecord {
    let bursts = segments.div_ceil(ranks).div_ceil(PER_BURST);
    let start_s = 1_700_000_000;
    JobRecord {
        uid: 1000,
        start_s,
        end_s: start_s + 1 + (bursts as f64 * PERIOD_S) as i64,
        nprocs: ranks as i64,
        jobid: 1,
        exe: format!("/home/user/bin/big --segments {segments}"),
        metadata: vec![("lib_ver".to_owned(), "3.4.5".to_owned())],
        mounts: vec![Mount {
            fs_type: "lustre".to_owned(),
            point: "/scratch".to_owned(),
            device: None,
        }],
        ..JobRecord::default()
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [out, segments, ranks] = &arguments[..] else {
        return Err("usage: big_dxt OUT SEGMENTS RANKS".into());
    };
    let (segments, ranks): (u64, u64) = (segments.parse()?, ranks.parse()?);
    if segments == 0 || ranks == 0 {
        return Err("SEGMENTS and RANKS must be at least 1".into());
    }
    let format = LogFormat {
        version: LogVersion::V341,
        order: ByteOrder::Little,
        compression: Compression::Zlib,
    };
    let mut log = LogStream::new(BufWriter::new(File::create(out)?), format)?;
    log.job(&job(segments, ranks))?;
    log.names()?;
    log.stream(|stream| stream.name(record_id(FILE), FILE.as_bytes()))?;
    log.module(Module::Posix as u32, 4)?;
    log.stream(|stream| stream.record(&totals(segments, ranks).into()))?;
    log.module(Module::DxtPosix as u32, 1)?;
    for rank in 0..ranks {
        let hostname = format!("nid{:05}", rank / 64);
        let head = DxtHead {
            id: record_id(FILE),
            rank: rank as i64,
            hostname: &hostname,
        };
        let work = Work::of(rank, ranks, segments);
        log.stream(|stream| stream.dxt(Module::DxtPosix, head, work, std::iter::empty()))?;
    }
    log.finish()?;
    Ok(())
}
