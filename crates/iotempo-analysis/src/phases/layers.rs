//! Which layer is believed where several saw the same bytes.
//!
//! MPI-IO sits on POSIX or on DFS, and DFS on DAOS. The upper layer is believed, because it is what the
//! program asked for; what lies below it in the same direction is its shadow. Whether there is anything
//! above is asked file by file, and of phases alone: counters that became none hide nothing.

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
}

/// What MPI-IO and POSIX moved of a file in a direction.
#[derive(Debug, Clone, Copy, Default)]
struct Moved {
    mpiio: Option<u64>,
    /// What MPI-IO may have done through POSIX.
    posix: Option<u64>,
    /// Whether counters of MPI-IO overflowed.
    overflowed: bool,
}

/// Files and directions of which MPI-IO and POSIX did not count the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct LayersDiffer {
    /// Where MPI-IO is believed.
    pub plain: Difference,
    /// Where counters of MPI-IO overflowed, and POSIX is believed.
    pub overflowed: Difference,
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

fn far_more(one: u64, other: u64) -> bool {
    one as f64 >= SAME_BYTES * other as f64
}

impl Layers {
    pub(super) fn of<'a>(phases: impl Iterator<Item = &'a FilePhase>) -> Self {
        let mut layers = Self::default();
        for phase in phases {
            let place = (phase.file, phase.op);
            let add = |sum: &mut Option<u64>| {
                *sum = Some(sum.unwrap_or(0).saturating_add(phase.bytes));
            };
            match phase.api {
                Api::MpiIo => {
                    let moved = layers.files.entry(place).or_default();
                    moved.overflowed |= phase.overflowed;
                    add(&mut moved.mpiio);
                }
                Api::Posix if phase.beneath => {
                    add(&mut layers.files.entry(place).or_default().posix);
                }
                Api::Dfs => layers.dfs[phase.op as usize] = true,
                Api::Daos => layers.daos[phase.op as usize] = true,
                Api::Posix | Api::Stdio | Api::Unknown => {}
            }
        }
        layers
    }

    /// Whether the same bytes are in a phase of another layer that is believed.
    pub(super) fn is_shadow(&self, phase: &FilePhase) -> bool {
        let moved = self.files.get(&(phase.file, phase.op)).copied();
        let moved = moved.unwrap_or_default();
        let op = phase.op as usize;
        match phase.api {
            Api::Posix => phase.beneath && moved.mpiio.is_some() && !moved.believes_posix(),
            // What POSIX does not see went to DAOS, where it has other handles.
            Api::MpiIo if moved.posix.is_none() => self.dfs[op] || self.daos[op],
            Api::MpiIo => moved.believes_posix(),
            Api::Daos => self.dfs[op],
            Api::Stdio | Api::Dfs | Api::Unknown => false,
        }
    }

    pub(super) fn differ(&self) -> LayersDiffer {
        let mut differ = LayersDiffer::default();
        for moved in self.files.values() {
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
        let told = told.into_iter().filter(|(of, ..)| of.files > 0);
        told.map(|(of, code, taken, why)| {
            let message = format!(
                "of {} (reads and writes by themselves) MPI-IO counts {} bytes{why}, and POSIX {}: {taken}",
                counted(of.files, "file"),
                of.mpiio_bytes,
                of.posix_bytes,
            );
            Warning::new(code, message)
        })
        .collect()
    }
}
