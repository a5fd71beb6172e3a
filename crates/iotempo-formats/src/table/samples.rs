//! Tables of samples: a rate that holds until the next time.

use super::bad_rows::BadRows;
use super::field;
use super::gate::damage_warning;
use super::layout::SampleColumns;
use super::numbers::Wanted;
use super::requests::{field_error, width_error};
use super::rows::{Delimiter, Next, Row, Rows};
use super::times::odd_unit;
use crate::error::Error;
use crate::reading::{Reading, Section};
use iotempo_model::{
    Api, FileId, Intake, Interval, Op, Origin, Rank, RawRequest, RequestSink, Seconds, Source,
    Warning, counted,
};

/// Steps that differ from the mean by less than this share of it are even: clocks jitter, and months
/// have 28 to 31 days.
const EVEN: f64 = 0.1;

/// A row: a time and a rate per direction, in bytes per second.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Sample {
    time: f64,
    /// In the order of the columns.
    rates: [f64; 2],
}

/// Reads rows into `sink`. Samples are held in memory: they may have to be sorted.
pub(super) fn read(
    mut rows: Rows,
    names: &[String],
    columns: &SampleColumns,
    sink: &mut dyn RequestSink,
) -> Result<Reading, Error> {
    let mut gathered = Gathered::default();
    let damage = match gathered.read(&mut rows, names, columns) {
        Err(Stop::Table(error)) => return Err(error),
        Err(Stop::Damage(error)) if gathered.samples.is_empty() => return Err(error),
        Err(Stop::Damage(error)) => Some(error.to_string()),
        Ok(()) => None,
    };
    gathered.bad.judge()?;
    let mut warnings = column_warnings(columns);
    warnings.extend(gathered.bad.warning());
    warnings.extend(damage.as_deref().map(damage_warning));
    let mut series = Series::new(gathered, &mut warnings);
    let bytes = series.push_into(columns, sink, &mut warnings)?;
    Ok(series.reading(bytes, damage, warnings))
}

/// Why no more samples are read.
enum Stop {
    /// The input is damaged from here on.
    Damage(Error),
    /// It is no such table.
    Table(Error),
}

/// What was read.
#[derive(Default)]
struct Gathered {
    samples: Vec<Sample>,
    bad: BadRows,
    /// The first line that lacks a rate.
    first_gap: Option<u64>,
}

impl Gathered {
    /// Reads all rows.
    fn read(
        &mut self,
        rows: &mut Rows,
        names: &[String],
        columns: &SampleColumns,
    ) -> Result<(), Stop> {
        let wanted = columns.wanted(rows.delimiter(), names.len());
        let mut numbers = [0.0; 3];
        // A bad row has its moment, too.
        for index in 0.. {
            let next = match &wanted {
                Some(wanted) => rows.next_numbers(wanted, &mut numbers),
                None => rows.next().map(|row| row.map_or(Next::End, Next::Row)),
            };
            match next.map_err(Stop::Damage)? {
                Next::Numbers => self.keep(columns.plain(&numbers, index)),
                Next::Row(row) => match sample(row, names, columns, index) {
                    Ok(sample) => {
                        if sample.rates.iter().any(|rate| rate.is_nan()) {
                            self.first_gap.get_or_insert(row.number);
                        }
                        self.keep(sample);
                    }
                    Err(error) => self.bad.bad(|| error),
                },
                Next::End => return Ok(()),
            }
            if self.bad.verdict_is_due() {
                self.bad.judge().map_err(Stop::Table)?;
            }
        }
        Ok(())
    }

    fn keep(&mut self, sample: Sample) {
        self.bad.good();
        self.samples.push(sample);
    }
}

impl SampleColumns {
    /// Where the numbers of a plain row are: the rates, then the time. `None` where rows are never
    /// plain.
    fn wanted(&self, delimiter: Delimiter, width: usize) -> Option<Wanted> {
        let rates = self.rates.iter().map(|(_, column)| column.index);
        let time = self.time.map(|column| column.index);
        let indices: Vec<_> = rates.chain(time).collect();
        let twice = |index: &usize| indices.iter().filter(|other| *other == index).count() > 1;
        let plain = !self.compact_dates && !indices.iter().any(twice);
        plain.then(|| Wanted::new(delimiter, width, &indices))?
    }

    /// The sample of a plain row.
    fn plain(&self, numbers: &[f64; 3], index: usize) -> Sample {
        let mut rates = [0.0; 2];
        for ((rate, (_, column)), number) in rates.iter_mut().zip(&self.rates).zip(numbers) {
            *rate = column.scale.apply(*number);
        }
        let time = match self.time {
            Some(column) => column.scale.apply(numbers[self.rates.len()]),
            None => self.time_of_row(index),
        };
        Sample { time, rates }
    }

