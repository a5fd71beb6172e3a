//! Whole vectors on the way from requests to scores.

use crate::command::Command;
use crate::compare::Differences;
use crate::{data, inputs, numbers, oracle};
use iotempo_analysis::autocorrelation::autocorrelation;
use iotempo_analysis::outliers::z_scores;
use iotempo_analysis::spectrum::{Measure, Spectrum};
use serde_json::Value;
use std::fs;
use std::path::Path;

fn compare(data: &Path, name: &str) -> usize {
    let vectors = oracle(data, name);
    let words: Vec<&str> = vectors["cmd"]
        .as_str()
        .unwrap()
        .split(' ')
        .skip(1)
        .collect();
    let command = Command::new(&words);
    let points = inputs::points(data, &command);
    let (signal, _) = command.settings.sample(&points).unwrap();
    let samples = signal.samples();
    let shares = Spectrum::of(samples).contributions(Measure::Power);
    let scores: Vec<f64> = z_scores(&shares).iter().map(|z| z.abs()).collect();
    let acf = autocorrelation(samples).unwrap();
    // FTIO takes the MB of old TMIO files for bytes.
    let theirs = numbers(&vectors["b_sampled"]);
    let unit = samples.iter().sum::<f64>() / theirs.iter().sum::<f64>();
    let scaled = |values: &[f64]| values.iter().map(|x| x / unit).collect::<Vec<f64>>();
    let overlap = numbers(&vectors["t_overlap"]);
    let shown = overlap.len();
    assert_eq!(
        points.times().len() as u64,
        vectors["n_points"].as_u64().unwrap()
    );
    let mut differences = Differences::default();
    differences.numbers("times", &points.times()[..shown], &overlap);
    // Of requests that end at the same instant it matters to nothing which one is taken first.
    let lasts = |rates: Vec<f64>| -> Vec<f64> {
        let ends = overlap
            .windows(2)
            .zip(rates)
            .filter(|(pair, _)| pair[0] < pair[1]);
        ends.map(|(_, rate)| rate).collect()
    };
    let rates = lasts(scaled(&points.rates()[..shown]));
    let theirs = lasts(numbers(&vectors["b_overlap"]));
    differences.absolute("rates", &rates, &theirs.into());
    differences.absolute("samples", &scaled(samples), &vectors["b_sampled"]);
    differences.absolute("contributions", &shares, &vectors["p_norm"]);
    differences.absolute("scores", &scores, &vectors["z"]);
    differences.absolute("autocorrelation", &acf, &vectors["acf"]);
    assert!(differences.0.is_empty(), "{name}: {:?}", differences.0);
    samples.len()
}

impl Differences {
    /// Numbers of one vector: rounding is relative to its largest.
    fn absolute(&mut self, name: &str, ours: &[f64], theirs: &Value) {
        let theirs = numbers(theirs);
        let largest = theirs.iter().fold(0.0, |most: f64, x| most.max(x.abs()));
        let scaled = |values: &[f64]| {
            values
                .iter()
                .map(|x| x / largest + 1.0)
                .collect::<Vec<f64>>()
        };
        let far = |(a, b): (&f64, &f64)| (a - b).abs() > 1e-12;
        let (ours, theirs) = (scaled(ours), scaled(&theirs));
        self.equal(&format!("length of {name}"), &ours.len(), &theirs.len());
        let apart = ours.iter().zip(&theirs).filter(|&pair| far(pair)).count();
        self.equal(&format!("{name} that differ"), &apart, &0);
    }
}

#[test]
fn every_vector_on_the_way_is_that_of_ftio() {
    let Some(data) = data("every_vector_on_the_way_is_that_of_ftio") else {
        return;
    };
    let mut files = 0;
    let mut samples = 0;
    for entry in fs::read_dir(data.join("oracles/ftio-vectors")).unwrap() {
        let name = entry.unwrap().file_name();
        samples += compare(&data, &format!("ftio-vectors/{}", name.to_str().unwrap()));
        files += 1;
    }
    assert!(files > 0);
    eprintln!("{files} logs, {samples} samples, spectra and autocorrelations compared with FTIO's");
}
