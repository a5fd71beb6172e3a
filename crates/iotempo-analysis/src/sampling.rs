//! Which samples an analysis looks at, where nobody says.

use iotempo_model::{Bandwidth, Hertz, Interval, Origin, SamplingError, Seconds, Signal, Source};

/// Samples of a signal whose source sets no coarser limit: five thousand periods would still have
/// three samples each.
pub const STEPS: usize = 1 << 14;

/// Samples that are taken as the source has them: twelve days of one a second. Of more than these,
/// neighbours are averaged.
pub const OWN_SAMPLES: usize = 1 << 20;

/// Samples at a rate that nobody chose, at the most: a thousand periods would still have two thousand
/// samples each.
pub const FINEST: usize = 1 << 21;

/// The stretch of time to look at: all that the source watched, and where it does not say, from
/// the first to the last request; of it, the `part` that was asked for. `None` where that is
/// nothing.
#[must_use]
pub fn window(
    bandwidth: &Bandwidth,
    observed: Option<Interval>,
    part: Option<Interval>,
) -> Option<Interval> {
    let moved = bandwidth
        .bounds()
        .and_then(|(start, end)| Interval::new(start, end).ok());
    let all = match (observed, moved) {
        // Clocks of tracers disagree by a little: no request may be lost for that.
        (Some(observed), Some(moved)) => observed.hull(moved),
        (observed, moved) => observed.or(moved)?,
    };
    part.map_or(Some(all), |part| all.intersection(part))
}

/// Bandwidth as its source has it: on its own grid where it has one, else [`automatic`]. Samples that
/// are not even are instants at which the rate changes, and are looked at as finely as requests.
///
/// # Errors
/// As [`on_grid`] and [`automatic`].
pub fn as_recorded(
    bandwidth: &Bandwidth,
    origin: &Origin,
    window: Interval,
) -> Result<Signal, SamplingError> {
    let grid = origin.observed.zip(origin.resolution);
    let even = matches!(origin.source, Source::Samples | Source::Heatmap);
    match grid.filter(|_| even) {
        Some((grid, step)) if lies_on(bandwidth, grid, step) => {
            on_grid(bandwidth, step, grid, window)
        }
        Some((_, step)) => {
            let finer = (window.length().get() / STEPS as f64).min(step.get());
            let coarsest = window.length().get() / OWN_SAMPLES as f64;
            bandwidth.sample_window(window.start(), window.end(), some_time(finer.max(coarsest)))
        }
        None => match own_step(bandwidth, window) {
            Some(step) => bandwidth.sample_window(window.start(), window.end(), step),
            None => automatic(bandwidth, origin.resolution, Some(window)),
        },
    }
}

/// The step of requests that are samples of something that hardly rests: all of them begin and end on a
/// grid, so that looking closer shows nothing but the same numbers again, and chance seems to repeat
/// itself.
pub(crate) fn own_step(bandwidth: &Bandwidth, window: Interval) -> Option<Seconds> {
    const FEWEST: usize = 8;
    let changes = bandwidth.steps();
    let gaps = || changes.windows(2).map(|pair| pair[1].at - pair[0].at);
    let shortest = gaps().fold(f64::INFINITY, f64::min);
    let coarsest = window.length().get() / STEPS as f64;
    if changes.len() < FEWEST || shortest <= coarsest {
        return None;
    }
    let whole = |gap: f64| {
        let steps = gap / shortest;
        (steps - steps.round()).abs() <= ON_GRID
    };
    let active = changes
        .iter()
        .zip(gaps())
        .filter(|(change, _)| change.rate > 0.0);
    let active: f64 = active.map(|(_, gap)| gap).sum();
    if !gaps().all(whole) || 2.0 * active < window.length().get() {
        return None;
    }
    // Requests that come and go at every step are phases: these need some samples each.
    let idle = changes.iter().filter(|change| change.rate <= 0.0).count();
    let single = gaps().filter(|gap| *gap < 1.5 * shortest).count();
    let in_turns = 3 * idle > changes.len() && 5 * single > 4 * changes.len();
    Some(some_time(if in_turns { shortest / 4.0 } else { shortest }))
}

