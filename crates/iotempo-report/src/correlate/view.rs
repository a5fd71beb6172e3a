//! What the template shows: texts, tables and pictures, no numbers left to format.

use super::plot::Plot;
use super::words::counted;
use super::{CorrelatePage, MOST_GROUPS, ShownGroup, Verdict, figures, scatter, tables};
use crate::page::{Fact, Table};
use crate::plain::plain;
use crate::quantity::{Units, count, duration};
use crate::theme;
use crate::words::tied;
use askama::Template;
use iotempo_model::Warning;

/// The style of the page: that of all pages, and its own.
const STYLE: &str = concat!(
    include_str!("../../assets/page.css"),
    include_str!("../../assets/correlate.css")
);

/// A whole page.
#[derive(Template)]
#[template(path = "correlate.html")]
pub(super) struct View {
    title: String,
    lead: String,
    sentences: Vec<String>,
    warnings: Vec<Warning>,
    ranked: Vec<Ranked>,
    groups: Vec<Group>,
    hidden: usize,
    inputs: Vec<Table>,
    provenance: Vec<Fact>,
    settings: Vec<Fact>,
    style: &'static str,
    script: &'static str,
    script_sha256: &'static str,
}

/// A row of the table of groups.
struct Ranked {
    /// Where it is told at length.
    number: Option<usize>,
    name: String,
    verdict: &'static str,
    cells: Vec<String>,
    sentence: String,
}

/// A group at length.
struct Group {
    number: usize,
    name: String,
    sentence: String,
    sentences: Vec<String>,
    facts: Vec<Fact>,
    coefficients: Table,
    figures: Vec<Figure>,
    pairs: Vec<Table>,
}

/// A picture with its words.
pub(super) struct Figure {
    pub(super) title: String,
    pub(super) across: String,
    pub(super) up: String,
    pub(super) keys: Vec<Key>,
    pub(super) notes: Vec<String>,
    /// The same in figures.
    pub(super) table: Option<Table>,
    pub(super) plot: Plot,
    pub(super) wide: bool,
}

/// What a line or shade is.
pub(super) struct Key {
    pub(super) class: &'static str,
    pub(super) label: String,
}

impl Key {
    pub(super) fn new(class: &'static str, label: impl Into<String>) -> Self {
        let label = label.into();
        Self { class, label }
    }
}

impl View {
    pub(super) fn new(page: &CorrelatePage<'_>) -> Self {
        let warning = |warning: &Warning| Warning {
            code: warning.code.clone(),
            message: plain(&warning.message),
        };
        let groups = || page.groups.iter().enumerate();
        Self {
            title: plain(&page.title),
            lead: tied(&lead(page)),
            sentences: sentences(page),
            warnings: page.warnings.iter().map(warning).collect(),
            ranked: groups().map(|(at, group)| ranked(at, group)).collect(),
            groups: groups()
                .take(MOST_GROUPS)
                .map(|(at, group)| at_length(at, group, page.units))
                .collect(),
            hidden: page.groups.len().saturating_sub(MOST_GROUPS),
            inputs: page.inputs.iter().map(plain_table).collect(),
            provenance: vec![Fact::new("made by", plain(&page.tool))],
            settings: facts(&page.settings),
            style: STYLE,
            script: theme::SCRIPT,
            script_sha256: theme::SCRIPT_SHA256,
        }
    }
}

fn facts(facts: &[Fact]) -> Vec<Fact> {
    let fact = |fact: &Fact| Fact::new(plain(&fact.name), tied(&plain(&fact.value)));
    facts.iter().map(fact).collect()
}

fn plain_table(table: &Table) -> Table {
    let columns: Vec<&str> = table.columns.iter().map(String::as_str).collect();
    Table {
        notes: table.notes.iter().map(|note| plain(note)).collect(),
        ..crate::plain::table(&table.title, &columns, table.rows.clone())
    }
}

fn lead(page: &CorrelatePage<'_>) -> String {
    let all = page.groups.len() as u64;
    let of = |verdict| {
        page.groups
            .iter()
            .filter(|group| group.verdict == verdict)
            .count()
    };
    let [slow, fast, mixed, nothing, unsure] = [
        Verdict::SlowsDown,
        Verdict::SpeedsUp,
        Verdict::Mixed,
        Verdict::NoSign,
        Verdict::Undetermined,
    ]
    .map(of);
    if all == 0 {
        return "No group has enough jobs to be studied.".to_owned();
    }
    if unsure as u64 == all {
        return format!("Nothing can be said of {}.", counted(all, "group"));
    }
    let mut rest = Vec::new();
    if fast > 0 {
        rest.push(format!("{fast} with less time under load"));
    }
    if mixed > 0 {
        rest.push(format!("{mixed} not in one direction"));
    }
    if nothing > 0 {
        rest.push(format!("{nothing} without a sign of it"));
    }
    if unsure > 0 {
        rest.push(format!("{unsure} undetermined"));
    }
    let rest = match rest.is_empty() {
        true => String::new(),
        false => format!("; {}", rest.join(", ")),
    };
    let slow = match slow {
        0 => format!("None of {} takes", counted(all, "group")),
        1 => format!("1 of {} takes", counted(all, "group")),
        some => format!("{} of {} take", count(some as u64), counted(all, "group")),
    };
    format!("{slow} longer when the system is busy{rest}.")
}

