//! Points of InfluxDB, in all its forms.

use crate::kept::{codes, read_file, read_input, read_text};
use crate::log;
use iotempo_formats::Input;
use iotempo_formats::server::{Clock, Options};
use iotempo_model::{Op, TargetKind};

/// 3 bursts of 16 MiB, or the first of them: grep -o 'diskWriteBytes=[0-9]*', summed by awk.
const SAMPLES: [(&str, f64, usize, &str); 5] = [
    (
        "beegfs_mon_lines.txt",
        50_331_648.0,
        12,
        "InfluxDB line protocol",
    ),
    ("v1_cli.csv", 16_777_216.0, 3, "InfluxDB CSV"),
    ("v1_query.csv", 50_331_648.0, 12, "InfluxDB CSV"),
    ("v1_query.json", 50_331_648.0, 12, "InfluxDB JSON"),
    ("v1_query_rfc3339.json", 16_777_216.0, 3, "InfluxDB JSON"),
];

#[test]
fn every_form_holds_the_same_bytes_at_the_same_times() {
    for (name, written, rows, format) in SAMPLES {
        let test = "every_form_holds_the_same_bytes_at_the_same_times";
        let Some(path) = log(test, &format!("influxdb/{name}")) else {
            return;
        };
        let (reading, kept) = read_file(&path);
        assert_eq!(reading.format, format, "{name}");
        assert_eq!(reading.bytes, [0.0, written], "{name}");
        assert_eq!(reading.clock, Clock::Epoch, "{name}");
        let volumes = kept.volumes(Op::Write);
        assert_eq!(volumes.len(), rows, "{name}");
        assert_eq!(volumes[0], (1_699_999_999.0, 1.7e9, 16_777_216.0), "{name}");
        assert_eq!(reading.interval.unwrap().get(), 1.0, "{name}");
    }
}

#[test]
fn what_users_moved_on_the_servers_is_not_counted_again() {
    let test = "what_users_moved_on_the_servers_is_not_counted_again";
    let Some(path) = log(test, "influxdb/beegfs_mon_lines.txt") else {
        return;
    };
    let (reading, kept) = read_file(&path);
    assert_eq!(kept.targets.len(), 1);
    assert_eq!(kept.targets[0].label(), "stor01");
    assert_eq!(kept.targets[0].kind, TargetKind::Server);
    assert_eq!(codes(&reading), ["left-out"]);
    let message = &reading.warnings[0].message;
    assert!(message.contains("storageClientOpsByUser.B-wr"), "{message}");
}

#[test]
fn precisions_are_told_by_the_size_of_times() {
    for unit in ["", "000", "000000", "000000000"] {
        let line =
            |at: u32, bytes: u32| format!("m,host=a diskWriteBytes={bytes}i 17000000{at}{unit}\n");
        let text = line(10, 5) + &line(11, 6) + &line(12, 0);
        let (reading, kept) = read_text(text).unwrap();
        assert_eq!(reading.bytes, [0.0, 11.0], "{unit}");
        assert_eq!(
            kept.volumes(Op::Write)[1],
            (1_700_000_010.0, 1_700_000_011.0, 6.0)
        );
    }
}

#[test]
fn points_without_a_time_need_an_interval() {
    let text = "m,host=a diskReadBytes=1\nm,host=a diskReadBytes=2\nm,host=a diskReadBytes=0\n";
    let error = read_text(text).unwrap_err().to_string();
    assert!(error.contains("without a time: give --interval"), "{error}");
    let options = Options {
        interval: iotempo_model::Seconds::new(10.0),
        ..Options::default()
    };
    let (reading, kept) = read_input(Input::bytes(text), &options).unwrap();
    assert_eq!(reading.clock, Clock::Relative);
    assert_eq!(reading.bytes, [30.0, 0.0], "bytes per second for 10 s each");
    assert_eq!(kept.volumes(Op::Read)[0], (0.0, 10.0, 10.0));
    let (reading, _) = read_text(format!(
        "{text}m,host=a diskReadBytes=4 1700000001\nm,host=a diskReadBytes=4 1700000002\n"
    ))
    .unwrap();
    assert_eq!(reading.bytes, [8.0, 0.0]);
    assert_eq!(codes(&reading), ["no-time"]);
}

/// Telegraf's counters of disks, with their partitions.
fn telegraf(device: &str, at: u32, read: u32) -> String {
    format!(
        "diskio,host=oss1,name={device} read_bytes={read}i,reads=1i,write_bytes=0i {at}000000000\n"
    )
}

