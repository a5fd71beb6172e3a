//! One file that a program still appends to.

use super::pieces::Pieces;
use crate::error::{Error, Place};
use crate::reading::{ReadOptions, Reading};
use crate::regular::{self, Links};
use iotempo_model::{RequestSink, Warning, counted};
use std::fs::{File, Metadata};
use std::io::{self, Read, Seek, SeekFrom};
use std::path::PathBuf;

/// Bytes that one look takes at the most: who joins late catches up in several.
const MOST: u64 = 16 << 20;

/// Bytes before the place where reading goes on that must still be what they were.
const TAIL: usize = 64;

/// A file of JSON lines, MessagePack or a table that grows while it is read.
///
/// Every [`poll`](Self::poll) reads what was appended since the one before.
#[derive(Debug)]
pub struct GrowingFile {
    path: PathBuf,
    options: ReadOptions,
    links: Links,
    offset: u64,
    /// The last bytes before that: a program that is started again may write over what it wrote, to the same file.
    tail: Vec<u8>,
    /// What the file is, under whichever name.
    identity: Option<[u64; 2]>,
    pieces: Pieces,
    /// It was read, and is no more there.
    deleted: bool,
    /// The last look reached its end.
    caught_up: bool,
    /// The last look left something for another that can follow at once.
    more: bool,
    /// Bytes at its end that are of nothing whole, when nobody will look again.
    lost: usize,
}

/// What a look at a growing file found.
#[derive(Debug)]
pub enum Growth {
    /// Nothing that is whole.
    Nothing,
    /// New requests, which went into the sink.
    Read(Box<Reading>),
    /// The file is shorter than it was, had been deleted, is another, or does not hold any more what was read last:
    /// it was written anew, and is read from its beginning next.
    Cut,
}

impl GrowingFile {
    /// A file to be followed from its beginning; it need not exist yet.
    #[must_use]
    pub fn new(path: impl Into<PathBuf>, options: ReadOptions) -> Self {
        Self {
            path: path.into(),
            links: Links::Followed,
            offset: 0,
            tail: Vec::new(),
            identity: None,
            pieces: Pieces::new(options.clone()),
            options,
            deleted: false,
            caught_up: false,
            more: false,
            lost: 0,
        }
    }

    /// The same, but a link in its place is not gone after: it may lead anywhere.
    #[must_use]
    pub fn refusing_links(mut self) -> Self {
        self.links = Links::Refused;
        self
    }

    /// What is wrong with what came, since this was last asked.
    pub fn take_warnings(&mut self) -> Vec<Warning> {
        self.pieces.take_warnings()
    }

    /// The same when nobody will ask again.
    pub fn take_last_warnings(&mut self) -> Vec<Warning> {
        let mut warnings = self.pieces.take_last_warnings();
        if self.lost > 0 {
            let lost = counted(std::mem::take(&mut self.lost) as u64, "byte");
            let message = format!("it ends within a line or item: {lost} at its end are lost");
            warnings.push(Warning::new("truncated", message));
        }
        warnings
    }

    /// Nobody will look again: a last line that waits for its end has it. Pushes it into `sink`.
    ///
    /// # Errors
    /// Where the sink takes no more, or nothing of the file can be read.
    pub fn finish(&mut self, sink: &mut dyn RequestSink) -> Result<Growth, Error> {
        if self.pieces.is_hopeless() {
            return Ok(Growth::Nothing);
        }
        self.lost = self.pieces.finish();
        self.read(sink)
    }

