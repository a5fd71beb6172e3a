//! FTIO's inputs as points.

use crate::command::Command;
use iotempo_analysis::ftio::{Finding, Points};
use iotempo_formats::{Input, ReadOptions, read_trace};
use iotempo_model::{Op, Selection, Source, Step, Trace};
use std::collections::BTreeSet;
use std::fs::{self, File};
use std::path::Path;

/// FTIO takes the numbers of these inputs for seconds; they are milliseconds.
const MILLISECONDS: [&str; 2] = ["custom/txt/", "gekkofs__"];

/// Runs a command on its input.
pub(crate) fn run(data: &Path, command: &Command) -> Finding {
    let path = data.join(&command.input);
    if path.is_dir() {
        return command
            .settings
            .detect_points(&recorder_text(&path, command.op));
    }
    let trace = read(&path, command);
    if MILLISECONDS.iter().any(|part| command.input.contains(part)) {
        return command.settings.detect_points(&in_milliseconds(&trace));
    }
    command.settings.detect(&trace)
}

/// The points of a command's input.
pub(crate) fn points(data: &Path, command: &Command) -> Points {
    Points::of_trace(&read(&data.join(&command.input), command))
}

/// The requests of one direction. Of Darshan logs DXT is taken where it is there, else the heatmap.
fn read(path: &Path, command: &Command) -> Trace {
    let read = |source| {
        let options = ReadOptions {
            source,
            layer: command.layer,
            ..ReadOptions::default()
        };
        let input = Input::file(File::open(path).unwrap()).unwrap();
        read_trace(input, &options).map(|(_, trace)| trace)
    };
    if path.extension().is_some_and(|name| name == "darshan") {
        let dxt = read(Some(Source::Dxt))
            .ok()
            .filter(|trace| !trace.is_empty());
        let trace = dxt.unwrap_or_else(|| read(Some(Source::Heatmap)).unwrap());
        return only(&trace, command.op);
    }
    let options = ReadOptions::default();
    let input = Input::file(File::open(path).unwrap()).unwrap();
    let (_, trace) = read_trace(input, &options).unwrap();
    let ops: BTreeSet<Op> = trace.iter().map(|request| request.op).collect();
    // A file of one direction is taken whatever its direction is called.
    if ops.len() < 2 {
        trace
    } else {
        only(&trace, command.op)
    }
}

fn only(trace: &Trace, op: Op) -> Trace {
    trace.select(&Selection {
        op: Some(op),
        ..Selection::default()
    })
}

/// As FTIO sees it.
pub(crate) fn in_milliseconds(trace: &Trace) -> Points {
    let points = Points::of_trace(trace);
    let times = points.times().iter().map(|time| time * 1e3).collect();
    let rates = points.rates().iter().map(|rate| rate / 1e3).collect();
    Points::new(times, rates).unwrap()
}

/// Recorder's text: `start end rank function ( … bytes )`, one request a line, one file a rank.
fn recorder_text(folder: &Path, op: Op) -> Points {
    let (mut starts, mut ends) = (Vec::new(), Vec::new());
    for rank in 0.. {
        let Ok(text) = fs::read_to_string(folder.join(format!("{rank}.txt"))) else {
            break;
        };
        for line in text.lines().filter(|line| line.contains(op.name())) {
            let words: Vec<&str> = line.split_whitespace().collect();
            let number = |word: &str| word.parse::<f64>().unwrap();
            let (start, end) = (number(words[0]), number(words[1]));
            let rate = number(words[words.len() - 2]) / (end - start);
            starts.push(Step { at: start, rate });
            ends.push(Step { at: end, rate });
        }
    }
    Points::overlap(starts, ends)
}
