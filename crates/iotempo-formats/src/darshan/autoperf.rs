//! The modules of AutoPerf (MPI and Cray XC counters) and of MDHIM.

use super::bytes::{ByteOrder, text};
use super::layout::Layout;
use super::log::{ApmpiHeader, ApmpiTable, ApxcTable, CounterTable, MdhimRecord};
use super::module::Module;
use super::region::Region;
use crate::error::ErrorKind;
use std::io::{Read, Seek};

/// Hands out records of `size` bytes until the region ends or is damaged.
fn each_record<R: Read + Seek>(
    region: &mut Region<'_, R>,
    size: usize,
    mut take: impl FnMut(&[u8]),
) {
    while region.has(size) {
        take(&region.bytes()[..size]);
        region.consume(size);
    }
    if region.damage().is_none() && !region.bytes().is_empty() {
        region.refuse(ErrorKind::UnexpectedEnd("a record"));
    }
}

fn table(module: Module) -> CounterTable {
    CounterTable::new(Layout::latest(module).expect("a module with counters"))
}

/// A header of 48 bytes, then a record per rank.
pub(crate) fn read_apmpi<R: Read + Seek>(
    region: &mut Region<'_, R>,
    order: ByteOrder,
) -> ApmpiTable {
    const HEADER: usize = 48;
    const NODE: usize = 128;
    let mut result = ApmpiTable {
        header: None,
        table: table(Module::Apmpi),
        nodes: Vec::new(),
    };
    if !region.has(HEADER) {
        each_record(region, HEADER, |_| {});
        return result;
    }
    result.header = Some(apmpi_header(region.bytes(), order));
    region.consume(HEADER);
    let layout = result.table.layout;
    let floats_at = 16 + 8 * layout.ints.len();
    let node_at = floats_at + 8 * layout.floats.len();
    each_record(region, node_at + NODE, |record| {
        result.table.ids.push(order.u64(record));
        result.table.ranks.push(order.i64(&record[8..]));
        order.extend_i64(&mut result.table.ints, &record[16..floats_at]);
        order.extend_f64(&mut result.table.floats, &record[floats_at..node_at]);
        result.nodes.push(text(&record[node_at..]));
    });
    result
}

fn apmpi_header(bytes: &[u8], order: ByteOrder) -> ApmpiHeader {
    ApmpiHeader {
        id: order.u64(bytes),
        rank: order.i64(&bytes[8..]),
        magic: order.i64(&bytes[16..]),
        sync_flag: order.u32(&bytes[24..]),
        variance_total_mpitime: order.f64(&bytes[32..]),
        variance_total_mpisynctime: order.f64(&bytes[40..]),
    }
}

/// A header of 72 bytes, then a record per router.
pub(crate) fn read_apxc<R: Read + Seek>(region: &mut Region<'_, R>, order: ByteOrder) -> ApxcTable {
    const HEADER: usize = 72;
    let mut result = ApxcTable {
        header: None,
        table: table(Module::Apxc),
        places: Vec::new(),
    };
    if !region.has(HEADER) {
        each_record(region, HEADER, |_| {});
        return result;
    }
    let header = std::array::from_fn(|index| order.i64(&region.bytes()[8 * index..]));
    result.header = Some(header);
    region.consume(HEADER);
    let size = 48 + 8 * result.table.layout.ints.len();
    each_record(region, size, |record| {
        result.table.ids.push(order.u64(record));
        result.table.ranks.push(order.i64(&record[8..]));
        result.places.push(std::array::from_fn(|index| {
            order.i64(&record[16 + 8 * index..])
        }));
        order.extend_i64(&mut result.table.ints, &record[48..]);
    });
    result
}

/// Counters with a histogram over servers.
pub(crate) fn read_mdhim<R: Read + Seek>(
    region: &mut Region<'_, R>,
    order: ByteOrder,
) -> Vec<MdhimRecord> {
    const HISTOGRAM: usize = 88;
    let mut records = Vec::new();
    while region.has(HISTOGRAM) {
        let servers = order.i64(&region.bytes()[48..]);
        let Some(len) = usize::try_from(servers).ok().filter(|&n| n <= 1 << 24) else {
            region.refuse(ErrorKind::Invalid {
                what: "a number of servers cannot be".into(),
                value: servers.to_string(),
            });
            return records;
        };
        let size = HISTOGRAM + 8 * len.max(1);
        if !region.has(size) {
            break;
        }
        let bytes = &region.bytes()[..size];
        let mut record = MdhimRecord {
            id: order.u64(bytes),
            rank: order.i64(&bytes[8..]),
            ints: Vec::new(),
            floats: Vec::new(),
            histogram: Vec::new(),
        };
        order.extend_i64(&mut record.ints, &bytes[16..56]);
        order.extend_f64(&mut record.floats, &bytes[56..HISTOGRAM]);
        order.extend_i64(&mut record.histogram, &bytes[HISTOGRAM..]);
        records.push(record);
        region.consume(size);
    }
    if region.damage().is_none() && !region.bytes().is_empty() {
        region.refuse(ErrorKind::UnexpectedEnd("a record"));
    }
    records
}
