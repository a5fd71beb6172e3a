//! Bursts that are not where they belong: of others, found in one sample here and in another there.
//!
//! Where others write often, there is one of their bursts near any place in most samples, and what is looked for
//! is found: in a centre where one application is always running, up to half of the bursts that were found
//! were its own, whosever the samples. But others come when they come. Bursts of the application are as
//! far from each other in one sample as in the next, or from the start, more or less: what delays one
//! delays those behind it, too. How much more or less will do depends on how often others write.

use super::alignment::Anchors;
use super::numbers::quantile;
use super::template::{Common, Template};

/// So many bursts before and behind it a burst may keep pace with.
const NEIGHBOURS: usize = 3;

/// How much the time from one to the other may differ, as a share of the time between bursts of others: it
/// differs by a quarter where one of two is anybody's.
const PACE: f64 = 0.0625;

/// The points that it may differ in any case: a burst is not found to the point.
const NEAR: f64 = 4.0;

/// Of the bursts that others have like one, the share that lies where none is looked for, at least: in the
/// generated logs of centres, a quarter to two thirds. Where there are fewer, most are the application's own.
const ELSEWHERE: f64 = 0.2;

/// Of fewer samples than this three in four must keep pace, of more one half: two of three do by chance.
const MANY: usize = 10;

/// So many different bursts others' are compared with.
const KINDS: usize = 8;

/// Which bursts of a template keep pace with others of it, or with the start of samples.
pub(super) fn in_place(
    template: &Template,
    anchors: &Anchors,
    samples: &[&[f64]],
    held: f64,
) -> Vec<bool> {
    let spacing = spacing_of_others(template, anchors, samples, held);
    let paced =
        |(burst, spacing): (usize, &f64)| scatter(anchors, burst) <= (PACE * spacing).max(NEAR);
    spacing.iter().enumerate().map(paced).collect()
}

/// How much the time between a burst and the one that it keeps pace with best differs from what is usual, or
/// that since the start.
fn scatter(anchors: &Anchors, burst: usize) -> f64 {
    let bursts = anchors.first().map_or(0, Vec::len);
    let near = burst.saturating_sub(NEIGHBOURS)..(burst + NEIGHBOURS + 1).min(bursts);
    let share = if anchors.len() < MANY { 0.75 } else { 0.5 };
    let differs = |since: &dyn Fn(&Vec<f64>) -> f64| {
        let mut times: Vec<f64> = anchors.iter().map(|a| a[burst] - since(a)).collect();
        let usual = quantile(&mut times, 0.5);
        let mut away: Vec<f64> = times.iter().map(|time| (time - usual).abs()).collect();
        quantile(&mut away, share)
    };
    near.filter(|other| *other != burst)
        .map(|other| differs(&|a| a[other]))
        .fold(differs(&|_| 0.0), f64::min)
}

/// How many points lie between two bursts of others that are like one of the template, for each of its
/// bursts. Others' are those where none of the template's was found; some were taken for these.
fn spacing_of_others(
    template: &Template,
    anchors: &Anchors,
    samples: &[&[f64]],
    held: f64,
) -> Vec<f64> {
    let tight: Vec<Common> = template
        .bursts
        .iter()
        .map(|burst| burst.tightened(&template.rates))
        .collect();
    let volume = |burst: &Common| template.rates[burst.start..=burst.end].iter().sum::<f64>();
    let mut order: Vec<usize> = (0..tight.len()).collect();
    order.sort_by(|&one, &other| volume(&tight[one]).total_cmp(&volume(&tight[other])));
    let points: usize = samples.iter().map(|sample| sample.len()).sum();
    let mut spacing = vec![f64::INFINITY; tight.len()];
    // Bursts that move as much are of a kind; the one in the middle stands for all.
    for kind in order.chunks(tight.len().div_ceil(KINDS).max(1)) {
        let middle = &tight[kind[kind.len() / 2]];
        let burst = &template.rates[middle.start..=middle.end];
        let like = Like::count(burst, anchors, samples, held);
        for &burst in kind {
            spacing[burst] = points as f64 / like.others() as f64;
        }
    }
    spacing
}

/// How many bursts samples have that hold one.
#[derive(Default)]
struct Like {
    all: usize,
    /// Those that lie where none of the template's was found.
    elsewhere: usize,
}

impl Like {
    fn count(burst: &[f64], anchors: &Anchors, samples: &[&[f64]], held: f64) -> Self {
        let enough = held * burst.iter().sum::<f64>();
        let stride = (burst.len() / 2).max(1);
        let mut like = Self::default();
        for (sample, anchors) in samples.iter().zip(anchors) {
            let mut taken = anchors.clone();
            taken.sort_by(f64::total_cmp);
            let holds = |place: &usize| {
                let there = burst.iter().zip(&sample[*place..]);
                there.map(|(a, b)| a.min(*b)).sum::<f64>() >= enough
            };
            let places = 0..(sample.len() + 1).saturating_sub(burst.len());
            let holding: Vec<usize> = places.step_by(stride).filter(holds).collect();
            // What holds it at one place holds it beside that, too.
            for found in holding.chunk_by(|one, next| next - one <= stride) {
                like.all += 1;
                like.elsewhere += usize::from(!is_near(found, burst.len(), &taken));
            }
        }
        like
    }

    /// How many are others', of which some may have been taken for the template's.
    fn others(&self) -> usize {
        match self.elsewhere as f64 >= ELSEWHERE * self.all as f64 {
            true => self.all,
            false => self.elsewhere,
        }
    }
}

