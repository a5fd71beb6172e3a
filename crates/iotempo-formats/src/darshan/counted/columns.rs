//! Where the counters of a file stand in a record.

use super::oddities::Oddities;
use crate::darshan::layout::Layout;
use crate::darshan::module::Module;
use crate::darshan::totals::counter_prefix;
use iotempo_model::{Api, FileCounters, Op, OpCounters, SIZE_BINS, SizeCount};

/// The columns of a module.
pub(super) struct Columns {
    read: OpColumns,
    write: OpColumns,
    /// Sizes with their counts.
    frequent: Vec<(usize, usize)>,
    bytes_variance: Option<usize>,
    meta: Option<usize>,
    slowest: Option<usize>,
    opened: Option<usize>,
    closed: Option<usize>,
    /// Logs before 3.00 count MPI-IO in the same record.
    mpi: Option<Mpi>,
}

/// The columns of a direction.
struct OpColumns {
    requests: Vec<usize>,
    collective: Vec<usize>,
    bytes: usize,
    consecutive: Option<usize>,
    sequential: Option<usize>,
    start: Option<usize>,
    end: Option<usize>,
    time: Option<usize>,
    sizes: Vec<usize>,
}

/// What was done through MPI-IO, where POSIX saw nothing of a file.
struct Mpi {
    /// Opens and the like through POSIX.
    posix: Vec<usize>,
    read: OpColumns,
    write: OpColumns,
    meta: Option<usize>,
}

/// The bins of request sizes, as counters call them.
const BINS: [&str; SIZE_BINS] = [
    "0_100", "100_1K", "1K_10K", "10K_100K", "100K_1M", "1M_4M", "4M_10M", "10M_100M", "100M_1G",
    "1G_PLUS",
];

/// How a module calls its counters.
struct Words {
    /// The counters that together are the requests of a direction, reads first.
    requests: [&'static [&'static str]; 2],
    /// The same of requests that all processes make together.
    collective: [&'static [&'static str]; 2],
    /// What stands between `F_` and `READ_TIME`.
    timer: &'static str,
    /// What stands behind `SIZE_READ`.
    aggregate: &'static str,
}

const MPI: Words = Words {
    requests: [
        &["INDEP_READS", "COLL_READS", "SPLIT_READS", "NB_READS"],
        &["INDEP_WRITES", "COLL_WRITES", "SPLIT_WRITES", "NB_WRITES"],
    ],
    // Split collectives are made by all processes, too.
    collective: [
        &["COLL_READS", "SPLIT_READS"],
        &["COLL_WRITES", "SPLIT_WRITES"],
    ],
    timer: "",
    aggregate: "_AGG",
};

fn words(module: Module) -> Option<Words> {
    let plain = |requests| Words {
        requests,
        collective: [&[], &[]],
        timer: "",
        aggregate: "",
    };
    Some(match module {
        Module::Posix | Module::Stdio => plain([&["READS"], &["WRITES"]]),
        Module::MpiIo => MPI,
        Module::Dfs => plain([
            &["READS", "READXS", "NB_READS"],
            &["WRITES", "WRITEXS", "NB_WRITES"],
        ]),
        Module::Daos => plain([
            &["OBJ_FETCHES", "ARRAY_READS", "KV_GETS"],
            &["OBJ_UPDATES", "ARRAY_WRITES", "KV_PUTS"],
        ]),
        Module::Cp => Words {
            requests: [
                &["POSIX_READS", "POSIX_FREADS"],
                &["POSIX_WRITES", "POSIX_FWRITES"],
            ],
            timer: "POSIX_",
            ..plain([&[], &[]])
        },
        _ => return None,
    })
}

impl Columns {
    /// The columns of `module`; `None` for one that counts no bytes per file.
    pub(super) fn of(module: Module, layout: &Layout) -> Option<Self> {
        let names = Names {
            prefix: counter_prefix(module),
            layout,
        };
        let words = words(module)?;
        let legacy = (module == Module::Cp).then_some(Words {
            timer: "MPI_",
            ..MPI
        });
        let mpi = legacy.and_then(|words| {
            Some(Mpi {
                posix: names.ints(&["POSIX_OPENS", "POSIX_FOPENS", "POSIX_STATS"]),
                read: OpColumns::of(&names, &words, Op::Read)?,
                write: OpColumns::of(&names, &words, Op::Write)?,
                meta: names.float("MPI_META_TIME"),
            })
        });
        let frequent = (1..=4).filter_map(|place| {
            let size = names.int(&format!("ACCESS{place}_ACCESS"))?;
            Some((size, names.int(&format!("ACCESS{place}_COUNT"))?))
        });
        Some(Self {
            read: OpColumns::of(&names, &words, Op::Read)?,
            write: OpColumns::of(&names, &words, Op::Write)?,
            frequent: frequent.collect(),
            bytes_variance: names.float("VARIANCE_RANK_BYTES"),
            meta: names.float(&format!("{}META_TIME", words.timer)),
            slowest: names.float("SLOWEST_RANK_TIME"),
            // Before there were two stamps of an open, there was one.
            opened: names.either("OPEN_START_TIMESTAMP", "OPEN_TIMESTAMP"),
            closed: names.either("CLOSE_END_TIMESTAMP", "CLOSE_TIMESTAMP"),
            mpi,
        })
    }

