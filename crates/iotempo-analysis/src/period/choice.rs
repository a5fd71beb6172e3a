//! Whom to believe.

use super::alias::UNRESOLVED;
use super::bursts::{self, Burst};
use super::changes::stretches;
use super::detector::Testimony;
use super::resemblance::Mirror;
use super::rhythm::Regularity;
use super::spectral::Line;
use super::train::{self, Train};
use super::{confidence, fold};
use statrs::distribution::{ContinuousCDF, StudentsT};

/// Phases are not called regular where chance makes them so more often than this.
const CHANCE: f64 = 0.03;
/// Evidence that needs no second look.
const BEYOND_DOUBT: f64 = 1e-3;
/// A spectrum without phases to go with it must be as unlikely as this.
const CHANCE_OF_LINE: f64 = 1e-5;
/// A line as unlikely as this knows a period better than phases that scatter.
pub(super) const CHANCE_OF_SHARP_LINE: f64 = 1e-12;

/// Something that repeats, or seems to, in samples.
pub(super) struct Found {
    pub(super) period: f64,
    /// Half of the 95 % interval of the period.
    pub(super) error: f64,
    /// The standard deviation of the distances; `None` where single phases are not seen.
    pub(super) spread: Option<f64>,
    pub(super) phases: Vec<Burst>,
    pub(super) confidence: f64,
    /// Whether it is called periodic, if the confidence allows.
    pub(super) regular: bool,
}

/// All that repeats, the strongest first.
pub(super) fn found(heard: &Testimony) -> Vec<Found> {
    let mut found = by_sizes(heard).unwrap_or_else(|| by_train_or_lines(heard));
    if let (Some(first), Some(line)) = (found.first_mut(), heard.line) {
        sharpen(first, line, heard.samples.len());
    }
    found.retain(|one| one.period > 0.0);
    for one in &mut found {
        if one.period < UNRESOLVED {
            one.regular = false;
        }
    }
    found
}

/// Bursts of two sizes, where the bigger ones are regular.
fn by_sizes(heard: &Testimony) -> Option<Vec<Found>> {
    let big = heard.sizes.as_ref()?;
    if !is_regular(big) || big.p_value() > BEYOND_DOUBT {
        return None;
    }
    let mut found = by_train(big);
    found.extend(beside(heard, big));
    Some(found)
}

fn by_train_or_lines(heard: &Testimony) -> Vec<Found> {
    let line = heard.line.filter(|line| line.p_value() <= CHANCE_OF_LINE);
    let volume = heard.volume.as_ref();
    let volume = volume.filter(|train| {
        heard
            .even
            .as_ref()
            .is_none_or(|even| !is_worse(train, even))
    });
    let trains = [volume, heard.even.as_ref(), heard.spacing.as_ref()];
    let trains = trains.into_iter().flatten();
    let mut trains = trains.filter(|train| !skips(heard, train));
    let regular = trains.clone().find(|train| {
        let believed = train.certain || outweighs(train, line);
        believed && is_regular(train) && !contradicted(train, line)
    });
    if let Some(train) = regular {
        let mut found = by_train(train);
        if train::may_be_halves(train, &heard.mirror, line) {
            // It is one of two, and nothing says which.
            found[0].confidence = found[0].confidence.min(0.45);
        }
        found.extend(beside(heard, train).or_else(|| wave_beside(heard, train)));
        return found;
    }
    // Phases that are certain and come at irregular times are no reason to believe a line.
    let certain = trains.find(|train| train.certain && !contradicted(train, line));
    match (certain, line) {
        (Some(train), _) => vec![of_train(train)],
        (None, Some(line)) => by_lines(heard, line),
        (None, None) => guess(heard).into_iter().collect(),
    }
}

/// What onsets make of the strongest wave, where nothing better is known: never called periodic.
fn guess(heard: &Testimony) -> Option<Found> {
    let train = train::by_tracking(&heard.samples, &heard.bursts, &heard.moved)?;
    Some(Found {
        confidence: confidence::of_guess(resembles(&heard.mirror, train.regularity.period)),
        regular: false,
        ..of_train(&train)
    })
}

/// The probability with which chance makes a signal resemble itself that is no longer believed.
const CHANCE_OF_RESEMBLANCE: f64 = 0.05;

