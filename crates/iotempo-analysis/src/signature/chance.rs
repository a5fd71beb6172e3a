//! How likely others are to look like a burst of the application.

use super::numbers::{mean, medians_without_each};
use super::template::{Common, Shape, Template};
use crate::binomial::at_least;

/// How often a burst is looked for where it is not, at most: over all samples.
const TRIES: usize = 256;

/// The fewest points between bursts that tell what is there where the application does nothing.
const ROOM: usize = 8;

/// Of fewer looks at others nobody can tell what they do.
const ENOUGH: u32 = 20;

/// The part of their reach that alignments use, as a rule, because what is further away costs more.
const USED: usize = 3;

/// How much larger the share of samples that have a burst must be than that by chance. Of many samples a
/// little more than by chance is no longer chance, but not much of a burst either. What others are known to have
/// counts there as if all samples were moved as far as they may be: many samples find more of it than is likely.
const EXCESS: f64 = 0.4;

/// Of the bursts that are believed in, the share that may be there by chance.
const FALSE: f64 = 0.05;

/// So many places a burst has in its own length: one that begins a sixth of it later is another one. Of 480
/// generated sets of five runs without an application, 20 are then given a burst, and 7 of those of three; at four
/// places a length, 26 and 9.
const OVERLAPPING: f64 = 6.0;

/// Which bursts of a template more samples have than by chance; `None` where nothing tells.
pub(super) fn believed(
    template: &Template,
    aligned: &[Vec<f64>],
    others: &[Vec<f64>],
    reach: usize,
) -> Vec<Option<bool>> {
    let rates = &template.rates;
    // A burst reaches from trough to trough, and in a short sample that leaves no room beside it to
    // look for others: what counts is where it moves bytes.
    let bursts = template.bursts.iter();
    let tight: Vec<Common> = bursts.map(|burst| burst.tightened(rates)).collect();
    let between = Between::new(&tight, rates.len());
    let chance = |burst: &Common| {
        let own = &rates[burst.start..=burst.end];
        let beside = of_holding(own, &between, aligned, reach / USED);
        let p = likelier(beside, of_others(own, others, reach / USED))?;
        // Stretches may be too short to be looked at as far as a burst may be moved.
        let at_most = likelier(beside, of_others(own, others, reach)).map_or(p, |far| far.max(p));
        let support = support(burst, aligned);
        let enough = support as f64 >= (at_most + EXCESS) * aligned.len() as f64;
        Some(if enough {
            at_least(support, aligned.len(), p)
        } else {
            1.0
        })
    };
    let chances: Vec<Option<f64>> = tight.iter().map(chance).collect();
    let places = |burst: &Common| OVERLAPPING * rates.len() as f64 / burst.points() as f64;
    let places = mean(&tight.iter().map(places).collect::<Vec<f64>>());
    let highest = discoveries(chances.iter().copied().flatten().collect(), places);
    let highest = highest.min(credible(aligned.len()));
    let believed = |chance: &Option<f64>| chance.map(|chance| chance <= highest);
    chances.iter().map(believed).collect()
}

/// The highest chance at which bursts are believed in that were looked for at so many places, so that few of
/// them are there by chance: one must be very unlikely, of many each may be less so (Benjamini and Hochberg,
/// 1995). Below 0 where none are.
fn discoveries(mut chances: Vec<f64>, places: f64) -> f64 {
    chances.sort_by(f64::total_cmp);
    let limits = (1..).map(|rank| FALSE * f64::from(rank) / places.max(1.0));
    let ranked = chances.iter().zip(limits);
    let within = ranked.filter(|(chance, limit)| *chance <= limit);
    within.map(|(chance, _)| *chance).last().unwrap_or(-1.0)
}

/// How many samples hold a burst as the others have it: a median is made of all of them, and half of them
/// hold it by that alone.
fn support(burst: &Common, aligned: &[Vec<f64>]) -> usize {
    let others = medians_without_each(aligned, burst.start..=burst.end);
    let holds = |(sample, others): &(&Vec<f64>, &Vec<f64>)| {
        Shape::new(others).is_held(sample, burst.start as isize)
    };
    aligned.iter().zip(&others).filter(holds).count()
}

