//! Real files, against figures from Python's json and msgpack, and against what FTIO answers.

use crate::{data, only};
use iotempo_formats::{Input, ReadOptions, Reading, Section, read_trace};
use iotempo_model::{Op, Trace};
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs::{self, File};
use std::path::Path;

fn read(path: &Path) -> (Reading, Trace) {
    let input = Input::file(File::open(path).unwrap()).unwrap();
    read_trace(input, &ReadOptions::default())
        .unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// A file, its format, requests, bytes read, bytes written, ranks, and its span in seconds.
type Row = (
    &'static str,
    &'static str,
    usize,
    f64,
    f64,
    Option<u64>,
    (f64, f64),
);

const TMIO: [Row; 10] = [
    (
        "API__proxy__trace_export.msgpack",
        "metric proxy msgpack",
        55,
        0.0,
        878.570_179_028_3,
        None,
        (0.0, 57.809_999_942_779_54),
    ),
    (
        "gekkofs__write_2024-02-28_20_50_02_x0024_34250.json",
        "gekkofs json",
        230,
        0.0,
        1_554_714_330.0,
        None,
        (65.709_464, 516.402_901),
    ),
    (
        "gekkofs__write_2024-02-28_20_50_02_x0025_60871.json",
        "gekkofs json",
        180,
        0.0,
        1_554_714_330.0,
        None,
        (65.707_882, 516.401_384),
    ),
    (
        "gekkofs__write_2024-02-28_20_50_02_x0183_17112.json",
        "gekkofs json",
        200,
        0.0,
        1_554_714_330.0,
        None,
        (65.708_75, 516.402_372),
    ),
    (
        "gekkofs__write_2024-02-28_20_50_02_x0184_16925.json",
        "gekkofs json",
        210,
        0.0,
        1_554_714_370.0,
        None,
        (65.599_463, 516.292_802),
    ),
    (
        "tmio__JSONL__8.jsonl",
        "tmio json lines (MB)",
        2190,
        4_937_482_729.595_908,
        4_937_485_803.086_011,
        Some(8),
        (0.053_09, 29.028_889),
    ),
    (
        "tmio__ior__collective__test.json",
        "ftio json",
        73,
        329.167_433_859_994_16,
        0.0,
        Some(1536),
        (2.507_478, 2.557_778),
    ),
    (
        "tmio__ior__parallel__384.msgpack",
        "tmio msgpack",
        61_440,
        64_424_509_440.0,
        64_424_509_440.0,
        Some(384),
        (3.167_433_545, 83.149_311_686),
    ),
    (
        "tmio_offline_4ranks.json",
        "tmio json",
        36,
        12_580_727.531_390_026,
        25_173_913.420_963_44,
        Some(4),
        (0.011_285, 0.481_66),
    ),
    (
        "tmio_online_4ranks.jsonl",
        "tmio json lines",
        48,
        12_582_996.743_708_607,
        28_311_587.484_158_36,
        Some(4),
        (0.011_24, 0.507_625),
    ),
];

const FTIO: [Row; 24] = [
    (
        "all_zero.json",
        "ftio json",
        0,
        0.0,
        0.0,
        Some(4),
        (0.0, 100.0),
    ),
    (
        "constant.json",
        "ftio json",
        2,
        0.0,
        1e11,
        Some(4),
        (0.0, 100.0),
    ),
    (
        "cos_harmonic_floatmod_10hz.json",
        "ftio json",
        217,
        0.0,
        4.34e10,
        Some(4),
        (0.0, 21.7),
    ),
    (
        "cos_plus_2nd_harmonic_1hz.json",
        "ftio json",
        240,
        0.0,
        4.8e11,
        Some(4),
        (0.0, 240.0),
    ),
    (
        "cos_plus_3rd_harmonic_1hz.json",
        "ftio json",
        220,
        0.0,
        4.8e11,
        Some(4),
        (0.0, 240.0),
    ),
    (
        "cosine_p12_1hz.json",
        "ftio json",
        220,
        0.0,
        2.4e11,
        Some(4),
        (0.0, 240.0),
    ),
    (
        "custom_app_float.json",
        "ftio json",
        5,
        0.0,
        1.8e10,
        Some(4),
        (1.0, 8.0),
    ),
    (
        "minimal_bt.json",
        "ftio json",
        5,
        0.0,
        1.8e10,
        None,
        (1.0, 8.0),
    ),
    (
        "noise_1hz.json",
        "ftio json",
        240,
        0.0,
        119_303_927_792.445_48,
        Some(4),
        (0.0, 240.0),
    ),
    (
        "overlap_ties.json",
        "ftio json",
        8,
        0.0,
        290.0,
        Some(4),
        (0.0, 12.0),
    ),
    (
        "overlap_zero_duration.json",
        "ftio json",
        3,
        0.0,
        59.0,
        Some(4),
        (0.0, 8.0),
    ),
    (
        "semi_s0_phi0.json",
        "ftio json",
        3200,
        0.0,
        1.024e11,
        Some(8),
        (11.0, 436.077_619_529_962_13),
    ),
    (
        "semi_s0_phi5.json",
        "ftio json",
        3200,
        0.0,
        1.024e11,
        Some(8),
        (11.0, 648.653_377_071_061_9),
    ),
    (
        "semi_s11_phi0.json",
        "ftio json",
        3200,
        0.0,
        1.024e11,
        Some(8),
        (12.766_156_432_803_765, 483.967_605_668_614_1),
    ),
    (
        "semi_s5p5_phi0.json",
        "ftio json",
        3200,
        0.0,
        1.024e11,
        Some(8),
        (6.190_844_023_448_67, 494.553_252_427_409_6),
    ),
    (
        "single_burst.json",
        "ftio json",
        1,
        0.0,
        1e10,
        Some(4),
        (0.0, 300.0),
    ),
    (
        "square_p10_d10_n20.json",
        "ftio json",
        20,
        0.0,
        2e10,
        Some(4),
        (0.0, 200.0),
    ),
    (
        "square_p10_d30_n20.json",
        "ftio json",
        20,
        0.0,
        6e10,
        Some(4),
        (0.0, 200.0),
    ),
    (
        "three_cos_equal_1hz.json",
        "ftio json",
        240,
        0.0,
        7.2e11,
        Some(4),
        (0.0, 240.0),
    ),
    (
        "two_cos_equal_1hz.json",
        "ftio json",
        240,
        0.0,
        4.8e11,
        Some(4),
        (0.0, 240.0),
    ),
    (
        "two_cos_high_stronger_1hz.json",
        "ftio json",
        240,
        0.0,
        4.8e11,
        Some(4),
        (0.0, 240.0),
    ),
    (
        "custom/JSON/custom.json",
        "ftio json",
        32,
        0.0,
        1_677_721_581.433_768_7,
        Some(4),
        (0.059_99, 21.592_681),
    ),
    (
        "custom/JSON/custom_app.json",
        "ftio json",
        5,
        0.0,
        1.8e10,
        Some(4),
        (1.0, 8.0),
    ),
    (
        "custom/txt/2.txt",
        "gekkofs text",
        14,
        0.0,
        28_311_552.0,
        None,
        (0.0, 0.065),
    ),
];

/// Of samples the stretch that they cover, of requests that from the first to the last.
fn stretch(reading: &Reading, trace: &Trace) -> (f64, f64) {
    let stretch = reading.origin.observed.or(trace.span()).unwrap();
    (stretch.start().get(), stretch.end().get())
}

fn close(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-12 * b.abs().max(1.0)
}

fn check(folder: &Path, row: &Row) {
    let (name, format, requests, bytes_read, bytes_written, ranks, span) = *row;
    let (reading, trace) = read(&folder.join(name));
    assert_eq!(reading.format, format, "{name}");
    assert_eq!(trace.len(), requests, "{name}");
    assert_eq!(reading.origin.job.ranks, ranks, "{name}");
    for (op, expected) in [(Op::Read, bytes_read), (Op::Write, bytes_written)] {
        let volume = only(&trace, op).volume().get();
        assert!(
            close(volume, expected),
            "{name}: {op} {volume}, not {expected}"
        );
    }
    let (start, end) = stretch(&reading, &trace);
    assert!(
        close(start, span.0) && close(end, span.1),
        "{name}: {start} to {end}"
    );
    assert!(!reading.damaged, "{name}");
}

#[test]
fn every_file_of_tmio_has_the_totals_that_python_finds() {
    let Some(data) = data("every_file_of_tmio_has_the_totals_that_python_finds") else {
        return;
    };
    let folder = data.join("tmio");
    TMIO.iter().for_each(|row| check(&folder, row));
    let named: BTreeSet<_> = TMIO.iter().map(|row| row.0.to_owned()).collect();
    let names = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name());
    let present: BTreeSet<_> = names.map(|name| name.into_string().unwrap()).collect();
    assert_eq!(present, named);
}

