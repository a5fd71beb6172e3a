//! What is compared, and what each says about a signal.

use crate::cases::{Case, Experiment};
use crate::further;
use iotempo_analysis::ftio;
use iotempo_analysis::period::Detector;
use iotempo_model::Signal;
use iotempo_sim::Truth;

/// Who is asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Method {
    /// Our detector.
    Iotempo,
    /// FTIO 0.0.9 as this project implements it.
    Ftio,
    /// FTIO as its paper describes it.
    FtioPaper,
    /// The program of FTIO's authors.
    FtioHpc,
}

impl Method {
    pub(crate) const ALL: [Self; 4] = [Self::Iotempo, Self::Ftio, Self::FtioPaper, Self::FtioHpc];

    /// The name in tables.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Iotempo => "iotempo",
            Self::Ftio => "FTIO mode",
            Self::FtioPaper => "FTIO mode, paper's rules",
            Self::FtioHpc => "ftio-hpc 0.0.9",
        }
    }

    /// The name in JSON.
    pub(crate) const fn key(self) -> &'static str {
        match self {
            Self::Iotempo => "iotempo",
            Self::Ftio => "ftio",
            Self::FtioPaper => "ftio_paper",
            Self::FtioHpc => "ftio_hpc",
        }
    }
}

/// What one method says about a signal.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) struct Answer {
    /// The period where one was found.
    pub(crate) found: Option<f64>,
    /// The best guess, found or not.
    pub(crate) guess: Option<f64>,
    /// How sure the guess is.
    pub(crate) confidence: Option<f64>,
}

/// What is known about one signal.
#[derive(Debug, Clone, Default)]
pub(crate) struct Answered {
    /// The true mean period, of every part of the run where it changes; empty where there is none.
    pub(crate) truths: Vec<f64>,
    /// In the order of [`Method::ALL`]; `None` of who was not asked.
    pub(crate) answers: [Option<Answer>; 4],
    /// Whether all samples but one are equal, so that all bins of the spectrum are, too.
    pub(crate) flat: bool,
    /// The period of the strongest bin of the spectrum.
    pub(crate) strongest: Option<f64>,
    /// How far the share of time in I/O is from the truth, for experiment C.
    pub(crate) io_share_error: Option<f64>,
    /// The paper's periodicity score, for experiment C.
    pub(crate) score: Option<f64>,
}

/// Asks everybody but FTIO itself.
pub(crate) fn answer(case: &Case) -> Answered {
    let (signal, truth) = case.signal();
    let (ftio, strongest) = ask_ftio(&signal, ftio::Method::Ftio);
    let (paper, _) = ask_ftio(&signal, ftio::Method::Paper);
    let mut answered = Answered {
        truths: truths(case, &truth),
        answers: [
            Some(ask_iotempo(&signal, strongest)),
            Some(ftio),
            Some(paper),
            None,
        ],
        flat: is_flat(signal.samples()),
        strongest,
        ..Answered::default()
    };
    if case.experiment == Experiment::C {
        let (share, score) = further::io_share_and_score(&signal, ftio.guess);
        answered.io_share_error =
            Some((share - truth.active_fraction).abs() / truth.active_fraction);
        answered.score = score;
    }
    answered
}

/// The middle one of three samples is the usual one, or all samples but one differ from it.
fn is_flat(samples: &[f64]) -> bool {
    let usual = match samples {
        [a, b, c, ..] => a.max(*b).min(a.min(*b).max(*c)),
        few => few.first().copied().unwrap_or_default(),
    };
    samples.iter().filter(|sample| **sample != usual).count() <= 1
}

fn truths(case: &Case, truth: &Truth) -> Vec<f64> {
    let periods: Vec<_> = match case.experiment {
        Experiment::Hard => truth.segments.iter().map(|part| part.period).collect(),
        _ => vec![truth.mean_period()],
    };
    periods
        .into_iter()
        .flatten()
        .map(|period| period.get())
        .collect()
}

impl Answered {
    /// Whether there is a period at all.
    pub(crate) fn is_periodic(&self) -> bool {
        !self.truths.is_empty()
    }

    /// The relative error of a period, from the true one that it is nearest to.
    pub(crate) fn error(&self, period: f64) -> Option<f64> {
        let errors = self
            .truths
            .iter()
            .map(|truth| (period - truth).abs() / truth);
        errors.reduce(f64::min)
    }
}

fn ask_iotempo(signal: &Signal, strongest: Option<f64>) -> Answer {
    let finding = Detector::default().detect(signal);
    let best = finding.best();
    let period = best.map(|rhythm| rhythm.period.value.get());
    Answer {
        found: period.filter(|_| finding.is_periodic()),
        guess: period.or(strongest),
        confidence: best.map(|rhythm| rhythm.confidence),
    }
}

fn ask_ftio(signal: &Signal, method: ftio::Method) -> (Answer, Option<f64>) {
    let settings = ftio::Settings {
        method,
        // The strongest two: one of them is the mean.
        top_bins: 2,
        ..ftio::Settings::default()
    };
    let finding = settings.detect_signal(signal);
    let strongest = finding.top_bins.iter().find(|bin| bin.k > 0);
    let strongest = strongest.map(|bin| bin.frequency_hz.recip());
    let answer = Answer {
        found: finding.period_s,
        guess: finding.period_s.or(strongest),
        confidence: finding.confidence,
    };
    (answer, strongest)
}
