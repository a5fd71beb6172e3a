//! Bursts that are not where they belong: of others, found in one sample here and in another there.
//!
//! Where others write often, there is one of their bursts near any place in most samples, and what is looked for
//! is found: in a centre where one application is always running, up to half of the bursts that were found
//! were its own, whosever the samples. But others come when they come. Bursts of the application are as
//! far from each other in one sample as in the next, or from the start, more or less: what delays one
//! delays those behind it, too. How much more or less will do depends on how often others write.
//!
//! One other that writes periodically keeps pace with itself, too, and samples can be moved so that its bursts
//! lie over each other. But it does not know when samples start: bursts that keep pace with each other are the
//! application's only if the first of them keeps pace with the start.

use super::alignment::Anchors;
use super::numbers::quantile;
use super::template::{Common, Shape, Template};
use std::collections::BTreeMap;
use std::f64::consts::TAU;

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

/// How much the time between two bursts that are somebody's may differ, as a share of the time between bursts
/// like them, and in times of how much it differs at least.
const TOGETHER: f64 = 1.0 / 12.0;
const AS_LOOSE: f64 = 2.5;

/// How well the times of a burst since the start must agree: 0 where they have nothing to do with it, 1 where
/// they are the same. Of `n` samples that a foreign rhythm is in, `exp(-n·a²)` agree by `a` or more by chance,
/// so that few samples must agree better.
const AGREE: f64 = 0.6;
const BY_CHANCE: f64 = 3.5;

/// Which bursts of a template keep pace with others of it, or with the start of samples, and are not those of
/// another that does so.
pub(super) fn in_place(
    template: &Template,
    anchors: &Anchors,
    samples: &[&[f64]],
    others: &[Vec<f64>],
) -> Vec<bool> {
    let tight: Vec<Common> = template
        .bursts
        .iter()
        .map(|burst| burst.tightened(&template.rates))
        .collect();
    let spacing = spacings(template, &tight, anchors, samples, others);
    let places = places(template, &tight, anchors, samples);
    let pace = paces(&places);
    let since_start: Vec<f64> = places.iter().map(|places| scatter(known(places))).collect();
    let mut in_place: Vec<bool> = (0..places.len())
        .map(|burst| {
            let own = least(&pace[burst]).unwrap_or(f64::INFINITY);
            let least = own.min(since_start[burst]);
            least <= (PACE * spacing[burst].others).max(NEAR)
        })
        .collect();
    for group in strangers(&places, &pace, &spacing) {
        group.iter().for_each(|&burst| in_place[burst] = false);
    }
    for burst in intruders(&places, &spacing, &in_place) {
        in_place[burst] = false;
    }
    in_place
}

/// Bursts that come when they like between two that are punctual: whatever delays one of the application's
/// delays those behind it, too. By chance one of others keeps pace with one of its bursts.
fn intruders(places: &Places, spacing: &[Spacing], in_place: &[bool]) -> Vec<usize> {
    let is_punctual = |times: &[Option<f64>]| scatter(known(times)) <= NEAR;
    let punctual: Vec<usize> = (0..places.len())
        .filter(|&burst| in_place[burst] && is_punctual(&places[burst]))
        .collect();
    let comes_when_it_likes = |burst: &usize| {
        let behind = punctual.partition_point(|one| one < burst);
        let (Some(before), Some(after)) = (behind.checked_sub(1), punctual.get(behind)) else {
            return false;
        };
        let keeps = |other: usize| is_punctual(&apart(&places[other], &places[*burst]));
        *after != *burst
            && !keeps(punctual[before])
            && !keeps(*after)
            && !agrees(&places[*burst], spacing[*burst].all, 2 * places.len())
    };
    (0..places.len()).filter(comes_when_it_likes).collect()
}

