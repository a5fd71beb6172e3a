//! The laws that every trace, bandwidth and signal obey.
#![allow(clippy::unwrap_used)]

use iotempo_model::*;
use proptest::collection::vec;
use proptest::num::f64::ANY;
use proptest::prelude::*;

/// Requests from milliseconds to minutes long, some of no length, of 0 bytes to a terabyte.
fn any_request() -> impl Strategy<Value = Request> {
    let length = prop_oneof![Just(0.0), 1e-9..1e-3, 1e-3..10.0, 10.0..600.0];
    let bytes = prop_oneof![Just(0_u64), 1_u64..4096, 4096_u64..1 << 40];
    (
        0..8_i32,
        any::<bool>(),
        0..6_usize,
        0.0..3600.0,
        length,
        bytes,
    )
        .prop_map(|(rank, write, api, start, length, bytes)| Request {
            rank: Rank(rank),
            op: if write { Op::Write } else { Op::Read },
            api: Api::ALL[api],
            file: FileId(0),
            when: Interval::new(seconds(start), seconds(start + length)).unwrap(),
            bytes: bytes.into(),
        })
}

fn seconds(value: f64) -> Seconds {
    Seconds::new(value).unwrap()
}

fn trace(requests: Vec<Request>) -> Trace {
    let mut files = FileTable::default();
    files.intern("data");
    Trace::new(requests, files, Origin::new(Source::Requests))
}

fn sampled(trace: &Trace, rate: f64) -> Signal {
    let rate = Sampling::Rate(Hertz::new(rate).unwrap());
    trace.bandwidth().sample(rate).unwrap()
}

fn close(one: f64, other: f64) -> bool {
    (one - other).abs() <= 1e-9 * one.abs().max(other.abs())
}

fn moves_something(requests: &[Request]) -> bool {
    requests.iter().any(|request| request.bytes > Bytes::ZERO)
}

