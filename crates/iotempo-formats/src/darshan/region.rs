//! The decompressed bytes of a region, handed out only after their checksum was met.

use super::header::{Compression, Extent};
use crate::error::{Error, ErrorKind, Place};
use flate2::{Decompress, FlushDecompress};
use iotempo_model::counted;
use std::cell::Cell;
use std::io::{Read, Seek, SeekFrom};

/// Compressed bytes read at a time, and room made for decompressed ones.
const CHUNK: usize = 64 << 10;

/// A stream longer than this is handed out before its end: its checksum comes too late. Ranks write
/// streams of a few MiB; only `darshan-convert` makes longer ones.
const HOLD_BACK: usize = 16 << 20;

/// Memory that regions, and logs, use one after the other: fresh pages for each cost more than
/// reading it. A thread keeps what its last log used, which is some [`HOLD_BACK`] at most.
pub(crate) struct Scratch {
    compressed: Vec<u8>,
    bytes: Vec<u8>,
    inflate: Decompress,
}

thread_local! {
    static SPARE: Cell<Option<Scratch>> = const { Cell::new(None) };
}

impl Scratch {
    /// The spare one of this thread, or a new one.
    pub(crate) fn take() -> Self {
        SPARE.take().unwrap_or_else(|| Self {
            compressed: Vec::new(),
            bytes: Vec::new(),
            inflate: Decompress::new(true),
        })
    }

    /// Keeps it for the next log.
    pub(crate) fn keep(self) {
        if self.bytes.len() <= 4 * HOLD_BACK {
            SPARE.set(Some(self));
        }
    }
}

/// Reads one region: concatenated streams, one after the other.
///
/// Darshan's own library returns records whose checksum fails a moment later. Here the bytes of a
/// stream can be had only once the stream has ended well; where the file ends inside a stream, what
/// came before the end can be had; of one that is damaged, nothing, because the damage may be
/// anywhere in it. A stream that does not end where its region does is damaged too: a flipped bit
/// can hide its end.
pub(crate) struct Region<'a, R> {
    log: &'a mut R,
    section: String,
    codec: Codec<'a>,
    /// The next byte of the file to read, and where the region ends.
    at: u64,
    end: u64,
    compressed: &'a mut Vec<u8>,
    used: usize,
    /// Decompressed bytes: `..start` were consumed, `start..sound` can be had, `sound..filled`
    /// wait for their checksum, and the rest is room that was zeroed once.
    bytes: &'a mut Vec<u8>,
    start: usize,
    sound: usize,
    filled: usize,
    /// Decompressed bytes dropped from the front of `bytes`.
    dropped: u64,
    /// Where in `bytes` streams ended that were not asked for yet.
    stream_ends: Vec<usize>,
    limit: u64,
    /// Whether the file ends before the region does.
    cut_off: bool,
    damage: Option<Error>,
    done: bool,
}

enum Codec<'a> {
    Zlib {
        inflate: &'a mut Decompress,
        open: bool,
    },
    Bzip2(Option<Box<bzip2::Decompress>>),
    None,
}

/// What became of one call into a codec.
struct Step {
    used: usize,
    made: usize,
    /// Whether the stream goes on.
    open: bool,
}

impl Step {
    fn between(before: (u64, u64), after: (u64, u64), open: bool) -> Self {
        Self {
            used: (after.0 - before.0) as usize,
            made: (after.1 - before.1) as usize,
            open,
        }
    }
}

