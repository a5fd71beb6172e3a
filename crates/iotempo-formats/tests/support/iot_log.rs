//! Makes logs of the tracer, byte by byte, without the tracer.
#![allow(dead_code, reason = "every user needs a part of it")]

use iotempo_model::wire::record_flag::BENEATH_MPI;
use iotempo_model::wire::{
    CHUNK_MAGIC, CHUNK_SIZE, HEADER_SIZE, Header, MAGIC, RECORD_SIZE, VERSION, kind, name_slots,
};
use std::mem::offset_of;

/// A log whose ticks are nanoseconds.
pub(crate) struct IotLog {
    header: Vec<u8>,
    chunks: Vec<Vec<u8>>,
}

/// When the first program was loaded, in ns since 1970.
pub(crate) const LOADED: u64 = 1_700_000_000_000_000_000;

/// The monotonic clock at that moment, in ns.
pub(crate) const MONOTONIC: u64 = 5_000_000_000;

impl IotLog {
    /// The log of a process that runs for ten seconds.
    pub(crate) fn new(host: &str, pid: u32, rank: i32) -> Self {
        let mut log = Self {
            header: vec![0; HEADER_SIZE],
            chunks: Vec::new(),
        };
        log.put(0, &MAGIC);
        log.put(offset_of!(Header, version), &VERSION.to_le_bytes());
        for (at, size) in [
            (offset_of!(Header, header_size), HEADER_SIZE),
            (offset_of!(Header, record_size), RECORD_SIZE),
            (offset_of!(Header, chunk_size), CHUNK_SIZE),
        ] {
            log.put(at, &(size as u32).to_le_bytes());
        }
        log.number(offset_of!(Header, first_ticks), MONOTONIC);
        log.number(offset_of!(Header, first_monotonic_ns), MONOTONIC);
        log.number(offset_of!(Header, first_realtime_ns), LOADED);
        log.number(offset_of!(Header, last_ticks), MONOTONIC + 10_000_000_000);
        log.number(
            offset_of!(Header, last_monotonic_ns),
            MONOTONIC + 10_000_000_000,
        );
        log.number(offset_of!(Header, ticks_per_second), 1e9_f64.to_bits());
        log.put(offset_of!(Header, pid), &pid.to_le_bytes());
        log.put(offset_of!(Header, rank), &rank.to_le_bytes());
        log.put(offset_of!(Header, host), host.as_bytes());
        log.put(offset_of!(Header, exe), b"/opt/heat3d");
        log.put(offset_of!(Header, job), b"job");
        log.chunk();
        log
    }

    /// Writes over bytes of the header.
    pub(crate) fn put(&mut self, at: usize, bytes: &[u8]) {
        self.header[at..at + bytes.len()].copy_from_slice(bytes);
    }

    /// Writes over eight bytes of the header.
    pub(crate) fn number(&mut self, at: usize, number: u64) {
        self.put(at, &number.to_le_bytes());
    }

    /// Begins another chunk.
    pub(crate) fn chunk(&mut self) {
        let mut chunk = CHUNK_MAGIC.to_le_bytes().to_vec();
        chunk.extend_from_slice(&7_u32.to_le_bytes());
        chunk.resize(RECORD_SIZE, 0);
        self.chunks.push(chunk);
    }

    /// Begins another chunk: its thread, its sequence, and when it was taken, in ms after the program
    /// was loaded.
    pub(crate) fn chunk_of(&mut self, thread: u32, sequence: u64, taken: u64) {
        let mut chunk = CHUNK_MAGIC.to_le_bytes().to_vec();
        chunk.extend_from_slice(&thread.to_le_bytes());
        for number in [MONOTONIC + taken * 1_000_000, 0, sequence] {
            chunk.extend_from_slice(&number.to_le_bytes());
        }
        self.chunks.push(chunk);
    }

    /// A record: kind, op, api, file, start and end in ms after the program was loaded, bytes.
    pub(crate) fn record(
        &mut self,
        [kind, op, api]: [u8; 3],
        file: u32,
        [start, end]: [u64; 2],
        bytes: u64,
    ) -> &mut Self {
        let ticks = |ms: u64| MONOTONIC + ms * 1_000_000;
        let chunk = self.chunks.last_mut().expect("there is a chunk");
        for number in [ticks(start), ticks(end), bytes] {
            chunk.extend_from_slice(&number.to_le_bytes());
        }
        chunk.extend_from_slice(&file.to_le_bytes());
        chunk.extend_from_slice(&[op, api, 0, kind]);
        self
    }

    /// The last record was done by a library of MPI on behalf of a call of MPI-IO.
    pub(crate) fn beneath_mpi(&mut self) -> &mut Self {
        self.flagged(BENEATH_MPI)
    }

    /// The last record has these flags.
    pub(crate) fn flagged(&mut self, bits: u8) -> &mut Self {
        let chunk = self.chunks.last_mut().expect("there is a chunk");
        let flags = chunk.len() - 2;
        chunk[flags] = bits;
        self
    }

    /// The name of a file.
    pub(crate) fn name(&mut self, file: u32, name: &str) -> &mut Self {
        self.record([kind::NAME, 0, 0], file, [0, 0], name.len() as u64);
        let chunk = self.chunks.last_mut().expect("there is a chunk");
        let end = chunk.len() + name_slots(name.len()) * RECORD_SIZE;
        chunk.extend_from_slice(name.as_bytes());
        chunk.resize(end, 0);
        self
    }

    /// The bytes of the log, chunks filled up.
    pub(crate) fn finish(&self) -> Vec<u8> {
        let mut bytes = self.header.clone();
        for chunk in &self.chunks {
            let mut chunk = chunk.clone();
            chunk.resize(CHUNK_SIZE, 0);
            bytes.extend_from_slice(&chunk);
        }
        bytes
    }
}
