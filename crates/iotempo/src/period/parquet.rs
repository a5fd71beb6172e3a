//! A row per input as Parquet.

use super::fields::{Field, columns};
use crate::convert::Target;
use crate::envelope::json;
use crate::failure::Failure;
use crate::row_groups::{Column, RowGroups};
use parquet::basic::{ConvertedType, LogicalType, Repetition, Type as Physical};
use parquet::data_type::{BoolType, ByteArray, ByteArrayType, DoubleType, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::writer::SerializedColumnWriter;
use parquet::schema::types::Type;
use std::fs::File;
use std::io;
use std::path::Path;
use std::sync::Arc;

/// A table that is being written, and the file it will be.
pub(super) struct Parquet {
    rows: RowGroups<File, Values>,
    target: Target,
    /// All settings in force, as JSON.
    settings: String,
    errors: Vec<Failure>,
}

/// Values of a column.
enum Values {
    Text(Vec<ByteArray>),
    Flag(Vec<bool>),
    Count(Vec<i64>),
    Number(Vec<Option<f64>>),
}

impl Parquet {
    pub(super) fn create(path: &Path, settings: String) -> io::Result<Self> {
        let (file, target) = Target::create(path)?;
        let columns = columns().iter().map(|(_, kind)| Values::of(kind)).collect();
        Ok(Self {
            rows: RowGroups::new(file, schema(), columns)?,
            target,
            settings,
            errors: Vec::new(),
        })
    }

    pub(super) fn row(&mut self, fields: Vec<Field>) -> io::Result<()> {
        self.rows.row(fields)
    }

    pub(super) fn error(&mut self, failure: &Failure) {
        self.errors.push(failure.clone());
    }

    pub(super) fn finish(self) -> io::Result<()> {
        self.rows.finish([
            ("iotempo.settings", self.settings),
            ("iotempo.errors", json(&self.errors)?),
        ])?;
        self.target.commit()
    }
}

impl Values {
    fn of(kind: &Field) -> Self {
        match kind {
            Field::Text(_) => Self::Text(Vec::new()),
            Field::Flag(_) => Self::Flag(Vec::new()),
            Field::Count(_) => Self::Count(Vec::new()),
            Field::Number(_) => Self::Number(Vec::new()),
        }
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

impl Column for Values {
    type Value = Field;

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