impl<'a, R: Read + Seek> Region<'a, R> {
    /// A region that lies partly or wholly beyond the end of the file is damaged, and what is there
    /// is read.
    pub(crate) fn new(
        log: &'a mut R,
        scratch: &'a mut Scratch,
        section: impl Into<String>,
        compression: Compression,
        extent: Extent,
        file_len: u64,
        limit: u64,
    ) -> Self {
        let codec = match compression {
            Compression::Zlib => Codec::Zlib {
                inflate: &mut scratch.inflate,
                open: false,
            },
            Compression::Bzip2 => Codec::Bzip2(None),
            Compression::None => Codec::None,
        };
        let mut region = Self {
            log,
            section: section.into(),
            codec,
            at: extent.offset,
            end: extent.offset.saturating_add(extent.len).min(file_len),
            compressed: &mut scratch.compressed,
            used: 0,
            bytes: &mut scratch.bytes,
            start: 0,
            sound: 0,
            filled: 0,
            dropped: 0,
            stream_ends: Vec::new(),
            limit,
            cut_off: extent.len > file_len.saturating_sub(extent.offset),
            damage: None,
            done: false,
        };
        region.compressed.clear();
        if region.cut_off {
            region.note_short_file(extent, file_len);
        }
        region
    }

    fn note_short_file(&mut self, extent: Extent, file_len: u64) {
        let what = format!(
            "it is said to hold {} from byte {} on, but the file ends at byte",
            counted(extent.len, "byte"),
            extent.offset
        );
        let place = Place::Byte(extent.offset);
        self.damage = Some(Error::invalid(self.section.clone(), place, what, file_len));
        self.done |= extent.offset >= file_len;
    }

    /// Whether `wanted` bytes can be had, after reading as far as that takes.
    pub(crate) fn has(&mut self, wanted: usize) -> bool {
        while self.sound - self.start < wanted && !self.done {
            self.advance();
        }
        self.sound - self.start >= wanted
    }

    /// The bytes that can be had without reading on.
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.bytes[self.start..self.sound]
    }

    /// Gives back the first `count` of [`Region::bytes`].
    pub(crate) fn consume(&mut self, count: usize) {
        self.start += count;
    }

    /// Offset of the next byte within the decompressed region.
    pub(crate) fn position(&self) -> u64 {
        self.dropped + self.start as u64
    }

    /// Where the stream ends that the next byte belongs to, counted from that byte; `None` where
    /// its end was not reached yet.
    pub(crate) fn stream_end(&mut self) -> Option<usize> {
        self.stream_ends.retain(|&end| end > self.start);
        self.stream_ends.first().map(|end| end - self.start)
    }

    /// What went wrong, if anything did. Ask when [`Region::has`] said no.
    pub(crate) fn damage(&self) -> Option<&Error> {
        self.damage.as_ref()
    }

    /// Ends the region at the next byte, because what is there cannot be.
    pub(crate) fn refuse(&mut self, kind: ErrorKind) {
        let place = Place::InflatedByte(self.position());
        self.damage = Some(Error::new(self.section.clone(), place, kind));
        self.done = true;
        self.sound = self.start;
    }

    /// The offset into the file that reading has come to.
    pub(crate) fn file_offset(&self) -> u64 {
        self.at - (self.compressed.len() - self.used) as u64
    }

    fn fail(&mut self, kind: impl Into<ErrorKind>) {
        let place = Place::Byte(self.file_offset());
        // A file that ends too early explains what follows from it.
        self.damage
            .get_or_insert_with(|| Error::new(self.section.clone(), place, kind));
        self.done = true;
    }

    /// One step of reading or decompressing.
    fn advance(&mut self) {
        self.compact();
        if self.used == self.compressed.len() && !self.refill() {
            return self.end_of_input();
        }
        self.make_room();
        let input = &self.compressed[self.used..];
        match self.codec.step(input, &mut self.bytes[self.filled..]) {
            Err(message) => {
                self.filled = self.sound;
                return self.fail(ErrorKind::Compression(message));
            }
            Ok(Step {
                used: 0,
                made: 0,
                open: true,
            }) => {
                return self.fail(ErrorKind::Compression("it makes no progress".to_owned()));
            }
            Ok(step) => {
                self.used += step.used;
                self.filled += step.made;
                if !step.open {
                    self.sound = self.filled;
                    self.stream_ends.push(self.sound);
                }
            }
        }
        if self.filled - self.sound > HOLD_BACK || matches!(self.codec, Codec::None) {
            self.sound = self.filled;
        }
        if self.dropped + self.filled as u64 > self.limit {
            let limit = self.limit;
            self.fail(ErrorKind::Budget {
                what: "a decompressed section",
                limit,
            });
        }
    }

    /// Room for one more chunk; it doubles, so that it is zeroed once and not per chunk.
    fn make_room(&mut self) {
        if self.bytes.len() - self.filled < CHUNK / 2 {
            let len = (2 * self.bytes.len()).max(CHUNK);
            self.bytes.resize(len, 0);
        }
    }

    /// Moves what is left to the front before more is appended.
    fn compact(&mut self) {
        if self.start > 0 {
            self.stream_ends.retain(|&end| end > self.start);
            for end in &mut self.stream_ends {
                *end -= self.start;
            }
            self.bytes.copy_within(self.start..self.filled, 0);
            self.dropped += self.start as u64;
            self.sound -= self.start;
            self.filled -= self.start;
            self.start = 0;
        }
    }

    fn refill(&mut self) -> bool {
        let wanted = (self.end - self.at.min(self.end)).min(CHUNK as u64);
        if wanted == 0 {
            return false;
        }
        self.compressed.clear();
        self.used = 0;
        let read = self
            .log
            .seek(SeekFrom::Start(self.at))
            .and_then(|_| self.log.by_ref().take(wanted).read_to_end(self.compressed));
        if let Err(error) = read {
            self.fail(error);
        }
        self.at += self.compressed.len() as u64;
        !self.compressed.is_empty()
    }

    /// Between two streams this is the end. Inside one, what it gave so far is as sound as it was
    /// when it was written if the file was cut off; else nobody knows.
    fn end_of_input(&mut self) {
        self.done = true;
        if self.codec.is_open() {
            if self.cut_off {
                self.sound = self.filled;
            }
            self.filled = self.sound;
            self.fail(ErrorKind::UnexpectedEnd("a compressed stream"));
        }
    }
}

