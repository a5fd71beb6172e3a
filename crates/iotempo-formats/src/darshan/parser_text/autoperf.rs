//! AutoPerf's modules: a header for the job, then a row of counters per rank or router.

use super::counters::Counters;
use super::line::CounterLine;
use super::{Gather, LeftOut, Taken};
use crate::darshan::log::{ApmpiHeader, ApmpiTable, ApxcTable, Records};
use crate::darshan::module::Module;

/// `APMPI` in ASCII; the text does not print it.
const APMPI_MAGIC: i64 = 0x41_504D_5049;
/// `AUTOPERF` in ASCII; the text does not print it.
const APXC_MAGIC: i64 = i64::from_be_bytes(*b"AUTOPERF");
/// Says that the nodes of a job were in different modes.
const INCONSISTENT: i64 = 1 << 31;

/// The rows of either module, without their header.
struct Rows {
    counters: Box<Counters>,
    /// Whether the current record is a row; the header otherwise.
    open: bool,
}

impl Rows {
    fn new(module: Module) -> Self {
        let counters = Counters::new(module).expect("counters.txt lists them");
        Self {
            counters: Box::new(counters),
            open: false,
        }
    }

    fn begin_if(&mut self, row: bool, line: &CounterLine<'_>) {
        self.open = row;
        if row {
            self.counters.begin(line);
        }
    }

    fn end(&mut self) {
        if self.open {
            self.counters.end();
        }
    }
}

/// AutoPerf's MPI counters.
pub(super) struct Apmpi {
    rows: Rows,
    header: Option<ApmpiHeader>,
    nodes: Vec<String>,
}

impl Default for Apmpi {
    fn default() -> Self {
        Self {
            rows: Rows::new(Module::Apmpi),
            header: None,
            nodes: Vec::new(),
        }
    }
}

impl Apmpi {
    fn take_header(&mut self, line: &CounterLine<'_>) -> Taken {
        let header = self.header.get_or_insert(ApmpiHeader {
            id: line.id,
            rank: line.rank,
            magic: APMPI_MAGIC,
            sync_flag: 0,
            variance_total_mpitime: 0.0,
            variance_total_mpisynctime: 0.0,
        });
        let Some(value) = line.float() else {
            return Taken::Bad;
        };
        match line.counter {
            "MPI_TOTAL_COMM_TIME_VARIANCE" => header.variance_total_mpitime = value,
            "MPI_TOTAL_COMM_SYNC_TIME_VARIANCE" => {
                header.sync_flag = 1;
                header.variance_total_mpisynctime = value;
            }
            _ => return Taken::Unknown,
        }
        Taken::Yes
    }
}

impl Gather for Apmpi {
    fn begin(&mut self, line: &CounterLine<'_>) {
        let row = !line.counter.ends_with("_TIME_VARIANCE");
        self.rows.begin_if(row, line);
        if row {
            self.nodes.push(String::new());
        }
    }

    fn take(&mut self, line: &CounterLine<'_>) -> Taken {
        if !self.rows.open {
            return self.take_header(line);
        }
        match (line.counter, self.nodes.last_mut()) {
            ("MPI_PROCESSOR_NAME", Some(node)) if node.is_empty() => {
                line.value.clone_into(node);
                Taken::Yes
            }
            ("MPI_PROCESSOR_NAME", _) => Taken::Again,
            _ => self.rows.counters.take(line),
        }
    }

    fn end(&mut self) -> bool {
        self.rows.end();
        true
    }

    fn weight(&self) -> u64 {
        self.rows.counters.weight()
    }

    fn finish(self: Box<Self>, should_be_whole: bool) -> (Records, LeftOut) {
        let (table, keep, left_out) = self.rows.counters.finish_table(should_be_whole);
        let mut keep = keep.into_iter();
        let mut nodes = self.nodes;
        nodes.retain(|_| keep.next().unwrap_or(false));
        (
            Records::Apmpi(ApmpiTable {
                header: self.header,
                table,
                nodes,
            }),
            left_out,
        )
    }
}

