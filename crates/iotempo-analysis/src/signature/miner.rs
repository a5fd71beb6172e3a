//! The miner: from samples to a signature and its evidence.

use super::alignment::{self, Anchors};
use super::baselines;
use super::bursts::{self, Burst};
use super::clusters::{self, Clustering};
use super::doubts;
use super::finding::{Grid, Outcome, SampleBurst, SignatureFinding, Undetermined};
use super::merging;
use super::numbers::mean;
use super::samples::{Sample, SampleSet};
use super::settings::{BurstShape, BurstTime, Method, Settings};
use super::template::Template;
use iotempo_model::Warning;

/// How much more volume bursts found by clusters must hold in common than those of the median.
const MORE: f64 = 1.1;

/// Finds the signature of an application.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct SignatureMiner {
    /// Everything that can be chosen.
    pub settings: Settings,
}

impl SignatureMiner {
    /// A miner with these settings.
    #[must_use]
    pub const fn new(settings: Settings) -> Self {
        Self { settings }
    }

    /// Finds what samples have in common.
    #[must_use]
    pub fn mine(&self, samples: &[Sample]) -> SignatureFinding {
        self.mine_beside(samples, &[])
    }

    /// The same, where it is known what servers moved while the application did not run, at the same step: what is
    /// as common there is not the application's.
    #[must_use]
    pub fn mine_beside(&self, samples: &[Sample], others: &[Vec<f64>]) -> SignatureFinding {
        if let Some(name) = self.nonsense() {
            let why = Undetermined::Setting { name };
            return without(samples, SampleSet::default(), why);
        }
        let (mut set, why) = SampleSet::new(samples, others, &self.settings);
        if let Some(why) = why {
            return without(samples, set, why);
        }
        self.warn_of_level(&mut set);
        let rates: Vec<&[f64]> = set.prepared.iter().map(|s| s.trimmed.as_slice()).collect();
        let bursts: Vec<Vec<Burst>> = rates
            .iter()
            .map(|rates| bursts::bursts(rates, &self.settings))
            .collect();
        let (found, clustering) = self.template(&set, &rates, &bursts);
        let outcome = match found {
            Ok(template) => {
                set.warnings.extend(doubts::left_out(template.doubtful));
                Outcome::Found(template.into_signature(set.start, set.step))
            }
            Err(why) => Outcome::Undetermined(why),
        };
        let grid = clustering.map(|clustering| Grid {
            width_s: set.step * clustering.cell.0,
            height: clustering.cell.1,
            selected: clustering.selected(),
            crest: clustering.mapping.time == BurstTime::Crest,
            window: clustering.mapping.shape == BurstShape::Window,
        });
        let told = told_bursts(&set, &bursts);
        let doubts = match &outcome {
            Outcome::Found(signature) => doubts::of(signature, &set, &told, &self.settings),
            Outcome::Undetermined(Undetermined::NoRoom) => vec![doubts::no_room()],
            Outcome::Undetermined(_) => Vec::new(),
        };
        set.warnings.extend(doubts);
        SignatureFinding {
            outcome,
            grid,
            sample_bursts: told,
            ..described(samples, set)
        }
    }

    fn template(
        &self,
        set: &SampleSet,
        rates: &[&[f64]],
        bursts: &[Vec<Burst>],
    ) -> (Result<Template, Undetermined>, Option<Clustering>) {
        match self.settings.method {
            Method::Median => (Ok(baselines::pointwise_median(set, &self.settings)), None),
            Method::Warping(how) => (baselines::warped(set, how, &self.settings), None),
            Method::Iosi | Method::Clusters | Method::Auto => {
                let clustering = clusters::search(rates, bursts, &self.settings);
                let start = clustering.as_ref().map(|clustering| {
                    merging::average(rates, bursts, &clustering.clusters, set.length)
                });
                let found = if self.settings.method == Method::Auto {
                    self.aligned(set, start, clustering.as_ref())
                } else {
                    start.ok_or(Undetermined::NothingInCommon)
                };
                (found, clustering)
            }
        }
    }

    /// Samples aligned to the bursts that clusters found, or to those of their median.
    fn aligned(
        &self,
        set: &SampleSet,
        start: Option<Template>,
        clustering: Option<&Clustering>,
    ) -> Result<Template, Undetermined> {
        let refined =
            |(template, anchors)| alignment::refined(set, template, anchors, &self.settings);
        let by_clusters = start.zip(clustering).map(|(template, clustering)| {
            let anchors = anchors(set, &template, clustering);
            (template, anchors)
        });
        let median = baselines::pointwise_median(set, &self.settings);
        let places = |kept: &Vec<u32>| {
            let starts = median.bursts.iter().map(|burst| burst.start);
            starts.map(|start| f64::from(kept[start])).collect()
        };
        let anchors = set.prepared.iter().map(|s| places(&s.kept)).collect();
        let by_clusters = by_clusters.map(refined);
        let by_median = refined((median, anchors));
        // Clusters also find bursts that are far from where they are in most samples, be they the
        // application's or not: they must hold considerably more to be believed.
        match (by_clusters, by_median) {
            (Some(Ok(clusters)), Ok(median)) => {
                let more = clusters.common_volume() > MORE * median.common_volume();
                Ok(if more { clusters } else { median })
            }
            (Some(Ok(clusters)), Err(_)) => Ok(clusters),
            (_, by_median) => by_median,
        }
    }

