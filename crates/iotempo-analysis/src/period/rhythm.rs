//! How regular a train of phases is.

use super::bursts::{Burst, pauses};
use super::chance;
use super::numbers::{deviation, mean, median};
use std::ops::Range;

/// The regularity of a train of phases, in samples.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Regularity {
    /// The mean time from start to start.
    pub(super) period: f64,
    /// Its standard deviation.
    pub(super) spread: f64,
    /// From how many distances both were taken.
    pub(super) distances: usize,
    /// The probability that phases at random times are as regular.
    pub(super) p_value: f64,
}

/// How many times as likely chance is to look regular for each phase or distance that is left out.
pub(super) const LEFT_OUT: f64 = 4.0;

/// Instants are known to a sample: the standard deviation of a uniform distribution.
const RESOLUTION: f64 = 0.29;

/// What phases at random times would look like.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Null {
    /// Phases are known to be such, and only their starts are random. Each is made of this many
    /// bursts that could come by themselves: sums of random distances vary less than these do, by
    /// the root of their number.
    Starts(f64),
    /// Bursts were joined into phases where pauses are longer than this: even random pauses vary
    /// little beyond it.
    PausesAbove(f64),
}

/// How regular phases are, of which some may be missing. Either their starts or the pauses between them may
/// be: the former where a clock drives the application, the latter where a computation does.
pub(super) fn regularity(phases: &[Burst], null: Null) -> Option<Regularity> {
    if phases.len() < 3 {
        return None;
    }
    let (distances, pauses) = (distances(phases), pauses(phases));
    let Some(filled) = without_holes(&distances, &pauses) else {
        return Some(of_distances(&distances, &pauses, null, 1.0));
    };
    // Multiples of anything look twice as regular as they are, and so does what is left of anything.
    let mut found = of_distances(&filled.distances, &filled.pauses, null, 2.0);
    found.p_value = (LEFT_OUT.powi(filled.left_out as i32) * found.p_value).min(1.0);
    Some(found)
}

/// How regular they are if they vary so many times as much.
fn of_distances(distances: &[f64], pauses: &[f64], null: Null, times: f64) -> Regularity {
    let period = mean(distances);
    let spread = deviation(distances);
    // A pause is at least a sample long, or it is not seen.
    let slack = |least: f64| (mean(pauses) - least.max(1.0)).max(0.1);
    let of_pauses = |least| deviation(pauses).hypot(RESOLUTION) / slack(least);
    let of_starts = spread.hypot(RESOLUTION);
    let variation = times
        * match null {
            Null::Starts(bursts) => (bursts.sqrt() * of_starts / period).min(of_pauses(1.0)),
            Null::PausesAbove(joined) => (of_starts / slack(joined)).min(of_pauses(joined)),
        };
    Regularity {
        period,
        spread,
        distances: distances.len(),
        p_value: (2.0 * chance::of_even_gaps(distances.len(), variation)).min(1.0),
    }
}

/// Distances and pauses as if no phase were missing.
struct Filled {
    distances: Vec<f64>,
    pauses: Vec<f64>,
    /// Distances that were left out.
    left_out: usize,
}

/// Distances and pauses as if no phase were missing, where some are and all distances are whole multiples of
/// one: something hid a phase, or it was skipped. A phase that was held up so long that it is no burst any more
/// shifts all that follow: a distance over it that is no whole multiple says nothing, and is left out.
fn without_holes(distances: &[f64], pauses: &[f64]) -> Option<Filled> {
    /// Distances that differ by more may be anything.
    const EVEN: f64 = 0.08;
    /// How many distances there are for each that may be left out, beside the first.
    const HELD_UP: usize = 20;
    /// Leaving out what does not fit makes a few distances look regular, whatever they are.
    const FEW: usize = 8;
    let usual = median(distances);
    let beats = |distance: f64| (distance / usual).round().max(1.0);
    let total: f64 = distances.iter().map(|distance| beats(*distance)).sum();
    let missing = total - distances.len() as f64;
    let longest = distances.iter().copied().fold(0.0, f64::max);
    let few = missing >= 1.0 && 3.0 * missing <= distances.len() as f64;
    // Two phases in a row may be missing; after more it is another phase of something longer.
    if !few || beats(longest) > 3.0 {
        return None;
    }
    let held_up = |d: f64| beats(d) > 1.0 && (d / beats(d) - usual).abs() > EVEN * usual;
    let known = distances.iter().zip(pauses).filter(|(d, _)| !held_up(**d));
    let single: Vec<f64> = known.clone().map(|(d, _)| d / beats(*d)).collect();
    let left_out = distances.len() - single.len();
    let even = if left_out > 0 && single.len() < FEW {
        0.5 * EVEN
    } else {
        EVEN
    };
    if left_out > (distances.len() / HELD_UP).max(1) || deviation(&single) > even * usual {
        return None;
    }
    let whole = known.clone().filter(|(d, _)| beats(**d) == 1.0);
    // A distance over a hole counts as often as it has beats in the mean.
    let each = |(d, _): (&f64, &f64)| std::iter::repeat_n(d / beats(*d), beats(*d) as usize);
    Some(Filled {
        pauses: whole.map(|(_, pause)| *pause).collect(),
        distances: known.flat_map(each).collect(),
        left_out,
    })
}

