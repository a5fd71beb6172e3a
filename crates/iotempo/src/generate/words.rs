//! The words of `iotempo generate`.

use crate::cli::{hertz, seconds};
use clap::{Args, ValueEnum};
use iotempo_model::{Hertz, Seconds};
use std::path::PathBuf;

/// What the help ends with.
pub(crate) const EXAMPLES: &str = "\
Examples:
  iotempo generate -o semi.csv --truth semi.truth.json
  iotempo generate --compute-sigma 5.5 --count 100 --out-dir traces
  iotempo generate two-periods --signal --rate 10 -o two.csv
  iotempo generate bursts --samples 240 --json";

/// Words of `iotempo generate`.
#[derive(Debug, Args)]
pub(crate) struct GenerateArgs {
    /// What to generate.
    #[arg(
        value_name = "KIND",
        default_value = "semi",
        hide_possible_values = false
    )]
    pub(super) kind: Kind,
    /// What decides about all that is random.
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(super) seed: u64,
    /// How many traces to make, each with the seed after that of the one before.
    #[arg(long, value_name = "N", default_value_t = 1, requires = "out_dir",
          value_parser = clap::value_parser!(u32).range(1..))]
    pub(super) count: u32,
    /// Where to write; `-`, or nothing, is standard output.
    #[arg(short, long, value_name = "FILE", conflicts_with = "out_dir")]
    pub(super) output: Option<PathBuf>,
    /// Write KIND-SEED.csv, and the truth about it beside it, into this folder.
    #[arg(long, value_name = "DIR")]
    pub(super) out_dir: Option<PathBuf>,
    /// Write the truth to this file.
    #[arg(long, value_name = "FILE", conflicts_with = "out_dir")]
    pub(super) truth: Option<PathBuf>,
    /// The output format.
    #[arg(long, value_name = "FORMAT", default_value = "csv")]
    pub(super) to: Format,
    /// Instead of requests: bytes per second at even steps, from the start of the run to its end.
    #[arg(long)]
    pub(super) signal: bool,
    /// Samples per second of the signal [default: 1].
    #[arg(long, value_name = "HZ", requires = "signal", value_parser = hertz)]
    pub(super) rate: Option<Hertz>,
    #[command(flatten)]
    pub(super) semi: SemiArgs,
    #[command(flatten)]
    pub(super) shape: ShapeArgs,
    #[command(flatten)]
    pub(super) aperiodic: AperiodicArgs,
    #[command(flatten)]
    pub(super) servers: ServerArgs,
}

/// Parameters of logs of servers and jobs.
#[derive(Debug, Args)]
#[command(next_help_heading = "Servers and jobs (ior-a, ior-b, ior-c, s3d, centre)")]
pub(super) struct ServerArgs {
    /// How often the application runs [default: 10].
    #[arg(long, value_name = "N")]
    pub(super) runs: Option<usize>,
    /// What others do: 0.5 is little, 1 the usual, 2 much [default: 1].
    #[arg(long, value_name = "LOAD")]
    pub(super) load: Option<f64>,
    /// How much computing is delayed, as a share of it [default: 0.004].
    #[arg(long, value_name = "SHARE")]
    pub(super) drift: Option<f64>,
    /// How many jobs the centre has [default: 80815].
    #[arg(long, value_name = "N")]
    pub(super) jobs: Option<usize>,
    /// How many applications they are runs of [default: 2000].
    #[arg(long, value_name = "N")]
    pub(super) applications: Option<usize>,
    /// How many days its log has [default: 90].
    #[arg(long, value_name = "DAYS")]
    pub(super) days: Option<f64>,
}

/// Parameters of semi-synthetic traces.
#[derive(Debug, Args)]
#[command(next_help_heading = "Semi-synthetic traces (semi)")]
pub(super) struct SemiArgs {
    /// The number of ranks [default: 32; of the hard cases: 4].
    #[arg(long, value_name = "N")]
    pub(super) ranks: Option<u32>,
    /// The number of iterations: compute, then write [default: 20].
    #[arg(long, value_name = "N")]
    pub(super) iterations: Option<u32>,
    /// The mean of the compute time [default: 11].
    #[arg(long, value_name = "SECONDS", value_parser = seconds, allow_negative_numbers = true)]
    pub(super) compute_mean: Option<Seconds>,
    /// The standard deviation of the compute time [default: 0].
    #[arg(long, value_name = "SECONDS", value_parser = seconds, allow_negative_numbers = true)]
    pub(super) compute_sigma: Option<Seconds>,
    /// By how much ranks begin to write late, in the mean [default: 0].
    #[arg(long, value_name = "SECONDS", value_parser = seconds, allow_negative_numbers = true)]
    pub(super) desync: Option<Seconds>,
    /// The standard deviation of a phase's volume, as a share of it [default: 0].
    #[arg(long, value_name = "SHARE", allow_negative_numbers = true)]
    pub(super) volume_spread: Option<f64>,
    /// Background noise, of 500 MB/s or 1 GB/s while active [default: none].
    #[arg(long, value_name = "LEVEL")]
    pub(super) noise: Option<Noise>,
    /// 3500 requests of 1 MB a rank and phase, instead of one of 3.5 GB.
    #[arg(long)]
    pub(super) fine: bool,
}

