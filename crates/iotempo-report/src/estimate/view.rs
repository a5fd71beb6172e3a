//! What the template shows: texts and tables, no numbers left to format.

use super::EstimatePage;
use super::drawing::Drawing;
use super::words::{headline, io_nodes, no_estimate, second_thought};
use crate::page::{Fact, Table};
use crate::plain::plain;
use crate::quantity::{Units, bytes, duration, rate};
use crate::theme;
use crate::words::tied;
use askama::Template;
use iotempo_analysis::estimate::CombinedPoint;
use iotempo_model::Warning;

/// The style of the page: that of all pages, and its own.
const STYLE: &str = concat!(
    include_str!("../../assets/page.css"),
    include_str!("../../assets/estimate.css")
);

/// A whole page.
#[derive(Template)]
#[template(path = "estimate.html")]
pub(super) struct View {
    title: String,
    lead: String,
    sentences: Vec<String>,
    warnings: Vec<Warning>,
    drawing: Option<Drawing>,
    curve: Option<Table>,
    phases: Option<Table>,
    unmatched: Vec<Fact>,
    provenance: Vec<Fact>,
    settings: Vec<Fact>,
    style: &'static str,
    script: &'static str,
    script_sha256: &'static str,
}

impl View {
    pub(super) fn new(page: &EstimatePage) -> Self {
        let filled = |table: Table| (!table.rows.is_empty()).then_some(table);
        let facts = |facts: &[Fact]| {
            let fact = |fact: &Fact| Fact::new(plain(&fact.name), plain(&fact.value));
            facts.iter().map(fact).collect()
        };
        let warning = |warning: &Warning| Warning {
            code: warning.code.clone(),
            message: plain(&warning.message),
        };
        Self {
            title: plain(&page.input),
            lead: tied(&lead(page)),
            sentences: sentences(page).iter().map(|text| tied(text)).collect(),
            warnings: page.warnings.iter().map(warning).collect(),
            drawing: Drawing::of(&page.combined.curve, page.combined.best, page.units),
            curve: filled(curve(&page.combined.curve, page.units)),
            phases: filled(plain_table(&page.phases)),
            unmatched: facts(&page.unmatched),
            provenance: facts(&page.provenance),
            settings: facts(&page.settings),
            style: STYLE,
            script: theme::SCRIPT,
            script_sha256: theme::SCRIPT_SHA256,
        }
    }
}

fn lead(page: &EstimatePage) -> String {
    match page.combined.best() {
        Some(best) => {
            let is = match (page.combined.curve.len(), best.io_nodes) {
                (1, _) => "only",
                (_, 1) => "is best",
                _ => "are best",
            };
            let told = headline(&page.combined, best, page.units);
            format!("{} {is}: {told}.", io_nodes(best.io_nodes))
        }
        None => {
            let why = no_estimate(&page.combined);
            format!("N{}.", why.strip_prefix('n').unwrap_or(why))
        }
    }
}

fn sentences(page: &EstimatePage) -> Vec<String> {
    let combined = &page.combined;
    let about = match combined.curve.is_empty() {
        true => "",
        false => "; the curve is about these",
    };
    let moved = format!(
        "Of {} that the application moved, {} have a benchmark like them{about}.",
        bytes(combined.bytes, page.units),
        bytes(combined.matched_bytes, page.units)
    );
    second_thought(combined)
        .into_iter()
        .chain([moved])
        .collect()
}

fn curve(points: &[CombinedPoint], units: Units) -> Table {
    let columns = [
        "I/O nodes",
        "bandwidth",
        "a tenth of runs is slower than",
        "a tenth is faster than",
        "time",
        "time if phases overlap",
        "loss on average",
    ];
    let row = |point: &CombinedPoint| {
        vec![
            point.io_nodes.to_string(),
            rate(point.bytes_per_s, units),
            rate(point.low_bytes_per_s, units),
            rate(point.high_bytes_per_s, units),
            duration(point.time_s),
            duration(point.overlapping_time_s),
            match points.len() {
                1 => "–".to_owned(),
                _ => format!("{:.1} %", 100.0 * point.expected_regret),
            },
        ]
    };
    Table {
        title: "By number of I/O nodes".to_owned(),
        columns: columns.map(str::to_owned).to_vec(),
        rows: points.iter().map(row).collect(),
        notes: vec![
            "Loss: what is lost, on the average over runs, to whoever always takes this number."
                .to_owned(),
        ],
    }
}

fn plain_table(table: &Table) -> Table {
    let row = |row: &Vec<String>| row.iter().map(|cell| plain(cell)).collect();
    Table {
        title: table.title.clone(),
        columns: table.columns.clone(),
        rows: table.rows.iter().map(row).collect(),
        notes: table.notes.clone(),
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use iotempo_analysis::estimate::Combined;

    fn page(curve: Vec<CombinedPoint>, best: Option<u32>) -> String {
        let page = EstimatePage {
            input: "<job>.darshan".to_owned(),
            combined: Combined {
                bytes: 2e9,
                matched_bytes: if curve.is_empty() { 0.0 } else { 1e9 },
                curve,
                best,
                left_out: Vec::new(),
            },
            phases: Table::default(),
            unmatched: vec![Fact::new("phase 2", "no benchmark <of> its kind")],
            provenance: Vec::new(),
            warnings: Vec::new(),
            settings: Vec::new(),
            units: Units::Si,
        };
        let mut bytes = Vec::new();
        page.write_into(&mut bytes).unwrap();
        String::from_utf8(bytes).unwrap()
    }

    #[test]
    fn a_page_shows_the_curve_and_what_has_no_match() {
        let point = |io_nodes, bandwidth| CombinedPoint {
            io_nodes,
            time_s: 1e9 / bandwidth,
            overlapping_time_s: 1e9 / bandwidth,
            bytes_per_s: bandwidth,
            low_bytes_per_s: 0.9 * bandwidth,
            high_bytes_per_s: 1.1 * bandwidth,
            expected_regret: 0.0,
        };
        let html = page(vec![point(0, 1e8), point(4, 2e8)], Some(4));
        assert!(html.contains("class=\"best\"") && html.contains("200 MB/s"));
        let lead = html.replace('\u{a0}', " ");
        assert!(
            lead.contains("for the 50 % of bytes that have a match"),
            "{lead}"
        );
        assert!(
            html.contains("no benchmark &#60;of&#62; its kind"),
            "{html}"
        );
        assert!(!html.contains("<job>"));
    }

    #[test]
    fn a_page_without_a_match_says_so() {
        let html = page(Vec::new(), None);
        assert!(html.contains("no phase has a match") && !html.contains("<svg"));
    }
}
