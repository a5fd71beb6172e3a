//! What a reader of a server's log is asked, and what it answers.

use super::quantity::Quantity;
use crate::limits::Limits;
use crate::zone::TimeZone;
use iotempo_model::{Interval, Seconds, Warning};
use serde::Serialize;

/// How to read the log of a server.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// What to hand on.
    pub quantity: Quantity,
    /// Where the clock hangs whose local times the log writes.
    pub zone: TimeZone,
    /// When the log begins, in seconds since 1970-01-01 UTC, for logs that do not say.
    pub start: Option<f64>,
    /// How long an interval is, for logs that do not say.
    pub interval: Option<Seconds>,
    /// Targets to hand on, by their label; where it is empty, those that hold each byte once.
    pub targets: Vec<String>,
    /// For tables: which column holds what, as `our name=their name`.
    pub columns: Vec<(String, String)>,
    /// Bounds on what the log may make the reader do.
    pub limits: Limits,
}

/// Whose clock the times of a log are on.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Clock {
    /// Seconds since 1970-01-01 UTC.
    Epoch,
    /// Seconds since 1970-01-01 UTC, from the local time of this zone.
    Zone(String),
    /// Seconds since the log began: it does not say when that was.
    Relative,
}

/// What a reader found besides volumes.
#[derive(Debug, Clone)]
pub struct Reading {
    /// The format and its version, such as `iostat text`.
    pub format: String,
    /// In which unit the log states volumes or operations, and what its stamps mean.
    pub unit: String,
    /// Whose clock its times are on.
    pub clock: Clock,
    /// Whether it does not say when it began, and the start that the user stated was taken.
    pub is_start_used: bool,
    /// How long its intervals are, mostly.
    pub interval: Option<Seconds>,
    /// From the first interval to the last.
    pub observed: Option<Interval>,
    /// How many targets were handed on.
    pub targets: u64,
    /// How many volumes were.
    pub samples: u64,
    /// What was read and written: bytes, or what else was asked for.
    pub bytes: [f64; 2],
    /// What its volumes are.
    pub quantity: Quantity,
    /// How long it has nothing to say between its first and last interval.
    pub missing: Seconds,
    /// What was repaired or left out.
    pub warnings: Vec<Warning>,
    /// Whether a part of the log was lost to damage.
    pub damaged: bool,
}
