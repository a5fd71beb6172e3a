//! Damage of every kind, to bytes and to text.

use super::rng::Rng;
use flate2::read::MultiGzDecoder;
use std::io::Read;

/// Numbers at which arithmetic goes wrong.
const INTERESTING: [u64; 20] = [
    0,
    1,
    7,
    0x7f,
    0x80,
    0xff,
    0x7fff,
    0xffff,
    0x7fff_ffff,
    0x8000_0000,
    0xffff_ffff,
    1 << 40,
    1 << 59,
    1 << 60,
    (1 << 63) - 1,
    1 << 63,
    u64::MAX,
    // Floating point: infinity, not a number, the largest.
    0x7ff0_0000_0000_0000,
    0x7ff8_0000_0000_0000,
    0x7fef_ffff_ffff_ffff,
];

/// Words at which parsers of numbers go wrong.
const WORDS: [&str; 18] = [
    "-1",
    "0",
    "-0",
    "NaN",
    "nan",
    "inf",
    "-Infinity",
    "1e308",
    "1e999",
    "-1e-400",
    "9223372036854775807",
    "9223372036854775808",
    "18446744073709551616",
    "99999999999999999999999999999999999999999",
    "0x10",
    "",
    "null",
    "\u{fffd}",
];

/// Characters with a meaning to some format.
const MARKS: &[u8] = b"\n\r\t ,;:[]{}\"'#=\\\0-.e";

/// One file of the corpus with one to four kinds of damage; of a compressed file, often what it
/// decompresses to.
pub(crate) fn mutated(rng: &mut Rng, corpus: &[Vec<u8>]) -> Vec<u8> {
    let file = rng.pick(corpus);
    let unpacked = (file.starts_with(b"\x1f\x8b") && rng.below(4) > 0).then(|| gunzip(file));
    let mut bytes = unpacked.unwrap_or_else(|| file.clone());
    damage(rng, &mut bytes, corpus);
    bytes
}

fn gunzip(file: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let read = MultiGzDecoder::new(file).read_to_end(&mut bytes);
    read.expect("a sound file of the corpus");
    bytes
}

/// One to four kinds of damage.
pub(crate) fn damage(rng: &mut Rng, bytes: &mut Vec<u8>, corpus: &[Vec<u8>]) {
    for _ in 0..=rng.below(4) {
        match rng.below(12) {
            0 => flip(rng, bytes),
            1 => overwrite(rng, bytes),
            2 => insert(rng, bytes),
            3 => repeat(rng, bytes),
            4 => delete(rng, bytes),
            5 => bytes.truncate(rng.below(bytes.len() + 1)),
            6 => splice(rng, bytes, corpus),
            7 | 8 => number(rng, bytes),
            9 => word(rng, bytes),
            10 => line(rng, bytes),
            _ => nest(rng, bytes),
        }
    }
}

/// A random stretch of at most `longest` bytes.
fn stretch(rng: &mut Rng, bytes: &[u8], longest: usize) -> std::ops::Range<usize> {
    let start = rng.below(bytes.len() + 1);
    let len = rng.below(longest.min(bytes.len() - start) + 1);
    start..start + len
}

fn flip(rng: &mut Rng, bytes: &mut [u8]) {
    for _ in 0..=rng.below(8) {
        if !bytes.is_empty() {
            let at = rng.below(bytes.len());
            bytes[at] ^= 1 << rng.below(8);
        }
    }
}

fn overwrite(rng: &mut Rng, bytes: &mut [u8]) {
    let range = stretch(rng, bytes, 16);
    for byte in &mut bytes[range] {
        *byte = rng.next() as u8;
    }
}

fn insert(rng: &mut Rng, bytes: &mut Vec<u8>) {
    let at = rng.below(bytes.len() + 1);
    let count = 1 + rng.below(16);
    let marks = rng.below(2) == 0;
    let new: Vec<u8> = (0..count)
        .map(|_| {
            if marks {
                *rng.pick(MARKS)
            } else {
                rng.next() as u8
            }
        })
        .collect();
    bytes.splice(at..at, new);
}

fn repeat(rng: &mut Rng, bytes: &mut Vec<u8>) {
    let copy = bytes[stretch(rng, bytes, 512)].to_vec();
    let at = rng.below(bytes.len() + 1);
    bytes.splice(at..at, copy);
}

fn delete(rng: &mut Rng, bytes: &mut Vec<u8>) {
    let range = stretch(rng, bytes, 256);
    bytes.drain(range);
}

fn splice(rng: &mut Rng, bytes: &mut Vec<u8>, corpus: &[Vec<u8>]) {
    let other = rng.pick(corpus);
    let from = rng.below(other.len() + 1);
    bytes.truncate(rng.below(bytes.len() + 1));
    bytes.extend_from_slice(&other[from..]);
}

/// A number of 1, 2, 4 or 8 bytes in either order, mostly where numbers lie.
fn number(rng: &mut Rng, bytes: &mut [u8]) {
    let width = 1 << rng.below(4);
    if bytes.len() < width {
        return;
    }
    let mut at = rng.below(bytes.len() - width + 1);
    if rng.below(4) > 0 {
        at -= at % width;
    }
    let value = match rng.below(4) {
        0 => rng.below(300) as u64,
        _ => rng
            .pick(&INTERESTING)
            .wrapping_add(rng.below(3) as u64)
            .wrapping_sub(1),
    };
    let mut field = value.to_le_bytes()[..width].to_vec();
    if rng.below(2) == 0 {
        field.reverse();
    }
    bytes[at..at + width].copy_from_slice(&field);
}

/// Another word in the place of a number in text.
fn word(rng: &mut Rng, bytes: &mut Vec<u8>) {
    let part_of_number = |byte: &u8| byte.is_ascii_digit() || b"+-.".contains(byte);
    let from = rng.below(bytes.len() + 1);
    let Some(start) = bytes[from..].iter().position(|byte| byte.is_ascii_digit()) else {
        return;
    };
    let start = from + start;
    let len = bytes[start..]
        .iter()
        .take_while(|byte| part_of_number(byte))
        .count();
    bytes.splice(start..start + len, rng.pick(&WORDS).bytes());
}

/// A line twice, or not at all, or elsewhere.
fn line(rng: &mut Rng, bytes: &mut Vec<u8>) {
    let mut lines: Vec<Vec<u8>> = bytes
        .split_inclusive(|&byte| byte == b'\n')
        .map(<[u8]>::to_vec)
        .collect();
    if lines.len() < 2 {
        return;
    }
    let one = rng.below(lines.len());
    let other = rng.below(lines.len());
    match rng.below(3) {
        0 => lines.insert(other, lines[one].clone()),
        1 => drop(lines.remove(one)),
        _ => lines.swap(one, other),
    }
    *bytes = lines.concat();
}

/// Brackets, or the first bytes of MessagePack arrays and maps, deep in each other. Rare: it makes
/// inputs long.
fn nest(rng: &mut Rng, bytes: &mut Vec<u8>) {
    if rng.below(8) > 0 {
        return number(rng, bytes);
    }
    let at = rng.below(bytes.len() + 1);
    let opening = *rng.pick(&[b'[', b'{', 0x91, 0x81, 0xdd, b'"']);
    let depth = 1 << rng.below(16);
    bytes.splice(at..at, std::iter::repeat_n(opening, depth));
}
