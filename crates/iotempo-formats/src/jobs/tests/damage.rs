//! Logs that something happened to.

use super::*;
use flate2::Compression;
use flate2::write::GzEncoder;
use std::io::Write;

const HEAD: &str = "JobID|User|JobName|State|Start|End\n";

/// Sound rows, so that one bad row is one of many.
fn rows(count: usize) -> String {
    let row = |id| {
        let (start, end) = (1_794_728_000 + id, 1_794_728_010 + id);
        format!("{id}|ada|run|COMPLETED|{start}|{end}\n")
    };
    (1..=count).map(row).collect()
}

#[test]
fn a_cut_line_costs_itself() {
    let log = format!("{HEAD}{}", rows(9));
    let (reading, jobs) = read(&log[..log.len() - 20]);
    assert_eq!(jobs.len(), 8);
    assert!(reading.damaged);
    assert_eq!(
        said(&reading),
        [
            "1 of 9 rows could not be read and were left out (the first: line 10: a row of 5 fields \
          where there are 6 columns: 9) [bad-rows]"
        ]
    );
    // A time that is cut is still a time of its day: not so for Slurm.
    let log = "JobID|State|Start\n1|COMPLETED|2026-11-15T07:46:02\n2|COMPLETED|2026-11-15T07:46";
    let (reading, jobs) = read(log);
    assert_eq!((jobs.len(), reading.damaged), (1, true));
    for (log, value) in [
        (
            "JobId=1 JobState=FAILED StartTime=1794728762\nJobId=2 UserId=ada(1)",
            "2",
        ),
        (
            "11/15/2026 07:46:04;E;1.s;user=a start=1794728762 end=1794728764\n\
             11/15/2026 07:46:04;E;2.s;user=a start=17",
            "2.s",
        ),
        (
            "1 0 1 9 4 -1 -1 4 6 -1 1 5 2 7 1 1 -1 -1\n2 0 1 9 4 -1 -1",
            "7",
        ),
    ] {
        let (reading, jobs) = read(log);
        assert_eq!((jobs.len(), reading.damaged), (1, true), "{log}");
        let bad = &reading.warnings[0].message;
        assert!(
            bad.contains("line 2") && bad.ends_with(&format!("{value})")),
            "{bad}"
        );
    }
}

