//! Records of fixed size: counters per file and rank.

use super::bytes::ByteOrder;
use super::layout::Layout;
use super::log::{CounterTable, DaosObject};
use super::module::Module;
use super::names::NameTable;
use super::region::Region;
use super::upgrade::{From, Upgrade};
use crate::error::ErrorKind;
use std::io::{Read, Seek};

/// How a record of one module version lies on disk.
#[derive(Debug)]
pub(crate) struct RecordShape {
    module: Module,
    /// Bytes between id and rank and the counters.
    lead: usize,
    ints: usize,
    floats: usize,
    size: usize,
    /// `None` where fields need no conversion.
    upgrade: Option<Upgrade>,
}

impl RecordShape {
    /// `None` for modules whose records are of another kind, and for versions that do not exist.
    pub(crate) fn of(module: Module, version: u32) -> Option<Self> {
        let lead = match (module, version) {
            // The id of the file that a data set or variable lies in.
            (Module::H5d, 2) | (Module::PnetcdfVar, _) => 8,
            // An alignment that nobody needs.
            (Module::BgQ, 1) => 8,
            _ => 0,
        };
        let tail = match module {
            Module::Dfs => 32,
            Module::Daos => 48,
            Module::Posix
            | Module::MpiIo
            | Module::Stdio
            | Module::H5f
            | Module::H5d
            | Module::PnetcdfFile
            | Module::PnetcdfVar
            | Module::BgQ => 0,
            _ => return None,
        };
        let layout = Layout::of(module, version)?;
        let (ints, floats) = (layout.ints.len(), layout.floats.len());
        let upgrade = if Upgrade::is_identity(module, version) {
            None
        } else {
            Some(Upgrade::new(module, version)?)
        };
        Some(Self {
            module,
            lead,
            ints,
            floats,
            size: 16 + lead + 8 * (ints + floats) + tail,
            upgrade,
        })
    }

    /// A table for such records.
    pub(crate) fn table(&self) -> CounterTable {
        CounterTable::new(Layout::latest(self.module).expect("a module with counters"))
    }

    /// Appends one record to `table`.
    fn append(&self, table: &mut CounterTable, record: &[u8], order: ByteOrder) {
        table.ids.push(order.u64(record));
        table.ranks.push(order.i64(&record[8..]));
        let ints_at = 16 + self.lead;
        let floats_at = ints_at + 8 * self.ints;
        let tail_at = floats_at + 8 * self.floats;
        let ints = &record[ints_at..floats_at];
        let floats = &record[floats_at..tail_at];
        match &self.upgrade {
            None => {
                order.extend_i64(&mut table.ints, ints);
                order.extend_f64(&mut table.floats, floats);
            }
            Some(upgrade) => {
                let int = |at: usize| order.i64(&ints[8 * at..]);
                table
                    .ints
                    .extend(upgrade.ints.iter().map(|source| match *source {
                        From::Field(at) => int(at),
                        From::Sum(one, other) => int(one).wrapping_add(int(other)),
                        From::Constant(value) => value,
                    }));
                let float = |at: usize| order.f64(&floats[8 * at..]);
                table
                    .floats
                    .extend(upgrade.floats.iter().map(|source| match *source {
                        From::Field(at) => float(at),
                        From::Sum(one, other) => float(one) + float(other),
                        From::Constant(value) => value,
                    }));
            }
        }
        self.append_extras(table, record, tail_at, order);
    }

    fn append_extras(
        &self,
        table: &mut CounterTable,
        record: &[u8],
        tail: usize,
        order: ByteOrder,
    ) {
        match self.module {
            Module::H5d | Module::PnetcdfVar => {
                let id = if self.lead == 8 {
                    order.u64(&record[16..])
                } else {
                    0
                };
                table.file_ids.push(id);
            }
            Module::Dfs | Module::Daos => {
                let uuid = |at: usize| record[at..at + 16].try_into().expect("16 bytes");
                let oid = if self.module == Module::Daos {
                    (
                        order.u64(&record[tail + 32..]),
                        order.u64(&record[tail + 40..]),
                    )
                } else {
                    (0, 0)
                };
                table.objects.push(DaosObject {
                    pool: uuid(tail),
                    container: uuid(tail + 16),
                    oid,
                });
            }
            _ => {}
        }
    }
}

/// Reads records into batches, each handed to `take` and then forgotten; `take` answers whether to
/// go on.
pub(crate) fn read<R: Read + Seek>(
    region: &mut Region<'_, R>,
    shape: &RecordShape,
    order: ByteOrder,
    names: &NameTable,
    mut take: impl FnMut(&mut CounterTable) -> bool,
) {
    let mut table = shape.table();
    while read_batch(region, shape, order, names, &mut table) {
        if !take(&mut table) {
            return;
        }
        table.clear();
    }
}

/// Reads all records into `table`.
pub(crate) fn read_into<R: Read + Seek>(
    region: &mut Region<'_, R>,
    shape: &RecordShape,
    order: ByteOrder,
    names: &NameTable,
    table: &mut CounterTable,
) {
    while read_batch(region, shape, order, names, table) {}
}

/// Appends the records at hand, of one stream at most; `false` where there are no more.
fn read_batch<R: Read + Seek>(
    region: &mut Region<'_, R>,
    shape: &RecordShape,
    order: ByteOrder,
    names: &NameTable,
    table: &mut CounterTable,
) -> bool {
    if !region.has(shape.size) {
        if region.damage().is_none() && !region.bytes().is_empty() {
            region.refuse(ErrorKind::UnexpectedEnd("a record"));
        }
        return false;
    }
    let in_stream = match whole_records(region, shape, order, names) {
        Ok(len) => len,
        Err(kind) => {
            region.refuse(kind);
            return false;
        }
    };
    let mut used = 0;
    for record in region.bytes()[..in_stream].chunks_exact(shape.size) {
        if rank_is_garbage(order.i64(&record[8..])) {
            break;
        }
        shape.append(table, record, order);
        used += shape.size;
    }
    region.consume(used);
    if used + shape.size <= in_stream {
        let rank = order.i64(&region.bytes()[8..]);
        region.refuse(ErrorKind::Invalid {
            what: "a record's rank cannot be".into(),
            value: rank.to_string(),
        });
    } else if used < in_stream && region.stream_end() == Some(in_stream - used) {
        region.refuse(ErrorKind::UnexpectedEnd("a record"));
    }
    used > 0
}

/// No job has 2³¹ ranks: such a number is something else read as a rank.
fn rank_is_garbage(rank: i64) -> bool {
    i32::try_from(rank).is_err()
}

/// How many of the bytes at hand belong to whole records of the stream at hand.
///
/// Every stream that Darshan writes holds whole records. One that does not was either cut off
/// inside a record, which then begins with an id that has a name, or was written by a fork of
/// Darshan with records of another size under an official version number, as seen in public data
/// sets: then nothing in it can be believed.
fn whole_records<R: Read + Seek>(
    region: &mut Region<'_, R>,
    shape: &RecordShape,
    order: ByteOrder,
    names: &NameTable,
) -> Result<usize, ErrorKind> {
    let Some(len) = region.stream_end() else {
        return Ok(region.bytes().len());
    };
    let rest = len % shape.size;
    let tail = &region.bytes()[len - rest..len];
    let cut_off = rest >= 8 && names.get(order.u64(tail)).is_some();
    if rest == 0 || cut_off {
        return Ok(len);
    }
    Err(ErrorKind::Unsupported(format!(
        "a stream leaves {rest} bytes behind its last record of {} bytes: cut off, \
         written by a fork of Darshan, or under a wrong version number",
        shape.size
    )))
}
