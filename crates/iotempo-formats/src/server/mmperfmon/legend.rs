//! What a column of `mmperfmon` counts, and where.

use super::super::quantity::Quantity;
use iotempo_model::{Op, TargetKind};

/// Where bytes are counted. Each level counts the bytes of the next one once more.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Level {
    /// An NSD, at the server that serves it.
    Disk,
    /// A file system, at a node that mounts it.
    FileSystem,
    /// All file systems of a node.
    Node,
    /// Not storage at all.
    Network,
}

/// An entry of the legend.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Entry {
    pub(super) host: String,
    /// The disk, the file system, the interface.
    pub(super) name: String,
    pub(super) metric: String,
    pub(super) level: Option<Level>,
    pub(super) op: Option<Op>,
}

impl Entry {
    /// ` 1: host|GPFSNSDDisk|disk|gpfs_nsdds_bytes_read`.
    pub(super) fn of(line: &str, quantity: Quantity) -> Option<Self> {
        let (number, path) = line.trim().split_once(':')?;
        let numbered = !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit());
        let parts: Vec<&str> = path.trim().split('|').collect();
        let [host, sensor, between @ .., metric] = parts.as_slice() else {
            return None;
        };
        if !numbered || sensor.is_empty() || metric.contains(char::is_whitespace) {
            return None;
        }
        let known = match quantity {
            Quantity::Bytes => bytes(metric),
            Quantity::Operations => operations(metric),
        };
        let (level, op) = known.unzip();
        Some(Self {
            host: (*host).to_owned(),
            name: between.last().copied().unwrap_or_default().to_owned(),
            metric: (*metric).to_owned(),
            level,
            op,
        })
    }

    pub(super) fn kind(&self) -> TargetKind {
        match self.level {
            Some(Level::Disk) => TargetKind::StorageTarget,
            Some(Level::FileSystem | Level::Node) => TargetKind::Client,
            Some(Level::Network) => TargetKind::Server,
            None => TargetKind::Unknown,
        }
    }
}

/// What a server sends, its clients read.
fn bytes(metric: &str) -> Option<(Level, Op)> {
    Some(match metric {
        "gpfs_nsdds_bytes_read" => (Level::Disk, Op::Read),
        "gpfs_nsdds_bytes_written" => (Level::Disk, Op::Write),
        "gpfs_fs_bytes_read" => (Level::FileSystem, Op::Read),
        "gpfs_fs_bytes_written" => (Level::FileSystem, Op::Write),
        "gpfs_fis_bytes_read" | "gpfs_ns_bytes_read" => (Level::Node, Op::Read),
        "gpfs_fis_bytes_written" | "gpfs_ns_bytes_written" => (Level::Node, Op::Write),
        "net_r" => (Level::Network, Op::Write),
        "net_s" => (Level::Network, Op::Read),
        _ => return None,
    })
}

fn operations(metric: &str) -> Option<(Level, Op)> {
    Some(match metric {
        "gpfs_nsdds_read_ops" => (Level::Disk, Op::Read),
        "gpfs_nsdds_write_ops" => (Level::Disk, Op::Write),
        "gpfs_fs_read_ops" => (Level::FileSystem, Op::Read),
        "gpfs_fs_write_ops" => (Level::FileSystem, Op::Write),
        "gpfs_fis_read_calls" | "gpfs_ns_read_ops" => (Level::Node, Op::Read),
        "gpfs_fis_write_calls" | "gpfs_ns_write_ops" => (Level::Node, Op::Write),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_entry_names_host_target_and_direction() {
        let entry = Entry::of(
            " 5: n1.org|GPFSFilesystem|cluster|proj|gpfs_fs_bytes_read",
            Quantity::Bytes,
        );
        let entry = entry.expect("an entry");
        assert_eq!(
            (entry.host.as_str(), entry.name.as_str()),
            ("n1.org", "proj")
        );
        assert_eq!(
            (entry.level, entry.op),
            (Some(Level::FileSystem), Some(Op::Read))
        );
        let cpu = Entry::of("1:\tn1|CPU|cpu_user", Quantity::Bytes).expect("an entry");
        assert_eq!((cpu.name.as_str(), cpu.level), ("", None));
        for line in ["", "1: n1", "x: a|b|c", ": a|b|c", "1 a|b|c", "1: a||c"] {
            assert_eq!(Entry::of(line, Quantity::Bytes), None, "{line}");
        }
    }
}
