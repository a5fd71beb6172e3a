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
        bounds.push(to);
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

#[cfg(test)]
mod tests {
    use super::super::finding::{Estimate, Phase};
    use super::*;
    use iotempo_model::Bytes;

    fn seconds(value: f64) -> Seconds {
        Seconds::new(value).expect("finite")
    }

    /// A rhythm of phases of a second from `start` to `end`.
    fn rhythm(start: f64, end: f64, period: f64) -> Rhythm {
        let starts = std::iter::successors(Some(start), |start| Some(start + period));
        let phase = |start: f64| Phase {
            start: seconds(start),
            end: seconds(start + 1.0),
            bytes: Bytes::from(1),
        };
        Rhythm {
            period: Estimate {
                value: seconds(period),
                low: seconds(period),
                high: seconds(period),
            },
            confidence: 0.9,
            jitter: None,
            phases: starts.take_while(|start| *start < end).map(phase).collect(),
            next_start: None,
            bytes: Bytes::default(),
        }
    }

    /// The bounds and the periods of the segments of a run of 400 s that moves 1 B/s.
    fn found(rhythms: &[Rhythm]) -> Vec<(f64, f64, Option<f64>)> {
        let signal = Signal::new(seconds(1000.0), seconds(2.0), vec![1.0; 200]);
        let moved = Moved::new(signal.samples(), 2.0);
        let segments = segments(&signal, &moved, rhythms);
        let bytes: f64 = segments.iter().map(|part| part.bytes.get()).sum();
        assert!((bytes - 400.0).abs() < 1e-9, "{bytes}");
        let period = |part: &Segment| part.period.map(|period| period.value.get());
        let bounds = |part: &Segment| (part.start.get(), part.end.get(), period(part));
        segments.iter().map(bounds).collect()
    }

    #[test]
    fn one_behaviour_is_one_segment() {
        assert_eq!(found(&[]), [(1000.0, 1400.0, None)]);
        let all = rhythm(1005.0, 1395.0, 20.0);
        assert_eq!(found(&[all]), [(1000.0, 1400.0, Some(20.0))]);
    }

    #[test]
    fn a_rhythm_that_sets_in_late_or_ends_early_has_a_segment_of_its_own() {
        let middle = rhythm(1100.0, 1310.0, 20.0);
        let parts = [
            (1000.0, 1100.0, None),
            (1100.0, 1320.0, Some(20.0)),
            (1320.0, 1400.0, None),
        ];
        assert_eq!(found(&[middle]), parts);
    }

    #[test]
    fn of_two_rhythms_the_bigger_one_names_the_segment_that_both_share() {
        let joining = rhythm(1200.0, 1400.0, 40.0);
        let steps = rhythm(1000.0, 1400.0, 10.0);
        let parts = [(1000.0, 1200.0, Some(10.0)), (1200.0, 1400.0, Some(40.0))];
        assert_eq!(found(&[joining, steps]), parts);
    }
}
