//! Logs of iotempo's own tracer: one per process, all of a job together.
//!
//! Every log is walked through twice: names may stand behind the requests that need them, and
//! whether POSIX saw a file that MPI-IO used is known only after the last log.

mod chunks;
mod clocks;
mod fields;
pub(crate) mod files;
pub(crate) mod follow;
mod header;
mod host;
mod ranks;
mod ring;
mod survey;
pub(crate) mod transfer;
mod warnings;

use crate::error::{Error, Place};
use crate::input::{Input, Part};
use crate::reading::{Layer, ReadOptions, Reading};
use chunks::Slot;
use clocks::Clocks;
use iotempo_model::wire::{HEADER_SIZE, MAGIC, VERSION, flag};
use iotempo_model::{
    Api, FileId, Intake, Interval, Job, Manner, Origin, RawRequest, RequestSink, Seconds, Source,
    Warning,
};
use ranks::Ranks;
use std::io::{self, SeekFrom};
use survey::{Log, Totals};
use transfer::Transfer;

/// Whether these bytes begin a log of the tracer.
pub(crate) fn sniff(head: &[u8]) -> bool {
    head.starts_with(&MAGIC)
}

/// Pushes the requests of all logs of a job into `sink`.
pub(crate) fn read(
    input: Input,
    options: &ReadOptions,
    sink: &mut dyn RequestSink,
) -> Result<Reading, Error> {
    let parts = input.into_parts(&options.limits)?;
    let mut job = Surveyed::new(&parts, sink)?;
    let clocks = Clocks::new(&job.logs);
    let ranks = Ranks::new(&job.logs, &clocks);
    let unknown = job.totals.file(b"", sink);
    let complete_from = clocks.complete_from_ns(&job.logs);
    let mut left_out = 0;
    let mut requests = [0; 2];
    let mut intake = Intake::new(sink);
    for (log, rank) in job.logs.iter().zip(&ranks.of) {
        let mut walk = Walk {
            log,
            rank: *rank,
            start_ns: clocks.start_ns(log),
            layer: options.layer,
            totals: &job.totals,
            unknown,
            from_ns: complete_from.unwrap_or(f64::NEG_INFINITY),
            left_out: 0,
            requests: [0; 2],
        };
        walk.requests(&parts[log.part], &mut intake)?;
        left_out += walk.left_out;
        requests = [0, 1].map(|op| requests[op] + walk.requests[op]);
    }
    let accepted = intake.accepted();
    job.warnings.extend(clocks.warnings());
    job.warnings.extend(ranks.warning());
    job.warnings
        .extend(warnings::of(&job.logs, &clocks, &job.totals, options.layer));
    let ring = complete_from.map(|from| warnings::ring(&job.logs, from, left_out));
    job.warnings.extend(ring);
    job.warnings.extend(intake.warnings());
    if accepted == 0 && !matches!(options.layer, Layer::Auto | Layer::All) {
        let message = "nothing in this log is about the layer asked for (--api)";
        job.warnings.push(Warning::new("no-data", message));
    }
    let several = job.totals.counts.coalesced.0 > 0;
    Ok(Reading {
        requests: several.then_some(requests),
        ..job.reading(&clocks, &ranks, options.layer)
    })
}

/// All logs after the first walk.
struct Surveyed {
    logs: Vec<Log>,
    totals: Totals,
    warnings: Vec<Warning>,
    damaged: bool,
}

impl Surveyed {
    /// A log that cannot be read is left out, as long as another can.
    fn new(parts: &[Part], sink: &mut dyn RequestSink) -> Result<Self, Error> {
        let mut job = Self {
            logs: Vec::new(),
            totals: Totals::default(),
            warnings: Vec::new(),
            damaged: false,
        };
        let mut first_error = None;
        for (number, part) in parts.iter().enumerate() {
            let opened = part
                .open()
                .map_err(|error| Error::new("", Place::Whole, error));
            let surveyed = opened
                .and_then(|mut bytes| survey::survey(number, &mut *bytes, &mut job.totals, sink));
            match surveyed {
                Ok(log) => job.add(part, log),
                Err(error) => {
                    job.lose(part, &error);
                    first_error.get_or_insert(error);
                }
            }
        }
        match first_error {
            Some(error) if job.logs.is_empty() => Err(error),
            _ => Ok(job),
        }
    }

    fn add(&mut self, part: &Part, log: Log) {
        if log.extent.cut {
            self.damaged = true;
            let end = HEADER_SIZE as u64 + log.extent.bytes;
            let message = format!("{}the log was cut at byte {end}", part.prefix());
            self.warnings.push(Warning::new("damaged", message));
        }
        self.logs.push(log);
    }

    fn lose(&mut self, part: &Part, error: &Error) {
        self.damaged = true;
        let message = format!("{}left out: {error}", part.prefix());
        self.warnings.push(Warning::new("damaged", message));
    }

    fn reading(mut self, clocks: &Clocks, ranks: &Ranks, layer: Layer) -> Reading {
        if self.totals.counts.impossible > 0 {
            self.damaged = true;
        }
        let end = self.end_s(clocks, |_| true);
        let begin = clocks.complete_from_ns(&self.logs).unwrap_or(0.0) * 1e-9;
        let observed = Seconds::new(begin.clamp(0.0, end)).zip(Seconds::new(end));
        let observed = observed.and_then(|(begin, end)| Interval::new(begin, end).ok());
        Reading {
            format: format!("iotempo {VERSION}"),
            origin: Origin {
                observed: observed.filter(|observed| observed.length().get() > 0.0),
                job: self.job(clocks, ranks),
                layers: Some(self.layers(layer)),
                ..Origin::new(Source::Requests)
            },
            sections: self.totals.sections(),
            requests: None,
            warnings: self.warnings,
            damaged: self.damaged,
        }
    }