/// Whether the signal resembles itself one period later.
fn resembles(mirror: &Mirror, period: f64) -> bool {
    let found = mirror.at(period);
    found.is_some_and(|found| found.p_value < CHANCE_OF_RESEMBLANCE)
}

/// How much, where it does, and most of all after this very period, not at the edge of what is looked at.
fn exact_resemblance(mirror: &Mirror, period: f64) -> Option<f64> {
    let near = |lag: f64| (lag - period).abs() <= 0.03 * period + 0.5;
    let found = mirror.at(period)?;
    let exact = found.p_value < CHANCE_OF_RESEMBLANCE && near(found.lag);
    exact.then_some(found.correlation)
}

/// A rhythm per stretch of a train, if all of them are regular; else one for the whole of it.
fn by_train(train: &Train) -> Vec<Found> {
    let parts: Option<Vec<Train>> = stretches(&train.phases)
        .into_iter()
        .map(|part| train.part(&train.phases[part]))
        .map(|part| part.filter(|part| is_regular(part) && part.p_value() <= BEYOND_DOUBT))
        .collect();
    match parts {
        Some(parts) if parts.len() > 1 => {
            let mut found: Vec<_> = parts.iter().map(of_train).collect();
            // The phase at which the distance changes belongs to what follows.
            for earlier in &mut found[..parts.len() - 1] {
                earlier.phases.pop();
            }
            found.sort_by_key(|found| std::cmp::Reverse(found.phases.len()));
            found
        }
        _ => vec![of_train(train)],
    }
}

/// What repeats between the phases of a bigger rhythm.
fn beside(heard: &Testimony, train: &Train) -> Option<Found> {
    let mut rest = heard.samples.clone();
    for phase in &train.phases {
        // Edges that a phase shares with a sample are its own.
        let from = (phase.start as usize).saturating_sub(1).min(rest.len());
        let to = (phase.end.ceil() as usize + 1).min(rest.len());
        rest[from..to].fill(0.0);
    }
    let left = bursts::bursts(&rest, bursts::threshold(&rest));
    let other = train::beside(&left, &heard.moved)?;
    // What is left between phases comes as often as they do.
    let echo = is_echo(other.regularity.period, train.regularity.period);
    (is_regular(&other) && other.p_value() < BEYOND_DOUBT && !echo).then(|| of_train(&other))
}

/// Whether a second period is but the first one, found again.
fn is_echo(second: f64, first: f64) -> bool {
    (second / first - 1.0).abs() < 0.2
}

/// A second wave, where a sharp line knows better than phases that scatter.
fn wave_beside(heard: &Testimony, train: &Train) -> Option<Found> {
    let sharp = |line: &Line| line.p_value() <= CHANCE_OF_SHARP_LINE;
    let first = heard.line.filter(sharp)?;
    let scatters = train.jitter() > 0.15 && first.agrees(train.regularity.period);
    let second = second_line(heard, first).filter(|line| scatters && sharp(line))?;
    let found = of_line(heard, &without(heard, first.period), second);
    (found.regular && !is_echo(found.period, train.regularity.period)).then_some(found)
}

/// Periods that lines in the spectrum show, if the signal resembles itself one period later.
fn by_lines(heard: &Testimony, first: Line) -> Vec<Found> {
    let sharp = |line: &Line| line.p_value() <= CHANCE_OF_SHARP_LINE;
    let second = second_line(heard, first);
    // Two waves hide each other's resemblance.
    let alone = second.filter(|second| sharp(second) && sharp(&first));
    let alone = alone.map(|second| of_line(heard, &without(heard, second.period), first));
    let found = alone.filter(|found| found.regular);
    let found = found.unwrap_or_else(|| of_line(heard, &heard.mirror, first));
    // Where not even the strongest wave repeats, neither does a weaker one.
    let second = second.filter(|_| found.regular);
    let second = second.map(|line| of_line(heard, &without(heard, found.period), line));
    // Bursts at uneven distances have many lines: those of one period may each need other multiples to come to it.
    let second = second.filter(|second| !is_echo(second.period, found.period));
    std::iter::once(found).chain(second).collect()
}

/// The strongest line beside one.
fn second_line(heard: &Testimony, first: Line) -> Option<Line> {
    let second = heard.lines.without(first).strongest()?;
    let apart = !(0.7..1.4).contains(&(second.period / first.period));
    (second.ln_p < 2.0 * CHANCE_OF_LINE.ln() && apart).then_some(second)
}

