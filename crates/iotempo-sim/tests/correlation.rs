//! Whether jobs seem to follow the traffic of a system, where it is known whether they do.
#![allow(clippy::unwrap_used)]

use iotempo_analysis::correlate::{Load, Series};
use iotempo_sim::{CorrelationStudy, Repeated, SimulatedStudy};

fn study(like: Repeated, slowdown: f64, seed: u64) -> SimulatedStudy {
    let study = CorrelationStudy {
        seed,
        slowdown,
        ..CorrelationStudy::new(like)
    };
    study.generate().unwrap()
}

fn pearson(pairs: &[(f64, f64)]) -> f64 {
    let count = pairs.len() as f64;
    let mean = |of: fn(&(f64, f64)) -> f64| pairs.iter().map(of).sum::<f64>() / count;
    let (x, y) = (mean(|pair| pair.0), mean(|pair| pair.1));
    let sum = |of: &dyn Fn(f64, f64) -> f64| -> f64 {
        pairs.iter().map(|pair| of(pair.0 - x, pair.1 - y)).sum()
    };
    sum(&|a, b| a * b) / (sum(&|a, _| a * a) * sum(&|_, b| b * b)).sqrt()
}

/// Pearson's coefficient of φ^D with ψ^D, and with ψ^D per second.
fn coefficients(study: &SimulatedStudy, load: &Load) -> (f64, f64) {
    let mut pairs = (Vec::new(), Vec::new());
    for job in &study.jobs {
        let windows = job.windows();
        // A coarse log may lack the first or the last hour.
        if let Ok(psi) = load.over(Series::ReadBytes, &windows, 0.0) {
            let phi = load.touched_s(&windows, 0.0).unwrap();
            pairs.0.push((phi, psi.amount));
            pairs.1.push((phi, psi.rate().unwrap()));
        }
    }
    assert!(pairs.0.len() + 2 >= study.jobs.len());
    (pearson(&pairs.0), pearson(&pairs.1))
}

/// The same at `factor` minutes, as the mean over all places where an interval may begin.
fn at(study: &SimulatedStudy, factor: usize) -> (f64, f64) {
    let fine = study.load();
    let all = (0..factor).map(|offset| {
        let load = fine.coarser(factor, offset).unwrap();
        coefficients(study, &load)
    });
    let sums = all.fold((0.0, 0.0), |sum, one| (sum.0 + one.0, sum.1 + one.1));
    (sums.0 / factor as f64, sums.1 / factor as f64)
}

/// The means over seeds.
fn means(like: Repeated, slowdown: f64, factors: [usize; 3]) -> [(f64, f64); 3] {
    const SEEDS: u64 = 6;
    let mut sums = [(0.0, 0.0); 3];
    for seed in 0..SEEDS {
        let study = study(like, slowdown, seed);
        for (sum, factor) in sums.iter_mut().zip(factors) {
            let (volume, rate) = at(&study, factor);
            *sum = (sum.0 + volume / SEEDS as f64, sum.1 + rate / SEEDS as f64);
        }
    }
    sums
}

#[test]
fn volumes_correlate_with_times_where_nothing_depends_on_anything_and_rates_do_not() {
    for (like, expected, least) in [
        (Repeated::EarthScienceB, 0.25, 0.12),
        (Repeated::NuclearPhysicsC, 0.21, 0.12),
        (Repeated::NuclearPhysicsB, 0.10, 0.01),
    ] {
        let [fine, middle, coarse] = means(like, 0.0, [1, 5, 20]);
        let told = format!("{like:?}: {fine:?} {middle:?} {coarse:?}");
        assert!((fine.0 - expected).abs() < 0.1 && fine.0 > least, "{told}");
        assert!(coarse.0 < fine.0, "{told}");
        // The standard error of a mean of six coefficients of 173 jobs is 0.03.
        for (_, rate) in [fine, middle, coarse] {
            assert!(rate.abs() < 0.1, "{told}");
        }
    }
}

