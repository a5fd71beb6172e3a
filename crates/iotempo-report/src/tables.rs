//! What was found, as tables.

use crate::clock::Clock;
use crate::figures::{confidence, percent, short_estimate};
use crate::page::{Part, Table};
use crate::quantity::{Units, bytes, count, duration, rate};
use crate::words::{probability, witness};
use iotempo_analysis::period::{Phase, Rhythm, Segment, Witness};
use iotempo_model::Signal;

/// Rows of a table of phases; the page must stay small.
const MOST_ROWS: usize = 1000;

/// The tables of a part that have rows.
pub(crate) fn of(part: &Part, units: Units) -> Vec<Table> {
    let finding = &part.finding;
    let best = finding.best();
    let others = finding.rhythms.get(1..).unwrap_or_default();
    let tables = [
        best.map(|rhythm| phases(&rhythm.phases, &part.signal, units)),
        Some(segments(&finding.segments, &part.signal, units)),
        Some(other_periods(others, units)),
        Some(witnesses(&finding.witnesses)),
    ];
    let tables = tables.into_iter().flatten();
    tables.filter(|table| !table.rows.is_empty()).collect()
}

fn table(title: &str, columns: &[&str], rows: Vec<Vec<String>>) -> Table {
    Table {
        title: title.to_owned(),
        columns: columns.iter().map(|&name| name.to_owned()).collect(),
        rows,
        notes: Vec::new(),
    }
}

/// Seconds with as many decimals as the samples tell apart.
fn seconds(signal: &Signal) -> impl Fn(f64) -> String {
    let step = signal.step().get();
    let decimals = if step > 0.0 { -step.log10() } else { 0.0 };
    let decimals = decimals.ceil().clamp(0.0, 9.0) as usize;
    move |value| format!("{value:.decimals$}")
}

/// Points in time, and what the columns of them are called.
fn moments(signal: &Signal) -> (impl Fn(f64) -> String, &'static str) {
    let (clock, seconds) = (Clock::of_signal(signal), seconds(signal));
    let moment = move |at| match clock {
        Clock::Run => seconds(at),
        Clock::Calendar => clock.at(at),
    };
    (moment, if clock == Clock::Run { "s" } else { "UTC" })
}

fn phases(phases: &[Phase], signal: &Signal, units: Units) -> Table {
    let seconds = seconds(signal);
    let (moment, unit) = moments(signal);
    let rows = phases
        .iter()
        .enumerate()
        .take(MOST_ROWS)
        .map(|(index, phase)| {
            let length = phase.end - phase.start;
            let previous = index.checked_sub(1).map(|previous| &phases[previous]);
            let since = previous.map(|previous| seconds((phase.start - previous.start).get()));
            let mean = phase.bytes.over(length).map(|mean| rate(mean.get(), units));
            vec![
                (index + 1).to_string(),
                moment(phase.start.get()),
                moment(phase.end.get()),
                seconds(length.get()),
                since.unwrap_or_else(|| "-".to_owned()),
                bytes(phase.bytes.get(), units),
                mean.unwrap_or_else(|| "-".to_owned()),
            ]
        });
    let names = [
        "phase",
        &format!("start ({unit})"),
        &format!("end ({unit})"),
        "length (s)",
        "since previous start (s)",
        "moved",
        "mean rate",
    ];
    let mut table = table("Phases", &names, rows.collect());
    let more = phases.len().saturating_sub(MOST_ROWS);
    if more > 0 {
        table
            .notes
            .push(format!("… and {} more.", count(more as u64)));
    }
    table
}

/// None where behaviour never changes.
fn segments(segments: &[Segment], signal: &Signal, units: Units) -> Table {
    let (moment, unit) = moments(signal);
    let changing = if segments.len() > 1 { segments } else { &[] };
    let rows = changing.iter().map(|segment| {
        let period = segment.period.as_ref().map(short_estimate);
        let sure = segment.period.map(|_| confidence(segment.confidence));
        vec![
            format!(
                "{} to {}",
                moment(segment.start.get()),
                moment(segment.end.get())
            ),
            duration((segment.end - segment.start).get()),
            bytes(segment.bytes.get(), units),
            period.unwrap_or_else(|| "none".to_owned()),
            sure.unwrap_or_else(|| "-".to_owned()),
        ]
    });
    let between = format!("from, to ({unit})");
    let names = [between.as_str(), "length", "moved", "period", "confidence"];
    table("Changes of behaviour", &names, rows.collect())
}

fn other_periods(rhythms: &[Rhythm], units: Units) -> Table {
    let rows = rhythms.iter().map(|rhythm| {
        vec![
            short_estimate(&rhythm.period),
            confidence(rhythm.confidence),
            rhythm.jitter.map_or_else(|| "-".to_owned(), percent),
            count(rhythm.phases.len() as u64),
            duration(rhythm.phase_length().get()),
            bytes(rhythm.bytes.get(), units),
        ]
    });
    let names = [
        "period",
        "confidence",
        "jitter",
        "phases",
        "length of a phase",
        "moved",
    ];
    table("Other periods", &names, rows.collect())
}

fn witnesses(witnesses: &[Witness]) -> Table {
    let rows = witnesses.iter().map(|one| {
        vec![
            witness(one.kind).to_owned(),
            duration(one.period.get()),
            probability(one.p_value),
            if one.agrees { "agrees" } else { "disagrees" }.to_owned(),
        ]
    });
    let names = [
        "witness",
        "period",
        "probability of chance",
        "with the answer",
    ];
    let mut table = table("Witnesses", &names, rows.collect());
    let note = "Independent ways to look for a period. The probability is that of evidence as \
                strong where nothing repeats.";
    table.notes.push(note.to_owned());
    table
}
