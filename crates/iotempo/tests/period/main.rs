//! `iotempo period`: what people see, what programs read, and what bad input does.
#![allow(clippy::unwrap_used, clippy::print_stderr)]

#[path = "../common/mod.rs"]
mod common;

mod batch;
mod fingers;
mod hard;
mod json;
mod known;
mod people;
mod plain;
mod sampling;

use common::{Place, Ran};
use serde_json::Value;
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// A job whose two ranks write 1 MB each every 20 s, for 2 s, and read 10 kB at the start.
const PERIOD: f64 = 20.0;
const PHASES: usize = 12;

/// Its requests.
fn checkpoints() -> String {
    let mut table = String::from("rank,op,api,file,start,end,bytes\n0,read,posix,/in,0,1,10000\n");
    for phase in 0..PHASES {
        let start = 5.0 + PERIOD * phase as f64;
        for rank in 0..2 {
            let end = start + 2.0;
            writeln!(
                table,
                "{rank},write,posix,/out.{rank},{start},{end},1000000"
            )
            .unwrap();
        }
    }
    table
}

/// Samples, one a second, that are 5 MB/s for 3 of every 15 seconds, from second 4 on.
fn samples(count: usize) -> String {
    let mut table = String::from("timestamp,read,write,both\n");
    for second in 0..count {
        let rate = if (second + 11) % 15 < 3 { 5_000_000 } else { 0 };
        writeln!(table, "{second},0,{rate},{rate}").unwrap();
    }
    table
}

/// Requests at times without any rhythm: gaps between squares and cubes.
fn irregular() -> String {
    let mut table = String::from("op,start,end,bytes\n");
    let mut start = 0.0;
    for gap in [3, 41, 7, 90, 2, 26, 150, 11, 5, 64, 33, 1, 120, 18] {
        start += f64::from(gap);
        writeln!(table, "write,{start},{},1000000", start + 0.5).unwrap();
    }
    table
}

/// Where real data is, if it is.
fn data() -> PathBuf {
    let fallback = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data");
    std::env::var_os("IOTEMPO_DATA").map_or(fallback, PathBuf::from)
}

/// A folder with the job, a periodic and an irregular one.
fn place() -> Place {
    let place = Place::new();
    place.write("job.csv", checkpoints());
    place.write("samples.csv", samples(600));
    place.write("irregular.csv", irregular());
    place
}

/// The only result.
fn result(ran: &Ran) -> Value {
    let json = ran.json();
    let results = json["results"].as_array().unwrap();
    assert_eq!(results.len(), 1, "{json}");
    results[0].clone()
}

fn period(place: &Place, options: &[&str]) -> Value {
    let arguments = [&["period"], options, &["--json"]].concat();
    result(&place.run(&arguments).ok())
}

fn close(value: &Value, expected: f64, tolerance: f64) {
    let number = value
        .as_f64()
        .unwrap_or_else(|| panic!("{value} is no number"));
    assert!(
        (number - expected).abs() <= tolerance,
        "{number} is not {expected} ± {tolerance}"
    );
}
