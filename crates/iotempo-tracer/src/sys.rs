//! System calls without libc: the tracer's own never touch `errno` and never meet a hook.

use core::ffi::{CStr, c_int};
use core::ptr::null_mut;
use libc::c_long;

/// A system call; errors come back as negative numbers.
#[cfg(target_arch = "x86_64")]
pub(crate) unsafe fn call(number: c_long, args: [usize; 6]) -> isize {
    let [a, b, c, d, e, f] = args;
    let result;
    unsafe {
        core::arch::asm!(
            "syscall",
            inlateout("rax") number as isize => result,
            in("rdi") a, in("rsi") b, in("rdx") c, in("r10") d, in("r8") e, in("r9") f,
            lateout("rcx") _, lateout("r11") _,
            options(nostack),
        );
    }
    result
}

/// A system call; errors come back as negative numbers.
#[cfg(target_arch = "aarch64")]
pub(crate) unsafe fn call(number: c_long, args: [usize; 6]) -> isize {
    let [a, b, c, d, e, f] = args;
    let result;
    unsafe {
        core::arch::asm!(
            "svc 0",
            in("x8") number,
            inlateout("x0") a => result,
            in("x1") b, in("x2") c, in("x3") d, in("x4") e, in("x5") f,
            options(nostack),
        );
    }
    result
}

macro_rules! syscall {
    ($number:expr $(, $arg:expr)*) => {{
        let given = [$($arg as usize),*];
        let mut args = [0usize; 6];
        let mut rest = args.iter_mut();
        for value in given {
            if let Some(slot) = rest.next() {
                *slot = value;
            }
        }
        unsafe { call($number, args) }
    }};
}

/// The error number of a failed call.
pub(crate) fn error_of(result: isize) -> Option<c_int> {
    (-4095..0).contains(&result).then_some(-result as c_int)
}

pub(crate) fn getpid() -> u32 {
    syscall!(libc::SYS_getpid) as u32
}

pub(crate) fn getppid() -> u32 {
    syscall!(libc::SYS_getppid) as u32
}

pub(crate) fn gettid() -> u32 {
    syscall!(libc::SYS_gettid) as u32
}

/// Whether a thread of this process still lives.
pub(crate) fn thread_lives(pid: u32, thread: u32) -> bool {
    error_of(syscall!(libc::SYS_tgkill, pid, thread, 0)) != Some(libc::ESRCH)
}

/// Where the next byte of a descriptor is read or written; a pipe has no such place.
pub(crate) fn offset(fd: c_int) -> Option<i64> {
    let offset = syscall!(libc::SYS_lseek, fd, 0, libc::SEEK_CUR);
    (offset >= 0).then_some(offset as i64)
}

/// Opens a file close-on-exec.
pub(crate) fn open(path: &CStr, flags: c_int, mode: u32) -> Result<c_int, c_int> {
    let flags = flags | libc::O_CLOEXEC;
    fallible(syscall!(
        libc::SYS_openat,
        libc::AT_FDCWD,
        path.as_ptr(),
        flags,
        mode
    ))
    .map(|fd| fd as c_int)
}

pub(crate) fn close(fd: c_int) {
    syscall!(libc::SYS_close, fd);
}

pub(crate) fn mkdir(path: &CStr, mode: u32) -> Result<(), c_int> {
    fallible(syscall!(
        libc::SYS_mkdirat,
        libc::AT_FDCWD,
        path.as_ptr(),
        mode
    ))
    .map(drop)
}

pub(crate) fn unlink(path: &CStr) {
    syscall!(libc::SYS_unlinkat, libc::AT_FDCWD, path.as_ptr(), 0);
}

pub(crate) fn write(fd: c_int, text: &[u8]) {
    syscall!(libc::SYS_write, fd, text.as_ptr(), text.len());
}

/// Writes parts of a line in one call.
pub(crate) fn write_all<const N: usize>(fd: c_int, parts: [&[u8]; N]) {
    let parts = parts.map(|part| libc::iovec {
        iov_base: part.as_ptr().cast_mut().cast(),
        iov_len: part.len(),
    });
    syscall!(libc::SYS_writev, fd, parts.as_ptr(), N);
}

/// Where a symbolic link leads, as much of it as fits.
pub(crate) fn readlink<'a>(path: &CStr, into: &'a mut [u8]) -> Option<&'a [u8]> {
    let (buffer, size) = (into.as_mut_ptr(), into.len());
    let length = syscall!(
        libc::SYS_readlinkat,
        libc::AT_FDCWD,
        path.as_ptr(),
        buffer,
        size
    );
    usize::try_from(length).ok().and_then(|n| into.get(..n))
}

/// The type bits of what a descriptor refers to.
pub(crate) fn file_type(fd: c_int) -> Option<u32> {
    status(fd).map(|status| status.st_mode & libc::S_IFMT)
}

