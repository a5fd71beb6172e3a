//! Words about servers' logs, and about whose clock is whose.

use crate::cli::{Direction, seconds};
use clap::Args;
use iotempo_formats::server;
use iotempo_formats::zone::{DateOrder, TimeZone, Written};
use iotempo_model::Seconds;

/// When things were.
#[derive(Debug, Args)]
#[command(next_help_heading = "Clocks and logs")]
pub(crate) struct ClockArgs {
    /// The time zone of logs that write local times [default: this machine's].
    #[arg(long, value_name = "ZONE", value_parser = zone)]
    pub(crate) zone: Option<TimeZone>,
    /// The same of servers' logs, where it is another.
    #[arg(long, value_name = "ZONE", value_parser = zone)]
    pub(crate) log_zone: Option<TimeZone>,
    /// When a server's log begins that does not say, such as 2026-11-15T07:23:22Z; without Z or an offset
    /// it is a local time.
    #[arg(long, value_name = "TIME", value_parser = written)]
    pub(crate) log_start: Option<Written>,
    /// How long the intervals of a server's log are that does not say.
    #[arg(long, value_name = "SECONDS", value_parser = crate::cli::step)]
    pub(crate) interval: Option<Seconds>,
    /// By how much the servers' clocks are ahead of the scheduler's.
    #[arg(long, value_name = "SECONDS", value_parser = ahead, allow_negative_numbers = true, default_value = "0")]
    pub(crate) clocks_ahead: Seconds,
    /// Only these targets of servers' logs, such as vda or oss1/OST0004.
    #[arg(long, value_name = "TARGET", value_delimiter = ',')]
    pub(crate) target: Vec<String>,
    /// Columns of a server's log that is a table, such as time=when,write=out.
    #[arg(long, value_name = "OURS=THEIRS", value_delimiter = ',', value_parser = crate::cli::column)]
    pub(crate) log_columns: Vec<(String, String)>,
    /// Only this direction [default: both].
    #[arg(long, value_name = "OP")]
    pub(crate) op: Option<Direction>,
}

impl ClockArgs {
    /// How servers' logs are read, where `zone` is that of other logs.
    pub(crate) fn log_options(&self, zone: &TimeZone) -> server::Options {
        let zone = self.log_zone.as_ref().unwrap_or(zone);
        let start = |written| match written {
            Written::Epoch(epoch) => Some(epoch),
            // An hour that clocks showed twice is the first of both, as elsewhere.
            Written::Civil(civil) => zone.epoch_s(civil).map(|(epoch, _)| epoch),
        };
        server::Options {
            zone: zone.clone(),
            start: self.log_start.and_then(start),
            interval: self.interval,
            targets: self.target.clone(),
            columns: self.log_columns.clone(),
            ..server::Options::default()
        }
    }
}

/// Clocks that are off by more than a year are of another log.
const MOST_AHEAD_S: f64 = 366.0 * 86_400.0;

fn ahead(text: &str) -> Result<Seconds, String> {
    let ahead = seconds(text)?;
    match ahead.get().abs() <= MOST_AHEAD_S {
        true => Ok(ahead),
        false => Err("no clock is ahead or behind by more than a year".to_owned()),
    }
}

fn written(text: &str) -> Result<Written, String> {
    let number = seconds(text).ok().map(|at| Written::Epoch(at.get()));
    number
        .or_else(|| Written::parse(text, DateOrder::default()))
        .ok_or_else(|| "neither a finite number of seconds nor a date".to_owned())
}

fn zone(text: &str) -> Result<TimeZone, String> {
    text.parse()
        .map_err(|error: iotempo_formats::zone::UnknownZone| error.to_string())
}