/// The bursts per phase that count: as many as there are pauses of equal length, or half as many as
/// there are of random length.
pub(super) fn bursts_per_phase(bursts: &[Burst], phases: usize) -> f64 {
    let pauses = pauses(bursts);
    let squares: f64 = pauses.iter().map(|pause| pause * pause).sum();
    let sum: f64 = pauses.iter().sum();
    let equal = sum * sum / squares.max(f64::MIN_POSITIVE);
    (2.0 * equal / phases.max(1) as f64).max(1.0)
}

/// The range of phases without a first or a last one that is out of step: a start-up that reads its
/// input, or a result that is written at the end of the run.
pub(super) fn settled(phases: &[Burst]) -> Range<usize> {
    const FEWEST: usize = 5;
    let out_of_step = |one: f64, rest: &[f64]| {
        let usual = mean(rest);
        (one - usual).abs() > (4.0 * deviation(rest)).max(0.2 * usual)
    };
    let mut settled = 0..phases.len();
    let all = distances(phases);
    if settled.len() > FEWEST && out_of_step(all[0], &all[1..]) {
        settled.start += 1;
    }
    let all = &all[settled.start.min(all.len())..];
    if settled.len() > FEWEST && out_of_step(all[all.len() - 1], &all[..all.len() - 1]) {
        settled.end -= 1;
    }
    settled
}

/// Times from start to start.
pub(super) fn distances(phases: &[Burst]) -> Vec<f64> {
    let pairs = phases.windows(2);
    pairs.map(|pair| pair[1].start - pair[0].start).collect()
}

/// The regularity of phases of which some are missing, because something bigger hid them: distances
/// are taken as the nearest multiple of the usual one. `None` where more than a third are missing.
pub(super) fn regularity_with_holes(phases: &[Burst]) -> Option<Regularity> {
    let distances = distances(phases);
    if distances.len() < 4 {
        return None;
    }
    let usual = median(&distances);
    let beats: Vec<f64> = distances
        .iter()
        .map(|distance| (distance / usual).round().max(1.0))
        .collect();
    let total: f64 = beats.iter().sum();
    if total > 1.5 * distances.len() as f64 {
        return None;
    }
    let single: Vec<f64> = distances.iter().zip(&beats).map(|(d, k)| d / k).collect();
    let period = distances.iter().sum::<f64>() / total;
    let spread = deviation(&single);
    let lengths: Vec<f64> = phases.iter().map(|phase| phase.length()).collect();
    let slack = (period - mean(&lengths) - 1.0).max(0.1);
    Some(Regularity {
        period,
        spread,
        distances: distances.len(),
        // Rounding to multiples makes any distances look twice as regular.
        p_value: chance::of_even_gaps(distances.len(), 2.0 * spread.hypot(RESOLUTION) / slack),
    })
}

