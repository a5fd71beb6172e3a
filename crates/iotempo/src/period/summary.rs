//! One input at length.

use super::analysed::{Analysed, Answer};
use super::result::word;
use super::{chart, figures, ftio_summary};
use crate::human;
use crate::settings::Stated;
use crate::style::Style;
use iotempo_analysis::character::Character;
use iotempo_analysis::period::{Alias, PeriodFinding, Rhythm, Segment, Witness};
use iotempo_report::chart::Glyphs;
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
    writeln!(out, "  {}\n", dressed_headline(&analysed.answer, style))?;
    if let Some((signal, glyphs)) = analysed.signal.as_ref().zip(glyphs) {
        chart::print(out, signal, rhythm_of(&analysed.answer), (style, glyphs))?;
    }
    let facts = all_facts(analysed, stated, style);
    let width = facts.iter().map(|(key, _)| key.len()).max().unwrap_or(0);
    for (key, value) in facts {
        writeln!(out, "  {key:<width$}  {}", human::printable(&value))?;
    }
    if let Answer::Ours(finding) = &analysed.answer {
        print_segments(out, &finding.segments, style)?;
        if let Some(alias) = &finding.alias {
            writeln!(out)?;
            prose(out, &alias_note(alias), style)?;
        }
    }
    if !analysed.warnings.is_empty() {
        writeln!(out, "\n{}", style.bold("warnings"))?;
    }
    for warning in &analysed.warnings {
        prose(out, &human::printable(&warning.to_string()), style)?;
    }
    Ok(())
}

fn dressed_headline(answer: &Answer, style: Style) -> String {
    let headline = match answer {
        Answer::Ours(finding) => headline(finding),
        Answer::Ftio(finding) => ftio_summary::headline(finding),
    };
    if answer.is_periodic() {
        style.green(&headline)
    } else {
        style.bold(&headline)
    }
}

fn all_facts(analysed: &Analysed, stated: &Stated, style: Style) -> Vec<Fact> {
    let mut facts = match &analysed.answer {
        Answer::Ours(finding) => facts(finding, analysed.bytes, style),
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

/// The answer in a sentence.
fn headline(finding: &PeriodFinding) -> String {
    if let Some(main) = finding.main() {
        let (period, sure) = (figures::estimate(&main.period), main.confidence);
        return format!(
            "repeats every {period} (confidence {})",
            figures::confidence(sure)
        );
    }
    let guess = finding.candidate.as_ref().map_or(String::new(), |guess| {
        let period = figures::short_estimate(&guess.period);
        format!(
            " (best guess {period}, {})",
            figures::confidence(guess.confidence)
        )
    });
    format!("not periodic: {}{guess}", finding.verdict)
}

fn facts(finding: &PeriodFinding, all: f64, style: Style) -> Vec<Fact> {
    let mut facts = Vec::new();
    if let Some(main) = finding.main() {
        facts.extend(rhythm(main, all, style));
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
fn rhythm(main: &Rhythm, all: f64, style: Style) -> Vec<Fact> {
    let length = human::duration(main.phase_length().get());
    let phases = human::count(main.phases.len() as u64);
    let each = style.bytes(main.bytes_per_phase().get());
    let mut facts = vec![
        (
            "phases",
            format!("{phases}, each {length} long and {each} on average"),
        ),
        ("moved", moved(main, all, style)),
    ];
    if let Some(jitter) = main.jitter {
        let share = figures::percent(jitter);
        let jitter = human::duration(jitter * main.period.value.get());
        let text = format!("{jitter} from start to start, {share} of the period");
        facts.push(("jitter", text));
    }
    facts.extend(main.next_start.as_ref().map(|next| {
        let next = figures::short_estimate(next);
        ("next phase", format!("at {next}, had the run gone on"))
    }));
    facts
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
    let text = format!(
        "{} from {} to {}, {} of {}",
        style.bytes(bytes),
        time(start),
        time(end),
        human::plural(len as u64, "sample"),
        human::duration(step),
    );
    Some(("looked at", text))
}

/// A point in time, to the millisecond.
fn time(seconds: f64) -> String {
    let rounded = (seconds * 1e3).round() / 1e3;
    human::instant(if rounded.is_finite() {
        rounded
    } else {
        seconds
    })
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
fn print_segments(out: &mut impl Write, segments: &[Segment], style: Style) -> io::Result<()> {
    if segments.len() < 2 {
        return Ok(());
    }
    writeln!(out, "\n{}", style.bold("behaviour changes"))?;
    let spans: Vec<_> = segments
        .iter()
        .map(|segment| {
            format!(
                "{} to {}",
                time(segment.start.get()),
                time(segment.end.get())
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

fn alias_note(alias: &Alias) -> String {
    let [one, other] = alias.could_be.map(|period| human::duration(period.get()));
    format!(
        "the period of {} lies too close to the step of the samples ({}): a faster one of {one} or \
         {other} would look the same",
        human::duration(alias.apparent.get()),
        human::duration(alias.step.get()),
    )
}
