//! collectl: what it recorded of a machine's disk, and what it printed of a client and a server of
//! Lustre.

use crate::kept::{Kept, codes, read_file, read_input};
use crate::log;
use iotempo_formats::Input;
use iotempo_formats::server::{Clock, Options, Reading};
use iotempo_formats::zone::TimeZone;
use iotempo_model::Op;

fn utc() -> Options {
    Options {
        zone: TimeZone::utc(),
        ..Options::default()
    }
}

fn read_utc(text: &str) -> (Reading, Kept) {
    read_input(Input::bytes(text), &utc()).unwrap_or_else(|error| panic!("{error}"))
}

/// Format, targets, bytes read and written by file. From Python: of recordings the last counter less
/// the first, times 512 for disks; of rates the sums of columns, times 1024 and the interval (15 s
/// for Lustre).
const TOTALS: [(&str, &str, u64, f64, f64); 10] = [
    (
        "ctl/sample.raw",
        "collectl recording",
        1,
        37_040_128.0,
        68_313_088.0,
    ),
    (
        "ctl/vm-20261115-072618.raw.gz",
        "collectl recording",
        1,
        37_040_128.0,
        68_313_088.0,
    ),
    (
        "ctl/plot-vm-20261115.tab",
        "collectl -P",
        1,
        37_219_328.0,
        68_224_000.0,
    ),
    (
        "ctl/plot-vm-20261115.dsk",
        "collectl -P",
        1,
        37_219_328.0,
        68_224_000.0,
    ),
    (
        "collectl-lustre-playback/clt_brief_T.txt",
        "collectl text",
        1,
        1_073_740_800.0,
        6_442_444_800.0,
    ),
    (
        "collectl-lustre-playback/clt_detail_P.txt",
        "collectl -P",
        1,
        1_073_740_800.0,
        6_442_444_800.0,
    ),
    (
        "collectl-lustre-playback/clt_summary_P.txt",
        "collectl -P",
        1,
        1_073_740_800.0,
        6_442_444_800.0,
    ),
    (
        "collectl-lustre-playback/ost_detail_P.txt",
        "collectl -P",
        2,
        0.0,
        2_147_481_600.0,
    ),
    (
        "collectl-lustre-playback/node001-20200115-120000.raw",
        "collectl recording",
        1,
        1_073_741_824.0,
        6_442_450_944.0,
    ),
    (
        "collectl-lustre-playback/oss01-20200115-120000.raw",
        "collectl recording",
        2,
        0.0,
        2_147_483_648.0,
    ),
];

#[test]
fn every_form_holds_the_bytes_that_its_columns_add_up_to() {
    for (name, format, targets, read, written) in TOTALS {
        let Some(path) = log(
            "every_form_holds_the_bytes_that_its_columns_add_up_to",
            name,
        ) else {
            return;
        };
        let (reading, _) = read_file(&path);
        assert_eq!(reading.format, format, "{name}");
        assert_eq!(reading.targets, targets, "{name}");
        assert_eq!(
            reading.bytes,
            [read, written],
            "{name}: {:?}",
            reading.warnings
        );
        assert_eq!(reading.missing.get(), 0.0, "{name}");
        assert!(!reading.damaged, "{name}");
    }
}

#[test]
fn a_log_of_network_interfaces_holds_no_bytes_of_files() {
    let Some(path) = log(
        "a_log_of_network_interfaces_holds_no_bytes_of_files",
        "ctl/plot-vm-20261115.net",
    ) else {
        return;
    };
    let error = read_input(Input::bytes(std::fs::read(path).unwrap()), &utc()).unwrap_err();
    assert!(
        error.to_string().starts_with("the log holds no disk"),
        "{error}"
    );
}

#[test]
fn targets_are_called_as_the_header_does() {
    for (name, expected) in [
        ("ctl/sample.raw", vec!["vm/vda"]),
        ("ctl/plot-vm-20261115.tab", vec!["vm"]),
        (
            "collectl-lustre-playback/node001-20200115-120000.raw",
            vec!["node001/scratch"],
        ),
        (
            "collectl-lustre-playback/oss01-20200115-120000.raw",
            vec!["oss01/OST0000", "oss01/OST0001"],
        ),
        (
            "collectl-lustre-playback/ost_detail_P.txt",
            vec!["OST0000", "OST0001"],
        ),
        ("collectl-lustre-playback/clt_summary_P.txt", vec!["client"]),
    ] {
        let Some(path) = log("targets_are_called_as_the_header_does", name) else {
            return;
        };
        let (_, kept) = read_file(&path);
        let labels: Vec<String> = kept.targets.iter().map(|one| one.label()).collect();
        assert_eq!(labels, expected, "{name}");
    }
}

const HEADER: &str = "################\n# Collectl:   V4.3.1-1  HiRes: 1  Options: -sd\n# Host:       n1  DaemonOpts: \n\
                      # Date:       20261115-072618  Secs: 1794727578 TZ: +0100\n\
                      # SubSys:     d Options: z Interval: 2 NumCPUs: 2  NumBud: 0 Flags: i\n################\n";
