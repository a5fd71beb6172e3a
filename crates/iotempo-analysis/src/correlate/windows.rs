//! Stretches of time in which a job used files.

use iotempo_model::Op;
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

/// The part of a job's time over which the load is taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum During {
    /// From the start of the job to its end: ψ of Eqs. 2 and 3.
    Run,
    /// While it used files, reads and writes together: ψ^D of Eq. 4.
    Files,
    /// While it read.
    Reads,
    /// While it wrote.
    Writes,
}

/// The union of windows: in order of time, and none touches another. A job with a hundred thousand files
/// that are used at the same time has few.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
#[serde(transparent)]
pub struct Windows {
    union: Vec<Window>,
    /// The same of reads and of writes; `None` where nobody tells them apart.
    #[serde(skip)]
    directed: Option<[Vec<Window>; 2]>,
}

impl FromIterator<Window> for Windows {
    fn from_iter<I: IntoIterator<Item = Window>>(windows: I) -> Self {
        Self {
            union: union(windows.into_iter().collect()),
            directed: None,
        }
    }
}

impl FromIterator<(Op, Window)> for Windows {
    fn from_iter<I: IntoIterator<Item = (Op, Window)>>(windows: I) -> Self {
        let mut directed = [Vec::new(), Vec::new()];
        for (op, window) in windows {
            directed[op as usize].push(window);
        }
        let directed = directed.map(union);
        Self {
            union: union(directed.concat()),
            directed: Some(directed),
        }
    }
}

fn union(mut windows: Vec<Window>) -> Vec<Window> {
    windows.sort_by(|a, b| a.start_s.total_cmp(&b.start_s));
    let mut union: Vec<Window> = Vec::new();
    for window in windows {
        match union.last_mut() {
            Some(last) if window.start_s <= last.end_s => {
                last.end_s = last.end_s.max(window.end_s);
            }
            _ => union.push(window),
        }
    }
    union.shrink_to_fit();
    union
}

impl Windows {
    /// The windows, in order of time.
    #[must_use]
    pub fn as_slice(&self) -> &[Window] {
        &self.union
    }

    /// Those of a direction, whatever part of the job's time is looked at; all where nobody tells them apart, or
    /// knows when that was.
    #[must_use]
    pub fn of(&self, op: Op) -> &[Window] {
        let directed = self.directed.as_ref().map(|both| &both[op as usize]);
        directed
            .filter(|one| !one.is_empty())
            .unwrap_or(&self.union)
    }

    /// Only a part of the time of a job that ran for `run`. When it read and when it wrote is kept, because its
    /// bytes are where they were.
    pub(super) fn during(&self, during: During, run: Option<Window>) -> Self {
        let of = |op: Op| match &self.directed {
            Some(both) => both[op as usize].clone(),
            None => self.union.clone(),
        };
        Self {
            union: match during {
                During::Run => run.into_iter().collect(),
                During::Files => self.union.clone(),
                During::Reads => of(Op::Read),
                During::Writes => of(Op::Write),
            },
            directed: self.directed.clone(),
        }
    }

    /// Whether there is none: the job used no file, or nobody knows when.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.union.is_empty()
    }

    /// From the first operation to the end of the last: T^D_start and T^D_end of the paper.
    #[must_use]
    pub fn hull(&self) -> Option<Window> {
        let (first, last) = (self.union.first()?, self.union.last()?);
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

    #[test]
    fn reads_and_writes_are_told_apart_and_are_one_together() {
        let window = |a, b| Window::new(a, b).expect("a window");
        let (read, written, run) = (window(1.0, 4.0), window(3.0, 9.0), window(0.0, 20.0));
        let all: Windows = [(Op::Read, read), (Op::Write, written)]
            .into_iter()
            .collect();
        let during = |during| all.during(during, Some(run)).as_slice().to_vec();
        assert_eq!(during(During::Run), [run]);
        assert_eq!(during(During::Files), [window(1.0, 9.0)]);
        assert_eq!(during(During::Reads), [read]);
        assert_eq!(during(During::Writes), [written]);
        // Bytes stay where they were moved.
        assert_eq!(all.during(During::Reads, None).of(Op::Write), [written]);
        let unread: Windows = [(Op::Write, written)].into_iter().collect();
        assert!(unread.during(During::Reads, None).is_empty());
    }
}
