//! The SHA-256 of inputs, by which a result names what it was made from.

use sha2::{Digest, Sha256};
use std::fmt::Write;
use std::fs::File;
use std::io::{self, Read};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

/// The digest of everything in `bytes`.
pub(crate) fn of(bytes: impl Read) -> io::Result<String> {
    let mut hasher = Sha256::new();
    add(&mut hasher, bytes)?;
    Ok(hex(hasher))
}

/// The digest of files one after the other.
pub(crate) fn of_files(paths: &[PathBuf]) -> io::Result<String> {
    let mut hasher = Sha256::new();
    for path in paths {
        add(&mut hasher, File::open(path)?)?;
    }
    Ok(hex(hasher))
}

fn add(hasher: &mut Sha256, mut bytes: impl Read) -> io::Result<()> {
    let mut buffer = vec![0; 256 << 10];
    loop {
        match bytes.read(&mut buffer) {
            Ok(0) => return Ok(()),
            Ok(read) => hasher.update(&buffer[..read]),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}

fn hex(hasher: Sha256) -> String {
    let mut text = String::with_capacity(64);
    for byte in hasher.finalize() {
        // Writing to a string never fails.
        let _ = write!(text, "{byte:02x}");
    }
    text
}

/// A stream that is hashed while somebody else reads it.
pub(crate) struct Hashed<R> {
    shared: Arc<Mutex<Shared<R>>>,
}

struct Shared<R> {
    bytes: R,
    hasher: Sha256,
}

impl<R: Read> Hashed<R> {
    pub(crate) fn new(bytes: R) -> Self {
        let hasher = Sha256::new();
        Self {
            shared: Arc::new(Mutex::new(Shared { bytes, hasher })),
        }
    }

    /// The same stream, for whoever reads it.
    pub(crate) fn reader(&self) -> Self {
        Self {
            shared: self.shared.clone(),
        }
    }

    /// The digest of the whole stream; what nobody has read yet is read now.
    pub(crate) fn finish(mut self) -> io::Result<String> {
        io::copy(&mut self, &mut io::sink())?;
        let shared = self.shared.lock().unwrap_or_else(PoisonError::into_inner);
        Ok(hex(shared.hasher.clone()))
    }
}

impl<R: Read> Read for Hashed<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let mut shared = self.shared.lock().unwrap_or_else(PoisonError::into_inner);
        let read = shared.bytes.read(buffer)?;
        shared.hasher.update(&buffer[..read]);
        Ok(read)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// FIPS 180-2, appendix B.1.
    const ABC: &str = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

    #[test]
    fn the_digest_is_that_of_the_standard() {
        assert_eq!(of(&b"abc"[..]).expect("in memory"), ABC);
    }

    #[test]
    fn a_stream_that_was_read_in_part_is_hashed_whole() {
        let stream = Hashed::new(&b"abc"[..]);
        let mut reader = stream.reader();
        reader.read_exact(&mut [0]).expect("one byte");
        assert_eq!(stream.finish().expect("in memory"), ABC);
    }
}
