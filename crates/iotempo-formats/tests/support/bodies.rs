//! What the fuzz targets and the mutation test do with every input.
//!
//! Each body reads bytes that nobody vouches for, and asserts what must hold whatever they are.
#![allow(dead_code, reason = "a fuzz target runs one of them")]

use iotempo_formats::darshan::{CounterTable, DxtTable, Log, ModuleData, Records};
use iotempo_formats::{Input, Limits, ReadOptions, read, read_trace};
use iotempo_model::{FileId, Request, RequestSink};
use std::io::{self, Cursor};

/// Small enough that no input can make a run take long.
const LIMITS: Limits = Limits {
    inflated: 4 << 20,
    decoded: 8 << 20,
    spooled: 1 << 20,
    name: 64 << 10,
};

/// Judges the format by content, reads it, and compares two ways to receive its requests.
pub(crate) fn any(bytes: &[u8]) {
    let options = ReadOptions {
        limits: LIMITS,
        ..ReadOptions::default()
    };
    let mut count = Counting::default();
    let Ok(reading) = read(Input::bytes(bytes), &options, &mut count) else {
        return;
    };
    assert!(
        !reading.damaged || !reading.warnings.is_empty(),
        "damage without a word about it"
    );
    let (_, trace) = read_trace(Input::bytes(bytes), &options).expect("it was just read");
    assert_eq!(trace.len(), count.requests, "requests");
    assert_eq!(trace.volume().get().to_bits(), count.bytes.to_bits());
    assert!(trace.span().is_none_or(|span| span.length().get() >= 0.0));
}

/// Decodes a Darshan log of version 3 into memory.
pub(crate) fn darshan(bytes: &[u8]) {
    let Ok(log) = Log::read(Cursor::new(bytes), &LIMITS) else {
        return;
    };
    for data in &log.modules {
        assert!(data.damage.is_none() || !log.warnings.is_empty());
        check_module(data);
    }
    for (id, name) in log.names.iter_unsorted() {
        assert_eq!(log.names.get(id), Some(name));
    }
}

fn check_module(data: &ModuleData) {
    match &data.records {
        Records::Counters(table) => check_counters(table),
        Records::Apmpi(apmpi) => {
            check_counters(&apmpi.table);
            assert_eq!(apmpi.nodes.len(), apmpi.table.len());
        }
        Records::Apxc(apxc) => {
            check_counters(&apxc.table);
            assert_eq!(apxc.places.len(), apxc.table.len());
        }
        Records::Dxt(table) => check_dxt(table),
        Records::Heatmap(records) => {
            for record in records {
                assert_eq!(record.writes.len(), record.reads.len());
                assert!(record.bin_width_s > 0.0 && record.bin_width_s.is_finite());
            }
        }
        Records::Lustre(_) | Records::Mdhim(_) | Records::Unreadable => {}
    }
}

fn check_counters(table: &CounterTable) {
    let rows = table.len();
    assert_eq!(table.ranks.len(), rows);
    assert_eq!(table.ints.len(), rows * table.layout.ints.len());
    assert_eq!(table.floats.len(), rows * table.layout.floats.len());
    assert!(table.file_ids.is_empty() || table.file_ids.len() == rows);
    assert!(table.objects.is_empty() || table.objects.len() == rows);
}

/// Records own the columns one after the other, without gaps.
fn check_dxt(table: &DxtTable) {
    let mut next = 0;
    for record in &table.records {
        assert_eq!(record.first, next);
        next += (record.writes + record.reads) as usize;
    }
    let columns = [
        table.offsets.len(),
        table.lengths.len(),
        table.starts.len(),
        table.ends.len(),
    ];
    assert_eq!(columns, [next; 4]);
    assert!(table.threads.is_empty() || table.threads.len() == next);
}

/// Counts what it is given, and asserts that all of it is valid.
#[derive(Default)]
struct Counting {
    files: u32,
    requests: usize,
    bytes: f64,
}

impl RequestSink for Counting {
    fn file(&mut self, _name: &str) -> FileId {
        self.files += 1;
        FileId(self.files - 1)
    }

    fn push(&mut self, request: Request) -> io::Result<()> {
        assert!(request.file.0 < self.files, "a file that was never named");
        assert!(request.when.start() <= request.when.end());
        let bytes = request.bytes.get();
        assert!(bytes.is_finite() && bytes >= 0.0, "{bytes} bytes");
        self.requests += 1;
        // As volumes are added: what would overflow stops at the largest number.
        self.bytes = (self.bytes + bytes).min(f64::MAX);
        Ok(())
    }
}
