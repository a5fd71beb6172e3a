//! Whose logs lie in a folder.

use super::folder::first_logs;
use crate::iot::follow::GrowingLog;
use crate::regular::{Links, Root};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Folders that are looked into.
const MOST: usize = 1000;

/// The names of the jobs whose logs lie in a folder or below it, as the logs say, each with the first folder that has
/// some: the machines of one job may have folders of their own. Logs that cannot be read are nobody's.
#[must_use]
pub fn jobs_in(folder: &Path) -> BTreeMap<String, PathBuf> {
    let now = Instant::now();
    let logs = first_logs(folder, MOST);
    let root = Root {
        path: folder,
        links: Links::Followed,
    };
    let mut jobs = BTreeMap::new();
    for path in logs {
        let log = GrowingLog::open(root, &path, now).ok().flatten();
        let name = log.map(|log| log.job().to_owned());
        if let Some((name, place)) = name.filter(|name| !name.is_empty()).zip(path.parent()) {
            jobs.entry(name).or_insert_with(|| place.to_owned());
        }
    }
    jobs
}
