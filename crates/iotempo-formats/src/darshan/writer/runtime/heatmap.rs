//! Bytes per time bin.

use super::super::super::log::HeatmapRecord;
use super::super::super::module::Module;
use super::super::hash::record_id;
use super::Call;
use iotempo_model::Op;

/// The runtime begins with bins of this width and doubles it until the job fits.
const NARROWEST_S: f64 = 0.1;
const MOST_BINS: f64 = 200.0;

/// A heatmap for a job of `run_time` seconds.
pub(super) fn empty(module: Module, rank: u32, run_time: f64) -> HeatmapRecord {
    let mut width = NARROWEST_S;
    while run_time.is_finite() && MOST_BINS * width < run_time {
        width *= 2.0;
    }
    let bins = (run_time / width).ceil().clamp(1.0, MOST_BINS) as usize;
    let layer = match module {
        Module::MpiIo => "heatmap:MPIIO",
        Module::Stdio => "heatmap:STDIO",
        _ => "heatmap:POSIX",
    };
    HeatmapRecord {
        id: record_id(layer),
        rank: rank.into(),
        bin_width_s: width,
        writes: vec![0; bins],
        reads: vec![0; bins],
    }
}

/// Spreads a call over the bins that it touches. Each bin is rounded for itself, as by Darshan, so
/// that sums may be off by a byte per bin.
pub(super) fn add(record: &mut HeatmapRecord, call: &Call) {
    let width = record.bin_width_s;
    let bins = match call.op {
        Op::Read => &mut record.reads,
        Op::Write => &mut record.writes,
    };
    let bin_of = |time: f64| ((time / width) as usize).min(bins.len() - 1);
    let (first, last) = (bin_of(call.start), bin_of(call.end));
    if first == last {
        bins[first] += call.length;
        return;
    }
    let rate = call.length as f64 / (call.end - call.start);
    for (at, bin) in bins.iter_mut().enumerate().take(last + 1).skip(first) {
        let from = call.start.max(at as f64 * width);
        let to = if at == last {
            call.end
        } else {
            (at + 1) as f64 * width
        };
        *bin += (rate * (to - from)).round() as i64;
    }
}
