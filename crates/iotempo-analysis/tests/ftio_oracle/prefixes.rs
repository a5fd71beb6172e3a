//! Traces of TMIO as they were while the job ran: the first flushes of a file.

use iotempo_analysis::ftio::Points;
use iotempo_formats::{Input, ReadOptions, read_trace};
use iotempo_model::{Op, Selection};
use rmp::Marker;
use rmp::decode::{self, RmpRead};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// TMIO writes six modes and the time spent, one line each.
const LINES: usize = 7;
/// In MessagePack, four modes and the time spent, one object each.
const OBJECTS: usize = 5;

/// A file of which beginnings are read, each once.
pub(crate) struct Growing {
    bytes: Vec<u8>,
    lines: bool,
    read: BTreeMap<usize, Points>,
}

impl Growing {
    pub(crate) fn open(path: &Path) -> Self {
        Self {
            bytes: fs::read(path).unwrap(),
            lines: path.extension().is_some_and(|name| name == "jsonl"),
            read: BTreeMap::new(),
        }
    }

    /// What is written in the first flushes.
    pub(crate) fn writes(&mut self, flushes: usize) -> &Points {
        let Self { bytes, lines, read } = self;
        read.entry(flushes).or_insert_with(|| {
            let end = if *lines {
                end_of_line(bytes, flushes * LINES)
            } else {
                end_of_object(bytes, flushes * OBJECTS)
            };
            writes(&bytes[..end])
        })
    }
}

fn writes(bytes: &[u8]) -> Points {
    let (_, trace) = read_trace(Input::bytes(bytes), &ReadOptions::default()).unwrap();
    Points::of_trace(&trace.select(&Selection {
        op: Some(Op::Write),
        ..Selection::default()
    }))
}

fn end_of_line(bytes: &[u8], lines: usize) -> usize {
    let ends = bytes.iter().enumerate().filter(|(_, byte)| **byte == b'\n');
    ends.map(|(at, _)| at + 1).nth(lines - 1).unwrap()
}

fn end_of_object(bytes: &[u8], objects: usize) -> usize {
    let mut rest = bytes;
    (0..objects).for_each(|_| skip(&mut rest));
    bytes.len() - rest.len()
}

/// Skips an object of those kinds that TMIO writes.
fn skip(rest: &mut &[u8]) {
    let marker = Marker::from_u8(rest[0]);
    match marker {
        Marker::FixArray(_) | Marker::Array16 | Marker::Array32 => {
            let items = decode::read_array_len(rest).unwrap();
            (0..items).for_each(|_| skip(rest));
        }
        Marker::FixStr(_) | Marker::Str8 => {
            let length = decode::read_str_len(rest).unwrap() as usize;
            *rest = &rest[length..];
        }
        Marker::F32 => drop(decode::read_f32(rest).unwrap()),
        Marker::F64 => drop(decode::read_f64(rest).unwrap()),
        Marker::Null | Marker::True | Marker::False => drop(rest.read_u8().unwrap()),
        _ => drop(decode::read_int::<i128, _>(rest).unwrap()),
    }
}
