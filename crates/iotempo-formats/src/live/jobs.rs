//! Whose logs lie in a folder.

use super::folder::first_logs;
use crate::iot::follow::GrowingLog;
use crate::regular::{Links, Root};
use std::collections::BTreeSet;
use std::path::Path;
use std::time::Instant;

/// Folders that are looked into.
const MOST: usize = 1000;

/// The names of the jobs whose logs lie in a folder or below it, as the logs say: the machines of one job may have
/// folders of their own. Logs that cannot be read are nobody's.
#[must_use]
pub fn jobs_in(folder: &Path) -> BTreeSet<String> {
    let now = Instant::now();
    let logs = first_logs(folder, MOST);
    let root = Root {
        path: folder,
        links: Links::Followed,
    };
    let opened = logs.filter_map(|path| GrowingLog::open(root, &path, now).ok().flatten());
    let names = opened.map(|log| log.job().to_owned());
    names.filter(|name| !name.is_empty()).collect()
}
