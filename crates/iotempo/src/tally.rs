//! How many inputs were read, and how many were not.

use crate::Outcome;
use crate::failure::Failure;
use crate::human::plural;
use crate::talk::Talk;

/// Counts inputs, and tells about those that were not read.
pub(crate) struct Tally<'a> {
    talk: &'a Talk,
    read: u64,
    failed: u64,
    refused: u64,
    no_logs: u64,
}

impl<'a> Tally<'a> {
    pub(crate) fn new(talk: &'a Talk) -> Self {
        Self {
            talk,
            read: 0,
            failed: 0,
            refused: 0,
            no_logs: 0,
        }
    }

    pub(crate) fn read(&mut self) {
        self.read += 1;
    }

    pub(crate) fn failed(&mut self, failure: &Failure) {
        self.failed += 1;
        self.talk.error(failure);
    }

    /// An input that could be read, but may not be written.
    pub(crate) fn refused(&mut self, failure: &Failure) {
        self.refused += 1;
        self.talk.error(failure);
    }

    /// Something that lay among logs and is none.
    pub(crate) fn no_log(&mut self, why: &Failure) {
        self.no_logs += 1;
        let Failure { input, message, .. } = why;
        self.talk.detail(format!("{input}: skipped: {message}"));
    }

    /// Whether anything was read at all.
    pub(crate) fn any_read(&self) -> bool {
        self.read > 0
    }

    /// Sums up.
    ///
    /// # Errors
    /// Where there was nothing to read.
    pub(crate) fn outcome(&self) -> anyhow::Result<Outcome> {
        self.talk.finish();
        let inputs = self.read + self.failed + self.refused;
        if inputs == 0 {
            anyhow::ensure!(self.no_logs > 0, "nothing to read: no input is named");
            let files = plural(self.no_logs, "file");
            anyhow::bail!("nothing to read: {files}, and no log among them");
        }
        if self.no_logs > 0 {
            let files = plural(self.no_logs, "file");
            let message = "of no format that iotempo reads (-v: which)";
            self.talk.warn(format!("skipped {files} {message}"));
        }
        for (count, what) in [
            (self.failed, "could not be read"),
            (self.refused, "were not written"),
        ] {
            if count > 0 && inputs > 1 {
                self.talk
                    .error(format!("{count} of {inputs} inputs {what}"));
            }
        }
        Ok(if self.failed + self.refused == 0 {
            Outcome::AllRead
        } else {
            Outcome::SomeFailed
        })
    }
}
