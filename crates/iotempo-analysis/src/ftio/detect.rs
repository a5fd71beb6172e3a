//! From events to a finding.

use super::autocorrelation::by_autocorrelation;
use super::candidates::{Candidates, OUTLIER, Shares};
use super::finding::{Bin, Finding, Sampling, Verdict};
use super::overlap::{Points, PointsView};
use super::sampling::{Runs, Sampled};
use super::settings::{Method, Outlier, Rate, Settings};
use super::stairs::LowEnd;
use crate::spectrum::{Measure, Spectrum};
use iotempo_model::{Hertz, Seconds, Signal, Source, Trace, Warning};
use realfft::num_complex::Complex;
use std::f64::consts::TAU;

impl Settings {
    /// Looks for the dominant frequency of a trace. A direction must be chosen before: FTIO looks
    /// at reads or at writes.
    ///
    /// A heatmap sets its own sampling rate: five samples a bin, or one according to the paper.
    #[must_use]
    pub fn detect(&self, trace: &Trace) -> Finding {
        let points = Points::of_trace(trace);
        match self.rate_of_heatmap(trace) {
            None => self.detect_points(&points),
            Some(rate) => {
                let settings = Self {
                    freq: Rate::Fixed(rate),
                    ..self.clone()
                };
                let mut finding = settings.detect_points(&points);
                let message = format!("a heatmap is sampled at {} Hz, by its bins", rate.get());
                finding.notes.push(Warning::new("heatmap-rate", message));
                finding
            }
        }
    }

    /// The rate at which a heatmap is sampled, whatever rate was asked for; `None` of other sources.
    #[must_use]
    pub fn rate_of_heatmap(&self, trace: &Trace) -> Option<Hertz> {
        let heatmap = trace.origin.source == Source::Heatmap;
        let width = trace.origin.resolution.filter(|_| heatmap)?.get();
        Hertz::new(match self.method {
            Method::Ftio => 5.0 / width,
            Method::Paper => 1.0 / width,
        })
    }

    /// The samples that are looked at, and what is known about them.
    ///
    /// # Errors
    /// The verdict on a bandwidth that cannot be sampled so.
    pub fn sample(&self, points: &Points) -> Result<(Signal, Sampling), Verdict> {
        let sampled = Sampled::of(points.within(self.ts, self.te), self)?;
        let seconds = |value| Seconds::new(value).ok_or(Verdict::NotFinite);
        let step = seconds(1.0 / sampled.how.rate_hz)?;
        let signal = Signal::new(seconds(sampled.how.t_start_s)?, step, sampled.values);
        Ok((signal, sampled.how))
    }

    /// Looks for the dominant frequency of a bandwidth given by its points.
    #[must_use]
    pub fn detect_points(&self, points: &Points) -> Finding {
        let points = points.within(self.ts, self.te);
        if let Some(finding) = self.detect_stairs(points) {
            return finding;
        }
        match Sampled::of(points, self) {
            Ok(sampled) => self.detect_sampled(&sampled),
            Err(verdict) => Finding::undetermined(verdict),
        }
    }

    /// Looks for the dominant frequency of samples that were taken already: the rate and the window
    /// of these settings do not matter, and nothing is known of an abstraction error.
    #[must_use]
    pub fn detect_signal(&self, signal: &Signal) -> Finding {
        let values = signal.samples().to_vec();
        let step = signal.step().get();
        if values.is_empty() || step <= 0.0 {
            return Finding::undetermined(Verdict::Empty);
        }
        let volume = values.iter().map(|value| (value * step).abs()).sum::<f64>();
        if !volume.is_finite() {
            return Finding::undetermined(Verdict::NotFinite);
        }
        let how = Sampling {
            n_samples: values.len(),
            rate_hz: 1.0 / step,
            t_start_s: signal.start().get(),
            t_end_s: signal.time(values.len()).get(),
            volume_bytes: volume,
            sampled_volume_bytes: volume,
            abstraction_error: 0.0,
        };
        self.detect_sampled(&Sampled { values, how })
    }

