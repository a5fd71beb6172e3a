//! TMIO's, FTIO's, GekkoFS's and the metric proxy's files, real, made up and broken.
#![allow(clippy::unwrap_used, clippy::print_stderr)]

mod bad;
mod json;
mod msgpack;
mod mutations;
mod real;
mod text;

use iotempo_formats::{Error, Input, ReadOptions, Reading, read_trace};
use iotempo_model::{Selection, Trace};
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

fn read(bytes: impl Into<Vec<u8>>) -> Result<(Reading, Trace), Error> {
    read_trace(Input::bytes(bytes), &ReadOptions::default())
}

/// Reads with names as the user gives them: `our name=their name`.
fn read_mapped(bytes: impl Into<Vec<u8>>, names: &[&str]) -> (Reading, Trace) {
    let pair = |name: &&str| {
        name.split_once('=')
            .map(|(a, b)| (a.to_owned(), b.to_owned()))
            .unwrap()
    };
    let options = ReadOptions {
        columns: names.iter().map(pair).collect(),
        ..ReadOptions::default()
    };
    read_trace(Input::bytes(bytes), &options).unwrap()
}

fn codes(reading: &Reading) -> Vec<&str> {
    reading
        .warnings
        .iter()
        .map(|warning| warning.code.as_ref())
        .collect()
}

/// Every request as `(start, end, bytes)`.
fn transfers(trace: &Trace) -> Vec<(f64, f64, f64)> {
    let numbers = |request: iotempo_model::Request| {
        (
            request.when.start().get(),
            request.when.end().get(),
            request.bytes.get(),
        )
    };
    trace.iter().map(numbers).collect()
}

fn only(trace: &Trace, op: iotempo_model::Op) -> Trace {
    trace.select(&Selection {
        op: Some(op),
        ..Selection::default()
    })
}
