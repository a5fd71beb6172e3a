//! Which layer is believed where several saw the same bytes.
//!
//! MPI-IO sits on POSIX or on DFS, and DFS on DAOS. The upper layer is believed, because it is what the
//! program asked for; what lies below it in the same direction is its shadow. Whether there is anything
//! above is asked file by file, and of phases alone: counters that became none hide nothing.
//!
//! Who writes parts of a block through MPI-IO has the library read the block, fill the parts in and write all of
//! it (data sieving). What POSIX reads for that, the program never asked for: it is a shadow, too.

use super::one_file::FilePhase;
use iotempo_model::{Api, Op, Warning, counted};
use std::collections::HashMap;

/// Layers count the same bytes; from this factor on, they did not.
const SAME_BYTES: f64 = 1.5;

/// What layers moved.
#[derive(Debug, Default)]
pub(super) struct Layers {
    files: HashMap<(u64, Op), Moved>,
    /// Whether DFS, or DAOS, moved anything in a direction: their files have other handles.
    dfs: [bool; 2],
    daos: [bool; 2],
    /// The report takes reads of the library for the program's.
    compat: bool,
}

/// What MPI-IO and POSIX moved of a file in a direction.
#[derive(Debug, Clone, Copy, Default)]
struct Moved {
    mpiio: Option<u64>,
    /// What MPI-IO may have done through POSIX.
    posix: Option<u64>,
    /// When MPI-IO moved it, and when POSIX did.
    mpiio_s: Option<Span>,
    posix_s: Option<Span>,
    /// Whether counters of MPI-IO overflowed.
    overflowed: bool,
}

/// From a first access to a last one, in seconds.
type Span = (f64, f64);

/// Files and directions of which MPI-IO and POSIX did not count the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct LayersDiffer {
    /// Where MPI-IO is believed.
    pub plain: Difference,
    /// Where counters of MPI-IO overflowed, and POSIX is believed.
    pub overflowed: Difference,
    /// What POSIX read while MPI-IO wrote, and read nothing: the library's own.
    pub sieved: Difference,
}

/// What two layers counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Difference {
    /// How many files, each direction by itself.
    pub files: u64,
    /// What MPI-IO counted of them.
    pub mpiio_bytes: u64,
    /// What POSIX counted of them.
    pub posix_bytes: u64,
}

impl Moved {
    /// Whether POSIX is believed: where MPI-IO's counters overflowed, and it moved far more.
    fn believes_posix(self) -> bool {
        let pair = self.mpiio.zip(self.posix);
        self.overflowed && pair.is_some_and(|(above, below)| far_more(below, above))
    }
}

/// Both, as one.
fn joined(span: Option<Span>, (start_s, end_s): Span) -> Option<Span> {
    let (from_s, until_s) = span.unwrap_or((start_s, end_s));
    Some((from_s.min(start_s), until_s.max(end_s)))
}

fn far_more(one: u64, other: u64) -> bool {
    one as f64 >= SAME_BYTES * other as f64
}

