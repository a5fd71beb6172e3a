//! Phases of real logs: they hold the bytes that were counted, and agree with finer evidence.
#![allow(clippy::unwrap_used, clippy::print_stderr)]

mod common;
use common::Place;
use iotempo_formats::darshan::CountedLog;
use iotempo_formats::{Input, ReadOptions};
use iotempo_model::{Api, Op};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs::File;
use std::path::PathBuf;

/// Where the logs are; `None` where there are none.
fn logs() -> Option<PathBuf> {
    let beside = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/data");
    let data = std::env::var_os("IOTEMPO_DATA").map_or_else(|| PathBuf::from(beside), Into::into);
    let logs = data.join("darshan");
    if !logs.is_dir() {
        eprintln!("SKIPPED: {} does not exist (IOTEMPO_DATA)", logs.display());
        return None;
    }
    Some(logs)
}

/// The phases of all logs below a folder, and the logs.
fn results(folder: &str) -> Option<Vec<Value>> {
    let logs = logs()?;
    let folder = logs.join(folder).display().to_string();
    let ran = Place::new().run(&["phases", &folder, "--json"]);
    let Value::Array(results) = ran.json()["results"].take() else {
        panic!("{ran:?}")
    };
    Some(results)
}

/// Folders of logs that jobs wrote; others were made up.
const REAL: [&str; 9] = [
    "atpesc",
    "cori",
    "ecp-tutorial",
    "hacc-eclipse",
    "lammps-summit",
    "official",
    "polaris",
    "specfem-frontera",
    "warpx-summit",
];

#[test]
fn phases_hold_the_bytes_that_were_counted() {
    let Some(all) = results(".") else { return };
    assert!(all.len() > 250, "{}", all.len());
    for result in all {
        if result["source"] != "counters" {
            continue;
        }
        let path = result["input"].as_str().unwrap();
        let Ok(file) = File::open(path) else {
            // A member of an archive.
            assert!(path.contains(".tar"), "{path}");
            continue;
        };
        let input = Input::file(file).unwrap();
        let mut log = CountedLog::open(input, &ReadOptions::default()).unwrap();
        let mut counted: BTreeMap<(Api, Op), u64> = BTreeMap::new();
        let mut timeless = 0;
        log.each_file(|file| {
            for op in Op::ALL {
                let of = file.of(op);
                match of.start.or(of.end) {
                    Some(_) => *counted.entry((file.api, op)).or_default() += of.bytes,
                    None => timeless += of.bytes,
                }
            }
        });
        counted.retain(|_, bytes| *bytes > 0);
        let mut in_phases: BTreeMap<(Api, Op), u64> = BTreeMap::new();
        for phase in result["phases"].as_array().unwrap() {
            let word = |key: &str| phase[key].as_str().unwrap().to_owned();
            let kind = (word("api").parse().unwrap(), word("op").parse().unwrap());
            *in_phases.entry(kind).or_default() += phase["bytes"].as_u64().unwrap();
        }
        assert_eq!(in_phases, counted, "{path}");
        assert_eq!(
            result["left_out"]["bytes_without_times"], timeless,
            "{path}"
        );
    }
}

#[test]
fn the_bytes_are_those_that_inspect_counts() {
    let Some(logs) = logs() else { return };
    let mut compared = 0;
    for folder in REAL {
        let folder = logs.join(folder).display().to_string();
        let inspected = Place::new().run(&["inspect", &folder, "--json"]).json();
        let phases = Place::new().run(&["phases", &folder, "--json"]).json();
        for result in phases["results"].as_array().unwrap() {
            let same = |other: &&Value| other["input"] == result["input"];
            let inspected = inspected["results"]
                .as_array()
                .unwrap()
                .iter()
                .find(same)
                .unwrap();
            let modules = match result["source"].as_str().unwrap() {
                // Each layer of the text by itself, whole.
                "dxt" => ["DXT_POSIX", "DXT_MPIIO", ""],
                _ => ["POSIX", "MPI-IO", "STDIO"],
            };
            for (module, api) in modules.into_iter().zip(["posix", "mpiio", "stdio"]) {
                let all = inspected["modules"].as_array().unwrap().iter();
                let bytes = |part: &Value| {
                    part["bytes_read"].as_u64().unwrap_or(0)
                        + part["bytes_written"].as_u64().unwrap_or(0)
                };
                let expected: u64 = all.filter(|part| part["name"] == module).map(bytes).sum();
                let all = result["phases"].as_array().unwrap().iter();
                let found = all.filter(|phase| phase["api"] == api);
                let found: u64 = found.map(|phase| phase["bytes"].as_u64().unwrap()).sum();
                let lost = result["left_out"]["bytes_without_times"].as_u64().unwrap();
                assert!(
                    found <= expected && found + lost >= expected,
                    "{module} {}",
                    result["input"]
                );
                // Layers that were not used say nothing.
                compared += usize::from(found > 0);
            }
        }
    }
    assert!(compared > 200, "{compared}");
}

