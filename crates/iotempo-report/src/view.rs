//! What the template shows: texts and tables, no numbers left to format.

use crate::data::{self, Drawing, Picture};
use crate::figures::{Written, confidence, percent, short_estimate};
use crate::page::{Fact, Part, PeriodPage, Table};
use crate::quantity::{Units, count, duration, instant, rate};
use crate::tables;
use crate::words::{self, tied};
use askama::Template;
use iotempo_analysis::period::Rhythm;

/// The style of the page.
const STYLE: &str = include_str!("../assets/page.css");
/// The only program that the page may run.
pub(crate) const SCRIPT: &str = concat!(
    include_str!("../assets/axes.js"),
    include_str!("../assets/chart.js"),
    include_str!("../assets/page.js")
);
/// Its SHA-256 in base64: by it the page's policy lets the browser run this program and no other,
/// whatever a hostile name in a log smuggles in.
pub(crate) const SCRIPT_SHA256: &str = "RClld+iPjWb75A0pPy/bpTkGLpowcDGrnTN7w4Xg4zU=";

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

/// A number that matters.
struct Tile {
    name: &'static str,
    value: String,
    detail: String,
}

impl Tile {
    fn new(name: &'static str, value: String, detail: &str) -> Self {
        let detail = tied(detail);
        Self {
            name,
            value,
            detail,
        }
    }
}

/// A picture, drawn by the script.
struct Figure {
    picture: &'static str,
    title: &'static str,
    /// For those who cannot see it.
    alt: String,
    /// How to read it.
    caption: String,
    /// The highest amplitude, where colours stand for amplitudes.
    shades: Option<String>,
    /// Whether it takes a row of its own.
    wide: bool,
}

impl<'a> View<'a> {
    pub(crate) fn new(page: &'a PeriodPage) -> Self {
        let name = page.input.rsplit(['/', '\\']).next();
        let first = page.parts.first();
        let summary = first.map(|part| tied(&words::summary(&part.finding)));
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
            data: drawing.json(),
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
    let written = Written::new(next);
    let error = written
        .error
        .map_or(String::new(), |error| format!("± {error}, "));
    let detail = match (next.value - end).get() {
        after if after > 0.0 => format!("{error}{} after the last sample", duration(after)),
        _ => format!("{error}had the run gone on"),
    };
    Some(Tile::new("next phase", written.value, &detail))
}

fn view<'a>(part: &'a Part, picture: &Picture, units: Units) -> PartView<'a> {
    let best = part.finding.best();
    let mut tiles = best.map_or_else(Vec::new, |rhythm| tiles(rhythm, units));
    tiles.extend(next(part));
    PartView {
        part,
        summary: tied(&words::summary(&part.finding)),
        tiles,
        guess: part.finding.main().is_none(),
        notes: notes(part),
        figures: figures(part, picture, units),
        tables: tables::of(part, units),
    }
}

fn tiles(rhythm: &Rhythm, units: Units) -> Vec<Tile> {
    let period = Written::new(&rhythm.period);
    let also = period.words.as_ref().map(|words| format!("{words}, "));
    let interval = format!(
        "{}95 % interval {}",
        also.unwrap_or_default(),
        period.interval
    );
    let sure = "that it repeats, and the true period is within 5 %";
    let phases = count(rhythm.phases.len() as u64);
    let mut tiles = vec![
        Tile::new("period", period.value, &interval),
        Tile::new("confidence", confidence(rhythm.confidence), sure),
        Tile::new("phases", phases, &words::phases(rhythm, units)),
    ];
    tiles.extend(rhythm.jitter.map(|jitter| {
        let time = duration(jitter * rhythm.period.value.get());
        let detail = format!("of the period: {time} from start to start");
        Tile::new("jitter", percent(jitter), &detail)
    }));
    tiles
}

