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

/// Writes a store of benchmarks: the table of a CSV file, numbers as numbers; then one of other columns.
const STORE: &str = "
import sys
import pyarrow as pa, pyarrow.csv as csv, pyarrow.parquet as pq
table = csv.read_csv(sys.argv[1])
pq.write_table(table, sys.argv[2])
lists = pa.array([[1, 2]] * table.num_rows)
dictionary = table['op'].dictionary_encode()
wide = table.set_column(table.column_names.index('op'), 'op', dictionary).append_column('lists', lists)
pq.write_table(wide, sys.argv[3], compression='none', row_group_size=7)
pq.write_table(table.drop_columns(['bandwidth_mib_per_s']), sys.argv[4])
pq.write_table(table, sys.argv[5], compression='zstd')
";

/// A table of many rows with one long word, and one whose long word is in a column that is not read.
const CONSTANT: &str = "
import sys
import pyarrow as pa, pyarrow.csv as csv, pyarrow.parquet as pq
table = csv.read_csv(sys.argv[1])
one = pa.array([0] * 300000, pa.int32())
long = pa.DictionaryArray.from_arrays(one, pa.array(['x' * 2000]))
many = {name: (long if name == 'op' else one) for name in table.column_names}
pq.write_table(pa.table(many), sys.argv[2])
notes = pa.DictionaryArray.from_arrays(pa.array([0] * table.num_rows, pa.int32()), pa.array(['x' * 3000000]))
pq.write_table(table.append_column('notes', notes), sys.argv[3])
";

#[test]
fn benchmarks_that_pyarrow_wrote_are_those_of_the_text() {
    let Some(python) = python("benchmarks_that_pyarrow_wrote_are_those_of_the_text") else {
        return;
    };
    let place = Place::new();
    let text = workspace().join("testdata/benchmarks.csv");
    let without_comments: String = std::fs::read_to_string(text)
        .expect("it ships")
        .lines()
        .filter(|line| !line.starts_with('#'))
        .map(|line| format!("{line}\n"))
        .collect();
    place.write("store.csv", without_comments);
    let names = [
        "store.csv",
        "a.parquet",
        "b.parquet",
        "c.parquet",
        "d.parquet",
    ];
    let written = Command::new(&python)
        .args(["-c", STORE])
        .args(names.map(|name| place.path(name)))
        .output()
        .expect("it ran before");
    assert!(
        written.status.success(),
        "{}",
        String::from_utf8_lossy(&written.stderr)
    );
    let log = workspace().join("testdata/checkpoint-counters.darshan");
    let log = log.display().to_string();
    let estimated = |store: &str| {
        let words = [
            "estimate",
            &log,
            "--nodes",
            "8",
            "--json",
            "--benchmarks",
            store,
        ];
        place.run(&words)
    };
    let expected = estimated("store.csv").ok().json();
    for store in ["a.parquet", "b.parquet"] {
        let json = estimated(store).ok().json();
        assert_eq!(json["results"], expected["results"], "{store}");
        let source = &json["settings"]["benchmarks"][0];
        assert_eq!(source["format"], "table of benchmarks, parquet");
        assert_eq!(source["repetitions"], 55);
    }
    for (store, told) in [("c.parquet", "c.parquet"), ("d.parquet", "zstd")] {
        let ran = estimated(store).code(1);
        assert!(ran.err.contains(told), "{ran:?}");
    }
    // A word that is stored once and stands in every row; and one that nobody reads.
    let written = Command::new(&python)
        .args(["-c", CONSTANT])
        .args(["store.csv", "large.parquet", "notes.parquet"].map(|name| place.path(name)))
        .output()
        .expect("it ran before");
    assert!(written.status.success(), "{written:?}");
    let ran = estimated("large.parquet").code(1);
    assert!(
        ran.err
            .contains("column op: as text the table has more than"),
        "{ran:?}"
    );
    let json = estimated("notes.parquet").ok().json();
    assert_eq!(json["results"], expected["results"]);
    // What is left of a table, and what is no longer one.
    let whole = std::fs::read(place.path("a.parquet")).expect("it was written");
    for length in [4, 100, whole.len() / 2, whole.len() - 1] {
        place.write("cut.parquet", &whole[..length]);
        let ran = estimated("cut.parquet").code(1);
        assert!(ran.err.contains("cut.parquet"), "{ran:?}");
    }
    let mut state = 9366_u64;
    // One bit at a time: nothing in the file is believed that could end the program.
    for _ in 0..200 {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        let mut bytes = whole.clone();
        let at = 4 + (state >> 33) as usize % (whole.len() - 8);
        bytes[at] ^= 1 << (state >> 60 & 7);
        place.write("odd.parquet", bytes);
        let ran = estimated("odd.parquet");
        assert!(matches!(ran.code, Some(0 | 1)), "byte {at}: {ran:?}");
        assert!(!ran.err.contains("panicked"), "byte {at}: {ran:?}");
    }
}
