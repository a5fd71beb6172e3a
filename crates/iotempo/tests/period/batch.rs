//! Many inputs.

use super::{place, samples};
use crate::common::{Place, tar};
use std::path::Path;

/// The columns of CSV and Parquet, as the page on the verb lists them.
fn documented() -> Vec<String> {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/period.md");
    let page = std::fs::read_to_string(page).unwrap();
    let table = page.split("| column |").nth(1).expect("a table of columns");
    let rows = table
        .lines()
        .skip(2)
        .take_while(|line| line.starts_with('|'));
    let names = rows.flat_map(|row| {
        let cell = row.split('|').nth(1).unwrap().to_owned();
        let names: Vec<_> = cell
            .split('`')
            .skip(1)
            .step_by(2)
            .map(str::to_owned)
            .collect();
        names
    });
    names.collect()
}

#[test]
fn many_inputs_are_a_line_each_and_a_total() {
    let place = place();
    let ran = place.run(&["period", "."]).ok();
    let lines = ran.lines();
    assert_eq!(lines.len(), 5, "{ran:?}");
    let words = |line: &str| {
        line.split_whitespace()
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    let heading = [
        "PERIOD", "SURE", "PHASES", "MOVED", "VERDICT", "WARN", "INPUT",
    ];
    assert_eq!(words(lines[0]), heading);
    assert!(lines[1].trim_start().starts_with("- "), "{ran:?}");
    assert!(
        lines[2].contains("20.0") && lines[2].contains(" periodic "),
        "{ran:?}"
    );
    assert!(
        lines[3].contains("15.0") && lines[3].ends_with("samples.csv"),
        "{ran:?}"
    );
    assert_eq!(
        lines[4],
        "3 inputs, 2 periodic, 608.5 MiB moved, 0 warnings"
    );
}

#[test]
fn a_bad_input_is_told_and_the_others_go_on() {
    let place = place();
    place.write("bad.csv", "start,end,bytes\n0,x,1\n1,y,2\n");
    place.write("empty.json", "");
    let ran = place
        .run(&["period", "bad.csv", "empty.json", "missing", "job.csv"])
        .code(1);
    assert!(ran.out.contains("job.csv"), "{ran:?}");
    for said in [
        "bad.csv: column end, line 2: not a time",
        "missing: No such file",
    ] {
        assert!(ran.err.contains(said), "{said}: {ran:?}");
    }
    assert!(
        ran.err.contains("3 of 4 inputs could not be read"),
        "{ran:?}"
    );
    let ran = place
        .run(&["period", "bad.csv", "job.csv", "--json"])
        .code(1);
    let json = ran.json();
    assert_eq!(json["results"].as_array().unwrap().len(), 1);
    assert_eq!(json["errors"][0]["input"], "bad.csv");
    let ran = place
        .run(&["period", "bad.csv", "job.csv", "--csv"])
        .code(1);
    assert_eq!(ran.lines().len(), 2, "{ran:?}");
}

#[test]
fn csv_has_a_row_per_input_and_the_columns_of_the_page() {
    let place = place();
    let ran = place.run(&["period", ".", "--csv"]).ok();
    let rows: Vec<Vec<_>> = ran
        .lines()
        .iter()
        .map(|line| line.split(',').collect())
        .collect();
    assert_eq!(rows.len(), 4, "{ran:?}");
    assert_eq!(rows[0], documented());
    assert!(rows.iter().all(|row| row.len() == rows[0].len()), "{ran:?}");
    let column = |name: &str| rows[0].iter().position(|column| *column == name).unwrap();
    let cell = |row: usize, name: &str| rows[row][column(name)];
    assert_eq!(cell(1, "input"), "./irregular.csv");
    assert_eq!((cell(1, "periodic"), cell(1, "period_s")), ("false", ""));
    assert_eq!((cell(2, "periodic"), cell(2, "phases")), ("true", "12"));
    let period: f64 = cell(3, "period_s").parse().unwrap();
    assert!((period - 15.0).abs() < 0.1, "{ran:?}");
    assert_eq!((cell(3, "n_samples"), cell(3, "step_s")), ("600", "1"));
    assert_eq!(cell(3, "dominant_frequency_hz"), "");
    let ran = place
        .run(&["period", "job.csv", "--csv", "--method", "ftio"])
        .ok();
    let row: Vec<_> = ran.lines()[1].split(',').collect();
    let frequency: f64 = row[column("dominant_frequency_hz")].parse().unwrap();
    assert!((frequency - 0.05).abs() < 0.01, "{ran:?}");
    // A table without rows is a table, too.
    place.write("none/notes.txt", "dear diary\n");
    let ran = place.run(&["period", "none", "--csv"]).code(1);
    assert_eq!(ran.lines().len(), 1, "{ran:?}");
    place.run(&["period", "job.csv", "--csv", "--json"]).code(2);
}

#[test]
fn names_with_commas_stay_one_field() {
    let place = Place::new();
    place.write("a,\"b\".csv", samples(100));
    let ran = place.run(&["period", "a,\"b\".csv", "--csv"]).ok();
    assert!(
        ran.lines()[1].starts_with("\"a,\"\"b\"\".csv\",table of samples,"),
        "{ran:?}"
    );
}

#[test]
fn members_of_archives_are_inputs_of_their_own() {
    let place = Place::new();
    let bytes = samples(300);
    let files: [(&str, &[u8]); 2] = [("a.csv", bytes.as_bytes()), ("b.csv", bytes.as_bytes())];
    place.write("jobs.tar", tar(&files));
    let ran = place.run(&["period", "jobs.tar"]).ok();
    assert!(
        ran.out.contains("jobs.tar:a.csv") && ran.out.contains("jobs.tar:b.csv"),
        "{ran:?}"
    );
    // Nobody can see that it is an archive before it is opened.
    let ran = place
        .run(&["period", "jobs.tar", "-o", "jobs.html"])
        .code(2);
    assert!(ran.err.contains("about one input"), "{ran:?}");
    assert!(!place.path("jobs.html").exists());
}

#[test]
fn standard_input_is_an_input() {
    let ran = Place::new()
        .run_with(&["period", "-", "--json"], samples(300))
        .ok();
    let found = super::result(&ran);
    assert_eq!(
        (&found["input"], &found["periodic"]),
        (&"-".into(), &true.into())
    );
}

#[cfg(feature = "tables")]
#[test]
fn parquet_has_the_rows_of_csv() {
    use parquet::file::reader::{FileReader, SerializedFileReader};
    let place = place();
    place.write("bad.csv", "start,end,bytes\n0,x,1\n1,y,2\n");
    let arguments = [
        "period",
        ".",
        "bad.csv",
        "--csv",
        "--parquet",
        "out.parquet",
    ];
    let ran = place.run(&arguments).code(1);
    let file = std::fs::File::open(place.path("out.parquet")).unwrap();
    let reader = SerializedFileReader::new(file).unwrap();
    let metadata = reader.metadata().file_metadata();
    let names: Vec<_> = metadata
        .schema()
        .get_fields()
        .iter()
        .map(|f| f.name())
        .collect();
    assert_eq!(names, documented());
    let csv: Vec<Vec<_>> = ran.lines()[1..]
        .iter()
        .map(|line| line.split(',').collect())
        .collect();
    let rows: Vec<_> = reader
        .get_row_iter(None)
        .unwrap()
        .map(|row| row.unwrap())
        .collect();
    assert_eq!(rows.len(), csv.len());
    for (row, line) in rows.iter().zip(&csv) {
        for ((name, value), text) in row.get_column_iter().zip(line) {
            let value = value.to_string().trim_matches('"').to_owned();
            let number = value.parse::<f64>().ok().zip(text.parse::<f64>().ok());
            let same = number.map_or(
                value == *text || value == "null" && text.is_empty(),
                |(a, b)| (a - b).abs() <= 1e-9 * b.abs(),
            );
            assert!(same, "{name}: {value} and {text}");
        }
    }
    let entries = metadata.key_value_metadata().unwrap();
    let entry = |key: &str| {
        let found = entries.iter().find(|entry| entry.key == key);
        found.unwrap().value.clone().unwrap()
    };
    assert!(entry("iotempo.errors").contains("bad.csv"));
    assert!(entry("iotempo.settings").contains("\"method\":\"iotempo\""));
    // An output is no input the next time, and never one that is named.
    place.run(&arguments).code(1);
    let ran = place
        .run(&["period", "job.csv", "--parquet", "job.csv"])
        .code(2);
    assert!(ran.err.contains("the output is an input"), "{ran:?}");
}
