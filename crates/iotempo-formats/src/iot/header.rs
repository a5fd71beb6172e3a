//! The first page of a log: whose it is, and how its ticks become time.

use super::fields::{name_at, u32_at, u64_at};
use crate::error::{Error, ErrorKind, Place};
use core::mem::offset_of;
use iotempo_model::wire::{
    CHUNK_SIZE, HEADER_SIZE, Header as Wire, MAGIC, RECORD_SIZE, VERSION, flag,
};

/// Counters of processors tick between a million and a hundred thousand million times a second.
const RATES: std::ops::RangeInclusive<f64> = 1e-3..=1e2;
/// Pairs of clocks that lie closer than this say little about the rate, in ns.
const FAR_APART: u64 = 10_000_000;
/// How far the rate over the whole log may be from the one that was measured at first, which is off
/// by 1.5 % at worst. Beyond, ticks and the monotonic clock have parted: the machine slept.
const AGREE: f64 = 0.05;
/// The tracer reads both clocks before it stores a record that ends 0.1 s later than they were last
/// read; a thread that the kernel holds back while it does so can delay that, in ns.
const LATE: f64 = 10e9;
/// A record that came while a reader was on its way from the header to it is later by as much as the
/// reader needs, in ns.
const LATE_WHILE_READ: f64 = 3600e9;
/// The clocks of two cores may differ a little, in ns.
const EARLY: f64 = -1e9;

/// What the reader needs of a header.
#[derive(Debug, Clone)]
pub(super) struct Header {
    pub(super) flags: u64,
    pub(super) pid: u32,
    pub(super) rank: i32,
    pub(super) ranks: u32,
    pub(super) host: String,
    pub(super) exe: String,
    pub(super) job: String,
    pub(super) dropped: u64,
    /// The monotonic clock when the program was loaded, in ns.
    pub(super) monotonic_ns: u64,
    /// Nanoseconds since 1970 at that moment.
    pub(super) realtime_ns: u64,
    first_ticks: u64,
    /// Ticks in a nanosecond.
    rate: f64,
    /// Whether the counter of the processor and the monotonic clock parted.
    pub(super) slept: bool,
    /// Where the counter began anew: ticks then, and ns since the program was loaded.
    restarted: Option<(u64, f64)>,
    /// How long the log was written to after that moment, in ns; `None` where it does not say.
    pub(super) length_ns: Option<f64>,
    /// How much later than that a record can end, in ns.
    late_ns: f64,
    last: Option<(u64, u64)>,
}

impl Header {
    /// Reads the first page.
    pub(super) fn read(page: &[u8]) -> Result<Self, Error> {
        check(page)?;
        let flags = u64_at(page, offset_of!(Wire, flags));
        let first_ticks = u64_at(page, offset_of!(Wire, first_ticks));
        let monotonic_ns = u64_at(page, offset_of!(Wire, first_monotonic_ns));
        let (rate, slept) = rate(page)?;
        let last = last_pair(page).map(|(ticks, monotonic)| {
            let by_ticks = ticks_between(first_ticks, ticks) / rate;
            match by_ticks < EARLY && monotonic >= monotonic_ns {
                true => (ticks, (monotonic - monotonic_ns) as f64, true),
                false => (ticks, by_ticks, false),
            }
        });
        Ok(Self {
            flags,
            pid: u32_at(page, offset_of!(Wire, pid)),
            rank: u32_at(page, offset_of!(Wire, rank)) as i32,
            ranks: u32_at(page, offset_of!(Wire, ranks)),
            host: name_at(page, offset_of!(Wire, host), 64),
            exe: name_at(page, offset_of!(Wire, exe), 256),
            job: name_at(page, offset_of!(Wire, job), 64),
            dropped: u64_at(page, offset_of!(Wire, dropped)),
            monotonic_ns,
            realtime_ns: u64_at(page, offset_of!(Wire, first_realtime_ns)),
            first_ticks,
            rate,
            slept,
            restarted: last.and_then(|(ticks, ns, anew)| anew.then_some((ticks, ns))),
            length_ns: last.map(|(_, ns, _)| ns).filter(|ns| *ns >= 0.0),
            late_ns: LATE,
            last: last_pair(page),
        })
    }

    /// Nanoseconds from the moment when the program was loaded to `ticks`.
    pub(super) fn elapsed_ns(&self, ticks: u64) -> f64 {
        let elapsed = ticks_between(self.first_ticks, ticks) / self.rate;
        match self.restarted {
            Some((last, ns)) if elapsed < EARLY => ns + ticks_between(last, ticks) / self.rate,
            _ => elapsed,
        }
    }

