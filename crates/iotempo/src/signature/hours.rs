//! Whether servers' clocks and the scheduler's differ by whole hours: a zone that is not the right one makes them.

use super::company::Company;
use super::mined::CLOCKS;
use iotempo_analysis::runs::Run;
use iotempo_analysis::signature::{BURSTS_LEFT_OUT, SignatureFinding};
use iotempo_model::{Warning, counted};
use iotempo_report::quantity::duration;

/// Zones differ by as many hours, either way, but for places with few clusters.
const MOST_HOURS: i32 = 14;

const HOUR_S: f64 = 3600.0;

/// So many bursts are in nearly all runs, and are most of what is moved in bursts at all: of many tries, some find a
/// few of others' by chance.
const FEWEST_BURSTS: usize = 3;
const NEARLY_ALL: f64 = 0.9;
const MOST: f64 = 0.5;

/// Mining takes long where runs do: of the hours at which runs seem to have something in common, so many are mined.
const MOST_MINED: usize = 6;

/// Runs as clocks would have them that are ahead by other seconds than they are said to be.
pub(super) trait Shifted {
    /// What the runs are then.
    fn runs(&self, ahead_s: f64) -> Vec<Run>;
    /// What these have in common.
    fn mined(&self, ahead_s: f64, runs: &[Run]) -> SignatureFinding;
}

/// What to say where runs have little in common as clocks are, ahead by `ahead_s`, and clearly more were the servers'
/// ahead by some hours more. The fewest hours count. What is moved while other jobs are in progress is theirs.
pub(super) fn hours_apart(
    ahead_s: f64,
    shifted: &impl Shifted,
    company: &Company<'_>,
) -> Option<Warning> {
    let hours = (1..=MOST_HOURS).flat_map(|hours| [hours, -hours]);
    let ahead = hours.map(|hours| ahead_s + HOUR_S * f64::from(hours));
    let ahead: Vec<f64> = ahead.collect();
    let shared: Vec<f64> = ahead
        .iter()
        .map(|&ahead_s| in_most(&shifted.runs(ahead_s)))
        .collect();
    let worth = worth_mining(&shared);
    let tried = ahead.iter().zip(worth).filter(|(_, is_worth)| *is_worth);
    let mut found = tried.take(MOST_MINED).filter_map(|(&shifted_s, _)| {
        let runs = shifted.runs(shifted_s);
        let finding = shifted.mined(shifted_s, &runs);
        let (bursts, held) = clear(&finding)?;
        let is_theirs = is_of_others(&finding, &runs, shifted_s - ahead_s, company);
        (!is_theirs).then_some((shifted_s, bursts, held))
    });
    let (found_s, bursts, runs) = found.next()?;
    let option = match ahead_s {
        0.0 => "",
        _ => "--clocks-ahead, ",
    };
    let message = format!(
        "were the servers' clocks {} the scheduler's, {} would have {} in common: is a zone not the right one \
         ({option}--zone, --log-zone)?",
        apart(found_s),
        counted(runs as u64, "run"),
        counted(bursts as u64, "burst"),
    );
    Some(Warning::new(CLOCKS, message))
}

/// How far clocks are apart, in words.
fn apart(ahead_s: f64) -> String {
    let hours = (ahead_s.abs() / HOUR_S).round();
    let length = match (ahead_s.abs() - HOUR_S * hours).abs() < 0.5 {
        true if hours == 0.0 => return "no other than".to_owned(),
        true => counted(hours as u64, "hour"),
        false => duration(ahead_s.abs()),
    };
    let side = if ahead_s > 0.0 { "ahead of" } else { "behind" };
    format!("{length} {side}")
}

/// Runs are compared in so many parts of equal length: delays are shorter, and most bursts no longer.
const PARTS: usize = 256;

/// So many of the runs have what nearly all have: some are unlike the others.
const HELD: f64 = 0.75;

/// How much more runs move in all, beyond what is usual and at about the same moment in this share of them or more, than
/// they did were they turned, each by another time. It takes far less time than mining.
fn in_most(runs: &[Run]) -> f64 {
    const TURNS: usize = 4;
    let mut lengths: Vec<usize> = runs.iter().map(|run| run.rates.len()).collect();
    lengths.sort_unstable();
    let Some(usual) = lengths.get(lengths.len() / 2) else {
        return 0.0;
    };
    let points = usual.div_ceil(PARTS);
    let mut rows: Vec<Vec<f64>> = runs.iter().map(|run| beyond_usual(run, points)).collect();
    let shared = held_by_most(&rows);
    let mut by_chance = 0.0;
    for _ in 0..TURNS {
        for (number, row) in rows.iter_mut().enumerate() {
            // No two are turned by the same part of themselves.
            let part = (0.618_033_988_75 * (number + 1) as f64).fract();
            let by = part * row.len() as f64;
            row.rotate_left(by as usize);
        }
        by_chance += held_by_most(&rows) / TURNS as f64;
    }
    (shared - by_chance) * runs.len() as f64
}

/// What most of these rows have at the same places, summed up as far as most reach.
fn held_by_most(rows: &[Vec<f64>]) -> f64 {
    let enough = (HELD * rows.len() as f64).ceil() as usize;
    let held = |part: usize| {
        let moved = rows.iter().filter_map(|row| row.get(part).copied());
        let mut moved: Vec<f64> = moved.collect();
        let fewer = moved.len().checked_sub(enough)?;
        Some(*moved.select_nth_unstable_by(fewer, f64::total_cmp).1)
    };
    (0..).map_while(held).sum()
}

