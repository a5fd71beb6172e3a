//! What the template shows: texts and tables, no numbers left to format.

use super::SignaturePage;
use super::drawing::Drawing;
use super::{captions, no_rhythm, tables};
use crate::captions::Figure;
use crate::data;
use crate::page::{Fact, Table};
use crate::plain::plain;
use crate::quantity::{bytes, count, duration, rate};
use crate::tile::{self, Tile};
use crate::words::{capitalized, summary, tied};
use askama::Template;
use iotempo_analysis::signature::Signature;
use iotempo_model::{Source, Warning};

/// The style of the page: that of all pages, and its own.
const STYLE: &str = concat!(
    include_str!("../../assets/page.css"),
    include_str!("../../assets/signature.css")
);
/// The only program that the page may run.
const SCRIPT: &str = concat!(
    include_str!("../../assets/axes.js"),
    include_str!("../../assets/chart.js"),
    include_str!("../../assets/shapes.js"),
    include_str!("../../assets/rows.js"),
    include_str!("../../assets/signature.js"),
    include_str!("../../assets/theme.js")
);
/// Its SHA-256 in base64: by it the page's policy lets the browser run this program and no other.
const SCRIPT_SHA256: &str = "wm0/X53IcQ5+//z16hYaG6lbhxRNcDMZapquVE1DZis=";

/// A whole page.
#[derive(Template)]
#[template(path = "signature.html")]
pub(super) struct View {
    title: String,
    lead: String,
    sentences: Vec<String>,
    warnings: Vec<Warning>,
    tiles: Vec<Tile>,
    figures: Vec<Figure>,
    bursts: Option<Table>,
    runs: Option<Table>,
    rejected: Option<Table>,
    compared: Option<Table>,
    hours: Vec<Figure>,
    logs: Table,
    provenance: Vec<Fact>,
    settings: Vec<Fact>,
    data: String,
    style: &'static str,
    script: &'static str,
    script_sha256: &'static str,
}

impl View {
    pub(super) fn new(page: &SignaturePage) -> Self {
        let found = page.signature.as_ref().ok();
        let filled = |table: Table| (!table.rows.is_empty()).then_some(table);
        let warning = |warning: &Warning| Warning {
            code: warning.code.clone(),
            message: plain(&warning.message),
        };
        let fact = |fact: &Fact| Fact::new(plain(&fact.name), plain(&fact.value));
        Self {
            title: plain(&page.application),
            lead: tied(&lead(page)),
            sentences: sentences(page).iter().map(|text| tied(text)).collect(),
            warnings: page.warnings.iter().map(warning).collect(),
            tiles: found.map_or_else(Vec::new, |found| tiles(found, page)),
            figures: captions::over_time(page),
            bursts: found
                .map(|found| tables::bursts(found, page.used(), page.units))
                .and_then(filled),
            runs: filled(tables::runs(page)),
            rejected: filled(tables::rejected(page)),
            compared: filled(tables::compared(page)),
            hours: captions::by_hour(page),
            logs: tables::logs(&page.logs),
            provenance: provenance(page),
            settings: page.settings.iter().map(fact).collect(),
            data: data::json(&Drawing::of(page)),
            style: STYLE,
            script: SCRIPT,
            script_sha256: SCRIPT_SHA256,
        }
    }
}

fn length_s(found: &Signature) -> f64 {
    found.step_s * found.rates.len() as f64
}

/// `1 run`, `2 runs`.
fn counted(number: usize, noun: &str) -> String {
    let ending = if number == 1 { "" } else { "s" };
    format!("{} {noun}{ending}", count(number as u64))
}

fn lead(page: &SignaturePage) -> String {
    match &page.signature {
        Ok(found) => {
            let bursts = counted(found.bursts.len(), "burst");
            let bursts = match page.overlapping {
                0 => capitalized(&bursts),
                _ => format!("Unsure: {bursts}"),
            };
            let moved = bytes(found.bytes(), page.units);
            format!(
                "{bursts}, {moved} in all, in {}.",
                duration(length_s(found))
            )
        }
        Err(why) => format!("No signature: {}.", plain(why)),
    }
}

fn sentences(page: &SignaturePage) -> Vec<String> {
    let mut said = Vec::new();
    if let Some(period) = &page.period {
        said.push(match period.main() {
            Some(_) => summary(period, page.threshold),
            None => {
                let why = no_rhythm(period, page.threshold, &page.warnings);
                format!("{}.", capitalized(&why))
            }
        });
    }
    let overlapping = match page.overlapping {
        0 => String::new(),
        some => format!(
            " {} of them ran while another one did: what is seen of either is both.",
            count(some as u64)
        ),
    };
    said.push(format!(
        "{} of {} {} used.{overlapping}",
        counted(page.used(), "run"),
        counted(page.jobs, "job"),
        if page.used() == 1 { "is" } else { "are" },
    ));
    let every = page.interval_s.map(duration);
    said.push(format!(
        "Seen in logs of servers: what all jobs moved ({}){}. They cannot show {}; nor bursts that are \
         not in most runs, or that other jobs have at the same times; those shorter than about four intervals may be \
         missed.",
        plain(&page.moved),
        every.map_or_else(String::new, |every| format!(", every {every}")),
        Source::Server.cannot_show()
    ));
    said
}

fn tiles(found: &Signature, page: &SignaturePage) -> Vec<Tile> {
    let all = found.bytes();
    let bursts = found.bursts.len();
    let each = match bursts {
        0 => "runs have none in common".to_owned(),
        _ => {
            let moved: f64 = found.bursts.iter().map(|burst| burst.bytes).sum();
            let each = bytes(moved / bursts as f64, page.units);
            format!("that runs have in common, {each} each on average")
        }
    };
    let beyond = format!(
        "in {}, beyond {} all through the runs",
        duration(length_s(found)),
        rate(page.background, page.units)
    );
    let mut tiles = vec![
        Tile::new("bursts", count(bursts as u64), &each),
        Tile::new("moved", bytes(all, page.units), &beyond),
    ];
    let main = page.period.as_ref().and_then(|period| period.main());
    tiles.extend(main.map(tile::of_period).into_iter().flatten());
    tiles.extend(main.map(tile::of_jitter));
    let detail = format!("used, of {}", counted(page.jobs, "job"));
    tiles.push(Tile::new("runs", count(page.used() as u64), &detail));
    tiles
}

fn provenance(page: &SignaturePage) -> Vec<Fact> {
    vec![
        Fact::new("source", Source::Server.name()),
        Fact::new("moved", plain(&page.moved)),
        Fact::new("targets", count(page.targets as u64)),
        Fact::new(
            "taken away",
            format!("{} all through the runs", rate(page.background, page.units)),
        ),
        Fact::new("made by", plain(&page.tool)),
    ]
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
