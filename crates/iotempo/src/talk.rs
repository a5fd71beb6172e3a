//! What is said on standard error, beside the result.

use crate::cli::CommonArgs;
use crate::human;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::fmt;
use std::io::{self, IsTerminal, Write};
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// A line about something that went wrong for good.
pub(crate) fn fatal(message: &str) {
    say(message);
}

fn say(message: &str) {
    // Where nobody listens, nothing can be said about it either.
    let lines: Vec<_> = message.lines().map(human::printable).collect();
    let _ = writeln!(io::stderr().lock(), "iotempo: {}", lines.join("\n"));
}

/// Says things to a person, as loud as asked.
pub(crate) struct Talk {
    quiet: bool,
    verbose: bool,
    progress: Mutex<Progress>,
}

impl Talk {
    /// `things` are what progress counts.
    pub(crate) fn new(common: &CommonArgs, things: &'static str) -> Self {
        let silent = common.quiet || !io::stderr().is_terminal();
        Self {
            quiet: common.quiet,
            verbose: common.verbose,
            progress: Mutex::new(Progress::new(silent, things)),
        }
    }

    /// Said unless asked to be quiet.
    pub(crate) fn warn(&self, message: impl fmt::Display) {
        if !self.quiet {
            self.error(message);
        }
    }

    /// Said only where asked for more.
    pub(crate) fn detail(&self, message: impl fmt::Display) {
        if self.verbose {
            self.error(message);
        }
    }

    /// Always said.
    pub(crate) fn error(&self, message: impl fmt::Display) {
        let message = message.to_string();
        match self.progress.lock() {
            Ok(progress) => progress.bar.suspend(|| say(&message)),
            Err(_) => say(&message),
        }
    }

    /// Counts things done, for those who wait.
    pub(crate) fn done(&self, many: u64) {
        if let Ok(mut progress) = self.progress.lock() {
            progress.advance(many);
        }
    }

    /// Takes the progress bar away.
    pub(crate) fn finish(&self) {
        if let Ok(progress) = self.progress.lock() {
            progress.bar.finish_and_clear();
        }
    }
}

/// A counter that appears when a command takes more than a second.
struct Progress {
    bar: ProgressBar,
    things: &'static str,
    started: Instant,
    shown: bool,
}

const PATIENCE: Duration = Duration::from_secs(1);

impl Progress {
    fn new(silent: bool, things: &'static str) -> Self {
        Self {
            bar: ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden()),
            things,
            started: Instant::now(),
            shown: silent,
        }
    }

    fn advance(&mut self, many: u64) {
        self.bar.inc(many);
        if !self.shown && self.started.elapsed() > PATIENCE {
            self.shown = true;
            let template = format!("{{spinner}} {{human_pos}} {}, {{elapsed}}", self.things);
            if let Ok(style) = ProgressStyle::with_template(&template) {
                self.bar.set_style(style);
            }
            self.bar.set_draw_target(ProgressDrawTarget::stderr());
            self.bar.enable_steady_tick(Duration::from_millis(200));
        }
    }
}