    /// The name of a setting that makes no sense.
    fn nonsense(&self) -> Option<&'static str> {
        let settings = &self.settings;
        let share = |x: f64| x > 0.0 && x <= 1.0;
        let (low, high) = settings.cell_height;
        let checks = [
            ("density", share(settings.density)),
            ("neighbourhood", share(settings.neighbourhood)),
            ("cell_height", low >= 1e-3 && low <= high && high <= 1.0),
            (
                "most_samples",
                settings.most_samples >= settings.fewest_samples,
            ),
            ("outlier_factor", settings.outlier_factor >= 0.0),
            ("grid_widths", (1..=1000).contains(&settings.grid_widths)),
            ("grid_heights", (1..=1000).contains(&settings.grid_heights)),
            ("level", settings.level <= 32),
            ("rounds", settings.rounds <= 1000),
        ];
        checks
            .into_iter()
            .find(|(_, sound)| !sound)
            .map(|(name, _)| name)
    }

    fn warn_of_level(&self, set: &mut SampleSet) {
        let (wanted, wavelet) = (self.settings.level, self.settings.wavelet);
        let level = bursts::level(wavelet, wanted, set.length);
        if level < wanted {
            let message = format!(
                "runs of {} points are too short for a wavelet of level {wanted}: {}",
                set.length,
                match level {
                    0 => "they were not smoothed".to_owned(),
                    lower => format!("level {lower} was taken"),
                }
            );
            set.warnings.push(Warning::new("short-samples", message));
        }
    }
}

/// Where the bursts of clusters begin in each sample. A sample that has none of a cluster is taken to
/// be as late as its neighbouring bursts are.
fn anchors(set: &SampleSet, template: &Template, clustering: &Clustering) -> Anchors {
    let late = |sample: usize| -> Vec<Option<f64>> {
        let clusters = clustering.clusters.iter().zip(&template.bursts);
        clusters
            .map(|(cluster, burst)| {
                let own = cluster.iter().find(|point| point.sample == sample);
                own.map(|point| point.time - burst.time)
            })
            .collect()
    };
    let place = |kept: &[u32], place: f64| {
        let inside = place.round().clamp(0.0, (kept.len() - 1) as f64);
        f64::from(kept[inside as usize])
    };
    set.prepared
        .iter()
        .enumerate()
        .map(|(sample, prepared)| {
            let late = late(sample);
            let nearest = |k: usize| {
                let before = late[..k].iter().rev().flatten().next();
                let after = late[k..].iter().flatten().next();
                let known: Vec<f64> = before.into_iter().chain(after).copied().collect();
                mean(&known)
            };
            let bursts = template.bursts.iter().zip(&late).enumerate();
            bursts
                .map(|(k, (burst, late))| {
                    let late = late.unwrap_or_else(|| nearest(k));
                    place(&prepared.kept, burst.start as f64 + late)
                })
                .collect()
        })
        .collect()
}

/// The bursts of each sample in its own time, in the order in which samples were given.
fn told_bursts(set: &SampleSet, bursts: &[Vec<Burst>]) -> Vec<Vec<SampleBurst>> {
    let mut told: Vec<(usize, Vec<SampleBurst>)> = set
        .prepared
        .iter()
        .zip(bursts)
        .map(|(sample, bursts)| {
            let last = sample.whole.len().saturating_sub(1) as f64;
            let time =
                |point: usize| set.start + set.step * f64::from(sample.kept[point]).min(last);
            let tell = |burst: &Burst| SampleBurst {
                // The first point may begin half a step before its run.
                start_s: time(burst.start).max(0.0),
                crest_s: time(burst.crest).max(0.0),
                end_s: time(burst.end) + set.step,
                bytes: set.step * burst.of(&sample.trimmed).iter().sum::<f64>(),
            };
            (sample.index, bursts.iter().map(tell).collect())
        })
        .collect();
    told.sort_by_key(|(index, _)| *index);
    told.into_iter().map(|(_, bursts)| bursts).collect()
}

/// All that is known before a signature is.
fn described(samples: &[Sample], set: SampleSet) -> SignatureFinding {
    let mut used: Vec<usize> = set.prepared.iter().map(|sample| sample.index).collect();
    used.sort_unstable();
    SignatureFinding {
        outcome: Outcome::Undetermined(Undetermined::NothingInCommon),
        samples: samples.len(),
        used: used.iter().map(|&i| samples[i].id.to_owned()).collect(),
        used_places: used,
        outliers: set.outliers,
        background: set.background,
        background_around: set.around,
        grid: None,
        sample_bursts: Vec::new(),
        warnings: set.warnings,
    }
}

fn without(samples: &[Sample], set: SampleSet, why: Undetermined) -> SignatureFinding {
    SignatureFinding {
        outcome: Outcome::Undetermined(why),
        ..described(samples, set)
    }
}
