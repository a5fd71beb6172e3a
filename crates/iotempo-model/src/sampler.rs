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
        // The last bin only ever holds the end of a request: an empty one is no sample.
        let mut len = self.bins.len();
        while len > 0 && self.bins[len - 1].partly == 0.0 {
            len -= 1;
        }
        let whole = self.whole_steps();
        let len = len.max(
            whole
                .iter()
                .rposition(|&bytes| bytes > 0.0)
                .map_or(0, |i| i + 1),
        );
        if len == 0 {
            return Err(SamplingError::Empty);
        }
        let samples = self.bins[..len]
            .iter()
            .zip(&whole)
            .map(|(bin, whole)| bin.partly / self.step + whole)
            .collect();
        let seconds = |value| Seconds::new(value).unwrap_or_default();
        Ok(Signal::new(
            seconds(self.first as f64 * self.step),
            seconds(self.step),
            samples,
        ))
    }

    /// The rate of requests that cover whole steps; a sum in two numbers, as for [`Bandwidth`].
    ///
    /// [`Bandwidth`]: crate::Bandwidth
    fn whole_steps(&self) -> Vec<f64> {
        let (mut sum, mut error) = (0.0_f64, 0.0_f64);
        self.bins
            .iter()
            .map(|bin| {
                let total = sum + bin.change;
                let part = total - sum;
                error += (sum - (total - part)) + (bin.change - part);
                sum = total;
                (sum + error).max(0.0)
            })
            .collect()
    }

    /// Makes room for steps `from..=to`; `false` where that is too much.
    fn cover(&mut self, from: i64, to: i64) -> bool {
        if self.bins.is_empty() {
            self.first = from;
        }
        let first = self.first.min(from);
        let last = to.max(self.first + self.bins.len() as i64 - 1);
        let len = last.saturating_sub(first).saturating_add(1);
        if len > MAX_SAMPLES as i64 {
            return false;
        }
        let missing = (self.first - first) as usize;
        if missing > 0 {
            self.bins
                .splice(0..0, std::iter::repeat_n(Bin::default(), missing));
            self.first = first;
        }
        if self.bins.len() < len as usize {
            self.bins.resize(len as usize, Bin::default());
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
