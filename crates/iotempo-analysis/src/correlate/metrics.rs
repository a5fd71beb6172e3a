//! The numbers of a job that are held against each other: how long its I/O took (φ), and how busy the
//! system was meanwhile (ψ).

use super::error::Unknown;
use super::job::{JobMetrics, SharedTime};
use super::system::{Amount, Load, Series};
use super::windows::{During, Windows};
use iotempo_model::Op;
use serde::Serialize;

/// How long a job's I/O took.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum TimeMetric {
    /// φ^J: the whole job.
    Job,
    /// φ of Eq. 1: the slowest process on its own files, and the files of all.
    Io,
    /// φ^U_M: metadata, by the slowest process on its own files.
    Meta,
    /// φ^U_RW: reads and writes, by the same.
    ReadWrite,
    /// φ^S: files of all processes, from the first open of any to the last operation on any.
    Shared,
    /// The same as Darshan summed it up in the paper's time: from open to last operation of each file.
    SharedSum,
    /// The same as Darshan does it since: the slowest process on each file.
    SharedSlowest,
    /// φ^F_R of Eq. 6: the longest time from first to last read of a file.
    Read,
    /// φ^F_W: the same of writes.
    Write,
    /// φ^D of Eq. 5: all intervals of the servers' log in which the job used files.
    Touched,
    /// φ^I: those of files on watched file systems.
    Monitored,
}

/// What of the system's traffic is counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Traffic {
    /// All bytes.
    Bytes,
    /// ψ_R: bytes read.
    BytesRead,
    /// ψ_W: bytes written.
    BytesWritten,
    /// ψ^O_R: read operations.
    Reads,
    /// ψ^O_W: write operations.
    Writes,
}

/// How traffic becomes one number of a job.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Measure {
    /// ψ itself, as in the paper: grows with the length of the job by construction.
    Volume,
    /// ψ per second.
    Rate,
    /// The rate of all others: without what the job itself moved, over whole intervals. Operations that servers
    /// count are not the calls of a job: of these nothing is taken off.
    Others,
}

/// How busy the system was in the part of a job's time that is looked at ([`JobMetrics::during`]).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct LoadMetric {
    /// What is counted.
    pub traffic: Traffic,
    /// As which number.
    pub measure: Measure,
    /// Only while files on watched file systems were used (ψ^I, not ψ^D).
    pub monitored: bool,
}

impl TimeMetric {
    /// The part of a job's time whose load belongs to this one: what happened at other times cannot have made it
    /// longer. φ^U_M has no windows of its own, and is held against all of the job's time, as in the paper.
    #[must_use]
    pub const fn during(self) -> During {
        match self {
            Self::Job | Self::Meta => During::Run,
            Self::Read => During::Reads,
            Self::Write => During::Writes,
            Self::Io
            | Self::ReadWrite
            | Self::Shared
            | Self::SharedSum
            | Self::SharedSlowest
            | Self::Touched
            | Self::Monitored => During::Files,
        }
    }

    /// φ of a job, in seconds.
    ///
    /// # Errors
    /// Where the job has none.
    pub fn of(self, job: &JobMetrics, load: &Load) -> Result<f64, Unknown> {
        let touched = |windows| load.touched_s(windows, 0.0);
        match self {
            Self::Job => Ok(job.job_s()),
            Self::Io => job.io_s(SharedTime::Span).ok_or(Unknown::NoTime),
            Self::Meta => job.unique.meta_s.ok_or(Unknown::NoTime),
            Self::ReadWrite => Ok(job.unique.rw_s),
            Self::Shared => job.shared_s(SharedTime::Span).ok_or(Unknown::NoTime),
            Self::SharedSum => job.shared_s(SharedTime::OpenToLast).ok_or(Unknown::NoTime),
            Self::SharedSlowest => job.shared_s(SharedTime::Slowest).ok_or(Unknown::NoTime),
            Self::Read => job.longest_s(Op::Read).ok_or(Unknown::NoTime),
            Self::Write => job.longest_s(Op::Write).ok_or(Unknown::NoTime),
            Self::Touched => touched(&job.all.windows),
            Self::Monitored => touched(&job.monitored.windows),
        }
    }
}

