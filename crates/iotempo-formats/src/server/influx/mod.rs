//! InfluxDB: its line protocol, and what its query languages answer as JSON and CSV.

mod csv;
mod json;
mod lines;
mod sheet;

use super::flows::Measure;
use super::metrics::{Emitter, Stop, Survey, Taker, Wishes};
use super::options::{Clock, Options, Reading};
use crate::error::Error;
use crate::input::Input;
use crate::table::field;
use crate::zone;
use iotempo_model::{ThroughputSink, counted};
use std::io::BufRead;

/// How an export is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    Lines,
    Json,
    Csv,
    Annotated,
}

impl Form {
    fn of(head: &[u8]) -> Option<Self> {
        if json::sniff(head) {
            return Some(Self::Json);
        }
        csv::sniff(head).or_else(|| lines::sniff(head).then_some(Self::Lines))
    }

    const fn name(self) -> &'static str {
        match self {
            Self::Lines => "InfluxDB line protocol",
            Self::Json => "InfluxDB JSON",
            Self::Csv => "InfluxDB CSV",
            Self::Annotated => "InfluxDB annotated CSV",
        }
    }
}

pub(super) fn sniff(head: &[u8]) -> bool {
    Form::of(head).is_some()
}

/// What is to be said about an export, whatever its form.
struct Notes {
    zone: zone::Clock,
    /// Where rows without a time lie: one interval after the other, from here.
    start: Option<f64>,
    interval: Option<f64>,
    timeless: u64,
    /// Whether times count from the beginning of the log.
    undated: bool,
    bad: u64,
    first_bad: Option<Error>,
    said: Vec<String>,
}

impl Notes {
    fn new(options: &Options) -> Self {
        Self {
            zone: zone::Clock::of_running_log(options.zone.clone()),
            start: options.start,
            interval: options.interval.map(iotempo_model::Seconds::get),
            timeless: 0,
            undated: false,
            bad: 0,
            first_bad: None,
            said: Vec::new(),
        }
    }

    fn bad(&mut self, error: impl FnOnce() -> Error) {
        self.bad += 1;
        self.first_bad.get_or_insert_with(error);
    }

    /// The time of a text: a date, or a number whose size tells its unit.
    fn time(&mut self, text: &[u8]) -> Option<f64> {
        match field::number(text) {
            Some(number) => Some(epoch_s(number)),
            None => self.zone.epoch_s(std::str::from_utf8(text).ok()?),
        }
    }

    fn tell(&self, emitter: &mut Emitter<'_>) {
        if self.undated && self.start.is_some() {
            emitter.use_start();
        }
        for warning in self.zone.warnings() {
            emitter.add_warning(warning);
        }
        if let Some(first) = &self.first_bad {
            let lines = counted(self.bad, "row");
            let message = format!("{lines} could not be read: left out (the first: {first})");
            emitter.warn("bad-rows", message);
        }
        if self.timeless > 0 {
            let points = counted(self.timeless, "point");
            let message = format!("{points} without a time: left out");
            emitter.warn("no-time", message);
        }
        for said in &self.said {
            emitter.warn("influxdb", format!("InfluxDB says: {said}"));
        }
    }

    fn clock(&self) -> Clock {
        match self.zone.zone() {
            _ if self.undated && self.start.is_none() => Clock::Relative,
            Some(zone) => Clock::Zone(zone.name().to_owned()),
            None => Clock::Epoch,
        }
    }
}

/// Seconds since 1970 of a number of seconds, milliseconds, microseconds or nanoseconds: its size
/// tells which, for all times from 1973 to 5138.
fn epoch_s(number: f64) -> f64 {
    let size = number.abs();
    let over = if size < 1e11 {
        1.0
    } else if size < 1e14 {
        1e3
    } else if size < 1e17 {
        1e6
    } else {
        1e9
    };
    number / over
}

pub(super) fn read(
    input: Input,
    options: &Options,
    sink: &mut dyn ThroughputSink,
) -> Result<Reading, Error> {
    let Some(form) = Form::of(input.head()) else {
        return Err(super::unknown(input.head()));
    };
    let wishes = Wishes::new(options)?;
    let [look, all] = input.twice()?;
    let mut survey = Survey::new(&options.limits);
    // Damage is told of when it is met again.
    let _ = walk(form, look, options, &mut survey, &mut Notes::new(options));
    let mut emitter = Emitter::new(options, wishes, Measure::PerInterval, sink);
    emitter.prepare(survey);
    let mut notes = Notes::new(options);
    let damage = match walk(form, all, options, &mut emitter, &mut notes) {
        Ok(()) => None,
        Err(stop) => Some(stop.damage()?),
    };
    notes.tell(&mut emitter);
    if emitter.readings() == 0 && damage.is_none() {
        if let Some(first) = notes.first_bad {
            return Err(first);
        }
        if notes.timeless > 0 {
            let what = "points without a time: give --interval where they are evenly spaced";
            let kind = crate::error::ErrorKind::Unsupported(what.to_owned());
            return Err(Error::new("", crate::error::Place::Whole, kind));
        }
    }
    emitter.finish(form.name(), notes.clock(), damage)
}

fn walk(
    form: Form,
    reader: Box<dyn BufRead + Send>,
    options: &Options,
    taker: &mut dyn Taker,
    notes: &mut Notes,
) -> Result<(), Stop> {
    match form {
        Form::Lines => lines::walk(reader, options, taker, notes),
        Form::Json => json::walk(reader, options, taker, notes),
        Form::Csv | Form::Annotated => csv::walk(form, reader, options, taker, notes),
    }
}

#[cfg(test)]
mod tests {
    use super::epoch_s;

    #[test]
    fn the_size_of_a_time_tells_its_unit() {
        for number in [1.7e9, 1.7e12, 1.7e15, 1.7e18] {
            assert_eq!(epoch_s(number), 1.7e9);
        }
    }
}
