//! One answer out of those of the spectrum and of the autocorrelation.

use super::finding::{Autocorrelation, Bin, Finding, Verdict};
use super::settings::Method;
use iotempo_model::Warning;

/// Below this, spectrum and autocorrelation together are too unsure for FTIO.
const LEAST_CONFIDENCE: f64 = 0.2;

impl Finding {
    /// Refines what the spectrum says by what the autocorrelation says.
    pub(super) fn merged_with(mut self, other: Autocorrelation, method: Method) -> Self {
        if let Some((period, confidence)) = other.period_s.zip(other.confidence) {
            match self.dominant() {
                Some(bin) => self.refine(bin, &other, confidence, method),
                None if method == Method::Ftio => self.take_over(period, confidence),
                None => {}
            }
        }
        self.autocorrelation = Some(other);
        self
    }

    /// The candidate with the largest amplitude, of equals the first.
    pub(super) fn dominant(&self) -> Option<Bin> {
        let louder = |best: Bin, bin: Bin| {
            if bin.amplitude > best.amplitude {
                bin
            } else {
                best
            }
        };
        self.candidates.iter().copied().reduce(louder)
    }

    fn refine(&mut self, bin: Bin, other: &Autocorrelation, confidence: f64, method: Method) {
        if method == Method::Ftio && self.candidates.first() != Some(&bin) {
            let message = "FTIO refines the confidence of the lower of two candidates and fails to \
                           report it where the higher one is the stronger: not refined";
            self.notes.push(Warning::new("not-refined", message));
            return;
        }
        let similarity = match method {
            // FTIO loses the times between peaks before it compares them.
            Method::Ftio => 1.0,
            Method::Paper => similarity(1.0 / bin.frequency_hz, &other.candidates_s),
        };
        let refined = (bin.confidence.unwrap_or_default() + confidence + similarity) / 3.0;
        self.similarity = Some(similarity);
        self.refined_confidence = Some(refined);
        self.confidence = Some(refined);
        if method == Method::Ftio && refined < LEAST_CONFIDENCE {
            self.verdict = Verdict::TooUnsure;
            self.dominant_frequency_hz = None;
            self.period_s = None;
            self.confidence = None;
        }
    }

    /// The autocorrelation alone is worth a third.
    fn take_over(&mut self, period: f64, confidence: f64) {
        if confidence < 0.0 {
            let message = format!(
                "the autocorrelation has a period of {period} s whose confidence is {confidence}: \
                 FTIO would report it"
            );
            self.notes
                .push(Warning::new("negative-confidence", message));
            return;
        }
        self.verdict = Verdict::AutocorrelationOnly;
        self.dominant_frequency_hz = Some(1.0 / period);
        self.period_s = Some(period);
        self.confidence = Some(confidence / 3.0);
    }
}

/// `c_s = 1 − σ/μ` of the period of the spectrum among those of the autocorrelation.
fn similarity(period: f64, others: &[f64]) -> f64 {
    let count = (others.len() + 1) as f64;
    let mean = (others.iter().sum::<f64>() + period) / count;
    let all = others.iter().chain([&period]);
    let variance = all.map(|x| (x - mean).powi(2)).sum::<f64>() / count;
    1.0 - variance.sqrt() / mean
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_periods_are_wholly_similar() {
        assert_eq!(similarity(5.0, &[5.0, 5.0]), 1.0);
        assert_eq!(similarity(5.0, &[]), 1.0);
        // Mean 2, deviation 1.
        assert_eq!(similarity(1.0, &[3.0]), 0.5);
    }
}
