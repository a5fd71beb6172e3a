//! The processes of this machine.

use std::path::Path;
use std::sync::LazyLock;

/// The name of this machine, where there is a `/proc` that tells.
static NAME: LazyLock<Option<String>> = LazyLock::new(|| {
    let name = std::fs::read_to_string("/proc/sys/kernel/hostname").ok()?;
    Some(name.trim_end().to_owned())
});

/// Whether a log that names this machine was written on it.
pub(super) fn is_this(host: &str) -> bool {
    NAME.as_deref() == Some(host)
}

/// Whether a process of this machine has this number.
pub(super) fn has_process(pid: u32) -> bool {
    Path::new("/proc").join(pid.to_string()).exists()
}
