//! A log as it is written: region after region, in bounded memory.

use super::super::MAGIC;
use super::super::bytes::ByteOrder;
use super::super::dxt::Segment;
use super::super::header::{Compression, Extent, LogVersion};
use super::super::log::JobRecord;
use super::super::module::Module;
use super::super::reader::module_name;
use super::dxt::{DxtHead, encode_segment, has_threads};
use super::error::WriteError;
use super::job;
use super::put::Put;
use super::record::Record;
use super::versions::slot;
use bzip2::write::BzEncoder;
use flate2::write::ZlibEncoder;
use std::io::{Seek, SeekFrom, Write};

/// Encoded bytes that are gathered before they are compressed.
const CHUNK: usize = 64 << 10;

/// What holds for a whole log.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LogFormat {
    /// The version of the format.
    pub version: LogVersion,
    /// The order of the bytes of a number.
    pub order: ByteOrder,
    /// How regions are compressed.
    pub compression: Compression,
}

/// Writes a log of any size: [`LogStream::job`], [`LogStream::names`], then a
/// [`LogStream::module`] after the other, each followed by its [`LogStream::stream`]s.
/// [`LogStream::finish`] puts their places into the header.
#[derive(Debug)]
pub struct LogStream<W> {
    out: W,
    format: LogFormat,
    partial: u64,
    names: Extent,
    slots: Vec<(Extent, u32)>,
    open: Part,
    begun_at: u64,
}

/// What the region being written holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Part {
    Job,
    Names,
    Module { id: u32, slot: usize },
}

impl<W: Write + Seek> LogStream<W> {
    /// Leaves room for the header at the start of `out`.
    ///
    /// # Errors
    /// Where `out` does not take it.
    pub fn new(mut out: W, format: LogFormat) -> Result<Self, WriteError> {
        let header = format.version.header_size();
        out.seek(SeekFrom::Start(0))?;
        out.write_all(&vec![0; header as usize])?;
        Ok(Self {
            out,
            format,
            partial: 0,
            names: Extent::default(),
            slots: vec![(Extent::default(), 0); format.version.slots()],
            open: Part::Job,
            begun_at: header,
        })
    }

    /// Writes the job, which comes first.
    ///
    /// # Errors
    /// Where its metadata is too long, or `out` does not take it.
    pub fn job(&mut self, job: &JobRecord) -> Result<(), WriteError> {
        self.job_with_text(job, &job::text(self.format.version, job))
    }

    /// Writes the job with `text` in the place of its command line and mounts, as it stands.
    ///
    /// # Errors
    /// Where its metadata is too long, or `out` does not take it.
    pub fn job_with_text(&mut self, job: &JobRecord, text: &[u8]) -> Result<(), WriteError> {
        let format = self.format;
        self.stream(|stream| {
            job::encode(&mut stream.put, format.version, job)?;
            stream.put.bytes.extend_from_slice(text);
            if format.compression == Compression::None {
                job::pad_mapped(&mut stream.put);
            }
            Ok(())
        })
    }

    /// Begins the region of the names.
    ///
    /// # Errors
    /// Where `out` does not take what came before.
    pub fn names(&mut self) -> Result<(), WriteError> {
        self.begin(Part::Names)
    }

    /// Begins the region of a module, whose number is that of log version 3.41.
    ///
    /// # Errors
    /// Where a log of this version cannot carry it.
    pub fn module(&mut self, id: u32, version: u32) -> Result<(), WriteError> {
        let slot = self.slot(id)?;
        self.begin(Part::Module { id, slot })?;
        self.slots[slot].1 = version;
        Ok(())
    }

    /// Says that a module ran out of memory and dropped records, whether or not it has a region.
    ///
    /// # Errors
    /// Where a log of this version cannot carry it.
    pub fn partial(&mut self, id: u32) -> Result<(), WriteError> {
        self.partial |= 1 << self.slot(id)?;
        Ok(())
    }

    fn slot(&self, id: u32) -> Result<usize, WriteError> {
        let log = self.format.version;
        slot(log, id).ok_or(WriteError::NoSuchModule { log, module: id })
    }

    /// Ends the open region and begins another.
    fn begin(&mut self, part: Part) -> Result<(), WriteError> {
        let at = self.out.stream_position()?;
        let extent = Extent {
            offset: self.begun_at,
            len: at - self.begun_at,
        };
        match self.open {
            // Its place is known from the header's length and what follows.
            Part::Job => {}
            Part::Names => self.names = extent,
            Part::Module { slot, .. } => self.slots[slot].0 = extent,
        }
        (self.open, self.begun_at) = (part, at);
        Ok(())
    }

