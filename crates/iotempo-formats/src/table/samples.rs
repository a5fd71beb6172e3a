//! Tables of samples: a rate that holds until the next time.

use super::bad_rows::BadRows;
use super::field;
use super::gate::damage_warning;
use super::layout::SampleColumns;
use super::requests::{field_error, width_error};
use super::rows::{Row, Rows};
use crate::error::Error;
use crate::reading::{Reading, Section};
use iotempo_model::{
    Api, FileId, Intake, Interval, Op, Origin, Rank, RawRequest, RequestSink, Seconds, Source,
    Warning,
};

/// Steps that differ from the median by less than this share of it are even: clocks jitter.
const EVEN: f64 = 0.01;

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
    let mut bad = BadRows::default();
    let mut samples = Vec::new();
    let mut index = 0;
    let damage = loop {
        match rows.next() {
            Ok(Some(row)) => {
                match sample(row, names, columns, index) {
                    Ok(sample) => {
                        bad.good();
                        samples.push(sample);
                    }
                    Err(error) => bad.bad(|| error),
                }
                // A bad row has its moment, too.
                index += 1;
            }
            Ok(None) => break None,
            Err(error) => break Some(error),
        }
        if bad.verdict_is_due() {
            bad.judge()?;
        }
    };
    bad.judge()?;
    let damage = match damage {
        Some(error) if samples.is_empty() => return Err(error),
        damage => damage.map(|error| error.to_string()),
    };
    let mut warnings = column_warnings(columns);
    warnings.extend(bad.warning());
    warnings.extend(damage.as_deref().map(damage_warning));
    let mut series = Series::new(samples, &mut warnings);
    let bytes = series.push_into(columns, sink, &mut warnings)?;
    Ok(series.reading(bytes, damage, warnings))
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
    let time = match columns.time {
        Some(column) => field::time(row.get(column.index), column.scale)
            .filter(|time| time.is_finite())
            .ok_or_else(|| field_error(row, names, column.index, "not a time"))?,
        None => index as f64,
    };
    let mut rates = [0.0; 2];
    for (rate, (_, column)) in rates.iter_mut().zip(&columns.rates) {
        // Monitoring leaves a field empty where it missed a sample.
        *rate = match row.get(column.index) {
            b"" => f64::NAN,
            text => field::number(text)
                .ok_or_else(|| field_error(row, names, column.index, "not a number"))?,
        };
        *rate = column.scale.apply(*rate);
    }
    Ok(Sample { time, rates })
}

fn column_warnings(columns: &SampleColumns) -> Vec<Warning> {
    let mut warnings = Vec::new();
    if columns.time.is_none() {
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
    /// The median time between two samples.
    step: Option<f64>,
    /// Until when the last sample holds.
    end: Option<f64>,
}

impl Series {
    fn new(mut samples: Vec<Sample>, warnings: &mut Vec<Warning>) -> Self {
        if !samples.is_sorted_by(|a, b| a.time <= b.time) {
            samples.sort_by(|a, b| a.time.total_cmp(&b.time));
            let message = "the times do not ascend: rows were sorted by time";
            warnings.push(Warning::new("not-sorted", message));
        }
        let steps = samples.windows(2).map(|pair| pair[1].time - pair[0].time);
        let step = median(steps.clone().filter(|step| *step > 0.0).collect());
        let repeated = steps.clone().filter(|step| *step == 0.0).count();
        if repeated > 0 {
            let message = format!("{repeated} rows have the time of the next row: left out");
            warnings.push(Warning::new("same-time", message));
        }
        let even = step.filter(|middle| steps.clone().all(|s| (s - middle).abs() <= EVEN * middle));
        let last = samples.last().map(|sample| sample.time);
        if even.is_none() && last.is_some() {
            let message = "nothing says how long the last sample holds: left out";
            warnings.push(Warning::new("last-sample", message));
        }
        let end = last.map(|last| last + even.unwrap_or(0.0));
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
        for (index, sample) in self.samples.iter().enumerate() {
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
            let message = format!("{negative} rates are negative: left out");
            warnings.push(Warning::new("negative-rate", message));
        }
        warnings.extend(intake.warnings());
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

/// The middle value; of an even number, the upper one, so that it is a step that was seen.
fn median(mut values: Vec<f64>) -> Option<f64> {
    let middle = values.len() / 2;
    (!values.is_empty()).then(|| *values.select_nth_unstable_by(middle, f64::total_cmp).1)
}
