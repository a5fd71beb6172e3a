//! How regular I/O is once its period is known.
//!
//! The metrics of Tarraf et al., IPDPS 2024, section II-C,
//! <https://doi.org/10.1109/IPDPS57955.2024.00048>.

use iotempo_model::{Bytes, BytesPerSecond, Seconds, Signal};
use serde::Serialize;

/// How much the periods of a signal are alike.
///
/// The signal is cut into sub-traces of one period each. What is left after the last whole one is
/// left out, of the totals too, so that both deviations stay within 0 to 0.5.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Character {
    /// How many whole periods there are.
    pub periods: usize,
    /// `σ_vol`: the standard deviation of the volumes of periods, as shares of the largest.
    pub sigma_vol: f64,
    /// `σ_time`: the standard deviation of the share of time that a period spends on substantial
    /// I/O (equation 4).
    pub sigma_time: f64,
    /// `1 − σ_vol − σ_time`: 1 where all periods are equal.
    pub periodicity_score: f64,
    /// `R_IO`: the share of time with substantial I/O, that is, above the mean bandwidth.
    pub io_time_ratio: f64,
    /// `B_IO`: the mean bandwidth of substantial I/O; `None` where there is none, because the
    /// bandwidth never changes.
    #[serde(rename = "io_bandwidth_bytes_per_s")]
    pub io_bandwidth: Option<BytesPerSecond>,
    /// The substantial volume of a period, on average.
    #[serde(rename = "bytes_per_period")]
    pub bytes_per_period: Bytes,
}

/// A volume and a time of substantial I/O, in bytes per second times samples, and in samples.
#[derive(Debug, Clone, Copy, Default)]
struct Part {
    volume: f64,
    substantial_volume: f64,
    substantial_time: f64,
}

/// Bandwidth above the mean by rounding alone is not substantial.
const ROUNDING: f64 = 1e-12;

impl Character {
    /// Describes `signal` with a period, however that was found.
    ///
    /// `None` where there are fewer than two whole periods, the period is shorter than a sample,
    /// nothing moves, or a sample is not finite.
    #[must_use]
    pub fn of(signal: &Signal, period: Seconds) -> Option<Self> {
        let samples = signal.samples();
        let length = period.get() / signal.step().get();
        // A period that divides the signal may miss its end by rounding.
        let periods = (samples.len() as f64 / length + 1e-9).floor();
        if !(length >= 1.0 && periods >= 2.0) {
            return None;
        }
        let whole = Cut {
            samples,
            length,
            periods: periods as usize,
        };
        let mean = whole.volume() / (periods * length);
        if !(mean > 0.0 && mean.is_finite()) {
            return None;
        }
        Some(Self::of_parts(
            &whole.parts(mean * (1.0 + ROUNDING)),
            length,
            signal.step().get(),
        ))
    }

    fn of_parts(parts: &[Part], length: f64, step: f64) -> Self {
        let periods = parts.len() as f64;
        let sum = |of: fn(&Part) -> f64| parts.iter().map(of).sum::<f64>();
        let largest = parts.iter().map(|part| part.volume).fold(0.0, f64::max);
        let sigma_vol = deviation(parts.iter().map(|part| part.volume / largest));
        let sigma_time = deviation(parts.iter().map(|part| part.substantial_time / length));
        let (volume, time) = (sum(|p| p.substantial_volume), sum(|p| p.substantial_time));
        Self {
            periods: parts.len(),
            sigma_vol,
            sigma_time,
            periodicity_score: 1.0 - sigma_vol - sigma_time,
            io_time_ratio: time / (periods * length),
            io_bandwidth: BytesPerSecond::new(volume / time),
            bytes_per_period: Bytes::new(volume * step / periods).unwrap_or_default(),
        }
    }
}

/// Samples and the sub-traces to cut them into; times are in samples.
struct Cut<'a> {
    samples: &'a [f64],
    length: f64,
    periods: usize,
}

