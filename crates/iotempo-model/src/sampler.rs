//! Sampling while requests stream by, for traces that do not fit in memory.

use crate::files::FileTable;
use crate::request::{FileId, Request};
use crate::signal::{MAX_SAMPLES, SamplingError, Signal};
use crate::sink::RequestSink;
use crate::units::{Hertz, Seconds};
use std::io;

/// A sink that keeps a volume per step of time and forgets the requests.
///
/// Steps lie at whole multiples of their length. Memory grows with the time that the trace covers,
/// never with the number of requests; a request costs the same however many steps it covers.
#[derive(Debug)]
pub struct Sampler {
    step: f64,
    /// The step that `bins[0]` stands for.
    first: i64,
    /// The steps of the earliest and the latest request.
    lowest: i64,
    highest: i64,
    bins: Vec<Bin>,
    files: FileTable,
    error: Option<SamplingError>,
}

#[derive(Debug, Clone, Copy, Default)]
struct Bin {
    /// Bytes of requests that cover a part of this step.
    partly: f64,
    /// Change of the rate of requests that cover whole steps, from this step on.
    change: f64,
}

impl Sampler {
    /// An empty signal of `rate` samples a second.
    #[must_use]
    pub fn new(rate: Hertz) -> Self {
        Self {
            step: rate.period().get(),
            first: 0,
            lowest: 0,
            highest: 0,
            bins: Vec::new(),
            files: FileTable::default(),
            error: None,
        }
    }

    /// The signal of everything pushed.
    ///
    /// # Errors
    /// [`SamplingError::Empty`] without requests, [`SamplingError::TooManySamples`] where two
    /// requests were too far apart.
    pub fn finish(self) -> Result<Signal, SamplingError> {
        if let Some(error) = self.error {
            return Err(error);
        }
        let mut samples = self.rates();
        // The last step may hold nothing but the end of a request.
        let len = samples
            .iter()
            .rposition(|&rate| rate > 0.0)
            .map_or(0, |last| last + 1);
        samples.truncate(len);
        if samples.is_empty() {
            return Err(SamplingError::Empty);
        }
        let seconds = |value| Seconds::new(value).unwrap_or_default();
        let start = seconds(self.lowest as f64 * self.step);
        Ok(Signal::new(start, seconds(self.step), samples))
    }

    /// The rate of each step, from the lowest on. Requests that cover whole steps are added up in
    /// two numbers, as for [`Bandwidth`](crate::Bandwidth).
    fn rates(&self) -> Vec<f64> {
        let (mut sum, mut error) = (0.0_f64, 0.0_f64);
        let used = self.bins.iter().skip((self.lowest - self.first) as usize);
        used.map(|bin| {
            let total = sum + bin.change;
            let part = total - sum;
            error += (sum - (total - part)) + (bin.change - part);
            sum = total;
            bin.partly / self.step + (sum + error).max(0.0)
        })
        .collect()
    }

    /// Makes room for steps `from..=to`; `false` where that is too much.
    fn cover(&mut self, from: i64, to: i64) -> bool {
        if self.bins.is_empty() {
            (self.first, self.lowest, self.highest) = (from, from, to);
        }
        let (lowest, highest) = (self.lowest.min(from), self.highest.max(to));
        if highest - lowest >= MAX_SAMPLES as i64 {
            return false;
        }
        (self.lowest, self.highest) = (lowest, highest);
        if from < self.first {
            // Room for as much again: requests in descending order must not move all bins each.
            let front = (self.first - from) as usize + self.bins.len().min(MAX_SAMPLES);
            self.bins
                .splice(0..0, std::iter::repeat_n(Bin::default(), front));
            self.first -= front as i64;
        }
        let len = (highest - self.first + 1) as usize;
        if self.bins.len() < len {
            self.bins.resize(len, Bin::default());
        }
        true
    }

    fn bin(&mut self, index: i64) -> &mut Bin {
        &mut self.bins[(index - self.first) as usize]
    }
}

impl RequestSink for Sampler {
    fn file(&mut self, name: &str) -> FileId {
        self.files.intern(name)
    }

