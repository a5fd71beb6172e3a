//! `iotempo report`: one HTML page with everything known about this input.

mod build;
mod settings;
mod write;

pub(crate) use build::{Analysed, page, part};
pub(crate) use write::write_page;