/// Whether nearly all changes of the rate lie on a grid.
fn lies_on(bandwidth: &Bandwidth, grid: Interval, step: Seconds) -> bool {
    const NEAR: f64 = 0.1;
    let step = whole_steps(step, grid).get();
    let off = |at: f64| {
        let place = (at - grid.start().get()) / step;
        (place - place.round()).abs() > NEAR
    };
    let changes = bandwidth.steps();
    let off = changes.iter().filter(|change| off(change.at)).count();
    10 * off <= changes.len()
}

/// Bandwidth at the resolution of its source, or in [`STEPS`] steps where that is coarser. The step
/// is a whole multiple of the resolution.
///
/// # Errors
/// [`SamplingError::Empty`] without a window and without data.
pub fn automatic(
    bandwidth: &Bandwidth,
    resolution: Option<Seconds>,
    window: Option<Interval>,
) -> Result<Signal, SamplingError> {
    let window = window.or_else(|| self::window(bandwidth, None, None));
    let window = window.ok_or(SamplingError::Empty)?;
    let coarsest = window.length().get() / STEPS as f64;
    let step = match resolution.map(Seconds::get).filter(|&step| step > 0.0) {
        Some(resolution) => resolution * (coarsest / resolution).ceil().max(1.0),
        None => coarsest,
    };
    bandwidth.sample_window(window.start(), window.end(), some_time(step))
}

/// Bandwidth of a source that is itself made of even steps from `grid.start()` on: each becomes one
/// sample, untouched, and no step is ever split between two. A window that begins inside a step
/// gets the whole of it.
///
/// # Errors
/// [`SamplingError::TooManySamples`] where the window lies too far from the grid.
pub fn on_grid(
    bandwidth: &Bandwidth,
    step: Seconds,
    grid: Interval,
    window: Interval,
) -> Result<Signal, SamplingError> {
    let origin = grid.start().get();
    let step = whole_steps(step, grid).get();
    let place = |time: Seconds| (time.get() - origin) / step;
    let first = (place(window.start()) + ON_GRID).floor();
    let last = (place(window.end()) - ON_GRID).ceil().max(first + 1.0);
    let together = ((last - first) / OWN_SAMPLES as f64).ceil().max(1.0);
    let time = |place: f64| Seconds::new(origin + place * step).unwrap_or_default();
    bandwidth.sample_window(time(first), time(last), some_time(step * together))
}

/// Times within this share of a step of the grid are on it.
const ON_GRID: f64 = 1e-2;

/// The step of which a whole number makes the grid, where that is what it seems to be: one that is
/// off by rounding would have drifted into the next at the end.
fn whole_steps(step: Seconds, grid: Interval) -> Seconds {
    let steps = grid.length().get() / step.get();
    let whole = steps.round().max(1.0);
    if (steps - whole).abs() <= ON_GRID {
        some_time(grid.length().get() / whole)
    } else {
        some_time(step.get())
    }
}

/// Bandwidth at `rate` samples a second.
///
/// # Errors
/// [`SamplingError::TooManySamples`] beyond `most` samples.
pub fn at_rate(
    bandwidth: &Bandwidth,
    rate: Hertz,
    window: Interval,
    most: usize,
) -> Result<Signal, SamplingError> {
    let (span, step) = (window.length(), rate.period());
    if span.get() / step.get() > most as f64 {
        return Err(SamplingError::TooManySamples { span, step });
    }
    bandwidth.sample_window(window.start(), window.end(), step)
}

