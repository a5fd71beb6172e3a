//! Sums over any stretch of a long series at the price of a subtraction.

/// What was moved from the first interval on up to each, and how many intervals are missing up to there.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Sums {
    /// Years of traffic are 10⁵ times what a job sees, and a difference of plain sums would lose these
    /// digits: what each addition rounds away is kept beside the sum.
    sums: Vec<(f64, f64)>,
    gaps: Vec<u32>,
}

impl Sums {
    /// From the volume of each interval; `None` for one of which nothing is known.
    pub(super) fn of(volumes: impl IntoIterator<Item = Option<f64>>) -> Self {
        let (mut sums, mut gaps) = (vec![(0.0, 0.0)], vec![0]);
        let (mut sum, mut rest, mut missing) = (0.0, 0.0, 0);
        for volume in volumes {
            let more = volume.unwrap_or(0.0);
            let next: f64 = sum + more;
            // What was rounded away, exactly (Knuth's two-sum).
            let kept = next - sum;
            rest += (sum - (next - kept)) + (more - kept);
            sum = next;
            missing += u32::from(volume.is_none());
            sums.push((sum, rest));
            gaps.push(missing);
        }
        Self { sums, gaps }
    }

    /// How many intervals there are.
    pub(super) fn len(&self) -> usize {
        self.sums.len() - 1
    }

    /// What was moved in the intervals from `first` to the one before `end`.
    pub(super) fn volume(&self, first: usize, end: usize) -> f64 {
        let ((from, from_rest), (to, to_rest)) = (self.sums[first], self.sums[end]);
        ((to - from) + (to_rest - from_rest)).max(0.0)
    }

    /// How many of them are missing.
    pub(super) fn missing(&self, first: usize, end: usize) -> u32 {
        self.gaps[end] - self.gaps[first]
    }

    /// The first interval from `first` on that is missing.
    pub(super) fn first_missing(&self, first: usize) -> usize {
        let before = self.gaps[first];
        first + self.gaps[first + 1..].partition_point(|&gaps| gaps == before)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_small_stretch_of_a_large_sum_keeps_its_digits() {
        let volumes = (0..100_000).map(|at| match at {
            70_000 => 1.0,
            70_001 => 0.25,
            70_002 => 0.0,
            _ => 1e15 + 0.1 * f64::from(at),
        });
        let sums = Sums::of(volumes.map(Some));
        assert_eq!(sums.volume(70_000, 70_002), 1.25);
        assert_eq!(sums.volume(70_002, 70_003), 0.0);
        assert_eq!(sums.volume(70_003, 70_003), 0.0);
    }

    #[test]
    fn gaps_are_found() {
        let sums = Sums::of([Some(1.0), None, Some(2.0), None, None]);
        assert_eq!((sums.len(), sums.volume(0, 5)), (5, 3.0));
        assert_eq!(sums.missing(0, 5), 3);
        assert_eq!((sums.missing(2, 3), sums.missing(1, 2)), (0, 1));
        assert_eq!(sums.first_missing(0), 1);
        assert_eq!(sums.first_missing(1), 1);
        assert_eq!(sums.first_missing(2), 3);
    }
}
