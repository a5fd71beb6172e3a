//! Which bursts of a run are those that all runs have.

use super::finding::{SampleBurst, Signature, SignatureBurst};
use super::numbers::median;

/// How far from where it is expected a burst may be, as a share of the distance between bursts.
const REACH: f64 = 0.35;

/// What share of a common burst's bytes a burst of a run must move to be it.
const HELD: f64 = 0.5;

/// A burst that is so many times as long is somebody else's as well, and its start says nothing.
const MERGED: f64 = 2.0;

impl Signature {
    /// For each burst of a run, in order of time, the place of the common burst that it is. One is
    /// looked for where the one before it makes it come: a run that was delayed stays late.
    #[must_use]
    pub fn places_of(&self, bursts: &[SampleBurst]) -> Vec<Option<usize>> {
        let reach = self.reach();
        let mut places = vec![None; bursts.len()];
        let (mut late, mut first) = (0.0, 0);
        for (place, common) in self.bursts.iter().enumerate() {
            let distance = |burst: &SampleBurst| apart(burst, common, late);
            let near = bursts.iter().enumerate().skip(first);
            let near = near.filter(|(_, burst)| {
                distance(burst).0 <= reach && burst.bytes >= HELD * common.bytes
            });
            let nearest = near.min_by(|(_, a), (_, b)| {
                let (a, b) = (distance(a), distance(b));
                a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1))
            });
            let Some((index, burst)) = nearest else {
                continue;
            };
            // One that swallowed two common bursts is called after the first.
            places[index].get_or_insert(place);
            first = index;
            if burst.end_s - burst.start_s < MERGED * (common.end_s - common.start_s) {
                late = burst.start_s - common.start_s;
                first += 1;
            }
        }
        places
    }

    /// How far from its place a burst is looked for, in seconds.
    fn reach(&self) -> f64 {
        let pairs = self.bursts.windows(2);
        let mut gaps: Vec<f64> = pairs
            .map(|pair| pair[1].start_s - pair[0].start_s)
            .collect();
        if gaps.is_empty() {
            gaps.push(self.step_s * self.rates.len() as f64);
        }
        REACH * median(&mut gaps)
    }
}

/// How much time lies between a burst and where a common one is expected, and between their starts.
fn apart(burst: &SampleBurst, common: &SignatureBurst, late: f64) -> (f64, f64) {
    let (start, end) = (common.start_s + late, common.end_s + late);
    let between = (burst.start_s - end).max(start - burst.end_s).max(0.0);
    (between, (burst.start_s - start).abs())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn burst(start_s: f64, end_s: f64, bytes: f64) -> SampleBurst {
        SampleBurst {
            start_s,
            crest_s: 0.5 * (start_s + end_s),
            end_s,
            bytes,
        }
    }

    /// Bursts of 10 s and 100 bytes that begin at these times.
    fn signature(starts: &[f64]) -> Signature {
        let burst = |&start_s: &f64| SignatureBurst {
            time_s: start_s + 5.0,
            start_s,
            end_s: start_s + 10.0,
            bytes: 100.0,
            bytes_low: 100.0,
            bytes_high: 100.0,
            peak: 10.0,
            support: 3,
        };
        Signature {
            start_s: 0.0,
            step_s: 1.0,
            timing: None,
            rates: vec![0.0; 400],
            bursts: starts.iter().map(burst).collect(),
        }
    }

    #[test]
    fn bursts_of_others_are_told_apart() {
        let common = signature(&[50.0, 150.0, 250.0]);
        let run = [
            burst(51.0, 61.0, 90.0),
            burst(100.0, 104.0, 400.0),
            burst(149.0, 160.0, 110.0),
            burst(200.0, 203.0, 20.0),
            // Too small to be it.
            burst(250.0, 254.0, 30.0),
        ];
        assert_eq!(common.places_of(&run), [Some(0), None, Some(1), None, None]);
    }

    #[test]
    fn a_run_that_was_delayed_stays_late() {
        let common = signature(&[50.0, 150.0, 250.0, 350.0]);
        let run = [70.0, 190.0, 310.0, 420.0].map(|start| burst(start, start + 10.0, 100.0));
        let found = common.places_of(&run);
        assert_eq!(found, [Some(0), Some(1), Some(2), Some(3)]);
    }

    #[test]
    fn a_burst_that_swallowed_two_is_called_after_the_first() {
        let common = signature(&[50.0, 150.0, 250.0]);
        let run = [burst(50.0, 60.0, 100.0), burst(140.0, 270.0, 900.0)];
        assert_eq!(common.places_of(&run), [Some(0), Some(1)]);
        assert_eq!(common.places_of(&[]), []);
        assert_eq!(signature(&[]).places_of(&run), [None, None]);
    }
}