impl Codec<'_> {
    /// Takes some of `input` and puts what it decompresses to into `output`.
    fn step(&mut self, input: &[u8], output: &mut [u8]) -> Result<Step, String> {
        match self {
            Self::None => {
                let len = input.len().min(output.len());
                output[..len].copy_from_slice(&input[..len]);
                Ok(Step {
                    used: len,
                    made: len,
                    open: true,
                })
            }
            Self::Zlib { inflate, open } => {
                if !*open {
                    inflate.reset(true);
                }
                let before = (inflate.total_in(), inflate.total_out());
                let status = inflate
                    .decompress(input, output, FlushDecompress::None)
                    .map_err(|error| error.to_string())?;
                *open = status != flate2::Status::StreamEnd;
                let after = (inflate.total_in(), inflate.total_out());
                Ok(Step::between(before, after, *open))
            }
            Self::Bzip2(stream) => {
                let decompress =
                    stream.get_or_insert_with(|| Box::new(bzip2::Decompress::new(false)));
                let before = (decompress.total_in(), decompress.total_out());
                let status = decompress
                    .decompress(input, output)
                    .map_err(|error| error.to_string())?;
                let after = (decompress.total_in(), decompress.total_out());
                let open = status != bzip2::Status::StreamEnd;
                if !open {
                    *stream = None;
                }
                Ok(Step::between(before, after, open))
            }
        }
    }

    fn is_open(&self) -> bool {
        match self {
            Self::Zlib { open, .. } => *open,
            Self::Bzip2(stream) => stream.is_some(),
            Self::None => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::write::ZlibEncoder;
    use std::io::{Cursor, Write};

    fn zlib(data: &[u8]) -> Vec<u8> {
        let mut encoder = ZlibEncoder::new(Vec::new(), flate2::Compression::default());
        encoder.write_all(data).expect("in memory");
        encoder.finish().expect("in memory")
    }

    fn read(file: Vec<u8>, limit: u64) -> (Vec<u8>, Option<String>) {
        let len = file.len() as u64;
        read_region(file, len, limit)
    }

    /// Reads a region that is said to be `len` bytes long.
    fn read_region(file: Vec<u8>, len: u64, limit: u64) -> (Vec<u8>, Option<String>) {
        let file_len = file.len() as u64;
        let mut log = Cursor::new(file);
        let extent = Extent { offset: 0, len };
        let mut scratch = Scratch::take();
        let section = "TEST";
        let mut region = Region::new(
            &mut log,
            &mut scratch,
            section,
            Compression::Zlib,
            extent,
            file_len,
            limit,
        );
        let mut all = Vec::new();
        while region.has(1) {
            let available = region.bytes().to_vec();
            region.consume(available.len());
            all.extend(available);
        }
        (all, region.damage().map(ToString::to_string))
    }

    #[test]
    fn concatenated_and_empty_streams_are_one_run_of_bytes() {
        let file = [zlib(b"one"), zlib(b""), zlib(b"two")].concat();
        assert_eq!(read(file, 1 << 20), (b"onetwo".to_vec(), None));
    }

    #[test]
    fn a_stream_with_a_bad_checksum_gives_nothing_and_those_before_it_all() {
        let mut bad = zlib(b"two");
        *bad.last_mut().expect("not empty") ^= 1;
        let (bytes, damage) = read([zlib(b"one"), bad].concat(), 1 << 20);
        assert_eq!(bytes, b"one");
        assert!(damage.expect("damage").starts_with("TEST, byte "));
    }

    #[test]
    fn a_file_that_ends_inside_a_stream_gives_what_came_before() {
        let data: Vec<u8> = (0..100_000_u32).flat_map(u32::to_le_bytes).collect();
        let mut file = zlib(&data);
        let len = file.len() as u64;
        file.truncate(file.len() / 2);
        let (bytes, damage) = read_region(file, len, 1 << 20);
        assert!(
            bytes.len() > 100_000 && data.starts_with(&bytes),
            "{}",
            bytes.len()
        );
        assert!(damage.expect("damage").contains("but the file ends"));
    }

    #[test]
    fn a_stream_that_does_not_end_where_its_region_does_gives_nothing() {
        let mut file = [zlib(b"one"), zlib(&[7; 1000])].concat();
        file.truncate(file.len() - 4);
        let (bytes, damage) = read(file, 1 << 20);
        assert_eq!(bytes, b"one");
        assert!(
            damage
                .expect("damage")
                .contains("ends inside a compressed stream")
        );
    }

    #[test]
    fn trailing_garbage_is_damage_after_the_data() {
        let (bytes, damage) = read([zlib(b"one"), b"garbage".to_vec()].concat(), 1 << 20);
        assert_eq!(bytes, b"one");
        assert!(
            damage
                .expect("damage")
                .contains("compressed data is damaged")
        );
    }

    #[test]
    fn a_bomb_stops_at_the_limit() {
        let (bytes, damage) = read(zlib(&vec![0; 4 << 20]), 1 << 20);
        assert!(bytes.len() <= (1 << 20) + CHUNK, "{}", bytes.len());
        assert!(damage.expect("damage").contains("more than 1048576 bytes"));
    }

    #[test]
    fn a_region_beyond_the_file_is_damaged() {
        let mut log = Cursor::new(zlib(b"one"));
        let extent = Extent {
            offset: 1 << 40,
            len: u64::MAX,
        };
        let mut scratch = Scratch::take();
        let mut region = Region::new(
            &mut log,
            &mut scratch,
            "TEST",
            Compression::Zlib,
            extent,
            11,
            1 << 20,
        );
        assert!(!region.has(1));
        assert!(region.damage().is_some());
    }
}
