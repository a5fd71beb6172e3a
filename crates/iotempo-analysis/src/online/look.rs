//! What is seen of a job in a window.

use super::known::is_alive;
use super::window::{Settings, Window};
use crate::period::{Rhythm, Verdict};
use crate::sampling;
use iotempo_model::{Bandwidth, Interval, Origin, Seconds, Signal};

/// A rhythm in a stretch of the past is believed with so many phases, and so surely: of many stretches,
/// one is regular by chance. In ten hours of random bursts that is once or twice at 0.95, and five times
/// at 0.9.
const PHASES: usize = 5;
const SURELY: f64 = 0.95;

/// How a job is looked at.
pub(super) struct Eyes<'a> {
    pub(super) settings: &'a Settings,
    pub(super) origin: &'a Origin,
    /// Whether not all of the past is remembered.
    pub(super) forgetful: bool,
}

/// What was seen in a window.
pub(super) struct Look {
    pub(super) window: Interval,
    pub(super) verdict: Verdict,
    pub(super) rhythms: Vec<Rhythm>,
    /// What is seen sets in here, after something else.
    pub(super) sets_in: Option<Seconds>,
}

impl Look {
    pub(super) fn repeats(&self, now: Seconds) -> bool {
        self.alive(now).is_some()
    }

    /// The first rhythm that may go on.
    pub(super) fn alive(&self, now: Seconds) -> Option<&Rhythm> {
        self.rhythms.iter().find(|rhythm| is_alive(rhythm, now))
    }

    /// Whether what is alive was seen often and surely enough.
    pub(super) fn is_sure(&self, now: Seconds) -> bool {
        self.alive(now)
            .is_some_and(|rhythm| rhythm.phases.len() >= PHASES && rhythm.confidence >= SURELY)
    }
}

impl Eyes<'_> {
    pub(super) fn seen(
        &self,
        bandwidth: &Bandwidth,
        part: Option<Interval>,
        most: usize,
    ) -> Option<Look> {
        let window = sampling::window(bandwidth, None, part)?;
        let signal = self.sampled(bandwidth, window, most)?;
        let finding = self.settings.detector.detect(&signal);
        Some(Look {
            window,
            verdict: finding.verdict,
            rhythms: finding.rhythms,
            sets_in: None,
        })
    }

    /// As an analysis after the run would see it where all is asked for, until something was forgotten or
    /// that takes too many samples; else in a few.
    fn sampled(&self, bandwidth: &Bandwidth, window: Interval, most: usize) -> Option<Signal> {
        let length = window.length().get();
        let whole = self.settings.window == Window::All && !self.forgetful;
        let most = if whole { sampling::STEPS } else { most } as f64;
        let own = self.origin.resolution.map(Seconds::get);
        if own.map_or(whole, |step| length / step <= most) {
            let origin = Origin {
                observed: Some(window),
                ..self.origin.clone()
            };
            return sampling::as_recorded(bandwidth, &origin, window).ok();
        }
        let step = match own.filter(|step| *step > 0.0) {
            Some(own) => own * (length / most / own).ceil(),
            None => sampling::own_step(bandwidth, window)
                .map_or(0.0, Seconds::get)
                .max(length / most),
        };
        bandwidth
            .sample_window(window.start(), window.end(), Seconds::new(step)?)
            .ok()
    }
}
