//! Benchmarks to be asked about scenarios.

use super::coordinates::{Point, SIZES, Volume, io_node_step};
use super::curve::{Curve, CurvePoint, Match};
use super::kriging::{COORDINATES, Cell, Kriged, Kriging, Prior};
use super::reach::{Grid, Reach, Unmatched, is_something};
use super::scatter::usual_scatter;
use iotempo_model::{Benchmark, Kind, Scenario};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::{Arc, OnceLock};

/// Cells that one interpolation for all scenarios takes in.
const MOST_CELLS: usize = 1000;

/// Where there are more, each scenario has its own, from so many of the nearest: the cost is that of their cube.
const NEAREST_CELLS: usize = 300;

/// Benchmarks by kind.
#[derive(Debug, Clone, Default)]
pub struct Store {
    shelves: BTreeMap<Kind, Shelf>,
    prior: Prior,
}

/// Benchmarks of one kind.
#[derive(Debug, Clone)]
struct Shelf {
    volume: Volume,
    grid: Grid,
    places: Vec<Place>,
    /// By how much runs usually differ, in ln.
    usual: f64,
    /// The model of all places, once it was asked for.
    model: OnceLock<Option<Arc<Kriging>>>,
}

/// A scenario, with the repetitions of each number of I/O nodes.
#[derive(Debug, Clone)]
pub(super) struct Place {
    pub(super) scenario: Scenario,
    point: Point,
    pub(super) repetitions: Repetitions,
}

/// Bandwidths by number of I/O nodes.
type Repetitions = BTreeMap<u32, Vec<f64>>;

impl Store {
    /// Benchmarks without repetitions, and such that move nothing, are left out.
    #[must_use]
    pub fn new(benchmarks: Vec<Benchmark>) -> Self {
        let mut scenarios: BTreeMap<Scenario, Repetitions> = BTreeMap::new();
        for benchmark in benchmarks {
            let sound = benchmark.bandwidths.into_iter();
            let mut sound = sound.filter(|one| one.is_finite() && *one > 0.0).peekable();
            if sound.peek().is_some() && is_something(&benchmark.scenario).is_ok() {
                let curve = scenarios.entry(benchmark.scenario).or_default();
                curve.entry(benchmark.io_nodes).or_default().extend(sound);
            }
        }
        Self::of(scenarios.into_iter(), Prior::default())
    }

    /// The same benchmarks with other beliefs about what lies between them.
    #[must_use]
    pub fn with_prior(&self, prior: Prior) -> Self {
        let places = self.places();
        let places = places.map(|place| (place.scenario, place.repetitions.clone()));
        Self::of(places, prior)
    }

    fn of(scenarios: impl Iterator<Item = (Scenario, Repetitions)>, prior: Prior) -> Self {
        let mut kinds: BTreeMap<Kind, Vec<_>> = BTreeMap::new();
        for (scenario, repetitions) in scenarios {
            let kind = kinds.entry(scenario.kind()).or_default();
            kind.push((scenario, repetitions));
        }
        let shelf = |scenarios: Vec<(Scenario, Repetitions)>| {
            let volume = Volume::of(scenarios.iter().map(|(scenario, _)| scenario));
            let places = pooled(scenarios, volume);
            let usual = usual_scatter(places.iter().flat_map(|place| place.repetitions.values()));
            Shelf {
                volume,
                grid: Grid::of(places.iter().map(|place| &place.point)),
                places,
                usual,
                model: OnceLock::new(),
            }
        };
        let shelves = kinds.into_iter().map(|(kind, all)| (kind, shelf(all)));
        Self {
            shelves: shelves.collect(),
            prior,
        }
    }

    /// Whether there are no benchmarks.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.shelves.is_empty()
    }

    /// The kinds of scenarios that there are.
    pub fn kinds(&self) -> impl Iterator<Item = Kind> {
        self.shelves.keys().copied()
    }

    /// All scenarios, kind by kind.
    pub fn scenarios(&self) -> impl Iterator<Item = &Scenario> {
        self.places().map(|place| &place.scenario)
    }

    /// How many repetitions there are in all.
    #[must_use]
    pub fn repetitions(&self) -> usize {
        let curves = self.places().flat_map(|place| place.repetitions.values());
        curves.map(Vec::len).sum()
    }

    /// All numbers of I/O nodes that were benchmarked.
    #[must_use]
    pub fn io_nodes(&self) -> BTreeSet<u32> {
        let places = self.places();
        places
            .flat_map(|place| place.repetitions.keys().copied())
            .collect()
    }

    pub(super) fn places(&self) -> impl Iterator<Item = &Place> {
        self.shelves.values().flat_map(|shelf| &shelf.places)
    }

    /// The same without some scenarios: what is left out is what is to be estimated.
    #[must_use]
    pub fn without(&self, left_out: impl Fn(&Scenario) -> bool) -> Self {
        let places = self.places().filter(|place| !left_out(&place.scenario));
        let places = places.map(|place| (place.scenario, place.repetitions.clone()));
        Self::of(places, self.prior)
    }

    /// How fast a scenario is.
    ///
    /// Where it was benchmarked, within a percent of each size, its repetitions are the answer. Else it
    /// is interpolated between benchmarks of its kind, and only within their reach.
    ///
    /// # Errors
    /// [`Unmatched`] tells why there is no answer.
    pub fn estimate(&self, scenario: &Scenario, reach: &Reach) -> Result<Curve, Unmatched> {
        if self.is_empty() {
            return Err(Unmatched::Empty);
        }
        is_something(scenario)?;
        let kind = scenario.kind();
        let shelf = self.shelves.get(&kind).ok_or_else(|| Unmatched::Kind {
            wanted: kind,
            known: self.kinds().collect(),
        })?;
        shelf.estimate(scenario, reach, self.prior)
    }
}