proptest! {
    #[test]
    fn bandwidth_loses_no_byte(requests in vec(any_request(), 1..200)) {
        let trace = trace(requests);
        let (integral, volume) = (trace.bandwidth().volume().get(), trace.volume().get());
        prop_assert!(close(integral, volume), "{integral} of {volume}");
    }

    #[test]
    fn sampling_loses_no_byte(requests in vec(any_request(), 1..200), rate in 0.01..200.0) {
        prop_assume!(moves_something(&requests));
        let trace = trace(requests);
        let (sum, volume) = (sampled(&trace, rate).volume().get(), trace.volume().get());
        prop_assert!(close(sum, volume), "{sum} of {volume}");
    }

    #[test]
    fn sampling_a_window_loses_no_byte_inside(
        requests in vec(any_request(), 1..200),
        start in -100.0..3600.0_f64,
        length in 0.1..4000.0_f64,
        step in 0.005..50.0,
    ) {
        let trace = trace(requests);
        let window = Interval::new(seconds(start), seconds(start + length)).unwrap();
        let signal = trace
            .bandwidth()
            .sample_window(window.start(), window.end(), seconds(step))
            .unwrap();
        let inside = Selection { window: Some(window), ..Selection::default() };
        let (sum, volume) = (signal.volume().get(), trace.select(&inside).volume().get());
        prop_assert!(close(sum, volume), "{sum} of {volume}");
        let covered = signal.samples().len() as f64 * step;
        prop_assert!(covered > length - 1e-9 && covered < length + step + 1e-9, "{covered}");
    }

    #[test]
    fn windows_side_by_side_are_one(
        requests in vec(any_request(), 1..100),
        cut in 1..100_usize,
    ) {
        let bandwidth = trace(requests).bandwidth();
        let sample = |from: usize, to: usize| {
            let [from, to] = [from, to].map(|step| seconds(step as f64 * 5.0));
            bandwidth.sample_window(from, to, seconds(5.0)).unwrap().samples().to_vec()
        };
        // An impulse at the cut is at the end of one and at the start of the other.
        let at_cut: f64 = bandwidth
            .impulses()
            .iter()
            .filter(|impulse| impulse.at == cut as f64 * 5.0)
            .map(|impulse| impulse.bytes)
            .sum();
        prop_assume!(at_cut == 0.0);
        let parts = [sample(0, cut), sample(cut, 1000)].concat();
        let largest = parts.iter().copied().fold(0.0, f64::max);
        for (part, whole) in parts.iter().zip(sample(0, 1000)) {
            prop_assert!((part - whole).abs() <= 1e-9 * largest, "{part} and {whole}");
        }
    }

    #[test]
    fn sampling_a_stream_loses_no_byte(
        requests in vec(any_request(), 1..200),
        rate in 0.01..200.0,
    ) {
        prop_assume!(moves_something(&requests));
        let volume: Bytes = requests.iter().map(|request| request.bytes).sum();
        let mut sampler = Sampler::new(Hertz::new(rate).unwrap());
        for request in requests {
            sampler.push(request).unwrap();
        }
        let sum = sampler.finish().unwrap().volume();
        prop_assert!(close(sum.get(), volume.get()), "{sum:?} of {volume:?}");
    }

    #[test]
    fn a_stream_is_sampled_like_a_trace(requests in vec(any_request(), 1..100)) {
        prop_assume!(moves_something(&requests));
        // The stream's grid lies at whole steps; a request at time 0 puts the trace's there too.
        let mut requests = requests;
        requests.push(Request {
            when: Interval::new(seconds(0.0), seconds(1.0)).unwrap(),
            bytes: 1_u64.into(),
            ..requests[0]
        });
        let mut sampler = Sampler::new(Hertz::new(2.0).unwrap());
        for request in &requests {
            sampler.push(*request).unwrap();
        }
        let (streamed, whole) = (sampler.finish().unwrap(), sampled(&trace(requests), 2.0));
        let largest = whole.samples().iter().copied().fold(0.0, f64::max);
        for (index, (a, b)) in streamed.samples().iter().zip(whole.samples()).enumerate() {
            // Where a request ends within rounding of a boundary, either step may have its end.
            prop_assert!((a - b).abs() <= 1e-9 * largest, "sample {index}: {a} and {b}");
        }
    }

    #[test]
    fn the_order_of_requests_does_not_show(
        (requests, shuffled) in vec(any_request(), 1..100)
            .prop_flat_map(|requests| (Just(requests.clone()), Just(requests).prop_shuffle())),
    ) {
        prop_assert_eq!(trace(requests).bandwidth(), trace(shuffled).bandwidth());
    }

    #[test]
    fn renaming_ranks_changes_nothing(requests in vec(any_request(), 1..100), by in 1..1000_i32) {
        let renamed = requests.iter().map(|r| Request { rank: Rank(r.rank.0 + by), ..*r });
        let renamed = trace(renamed.collect());
        prop_assert_eq!(trace(requests).bandwidth(), renamed.bandwidth());
    }

    #[test]
    fn shifting_time_shifts_the_bandwidth(
        requests in vec(any_request(), 1..100),
        by in -1000.0..1000.0,
    ) {
        let trace = trace(requests);
        let shifted = trace.clone().shifted(seconds(by));
        prop_assert!(close(shifted.bandwidth().volume().get(), trace.bandwidth().volume().get()));
        let (before, after) = (trace.span().unwrap(), shifted.span().unwrap());
        prop_assert!((after.start().get() - before.start().get() - by).abs() < 1e-9);
        prop_assert!((after.end().get() - before.end().get() - by).abs() < 1e-9);
    }

    #[test]
    fn scaling_time_scales_the_bandwidth(
        requests in vec(any_request(), 1..100),
        power in -8..8_i32,
    ) {
        // A power of two is exact: steps move to scaled times, and rates change inversely.
        let factor = 2.0_f64.powi(power);
        let scaled = requests.iter().map(|r| Request {
            when: Interval::new(
                seconds(r.when.start().get() * factor),
                seconds(r.when.end().get() * factor),
            ).unwrap(),
            ..*r
        });
        let scaled = trace(scaled.collect()).bandwidth();
        let plain = trace(requests).bandwidth();
        prop_assert_eq!(scaled.steps().len(), plain.steps().len());
        for (s, p) in scaled.steps().iter().zip(plain.steps()) {
            prop_assert_eq!(s.at, p.at * factor);
            prop_assert!(close(s.rate * factor, p.rate), "{} and {}", s.rate * factor, p.rate);
        }
    }

    #[test]
    fn windows_side_by_side_lose_no_byte(
        requests in vec(any_request(), 1..100),
        cuts in vec(0.0..4300.0, 0..5),
    ) {
        let trace = trace(requests);
        let mut edges = [vec![-1.0, 1e5], cuts].concat();
        edges.sort_by(f64::total_cmp);
        let parts: f64 = edges
            .windows(2)
            .map(|pair| Selection {
                window: Some(Interval::new(seconds(pair[0]), seconds(pair[1])).unwrap()),
                ..Selection::default()
            })
            .map(|selection| trace.select(&selection).volume().get())
            .sum();
        prop_assert!(close(parts, trace.volume().get()), "{parts} of {:?}", trace.volume());
    }

    #[test]
    fn merging_traces_keeps_every_request(
        one in vec(any_request(), 0..50),
        other in vec(any_request(), 0..50),
    ) {
        let together = trace([one.clone(), other.clone()].concat());
        let merged = Trace::merge([trace(one), trace(other)]);
        prop_assert_eq!(merged.len(), together.len());
        prop_assert_eq!(merged.bandwidth(), together.bandwidth());
    }

    #[test]
    fn whatever_a_log_says_the_intake_keeps_traces_valid(
        raw in vec((any::<i64>(), ANY, ANY, ANY), 0..50),
    ) {
        let offered = raw.len() as u64;
        let mut builder = TraceBuilder::default();
        let mut intake = Intake::new(&mut builder);
        for (rank, start, end, bytes) in raw {
            let (op, api, file) = (Op::Read, Api::Posix, FileId(0));
            intake.offer(RawRequest { rank, op, api, file, start, end, bytes }).unwrap();
        }
        let (accepted, warned) = (intake.accepted(), !intake.warnings().is_empty());
        prop_assert!(accepted == offered || warned, "{accepted} of {offered}, and no warning");
        let trace = builder.finish(Origin::new(Source::Requests), Vec::new());
        prop_assert_eq!(trace.len() as u64, accepted);
        let _ = trace.bandwidth().sample(Sampling::Auto { max_samples: 1000 });
    }
}

#[test]
fn clocks_of_processes_are_aligned_with_a_warning() {
    let at = |epoch: Option<f64>| {
        let mut trace = trace(vec![Request {
            rank: Rank(0),
            op: Op::Write,
            api: Api::Posix,
            file: FileId(0),
            when: Interval::new(seconds(1.0), seconds(2.0)).unwrap(),
            bytes: 8_u64.into(),
        }]);
        trace.origin.job.start_epoch_s = epoch;
        trace
    };
    let merged = Trace::merge([at(Some(1003.0)), at(Some(1000.0)), at(None)]);
    let starts: Vec<f64> = merged.iter().map(|r| r.when.start().get()).collect();
    assert_eq!(starts, [4.0, 1.0, 1.0]);
    let codes: Vec<_> = merged.warnings.iter().map(|w| w.code.as_ref()).collect();
    assert_eq!(codes, ["clocks-aligned", "clock-unknown"]);
    assert_eq!(merged.origin.job.start_epoch_s, Some(1000.0));
}