const COLUMNS: &str = "#Date Time [DSK:sda]Name [DSK:sda]RKBytes [DSK:sda]WKBytes\n";

#[test]
fn times_are_on_the_clock_of_the_recording() {
    let rows = "20261115 07:26:20 sda 10 20\n20261115 07:26:22 sda 10 20\n";
    let text = format!("{HEADER}{COLUMNS}{rows}");
    let (reading, kept) = read_input(Input::bytes(text.clone()), &Options::default()).unwrap();
    assert_eq!(reading.clock, Clock::Zone("+0100".to_owned()));
    assert_eq!(
        kept.volumes(Op::Read)[0],
        (1_794_723_978.0, 1_794_723_980.0, 20_480.0)
    );
    // Unless the user knows better.
    let (_, kept) = read_utc(&text);
    assert_eq!(kept.volumes(Op::Read)[0].1, 1_794_727_580.0);
}

#[test]
fn totals_and_rates_are_told_apart_by_the_header() {
    let rows = "20261115 07:26:20 sda 10 20\n20261115 07:26:22 sda 10 20\n";
    let text = format!("{HEADER}{COLUMNS}{rows}");
    assert_eq!(read_utc(&text).0.bytes, [40_960.0, 81_920.0]);
    let totals = text.replace("Options: z", "Options: nz");
    let (reading, _) = read_utc(&totals);
    assert_eq!(reading.bytes, [20_480.0, 40_960.0]);
    assert!(reading.unit.contains("per interval"), "{}", reading.unit);
}

#[test]
fn seconds_since_1970_and_separators_are_taken_as_they_come() {
    let text = "#UTC;[DSK]ReadKBTot;[DSK]WriteKBTot\n1794727580.500;10;20\n1794727581.501;10;20\n1794727582.500;1;2\n";
    let (reading, kept) = read_utc(text);
    assert_eq!(reading.clock, Clock::Epoch);
    let ends: Vec<f64> = kept.volumes(Op::Read).iter().map(|one| one.1).collect();
    assert_eq!(ends, [1_794_727_580.5, 1_794_727_581.501, 1_794_727_582.5]);
    assert_eq!(kept.targets[0].label(), "disks");
}

#[test]
fn the_level_nearest_to_files_is_handed_on() {
    let heading = "#Date Time [NET]RxKBTot [DSK]ReadKBTot [DSK]WriteKBTot [CLT]ReadKB [CLT]WriteKB \
                   [CLT:a]ReadKB [CLT:a]WriteKB [CLT:b]ReadKB [CLT:b]WriteKB\n";
    let row = "9 9 9 3 30 1 10 2 20\n";
    let text = format!("{heading}20261115 07:00:01 {row}20261115 07:00:02 {row}");
    let (reading, kept) = read_utc(&text);
    assert_eq!(kept.targets.len(), 2);
    assert_eq!(reading.bytes, [6.0 * 1024.0, 60.0 * 1024.0]);
    assert_eq!(codes(&reading), ["left-out"]);
    let message = &reading.warnings[0].message;
    assert!(
        message.contains("disks, sums, network interfaces, beside the client of Lustre"),
        "{message}"
    );
}

#[test]
fn rows_that_cannot_be_read_cost_themselves() {
    let rows = "20261115 07:26:20 sda 10 20\n20261115 07:26:22 sda 10\nx 07:26:24 sda 1 2\n\
                20261115 07:26:24 sda 10 20\n20261115 07:26:26 sda x 20\n20261115 07:26:28 sda 10 20\n\
                20261115 07:26:28 sda 10 20\n20261115 07:26:48 sda 10 20\n20261115 07:26:50 sda 10 20\n20261115 07:26:52 sda 10 2";
    let (reading, _) = read_utc(&format!("{HEADER}{COLUMNS}{rows}").replace('\n', "\r\n"));
    assert_eq!(reading.bytes, [5.0 * 20_480.0, 5.0 * 40_960.0]);
    let mut found = codes(&reading);
    found.sort_unstable();
    assert_eq!(found, ["bad-rows", "doubled-rows", "gaps"]);
}

fn recording(blocks: &[&str]) -> String {
    let mut text = HEADER.to_owned();
    for (at, block) in blocks.iter().enumerate() {
        text += &format!(">>> {}.001 <<<\n{block}", 1_579_089_600 + at);
    }
    text
}

#[test]
fn a_counter_that_is_missing_once_did_not_begin_anew() {
    let both = |read: u64, written: u64| {
        format!(
            "LLITE:0 read_bytes 1 samples [bytes] 0 9 {read}\n\
             LLITE:0 write_bytes 1 samples [bytes] 0 9 {written}\n"
        )
    };
    let alone = "LLITE:0 read_bytes 1 samples [bytes] 0 9 7000000000020\n".to_owned();
    let blocks = [
        both(7_000_000_000_000, 9_000_000_000_000),
        both(7_000_000_000_010, 9_000_000_000_010),
        alone,
        both(7_000_000_000_030, 9_000_000_000_030),
    ];
    let blocks: Vec<&str> = blocks.iter().map(String::as_str).collect();
    let (reading, _) = read_utc(&recording(&blocks));
    assert_eq!(reading.bytes, [30.0, 30.0]);
}

