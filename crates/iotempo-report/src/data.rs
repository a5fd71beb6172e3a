//! What the pictures of a page are drawn from, as JSON inside the page.

use crate::base64;
use crate::clock::Clock;
use crate::downsample::{Envelope, envelope, peaks_on_log_axis};
use crate::evidence::{Autocorrelation, Mark, Spectrum};
use crate::page::{Part, PeriodPage};
use crate::wave;
use iotempo_analysis::period::{Phase, Rhythm};
use iotempo_analysis::scalogram::Scalogram;
use iotempo_model::Signal;
use serde::{Serialize, Serializer};

/// Stretches of a signal that are drawn: more than a laptop has columns of pixels.
pub(crate) const MOST_BUCKETS: usize = 4000;
/// Phases that are shaded. Beyond that there is one for every pixel.
pub(crate) const MOST_PHASES: usize = 4000;
/// Lags of an autocorrelation that are drawn, in half the width of a page.
const MOST_LAGS: usize = 2000;
/// Points of a spectrum that are drawn, in half the width of a page.
const MOST_LINES: usize = 1000;

/// A number with few digits, whole where it is; what is not finite is `null`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Short(f64);

impl Serialize for Short {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let value = self.0;
        if value.fract() == 0.0 && value.abs() < 1e15 {
            serializer.serialize_i64(value as i64)
        } else {
            serializer.serialize_f64(value)
        }
    }
}

/// Four digits: finer than a pixel of any screen.
pub(crate) fn short(value: f64) -> Short {
    digits(value, 3)
}

/// A time inside a long run, to the microsecond of an hour.
pub(crate) fn exact(value: f64) -> Short {
    digits(value, 9)
}

fn digits(value: f64, behind_the_first: usize) -> Short {
    let text = format!("{value:.behind_the_first$e}");
    Short(text.parse().unwrap_or(f64::NAN))
}

