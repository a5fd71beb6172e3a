//! Which pictures a page has, what is said under them, and to those who cannot see them.

use super::drawing::{MOST_LOGS, MOST_ROW_BUCKETS, highest};
use super::{Beside, SignaturePage};
use crate::captions::Figure;
use crate::data::MOST_BUCKETS;
use crate::plain::plain;
use crate::quantity::{Units, count, duration, rate};
use crate::words::tied;
use iotempo_analysis::signature::{Clash, Signature};
use iotempo_model::counted;

/// The pictures over time in which there is something to see.
pub(super) fn over_time(page: &SignaturePage) -> Vec<Figure> {
    let found = page.signature.as_ref().ok();
    let course = found.filter(|found| !found.rates.is_empty());
    let course = course.map(|found| signature(found, page.overlapping, page.units));
    let stacked = (!page.runs.is_empty()).then(|| runs(page));
    course.into_iter().chain(stacked).collect()
}

/// A picture for each log that the signature is laid beside, with its place in the drawing.
pub(super) fn by_hour(page: &SignaturePage) -> Vec<Figure> {
    let compared = page.compared.iter().take(MOST_LOGS);
    let met = compared.filter_map(|beside| Some((beside, beside.clash.as_ref()?)));
    met.map(|(beside, clash)| hours(beside, clash, page.units))
        .collect()
}

fn signature(found: &Signature, overlapping: usize, units: Units) -> Figure {
    let what = match overlapping {
        0 => "What the application moves when it is alone",
        _ => "What runs have in common, of which several were in progress at once",
    };
    let length = found.step_s * found.rates.len() as f64;
    let peak = found.rates.iter().copied().filter(|rate| rate.is_finite());
    let points = count(found.rates.len() as u64);
    let together = match found.rates.len().div_ceil(MOST_BUCKETS) {
        0 | 1 => String::new(),
        many => format!(" Drawn as the lowest and highest of every {many}."),
    };
    Figure {
        picture: "signature",
        title: "The signature",
        alt: format!(
            "Bandwidth of the application alone, from 0 s to {}, at most {}. Listed in a table below: {}.",
            duration(length),
            rate(peak.fold(0.0, f64::max), units),
            counted(found.bursts.len() as u64, "burst")
        ),
        caption: tied(&format!(
            "{what}: {points} points, {} apart. Bursts are shaded \
             and numbered as in the table.{together}",
            duration(found.step_s)
        )),
        shades: None,
        wide: true,
    }
}

fn runs(page: &SignaturePage) -> Figure {
    let (rows, hidden) = page.rows();
    let most = rows.iter().map(|run| run.rates.len()).max().unwrap_or(0);
    let together = match most.div_ceil(MOST_ROW_BUCKETS) {
        0 | 1 => String::new(),
        many => format!(" Drawn as the lowest and highest of up to {many} intervals."),
    };
    let hidden = match hidden {
        0 => String::new(),
        1 => " One older run is in the table only.".to_owned(),
        many => format!(" {many} older runs are in the table only."),
    };
    let left_out = rows.iter().filter(|run| run.left_out().is_some()).count();
    let below = match left_out {
        0 => "",
        _ => {
            " Runs that were left out are below, dimmed, with the reason; what exceeds a row is cut off."
        }
    };
    Figure {
        picture: "runs",
        title: "The runs",
        alt: format!(
            "What the servers moved during {}, a row each, {left_out} of them left out. They are \
             listed in a table below.",
            counted(rows.len() as u64, "run")
        ),
        caption: tied(&format!(
            "What the servers moved while each job ran, whoever caused it; a row is {} high. Bursts that \
             come where a common one is due and move at least half as much are marked by a filled bar, \
             all others by a hollow one.{below}{together}{hidden}",
            rate(highest(&rows), page.units)
        )),
        shades: None,
        wide: true,
    }
}

fn hours(beside: &Beside, clash: &Clash, units: Units) -> Figure {
    let hour = |hour: Option<iotempo_analysis::signature::HourClash>| {
        hour.map_or_else(
            || "none".to_owned(),
            |hour| format!("{:02} h ({})", hour.hour, rate(hour.met_bytes_per_s, units)),
        )
    };
    let log = plain(&beside.log);
    Figure {
        picture: "hours",
        title: "By hour",
        alt: format!(
            "What the signature would meet in {log}, by the hour in which it starts: least in hour {}, \
             most in hour {}.",
            hour(clash.best_hour()),
            hour(clash.worst_hour())
        ),
        caption: log,
        shades: None,
        wide: false,
    }
}
