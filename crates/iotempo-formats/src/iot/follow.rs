//! Logs that their programs still write.
//!
//! Programs write through shared memory, so neither the length of a log nor its time of change says
//! whether there is something new. Its first page does: both clocks are read and stored there before a
//! record is stored that ends 0.1 s after they were last read. A log whose first page has not changed for
//! a while is quiet, and a look at it costs one page.

use super::chunks::{self, Slot};
use super::fields::{u32_at, u64_at};
use super::files::{Files, Known};
use super::header::Header;
use super::host;
use super::transfer::{self, Read as Found, Transfer};
use crate::error::{self, Error, ErrorKind};
use crate::regular::Root;
use core::mem::offset_of;
use iotempo_model::wire::{CHUNK_SIZE, HEADER_SIZE, Header as Wire, MAGIC, RECORD_SIZE, flag};
use std::fs::File;
use std::io;
use std::path::Path;
use std::time::{Duration, Instant};

/// A record can be stored so long after the clocks that announce it, if the kernel holds a thread back.
const SETTLED: Duration = Duration::from_secs(10);
/// How often quiet logs are looked through all the same, and those of programs that have ended.
const SELDOM: Duration = Duration::from_secs(30);
/// How often it is asked whether the program of a quiet log still runs.
const ASK: Duration = Duration::from_secs(2);
/// Transfers that are handed on at a time: who joins late does not hold a whole log.
const BATCH: usize = 1 << 16;
/// How often the page is read again because clocks were being written to it.
const TRIES: usize = 8;

/// Takes what is new.
pub(crate) trait Takes {
    /// Whether transfers of a file of this name are wanted.
    fn wants(&self, name: &str) -> bool;

    /// Takes transfers; files by number.
    fn take(&mut self, files: &Files, new: &[Transfer]) -> io::Result<()>;
}

/// One log, and how far it was read.
///
/// It is opened for every look: there may be more logs than files that can be open.
#[derive(Debug)]
pub(crate) struct GrowingLog {
    page: Page,
    header: Header,
    files: Files,
    cursors: Vec<Cursor>,
    /// How long it was when all chunks were last looked at, in bytes.
    length: u64,
    /// Where it ends, if that is within a chunk that was used: a program makes room before it writes.
    cut_at: Option<u64>,
    /// When the page was last seen to change.
    changed: Instant,
    /// When all chunks were last looked at.
    searched: Option<Instant>,
    /// When it was last asked whether the program runs.
    asked: Instant,
    program: Program,
}

/// The bytes of the first page that mean something.
type Page = [u8; size_of::<Wire>()];

/// What a look found in the place of a log.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Place {
    Same,
    /// A log of another process, of which nothing was read.
    Other,
}

