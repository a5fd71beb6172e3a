//! Heatmaps: bytes per rank and time bin.

use super::bytes::ByteOrder;
use super::log::HeatmapRecord;
use super::region::Region;
use crate::error::ErrorKind;
use iotempo_model::{Warning, counted};
use std::io::{Read, Seek};

/// Length of the header before the bins. Its last 16 bytes are stale pointers.
const HEADER: usize = 48;

/// The most bins of a record. Darshan writes at most 200; what is far above is not a heatmap.
const MOST_BINS: u64 = 1 << 24;

/// Reads records until the region ends or is damaged; `take` answers whether to go on.
pub(crate) fn read<R: Read + Seek>(
    region: &mut Region<'_, R>,
    order: ByteOrder,
    mut take: impl FnMut(HeatmapRecord) -> bool,
) {
    while region.has(HEADER) {
        let bins = match bins(region.bytes(), order) {
            Ok(bins) => bins,
            Err(kind) => return region.refuse(kind),
        };
        if !region.has(HEADER + 16 * bins) {
            break;
        }
        let record = decode(region.bytes(), order, bins);
        region.consume(HEADER + 16 * bins);
        if !take(record) {
            return;
        }
    }
    if region.damage().is_none() && !region.bytes().is_empty() {
        region.refuse(ErrorKind::UnexpectedEnd("a record"));
    }
}

fn bins(header: &[u8], order: ByteOrder) -> Result<usize, ErrorKind> {
    let invalid = |what: &'static str, value: String| ErrorKind::Invalid {
        what: what.into(),
        value,
    };
    let width = order.f64(&header[16..]);
    if !(width.is_finite() && width > 0.0) {
        return Err(invalid("the width of a bin cannot be", width.to_string()));
    }
    let bins = order.i64(&header[24..]);
    u64::try_from(bins)
        .ok()
        .filter(|&bins| bins <= MOST_BINS)
        .map(|bins| bins as usize)
        .ok_or_else(|| invalid("a number of bins cannot be", bins.to_string()))
}

fn decode(bytes: &[u8], order: ByteOrder, bins: usize) -> HeatmapRecord {
    let list = |from: usize| {
        let mut values = Vec::with_capacity(bins);
        order.extend_i64(&mut values, &bytes[from..from + 8 * bins]);
        values
    };
    HeatmapRecord {
        id: order.u64(bytes),
        rank: order.i64(&bytes[8..]),
        bin_width_s: order.f64(&bytes[16..]),
        writes: list(HEADER),
        reads: list(HEADER + 8 * bins),
    }
}

/// Darshan 3.4.0 to 3.4.3 could write records that differ by one bin. As libdarshan does, all are
/// brought to the length of the first one: a bin too many is dropped, one too few is appended. Bins
/// of another width cover other times, and are left alone.
pub(crate) fn even_out(records: &mut [HeatmapRecord], warnings: &mut Vec<Warning>) {
    let Some(first) = records.first() else {
        return;
    };
    let (bins, width) = (first.writes.len(), first.bin_width_s);
    let mut repaired = 0;
    for record in records {
        if record.bin_width_s == width && record.writes.len().abs_diff(bins) == 1 {
            record.writes.resize(bins, 0);
            record.reads.resize(bins, 0);
            repaired += 1;
        }
    }
    if repaired > 0 {
        warnings.push(Warning::new(
            "heatmap-bins",
            format!(
                "HEATMAP: evened out {} one bin longer or shorter than the first",
                counted(repaired, "record")
            ),
        ));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(bin_width_s: f64, bins: usize) -> HeatmapRecord {
        HeatmapRecord {
            id: 1,
            rank: 0,
            bin_width_s,
            writes: vec![5; bins],
            reads: vec![7; bins],
        }
    }

    #[test]
    fn records_that_differ_by_a_bin_of_the_same_width_are_evened_out() {
        let widths_and_bins = [(0.1, 4), (0.1, 3), (0.1, 5), (0.1, 6), (0.2, 3)];
        let mut records = widths_and_bins.map(|(width, bins)| record(width, bins));
        let mut warnings = Vec::new();
        even_out(&mut records, &mut warnings);
        assert_eq!(records.each_ref().map(|r| r.writes.len()), [4, 4, 4, 6, 3]);
        assert_eq!(records[1].reads, [7, 7, 7, 0]);
        assert_eq!(records[2].reads, [7, 7, 7, 7]);
        assert_eq!(warnings.len(), 1);
    }
}
