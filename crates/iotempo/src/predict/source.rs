//! Where a running job can be watched.

use super::Following;
use crate::settings::Settings;
use iotempo_formats::Error;
use iotempo_formats::live::{GrowingFile, GrowingJob, Growth};
use iotempo_model::Selecting;
use std::path::PathBuf;

/// A source that grows.
pub(super) enum Live {
    File(GrowingFile),
    /// A folder of the tracer's logs.
    Job(GrowingJob),
}

/// What a look at it found.
pub(super) enum News {
    /// It was written anew.
    Anew,
    /// All that was gathered since the last phase.
    Flushed,
    /// Some requests, or nothing.
    Other,
}

impl Live {
    /// What is there says what it is; what is not there yet has the name of a file or of a folder.
    pub(super) fn new(path: PathBuf, settings: &Settings) -> Self {
        let folder = match path.metadata() {
            Ok(found) => found.is_dir(),
            Err(_) => path.extension().is_none(),
        };
        if folder {
            Self::Job(GrowingJob::new(path, &settings.options))
        } else {
            Self::File(GrowingFile::new(path, settings.options.clone()))
        }
    }

    pub(super) fn poll(&mut self, settings: &Settings, job: &mut Following) -> Result<News, Error> {
        match self {
            Self::Job(logs) => {
                let mut sink = Selecting::new(&settings.selection, job);
                logs.poll(&mut sink).map(|_| News::Other)
            }
            Self::File(file) => {
                let growth = file.poll(&mut Selecting::new(&settings.selection, &mut *job))?;
                Ok(match growth {
                    Growth::Cut => News::Anew,
                    Growth::Nothing => News::Other,
                    Growth::Read(reading) => {
                        job.learn(&reading.origin);
                        if file.comes_in_flushes() {
                            News::Flushed
                        } else {
                            News::Other
                        }
                    }
                })
            }
        }
    }
}