/// What is known of the program of a log.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Program {
    Runs,
    /// It ran on this machine, and no process has its number any more.
    Ended,
    /// Its number is one of another machine, or of a container: nobody here has it, and it writes.
    Elsewhere,
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
    /// Looks at a log for the first time; `None` where its program has not finished its first page.
    pub(crate) fn open(root: Root<'_>, path: &Path, now: Instant) -> Result<Option<Self>, Error> {
        let file = root.open(path)?;
        let length = file.metadata()?.len();
        check_beginning(&file, length)?;
        if length < HEADER_SIZE as u64 {
            return Ok(None);
        }
        let page = first_page(&file)?;
        if !super::sniff(&page) || !is_there(&page) {
            return Ok(None);
        }
        let header = read_header(&page)?;
        let here = host::is_this(&header.host);
        Ok(Some(Self {
            program: if here {
                Program::Runs
            } else {
                Program::Elsewhere
            },
            page,
            header,
            files: Files::default(),
            cursors: Vec::new(),
            length: 0,
            cut_at: None,
            changed: now,
            searched: None,
            asked: now,
        }))
    }

    pub(crate) fn rank(&self) -> Option<i32> {
        Some(self.header.rank).filter(|rank| *rank >= 0)
    }

    /// The job that it is of.
    pub(crate) fn job(&self) -> &str {
        &self.header.job
    }

    /// Whether its program has come to its end, as far as was seen. One that was killed has not said so.
    pub(crate) fn has_ended(&self) -> bool {
        self.header.has(flag::ENDED)
    }

    /// Where it was cut before it was first looked at, as far as that can be seen.
    pub(crate) fn cut_at(&self) -> Option<u64> {
        self.cut_at
    }

    /// When its program was loaded, in ns since 1970.
    pub(crate) fn loaded_ns(&self) -> u64 {
        self.header.realtime_ns
    }

    /// Hands on all transfers that were written since the last time.
    pub(crate) fn poll(
        &mut self,
        root: Root<'_>,
        path: &Path,
        now: Instant,
        to: &mut dyn Takes,
    ) -> Result<Place, Error> {
        if self.is_over(now) && !self.is_search_due(now) {
            return Ok(Place::Same);
        }
        let file = root.open(path)?;
        let length = file.metadata()?.len();
        let ended = self.has_just_ended(now);
        let page = match length < HEADER_SIZE as u64 {
            true => return Err(cut(HEADER_SIZE as u64, length)),
            false => first_page(&file)?,
        };
        if identity(&page) != identity(&self.page) {
            return Ok(Place::Other);
        }
        if length < self.length {
            return Err(cut(self.length, length));
        }
        let moved = self.renew(page, now)?;
        if moved || ended || !self.is_quiet(now) || self.is_search_due(now) {
            self.search(&file, length, to)?;
            self.searched = Some(now);
        }
        Ok(Place::Same)
    }

    /// Whether all that was announced can be read.
    fn is_quiet(&self, now: Instant) -> bool {
        now.duration_since(self.changed) > SETTLED
    }

    /// Whether nothing more is expected. Of a program of another machine, only its log says that it has ended.
    fn is_over(&self, now: Instant) -> bool {
        self.program == Program::Ended || self.has_ended() && self.is_quiet(now)
    }

    fn is_search_due(&self, now: Instant) -> bool {
        self.searched
            .is_none_or(|last| now.duration_since(last) > SELDOM)
    }

    /// Whether the program has ended since this was last asked. What it wrote until then can be read now.
    fn has_just_ended(&mut self, now: Instant) -> bool {
        let quiet_since = self.changed.max(self.asked);
        if self.program != Program::Runs || now.duration_since(quiet_since) < ASK {
            return false;
        }
        self.asked = now;
        let ended = !host::has_process(self.header.pid);
        if ended {
            self.program = Program::Ended;
        }
        ended
    }

    /// Takes note of the first page; whether the program has written to it.
    fn renew(&mut self, page: Page, now: Instant) -> Result<bool, Error> {
        if page == self.page {
            return Ok(false);
        }
        // The rate of the clock is known ever better.
        self.header = read_header(&page)?;
        self.page = page;
        self.changed = now;
        if self.program == Program::Ended {
            self.program = Program::Elsewhere;
        }
        Ok(true)
    }

    /// Looks at every chunk that may have grown.
    fn search(&mut self, file: &File, length: u64, to: &mut dyn Takes) -> Result<(), Error> {
        let behind = length - HEADER_SIZE as u64;
        let chunks = (behind / CHUNK_SIZE as u64) as usize;
        let part = (behind % CHUNK_SIZE as u64) as usize;
        self.length = length;
        let mut new = Vec::new();
        let mut failure = None;
        let whole = (0..chunks).map(|chunk| (chunk, CHUNK_SIZE));
        let last = (part >= RECORD_SIZE).then_some((chunks, part));
        for (chunk, size) in whole.chain(last) {
            if self.cursors.len() <= chunk {
                self.cursors.push(Cursor::default());
            }
            failure = self.search_chunk(file, (chunk, size), to, &mut new).err();
            if failure.is_some() {
                break;
            }
            if new.len() >= BATCH {
                to.take(&self.files, &new)?;
                new.clear();
            }
        }
        let used = |(chunk, _): (usize, usize)| {
            let cursor = self.cursors.get(chunk);
            cursor.is_some_and(|cursor| cursor.at > 0)
        };
        self.cut_at = last.is_some_and(used).then_some(length);
        // The chunks that they are from count as read.
        if !new.is_empty() {
            to.take(&self.files, &new)?;
        }
        failure.map_or(Ok(()), |error| Err(error.into()))
    }

    fn search_chunk(
        &mut self,
        file: &File,
        (chunk, size): (usize, usize),
        to: &dyn Takes,
        new: &mut Vec<Transfer>,
    ) -> io::Result<()> {
        let ring = self.header.has(flag::RING);
        let mut cursor = self.cursors[chunk];
        if cursor.at == CHUNK_SIZE && !ring {
            return Ok(());
        }
        let start = (HEADER_SIZE + chunk * CHUNK_SIZE) as u64;
        if cursor.at == 0 || ring {
            let Some(sequence) = sequence(file, start)? else {
                return Ok(());
            };
            if cursor.at == 0 || cursor.sequence != sequence {
                cursor = Cursor {
                    sequence,
                    at: RECORD_SIZE,
                };
            }
        }
        let rest = written(
            file,
            start + cursor.at as u64,
            size.saturating_sub(cursor.at),
        )?;
        // A ring may have begun to write over it in the meantime.
        if ring && !rest.is_empty() && sequence(file, start)? != Some(cursor.sequence) {
            return Ok(());
        }
        let (files, header) = (&mut self.files, &self.header);
        cursor.at += chunks::records(&rest, &mut |slot| {
            match slot {
                Slot::Chunk(_) => {}
                Slot::Name { file, name } => {
                    let name = String::from_utf8_lossy(name);
                    files.insert(file, Known::new(&name, to.wants(&name)));
                }
                Slot::Record(record) => {
                    if let Found::Transfer(transfer) = transfer::read(&record, header) {
                        new.push(transfer);
                    }
                }
            }
            Ok(())
        })?;
        self.cursors[chunk] = cursor;
        Ok(())
    }
}

