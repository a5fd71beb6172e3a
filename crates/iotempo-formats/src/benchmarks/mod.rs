//! Results of I/O benchmarks: what was run, and how fast each repetition was.
//!
//! [`read_benchmarks`] judges a file by its content: tables of our own and of FORGE, tables of IOR's
//! rows, what IOR prints as text and as JSON, and the results of IO500. `docs/estimate.md` lists them.
//!
//! ```
//! use iotempo_formats::Input;
//! use iotempo_formats::benchmarks::{BenchmarkOptions, read_benchmarks};
//!
//! let table = "op,api,files,spatiality,nodes,processes,bytes_per_process,request_bytes,io_nodes,\
//!              bandwidth_mib_per_s\n\
//!              write,posix,shared,consecutive,8,96,1073741824,1048576,2,512\n";
//! let reading = read_benchmarks(Input::bytes(table), &BenchmarkOptions::default())?;
//! assert_eq!(reading.benchmarks[0].bandwidths, [512.0 * 1048576.0]);
//! # Ok::<(), iotempo_formats::Error>(())
//! ```

mod collected;
mod forge;
mod io500;
mod ior;
mod ior_json;
mod ior_rows;
mod ior_text;
mod own;
mod quantity;
mod table;
#[cfg(test)]
mod tests;

use crate::error::{Error, ErrorKind, Place};
use crate::input::Input;
use crate::limits::Limits;
use collected::Collected;
use iotempo_model::{Api, Benchmark, FileStrategy, Warning};

/// What a file does not say.
#[derive(Debug, Clone, Default)]
pub struct BenchmarkOptions {
    /// How many I/O nodes there were; 0 where neither the file nor anybody says.
    pub io_nodes: Option<u32>,
    /// On how many nodes it ran.
    pub nodes: Option<u64>,
    /// Whether processes shared files.
    pub files: Option<FileStrategy>,
    /// The layer.
    pub api: Option<Api>,
    /// Bounds on what the input may make the reader do.
    pub limits: Limits,
}

/// The code of the warning that nobody said on how many nodes benchmarks ran: [`BenchmarkOptions::nodes`] does.
pub const NODES_UNSTATED: &str = "nodes-unstated";

/// The results that can be read. A closed set, judged by content.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum BenchmarkFormat {
    /// A table of our own, a row per repetition.
    Own,
    /// FORGE's table: forwarders, clients, layout, …
    Forge,
    /// A table of the rows that IOR prints.
    IorRows,
    /// What IOR 3 and 4 print.
    IorText,
    /// The same as JSON (`-O summaryFormat=JSON`).
    IorJson,
    /// The `result.txt` of IO500.
    Io500,
}

impl BenchmarkFormat {
    /// What people call it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Own => "table of benchmarks",
            Self::Forge => "forge",
            Self::IorRows => "table of ior",
            Self::IorText => "ior text",
            Self::IorJson => "ior json",
            Self::Io500 => "io500",
        }
    }

    /// Whether people put such files together; else one program wrote all of it.
    const fn is_table(self) -> bool {
        matches!(self, Self::Own | Self::Forge | Self::IorRows)
    }
}

/// What a file held.
#[derive(Debug, Clone)]
pub struct BenchmarkReading {
    /// Which format it has.
    pub format: BenchmarkFormat,
    /// How many repetitions were taken.
    pub rows: u64,
    /// The benchmarks, ordered by scenario and I/O nodes.
    pub benchmarks: Vec<Benchmark>,
    /// What was left out, assumed, or looks odd.
    pub warnings: Vec<Warning>,
}

/// Reads results of benchmarks, also within gzip or bzip2.
///
/// # Errors
/// Where the format is unknown, or no repetition in it can be used.
pub fn read_benchmarks(
    input: Input,
    options: &BenchmarkOptions,
) -> Result<BenchmarkReading, Error> {
    let bytes = input.unwrapped()?.into_bytes(&options.limits)?;
    let text = String::from_utf8_lossy(&bytes);
    let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
    let format = detect(text)?;
    let mut collected = Collected::default();
    match format {
        BenchmarkFormat::Own => own::read(text, options, &mut collected)?,
        BenchmarkFormat::Forge => forge::read(text, &mut collected)?,
        BenchmarkFormat::IorRows => ior_rows::read(text, options, &mut collected)?,
        BenchmarkFormat::IorText => ior_text::read(text, options, &mut collected),
        BenchmarkFormat::IorJson => ior_json::read(text, options, &mut collected)?,
        BenchmarkFormat::Io500 => io500::read(text, options, &mut collected)?,
    }
    collected.finish(format)
}

/// Whether a column of this name may hold something of a table of benchmarks, whichever table it is.
#[must_use]
pub fn is_benchmark_column(name: &str) -> bool {
    let name = name.trim().to_ascii_lowercase();
    forge::COLUMNS.contains(&name.as_str())
        || ior_rows::COLUMNS.contains(&name.as_str())
        || own::is_column(&name)
}

/// Judges a file by its text.
fn detect(text: &str) -> Result<BenchmarkFormat, Error> {
    let first = text.lines().find(|line| {
        let line = line.trim();
        !line.is_empty() && !line.starts_with('#')
    });
    let Some(first) = first else {
        return Err(Error::new("", Place::Whole, ErrorKind::Empty));
    };
    let heading = first.to_ascii_lowercase();
    let has = |word: &str| heading.contains(word);
    if has("forwarders") && has("bandwidth") {
        Ok(BenchmarkFormat::Forge)
    } else if has("bandwidth") && has("processes") && has("request") {
        Ok(BenchmarkFormat::Own)
    } else if has("access") && has("bw(mib/s)") && has("nproc") {
        Ok(BenchmarkFormat::IorRows)
    } else if first.trim_start().starts_with('{') && text.contains("\"tests\"") {
        Ok(BenchmarkFormat::IorJson)
    } else if text.contains("MPI Coordinated Test of Parallel I/O") {
        Ok(BenchmarkFormat::IorText)
    } else if text.contains("[ior-easy-write]") || text.contains("[ior-hard-write]") {
        Ok(BenchmarkFormat::Io500)
    } else if text.contains("[RESULT]") {
        let what = "a summary of IO500 does not say how it was run; give its result.txt";
        Err(Error::invalid("", Place::Line(1), what, first))
    } else {
        let what = "not results of a benchmark that iotempo reads: it begins with";
        Err(Error::invalid("", Place::Line(1), what, first))
    }
}
