//! The paper's further characterisation of a signal (section II-C).

use iotempo_model::Signal;

/// A running sum at even steps: what lies between two of its points grows evenly.
struct Running(Vec<f64>);

impl Running {
    fn of(values: impl Iterator<Item = f64>) -> Self {
        let mut sum = 0.0;
        let sums = std::iter::once(0.0).chain(values.map(|value| {
            sum += value;
            sum
        }));
        Self(sums.collect())
    }

    /// The sum until a number of steps.
    fn until(&self, steps: f64) -> f64 {
        let last = self.0.len() - 1;
        let whole = (steps as usize).min(last);
        let next = (whole + 1).min(last);
        self.0[whole] + (self.0[next] - self.0[whole]) * (steps - whole as f64)
    }

    fn between(&self, from: f64, to: f64) -> f64 {
        self.until(to) - self.until(from)
    }
}

/// `R_IO`, the share of time with more than the mean rate, and the periodicity score
/// `1 − σ_vol − σ_time` (Eq. 4) over whole periods; without one, no score.
pub(crate) fn io_share_and_score(signal: &Signal, period: Option<f64>) -> (f64, Option<f64>) {
    let samples = signal.samples();
    let threshold = samples.iter().sum::<f64>() / samples.len() as f64;
    let substantial = |rate: &f64| f64::from(u8::from(*rate > threshold));
    let active = Running::of(samples.iter().map(substantial));
    let volume = Running::of(samples.iter().copied());
    let share = active.until(samples.len() as f64) / samples.len() as f64;
    let score = period.and_then(|period| {
        let steps = period / signal.step().get();
        score(&active, &volume, share, steps, samples.len())
    });
    (share, score)
}

fn score(active: &Running, volume: &Running, share: f64, steps: f64, len: usize) -> Option<f64> {
    let periods = (len as f64 / steps + 1e-9).floor() as usize;
    let of = |sums: &Running| -> Vec<f64> {
        let ends = (0..periods).map(|i| (i as f64 * steps, (i + 1) as f64 * steps));
        ends.map(|(from, to)| sums.between(from, to)).collect()
    };
    let (times, volumes) = (of(active), of(volume));
    let largest = volumes.iter().copied().fold(0.0, f64::max);
    if periods == 0 || largest <= 0.0 {
        return None;
    }
    let shares: Vec<f64> = volumes.iter().map(|v| v / largest).collect();
    let mean = shares.iter().sum::<f64>() / periods as f64;
    let deviation = |values: &[f64], around: f64| {
        let squares: f64 = values.iter().map(|v| (v - around).powi(2)).sum();
        (squares / periods as f64).sqrt()
    };
    let times: Vec<f64> = times.iter().map(|time| time / steps).collect();
    Some(1.0 - deviation(&shares, mean) - deviation(&times, share))
}

#[cfg(test)]
mod tests {
    use super::*;
    use iotempo_model::Seconds;

    fn signal(samples: &[f64]) -> Signal {
        let one = Seconds::new(1.0).expect("finite");
        Signal::new(Seconds::ZERO, one, samples.to_vec())
    }

    #[test]
    fn a_perfect_rhythm_has_the_score_one() {
        let even = signal(&[0.0, 0.0, 9.0, 9.0].repeat(5));
        assert_eq!(io_share_and_score(&even, Some(4.0)), (0.5, Some(1.0)));
        assert_eq!(io_share_and_score(&even, None).1, None);
    }

    #[test]
    fn a_wrong_period_lowers_the_score() {
        // Halves of a period: all or nothing, so that both deviations are a half.
        let even = signal(&[0.0, 0.0, 9.0, 9.0].repeat(5));
        let (_, score) = io_share_and_score(&even, Some(2.0));
        assert!(score.expect("a score").abs() < 1e-12);
    }

    #[test]
    fn the_end_of_an_incomplete_period_is_left_aside() {
        let cut = signal(&[0.0, 9.0, 0.0, 9.0, 0.0]);
        let (share, score) = io_share_and_score(&cut, Some(2.0));
        assert_eq!(share, 0.4);
        assert!((score.expect("a score") - 0.9).abs() < 1e-12);
    }
}
