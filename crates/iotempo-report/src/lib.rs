//! Findings for people: a chart for a terminal, and one self-contained HTML page.
//!
//! Everything here is a function from plain data to text. Nothing opens a file or prints.

pub mod axis;
mod base64;
mod captions;
pub mod chart;
pub mod clock;
pub mod correlate;
mod data;
mod downsample;
pub mod estimate;
mod evidence;
pub mod figures;
mod page;
pub mod phases;
mod plain;
pub mod quantity;
pub mod signature;
mod tables;
mod theme;
mod tile;
mod view;
mod wave;
pub mod words;

pub use evidence::{Autocorrelation, Mark, Spectrum};
pub use page::{Fact, Part, PeriodPage, Table};
pub use quantity::Units;
