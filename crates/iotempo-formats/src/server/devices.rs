//! Which of the block devices of a machine hold each byte once.

use std::collections::HashSet;

/// Whether a device is a part of, or lies upon, another one of `names`: what it moves is counted
/// there, too. Partitions (`sda1` of `sda`, `nvme0n1p2` of `nvme0n1`), paths to a disk (`nvme0c0n1`
/// of `nvme0n1`), and device-mapper, RAID and loop devices where there is a disk beneath.
pub(super) fn is_counted_elsewhere(name: &str, names: &HashSet<String>) -> bool {
    if let Some(disk) = disk_of(name)
        && names.contains(disk)
    {
        return true;
    }
    let whole = numbered_disk_of(name).or_else(|| path_to(name));
    if whole.is_some_and(|whole| names.contains(&whole)) {
        return true;
    }
    is_stacked(name) && names.iter().any(|other| is_disk(other))
}

/// Whether a name is none that the kernel gives to block devices: `iostat -N` and `sar -p` print
/// those of the device mapper, such as `vg0-home`.
pub(super) fn is_given_by_people(name: &str) -> bool {
    const KERNEL: [&str; 27] = [
        "sd", "hd", "vd", "xvd", "nvme", "mmcblk", "loop", "ram", "zram", "md", "dm-", "sr", "scd",
        "fd", "nbd", "rbd", "drbd", "bcache", "dasd", "pmem", "cciss", "emcpower", "mtdblock",
        "zd", "ubd", "dev", "st",
    ];
    // What follows is a letter or two of the disk, and digits.
    let counted = |rest: &str| {
        let rest = rest.strip_prefix('/').unwrap_or(rest);
        rest.len() < 16
            && rest.contains(|c: char| c.is_ascii_lowercase() || c.is_ascii_digit())
            && rest
                .chars()
                .all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-')
            && (rest.len() < 4 || rest.contains(|c: char| c.is_ascii_digit()))
    };
    !KERNEL
        .iter()
        .any(|prefix| name.strip_prefix(prefix).is_some_and(counted))
}

/// `nvme0n1` of `nvme0c0n1`, one of several ways to it.
fn path_to(name: &str) -> Option<String> {
    let rest = name.strip_prefix("nvme")?;
    let (controller, rest) = rest.split_once('c')?;
    let (_, namespace) = rest.split_once('n')?;
    Some(format!("nvme{controller}n{namespace}"))
}

/// `dev8-0` of `dev8-1`, as `sar -d` calls devices without `-p`: SCSI disks have 16 numbers each.
fn numbered_disk_of(name: &str) -> Option<String> {
    let (major, minor) = numbers(name)?;
    let scsi = major == 8 || (65..=71).contains(&major) || (128..=135).contains(&major);
    (scsi && minor % 16 != 0).then(|| format!("dev{major}-{}", minor - minor % 16))
}

/// Whether `sar` calls a device by a number that virtual disks have on some machines, and what lies on disks
/// on others.
pub(super) fn is_doubtful(name: &str) -> bool {
    matches!(numbers(name), Some((252..=254, _)))
}

fn numbers(name: &str) -> Option<(u32, u32)> {
    let (major, minor) = name.strip_prefix("dev")?.split_once('-')?;
    Some((major.parse().ok()?, minor.parse().ok()?))
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
    // RAID; the device mapper, whose number is not fixed, but mostly one of these.
    let by_number = matches!(numbers(name), Some((9 | 252..=254, _)));
    by_number
        || ["dm-", "md", "loop", "bcache", "zd"]
            .into_iter()
            .any(numbered)
        || ["drbd", "emcpower"]
            .iter()
            .any(|prefix| name.starts_with(prefix))
        || name.contains("mapper/")
}

fn is_disk(name: &str) -> bool {
    let by_number = matches!(numbers(name), Some((8 | 65..=71 | 259, _)));
    by_number
        || ["sd", "hd", "vd", "xvd", "nvme", "mmcblk", "rbd", "dasd"]
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
        assert_eq!(kept, ["nvme0n1", "sda", "sr0", "vdb"]);
    }

    #[test]
    fn what_lies_on_disks_of_any_make_is_counted_there() {
        for (stacked, disk) in [
            ("bcache0", "sda"),
            ("zd16", "nvme0n1"),
            ("emcpowera", "sdc"),
            ("dm-3", "rbd0"),
            ("dm-0", "dasda"),
            ("dev252-0", "dev8-0"),
            ("dev254-3", "dev259-0"),
        ] {
            let names: HashSet<String> = [stacked, disk].map(str::to_owned).into();
            assert!(is_counted_elsewhere(stacked, &names), "{stacked} on {disk}");
            assert!(!is_counted_elsewhere(disk, &names), "{disk}");
        }
        let virtio: HashSet<String> = ["dev252-0", "dev252-16"].map(str::to_owned).into();
        assert!(!is_counted_elsewhere("dev252-0", &virtio), "the only disks");
    }

    #[test]
    fn a_path_to_a_disk_is_the_disk() {
        let names: HashSet<String> = ["nvme0n1", "nvme0c0n1", "nvme1c1n1"]
            .map(str::to_owned)
            .into();
        assert!(is_counted_elsewhere("nvme0c0n1", &names));
        assert!(!is_counted_elsewhere("nvme1c1n1", &names), "alone");
    }

    #[test]
    fn devices_by_number_are_told_apart() {
        let names: HashSet<String> = ["dev8-0", "dev8-1", "dev8-16", "dev253-0", "dev9-127"]
            .map(str::to_owned)
            .into();
        let mut kept: Vec<_> = names
            .iter()
            .filter(|name| !is_counted_elsewhere(name, &names))
            .collect();
        kept.sort();
        assert_eq!(kept, ["dev8-0", "dev8-16"]);
    }

    #[test]
    fn names_of_the_device_mapper_are_those_of_people() {
        for name in ["vg0-home", "rhel-root", "mpatha", "data", "backup-2"] {
            assert!(is_given_by_people(name), "{name}");
        }
        for name in [
            "sda",
            "sdab12",
            "nvme0n1p1",
            "nvme0c0n1",
            "dm-3",
            "md127",
            "loop0",
            "zram0",
            "vda",
            "cciss/c0d0",
            "dev8-0",
            "xvda1",
            "mmcblk0p1",
            "sr0",
        ] {
            assert!(!is_given_by_people(name), "{name}");
        }
    }

    #[test]
    fn a_partition_whose_disk_is_not_listed_stands_for_itself() {
        let names: HashSet<String> = ["sda1", "dm-0"].map(str::to_owned).into();
        assert!(!is_counted_elsewhere("sda1", &names));
        let alone: HashSet<String> = ["dm-0", "dm-1"].map(str::to_owned).into();
        assert!(!is_counted_elsewhere("dm-0", &alone));
    }
}
