//! One prediction after the other, and the window of each.

use super::adwin::Adwin;
use super::cusum::Cusum;
use super::intervals::{Interval, Prediction, intervals};
use super::page_hinkley::PageHinkley;
use super::strategy::Strategy;
use crate::ftio::{Finding, Method, Points, Settings, Verdict};
use iotempo_model::Seconds;
use serde::Serialize;
use std::collections::VecDeque;

/// What one prediction says.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Step {
    /// Its number, from 0.
    pub prediction: usize,
    /// Where its window was asked to start. It does at the next event, see the finding.
    pub ts_in_s: f64,
    /// What was found in the window.
    #[serde(flatten)]
    pub finding: Finding,
    /// Where the next window starts, as far as this prediction decides it. The paper keeps periods
    /// before the end of the next window: then it is where they would start if nothing came.
    pub ts_out_s: f64,
    /// How often the dominant frequency was found, as the strategy counts it.
    pub hits: usize,
    /// All predictions so far, merged.
    pub intervals: Vec<Interval>,
}

/// Where a later window starts.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Start {
    /// At a time.
    At(f64),
    /// So long before its end.
    Last(f64),
}

/// Predicts step by step, as FTIO's `predictor` does when told to do so one after the other
/// (`--debounce`).
///
/// A step whose window has no samples changes nothing, as FTIO's process dies of it and the next
/// one finds all as it was. What is kept grows by a few numbers a step.
#[derive(Debug, Clone)]
pub struct Predictor {
    settings: Settings,
    strategy: Strategy,
    k: usize,
    lag: usize,
    start: f64,
    hits: usize,
    decided: VecDeque<Option<Start>>,
    adwin: Adwin,
    cusum: Cusum,
    page_hinkley: PageHinkley,
    flushes: Vec<f64>,
    predictions: Vec<Prediction>,
}

impl Predictor {
    /// FTIO's `-hi` where it is not given.
    pub const HITS: usize = 3;

    /// A predictor that has seen nothing. `hits` is FTIO's `-hi`, the paper's k: how many hits or
    /// steps make the strategy move the window. The start of the window in `settings` is not used.
    #[must_use]
    pub fn new(settings: Settings, strategy: Strategy, hits: usize) -> Self {
        Self {
            settings,
            strategy,
            k: hits.max(1),
            lag: 0,
            start: 0.0,
            hits: 0,
            decided: VecDeque::new(),
            adwin: Adwin::default(),
            cusum: Cusum::default(),
            page_hinkley: PageHinkley::default(),
            flushes: Vec::new(),
            predictions: Vec::new(),
        }
    }

    /// So many predictions start before the last one has ended: what it decides holds for the
    /// window after theirs. With 1 it is the run of the paper's Figure 15.
    #[must_use]
    pub const fn lagging(mut self, predictions: usize) -> Self {
        self.lag = predictions;
        self
    }

    /// The predictions so far.
    #[must_use]
    pub fn predictions(&self) -> &[Prediction] {
        &self.predictions
    }

    /// Looks at the bandwidth so far, flushed at that time where the source says when.
    pub fn step(&mut self, points: &Points, flushed: Option<Seconds>) -> Step {
        self.flushes.extend(flushed.map(Seconds::get));
        self.start = self.start_of_window(points);
        let finding = self.detect(points);
        let mut step = Step {
            prediction: self.predictions.len(),
            ts_in_s: self.start,
            ts_out_s: self.start,
            hits: self.hits,
            intervals: Vec::new(),
            finding,
        };
        if let Some(sampling) = step.finding.sampling {
            let prediction = Prediction {
                frequency_hz: step.finding.dominant_frequency_hz,
                t_start_s: sampling.t_start_s,
                t_end_s: sampling.t_end_s,
            };
            let next = self.decide(&prediction, frequencies(&step.finding));
            step.ts_out_s = resolved(next, self.start, prediction.t_end_s);
            self.decided.push_back(next);
            self.predictions.push(prediction);
        }
        step.hits = self.hits;
        step.intervals = intervals(&self.predictions, self.settings.method);
        step
    }

    fn start_of_window(&mut self, points: &Points) -> f64 {
        let end = points.times().last().copied().unwrap_or(self.start);
        if let Strategy::Length(length) = self.strategy {
            return (end - length.get()).max(0.0);
        }
        let known = self.decided.len() > self.lag;
        let decision = known.then(|| self.decided.pop_front()).flatten();
        resolved(decision.flatten(), self.start, end)
    }

