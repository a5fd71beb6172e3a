//! What belongs to one process. It lies in memory that a fork wipes, so that a child finds itself
//! at the start, whichever way it was made, and writes a log of its own.

use crate::ring::RingNames;
use crate::settings::{self, Settings};
use crate::text::Text;
use crate::thread::{self, LEASES, Lease};
use crate::{log, mpi, scratch, sys};
use core::cell::UnsafeCell;
use core::ptr::null_mut;
use core::sync::atomic::{AtomicPtr, AtomicU16, AtomicU32, AtomicU64, Ordering::*};
use iotempo_model::wire::Header;

/// Descriptors that can be known: the most that Linux grants by default.
const DESCRIPTORS: usize = 1 << 20;
/// Files whose names are written once only; later ones are named at every open.
pub(crate) const NAMES: usize = 8192;
/// Chunks that a ring can use again: 4 GiB of log.
pub(crate) const KNOWN_CHUNKS: usize = 1 << 16;

/// Values of [`Process::phase`]; a fork wipes it to `NEW`.
const NEW: u32 = 0;
const STARTING: u32 = 1;
const READY: u32 = 2;
const STOPPED: u32 = 3;

static PROCESS: AtomicPtr<Process> = AtomicPtr::new(null_mut());

/// All of it may be zero. What every record looks at comes first, in one cache line that is
/// seldom written to.
#[repr(C, align(64))]
pub(crate) struct Process {
    phase: AtomicU32,
    pid: AtomicU32,
    /// When both clocks are to be read together again, in ticks.
    pub(crate) clock_due: AtomicU64,
    /// Requests within so many ticks share a record.
    pub(crate) coalesce_ticks: AtomicU64,
    /// The same for characters of streams, which always share records.
    pub(crate) byte_ticks: AtomicU64,
    /// Ticks between two looks at both clocks.
    pub(crate) clock_ticks: AtomicU64,
    pub(crate) names: [AtomicU64; NAMES],
    pub(crate) header: AtomicPtr<Header>,
    pub(crate) chunks: AtomicU32,
    pub(crate) sequence: AtomicU32,
    pub(crate) unlisted_files: AtomicU32,
    /// What was noted of the files in `names`, as bits.
    pub(crate) noted: [AtomicU16; NAMES],
    /// Written while starting, read afterwards.
    pub(crate) path: UnsafeCell<crate::text::PathText>,
    /// Chunks that are full: when they were taken, plus one.
    pub(crate) retired: [AtomicU32; KNOWN_CHUNKS],
    pub(crate) leases_used: AtomicU32,
    pub(crate) next_probe: AtomicU32,
    pub(crate) leases: [Lease; LEASES],
    /// Where names go that a ring must keep.
    pub(crate) ring_names: RingNames,
    pub(crate) mpi: mpi::State,
    /// No descriptor above this one was ever known.
    pub(crate) highest: AtomicU32,
    pub(crate) scratch: [scratch::Place; scratch::PLACES],
    pub(crate) files: [AtomicU32; DESCRIPTORS],
}

/// Makes the state of this process when the library is loaded.
pub(crate) fn make() -> bool {
    let Some(process) = fresh() else { return false };
    sys::wipe_on_fork(process.cast(), size_of::<Process>());
    // Kernels before 4.14 and emulators do not wipe; then libc must tell of its forks.
    unsafe { libc::pthread_atfork(None, None, Some(in_child)) };
    unsafe { (*process).pid.store(sys::getpid(), Relaxed) };
    PROCESS.store(process, Release);
    true
}

fn fresh() -> Option<*mut Process> {
    sys::map_private(size_of::<Process>())
        .ok()
        .map(|memory| memory.cast())
}

extern "C" fn in_child() {
    if get().is_some_and(|process| process.pid() != 0) {
        PROCESS.store(fresh().unwrap_or(null_mut()), Release);
    }
}

/// The process, if anything is traced.
#[inline(always)]
pub(crate) fn get() -> Option<&'static Process> {
    unsafe { PROCESS.load(Acquire).as_ref() }
}

impl Process {
    /// Whether records can be written; makes the log at the first of them.
    #[inline(always)]
    pub(crate) fn is_ready(&self) -> bool {
        self.phase.load(Acquire) == READY || self.start()
    }

    /// Whether the log exists.
    pub(crate) fn has_log(&self) -> bool {
        self.phase.load(Acquire) == READY
    }

    /// Whether there was a log, be it that nothing more goes into it.
    pub(crate) fn has_header(&self) -> bool {
        !self.header.load(Acquire).is_null()
    }

    /// Whether a child of `vfork` calls, which has our memory but descriptors of its own.
    pub(crate) fn is_borrowed(&self) -> bool {
        let now = sys::getpid();
        let before = self.pid.compare_exchange(0, now, Relaxed, Relaxed);
        before.is_err_and(|owner| owner != now)
    }

    #[cold]
    #[inline(never)]
    extern "C" fn start(&self) -> bool {
        let mask = sys::block_signals();
        let ready = !self.is_borrowed() && self.start_once();
        sys::restore_signals(mask);
        ready
    }

    fn start_once(&self) -> bool {
        loop {
            match self.phase.compare_exchange(NEW, STARTING, AcqRel, Acquire) {
                Ok(_) => return self.create_log(),
                Err(STARTING) => sys::yield_now(),
                Err(phase) => return phase == READY,
            }
        }
    }

    fn create_log(&self) -> bool {
        thread::forget();
        let created = settings::get().map(|settings| log::create(self, settings));
        match created {
            Some(Ok(())) => {
                self.phase.store(READY, Release);
                true
            }
            Some(Err(error)) => {
                self.stop(error);
                false
            }
            None => false,
        }
    }

    /// Ends tracing for good and says why, once.
    pub(crate) fn stop(&self, error: i32) {
        if self.phase.swap(STOPPED, AcqRel) == STOPPED {
            return;
        }
        settings::stop();
        log::mark_stopped(self);
        if let Some(settings) = settings::get() {
            complain(settings, error);
        }
    }

    pub(crate) fn pid(&self) -> u32 {
        self.pid.load(Relaxed)
    }
}

fn complain(settings: &Settings, error: i32) {
    // The program may have put a file of its own in the place of stderr.
    if settings.stderr.is_none() || sys::identity(2) != settings.stderr {
        return;
    }
    let mut number = Text::<16>::new();
    number.push_number(error.unsigned_abs().into());
    sys::write_all(
        2,
        [
            b"iotempo: tracing stops, the program goes on: no log can be written in ",
            settings.folder.as_bytes(),
            reason(error),
            b" (error ",
            number.as_bytes(),
            b")\n",
        ],
    );
}

fn reason(error: i32) -> &'static [u8] {
    match error {
        libc::ENOSPC => b": no space is left",
        libc::EDQUOT => b": the quota is used up",
        libc::EFBIG => b": the limit of file sizes is reached",
        libc::EACCES | libc::EPERM => b": permission denied",
        libc::EROFS => b": the file system is read-only",
        libc::ENOENT => b": no such folder",
        libc::ENOTDIR => b": not a folder",
        libc::EMFILE | libc::ENFILE => b": no descriptor is left",
        libc::ENOMEM => b": no memory is left",
        _ => b"",
    }
}
