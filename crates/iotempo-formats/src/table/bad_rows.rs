//! Rows that cannot be read: one costs nothing but itself, too many mean that it is no such table.

use crate::error::{Error, ErrorKind, Place};
use iotempo_model::Warning;

/// The rows on which a table is judged.
pub(crate) const JUDGED: u64 = 1000;

/// What is wrong with a row, and its value.
pub(crate) type Wrong = (&'static str, String);

/// Counts rows, and those that could not be read.
#[derive(Debug, Default)]
pub(crate) struct BadRows {
    rows: u64,
    bad: u64,
    first: Option<Error>,
}

impl BadRows {
    pub(crate) fn good(&mut self) {
        self.rows += 1;
    }

    /// Only the first error is made.
    pub(crate) fn bad(&mut self, error: impl FnOnce() -> Error) {
        self.rows += 1;
        self.bad += 1;
        self.first.get_or_insert_with(error);
    }

    /// Counts the row of a line, with what is wrong with it.
    ///
    /// # Errors
    /// As [`judge`](Self::judge), once there are enough rows to tell.
    pub(crate) fn take(&mut self, line: u64, row: Result<(), Wrong>) -> Result<(), Error> {
        match row {
            Ok(()) => self.good(),
            Err((what, value)) => {
                self.bad(|| Error::invalid("", Place::Line(line), what, value));
            }
        }
        if self.verdict_is_due() {
            self.judge()?;
        }
        Ok(())
    }

    pub(crate) fn rows(&self) -> u64 {
        self.rows
    }

    /// Whether the table can be judged by now.
    pub(crate) fn verdict_is_due(&self) -> bool {
        self.rows == JUDGED
    }

    /// An error where more than half of the rows are bad.
    pub(crate) fn judge(&mut self) -> Result<(), Error> {
        if self.bad * 2 <= self.rows {
            return Ok(());
        }
        let (bad, rows) = (self.bad, self.rows);
        let Some(mut error) = self.first.take() else {
            return Ok(());
        };
        if let ErrorKind::Invalid { what, .. } = &mut error.kind {
            *what = format!("{what} ({bad} of the first {rows} rows cannot be read)").into();
        }
        Err(error)
    }

    pub(crate) fn warning(&self) -> Option<Warning> {
        let first = self.first.as_ref()?;
        let message = format!(
            "{} of {} rows could not be read and were left out (the first: {first})",
            self.bad, self.rows
        );
        Some(Warning::new("bad-rows", message))
    }
}
