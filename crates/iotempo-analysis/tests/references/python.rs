//! Python in a process of its own.

use serde_json::Value;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The Python with the reference implementations, or why there is none.
fn interpreter() -> Result<PathBuf, String> {
    if let Some(python) = std::env::var_os("IOTEMPO_PYTHON") {
        return Ok(python.into());
    }
    let python = workspace().join(".venv/bin/python");
    if python.is_file() {
        return Ok(python);
    }
    let reason = std::fs::read_to_string(workspace().join(".venv-missing"));
    Err(reason.unwrap_or_else(|_| "run scripts/setup.sh".to_owned()))
}

/// A running reference.
pub(crate) struct Reference {
    child: Child,
    questions: Option<ChildStdin>,
    answers: BufReader<ChildStdout>,
}

impl Reference {
    /// Starts it, or says that `test` is skipped.
    pub(crate) fn start(test: &str) -> Option<Self> {
        let python = match interpreter() {
            Ok(python) => python,
            Err(reason) => {
                eprintln!("SKIPPED {test}: no Python with SciPy ({})", reason.trim());
                return None;
            }
        };
        let mut child = Command::new(python)
            .arg(workspace().join("python/oracle/signals.py"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        Some(Self {
            questions: child.stdin.take(),
            answers: BufReader::new(child.stdout.take().unwrap()),
            child,
        })
    }

    /// Asks one question.
    pub(crate) fn ask(&mut self, question: &Value) -> Value {
        let questions = self.questions.as_mut().unwrap();
        writeln!(questions, "{question}").unwrap();
        let mut answer = String::new();
        self.answers.read_line(&mut answer).unwrap();
        assert!(!answer.is_empty(), "Python failed on {question:.300}");
        serde_json::from_str(&answer).unwrap()
    }
}

impl Drop for Reference {
    fn drop(&mut self) {
        self.questions = None;
        let _ = self.child.wait();
    }
}

/// The numbers of a list.
pub(crate) fn numbers(list: &Value) -> Vec<f64> {
    list.as_array()
        .unwrap()
        .iter()
        .map(|x| x.as_f64().unwrap())
        .collect()
}

/// The whole numbers of a list.
pub(crate) fn indices(list: &Value) -> Vec<usize> {
    numbers(list).into_iter().map(|x| x as usize).collect()
}

/// Asserts that numbers are as many and no further apart than `tolerance`.
pub(crate) fn assert_close(ours: &[f64], theirs: &[f64], tolerance: f64, what: &str) {
    assert_eq!(ours.len(), theirs.len(), "{what}");
    for (i, (a, b)) in ours.iter().zip(theirs).enumerate() {
        assert!(
            (a - b).abs() <= tolerance,
            "{what}, number {i}: {a}, not {b}"
        );
    }
}
