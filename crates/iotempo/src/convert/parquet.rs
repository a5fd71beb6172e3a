//! Parquet output.

use super::about::About;
use super::table::{Columns, Names, Rows, Table};
use crate::envelope::{TOOL, json};
use iotempo_model::{Api, FileId, Op, Request, RequestSink};
use parquet::basic::{Compression, ConvertedType, LogicalType, Repetition, Type as Physical};
use parquet::data_type::{ByteArray, ByteArrayType, DoubleType, Int32Type};
use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedColumnWriter, SerializedFileWriter};
use parquet::schema::types::Type;
use std::io::{self, Write};
use std::sync::Arc;

/// Rows of a row group: what is held in memory, about 100 bytes each.
const ROW_GROUP: usize = 64 << 10;

/// A table in row groups of [`ROW_GROUP`] rows.
pub(super) struct Parquet<W: Write + Send> {
    writer: SerializedFileWriter<W>,
    columns: Vec<Column>,
    rows: usize,
    has_input: bool,
    /// The name of the input, where that is a column.
    input: Option<ByteArray>,
    files: Names<Option<ByteArray>>,
    ops: [ByteArray; 2],
    apis: [ByteArray; Api::ALL.len()],
}

/// Values of a column, until their row group is written.
enum Column {
    /// `None` is null.
    Text(Vec<Option<ByteArray>>),
    Integer(Vec<i32>),
    Number(Vec<f64>),
}

impl<W: Write + Send> Parquet<W> {
    pub(super) fn new(out: W, columns: Columns) -> io::Result<Self> {
        let schema = Arc::new(schema(columns).map_err(io_error)?);
        let properties = WriterProperties::builder()
            .set_compression(Compression::SNAPPY)
            .set_created_by(format!("iotempo {}", env!("CARGO_PKG_VERSION")))
            .build();
        let writer = SerializedFileWriter::new(out, schema, Arc::new(properties));
        Ok(Self {
            writer: writer.map_err(io_error)?,
            columns: columns.names().map(Column::named).collect(),
            rows: 0,
            has_input: columns.input,
            input: None,
            files: Names::default(),
            ops: Op::ALL.map(|op| ByteArray::from(op.name())),
            apis: Api::ALL.map(|api| ByteArray::from(api.name())),
        })
    }

    fn row(&mut self, values: impl IntoIterator<Item = Value>) -> io::Result<()> {
        let input = self.input.clone().map(|name| Value::Text(Some(name)));
        for (column, value) in self.columns.iter_mut().zip(input.into_iter().chain(values)) {
            column.push(value);
        }
        self.rows += 1;
        if self.rows == ROW_GROUP {
            self.write_rows().map_err(io_error)?;
        }
        Ok(())
    }

    fn write_rows(&mut self) -> Result<(), ParquetError> {
        if self.rows == 0 {
            return Ok(());
        }
        let mut group = self.writer.next_row_group()?;
        for column in &mut self.columns {
            if let Some(mut writer) = group.next_column()? {
                column.write(&mut writer)?;
                writer.close()?;
            }
        }
        group.close()?;
        self.rows = 0;
        Ok(())
    }
}

/// One value of a row.
enum Value {
    Text(Option<ByteArray>),
    Integer(i32),
    Number(f64),
}

impl Column {
    fn named(name: &str) -> Self {
        match name {
            "input" | "op" | "api" | "file" => Self::Text(Vec::new()),
            "rank" => Self::Integer(Vec::new()),
            _ => Self::Number(Vec::new()),
        }
    }

    fn push(&mut self, value: Value) {
        match (self, value) {
            (Self::Text(texts), Value::Text(text)) => texts.push(text),
            (Self::Integer(integers), Value::Integer(integer)) => integers.push(integer),
            (Self::Number(numbers), Value::Number(number)) => numbers.push(number),
            _ => debug_assert!(false, "a value of another column"),
        }
    }

    fn write(&mut self, writer: &mut SerializedColumnWriter<'_>) -> Result<(), ParquetError> {
        match self {
            Self::Text(texts) => {
                let levels: Vec<i16> = texts.iter().map(|text| i16::from(text.is_some())).collect();
                let values: Vec<ByteArray> = texts.drain(..).flatten().collect();
                let writer = writer.typed::<ByteArrayType>();
                writer.write_batch(&values, Some(&levels), None)?;
            }
            Self::Integer(integers) => {
                writer
                    .typed::<Int32Type>()
                    .write_batch(integers, None, None)?;
                integers.clear();
            }
            Self::Number(numbers) => {
                writer
                    .typed::<DoubleType>()
                    .write_batch(numbers, None, None)?;
                numbers.clear();
            }
        }
        Ok(())
    }
}

/// Text may be null, numbers never are.
fn schema(columns: Columns) -> Result<Type, ParquetError> {
    let fields = columns.names().map(|name| {
        let field = match Column::named(name) {
            Column::Text(_) => Type::primitive_type_builder(name, Physical::BYTE_ARRAY)
                .with_logical_type(Some(LogicalType::String))
                .with_converted_type(ConvertedType::UTF8)
                .with_repetition(Repetition::OPTIONAL),
            Column::Integer(_) => Type::primitive_type_builder(name, Physical::INT32)
                .with_repetition(Repetition::REQUIRED),
            Column::Number(_) => Type::primitive_type_builder(name, Physical::DOUBLE)
                .with_repetition(Repetition::REQUIRED),
        };
        field.build().map(Arc::new)
    });
    let name = match columns.rows {
        Rows::Requests => "requests",
        Rows::Signal => "signal",
    };
    Type::group_type_builder(name)
        .with_fields(fields.collect::<Result<_, _>>()?)
        .build()
}

impl<W: Write + Send> RequestSink for Parquet<W> {
    fn file(&mut self, name: &str) -> FileId {
        let write = |name: &str| (!name.is_empty()).then(|| ByteArray::from(name));
        self.files.intern(name, write)
    }

    fn push(&mut self, request: Request) -> io::Result<()> {
        let file = self.files.get(request.file).cloned().flatten();
        let values = [
            Value::Integer(request.rank.0),
            Value::Text(Some(self.ops[request.op as usize].clone())),
            Value::Text(Some(self.apis[request.api as usize].clone())),
            Value::Text(file),
            Value::Number(request.when.start().get()),
            Value::Number(request.when.end().get()),
            Value::Number(request.bytes.get()),
        ];
        self.row(values)
    }
}

impl<W: Write + Send> Table for Parquet<W> {
    fn begin(&mut self, input: &str) -> io::Result<()> {
        self.files = Names::default();
        self.input = self.has_input.then(|| ByteArray::from(input));
        Ok(())
    }

    fn sample(&mut self, time_s: f64, read: f64, write: f64) -> io::Result<()> {
        self.row([time_s, read, write].map(Value::Number))
    }

    fn finish(mut self: Box<Self>, about: &[About]) -> io::Result<()> {
        self.write_rows().map_err(io_error)?;
        for (key, value) in [
            ("iotempo.tool", json(&TOOL)?),
            ("iotempo.inputs", json(&about)?),
        ] {
            let entry = KeyValue::new(key.to_owned(), value);
            self.writer.append_key_value_metadata(entry);
        }
        self.writer.finish().map_err(io_error)?;
        self.writer.inner_mut().flush()
    }
}

/// The error of the output below, where it is one.
pub(crate) fn io_error(error: ParquetError) -> io::Error {
    match error {
        ParquetError::External(source) => match source.downcast::<io::Error>() {
            Ok(error) => *error,
            Err(source) => io::Error::other(source),
        },
        error => io::Error::other(error),
    }
}
