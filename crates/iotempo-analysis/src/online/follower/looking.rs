//! Where a follower looks.

use super::{Follower, LONG};
use crate::online::known::{Known, before_gap, is_alive, is_same};
use crate::online::look::{Eyes, Look};
use crate::online::window::Window;
use crate::period::Rhythm;
use iotempo_model::{Interval, Seconds};

/// Samples that one look takes at the most, unless all of the past is to be looked at as an analysis
/// after the run would.
const SAMPLES: usize = 1 << 12;

/// The same of a look at a stretch of the past: there are some of them, and each has few periods. It is enough for
/// a rhythm of so few seconds, too, which is looked at all the time: a phase begins within some 60 ms then.
const FEWER_SAMPLES: usize = 1 << 10;
const FAST: f64 = 4.0;

/// What is looked at after a change begins this share of a period before the last phase that was on time.
const MARGIN: f64 = 0.05;

/// What was before a change is remembered for this many times as long as the time since, and for a while.
const KEPT: f64 = 3.0;

impl Follower {
    /// Looks at what is remembered while that repeats or did until now, else at what may repeat in it.
    pub(super) fn look(&mut self, end: Seconds, now: Seconds) -> Option<Look> {
        if self.settings.window == Window::All {
            return self.eyes().seen(&self.history.bandwidth(), None, SAMPLES);
        }
        let known = self.history.known()?;
        self.forget_old_change(known);
        if self.known.is_none() && self.tail.is_none() {
            return self.search(known, now);
        }
        let bandwidth = match self.since {
            Some(since) => self.history.bandwidth_after(since),
            None => self.history.bandwidth(),
        };
        let fast = |known: Known| known.period.get() < FAST;
        let most = match self.known {
            Some(known) if fast(known) => FEWER_SAMPLES,
            _ => SAMPLES,
        };
        let all = self.eyes().seen(&bandwidth, None, most)?;
        self.notice_change(&all.rhythms, now);
        if let Some(slower) = self.slower(known, now) {
            return Some(slower);
        }
        let Some(tail) = self.tail else {
            return Some(all);
        };
        let after = Interval::new(tail, end).ok();
        let after = after.and_then(|window| self.eyes().seen(&bandwidth, Some(window), SAMPLES));
        let after = after.filter(|look| look.repeats(now));
        Some(
            after
                .or_else(|| self.resumed(tail, end, now))
                .unwrap_or(all),
        )
    }

    /// Looks at what came after the longest pause since a change: a job that goes on as before after a pause
    /// has the last phase before it in the way. Few phases are enough for what was known before.
    fn resumed(&self, tail: Seconds, end: Seconds, now: Seconds) -> Option<Look> {
        let start = self.history.resumed_after(tail)?;
        let window = Interval::new(start, end).ok()?;
        let bandwidth = self.history.bandwidth_after(start);
        let mut look = self.eyes().seen(&bandwidth, Some(window), FEWER_SAMPLES)?;
        let as_before = |rhythm: &Rhythm| {
            is_alive(rhythm, now) && self.believed.is_some_and(|period| is_same(rhythm, period))
        };
        let goes_on = look.rhythms.iter().any(as_before);
        (goes_on || look.is_sure(now)).then(|| {
            look.sets_in = Some(start);
            look
        })
    }

    /// A change that is longer ago than what is known of the time before it is none any more.
    fn forget_old_change(&mut self, known: Interval) {
        let Some(tail) = self.tail.filter(|_| self.known.is_none()) else {
            return;
        };
        let looked_at = known.end() - self.since.unwrap_or(known.start());
        if 2.0 * (known.end() - tail).get() > looked_at.get() {
            self.tail = None;
            self.changed_at = Some(tail);
            // What seemed to change may be the phases of something slower.
            let before = LONG.max(KEPT * (known.end() - tail).get());
            self.history
                .forget_before(tail - Seconds::new(before).unwrap_or_default());
        }
    }

    /// Looks at longer stretches than what is known repeats in, where something larger happened before.
    fn slower(&mut self, remembered: Interval, now: Seconds) -> Option<Look> {
        let since = self.since.filter(|since| *since > remembered.start())?;
        let known = self.known?;
        for window in self.stretches.due(remembered) {
            if window.start() > since {
                break;
            }
            let bandwidth = self.history.bandwidth_after(window.start());
            let look = self.eyes().seen(&bandwidth, Some(window), FEWER_SAMPLES);
            let slower = |look: &Look| {
                let sure = look.alive(now).filter(|_| look.is_sure(now));
                sure.is_some_and(|rhythm| known.gives_way_to(rhythm))
            };
            if let Some(look) = look.filter(slower) {
                self.since = Some(window.start());
                self.tail = None;
                return Some(look);
            }
        }
        None
    }

    /// Looks for a rhythm where none is known: in all that is remembered, and in the last stretches.
    fn search(&mut self, known: Interval, now: Seconds) -> Option<Look> {
        self.since = None;
        let due = self.stretches.due(known);
        let mut seen = None;
        if self.stretches.all_is_due(known) || due.is_empty() {
            let all = self.eyes().seen(&self.history.bandwidth(), None, SAMPLES)?;
            self.verdict = all.verdict;
            if all.repeats(now) {
                return Some(all);
            }
            // What was before the last change may hide what is now.
            let since = self.changed_at;
            let since = since.and_then(|since| Interval::new(since, known.end()).ok());
            let after = since.and_then(|window| {
                let bandwidth = self.history.bandwidth_after(window.start());
                self.eyes().seen(&bandwidth, Some(window), SAMPLES)
            });
            if let Some(mut after) = after.filter(|look| look.repeats(now)) {
                after.sets_in = Some(after.window.start());
                return Some(after);
            }
            let resumed = self.resumed(known.start(), known.end(), now);
            if resumed.is_some() {
                return resumed;
            }
            seen = Some(all);
        }
        for window in due {
            let bandwidth = self.history.bandwidth_after(window.start());
            let look = self.eyes().seen(&bandwidth, Some(window), FEWER_SAMPLES);
            if let Some(mut look) = look.filter(|look| look.is_sure(now)) {
                look.sets_in = look.rhythms[0].phases.first().map(|phase| phase.start);
                return Some(look);
            }
        }
        Some(seen.unwrap_or(Look {
            window: known,
            verdict: self.verdict,
            rhythms: Vec::new(),
            sets_in: None,
        }))
    }

    fn eyes(&self) -> Eyes<'_> {
        Eyes {
            settings: &self.settings,
            origin: &self.origin,
            forgetful: self.history.has_forgotten(),
        }
    }

    /// A phase that was due and did not come is where a change may have begun.
    fn notice_change(&mut self, rhythms: &[Rhythm], now: Seconds) {
        let Some(known) = &self.known else {
            return;
        };
        let same = rhythms.iter().find(|rhythm| is_same(rhythm, known.period));
        let last = match same {
            None => Some(known.last.start),
            Some(rhythm) => {
                // Where a phase begins is known to a sample here.
                let half = Seconds::new(0.5 * known.period.get()).unwrap_or_default();
                before_gap(rhythm, known.last.start - half, now)
            }
        };
        if let (Some(last), None) = (last, self.tail) {
            // Where a phase begins is known to a sample.
            let margin = Seconds::new(MARGIN * known.period.get());
            self.tail = Some(last - margin.unwrap_or_default());
        }
    }
}
