//! When the intervals of reports begin and end.

/// So many lengths of intervals are looked at to know the usual one.
const LENGTHS: usize = 64;

/// An interval that is longer than the usual one by this factor has reports missing before it.
const LATE: f64 = 1.5;

/// Monitors print the second that an interval ended in, without what had passed of it.
const STAMP: f64 = 1.0;

/// What is known of a machine's intervals.
#[derive(Debug, Default)]
pub(super) struct Pace {
    /// As the user says.
    given: Option<f64>,
    /// As the log says of itself.
    stated: Option<f64>,
    lengths: Vec<f64>,
    usual: Option<f64>,
    /// When the last report was made.
    last: Option<f64>,
    /// Intervals that are longer by their stamps, by what stamps leave out.
    pub(super) stretched: u64,
    /// How often volumes by rates could be compared with stamps, and did not fit.
    pub(super) compared: u64,
    pub(super) unlike: u64,
}

impl Pace {
    pub(super) fn new(given: Option<f64>) -> Self {
        Self {
            given,
            ..Self::default()
        }
    }

    /// How long intervals are, mostly.
    pub(super) fn usual(&self) -> Option<f64> {
        self.known().or(self.given)
    }

    /// The same by the log's own word or times.
    pub(super) fn known(&self) -> Option<f64> {
        self.stated.or(self.usual)
    }

    /// The usual length from here on, where nothing tells it.
    pub(super) fn assume(&mut self, length: f64) {
        self.usual.get_or_insert(length);
    }

    /// The log says how long its intervals are.
    pub(super) fn state(&mut self, length: f64) {
        self.stated = Some(length);
    }

    pub(super) fn note(&mut self, length: f64) {
        if self.lengths.len() < LENGTHS && length > 0.0 && length.is_finite() {
            let place = self.lengths.partition_point(|&other| other < length);
            self.lengths.insert(place, length);
            self.usual = Some(self.lengths[(self.lengths.len() - 1) / 2]);
        }
    }

    /// The log begins anew, or was made on another machine.
    pub(super) fn begin(&mut self, at: Option<f64>) {
        self.last = at;
    }

    pub(super) fn last(&self) -> Option<f64> {
        self.last
    }

    /// The interval of a report, and how long rates were averaged over.
    pub(super) fn interval(
        &mut self,
        end: Option<f64>,
        stated: Option<f64>,
        usual: f64,
    ) -> ((f64, f64), f64) {
        let last = self.last;
        let Some(end) = end else {
            let length = stated.unwrap_or(usual);
            let start = last.unwrap_or(0.0);
            self.last = Some(start + length);
            return ((start, start + length), length);
        };
        self.last = Some(end);
        let Some(since) = last.map(|last| end - last).filter(|&since| since > 0.0) else {
            let length = stated.unwrap_or(usual);
            return ((end - length, end), length);
        };
        if let Some(stated) = stated {
            self.compared += 1;
            self.unlike += u64::from((since - stated).abs() > STAMP + 0.2 * since.min(stated));
        }
        let length = stated.unwrap_or(usual);
        if (since - length).abs() <= STAMP {
            self.stretched += u64::from(since > LATE * length);
            return ((end - since, end), length);
        }
        if stated.is_some() || since > LATE * usual {
            return ((end - length, end), length);
        }
        ((end - since, end), since)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pace(last: f64) -> Pace {
        let mut pace = Pace::default();
        pace.begin(Some(last));
        pace
    }

    #[test]
    fn stamps_without_fractions_leave_no_holes() {
        let mut pace = pace(100.0);
        assert_eq!(pace.interval(Some(101.0), None, 1.0), ((100.0, 101.0), 1.0));
        assert_eq!(
            pace.interval(Some(103.0), None, 1.0),
            ((101.0, 103.0), 1.0),
            "the clock went on from 101.999 to 103.001"
        );
        assert_eq!(pace.stretched, 1);
        assert_eq!(
            pace.interval(Some(108.0), None, 1.0),
            ((107.0, 108.0), 1.0),
            "reports are missing"
        );
    }

    #[test]
    fn an_interval_that_is_shorter_or_longer_is_as_long_as_its_stamps_say() {
        let mut pace = pace(0.0);
        assert_eq!(pace.interval(Some(12.0), None, 10.0), ((0.0, 12.0), 12.0));
        assert_eq!(pace.interval(Some(15.0), None, 10.0), ((12.0, 15.0), 3.0));
    }

    #[test]
    fn without_stamps_intervals_follow_each_other() {
        let mut pace = Pace::default();
        assert_eq!(pace.interval(None, None, 5.0), ((0.0, 5.0), 5.0));
        assert_eq!(pace.interval(None, Some(5.01), 5.0), ((5.0, 10.01), 5.01));
    }
}
