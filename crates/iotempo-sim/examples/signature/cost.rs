//! How long it takes.

use crate::measure::by;
use crate::parallel;
use iotempo_analysis::runs::free_around;
use iotempo_analysis::signature::accuracy::Accuracy;
use iotempo_analysis::signature::{Method, Sample, Settings, SignatureMiner, Warping, alone};
use iotempo_model::Seconds;
use iotempo_sim::SimError;
use iotempo_sim::server::{Application, Centre, CentreLog, PlannedBurst, Runs, ServerSamples};
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

/// How long this thread had a processor, where the system tells; else how long it is since `start`.
fn busy(start: Instant) -> Duration {
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let first = told.and_then(|told| told.split(' ').next()?.parse().ok());
    first.map_or_else(|| start.elapsed(), Duration::from_nanos)
}

/// The mean time of a processor, over as many times as it takes to tell: some systems count in ticks
/// of milliseconds.
fn mean_time(mut work: impl FnMut()) -> Duration {
    let start = Instant::now();
    let began = busy(start);
    let mut times = 0;
    loop {
        work();
        times += 1;
        let took = busy(start).saturating_sub(began);
        if took > Duration::from_millis(300) {
            return took / times;
        }
    }
}

fn milliseconds(time: Duration) -> String {
    format!("{:.1} ms", 1e3 * time.as_secs_f64())
}

/// An application that runs for about this long.
fn lasting(seconds: usize) -> Application {
    let burst = PlannedBurst {
        compute_s: 110.0,
        bytes: 25e9,
        rate: 2.5e9,
    };
    Application {
        name: "long".to_owned(),
        bursts: vec![burst; seconds / 120],
    }
}

fn some_runs(seconds: usize, runs: usize) -> Result<ServerSamples, SimError> {
    Runs {
        runs,
        disturbed: 0,
        ..Runs::new(lasting(seconds))
    }
    .generate()
}

const METHODS: [Method; 3] = [
    Method::Auto,
    Method::Iosi,
    Method::Warping(Warping::PathResampled),
];

fn times(set: &ServerSamples) -> String {
    let cell = |&method: &Method| {
        let samples = set.samples();
        let miner = SignatureMiner::new(by(method));
        milliseconds(mean_time(|| {
            std::hint::black_box(miner.mine(&samples));
        }))
    };
    METHODS.iter().map(cell).collect::<Vec<_>>().join(" | ")
}

/// Longer and longer samples.
pub(crate) fn by_length() -> Result<(), SimError> {
    println!("\n## Time by the length of samples\n");
    println!("| 8 samples of | iotempo | IOSI | time warping |\n|---|---|---|---|");
    for seconds in [1000, 2000, 4000, 8000, 16_000] {
        println!("| {seconds} s | {} |", times(&some_runs(seconds, 8)?));
    }
    Ok(())
}

/// More and more samples.
pub(crate) fn by_samples() -> Result<(), SimError> {
    println!("\n## Time by the number of samples\n");
    println!("| samples of 2000 s | iotempo | IOSI | time warping |\n|---|---|---|---|");
    for runs in [3, 5, 10, 20, 40] {
        println!("| {runs} | {} |", times(&some_runs(2000, runs)?));
    }
    Ok(())
}

