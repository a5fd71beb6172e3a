//! Which paths are worth a record.

/// What programs read to start, not to work.
const SYSTEM: [&[u8]; 10] = [
    b"/proc",
    b"/sys",
    b"/dev",
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

/// Memory that MPI libraries share between processes, and what they keep about a run: UCX, MPICH,
/// Open MPI, libfabric, PSM.
const LIBRARIES: [&[u8]; 8] = [
    b"/dev/shm/ucx_shm_*",
    b"/dev/shm/mpich_shar_tmp*",
    b"/dev/shm/vader_segment.*",
    b"/dev/shm/sm_segment.*",
    b"/dev/shm/psm*_shm.*",
    b"/dev/shm/Intel_MPI_*",
    b"*/ompi.*/pid.*",
    b"*/openmpi-sessions-*",
];

/// Whether a path is traced, given lists of patterns that are parted by colons.
///
/// A path that is excluded is not. Where there is an include list, it decides; otherwise all but
/// system files, shared libraries and what MPI libraries keep for themselves are traced.
pub(crate) fn traced(path: &[u8], include: &[u8], exclude: &[u8]) -> bool {
    if in_list(path, exclude) {
        return false;
    }
    if include.is_empty() {
        !is_system(path)
    } else {
        in_list(path, include)
    }
}

fn is_system(path: &[u8]) -> bool {
    let within = |folder: &&[u8]| is_within(path, folder);
    (SYSTEM.iter().any(within) && !DEVICES.iter().any(within))
        || is_shared_library(path)
        || LIBRARIES.iter().any(|pattern| matches(path, pattern))
}

/// `libm.so` and `libm.so.6`.
fn is_shared_library(path: &[u8]) -> bool {
    matches(path, b"*.so") || matches(path, b"*.so.[0-9]*")
}

fn in_list(path: &[u8], list: &[u8]) -> bool {
    let mut patterns = list
        .split(|&byte| byte == b':')
        .filter(|one| !one.is_empty());
    patterns.any(|pattern| {
        if pattern.iter().any(|byte| b"*?[".contains(byte)) {
            matches(path, pattern)
        } else {
            is_within(path, pattern)
        }
    })
}

/// Whether a path is `folder` or lies below it.
fn is_within(path: &[u8], folder: &[u8]) -> bool {
    let folder = folder.strip_suffix(b"/").unwrap_or(folder);
    path.strip_prefix(folder)
        .is_some_and(|rest| rest.is_empty() || rest.starts_with(b"/"))
}

/// Shell patterns over the whole path: `*` (slashes too), `?`, `[a-z]`, `[!a-z]`.
fn matches(path: &[u8], pattern: &[u8]) -> bool {
    let (mut text, mut rest) = (path, pattern);
    // Where to go on if what follows the last star does not fit: one byte further.
    let mut retry: Option<(&[u8], &[u8])> = None;
    loop {
        if let Some((b'*', after)) = rest.split_first() {
            retry = Some((text, after));
            rest = after;
            continue;
        }
        if text.is_empty() && rest.is_empty() {
            return true;
        }
        if let Some(after) = one_step(text, rest) {
            (text, rest) = after;
            continue;
        }
        let Some(((_, shorter), after)) = retry.and_then(|(t, p)| Some((t.split_first()?, p)))
        else {
            return false;
        };
        retry = Some((shorter, after));
        (text, rest) = (shorter, after);
    }
}

/// Matches one byte and returns what remains of both.
fn one_step<'a>(text: &'a [u8], pattern: &'a [u8]) -> Option<(&'a [u8], &'a [u8])> {
    let (&byte, text) = text.split_first()?;
    let (&wanted, after) = pattern.split_first()?;
    match wanted {
        b'?' => Some((text, after)),
        b'[' => {
            let end = after.iter().skip(1).position(|&b| b == b']')? + 1;
            let (set, after) = (after.get(..end)?, after.get(end + 1..)?);
            in_set(byte, set).then_some((text, after))
        }
        _ => (byte == wanted).then_some((text, after)),
    }
}

fn in_set(byte: u8, set: &[u8]) -> bool {
    let (negated, mut set) = match set {
        [b'!', rest @ ..] => (true, rest),
        _ => (false, set),
    };
    let mut found = false;
    loop {
        set = match set {
            [low, b'-', high, rest @ ..] => {
                found |= (*low..=*high).contains(&byte);
                rest
            }
            [one, rest @ ..] => {
                found |= *one == byte;
                rest
            }
            [] => return found != negated,
        };
    }
}
