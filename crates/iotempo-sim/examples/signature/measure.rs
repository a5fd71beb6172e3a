//! Means over seeds.

use crate::parallel;
use iotempo_analysis::signature::accuracy::Accuracy;
use iotempo_analysis::signature::{Method, Settings, Signature, SignatureMiner};
use iotempo_sim::SimError;
use iotempo_sim::server::{Application, Runs, ServerSamples};

/// None of them was used to choose anything.
pub(crate) const SEEDS: std::ops::Range<u64> = 3000..3100;

/// None of these was looked at before the paper was read as it is in `sensitivity`.
const LATER_SEEDS: std::ops::Range<u64> = 9000..9100;

/// The load of others: light, usual, heavy.
pub(crate) const LOADS: [f64; 3] = [0.5, 1.0, 2.0];

/// The mean delay, as a share of the time that is computed.
pub(crate) const DRIFTS: [f64; 4] = [0.0, 0.004, 0.01, 0.03];

/// Means over seeds of one application, or over several applications.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Score {
    pub(crate) correlation: f64,
    pub(crate) cross_correlation: f64,
    pub(crate) volume: f64,
    pub(crate) missed: f64,
    pub(crate) false_bursts: f64,
}

impl Score {
    fn add(&mut self, other: &Self, weight: f64) {
        self.correlation += weight * other.correlation;
        self.cross_correlation += weight * other.cross_correlation;
        self.volume += weight * other.volume;
        self.missed += weight * other.missed;
        self.false_bursts += weight * other.false_bursts;
    }

    /// Means of rates, and sums of bursts, over applications.
    pub(crate) fn together(scores: &[Self]) -> Self {
        let mut all = Self::default();
        for score in scores {
            all.add(score, 1.0 / scores.len() as f64);
        }
        all.missed *= scores.len() as f64;
        all.false_bursts *= scores.len() as f64;
        all
    }

    /// All figures in one cell of a table.
    pub(crate) fn cell(&self) -> String {
        format!(
            "{:.2} / {:.2} / {:.2} / {:.2} / {:.2}",
            self.correlation, self.cross_correlation, self.volume, self.missed, self.false_bursts
        )
    }
}

/// The applications of IOSI's paper that a true signature is known of.
pub(crate) fn ior() -> [Application; 3] {
    [
        Application::ior_a(),
        Application::ior_b(),
        Application::ior_c(),
    ]
}

/// The runs of one application with every seed.
pub(crate) fn sets(
    application: &Application,
    load: f64,
    drift: f64,
    seeds: std::ops::Range<u64>,
) -> Result<Vec<ServerSamples>, SimError> {
    let seeds: Vec<u64> = seeds.collect();
    let made = parallel::map(&seeds, |&seed| {
        Runs {
            load,
            drift,
            seed,
            ..Runs::new(application.clone())
        }
        .generate()
    });
    made.into_iter().collect()
}

/// Twelve runs of one application with every seed, two of them disturbed, beside generated others or
/// those of a log. Ten runs are left when outliers are, and only of ten or more is a κ of 0.9 less than
/// all.
pub(crate) fn dozens(
    application: &Application,
    others: Option<&[f64]>,
) -> Result<Vec<ServerSamples>, SimError> {
    let seeds: Vec<u64> = LATER_SEEDS.collect();
    let made = parallel::map(&seeds, |&seed| {
        Runs {
            runs: 12,
            others: others.map(<[f64]>::to_vec),
            seed,
            ..Runs::new(application.clone())
        }
        .generate()
    });
    made.into_iter().collect()
}

/// How close the signatures of runs are to the truth. Where none is found, all bursts are missed.
pub(crate) fn score(sets: &[ServerSamples], settings: Settings) -> Score {
    let nothing = Signature {
        start_s: 0.0,
        step_s: 1.0,
        timing: None,
        rates: Vec::new(),
        bursts: Vec::new(),
    };
    let scores = parallel::map(sets, |set| {
        let found = SignatureMiner::new(settings).mine(&set.samples());
        let signature = found.signature().unwrap_or(&nothing);
        let truth = &set.truth;
        let accuracy = Accuracy::of(signature, &truth.rates, &truth.bursts, truth.interval_s);
        Score {
            correlation: accuracy.correlation,
            cross_correlation: accuracy.cross_correlation,
            volume: accuracy.volume_ratio,
            missed: accuracy.missed as f64,
            false_bursts: accuracy.false_bursts as f64,
        }
    });
    let mut mean = Score::default();
    for score in &scores {
        mean.add(score, 1.0 / scores.len() as f64);
    }
    mean
}

/// The defaults, with another method.
pub(crate) fn by(method: Method) -> Settings {
    Settings {
        method,
        ..Settings::default()
    }
}
