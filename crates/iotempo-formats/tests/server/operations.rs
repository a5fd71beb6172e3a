//! Read and write operations in place of bytes, from the same logs.

mod databases;

use crate::kept::{Kept, codes, read_input};
use crate::log;
use iotempo_formats::server::{Options, Quantity, Reading};
use iotempo_formats::zone::TimeZone;
use iotempo_formats::{Error, Input};
use iotempo_model::Op;
use std::fs::File;

fn operations() -> Options {
    Options {
        quantity: Quantity::Operations,
        zone: TimeZone::utc(),
        ..Options::default()
    }
}

fn read_operations(text: impl Into<Vec<u8>>) -> Result<(Reading, Kept), Error> {
    read_input(Input::bytes(text), &operations())
}

fn open(test: &str, name: &str) -> Option<Result<(Reading, Kept), Error>> {
    let path = log(test, name)?;
    let input = Input::file(File::open(path).unwrap()).unwrap();
    Some(read_input(input, &operations()))
}

/// Volumes, reads and writes by file. From Python: sums of the columns r/s and w/s (rtps and wtps of sar, Reads
/// and Writes of collectl, …_read_ops of GPFS, ops-rd of BeeGFS) times their interval, without the first report
/// where it is since boot; of recordings the last sample of a counter less the first.
const TOTALS: [(&str, u64, f64, f64); 17] = [
    ("iostat_kxt_iso_1s.txt", 14, 1511.83, 197.88),
    ("iostat_kxty_clocale_1s.txt", 16, 511.0, 95.0),
    ("iostat_xkt.json", 6, 79.0, 5.94),
    ("sadf_d_b.csv", 12, 476.0, 61.57),
    ("sadf_j.json", 12, 476.0, 61.57),
    ("sadf_x.xml", 12, 476.0, 61.57),
    ("sar_live.txt", 12, 476.0, 61.57),
    ("ctl/sample.raw", 14, 977.0, 26.0),
    ("ctl/vm-20261115-072618.raw.gz", 14, 977.0, 26.0),
    ("ctl/plot-vm-20261115.tab", 14, 982.0, 26.0),
    ("ctl/plot-vm-20261115.dsk", 14, 982.0, 26.0),
    (
        "collectl-lustre-playback/clt_brief_T.txt",
        14,
        1020.0,
        6150.0,
    ),
    (
        "collectl-lustre-playback/clt_summary_P.txt",
        14,
        1020.0,
        6120.0,
    ),
    (
        "collectl-lustre-playback/node001-20200115-120000.raw",
        16,
        1024.0,
        6144.0,
    ),
    (
        "collectl-lustre-playback/oss01-20200115-120000.raw",
        20,
        0.0,
        2048.0,
    ),
    (
        "gpfs/mmperfmon-gpfsNumberOperations.txt.gz",
        80,
        833_494.0,
        10_549.0,
    ),
    ("synthetic_beegfs_userstats.txt", 10, 512.0, 2560.0),
];

#[test]
fn operations_of_real_logs_are_counted() {
    for (name, samples, reads, writes) in TOTALS {
        let Some(read) = open("operations_of_real_logs_are_counted", name) else {
            return;
        };
        let (reading, kept) = read.unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(reading.quantity, Quantity::Operations, "{name}");
        assert_eq!(reading.samples, samples, "{name}");
        for (found, expected) in reading.bytes.into_iter().zip([reads, writes]) {
            assert!((found - expected).abs() < 1e-6, "{name}: {found}");
        }
        assert!(reading.unit.starts_with("operations"), "{}", reading.unit);
        let handed: f64 = kept.by_target(Op::Read).values().sum();
        assert!((handed - reads).abs() < 1e-6, "{name}: {handed} handed on");
    }
}

