//! One page about the period of an input: everything that is known, with its evidence.

use crate::evidence::{Autocorrelation, Spectrum};
use crate::quantity::Units;
use crate::view::View;
use askama::Template;
use iotempo_analysis::period::{Detector, PeriodFinding};
use iotempo_analysis::scalogram::Scalogram;
use iotempo_model::{Seconds, Signal, Source, Warning};
use std::io;

/// Everything that a page shows.
#[derive(Debug, Clone)]
pub struct PeriodPage {
    /// The input, as the user named it.
    pub input: String,
    /// The SHA-256 of the input.
    pub sha256: Option<String>,
    /// The format and its version, such as `darshan 3.41`.
    pub format: String,
    /// The evidence that was analysed.
    pub source: Source,
    /// Nothing shorter than this can be seen in it.
    pub resolution: Option<Seconds>,
    /// What is known of the job, in the order in which to show it.
    pub facts: Vec<Fact>,
    /// What else is in the input, such as its modules.
    pub tables: Vec<Table>,
    /// What was repaired or left out, or else should be known about the result.
    pub warnings: Vec<Warning>,
    /// What was analysed: both directions together, or one each. Empty where nothing moved.
    pub parts: Vec<Part>,
    /// All settings in force.
    pub settings: Vec<Fact>,
    /// The program that made the page, with its version.
    pub tool: String,
    /// Prefixes of bytes.
    pub units: Units,
}

/// A fact with its name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fact {
    /// What it is about.
    pub name: String,
    /// The fact, with its unit.
    pub value: String,
}

impl Fact {
    /// A fact about `name`.
    pub fn new(name: impl Into<String>, value: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            value: value.into(),
        }
    }
}

/// Rows under a heading.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Table {
    /// What it shows.
    pub title: String,
    /// The names of its columns.
    pub columns: Vec<String>,
    /// Its rows: the first cell names the row, the others are numbers.
    pub rows: Vec<Vec<String>>,
    /// What to know about it.
    pub notes: Vec<String>,
}

/// A signal, and what was found in it.
#[derive(Debug, Clone)]
pub struct Part {
    /// What moved: `read`, `write`, or `read and write`.
    pub name: String,
    /// The bandwidth that was analysed.
    pub signal: Signal,
    /// What was found.
    pub finding: PeriodFinding,
    /// The least confidence that was called periodic.
    pub threshold: f64,
    /// The spectrum of the signal.
    pub spectrum: Option<Spectrum>,
    /// The autocorrelation of the signal.
    pub autocorrelation: Option<Autocorrelation>,
    /// Which periods the signal has when.
    pub scalogram: Option<Scalogram>,
    /// What FTIO's method answers; empty where it was not asked.
    pub ftio: Vec<Fact>,
}

impl Part {
    /// A finding without further evidence, at the threshold that is the default.
    pub fn new(name: impl Into<String>, signal: Signal, finding: PeriodFinding) -> Self {
        Self {
            name: name.into(),
            signal,
            finding,
            threshold: Detector::default().threshold,
            spectrum: None,
            autocorrelation: None,
            scalogram: None,
            ftio: Vec::new(),
        }
    }
}

impl PeriodPage {
    /// Writes the page: HTML that needs nothing beside it, from whatever disk it is opened.
    ///
    /// # Errors
    /// Those of `out`.
    pub fn write_into(&self, out: &mut impl io::Write) -> io::Result<()> {
        View::new(self).write_into(out)
    }
}
