//! Extended tracing: single requests.

use super::bytes::{ByteOrder, text};
use super::log::{DxtRecord, DxtTable};
use super::module::Module;
use super::names::NameTable;
use super::region::Region;
use crate::error::ErrorKind;
use iotempo_model::Op;
use std::io::{Read, Seek};

/// Length of the header before a record's segments.
const HEADER: usize = 104;

/// How segments lie on disk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct SegmentShape {
    size: usize,
    offsets_known: bool,
}

impl SegmentShape {
    /// `None`: no such version yet.
    pub(crate) const fn of(module: Module, version: u32) -> Option<Self> {
        let (size, offsets_known) = match (module, version) {
            (Module::DxtPosix, 1) | (Module::DxtMpiio, 2) => (32, true),
            // Version 1 of DXT_MPIIO recorded offsets that mean nothing.
            (Module::DxtMpiio, 1) => (32, false),
            // A thread id was appended.
            (Module::DxtPosix, 2) | (Module::DxtMpiio, 3) => (40, true),
            _ => return None,
        };
        Some(Self {
            size,
            offsets_known,
        })
    }

    /// Segments of `bytes`, one after the other.
    fn segments(self, bytes: &[u8], order: ByteOrder) -> impl Iterator<Item = Segment> + '_ {
        bytes.chunks_exact(self.size).map(move |segment| Segment {
            offset: if self.offsets_known {
                order.i64(segment)
            } else {
                -1
            },
            length: order.i64(&segment[8..]),
            start: order.f64(&segment[16..]),
            end: order.f64(&segment[24..]),
            thread: if self.size == 40 {
                Some(order.u64(&segment[32..]))
            } else {
                None
            },
        })
    }
}

/// One request.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Segment {
    /// Offset in the file; −1 where it is not known.
    pub offset: i64,
    /// Length in bytes.
    pub length: i64,
    /// Start in seconds since the job began.
    pub start: f64,
    /// End in seconds since the job began.
    pub end: f64,
    /// The thread, where the version records it.
    pub thread: Option<u64>,
}

/// Takes the parts of a DXT region as they come; each method answers whether to go on.
pub(crate) trait DxtVisitor {
    /// A record begins.
    fn record(&mut self, record: &DxtRecord) -> bool;
    /// Some of its segments, in order.
    fn segments(&mut self, op: Op, segments: impl Iterator<Item = Segment>) -> bool;
}

/// Reads records and their segments, however many there are, in bounded memory.
pub(crate) fn read<R: Read + Seek>(
    region: &mut Region<'_, R>,
    shape: SegmentShape,
    order: ByteOrder,
    names: &NameTable,
    visitor: &mut impl DxtVisitor,
) {
    let mut first = 0;
    let mut checked = 0;
    while region.has(HEADER) {
        if region.position() >= checked {
            match check_stream(region, shape, order, names) {
                Ok(sound) => checked = region.position() + sound,
                Err(kind) => return region.refuse(kind),
            }
        }
        let record = match header(region.bytes(), order, first) {
            Ok(record) => record,
            Err(kind) => return region.refuse(kind),
        };
        region.consume(HEADER);
        if !visitor.record(&record) {
            return;
        }
        for (op, count) in [(Op::Write, record.writes), (Op::Read, record.reads)] {
            if !read_segments(region, shape, order, op, count, visitor) {
                return;
            }
        }
        first += (record.writes + record.reads) as usize;
    }
    if region.damage().is_none() && !region.bytes().is_empty() {
        region.refuse(ErrorKind::UnexpectedEnd("a record's header"));
    }
}

/// Hands out `count` segments as they become available; `false` ends the reading.
fn read_segments<R: Read + Seek>(
    region: &mut Region<'_, R>,
    shape: SegmentShape,
    order: ByteOrder,
    op: Op,
    count: u64,
    visitor: &mut impl DxtVisitor,
) -> bool {
    let mut left = count;
    while left > 0 {
        let at_hand = region.has(shape.size);
        let in_stream = region.stream_end().unwrap_or(region.bytes().len());
        let available = (in_stream / shape.size) as u64;
        if !at_hand || available == 0 {
            if region.damage().is_none() {
                region.refuse(ErrorKind::Invalid {
                    what: format!("{count} {op}s do not fit in their stream: missing").into(),
                    value: left.to_string(),
                });
            }
            return false;
        }
        let len = available.min(left) as usize * shape.size;
        if !visitor.segments(op, shape.segments(&region.bytes()[..len], order)) {
            return false;
        }
        region.consume(len);
        left -= (len / shape.size) as u64;
    }
    true
}

