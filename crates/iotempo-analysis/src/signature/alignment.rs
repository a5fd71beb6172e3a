//! Samples, aligned to what they have in common, burst by burst.
//!
//! Load of others delays an application, and a delay moves all that comes after it. So the samples are
//! brought to one timeline that bends between bursts: each burst of the template is looked for in each
//! sample, near where the bursts before it would make it come. What is then the same in most samples at
//! the same time is the application's own, and their median is a better template.

use super::beside;
use super::bursts;
use super::chance;
use super::finding::Undetermined;
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

/// The share of the samples that must have a burst.
pub(super) const COMMON: f64 = 0.6;

/// So many times they are aligned at most where bursts come into sight anew.
const LONGEST: usize = 40;

/// Aligns samples to a template, and makes a new one of them, again and again.
pub(super) fn refined(
    set: &SampleSet,
    mut template: Template,
    mut anchors: Anchors,
    settings: &Settings,
) -> Result<Template, Undetermined> {
    let mut search = Search::wide(&template);
    let mut round = 0;
    // What differs adds up: the last of many bursts come into sight when those before them are aligned.
    let mut found = 0;
    while round < settings.rounds || (template.bursts.len() > found && round < LONGEST) {
        round += 1;
        found = template.bursts.len();
        if template.bursts.is_empty() {
            return Err(Undetermined::NothingInCommon);
        }
        for (sample, anchors) in set.prepared.iter().zip(&mut anchors) {
            align(&sample.whole, &template, search, anchors);
        }
        search = search.narrowed(&anchors);
        let warps = warps(&template, &timeline::usual(&anchors), &anchors);
        template = common(set, &aligned(set, &warps), search.reach, settings)?;
        anchors = warps.iter().map(|warp| warp.starts(&template)).collect();
    }
    keep_in_place(set, &mut template, &mut anchors);
    if template.bursts.is_empty() {
        return Err(Undetermined::NothingInCommon);
    }
    let timeline = timeline::undisturbed(&anchors);
    let warps = warps(&template, &timeline.starts, &anchors);
    let mut aligned = aligned(set, &warps);
    let mut last = common(set, &aligned, search.reach, settings)?;
    last.doubtful = last.doubtful.max(template.doubtful);
    last.timing = timeline.timing;
    beside::take_out(&mut last, &mut aligned);
    let lasting = lasting(set, &warps);
    last.of_those_that_last(&aligned, &lasting);
    last.tighten();
    last.measure(&aligned, &lasting);
    last.silence();
    Ok(last)
}

/// Forgets bursts that are somewhere else in each sample. Samples are then no longer bent to them, and
/// what is left of them in the median is less than a burst.
fn keep_in_place(set: &SampleSet, template: &mut Template, anchors: &mut Anchors) {
    let samples: Vec<&[f64]> = set.prepared.iter().map(|s| s.whole.as_slice()).collect();
    let in_place = scatter::in_place(template, anchors, &samples, &set.others);
    for anchors in anchors {
        let mut kept = in_place.iter();
        anchors.retain(|_| kept.next().copied().unwrap_or(true));
    }
    template.keep(&in_place);
}

fn warps(template: &Template, starts: &[usize], anchors: &Anchors) -> Vec<Warp> {
    let warp = |anchors: &Vec<f64>| Warp::new(&template.bursts, starts, anchors);
    anchors.iter().map(warp).collect()
}

/// Where samples end on one timeline.
fn lasting(set: &SampleSet, warps: &[Warp]) -> Vec<f64> {
    let samples = set.prepared.iter().zip(warps);
    samples
        .map(|(sample, warp)| warp.end().0 + sample.whole.len() as f64 - warp.end().1)
        .collect()
}

/// Samples on one timeline, of one length.
fn aligned(set: &SampleSet, warps: &[Warp]) -> Vec<Vec<f64>> {
    let mut ends = lasting(set, warps);
    // Behind where most samples end nobody looked at the others.
    let longest = if set.cut_off { 1 } else { 2 } * set.length;
    let length = median(&mut ends).round().clamp(1.0, longest as f64) as usize;
    set.prepared
        .iter()
        .zip(warps)
        .map(|(sample, warp)| warp.applied(&sample.whole, length))
        .collect()
}

/// The median of aligned samples, and those of its bursts that enough of them have, each within this `reach`,
/// and more than by chance.
fn common(
    set: &SampleSet,
    aligned: &[Vec<f64>],
    reach: usize,
    settings: &Settings,
) -> Result<Template, Undetermined> {
    let length = aligned.first().map_or(0, Vec::len);
    let mut template = segmented(column_medians(aligned, length), aligned, settings);
    let enough = share_of(COMMON, aligned.len());
    template.bursts.retain(|burst| burst.support >= enough);
    let judged = chance::believed(&template, aligned, &set.others, reach);
    let unknown = judged.contains(&None);
    let kept: Vec<bool> = judged.iter().map(|one| *one == Some(true)).collect();
    template.keep(&kept);
    match template.bursts.is_empty() {
        true if unknown => Err(Undetermined::NoRoom),
        true => Err(Undetermined::NothingInCommon),
        false => Ok(template),
    }
}

/// A curve with its bursts, and how many of the samples have each.
pub(super) fn segmented(rates: Vec<f64>, aligned: &[Vec<f64>], settings: &Settings) -> Template {
    let mut free = 0;
    let bursts = bursts::bursts(&rates, settings).into_iter().map(|burst| {
        // Bursts that touch share a trough, and no point is of two.
        let start = burst.start.max(free).min(burst.crest);
        free = burst.end + 1;
        let own = Common {
            start,
            end: burst.end,
            support: 0,
            time: 0.5 * (start + burst.end) as f64,
            extent: (start, burst.end),
            spread: (0.0, 0.0),
        };
        let tight = own.tightened(&rates);
        let shape = tight.shape(&rates);
        let holds = |sample: &&Vec<f64>| shape.is_held(sample, tight.start as isize);
        Common {
            support: aligned.iter().filter(holds).count(),
            ..own
        }
    });
    let bursts = bursts.collect();
    Template {
        rates,
        bursts,
        timing: None,
        doubtful: 0,
    }
}
