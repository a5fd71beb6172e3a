//! Runs of an application that are drawn from what is known of its phases.

use super::curve::CurvePoint;
use super::matching::PhaseEstimate;
use super::scatter::Chance;
use iotempo_model::Scenario;
use std::collections::BTreeMap;

/// Runs that are drawn; fewer where there are many phases.
pub const DRAWS: usize = 2000;
/// The same draws for the same benchmarks.
pub const SEED: u64 = 9366;
/// What is drawn of phases in all.
const MOST_WORK: usize = 2_000_000;
/// The fewest runs whose tenths can be told.
const FEWEST: usize = 200;

/// A part of a phase at one number of I/O nodes.
struct Drawn<'a> {
    bytes: f64,
    point: &'a CurvePoint,
    /// The benchmark that is nearest: parts next to the same one are off together.
    near: usize,
}

/// The bandwidth of runs, by number of I/O nodes.
///
/// Repetitions differ from phase to phase, and average out over many phases. What the benchmarks do not tell of a
/// level does not: a level is as far off in every phase, in one run as in the next, and is drawn once per run.
pub(super) fn runs(phases: &[&PhaseEstimate], io_nodes: &[u32], bytes: f64) -> Vec<Vec<f64>> {
    let mut nearest: BTreeMap<Scenario, usize> = BTreeMap::new();
    let parts = || phases.iter().flat_map(|phase| phase.parts.iter().flatten());
    for part in parts() {
        let known = nearest.len();
        nearest
            .entry(*part.curve.matched.nearest())
            .or_insert(known);
    }
    let at = |io_nodes: &u32| -> Vec<Drawn<'_>> {
        let drawn = parts().filter_map(|part| {
            Some(Drawn {
                bytes: part.part.bytes,
                point: part.curve.at(*io_nodes)?,
                near: nearest[part.curve.matched.nearest()],
            })
        });
        drawn.collect()
    };
    let drawn: Vec<Vec<Drawn<'_>>> = io_nodes.iter().map(at).collect();
    let points = drawn.iter().flatten();
    let width = points.map(|part| part.point.error().width()).max();
    let width = width.unwrap_or(0);
    let work: usize = drawn.iter().map(Vec::len).sum();
    let count = (MOST_WORK / work.max(1)).clamp(FEWEST, DRAWS);
    let pairs = (0..count as u64 / 2).flat_map(|number| Chance::pair(SEED, number));
    let run = |mut chance: Chance| {
        let errors: Vec<f64> = (0..nearest.len() * width)
            .map(|_| chance.normal())
            .collect();
        let time = |part: &Drawn<'_>, chance: &mut Chance| {
            let error = &errors[part.near * width..][..width];
            part.bytes / (part.point.typical(error) * part.point.draw(chance))
        };
        let at = drawn.iter();
        at.map(|parts| {
            bytes
                / parts
                    .iter()
                    .map(|part| time(part, &mut chance))
                    .sum::<f64>()
        })
        .collect()
    };
    pairs.map(run).collect()
}