#[test]
fn counters_are_told_by_their_growth_and_partitions_left_out() {
    let mut text = String::new();
    for step in 0..5 {
        for device in ["sda1", "sda", "dm-0"] {
            text += &telegraf(device, 1_700_000_000 + 10 * step, 1000 + 7 * step);
        }
    }
    let (reading, kept) = read_text(text.clone()).unwrap();
    assert_eq!(reading.bytes, [28.0, 0.0]);
    assert_eq!(kept.targets.len(), 1);
    assert_eq!(kept.targets[0].label(), "oss1/sda");
    assert_eq!(
        codes(&reading),
        ["counter-assumed", "volume-assumed", "left-out"]
    );
    assert!(
        reading.warnings[2].message.contains("oss1/dm-0, oss1/sda1"),
        "{}",
        reading.warnings[2].message
    );
    let options = Options {
        targets: vec!["sda1".to_owned()],
        ..Options::default()
    };
    let (_, kept) = read_input(Input::bytes(text), &options).unwrap();
    assert_eq!(kept.targets[0].name, "sda1", "asked for by name");
}

#[test]
fn a_counter_that_begins_anew_and_rows_that_come_twice_are_told() {
    let points = [
        (0, 100),
        (10, 150),
        (10, 150),
        (20, 30),
        (30, 40),
        (25, 35),
        (40, 40),
    ];
    let text: String = points
        .iter()
        .map(|(at, count)| {
            format!(
                "m,device=sda write_bytes_total={count} {}\n",
                1_700_000_000 + at
            )
        })
        .collect();
    let (reading, _) = read_text(text).unwrap();
    assert_eq!(reading.bytes, [0.0, 50.0 + 30.0 + 10.0]);
    assert_eq!(
        codes(&reading),
        ["counter-reset", "clock-backwards", "doubled-rows"]
    );
}

#[test]
fn bad_points_cost_themselves() {
    let good = |at: u32| format!("m,host=a diskWriteBytes=1 170000000{at}\r\n");
    let text = good(0)
        + &good(1)
        + "m,host=a diskWriteBytes=x 1700000002\n\0\0\0\n"
        + &good(3)
        + "m,host=a diskWriteBytes=-4 1700000004\nm,host=a diskWriteBytes=1,o=\"open 17\nm,host=a diskWriteBytes=1 170000000";
    let (reading, _) = read_text(text).unwrap();
    assert_eq!(reading.bytes[1], 3.0 + 1.0);
    let codes = codes(&reading);
    assert!(
        codes.contains(&"bad-rows") && codes.contains(&"negative-volume"),
        "{codes:?}"
    );
    let bad = reading
        .warnings
        .iter()
        .find(|one| one.code == "bad-rows")
        .unwrap();
    assert!(
        bad.message
            .contains("line 3: not a point: m,host=a diskWriteBytes=x"),
        "{bad}"
    );
}

#[test]
fn fields_that_no_name_explains_can_be_named() {
    let text = "m,host=a out=5,in=1 1700000000\nm,host=a out=7,in=0 1700000010\nm,host=a out=0,in=0 1700000020\n";
    let error = read_text(text).unwrap_err().to_string();
    assert!(
        error.contains("m.in, m.out")
            && error.contains("read=NAME,write=NAME (--columns, or --log-columns"),
        "{error}"
    );
    let columns = |ours: &str| Options {
        columns: vec![(ours.to_owned(), "out".to_owned())],
        ..Options::default()
    };
    for (ours, bytes) in [
        ("write_bytes", 12.0),
        ("write_kib", 12.0 * 1024.0),
        ("write_bytes_per_s", 120.0),
        ("write_total", 2.0),
    ] {
        let (reading, _) = read_input(Input::bytes(text), &columns(ours)).unwrap();
        assert_eq!(reading.bytes, [0.0, bytes], "{ours}");
    }
    let error = read_input(Input::bytes(text), &columns("colour")).unwrap_err();
    assert!(
        error.to_string().contains("not a name of a series"),
        "{error}"
    );
}

