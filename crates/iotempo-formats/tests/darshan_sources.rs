//! Real Darshan logs become requests, each byte once.
#![allow(clippy::print_stderr, clippy::unwrap_used)]

use iotempo_formats::{Input, Layer, ReadOptions, inspect, read_trace};
use iotempo_model::{Api, Op, Source, Trace};
use std::fs::File;
use std::path::PathBuf;

/// The folder of real logs; says so and answers `None` where it does not exist.
fn logs(test: &str) -> Option<PathBuf> {
    let beside = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/data");
    let data = std::env::var_os("IOTEMPO_DATA").map_or_else(|| PathBuf::from(beside), Into::into);
    let logs = data.join("darshan");
    if !logs.is_dir() {
        eprintln!("SKIPPED {test}: no data under {}", data.display());
        return None;
    }
    Some(logs)
}

fn open(path: PathBuf) -> Input {
    Input::file(File::open(path).unwrap()).unwrap()
}

fn trace(path: PathBuf, options: &ReadOptions) -> Trace {
    read_trace(open(path), options).unwrap().1
}

#[test]
fn the_dumps_of_lammps_are_single_writes() {
    let Some(logs) = logs("the_dumps_of_lammps_are_single_writes") else {
        return;
    };
    let trace = trace(
        logs.join("lammps-summit/lammps.darshan"),
        &ReadOptions::default(),
    );
    assert_eq!(trace.origin.source, Source::Dxt);
    // As darshan-dxt-parser prints them: 11 writes of 3.58 MB into lj_adios_output.bp/data.0.
    let dumps: Vec<_> = trace
        .iter()
        .filter(|r| trace.files.name(r.file).unwrap().ends_with("data.0"))
        .collect();
    assert_eq!(dumps.len(), 11);
    assert_eq!(dumps[0].bytes.get(), 3_585_374.0);
    assert!((dumps[1].when.start().get() - 2.4680).abs() < 1e-4);
}

#[test]
fn bytes_seen_by_two_layers_are_counted_once() {
    let Some(logs) = logs("bytes_seen_by_two_layers_are_counted_once") else {
        return;
    };
    // mpi-io-test writes 64 MiB through MPI-IO, which POSIX sees too.
    let log = || logs.join("official/release_logs/mpi-io-test-x86_64-3.1.6.darshan");
    for source in [Source::Dxt, Source::Counters] {
        for layer in [Layer::Auto, Layer::Posix, Layer::MpiIo] {
            let options = ReadOptions {
                source: Some(source),
                layer,
                ..ReadOptions::default()
            };
            let trace = trace(log(), &options);
            let of_test: f64 = trace
                .iter()
                .filter(|r| r.op == Op::Write && r.api != Api::Stdio)
                .map(|r| r.bytes.get())
                .sum();
            assert_eq!(of_test, 67_108_864.0, "{source} {layer:?}");
        }
    }
}

#[test]
fn the_best_evidence_is_taken_and_what_it_hides_is_said() {
    let Some(logs) = logs("the_best_evidence_is_taken_and_what_it_hides_is_said") else {
        return;
    };
    for (log, source, resolution) in [
        ("lammps-summit/lammps.darshan", Source::Dxt, Some(1e-6)),
        (
            "official/release_logs/mpi-io-test-x86_64-3.5.0.darshan",
            Source::Heatmap,
            Some(0.1),
        ),
        ("official/skew_io/skew-app.darshan", Source::Counters, None),
    ] {
        let trace = trace(logs.join(log), &ReadOptions::default());
        assert_eq!(trace.origin.source, source, "{log}");
        let found = trace.origin.resolution.map(|r| r.get());
        assert!(
            resolution.is_none() || found == resolution,
            "{log}: {found:?}"
        );
        assert!(trace.origin.layers.is_some(), "{log}");
    }
}

#[test]
fn a_heatmap_agrees_with_the_counters_up_to_its_rounding() {
    let Some(logs) = logs("a_heatmap_agrees_with_the_counters_up_to_its_rounding") else {
        return;
    };
    let mut compared = 0;
    for entry in std::fs::read_dir(logs.join("official/dlio_logs")).unwrap() {
        let inspection = inspect(open(entry.unwrap().path()), &ReadOptions::default()).unwrap();
        let of = |source| inspection.sources.iter().find(|e| e.source == source);
        let (Some(heatmap), Some(counters)) = (of(Source::Heatmap), of(Source::Counters)) else {
            continue;
        };
        let off = (heatmap.bytes_read - counters.bytes_read).abs() / counters.bytes_read;
        assert!(off < 0.01, "{off}: {heatmap:?} {counters:?}");
        compared += 1;
    }
    assert!(compared >= 20, "{compared} logs");
}

