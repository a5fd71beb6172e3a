//! Which paths are worth a record.

use iotempo_model::pattern::{Pattern, PatternError};

/// Folders that lead elsewhere, such as `/dev/stdout`, `/proc/self/fd/1` and `/proc/self/cwd`.
const LEADING_ELSEWHERE: [&[u8]; 2] = [b"/proc", b"/dev"];
/// What programs read to start, not to work.
const SYSTEM: [&[u8]; 8] = [
    b"/sys",
    b"/etc",
    b"/lib",
    b"/lib64",
    b"/usr/lib",
    b"/usr/lib64",
    b"/usr/share",
    b"/usr/libexec",
];
/// Devices that benchmarks write to.
const DEVICES: [&[u8]; 3] = [b"/dev/shm", b"/dev/null", b"/dev/zero"];

/// How memory begins that MPI libraries share between processes: UCX, MPICH, Open MPI, PSM, Intel MPI.
const SHARED: [&[u8]; 8] = [
    b"/dev/shm/ucx_shm_",
    b"/dev/shm/mpich_shar_tmp",
    b"/dev/shm/vader_segment.",
    b"/dev/shm/sm_segment.",
    b"/dev/shm/open_mpi.",
    b"/dev/shm/psm2_shm",
    b"/dev/shm/psm3_shm",
    b"/dev/shm/Intel_MPI_",
];
/// Folders for temporary files where Open MPI keeps what a run needs: how one begins, and how one in it does.
const SESSIONS: [(&[u8], &[u8]); 4] = [
    (b"ompi.", b"pid."),
    (b"ompi.", b"jf."),
    (b"prte.", b"dvm."),
    (b"openmpi-sessions-", b""),
];

/// What the environment asks for.
pub(crate) struct Filter {
    include: Option<Pattern>,
    exclude: Option<Pattern>,
    temporary: Folder,
}

/// A path of a folder that needs no allocation; empty where there is no room for it.
struct Folder {
    bytes: [u8; 256],
    length: usize,
}

impl Folder {
    fn new(path: &[u8]) -> Self {
        let mut bytes = [0; 256];
        let place = bytes.get_mut(..path.len());
        let length = place.map_or(0, |place| {
            place.copy_from_slice(path);
            path.len()
        });
        Self { bytes, length }
    }

    /// What follows this folder in a path that lies in it.
    fn rest_of<'a>(&self, path: &'a [u8]) -> Option<&'a [u8]> {
        let folder = self
            .bytes
            .get(..self.length)
            .filter(|folder| !folder.is_empty())?;
        path.strip_prefix(folder)?.strip_prefix(b"/")
    }
}

impl Filter {
    /// # Errors
    /// Where a text is no pattern. An empty one counts as none.
    pub(crate) fn new(
        include: &[u8],
        exclude: &[u8],
        temporary: &[u8],
    ) -> Result<Self, PatternError> {
        Ok(Self {
            include: compiled(include)?,
            exclude: compiled(exclude)?,
            temporary: Folder::new(temporary),
        })
    }

    /// Whether a path is traced: not if it is excluded; if there is something to include, only if
    /// it is that; otherwise if it is neither a system file nor a shared library nor kept
    /// by an MPI library for itself.
    pub(crate) fn traces(&self, path: &[u8]) -> bool {
        self.chosen(path)
            .unwrap_or_else(|| !is_system(path) && !self.is_session(path))
    }

    /// The same for a block device: they are work, wherever they are.
    pub(crate) fn traces_block_device(&self, path: &[u8]) -> bool {
        self.chosen(path).unwrap_or(true)
    }

    /// What Open MPI keeps for a run.
    fn is_session(&self, path: &[u8]) -> bool {
        let rest = self.temporary.rest_of(path).unwrap_or_default();
        let mut names = rest.split(|&byte| byte == b'/');
        let (name, next) = (names.next(), names.next());
        SESSIONS.iter().any(|(folder, inner)| {
            let is = |name: Option<&[u8]>, start| name.is_some_and(|name| name.starts_with(start));
            is(name, folder) && is(next, inner)
        })
    }

    /// What the lists say about a path, if they do.
    fn chosen(&self, path: &[u8]) -> Option<bool> {
        let found = |pattern: &Pattern| pattern.finds(path);
        if self.exclude.as_ref().is_some_and(found) {
            return Some(false);
        }
        self.include.as_ref().map(found)
    }

    /// Whether a path as a program spells it is not traced, whatever the kernel calls the file.
    pub(crate) fn plainly_ignores(&self, path: &[u8]) -> bool {
        let climbs = || path.windows(3).any(|three| three == b"/..");
        self.include.is_none() && SYSTEM.iter().any(|folder| is_within(path, folder)) && !climbs()
    }
}

fn compiled(text: &[u8]) -> Result<Option<Pattern>, PatternError> {
    // What is not UTF-8 can be written as \xHH.
    let text = core::str::from_utf8(text).unwrap_or("\\");
    match text {
        "" => Ok(None),
        text => Pattern::new(text).map(Some),
    }
}

fn is_system(path: &[u8]) -> bool {
    let within = |folder: &&[u8]| is_within(path, folder);
    SYSTEM.iter().any(within)
        || (LEADING_ELSEWHERE.iter().any(within) && !DEVICES.iter().any(within))
        || is_shared_library(path)
        || SHARED.iter().any(|start| path.starts_with(start))
}

/// `libm.so` and `libm.so.6`.
fn is_shared_library(path: &[u8]) -> bool {
    let is_version = |five: &[u8]| {
        let (dots, digit) = five.split_at(4);
        dots == b".so." && digit.iter().all(u8::is_ascii_digit)
    };
    path.ends_with(b".so") || path.windows(5).any(is_version)
}

/// Whether a path is `folder` or lies below it.
fn is_within(path: &[u8], folder: &[u8]) -> bool {
    let folder = folder.strip_suffix(b"/").unwrap_or(folder);
    path.strip_prefix(folder)
        .is_some_and(|rest| rest.is_empty() || rest.starts_with(b"/"))
}
