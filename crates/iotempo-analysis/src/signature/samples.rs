//! Samples, made comparable.

use super::alignment::COMMON;
use super::finding::{Outlier, Undetermined};
use super::numbers::{column_medians, mean, quantile, share_of};
use super::outliers;
use super::settings::{Method, Preprocessing, Settings};
use iotempo_model::{Seconds, Warning, counted};
use std::iter;

/// The throughput of the servers while the application ran once.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sample<'a> {
    /// What tells this run from others, such as the id of its job.
    pub id: &'a str,
    /// Mean rates of equal steps of time, in bytes per second.
    pub rates: &'a [f64],
    /// How long a step is.
    pub step: Seconds,
}

/// A sample that is ready.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Prepared {
    /// Which of the samples it is.
    pub(super) index: usize,
    /// Its rates beyond the background, at the finer step.
    pub(super) whole: Vec<f64>,
    /// The same, as long as that of all others.
    pub(super) trimmed: Vec<f64>,
    /// Where in `whole` each point of `trimmed` comes from; 0 stands for what lies behind its end.
    pub(super) kept: Vec<u32>,
}

/// All samples that are ready, and what became of the others.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct SampleSet {
    pub(super) prepared: Vec<Prepared>,
    pub(super) outliers: Vec<Outlier>,
    pub(super) background: f64,
    /// What is always there around the samples, where enough of that is known.
    pub(super) around: Option<f64>,
    /// When the first point begins, in seconds after the sample does.
    pub(super) start: f64,
    /// The time between points, in seconds.
    pub(super) step: f64,
    /// How many points the trimmed samples have.
    pub(super) length: usize,
    /// Whether that is as far as most of them last, where some do more of the same than others.
    pub(super) cut_off: bool,
    /// Stretches of time in which the application did not run, as samples are.
    pub(super) others: Vec<Vec<f64>>,
    pub(super) warnings: Vec<Warning>,
}

/// Runs that differ more in length are hardly runs of the same.
const FAMILIAR: f64 = 0.2;

/// No system is as fast, and squares of what is far above it overflow.
const HIGHEST: f64 = 1e30;

/// Fewer points hold no burst.
const FEWEST_POINTS: usize = 2;

/// So many points of others tell how busy they are.
pub(super) const TELLING: usize = 100;

/// What a sample is hardly ever below.
const HARDLY_EVER: f64 = 0.05;

impl SampleSet {
    /// Prepares samples. What became of them is told also where too few are left.
    pub(super) fn new(
        samples: &[Sample],
        others: &[Vec<f64>],
        settings: &Settings,
    ) -> (Self, Option<Undetermined>) {
        let others: Vec<Vec<f64>> = others
            .iter()
            .map(|rates| refined(rates, settings))
            .collect();
        let around = Around::new(&others);
        let mut set = Self {
            others: others.into_iter().map(beyond_low).collect(),
            ..Self::default()
        };
        let why = set.prepare(samples, around.as_ref(), settings).err();
        (set, why)
    }

    fn prepare(
        &mut self,
        samples: &[Sample],
        around: Option<&Around>,
        settings: &Settings,
    ) -> Result<(), Undetermined> {
        let step = common_step(samples)?;
        let refined = settings.refine;
        self.step = if refined { 0.5 * step } else { step };
        // A rate of the log is in the middle of its interval, and so is the first of half as long points.
        self.start = if refined { 0.25 * step } else { 0.0 };
        let with_edges = refined && settings.method == Method::Auto;
        if with_edges {
            self.start -= self.step;
        }
        let mut runs = self.readable(samples);
        if settings.preprocessing == Preprocessing::Full {
            let told = outliers::without_outliers(&mut runs, samples, step, settings);
            self.outliers.extend(told);
        }
        enough(runs.len(), settings)?;
        // Whatever the order in which samples are given, the sums are the same.
        runs.sort_by(|(_, a), (_, b)| {
            let by_rates = || {
                a.iter()
                    .map(|x| x.to_bits())
                    .cmp(b.iter().map(|x| x.to_bits()))
            };
            a.len().cmp(&b.len()).then_with(by_rates)
        });
        let unused = outliers::keep_ordinary(&mut runs, step, settings);
        if unused > 0 {
            let message = format!(
                "the {} most ordinary runs were used, and {unused} were not needed",
                runs.len()
            );
            self.warnings
                .push(Warning::new("samples-not-used", message));
        }
        if refined {
            for (_, rates) in &mut runs {
                *rates = match with_edges {
                    true => between_with_edges(rates),
                    false => between(rates),
                };
            }
        }
        match settings.preprocessing {
            Preprocessing::Full => self.make_equal(runs, around, settings),
            Preprocessing::RefineOnly => self.pad(runs),
        }
        let moved = |p: &Prepared| p.trimmed.iter().any(|x| *x > 0.0);
        if self.prepared.iter().any(moved) {
            Ok(())
        } else {
            Err(Undetermined::NothingMoved)
        }
    }

