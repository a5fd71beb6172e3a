//! The events that FTIO makes of requests: points in time with the rate from there on.

use iotempo_model::{Bandwidth, Seconds, Source, Step, Trace, sort_by_time};

/// The bandwidth of a job, a rate from each point in time to the next.
///
/// Times never decrease. Unlike [`Bandwidth`] it has two points for every request, also where they
/// fall on the same instant, and keeps the rounding of a plain running sum: FTIO's window starts
/// at a point, and its rate at the last one is seldom exactly 0.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Points {
    times: Vec<f64>,
    rates: Vec<f64>,
}

impl Points {
    /// Points as given; `None` where a number is not finite, times decrease, or there is not a rate
    /// to every time.
    #[must_use]
    pub fn new(times: Vec<f64>, rates: Vec<f64>) -> Option<Self> {
        let finite = times.iter().chain(&rates).all(|number| number.is_finite());
        let sorted = times.windows(2).all(|pair| pair[0] <= pair[1]);
        (finite && sorted && times.len() == rates.len()).then_some(Self { times, rates })
    }

    /// The points of a trace.
    ///
    /// Of samples they are the samples; of anything else, the overlap of its requests.
    #[must_use]
    pub fn of_trace(trace: &Trace) -> Self {
        if trace.origin.source == Source::Samples {
            return Self::of_samples(trace);
        }
        let mut starts = Vec::with_capacity(trace.len());
        let mut ends = Vec::with_capacity(trace.len());
        for request in trace.iter() {
            let rate = request.bytes.over(request.when.length());
            let rate = rate.map_or(0.0, |rate| rate.get());
            let step = |at: Seconds| Step { at: at.get(), rate };
            starts.push(step(request.when.start()));
            ends.push(step(request.when.end()));
        }
        Self::overlap(starts, ends)
    }

    /// Adds up requests that begin and end at these times with these rates; none may end before it
    /// begins. Where a request ends at the instant at which another starts, the start comes first.
    #[must_use]
    pub fn overlap(mut starts: Vec<Step>, mut ends: Vec<Step>) -> Self {
        sort_by_time(&mut starts);
        sort_by_time(&mut ends);
        let mut points = Self::with_capacity(starts.len() + ends.len());
        let (mut next, mut sum) = (0, 0.0);
        for end in &ends {
            while next < starts.len() && starts[next].at <= end.at {
                sum += starts[next].rate;
                points.push(starts[next].at, sum);
                next += 1;
            }
            sum -= end.rate;
            points.push(end.at, sum);
        }
        points
    }

    /// The steps of an exact bandwidth.
    #[must_use]
    pub fn of_bandwidth(bandwidth: &Bandwidth) -> Self {
        let mut points = Self::with_capacity(bandwidth.steps().len());
        for step in bandwidth.steps() {
            points.push(step.at, step.rate);
        }
        points
    }

    /// A trace of samples has no requests where the rate is 0; how far the samples reach is in its
    /// origin. Of idle time the samples inside are not known, so that a window that begins there
    /// begins with the next burst.
    fn of_samples(trace: &Trace) -> Self {
        let mut points = Self::of_bandwidth(&trace.bandwidth());
        let Some(observed) = trace.origin.observed else {
            return points;
        };
        let (start, end) = (observed.start().get(), observed.end().get());
        if points.times.first().is_none_or(|&first| start < first) {
            points.times.insert(0, start);
            points.rates.insert(0, 0.0);
        }
        if points.times.last().is_none_or(|&last| last < end) {
            points.push(end, 0.0);
        }
        points
    }

    fn with_capacity(points: usize) -> Self {
        Self {
            times: Vec::with_capacity(points),
            rates: Vec::with_capacity(points),
        }
    }

    fn push(&mut self, time: f64, rate: f64) {
        self.times.push(time);
        self.rates.push(rate);
    }

    /// The points from `start` to `end`, both included. None is added at the edges: what moves
    /// between an edge and the next point inside is left out.
    pub(super) fn within(&self, start: Option<Seconds>, end: Option<Seconds>) -> PointsView<'_> {
        let first = start.map_or(0, |start| {
            self.times.partition_point(|&time| time < start.get())
        });
        let last = end.map_or(self.times.len(), |end| {
            self.times.partition_point(|&time| time <= end.get())
        });
        let kept = first..last.max(first);
        PointsView {
            times: &self.times[kept.clone()],
            rates: &self.rates[kept],
        }
    }

    /// When the rate changes, in seconds.
    #[must_use]
    pub fn times(&self) -> &[f64] {
        &self.times
    }

    /// The rate in bytes per second from each time on.
    #[must_use]
    pub fn rates(&self) -> &[f64] {
        &self.rates
    }
}

/// A window of [`Points`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct PointsView<'a> {
    pub(super) times: &'a [f64],
    pub(super) rates: &'a [f64],
}

impl PointsView<'_> {
    /// All bytes between the first and the last point: `Σ b_i·(t_{i+1} − t_i)`.
    pub(super) fn volume(&self) -> f64 {
        let lengths = self.times.windows(2).map(|pair| pair[1] - pair[0]);
        lengths.zip(self.rates).map(|(length, b)| b * length).sum()
    }

    /// The shortest time between two points that is not 0.
    pub(super) fn shortest_step(&self) -> Option<f64> {
        let steps = self.times.windows(2).map(|pair| pair[1] - pair[0]);
        steps.filter(|&step| step > 0.0).reduce(f64::min)
    }
}
