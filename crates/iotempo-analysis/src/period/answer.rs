//! From what the witnesses said to one answer.

use super::bursts::{self, Burst};
use super::changes::stretches;
use super::confidence;
use super::detector::{Testimony, witness};
use super::finding::{
    Alias, Estimate, PeriodFinding, Phase, Rhythm, Segment, Verdict, Witness, WitnessKind,
};
use super::fold;
use super::rhythm::Regularity;
use super::spectral::Line;
use super::train::{self, Train};
use iotempo_model::{Bytes, Seconds, Signal};
use statrs::distribution::{ContinuousCDF, StudentsT};

/// Phases this irregular are not called periodic: chance does as well more often than this.
const CHANCE: f64 = 0.03;
/// A spectrum without phases to go with it must be as unlikely as this.
const CHANCE_OF_LINE: f64 = 1e-5;

/// An answer being put together.
pub(super) struct Answer<'a> {
    signal: &'a Signal,
    heard: &'a Testimony,
}

/// Something that repeats, in samples.
struct Found {
    regularity: Regularity,
    phases: Vec<Burst>,
    confidence: f64,
    periodic: bool,
}

impl<'a> Answer<'a> {
    pub(super) fn new(signal: &'a Signal, heard: &'a Testimony) -> Self {
        Self { signal, heard }
    }

    pub(super) fn finding(&self, threshold: f64) -> PeriodFinding {
        let mut finding = PeriodFinding::without(self.why_not());
        let found = self.found();
        let (periodic, other): (Vec<_>, Vec<_>) = found
            .into_iter()
            .partition(|found| found.periodic && found.confidence >= threshold);
        finding.candidate = other.first().map(|found| self.rhythm(found));
        if !periodic.is_empty() {
            finding.verdict = Verdict::Periodic;
            finding.candidate = None;
            finding.rhythms = periodic.iter().map(|found| self.rhythm(found)).collect();
            finding
                .rhythms
                .sort_by(|a, b| b.bytes.get().total_cmp(&a.bytes.get()));
        }
        finding.segments = self.segments(&finding.rhythms);
        finding.witnesses = self.witnesses(finding.best());
        finding.alias = self.alias(&finding.rhythms);
        finding
    }

    /// All that repeats, the strongest first.
    fn found(&self) -> Vec<Found> {
        let heard = self.heard;
        if let Some((big, small)) = &heard.sizes
            && is_regular(big)
            && big.p_value() <= 1e-3
        {
            let mut found = self.by_train(big);
            found.truncate(found.len().max(1));
            let small = small.iter().filter(|small| is_regular(small));
            found.extend(small.map(of_train));
            return found;
        }
        let train = heard.volume.as_ref().or(heard.spacing.as_ref());
        let line = heard.line.filter(|line| line.p_value <= CHANCE_OF_LINE);
        match (train, line) {
            (Some(train), line) if train.is_certain() || outweighs(train, line) => {
                let mut found = self.by_train(train);
                if is_regular(train) {
                    found.extend(self.beside(&train.phases));
                }
                found
            }
            (_, Some(_)) => self.by_lines(),
            (Some(train), None) => self.by_train(train),
            (None, None) => Vec::new(),
        }
    }

    /// A rhythm per stretch of a train, if all of them are regular; else one for the whole of it.
    fn by_train(&self, train: &Train) -> Vec<Found> {
        let parts = stretches(&train.phases);
        let parts: Option<Vec<Train>> = parts
            .into_iter()
            .map(|part| train.part(&train.phases[part]))
            .map(|part| part.filter(|part| is_regular(part) && part.p_value() <= 1e-3))
            .collect();
        match parts {
            Some(parts) if parts.len() > 1 => {
                let mut found: Vec<_> = parts.iter().map(of_train).collect();
                found.sort_by_key(|found| std::cmp::Reverse(found.phases.len()));
                found
            }
            _ => vec![of_train(train)],
        }
    }

    /// What repeats between the phases of a bigger rhythm.
    fn beside(&self, phases: &[Burst]) -> Option<Found> {
        let mut rest = self.heard.samples.clone();
        for phase in phases {
            // Edges that a phase shares with a sample are its own.
            let from = (phase.start as usize).saturating_sub(1).min(rest.len());
            let to = (phase.end.ceil() as usize + 1).min(rest.len());
            rest[from..to].fill(0.0);
        }
        let left = bursts::bursts(&rest, bursts::threshold(&rest));
        let train = train::beside(&left, &self.heard.moved)?;
        (is_regular(&train) && train.p_value() < 1e-3).then(|| of_train(&train))
    }

    /// Periods that lines in the spectrum show, with the stretches above the mean as phases.
    fn by_lines(&self) -> Vec<Found> {
        let Some(line) = self.heard.line else {
            return Vec::new();
        };
        let phases = fold::phases(&self.heard.samples, line.period);
        vec![Found {
            regularity: Regularity {
                period: line.period,
                spread: 0.0,
                distances: phases.len().saturating_sub(1),
                p_value: line.p_value,
            },
            phases,
            confidence: confidence::of_line(line.p_value),
            periodic: true,
        }]
    }

    fn why_not(&self) -> Verdict {
        match self.heard.bursts.len() {
            0 => Verdict::NoRepetition,
            1 if self.heard.bursts[0].length() < 0.9 * self.heard.samples.len() as f64 => {
                Verdict::SinglePhase
            }
            1 => Verdict::NoRepetition,
            2 => Verdict::TooFewPhases,
            _ => Verdict::Irregular,
        }
    }

