//! Derived figures against those of Darshan's own tools.
#![allow(clippy::unwrap_used)]

use iotempo_formats::darshan::derived::{self, FileClass};
use iotempo_formats::darshan::{CounterTable, Layout, Log, Module, ModuleData, Records};
use serde_json::Value;
use std::path::PathBuf;

/// The answers of the reference tools; `None`, and a line that says so, where they are not.
#[allow(clippy::print_stderr)]
fn oracle(test: &str) -> Option<Value> {
    let default = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/data");
    let root = std::env::var_os("IOTEMPO_DATA").unwrap_or_else(|| default.into());
    let path = PathBuf::from(root).join("oracles/darshan.json");
    let Ok(text) = std::fs::read_to_string(&path) else {
        eprintln!("SKIPPED {test}: no data under {}", path.display());
        return None;
    };
    Some(serde_json::from_str(&text).unwrap())
}

/// A log with the one record that the oracle states in full.
fn log_of(answers: &Value, module: Module, record: &Value) -> Log {
    let layout = Layout::latest(module).unwrap();
    let mut table = CounterTable::new(layout);
    table
        .ids
        .push(record["id"].as_str().unwrap().parse().unwrap());
    table.ranks.push(record["rank"].as_i64().unwrap());
    for name in &layout.ints {
        table.ints.push(record["counters"][name].as_i64().unwrap());
    }
    for name in &layout.floats {
        table
            .floats
            .push(record["fcounters"][name].as_f64().unwrap());
    }
    let mut log = Log::default();
    log.job.nprocs = answers["job"]["nprocs"].as_i64().unwrap();
    log.modules.push(ModuleData {
        id: module as u32,
        module: Some(module),
        version: 0,
        partial: false,
        damage: None,
        records: Records::Counters(table),
    });
    log
}

/// The modules of real logs that have one record: the log, the module, and what is known about it.
fn single_records(test: &str) -> Vec<(Log, Module, Value)> {
    let Some(oracle) = oracle(test) else {
        return Vec::new();
    };
    let mut found = Vec::new();
    for answers in oracle["logs"].as_array().unwrap() {
        for (name, about) in answers["modules"].as_object().unwrap() {
            let module = Module::from_name(name).unwrap();
            let derivable = derived::DERIVABLE.contains(&module) && about.get("derived").is_some();
            if derivable && about["records"] == 1 {
                let log = log_of(answers, module, &about["first_record"]);
                found.push((log, module, about.clone()));
            }
        }
    }
    assert!(
        found.len() > 30,
        "only {} modules have one record",
        found.len()
    );
    found
}

/// Equal but for what reading a decimal number may cost.
fn same(found: f64, about: &Value, what: &str) {
    let expected = about.as_f64().unwrap();
    assert!(
        (found - expected).abs() <= 1e-14 * expected.abs(),
        "{what}: {found} is not {expected}"
    );
}

#[test]
fn performance_is_what_darshan_parser_says() {
    for (log, module, about) in single_records("performance_is_what_darshan_parser_says") {
        let (perf, expected) = (derived::perf(&log, module).unwrap(), &about["derived"]);
        assert_eq!(perf.total_bytes, expected["total_bytes"].as_i64().unwrap());
        assert_eq!(
            perf.unique.slowest_rank.unwrap_or(0),
            expected["unique_rank"].as_i64().unwrap()
        );
        same(perf.unique.io_s, &expected["unique_io"], "unique");
        same(
            perf.unique.meta_s,
            &expected["unique_md"],
            "unique, metadata",
        );
        same(
            perf.unique.rw_s,
            &expected["unique_rw"],
            "unique, reads and writes",
        );
        same(perf.shared_time_by_slowest_s, &expected["shared"], "shared");
        same(perf.agg_time_by_slowest_s, &expected["agg_time"], "time");
        let rate = perf.agg_perf_by_slowest_mib_per_s.unwrap_or(0.0);
        same(rate, &expected["agg_perf"], "rate");
    }
}

#[test]
fn file_counts_are_what_darshan_parser_says() {
    for (log, module, about) in single_records("file_counts_are_what_darshan_parser_says") {
        let (counts, expected) = (
            derived::file_counts(&log, module).unwrap(),
            &about["derived_files"],
        );
        let printed = |class: FileClass| {
            let unknown = if class.files > 0 { -1 } else { 0 };
            [
                class.files as i64,
                class.bytes,
                class.max_offset.unwrap_or(unknown),
            ]
        };
        for (name, class) in [
            ("total", counts.total),
            ("read_only", counts.read_only),
            ("write_only", counts.write_only),
            ("read_write", counts.read_write),
            ("unique", counts.unique),
            ("shared", counts.shared),
            ("part", counts.shared_by_some),
        ] {
            let expected: Vec<i64> = serde_json::from_value(expected[name].clone()).unwrap();
            assert_eq!(printed(class)[..], expected, "{module} {name}");
        }
    }
}

#[test]
fn times_of_shared_files_are_what_older_tools_said() {
    for (log, module, about) in single_records("times_of_shared_files_are_what_older_tools_said") {
        // The tools of that time knew neither DFS nor DAOS.
        let Some(expected) = about
            .get("legacy_shared_times")
            .filter(|times| times.get("span").is_some())
        else {
            assert!(matches!(module, Module::Dfs | Module::Daos));
            continue;
        };
        let times = derived::shared_times(&log, module).unwrap();
        same(
            times.by_cumul_s.unwrap(),
            &expected["time_by_cumul_io_only"],
            "by_cumul",
        );
        same(
            times.meta_by_cumul_s.unwrap(),
            &expected["time_by_cumul_meta_only"],
            "meta by_cumul",
        );
        same(times.by_open_s, &expected["time_by_open"], "by_open");
        same(
            times.by_open_lastio_s,
            &expected["time_by_open_lastio"],
            "by_open_lastio",
        );
        let span = derived::phi(&log, module)
            .unwrap()
            .phi_s_span_s
            .unwrap_or(0.0);
        same(span, &expected["span"], "span");
    }
}

#[test]
fn the_total_of_one_record_is_that_record() {
    for (log, module, about) in single_records("the_total_of_one_record_is_that_record") {
        let total = derived::total(&log, module).unwrap();
        let table = log.counters(module).unwrap();
        assert_eq!(
            (total.id, total.rank),
            (Some(table.ids[0]), Some(table.ranks[0]))
        );
        for (name, value) in about["first_record"]["counters"].as_object().unwrap() {
            // A record of one rank has no fastest rank; its total has that rank.
            if table.ranks[0] < 0 || !name.contains("EST_RANK") {
                assert_eq!(total.int(name), value.as_i64(), "{name}");
            }
        }
        for (name, value) in about["first_record"]["fcounters"].as_object().unwrap() {
            let (value, rank) = (value.as_f64().unwrap(), table.ranks[0]);
            let expected = match name {
                name if name.contains("_VARIANCE_") => 0.0,
                name if name.contains("EST_RANK") && rank >= 0 => continue,
                name if name.ends_with("_TIMESTAMP") => value.max(0.0),
                _ => value,
            };
            assert_eq!(total.float(name), Some(expected), "{name}");
        }
    }
}