/// How likely a sample is to hold a burst near a place where the application does nothing: from how many
/// do, at places between all bursts. As in the alignment, any place within `reach` will do. Where a burst is
/// longer than all that lies between, its middle is looked for: it is held by chance at least as often.
fn of_holding(
    burst: &[f64],
    between: &Between,
    aligned: &[Vec<f64>],
    reach: usize,
) -> Option<Looks> {
    let length = burst.len().min(between.longest());
    if length < burst.len().min(ROOM) {
        return None;
    }
    let middle = (burst.len() - length) / 2;
    let shape = Shape::new(&burst[middle..middle + length]);
    let mut looks = Looks::default();
    for (start, (from, end)) in between.places(length, TRIES.div_ceil(aligned.len().max(1))) {
        let first = start.saturating_sub(reach).max(from);
        let last = (start + reach).min(end - length);
        for sample in aligned {
            // What is found at one place is found half its length beside it, too.
            let mut near = (first..=last).step_by((length / 2).max(1)).chain([last]);
            looks.took(near.any(|start| shape.is_held(sample, start as isize)));
        }
    }
    Some(looks)
}

/// The larger of two chances, where both are known. That a few looks at others found nothing does not make it likelier.
fn likelier(beside: Option<Looks>, alone: Option<Looks>) -> Option<f64> {
    let alone = alone.filter(|alone| beside.is_none() || alone.hits > 0);
    let known = [beside, alone].into_iter().flatten().map(Looks::share);
    known.reduce(f64::max)
}

/// The same, from what others do while the application does not run, where enough is known of it.
fn of_others(burst: &[f64], others: &[Vec<f64>], reach: usize) -> Option<Looks> {
    let shape = Shape::new(burst);
    let width = burst.len() + 2 * reach;
    let room = |stretch: &Vec<f64>| (stretch.len() + 1).saturating_sub(width);
    let all: usize = others.iter().map(room).sum();
    let stride = all.div_ceil(TRIES).max(burst.len() / 2).max(1);
    let mut looks = Looks::default();
    for stretch in others {
        for first in (0..room(stretch)).step_by(stride) {
            let last = first + 2 * reach;
            let mut near = (first..=last)
                .step_by((burst.len() / 2).max(1))
                .chain([last]);
            looks.took(near.any(|start| shape.is_held(stretch, start as isize)));
        }
    }
    (looks.tries >= ENOUGH).then_some(looks)
}

/// How often a burst was looked for, and found.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
struct Looks {
    tries: u32,
    hits: u32,
}

impl Looks {
    fn took(&mut self, found: bool) {
        self.tries += 1;
        self.hits += u32::from(found);
    }

    /// Nothing is impossible because it was not seen.
    fn share(self) -> f64 {
        (f64::from(self.hits) + 0.5) / (f64::from(self.tries) + 1.0)
    }
}

/// The stretches between bursts.
struct Between {
    stretches: Vec<(usize, usize)>,
}

impl Between {
    fn new(bursts: &[Common], length: usize) -> Self {
        let mut from = 0;
        let mut stretches = Vec::with_capacity(bursts.len() + 1);
        let bounds = bursts.iter().map(|burst| (burst.start, burst.end + 1));
        for (start, next) in bounds.chain([(length, length)]) {
            if start > from {
                stretches.push((from, start));
            }
            from = from.max(next);
        }
        Self { stretches }
    }

    /// How many points the longest of them has.
    fn longest(&self) -> usize {
        let points = self.stretches.iter().map(|(from, end)| end - from);
        points.max().unwrap_or(0)
    }

    /// About `count` places, evenly spread, where something of this length fits, each with its stretch.
    fn places(
        &self,
        length: usize,
        count: usize,
    ) -> impl Iterator<Item = (usize, (usize, usize))> + '_ {
        let room = move |&(from, end): &(usize, usize)| (end - from + 1).saturating_sub(length);
        let all: usize = self.stretches.iter().map(room).sum();
        let stride = all.div_ceil(count.max(1)).max(length / 2).max(1);
        let mut skip = 0;
        self.stretches.iter().flat_map(move |stretch| {
            let room = room(stretch);
            let first = skip;
            let here = room.saturating_sub(first).div_ceil(stride);
            skip = (first + here * stride).saturating_sub(room);
            (0..here).map(move |k| (stretch.0 + first + k * stride, *stretch))
        })
    }
}

