//! What collectl counts bytes of, and which of it is handed on.

use iotempo_model::TargetKind;

/// What bytes are counted of, the nearest to the application's files last.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Family {
    Disk,
    /// What a client of Lustre moved to and from each target.
    ClientTarget,
    Client,
    StorageTarget,
}

impl Family {
    pub(super) fn kind(self) -> TargetKind {
        match self {
            Self::Disk => TargetKind::Device,
            Self::Client | Self::ClientTarget => TargetKind::Client,
            Self::StorageTarget => TargetKind::StorageTarget,
        }
    }

    /// What a sum of them is called where nothing names the machine.
    pub(super) fn sum(self) -> &'static str {
        match self {
            Self::Disk => "disks",
            Self::Client | Self::ClientTarget => "client",
            Self::StorageTarget => "OSTs",
        }
    }

    fn plural(self) -> &'static str {
        match self {
            Self::Disk => "disks",
            Self::ClientTarget => "targets of the client",
            Self::Client => "the client of Lustre",
            Self::StorageTarget => "OSTs",
        }
    }
}

/// Says what of these was left out for the sake of `chosen`: a server's targets are on its disks,
/// and a client's disks are not what it asks servers for.
pub(super) fn left_out(
    all: &[Family],
    chosen: Family,
    sums: bool,
    network: bool,
) -> Option<String> {
    let mut parts: Vec<&str> = Vec::new();
    let mut others: Vec<Family> = all.iter().copied().filter(|one| *one != chosen).collect();
    others.sort_unstable();
    others.dedup();
    parts.extend(others.into_iter().map(Family::plural));
    if sums {
        parts.push("sums");
    }
    if network {
        parts.push("network interfaces");
    }
    (!parts.is_empty()).then(|| format!("{}, beside {}", parts.join(", "), chosen.plural()))
}