    /// The same from points alone, where samples are so many more than these that it is faster.
    /// `None` where they are not, or where points do not suffice.
    fn detect_stairs(&self, points: PointsView<'_>) -> Option<Finding> {
        let all_bins = self.outlier != Outlier::ZScore || self.spectrum != Measure::Power;
        if all_bins || self.autocorrelation || self.top_bins > 0 {
            return None;
        }
        let count = LOW_BINS * points.times.len();
        let Runs { runs, how } = Runs::of(points, self, PAYS_OFF * count)?;
        if is_constant(runs.iter().map(|run| run.rate)) {
            let mut finding = Finding::undetermined(Verdict::Constant);
            finding.sampling = Some(how);
            return Some(finding);
        }
        let mut count = count;
        while PAYS_OFF * count < how.n_samples {
            let low_end = LowEnd::of(&runs, how.n_samples, count)?;
            if let Some(scores) = low_end.z_scores(OUTLIER, self.tolerance) {
                return Some(self.judge_low_end(low_end, scores, how));
            }
            count *= 2;
        }
        None
    }

    fn judge_low_end(&self, low_end: LowEnd, scores: Vec<f64>, how: Sampling) -> Finding {
        let shares = Shares {
            shares: &low_end.shares,
            rate: how.rate_hz,
            samples: how.n_samples,
        };
        let candidates = Candidates::by_z_score(scores, &shares, self);
        let bins = Bins {
            spectrum: &low_end.bins,
            shares: &shares,
            confidences: &candidates.confidences,
            start: how.t_start_s,
        };
        let mut finding = Finding::of_spectrum(&candidates, &bins, 0);
        finding.sampling = Some(how);
        finding
    }

    fn detect_sampled(&self, sampled: &Sampled) -> Finding {
        let mut finding = if is_constant(sampled.values.iter().copied()) {
            Finding::undetermined(Verdict::Constant)
        } else {
            self.detect_frequency(sampled)
        };
        if self.autocorrelation && finding.verdict.is_determined() {
            let rate = sampled.how.rate_hz;
            let (other, warning) = by_autocorrelation(&sampled.values, rate, self.method);
            finding = finding.merged_with(other, self.method);
            finding.notes.extend(warning);
        }
        finding.sampling = Some(sampled.how);
        finding
    }

    fn detect_frequency(&self, sampled: &Sampled) -> Finding {
        let spectrum = Spectrum::of(&sampled.values);
        let shares = Shares {
            shares: &spectrum.contributions(self.spectrum),
            rate: sampled.how.rate_hz,
            samples: sampled.values.len(),
        };
        let judged = can_be_judged(&spectrum, &shares).and_then(|()| Candidates::of(&shares, self));
        let candidates = match judged {
            Ok(candidates) => candidates,
            Err(verdict) => return Finding::undetermined(verdict),
        };
        let bins = Bins {
            spectrum: spectrum.bins(),
            shares: &shares,
            confidences: &candidates.confidences,
            start: sampled.how.t_start_s,
        };
        Finding::of_spectrum(&candidates, &bins, self.top_bins)
    }
}

/// How many bins per point are asked for at first: rhythms of a real trace lie among fewer than it
/// has points, and the bound on what lies beyond has to fall off.
const LOW_BINS: usize = 8;

/// A bin from points is worth this many samples of a transform.
const PAYS_OFF: usize = 8;

/// Numbers near the largest have powers beyond it, those near the smallest have none.
fn can_be_judged(spectrum: &Spectrum, shares: &Shares<'_>) -> Result<(), Verdict> {
    let sum: f64 = shares.shares.iter().sum();
    if !(sum.is_finite() && spectrum.amplitude(0).is_finite()) {
        Err(Verdict::NotFinite)
    } else if sum == 0.0 {
        Err(Verdict::Constant)
    } else {
        Ok(())
    }
}

