//! Semi-synthetic traces are what their parameters say, and their truth is that of their requests.
#![allow(clippy::unwrap_used)]

mod common;

use common::checksum;
use iotempo_model::{
    Api, Bytes, Hertz, Interval, Op, Rank, Request, RequestSink, Sampling, Seconds, TraceBuilder,
};
use iotempo_sim::{Grain, IoPhase, NoiseLevel, PhaseLibrary, SemiSynthetic, SimError, Truth};

fn s(seconds: f64) -> Seconds {
    Seconds::new(seconds).unwrap()
}

fn hertz(rate: f64) -> Hertz {
    Hertz::new(rate).unwrap()
}

/// Variable in every way, so that nothing holds by chance.
fn varied(seed: u64) -> SemiSynthetic {
    SemiSynthetic {
        compute_sigma: s(6.0),
        desync: s(4.0),
        noise: NoiseLevel::High,
        seed,
        ..SemiSynthetic::default()
    }
}

#[test]
fn the_library_has_the_bounds_and_the_mean_of_the_measured_phases() {
    let library = PhaseLibrary::new(32, Grain::Coarse);
    let lengths: Vec<f64> = (0..PhaseLibrary::LEN)
        .map(|i| library.phase(i).length() as f64 / 1e9)
        .collect();
    let mean = lengths.iter().sum::<f64>() / lengths.len() as f64;
    let longest = lengths.iter().copied().fold(0.0, f64::max);
    assert_eq!(longest, 13.34);
    assert!(lengths.iter().all(|&length| length >= 10.22));
    // The mean of 99 draws strays by 0.18/√99 = 0.02 s around 10.22 + 0.18 + 3.12/99 s.
    assert!((mean - 10.43).abs() < 0.06, "{mean}");
}

#[test]
fn ranks_are_done_within_the_last_eighth_of_a_phase() {
    let library = PhaseLibrary::new(32, Grain::Coarse);
    let mut shares = Vec::new();
    for index in 0..PhaseLibrary::LEN {
        let phase = library.phase(index);
        let length = phase.length() as f64;
        shares.extend(phase.ranks.iter().map(|r| r.finish() as f64 / length));
    }
    assert!(shares.iter().all(|&share| (0.88..=1.0).contains(&share)));
    // 31 of 32 ranks: 1 − 0.12 · E[Beta(1.2, 4)], and the slowest one.
    let expected = (31.0 * (1.0 - 0.12 * 1.2 / 5.2) + 1.0) / 32.0;
    let mean = shares.iter().sum::<f64>() / shares.len() as f64;
    assert!((mean - expected).abs() < 0.002, "{mean} {expected}");
}

#[test]
fn fine_phases_resolve_coarse_ones() {
    let phase = |grain| -> IoPhase { PhaseLibrary::new(4, grain).phase(17) };
    let (fine, coarse) = (phase(Grain::Fine), phase(Grain::Coarse));
    for (one, other) in fine.ranks.iter().zip(&coarse.ranks) {
        assert_eq!(one.finish(), other.finish());
        assert_eq!(one.ends.len(), 3500);
        assert!(one.ends.is_sorted());
        let volume = |part: &iotempo_sim::RankPart| part.ends.len() as u64 * part.request_bytes;
        assert_eq!(volume(one), volume(other));
    }
    // Lengths of requests are lognormal: the deviation of their logarithms is the spread.
    let ends = &fine.ranks[0].ends;
    let logs: Vec<f64> = ends
        .windows(2)
        .map(|w| ((w[1] - w[0]) as f64).ln())
        .collect();
    let mean = logs.iter().sum::<f64>() / logs.len() as f64;
    let variance = logs.iter().map(|l| (l - mean).powi(2)).sum::<f64>() / logs.len() as f64;
    assert!((variance.sqrt() - 0.3).abs() < 0.02, "{}", variance.sqrt());
}

#[test]
fn without_variation_every_period_is_the_compute_time_and_a_phase_of_the_library() {
    let (_, truth) = SemiSynthetic::default().signal(hertz(1.0)).unwrap();
    let rhythm = &truth.rhythms[0];
    assert_eq!(rhythm.periods.len(), 20);
    for period in &rhythm.periods {
        let io = period.get() - 11.0;
        assert!((10.22..=13.3401).contains(&io), "{io}");
    }
    for (index, phase) in rhythm.phases.iter().enumerate() {
        let before = if index == 0 {
            0.0
        } else {
            rhythm.phases[index - 1].end.get()
        };
        assert!((phase.start.get() - before - 11.0).abs() < 1e-8);
        assert_eq!(phase.bytes.get(), 32.0 * 3.5e9);
    }
}