/// Bandwidth at two samples per shortest step, as FTIO chooses its rate when asked to, lowered
/// until at most `most` samples remain, and no more than [`FINEST`].
///
/// # Errors
/// [`SamplingError::TooManySamples`] never.
pub fn finest(
    bandwidth: &Bandwidth,
    window: Interval,
    most: usize,
) -> Result<Signal, SamplingError> {
    let steps = bandwidth.steps().windows(2);
    let lengths = steps.map(|pair| pair[1].at - pair[0].at);
    let shortest = lengths.filter(|&length| length > 0.0);
    let shortest = shortest.fold(f64::INFINITY, f64::min);
    let span = window.length().get();
    let coarsest = span / most.clamp(1, FINEST) as f64;
    let step = (shortest / 2.0).min(span).max(coarsest);
    bandwidth.sample_window(window.start(), window.end(), some_time(step))
}

/// When the first phase is over, for those who know that it is unlike the rest (start-up reads,
/// an initial state): at the first pause below the mean rate that is as long as the I/O before it.
/// `None` where no pause follows.
#[must_use]
pub fn end_of_first_phase(signal: &Signal) -> Option<Seconds> {
    let samples = signal.samples();
    let mean = samples.iter().sum::<f64>() / samples.len().max(1) as f64;
    let moves = |rate: &f64| *rate > 0.0 && *rate >= mean;
    let begin = samples.iter().position(moves)?;
    let mut end = begin;
    for (index, rate) in samples.iter().enumerate().skip(begin) {
        if moves(rate) {
            end = index + 1;
        } else if index + 1 - end >= end - begin {
            return Some(signal.time(end));
        }
    }
    None
}

/// A length of time that is one: an instant still has one sample, of a second.
fn some_time(step: f64) -> Seconds {
    let second = Seconds::new(1.0).unwrap_or_default();
    let step = Seconds::new(step).filter(|step| step.get() > 0.0);
    step.unwrap_or(second)
}

#[cfg(test)]
mod tests {
    use super::*;
    use iotempo_model::Step;

    fn seconds(value: f64) -> Seconds {
        Seconds::new(value).expect("finite")
    }

    fn interval(start: f64, end: f64) -> Interval {
        Interval::new(seconds(start), seconds(end)).expect("forwards")
    }

    /// A rate from each time to the next.
    fn steps(steps: &[(f64, f64)]) -> Bandwidth {
        Bandwidth::from_steps(steps.iter().map(|&(at, rate)| Step { at, rate }))
    }

    #[test]
    fn the_window_is_what_the_source_watched() {
        let bandwidth = steps(&[(10.0, 1.0), (20.0, 0.0)]);
        let found = |observed, part| {
            let window = window(&bandwidth, observed, part)?;
            Some((window.start().get(), window.end().get()))
        };
        assert_eq!(found(None, None), Some((10.0, 20.0)));
        assert_eq!(found(Some(interval(0.0, 60.0)), None), Some((0.0, 60.0)));
        assert_eq!(found(Some(interval(0.0, 19.0)), None), Some((0.0, 20.0)));
        let part = Some(interval(5.0, f64::MAX));
        assert_eq!(found(Some(interval(0.0, 60.0)), part), Some((5.0, 60.0)));
        assert_eq!(found(None, Some(interval(30.0, 40.0))), None);
        assert_eq!(window(&Bandwidth::default(), None, None), None);
    }

    #[test]
    fn steps_are_as_long_as_the_source_resolves_or_the_span_needs() {
        let bandwidth = steps(&[(0.0, 1.0), (1.0, 0.0)]);
        let step = |resolution: Option<f64>, span| {
            let signal = automatic(
                &bandwidth,
                resolution.map(seconds),
                Some(interval(0.0, span)),
            );
            signal.expect("samples").step().get()
        };
        assert_eq!(step(Some(2.0), 100.0), 2.0);
        assert_eq!(step(Some(2.0), 100_000.0), 8.0);
        assert_eq!(step(None, 16_384.0), 1.0);
        assert_eq!(step(Some(0.0), 16_384.0), 1.0);
        let none = automatic(&Bandwidth::default(), None, None);
        assert_eq!(none, Err(SamplingError::Empty));
    }