/// Phases of several bursts of about equal volume: if every m-th burst begins a phase, they are far
/// more regular than the bursts are.
pub(super) fn grouped(bursts: &[Burst]) -> (Vec<Burst>, Null) {
    const LARGEST: usize = 6;
    // Where single bursts are regular, a few that are late are enough for pairs to be more so.
    const REGULAR: f64 = 1e-3;
    // None may be missing: groups that cut phases in pieces have longer pauses between some of them.
    let p_value = |phases: &[Burst], size: usize| {
        if phases.len() < 3 {
            return 1.0;
        }
        let null = Null::Starts(size as f64);
        of_distances(&distances(phases), &pauses(phases), null, 1.0).p_value
    };
    let single = p_value(bursts, 1);
    let groups = (2..=LARGEST)
        .take_while(|size| bursts.len() >= 3 * size)
        .map(|size| (size, in_groups(bursts, size)))
        .filter(|(_, phases)| single > REGULAR || lie_apart(phases, bursts))
        .map(|(size, phases)| (p_value(&phases, size), size, phases));
    let best = groups.min_by(|a, b| a.0.total_cmp(&b.0));
    match best {
        Some((p_value, size, phases)) if p_value < 1e-3 * single => {
            (phases, Null::Starts(size as f64))
        }
        _ => (bursts.to_vec(), Null::Starts(1.0)),
    }
}

/// Whether the pauses between groups of bursts are usually longer than those within.
fn lie_apart(groups: &[Burst], bursts: &[Burst]) -> bool {
    const LONGER: f64 = 1.1;
    let ends = |burst: &Burst| {
        let group = groups.binary_search_by(|group| group.end.total_cmp(&burst.end));
        group.is_ok()
    };
    let all = bursts.iter().zip(pauses(bursts));
    let (between, within): (Vec<_>, Vec<_>) = all.partition(|(burst, _)| ends(burst));
    let usual = |pauses: Vec<(&Burst, f64)>| {
        median(
            &pauses
                .into_iter()
                .map(|(_, pause)| pause)
                .collect::<Vec<_>>(),
        )
    };
    usual(between) > LONGER * usual(within)
}

/// Every `size` bursts as one, cut where the pauses are longest.
pub(super) fn in_groups(bursts: &[Burst], size: usize) -> Vec<Burst> {
    let pauses = pauses(bursts);
    let idle = |first: usize| -> f64 { pauses.iter().skip(first).step_by(size).sum() };
    // The pause after burst `last` is a cut.
    let last = (0..size)
        .max_by(|a, b| idle(*a).total_cmp(&idle(*b)))
        .unwrap_or(0);
    let head = last + 1;
    let group = |part: &[Burst]| Burst {
        start: part[0].start,
        end: part[part.len() - 1].end,
    };
    let mut phases = Vec::new();
    if head == size {
        phases.push(group(&bursts[..head]));
    }
    phases.extend(bursts[head..].chunks_exact(size).map(group));
    phases
}

#[cfg(test)]
mod tests {
    use super::super::bursts::at;
    use super::*;

    fn starts(phases: &[Burst]) -> Vec<f64> {
        phases.iter().map(|phase| phase.start).collect()
    }

    #[test]
    fn even_starts_are_no_chance_and_uneven_ones_are() {
        let even = at(&[0.0, 10.0, 20.0, 30.0, 40.0, 50.0, 60.0]);
        let found = regularity(&even, Null::Starts(1.0)).expect("phases");
        assert_eq!((found.period, found.spread), (10.0, 0.0));
        assert!(found.p_value < 1e-6, "{found:?}");
        let uneven = at(&[0.0, 3.0, 20.0, 22.0, 41.0, 58.0, 60.0]);
        let found = regularity(&uneven, Null::Starts(1.0)).expect("phases");
        assert_eq!(found.period, 10.0);
        assert!(found.p_value > 0.1, "{found:?}");
        assert_eq!(regularity(&even[..2], Null::Starts(1.0)), None);
    }

    #[test]
    fn phases_that_were_skipped_leave_the_period_as_it_is() {
        let starts: Vec<f64> = (0..20)
            .filter(|i| *i != 2 && *i != 9)
            .map(|i| 60.0 * f64::from(i))
            .collect();
        let found = regularity(&at(&starts), Null::Starts(1.0)).expect("phases");
        assert_eq!((found.period, found.spread), (60.0, 0.0));
        // Compute phases of any length are no holes.
        let uneven = at(&[0.0, 10.0, 25.0, 33.0, 55.0, 60.0, 78.0]);
        let found = regularity(&uneven, Null::Starts(1.0)).expect("phases");
        assert_eq!(found.period, 13.0);
    }

