//! Where the functions of MPI are, also in libraries that only a part of the program can see.

use crate::text::Text;
use core::ffi::{CStr, c_char, c_int, c_void};
use core::ptr::null_mut;

/// How many libraries of MPI are looked at; one of them has the functions of C.
const MOST_LOADED: usize = 16;

struct Loaded {
    names: [*const c_char; MOST_LOADED],
    count: usize,
}

/// A function of MPI that `RTLD_NEXT` does not find.
///
/// Where a library has no functions for large counts, programs that probe for them would find
/// hooks; so those of older libraries serve instead.
pub(crate) fn find(name: &CStr) -> *mut c_void {
    if !is_named_so(name) {
        return null_mut();
    }
    let found = search(name);
    if !found.is_null() {
        return found;
    }
    let Some(short) = name.to_bytes().strip_suffix(b"_c") else {
        return null_mut();
    };
    let mut text = Text::<64>::new();
    text.push(short);
    search(text.as_c())
}

/// Looks for a symbol, also in libraries that were loaded for one module only, as Python loads
/// modules: they are not in the scope that `RTLD_NEXT` looks through, but the module finds our hooks.
pub(super) fn search(name: &CStr) -> *mut c_void {
    let next = unsafe { libc::dlsym(libc::RTLD_NEXT, name.as_ptr()) };
    if !next.is_null() {
        return next;
    }
    let loaded = loaded();
    let mut names = loaded.names.iter().take(loaded.count);
    names
        .find_map(|&library| unsafe { symbol_of(library, name) })
        .unwrap_or(null_mut())
}

/// Whether a symbol is one of MPI, by its name.
pub(crate) fn is_named_so(name: &CStr) -> bool {
    let starts: [&[u8]; 4] = [b"MPI_", b"PMPI_", b"ompi_", b"MPIR_"];
    starts
        .iter()
        .any(|start| name.to_bytes().starts_with(start))
}

unsafe fn symbol_of(library: *const c_char, name: &CStr) -> Option<*mut c_void> {
    unsafe {
        let handle = libc::dlopen(library, libc::RTLD_LAZY | libc::RTLD_NOLOAD);
        if handle.is_null() {
            return None;
        }
        let symbol = libc::dlsym(handle, name.as_ptr());
        libc::dlclose(handle);
        (!symbol.is_null()).then_some(symbol)
    }
}

/// MPI 5 defines an ABI of its own, with a library of its own name.
pub(super) fn has_standard_abi() -> bool {
    let loaded = loaded();
    let mut names = loaded.names.iter().take(loaded.count);
    names.any(|&name| unsafe { base_name(name) }.starts_with(b"libmpi_abi"))
}

fn loaded() -> Loaded {
    let mut loaded = Loaded {
        names: [core::ptr::null(); MOST_LOADED],
        count: 0,
    };
    unsafe { libc::dl_iterate_phdr(Some(note), (&raw mut loaded).cast()) };
    loaded
}

/// The loader must not be called from here, so names are only collected.
unsafe extern "C" fn note(info: *mut libc::dl_phdr_info, _: usize, into: *mut c_void) -> c_int {
    unsafe {
        let (name, loaded) = ((*info).dlpi_name, &mut *into.cast::<Loaded>());
        if !name.is_null()
            && base_name(name).starts_with(b"libmpi")
            && let Some(place) = loaded.names.get_mut(loaded.count)
        {
            *place = name;
            loaded.count += 1;
        }
    }
    0
}

unsafe fn base_name<'a>(path: *const c_char) -> &'a [u8] {
    let path = unsafe { CStr::from_ptr(path) }.to_bytes();
    path.rsplit(|&byte| byte == b'/').next().unwrap_or_default()
}
