//! FTIO's own answers on real and made-up inputs, recorded by running FTIO 0.0.9.
#![allow(
    clippy::unwrap_used,
    clippy::print_stderr,
    clippy::disallowed_types,
    clippy::disallowed_methods
)]

mod api;
mod command;
#[path = "../common/mod.rs"]
mod common;
mod compare;
mod exceptions;
mod inputs;
mod runs;
mod vectors;

use common::data;
use serde_json::Value;
use std::fs;
use std::path::Path;

/// A file of recorded answers. Python writes NaN bare where there is no answer.
fn oracle(data: &Path, name: &str) -> Value {
    let text = fs::read_to_string(data.join("oracles").join(name)).unwrap();
    serde_json::from_str(&text.replace(": NaN", ": null")).unwrap()
}

/// The numbers of a list.
fn numbers(list: &Value) -> Vec<f64> {
    list.as_array()
        .unwrap()
        .iter()
        .map(|x| x.as_f64().unwrap())
        .collect()
}