    /// When a row is that does not say.
    fn time_of_row(&self, index: usize) -> f64 {
        index as f64 * self.step.unwrap_or(1.0)
    }
}

fn sample(
    row: &Row,
    names: &[String],
    columns: &SampleColumns,
    index: usize,
) -> Result<Sample, Error> {
    if row.len() != names.len() {
        return Err(width_error(row, names));
    }
    let date = |text| columns.compact_dates.then(|| field::compact_date(text))?;
    let time = match columns.time {
        Some(column) => date(row.get(column.index))
            .or_else(|| field::time(row.get(column.index), column.scale))
            .filter(|time| time.is_finite())
            .ok_or_else(|| field_error(row, names, column.index, "not a time"))?,
        None => columns.time_of_row(index),
    };
    let mut rates = [0.0; 2];
    for (rate, (_, column)) in rates.iter_mut().zip(&columns.rates) {
        *rate = match row.get(column.index) {
            b"" => MISSING,
            text => match field::number(text) {
                Some(number) if number.is_finite() => column.scale.apply(number),
                Some(_) => MISSING,
                None => return Err(field_error(row, names, column.index, "not a number")),
            },
        };
    }
    Ok(Sample { time, rates })
}

/// Monitoring leaves a field empty where it missed a sample; tools that compute rates write `NaN`
/// or `inf` there.
const MISSING: f64 = f64::NAN;

fn column_warnings(columns: &SampleColumns) -> Vec<Warning> {
    let mut warnings = Vec::new();
    if columns.time.is_none() && columns.step.is_none() {
        let message = "no column holds a time: one second a row";
        warnings.push(Warning::new("no-time", message));
    }
    if let Some(name) = &columns.undirected {
        let message = format!(
            "column {name} does not say whether data was read or written: counted as written"
        );
        warnings.push(Warning::new("direction-unknown", message));
    }
    warnings
}

/// Samples in order of time.
struct Series {
    samples: Vec<Sample>,
    /// The time between two samples: the mean where it is even, else the median.
    step: Option<f64>,
    /// Until when the last sample holds.
    end: Option<f64>,
}

impl Series {
    fn new(gathered: Gathered, warnings: &mut Vec<Warning>) -> Self {
        let Gathered {
            mut samples,
            first_gap,
            ..
        } = gathered;
        if !samples.is_sorted_by(|a, b| a.time <= b.time) {
            samples.sort_by(|a, b| a.time.total_cmp(&b.time));
            let message = "the times do not ascend: rows were sorted by time";
            warnings.push(Warning::new("not-sorted", message));
        }
        let steps = samples.windows(2).map(|pair| pair[1].time - pair[0].time);
        let repeated = steps.clone().filter(|step| *step == 0.0).count();
        if repeated > 0 {
            let message = format!(
                "left out {} with the time of the next one",
                counted(repeated as u64, "row")
            );
            warnings.push(Warning::new("same-time", message));
        }
        let even = even_step(&samples);
        let last = samples.last().map(|sample| sample.time);
        warnings.extend(last.and_then(odd_unit));
        if even.is_none() && last.is_some() {
            let message = "nothing says how long the last sample holds: left out";
            warnings.push(Warning::new("last-sample", message));
        }
        let step = even.or_else(|| median(steps.filter(|step| *step > 0.0).collect()));
        let end = last.map(|last| last + even.unwrap_or(0.0));
        warnings.extend(fill_in(&mut samples, first_gap));
        Self { samples, step, end }
    }

    /// Pushes every sample that holds for a while and moves something; bytes per direction.
    fn push_into(
        &mut self,
        columns: &SampleColumns,
        sink: &mut dyn RequestSink,
        warnings: &mut Vec<Warning>,
    ) -> Result<[f64; 2], Error> {
        let mut intake = Intake::new(sink);
        let file = intake.file("");
        let mut bytes = [0.0; 2];
        let mut negative = 0_u64;
        let moving = |(_, sample): &(usize, &Sample)| sample.rates != [0.0; 2];
        for (index, sample) in self.samples.iter().enumerate().filter(moving) {
            let next = self.samples.get(index + 1).map(|next| next.time);
            let end = next.or(self.end).unwrap_or(sample.time);
            for (&rate, &(op, _)) in sample.rates.iter().zip(&columns.rates) {
                negative += u64::from(rate < 0.0);
                if rate <= 0.0 || end <= sample.time {
                    continue;
                }
                let before = intake.accepted();
                let raw = raw(op, file, sample.time, end, rate);
                intake.offer(raw)?;
                if intake.accepted() > before {
                    bytes[op as usize] += raw.bytes;
                }
            }
        }
        if negative > 0 {
            let message = format!(
                "left out {} with a negative rate",
                counted(negative, "sample")
            );
            warnings.push(Warning::new("negative-rate", message));
        }
        warnings.extend(intake.warnings_about("sample"));
        Ok(bytes)
    }