/// The signal without a cycle.
fn without(heard: &Testimony, period: f64) -> Mirror {
    Mirror::of(&fold::without_cycle(&heard.samples, period))
}

fn of_line(heard: &Testimony, mirror: &Mirror, line: Line) -> Found {
    let times = multiple(mirror, line, heard.samples.len());
    let period = times * line.period;
    let phases = fold::phases(&heard.samples, &heard.moved, period);
    let regular = repeats(mirror, line, period) && are_most(&phases, heard, period);
    Found {
        period,
        error: times * line.error,
        spread: None,
        phases,
        confidence: confidence::of_line(line.ln_p, regular),
        regular,
    }
}

/// How many periods of a line it takes until the signal repeats.
fn multiple(mirror: &Mirror, line: Line, samples: usize) -> f64 {
    // A wave without its odd harmonics looks like one of half the period, but does not repeat then.
    if !repeats(mirror, line, line.period) && exact_resemblance(mirror, 2.0 * line.period).is_some()
    {
        return 2.0;
    }
    // Bursts that come again and again at the same uneven distances, as those of one job after the other do, have
    // strong harmonics: the signal resembles itself a little after one of them, and far more after all.
    const MOST: i32 = 24;
    const REPETITIONS: f64 = 4.0;
    const FAR_MORE: f64 = 0.25;
    const AS_MUCH: f64 = 0.05;
    // Which of them it is may be a lag of which there are fewer.
    const FEWER: f64 = 3.0;
    let once = mirror
        .at(line.period)
        .map_or(0.0, |found| found.correlation);
    let lasts = |times: f64, repetitions| repetitions * times * line.period <= samples as f64;
    let times: Vec<(f64, f64)> = (2..=MOST)
        .map(f64::from)
        .take_while(|times| lasts(*times, FEWER))
        .filter_map(|times| Some((times, exact_resemblance(mirror, times * line.period)?)))
        .collect();
    let most = |times: &mut dyn Iterator<Item = &(f64, f64)>| {
        times.map(|(_, alike)| *alike).fold(0.0, f64::max)
    };
    let mut often = times.iter().filter(|(times, _)| lasts(*times, REPETITIONS));
    if most(&mut often) < once + FAR_MORE {
        return 1.0;
    }
    let most = most(&mut times.iter());
    let first = times.iter().find(|(_, alike)| *alike >= most - AS_MUCH);
    first.map_or(1.0, |(times, _)| *times)
}

/// Whether the signal resembles itself so much that it repeats. A smooth wave does at any lag, so that
/// chance would do as well; not if its line is sharp.
fn repeats(mirror: &Mirror, line: Line, period: f64) -> bool {
    const ALIKE: f64 = 0.8;
    let alike = || {
        mirror
            .at(period)
            .is_some_and(|found| found.correlation > ALIKE)
    };
    resembles(mirror, period) || line.p_value() <= CHANCE_OF_SHARP_LINE && alike()
}

/// Whether there are phases at most of the instants at which one is due.
fn are_most(phases: &[Burst], heard: &Testimony, period: f64) -> bool {
    2.0 * phases.len() as f64 * period >= heard.samples.len() as f64
}

fn of_train(train: &Train) -> Found {
    Found {
        period: train.regularity.period,
        error: half_interval(&train.regularity),
        spread: Some(train.regularity.spread),
        phases: train.phases.clone(),
        confidence: confidence::of_train(train),
        regular: is_regular(train),
    }
}

