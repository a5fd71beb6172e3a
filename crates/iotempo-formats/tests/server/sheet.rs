//! Any table of what servers moved.

use crate::kept::{codes, read_input, read_text};
use iotempo_formats::server::{Clock, Options};
use iotempo_formats::{Input, ReadOptions, detect, read_trace};
use iotempo_model::{Op, TargetKind};

const MIB: f64 = 1_048_576.0;

#[test]
fn a_table_may_be_wide() {
    let text = "time,ost0_read,ost0_write,ost1_read,ost1_write\n\
                1700000000,1,2,3,4\n1700000010,0,0,0,0\n1700000020,1,1,1,1\n";
    let (reading, kept) = read_text(text).unwrap();
    assert_eq!(reading.format, "table of a server");
    // Bytes per second, for 10 s each.
    assert_eq!(reading.bytes, [60.0, 80.0]);
    assert_eq!(kept.by_target(Op::Read)["ost1"], 40.0);
    assert_eq!(
        kept.volumes(Op::Read)[0],
        (1_700_000_000.0, 1_700_000_010.0, 10.0)
    );
    assert_eq!(reading.clock, Clock::Epoch);
    assert_eq!(codes(&reading), ["unit-assumed"]);
    let message = &reading.warnings[0].message;
    assert!(
        message.contains("bytes per second, in ost0_read, ost0_write"),
        "{message}"
    );
    assert!(
        message.contains("read_mib_s=ost0_read"),
        "its own direction: {message}"
    );
}

#[test]
fn units_that_may_count_bits_are_refused_and_bits_are_eighths() {
    for heading in ["write_mbps", "write Mb/s", "Write (Gbps)"] {
        let text = format!("time,{heading}\n0,1\n10,2\n20,3\n");
        let error = read_text(text).unwrap_err().to_string();
        assert!(error.contains("may count bits or bytes"), "{error}");
        assert!(error.contains(heading), "{error}");
    }
    for (heading, bytes) in [
        ("write Gbit/s", 125e6),
        ("write_MBps", 1e6),
        ("write (Mbytes/sec)", 1e6),
        ("write_kBps", 1e3),
        ("wMBps", 1e6),
        ("Write MB per minute", 1e6 / 60.0),
        ("write_GB/h", 1e9 / 3600.0),
        ("write_gigabytes_per_second", 1e9),
        ("write_PB/h", 1e15 / 3600.0),
    ] {
        let text = format!("time,{heading}\n0,1\n10,2\n20,0\n");
        let (reading, _) = read_text(text).unwrap();
        let written = reading.bytes[1] / (30.0 * bytes);
        assert!((written - 1.0).abs() < 1e-12, "{heading}: {written}");
        assert!(reading.warnings.is_empty(), "{:?}", reading.warnings);
    }
}

#[test]
fn units_whose_size_nobody_tells_are_refused() {
    for (heading, unit) in [
        ("write_sectors", "sectors"),
        ("Blk_wrtn/s", "Blk"),
        ("Write Pages", "Pages"),
    ] {
        let error = read_text(format!("time,{heading}\n0,1\n10,2\n20,3\n")).unwrap_err();
        let error = error.to_string();
        let what = format!("how many bytes {unit} have is not known");
        assert!(error.contains(&what) && error.contains(heading), "{error}");
    }
    let error = read_text("time,write_PB\n0,10\n10,20\n20,5\n").unwrap_err();
    assert!(
        error.to_string().contains("its unit is another one"),
        "{error}"
    );
    let beside = "time,write_sectors,write_kib\n0,2,1\n10,4,2\n20,0,0\n";
    let (reading, _) = read_text(beside).unwrap();
    assert_eq!(reading.bytes, [0.0, 3.0 * 1024.0], "beside what is clear");
    let (moved, _) = chosen("write_kib", "write_sectors").unwrap();
    assert_eq!(moved, [0.0, 2.0 * 1024.0], "by who knows");
}

/// What a table of two steps of 10 s holds, of which the column is named so.
fn chosen(ours: &str, theirs: &str) -> Result<(Vec<f64>, Vec<String>), String> {
    let text = format!("time,{theirs}\n0,1\n10,2\n20,3\n");
    let options = Options {
        columns: vec![(ours.to_owned(), theirs.to_owned())],
        ..Options::default()
    };
    let (reading, _) =
        read_input(Input::bytes(text), &options).map_err(|error| error.to_string())?;
    let told = codes(&reading).into_iter().map(str::to_owned);
    Ok((reading.bytes.to_vec(), told.collect()))
}

