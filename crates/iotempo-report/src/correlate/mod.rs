//! One page about how times of jobs depend on how busy a system was.

mod contours;
mod figures;
mod load;
mod plot;
mod scatter;
mod tables;
mod view;
mod words;

pub use load::{Quantity, Unit};
pub use words::{chance, title};

use crate::page::{Fact, Table};
use crate::quantity::Units;
use askama::Template;
use iotempo_analysis::correlate::study::{Curves, Grain, Lag, Points, Study};
use iotempo_model::Warning;
use std::io;
use view::View;

/// Everything that a page shows.
#[derive(Debug, Clone)]
pub struct CorrelatePage<'a> {
    /// What was read, in a few words.
    pub title: String,
    /// How many jobs were read.
    pub jobs: u64,
    /// Groups with too few jobs to be studied.
    pub too_few: u64,
    /// How many jobs these have together.
    pub too_few_jobs: u64,
    /// Why jobs of no group take no part, a sentence each.
    pub left_out: Vec<String>,
    /// All groups, in the order in which to show them.
    pub groups: Vec<ShownGroup<'a>>,
    /// What was read: logs of jobs, logs of servers, or a table.
    pub inputs: Vec<Table>,
    /// What was repaired or left out, or else should be known about the result.
    pub warnings: Vec<Warning>,
    /// All settings in force.
    pub settings: Vec<Fact>,
    /// The program that made the page, with its version.
    pub tool: String,
    /// Prefixes of bytes.
    pub units: Units,
}

/// What is said of a group.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// Its jobs take longer under load.
    SlowsDown,
    /// They take less time under load.
    SpeedsUp,
    /// They depend on the load, but not in one direction.
    Mixed,
    /// Nothing is seen.
    NoSign,
    /// Nothing can be said.
    Undetermined,
}

/// A group of jobs that repeat each other.
#[derive(Debug, Clone)]
pub struct ShownGroup<'a> {
    /// What people call it.
    pub name: String,
    /// What its jobs have in common.
    pub facts: Vec<Fact>,
    /// What is said of it.
    pub verdict: Verdict,
    /// The same in a sentence or two.
    pub sentence: String,
    /// The chance of its rank correlation, corrected for the number of groups.
    pub adjusted: Option<f64>,
    /// Loads.
    pub load: Quantity,
    /// Times, in seconds: of what.
    pub time: String,
    /// Its jobs.
    pub points: &'a Points,
    /// How its times depend on its loads.
    pub study: &'a Study,
    /// What time to expect at which load.
    pub curves: &'a Curves,
    /// What coarser logs would have shown.
    pub grains: &'a [Grain],
    /// What other clocks would have shown.
    pub lags: &'a [Lag],
    /// The same jobs by other metrics.
    pub pairs: Vec<ShownPair<'a>>,
    /// What else there is to say of it, a sentence each: what to expect at a load, whether clocks differ.
    pub also: Vec<String>,
    /// Why jobs of it take no part, a sentence each.
    pub left_out: Vec<String>,
}

/// A pair of metrics as it was published.
#[derive(Debug, Clone)]
pub struct ShownPair<'a> {
    /// What is held against what.
    pub title: String,
    /// What came of it.
    pub study: &'a Study,
}

impl CorrelatePage<'_> {
    /// Writes the page: HTML that needs nothing beside it, from whatever disk it is opened.
    ///
    /// # Errors
    /// Those of `out`.
    pub fn write_into(&self, out: &mut impl io::Write) -> io::Result<()> {
        View::new(self).write_into(out)
    }
}

/// Groups that are told at length: a page must stay small.
const MOST_GROUPS: usize = 40;
