//! Bandwidth at equal steps of time.

use crate::bandwidth::Bandwidth;
use crate::bins::Bins;
use crate::units::{Bytes, Hertz, Seconds};
use serde::{Deserialize, Serialize};
use std::fmt;

/// Evenly sampled bandwidth. It knows its start and its step, so nobody is ever handed a loose
/// sampling rate.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Signal {
    start: Seconds,
    step: Seconds,
    samples: Vec<f64>,
}

/// How bandwidth becomes evenly spaced samples.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Sampling {
    /// This many samples per second.
    Rate(Hertz),
    /// Twice the rate of the shortest step, lowered until at most `max_samples` remain.
    Auto {
        /// The most samples to take.
        max_samples: usize,
    },
}

/// The most samples of one signal: half a GiB of them, two years at 1 Hz. Asking for more is a slip
/// of the unit, or a clock that jumped.
pub const MAX_SAMPLES: usize = 1 << 26;

/// Why bandwidth could not be sampled.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum SamplingError {
    /// There is no data to sample.
    Empty,
    /// The span and the rate ask for more samples than [`MAX_SAMPLES`].
    TooManySamples {
        /// The length of time to sample.
        span: Seconds,
        /// The time between two samples.
        step: Seconds,
    },
    /// The window is shorter than one step: nothing would be left.
    TooFewSamples {
        /// The length of time to sample.
        span: Seconds,
        /// The time between two samples.
        step: Seconds,
    },
}

impl fmt::Display for SamplingError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => write!(f, "there is no data to sample"),
            Self::TooManySamples { span, step } => write!(
                f,
                "{span} in steps of {step} make more than {MAX_SAMPLES} samples"
            ),
            Self::TooFewSamples { span, step } => {
                write!(f, "{span} is shorter than one step of {step}")
            }
        }
    }
}

impl std::error::Error for SamplingError {}

impl Signal {
    /// A signal whose sample `i` is the mean rate between `start + i·step` and `start + (i+1)·step`.
    #[must_use]
    pub fn new(start: Seconds, step: Seconds, samples: Vec<f64>) -> Self {
        Self {
            start,
            step,
            samples,
        }
    }

    /// When the first sample begins.
    #[must_use]
    pub fn start(&self) -> Seconds {
        self.start
    }

    /// The length of a sample.
    #[must_use]
    pub fn step(&self) -> Seconds {
        self.step
    }

    /// Bytes per second, one per step.
    #[must_use]
    pub fn samples(&self) -> &[f64] {
        &self.samples
    }

    /// When sample `index` begins.
    #[must_use]
    pub fn time(&self, index: usize) -> Seconds {
        let offset = Seconds::new(index as f64 * self.step.get()).unwrap_or_default();
        self.start + offset
    }

    /// The integral: all bytes of all steps.
    #[must_use]
    pub fn volume(&self) -> Bytes {
        let sum: f64 = self.samples.iter().sum();
        Bytes::new((sum * self.step.get()).clamp(0.0, f64::MAX)).unwrap_or_default()
    }

    /// FTIO's abstraction error: how far the samples' total is from the true one, as a share of the
    /// latter. A difference of totals, so errors of both signs cancel; 0 where nothing moves.
    #[must_use]
    pub fn abstraction_error(&self, truth: Bytes) -> f64 {
        if truth.get() <= 0.0 {
            return 0.0;
        }
        let sampled: f64 = self.samples.iter().map(|x| x.abs()).sum::<f64>() * self.step.get();
        (sampled - truth.get()).abs() / truth.get()
    }
}

impl Bandwidth {
    /// Spreads the bandwidth over equal steps without losing a byte: each sample is the mean over
    /// its step, and the last step is filled up with idle time.
    ///
    /// # Errors
    /// [`SamplingError::Empty`] and [`SamplingError::TooManySamples`].
    pub fn sample(&self, sampling: Sampling) -> Result<Signal, SamplingError> {
        let (start, end) = self.bounds().ok_or(SamplingError::Empty)?;
        self.sample_window(start, end, self.step_for(sampling, end - start))
    }

    /// As [`sample`](Self::sample), from `start` to `end`: what lies outside is left out, idle time
    /// inside is kept, and no byte inside is lost. A volume at the very end belongs to the last
    /// step. Takes time in proportion to the steps of the bandwidth and to the samples.
    ///
    /// Instants within rounding of a boundary between two samples lie on it: what was sampled at
    /// this very step comes back as it was.
    ///
    /// # Errors
    /// [`SamplingError::TooManySamples`], also where `step` is not positive;
    /// [`SamplingError::TooFewSamples`] where the window ends before it starts.
    pub fn sample_window(
        &self,
        start: Seconds,
        end: Seconds,
        step: Seconds,
    ) -> Result<Signal, SamplingError> {
        let span = end - start;
        let (from, to) = (start.get(), end.get());
        if to < from {
            return Err(SamplingError::TooFewSamples { span, step });
        }
        let len = Bins::number(from, to, step.get());
        if step.get() <= 0.0 || len.is_nan() || len > MAX_SAMPLES as f64 {
            return Err(SamplingError::TooManySamples { span, step });
        }
        let mut bins = Bins::new(from, to, step.get());
        self.fill(&mut bins, from, to);
        Ok(bins.finish())
    }

