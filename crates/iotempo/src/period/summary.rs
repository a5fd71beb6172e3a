//! One input at length.

use super::analysed::{Analysed, Answer};
use super::held::Held;
use super::result::word;
use super::{chart, figures, ftio_summary};
use crate::human;
use crate::settings::Stated;
use crate::style::Style;
use iotempo_analysis::character::Character;
use iotempo_analysis::period::{PeriodFinding, Rhythm, Segment, Witness};
use iotempo_model::Warning;
use iotempo_report::chart::Glyphs;
use iotempo_report::clock::Clock;
use iotempo_report::words;
use std::io::{self, Write};

/// A word and what is said about it.
pub(super) type Fact = (&'static str, String);

/// Prints what was found.
pub(super) fn print(
    out: &mut impl Write,
    analysed: &Analysed,
    stated: &Stated,
    (style, glyphs): (Style, Option<Glyphs>),
) -> io::Result<()> {
    writeln!(out, "{}", style.bold(&human::printable(&analysed.input)))?;
    writeln!(out, "  {}\n", headline(analysed, stated, style))?;
    if let Some((signal, glyphs)) = analysed.signal.as_ref().zip(glyphs) {
        chart::print(out, signal, rhythm_of(&analysed.answer), (style, glyphs))?;
    }
    let facts = all_facts(analysed, stated, style);
    let width = facts.iter().map(|(key, _)| key.len()).max().unwrap_or(0);
    for (key, value) in facts {
        writeln!(out, "  {key:<width$}  {}", human::printable(&value))?;
    }
    if let Answer::Ours(finding) = &analysed.answer {
        print_segments(out, &finding.segments, clock(analysed), style)?;
        if let Some(note) = words::alias(finding) {
            writeln!(out)?;
            prose(out, &note, style)?;
        }
    }
    // The headline says so.
    let said = |warning: &&Warning| warning.code == "nothing-left";
    let warnings: Vec<_> = analysed.warnings.iter().filter(|w| !said(w)).collect();
    if !warnings.is_empty() {
        writeln!(out, "\n{}", style.bold("warnings"))?;
    }
    for warning in warnings {
        prose(out, &human::printable(&warning.to_string()), style)?;
    }
    Ok(())
}

/// The answer in a sentence.
fn headline(analysed: &Analysed, stated: &Stated, style: Style) -> String {
    let answer = &analysed.answer;
    let headline = match (&analysed.unselected, answer) {
        (Some(held), _) => nothing_selected(held, stated, style),
        (None, Answer::Ours(finding)) => our_headline(finding, analysed.threshold),
        (None, Answer::Ftio(finding)) => ftio_summary::headline(finding),
    };
    if answer.is_periodic() {
        style.green(&headline)
    } else {
        style.bold(&headline)
    }
}

fn all_facts(analysed: &Analysed, stated: &Stated, style: Style) -> Vec<Fact> {
    let mut facts = match &analysed.answer {
        Answer::Ours(finding) => facts(finding, analysed, style),
        Answer::Ftio(finding) => ftio_summary::facts(finding),
    };
    let character = analysed.character.as_ref();
    facts.extend(character.map(|found| self::character(found, style)));
    facts.extend(sampled(analysed, style));
    facts.extend(stated.selected().map(|selected| ("selected", selected)));
    facts.push(("source", source(analysed)));
    let hidden = analysed.origin.source.cannot_show().to_owned();
    facts.push(("cannot show", hidden));
    facts
}

fn prose(out: &mut impl Write, text: &str, style: Style) -> io::Result<()> {
    for line in style.lines(text) {
        writeln!(out, "{}", style.yellow(&line))?;
    }
    Ok(())
}

/// That it is a matter of choice, and what could be chosen.
fn nothing_selected(held: &Held, stated: &Stated, style: Style) -> String {
    let selected = stated.selected().unwrap_or_default();
    let held = held.words(style);
    let held = held.map_or(String::new(), |held| format!("; there is {held}"));
    format!("no data moved in what is selected ({selected}){held}")
}

fn our_headline(finding: &PeriodFinding, threshold: f64) -> String {
    if let Some(main) = finding.main() {
        let (period, sure) = (figures::estimate(&main.period), main.confidence);
        return format!(
            "repeats every {period} (confidence {})",
            figures::confidence(sure)
        );
    }
    words::no_period(finding, threshold)
}

fn facts(finding: &PeriodFinding, analysed: &Analysed, style: Style) -> Vec<Fact> {
    let all = analysed.bytes;
    let mut facts = Vec::new();
    if let Some(main) = finding.main() {
        facts.extend(rhythm(main, analysed, style));
    }
    for other in finding.rhythms.iter().skip(1) {
        let text = format!(
            "every {} (confidence {}): {}",
            figures::estimate(&other.period),
            figures::confidence(other.confidence),
            moved(other, all, style),
        );
        facts.push(("also", text));
    }
    facts.extend(words::aside(finding).map(|alias| {
        let period = human::duration(alias.apparent.get());
        let text = format!("every {period}, too fast for these samples to be sure of (below)");
        ("also", text)
    }));
    if finding.best().is_some() {
        facts.extend(evidence(&finding.witnesses));
    }
    facts
}

/// Who agrees, and what the others see.
fn evidence(witnesses: &[Witness]) -> Option<Fact> {
    let agreeing: Vec<_> = witnesses
        .iter()
        .filter(|witness| witness.agrees)
        .map(|witness| word(&witness.kind))
        .collect();
    let others = witnesses.iter().filter(|witness| !witness.agrees);
    let others = others.map(|witness| {
        let period = human::duration(witness.period.get());
        format!("{} sees {period}", word(&witness.kind))
    });
    let agree = match agreeing.len() {
        0 => None,
        1 => Some(format!("{} agrees", agreeing[0])),
        _ => Some(format!("{} agree", agreeing.join(", "))),
    };
    let text: Vec<_> = agree.into_iter().chain(others).collect();
    (!text.is_empty()).then(|| ("evidence", text.join("; ")))
}

/// The rhythm whose phases are marked.
fn rhythm_of(answer: &Answer) -> Option<&Rhythm> {
    match answer {
        Answer::Ours(finding) => finding.main(),
        Answer::Ftio(_) => None,
    }
}

/// What is known of the rhythm that moves most data.
fn rhythm(main: &Rhythm, analysed: &Analysed, style: Style) -> Vec<Fact> {
    vec![
        ("phases", phases(main, style)),
        ("moved", moved(main, analysed.bytes, style)),
        ("jitter", words::jitter(main)),
        ("next phase", next_phase(main, clock(analysed))),
    ]
}

fn phases(main: &Rhythm, style: Style) -> String {
    if main.phases.is_empty() {
        return "no single one stands out".to_owned();
    }
    let length = human::duration(main.phase_length().get());
    let phases = human::count(main.phases.len() as u64);
    let each = style.bytes(main.bytes_per_phase().get());
    format!("{phases}, each {length} long and {each} on average")
}

fn next_phase(main: &Rhythm, clock: Clock) -> String {
    match &main.next_start {
        Some(next) => {
            let next = clock.short_estimate(next);
            format!("at {next}, had the run gone on")
        }
        None if main.phases.is_empty() => "not known: no single phase is seen".to_owned(),
        None => "none: the rhythm was over before the end".to_owned(),
    }
}

/// What times count from.
fn clock(analysed: &Analysed) -> Clock {
    let signal = analysed.signal.as_ref();
    signal.map_or(Clock::Run, Clock::of_signal)
}

/// What a rhythm moves, and which share of all data that is.
fn moved(rhythm: &Rhythm, all: f64, style: Style) -> String {
    let bytes = rhythm.bytes.get();
    let volume = style.bytes(bytes);
    if all > 0.0 {
        format!(
            "{volume}, {} of all data",
            figures::percent((bytes / all).min(1.0))
        )
    } else {
        volume
    }
}

/// How much periods are alike, in plain words.
fn character(found: &Character, style: Style) -> Fact {
    let rate = found.io_bandwidth.map_or(String::new(), |rate| {
        format!(" at {}/s", style.bytes(rate.get()))
    });
    let text = format!(
        "moves data {} of the time{rate}; volumes vary by {}, times by {} (score {:.2})",
        figures::percent(found.io_time_ratio),
        figures::percent(found.sigma_vol),
        figures::percent(found.sigma_time),
        found.periodicity_score,
    );
    ("character", text)
}

/// What was looked at.
fn sampled(analysed: &Analysed, style: Style) -> Option<Fact> {
    let (start, end, step, len, bytes) = match &analysed.answer {
        Answer::Ftio(finding) => {
            let taken = finding.sampling.as_ref()?;
            let step = 1.0 / taken.rate_hz;
            (
                taken.t_start_s,
                taken.t_end_s,
                step,
                taken.n_samples,
                taken.volume_bytes,
            )
        }
        Answer::Ours(_) => {
            let signal = analysed.signal.as_ref()?;
            let len = signal.samples().len();
            let (start, end) = (signal.start().get(), signal.time(len).get());
            (start, end, signal.step().get(), len, analysed.bytes)
        }
    };
    let clock = clock(analysed);
    let text = format!(
        "{} from {} to {}, {} of {}",
        style.bytes(bytes),
        clock.at(start),
        clock.at(end),
        human::plural(len as u64, "sample"),
        human::duration(step),
    );
    Some(("looked at", text))
}

/// Where the data came from.
fn source(analysed: &Analysed) -> String {
    let source = analysed.origin.source;
    let resolution = analysed
        .origin
        .resolution
        .map_or(String::new(), |resolution| {
            format!(", resolution {}", human::duration(resolution.get()))
        });
    format!("{source} ({}){resolution}", analysed.format)
}

/// Where behaviour changes; nothing where it does not.
fn print_segments(
    out: &mut impl Write,
    segments: &[Segment],
    clock: Clock,
    style: Style,
) -> io::Result<()> {
    if segments.len() < 2 {
        return Ok(());
    }
    writeln!(out, "\n{}", style.bold("behaviour changes"))?;
    let spans: Vec<_> = segments
        .iter()
        .map(|segment| {
            format!(
                "{} to {}",
                clock.at(segment.start.get()),
                clock.at(segment.end.get())
            )
        })
        .collect();
    let width = spans
        .iter()
        .map(|span| span.chars().count())
        .max()
        .unwrap_or(0);
    for (segment, span) in segments.iter().zip(spans) {
        let period = segment
            .period
            .as_ref()
            .map_or("no rhythm".to_owned(), |period| {
                let sure = figures::confidence(segment.confidence);
                format!(
                    "every {} (confidence {sure})",
                    figures::short_estimate(period)
                )
            });
        let bytes = style.bytes(segment.bytes.get());
        writeln!(out, "  {span:<width$}  {bytes:>9}  {period}")?;
    }
    Ok(())
}
