//! Words of `iotempo trace`.

use clap::Args;
use iotempo_model::pattern::Pattern;
use iotempo_model::wire::{CHUNK_SIZE, HEADER_SIZE};
use std::ffi::OsString;
use std::path::PathBuf;

pub(crate) const EXAMPLES: &str = "\
Examples:
  iotempo trace -- ./simulation input.txt
  iotempo trace -o logs --include '\\.(h5|nc)$' -- mpirun -n 4 ./simulation
  srun iotempo trace -o logs -- ./simulation
  mpirun -n 4 env $(iotempo trace --env -o logs) ./simulation";

/// Words of `iotempo trace`.
#[derive(Debug, Args)]
pub(crate) struct TraceArgs {
    /// The folder of the logs; every run gets a folder of its own in it.
    #[arg(short, long, value_name = "DIR", default_value = "iotempo-trace")]
    pub(super) output: PathBuf,
    /// Only POSIX and STDIO: read, pwrite, fwrite and the like.
    #[arg(long, conflicts_with_all = ["mpiio", "all"])]
    pub(super) posix: bool,
    /// Only MPI-IO.
    #[arg(long, conflicts_with = "all")]
    pub(super) mpiio: bool,
    /// Every layer, which is the default.
    #[arg(long)]
    pub(super) all: bool,
    /// Pipes and sockets, too.
    #[arg(long)]
    pub(super) pipes: bool,
    /// Only files whose path has a match; may be given again.
    #[arg(long, value_name = "REGEX", value_parser = pattern)]
    pub(super) include: Vec<String>,
    /// No files whose path has a match; may be given again.
    #[arg(long, value_name = "REGEX", value_parser = pattern)]
    pub(super) exclude: Vec<String>,
    /// Keep the newest requests within this size per process, such as 64MiB; at least 132KiB.
    #[arg(long, value_name = "SIZE", value_parser = max_size)]
    pub(super) max_size: Option<u64>,
    /// One record for requests of a thread on a file within this time, such as 1ms.
    #[arg(long, value_name = "TIME", value_parser = nanoseconds)]
    pub(super) coalesce: Option<u64>,
    /// Print the variables instead, for `env` in a line of srun, mpirun or a batch script.
    #[arg(long, conflicts_with = "command")]
    pub(super) env: bool,
    /// The program and its arguments.
    #[arg(value_name = "CMD", last = true, required_unless_present = "env")]
    pub(super) command: Vec<OsString>,
}

impl TraceArgs {
    /// The layers that are traced, as the library is told.
    pub(super) fn layers(&self) -> &'static str {
        match (self.posix, self.mpiio) {
            (true, _) => "posix,stdio",
            (_, true) => "mpiio",
            _ => "posix,stdio,mpiio",
        }
    }
}

/// The library compiles the same text again, inside the program.
fn pattern(text: &str) -> Result<String, String> {
    if text.is_empty() {
        return Err("it would match every path".to_owned());
    }
    let compiled = Pattern::new(text).map_err(|error| error.to_string());
    compiled.map(|_| text.to_owned())
}

/// A number and the unit behind it.
fn measured(text: &str, units: &[(&str, f64)]) -> Option<u64> {
    let split = text.find(|c: char| c.is_ascii_alphabetic() || c == 'µ');
    let (number, unit) = text.split_at(split.unwrap_or(text.len()));
    let (_, factor) = units
        .iter()
        .find(|(name, _)| name.eq_ignore_ascii_case(unit))?;
    let value = number.trim().parse::<f64>().ok()? * factor;
    (value >= 1.0 && value < 2_f64.powi(63)).then_some(value as u64)
}

fn size(text: &str) -> Result<u64, String> {
    const UNITS: [(&str, f64); 20] = [
        ("", 1.0),
        ("b", 1.0),
        ("k", 1024.0),
        ("kb", 1e3),
        ("kib", 1024.0),
        ("m", 1_048_576.0),
        ("mb", 1e6),
        ("mib", 1_048_576.0),
        ("g", 1_073_741_824.0),
        ("gb", 1e9),
        ("gib", 1_073_741_824.0),
        ("t", 1_099_511_627_776.0),
        ("tb", 1e12),
        ("tib", 1_099_511_627_776.0),
        ("p", 1_125_899_906_842_624.0),
        ("pb", 1e15),
        ("pib", 1_125_899_906_842_624.0),
        ("e", 1_152_921_504_606_846_976.0),
        ("eb", 1e18),
        ("eib", 1_152_921_504_606_846_976.0),
    ];
    measured(text, &UNITS).ok_or_else(|| "not a size, such as 64MiB".to_owned())
}

/// A ring has a header, a chunk that is written and one that is kept.
const SMALLEST: u64 = (HEADER_SIZE + 2 * CHUNK_SIZE) as u64;

fn max_size(text: &str) -> Result<u64, String> {
    match size(text)? {
        size if size < SMALLEST => Err("a log takes 132KiB at least".to_owned()),
        size => Ok(size),
    }
}

fn nanoseconds(text: &str) -> Result<u64, String> {
    const UNITS: [(&str, f64); 5] = [
        ("ns", 1.0),
        ("us", 1e3),
        ("µs", 1e3),
        ("ms", 1e6),
        ("s", 1e9),
    ];
    measured(text, &UNITS).ok_or_else(|| "not a time with its unit, such as 1ms".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_and_times_have_units() {
        assert_eq!(size("64MiB"), Ok(64 << 20));
        assert_eq!(size("1.5 kB"), Ok(1500));
        assert_eq!(size("4096"), Ok(4096));
        assert_eq!(size("1EiB"), Ok(1 << 60));
        assert_eq!(max_size("132KiB"), Ok(SMALLEST));
        assert!(max_size("131KiB").is_err());
        assert_eq!(nanoseconds("1ms"), Ok(1_000_000));
        assert_eq!(nanoseconds("0.5µs"), Ok(500));
        for wrong in ["", "MiB", "-1k", "0", "1e300", "5 parsecs", "nan"] {
            assert!(size(wrong).is_err(), "{wrong}");
        }
        assert!(nanoseconds("10").is_err(), "ten of what?");
    }

    #[test]
    fn what_is_no_pattern_is_refused() {
        assert!(pattern(r"\.(h5|nc)$").is_ok());
        assert!(pattern("").is_err() && pattern("*.h5").is_err());
    }
}