#[test]
fn a_slowdown_shows_and_a_coarse_log_hides_it() {
    let [fine, middle, coarse] = means(Repeated::EarthScienceB, 0.15, [1, 10, 20]);
    let told = format!("{fine:?} {middle:?} {coarse:?}");
    assert!((fine.0 - 0.78).abs() < 0.08, "{told}");
    assert!((coarse.0 - 0.40).abs() < 0.08, "{told}");
    assert!(fine.0 > middle.0 && middle.0 > coarse.0, "{told}");
    assert!(fine.1 > 0.4 && fine.1 > coarse.1, "{told}");
}

#[test]
fn files_that_are_open_for_long_and_hardly_used_hide_it_too() {
    let [fine, ..] = means(Repeated::NuclearPhysicsB, 0.15, [1, 1, 1]);
    assert!(fine.0 < 0.3, "{fine:?}");
}

#[test]
fn times_are_those_that_were_published() {
    for (like, mean, deviation, length) in [
        (Repeated::EarthScienceB, 1171.9, 191.4, 1517.7),
        (Repeated::NuclearPhysicsC, 3522.3, 302.1, 3738.8),
        (Repeated::NuclearPhysicsB, 1653.3, 74.8, 2117.1),
    ] {
        let study = study(like, 0.0, 3);
        let load = study.load();
        assert_eq!(study.jobs.len(), like.published_jobs());
        let count = study.jobs.len() as f64;
        let phi = study.jobs.iter().map(|job| {
            let phi = load.touched_s(&job.windows(), 0.0);
            phi.unwrap()
        });
        let phi: Vec<f64> = phi.collect();
        let found = phi.iter().sum::<f64>() / count;
        let squares: f64 = phi.iter().map(|one| (one - found).powi(2)).sum();
        let spread = (squares / count).sqrt();
        assert!((found / mean - 1.0).abs() < 0.05, "{like:?} {found}");
        assert!((spread / deviation - 1.0).abs() < 0.2, "{like:?} {spread}");
        let ran = study.jobs.iter().map(|job| job.end_s - job.start_s);
        let ran = ran.sum::<f64>() / count;
        assert!((ran / length - 1.0).abs() < 0.06, "{like:?} {ran}");
    }
}

#[test]
fn jobs_come_in_campaigns_inside_the_log_and_a_seed_is_a_study() {
    let one = study(Repeated::EarthScienceB, 0.15, 8);
    assert_eq!(one, study(Repeated::EarthScienceB, 0.15, 8));
    let other = study(Repeated::EarthScienceB, 0.0, 8);
    assert_eq!(one.rates, other.rates, "traffic is nobody's fault");
    let load = one.load();
    let campaigns = one.jobs.iter().map(|job| job.campaign).max().unwrap() + 1;
    assert!((15..60).contains(&campaigns), "{campaigns}");
    for job in &one.jobs {
        assert!(
            load.between(Series::ReadBytes, job.start_s, job.end_s)
                .is_ok()
        );
        let hull = job.windows().hull().unwrap();
        assert!(job.start_s < hull.start_s() && hull.end_s() < job.end_s);
        assert!((hull.length_s() - job.io_s).abs() < 1e-3);
    }
    assert!(one.jobs.is_sorted_by(|a, b| a.start_s <= b.start_s));
}

#[test]
fn parameters_that_make_no_study_are_named() {
    let usual = CorrelationStudy::new(Repeated::NuclearPhysicsB);
    for (wrong, name) in [
        (
            CorrelationStudy {
                slowdown: f64::NAN,
                ..usual.clone()
            },
            "slowdown",
        ),
        (
            CorrelationStudy {
                days: 0,
                ..usual.clone()
            },
            "days",
        ),
        (
            CorrelationStudy {
                jobs: 0,
                ..usual.clone()
            },
            "jobs",
        ),
    ] {
        let why = wrong.generate().unwrap_err().to_string();
        assert!(why.starts_with(name), "{why}");
    }
}
