//! Step 3: similar phases that lie close in time become one.

use super::flags::{BUSY_SHARE, EVEN_CV, Flags};
use super::one_file::{Counts, FilePhase, larger};
use super::spatiality::spatiality;
use super::{IoPhase, Settings};
use iotempo_model::{Api, FileStrategy, Op, Rank, Spatiality};
use std::collections::BTreeMap;

/// What phases must have in common to become one.
type Kind = (Api, Op, Spatiality, FileStrategy, bool);

/// The share of files that must lie apart from all others for their times to be added up; of a file that
/// rests, each sitting counts.
const APART: f64 = 0.9;

/// Likeness is an equivalence, so each kind is gone through by itself, in the order of time: a phase
/// joins those before it where it begins within the time distance of the latest end among them.
pub(super) fn merged(files: impl Iterator<Item = FilePhase>, settings: &Settings) -> Vec<IoPhase> {
    let mut kinds: BTreeMap<Kind, Vec<FilePhase>> = BTreeMap::new();
    for phase in files {
        kinds.entry(kind(&phase, settings)).or_default().push(phase);
    }
    let mut phases = Vec::new();
    for (kind, mut files) in kinds {
        files.sort_by(in_time);
        let mut group: Vec<FilePhase> = Vec::new();
        let mut end_s = f64::NEG_INFINITY;
        for file in files {
            if !group.is_empty() && file.start_s > end_s + settings.time_distance_s {
                phases.extend(as_one(kind, std::mem::take(&mut group), settings));
                end_s = f64::NEG_INFINITY;
            }
            end_s = end_s.max(file.end_s);
            group.push(file);
        }
        phases.extend(as_one(kind, group, settings));
    }
    // Stable: phases that begin and end together stay in the order of their kinds.
    phases.sort_by(|one, other| {
        let starts = one.start_s.total_cmp(&other.start_s);
        starts.then(one.end_s.total_cmp(&other.end_s))
    });
    phases
}

fn in_time(one: &FilePhase, other: &FilePhase) -> std::cmp::Ordering {
    let starts = one.start_s.total_cmp(&other.start_s);
    let ends = one.end_s.total_cmp(&other.end_s);
    starts.then(ends).then(one.file.cmp(&other.file))
}

fn kind(phase: &FilePhase, settings: &Settings) -> Kind {
    let strategy = match phase.shared || phase.ranks.several() {
        true => FileStrategy::Shared,
        false => FileStrategy::Unique,
    };
    let streams = phase.ranks.count().unwrap_or(1);
    let spatiality = match phase.api {
        Api::Posix if !phase.placed => Spatiality::Unknown,
        api => spatiality(api, phase.counts, streams, settings),
    };
    // The report knows no shadows.
    let shadow = phase.shadow && !settings.compat;
    (phase.api, phase.op, spatiality, strategy, shadow)
}

/// One phase of files that are alike, in the order of time; `None` of no files.
fn as_one(kind: Kind, mut group: Vec<FilePhase>, settings: &Settings) -> Option<IoPhase> {
    let (api, op, spatiality, strategy, shadow) = kind;
    // When files are in use is what sittings tell: a file that rests leaves room for others.
    let apart = !settings.compat && lie_apart(&group);
    let in_use_s = in_use_s(&group);
    let one_by_one_s = sum(group.iter().map(|file| file.time_s).collect());
    let long_lived = group.iter().any(|file| is_long_lived(file, settings));
    let partial = group.iter().any(|file| file.partial);
    let shadows = group.iter().filter(|file| file.shadow);
    let shadow_bytes = shadows.fold(0_u64, |sum, file| sum.saturating_add(file.bytes));
    // A file that rested while others went on is there more than once. Stable: its sittings stay in the
    // order of time.
    group.sort_by_key(|sitting| sitting.file);
    let files = || group.chunk_by(|one, next| one.file == next.file);
    let handles: Vec<u64> = files()
        .flat_map(|sittings| sittings.first())
        .map(|sitting| sitting.file)
        .collect();
    let serial = apart && handles.len() > 1;
    let longest_file_s = files().map(longest_s).fold(0.0, f64::max);
    let time_s = match settings.compat {
        true => longest_file_s,
        // Threads make calls at once: their process spends no more time than there is.
        false => longest_file_s.max(busiest_process_s(&group).min(in_use_s)),
    };
    let time_s = if serial {
        time_s.max(one_by_one_s)
    } else {
        time_s
    };
    let mode_of_processes = mode(files().map(processes));
    for file in &mut group {
        (file.times_s, file.everybody_s) = (Vec::new(), Vec::new());
    }
    let mut all = group.into_iter();
    let mut whole = all.next()?;
    all.for_each(|file| whole.join(file));
    let imbalance_cv = larger(whole.stated_cv, whole.ranks.variation());
    let Counts { requests, .. } = whole.counts;
    Some(IoPhase {
        start_s: whole.start_s,
        end_s: whole.end_s,
        op,
        ranks: whole.ranks.involved(),
        bytes: whole.bytes,
        shadow_bytes,
        time_s,
        api,
        requests,
        spatiality,
        strategy,
        files: handles.len() as u64,
        mode_of_processes,
        flags: Flags {
            shadow,
            serial,
            long_lived,
            imbalance: imbalance_cv.is_some_and(|cv| cv > EVEN_CV),
            partial,
        },
        imbalance_cv,
        sizes: whole.sizes.mixture(requests, whole.bytes),
        handles,
    })
}

