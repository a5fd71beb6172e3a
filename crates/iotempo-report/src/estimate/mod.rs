//! One page about how fast an application's I/O would be with other numbers of I/O nodes.

mod drawing;
mod view;
mod words;

pub use words::{headline, no_estimate, percent, second_thought};

use crate::page::{Fact, Table};
use crate::quantity::Units;
use askama::Template;
use iotempo_analysis::estimate::Combined;
use iotempo_model::Warning;
use std::io;
use view::View;

/// Everything that a page shows.
#[derive(Debug, Clone)]
pub struct EstimatePage {
    /// The log, as the user named it.
    pub input: String,
    /// The curve of the application.
    pub combined: Combined,
    /// The phases, a row each: number, direction, bytes, how, match.
    pub phases: Table,
    /// Which phases have no match, and why.
    pub unmatched: Vec<Fact>,
    /// What is known of the log and of the benchmarks.
    pub provenance: Vec<Fact>,
    /// What was repaired or left out, or else should be known about the result.
    pub warnings: Vec<Warning>,
    /// All settings in force.
    pub settings: Vec<Fact>,
    /// Prefixes of bytes.
    pub units: Units,
}

impl EstimatePage {
    /// Writes the page: HTML that needs nothing beside it, from whatever disk it is opened.
    ///
    /// # Errors
    /// Those of `out`.
    pub fn write_into(&self, out: &mut impl io::Write) -> io::Result<()> {
        View::new(self).write_into(out)
    }
}