/// Whether a train is so regular that it is called periodic. However many phases say so, one that
/// comes anywhere between now and twice the period is not.
fn is_regular(train: &Train) -> bool {
    if train.certain {
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

/// Whether a line beyond all doubt belongs to something else: a sum of waves has troughs after volumes
/// that are about equal, too.
fn contradicted(train: &Train, line: Option<Line>) -> bool {
    const BEYOND_ALL_DOUBT: f64 = 1e-18;
    let line = line.filter(|line| line.p_value() < BEYOND_ALL_DOUBT && !is_texture(*line, train));
    // Where the period changes, each stretch has a line of its own.
    line.is_some_and(|line| !by_train(train).iter().any(|part| explains(part, line)))
}

/// Whether a line may come from these phases, or says nothing about them.
fn explains(part: &Found, line: Line) -> bool {
    const SCATTER: f64 = 0.15;
    const WEAK: f64 = 1e-60;
    let ratio = part.period / line.period;
    // Steps inside phases are much shorter, and what changes from one phase to the next is much longer.
    let elsewhere = !(0.4..2.5).contains(&ratio);
    if part
        .spread
        .is_none_or(|spread| spread > SCATTER * part.period)
    {
        // Phases that scatter have no harmonics, and but weak lines elsewhere.
        let weak = line.p_value() > WEAK && (elsewhere || is_multiple(line.period, part.period));
        return weak || line.agrees(part.period);
    }
    let near = 0.025 + line.error / line.period;
    let whole = |ratio: f64| (ratio - ratio.round()).abs() < near * ratio.round();
    elsewhere || whole(ratio) || whole(ratio.recip())
}

/// Whether a train that is not certain is to be believed rather than a line.
fn outweighs(train: &Train, line: Option<Line>) -> bool {
    let harmonic = |line: Line| {
        let ratio = train.regularity.period / line.period;
        (ratio - ratio.round()).abs() < 0.05 * ratio.round()
    };
    let weaker = |line: Line| train.p_value() <= BEYOND_DOUBT || harmonic(line);
    is_regular(train) && line.is_none_or(weaker)
}

/// Whether a train leaves out every other repetition of a sharp line, or more: the signal resembles
/// itself as much after the period of the line.
fn skips(heard: &Testimony, train: &Train) -> bool {
    let sharp = |line: &Line| line.p_value() <= CHANCE_OF_SHARP_LINE;
    let Some(line) = heard.line.filter(sharp) else {
        return false;
    };
    let period = train.regularity.period;
    let multiple = is_multiple(period, line.period) && !is_texture(line, train);
    let correlation = |period| {
        let found = heard.mirror.at(period);
        found.map_or(0.0, |found| found.correlation)
    };
    let (once, skipping) = (correlation(line.period), correlation(period));
    multiple && resembles(&heard.mirror, line.period) && once >= skipping
}

/// Whether what repeats so fast does so within phases, as requests do: even a single phase resembles itself
/// after less time than it takes. Fewer repetitions may be phases that a train has joined.
fn is_texture(line: Line, train: &Train) -> bool {
    const MANY: f64 = 4.5;
    let lengths = train.phases.iter().map(|phase| phase.length());
    let length = lengths.sum::<f64>() / train.phases.len() as f64;
    line.period < length && MANY * line.period < train.regularity.period
}

/// Whether phases of another train are more regular, as many of them, or several for each of these.
fn is_worse(train: &Train, other: &Train) -> bool {
    let same = train.phases.len() == other.phases.len();
    let several = is_multiple(train.regularity.period, other.regularity.period);
    (same || several) && other.p_value() < train.p_value()
}

/// Whether a period is twice another, or three times, and so on.
fn is_multiple(period: f64, of: f64) -> bool {
    let ratio = period / of;
    ratio > 1.5 && (ratio - ratio.round()).abs() < 0.05 * ratio.round()
}

/// Takes the period of a line that agrees with phases that scatter far more, or that last so few
/// samples that nobody knows when they begin, while the line counts many of them.
fn sharpen(found: &mut Found, line: Line, samples: usize) {
    const FEW_SAMPLES: f64 = 10.0;
    const MANY: f64 = 12.0;
    let vague = found.period < FEW_SAMPLES && samples as f64 > MANY * found.period;
    let sharp = if vague {
        CHANCE_OF_LINE
    } else {
        CHANCE_OF_SHARP_LINE
    };
    let scatters = |spread: f64| vague || spread > 0.1 * found.period;
    let better = found.spread.is_some_and(scatters) && found.error > line.error;
    if line.p_value() <= sharp && line.agrees(found.period) && better {
        found.period = line.period;
        found.error = line.error;
    }
}

/// Half of the 95 % interval of a mean distance.
fn half_interval(found: &Regularity) -> f64 {
    let n = found.distances.max(1) as f64;
    let quantile = match found.distances {
        0 | 1 => 12.7,
        n => StudentsT::new(0.0, 1.0, n as f64 - 1.0).map_or(1.96, |t| t.inverse_cdf(0.975)),
    };
    // Both ends are known to a sample; and two distances that agree by luck say little.
    let least = (0.82 / n).hypot(0.02 * found.period / n);
    let spread = found.spread * (n / (n - 1.0).max(1.0)).sqrt();
    (quantile * spread / n.sqrt()).hypot(least)
}
