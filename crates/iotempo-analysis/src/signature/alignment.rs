//! Samples, aligned to what they have in common, burst by burst.
//!
//! Load of others delays an application, and a delay moves all that comes after it. So the samples are
//! brought to one timeline that bends between bursts: each burst of the template is looked for in each
//! sample, near where the bursts before it would make it come. What is then the same in most samples at
//! the same time is the application's own, and their median is a better template.

use super::bursts;
use super::numbers::{median, share_of};
use super::samples::SampleSet;
use super::settings::Settings;
use super::template::{Common, Template};

/// Where each burst of a template begins in each sample, in points of the whole sample.
pub(super) type Anchors = Vec<Vec<f64>>;

/// How far around the place where it is expected a burst is looked for, as a share of the distance
/// between bursts, and in points at most.
const REACH: f64 = 0.35;
const FARTHEST: f64 = 120.0;

/// What a delay of one point costs, where a burst that matches perfectly is worth 1, and what any delay
/// costs at most.
const DELAY: f64 = 0.01;
const DEAREST: f64 = 0.5;

/// The share of a burst that a sample must hold to have it, and of the samples that must have it.
const HELD: f64 = 0.5;
const COMMON: f64 = 0.6;

/// Aligns samples to a template, and makes a new one of them, again and again.
pub(super) fn refined(
    set: &SampleSet,
    mut template: Template,
    mut anchors: Anchors,
    settings: &Settings,
) -> Option<Template> {
    for _ in 0..settings.rounds {
        if template.bursts.is_empty() {
            return None;
        }
        for (sample, anchors) in set.prepared.iter().zip(&mut anchors) {
            align(&sample.whole, &template, anchors);
        }
        let starts = timeline(&anchors);
        let warps: Vec<Warp> = anchors
            .iter()
            .map(|anchors| Warp::new(&template.bursts, &starts, anchors))
            .collect();
        template = common(set, &warps, settings);
        anchors = warps.iter().map(|warp| warp.starts(&template)).collect();
    }
    Some(template).filter(|template| !template.bursts.is_empty())
}

/// Finds the bursts of a template in a sample: those places that match best, with the least delays.
fn align(rates: &[f64], template: &Template, anchors: &mut [f64]) {
    let reach = reach(template);
    let states = 2 * reach + 1;
    let mut best = vec![0.0; states];
    let mut back: Vec<Vec<u32>> = Vec::with_capacity(anchors.len());
    for (burst, anchor) in template.bursts.iter().zip(anchors.iter()) {
        let from = spread(&mut best);
        let scores = scores(rates, template, burst, anchor.round() as isize, reach);
        for (best, score) in best.iter_mut().zip(scores) {
            *best += score;
        }
        back.push(from);
    }
    let mut state = highest(&best);
    for (anchor, from) in anchors.iter_mut().zip(&back).rev() {
        *anchor = anchor.round() + state as f64 - reach as f64;
        state = from[state] as usize;
    }
}

fn highest(values: &[f64]) -> usize {
    // The middle one wins ties: no delay.
    let middle = values.len() / 2;
    let mut best = middle;
    for (i, value) in values.iter().enumerate() {
        if *value > values[best] {
            best = i;
        }
    }
    best
}

/// Lets every state be reached from every other at the price of the delay, and tells from where.
fn spread(best: &mut [f64]) -> Vec<u32> {
    let mut from: Vec<u32> = (0..best.len() as u32).collect();
    for i in 1..best.len() {
        if best[i - 1] - DELAY > best[i] {
            best[i] = best[i - 1] - DELAY;
            from[i] = from[i - 1];
        }
    }
    for i in (0..best.len().saturating_sub(1)).rev() {
        if best[i + 1] - DELAY > best[i] {
            best[i] = best[i + 1] - DELAY;
            from[i] = from[i + 1];
        }
    }
    let top = highest(best);
    let least = best[top] - DEAREST;
    for (best, from) in best.iter_mut().zip(&mut from) {
        if *best < least {
            (*best, *from) = (least, top as u32);
        }
    }
    from
}

/// How many points around its place a burst is looked for.
fn reach(template: &Template) -> usize {
    let mut gaps: Vec<f64> = template
        .bursts
        .windows(2)
        .map(|pair| (pair[1].start - pair[0].start) as f64)
        .collect();
    if gaps.is_empty() {
        gaps.push(template.rates.len() as f64);
    }
    (REACH * median(&mut gaps)).clamp(1.0, FARTHEST) as usize
}

/// How well a burst matches a sample at all places around `anchor`: 1 where they are the same.
fn scores(
    rates: &[f64],
    template: &Template,
    burst: &Common,
    anchor: isize,
    reach: usize,
) -> Vec<f64> {
    let margin = (burst.points() / 2).clamp(3, 30);
    let start = burst.start as isize - margin as isize;
    let width = burst.points() + 2 * margin;
    let at = |values: &[f64], i: isize| {
        let inside = usize::try_from(i).ok().and_then(|i| values.get(i));
        inside.copied().unwrap_or(0.0)
    };
    let mut shape: Vec<f64> = (start..)
        .take(width)
        .map(|i| at(&template.rates, i))
        .collect();
    // What others add on top of a burst does not make it match better.
    let ceiling = 1.25 * shape.iter().copied().fold(0.0, f64::max);
    let mean = shape.iter().sum::<f64>() / width as f64;
    let mut squares = 0.0;
    for value in &mut shape {
        *value -= mean;
        squares += *value * *value;
    }
    let first = anchor - margin as isize - reach as isize;
    let near: Vec<f64> = (first..)
        .take(width + 2 * reach)
        .map(|i| at(rates, i).min(ceiling))
        .collect();
    let scale = if squares > 0.0 { 1.0 / squares } else { 0.0 };
    near.windows(width)
        .map(|window| scale * dot(&shape, window))
        .collect()
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    let (a, a_rest) = a.as_chunks::<8>();
    let (b, b_rest) = b.as_chunks::<8>();
    let mut sums = [0.0; 8];
    for (a, b) in a.iter().zip(b) {
        for lane in 0..8 {
            sums[lane] += a[lane] * b[lane];
        }
    }
    let rest: f64 = a_rest.iter().zip(b_rest).map(|(a, b)| a * b).sum();
    sums.iter().sum::<f64>() + rest
}

