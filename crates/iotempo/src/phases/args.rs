//! Words of `iotempo phases`.

use crate::cli::{InputArgs, column, seconds};
use clap::Args;
use iotempo_analysis::phases::Settings;
use iotempo_model::Seconds;
use std::path::PathBuf;

/// Words of `iotempo phases`.
#[derive(Debug, Args)]
pub(crate) struct PhasesArgs {
    #[command(flatten)]
    inputs: InputArgs,
    /// The share of a phase's requests that may be of another kind than the phase.
    #[arg(long, value_name = "SHARE", value_parser = share, default_value = "0.2")]
    threshold: f64,
    /// Similar phases that begin within so many seconds of another's end are one.
    #[arg(long, value_name = "SECONDS", value_parser = distance, allow_negative_numbers = true, default_value = "1")]
    time_distance: Seconds,
    /// As SummarIO does it, without any correction.
    #[arg(long)]
    compat: bool,
    /// Which columns of a table of requests hold what, such as start=t0,bytes=len.
    #[arg(long, value_name = "OURS=THEIRS", value_delimiter = ',', value_parser = column)]
    pub(super) columns: Vec<(String, String)>,
    /// Write a page about one log.
    #[arg(short, long, value_name = "FILE.html", help_heading = "Output")]
    pub(super) output: Option<PathBuf>,
    /// Print a row per phase as CSV, in SummarIO's columns.
    #[arg(long, help_heading = "Output", conflicts_with = "json")]
    pub(super) csv: bool,
    /// Draw the timeline with letters that every terminal has.
    #[arg(long, help_heading = "Output")]
    pub(super) ascii: bool,
}

impl PhasesArgs {
    /// What to read.
    pub(super) fn inputs(&self) -> InputArgs {
        let InputArgs { inputs, from } = &self.inputs;
        InputArgs {
            inputs: inputs.clone(),
            from: from.clone(),
        }
    }

    /// How phases are told apart.
    pub(super) fn settings(&self) -> Settings {
        Settings {
            threshold: self.threshold,
            time_distance_s: self.time_distance.get(),
            compat: self.compat,
        }
    }
}

fn share(text: &str) -> Result<f64, String> {
    let share = text
        .parse()
        .ok()
        .filter(|share| (0.0..=1.0).contains(share));
    share.ok_or_else(|| "a share lies between 0 and 1".to_owned())
}

fn distance(text: &str) -> Result<Seconds, String> {
    let distance = seconds(text.strip_suffix('s').unwrap_or(text))?;
    (distance >= Seconds::ZERO)
        .then_some(distance)
        .ok_or_else(|| "not a number of seconds from 0 on".to_owned())
}
