//! When the bursts of a signature are.

use super::alignment::Anchors;
use super::finding::Timing;
use super::numbers::{mean, median};
use statrs::distribution::{ContinuousCDF, StudentsT};

/// Each burst as long after the one before it as is usual.
pub(super) fn usual(anchors: &Anchors) -> Vec<usize> {
    starts(&usual_gaps(&borrowed(anchors)))
}

/// What part of the mean delay the usual gap holds: of delays by chance the median is 0.7 of the mean,
/// and errors of finding bursts bring them closer.
const USUAL: f64 = 0.85;

/// When bursts are, and how sure that is.
pub(super) struct Timeline {
    pub(super) starts: Vec<usize>,
    /// Of one burst, or in one run, there is nothing between two to be sure of.
    pub(super) timing: Option<Timing>,
}

/// Each burst as long after the one before it as where nobody is in the way. Others only ever delay, so
/// what is usual is late. How late is told by how much delays differ: those by chance differ by as much
/// as they are long in the mean. But an application may also take longer at one time and less at another
/// of itself, and then what is usual is right. Where gaps do not show which it is, the truth is between the
/// two, and the error holds both.
pub(super) fn undisturbed(anchors: &Anchors) -> Timeline {
    let runs = borrowed(anchors);
    let gaps = usual_gaps(&runs);
    let spread = Spread::of(&runs, &gaps);
    let lateness = Lateness::of(&runs, &gaps, &spread);
    let share = lateness.share();
    let earlier = gaps.iter().enumerate();
    let earlier: Vec<f64> = earlier
        .map(|(k, gap)| (gap * (1.0 - share)).max(earliest(&runs, k)).min(*gap))
        .collect();
    let between = |gaps: &[f64]| gaps.iter().skip(1).sum::<f64>().max(1.0);
    Timeline {
        starts: starts(&earlier),
        timing: (runs.len() > 1 && gaps.len() > 1).then(|| Timing {
            delay_share: 1.0 - between(&earlier) / between(&gaps),
            gap_error_share: error(&runs, &spread, &lateness),
        }),
    }
}

/// How early a burst can be after the one before it: hardly earlier than in any run. Delays by chance, with a mean
/// of θ, have all of n runs late by θ / n or more, by 3 θ / n in one case of twenty, and differ by θ. What is at the
/// same time in every run is never delayed, however long it takes.
fn earliest(runs: &Runs, k: usize) -> f64 {
    const SELDOM: f64 = 3.0;
    let gaps = not_mistaken(between(runs, k), LONG_TAIL);
    let earliest = gaps.iter().copied().fold(f64::INFINITY, f64::min);
    let differ = variance(&gaps).sqrt();
    earliest - SELDOM * differ / runs.len().max(1) as f64
}

/// How long after the burst before it one begins, or after the start of the run.
fn gap(run: &[f64], k: usize) -> f64 {
    run[k] - if k > 0 { run[k - 1] } else { 0.0 }
}

/// Where bursts begin in each sample.
type Runs<'a> = Vec<&'a [f64]>;

fn borrowed(anchors: &Anchors) -> Runs<'_> {
    anchors.iter().map(Vec::as_slice).collect()
}

fn starts(gaps: &[f64]) -> Vec<usize> {
    let mut now = 0.0;
    let next = |(k, gap): (usize, &f64)| {
        // The first may begin with the sample; no two begin at once.
        now += gap.max(if k > 0 { 1.0 } else { 0.0 });
        now.round() as usize
    };
    gaps.iter().enumerate().map(next).collect()
}

fn usual_gaps(runs: &Runs) -> Vec<f64> {
    let bursts = runs.first().map_or(0, |run| run.len());
    (0..bursts)
        .map(|k| {
            let mut gaps = between(runs, k);
            median(&mut gaps)
        })
        .collect()
}

/// How late what is usual is, as a share of the gap between bursts.
struct Lateness {
    /// If all that makes gaps differ were delays.
    late: f64,
    /// How likely that is.
    one_sided: f64,
}

