//! Small logs of storage servers, in the words of their tools.

use super::{Fixture, fixture, hdf5, sqlite};

/// The corpora of their readers.
pub(crate) fn corpora() -> Vec<Fixture> {
    vec![
        fixture("hdf5/pylmt.h5lmt", hdf5::pylmt()),
        fixture("hdf5/tokio.hdf5", hdf5::tokio()),
        fixture("sqlite/lmt.sqlite3", sqlite::lmt()),
        fixture("storage_logs/collectd.json", collectd()),
        fixture("storage_logs/lmt_ost_v2.txt", strings()),
        fixture("storage_logs/lustre_jobs.txt", jobs()),
        fixture("storage_logs/lustre_stats.txt", stats()),
        fixture("storage_logs/mmperfmon.txt", MMPERFMON),
    ]
}

fn stats() -> String {
    let looks = [
        (1_510_782_606, 4096, 0),
        (1_510_782_616, 8192, 512),
        (1_510_782_626, 100, 1024),
    ];
    let look = |(at, read, written): (u32, u64, u64)| {
        let counters = format!(
            "snapshot_time             {at}.789671326 secs.nsecs\n\
             read_bytes                2 samples [bytes] 4096 1048576 {read}\n\
             write_bytes               2 samples [bytes] 4096 1048576 {written} 99\n\
             punch                     57 samples [reqs]\n"
        );
        format!(
            "obdfilter.fs-OST0000.stats=\n{counters}\
             obdfilter.fs-OST0000.exports.10.0.0.1@o2ib.stats=\n{counters}"
        )
    };
    looks.map(look).concat()
}

fn jobs() -> String {
    let look = |at: u64| {
        format!(
            "obdfilter.fs-OST0000.job_stats=\njob_stats:\n- job_id:          \"make all.0\"\n  \
             snapshot_time:   {at}\n  read_bytes:      {{ samples: 2, unit: bytes, min: 1, max: 9, sum: {} }}\n  \
             getattr:         {{ samples: 7, unit:  reqs }}\n- job_id:          {at}\n  \
             snapshot_time:   {at}\n  start_time:      {}\n  \
             write_bytes:     {{ samples: 2, unit: bytes, min: 1, max: 9, sum: 77, sumsq: 9 }}\n",
            at % 1000 * 4096,
            at - 2
        )
    };
    [1_510_782_606, 1_510_782_616, 1_510_782_626]
        .map(look)
        .concat()
}

fn strings() -> String {
    let line = |at: u64| {
        format!(
            "{at} ost: 2;oss1;0.184;13.33;fs-OST0000;1;2;3;4;{};{};233;129;0;127;128;0;0;COMPLETE 1/1 \
             0s remaining;fs-OST0001;1;2;3;4;0;0;233;129;0;127;128;0;0;COMPLETE 1/1 0s remaining;\n",
            at * 3,
            at * 5
        )
    };
    [1_704_924_117, 1_704_924_122, 1_704_924_127]
        .map(line)
        .concat()
}

fn collectd() -> String {
    let document = |second: u32| {
        format!(
            "{{\"_score\": 7.5, \"_source\": {{\"plugin\": \"disk\", \"read\": 0.0, \"@timestamp\": \
             \"2017-12-13T08:26:{second}.677Z\", \"hostname\": \"bb4\", \"write\": 22579.1, \
             \"collectd_type\": \"disk_octets\", \"plugin_instance\": \"nvme2n1\"}}}}"
        )
    };
    format!("[[{}]]\n", [40, 20, 30, 50].map(document).join(", "))
}

const MMPERFMON: &str = "\nLegend:\n \
    1:\tnsd1.org|GPFSNSDDisk|d00|gpfs_nsdds_bytes_read\n \
    2:\tnsd1.org|GPFSNSDDisk|d00|gpfs_nsdds_bytes_written\n \
    3:\tnsd1.org|Network|lo|net_r\n \nRow           Timestamp gpfs_nsdds_bytes_read gpfs_nsdds_bytes_written \n  \
    1 2019-03-04-16:01:00                 67543552                     null \n  \
    2 2019-03-04-16:02:00                        0                     1024 \n\n\
    Row           Timestamp     net_r \n  1 2019-03-04-16:01:00    1.7 kB \n  2 2019-03-04-16:02:00   98.7 kB \n";
