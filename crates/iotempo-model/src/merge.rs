//! One trace out of the traces of several processes.

use crate::request::{FileId, Interval};
use crate::sink::RequestSink;
use crate::trace::{Trace, TraceBuilder};
use crate::units::Seconds;
use crate::warning::Warning;

impl Trace {
    /// Joins traces whose requests already name their ranks.
    ///
    /// Where traces know when they started, their clocks are aligned: the earliest start becomes
    /// time 0, and a warning tells the largest shift. Traces without a known start keep their times.
    /// The job and the kind of source are those of the first trace; the resolution is the coarsest.
    #[must_use]
    pub fn merge(traces: impl IntoIterator<Item = Self>) -> Self {
        let mut traces: Vec<Self> = traces.into_iter().collect();
        let starts: Vec<_> = traces.iter().map(|t| t.origin.job.start_epoch_s).collect();
        let earliest = starts.iter().flatten().copied().reduce(f64::min);
        let mut warnings = clock_warnings(&starts, earliest);
        for (trace, start) in traces.iter_mut().zip(&starts) {
            let offset = start.zip(earliest).and_then(|(s, e)| Seconds::new(s - e));
            if let Some(offset) = offset.filter(|offset| offset.get() != 0.0) {
                *trace = std::mem::take(trace).shifted(offset);
            }
        }
        let Some(first) = traces.first() else {
            return Self::default();
        };
        let mut origin = first.origin.clone();
        origin.job.start_epoch_s = earliest;
        let mut builder = TraceBuilder::default();
        for trace in &traces {
            let ids: Vec<FileId> = trace
                .files
                .iter()
                .map(|(_, name)| builder.file(name))
                .collect();
            for mut request in trace.iter() {
                // A request on a file that its trace does not know keeps its bytes.
                let known = ids.get(request.file.0 as usize).copied();
                request.file = known.unwrap_or_else(|| builder.file("<unknown>"));
                builder.push(request).expect("a builder never fails");
            }
            let others = (
                trace.origin.resolution,
                trace.origin.observed,
                trace.origin.job.ranks,
            );
            origin.resolution = larger(origin.resolution, others.0);
            origin.observed = hull(origin.observed, others.1);
            origin.job.ranks = origin.job.ranks.max(others.2);
            warnings.extend(trace.warnings.iter().cloned());
        }
        builder.finish(origin, warnings)
    }
}

fn larger(one: Option<Seconds>, other: Option<Seconds>) -> Option<Seconds> {
    match (one, other) {
        (Some(a), Some(b)) => Some(if a > b { a } else { b }),
        (one, other) => one.or(other),
    }
}

fn hull(one: Option<Interval>, other: Option<Interval>) -> Option<Interval> {
    match (one, other) {
        (Some(a), Some(b)) => Some(a.hull(b)),
        (one, other) => one.or(other),
    }
}

fn clock_warnings(starts: &[Option<f64>], earliest: Option<f64>) -> Vec<Warning> {
    let mut warnings = Vec::new();
    let Some(earliest) = earliest else {
        return warnings;
    };
    let largest = starts
        .iter()
        .flatten()
        .map(|s| s - earliest)
        .fold(0.0, f64::max);
    if largest > 0.0 {
        warnings.push(Warning::new(
            "clocks-aligned",
            format!("traces started up to {largest} s apart: aligned by their start times"),
        ));
    }
    let unknown = starts.iter().filter(|start| start.is_none()).count();
    if unknown > 0 {
        warnings.push(Warning::new(
            "clock-unknown",
            format!(
                "{unknown} of {} traces do not say when they started: not aligned",
                starts.len()
            ),
        ));
    }
    warnings
}