#[test]
fn requests_that_dxt_dropped_are_missed() {
    let Some(logs) = logs("requests_that_dxt_dropped_are_missed") else {
        return;
    };
    let path = logs.join("official/partial_data_dxt/partial_data_dxt.darshan");
    let options = ReadOptions {
        source: Some(Source::Dxt),
        ..ReadOptions::default()
    };
    let (reading, trace) = read_trace(open(path.clone()), &options).unwrap();
    let codes: Vec<_> = reading.warnings.iter().map(|w| w.code.as_ref()).collect();
    assert!(codes.contains(&"partial"), "{codes:?}");
    assert!(codes.contains(&"bytes-missing"), "{codes:?}");
    let inspection = inspect(open(path), &ReadOptions::default()).unwrap();
    let posix = inspection
        .sections
        .iter()
        .find(|s| s.name == "POSIX")
        .unwrap();
    let counted = posix.bytes_read.unwrap() + posix.bytes_written.unwrap();
    let shown = trace.volume().get();
    assert!(
        0.0 < shown && shown < 0.99 * counted,
        "{shown} of {counted}"
    );
}

#[test]
fn evidence_that_a_log_does_not_hold_is_refused_by_name() {
    let Some(logs) = logs("evidence_that_a_log_does_not_hold_is_refused_by_name") else {
        return;
    };
    let options = ReadOptions {
        source: Some(Source::Dxt),
        ..ReadOptions::default()
    };
    let log = logs.join("official/skew_io/skew-app.darshan");
    let error = read_trace(open(log), &options).unwrap_err();
    assert_eq!(
        error.to_string(),
        "no dxt data in this log; it holds: counters"
    );
}

#[test]
fn the_text_of_a_tool_gives_the_requests_of_its_log() {
    let Some(logs) = logs("the_text_of_a_tool_gives_the_requests_of_its_log") else {
        return;
    };
    let mesher = "iwang_xmeshfem3D_id2172550_12-18-57664-7016356190581169341_855399.darshan";
    for (folder, log, text) in [
        ("lammps-summit", "lammps.darshan", "lammps.dxt.log"),
        (
            "warpx-summit",
            "warpx.collision.darshan",
            "warpx.collision.dxt.log",
        ),
        (
            "warpx-summit",
            "warpx.laser_acc.darshan",
            "warpx.laser_acc.dxt.log",
        ),
        (
            "warpx-summit",
            "warpx.plasma_acc.darshan",
            "warpx.plasma_acc.dxt.log",
        ),
        (
            "warpx-summit",
            "warpx.uniform_plasma.darshan",
            "warpx.uniform_plasma.dxt.log",
        ),
        ("specfem-frontera", mesher, "xmeshfem3D_dxt.log"),
    ] {
        let options = ReadOptions {
            source: Some(Source::Dxt),
            ..ReadOptions::default()
        };
        let binary = trace(logs.join(folder).join(log), &options);
        let printed = trace(logs.join(folder).join(text), &options);
        assert_eq!(printed.len(), binary.len(), "{text}");
        for (p, b) in printed.iter().zip(binary.iter()) {
            assert_eq!(
                (p.rank, p.op, p.api, p.bytes),
                (b.rank, b.op, b.api, b.bytes),
                "{text}"
            );
            let names = (printed.files.name(p.file), binary.files.name(b.file));
            assert_eq!(names.0, names.1, "{text}");
            // The text has four decimals.
            let off = (p.when.start().get() - b.when.start().get()).abs();
            assert!(off <= 0.5001e-4, "{text}: {off}");
        }
    }
}

#[test]
fn counters_printed_by_a_tool_give_the_requests_of_their_log() {
    let Some(logs) = logs("counters_printed_by_a_tool_give_the_requests_of_their_log") else {
        return;
    };
    let options = ReadOptions {
        source: Some(Source::Counters),
        ..ReadOptions::default()
    };
    let binary = trace(logs.join("lammps-summit/lammps.darshan"), &options);
    let printed = trace(logs.join("lammps-summit/lammps.parser.txt"), &options);
    assert_eq!(printed.len(), binary.len());
    for (p, b) in printed.iter().zip(binary.iter()) {
        assert_eq!(
            (p.rank, p.op, p.api, p.bytes),
            (b.rank, b.op, b.api, b.bytes)
        );
        assert!((p.when.end().get() - b.when.end().get()).abs() < 1e-6);
    }
}

#[test]
fn logs_of_the_first_versions_lie_within_their_run() {
    let Some(logs) = logs("logs_of_the_first_versions_lie_within_their_run") else {
        return;
    };
    let mut read = 0;
    for entry in std::fs::read_dir(logs.join("legacy")).unwrap() {
        let path = entry.unwrap().path();
        let trace = trace(path.clone(), &ReadOptions::default());
        let run = trace.origin.job.run_time_s.unwrap();
        let span = trace.span().unwrap();
        // Stamps of the oldest versions count from wherever the machine's clock did.
        let inside = span.start().get() >= 0.0 && span.end().get() <= run + 1.0;
        assert!(inside, "{}: {span:?} in a run of {run} s", path.display());
        assert!(trace.volume().get() > 0.0, "{}", path.display());
        read += 1;
    }
    assert!(read >= 40, "{read} logs");
}
