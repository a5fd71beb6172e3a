//! What a run is called.

use crate::human;
use std::ffi::OsStr;
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

/// The library keeps names up to this length, in bytes.
const LONGEST: usize = 60;

/// Launchers give each process its rank, and all of them the same name.
const RANKS: [&str; 5] = [
    "OMPI_COMM_WORLD_RANK",
    "PMIX_RANK",
    "PMI_RANK",
    "MV2_COMM_WORLD_RANK",
    "SLURM_PROCID",
];

/// The job's name: what the user chose, what all ranks of a launcher have in common, or a new one.
pub(super) fn name(program: &OsStr, output: &Path) -> String {
    let chosen = variable("IOTEMPO_JOB").or_else(common);
    let name = chosen.unwrap_or_else(|| unused(program, output));
    let plain = |c: char| match c {
        c if c.is_ascii_alphanumeric() || ".-_+".contains(c) => c,
        _ => '_',
    };
    let name: String = name.chars().map(plain).take(LONGEST).collect();
    // A name that begins with a dot could lead out of the folder.
    match name.strip_prefix('.') {
        Some(rest) => format!("_{rest}"),
        None => name,
    }
}

/// The name that the user chose, where the job has another: not all letters can stand in the name of a folder.
pub(super) fn chosen_instead_of(name: &str) -> Option<String> {
    variable("IOTEMPO_JOB").filter(|chosen| chosen != name)
}

/// The rank that a launcher gave this process.
pub(super) fn rank() -> Option<u64> {
    RANKS.iter().find_map(|name| variable(name)?.parse().ok())
}

fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|value| !value.is_empty())
}

fn common() -> Option<String> {
    let step = || {
        Some(format!(
            "{}.{}",
            variable("SLURM_JOB_ID")?,
            variable("SLURM_STEP_ID")?
        ))
    };
    let proxy = || {
        // MPICH's processes on a host have a parent in common.
        variable("PMI_RANK").map(|_| format!("mpi-{}", std::os::unix::process::parent_id()))
    };
    step().or_else(|| variable("PMIX_NAMESPACE")).or_else(proxy)
}

/// A name that no earlier run has.
fn unused(program: &OsStr, output: &Path) -> String {
    let program = Path::new(program).file_name().unwrap_or(program);
    let program: String = program.to_string_lossy().chars().take(24).collect();
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    let seconds = now.map_or(0, |now| now.as_secs());
    let date = human::utc(seconds as f64).unwrap_or_default();
    let date: String = date.chars().filter(char::is_ascii_alphanumeric).collect();
    let batch = ["SLURM_JOB_ID", "PBS_JOBID", "LSB_JOBID"];
    let batch = batch.iter().find_map(|name| variable(name));
    let batch = batch.map_or(String::new(), |id| format!("{id}-"));
    let name = format!("{batch}{program}-{date}");
    match output.join(&name).exists() {
        true => format!("{name}-{}", std::process::id()),
        false => name,
    }
}