impl Lateness {
    fn of(runs: &Runs, gaps: &[f64], spread: &Spread) -> Self {
        let delay = mean_delay(runs, gaps, spread);
        Self {
            late: (USUAL * delay).min(latest(runs, gaps)),
            one_sided: one_sided(runs, gaps, spread, delay),
        }
    }

    fn share(&self) -> f64 {
        self.one_sided * self.late
    }

    /// The standard error of not knowing which of two it is.
    fn undecided(&self) -> f64 {
        self.late * (self.one_sided * (1.0 - self.one_sided)).sqrt()
    }
}

/// How much gaps between bursts differ from sample to sample.
struct Spread {
    gap: f64,
    /// How many gaps a sample has.
    count: usize,
    /// The variance of one gap.
    variance: f64,
    /// That of samples' mean gaps beyond what gaps that know nothing of each other give: some samples are slower
    /// throughout.
    of_speeds: f64,
    /// So many gaps of a sample tell as much as one would whose sample is not slower throughout.
    alike: f64,
}

impl Spread {
    fn of(runs: &Runs, gaps: &[f64]) -> Self {
        let count = gaps.len().saturating_sub(1);
        let of_gap = |k| variance(&not_mistaken(between(runs, k), LONG_TAIL));
        let variance_of_gaps = mean(&(1..=count).map(of_gap).collect::<Vec<f64>>());
        let speed = |a: &&[f64]| (a[count] - a[0]) / count as f64;
        let of_speeds = match count {
            0 => 0.0,
            _ => variance(&not_mistaken(runs.iter().map(speed).collect(), LONG_TAIL)),
        };
        let independent = variance_of_gaps / count.max(1) as f64;
        let alike = of_speeds / independent.max(f64::MIN_POSITIVE);
        // By chance it is 1, give or take its deviation: of n normal values, √(2 / (n − 1)).
        let by_chance = 1.0 + 2.0 * (2.0 / (runs.len() as f64 - 1.0).max(1.0)).sqrt();
        let slower_throughout = alike > by_chance;
        Self {
            gap: mean(gaps.get(1..).unwrap_or_default()).max(1.0),
            count,
            variance: variance_of_gaps,
            of_speeds: if slower_throughout {
                of_speeds - independent
            } else {
                0.0
            },
            alike: if slower_throughout {
                alike.min(count as f64)
            } else {
                1.0
            },
        }
    }
}

/// How late, as a share, what is usual can be: the earliest sample may be as late as it is earlier than
/// what is usual, but hardly later.
fn latest(runs: &Runs, gaps: &[f64]) -> f64 {
    let mut ends: Vec<f64> = runs.iter().filter_map(|a| a.last().copied()).collect();
    let usual = median(&mut ends);
    let earliest = ends.iter().copied().fold(usual, f64::min);
    2.0 * (usual - earliest) / gaps.iter().sum::<f64>().max(1.0)
}

/// The mean delay between bursts, as a share of the gap. Delays add up from burst to burst, while the
/// error of finding a burst does not: what variances between samples grow by is due to delays. Where a sample
/// is slower throughout, they grow with the square of the distance, and that is none.
fn mean_delay(runs: &Runs, gaps: &[f64], spread: &Spread) -> f64 {
    let bursts = gaps.len();
    let far = bursts.div_ceil(2);
    if far < 2 {
        return 0.0;
    }
    let variance = |distance: usize| {
        let between = (0..bursts - distance).map(|k| {
            let apart = runs.iter().map(|a| a[k + distance] - a[k]).collect();
            usual_variance(apart)
        });
        mean(&between.collect::<Vec<f64>>())
    };
    let growth = (variance(far) - variance(1)) / (far - 1) as f64;
    let of_delays = growth - spread.of_speeds * (far + 1) as f64;
    (of_delays.max(0.0).sqrt() / spread.gap).min(0.2)
}