#[test]
fn phases_agree_with_finer_evidence_or_say_why() {
    let (mut dxt, mut heatmap, mut told) = (0, 0, 0);
    for folder in REAL {
        let Some(results) = results(folder) else {
            return;
        };
        for result in results {
            for phase in result["phases"].as_array().unwrap() {
                let agreement = &phase["agreement"];
                let off = |key: &str| agreement[key].as_f64().unwrap().abs();
                match agreement["witness"].as_str() {
                    Some("dxt") => dxt += 1,
                    Some("heatmap") => heatmap += 1,
                    _ => continue,
                }
                let largest = off("start_off_s").max(off("end_off_s"));
                let within = largest <= agreement["tolerance_s"].as_f64().unwrap();
                assert_eq!(agreement["agrees"], within);
                assert_eq!(agreement["disagreement"].is_null(), within);
                if agreement["witness"] == "dxt" && agreement["bytes_share"].as_f64() == Some(1.0) {
                    assert!(within, "{}: {phase}", result["input"]);
                }
                told += usize::from(!within);
            }
        }
    }
    assert!(dxt > 100 && heatmap > 250, "{dxt} {heatmap}");
    assert!(told < 20, "{told}");
    eprintln!("{dxt} phases beside dxt, {heatmap} beside heatmaps, {told} differ and say why");
}

#[test]
fn texts_of_darshan_parser_give_phases_of_their_log() {
    let corpus = concat!(env!("CARGO_MANIFEST_DIR"), "/../../testdata/corpus");
    let phases = |path: &str| {
        let ran = Place::new().run(&["phases", &format!("{corpus}/{path}"), "--json"]);
        let json = ran.ok().json();
        json["results"][0]["phases"].as_array().unwrap().clone()
    };
    let whole = phases("darshan/run.darshan");
    for text in ["posix", "mpiio", "stdio"] {
        let printed = phases(&format!("darshan_text/{text}.txt"));
        assert!(!printed.is_empty(), "{text}");
        for phase in printed {
            let same = |other: &&Value| {
                let keys = [
                    "op",
                    "api",
                    "bytes",
                    "requests",
                    "spatiality",
                    "ranks",
                    "sizes",
                    "strategy",
                ];
                let near = |key: &str| {
                    let off = phase[key].as_f64().unwrap() - other[key].as_f64().unwrap();
                    // The text has six decimals.
                    off.abs() < 1e-6
                };
                keys.iter().all(|key| phase[key] == other[key])
                    && ["start_s", "end_s", "time_s"].into_iter().all(near)
            };
            assert!(whole.iter().any(|other| same(&other)), "{phase}");
        }
    }
}

#[test]
fn the_page_shows_what_a_real_log_gives() {
    let Some(logs) = logs() else { return };
    let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/phases.md");
    let text = std::fs::read_to_string(page).unwrap();
    let command = "$ iotempo phases lammps.darshan | sed -n '/^phases/,$p'\n";
    let (before, rest) = text.split_once(command).unwrap();
    let (shown, after) = rest.split_once("```").unwrap();
    let place = Place::new();
    let log = std::fs::read(logs.join("lammps-summit/lammps.darshan")).unwrap();
    place.write("lammps.darshan", log);
    let ran = place.run(&["phases", "lammps.darshan"]).ok();
    let from = ran.out.find("\nphases\n").unwrap() + 1;
    let printed = &ran.out[from..];
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(page, format!("{before}{command}{printed}```{after}")).unwrap();
    } else {
        assert_eq!(printed, shown, "BLESS=1 rewrites the page");
    }
}

#[test]
fn ior_that_only_writes_has_read_nothing() {
    let Some(logs) = logs() else { return };
    let log = "polaris/robl_ior_id19789-19789_3-14-69746-5968882044224673607_2.darshan";
    let log = logs.join(log).display().to_string();
    let ran = Place::new().run(&["phases", &log]).ok();
    assert!(ran.out.contains("0 B read, 29.8 GiB written"), "{ran:?}");
    assert!(ran.out.contains("[data-sieving]"), "{ran:?}");
}

#[test]
fn posix_is_believed_where_mpi_io_overflowed() {
    let Some(logs) = logs() else { return };
    let log = logs.join("pair/valid_trace.txt").display().to_string();
    let ran = Place::new().run(&["phases", &log]).ok();
    assert!(ran.out.contains("480.9 GiB written"), "{ran:?}");
    assert!(ran.out.contains("[mpiio-overflowed]"), "{ran:?}");
    // Its bins are told, and where a list is cut.
    assert!(ran.out.contains("within one bin ("), "{ran:?}");
    assert!(ran.out.contains(" more differ"), "{ran:?}");
}
