//! From events to equally spaced samples.

use super::finding::{Sampling, Verdict};
use super::overlap::PointsView;
use super::settings::{Rate, Samples, Settings};
use iotempo_model::{Hertz, MAX_SAMPLES};

/// Samples that follow each other and have the same rate.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Run {
    /// The first of them.
    pub(super) begin: usize,
    pub(super) rate: f64,
}

/// Fewer samples than these are taken one by one.
const MANY_SAMPLES: usize = 1 << 20;

/// Samples at points in time, by their runs: there may be far fewer of these.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Runs {
    pub(super) runs: Vec<Run>,
    pub(super) how: Sampling,
}

impl Runs {
    /// As [`Sampled::of`], where there are many samples and more than `more_than`.
    pub(super) fn of(
        points: PointsView<'_>,
        settings: &Settings,
        more_than: usize,
    ) -> Option<Self> {
        let (first, last) = points.times.first().zip(points.times.last())?;
        let (rate, samples) = rate_and_samples(points, last - first, settings.freq).ok()?;
        let few = samples < MANY_SAMPLES || samples <= more_than;
        if few || settings.samples != Samples::Points {
            return None;
        }
        let runs = runs(points, rate, samples);
        let sampled =
            lengths(&runs, samples).map(|(run, length)| length as f64 * (run.rate / rate).abs());
        let how = described(sampled.sum(), (rate, samples), points, (*first, *last));
        let finite = how.sampled_volume_bytes.is_finite() && how.volume_bytes.is_finite();
        finite.then_some(Self { runs, how })
    }
}

/// Runs with the number of their samples.
pub(super) fn lengths(
    runs: &[Run],
    samples: usize,
) -> impl Iterator<Item = (Run, usize)> + Clone + '_ {
    let ends = runs.iter().skip(1).map(|run| run.begin).chain([samples]);
    runs.iter()
        .zip(ends)
        .map(|(run, end)| (*run, end - run.begin))
}

/// Samples and where they come from.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Sampled {
    pub(super) values: Vec<f64>,
    pub(super) how: Sampling,
}

impl Sampled {
    /// Samples `points` as `settings` says, or says why that cannot be done.
    pub(super) fn of(points: PointsView<'_>, settings: &Settings) -> Result<Self, Verdict> {
        let (Some(&first), Some(&last)) = (points.times.first(), points.times.last()) else {
            return Err(Verdict::Empty);
        };
        let (rate, samples) = rate_and_samples(points, last - first, settings.freq)?;
        let values = match settings.samples {
            Samples::Points => at_points(points, rate, samples),
            Samples::Bins => over_bins(points, rate, samples),
        };
        let sampled = values.iter().map(|value| (value / rate).abs()).sum();
        let how = described(sampled, (rate, samples), points, (first, last));
        let finite = how.sampled_volume_bytes.is_finite() && how.volume_bytes.is_finite();
        if finite {
            Ok(Self { values, how })
        } else {
            Err(Verdict::NotFinite)
        }
    }
}

fn described(
    sampled: f64,
    (rate, samples): (f64, usize),
    points: PointsView<'_>,
    ends: (f64, f64),
) -> Sampling {
    let volume = points.volume();
    let error = if volume > 0.0 {
        (sampled - volume).abs() / volume
    } else {
        0.0
    };
    Sampling {
        n_samples: samples,
        rate_hz: rate,
        t_start_s: ends.0,
        t_end_s: ends.1,
        volume_bytes: volume,
        sampled_volume_bytes: sampled,
        abstraction_error: error,
    }
}

/// The sampling rate and `N = ⌊Δt·f_s⌋`.
fn rate_and_samples(
    points: PointsView<'_>,
    span: f64,
    rate: Rate,
) -> Result<(f64, usize), Verdict> {
    let (rate, samples) = match rate {
        Rate::Fixed(rate) => (rate.get(), (span * rate.get()).floor()),
        Rate::Auto(memory) => {
            let shortest = points.shortest_step().ok_or(Verdict::TooShort)?;
            let fine = 2.0 / shortest;
            let most = (memory.get() / size_of::<f64>() as f64).floor();
            let most = most.min(MAX_SAMPLES as f64);
            let samples = (span * fine).floor();
            if samples > most {
                (most / span, most)
            } else {
                (fine, samples)
            }
        }
    };
    match samples {
        n if n < 1.0 => Err(Verdict::TooShort),
        n if n <= MAX_SAMPLES as f64 && Hertz::new(rate).is_some() => Ok((rate, n as usize)),
        _ => Err(Verdict::TooManySamples),
    }
}

