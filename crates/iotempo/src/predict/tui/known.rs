//! What is known of the job that is followed.

use super::watcher::Look;
use iotempo_analysis::online::{Outcome, Prediction, State};
use iotempo_analysis::period::Phase;
use iotempo_live::{Event, Recording, Totals};
use iotempo_model::Seconds;
use std::collections::VecDeque;
use std::time::Instant;

/// Forecasts that are remembered.
const REMEMBERED: usize = 1000;
/// Phases that are marked, at the most.
const MARKED: usize = 4096;

/// What is known of a job.
#[derive(Debug, Clone, Default)]
pub(super) struct Known {
    pub(super) totals: Totals,
    pub(super) recording: Recording,
    pub(super) prediction: Option<Prediction>,
    /// Phases in order of time.
    pub(super) phases: Vec<Phase>,
    /// What came of forecasts; the newest is the last.
    pub(super) outcomes: VecDeque<Outcome>,
    /// Whether the source was written anew, and this is only what came since.
    pub(super) anew: bool,
    /// Whether there will be no more.
    pub(super) ended: bool,
    /// The end of the newest data, in seconds, where it came after the last prediction.
    pub(super) fresh: Option<f64>,
    /// The last thing that a person should know about the source.
    pub(super) warning: Option<String>,
    /// The job's time, and when it was that.
    clock: Option<(f64, Instant)>,
}

impl Known {
    /// Takes in what a look at the source brought.
    pub(super) fn learn(&mut self, look: Look) {
        // Looks that bring nothing are not told of, those that bring data alone are.
        let fresh = matches!(look.event, Event::Nothing);
        match look.event {
            Event::Nothing => {}
            Event::Anew => {
                *self = Self {
                    anew: true,
                    ..Self::default()
                };
            }
            Event::Prediction(prediction) => self.expect(*prediction),
            Event::Ended(prediction) => {
                self.ended = true;
                self.expect(*prediction);
            }
        }
        self.totals = look.totals;
        self.warning = look.warning.or(self.warning.take());
        self.recording = look.recording;
        self.fresh = look.newest.map(Seconds::get).filter(|_| fresh);
        self.clock = look.now.map(|now| (now.get(), look.taken));
    }

    fn expect(&mut self, prediction: Prediction) {
        for outcome in &prediction.outcomes {
            self.outcomes.push_back(*outcome);
            if self.outcomes.len() > REMEMBERED {
                self.outcomes.pop_front();
            }
        }
        if let Some(first) = prediction.past.first() {
            // A later look knows better where phases begin.
            let before = |phase: &Phase| phase.end <= first.start;
            let kept = self.phases.partition_point(before);
            self.phases.truncate(kept);
            self.phases.extend_from_slice(&prediction.past);
            let many = self.phases.len().saturating_sub(MARKED);
            self.phases.drain(..many);
        }
        self.prediction = Some(prediction);
    }

    /// The job's time, in seconds; `None` before its first request. It stands still when the job has ended.
    pub(super) fn now(&self, at: Instant) -> Option<f64> {
        let (then, taken) = self.clock?;
        let last = self.prediction.as_ref();
        if let Some(last) = last.filter(|last| last.state == State::Ended && self.fresh.is_none()) {
            return Some(last.at.get());
        }
        let since = at.saturating_duration_since(taken).as_secs_f64();
        Some(if self.ended { then } else { then + since })
    }
}
