//! Files of outputs that are not whole yet. None stays behind, whatever ends the program.

use std::collections::BTreeSet;
use std::fs::{File, Permissions};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use tempfile::{Builder, TempPath};

/// What files of unfinished outputs are called: `.iotempo-…​.tmp`.
pub(crate) const UNFINISHED: (&str, &str) = (".iotempo-", ".tmp");

/// All that exist. Who holds the lock keeps files from being made and named.
static ALL: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

fn all() -> MutexGuard<'static, BTreeSet<PathBuf>> {
    ALL.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A file that goes away unless it is given a name.
pub(super) struct Unfinished(Option<TempPath>);

impl Unfinished {
    /// Makes a file in `folder`.
    pub(super) fn create(folder: &Path) -> io::Result<(File, Self)> {
        #[cfg(unix)]
        signals::watch();
        let mut builder = Builder::new();
        builder.prefix(UNFINISHED.0).suffix(UNFINISHED.1);
        if let Some(permissions) = permissions() {
            builder.permissions(permissions);
        }
        let mut all = all();
        let (file, path) = builder.tempfile_in(folder)?.into_parts();
        all.insert(path.to_path_buf());
        Ok((file, Self(Some(path))))
    }

    /// Gives it the name `path`, in place of whatever had it.
    pub(super) fn persist(mut self, path: &Path) -> io::Result<()> {
        let mut all = all();
        let Some(unfinished) = self.0.take() else {
            return Ok(());
        };
        all.remove::<Path>(&unfinished);
        unfinished.persist(path).map_err(|error| error.error)
    }
}

impl Drop for Unfinished {
    fn drop(&mut self) {
        if let Some(unfinished) = self.0.take() {
            all().remove::<Path>(&unfinished);
        }
    }
}

/// Those of any new file: the user's umask takes its part away.
#[cfg(unix)]
fn permissions() -> Option<Permissions> {
    use std::os::unix::fs::PermissionsExt;
    Some(Permissions::from_mode(0o666))
}

#[cfg(not(unix))]
fn permissions() -> Option<Permissions> {
    None
}

#[cfg(unix)]
pub(crate) use signals::ignored as ignored_signals;

/// Cleans up before a signal ends the program.
#[cfg(unix)]
mod signals {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    use signal_hook::iterator::Signals;
    use signal_hook::low_level::emulate_default_handler;
    use std::fs;
    use std::sync::Once;
    use std::thread;

    static WATCH: Once = Once::new();

    /// Begins to listen, once.
    pub(super) fn watch() {
        WATCH.call_once(|| {
            let ignored = ignored();
            let ours = [SIGHUP, SIGINT, SIGTERM];
            let ours = ours.into_iter().filter(|signal| !ignored(*signal));
            if let Ok(mut signals) = Signals::new(ours) {
                thread::spawn(move || signals.forever().for_each(end));
            }
        });
    }

    fn end(signal: i32) {
        // Never unlocked: nothing is made or named between here and the end.
        let all = super::all();
        for path in all.iter() {
            let _ = fs::remove_file(path);
        }
        let _ = emulate_default_handler(signal);
    }

    /// Which signals we were started to ignore: `nohup` ignores hangups, and must be obeyed. Where
    /// the system does not say, hangups are left alone.
    pub(crate) fn ignored() -> impl Fn(i32) -> bool {
        let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
        let line = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
        let mask = line.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
        let mask = mask.unwrap_or(1 << (SIGHUP - 1));
        move |signal| mask >> (signal - 1) & 1 == 1
    }
}
