//! When which layer read and wrote: a bar per phase, a row per layer and direction.

use super::{Instants, PhasesPage, layer};
use crate::axis::{Scale, ticks};
use crate::quantity::{bytes, duration};
use iotempo_analysis::phases::IoPhase;
use iotempo_model::{Api, Op};
use std::collections::BTreeMap;

/// Bars that are drawn; a page must stay small.
const MOST_BARS: usize = 4000;
const ROW: f64 = 34.0;

/// A picture, ready to be drawn: heights in pixels, and what lies across in percent of the width, so that words
/// are as large on a phone as anywhere.
pub(super) struct Timeline {
    pub(super) height: f64,
    pub(super) rows: Vec<Row>,
    pub(super) ticks: Vec<Tick>,
    pub(super) bottom: f64,
    pub(super) unit: String,
    /// How many bars are not drawn.
    pub(super) hidden: usize,
}

pub(super) struct Row {
    pub(super) label: String,
    /// Where its label stands.
    pub(super) text_y: f64,
    pub(super) bars: Vec<Bar>,
}

pub(super) struct Bar {
    pub(super) x: String,
    pub(super) y: f64,
    pub(super) width: String,
    pub(super) height: f64,
    pub(super) class: &'static str,
    pub(super) title: String,
}

pub(super) struct Tick {
    pub(super) x: String,
    pub(super) label: String,
}

impl Timeline {
    /// `None` where there is nothing to draw.
    pub(super) fn of(page: &PhasesPage) -> Option<Self> {
        let ends = page.phases.iter().map(|phase| phase.end_s);
        let to = ends.fold(page.run_time_s.unwrap_or(0.0), f64::max);
        let starts = page.phases.iter().map(|phase| phase.start_s);
        let from = starts.fold(0.0, f64::min);
        let span = to - from;
        if page.phases.is_empty() || !(span > 0.0 && span.is_finite()) {
            return None;
        }
        let x = |time: f64| 100.0 * (time - from) / span;
        let instants = Instants::of(&page.phases, page.run_time_s);
        let mut rows: BTreeMap<(Api, Op), Vec<(usize, &IoPhase)>> = BTreeMap::new();
        for (place, phase) in page.phases.iter().enumerate().take(MOST_BARS) {
            let row = rows.entry((phase.api, phase.op)).or_default();
            row.push((place, phase));
        }
        let bottom = 8.0 + ROW * rows.len() as f64;
        let rows = rows
            .into_iter()
            .enumerate()
            .map(|(row, ((api, op), phases))| {
                let y = 8.0 + ROW * row as f64;
                let bar = |(place, phase): (usize, &IoPhase)| Bar {
                    x: format!("{:.3}", x(phase.start_s)),
                    y: y + 4.0,
                    width: format!("{:.3}", x(phase.end_s) - x(phase.start_s)),
                    height: ROW - 8.0,
                    class: class(phase),
                    title: title(place, phase, instants, page),
                };
                Row {
                    label: format!("{} {op}", layer(api)),
                    text_y: y + ROW / 2.0 + 4.0,
                    bars: phases.into_iter().map(bar).collect(),
                }
            });
        let scale = Scale::of_times(span);
        let marks = ticks(from / scale.size, to / scale.size, 10);
        let mark = |(place, label): (f64, String)| Tick {
            x: format!("{:.3}", x(place * scale.size)),
            label,
        };
        Some(Self {
            height: bottom + 40.0,
            rows: rows.collect(),
            ticks: marks.into_iter().map(mark).collect(),
            bottom,
            unit: scale.unit.clone(),
            hidden: page.phases.len().saturating_sub(MOST_BARS),
        })
    }
}

fn class(phase: &IoPhase) -> &'static str {
    match (phase.flags.shadow, phase.op) {
        (true, _) => "bar shadow",
        (false, Op::Read) => "bar read",
        (false, Op::Write) => "bar write",
    }
}

fn title(place: usize, phase: &IoPhase, instants: Instants, page: &PhasesPage) -> String {
    let [start, end] = instants.span(phase);
    format!(
        "phase {}: {} {}, {} to {}, {}",
        place + 1,
        layer(phase.api),
        phase.op,
        start,
        end,
        [
            bytes(phase.bytes as f64, page.units),
            format!("{} of I/O", duration(phase.time_s)),
        ]
        .join(", ")
    )
}
