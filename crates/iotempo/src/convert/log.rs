//! One log into a table.

use super::about::About;
use super::plan::Plan;
use super::signal::SignalSink;
use super::table::Table;
use crate::failure::{Failure, Unread};
use crate::human;
use crate::inputs::Log;
use crate::settings::Settings;
use crate::talk::Talk;
use iotempo_formats::read;
use iotempo_model::{FileId, Hertz, Request, RequestSink, Selecting, Warning, counted};
use std::io;

/// Why a log is not in the table.
pub(super) enum Trouble {
    /// It could not be read: others may be.
    Input(Failure),
    /// It lay among logs and is none.
    NoLog(Failure),
    /// Its output may not be written.
    Refused(Failure),
    /// The table could not be written: nothing can.
    Output(io::Error),
}

impl From<io::Error> for Trouble {
    fn from(error: io::Error) -> Self {
        Self::Output(error)
    }
}

impl From<Unread> for Trouble {
    fn from(unread: Unread) -> Self {
        match unread {
            Unread::Failed(failure) => Self::Input(failure),
            Unread::NoLog(why) => Self::NoLog(why),
        }
    }
}

/// Reads `log` into `table`.
pub(super) fn convert(
    log: Log,
    plan: &Plan,
    settings: &Settings,
    talk: &Talk,
    table: &mut dyn Table,
) -> Result<About, Trouble> {
    let mut about = match plan.rate {
        None => requests(log, settings, talk, table)?,
        Some(rate) => signal(log, rate, settings, talk, table)?,
    };
    if about.rows == 0 && about.requests > 0 {
        let message = format!(
            "nothing is left of its {}",
            counted(about.requests, "request")
        );
        about.warnings.push(Warning::new("nothing-left", message));
    }
    Ok(about)
}

fn requests(
    log: Log,
    settings: &Settings,
    talk: &Talk,
    table: &mut dyn Table,
) -> Result<About, Trouble> {
    table.begin(&log.name)?;
    let mut sink = Watched {
        table,
        rows: 0,
        error: None,
    };
    let about = pour(log, settings, talk, &mut sink);
    let (rows, error) = (sink.rows, sink.error);
    if let Some(error) = error {
        return Err(Trouble::Output(error));
    }
    let mut about = about.map_err(|mut unread| {
        if let (Unread::Failed(failure), 1..) = (&mut unread, rows) {
            failure.message += &format!(
                " (what comes before is in the output: {})",
                human::plural(rows, "row")
            );
        }
        unread
    })?;
    about.rows = rows;
    Ok(about)
}

fn signal(
    log: Log,
    rate: Hertz,
    settings: &Settings,
    talk: &Talk,
    table: &mut dyn Table,
) -> Result<About, Trouble> {
    let mut sink = SignalSink::new(rate);
    let mut about = pour(log, settings, talk, &mut sink)?;
    let directions = sink
        .finish()
        .map_err(|error| Trouble::Input(Failure::new(about.input.clone(), error)))?;
    table.begin(&about.input)?;
    about.rows = directions.write_into(table)?;
    Ok(about)
}

/// Reads the selected part of `log` into `sink`.
fn pour(
    log: Log,
    settings: &Settings,
    talk: &Talk,
    sink: &mut dyn RequestSink,
) -> Result<About, Unread> {
    let Log {
        name,
        input,
        sha256,
        guessed,
        ..
    } = log;
    let mut counting = Counting {
        sink: Selecting::new(&settings.selection, sink),
        talk,
        requests: 0,
    };
    let reading = read(input, &settings.options, &mut counting);
    let requests = counting.requests;
    let left_out = counting.sink.warnings();
    let mut reading =
        reading.map_err(|error| Unread::of(&name, guessed && requests == 0, &error))?;
    reading.warnings.extend(left_out);
    if reading.damaged && requests == 0 {
        return Err(Unread::destroyed(
            &name,
            "no request of it",
            &reading.warnings,
        ));
    }
    let sha256 = sha256
        .finish()
        .map_err(|error| Unread::Failed(Failure::new(name.clone(), error)))?;
    Ok(About::new(name, sha256, reading, requests))
}

/// Requests between two signs of progress.
const PROGRESS: u64 = 1 << 16;

/// Counts what passes.
struct Counting<'a, S> {
    sink: S,
    talk: &'a Talk,
    requests: u64,
}

impl<S: RequestSink> RequestSink for Counting<'_, S> {
    fn file(&mut self, name: &str) -> FileId {
        self.sink.file(name)
    }

    fn push(&mut self, request: Request) -> io::Result<()> {
        self.requests += 1;
        if self.requests.is_multiple_of(PROGRESS) {
            self.talk.done(PROGRESS);
        }
        self.sink.push(request)
    }
}

/// Tells errors of the table from errors of the log, which readers pass on alike.
struct Watched<'a> {
    table: &'a mut dyn Table,
    rows: u64,
    error: Option<io::Error>,
}

impl RequestSink for Watched<'_> {
    fn file(&mut self, name: &str) -> FileId {
        self.table.file(name)
    }

    fn push(&mut self, request: Request) -> io::Result<()> {
        if let Err(error) = self.table.push(request) {
            self.error = Some(error);
            return Err(io::Error::other("the output cannot be written"));
        }
        self.rows += 1;
        Ok(())
    }
}