    /// Whether a record can have been made at such a time.
    pub(super) fn is_possible(&self, elapsed_ns: f64) -> bool {
        let latest = self
            .length_ns
            .map_or(f64::INFINITY, |length| length + self.late_ns);
        (EARLY..=latest).contains(&elapsed_ns)
    }

    /// Whether the program wrote to its log between this reading of the page and a later one.
    pub(super) fn has_moved(&self, later: &Self) -> bool {
        self.last != later.last
    }

    /// Allows for what the program adds while the log is read.
    pub(super) fn while_it_grows(self) -> Self {
        Self {
            late_ns: LATE_WHILE_READ,
            ..self
        }
    }

    /// What to add to the monotonic clock for the time since 1970, in ns.
    pub(super) fn offset_ns(&self) -> i128 {
        i128::from(self.realtime_ns) - i128::from(self.monotonic_ns)
    }

    pub(super) fn has(&self, flag: u64) -> bool {
        self.flags & flag != 0
    }
}

fn ticks_between(first: u64, last: u64) -> f64 {
    last.wrapping_sub(first) as i64 as f64
}

fn check(page: &[u8]) -> Result<(), Error> {
    let end = |what| Error::new("header", Place::Byte(page.len() as u64), what);
    if page.len() < HEADER_SIZE {
        return Err(end(ErrorKind::UnexpectedEnd("the header")));
    }
    if !page.starts_with(&MAGIC) {
        let message = "its header is not complete: the program had not begun".to_owned();
        return Err(Error::new(
            "header",
            Place::Byte(0),
            ErrorKind::Unsupported(message),
        ));
    }
    let version = u32_at(page, offset_of!(Wire, version));
    if version != VERSION {
        let message = format!("version {version} of the log; this iotempo reads {VERSION}");
        return Err(Error::new(
            "header",
            Place::Byte(8),
            ErrorKind::Unsupported(message),
        ));
    }
    for (at, expected, what) in [
        (
            offset_of!(Wire, header_size),
            HEADER_SIZE,
            "the size of the header",
        ),
        (
            offset_of!(Wire, record_size),
            RECORD_SIZE,
            "the size of a record",
        ),
        (
            offset_of!(Wire, chunk_size),
            CHUNK_SIZE,
            "the size of a chunk",
        ),
    ] {
        let found = u32_at(page, at);
        if found as usize != expected {
            let what = format!("{what} is not {expected} bytes");
            return Err(Error::invalid(
                "header",
                Place::Byte(at as u64),
                what,
                found,
            ));
        }
    }
    Ok(())
}

/// Ticks and monotonic ns when both were last read; `None` where they were being written.
fn last_pair(page: &[u8]) -> Option<(u64, u64)> {
    let sound = u32_at(page, offset_of!(Wire, last_sequence)).is_multiple_of(2);
    let ticks = u64_at(page, offset_of!(Wire, last_ticks));
    let monotonic = u64_at(page, offset_of!(Wire, last_monotonic_ns));
    (sound && ticks != 0).then_some((ticks, monotonic))
}

/// Ticks in a nanosecond, and whether the clocks parted: over the whole log where it is long enough
/// and agrees, else as first measured.
fn rate(page: &[u8]) -> Result<(f64, bool), Error> {
    if u64_at(page, offset_of!(Wire, flags)) & flag::CPU_CLOCK == 0 {
        return Ok((1.0, false));
    }
    let at = offset_of!(Wire, ticks_per_second);
    let measured = f64::from_bits(u64_at(page, at)) * 1e-9;
    match (RATES.contains(&measured), rate_over_all(page)) {
        (true, Some(over_all)) if (over_all / measured - 1.0).abs() > AGREE => Ok((measured, true)),
        (_, Some(over_all)) if RATES.contains(&over_all) => Ok((over_all, false)),
        (true, _) => Ok((measured, false)),
        (false, _) => {
            let what = "no clock ticks so often in a second";
            Err(Error::invalid(
                "header",
                Place::Byte(at as u64),
                what,
                measured * 1e9,
            ))
        }
    }
}

fn rate_over_all(page: &[u8]) -> Option<f64> {
    let (ticks, monotonic) = last_pair(page)?;
    let first = u64_at(page, offset_of!(Wire, first_ticks));
    let passed = monotonic.checked_sub(u64_at(page, offset_of!(Wire, first_monotonic_ns)))?;
    (passed > FAR_APART).then(|| ticks_between(first, ticks) / passed as f64)
}
