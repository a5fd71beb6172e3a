//! What a log counted of each file, layer and process, and the finer evidence beside it.

mod columns;
mod oddities;

use super::dxt::{DxtVisitor, Segment};
use super::layers::heatmap_layer;
use super::log::{Damage, DxtRecord};
use super::module::Module;
use super::opened::Opened;
use super::totals::COUNTING;
use super::{open, requests};
use crate::detect::{Format, detect_with};
use crate::error::{Error, ErrorKind, Place};
use crate::input::Input;
use crate::reading::ReadOptions;
use columns::Columns;
use iotempo_model::{Api, FileCounters, Job, Op, Warning};
use oddities::Oddities;

/// A Darshan log of any version, or the text of `darshan-parser`, that is asked for its counters.
///
/// Nothing is held but the names of files: counters are handed out as they are read.
pub struct CountedLog {
    log: Opened,
    oddities: Oddities,
    records: u64,
}

/// One request of extended tracing.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TracedRequest {
    /// The file.
    pub file: u64,
    /// The direction.
    pub op: Op,
    /// When it began and ended, in seconds since the job did.
    pub span_s: (f64, f64),
    /// What it moved.
    pub bytes: u64,
}

/// A bin of a heatmap in which something moved.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ActiveBin {
    /// The layer.
    pub api: Api,
    /// The direction.
    pub op: Op,
    /// Its start and end, in seconds since the job began.
    pub span_s: (f64, f64),
}

impl CountedLog {
    /// Opens a log.
    ///
    /// # Errors
    /// Where it is no log of Darshan, cannot be read, or cannot hold counters.
    pub fn open(input: Input, options: &ReadOptions) -> Result<Self, Error> {
        let input = input.unwrapped()?;
        let format = detect_with(input.head(), options)?;
        let refused = |message: &str| {
            let kind = ErrorKind::Unsupported(message.to_owned());
            Err(Error::new("", Place::Whole, kind))
        };
        match format {
            Format::DarshanDxtText => refused(
                "the text of darshan-dxt-parser holds no counters (darshan-parser prints them)",
            ),
            format if !format.is_darshan() => {
                refused("it holds no counters of files: only logs of Darshan do")
            }
            format => Ok(Self {
                log: open(input, format, options)?,
                oddities: Oddities::default(),
                records: 0,
            }),
        }
    }

    /// Hands out what was counted, record by record. A negative timer is 0, and a time that is no time
    /// is none: [`CountedLog::warnings`] tells.
    pub fn each_file(&mut self, mut take: impl FnMut(&FileCounters)) {
        let processes = u64::try_from(self.log.job().nprocs).ok();
        let processes = processes.filter(|&processes| processes > 0);
        let origin_s = self.log.time_origin_s();
        // Darshan 3.2.0 wrote wrong sizes.
        let sizes_known = !self.log.format().ends_with("3.20");
        for (module, api) in COUNTING {
            if !self.log.has(module) {
                continue;
            }
            let partial = self.log.is_partial(module);
            let (oddities, records) = (&mut self.oddities, &mut self.records);
            self.log.each_counters(module, |table| {
                let Some(columns) = Columns::of(module, table.layout) else {
                    return true;
                };
                *records += table.len() as u64;
                for record in 0..table.len() {
                    let rank = oddities.rank(table.ranks[record], processes);
                    let mut file = FileCounters::new(table.ids[record], api);
                    (file.rank, file.processes, file.partial) = (rank, processes, partial);
                    let row = (table.ints_of(record), table.floats_of(record));
                    columns.fill(&mut file, row, origin_s, oddities);
                    if !sizes_known {
                        file.frequent = Default::default();
                    }
                    take(&file);
                }
                true
            });
        }
    }

    /// Hands out the requests of extended tracing at a layer. Answers whether there is any.
    pub fn each_request(&mut self, api: Api, take: impl FnMut(TracedRequest)) -> bool {
        let module = match api {
            Api::Posix => Module::DxtPosix,
            Api::MpiIo => Module::DxtMpiio,
            _ => return false,
        };
        if !self.log.has(module) {
            return false;
        }
        let mut visitor = Requests { file: 0, take };
        self.log.each_dxt(module, &mut visitor);
        true
    }

    /// Hands out the bins of the heatmap in which something moved, process by process. Answers the
    /// width of the widest; `None` where there is no heatmap.
    pub fn each_bin(&mut self, mut take: impl FnMut(ActiveBin)) -> Option<f64> {
        if !self.log.has(Module::Heatmap) {
            return None;
        }
        let names = self.log.names();
        let mut widest: f64 = 0.0;
        self.log.each_heatmap(|record| {
            let api = heatmap_layer(&names, record.id);
            let width = record.bin_width_s;
            if !(width.is_finite() && width > 0.0) {
                return true;
            }
            widest = widest.max(width);
            for (op, bins) in [(Op::Read, &record.reads), (Op::Write, &record.writes)] {
                for (place, _) in bins.iter().enumerate().filter(|(_, bytes)| **bytes > 0) {
                    let span_s = (place as f64 * width, (place + 1) as f64 * width);
                    take(ActiveBin { api, op, span_s });
                }
            }
            true
        });
        (widest > 0.0).then_some(widest)
    }

    /// How many records were handed out.
    #[must_use]
    pub fn records(&self) -> u64 {
        self.records
    }

    /// The name of a file.
    #[must_use]
    pub fn file_name(&self, file: u64) -> String {
        self.log.names().label(file)
    }

    /// The job.
    #[must_use]
    pub fn job(&self) -> Job {
        requests::job(&self.log)
    }

    /// The format and its version, such as `darshan 3.41`.
    #[must_use]
    pub fn format(&self) -> String {
        self.log.format()
    }

    /// Whether a part of the log was lost to damage.
    #[must_use]
    pub fn is_damaged(&self) -> bool {
        self.log.is_damaged()
    }

    /// Whether the profiler ran out of memory at a layer that counts files: there were more of them.
    #[must_use]
    pub fn is_partial(&self) -> bool {
        let mut layers = COUNTING.iter();
        layers.any(|(module, _)| self.log.has(*module) && self.log.is_partial(*module))
    }

    /// What is odd about the log, and about the counters that were handed out.
    #[must_use]
    pub fn warnings(&self) -> Vec<Warning> {
        let mut warnings = self.log.warnings().to_vec();
        warnings.extend(self.log.damages().iter().map(Damage::warning));
        warnings.extend(self.oddities.warnings());
        warnings
    }
}

struct Requests<F> {
    file: u64,
    take: F,
}

impl<F: FnMut(TracedRequest)> DxtVisitor for Requests<F> {
    fn record(&mut self, record: &DxtRecord) -> bool {
        self.file = record.id;
        true
    }

    fn segments(&mut self, op: Op, segments: impl Iterator<Item = Segment>) -> bool {
        for segment in segments {
            (self.take)(TracedRequest {
                file: self.file,
                op,
                span_s: (segment.start, segment.end),
                bytes: u64::try_from(segment.length).unwrap_or(0),
            });
        }
        true
    }
}