#[test]
fn logs_that_count_none_say_which_do() {
    for (name, said) in [
        ("iostat_k_1s.txt", "log with iostat -x"),
        ("iostat_k.json", "iostat does with -x"),
        ("sadf_d_dev.csv", "sar and sadf with -b"),
        ("sadf_p_dev.txt", "sar and sadf with -b"),
        ("sar_d_p.txt", "sar and sadf with -b"),
        ("gpfs/mmperfmon-nsdds.txt.gz", "query gpfs_nsdds_read_ops"),
        ("synthetic_beegfs_serverstats.txt", "log with --userstats"),
        ("lmt/snx11025_2018-01-28.sqlite3", "obdfilter.*.stats"),
        ("lmt/cerebro_metric_strings_2.15.4.txt", "obdfilter.*.stats"),
        ("lmt/snx11025_2018-01-28.h5lmt", "obdfilter.*.stats"),
        (
            "ldms-eclipse/17209722-lustre.csv.gz",
            "counts no read and write operations",
        ),
        (
            "pytokio/sample_collectdes-full.json.gz",
            "(disk_ops): they are of disk_octets",
        ),
        (
            "prometheus/query_range_counter.json",
            "read or write operations",
        ),
    ] {
        let Some(read) = open("logs_that_count_none_say_which_do", name) else {
            return;
        };
        let error = read.expect_err(name).to_string();
        assert!(error.contains(said), "{name}: {error}");
    }
}

const IOSTAT: &str = "Linux 6.1 (oss1) \t2026-11-15 \t_x86_64_\t(2 CPU)\n";

/// Reports of `iostat -x -t`, a minute apart.
fn iostat(reports: &[(f64, f64)]) -> String {
    let mut text = IOSTAT.to_owned();
    for (minute, (reads, writes)) in reports.iter().enumerate() {
        text += &format!(
            "\n2026-11-15T10:{minute:02}:00+0000\n\
             Device r/s rkB/s rrqm/s w/s wkB/s wrqm/s %util\n\
             sda {reads:.2} 4.00 0.00 {writes:.2} 8.00 0.00 1.00\n\
             sda1 {reads:.2} 4.00 0.00 {writes:.2} 8.00 0.00 1.00\n"
        );
    }
    text
}

#[test]
fn a_disk_and_its_partition_count_an_operation_once() {
    let text = iostat(&[(77.31, 12.7), (3.0, 1.5), (2.0, 0.0)]);
    let (reading, kept) = read_operations(text).unwrap();
    assert_eq!(reading.bytes, [300.0, 90.0]);
    assert_eq!(kept.by_target(Op::Read).len(), 1);
    assert_eq!(codes(&reading), ["since-boot", "left-out"]);
}

#[test]
fn what_no_disk_does_in_a_second_is_left_out() {
    let text = iostat(&[(0.5, 0.5), (3.0, 1.5), (1e12, 0.0), (2.0, 0.0)]);
    let (reading, _) = read_operations(text).unwrap();
    assert_eq!(reading.bytes, [300.0, 90.0]);
    let warnings = reading.warnings.iter();
    let mut impossible = warnings.filter(|one| one.code == "impossible-volume");
    let message = &impossible.next().expect("told").message;
    assert!(
        message.contains("10 billion operations a second, up to 6e13 operations"),
        "{message}"
    );
}

#[test]
fn sums_of_sar_stand_where_disks_count_no_operations() {
    let text = "# hostname;interval;timestamp;tps;rtps;wtps;bread/s;bwrtn/s;DEV;tps;rkB/s;wkB/s[...]\n\
                vm;10;2026-11-15 07:25:10 UTC;7.00;1.00;6.00;8.00;8.00;vda;4.00;1.00;2.00;vdb;3.00;3.00;2.00\n\
                vm;10;2026-11-15 07:25:20 UTC;3.00;1.00;2.00;8.00;8.00;vda;2.00;1.00;2.00;vdb;1.00;3.00;2.00\n";
    let (reading, kept) = read_operations(text).unwrap();
    assert_eq!(reading.bytes, [20.0, 80.0]);
    assert_eq!(kept.targets.len(), 1);
    let (bytes, kept) = read_input(Input::bytes(text), &Options::default()).unwrap();
    assert_eq!(bytes.bytes, [20.0 * 4096.0, 20.0 * 4096.0]);
    assert_eq!(kept.targets.len(), 2, "disks");
}

