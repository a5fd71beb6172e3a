#![allow(clippy::unwrap_used)]

use super::*;
use crate::darshan::log::{DxtTable, Records};

const HEADING: &str = "# darshan log version: 3.41\n# nprocs: 4\n\
    # DXT_POSIX module: 10 bytes (compressed), ver=1\n";

const ONE: &str = "# DXT_POSIX module data\n\
    \n# DXT, file_id: 5, file_name: /a, b: c\n# DXT, rank: 1, hostname: n7\n\
    # DXT, write_count: 1, read_count: 2\n# DXT, mnt_pt: /, fs_type: lustre\n\
    # Module    Rank  Wt/Rd  Segment          Offset       Length    Start(s)      End(s)\n \
    X_POSIX       1  write        0              16               8      0.5000      0.7500\n \
    X_POSIX       1   read        0               0               4      1.0000      1.0000\n \
    X_POSIX       1   read        1               4               0      2.0000      2.2500\n";

fn read(text: &str) -> Log {
    read_dxt_text(text.as_bytes(), &Limits::default()).unwrap()
}

fn table(log: &Log, module: Module) -> &DxtTable {
    match &log.module(module).unwrap().records {
        Records::Dxt(table) => table,
        _ => panic!("requests"),
    }
}

fn damage(log: &Log, module: Module) -> &str {
    &log.module(module).unwrap().damage.as_ref().unwrap().message
}

#[test]
fn a_record_has_its_file_its_rank_and_its_requests() {
    let log = read(&format!("{HEADING}{ONE}"));
    let table = table(&log, Module::DxtPosix);
    let record = &table.records[0];
    assert_eq!((record.id, record.rank, &*record.hostname), (5, 1, "n7"));
    assert_eq!((record.writes, record.reads, record.first), (1, 2, 0));
    assert_eq!(log.names.get(5), Some("/a, b: c"));
    assert_eq!(table.offsets, [16, 0, 4]);
    assert_eq!(table.lengths, [8, 4, 0]);
    assert_eq!(table.starts, [0.5, 1.0, 2.0]);
    assert_eq!(table.ends, [0.75, 1.0, 2.25]);
    assert!(table.threads.is_empty());
    let module = log.module(Module::DxtPosix).unwrap();
    assert_eq!((module.version, module.damage.as_ref()), (1, None));
    assert_eq!(log.warnings.len(), 1);
    assert_eq!(log.warnings[0].code, "text-rounding");
}

#[test]
fn windows_line_breaks_and_blank_lines_change_nothing() {
    let text = format!("{HEADING}{ONE}");
    let (one, other) = (read(&text), read(&text.replace('\n', "\r\n\r\n")));
    let of = |log: &Log| format!("{:?} {:?}", log.modules, log.job);
    assert_eq!(of(&one), of(&other));
}

#[test]
fn storage_targets_and_threads_behind_a_request_are_told_apart() {
    let request = |end: &str| {
        let line = format!(" X_MPIIO       3  write   0   8   16   0.1000   0.2000{end}");
        scan::parse(&line).unwrap().2
    };
    assert_eq!(request("").thread, None);
    assert_eq!(request("  [ 88]  [  3]").thread, None);
    assert_eq!(request("    [23] [24]").thread, None);
    assert_eq!(
        request("     140498826330816").thread,
        Some(140_498_826_330_816)
    );
    assert_eq!(request("   [106]     7").thread, Some(7));
    // A log whose version has no threads.
    assert_eq!(request("   [106]     -1").thread, None);
    assert_eq!(request("   [106]     7").length, 16);
}

#[test]
fn requests_without_a_thread_get_0_beside_those_with_one() {
    let text = format!("{HEADING}{ONE}").replace("1.0000      1.0000\n", "1.0000      1.0000  9\n");
    assert_eq!(table(&read(&text), Module::DxtPosix).threads, [0, 9, 0]);
}

#[test]
fn writes_come_first_in_the_table_whatever_the_text_does() {
    let mut lines: Vec<_> = ONE.lines().collect();
    let write = lines.remove(lines.len() - 3);
    lines.push(write);
    let log = read(&format!("{HEADING}{}\n", lines.join("\n")));
    let table = table(&log, Module::DxtPosix);
    assert_eq!((table.records[0].writes, table.records[0].reads), (1, 2));
    assert_eq!(table.starts, [0.5, 1.0, 2.0]);
    assert_eq!(table.lengths, [8, 4, 0]);
    assert_eq!(log.modules[0].damage, None);
}

