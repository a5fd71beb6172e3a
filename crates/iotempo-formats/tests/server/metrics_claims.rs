//! Readers of BeeGFS, InfluxDB and Prometheus claim their own logs and nobody else's.

use crate::log;
use iotempo_formats::Input;
use iotempo_formats::server::{Kind, detect};
use std::fs::File;
use std::path::{Path, PathBuf};

fn files(folder: &Path, into: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files(&path, into);
        } else {
            into.push(path);
        }
    }
}

fn claimed(path: &Path) -> Option<Kind> {
    let input = Input::file(File::open(path).unwrap()).unwrap();
    let head = match input.unwrapped() {
        Ok(input) => input.head().to_vec(),
        Err(_) => return None,
    };
    detect(&head)
}

#[test]
fn no_log_is_taken_for_one_of_another_tool() {
    let Some(folder) = log("no_log_is_taken_for_one_of_another_tool", "") else {
        return;
    };
    let mut paths = Vec::new();
    files(&folder, &mut paths);
    assert!(paths.len() > 60, "{}", paths.len());
    for path in paths {
        let name = path
            .strip_prefix(&folder)
            .unwrap()
            .to_string_lossy()
            .into_owned();
        let mine = [Kind::BeeGfs, Kind::Influx, Kind::Prometheus];
        let found = claimed(&path).filter(|kind| mine.contains(kind));
        let expected = match name.as_str() {
            "prometheus/query_error.json" => None,
            name if name.starts_with("prometheus/") => Some(Kind::Prometheus),
            name if name.starts_with("influxdb/") => Some(Kind::Influx),
            name if name.contains("beegfs") => Some(Kind::BeeGfs),
            _ => None,
        };
        assert_eq!(found, expected, "{name}");
    }
}

#[test]
fn what_others_read_stays_theirs() {
    let Some(folder) = log("what_others_read_stays_theirs", "") else {
        return;
    };
    let mut seen = 0;
    for part in [
        "tmio",
        "darshan",
        "joblogs",
        "series",
        "ftio-inputs",
        "benchmarks",
        "correlation",
        "dftracer",
    ] {
        let mut paths = Vec::new();
        files(&folder.join("..").join(part), &mut paths);
        for path in paths {
            assert_eq!(claimed(&path), None, "{}", path.display());
            seen += 1;
        }
    }
    assert!(seen > 200, "{seen}");
}
