//! Which layer to believe of a file that several layers saw.
//!
//! MPI-IO sits on POSIX, and DFS on DAOS: both see the same file, and adding their times would count them
//! twice. A process waits in the upper layer, so times are of MPI-IO where a file was read or written
//! through it, as in the paper. What reached the file system are POSIX' bytes.

use iotempo_model::{Api, FileCounters, Op};
use std::collections::HashMap;

/// What the records of a job say of layers.
#[derive(Debug, Default)]
pub(super) struct Layers {
    files: HashMap<u64, Seen>,
    dfs: bool,
    daos: bool,
}

/// How one file was used.
#[derive(Debug, Clone, Copy, Default)]
struct Seen {
    posix: bool,
    /// Read or written through MPI-IO, not just opened.
    through_mpiio: bool,
    /// Whether POSIX saw bytes, by direction.
    posix_bytes: [bool; 2],
}

impl Layers {
    pub(super) fn of(files: &[FileCounters]) -> Self {
        let mut layers = Self::default();
        for file in files {
            let used = Op::ALL.iter().any(|&op| {
                let counted = file.of(op);
                counted.requests > 0 || counted.bytes > 0
            });
            match file.api {
                Api::Posix => {
                    let seen = layers.files.entry(file.file).or_default();
                    seen.posix = true;
                    for op in Op::ALL {
                        seen.posix_bytes[op as usize] |= file.of(op).bytes > 0;
                    }
                }
                Api::MpiIo => {
                    let seen = layers.files.entry(file.file).or_default();
                    seen.through_mpiio |= used;
                }
                Api::Dfs => layers.dfs |= used,
                Api::Daos => layers.daos |= used,
                Api::Stdio | Api::Unknown => {}
            }
        }
        layers
    }

    fn seen(&self, file: &FileCounters) -> Seen {
        self.files.get(&file.file).copied().unwrap_or_default()
    }

    /// Whether a record is of a file that another layer knows under another name.
    pub(super) fn is_other(&self, file: &FileCounters) -> bool {
        match file.api {
            Api::Daos => self.dfs,
            // On DAOS, files of MPI-IO have other ids.
            Api::MpiIo => (self.dfs || self.daos) && !self.seen(file).posix,
            _ => false,
        }
    }

    /// Whether the times of a record are those of its file.
    pub(super) fn tells_time(&self, file: &FileCounters) -> bool {
        let seen = self.seen(file);
        match file.api {
            Api::Posix => !seen.through_mpiio,
            Api::MpiIo => seen.through_mpiio || !seen.posix,
            _ => true,
        }
    }

    /// Whether the bytes of a record are those that reached the file system.
    pub(super) fn tells_bytes(&self, file: &FileCounters, op: Op) -> bool {
        file.api != Api::MpiIo || !self.seen(file).posix_bytes[op as usize]
    }
}
