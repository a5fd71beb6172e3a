//! From what was found to an answer in seconds and bytes.

use super::alias::{self, UNRESOLVED};
use super::bursts::Burst;
use super::choice::{self, Found};
use super::detector::Testimony;
use super::finding::{
    Alias, Estimate, PeriodFinding, Phase, Rhythm, Verdict, Witness, WitnessKind,
};
use super::numbers::deviation;
use super::rhythm::distances;
use super::segments;
use iotempo_model::{Bytes, Seconds, Signal};

/// An answer being put together.
pub(super) struct Answer<'a> {
    signal: &'a Signal,
    heard: &'a Testimony,
}

impl<'a> Answer<'a> {
    pub(super) fn new(signal: &'a Signal, heard: &'a Testimony) -> Self {
        Self { signal, heard }
    }

    pub(super) fn finding(&self, threshold: f64) -> PeriodFinding {
        let mut finding = PeriodFinding::without(self.why_not());
        let found = choice::found(self.heard);
        let too_fast = |one: &Found| one.period < UNRESOLVED && one.confidence >= threshold;
        let too_fast = found.first().is_some_and(too_fast);
        let (periodic, other): (Vec<_>, Vec<_>) = found
            .into_iter()
            .partition(|found| found.regular && found.confidence >= threshold);
        if periodic.is_empty() {
            finding.candidate = other.first().map(|found| self.rhythm(found));
            if too_fast {
                finding.verdict = Verdict::TooFast;
            } else if other.first().is_some_and(|found| found.regular) {
                finding.verdict = Verdict::TooUnsure;
            }
        } else {
            finding.verdict = Verdict::Periodic;
            finding.rhythms = periodic.iter().map(|found| self.rhythm(found)).collect();
            let weight = |rhythm: &Rhythm| self.weight(rhythm);
            finding
                .rhythms
                .sort_by(|a, b| weight(b).total_cmp(&weight(a)));
        }
        finding.segments = segments::segments(self.signal, &self.heard.moved, &finding.rhythms);
        finding.alias = self.alias(finding.best());
        finding.witnesses = self.witnesses(finding.best());
        finding
    }

    fn why_not(&self) -> Verdict {
        let bursts = &self.heard.bursts;
        let active: f64 = bursts.iter().map(|burst| burst.length()).sum();
        // A signal that hardly ever rests has no phases to count.
        if active > 0.8 * self.heard.samples.len() as f64 {
            return Verdict::NoRepetition;
        }
        match bursts.len() {
            0 => Verdict::NoRepetition,
            1 => Verdict::SinglePhase,
            2 => Verdict::TooFewPhases,
            _ => Verdict::Irregular,
        }
    }

    fn rhythm(&self, found: &Found) -> Rhythm {
        let phases = self.phases(&found.phases);
        let bytes: f64 = phases.iter().map(|phase| phase.bytes.get()).sum();
        Rhythm {
            period: self.estimate(found.period, found.error),
            confidence: found.confidence,
            jitter: found.spread.map(|spread| spread / found.period),
            next_start: self.next_start(found),
            phases,
            bytes: Bytes::new(bytes.min(f64::MAX)).unwrap_or_default(),
        }
    }

    /// The bytes that phases moved beyond their share of the time: those of a weak wave take half of the time,
    /// and have half of all bytes.
    fn weight(&self, rhythm: &Rhythm) -> f64 {
        let all = self.heard.samples.len() as f64;
        let lengths = rhythm
            .phases
            .iter()
            .map(|phase| (phase.end - phase.start).get());
        let share = lengths.sum::<f64>() / (all * self.signal.step().get());
        rhythm.bytes.get() - share * self.heard.moved.bytes(0.0, all).get()
    }

