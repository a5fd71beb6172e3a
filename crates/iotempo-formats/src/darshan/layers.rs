//! Which layer to believe where several saw the same bytes.
//!
//! MPI-IO sits on POSIX, and DFS on DAOS: both see the same bytes. STDIO's calls into the kernel
//! are not seen as POSIX by Darshan, so STDIO stands beside it.

use super::module::Module;
use super::names::NameTable;
use super::opened::Opened;
use crate::reading::Layer;
use iotempo_model::{Api, Source};
use std::collections::HashSet;

/// The layers of a walk, in the order in which they are walked through. A file whose bytes were
/// taken from one layer is left out in those that see the same bytes again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Plan {
    pub(crate) layers: Vec<Api>,
    /// Whether bytes that several layers saw are taken from one of them.
    pub(crate) each_once: bool,
    /// Why this order, for people.
    pub(crate) note: String,
}

/// Makes the plan for one kind of evidence.
pub(crate) fn plan(log: &Opened, source: Source, layer: Layer) -> Plan {
    let only = |api: Api, name: &str| Plan {
        layers: vec![api],
        each_once: true,
        note: format!("{name} only, as asked"),
    };
    match layer {
        Layer::Posix => only(Api::Posix, "POSIX"),
        Layer::MpiIo => only(Api::MpiIo, "MPI-IO"),
        Layer::Stdio => only(Api::Stdio, "STDIO"),
        Layer::Auto => automatic(log, source),
        Layer::All => Plan {
            layers: vec![Api::Posix, Api::MpiIo, Api::Stdio, Api::Dfs, Api::Daos],
            each_once: false,
            note: "every layer by itself, as asked".to_owned(),
        },
    }
}

/// POSIX is what reached the file system, and it sees files that MPI-IO does not. MPI-IO goes first
/// only where POSIX dropped records and MPI-IO did not.
fn automatic(log: &Opened, source: Source) -> Plan {
    let (posix, mpiio) = match source {
        Source::Dxt => (Module::DxtPosix, Module::DxtMpiio),
        _ => (Module::Posix, Module::MpiIo),
    };
    // A heatmap is not the module that dropped records; and a text is read line by line, POSIX first.
    let mpiio_first = source != Source::Heatmap
        && !log.is_dxt_text()
        && log.is_partial(posix)
        && log.has(mpiio)
        && !log.is_partial(mpiio);
    let (mut layers, note) = if mpiio_first {
        (
            vec![Api::MpiIo, Api::Posix],
            "MPI-IO where it saw a file, since POSIX dropped records; else POSIX",
        )
    } else {
        (
            vec![Api::Posix, Api::MpiIo],
            "POSIX where it saw a file; else MPI-IO, which sits on it",
        )
    };
    if source != Source::Dxt {
        layers.extend([Api::Stdio, Api::Dfs, Api::Daos]);
        if log.has(Module::Dfs) || log.has(Module::Daos) {
            // MPI-IO on DAOS: its files have other ids there, and would be counted twice.
            layers.retain(|&api| api != Api::MpiIo);
        }
    }
    let beside = match source {
        Source::Dxt => "",
        _ => "; beside them STDIO, and DFS or else DAOS",
    };
    Plan {
        layers,
        each_once: true,
        note: format!("{note}{beside}"),
    }
}

/// Remembers which files were taken from which layer, so that no byte is counted twice.
#[derive(Debug, Default)]
pub(crate) struct Taken {
    posix_or_mpiio: HashSet<u64>,
    dfs: bool,
}

impl Taken {
    /// Whether the bytes of a file at a layer were already taken from another one.
    pub(crate) fn is_taken(&self, api: Api, file: u64, first: Api) -> bool {
        match api {
            Api::Posix | Api::MpiIo => api != first && self.posix_or_mpiio.contains(&file),
            Api::Daos => self.dfs,
            _ => false,
        }
    }

    /// Notes that bytes of a file were taken from a layer.
    pub(crate) fn take(&mut self, api: Api, file: u64, first: Api) {
        match api {
            Api::Posix | Api::MpiIo if api == first => {
                self.posix_or_mpiio.insert(file);
            }
            Api::Dfs => self.dfs = true,
            _ => {}
        }
    }
}

/// The layer of a heatmap record, by its name.
pub(crate) fn heatmap_layer(names: &NameTable, id: u64) -> Api {
    // The ids are hashes of fixed names: they hold where the names were lost.
    const KNOWN: [(u64, Api); 5] = [
        (16_592_106_915_301_738_621, Api::Posix),
        (3_989_511_027_826_779_520, Api::Stdio),
        (3_668_870_418_325_792_824, Api::MpiIo),
        (1_597_927_878_319_380_788, Api::Dfs),
        (4_131_494_093_108_637_317, Api::Daos),
    ];
    KNOWN
        .iter()
        .find(|(known, _)| *known == id)
        .map(|&(_, api)| api)
        .or_else(|| names.get(id)?.strip_prefix("heatmap:")?.parse().ok())
        .unwrap_or(Api::Unknown)
}
