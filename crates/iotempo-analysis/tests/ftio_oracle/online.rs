//! Every step of FTIO's online prediction.

use crate::command::Command;
use crate::compare::Differences;
use crate::exceptions::{NOT_OFFLINE, ONLINE};
use crate::prefixes::Growing;
use crate::{data, numbers, oracle};
use iotempo_analysis::ftio::online::{
    Adwin, Cusum, Interval, PageHinkley, Prediction, Predictor, Step, intervals,
};
use iotempo_analysis::ftio::{Finding, Method};
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::Path;

/// The files of a recording, each opened once.
#[derive(Default)]
struct Files(BTreeMap<String, Growing>);

impl Files {
    fn of(&mut self, data: &Path, run: &Value) -> &mut Growing {
        let name = run["trace"].as_str().unwrap();
        let open = || Growing::open(&data.join(name));
        self.0.entry(name.to_owned()).or_insert_with(open)
    }
}

/// The settings of a recorded `predictor` command, without what is for the predictor itself.
fn command(run: &Value) -> Command {
    let words = run["cmd"].as_str().unwrap().split(' ').skip(1);
    let words: Vec<&str> = words
        .take_while(|word| !["-w", "--debounce"].contains(word))
        .collect();
    Command::new(&words)
}

fn predictor(run: &Value) -> Predictor {
    let strategy = run["strategy"].as_str().unwrap_or("none");
    Predictor::new(
        command(run).settings,
        strategy.parse().unwrap(),
        Predictor::HITS,
    )
}

fn flushes(step: &Value, name: &str) -> usize {
    step[name].as_u64().unwrap() as usize
}

/// A run and its steps, each beside ours.
fn replay<'a>(file: &mut Growing, run: &'a Value) -> Vec<(&'a Value, Step)> {
    let mut predictor = predictor(run);
    let steps = run["steps"].as_array().unwrap().iter();
    steps
        .map(|theirs| {
            let points = file.writes(flushes(theirs, "n_flushes_in_file"));
            (theirs, predictor.step(points, None))
        })
        .collect()
}

fn frequencies(finding: &Finding) -> Vec<f64> {
    finding
        .candidates
        .iter()
        .map(|bin| bin.frequency_hz)
        .collect()
}

fn confidences(finding: &Finding) -> Vec<f64> {
    let bins = finding.candidates.iter();
    bins.filter_map(|bin| bin.confidence).collect()
}

fn compare(ours: &Step, theirs: &Value) -> Differences {
    let mut differences = Differences::default();
    let sampling = ours.finding.sampling.unwrap();
    differences.number("ts_in", Some(ours.ts_in_s), &theirs["ts_in"]);
    differences.numbers(
        "frequencies",
        &frequencies(&ours.finding),
        &numbers(&theirs["dominant_freq"]),
    );
    differences.numbers(
        "confidences",
        &confidences(&ours.finding),
        &numbers(&theirs["conf"]),
    );
    differences.number("start", Some(sampling.t_start_s), &theirs["t_start"]);
    differences.number("end", Some(sampling.t_end_s), &theirs["t_end"]);
    differences.number("ts_out", Some(ours.ts_out_s), &theirs["ts_out"]);
    differences.number("hits", Some(ours.hits as f64), &theirs["hits"]);
    differences.equal(
        "step",
        &(ours.prediction as u64),
        &theirs["phase"].as_u64().unwrap(),
    );
    compare_intervals(&mut differences, &ours.intervals, &theirs["prob"]);
    differences
}

fn compare_intervals(differences: &mut Differences, ours: &[Interval], theirs: &Value) {
    let theirs = theirs.as_array().unwrap();
    differences.equal("intervals", &ours.len(), &theirs.len());
    for (ours, theirs) in ours.iter().zip(theirs) {
        differences.number("f_min", Some(ours.f_min_hz), &theirs["f_min"]);
        differences.number("f_max", Some(ours.f_max_hz), &theirs["f_max"]);
        differences.number("p_periodic", Some(ours.p_periodic), &theirs["p_periodic"]);
        differences.number("p_freq", Some(ours.p_freq), &theirs["p_freq"]);
        let given = ["p_freq_given_periodic", "p_given"];
        let theirs = given.iter().find_map(|name| theirs.get(name)).unwrap();
        differences.number("p_freq|periodic", Some(ours.p_freq_given_periodic), theirs);
    }
}

/// What differs where nothing may, and what does not where something is said to.
fn unexpected(
    exceptions: &[(&str, usize, &str)],
    differences: &BTreeMap<(String, usize), Vec<String>>,
) -> Vec<String> {
    let excused = |(run, step): &(String, usize)| {
        let mut known = exceptions.iter();
        known.any(|(other, flushes, _)| other == run && flushes == step)
    };
    let new = differences.iter().filter(|(key, _)| !excused(key));
    let new = new.map(|((run, step), what)| format!("{run}, {step} flushes: {what:?}"));
    let gone = exceptions
        .iter()
        .filter(|(run, step, _)| !differences.contains_key(&((*run).to_owned(), *step)));
    let gone = gone.map(|(run, step, _)| format!("{run}, {step} flushes: no exception any more"));
    new.chain(gone).collect()
}