    /// Takes the counters of a record.
    pub(super) fn fill(
        &self,
        file: &mut FileCounters,
        row: (&[i64], &[f64]),
        origin_s: f64,
        oddities: &mut Oddities,
    ) {
        let (ints, floats) = row;
        let odd_before = oddities.negative_counts();
        let unseen = |mpi: &&Mpi| mpi.posix.iter().all(|&column| ints[column] <= 0);
        let (read, write, meta) = match self.mpi.as_ref().filter(unseen) {
            Some(mpi) if mpi.read.used(ints) || mpi.write.used(ints) => {
                file.api = Api::MpiIo;
                (&mpi.read, &mpi.write, mpi.meta)
            }
            _ => (&self.read, &self.write, self.meta),
        };
        file.read = read.counted(row, origin_s, oddities);
        file.write = write.counted(row, origin_s, oddities);
        for (place, &(size, count)) in file.frequent.iter_mut().zip(&self.frequent) {
            *place = SizeCount {
                size: oddities.count(ints[size]),
                count: oddities.count(ints[count]),
            };
        }
        file.overflowed = oddities.negative_counts() > odd_before;
        // −1 is what a version does not count.
        let timer = |column: Option<usize>| Some(floats[column?]).filter(|time| *time != -1.0);
        file.meta_time_s = timer(meta).map(|time| oddities.timer(time));
        let stamp = |column: Option<usize>, oddities: &mut Oddities| {
            oddities.stamp(floats[column?], origin_s)
        };
        file.opened = stamp(self.opened, oddities);
        file.closed = stamp(self.closed, oddities);
        // Of a single process it is 0; so it is where all of them were counted by a version that did not
        // look for the slowest.
        let slowest = timer(self.slowest).filter(|time| file.rank.is_none() && *time > 0.0);
        file.slowest_time_s = slowest.filter(|time| time.is_finite());
        // Of a single process there is no variance, and the field is 0.
        let variance = self.bytes_variance.filter(|_| file.rank.is_none());
        file.bytes_variance = variance
            .map(|column| floats[column])
            .filter(|variance| variance.is_finite() && *variance >= 0.0);
    }
}

impl OpColumns {
    fn of(names: &Names<'_>, words: &Words, op: Op) -> Option<Self> {
        let (place, word, moved) = match op {
            Op::Read => (0, "READ", "BYTES_READ"),
            Op::Write => (1, "WRITE", "BYTES_WRITTEN"),
        };
        let Words {
            timer, aggregate, ..
        } = words;
        let sizes = BINS.map(|bin| names.int(&format!("SIZE_{word}{aggregate}_{bin}")));
        Some(Self {
            requests: names.ints(words.requests[place]),
            collective: names.ints(words.collective[place]),
            bytes: names.int(moved)?,
            consecutive: names.int(&format!("CONSEC_{word}S")),
            sequential: names.int(&format!("SEQ_{word}S")),
            start: names.float(&format!("{word}_START_TIMESTAMP")),
            end: names.float(&format!("{word}_END_TIMESTAMP")),
            time: names.float(&format!("{timer}{word}_TIME")),
            sizes: sizes.into_iter().flatten().collect(),
        })
    }

    fn used(&self, ints: &[i64]) -> bool {
        self.requests.iter().any(|&column| ints[column] > 0)
    }

    fn counted(
        &self,
        (ints, floats): (&[i64], &[f64]),
        origin_s: f64,
        oddities: &mut Oddities,
    ) -> OpCounters {
        let mut sizes = [0; SIZE_BINS];
        for (size, &column) in sizes.iter_mut().zip(&self.sizes) {
            *size = oddities.count(ints[column]);
        }
        let mut sum = |columns: &[usize]| {
            let counts = columns.iter().map(|&column| oddities.count(ints[column]));
            counts.fold(0, u64::saturating_add)
        };
        let (requests, collective, bytes) = (
            sum(&self.requests),
            sum(&self.collective),
            sum(&[self.bytes]),
        );
        let (consecutive, sequential) = (
            sum(self.consecutive.as_slice()),
            sum(self.sequential.as_slice()),
        );
        let mut stamp = |column: Option<usize>| oddities.stamp(floats[column?], origin_s);
        let (start, end) = (stamp(self.start), stamp(self.end));
        OpCounters {
            requests,
            bytes,
            consecutive,
            sequential,
            collective,
            start,
            end,
            time_s: self
                .time
                .map_or(0.0, |column| oddities.timer(floats[column])),
            sizes,
        }
    }
}

/// Finds counters by what stands behind their module's prefix.
struct Names<'a> {
    prefix: &'static str,
    layout: &'a Layout,
}

impl Names<'_> {
    fn int(&self, name: &str) -> Option<usize> {
        let counters = &self.layout.ints;
        counters.iter().position(|counter| {
            counter
                .strip_prefix(self.prefix)
                .is_some_and(|rest| rest == name)
        })
    }

    fn ints(&self, names: &[&str]) -> Vec<usize> {
        names.iter().filter_map(|name| self.int(name)).collect()
    }

    fn either(&self, name: &str, older: &str) -> Option<usize> {
        self.float(name).or_else(|| self.float(older))
    }

    fn float(&self, name: &str) -> Option<usize> {
        let counters = &self.layout.floats;
        counters.iter().position(|counter| {
            let rest = counter.strip_prefix(self.prefix);
            rest.and_then(|rest| rest.strip_prefix("F_"))
                .is_some_and(|rest| rest == name)
        })
    }
}
