//! The tracer's log as it lies in a file: plain integers, little endian, `core` only.
//!
//! A log is one [`Header`] page, then chunks of [`CHUNK_SIZE`] bytes. A chunk begins with a
//! [`ChunkHeader`] and holds [`Record`]s of one thread. `docs/trace-format.md` tells the whole.

use core::mem::{offset_of, size_of};

/// The first eight bytes of every log.
pub const MAGIC: [u8; 8] = *b"IOTEMPO\0";
/// The version of the format that this module describes.
pub const VERSION: u32 = 1;
/// How far the first chunk lies from the start of the file, in bytes.
pub const HEADER_SIZE: usize = 4096;
/// The size of a chunk with its header, in bytes.
pub const CHUNK_SIZE: usize = 65536;
/// The size of a record and of a slot of a name, in bytes.
pub const RECORD_SIZE: usize = size_of::<Record>();
/// The first four bytes of a chunk that is in use: `CHNK`.
pub const CHUNK_MAGIC: u32 = u32::from_le_bytes(*b"CHNK");
/// Set in a chunk's thread where the chunk holds names that a ring must keep.
pub const NAMES_BIT: u32 = 1 << 31;
/// How many records fit into a chunk.
pub const RECORDS_PER_CHUNK: usize = (CHUNK_SIZE - size_of::<ChunkHeader>()) / RECORD_SIZE;

/// Bits of [`Header::flags`].
pub mod flag {
    /// Ticks are those of a counter of the processor; otherwise they are monotonic nanoseconds.
    pub const CPU_CLOCK: u64 = 1;
    /// Old chunks were written over once the log had reached its size.
    pub const RING: u64 = 1 << 1;
    /// The log could not grow, so what came later is missing.
    pub const STOPPED: u64 = 1 << 2;
    /// The program came to an end, or became another one; one that was killed has not said so.
    pub const ENDED: u64 = 1 << 3;
}

/// Values of [`Record::kind`].
pub mod kind {
    /// Nothing was written here: the chunk's data ends.
    pub const EMPTY: u8 = 0;
    /// One request.
    pub const TRANSFER: u8 = 1;
    /// The name of a file; `bytes` is its length, and it follows in whole slots.
    pub const NAME: u8 = 2;
    /// I/O that cannot be seen began; `op` says which.
    pub const NOTE: u8 = 3;
    /// Several requests in one record; `bytes` holds their count and sum.
    pub const COALESCED: u8 = 4;
    /// An open, close or sync.
    pub const METADATA: u8 = 5;
    /// What follows in this chunk was done by the thread whose number is in `bytes`.
    pub const THREAD: u8 = 6;
    /// A record that was begun and never finished: nothing to read, but others follow.
    pub const ABANDONED: u8 = 7;
}

/// Values of [`Record::op`] where the kind is not [`kind::NOTE`].
pub mod op {
    /// From storage to memory.
    pub const READ: u8 = 0;
    /// From memory to storage.
    pub const WRITE: u8 = 1;
    /// A file was opened.
    pub const OPEN: u8 = 2;
    /// A file was closed.
    pub const CLOSE: u8 = 3;
    /// Data was forced out: `fsync`, `fflush`, `MPI_File_sync`.
    pub const SYNC: u8 = 4;
    /// Anything else.
    pub const OTHER: u8 = 5;
}

/// Values of [`Record::op`] where the kind is [`kind::NOTE`].
pub mod note {
    /// A file was mapped into memory; `bytes` is the length of the mapping.
    pub const MMAP: u8 = 1;
    /// An io_uring was set up; `bytes` is its number of entries.
    pub const IO_URING: u8 = 2;
    /// A request was handed to threads of libc: `aio_read`, `aio_write`.
    pub const AIO: u8 = 3;
    /// A macro such as `putc_unlocked` filled or emptied the buffer of a stream: characters that it moves
    /// make no calls.
    pub const INLINED: u8 = 4;
    /// How many values there are, with 0.
    pub const COUNT: usize = 5;
}

/// Bits of [`Record::flags`].
pub mod record_flag {
    /// It was done by a library of MPI on behalf of a call of MPI-IO, which has a record of its own.
    pub const BENEATH_MPI: u8 = 1;
    /// All processes that have the file open made it together: a collective call of MPI-IO.
    pub const COLLECTIVE: u8 = 1 << 1;
}

/// Values of [`Record::api`].
pub mod api {
    /// `read`, `pwrite`, …
    pub const POSIX: u8 = 0;
    /// `fread`, `fprintf`, …
    pub const STDIO: u8 = 1;
    /// `MPI_File_write_at`, …
    pub const MPIIO: u8 = 2;
    /// Memory-mapped files.
    pub const MMAP: u8 = 3;
}

