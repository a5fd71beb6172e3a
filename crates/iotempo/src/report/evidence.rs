//! What a page shows beside a finding.

use crate::human;
use iotempo_analysis::autocorrelation::autocorrelation;
use iotempo_analysis::ftio;
use iotempo_analysis::period::{FEWEST_SAMPLES, PeriodFinding};
use iotempo_analysis::scalogram::Scalogram;
use iotempo_analysis::spectrum;
use iotempo_model::Signal;
use iotempo_report::figures::{confidence, percent, significant};
use iotempo_report::{Autocorrelation, Fact, Mark, Part, Spectrum};

/// A finding with the evidence that a page shows; beside it, what FTIO answers.
pub(crate) fn part(
    name: &str,
    signal: Signal,
    finding: PeriodFinding,
    ftio: Option<&ftio::Finding>,
) -> Part {
    let candidates = ftio.map_or_else(Vec::new, candidates);
    // Of a handful of samples, as counters give them, pictures of what repeats show nothing.
    let enough = signal.samples().len() >= FEWEST_SAMPLES;
    Part {
        spectrum: enough.then(|| lines(&signal, candidates)).flatten(),
        autocorrelation: enough.then(|| lags(&signal)).flatten(),
        scalogram: Scalogram::of(&signal),
        ftio: ftio.map_or_else(Vec::new, ftio_facts),
        ..Part::new(name, signal, finding)
    }
}

/// `None` where there is no time to speak of.
fn lines(signal: &Signal, candidates: Vec<Mark>) -> Option<Spectrum> {
    let samples = signal.samples();
    let length = samples.len() as f64 * signal.step().get();
    if !(length > 0.0 && samples.iter().all(|x| x.is_finite())) {
        return None;
    }
    let power = spectrum::Spectrum::of(samples).powers();
    Some(Spectrum {
        frequencies_hz: (0..power.len()).map(|k| k as f64 / length).collect(),
        power,
        candidates,
    })
}

/// Up to half the signal: longer lags compare less than half of it with itself.
fn lags(signal: &Signal) -> Option<Autocorrelation> {
    let mut coefficients = autocorrelation(signal.samples())?;
    coefficients.truncate(coefficients.len() / 2 + 1);
    Some(Autocorrelation {
        step: signal.step(),
        coefficients,
        peaks: Vec::new(),
    })
}

fn candidates(finding: &ftio::Finding) -> Vec<Mark> {
    let marks = finding.candidates.iter().map(|bin| Mark {
        at: bin.frequency_hz,
        label: format!("FTIO {}", human::duration(1.0 / bin.frequency_hz)),
    });
    marks.collect()
}

fn ftio_facts(finding: &ftio::Finding) -> Vec<Fact> {
    let hertz = |frequency: f64| format!("{} Hz", significant(frequency, 4));
    let sampling = finding.sampling.as_ref();
    let candidates: Vec<_> = finding
        .candidates
        .iter()
        .map(|bin| hertz(bin.frequency_hz))
        .collect();
    let candidates = (!candidates.is_empty()).then(|| candidates.join(", "));
    let samples = sampling.map(|sampling| {
        let count = human::count(sampling.n_samples as u64);
        format!("{count} ({} a second)", significant(sampling.rate_hz, 4))
    });
    let known = [
        ("verdict", Some(finding.verdict.to_string())),
        (
            "dominant frequency",
            finding.dominant_frequency_hz.map(hertz),
        ),
        ("period", finding.period_s.map(human::duration)),
        ("confidence", finding.confidence.map(confidence)),
        ("candidates", candidates),
        ("samples", samples),
        (
            "abstraction error",
            sampling.map(|sampling| percent(sampling.abstraction_error)),
        ),
    ];
    let facts = known.into_iter();
    facts
        .filter_map(|(name, value)| Some(Fact::new(name, value?)))
        .collect()
}
