//! What a person should know about a job's logs.

use super::survey::{Log, Totals};
use crate::reading::Layer;
use iotempo_model::wire::{flag, note};
use iotempo_model::{Warning, counted};

/// What was not seen, not kept, or put together.
pub(super) fn of(logs: &[Log], totals: &Totals, layer: Layer) -> Vec<Warning> {
    let mut warnings = invisible(totals, layer);
    let dropped = logs.iter().map(|log| log.header.dropped);
    let dropped = dropped.fold(0, u64::saturating_add);
    if dropped > 0 {
        let message = format!(
            "{} could not be kept by the tracer",
            counted(dropped, "record")
        );
        warnings.push(Warning::new("dropped", message));
    }
    if totals.counts.impossible > 0 {
        let records = counted(totals.counts.impossible, "record");
        let message = format!("{records} with values that cannot be: left out");
        warnings.push(Warning::new("damaged", message));
    }
    let slept = logs.iter().filter(|log| log.header.slept).count() as u64;
    if slept > 0 {
        let message = format!(
            "{}: the processor's counter and the monotonic clock parted, as when a machine sleeps; \
             times are the counter's",
            counted(slept, "log")
        );
        warnings.push(Warning::new("clock-parted", message));
    }
    for (bit, code, what) in [
        (
            flag::STOPPED,
            "log-stopped",
            "could not grow and ended before its program did",
        ),
        (
            flag::RING,
            "log-ring",
            "kept to a size: old requests may have been written over",
        ),
    ] {
        let count = logs.iter().filter(|log| log.header.has(bit)).count() as u64;
        if count > 0 {
            let message = format!("{} {what}", counted(count, "log"));
            warnings.push(Warning::new(code, message));
        }
    }
    warnings.extend(coalesced(totals));
    warnings
}

fn coalesced(totals: &Totals) -> Option<Warning> {
    let (records, requests) = totals.counts.coalesced;
    (records > 0).then(|| {
        let message = format!(
            "{} for {requests} requests close together: each lasts from the first to the last",
            counted(records, "record")
        );
        Warning::new("coalesced", message)
    })
}

/// I/O that began and that no hook sees.
fn invisible(totals: &Totals, layer: Layer) -> Vec<Warning> {
    let count = |kind: u8| totals.counts.notes[usize::from(kind)];
    let (maps, rings) = (count(note::MMAP), count(note::IO_URING));
    // What MPI libraries hand to the kernel so is seen one layer higher.
    let aio = match layer {
        Layer::Auto | Layer::MpiIo => count(note::AIO) - totals.seen_asynchronous(),
        Layer::Posix | Layer::Stdio => count(note::AIO),
    };
    let told = [
        (
            maps,
            "mmap-invisible",
            format!(
                "{} of files into memory ({} bytes): what moves through them is not seen",
                counted(maps, "mapping"),
                totals.counts.mapped
            ),
        ),
        (
            rings,
            "io-uring-invisible",
            format!(
                "{} set up: what moves through it is not seen",
                counted(rings, "io_uring")
            ),
        ),
        (
            aio,
            "aio-invisible",
            format!(
                "{} of asynchronous I/O: its bytes are not seen",
                counted(aio, "call")
            ),
        ),
    ];
    let told = told.into_iter().filter(|(count, ..)| *count > 0);
    told.map(|(_, code, message)| Warning::new(code, message))
        .collect()
}
