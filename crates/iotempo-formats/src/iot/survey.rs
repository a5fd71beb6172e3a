//! The first walk through a log: its names, and which layer saw which file.

use super::chunks::{self, Extent, Slot};
use super::header::Header;
use super::ring::{self, Loss, Taken};
use super::transfer::{self, Read as Found, Transfer};
use crate::error::{Error, Place};
use crate::input::ReadSeek;
use crate::reading::Section;
use iotempo_model::wire::record_flag::BENEATH_MPI;
use iotempo_model::wire::{HEADER_SIZE, Record, flag, kind, note};
use iotempo_model::{Api, FileId, FileTable, RequestSink};
use std::collections::{HashMap, HashSet};
use std::io::{Read, SeekFrom};

/// The layers of a log, in the order in which they are shown.
pub(super) const LAYERS: [(Api, &str); 4] = [
    (Api::Posix, "POSIX"),
    (Api::MpiIo, "MPI-IO"),
    (Api::Stdio, "STDIO"),
    (Api::Unknown, "MMAP"),
];

/// What one layer moved.
#[derive(Debug, Clone, Copy, Default)]
struct Layer {
    records: u64,
    requests: u64,
    /// Read and written.
    bytes: [f64; 2],
}

/// What was counted in all logs.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Counts {
    layers: [Layer; 4],
    /// Maps, rings and asynchronous I/O: how many, by [`note`].
    pub(super) notes: [u64; note::COUNT],
    /// Bytes that were mapped.
    pub(super) mapped: f64,
    /// Records with values that cannot be.
    pub(super) impossible: u64,
    /// Records that stand for several requests, and for how many.
    pub(super) coalesced: (u64, u64),
}

/// What is known of all logs together.
#[derive(Debug, Default)]
pub(super) struct Totals {
    pub(super) counts: Counts,
    /// The names of all files, each of them once.
    names: FileTable,
    /// By number in `names`: the sink's own.
    ids: Vec<FileId>,
    /// Files that libraries of MPI moved bytes of by POSIX.
    beneath: HashSet<FileId>,
    /// Files that were seen by MPI-IO.
    mpiio: HashSet<FileId>,
    /// How often asynchronous I/O was asked for, by file.
    asynchronous: HashMap<FileId, u64>,
}

/// One log, after its first walk.
pub(super) struct Log {
    /// Which part of the input it is.
    pub(super) part: usize,
    pub(super) header: Header,
    /// By number.
    pub(super) files: HashMap<u32, FileId>,
    pub(super) extent: Extent,
    /// Bytes that it moved.
    pub(super) moved: u64,
    /// Records of requests.
    pub(super) requests: u64,
    /// What a ring has written over.
    pub(super) loss: Option<Loss>,
}

/// Which layers saw the files of one log, by their numbers there.
#[derive(Default)]
struct Seen {
    beneath: HashSet<u32>,
    mpiio: HashSet<u32>,
    asynchronous: HashMap<u32, u64>,
}

impl Seen {
    fn add(&mut self, transfer: &Transfer) {
        match transfer.api {
            Api::Posix if transfer.beneath_mpi && transfer.bytes > 0 => {
                self.beneath.insert(transfer.file)
            }
            Api::MpiIo => self.mpiio.insert(transfer.file),
            _ => false,
        };
    }

    fn note(&mut self, record: &Record) {
        if record.op == note::AIO && record.flags & BENEATH_MPI != 0 {
            *self.asynchronous.entry(record.file).or_default() += 1;
        }
    }
}

impl Counts {
    fn add(&mut self, transfer: &Transfer) {
        let place = LAYERS.iter().position(|(api, _)| *api == transfer.api);
        let layer = &mut self.layers[place.unwrap_or(3)];
        layer.records += 1;
        layer.requests += transfer.count;
        layer.bytes[transfer.op as usize] += transfer.bytes as f64;
        if transfer.count > 1 {
            self.coalesced.0 += 1;
            self.coalesced.1 += transfer.count;
        }
    }

    fn note(&mut self, record: &Record) {
        let Some(count) = self.notes.get_mut(usize::from(record.op)) else {
            return;
        };
        *count += 1;
        if record.op == note::MMAP {
            self.mapped += record.bytes as f64;
        }
    }
}

impl Totals {
    /// The layer that saw all that MPI-IO moved of a file: POSIX, but for files that it did not see, and
    /// where MPI libraries used asynchronous I/O, which moves bytes unseen.
    pub(super) fn layer_of_mpi(&self, file: FileId) -> Api {
        if self.beneath.contains(&file) && !self.is_hidden(file) {
            Api::Posix
        } else {
            Api::MpiIo
        }
    }

    /// Notes of asynchronous I/O whose bytes MPI-IO saw.
    pub(super) fn seen_asynchronous(&self) -> u64 {
        let seen = self.asynchronous.iter();
        let seen = seen.filter(|(file, _)| self.mpiio.contains(*file));
        seen.map(|(_, calls)| calls).sum()
    }

    /// Whether MPI-IO was seen at all.
    pub(super) fn has_mpiio(&self) -> bool {
        self.counts.layers[1].records > 0
    }