    /// Puts all that moves from `start` to `end` into `bins`.
    fn fill(&self, bins: &mut Bins, start: f64, end: f64) {
        let steps = self.steps();
        let first = steps.partition_point(|step| step.at <= start);
        let steps = &steps[first.saturating_sub(1)..];
        let mut at = steps.first().map_or(start, |step| step.at.max(start));
        let mut position = bins.position(at);
        for pair in steps.windows(2).take_while(|pair| pair[0].at < end) {
            let until = pair[1].at.min(end);
            let next = bins.position(until);
            if pair[0].rate != 0.0 {
                bins.spread(position, next, pair[0].rate * (until - at));
            }
            (at, position) = (until, next);
        }
        let first = self
            .impulses()
            .partition_point(|impulse| impulse.at < start);
        let inside = self.impulses()[first..].iter();
        for impulse in inside.take_while(|impulse| impulse.at <= end) {
            bins.drop_at(bins.position(impulse.at), impulse.bytes);
        }
    }

    /// The value at every multiple of the sampling step after the first point in time, as FTIO
    /// takes it: what happens between two samples is not seen, and may alias. For comparison with
    /// FTIO only; impulses are invisible here.
    ///
    /// # Errors
    /// [`SamplingError::Empty`], [`SamplingError::TooFewSamples`] and
    /// [`SamplingError::TooManySamples`].
    pub fn sample_points(&self, rate: Hertz) -> Result<Signal, SamplingError> {
        let steps = self.steps();
        let (first, last) = steps
            .first()
            .zip(steps.last())
            .ok_or(SamplingError::Empty)?;
        let step = rate.period();
        let span = Seconds::new(last.at - first.at).ok_or(SamplingError::Empty)?;
        let len = (span.get() * rate.get()).floor();
        if len < 1.0 {
            return Err(SamplingError::TooFewSamples { span, step });
        }
        if len > MAX_SAMPLES as f64 {
            return Err(SamplingError::TooManySamples { span, step });
        }
        let mut samples = Vec::with_capacity(len as usize);
        // FTIO adds up the step instead of multiplying it: to be equal, so do we.
        let mut now = first.at;
        let mut current = 0;
        for _ in 0..len as usize {
            while current + 1 < steps.len() && steps[current + 1].at <= now {
                current += 1;
            }
            samples.push(steps[current].rate);
            now += step.get();
        }
        let start = Seconds::new(first.at).ok_or(SamplingError::Empty)?;
        Ok(Signal::new(start, step, samples))
    }

