//! The words of `iotempo serve`.

use crate::cli::SelectArgs;
use crate::predict::{duration, window};
use clap::Args;
use iotempo_analysis::online::Window;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

pub(crate) const EXAMPLES: &str = "\
Examples:
  iotempo serve iotempo-trace                   all jobs below a folder, on http://127.0.0.1:7788
  iotempo serve iotempo-trace --listen 0.0.0.0:7788 --token-file token
  curl http://127.0.0.1:7788/api/jobs
  curl -N http://127.0.0.1:7788/api/events";

/// Words of `iotempo serve`.
#[derive(Debug, Args)]
pub(crate) struct ServeArgs {
    /// Folders of jobs, as `iotempo trace` writes them: each folder with logs in it, and each file that
    /// a job appends to, is a job. A single such folder or file is one job.
    #[arg(value_name = "DIR", required = true)]
    pub(super) roots: Vec<PathBuf>,
    /// Where to listen; port 0 is any that is free. What other machines can reach needs a token.
    #[arg(long, value_name = "ADDR:PORT", default_value = "127.0.0.1:7788")]
    pub(super) listen: SocketAddr,
    /// A file with the secret that clients must send; nobody else may be able to read it [default: what
    /// is in IOTEMPO_TOKEN, if anything].
    #[arg(long, value_name = "FILE")]
    pub(super) token_file: Option<PathBuf>,
    /// How often to look for new jobs and new data.
    #[arg(long, value_name = "TIME", default_value = "1s", value_parser = duration)]
    pub(super) every: Duration,
    /// For how long jobs stay listed whose files are gone.
    #[arg(long, value_name = "TIME", default_value = "1h", value_parser = duration)]
    pub(super) keep: Duration,
    /// Where to keep what must outlive a restart [default: .iotempo-serve in the first DIR].
    #[arg(long, value_name = "DIR")]
    pub(super) state: Option<PathBuf>,
    /// How many jobs /metrics tells of at the most.
    #[arg(long, value_name = "N", default_value_t = 1000)]
    pub(super) metrics_jobs: usize,
    /// What an answer is made from: that many periods, all there is, or a time such as 90s.
    #[arg(long, value_name = "WINDOW", default_value = "16", value_parser = window)]
    pub(super) window: Window,
    #[command(flatten)]
    pub(super) select: SelectArgs,
}
