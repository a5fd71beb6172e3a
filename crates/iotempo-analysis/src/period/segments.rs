//! Stretches of one behaviour each.

use super::finding::{Phase, Rhythm, Segment};
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
    let near = shortest_period(rhythms);
    for cut in cuts {
        if cut - edges[edges.len() - 1] > near && end - cut > near {
            edges.push(cut);
        }
    }
    edges.push(end);
    let pairs = edges.windows(2).zip(main_rhythms(&edges, rhythms));
    pairs
        .map(|(pair, main)| segment(pair[0], pair[1], signal, moved, main))
        .collect()
}

/// The first rhythm, if any, that fills more than half of the time from each edge to the next.
fn main_rhythms<'a>(edges: &[f64], rhythms: &'a [Rhythm]) -> Vec<Option<&'a Rhythm>> {
    let mut main = vec![None; edges.len() - 1];
    for rhythm in rhythms {
        let (Some(first), Some(last)) = (rhythm.phases.first(), rhythm.phases.last()) else {
            continue;
        };
        let edge_after = |phase: &Phase| edges.partition_point(|edge| *edge <= phase.start.get());
        let from = edge_after(first).saturating_sub(1);
        let to = edge_after(last).min(main.len());
        for at in from..to {
            if main[at].is_none() && fills(rhythm, edges[at], edges[at + 1]) {
                main[at] = Some(rhythm);
            }
        }
    }
    main
}

/// Whether phases of a rhythm begin in more than half of a stretch.
fn fills(rhythm: &Rhythm, from: f64, to: f64) -> bool {
    let before = |time: f64| {
        let phases = &rhythm.phases;
        phases.partition_point(|phase| phase.start.get() < time)
    };
    let count = before(to) - before(from);
    count as f64 * rhythm.period.value.get() > 0.5 * (to - from)
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

fn segment(from: f64, to: f64, signal: &Signal, moved: &Moved, main: Option<&Rhythm>) -> Segment {
    let step = signal.step().get();
    let place = |time: f64| (time - signal.start().get()) / step;
    Segment {
        start: Seconds::new(from).unwrap_or_default(),
        end: Seconds::new(to).unwrap_or_default(),
        bytes: moved.bytes(place(from), place(to)),
        period: main.map(|rhythm| rhythm.period),
        confidence: main.map_or(0.0, |rhythm| rhythm.confidence),
    }
}
