//! Samples, aligned to what they have in common, burst by burst.
//!
//! Load of others delays an application, and a delay moves all that comes after it. So the samples are
//! brought to one timeline that bends between bursts: each burst of the template is looked for in each
//! sample, near where the bursts before it would make it come. What is then the same in most samples at
//! the same time is the application's own, and their median is a better template.

use super::bursts;
use super::chance::{self, Between};
use super::numbers::{column_medians, median, share_of};
use super::samples::SampleSet;
use super::scatter;
use super::search::{Search, align};
use super::settings::Settings;
use super::template::{Common, Template};
use super::timeline;
use super::warp::Warp;

/// Where each burst of a template begins in each sample, in points of the whole sample.
pub(super) type Anchors = Vec<Vec<f64>>;

/// The share of a burst that a sample must hold to have it, and of the samples that must have it.
const HELD: f64 = 0.5;
const COMMON: f64 = 0.6;

/// The part of their reach that alignments use, as a rule: what is further away costs more.
const USED: usize = 3;

/// Aligns samples to a template, and makes a new one of them, again and again.
pub(super) fn refined(
    set: &SampleSet,
    mut template: Template,
    mut anchors: Anchors,
    settings: &Settings,
) -> Option<Template> {
    let mut search = Search::wide(&template);
    for _ in 0..settings.rounds {
        if template.bursts.is_empty() {
            return None;
        }
        for (sample, anchors) in set.prepared.iter().zip(&mut anchors) {
            align(&sample.whole, &template, search, anchors);
        }
        search = search.narrowed(&anchors);
        let warps = warps(&template, &timeline::usual(&anchors), &anchors);
        template = common(&aligned(set, &warps), search.reach, settings);
        anchors = warps.iter().map(|warp| warp.starts(&template)).collect();
    }
    keep_in_place(set, &mut template, &mut anchors);
    if template.bursts.is_empty() {
        return None;
    }
    let starts = timeline::undisturbed(&anchors);
    let aligned = aligned(set, &warps(&template, &starts, &anchors));
    let mut last = common(&aligned, search.reach, settings);
    last.tighten();
    last.measure(&aligned);
    last.silence();
    Some(last).filter(|template| !template.bursts.is_empty())
}

/// Forgets bursts that are somewhere else in each sample. Samples are then no longer bent to them, and
/// what is left of them in the median is less than a burst.
fn keep_in_place(set: &SampleSet, template: &mut Template, anchors: &mut Anchors) {
    let samples: Vec<&[f64]> = set.prepared.iter().map(|s| s.whole.as_slice()).collect();
    let in_place = scatter::in_place(template, anchors, &samples, HELD);
    let keep = |place: &mut usize| {
        *place += 1;
        in_place.get(*place - 1).copied().unwrap_or(true)
    };
    let mut place = 0;
    template.bursts.retain(|_| keep(&mut place));
    for anchors in anchors {
        let mut place = 0;
        anchors.retain(|_| keep(&mut place));
    }
}

fn warps(template: &Template, starts: &[usize], anchors: &Anchors) -> Vec<Warp> {
    let warp = |anchors: &Vec<f64>| Warp::new(&template.bursts, starts, anchors);
    anchors.iter().map(warp).collect()
}

/// Samples on one timeline, of one length.
fn aligned(set: &SampleSet, warps: &[Warp]) -> Vec<Vec<f64>> {
    let mut ends: Vec<f64> = set
        .prepared
        .iter()
        .zip(warps)
        .map(|(sample, warp)| warp.end().0 + sample.whole.len() as f64 - warp.end().1)
        .collect();
    let length = median(&mut ends)
        .round()
        .clamp(1.0, 2.0 * set.length as f64) as usize;
    set.prepared
        .iter()
        .zip(warps)
        .map(|(sample, warp)| warp.applied(&sample.whole, length))
        .collect()
}

/// The median of aligned samples, and its bursts.
fn common(aligned: &[Vec<f64>], reach: usize, settings: &Settings) -> Template {
    let length = aligned.first().map_or(0, Vec::len);
    let rates = column_medians(aligned, length);
    with_support(rates, aligned, Some(reach), settings)
}

/// A curve with its bursts. Where samples are aligned, each within this `reach`, only those are kept that
/// enough of them have, and more than by chance.
pub(super) fn with_support(
    rates: Vec<f64>,
    aligned: &[Vec<f64>],
    reach: Option<usize>,
    settings: &Settings,
) -> Template {
    let mut free = 0;
    let mut bursts: Vec<Common> = bursts::bursts(&rates, settings)
        .into_iter()
        .map(|mut burst| {
            // Bursts that touch share a trough, and no point is of two.
            burst.start = burst.start.max(free).min(burst.crest);
            free = burst.end + 1;
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
                extent: (burst.start, burst.end),
                spread: (volume, volume),
            }
        })
        .collect();
    let Some(reach) = reach else {
        let mut template = Template { rates, bursts };
        template.measure(aligned);
        return template;
    };
    bursts.retain(|burst| burst.support >= share_of(COMMON, aligned.len()));
    let credible = chance::credible(aligned.len());
    // A burst reaches from trough to trough, and in a short sample that leaves no room beside it to
    // look for others: what counts is where it moves bytes.
    let tight: Vec<Common> = bursts.iter().map(|burst| burst.tightened(&rates)).collect();
    let between = Between::new(&tight, rates.len());
    let kept = bursts.iter().zip(&tight).filter(|(burst, tight)| {
        let p = chance::of_holding(&rates, tight, &between, aligned, (HELD, reach / USED));
        chance::of_at_least(burst.support, aligned.len(), p) <= credible
    });
    let bursts = kept.map(|(burst, _)| *burst).collect();
    Template { rates, bursts }
}
