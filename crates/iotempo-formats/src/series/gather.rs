//! Everything that one input says, in the making.

use super::mode::{Mode, direction_of};
use super::names::Names;
use super::repairs::Repairs;
use crate::error::Error;
use crate::reading::Reading;
use iotempo_model::{
    Api, Intake, Interval, Job, Op, Origin, RawRequest, RequestSink, Seconds, Source, Warning,
};
use std::collections::HashMap;

/// The file of requests whose source names none.
const ALL_FILES: &str = "<all files>";

/// Who wrote an input.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Dialect {
    Ftio,
    Tmio,
    GekkoFs,
    MetricProxy,
}

impl Dialect {
    const fn name(self) -> &'static str {
        match self {
            Self::Ftio => "ftio",
            Self::Tmio => "tmio",
            Self::GekkoFs => "gekkofs",
            Self::MetricProxy => "metric proxy",
        }
    }
}

/// What rates are per second of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Unit {
    Bytes,
    Megabytes,
}

/// Gathers modes, pushes their requests, and counts what had to be repaired.
pub(crate) struct Gathering<'a> {
    intake: Intake<&'a mut dyn RequestSink>,
    pub(crate) modes: Vec<Mode>,
    by_name: HashMap<(String, Op), usize>,
    pub(crate) dialect: Dialect,
    /// The unit of a TMIO file that has the fields of old ones, once it is known.
    pub(crate) old_unit: Option<Unit>,
    pub(crate) repairs: Repairs,
    source: Option<Source>,
    pub(crate) observed: Option<Interval>,
    pub(crate) shortest_step: Option<f64>,
    pub(crate) ranks: Option<f64>,
    pub(crate) run_time_s: Option<f64>,
    /// Whether the receiver of the requests failed, which no reader may cover up.
    pub(crate) sink_failed: bool,
}

impl<'a> Gathering<'a> {
    pub(crate) fn new(sink: &'a mut dyn RequestSink) -> Self {
        Self {
            intake: Intake::new(sink),
            modes: Vec::new(),
            by_name: HashMap::new(),
            dialect: Dialect::Ftio,
            old_unit: None,
            repairs: Repairs::default(),
            source: None,
            observed: None,
            shortest_step: None,
            ranks: None,
            run_time_s: None,
            sink_failed: false,
        }
    }

    /// The mode called `name`; where `op` does not say in which direction, its name may.
    pub(crate) fn mode(&mut self, name: &str, op: Option<Op>, api: Api) -> usize {
        let stated = op.or_else(|| direction_of(name));
        let name = match stated {
            _ if !name.is_empty() => name,
            Some(op) => op.name(),
            None => "bandwidth",
        };
        let op = stated.unwrap_or(Op::Write);
        if let Some(&known) = self.by_name.get(&(name.to_owned(), op)) {
            return known;
        }
        if stated.is_none() {
            self.repairs.without_direction.push(name.to_owned());
        }
        let file = if self.dialect == Dialect::MetricProxy {
            name
        } else {
            ALL_FILES
        };
        let file = self.intake.file(file);
        self.modes.push(Mode::new(name, op, api, file));
        let place = self.modes.len() - 1;
        self.by_name.insert((name.to_owned(), op), place);
        place
    }

    /// Passes on one transfer of a mode.
    pub(crate) fn transfer(
        &mut self,
        mode: usize,
        start: f64,
        end: f64,
        bytes: f64,
    ) -> Result<(), Error> {
        let mode = &mut self.modes[mode];
        let before = self.intake.accepted();
        let offered = self.intake.offer(RawRequest {
            rank: -1,
            op: mode.op,
            api: mode.api,
            file: mode.file,
            start,
            end,
            bytes,
        });
        offered.map_err(|error| {
            self.sink_failed = true;
            Error::from(error)
        })?;
        if self.intake.accepted() > before {
            mode.accepted += 1;
            mode.bytes += bytes;
        }
        Ok(())
    }

    /// Notes the kind of evidence; the coarsest stands for the whole input.
    pub(crate) fn evidence(&mut self, source: Source) {
        let coarseness = |source: Source| match source {
            Source::Samples | Source::Server => 2,
            Source::Phases => 1,
            _ => 0,
        };
        if self
            .source
            .is_none_or(|known| coarseness(known) < coarseness(source))
        {
            self.source = Some(source);
        }
    }

    /// How many requests were passed on.
    pub(crate) fn accepted(&self) -> u64 {
        self.intake.accepted()
    }

    /// What became of the input: what was gathered, unless it broke off before its first request.
    ///
    /// # Errors
    /// `damage`, where nothing came before it.
    pub(crate) fn finish(
        self,
        container: &str,
        names: &Names,
        damage: Option<Error>,
    ) -> Result<Reading, Error> {
        match damage {
            Some(error) if self.sink_failed || self.accepted() == 0 => Err(error),
            damage => Ok(self.reading(container, names, damage)),
        }
    }

    fn reading(self, container: &str, names: &Names, damage: Option<Error>) -> Reading {
        let mut warnings = self.warnings();
        warnings.extend(names.warnings());
        let damaged = damage.is_some();
        warnings.extend(damage.map(|error| {
            Warning::new(
                "damaged",
                format!("{error}; what comes before is kept, the rest left out"),
            )
        }));
        let scaled = if self.old_unit == Some(Unit::Megabytes) {
            " (MB)"
        } else {
            ""
        };
        Reading {
            requests: None,
            format: format!("{} {container}{scaled}", self.dialect.name()),
            origin: self.origin(),
            sections: self.modes.into_iter().map(Mode::section).collect(),
            warnings,
            damaged,
        }
    }

    fn origin(&self) -> Origin {
        Origin {
            source: self.source.unwrap_or(Source::Phases),
            resolution: self.shortest_step.and_then(Seconds::new),
            observed: self.observed,
            job: Job {
                ranks: self
                    .ranks
                    .filter(|ranks| *ranks >= 1.0)
                    .map(|ranks| ranks as u64),
                // Some files of TMIO hold zeros in its place.
                run_time_s: self.run_time_s.filter(|seconds| *seconds > 0.0),
                ..Job::default()
            },
            layers: None,
        }
    }

    fn warnings(&self) -> Vec<Warning> {
        let mut warnings = self.intake.warnings();
        warnings.extend(self.repairs.warnings());
        warnings.extend(self.modes.iter().flat_map(Mode::contradictions));
        warnings.extend(self.unit_warning());
        if self.accepted() == 0 {
            let records: u64 = self.modes.iter().map(|mode| mode.records).sum();
            let message = format!("nothing moves in any of its {records} records");
            warnings.push(Warning::new("no-requests", message));
        }
        warnings
    }

    fn unit_warning(&self) -> Option<Warning> {
        if self.dialect == Dialect::MetricProxy {
            let message = "the unit of a metric is not known: taken as bytes per second";
            return Some(Warning::new("unit-assumed", message));
        }
        if self.old_unit == Some(Unit::Megabytes) {
            let message = "an older TMIO file, whose rates are in MB/s: multiplied by 10^6";
            return Some(Warning::new("unit-megabytes", message));
        }
        let (name, mean) = self
            .modes
            .iter()
            .find_map(|mode| Some((&mode.name, mode.doubtful_mean()?)))?;
        let message =
            format!("a transfer of {name} has {mean:.3} bytes in the mean: are its rates in MB/s?");
        Some(Warning::new("unit-doubtful", message))
    }
}
