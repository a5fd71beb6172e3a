//! A signature in the making: rates by points, and where its bursts are.

use super::finding::{Signature, SignatureBurst, Timing};
use super::numbers::{column_medians, spread};

/// The share of its peak at which a burst begins and ends.
pub(super) const EDGE: f64 = 0.05;

/// A burst that samples have in common, in points.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Common {
    pub(super) start: usize,
    /// Its last point.
    pub(super) end: usize,
    /// How many samples have it.
    pub(super) support: usize,
    /// The point that it is said to be at, be it between two.
    pub(super) time: f64,
    /// The first and the last point whose bytes are its own: where it is an average, some samples begin
    /// earlier than it does, and some end later.
    pub(super) extent: (usize, usize),
    /// Between which sums of rates most samples lie in its `extent`.
    pub(super) spread: (f64, f64),
}

/// The share of a burst that a sample must hold to have it.
const HELD: f64 = 0.5;

/// What a sample must hold to have a burst.
pub(super) struct Shape<'a> {
    rates: &'a [f64],
    enough: f64,
}

impl<'a> Shape<'a> {
    pub(super) fn new(rates: &'a [f64]) -> Self {
        let enough = HELD * rates.iter().sum::<f64>();
        Self { rates, enough }
    }

    pub(super) fn points(&self) -> usize {
        self.rates.len()
    }

    /// Whether a sample holds it from this point on, which may lie before the sample's first: what a sample
    /// moves at the same moment counts, but no more than the burst does.
    pub(super) fn is_held(&self, sample: &[f64], start: isize) -> bool {
        let before = (-start).max(0) as usize;
        let from = (start.max(0) as usize).min(sample.len());
        let there = self.rates.iter().skip(before).zip(&sample[from..]);
        there.map(|(own, rate)| own.min(*rate)).sum::<f64>() >= self.enough
    }
}

impl Common {
    /// What a sample must hold to have it.
    pub(super) fn shape<'a>(&self, rates: &'a [f64]) -> Shape<'a> {
        Shape::new(&rates[self.start..=self.end])
    }

    pub(super) fn points(&self) -> usize {
        self.end - self.start + 1
    }

    /// The same without its ends, where it is hardly above nothing.
    pub(super) fn tightened(mut self, rates: &[f64]) -> Self {
        let own = &rates[self.start..=self.end];
        let least = EDGE * own.iter().copied().fold(0.0, f64::max);
        let above = |rate: &f64| *rate > least;
        let (first, last) = (own.iter().position(above), own.iter().rposition(above));
        if let (Some(first), Some(last)) = (first, last) {
            self.end = self.start + last;
            self.start += first;
            self.time = 0.5 * (self.start + self.end) as f64;
            self.extent = (self.start, self.end);
        }
        self
    }
}

/// Those of the aligned samples that last into the second half of a burst; all, where none does.
fn that_last<'a>(
    burst: &Common,
    aligned: &'a [Vec<f64>],
    lasting: &'a [f64],
) -> impl Iterator<Item = &'a Vec<f64>> {
    let middle = 0.5 * (burst.start + burst.end) as f64;
    let any = lasting.iter().any(|end| *end > middle);
    let samples = aligned.iter().zip(lasting);
    samples.filter_map(move |(sample, end)| (!any || *end > middle).then_some(sample))
}

/// A signature in the making.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Template {
    pub(super) rates: Vec<f64>,
    /// In order of time.
    pub(super) bursts: Vec<Common>,
    pub(super) timing: Option<Timing>,
    /// How many more bursts enough samples have that move about as much, and may be those of others.
    pub(super) doubtful: usize,
}

/// A burst moves about as much as those that are kept if it moves this share of what the least of them does.
const AS_MUCH: f64 = 0.5;

