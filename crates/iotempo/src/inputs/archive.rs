//! Archives of logs, read in place: nothing is ever extracted.

use super::window::Window;
use crate::failure::Failure;
use iotempo_formats::Limits;
use std::fs::File;
use std::io::{self, BufReader, Read};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;
use tar::{Entry, EntryType};

/// The bytes of a member.
pub(crate) enum Member {
    /// A stretch of the archive itself.
    Window(Window),
    /// Taken out of a compressed archive.
    Spooled(Vec<u8>),
}

/// How many members are taken out of an archive before somebody wants them.
const AHEAD: usize = 2;

/// The members of an archive, in order.
pub(crate) struct Archive {
    members: Receiver<Result<(String, Member), Failure>>,
}

/// Whether these bytes begin a tar archive.
pub(super) fn is_tar(head: &[u8]) -> bool {
    head.get(257..262) == Some(b"ustar")
}

impl Archive {
    /// An archive that can be sought in: its members are windows on it.
    pub(super) fn in_place(name: String, file: File, limits: Limits) -> Self {
        Self::start(move |sink| {
            let members = Members { name, limits, sink };
            members.windows(Arc::new(file));
        })
    }

    /// An archive that comes once and in order: its members are held in memory, one at a time.
    pub(super) fn in_order(
        name: String,
        bytes: impl Read + Send + 'static,
        limits: Limits,
    ) -> Self {
        Self::start(move |sink| {
            let members = Members { name, limits, sink };
            members.spooled(bytes);
        })
    }

    /// Members are found on a thread of their own, which ends when nobody wants more of them.
    fn start(
        find: impl FnOnce(SyncSender<Result<(String, Member), Failure>>) + Send + 'static,
    ) -> Self {
        let (sink, members) = sync_channel(AHEAD);
        thread::spawn(move || find(sink));
        Self { members }
    }

    /// The next member with its name; `None` at the end.
    pub(crate) fn next(&mut self) -> Option<Result<(String, Member), Failure>> {
        self.members.recv().ok()
    }
}

/// Nobody wants more members, or there are no more to be had.
struct Stop;

struct Members {
    name: String,
    limits: Limits,
    sink: SyncSender<Result<(String, Member), Failure>>,
}

impl Members {
    fn send(&self, member: Result<(String, Member), Failure>) -> Result<(), Stop> {
        self.sink.send(member).map_err(|_| Stop)
    }

    fn fail(&self, name: String, message: impl std::fmt::Display) -> Result<(), Stop> {
        self.send(Err(Failure::new(name, message)))
    }

    fn member_name<R: Read>(&self, entry: &Entry<'_, R>) -> String {
        let path = String::from_utf8_lossy(&entry.path_bytes()).into_owned();
        format!("{}:{path}", self.name)
    }

    fn windows(&self, file: Arc<File>) {
        let len = file.metadata().map_or(0, |about| about.len());
        let whole = Window::new(file.clone(), 0, len);
        let mut archive = tar::Archive::new(BufReader::new(whole));
        let mut end = 0;
        let entries = match archive.entries_with_seek() {
            Ok(entries) => entries,
            Err(error) => return drop(self.cut(&error)),
        };
        for entry in entries {
            let sent = match entry {
                Ok(entry) => {
                    end = end_of(&entry);
                    self.window(entry, &file, len)
                }
                Err(error) => self.cut(&error),
            };
            if sent.is_err() {
                return;
            }
        }
        self.check_end(&file, end);
    }

    fn window<R: Read>(&self, entry: Entry<'_, R>, file: &Arc<File>, len: u64) -> Result<(), Stop> {
        let (offset, size) = (entry.raw_file_position(), entry.size());
        match entry.header().entry_type() {
            EntryType::Regular | EntryType::Continuous => {}
            // Its holes are not in the archive.
            EntryType::GNUSparse => return self.spool(entry),
            _ => return Ok(()),
        }
        let name = self.member_name(&entry);
        if offset.checked_add(size).is_none_or(|end| end > len) {
            self.send(Err(cut_inside(name, offset, len)))?;
            return Err(Stop);
        }
        self.send(Ok((
            name,
            Member::Window(Window::new(file.clone(), offset, size)),
        )))
    }

    /// An archive ends with zeros; one that was cut between two members does not.
    fn check_end(&self, file: &Arc<File>, end: u64) {
        let mut block = [1; 512];
        let read = Window::new(file.clone(), end, 512).read_exact(&mut block);
        if read.is_err() || block != [0; 512] {
            let message = "the archive has no end mark: it may have been cut";
            let _ = self.send(Err(Failure::at(self.name.clone(), end, message)));
        }
    }

    fn spooled(&self, bytes: impl Read) {
        let mut archive = tar::Archive::new(bytes);
        let entries = match archive.entries() {
            Ok(entries) => entries,
            Err(error) => return drop(self.cut(&error)),
        };
        for entry in entries {
            let sent = match entry {
                Ok(entry) if is_data(entry.header().entry_type()) => self.spool(entry),
                Ok(_) => Ok(()),
                Err(error) => self.cut(&error),
            };
            if sent.is_err() {
                return;
            }
        }
    }

    fn spool<R: Read>(&self, entry: Entry<'_, R>) -> Result<(), Stop> {
        let name = self.member_name(&entry);
        let (offset, size, most) = (entry.raw_file_position(), entry.size(), self.limits.spooled);
        let mut bytes = Vec::new();
        // The size in the header is a claim: memory grows with the bytes that are there.
        let read = entry.take(most.saturating_add(1)).read_to_end(&mut bytes);
        if bytes.len() as u64 > most {
            let message = format!("a member of more than {most} bytes in a compressed archive");
            return self.fail(name, message);
        }
        match read {
            Ok(read) if read as u64 == size => self.send(Ok((name, Member::Spooled(bytes)))),
            Ok(read) => {
                self.send(Err(cut_inside(name, offset, offset + read as u64)))?;
                Err(Stop)
            }
            Err(error) => {
                self.fail(name, error)?;
                Err(Stop)
            }
        }
    }

    fn cut(&self, error: &io::Error) -> Result<(), Stop> {
        self.fail(
            self.name.clone(),
            format!("the archive is damaged: {error}"),
        )?;
        Err(Stop)
    }
}

fn is_data(kind: EntryType) -> bool {
    matches!(
        kind,
        EntryType::Regular | EntryType::Continuous | EntryType::GNUSparse
    )
}

fn cut_inside(name: String, offset: u64, end: u64) -> Failure {
    let message = format!("the archive ends inside this member, which begins at byte {offset}");
    Failure::at(name, end, message)
}

/// Members are padded to whole blocks.
fn end_of<R: Read>(entry: &Entry<'_, R>) -> u64 {
    let end = entry.raw_file_position().saturating_add(entry.size());
    end.checked_next_multiple_of(512).unwrap_or(u64::MAX)
}
