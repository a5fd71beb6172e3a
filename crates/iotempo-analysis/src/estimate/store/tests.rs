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
        "it has 4 MiB per request; the benchmarks of its kind have 1 MiB, and reach from 512 KiB to 2 MiB"
    );
    let reach = Reach { cells: 2.0 };
    assert!(store.estimate(&scenario(4, 64, 4 << 20), &reach).is_ok());
}

#[test]
fn numbers_of_io_nodes_that_were_benchmarked_far_away_only_are_not_in_the_curve() {
    let here = scenario(2, 32, 1 << 20);
    let store = Store::new(vec![
        benchmark(here, 0, 5e8),
        benchmark(here, 1, 6e8),
        benchmark(scenario(512, 65_536, 1 << 30), 64, 9e10),
    ]);
    let curve = store.estimate(&here, &Reach::default()).unwrap();
    let known: Vec<u32> = curve.points.iter().map(|point| point.io_nodes).collect();
    assert_eq!((known, &curve.far), (vec![0, 1], &BTreeSet::from([64])));
    assert_eq!(curve.best().unwrap().io_nodes, 1);
}

#[test]
fn a_scenario_between_two_that_are_far_apart_has_no_match() {
    let store = Store::new(vec![
        benchmark(scenario(1, 2, 4 << 10), 0, 1e6),
        benchmark(scenario(512, 65_536, 1 << 30), 0, 1e12),
    ]);
    let why = |nodes, processes, request| {
        let estimate = store.estimate(&scenario(nodes, processes, request), &Reach::default());
        estimate.unwrap_err().to_string()
    };
    // Small in one size and large in another: each was benchmarked, but not together.
    assert_eq!(
        why(1, 2, 8 << 20),
        "no benchmark of its kind is near it in all sizes at once; the nearest one has 1 node, 2 processes, and \
         1 GiB per process in requests of 4 KiB"
    );
    assert!(why(16, 512, 2 << 20).starts_with("no benchmark of its kind is near"));
    assert!(
        store
            .estimate(&scenario(2, 8, 8 << 10), &Reach::default())
            .is_ok()
    );
}

#[test]
fn steps_of_a_factor_of_sixteen_are_covered_and_longer_ones_are_not() {
    let store = |factor: u64| {
        let requests = [1 << 12, factor << 12];
        Store::new(
            requests
                .map(|request| benchmark(scenario(4, 64, request), 0, 1e9))
                .to_vec(),
        )
    };
    let between = |factor: u64| {
        let middle = scenario(4, 64, (1 << 12) * factor.isqrt());
        store(factor).estimate(&middle, &Reach::default())
    };
    assert!(between(16).is_ok());
    assert!(matches!(between(64), Err(Unmatched::Far { .. })));
}

#[test]
fn benchmarks_within_a_percent_of_each_other_are_one() {
    let sized = |bytes_per_process| Scenario {
        bytes_per_process,
        ..scenario(4, 64, 1 << 20)
    };
    let store = Store::new(vec![
        benchmark(sized(8_388_608), 0, 5.02e8),
        benchmark(sized(8_400_000), 0, 4.02e8),
        benchmark(sized(8_400_000), 1, 6.02e8),
    ]);
    assert_eq!(store.scenarios().count(), 1);
    let curve = store
        .estimate(&sized(8_388_608), &Reach::default())
        .unwrap();
    let median = |io_nodes| curve.at(io_nodes).unwrap().distribution.median;
    assert!((median(0) / 4.52e8 - 1.0).abs() < 0.02, "{}", median(0));
    assert_eq!(median(1), 6.02e8);
    assert!(curve.points.iter().all(|point| point.measured));
}

#[test]
fn of_many_benchmarks_the_nearest_are_asked() {
    // Three percent apart: what is within one percent would be the same.
    let request = |at: f64| (1000.0 * 1.03_f64.powf(at)) as u64;
    let benchmarks: Vec<Benchmark> = (0..MOST_CELLS + 100)
        .map(|at| {
            let scenario = scenario(4, 64, request(at as f64));
            benchmark(scenario, 0, scenario.request_bytes as f64)
        })
        .collect();
    let wanted = request(500.5);
    let curve = Store::new(benchmarks)
        .estimate(&scenario(4, 64, wanted), &Reach::default())
        .unwrap();
    let Match::Interpolated { scenarios, .. } = curve.matched else {
        panic!("{:?}", curve.matched)
    };
    assert_eq!(scenarios, NEAREST_CELLS);
    let median = curve.at(0).unwrap().distribution.median;
    assert!((median / wanted as f64 - 1.0).abs() < 0.02, "{median}");
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
    let mut uncounted = wanted;
    uncounted.request_bytes = 0;
    let why = store().estimate(&uncounted, &Reach::default()).unwrap_err();
    assert_eq!(why, Unmatched::NoRequests);
}

#[test]
fn bandwidths_that_are_none_are_not_in_the_store() {
    let mut odd = benchmark(scenario(4, 64, 1 << 20), 2, f64::NAN);
    odd.bandwidths.extend([0.0, f64::INFINITY, -5.0]);
    assert!(Store::new(vec![odd.clone()]).is_empty());
    odd.bandwidths.push(3e9);
    assert_eq!(Store::new(vec![odd]).repetitions(), 1);
}
