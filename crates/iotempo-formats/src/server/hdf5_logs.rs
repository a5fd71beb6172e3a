//! Tables of throughput in HDF5: what pylmt makes of LMT's database (`.h5lmt`), and the time series
//! of TOKIO.

use super::gate::{Gate, Series};
use super::hdf5::{File, Object, Table};
use super::options::{Clock, Options, Reading};
use crate::error::{Error, ErrorKind, Place};
use crate::input::Input;
use iotempo_model::{Op, TargetKind, ThroughputSink, counted};

/// What the numbers of a table are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Unit {
    /// Bytes per second.
    Rate,
    /// Bytes in the interval.
    Volume,
}

/// What a stamp is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stamp {
    Start,
    End,
}

/// Where times and targets stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Axes {
    /// A row per target.
    TargetByTime,
    /// A row per time.
    TimeByTarget,
}

/// Throughput of targets in one direction.
struct Throughput {
    op: Op,
    unit: Unit,
    table: Table,
    targets: Vec<String>,
}

pub(super) fn read(
    input: Input,
    options: &Options,
    sink: &mut dyn ThroughputSink,
) -> Result<Reading, Error> {
    let mut file = File::open(input, &options.limits)?;
    let root = file.root()?;
    let names: Vec<String> = root
        .members(&mut file)?
        .into_iter()
        .map(|(name, _)| name)
        .collect();
    let has = |name: &str| names.iter().any(|one| one == name);
    let mut gate = Gate::new(options, sink);
    if has("FSStepsGroup") {
        pylmt(&mut file, &root, &mut gate)?;
        let unit = "bytes per second over the interval that ends at the stamp";
        return Ok(gate.finish("pylmt HDF5 (h5lmt)", unit, Clock::Epoch, None));
    }
    if has("datatargets") {
        tokio(&mut file, &root, &mut gate)?;
        let unit = "bytes, or bytes per second, of the interval that begins at the stamp";
        return Ok(gate.finish("TOKIO time series (HDF5)", unit, Clock::Epoch, None));
    }
    let message = format!(
        "HDF5 without the groups of pylmt (FSStepsGroup) or TOKIO (datatargets): it has {}",
        match names.is_empty() {
            true => "none".to_owned(),
            false => names.into_iter().take(20).collect::<Vec<_>>().join(", "),
        }
    );
    Err(unsupported(message))
}

fn unsupported(message: String) -> Error {
    Error::new("HDF5", Place::Whole, ErrorKind::Unsupported(message))
}

/// `.h5lmt`: rates per OST and step. A step is the end of an interval: the same bytes stand in
/// TOKIO's series of the same day one row earlier, and its first column is empty.
fn pylmt(file: &mut File, root: &Object, gate: &mut Gate<'_>) -> Result<(), Error> {
    let steps = dataset(file, root, "FSStepsGroup", "FSStepsDataSet")?;
    let steps = match steps {
        Some((_, steps)) => steps,
        None => {
            return Err(unsupported(
                "h5lmt without FSStepsGroup/FSStepsDataSet".to_owned(),
            ));
        }
    };
    let missing = dataset(file, root, "FSMissingGroup", "FSMissingDataSet")?;
    let missing = missing.map(|(_, missing)| missing);
    let mut found = false;
    for (op, group, name) in [
        (Op::Read, "OSTReadGroup", "OSTBulkReadDataSet"),
        (Op::Write, "OSTWriteGroup", "OSTBulkWriteDataSet"),
    ] {
        let Some((object, table)) = dataset(file, root, group, name)? else {
            continue;
        };
        found = true;
        let throughput = Throughput {
            op,
            unit: Unit::Rate,
            targets: words(file, &object, "OSTNames")?,
            table,
        };
        let walk = Walk {
            axes: Axes::TargetByTime,
            stamp: Stamp::End,
            times: steps.numbers(),
            missing: missing.as_ref(),
        };
        walk.hand_on(&throughput, gate)?;
    }
    match found {
        true => Ok(()),
        false => Err(unsupported(
            "h5lmt without OSTReadGroup or OSTWriteGroup".to_owned(),
        )),
    }
}