    fn reading(&self, bytes: [f64; 2], damage: Option<String>, warnings: Vec<Warning>) -> Reading {
        let mut origin = Origin::new(Source::Samples);
        origin.resolution = self.step.and_then(Seconds::new);
        let first = self
            .samples
            .first()
            .and_then(|sample| Seconds::new(sample.time));
        let end = self.end.and_then(Seconds::new);
        origin.observed = first
            .zip(end)
            .and_then(|(first, end)| Interval::new(first, end).ok());
        let section = Section {
            name: "samples".to_owned(),
            records: self.samples.len() as u64,
            bytes_read: Some(bytes[Op::Read as usize]),
            bytes_written: Some(bytes[Op::Write as usize]),
            damage: damage.clone(),
            ..Section::default()
        };
        Reading {
            requests: None,
            format: "table of samples".to_owned(),
            origin,
            sections: vec![section],
            warnings,
            damaged: damage.is_some(),
        }
    }
}

fn raw(op: Op, file: FileId, start: f64, end: f64, rate: f64) -> RawRequest {
    RawRequest {
        rank: i64::from(Rank::SHARED.0),
        op,
        api: Api::Unknown,
        file,
        start,
        end,
        bytes: rate * (end - start),
    }
}

/// The mean step, where all are even.
fn even_step(samples: &[Sample]) -> Option<f64> {
    let (first, last) = samples.first().zip(samples.last())?;
    let steps = samples.windows(2).map(|pair| pair[1].time - pair[0].time);
    let mean = (last.time - first.time) / steps.len() as f64;
    let even = mean > 0.0 && steps.clone().all(|step| (step - mean).abs() <= EVEN * mean);
    even.then_some(mean)
}

/// Fills in missing rates on a straight line between their neighbours; those without one on either
/// side become idle. `first` is the line of the first.
fn fill_in(samples: &mut [Sample], first: Option<u64>) -> Option<Warning> {
    let missing = incomplete(samples);
    for column in [0, 1] {
        fill_in_column(samples, column);
    }
    let left_out = incomplete(samples);
    for rate in samples.iter_mut().flat_map(|sample| &mut sample.rates) {
        *rate = if rate.is_nan() { 0.0 } else { *rate };
    }
    let ends = match left_out {
        0 => String::new(),
        ends => format!("; left out {ends} without a neighbour on both sides"),
    };
    let first = first.map_or(String::new(), |line| format!(" (the first in line {line})"));
    let whose = if missing == 1 { "its" } else { "their" };
    let message = format!(
        "{} without a rate{first}: filled in on a straight line between {whose} neighbours{ends}",
        counted(missing, "sample")
    );
    (missing > 0).then(|| Warning::new("missing-rates", message))
}

/// How many samples lack a rate in either direction.
fn incomplete(samples: &[Sample]) -> u64 {
    let next = samples
        .iter()
        .skip(1)
        .map(|next| next.time)
        .chain([f64::INFINITY]);
    let incomplete = samples.iter().zip(next).filter(|(sample, next)| {
        // Of rows with the same time, the last one counts.
        sample.time < *next && sample.rates.iter().any(|rate| rate.is_nan())
    });
    incomplete.count() as u64
}

/// Fills in what has a neighbour on both sides.
fn fill_in_column(samples: &mut [Sample], column: usize) {
    let point = |sample: &Sample| (sample.time, sample.rates[column]);
    let mut begin = 0;
    while let Some(length) = samples[begin..]
        .iter()
        .position(|sample| sample.rates[column].is_nan())
    {
        begin += length;
        let (before, gap) = samples.split_at_mut(begin);
        let length = gap.iter().take_while(|s| s.rates[column].is_nan()).count();
        let (gap, after) = gap.split_at_mut(length);
        let ends = before.last().map(point).zip(after.first().map(point));
        let ends = ends.filter(|(a, b)| a.0 < b.0 && a.1.is_finite() && b.1.is_finite());
        if let Some((a, b)) = ends {
            for sample in gap {
                sample.rates[column] = line(a, b, sample.time);
            }
        }
        begin += length;
    }
}

/// The value at `time` on the line through two points.
fn line(a: (f64, f64), b: (f64, f64), time: f64) -> f64 {
    a.1 + (b.1 - a.1) * ((time - a.0) / (b.0 - a.0))
}

/// The middle value; of an even number, the upper one, so that it is a step that was seen.
fn median(mut values: Vec<f64>) -> Option<f64> {
    let middle = values.len() / 2;
    (!values.is_empty()).then(|| *values.select_nth_unstable_by(middle, f64::total_cmp).1)
}
