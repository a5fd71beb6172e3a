//! Where a server keeps what must outlive it.

use anyhow::Context;
use std::ffi::OsString;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

/// Beside the jobs where they have a folder of their own. The folder of a single file is somebody else's: then
/// it is where the system keeps the state of programs.
pub(super) fn of(roots: &[PathBuf]) -> anyhow::Result<PathBuf> {
    if let Some(folder) = roots.iter().find(|root| root.is_dir()) {
        return Ok(folder.join(".iotempo-serve"));
    }
    let home = home(|name| std::env::var_os(name)).context(
        "neither XDG_STATE_HOME nor HOME says where to keep the state: give --state DIR",
    )?;
    Ok(home.join("iotempo/serve").join(name(roots)))
}

/// By the base directory specification, which wants relative paths to be ignored.
fn home(variable: impl Fn(&str) -> Option<OsString>) -> Option<PathBuf> {
    let absolute = |name| {
        let path = PathBuf::from(variable(name)?);
        path.is_absolute().then_some(path)
    };
    absolute("XDG_STATE_HOME").or_else(|| Some(absolute("HOME")?.join(".local/state")))
}

/// The name of the first file, and a mark that tells these files from all others.
fn name(roots: &[PathBuf]) -> OsString {
    let first = roots.first().and_then(|root| root.file_name());
    let mut name = first.unwrap_or_default().to_owned();
    name.push(format!("-{:016x}", mark(roots)));
    name
}

/// The hash of Fowler, Noll and Vo: the same in every version.
fn mark(roots: &[PathBuf]) -> u64 {
    let bytes = |root: &PathBuf| [Path::as_os_str(root).as_bytes(), b"\0"].concat();
    let bytes = roots.iter().flat_map(bytes);
    bytes.fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_system_says_where_state_is() {
        let home = |state: Option<&str>, home: Option<&str>| {
            super::home(|name| match name {
                "XDG_STATE_HOME" => state.map(OsString::from),
                "HOME" => home.map(OsString::from),
                _ => None,
            })
        };
        let some = |path: &str| Some(PathBuf::from(path));
        assert_eq!(home(Some("/s"), Some("/h")), some("/s"));
        assert_eq!(home(Some("s"), Some("/h")), some("/h/.local/state"));
        assert_eq!(home(None, Some("/h")), some("/h/.local/state"));
        assert_eq!(home(Some(""), None), None);
    }

    #[test]
    fn other_files_have_another_state() {
        let name =
            |paths: &[&str]| super::name(&paths.iter().map(PathBuf::from).collect::<Vec<_>>());
        let one = name(&["/a/job.csv"]);
        assert!(one.to_string_lossy().starts_with("job.csv-"));
        assert_eq!(one, name(&["/a/job.csv"]));
        for other in [&["/b/job.csv"][..], &["/a/job.csv", "/a/k.csv"]] {
            assert_ne!(one, name(other));
        }
    }
}
