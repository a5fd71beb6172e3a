//! What is measured of `iotempo correlate` where it is known what there is to find: the tables of
//! docs/experiments/correlate.md. With `cost`, only what it takes.
#![allow(
    clippy::print_stdout,
    clippy::unwrap_used,
    clippy::disallowed_types,
    clippy::disallowed_methods
)]

use iotempo_analysis::association::Coefficient;
use iotempo_analysis::correlate::study::{Points, ShiftNull, StudySettings, grains, shifted};
use iotempo_analysis::correlate::{JobMetrics, Load, LoadMetric, Measure, TimeMetric, Traffic};
use iotempo_sim::{CorrelationStudy, Repeated, SimulatedStudy};
use std::time::Instant;

const SEEDS: std::ops::Range<u64> = 100..200;

const fn metric(measure: Measure) -> LoadMetric {
    LoadMetric {
        traffic: Traffic::BytesRead,
        measure,
        monitored: false,
    }
}

fn made(like: Repeated, slowdown: f64, seed: u64) -> SimulatedStudy {
    let study = CorrelationStudy {
        seed,
        slowdown,
        ..CorrelationStudy::new(like)
    };
    study.generate().unwrap()
}

fn points(jobs: &[&JobMetrics], load: &Load, measure: Measure) -> Points {
    let metric = metric(measure);
    Points {
        load: jobs
            .iter()
            .map(|job| metric.of(job, load, 0.0).unwrap())
            .collect(),
        time: jobs
            .iter()
            .map(|job| TimeMetric::Touched.of(job, load).unwrap())
            .collect(),
        day: jobs
            .iter()
            .map(|job| (job.span.start_s / 86_400.0).floor() as i64)
            .collect(),
        dated: true,
    }
}

fn main() {
    if !std::env::args().any(|argument| argument == "cost") {
        accuracy();
        granularity();
    }
    cost();
}

/// Coefficients with and without a dependence, and what of them is built in.
fn accuracy() {
    println!("## Pearson's coefficient of φ^D with ψ^D at 60 s\n");
    println!("| like | c | volume | built in | found | per second | built in | found |");
    println!("|---|---|---|---|---|---|---|---|");
    for like in Repeated::ALL {
        for slowdown in [0.0, 0.05, 0.15] {
            let mut cells = String::new();
            for measure in [Measure::Volume, Measure::Rate] {
                let (mut values, mut built_in, mut found) = (0.0, 0.0, 0);
                for seed in SEEDS {
                    let study = made(like, slowdown, seed);
                    let jobs: Vec<JobMetrics> =
                        study.jobs.iter().map(|job| job.metrics()).collect();
                    let jobs: Vec<&JobMetrics> = jobs.iter().collect();
                    let load = study.load();
                    let points = points(&jobs, &load, measure);
                    let pearson = Coefficient::Pearson;
                    let value = pearson.of(&points.load, &points.time).unwrap();
                    let others = shifted(&jobs, &load, metric(measure), 200, seed, None);
                    let null = ShiftNull::of(pearson, value, &points.time, &others, None).unwrap();
                    values += value;
                    built_in += null.mean;
                    found += u32::from(null.p_value <= 0.05);
                }
                let count = (SEEDS.end - SEEDS.start) as f64;
                cells += &format!(
                    " {:.2} | {:.2} | {} % |",
                    values / count,
                    built_in / count,
                    f64::from(found) * 100.0 / count
                );
            }
            println!("| {like:?} | {slowdown} |{cells}");
        }
    }
}

/// What coarser logs show.
fn granularity() {
    println!("\n## Pearson's coefficient by the length of intervals\n");
    println!("| like | c | 60 s | 300 s | 600 s | 1200 s |\n|---|---|---|---|---|---|");
    for like in Repeated::ALL {
        for slowdown in [0.0, 0.15] {
            let mut sums = [0.0; 4];
            for seed in SEEDS {
                let study = made(like, slowdown, seed);
                let jobs: Vec<JobMetrics> = study.jobs.iter().map(|job| job.metrics()).collect();
                let jobs: Vec<&JobMetrics> = jobs.iter().collect();
                let pair = (TimeMetric::Touched, metric(Measure::Volume));
                let all = grains(&jobs, &study.load(), pair, 20);
                for (sum, at) in sums.iter_mut().zip([0, 4, 9, 19]) {
                    *sum += all[at].points[0].value.unwrap_or(0.0);
                }
            }
            let cells = sums.map(|sum| format!("{:.2}", sum / (SEEDS.end - SEEDS.start) as f64));
            println!("| {like:?} | {slowdown} | {} |", cells.join(" | "));
        }
    }
}

/// Ten thousand jobs in a year of minutes.
fn cost() {
    let study = CorrelationStudy {
        jobs: 10_000,
        slowdown: 0.15,
        ..CorrelationStudy::new(Repeated::EarthScienceB)
    };
    let study = study.generate().unwrap();
    let jobs: Vec<JobMetrics> = study.jobs.iter().map(|job| job.metrics()).collect();
    let jobs: Vec<&JobMetrics> = jobs.iter().collect();
    let load = study.load();
    let settings = StudySettings::default();
    println!("\n## {} jobs, {} intervals\n", jobs.len(), load.intervals());
    println!("| what | seconds |\n|---|---|");
    let whole = Instant::now();
    let lap = |what: &str, since: Instant| {
        println!("| {what} | {:.2} |", since.elapsed().as_secs_f64());
        Instant::now()
    };
    let begin = Instant::now();
    let points = points(&jobs, &load, Measure::Rate);
    let begin = lap("metrics", begin);
    let others = shifted(&jobs, &load, metric(Measure::Rate), 200, 1, None);
    let begin = lap("200 other days", begin);
    let _ = settings.study(&points, &others, None);
    let begin = lap(
        "five coefficients: 999 permutations, 999 samples, other days",
        begin,
    );
    let _ = settings.curves(&points);
    let begin = lap("forest, density, bands", begin);
    let pair = (TimeMetric::Touched, metric(Measure::Volume));
    let _ = grains(&jobs, &load, pair, 20);
    lap("twenty granularities", begin);
    lap("all", whole);
}