fn sentences(page: &CorrelatePage<'_>) -> Vec<String> {
    let studied: usize = page.groups.iter().map(|group| group.study.jobs).sum();
    let mut said = vec![format!(
        "{} read, {} in {}.",
        counted(page.jobs, "job"),
        count(studied as u64),
        counted(page.groups.len() as u64, "group")
    )];
    if page.too_few > 0 {
        said.push(format!(
            "{} in {} with too few to be studied.",
            counted(page.too_few_jobs, "job"),
            counted(page.too_few, "group")
        ));
    }
    said.extend(page.left_out.iter().map(|why| format!("{}.", plain(why))));
    said.iter().map(|text| tied(text)).collect()
}

fn ranked(at: usize, group: &ShownGroup<'_>) -> Ranked {
    Ranked {
        number: (at < MOST_GROUPS).then_some(at + 1),
        name: plain(&group.name),
        verdict: class(group.verdict),
        cells: tables::ranked(group),
        sentence: tied(&sentence(&group.sentence)),
    }
}

/// A sentence, which may be longer than a name.
fn sentence(text: &str) -> String {
    let words: Vec<String> = text.split(' ').map(plain).collect();
    words.join(" ")
}

const fn class(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::SlowsDown => "slow",
        Verdict::SpeedsUp | Verdict::Mixed | Verdict::NoSign | Verdict::Undetermined => "",
    }
}

fn at_length(at: usize, group: &ShownGroup<'_>, units: Units) -> Group {
    let mut said = vec![busy(group, units)];
    said.extend(group.also.clone());
    said.extend(group.left_out.iter().map(|why| format!("{}.", plain(why))));
    let figures = [
        scatter::figure(group, units),
        figures::other_days(group),
        figures::grains(group),
        figures::lags(group),
    ];
    let figures = figures.into_iter().flatten().map(plain_figure).collect();
    let pairs = group.pairs.iter();
    Group {
        number: at + 1,
        name: plain(&group.name),
        sentence: tied(&sentence(&group.sentence)),
        sentences: said.iter().map(|text| tied(&sentence(text))).collect(),
        facts: facts(&group.facts),
        coefficients: tables::coefficients("Coefficients", group.study),
        figures,
        pairs: pairs
            .map(|pair| tables::coefficients(&plain(&pair.title), pair.study))
            .collect(),
    }
}

fn plain_figure(figure: Figure) -> Figure {
    Figure {
        across: tied(&sentence(&figure.across)),
        up: tied(&sentence(&figure.up)),
        notes: figure.notes.iter().map(|note| tied(note)).collect(),
        ..figure
    }
}

/// What the slowdown rests on, or why there is none.
fn busy(group: &ShownGroup<'_>, units: Units) -> String {
    let slowdown = match group.study.cost() {
        Ok(slowdown) => slowdown,
        Err(why) => {
            return format!("How much longer jobs take on a busy system is undetermined: {why}.");
        }
    };
    let from = group.load.unit.write(slowdown.busy.from, units);
    let which = match (&group.study.within, slowdown.busy.hours) {
        (Some(within), _) => {
            let of = match (within.stretches > 1, within.weekly) {
                (true, false) => format!("median of their {} days", within.days),
                (true, true) => {
                    format!("medians of their {} days and of their weekday", within.days)
                }
                (false, _) => "median of their weekday".to_owned(),
            };
            format!(
                "Busy are runs whose load is {from} and more above the {of}; their times are beside the median time of \
                 the same"
            )
        }
        (None, true) => format!("Busy is the busiest tenth of the log's hours, from {from} on"),
        (None, false) => format!("Busy are the runs with the highest loads, from {from} on"),
    };
    if group.study.within.is_some() {
        return format!(
            "{which}: in the middle of {} they are {:.2} times those of {} at other times.",
            counted(slowdown.busy_jobs as u64, "such job"),
            slowdown.ratio,
            counted(slowdown.other_jobs as u64, "job"),
        );
    }
    format!(
        "{which}: {} with a median of {}, beside {} at other times with a median of {}.",
        counted(slowdown.busy_jobs as u64, "job"),
        duration(slowdown.busy_median_s),
        count(slowdown.other_jobs as u64),
        duration(slowdown.other_median_s)
    )
}
