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