/// AutoPerf's Cray XC counters.
pub(super) struct Apxc {
    rows: Rows,
    header: Option<[i64; 9]>,
    places: Vec<[i64; 4]>,
}

impl Default for Apxc {
    fn default() -> Self {
        Self {
            rows: Rows::new(Module::Apxc),
            header: None,
            places: Vec::new(),
        }
    }
}

impl Apxc {
    fn take_header(&mut self, line: &CounterLine<'_>) -> Taken {
        let blank = [
            line.id.cast_signed(),
            line.rank,
            APXC_MAGIC,
            0,
            0,
            0,
            0,
            0,
            0,
        ];
        let header = self.header.get_or_insert(blank);
        let (place, value) = match line.counter {
            "APXC_BLADES" => (3, line.int()),
            "APXC_CHASSIS" => (4, line.int()),
            "APXC_GROUPS" => (5, line.int()),
            "APXC_MEMORY_MODE" => (6, mode(line.value, &MEMORY_MODES)),
            "APXC_CLUSTER_MODE" => (7, mode(line.value, &CLUSTER_MODES)),
            "APXC_APPLICATION_ID" => (8, line.int()),
            "APXC_MEMORY_MODE_CONSISTENT" => (6, consistent(line, header[6])),
            "APXC_CLUSTER_MODE_CONSISTENT" => (7, consistent(line, header[7])),
            _ => return Taken::Unknown,
        };
        match value {
            Some(value) => header[place] = value,
            None => return Taken::Bad,
        }
        Taken::Yes
    }
}

const MEMORY_MODES: [&str; 5] = ["MM_UNKNOWN", "MM_FLAT", "MM_EQUAL", "MM_SPLIT", "MM_CACHE"];
const CLUSTER_MODES: [&str; 6] = [
    "CM_UNKNOWN",
    "CM_ALL2ALL",
    "CM_QUAD",
    "CM_HEMI",
    "CM_SNC4",
    "CM_SNC2",
];

fn mode(name: &str, names: &[&str]) -> Option<i64> {
    names
        .iter()
        .position(|known| *known == name)
        .map(|place| place as i64)
}

fn consistent(line: &CounterLine<'_>, mode: i64) -> Option<i64> {
    let differs = line.int()? == 0;
    Some(if differs { mode | INCONSISTENT } else { mode })
}

impl Gather for Apxc {
    fn begin(&mut self, line: &CounterLine<'_>) {
        // Header and rows both have APXC_CHASSIS; both print their groups first.
        let row = line.counter == "APXC_GROUP";
        self.rows.begin_if(row, line);
        if row {
            self.places.push([0; 4]);
        }
    }

    fn take(&mut self, line: &CounterLine<'_>) -> Taken {
        const PLACES: [&str; 4] = ["APXC_GROUP", "APXC_CHASSIS", "APXC_BLADE", "APXC_NODE"];
        if !self.rows.open {
            return self.take_header(line);
        }
        let place = PLACES.iter().position(|place| *place == line.counter);
        match (place, self.places.last_mut(), line.int()) {
            (Some(place), Some(row), Some(value)) => {
                row[place] = value;
                Taken::Yes
            }
            (Some(_), ..) => Taken::Bad,
            (None, ..) => self.rows.counters.take(line),
        }
    }

    fn end(&mut self) -> bool {
        self.rows.end();
        true
    }

    fn weight(&self) -> u64 {
        self.rows.counters.weight()
    }

    fn finish(self: Box<Self>, should_be_whole: bool) -> (Records, LeftOut) {
        let (table, keep, left_out) = self.rows.counters.finish_table(should_be_whole);
        let mut keep = keep.into_iter();
        let mut places = self.places;
        places.retain(|_| keep.next().unwrap_or(false));
        (
            Records::Apxc(ApxcTable {
                header: self.header,
                table,
                places,
            }),
            left_out,
        )
    }
}
