//! Names of databases and headings of tables that count operations.

use super::{operations, read_operations};
use crate::kept::{codes, read_input};
use iotempo_formats::Input;
use iotempo_formats::server::Options;
use iotempo_model::Op;

/// Snapshots of an exporter, ten seconds apart.
fn exporter(values: &[[u64; 2]]) -> String {
    let one = |(number, [reads, writes]): (usize, &[u64; 2])| {
        format!(
            "{}\n\
             # TYPE node_disk_reads_completed_total counter\n\
             node_disk_reads_completed_total{{device=\"sda\"}} {reads}\n\
             node_disk_reads_completed_total{{device=\"sda1\"}} {reads}\n\
             node_disk_reads_merged_total{{device=\"sda\"}} 7\n\
             node_disk_read_bytes_total{{device=\"sda\"}} {}\n\
             node_disk_writes_completed_total{{device=\"sda\"}} {writes}\n\
             node_disk_write_time_seconds_total{{device=\"sda\"}} 1.5\n",
            1_700_000_000 + 10 * number,
            4096 * reads,
        )
    };
    values.iter().enumerate().map(one).collect()
}

#[test]
fn counters_of_node_exporter_are_operations_and_begin_anew() {
    let text = exporter(&[[100, 50], [130, 50], [4, 60]]);
    let (reading, kept) = read_operations(text).unwrap();
    assert_eq!(reading.bytes, [30.0 + 4.0, 10.0]);
    assert_eq!(kept.targets.len(), 1, "the partition is a part of the disk");
    assert_eq!(reading.unit, "operations, counted since some start");
    assert_eq!(codes(&reading), ["counter-reset", "left-out"]);
}

#[test]
fn directions_may_stand_in_labels() {
    let text = "1700000000\n\
                gpfs_perf_operations_total{fs=\"scratch\",operation=\"reads\"} 10\n\
                gpfs_perf_operations_total{fs=\"scratch\",operation=\"writes\"} 20\n\
                gpfs_perf_operations_total{fs=\"scratch\",operation=\"opens\"} 30\n\
                1700000010\n\
                gpfs_perf_operations_total{fs=\"scratch\",operation=\"reads\"} 11\n\
                gpfs_perf_operations_total{fs=\"scratch\",operation=\"writes\"} 25\n\
                gpfs_perf_operations_total{fs=\"scratch\",operation=\"opens\"} 90\n";
    let (reading, _) = read_operations(text).unwrap();
    assert_eq!(reading.bytes, [1.0, 5.0]);
}

#[test]
fn fields_of_influxdb_are_operations() {
    let telegraf = "diskio,host=n1,name=sda reads=100i,writes=10i,merged_reads=9i,read_bytes=409600i,read_time=5i 1700000000000000000\n\
                    diskio,host=n1,name=sda reads=104i,writes=30i,merged_reads=12i,read_bytes=819200i,read_time=9i 1700000010000000000\n\
                    diskio,host=n1,name=sda reads=109i,writes=31i,merged_reads=13i,read_bytes=909200i,read_time=10i 1700000020000000000\n";
    let (reading, kept) = read_operations(telegraf).unwrap();
    assert_eq!(reading.bytes, [9.0, 21.0]);
    assert_eq!(kept.targets[0].label(), "n1/sda");
    let beegfs = "storageClientOpsByUser,user=1001 sum=210,ops-wr=200,B-wr=16777216 1700000000000000000\n\
                  storageClientOpsByUser,user=1001 sum=20,ops-wr=20,B-wr=4096 1700000001000000000\n";
    let (reading, _) = read_operations(beegfs).unwrap();
    assert_eq!(reading.bytes, [0.0, 220.0]);
}

#[test]
fn headings_of_tables_name_operations() {
    for (heading, rows, expected) in [
        // Of an interval.
        (
            "time,reads,write_ops,read_bytes",
            ["5,7,1", "2,1,1", "4,3,1"],
            [11.0, 11.0],
        ),
        // Per second.
        (
            "time,read_iops,write_iops,read_latency_ms",
            ["5,7,1", "2,1,1", "4,3,1"],
            [110.0, 110.0],
        ),
        (
            "time,r/s,w/s,rkB/s",
            ["5,7,1", "2,1,1", "4,3,1"],
            [110.0, 110.0],
        ),
        // Since some start.
        (
            "time,reads_total,writes_total,merged_reads",
            ["5,7,1", "6,9,1", "9,9,1"],
            [4.0, 2.0],
        ),
    ] {
        let mut text = format!("{heading}\n");
        for (number, row) in rows.iter().enumerate() {
            text += &format!("{},{row}\n", 1_700_000_000 + 10 * number);
        }
        let (reading, _) =
            read_operations(text).unwrap_or_else(|error| panic!("{heading}: {error}"));
        assert_eq!(reading.bytes, expected, "{heading}");
    }
}

#[test]
fn tables_with_a_row_per_direction_and_target_count_operations() {
    let text = "time,ost,op,operations,bytes\n\
                1700000000,OST0,read,3,300\n1700000000,OST0,write,5,500\n\
                1700000010,OST0,read,1,100\n1700000010,OST0,write,0,0\n";
    let (reading, kept) = read_operations(text).unwrap();
    assert_eq!(reading.bytes, [4.0, 5.0]);
    assert_eq!(kept.targets[0].label(), "OST0");
    assert_eq!(codes(&reading), ["volume-assumed", "volume-assumed"]);
    assert!(
        reading.warnings[0]
            .message
            .contains("operations per interval")
    );
}

#[test]
fn a_table_of_bytes_says_what_is_missing() {
    let text = "time,read_bytes,write_bytes\n1700000000,1,2\n1700000010,3,4\n";
    let error = read_operations(text).unwrap_err().to_string();
    assert!(
        error.contains("the table counts no read and write operations"),
        "{error}"
    );
    assert!(error.contains("reads, write_ops or iops"), "{error}");
    let named = |ours: &str| Options {
        columns: vec![(ours.to_owned(), "a".to_owned())],
        ..operations()
    };
    let text = "time,a\n1700000000,1\n1700000010,3\n";
    let (reading, kept) = read_input(Input::bytes(text), &named("read_iops")).unwrap();
    assert_eq!(reading.bytes, [40.0, 0.0]);
    assert_eq!(kept.volumes(Op::Read).len(), 2);
    let error = read_input(Input::bytes(text), &named("read_bytes")).unwrap_err();
    assert!(
        error.to_string().contains("operations are asked for"),
        "{error}"
    );
}

#[test]
fn documents_of_collectd_may_be_of_operations() {
    let document = |at: u32, kind: &str, read: f64| {
        format!(
            r#"{{"_source": {{"@timestamp": "2026-11-15T10:00:{at}.000Z", "hostname": "bb1", "plugin": "disk",
                "collectd_type": "{kind}", "plugin_instance": "nvme0n1", "read": {read}, "write": 2.5}}}}"#
        )
    };
    let documents = [
        document(10, "disk_ops", 4.0),
        document(10, "disk_octets", 4096.0),
        document(20, "disk_ops", 6.0),
    ];
    let text = format!(r#"[{}]"#, documents.join(","));
    let (reading, _) = read_operations(text).unwrap();
    assert_eq!(reading.bytes, [100.0, 50.0]);
}