#[test]
fn a_cut_document_keeps_the_jobs_before_the_cut() {
    let job = |id: u32| {
        format!(r#"{{"job_id":{id},"state":{{"current":"FAILED"}},"time":{{"start":1794728762}}}}"#)
    };
    let log = format!(r#"{{"jobs":[{},{},{{"job_id":3,"#, job(1), job(2));
    let (reading, jobs) = read(log.as_str());
    assert_eq!(ids(&jobs), ["1", "2"]);
    assert!(reading.damaged);
    assert!(said(&reading)[0].starts_with("only what precedes this was read: "));
    assert!(refused(r#"{"jobs":[{"job_id":3,"#, &utc()).contains("ends"));
}

#[test]
fn a_cut_compression_keeps_the_jobs_before_the_cut() {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    let log = format!("{HEAD}{}", rows(50_000));
    encoder.write_all(log.as_bytes()).expect("memory");
    let packed = encoder.finish().expect("memory");
    let (reading, jobs) = read(&packed[..packed.len() / 2]);
    assert!((10_000..50_000).contains(&jobs.len()), "{}", jobs.len());
    assert!(reading.damaged && reading.warnings[0].code == "damaged");
    assert_eq!(read(packed).1.len(), 50_000);
}

#[test]
fn what_no_reader_takes_is_named() {
    let wide: Vec<u8> = rows(2).encode_utf16().flat_map(u16::to_le_bytes).collect();
    let utf16 = [b"\xff\xfe", wide.as_slice()].concat();
    let tar = [[0; 257].as_slice(), b"ustar"].concat();
    for (log, name) in [
        (utf16, "text in UTF-16: convert it"),
        (b"\xfd7zXZ\0\0\x04".to_vec(), "compressed by xz"),
        (b"\x28\xb5\x2f\xfd\x04\0".to_vec(), "compressed by zstd"),
        (b"PAR1\x15\0".to_vec(), "Parquet"),
        (tar, "an archive of tar"),
    ] {
        let error = refused(log, &utc());
        assert!(error.contains(name), "{error}");
    }
}

#[test]
fn the_order_of_rows_and_columns_does_not_matter() {
    let mut reordered: Vec<String> = rows(20).lines().map(|line| format!("{line}\n")).collect();
    reordered.reverse();
    let (reading, mut jobs) = read(format!("{HEAD}{}", reordered.concat()));
    jobs.reverse();
    assert_eq!(said(&reading), [""; 0]);
    assert_eq!(jobs, read(format!("{HEAD}{}", rows(20))).1);
    let (_, other) =
        read("End|Start|State|JobName|User|JobID\n1794728011|1794728001|COMPLETED|run|ada|1\n");
    assert_eq!(other[0], jobs[0]);
}

#[test]
fn a_job_that_is_told_twice_is_one() {
    // As where two days were asked for, each with its heading.
    let log = format!("{HEAD}{}{HEAD}{}", rows(5), rows(7));
    let (reading, jobs) = read(log);
    assert_eq!(jobs.len(), 7);
    assert_eq!(
        said(&reading),
        ["5 jobs told more than once, here or in an earlier log: each is counted once [job-twice]"]
    );
    assert!(!reading.damaged);
}

#[test]
fn an_end_before_the_start_is_left_out() {
    let log = format!("{HEAD}{}77|ada|run|FAILED|1794728762|1794728761\n", rows(2));
    let (reading, jobs) = read(log);
    assert_eq!(
        (jobs[2].start_epoch_s, jobs[2].end_epoch_s),
        (Some(1_794_728_762.0), None)
    );
    assert_eq!(
        said(&reading),
        ["1 job said to end before the start: the end is left out [job-backwards]"]
    );
}

#[test]
fn a_start_that_is_not_known_is_counted() {
    let log = format!(
        "{HEAD}1|ada|a|PENDING|Unknown|Unknown\n2|ada|b|CANCELLED by 7|None|2026-11-15T07:46:02\n"
    );
    let (reading, jobs) = read(log);
    assert_eq!((jobs[0].start_epoch_s, jobs[1].start_epoch_s), (None, None));
    assert_eq!(jobs[1].end_epoch_s, Some(1_794_728_762.0));
    assert_eq!(
        said(&reading),
        ["2 jobs without a start [job-without-start]"]
    );
}

#[test]
fn numbers_of_another_locale_are_refused_by_line_and_value() {
    let line = "1 0 1 9 4 -1 -1 4 6 -1 1 5 2 7 1 1 -1 -1\n";
    let log = format!("{line}{line}3 0 1,5 9 4 -1 -1 4 6 -1 1 5 2 7 1 1 -1 -1\n");
    let (reading, _) = read(log);
    let bad = &reading.warnings[0].message;
    assert!(
        bad.ends_with("(the first: line 3: not a number: 1,5)"),
        "{bad}"
    );
    let log = format!("{HEAD}1|ada|run|COMPLETED|So 15 Nov 2026 07:46:02|Unknown\n");
    assert!(refused(log, &utc()).starts_with("start, line 2: not a time"));
}

#[test]
fn nul_bytes_cost_a_line_or_nothing() {
    let nul = "\0".repeat(4096);
    let log = format!(
        "{HEAD}{}{nul}9|ada|run|FAILED|1794728762|1794728763\n",
        rows(3)
    );
    let (reading, jobs) = read(log);
    assert_eq!((jobs.len(), reading.damaged), (4, false));
    assert_eq!(reading.warnings[0].code, "nul-bytes");
    let log = format!(
        "{HEAD}{}9|ada|ru{nul}n|FAILED|1794728762|1794728763\n",
        rows(3)
    );
    let (reading, jobs) = read(log);
    assert_eq!((jobs.len(), reading.damaged), (3, true));
    let bad = &reading.warnings[0].message;
    assert!(bad.contains("line 5: a line with NUL bytes in it"), "{bad}");
    let log = format!("{nul}JobId=1 JobState=FAILED StartTime=1794728762\n");
    assert_eq!(read(log).1.len(), 1);
    let log = format!(
        "job_id,user,start\n1,a\0b,1794728762\n2,b,{}\n3,c,1794728762\n",
        1_794_728_762
    );
    assert_eq!(ids(&read(log).1), ["2", "3"]);
}

#[test]
fn names_in_other_encodings_are_kept_as_far_as_they_can_be() {
    let mut log = format!("{HEAD}{}9|ada|r", rows(2)).into_bytes();
    log.extend(b"\xe4tsel|FAILED|1794728762|1794728763\n");
    let (reading, jobs) = read(log);
    assert_eq!(jobs[2].name.as_deref(), Some("r\u{fffd}tsel"));
    assert_eq!(reading.warnings[0].code, "not-utf-8");
    assert!(!reading.damaged);
}

#[test]
fn long_lines_are_read_up_to_the_limit_and_then_are_the_end() {
    let name = "x".repeat(10 << 20);
    let long = format!("8|ada|{name}|FAILED|1794728762|1794728763\n");
    let log = format!("{HEAD}{}{long}{}", rows(3), rows(5));
    let (_, jobs) = read(log.as_str());
    assert_eq!(jobs.len(), 6, "three of five are doubled");
    assert_eq!(jobs[3].name.as_ref().map(String::len), Some(10 << 20));
    let options = JobOptions {
        limits: Limits {
            name: 1 << 20,
            ..Limits::default()
        },
        ..utc()
    };
    let (reading, jobs) = read_with(log, &options);
    assert_eq!((jobs.len(), reading.damaged), (3, true));
    assert_eq!(
        said(&reading),
        [
            "only what precedes this was read: line 5: it would take more than 1048576 bytes (a line) \
          [damaged]"
        ]
    );
}

#[test]
fn lines_may_end_as_on_windows_and_begin_with_a_mark() {
    let unix = format!("{HEAD}{}", rows(3));
    let windows = format!("\u{feff}{}", unix.replace('\n', "\r\n"));
    assert_eq!(read(windows).1, read(unix).1);
    let line = "; UnixStartTime: 1000000000\r\n1 0 1 9 4 -1 -1 4 6 -1 1 5 2 7 1 1 -1 -1\r\n";
    assert_eq!(read(line).1[0].start_epoch_s, Some(1_000_000_001.0));
    let log = "JobId=1 JobState=FAILED StartTime=1794728762\r\n";
    assert_eq!(read(log).1.len(), 1);
}

#[test]
fn what_is_mostly_unreadable_is_refused_with_its_first_error() {
    let log = format!("{HEAD}{}", "1|ada|run|FAILED|never|1794728763\n".repeat(5));
    assert_eq!(
        refused(log, &utc()),
        "start, line 2: not a time (5 of the first 5 rows cannot be read): never"
    );
    // A job log need not be read to its end to see that it is none.
    let log = format!(
        "{HEAD}{}",
        "1|ada|run|FAILED|never|1794728763\n".repeat(3000)
    );
    assert!(refused(log, &utc()).contains("1000 of the first 1000 rows"));
    assert_eq!(refused("", &utc()), "the input is empty");
}
