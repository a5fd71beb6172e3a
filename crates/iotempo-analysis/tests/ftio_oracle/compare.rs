//! A finding beside FTIO's answer.

use crate::numbers;
use iotempo_analysis::ftio::{Autocorrelation, Finding, Outlier, Sampling, Settings, Verdict};
use serde_json::Value;
use std::f64::consts::{PI, TAU};
use std::fmt::Debug;

/// How far numbers may be apart, as a share of FTIO's.
const RELATIVE: f64 = 1e-6;

/// What differs, in words.
#[derive(Default)]
pub(crate) struct Differences(pub(crate) Vec<String>);

impl Differences {
    /// Both numbers, or neither. What is 0 but for rounding is 0.
    pub(crate) fn number(&mut self, name: &str, ours: Option<f64>, theirs: &Value) {
        let theirs = theirs.as_f64();
        let same = match (ours, theirs) {
            (Some(a), Some(b)) => (a - b).abs() <= RELATIVE * b.abs() + 1e-12,
            (a, b) => a.is_none() && b.is_none(),
        };
        if !same {
            self.0.push(format!("{name}: {ours:?}, FTIO {theirs:?}"));
        }
    }

    pub(crate) fn numbers(&mut self, name: &str, ours: &[f64], theirs: &[f64]) {
        if ours.len() != theirs.len() {
            self.equal(name, &ours, &theirs);
            return;
        }
        for (i, (&a, &b)) in ours.iter().zip(theirs).enumerate() {
            self.number(&format!("{name} {i}"), Some(a), &b.into());
        }
    }

    pub(crate) fn equal<T: PartialEq + Debug>(&mut self, name: &str, ours: &T, theirs: &T) {
        if ours != theirs {
            self.0.push(format!("{name}: {ours:?}, FTIO {theirs:?}"));
        }
    }
}

/// Compares with an answer. A forest is compared in what it decides.
pub(crate) fn compare(finding: &Finding, settings: &Settings, case: &Value) -> Differences {
    let mut differences = Differences::default();
    let answer = &case["predictions"][0];
    let frequency = finding.dominant_frequency_hz;
    differences.number("dominant frequency", frequency, &answer["dominant_freq"]);
    if let Some(sampling) = &finding.sampling {
        compare_sampling(&mut differences, sampling, case);
    } else {
        differences
            .0
            .push(format!("no samples: {}", finding.verdict));
    }
    if settings.outlier == Outlier::Forest {
        return differences;
    }
    differences.number("confidence", finding.confidence, &answer["confidence"]);
    compare_candidates(&mut differences, finding, case);
    compare_top_bins(&mut differences, finding, settings, answer);
    if let Some(autocorrelation) = &finding.autocorrelation {
        compare_autocorrelation(&mut differences, autocorrelation, case);
    } else if settings.autocorrelation && finding.verdict != Verdict::Constant {
        differences.0.push("no autocorrelation".to_owned());
    }
    differences
}

fn compare_sampling(differences: &mut Differences, ours: &Sampling, case: &Value) {
    let theirs = &case["sampling"][0];
    let samples = ours.n_samples as f64;
    differences.number("samples", Some(samples), &theirs["N"]);
    differences.number("rate", Some(ours.rate_hz), &theirs["fs"]);
    differences.number("start", Some(ours.t_start_s), &theirs["t_first"]);
    differences.number("end", Some(ours.t_end_s), &theirs["t_last"]);
    let error = Some(ours.abstraction_error);
    differences.number("abstraction error", error, &theirs["abstraction_error"]);
}

/// How many bytes FTIO's unit has: it takes MB and MiB for bytes.
fn unit(finding: &Finding, case: &Value) -> f64 {
    let ours = finding.sampling.map(|sampling| sampling.volume_bytes);
    let theirs = case["sampling"][0]["volume_original"].as_f64();
    match ours.zip(theirs) {
        Some((ours, theirs)) if theirs > 0.0 => ours / theirs,
        _ => 1.0,
    }
}

fn compare_candidates(differences: &mut Differences, finding: &Finding, case: &Value) {
    let spectrum = &case["spectrum"][0];
    let bins: Vec<f64> = finding.candidates.iter().map(|bin| bin.k as f64).collect();
    differences.numbers("candidates", &bins, &numbers(&spectrum["dominant_k"]));
    let sure: Vec<f64> = finding
        .candidates
        .iter()
        .filter_map(|bin| bin.confidence)
        .collect();
    differences.numbers("confidences", &sure, &numbers(&spectrum["dominant_conf"]));
    let answer = &case["predictions"][0];
    let unit = unit(finding, case);
    let amplitudes: Vec<f64> = finding
        .candidates
        .iter()
        .map(|bin| bin.amplitude / unit)
        .collect();
    differences.numbers("amplitudes", &amplitudes, &numbers(&answer["amp"]));
    for (bin, phase) in finding.candidates.iter().zip(numbers(&answer["phi"])) {
        let apart = (bin.phase_rad - phase + PI).rem_euclid(TAU) - PI;
        differences.equal("phases close", &(apart.abs() < RELATIVE), &true);
    }
}

fn compare_top_bins(
    differences: &mut Differences,
    finding: &Finding,
    settings: &Settings,
    answer: &Value,
) {
    if settings.top_bins == 0 {
        return;
    }
    let theirs = &answer["top_freqs"];
    let frequencies: Vec<f64> = finding
        .top_bins
        .iter()
        .map(|bin| bin.frequency_hz)
        .collect();
    differences.numbers("top frequencies", &frequencies, &numbers(&theirs["freq"]));
    let pairs = finding
        .top_bins
        .iter()
        .zip(theirs["conf"].as_array().unwrap());
    for (bin, confidence) in pairs {
        // Infinite for the mean.
        let name = format!("confidence of bin {}", bin.k);
        differences.number(&name, bin.confidence, confidence);
    }
}

fn compare_autocorrelation(differences: &mut Differences, ours: &Autocorrelation, case: &Value) {
    let theirs = &case["autocorrelation"];
    let rate = case["sampling"][0]["fs"].as_f64().unwrap();
    let lags: Vec<f64> = numbers(&theirs["peaks"])
        .iter()
        .map(|lag| lag / rate)
        .collect();
    differences.numbers("peaks", &ours.peak_lags_s, &lags);
    differences.numbers(
        "heights",
        &ours.peak_heights,
        &numbers(&theirs["peak_heights"]),
    );
    let kept = numbers(&theirs["candidates_after_filter"]);
    differences.numbers("times between peaks", &ours.candidates_s, &kept);
    // A period that is not positive is none.
    let period = theirs["period"].as_f64().filter(|&period| period > 0.0);
    let sure = period.and(theirs["c_a"].as_f64());
    differences.number(
        "period of the autocorrelation",
        ours.period_s,
        &period.into(),
    );
    differences.number(
        "confidence of the autocorrelation",
        ours.confidence,
        &sure.into(),
    );
}