fn notes(part: &Part) -> Vec<String> {
    let alias = part.finding.alias.map(|alias| {
        let [a, b] = alias.could_be.map(|period| duration(period.get()));
        format!(
            "The period lies close to the sampling step of {}: what looks like {} could also be {a} \
             or {b}.",
            duration(alias.step.get()),
            duration(alias.apparent.get())
        )
    });
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

fn figures(part: &Part, picture: &Picture, units: Units) -> Vec<Figure> {
    let phases = part.finding.best().map_or(0, |rhythm| rhythm.phases.len());
    let mut figures = Vec::new();
    if !part.signal.samples().is_empty() {
        figures.push(bandwidth(part, units));
    }
    if let Some(cells) = &picture.scalogram {
        figures.push(scalogram(rate(cells.highest(), units)));
    }
    if (3..=data::MOST_PHASES).contains(&phases) {
        figures.push(spacing(phases));
    }
    if picture.spectrum.is_some() {
        figures.push(spectrum(part));
    }
    if picture.autocorrelation.is_some() {
        figures.push(autocorrelation());
    }
    figures
}

fn bandwidth(part: &Part, units: Units) -> Figure {
    let signal = &part.signal;
    let samples = signal.samples();
    let finite = samples.iter().copied().filter(|x| x.is_finite());
    let highest = finite.fold(0.0, f64::max);
    let together = samples.len().div_ceil(data::MOST_BUCKETS);
    let step = duration(signal.step().get());
    let caption = match together {
        0 | 1 => format!("{} samples of {step} each.", count(samples.len() as u64)),
        _ => format!(
            "{} samples of {step} each, drawn as the lowest and highest of every {together}.",
            count(samples.len() as u64)
        ),
    };
    let next = part.finding.main().and_then(|rhythm| rhythm.next_start);
    let next = next.map_or(String::new(), |next| {
        format!(" The next phase is expected at {}.", short_estimate(&next))
    });
    Figure {
        picture: "bandwidth",
        title: "Bandwidth over time",
        alt: format!(
            "Bandwidth from {} to {}, at most {}. Its phases are listed in a table below.{next}",
            instant(signal.start().get()),
            instant(signal.time(samples.len()).get()),
            rate(highest, units)
        ),
        caption,
        shades: None,
        wide: true,
    }
}

fn scalogram(highest: String) -> Figure {
    Figure {
        picture: "scalogram",
        title: "Periods over time",
        alt: format!(
            "Amplitude of oscillations by period and time, at most {highest}. \
             Changes of the period are listed under changes of behaviour."
        ),
        caption:
            "How strongly the bandwidth swings at every period (Morlet wavelet; colours by the \
                  square root). A steady rhythm is a level bright line; one that slows down climbs."
                .to_owned(),
        shades: Some(highest),
        wide: true,
    }
}

fn spacing(phases: usize) -> Figure {
    Figure {
        picture: "spacing",
        title: "From phase to phase",
        alt: format!(
            "Time from the start of each of {phases} phases to the next; the same numbers are in \
             the table of phases."
        ),
        caption: "Each dot is a phase: how long after the previous one it began.".to_owned(),
        shades: None,
        wide: true,
    }
}

fn spectrum(part: &Part) -> Figure {
    let candidates = part
        .spectrum
        .iter()
        .flat_map(|spectrum| &spectrum.candidates);
    let candidates: Vec<_> = candidates.map(|mark| mark.label.as_str()).collect();
    let stand_out = match candidates.is_empty() {
        true => "No frequency is marked.".to_owned(),
        false => format!("Marked: {}.", candidates.join(", ")),
    };
    Figure {
        picture: "spectrum",
        title: "Spectrum",
        alt: format!("Share of every frequency in the variation of the bandwidth. {stand_out}"),
        caption: "How much of the variation each frequency carries. Short bursts also fill the \
                  multiples of their frequency."
            .to_owned(),
        shades: None,
        wide: false,
    }
}

fn autocorrelation() -> Figure {
    Figure {
        picture: "autocorrelation",
        title: "Autocorrelation",
        alt: "How much the bandwidth resembles itself some time later, by lag.".to_owned(),
        caption:
            "How much the bandwidth resembles itself some time later: 1 is equal. What repeats \
                  peaks at its period and at multiples of it."
                .to_owned(),
        shades: None,
        wide: false,
    }
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
