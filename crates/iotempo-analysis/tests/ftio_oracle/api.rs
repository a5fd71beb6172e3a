//! What FTIO's programming interface answers, and the cases of its own tests.

use crate::command::Command;
use crate::compare::Differences;
use crate::{data, inputs, numbers, oracle};
use iotempo_analysis::ftio::{Finding, Points};
use iotempo_formats::{Input, ReadOptions, read_trace};
use iotempo_model::{Step, Trace};
use rmp::decode;
use serde_json::Value;
use std::fs::{self, File};
use std::path::Path;

fn read(path: &Path) -> Trace {
    let input = Input::file(File::open(path).unwrap()).unwrap();
    read_trace(input, &ReadOptions::default()).unwrap().1
}

fn words(list: &Value) -> Vec<&str> {
    list.as_array()
        .unwrap()
        .iter()
        .map(|word| word.as_str().unwrap())
        .collect()
}

fn same_candidates(finding: &Finding, frequencies: &Value, confidences: &Value) {
    let mut differences = Differences::default();
    let ours: Vec<f64> = finding
        .candidates
        .iter()
        .map(|bin| bin.frequency_hz)
        .collect();
    differences.numbers("frequencies", &ours, &numbers(frequencies));
    let ours: Vec<f64> = finding
        .candidates
        .iter()
        .filter_map(|bin| bin.confidence)
        .collect();
    differences.numbers("confidences", &ours, &numbers(confidences));
    assert!(differences.0.is_empty(), "{:?}", differences.0);
}

#[test]
fn the_example_of_the_interface_has_its_period() {
    let Some(data) = data("the_example_of_the_interface_has_its_period") else {
        return;
    };
    for file in ["ftio-api.json", "ftio-conformance-from-tests.json"] {
        for case in oracle(&data, file)["api_example"].as_array().unwrap() {
            // The lists of the example are those of this file.
            let mut command = vec!["ftio-inputs/custom/txt/2.txt"];
            command.extend(words(&case["args"]));
            let finding = inputs::run(&data, &Command::new(&command));
            let mut differences = Differences::default();
            let answer = |name: &str| &case[name][0];
            differences.number("frequency", finding.dominant_frequency_hz, answer("all"));
            differences.number("confidence", finding.confidence, answer("conf"));
            let samples = finding.sampling.unwrap().n_samples as f64;
            differences.number("samples", Some(samples), &case["N"]);
            assert!(differences.0.is_empty(), "{command:?}: {:?}", differences.0);
        }
    }
}

#[test]
fn four_clients_of_gekkofs_have_the_period_that_ftio_finds_once_it_reads_them() {
    let Some(data) = data("four_clients_of_gekkofs_have_the_period") else {
        return;
    };
    let files = fs::read_dir(data.join("tmio"))
        .unwrap()
        .map(|entry| entry.unwrap().path());
    let clients = files.filter(|path| path.to_string_lossy().contains("gekkofs__"));
    let trace = Trace::merge(clients.map(|path| read(&path)));
    let points = inputs::in_milliseconds(&trace);
    for case in oracle(&data, "ftio-api.json")["gekko_json_intended"]
        .as_array()
        .unwrap()
    {
        assert_eq!(points.times().len() as u64, case["n"].as_u64().unwrap());
        let rate = case["fs"].to_string();
        let finding = Command::new(&["", "-f", &rate])
            .settings
            .detect_points(&points);
        let mut differences = Differences::default();
        differences.number(
            "frequency",
            finding.dominant_frequency_hz,
            &case["dominant"],
        );
        differences.number("confidence", finding.confidence, &case["conf"]);
        let samples = finding.sampling.unwrap().n_samples as f64;
        differences.number("samples", Some(samples), &case["N"]);
        assert!(differences.0.is_empty(), "{rate}: {:?}", differences.0);
    }
}

/// The samples of a metric: a map of names, each with a list of pairs of a time and a value.
fn metric(bytes: &[u8], name: &str) -> (Vec<f64>, Vec<f64>) {
    let at = bytes
        .windows(name.len())
        .position(|part| part == name.as_bytes())
        .unwrap();
    let mut rest = &bytes[at + name.len()..];
    let pairs = decode::read_array_len(&mut rest).unwrap();
    let mut pair = || {
        assert_eq!(decode::read_array_len(&mut rest).unwrap(), 2);
        let time = decode::read_f64(&mut rest).unwrap();
        (time, decode::read_f64(&mut rest).unwrap())
    };
    (0..pairs).map(|_| pair()).unzip()
}

/// FTIO looks at how fast a metric changes, by central differences.
fn derivative(times: &[f64], values: &[f64]) -> Vec<f64> {
    let last = times.len() - 1;
    let slope = |i: usize| {
        let (a, b) = (i.saturating_sub(1), (i + 1).min(last));
        (values[b] - values[a]) / (times[b] - times[a])
    };
    (0..=last).map(slope).collect()
}

#[test]
fn a_metric_of_the_proxy_has_the_candidates_that_ftio_replies() {
    let Some(data) = data("a_metric_of_the_proxy_has_the_candidates_that_ftio_replies") else {
        return;
    };
    let bytes = fs::read(data.join("tmio/API__proxy__trace_export.msgpack")).unwrap();
    let api = oracle(&data, "ftio-api.json");
    let mut command = vec![""];
    command.extend(words(&api["proxy_argv"]));
    for reply in api["proxy_reply"].as_array().unwrap() {
        let (times, values) = metric(&bytes, reply["metric"].as_str().unwrap());
        let changes = derivative(&times, &values);
        let points = Points::new(times, changes).unwrap();
        let finding = Command::new(&command).settings.detect_points(&points);
        same_candidates(&finding, &reply["dominant_freq"], &reply["conf"]);
        let mut differences = Differences::default();
        let top: Vec<f64> = finding
            .top_bins
            .iter()
            .map(|bin| bin.frequency_hz)
            .collect();
        differences.numbers(
            "top frequencies",
            &top,
            &numbers(&reply["top_freq"]["freq"]),
        );
        let sure: Vec<f64> = finding
            .top_bins
            .iter()
            .filter_map(|bin| bin.confidence)
            .collect();
        differences.numbers(
            "their confidences",
            &sure,
            &numbers(&reply["top_freq"]["conf"]),
        );
        assert!(differences.0.is_empty(), "{:?}", differences.0);
    }
}

#[test]
fn requests_overlap_as_in_the_tests_of_ftio() {
    let Some(data) = data("requests_overlap_as_in_the_tests_of_ftio") else {
        return;
    };
    for case in oracle(&data, "ftio-conformance-from-tests.json")["overlap"]
        .as_array()
        .unwrap()
    {
        let rates = numbers(&case["b"]);
        let pairs = |name: &str| {
            numbers(&case[name])
                .into_iter()
                .zip(&rates)
                .map(|(at, &rate)| Step { at, rate })
                .collect()
        };
        let points = Points::overlap(pairs("t_s"), pairs("t_e"));
        assert_eq!(points.times(), numbers(&case["t_out"]));
        assert_eq!(points.rates(), numbers(&case["b_out"]));
    }
}
