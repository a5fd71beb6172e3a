//! Bursts that are not where they belong: of others, found in one sample here and in another there.

use super::alignment::Anchors;
use super::numbers::median;

/// Among fewer bursts nobody can tell which is where it belongs.
const FEWEST: usize = 4;

/// How many times as far as is usual a burst may be from where its neighbours make it come, and the
/// points that it may be in any case.
const FAR: f64 = 5.0;
const NEAR: f64 = 4.0;

/// Which bursts are where their neighbours make them come in most samples. A burst of the application is:
/// what delays it delays those around it, too.
pub(super) fn in_place(anchors: &Anchors) -> Vec<bool> {
    let bursts = anchors.first().map_or(0, Vec::len);
    let mut kept: Vec<usize> = (0..bursts).collect();
    while kept.len() >= FEWEST {
        let away: Vec<f64> = (0..kept.len())
            .map(|k| scatter(anchors, &kept, k))
            .collect();
        let usual = median(&mut away.clone());
        let (worst, farthest) =
            away.iter()
                .enumerate()
                .fold((0, 0.0), |best, (k, &away)| match away > best.1 {
                    true => (k, away),
                    false => best,
                });
        if farthest <= (FAR * usual).max(NEAR) {
            break;
        }
        kept.remove(worst);
    }
    (0..bursts).map(|burst| kept.contains(&burst)).collect()
}

/// How far the k-th burst that is kept usually is from where its neighbours make it come.
fn scatter(anchors: &Anchors, kept: &[usize], k: usize) -> f64 {
    let at = |k: usize| kept[k];
    let neighbours = match k {
        0 => [at(1), at(1)],
        last if last + 1 == kept.len() => [at(k - 1), at(k - 1)],
        _ => [at(k - 1), at(k + 1)],
    };
    let mut off: Vec<f64> = anchors
        .iter()
        .map(|a| a[at(k)] - 0.5 * (a[neighbours[0]] + a[neighbours[1]]))
        .collect();
    let usual = median(&mut off);
    let mut away: Vec<f64> = off.iter().map(|off| (off - usual).abs()).collect();
    median(&mut away)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Eight bursts, every 100 points and a little late; the third is anywhere.
    fn anchors(wandering: f64) -> Anchors {
        let late = |sample: usize, k: usize| ((sample * 7 + k * 3) % 4) as f64;
        let place = |sample: usize, k: usize| match k {
            2 => 250.0 + wandering * ((sample * 5 % 9) as f64 - 4.0),
            _ => 100.0 * k as f64 + 2.0 * sample as f64 + late(sample, k),
        };
        (0..9)
            .map(|sample| (0..8).map(|k| place(sample, k)).collect())
            .collect()
    }

    #[test]
    fn a_burst_that_is_anywhere_is_not_in_place() {
        let told = in_place(&anchors(15.0));
        let expected: Vec<bool> = (0..8).map(|k| k != 2).collect();
        assert_eq!(told, expected);
        assert_eq!(in_place(&anchors(1.0)), [true; 8]);
    }

    #[test]
    fn of_few_bursts_none_is_out_of_place() {
        let few: Anchors = anchors(50.0).iter().map(|a| a[1..4].to_vec()).collect();
        assert_eq!(in_place(&few), [true; 3]);
        assert!(in_place(&vec![vec![]; 3]).is_empty());
        assert!(in_place(&vec![]).is_empty());
    }
}