    /// Rates that are rates, of samples that are long enough.
    fn readable(&mut self, samples: &[Sample]) -> Vec<(usize, Vec<f64>)> {
        let mut runs = Vec::with_capacity(samples.len());
        let mut repaired = 0_u64;
        for (index, sample) in samples.iter().enumerate() {
            if sample.rates.len() < FEWEST_POINTS {
                self.outliers.push(Outlier {
                    id: sample.id.to_owned(),
                    place: index,
                    factor: None,
                    reason: format!("it has {}", counted(sample.rates.len() as u64, "point")),
                });
                continue;
            }
            let rate = |&x: &f64| if is_rate(x) { x } else { 0.0 };
            repaired += sample.rates.iter().filter(|x| !is_rate(**x)).count() as u64;
            runs.push((index, sample.rates.iter().map(rate).collect()));
        }
        if repaired > 0 {
            let what = iotempo_model::counted(repaired, "value");
            let message = format!("{what} that are no rates were taken for 0");
            self.warnings.push(Warning::new("no-rate", message));
        }
        runs
    }

    /// Makes samples as long as each other, and takes the background out of all.
    fn make_equal(
        &mut self,
        runs: Vec<(usize, Vec<f64>)>,
        around: Option<&Around>,
        settings: &Settings,
    ) {
        let lengths: Vec<usize> = runs.iter().map(|(_, rates)| rates.len()).collect();
        let shortest = lengths.iter().copied().min().unwrap_or_default();
        let longest = lengths.iter().copied().max().unwrap_or_default();
        let apart = longest as f64 / shortest.max(1) as f64 - 1.0;
        let mut kept: Vec<Vec<u32>> = lengths.iter().map(|&n| kept(n, shortest)).collect();
        if apart > FAMILIAR {
            let reached = reached_by(COMMON, lengths);
            let from_start =
                vec![(0..u32::try_from(reached).unwrap_or(u32::MAX)).collect(); runs.len()];
            // The paper's runs take longer or shorter; others do more or less of the same.
            let more_or_less = settings.method != Method::Iosi
                && agreement(&runs, &from_start) > agreement(&runs, &kept);
            if more_or_less {
                kept = from_start;
                self.cut_off = true;
            }
            self.warnings.push(self.durations_differ(
                apart,
                more_or_less.then_some(reached),
                settings.method,
            ));
        }
        self.length = kept.first().map_or(0, Vec::len);
        let looked_at = |((_, rates), kept): (&(usize, Vec<f64>), &Vec<u32>)| -> Vec<f64> {
            let points = kept.iter().filter_map(|&i| rates.get(i as usize));
            points.copied().collect()
        };
        let points: Vec<Vec<f64>> = runs.iter().zip(&kept).map(looked_at).collect();
        let levels = match settings.method {
            // How busy others are differs from run to run.
            Method::Auto => points.iter().map(|points| level(points, around)).collect(),
            _ => vec![low_level(&points.concat()); runs.len()],
        };
        self.background = mean(&levels);
        self.around = around.map(|around| {
            let levels = points.iter().map(|points| around.below(mean(points)));
            mean(&levels.collect::<Vec<f64>>())
        });
        for (((index, mut whole), kept), level) in runs.into_iter().zip(kept).zip(levels) {
            for rate in &mut whole {
                *rate = (*rate - level).max(0.0);
            }
            self.prepared.push(Prepared {
                index,
                trimmed: kept.iter().map(|&i| at(&whole, i)).collect(),
                whole,
                kept,
            });
        }
    }

