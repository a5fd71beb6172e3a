//! What is shown of a job.

use iotempo_live::{Bars, Recording, Totals};
use iotempo_model::Warning;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Instant;

/// Rates of a sparkline at the most.
const SPARKS: usize = 48;
/// Periods that a sparkline shows.
const SPARK_PERIODS: f64 = 12.0;

/// How a job is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Status {
    /// It moves data.
    Running,
    /// Nothing has come for long.
    Idle,
    /// Its files are there, and cannot be read.
    Unreadable,
    /// All its programs have come to their end.
    Ended,
    /// Its files are not there any more.
    Gone,
}

impl Status {
    pub(crate) const ALL: [Self; 5] = [
        Self::Running,
        Self::Idle,
        Self::Unreadable,
        Self::Ended,
        Self::Gone,
    ];

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Running => "running",
            Self::Idle => "idle",
            Self::Unreadable => "unreadable",
            Self::Ended => "ended",
            Self::Gone => "gone",
        }
    }
}

/// A prediction: its JSON, made once, and the figures of it that are needed here.
#[derive(Debug, Clone)]
pub(crate) struct Told {
    pub(crate) json: Arc<RawValue>,
    pub(crate) figures: Figures,
}

/// Some figures of a prediction, by the names that they have in its JSON.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub(crate) struct Figures {
    pub(crate) number: u64,
    pub(crate) at_s: f64,
    pub(crate) state: String,
    pub(crate) period_s: Option<f64>,
    pub(crate) confidence: f64,
    pub(crate) jitter_fraction: Option<f64>,
    pub(crate) next_start_s: Option<f64>,
    pub(crate) next_start_low_s: Option<f64>,
    pub(crate) next_start_high_s: Option<f64>,
    pub(crate) next_length_s: Option<f64>,
    pub(crate) next_bytes: Option<f64>,
    pub(crate) next_bytes_low: Option<f64>,
    pub(crate) next_bytes_high: Option<f64>,
    pub(crate) window_start_s: Option<f64>,
    pub(crate) window_end_s: Option<f64>,
    pub(crate) changed_at_s: Option<f64>,
    pub(crate) accuracy: AccuracyFigures,
}

/// How wrong forecasts were so far.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
pub(crate) struct AccuracyFigures {
    pub(crate) judged: u64,
    pub(crate) missed: u64,
    pub(crate) within_interval: u64,
    pub(crate) mean_error_s: Option<f64>,
    pub(crate) mean_error_fraction: Option<f64>,
    pub(crate) mean_bytes_error_fraction: Option<f64>,
}

impl Told {
    /// Whether it says that the job has ended.
    pub(crate) fn has_ended(&self) -> bool {
        self.figures.state == "ended"
    }

    pub(crate) fn new(json: Box<RawValue>) -> serde_json::Result<Self> {
        Ok(Self {
            figures: serde_json::from_str(json.get())?,
            json: Arc::from(json),
        })
    }
}

/// What is known of a job, as the hub last put it on the board.
#[derive(Debug, Clone)]
pub(crate) struct JobView {
    pub(crate) id: Arc<str>,
    pub(crate) name: Arc<str>,
    pub(crate) status: Status,
    pub(crate) run: u64,
    pub(crate) start_epoch_s: Option<f64>,
    pub(crate) newest_s: Option<f64>,
    /// When that arrived here; for a job without any data, when it was found.
    pub(crate) arrived: Instant,
    pub(crate) totals: Totals,
    /// The last predictions, oldest first.
    pub(crate) predictions: Arc<[Arc<Told>]>,
    pub(crate) recording: Arc<RwLock<Recording>>,
    pub(crate) error: Option<Arc<str>>,
    /// What a person should know of its files.
    pub(crate) warnings: Arc<[Warning]>,
}

/// A job in a list.
#[derive(Debug, Serialize)]
pub(crate) struct JobSummary<'a> {
    id: &'a str,
    name: &'a str,
    status: Status,
    run: u64,
    start_epoch_s: Option<f64>,
    now_s: f64,
    newest_s: Option<f64>,
    idle_s: f64,
    requests: u64,
    bytes_read: f64,
    bytes_written: f64,
    prediction: Option<&'a RawValue>,
    sparkline: Option<Sparkline>,
    error: Option<&'a str>,
    warnings: &'a [Warning],
}

/// The recent past of a job in a few numbers.
#[derive(Debug, Serialize)]
struct Sparkline {
    start_s: f64,
    end_s: f64,
    rates: Vec<f64>,
}

impl JobView {
    pub(crate) fn last(&self) -> Option<&Told> {
        self.predictions.last().map(|told| &**told)
    }

    pub(crate) fn idle_s(&self) -> f64 {
        self.arrived.elapsed().as_secs_f64()
    }

    /// The job's time, which stands still when the job has ended.
    pub(crate) fn now_s(&self) -> f64 {
        let ended = self.last().filter(|last| last.has_ended());
        let now = self.newest_s.map_or(0.0, |newest| newest + self.idle_s());
        ended.map_or(now, |last| last.figures.at_s)
    }

    /// Bars of a stretch of time; all there is where it has no ends.
    pub(crate) fn bars(&self, from: Option<f64>, to: Option<f64>) -> Option<Bars> {
        // What a panic left behind is still a recording.
        let recording = self
            .recording
            .read()
            .unwrap_or_else(PoisonError::into_inner);
        let (start, end) = recording.extent()?;
        recording.bars(from.unwrap_or(start), to.unwrap_or(end))
    }

    pub(crate) fn summary(&self) -> JobSummary<'_> {
        JobSummary {
            prediction: self.last().map(|told| &*told.json),
            sparkline: self.sparkline(),
            ..self.heading()
        }
    }

    /// The summary without prediction and sparkline.
    pub(crate) fn heading(&self) -> JobSummary<'_> {
        JobSummary {
            id: &self.id,
            name: &self.name,
            status: self.status,
            run: self.run,
            start_epoch_s: self.start_epoch_s,
            now_s: self.now_s(),
            newest_s: self.newest_s,
            idle_s: self.idle_s(),
            requests: self.totals.requests,
            bytes_read: self.totals.bytes_read,
            bytes_written: self.totals.bytes_written,
            prediction: None,
            sparkline: None,
            error: self.error.as_deref(),
            warnings: &self.warnings,
        }
    }

    /// The last periods where there are any, else all.
    fn sparkline(&self) -> Option<Sparkline> {
        let period = self.last().and_then(|told| told.figures.period_s);
        let from = self
            .newest_s
            .zip(period)
            .map(|(end, period)| end - SPARK_PERIODS * period);
        let bars = self.bars(from, None)?;
        let together = bars.bars.len().div_ceil(SPARKS).max(1);
        let rate = |group: &[iotempo_live::Bar]| {
            let bytes = group.iter().map(|bar| bar.read + bar.written);
            bytes.fold(0.0, f64::max) / bars.step_s
        };
        Some(Sparkline {
            start_s: bars.start_s,
            end_s: bars.start_s + bars.bars.len() as f64 * bars.step_s,
            rates: bars.bars.chunks(together).map(rate).collect(),
        })
    }
}
