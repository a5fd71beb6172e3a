//! What is asked about a trace, and the answer.

use super::analysed::Answer;
use super::args::{Method, Rate};
use super::plan::Plan;
use super::rates::Chosen;
use crate::settings::Settings;
use iotempo_analysis::period::{Detector, PeriodFinding, Verdict};
use iotempo_analysis::{ftio, sampling};
use iotempo_model::{Bandwidth, Bytes, Interval, SamplingError, Seconds, Signal, Trace, Warning};

/// What was looked at, and the answer.
pub(super) struct Found {
    pub(super) signal: Option<Signal>,
    pub(super) bytes: Bytes,
    pub(super) answer: Answer,
    /// Our own answer beside FTIO's, where a report shows both.
    pub(super) beside: Option<PeriodFinding>,
    pub(super) warnings: Vec<Warning>,
}

/// What is asked about a trace.
pub(super) struct Question<'a> {
    pub(super) trace: &'a Trace,
    settings: &'a Settings,
    pub(super) plan: &'a Plan,
    pub(super) bandwidth: Bandwidth,
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
            beside: None,
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
                found
                    .warnings
                    .extend(self.ftio_rate_warning(&finding, part));
                found.warnings.extend(finding.notes.iter().cloned());
                found.bytes = self.ftio_bytes(&finding, &found);
                let shown = found.signal.as_ref();
                let shown = shown.filter(|_| self.plan.shown.report.is_some());
                found.beside = shown.map(|signal| detect(&self.plan.detector, self.trace, signal));
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
            Some(Rate::Fixed(rate)) if Chosen::Asked(rate).too_low(window) => {
                return Err(self.too_coarse(Chosen::Asked(rate), window));
            }
            Some(Rate::Fixed(rate)) => sampling::at_rate(bandwidth, rate, window, most),
            Some(Rate::Auto) => sampling::finest(bandwidth, window, most),
            None => sampling::as_recorded(bandwidth, origin, window),
        };
        signal.map(Some).map_err(|error| match (error, rate) {
            (SamplingError::TooManySamples { .. }, Some(Rate::Fixed(rate))) => {
                self.too_fine(Chosen::Asked(rate), window)
            }
            _ => error.to_string(),
        })
    }

    /// As FTIO answers.
    fn ftio(&self, part: Option<Interval>) -> Result<ftio::Finding, String> {
        let mut settings = self.plan.ftio.clone();
        if let (Some(part), true) = (part, self.plan.skip_first) {
            (settings.ts, settings.te) = (Some(part.start()), Some(part.end()));
        }
        if let (Some(window), Some(chosen)) = (self.ftio_window(part), self.ftio_rate())
            && chosen.samples(window) > self.plan.most_samples() as f64
        {
            return Err(self.too_fine(chosen, window));
        }
        Ok(settings.detect(self.trace))
    }

    /// What moved in the part that was asked for; FTIO counts from event to event.
    fn ftio_bytes(&self, finding: &ftio::Finding, found: &Found) -> Bytes {
        let sampled = finding.sampling.map(|sampling| sampling.volume_bytes);
        let whole = self.plan.ftio.ts.or(self.plan.ftio.te).is_none() && !self.plan.skip_first;
        match sampled.and_then(Bytes::new) {
            Some(bytes) => bytes,
            None if whole => found.bytes,
            None => found.signal.as_ref().map_or(Bytes::ZERO, Signal::volume),
        }
    }

    /// From the first event inside to the last.
    pub(super) fn ftio_window(&self, part: Option<Interval>) -> Option<Interval> {
        sampling::window(&self.bandwidth, None, part)
    }
}

/// What a detector says about a trace. What fills its window is one phase, however even its rate,
/// where it is a single request or the window is no longer than the requests: nobody knows whether
/// it had gone on before and after.
pub(crate) fn detect(detector: &Detector, trace: &Trace, signal: &Signal) -> PeriodFinding {
    let mut finding = detector.detect(signal);
    let unwatched = trace.len() == 1 || trace.origin.observed.is_none();
    if finding.verdict == Verdict::Constant && unwatched {
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
