//! The logs that nobody here wrote, and where to find them.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// Folders whose logs cannot be read, or are of an older kind.
const NOT_READABLE: [&str; 3] = ["corrupt", "damaged", "legacy"];

/// Of those, logs that are odd but sound: a rank of −7, 2⁶⁰ processes, two names of one record, an
/// empty stream, no names at all, a very long mount point.
const ODD: [&str; 6] = [
    "c26_name_len0",
    "c62_posix_rank_-7",
    "c64_nprocs_huge",
    "c76_name_dup_diff",
    "c88_mount_long",
    "c94_empty_stream_in_region",
];

/// Where the data is: `IOTEMPO_DATA`, or beside the workspace.
pub fn data() -> PathBuf {
    let default = || workspace().join("../shared/data");
    std::env::var_os("IOTEMPO_DATA").map_or_else(default, PathBuf::from)
}

/// The root of the workspace.
pub fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The folder of Darshan logs; where it is missing, says so on behalf of `test`.
pub fn darshan(test: &str) -> Option<PathBuf> {
    let folder = data().join("darshan");
    if folder.is_dir() {
        return Some(folder);
    }
    skipped(test, &format!("no data under {}", folder.display()));
    None
}

/// Says that a test did not run.
pub fn skipped(test: &str, why: &str) {
    say(&format!("SKIPPED {test}: {why}"));
}

/// Writes a line that is seen even where the output of tests that pass is not shown.
pub fn say(line: &str) {
    writeln!(std::io::stderr(), "{line}").expect("standard error");
}

/// Logs to compare; those out of archives live as long as this does.
pub struct Corpus {
    /// Name and place of each log, in order.
    pub logs: Vec<(String, PathBuf)>,
    _unpacked: TempDir,
}

impl Corpus {
    /// Every log of the data that can be read, and the logs that come with pydarshan.
    pub fn gather(darshan: &Path, python: Option<&Path>) -> Self {
        let unpacked = TempDir::new().expect("a temporary folder");
        let mut files = Vec::new();
        for folder in entries(darshan) {
            if !NOT_READABLE.iter().any(|name| folder.ends_with(name)) {
                walk(&folder, &mut files);
            }
        }
        files.extend(ODD.map(|name| darshan.join("corrupt").join(format!("{name}.darshan"))));
        let archives = files.iter().filter(|file| has_end(file, ".tar.gz"));
        archives.for_each(|archive| unpack(archive, unpacked.path()));
        walk(unpacked.path(), &mut files);
        if let Some(package) = python.and_then(package) {
            walk(&package, &mut files);
        }
        files.retain(|file| has_end(file, ".darshan"));
        let logs = files
            .into_iter()
            .map(|file| (name(&file, darshan), file))
            .collect();
        Self {
            logs,
            _unpacked: unpacked,
        }
    }
}

/// The place of a log below the data, or its last folder and name.
fn name(file: &Path, data: &Path) -> String {
    let short = file.strip_prefix(data).map(Path::to_owned);
    let short = short.unwrap_or_else(|_| {
        let folder = file.parent().and_then(Path::file_name).unwrap_or_default();
        Path::new(folder).join(file.file_name().unwrap_or_default())
    });
    short.display().to_string()
}

/// The folder that pydarshan is installed in.
fn package(python: &Path) -> Option<PathBuf> {
    let versions = entries(&python.parent()?.parent()?.join("lib"));
    versions
        .into_iter()
        .map(|version| version.join("site-packages/darshan"))
        .find(|folder| folder.is_dir())
}

fn has_end(file: &Path, end: &str) -> bool {
    file.to_string_lossy().ends_with(end)
}

/// What a folder holds, in order of name.
pub fn entries(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(folder) else {
        return Vec::new();
    };
    let mut paths: Vec<_> = entries.filter_map(|e| Some(e.ok()?.path())).collect();
    paths.sort();
    paths
}

fn walk(folder: &Path, files: &mut Vec<PathBuf>) {
    for path in entries(folder) {
        if path.is_dir() {
            walk(&path, files);
        } else {
            files.push(path);
        }
    }
}

fn unpack(archive: &Path, into: &Path) {
    let folder = into.join(archive.file_name().expect("a file"));
    let file = fs::File::open(archive).expect("an archive");
    tar::Archive::new(flate2::read::GzDecoder::new(file))
        .unpack(folder)
        .expect("a sound archive");
}
