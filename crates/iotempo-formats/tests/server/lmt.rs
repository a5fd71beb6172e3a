//! LMT: the database of a day, a reset in another, and strings of its agents.

use crate::kept::{Kept, codes, read_file, read_input, read_text};
use crate::log;
use iotempo_formats::Input;
use iotempo_formats::server::{Clock, Options, Reading};
use iotempo_model::{Op, Seconds};
use std::fs::File;
use std::path::Path;

/// By its rule, so that no database of zones is needed.
pub(crate) const CALIFORNIA: &str = "PST8PDT,M3.2.0,M11.1.0";

fn open(test: &str, name: &str) -> Option<(Reading, Kept)> {
    let path = log(test, name)?;
    let options = Options {
        zone: CALIFORNIA.parse().unwrap(),
        ..Options::default()
    };
    let input = Input::file(File::open(path).unwrap()).unwrap();
    Some(read_input(input, &options).unwrap())
}

/// Totals from Python's `sqlite3`: differences of READ_BYTES and WRITE_BYTES per OST, in order.
#[test]
fn the_database_of_a_day_gives_every_byte() {
    let test = "the_database_of_a_day_gives_every_byte";
    let Some((reading, kept)) = open(test, "lmt/snx11025_2018-01-28.sqlite3") else {
        return;
    };
    assert_eq!(reading.format, "LMT database (SQLite)");
    assert_eq!(reading.clock, Clock::Zone(CALIFORNIA.to_owned()));
    assert_eq!(reading.bytes, [6_347_173_888.0, 119_037_925_429.0]);
    assert_eq!((reading.targets, reading.samples), (24, 24 * 60 * 2));
    assert_eq!(reading.interval.unwrap().get(), 5.0);
    assert_eq!(reading.observed.unwrap().start().get(), 1_517_126_400.0);
    assert_eq!(codes(&reading), [""; 0]);
    assert!(
        kept.targets
            .iter()
            .any(|one| one.label() == "snx11025n004/snx11025-OST0000")
    );
}

#[test]
fn counters_that_begin_anew_are_told() {
    let test = "counters_that_begin_anew_are_told";
    let Some((reading, _)) = open(test, "lmt/lmtdb-reset.sqlite3") else {
        return;
    };
    assert_eq!(reading.bytes, [69_369_856.0, 1_986_386_856.0]);
    assert!(
        codes(&reading).contains(&"counter-reset"),
        "{:?}",
        codes(&reading)
    );
    assert_eq!(reading.targets, 1);
}

#[test]
fn a_damaged_page_costs_what_follows_and_nothing_else() {
    let test = "a_damaged_page_costs_what_follows_and_nothing_else";
    let Some(path) = log(test, "lmt/snx11025_2018-01-28.sqlite3") else {
        return;
    };
    let bytes = std::fs::read(path).unwrap();
    let (mut damaged, mut refused) = (0, 0);
    for page in 0..83 {
        let mut bytes = bytes.clone();
        bytes[page * 4096..(page + 1) * 4096].fill(0);
        match read_text(bytes) {
            Ok((reading, _)) => {
                assert!(reading.bytes[1] <= 119_037_925_429.0);
                assert_eq!(codes(&reading).contains(&"damaged"), reading.damaged);
                damaged += usize::from(reading.damaged);
            }
            Err(error) => {
                refused += 1;
                let error = error.to_string();
                assert!(page == 0 || error.starts_with("SQLite, byte"), "{error}");
            }
        }
    }
    assert!(damaged > 10 && refused > 2, "{damaged} {refused}");
    for length in [50, 100, 4096, 5000, 200_000] {
        let error = read_text(&bytes[..length]).unwrap_err().to_string();
        assert!(error.starts_with("SQLite, byte"), "{error}");
    }
}

#[test]
fn another_database_is_refused_by_its_tables() {
    let mut page = vec![0; 4096];
    page[..16].copy_from_slice(b"SQLite format 3\0");
    page[16] = 0x10;
    page[59] = 1;
    page[100] = 0x0d;
    let error = read_text(page).unwrap_err().to_string();
    assert!(
        error.contains("without the tables OST_DATA and TIMESTAMP_INFO"),
        "{error}"
    );
    let error = read_text("SQLite format 3\0").unwrap_err().to_string();
    assert!(error.contains("ends inside the header"), "{error}");
}