    #[test]
    fn leading_and_trailing_idle_time_is_kept() {
        let bandwidth = steps(&[(10.0, 8.0), (12.0, 0.0)]);
        let window = Some(interval(0.0, 100.0));
        let signal = automatic(&bandwidth, Some(seconds(2.0)), window).expect("samples");
        assert_eq!(signal.samples().len(), 50);
        assert_eq!(signal.samples()[5], 8.0);
        assert_eq!(
            signal.samples().iter().filter(|&&rate| rate > 0.0).count(),
            1
        );
    }

    #[test]
    fn an_instant_has_one_sample() {
        let bandwidth = steps(&[(5.0, 8.0), (5.0, 0.0)]);
        let signal = automatic(&bandwidth, None, None).expect("a sample");
        assert_eq!((signal.samples().len(), signal.step().get()), (1, 1.0));
    }

    #[test]
    fn samples_on_a_grid_are_untouched_wherever_the_window_begins() {
        let rates: Vec<f64> = (0..1000).map(|i| f64::from(i % 10)).collect();
        let time = |i: usize| 100.0 + i as f64 * 0.1;
        let made: Vec<_> = rates
            .iter()
            .enumerate()
            .map(|(i, &rate)| (time(i), rate))
            .collect();
        let bandwidth = steps(&[&made[..], &[(time(1000), 0.0)]].concat());
        let grid = interval(100.0, 200.0);
        // The step as the difference of two times that were read from decimal text.
        let step = seconds(100.3 - 100.2);
        for (start, first) in [(100.0, 0), (150.0, 500), (150.05, 500), (123.4, 234)] {
            let signal = on_grid(&bandwidth, step, grid, interval(start, 200.0)).expect("samples");
            assert_eq!(signal.samples().len(), 1000 - first, "{start}");
            for (sample, rate) in signal.samples().iter().zip(&rates[first..]) {
                assert!(
                    (sample - rate).abs() < 1e-9,
                    "{start}: {sample} is not {rate}"
                );
            }
        }
    }

    #[test]
    fn only_sources_that_are_made_of_steps_have_a_grid() {
        let bandwidth = steps(&[(0.0, 1.0), (10.0, 0.0)]);
        let step = |source| {
            let mut origin = Origin::new(source);
            origin.resolution = Some(seconds(0.25));
            origin.observed = Some(interval(0.0, 10.0));
            let signal = as_recorded(&bandwidth, &origin, interval(0.1, 10.0));
            let signal = signal.expect("samples");
            (signal.start().get(), signal.step().get())
        };
        assert_eq!(step(Source::Heatmap), (0.0, 0.25));
        assert_eq!(step(Source::Samples), (0.0, 0.25));
        assert_eq!(step(Source::Dxt), (0.1, 0.25));
    }

    #[test]
    fn requests_on_a_grid_are_samples() {
        let step = |changes: &[(f64, f64)]| {
            let span = interval(0.0, changes[changes.len() - 1].0);
            let origin = Origin::new(Source::Requests);
            let signal = as_recorded(&steps(changes), &origin, span).expect("samples");
            signal.step().get()
        };
        let changes = |length: f64, rate: fn(i32) -> f64| -> Vec<(f64, f64)> {
            (0..100).map(|i| (length * f64::from(i), rate(i))).collect()
        };
        assert_eq!(step(&changes(0.5, |i| f64::from(i % 7 + 1))), 0.5);
        // On and off in turns.
        assert_eq!(step(&changes(5.0, |i| f64::from((i + 1) % 2))), 1.25);
        // Mostly idle.
        assert_eq!(
            step(&changes(1.0, |i| f64::from(i % 7 / 6))),
            99.0 / STEPS as f64
        );
        let mut uneven = changes(1.0, |i| f64::from(i % 7));
        uneven[50].0 += 0.3;
        assert_eq!(step(&uneven), 99.0 / STEPS as f64);
    }

