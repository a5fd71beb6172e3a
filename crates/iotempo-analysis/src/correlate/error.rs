//! Why nothing can be said of what a system moved.

use super::system::Series;
use std::fmt;

/// Why it is not known what was moved while a job ran. Such a job is left out.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Unknown {
    /// The logs do not have this series at all.
    NotMeasured(Series),
    /// The job used no file, or nobody knows when.
    NoWindows,
    /// The job has no such time: it did nothing of the kind, or its log does not say.
    NoTime,
    /// No stretch of time.
    NoSpan {
        /// Its start.
        start_s: f64,
        /// Its end.
        end_s: f64,
    },
    /// The log does not go so far.
    OutsideLog {
        /// When the job, or its I/O, began.
        start_s: f64,
        /// When it ended.
        end_s: f64,
        /// When the log begins.
        log_start_s: f64,
        /// When the log ends.
        log_end_s: f64,
    },
    /// The log has a gap.
    Gap {
        /// In this series.
        series: Series,
        /// When the first interval that is missing begins.
        start_s: f64,
        /// When that interval ends.
        end_s: f64,
        /// How many of the needed intervals are missing.
        missing: u64,
    },
}

impl Unknown {
    /// A word for tables.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::NotMeasured(_) => "not-measured",
            Self::NoWindows => "no-io",
            Self::NoTime => "no-time",
            Self::NoSpan { .. } => "no-span",
            Self::OutsideLog { .. } => "outside-log",
            Self::Gap { .. } => "gap-in-log",
        }
    }
}

impl Unknown {
    /// For a person, who reads times as `date` writes them.
    pub fn words(&self, date: impl Fn(f64) -> String) -> String {
        match self {
            Self::NotMeasured(series) => format!("the logs do not count {series}"),
            Self::NoWindows => "no file was read or written at a known time".to_owned(),
            Self::NoTime => "the job has no such time".to_owned(),
            Self::NoSpan { start_s, end_s } => {
                let (start, end) = (date(*start_s), date(*end_s));
                format!("from {start} to {end} is no stretch of time")
            }
            Self::OutsideLog {
                start_s,
                end_s,
                log_start_s,
                log_end_s,
            } => format!(
                "from {} to {} is not inside the log, which goes from {} to {}",
                date(*start_s),
                date(*end_s),
                date(*log_start_s),
                date(*log_end_s)
            ),
            Self::Gap {
                series,
                start_s,
                end_s,
                missing,
            } => {
                let (start, end) = (date(*start_s), date(*end_s));
                let more = match missing {
                    0 | 1 => String::new(),
                    more => format!(", nor in {} more of the intervals needed", more - 1),
                };
                format!("nothing is known of {series} from {start} to {end}{more}")
            }
        }
    }
}

impl fmt::Display for Unknown {
    /// Times are seconds since 1970.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.words(|at| at.to_string()))
    }
}

impl std::error::Error for Unknown {}

/// Why numbers are no load of a system.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum LoadError {
    /// A start that is no time.
    Start(f64),
    /// Intervals of no length.
    Step(f64),
    /// There are no intervals.
    Empty,
    /// More intervals than are held.
    TooMany {
        /// So many.
        intervals: u64,
        /// No more than these are held.
        most: u64,
    },
    /// A series that is shorter or longer than the others.
    Length {
        /// The series.
        series: Series,
        /// How many intervals it has.
        intervals: u64,
        /// How many it should have.
        expected: u64,
    },
    /// A rate that is none.
    Rate {
        /// The series.
        series: Series,
        /// The interval, from 0 on.
        interval: u64,
        /// What stands there.
        value: f64,
    },
}

impl fmt::Display for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Start(value) => write!(f, "the start of the log is {value}, which is no time"),
            Self::Step(value) => write!(f, "intervals of {value} s have no length"),
            Self::Empty => f.write_str("the log has no interval"),
            Self::TooMany { intervals, most } => {
                write!(f, "{intervals} intervals, and at most {most} are held")
            }
            Self::Length {
                series,
                intervals,
                expected,
            } => write!(f, "{intervals} intervals of {series}, not {expected}"),
            Self::Rate {
                series,
                interval,
                value,
            } => write!(
                f,
                "{value} for {series} in interval {interval}: a rate is 0 or more"
            ),
        }
    }
}

impl std::error::Error for LoadError {}
