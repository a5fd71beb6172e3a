//! What extended tracing or a heatmap of the same job says about phases.

use iotempo_analysis::phases::{Agreement, Checks, IoPhase, Settings, of_bins};
use iotempo_formats::darshan::CountedLog;
use iotempo_model::{Api, Op, Warning, counted};
use std::collections::{BTreeMap, HashMap};

/// What finer evidence says.
#[derive(Default)]
pub(super) struct Evidence {
    /// Of each phase; `None` where there is no evidence of it.
    pub(super) of_phases: Vec<Option<Agreement>>,
    /// Requests of files that no counters tell of.
    elsewhere: u64,
}

impl Evidence {
    pub(super) fn warnings(&self) -> Option<Warning> {
        let requests = counted(self.elsewhere, "request");
        let message = format!("DXT shows {requests} of files that are in no phase");
        (self.elsewhere > 0).then(|| Warning::new("dxt-elsewhere", message))
    }
}

/// Requests where there are any, else the heatmap.
pub(super) fn evidence(log: &mut CountedLog, phases: &[IoPhase], settings: &Settings) -> Evidence {
    let mut checks = Checks::new(phases, settings.time_distance_s);
    let mut traced = false;
    for api in [Api::Posix, Api::MpiIo] {
        traced |= log.each_request(api, |request| {
            checks.request(request.file, api, request.op, request.span_s, request.bytes);
        });
    }
    let mut of_phases = match traced {
        true => checks.of_requests(),
        false => vec![None; phases.len()],
    };
    if of_phases.iter().any(Option::is_none) {
        by_heatmap(log, phases, settings, &mut of_phases);
    }
    Evidence {
        of_phases,
        elsewhere: checks.elsewhere(),
    }
}

/// Bins with bytes, by the bits of their start: those of a number that is not negative are in its order.
type Bins = BTreeMap<u64, (f64, f64)>;

fn by_heatmap(
    log: &mut CountedLog,
    phases: &[IoPhase],
    settings: &Settings,
    of_phases: &mut [Option<Agreement>],
) {
    let mut active: HashMap<(Api, Op), Bins> = HashMap::new();
    let width = log.each_bin(|bin| {
        let bins = active.entry((bin.api, bin.op)).or_default();
        bins.insert(bin.span_s.0.to_bits(), bin.span_s);
    });
    let Some(width_s) = width else { return };
    let active: HashMap<(Api, Op), Vec<(f64, f64)>> = active
        .into_iter()
        .map(|(kind, bins)| (kind, bins.into_values().collect()))
        .collect();
    for (phase, agreement) in phases.iter().zip(of_phases) {
        if agreement.is_none()
            && let Some(bins) = active.get(&(phase.api, phase.op))
        {
            *agreement = of_bins(phase, bins, width_s, settings.time_distance_s);
        }
    }
}
