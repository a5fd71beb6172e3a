//! Random records of every module, as they are written and as they must be read.

use super::rng::Rng;
use iotempo_formats::darshan::writer::{CounterRecord, DxtRun, Record, record_id};
use iotempo_formats::darshan::{
    ApmpiHeader, DaosObject, HeatmapRecord, Layout, LogVersion, LustreComponent, LustreRecord,
    MdhimRecord, Module, Segment,
};

/// The module versions that releases of Darshan, or libdarshan, knew with each log version.
pub(crate) fn module_versions(log: LogVersion) -> &'static [(Module, &'static [u32])] {
    match log {
        LogVersion::V300 => &[
            (Module::Posix, &[1]),
            (Module::MpiIo, &[1]),
            (Module::H5f, &[1]),
            (Module::PnetcdfFile, &[1]),
            (Module::BgQ, &[1]),
        ],
        LogVersion::V310 => &[
            (Module::Posix, &[2, 3, 4]),
            (Module::MpiIo, &[1, 2, 3]),
            (Module::H5f, &[1, 2]),
            (Module::PnetcdfFile, &[1, 2]),
            (Module::BgQ, &[1, 2]),
            (Module::Lustre, &[1]),
            (Module::Stdio, &[1, 2]),
            (Module::DxtPosix, &[1]),
            (Module::DxtMpiio, &[1]),
            (Module::Mdhim, &[1]),
        ],
        LogVersion::V320 => &[
            (Module::Posix, &[4]),
            (Module::MpiIo, &[3]),
            (Module::H5f, &[3]),
            (Module::H5d, &[1]),
            (Module::PnetcdfFile, &[2]),
            (Module::BgQ, &[2]),
            (Module::Lustre, &[1]),
            (Module::Stdio, &[2]),
            (Module::DxtPosix, &[1]),
            (Module::DxtMpiio, &[2]),
            (Module::Mdhim, &[1]),
        ],
        LogVersion::V321 => &[
            (Module::Posix, &[4]),
            (Module::MpiIo, &[3]),
            (Module::H5f, &[3]),
            (Module::H5d, &[1, 2]),
            (Module::PnetcdfFile, &[2]),
            (Module::BgQ, &[2]),
            (Module::Lustre, &[1]),
            (Module::Stdio, &[2]),
            (Module::DxtPosix, &[1]),
            (Module::DxtMpiio, &[2]),
            (Module::Mdhim, &[1]),
            (Module::Apxc, &[1]),
            (Module::Apmpi, &[1]),
            (Module::Heatmap, &[1]),
        ],
        LogVersion::V341 => &[
            (Module::Posix, &[4]),
            (Module::MpiIo, &[3]),
            (Module::H5f, &[3]),
            (Module::H5d, &[2]),
            (Module::PnetcdfFile, &[3]),
            (Module::PnetcdfVar, &[1]),
            (Module::BgQ, &[2]),
            (Module::Lustre, &[1, 2]),
            (Module::Stdio, &[2]),
            (Module::DxtPosix, &[1, 2]),
            (Module::DxtMpiio, &[2, 3]),
            (Module::Mdhim, &[1]),
            (Module::Apxc, &[1]),
            (Module::Apmpi, &[1]),
            (Module::Heatmap, &[1]),
            (Module::Dfs, &[1]),
            (Module::Daos, &[1]),
        ],
    }
}

/// Counters as they are written, by the names of the version on disk.
#[derive(Debug, Clone)]
pub(crate) struct Row {
    pub(crate) id: u64,
    pub(crate) rank: i64,
    pub(crate) ints: Vec<(String, i64)>,
    pub(crate) floats: Vec<(String, f64)>,
    pub(crate) file_id: u64,
    pub(crate) object: DaosObject,
    pub(crate) node: String,
    pub(crate) place: [i64; 4],
}

/// The random records of a module.
#[derive(Debug, Clone)]
pub(crate) enum Rows {
    Counters(Vec<Row>),
    Apmpi(ApmpiHeader, Vec<Row>),
    Apxc([i64; 9], Vec<Row>),
    Dxt(Vec<DxtRun>),
    Heatmap(Vec<HeatmapRecord>),
    Lustre(Vec<LustreRecord>),
    Mdhim(Vec<MdhimRecord>),
}