/// `obdfilter.*.stats` of one OST at an instant.
fn lustre(at: u32, reads: u64, writes: u64) -> String {
    format!(
        "obdfilter.scratch-OST0000.stats=\n\
         snapshot_time             {at}.000000000 secs.nsecs\n\
         read_bytes                {reads} samples [bytes] 1048576 1048576 {}\n\
         write_bytes               {writes} samples [bytes] 1048576 1048576 {}\n\
         read                      {reads} samples [usecs] 966 411413 3265635927 1\n\
         statfs                    406158 samples [usecs] 0 35 1098349 6379453\n",
        reads << 20,
        writes << 20
    )
}

#[test]
fn samples_of_lustre_are_operations_also_where_counters_begin_anew() {
    let text = [
        lustre(1_700_000_000, 100, 1000),
        lustre(1_700_000_010, 130, 1500),
        lustre(1_700_000_020, 7, 1600),
    ]
    .concat();
    let (reading, kept) = read_operations(text).unwrap();
    assert_eq!(reading.bytes, [30.0 + 7.0, 500.0 + 100.0]);
    assert_eq!(codes(&reading), ["counter-reset"]);
    let times: Vec<_> = kept.volumes(Op::Read).iter().map(|one| one.1).collect();
    assert_eq!(times, [1_700_000_010.0, 1_700_000_020.0]);
}

#[test]
fn jobs_of_lustre_have_operations_of_their_own() {
    let Some(path) = log(
        "jobs_of_lustre_have_operations_of_their_own",
        "lustre/obdfilter_lustrefs-OST0000_job_stats.txt",
    ) else {
        return;
    };
    let first = std::fs::read_to_string(path).unwrap();
    // A second look at the same jobs, a minute later: each did 5 writes more.
    let second: Vec<String> = first
        .replace("1510782606", "1510782666")
        .lines()
        .map(|line| match line.split_once("samples:") {
            Some((name, rest)) if name.trim().starts_with("write_bytes:") => {
                let (samples, rest) = rest.split_once(',').unwrap();
                let samples: u64 = samples.trim().parse().unwrap();
                format!("{name}samples: {},{rest}", samples + 5)
            }
            _ => line.to_owned(),
        })
        .collect();
    let (reading, kept) =
        read_operations([first, second.join("\n"), "\n".to_owned()].concat()).unwrap();
    let writes = kept.by_target(Op::Write);
    assert!(
        writes.len() > 1 && writes.values().all(|writes| *writes == 5.0),
        "{writes:?}"
    );
    assert_eq!(reading.bytes[0], 0.0);
    let one = open(
        "jobs_of_lustre_have_operations_of_their_own",
        "lustre/obdfilter_stats_lustre_2.15.4_1.txt",
    );
    let (reading, _) = one.unwrap().unwrap();
    let message = &reading.warnings[0].message;
    assert!(
        message.contains("1705491 read operations and 1704066 write operations"),
        "{message}"
    );
}

#[test]
fn a_line_that_is_cut_off_costs_its_own_operations_alone() {
    let text = "# Collectl:   V4.3.1-1\n# Host:       oss1\n# SubSys:     d Options: Interval: 1\n\
                >>> 1700000000.001 <<<\ndisk 8 0 sda 10 0 80 1 20 0 160 1 0 0 0\n\
                >>> 1700000001.001 <<<\ndisk 8 0 sda 13 0 90 1 25 0 170 1 0 0 0\n\
                >>> 1700000002.001 <<<\ndisk 8 0 sda 19 0 99 1 2";
    let (reading, _) = read_operations(text).unwrap();
    assert_eq!(reading.bytes, [3.0, 5.0]);
    assert_eq!(codes(&reading), ["bad-rows"]);
}
