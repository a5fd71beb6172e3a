//! From records to requests: each byte once, and in the time that the record gives it.

use super::coverage::Shown;
use super::dxt::{DxtVisitor, Segment};
use super::dxt_text::{DxtTextRecord, DxtTextRequest};
use super::layers::{self, Plan, Taken};
use super::log::{CounterTable, DxtRecord, HeatmapRecord};
use super::module::Module;
use super::names::NameTable;
use super::opened::Opened;
use super::totals::{self, COUNTING, counter_prefix};
use iotempo_model::{
    Api, FileId, Intake, Op, RawRequest, RequestSink, Seconds, Source, Warning, counted,
};
use std::collections::HashMap;
use std::io;
use std::sync::Arc;

/// Turns records into requests.
pub(crate) struct Emitter<'a> {
    pub(crate) intake: Intake<&'a mut dyn RequestSink>,
    names: Arc<NameTable>,
    files: HashMap<u64, FileId>,
    pub(crate) plan: Plan,
    taken: Taken,
    api: Api,
    record: (i64, u64, FileId),
    text_record: Option<u64>,
    origin_s: f64,
    tick_s: f64,
    run_time_s: f64,
    pub(crate) shown: Shown,
    /// The layers that requests came from, in order.
    used: Vec<Api>,
    /// Σ bytes · length of their interval: how well a byte's moment is known.
    smear: f64,
    bin_width_s: f64,
    without_time: u64,
    nprocs: i64,
    odd_ranks: u64,
    pub(crate) error: Option<io::Error>,
}

impl<'a> Emitter<'a> {
    pub(crate) fn new(log: &Opened, sink: &'a mut dyn RequestSink, plan: Plan) -> Self {
        Self {
            intake: Intake::new(sink),
            names: log.names(),
            files: HashMap::new(),
            plan,
            taken: Taken::default(),
            api: Api::Unknown,
            record: (0, 0, FileId(0)),
            text_record: None,
            origin_s: 0.0,
            tick_s: log.tick_s(),
            run_time_s: log.job().run_time_s,
            shown: Shown::default(),
            used: Vec::new(),
            smear: 0.0,
            bin_width_s: 0.0,
            without_time: 0,
            nprocs: match log.job().nprocs {
                // A text may not say.
                0 => i64::MAX,
                nprocs => nprocs,
            },
            odd_ranks: 0,
            error: None,
        }
    }

    /// The sink's id for a record.
    fn file(&mut self, id: u64) -> FileId {
        let (names, intake) = (&self.names, &mut self.intake);
        *self
            .files
            .entry(id)
            .or_insert_with(|| intake.file(&names.label(id)))
    }

    /// Passes on one request of the current layer; `false` where the sink is broken.
    fn push(&mut self, rank: i64, file: FileId, op: Op, start: f64, end: f64, bytes: f64) -> bool {
        let request = RawRequest {
            rank,
            op,
            api: self.api,
            file,
            start,
            end,
            bytes,
        };
        // All ranks together are −1; a job of n processes has ranks below n.
        if !(-1..self.nprocs).contains(&rank) {
            self.odd_ranks += 1;
        }
        if bytes > 0.0 {
            self.shown.add(op, bytes);
            self.smear += bytes * (end - start).max(0.0);
        }
        if !self.used.contains(&self.api) {
            self.used.push(self.api);
        }
        match self.intake.offer(request) {
            Ok(()) => true,
            Err(error) => {
                self.error = Some(error);
                false
            }
        }
    }

    pub(crate) fn resolution(&self, source: Source) -> Option<Seconds> {
        let seconds = match source {
            Source::Dxt => self.tick_s,
            Source::Heatmap => self.bin_width_s,
            _ => self.smear / self.shown.total(),
        };
        Seconds::new(seconds).filter(|seconds| seconds.get() > 0.0)
    }

    /// Goes through one kind of evidence.
    pub(crate) fn walk(&mut self, log: &mut Opened, source: Source) {
        match source {
            Source::Dxt => self.dxt(log),
            Source::Heatmap => self.heatmap(log),
            _ => self.counters(log),
        }
    }

