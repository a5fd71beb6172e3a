//! A picture of values over values.

use crate::axis::{Scale, ticks};
use std::fmt::Write;

/// A picture, ready to be drawn: heights in pixels, and words in percent of the width, so that they are as
/// large on a phone as anywhere. Curves lie in a square of 1000 × 1000 that is stretched to fit.
pub(super) struct Plot {
    across: Axis,
    up: Axis,
    pub(super) height: u32,
    pub(super) alt: String,
    pub(super) shapes: Vec<Shape>,
    pub(super) marks: Vec<Mark>,
}

/// A curve, an area, or many dots.
pub(super) struct Shape {
    pub(super) class: &'static str,
    pub(super) path: String,
}

/// A place across that has a name.
pub(super) struct Mark {
    pub(super) class: &'static str,
    /// In percent.
    pub(super) x: String,
    pub(super) label: String,
    /// On which side of the place the label stands.
    pub(super) anchor: &'static str,
    pub(super) dx: i32,
    /// How far down.
    pub(super) y: u32,
}

/// A label on an axis.
pub(super) struct Tick {
    /// Across in percent, upwards in pixels.
    pub(super) at: String,
    pub(super) label: String,
}

/// From where to where, and in which unit.
#[derive(Debug, Clone)]
pub(super) struct Axis {
    pub(super) low: f64,
    pub(super) high: f64,
    pub(super) scale: Scale,
}

const SIDE: f64 = 1000.0;
/// Pixels above the picture, where its unit is, and below, where labels are.
const TOP: u32 = 24;
const BELOW: u32 = 40;
/// Labels of an axis.
const MOST_ACROSS: usize = 6;
const MOST_UP: usize = 6;

impl Axis {
    /// An axis that has a little room beside what it shows, if any. Where 0 is near, it begins there.
    pub(super) fn of(low: f64, high: f64, scale: impl FnOnce(f64) -> Scale) -> Option<Self> {
        let span = high - low;
        if !(span.is_finite() && span >= 0.0) {
            return None;
        }
        let room = match span > 0.0 {
            true => 0.04 * span,
            // All values are the same.
            false => (0.1 * high.abs()).max(1e-9),
        };
        let from_zero = low >= 0.0 && low - room < 0.25 * high;
        let scale = scale(high.abs().max(low.abs()));
        Some(Self {
            low: if from_zero { 0.0 } else { low - room },
            high: high + room,
            scale,
        })
    }

    /// The share of the axis that lies below a value.
    fn share(&self, value: f64) -> f64 {
        (value - self.low) / (self.high - self.low)
    }

    pub(super) fn holds(&self, value: f64) -> bool {
        (self.low..=self.high).contains(&value)
    }

    fn ticks(&self, most: usize) -> Vec<(f64, String)> {
        let size = self.scale.size;
        let inside = ticks(self.low / size, self.high / size, most).into_iter();
        inside
            .map(|(place, label)| (self.share(place * size), label.replace('-', "−")))
            .collect()
    }
}

impl Plot {
    pub(super) fn new(across: Axis, up: Axis, height: u32, alt: impl Into<String>) -> Self {
        Self {
            across,
            up,
            height,
            alt: alt.into(),
            shapes: Vec::new(),
            marks: Vec::new(),
        }
    }

    pub(super) fn top(&self) -> u32 {
        TOP
    }

    pub(super) fn bottom(&self) -> u32 {
        self.height - BELOW
    }

    pub(super) fn inner_height(&self) -> u32 {
        self.bottom() - TOP
    }

    pub(super) fn across_unit(&self) -> &str {
        &self.across.scale.unit
    }

    pub(super) fn up_unit(&self) -> &str {
        &self.up.scale.unit
    }

    pub(super) fn columns(&self) -> Vec<Tick> {
        let tick = |(share, label): (f64, String)| Tick {
            at: format!("{:.2}", 100.0 * share),
            label,
        };
        self.across
            .ticks(MOST_ACROSS)
            .into_iter()
            .map(tick)
            .collect()
    }

    pub(super) fn rows(&self) -> Vec<Tick> {
        let height = f64::from(self.inner_height());
        let tick = |(share, label): (f64, String)| Tick {
            at: format!("{:.1}", f64::from(TOP) + height * (1.0 - share)),
            label,
        };
        self.up.ticks(MOST_UP).into_iter().map(tick).collect()
    }

    /// Where a point lies in the square. What is far outside stays near, where numbers are short.
    fn place(&self, (x, y): (f64, f64)) -> (f64, f64) {
        let near = |share: f64| SIDE * share.clamp(-1.0, 2.0);
        (near(self.across.share(x)), SIDE - near(self.up.share(y)))
    }

    fn shape(&mut self, class: &'static str, path: String) {
        if !path.is_empty() {
            self.shapes.push(Shape { class, path });
        }
    }

    /// A line through points; where there is none, it has a gap.
    pub(super) fn line(
        &mut self,
        class: &'static str,
        points: impl IntoIterator<Item = Option<(f64, f64)>>,
    ) {
        let mut path = String::new();
        let mut drawing = false;
        for point in points {
            let Some(point) = point.filter(|(x, y)| x.is_finite() && y.is_finite()) else {
                drawing = false;
                continue;
            };
            step(
                &mut path,
                if drawing { 'L' } else { 'M' },
                self.place(point),
            );
            drawing = true;
        }
        self.shape(class, path);
    }

