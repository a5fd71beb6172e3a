//! The functions that the hooks stand before: the next ones that the dynamic linker finds.
//!
//! Asking the linker takes its lock. A thread that a library starts and waits for while it is being
//! loaded would wait for that lock forever, so everything is looked up when the tracer is loaded; only
//! MPI and liburing may come later, as libraries of their own.

use crate::mpi::loaded;
use core::ffi::CStr;
use core::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// A function of another library. The alignment makes those of all hooks, which lie in a section of
/// their own, an array.
#[repr(C, align(32))]
pub(crate) struct Real {
    name: &'static CStr,
    address: AtomicUsize,
}

unsafe extern "C" {
    /// Where the section begins and ends; linkers name its ends so.
    #[link_name = "__start_iotempo_reals"]
    static FIRST: u8;
    #[link_name = "__stop_iotempo_reals"]
    static END: u8;
}

/// Looks up what the hooks stand before.
pub(crate) fn find_all() {
    find_those(|real| is_there_at_load(real.name));
    // Or the program would be told that a function of ours is missing; the second call lets go of it.
    unsafe {
        libc::dlerror();
        libc::dlerror();
    }
}

/// Whether a function comes with libc. To ask for others in vain would make the linker allocate, and
/// that before the program's own `malloc` may be ready.
fn is_there_at_load(name: &CStr) -> bool {
    let starts = |with: &[u8]| name.to_bytes().starts_with(with);
    let later = loaded::is_named_so(name) || starts(b"io_uring_");
    !later && (glibc_minor() >= 38 || !starts(b"__isoc23_"))
}

/// The 38 of 2.38.
fn glibc_minor() -> u32 {
    let version = unsafe { CStr::from_ptr(libc::gnu_get_libc_version()) }.to_bytes();
    let digits = version
        .iter()
        .skip(2)
        .take_while(|byte| byte.is_ascii_digit());
    digits.fold(0, |number, digit| 10 * number + u32::from(digit - b'0'))
}

fn find_those(wanted: impl Fn(&Real) -> bool) {
    let (first, end) = (&raw const FIRST, &raw const END);
    let count = (end as usize - first as usize) / size_of::<Real>();
    let all = unsafe { core::slice::from_raw_parts(first.cast::<Real>(), count) };
    for real in all.iter().filter(|real| wanted(real)) {
        real.look_up();
    }
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

    /// Libraries that the program needs may call before the tracer's own start. What is absent is
    /// asked for again each time: a library that has it may have been loaded.
    #[cold]
    #[inline(never)]
    fn find(&self, absent: usize) -> usize {
        keeping_errno(|| {
            if self.look_up() && loaded::is_named_so(self.name) {
                find_those(|real| loaded::is_named_so(real.name));
            }
        });
        match self.address.load(Relaxed) {
            0 => absent,
            address => address,
        }
    }

    fn look_up(&self) -> bool {
        if self.address.load(Relaxed) != 0 {
            return true;
        }
        let next = unsafe { libc::dlsym(libc::RTLD_NEXT, self.name.as_ptr()) };
        let found = if next.is_null() {
            loaded::find(self.name)
        } else {
            next
        };
        self.address.store(found as usize, Relaxed);
        !found.is_null()
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
/// that needs a destructor (but in MPI, where threads must not be cancelled), and what it calls of
/// ours is `extern "C"`, where a panic would abort.
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
            #[unsafe(link_section = "iotempo_reals")]
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