    fn step_for(&self, sampling: Sampling, span: Seconds) -> Seconds {
        let step = match sampling {
            Sampling::Rate(rate) => rate.period().get(),
            Sampling::Auto { max_samples } => {
                let shortest = self
                    .steps()
                    .windows(2)
                    .map(|pair| pair[1].at - pair[0].at)
                    .filter(|&length| length > 0.0)
                    .fold(f64::INFINITY, f64::min);
                let coarsest = span.get() / max_samples.clamp(1, MAX_SAMPLES) as f64;
                (shortest / 2.0).min(span.get()).max(coarsest)
            }
        };
        // A trace that is one instant long still has one sample.
        Seconds::new(step)
            .filter(|step| step.get() > 0.0)
            .unwrap_or_else(|| Seconds::new(1.0).unwrap_or_default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hertz(rate: f64) -> Hertz {
        Hertz::new(rate).expect("positive")
    }

    fn of(transfers: &[(f64, f64, f64)]) -> Bandwidth {
        Bandwidth::of_transfers(transfers.len(), transfers.iter().copied())
    }

    #[test]
    fn samples_are_means_over_their_step() {
        let signal = of(&[(0.0, 1.5, 15.0), (3.0, 4.0, 4.0)])
            .sample(Sampling::Rate(hertz(1.0)))
            .expect("samples");
        assert_eq!(signal.samples(), [10.0, 5.0, 0.0, 4.0]);
        assert_eq!(signal.time(3).get(), 3.0);
    }

    #[test]
    fn a_single_instant_has_one_sample() {
        let signal = of(&[(5.0, 5.0, 9.0)])
            .sample(Sampling::Auto { max_samples: 100 })
            .expect("samples");
        assert_eq!(signal.samples(), [9.0]);
        assert_eq!(signal.volume().get(), 9.0);
    }

    #[test]
    fn nothing_cannot_be_sampled() {
        let nothing = Bandwidth::default();
        let rate = hertz(10.0);
        assert_eq!(
            nothing.sample(Sampling::Rate(rate)),
            Err(SamplingError::Empty)
        );
        assert_eq!(nothing.sample_points(rate), Err(SamplingError::Empty));
    }

    #[test]
    fn too_many_samples_are_refused_before_memory_is() {
        let long = of(&[(0.0, 1e9, 1.0)]);
        assert!(matches!(
            long.sample(Sampling::Rate(hertz(1e6))),
            Err(SamplingError::TooManySamples { .. })
        ));
        assert!(matches!(
            long.sample_points(hertz(1e6)),
            Err(SamplingError::TooManySamples { .. })
        ));
    }

    #[test]
    fn automatic_sampling_sees_the_shortest_step_and_keeps_the_limit() {
        let bandwidth = of(&[(0.0, 1.0, 1.0), (5.0, 5.25, 1.0)]);
        let fine = bandwidth
            .sample(Sampling::Auto { max_samples: 1000 })
            .expect("samples");
        assert_eq!(fine.step().get(), 0.125);
        let coarse = bandwidth
            .sample(Sampling::Auto { max_samples: 10 })
            .expect("samples");
        assert_eq!(coarse.samples().len(), 10);
    }

    #[test]
    fn points_miss_what_lies_between_them() {
        // A burst between the samples at 0 and 1: seen by bins, not by points.
        let bandwidth = of(&[(0.0, 0.125, 1.25), (0.375, 0.625, 8.0), (2.875, 3.0, 0.75)]);
        let points = bandwidth.sample_points(hertz(1.0)).expect("samples");
        assert_eq!(points.samples(), [10.0, 0.0, 0.0]);
        assert_eq!(points.abstraction_error(bandwidth.volume()), 0.0);
        let finer = bandwidth.sample_points(hertz(2.0)).expect("samples");
        assert_eq!(finer.samples(), [10.0, 32.0, 0.0, 0.0, 0.0, 0.0]);
        assert_eq!(finer.abstraction_error(bandwidth.volume()), 1.1);
    }

    fn window(bandwidth: &Bandwidth, start: f64, end: f64, step: f64) -> Signal {
        let seconds = |value| Seconds::new(value).expect("finite");
        bandwidth
            .sample_window(seconds(start), seconds(end), seconds(step))
            .expect("samples")
    }

    #[test]
    fn a_window_keeps_its_idle_time_and_nothing_from_outside() {
        let bandwidth = of(&[(0.0, 4.0, 40.0), (6.0, 6.0, 7.0), (9.0, 9.0, 1.0)]);
        let signal = window(&bandwidth, 2.0, 9.0, 2.0);
        // Impulses at an edge between two steps belong to the later one, at the end to the last.
        assert_eq!(signal.samples(), [10.0, 0.0, 3.5, 0.5]);
        assert_eq!(signal.start().get(), 2.0);
        let before = window(&bandwidth, -3.0, -1.0, 1.0);
        assert_eq!(before.samples(), [0.0, 0.0]);
        assert_eq!(
            window(&bandwidth, 4.5, 6.0, 0.5).samples(),
            [0.0, 0.0, 14.0]
        );
        assert_eq!(
            window(&Bandwidth::default(), 0.0, 2.0, 1.0).samples(),
            [0.0; 2]
        );
    }

    #[test]
    fn samples_come_back_as_they_were() {
        // Tenths of a second since 1970: no boundary is a number that a double holds.
        let times: Vec<f64> = (0..5000).map(|i| 1.7e9 + f64::from(i) / 10.0).collect();
        let rates = |i: usize| if i % 7 < 2 { 1e9 + i as f64 } else { 0.0 };
        let transfers = times.windows(2).enumerate().map(|(i, pair)| {
            let [from, to] = [pair[0], pair[1]];
            (from, to, rates(i) * (to - from))
        });
        let bandwidth = Bandwidth::of_transfers(times.len(), transfers);
        let signal = window(&bandwidth, times[0], times[4999], 0.1);
        assert_eq!(signal.samples().len(), 4999);
        for (index, sample) in signal.samples().iter().enumerate() {
            let truth = rates(index);
            assert!(
                (sample - truth).abs() <= 1e-5 * truth,
                "{index}: {sample} not {truth}"
            );
        }
    }

    #[test]
    fn a_window_that_makes_no_sense_is_refused() {
        let bandwidth = of(&[(0.0, 1.0, 1.0)]);
        let seconds = |value| Seconds::new(value).expect("finite");
        let refused = |start, end, step| {
            let answer = bandwidth.sample_window(seconds(start), seconds(end), seconds(step));
            answer.expect_err("refused")
        };
        for step in [0.0, -1.0, 1e-300] {
            let error = refused(0.0, 1.0, step);
            assert!(
                matches!(error, SamplingError::TooManySamples { .. }),
                "{step}"
            );
        }
        assert!(matches!(
            refused(1.0, 0.0, 1.0),
            SamplingError::TooFewSamples { .. }
        ));
        assert!(matches!(
            refused(f64::MIN, f64::MAX, 1.0),
            SamplingError::TooManySamples { .. }
        ));
    }
}
