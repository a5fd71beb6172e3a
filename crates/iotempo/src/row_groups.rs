//! Parquet files, a row group at a time.

use crate::envelope::{TOOL, json};
use parquet::basic::Compression;
use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedColumnWriter, SerializedFileWriter};
use parquet::schema::types::Type;
use std::io::{self, Write};
use std::sync::Arc;

/// Rows of a row group: what is held in memory, 100 to 300 bytes each.
const ROW_GROUP: usize = 64 << 10;

/// Values of a column, until their row group is written.
pub(crate) trait Column {
    /// One of them.
    type Value;

    /// Adds one.
    fn push(&mut self, value: Self::Value);

    /// Writes and forgets them.
    fn write(&mut self, writer: &mut SerializedColumnWriter<'_>) -> Result<(), ParquetError>;
}

/// A table in row groups of [`ROW_GROUP`] rows.
pub(crate) struct RowGroups<W: Write + Send, C> {
    writer: SerializedFileWriter<W>,
    columns: Vec<C>,
    rows: usize,
}

impl<W: Write + Send, C: Column> RowGroups<W, C> {
    pub(crate) fn new(
        out: W,
        schema: Result<Type, ParquetError>,
        columns: Vec<C>,
    ) -> io::Result<Self> {
        let properties = WriterProperties::builder()
            .set_compression(Compression::SNAPPY)
            .set_created_by(format!("iotempo {}", env!("CARGO_PKG_VERSION")))
            .build();
        let schema = Arc::new(schema.map_err(io_error)?);
        let writer = SerializedFileWriter::new(out, schema, Arc::new(properties));
        Ok(Self {
            writer: writer.map_err(io_error)?,
            columns,
            rows: 0,
        })
    }

    /// Adds a row: a value for each column.
    pub(crate) fn row(&mut self, values: impl IntoIterator<Item = C::Value>) -> io::Result<()> {
        for (column, value) in self.columns.iter_mut().zip(values) {
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

    /// Ends the file with what it says of itself: the tool, and these keys and values.
    pub(crate) fn finish<const N: usize>(mut self, about: [(&str, String); N]) -> io::Result<()> {
        self.write_rows().map_err(io_error)?;
        let tool = [("iotempo.tool", json(&TOOL)?)];
        for (key, value) in tool.into_iter().chain(about) {
            let entry = KeyValue::new(key.to_owned(), value);
            self.writer.append_key_value_metadata(entry);
        }
        self.writer.finish().map_err(io_error)?;
        self.writer.inner_mut().flush()
    }
}

/// The error of the output below, where it is one.
fn io_error(error: ParquetError) -> io::Error {
    match error {
        ParquetError::External(source) => match source.downcast::<io::Error>() {
            Ok(error) => *error,
            Err(source) => io::Error::other(source),
        },
        error => io::Error::other(error),
    }
}