impl Rows {
    /// Up to 9 records, in the order in which ranks write them: rank 0, what all share, the rest.
    pub(crate) fn random(rng: &mut Rng, module: Module, version: u32) -> Self {
        let mut ranks: Vec<i64> = (0..rng.below(10))
            .map(|_| rng.below(6) as i64 - 1)
            .collect();
        ranks.sort_by_key(|&rank| (rank.max(0), rank < 0));
        let bins = rng.below(5);
        match module {
            Module::DxtPosix | Module::DxtMpiio => {
                let run = |rank: &i64| dxt(rng, module, version, rank.abs());
                Self::Dxt(ranks.iter().map(run).collect())
            }
            Module::Heatmap => {
                Self::Heatmap(ranks.iter().map(|&rank| heatmap(rng, rank, bins)).collect())
            }
            Module::Lustre => Self::Lustre(
                ranks
                    .iter()
                    .map(|&rank| lustre(rng, version, rank))
                    .collect(),
            ),
            Module::Mdhim => Self::Mdhim(ranks.iter().map(|&rank| mdhim(rng, rank)).collect()),
            Module::Apmpi => Self::Apmpi(apmpi_header(rng), rows(rng, module, version, &ranks)),
            Module::Apxc => {
                let mut header = [0; 9].map(|_: i64| rng.next() as i64);
                header[1] = 0;
                Self::Apxc(header, rows(rng, module, version, &ranks))
            }
            _ => Self::Counters(rows(rng, module, version, &ranks)),
        }
    }

    /// What to hand to the writer.
    pub(crate) fn records(&self, module: Module) -> Vec<Record> {
        let counters = |rows: &[Row]| -> Vec<Record> {
            rows.iter().map(|row| row.record(module).into()).collect()
        };
        match self {
            Self::Counters(rows) => counters(rows),
            Self::Apmpi(header, rows) => {
                [vec![Record::ApmpiHeader(header.clone())], counters(rows)].concat()
            }
            Self::Apxc(header, rows) => {
                [vec![Record::ApxcHeader(*header)], counters(rows)].concat()
            }
            Self::Dxt(runs) => runs.iter().cloned().map(Record::from).collect(),
            Self::Heatmap(records) => records.iter().cloned().map(Record::from).collect(),
            Self::Lustre(records) => records.iter().cloned().map(Record::from).collect(),
            Self::Mdhim(records) => records.iter().cloned().map(Record::from).collect(),
        }
    }
}

impl Row {
    fn random(rng: &mut Rng, module: Module, version: u32, rank: i64) -> Self {
        let layout = Layout::of(module, version).expect("a version");
        let mut int = |name: &String| {
            // Records of the first version that saw stdio calls are a case of their own.
            let stdio = name.starts_with("POSIX_FOPENS");
            let value = if stdio { 0 } else { any_int(rng) };
            (name.clone(), value)
        };
        let ints = layout.ints.iter().map(&mut int).collect();
        let mut float = |name: &String| (name.clone(), any_float(rng));
        let floats = layout.floats.iter().map(&mut float).collect();
        Self {
            id: rng.next(),
            rank,
            ints,
            floats,
            file_id: rng.next(),
            object: object(rng),
            node: text(rng, 128),
            place: [0; 4].map(|_: i64| rng.next() as i64),
        }
    }

    fn record(&self, module: Module) -> CounterRecord {
        let mut record = CounterRecord::nameless(module, self.id)
            .rank(self.rank)
            .in_file(self.file_id)
            .object(self.object)
            .node(&self.node)
            .place(self.place);
        for (name, value) in &self.ints {
            record = record.counter(name, *value);
        }
        for (name, value) in &self.floats {
            record = record.float(name, *value);
        }
        record
    }
}

fn rows(rng: &mut Rng, module: Module, version: u32, ranks: &[i64]) -> Vec<Row> {
    let row = |&rank: &i64| Row::random(rng, module, version, rank);
    ranks.iter().map(row).collect()
}

/// Small numbers, markers and extremes.
fn any_int(rng: &mut Rng) -> i64 {
    match rng.below(4) {
        0 => rng.below(100) as i64,
        1 => *rng.pick(&[-1, 0, 1, i64::MIN, i64::MAX]),
        _ => rng.next() as i64,
    }
}

