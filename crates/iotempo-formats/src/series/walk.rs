//! From a document to its modes.

use super::gather::{Dialect, Gathering, Unit};
use super::mode::SMALLEST_MEAN_BYTES;
use super::names::Scalar;
use super::node::{Node, Values};
use super::shape::Series;
use crate::error::Error;
use iotempo_model::{Api, Op, Source};
use std::collections::HashSet;

/// Maps that hold a mode's series and do not name one.
const CONTAINERS: [&str; 3] = ["", "bandwidth", "metrics"];

/// TMIO prints totals with three digits.
const THREE_DIGITS: f64 = 0.005;
/// TMIO prints times to the microsecond: an interval may be off by one.
const PRINTED_TICK_S: f64 = 1e-6;
/// What a total of anyone else may be off.
const OTHER_TOTALS: f64 = 0.01;

/// What the maps around a series say about it.
#[derive(Debug, Clone, Copy)]
struct Scope<'a> {
    mode: &'a str,
    api: Api,
    facts: Facts,
    /// The error that broke the document off inside this map.
    cut: Option<&'a Error>,
}

#[derive(Debug, Clone, Copy, Default)]
struct Facts {
    total_bytes: Option<f64>,
    phases: Option<f64>,
    requests: Option<f64>,
    old: bool,
    op: Option<Op>,
}

impl Facts {
    fn of(node: &Node) -> Self {
        Self {
            total_bytes: node.scalar(Scalar::TotalBytes),
            phases: node.scalar(Scalar::Phases),
            requests: node.scalar(Scalar::Requests),
            old: node.scalar(Scalar::OldTransferSize).is_some(),
            op: node.direction.as_deref().and_then(|text| text.parse().ok()),
        }
    }
}

