//! One log and what was found in it.

use super::held::{Counting, Held};
use super::plan::Plan;
use super::question::Question;
use crate::failure::{Failure, Unread};
use crate::inputs::Log;
use crate::settings::Settings;
use iotempo_analysis::character::Character;
use iotempo_analysis::ftio;
use iotempo_analysis::period::{PeriodFinding, Rhythm};
use iotempo_formats::{Input, Reading, read};
use iotempo_model::{Origin, Seconds, Selecting, Signal, Trace, TraceBuilder, Warning};
use std::fmt;

/// One input and what was found in it.
pub(super) struct Analysed {
    pub(super) input: String,
    pub(super) sha256: Option<String>,
    /// Whether it is one of several in an archive.
    pub(super) member: bool,
    pub(super) format: String,
    pub(super) origin: Origin,
    pub(super) damaged: bool,
    pub(super) warnings: Vec<Warning>,
    /// What was looked at; `None` where nothing moved and nobody says how long.
    pub(super) signal: Option<Signal>,
    /// All that moved in it.
    pub(super) bytes: f64,
    pub(super) answer: Answer,
    /// Our own answer beside FTIO's, where a report shows both.
    pub(super) beside: Option<PeriodFinding>,
    /// The least confidence that is called periodic.
    pub(super) threshold: f64,
    /// All that the input holds, where nothing of it is selected.
    pub(super) unselected: Option<Held>,
    /// How much its periods are alike; `None` where it has none.
    pub(super) character: Option<Character>,
}

/// What was found, by whichever method.
pub(super) enum Answer {
    Ours(Box<PeriodFinding>),
    Ftio(Box<ftio::Finding>),
}

impl Answer {
    pub(super) fn is_periodic(&self) -> bool {
        match self {
            Self::Ours(finding) => finding.is_periodic(),
            Self::Ftio(finding) => finding.is_periodic(),
        }
    }

    /// How much the periods of a signal are alike.
    fn character(&self, signal: &Signal) -> Option<Character> {
        match self {
            Self::Ours(finding) => {
                let main = finding.main()?;
                Character::of(&between_phases(signal, main)?, main.period.value)
            }
            Self::Ftio(finding) => Character::of(signal, Seconds::new(finding.period_s?)?),
        }
    }
}

/// Reads a log and looks for its period.
pub(super) fn analysed(log: Log, settings: &Settings, plan: &Plan) -> Result<Analysed, Unread> {
    let Log {
        name,
        input,
        sha256,
        member,
        guessed,
        ..
    } = log;
    let failed = |message: &dyn fmt::Display| Unread::Failed(Failure::new(name.clone(), message));
    let (reading, mut trace, held) =
        gathered(input, settings).map_err(|error| Unread::of(&name, guessed, &error))?;
    let nothing = trace.is_empty();
    if nothing {
        nothing_left(&name, &reading, settings, &mut trace.warnings)?;
    }
    let found = Question::new(&trace, settings, plan).answer();
    let found = found.map_err(|message| failed(&message))?;
    let sha256 = sha256.finish().map_err(|error| failed(&error))?;
    let character = found.signal.as_ref();
    let character = character.and_then(|signal| found.answer.character(signal));
    trace.warnings.extend(found.warnings);
    Ok(Analysed {
        input: name,
        sha256,
        member,
        format: reading.format,
        origin: trace.origin,
        damaged: reading.damaged,
        warnings: trace.warnings,
        signal: found.signal,
        bytes: found.bytes.get(),
        answer: found.answer,
        beside: found.beside,
        threshold: plan.detector.threshold,
        unselected: (nothing && settings.stated.selects()).then_some(held),
        character,
    })
}

/// The selected part of an input.
fn gathered(
    input: Input,
    settings: &Settings,
) -> Result<(Reading, Trace, Held), iotempo_formats::Error> {
    let mut builder = TraceBuilder::default();
    let mut selecting = Selecting::new(&settings.selection, &mut builder);
    let mut counting = Counting::new(&mut selecting);
    let mut reading = read(input, &settings.options, &mut counting)?;
    let held = counting.held;
    let mut warnings = std::mem::take(&mut reading.warnings);
    warnings.extend(selecting.warnings());
    let trace = builder.finish(reading.origin.clone(), warnings);
    Ok((reading, trace, held))
}

/// Why there is nothing: a selection is a matter of choice, damage is an error.
fn nothing_left(
    name: &str,
    reading: &Reading,
    settings: &Settings,
    warnings: &mut Vec<Warning>,
) -> Result<(), Unread> {
    if settings.stated.selects() {
        let selected = settings.stated.selected().unwrap_or_default();
        let message = format!("nothing is left of what is selected: {selected}");
        warnings.push(Warning::new("nothing-left", message));
    } else if reading.damaged {
        return Err(Unread::destroyed(name, "no request of it", warnings));
    }
    Ok(())
}

/// The signal from halfway between two phases on: phases that come a little early or late then stay
/// in the period that they belong to.
fn between_phases(signal: &Signal, rhythm: &Rhythm) -> Option<Signal> {
    let period = rhythm.period.value.get();
    let pause = (period - rhythm.phase_length().get()).max(0.0);
    let first = rhythm.phases.first()?.start.get() - signal.start().get();
    let cut = (first - pause / 2.0).rem_euclid(period);
    let skipped = (cut / signal.step().get()).round() as usize;
    let samples = signal.samples().get(skipped..)?.to_vec();
    Some(Signal::new(signal.time(skipped), signal.step(), samples))
}
