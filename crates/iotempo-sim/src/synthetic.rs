//! A generated trace, and its signal over the whole run.

use crate::clock::{Ticks, interval};
use crate::truth::Truth;
use iotempo_model::{
    Api, Bytes, FileId, Hertz, Op, Origin, Rank, Request, RequestSink, Sampler, SamplingError,
    Seconds, Signal, Source, Trace, TraceBuilder,
};
use iotempo_model::{Interval, MAX_SAMPLES};

/// A generated trace, and what is true of it.
#[derive(Debug, Clone)]
pub struct Synthetic {
    /// The requests; [`Origin::observed`] is the whole run.
    pub trace: Trace,
    /// What is true of them.
    pub truth: Truth,
}

impl Synthetic {
    /// Mean rates over equal steps from the start of the run to its end, idle time included. The
    /// last step may reach beyond the end, so that no byte is lost.
    ///
    /// # Errors
    /// [`SamplingError`] where the run has too many samples at this rate.
    pub fn signal(&self, rate: Hertz) -> Result<Signal, SamplingError> {
        self.sampled(rate, |_| true)
    }

    /// As [`signal`](Self::signal), of one direction only.
    ///
    /// # Errors
    /// As [`signal`](Self::signal).
    pub fn signal_of(&self, op: Op, rate: Hertz) -> Result<Signal, SamplingError> {
        self.sampled(rate, |request| request.op == op)
    }

    fn sampled(
        &self,
        rate: Hertz,
        keep: impl Fn(&Request) -> bool,
    ) -> Result<Signal, SamplingError> {
        let step = rate.period();
        let span = self.truth.span;
        let len = (span.get() / step.get()).ceil();
        if len > MAX_SAMPLES as f64 {
            return Err(SamplingError::TooManySamples { span, step });
        }
        let mut sampler = Sampler::new(rate);
        for request in self.trace.iter().filter(keep) {
            // A sampler never fails to take a request.
            let _ = sampler.push(request);
        }
        match sampler.finish() {
            Ok(active) => Ok(padded(&active, len as usize)),
            Err(SamplingError::Empty) if len >= 1.0 => {
                Ok(Signal::new(Seconds::ZERO, step, vec![0.0; len as usize]))
            }
            Err(error) => Err(error),
        }
    }
}

/// The same signal from time 0 on, `len` samples long. What rounding moved beyond the end stays in
/// the last sample.
fn padded(active: &Signal, len: usize) -> Signal {
    let first = (active.start().get() / active.step().get()).round() as usize;
    let mut samples = vec![0.0; len];
    for (index, rate) in active.samples().iter().enumerate() {
        if let Some(last) = len.checked_sub(1) {
            samples[(first + index).min(last)] += rate;
        }
    }
    Signal::new(Seconds::ZERO, active.step(), samples)
}

/// Gathers the requests of a generated run.
#[derive(Debug, Default)]
pub(crate) struct Recorder {
    builder: TraceBuilder,
    ranks: u64,
}

impl Recorder {
    /// The id of a file.
    pub(crate) fn file(&mut self, name: &str) -> FileId {
        self.builder.file(name)
    }

    /// Takes a write.
    pub(crate) fn write(&mut self, rank: u32, file: FileId, when: (Ticks, Ticks), bytes: u64) {
        self.take(rank, Op::Write, file, when, bytes);
    }

    /// Takes a request.
    pub(crate) fn take(
        &mut self,
        rank: u32,
        op: Op,
        file: FileId,
        when: (Ticks, Ticks),
        bytes: u64,
    ) {
        self.ranks = self.ranks.max(u64::from(rank) + 1);
        let request = Request {
            rank: Rank(i32::try_from(rank).unwrap_or(i32::MAX)),
            op,
            api: Api::Posix,
            file,
            when: interval(when.0, when.1),
            bytes: Bytes::from(bytes),
        };
        // A builder never fails to take a request.
        let _ = self.builder.push(request);
    }

    /// The trace of a run that `truth` knows all about.
    pub(crate) fn finish(self, truth: Truth) -> Synthetic {
        let mut origin = Origin::new(Source::Requests);
        origin.observed = Interval::new(Seconds::ZERO, truth.span).ok();
        origin.job.ranks = Some(self.ranks);
        origin.job.run_time_s = Some(truth.span.get());
        let trace = self.builder.finish(origin, Vec::new());
        Synthetic { trace, truth }
    }
}

/// The share of `span` that a set of stretches covers.
pub(crate) fn covered(mut stretches: Vec<(Ticks, Ticks)>, span: Ticks) -> f64 {
    stretches.sort_unstable();
    let (mut total, mut reached) = (0, 0);
    for (start, end) in stretches {
        total += end.saturating_sub(start.max(reached));
        reached = reached.max(end);
    }
    if span == 0 {
        return 0.0;
    }
    total as f64 / span as f64
}