    fn detect(&self, points: &Points) -> Finding {
        let start = match self.settings.method {
            Method::Ftio => rounded(self.start),
            Method::Paper => self.start,
        };
        let settings = Settings {
            // FTIO takes a start of 0 for none.
            ts: Seconds::new(start).filter(|start| start.get() != 0.0),
            ..self.settings.clone()
        };
        settings.detect_points(points)
    }

    /// Where the window after this prediction starts; `None` where this one did.
    fn decide(&mut self, now: &Prediction, frequencies: usize) -> Option<Start> {
        let (end, frequency) = (now.t_end_s, now.frequency_hz);
        let paper = self.settings.method == Method::Paper;
        let moved = match self.strategy {
            Strategy::FrequencyHits if paper => return self.after_hits_of_paper(frequency),
            Strategy::FrequencyHits => Some(self.after_hits(now, frequencies)),
            Strategy::Data => self.after_data(),
            Strategy::Whole | Strategy::Length(_) => None,
            Strategy::Adwin => {
                let change = self.adwin.step(frequency, end);
                change.map(|(_, at)| at_least_a_second(end, Adwin::start(end, at)))
            }
            Strategy::Cusum => {
                let change = self.cusum.step(frequency).zip(frequency);
                let kept = change.map(|(from, to)| Cusum::kept(from, to));
                kept.map(|kept| at_least_a_second(end, (end - kept).max(0.0)))
            }
            Strategy::PageHinkley => {
                let changed = self.page_hinkley.step(frequency);
                changed.then(|| at_least_a_second(end, end))
            }
        };
        // FTIO goes on from the first event that it saw, which its rounding may have moved.
        Some(Start::At(moved.unwrap_or(now.t_start_s)))
    }

    /// `max(t_end − 3/f, 0)` from the hit after the k-th on, else everything: FTIO's three periods
    /// are fixed, and two candidates are no hit.
    fn after_hits(&mut self, now: &Prediction, frequencies: usize) -> f64 {
        self.hits = if frequencies == 1 { self.hits + 1 } else { 0 };
        let adjusted = now.frequency_hz.filter(|_| self.hits > self.k);
        adjusted.map_or(0.0, |frequency| (now.t_end_s - 3.0 / frequency).max(0.0))
    }

    /// After each k dominant frequencies the window is k of the last found periods.
    fn after_hits_of_paper(&mut self, frequency: Option<f64>) -> Option<Start> {
        let frequency = frequency?;
        self.hits = self.hits % self.k + 1;
        (self.hits == self.k).then(|| Start::Last(self.k as f64 / frequency))
    }

    /// From the k-th step on, where the flush or the window of the step before this one ended.
    fn after_data(&mut self) -> Option<f64> {
        let count = self.predictions.len();
        if count < self.k {
            return None;
        }
        let before = count - 1;
        let flush = self.flushes.get(before).copied();
        flush.or_else(|| self.predictions.get(before).map(|p| p.t_end_s))
    }
}

/// The time of a start, where the last window started at `start` and this one ends at `end`.
fn resolved(next: Option<Start>, start: f64, end: f64) -> f64 {
    match next {
        None => start,
        Some(Start::At(time)) => time,
        Some(Start::Last(length)) => (end - length).max(0.0),
    }
}

/// How many frequencies FTIO reports: what it merges with the autocorrelation is one.
fn frequencies(finding: &Finding) -> usize {
    let merged = finding.refined_confidence.is_some();
    match finding.verdict {
        Verdict::Periodic if !merged => finding.candidates.len(),
        _ => usize::from(finding.is_periodic()),
    }
}

/// FTIO hands the start to itself with two decimals.
fn rounded(start: f64) -> f64 {
    format!("{start:.2}").parse().unwrap_or(start)
}