/// Three months of a computing centre.
pub(crate) fn of_a_centre() -> Result<(), SimError> {
    let log = Centre::default().generate()?;
    let mut groups: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for (index, job) in log.jobs.iter().enumerate() {
        groups.entry(job.application).or_default().push(index);
    }
    let groups: Vec<(usize, Vec<usize>)> = groups.into_iter().collect();
    let step = Seconds::new(CentreLog::STEP_S).unwrap_or(Seconds::ZERO);
    let began = Instant::now();
    let found = parallel::map(&groups, |(application, jobs)| {
        let start = Instant::now();
        let busy_before = busy(start);
        let kept = alone_or_all(&log, jobs);
        let ids: Vec<String> = kept
            .iter()
            .map(|&job| log.jobs[job].id.to_string())
            .collect();
        let samples: Vec<Sample> = kept
            .iter()
            .zip(&ids)
            .map(|(&job, id)| Sample {
                id,
                rates: log.sample(&log.jobs[job]),
                step,
            })
            .collect();
        let finding = SignatureMiner::default().mine_beside(&samples, &others(&log, &kept, jobs));
        let application = &log.applications[*application];
        let bursts = application.planned();
        let accuracy = finding
            .signature()
            .map(|found| Accuracy::of(found, &[], &bursts, application.interval_s()));
        Mined {
            jobs: jobs.len(),
            writes_much: bursts[0].bytes > 5e9,
            planned: bursts.len(),
            missed: accuracy.map_or(bursts.len(), |accuracy| accuracy.missed),
            false_bursts: accuracy.map_or(0, |accuracy| accuracy.false_bursts),
            found: accuracy.is_some(),
            took: busy(start).saturating_sub(busy_before),
        }
    });
    let took = began.elapsed();
    let worked: Duration = found.iter().map(|mined| mined.took).sum();
    println!("\n## Three months of a computing centre\n");
    println!(
        "{} jobs of {} applications, the most frequent of which ran {} times: {:.1} s, and {:.1} s of \
         processors.\n",
        log.jobs.len(),
        groups.len(),
        found
            .iter()
            .map(|mined| mined.jobs)
            .max()
            .unwrap_or_default(),
        took.as_secs_f64(),
        worked.as_secs_f64(),
    );
    println!("| applications | of these | have a signature | bursts | missed | false |");
    println!("|---|---|---|---|---|---|");
    let times = [
        ("3 to 9", 3, 9),
        ("10 to 39", 10, 39),
        ("40 or more", 40, usize::MAX),
    ];
    for (what, much) in [("write much", true), ("write little", false)] {
        for (name, fewest, most) in times {
            let these = || {
                found.iter().filter(move |mined| {
                    (fewest..=most).contains(&mined.jobs) && mined.writes_much == much
                })
            };
            let sum = |of: fn(&Mined) -> usize| these().map(of).sum::<usize>();
            println!(
                "| that {what} and ran {name} times | {} | {} | {} | {} | {} |",
                these().count(),
                these().filter(|mined| mined.found).count(),
                sum(|mined| mined.planned),
                sum(|mined| mined.missed),
                sum(|mined| mined.false_bursts),
            );
        }
    }
    Ok(())
}

/// The runs during which no other run of the application was in progress, where these are enough.
fn alone_or_all(log: &CentreLog, jobs: &[usize]) -> Vec<usize> {
    let span = |&job: &usize| Some((log.jobs[job].start_s, log.jobs[job].end_s));
    let alone = alone(&jobs.iter().map(span).collect::<Vec<_>>());
    let kept: Vec<usize> = jobs
        .iter()
        .zip(alone)
        .filter_map(|(job, alone)| alone.then_some(*job))
        .collect();
    if kept.len() < Settings::default().fewest_samples {
        return jobs.to_vec();
    }
    kept
}

/// What servers saw around the newest runs while no job of the application was in progress.
fn others(log: &CentreLog, kept: &[usize], jobs: &[usize]) -> Vec<Vec<f64>> {
    let span = |&job: &usize| (log.jobs[job].start_s, log.jobs[job].end_s);
    let newest = kept.iter().rev().take(Settings::default().most_samples);
    let runs: Vec<(f64, f64)> = newest.map(span).collect();
    let busy: Vec<(f64, f64)> = jobs.iter().map(span).collect();
    let step_s = CentreLog::STEP_S;
    let seen = |(start_s, end_s): (f64, f64)| {
        let first = (start_s.max(0.0) / step_s).ceil() as usize;
        let end = ((end_s / step_s) as usize).min(log.rates.len());
        Some(log.rates.get(first..end)?.to_vec())
    };
    let free = free_around(&runs, &busy, step_s);
    free.into_iter().filter_map(seen).collect()
}

/// What became of an application.
struct Mined {
    jobs: usize,
    writes_much: bool,
    planned: usize,
    found: bool,
    missed: usize,
    false_bursts: usize,
    took: Duration,
}
