//! Results that others measured are read whole.
#![allow(clippy::print_stderr, reason = "it says where its data is missing")]

use iotempo_formats::Input;
use iotempo_formats::benchmarks::{BenchmarkOptions, read_benchmarks};
use std::path::PathBuf;

#[test]
fn tables_of_forge_and_ior_are_read_whole() {
    let data =
        std::env::var_os("IOTEMPO_DATA").map_or("../../../shared/data".into(), PathBuf::from);
    let folder = data.join("benchmarks");
    if !folder.is_dir() {
        eprintln!(
            "SKIPPED benchmark_data: no benchmarks under {}",
            folder.display()
        );
        return;
    }
    for (name, rows, scenarios) in [
        ("forge-marenostrum4/results.csv", 3796, 756),
        ("forge-marenostrum4/results-direct-gpfs.csv", 1243, 189),
        ("vast/ior-scaling-v4.csv", 1400, 0),
        ("vast/randio.csv", 200, 0),
    ] {
        let bytes = std::fs::read(folder.join(name)).expect("a file");
        let reading = read_benchmarks(Input::bytes(bytes), &BenchmarkOptions::default());
        let reading = reading.expect("sound");
        assert_eq!(reading.rows, rows, "{name}: {:?}", reading.warnings);
        if scenarios > 0 {
            assert_eq!(reading.benchmarks.len(), scenarios, "{name}");
            assert!(
                reading.warnings.is_empty(),
                "{name}: {:?}",
                reading.warnings
            );
        }
    }
}