    fn push(&mut self, request: Request) -> io::Result<()> {
        let bytes = request.bytes.get();
        if bytes == 0.0 || self.error.is_some() {
            return Ok(());
        }
        let (start, end) = (request.when.start().get(), request.when.end().get());
        let place = |at: f64| (at / self.step).floor();
        let (from, to) = (place(start), place(end));
        // Beyond 2^53 steps from the origin a step has no place of its own.
        if from.abs().max(to.abs()) > 9.0e15 || !self.cover(from as i64, to as i64 + 1) {
            self.error = Some(SamplingError::TooManySamples {
                span: request.when.length(),
                step: Seconds::new(self.step).unwrap_or_default(),
            });
            return Ok(());
        }
        let (from, to) = (from as i64, to as i64);
        let rate = bytes / (end - start);
        if from == to || !rate.is_finite() {
            self.bin(from).partly += bytes;
            return Ok(());
        }
        let head = rate * ((from + 1) as f64 * self.step - start);
        let whole = rate * self.step * (to - from - 1) as f64;
        self.bin(from).partly += head;
        self.bin(to).partly += (bytes - head - whole).max(0.0);
        self.bin(from + 1).change += rate;
        self.bin(to).change -= rate;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::request::{Api, Interval, Op, Rank};
    use crate::units::Bytes;

    fn request(start: f64, end: f64, bytes: u64) -> Request {
        let seconds = |value| Seconds::new(value).expect("finite");
        Request {
            rank: Rank(0),
            op: Op::Write,
            api: Api::Posix,
            file: FileId(0),
            when: Interval::new(seconds(start), seconds(end)).expect("forwards"),
            bytes: bytes.into(),
        }
    }

    fn sampled(requests: &[Request]) -> Result<Signal, SamplingError> {
        let mut sampler = Sampler::new(Hertz::new(1.0).expect("positive"));
        for &request in requests {
            sampler.push(request).expect("never fails");
        }
        sampler.finish()
    }

    #[test]
    fn requests_in_any_order_fill_their_steps() {
        let signal = sampled(&[request(3.5, 5.5, 20), request(1.0, 1.0, 7)]).expect("samples");
        assert_eq!(signal.start().get(), 1.0);
        assert_eq!(signal.samples(), [7.0, 0.0, 5.0, 10.0, 5.0]);
    }

    #[test]
    fn a_request_that_ends_on_a_boundary_opens_no_empty_step() {
        let signal = sampled(&[request(0.0, 3.0, 9)]).expect("samples");
        assert_eq!(signal.samples(), [3.0, 3.0, 3.0]);
    }

    #[test]
    fn a_stray_time_is_an_error_and_not_an_allocation() {
        let stray = sampled(&[request(0.0, 1.0, 1), request(1e15, 1e15, 1)]);
        assert!(matches!(stray, Err(SamplingError::TooManySamples { .. })));
        assert_eq!(sampled(&[]), Err(SamplingError::Empty));
        assert_eq!(sampled(&[request(1.0, 2.0, 0)]), Err(SamplingError::Empty));
    }

    #[test]
    fn requests_in_descending_order_are_as_cheap_as_in_ascending_order() {
        let descending: Vec<_> = (0..300_000)
            .rev()
            .map(|i| request(f64::from(i), f64::from(i), 1))
            .collect();
        let signal = sampled(&descending).expect("samples");
        assert_eq!(signal.start().get(), 0.0);
        assert_eq!(signal.samples().len(), 300_000);
        assert!(signal.samples().iter().all(|&rate| rate == 1.0));
    }

    #[test]
    fn no_byte_is_lost() {
        let requests: Vec<_> = (0..1000)
            .map(|i| {
                request(
                    f64::from(i) * 0.37,
                    f64::from(i) * 0.37 + 2.9,
                    1 << (i % 40),
                )
            })
            .collect();
        let volume: Bytes = requests.iter().map(|r| r.bytes).sum();
        let signal = sampled(&requests).expect("samples");
        let lost = (signal.volume().get() - volume.get()).abs() / volume.get();
        assert!(lost < 1e-9, "{lost:e}");
    }
}