impl Layers {
    pub(super) fn of<'a>(phases: impl Iterator<Item = &'a FilePhase>, compat: bool) -> Self {
        let mut layers = Self {
            compat,
            ..Self::default()
        };
        for phase in phases {
            let place = (phase.file, phase.op);
            let span = (phase.start_s, phase.end_s);
            let add = |sum: &mut Option<u64>| {
                *sum = Some(sum.unwrap_or(0).saturating_add(phase.bytes));
            };
            match phase.api {
                Api::MpiIo => {
                    let moved = layers.files.entry(place).or_default();
                    moved.overflowed |= phase.overflowed;
                    moved.mpiio_s = joined(moved.mpiio_s, span);
                    add(&mut moved.mpiio);
                }
                Api::Posix if phase.beneath => {
                    let moved = layers.files.entry(place).or_default();
                    moved.posix_s = joined(moved.posix_s, span);
                    add(&mut moved.posix);
                }
                Api::Dfs => layers.dfs[phase.op as usize] = true,
                Api::Daos => layers.daos[phase.op as usize] = true,
                Api::Posix | Api::Stdio | Api::Unknown => {}
            }
        }
        layers
    }

    fn moved(&self, file: u64, op: Op) -> Moved {
        let moved = self.files.get(&(file, op)).copied();
        moved.unwrap_or_default()
    }

    /// Whether another layer, which is believed, tells what the program moved.
    pub(super) fn is_shadow(&self, phase: &FilePhase) -> bool {
        let moved = self.moved(phase.file, phase.op);
        let op = phase.op as usize;
        match phase.api {
            Api::Posix if !phase.beneath => false,
            Api::Posix if moved.mpiio.is_some() => !moved.believes_posix(),
            Api::Posix => phase.op == Op::Read && self.is_sieved(phase.file),
            // What POSIX does not see went to DAOS, where it has other handles.
            Api::MpiIo if moved.posix.is_none() => self.dfs[op] || self.daos[op],
            Api::MpiIo => moved.believes_posix(),
            Api::Daos => self.dfs[op],
            Api::Stdio | Api::Dfs | Api::Unknown => false,
        }
    }

    /// Whether what POSIX read of a file is data sieving by the library below MPI-IO, which wrote the file and
    /// read nothing of it. That reads no more than it writes, writes more than it was asked to, because it writes
    /// back what lay between, and reads while it writes: who looks at a file later does so for the program.
    fn is_sieved(&self, file: u64) -> bool {
        let (read, written) = (self.moved(file, Op::Read), self.moved(file, Op::Write));
        // Where counters overflowed, MPI-IO may have read what it does not tell.
        if self.compat || read.mpiio.is_some() || written.overflowed {
            return false;
        }
        let bytes = read.posix.zip(written.posix).zip(written.mpiio);
        let times = read.posix_s.zip(written.mpiio_s);
        bytes.is_some_and(|((fetched, put), asked)| put > asked && !far_more(fetched, put))
            && times.is_some_and(|(reads, writes)| writes.0 <= reads.0 && reads.1 <= writes.1)
    }

    pub(super) fn differ(&self) -> LayersDiffer {
        let mut differ = LayersDiffer::default();
        for (&(file, op), moved) in &self.files {
            if op == Op::Read && self.is_sieved(file) {
                let of = &mut differ.sieved;
                of.files += 1;
                of.posix_bytes = of.posix_bytes.saturating_add(moved.posix.unwrap_or(0));
                continue;
            }
            let Some((above, below)) = moved.mpiio.zip(moved.posix) else {
                continue;
            };
            if !far_more(above, below) && !far_more(below, above) {
                continue;
            }
            let of = match moved.believes_posix() {
                true => &mut differ.overflowed,
                false => &mut differ.plain,
            };
            of.files += 1;
            of.mpiio_bytes = of.mpiio_bytes.saturating_add(above);
            of.posix_bytes = of.posix_bytes.saturating_add(below);
        }
        differ
    }
}

impl LayersDiffer {
    /// What a person should know of it.
    #[must_use]
    pub fn warnings(&self) -> Vec<Warning> {
        let told = [
            (self.plain, "layers-differ", "sums are those of MPI-IO", ""),
            (
                self.overflowed,
                "mpiio-overflowed",
                "sums are those of POSIX",
                ", but has negative counters, which overflowed",
            ),
        ];
        let sieved = (self.sieved.files > 0).then(|| {
            let message = format!(
                "of {} that MPI-IO wrote, and did not read, POSIX read {} bytes meanwhile: taken for what the \
                 MPI library read to write parts of blocks (data sieving), and in no sum",
                counted(self.sieved.files, "file"),
                self.sieved.posix_bytes,
            );
            Warning::new("data-sieving", message)
        });
        let told = told.into_iter().filter(|(of, ..)| of.files > 0);
        let told = told.map(|(of, code, taken, why)| {
            let message = format!(
                "of {} (reads and writes by themselves) MPI-IO counts {} bytes{why}, and POSIX {}: {taken}",
                counted(of.files, "file"),
                of.mpiio_bytes,
                of.posix_bytes,
            );
            Warning::new(code, message)
        });
        told.chain(sieved).collect()
    }
}
