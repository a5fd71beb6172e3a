//! The log of a server as requests: each volume of an interval is one, on a file that is called as
//! its target. So every verb that takes a trace takes the log of a server, too.

use super::options::{Clock, Options};
use super::{Kind, read_as};
use crate::error::Error;
use crate::input::Input;
use crate::reading::{ReadOptions, Reading, Section};
use iotempo_model::{
    Api, FileId, Interval, Moved, Origin, Rank, Request, RequestSink, Seconds, Source, Target,
    TargetId, ThroughputSink, counted,
};
use std::io;

/// Reads the log of a server and pushes its volumes into `sink`.
pub(crate) fn read_requests(
    kind: Kind,
    input: Input,
    options: &ReadOptions,
    sink: &mut dyn RequestSink,
) -> Result<Reading, Error> {
    let options = Options {
        interval: options.step,
        columns: options.columns.clone(),
        limits: options.limits,
        ..Options::default()
    };
    let mut requests = Requests {
        sink,
        files: Vec::new(),
        zero: None,
    };
    let reading = read_as(kind, input, &options, &mut requests)?;
    let zero = requests.zero.unwrap_or_default();
    let mut origin = Origin::new(Source::Server);
    origin.resolution = reading.interval;
    origin.observed = reading.observed.and_then(|all| shifted(all, zero));
    if reading.clock != Clock::Relative {
        origin.job.start_epoch_s = Some(zero.get());
    }
    let section = Section {
        name: format!("{}, {}", counted(reading.targets, "target"), reading.unit),
        records: reading.samples,
        bytes_read: Some(reading.bytes[0]),
        bytes_written: Some(reading.bytes[1]),
        ..Section::default()
    };
    Ok(Reading {
        format: reading.format,
        origin,
        sections: vec![section],
        requests: None,
        warnings: reading.warnings,
        damaged: reading.damaged,
    })
}

/// Targets as files.
struct Requests<'a> {
    sink: &'a mut dyn RequestSink,
    files: Vec<FileId>,
    /// When the first interval began: time 0 of the trace.
    zero: Option<Seconds>,
}

fn shifted(when: Interval, zero: Seconds) -> Option<Interval> {
    Interval::new(when.start() - zero, when.end() - zero).ok()
}

impl ThroughputSink for Requests<'_> {
    fn target(&mut self, target: &Target) -> TargetId {
        self.files.push(self.sink.file(&target.label()));
        TargetId(u32::try_from(self.files.len() - 1).unwrap_or(u32::MAX))
    }

    fn moved(&mut self, moved: Moved) -> io::Result<()> {
        let Some(&file) = self.files.get(moved.target.0 as usize) else {
            return Ok(());
        };
        let zero = *self.zero.get_or_insert(moved.when.start());
        let Some(when) = shifted(moved.when, zero) else {
            return Ok(());
        };
        self.sink.push(Request {
            rank: Rank::SHARED,
            op: moved.op,
            api: Api::Unknown,
            file,
            when,
            bytes: moved.bytes,
        })
    }
}