    #[test]
    fn uneven_samples_are_looked_at_as_finely_as_requests() {
        let edges =
            (0..20).flat_map(|i| [(10.0 * f64::from(i), 1.0), (10.0 * f64::from(i) + 3.0, 0.0)]);
        let bandwidth = steps(&edges.collect::<Vec<_>>());
        let mut origin = Origin::new(Source::Samples);
        origin.resolution = Some(seconds(3.0));
        origin.observed = Some(interval(0.0, 200.0));
        let signal = as_recorded(&bandwidth, &origin, interval(0.0, 200.0)).expect("samples");
        assert_eq!(signal.samples().len(), STEPS);
        // Steps of a few hundredths more or less are even.
        let jittered = (0..20).map(|i| (f64::from(i) + 0.05 * f64::from(i % 2), f64::from(i % 3)));
        let bandwidth = steps(&jittered.collect::<Vec<_>>());
        origin.resolution = Some(seconds(1.0));
        origin.observed = Some(interval(0.0, 20.0));
        let signal = as_recorded(&bandwidth, &origin, interval(0.0, 20.0)).expect("samples");
        assert_eq!(signal.samples().len(), 20);
    }

    #[test]
    fn a_grid_that_ends_inside_a_step_keeps_its_step() {
        let bandwidth = steps(&[(0.0, 1.0), (3.2, 0.0), (6.4, 5.0), (9.6, 0.0)]);
        let grid = interval(0.0, 8.5);
        let window = interval(0.0, 9.6);
        let signal = on_grid(&bandwidth, seconds(3.2), grid, window).expect("samples");
        assert_eq!(signal.samples().len(), 3);
        for (sample, rate) in signal.samples().iter().zip([1.0, 0.0, 5.0]) {
            assert!((sample - rate).abs() < 1e-12, "{sample} is not {rate}");
        }
    }

    #[test]
    fn more_samples_than_are_looked_at_are_averaged_in_whole_numbers() {
        let bandwidth = steps(&[(0.0, 1.0), (10.0, 0.0)]);
        let grid = interval(0.0, 3.0 * OWN_SAMPLES as f64);
        let signal = on_grid(&bandwidth, seconds(1.0), grid, grid).expect("samples");
        assert_eq!(signal.step().get(), 3.0);
        assert_eq!(signal.samples()[..4], [1.0, 1.0, 1.0, 1.0 / 3.0]);
    }

    #[test]
    fn rates_that_ask_for_too_much_are_refused_and_chosen_ones_lowered() {
        let bandwidth = steps(&[(0.0, 1.0), (0.25, 2.0), (10.0, 0.0)]);
        let window = interval(0.0, 10.0);
        let rate = Hertz::new(100.0).expect("positive");
        assert!(matches!(
            at_rate(&bandwidth, rate, window, 999),
            Err(SamplingError::TooManySamples { .. })
        ));
        let signal = at_rate(&bandwidth, rate, window, 1000).expect("samples");
        assert_eq!(signal.samples().len(), 1000);
        let signal = finest(&bandwidth, window, 1000).expect("samples");
        assert_eq!(signal.step().get(), 0.125);
        let signal = finest(&bandwidth, window, 10).expect("samples");
        assert_eq!(signal.samples().len(), 10);
        let nothing = finest(&Bandwidth::default(), window, 10).expect("samples");
        assert_eq!(nothing.samples(), [0.0]);
    }

    #[test]
    fn the_first_phase_ends_with_the_first_long_pause() {
        let end = |samples: &[f64]| {
            let signal = Signal::new(seconds(100.0), seconds(2.0), samples.to_vec());
            end_of_first_phase(&signal).map(Seconds::get)
        };
        // A short pause inside the first phase does not end it.
        let samples = [0.0, 9.0, 9.0, 0.0, 9.0, 0.0, 0.0, 0.0, 0.0, 9.0, 0.0, 0.0];
        assert_eq!(end(&samples), Some(110.0));
        assert_eq!(end(&[9.0, 9.0, 9.0]), None);
        assert_eq!(end(&[0.0; 4]), None);
        assert_eq!(end(&[]), None);
    }
}
