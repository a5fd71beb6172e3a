//! How well periods are found: the experiments of FTIO's paper (Tarraf et al., IPDPS 2024, section
//! III-A) on generated traces, false periods in signals that have none, and whether confidences
//! mean what they say.
//!
//! `cargo run --release --package iotempo-sim --example period_experiments -- --peer` writes
//! `docs/experiments/period.md` and `period.json`. The same command gives the same files, however
//! many threads there are.
#![allow(
    clippy::print_stderr,
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "a program, which reads its arguments, writes its results and says what it does"
)]

mod calibration;
mod cases;
mod further;
mod measure;
mod methods;
mod page;
mod parallel;
mod peer;
mod results;

use cases::Plan;
use std::error::Error;
use std::fs;
use std::path::PathBuf;

/// What the program was asked.
struct Arguments {
    plan: Plan,
    /// Whether to ask FTIO itself, too.
    peer: bool,
    folder: PathBuf,
}

impl Arguments {
    fn parse(mut words: impl Iterator<Item = String>) -> Result<Self, String> {
        let mut arguments = Self {
            plan: Plan {
                traces: 100,
                trials: 500,
            },
            peer: false,
            folder: PathBuf::from("docs/experiments"),
        };
        while let Some(word) = words.next() {
            let mut value = || words.next().ok_or(format!("{word} needs a value"));
            let number = |text: String| text.parse().map_err(|_| format!("{text} is no number"));
            match word.as_str() {
                "--peer" => arguments.peer = true,
                "--traces" => arguments.plan.traces = number(value()?)?,
                "--trials" => arguments.plan.trials = number(value()?)?,
                "--out-dir" => arguments.folder = PathBuf::from(value()?),
                _ => return Err(format!("{word} is not understood")),
            }
        }
        Ok(arguments)
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments = Arguments::parse(std::env::args().skip(1))?;
    let cases = arguments.plan.cases();
    eprintln!("{} signals", cases.len());
    let mut answered = parallel::map(&cases, methods::answer);
    if arguments.peer {
        peer::ask(&cases, &mut answered)?;
    }
    let results = results::Results::new(&arguments.plan, &cases, &answered);
    fs::create_dir_all(&arguments.folder)?;
    let mut json = serde_json::to_string_pretty(&results)?;
    json.push('\n');
    fs::write(arguments.folder.join("period.json"), json)?;
    fs::write(
        arguments.folder.join("period.md"),
        page::page(&results, arguments.peer),
    )?;
    eprintln!("{}/period.md", arguments.folder.display());
    Ok(())
}