#[test]
fn counters_that_never_counted_are_zero() {
    // Lustre shows no counter of bytes before the first byte.
    let quiet = "LLITE:0 open 1 samples [regs]\n";
    let busy = "LLITE:0 open 1 samples [regs]\nLLITE:0 read_bytes 2 samples [bytes] 1 4096 8192\n";
    let (reading, kept) = read_utc(&recording(&[quiet, busy, busy]));
    assert_eq!(reading.bytes, [8192.0, 0.0]);
    assert_eq!(kept.volumes(Op::Read).len(), 2);
    assert_eq!(kept.volumes(Op::Write).len(), 2);
}

#[test]
fn disks_beside_lustre_and_parts_beside_disks_are_left_out() {
    let disks = |sectors: u32| {
        format!(
            "disk 8 0 sda 1 1 {sectors} 1 1 1 0 1 0 0 0\ndisk 8 1 sda1 1 1 {sectors} 1 1 1 0 1 0 0 0\nNet lo: 1\n"
        )
    };
    let (reading, _) = read_utc(&recording(&[&disks(0), &disks(2)]));
    assert_eq!(reading.bytes[0], 1024.0);
    assert_eq!(codes(&reading), ["left-out", "left-out"]);
    let both = |bytes: u32| {
        format!(
            "{}OST_0 write_bytes 1 samples [bytes] 1 1 {bytes}\n",
            disks(bytes)
        )
    };
    let text = recording(&[&both(0), &both(2)]);
    let (reading, kept) = read_utc(&text);
    assert_eq!((reading.bytes, kept.targets.len()), ([0.0, 2.0], 1));
    let options = Options {
        targets: vec!["sda".to_owned()],
        ..utc()
    };
    let (reading, _) = read_input(Input::bytes(text), &options).unwrap();
    assert_eq!(reading.bytes, [1024.0, 0.0]);
}

#[test]
fn a_recording_that_is_damaged_gives_what_is_whole() {
    let disk = |sectors: &str| format!("disk 8 0 sda 1 1 {sectors} 1 1 1 0 1 0 0 0\n");
    let blocks = [
        disk("0"),
        disk("2"),
        disk("x"),
        disk("4"),
        disk("1"),
        disk("3"),
        "disk 8 0 sda 1".to_owned(),
    ];
    let blocks: Vec<&str> = blocks.iter().map(String::as_str).collect();
    let (reading, _) = read_utc(&recording(&blocks));
    assert_eq!(reading.bytes[0], (2.0 + 2.0 + 1.0 + 2.0) * 512.0);
    assert_eq!(codes(&reading), ["counter-reset", "bad-rows"]);
    let one = recording(&[&disk("0")]);
    let error = read_input(Input::bytes(one), &utc()).unwrap_err();
    assert!(
        error.to_string().contains("a second one is needed"),
        "{error}"
    );
}

#[test]
fn brief_lines_cross_midnight_and_carry_short_numbers() {
    let text = "#<----------Disks----------->\n#KBRead  Reads KBWrit Writes \n    566    118    247     12 \n    229     29  18K     15 \n";
    let (reading, _) = read_utc(text);
    assert_eq!(
        reading.bytes,
        [795.0 * 1024.0, (247.0 + 18.0 * 1024.0) * 1024.0]
    );
    assert_eq!(codes(&reading), ["interval-assumed"]);
    assert_eq!(reading.clock, Clock::Relative);
    let timed = "#         <----------Disks----------->\n#Time     KBRead  Reads KBWrit Writes \n\
                 23:59:50    1    1    1     1 \n00:00:00    1    1    1     1 \n00:00:10    1    1    1     1 \n";
    let (reading, kept) = read_utc(timed);
    assert_eq!(reading.clock, Clock::Relative);
    let last = kept.volumes(Op::Read)[2];
    assert_eq!((last.0, last.1), (10.0, 20.0), "since the first line");
    let options = Options {
        start: Some(1_794_787_180.0),
        ..utc()
    };
    let (reading, kept) = read_input(Input::bytes(timed), &options).unwrap();
    assert_eq!(reading.bytes[0], 30.0 * 1024.0);
    assert_eq!(kept.volumes(Op::Read)[2].1, 1_794_787_210.0);
}

#[test]
fn text_for_people_over_several_lines_is_refused() {
    let text = "\n# DISK STATISTICS (/sec)\n#Time  Name  KBytes\n04:29:04 vda 32\n";
    let error = read_input(Input::bytes(text), &utc()).unwrap_err();
    assert!(error.to_string().contains("-P"), "{error}");
}
