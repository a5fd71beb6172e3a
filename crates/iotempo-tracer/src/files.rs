//! Which file a descriptor refers to.

use crate::process::{self, NAMES, Process};
use crate::settings::{self, Settings};
use crate::text::{PathText, Text};
use crate::{elsewhere, record, scratch, sys};
use core::ffi::{CStr, c_char, c_int};
use core::sync::atomic::Ordering::*;

/// Nothing is known yet about a descriptor.
const UNKNOWN: u32 = 0;
/// A descriptor, or a file, that is not traced.
pub(crate) const IGNORED: u32 = 1;
const FIRST: u32 = 2;
/// Places where a name may be listed: so few that files beyond the table cost little.
const PROBES: usize = 64;

/// The file behind a descriptor; [`IGNORED`] where it is not traced.
#[inline(always)]
pub(crate) fn of(fd: c_int) -> u32 {
    let Some(process) = process::get() else {
        return IGNORED;
    };
    match process
        .files
        .get(fd as usize)
        .map_or(UNKNOWN, |file| file.load(Relaxed))
    {
        UNKNOWN => identify(process, fd),
        file => file,
    }
}

/// A descriptor was opened: by this path, if that is known.
pub(crate) extern "C" fn opened(fd: c_int, path: *const c_char) -> u32 {
    let Some(process) = process::get().filter(|process| !process.is_borrowed()) else {
        return IGNORED;
    };
    if is_plainly_ignored(path) {
        remember(process, fd, IGNORED);
        return IGNORED;
    }
    identify(process, fd)
}

/// A descriptor is about to be closed. Returns the file that it was, if it was used at all.
pub(crate) extern "C" fn closing(fd: c_int) -> u32 {
    let Some(process) = process::get() else {
        return IGNORED;
    };
    let Some(file) = process.files.get(fd as usize) else {
        return IGNORED;
    };
    if file.load(Relaxed) == UNKNOWN || process.is_borrowed() {
        return IGNORED;
    }
    file.swap(UNKNOWN, Relaxed)
}

/// Descriptors in this range are about to be closed.
pub(crate) extern "C" fn closing_range(first: u32, last: u32) {
    let Some(process) = process::get().filter(|process| !process.is_borrowed()) else {
        return;
    };
    let last = last.min(process.highest.load(Relaxed)) as usize;
    for file in process.files.get(first as usize..=last).unwrap_or_default() {
        // Looking first leaves pages untouched that were never used.
        if file.load(Relaxed) != UNKNOWN {
            file.store(UNKNOWN, Relaxed);
        }
    }
}

/// A descriptor became another name of what an old one refers to.
pub(crate) extern "C" fn duplicated(old: c_int, new: c_int) {
    let Some(process) = process::get().filter(|process| !process.is_borrowed()) else {
        return;
    };
    if let Some(file) = process.files.get(old as usize) {
        remember(process, new, file.load(Relaxed));
    }
}

/// The number of a file that was opened by its name, by somebody whose descriptor is not known.
///
/// MPI-IO lets the name of a file system and a colon stand before the path.
pub(crate) extern "C" fn named(path: *const c_char) -> u32 {
    let (Some(process), Some(settings)) = (process::get(), settings::get()) else {
        return IGNORED;
    };
    if path.is_null() {
        return IGNORED;
    }
    let given = unsafe { CStr::from_ptr(path) };
    let number = scratch::with(process, |name| {
        if !resolve(given, name) {
            settings::push_absolute(name, given.to_bytes());
        }
        number_of(process, settings, name.as_bytes())
    });
    number.unwrap_or(IGNORED)
}

/// The kernel's name of what a path leads to, with a file system before it or without.
fn resolve(given: &CStr, name: &mut PathText) -> bool {
    let bytes = given.to_bytes_with_nul();
    let colon = bytes.iter().position(|&byte| byte == b':');
    let behind = colon.and_then(|colon| CStr::from_bytes_with_nul(bytes.get(colon + 1..)?).ok());
    resolved(given, name) || behind.is_some_and(|path| resolved(path, name))
}

/// The kernel's name of a file that exists, as descriptors have it.
pub(crate) fn resolved(path: &CStr, name: &mut PathText) -> bool {
    let name = core::cell::Cell::from_mut(name);
    let found = elsewhere::with_descriptor(|| {
        let fd = sys::open(path, libc::O_PATH, 0)?;
        let found = push_name_of(fd, unsafe { &mut *name.as_ptr() });
        sys::close(fd);
        Ok(found)
    });
    found.unwrap_or(false)
}

