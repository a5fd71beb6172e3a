//! The counters of one rank on one file.

use super::super::super::layout::Layout;
use super::super::super::module::Module;
use super::super::counters::CounterRecord;
use super::common::Common;
use super::{Call, Event};
use iotempo_model::Op;

/// Upper bounds of the size histogram, inclusive; the last bucket has none.
const BUCKETS: [(i64, &str); 10] = [
    (100, "0_100"),
    (1 << 10, "100_1K"),
    (10 << 10, "1K_10K"),
    (100 << 10, "10K_100K"),
    (1 << 20, "100K_1M"),
    (4 << 20, "1M_4M"),
    (10 << 20, "4M_10M"),
    (100 << 20, "10M_100M"),
    (1 << 30, "100M_1G"),
    (i64::MAX, "1G_PLUS"),
];

/// The first start and the last end of a kind of call; 0 where there was none.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Stamps {
    pub(super) start: f64,
    pub(super) end: f64,
}

impl Stamps {
    fn note(&mut self, start: f64, end: f64) {
        if self.start == 0.0 {
            self.start = start;
        }
        self.end = end;
    }
}

/// Time spent in a kind of call. Where calls overlap, the overlap counts once.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Timer {
    pub(super) total: f64,
    until: f64,
}

impl Timer {
    fn add(&mut self, start: f64, end: f64) {
        self.total += (end - start.max(self.until)).max(0.0);
        self.until = self.until.max(end);
    }
}

/// One direction.
#[derive(Debug, Clone, Default)]
pub(super) struct Direction {
    pub(super) calls: i64,
    pub(super) collective: i64,
    pub(super) bytes: i64,
    pub(super) max_byte: i64,
    pub(super) consecutive: i64,
    pub(super) sequential: i64,
    pub(super) sizes: [i64; 10],
    pub(super) time: Timer,
    pub(super) longest: f64,
    pub(super) longest_size: i64,
    pub(super) stamps: Stamps,
    last_byte: i64,
}

/// How the ranks of a shared file differ.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Spread {
    pub(super) fastest: Share,
    pub(super) slowest: Share,
    pub(super) time_variance: f64,
    pub(super) bytes_variance: f64,
}

/// A rank's part of the work on a file.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Share {
    pub(super) rank: i64,
    pub(super) bytes: i64,
    pub(super) time: f64,
}

/// What a rank, or all of them, did with a file.
#[derive(Debug, Clone, Default)]
pub(super) struct Tally {
    pub(super) rank: i64,
    pub(super) opens: i64,
    pub(super) flushes: i64,
    pub(super) switches: i64,
    pub(super) alignment: i64,
    pub(super) unaligned: i64,
    pub(super) read: Direction,
    pub(super) write: Direction,
    pub(super) meta: Timer,
    pub(super) opened: Stamps,
    pub(super) closed: Stamps,
    pub(super) sizes: Common,
    pub(super) strides: Common,
    pub(super) spread: Spread,
    pub(super) last_op: Option<Op>,
}

impl Tally {
    /// Counts what a rank did, in order.
    pub(super) fn of(rank: u32, events: &[Event], alignment: i64) -> Self {
        let mut tally = Self {
            rank: rank.into(),
            alignment,
            ..Self::default()
        };
        for event in events {
            tally.count(event);
        }
        tally
    }

    fn count(&mut self, event: &Event) {
        match *event {
            Event::Open { start, end } => {
                self.opens += 1;
                self.opened.note(start, end);
                self.meta.add(start, end);
                self.forget_position();
            }
            Event::Close { start, end } => {
                self.closed.note(start, end);
                self.meta.add(start, end);
                self.forget_position();
            }
            // Darshan counts it as writing.
            Event::Flush { start, end } => {
                self.flushes += 1;
                self.write.time.add(start, end);
                self.write.stamps.note(start, end);
            }
            Event::Data(call) => self.count_call(&call),
        }
    }

    fn forget_position(&mut self) {
        self.read.last_byte = 0;
        self.write.last_byte = 0;
    }

    fn count_call(&mut self, call: &Call) {
        self.sizes.count(call.length);
        self.switches += i64::from(self.last_op.is_some_and(|op| op != call.op));
        self.last_op = Some(call.op);
        self.unaligned += i64::from(self.alignment > 0 && call.offset % self.alignment != 0);
        let direction = match call.op {
            Op::Read => &mut self.read,
            Op::Write => &mut self.write,
        };
        self.strides.count(direction.move_to(call));
        direction.count(call);
    }

    /// Time spent reading, writing and on metadata.
    pub(super) fn time(&self) -> f64 {
        self.read.time.total + self.write.time.total + self.meta.total
    }

    /// Bytes moved both ways.
    pub(super) fn bytes(&self) -> i64 {
        self.read.bytes + self.write.bytes
    }

    /// As a record of the newest version of `module`.
    pub(super) fn record(&self, module: Module, file: &str) -> CounterRecord {
        let record = CounterRecord::new(module, file).rank(self.rank);
        let mut fields = Fields::new(module, record);
        self.set_counts(module, &mut fields);
        self.set_times(&mut fields);
        for (op, direction) in [("READ", &self.read), ("WRITE", &self.write)] {
            direction.set(op, &mut fields);
        }
        for (kind, values) in [("ACCESS", &self.sizes), ("STRIDE", &self.strides)] {
            for (at, (value, count)) in (1..).zip(values.top()) {
                fields.int(&format!("{kind}{at}_{kind}"), value);
                fields.int(&format!("{kind}{at}_COUNT"), count);
            }
        }
        self.set_spread(&mut fields);
        fields.record
    }