/// All pictures of a page.
#[derive(Serialize)]
pub(crate) struct Drawing {
    /// The factor from one prefix of bytes to the next, and what they are called.
    base: f64,
    names: [&'static str; 7],
    /// Whether times are dates.
    calendar: bool,
    pub(crate) parts: Vec<Picture>,
}

impl Drawing {
    pub(crate) fn of(page: &PeriodPage) -> Self {
        Self {
            base: page.units.base(),
            names: page.units.names(),
            calendar: page
                .parts
                .first()
                .is_some_and(|part| Clock::of_signal(&part.signal) == Clock::Calendar),
            parts: page.parts.iter().map(Picture::of).collect(),
        }
    }
}

/// JSON in which nothing ends the element that it stands in.
pub(crate) fn json(drawing: &impl Serialize) -> String {
    // Plain numbers and text: nothing in it can fail.
    let json = serde_json::to_string(drawing).unwrap_or_default();
    json.replace('<', "\\u003c")
        .replace('>', "\\u003e")
        .replace('&', "\\u0026")
}

/// The pictures of one part. Times are seconds from `start`.
#[derive(Serialize)]
pub(crate) struct Picture {
    start: f64,
    length: Short,
    signal: Buckets,
    period: Option<Short>,
    /// Whether the period is not to be relied on.
    guess: bool,
    /// Of the cosine and of the sine of the period.
    wave: Option<[Short; 2]>,
    /// Start, end.
    phases: Vec<[Short; 2]>,
    /// Low, value and high of the start of the next phase, and the length of a phase.
    next: Option<[Short; 4]>,
    /// Start, end, period.
    segments: Vec<(Short, Short, Option<Short>)>,
    pub(crate) spectrum: Option<Lines>,
    pub(crate) autocorrelation: Option<Lags>,
    pub(crate) scalogram: Option<Cells>,
}

#[derive(Serialize)]
pub(crate) struct Buckets {
    step: f64,
    together: usize,
    /// What `low` and `high` count, so that they are short.
    unit: f64,
    /// Left out where it is the same as `high`.
    #[serde(skip_serializing_if = "Option::is_none")]
    low: Option<Vec<Short>>,
    high: Vec<Short>,
}

#[derive(Serialize)]
pub(crate) struct Lines {
    frequency: Vec<Short>,
    /// The share of all power but the mean's.
    share: Vec<Short>,
    marks: Vec<(Short, String)>,
}

#[derive(Serialize)]
pub(crate) struct Lags {
    #[serde(flatten)]
    buckets: Buckets,
    marks: Vec<(Short, String)>,
}

#[derive(Serialize)]
pub(crate) struct Cells {
    /// The time of a column.
    column: f64,
    columns: usize,
    shortest: Short,
    longest: Short,
    rows: usize,
    highest: Short,
    /// How many periods from an end of the signal on a period can be told from the end.
    margin: Short,
    /// A byte a cell, row after row: 255 times the square root of the share in the highest
    /// amplitude; in base64.
    cells: String,
}

impl Cells {
    /// The highest amplitude in bytes per second.
    pub(crate) fn highest(&self) -> f64 {
        self.highest.0
    }
}

impl Picture {
    fn of(part: &Part) -> Self {
        let Part {
            signal, finding, ..
        } = part;
        let start = signal.start().get();
        let best = finding.best();
        let period = best.map(|rhythm| rhythm.period.value.get());
        let since = |time: f64| exact(time - start);
        let segments = finding.segments.iter().map(|segment| {
            let period = segment.period.map(|period| short(period.value.get()));
            (since(segment.start.get()), since(segment.end.get()), period)
        });
        Self {
            start,
            length: exact(signal.samples().len() as f64 * signal.step().get()),
            signal: rates(signal.samples(), signal.step().get(), MOST_BUCKETS),
            period: period.map(exact),
            guess: !finding.is_periodic(),
            wave: period.and_then(|period| waves(signal, period)),
            phases: best.map_or_else(Vec::new, |rhythm| phases(&rhythm.phases, since)),
            next: finding.main().and_then(|rhythm| next(rhythm, since)),
            segments: segments.collect(),
            spectrum: part.spectrum.as_ref().and_then(lines),
            autocorrelation: part.autocorrelation.as_ref().and_then(lags),
            scalogram: part.scalogram.as_ref().and_then(|it| cells(it, signal)),
        }
    }
}

/// At most `most` stretches of rates, in the power of ten that gives the highest four digits.
pub(crate) fn rates(samples: &[f64], step: f64, most: usize) -> Buckets {
    let envelope = envelope(samples, most);
    let highest = envelope.high.iter().copied().fold(0.0, f64::max);
    let power = if highest > 0.0 {
        highest.log10().floor() - 3.0
    } else {
        0.0
    };
    buckets(envelope, step, 10_f64.powf(power), short)
}

fn buckets(envelope: Envelope, step: f64, unit: f64, rounded: impl Fn(f64) -> Short) -> Buckets {
    let values = |values: &[f64]| values.iter().map(|value| rounded(value / unit)).collect();
    Buckets {
        step,
        together: envelope.together,
        unit,
        low: (envelope.together > 1).then(|| values(&envelope.low)),
        high: values(&envelope.high),
    }
}

fn waves(signal: &Signal, period: f64) -> Option<[Short; 2]> {
    let wave = wave::fit(signal, period)?;
    Some([wave.cosine, wave.sine].map(short))
}

fn phases(phases: &[Phase], since: impl Fn(f64) -> Short) -> Vec<[Short; 2]> {
    if phases.len() > MOST_PHASES {
        return Vec::new();
    }
    let phases = phases.iter();
    phases
        .map(|phase| [since(phase.start.get()), since(phase.end.get())])
        .collect()
}

fn next(rhythm: &Rhythm, since: impl Fn(f64) -> Short) -> Option<[Short; 4]> {
    let next = rhythm.next_start?;
    let [low, value, high] = [next.low, next.value, next.high].map(|time| since(time.get()));
    Some([low, value, high, exact(rhythm.phase_length().get())])
}

fn marks(marks: &[Mark]) -> Vec<(Short, String)> {
    let drawable = marks.iter().filter(|mark| mark.at.is_finite());
    drawable
        .map(|mark| (exact(mark.at), mark.label.clone()))
        .collect()
}

/// `None` where there is no power but the mean's and that of the last digits of the samples, and
/// where a single frequency makes no axis.
fn lines(spectrum: &Spectrum) -> Option<Lines> {
    let pairs = spectrum.frequencies_hz.iter().zip(&spectrum.power);
    let (mean, points): (Vec<_>, Vec<_>) = pairs
        .map(|(frequency, power)| (*frequency, *power))
        .partition(|(frequency, _)| *frequency == 0.0);
    let sum = |points: &[(f64, f64)]| points.iter().map(|(_, power)| power).sum::<f64>();
    let (total, negligible) = (sum(&points), 1e-20 * sum(&mean));
    if !(total > negligible && total.is_finite()) {
        return None;
    }
    let kept = peaks_on_log_axis(&points, MOST_LINES);
    (kept.len() > 1).then(|| Lines {
        frequency: kept.iter().map(|(x, _)| digits(*x, 4)).collect(),
        share: kept.iter().map(|(_, power)| short(power / total)).collect(),
        marks: marks(&spectrum.candidates),
    })
}

/// `None` without lags.
fn lags(lags: &Autocorrelation) -> Option<Lags> {
    let step = lags.step.get();
    let drawable = lags.coefficients.len() > 1 && step > 0.0;
    drawable.then(|| Lags {
        buckets: buckets(
            envelope(&lags.coefficients, MOST_LAGS),
            step,
            1e-3,
            |value| Short(value.round()),
        ),
        marks: marks(&lags.peaks),
    })
}

/// `None` where nothing oscillates but the last digits of the samples.
fn cells(scalogram: &Scalogram, signal: &Signal) -> Option<Cells> {
    let negligible = 1e-9 * signal.samples().iter().copied().fold(0.0, f64::max);
    let highest = scalogram.amplitude.iter().copied().fold(0.0, f64::max);
    let shortest = scalogram.periods.first()?.get();
    let longest = scalogram.periods.last()?.get();
    let whole = scalogram.amplitude.len() == scalogram.periods.len() * scalogram.columns;
    if !(highest > negligible && highest.is_finite() && whole) {
        return None;
    }
    // Short bursts are strong at short periods: their square root leaves room for the rhythm.
    let cell = |value: &f64| ((value / highest).sqrt() * 255.0).round() as u8;
    let cells: Vec<_> = scalogram.amplitude.iter().map(cell).collect();
    Some(Cells {
        column: scalogram.column.get(),
        columns: scalogram.columns,
        shortest: short(shortest),
        longest: short(longest),
        rows: scalogram.periods.len(),
        highest: short(highest),
        margin: short(Scalogram::margin(*scalogram.periods.last()?).get() / longest),
        cells: base64::encode(&cells),
    })
}