    /// Which layer was believed, and what that came to here.
    pub(crate) fn layers_note(&self) -> String {
        let used: Vec<_> = self.used.iter().map(|api| layer_name(*api)).collect();
        match used.is_empty() {
            true => self.plan.note.clone(),
            false => format!("{} (here: {})", self.plan.note, used.join(", ")),
        }
    }

    /// What was odd about the records, beside what the intake repaired.
    pub(crate) fn oddities(&self) -> Vec<Warning> {
        let mut warnings = Vec::new();
        if self.without_time > 0 {
            let message = format!(
                "{} with bytes but without a time: spread over the whole run",
                counted(self.without_time, "record")
            );
            warnings.push(Warning::new("no-timestamps", message));
        }
        if self.odd_ranks > 0 {
            let message = format!(
                "{} of a rank that a job of {} does not have",
                counted(self.odd_ranks, "request"),
                counted(self.nprocs.unsigned_abs(), "rank")
            );
            warnings.push(Warning::new("odd-ranks", message));
        }
        warnings
    }

    fn dxt(&mut self, log: &mut Opened) {
        for api in self.plan.layers.clone() {
            let module = match api {
                Api::Posix => Module::DxtPosix,
                Api::MpiIo => Module::DxtMpiio,
                _ => continue,
            };
            self.api = api;
            log.each_dxt(module, self);
        }
    }

    /// One line of `darshan-dxt-parser`'s text, which prints POSIX before MPI-IO.
    pub(crate) fn text_request(
        &mut self,
        record: &DxtTextRecord,
        request: &DxtTextRequest,
    ) -> io::Result<()> {
        self.api = match record.module {
            Module::DxtMpiio => Api::MpiIo,
            _ => Api::Posix,
        };
        if self.text_record != Some(record.ordinal) {
            self.text_record = Some(record.ordinal);
            self.record = (record.rank, record.id, self.intake.file(&record.name));
        }
        if self.plan.layers.contains(&self.api) {
            let op = if request.write { Op::Write } else { Op::Read };
            let segment = Segment {
                offset: request.offset,
                length: request.length,
                start: request.start_s,
                end: request.end_s,
                thread: request.thread,
            };
            self.segments(op, std::iter::once(segment));
        }
        self.error.take().map_or(Ok(()), Err)
    }

    fn heatmap(&mut self, log: &mut Opened) {
        let layers = self.heatmap_layers(log);
        log.each_heatmap(|record| self.heatmap_record(record, &layers));
    }

    /// A heatmap does not know files: a layer is taken as a whole, or not at all.
    fn heatmap_layers(&self, log: &mut Opened) -> Vec<Api> {
        let mut held = Vec::new();
        log.each_heatmap(|record| {
            let api = layers::heatmap_layer(&self.names, record.id);
            let moved = record
                .writes
                .iter()
                .chain(&record.reads)
                .any(|&bytes| bytes != 0);
            if moved && !held.contains(&api) {
                held.push(api);
            }
            true
        });
        let mut layers: Vec<Api> = self
            .plan
            .layers
            .iter()
            .copied()
            .filter(|api| held.contains(api))
            .collect();
        if !self.plan.each_once {
            return layers;
        }
        let first = layers.first().copied();
        let alone = |api: Api| matches!(api, Api::Posix | Api::MpiIo);
        layers.retain(|&api| !alone(api) || Some(api) == first);
        if layers.contains(&Api::Dfs) {
            layers.retain(|&api| api != Api::Daos && api != Api::MpiIo);
        }
        layers
    }

    fn heatmap_record(&mut self, record: &HeatmapRecord, layers: &[Api]) -> bool {
        self.api = layers::heatmap_layer(&self.names, record.id);
        if !layers.contains(&self.api) {
            return true;
        }
        let file = self.file(record.id);
        let width = record.bin_width_s;
        self.bin_width_s = self.bin_width_s.max(width);
        for (op, bins) in [(Op::Write, &record.writes), (Op::Read, &record.reads)] {
            for (index, &bytes) in bins.iter().enumerate().filter(|(_, bytes)| **bytes != 0) {
                let (start, end) = (index as f64 * width, (index + 1) as f64 * width);
                if !self.push(record.rank, file, op, start, end, bytes as f64) {
                    return false;
                }
            }
        }
        true
    }