/// Before a program has finished its first page, there are zeros where a log says that it is one.
fn check_beginning(file: &File, length: u64) -> Result<(), Error> {
    let mut found = [0; MAGIC.len()];
    let there = found
        .len()
        .min(usize::try_from(length).unwrap_or(found.len()));
    read_at(file, &mut found[..there], 0)?;
    // The page may be on its way: of a file system that others share, parts of it can be seen before the rest.
    let mut bytes = found.iter().zip(MAGIC);
    if bytes.all(|(found, expected)| *found == expected || *found == 0) {
        return Ok(());
    }
    let found = found[..there].escape_ascii();
    let message = format!("it is no log of iotempo: it begins with \"{found}\"");
    Err(Error::new(
        "",
        error::Place::Whole,
        ErrorKind::Unsupported(message),
    ))
}

/// Whether none of what a finished page always holds is zero.
fn is_there(page: &Page) -> bool {
    let sizes = [
        offset_of!(Wire, version),
        offset_of!(Wire, header_size),
        offset_of!(Wire, record_size),
        offset_of!(Wire, chunk_size),
        offset_of!(Wire, pid),
    ];
    let loaded = u64_at(page, offset_of!(Wire, first_realtime_ns));
    let measured = u64_at(page, offset_of!(Wire, ticks_per_second));
    sizes.iter().all(|at| u32_at(page, *at) != 0) && loaded != 0 && measured != 0
}

/// What distinguishes a log from any other: when and where its program was loaded.
fn identity(page: &Page) -> [u64; 4] {
    [
        u64_at(page, offset_of!(Wire, first_ticks)),
        u64_at(page, offset_of!(Wire, first_monotonic_ns)),
        u64_at(page, offset_of!(Wire, first_realtime_ns)),
        u64::from(u32_at(page, offset_of!(Wire, pid))),
    ]
}

/// The first page, with a pair of clocks that belong together: read again while they are written.
fn first_page(file: &File) -> io::Result<Page> {
    let clocks = offset_of!(Wire, last_ticks)..offset_of!(Wire, reserved);
    let mut before: Page = [0; size_of::<Wire>()];
    read_at(file, &mut before, 0)?;
    for _ in 0..TRIES {
        let mut page: Page = [0; size_of::<Wire>()];
        read_at(file, &mut page, 0)?;
        let sound = u32_at(&page, offset_of!(Wire, last_sequence)).is_multiple_of(2);
        if sound && page[clocks.clone()] == before[clocks.clone()] {
            return Ok(page);
        }
        before = page;
    }
    Ok(before)
}

fn read_header(page: &Page) -> Result<Header, Error> {
    let mut whole = [0; HEADER_SIZE];
    whole[..page.len()].copy_from_slice(page);
    Header::read(&whole)
}

/// The number of a chunk in the order of their use; `None` of one that nobody uses.
fn sequence(file: &File, start: u64) -> io::Result<Option<u64>> {
    let mut head = [0; RECORD_SIZE];
    read_at(file, &mut head, start)?;
    Ok(chunks::sequence(&head))
}

/// The bytes from here to the end of a chunk; none where no record was written here yet.
fn written(file: &File, at: u64, length: usize) -> io::Result<Vec<u8>> {
    let mut slot = [0; RECORD_SIZE];
    let Some(head) = slot.get_mut(..length.min(RECORD_SIZE)) else {
        return Ok(Vec::new());
    };
    read_at(file, head, at)?;
    if chunks::is_empty(&slot) {
        return Ok(Vec::new());
    }
    let mut rest = vec![0; length];
    read_at(file, &mut rest, at)?;
    Ok(rest)
}

#[cfg(unix)]
fn read_at(file: &File, bytes: &mut [u8], at: u64) -> io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, bytes, at)
}

#[cfg(not(unix))]
fn read_at(mut file: &File, bytes: &mut [u8], at: u64) -> io::Result<()> {
    use std::io::{Read, Seek, SeekFrom};
    file.seek(SeekFrom::Start(at))?;
    file.read_exact(bytes)
}

fn cut(from: u64, to: u64) -> Error {
    let message = format!("it was cut from {from} bytes or more to {to}");
    Error::new("", error::Place::Whole, ErrorKind::Unsupported(message))
}