    #[test]
    fn a_phase_that_is_held_up_shifts_the_rest_and_not_the_period() {
        // The eighth takes so long that it is no burst, and all that follow are late by half a period.
        let start = |i: i32| 10.0 * f64::from(i) + if i > 7 { 5.7 } else { 0.0 };
        let starts: Vec<f64> = (0..16).filter(|i| *i != 7).map(start).collect();
        let found = regularity(&at(&starts), Null::Starts(1.0)).expect("phases");
        assert!((found.period - 10.0).abs() < 1e-9, "{found:?}");
        assert!(found.spread < 1e-9 && found.distances == 13, "{found:?}");
    }

    #[test]
    fn even_pauses_between_uneven_phases_are_a_rhythm_too() {
        let mut now = 0.0;
        let phase = |length: f64| {
            let start = now + 8.0;
            now = start + length;
            Burst { start, end: now }
        };
        let phases: Vec<Burst> = [2.0, 9.0, 4.0, 16.0, 3.0, 11.0, 7.0].map(phase).into();
        let found = regularity(&phases, Null::Starts(1.0)).expect("phases");
        assert!(found.spread > 3.0, "{found:?}");
        assert!(found.p_value < 1e-3, "{found:?}");
    }

    #[test]
    fn phases_put_together_from_many_bursts_must_be_more_even_to_surprise() {
        let phases = at(&[0.0, 10.0, 19.0, 31.0, 40.0, 49.0, 60.0]);
        let p_value = |null| regularity(&phases, null).map(|found| found.p_value);
        assert!(p_value(Null::Starts(9.0)) > p_value(Null::Starts(1.0)));
        assert!(p_value(Null::PausesAbove(6.0)) > p_value(Null::PausesAbove(0.0)));
    }

    #[test]
    fn a_first_and_a_last_phase_out_of_step_do_not_count() {
        let all = at(&[0.0, 40.0, 50.0, 60.0, 70.0, 80.0, 90.0, 94.0]);
        assert_eq!(settled(&all), 1..7);
        // Few phases are all there is.
        assert_eq!(settled(&all[..4]), 0..4);
        assert_eq!(settled(&[]), 0..0);
    }

    #[test]
    fn hidden_phases_leave_the_period_as_it_is() {
        let holes = at(&[0.0, 10.0, 20.0, 40.0, 50.0, 60.0, 80.0, 90.0]);
        let found = regularity_with_holes(&holes).expect("phases");
        assert_eq!((found.period, found.spread), (10.0, 0.0));
        let mostly_holes = at(&[0.0, 10.0, 20.0, 30.0, 40.0, 100.0, 160.0]);
        assert_eq!(regularity_with_holes(&mostly_holes), None);
    }

    #[test]
    fn three_bursts_a_phase_are_grouped_at_the_longest_pauses() {
        let bursts: Vec<f64> = (0..8)
            .flat_map(|i| [0.0, 4.0, 9.0].map(|offset| 60.0 * f64::from(i) + offset))
            .collect();
        let (phases, null) = grouped(&at(&bursts));
        assert_eq!(null, Null::Starts(3.0));
        assert_eq!(
            starts(&phases),
            [0., 60., 120., 180., 240., 300., 360., 420.]
        );
        // The first two bursts of a run that began earlier belong to no whole group.
        let cut = in_groups(&at(&bursts[1..]), 3);
        assert_eq!(starts(&cut), [60., 120., 180., 240., 300., 360., 420.]);
    }

    #[test]
    fn single_bursts_stay_single() {
        let bursts = at(&[0.0, 10.0, 20.0, 30.0, 40.0, 50.0, 60.0, 70.0, 80.0]);
        assert_eq!(grouped(&bursts), (bursts, Null::Starts(1.0)));
        // The last one is late, so that pairs without it are more even; but they are no groups.
        let late = at(&[
            0.0, 10.0, 20.0, 30.0, 40.0, 50.0, 60.0, 70.0, 80.0, 90.0, 100.0, 112.0,
        ]);
        assert_eq!(grouped(&late), (late, Null::Starts(1.0)));
    }
}
