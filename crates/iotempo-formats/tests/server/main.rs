//! Logs of servers, as real tools wrote them: what each holds, and what is left of a damaged one.
#![allow(clippy::unwrap_used, clippy::print_stderr)]

mod beegfs;
mod claims;
mod collectd;
mod collectl;
#[cfg(feature = "hdf5")]
mod hdf5;
mod influx;
mod kept;
mod ldms;
mod lmt;
mod lustre;
mod metrics_claims;
mod mmperfmon;
mod monitor_claims;
mod operations;
mod prometheus;
#[cfg(target_os = "linux")]
mod real;
mod sheet;
mod sysstat;

use std::path::PathBuf;

/// A real log, or `None` with a line that says so.
fn log(test: &str, name: &str) -> Option<PathBuf> {
    let fallback = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data");
    let folder = std::env::var_os("IOTEMPO_DATA").map_or(fallback, PathBuf::from);
    let path = folder.join("serverlogs").join(name);
    if folder.is_dir() {
        return Some(path);
    }
    eprintln!("SKIPPED {test}: no data under {}", folder.display());
    None
}
