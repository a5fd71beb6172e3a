//! The journal, and what is said about it.

use crate::board::Board;
use crate::journal::Journal;
use crate::settings::Notice;
use std::io;
use std::sync::atomic::Ordering::Relaxed;

/// A journal that may not be there, or not be writable for a while.
#[derive(Debug)]
pub(crate) struct Ledger {
    journal: Option<Journal>,
    /// Whether it could not be written the last time.
    stuck: bool,
}

impl Ledger {
    pub(crate) fn new(journal: Option<Journal>) -> Self {
        Self {
            journal,
            stuck: false,
        }
    }

    /// Writes a line. Where that fails, it waits: those who listen are told all the same.
    pub(crate) fn append(&mut self, line: Vec<u8>, board: &Board, notice: &Notice) {
        if let Some(journal) = &mut self.journal {
            let written = journal.append(line);
            self.note(written, board, notice);
        }
    }

    /// Writes what waits for room, and begins a new journal with these lines where this one is long.
    pub(crate) fn keep<'a>(
        &mut self,
        lines: impl Iterator<Item = &'a [u8]>,
        board: &Board,
        notice: &Notice,
    ) {
        let Some(journal) = &mut self.journal else {
            return;
        };
        let mut kept = journal.flush();
        if kept.is_ok() && journal.is_long() {
            kept = journal.begin_anew(lines);
        }
        self.note(kept, board, notice);
    }

    /// Counts how it went, and says so where that is new.
    fn note(&mut self, written: io::Result<()>, board: &Board, notice: &Notice) {
        let Some(journal) = &self.journal else {
            return;
        };
        let counters = &board.counters;
        let waiting = journal.waiting() as u64;
        counters.journal_waiting.store(waiting, Relaxed);
        counters.journal_lost.store(journal.lost, Relaxed);
        if written.is_err() {
            counters.journal_failures.fetch_add(1, Relaxed);
        }
        match (&written, self.stuck) {
            (Err(error), false) => notice(&format!("the journal cannot be written: {error}")),
            (Ok(()), true) => notice("the journal can be written again"),
            _ => {}
        }
        self.stuck = written.is_err();
    }
}
