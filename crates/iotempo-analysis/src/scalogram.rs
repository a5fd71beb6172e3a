//! Which periods a signal has when: a scalogram.

use crate::plans;
use iotempo_model::{Seconds, Signal};
use realfft::ComplexToReal;
use realfft::num_complex::Complex;
use std::f64::consts::TAU;
use std::sync::Arc;

/// The most rows of a scalogram.
const MOST_PERIODS: usize = 64;
/// The most columns of a scalogram.
const MOST_COLUMNS: usize = 256;
/// Longer signals are averaged down to this: 64 samples a column resolve more than a picture shows.
const MOST_SAMPLES: usize = 1 << 14;
/// The fewest samples in which a period can change.
const FEWEST_SAMPLES: usize = 16;
/// Cycles under the wavelet's bell, in radians: the usual choice, at which the wavelet's mean is
/// negligible (Torrence and Compo, 1998, <https://doi.org/10.1175/1520-0477(1998)079%3C0061:APGTWA%3E2.0.CO;2>).
const OMEGA: f64 = 6.0;

/// How strongly a signal oscillates at every period, over time.
#[derive(Debug, Clone, PartialEq)]
pub struct Scalogram {
    /// When the first column begins.
    pub start: Seconds,
    /// The length of time of a column.
    pub column: Seconds,
    /// The number of columns.
    pub columns: usize,
    /// The period of each row, the shortest first, at equal ratios.
    pub periods: Vec<Seconds>,
    /// Row after row: the amplitude in bytes per second of the oscillation of that period at that
    /// time. A cosine of amplitude A has A at its period.
    pub amplitude: Vec<f64>,
}

impl Scalogram {
    /// The amplitudes of the period `row` over time.
    #[must_use]
    pub fn row(&self, row: usize) -> &[f64] {
        let start = row.saturating_mul(self.columns);
        self.amplitude
            .get(start..start.saturating_add(self.columns))
            .unwrap_or_default()
    }

    /// How far from both ends of the signal a period must stay to be told from the ends
    /// themselves: the wavelet's bell falls to 1/e there.
    #[must_use]
    pub fn margin(period: Seconds) -> Seconds {
        Seconds::new(scale_of(period.get()) * 2_f64.sqrt()).unwrap_or_default()
    }

    /// The scalogram of a signal with the Morlet wavelet, at most 64 periods by 256 columns in
    /// O(N log N). `None` for fewer than 16 samples, and where samples are not finite or as large as
    /// numbers get.
    #[must_use]
    pub fn of(signal: &Signal) -> Option<Self> {
        let (samples, step) = averaged(signal);
        let usable = samples.len() >= FEWEST_SAMPLES && samples.iter().all(|x| x.is_finite());
        let periods = periods(samples.len(), step).filter(|_| usable)?;
        let columns = samples.len().min(MOST_COLUMNS);
        let mut wavelets = Wavelets::new(&samples, step);
        let mut amplitude = Vec::with_capacity(periods.len() * columns);
        for period in &periods {
            amplitude.extend(wavelets.row(period.get(), columns));
        }
        // Sums of numbers near the largest there are overflow.
        if !amplitude.iter().all(|value| value.is_finite()) {
            return None;
        }
        let length = samples.len() as f64 * step;
        Some(Self {
            start: signal.start(),
            column: Seconds::new(length / columns as f64)?,
            columns,
            periods,
            amplitude,
        })
    }
}

/// The wavelet's scale whose Fourier period is `period` (Torrence and Compo, table 1).
fn scale_of(period: f64) -> f64 {
    period * (OMEGA + (2.0 + OMEGA * OMEGA).sqrt()) / (2.0 * TAU)
}

/// The samples and their step, neighbours averaged where there are too many.
fn averaged(signal: &Signal) -> (Vec<f64>, f64) {
    let samples = signal.samples();
    let together = samples.len().div_ceil(MOST_SAMPLES).max(1);
    // A remainder at the end would be a sample of another length.
    let means = samples
        .chunks_exact(together)
        .map(|chunk| chunk.iter().sum::<f64>() / together as f64);
    (means.collect(), signal.step().get() * together as f64)
}

/// From four samples to half the signal, at equal ratios.
fn periods(len: usize, step: f64) -> Option<Vec<Seconds>> {
    let (shortest, longest) = (4.0 * step, len as f64 * step / 2.0);
    let ratio = longest / shortest;
    let at = |row: usize| shortest * ratio.powf(row as f64 / (MOST_PERIODS - 1) as f64);
    let usable = step > 0.0 && longest.is_finite() && shortest > 0.0;
    let rows = usable.then(|| (0..MOST_PERIODS).map(|row| Seconds::new(at(row))));
    rows?.collect()
}

/// Filters of one signal, a period each.
struct Wavelets {
    len: usize,
    step: f64,
    spectrum: Vec<Complex<f64>>,
    inverse: Arc<dyn ComplexToReal<f64>>,
    filtered: Vec<Complex<f64>>,
    parts: [Vec<f64>; 2],
}

impl Wavelets {
    fn new(samples: &[f64], step: f64) -> Self {
        // Room behind the signal: its end must not run into its beginning.
        let padded = (2 * samples.len()).next_power_of_two();
        let (forward, inverse) = (plans::forward(padded), plans::inverse(padded));
        let mut input = forward.make_input_vec();
        let mean = samples.iter().sum::<f64>() / samples.len() as f64;
        for (slot, sample) in input.iter_mut().zip(samples) {
            *slot = sample - mean;
        }
        let mut spectrum = forward.make_output_vec();
        let transformed = forward.process(&mut input, &mut spectrum);
        debug_assert!(transformed.is_ok(), "the lengths are the plan's own");
        let parts = [inverse.make_output_vec(), inverse.make_output_vec()];
        Self {
            len: samples.len(),
            step,
            filtered: vec![Complex::default(); spectrum.len()],
            spectrum,
            inverse,
            parts,
        }
    }

