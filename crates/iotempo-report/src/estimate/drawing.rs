//! The curve as a picture: a point per number of I/O nodes, and what most runs reach.

use crate::axis::{Scale, label, row_step};
use crate::quantity::{Units, rate};
use iotempo_analysis::estimate::CombinedPoint;

/// A picture: heights in pixels, and what lies across in percent of the width, so that words are as large on a
/// phone as anywhere.
pub(super) struct Drawing {
    pub(super) height: f64,
    pub(super) bottom: f64,
    pub(super) unit: String,
    pub(super) rows: Vec<Line>,
    pub(super) points: Vec<Drawn>,
    /// From each point to the next.
    pub(super) steps: Vec<Step>,
}

/// From one point to the next.
pub(super) struct Step {
    pub(super) x: [String; 2],
    pub(super) y: [String; 2],
}

/// A line across with its label.
pub(super) struct Line {
    pub(super) y: String,
    pub(super) label: String,
}

/// A number of I/O nodes.
pub(super) struct Drawn {
    pub(super) x: String,
    pub(super) y: String,
    pub(super) low: String,
    pub(super) high: String,
    pub(super) label: String,
    pub(super) title: String,
    pub(super) class: &'static str,
}

const TOP: f64 = 24.0;
const BOTTOM: f64 = 280.0;
/// Lines across.
const ROWS: usize = 8;

impl Drawing {
    /// `None` where there is nothing to draw.
    pub(super) fn of(points: &[CombinedPoint], best: Option<u32>, units: Units) -> Option<Self> {
        let highs = points.iter().map(|p| p.high_bytes_per_s);
        let highest = highs.filter(|high| high.is_finite()).fold(0.0, f64::max);
        if highest <= 0.0 {
            return None;
        }
        let scale = Scale::of_rates(highest, units);
        let (between, step) = row_step(highest / scale.size, ROWS);
        let top = step * (ROWS / between) as f64 * scale.size;
        let y = |value: f64| BOTTOM - (BOTTOM - TOP) * (value / top).clamp(0.0, 1.0);
        let gap = 100.0 / points.len() as f64;
        let x = |at: usize| gap * (at as f64 + 0.5);
        let number = |value: f64| format!("{value:.1}");
        let rows = (0..=ROWS / between).map(|row| {
            let value = step * row as f64;
            Line {
                y: number(y(value * scale.size)),
                label: label(value, step),
            }
        });
        let drawn = points.iter().enumerate().map(|(at, point)| Drawn {
            x: number(x(at)),
            y: number(y(point.bytes_per_s)),
            low: number(y(point.low_bytes_per_s)),
            high: number(y(point.high_bytes_per_s)),
            label: point.io_nodes.to_string(),
            title: format!(
                "{} I/O nodes: {}, four of five runs {} to {}",
                point.io_nodes,
                rate(point.bytes_per_s, units),
                rate(point.low_bytes_per_s, units),
                rate(point.high_bytes_per_s, units)
            ),
            class: if Some(point.io_nodes) == best {
                "best"
            } else {
                "point"
            },
        });
        let drawn: Vec<Drawn> = drawn.collect();
        let steps = drawn.windows(2).map(|pair| Step {
            x: [0, 1].map(|end| pair[end].x.clone()),
            y: [0, 1].map(|end| pair[end].y.clone()),
        });
        Some(Self {
            height: 330.0,
            bottom: BOTTOM,
            unit: scale.unit.clone(),
            rows: rows.collect(),
            steps: steps.collect(),
            points: drawn,
        })
    }
}
