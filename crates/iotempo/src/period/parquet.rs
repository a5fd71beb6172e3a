//! A row per input as Parquet.

use super::fields::{Field, columns};
use crate::convert::{Target, parquet_error};
use crate::envelope::{TOOL, json};
use crate::failure::Failure;
use parquet::basic::{Compression, ConvertedType, LogicalType, Repetition, Type as Physical};
use parquet::data_type::{BoolType, ByteArray, ByteArrayType, DoubleType, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedColumnWriter, SerializedFileWriter};
use parquet::schema::types::Type;
use std::fs::File;
use std::io;
use std::path::Path;
use std::sync::Arc;

/// Rows of a row group: what is held in memory, about 300 bytes each.
const ROW_GROUP: usize = 64 << 10;

/// A table that is being written, and the file it will be.
pub(super) struct Parquet {
    writer: SerializedFileWriter<File>,
    target: Target,
    columns: Vec<Column>,
    rows: usize,
    /// All settings in force, as JSON.
    settings: String,
    errors: Vec<Failure>,
}

/// Values of a column, until their row group is written.
enum Column {
    Text(Vec<ByteArray>),
    Flag(Vec<bool>),
    Count(Vec<i64>),
    Number(Vec<Option<f64>>),
}

impl Parquet {
    pub(super) fn create(path: &Path, settings: String) -> io::Result<Self> {
        let (file, target) = Target::create(path)?;
        let properties = WriterProperties::builder()
            .set_compression(Compression::SNAPPY)
            .set_created_by(format!("iotempo {}", env!("CARGO_PKG_VERSION")))
            .build();
        let schema = schema().map_err(parquet_error)?;
        let writer = SerializedFileWriter::new(file, Arc::new(schema), Arc::new(properties));
        Ok(Self {
            writer: writer.map_err(parquet_error)?,
            target,
            columns: columns().iter().map(|(_, kind)| Column::of(kind)).collect(),
            rows: 0,
            settings,
            errors: Vec::new(),
        })
    }

    pub(super) fn row(&mut self, fields: Vec<Field>) -> io::Result<()> {
        for (column, field) in self.columns.iter_mut().zip(fields) {
            column.push(field);
        }
        self.rows += 1;
        if self.rows == ROW_GROUP {
            self.write_rows().map_err(parquet_error)?;
        }
        Ok(())
    }

    pub(super) fn error(&mut self, failure: &Failure) {
        self.errors.push(failure.clone());
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

    pub(super) fn finish(mut self) -> io::Result<()> {
        self.write_rows().map_err(parquet_error)?;
        for (key, value) in [
            ("iotempo.tool", json(&TOOL)?),
            ("iotempo.settings", self.settings),
            ("iotempo.errors", json(&self.errors)?),
        ] {
            let entry = KeyValue::new(key.to_owned(), value);
            self.writer.append_key_value_metadata(entry);
        }
        self.writer.finish().map_err(parquet_error)?;
        self.target.commit()
    }
}

impl Column {
    fn of(kind: &Field) -> Self {
        match kind {
            Field::Text(_) => Self::Text(Vec::new()),
            Field::Flag(_) => Self::Flag(Vec::new()),
            Field::Count(_) => Self::Count(Vec::new()),
            Field::Number(_) => Self::Number(Vec::new()),
        }
    }

    fn push(&mut self, field: Field) {
        match (self, field) {
            (Self::Text(texts), Field::Text(text)) => texts.push(ByteArray::from(text.as_str())),
            (Self::Flag(flags), Field::Flag(flag)) => flags.push(flag),
            (Self::Count(counts), Field::Count(count)) => counts.push(count as i64),
            (Self::Number(numbers), Field::Number(number)) => {
                numbers.push(number.filter(|number| number.is_finite()));
            }
            _ => debug_assert!(false, "a value of another column"),
        }
    }

    fn write(&mut self, writer: &mut SerializedColumnWriter<'_>) -> Result<(), ParquetError> {
        match std::mem::replace(self, Self::of(&self.kind())) {
            Self::Text(texts) => {
                let writer = writer.typed::<ByteArrayType>();
                writer.write_batch(&texts, None, None)?;
            }
            Self::Flag(flags) => {
                writer.typed::<BoolType>().write_batch(&flags, None, None)?;
            }
            Self::Count(counts) => {
                writer
                    .typed::<Int64Type>()
                    .write_batch(&counts, None, None)?;
            }
            Self::Number(numbers) => {
                let known = numbers.iter().map(|number| i16::from(number.is_some()));
                let levels: Vec<_> = known.collect();
                let values: Vec<_> = numbers.into_iter().flatten().collect();
                let writer = writer.typed::<DoubleType>();
                writer.write_batch(&values, Some(&levels), None)?;
            }
        }
        Ok(())
    }

    fn kind(&self) -> Field {
        match self {
            Self::Text(_) => Field::Text(String::new()),
            Self::Flag(_) => Field::Flag(false),
            Self::Count(_) => Field::Count(0),
            Self::Number(_) => Field::Number(None),
        }
    }
}

/// Numbers may be null, nothing else ever is.
fn schema() -> Result<Type, ParquetError> {
    let fields = columns().into_iter().map(|(name, kind)| {
        let physical = match kind {
            Field::Text(_) => Physical::BYTE_ARRAY,
            Field::Flag(_) => Physical::BOOLEAN,
            Field::Count(_) => Physical::INT64,
            Field::Number(_) => Physical::DOUBLE,
        };
        let field = Type::primitive_type_builder(name, physical);
        let field = match kind {
            Field::Text(_) => field
                .with_logical_type(Some(LogicalType::String))
                .with_converted_type(ConvertedType::UTF8),
            _ => field,
        };
        let repetition = match kind {
            Field::Number(_) => Repetition::OPTIONAL,
            _ => Repetition::REQUIRED,
        };
        field.with_repetition(repetition).build().map(Arc::new)
    });
    Type::group_type_builder("periods")
        .with_fields(fields.collect::<Result<_, _>>()?)
        .build()
}
