//! How files are striped over a Lustre file system.

use super::bytes::{ByteOrder, text};
use super::log::{LustreComponent, LustreRecord};
use super::region::Region;
use crate::error::ErrorKind;
use iotempo_model::{Warning, counted};
use std::io::{Read, Seek};

/// Length of the fields before the components or targets.
const fn header(version: u32) -> usize {
    if version == 1 { 56 } else { 32 }
}

/// Length of a component on disk.
const COMPONENT: usize = 72;

/// Reads records until the region ends or is damaged.
pub(crate) fn read<R: Read + Seek>(
    region: &mut Region<'_, R>,
    version: u32,
    order: ByteOrder,
) -> Vec<LustreRecord> {
    let mut records = Vec::new();
    while region.has(header(version)) {
        let (components, osts) = match counts(region.bytes(), version, order) {
            Ok(counts) => counts,
            Err(kind) => {
                region.refuse(kind);
                return records;
            }
        };
        let size = header(version) + COMPONENT * components + 8 * osts;
        if !region.has(size) {
            break;
        }
        let record = &region.bytes()[..size];
        records.push(match version {
            1 => decode_v1(record, order),
            _ => decode_v2(record, order, components),
        });
        region.consume(size);
    }
    if region.damage().is_none() && !region.bytes().is_empty() {
        region.refuse(ErrorKind::UnexpectedEnd("a record"));
    }
    records
}

/// How many components and targets follow a header. 2²⁴ of either is far more than Lustre knows,
/// and small enough that their size in bytes cannot overflow.
fn counts(bytes: &[u8], version: u32, order: ByteOrder) -> Result<(usize, usize), ErrorKind> {
    let count = |at: usize, what: &'static str| {
        let value = order.i64(&bytes[at..]);
        u64::try_from(value)
            .ok()
            .filter(|&count| count <= 1 << 24)
            .map(|count| count as usize)
            .ok_or_else(|| ErrorKind::Invalid {
                what: what.into(),
                value: value.to_string(),
            })
    };
    if version == 1 {
        Ok((0, count(48, "a stripe width cannot be")?))
    } else {
        Ok((
            count(16, "a number of components cannot be")?,
            count(24, "a number of stripes cannot be")?,
        ))
    }
}

/// Version 1 knew one layout per file.
fn decode_v1(record: &[u8], order: ByteOrder) -> LustreRecord {
    let field = |index: usize| order.i64(&record[8 * index..]);
    let mut osts = Vec::new();
    order.extend_i64(&mut osts, &record[header(1)..]);
    LustreRecord {
        id: order.u64(record),
        rank: field(1),
        components: vec![LustreComponent {
            stripe_size: field(5),
            stripe_count: field(6),
            stripe_pattern: -1,
            flags: -1,
            ext_start: 0,
            ext_end: -1,
            mirror_id: -1,
            pool_name: String::new(),
        }],
        osts,
        targets: Some((field(2), field(3))),
    }
}

/// A component without a stripe size ends the list; targets follow all components on disk.
fn decode_v2(record: &[u8], order: ByteOrder, components: usize) -> LustreRecord {
    let osts_at = header(2) + COMPONENT * components;
    let kept: Vec<_> = record[header(2)..osts_at]
        .chunks_exact(COMPONENT)
        .map(|component| decode_component(component, order))
        .take_while(|component| component.stripe_size != -1)
        .collect();
    let mut osts = Vec::new();
    order.extend_i64(&mut osts, &record[osts_at..]);
    if kept.len() < components {
        let stripes = kept
            .iter()
            .map(|c| u64::try_from(c.stripe_count).unwrap_or(0));
        let stripes = stripes.fold(0, u64::saturating_add);
        osts.truncate(usize::try_from(stripes).unwrap_or(usize::MAX));
    }
    LustreRecord {
        id: order.u64(record),
        rank: order.i64(&record[8..]),
        components: kept,
        osts,
        targets: None,
    }
}

fn decode_component(bytes: &[u8], order: ByteOrder) -> LustreComponent {
    let field = |index: usize| order.i64(&bytes[8 * index..]);
    LustreComponent {
        stripe_size: field(0),
        stripe_count: field(1),
        stripe_pattern: field(2),
        flags: field(3),
        ext_start: field(4),
        ext_end: field(5),
        mirror_id: field(6),
        pool_name: text(&bytes[56..COMPONENT]),
    }
}

/// A warning where components claim other numbers of targets than their records list.
pub(crate) fn contradictions(records: &[LustreRecord]) -> Option<Warning> {
    let claims = |record: &LustreRecord| {
        let counts = record
            .components
            .iter()
            .map(|component| i128::from(component.stripe_count));
        counts.sum::<i128>()
    };
    let wrong = records
        .iter()
        .filter(|record| claims(record) != record.osts.len() as i128);
    let wrong = wrong.count();
    (wrong > 0).then(|| {
        let message = format!(
            "LUSTRE: {} with another number of targets than claimed",
            counted(wrong as u64, "record")
        );
        Warning::new("lustre-targets", message)
    })
}
