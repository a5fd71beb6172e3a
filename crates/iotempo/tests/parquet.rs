//! Parquet output, read back; and stores of benchmarks that are not what they say.
#![cfg(feature = "tables")]
#![allow(clippy::unwrap_used)]

mod common;
use common::{Place, REQUESTS};
use parquet::basic::{Compression, Encoding};
use parquet::data_type::Int32Type;
use parquet::file::metadata::ParquetMetaDataWriter;
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::file::writer::SerializedFileWriter;
use parquet::record::Field;
use parquet::schema::parser::parse_message_type;
use serde_json::Value;
use std::fs::File;
use std::sync::Arc;

fn open(place: &Place, name: &str) -> SerializedFileReader<File> {
    SerializedFileReader::new(File::open(place.path(name)).unwrap()).unwrap()
}

fn rows(reader: &SerializedFileReader<File>) -> Vec<Vec<(String, Field)>> {
    let rows = reader.get_row_iter(None).unwrap();
    rows.map(|row| row.unwrap().into_columns()).collect()
}

fn metadata(reader: &SerializedFileReader<File>, key: &str) -> Value {
    let file = reader.metadata().file_metadata();
    let entries = file.key_value_metadata().unwrap();
    let entry = entries.iter().find(|entry| entry.key == key).unwrap();
    serde_json::from_str(entry.value.as_ref().unwrap()).unwrap()
}

#[test]
fn requests_are_typed_columns() {
    let place = Place::with_requests();
    place
        .run(&["convert", "requests.csv", "-o", "out.parquet"])
        .ok();
    let reader = open(&place, "out.parquet");
    let rows = rows(&reader);
    assert_eq!(rows.len(), 3);
    let text = |text: &str| Field::Str(text.to_owned());
    let expected = [
        ("rank", Field::Int(1)),
        ("op", text("write")),
        ("api", text("posix")),
        ("file", text("/b")),
        ("start_s", Field::Double(1.0)),
        ("end_s", Field::Double(2.5)),
        ("bytes", Field::Double(400.0)),
    ];
    assert_eq!(
        rows[1],
        expected.map(|(name, value)| (name.to_owned(), value))
    );
}

#[test]
fn a_file_without_a_name_is_null() {
    let place = Place::new();
    place.write("samples.csv", "time,write\n0,1\n1,1\n");
    place.run(&["convert", "samples.csv", "-o", "out.pq"]).ok();
    let rows = rows(&open(&place, "out.pq"));
    assert_eq!(rows[0][3], ("file".to_owned(), Field::Null));
}

#[test]
fn a_table_tells_where_it_came_from() {
    let place = Place::with_requests();
    place.write("samples.csv", "time,bandwidth\n0,1\n1,1\n");
    place
        .run(&[
            "convert",
            "requests.csv",
            "samples.csv",
            "-o",
            "out.parquet",
        ])
        .ok();
    let reader = open(&place, "out.parquet");
    assert_eq!(
        metadata(&reader, "iotempo.tool")["version"],
        env!("CARGO_PKG_VERSION")
    );
    let inputs = metadata(&reader, "iotempo.inputs");
    assert_eq!(inputs[0]["input"], "requests.csv");
    assert_eq!(inputs[0]["sha256"].as_str().unwrap().len(), 64);
    assert_eq!(inputs[1]["source"], "samples");
    assert_eq!(inputs[1]["resolution_s"], 1);
    assert_eq!(inputs[1]["warnings"][0]["code"], "direction-unknown");
    assert!(inputs[1]["job"]["exe"].is_null());
    let rows = rows(&reader);
    let input = |row: usize| rows[row][0].clone();
    assert_eq!(
        input(2),
        ("input".to_owned(), Field::Str("requests.csv".to_owned()))
    );
    assert_eq!(
        input(3),
        ("input".to_owned(), Field::Str("samples.csv".to_owned()))
    );
}