/// Whether a burst of the template was found near these places, which are in order, as the others are.
fn is_near(places: &[usize], length: usize, taken: &[f64]) -> bool {
    let (Some(first), Some(last)) = (places.first(), places.last()) else {
        return false;
    };
    let from = *first as f64 - length as f64;
    let next = taken.partition_point(|anchor| *anchor < from);
    let until = (last + length) as f64;
    taken.get(next).is_some_and(|anchor| *anchor <= until)
}

#[cfg(test)]
mod tests {
    use super::*;

    const HELD: f64 = 0.5;
    const LENGTH: usize = 1000;

    /// Numbers from 0 to 1 that nothing connects.
    fn anything(sample: usize, k: usize) -> f64 {
        ((97.0 * sample as f64 + 13.7 * k as f64).sin() * 43_758.5).rem_euclid(1.0)
    }

    /// Samples with bursts of four points at these places.
    fn written(places: &[Vec<f64>]) -> Vec<Vec<f64>> {
        let written = |places: &Vec<f64>| {
            let mut rates = vec![0.0; LENGTH];
            for place in places {
                let start = (*place as usize).min(LENGTH - 4);
                rates[start..start + 4].fill(1.0);
            }
            rates
        };
        places.iter().map(written).collect()
    }

    /// Which bursts are in place that were found here, in samples that have these.
    fn told(anchors: &Anchors, places: &[Vec<f64>]) -> Vec<bool> {
        let burst = |k: usize| Common {
            start: 10 * k,
            end: 10 * k + 3,
            support: 0,
            time: 0.0,
            extent: (10 * k, 10 * k + 3),
            spread: (0.0, 0.0),
        };
        let bursts: Vec<Common> = (0..anchors.first().map_or(0, Vec::len))
            .map(burst)
            .collect();
        let rates = (0..LENGTH)
            .map(|i| f64::from(u8::from(i % 10 < 4)))
            .collect();
        let samples = written(places);
        let samples: Vec<&[f64]> = samples.iter().map(Vec::as_slice).collect();
        in_place(&Template { rates, bursts }, anchors, &samples, HELD)
    }

    /// Nine bursts every 100 points, a little late, that are about where the ones before make them come.
    fn own(samples: usize, late: f64) -> Anchors {
        let run = |sample: usize| {
            let mut now = 0.0;
            (0..9)
                .map(|k| {
                    now += 100.0 + late * (anything(sample, k) - 0.5);
                    now
                })
                .collect()
        };
        (0..samples).map(run).collect()
    }

    /// Those of others: one after each 50 points, anywhere; and those of them that are next to every 100.
    fn strangers(samples: usize) -> (Vec<Vec<f64>>, Anchors) {
        let run = |sample: usize| -> Vec<f64> {
            (0..19)
                .map(|k| 50.0 * k as f64 + 50.0 * anything(sample, k))
                .collect()
        };
        let all: Vec<Vec<f64>> = (0..samples).map(run).collect();
        let next = |run: &Vec<f64>, to: f64| {
            let nearer = |a: &f64, b: &f64| (a - to).abs().total_cmp(&(b - to).abs());
            run.iter().copied().min_by(nearer).unwrap_or(0.0)
        };
        let near = |run: &Vec<f64>| (1..9).map(|k| next(run, 100.0 * f64::from(k))).collect();
        let found = all.iter().map(near).collect();
        (all, found)
    }

    #[test]
    fn bursts_that_are_alone_may_come_when_they_like() {
        for late in [0.0, 20.0, 80.0] {
            let own = own(12, late);
            assert_eq!(told(&own, &own), [true; 9], "{late}");
        }
    }

    #[test]
    fn what_is_next_to_any_place_is_nobodys() {
        for samples in [10, 21, 40] {
            let (all, found) = strangers(samples);
            assert_eq!(told(&found, &all), [false; 8], "{samples}");
        }
    }

    #[test]
    fn of_few_samples_most_must_agree() {
        let kept = |samples: usize| {
            let (all, found) = strangers(samples);
            told(&found, &all).iter().filter(|kept| **kept).count()
        };
        assert!(kept(5) <= 2 && kept(7) <= 2, "{} {}", kept(5), kept(7));
    }

    #[test]
    fn own_bursts_stay_among_those_of_others() {
        let (all, found) = strangers(21);
        let own = own(21, 4.0);
        let both = |places: &[Vec<f64>]| -> Vec<Vec<f64>> {
            let joined = own.iter().zip(places);
            joined
                .map(|(own, others)| [own.as_slice(), others].concat())
                .collect()
        };
        // The template has them in the order of time: others' are half a distance later.
        let template: Anchors = own
            .iter()
            .zip(&found)
            .map(|(own, others)| own.iter().zip(others).flat_map(|(a, b)| [*a, *b]).collect())
            .collect();
        let expected: Vec<bool> = (0..16).map(|k| k % 2 == 0).collect();
        assert_eq!(told(&template, &both(&all)), expected);
    }

    #[test]
    fn nothing_is_nowhere() {
        assert!(told(&vec![], &[]).is_empty());
        assert!(told(&vec![vec![]; 3], &vec![vec![]; 3]).is_empty());
        // No sample holds it: there is nobody that it could be of.
        assert_eq!(told(&vec![vec![100.0]; 3], &vec![vec![]; 3]), [true]);
    }
}