fn header(bytes: &[u8], order: ByteOrder, first: usize) -> Result<DxtRecord, ErrorKind> {
    let (writes, reads) = counts(bytes, order)?;
    Ok(DxtRecord {
        id: order.u64(bytes),
        rank: order.i64(&bytes[8..]),
        hostname: text(&bytes[24..88]),
        writes,
        reads,
        first,
    })
}

/// How many writes and reads follow a header. No log has 2⁴⁸ of them, and with less their size in
/// bytes fits in 64 bits.
fn counts(bytes: &[u8], order: ByteOrder) -> Result<(u64, u64), ErrorKind> {
    let count = |at: usize, what: &'static str| {
        let value = order.i64(&bytes[at..]);
        u64::try_from(value)
            .ok()
            .filter(|&count| count < 1 << 48)
            .ok_or_else(|| ErrorKind::Invalid {
                what: what.into(),
                value: value.to_string(),
            })
    };
    Ok((
        count(88, "a number of writes cannot be")?,
        count(96, "a number of reads cannot be")?,
    ))
}

/// Hops from header to header to the end of the stream at hand, and answers its length.
///
/// Streams that Darshan writes hold whole records. Where the hops do not land on the end, and where
/// they go astray there is no id that has a name, segments have another size: a fork of Darshan
/// under an official version number, which would be read as nonsense. Where there is one, that
/// record lies about its segments; it and those before it can be read as far as they go.
fn check_stream<R: Read + Seek>(
    region: &mut Region<'_, R>,
    shape: SegmentShape,
    order: ByteOrder,
    names: &NameTable,
) -> Result<u64, ErrorKind> {
    let Some(len) = region.stream_end() else {
        return Ok(region.bytes().len() as u64);
    };
    let bytes = &region.bytes()[..len];
    let (mut at, len) = (0, len as u64);
    while at < len {
        let left = &bytes[at as usize..];
        let counts = (left.len() >= HEADER)
            .then(|| counts(left, order).ok())
            .flatten();
        let size = counts
            .map(|(writes, reads)| HEADER as u64 + (writes + reads) * shape.size as u64)
            .filter(|size| at + size <= len);
        match size {
            Some(size) => at += size,
            None if left.len() >= 8 && names.get(order.u64(left)).is_some() => break,
            None => {
                return Err(ErrorKind::Unsupported(format!(
                    "a stream of {len} bytes does not hold whole records with segments of {} \
                     bytes: written by a fork of Darshan, or under a wrong version number",
                    shape.size
                )));
            }
        }
    }
    Ok(len)
}

/// Gathers a region in memory.
impl DxtVisitor for DxtTable {
    fn record(&mut self, record: &DxtRecord) -> bool {
        self.records.push(DxtRecord {
            writes: 0,
            reads: 0,
            ..record.clone()
        });
        true
    }

    fn segments(&mut self, op: Op, segments: impl Iterator<Item = Segment>) -> bool {
        let before = self.lengths.len();
        for segment in segments {
            self.offsets.push(segment.offset);
            self.lengths.push(segment.length);
            self.starts.push(segment.start);
            self.ends.push(segment.end);
            self.threads.extend(segment.thread);
        }
        let count = (self.lengths.len() - before) as u64;
        if let Some(record) = self.records.last_mut() {
            match op {
                Op::Write => record.writes += count,
                Op::Read => record.reads += count,
            }
        }
        true
    }
}

impl DxtTable {
    /// Shows the table to a visitor as if it were being read.
    pub(crate) fn visit(&self, visitor: &mut impl DxtVisitor) {
        for record in &self.records {
            let writes_end = record.first + record.writes as usize;
            let reads_end = writes_end + record.reads as usize;
            let go_on = visitor.record(record)
                && visitor.segments(Op::Write, self.run(record.first..writes_end))
                && visitor.segments(Op::Read, self.run(writes_end..reads_end));
            if !go_on {
                return;
            }
        }
    }

    fn run(&self, range: std::ops::Range<usize>) -> impl Iterator<Item = Segment> + '_ {
        range.map(|index| Segment {
            offset: self.offsets[index],
            length: self.lengths[index],
            start: self.starts[index],
            end: self.ends[index],
            thread: self.threads.get(index).copied(),
        })
    }
}