    /// The amplitude at `period`, averaged over the time of each column.
    fn row(&mut self, period: f64, columns: usize) -> impl Iterator<Item = f64> + '_ {
        self.filter(period, Complex::new(1.0, 0.0), 0);
        // The imaginary part of an analytic signal is its real part a quarter turn later.
        self.filter(period, Complex::new(0.0, -1.0), 1);
        let [real, imaginary] = &self.parts;
        let amplitude = |at: usize| real[at].hypot(imaginary[at]);
        let len = self.len;
        (0..columns).map(move |column| {
            let (from, to) = (column * len / columns, (column + 1) * len / columns);
            (from..to).map(amplitude).sum::<f64>() / (to - from) as f64
        })
    }

    /// One part of the signal filtered by the wavelet, whose spectrum is the bell
    /// `exp(-(s·ω - ω₀)²/2)` over positive frequencies (Torrence and Compo, table 1), here of
    /// height 1 so that amplitudes come out as they are.
    fn filter(&mut self, period: f64, turn: Complex<f64>, part: usize) {
        let padded = self.parts[part].len() as f64;
        let scale = scale_of(period);
        let bins = self.filtered.iter_mut().zip(&self.spectrum).enumerate();
        for (bin, (filtered, value)) in bins {
            let omega = TAU * bin as f64 / (padded * self.step);
            let bell = (-0.5 * (scale * omega - OMEGA).powi(2)).exp();
            *filtered = value * turn * (bell / padded);
        }
        // A real signal has neither a mean nor a highest frequency that is imaginary.
        if let [first, .., last] = &mut self.filtered[..] {
            (first.im, last.im) = (0.0, 0.0);
        }
        let transformed = self
            .inverse
            .process(&mut self.filtered, &mut self.parts[part]);
        debug_assert!(transformed.is_ok(), "the lengths are the plan's own");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn signal(len: usize, step: f64, rate: impl Fn(f64) -> f64) -> Signal {
        let seconds = |value| Seconds::new(value).expect("finite");
        let samples = (0..len).map(|index| rate(index as f64 * step)).collect();
        Signal::new(seconds(100.0), seconds(step), samples)
    }

    /// The period of the largest amplitude in a column.
    fn ridge(scalogram: &Scalogram, column: usize) -> f64 {
        let rows = 0..scalogram.periods.len();
        let strongest = rows.max_by(|a, b| {
            let at = |row: usize| scalogram.row(row)[column];
            at(*a).total_cmp(&at(*b))
        });
        scalogram.periods[strongest.expect("rows")].get()
    }

    #[test]
    fn the_ridge_moves_where_the_period_doubles() {
        // 10 s before the middle, 20 s after it.
        let rate = |t: f64| 1e9 + 5e8 * (TAU * t / if t < 500.0 { 10.0 } else { 20.0 }).cos();
        let scalogram = Scalogram::of(&signal(4000, 0.25, rate)).expect("enough samples");
        assert_eq!(scalogram.columns, 256);
        assert_eq!(scalogram.periods.len(), 64);
        assert_eq!(scalogram.start.get(), 100.0);
        // Rows lie 1.1 apart, so the nearest is at most 5 % away.
        for (column, period) in [(40, 10.0), (100, 10.0), (156, 20.0), (216, 20.0)] {
            let found = ridge(&scalogram, column);
            assert!((found / period).ln().abs() < 0.05, "{column}: {found}");
        }
    }

    #[test]
    fn a_cosine_has_its_amplitude_at_its_period() {
        let scalogram = Scalogram::of(&signal(2048, 1.0, |t| 3.0 + 7.0 * (TAU * t / 40.0).cos()));
        let scalogram = scalogram.expect("enough samples");
        let rows = (0..64).map(|row| scalogram.row(row)[128]);
        let highest = rows.fold(0.0, f64::max);
        // The nearest row is at most 4.7 % away, where the bell is exp(-(0.047·6)²/2) = 0.96.
        assert!((6.7..=7.01).contains(&highest), "{highest}");
    }

    #[test]
    fn what_does_not_change_oscillates_nowhere() {
        let scalogram = Scalogram::of(&signal(300, 1.0, |_| 4e9)).expect("enough samples");
        assert!(scalogram.amplitude.iter().all(|a| a.abs() < 1e-3));
    }

    #[test]
    fn long_signals_keep_their_ridge_and_the_size_of_the_picture() {
        let long = signal(1 << 20, 0.01, |t| 1.0 + (TAU * t / 700.0).sin());
        let scalogram = Scalogram::of(&long).expect("enough samples");
        assert_eq!(scalogram.amplitude.len(), 64 * 256);
        assert!((ridge(&scalogram, 128) / 700.0).ln().abs() < 0.06);
        let end = scalogram.column.get() * 256.0;
        assert!((end - 10_485.76).abs() < 1.0, "{end}");
    }

    #[test]
    fn short_and_broken_signals_have_none() {
        let none =
            |len, step, rate: fn(f64) -> f64| Scalogram::of(&signal(len, step, rate)).is_none();
        assert!(none(0, 1.0, |_| 1.0));
        assert!(none(15, 1.0, |t| t));
        assert!(!none(16, 1.0, |t| t));
        assert!(none(64, 1.0, |_| f64::NAN));
        assert!(none(64, 0.0, |_| 1.0));
        assert!(none(64, 1e308, |_| 1.0));
        assert!(none(64, 1.0, |_| f64::MAX));
    }
}