/// The highest chance at which a burst is believed in. It is lower than it seems, because bursts were
/// looked for where there are most; few samples cannot ask for as much.
fn credible(samples: usize) -> f64 {
    10_f64.powf(-0.5 * (samples as f64 + 2.0)).max(1e-6)
}

#[cfg(test)]
mod tests {
    use super::super::template::burst;
    use super::*;

    #[test]
    fn one_burst_must_be_less_likely_than_each_of_many() {
        assert!(discoveries(vec![2e-3], 100.0) < 0.0);
        assert_eq!(discoveries(vec![2e-4, 0.5], 100.0), 2e-4);
        assert_eq!(discoveries(vec![2e-3, 1e-3, 0.5, 2e-3, 2e-3], 100.0), 2e-3);
        assert!(discoveries(vec![], 100.0) < 0.0);
    }

    #[test]
    fn a_sample_is_not_asked_whether_it_holds_itself() {
        let burst = burst(0, 3);
        // Where each of three has something at another point, the median of all has nothing; where two do,
        // it is theirs, and the third does not hold it.
        let aligned = [vec![4.0; 4], vec![4.0; 4], vec![0.0; 4]];
        assert_eq!(support(&burst, &aligned), 2);
        let aligned = [vec![9.0; 4], vec![1.0; 4], vec![1.0; 4], vec![0.0; 4]];
        assert_eq!(support(&burst, &aligned), 3);
    }

    #[test]
    fn a_burst_longer_than_all_between_is_looked_for_by_its_middle() {
        let mut run = vec![5.0; 40];
        run[..10].fill(0.0);
        run[30..].fill(0.0);
        let between = Between::new(&[burst(10, 29)], 40);
        let runs = vec![run.clone(); 4];
        let p = of_holding(&run[10..30], &between, &runs, 0).map(Looks::share);
        assert!(
            p.is_some_and(|p| p < 0.2),
            "ten points are room enough: {p:?}"
        );
        // What is as high beside it is anybody's.
        let p = of_holding(&run[10..30], &between, &vec![vec![5.0; 40]; 4], 0).map(Looks::share);
        assert!(p.is_some_and(|p| p > 0.8), "{p:?}");
        // Of a few points nobody can tell.
        let between = Between::new(&[burst(3, 36)], 40);
        assert_eq!(of_holding(&[5.0; 34], &between, &runs, 0), None);
    }

    #[test]
    fn what_others_do_alone_is_looked_through_for_a_burst() {
        let burst = [5.0; 10];
        let mut busy = vec![0.0; 400];
        for start in (20..400).step_by(40) {
            busy[start..start + 10].fill(5.0);
        }
        // One of four points begins one, or nearly; within ten points to either side, most do.
        let at_once = of_others(&burst, &[busy.clone()], 0).map(Looks::share);
        assert!(
            at_once.is_some_and(|p| (0.05..0.5).contains(&p)),
            "{at_once:?}"
        );
        let near = of_others(&burst, &[busy], 10).map(Looks::share);
        assert!(near.is_some_and(|p| p > 0.6), "{near:?}");
        let quiet = of_others(&burst, &[vec![0.0; 400]], 10);
        assert!(quiet.is_some_and(|looks| looks.hits == 0 && looks.tries >= ENOUGH));
        // Of a short stretch nobody can tell, and of none neither.
        assert_eq!(of_others(&burst, &[vec![0.0; 60]], 0), None);
        assert_eq!(of_others(&burst, &[], 0), None);
    }

    #[test]
    fn places_lie_between_bursts() {
        let between = Between::new(&[burst(10, 19)], 30);
        let places = |length, count| -> Vec<usize> {
            between
                .places(length, count)
                .map(|(place, _)| place)
                .collect()
        };
        assert_eq!(places(4, 100), [0, 2, 4, 6, 21, 23, 25]);
        assert_eq!(places(4, 3), [0, 5, 23]);
        assert_eq!(places(10, 100), [0]);
        assert!(places(11, 100).is_empty());
    }
}
