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
    collectl: "collectl" => bodies::server_log, mutate::mutated;
    darshan: "darshan" => bodies::darshan, surgery::mutated_log;
    darshan_legacy: "darshan_legacy" => bodies::darshan_legacy, mutate::mutated;
    darshan_text: "darshan_text" => bodies::darshan_text, mutate::mutated;
    dxt_text: "dxt_text" => bodies::dxt_text, mutate::mutated;
    ftio_text: "ftio_text" => bodies::any, mutate::mutated;
    iot: "iot" => bodies::any, mutate::mutated;
    json: "json" => bodies::any, mutate::mutated;
    msgpack: "msgpack" => bodies::any, mutate::mutated;
    sysstat: "sysstat" => bodies::server_log, mutate::mutated;
    table: "table" => bodies::any, mutate::mutated;
    any: "*" => bodies::any, mutate::mutated;
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
        ("iot", Format::Iot),
        ("json", Format::Json),
        ("msgpack", Format::MessagePack),
        ("sysstat", Format::Server(Kind::Sysstat)),
        ("table", Format::Table),
    ] {
        for (at, file) in harness::corpus(folder).into_iter().enumerate() {
            let input = Input::bytes(file.clone()).unwrapped().expect("sound");
            let found = detect(input.head()).expect("known");
            let as_lines = folder == "table" && found == Format::RequestLines;
            assert!(found == format || as_lines, "{folder} {at}: {found:?}");
            let (reading, trace) =
                read_trace(Input::bytes(file), &ReadOptions::default()).expect("sound");
            assert!(!reading.damaged, "{folder} {at}: {:?}", reading.warnings);
            assert!(!trace.is_empty(), "{folder} {at}: {:?}", reading.warnings);
        }
    }
}