/// Whether a file was idle for most of the time between its first access and its last, and that long
/// enough for another phase.
fn is_long_lived(file: &FilePhase, settings: &Settings) -> bool {
    let length_s = file.end_s - file.start_s;
    length_s > settings.time_distance_s && file.time_s < BUSY_SHARE * length_s
}

/// The longest time that a process spent on all files: it waits for one call before it makes the next. Of a
/// file that is counted for all processes together each spends the mean. (The report takes the longest file
/// instead, and so a small part of what a process spends that writes many.) Who did what without a rank
/// is not known, and counts for nobody.
fn busiest_process_s(files: &[FilePhase]) -> f64 {
    let means_s = files.iter().flat_map(|file| &file.everybody_s);
    let everybody_s = sum(means_s.copied().collect());
    let mut times_s: BTreeMap<Rank, Vec<f64>> = BTreeMap::new();
    for &(rank, time_s) in files.iter().flat_map(|file| &file.times_s) {
        if let Some(rank) = rank {
            times_s.entry(rank).or_default().push(time_s);
        }
    }
    everybody_s + times_s.into_values().map(sum).fold(0.0, f64::max)
}

/// How long at least one file was in use; they are in the order of time.
fn in_use_s(files: &[FilePhase]) -> f64 {
    let (mut in_use_s, mut until_s) = (0.0, f64::NEG_INFINITY);
    for file in files {
        in_use_s += (file.end_s - file.start_s.max(until_s)).max(0.0);
        until_s = until_s.max(file.end_s);
    }
    in_use_s
}

/// The sum, whatever the order in which records come.
fn sum(mut times_s: Vec<f64>) -> f64 {
    times_s.sort_by(f64::total_cmp);
    times_s.iter().sum()
}

/// The longest time that a process spent on a file, in all of its sittings.
fn longest_s(sittings: &[FilePhase]) -> f64 {
    if let [whole] = sittings {
        return whole.time_s;
    }
    let mut times_s: BTreeMap<Option<Rank>, f64> = BTreeMap::new();
    for &(rank, time_s) in sittings.iter().flat_map(|sitting| &sitting.times_s) {
        *times_s.entry(rank).or_default() += time_s;
    }
    times_s.into_values().fold(0.0, f64::max)
}

/// How many processes used a file, in any of its sittings; 0 where nobody knows.
fn processes(sittings: &[FilePhase]) -> u64 {
    let mut all = sittings.iter().map(|sitting| &sitting.ranks);
    let count = match (all.next(), sittings.len()) {
        (Some(whole), 1) => whole.count(),
        (Some(first), _) => {
            let mut whole = first.clone();
            all.for_each(|ranks| whole.join(ranks.clone()));
            whole.count()
        }
        (None, _) => None,
    };
    count.unwrap_or(0)
}

/// Whether nine sittings of ten lie apart from all others; they are in the order of time.
fn lie_apart(files: &[FilePhase]) -> bool {
    if files.len() < 2 {
        return false;
    }
    let mut apart = 0;
    let mut until = f64::NEG_INFINITY;
    for (place, file) in files.iter().enumerate() {
        let behind = file.start_s >= until;
        let before = files
            .get(place + 1)
            .is_none_or(|next| file.end_s <= next.start_s);
        // Two that begin and end at the same instant are not one after the other.
        let instant = files
            .get(place + 1)
            .is_some_and(|next| next.start_s == file.start_s);
        apart += usize::from(behind && before && !instant);
        until = until.max(file.end_s);
    }
    apart as f64 > APART * files.len() as f64
}

/// The most frequent number; of several, the largest.
fn mode(numbers: impl Iterator<Item = u64>) -> u64 {
    let mut counts: BTreeMap<u64, u64> = BTreeMap::new();
    for number in numbers {
        *counts.entry(number).or_default() += 1;
    }
    let most = counts
        .into_iter()
        .max_by_key(|&(number, count)| (count, number));
    most.map_or(0, |(number, _)| number)
}
