//! The bursts of a template, looked for in a sample.

use super::alignment::Anchors;
use super::numbers::median;
use super::template::{Common, Template};
use crate::products::dot;

/// How far around the place where it is expected a burst is looked for at first, as a share of the
/// distance between bursts, and in points at most.
const REACH: f64 = 0.35;
const FARTHEST: f64 = 120.0;

/// What a delay of one point costs at first, where a burst that matches perfectly is worth 1, and what
/// any delay costs at most.
const DELAY: f64 = 0.01;
const DEAREST: f64 = 1.0;

/// How far a burst is looked for once it is known how much delays differ, in such differences, and what
/// one of them costs.
const WIDE: f64 = 4.0;
const COST: f64 = 0.1;

/// How bursts are looked for.
#[derive(Debug, Clone, Copy)]
pub(super) struct Search {
    /// How many points around its place.
    pub(super) reach: usize,
    /// What one point of delay costs, where a perfect match is worth 1.
    delay: f64,
}

impl Search {
    pub(super) fn wide(template: &Template) -> Self {
        let mut gaps: Vec<f64> = template
            .bursts
            .windows(2)
            .map(|pair| pair[1].start.abs_diff(pair[0].start) as f64)
            .collect();
        if gaps.is_empty() {
            gaps.push(template.rates.len() as f64);
        }
        Self {
            reach: (REACH * median(&mut gaps)).clamp(1.0, FARTHEST) as usize,
            delay: DELAY,
        }
    }

    /// Once it is known how much delays differ, there is no need to look much further.
    pub(super) fn narrowed(self, anchors: &Anchors) -> Self {
        let bursts = anchors.first().map_or(0, Vec::len);
        let mut apart = Vec::new();
        for k in 1..bursts {
            let mut gaps: Vec<f64> = anchors.iter().map(|a| a[k] - a[k - 1]).collect();
            let usual = median(&mut gaps.clone());
            apart.extend(gaps.drain(..).map(|gap| (gap - usual).abs()));
        }
        if apart.is_empty() {
            return self;
        }
        let scale = 1.0 + 1.5 * median(&mut apart);
        Self {
            reach: ((WIDE * scale) as usize).min(self.reach),
            delay: COST / scale,
        }
    }
}

/// Finds the bursts of a template in a sample: those places that match best, with the least delays.
pub(super) fn align(rates: &[f64], template: &Template, search: Search, anchors: &mut [f64]) {
    let reach = search.reach;
    let states = 2 * reach + 1;
    let mut best = vec![0.0; states];
    let mut back: Vec<Vec<u32>> = Vec::with_capacity(anchors.len());
    for (burst, anchor) in template.bursts.iter().zip(anchors.iter()) {
        let from = spread(&mut best, search.delay);
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
fn spread(best: &mut [f64], delay: f64) -> Vec<u32> {
    let mut from: Vec<u32> = (0..best.len() as u32).collect();
    for i in 1..best.len() {
        if best[i - 1] - delay > best[i] {
            best[i] = best[i - 1] - delay;
            from[i] = from[i - 1];
        }
    }
    for i in (0..best.len().saturating_sub(1)).rev() {
        if best[i + 1] - delay > best[i] {
            best[i] = best[i + 1] - delay;
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