/// What is needed to describe a bin.
struct Bins<'a> {
    spectrum: &'a [Complex<f64>],
    shares: &'a Shares<'a>,
    confidences: &'a [f64],
    start: f64,
}

impl Bins<'_> {
    fn describe(&self, k: usize) -> Bin {
        let frequency = self.shares.frequency(k);
        // FTIO turns phases so that they hold at time 0 of the trace.
        let turned = self.spectrum[k] * Complex::from_polar(1.0, -TAU * frequency * self.start);
        Bin {
            k,
            frequency_hz: frequency,
            confidence: k
                .checked_sub(1)
                .and_then(|i| self.confidences.get(i).copied()),
            amplitude: turned.norm(),
            phase_rad: turned.arg(),
        }
    }

    /// The strongest bins, the mean among them; the highest bin of an even number of samples is not.
    fn strongest(&self, count: usize) -> Vec<Bin> {
        let mut order: Vec<usize> = (0..self.shares.samples.div_ceil(2)).collect();
        let amplitudes: Vec<f64> = self.spectrum.iter().map(|bin| bin.norm()).collect();
        order.sort_by(|&a, &b| amplitudes[b].total_cmp(&amplitudes[a]));
        order
            .iter()
            .take(count)
            .map(|&k| self.describe(k))
            .collect()
    }
}

impl Finding {
    fn of_spectrum(candidates: &Candidates, bins: &Bins<'_>, top: usize) -> Self {
        let verdict = match (candidates.bins.is_empty(), candidates.too_many) {
            (false, _) => Verdict::Periodic,
            (true, false) => Verdict::NoCandidate,
            (true, true) => Verdict::TooManyCandidates,
        };
        let mut finding = Self::undetermined(verdict);
        finding.candidates = candidates.bins.iter().map(|&k| bins.describe(k)).collect();
        if let Some(bin) = finding.dominant() {
            finding.dominant_frequency_hz = Some(bin.frequency_hz);
            finding.period_s = Some(1.0 / bin.frequency_hz);
            finding.confidence = bin.confidence;
        }
        if top > 0 {
            finding.top_bins = bins.strongest(top);
        }
        finding
    }
}

/// Samples that differ less than this, as a share of the largest, differ by rounding: of a sum
/// over thousands of overlapping requests, or of the transform itself.
const ROUNDING: f64 = 1e-12;

fn is_constant(values: impl Iterator<Item = f64> + Clone) -> bool {
    let low = values.clone().fold(f64::INFINITY, f64::min);
    let high = values.fold(f64::NEG_INFINITY, f64::max);
    high - low <= ROUNDING * high.abs().max(low.abs())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A burst a second for a minute, at a rate of many samples.
    #[test]
    fn points_alone_answer_unless_every_bin_is_asked_for() {
        let times = (0..120).map(|half| f64::from(half) / 2.0).collect();
        let rates = (0..120).map(|half| f64::from(half % 2)).collect();
        let points = Points::new(times, rates).expect("sorted");
        let settings = Settings {
            freq: Rate::Fixed(Hertz::new(20_011.0).expect("positive")),
            ..Settings::default()
        };
        let answer = |settings: &Settings| settings.detect_stairs(points.within(None, None));
        let finding = answer(&settings).expect("the points suffice");
        assert_eq!(finding.verdict, Verdict::Periodic);
        let asks = |change: fn(&mut Settings)| {
            let mut changed = settings.clone();
            change(&mut changed);
            answer(&changed).is_none()
        };
        assert!(asks(|settings| settings.outlier = Outlier::Peak));
        assert!(asks(|settings| settings.spectrum = Measure::Amplitude));
        assert!(asks(|settings| settings.autocorrelation = true));
        assert!(asks(|settings| settings.top_bins = 3));
        assert!(asks(|settings| settings.freq = Rate::default()));
    }
}
