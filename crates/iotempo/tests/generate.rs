//! `iotempo generate`: what it writes is what the generators make, and reads back as such.
#![allow(clippy::unwrap_used)]

mod common;
use common::Place;
use iotempo_formats::{Input, ReadOptions, Reading, read_trace};
use iotempo_model::{Hertz, Op, Request, Trace};
use iotempo_sim::{Aperiodic, SemiSynthetic, Shape, ShapeKind, Synthetic};
use std::fs::File;

/// Every kind with small parameters, and what the library makes of the same.
fn kinds() -> Vec<(Vec<String>, Synthetic)> {
    let words = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
    let semi = SemiSynthetic {
        ranks: 3,
        iterations: 4,
        compute_sigma: iotempo_model::Seconds::new(2.5).unwrap(),
        desync: iotempo_model::Seconds::new(1.0).unwrap(),
        noise: iotempo_sim::NoiseLevel::Low,
        seed: 5,
        ..SemiSynthetic::default()
    };
    let given = "semi --ranks 3 --iterations 4 --compute-sigma 2.5 --desync 1 --noise low --seed 5";
    let mut kinds = vec![(words(given), semi.generate().unwrap())];
    let none = [
        ("bursts --samples 300 --seed 5", Aperiodic::SPARSE),
        ("noise --samples 300 --seed 5", Aperiodic::WhiteNoise),
        (
            "noise --uniform --samples 300 --seed 5",
            Aperiodic::UniformNoise,
        ),
        ("walk --samples 300 --seed 5", Aperiodic::RandomWalk),
        ("constant --samples 300 --seed 5", Aperiodic::Constant),
        ("single --samples 300 --seed 5", Aperiodic::SingleBurst),
    ];
    kinds.extend(none.map(|(text, kind)| (words(text), kind.generate(300, 5).unwrap())));
    kinds.extend(ShapeKind::ALL.map(|kind| {
        let shape = Shape {
            seed: 5,
            ..Shape::new(kind)
        };
        let text = format!("{} --seed 5", kind.name());
        (words(&text), shape.generate().unwrap())
    }));
    kinds
}

fn generated(place: &Place, kind: &[String], more: &[&str]) -> (Reading, Trace) {
    let mut arguments = vec!["generate", "-q", "-o", "out"];
    arguments.extend(kind.iter().map(String::as_str));
    arguments.extend(more);
    place.run(&arguments).ok();
    let input = Input::file(File::open(place.path("out")).unwrap()).unwrap();
    read_trace(input, &ReadOptions::default()).unwrap()
}

/// All of a request, with the name of its file.
fn rows(trace: &Trace) -> Vec<(Request, String)> {
    let name = |request: &Request| trace.files.name(request.file).unwrap().to_owned();
    let mut rows: Vec<_> = trace.iter().map(|r| (r, name(&r))).collect();
    for (request, _) in &mut rows {
        request.file = iotempo_model::FileId(0);
    }
    rows
}

#[test]
fn requests_read_back_as_they_were_made() {
    let place = Place::new();
    for (kind, made) in kinds() {
        for format in ["csv", "jsonl"] {
            let (reading, trace) = generated(&place, &kind, &["--to", format]);
            assert_eq!(rows(&trace), rows(&made.trace), "{kind:?} {format}");
            assert!(reading.warnings.is_empty(), "{:?}", reading.warnings);
        }
    }
}

/// TMIO keeps neither ranks nor files, and rates in the place of volumes.
#[test]
fn phases_of_tmio_read_back_as_the_same_requests() {
    let place = Place::new();
    for (kind, made) in kinds() {
        let (reading, trace) = generated(&place, &kind, &["--to", "tmio"]);
        assert_eq!(reading.format, "tmio json lines");
        assert!(reading.warnings.is_empty(), "{:?}", reading.warnings);
        assert_eq!(reading.origin.job.run_time_s, Some(made.truth.span.get()));
        let mut expected: Vec<Request> = made.trace.iter().collect();
        expected.sort_by_key(|request| (request.op, request.rank));
        assert_eq!(trace.len(), expected.len());
        for (got, wanted) in trace.iter().zip(expected) {
            assert_eq!((got.op, got.when), (wanted.op, wanted.when));
            let off = (got.bytes.get() / wanted.bytes.get() - 1.0).abs();
            assert!(off <= f64::EPSILON, "{off}");
        }
    }
}