/// The device and the number of what a descriptor refers to.
pub(crate) fn identity(fd: c_int) -> Option<(u64, u64)> {
    status(fd).map(|status| (status.st_dev, status.st_ino))
}

fn status(fd: c_int) -> Option<libc::stat> {
    let mut status = core::mem::MaybeUninit::<libc::stat>::zeroed();
    let result = syscall!(libc::SYS_fstat, fd, status.as_mut_ptr());
    (result == 0).then(|| unsafe { status.assume_init() })
}

/// Gives `length` bytes at `offset` room on the disk, so that storing to them cannot fail later.
///
/// Zeros are written instead of calling `fallocate`: pages that lie in the page cache already are
/// mapped at a third of the cost, and every file system can do it.
pub(crate) fn write_zeros(fd: c_int, offset: u64, length: usize) -> Result<(), c_int> {
    const PARTS: usize = 16;
    static ZEROS: [u8; 65536] = [0; 65536];
    let mut done = 0;
    while done < length {
        // In one call, so that the kernel can take large pages.
        let mut left = length - done;
        let mut parts = [libc::iovec {
            iov_base: ZEROS.as_ptr().cast_mut().cast(),
            iov_len: 0,
        }; PARTS];
        for part in &mut parts {
            part.iov_len = ZEROS.len().min(left);
            left -= part.iov_len;
        }
        let (at, high) = (offset + done as u64, 0);
        match fallible(syscall!(
            libc::SYS_pwritev,
            fd,
            parts.as_ptr(),
            PARTS,
            at,
            high
        ))? {
            0 => return Err(libc::ENOSPC),
            n => done += n,
        }
    }
    Ok(())
}

/// Maps a stretch of a file so that what is stored there reaches the file.
pub(crate) fn map_shared(fd: c_int, offset: u64, length: usize) -> Result<*mut u8, c_int> {
    let access = libc::PROT_READ | libc::PROT_WRITE;
    map(length, access, libc::MAP_SHARED, fd, offset)
}

/// Zeroed memory that nobody else sees.
pub(crate) fn map_private(length: usize) -> Result<*mut u8, c_int> {
    let access = libc::PROT_READ | libc::PROT_WRITE;
    let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE;
    map(length, access, flags, -1, 0)
}

fn map(length: usize, access: c_int, flags: c_int, fd: c_int, at: u64) -> Result<*mut u8, c_int> {
    let anywhere = null_mut::<u8>();
    fallible(syscall!(
        libc::SYS_mmap,
        anywhere,
        length,
        access,
        flags,
        fd,
        at
    ))
    .map(|address| address as *mut u8)
}

pub(crate) fn unmap(address: *mut u8, length: usize) {
    syscall!(libc::SYS_munmap, address, length);
}

/// Frees the pages of a shared mapping, which stays.
pub(crate) fn give_back_pages(address: *mut u8, length: usize) {
    syscall!(libc::SYS_madvise, address, length, libc::MADV_DONTNEED);
}

/// Lets a child made by any kind of fork find zeros here.
pub(crate) fn wipe_on_fork(address: *mut u8, length: usize) {
    syscall!(libc::SYS_madvise, address, length, libc::MADV_WIPEONFORK);
}

/// How large the process may make a file.
pub(crate) fn file_size_limit() -> u64 {
    let mut limit = libc::rlimit64 {
        rlim_cur: u64::MAX,
        rlim_max: u64::MAX,
    };
    let (nobody, none) = (0, null_mut::<u8>());
    syscall!(
        libc::SYS_prlimit64,
        nobody,
        libc::RLIMIT_FSIZE,
        none,
        &raw mut limit
    );
    limit.rlim_cur
}

/// Blocks every signal for this thread and returns what was blocked before.
pub(crate) fn block_signals() -> u64 {
    let (all, mut before) = (u64::MAX, 0u64);
    let (new, old) = (&raw const all, &raw mut before);
    syscall!(
        libc::SYS_rt_sigprocmask,
        libc::SIG_BLOCK,
        new,
        old,
        size_of::<u64>()
    );
    before
}

pub(crate) fn restore_signals(mask: u64) {
    let (new, none) = (&raw const mask, null_mut::<u64>());
    syscall!(
        libc::SYS_rt_sigprocmask,
        libc::SIG_SETMASK,
        new,
        none,
        size_of::<u64>()
    );
}

/// Waits for a child that announces its end by no signal.
pub(crate) fn reap(child: c_int) {
    let (none, nothing) = (null_mut::<c_int>(), null_mut::<u8>());
    syscall!(libc::SYS_wait4, child, none, libc::__WALL, nothing);
}

pub(crate) fn yield_now() {
    syscall!(libc::SYS_sched_yield);
}

fn fallible(result: isize) -> Result<usize, c_int> {
    error_of(result).map_or(Ok(result as usize), Err)
}