/// Any bits at all: NaN and infinities have to survive too.
fn any_float(rng: &mut Rng) -> f64 {
    match rng.below(4) {
        0 => rng.between(0.0, 100.0),
        1 => *rng.pick(&[0.0, -1.0, f64::NAN, f64::INFINITY, f64::MIN_POSITIVE]),
        _ => f64::from_bits(rng.next()),
    }
}

/// Printable text of up to `longest` bytes, often exactly as long.
fn text(rng: &mut Rng, longest: usize) -> String {
    let len = match rng.below(3) {
        0 => longest,
        _ => rng.below(longest + 1),
    };
    (0..len)
        .map(|_| (b'!' + rng.below(90) as u8) as char)
        .collect()
}

fn object(rng: &mut Rng) -> DaosObject {
    DaosObject {
        pool: [0; 16].map(|_: u8| rng.next() as u8),
        container: [0; 16].map(|_: u8| rng.next() as u8),
        oid: (rng.next(), rng.next()),
    }
}

fn dxt(rng: &mut Rng, module: Module, version: u32, rank: i64) -> DxtRun {
    let threads = (module == Module::DxtPosix && version == 2) || version == 3;
    let segments = |rng: &mut Rng| -> Vec<Segment> {
        let count = rng.below(6);
        let segment = |_| Segment {
            offset: any_int(rng),
            length: any_int(rng),
            start: any_float(rng),
            end: any_float(rng),
            thread: threads.then(|| rng.next()),
        };
        (0..count).map(segment).collect()
    };
    let name = format!("/scratch/{}", text(rng, 20));
    DxtRun {
        writes: segments(rng),
        reads: segments(rng),
        ..DxtRun::new(module, &name, rank, &text(rng, 64))
    }
}

fn heatmap(rng: &mut Rng, rank: i64, bins: usize) -> HeatmapRecord {
    HeatmapRecord {
        id: record_id(rng.pick(&["heatmap:POSIX", "heatmap:MPIIO", "heatmap:STDIO"])),
        rank,
        bin_width_s: 0.1 * f64::from(1 << rng.below(10)),
        writes: (0..bins).map(|_| any_int(rng)).collect(),
        reads: (0..bins).map(|_| any_int(rng)).collect(),
    }
}

fn lustre(rng: &mut Rng, version: u32, rank: i64) -> LustreRecord {
    let osts: Vec<i64> = (0..rng.below(5)).map(|_| any_int(rng)).collect();
    let components = match version {
        // All that version 1 knows.
        1 => vec![LustreComponent {
            stripe_size: any_int(rng),
            stripe_count: osts.len() as i64,
            stripe_pattern: -1,
            flags: -1,
            ext_start: 0,
            ext_end: -1,
            mirror_id: -1,
            pool_name: String::new(),
        }],
        _ => (0..rng.below(4)).map(|_| component(rng)).collect(),
    };
    LustreRecord {
        id: rng.next(),
        rank,
        components,
        osts,
        targets: (version == 1).then(|| (any_int(rng), any_int(rng))),
    }
}

fn component(rng: &mut Rng) -> LustreComponent {
    LustreComponent {
        // -1 would end the list.
        stripe_size: rng.below(1 << 24) as i64,
        stripe_count: any_int(rng),
        stripe_pattern: any_int(rng),
        flags: any_int(rng),
        ext_start: any_int(rng),
        ext_end: any_int(rng),
        mirror_id: any_int(rng),
        pool_name: text(rng, 16),
    }
}

fn mdhim(rng: &mut Rng, rank: i64) -> MdhimRecord {
    let servers = rng.below(4);
    let mut ints: Vec<i64> = (0..4).map(|_| any_int(rng)).collect();
    ints.push(servers as i64);
    MdhimRecord {
        id: rng.next(),
        rank,
        ints,
        floats: (0..4).map(|_| any_float(rng)).collect(),
        histogram: (0..servers.max(1)).map(|_| any_int(rng)).collect(),
    }
}

fn apmpi_header(rng: &mut Rng) -> ApmpiHeader {
    ApmpiHeader {
        id: record_id("darshan-apmpi-header"),
        rank: 0,
        magic: 0x41_504D_5049,
        sync_flag: rng.next() as u32,
        variance_total_mpitime: rng.unit(),
        variance_total_mpisynctime: rng.unit(),
    }
}
