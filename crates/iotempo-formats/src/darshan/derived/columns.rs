//! Where the counters that figures are derived from stand in a record.

use crate::darshan::layout::Layout;
use crate::darshan::log::CounterTable;
use crate::darshan::module::Module;
use crate::darshan::totals::counter_prefix;

/// The columns of a module.
pub(super) struct Columns {
    bytes_read: usize,
    bytes_written: usize,
    max_bytes: Option<[usize; 2]>,
    times: Times<usize>,
    mpi: Option<Mpi>,
    slowest: usize,
    open_start: usize,
    close_end: usize,
    reads: [usize; 2],
    writes: [usize; 2],
}

/// Time spent reading, writing and in metadata operations.
#[derive(Debug, Clone, Copy)]
pub(super) struct Times<T> {
    pub(super) read: T,
    pub(super) write: T,
    pub(super) meta: T,
}

/// Logs before 3.00 have two sets of timers in a record.
struct Mpi {
    opens: [usize; 2],
    times: Times<usize>,
}

/// A record, with its counters by meaning.
#[derive(Clone, Copy)]
pub(super) struct Record<'a> {
    columns: &'a Columns,
    pub(super) id: u64,
    pub(super) rank: i64,
    pub(super) ints: &'a [i64],
    pub(super) floats: &'a [f64],
}

impl Columns {
    /// The columns of `module`; `None` for one that counts no bytes per file.
    pub(super) fn of(module: Module, layout: &Layout) -> Option<Self> {
        match module {
            Module::Posix | Module::MpiIo | Module::Stdio | Module::Dfs | Module::Daos => {}
            Module::Cp => return Self::of_cp(layout),
            _ => return None,
        }
        let prefix = counter_prefix(module);
        let int = |name: &str| layout.int(&format!("{prefix}{name}"));
        let float = |name: &str| layout.float(&format!("{prefix}F_{name}"));
        Some(Self {
            bytes_read: int("BYTES_READ")?,
            bytes_written: int("BYTES_WRITTEN")?,
            max_bytes: int("MAX_BYTE_READ")
                .zip(int("MAX_BYTE_WRITTEN"))
                .map(<[_; 2]>::from),
            times: times(|name| float(name))?,
            mpi: None,
            slowest: float("SLOWEST_RANK_TIME")?,
            open_start: float("OPEN_START_TIMESTAMP")?,
            close_end: float("CLOSE_END_TIMESTAMP")?,
            reads: [float("READ_START_TIMESTAMP")?, float("READ_END_TIMESTAMP")?],
            writes: [
                float("WRITE_START_TIMESTAMP")?,
                float("WRITE_END_TIMESTAMP")?,
            ],
        })
    }

    fn of_cp(layout: &Layout) -> Option<Self> {
        let int = |name: &str| layout.int(&format!("CP_{name}"));
        let float = |name: &str| layout.float(&format!("CP_F_{name}"));
        Some(Self {
            bytes_read: int("BYTES_READ")?,
            bytes_written: int("BYTES_WRITTEN")?,
            max_bytes: Some([int("MAX_BYTE_READ")?, int("MAX_BYTE_WRITTEN")?]),
            times: times(|name| float(&format!("POSIX_{name}")))?,
            mpi: Some(Mpi {
                opens: [int("INDEP_OPENS")?, int("COLL_OPENS")?],
                times: times(|name| float(&format!("MPI_{name}")))?,
            }),
            slowest: float("SLOWEST_RANK_TIME")?,
            open_start: float("OPEN_TIMESTAMP")?,
            close_end: float("CLOSE_TIMESTAMP")?,
            reads: [float("READ_START_TIMESTAMP")?, float("READ_END_TIMESTAMP")?],
            writes: [
                float("WRITE_START_TIMESTAMP")?,
                float("WRITE_END_TIMESTAMP")?,
            ],
        })
    }

    /// Whether the module knows offsets in files.
    pub(super) fn has_offsets(&self) -> bool {
        self.max_bytes.is_some()
    }

    /// The records of `table`, in their order.
    pub(super) fn records<'a>(
        &'a self,
        table: &'a CounterTable,
    ) -> impl Iterator<Item = Record<'a>> + 'a {
        (0..table.len()).map(|record| Record {
            columns: self,
            id: table.ids[record],
            rank: table.ranks[record],
            ints: table.ints_of(record),
            floats: table.floats_of(record),
        })
    }
}

fn times(float: impl Fn(&str) -> Option<usize>) -> Option<Times<usize>> {
    Some(Times {
        read: float("READ_TIME")?,
        write: float("WRITE_TIME")?,
        meta: float("META_TIME")?,
    })
}

impl Record<'_> {
    /// Whether it stands for all ranks together. Only −1 is legal; Darshan takes any negative rank
    /// for it.
    pub(super) fn is_shared(&self) -> bool {
        self.rank < 0
    }

    pub(super) fn bytes_read(&self) -> i64 {
        self.ints[self.columns.bytes_read]
    }

    pub(super) fn bytes_written(&self) -> i64 {
        self.ints[self.columns.bytes_written]
    }

    pub(super) fn bytes(&self) -> i64 {
        self.bytes_read().saturating_add(self.bytes_written())
    }

    /// The last byte that was touched.
    pub(super) fn max_offset(&self) -> Option<i64> {
        let [read, written] = self.columns.max_bytes?;
        Some(self.ints[read].max(self.ints[written]))
    }

    /// Time spent. In logs before 3.00 it is that of MPI-IO for files opened through it, and that
    /// of POSIX for others: adding them would count twice.
    pub(super) fn times(&self) -> Times<f64> {
        let places = match &self.columns.mpi {
            Some(mpi) if mpi.opens.iter().any(|&opens| self.ints[opens] > 0) => mpi.times,
            _ => self.columns.times,
        };
        Times {
            read: self.floats[places.read],
            write: self.floats[places.write],
            meta: self.floats[places.meta],
        }
    }

    pub(super) fn slowest_rank_time(&self) -> f64 {
        self.floats[self.columns.slowest]
    }

    pub(super) fn open_start(&self) -> f64 {
        self.floats[self.columns.open_start]
    }

    pub(super) fn close_end(&self) -> f64 {
        self.floats[self.columns.close_end]
    }

    /// First start and last end of reads.
    pub(super) fn reads(&self) -> [f64; 2] {
        self.columns.reads.map(|place| self.floats[place])
    }

    /// First start and last end of writes.
    pub(super) fn writes(&self) -> [f64; 2] {
        self.columns.writes.map(|place| self.floats[place])
    }

    /// The end of the last read or write; 0 where there was none.
    pub(super) fn last_io(&self) -> f64 {
        let ([_, read], [_, write]) = (self.reads(), self.writes());
        if read > write { read } else { write }
    }
}

impl Times<f64> {
    /// All of it, added in Darshan's order.
    pub(super) fn total(self) -> f64 {
        (self.meta + self.read) + self.write
    }
}
