//! Which of the block devices of a machine hold each byte once.

use std::collections::HashSet;

/// Whether a device is a part of, or lies upon, another one of `names`: what it moves is counted
/// there, too. Partitions (`sda1` of `sda`, `nvme0n1p2` of `nvme0n1`), and device-mapper and RAID
/// devices where there is a disk beneath.
pub(super) fn is_counted_elsewhere(name: &str, names: &HashSet<String>) -> bool {
    if let Some(disk) = disk_of(name)
        && names.contains(disk)
    {
        return true;
    }
    is_stacked(name) && names.iter().any(|other| is_disk(other))
}

/// The disk that a partition is on, by its name.
fn disk_of(name: &str) -> Option<&str> {
    let stem = name.trim_end_matches(|c: char| c.is_ascii_digit());
    if stem.len() == name.len() || stem.is_empty() {
        return None;
    }
    match stem.strip_suffix('p') {
        // `nvme0n1p2`, `mmcblk0p1`, `md0p1`: a `p` behind the digit that ends the disk's name.
        Some(disk) if disk.ends_with(|c: char| c.is_ascii_digit()) => Some(disk),
        _ if stem.ends_with(|c: char| c.is_ascii_alphabetic()) => Some(stem),
        _ => None,
    }
}

fn is_stacked(name: &str) -> bool {
    let numbered = |prefix| {
        name.strip_prefix(prefix)
            .is_some_and(|rest: &str| rest.starts_with(|c: char| c.is_ascii_digit()))
    };
    numbered("dm-") || numbered("md") || name.starts_with("drbd") || name.contains("mapper/")
}

fn is_disk(name: &str) -> bool {
    ["sd", "hd", "vd", "xvd", "nvme", "mmcblk"]
        .iter()
        .any(|prefix| name.starts_with(prefix))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_byte_is_on_one_device() {
        let names: HashSet<String> = [
            "sda",
            "sda1",
            "sda2",
            "nvme0n1",
            "nvme0n1p1",
            "dm-0",
            "md127",
            "loop0",
            "vdb",
            "sr0",
        ]
        .map(str::to_owned)
        .into();
        let mut kept: Vec<_> = names
            .iter()
            .filter(|name| !is_counted_elsewhere(name, &names))
            .collect();
        kept.sort();
        assert_eq!(kept, ["loop0", "nvme0n1", "sda", "sr0", "vdb"]);
    }

    #[test]
    fn a_partition_whose_disk_is_not_listed_stands_for_itself() {
        let names: HashSet<String> = ["sda1", "dm-0"].map(str::to_owned).into();
        assert!(!is_counted_elsewhere("sda1", &names));
        let alone: HashSet<String> = ["dm-0", "dm-1"].map(str::to_owned).into();
        assert!(!is_counted_elsewhere("dm-0", &alone));
    }
}