const ANNOTATED: &str = "#datatype,string,long,dateTime:RFC3339,dateTime:RFC3339,dateTime:RFC3339,double,string,string,string\r
#group,false,false,true,true,false,false,true,true,true\r
#default,_result,,,,,,,,\r
,result,table,_start,_stop,_time,_value,_field,_measurement,nodeID\r
,,0,2023-11-14T22:00:00Z,2023-11-14T23:00:00Z,2023-11-14T22:13:20Z,5,diskReadBytes,highResStorage,stor01\r
,,0,2023-11-14T22:00:00Z,2023-11-14T23:00:00Z,2023-11-14T22:13:21Z,6,diskReadBytes,highResStorage,stor01\r
\r
#datatype,string,long,dateTime:RFC3339,dateTime:RFC3339,dateTime:RFC3339,double,string,string,string\r
#group,false,false,true,true,false,false,true,true,true\r
#default,_result,,,,,,,,\r
,result,table,_start,_stop,_time,_value,_field,_measurement,nodeID\r
,,1,2023-11-14T22:00:00Z,2023-11-14T23:00:00Z,2023-11-14T22:13:20Z,9,diskWriteBytes,highResStorage,stor02\r
,,1,2023-11-14T22:00:00Z,2023-11-14T23:00:00Z,2023-11-14T22:13:21Z,,diskWriteBytes,highResStorage,stor02\r
,,1,2023-11-14T22:00:00Z,2023-11-14T23:00:00Z,2023-11-14T22:13:22Z,1,diskWriteBytes,highResStorage,stor02\r
";

#[test]
fn annotated_tables_have_a_row_per_field() {
    let (reading, kept) = read_text(ANNOTATED).unwrap();
    assert_eq!(reading.format, "InfluxDB annotated CSV");
    assert_eq!(reading.bytes, [11.0, 10.0]);
    assert_eq!(kept.by_target(Op::Write)["stor02"], 10.0);
    let error = "error,reference\nFailed to parse query,897\n";
    let both = format!("{ANNOTATED}\n{error}");
    let (reading, _) = read_text(both).unwrap();
    assert!(reading.damaged);
    assert!(
        reading
            .warnings
            .iter()
            .any(|one| one.message.contains("Failed to parse query"))
    );
}

#[test]
fn a_table_that_ends_inside_a_row_is_damaged() {
    let end = ANNOTATED.find("T22:13:22Z").unwrap();
    let (reading, _) = read_text(&ANNOTATED[..end]).unwrap();
    assert!(reading.damaged);
    assert_eq!(reading.bytes, [11.0, 9.0]);
    let told = reading.warnings.iter().find(|one| one.code == "damaged");
    let told = &told.expect("told").message;
    assert!(
        told.contains("line 14: the log ends inside a row"),
        "{told}"
    );
    // A last row that is short and has an end is only a bad one, and a whole one needs none.
    let (reading, _) = read_text(format!("{}\n", &ANNOTATED[..end])).unwrap();
    assert!(!reading.damaged);
    let (reading, _) = read_text(ANNOTATED.trim_end()).unwrap();
    assert!(!reading.damaged);
}

#[test]
fn answers_that_are_cut_or_errors_are_told() {
    let begin = r#"{"results":[{"statement_id":0,"series":[{"name":"s","tags":{"nodeID":"a"},"columns":["time","diskWriteBytes"],"values":[[1700000000,1],[1700000001,2],[1700000002,null],[17000"#;
    let (reading, _) = read_text(begin).unwrap();
    assert!(reading.damaged);
    assert_eq!(reading.bytes, [0.0, 3.0]);
    let error = r#"{"results":[{"statement_id":0,"error":"database not found: x"}]}"#;
    let error = read_text(error).unwrap_err().to_string();
    assert!(error.contains("database not found: x"), "{error}");
    let empty = read_text(r#"{"results":[{"statement_id":0}]}"#)
        .unwrap_err()
        .to_string();
    assert!(empty.contains("no series"), "{empty}");
}

#[test]
fn disks_of_telegraf_are_counted_however_seldom_they_grow() {
    let values = |values: &[u64]| {
        let lines = values.iter().enumerate().map(|(step, read)| {
            let at = 1_700_000_000 + 10 * step;
            format!("diskio,host=oss1,name=sda read_bytes={read}i {at}000000000\n")
        });
        lines.collect::<String>()
    };
    let quiet = [30_000_000_000; 12];
    let anew = [&quiet[..], &[30_000_004_096; 9], &[0; 12], &[6000; 9]].concat();
    let (reading, _) = read_text(values(&anew)).unwrap();
    assert_eq!(reading.bytes, [4096.0 + 6000.0, 0.0]);
    assert_eq!(codes(&reading), ["counter-reset", "counter-assumed"]);
    let derived = [0, 4096, 0, 8192, 4096, 0].repeat(12);
    let (reading, _) = read_text(values(&derived)).unwrap();
    assert_eq!(codes(&reading), ["volume-assumed"], "under the same name");
}