/// How likely it is that what makes gaps differ only ever makes them longer, from 0 to 1, by their skewness: as
/// likely as it is beforehand that delays by chance, with this mean as a share of the gap, and errors of finding
/// bursts give the skewness seen, beside what differs as much to either side.
fn one_sided(runs: &Runs, gaps: &[f64], spread: &Spread, delay: f64) -> f64 {
    let (mut variances, mut thirds, mut known) = (Vec::new(), Vec::new(), 0.0);
    for k in 1..gaps.len() {
        let values = not_mistaken(between(runs, k), LONG_TAIL);
        let n = values.len() as f64;
        if n < SKEWED as f64 {
            continue;
        }
        let mean = mean(&values);
        let sum = |power: i32| values.iter().map(|x| (x - mean).powi(power)).sum::<f64>();
        // The k-statistics of Fisher, which few values do not bias.
        variances.push(sum(2) / (n - 1.0));
        thirds.push(n * sum(3) / ((n - 1.0) * (n - 2.0)));
        known += n - 1.0;
    }
    let all = mean(&variances);
    if all == 0.0 {
        return 0.0;
    }
    known /= spread.alike;
    // What is spread to the early side is no delay.
    let skewness = (mean(&thirds) / all.powf(1.5)).max(0.0);
    // The cumulants of delays with a mean of θ are (k − 1)!·θᵏ; those of errors end with the second. The
    // variance of the third k-statistic is about (κ₆ + 9·κ₄·κ₂ + 9·κ₃² + 6·κ₂³) / n. That of its ratio to the
    // variance is less, because the two go together: delays are believed in the later for it.
    let share = ((delay * spread.gap).powi(2) / all).min(1.0);
    let expected = 2.0 * share.powf(1.5);
    let symmetric = 6.0 / known;
    let delayed = (156.0 * share.powi(3) + 54.0 * share.powi(2) + 6.0) / known;
    let evidence = 0.5
        * (skewness.powi(2) / symmetric
            - (skewness - expected).powi(2) / delayed
            - (delayed / symmetric).ln());
    1.0 / (1.0 + (-evidence).exp())
}

/// How far from the gap that is told the true one may be, as a share, by how much samples differ. The usual gap errs,
/// and so does what is taken out of it, be it by chance or because nobody knows whether these are delays.
fn error(runs: &Runs, spread: &Spread, lateness: &Lateness) -> f64 {
    let told = (spread.count * runs.len()) as f64 / spread.alike;
    let usual = MEDIANS * (spread.variance / told).sqrt() / spread.gap;
    let share = |some: &Runs| {
        let gaps = usual_gaps(some);
        Lateness::of(some, &gaps, &Spread::of(some, &gaps)).share()
    };
    let taken_out = match runs.len() {
        // Two tell nothing of delays: leaving one out would seem to change nothing.
        ..=SKEWED => lateness.share(),
        _ => jackknife(runs, share),
    };
    let t = StudentsT::new(0.0, 1.0, runs.len() as f64 - 1.0);
    t.map_or(1.96, |t| t.inverse_cdf(0.975)) * usual.hypot(taken_out).hypot(lateness.undecided())
}

/// So few values have a skewness.
const SKEWED: usize = 3;

/// The standard error of what samples give, by what groups of them change: each of them, where they are not many.
fn jackknife(runs: &Runs, of: impl Fn(&Runs) -> f64) -> f64 {
    const MOST: usize = 40;
    let groups = runs.len().min(MOST);
    let without = |group: usize| {
        let others = runs.iter().enumerate().filter(|(k, _)| k % groups != group);
        of(&others.map(|(_, run)| *run).collect())
    };
    let values: Vec<f64> = (0..groups).map(without).collect();
    let n = groups as f64;
    ((n - 1.0) * (n - 1.0) / n * variance(&values)).sqrt()
}

/// How much more a median errs than a mean.
const MEDIANS: f64 = 1.2533;

/// How long after the burst before it one begins, in each sample.
fn between(runs: &Runs, k: usize) -> Vec<f64> {
    runs.iter().map(|run| gap(run, k)).collect()
}

