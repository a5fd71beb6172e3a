//! What servers moved while jobs ran, asked of a Prometheus.

use super::args::SignatureArgs;
use super::select::Question;
use crate::servers::LogSource;
use iotempo_analysis::runs::looked_at;
use iotempo_formats::{Error, server};
use iotempo_live::{RangeQuery, read_range};
use iotempo_model::{JobRecord, Seconds, ThroughputSink, Warning};
use std::time::Duration;

/// How far apart the values of a Prometheus are, where nobody says.
const STEP_S: f64 = 10.0;

/// So many steps between two jobs are asked for with them: one long question is cheaper than two.
const BRIDGED: f64 = 500.0;

/// Questions about all the time in which jobs ran.
pub(super) struct Queries {
    pub(super) url: String,
    expression: String,
    step: Duration,
    stretches: Vec<[f64; 2]>,
}

impl Queries {
    /// About jobs that may become runs; `None` where no Prometheus is to be asked, or about nothing.
    pub(super) fn new(
        words: &SignatureArgs,
        question: &Question,
        jobs: &[JobRecord],
    ) -> Option<Self> {
        let step = words.clocks.interval.map_or(STEP_S, Seconds::get);
        let ahead = question.clocks_ahead_s;
        let counts = jobs.iter().filter(|job| question.ended_well(job));
        let spans: Vec<[f64; 2]> = counts.filter_map(|job| span(job, step, ahead)).collect();
        let stretches = merged(spans, BRIDGED * step);
        (!stretches.is_empty()).then_some(Self {
            url: words.prometheus.clone()?,
            expression: words.query.clone()?,
            step: Duration::try_from_secs_f64(step).ok()?,
            stretches,
        })
    }

    /// Asks all questions. One that fails is a warning, if there are answers to others.
    pub(super) fn ask(
        &self,
        options: &server::Options,
        sink: &mut dyn ThroughputSink,
    ) -> Result<LogSource, Error> {
        let mut answered: Option<LogSource> = None;
        let mut failed: Vec<([f64; 2], Error)> = Vec::new();
        for &range_s in &self.stretches {
            let query = RangeQuery {
                url: self.url.clone(),
                expression: self.expression.clone(),
                range_s,
                step: self.step,
            };
            match read_range(&query, options, sink) {
                Ok(reading) => {
                    let next = LogSource::of(reading);
                    answered = Some(match answered {
                        Some(before) => before.and(next),
                        None => next,
                    });
                }
                // Who does not answer at all is not asked again and again.
                Err(error) if answered.is_none() && failed.len() >= PATIENCE => return Err(error),
                Err(error) => failed.push((range_s, error)),
            }
        }
        match (answered, failed.pop()) {
            (Some(mut source), Some((range_s, error))) => {
                let message = format!(
                    "{} of {} stretches of time were not answered, the last from {:.0} s to {:.0} s since \
                     1970: {error}",
                    failed.len() + 1,
                    self.stretches.len(),
                    range_s[0],
                    range_s[1],
                );
                source.warnings.push(Warning::new("not-answered", message));
                Ok(source)
            }
            (Some(source), None) => Ok(source),
            (None, Some((_, error))) => Err(error),
            (None, None) => Ok(LogSource::empty()),
        }
    }
}

/// Questions that may fail before the first answer.
const PATIENCE: usize = 3;

/// When a job ran, and what is looked at around it, with a step before and behind, on the clock of servers that are
/// `ahead`.
fn span(job: &JobRecord, step: f64, ahead: f64) -> Option<[f64; 2]> {
    let (start, end) = (job.start_epoch_s?, job.end_epoch_s?);
    let ran = start.is_finite() && end.is_finite() && end - start > step;
    let (from, to) = looked_at((start + ahead, end + ahead), step);
    ran.then_some([from - step, to + step])
}

/// Stretches of time, in order, none closer to the next than `bridged`.
fn merged(mut spans: Vec<[f64; 2]>, bridged: f64) -> Vec<[f64; 2]> {
    spans.sort_by(|a, b| a[0].total_cmp(&b[0]));
    let mut merged: Vec<[f64; 2]> = Vec::new();
    for span in spans {
        match merged.last_mut() {
            Some(last) if span[0] - last[1] <= bridged => last[1] = last[1].max(span[1]),
            _ => merged.push(span),
        }
    }
    merged
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn servers_are_asked_by_their_own_clock() {
        let job = |start: f64, end: f64| JobRecord {
            start_epoch_s: Some(start),
            end_epoch_s: Some(end),
            ..JobRecord::default()
        };
        assert_eq!(
            span(&job(100.0, 900.0), 10.0, 3600.0),
            // As long before it and behind it as a few more than a hundred steps, which is longer than it ran.
            Some([2650.0, 5550.0])
        );
        assert_eq!(span(&job(100.0, 105.0), 10.0, 0.0), None);
        assert_eq!(span(&job(f64::NAN, 105.0), 10.0, 0.0), None);
        assert_eq!(span(&JobRecord::default(), 10.0, 0.0), None);
    }

    #[test]
    fn jobs_close_to_each_other_are_asked_for_together() {
        let spans = vec![
            [5000.0, 5600.0],
            [0.0, 100.0],
            [90.0, 300.0],
            [350.0, 400.0],
        ];
        let expected = [[0.0, 400.0], [5000.0, 5600.0]];
        assert_eq!(merged(spans, 60.0), expected);
        assert!(merged(Vec::new(), 60.0).is_empty());
        // One that was long ago does not make the years since then part of the question.
        let years = vec![[6.3e8, 6.3e8 + 100.0], [1.7e9, 1.7e9 + 100.0]];
        assert_eq!(merged(years, 5000.0).len(), 2);
    }
}