impl Template {
    /// Forgets the bursts that are not to be kept, because they may be those of others.
    pub(super) fn keep(&mut self, kept: &[bool]) {
        let volume = |burst: &Common| self.rates[burst.start..=burst.end].iter().sum::<f64>();
        let (mut own, mut left_out) = (f64::INFINITY, Vec::new());
        for (burst, kept) in self.bursts.iter().zip(kept) {
            match kept {
                true => own = own.min(volume(burst)),
                false => left_out.push(volume(burst)),
            }
        }
        let as_much = left_out.iter().filter(|volume| **volume >= AS_MUCH * own);
        self.doubtful += as_much.count();
        let mut kept = kept.iter();
        self.bursts.retain(|_| kept.next().copied().unwrap_or(true));
    }

    /// Lets bursts begin and end where they are a little above nothing, not where they are least.
    pub(super) fn tighten(&mut self) {
        for burst in &mut self.bursts {
            *burst = burst.tightened(&self.rates);
        }
    }

    /// Makes rates of bursts anew that some samples do not last for: how much one moves, they do not tell.
    pub(super) fn of_those_that_last(&mut self, aligned: &[Vec<f64>], lasting: &[f64]) {
        for burst in &self.bursts {
            let rows: Vec<&[f64]> = that_last(burst, aligned, lasting)
                .map(|sample| &sample[burst.start..=burst.end])
                .collect();
            if rows.len() < aligned.len() {
                let medians = column_medians(&rows, burst.points());
                self.rates[burst.start..=burst.end].copy_from_slice(&medians);
            }
        }
    }

    /// Sums up what aligned samples that last so long move in each burst, from its first point to its last, as it now
    /// is: what they move beside it is no more of the burst's spread than of its volume.
    pub(super) fn measure(&mut self, aligned: &[Vec<f64>], lasting: &[f64]) {
        for burst in &mut self.bursts {
            let (first, last) = burst.extent;
            let moved = |sample: &Vec<f64>| sample[first..=last].iter().sum();
            burst.spread = spread(that_last(burst, aligned, lasting).map(moved).collect());
        }
    }

    /// Takes away what is outside of all bursts.
    pub(super) fn silence(&mut self) {
        let mut from = 0;
        for burst in &self.bursts {
            let until = burst.start.max(from);
            self.rates[from..until].fill(0.0);
            from = burst.end + 1;
        }
        self.rates[from..].fill(0.0);
    }

    /// The volume that is common: that of each burst, as far as samples have it.
    pub(super) fn common_volume(&self) -> f64 {
        let volume = |burst: &Common| {
            let own = &self.rates[burst.start..=burst.end];
            own.iter().sum::<f64>() * burst.support as f64
        };
        self.bursts.iter().map(volume).sum()
    }

    /// The signature, whose first point begins at `start` and whose points are `step` apart.
    pub(super) fn into_signature(mut self, mut start: f64, step: f64) -> Signature {
        if start < 0.0 && self.rates.first() == Some(&0.0) {
            // Nothing is moved before a run starts.
            self.rates.remove(0);
            start += step;
            for burst in &mut self.bursts {
                let earlier = |point: usize| point.saturating_sub(1);
                (burst.start, burst.end) = (earlier(burst.start), earlier(burst.end));
                burst.extent = (earlier(burst.extent.0), earlier(burst.extent.1));
                burst.time = (burst.time - 1.0).max(0.0);
            }
        }
        let told = |burst: &Common| {
            let rates = &self.rates[burst.extent.0..=burst.extent.1];
            let bytes = step * rates.iter().sum::<f64>();
            // Others are in a burst at another moment in each run: each run may move more than the
            // signature, whose rates are those of most runs at each moment.
            let (low, high) = (step * burst.spread.0, step * burst.spread.1);
            SignatureBurst {
                time_s: start + step * (burst.time + 0.5),
                start_s: (start + step * burst.start as f64).max(0.0),
                end_s: start + step * (burst.end + 1) as f64,
                bytes,
                bytes_low: low.min(bytes),
                bytes_high: high.max(bytes),
                peak: rates.iter().copied().fold(0.0, f64::max),
                support: burst.support,
            }
        };
        Signature {
            start_s: start,
            step_s: step,
            bursts: self.bursts.iter().map(told).collect(),
            rates: self.rates,
            timing: self.timing,
        }
    }
}