    /// When the last of the logs was last written to, in seconds of the job's time.
    fn end_s(&self, clocks: &Clocks, which: impl Fn(&Log) -> bool) -> f64 {
        let logs = self.logs.iter().filter(|log| which(log));
        logs.filter_map(|log| clocks.end_s(log)).fold(0.0, f64::max)
    }

    /// How long the job ran; `None` where the log that goes furthest stopped before its program.
    fn run_time_s(&self, clocks: &Clocks) -> Option<f64> {
        let end = self.end_s(clocks, |log| !log.header.has(flag::STOPPED));
        (end > 0.0 && end >= self.end_s(clocks, |_| true)).then_some(end)
    }

    /// The program is the one that moved most: what starts it is a shell or a launcher.
    fn job(&self, clocks: &Clocks, ranks: &Ranks) -> Job {
        let most = self.logs.iter().rev().max_by_key(|log| log.moved);
        let header = most.map(|log| &log.header);
        let named = |name: &String| Some(name.clone()).filter(|name| !name.is_empty());
        Job {
            exe: header.and_then(|header| named(&header.exe)),
            id: header.and_then(|header| named(&header.job)),
            ranks: Some(ranks.count),
            start_epoch_s: Some(clocks.zero_ns as f64 * 1e-9),
            run_time_s: self.run_time_s(clocks),
            ..Job::default()
        }
    }

    fn layers(&self, layer: Layer) -> String {
        let text = match layer {
            Layer::Posix => "POSIX only, as asked",
            Layer::MpiIo => "MPI-IO only, as asked",
            Layer::Stdio => "STDIO only, as asked",
            Layer::All => "every layer by itself, as asked",
            Layer::Auto if self.totals.has_mpiio() => {
                "POSIX where it saw all of a file; else MPI-IO, which sits on it; beside them STDIO"
            }
            Layer::Auto => "POSIX, and beside it STDIO",
        };
        text.to_owned()
    }
}

/// The second walk through a log.
struct Walk<'a> {
    log: &'a Log,
    rank: i64,
    /// When its program was loaded, in the job's time.
    start_ns: f64,
    layer: Layer,
    totals: &'a Totals,
    /// The file of requests whose file has no name.
    unknown: FileId,
    /// From when on all logs are complete, in the job's time.
    from_ns: f64,
    /// Requests that began before.
    left_out: u64,
    /// Requests that were handed on, read and written.
    requests: [u64; 2],
}

impl Walk<'_> {
    fn requests(
        &mut self,
        part: &Part,
        intake: &mut Intake<&mut dyn RequestSink>,
    ) -> Result<(), Error> {
        let failed = |error: io::Error| Error::new("", Place::Whole, error);
        let mut bytes = part.open().map_err(failed)?;
        let start = SeekFrom::Start(HEADER_SIZE as u64);
        bytes.seek(start).map_err(failed)?;
        let extent = self.log.extent.bytes;
        let mut take = |slot: Slot<'_>| match slot {
            Slot::Record(record) => match transfer::read(&record, &self.log.header) {
                transfer::Read::Transfer(transfer) => self.offer(&transfer, intake),
                _ => Ok(()),
            },
            Slot::Chunk(_) | Slot::Name { .. } => Ok(()),
        };
        // What the program has added since the first walk has no names yet.
        chunks::for_each(bytes, extent, &mut take)
            .map(drop)
            .map_err(failed)
    }

    fn offer(
        &mut self,
        transfer: &Transfer,
        intake: &mut Intake<&mut dyn RequestSink>,
    ) -> io::Result<()> {
        let file = self.log.files.get(&transfer.file);
        let file = file.copied().unwrap_or(self.unknown);
        if !self.keeps(transfer, file) {
            return Ok(());
        }
        if self.start_ns + transfer.start_ns < self.from_ns {
            self.left_out += transfer.count;
            return Ok(());
        }
        self.requests[transfer.op as usize] += transfer.count;
        let request = RawRequest {
            rank: self.rank,
            op: transfer.op,
            api: transfer.api,
            file,
            start: (self.start_ns + transfer.start_ns) * 1e-9,
            end: (self.start_ns + transfer.end_ns) * 1e-9,
            bytes: transfer.bytes as f64,
        };
        let manner = Manner {
            requests: transfer.count,
            collective: transfer.collective,
            beneath_mpi: Some(transfer.beneath_mpi),
        };
        intake.offer_made(request, manner)
    }

    /// MPI-IO stands on POSIX: what it moves of a file is taken from one of them. What programs move by
    /// POSIX themselves has nothing to do with that.
    fn keeps(&self, transfer: &Transfer, file: FileId) -> bool {
        let api = transfer.api;
        let of_mpi = api == Api::MpiIo || api == Api::Posix && transfer.beneath_mpi;
        match self.layer {
            Layer::Auto if of_mpi && file != self.unknown => self.totals.layer_of_mpi(file) == api,
            Layer::Auto | Layer::All => true,
            Layer::Posix => api == Api::Posix,
            Layer::MpiIo => api == Api::MpiIo,
            Layer::Stdio => api == Api::Stdio,
        }
    }
}