/// What a run moves beyond what is usual in it, by parts of so many points. What lies a part off counts, too.
fn beyond_usual(run: &Run, points: usize) -> Vec<f64> {
    let parts = run.rates.chunks(points);
    let moved: Vec<f64> = parts
        .map(|part| run.step_s * part.iter().sum::<f64>())
        .collect();
    let usual = *moved
        .clone()
        .select_nth_unstable_by(moved.len() / 2, f64::total_cmp)
        .1;
    let near = |part: usize| &moved[part.saturating_sub(1)..(part + 2).min(moved.len())];
    let most = |part: usize| {
        near(part)
            .iter()
            .fold(0.0_f64, |most, one| most.max(one - usual))
    };
    (0..moved.len()).map(most).collect()
}

/// At which hours so much is shared by most runs that it is hardly chance: others move something at any hour.
fn worth_mining(shared: &[f64]) -> Vec<bool> {
    /// It differs by less from hour to hour.
    const CLEARLY: f64 = 1.25;
    let mut known: Vec<f64> = shared
        .iter()
        .copied()
        .filter(|shared| *shared > 0.0)
        .collect();
    known.sort_by(f64::total_cmp);
    // Runs that follow each other by the hour share what they move at many hours.
    let usual = match known.len() < shared.len() / 2 {
        true => 0.0,
        false => known[known.len() / 4],
    };
    let most = known.last().copied().unwrap_or(0.0);
    // Chance makes it less as often as more.
    let chance = -shared.iter().copied().fold(0.0, f64::min);
    let least = (CLEARLY * usual).max((usual + most) / 2.0).max(chance);
    shared
        .iter()
        .map(|&one| one > 0.0 && one >= least)
        .collect()
}

/// How many bursts nearly all runs have, and how many runs these are, where that is no chance.
fn clear(finding: &SignatureFinding) -> Option<(usize, usize)> {
    let (bursts, runs) = (&finding.signature()?.bursts, finding.used.len());
    let least = NEARLY_ALL * runs as f64;
    let held = bursts.iter().filter(|burst| burst.support as f64 >= least);
    let (held, bytes) = held.fold((0, 0.0), |(count, bytes), burst| {
        (count + 1, bytes + burst.bytes)
    });
    let in_bursts = finding.sample_bursts.iter().flatten();
    let all: f64 = in_bursts.map(|burst| burst.bytes).sum();
    let is_doubtful = finding
        .warnings
        .iter()
        .any(|told| told.code == BURSTS_LEFT_OUT);
    let is_clear = held >= FEWEST_BURSTS && bytes * runs as f64 >= MOST * all && !is_doubtful;
    is_clear.then_some((held, runs))
}

/// Whether other jobs are in progress at most of the bursts that runs have some seconds later.
fn is_of_others(
    finding: &SignatureFinding,
    runs: &[Run],
    later_s: f64,
    company: &Company<'_>,
) -> bool {
    let Some(found) = finding.signature() else {
        return false;
    };
    let starts = finding.used_places.iter();
    let starts: Vec<f64> = starts.map(|&place| runs[place].start_s + later_s).collect();
    let theirs = found.bursts.iter().filter(|burst| {
        let at = |start: &f64| (start + burst.start_s, start + burst.end_s);
        company.is_there_at(&starts.iter().map(at).collect::<Vec<_>>())
    });
    theirs.count() as f64 >= MOST * found.bursts.len() as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn how_far_clocks_are_apart_is_told_in_hours_where_it_is_hours() {
        for (ahead_s, said) in [
            (10_800.0, "3 hours ahead of"),
            (-3600.0, "1 hour behind"),
            (0.0, "no other than"),
            (7240.0, "2 h 1 min ahead of"),
        ] {
            assert_eq!(apart(ahead_s), said);
        }
    }

    /// Runs of 2000 s; all have a burst of their own, and at the hours that are named another at the same moment, but for
    /// a delay.
    fn runs(hour: usize, shared: bool) -> Vec<Run> {
        let run = |job: usize| {
            let mut rates: Vec<f64> = (0..1000)
                .map(|at| 1.0 + (at * 7 % 10) as f64 / 20.0)
                .collect();
            let others = (job * 337 + hour * 101 + job * hour * 53) % 980;
            rates[others..others + 15].fill(50.0);
            if shared {
                rates[300 + job % 4..310 + job % 4].fill(50.0);
            }
            Run {
                job,
                start_s: 0.0,
                step_s: 2.0,
                rates,
                filled: 0,
            }
        };
        (0..10).map(run).collect()
    }

    #[test]
    fn only_hours_at_which_runs_share_something_are_worth_the_time() {
        let shared = |those: &[usize]| -> Vec<usize> {
            let shared: Vec<f64> = (0..28)
                .map(|hour| in_most(&runs(hour, those.contains(&hour))))
                .collect();
            let worth = worth_mining(&shared).into_iter().enumerate();
            worth
                .filter_map(|(hour, is_worth)| is_worth.then_some(hour))
                .collect()
        };
        assert_eq!(shared(&[3]), [3]);
        // Every second hour is one of another run.
        let odd: Vec<usize> = (1..28).step_by(2).collect();
        assert_eq!(shared(&odd), odd);
        assert!(shared(&[]).len() <= MOST_MINED, "{:?}", shared(&[]));
        assert_eq!(worth_mining(&[0.0; 28]), [false; 28]);
        assert_eq!(in_most(&[]), 0.0);
    }
}
