//! What was done to a chunk before it was stored.

use super::bytes::{Bytes, padded};
use super::unsupported;
use crate::error::{Error, ErrorKind, Place};
use flate2::read::ZlibDecoder;
use std::io::Read;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Filter {
    Deflate,
    /// The first bytes of all elements, then the second ones.
    Shuffle,
    /// A checksum behind the data. Damage shows in what was compressed, so it is passed over.
    Fletcher,
}

/// The filters of a data set in the order in which they were applied.
pub(super) fn parse(bytes: &[u8], at: u64) -> Result<Vec<Filter>, Error> {
    let mut fields = Bytes::new(bytes, at);
    let (version, count) = (fields.u8()?, fields.u8()?);
    match version {
        1 => fields.skip(6)?,
        2 => {}
        other => return Err(unsupported(at, format!("filters of version {other}"))),
    }
    let mut filters = Vec::new();
    for _ in 0..count {
        let id = fields.u16()?;
        let name = match version == 1 || id >= 256 {
            true => usize::from(fields.u16()?),
            false => 0,
        };
        fields.skip(2)?;
        let values = usize::from(fields.u16()?);
        fields.skip(if version == 1 { padded(name) } else { name })?;
        fields.skip(4 * values)?;
        if version == 1 && values % 2 == 1 {
            fields.skip(4)?;
        }
        filters.push(match id {
            1 => Filter::Deflate,
            2 => Filter::Shuffle,
            3 => Filter::Fletcher,
            other => {
                let message = format!(
                    "data with the filter {other} (deflate, shuffle and fletcher32 are read)"
                );
                return Err(unsupported(at, message));
            }
        });
    }
    Ok(filters)
}

/// Undoes the filters of a chunk that has `length` bytes without them; `mask` names those that were
/// not applied.
pub(super) fn undo(
    filters: &[Filter],
    mask: u32,
    mut bytes: Vec<u8>,
    element: usize,
    length: usize,
    at: u64,
) -> Result<Vec<u8>, Error> {
    for (index, filter) in filters.iter().enumerate().rev() {
        if index < 32 && mask >> index & 1 == 1 {
            continue;
        }
        bytes = match filter {
            Filter::Deflate => {
                let mut inflated = Vec::new();
                // A checksum may stand behind the data, inside.
                let most = length as u64 + 4;
                let read = ZlibDecoder::new(bytes.as_slice())
                    .take(most)
                    .read_to_end(&mut inflated);
                read.map_err(|error| {
                    let kind = ErrorKind::Compression(error.to_string());
                    Error::new("HDF5", Place::Byte(at), kind)
                })?;
                inflated
            }
            Filter::Shuffle => unshuffled(&bytes, element),
            Filter::Fletcher => {
                let end = bytes.len().saturating_sub(4);
                bytes.truncate(end);
                bytes
            }
        };
    }
    if bytes.len() < length {
        let kind = ErrorKind::UnexpectedEnd("a chunk of a data set");
        return Err(Error::new("HDF5", Place::Byte(at), kind));
    }
    Ok(bytes)
}

fn unshuffled(bytes: &[u8], element: usize) -> Vec<u8> {
    let elements = bytes.len() / element.max(1);
    let mut plain = Vec::with_capacity(bytes.len());
    for index in 0..elements {
        plain.extend((0..element).map(|byte| bytes[byte * elements + index]));
    }
    plain.extend_from_slice(&bytes[elements * element..]);
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shuffled_bytes_go_back() {
        assert_eq!(unshuffled(&[1, 3, 5, 2, 4, 6, 9], 2), [1, 2, 3, 4, 5, 6, 9]);
    }
}