#[test]
fn truth_is_that_of_the_requests() {
    for seed in 0..20 {
        let settings = SemiSynthetic {
            noise: NoiseLevel::None,
            ..varied(seed)
        };
        let made = settings.generate().unwrap();
        let truth = &made.truth;
        let rhythm = &truth.rhythms[0];
        for phase in &rhythm.phases {
            let inside: Vec<Request> = made
                .trace
                .iter()
                .filter(|r| r.when.start() >= phase.start && r.when.end() <= phase.end)
                .collect();
            let volume: Bytes = inside.iter().map(|r| r.bytes).sum();
            assert_eq!(volume, phase.bytes);
            let hull = inside
                .iter()
                .map(|r| r.when)
                .reduce(Interval::hull)
                .unwrap();
            assert_eq!((hull.start(), hull.end()), (phase.start, phase.end));
        }
        let sum: f64 = rhythm.periods.iter().map(|p| p.get()).sum();
        assert!((sum - truth.span.get()).abs() < 1e-6);
        assert_eq!(rhythm.phases.last().unwrap().end, truth.span);
        assert_eq!(made.trace.volume(), rhythm.bytes());
        assert_eq!(made.trace.origin.observed.unwrap().end(), truth.span);
        let moving: f64 = made
            .trace
            .bandwidth()
            .steps()
            .windows(2)
            .filter(|pair| pair[0].rate > 0.0)
            .map(|pair| pair[1].at - pair[0].at)
            .sum();
        let active = moving / truth.span.get();
        assert!((active - truth.active_fraction).abs() < 1e-9, "{active}");
    }
}

#[test]
fn compute_times_and_delays_have_the_moments_of_their_distributions() {
    let settings = SemiSynthetic {
        iterations: 4000,
        compute_sigma: s(2.0),
        desync: s(3.0),
        ranks: 2,
        ..SemiSynthetic::default()
    };
    let made = settings.generate().unwrap();
    let phases = &made.truth.rhythms[0].phases;
    let mut ends = vec![0.0];
    ends.extend(phases.iter().map(|p| p.end.get()));
    let compute: Vec<f64> = phases
        .iter()
        .zip(&ends)
        .map(|(p, end)| p.start.get() - end)
        .collect();
    let mean = compute.iter().sum::<f64>() / 4000.0;
    let sigma = (compute.iter().map(|c| (c - mean).powi(2)).sum::<f64>() / 4000.0).sqrt();
    // Five standard errors of a mean and of a deviation of 4000 draws.
    assert!((mean - 11.0).abs() < 5.0 * 2.0 / 4000_f64.sqrt(), "{mean}");
    assert!((sigma - 2.0).abs() < 5.0 * 2.0 / 8000_f64.sqrt(), "{sigma}");
    let late: Vec<f64> = made
        .trace
        .iter()
        .filter(|r| r.rank == Rank(1))
        .zip(phases)
        .map(|(r, p)| r.when.start().get() - p.start.get())
        .collect();
    let mean_late = late.iter().sum::<f64>() / late.len() as f64;
    assert!(
        (mean_late - 3.0).abs() < 5.0 * 3.0 / 4000_f64.sqrt(),
        "{mean_late}"
    );
}

#[test]
fn volumes_spread_as_they_are_told_to_and_take_their_time() {
    let settings = SemiSynthetic {
        iterations: 2000,
        ranks: 1,
        volume_spread: 0.2,
        ..SemiSynthetic::default()
    };
    let made = settings.generate().unwrap();
    let phases = &made.truth.rhythms[0].phases;
    let shares: Vec<f64> = phases.iter().map(|p| p.bytes.get() / 3.5e9).collect();
    let mean = shares.iter().sum::<f64>() / 2000.0;
    let sigma = (shares.iter().map(|v| (v - mean).powi(2)).sum::<f64>() / 2000.0).sqrt();
    assert!((mean - 1.0).abs() < 5.0 * 0.2 / 2000_f64.sqrt(), "{mean}");
    assert!((sigma - 0.2).abs() < 5.0 * 0.2 / 4000_f64.sqrt(), "{sigma}");
    for (phase, share) in phases.iter().zip(&shares) {
        let usual = (phase.end.get() - phase.start.get()) / share;
        assert!((10.2..13.4).contains(&usual), "{usual}");
    }
    assert_eq!(made.trace.volume(), made.truth.rhythms[0].bytes());
    let alike = SemiSynthetic {
        volume_spread: 0.0,
        ..settings
    };
    let starts = |s: &SemiSynthetic| s.generate().unwrap().truth.rhythms[0].phases[0].start;
    assert_eq!(starts(&alike), starts(&settings));
}

#[test]
fn compute_times_stay_positive_however_much_they_vary() {
    let settings = SemiSynthetic {
        compute_sigma: s(40.0),
        iterations: 500,
        ..varied(3)
    };
    let truth = settings.generate().unwrap().truth;
    let mut before = 0.0;
    for phase in &truth.rhythms[0].phases {
        assert!(phase.start.get() > before);
        before = phase.end.get();
    }
}