#[test]
fn signals_read_back_as_the_samples_of_the_whole_run() {
    let place = Place::new();
    let rate = Hertz::new(0.5).unwrap();
    for (kind, made) in kinds() {
        for format in ["csv", "tmio"] {
            let more = ["--to", format, "--signal", "--rate", "0.5"];
            let (reading, trace) = generated(&place, &kind, &more);
            assert!(reading.warnings.is_empty(), "{:?}", reading.warnings);
            let observed = reading.origin.observed.unwrap();
            let whole = made.signal(rate).unwrap();
            let end = whole.time(whole.samples().len());
            assert_eq!((observed.start().get(), observed.end()), (0.0, end));
            for op in Op::ALL {
                let signal = made.signal_of(op, rate).unwrap();
                let expected = signal
                    .samples()
                    .iter()
                    .enumerate()
                    .filter(|(_, r)| **r > 0.0);
                let got = trace.iter().filter(|request| request.op == op);
                let got: Vec<_> = got.map(|r| (r.when.start(), r.bytes.get() / 2.0)).collect();
                let expected: Vec<_> = expected.map(|(i, r)| (signal.time(i), *r)).collect();
                assert_eq!(got, expected, "{kind:?} {format}");
            }
        }
    }
}

#[test]
fn the_same_seed_gives_the_same_bytes_and_another_one_does_not() {
    let place = Place::new();
    let of = |seed: &str| place.run(&["generate", "--seed", seed]).ok().out;
    assert_eq!(of("3"), of("3"));
    assert_ne!(of("3"), of("4"));
    assert!(of("3").starts_with("rank,op,api,file,start_s,end_s,bytes\n0,write,posix,ior.0,11,"));
}

#[test]
fn many_traces_lie_in_a_folder_each_beside_its_truth() {
    let place = Place::new();
    let arguments = [
        "generate",
        "few",
        "--count",
        "3",
        "--seed",
        "8",
        "--out-dir",
        "out/traces",
    ];
    let ran = place.run(&arguments).ok();
    assert_eq!(ran.out, "");
    assert_eq!(ran.err, "iotempo: out/traces: 3 traces, 48 rows\n");
    let names = [
        "08.csv",
        "08.truth.json",
        "09.csv",
        "09.truth.json",
        "10.csv",
        "10.truth.json",
    ];
    let names = names.map(|name| format!("out/traces/few-{name}"));
    assert_eq!(place.files(), names);
    let truth: serde_json::Value = serde_json::from_str(&place.read(&names[3])).unwrap();
    let result = &truth["results"][0];
    assert_eq!(
        (&result["seed"], &result["output"]),
        (&9.into(), &names[2].clone().into())
    );
    // One of many is the one that is made alone.
    let alone = place.run(&["generate", "few", "--seed", "9"]).ok();
    assert_eq!(place.read(&names[2]), alone.out);
}

#[test]
fn the_truth_is_the_same_in_its_file_and_on_standard_output() {
    let place = Place::new();
    let arguments = [
        "generate",
        "joining",
        "-o",
        "out.csv",
        "--truth",
        "truth.json",
        "--json",
    ];
    let ran = place.run(&arguments).ok();
    assert_eq!(ran.out, place.read("truth.json"));
    let only = place.run(&["generate", "joining", "--json"]).ok().json();
    let (mut one, mut other) = (ran.json()["results"][0].clone(), only["results"][0].clone());
    assert_eq!(one["output"].take(), "out.csv");
    assert_eq!(other["output"].take(), serde_json::Value::Null);
    assert_eq!(one, other);
    assert_eq!(one["rhythms"][0]["name"], "checkpoints");
    assert_eq!(one["segments"].as_array().unwrap().len(), 2);
}

