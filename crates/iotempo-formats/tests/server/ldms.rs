//! Counters of Lustre clients that LDMS stored while jobs of HACC-IO ran.

use crate::kept::{codes, read_file, read_text};
use crate::log;
use iotempo_formats::server::Clock;

/// Bytes read and written by file, from Python's `csv` and a difference per node and mount.
const TOTALS: [(&str, f64, f64); 12] = [
    ("17209722", 61_605_336_504.0, 61_606_922_903.0),
    ("17209742", 20_975_530_522.0, 251_454_095.0),
    ("17209746", 54_002_686_031.0, 2_977_126_411.0),
    ("17209747", 61_605_339_476.0, 25_806_619_442.0),
    ("17209771", 122_405_340_880.0, 122_406_897_167.0),
    ("17209778", 122_405_340_818.0, 72_006_796_940.0),
    ("17209783", 122_405_339_611.0, 108_806_405_816.0),
    ("17209808", 122_405_340_652.0, 79_206_632_301.0),
    ("17210635", 60_955_007_631.0, 15_130_117_061.0),
    ("17210641", 122_405_339_633.0, 122_406_424_206.0),
    ("17218965", 122_405_340_600.0, 122_406_591_738.0),
    ("17219232", 61_605_338_067.0, 61_606_951_979.0),
];

#[test]
fn every_byte_that_the_counters_grew_by_is_there() {
    for (job, read, written) in TOTALS {
        let name = format!("ldms-eclipse/{job}-lustre.csv.gz");
        let Some(path) = log("every_byte_that_the_counters_grew_by_is_there", &name) else {
            return;
        };
        let (reading, kept) = read_file(&path);
        assert_eq!(reading.format, "LDMS CSV");
        assert_eq!(reading.clock, Clock::Epoch);
        assert_eq!(reading.bytes, [read, written], "{job}");
        assert_eq!(kept.targets.len(), 32, "16 nodes, two file systems each");
        let interval = reading.interval.unwrap().get();
        assert!((interval - 1.0).abs() < 0.01, "{job}: {interval} s");
        assert!(!reading.damaged);
    }
}

const HEAD: &str = "timestamp,component_id,fs_name,llite,read_bytes.sum,write_bytes.sum\n";

#[test]
fn a_row_that_is_cut_costs_itself() {
    let rows = "1.0,n1,fs,m,0,0\n2.0,n1,fs,m,10,1\n3.0,n1,f\n3.0,n1,fs,m,30,2\n4.0,n1,fs,m,x,2\n5.0,n1,fs,m,60,3\n";
    let (reading, _) = read_text(format!("{HEAD}{rows}")).unwrap();
    assert_eq!(reading.bytes, [60.0, 3.0]);
    assert_eq!(codes(&reading), ["bad-rows"]);
    let message = &reading.warnings[0].message;
    assert!(
        message.contains("line 4: the number of fields differs"),
        "{message}"
    );
}

#[test]
fn doubled_and_reordered_rows_are_told() {
    let rows = "1,n1,fs,m,0,0\n2,n1,fs,m,10,0\n2,n1,fs,m,10,0\n4,n1,fs,m,30,0\n3,n1,fs,m,20,0\n5,n1,fs,m,40,0\n";
    let (reading, _) = read_text(format!("{HEAD}{rows}")).unwrap();
    assert_eq!(reading.bytes, [40.0, 0.0]);
    assert_eq!(codes(&reading), ["clock-backwards", "doubled-rows"]);
}

#[test]
fn two_mounts_of_a_file_system_have_counters_of_their_own() {
    let mut text = "#Time,component_id,fs_name,llite,read_bytes.sum,write_bytes.sum\n".to_owned();
    for second in 0..10 {
        for (mount, begin) in [
            ("scratch-01", 5_000_000_000_000_u64),
            ("scratch-02", 1_000_000),
        ] {
            let written = begin + 1000 * second;
            text.push_str(&format!(
                "170000000{second}.0,12,scratch,{mount},0,{written}\n"
            ));
        }
    }
    let (reading, kept) = read_text(text).unwrap();
    assert_eq!(reading.bytes, [0.0, 18_000.0]);
    let labels: Vec<String> = kept.targets.iter().map(|one| one.label()).collect();
    assert_eq!(labels, ["12/scratch", "12/scratch/scratch-02"]);
}

#[test]
fn headings_may_name_the_mounts() {
    let name = |way: &str, fs: &str| match fs {
        "home" => format!("client.{way}_bytes#llite.{fs}"),
        _ => format!("{way}_bytes#stats.{fs}"),
    };
    let table = |mounts: &[&str]| {
        let mut text = "#Time,Time_usec,ProducerName,component_id,job_id".to_owned();
        for fs in mounts {
            text.push_str(&format!(",{},{}", name("read", fs), name("write", fs)));
        }
        for second in 0..5 {
            for node in 1..3 {
                text.push_str(&format!(
                    "\n170000000{second}.00{node},{node}000,n{node},{node},0"
                ));
                for (k, _) in mounts.iter().enumerate() {
                    let read = node * 1_000_000_000 + second * (5 + k);
                    text.push_str(&format!(",{read},{}", 7 * node * second));
                }
            }
        }
        text + "\n"
    };
    for mounts in [&["home"][..], &["snx11000"], &["home", "snx11000"]] {
        let (reading, kept) = read_text(table(mounts)).unwrap();
        assert_eq!(reading.format, "LDMS CSV");
        let read = [40.0, 88.0][mounts.len() - 1];
        let written = 84.0 * mounts.len() as f64;
        assert_eq!(reading.bytes, [read, written], "{mounts:?}");
        assert_eq!(kept.targets.len(), 2 * mounts.len(), "{mounts:?}");
        assert_eq!(kept.targets[0].label(), format!("n1/{}", mounts[0]));
        assert!(reading.warnings.is_empty(), "{:?}", reading.warnings);
    }
}
