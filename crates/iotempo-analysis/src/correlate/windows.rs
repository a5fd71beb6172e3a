//! Stretches of time in which a job used files.

use serde::Serialize;

/// From the first operation on a file to the end of the last, in seconds since 1970-01-01 UTC.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Window {
    start_s: f64,
    end_s: f64,
}

impl Window {
    /// `None` where a time is none, or the end lies before the start.
    #[must_use]
    pub fn new(start_s: f64, end_s: f64) -> Option<Self> {
        let sane = start_s.is_finite() && end_s.is_finite() && start_s <= end_s;
        sane.then_some(Self { start_s, end_s })
    }

    /// When it begins.
    #[must_use]
    pub const fn start_s(self) -> f64 {
        self.start_s
    }

    /// When it ends.
    #[must_use]
    pub const fn end_s(self) -> f64 {
        self.end_s
    }

    /// From its start to its end.
    #[must_use]
    pub fn length_s(self) -> f64 {
        self.end_s - self.start_s
    }
}

/// The union of windows: in order of time, and none touches another. A job with a hundred thousand files
/// that are used at the same time has few.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
#[serde(transparent)]
pub struct Windows(Vec<Window>);

impl FromIterator<Window> for Windows {
    fn from_iter<I: IntoIterator<Item = Window>>(windows: I) -> Self {
        let mut all: Vec<Window> = windows.into_iter().collect();
        all.sort_by(|a, b| a.start_s.total_cmp(&b.start_s));
        let mut union: Vec<Window> = Vec::new();
        for window in all {
            match union.last_mut() {
                Some(last) if window.start_s <= last.end_s => {
                    last.end_s = last.end_s.max(window.end_s);
                }
                _ => union.push(window),
            }
        }
        union.shrink_to_fit();
        Self(union)
    }
}

impl Windows {
    /// The windows, in order of time.
    #[must_use]
    pub fn as_slice(&self) -> &[Window] {
        &self.0
    }

    /// Whether there is none: the job used no file, or nobody knows when.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// From the first operation to the end of the last: T^D_start and T^D_end of the paper.
    #[must_use]
    pub fn hull(&self) -> Option<Window> {
        let (first, last) = (self.0.first()?, self.0.last()?);
        Some(Window {
            start_s: first.start_s,
            end_s: last.end_s,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn union(spans: &[(f64, f64)]) -> Vec<(f64, f64)> {
        let windows = spans.iter().filter_map(|&(a, b)| Window::new(a, b));
        let windows: Windows = windows.collect();
        let parts = windows.as_slice().iter();
        parts.map(|one| (one.start_s(), one.end_s())).collect()
    }

    #[test]
    fn windows_that_meet_are_one() {
        let spans = [(5.0, 6.0), (0.0, 2.0), (1.0, 3.0), (3.0, 4.0), (5.5, 5.6)];
        assert_eq!(union(&spans), [(0.0, 4.0), (5.0, 6.0)]);
        assert_eq!(union(&[(7.0, 7.0)]), [(7.0, 7.0)], "an instant is a window");
    }

    #[test]
    fn what_is_no_time_is_no_window() {
        let spans = [(f64::NAN, 1.0), (0.0, f64::INFINITY), (2.0, 1.0)];
        assert!(union(&spans).is_empty());
        assert_eq!(Windows::default().hull(), None);
    }
}