/// When bursts begin where nobody is in the way: each as long after the one before it as is usual.
fn timeline(anchors: &Anchors) -> Vec<usize> {
    let bursts = anchors.first().map_or(0, Vec::len);
    let mut starts = Vec::with_capacity(bursts);
    let mut now = 0.0;
    for k in 0..bursts {
        let before = |anchors: &Vec<f64>| if k > 0 { anchors[k - 1] } else { 0.0 };
        let mut gaps: Vec<f64> = anchors.iter().map(|a| a[k] - before(a)).collect();
        now += median(&mut gaps).max(1.0);
        starts.push(now.round() as usize);
    }
    starts
}

/// From times of a template to places in a sample, along straight lines between the bursts.
struct Warp {
    knots: Vec<(f64, f64)>,
}

impl Warp {
    /// The bursts of a template, when they begin on a new timeline, and where in the sample.
    fn new(bursts: &[Common], starts: &[usize], anchors: &[f64]) -> Self {
        let mut knots = vec![(0.0, 0.0)];
        for (k, (burst, (&start, &anchor))) in
            bursts.iter().zip(starts.iter().zip(anchors)).enumerate()
        {
            let start = start as f64;
            let room = starts
                .get(k + 1)
                .map_or(f64::INFINITY, |next| *next as f64 - start);
            let length = (burst.points() as f64).min(room - 1.0).max(0.0);
            for knot in [(start, anchor), (start + length, anchor + length)] {
                let last = knots[knots.len() - 1];
                if knot.0 > last.0 {
                    // Nothing comes before what comes before it.
                    knots.push((knot.0, knot.1.max(last.1)));
                } else if knots.len() == 1 {
                    knots[0] = knot;
                }
            }
        }
        Self { knots }
    }

    fn at(&self, time: f64) -> f64 {
        let next = self.knots.partition_point(|knot| knot.0 <= time);
        let (t0, x0) = self.knots[next.saturating_sub(1)];
        match self.knots.get(next) {
            Some(&(t1, x1)) if next > 0 => x0 + (time - t0) * (x1 - x0) / (t1 - t0),
            _ => x0 + time - t0,
        }
    }

    fn end(&self) -> (f64, f64) {
        self.knots[self.knots.len() - 1]
    }

    fn starts(&self, template: &Template) -> Vec<f64> {
        let starts = template.bursts.iter().map(|burst| burst.start as f64);
        starts.map(|start| self.at(start)).collect()
    }
}

/// The median of aligned samples, and its bursts.
fn common(set: &SampleSet, warps: &[Warp], settings: &Settings) -> Template {
    let mut ends: Vec<f64> = set
        .prepared
        .iter()
        .zip(warps)
        .map(|(sample, warp)| warp.end().0 + sample.whole.len() as f64 - warp.end().1)
        .collect();
    let length = median(&mut ends)
        .round()
        .clamp(1.0, 2.0 * set.length as f64) as usize;
    let aligned: Vec<Vec<f64>> = set
        .prepared
        .iter()
        .zip(warps)
        .map(|(sample, warp)| warped(&sample.whole, warp, length))
        .collect();
    let mut column = vec![0.0; aligned.len()];
    let rates: Vec<f64> = (0..length)
        .map(|i| {
            for (value, sample) in column.iter_mut().zip(&aligned) {
                *value = sample[i];
            }
            median(&mut column)
        })
        .collect();
    with_support(rates, &aligned, COMMON, settings)
}

fn warped(rates: &[f64], warp: &Warp, length: usize) -> Vec<f64> {
    let at = |i: usize| {
        let place = warp.at(i as f64).round();
        if place < 0.0 {
            return 0.0;
        }
        rates.get(place as usize).copied().unwrap_or(0.0)
    };
    (0..length).map(at).collect()
}

/// A curve with those of its bursts that at least this share of aligned samples have.
pub(super) fn with_support(
    rates: Vec<f64>,
    aligned: &[Vec<f64>],
    share: f64,
    settings: &Settings,
) -> Template {
    let needed = if share > 0.0 {
        share_of(share, aligned.len())
    } else {
        0
    };
    let found = bursts::bursts(&rates, settings);
    let bursts: Vec<Common> = found
        .into_iter()
        .map(|burst| {
            let own = burst.of(&rates);
            let volume: f64 = own.iter().sum();
            let holds = |sample: &&Vec<f64>| {
                let there = own.iter().zip(&sample[burst.start..=burst.end]);
                there.map(|(a, b)| a.min(*b)).sum::<f64>() >= HELD * volume
            };
            Common {
                start: burst.start,
                end: burst.end,
                support: aligned.iter().filter(holds).count(),
                time: 0.5 * (burst.start + burst.end) as f64,
            }
        })
        .filter(|burst| burst.support >= needed)
        .collect();
    Template { rates, bursts }
}
