//! What a whole system moved while a job ran: ψ of Eqs. 2 to 4.

mod part;
mod series;
#[cfg(test)]
mod tests;

pub use series::{Amount, Series};

use super::error::{LoadError, Unknown};
use super::sums::Sums;
use super::windows::{Window, Windows};

/// A log of more intervals is refused: two such series are some 700 MB, and 30 years of minutes.
pub const MOST_INTERVALS: usize = 1 << 24;

/// Times this close to the boundary of an interval, in seconds, are on it. Seconds since 1970 have a
/// quarter of this as their last digit.
const ON_BOUNDARY_S: f64 = 1e-6;

/// So many intervals from the start of the log a time can still be told from the next one.
const FARTHEST: f64 = 1e15;

const DAY_S: f64 = 86_400.0;

/// What a system moved, in intervals of equal length. Sums over any stretch cost the same, so that jobs can
/// be held against the traffic of many other days.
#[derive(Debug, Clone, PartialEq)]
pub struct Load {
    start_s: f64,
    step_s: f64,
    intervals: usize,
    series: [Option<Sums>; 4],
}

/// What is taken of the first and the last interval.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Edges {
    /// The part between the first operation and the last.
    Trimmed,
    Whole,
}

/// A stretch of time among the intervals: those it touches, and where in them it begins and ends.
#[derive(Debug, Clone, Copy)]
struct Stretch {
    first: i64,
    last: i64,
    /// In seconds since the start of the log.
    from_s: f64,
    to_s: f64,
}

impl Load {
    /// A log of `intervals` intervals of `step_s` seconds, the first of which begins at `start_s` seconds since
    /// 1970. It counts nothing yet.
    ///
    /// # Errors
    /// Where a time is none, or there are no or too many intervals.
    pub fn new(start_s: f64, step_s: f64, intervals: usize) -> Result<Self, LoadError> {
        if !start_s.is_finite() {
            return Err(LoadError::Start(start_s));
        }
        if !(step_s.is_finite() && step_s > 0.0) {
            return Err(LoadError::Step(step_s));
        }
        match intervals {
            0 => Err(LoadError::Empty),
            1..=MOST_INTERVALS => Ok(Self {
                start_s,
                step_s,
                intervals,
                series: Default::default(),
            }),
            _ => Err(LoadError::TooMany {
                intervals: intervals as u64,
                most: MOST_INTERVALS as u64,
            }),
        }
    }

    /// Counts `series`, too: per interval a rate in bytes or operations per second; `None` where nothing is
    /// known.
    ///
    /// # Errors
    /// Where a rate is negative or no number, or there are not as many as intervals.
    pub fn with(
        mut self,
        series: Series,
        rates: impl IntoIterator<Item = Option<f64>>,
    ) -> Result<Self, LoadError> {
        let mut wrong = None;
        let volumes = rates.into_iter().enumerate().map(|(interval, rate)| {
            let value = rate?;
            let volume = value * self.step_s;
            if !(volume.is_finite() && volume >= 0.0) {
                wrong.get_or_insert(LoadError::Rate {
                    series,
                    interval: interval as u64,
                    value,
                });
                return None;
            }
            Some(volume)
        });
        // One more, so that too long a series is seen, and no endless one is taken in.
        let sums = Sums::of(volumes.take(self.intervals + 1));
        if let Some(wrong) = wrong {
            return Err(wrong);
        }
        if sums.len() != self.intervals {
            return Err(LoadError::Length {
                series,
                intervals: sums.len() as u64,
                expected: self.intervals as u64,
            });
        }
        self.series[series as usize] = Some(sums);
        Ok(self)
    }

    pub(super) fn put(&mut self, series: Series, sums: Sums) {
        self.series[series as usize] = Some(sums);
    }

    pub(super) fn sums(&self, series: Series) -> Option<&Sums> {
        self.series[series as usize].as_ref()
    }

    /// When its first interval begins.
    #[must_use]
    pub const fn start_s(&self) -> f64 {
        self.start_s
    }

    /// When its last interval ends.
    #[must_use]
    pub fn end_s(&self) -> f64 {
        self.time_of(self.intervals as i64)
    }

    /// Δ: the length of an interval.
    #[must_use]
    pub const fn step_s(&self) -> f64 {
        self.step_s
    }

    /// How many intervals there are.
    #[must_use]
    pub const fn intervals(&self) -> usize {
        self.intervals
    }

