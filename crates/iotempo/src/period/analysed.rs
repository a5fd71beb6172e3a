//! One log and what was found in it.

use super::args::{Method, Rate};
use super::figures;
use super::plan::Plan;
use crate::failure::{Failure, Unread};
use crate::human;
use crate::inputs::Log;
use crate::settings::Settings;
use iotempo_analysis::character::Character;
use iotempo_analysis::period::{PeriodFinding, Rhythm, Verdict};
use iotempo_analysis::{ftio, sampling};
use iotempo_formats::{Reading, read};
use iotempo_model::{
    Bandwidth, Interval, Origin, SamplingError, Seconds, Selecting, Signal, Trace, TraceBuilder,
    Warning,
};

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
    let mut builder = TraceBuilder::default();
    let mut selecting = Selecting::new(&settings.selection, &mut builder);
    let reading = read(input, &settings.options, &mut selecting);
    let left_out = selecting.warnings();
    let reading = reading.map_err(|error| Unread::of(&name, guessed, &error))?;
    let Reading {
        format,
        origin,
        mut warnings,
        damaged,
        ..
    } = reading;
    let trace = builder.finish(origin, Vec::new());
    warnings.extend(left_out);
    if trace.is_empty() && damaged {
        return Err(Unread::destroyed(&name, "no request of it", &warnings));
    }
    if trace.is_empty() && settings.stated.selects() {
        let selected = settings.stated.selected().unwrap_or_default();
        let message = format!("nothing is left of what is selected: {selected}");
        warnings.push(Warning::new("nothing-left", message));
    }
    let question = Question {
        trace: &trace,
        settings,
        plan,
    };
    let Found {
        signal,
        bytes,
        answer,
    } = question
        .answer(&mut warnings)
        .map_err(|message| Unread::Failed(Failure::new(name.clone(), message)))?;
    let sha256 = sha256
        .finish()
        .map_err(|error| Unread::Failed(Failure::new(name.clone(), error)))?;
    let character = signal.as_ref().and_then(|signal| answer.character(signal));
    Ok(Analysed {
        input: name,
        sha256,
        member,
        format,
        origin: trace.origin,
        damaged,
        warnings,
        signal,
        bytes,
        answer,
        character,
    })
}

/// What was looked at, and the answer.
struct Found {
    signal: Option<Signal>,
    bytes: f64,
    answer: Answer,
}

/// What is asked about a trace.
struct Question<'a> {
    trace: &'a Trace,
    settings: &'a Settings,
    plan: &'a Plan,
}

impl Question<'_> {
    fn answer(&self, warnings: &mut Vec<Warning>) -> Result<Found, String> {
        let bandwidth = self.trace.bandwidth();
        // Whole numbers of bytes add up exactly; parts of samples do not.
        let mut bytes = self.trace.volume();
        let mut part = self.part();
        let mut signal = self.signal(&bandwidth, part)?;
        if self.plan.skip_first {
            match signal.as_ref().and_then(sampling::end_of_first_phase) {
                Some(end) => {
                    part = Some(from(part, end));
                    signal = self.signal(&bandwidth, part)?;
                    bytes = signal.as_ref().map_or(bytes, Signal::volume);
                }
                None => {
                    let message = "no pause follows the first phase: it was not skipped";
                    warnings.push(Warning::new("nothing-skipped", message));
                }
            }
        }
        let answer = match self.plan.method {
            Method::Iotempo => Answer::Ours(Box::new(match &signal {
                Some(signal) => self.plan.detector.detect(signal),
                None => nothing(),
            })),
            Method::Ftio | Method::Paper => {
                let finding = self.ftio(&bandwidth, part)?;
                warnings.extend(finding.notes.iter().cloned());
                Answer::Ftio(Box::new(finding))
            }
        };
        Ok(Found {
            signal,
            bytes: bytes.get(),
            answer,
        })
    }

    /// The stretch of time that was asked for.
    fn part(&self) -> Option<Interval> {
        let ftio = &self.plan.ftio;
        match self.plan.method {
            Method::Iotempo => self.settings.selection.window,
            Method::Ftio | Method::Paper => {
                let end = ftio.te.or(Seconds::new(f64::MAX))?;
                let start = ftio.ts.or(Seconds::new(f64::MIN))?;
                Interval::new(start, end).ok()
            }
        }
    }

    /// The samples to look at; `None` where there is no time to sample.
    fn signal(
        &self,
        bandwidth: &Bandwidth,
        part: Option<Interval>,
    ) -> Result<Option<Signal>, String> {
        let origin = &self.trace.origin;
        let Some(window) = sampling::window(bandwidth, origin.observed, part) else {
            return Ok(None);
        };
        let most = self.plan.most_samples();
        let rate = self
            .plan
            .rate
            .filter(|_| self.plan.method == Method::Iotempo);
        let signal = match rate {
            Some(Rate::Fixed(rate)) => sampling::at_rate(bandwidth, rate, window, most),
            Some(Rate::Auto) => sampling::finest(bandwidth, window, most),
            None => sampling::as_recorded(bandwidth, origin, window),
        };
        signal.map(Some).map_err(|error| self.refusal(error))
    }

    /// As FTIO answers.
    fn ftio(&self, bandwidth: &Bandwidth, part: Option<Interval>) -> Result<ftio::Finding, String> {
        let mut settings = self.plan.ftio.clone();
        if let (Some(part), true) = (part, self.plan.skip_first) {
            (settings.ts, settings.te) = (Some(part.start()), Some(part.end()));
        }
        if let (Some(window), Some(rate)) = (
            sampling::window(bandwidth, None, part),
            self.plan.fixed_rate(),
        ) && window.length().get() * rate.get() > self.plan.most_samples() as f64
        {
            let (span, step) = (window.length(), rate.period());
            return Err(self.refusal(SamplingError::TooManySamples { span, step }));
        }
        Ok(settings.detect(self.trace))
    }

    /// Why samples cannot be taken, and what to do about it.
    fn refusal(&self, error: SamplingError) -> String {
        let SamplingError::TooManySamples { span, step } = error else {
            return error.to_string();
        };
        let (samples, most) = (span.get() / step.get(), self.plan.most_samples());
        if samples <= most as f64 {
            return error.to_string();
        }
        let (samples, most) = (human::count(samples as u64), human::count(most as u64));
        let rate = figures::significant(1.0 / step.get(), 6);
        format!(
            "{samples} samples ({rate} a second for {}) are more than --memory-limit {} allows \
             ({most}): lower the rate with -f, or choose a shorter time with --start and --end",
            human::duration(span.get()),
            self.plan.memory_limit_gb,
        )
    }
}

/// From `start` on, to where `part` ends.
fn from(part: Option<Interval>, start: Seconds) -> Interval {
    let end = part.map_or_else(|| Seconds::new(f64::MAX).unwrap_or(start), Interval::end);
    Interval::new(start, end).unwrap_or(Interval::at(start))
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

/// What is found where there is nothing.
fn nothing() -> PeriodFinding {
    PeriodFinding {
        verdict: Verdict::Empty,
        rhythms: Vec::new(),
        candidate: None,
        segments: Vec::new(),
        alias: None,
        witnesses: Vec::new(),
    }
}
