//! JSON and XML of several machines, and what is left of them where they end too early.

use super::{read_utc, utc};
use crate::kept::{codes, read_input};
use iotempo_formats::Input;
use iotempo_formats::server::Options;
use iotempo_model::Op;

fn report(time: &str, disks: &str) -> String {
    format!(r#"{{"timestamp": "{time}", "avg-cpu": {{"user": 1.0}}, "disk": [{disks}]}}"#)
}

fn disk(name: &str, read: &str, written: &str) -> String {
    format!(
        r#"{{"disk_device": "{name}", "r/s": 3.00, "w/s": 2.00, "rkB/s": {read}, "wkB/s": {written}, "util": 0.10}}"#
    )
}

fn host(name: &str, reports: &[String]) -> String {
    let reports = reports.join(",\n");
    format!(r#"{{"nodename": "{name}", "date": "2026-11-15", "statistics": [{reports}]}}"#)
}

fn whole(hosts: &[String]) -> String {
    format!(r#"{{"sysstat": {{"hosts": [{}]}}}}"#, hosts.join(", "))
}

fn reports(disks: &[&str]) -> Vec<String> {
    let timed = disks.iter().enumerate();
    timed
        .map(|(at, disks)| report(&format!("2026-11-15T07:00:{at:02}Z"), disks))
        .collect()
}

#[test]
fn every_machine_has_its_own_targets() {
    let row = disk("sda", "1.00", "2.00");
    let each = reports(&[&row, &row, &row]);
    let (reading, kept) = read_utc(&whole(&[host("n1", &each), host("n2", &each)]));
    let labels: Vec<String> = kept.targets.iter().map(|one| one.label()).collect();
    assert_eq!(labels, ["n1/sda", "n2/sda"]);
    assert_eq!(reading.bytes, [6.0 * 1024.0, 12.0 * 1024.0]);
}

#[test]
fn a_report_that_is_cut_off_gives_its_whole_rows() {
    let row = disk("sda", "1.00", "2.00");
    let two = format!("{row}, {}", disk("sdb", "8.00", "8.00"));
    let text = whole(&[host("n1", &reports(&[&two, &two, &two]))]);
    let at = text.rfind("\"sdb\"").unwrap();
    let (reading, kept) = read_utc(&text[..at]);
    assert!(reading.damaged);
    assert_eq!(reading.bytes[0], (2.0 * 9.0 + 1.0) * 1024.0);
    assert_eq!(reading.samples, 10, "what is cut off is not zero");
    assert_eq!(kept.volumes(Op::Read).len(), 5);
    // Between reports nothing is lost.
    let at = text.rfind(",\n").unwrap();
    let (reading, _) = read_utc(&text[..at]);
    assert!(!reading.damaged);
    assert_eq!(codes(&reading), ["cut-off"]);
}

#[test]
fn values_that_are_no_numbers_cost_their_row() {
    let good = disk("sda", "1.00", "2.00");
    let bad = disk("sda", "null", "2.00");
    let text = disk("sda", "\"x\"", "2.00");
    let endless = disk("sda", "Infinity", "-2.00");
    let all = reports(&[&good, &good, &bad, &text, &endless, &good, &good, &good]);
    let (reading, _) = read_utc(&whole(&[host("n1", &all)]));
    assert_eq!(reading.bytes[0], 5.0 * 1024.0);
    let mut found = codes(&reading);
    found.sort_unstable();
    assert_eq!(found, ["bad-rows", "gaps", "negative-volume", "not-finite"]);
}

#[test]
fn a_reading_in_sectors_is_checked_against_kilobytes() {
    let item = |kb: &str| {
        format!(
            r#"{{"timestamp": {{"date": "2026-11-15", "time": "07:00:01", "utc": 1, "interval": 1}},
                "disk": [{{"disk-device": "sda", "rd_sec": 4.00, "wr_sec": 8.00, "rkB": {kb}, "wkB": 4.00}}]}}"#
        )
    };
    let (reading, _) = read_utc(&whole(&[host("n1", &[item("2.00")])]));
    assert_eq!(reading.bytes, [2048.0, 4096.0]);
    assert!(codes(&reading).is_empty());
    let (reading, _) = read_utc(&whole(&[host("n1", &[item("4.00")])]));
    assert_eq!(codes(&reading), ["unit-doubtful"]);
}

#[test]
fn targets_may_be_named() {
    let row = format!(
        "{}, {}",
        disk("sda", "1.00", "2.00"),
        disk("sda1", "0.50", "0.00")
    );
    let text = whole(&[host("n1", &reports(&[&row, &row, &row]))]);
    let options = Options {
        targets: vec!["sda1".to_owned()],
        ..utc()
    };
    let (reading, _) = read_input(Input::bytes(text), &options).unwrap();
    assert_eq!(reading.bytes, [1.5 * 1024.0, 0.0]);
}

const XML: &str = r#"<?xml version="1.0"?>
<sysstat><host nodename="n1"><statistics>
<timestamp date="2026-11-15" time="07:00:01" utc="1" interval="1"><disk per="second">
<disk-device dev="sda" tps="1.00" rkB="1.00" wkB="2.00"/><disk-device dev="sda1" tps="1.00" rkB="1.00" wkB="2.00"/>
</disk></timestamp>
<timestamp date="2026-11-15" time="07:00:02" utc="1" interval="1"><disk per="second">
<disk-device dev="sda" tps="1.00" rkB="x" wkB="2.00"/></disk></timestamp>
<timestamp date="2026-11-15" time="07:00:03" utc="1" interval="1"><disk per="second">
<disk-device dev="sda" tps="1.00" rkB="1.00" wkB="2.00"/></disk></timestamp>
</statistics></host></sysstat>"#;

#[test]
fn xml_is_read_tag_by_tag() {
    let (reading, _) = read_utc(XML);
    assert_eq!(reading.bytes, [2048.0, 4096.0]);
    assert_eq!(codes(&reading), ["left-out", "bad-rows", "gaps"]);
    let cut = &XML[..XML.rfind("<timestamp").unwrap()];
    let (reading, _) = read_utc(cut);
    assert_eq!((reading.bytes[0], reading.damaged), (1024.0, false));
    assert!(codes(&reading).contains(&"cut-off"));
    let cut = &XML[..XML.rfind("wkB").unwrap()];
    let (reading, _) = read_utc(cut);
    assert!(reading.damaged);
    let (reading, kept) = read_utc(&XML.replace("utc=\"1\"", "utc=\"0\""));
    assert_eq!(kept.volumes(Op::Read)[0].1, 1_794_726_001.0);
    assert_ne!(reading.clock, iotempo_formats::server::Clock::Epoch);
}
