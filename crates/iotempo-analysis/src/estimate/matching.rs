//! Phases and the benchmarks that are like them.

use super::curve::{Curve, Match};
use super::demand::{Demand, Part};
use super::reach::{Reach, Unmatched};
use super::store::Store;
use iotempo_model::Scenario;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Looks phases up. What was looked up once is known: an application repeats its phases.
#[derive(Debug)]
pub struct Lookup<'a> {
    store: &'a Store,
    reach: Reach,
    known: BTreeMap<Scenario, Result<Arc<Curve>, Unmatched>>,
}

impl<'a> Lookup<'a> {
    /// Nothing is known yet.
    #[must_use]
    pub const fn new(store: &'a Store, reach: Reach) -> Self {
        Self {
            store,
            reach,
            known: BTreeMap::new(),
        }
    }

    /// The curves of a phase.
    pub fn phase(&mut self, demand: Demand) -> PhaseEstimate {
        if demand.parts.is_empty() {
            let parts = Err(Unmatched::Nothing);
            return PhaseEstimate {
                demand,
                parts,
                averaged: None,
            };
        }
        let parts: Result<Vec<_>, Unmatched> =
            demand.parts.iter().map(|part| self.part(*part)).collect();
        match parts {
            Err(why) if demand.parts.len() > 1 || demand.parts[0].scenario != demand.whole => {
                let part = Part {
                    scenario: demand.whole,
                    bytes: demand.bytes,
                };
                let parts = self.part(part).map(|part| vec![part]);
                let averaged = parts.is_ok().then_some(why);
                PhaseEstimate {
                    demand,
                    parts,
                    averaged,
                }
            }
            parts => PhaseEstimate {
                demand,
                parts,
                averaged: None,
            },
        }
    }

    fn part(&mut self, part: Part) -> Result<MatchedPart, Unmatched> {
        let (store, reach) = (self.store, &self.reach);
        let known = self.known.entry(part.scenario);
        let look = || store.estimate(&part.scenario, reach).map(Arc::new);
        let curve = known.or_insert_with(look).clone()?;
        Ok(MatchedPart { part, curve })
    }
}

/// A phase and the curve of each of its parts.
#[derive(Debug, Clone)]
pub struct PhaseEstimate {
    /// The phase.
    pub demand: Demand,
    /// Its parts with their curves; or why there are none.
    pub parts: Result<Vec<MatchedPart>, Unmatched>,
    /// Where a part had no match, and the phase was taken for one with requests of their mean size: why.
    pub averaged: Option<Unmatched>,
}

/// A part of a phase with its curve.
#[derive(Debug, Clone)]
pub struct MatchedPart {
    /// What it asks for.
    pub part: Part,
    /// How fast that is. Parts of the same sizes share it.
    pub curve: Arc<Curve>,
}

impl PhaseEstimate {
    /// Looks a phase up.
    #[must_use]
    pub fn of(demand: Demand, store: &Store, reach: &Reach) -> Self {
        Lookup::new(store, *reach).phase(demand)
    }

    /// How long it takes at a number of I/O nodes, by the medians.
    #[must_use]
    pub fn time_s(&self, io_nodes: u32) -> Option<f64> {
        let parts = self.parts.as_ref().ok()?;
        let time = |part: &MatchedPart| {
            Some(part.part.bytes / part.curve.at(io_nodes)?.distribution.median)
        };
        parts.iter().map(time).sum()
    }

    /// What its parts were matched with.
    pub fn matches(&self) -> impl Iterator<Item = &Match> {
        self.parts.iter().flatten().map(|part| &part.curve.matched)
    }

    /// The numbers of I/O nodes at which all of it is known; `None` where it has no match.
    pub(super) fn io_nodes(&self) -> Option<BTreeSet<u32>> {
        let known = self.parts.as_ref().ok()?.iter().map(MatchedPart::io_nodes);
        known.reduce(|a, b| a.intersection(&b).copied().collect())
    }
}

impl MatchedPart {
    /// The numbers of I/O nodes of its curve.
    pub(super) fn io_nodes(&self) -> BTreeSet<u32> {
        self.curve.points.iter().map(|p| p.io_nodes).collect()
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::estimate::testing::{benchmark, scenario};

    #[test]
    fn phases_of_the_same_sizes_are_looked_up_once() {
        let store = Store::new(vec![
            benchmark(scenario(4, 64, 1 << 20), 1, 1e9),
            benchmark(scenario(4, 64, 4 << 20), 1, 2e9),
        ]);
        let mut lookup = Lookup::new(&store, Reach::default());
        let mut curve = |request| {
            let demand = Demand::even(scenario(4, 64, request), 0.0, 1.0);
            lookup.phase(demand).parts.unwrap()[0].curve.clone()
        };
        let (one, same, other) = (curve(2 << 20), curve(2 << 20), curve(1 << 20));
        assert!(Arc::ptr_eq(&one, &same) && !Arc::ptr_eq(&one, &other));
    }
}
