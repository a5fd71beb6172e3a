//! What the template shows: texts and tables, no numbers left to format.

use crate::captions::{Figure, figures};
use crate::clock::Clock;
use crate::data::{self, Drawing, Picture};
use crate::page::{Fact, Part, PeriodPage, Table};
use crate::quantity::{Units, count, duration};
use crate::tables;
use crate::tile::{self, Tile};
use crate::words::{self, tied};
use askama::Template;
use iotempo_analysis::period::Rhythm;

/// The style of pages.
pub(crate) const STYLE: &str = include_str!("../assets/page.css");
/// The only program that the page may run.
pub(crate) const SCRIPT: &str = concat!(
    include_str!("../assets/axes.js"),
    include_str!("../assets/chart.js"),
    include_str!("../assets/data.js"),
    include_str!("../assets/shapes.js"),
    include_str!("../assets/time.js"),
    include_str!("../assets/lines.js"),
    include_str!("../assets/page.js"),
    include_str!("../assets/theme.js")
);
/// Its SHA-256 in base64: by it the page's policy lets the browser run this program and no other,
/// whatever a hostile name in a log smuggles in.
pub(crate) const SCRIPT_SHA256: &str = "wsG7BoOACbSS4KmrSGnQFjNo6bnf/u2X+KuTICFGimI=";

/// A whole page.
#[derive(Template)]
#[template(path = "page.html")]
pub(crate) struct View<'a> {
    page: &'a PeriodPage,
    /// The input without its folders.
    title: &'a str,
    summary: String,
    /// What the evidence shows, and what it cannot show.
    evidence: String,
    parts: Vec<PartView<'a>>,
    provenance: Vec<Fact>,
    data: String,
    style: &'static str,
    script: &'static str,
    script_sha256: &'static str,
}

/// One part of the page.
struct PartView<'a> {
    part: &'a Part,
    summary: String,
    tiles: Vec<Tile>,
    /// Whether tiles are about a guess that is not to be relied on.
    guess: bool,
    notes: Vec<String>,
    figures: Vec<Figure>,
    tables: Vec<Table>,
}

impl<'a> View<'a> {
    pub(crate) fn new(page: &'a PeriodPage) -> Self {
        let name = page.input.rsplit(['/', '\\']).next();
        let first = page.parts.first();
        let summary = first.map(|part| tied(&words::summary(&part.finding, part.threshold)));
        let drawing = Drawing::of(page);
        let parts = page.parts.iter().zip(&drawing.parts);
        Self {
            page,
            title: name.filter(|name| !name.is_empty()).unwrap_or(&page.input),
            summary: summary.unwrap_or_else(|| "No data moved.".to_owned()),
            evidence: evidence(page),
            parts: parts
                .map(|(part, picture)| view(part, picture, page.units))
                .collect(),
            provenance: provenance(page),
            data: data::json(&drawing),
            style: STYLE,
            script: SCRIPT,
            script_sha256: SCRIPT_SHA256,
        }
    }
}

fn evidence(page: &PeriodPage) -> String {
    let finest = page.resolution.map(|finest| duration(finest.get()));
    let finest = finest.map_or(String::new(), |finest| format!(", resolved to {finest}"));
    let hidden = page.source.cannot_show();
    format!(
        "Seen in {} ({}){finest}. This source cannot show {hidden}.",
        page.source, page.format
    )
}

fn provenance(page: &PeriodPage) -> Vec<Fact> {
    let resolution = page.resolution.map(|resolution| duration(resolution.get()));
    let unknown = || "-".to_owned();
    vec![
        Fact::new("input", page.input.clone()),
        Fact::new("SHA-256", page.sha256.clone().unwrap_or_else(unknown)),
        Fact::new("format", page.format.clone()),
        Fact::new("source", page.source.name()),
        Fact::new("resolution", resolution.unwrap_or_else(unknown)),
        Fact::new("made by", page.tool.clone()),
    ]
}

/// When the next phase would begin, where there is a rhythm to rely on.
fn next(part: &Part) -> Option<Tile> {
    let next = part.finding.main()?.next_start.as_ref()?;
    let end = part.signal.time(part.signal.samples().len());
    let (value, error) = Clock::of_signal(&part.signal).estimate(next);
    let error = error.map_or(String::new(), |error| format!("± {error}, "));
    let detail = match (next.value - end).get() {
        after if after > 0.0 => format!("{error}{} after the last sample", duration(after)),
        _ => format!("{error}had the run gone on"),
    };
    Some(Tile::new("next phase", value, &detail))
}

fn view<'a>(part: &'a Part, picture: &Picture, units: Units) -> PartView<'a> {
    let best = part.finding.best();
    let mut tiles = best.map_or_else(Vec::new, |rhythm| tiles(rhythm, units));
    tiles.extend(next(part));
    PartView {
        part,
        summary: tied(&words::summary(&part.finding, part.threshold)),
        tiles,
        guess: part.finding.main().is_none(),
        notes: notes(part),
        figures: figures(part, picture, units),
        tables: tables::of(part, units),
    }
}

fn tiles(rhythm: &Rhythm, units: Units) -> Vec<Tile> {
    let phases = count(rhythm.phases.len() as u64);
    let mut tiles = tile::of_period(rhythm).to_vec();
    tiles.push(Tile::new("phases", phases, &words::phases(rhythm, units)));
    tiles.push(tile::of_jitter(rhythm));
    tiles
}

fn notes(part: &Part) -> Vec<String> {
    let alias = words::alias(&part.finding);
    let alias = alias.map(|note| format!("{}.", words::capitalized(&note)));
    let phases = part.finding.best().map_or(0, |rhythm| rhythm.phases.len());
    let crowded = phases > data::MOST_PHASES;
    let crowded = crowded.then(|| {
        format!(
            "{} phases are too many to be shaded one by one.",
            count(phases as u64)
        )
    });
    alias.into_iter().chain(crowded).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base64;
    use sha2::{Digest, Sha256};

    #[test]
    fn the_policy_names_the_script_that_the_page_holds() {
        let digest = base64::encode(&Sha256::digest(SCRIPT));
        assert_eq!(
            SCRIPT_SHA256, digest,
            "the script changed: this is its digest"
        );
    }
}