    /// Whether the logs count it.
    #[must_use]
    pub const fn has(&self, series: Series) -> bool {
        self.series[series as usize].is_some()
    }

    /// Of how many intervals nothing is known; `None` where the logs do not count it at all.
    #[must_use]
    pub fn missing(&self, series: Series) -> Option<u64> {
        let sums = self.sums(series)?;
        Some(u64::from(sums.missing(0, self.intervals)))
    }

    /// The rate of an interval; `None` where it is not known, or there is no such interval.
    #[must_use]
    pub fn rate(&self, series: Series, interval: usize) -> Option<f64> {
        let sums = self.sums(series).filter(|_| interval < self.intervals)?;
        let known = sums.missing(interval, interval + 1) == 0;
        known.then(|| sums.volume(interval, interval + 1) / self.step_s)
    }

    /// ψ of Eqs. 2 and 3: what was moved from one instant to another, of the first and the last interval in
    /// proportion.
    ///
    /// # Errors
    /// Where an interval that is needed is missing.
    pub fn between(&self, series: Series, start_s: f64, end_s: f64) -> Result<Amount, Unknown> {
        let window = Window::new(start_s, end_s).ok_or(Unknown::NoSpan { start_s, end_s })?;
        self.over_windows(series, &[window], 0.0, Edges::Trimmed)
    }

    /// ψ^D of Eq. 4 (ψ^I, where the windows are those of files on file systems that are watched): what was
    /// moved in all intervals that `windows` touch, but for what lies before the first operation and behind
    /// the last. All windows are moved by `shift_s` seconds first.
    ///
    /// # Errors
    /// Where there are no windows, or an interval that is needed is missing.
    pub fn over(&self, series: Series, windows: &Windows, shift_s: f64) -> Result<Amount, Unknown> {
        self.over_windows(series, windows.as_slice(), shift_s, Edges::Trimmed)
    }

    /// The same with all of the first and the last interval. What a job itself moved lies in these intervals
    /// somewhere, and can be taken off them as a whole; of trimmed ones nobody knows which part.
    ///
    /// # Errors
    /// As [`Load::over`].
    pub fn whole(
        &self,
        series: Series,
        windows: &Windows,
        shift_s: f64,
    ) -> Result<Amount, Unknown> {
        self.over_windows(series, windows.as_slice(), shift_s, Edges::Whole)
    }

    /// The same log by a clock that is behind by `ahead_s` seconds.
    #[must_use]
    pub fn set_back(mut self, ahead_s: f64) -> Self {
        self.start_s -= ahead_s;
        self
    }

    /// m of Eq. 5: how many intervals the windows touch, also beyond the ends of the log.
    ///
    /// # Errors
    /// Where there are no windows, or they are too far away to be told apart.
    pub fn touched(&self, windows: &Windows, shift_s: f64) -> Result<u64, Unknown> {
        let mut touched = 0;
        let runs = self.each_run(windows.as_slice(), shift_s, |first, last| {
            touched += last.abs_diff(first) + 1;
        });
        runs.map(|_| touched)
    }

    /// φ^D = mΔ of Eq. 5 (φ^I for files on file systems that are watched).
    ///
    /// # Errors
    /// As [`Load::touched`].
    pub fn touched_s(&self, windows: &Windows, shift_s: f64) -> Result<f64, Unknown> {
        let touched = self.touched(windows, shift_s)?;
        Ok(touched as f64 * self.step_s)
    }

    /// A shift that leaves a job inside the log: `shift_s`, or where that leads out of it, round to its other
    /// end by whole days. `shift_s` itself where neither helps.
    #[must_use]
    pub fn wrapped(&self, start_s: f64, end_s: f64, shift_s: f64) -> f64 {
        let days_s = ((self.end_s() - self.start_s) / DAY_S).floor() * DAY_S;
        let inside = |shift: &f64| {
            start_s + shift >= self.start_s - ON_BOUNDARY_S
                && end_s + shift <= self.end_s() + ON_BOUNDARY_S
        };
        let ways = [shift_s, shift_s - days_s, shift_s + days_s];
        ways.into_iter().find(inside).unwrap_or(shift_s)
    }

