//! Parquet output.

use super::about::About;
use super::table::{Columns, Names, Rows, Table};
use crate::envelope::json;
use crate::row_groups::{Column, RowGroups};
use iotempo_model::{Api, FileId, Op, Request, RequestSink};
use parquet::basic::{ConvertedType, LogicalType, Repetition, Type as Physical};
use parquet::data_type::{ByteArray, ByteArrayType, DoubleType, Int32Type};
use parquet::errors::ParquetError;
use parquet::file::writer::SerializedColumnWriter;
use parquet::schema::types::Type;
use std::io::{self, Write};
use std::sync::Arc;

/// A table that is being written.
pub(super) struct Parquet<W: Write + Send> {
    rows: RowGroups<W, Values>,
    has_input: bool,
    /// The name of the input, where that is a column.
    input: Option<ByteArray>,
    files: Names<Option<ByteArray>>,
    ops: [ByteArray; 2],
    apis: [ByteArray; Api::ALL.len()],
}

/// Values of a column.
enum Values {
    /// `None` is null.
    Text(Vec<Option<ByteArray>>),
    Integer(Vec<i32>),
    Number(Vec<f64>),
}

impl<W: Write + Send> Parquet<W> {
    pub(super) fn new(out: W, columns: Columns) -> io::Result<Self> {
        let values = columns.names().map(Values::named).collect();
        Ok(Self {
            rows: RowGroups::new(out, schema(columns), values)?,
            has_input: columns.input,
            input: None,
            files: Names::default(),
            ops: Op::ALL.map(|op| ByteArray::from(op.name())),
            apis: Api::ALL.map(|api| ByteArray::from(api.name())),
        })
    }

    fn row(&mut self, values: impl IntoIterator<Item = Value>) -> io::Result<()> {
        let input = self.input.clone().map(|name| Value::Text(Some(name)));
        self.rows.row(input.into_iter().chain(values))
    }
}

/// One value of a row.
enum Value {
    Text(Option<ByteArray>),
    Integer(i32),
    Number(f64),
}

impl Values {
    fn named(name: &str) -> Self {
        match name {
            "input" | "op" | "api" | "file" => Self::Text(Vec::new()),
            "rank" => Self::Integer(Vec::new()),
            _ => Self::Number(Vec::new()),
        }
    }
}

impl Column for Values {
    type Value = Value;

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
        let field = match Values::named(name) {
            Values::Text(_) => Type::primitive_type_builder(name, Physical::BYTE_ARRAY)
                .with_logical_type(Some(LogicalType::String))
                .with_converted_type(ConvertedType::UTF8)
                .with_repetition(Repetition::OPTIONAL),
            Values::Integer(_) => Type::primitive_type_builder(name, Physical::INT32)
                .with_repetition(Repetition::REQUIRED),
            Values::Number(_) => Type::primitive_type_builder(name, Physical::DOUBLE)
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

    fn finish(self: Box<Self>, about: &[About]) -> io::Result<()> {
        self.rows.finish([("iotempo.inputs", json(&about)?)])
    }
}
