//! Whether servers' clocks and the scheduler's differ by whole hours: a zone that is not the right one makes them.

use super::mined::CLOCKS;
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

/// What to say where runs have little in common as clocks are, ahead by `ahead_s`, and clearly more were the servers'
/// ahead by some hours more: `mine` tells what they have then, by seconds. The fewest hours count.
pub(super) fn hours_apart(ahead_s: f64, mine: impl Fn(f64) -> SignatureFinding) -> Option<Warning> {
    let hours = (1..=MOST_HOURS).flat_map(|hours| [hours, -hours]);
    let ahead = hours.map(|hours| ahead_s + HOUR_S * f64::from(hours));
    let mut tried = ahead.map(|ahead_s| (ahead_s, clear(&mine(ahead_s))));
    let (found_s, (bursts, runs)) = tried.find_map(|(ahead_s, found)| Some((ahead_s, found?)))?;
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
}
