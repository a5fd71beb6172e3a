//! `iotempo predict`, while it runs.

use crate::common::Place;
use serde_json::Value;
use std::io::{BufRead, BufReader, Read};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

/// What is waited for comes within this, however slow the machine is.
pub(crate) const PATIENCE: Duration = Duration::from_secs(120);

/// A running `iotempo predict`, whose words are heard as they come.
pub(crate) struct Running {
    pub(crate) child: Child,
    said: Receiver<String>,
    heard: Vec<String>,
}

impl Running {
    pub(crate) fn new(place: &Place, words: &[&str]) -> Self {
        let mut command = Command::new(assert_cmd::cargo::cargo_bin("iotempo"));
        command
            .current_dir(place.path("."))
            .arg("predict")
            .args(words);
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let (sender, said) = channel();
        let errors = child.stderr.take().unwrap();
        let lines = child.stdout.take().unwrap();
        for stream in [Box::new(errors) as Box<dyn Read + Send>, Box::new(lines)] {
            let sender = sender.clone();
            std::thread::spawn(move || {
                for line in BufReader::new(stream).lines() {
                    if sender.send(line.unwrap()).is_err() {
                        return;
                    }
                }
            });
        }
        Self {
            child,
            said,
            heard: Vec::new(),
        }
    }

    /// The next line of either kind that holds these words, within patience.
    pub(crate) fn wait_for(&mut self, words: &str) -> String {
        let end = Instant::now() + PATIENCE;
        while let Ok(line) = self
            .said
            .recv_timeout(end.saturating_duration_since(Instant::now()))
        {
            self.heard.push(line.clone());
            if line.contains(words) {
                return line;
            }
        }
        panic!("nobody said '{words}': {:#?}", self.heard);
    }

    /// The port that it says it listens at.
    pub(crate) fn port(&mut self) -> u16 {
        let said = self.wait_for("listening at ");
        let port = said
            .split(' ')
            .find_map(|word| word.rsplit_once(':')?.1.parse().ok());
        port.unwrap_or_else(|| panic!("{said}"))
    }

    /// Waits for a prediction with a period that differs from this one by less than a share of it.
    pub(crate) fn wait_for_period_of(&mut self, wanted: f64, share: f64) -> Value {
        loop {
            let line = self.wait_for("\"state\":\"periodic\"");
            let line: Value = serde_json::from_str(&line).unwrap();
            let period = line["period_s"].as_f64().unwrap();
            if (period / wanted - 1.0).abs() < share {
                return line;
            }
        }
    }

    /// How often these words were heard so far.
    pub(crate) fn count(&self, words: &str) -> usize {
        let with = |line: &&String| line.contains(words);
        self.heard.iter().filter(with).count()
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
