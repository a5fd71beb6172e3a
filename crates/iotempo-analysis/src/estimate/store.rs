//! Benchmarks to be asked about scenarios.

use super::coordinates::{Point, Volume, io_node_step};
use super::curve::{Curve, CurvePoint, Match};
use super::kriging::{COORDINATES, Cell, Kriged, Kriging, Prior};
use super::reach::{Reach, Unmatched, is_something};
use super::scatter::usual_scatter;
use iotempo_model::{Benchmark, Kind, Scenario};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, OnceLock};

/// Cells that an interpolation takes in, nearest scenarios first: more would cost more than they tell.
const MOST_CELLS: usize = 1000;

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
    pub(super) repetitions: BTreeMap<u32, Vec<f64>>,
}

impl Store {
    /// Benchmarks without repetitions, and such that move nothing, are left out.
    #[must_use]
    pub fn new(benchmarks: Vec<Benchmark>) -> Self {
        let mut scenarios: BTreeMap<Scenario, BTreeMap<u32, Vec<f64>>> = BTreeMap::new();
        for benchmark in benchmarks {
            let sound = benchmark.bandwidths.into_iter();
            let mut sound = sound.filter(|one| one.is_finite() && *one > 0.0).peekable();
            if sound.peek().is_some() && is_something(&benchmark.scenario) {
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

    fn of(
        scenarios: impl Iterator<Item = (Scenario, BTreeMap<u32, Vec<f64>>)>,
        prior: Prior,
    ) -> Self {
        let mut kinds: BTreeMap<Kind, Vec<_>> = BTreeMap::new();
        for (scenario, repetitions) in scenarios {
            let kind = kinds.entry(scenario.kind()).or_default();
            kind.push((scenario, repetitions));
        }
        let shelf = |scenarios: Vec<(Scenario, BTreeMap<u32, Vec<f64>>)>| {
            let volume = Volume::of(scenarios.iter().map(|(scenario, _)| scenario));
            let place = |(scenario, repetitions)| Place {
                scenario,
                point: Point::of(&scenario, volume),
                repetitions,
            };
            let places: Vec<Place> = scenarios.into_iter().map(place).collect();
            let usual = usual_scatter(places.iter().flat_map(|place| place.repetitions.values()));
            Shelf {
                volume,
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
        if !is_something(scenario) {
            return Err(Unmatched::Nothing);
        }
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
        reach.check(
            &point,
            self.places.iter().map(|place| &place.point),
            self.volume,
        )?;
        let mut near: Vec<&Place> = self.places.iter().collect();
        near.sort_by(|a, b| {
            let distance = |place: &Place| place.point.distance(&point);
            distance(a).total_cmp(&distance(b))
        });
        let nearest = near.first().ok_or(Unmatched::Empty)?;
        let exact = nearest.point.is(&point);
        let wanted: BTreeSet<u32> = near
            .iter()
            .flat_map(|place| place.repetitions.keys().copied())
            .collect();
        let measured = |io_nodes: &u32| exact && nearest.repetitions.contains_key(io_nodes);
        let missing: Vec<u32> = wanted.iter().copied().filter(|n| !measured(n)).collect();
        let model = (!missing.is_empty()).then(|| self.model(&near, prior));
        let cells: Vec<_> = missing.iter().map(|n| cell_at(&point, *n)).collect();
        let kriged = model.flatten().map_or(Vec::new(), |model| model.at(&cells));
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
                scenarios: near.len(),
            },
        };
        Ok(Curve { matched, points })
    }

    /// The model of the nearest places: of all, and then the same for everybody, where they are not too many.
    fn model(&self, near: &[&Place], prior: Prior) -> Option<Arc<Kriging>> {
        let cells: usize = near.iter().map(|place| place.repetitions.len()).sum();
        if cells > MOST_CELLS {
            return interpolation(near.iter().copied(), prior).map(Arc::new);
        }
        let all = || interpolation(self.places.iter(), prior).map(Arc::new);
        self.model.get_or_init(all).clone()
    }
}

/// A model of the nearest places.
fn interpolation<'a>(near: impl Iterator<Item = &'a Place>, prior: Prior) -> Option<Kriging> {
    let cells = near.flat_map(|place| {
        let repetitions = place.repetitions.iter();
        repetitions.filter_map(|(&io_nodes, bandwidths)| {
            Cell::new(cell_at(&place.point, io_nodes), bandwidths)
        })
    });
    let cells: Vec<Cell> = cells.take(MOST_CELLS).collect();
    Kriging::new(&cells, prior)
}

fn cell_at(point: &Point, io_nodes: u32) -> [f64; COORDINATES] {
    let [nodes, per_node, bytes, request] = point.0;
    [nodes, per_node, bytes, request, io_node_step(io_nodes)]
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::estimate::testing::{benchmark, scenario};

    fn store() -> Store {
        let mut benchmarks = Vec::new();
        for request in [1 << 20, 2 << 20, 8 << 20] {
            for (io_nodes, factor) in [(0, 1.0), (1, 0.5), (4, 2.0)] {
                let bandwidth = request as f64 * 1000.0 * factor;
                benchmarks.push(benchmark(scenario(4, 64, request), io_nodes, bandwidth));
            }
        }
        Store::new(benchmarks)
    }

    #[test]
    fn what_was_benchmarked_is_its_own_answer() {
        let curve = store()
            .estimate(&scenario(4, 64, 2 << 20), &Reach::default())
            .unwrap();
        assert!(matches!(curve.matched, Match::Exact { .. }));
        assert_eq!(
            curve.at(4).unwrap().distribution.median,
            2.0 * 1000.0 * (2 << 20) as f64
        );
        assert_eq!(curve.best().unwrap().io_nodes, 4);
    }

    #[test]
    fn between_benchmarks_bandwidth_is_between_theirs() {
        let curve = store()
            .estimate(&scenario(4, 64, 4 << 20), &Reach::default())
            .unwrap();
        let Match::Interpolated { distance, .. } = curve.matched else {
            panic!("{:?}", curve.matched)
        };
        assert!((distance - 2_f64.ln()).abs() < 1e-9);
        let median = curve.at(0).unwrap().distribution.median / 1000.0 / (1 << 20) as f64;
        assert!(median > 2.5 && median < 6.0, "{median}");
        assert_eq!(curve.best().unwrap().io_nodes, 4);
    }

    #[test]
    fn a_number_of_io_nodes_that_the_match_lacks_is_interpolated() {
        let mut benchmarks: Vec<Benchmark> = Vec::new();
        for request in [1 << 20, 2 << 20, 4 << 20] {
            benchmarks.push(benchmark(scenario(4, 64, request), 1, 1e9));
            if request != 2 << 20 {
                benchmarks.push(benchmark(scenario(4, 64, request), 2, 2e9));
            }
        }
        let store = Store::new(benchmarks);
        let curve = store
            .estimate(&scenario(4, 64, 2 << 20), &Reach::default())
            .unwrap();
        assert!(matches!(curve.matched, Match::Exact { .. }));
        assert!(curve.at(1).unwrap().measured);
        let interpolated = curve.at(2).unwrap();
        assert!(!interpolated.measured && interpolated.deviation() > 0.0);
        assert!((interpolated.distribution.median / 2e9).ln().abs() < 0.1);
    }

    #[test]
    fn a_store_with_one_row_speaks_of_that_row_and_a_doubling_around_it() {
        let store = Store::new(vec![benchmark(scenario(4, 64, 1 << 20), 2, 5e8)]);
        let same = store
            .estimate(&scenario(4, 64, 1 << 20), &Reach::default())
            .unwrap();
        assert_eq!(same.points.len(), 1);
        assert_eq!(same.points[0].distribution.median, 5e8);
        let near = store
            .estimate(&scenario(4, 64, 2 << 20), &Reach::default())
            .unwrap();
        assert!((near.points[0].distribution.median / 5e8 - 1.0).abs() < 1e-9);
        assert!(near.points[0].distribution.high > 1.2 * near.points[0].distribution.median);
        let far = store.estimate(&scenario(4, 64, 4 << 20), &Reach::default());
        let far = far.unwrap_err().to_string();
        assert_eq!(
            far,
            "it has 4 MiB per request; the benchmarks of its kind speak of 512 KiB to 2 MiB"
        );
        let reach = Reach { cells: 2.0 };
        assert!(store.estimate(&scenario(4, 64, 4 << 20), &reach).is_ok());
    }

    #[test]
    fn what_has_no_match_says_why() {
        let wanted = scenario(4, 64, 1 << 20);
        let none = Store::new(Vec::new());
        let why = none.estimate(&wanted, &Reach::default()).unwrap_err();
        assert_eq!(why, Unmatched::Empty);
        let mut read = wanted;
        read.op = iotempo_model::Op::Read;
        let why = store().estimate(&read, &Reach::default()).unwrap_err();
        assert_eq!(
            why.to_string(),
            "no benchmark of its kind (read, posix, shared files, consecutive); there are: write, \
             posix, shared files, consecutive"
        );
        let mut nothing = wanted;
        nothing.bytes_per_process = 0;
        let why = store().estimate(&nothing, &Reach::default()).unwrap_err();
        assert_eq!(why, Unmatched::Nothing);
    }

    #[test]
    fn bandwidths_that_are_none_are_not_in_the_store() {
        let mut odd = benchmark(scenario(4, 64, 1 << 20), 2, f64::NAN);
        odd.bandwidths.extend([0.0, f64::INFINITY, -5.0]);
        assert!(Store::new(vec![odd.clone()]).is_empty());
        odd.bandwidths.push(3e9);
        assert_eq!(Store::new(vec![odd]).repetitions(), 1);
    }
}
