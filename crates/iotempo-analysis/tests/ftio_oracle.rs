//! FTIO's own answers on real and made-up inputs, recorded by running FTIO 0.0.9.
#![allow(clippy::unwrap_used, clippy::print_stderr)]

use iotempo_analysis::ftio::Settings;
use iotempo_formats::{Input, ReadOptions, read_trace};
use iotempo_model::{Op, Selection};
use std::fs::File;
use std::path::PathBuf;

/// The folder of real data, or `None` with a line that says so.
fn data(test: &str) -> Option<PathBuf> {
    let fallback = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data");
    let folder = std::env::var_os("IOTEMPO_DATA").map_or(fallback, PathBuf::from);
    if folder.is_dir() {
        return Some(folder);
    }
    eprintln!("SKIPPED {test}: no data under {}", folder.display());
    None
}

#[test]
fn eight_ranks_write_every_1_93_seconds() {
    let Some(data) = data("eight_ranks_write_every_1_93_seconds") else {
        return;
    };
    let input = Input::file(File::open(data.join("tmio/tmio__JSONL__8.jsonl")).unwrap()).unwrap();
    let (_, trace) = read_trace(input, &ReadOptions::default()).unwrap();
    let writes = trace.select(&Selection {
        op: Some(Op::Write),
        ..Selection::default()
    });
    let finding = Settings::default().detect(&writes);
    let frequency = finding.dominant_frequency_hz.unwrap();
    assert!((frequency - 0.519_031_141_868_512).abs() < 1e-12);
    assert!((finding.confidence.unwrap() - 0.677_441_492_736_062).abs() < 1e-9);
    assert_eq!(finding.sampling.unwrap().n_samples, 289);
}
