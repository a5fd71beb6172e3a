//! What is asked about a trace, and the answer.

use super::analysed::Answer;
use super::args::{Method, Rate};
use super::figures;
use super::plan::Plan;
use crate::human;
use crate::settings::Settings;
use iotempo_analysis::period::{Detector, PeriodFinding, Verdict};
use iotempo_analysis::{ftio, sampling};
use iotempo_model::{
    Bandwidth, Bytes, Hertz, Interval, MAX_SAMPLES, SamplingError, Seconds, Signal, Trace, Warning,
};

/// What was looked at, and the answer.
pub(super) struct Found {
    pub(super) signal: Option<Signal>,
    pub(super) bytes: Bytes,
    pub(super) answer: Answer,
    pub(super) warnings: Vec<Warning>,
}

/// What is asked about a trace.
pub(super) struct Question<'a> {
    trace: &'a Trace,
    settings: &'a Settings,
    plan: &'a Plan,
    bandwidth: Bandwidth,
}

impl<'a> Question<'a> {
    pub(super) fn new(trace: &'a Trace, settings: &'a Settings, plan: &'a Plan) -> Self {
        Self {
            trace,
            settings,
            plan,
            bandwidth: trace.bandwidth(),
        }
    }

    /// # Errors
    /// Where the samples that are asked for cannot be taken.
    pub(super) fn answer(&self) -> Result<Found, String> {
        let mut part = self.part();
        let mut found = Found {
            signal: self.signal(part)?,
            // Whole numbers of bytes add up exactly; parts of samples do not.
            bytes: self.trace.volume(),
            answer: Answer::Ours(Box::new(nothing())),
            warnings: Vec::new(),
        };
        if self.plan.skip_first {
            self.skip_first(&mut found, &mut part)?;
        }
        match (self.plan.method, &found.signal) {
            (Method::Iotempo, None) => {}
            (Method::Iotempo, Some(signal)) => {
                let finding = detect(&self.plan.detector, self.trace, signal);
                found.warnings.extend(self.rate_warning(signal, &finding));
                found.answer = Answer::Ours(Box::new(finding));
            }
            (Method::Ftio | Method::Paper, _) => {
                let finding = self.ftio(part)?;
                found.warnings.extend(self.ftio_rate_warning(part));
                found.warnings.extend(finding.notes.iter().cloned());
                found.answer = Answer::Ftio(Box::new(finding));
            }
        }
        Ok(found)
    }

    /// Leaves out the first phase.
    fn skip_first(&self, found: &mut Found, part: &mut Option<Interval>) -> Result<(), String> {
        let end = found.signal.as_ref();
        let Some(end) = end.and_then(sampling::end_of_first_phase) else {
            let message = "no pause follows the first phase: it was not skipped";
            found
                .warnings
                .push(Warning::new("nothing-skipped", message));
            return Ok(());
        };
        *part = Some(from(*part, end));
        found.signal = self.signal(*part)?;
        found.bytes = found.signal.as_ref().map_or(Bytes::ZERO, Signal::volume);
        Ok(())
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
    fn signal(&self, part: Option<Interval>) -> Result<Option<Signal>, String> {
        let bandwidth = &self.bandwidth;
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
            Some(Rate::Fixed(rate)) if too_low(rate, window) => {
                return Err(self.too_coarse(rate, window));
            }
            Some(Rate::Fixed(rate)) => sampling::at_rate(bandwidth, rate, window, most),
            Some(Rate::Auto) => sampling::finest(bandwidth, window, most),
            None => sampling::as_recorded(bandwidth, origin, window),
        };
        signal.map(Some).map_err(|error| self.refusal(error))
    }

    /// As FTIO answers.
    fn ftio(&self, part: Option<Interval>) -> Result<ftio::Finding, String> {
        let mut settings = self.plan.ftio.clone();
        if let (Some(part), true) = (part, self.plan.skip_first) {
            (settings.ts, settings.te) = (Some(part.start()), Some(part.end()));
        }
        if let (Some(window), Some(rate)) = (self.ftio_window(part), self.plan.fixed_rate())
            && window.length().get() * rate.get() > self.plan.most_samples() as f64
        {
            let (span, step) = (window.length(), rate.period());
            return Err(self.refusal(SamplingError::TooManySamples { span, step }));
        }
        Ok(settings.detect(self.trace))
    }

    /// FTIO says that the window is too short, where the rate is too low.
    fn ftio_rate_warning(&self, part: Option<Interval>) -> Option<Warning> {
        let (rate, window) = self.plan.fixed_rate().zip(self.ftio_window(part))?;
        let coarse = too_low(rate, window).then(|| self.too_coarse(rate, window))?;
        Some(Warning::new("rate-low", coarse))
    }

