//! Tables of benchmarks as Parquet: the columns are those of the text.

use super::guarded::guarded;
use anyhow::{Context, bail, ensure};
use iotempo_formats::benchmarks::is_benchmark_column;
use parquet::basic::{ConvertedType, Type as Physical};
use parquet::column::reader::{ColumnReader, ColumnReaderImpl};
use parquet::data_type::{ByteArray, DataType};
use parquet::file::reader::{FileReader, RowGroupReader, SerializedFileReader};
use parquet::schema::types::ColumnDescriptor;
use std::fs::File;
use std::iter;

/// Bytes that the columns of a table may have: a store of benchmarks is small.
const MOST_BYTES: i64 = 1 << 28;
/// Bytes that a table may take as text: a word that is stored once can stand in every row.
const MOST_TEXT: usize = 1 << 26;
/// Bytes that a text takes beside its own, also an empty one.
const HOLDER: usize = size_of::<String>();
/// Rows of all its groups.
const MOST_ROWS: i64 = 2_000_000;
/// Values that are read at a time.
const BATCH: usize = 1024;
/// Between two values: no name and no number holds it.
const TAB: &str = "\t";

/// The table as text, a line per row, so that whoever reads tables reads this one.
///
/// The reader of Parquet asserts some of what a damaged file may break. That is an error here, and no panic.
pub(super) fn as_text(file: File) -> anyhow::Result<String> {
    guarded(|| read(file))
        .unwrap_or_else(|said| bail!("damaged: not a table of Parquet that can be read ({said})"))
}

fn read(file: File) -> anyhow::Result<String> {
    let reader = SerializedFileReader::new(file)?;
    let metadata = reader.metadata();
    let rows = metadata.row_groups().iter().map(|group| group.num_rows());
    let rows = rows.fold(0, |sum: i64, rows| sum.saturating_add(rows.max(0)));
    ensure!(
        rows <= MOST_ROWS,
        "a table of {rows} rows is no store of benchmarks: {MOST_ROWS} at most"
    );
    let sizes = metadata.row_groups().iter().flat_map(|group| {
        let columns = group.columns().iter();
        let columns = columns.filter(|column| is_benchmark_column(column.column_descr().name()));
        columns.map(|column| column.uncompressed_size().max(0))
    });
    let bytes = sizes.fold(0, i64::saturating_add);
    ensure!(
        bytes <= MOST_BYTES,
        "a table of {bytes} bytes is no store of benchmarks: {MOST_BYTES} at most"
    );
    let leaves = metadata.file_metadata().schema_descr().columns().iter();
    let columns: Vec<(usize, &ColumnDescriptor)> = leaves
        .map(AsRef::as_ref)
        .enumerate()
        .filter(|(_, column)| is_benchmark_column(column.name()) && is_plain(column))
        .collect();
    ensure!(
        !columns.is_empty(),
        "a table without a column of benchmarks: docs/estimate.md lists them"
    );
    let names: Vec<String> = columns.iter().map(|(_, c)| one_line(c.name())).collect();
    let mut lines = vec![names.join(TAB)];
    let mut budget = Budget(MOST_TEXT);
    for group in 0..reader.num_row_groups() {
        let group = reader.get_row_group(group)?;
        let count = usize::try_from(group.metadata().num_rows()).unwrap_or(0);
        let mut rows: Vec<String> = Vec::new();
        for (place, &(leaf, column)) in columns.iter().enumerate() {
            let values = texts(&*group, leaf, column, count, &mut budget)
                .with_context(|| format!("column {}", column.name()))?;
            ensure!(
                values.len() == count,
                "column {}: {} values in {count} rows",
                column.name(),
                values.len()
            );
            if place == 0 {
                rows = values;
                continue;
            }
            for (row, value) in rows.iter_mut().zip(values) {
                row.push_str(TAB);
                row.push_str(&value);
            }
            budget.earn(HOLDER * count);
        }
        lines.append(&mut rows);
    }
    Ok(lines.join("\n"))
}