    /// Pushes what is new into `sink`.
    ///
    /// # Errors
    /// Where the file cannot be read, or is of a format that does not grow.
    pub fn poll(&mut self, sink: &mut dyn RequestSink) -> Result<Growth, Error> {
        let failed = |error: io::Error| Error::new("", Place::Whole, error);
        (self.caught_up, self.more) = (false, false);
        let mut file = match regular::open(&self.path, self.links) {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                self.deleted = self.offset > 0;
                return Ok(Growth::Nothing);
            }
            Err(error) => return Err(failed(error)),
        };
        let found = file.metadata().map_err(failed)?;
        let identity = identity(&found);
        let other = self.offset > 0 && identity != self.identity;
        let anew = self.deleted || other || found.len() < self.offset;
        if anew || self.was_written_over(&mut file).map_err(failed)? {
            let anew = Self::new(std::mem::take(&mut self.path), self.options.clone());
            *self = Self {
                links: self.links,
                more: true,
                ..anew
            };
            return Ok(Growth::Cut);
        }
        self.identity = identity;
        if !self.pieces.is_hopeless() {
            self.take_in(file).map_err(failed)?;
        }
        self.read(sink)
    }

    /// Reads what is whole of what was taken in.
    fn read(&mut self, sink: &mut dyn RequestSink) -> Result<Growth, Error> {
        let read = self.pieces.read(sink)?;
        Ok(read.map_or(Growth::Nothing, |reading| Growth::Read(Box::new(reading))))
    }

    /// Whether its writer gathers requests and writes them after a phase.
    #[must_use]
    pub fn comes_in_flushes(&self) -> bool {
        self.pieces.come_in_flushes()
    }

    /// Whether it was read, and has been deleted since.
    #[must_use]
    pub fn is_gone(&self) -> bool {
        self.deleted
    }

    /// Whether the last look took in all that was there then.
    #[must_use]
    pub fn has_caught_up(&self) -> bool {
        self.caught_up
    }

    /// Whether another look would find more at once.
    #[must_use]
    pub fn has_more(&self) -> bool {
        self.more
    }

    /// Whether other bytes are there than were read last. Goes to where reading goes on.
    fn was_written_over(&self, file: &mut File) -> io::Result<bool> {
        let mut found = vec![0; self.tail.len()];
        file.seek(SeekFrom::Start(self.offset - found.len() as u64))?;
        match file.read_exact(&mut found) {
            // It has become shorter since its length was asked for.
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Ok(true),
            read => read.map(|()| found != self.tail),
        }
    }

    /// Takes in what is new, from where the file stands.
    fn take_in(&mut self, file: File) -> io::Result<()> {
        let mut new = Vec::new();
        let taken = file.take(MOST).read_to_end(&mut new)? as u64;
        self.offset += taken;
        self.caught_up = taken < MOST;
        self.more = !self.caught_up;
        self.tail
            .extend_from_slice(&new[new.len().saturating_sub(TAIL)..]);
        self.tail.drain(..self.tail.len().saturating_sub(TAIL));
        self.pieces.feed(&new);
        Ok(())
    }
}

#[cfg(unix)]
fn identity(file: &Metadata) -> Option<[u64; 2]> {
    use std::os::unix::fs::MetadataExt;
    Some([file.dev(), file.ino()])
}

