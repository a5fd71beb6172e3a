//! The two questions that most people come with, each answered by one command.
#![cfg(feature = "tables")]
#![allow(clippy::print_stderr)]

mod common;

use common::Place;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;

fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The demo log, as an argument.
fn demo() -> String {
    let log = workspace().join("testdata/checkpoint.darshan");
    log.canonicalize().expect("it ships").display().to_string()
}

/// The Python with pyarrow; says so where there is none.
fn python(test: &str) -> Option<PathBuf> {
    let python = std::env::var_os("IOTEMPO_PYTHON")
        .map_or_else(|| workspace().join(".venv/bin/python"), Into::into);
    let works = Command::new(&python)
        .args(["-c", "import pyarrow.parquet"])
        .output();
    if works.is_ok_and(|output| output.status.success()) {
        return Some(python);
    }
    eprintln!("SKIPPED {test}: no Python with pyarrow (run scripts/setup.sh)");
    None
}

/// Rows, bytes by direction, types and the first start, as pyarrow sees them.
const LOOK: &str = "
import json, sys
import pyarrow.compute as pc, pyarrow.parquet as pq
table = pq.read_table(sys.argv[1])
bytes_of = lambda op: pc.sum(table.filter(pc.equal(table['op'], op))['bytes']).as_py()
print(json.dumps({
    'rows': table.num_rows,
    'read': bytes_of('read'), 'write': bytes_of('write'),
    'types': {field.name: str(field.type) for field in table.schema},
    'nulls': sum(column.null_count for column in table.columns),
    'first': pc.min(table['start_s']).as_py(), 'last': pc.max(table['end_s']).as_py(),
    'metadata': json.loads(table.schema.metadata[b'iotempo.inputs']),
}))
";

#[test]
fn what_is_in_this_log() {
    let place = Place::new();
    let page = place.run(&["inspect", &demo()]).ok();
    for fact in [
        "darshan 3.41",
        "heat3d",
        "DXT_POSIX",
        "HEATMAP",
        "dxt (used)",
        "80 GiB",
    ] {
        assert!(page.out.contains(fact), "{fact}: {}", page.out);
    }
    assert_eq!(page.err, "");
}

#[test]
fn pyarrow_reads_the_requests_that_inspect_counts() {
    let Some(python) = python("pyarrow_reads_the_requests_that_inspect_counts") else {
        return;
    };
    let place = Place::new();
    place
        .run(&["convert", &demo(), "-o", "requests.parquet"])
        .ok();
    let look = Command::new(python)
        .args(["-c", LOOK])
        .arg(place.path("requests.parquet"))
        .output()
        .expect("Python runs");
    assert!(
        look.status.success(),
        "{}",
        String::from_utf8_lossy(&look.stderr)
    );
    let seen: Value = serde_json::from_slice(&look.stdout).expect("JSON");
    let inspected = &place.run(&["inspect", &demo(), "--json"]).ok().json()["results"][0];
    assert_eq!(seen["rows"], inspected["requests"]);
    assert_eq!(seen["read"].as_f64(), inspected["bytes_read"].as_f64());
    assert_eq!(seen["write"].as_f64(), inspected["bytes_written"].as_f64());
    assert_eq!(seen["first"].as_f64(), inspected["start_s"].as_f64());
    assert_eq!(seen["last"].as_f64(), inspected["end_s"].as_f64());
    assert_eq!(seen["nulls"], 0);
    assert_eq!(seen["types"]["start_s"], "double");
    assert_eq!(seen["metadata"][0]["source"], "dxt");
}