/// Bytes that are left.
struct Budget(usize);

impl Budget {
    fn spend(&mut self, bytes: usize) -> anyhow::Result<()> {
        let left = self.0.checked_sub(bytes);
        self.0 = left.with_context(|| {
            format!(
                "as text the table has more than {MOST_TEXT} bytes, and is no store of benchmarks"
            )
        })?;
        Ok(())
    }

    /// What was spent is not needed any more.
    fn earn(&mut self, bytes: usize) {
        self.0 += bytes;
    }
}

/// Whether it holds one word or number a row.
fn is_plain(column: &ColumnDescriptor) -> bool {
    let single = column.max_rep_level() == 0 && column.path().parts().len() == 1;
    let kind = matches!(
        column.physical_type(),
        Physical::INT32
            | Physical::INT64
            | Physical::FLOAT
            | Physical::DOUBLE
            | Physical::BYTE_ARRAY
    );
    // A decimal's digits are not its value.
    single && kind && column.converted_type() != ConvertedType::DECIMAL
}

/// The values of a column in so many rows as texts, empty where there is none.
fn texts(
    group: &dyn RowGroupReader,
    leaf: usize,
    column: &ColumnDescriptor,
    rows: usize,
    budget: &mut Budget,
) -> anyhow::Result<Vec<String>> {
    let unsigned = matches!(
        column.converted_type(),
        ConvertedType::UINT_8
            | ConvertedType::UINT_16
            | ConvertedType::UINT_32
            | ConvertedType::UINT_64
    );
    match group.get_column_reader(leaf)? {
        ColumnReader::Int32ColumnReader(reader) => {
            all(reader, column, rows, budget, |value: &i32| match unsigned {
                true => value.cast_unsigned().to_string(),
                false => value.to_string(),
            })
        }
        ColumnReader::Int64ColumnReader(reader) => {
            all(reader, column, rows, budget, |value: &i64| match unsigned {
                true => value.cast_unsigned().to_string(),
                false => value.to_string(),
            })
        }
        ColumnReader::FloatColumnReader(reader) => {
            all(reader, column, rows, budget, f32::to_string)
        }
        ColumnReader::DoubleColumnReader(reader) => {
            all(reader, column, rows, budget, f64::to_string)
        }
        ColumnReader::ByteArrayColumnReader(reader) => {
            all(reader, column, rows, budget, |value: &ByteArray| {
                one_line(&String::from_utf8_lossy(value.data()))
            })
        }
        _ => bail!("neither words nor numbers"),
    }
}

fn all<T: DataType>(
    mut reader: ColumnReaderImpl<T>,
    column: &ColumnDescriptor,
    most: usize,
    budget: &mut Budget,
    text: impl Fn(&T::T) -> String,
) -> anyhow::Result<Vec<String>> {
    let mut texts = Vec::new();
    loop {
        let (mut values, mut levels) = (Vec::with_capacity(BATCH), Vec::new());
        let (rows, ..) = reader.read_records(BATCH, Some(&mut levels), None, &mut values)?;
        if rows == 0 {
            return Ok(texts);
        }
        // Pages hold what they hold, whatever is said of them at the end of the file.
        ensure!(
            texts.len() + rows <= most,
            "damaged: it has more values than the table has rows there ({most})"
        );
        let mut values = values.iter();
        // Where no value can be missing, there are no levels.
        let there = levels.iter().map(|level| *level == column.max_def_level());
        let there = there.chain(iter::repeat(column.max_def_level() == 0));
        for there in there.take(rows) {
            let value = match there {
                true => Some(values.next().context("it ends too early")?),
                false => None,
            };
            let text = value.map(&text).unwrap_or_default();
            budget.spend(HOLDER + text.len() + TAB.len())?;
            texts.push(text);
        }
    }
}

/// A word that would be two values, or two rows, is neither.
fn one_line(word: &str) -> String {
    word.replace(['\t', '\n', '\r'], "\u{fffd}")
}
