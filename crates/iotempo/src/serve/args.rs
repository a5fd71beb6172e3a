//! The words of `iotempo serve`.

use crate::cli::SelectArgs;
use crate::predict::{duration, window};
use clap::Args;
use iotempo_analysis::online::Window;
use std::net::{Ipv4Addr, SocketAddr, ToSocketAddrs};
use std::path::PathBuf;
use std::time::Duration;

pub(crate) const EXAMPLES: &str = "\
Examples:
  iotempo serve iotempo-trace                   all jobs below a folder, on http://127.0.0.1:7788
  iotempo serve iotempo-trace --listen 0.0.0.0:7788 --token-file token
  iotempo serve job.csv --listen :7799          one job, on another port
  curl http://127.0.0.1:7788/api/jobs
  curl -N http://127.0.0.1:7788/api/events";

/// Words of `iotempo serve`.
#[derive(Debug, Args)]
pub(crate) struct ServeArgs {
    /// Folders of jobs, as `iotempo trace` writes them: each folder with logs in it, and each file that
    /// a job appends to, is a job. A single such folder or file is one job.
    #[arg(value_name = "DIR", required = true)]
    pub(super) roots: Vec<PathBuf>,
    /// Where to listen: an address or a name, of this machine alone where there is none (:7788); port 0 is
    /// any that is free. What other machines can reach (0.0.0.0:7788) needs a token.
    #[arg(long, value_name = "[ADDR]:PORT", default_value = "127.0.0.1:7788", value_parser = listen)]
    pub(super) listen: SocketAddr,
    /// A file with the secret that clients must send; nobody else may be able to read it [default: what
    /// is in IOTEMPO_TOKEN, if anything].
    #[arg(long, value_name = "FILE")]
    pub(super) token_file: Option<PathBuf>,
    /// How often to look for new jobs and new data.
    #[arg(long, value_name = "TIME", default_value = "1s", value_parser = duration, allow_hyphen_values = true)]
    pub(super) every: Duration,
    /// For how long jobs stay listed whose files are gone.
    #[arg(long, value_name = "TIME", default_value = "1h", value_parser = duration, allow_hyphen_values = true)]
    pub(super) keep: Duration,
    /// Where to keep what must outlive a restart [default: .iotempo-serve in the first DIR that is a folder;
    /// where all are files, a folder of their own in $XDG_STATE_HOME/iotempo/serve, else in
    /// ~/.local/state/iotempo/serve].
    #[arg(long, value_name = "DIR")]
    pub(super) state: Option<PathBuf>,
    /// How many jobs /metrics tells of at the most.
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = count, allow_hyphen_values = true)]
    pub(super) metrics_jobs: usize,
    /// What an answer is made from: that many periods, all there is, or a time such as 90s.
    #[arg(long, value_name = "WINDOW", default_value = "16", value_parser = window, allow_hyphen_values = true)]
    pub(super) window: Window,
    #[command(flatten)]
    pub(super) select: SelectArgs,
}

/// `127.0.0.1:7788`, `[::1]:7788`, `localhost:7788`, or `:7788`, which is this machine alone.
fn listen(word: &str) -> Result<SocketAddr, String> {
    if let Ok(address) = word.parse() {
        return Ok(address);
    }
    let wrong = || {
        format!(
            "'{word}' is no place to listen such as 127.0.0.1:7788, [::1]:7788, localhost:7788 or :7788"
        )
    };
    let (host, port) = word.rsplit_once(':').ok_or_else(wrong)?;
    let port: u16 = port.parse().map_err(|_| wrong())?;
    match host {
        "" | "localhost" => Ok(SocketAddr::from((Ipv4Addr::LOCALHOST, port))),
        "*" => Err(format!(
            "say 0.0.0.0:{port} or [::]:{port} to listen everywhere"
        )),
        // Without brackets, nobody knows where such an address ends.
        _ if host.contains(':') => Err(wrong()),
        _ => named(host, port),
    }
}

fn named(host: &str, port: u16) -> Result<SocketAddr, String> {
    let found = (host, port).to_socket_addrs();
    let mut found = found.map_err(|error| format!("'{host}' is no name of a machine: {error}"))?;
    found
        .next()
        .ok_or_else(|| format!("'{host}' has no address"))
}

fn count(word: &str) -> Result<usize, String> {
    let wrong = |_| format!("'{word}' is no whole number such as 1000");
    word.parse().map_err(wrong)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_to_listen_may_be_of_this_machine_by_any_of_its_names() {
        let read = |word| listen(word).map(|address| address.to_string());
        for (word, address) in [
            ("127.0.0.1:7788", "127.0.0.1:7788"),
            ("[::1]:7788", "[::1]:7788"),
            ("localhost:7799", "127.0.0.1:7799"),
            (":7799", "127.0.0.1:7799"),
            ("0.0.0.0:0", "0.0.0.0:0"),
        ] {
            assert_eq!(read(word).as_deref(), Ok(address), "{word}");
        }
        for word in [
            "",
            "7788",
            "localhost",
            "::1:7788",
            "localhost:99999",
            "a:b",
        ] {
            let said = read(word).expect_err(word);
            assert!(said.contains("localhost:7788 or :7788"), "{said}");
        }
        let said = read("*:7788").expect_err("everywhere");
        assert!(said.contains("0.0.0.0:7788"), "{said}");
        let said = read("no-such-machine.invalid:1").expect_err("nowhere");
        assert!(said.contains("no-such-machine.invalid"), "{said}");
    }
}