#[test]
fn many_rows_come_in_row_groups_small_and_compressed() {
    let place = Place::new();
    let rows: String = (0..150_000)
        .map(|i| format!("{},w,{i},{}.5,{}\n", i % 7, i, i * 3))
        .collect();
    place.write("big.csv", format!("rank,op,start,end,bytes\n{rows}"));
    place.run(&["convert", "big.csv", "-o", "out.parquet"]).ok();
    let reader = open(&place, "out.parquet");
    let about = reader.metadata();
    let sizes: Vec<_> = about
        .row_groups()
        .iter()
        .map(|group| group.num_rows())
        .collect();
    assert_eq!(sizes, [65_536, 65_536, 18_928]);
    let op = about.row_group(0).column(1);
    assert_eq!(op.compression(), Compression::SNAPPY);
    assert!(
        op.encodings()
            .any(|encoding| encoding == Encoding::RLE_DICTIONARY)
    );
    let mut bytes = 0.0;
    for row in reader.get_row_iter(None).unwrap() {
        let columns = row.unwrap().into_columns();
        let Field::Double(value) = columns[6].1 else {
            panic!("{columns:?}");
        };
        bytes += value;
    }
    assert_eq!(bytes, 3.0 * (150_000.0 * 149_999.0 / 2.0));
}

#[test]
fn a_signal_is_a_table_of_numbers() {
    let place = Place::with_requests();
    place
        .run(&[
            "convert",
            "requests.csv",
            "--signal",
            "--rate",
            "1",
            "-o",
            "out.parquet",
        ])
        .ok();
    let rows = rows(&open(&place, "out.parquet"));
    let expected = [
        ("time_s", 3.0),
        ("read_bytes_per_s", 50.0),
        ("write_bytes_per_s", 0.0),
    ];
    let expected = expected.map(|(name, value)| (name.to_owned(), Field::Double(value)));
    assert_eq!(rows[3], expected);
}

#[test]
fn an_empty_trace_is_an_empty_table() {
    let place = Place::new();
    place.write("empty.csv", "start,end,bytes,op\n");
    place
        .run(&["convert", "empty.csv", "-o", "out.parquet"])
        .ok();
    let reader = open(&place, "out.parquet");
    assert_eq!(rows(&reader).len(), 0);
    assert_eq!(
        reader
            .metadata()
            .file_metadata()
            .schema_descr()
            .num_columns(),
        7
    );
}

#[test]
fn a_pipe_takes_parquet_too() {
    let place = Place::new();
    let ran = place
        .run_with(&["convert", "-", "--to", "parquet"], REQUESTS)
        .ok();
    place.write("out.parquet", &ran.bytes);
    assert_eq!(rows(&open(&place, "out.parquet")).len(), 3);
}

/// A store with these columns of numbers; `None` is a value that is missing.
fn store(columns: &[&str], rows: usize, value: Option<i32>) -> Vec<u8> {
    let fields = columns.iter().map(|name| format!("optional int32 {name};"));
    let schema = format!("message store {{ {} }}", fields.collect::<String>());
    let schema = Arc::new(parse_message_type(&schema).unwrap());
    let mut bytes = Vec::new();
    let mut writer = SerializedFileWriter::new(&mut bytes, schema, Arc::default()).unwrap();
    let mut group = writer.next_row_group().unwrap();
    let values: Vec<i32> = (0..rows).filter_map(|_| value).collect();
    let there = vec![i16::from(value.is_some()); rows];
    while let Some(mut column) = group.next_column().unwrap() {
        column
            .typed::<Int32Type>()
            .write_batch(&values, Some(&there), None)
            .unwrap();
        column.close().unwrap();
    }
    group.close().unwrap();
    writer.close().unwrap();
    bytes
}

fn refused(place: &Place, store: &str) -> String {
    let words = ["estimate", "--evaluate", "--benchmarks", store];
    place.run(&words).code(1).err
}

#[test]
fn a_store_with_more_values_than_rows_is_damaged() {
    let place = Place::new();
    let whole = store(&["nodes", "processes"], 5000, Some(7));
    place.write("whole.parquet", &whole);
    let metadata = open(&place, "whole.parquet").metadata().clone();
    let group = metadata.row_group(0).clone().into_builder();
    let group = group.set_num_rows(3).build().unwrap();
    let metadata = metadata.into_builder().set_row_groups(vec![group]).build();
    // Behind the old end of the file, which nobody reads then.
    let mut bytes = whole;
    ParquetMetaDataWriter::new(&mut bytes, &metadata)
        .finish()
        .unwrap();
    place.write("odd.parquet", &bytes);
    let said = refused(&place, "odd.parquet");
    assert!(
        said.contains(
            "column nodes: damaged: it has more values than the table has rows there (3)"
        ),
        "{said}"
    );
}

#[test]
fn values_that_are_missing_take_memory_too() {
    let place = Place::new();
    let columns = ["nodes", "processes", "io_nodes"];
    place.write("none.parquet", store(&columns, 1_500_000, None));
    let said = refused(&place, "none.parquet");
    assert!(said.contains("as text the table has more than"), "{said}");
}