#[test]
fn strings_without_a_time_are_one_snapshot() {
    let test = "strings_without_a_time_are_one_snapshot";
    let Some(path) = log(test, "lmt/cerebro_metric_strings_2.15.4.txt") else {
        return;
    };
    let (reading, kept) = read_file(&path);
    assert_eq!(reading.format, "LMT strings (lmt_ost_v2)");
    assert_eq!(codes(&reading), ["one-snapshot", "left-out"]);
    // The sixth and seventh field of each of the four OSTs.
    let shown = "1788336930816 bytes read and 1786842710016 bytes written";
    assert!(
        reading.warnings[0].message.contains(shown),
        "{:?}",
        reading.warnings
    );
    let names: Vec<_> = kept.targets.iter().map(|one| one.name.as_str()).collect();
    let expected = [
        "lflood-OST0000",
        "lflood-OST0001",
        "lflood-OST0002",
        "lflood-OST0003",
    ];
    assert_eq!(names, expected);
}

fn string(read: u64, written: u64) -> String {
    format!(
        "2;oss1;0.18;13.33;fs-OST0000;1;2;3;4;{read};{written};5;6;0;7;8;0;0;COMPLETE 1/1 0s remaining;"
    )
}

#[test]
fn strings_with_times_are_volumes() {
    let text = format!(
        "1700000000 ost: {}\n1700000005 ost: {}\n1700000010 ost: {}\n",
        string(10, 1),
        string(40, 1),
        string(5, 2)
    );
    let (reading, kept) = read_text(text).unwrap();
    assert_eq!(reading.clock, Clock::Epoch);
    assert_eq!(
        kept.volumes(Op::Read),
        [(1.7e9, 1.7e9 + 5.0, 30.0), (1.7e9 + 5.0, 1.7e9 + 10.0, 5.0)]
    );
    assert_eq!(codes(&reading), ["counter-reset"]);
    let local = format!(
        "2024-01-10 22:01:57 {}\n2024-01-10 22:02:02 {}\n",
        string(1, 1),
        string(2, 2)
    );
    let options = Options {
        zone: "UTC".parse().unwrap(),
        ..Options::default()
    };
    let (reading, _) = read_input(Input::bytes(local), &options).unwrap();
    assert_eq!(reading.clock, Clock::Zone("UTC".to_owned()));
    assert_eq!(reading.bytes, [1.0, 1.0]);
}

#[test]
fn strings_without_times_need_an_interval() {
    let text = format!("ost: {}\nost: {}\n", string(10, 1), string(40, 1));
    let error = read_text(text.clone()).unwrap_err().to_string();
    assert!(error.contains("give the interval"), "{error}");
    let options = Options {
        interval: Seconds::new(5.0),
        ..Options::default()
    };
    let (reading, kept) = read_input(Input::bytes(text), &options).unwrap();
    assert_eq!(reading.clock, Clock::Relative);
    assert_eq!(kept.volumes(Op::Read), [(0.0, 5.0, 30.0)]);
}

#[test]
fn a_string_that_is_cut_off_costs_its_last_target() {
    let two = string(10, 1) + "fs-OST0001;1;2;3;4;5";
    let text = format!(
        "100000000 ost: {}\n100000005 ost: {two}\n100000010 ost: {}\n",
        string(1, 1),
        string(20, 1)
    );
    let (reading, _) = read_text(text).unwrap();
    assert_eq!(reading.bytes, [19.0, 0.0]);
    assert_eq!(codes(&reading), ["bad-rows"]);
    let bad = &reading.warnings[0].message;
    assert!(
        bad.contains("line 2: an OST without its counters: fs-OST0001"),
        "{bad}"
    );
}

/// A tree of two levels, and a name of 2,510 bytes that goes on on three more pages.
#[test]
fn a_made_database_is_read_to_the_last_row() {
    let path =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/corpus/sqlite/lmt.sqlite3");
    let (reading, kept) = read_file(&path);
    // Seven steps of a mebibyte; of the other OST six, and one in which it began anew at zero.
    let mebibytes = 1_048_576.0;
    assert_eq!(reading.bytes, [13.0 * mebibytes, 26.0 * mebibytes]);
    assert_eq!(reading.samples, 28);
    let lengths: Vec<_> = kept.targets.iter().map(|one| one.name.len()).collect();
    assert_eq!(lengths, [10, 2510]);
    assert!(codes(&reading).contains(&"counter-reset"));
}

#[test]
fn rows_that_lie_over_each_other_are_refused() {
    let path =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/corpus/sqlite/lmt.sqlite3");
    let mut bytes = std::fs::read(path).unwrap();
    // The third page has the times: 340 cells in place of 8, all of them the first one.
    let page = &mut bytes[2048..3072];
    let first = [page[8], page[9]];
    page[3..5].copy_from_slice(&340_u16.to_be_bytes());
    page[8..688].copy_from_slice(&first.repeat(340));
    let error = read_text(bytes).unwrap_err().to_string();
    assert!(error.contains("a row that is too long"), "{error}");
}