    fn is_hidden(&self, file: FileId) -> bool {
        self.asynchronous.contains_key(&file)
    }

    /// The layers that were seen.
    pub(super) fn sections(&self) -> Vec<Section> {
        let seen = LAYERS.iter().zip(&self.counts.layers);
        seen.filter(|(_, layer)| layer.records > 0)
            .map(|((_, name), layer)| Section {
                name: (*name).to_owned(),
                records: layer.records,
                requests: Some(layer.requests),
                bytes_read: Some(layer.bytes[0]),
                bytes_written: Some(layer.bytes[1]),
                ..Section::default()
            })
            .collect()
    }

    /// The sink's id of a file, asked for once.
    pub(super) fn file(&mut self, name: &[u8], sink: &mut dyn RequestSink) -> FileId {
        let name = String::from_utf8_lossy(name);
        let number = self.names.intern(&name).0 as usize;
        if number == self.ids.len() {
            self.ids.push(sink.file(&name));
        }
        self.ids[number]
    }

    /// Takes over which layers saw the files of a log.
    fn learn(&mut self, seen: &Seen, files: &HashMap<u32, FileId>) {
        let named = |file: &u32| files.get(file).copied();
        self.beneath.extend(seen.beneath.iter().filter_map(named));
        self.mpiio.extend(seen.mpiio.iter().filter_map(named));
        for (file, calls) in &seen.asynchronous {
            if let Some(file) = named(file) {
                *self.asynchronous.entry(file).or_default() += calls;
            }
        }
    }
}

/// The first page of a log.
pub(super) fn header(bytes: &mut dyn ReadSeek) -> Result<Header, Error> {
    let failed = |error| Error::new("", Place::Byte(0), error);
    bytes.seek(SeekFrom::Start(0)).map_err(failed)?;
    let mut page = Vec::with_capacity(HEADER_SIZE);
    let read = bytes.take(HEADER_SIZE as u64).read_to_end(&mut page);
    read.map_err(failed)?;
    Header::read(&page)
}

/// Walks through a log for the first time; again where its program wrote to it meanwhile, because
/// only then a record may be later than the header knows.
pub(super) fn survey(
    part: usize,
    bytes: &mut dyn ReadSeek,
    totals: &mut Totals,
    sink: &mut dyn RequestSink,
) -> Result<Log, Error> {
    let before = totals.counts;
    let first = header(bytes)?;
    let walked = Walked::new(&first, bytes, totals, sink)?;
    let later = header(bytes)?;
    let (header, walked) = if first.has_moved(&later) {
        totals.counts = before;
        let header = later.while_it_grows();
        let walked = Walked::new(&header, bytes, totals, sink)?;
        (header, walked)
    } else {
        (first, walked)
    };
    totals.learn(&walked.seen, &walked.files);
    Ok(Log {
        loss: ring::loss(&walked.chunks, &header),
        part,
        header,
        files: walked.files,
        extent: walked.extent,
        moved: walked.moved,
        requests: walked.requests,
    })
}

/// What a walk through the chunks of a log found.
#[derive(Default)]
struct Walked {
    files: HashMap<u32, FileId>,
    seen: Seen,
    moved: u64,
    requests: u64,
    extent: Extent,
    /// Those of a ring.
    chunks: Vec<Taken>,
}

impl Walked {
    /// Walks from where the header ends.
    fn new(
        header: &Header,
        bytes: &mut dyn ReadSeek,
        totals: &mut Totals,
        sink: &mut dyn RequestSink,
    ) -> Result<Self, Error> {
        let mut walked = Self::default();
        let mut take = |slot: Slot<'_>| {
            match slot {
                Slot::Name { file, name } => {
                    walked.files.insert(file, totals.file(name, sink));
                }
                Slot::Chunk(taken) if header.has(flag::RING) => walked.chunks.push(taken),
                Slot::Chunk(_) => {}
                Slot::Record(record) if record.kind == kind::THREAD => {
                    walked.hand_over(record.bytes);
                }
                Slot::Record(record) => walked.record(&record, header, &mut totals.counts),
            }
            Ok(())
        };
        let extent = chunks::for_each(&mut *bytes, u64::MAX, &mut take)
            .map_err(|error| Error::new("", Place::Whole, error))?;
        Ok(Self { extent, ..walked })
    }

    /// Another thread goes on with the chunk.
    fn hand_over(&mut self, thread: u64) {
        if let (Some(chunk), Ok(thread)) = (self.chunks.last_mut(), u32::try_from(thread)) {
            chunk.last_thread = thread;
        }
    }

    fn record(&mut self, record: &Record, header: &Header, counts: &mut Counts) {
        if record.kind == kind::NOTE {
            counts.note(record);
            self.seen.note(record);
            return;
        }
        match transfer::read(record, header) {
            Found::Transfer(transfer) => {
                counts.add(&transfer);
                self.requests += 1;
                self.moved = self.moved.saturating_add(transfer.bytes);
                self.seen.add(&transfer);
            }
            Found::Impossible => counts.impossible += 1,
            Found::Other => {}
        }
    }
}