/// The variance of values but for those that are far from the others: bursts that were mistaken.
fn usual_variance(values: Vec<f64>) -> f64 {
    variance(&not_mistaken(values, FAR))
}

fn variance(values: &[f64]) -> f64 {
    let mean = mean(values);
    let squares: f64 = values.iter().map(|x| (x - mean) * (x - mean)).sum();
    squares / (values.len() as f64 - 1.0).max(1.0)
}

/// Values but for those that are so many times as far from their middle as is usual.
fn not_mistaken(mut values: Vec<f64>, far: f64) -> Vec<f64> {
    let middle = median(&mut values);
    let mut away: Vec<f64> = values.iter().map(|x| (x - middle).abs()).collect();
    let limit = far * median(&mut away).max(1.0);
    values.retain(|x| (x - middle).abs() <= limit);
    values
}

/// Three deviations, in median distances from the middle.
const FAR: f64 = 4.5;

/// The same where the tail is what counts: of an exponential one, 0.7 % are further.
const LONG_TAIL: f64 = 9.0;

#[cfg(test)]
mod tests {
    use super::*;

    /// Samples of bursts every 100 points, with these delays before each.
    fn anchors(delays: &[[f64; 6]]) -> Anchors {
        let places = |delays: &[f64; 6]| {
            let mut now = 0.0;
            let next = |delay: &f64| {
                now += 100.0 + delay;
                now
            };
            delays.iter().map(next).collect()
        };
        delays.iter().map(places).collect()
    }

    #[test]
    fn without_delays_bursts_are_where_they_are() {
        let exact = anchors(&[[0.0; 6]; 4]);
        assert_eq!(usual(&exact), [100, 200, 300, 400, 500, 600]);
        assert_eq!(undisturbed(&exact).starts, usual(&exact));
        assert_eq!(undisturbed(&vec![vec![]; 3]).starts, Vec::<usize>::new());
    }

    /// Numbers by chance, the same in every run.
    struct Dice(u64);

    impl Dice {
        fn even(&mut self) -> f64 {
            let next = self.0.wrapping_mul(6_364_136_223_846_793_005);
            self.0 = next.wrapping_add(1_442_695_040_888_963_407);
            ((self.0 >> 11) as f64 + 0.5) / (1_u64 << 53) as f64
        }

        /// The sum of twelve even numbers is nearly normal, with a deviation of 1.
        fn normal(&mut self) -> f64 {
            (0..12).map(|_| self.even()).sum::<f64>() - 6.0
        }

        /// With a mean of 1.
        fn exponential(&mut self) -> f64 {
            -self.even().ln()
        }
    }

    /// What makes runs differ.
    #[derive(Debug, Clone, Copy, PartialEq)]
    enum Own {
        Delays,
        Gaps,
        Speeds,
    }

    /// Bursts every 400 points, of runs that differ by this share, found to about a point.
    fn differing(own: Own, by: f64, runs: usize, bursts: usize, dice: &mut Dice) -> Anchors {
        let run = |_| {
            let slower = dice.normal();
            let mut now = 0.0;
            let next = |_| {
                let share = match own {
                    Own::Delays => dice.exponential(),
                    Own::Gaps => dice.normal(),
                    Own::Speeds => slower,
                };
                now += 400.0 * (1.0 + by * share);
                now + dice.normal()
            };
            (0..bursts).map(next).collect()
        };
        (0..runs).map(run).collect()
    }

    #[test]
    fn delays_by_chance_are_taken_out() {
        let late = differing(Own::Delays, 0.05, 12, 6, &mut Dice(1));
        let (usual, undisturbed) = (usual(&late)[5], undisturbed(&late).starts[5]);
        assert!(usual > 2440, "{usual}");
        assert!((2370..=2430).contains(&undisturbed), "{undisturbed}");
    }

