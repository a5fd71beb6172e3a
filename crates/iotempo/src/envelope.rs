//! The JSON around results. Results are written as they come, one a line.

use crate::failure::Failure;
use serde::Serialize;
use serde_json::ser::{Formatter, Serializer};
use std::io::{self, Write};

/// The program that made a result.
#[derive(Debug, Clone, Copy, Serialize)]
pub(crate) struct Tool {
    name: &'static str,
    version: &'static str,
    commit: Option<&'static str>,
}

/// This program.
pub(crate) const TOOL: Tool = Tool {
    name: "iotempo",
    version: env!("CARGO_PKG_VERSION"),
    commit: option_env!("IOTEMPO_COMMIT"),
};

/// Writes `{"schema":…, "tool":…, "settings":…, "results":[…], "errors":[…]}`.
pub(crate) struct Envelope<W> {
    out: W,
    /// What comes before the first result. Who fails before it has printed nothing.
    heading: String,
    results: usize,
    errors: Vec<Failure>,
}

impl<W: Write> Envelope<W> {
    pub(crate) fn new(out: W, verb: &str, settings: &impl Serialize) -> io::Result<Self> {
        let heading = format!(
            "{{\"schema\":\"iotempo/{verb}/1\",\n\"tool\":{},\n\"settings\":{},\n\"results\":[",
            json(&TOOL)?,
            json(settings)?
        );
        Ok(Self {
            out,
            heading,
            results: 0,
            errors: Vec::new(),
        })
    }

    pub(crate) fn result(&mut self, result: &impl Serialize) -> io::Result<()> {
        let comma = if self.results == 0 { "" } else { "," };
        self.results += 1;
        let heading = std::mem::take(&mut self.heading);
        write!(self.out, "{heading}{comma}\n{}", json(result)?)
    }

    pub(crate) fn error(&mut self, failure: Failure) {
        self.errors.push(failure);
    }

    pub(crate) fn finish(mut self) -> io::Result<()> {
        write!(self.out, "{}],\n\"errors\":[", self.heading)?;
        for (index, failure) in self.errors.iter().enumerate() {
            let comma = if index == 0 { "" } else { "," };
            write!(self.out, "{comma}\n{}", json(failure)?)?;
        }
        writeln!(self.out, "]}}")?;
        self.out.flush()
    }
}

/// JSON in which whole numbers look whole, and no number is not one.
pub(crate) fn json(value: &impl Serialize) -> io::Result<String> {
    let mut bytes = Vec::new();
    let mut serializer = Serializer::with_formatter(&mut bytes, WholeNumbers);
    value.serialize(&mut serializer)?;
    String::from_utf8(bytes).map_err(io::Error::other)
}

/// Writes 1048576 where Rust has 1048576.0; `null` for what is not finite is serde_json's own.
struct WholeNumbers;

impl Formatter for WholeNumbers {
    fn write_f64<W: Write + ?Sized>(&mut self, writer: &mut W, value: f64) -> io::Result<()> {
        write_number(writer, value)
    }
}

/// Below this, every whole number is a double of its own.
const EXACT: f64 = 9_007_199_254_740_992.0;

/// The shortest text that reads as the same number, whole where the number is.
pub(crate) fn write_number<W: Write + ?Sized>(writer: &mut W, value: f64) -> io::Result<()> {
    if value.fract() == 0.0 && value.abs() < EXACT {
        write!(writer, "{}", value as i64)
    } else {
        write!(writer, "{value:?}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short_and_read_back_the_same() {
        for (value, expected) in [
            (1_048_576.0, "1048576"),
            (0.1, "0.1"),
            (-0.0, "0"),
            (1e-7, "1e-7"),
            (1e300, "1e300"),
            (1_577_836_800.25, "1577836800.25"),
        ] {
            assert_eq!(json(&value).expect("in memory"), expected);
            assert_eq!(expected.parse(), Ok(value));
        }
        assert_eq!(json(&f64::NAN).expect("in memory"), "null");
    }
}
