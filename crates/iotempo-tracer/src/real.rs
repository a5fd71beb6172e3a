//! The functions that the hooks stand before: the next ones that the dynamic linker finds.

use crate::mpi::loaded;
use core::ffi::CStr;
use core::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// A function that is looked up when it is first called.
pub(crate) struct Real {
    name: &'static CStr,
    address: AtomicUsize,
}

impl Real {
    pub(crate) const fn new(name: &'static CStr) -> Self {
        Self {
            name,
            address: AtomicUsize::new(0),
        }
    }

    /// Its address, or `absent` where no library has it.
    #[inline(always)]
    pub(crate) fn address(&self, absent: usize) -> usize {
        match self.address.load(Relaxed) {
            0 => self.find(absent),
            address => address,
        }
    }

    #[cold]
    #[inline(never)]
    fn find(&self, absent: usize) -> usize {
        let found = keeping_errno(|| {
            let next = unsafe { libc::dlsym(libc::RTLD_NEXT, self.name.as_ptr()) };
            if next.is_null() {
                loaded::find(self.name)
            } else {
                next
            }
        });
        // A library of MPI may still be loaded later.
        if found.is_null() && loaded::is_named_so(self.name) {
            return absent;
        }
        let address = if found.is_null() {
            absent
        } else {
            found as usize
        };
        self.address.store(address, Relaxed);
        address
    }
}

/// Acts, and leaves `errno` as it was.
pub(crate) fn keeping_errno<R>(act: impl FnOnce() -> R) -> R {
    unsafe {
        let errno = libc::__errno_location();
        let before = *errno;
        let result = act();
        *errno = before;
        result
    }
}

/// Stands in for a function that libc does not have: -1, and `ENOSYS`.
pub(crate) unsafe extern "C-unwind" fn absent() -> isize {
    unsafe { *libc::__errno_location() = libc::ENOSYS };
    -1
}

/// The same for functions that return a pointer.
pub(crate) unsafe extern "C-unwind" fn absent_null() -> usize {
    unsafe { *libc::__errno_location() = libc::ENOSYS };
    0
}

/// Defines an exported function with the real one at hand under the name before the arrow.
///
/// The ABI lets a cancelled thread unwind through a hook. So a hook itself must not hold anything
/// that needs a destructor, and what it calls of ours is `extern "C"`, where a panic would abort.
macro_rules! hook {
    ($(fn $name:ident($($arg:ident: $type:ty),* $(,)?) -> $result:ty, $real:ident
        $(or $absent:path)? => $body:block)*) => {$(
        #[unsafe(no_mangle)]
        #[allow(clippy::missing_safety_doc, missing_docs)]
        pub unsafe extern "C-unwind" fn $name($($arg: $type),*) -> $result {
            type Function = unsafe extern "C-unwind" fn($($type),*) -> $result;
            const NAME: &core::ffi::CStr =
                match core::ffi::CStr::from_bytes_with_nul(concat!(stringify!($name), "\0").as_bytes()) {
                    Ok(name) => name,
                    Err(_) => c"",
                };
            static REAL: $crate::real::Real = $crate::real::Real::new(NAME);
            #[allow(unused_mut, unused_assignments)]
            let mut absent = $crate::real::absent as *const () as usize;
            $(absent = $absent as *const () as usize;)?
            let $real: Function = unsafe { core::mem::transmute(REAL.address(absent)) };
            #[allow(unused_unsafe)]
            unsafe { $body }
        }
    )*};
}
pub(crate) use hook;
