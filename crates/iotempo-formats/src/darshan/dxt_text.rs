//! The text that `darshan-dxt-parser` prints, read line by line: it can be gigabytes long.

mod scan;
mod table;

pub(super) use scan::is_request;
pub use table::read_dxt_text;

use super::log::{Damage, Log};
use super::module::Module;
use super::text::Lines;
use crate::error::{Error, Place};
use crate::limits::Limits;
use scan::Scan;
use std::io::{self, BufRead};

/// Times are printed with four decimals.
pub const DXT_TEXT_RESOLUTION_S: f64 = 1e-4;

/// The requests of a rank on a file, as the comments above them say.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DxtTextRecord {
    /// How many records came before it; tells records apart.
    pub ordinal: u64,
    /// [`Module::DxtPosix`] or [`Module::DxtMpiio`].
    pub module: Module,
    /// The record's id; 0 where the text does not say.
    pub id: u64,
    /// The name of the file; empty where the text does not say.
    pub name: String,
    /// The rank.
    pub rank: i64,
    /// The host that the rank ran on.
    pub hostname: String,
    /// How many writes are announced, and how many reads; `None` where the text does not say.
    pub announced: Option<(u64, u64)>,
}

/// One request.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DxtTextRequest {
    /// Whether it wrote.
    pub write: bool,
    /// Offset in the file; −1 where it is not known.
    pub offset: i64,
    /// Length in bytes.
    pub length: i64,
    /// Start in seconds.
    pub start_s: f64,
    /// End in seconds.
    pub end_s: f64,
    /// The thread, where the text says.
    pub thread: Option<u64>,
}

/// What a text holds besides requests.
#[derive(Debug)]
pub struct DxtText {
    /// The log, without modules.
    pub log: Log,
    /// The modules that had requests, in the order of their numbers.
    pub modules: Vec<DxtTextModule>,
}

/// A module of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DxtTextModule {
    /// [`Module::DxtPosix`] or [`Module::DxtMpiio`].
    pub module: Module,
    /// The version of its records in the log; 0 where the text does not say.
    pub version: u32,
    /// Whether it ran out of memory on some rank and dropped requests.
    pub partial: bool,
    /// Its records.
    pub records: u64,
    /// Its requests.
    pub requests: u64,
    /// The first that was wrong with it; all requests that could be read were passed on.
    pub damage: Option<Damage>,
}

/// Passes every request of a text to `visit`, in the order of the text, with one in memory.
///
/// # Errors
/// Where the text cannot be read before its first request, and whatever `visit` answers. What is
/// wrong behind the first request is damage of its module.
pub fn for_each_dxt_request(
    reader: impl BufRead,
    limits: &Limits,
    visit: &mut dyn FnMut(&DxtTextRecord, &DxtTextRequest) -> io::Result<()>,
) -> Result<DxtText, Error> {
    let mut lines = Lines::new(reader, limits);
    let mut scan = Scan::default();
    loop {
        match lines.advance() {
            Ok(true) => {}
            Ok(false) => break,
            Err(error) if !scan.has_begun() => return Err(error),
            Err(error) => {
                scan.damage(lines.spot().damage(error.kind));
                break;
            }
        }
        let (text, spot) = (lines.text(), lines.spot());
        if let Some(request) = scan.line(&text, spot) {
            visit(&scan.record, &request)
                .map_err(|error| Error::new("", Place::Line(spot.line), error))?;
        }
    }
    scan.close_record();
    Ok(scan.finish())
}

#[cfg(test)]
mod tests;