    /// Lines that need not meet.
    pub(super) fn lines(&mut self, class: &'static str, lines: &[Vec<(f64, f64)>]) {
        let points = lines.iter().flat_map(|line| {
            let points = line.iter().copied().map(Some);
            points.chain([None])
        });
        self.line(class, points);
    }

    /// The area between two heights at each place; where there is none, it has a gap.
    pub(super) fn area(&mut self, class: &'static str, bounds: &[Option<(f64, f64, f64)>]) {
        let mut path = String::new();
        for stretch in bounds.split(Option::is_none) {
            let upper = stretch.iter().flatten().map(|&(x, _, high)| (x, high));
            let lower = stretch.iter().flatten().rev().map(|&(x, low, _)| (x, low));
            for (number, point) in upper.chain(lower).enumerate() {
                let letter = if number == 0 { 'M' } else { 'L' };
                step(&mut path, letter, self.place(point));
            }
            if !stretch.is_empty() {
                path.push('Z');
            }
        }
        self.shape(class, path);
    }

    /// Dots that the style makes round: lines without length.
    pub(super) fn dots(
        &mut self,
        class: &'static str,
        points: impl IntoIterator<Item = (f64, f64)>,
    ) {
        let mut path = String::new();
        for point in points {
            step(&mut path, 'M', self.place(point));
            path.push_str("h0");
        }
        self.shape(class, path);
    }

    /// Columns from the ground up.
    pub(super) fn bars(
        &mut self,
        class: &'static str,
        bars: impl IntoIterator<Item = (f64, f64, f64)>,
    ) {
        let mut path = String::new();
        for (from, to, high) in bars.into_iter().filter(|(.., high)| *high > 0.0) {
            let (left, top) = self.place((from, high));
            let (right, ground) = self.place((to, 0.0));
            let _ = write!(
                path,
                "M{left:.1} {ground:.1}V{top:.1}H{right:.1}V{ground:.1}Z"
            );
        }
        self.shape(class, path);
    }

    /// A name for a place across, in one of the lines below the top.
    pub(super) fn mark(&mut self, class: &'static str, x: f64, label: String, line: u32) {
        if !self.across.holds(x) {
            return;
        }
        let share = self.across.share(x);
        let left = share > 0.6;
        self.marks.push(Mark {
            class,
            x: format!("{:.2}", 100.0 * share),
            label,
            anchor: if left { "end" } else { "start" },
            dx: if left { -5 } else { 5 },
            y: TOP + 12 + 16 * line,
        });
    }
}

fn step(path: &mut String, letter: char, (x, y): (f64, f64)) {
    // Writing into a text does not fail.
    let _ = write!(path, "{letter}{x:.1} {y:.1}");
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn plain(highest: f64) -> Scale {
        assert!(highest >= 0.0);
        Scale {
            unit: String::new(),
            size: 1.0,
        }
    }

    fn plot() -> Plot {
        let axis = Axis {
            low: 0.0,
            high: 10.0,
            scale: plain(10.0),
        };
        Plot::new(axis.clone(), axis, 264, "")
    }

    #[test]
    fn axes_have_room_and_begin_at_0_where_that_is_near() {
        let ends = |low, high| Axis::of(low, high, plain).map(|axis| (axis.low, axis.high));
        assert_eq!(ends(10.0, 110.0), Some((0.0, 114.0)));
        assert_eq!(ends(100.0, 200.0), Some((96.0, 204.0)));
        assert_eq!(ends(-10.0, 90.0), Some((-14.0, 94.0)));
        assert_eq!(ends(50.0, 50.0), Some((45.0, 55.0)));
        assert_eq!(ends(f64::INFINITY, f64::NEG_INFINITY), None);
        assert_eq!(ends(0.0, f64::NAN), None);
    }

    #[test]
    fn lines_and_areas_have_gaps() {
        let mut plot = plot();
        plot.line(
            "a",
            [
                Some((0.0, 0.0)),
                Some((10.0, 10.0)),
                None,
                Some((5.0, f64::NAN)),
                Some((5.0, 5.0)),
            ],
        );
        assert_eq!(plot.shapes[0].path, "M0.0 1000.0L1000.0 0.0M500.0 500.0");
        plot.area("b", &[Some((0.0, 1.0, 2.0)), None, Some((5.0, 1.0, 2.0))]);
        assert_eq!(
            plot.shapes[1].path,
            "M0.0 800.0L0.0 900.0ZM500.0 800.0L500.0 900.0Z"
        );
        plot.line("c", [None, None]);
        assert_eq!(plot.shapes.len(), 2, "what is empty is not drawn");
    }

    #[test]
    fn ticks_are_where_their_values_are() {
        let plot = plot();
        let columns = plot.columns();
        assert_eq!(
            (columns[1].at.as_str(), columns[1].label.as_str()),
            ("20.00", "2")
        );
        let rows = plot.rows();
        assert_eq!(
            (rows[0].at.as_str(), rows[0].label.as_str()),
            ("224.0", "0")
        );
        assert_eq!(rows.last().map(|row| row.at.as_str()), Some("24.0"));
    }

    #[test]
    fn labels_of_marks_stay_inside() {
        let mut plot = plot();
        plot.mark("m", 9.0, "right".to_owned(), 0);
        plot.mark("m", 1.0, "left".to_owned(), 1);
        plot.mark("m", 11.0, "outside".to_owned(), 0);
        let anchors: Vec<_> = plot
            .marks
            .iter()
            .map(|mark| (mark.anchor, mark.y))
            .collect();
        assert_eq!(anchors, [("end", 36), ("start", 52)]);
    }
}
