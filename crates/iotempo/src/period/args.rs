//! Words of `iotempo period`.

use crate::cli::{ApiChoice, Direction, InputArgs, SelectArgs, hertz};
use clap::{Args, ValueEnum};
use iotempo_model::Hertz;
use serde::Serialize;
use std::path::PathBuf;

/// Words of `iotempo period`.
#[derive(Debug, Args)]
pub(crate) struct PeriodArgs {
    #[command(flatten)]
    pub(super) inputs: InputArgs,
    /// How to look for the period [default: iotempo].
    #[arg(long, value_name = "METHOD")]
    pub(super) method: Option<Method>,
    /// Samples per second; -1 takes two per shortest event [default: what the source resolves].
    #[arg(short, long, value_name = "HZ", value_parser = rate, allow_negative_numbers = true)]
    pub(super) freq: Option<Rate>,
    /// The most memory that an analysis may take, in GB; with FTIO's method, its samples.
    #[arg(
        long,
        alias = "memory_limit",
        value_name = "GB",
        default_value = "0.5",
        value_parser = positive
    )]
    pub(super) memory_limit: f64,
    /// Leave out the first phase, which is often unlike the others.
    #[arg(long)]
    pub(super) skip_first: bool,
    /// The least confidence that is called periodic [default: 0.5].
    #[arg(long, value_name = "SHARE", value_parser = share)]
    pub(super) threshold: Option<f64>,
    #[command(flatten)]
    pub(super) shown: ShownArgs,
    #[command(flatten)]
    pub(super) ftio: FtioArgs,
    #[command(flatten)]
    pub(super) select: SelectArgs,
}

/// How results are shown.
#[derive(Debug, Args)]
#[command(next_help_heading = "Output")]
pub(crate) struct ShownArgs {
    /// Write a report of one input as HTML; or FTIO's way to find outliers, such as dbscan.
    #[arg(short, long, value_name = "FILE.html")]
    pub(super) output: Option<PathBuf>,
    /// Print a table with a row per input as CSV.
    #[arg(long)]
    pub(super) csv: bool,
    /// Write the same table as Parquet.
    #[cfg(feature = "tables")]
    #[arg(long, value_name = "FILE")]
    pub(super) parquet: Option<PathBuf>,
    /// End with exit code 3 where no input is periodic.
    #[arg(long)]
    pub(super) exit_code: bool,
    /// Draw no chart.
    #[arg(long)]
    pub(super) no_chart: bool,
    /// Draw the chart with letters that every terminal has.
    #[arg(long)]
    pub(super) ascii: bool,
}

/// What FTIO's users are used to.
#[derive(Debug, Args)]
#[command(next_help_heading = "As FTIO (imply --method ftio)")]
pub(crate) struct FtioArgs {
    /// Share of the highest score that a frequency must exceed [default: 0.8].
    #[arg(short, long, alias = "tol", value_name = "SHARE", value_parser = share)]
    pub(super) tolerance: Option<f64>,
    /// How frequencies that stand out are found [default: z-score].
    #[arg(long, value_name = "METHOD", value_parser = ["z-score", "dbscan", "forest", "lof", "peak"])]
    pub(super) outlier: Option<String>,
    /// Ask the autocorrelation, too (also -au).
    #[arg(long)]
    pub(super) autocorrelation: bool,
    /// Amplitudes instead of power (also -np).
    #[arg(long, alias = "no-psd")]
    pub(super) amplitude: bool,
    /// Report this many of the strongest frequencies, too.
    #[arg(short = 'n', long, alias = "n_freq", value_name = "N")]
    pub(super) top: Option<usize>,
    /// As --op, in FTIO's words: write_sync, write_async, read_sync, read_async.
    #[arg(
        short,
        long,
        value_name = "MODE",
        value_parser = mode,
        conflicts_with = "op",
        help_heading = "Selection"
    )]
    pub(super) mode: Option<Direction>,
    /// DXT_POSIX or DXT_MPIIO: as --api posix or mpiio, in FTIO's words.
    #[arg(
        short = 'x',
        value_name = "MODULE",
        value_parser = module,
        conflicts_with = "api",
        help_heading = "Selection"
    )]
    pub(super) module: Option<ApiChoice>,
    /// The transform (also -tr): dft is the only one.
    #[arg(long, alias = "transformation", value_name = "TRANSFORM", hide = true)]
    pub(super) transform: Option<String>,
    /// FTIO's way to draw figures: not needed here.
    #[arg(short, long, value_name = "ENGINE", hide = true)]
    pub(super) engine: Option<String>,
}

/// How to look for a period.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Method {
    /// Several witnesses, a tested significance, an interval around the period.
    Iotempo,
    /// As FTIO 0.0.9 does it, with its defaults: writes only, 10 samples a second.
    Ftio,
    /// As the paper on FTIO describes it.
    Paper,
}

/// A sampling rate that somebody asked for.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Rate {
    Fixed(Hertz),
    /// Two samples per shortest event.
    Auto,
}

fn rate(text: &str) -> Result<Rate, String> {
    if text.parse() == Ok(-1.0) {
        return Ok(Rate::Auto);
    }
    /// Clocks of computers count in nanoseconds: nothing happens faster.
    const FASTEST: f64 = 1e9;
    match hertz(text) {
        Ok(rate) if rate.get() > FASTEST => {
            Err("more than a sample per nanosecond: no clock is as fast".to_owned())
        }
        Ok(rate) => Ok(Rate::Fixed(rate)),
        Err(error) => Err(format!("{error}, nor -1 for an automatic rate")),
    }
}

/// The direction of one of FTIO's modes, such as `write_sync` or `async_read`. FTIO takes whatever has a
/// `w` in it as a write, and a slip as a read.
fn mode(text: &str) -> Result<Direction, String> {
    let name = text.to_ascii_lowercase();
    let mut direction = None;
    let known = name.split('_').all(|word| match word {
        "w" | "write" => direction.replace(Direction::Write).is_none(),
        "r" | "read" => direction.replace(Direction::Read).is_none(),
        // TMIO tells times from bandwidths of asynchronous I/O.
        "sync" | "async" | "t" | "b" => true,
        _ => false,
    });
    let allowed = "neither write, write_sync, write_async, nor read, read_sync, read_async";
    direction
        .filter(|_| known)
        .ok_or_else(|| allowed.to_owned())
}

/// The layer that a module of extended tracing watches. FTIO looks at heatmaps all the same.
fn module(text: &str) -> Result<ApiChoice, String> {
    match text.to_ascii_uppercase().as_str() {
        "DXT_POSIX" => Ok(ApiChoice::Posix),
        "DXT_MPIIO" => Ok(ApiChoice::Mpiio),
        _ => Err("neither DXT_POSIX nor DXT_MPIIO".to_owned()),
    }
}

fn positive(text: &str) -> Result<f64, String> {
    let number = text.parse().ok();
    let number = number.filter(|number: &f64| number.is_finite() && *number > 0.0);
    number.ok_or_else(|| "not a positive number".to_owned())
}

fn share(text: &str) -> Result<f64, String> {
    let number = text.parse().ok();
    let number = number.filter(|number| (0.0..=1.0).contains(number));
    number.ok_or_else(|| "not a number from 0 to 1".to_owned())
}