/// Parameters of hard cases.
#[derive(Debug, Args)]
#[command(next_help_heading = "Hard cases (low-duty to multi-burst)")]
pub(super) struct ShapeArgs {
    /// The period [default: that of the case].
    #[arg(long, value_name = "SECONDS", value_parser = seconds, allow_negative_numbers = true)]
    pub(super) period: Option<Seconds>,
    /// How often it repeats [default: that of the case].
    #[arg(long, value_name = "N")]
    pub(super) repetitions: Option<u32>,
    /// The standard deviation of a repetition's length, as a share of it [default: 0.02].
    #[arg(long, value_name = "SHARE", allow_negative_numbers = true)]
    pub(super) jitter: Option<f64>,
}

/// Parameters of what does not repeat.
#[derive(Debug, Args)]
#[command(next_help_heading = "What does not repeat (bursts, noise, walk, constant, single)")]
pub(super) struct AperiodicArgs {
    /// How many seconds, of one sample each [default: 1000].
    #[arg(long, value_name = "N")]
    pub(super) samples: Option<usize>,
    /// The probability that a sample is active (bursts) [default: 0.05].
    #[arg(long, value_name = "SHARE", allow_negative_numbers = true)]
    pub(super) probability: Option<f64>,
    /// All active samples have the same rate (bursts).
    #[arg(long)]
    pub(super) equal: bool,
    /// Evenly distributed rates, instead of the absolute values of normal ones (noise).
    #[arg(long)]
    pub(super) uniform: bool,
}

/// What can be generated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Kind {
    /// Compute phases of random length between measured-like I/O phases
    Semi,
    /// Each second active by chance: nothing repeats
    Bursts,
    /// A random rate each second: nothing repeats
    Noise,
    /// A random walk: nothing repeats
    Walk,
    /// The same rate all the time: nothing repeats
    Constant,
    /// One burst: nothing repeats
    Single,
    /// Bursts of 0.2 s every 100 s
    LowDuty,
    /// A rhythm that is seen four times
    Few,
    /// A long first phase, then a rhythm
    LongFirst,
    /// HACC-IO of FTIO's paper: a first phase that is late and slow
    DelayedFirst,
    /// Checkpoints, and a log twelve times as often
    TwoPeriods,
    /// Repetitions that grow by half from the first to the last
    Drift,
    /// A period that doubles midway
    Doubling,
    /// A rhythm that large checkpoints join midway
    Joining,
    /// Epochs of 139 s with steps of 1.36 s, which alias at 1 Hz
    Alias,
    /// Bursts in a background of random rates
    Background,
    /// Phases of three bursts each
    MultiBurst,
    /// Logs of servers and jobs: runs that write 128 GB every 300 s, among others
    IorA,
    /// The same with 64 and 16 GB every 120 s
    IorB,
    /// The same with 64, 32 and 16 GB every 120 s
    IorC,
    /// The same of a large simulation: about 1 TB every 600 s
    #[value(name = "s3d")]
    S3d,
    /// The same of a whole centre: three months, 80,815 jobs of 2000 applications
    Centre,
}

impl Kind {
    /// The word for it.
    pub(super) fn name(self) -> String {
        let value = self.to_possible_value();
        value.map_or_else(String::new, |value| value.get_name().to_owned())
    }
}

/// Levels of noise.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Noise {
    None,
    Low,
    High,
}

/// What outputs look like.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Format {
    Csv,
    Jsonl,
    Tmio,
}

impl Format {
    /// The extension of its files.
    pub(super) const fn extension(self) -> &'static str {
        match self {
            Self::Csv => "csv",
            Self::Jsonl | Self::Tmio => "jsonl",
        }
    }

    /// The word for it.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Csv => "csv",
            Self::Jsonl => "jsonl",
            Self::Tmio => "tmio",
        }
    }
}
