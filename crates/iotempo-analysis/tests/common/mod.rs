//! What tests on real data share.

use std::path::PathBuf;

/// The folder of real data, or `None` with a line that says so.
pub(crate) fn data(test: &str) -> Option<PathBuf> {
    let fallback = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data");
    let folder = std::env::var_os("IOTEMPO_DATA").map_or(fallback, PathBuf::from);
    if folder.is_dir() {
        return Some(folder);
    }
    eprintln!("SKIPPED {test}: no data under {}", folder.display());
    None
}