impl Cut<'_> {
    /// Calls `piece` with the sub-trace, the time and the value of every piece of a sample.
    fn for_each(&self, mut piece: impl FnMut(usize, f64, f64)) {
        let mut period = 0;
        let mut edge = self.length;
        for (i, &value) in self.samples.iter().enumerate() {
            let (mut from, end) = (i as f64, (i + 1) as f64);
            while edge <= end && period < self.periods {
                piece(period, edge - from, value);
                from = edge;
                period += 1;
                edge = (period + 1) as f64 * self.length;
            }
            if period == self.periods {
                return;
            }
            piece(period, end - from, value);
        }
    }

    fn volume(&self) -> f64 {
        let mut volume = 0.0;
        self.for_each(|_, time, value| volume += time * value);
        volume
    }

    fn parts(&self, threshold: f64) -> Vec<Part> {
        let mut parts = vec![Part::default(); self.periods];
        self.for_each(|period, time, value| {
            let part = &mut parts[period];
            part.volume += time * value;
            if value > threshold {
                part.substantial_volume += time * value;
                part.substantial_time += time;
            }
        });
        parts
    }
}

/// The standard deviation of a population.
fn deviation(values: impl Iterator<Item = f64> + Clone) -> f64 {
    let count = values.clone().count() as f64;
    let mean = values.clone().sum::<f64>() / count;
    (values.map(|value| (value - mean).powi(2)).sum::<f64>() / count).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seconds(value: f64) -> Seconds {
        Seconds::new(value).expect("finite")
    }

    fn signal(samples: Vec<f64>) -> Signal {
        Signal::new(seconds(100.0), seconds(0.5), samples)
    }

    fn character(samples: Vec<f64>, period: f64) -> Option<Character> {
        Character::of(&signal(samples), seconds(period))
    }

    fn close(a: f64, b: f64) {
        assert!((a - b).abs() < 1e-12, "{a}, not {b}");
    }

    #[test]
    fn equal_periods_score_1() {
        // Ten samples a period, three of them at 8 B/s, the rest at 1 B/s.
        let samples = (0..50)
            .map(|i| if i % 10 < 3 { 8.0 } else { 1.0 })
            .collect();
        let found = character(samples, 5.0).expect("five periods");
        assert_eq!(found.periods, 5);
        close(found.periodicity_score, 1.0);
        close(found.io_time_ratio, 0.3);
        assert_eq!(found.io_bandwidth.map(BytesPerSecond::get), Some(8.0));
        close(found.bytes_per_period.get(), 12.0);
    }

    #[test]
    fn what_follows_the_last_whole_period_does_not_count() {
        let mut samples: Vec<f64> = (0..50)
            .map(|i| if i % 10 < 3 { 8.0 } else { 1.0 })
            .collect();
        let whole = character(samples.clone(), 5.0);
        samples.extend([1e9; 9]);
        assert_eq!(character(samples, 5.0), whole);
    }

    #[test]
    fn every_second_period_without_io_is_as_irregular_as_can_be() {
        // Volumes 1, 0, 1, 0 of the largest deviate by 0.5; the busy periods are busy throughout.
        let samples = (0..40)
            .map(|i| if i / 10 % 2 == 0 { 4.0 } else { 0.0 })
            .collect();
        let found = character(samples, 5.0).expect("four periods");
        close(found.sigma_vol, 0.5);
        close(found.sigma_time, 0.5);
        close(found.periodicity_score, 0.0);
        close(found.io_time_ratio, 0.5);
    }

    #[test]
    fn a_period_that_ends_inside_a_sample_takes_its_share() {
        // Periods of 1.5 samples:
        let found = character(vec![2.0, 4.0, 6.0], 0.75).expect("two periods");
        // volumes 2 + 4/2 = 4 and 4/2 + 6 = 8, that is, shares ½ and 1.
        close(found.sigma_vol, 0.25);
        // Above the mean of 4 lies the last sample only: 0 and ⅔ of the time.
        close(found.sigma_time, 1.0 / 3.0);
        close(found.io_time_ratio, 1.0 / 3.0);
    }

    #[test]
    fn an_even_rate_has_no_substantial_part() {
        let found = character(vec![0.1; 40], 5.0).expect("four periods");
        assert_eq!((found.io_time_ratio, found.io_bandwidth), (0.0, None));
        close(found.periodicity_score, 1.0);
    }

    #[test]
    fn too_little_to_compare_has_no_character() {
        assert_eq!(character(vec![], 5.0), None);
        assert_eq!(character(vec![1.0; 19], 5.0), None);
        assert_eq!(character(vec![0.0; 40], 5.0), None);
        assert_eq!(character(vec![f64::NAN; 40], 5.0), None);
        for period in [0.0, -5.0, 1e-300, 0.25, f64::MAX] {
            assert_eq!(character(vec![1.0; 40], period), None, "{period}");
        }
    }
}