/// TOKIO: volumes or rates per step and target.
fn tokio(file: &mut File, root: &Object, gate: &mut Gate<'_>) -> Result<(), Error> {
    let times = dataset(file, root, "datatargets", "timestamps")?;
    let Some((_, times)) = times else {
        return Err(unsupported(
            "TOKIO's HDF5 without datatargets/timestamps".to_owned(),
        ));
    };
    let mut found = false;
    for (op, volumes, rates) in [
        (Op::Read, "readbytes", "readrates"),
        (Op::Write, "writebytes", "writerates"),
    ] {
        let volume = dataset(file, root, "datatargets", volumes)?;
        let rate = dataset(file, root, "datatargets", rates)?;
        if let (Some((_, volume)), Some((_, rate))) = (&volume, &rate) {
            compare(gate, (volumes, volume), (rates, rate), times.numbers());
        }
        let (name, unit, object, table) = match (volume, rate) {
            (Some((object, table)), _) => (volumes, Unit::Volume, object, table),
            (None, Some((object, table))) => (rates, Unit::Rate, object, table),
            (None, None) => continue,
        };
        found = true;
        let label = words(file, &object, "units")?.into_iter().next();
        check_label(gate, name, unit, label.as_deref());
        let throughput = Throughput {
            op,
            unit,
            targets: words(file, &object, "columns")?,
            table,
        };
        let walk = Walk {
            axes: Axes::TimeByTarget,
            stamp: Stamp::Start,
            times: times.numbers(),
            missing: None,
        };
        walk.hand_on(&throughput, gate)?;
    }
    match found {
        true => Ok(()),
        false => {
            let message = "TOKIO's HDF5 without readbytes, readrates, writebytes or writerates";
            Err(unsupported(message.to_owned()))
        }
    }
}

/// Real files label volumes as rates: names are right where labels are not.
fn check_label(gate: &mut Gate<'_>, name: &str, unit: Unit, label: Option<&str>) {
    let Some(label) = label else { return };
    let is_rate = label.contains('/') || label.contains("per");
    if is_rate == (unit == Unit::Rate) {
        return;
    }
    let taken = match unit {
        Unit::Volume => "bytes in each interval",
        Unit::Rate => "bytes per second",
    };
    gate.warn(
        "unit-doubtful",
        format!("{name} is labelled {label:?}, and by its name holds {taken}: taken by its name"),
    );
}

/// Where volumes and rates are both there, one must be the other times the interval.
fn compare(
    gate: &mut Gate<'_>,
    (volumes, volume): (&str, &Table),
    (rates, rate): (&str, &Table),
    times: &[f64],
) {
    let step = step(times).unwrap_or(1.0);
    let total =
        |table: &Table| -> f64 { table.numbers().iter().filter(|one| one.is_finite()).sum() };
    let (volume, rate) = (total(volume), total(rate) * step);
    if (volume - rate).abs() > 0.01 * volume.abs().max(rate.abs()) {
        gate.warn(
            "unit-doubtful",
            format!(
                "{volumes} hold {volume} bytes, {rates} times the interval of {step} s {rate}: \
                 {volumes} are taken"
            ),
        );
    } else {
        let message = format!("{rates} are {volumes} once more: left out");
        gate.warn("left-out", message);
    }
}

fn dataset(
    file: &mut File,
    root: &Object,
    group: &str,
    name: &str,
) -> Result<Option<(Object, Table)>, Error> {
    let Some(group) = root.member(file, group)? else {
        return Ok(None);
    };
    let Some(object) = group.member(file, name)? else {
        return Ok(None);
    };
    let table = Table::read(file, &object)?;
    Ok(Some((object, table)))
}

/// The words of an attribute; none where it is not there.
fn words(file: &mut File, object: &Object, name: &str) -> Result<Vec<String>, Error> {
    match object.attribute(name)? {
        Some(attribute) => attribute.words(file),
        None => Ok(Vec::new()),
    }
}