    fn set_counts(&self, module: Module, fields: &mut Fields) {
        let collective = self.read.collective + self.write.collective > 0;
        fields.int(
            if collective {
                "COLL_OPENS"
            } else {
                "INDEP_OPENS"
            },
            self.opens,
        );
        fields.int("OPENS", self.opens);
        for name in ["FSYNCS", "SYNCS", "FLUSHES"] {
            fields.int(name, self.flushes);
        }
        fields.int("RW_SWITCHES", self.switches);
        fields.int("MODE", self.mode(module));
        // Not wrapped unless Darshan is built to.
        fields.int("MMAPS", -1);
        fields.int("MEM_ALIGNMENT", 8);
        fields.int("FILE_ALIGNMENT", self.alignment);
        fields.int("FILE_NOT_ALIGNED", self.unaligned);
    }

    /// The permissions of a new file; for MPI-IO the access mode.
    fn mode(&self, module: Module) -> i64 {
        const READ_ONLY: i64 = 2;
        const CREATE_AND_WRITE: i64 = 1 | 4;
        const CREATE_READ_AND_WRITE: i64 = 1 | 8;
        match (module, self.read.calls > 0, self.write.calls > 0) {
            (Module::MpiIo, true, true) => CREATE_READ_AND_WRITE,
            (Module::MpiIo, _, true) => CREATE_AND_WRITE,
            (Module::MpiIo, _, false) => READ_ONLY,
            (_, _, true) => 0o644,
            (_, _, false) => 0,
        }
    }

    fn set_times(&self, fields: &mut Fields) {
        fields.float("META_TIME", self.meta.total);
        for (kind, stamps) in [("OPEN", self.opened), ("CLOSE", self.closed)] {
            fields.float(&format!("{kind}_START_TIMESTAMP"), stamps.start);
            fields.float(&format!("{kind}_END_TIMESTAMP"), stamps.end);
        }
    }

    fn set_spread(&self, fields: &mut Fields) {
        for (kind, share) in [
            ("FASTEST", self.spread.fastest),
            ("SLOWEST", self.spread.slowest),
        ] {
            fields.int(&format!("{kind}_RANK"), share.rank);
            fields.int(&format!("{kind}_RANK_BYTES"), share.bytes);
            fields.float(&format!("{kind}_RANK_TIME"), share.time);
        }
        fields.float("VARIANCE_RANK_TIME", self.spread.time_variance);
        fields.float("VARIANCE_RANK_BYTES", self.spread.bytes_variance);
    }
}

impl Direction {
    /// Compares the call with where the last one ended, and answers the gap between them: 0 where
    /// there is none, or no last one.
    fn move_to(&mut self, call: &Call) -> i64 {
        let forward = call.offset > self.last_byte;
        self.sequential += i64::from(forward);
        self.consecutive += i64::from(call.offset == self.last_byte + 1);
        let gap = if forward && self.last_byte != 0 {
            call.offset - self.last_byte - 1
        } else {
            0
        };
        self.last_byte = call.offset + call.length - 1;
        gap
    }

    fn count(&mut self, call: &Call) {
        self.calls += 1;
        self.collective += i64::from(call.collective);
        self.bytes += call.length;
        self.max_byte = self.max_byte.max(call.offset + call.length - 1);
        let bucket = BUCKETS.iter().position(|&(bound, _)| call.length <= bound);
        self.sizes[bucket.unwrap_or(BUCKETS.len() - 1)] += 1;
        self.time.add(call.start, call.end);
        self.stamps.note(call.start, call.end);
        if call.end - call.start > self.longest {
            self.longest = call.end - call.start;
            self.longest_size = call.length;
        }
    }

    fn set(&self, op: &str, fields: &mut Fields) {
        let done = if op == "READ" { "READ" } else { "WRITTEN" };
        fields.int(&format!("{op}S"), self.calls);
        fields.int(&format!("COLL_{op}S"), self.collective);
        fields.int(&format!("INDEP_{op}S"), self.calls - self.collective);
        fields.int(&format!("BYTES_{done}"), self.bytes);
        fields.int(&format!("MAX_BYTE_{done}"), self.max_byte);
        fields.int(&format!("CONSEC_{op}S"), self.consecutive);
        fields.int(&format!("SEQ_{op}S"), self.sequential);
        fields.int(&format!("MAX_{op}_TIME_SIZE"), self.longest_size);
        for ((_, bucket), count) in BUCKETS.iter().zip(self.sizes) {
            fields.int(&format!("SIZE_{op}_{bucket}"), count);
            fields.int(&format!("SIZE_{op}_AGG_{bucket}"), count);
        }
        fields.float(&format!("{op}_TIME"), self.time.total);
        fields.float(&format!("MAX_{op}_TIME"), self.longest);
        fields.float(&format!("{op}_START_TIMESTAMP"), self.stamps.start);
        fields.float(&format!("{op}_END_TIMESTAMP"), self.stamps.end);
    }
}

/// Sets the counters that a module has, and drops those that it has not.
struct Fields {
    record: CounterRecord,
    layout: &'static Layout,
    prefix: &'static str,
}

impl Fields {
    fn new(module: Module, record: CounterRecord) -> Self {
        let prefix = match module {
            Module::MpiIo => "MPIIO_",
            Module::Stdio => "STDIO_",
            _ => "POSIX_",
        };
        let layout = Layout::latest(module).expect("a module with counters");
        Self {
            record,
            layout,
            prefix,
        }
    }

    fn int(&mut self, name: &str, value: i64) {
        let name = format!("{}{name}", self.prefix);
        if self.layout.int(&name).is_some() {
            self.record.set(name, value);
        }
    }

    fn float(&mut self, name: &str, value: f64) {
        let name = format!("{}F_{name}", self.prefix);
        if self.layout.float(&name).is_some() {
            self.record.set_float(name, value);
        }
    }
}
