//! What a person should know about a job's logs.

use super::clocks::Clocks;
use super::survey::{Log, Totals};
use crate::reading::Layer;
use iotempo_model::wire::{RECORDS_PER_CHUNK, flag, note};
use iotempo_model::{Warning, counted};

/// What was not seen, not kept, or put together.
pub(super) fn of(logs: &[Log], clocks: &Clocks, totals: &Totals, layer: Layer) -> Vec<Warning> {
    let mut warnings = invisible(totals, layer);
    warnings.extend(dropped(logs));
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
    warnings.extend(stopped(logs, clocks));
    warnings.extend(coalesced(totals));
    warnings
}

/// What logs that keep to a size have written over, and how many requests `left_out` for that.
pub(super) fn ring(logs: &[Log], from_ns: f64, left_out: u64) -> Warning {
    let losses: Vec<_> = logs.iter().filter_map(|log| log.loss).collect();
    let chunks = losses.iter().map(|loss| loss.chunks);
    let chunks = chunks.fold(0, u64::saturating_add);
    let message = format!(
        "{} kept to a size: {} of up to {RECORDS_PER_CHUNK} requests written over; all is there \
         from {:.3} s on, and {} before that left out",
        counted(losses.len() as u64, "log"),
        counted(chunks, "chunk"),
        from_ns * 1e-9,
        counted(left_out, "request")
    );
    Warning::new("log-ring", message)
}

/// A log that stopped counts no longer what it does not keep.
fn dropped(logs: &[Log]) -> Option<Warning> {
    let kept = logs.iter().map(|log| log.header.dropped);
    let records = kept.fold(0, u64::saturating_add);
    let stopped = logs.iter().any(|log| log.header.has(flag::STOPPED));
    let at_least = if stopped { "at least " } else { "" };
    (records > 0).then(|| {
        let records = counted(records, "record");
        let message = format!("{at_least}{records} could not be kept by the tracer");
        Warning::new("dropped", message)
    })
}

/// From when on there is nothing of a process.
fn stopped(logs: &[Log], clocks: &Clocks) -> Option<Warning> {
    let stopped: Vec<_> = logs
        .iter()
        .filter(|log| log.header.has(flag::STOPPED))
        .collect();
    if stopped.is_empty() {
        return None;
    }
    let first = stopped.iter().filter_map(|log| clocks.end_s(log));
    let first = first.min_by(f64::total_cmp);
    let since = match (first, stopped.len()) {
        (Some(first), 1) => format!("nothing was kept from {first:.3} s on"),
        (Some(first), _) => format!("nothing was kept of the first of them from {first:.3} s on"),
        (None, _) => "what came later was not kept".to_owned(),
    };
    let message = format!(
        "{} could not grow and ended before its program did: {since}",
        counted(stopped.len() as u64, "log")
    );
    Some(Warning::new("log-stopped", message))
}

fn coalesced(totals: &Totals) -> Option<Warning> {
    let (records, requests) = totals.counts.coalesced;
    (records > 0).then(|| {
        let message = format!(
            "{} for {} close together: each lasts from the first to the last",
            counted(records, "record"),
            counted(requests, "request")
        );
        Warning::new("coalesced", message)
    })
}

/// I/O that began and that no hook sees.
fn invisible(totals: &Totals, layer: Layer) -> Vec<Warning> {
    let count = |kind: u8| totals.counts.notes[usize::from(kind)];
    let (maps, rings) = (count(note::MMAP), count(note::IO_URING));
    let inlined = count(note::INLINED);
    // What MPI libraries hand to the kernel so is seen one layer higher.
    let aio = match layer {
        Layer::Auto | Layer::MpiIo | Layer::All => count(note::AIO) - totals.seen_asynchronous(),
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
            inlined,
            "stdio-invisible",
            format!(
                "{} used by macros such as putc_unlocked: characters that they moved are not seen",
                counted(inlined, "file")
            ),
        ),
        (
            aio,
            "aio-invisible",
            format!(
                "{} with asynchronous I/O: its bytes are not seen",
                counted(aio, "file")
            ),
        ),
    ];
    let told = told.into_iter().filter(|(count, ..)| *count > 0);
    told.map(|(_, code, message)| Warning::new(code, message))
        .collect()
}