/// Groups of bursts that keep pace with each other, but not with the start, nor with a burst that does.
fn strangers(places: &Places, pace: &Paces, spacing: &[Spacing]) -> Vec<Vec<usize>> {
    let groups = groups(pace, spacing);
    // What comes when it likes does so at first, too.
    let close = |group: &[usize], times: &[Option<f64>]| {
        let mut paces: Vec<f64> = group.iter().filter_map(|&b| least(&pace[b])).collect();
        let own = match group.len() {
            1 => NEAR,
            _ => NEAR.max(AS_LOOSE * quantile(&mut paces, 0.5)),
        };
        scatter(known(times)) <= own
    };
    // Of two that are not delayed together, at most one is the application's.
    let punctual: Vec<usize> = groups
        .iter()
        .filter(|group| close(group, &places[group[0]]))
        .flatten()
        .copied()
        .collect();
    let is_around = |group: &[usize]| {
        let (first, last) = (group[0], group[group.len() - 1]);
        punctual.iter().any(|burst| (first..last).contains(burst))
    };
    let (mut tied, mut strangers): (Vec<usize>, Vec<Vec<usize>>) = Default::default();
    for group in groups {
        let first = group[0];
        let keeps = |times: &[Option<f64>]| {
            close(&group, times) || !is_around(&group) && agrees(times, spacing[first].all, 2)
        };
        // Delays add up: a burst that is far from the start need not know more than when the last one was.
        let before = tied.iter().copied().filter(|burst| *burst < first).max();
        let after = before.map(|before| apart(&places[before], &places[first]));
        if keeps(&places[first]) || after.is_some_and(|times| keeps(&times)) {
            tied.extend(group);
        } else {
            strangers.push(group);
        }
    }
    strangers
}

/// Where each burst is in each sample, if the sample holds it there.
type Places = Vec<Vec<Option<f64>>>;

fn places(template: &Template, tight: &[Common], anchors: &Anchors, samples: &[&[f64]]) -> Places {
    let of_burst = |(burst, (whole, tight)): (usize, (&Common, &Common))| {
        let shape = tight.shape(&template.rates);
        let place = |(anchors, sample): (&Vec<f64>, &&[f64])| {
            let first = anchors[burst] + (tight.start - whole.start) as f64;
            let held = shape.is_held(sample, first.round() as isize);
            held.then_some(anchors[burst])
        };
        anchors.iter().zip(samples).map(place).collect()
    };
    let bursts = template.bursts.iter().zip(tight);
    bursts.enumerate().map(of_burst).collect()
}

fn known(places: &[Option<f64>]) -> Vec<f64> {
    places.iter().copied().flatten().collect()
}

/// The times from one burst to another, in samples that hold both.
fn apart(one: &[Option<f64>], other: &[Option<f64>]) -> Vec<Option<f64>> {
    let both = one.iter().zip(other);
    both.map(|(one, other)| Some((*other)? - (*one)?)).collect()
}

/// How much the time between a burst and each of its neighbours differs from what is usual.
type Paces = Vec<Vec<(usize, f64)>>;

fn paces(places: &Places) -> Paces {
    let bursts = places.len();
    let mut pace = vec![Vec::new(); bursts];
    for one in 0..bursts {
        for other in one + 1..bursts.min(one + NEIGHBOURS + 1) {
            let apart = known(&apart(&places[one], &places[other]));
            if apart.is_empty() {
                continue;
            }
            let scatter = scatter(apart);
            pace[one].push((other, scatter));
            pace[other].push((one, scatter));
        }
    }
    pace
}

/// How much times differ from what is usual; not at all where there are none.
fn scatter(mut times: Vec<f64>) -> f64 {
    let usual = quantile(&mut times, 0.5);
    let mut away: Vec<f64> = times.iter().map(|time| (time - usual).abs()).collect();
    let share = if away.len() < MANY { 0.75 } else { 0.5 };
    quantile(&mut away, share)
}

fn least(pace: &[(usize, f64)]) -> Option<f64> {
    pace.iter().map(|(_, pace)| *pace).reduce(f64::min)
}