fn remember(process: &Process, fd: c_int, file: u32) {
    if let Some(slot) = process.files.get(fd as usize) {
        if fd as u32 > process.highest.load(Relaxed) {
            process.highest.fetch_max(fd as u32, Relaxed);
        }
        slot.store(file, Relaxed);
    }
}

/// Spares system files the look-up: programs open many of them.
fn is_plainly_ignored(path: *const c_char) -> bool {
    if path.is_null() {
        return false;
    }
    let path = unsafe { CStr::from_ptr(path) }.to_bytes();
    settings::get().is_some_and(|settings| settings.filter.plainly_ignores(path))
}

#[cold]
#[inline(never)]
extern "C" fn identify(process: &Process, fd: c_int) -> u32 {
    let (Some(settings), Some(kind)) = (settings::get(), sys::file_type(fd)) else {
        return IGNORED;
    };
    let file = match kind {
        libc::S_IFREG | libc::S_IFBLK | libc::S_IFCHR => by_path(process, settings, fd, kind),
        libc::S_IFIFO | libc::S_IFSOCK if settings.all => by_path(process, settings, fd, kind),
        // Nobody reads or writes a folder, and libc closes those of `fdopendir` unseen.
        libc::S_IFDIR => UNKNOWN,
        _ => IGNORED,
    };
    // The descriptors of a child of `vfork` are not those that the table is about.
    if !process.is_borrowed() {
        remember(process, fd, file);
    }
    file.max(IGNORED)
}

/// The kernel's name of an open file is absolute and the same in every process.
fn by_path(process: &Process, settings: &Settings, fd: c_int, kind: u32) -> u32 {
    let number = scratch::with(process, |name| {
        if push_name_of(fd, name) && kind == libc::S_IFBLK {
            let traced = settings.filter.traces_block_device(name.as_bytes());
            return if traced {
                numbered(process, name.as_bytes())
            } else {
                IGNORED
            };
        }
        if name.as_bytes().is_empty() {
            // Without /proc, descriptors are all that can be told apart.
            name.push(b"<descriptor ");
            name.push_number(fd.unsigned_abs().into());
            name.push(b">");
        }
        number_of(process, settings, name.as_bytes())
    });
    number.unwrap_or(IGNORED)
}

fn push_name_of(fd: c_int, name: &mut PathText) -> bool {
    let mut link = Text::<32>::new();
    link.push(b"/proc/self/fd/");
    link.push_number(fd.unsigned_abs().into());
    name.push_with(|room| sys::readlink(link.as_c(), room).map(<[u8]>::len))
}

/// The number of a file, if it is traced.
fn number_of(process: &Process, settings: &Settings, name: &[u8]) -> u32 {
    if settings.filter.traces(name) {
        numbered(process, name)
    } else {
        IGNORED
    }
}

/// The number of a file, which is named in the log when it is met for the first time.
fn numbered(process: &Process, name: &[u8]) -> u32 {
    // A name that cannot be written now must not be taken for one that was.
    if !process.is_ready() {
        return IGNORED;
    }
    let (file, is_new) = listed(process, hash(name).max(1)).unwrap_or_else(|| {
        let later = process.unlisted_files.fetch_add(1, Relaxed);
        ((FIRST + NAMES as u32).saturating_add(later), true)
    });
    if is_new {
        record::name(process, file, name);
    }
    file
}

/// The number of a listed file, and whether it was listed just now; none where there is no room.
fn listed(process: &Process, hash: u64) -> Option<(u32, bool)> {
    (0..PROBES).find_map(|probe| {
        let index = (hash as usize).wrapping_add(probe) % NAMES;
        let slot = process.names.get(index)?;
        // Looking first leaves the cache lines of a full table with all who read them.
        let found = match slot.load(Relaxed) {
            0 => slot.compare_exchange(0, hash, Relaxed, Relaxed),
            found => Err(found),
        };
        let is_ours = found.is_ok() || found == Err(hash);
        is_ours.then_some((FIRST + index as u32, found.is_ok()))
    })
}

/// Whether a bit of a file is set for the first time; always, where the file is not listed.
pub(crate) fn is_first(process: &Process, file: u32, bit: u16) -> bool {
    let noted = process.noted.get(file.wrapping_sub(FIRST) as usize);
    noted.is_none_or(|noted| {
        noted.load(Relaxed) & bit == 0 && noted.fetch_or(bit, Relaxed) & bit == 0
    })
}

/// FNV-1a, 64 bits: among 8192 names two are taken for one with a chance of 2e-12.
fn hash(name: &[u8]) -> u64 {
    name.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}
