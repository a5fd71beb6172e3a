//! What the template shows: texts and tables, no numbers left to format.

use super::timeline::Timeline;
use super::{PhasesPage, tables};
use crate::page::{Fact, Table};
use crate::plain::plain;
use crate::quantity::count;
use crate::theme;
use crate::words::{capitalized, tied};
use askama::Template;
use iotempo_analysis::phases::Flags;
use iotempo_model::Warning;

/// The style of the page: that of all pages, and its own.
const STYLE: &str = concat!(
    include_str!("../../assets/page.css"),
    include_str!("../../assets/phases.css")
);

/// A whole page.
#[derive(Template)]
#[template(path = "phases.html")]
pub(super) struct View {
    title: String,
    lead: String,
    sentences: Vec<String>,
    warnings: Vec<Warning>,
    timeline: Option<Timeline>,
    phases: Option<Table>,
    details: Option<Table>,
    flags: Vec<Fact>,
    facts: Vec<Fact>,
    provenance: Vec<Fact>,
    settings: Vec<Fact>,
    style: &'static str,
    script: &'static str,
    script_sha256: &'static str,
}

impl View {
    pub(super) fn new(page: &PhasesPage) -> Self {
        let filled = |table: Table| (!table.rows.is_empty()).then_some(table);
        let warning = |warning: &Warning| Warning {
            code: warning.code.clone(),
            message: plain(&warning.message),
        };
        let fact = |fact: &Fact| Fact::new(plain(&fact.name), plain(&fact.value));
        let cannot = capitalized(&format!("{}.", page.cannot_show));
        let sentences = page.agreement.iter().map(|text| format!("{text}."));
        Self {
            title: plain(&page.input),
            lead: tied(&lead(page)),
            sentences: sentences
                .chain([cannot])
                .map(|text| tied(&plain(&text)))
                .collect(),
            warnings: page.warnings.iter().map(warning).collect(),
            timeline: Timeline::of(page),
            phases: filled(tables::phases(page)),
            details: filled(tables::details(page)),
            flags: flags(page),
            facts: page.facts.iter().map(fact).collect(),
            provenance: provenance(page),
            settings: page.settings.iter().map(fact).collect(),
            style: STYLE,
            script: theme::SCRIPT,
            script_sha256: theme::SCRIPT_SHA256,
        }
    }
}

fn lead(page: &PhasesPage) -> String {
    let phases = page.phases.len() as u64;
    let ending = if phases == 1 { "" } else { "s" };
    let phases = format!("{} phase{ending}", count(phases));
    match &page.moved {
        Some(moved) => format!("{phases}: {}.", plain(moved)),
        None => format!("{phases}; what was moved is not known: nothing was counted."),
    }
}

/// What the flags mean that are up somewhere.
fn flags(page: &PhasesPage) -> Vec<Fact> {
    let up = |name: &str| {
        let phases = page.phases.iter();
        phases
            .flat_map(|phase| phase.flags.up())
            .any(|flag| flag.name == name)
    };
    let flags = Flags::ALL.into_iter().filter(|flag| up(flag.name));
    flags
        .map(|flag| Fact::new(flag.name, flag.meaning))
        .collect()
}

fn provenance(page: &PhasesPage) -> Vec<Fact> {
    let unknown = || "-".to_owned();
    vec![
        Fact::new("log", plain(&page.input)),
        Fact::new("format", plain(&page.format)),
        Fact::new("SHA-256", page.sha256.clone().unwrap_or_else(unknown)),
        Fact::new("made by", plain(&page.tool)),
    ]
}