impl Gathering<'_> {
    /// Takes all modes of a document; `cut` is the error that it broke off with.
    pub(crate) fn document(&mut self, document: Node, cut: Option<&Error>) -> Result<(), Error> {
        let tmio = is_tmio(&document);
        if tmio {
            self.dialect = self.dialect.max(Dialect::Tmio);
        }
        let scope = Scope {
            mode: "",
            api: if tmio { Api::MpiIo } else { Api::Unknown },
            facts: Facts::default(),
            cut,
        };
        self.walk(document, &scope)
    }

    fn walk(&mut self, mut node: Node, scope: &Scope<'_>) -> Result<(), Error> {
        let name = std::mem::take(&mut node.name);
        self.note(&node);
        let own = Scope {
            mode: if CONTAINERS.contains(&name.as_str()) {
                scope.mode
            } else {
                &name
            },
            facts: if name == "bandwidth" {
                scope.facts
            } else {
                Facts::of(&node)
            },
            ..*scope
        };
        self.node(&mut node, &own)?;
        let derived = derived_metrics(&node);
        let count = node.children.len();
        for (place, child) in node.children.into_iter().enumerate() {
            let cut = own.cut.filter(|_| place + 1 == count);
            if child.metric && derived.contains(&child.name) {
                self.leave_out(child);
                continue;
            }
            self.walk(child, &Scope { cut, ..own })?;
        }
        Ok(())
    }

    fn note(&mut self, node: &Node) {
        if let Some(ranks) = node.scalar(Scalar::Ranks) {
            self.ranks = Some(self.ranks.map_or(ranks, |known| known.max(ranks)));
        }
        if let Some(seconds) = node.scalar(Scalar::RunTime) {
            *self.run_time_s.get_or_insert_default() += seconds;
        }
    }

    fn node(&mut self, node: &mut Node, scope: &Scope<'_>) -> Result<(), Error> {
        let gekkofs = node.columns.iter().any(Values::is_of_gekkofs);
        let begun = !node.columns.is_empty();
        if node.metric {
            self.dialect = Dialect::MetricProxy;
        } else if gekkofs {
            self.dialect = self.dialect.max(Dialect::GekkoFs);
        }
        let series = node.take_series(scope.mode, scope.cut.is_some())?;
        if begun {
            let mode = self.mode(scope.mode, scope.facts.op, scope.api);
            if let Some(error) = scope.cut {
                self.modes[mode].damage = Some(error.to_string());
            }
            if let Some(series) = series {
                self.take(mode, series, gekkofs, scope)?;
            }
        }
        Ok(())
    }

    fn take(
        &mut self,
        mode: usize,
        series: Series,
        gekkofs: bool,
        scope: &Scope<'_>,
    ) -> Result<(), Error> {
        if scope.mode.ends_with("_async_b") {
            self.modes[mode].counted = false;
            self.modes[mode].records += series.len() as u64;
            return Ok(());
        }
        self.evidence(match &series {
            Series::Steps { .. } => Source::Samples,
            Series::Phases { .. } if !gekkofs => Source::Phases,
            _ => Source::Requests,
        });
        let scale = self.scale(&series, scope.facts);
        if scope.cut.is_none() {
            self.state(mode, &series, scale, gekkofs, scope.facts);
        }
        self.series(mode, series, scale)
    }

    /// How many bytes a rate counts. TMIO once measured in MB, and a file with the fields of that
    /// time may have been converted since: its transfers tell.
    fn scale(&mut self, series: &Series, facts: Facts) -> f64 {
        if facts.old
            && self.old_unit.is_none()
            && let volume = series.volume()
            && volume > 0.0
        {
            let small = volume / (series.len() as f64) < SMALLEST_MEAN_BYTES;
            self.old_unit = Some(if small { Unit::Megabytes } else { Unit::Bytes });
        }
        if facts.old && self.old_unit == Some(Unit::Megabytes) {
            1e6
        } else {
            1.0
        }
    }

    /// Notes what the input states about the series.
    fn state(&mut self, mode: usize, series: &Series, scale: f64, gekkofs: bool, facts: Facts) {
        let mode = &mut self.modes[mode];
        if let Some(stated) = facts.total_bytes {
            let bytes = if facts.old {
                old_total(stated, series.volume() * scale)
            } else {
                stated
            };
            let tolerance = if facts.phases.is_some() {
                bytes * THREE_DIGITS + series.sum_of_rates() * scale * PRINTED_TICK_S
            } else {
                bytes * OTHER_TOTALS
            };
            mode.state_bytes(bytes, tolerance);
        }
        if let Some(records) = facts.phases.or(facts.requests.filter(|_| gekkofs)) {
            mode.state_records(records);
        }
        if let Some(requests) = facts.requests {
            mode.add_requests(requests as u64);
        }
    }

    /// A running total whose derivative is there too: both are the same data.
    fn leave_out(&mut self, metric: Node) {
        self.dialect = Dialect::MetricProxy;
        let mode = self.mode(&metric.name, None, Api::Unknown);
        self.modes[mode].counted = false;
        self.modes[mode].records += metric
            .columns
            .first()
            .map_or(0, |column| column.values.len() as u64);
    }
}

/// The total of an old TMIO file in bytes. FTIO's converter multiplies the rates and forgets the
/// totals, so that either unit may stand beside rates in bytes.
fn old_total(stated: f64, sum: f64) -> f64 {
    let in_megabytes = stated * 1e6;
    if (in_megabytes - sum).abs() < (stated - sum).abs() {
        in_megabytes
    } else {
        stated
    }
}

fn is_tmio(document: &Node) -> bool {
    let of_tmio = |node: &Node| node.name == "io_time" || node.scalar(Scalar::Phases).is_some();
    of_tmio(document) || document.children.iter().any(of_tmio)
}

/// The metrics of a proxy whose derivative it gives beside them.
fn derived_metrics(node: &Node) -> HashSet<String> {
    let metrics = node.children.iter().filter(|child| child.metric);
    metrics
        .filter_map(|metric| metric.name.strip_prefix("deriv__"))
        .map(str::to_owned)
        .collect()
}
