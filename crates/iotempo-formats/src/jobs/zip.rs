//! A zip file with one log in it, read from first to last: archives of workloads hand such out.

use crate::budget::{Budgeted, Counted};
use crate::error::{Error, ErrorKind, Place};
use crate::input::Input;
use flate2::Crc;
use flate2::bufread::DeflateDecoder;
use std::io::{self, Read};

const MEMBER: &[u8] = b"PK\x03\x04";
const DESCRIPTOR: &[u8] = b"PK\x07\x08";

/// The input without the zip file that it may be wrapped in.
///
/// # Errors
/// Where it holds anything but one file that is compressed the common way, or its beginning is
/// damaged.
pub(super) fn unwrapped(input: Input) -> Result<Input, Error> {
    if !input.head().starts_with(MEMBER) {
        return Ok(input);
    }
    let mut bytes = input.into_reader();
    let header = Header::read(&mut bytes)?;
    let member = Budgeted::new(bytes, |counted| Member {
        decoder: DeflateDecoder::new(counted),
        crc: Crc::new(),
        header,
        done: false,
    });
    Input::stream(member).map_err(|error| {
        let kind = ErrorKind::Compression(error.to_string());
        Error::new("zip", Place::Byte(0), kind)
    })
}

/// What stands in front of a file in an archive.
struct Header {
    /// The checksum, where it is known before the file is written.
    crc: Option<u32>,
}

impl Header {
    fn read(bytes: &mut impl Read) -> Result<Self, Error> {
        let ends = |_| {
            let kind = ErrorKind::UnexpectedEnd("the header of a file in a zip archive");
            Error::new("zip", Place::Byte(0), kind)
        };
        let mut fixed = [0; 30];
        bytes.read_exact(&mut fixed).map_err(ends)?;
        let short = |at: usize| u16::from_le_bytes([fixed[at], fixed[at + 1]]);
        let (flags, method) = (short(6), short(8));
        let unsupported = |message: &str| {
            let kind = ErrorKind::Unsupported(format!("{message}: unpack it first"));
            Err(Error::new("zip", Place::Byte(0), kind))
        };
        if flags & 1 != 0 {
            return unsupported("the zip file is encrypted");
        }
        if method != 8 {
            return unsupported(&format!("the zip file uses method {method}, not deflate"));
        }
        // Two lengths of 16 bits: at most 128 KiB are passed over.
        let names = u64::from(short(26)) + u64::from(short(28));
        let passed = io::copy(&mut bytes.take(names), &mut io::sink()).unwrap_or(0);
        if passed < names {
            return Err(ends(io::Error::from(io::ErrorKind::UnexpectedEof)));
        }
        let crc = u32::from_le_bytes([fixed[14], fixed[15], fixed[16], fixed[17]]);
        let later = flags & 8 != 0;
        Ok(Self {
            crc: (!later).then_some(crc),
        })
    }
}

/// The one file of an archive.
struct Member {
    decoder: DeflateDecoder<Counted>,
    crc: Crc,
    header: Header,
    done: bool,
}

impl Member {
    /// Checks what follows the file.
    fn end(&mut self) -> io::Result<()> {
        let made = self.crc.sum();
        let rest = self.decoder.get_mut();
        let mut tail = Vec::new();
        rest.take(64).read_to_end(&mut tail)?;
        let tail = tail.strip_prefix(DESCRIPTOR).unwrap_or(&tail);
        let (expected, behind) = match (self.header.crc, tail.split_first_chunk::<4>()) {
            (Some(crc), _) => (crc, tail),
            (None, Some((crc, sizes))) => {
                // Sizes of 32 or of 64 bits.
                let behind = [8, 16]
                    .iter()
                    .filter_map(|length| sizes.get(*length..))
                    .find(|behind| behind.starts_with(b"PK"));
                (u32::from_le_bytes(*crc), behind.unwrap_or_default())
            }
            (None, None) => return Err(damaged("the zip file ends before its checksum")),
        };
        if made != expected {
            return Err(damaged("the checksum of the zip file does not match"));
        }
        match behind.starts_with(MEMBER) {
            true => Err(io::Error::other(
                "the zip file holds several files: unpack it first",
            )),
            false => Ok(()),
        }
    }
}