#[test]
fn what_does_not_repeat_has_no_period() {
    let json = Place::new()
        .run(&["generate", "walk", "--json"])
        .ok()
        .json();
    let result = &json["results"][0];
    assert_eq!(
        (&result["periodic"], &result["period_s"]),
        (&false.into(), &().into())
    );
}

#[test]
fn mistakes_are_told_and_leave_nothing_behind() {
    let place = Place::new();
    for (arguments, message) in [
        (
            "generate few --iterations 3",
            "--iterations is no parameter of few",
        ),
        ("generate noise --equal", "--equal is no parameter of noise"),
        ("generate --samples 3", "--samples is no parameter of semi"),
        (
            "generate --ranks 0",
            "--ranks is 0 and must be between 1 and 1000000",
        ),
        (
            "generate --compute-mean -3",
            "--compute-mean is -3 and must be between 0 s and 1e8 s",
        ),
        (
            "generate few --jitter NaN",
            "--jitter is NaN and must be between 0 and 0.3",
        ),
        (
            "generate --iterations 900000 --fine",
            "requests, and at most 100000000 are made",
        ),
        (
            "generate --signal --rate 1e9 -o x.csv",
            "make more than 67108864 samples",
        ),
        (
            "generate --signal --to jsonl",
            "a signal is written as csv or as tmio",
        ),
        ("generate --count 2", "--out-dir"),
        ("generate --count 0 --out-dir d", "0 is not in 1.."),
        ("generate --rate 2", "--signal"),
        ("generate --truth -", "--truth names a file"),
        (
            "generate --seed 18446744073709551615 --count 2 --out-dir d",
            "not so many seeds",
        ),
        ("generate -o .", "it is a folder: use --out-dir"),
        ("generate blob", "invalid value 'blob'"),
    ] {
        let words: Vec<_> = arguments.split(' ').collect();
        let ran = place.run(&words).code(2);
        assert!(ran.err.contains(message), "{arguments}: {}", ran.err);
        assert_eq!(ran.out, "");
    }
    let failed = place.run(&["generate", "-o", "nowhere/x.csv"]).code(1);
    assert!(
        failed.err.contains("the folder nowhere does not exist"),
        "{}",
        failed.err
    );
    place.write("job.darshan", common::DARSHAN);
    let kept = place.run(&["generate", "-o", "job.darshan"]).code(2);
    assert!(kept.err.contains("it is a Darshan log"), "{}", kept.err);
    place.write("job.iot", "IOTEMPO\0the log of a run");
    let kept = place.run(&["generate", "-o", "job.iot"]).code(2);
    assert!(
        kept.err.contains("it is a log of the tracer"),
        "{}",
        kept.err
    );
    assert_eq!(place.files(), ["job.darshan", "job.iot"]);
}

#[test]
fn json_is_whole_or_not_there_at_all() {
    let place = Place::new();
    for wrong in [
        &["--compute-sigma", "-1"][..],
        &["few", "--jitter", "7"],
        &["-o", "nowhere/x.csv"],
    ] {
        let ran = place.run(&[&["generate", "--json"], wrong].concat());
        assert!(ran.code != Some(0) && ran.out.is_empty(), "{ran:?}");
    }
    // The second of three cannot be written.
    std::fs::create_dir_all(place.path("made/constant-1.csv")).unwrap();
    let ran = place
        .run(&[
            "generate",
            "constant",
            "--count",
            "3",
            "--out-dir",
            "made",
            "--json",
        ])
        .code(1);
    let json = ran.json();
    assert_eq!(json["results"].as_array().map(Vec::len), Some(1));
    let message = json["errors"][0]["message"].as_str().unwrap();
    assert!(message.contains("made/constant-1.csv"), "{message}");
}