impl Shelf {
    fn estimate(
        &self,
        scenario: &Scenario,
        reach: &Reach,
        prior: Prior,
    ) -> Result<Curve, Unmatched> {
        let point = Point::of(scenario, self.volume);
        reach.check(&point, &self.grid, self.volume)?;
        let mut near: Vec<&Place> = self.places.iter().collect();
        near.sort_by(|a, b| {
            let distance = |place: &Place| place.point.distance(&point);
            distance(a).total_cmp(&distance(b))
        });
        let nearest = near.first().ok_or(Unmatched::Empty)?;
        let exact = nearest.point.is(&point);
        // What was measured far away only says nothing of this place.
        let within = |place: &&&Place| reach.is_near(&point, &self.grid, &place.point);
        let wanted = numbers(near.iter().filter(within));
        if wanted.is_empty() {
            let nearest = nearest.scenario;
            return Err(Unmatched::Far { nearest });
        }
        let far = &numbers(near.iter()) - &wanted;
        let measured = |io_nodes: &u32| exact && nearest.repetitions.contains_key(io_nodes);
        let missing: Vec<u32> = wanted.iter().copied().filter(|n| !measured(n)).collect();
        let model = (!missing.is_empty()).then(|| self.model(&near, prior));
        let scenarios = model.as_ref().map_or(1, |(_, scenarios)| *scenarios);
        let cells: Vec<_> = missing.iter().map(|n| cell_at(&point, *n)).collect();
        let model = model.and_then(|(model, _)| model);
        let kriged = model.map_or(Vec::new(), |model| model.at(&cells));
        let mut kriged: BTreeMap<u32, Kriged> = missing.into_iter().zip(kriged).collect();
        let points = wanted.iter().enumerate().filter_map(|(place, &io_nodes)| {
            if measured(&io_nodes) {
                let own = &nearest.repetitions[&io_nodes];
                return CurvePoint::measured(io_nodes, place, own, self.usual);
            }
            let at = kriged.remove(&io_nodes)?;
            let alike = near
                .iter()
                .find_map(|place| place.repetitions.get(&io_nodes))?;
            CurvePoint::interpolated(io_nodes, wanted.len(), at, alike, self.usual)
        });
        let points = points.collect();
        let nearest_scenario = nearest.scenario;
        let matched = match exact {
            true => Match::Exact {
                nearest: nearest_scenario,
            },
            false => Match::Interpolated {
                nearest: nearest_scenario,
                distance: nearest.point.distance(&point),
                scenarios,
            },
        };
        Ok(Curve {
            matched,
            points,
            far,
        })
    }

    /// The model of the nearest places, and how many they are: all, and then the same for everybody, where they
    /// are not too many.
    fn model(&self, near: &[&Place], prior: Prior) -> (Option<Arc<Kriging>>, usize) {
        let cells: usize = near.iter().map(|place| place.repetitions.len()).sum();
        if cells <= MOST_CELLS {
            let all = || interpolation(self.places.iter(), prior).map(Arc::new);
            return (self.model.get_or_init(all).clone(), near.len());
        }
        let mut taken = 0;
        let nearest = near.iter().take_while(|place| {
            taken += place.repetitions.len();
            taken <= NEAREST_CELLS
        });
        let nearest: Vec<&Place> = nearest.copied().collect();
        let model = interpolation(nearest.iter().copied(), prior);
        (model.map(Arc::new), nearest.len())
    }
}

/// All numbers of I/O nodes of some places.
fn numbers<'a>(places: impl Iterator<Item = &'a &'a Place>) -> BTreeSet<u32> {
    let numbers = places.flat_map(|place| place.repetitions.keys().copied());
    numbers.collect()
}

/// Scenarios of the same sizes, within a percent, are one place: IOR rounds what it prints for people.
fn pooled(scenarios: Vec<(Scenario, Repetitions)>, volume: Volume) -> Vec<Place> {
    let mut places: Vec<Place> = Vec::new();
    let mut known: HashMap<[i64; SIZES], Vec<usize>> = HashMap::new();
    for (scenario, repetitions) in scenarios {
        let point = Point::of(&scenario, volume);
        let mut near = point
            .percents()
            .filter_map(|percent| known.get(&percent))
            .flatten();
        match near.find(|at| places[**at].point.is(&point)).copied() {
            Some(same) => {
                for (io_nodes, bandwidths) in repetitions {
                    let own = places[same].repetitions.entry(io_nodes).or_default();
                    own.extend(bandwidths);
                }
            }
            None => {
                known.entry(point.percent()).or_default().push(places.len());
                places.push(Place {
                    scenario,
                    point,
                    repetitions,
                });
            }
        }
    }
    places
}

/// A model of places.
fn interpolation<'a>(near: impl Iterator<Item = &'a Place>, prior: Prior) -> Option<Kriging> {
    let cells = near.flat_map(|place| {
        let repetitions = place.repetitions.iter();
        repetitions.filter_map(|(&io_nodes, bandwidths)| {
            Cell::new(cell_at(&place.point, io_nodes), bandwidths)
        })
    });
    Kriging::new(&cells.collect::<Vec<Cell>>(), prior)
}

fn cell_at(point: &Point, io_nodes: u32) -> [f64; COORDINATES] {
    let [nodes, per_node, bytes, request] = point.0;
    [nodes, per_node, bytes, request, io_node_step(io_nodes)]
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests;