#[test]
fn what_a_choice_leaves_open_its_heading_tells() {
    for (ours, theirs, bytes) in [
        ("write_rate", "Write (MB/s)", 60e6),
        ("write_rate", "out_mib", 60.0 * MIB),
        ("write_total", "out_mib", 2.0 * MIB),
        ("write", "out_mib_total", 2.0 * MIB),
        ("write_kib", "out_rate", 60.0 * 1024.0),
        ("write_mb_s", "out_mbps", 60e6),
    ] {
        let (moved, told) = chosen(ours, theirs).unwrap();
        assert_eq!(moved, [0.0, bytes], "{ours}={theirs}");
        assert_eq!(told, [""; 0], "{ours}={theirs}");
    }
    for (ours, theirs, clear) in [
        ("write_rate", "out_mbps", "write_mbit_s=… or write_mb_s=…"),
        (
            "write_total",
            "out Mb",
            "write_mbit_total=… or write_mb_total=…",
        ),
        ("write", "out_gbps", "write_gbit_s=… or write_gb_s=…"),
    ] {
        let error = chosen(ours, theirs).unwrap_err();
        assert!(error.contains("may count bits or bytes"), "{error}");
        assert!(error.contains(clear) && error.contains(theirs), "{error}");
    }
}

#[test]
fn a_unit_alone_is_a_volume() {
    let table =
        |unit: &str| format!("time,target,op,{unit}\n0,a,write,1\n10,a,write,2\n20,a,write,0\n");
    for (unit, bytes) in [("MBps", 1e6), ("GBps", 1e9), ("MB/s", 1e6), ("mb_s", 1e6)] {
        let (reading, _) = read_text(table(unit)).unwrap();
        assert_eq!(reading.bytes, [0.0, 30.0 * bytes], "{unit}");
    }
    for unit in ["mbps", "Mb", "Mb/s"] {
        let error = read_text(table(unit)).unwrap_err().to_string();
        assert!(error.contains("may count bits or bytes"), "{unit}: {error}");
    }
    let (reading, _) = read_text("time,read_bytes_per_s,mbps\n0,1,1\n10,2,1\n20,0,1\n").unwrap();
    assert_eq!(reading.bytes, [30.0, 0.0], "beside what is clear");
}

#[test]
fn files_that_no_reader_takes_are_named() {
    for (head, name) in [
        (&b"\xff\xfet\0i\0m\0e\0"[..], "UTF-16"),
        (b"\xfd7zXZ\0\0\x04", "xz"),
        (b"\x28\xb5\x2f\xfd\x04\0", "zstd"),
        (b"PAR1\x15\0", "Parquet"),
    ] {
        let error = read_text(head).unwrap_err().to_string();
        assert!(error.contains(name), "{error}");
    }
}

#[test]
fn a_table_may_be_long() {
    let text = "time,target,op,bytes\n\
                0,OST0,read,10\n0,OST0,write,1\n0,OST1,read,5\n\
                1,OST0,read,0\n1,OST0,write,7\n1,OST1,read,9\n1,OST1,stat,9\n\
                2,OST0,read,3\n2,OST0,write,2\n2,OST1,read,4\n";
    let (reading, kept) = read_text(text).unwrap();
    assert_eq!(reading.bytes, [31.0, 10.0]);
    assert_eq!(kept.by_target(Op::Read)["OST1"], 18.0);
    assert_eq!(kept.targets[0].kind, TargetKind::StorageTarget);
    assert_eq!(reading.clock, Clock::Relative);
    assert_eq!(
        codes(&reading),
        ["volume-assumed", "volume-assumed", "other-operations"]
    );
}

#[test]
fn units_of_headings_tell_rates_from_volumes_and_counters() {
    for (heading, bytes) in [
        ("write", 30.0),
        ("write_mib_s", 30.0 * MIB),
        ("Write [MB/s]", 30e6),
        ("write_bytes_per_s", 30.0),
        ("written_bytes_volume", 3.0),
        ("write_kib_delta", 3.0 * 1024.0),
        ("write_bytes", 3.0),
        ("write_bytes_total", 2.0),
    ] {
        let text = format!("time;server;{heading}\n0;oss1;0\n10;oss1;2\n20;oss1;1\n30;oss1;0\n");
        let text = match heading {
            "write_bytes_total" => text
                .replace("20;oss1;1", "20;oss1;2")
                .replace("30;oss1;0", "30;oss1;2"),
            _ => text,
        };
        let (reading, kept) = read_text(text).unwrap();
        assert_eq!(reading.bytes, [0.0, bytes], "{heading}");
        assert_eq!(kept.targets[0].label(), "oss1");
        assert_eq!(kept.targets[0].kind, TargetKind::Server);
    }
}