#[test]
fn every_custom_file_of_ftio_has_the_totals_that_python_finds() {
    let Some(data) = data("every_custom_file_of_ftio_has_the_totals_that_python_finds") else {
        return;
    };
    let folder = data.join("ftio-inputs");
    FTIO.iter().for_each(|row| check(&folder, row));
    let fourth = (
        "custom/txt/4.txt",
        "gekkofs text",
        1024,
        0.0,
        536_870_912.0,
        None,
        (0.529_523, 0.918_299),
    );
    check(&folder, &fourth);
    // The answers to the semi-synthetic files are no input.
    let truth = Input::file(File::open(folder.join("semi_truth.json")).unwrap()).unwrap();
    let error = read_trace(truth, &ReadOptions::default()).unwrap_err();
    assert!(
        error.to_string().starts_with("no series of bandwidth"),
        "{error}"
    );
}

#[test]
fn flushes_of_384_ranks_are_counted_per_mode() {
    let Some(data) = data("flushes_of_384_ranks_are_counted_per_mode") else {
        return;
    };
    let (reading, _) = read(&data.join("tmio/tmio__ior__parallel__384.msgpack"));
    assert_eq!(
        reading.origin.job.run_time_s.map(|s| (s * 1e6).round()),
        Some(83_546_368.0)
    );
    assert!(reading.warnings.is_empty(), "{:?}", reading.warnings);
    let rows: Vec<_> = reading
        .sections
        .iter()
        .map(|s| (s.name.as_str(), s.records, s.requests))
        .collect();
    let expected = [
        ("read_async", 0, Some(0)),
        ("read_sync", 30_720, Some(30_720)),
        ("write_async", 0, Some(0)),
        ("write_sync", 30_720, Some(30_720)),
    ];
    assert_eq!(rows, expected);
}