/// The rate at every sample.
fn at_points(points: PointsView<'_>, rate: f64, samples: usize) -> Vec<f64> {
    let mut values = Vec::with_capacity(samples);
    for (run, length) in lengths(&runs(points, rate, samples), samples) {
        values.extend(std::iter::repeat_n(run.rate, length));
    }
    values
}

/// The samples between two points each. FTIO adds up the step instead of multiplying it: to be
/// equal, so do we.
fn runs(points: PointsView<'_>, rate: f64, samples: usize) -> Vec<Run> {
    let step = 1.0 / rate;
    let mut now = points.times[0];
    let mut next = 0;
    let mut runs = Vec::new();
    for begin in 0..samples {
        if points.times.get(next).is_some_and(|&time| time <= now) {
            while points.times.get(next).is_some_and(|&time| time <= now) {
                next += 1;
            }
            let rate = points.rates[next - 1];
            runs.push(Run { begin, rate });
        }
        now += step;
    }
    runs
}

/// The mean rate from every sample to the next.
fn over_bins(points: PointsView<'_>, rate: f64, samples: usize) -> Vec<f64> {
    let start = points.times[0];
    let mut values = vec![0.0; samples];
    for (pair, &b) in points.times.windows(2).zip(points.rates) {
        // In steps since the start, so that a bin is one long and its share is its mean.
        let (mut from, to) = ((pair[0] - start) * rate, (pair[1] - start) * rate);
        for (index, value) in values.iter_mut().enumerate().skip(from as usize) {
            let edge = ((index + 1) as f64).min(to);
            *value += b * (edge - from).max(0.0);
            from = edge;
            if edge >= to {
                break;
            }
        }
    }
    values
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ftio::Points;
    use iotempo_model::Bytes;

    fn points() -> Points {
        let times = vec![0.0, 0.5, 0.75, 2.5, 4.0];
        Points::new(times, vec![4.0, 0.0, 8.0, 2.0, 0.0]).expect("sorted")
    }

    fn settings(freq: Rate, samples: Samples) -> Settings {
        Settings {
            freq,
            samples,
            ..Settings::default()
        }
    }

    fn one_hertz() -> Rate {
        Rate::Fixed(Hertz::new(1.0).expect("positive"))
    }

    #[test]
    fn points_take_the_rate_and_bins_take_the_mean() {
        let points = points();
        let sampled = |samples| {
            Sampled::of(points.within(None, None), &settings(one_hertz(), samples))
                .expect("samples")
        };
        let at = sampled(Samples::Points);
        assert_eq!(at.values, [4.0, 8.0, 8.0, 2.0]);
        assert_eq!(at.how.volume_bytes, 19.0);
        assert_eq!(at.how.abstraction_error, 3.0 / 19.0);
        let over = sampled(Samples::Bins);
        assert_eq!(over.values, [4.0, 8.0, 5.0, 2.0]);
        assert_eq!(over.how.abstraction_error, 0.0);
    }

    #[test]
    fn the_automatic_rate_sees_the_shortest_step_unless_memory_forbids() {
        let points = points();
        let rate = |memory| {
            let settings = settings(Rate::Auto(Bytes::from(memory)), Samples::Points);
            Sampled::of(points.within(None, None), &settings)
                .map(|s| (s.how.rate_hz, s.values.len()))
        };
        assert_eq!(rate(1 << 20), Ok((8.0, 32)));
        assert_eq!(rate(80), Ok((2.5, 10)));
        assert_eq!(rate(7), Err(Verdict::TooShort));
    }

    #[test]
    fn samples_that_are_too_few_are_not_walked_through() {
        let points = points();
        let rate = Rate::Fixed(Hertz::new((1 << 20) as f64).expect("positive"));
        let settings = settings(rate, Samples::Points);
        let runs = |more_than| Runs::of(points.within(None, None), &settings, more_than);
        assert_eq!(runs((1 << 22) - 1).map(|runs| runs.runs.len()), Some(4));
        assert_eq!(runs(1 << 22), None);
    }

    #[test]
    fn what_cannot_be_sampled_says_why() {
        let rate = |hertz| {
            settings(
                Rate::Fixed(Hertz::new(hertz).expect("positive")),
                Samples::Points,
            )
        };
        let sampled = |points: &Points, hertz| Sampled::of(points.within(None, None), &rate(hertz));
        assert_eq!(sampled(&Points::default(), 1.0), Err(Verdict::Empty));
        assert_eq!(sampled(&points(), 0.1), Err(Verdict::TooShort));
        assert_eq!(sampled(&points(), 1e9), Err(Verdict::TooManySamples));
    }
}
