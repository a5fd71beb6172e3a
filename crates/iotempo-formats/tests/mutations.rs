//! Readers take any bytes: they never panic, hang, or take memory that an input merely asks for.
//!
//! The same bodies run under `cargo fuzz`; see `fuzz/README.md`.

#[path = "support/bodies.rs"]
mod bodies;
#[path = "support/harness.rs"]
mod harness;
#[path = "support/mutate.rs"]
mod mutate;
#[path = "support/rng.rs"]
mod rng;
#[path = "support/surgery.rs"]
mod surgery;

use iotempo_formats::benchmarks::{BenchmarkOptions, read_benchmarks};
use iotempo_formats::jobs::{JobOptions, read_jobs};
use iotempo_formats::server::Kind;
use iotempo_formats::{Format, Input, ReadOptions, detect, read_trace};
use std::collections::BTreeSet;
use std::path::PathBuf;

/// A test per line: its name, the folder of its corpus, the body that runs, and how inputs are
/// mutated.
macro_rules! readers {
    ($($name:ident: $corpus:literal => $body:path, $mutated:path;)*) => {
        $(#[test]
        fn $name() {
            harness::run(stringify!($name), $corpus, $body, $mutated);
        })*
    };
}

readers! {
    benchmarks: "benchmarks" => bodies::benchmarks, mutate::mutated;
    collectl: "collectl" => bodies::server_log, mutate::mutated;
    darshan: "darshan" => bodies::darshan, surgery::mutated_log;
    darshan_legacy: "darshan_legacy" => bodies::darshan_legacy, mutate::mutated;
    darshan_text: "darshan_text" => bodies::darshan_text, mutate::mutated;
    dxt_text: "dxt_text" => bodies::dxt_text, mutate::mutated;
    ftio_text: "ftio_text" => bodies::any, mutate::mutated;
    hdf5: "hdf5" => bodies::server_log, mutate::mutated;
    iot: "iot" => bodies::any, mutate::mutated;
    joblog: "joblog" => bodies::joblog, mutate::mutated;
    json: "json" => bodies::any, mutate::mutated;
    msgpack: "msgpack" => bodies::any, mutate::mutated;
    sqlite: "sqlite" => bodies::server_log, mutate::mutated;
    storage_logs: "storage_logs" => bodies::server_log, mutate::mutated;
    sysstat: "sysstat" => bodies::server_log, mutate::mutated;
    table: "table" => bodies::any, mutate::mutated;
    any: "*" => bodies::any, mutate::mutated;
    beegfs: "beegfs" => bodies::server_log, mutate::mutated;
    influx: "influx" => bodies::server_log, mutate::mutated;
    prometheus: "prometheus" => bodies::server_log, mutate::mutated;
    server_table: "server_table" => bodies::server_log, mutate::mutated;
}

#[test]
fn every_corpus_has_a_fuzz_target() {
    let names = |folder: &str| -> BTreeSet<String> {
        let entries = std::fs::read_dir(harness::workspace().join(folder)).expect("a folder");
        let stem = |path: PathBuf| path.file_stem().map(|s| s.to_string_lossy().into_owned());
        entries
            .filter_map(|entry| stem(entry.expect("a file").path()))
            .collect()
    };
    let mut targets = names("fuzz/fuzz_targets");
    assert!(targets.remove("any"));
    assert_eq!(targets, names("testdata/corpus"));
}

/// A corpus that its reader turns away tests nothing.
#[test]
fn every_corpus_file_is_read_by_its_reader_and_is_sound() {
    for (folder, format) in [
        ("collectl", Format::Server(Kind::Collectl)),
        ("darshan", Format::Darshan),
        ("darshan_legacy", Format::DarshanLegacy),
        ("darshan_text", Format::DarshanParserText),
        ("dxt_text", Format::DarshanDxtText),
        ("ftio_text", Format::FtioText),
        ("hdf5", Format::Server(Kind::Hdf5)),
        ("iot", Format::Iot),
        ("json", Format::Json),
        ("msgpack", Format::MessagePack),
        ("sqlite", Format::Server(Kind::LmtDatabase)),
        ("storage_logs", Format::Server(Kind::Lustre)),
        ("sysstat", Format::Server(Kind::Sysstat)),
        ("table", Format::Table),
        ("beegfs", Format::Server(Kind::BeeGfs)),
        ("influx", Format::Server(Kind::Influx)),
        ("prometheus", Format::Server(Kind::Prometheus)),
    ] {
        for (at, file) in harness::corpus(folder).into_iter().enumerate() {
            let input = Input::bytes(file.clone()).unwrapped().expect("sound");
            let found = detect(input.head()).expect("known");
            let as_lines = folder == "table" && found == Format::RequestLines;
            // One reader per file; which it is, the tests of the logs of servers say.
            let of_servers = folder == "storage_logs" && matches!(found, Format::Server(_));
            assert!(
                found == format || as_lines || of_servers,
                "{folder} {at}: {found:?}"
            );
            let (reading, trace) =
                read_trace(Input::bytes(file), &ReadOptions::default()).expect("sound");
            assert!(!reading.damaged, "{folder} {at}: {:?}", reading.warnings);
            assert!(!trace.is_empty(), "{folder} {at}: {:?}", reading.warnings);
        }
    }
}

#[test]
fn every_benchmark_of_the_corpus_is_read_and_is_sound() {
    let options = BenchmarkOptions {
        nodes: Some(10),
        ..BenchmarkOptions::default()
    };
    let mut formats = BTreeSet::new();
    for (at, file) in harness::corpus("benchmarks").into_iter().enumerate() {
        let reading = read_benchmarks(Input::bytes(file), &options).expect("sound");
        let left_out = reading
            .warnings
            .iter()
            .any(|warning| warning.code == "row-left-out");
        assert!(!left_out, "{at}: {:?}", reading.warnings);
        formats.insert(reading.format.name());
    }
    assert_eq!(formats.len(), 6, "{formats:?}");
}

#[test]
fn every_job_log_of_the_corpus_is_read_and_is_sound() {
    let mut formats = BTreeSet::new();
    for (at, file) in harness::corpus("joblog").into_iter().enumerate() {
        let reading = read_jobs(Input::bytes(file), &JobOptions::default(), &mut |_| {});
        let reading = reading.expect("sound");
        assert!(!reading.damaged, "{at}: {:?}", reading.warnings);
        assert!(reading.rows > 0, "{at}: {:?}", reading.warnings);
        formats.insert(reading.format.name());
    }
    assert_eq!(formats.len(), 8, "{formats:?}");
}