    /// What to say of runs that differ in length, some of which were looked at up to `reached` points only.
    fn durations_differ(&self, apart: f64, reached: Option<usize>, method: Method) -> Warning {
        let done = match reached {
            None if method == Method::Auto => {
                "they match best as if some were slower than others: the signature \
                                               lasts about as long as the median run"
                    .to_owned()
            }
            None => "the longer ones were made as long as the shortest".to_owned(),
            Some(points) => format!(
                "they match best from their starts on, as if some did more of the same: what comes after {:.0} s, which \
                 fewer than {:.0} % of them reach, is not looked at",
                self.step * points as f64,
                100.0 * COMMON
            ),
        };
        let message = format!(
            "the longest run is {:.0} % longer than the shortest (do all do the same?): {done}",
            100.0 * apart
        );
        Warning::new("durations-differ", message)
    }

    /// Adds zeros to shorter samples.
    fn pad(&mut self, runs: Vec<(usize, Vec<f64>)>) {
        let lengths = runs.iter().map(|(_, rates)| rates.len());
        self.length = lengths.max().unwrap_or_default();
        for (index, mut whole) in runs {
            whole.resize(self.length, 0.0);
            self.prepared.push(Prepared {
                index,
                trimmed: whole.clone(),
                kept: kept(self.length, self.length),
                whole,
            });
        }
    }
}

/// What is always there in a sample. Where bursts fill much of it, what is below the mean is in part their own
/// beginnings and ends: no more is there than around the samples, unless hardly anything is as low.
fn level(points: &[f64], around: Option<&Around>) -> f64 {
    let low = low_level(points);
    let least = |around: &Around| {
        let hardly_ever = quantile(&mut points.to_vec(), HARDLY_EVER);
        around.below(mean(points)).max(hardly_ever)
    };
    around.map_or(low, |around| low.min(least(around)))
}

/// All rates around samples, in order, and their sums up to each.
struct Around {
    rates: Vec<f64>,
    sums: Vec<f64>,
}

impl Around {
    /// None where that is too little to tell.
    fn new(others: &[Vec<f64>]) -> Option<Self> {
        let mut rates = others.concat();
        rates.sort_unstable_by(f64::total_cmp);
        let sums = rates.iter().scan(0.0, |sum, rate| {
            *sum += rate;
            Some(*sum)
        });
        let sums = iter::once(0.0).chain(sums).collect();
        (rates.len() >= TELLING).then_some(Self { rates, sums })
    }

    /// The mean of those below a limit: what is below a sample's mean is what is always there, in a sample and
    /// around it. Where hardly any is, because others wait while the application runs, it is what they are hardly
    /// ever below.
    fn below(&self, limit: f64) -> f64 {
        let lower = self.rates.partition_point(|rate| *rate < limit);
        let few = (HARDLY_EVER * self.rates.len() as f64) as usize;
        match lower <= few {
            true => self.rates[few],
            false => self.sums[lower] / lower as f64,
        }
    }
}

/// Rates that are rates, at the step of prepared samples.
fn refined(rates: &[f64], settings: &Settings) -> Vec<f64> {
    let sound: Vec<f64> = rates
        .iter()
        .map(|&x| if is_rate(x) { x } else { 0.0 })
        .collect();
    match settings.refine {
        true => between(&sound),
        false => sound,
    }
}

/// What is beyond what is always there.
fn beyond_low(mut rates: Vec<f64>) -> Vec<f64> {
    let level = low_level(&rates);
    for rate in &mut rates {
        *rate = (*rate - level).max(0.0);
    }
    rates
}

fn is_rate(x: f64) -> bool {
    (0.0..=HIGHEST).contains(&x)
}

/// The mean of rates below the mean of all; where all are the same, they are.
fn low_level(rates: &[f64]) -> f64 {
    let all = mean(rates);
    let low: Vec<f64> = rates.iter().copied().filter(|rate| *rate < all).collect();
    if low.is_empty() { all } else { mean(&low) }
}

/// The rate at a place; 0 behind the end.
fn at(rates: &[f64], place: u32) -> f64 {
    rates.get(place as usize).copied().unwrap_or(0.0)
}

/// The length that this share of samples has at least.
fn reached_by(share: f64, mut lengths: Vec<usize>) -> usize {
    lengths.sort_unstable_by(|a, b| b.cmp(a));
    let enough = share_of(share, lengths.len());
    lengths.get(enough - 1).copied().unwrap_or_default()
}

