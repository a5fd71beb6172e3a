//! Whether an application goes on outside of its runs. Where servers' clocks show another time than the scheduler's,
//! what it moves last lies behind the end of every run, or what it moves first before the start. Others write at such
//! times, too, but not at the same moment beside most runs.

use super::alignment::COMMON;
use super::finding::Signature;
use super::numbers::{mean, median};

/// The part of the mean burst that must be there: ripples are no bursts.
const PART_OF_MEAN: f64 = 0.15;

/// What most runs have beside them at the same moment.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Shared {
    /// So many bytes, beyond what is usual there.
    pub bytes: f64,
    /// So many steps from the runs.
    pub place: usize,
    /// In so many steps.
    pub steps: usize,
}

impl Signature {
    /// The most that most of what servers moved beside runs, in steps of `step_s` and the nearest first, holds at the same
    /// moment in as much time as a burst takes, as far as `enough` of these rows reach.
    #[must_use]
    pub fn shared_by(&self, rows: &[Vec<f64>], enough: usize, step_s: f64) -> Shared {
        let mut lengths: Vec<f64> = self.bursts.iter().map(|b| b.end_s - b.start_s).collect();
        let steps = (median(&mut lengths) / step_s).ceil().max(1.0) as usize;
        let (place, moved) = most_at_once(&common(rows, enough), steps);
        Shared {
            bytes: step_s * moved,
            place,
            steps,
        }
    }

    /// This `part` of its least burst, and no ripple; none where there is no burst.
    #[must_use]
    pub fn part_of_least(&self, part: f64) -> Option<f64> {
        let bytes: Vec<f64> = self.bursts.iter().map(|burst| burst.bytes).collect();
        let mean = mean(&bytes);
        let least = bytes.iter().copied().fold(mean, f64::min);
        let least = (part * least).max(PART_OF_MEAN * mean);
        (least > 0.0).then_some(least)
    }
}

/// What most rows have at each place, or more, as far as enough of them reach.
fn common(rows: &[Vec<f64>], enough: usize) -> Vec<f64> {
    let mut lengths: Vec<usize> = rows.iter().map(Vec::len).collect();
    lengths.sort_unstable_by(|one, other| other.cmp(one));
    let length = lengths.get(enough.saturating_sub(1)).copied().unwrap_or(0);
    let rows: Vec<&Vec<f64>> = rows.iter().filter(|row| row.len() >= length).collect();
    let fewer = ((1.0 - COMMON) * rows.len() as f64) as usize;
    let at = |place: usize| {
        let mut column: Vec<f64> = rows.iter().map(|row| row[place]).collect();
        *column.select_nth_unstable_by(fewer, f64::total_cmp).1
    };
    (0..length).map(at).collect()
}

/// Where the most is moved in so many points beyond what is usual, and how much. What is summed up over all of a long
/// time is noise.
fn most_at_once(rates: &[f64], points: usize) -> (usize, f64) {
    let usual = median(&mut rates.to_vec());
    let sums = rates.windows(points.clamp(1, rates.len().max(1)));
    let beyond = |rates: &[f64]| rates.iter().map(|rate| rate - usual).sum::<f64>();
    let most =
        |most: (usize, f64), (place, moved)| if moved > most.1 { (place, moved) } else { most };
    sums.map(beyond).enumerate().fold((0, 0.0), most)
}

#[cfg(test)]
mod tests {
    use super::super::finding::SignatureBurst;
    use super::*;

    fn signature(bursts: &[(f64, f64)]) -> Signature {
        let burst = |&(start_s, bytes): &(f64, f64)| SignatureBurst {
            time_s: start_s,
            start_s,
            end_s: start_s + 6.0,
            bytes,
            bytes_low: bytes,
            bytes_high: bytes,
            peak: bytes,
            support: 3,
        };
        Signature {
            start_s: 0.0,
            step_s: 1.0,
            rates: Vec::new(),
            bursts: bursts.iter().map(burst).collect(),
            timing: None,
        }
    }

    fn row(burst: usize) -> Vec<f64> {
        let rate = |at| {
            if (burst..burst + 3).contains(&at) {
                9.0
            } else {
                1.0
            }
        };
        (0..30).map(rate).collect()
    }

    fn goes_on(found: &Signature, rows: &[Vec<f64>]) -> bool {
        let least = found.part_of_least(0.5);
        least.is_some_and(|least| found.shared_by(rows, 3, 2.0).bytes >= least)
    }

    #[test]
    fn what_most_have_at_the_same_moment_is_a_burst() {
        let found = signature(&[(0.0, 48.0), (100.0, 60.0)]);
        assert!(goes_on(&found, &[5, 5, 5, 20].map(row)));
        let shared = found.shared_by(&[5, 5, 5, 20].map(row), 3, 2.0);
        assert_eq!((shared.bytes, shared.place, shared.steps), (48.0, 5, 3));
        // Two of four are not most of them.
        assert!(!goes_on(&found, &[5, 5, 18, 20].map(row)));
        assert!(!goes_on(&found, &[2, 9, 16, 23].map(row)));
        // One run has little time beside it.
        let short = [row(5), row(5), row(5), vec![1.0; 12]];
        assert!(goes_on(&found, &short));
        assert!(!goes_on(&found, &[row(5), row(5)]));
        let larger = signature(&[(0.0, 480.0)]);
        assert!(!goes_on(&larger, &[row(5), row(5), row(5)]));
    }

    #[test]
    fn nothing_goes_on_where_there_is_nothing() {
        assert!(!goes_on(&signature(&[]), &[row(5), row(5), row(5)]));
        assert!(!goes_on(&signature(&[(0.0, 0.0)]), &[]));
    }

    #[test]
    fn noise_of_many_hours_is_no_burst() {
        let mut state = 1_u64;
        let mut noise = || {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            60e6 * ((state >> 11) as f64 / (1_u64 << 52) as f64 - 1.0)
        };
        let mut rows = vec![vec![0.0; 10_000]; 10];
        for rate in rows.iter_mut().flatten() {
            *rate = 145e6 + noise();
        }
        let found = signature(&[(0.0, 15e9), (100.0, 60e9)]);
        assert!(!goes_on(&found, &rows));
        for row in &mut rows {
            row[9000..9004].iter_mut().for_each(|rate| *rate += 2e9);
        }
        assert!(goes_on(&found, &rows));
    }
}