/// What FTIO makes of a start after a change: a window of a second or more, from 0 on.
fn at_least_a_second(end: f64, start: f64) -> f64 {
    let safe = start.min(end - 1.0);
    if safe >= 0.0 {
        safe
    } else {
        (end - 1.0).max(0.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ftio::Rate;
    use iotempo_model::Hertz;

    fn settings(method: Method) -> Settings {
        Settings {
            method,
            freq: Rate::Fixed(Hertz::new(10.0).expect("positive")),
            ..Settings::default()
        }
    }

    /// Writes of 2 s that start at these times.
    fn bursts(starts: &[f64]) -> Points {
        let steps = starts
            .iter()
            .flat_map(|&start| [(start, 1e9), (start + 2.0, 0.0)]);
        let (times, rates) = steps.unzip();
        Points::new(times, rates).expect("in order")
    }

    /// A step after each of these writes.
    fn follow(mut predictor: Predictor, starts: &[f64]) -> Vec<Step> {
        (1..=starts.len())
            .map(|n| predictor.step(&bursts(&starts[..n]), None))
            .collect()
    }

    fn every(period: f64, count: u32) -> Vec<f64> {
        (0..count).map(|i| period * f64::from(i)).collect()
    }

    #[test]
    fn the_paper_keeps_k_periods_after_each_k_hits() {
        let predictor = Predictor::new(settings(Method::Paper), Strategy::FrequencyHits, 3);
        let steps = follow(predictor.lagging(1), &every(8.0, 16));
        let found: Vec<usize> = (0..steps.len())
            .filter(|&i| steps[i].finding.is_periodic())
            .collect();
        let moved: Vec<usize> = (1..steps.len())
            .filter(|&i| steps[i].ts_in_s != steps[i - 1].ts_in_s)
            .collect();
        // What the third hit decides holds from the prediction after next on.
        let decided: Vec<usize> = found.chunks_exact(3).map(|hits| hits[2] + 2).collect();
        let decided: Vec<usize> = decided.into_iter().filter(|&i| i < steps.len()).collect();
        assert!(moved.len() >= 2, "{moved:?}");
        assert_eq!(moved, decided);
        for i in moved {
            let period = steps[i - 2].finding.period_s.expect("a hit");
            let end = steps[i].finding.sampling.expect("samples").t_end_s;
            assert!((end - steps[i].ts_in_s - 3.0 * period).abs() < 1e-9);
        }
    }

    #[test]
    fn the_paper_takes_the_users_k() {
        for k in [2, 4] {
            let predictor = Predictor::new(settings(Method::Paper), Strategy::FrequencyHits, k);
            let steps = follow(predictor, &every(8.0, 16));
            let first = steps
                .iter()
                .find(|step| step.ts_in_s > 0.0)
                .expect("it moves");
            let before = &steps[first.prediction - 1];
            assert_eq!(before.hits, k);
            let period = before.finding.period_s.expect("a hit");
            let end = first.finding.sampling.expect("samples").t_end_s;
            assert!((end - first.ts_in_s - k as f64 * period).abs() < 1e-9);
        }
    }

    #[test]
    fn a_window_of_fixed_length_ends_with_the_data() {
        let length = Seconds::new(30.0).expect("finite");
        let predictor = Predictor::new(settings(Method::Paper), Strategy::Length(length), 3);
        for step in follow(predictor, &every(8.0, 10)) {
            let end = step.finding.sampling.expect("samples").t_end_s;
            assert_eq!(step.ts_in_s, (end - 30.0).max(0.0));
        }
    }

    #[test]
    fn flushes_are_where_data_is_cut_where_they_are_known() {
        let mut predictor = Predictor::new(settings(Method::Ftio), Strategy::Data, 2);
        let starts = every(8.0, 6);
        let next: Vec<f64> = (1..=starts.len())
            .map(|n| {
                let flushed = Seconds::new(8.0 * n as f64 - 1.0);
                predictor.step(&bursts(&starts[..n]), flushed).ts_out_s
            })
            .collect();
        assert_eq!(next, [0.0, 0.0, 15.0, 23.0, 31.0, 39.0]);
    }

    #[test]
    fn a_step_without_samples_changes_nothing() {
        let mut predictor = Predictor::new(settings(Method::Ftio), Strategy::PageHinkley, 3);
        let empty = predictor.step(&Points::default(), None);
        assert_eq!(empty.finding.verdict, Verdict::Empty);
        assert_eq!((empty.ts_out_s, empty.prediction), (0.0, 0));
        let step = predictor.step(&bursts(&every(8.0, 5)), None);
        assert_eq!(step.prediction, 0);
        assert_eq!(predictor.predictions().len(), 1);
    }

    #[test]
    fn starts_are_rounded_as_python_does() {
        for (start, wanted) in [
            (3.167_433_545, 3.17),
            (0.125, 0.12),
            (0.375, 0.38),
            (-1.005, -1.0),
        ] {
            assert_eq!(rounded(start), wanted);
        }
    }
}
