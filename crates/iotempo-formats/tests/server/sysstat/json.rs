//! JSON and XML of several machines, and what is left of them where they end too early.

use super::{read_utc, utc};
use crate::kept::{Kept, codes, read_input};
use iotempo_formats::Input;
use iotempo_formats::server::{Options, Reading};
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

/// Rules, so that no database is needed.
const BERLIN: &str = "CET-1CEST,M3.5.0,M10.5.0/3";

fn in_berlin(text: impl Into<Vec<u8>>) -> Result<(Reading, Kept), iotempo_formats::Error> {
    let options = Options {
        zone: BERLIN.parse().unwrap(),
        ..Options::default()
    };
    read_input(Input::bytes(text), &options)
}

/// Ends of the intervals of reads.
fn ends(kept: &Kept) -> Vec<f64> {
    kept.volumes(Op::Read).iter().map(|one| one.1).collect()
}

fn sadf(times: &[&str]) -> String {
    let reports: Vec<String> = times
        .iter()
        .map(|time| {
            format!(
                r#"{{"timestamp": {{{time}, "interval": 60}}, "disk": [{{"disk-device": "sda", "rkB": 1.00, "wkB": 4.00}}]}}"#
            )
        })
        .collect();
    whole(&[host("n1", &reports)])
}

#[test]
fn a_zone_that_is_named_beside_a_time_is_the_times() {
    let time = |date: &str, zone: &str| format!(r#""date": "{date}", "time": "08:46:02", {zone}"#);
    for (date, zone, expected) in [
        ("2026-11-15", r#""tz": "UTC""#, 1_794_732_362.0),
        ("2026-11-15", r#""tz": "CET""#, 1_794_728_762.0),
        ("2026-11-15", r#""tz": "+03""#, 1_794_721_562.0),
        ("2026-11-15", r#""utc": 1"#, 1_794_732_362.0),
        ("2026-11-15", r#""utc": 0"#, 1_794_728_762.0),
        // The name of the winter stands beside times of the summer, too.
        ("2026-07-15", r#""tz": "CET""#, 1_784_097_962.0),
    ] {
        let (reading, kept) = in_berlin(sadf(&[&time(date, zone)])).unwrap();
        assert_eq!(ends(&kept), [expected], "{date} {zone}");
        assert!(codes(&reading).is_empty(), "{:?}", reading.warnings);
    }
    let xml = XML.replace("utc=\"1\"", "tz=\"UTC\"");
    assert_eq!(ends(&in_berlin(xml).unwrap().1), ends(&read_utc(XML).1));
}

#[test]
fn a_zone_that_is_not_the_logs_costs_the_report_and_is_told() {
    let time = |second: u32, zone: &str| {
        format!(r#""date": "2026-11-15", "time": "08:{second:02}:02", "tz": "{zone}""#)
    };
    let [first, second, third] = [time(1, "CET"), time(2, "EST"), time(3, "CET")];
    let (reading, kept) = in_berlin(sadf(&[&first, &second, &third])).unwrap();
    assert_eq!(ends(&kept), [1_794_726_062.0, 1_794_726_182.0]);
    assert_eq!(codes(&reading), ["bad-rows", "gaps"]);
    let told = "a time with the name of a zone that clocks of the log's zone did not show then: \
                2026-11-15 08:02:02 EST";
    let message = &reading.warnings[0].message;
    assert!(message.contains(told), "{message}");
    let error = in_berlin(sadf(&[&second])).unwrap_err();
    assert!(error.to_string().contains("name of a zone"), "{error}");
    let error = in_berlin(XML.replace("utc=\"1\"", "tz=\"EST\"")).unwrap_err();
    assert!(error.to_string().contains("name of a zone"), "{error}");
}

#[test]
fn lines_of_sadf_name_zones_too() {
    for rows in [
        "# hostname;interval;timestamp;DEV;tps;rkB/s;wkB/s\n\
         n1;60;2026-11-15 08:46:02 CET;sda;3.00;1.00;2.00\n\
         n1;60;2026-11-15 08:47:02 CET;sda;3.00;1.00;2.00\n",
        "n1\t60\t2026-11-15 08:46:02 CET\tsda\trkB/s\t1.00\n\
         n1\t60\t2026-11-15 08:47:02 CET\tsda\trkB/s\t1.00\n",
    ] {
        let (reading, kept) = in_berlin(rows).unwrap();
        assert_eq!(ends(&kept), [1_794_728_762.0, 1_794_728_822.0]);
        assert!(codes(&reading).is_empty(), "{:?}", reading.warnings);
    }
}
