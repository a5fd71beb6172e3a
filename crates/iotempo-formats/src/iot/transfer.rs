//! A record that moved data, in the words of the model.

use super::header::Header;
use iotempo_model::wire::record_flag::{BENEATH_MPI, COLLECTIVE};
use iotempo_model::wire::{Record, api, kind, op, split_coalesced};
use iotempo_model::{Api, Op};

/// Linux moves no more in a system call.
const MOST_PER_SYSTEM_CALL: u64 = 0x7fff_f000;
/// No process has more memory to move from or to; streams and MPI-IO make system calls until all is
/// moved.
const MOST_PER_CALL: u64 = 1 << 47;

/// One record's requests.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Transfer {
    pub(crate) op: Op,
    pub(crate) api: Api,
    pub(crate) file: u32,
    /// How many requests there were.
    pub(super) count: u64,
    pub(crate) bytes: u64,
    /// Whether a library of MPI did it on behalf of a call of MPI-IO.
    pub(crate) beneath_mpi: bool,
    /// Whether it was a collective call of MPI-IO. Logs from before that was noted never say so.
    pub(super) collective: bool,
    /// From the moment when the program was loaded, in ns.
    pub(crate) start_ns: f64,
    pub(crate) end_ns: f64,
}

/// What became of a record.
pub(super) enum Read {
    Transfer(Transfer),
    /// It moved no data.
    Other,
    /// Its values cannot be.
    Impossible,
}

/// Looks at a record.
pub(super) fn read(record: &Record, header: &Header) -> Read {
    let (count, bytes) = match record.kind {
        kind::TRANSFER => (1, record.bytes),
        kind::COALESCED => split_coalesced(record.bytes),
        _ => return Read::Other,
    };
    let op = match record.op {
        op::READ => Op::Read,
        op::WRITE => Op::Write,
        _ => return Read::Impossible,
    };
    let api = match record.api {
        api::POSIX => Api::Posix,
        api::STDIO => Api::Stdio,
        api::MPIIO => Api::MpiIo,
        api::MMAP => Api::Unknown,
        _ => return Read::Impossible,
    };
    let start_ns = header.elapsed_ns(record.start);
    let end_ns = header.elapsed_ns(record.end);
    let possible = header.is_possible(start_ns) && header.is_possible(end_ns);
    if !possible || count == 0 || bytes > most_bytes(api).saturating_mul(count) {
        return Read::Impossible;
    }
    Read::Transfer(Transfer {
        op,
        api,
        file: record.file,
        count,
        bytes,
        beneath_mpi: record.flags & BENEATH_MPI != 0,
        collective: record.flags & COLLECTIVE != 0,
        start_ns,
        end_ns,
    })
}

/// The most that one request moves.
fn most_bytes(api: Api) -> u64 {
    match api {
        Api::Posix => MOST_PER_SYSTEM_CALL,
        _ => MOST_PER_CALL,
    }
}
