//! Ticks: a counter of the processor where it is invariant, else monotonic nanoseconds.

use core::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

static COUNTER: AtomicBool = AtomicBool::new(false);
static START_TICKS: AtomicU64 = AtomicU64::new(0);
static START_NS: AtomicU64 = AtomicU64::new(0);

/// Long enough that reading both clocks, some 50 ns apart, leaves an error below 0.1 %.
const CALIBRATION_NS: u64 = 200_000;

/// The same moment on both clocks.
#[derive(Clone, Copy)]
pub(crate) struct Pair {
    pub(crate) ticks: u64,
    pub(crate) monotonic_ns: u64,
}

/// Chooses the clock, once, when the library is loaded.
pub(crate) fn choose() {
    COUNTER.store(counter_is_invariant(), Relaxed);
    let Pair {
        ticks,
        monotonic_ns,
    } = pair();
    START_TICKS.store(ticks, Relaxed);
    START_NS.store(monotonic_ns, Relaxed);
}

/// Whether ticks are those of the processor.
pub(crate) fn is_counter() -> bool {
    COUNTER.load(Relaxed)
}

/// Now.
#[inline(always)]
pub(crate) fn ticks() -> u64 {
    if COUNTER.load(Relaxed) {
        counter()
    } else {
        nanoseconds(libc::CLOCK_MONOTONIC)
    }
}

/// Both clocks, the counter in the middle between two readings.
pub(crate) fn pair() -> Pair {
    /// Some microseconds: somebody else had the processor in between.
    const TORN: u64 = 10_000;
    let mut tries = 4;
    loop {
        let before = ticks();
        let monotonic_ns = nanoseconds(libc::CLOCK_MONOTONIC);
        let width = ticks().wrapping_sub(before);
        tries -= 1;
        if width < TORN || tries == 0 {
            return Pair {
                ticks: before + width / 2,
                monotonic_ns,
            };
        }
    }
}

/// Nanoseconds since 1970 when the monotonic clock stood at `monotonic_ns`, as seen from now.
pub(crate) fn wall_ns(monotonic_ns: u64) -> u64 {
    let passed = nanoseconds(libc::CLOCK_MONOTONIC).saturating_sub(monotonic_ns);
    nanoseconds(libc::CLOCK_REALTIME).saturating_sub(passed)
}

/// Both clocks when the library was loaded: before any record.
pub(crate) fn at_load() -> Pair {
    Pair {
        ticks: START_TICKS.load(Relaxed),
        monotonic_ns: START_NS.load(Relaxed),
    }
}

/// Ticks in a second, measured since the library was loaded and over 200 µs at least.
pub(crate) fn ticks_per_second() -> f64 {
    if !is_counter() {
        return 1e9;
    }
    let start = at_load();
    loop {
        let now = pair();
        let elapsed = now.monotonic_ns.saturating_sub(start.monotonic_ns);
        if elapsed >= CALIBRATION_NS {
            return now.ticks.saturating_sub(start.ticks) as f64 / elapsed as f64 * 1e9;
        }
        core::hint::spin_loop();
    }
}

fn nanoseconds(clock: libc::clockid_t) -> u64 {
    let mut time = libc::timespec {
        tv_sec: 0,
        tv_nsec: 0,
    };
    unsafe { libc::clock_gettime(clock, &mut time) };
    (time.tv_sec as u64)
        .wrapping_mul(1_000_000_000)
        .wrapping_add(time.tv_nsec as u64)
}

#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn counter() -> u64 {
    unsafe { core::arch::x86_64::_rdtsc() }
}

/// Leaf 0x8000_0007 says whether the counter keeps its pace in all power states.
#[cfg(target_arch = "x86_64")]
fn counter_is_invariant() -> bool {
    use core::arch::x86_64::__cpuid;
    const LEAF: u32 = 0x8000_0007;
    #[allow(unused_unsafe)] // Safe in newer compilers only.
    unsafe {
        __cpuid(0x8000_0000).eax >= LEAF && __cpuid(LEAF).edx & (1 << 8) != 0
    }
}

#[cfg(target_arch = "aarch64")]
#[inline(always)]
fn counter() -> u64 {
    let ticks;
    unsafe { core::arch::asm!("mrs {}, cntvct_el0", out(reg) ticks, options(nomem, nostack)) };
    ticks
}

/// The generic timer of the architecture always keeps its pace.
#[cfg(target_arch = "aarch64")]
fn counter_is_invariant() -> bool {
    true
}