impl Traffic {
    const fn series(self) -> &'static [Series] {
        match self {
            Self::Bytes => &[Series::ReadBytes, Series::WriteBytes],
            Self::BytesRead => &[Series::ReadBytes],
            Self::BytesWritten => &[Series::WriteBytes],
            Self::Reads => &[Series::ReadOperations],
            Self::Writes => &[Series::WriteOperations],
        }
    }

    /// What the job itself moved of it in the intervals that are looked at: while it reads it may write, too.
    /// Operations that servers count are not those of the job.
    fn own(self, job: &JobMetrics, load: &Load, looked_at: &Windows, shift_s: f64) -> f64 {
        let bytes = |op| {
            let windows = job.monitored.windows.of(op);
            let part = load.part_within(windows, looked_at, shift_s);
            job.monitored.bytes(op) as f64 * part
        };
        match self {
            Self::Bytes => bytes(Op::Read) + bytes(Op::Write),
            Self::BytesRead => bytes(Op::Read),
            Self::BytesWritten => bytes(Op::Write),
            Self::Reads | Self::Writes => 0.0,
        }
    }

    /// Whether it is in bytes.
    #[must_use]
    pub const fn is_bytes(self) -> bool {
        matches!(self, Self::Bytes | Self::BytesRead | Self::BytesWritten)
    }

    /// The rate over a stretch of the log, in bytes or operations per second.
    ///
    /// # Errors
    /// Where an interval is missing.
    pub fn rate(self, load: &Load, start_s: f64, end_s: f64) -> Result<f64, Unknown> {
        let mut rate = 0.0;
        for &series in self.series() {
            let amount = load.between(series, start_s, end_s)?;
            rate += amount.rate().ok_or(Unknown::NoSpan { start_s, end_s })?;
        }
        Ok(rate)
    }
}

impl LoadMetric {
    /// ψ of a job, where the log's clock is ahead by `shift_s` seconds.
    ///
    /// # Errors
    /// Where an interval that is needed is missing.
    pub fn of(self, job: &JobMetrics, load: &Load, shift_s: f64) -> Result<f64, Unknown> {
        let own = self.own(job, load, shift_s);
        self.number(self.amount(job, load, shift_s)?.without(own))
    }

    /// ψ of a job, had it run `shift_s` seconds later beside what others moved then, and moved itself what it did.
    /// `group` is what it and others like it moved ([`Load::of_jobs`]): a job that runs every night at two would
    /// meet itself there.
    ///
    /// # Errors
    /// As [`LoadMetric::of`].
    pub fn elsewhere(
        self,
        job: &JobMetrics,
        load: &Load,
        group: &Load,
        shift_s: f64,
    ) -> Result<f64, Unknown> {
        let there = self.amount(job, load, shift_s)?;
        // Nobody knows which operations of servers are those of a job.
        if !self.traffic.is_bytes() {
            return self.number(there);
        }
        let of_group = |shift_s: f64| Ok(self.amount(job, group, shift_s)?.amount);
        let own = self.own(job, load, 0.0);
        self.number(there.without(of_group(shift_s)? - of_group(0.0)? + own))
    }

    const fn windows(self, job: &JobMetrics) -> &Windows {
        match self.monitored {
            true => &job.monitored.windows,
            false => &job.all.windows,
        }
    }

    /// What is taken off.
    fn own(self, job: &JobMetrics, load: &Load, shift_s: f64) -> f64 {
        match self.measure {
            Measure::Others => self.traffic.own(job, load, self.windows(job), shift_s),
            Measure::Volume | Measure::Rate => 0.0,
        }
    }

    fn amount(self, job: &JobMetrics, load: &Load, shift_s: f64) -> Result<Amount, Unknown> {
        let windows = self.windows(job);
        let mut whole = Amount {
            amount: 0.0,
            seconds: 0.0,
        };
        for &series in self.traffic.series() {
            let one = match self.measure {
                Measure::Others => load.whole(series, windows, shift_s)?,
                Measure::Volume | Measure::Rate => load.over(series, windows, shift_s)?,
            };
            whole.amount += one.amount;
            whole.seconds = one.seconds;
        }
        Ok(whole)
    }

    fn number(self, amount: Amount) -> Result<f64, Unknown> {
        match self.measure {
            Measure::Volume => Ok(amount.amount),
            Measure::Rate | Measure::Others => amount.rate().ok_or(Unknown::NoTime),
        }
    }
}
