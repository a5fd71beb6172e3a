//! From series to requests.

use super::gather::Gathering;
use super::shape::Series;
use crate::error::Error;
use iotempo_model::{Interval, Seconds};

/// What is left of a rate below zero after floating-point sums, next to the largest rate: no rate.
/// FTIO's and TMIO's overlaps are running sums whose residue is never cleared.
const RESIDUE: f64 = 1e-9;

impl Series {
    /// How many records it has.
    pub(crate) fn len(&self) -> usize {
        match self {
            Self::Steps { rates, .. } | Self::Phases { rates, .. } => rates.len(),
            Self::Transfers { bytes, .. } => bytes.len(),
        }
    }

    /// The sum of all bytes that can be told.
    pub(crate) fn volume(&self) -> f64 {
        let product = |(rate, duration): (&f64, f64)| rate * duration;
        let volumes: Box<dyn Iterator<Item = f64>> = match self {
            Self::Steps { rates, times } => Box::new(
                rates
                    .iter()
                    .zip(times.windows(2).map(|pair| (pair[1] - pair[0]).abs()))
                    .map(product),
            ),
            Self::Phases {
                rates,
                starts,
                ends,
            } => Box::new(
                rates
                    .iter()
                    .zip(starts.iter().zip(ends).map(|(start, end)| end - start))
                    .map(product),
            ),
            Self::Transfers { bytes, .. } => Box::new(bytes.iter().copied()),
        };
        volumes
            .filter(|bytes| bytes.is_finite() && *bytes > 0.0)
            .sum()
    }

    /// The sum of all rates: what a second more or less in every time would change.
    pub(crate) fn sum_of_rates(&self) -> f64 {
        match self {
            Self::Phases { rates, .. } => rates.iter().filter(|rate| rate.is_finite()).sum(),
            Self::Steps { .. } | Self::Transfers { .. } => 0.0,
        }
    }
}

impl Gathering<'_> {
    /// Passes on a series whose rates are in units of `scale` bytes per second.
    pub(crate) fn series(&mut self, mode: usize, series: Series, scale: f64) -> Result<(), Error> {
        self.modes[mode].records += series.len() as u64;
        match series {
            Series::Transfers {
                bytes,
                starts,
                ends,
            } => {
                for ((bytes, start), end) in bytes.into_iter().zip(starts).zip(ends) {
                    self.transfer(mode, start, end, bytes)?;
                }
                Ok(())
            }
            Series::Phases {
                rates,
                starts,
                ends,
            } => {
                self.modes[mode].from_rates = true;
                for ((rate, start), end) in rates.into_iter().zip(starts).zip(ends) {
                    self.phase(mode, start, end, rate * scale)?;
                }
                Ok(())
            }
            Series::Steps { rates, times } => {
                self.modes[mode].from_rates = true;
                self.steps(mode, rates, times, scale)
            }
        }
    }

    fn phase(&mut self, mode: usize, start: f64, end: f64, rate: f64) -> Result<(), Error> {
        if end < start {
            self.repairs.backwards += 1;
            return Ok(());
        }
        if end == start && rate != 0.0 {
            self.repairs.zero_duration += 1;
            return Ok(());
        }
        self.transfer(mode, start, end, rate * (end - start))
    }

    fn steps(
        &mut self,
        mode: usize,
        rates: Vec<f64>,
        times: Vec<f64>,
        scale: f64,
    ) -> Result<(), Error> {
        let (rates, times) = self.in_order(rates, times);
        let largest = rates
            .iter()
            .copied()
            .filter(|rate| rate.is_finite())
            .fold(0.0, f64::max);
        self.observe(&times);
        for (pair, rate) in times.windows(2).zip(rates) {
            let [start, end] = [pair[0], pair[1]];
            let residue = rate < 0.0 && rate >= -RESIDUE * largest;
            // Nothing moves, or for no time: a step function loses nothing there.
            if rate == 0.0 || residue || start == end {
                continue;
            }
            self.transfer(mode, start, end, rate * scale * (end - start))?;
        }
        Ok(())
    }

    /// The steps in order of time. Only where they are not, those without a time are left out.
    fn in_order(&mut self, rates: Vec<f64>, times: Vec<f64>) -> (Vec<f64>, Vec<f64>) {
        if !times.windows(2).any(|pair| pair[1] < pair[0]) {
            return (rates, times);
        }
        self.repairs.unsorted += 1;
        let count = times.len();
        let steps = times.into_iter().zip(rates);
        let mut steps: Vec<(f64, f64)> = steps.filter(|(time, _)| time.is_finite()).collect();
        self.repairs.without_time += (count - steps.len()) as u64;
        steps.sort_by(|a, b| a.0.total_cmp(&b.0));
        steps.into_iter().map(|(time, rate)| (rate, time)).unzip()
    }

    fn observe(&mut self, times: &[f64]) {
        let first = times.iter().copied().find_map(Seconds::new);
        let last = times.iter().rev().copied().find_map(Seconds::new);
        let stretch = first
            .zip(last)
            .and_then(|(first, last)| Interval::new(first, last).ok());
        self.observed = match (self.observed, stretch) {
            (Some(known), Some(more)) => Some(known.hull(more)),
            (known, more) => known.or(more),
        };
        let steps = times
            .windows(2)
            .map(|pair| pair[1] - pair[0])
            .filter(|step| *step > 0.0);
        self.shortest_step = steps.chain(self.shortest_step).reduce(f64::min);
    }
}