/// Bursts that keep pace with each other, in order of time.
fn groups(pace: &Paces, spacing: &[Spacing]) -> Vec<Vec<usize>> {
    let least: Vec<f64> = pace.iter().map(|pace| least(pace).unwrap_or(0.0)).collect();
    let linked = |one: usize, other: usize, pace: f64| {
        let usual = TOGETHER * spacing[one].all.min(spacing[other].all);
        let own = AS_LOOSE * least[one].min(least[other]);
        pace <= usual.max(own).max(NEAR)
    };
    // The first burst of its group, as far as that is known.
    let mut firsts: Vec<usize> = (0..pace.len()).collect();
    let first = |firsts: &[usize], mut burst: usize| {
        while firsts[burst] != burst {
            burst = firsts[burst];
        }
        burst
    };
    for (burst, pace) in pace.iter().enumerate() {
        for &(other, pace) in pace.iter().filter(|(other, _)| *other < burst) {
            if linked(burst, other, pace) {
                let (one, two) = (first(&firsts, burst), first(&firsts, other));
                firsts[one.max(two)] = one.min(two);
                firsts[burst] = one.min(two);
            }
        }
    }
    let mut groups: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for burst in 0..pace.len() {
        groups.entry(first(&firsts, burst)).or_default().push(burst);
    }
    groups.into_values().collect()
}

/// Whether times since the start agree, where bursts are this far from each other. Those of a rhythm that knows
/// nothing of the start may be anywhere between two (Rayleigh's test of directions).
fn agrees(places: &[Option<f64>], spacing: f64, tests: usize) -> bool {
    let (mut x, mut y) = (0.0, 0.0);
    for place in places.iter().flatten() {
        let (sin, cos) = (TAU * place / spacing).sin_cos();
        x += cos;
        y += sin;
    }
    let samples = places.len().max(1) as f64;
    let by_chance = BY_CHANCE + (0.5 * tests as f64).ln();
    f64::hypot(x, y) / samples >= AGREE.max((by_chance / samples).sqrt())
}

/// How many points lie between two bursts that are like one.
#[derive(Clone, Copy)]
struct Spacing {
    /// Of others: those where none of the template's was found; some were taken for these.
    others: f64,
    /// Of anybody.
    all: f64,
}

/// How far bursts are from each other that are like one of the template, for each of its bursts.
fn spacings(
    template: &Template,
    tight: &[Common],
    anchors: &Anchors,
    samples: &[&[f64]],
    others: &[Vec<f64>],
) -> Vec<Spacing> {
    let volume = |burst: &Common| template.rates[burst.start..=burst.end].iter().sum::<f64>();
    let mut order: Vec<usize> = (0..tight.len()).collect();
    order.sort_by(|&one, &other| volume(&tight[one]).total_cmp(&volume(&tight[other])));
    let points: usize = samples.iter().map(|sample| sample.len()).sum();
    let mut spacing = vec![
        Spacing {
            others: f64::INFINITY,
            all: f64::INFINITY,
        };
        tight.len()
    ];
    // Bursts that move as much are of a kind; the one in the middle stands for all.
    for kind in order.chunks(tight.len().div_ceil(KINDS).max(1)) {
        let middle = &tight[kind[kind.len() / 2]];
        let shape = middle.shape(&template.rates);
        let like = Like::count(&shape, anchors, samples);
        let beside = points as f64 / like.others() as f64;
        for &burst in kind {
            spacing[burst] = Spacing {
                others: beside.min(spacing_of_others(&shape, others)),
                all: points as f64 / like.all as f64,
            };
        }
    }
    spacing
}

/// So many times the length of a burst must be known of others to tell how far the like are from each other.
const KNOWN: usize = 20;

/// How far bursts like one are from each other while the application does not run, where enough is known of that.
fn spacing_of_others(burst: &Shape, others: &[Vec<f64>]) -> f64 {
    let points: usize = others.iter().map(Vec::len).sum();
    if points < KNOWN * burst.points() {
        return f64::INFINITY;
    }
    let like: usize = others
        .iter()
        .map(|stretch| holding(burst, stretch).len())
        .sum();
    match like {
        0 => f64::INFINITY,
        like => points as f64 / like as f64,
    }
}