/// How much of what samples move beyond the mean most of them move at the same time, as a share, when these
/// points of them are laid over each other.
fn agreement(runs: &[(usize, Vec<f64>)], kept: &[Vec<u32>]) -> f64 {
    let all = runs.iter().flat_map(|(_, rates)| rates).copied();
    let mean = mean(&all.collect::<Vec<f64>>());
    let beyond = |((_, rates), kept): (&(usize, Vec<f64>), &Vec<u32>)| -> Vec<f64> {
        let points = kept.iter().map(|&i| (at(rates, i) - mean).max(0.0));
        points.collect()
    };
    let rows: Vec<Vec<f64>> = runs.iter().zip(kept).map(beyond).collect();
    let medians = column_medians(&rows, rows.first().map_or(0, Vec::len));
    let (mut common, mut moved) = (0.0, 0.0);
    for row in &rows {
        for (rate, median) in row.iter().zip(&medians) {
            common += rate.min(*median);
            moved += rate;
        }
    }
    common / f64::max(moved, f64::MIN_POSITIVE)
}

/// The step that all samples share.
fn common_step(samples: &[Sample]) -> Result<f64, Undetermined> {
    let mut steps = samples.iter().map(|sample| sample.step.get());
    let one = steps.next().unwrap_or(1.0);
    if let Some(other) = steps.find(|step| (step - one).abs() > 1e-9 * one.abs()) {
        return Err(Undetermined::StepsDiffer { one, other });
    }
    if one > 0.0 {
        Ok(one)
    } else {
        Err(Undetermined::NoStep)
    }
}

fn enough(left: usize, settings: &Settings) -> Result<(), Undetermined> {
    let needed = settings.fewest_samples.max(1);
    if left < needed {
        return Err(Undetermined::TooFewSamples { left, needed });
    }
    Ok(())
}

/// A point between any two: short bursts keep their height when they are smoothed.
fn between(rates: &[f64]) -> Vec<f64> {
    let mut finer = Vec::with_capacity(2 * rates.len());
    for pair in rates.windows(2) {
        finer.extend([pair[0], mean(pair)]);
    }
    finer.extend(rates.last());
    finer
}

/// As [`between`], with a point before the first and one behind the last, as if what is always there surrounded a run:
/// without these, a quarter of what is moved in the first and in the last step is lost.
fn between_with_edges(rates: &[f64]) -> Vec<f64> {
    let low = low_level(rates);
    let edge = |rate: Option<&f64>| rate.map(|rate| mean(&[*rate, rate.min(low)]));
    let (first, last) = (edge(rates.first()), edge(rates.last()));
    let inside = between(rates);
    first.into_iter().chain(inside).chain(last).collect()
}

