//! Programs that write the same amount again and again, on machines that others use, too: some phases take
//! longer than others, requests lie apart within them, a phase is held up, or the program is slower for a while.
#![allow(clippy::unwrap_used, clippy::print_stdout)]

use iotempo_analysis::period::{Detector, PeriodFinding};
use iotempo_analysis::sampling;
use iotempo_model::Bandwidth;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// What others do to a program.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Disturbance {
    Nothing,
    /// Every phase takes its own time.
    Bandwidth,
    /// One phase is held up.
    Hiccup,
    /// The program computes more slowly up to some moment, or from then on.
    Load,
    /// Compute phases differ.
    Jitter,
    /// They become longer and shorter, as slowly as load comes and goes.
    Drift,
    /// All of these.
    All,
}

const DISTURBANCES: [Disturbance; 7] = [
    Disturbance::Nothing,
    Disturbance::Bandwidth,
    Disturbance::Hiccup,
    Disturbance::Load,
    Disturbance::Jitter,
    Disturbance::Drift,
    Disturbance::All,
];

/// A run: when phases begin, and how long they take.
#[derive(Debug)]
struct Run {
    starts: Vec<f64>,
    lengths: Vec<f64>,
    requests: usize,
    /// The share of a phase in which requests are under way.
    dense: f64,
    ranks: usize,
}

impl Run {
    fn new(kind: Disturbance, seed: u64) -> Self {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let is = |one: Disturbance| kind == one || kind == Disturbance::All;
        let phases = random.random_range(8..40_usize);
        let period = 10_f64.powf(random.random_range(-0.5..2.8));
        let busy = 10_f64.powf(random.random_range(-2.5..-0.1));
        let compute = period * (1.0 - busy);
        let spread = random.random_range(0.2..0.8);
        let held_up = random.random_range(0..phases);
        let change = random.random_range(0..phases);
        let (before, after) = match random.random_range(0..2) {
            0 => (1.0, 1.0 + random.random_range(0.02..0.3)),
            _ => (1.0 + random.random_range(0.02..0.3), 1.0),
        };
        let jitter = random.random_range(0.01..0.08);
        let mut normal = || (0..12).map(|_| random.random::<f64>()).sum::<f64>() - 6.0;
        let (mut starts, mut lengths) = (Vec::new(), Vec::new());
        let mut now = 0.1 * period;
        let mut slowness = 0.0;
        for phase in 0..phases {
            let mut length = busy * period;
            if is(Disturbance::Bandwidth) {
                length *= f64::exp(spread * normal());
            }
            if is(Disturbance::Hiccup) && phase == held_up {
                length = (length * 30.0).min(length.max(0.6 * period));
            }
            let mut pause = compute;
            if is(Disturbance::Load) {
                pause *= if phase < change { before } else { after };
            }
            if is(Disturbance::Jitter) {
                pause *= 1.0 + jitter * normal();
            }
            if is(Disturbance::Drift) {
                slowness = 0.9 * slowness + 0.44 * jitter * normal();
                pause *= 1.0 + slowness;
            }
            starts.push(now);
            lengths.push(length);
            now += length + pause;
        }
        Self {
            starts,
            lengths,
            requests: random.random_range(1..300),
            dense: random.random_range(0.4..1.0),
            ranks: random.random_range(1..6),
        }
    }

    fn steps(&self) -> Vec<f64> {
        self.starts
            .windows(2)
            .map(|pair| pair[1] - pair[0])
            .collect()
    }

    fn bandwidth(&self) -> Bandwidth {
        let mut transfers = Vec::new();
        for (start, length) in self.starts.iter().zip(&self.lengths) {
            let each = length / self.requests as f64;
            for rank in 0..self.ranks {
                let late = 0.01 * rank as f64 * length;
                for request in 0..self.requests {
                    let from = start + late + request as f64 * each;
                    transfers.push((from, from + self.dense * each, 4096.0));
                }
            }
        }
        Bandwidth::of_transfers(transfers.len(), transfers.iter().copied())
    }

