//! Whether a folder can take logs, asked without touching what is on a disk: other ranks may be making it.

use rustix::fs::{Access, access, statvfs};
use std::fs;
use std::io;
use std::path::Path;

/// Why no log can be written in `folder`, which need not be there yet.
pub(super) fn refusal(folder: &Path) -> Option<String> {
    let folder = std::path::absolute(folder).ok()?;
    let there = folder.ancestors().find(|part| part.metadata().is_ok())?;
    let reason = refused(there).or_else(|| match there == folder {
        true => None,
        false => makes_no_folder(there),
    })?;
    let reason = match there == folder {
        true => reason,
        false => format!("{}: {reason}", there.display()),
    };
    Some(format!("no log can be written: {reason}"))
}

fn refused(folder: &Path) -> Option<String> {
    if !folder.is_dir() {
        return Some("not a folder".to_owned());
    }
    if let Err(error) = access(folder, Access::WRITE_OK | Access::EXEC_OK) {
        return Some(io::Error::from(error).to_string());
    }
    // Some file systems do not count blocks.
    let disk = statvfs(folder).ok().filter(|disk| disk.f_blocks > 0);
    disk.filter(|disk| disk.f_bfree == 0)
        .map(|_| "no space is left".to_owned())
}

/// Why no folder can be made here, although its mode allows that: file systems such as that of `/proc` hold what the
/// kernel puts there. They count no blocks, and only they are tried.
fn makes_no_folder(folder: &Path) -> Option<String> {
    statvfs(folder).ok().filter(|disk| disk.f_blocks == 0)?;
    let probe = folder.join(format!(".iotempo-{}", std::process::id()));
    match fs::create_dir(&probe) {
        // Nobody else has our number.
        Ok(()) => fs::remove_dir(&probe).err().map(|error| error.to_string()),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => None,
        Err(error) => Some(format!("no folder can be made there: {error}")),
    }
}

/// Why it cannot be known which logs are in `folder`.
pub(super) fn unlisted(folder: &Path) -> Option<String> {
    let error = fs::read_dir(folder).err()?;
    (error.kind() != io::ErrorKind::NotFound).then(|| format!("its logs cannot be read: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_is_judged_by_the_part_of_it_that_is_there() {
        let place = tempfile::tempdir().expect("a folder");
        let file = place.path().join("file");
        std::fs::write(&file, "").expect("a file");
        assert_eq!(refusal(place.path()), None);
        assert_eq!(refusal(&place.path().join("new/run")), None);
        assert!(!place.path().join("new").exists(), "only looked at");
        let said = refusal(&file.join("run")).expect("refused");
        assert!(said.ends_with("file: not a folder"), "{said}");
        if cfg!(target_os = "linux") {
            let said = refusal(Path::new("/proc/iotempo/run")).expect("refused");
            assert!(said.starts_with("no log can be written: /proc: "), "{said}");
        }
    }
}
