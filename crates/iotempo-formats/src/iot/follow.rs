//! Logs that their programs still write.

use super::chunks::{self, Slot};
use super::header::Header;
use super::transfer::{self, Read as Found, Transfer};
use crate::error::{Error, Place};
use iotempo_model::wire::{CHUNK_SIZE, HEADER_SIZE, RECORD_SIZE, flag};
use std::collections::HashMap;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;

/// One log, and how far it was read.
#[derive(Debug)]
pub(crate) struct GrowingLog {
    file: File,
    header: Header,
    /// The names of files by number.
    pub(crate) names: HashMap<u32, String>,
    cursors: Vec<Cursor>,
}

/// How far a chunk was read.
#[derive(Debug, Clone, Copy, Default)]
struct Cursor {
    /// The chunk's number in the order of their use: another one means that the ring came round.
    sequence: u64,
    /// Bytes that were read.
    at: usize,
}

impl GrowingLog {
    /// Opens a log; `None` where its program has not finished its first page.
    pub(crate) fn open(path: &Path) -> Result<Option<Self>, Error> {
        let failed = |error: io::Error| Error::new("", Place::Whole, error);
        let mut file = File::open(path).map_err(failed)?;
        let Some(page) = first_page(&mut file).map_err(failed)? else {
            return Ok(None);
        };
        Ok(Some(Self {
            header: Header::read(&page)?,
            file,
            names: HashMap::new(),
            cursors: Vec::new(),
        }))
    }

    pub(crate) fn rank(&self) -> Option<i32> {
        Some(self.header.rank).filter(|rank| *rank >= 0)
    }

    /// When its program was loaded, in ns since 1970.
    pub(crate) fn loaded_ns(&self) -> i128 {
        i128::from(self.header.realtime_ns)
    }

    /// All transfers that were written since the last time; names go into [`names`](Self::names).
    pub(crate) fn poll(&mut self) -> Result<Vec<Transfer>, Error> {
        let failed = |error: io::Error| Error::new("", Place::Whole, error);
        // The rate of the clock is known ever better.
        if let Some(page) = first_page(&mut self.file).map_err(failed)? {
            self.header = Header::read(&page)?;
        }
        let length = self.file.metadata().map_err(failed)?.len();
        let chunks = length.saturating_sub(HEADER_SIZE as u64) / CHUNK_SIZE as u64;
        let mut new = Vec::new();
        for chunk in 0..chunks as usize {
            if self.cursors.len() <= chunk {
                self.cursors.push(Cursor::default());
            }
            self.poll_chunk(chunk, &mut new).map_err(failed)?;
        }
        Ok(new)
    }

    fn poll_chunk(&mut self, chunk: usize, new: &mut Vec<Transfer>) -> io::Result<()> {
        let cursor = &mut self.cursors[chunk];
        if cursor.at == CHUNK_SIZE && !self.header.has(flag::RING) {
            return Ok(());
        }
        let start = (HEADER_SIZE + chunk * CHUNK_SIZE) as u64;
        let mut head = [0; RECORD_SIZE];
        self.file.seek(SeekFrom::Start(start))?;
        self.file.read_exact(&mut head)?;
        let Some(sequence) = chunks::sequence(&head) else {
            return Ok(());
        };
        if cursor.at == 0 || cursor.sequence != sequence {
            *cursor = Cursor {
                sequence,
                at: RECORD_SIZE,
            };
        }
        let mut rest = vec![0; CHUNK_SIZE - cursor.at];
        self.file.seek(SeekFrom::Start(start + cursor.at as u64))?;
        self.file.read_exact(&mut rest)?;
        let mut take = |slot: Slot<'_>| {
            match slot {
                Slot::Chunk(_) => {}
                Slot::Name { file, name } => {
                    let name = String::from_utf8_lossy(name).into_owned();
                    self.names.insert(file, name);
                }
                Slot::Record(record) => {
                    if let Found::Transfer(transfer) = transfer::read(&record, &self.header) {
                        new.push(transfer);
                    }
                }
            }
            Ok(())
        };
        cursor.at += chunks::records(&rest, &mut take)?;
        Ok(())
    }
}

fn first_page(file: &mut File) -> io::Result<Option<Vec<u8>>> {
    let mut page = vec![0; HEADER_SIZE];
    file.seek(SeekFrom::Start(0))?;
    match file.read_exact(&mut page) {
        Ok(()) => Ok(Some(page).filter(|page| super::sniff(page))),
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Ok(None),
        Err(error) => Err(error),
    }
}
