//! `trace_period ROUNDS iotempo|ftio FILE [HZ]`: reads a trace and looks for its period, again and again
//! in one process, and prints the last answer. Whoever starts it divides its CPU time by ROUNDS.
// An experiment on the analyses, not one of them: it may use files and the clock.
#![allow(
    clippy::print_stdout,
    clippy::disallowed_methods,
    clippy::disallowed_types
)]

use iotempo_analysis::{ftio, period::Detector, sampling};
use iotempo_formats::{Input, ReadOptions, read};
use iotempo_model::{Hertz, Op, Selecting, Selection, Trace, TraceBuilder};
use std::error::Error;
use std::fs::File;

/// As `iotempo period` unasked.
fn own(trace: &Trace) -> Result<String, Box<dyn Error>> {
    let bandwidth = trace.bandwidth();
    let window = sampling::window(&bandwidth, trace.origin.observed, None);
    let window = window.ok_or("nothing moved")?;
    let signal = sampling::as_recorded(&bandwidth, &trace.origin, window)?;
    let found = Detector::default().detect(&signal);
    let period = found.main().map(|main| main.period.value.get());
    Ok(format!("{:?} {period:?} s", found.verdict))
}

/// As `iotempo period --method ftio`.
fn as_ftio(trace: &Trace, rate: Option<Hertz>) -> String {
    let mut settings = ftio::Settings::default();
    settings.freq = rate.map_or(settings.freq, ftio::Rate::Fixed);
    let found = settings.detect(trace);
    format!("{:?} {:?} s", found.verdict, found.period_s)
}

/// All of a trace, or what moves in one direction.
fn read_selected(path: &str, op: Option<Op>) -> Result<Trace, Box<dyn Error>> {
    let selection = Selection {
        op,
        ..Selection::default()
    };
    let mut builder = TraceBuilder::default();
    let mut selecting = Selecting::new(&selection, &mut builder);
    let input = Input::file(File::open(path)?)?;
    let reading = read(input, &ReadOptions::default(), &mut selecting)?;
    Ok(builder.finish(reading.origin, reading.warnings))
}

/// What FTIO's method looks at: writes, or reads where there are none.
fn direction(path: &str) -> Result<Op, Box<dyn Error>> {
    let writes = read_selected(path, Some(Op::Write))?;
    Ok(if writes.is_empty() {
        Op::Read
    } else {
        Op::Write
    })
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [rounds, method, path, rate @ ..] = &arguments[..] else {
        return Err("ROUNDS iotempo|ftio FILE [HZ]".into());
    };
    let rate = rate.first().and_then(|word| Hertz::new(word.parse().ok()?));
    let op = match method.as_str() {
        "ftio" => Some(direction(path)?),
        _ => None,
    };
    let mut answer = String::new();
    for _ in 0..rounds.parse::<usize>()? {
        let trace = read_selected(path, op)?;
        answer = match method.as_str() {
            "iotempo" => own(&trace)?,
            "ftio" => as_ftio(&trace, rate),
            other => return Err(format!("{other}: neither iotempo nor ftio").into()),
        };
    }
    println!("{answer}");
    Ok(())
}
