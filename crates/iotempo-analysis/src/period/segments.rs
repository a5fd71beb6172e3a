//! Stretches of one behaviour each.

use super::finding::{Rhythm, Segment};
use super::phases::Moved;
use iotempo_model::{Seconds, Signal};

/// Where rhythms begin and end, and which of them moves most in between.
pub(super) fn segments(signal: &Signal, moved: &Moved, rhythms: &[Rhythm]) -> Vec<Segment> {
    let start = signal.start().get();
    let end = start + signal.samples().len() as f64 * signal.step().get();
    let mut cuts: Vec<f64> = rhythms
        .iter()
        .flat_map(|rhythm| bounds(rhythm, start, end))
        .collect();
    cuts.sort_unstable_by(f64::total_cmp);
    let mut edges = vec![start];
    for cut in cuts {
        let near = shortest_period(rhythms);
        if cut - edges[edges.len() - 1] > near && end - cut > near {
            edges.push(cut);
        }
    }
    edges.push(end);
    let pairs = edges.windows(2);
    pairs
        .map(|pair| segment(pair[0], pair[1], signal, moved, rhythms))
        .collect()
}

/// Where a rhythm begins and ends, if that is not where the signal does.
fn bounds(rhythm: &Rhythm, start: f64, end: f64) -> Vec<f64> {
    let period = rhythm.period.value.get();
    let (Some(first), Some(last)) = (rhythm.phases.first(), rhythm.phases.last()) else {
        return Vec::new();
    };
    // A phase may be missing at either end; two are a change.
    let from = first.start.get() - period;
    let to = last.start.get() + period;
    let mut bounds = Vec::new();
    if from > start + period {
        bounds.push(first.start.get());
    }
    if to < end - period {
        bounds.push(last.start.get());
    }
    bounds
}

fn shortest_period(rhythms: &[Rhythm]) -> f64 {
    let periods = rhythms.iter().map(|rhythm| rhythm.period.value.get());
    periods.fold(f64::INFINITY, f64::min)
}

fn segment(from: f64, to: f64, signal: &Signal, moved: &Moved, rhythms: &[Rhythm]) -> Segment {
    let step = signal.step().get();
    let place = |time: f64| (time - signal.start().get()) / step;
    let inside = |rhythm: &&Rhythm| {
        let starts = rhythm.phases.iter().map(|phase| phase.start.get());
        let count = starts.filter(|at| *at >= from && *at < to).count();
        count as f64 * rhythm.period.value.get() > 0.5 * (to - from)
    };
    let main = rhythms.iter().find(inside);
    Segment {
        start: Seconds::new(from).unwrap_or_default(),
        end: Seconds::new(to).unwrap_or_default(),
        bytes: moved.bytes(place(from), place(to)),
        period: main.map(|rhythm| rhythm.period),
        confidence: main.map_or(0.0, |rhythm| rhythm.confidence),
    }
}
