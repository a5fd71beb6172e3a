//! Results of benchmarks from files.

use super::args::EstimateArgs;
use crate::Outcome;
use crate::failure::Failure;
use crate::talk::Talk;
use anyhow::bail;
use iotempo_analysis::estimate::Store;
use iotempo_formats::benchmarks::{BenchmarkOptions, NODES_UNSTATED, read_benchmarks};
use iotempo_formats::{ErrorKind, Input};
use iotempo_model::{BenchmarkGatherer, Warning};
use serde::Serialize;
use std::fs::File;
use std::path::Path;

/// A file that was read.
#[derive(Debug, Clone, Serialize)]
pub(super) struct StoreSource {
    pub(super) input: String,
    pub(super) format: String,
    pub(super) repetitions: u64,
    /// What was left out or assumed.
    pub(super) warnings: Vec<Warning>,
}

/// All benchmarks.
#[derive(Default)]
pub(super) struct Stores {
    pub(super) store: Store,
    pub(super) sources: Vec<StoreSource>,
    pub(super) failures: Vec<Failure>,
    pub(super) warnings: Vec<Warning>,
}

impl Stores {
    /// Reads every file that can be read; an error where none can.
    pub(super) fn read(words: &EstimateArgs, talk: &Talk) -> anyhow::Result<Self> {
        let options = BenchmarkOptions {
            io_nodes: words.unsaid.io_nodes,
            nodes: words.unsaid.benchmark_nodes,
            files: words.unsaid.files.map(Into::into),
            ..BenchmarkOptions::default()
        };
        let mut gatherer = BenchmarkGatherer::default();
        let mut stores = Self::default();
        for path in &words.benchmarks {
            let name = path.display().to_string();
            let (input, wrapped) = match opened(path) {
                Ok(opened) => opened,
                Err(error) => {
                    stores.fail(Failure::new(&name, format!("{error:#}")), talk);
                    continue;
                }
            };
            match read_benchmarks(input, &options) {
                Ok(reading) => {
                    gatherer.extend(reading.benchmarks);
                    let warnings: Vec<Warning> = reading.warnings.into_iter().map(hinted).collect();
                    let named = |warning: &Warning| Warning {
                        code: warning.code.clone(),
                        message: format!("{name}: {}", warning.message),
                    };
                    stores.warnings.extend(warnings.iter().map(named));
                    stores.sources.push(StoreSource {
                        input: name,
                        format: format!("{}{wrapped}", reading.format.name()),
                        repetitions: reading.rows,
                        warnings,
                    });
                }
                Err(error) => {
                    let mut failure = Failure::of(&name, &error);
                    if matches!(error.kind, ErrorKind::Unstated(_)) {
                        failure.message.push_str(HINT);
                    }
                    stores.fail(failure, talk);
                }
            }
        }
        stores.store = Store::new(gatherer.finish());
        if stores.store.is_empty() && !words.benchmarks.is_empty() {
            bail!("no results of benchmarks could be read");
        }
        Ok(stores)
    }

    /// How that went.
    pub(super) fn outcome(&self) -> Outcome {
        match self.failures.is_empty() {
            true => Outcome::AllRead,
            false => Outcome::SomeFailed,
        }
    }

    fn fail(&mut self, failure: Failure, talk: &Talk) {
        talk.error(&failure);
        self.failures.push(failure);
    }
}

/// Who says on how many nodes benchmarks ran.
const HINT: &str = "; --benchmark-nodes says it";

fn hinted(mut warning: Warning) -> Warning {
    if warning.code == NODES_UNSTATED {
        warning.message.push_str(HINT);
    }
    warning
}

/// How every file of Parquet begins.
const PARQUET: &[u8] = b"PAR1";

/// The text of a file, and what it is wrapped in.
fn opened(path: &Path) -> anyhow::Result<(Input, &'static str)> {
    let input = Input::file(File::open(path)?)?;
    match input.head().starts_with(PARQUET) {
        true => Ok((Input::bytes(of_parquet(path)?), ", parquet")),
        false => Ok((input, "")),
    }
}

#[cfg(feature = "tables")]
fn of_parquet(path: &Path) -> anyhow::Result<String> {
    super::parquet::as_text(File::open(path)?)
}

#[cfg(not(feature = "tables"))]
fn of_parquet(_: &Path) -> anyhow::Result<String> {
    bail!("this iotempo was built without Parquet")
}