#[test]
fn every_step_of_every_recorded_run_is_that_of_ftio() {
    let Some(data) = data("every_step_of_every_recorded_run_is_that_of_ftio") else {
        return;
    };
    let mut files = Files::default();
    let mut differences = BTreeMap::new();
    let mut compared = 0;
    let runs = oracle(&data, "ftio-online.json");
    for run in runs.as_array().unwrap() {
        for (theirs, ours) in replay(files.of(&data, run), run) {
            compared += 1;
            let Differences(what) = compare(&ours, theirs);
            if !what.is_empty() {
                let words = run["cmd"].as_str().unwrap().to_owned();
                differences.insert((words, flushes(theirs, "n_flushes_in_file")), what);
            }
        }
    }
    let unexpected = unexpected(&ONLINE, &differences);
    assert!(
        unexpected.is_empty(),
        "{} of {compared} steps:\n{}",
        unexpected.len(),
        unexpected.join("\n")
    );
    eprintln!(
        "{compared} steps of FTIO's predictor compared with its answers, {} exceptions",
        ONLINE.len()
    );
}

#[test]
fn predictions_are_the_offline_answer_on_each_prefix() {
    let Some(data) = data("predictions_are_the_offline_answer_on_each_prefix") else {
        return;
    };
    let mut files = Files::default();
    let mut differs = BTreeMap::new();
    let runs = oracle(&data, "ftio-online.json");
    let whole = runs
        .as_array()
        .unwrap()
        .iter()
        .filter(|run| run["strategy"].is_null());
    for run in whole {
        let file = files.of(&data, run);
        let settings = command(run).settings;
        let steps = replay(file, run);
        let offline = run["offline_same_prefix"].as_array().unwrap();
        assert_eq!(offline.len(), steps.len());
        for (theirs, (_, online)) in offline.iter().zip(steps) {
            let n = flushes(theirs, "n_flushes");
            let ours = settings.detect_points(file.writes(n));
            let mut differences = Differences::default();
            differences.numbers("frequencies", &frequencies(&ours), &numbers(&theirs["all"]));
            differences.numbers(
                "confidences",
                &confidences(&ours),
                &numbers(&theirs["conf"]),
            );
            differences.number("dominant", ours.dominant_frequency_hz, &theirs["dominant"]);
            let sampling = ours.sampling.unwrap();
            differences.number(
                "samples",
                Some(sampling.n_samples as f64),
                &theirs["n_samples"],
            );
            differences.number("end", Some(sampling.t_end_s), &theirs["t_end"]);
            assert!(differences.0.is_empty(), "{n} flushes: {:?}", differences.0);
            let mut differences = Differences::default();
            let online = &online.finding;
            differences.numbers("frequencies", &frequencies(online), &frequencies(&ours));
            differences.numbers("confidences", &confidences(online), &confidences(&ours));
            if !differences.0.is_empty() {
                differs.insert((run["cmd"].as_str().unwrap().to_owned(), n), differences.0);
            }
        }
    }
    let unexpected = unexpected(&NOT_OFFLINE, &differs);
    assert!(unexpected.is_empty(), "{}", unexpected.join("\n"));
}

fn recorded(data: &Path, name: &str) -> Value {
    oracle(data, "ftio-conformance-from-tests.json")[name].clone()
}

/// Where a detector fired, step by step.
fn fired(frequencies: &[Option<f64>], mut step: impl FnMut(Option<f64>, f64) -> bool) -> Vec<f64> {
    let times = (1..).map(f64::from);
    let steps = frequencies.iter().zip(times);
    let fired = steps.filter_map(|(&frequency, time)| step(frequency, time).then_some(time - 1.0));
    fired.collect()
}

#[test]
fn detectors_of_changes_fire_as_in_the_tests_of_ftio() {
    let Some(data) = data("detectors_of_changes_fire_as_in_the_tests_of_ftio") else {
        return;
    };
    for (name, case) in recorded(&data, "change_detectors").as_object().unwrap() {
        let list = case["freqs"].as_array().unwrap();
        let frequencies: Vec<Option<f64>> = list.iter().map(Value::as_f64).collect();
        let theirs = |detector: &str| numbers(&case["result"][detector]["fired_at_index"]);
        let mut adwin = Adwin::default();
        let mut cuts = Vec::new();
        let fired_adwin = fired(&frequencies, |f, time| {
            let change = adwin.step(f, time);
            cuts.push(change.map(|(cut, time)| (cut as f64, time)));
            change.is_some()
        });
        assert_eq!(fired_adwin, theirs("adwin"), "adwin, {name}");
        let trace = case["result"]["adwin"]["trace"].as_array().unwrap();
        let their_cuts = trace
            .iter()
            .map(|at| at["cut"].as_f64().zip(at["time"].as_f64()));
        assert_eq!(cuts, their_cuts.collect::<Vec<_>>(), "adwin, {name}");
        let mut cusum = Cusum::default();
        let fired_cusum = fired(&frequencies, |f, _| cusum.step(f).is_some());
        assert_eq!(fired_cusum, theirs("cusum"), "cusum, {name}");
        let mut page_hinkley = PageHinkley::default();
        let fired_ph = fired(&frequencies, |f, _| page_hinkley.step(f));
        assert_eq!(fired_ph, theirs("ph"), "ph, {name}");
    }
}

#[test]
fn frequencies_are_merged_as_in_the_tests_of_ftio() {
    let Some(data) = data("frequencies_are_merged_as_in_the_tests_of_ftio") else {
        return;
    };
    for case in recorded(&data, "grouping").as_array().unwrap() {
        let rows = case["rows"].as_array().unwrap().iter();
        let predictions: Vec<Prediction> = rows
            .map(|row| Prediction {
                frequency_hz: row[0].as_f64(),
                t_start_s: row[1].as_f64().unwrap(),
                t_end_s: row[2].as_f64().unwrap(),
            })
            .collect();
        let ours = intervals(&predictions, Method::Ftio);
        let mut differences = Differences::default();
        compare_intervals(&mut differences, &ours, &case["prob"]);
        assert!(differences.0.is_empty(), "{:?}", differences.0);
    }
}
