//! Bursts of two sizes, such as checkpoints and logs.

use super::bursts::Burst;
use super::numbers::sorted;
use super::phases::Moved;

/// Fewest bursts of a size.
const FEWEST: usize = 3;
/// How many times more the smallest of the big ones moves than the biggest of the small ones.
const RATIO: f64 = 4.0;
/// The share of all bytes that the big ones move.
const MOST: f64 = 0.5;

/// Big and small bursts, where sizes fall apart in two.
pub(super) fn split(bursts: &[Burst], moved: &Moved) -> Option<(Vec<Burst>, Vec<Burst>)> {
    let volume = |burst: &Burst| moved.between(burst.start, burst.end);
    let volumes: Vec<f64> = bursts.iter().map(volume).collect();
    let volumes = sorted(&volumes);
    let inner = FEWEST..volumes.len().checked_sub(FEWEST - 1)?;
    let ratio = |index: &usize| volumes[*index] / volumes[index - 1].max(f64::MIN_POSITIVE);
    let cut = inner.max_by(|a, b| ratio(a).total_cmp(&ratio(b)))?;
    let most = volumes[cut..].iter().sum::<f64>() > MOST * volumes.iter().sum::<f64>();
    if ratio(&cut) < RATIO || !most {
        return None;
    }
    let least = volumes[cut];
    Some(bursts.iter().partition(|burst| volume(burst) >= least))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Bursts of one sample, every other sample, of these volumes.
    fn found(volumes: &[f64]) -> Option<(usize, usize)> {
        let samples: Vec<f64> = volumes.iter().flat_map(|volume| [*volume, 0.0]).collect();
        let burst = |i: usize| Burst {
            start: 2.0 * i as f64,
            end: 2.0 * i as f64 + 1.0,
        };
        let bursts: Vec<Burst> = (0..volumes.len()).map(burst).collect();
        let (big, small) = split(&bursts, &Moved::new(&samples, 1.0))?;
        Some((big.len(), small.len()))
    }

    #[test]
    fn checkpoints_are_told_from_logs() {
        let volumes = [1.0, 1.1, 90.0, 0.9, 1.0, 95.0, 1.2, 1.0, 88.0];
        assert_eq!(found(&volumes), Some((3, 6)));
    }

    #[test]
    fn volumes_that_merely_vary_are_one_size() {
        assert_eq!(found(&[1.0, 2.0, 3.0, 1.5, 2.5, 3.5, 4.5, 1.2]), None);
    }

    #[test]
    fn a_size_of_one_or_two_bursts_is_none() {
        assert_eq!(found(&[1.0, 1.0, 1.0, 1.0, 99.0, 99.0]), None);
        assert_eq!(found(&[1.0, 99.0]), None);
        assert_eq!(found(&[]), None);
    }

    #[test]
    fn big_ones_that_move_little_of_all_are_none() {
        let mut volumes = vec![1.0; 100];
        volumes[..3].fill(5.0);
        assert_eq!(found(&volumes), None);
    }
}
