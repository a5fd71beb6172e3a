//! Logs of servers as monitoring writes them: a disk that writes a burst every fourth second.

use super::{Fixture, fixture};
use std::fmt::Write;

/// When all of them begin.
const START: u32 = 1_700_000_000;
const SECONDS: u32 = 8;
const BURST: u32 = 16 << 20;

/// What is written in a second.
fn written(second: u32) -> u32 {
    if second.is_multiple_of(4) { BURST } else { 0 }
}

/// A line per second.
fn lines(head: &str, line: impl Fn(u32) -> String) -> String {
    let mut text = head.to_owned();
    for second in 0..SECONDS {
        text += &line(second);
    }
    text
}

/// Bytes since the start.
fn counted(second: u32) -> u64 {
    (0..=second).map(|second| u64::from(written(second))).sum()
}

pub(super) fn all() -> Vec<Fixture> {
    let mut files = beegfs();
    files.extend(influx());
    files.extend(prometheus());
    files.extend(tables());
    files
}

fn beegfs() -> Vec<Fixture> {
    let banner = "\n          *************************\n          * PRESS ANY KEY TO QUIT *\n\
                  \x20         *************************\n\n";
    let blocks = lines(banner, |second| {
        let mib = written(second) >> 20;
        let mut block = format!("\n====== {second} s ======\n");
        if mib > 0 {
            let items = format!("9 [sum]  8 [ops-wr]  {mib} [MiB-wr/s]  1.5 [MiB-rd/s]  ");
            let _ = write!(block, "Sum:            {items}\n1001            {items}\n");
        }
        block
    });
    let heading = "Total results for 2 nodes:\n time_index write_KiB  read_KiB   reqs   qlen bsy\n";
    let totals = lines(heading, |second| {
        let kib = written(second) >> 10;
        format!(" {} {kib:9} {second:9}      3      0   0\n", START + second)
    });
    let servers = lines("", |second| {
        let kib = written(second) >> 10;
        format!(
            "===== time index: {} =====\n nodeID write_KiB  read_KiB   reqs   qlen bsy\n \
             stor01 [ID: 1] {kib} 0 3 0 0\n stor02 [ID: 2] 7 1 3 0 0\n\n",
            START + second
        )
    });
    let version_8 = lines("", |second| {
        let kib = written(second) >> 10;
        format!(
            "------- {second}s -------\nuser  sum  ops-rd  rd  ops-wr  wr\n\
             1001  9  1  4096B  8  {kib}KiB\n\n"
        )
    });
    vec![
        fixture("beegfs/userstats.txt", blocks),
        fixture("beegfs/serverstats.txt", totals),
        fixture("beegfs/perserver.txt", servers),
        fixture("beegfs/stats.txt", version_8),
    ]
}

fn influx() -> Vec<Fixture> {
    let points = lines("# DML\n", |second| {
        let (bytes, at) = (written(second), START + second);
        format!(
            "highResStorage,nodeID=stor\\ 01 diskWriteBytes={bytes}i,diskReadBytes=0,netSendBytes=9,\
             s=\"a, b\",ok=t {at}000000000\n\
             storageClientOpsByUser,user=1001 B-wr={bytes} {at}000000000\n"
        )
    });
    let counters = lines("", |second| {
        let count = 5_000 + counted(second);
        format!(
            "diskio,host=a,name=sda write_bytes={count}i {0}000\n\
             diskio,host=a,name=sda1 write_bytes={count}i {0}000\n",
            START + second
        )
    });
    let first = lines("name,tags,time,diskWriteBytes,nodeID\n", |second| {
        format!(
            "highResStorage,,{}000000000,{},stor01\n",
            START + second,
            written(second)
        )
    });
    let types = "#datatype,string,long,dateTime:RFC3339,double,string,string,string\n\
                 #group,false,false,false,false,true,true,true\n#default,_result,,,,,,\n\
                 ,result,table,_time,_value,_field,_measurement,nodeID\n";
    let second = lines(types, |second| {
        let bytes = written(second);
        format!(",,0,2023-11-14T22:13:2{second}Z,{bytes},diskWriteBytes,highResStorage,stor01\n")
    });
    let values: Vec<String> = (0..SECONDS)
        .map(|second| format!("[{},{},null]", START + second, written(second)))
        .collect();
    let json = format!(
        "{{\"results\":[{{\"statement_id\":0,\"series\":[{{\"name\":\"highResStorage\",\"tags\":\
         {{\"nodeID\":\"stor01\"}},\"columns\":[\"time\",\"diskWriteBytes\",\"diskReadBytes\"],\
         \"values\":[{}]}}]}}]}}\n",
        values.join(",")
    );
    vec![
        fixture("influx/beegfs-mon.txt", points),
        fixture("influx/telegraf.txt", counters),
        fixture("influx/version-1.csv", first),
        fixture("influx/version-2.csv", second),
        fixture("influx/version-1.json", json),
    ]
}

fn prometheus() -> Vec<Fixture> {
    let values = |value: &dyn Fn(u32) -> String| {
        let pairs =
            (0..SECONDS).map(|second| format!("[{},\"{}\"]", START + second, value(second)));
        pairs.collect::<Vec<_>>().join(",")
    };
    let matrix = |series: &str| {
        format!(
            "{{\"status\":\"success\",\"data\":{{\"resultType\":\"matrix\",\"result\":[{series}]}}}}\n"
        )
    };
    let counter = |device: &str| {
        format!(
            "{{\"metric\":{{\"__name__\":\"node_disk_written_bytes_total\",\"device\":\"{device}\",\
             \"instance\":\"a:9100\"}},\"values\":[{}]}}",
            values(&|second| counted(second).to_string())
        )
    };
    let rate = format!(
        "{{\"metric\":{{\"instance\":\"a\"}},\"values\":[{}]}}",
        values(&|second| match second {
            3 => "NaN".to_owned(),
            second => format!("{}.5", written(second)),
        })
    );
    let snapshots = lines("", |second| {
        format!(
            "# {}\n# HELP node_disk_written_bytes_total Bytes.\n\
             # TYPE node_disk_written_bytes_total counter\n\
             node_disk_written_bytes_total{{device=\"sda\"}} {}\n\
             node_disk_written_bytes_total{{device=\"dm-0\"}} 1.5e+09\n",
            START + second,
            counted(second)
        )
    });
    vec![
        fixture(
            "prometheus/counter.json",
            matrix(&format!("{},{}", counter("sda"), counter("sda1"))),
        ),
        fixture("prometheus/rate.json", matrix(&rate)),
        fixture("prometheus/snapshots.txt", snapshots),
    ]
}

fn tables() -> Vec<Fixture> {
    let wide = lines(
        "time,ost0_read,ost0_write,ost1_write_mib_s,total_write\n",
        |second| {
            format!(
                "{},1.5,{},0,{}\n",
                START + second,
                written(second),
                written(second)
            )
        },
    );
    let long = lines("time;server;target;op;bytes\n", |second| {
        let at = format!("2023-11-14 22:13:2{second}");
        format!(
            "{at};oss1;OST0;write;{}\n{at};oss1;OST1;read;0,5\n",
            written(second)
        )
    });
    vec![
        fixture("server_table/wide.csv", wide),
        fixture("server_table/long.csv", long),
    ]
}
