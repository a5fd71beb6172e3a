//! What FTIO's method says about one input.

use super::figures;
use super::summary::Fact;
use iotempo_analysis::ftio;

/// The answer in a sentence.
pub(super) fn headline(finding: &ftio::Finding) -> String {
    match (finding.period_s, finding.dominant_frequency_hz) {
        (Some(period), Some(frequency)) => format!(
            "dominant frequency {} Hz: every {} s, confidence {}",
            figures::significant(frequency, 4),
            figures::significant(period, 4),
            figures::confidence(finding.confidence.unwrap_or(0.0)),
        ),
        _ => format!("no dominant frequency: {}", finding.verdict),
    }
}

/// What is known beside the answer.
pub(super) fn facts(finding: &ftio::Finding) -> Vec<Fact> {
    let mut facts = Vec::new();
    let bins = finding.candidates.iter().map(|bin| ("candidate", bin));
    let top = finding.top_bins.iter().map(|bin| ("strong", bin));
    for (name, bin) in bins.chain(top) {
        let sure = bin.confidence.map_or(String::new(), |confidence| {
            format!(", confidence {}", figures::confidence(confidence))
        });
        let period = if bin.frequency_hz > 0.0 {
            format!(
                "every {} s",
                figures::significant(1.0 / bin.frequency_hz, 4)
            )
        } else {
            "the mean".to_owned()
        };
        let frequency = figures::significant(bin.frequency_hz, 4);
        facts.push((name, format!("{frequency} Hz, {period}{sure}")));
    }
    if let Some(found) = &finding.autocorrelation {
        let text = match (found.period_s, found.confidence) {
            (Some(period), Some(confidence)) => format!(
                "every {} s, confidence {}",
                figures::significant(period, 4),
                figures::confidence(confidence)
            ),
            _ => "no period".to_owned(),
        };
        facts.push(("autocorrelation", text));
    }
    facts.extend(finding.sampling.as_ref().map(|sampling| {
        let error = figures::percent(sampling.abstraction_error);
        (
            "sampling lost",
            format!("{error} of the volume (abstraction error)"),
        )
    }));
    facts
}
