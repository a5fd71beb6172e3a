//! `mmperfmon query` as GPFS servers printed it.

use crate::kept::{Kept, codes, read_input, read_text};
use crate::log;
use flate2::read::GzDecoder;
use iotempo_formats::Input;
use iotempo_formats::server::{Clock, Options, Reading};
use iotempo_model::{Op, TargetKind};
use std::fs::File;
use std::io::Read;

/// By its rule, so that no database of zones is needed.
const CALIFORNIA: &str = "PST8PDT,M3.2.0,M11.1.0";

fn options() -> Options {
    Options {
        zone: CALIFORNIA.parse().unwrap(),
        ..Options::default()
    }
}

fn open(test: &str, name: &str, options: &Options) -> Option<Result<(Reading, Kept), String>> {
    let path = log(test, name)?;
    let input = Input::file(File::open(path).unwrap()).unwrap();
    Some(read_input(input, options).map_err(|error| error.to_string()))
}

/// Totals from Python: the legend's entries in order, shared out among the tables by the number of
/// their columns, and a sum over all rows of those that end in `bytes_read` or `bytes_written`.
#[test]
fn counters_of_disks_and_of_file_systems_are_volumes_per_interval() {
    let test = "counters_of_disks_and_of_file_systems_are_volumes_per_interval";
    let Some(read) = open(test, "gpfs/mmperfmon-nsdds.txt.gz", &options()) else {
        return;
    };
    let (reading, kept) = read.unwrap();
    assert_eq!(reading.format, "mmperfmon query");
    assert_eq!(reading.clock, Clock::Zone(CALIFORNIA.to_owned()));
    assert_eq!(reading.bytes, [18_100_489_558.0, 0.0]);
    assert_eq!((reading.targets, reading.samples), (42, 42 * 60));
    assert_eq!(reading.interval.unwrap().get(), 60.0);
    // The first stamp, 2019-03-04-16:01:00 in California, ends an interval.
    let begin = reading.observed.unwrap();
    assert_eq!(begin.start().get(), 1_551_744_000.0);
    assert_eq!(begin.end().get(), 1_551_744_000.0 + 3600.0);
    assert_eq!(kept.targets[0].label(), "ngfsv468.nersc.gov/ddn59dt00");
    assert_eq!(kept.targets[0].kind, TargetKind::StorageTarget);
    assert_eq!(codes(&reading), ["unit-doubtful"]);
    let doubt = &reading.warnings[0].message;
    // 110 of 300 are multiples of 512, by the same script: means of three samples.
    assert!(doubt.starts_with("190 of 300 volumes of disks"), "{doubt}");

    let Some(read) = open(
        test,
        "gpfs/mmperfmon-gpfsNumberOperations.txt.gz",
        &options(),
    ) else {
        return;
    };
    let (reading, kept) = read.unwrap();
    assert_eq!(reading.bytes, [109_963_866_624.0, 2_523_357_184.0]);
    assert_eq!((reading.targets, reading.samples), (2, 80));
    assert_eq!(reading.interval.unwrap().get(), 600.0);
    assert_eq!(kept.targets[1].name, "tlprojecta");
    assert_eq!(kept.targets[1].kind, TargetKind::Client);
    assert_eq!(codes(&reading), [""; 0]);
}

#[test]
fn usage_holds_no_bytes_of_files_but_an_interface_can_be_named() {
    let test = "usage_holds_no_bytes_of_files_but_an_interface_can_be_named";
    let name = "gpfs/mmperfmon-usage.txt.gz";
    let Some(read) = open(test, name, &options()) else {
        return;
    };
    let error = read.unwrap_err();
    assert!(
        error.contains("it has cpu_sys, cpu_user, mem_free"),
        "{error}"
    );
    let options = Options {
        targets: vec!["lo".to_owned()],
        ..options()
    };
    let (reading, _) = open(test, name, &options).unwrap().unwrap();
    // 1263.4 kB each, of 1024 bytes: 31371 MB of memory fit a server of 32 GiB only so.
    let expected = 1263.4 * 1024.0;
    for bytes in reading.bytes {
        assert!((bytes - expected).abs() < 1e-3, "{bytes}");
    }
}

