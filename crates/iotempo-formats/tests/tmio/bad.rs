//! Files that break FTIO: each is a clear error, or a result that says what was done.

use crate::data;
use iotempo_formats::{Input, ReadOptions, read_trace};
use std::collections::BTreeSet;
use std::fs::{self, File};

enum Expected {
    /// The error says this.
    Error(&'static str),
    /// So many requests, and these warnings besides that on the dummy total of 1 byte.
    Read(usize, &'static [&'static str]),
}
use Expected::{Error, Read};

const FILES: [(&str, Expected); 34] = [
    (
        "a.unknown",
        Error("byte 0: not a format that iotempo reads (it begins with \"x"),
    ),
    ("big_times_unix.json", Read(20, &[])),
    ("blank_lines_8.jsonl", Read(2190, &["unit-megabytes"])),
    ("duplicate_times.json", Read(0, &["no-requests"])),
    ("empty.darshan", Error("the input is empty")),
    ("empty.json", Error("the input is empty")),
    ("empty.jsonl", Error("the input is empty")),
    ("empty.msgpack", Error("the input is empty")),
    ("empty.txt", Error("the input is empty")),
    ("end_before_start.json", Read(3, &["clock-backwards"])),
    (
        "garbage.msgpack",
        Error("byte 0: not a format that iotempo reads"),
    ),
    ("inf_bandwidth.json", Read(20, &["not-finite"])),
    ("int_times.json", Read(2, &["unit-doubtful"])),
    (
        "list.json",
        Error("byte 0: not a map with series of bandwidth: a list"),
    ),
    (
        "mismatch_len.json",
        Error("b_overlap_avr and t_overlap have different lengths: 2 and 4"),
    ),
    (
        "missing_end_len.json",
        Error("b_rank_avr and t_rank_e have different lengths: 3 and 2"),
    ),
    ("nan_bandwidth.json", Read(20, &["not-finite"])),
    ("nan_time.json", Read(19, &["not-finite"])),
    (
        "negative_bandwidth.json",
        Read(0, &["negative-bytes", "no-requests"]),
    ),
    ("negative_times.json", Read(20, &[])),
    ("no_samples.json", Read(0, &["no-requests"])),
    ("one_sample.json", Read(0, &["no-requests"])),
    ("sorted_rank.json", Read(10, &[])),
    ("strings.json", Error("b, byte 6: not a number: a")),
    (
        "trunc.json",
        Error("byte 700: the data ends inside a JSON number"),
    ),
    ("trunc_384.msgpack", Read(21_723, &["damaged"])),
    ("trunc_8.jsonl", Read(949, &["unit-megabytes", "damaged"])),
    ("trunc_half_384.msgpack", Read(30_720, &["damaged"])),
    ("two_samples.json", Read(1, &["unit-doubtful"])),
    ("unsorted_app.json", Read(20, &["unsorted"])),
    ("unsorted_rank.json", Read(10, &[])),
    ("wrong_keys.json", Error("no series of bandwidth")),
    ("zero_duration_inf.json", Read(2, &["zero-duration"])),
    // Recorder's text, which FTIO reads as a folder.
    (
        "../rec_text/0.txt",
        Error("not a format that iotempo reads"),
    ),
];

#[test]
fn every_bad_file_is_an_error_or_a_result_with_warnings() {
    let Some(data) = data("every_bad_file_is_an_error_or_a_result_with_warnings") else {
        return;
    };
    let folder = data.join("ftio-inputs/bad");
    for (name, expected) in &FILES {
        let input = Input::file(File::open(folder.join(name)).unwrap()).unwrap();
        match (read_trace(input, &ReadOptions::default()), expected) {
            (Err(error), Error(said)) => {
                assert!(error.to_string().contains(said), "{name}: {error}")
            }
            (Ok((reading, trace)), Read(requests, warnings)) => {
                let codes: Vec<&str> = reading.warnings.iter().map(|w| w.code.as_ref()).collect();
                let telling: Vec<&str> = codes
                    .into_iter()
                    .filter(|code| *code != "total-mismatch")
                    .collect();
                assert_eq!(telling, *warnings, "{name}");
                assert_eq!(trace.len(), *requests, "{name}");
                assert_eq!(reading.damaged, warnings.contains(&"damaged"), "{name}");
            }
            (Err(error), _) => panic!("{name}: {error}"),
            (Ok(_), _) => panic!("{name} was read"),
        }
    }
    let named: BTreeSet<&str> = FILES
        .iter()
        .map(|(name, _)| *name)
        .filter(|name| !name.contains('/'))
        .collect();
    let present: Vec<String> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    assert_eq!(
        present.iter().map(String::as_str).collect::<BTreeSet<_>>(),
        named
    );
}
