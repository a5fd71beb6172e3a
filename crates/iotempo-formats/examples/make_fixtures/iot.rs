//! A log of the tracer with every kind of record.

use super::iot_log::IotLog;
use iotempo_model::wire::{api, kind, note, op};

/// One chunk, nearly full, so that few mutations fall on empty slots.
pub(crate) fn log() -> Vec<u8> {
    let mut log = IotLog::new("node1", 4242, 0);
    log.name(1, "/scratch/checkpoint.0").name(
        2,
        "/scratch/a name that takes more than one slot of a chunk",
    );
    log.record([kind::NOTE, note::MMAP, api::MMAP], 2, [1, 1], 1 << 20);
    log.record([kind::THREAD, 0, 0], 0, [0, 0], 4243);
    for number in 0..500_u64 {
        let start = 10 + 15 * number;
        let when = [start, start + 5];
        log.record([kind::METADATA, op::OPEN, api::POSIX], 1, when, 0);
        log.record([kind::TRANSFER, op::WRITE, api::POSIX], 1, when, 4096);
        log.record([kind::TRANSFER, op::WRITE, api::MPIIO], 1, when, 4096);
        let several = 3 << 40 | 300;
        log.record([kind::COALESCED, op::READ, api::STDIO], 2, when, several);
    }
    log.record([kind::TRANSFER, op::READ, api::MPIIO], 3, [1, 2], 7);
    log.finish()
}
