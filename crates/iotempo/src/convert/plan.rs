//! What to write, and where: the words of the command line, made sense of.

use super::table::Rows;
use crate::cli::{CommonArgs, ConvertArgs, TableFormat};
use crate::settings::{Stated, usage_error};
use clap::ValueEnum;
use iotempo_model::Hertz;
use serde::Serialize;
use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};

/// Where outputs go.
pub(super) enum Output {
    Stdout,
    File(PathBuf),
    Folder(PathBuf),
}

/// What to write, and where.
pub(super) struct Plan {
    pub(super) output: Output,
    pub(super) format: TableFormat,
    /// A signal of this rate, instead of requests.
    pub(super) rate: Option<Hertz>,
}

/// All settings in force.
#[derive(Serialize)]
pub(super) struct StatedPlan<'a> {
    #[serde(flatten)]
    stated: &'a Stated,
    to: String,
    signal_rate_hz: Option<f64>,
}

impl Plan {
    /// # Errors
    /// Where the words do not say what to write, or contradict each other.
    pub(super) fn new(words: &ConvertArgs, common: &CommonArgs) -> Result<Self, clap::Error> {
        let output = match (&words.output, &words.out_dir) {
            (_, Some(folder)) => Output::Folder(folder.clone()),
            (Some(path), None) if path.as_os_str() != "-" => Output::File(path.clone()),
            _ => Output::Stdout,
        };
        check_kind(&output)?;
        let format = match (words.to, &output) {
            (Some(format), _) => format,
            (None, Output::File(path)) => by_extension(path)?,
            (None, Output::Stdout | Output::Folder(_)) => TableFormat::Csv,
        };
        if matches!(output, Output::Stdout) {
            check_stdout(format, common)?;
        }
        Ok(Self {
            output,
            format,
            rate: words.rate,
        })
    }

    pub(super) fn rows(&self) -> Rows {
        match self.rate {
            Some(_) => Rows::Signal,
            None => Rows::Requests,
        }
    }

    /// Whether the output itself tells where it came from.
    pub(super) fn keeps_provenance(&self) -> bool {
        !matches!(self.format, TableFormat::Csv | TableFormat::Jsonl)
    }

    pub(super) fn stated<'a>(&self, stated: &'a Stated) -> StatedPlan<'a> {
        StatedPlan {
            stated,
            to: extension(self.format),
            signal_rate_hz: self.rate.map(Hertz::get),
        }
    }
}

/// The name of a format, which is the extension of its files.
pub(super) fn extension(format: TableFormat) -> String {
    let value = format.to_possible_value();
    value.map_or_else(String::new, |value| value.get_name().to_owned())
}

/// Refuses a folder for a file, and a file for a folder.
fn check_kind(output: &Output) -> Result<(), clap::Error> {
    let (path, message) = match output {
        Output::File(path) if path.is_dir() => (path, "it is a folder: use --out-dir"),
        Output::Folder(path) if path.exists() && !path.is_dir() => {
            (path, "it is a file, and --out-dir names a folder")
        }
        _ => return Ok(()),
    };
    Err(usage_error(format!("{}: {message}", path.display())))
}

fn by_extension(path: &Path) -> Result<TableFormat, clap::Error> {
    let extension = path
        .extension()
        .unwrap_or_default()
        .to_string_lossy()
        .to_lowercase();
    match extension.as_str() {
        #[cfg(feature = "tables")]
        "parquet" | "pq" => Ok(TableFormat::Parquet),
        "csv" => Ok(TableFormat::Csv),
        "jsonl" | "ndjson" => Ok(TableFormat::Jsonl),
        _ => Err(usage_error(format!(
            "{}: its name does not say the format: end it in .parquet, .csv or .jsonl, or use --to",
            path.display()
        ))),
    }
}

fn check_stdout(format: TableFormat, common: &CommonArgs) -> Result<(), clap::Error> {
    if common.json {
        let message = "--json reports on the conversion and needs -o FILE or --out-dir DIR \
                       (for the rows as JSON: --to jsonl)";
        return Err(usage_error(message));
    }
    let text = matches!(format, TableFormat::Csv | TableFormat::Jsonl);
    if !text && io::stdout().is_terminal() {
        return Err(usage_error("Parquet is not for a terminal: use -o FILE"));
    }
    Ok(())
}
