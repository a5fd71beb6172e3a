//! What is written about a group or a data set.

use super::bytes::{Bytes, padded};
use super::number::{Type, shape};
use super::object::Message;
use super::{File, invalid, unsupported};
use crate::error::Error;

/// Heaps have 4 KiB, and more only for a text that is longer. Every word asks for its heap anew.
const LARGEST_HEAP: u64 = 1 << 20;

/// An attribute.
#[derive(Debug)]
pub(in super::super) struct Attribute<'a> {
    pub(super) name: &'a [u8],
    at: u64,
    kind: Type,
    count: u64,
    data: &'a [u8],
}

impl<'a> Attribute<'a> {
    pub(super) fn parse(message: &'a Message) -> Result<Self, Error> {
        let at = message.at;
        let mut fields = Bytes::new(&message.bytes, at);
        let (version, flags) = (fields.u8()?, fields.u8()?);
        let lengths = [fields.u16()?, fields.u16()?, fields.u16()?].map(usize::from);
        let pad: fn(usize) -> usize = match version {
            1 => padded,
            2 => |length| length,
            3 => {
                fields.skip(1)?;
                |length| length
            }
            other => return Err(unsupported(at, format!("an attribute of version {other}"))),
        };
        if version > 1 && flags != 0 {
            return Err(unsupported(
                at,
                "an attribute whose type is elsewhere".to_owned(),
            ));
        }
        let name = fields.take(pad(lengths[0]))?;
        let name = &name[..memchr::memchr(0, name).unwrap_or(name.len())];
        let kind = Type::parse(fields.take(pad(lengths[1]))?, at)?;
        let shape = shape(fields.take(pad(lengths[2]))?, at)?;
        let count = shape
            .iter()
            .try_fold(1_u64, |all, &one| all.checked_mul(one));
        let count =
            count.ok_or_else(|| invalid(at, "an attribute of too many elements", "2^64"))?;
        Ok(Self {
            name,
            at,
            kind,
            count,
            data: fields.rest(),
        })
    }

    /// Its words.
    pub(in super::super) fn words(&self, file: &mut File) -> Result<Vec<String>, Error> {
        let size = self.kind.size();
        let pieces = self.data.chunks_exact(size);
        let wanted = usize::try_from(self.count).unwrap_or(usize::MAX);
        if pieces.len() < wanted {
            return Err(invalid(
                self.at,
                "an attribute with fewer elements than it says",
                self.count,
            ));
        }
        let mut words = Vec::new();
        for piece in pieces.take(wanted) {
            words.push(match self.kind {
                Type::Text { .. } => text(piece),
                Type::TextElsewhere => from_heap(file, piece, self.at)?,
                Type::Whole { .. } | Type::Float { .. } => self.kind.number(piece).to_string(),
                Type::Other { class, .. } => {
                    return Err(unsupported(
                        self.at,
                        format!("an attribute of class {class}"),
                    ));
                }
            });
        }
        Ok(words)
    }
}

fn text(bytes: &[u8]) -> String {
    let end = memchr::memchr(0, bytes).unwrap_or(bytes.len());
    String::from_utf8_lossy(&bytes[..end]).trim_end().to_owned()
}

/// Text that lies in a heap which all objects share.
fn from_heap(file: &mut File, reference: &[u8], at: u64) -> Result<String, Error> {
    let mut fields = Bytes::new(reference, at);
    let (length, heap, wanted) = (fields.u32()?, fields.u64()?, fields.u32()?);
    let start = file.at(heap, 16, "a heap of texts")?;
    if !start.starts_with(b"GCOL") {
        return Err(invalid(
            heap,
            "not a heap of texts",
            String::from_utf8_lossy(&start[..4]),
        ));
    }
    let mut size = Bytes::new(&start[8..], heap + 8);
    let size = size.u64()?.saturating_sub(16);
    if size > LARGEST_HEAP {
        return Err(invalid(heap, "a heap of texts of so many bytes", size));
    }
    let bytes = file.at(heap + 16, size, "a heap of texts")?;
    let mut objects = Bytes::new(&bytes, heap + 16);
    while objects.rest().len() >= 16 {
        let index = objects.u16()?;
        objects.skip(6)?;
        let size = usize::try_from(objects.u64()?).unwrap_or(usize::MAX);
        if index == 0 {
            break;
        }
        if u32::from(index) == wanted {
            let object = objects.take(size)?;
            return Ok(text(&object[..object.len().min(length as usize)]));
        }
        let padded = size.checked_next_multiple_of(8).unwrap_or(usize::MAX);
        objects.skip(padded)?;
    }
    Err(invalid(heap, "a heap without the text", wanted))
}