    fn rhythm(&self, found: &Found) -> Rhythm {
        let phases: Vec<Phase> = found.phases.iter().map(|phase| self.phase(phase)).collect();
        let bytes: f64 = phases.iter().map(|phase| phase.bytes.get()).sum();
        let Regularity { period, spread, .. } = found.regularity;
        let error = standard_error(&found.regularity);
        let last = found.phases.last();
        Rhythm {
            period: self.estimate(period, error),
            confidence: found.confidence,
            jitter: spread / period,
            next_start: last.map(|last| {
                let ahead = self.estimate(last.start + period, error.hypot(2.0 * spread));
                shifted(ahead, self.signal.start())
            }),
            phases,
            bytes: Bytes::new(bytes).unwrap_or_default(),
        }
    }

    fn phase(&self, burst: &Burst) -> Phase {
        let step = self.signal.step().get();
        let bytes = self.heard.moved.between(burst.start, burst.end) * step;
        Phase {
            start: self.instant(burst.start),
            end: self.instant(burst.end),
            bytes: Bytes::new(bytes).unwrap_or_default(),
        }
    }

    fn instant(&self, samples: f64) -> Seconds {
        self.signal.start() + self.length(samples)
    }

    fn length(&self, samples: f64) -> Seconds {
        Seconds::new(samples * self.signal.step().get()).unwrap_or_default()
    }

    fn estimate(&self, value: f64, error: f64) -> Estimate {
        Estimate {
            value: self.length(value),
            low: self.length((value - error).max(0.0)),
            high: self.length(value + error),
        }
    }

    fn segments(&self, rhythms: &[Rhythm]) -> Vec<Segment> {
        let end = self.heard.samples.len() as f64;
        let mut rhythms: Vec<&Rhythm> = rhythms.iter().collect();
        rhythms.sort_by(|a, b| first_start(a).total_cmp(&first_start(b)));
        let whole = |rhythm: Option<&&Rhythm>| Segment {
            start: self.instant(0.0),
            end: self.instant(end),
            bytes: Bytes::new(self.heard.moved.total() * self.signal.step().get())
                .unwrap_or_default(),
            period: rhythm.map(|rhythm| rhythm.period),
            confidence: rhythm.map_or(0.0, |rhythm| rhythm.confidence),
        };
        vec![whole(rhythms.first())]
    }

    fn witnesses(&self, best: Option<&Rhythm>) -> Vec<Witness> {
        let step = self.signal.step().get();
        let heard = self.heard;
        let trains = [&heard.volume, &heard.spacing].into_iter().flatten();
        let trains = trains.filter_map(|train| {
            witness(train.kind, train.regularity.period, train.p_value(), step)
        });
        let line = heard
            .line
            .and_then(|line| witness(WitnessKind::Spectrum, line.period, line.p_value, step));
        let agrees = |witness: &Witness| {
            best.is_some_and(|best| {
                let ratio = witness.period.get() / best.period.value.get();
                (ratio - 1.0).abs() < 0.05
            })
        };
        trains
            .chain(line)
            .map(|witness| Witness {
                agrees: agrees(&witness),
                ..witness
            })
            .collect()
    }

    fn alias(&self, _rhythms: &[Rhythm]) -> Option<Alias> {
        None
    }
}

fn first_start(rhythm: &Rhythm) -> f64 {
    rhythm.phases.first().map_or(0.0, |phase| phase.start.get())
}

fn shifted(estimate: Estimate, by: Seconds) -> Estimate {
    Estimate {
        value: estimate.value + by,
        low: estimate.low + by,
        high: estimate.high + by,
    }
}

fn of_train(train: &Train) -> Found {
    Found {
        regularity: train.regularity,
        phases: train.phases.clone(),
        confidence: confidence::of_train(train),
        periodic: is_regular(train),
    }
}

/// Whether a train is so regular that it is called periodic. However many phases say so, one that
/// comes anywhere between now and twice the period is not.
fn is_regular(train: &Train) -> bool {
    if train.is_certain() {
        return train.p_value() <= CHANCE && train.jitter() <= 0.6;
    }
    // Bursts that chance has thrown together differ in volume.
    let chance = if train.unevenness < 0.25 {
        CHANCE
    } else {
        0.1 * CHANCE
    };
    train.p_value() <= chance && train.jitter() <= 0.45
}

/// Whether a train that is not certain is to be believed rather than a line.
fn outweighs(train: &Train, line: Option<Line>) -> bool {
    let harmonic = |line: Line| {
        let ratio = train.regularity.period / line.period;
        (ratio - ratio.round()).abs() < 0.05 * ratio.round()
    };
    let weaker = |line: Line| train.p_value() <= 1e-3 || harmonic(line);
    is_regular(train) && line.is_none_or(weaker)
}

/// Half the 95 % interval of a mean distance.
fn standard_error(found: &Regularity) -> f64 {
    let n = found.distances.max(1) as f64;
    let quantile = match found.distances {
        0 | 1 => 12.7,
        n => StudentsT::new(0.0, 1.0, n as f64 - 1.0).map_or(1.96, |t| t.inverse_cdf(0.975)),
    };
    let resolution = 0.41 / n;
    // Two distances that agree by luck say little about the next.
    let floor = 0.01 * found.period / n;
    let spread = found.spread * (n / (n - 1.0).max(1.0)).sqrt();
    (quantile * spread / n.sqrt())
        .hypot(2.0 * resolution)
        .hypot(2.0 * floor)
}
