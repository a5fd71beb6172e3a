//! From what was told of a job to somebody who goes on following it.

use crate::journal::JobPast;
use crate::view::Figures;
use iotempo_analysis::online::{Accuracy, NextPhase, Past, PastRhythm};
use iotempo_analysis::period::Estimate;
use iotempo_model::{Bytes, Interval, Seconds};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// What the last predictions of a job tell; `None` where there are none.
pub(crate) fn past(job: &JobPast) -> Option<Past> {
    let told = &job.told;
    let last = &told.back()?.figures;
    let seconds = |value: Option<f64>| value.and_then(Seconds::new);
    let window = seconds(last.window_start_s).zip(seconds(last.window_end_s));
    let accuracy = last.accuracy;
    Some(Past {
        number: last.number,
        at: Seconds::new(last.at_s)?,
        window: window.and_then(|(start, end)| Interval::new(start, end).ok()),
        rhythm: rhythm(last),
        changed_at: seconds(last.changed_at_s),
        accuracy: Accuracy {
            judged: accuracy.judged,
            missed: accuracy.missed,
            within: accuracy.within_interval,
            mean_error_s: accuracy.mean_error_s,
            mean_error: accuracy.mean_error_fraction,
            mean_bytes_error: accuracy.mean_bytes_error_fraction,
        },
        ended: told.back()?.has_ended(),
        returned: job.returned,
        periods: told
            .iter()
            .map(|told| seconds(told.figures.period_s))
            .collect(),
    })
}

fn rhythm(last: &Figures) -> Option<PastRhythm> {
    let seconds = |value: Option<f64>| value.and_then(Seconds::new);
    let bytes = |value: Option<f64>| value.and_then(Bytes::new);
    Some(PastRhythm {
        confidence: last.confidence,
        period: seconds(last.period_s).filter(|period| period.get() > 0.0)?,
        jitter: last.jitter_fraction,
        next: NextPhase {
            start: Estimate {
                value: seconds(last.next_start_s)?,
                low: seconds(last.next_start_low_s)?,
                high: seconds(last.next_start_high_s)?,
            },
            length: seconds(last.next_length_s)?,
            bytes: bytes(last.next_bytes)?,
            bytes_range: bytes(last.next_bytes_low).zip(bytes(last.next_bytes_high)),
        },
        overdue: last.state == "overdue",
    })
}

/// How long ago an instant was, by the clock of this machine; 0 where that was set back.
pub(crate) fn ago(epoch_s: f64) -> Duration {
    Duration::try_from_secs_f64(self::epoch_s() - epoch_s).unwrap_or_default()
}

/// Seconds since 1970.
pub(crate) fn epoch_s() -> f64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.map_or(0.0, |since| since.as_secs_f64())
}
