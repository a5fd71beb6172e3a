//! An adaptive window of frequencies.

/// Fewest frequencies on either side of a cut.
const FEWEST: usize = 2;
/// The chance of a cut where nothing changed.
const DELTA: f64 = 0.05;
/// Shortest and longest window after a change, in seconds.
const KEPT: (f64, f64) = (0.5, 10.0);

/// FTIO's `adwin`: a window of frequencies is cut where the means of both parts differ by more than
/// `√(ln(2/δ)/n_h)` with `n_h = n₀n₁/(n₀+n₁)`.
///
/// The bound holds for numbers from 0 to 1 and is compared with hertz: with 10 frequencies on
/// either side they have to differ by 0.86 Hz.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Adwin {
    frequencies: Vec<f64>,
    times: Vec<f64>,
}

impl Adwin {
    /// Takes the next frequency, found at this time. Where it changes, how many frequencies are
    /// forgotten and the time of the first that is not. A step without a frequency forgets all.
    pub fn step(&mut self, frequency: Option<f64>, time: f64) -> Option<(usize, f64)> {
        let Some(frequency) = frequency else {
            *self = Self::default();
            return None;
        };
        self.frequencies.push(frequency);
        self.times.push(time);
        let cut = self.first_cut()?;
        let at = self.times[cut];
        self.frequencies.drain(..cut);
        self.times.drain(..cut);
        Some((cut, at))
    }

    fn first_cut(&self) -> Option<usize> {
        let n = self.frequencies.len();
        let total: f64 = self.frequencies.iter().sum();
        let mut before = 0.0;
        (1..=n.saturating_sub(FEWEST)).find(|&cut| {
            before += self.frequencies[cut - 1];
            let (left, right) = (cut as f64, (n - cut) as f64);
            let apart = ((total - before) / right - before / left).abs();
            let harmonic = left * right / (left + right);
            cut >= FEWEST && apart > ((2.0 / DELTA).ln() / harmonic).sqrt()
        })
    }

    /// The start of a window after a change.
    pub(super) fn start(now: f64, changed: f64) -> f64 {
        match now - changed {
            span if span < KEPT.0 => (now - KEPT.0).max(0.0),
            span if span > KEPT.1 => (now - KEPT.1).max(0.0),
            _ => changed,
        }
    }
}