    /// Writes one compressed stream of the open region: what one rank has to say.
    ///
    /// # Errors
    /// What `fill` answers, and where `out` does not take it.
    pub fn stream(
        &mut self,
        fill: impl FnOnce(&mut Stream<'_>) -> Result<(), WriteError>,
    ) -> Result<(), WriteError> {
        let version = match self.open {
            Part::Module { slot, .. } => self.slots[slot].1,
            _ => 0,
        };
        let (format, part) = (self.format, self.open);
        let run = |out: &mut dyn Write| {
            let mut stream = Stream {
                out,
                put: Put::new(format.order),
                log: format.version,
                part,
                version,
            };
            fill(&mut stream)?;
            stream.flush(0)
        };
        match format.compression {
            Compression::Zlib => {
                let mut encoder = ZlibEncoder::new(&mut self.out, flate2::Compression::default());
                run(&mut encoder)?;
                encoder.finish()?;
            }
            Compression::Bzip2 => {
                let mut encoder = BzEncoder::new(&mut self.out, bzip2::Compression::best());
                run(&mut encoder)?;
                encoder.finish()?;
            }
            Compression::None => run(&mut self.out)?,
        }
        Ok(())
    }

    /// Writes the header and gives back the output.
    ///
    /// # Errors
    /// Where `out` does not take it.
    pub fn finish(mut self) -> Result<W, WriteError> {
        self.begin(Part::Job)?;
        let header = self.header();
        self.out.seek(SeekFrom::Start(0))?;
        self.out.write_all(&header)?;
        self.out.seek(SeekFrom::End(0))?;
        self.out.flush()?;
        Ok(self.out)
    }

    fn header(&self) -> Vec<u8> {
        let mut put = Put::new(self.format.order);
        put.text(self.format.version.name(), 8);
        put.i64(MAGIC);
        put.bytes.push(self.format.compression as u8);
        if self.format.version < LogVersion::V341 {
            put.zeros(3);
            put.u32(self.partial as u32);
        } else {
            put.zeros(7);
            put.u64(self.partial);
        }
        let extents = self.slots.iter().map(|(extent, _)| extent);
        for extent in std::iter::once(&self.names).chain(extents) {
            put.u64(extent.offset);
            put.u64(extent.len);
        }
        for (_, version) in &self.slots {
            put.u32(*version);
        }
        put.bytes
    }
}

/// One compressed stream, open for records.
pub struct Stream<'a> {
    out: &'a mut dyn Write,
    put: Put,
    log: LogVersion,
    part: Part,
    version: u32,
}

impl Stream<'_> {
    /// Adds a name to the region of the names.
    ///
    /// # Errors
    /// Where the output does not take it.
    pub fn name(&mut self, id: u64, name: &[u8]) -> Result<(), WriteError> {
        self.put.u64(id);
        if self.log == LogVersion::V300 {
            self.put.u32(name.len() as u32);
            self.put.bytes.extend_from_slice(name);
        } else {
            self.put.bytes.extend_from_slice(name);
            self.put.bytes.push(0);
        }
        self.flush(CHUNK)
    }

    /// Adds a record to the region of its module.
    ///
    /// # Errors
    /// Where it does not belong there, names a counter that the version does not have, or the
    /// output does not take it.
    pub fn record(&mut self, record: &Record) -> Result<(), WriteError> {
        self.expect(record.module())?;
        record.encode(&mut self.put, self.version)?;
        self.flush(CHUNK)
    }

    /// Adds requests as they are generated, so that none needs to be held.
    ///
    /// # Errors
    /// Where the region is not that of `module`, or the output does not take it.
    pub fn dxt(
        &mut self,
        module: Module,
        head: DxtHead<'_>,
        writes: impl ExactSizeIterator<Item = Segment>,
        reads: impl ExactSizeIterator<Item = Segment>,
    ) -> Result<(), WriteError> {
        self.expect(module)?;
        let threads = has_threads(module, self.version)?;
        head.encode(&mut self.put, writes.len() as u64, reads.len() as u64);
        for segment in writes.chain(reads) {
            encode_segment(&mut self.put, &segment, threads);
            self.flush(CHUNK)?;
        }
        Ok(())
    }

    /// Adds bytes as they are.
    ///
    /// # Errors
    /// Where the output does not take them.
    pub fn bytes(&mut self, bytes: &[u8]) -> Result<(), WriteError> {
        self.put.bytes.extend_from_slice(bytes);
        self.flush(CHUNK)
    }

    fn expect(&self, module: Module) -> Result<(), WriteError> {
        match self.part {
            Part::Module { id, .. } if id == module as u32 => Ok(()),
            Part::Module { id, .. } => Err(WriteError::WrongRegion {
                record: module,
                region: module_name(id),
            }),
            Part::Job | Part::Names => Err(WriteError::WrongRegion {
                record: module,
                region: "the job or the names".to_owned(),
            }),
        }
    }

    /// Hands on what was gathered once it is more than `room`.
    fn flush(&mut self, room: usize) -> Result<(), WriteError> {
        if self.put.bytes.len() > room {
            self.out.write_all(&self.put.bytes)?;
            self.put.bytes.clear();
        }
        Ok(())
    }
}
