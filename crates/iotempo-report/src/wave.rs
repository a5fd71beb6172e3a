//! The cosine of a given period that comes closest to a signal.

use iotempo_model::Signal;
use std::f64::consts::TAU;

/// `cosine·cos(2πt/T) + sine·sin(2πt/T)` about the mean, with `t` from the start of the signal.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Wave {
    pub(crate) cosine: f64,
    pub(crate) sine: f64,
}

/// Projects the signal on both waves of `period` over the whole periods that it holds, where they
/// are orthogonal to each other and to the mean. `None` where it holds none, or the period is too
/// short for the signal's step, or nothing swings.
pub(crate) fn fit(signal: &Signal, period: f64) -> Option<Wave> {
    let step = signal.step().get();
    let samples = signal.samples();
    if !(step > 0.0 && period >= 2.0 * step) {
        return None;
    }
    let cycles = (samples.len() as f64 * step / period).floor();
    let used = ((cycles * period / step).round() as usize).min(samples.len());
    let samples = samples.get(..used).filter(|samples| !samples.is_empty())?;
    let (mut cosine, mut sine) = (0.0, 0.0);
    for (index, sample) in samples.iter().enumerate() {
        // A sample is the mean over its step: it stands for the middle.
        let angle = TAU * (index as f64 + 0.5) * step / period;
        cosine += sample * angle.cos();
        sine += sample * angle.sin();
    }
    let count = samples.len() as f64;
    let wave = Wave {
        cosine: 2.0 * cosine / count,
        sine: 2.0 * sine / count,
    };
    let crest = wave.cosine.hypot(wave.sine);
    (crest > 0.0 && crest.is_finite()).then_some(wave)
}

#[cfg(test)]
mod tests {
    use super::*;
    use iotempo_model::Seconds;

    fn signal(step: f64, samples: Vec<f64>) -> Signal {
        let seconds = |value| Seconds::new(value).expect("finite");
        Signal::new(seconds(7.0), seconds(step), samples)
    }

    #[test]
    fn a_wave_is_found_again() {
        let at = |t: f64| 10.0 + 3.0 * (TAU * t / 8.0).cos() - 4.0 * (TAU * t / 8.0).sin();
        let samples = (0..1000).map(|i| at((f64::from(i) + 0.5) * 0.25)).collect();
        let wave = fit(&signal(0.25, samples), 8.0).expect("many periods");
        for (found, truth) in [(wave.cosine, 3.0), (wave.sine, -4.0)] {
            assert!((found - truth).abs() < 1e-9, "{wave:?}");
        }
    }

    #[test]
    fn too_short_a_signal_or_period_has_no_wave() {
        assert_eq!(fit(&signal(1.0, vec![]), 4.0), None);
        assert_eq!(fit(&signal(1.0, vec![1.0; 3]), 4.0), None);
        assert_eq!(fit(&signal(1.0, vec![1.0; 30]), 1.5), None);
        assert_eq!(fit(&signal(0.0, vec![1.0; 30]), 4.0), None);
        assert_eq!(fit(&signal(1.0, vec![f64::NAN; 30]), 4.0), None);
        assert_eq!(fit(&signal(1.0, vec![0.0; 30]), 4.0), None);
        assert_eq!(fit(&signal(1.0, vec![1.0; 30]), f64::INFINITY), None);
    }
}
