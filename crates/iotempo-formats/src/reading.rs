//! What every reader is asked, and what it answers.

use crate::limits::Limits;
use iotempo_model::{Origin, Seconds, Source, Warning};
use serde::Serialize;

/// How to read an input.
#[derive(Debug, Clone, Default)]
pub struct ReadOptions {
    /// Which evidence of a Darshan log to use; `None` takes the best.
    pub source: Option<Source>,
    /// Whether requests will be chosen by their file: evidence that does not know files is then
    /// passed over.
    pub by_file: bool,
    /// Which layer to use where several saw the same bytes.
    pub layer: Layer,
    /// For tables: which column holds what, as `our name=their name`.
    pub columns: Vec<(String, String)>,
    /// For tables of samples: the time between two of them, whatever their times say.
    pub step: Option<Seconds>,
    /// Bounds on what the input may make the reader do.
    pub limits: Limits,
}

/// Which of the layers that saw the same bytes to believe.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Layer {
    /// Per file: POSIX, else MPI-IO; STDIO beside them.
    #[default]
    Auto,
    /// POSIX only.
    Posix,
    /// MPI-IO only.
    MpiIo,
    /// STDIO only.
    Stdio,
    /// Every layer by itself: bytes that several saw come several times.
    All,
}

/// What a reader found besides requests.
#[derive(Debug, Clone)]
pub struct Reading {
    /// The format and its version, such as `darshan 3.41`.
    pub format: String,
    /// Where the requests came from.
    pub origin: Origin,
    /// The parts of the input.
    pub sections: Vec<Section>,
    /// How many requests were read and written; `None` where each one that was handed on is one.
    pub requests: Option<[u64; 2]>,
    /// What was repaired or left out.
    pub warnings: Vec<Warning>,
    /// Whether a part of the input was lost to damage: the result is there, but not whole.
    pub damaged: bool,
}

/// A part of an input: a Darshan module, a mode of TMIO, a table.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Section {
    /// Its name in the format's own words.
    pub name: String,
    /// Its version, where it has one.
    pub version: Option<u32>,
    /// Its records.
    pub records: u64,
    /// Its requests, where it holds single ones.
    pub requests: Option<u64>,
    /// Bytes read at this layer; `None` where it does not count them.
    pub bytes_read: Option<f64>,
    /// Bytes written at this layer; `None` where it does not count them.
    pub bytes_written: Option<f64>,
    /// Whether records were dropped while the job ran, for want of memory.
    pub partial: bool,
    /// What is wrong with it; its records up to there are kept.
    pub damage: Option<String>,
}