#[test]
fn columns_of_sums_and_partitions_count_nothing_twice() {
    let text = "time,total_read,ost0_read,ost1_read,read\n0,3,1,2,3\n1,3,1,2,3\n2,3,1,2,3\n";
    let (reading, kept) = read_text(text).unwrap();
    assert_eq!(reading.bytes, [9.0, 0.0]);
    assert_eq!(kept.targets.len(), 2);
    assert_eq!(codes(&reading), ["unit-assumed", "left-out"]);
    assert!(
        reading.warnings[1].message.ends_with("read, total_read"),
        "{:?}",
        reading.warnings
    );
    let text = "time,host,disk,read_bytes_per_s\n0,a,sda,1\n0,a,sda1,1\n0,a,total,1\n1,a,sda,1\n1,a,sda1,1\n1,a,total,1\n";
    let (reading, kept) = read_text(text).unwrap();
    assert_eq!(reading.bytes, [2.0, 0.0]);
    assert_eq!(kept.targets[0].label(), "a/sda");
}

#[test]
fn a_sum_that_stands_alone_counts() {
    let (reading, _) = read_text("time,total_read_mib_s\n0,1\n1,1\n2,0\n").unwrap();
    assert_eq!(reading.bytes, [2.0 * MIB, 0.0]);
}

#[test]
fn people_may_say_which_column_is_which() {
    let options = Options {
        columns: [
            ("time_ms", "when"),
            ("target", "box"),
            ("read_mib_s", "in"),
            ("write_bytes", "out"),
        ]
        .map(|(ours, theirs)| (ours.to_owned(), theirs.to_owned()))
        .into(),
        ..Options::default()
    };
    let text = "when,box,in,out,write\n0,a,1,5,9\n500,a,2,6,9\n1000,a,0,0,9\n";
    let (reading, kept) = read_input(Input::bytes(text), &options).unwrap();
    assert_eq!(reading.bytes, [1.5 * MIB, 11.0]);
    assert_eq!(kept.targets[0].name, "a");
    let options = Options {
        columns: vec![("read".to_owned(), "nothing".to_owned())],
        ..Options::default()
    };
    let error = read_input(Input::bytes(text), &options)
        .unwrap_err()
        .to_string();
    assert!(
        error.contains("has no such column, but when, box, in, out, write: nothing"),
        "{error}"
    );
}

#[test]
fn times_of_days_decimal_commas_and_headings_that_come_again() {
    let options = Options {
        zone: "+01:00".parse().unwrap(),
        ..Options::default()
    };
    let text = "date;time;ost0 read (MiB/s)\r\n2026-11-15;08:00:00;0,5\r\n2026-11-15;08:00:10;1,5\r\ndate;time;ost0 read (MiB/s)\r\n2026-11-15;08:00:20;0\r\n";
    let (reading, kept) = read_input(Input::bytes(text), &options).unwrap();
    assert_eq!(reading.bytes, [20.0 * MIB, 0.0]);
    assert_eq!(kept.volumes(Op::Read)[0].0, 1_794_726_000.0);
    assert_eq!(reading.clock, Clock::Zone("+01:00".to_owned()));
    assert!(reading.warnings.is_empty(), "{:?}", reading.warnings);
}

#[test]
fn bad_rows_missing_fields_doubles_and_gaps_are_told() {
    let text = "time,read,write\n0,1,1\n1,NaN,1\n2,1,\n2,5,1\n3,x,1\n4,-1,1\n5,1,1\n60,1,1\n61,1,1\n62,1\n63,1,";
    let (reading, _) = read_text(text).unwrap();
    let codes = codes(&reading);
    for code in [
        "bad-rows",
        "missing-values",
        "doubled-rows",
        "negative-volume",
        "gaps",
    ] {
        assert!(codes.contains(&code), "{code}: {codes:?}");
    }
    let bad = reading
        .warnings
        .iter()
        .find(|one| one.code == "bad-rows")
        .unwrap();
    assert!(bad.message.contains("line 6: not a number: x"), "{bad}");
}

