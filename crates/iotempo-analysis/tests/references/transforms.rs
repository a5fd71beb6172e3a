//! Spectra and autocorrelations.

use crate::python::{Reference, assert_close, numbers};
use crate::random::{noise, stairs};
use iotempo_analysis::autocorrelation::autocorrelation;
use iotempo_analysis::spectrum::Spectrum;
use serde_json::json;

/// Odd and even, powers of two and primes.
const LENGTHS: [usize; 14] = [1, 2, 3, 4, 5, 8, 17, 30, 97, 128, 289, 1000, 1021, 4096];

#[test]
fn spectra_are_those_of_numpy() {
    let Some(mut numpy) = Reference::start("spectra_are_those_of_numpy") else {
        return;
    };
    for (length, seed) in LENGTHS.into_iter().zip(0..) {
        let values = noise(seed, length);
        let answer = numpy.ask(&json!({"of": "dft", "values": values}));
        let spectrum = Spectrum::of(&values);
        let part = |of: fn(&realfft::num_complex::Complex<f64>) -> f64| -> Vec<f64> {
            spectrum.bins().iter().map(of).collect()
        };
        let tolerance = 1e-14 * length as f64;
        let what = format!("length {length}");
        assert_close(
            &part(|bin| bin.re),
            &numbers(&answer["re"]),
            tolerance,
            &what,
        );
        assert_close(
            &part(|bin| bin.im),
            &numbers(&answer["im"]),
            tolerance,
            &what,
        );
    }
}

#[test]
fn autocorrelations_are_those_of_numpy() {
    let Some(mut numpy) = Reference::start("autocorrelations_are_those_of_numpy") else {
        return;
    };
    for (length, seed) in LENGTHS.into_iter().skip(1).zip(100..) {
        for values in [noise(seed, length), stairs(seed, length)] {
            let ours = autocorrelation(&values).unwrap();
            let answer = numpy.ask(&json!({"of": "autocorrelation", "values": values}));
            assert_close(&ours, &numbers(&answer), 1e-12, &format!("length {length}"));
        }
    }
}
