//! How much a compressed file may become.

use std::io::{self, BufRead, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// The most bytes that `compressed` ones may decompress to. gzip expands 1032 times at most, bzip2
/// over 10,000 times, and no log or table of anybody nearly as much.
pub(crate) fn budget(compressed: u64) -> u64 {
    compressed.saturating_mul(1100).max(64 << 20)
}

/// A decompressor that stops where it has made far more than it was given.
pub(crate) struct Budgeted<D> {
    decoder: D,
    taken: Arc<AtomicU64>,
    made: u64,
}

/// What a decompressor reads from, and how much it has taken.
pub(crate) struct Counted {
    bytes: Box<dyn BufRead + Send>,
    taken: Arc<AtomicU64>,
}

impl<D> Budgeted<D> {
    /// Reads `bytes` through a decoder.
    pub(crate) fn new(bytes: Box<dyn BufRead + Send>, decoder: impl FnOnce(Counted) -> D) -> Self {
        let taken = Arc::new(AtomicU64::new(0));
        let counted = Counted {
            bytes,
            taken: Arc::clone(&taken),
        };
        Self {
            decoder: decoder(counted),
            taken,
            made: 0,
        }
    }
}

impl BufRead for Counted {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.bytes.fill_buf()
    }

    fn consume(&mut self, count: usize) {
        self.bytes.consume(count);
        self.taken.fetch_add(count as u64, Ordering::Relaxed);
    }
}

impl Read for Counted {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.bytes.read(buffer)?;
        self.taken.fetch_add(read as u64, Ordering::Relaxed);
        Ok(read)
    }
}

impl<D: Read> Read for Budgeted<D> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let budget = budget(self.taken.load(Ordering::Relaxed));
        if self.made > budget {
            let message = format!("it decompresses to more than {budget} bytes");
            return Err(io::Error::other(message));
        }
        let read = self.decoder.read(buffer)?;
        self.made += read as u64;
        Ok(read)
    }
}
