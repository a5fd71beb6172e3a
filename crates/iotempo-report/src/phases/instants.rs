//! Points in time of one run, with as many decimals as it takes.

use iotempo_analysis::phases::IoPhase;

/// Digits that tell two moments of a run apart, before and behind the point.
const DIGITS: i32 = 5;
/// Clocks of profilers tell no more.
const MOST_DECIMALS: i32 = 6;

/// How points in time are written: the longer the run, the fewer decimals.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Instants {
    decimals: usize,
}

impl Instants {
    /// For a run that takes so long, and all of its phases.
    #[must_use]
    pub fn of(phases: &[IoPhase], run_time_s: Option<f64>) -> Self {
        let ends = phases.iter().map(|phase| phase.end_s.abs());
        let span_s = ends.fold(run_time_s.unwrap_or(0.0), f64::max);
        // A span that is no number casts to 0.
        let whole = span_s.log10().floor().clamp(-9.0, 18.0) as i32 + 1;
        let decimals = (DIGITS - whole).clamp(0, MOST_DECIMALS);
        Self {
            decimals: decimals.unsigned_abs() as usize,
        }
    }

    /// The start and the end of a phase: with more digits where these are not enough to tell them apart.
    #[must_use]
    pub fn span(self, phase: &IoPhase) -> [String; 2] {
        let most = MOST_DECIMALS.unsigned_abs() as usize;
        let written = |decimals: usize| {
            let digits = Self { decimals };
            [phase.start_s, phase.end_s].map(|time| digits.write(time))
        };
        let same = |decimals: &usize| {
            let [start, end] = written(*decimals);
            start == end
        };
        if phase.start_s == phase.end_s || !same(&self.decimals) {
            return written(self.decimals);
        }
        // One more than tells them apart, so that the length can be seen, too.
        let apart = (self.decimals..most).find(|decimals| !same(decimals));
        written(apart.map_or(most, |decimals| decimals + 1))
    }

    /// `12.250 s`.
    #[must_use]
    pub fn write(self, seconds: f64) -> String {
        format!("{seconds:.*} s", self.decimals)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use iotempo_analysis::phases::{PhaseFinder, Settings};
    use iotempo_model::{Api, FileCounters, Op, Seconds};

    #[test]
    fn a_short_phase_of_a_long_run_has_digits_of_its_own() {
        let spans = [
            (0.872, 1.069),
            (5.0, 5.0),
            (10.0, 700.0),
            (3.0, 3.000_000_1),
        ];
        let expected = [
            ["0.87 s", "1.07 s"],
            ["5 s", "5 s"],
            ["10 s", "700 s"],
            ["3.000000 s", "3.000000 s"],
        ];
        for ((start, end), expected) in spans.into_iter().zip(expected) {
            let mut finder = PhaseFinder::new(Settings::default());
            let mut file = FileCounters::new(1, Api::Posix);
            let write = file.of_mut(Op::Write);
            (write.requests, write.bytes) = (1, 1);
            (write.start, write.end) = (Seconds::new(start), Seconds::new(end));
            finder.push(&file);
            let phases = finder.finish().phases;
            let instants = Instants::of(&phases, Some(40_000.0));
            assert_eq!(instants.span(&phases[0]), expected);
        }
    }

    #[test]
    fn long_runs_need_no_microseconds() {
        for (run_s, text) in [
            (0.05, "1.250000 s"),
            (2.0, "1.2500 s"),
            (474.0, "1.25 s"),
            (40_000.0, "1 s"),
            (0.0, "1.250000 s"),
        ] {
            assert_eq!(Instants::of(&[], Some(run_s)).write(1.25), text, "{run_s}");
        }
    }
}
