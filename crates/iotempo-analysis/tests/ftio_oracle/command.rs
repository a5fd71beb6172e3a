//! FTIO's command lines as settings.

use iotempo_analysis::ftio::{Rate, Settings};
use iotempo_analysis::spectrum::Measure;
use iotempo_formats::Layer;
use iotempo_model::{Bytes, Hertz, Op, Seconds};

/// What a command line asks.
pub(crate) struct Command {
    pub(crate) input: String,
    pub(crate) op: Op,
    pub(crate) layer: Layer,
    pub(crate) settings: Settings,
    /// Why this is no question to the detector, where it is none.
    pub(crate) not_ours: Option<&'static str>,
}

impl Command {
    pub(crate) fn new(words: &[&str]) -> Self {
        let mut command = Self {
            input: words[0].to_owned(),
            op: Op::Write,
            layer: Layer::MpiIo,
            settings: Settings::default(),
            not_ours: None,
        };
        let mut memory = Rate::MEMORY_LIMIT as f64;
        let mut rate = 10.0;
        let mut words = words[1..].iter().copied();
        while let Some(word) = words.next() {
            let mut value = || words.next().unwrap();
            match word {
                "-f" | "--freq" => rate = number(value()),
                "--memory_limit" => memory = number(value()) * 1e9,
                other => command.option(other, &mut value),
            }
        }
        command.settings.freq = match Hertz::new(rate) {
            Some(rate) => Rate::Fixed(rate),
            None => Rate::Auto(Bytes::new(memory).unwrap()),
        };
        command
    }

    fn option<'a>(&mut self, word: &str, value: &mut dyn FnMut() -> &'a str) {
        let settings = &mut self.settings;
        match word {
            "-m" => self.mode(value()),
            "-x" => self.layer(value()),
            "-o" | "--outlier" => settings.outlier = value().parse().unwrap(),
            "-t" | "--tol" => settings.tolerance = number(value()),
            "-n" | "--n_freq" => settings.top_bins = number(value()) as usize,
            "-ts" => settings.ts = Seconds::new(number(value())),
            "-te" => settings.te = Seconds::new(number(value())),
            "-au" => settings.autocorrelation = true,
            "-np" | "--no-psd" => settings.spectrum = Measure::Amplitude,
            "-tr" | "--transformation" => self.transform(value()),
            "--filter_type" | "--filter_cutoff" => {
                value();
                self.not_ours = Some("filtered samples");
            }
            "--fourier_fit" => settings.top_bins = 0,
            "--no_avr" => self.not_ours = Some("needs a series that FTIO then does not make"),
            // The output, and scores beside the period.
            "-e" | "-p" | "--burst_energy_fraction" | "--stft_window" | "-cf" => {
                value();
            }
            "-bw" | "--ind" => {}
            // The second cutoff of a filter.
            number if number.parse::<f64>().is_ok() => {}
            other => panic!("unknown option {other}"),
        }
    }

    fn layer(&mut self, module: &str) {
        if module == "DXT_POSIX" {
            self.layer = Layer::Posix;
        }
    }

    fn transform(&mut self, name: &str) {
        if name != "dft" {
            self.not_ours = Some("another transform");
        }
    }

    fn mode(&mut self, mode: &str) {
        self.op = if mode.contains("write") {
            Op::Write
        } else {
            Op::Read
        };
        if mode.contains("async") {
            self.not_ours = Some("a trace does not keep TMIO's modes apart");
        }
    }
}

fn number(word: &str) -> f64 {
    word.parse().unwrap()
}
