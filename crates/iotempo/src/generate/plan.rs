//! What to write, and where: the words of the command line, made sense of.

use super::generator::{Generator, Parameters};
use super::words::{Format, GenerateArgs, Kind};
use crate::cli::CommonArgs;
use crate::convert::is_log;
use crate::settings::usage_error;
use iotempo_model::Hertz;
use serde::Serialize;
use std::path::{Path, PathBuf};

/// Where traces go.
enum Place {
    Stdout,
    File(PathBuf),
    Folder(PathBuf),
}

/// What to write, and where.
pub(super) struct Plan {
    place: Place,
    truth: Option<PathBuf>,
    pub(super) format: Format,
    /// A signal of this rate, instead of requests.
    pub(super) rate: Option<Hertz>,
    seed: u64,
    count: u32,
    json: bool,
}

/// All settings in force.
#[derive(Serialize)]
pub(super) struct Stated {
    kind: String,
    parameters: Parameters,
    seed: u64,
    count: u32,
    to: &'static str,
    signal_rate_hz: Option<f64>,
}

impl Plan {
    /// # Errors
    /// Where the words contradict each other.
    pub(super) fn new(words: &GenerateArgs, common: &CommonArgs) -> Result<Self, clap::Error> {
        let place = match (&words.output, &words.out_dir) {
            (_, Some(folder)) => Place::Folder(folder.clone()),
            (Some(path), None) if path.as_os_str() != "-" => Place::File(path.clone()),
            _ => Place::Stdout,
        };
        if words.count > 1 && !matches!(place, Place::Folder(_)) {
            return Err(usage_error("several traces need --out-dir"));
        }
        if words.signal && words.to == Format::Jsonl {
            return Err(usage_error("a signal is written as csv or as tmio"));
        }
        if words.seed.checked_add(u64::from(words.count) - 1).is_none() {
            return Err(usage_error("there are not so many seeds after --seed"));
        }
        if words.truth.as_deref() == Some(Path::new("-")) {
            let message = "--truth names a file; --json prints the truth to standard output";
            return Err(usage_error(message));
        }
        check(&place)?;
        let one_hertz = Hertz::new(1.0).filter(|_| words.signal);
        Ok(Self {
            place,
            truth: words.truth.clone(),
            format: words.to,
            rate: words.rate.or(one_hertz),
            seed: words.seed,
            count: words.count,
            json: common.json,
        })
    }

    /// One a trace.
    pub(super) fn seeds(&self) -> impl Iterator<Item = u64> + use<> {
        let first = self.seed;
        (0..u64::from(self.count)).map(move |index| first + index)
    }

    /// Whether nothing but the truth is asked for: standard output cannot hold rows beside it.
    pub(super) fn answers_only(&self) -> bool {
        self.json && matches!(self.place, Place::Stdout)
    }

    pub(super) fn folder(&self) -> Option<&Path> {
        match &self.place {
            Place::Folder(folder) => Some(folder),
            Place::Stdout | Place::File(_) => None,
        }
    }

    /// Where outputs go, for people; `None` for standard output.
    pub(super) fn place(&self) -> Option<String> {
        match &self.place {
            Place::Stdout => None,
            Place::File(path) | Place::Folder(path) => Some(path.display().to_string()),
        }
    }

    /// The file of a seed; `None` for standard output.
    pub(super) fn output_of(&self, seed: u64, kind: Kind) -> Option<PathBuf> {
        let signal = if self.rate.is_some() { "signal." } else { "" };
        match &self.place {
            Place::Stdout => None,
            Place::File(path) => Some(path.clone()),
            Place::Folder(folder) => {
                let name = self.name(seed, kind);
                let extension = self.format.extension();
                Some(folder.join(format!("{name}.{signal}{extension}")))
            }
        }
    }

    /// The file of the truth about a seed.
    pub(super) fn truth_of(&self, seed: u64, kind: Kind) -> Option<PathBuf> {
        match &self.place {
            Place::Folder(folder) => {
                Some(folder.join(format!("{}.truth.json", self.name(seed, kind))))
            }
            Place::Stdout | Place::File(_) => self.truth.clone(),
        }
    }

    /// `semi-07`: names sort as seeds do.
    fn name(&self, seed: u64, kind: Kind) -> String {
        let last = self.seed + u64::from(self.count) - 1;
        let width = last.to_string().len();
        format!("{}-{seed:0width$}", kind.name())
    }

    pub(super) fn stated(&self, generator: &Generator) -> Stated {
        Stated {
            kind: generator.kind().name(),
            parameters: generator.parameters(),
            seed: self.seed,
            count: self.count,
            to: self.format.name(),
            signal_rate_hz: self.rate.map(Hertz::get),
        }
    }
}

/// Refuses a folder for a file, a file for a folder, and a log that could not be had again.
fn check(place: &Place) -> Result<(), clap::Error> {
    let (path, message) = match place {
        Place::File(path) if path.is_dir() => (path, "it is a folder: use --out-dir".to_owned()),
        Place::File(path) => match is_log(path) {
            Some(log) => (path, format!("it is {log}, and would be overwritten")),
            None => return Ok(()),
        },
        Place::Folder(path) if path.exists() && !path.is_dir() => {
            let message = "it is a file, and --out-dir names a folder";
            (path, message.to_owned())
        }
        _ => return Ok(()),
    };
    Err(usage_error(format!("{}: {message}", path.display())))
}