    /// Whether this is how long it takes from start to start, in half of the run or more.
    fn has(&self, period: f64) -> bool {
        let steps = self.steps();
        let half = steps.len() / 2;
        (half..=steps.len()).any(|many| {
            steps.windows(many).any(|steps| {
                let mean = steps.iter().sum::<f64>() / many as f64;
                (period / mean - 1.0).abs() < 0.03
            })
        })
    }
}

/// How many of a hundred runs are called periodic with their period, and with another one.
fn found(kind: Disturbance) -> (f64, f64) {
    const RUNS: u64 = 300;
    let (mut right, mut wrong) = (0, 0);
    for seed in 0..RUNS {
        let run = Run::new(kind, 70_000 + seed);
        let signal = sampling::automatic(&run.bandwidth(), None, None).unwrap();
        match Detector::default().detect(&signal).main() {
            Some(rhythm) if run.has(rhythm.period.value.get()) => right += 1,
            Some(rhythm) => {
                println!("{kind:?}: {} is no period of {run:?}", rhythm.period.value);
                wrong += 1;
            }
            None => {}
        }
    }
    let share = |count: u64| 100.0 * count as f64 / RUNS as f64;
    println!(
        "{kind:?}: {:.1} % right, {:.1} % wrong",
        share(right),
        share(wrong)
    );
    (share(right), share(wrong))
}

#[test]
fn disturbed_programs_keep_their_period() {
    for kind in DISTURBANCES {
        let (right, wrong) = found(kind);
        assert!(
            right >= 97.0 && wrong <= 2.0,
            "{kind:?}: {right} % right, {wrong} % wrong"
        );
    }
}

/// Bursts of a second, but for `length`, that begin at these instants.
fn detected(starts: &[f64], length: f64) -> PeriodFinding {
    let transfers = starts.iter().map(|start| (*start, start + length, 1e9));
    let bandwidth = Bandwidth::of_transfers(starts.len(), transfers);
    let signal = sampling::automatic(&bandwidth, None, None).unwrap();
    Detector::default().detect(&signal)
}

/// Where bursts begin that are so far apart, again and again.
fn starts(distances: &[f64], times: usize) -> Vec<f64> {
    let steps = std::iter::repeat_n(distances, times).flatten();
    let later = steps.scan(3.0, |now, step| {
        *now += step;
        Some(*now)
    });
    std::iter::once(3.0).chain(later).collect()
}

#[test]
fn what_comes_again_and_again_is_no_disturbance() {
    for (distances, period) in [
        (&[10.0, 10.0, 16.0][..], 36.0),
        (&[10.0, 10.0, 10.0, 10.0, 10.0, 25.0], 75.0),
        (&[14.0, 14.0, 32.0], 60.0),
    ] {
        let finding = detected(&starts(distances, 15), 1.0);
        let found = finding.main().map(|rhythm| rhythm.period.value.get());
        let right = found.is_none_or(|found| (found / period - 1.0).abs() < 0.03);
        assert!(right, "{distances:?}: {found:?}");
    }
}

/// Checkpoints that are written in many requests, over much of the time: either is a period, and nothing else.
#[test]
fn requests_and_checkpoints_are_not_mixed_up() {
    const CHECKPOINT: f64 = 60.0;
    let mut wrong = 0;
    for requests in [7, 8, 10, 12, 16, 20, 25, 30, 40] {
        for share in [0.4, 0.5, 0.6, 0.7, 0.8] {
            let request = CHECKPOINT * share / f64::from(requests);
            let begins = |i: i32| {
                let (checkpoint, of_it) = (i / requests, i % requests);
                3.0 + CHECKPOINT * f64::from(checkpoint) + request * f64::from(of_it)
            };
            let all: Vec<f64> = (0..20 * requests).map(begins).collect();
            let finding = detected(&all, 0.6 * request);
            let near = |period: f64| {
                let found = finding.main().map(|rhythm| rhythm.period.value.get());
                found.is_none_or(|found| (found / period - 1.0).abs() < 0.03)
            };
            if !near(CHECKPOINT) && !near(request) {
                println!(
                    "{requests} requests in {share}: {:?}",
                    finding.main().unwrap().period
                );
                wrong += 1;
            }
        }
    }
    // Of seven requests in 70 % of the time, six at a time are about as regular as the checkpoints.
    assert!(wrong <= 1, "{wrong}");
}