    fn counters(&mut self, log: &mut Opened) {
        for api in self.plan.layers.clone() {
            for (module, _) in COUNTING.into_iter().filter(|&(_, a)| a == api) {
                if !log.has(module) {
                    continue;
                }
                self.api = api;
                self.origin_s = log.time_origin_s();
                log.each_counters(module, |table| self.table(module, table));
            }
        }
    }

    /// Spreads the bytes of each record between its first and last access.
    fn table(&mut self, module: Module, table: &CounterTable) -> bool {
        let Some(columns) = Columns::of(module, table) else {
            return true;
        };
        let first = self.plan.layers.first().copied().unwrap_or(self.api);
        (0..table.len()).all(|record| {
            let (id, rank) = (table.ids[record], table.ranks[record]);
            if self.plan.each_once && self.taken.is_taken(self.api, id, first) {
                return true;
            }
            let (ints, floats) = (table.ints_of(record), table.floats_of(record));
            columns.0.iter().all(|column| {
                let bytes = ints[column.bytes];
                if bytes == 0 {
                    return true;
                }
                self.taken.take(self.api, id, first);
                let file = self.file(id);
                let (start, end) = self.access_span(column, floats);
                self.push(rank, file, column.op, start, end, bytes as f64)
            })
        })
    }

    /// From the first to the last access; from the first open to the last close where those stamps
    /// are missing, as in some STDIO records; else the whole run.
    fn access_span(&mut self, column: &OpColumns, floats: &[f64]) -> (f64, f64) {
        let span = [(column.start, column.end), (column.open, column.close)]
            .into_iter()
            .filter_map(|(start, end)| Some((floats[start?], floats[end?])))
            // 0 is "never happened", −1 "not recorded by this version".
            .find(|&(start, end)| start > 0.0 && end > 0.0);
        match span {
            Some((start, end)) => (start - self.origin_s, end - self.origin_s),
            None => {
                self.without_time += 1;
                (0.0, self.run_time_s.max(0.0))
            }
        }
    }
}

impl DxtVisitor for Emitter<'_> {
    fn record(&mut self, record: &DxtRecord) -> bool {
        self.record = (record.rank, record.id, self.file(record.id));
        true
    }

    fn segments(&mut self, op: Op, segments: impl Iterator<Item = Segment>) -> bool {
        let (rank, id, file) = self.record;
        let first = self.plan.layers.first().copied().unwrap_or(self.api);
        if self.plan.each_once && self.taken.is_taken(self.api, id, first) {
            return true;
        }
        self.taken.take(self.api, id, first);
        for segment in segments {
            let bytes = segment.length as f64;
            if !self.push(rank, file, op, segment.start, segment.end, bytes) {
                return false;
            }
        }
        true
    }
}

/// Darshan's name for a layer.
fn layer_name(api: Api) -> &'static str {
    match api {
        Api::Posix => "POSIX",
        Api::MpiIo => "MPI-IO",
        Api::Stdio => "STDIO",
        Api::Dfs => "DFS",
        Api::Daos => "DAOS",
        Api::Unknown => "unknown",
    }
}

/// The counters that say how much moved when, per direction.
struct Columns([OpColumns; 2]);

struct OpColumns {
    op: Op,
    bytes: usize,
    start: Option<usize>,
    end: Option<usize>,
    open: Option<usize>,
    close: Option<usize>,
}

impl Columns {
    fn of(module: Module, table: &CounterTable) -> Option<Self> {
        let prefix = counter_prefix(module);
        let float = |name: &str| table.layout.float(&format!("{prefix}F_{name}"));
        let (read, written) = totals::byte_columns(module, table)?;
        let columns = |op: Op, bytes: usize, word: &str| OpColumns {
            op,
            bytes,
            start: float(&format!("{word}_START_TIMESTAMP")),
            end: float(&format!("{word}_END_TIMESTAMP")),
            open: float("OPEN_START_TIMESTAMP").or_else(|| float("OPEN_TIMESTAMP")),
            close: float("CLOSE_END_TIMESTAMP").or_else(|| float("CLOSE_TIMESTAMP")),
        };
        Some(Self([
            columns(Op::Read, read, "READ"),
            columns(Op::Write, written, "WRITE"),
        ]))
    }
}