#[test]
fn rows_that_are_only_swapped_leave_no_gap() {
    let rows = |times: &[u32]| -> String {
        let row = |time: &u32| format!("{},1,2,3,4\n", 1_700_000_000 + time);
        let rows: String = times.iter().map(row).collect();
        format!(
            "time,a-sda_read_mib_s,a-sda_write_mib_s,b-sda_read_mib_s,b-sda_write_mib_s\n{rows}"
        )
    };
    let (whole, _) = read_text(rows(&[0, 2, 4, 6, 8, 10, 12])).unwrap();
    let (reading, _) = read_text(rows(&[0, 2, 4, 8, 6, 10, 12])).unwrap();
    assert_eq!(reading.bytes, whole.bytes);
    assert_eq!(reading.missing.get(), 0.0);
    assert_eq!(codes(&reading), ["reordered-rows"]);
    let message = &reading.warnings[0].message;
    assert!(
        message.starts_with("rows of 1 time out of order, by up to 2 s"),
        "{message}"
    );
    // What is missing besides is still told.
    let (reading, _) = read_text(rows(&[0, 2, 4, 12, 6, 14, 16])).unwrap();
    assert_eq!(reading.missing.get(), 4.0);
}

#[test]
fn nanoseconds_are_told_by_their_size() {
    let text =
        "timestamp,read\n1700000000000000000,1\n1700000001000000000,1\n1700000002000000000,0\n";
    let (reading, _) = read_text(text).unwrap();
    assert_eq!(reading.bytes, [2.0, 0.0]);
    assert_eq!(codes(&reading), ["unit-assumed", "time-unit-assumed"]);
}

#[test]
fn what_is_no_log_of_a_server_is_named() {
    for (text, words) in [
        (
            "rank,op,start,end,bytes\n0,write,0,1,5\n",
            "a table of requests",
        ),
        (
            "{\"io_time\": {\"delta_t\": 1}, \"read_sync\": {}}",
            "JSON, perhaps of what one job did",
        ),
        (
            "# darshan log version: 3.41\n# compression method: ZLIB\n",
            "a log of Darshan",
        ),
        ("", "the input is empty"),
        ("hello there\n", "not a format that iotempo reads"),
        ("time,read\n0,1\n", "one row of each target"),
        ("time,read\n", "a table without a row"),
    ] {
        let error = read_text(text).unwrap_err().to_string();
        assert!(error.contains(words), "{text:?}: {error}");
    }
}

/// Tables that were read before there were logs of servers are read as they were.
#[test]
fn tables_of_samples_stay_tables_of_samples() {
    let text = "time,read_mib_s,write_mib_s\n0,0,120.5\n1,0,118\n2,14,0\n";
    let (reading, trace) = read_trace(Input::bytes(text), &ReadOptions::default()).unwrap();
    assert_eq!(reading.format, "table of samples");
    let (served, _) = read_text(text).unwrap();
    assert_eq!(served.format, "table of a server");
    let sum: f64 = served.bytes.iter().sum();
    assert_eq!(trace.volume().get(), sum, "the same bytes");
    assert!(
        detect(b"time,ost0_read,ost0_write\n0,1,2\n").is_err(),
        "no table of samples"
    );
}

#[test]
fn tables_whose_newest_rows_come_first_are_read() {
    let rows = |counter: bool| -> Vec<String> {
        let value = |n: u32| if counter { 1000 * n } else { 500 };
        let row = |n| format!("{},OST0,{}\n", 1_700_000_000 + 2 * n, value(n));
        (0..100).map(row).collect()
    };
    for (heading, counter) in [("write_bytes_per_s", false), ("write_bytes_total", true)] {
        let heading = format!("time,ost,{heading}\n");
        let forwards = rows(counter);
        let backwards: Vec<String> = forwards.iter().rev().cloned().collect();
        let (first, kept) = read_text(heading.clone() + &forwards.concat()).unwrap();
        let (turned, other) = read_text(heading + &backwards.concat()).unwrap();
        assert_eq!(first.bytes, turned.bytes);
        assert_eq!(kept.moved, other.moved);
        assert!(codes(&turned).contains(&"newest-first"), "{turned:?}");
    }
}

