//! What is told of a log that was read.

use crate::talk::Talk;
use iotempo_formats::{jobs, server};
use iotempo_model::{Binned, Moved, Seconds, Target, TargetId, ThroughputSink, Warning};
use serde::Serialize;
use std::io;

/// A log, as results state it.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct LogSource {
    pub(crate) input: String,
    pub(crate) sha256: Option<String>,
    /// `jobs`, `server`, or `compared`.
    pub(crate) kind: &'static str,
    pub(crate) format: String,
    /// Jobs, or volumes of an interval.
    pub(crate) rows: u64,
    pub(crate) interval_s: Option<f64>,
    pub(crate) unit: Option<String>,
    /// The zone of local times, where the log writes them.
    pub(crate) zone: Option<String>,
    pub(crate) bytes_read: Option<f64>,
    pub(crate) bytes_written: Option<f64>,
    /// Operations, where these were read in place of bytes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) reads: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) writes: Option<f64>,
    pub(crate) missing_s: Option<f64>,
    pub(crate) damaged: bool,
    /// It does not say when it was written, and neither did anybody else.
    #[serde(skip)]
    pub(crate) undated: bool,
    pub(crate) warnings: Vec<Warning>,
}

/// A year after 1970: no job or log is as old, and times before it count from elsewhere.
const OLD_S: f64 = 366.0 * 86_400.0;

impl LogSource {
    pub(crate) fn empty() -> Self {
        Self {
            input: String::new(),
            sha256: None,
            kind: "server",
            format: String::new(),
            rows: 0,
            interval_s: None,
            unit: None,
            zone: None,
            bytes_read: None,
            bytes_written: None,
            reads: None,
            writes: None,
            missing_s: None,
            damaged: false,
            undated: false,
            warnings: Vec::new(),
        }
    }

    pub(crate) fn of_jobs(reading: jobs::JobReading) -> Self {
        Self {
            kind: "jobs",
            format: reading.format.name().to_owned(),
            rows: reading.rows,
            zone: reading.clock.map(|zone| zone.name().to_owned()),
            damaged: reading.damaged,
            warnings: reading.warnings,
            ..Self::empty()
        }
    }

    /// Of a log that was said to begin at `start`, where that was said.
    pub(crate) fn of_server(reading: server::Reading, start: Option<f64>) -> Self {
        let needless = start.is_some() && !reading.is_start_used;
        let mut source = Self {
            undated: reading.clock == server::Clock::Relative,
            ..Self::of(reading)
        };
        if needless {
            let message = "it says itself when it was written, and --log-start was not needed";
            let warning = Warning::new("log-start-not-used", message);
            source.warnings.push(warning);
        }
        source
    }

    /// What to say of a log without dates beside jobs that have some, the first of which began at `begin`.
    pub(crate) fn lacks_dates(&self, begin: f64) -> Option<String> {
        let lacks = self.undated && begin > OLD_S;
        let hint = "this log has no dates: give --log-start, the time at which it begins";
        lacks.then(|| format!("{}: {hint}", self.input))
    }

    /// Together with what the same source said of another stretch of time.
    pub(crate) fn and(self, next: Self) -> Self {
        let sum = |a: Option<f64>, b: Option<f64>| Some(a.unwrap_or(0.0) + b.unwrap_or(0.0));
        let mut warnings = self.warnings;
        for warning in next.warnings {
            if !warnings.iter().any(|known| known.code == warning.code) {
                warnings.push(warning);
            }
        }
        Self {
            rows: self.rows + next.rows,
            interval_s: self.interval_s.or(next.interval_s),
            bytes_read: sum(self.bytes_read, next.bytes_read),
            bytes_written: sum(self.bytes_written, next.bytes_written),
            missing_s: sum(self.missing_s, next.missing_s),
            damaged: self.damaged || next.damaged,
            warnings,
            ..self
        }
    }

    pub(crate) fn of(reading: server::Reading) -> Self {
        let [read, written] = reading.bytes.map(Some);
        let (bytes, operations) = match reading.quantity {
            server::Quantity::Bytes => ([read, written], [None; 2]),
            server::Quantity::Operations => ([None; 2], [read, written]),
        };
        Self {
            format: reading.format,
            rows: reading.samples,
            interval_s: reading.interval.map(Seconds::get),
            unit: Some(reading.unit),
            zone: match reading.clock {
                server::Clock::Zone(zone) => Some(zone),
                server::Clock::Epoch | server::Clock::Relative => None,
            },
            bytes_read: bytes[0],
            bytes_written: bytes[1],
            reads: operations[0],
            writes: operations[1],
            missing_s: Some(reading.missing.get()),
            damaged: reading.damaged,
            warnings: reading.warnings,
            ..Self::empty()
        }
    }
}

/// Counts for who waits.
pub(crate) struct Counting<'a> {
    sink: &'a mut Binned,
    talk: &'a Talk,
    uncounted: u64,
}

impl<'a> Counting<'a> {
    pub(crate) fn new(sink: &'a mut Binned, talk: &'a Talk) -> Self {
        Self {
            sink,
            talk,
            uncounted: 0,
        }
    }
}

/// Whoever waits sees thousands pass by, and nobody pays for counting each.
const AT_ONCE: u64 = 4096;

impl ThroughputSink for Counting<'_> {
    fn target(&mut self, target: &Target) -> TargetId {
        self.sink.target(target)
    }

    fn moved(&mut self, moved: Moved) -> io::Result<()> {
        self.uncounted += 1;
        if self.uncounted == AT_ONCE {
            self.talk.done(std::mem::take(&mut self.uncounted));
        }
        self.sink.moved(moved)
    }
}
