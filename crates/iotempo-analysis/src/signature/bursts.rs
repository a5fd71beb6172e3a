//! The bursts of one sample.

use super::settings::{BurstEdges, Method, Settings};
use crate::wavelet::Wavelet;

/// A crest of at least this share of the highest belongs to a burst. Where nobody else is about, all
/// crests are those of bursts, and half of them are below their mean.
const HIGH: f64 = 0.5;

/// A stretch of high throughput.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Burst {
    /// Its first point.
    pub(super) start: usize,
    /// The point where it is highest, smoothed.
    pub(super) crest: usize,
    /// Its last point.
    pub(super) end: usize,
}

impl Burst {
    pub(super) fn points(self) -> usize {
        self.end - self.start + 1
    }

    /// Without what is no higher than `threshold` before and after it.
    fn above(self, smooth: &[f64], threshold: f64) -> Self {
        let high = |i: &usize| smooth[*i] > threshold;
        Self {
            start: (self.start..self.crest).find(high).unwrap_or(self.crest),
            end: (self.crest..=self.end)
                .rev()
                .find(high)
                .unwrap_or(self.crest),
            ..self
        }
    }

    /// Its own points of the rates that it was found in.
    pub(super) fn of(self, rates: &[f64]) -> &[f64] {
        &rates[self.start..=self.end]
    }
}

/// The level that a sample of this length can be smoothed to.
pub(super) fn level(wavelet: Wavelet, wanted: usize, length: usize) -> usize {
    wanted.min(wavelet.max_level(length))
}

/// The bursts of a sample, in order of time: what lies between troughs below the mean crest, and rises
/// above it. But for the paper's own method, half of the highest crest is enough.
pub(super) fn bursts(rates: &[f64], settings: &Settings) -> Vec<Burst> {
    let level = level(settings.wavelet, settings.level, rates.len());
    let smooth = settings.wavelet.smooth(rates, level);
    let high = (settings.method != Method::Iosi).then_some(HIGH);
    cut(&smooth, settings.crest_test, high, settings.edges)
}

/// Bursts of what is smooth already; a crest of the share `high` of the highest is always high enough.
fn cut(smooth: &[f64], crest_test: bool, high: Option<f64>, edges: BurstEdges) -> Vec<Burst> {
    let (crests, troughs) = turns(smooth);
    let Some(last) = smooth.len().checked_sub(1) else {
        return Vec::new();
    };
    let threshold = if crests.is_empty() {
        // One rise or one fall: its ends are its crest and its trough.
        0.5 * (smooth[0] + smooth[last])
    } else {
        let heights = crests.iter().map(|&i| smooth[i]);
        let highest = heights.clone().fold(0.0, f64::max);
        let usual = heights.sum::<f64>() / crests.len() as f64;
        high.map_or(usual, |share| usual.min(share * highest))
    };
    let cuts = troughs.into_iter().filter(|&i| smooth[i] < threshold);
    let mut found = Vec::new();
    let mut start = 0;
    for end in cuts.chain([last]) {
        if end > start {
            let crest = highest(smooth, start, end);
            if !crest_test || smooth[crest] > threshold {
                let burst = Burst { start, crest, end };
                found.push(match edges {
                    BurstEdges::Troughs => burst,
                    BurstEdges::MeanCrest => burst.above(smooth, threshold),
                });
            }
            start = end;
        }
    }
    found
}

fn highest(values: &[f64], start: usize, end: usize) -> usize {
    let mut best = start;
    for i in start..=end {
        if values[i] > values[best] {
            best = i;
        }
    }
    best
}

/// The places where values turn down, and where they turn up: of flat stretches the middle.
fn turns(values: &[f64]) -> (Vec<usize>, Vec<usize>) {
    let (mut crests, mut troughs) = (Vec::new(), Vec::new());
    let mut rising = None;
    let mut flat_from = 0;
    for i in 1..values.len() {
        if values[i] == values[i - 1] {
            continue;
        }
        let up = values[i] > values[i - 1];
        let middle = (flat_from + i - 1) / 2;
        match rising {
            Some(true) if !up => crests.push(middle),
            Some(false) if up => troughs.push(middle),
            _ => {}
        }
        rising = Some(up);
        flat_from = i;
    }
    (crests, troughs)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TROUGHS: BurstEdges = BurstEdges::Troughs;

    #[test]
    fn bursts_are_trimmed_at_the_mean_crest() {
        let smooth = [0.0, 1.0, 5.0, 8.0, 4.0, 6.0, 2.0, 0.0, 3.0, 0.0];
        // The crests 8, 6 and 3 are 5.67 in the mean, and the trough of 4 parts the first two.
        let places = |edges| -> Vec<(usize, usize, usize)> {
            let found = cut(&smooth, true, None, edges);
            found.iter().map(|b| (b.start, b.crest, b.end)).collect()
        };
        assert_eq!(places(TROUGHS), [(0, 3, 4), (4, 5, 7)]);
        assert_eq!(places(BurstEdges::MeanCrest), [(3, 3, 3), (5, 5, 5)]);
    }

    #[test]
    fn values_turn_in_the_middle_of_what_is_flat() {
        let (crests, troughs) = turns(&[0.0, 1.0, 1.0, 1.0, 0.0, 0.0, 2.0, 0.0]);
        assert_eq!(crests, [2, 6]);
        assert_eq!(troughs, [4]);
        assert_eq!(turns(&[]), (vec![], vec![]));
        assert_eq!(turns(&[1.0; 5]), (vec![], vec![]));
    }

    #[test]
    fn ripples_are_no_bursts() {
        let mut smooth = vec![0.0; 60];
        for (at, height) in [(10, 0.1), (20, 5.0), (30, 0.2), (40, 6.0), (50, 0.1)] {
            smooth[at] = height;
        }
        let found = cut(&smooth, true, None, TROUGHS);
        let crests: Vec<usize> = found.iter().map(|burst| burst.crest).collect();
        assert_eq!(crests, [20, 40]);
        assert_eq!(cut(&smooth, false, None, TROUGHS).len(), 5);
    }

    #[test]
    fn bursts_that_are_about_as_high_are_all_found() {
        let mut smooth = vec![0.0; 60];
        for (at, height) in [(10, 6.0), (20, 5.0), (30, 6.0), (40, 4.0), (50, 1.0)] {
            smooth[at] = height;
        }
        let crests = |found: Vec<Burst>| -> Vec<usize> { found.iter().map(|b| b.crest).collect() };
        assert_eq!(
            crests(cut(&smooth, true, Some(0.5), TROUGHS)),
            [10, 20, 30, 40]
        );
        smooth
            .iter_mut()
            .for_each(|rate| *rate = f64::min(*rate, 1.0));
        assert_eq!(
            crests(cut(&smooth, true, Some(0.5), TROUGHS)),
            [10, 20, 30, 40, 50]
        );
        assert!(cut(&smooth, true, None, TROUGHS).is_empty());
    }

    #[test]
    fn a_burst_may_end_with_the_sample() {
        let smooth: Vec<f64> = (0..40).map(|i| f64::from((i - 25).max(0))).collect();
        let found = cut(&smooth, true, None, TROUGHS);
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].end, 39);
    }

    #[test]
    fn nothing_has_no_bursts() {
        assert!(cut(&[], true, None, TROUGHS).is_empty());
        assert!(cut(&[1.0], true, None, TROUGHS).is_empty());
        assert!(cut(&[1.0; 30], true, None, TROUGHS).is_empty());
    }
}