#[test]
fn noise_is_added_and_changes_nothing_else() {
    let quiet = SemiSynthetic {
        noise: NoiseLevel::None,
        ..varied(5)
    }
    .generate()
    .unwrap();
    for (level, rate) in [(NoiseLevel::Low, 0.5e9), (NoiseLevel::High, 1e9)] {
        let noisy = SemiSynthetic {
            noise: level,
            ..varied(5)
        }
        .generate()
        .unwrap();
        assert_eq!(noisy.truth, quiet.truth);
        let added: Vec<Request> = noisy.trace.iter().skip(quiet.trace.len()).collect();
        assert!(
            noisy
                .trace
                .iter()
                .zip(quiet.trace.iter())
                .all(|(a, b)| a == b)
        );
        assert!(added.iter().all(|r| r.rank == Rank(32)));
        let volume: Bytes = added.iter().map(|r| r.bytes).sum();
        let mean = volume.get() / noisy.truth.span.get();
        assert!((mean / (0.6 * rate) - 1.0).abs() < 0.02, "{mean}");
        assert!(added.iter().all(|r| r.when.end() <= noisy.truth.span));
    }
}

#[test]
fn the_signal_is_the_sampled_trace() {
    for (seed, rate) in [(1, 1.0), (2, 0.1), (3, 10.0), (4, 3.0)] {
        let made = varied(seed).generate().unwrap();
        let signal = made.signal(hertz(rate)).unwrap();
        // Sampling begins with the first request: one byte at time 0 makes it begin there.
        let mut builder = TraceBuilder::default();
        let file = builder.file("anchor");
        let anchor = Request {
            rank: Rank(0),
            op: Op::Write,
            api: Api::Posix,
            file,
            when: Interval::at(Seconds::ZERO),
            bytes: Bytes::from(1),
        };
        builder.push(anchor).unwrap();
        made.trace
            .iter()
            .for_each(|request| builder.push(request).unwrap());
        let anchored = builder.finish(made.trace.origin.clone(), Vec::new());
        let mut expected = anchored
            .bandwidth()
            .sample(Sampling::Rate(hertz(rate)))
            .unwrap()
            .samples()
            .to_vec();
        expected[0] -= rate;
        assert_eq!(signal.samples().len(), expected.len());
        for (got, wanted) in signal.samples().iter().zip(&expected) {
            assert!((got - wanted).abs() < 1.0, "{got} {wanted} B/s");
        }
        assert_eq!(signal.start(), Seconds::ZERO);
        let volume = made.trace.volume().get();
        assert!((signal.volume().get() - volume).abs() < 1e-9 * volume);
    }
}

#[test]
fn fine_and_coarse_traces_have_one_truth_and_one_volume() {
    let coarse = SemiSynthetic {
        iterations: 3,
        ranks: 4,
        ..varied(8)
    };
    let fine = SemiSynthetic {
        grain: Grain::Fine,
        ..coarse
    };
    let (one, other) = (coarse.generate().unwrap(), fine.generate().unwrap());
    assert_eq!(one.truth, other.truth);
    assert_eq!(one.trace.volume(), other.trace.volume());
    assert!(other.trace.len() > 3 * 4 * 3500);
}

#[test]
fn a_seed_is_a_trace() {
    let of = |seed| checksum(&varied(seed).generate().unwrap().trace);
    assert_eq!(of(1), of(1));
    assert_ne!(of(1), of(2));
    assert_eq!(of(1), 10_280_252_447_110_175_344);
    let fine = SemiSynthetic {
        grain: Grain::Fine,
        iterations: 1,
        ..varied(1)
    };
    assert_eq!(
        checksum(&fine.generate().unwrap().trace),
        6_312_953_675_790_579_579
    );
}

#[test]
fn parameters_that_make_no_trace_are_refused() {
    let plain = SemiSynthetic::default();
    for (bad, name) in [
        (SemiSynthetic { ranks: 0, ..plain }, "ranks"),
        (
            SemiSynthetic {
                iterations: 0,
                ..plain
            },
            "iterations",
        ),
        (
            SemiSynthetic {
                compute_mean: s(-1.0),
                ..plain
            },
            "compute-mean",
        ),
        (
            SemiSynthetic {
                compute_sigma: s(-1.0),
                ..plain
            },
            "compute-sigma",
        ),
        (
            SemiSynthetic {
                volume_spread: f64::NAN,
                ..plain
            },
            "volume-spread",
        ),
        (
            SemiSynthetic {
                desync: s(1e300),
                ..plain
            },
            "desync",
        ),
    ] {
        let error = bad.generate().unwrap_err();
        assert!(error.to_string().starts_with(name), "{error}");
    }
    let huge = SemiSynthetic {
        iterations: 1_000_000,
        grain: Grain::Fine,
        ..plain
    };
    assert!(matches!(
        huge.generate(),
        Err(SimError::TooManyRequests { .. })
    ));
    let endless = SemiSynthetic {
        iterations: 1_000,
        compute_mean: s(1e8),
        ranks: 1,
        ..plain
    };
    assert_eq!(endless.generate().err(), Some(SimError::TooLong));
    assert!(matches!(
        plain.signal(hertz(1e9)),
        Err(SimError::Sampling(_))
    ));
}

#[test]
fn a_truth_without_rhythms_has_no_period() {
    assert_eq!(Truth::default().mean_period(), None);
}