/// Where a sample holds a burst, each time from the first to the last of the places beside each other.
fn holding(burst: &Shape, sample: &[f64]) -> Vec<(usize, usize)> {
    let stride = (burst.points() / 2).max(1);
    let places = 0..(sample.len() + 1).saturating_sub(burst.points());
    let holds = |place: &usize| burst.is_held(sample, *place as isize);
    let holding: Vec<usize> = places.step_by(stride).filter(holds).collect();
    // What holds it at one place holds it beside that, too.
    let found = holding.chunk_by(|one, next| next - one <= stride);
    let ends = |places: &[usize]| Some((*places.first()?, *places.last()?));
    found.filter_map(ends).collect()
}

/// How many bursts samples have that hold one.
#[derive(Default)]
struct Like {
    all: usize,
    /// Those that lie where none of the template's was found.
    elsewhere: usize,
}

impl Like {
    fn count(burst: &Shape, anchors: &Anchors, samples: &[&[f64]]) -> Self {
        let mut like = Self::default();
        for (sample, anchors) in samples.iter().zip(anchors) {
            let mut taken = anchors.clone();
            taken.sort_by(f64::total_cmp);
            for found in holding(burst, sample) {
                like.all += 1;
                like.elsewhere += usize::from(!is_near(found, burst.points(), &taken));
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

/// Whether a burst of the template was found near here; those that were are in order.
fn is_near((first, last): (usize, usize), length: usize, taken: &[f64]) -> bool {
    let from = first as f64 - length as f64;
    let next = taken.partition_point(|anchor| *anchor < from);
    let until = (last + length) as f64;
    taken.get(next).is_some_and(|anchor| *anchor <= until)
}

#[cfg(test)]
mod tests {
    use super::*;

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
        let template = Template {
            rates,
            bursts,
            timing: None,
            doubtful: 0,
        };
        in_place(&template, anchors, &samples, &[])
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

    /// A rhythm of 100 points in samples that start at any moment of it.
    fn rhythm(samples: usize) -> Anchors {
        let phase = |sample: usize| 100.0 * sample as f64 / samples as f64;
        (0..samples)
            .map(|sample| {
                (0..9)
                    .map(|k| phase(sample) + 100.0 * f64::from(k))
                    .collect()
            })
            .collect()
    }

    #[test]
    fn a_rhythm_that_knows_nothing_of_the_start_is_somebody_elses() {
        for samples in [5, 9, 12, 40] {
            let found = rhythm(samples);
            assert_eq!(told(&found, &found), [false; 9], "{samples}");
        }
    }

    #[test]
    fn own_bursts_stay_beside_a_rhythm_that_is_not() {
        let others = rhythm(12);
        let own: Anchors = (0..12).map(|_| vec![250.0, 550.0, 850.0]).collect();
        // Own ones are each third of nine of the template.
        let both: Anchors = own
            .iter()
            .zip(&others)
            .map(|(own, others)| {
                let k = [0, 1, 3, 4, 6, 7].map(|k| others[k]);
                vec![k[0], k[1], own[0], k[2], k[3], own[1], k[4], k[5], own[2]]
            })
            .collect();
        let expected: Vec<bool> = (0..9).map(|k| k % 3 == 2).collect();
        assert_eq!(told(&both, &both), expected);
    }

    #[test]
    fn what_comes_when_it_likes_between_punctual_bursts_is_somebody_elses() {
        let others = rhythm(10);
        // One of a rhythm keeps pace with a punctual one in most samples, by chance.
        let near = [0.0, 0.0, 0.0, 0.0, 1.0, 1.0, 40.0, 55.0, 70.0, 85.0];
        let found: Anchors = others
            .iter()
            .zip(near)
            .map(|(others, near)| vec![100.0, others[2], 550.0 + near, others[6], 900.0])
            .collect();
        assert_eq!(told(&found, &found), [true, false, true, false, true]);
    }

    #[test]
    fn nothing_is_nowhere() {
        assert!(told(&vec![], &[]).is_empty());
        assert!(told(&vec![vec![]; 3], &vec![vec![]; 3]).is_empty());
        // No sample holds it: there is nobody that it could be of.
        assert_eq!(told(&vec![vec![100.0]; 3], &vec![vec![]; 3]), [true]);
    }
}
