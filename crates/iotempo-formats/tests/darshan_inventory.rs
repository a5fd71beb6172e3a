//! Every log of an inventory that was made with the reference tools, versions 1.x and 2.x included:
//! version, byte order, compression, processes, run time, names, modules with their records.
#![allow(clippy::print_stderr, clippy::unwrap_used)]

use iotempo_formats::darshan::{Log, ModuleData, Records, read_legacy};
use iotempo_formats::{Input, Limits};
use sha2::{Digest, Sha256};
use std::collections::HashMap;
use std::path::{Path, PathBuf};

fn data() -> PathBuf {
    let beside = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/data");
    std::env::var_os("IOTEMPO_DATA").map_or_else(|| PathBuf::from(beside), Into::into)
}

/// All files below a folder, by the first 16 digits of their SHA-256.
fn by_digest(folder: &Path, files: &mut HashMap<String, PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            by_digest(&path, files);
            continue;
        }
        let digest = Sha256::digest(std::fs::read(&path).unwrap());
        let digits: String = digest[..8]
            .iter()
            .map(|byte| format!("{byte:02x}"))
            .collect();
        files.insert(digits, path);
    }
}

fn open(path: &Path) -> Log {
    let bytes = std::fs::read(path).unwrap();
    if path.extension().is_some_and(|extension| extension == "gz") {
        let unwrapped = Input::bytes(bytes).unwrapped().unwrap();
        return read_legacy(unwrapped.into_reader(), &Limits::default()).unwrap();
    }
    Log::read(std::io::Cursor::new(bytes), &Limits::default()).unwrap()
}

/// As the inventory counts them: the headers of AutoPerf's modules are records, too.
fn records(data: &ModuleData) -> usize {
    match &data.records {
        Records::Counters(table) => table.len(),
        Records::Lustre(records) => records.len(),
        Records::Dxt(table) => table.records.len(),
        Records::Heatmap(records) => records.len(),
        Records::Mdhim(records) => records.len(),
        Records::Apmpi(apmpi) => apmpi.table.len() + usize::from(apmpi.header.is_some()),
        Records::Apxc(apxc) => apxc.table.len() + usize::from(apxc.header.is_some()),
        Records::Unreadable => 0,
    }
}

fn modules(log: &Log) -> String {
    if log.version.as_str() < "3" {
        return format!("(2.x flat) files:{}", records(&log.modules[0]));
    }
    let one = |data: &ModuleData| format!("{}:v{}:n{}", data.name(), data.version, records(data));
    log.modules.iter().map(one).collect::<Vec<_>>().join(";")
}

fn segments(log: &Log) -> usize {
    let tables = log.modules.iter().filter_map(|data| match &data.records {
        Records::Dxt(table) => Some(table.lengths.len()),
        _ => None,
    });
    tables.sum()
}

#[test]
fn every_log_is_what_the_inventory_says() {
    let inventory = data().join("oracles/darshan-inventory.csv");
    if !inventory.is_file() {
        let place = inventory.display();
        eprintln!("SKIPPED every_log_is_what_the_inventory_says: no data under {place}");
        return;
    }
    let mut files = HashMap::new();
    by_digest(&data().join("darshan"), &mut files);
    let mut reader = csv::Reader::from_path(inventory).unwrap();
    let heading = reader.headers().unwrap().clone();
    let (mut logs, mut old, mut values) = (0, 0, 0);
    for row in reader.records() {
        let row = row.unwrap();
        let field = |name: &str| row[heading.iter().position(|h| h == name).unwrap()].to_owned();
        // Forks are refused by name: tests of robustness are about them.
        let Some(path) = files
            .get(&field("sha256"))
            .filter(|_| !field("source").contains("io500"))
        else {
            continue;
        };
        let log = open(path);
        let mut expect = |name: &str, ours: String| {
            let theirs = field(name);
            if !theirs.is_empty() {
                let same = match (theirs.parse::<f64>(), ours.parse::<f64>()) {
                    (Ok(theirs), Ok(ours)) => (theirs - ours).abs() <= 0.01 + 1e-4 * theirs.abs(),
                    _ => theirs == ours,
                };
                assert!(same, "{}: {name}: {theirs:?} and {ours:?}", path.display());
                values += 1;
            }
        };
        assert_eq!(field("log_version"), log.version, "{}", path.display());
        let endian = if log.big_endian { "BE" } else { "LE" };
        expect("endian", endian.to_owned());
        expect("comp", log.compression.to_owned());
        expect("nprocs", log.job.nprocs.to_string());
        expect("run_time_s", log.job.run_time_s.to_string());
        expect("modules", modules(&log));
        expect("n_names", log.names.len().to_string());
        expect("dxt_segments", segments(&log).to_string());
        logs += 1;
        old += u64::from(log.version.as_str() < "3");
    }
    assert!(logs > 150 && old >= 40, "{logs} logs, {old} of them old");
    eprintln!("{logs} logs, {old} of them 1.x or 2.x, {values} values compared with the inventory");
}