    /// From the first event inside to the last.
    fn ftio_window(&self, part: Option<Interval>) -> Option<Interval> {
        sampling::window(&self.bandwidth, None, part)
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
        let highest = most as f64 / span.get();
        let more_memory = match samples <= MAX_SAMPLES as f64 {
            true => {
                let needed = self.plan.memory_limit_gb * samples / most as f64;
                format!(", raise --memory-limit to {}", rounded_up(needed))
            }
            false => String::new(),
        };
        format!(
            "-f {} makes {} samples out of {}, and --memory-limit {} GB allows {}: take -f {} or \
             less{more_memory}, or choose a shorter time with --start and --end",
            figures::significant(1.0 / step.get(), 6),
            human::count(samples.ceil() as u64),
            human::duration(span.get()),
            self.plan.memory_limit_gb,
            human::count(most as u64),
            rounded_down(highest),
        )
    }

    /// Why so few samples show nothing, and what would.
    fn too_coarse(&self, rate: Hertz, window: Interval) -> String {
        let span = window.length();
        let samples = (span.get() * rate.get()).ceil().max(1.0);
        let lowest = rounded_up(FEWEST_SAMPLES / span.get());
        let own = sampling::as_recorded(&self.bandwidth, &self.trace.origin, window);
        let own = own.map_or(String::new(), |own| {
            let step = human::duration(own.step().get());
            format!(" (without -f: {step} a sample)")
        });
        format!(
            "-f {} makes {} out of {}, and nothing can be seen to repeat in fewer than \
             {FEWEST_SAMPLES}: take -f {lowest} or more, or leave it out{own}",
            figures::significant(rate.get(), 6),
            human::plural(samples as u64, "sample"),
            human::duration(span.get()),
        )
    }

    /// What a rate hides that somebody chose, or pretends to show.
    fn rate_warning(&self, signal: &Signal, finding: &PeriodFinding) -> Option<Warning> {
        let Some(Rate::Fixed(rate)) = self.plan.rate else {
            return None;
        };
        let asked = figures::significant(rate.get(), 6);
        let step = signal.step().get();
        let origin = &self.trace.origin;
        if let Some(finest) = origin
            .resolution
            .filter(|finest| step < 0.99 * finest.get())
        {
            let message = format!(
                "-f {asked} takes a sample every {}, but the source has only one every {}: more \
                 than -f {} shows nothing new",
                human::duration(step),
                human::duration(finest.get()),
                rounded_up(1.0 / finest.get()),
            );
            return Some(Warning::new("rate-beyond-source", message));
        }
        let window = Interval::new(signal.start(), signal.time(signal.samples().len())).ok()?;
        let own = sampling::as_recorded(&self.bandwidth, origin, window).ok()?;
        let finer = own.step().get();
        (!finding.is_periodic() && finer < 0.99 * step).then(|| {
            let message = format!(
                "-f {asked} takes a sample every {}, which shows nothing faster than {}; without \
                 it there would be one every {}",
                human::duration(step),
                human::duration(3.0 * step),
                human::duration(finer),
            );
            Warning::new("rate-low", message)
        })
    }
}

/// Fewer samples than this hold nothing that could be seen to repeat.
const FEWEST_SAMPLES: f64 = 6.0;

/// Whether a rate leaves nothing to look at.
fn too_low(rate: Hertz, window: Interval) -> bool {
    let length = window.length().get();
    length > 0.0 && length * rate.get() < FEWEST_SAMPLES - 1.0
}

/// Three digits, not above the number.
fn rounded_down(number: f64) -> String {
    let unit = 10_f64.powf(number.log10().floor() - 2.0);
    figures::significant((number / unit).floor() * unit, 3)
}

/// Three digits, not below the number.
fn rounded_up(number: f64) -> String {
    let unit = 10_f64.powf(number.log10().floor() - 2.0);
    figures::significant((number / unit - 1e-9).ceil() * unit, 3)
}

/// What a detector says about a trace. A single request is one phase, however even its rate.
pub(crate) fn detect(detector: &Detector, trace: &Trace, signal: &Signal) -> PeriodFinding {
    let mut finding = detector.detect(signal);
    if finding.verdict == Verdict::Constant && trace.len() == 1 {
        finding.verdict = Verdict::SinglePhase;
    }
    finding
}

/// From `start` on, to where `part` ends.
fn from(part: Option<Interval>, start: Seconds) -> Interval {
    let end = part.map_or_else(|| Seconds::new(f64::MAX).unwrap_or(start), Interval::end);
    Interval::new(start, end).unwrap_or(Interval::at(start))
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