    fn over_windows(
        &self,
        series: Series,
        windows: &[Window],
        shift_s: f64,
        edges: Edges,
    ) -> Result<Amount, Unknown> {
        let sums = self.sums(series).ok_or(Unknown::NotMeasured(series))?;
        let (mut amount, mut touched) = (0.0, 0);
        let (mut missing, mut gap) = (0, None);
        let mut outside = false;
        let hull = self.each_run(windows, shift_s, |first, last| {
            let places = usize::try_from(first).ok().zip(usize::try_from(last).ok());
            let Some((first, last)) = places.filter(|(_, last)| *last < self.intervals) else {
                outside = true;
                return;
            };
            amount += sums.volume(first, last + 1);
            touched += last + 1 - first;
            let gaps = sums.missing(first, last + 1);
            if gaps > 0 {
                gap.get_or_insert_with(|| sums.first_missing(first));
                missing += u64::from(gaps);
            }
        })?;
        if outside {
            return Err(Unknown::OutsideLog {
                start_s: self.start_s + hull.from_s,
                end_s: self.start_s + hull.to_s,
                log_start_s: self.start_s,
                log_end_s: self.end_s(),
            });
        }
        if let Some(at) = gap {
            return Err(Unknown::Gap {
                series,
                start_s: self.time_of(at as i64),
                end_s: self.time_of(at as i64 + 1),
                missing,
            });
        }
        if edges == Edges::Whole {
            return Ok(Amount {
                amount,
                seconds: touched as f64 * self.step_s,
            });
        }
        let (first, last) = (hull.first as usize, hull.last as usize);
        let rate = |interval: usize| sums.volume(interval, interval + 1) / self.step_s;
        if first == last {
            let seconds = hull.to_s - hull.from_s;
            return Ok(Amount {
                amount: seconds * rate(first),
                seconds,
            });
        }
        let before_s = hull.from_s - first as f64 * self.step_s;
        let behind_s = (last + 1) as f64 * self.step_s - hull.to_s;
        amount -= before_s * rate(first) + behind_s * rate(last);
        Ok(Amount {
            amount: amount.max(0.0),
            seconds: touched as f64 * self.step_s - before_s - behind_s,
        })
    }

    /// Hands out runs of intervals that windows touch, each interval once. Answers the stretch from the
    /// first operation to the last.
    fn each_run(
        &self,
        windows: &[Window],
        shift_s: f64,
        mut take: impl FnMut(i64, i64),
    ) -> Result<Stretch, Unknown> {
        let mut hull: Option<Stretch> = None;
        for window in windows {
            let stretch = self.stretch(*window, shift_s)?;
            let (mut first, last) = (stretch.first, stretch.last);
            match &mut hull {
                None => hull = Some(stretch),
                Some(hull) => {
                    first = first.max(hull.last + 1);
                    (hull.last, hull.to_s) = (hull.last.max(last), stretch.to_s);
                }
            }
            if first <= last {
                take(first, last);
            }
        }
        hull.ok_or(Unknown::NoWindows)
    }

    /// T_0 ≤ start < T_1 and T_{n−1} < end ≤ T_n. An instant lies in the interval that begins with it, or
    /// in the last one of the log.
    fn stretch(&self, window: Window, shift_s: f64) -> Result<Stretch, Unknown> {
        let (start_s, end_s) = (window.start_s() + shift_s, window.end_s() + shift_s);
        let ((from, from_s), (to, to_s)) = (self.place(start_s), self.place(end_s));
        // Catches what is no number, too.
        if !(from.abs() < FARTHEST && to.abs() < FARTHEST) {
            return Err(Unknown::NoSpan { start_s, end_s });
        }
        let end = self.intervals as i64;
        let first = match to > from || from != end as f64 {
            true => from.floor() as i64,
            false => end - 1,
        };
        let last = match to > from {
            true => to.ceil() as i64 - 1,
            false => first,
        };
        Ok(Stretch {
            first,
            last,
            from_s,
            to_s,
        })
    }

    /// An instant since the start of the log, in intervals and in seconds.
    fn place(&self, at_s: f64) -> (f64, f64) {
        let since_s = at_s - self.start_s;
        let place = since_s / self.step_s;
        let boundary_s = place.round() * self.step_s;
        match (since_s - boundary_s).abs() < ON_BOUNDARY_S {
            true => (place.round(), boundary_s),
            false => (place, since_s),
        }
    }

    fn time_of(&self, interval: i64) -> f64 {
        self.start_s + interval as f64 * self.step_s
    }
}
