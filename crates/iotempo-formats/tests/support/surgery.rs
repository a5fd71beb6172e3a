//! Damage inside the compressed regions of a Darshan log. Damage to the log as it lies on disk
//! rarely comes further than a checksum.

use super::mutate::{damage, mutated};
use super::rng::Rng;
use bzip2::read::{BzEncoder, MultiBzDecoder};
use flate2::bufread::{ZlibDecoder, ZlibEncoder};
use std::io::Read;
use std::sync::OnceLock;

/// A log taken apart: the header, and what its regions decompress to.
#[derive(Clone)]
struct Parts {
    header: Vec<u8>,
    /// Where in the header the extent of each region stands; `None` for the job, which has none.
    regions: Vec<(Option<usize>, Vec<u8>)>,
}

/// A mutated log: one in four as it lies on disk, the others inside a region.
pub(crate) fn mutated_log(rng: &mut Rng, corpus: &[Vec<u8>]) -> Vec<u8> {
    if rng.below(4) == 0 {
        return mutated(rng, corpus);
    }
    static SOUND: OnceLock<Vec<Parts>> = OnceLock::new();
    let sound = SOUND.get_or_init(|| corpus.iter().map(|log| Parts::of(log)).collect());
    let mut parts = rng.pick(sound).clone();
    for _ in 0..=rng.below(2) {
        let at = rng.below(parts.regions.len());
        let donors: Vec<Vec<u8>> = parts
            .regions
            .iter()
            .map(|(_, bytes)| bytes.clone())
            .collect();
        damage(rng, &mut parts.regions[at].1, &donors);
    }
    if rng.below(8) == 0 {
        let (keep, mut rest) = (parts.header[..16].to_vec(), parts.header[16..].to_vec());
        let len = rest.len();
        damage(rng, &mut rest, corpus);
        rest.resize(len, 0);
        parts.header = [keep, rest].concat();
    }
    // Without compression a run takes a fraction of the time.
    let compression = *rng.pick(&[2, 2, 2, 2, 0, 0, 0, 1]);
    parts.join(rng, compression)
}

impl Parts {
    /// Takes a sound log apart.
    fn of(log: &[u8]) -> Self {
        let (size, names_at, slots) = if log.starts_with(b"3.41") {
            (1328, 32, 64)
        } else {
            (360, 24, 16)
        };
        let big_endian = log[8] == 0;
        let number = |at: usize| {
            let field: [u8; 8] = log[at..at + 8].try_into().expect("8 bytes");
            let value = if big_endian {
                u64::from_be_bytes(field)
            } else {
                u64::from_le_bytes(field)
            };
            value as usize
        };
        let compression = log[16];
        let mut regions = Vec::new();
        for extent in (0..=slots).map(|slot| names_at + 16 * slot) {
            let (offset, len) = (number(extent), number(extent + 8));
            if len > 0 {
                let bytes = decompress(&log[offset..offset + len], compression);
                regions.push((Some(extent), bytes));
            }
        }
        let job_end = regions
            .first()
            .map_or(log.len(), |(at, _)| number(at.expect("set")));
        regions.insert(0, (None, decompress(&log[size..job_end], compression)));
        Self {
            header: log[..size].to_vec(),
            regions,
        }
    }

    /// Puts the log together again, with its regions compressed anew and their extents corrected.
    fn join(&self, rng: &mut Rng, compression: u8) -> Vec<u8> {
        let mut log = self.header.clone();
        log[16] = compression;
        let big_endian = log[8] == 0;
        for (extent, bytes) in &self.regions {
            let offset = log.len();
            // Regions of real logs hold a stream per rank.
            let (first, second) = bytes.split_at(match rng.below(4) {
                0 => rng.below(bytes.len() + 1),
                _ => bytes.len(),
            });
            log.extend(compress(first, compression));
            if !second.is_empty() {
                log.extend(compress(second, compression));
            }
            let len = log.len() - offset;
            for (at, value) in extent.iter().flat_map(|at| [(*at, offset), (at + 8, len)]) {
                let field = if big_endian {
                    (value as u64).to_be_bytes()
                } else {
                    (value as u64).to_le_bytes()
                };
                log[at..at + 8].copy_from_slice(&field);
            }
        }
        log
    }
}

fn decompress(region: &[u8], compression: u8) -> Vec<u8> {
    let mut bytes = Vec::new();
    match compression {
        0 => {
            let mut rest = region;
            while !rest.is_empty() {
                let mut decoder = ZlibDecoder::new(rest);
                decoder.read_to_end(&mut bytes).expect("a sound region");
                rest = decoder.into_inner();
            }
        }
        1 => {
            let read = MultiBzDecoder::new(region).read_to_end(&mut bytes);
            read.expect("a sound region");
        }
        _ => bytes.extend_from_slice(region),
    }
    bytes
}

fn compress(bytes: &[u8], compression: u8) -> Vec<u8> {
    let mut region = Vec::new();
    let read = match compression {
        0 => ZlibEncoder::new(bytes, flate2::Compression::fast()).read_to_end(&mut region),
        1 => BzEncoder::new(bytes, bzip2::Compression::fast()).read_to_end(&mut region),
        _ => {
            region.extend_from_slice(bytes);
            Ok(0)
        }
    };
    read.expect("in memory");
    region
}

#[cfg(test)]
mod tests {
    use super::*;
    use iotempo_formats::Limits;
    use iotempo_formats::darshan::Log;
    use std::io::Cursor;

    #[test]
    fn a_log_taken_apart_and_put_together_holds_the_same() {
        for log in super::super::harness::corpus("darshan") {
            let parts = Parts::of(&log);
            for compression in 0..3 {
                let again = Parts::of(&parts.join(&mut Rng::new(1), compression));
                assert_eq!(again.regions, parts.regions);
            }
        }
    }

    #[test]
    fn most_mutated_logs_can_still_be_opened_so_that_their_records_are_reached() {
        let corpus = super::super::harness::corpus("darshan");
        let mut rng = Rng::new(1);
        let opens = |log: Vec<u8>| Log::read(Cursor::new(log), &Limits::default()).is_ok();
        let opened = (0..500)
            .filter(|_| opens(mutated_log(&mut rng, &corpus)))
            .count();
        assert!(opened > 300, "{opened} of 500");
    }
}