    /// Phases with their bytes. All that moves in the first and the last sample of a phase is its
    /// own, wherever in them it begins and ends; of a sample that two phases share, the first has all.
    fn phases(&self, bursts: &[Burst]) -> Vec<Phase> {
        let mut reached: f64 = 0.0;
        let phase = |burst: &Burst| {
            let (from, to) = (burst.start.floor().max(reached), burst.end.ceil());
            reached = to;
            Phase {
                start: self.signal.start() + self.length(burst.start),
                end: self.signal.start() + self.length(burst.end),
                bytes: self.heard.moved.bytes(from, to),
            }
        };
        bursts.iter().map(phase).collect()
    }

    /// The first instant from the end of the signal on at which a phase is due. Those that are due before
    /// may be late, or something bigger hid them; a rhythm that has missed more than two is over.
    fn next_start(&self, found: &Found) -> Option<Estimate> {
        let end = self.heard.samples.len() as f64;
        let last = found.phases.last()?.start;
        let of_phases = || deviation(&distances(&found.phases));
        let spread = found.spread.unwrap_or_else(of_phases);
        // Errors of the period add up, deviations add up as their squares, and a start is known to
        // a sample.
        let error = |k: f64| (k * found.error).hypot(2.0 * k.sqrt() * spread).hypot(1.0);
        const MISSED: i32 = 2;
        let mut due = (1..=1 + MISSED).map(|k| {
            let k = f64::from(k);
            (last + k * found.period, error(k))
        });
        let (next, error) = due.find(|(next, error)| next + error >= end)?;
        let time = |at: f64| self.signal.start() + self.length(at.max(end));
        Some(Estimate {
            value: time(next),
            low: time(next - error),
            high: time(next + error),
        })
    }

    fn length(&self, samples: f64) -> Seconds {
        Seconds::new(samples * self.signal.step().get()).unwrap_or_default()
    }

    fn estimate(&self, value: f64, error: f64) -> Estimate {
        Estimate {
            value: self.length(value),
            low: self.length((value - error).max(0.0)),
            high: self.length(value + error),
        }
    }

    /// A period, or steps inside phases, that faster ones would look like.
    fn alias(&self, best: Option<&Rhythm>) -> Option<Alias> {
        let step = self.signal.step();
        let period = best.map(|best| best.period.value.get() / step.get());
        if let Some(period) = period.filter(|period| *period < UNRESOLVED) {
            return alias::of(period, step);
        }
        let samples = self.heard.samples.len() as f64;
        let repetitions = period.map_or(1.0, |period| samples / period);
        let fast = alias::fast_line(&self.heard.lines, repetitions)?;
        // The harmonics of a period are its own.
        let harmonic = |period: f64| {
            let ratio = period / fast;
            ratio < 6.5 && (ratio - ratio.round()).abs() < 0.05
        };
        alias::of(fast, step).filter(|_| !period.is_some_and(harmonic))
    }

    fn witnesses(&self, best: Option<&Rhythm>) -> Vec<Witness> {
        let heard = self.heard;
        let step = self.signal.step().get();
        let best = best.map(|best| best.period.value.get() / step);
        let spacing = [&heard.even, &heard.spacing].into_iter().flatten();
        let spacing = spacing.min_by(|a, b| a.p_value().total_cmp(&b.p_value()));
        let trains = heard.volume.as_ref().into_iter().chain(spacing);
        let trains = trains.map(|train| (train.kind, train.regularity.period, train.p_value()));
        let line = heard
            .line
            .map(|line| (WitnessKind::Spectrum, line.period, line.p_value()));
        let resemblance = best
            .and_then(|period| heard.mirror.at(period))
            .map(|found| (WitnessKind::Autocorrelation, found.lag, found.p_value));
        let agrees = |period: f64| best.is_some_and(|best| (period / best - 1.0).abs() < 0.05);
        trains
            .chain(line)
            .chain(resemblance)
            .map(|(kind, period, p_value)| Witness {
                kind,
                period: self.length(period),
                p_value,
                // A resemblance is only looked for near the answer.
                agrees: agrees(period) && (kind != WitnessKind::Autocorrelation || p_value < 0.05),
            })
            .collect()
    }
}