/// The points that are left when `length` are made `shorter`: those that go are evenly spaced, and the
/// first is among them.
fn kept(length: usize, shorter: usize) -> Vec<u32> {
    let gone = length - shorter.min(length);
    let mut next = 0;
    let mut is_kept = |place: &u32| {
        let goes = next < gone && *place as usize == next * length / gone;
        next += usize::from(goes);
        !goes
    };
    // Samples of more points than that would not fit into memory.
    let end = u32::try_from(length).unwrap_or(u32::MAX);
    (0..end).filter(|place| is_kept(place)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_point_is_put_between_any_two() {
        assert_eq!(between(&[1.0, 3.0, 0.0]), [1.0, 2.0, 3.0, 1.5, 0.0]);
        assert_eq!(between(&[1.0]), [1.0]);
    }

    #[test]
    fn what_is_moved_at_the_ends_of_a_run_is_all_there() {
        let rates = [9.0, 5.0, 0.0, 0.0, 0.0, 4.0, 7.0];
        let points = between_with_edges(&rates);
        assert_eq!(points[..3], [4.5, 9.0, 7.0]);
        assert_eq!(points.len(), 2 * rates.len() + 1);
        assert_eq!(0.5 * points.iter().sum::<f64>(), rates.iter().sum::<f64>());
        let runs = vec![rates.to_vec(); 3];
        let start = |method| {
            let settings = Settings {
                method,
                ..Settings::default()
            };
            SampleSet::new(&samples(&runs), &[], &settings).0.start
        };
        assert_eq!((start(Method::Auto), start(Method::Iosi)), (-0.5, 0.5));
    }

    #[test]
    fn samples_are_shortened_to_the_point() {
        for length in 1..200 {
            for shorter in 1..=length {
                let kept = kept(length, shorter);
                assert_eq!(kept.len(), shorter, "{length} to {shorter}");
            }
        }
        // A sample that is 4 % longer loses the 1st, the 27th, the 53rd point.
        let left = kept(104, 100);
        let gone: Vec<u32> = (0..104).filter(|i| !left.contains(i)).collect();
        assert_eq!(gone, [0, 26, 52, 78]);
    }

    fn samples(runs: &[Vec<f64>]) -> Vec<Sample<'_>> {
        let step = Seconds::new(2.0).expect("a number");
        let sample = |rates| Sample {
            id: "run",
            rates,
            step,
        };
        runs.iter().map(|rates| sample(rates.as_slice())).collect()
    }

    #[test]
    fn the_background_is_the_mean_of_what_is_below_the_mean() {
        let runs = vec![vec![1.0, 1.0, 1.0, 9.0]; 3];
        let settings = Settings {
            refine: false,
            ..Settings::default()
        };
        let (set, why) = SampleSet::new(&samples(&runs), &[], &settings);
        assert_eq!(why, None);
        assert_eq!(set.background, 1.0);
        assert_eq!(set.prepared[0].trimmed, [0.0, 0.0, 0.0, 8.0]);
    }

    #[test]
    fn others_who_wait_while_the_application_runs_are_there_around_it() {
        let run: Vec<f64> = (0..200)
            .map(|i| if i % 20 < 4 { 50.0 } else { 1.0 })
            .collect();
        let around = |rate: f64| {
            let others = vec![vec![rate; 100]; 2];
            let (set, why) = SampleSet::new(
                &samples(&vec![run.clone(); 5]),
                &others,
                &Settings::default(),
            );
            assert_eq!(why, None);
            (set.background, set.around)
        };
        assert_eq!(around(20.0), (around(1.0).0, Some(20.0)));
        assert_eq!(around(0.5).1, Some(0.5));
    }

    #[test]
    fn what_cannot_be_told_has_a_reason() {
        let why = |runs: &[Vec<f64>]| SampleSet::new(&samples(runs), &[], &Settings::default()).1;
        let few = Undetermined::TooFewSamples { left: 0, needed: 3 };
        assert_eq!(why(&[]), Some(few));
        let few = Undetermined::TooFewSamples { left: 1, needed: 3 };
        assert_eq!(why(&[vec![1.0; 9], vec![], vec![1.0]]), Some(few));
        let idle = vec![vec![0.0; 50]; 4];
        assert_eq!(why(&idle), Some(Undetermined::NothingMoved));
        let runs = vec![vec![1.0; 50]; 4];
        let mut mixed = samples(&runs);
        mixed[3].step = Seconds::new(1.0).expect("a number");
        let (_, why) = SampleSet::new(&mixed, &[], &Settings::default());
        assert_eq!(
            why,
            Some(Undetermined::StepsDiffer {
                one: 2.0,
                other: 1.0
            })
        );
    }

    /// Three, five and seven bursts of 10 points every 100, from the 30th on.
    fn more_or_less(counts: &[usize]) -> Vec<Vec<f64>> {
        let run = |&count: &usize| {
            let rate = |i: usize| {
                if (30..40).contains(&(i % 100)) {
                    9.0
                } else {
                    0.0
                }
            };
            (0..100 * count).map(rate).collect()
        };
        counts.iter().map(run).collect()
    }

    #[test]
    fn runs_that_do_more_of_the_same_are_compared_from_their_start_on() {
        let runs = more_or_less(&[3, 5, 5, 7, 7]);
        let (set, why) = SampleSet::new(&samples(&runs), &[], &Settings::default());
        assert_eq!(why, None);
        // Four of five last for five bursts, and at two points each that is nearly a thousand.
        assert_eq!(set.length, 1001);
        let told = set.warnings.iter().find(|w| w.code == "durations-differ");
        let told = told.expect("they differ").message.as_str();
        assert!(told.contains("what comes after 1001 s"), "{told}");
        let literal = Settings {
            method: Method::Iosi,
            ..Settings::default()
        };
        let (set, _) = SampleSet::new(&samples(&runs), &[], &literal);
        assert_eq!(set.length, 599);
    }

    #[test]
    fn runs_that_take_longer_are_made_shorter() {
        let stretched = |by: usize| -> Vec<f64> {
            let short = &more_or_less(&[5])[0];
            (0..short.len() * by / 4)
                .map(|i| short[i * 4 / by])
                .collect()
        };
        let runs = [stretched(4), stretched(5), stretched(6), stretched(5)];
        let (set, _) = SampleSet::new(&samples(&runs), &[], &Settings::default());
        assert_eq!(set.length, 1001);
        let told = set.warnings.iter().find(|w| w.code == "durations-differ");
        assert!(told.is_some_and(|w| w.message.contains("as if some were slower than others")));
    }
}
