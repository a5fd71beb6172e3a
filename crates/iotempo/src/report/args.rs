//! Words of `iotempo report`.

use crate::cli::{InputArgs, SelectArgs};
use clap::Args;
use std::path::PathBuf;

/// Words of `iotempo report`.
#[derive(Debug, Args)]
pub(crate) struct ReportArgs {
    #[command(flatten)]
    pub(super) inputs: InputArgs,
    /// Where to write the page of one input; `-` is standard output [default: the input's name
    /// with .html, in this folder].
    #[arg(short, long, value_name = "FILE.html", conflicts_with = "out_dir")]
    pub(super) output: Option<PathBuf>,
    /// Write a page per input into this folder.
    #[arg(long, value_name = "DIR")]
    pub(super) out_dir: Option<PathBuf>,
    #[command(flatten)]
    pub(super) select: SelectArgs,
}