    #[test]
    fn what_takes_as_long_in_every_run_is_not_delayed() {
        for seed in 1..=20 {
            let mut dice = Dice(seed);
            let late = (0..12).map(|_| {
                // A long start that nobody delays, and then bursts that others do.
                let mut now = 2000.0;
                let next = |k: usize| {
                    now += if k > 0 {
                        200.0 + 30.0 * dice.exponential()
                    } else {
                        0.0
                    };
                    now
                };
                (0..8).map(next).collect()
            });
            let mut late: Anchors = late.collect();
            let told = undisturbed(&late);
            assert_eq!(told.starts[0], 2000, "seed {seed}");
            // What was taken for the first burst of one run is somebody else's.
            late[3][0] -= 120.0;
            assert_eq!(undisturbed(&late).starts[0], 2000, "seed {seed}");
            let all = told.starts[7] - told.starts[0];
            assert!((1330..=1530).contains(&all), "seed {seed}: {all}");
        }
    }

    #[test]
    fn what_comes_early_at_times_is_no_delay() {
        let early = |s: u32, k: u32| match (s * 5 + k * 3) % 10 {
            0 => -40.0,
            7 => -15.0,
            other => f64::from(other % 3),
        };
        let delays: Vec<[f64; 6]> = (0..20)
            .map(|s| [0, 1, 2, 3, 4, 5].map(|k| early(s, k)))
            .collect();
        let told = undisturbed(&anchors(&delays));
        assert!(
            told.timing.is_some_and(|timing| timing.delay_share < 0.02),
            "{:?}",
            told.timing
        );
    }

    #[test]
    fn errors_of_finding_bursts_are_no_delays() {
        let late: Anchors = (0..8)
            .map(|s| {
                (1..=12)
                    .map(|k| 100.0 * f64::from(k) + f64::from((s * 7 + k * 5) % 5 - 2))
                    .collect()
            })
            .collect();
        let last = undisturbed(&late).starts[11];
        assert!((1194..=1202).contains(&last), "{last}");
    }

    #[test]
    fn what_differs_to_both_sides_is_no_delay() {
        for own in [Own::Gaps, Own::Speeds] {
            for (by, runs) in [(0.02, 30), (0.1, 30), (0.1, 8), (0.05, 5)] {
                let mut dice = Dice(7);
                let taken = (0..50).map(|_| {
                    let told = undisturbed(&differing(own, by, runs, 6, &mut dice));
                    told.timing.expect("several bursts").delay_share
                });
                let taken = mean(&taken.collect::<Vec<f64>>());
                assert!(taken <= 0.25 * by, "{own:?}: {taken} of {by} in {runs}");
            }
        }
    }

    #[test]
    fn the_true_gap_is_as_near_as_is_told() {
        const SETS: usize = 200;
        for own in [Own::Delays, Own::Gaps, Own::Speeds] {
            for (runs, bursts) in [(3, 6), (5, 6), (8, 12), (20, 8)] {
                let mut dice = Dice(11);
                let (mut holds, mut sure, mut wrong) = (0, 0, 0);
                for _ in 0..SETS {
                    let runs = differing(own, 0.05, runs, bursts, &mut dice);
                    let told = undisturbed(&runs);
                    let timing = told.timing.expect("several bursts");
                    let gap = mean(&usual_gaps(&borrowed(&runs))[1..]) * (1.0 - timing.delay_share);
                    let off = gap / 400.0 - 1.0;
                    holds += usize::from(off.abs() <= timing.gap_error_share);
                    if timing.gap_error_share < 0.05 {
                        sure += 1;
                        wrong += usize::from(off.abs() > 0.05);
                    }
                }
                let kind = format!("{own:?}, {runs} runs of {bursts}");
                // Few runs do not show that they differ to the late side only.
                let least = if own == Own::Delays { 0.8 } else { 0.85 };
                // Three may agree by chance.
                let most = if runs < 5 { 0.25 } else { 0.12 };
                assert!(holds as f64 >= least * SETS as f64, "{kind}: {holds}");
                assert!(sure > 0, "{kind}");
                assert!(
                    wrong as f64 <= most * sure as f64,
                    "{kind}: {wrong} of {sure}"
                );
            }
        }
    }
}