#[test]
fn modules_are_kept_apart() {
    let mpiio = ONE
        .replace("POSIX", "MPIIO")
        .replace("file_id: 5", "file_id: 6");
    let log = read(&format!("{HEADING}{ONE}\n{mpiio}"));
    assert_eq!(table(&log, Module::DxtPosix).records[0].id, 5);
    assert_eq!(table(&log, Module::DxtMpiio).records[0].id, 6);
    assert_eq!(table(&log, Module::DxtMpiio).records[0].first, 0);
    assert_eq!(
        log.modules
            .iter()
            .filter(|module| module.damage.is_some())
            .count(),
        0
    );
}

#[test]
fn a_text_that_ends_between_lines_is_found_out() {
    let text = format!("{HEADING}{ONE}");
    let cut = &text[..text.trim_end().rfind('\n').unwrap() + 1];
    let log = read(cut);
    assert_eq!(table(&log, Module::DxtPosix).starts, [0.5, 1.0]);
    let message = "line 6: the record announces 1 writes and 2 reads and has 1 and 1";
    assert_eq!(damage(&log, Module::DxtPosix), message);
}

#[test]
fn a_text_that_ends_in_a_line_keeps_the_lines_before() {
    let text = format!("{HEADING}{ONE}");
    for cut in 1..=8 {
        let log = read(&text[..text.len() - cut]);
        // The end time is whole where only the line break is missing.
        let kept = if cut == 1 { 3 } else { 2 };
        assert_eq!(table(&log, Module::DxtPosix).starts.len(), kept, "{cut}");
        assert_eq!(log.modules[0].damage.is_some(), cut > 1);
    }
}

#[test]
fn a_text_that_ends_in_the_comments_of_a_record_is_found_out() {
    let text = format!("{HEADING}{ONE}");
    let log = read(&text[..text.find("# DXT, write_count").unwrap()]);
    let message = "line 6: the record ends inside its comments";
    assert_eq!(damage(&log, Module::DxtPosix), message);
}

#[test]
fn a_module_that_is_announced_and_missing_is_told() {
    let log = read(HEADING);
    assert!(
        log.warnings[0]
            .message
            .ends_with("did not print these modules: DXT_POSIX")
    );
}

#[test]
fn a_bad_line_costs_its_request_only() {
    let log = read(&format!(
        "{HEADING}{}",
        ONE.replace("        0               0    ", "   x  0  ")
    ));
    assert_eq!(table(&log, Module::DxtPosix).starts, [0.5, 2.0]);
    assert!(damage(&log, Module::DxtPosix).starts_with("line 12: not a request: X_POSIX"));
}

#[test]
fn requests_without_comments_are_kept_without_a_file() {
    let lines: String = ONE
        .lines()
        .filter(|l| l.contains("X_POSIX"))
        .map(|l| format!("{l}\n"))
        .collect();
    let log = read(&lines);
    let table = table(&log, Module::DxtPosix);
    assert_eq!(
        (
            table.records.len(),
            table.records[0].rank,
            table.starts.len()
        ),
        (1, 1, 3)
    );
    let codes: Vec<_> = log.warnings.iter().map(|warning| &*warning.code).collect();
    assert_eq!(
        codes,
        ["text-no-heading", "text-rounding", "text-no-record-heading"]
    );
}

#[test]
fn a_text_without_requests_is_an_empty_log() {
    let log = read(
        "# darshan log version: 3.10\n\n# no DXT module data available for this Darshan log.\n",
    );
    assert!(log.modules.is_empty());
}

#[test]
fn a_receiver_that_fails_stops_the_reading() {
    let text = format!("{HEADING}{ONE}");
    let mut seen = 0;
    let error = for_each_dxt_request(
        text.as_bytes(),
        &Limits::default(),
        &mut |record, request| {
            assert_eq!((record.id, record.announced), (5, Some((1, 2))));
            assert!(request.write);
            seen += 1;
            Err(io::Error::other("the disk is full"))
        },
    );
    assert_eq!(error.unwrap_err().to_string(), "line 11: the disk is full");
    assert_eq!(seen, 1);
}

#[test]
fn an_unreadable_text_is_an_error_before_its_first_request_and_damage_after() {
    let limits = Limits {
        name: 200,
        ..Limits::default()
    };
    let long = "x".repeat(300);
    assert!(read_dxt_text(format!("{HEADING}{long}\n{ONE}").as_bytes(), &limits).is_err());
    let log = read_dxt_text(format!("{HEADING}{ONE}{long}\n").as_bytes(), &limits).unwrap();
    assert_eq!(table(&log, Module::DxtPosix).starts.len(), 3);
    assert!(damage(&log, Module::DxtPosix).starts_with("line 14: it would take more than 200"));
}

#[test]
fn a_module_that_dropped_requests_is_partial() {
    let data = "module data\n";
    let warning = "# *WARNING*: The DXT_POSIX module contains incomplete data!\n";
    let log = read(&format!(
        "{HEADING}{}",
        ONE.replace(data, &format!("{data}{warning}"))
    ));
    assert!(log.module(Module::DxtPosix).unwrap().partial);
}
