//! Words that several outputs share.

use super::found::Found;
use iotempo_analysis::phases::{Agreement, CANNOT_SHOW, Flags, REQUESTS_CANNOT_SHOW, Witness};
use iotempo_model::Source;
pub(super) use iotempo_report::phases::layer;
use iotempo_report::quantity::duration;

/// What phases cannot show that were made of such evidence.
pub(super) const fn cannot_show(source: Source) -> &'static str {
    match source {
        Source::Counters => CANNOT_SHOW,
        _ => REQUESTS_CANNOT_SHOW,
    }
}

/// The same in a sentence.
pub(super) fn says_what_is_hidden(source: Source) -> String {
    let what = match source {
        Source::Counters => "counters",
        // They hold it in some inputs.
        _ => "phases of requests",
    };
    format!("{what} cannot show {}", cannot_show(source))
}

/// The flags that are up.
pub(super) fn flags(flags: Flags, between: &str) -> String {
    let names: Vec<_> = flags.up().map(|flag| flag.name).collect();
    names.join(between)
}

/// How phases compare with finer evidence, in sentences; none where there is none.
pub(super) fn agreement(found: &Found) -> Vec<String> {
    let mut said = Vec::new();
    for (witness, name) in [(Witness::Dxt, "DXT"), (Witness::Heatmap, "heatmap")] {
        let all = found.evidence.of_phases.iter().enumerate();
        let all: Vec<(usize, &Agreement)> = all
            .filter_map(|(place, agreement)| Some((place, agreement.as_ref()?)))
            .filter(|(_, agreement)| agreement.witness == witness)
            .collect();
        if all.is_empty() {
            continue;
        }
        let bin = all
            .first()
            .map_or(0.0, |(_, agreement)| agreement.tolerance_s);
        let within = match witness {
            Witness::Dxt => "5 % of their length".to_owned(),
            Witness::Heatmap => format!("one bin ({})", duration(bin)),
        };
        let agreeing = all.iter().filter(|(_, agreement)| agreement.agrees).count();
        let largest = all.iter().map(|(_, agreement)| off(agreement));
        said.push(format!(
            "{name}: {agreeing} of {} begin and end within {within} of what it shows; the largest \
             difference is {}",
            phases(all.len()),
            duration(largest.fold(0.0, f64::max))
        ));
        let differing = all.iter().filter(|(_, agreement)| !agreement.agrees);
        said.extend(some(
            differing.map(|(place, other)| differs(*place, other)),
            "differ",
        ));
        let hiding = all.iter().filter(|(_, agreement)| agreement.stretches > 1);
        let hiding = hiding.map(|(place, agreement)| {
            format!(
                "phase {}: {name} shows {} stretches of activity in it",
                place + 1,
                agreement.stretches
            )
        });
        said.extend(some(hiding, "hold several stretches"));
    }
    said
}

/// Phases that a sentence each is said of.
const MOST_TOLD: usize = 5;

/// The first of these sentences, and how many more phases there are that do the same.
fn some(all: impl Iterator<Item = String>, what: &str) -> Vec<String> {
    let mut all: Vec<String> = all.collect();
    let more = all.len().saturating_sub(MOST_TOLD);
    all.truncate(MOST_TOLD);
    if more > 0 {
        all.push(format!("and {more} more {what} (--json tells which)"));
    }
    all
}

fn off(agreement: &Agreement) -> f64 {
    agreement.start_off_s.abs().max(agreement.end_off_s.abs())
}

fn phases(count: usize) -> String {
    let ending = if count == 1 { "" } else { "s" };
    format!("{count} phase{ending}")
}

fn differs(place: usize, agreement: &Agreement) -> String {
    let apart = |off: f64| {
        let word = if off < 0.0 { "earlier" } else { "later" };
        format!("{} {word}", duration(off.abs()))
    };
    let why = agreement.disagreement.map_or("", |why| why.text());
    format!(
        "phase {} begins {} and ends {} than there: {why}",
        place + 1,
        apart(agreement.start_off_s),
        apart(agreement.end_off_s)
    )
}
