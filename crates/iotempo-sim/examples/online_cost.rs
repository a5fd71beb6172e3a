//! What it costs to follow a job: microseconds per prediction and bytes of memory, by kind of job.
//!
//! `cargo run --release -p iotempo-sim --example online_cost` prints a table; docs/experiments/online.md
//! has it. Every job is told to the follower a second at a time, for as long as its row says, and a
//! prediction is made whenever one is due.
#![allow(clippy::print_stdout, clippy::disallowed_types)]

use iotempo_analysis::online::{Follower, Prediction, Settings};
use iotempo_model::{Bytes, Interval, Origin, Seconds, Source};
use iotempo_sim::{Aperiodic, SimError};
use std::time::{Duration, Instant};

const HOUR: usize = 3600;
const DAY: usize = 24 * HOUR;

/// A job: bytes of each second.
struct Job {
    name: String,
    bytes: Vec<f64>,
    /// Whether its source says that it is made of samples a second long.
    sampled: bool,
}

impl Job {
    /// Phases of a fifth of the period, a write a second.
    fn periodic(period: usize, length: usize) -> Self {
        let active = |second: usize| second % period < (period / 5).max(1);
        let bytes = (0..length).map(|second| if active(second) { 1e9 } else { 0.0 });
        Self {
            name: format!("a phase every {period} s"),
            bytes: bytes.collect(),
            sampled: false,
        }
    }

    fn aperiodic(name: &str, kind: Aperiodic, length: usize) -> Result<Self, SimError> {
        Ok(Self {
            name: name.to_owned(),
            bytes: kind.signal(length, 1)?.samples().to_vec(),
            sampled: false,
        })
    }

    fn sampled(self) -> Self {
        Self {
            name: format!("{}, sampled", self.name),
            sampled: true,
            ..self
        }
    }
}

/// What following a job took.
struct Cost {
    predictions: Vec<Duration>,
    /// Whether each found a rhythm.
    periodic: usize,
    in_all: Duration,
    memory: usize,
}

fn follow(job: &Job) -> Cost {
    let mut origin = Origin::new(if job.sampled {
        Source::Samples
    } else {
        Source::Requests
    });
    origin.resolution = seconds(1).filter(|_| job.sampled);
    let mut follower = Follower::new(Settings::default(), origin);
    let mut cost = Cost {
        predictions: Vec::new(),
        periodic: 0,
        in_all: Duration::ZERO,
        memory: 0,
    };
    for (second, bytes) in job.bytes.iter().enumerate() {
        let began = Instant::now();
        let now = tell(&mut follower, second, *bytes);
        if follower.is_due(now) {
            let asked = Instant::now();
            let made: Prediction = follower.predict(now);
            cost.predictions.push(asked.elapsed());
            cost.periodic += usize::from(made.period.is_some());
        }
        cost.in_all += began.elapsed();
        cost.memory = cost.memory.max(follower.memory());
    }
    cost
}

/// Tells the follower of a second; gives its end.
fn tell(follower: &mut Follower, second: usize, bytes: f64) -> Seconds {
    let (start, end) = (seconds(second), seconds(second + 1));
    let (start, end) = (start.unwrap_or_default(), end.unwrap_or_default());
    if let (Ok(when), Some(bytes)) = (Interval::new(start, end), Bytes::new(bytes)) {
        follower.add(when, bytes);
    }
    end
}

fn seconds(count: usize) -> Option<Seconds> {
    Seconds::new(count as f64)
}

fn jobs() -> Result<Vec<(Job, usize)>, SimError> {
    let sparse = |length| Job::aperiodic("random bursts", Aperiodic::SPARSE, length);
    let noise = |length| Job::aperiodic("a random rate", Aperiodic::WhiteNoise, length);
    Ok(vec![
        (Job::periodic(10, DAY), DAY),
        (Job::periodic(60, DAY), DAY),
        (Job::periodic(600, DAY), DAY),
        (Job::periodic(3600, DAY), DAY),
        (sparse(DAY)?, DAY),
        (noise(DAY)?, DAY),
        (noise(DAY)?.sampled(), DAY),
        (Job::periodic(60, HOUR), HOUR),
        (sparse(HOUR)?, HOUR),
        (noise(HOUR)?, HOUR),
    ])
}

fn main() -> Result<(), SimError> {
    println!(
        "| job, 1 Hz | for | predictions | a prediction: median | 99 % | a second of the job | memory, at most | told a period |"
    );
    println!("|---|---|---|---|---|---|---|---|");
    for (job, length) in jobs()? {
        let mut cost = follow(&job);
        cost.predictions.sort_unstable();
        let count = cost.predictions.len();
        let micros = |time: Duration| 1e6 * time.as_secs_f64();
        let at = |share: f64| {
            let index = (share * count as f64) as usize;
            let time = cost.predictions.get(index.min(count.saturating_sub(1)));
            time.map_or(0.0, |time| micros(*time))
        };
        println!(
            "| {} | {} h | {count} | {:.0} µs | {:.0} µs | {:.1} µs | {} kB | {} |",
            job.name,
            length / HOUR,
            at(0.5),
            at(0.99),
            micros(cost.in_all) / length as f64,
            cost.memory / 1000,
            cost.periodic
        );
    }
    Ok(())
}