#[cfg(not(unix))]
fn identity(_file: &Metadata) -> Option<[u64; 2]> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use iotempo_model::{Origin, Source, TraceBuilder};
    use std::io::Write;

    /// Requests that are read when these parts were appended one by one.
    fn read_as_it_grows(parts: &[&[u8]]) -> Vec<usize> {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("growing");
        let mut followed = GrowingFile::new(&path, ReadOptions::default());
        let mut sink = TraceBuilder::default();
        assert!(matches!(followed.poll(&mut sink), Ok(Growth::Nothing)));
        let mut file = File::create(&path).expect("a file");
        let mut counts = Vec::new();
        for part in parts {
            file.write_all(part).expect("room");
            let mut new = TraceBuilder::default();
            followed.poll(&mut new).expect("readable");
            let trace = new.finish(Origin::new(Source::Requests), Vec::new());
            counts.push(trace.len());
        }
        counts
    }

    #[test]
    fn a_line_is_read_when_it_is_whole() {
        let line = "{\"op\":\"write\",\"start\":0,\"end\":1,\"bytes\":5}\n".as_bytes();
        let (head, tail) = line.split_at(17);
        let parts = [line, head, b"", tail, &line.repeat(3)];
        assert_eq!(read_as_it_grows(&parts), [1, 0, 0, 1, 3]);
    }

    #[test]
    fn rows_of_a_table_are_read_under_its_heading() {
        let parts: [&[u8]; 4] = [
            b"op,start,end,by",
            b"tes\nwrite,0,1,5\n",
            b"read,2,3",
            b",6\n",
        ];
        assert_eq!(read_as_it_grows(&parts), [0, 1, 0, 1]);
    }

    #[test]
    fn a_file_that_was_written_anew_is_read_from_its_beginning() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("growing");
        let write = |text: &str| std::fs::write(&path, text).expect("room");
        let mut followed = GrowingFile::new(&path, ReadOptions::default());
        let mut sink = TraceBuilder::default();
        write("op,start,end,bytes\nwrite,0,1,5\nwrite,2,3,5\n");
        assert!(matches!(followed.poll(&mut sink), Ok(Growth::Read(_))));
        write("op,start,end,bytes\nwrite,0,1,7\n");
        assert!(matches!(followed.poll(&mut sink), Ok(Growth::Cut)));
        assert!(matches!(followed.poll(&mut sink), Ok(Growth::Read(_))));
        std::fs::remove_file(&path).expect("there");
        assert!(!followed.is_gone());
        assert!(matches!(followed.poll(&mut sink), Ok(Growth::Nothing)));
        assert!(followed.is_gone());
        write("op,start,end,bytes\nwrite,0,1,100\nwrite,1,2,100\nwrite,2,3,100\n");
        assert!(matches!(followed.poll(&mut sink), Ok(Growth::Cut)));
        assert!(matches!(followed.poll(&mut sink), Ok(Growth::Read(_))));
        assert!(!followed.is_gone());
        let trace = sink.finish(Origin::new(Source::Requests), Vec::new());
        assert_eq!(trace.volume().get(), 317.0);
    }

    #[test]
    fn a_file_that_was_written_over_in_its_place_is_read_from_its_beginning() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("growing");
        // The file stays, and is longer than before whenever it is looked at.
        let write = |text: &str| std::fs::write(&path, text).expect("room");
        let mut followed = GrowingFile::new(&path, ReadOptions::default());
        let mut sink = TraceBuilder::default();
        write("op,start,end,bytes\nwrite,0,1,5\nwrite,2,3,5\n");
        assert!(matches!(followed.poll(&mut sink), Ok(Growth::Read(_))));
        write("op,start,end,bytes\nwrite,0,1,70\nwrite,1,2,70\nwrite,2,3,70\n");
        assert!(matches!(followed.poll(&mut sink), Ok(Growth::Cut)));
        assert!(followed.has_more());
        assert!(matches!(followed.poll(&mut sink), Ok(Growth::Read(_))));
        // Also one of which nothing could be read.
        write(&"What is this?\n".repeat(10_000));
        assert!(matches!(followed.poll(&mut sink), Ok(Growth::Cut)));
        assert!(followed.poll(&mut sink).is_err());
        let rows = "write,0,1,5\n".repeat(20_000);
        write(&format!("op,start,end,bytes\n{rows}"));
        assert!(matches!(followed.poll(&mut sink), Ok(Growth::Cut)));
        assert!(matches!(followed.poll(&mut sink), Ok(Growth::Read(_))));
        let trace = sink.finish(Origin::new(Source::Requests), Vec::new());
        assert_eq!(trace.volume().get(), 100_220.0);
    }

    #[test]
    fn a_file_that_is_longer_than_a_look_has_more() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("growing");
        let rows = "write,0,1,5\n".repeat(MOST as usize / 12);
        std::fs::write(&path, format!("op,start,end,bytes\n{rows}")).expect("room");
        let mut followed = GrowingFile::new(&path, ReadOptions::default());
        let mut sink = TraceBuilder::default();
        followed.poll(&mut sink).expect("readable");
        assert!(followed.has_more() && !followed.has_caught_up());
        followed.poll(&mut sink).expect("readable");
        assert!(!followed.has_more() && followed.has_caught_up());
    }

    #[test]
    fn what_cannot_be_read_is_not_read_again_before_another_takes_its_place() {
        let folder = tempfile::tempdir().expect("a folder");
        let [path, new] = ["growing", "new"].map(|name| folder.path().join(name));
        std::fs::write(&path, "What is this?\n".repeat(10_000)).expect("room");
        let mut followed = GrowingFile::new(&path, ReadOptions::default());
        let mut sink = TraceBuilder::default();
        for _ in 0..3 {
            let error = followed.poll(&mut sink).expect_err("unknown");
            assert!(error.to_string().contains("What is this?"), "{error}");
            assert_eq!((followed.offset, followed.pieces.waiting()), (140_000, 0));
            let mut file = File::options().append(true).open(&path).expect("there");
            file.write_all(b"More of it.\n").expect("room");
        }
        // Longer than the one before.
        let rows = "write,0,1,5\n".repeat(20_000);
        std::fs::write(&new, format!("op,start,end,bytes\n{rows}")).expect("room");
        std::fs::rename(&new, &path).expect("there");
        assert!(matches!(followed.poll(&mut sink), Ok(Growth::Cut)));
        assert!(matches!(followed.poll(&mut sink), Ok(Growth::Read(_))));
    }

    #[test]
    fn the_last_line_ends_where_nobody_looks_again_and_what_is_lost_is_told() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("growing");
        std::fs::write(&path, "op,start,end,bytes\nwrite,0,1,5\nwrite,1,2,7").expect("room");
        let mut followed = GrowingFile::new(&path, ReadOptions::default());
        let mut sink = TraceBuilder::default();
        assert!(matches!(followed.poll(&mut sink), Ok(Growth::Read(_))));
        assert!(matches!(followed.finish(&mut sink), Ok(Growth::Read(_))));
        assert!(followed.take_last_warnings().is_empty());
        let trace = sink.finish(Origin::new(Source::Requests), Vec::new());
        assert_eq!(trace.volume().get(), 12.0);
        // An item of MessagePack has no end but its own.
        std::fs::write(&path, b"\x81\xa9bandwidth\x82").expect("room");
        let mut followed = GrowingFile::new(&path, ReadOptions::default());
        let mut sink = TraceBuilder::default();
        assert!(matches!(followed.poll(&mut sink), Ok(Growth::Nothing)));
        assert!(matches!(followed.finish(&mut sink), Ok(Growth::Nothing)));
        let warnings = followed.take_last_warnings();
        assert!(warnings[0].message.contains("12 bytes"), "{warnings:?}");
        assert!(followed.take_last_warnings().is_empty());
    }

    #[test]
    #[cfg(unix)]
    fn a_link_leads_nowhere_where_that_is_asked_for() {
        let folder = tempfile::tempdir().expect("a folder");
        let [path, link] = ["growing", "link"].map(|name| folder.path().join(name));
        std::fs::write(&path, "op,start,end,bytes\nwrite,0,1,5\n").expect("room");
        std::os::unix::fs::symlink(&path, &link).expect("room");
        let mut sink = TraceBuilder::default();
        let mut named = GrowingFile::new(&link, ReadOptions::default());
        assert!(matches!(named.poll(&mut sink), Ok(Growth::Read(_))));
        let mut found = GrowingFile::new(&link, ReadOptions::default()).refusing_links();
        assert!(found.poll(&mut sink).is_err());
        // Also after it was written anew, when a link takes its place.
        let mut real = GrowingFile::new(&path, ReadOptions::default()).refusing_links();
        assert!(matches!(real.poll(&mut sink), Ok(Growth::Read(_))));
        std::fs::write(&path, "op,start,end,bytes\n").expect("room");
        assert!(matches!(real.poll(&mut sink), Ok(Growth::Cut)));
        std::fs::rename(&path, folder.path().join("aside")).expect("there");
        std::os::unix::fs::symlink(folder.path().join("aside"), &path).expect("room");
        assert!(real.poll(&mut sink).is_err());
    }
}
