//! Bytes per module of Darshan logs: what `darshan-parser --total LOG | grep BYTES_` prints.
#![allow(clippy::print_stdout)]

use iotempo_formats::darshan::{Log, Records};
use iotempo_formats::{Error, Limits};
use std::fs::File;

fn main() -> Result<(), Error> {
    for path in std::env::args().skip(1) {
        let log = Log::read(File::open(&path)?, &Limits::default())?;
        println!("# {path}: darshan log version {}", log.version);
        for module in &log.modules {
            let Records::Counters(table) = &module.records else {
                continue;
            };
            for (at, name) in table.layout.ints.iter().enumerate() {
                if name.contains("_BYTES_") && !name.contains("_RANK") {
                    let total: i64 = (0..table.len())
                        .map(|record| table.ints_of(record)[at])
                        .sum();
                    println!("total_{name}: {total}");
                }
            }
        }
    }
    Ok(())
}