#[test]
fn a_target_that_is_not_there_is_told_with_those_that_are() {
    let text =
        "time,server,ost,write_bytes\n1,oss1,sda,5\n1,oss1,sdb,5\n2,oss1,sda,5\n2,oss1,sdb,5\n";
    let wanted = |targets: &[&str]| Options {
        targets: targets.iter().map(|&one| one.to_owned()).collect(),
        ..Options::default()
    };
    let error = read_input(Input::bytes(text), &wanted(&["sdz"])).unwrap_err();
    let expected = "no target sdz; there are oss1/sda, oss1/sdb";
    assert!(error.to_string().contains(expected), "{error}");
    let (reading, kept) = read_input(Input::bytes(text), &wanted(&["sda", "sdz"])).unwrap();
    assert_eq!(kept.targets.len(), 1);
    assert!(codes(&reading).contains(&"no-target"), "{reading:?}");
}

#[test]
fn a_table_without_a_heading_is_read_by_the_numbers_of_its_columns() {
    let columns = [("time", "1"), ("target", "3"), ("write_bytes", "2")];
    let options = Options {
        columns: columns
            .map(|(ours, theirs)| (ours.to_owned(), theirs.to_owned()))
            .to_vec(),
        ..Options::default()
    };
    let rows = "1700000000,5,sda\n1700000010,9,sda\n1700000020,7,sda\n";
    for heading in ["", "when,out,disk\n"] {
        let text = format!("{heading}{rows}");
        let (reading, kept) = read_input(Input::bytes(text), &options).unwrap();
        assert_eq!(reading.bytes, [0.0, 21.0], "{heading:?}");
        assert_eq!(kept.targets[0].label(), "sda");
    }
}

#[test]
fn targets_and_servers_have_many_names() {
    for (server, target) in [
        ("host_name", "device_name"),
        ("nodename", "disk_name"),
        ("ProducerName", "mount_point"),
        ("node_name", "fs_name"),
    ] {
        let text = format!(
            "timestamp,{server},{target},read_mib_s\n0,n1,a,1\n0,n2,a,10\n10,n1,a,1\n10,n2,a,10\n"
        );
        let (reading, kept) = read_text(text).unwrap();
        assert_eq!(reading.bytes, [220.0 * MIB, 0.0], "{server}");
        let labels: Vec<String> = kept.targets.iter().map(|one| one.label()).collect();
        assert_eq!(labels, ["n1/a", "n2/a"]);
    }
}

#[test]
fn rows_that_an_unknown_column_tells_apart_are_not_lost() {
    let by_time = "0,b1,ok,3,1\n0,b2,ok,4,9\n10,b1,ok,3,1\n10,b2,ok,5,8\n";
    let by_box = "0,b1,ok,3,1\n10,b1,ok,3,1\n0,b2,ok,4,9\n10,b2,ok,5,8\n";
    for rows in [by_time, by_box] {
        let text = format!("time,box,state,depth,write_kib_s\n{rows}");
        let error = read_text(text.clone()).unwrap_err().to_string();
        assert!(error.contains("box, state;"), "{error}");
        assert!(error.contains("target=box or server=box"), "{error}");
        let options = Options {
            columns: vec![("target".to_owned(), "box".to_owned())],
            ..Options::default()
        };
        let (reading, kept) = read_input(Input::bytes(text), &options).unwrap();
        assert_eq!(kept.targets.len(), 2);
        assert_eq!(reading.bytes, [0.0, 190.0 * 1024.0]);
    }
    let same = "time,state,write_kib_s\n0,ok,1\n0,late,1\n10,ok,2\n10,ok,3\n20,ok,1\n";
    let (reading, _) = read_text(same).unwrap();
    assert_eq!(codes(&reading), ["doubled-rows"]);
}

#[test]
fn what_is_wrong_with_a_heading_is_told_of_its_columns() {
    let text = "time,Read Throughput (Mb/s),Write Throughput (Mb/s)\n0,1,2\n10,3,4\n";
    let error = read_text(text).unwrap_err().to_string();
    assert!(error.ends_with(": Read Throughput (Mb/s)"), "{error}");
    let options = Options {
        columns: vec![("write".to_owned(), "Write Throughput (Mb/s)".to_owned())],
        ..Options::default()
    };
    let error = read_input(Input::bytes(text), &options)
        .unwrap_err()
        .to_string();
    assert!(error.contains("Mb may count bits"), "{error}");
}