/// What `ftio` was asked and what it sampled.
struct Asked<'a> {
    input: &'a str,
    mode: &'a str,
    sampled: &'a Value,
}

fn asked(case: &Value) -> Option<Asked<'_>> {
    let argv: Vec<&str> = case["argv"]
        .as_array()?
        .iter()
        .filter_map(Value::as_str)
        .collect();
    let ours = |path: &&&str| path.starts_with("tmio/") || path.starts_with("ftio-inputs/");
    let input = argv.get(1).filter(ours)?;
    // A window, or scales of the user.
    let changed = argv
        .iter()
        .any(|word| matches!(*word, "-ts" | "-te" | "-cf"));
    let mode = argv
        .iter()
        .position(|word| *word == "-m")
        .and_then(|at| argv.get(at + 1));
    let usable = case["status"] == "ok" && !changed && !input.contains("/bad/");
    usable.then_some(Asked {
        input,
        mode: mode.unwrap_or(&"write_sync"),
        sampled: case["sampling"].get(0)?,
    })
}

/// The section that FTIO takes for a mode: that of its name, or the only one.
fn section_of<'a>(reading: &'a Reading, mode: &str) -> &'a Section {
    let of_name = |section: &&Section| section.name == mode;
    match reading.sections.as_slice() {
        [only] => only,
        sections => sections.iter().find(of_name).unwrap(),
    }
}

#[test]
fn volumes_and_windows_are_those_that_ftio_sees() {
    let Some(data) = data("volumes_and_windows_are_those_that_ftio_sees") else {
        return;
    };
    let oracle = File::open(data.join("oracles/ftio.json")).unwrap();
    let oracle: Value = serde_json::from_reader(oracle).unwrap();
    let mut seen = BTreeSet::new();
    for Asked {
        input,
        mode,
        sampled,
    } in oracle["cases"].as_array().unwrap().iter().filter_map(asked)
    {
        if !seen.insert((input, mode)) {
            continue;
        }
        let (reading, trace) = read(&data.join(input));
        let section = section_of(&reading, mode);
        let number = |key: &str| sampled[key].as_f64().unwrap();
        // FTIO takes old files in MB for bytes.
        let scale = if reading.format.ends_with("(MB)") {
            1e6
        } else {
            1.0
        };
        let (volume, expected) = (
            section.bytes_read.or(section.bytes_written).unwrap(),
            number("volume_original") * scale,
        );
        // It has rates where the file has bytes, and a residue in its sums.
        assert!(
            (volume - expected).abs() <= 1e-9 * expected,
            "{input} {mode}: {volume}, not {expected}"
        );
        let op = if section.bytes_read.is_some() {
            Op::Read
        } else {
            Op::Write
        };
        let of_mode = only(&trace, op);
        if of_mode.len() as u64 == section.records || reading.origin.observed.is_some() {
            let (start, end) = stretch(&reading, &of_mode);
            assert!(
                close(start, number("t_first")) && close(end, number("t_last")),
                "{input} {mode}: {start} to {end}"
            );
        }
    }
    assert!(seen.len() >= 25, "only {} inputs were compared", seen.len());
}