/// The interval that times mostly lie apart.
fn step(times: &[f64]) -> Option<f64> {
    let mut lengths: Vec<f64> = times.windows(2).map(|two| two[1] - two[0]).collect();
    lengths.retain(|length| length.is_finite() && *length > 0.0);
    lengths.sort_by(f64::total_cmp);
    lengths.get(lengths.len() / 2).copied()
}

/// How to walk through a table.
struct Walk<'a> {
    axes: Axes,
    stamp: Stamp,
    times: &'a [f64],
    missing: Option<&'a Table>,
}

impl Walk<'_> {
    fn hand_on(&self, throughput: &Throughput, gate: &mut Gate<'_>) -> Result<(), Error> {
        let table = &throughput.table;
        let (targets, times) = match self.axes {
            Axes::TargetByTime => (table.rows, table.columns),
            Axes::TimeByTarget => (table.columns, table.rows),
        };
        let steps = times.min(self.times.len());
        if times != self.times.len() {
            let message = format!(
                "{times} rows of {} for {} times",
                throughput.op,
                self.times.len()
            );
            gate.warn("bad-rows", message);
        }
        let step = gate.usual_interval().or_else(|| step(self.times));
        let step = step.ok_or_else(|| {
            let message = "one time: how long its interval is cannot be told (give the interval)";
            unsupported(message.to_owned())
        })?;
        let first = usize::from(self.stamp == Stamp::End && self.is_empty(throughput, targets));
        let mut unknown = 0;
        for target in 0..targets {
            let Some(series) = self.series(throughput, target, gate) else {
                continue;
            };
            for time in first..steps {
                match self.volume(throughput, target, time, step) {
                    Some((when, bytes)) => gate.moved(series, throughput.op, when, bytes)?,
                    None => unknown += 1,
                }
            }
        }
        if unknown > 0 {
            let values = counted(unknown, "value");
            let message = format!(
                "{values} of {} missing: nothing is known of them",
                throughput.op
            );
            gate.warn("missing-values", message);
        }
        Ok(())
    }

    /// Whether nothing stands at the first time: the difference to what came before is not known.
    fn is_empty(&self, throughput: &Throughput, targets: usize) -> bool {
        (0..targets).all(|target| throughput.table.get(target, 0) == 0.0)
    }

    fn series(
        &self,
        throughput: &Throughput,
        target: usize,
        gate: &mut Gate<'_>,
    ) -> Option<Series> {
        let fallback = format!("target {target}");
        let label = throughput.targets.get(target).unwrap_or(&fallback);
        // TOKIO writes `host:device` where a device alone would be ambiguous.
        match label.split_once(':') {
            Some((host, device)) => gate.series(host, device, TargetKind::Device),
            None => gate.series("", label, TargetKind::StorageTarget),
        }
    }

    /// A volume and its interval; `None` where it is missing. TOKIO marks that by a negative zero.
    fn volume(
        &self,
        throughput: &Throughput,
        target: usize,
        time: usize,
        step: f64,
    ) -> Option<((f64, f64), f64)> {
        let (row, column) = match self.axes {
            Axes::TargetByTime => (target, time),
            Axes::TimeByTarget => (time, target),
        };
        let number = throughput.table.get(row, column);
        let marked = number == 0.0 && number.is_sign_negative();
        let flagged = self
            .missing
            .is_some_and(|flags| flags.get(row, column) != 0.0);
        if number.is_nan() || marked || flagged {
            return None;
        }
        let at = self.times[time];
        let other = match self.stamp {
            Stamp::Start => self.times.get(time + 1),
            Stamp::End => time.checked_sub(1).map(|before| &self.times[before]),
        };
        let length = other.map_or(step, |other| (other - at).abs());
        // Times may be missing in between.
        let length = match length > 0.0 && length <= 1.5 * step {
            true => length,
            false => step,
        };
        let when = match self.stamp {
            Stamp::Start => (at, at + length),
            Stamp::End => (at - length, at),
        };
        let bytes = match throughput.unit {
            Unit::Rate => number * length,
            Unit::Volume => number,
        };
        Some((when, bytes))
    }
}
