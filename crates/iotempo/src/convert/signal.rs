//! Requests become bytes per second at even steps, per direction.

use super::table::Table;
use iotempo_model::{
    FileId, Hertz, MAX_SAMPLES, Op, Request, RequestSink, Sampler, SamplingError, Signal,
};
use std::io;

/// A sampler per direction. Both have their steps at whole multiples of the step's length.
pub(super) struct SignalSink {
    step: f64,
    read: Sampler,
    write: Sampler,
}

impl SignalSink {
    pub(super) fn new(rate: Hertz) -> Self {
        Self {
            step: rate.period().get(),
            read: Sampler::new(rate),
            write: Sampler::new(rate),
        }
    }

    /// The signal of everything pushed; without samples where nothing moved.
    pub(super) fn finish(self) -> Result<Directions, SamplingError> {
        let signal = |sampler: Sampler| match sampler.finish() {
            Ok(signal) => Ok(Some(signal)),
            Err(SamplingError::Empty) => Ok(None),
            Err(error) => Err(error),
        };
        Ok(Directions {
            step: self.step,
            read: signal(self.read)?,
            write: signal(self.write)?,
        })
    }
}

impl RequestSink for SignalSink {
    fn file(&mut self, name: &str) -> FileId {
        // Both samplers ignore files, but whoever selects by file needs ids that differ.
        self.read.file(name)
    }

    fn push(&mut self, request: Request) -> io::Result<()> {
        match request.op {
            Op::Read => self.read.push(request),
            Op::Write => self.write.push(request),
        }
    }
}

/// Bytes per second of both directions.
pub(super) struct Directions {
    step: f64,
    read: Option<Signal>,
    write: Option<Signal>,
}

impl Directions {
    /// Writes a row per step, from the first to the last with data; how many there are.
    pub(super) fn write_into(&self, table: &mut dyn Table) -> io::Result<u64> {
        let both = [&self.read, &self.write].map(|signal| self.place(signal.as_ref()));
        let bounds = both.iter().flatten();
        let first = bounds.clone().map(|(first, _)| *first).min().unwrap_or(0);
        let end = bounds
            .map(|(first, samples)| first + samples.len() as i64)
            .max();
        let end = end.unwrap_or(0);
        if end.abs_diff(first) > MAX_SAMPLES as u64 {
            let message = "reads and writes lie too far apart for one signal";
            return Err(io::Error::other(message));
        }
        for index in first..end {
            let [read, write] = both.map(|place| place.map_or(0.0, |place| at(place, index)));
            table.sample(index as f64 * self.step, read, write)?;
        }
        Ok(end.abs_diff(first))
    }

    /// The step that a signal begins at, and its samples.
    fn place<'a>(&self, signal: Option<&'a Signal>) -> Option<(i64, &'a [f64])> {
        let signal = signal?;
        let first = (signal.start().get() / self.step).round() as i64;
        Some((first, signal.samples()))
    }
}

fn at((first, samples): (i64, &[f64]), index: i64) -> f64 {
    let place = usize::try_from(index - first).ok();
    place
        .and_then(|place| samples.get(place))
        .copied()
        .unwrap_or(0.0)
}