#[test]
fn the_members_of_an_archive_are_outputs_of_their_own() {
    let test = "the_members_of_an_archive_are_outputs_of_their_own";
    let Some(path) = log(test, "pytokio/mmperfmon.2019-05-15-mini.tgz") else {
        return;
    };
    let mut archive = tar::Archive::new(GzDecoder::new(File::open(path).unwrap()));
    let (mut bytes, mut read, mut usage) = ([0.0; 2], 0, 0);
    for entry in archive.entries().unwrap() {
        let mut entry = entry.unwrap();
        let mut text = Vec::new();
        entry.read_to_end(&mut text).unwrap();
        if text.is_empty() {
            continue;
        }
        match read_input(Input::bytes(text), &options()) {
            Ok((reading, _)) => {
                read += 1;
                assert_eq!(reading.interval.unwrap().get(), 60.0);
                for (sum, more) in bytes.iter_mut().zip(reading.bytes) {
                    *sum += more;
                }
            }
            Err(error) => {
                usage += 1;
                assert!(error.to_string().contains("cpu_user"), "{error}");
            }
        }
    }
    // The same script over all members.
    assert_eq!(bytes, [242_700_169_583.0, 71_218_278_398.0]);
    assert_eq!(read + usage, 42);
    assert_eq!(usage, 18);
}

const LEGEND: &str = "Legend:\n 1:\tn1|GPFSNSDDisk|d1|gpfs_nsdds_bytes_read\n 2:\tn1|GPFSNSDDisk|d1|gpfs_nsdds_bytes_written\n 3:\tn1|GPFSFilesystem|c|fs|gpfs_fs_bytes_read\n\n";
const HEAD: &str =
    "Row           Timestamp gpfs_nsdds_bytes_read gpfs_nsdds_bytes_written gpfs_fs_bytes_read \n";

fn rows(rows: &str) -> (Reading, Kept) {
    let options = Options {
        zone: "UTC".parse().unwrap(),
        ..Options::default()
    };
    read_input(Input::bytes(format!("{LEGEND}{HEAD}{rows}")), &options).unwrap()
}

#[test]
fn null_is_missing_and_zero_is_quiet() {
    let (reading, kept) = rows(
        "  1 2019-01-01-00:01:00   512   0  7\n  2 2019-01-01-00:02:00  null  null  7\n  3 2019-01-01-00:03:00  1.5 kB  0  7\n",
    );
    let start = 1_546_300_800.0;
    assert_eq!(
        kept.volumes(Op::Read),
        [
            (start, start + 60.0, 512.0),
            (start + 120.0, start + 180.0, 1536.0)
        ]
    );
    assert_eq!(kept.volumes(Op::Write).len(), 2);
    assert_eq!(codes(&reading), ["left-out", "missing-values", "gaps"]);
    let left_out = &reading.warnings[0].message;
    assert!(
        left_out.starts_with("gpfs_fs_bytes_read: left out"),
        "{left_out}"
    );
}

#[test]
fn damaged_rows_cost_themselves() {
    let (reading, _) = rows(
        "  1 2019-01-01-00:01:00   512   0  7\n  2 2019-01-01-00:02:00   512\n  3 2019-13-01-00:03:00 512 0 7\n  4 2019-01-01-00:04:00 1,5 0 7\n  5 2019-01-01-00:02:00 1024 0 7\n  5 2019-01-01-00:02:00 1024 0 7\n\0\0\n  6 2019-01-01-00:03:00 512 0 7\n  7 2019-01-01-00:04:00 512 0 7\n  8 2019-01-01-00:05:00 512 0 7\n  9 2019-01-01-00:06:00 51",
    );
    assert_eq!(reading.bytes, [512.0 * 6.0, 0.0]);
    assert_eq!(codes(&reading), ["left-out", "bad-rows", "doubled-rows"]);
    let bad = &reading.warnings[1].message;
    assert!(
        bad.contains("line 8: fewer values than the heading has columns"),
        "{bad}"
    );
}

#[test]
fn one_row_needs_an_interval() {
    let text = format!("{LEGEND}{HEAD}  1 2019-01-01-00:01:00   512   0  7\n");
    let (reading, _) = read_text(text.clone()).unwrap();
    assert_eq!(reading.samples, 0);
    assert!(codes(&reading).contains(&"interval-unknown"));
    let options = Options {
        interval: iotempo_model::Seconds::new(60.0),
        ..Options::default()
    };
    let (reading, _) = read_input(Input::bytes(text), &options).unwrap();
    assert_eq!(reading.bytes, [512.0, 0.0]);
}

#[test]
fn outputs_may_follow_each_other() {
    let rows = |minute: u32| {
        format!(
            "{LEGEND}{HEAD}  1 2019-01-01-00:0{minute}:00   512   0  7\n  2 2019-01-01-00:0{}:00   512   0  7\n",
            minute + 1
        )
    };
    let (reading, _) = read_text(rows(1) + &rows(3) + &rows(3)).unwrap();
    assert_eq!(reading.bytes, [2048.0, 0.0]);
    assert!(codes(&reading).contains(&"doubled-rows"));
}