/// The first page of a log.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct Header {
    /// [`MAGIC`].
    pub magic: [u8; 8],
    /// [`VERSION`].
    pub version: u32,
    /// [`HEADER_SIZE`].
    pub header_size: u32,
    /// [`RECORD_SIZE`].
    pub record_size: u32,
    /// [`CHUNK_SIZE`].
    pub chunk_size: u32,
    /// Bits of [`flag`].
    pub flags: u64,
    /// Ticks when the program was loaded, which is before any record.
    pub first_ticks: u64,
    /// The monotonic clock at `first_ticks`, in nanoseconds.
    pub first_monotonic_ns: u64,
    /// Nanoseconds since 1970 at `first_ticks`.
    pub first_realtime_ns: u64,
    /// Ticks when both clocks were last read together.
    pub last_ticks: u64,
    /// The monotonic clock at `last_ticks`, in nanoseconds.
    pub last_monotonic_ns: u64,
    /// Odd while the last pair is being written; a reader reads it before and after.
    pub last_sequence: u32,
    /// Zero.
    pub reserved: u32,
    /// Ticks in a second, as measured over at least 200 µs before the log began.
    pub ticks_per_second: f64,
    /// The process.
    pub pid: u32,
    /// Its parent.
    pub ppid: u32,
    /// Its rank, or -1 where the environment names none.
    pub rank: i32,
    /// How many ranks the job has, or 0.
    pub ranks: u32,
    /// The name of the machine; like all names here it ends at the first zero byte.
    pub host: [u8; 64],
    /// The program's file.
    pub exe: [u8; 256],
    /// The job that the log belongs to.
    pub job: [u8; 64],
    /// Requests of a thread within this many nanoseconds share a record; 0 where none do.
    pub coalesce_ns: u64,
    /// Records that could not be kept.
    pub dropped: u64,
    /// Records of kind [`kind::NOTE`].
    pub notes: u64,
    /// Chunks taken so far. A hint: readers go by the size of the file.
    pub chunks: u32,
    /// Zero.
    pub reserved_end: u32,
}

/// The first 32 bytes of a chunk.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct ChunkHeader {
    /// [`CHUNK_MAGIC`], or 0 in a chunk that nobody uses.
    pub magic: u32,
    /// The thread's number, with [`NAMES_BIT`] where only names are kept here.
    pub thread: u32,
    /// Ticks when the thread took the chunk.
    pub ticks: u64,
    /// The monotonic clock at `ticks`, in nanoseconds.
    pub monotonic_ns: u64,
    /// Chunks in the order in which they were taken.
    pub sequence: u64,
}

/// What one call did.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Record {
    /// Ticks before the call.
    pub start: u64,
    /// Ticks after it.
    pub end: u64,
    /// Bytes that were moved.
    pub bytes: u64,
    /// The file, as named by a record of kind [`kind::NAME`]; 0 where it is unknown.
    pub file: u32,
    /// What was done: a value of [`op`] or [`note`].
    pub op: u8,
    /// Where it was seen: a value of [`api`].
    pub api: u8,
    /// Bits of [`record_flag`].
    pub flags: u8,
    /// A value of [`kind`], written last.
    pub kind: u8,
}

const _: () = {
    assert!(size_of::<Header>() == 520 && size_of::<Header>() <= HEADER_SIZE);
    assert!(size_of::<ChunkHeader>() == 32 && size_of::<Record>() == 32);
    assert!(offset_of!(Header, ticks_per_second) == 80 && offset_of!(Header, pid) == 88);
    assert!(offset_of!(Header, host) == 104 && offset_of!(Header, coalesce_ns) == 488);
    assert!(offset_of!(Header, chunks) == 512);
    assert!(offset_of!(Record, file) == 24 && offset_of!(Record, kind) == 31);
    assert!(RECORDS_PER_CHUNK == 2047);
};

const SUM_BITS: u32 = 40;

/// The most bytes that a record of kind [`kind::COALESCED`] can hold.
pub const MAX_COALESCED_BYTES: u64 = (1 << SUM_BITS) - 1;
/// The most requests that it can hold.
pub const MAX_COALESCED_COUNT: u64 = (1 << (64 - SUM_BITS)) - 1;

/// The `bytes` of a coalesced record, or nothing where they do not fit.
#[must_use]
pub const fn coalesced(count: u64, bytes: u64) -> Option<u64> {
    if count > MAX_COALESCED_COUNT || bytes > MAX_COALESCED_BYTES {
        return None;
    }
    Some(count << SUM_BITS | bytes)
}

/// The count of requests and the sum of their bytes in a coalesced record.
#[must_use]
pub const fn split_coalesced(word: u64) -> (u64, u64) {
    (word >> SUM_BITS, word & MAX_COALESCED_BYTES)
}

/// How many slots a name of `length` bytes takes after its record.
#[must_use]
pub const fn name_slots(length: usize) -> usize {
    length.div_ceil(RECORD_SIZE)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_coalesced_word_gives_back_its_count_and_sum() {
        for (count, bytes) in [
            (1, 0),
            (3, 4096),
            (MAX_COALESCED_COUNT, MAX_COALESCED_BYTES),
        ] {
            let word = coalesced(count, bytes).expect("fits");
            assert_eq!(split_coalesced(word), (count, bytes));
        }
    }

    #[test]
    fn what_does_not_fit_into_a_coalesced_word_is_refused() {
        assert_eq!(coalesced(MAX_COALESCED_COUNT + 1, 0), None);
        assert_eq!(coalesced(1, MAX_COALESCED_BYTES + 1), None);
    }

    #[test]
    fn a_name_takes_whole_slots() {
        assert_eq!([0, 1, 32, 33].map(name_slots), [0, 1, 1, 2]);
    }
}
