//! `sar`'s text.

use super::read_utc;
use crate::kept::codes;
use iotempo_model::Op;

const BANNER: &str = "Linux 6.1.0 (n1) \t11/15/26 \t_x86_64_\t(2 CPU)\n\n";

#[test]
fn midnight_begins_the_next_day() {
    let text = format!(
        "{BANNER}23:59:58  DEV  tps  rkB/s  wkB/s  %util\n23:59:59  sda  1.00  1.00  2.00  0.10\n\
         00:00:00  sda  1.00  1.00  2.00  0.10\n00:00:01  sda  1.00  1.00  2.00  0.10\n\
         Average:  sda  1.00  1.00  2.00  0.10\n"
    );
    let (reading, kept) = read_utc(&text);
    assert_eq!(reading.bytes, [3072.0, 6144.0]);
    assert_eq!(kept.volumes(Op::Read)[2].1, 1_794_787_201.0);
    assert_eq!(reading.missing.get(), 0.0);
    assert!(codes(&reading).is_empty());
}

#[test]
fn tables_that_take_turns_cross_midnight_together() {
    let mut text = BANNER.to_owned();
    for (from, to) in [
        ("23:59:58", "23:59:59"),
        ("23:59:59", "00:00:00"),
        ("00:00:00", "00:00:01"),
    ] {
        text += &format!(
            "{from}  tps  rtps  wtps  bread/s  bwrtn/s\n{to}  1.00  1.00  0.00  2.00  4.00\n\n\
             {from}  DEV  tps  rkB/s  wkB/s  %util\n{to}  sda  1.00  1.00  2.00  0.10\n\n"
        );
    }
    let (reading, kept) = read_utc(&text);
    assert_eq!(reading.bytes, [3072.0, 6144.0]);
    assert_eq!(kept.volumes(Op::Read)[2].1, 1_794_787_201.0);
    assert_eq!(codes(&reading), ["left-out"]);
}

#[test]
fn halves_of_days_and_sectors_are_read() {
    let text = "Linux 2.6.32 (n1) \t11/15/2026 \t_x86_64_\t(2 CPU)\n\n\
                11:50:01 AM  DEV  tps  rd_sec/s  wr_sec/s  avgrq-sz  %util\n\
                12:00:01 PM  dev8-0  1.00  2.00  4.00  6.00  0.10\n\
                12:10:01 PM  dev8-0  1.00  2.00  4.00  6.00  0.10\n";
    let (reading, kept) = read_utc(text);
    assert_eq!(reading.bytes, [2.0 * 600.0 * 1024.0, 4.0 * 600.0 * 1024.0]);
    assert_eq!(reading.interval.unwrap().get(), 600.0);
    assert_eq!(kept.volumes(Op::Read)[1].1, 1_794_744_601.0);
}

#[test]
fn what_happens_across_a_restart_is_unknown() {
    let heading = "DEV  tps  rkB/s  wkB/s  %util\n";
    let text = format!(
        "{BANNER}07:00:00  {heading}07:10:00  sda  1.00  1.00  2.00  0.10\n\
         07:20:00  sda  1.00  1.00  2.00  0.10\n\n07:45:00  LINUX RESTART\t(2 CPU)\n\n\
         07:50:00  {heading}08:00:00  sda  1.00  1.00  2.00  0.10\n"
    );
    let (reading, _) = read_utc(&text);
    assert_eq!(reading.bytes[0], 3.0 * 600.0 * 1024.0);
    assert_eq!(reading.missing.get(), 1800.0);
}

#[test]
fn tables_of_a_file_follow_each_other() {
    let sums = "07:00:00  tps  rtps  wtps  bread/s  bwrtn/s\n07:00:01  1.00  1.00  0.00  2.00  4.00\n\
                07:00:02  1.00  1.00  0.00  2.00  4.00\nAverage:  1.00  1.00  0.00  2.00  4.00\n\n";
    let disks = "07:00:00  tps  rkB/s  wkB/s  %util  DEV\n07:00:01  1.00  1.00  2.00  0.10  sda\n\
                 07:00:01  1.00  1.00  2.00  0.10  sda1\n07:00:02  1.00  1.00  2.00  0.10  sda\n\
                 07:00:02  1.00  1.00  2.00  0.10  sda1\nAverage:  1.00  1.00  2.00  0.10  sda\n\n";
    let (reading, kept) = read_utc(&format!("{BANNER}{sums}{disks}"));
    assert_eq!(reading.bytes, [2048.0, 4096.0]);
    assert_eq!(kept.targets.len(), 1);
    assert_eq!(codes(&reading), ["left-out", "left-out"]);
    let (reading, kept) = read_utc(&format!("{BANNER}{sums}"));
    assert_eq!(reading.bytes, [2048.0, 4096.0]);
    assert_eq!(kept.targets[0].label(), "n1", "the machine as a whole");
    assert!(codes(&reading).is_empty());
}

#[test]
fn rows_that_cannot_be_read_cost_themselves() {
    let text = format!(
        "{BANNER}07:00:00  DEV  tps  rkB/s  wkB/s  %util\n07:00:01  sda  1,00  1,00  2,00  0,10\n\
         07:00:02  sda  1,00  1,00\n07:00:03  sda  1,00  1,00  2,00  0,10\n\
         07:00:04  sda  1,00  x  2,00  0,10\n07:00:05  sda  1,00  1,00  2,00  0,10\n"
    );
    let (reading, _) = read_utc(&text.replace('\n', "\r\n"));
    assert_eq!(reading.bytes, [3072.0, 6144.0]);
    let message = &reading
        .warnings
        .iter()
        .find(|one| one.code == "bad-rows")
        .unwrap()
        .message;
    assert!(
        message.contains("line 5: the number of fields differs"),
        "{message}"
    );
}
