//! FTIO itself, asked about the same samples through its Python interface.

use crate::cases::Case;
use crate::methods::{Answer, Answered, Method};
use serde::Deserialize;
use std::error::Error;
use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::Path;
use std::process::Command;

const PYTHON: &str = ".venv/bin/python";
const SCRIPT: &str = "python/peers/ftio_experiments.py";
/// Where both sides leave what the other reads.
const FOLDER: &str = "target/experiments";

/// What FTIO says: a dominant frequency and a confidence, or neither.
#[derive(Debug, Deserialize)]
struct Said {
    frequency_hz: Option<f64>,
    confidence: Option<f64>,
}

/// Asks FTIO about all signals.
pub(crate) fn ask(cases: &[Case], answered: &mut [Answered]) -> Result<(), Box<dyn Error>> {
    fs::create_dir_all(FOLDER)?;
    export(cases)?;
    eprintln!("asking ftio-hpc");
    let status = Command::new(PYTHON).args([SCRIPT, FOLDER]).status();
    let status = status.map_err(|error| format!("{PYTHON}: {error}"))?;
    if !status.success() {
        return Err(format!("{SCRIPT} failed").into());
    }
    let said = fs::read_to_string(Path::new(FOLDER).join("answers.json"))?;
    let said: Vec<Said> = serde_json::from_str(&said)?;
    if said.len() != cases.len() {
        return Err(format!("{} answers to {} signals", said.len(), cases.len()).into());
    }
    for (one, said) in answered.iter_mut().zip(said) {
        let found = said.frequency_hz.map(f64::recip);
        one.answers[Method::FtioHpc as usize] = Some(Answer {
            found,
            guess: found.or(one.strongest),
            confidence: said.confidence,
        });
    }
    Ok(())
}

/// All samples as doubles, one signal after the other, and how many there are of each.
fn export(cases: &[Case]) -> Result<(), Box<dyn Error>> {
    let folder = Path::new(FOLDER);
    let mut out = BufWriter::new(File::create(folder.join("signals.f64"))?);
    let mut lengths = Vec::new();
    for case in cases {
        let (signal, _) = case.signal();
        for sample in signal.samples() {
            out.write_all(&sample.to_le_bytes())?;
        }
        lengths.push(signal.samples().len());
    }
    out.flush()?;
    fs::write(
        folder.join("lengths.json"),
        serde_json::to_string(&lengths)?,
    )?;
    Ok(())
}