fn damaged(message: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, message)
}

impl Read for Member {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.done || buffer.is_empty() {
            return Ok(0);
        }
        let read = self.decoder.read(buffer)?;
        self.crc.update(&buffer[..read]);
        if read == 0 {
            self.done = true;
            self.end()?;
        }
        Ok(read)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::jobs::{JobOptions, read_jobs};
    use flate2::Compression;
    use flate2::write::DeflateEncoder;
    use std::io::Write;

    /// A member of an archive, with its checksum before or behind it.
    fn member(text: &[u8], crc: u32, behind: bool) -> Vec<u8> {
        let mut encoder = DeflateEncoder::new(Vec::new(), Compression::default());
        encoder.write_all(text).expect("memory");
        let packed = encoder.finish().expect("memory");
        let mut zip = MEMBER.to_vec();
        zip.extend([20, 0, if behind { 8 } else { 0 }, 0, 8, 0, 0, 0, 0, 0]);
        zip.extend(if behind { 0 } else { crc }.to_le_bytes());
        zip.extend([0; 8]);
        zip.extend([5, 0, 3, 0]);
        zip.extend(b"a.swfxyz");
        zip.extend(&packed);
        if behind {
            zip.extend(DESCRIPTOR);
            zip.extend(crc.to_le_bytes());
            zip.extend([0; 8]);
        }
        zip
    }

    fn crc(text: &[u8]) -> u32 {
        let mut crc = Crc::new();
        crc.update(text);
        crc.sum()
    }

    fn unzipped(zip: Vec<u8>) -> Result<Vec<u8>, String> {
        let input = unwrapped(Input::bytes(zip)).map_err(|error| error.to_string())?;
        let mut text = Vec::new();
        let read = input.into_reader().read_to_end(&mut text);
        read.map(|_| text).map_err(|error| error.to_string())
    }

    const END: &[u8] = b"PK\x01\x02 and so on";

    #[test]
    fn one_file_is_unpacked_and_checked() {
        let text = b"1 2 3\n".repeat(10_000);
        for behind in [false, true] {
            let whole = [member(&text, crc(&text), behind), END.to_vec()].concat();
            assert_eq!(unzipped(whole), Ok(text.clone()), "{behind}");
            let flipped = [member(&text, crc(&text) ^ 1, behind), END.to_vec()].concat();
            let error = unzipped(flipped).expect_err("damaged");
            assert!(error.contains("checksum"), "{error}");
        }
    }

    #[test]
    fn what_is_no_single_file_is_refused_by_its_reason() {
        let text = b"1 2 3\n";
        let one = member(text, crc(text), false);
        let error = unzipped([one.clone(), one.clone(), END.to_vec()].concat());
        assert!(error.expect_err("two").contains("holds several files"));
        let mut encrypted = one.clone();
        encrypted[6] = 1;
        assert_eq!(
            unzipped(encrypted).expect_err("encrypted"),
            "zip, byte 0: the zip file is encrypted: unpack it first"
        );
        let mut stored = one.clone();
        stored[8] = 0;
        let error = unzipped(stored).expect_err("stored");
        assert!(error.contains("method 0, not deflate"), "{error}");
        for length in [4, 29, 33] {
            let error = unzipped(one[..length].to_vec()).expect_err("cut");
            assert!(
                error.contains("ends inside the header"),
                "{length}: {error}"
            );
        }
        assert!(unzipped(one[..one.len() - 2].to_vec()).is_err());
    }

    /// Deflate makes at most 1032 bytes of one, so no budget is needed: only a line is ever held.
    #[test]
    fn a_bomb_is_a_line_without_end() {
        let bomb = [b"; UnixStartTime: 1\n".to_vec(), vec![b'0'; 70 << 20]].concat();
        let zip = member(&bomb, crc(&bomb), false);
        let reading = read_jobs(Input::bytes(zip), &JobOptions::default(), &mut |_| {});
        let error = reading
            .map(|reading| reading.rows)
            .expect_err("a bomb")
            .to_string();
        assert_eq!(
            error,
            "line 2: it would take more than 16777216 bytes (a line)"
        );
    }
}