/// A burst of which nothing is known but where it is.
#[cfg(test)]
pub(super) fn burst(start: usize, end: usize) -> Common {
    Common {
        start,
        end,
        support: 1,
        time: 0.0,
        extent: (start, end),
        spread: (0.0, 0.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_beside_a_burst_is_not_in_its_spread() {
        let rates = vec![0.0, 0.0, 9.0, 9.0, 9.0, 0.0, 0.0];
        let burst = Common {
            start: 0,
            end: 6,
            support: 3,
            time: 3.0,
            extent: (0, 6),
            spread: (0.0, 0.0),
        };
        let mut template = Template {
            rates,
            bursts: vec![burst],
            timing: None,
            doubtful: 0,
        };
        let sample = |beside: f64| vec![beside, beside, 9.0, 9.0, 9.0, beside, beside];
        let aligned = [sample(1.0), sample(2.0), sample(3.0)];
        template.tighten();
        template.measure(&aligned, &[7.0; 3]);
        let signature = template.into_signature(0.0, 1.0);
        let told = signature.bursts[0];
        assert_eq!(
            (told.bytes_low, told.bytes, told.bytes_high),
            (27.0, 27.0, 27.0)
        );
    }

    #[test]
    fn a_signature_begins_before_its_run_only_with_a_burst() {
        let told = |rates: [f64; 4], start: usize| {
            let template = Template {
                rates: rates.to_vec(),
                bursts: vec![burst(start, 2)],
                timing: None,
                doubtful: 0,
            };
            let told = template.into_signature(-0.5, 1.0);
            (
                told.start_s,
                told.rates.len(),
                told.bursts[0].start_s,
                told.bursts[0].end_s,
                told.bytes(),
            )
        };
        assert_eq!(told([0.0, 3.0, 3.0, 0.0], 1), (0.5, 3, 0.5, 2.5, 6.0));
        assert_eq!(told([1.5, 3.0, 3.0, 0.0], 0), (-0.5, 4, 0.0, 2.5, 7.5));
    }

    #[test]
    fn what_a_burst_moves_is_told_by_runs_that_last_so_long() {
        let mut template = Template {
            rates: vec![0.0, 2.0, 2.0, 0.0],
            bursts: vec![burst(1, 2)],
            timing: None,
            doubtful: 0,
        };
        let aligned = [
            [0.0, 8.0, 8.0, 0.0],
            [0.0; 4],
            [0.0, 4.0, 4.0, 0.0],
            [0.0; 4],
        ]
        .map(Vec::from);
        let lasting = [4.0, 1.0, 4.0, 1.0];
        template.of_those_that_last(&aligned, &lasting);
        assert_eq!(template.rates, [0.0, 6.0, 6.0, 0.0]);
        template.measure(&aligned, &lasting);
        assert!(template.bursts[0].spread.0 >= 8.0);
    }

    #[test]
    fn what_is_left_out_and_moves_as_much_as_what_is_kept_is_counted() {
        let mut rates = vec![0.0; 40];
        rates[0..4].fill(10.0);
        rates[10..14].fill(4.0);
        rates[20..24].fill(6.0);
        rates[30..34].fill(10.0);
        let mut template = Template {
            rates,
            bursts: [0, 10, 20, 30]
                .map(|start| burst(start, start + 3))
                .to_vec(),
            timing: None,
            doubtful: 0,
        };
        template.keep(&[true, false, false, true]);
        assert_eq!(template.doubtful, 1);
        assert_eq!(template.bursts.len(), 2);
    }
}
