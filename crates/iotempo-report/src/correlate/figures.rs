//! Pictures of how far a coefficient can be believed.

use super::ShownGroup;
use super::plot::{Axis, Plot};
use super::scatter::with_unit;
use super::tables;
use super::view::{Figure, Key};
use super::words::{between, chance, number, same, title};
use crate::axis::Scale;
use crate::page::Table;
use crate::quantity::duration;
use iotempo_analysis::association::Coefficient;

const HEIGHT: u32 = 240;
/// Columns of a histogram.
const BINS: usize = 24;

fn unitless(_: f64) -> Scale {
    Scale {
        unit: String::new(),
        size: 1.0,
    }
}

/// The least and the greatest of some values.
fn ends(values: impl Iterator<Item = f64>) -> (f64, f64) {
    values.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| {
        (low.min(value), high.max(value))
    })
}

/// An axis of coefficients, which holds 0.
fn of_coefficients(values: impl Iterator<Item = f64>) -> Option<Axis> {
    let (low, high) = ends(values.chain([0.0]));
    Axis::of(low, high, unitless)
}

/// The rank correlation that tells, beside that of the same jobs on other days; `None` where there are no other
/// days.
pub(super) fn other_days(group: &ShownGroup<'_>) -> Option<Figure> {
    let rank = group.study.telling()?;
    let null = rank.shifted.as_ref()?;
    let (low, high) = ends(null.values.iter().copied().chain([rank.value]));
    let across = Axis::of(low, high, unitless)?;
    let (low, high) = (across.low, across.high);
    let width = (high - low) / BINS as f64;
    let mut counts = [0_u32; BINS];
    for value in &null.values {
        let bin = ((value - low) / width) as usize;
        counts[bin.min(BINS - 1)] += 1;
    }
    let highest = f64::from(counts.into_iter().max()?);
    let up = Axis {
        low: 0.0,
        high: 1.3 * highest,
        scale: unitless(highest),
    };
    let alt = "The rank correlation beside that of the same jobs on other days; the text below holds its figures";
    let mut plot = Plot::new(across, up, HEIGHT, alt);
    let bars = counts.into_iter().enumerate();
    plot.bars(
        "days",
        bars.map(|(bin, count)| {
            let from = low + width * bin as f64;
            (from, from + width, f64::from(count))
        }),
    );
    let mean = match null.keeps_built_in {
        true => "built in",
        false => "mean",
    };
    plot.mark(
        "built-in",
        null.mean,
        format!("{mean} {}", number(null.mean)),
        1,
    );
    plot.mark(
        "observed",
        rank.value,
        format!("observed {}", number(rank.value)),
        0,
    );
    let how = match null.keeps_built_in {
        true => "The same jobs, moved to",
        false => "The same jobs beside the loads of later days, counted in days that have jobs, in",
    };
    let (of_what, up) = match null.keeps_built_in {
        true => ("other days of the log", "Upwards: number of other days."),
        false => ("ways", "Upwards: number of ways."),
    };
    let (title, across) = match &group.study.within {
        Some(within) => (
            format!("On other days, beside the same {}", same(within)),
            format!(
                "Across: Spearman's coefficient beside the same {}, a number without a unit.",
                same(within)
            ),
        ),
        None => (
            "On other days".to_owned(),
            "Across: Spearman's coefficient, a number without a unit.".to_owned(),
        ),
    };
    let says = format!(
        "{how} {} {of_what}: {} on average, 95 % of them {}. By chance \
         as far from that as the observed {} is: {}.",
        null.values.len(),
        number(null.mean),
        between(null.low, null.high),
        number(rank.value),
        chance(null.p_value)
    );
    Some(Figure {
        title,
        across,
        up: up.to_owned(),
        keys: vec![Key::new("days", "other days")],
        notes: vec![says],
        table: None,
        plot,
        wide: false,
    })
}

/// Coefficients by length of intervals; `None` where there is but one length.
pub(super) fn grains(group: &ShownGroup<'_>) -> Option<Figure> {
    let grains = group.grains;
    if grains.len() < 2 {
        return None;
    }
    let (low, high) = ends(grains.iter().map(|grain| grain.step_s));
    let across = Axis::of(low, high, Scale::of_times)?;
    let points = grains.iter().flat_map(|grain| &grain.points);
    let ranges = points.filter_map(|point| point.range);
    let up = of_coefficients(ranges.flat_map(|(low, high)| [low, high]))?;
    let alt = "Coefficients by length of intervals; the table below holds the same figures";
    let mut plot = Plot::new(across, up, HEIGHT, alt);
    let mut keys = Vec::new();
    let count = grains.first().map_or(0, |grain| grain.points.len());
    let of = |which: usize| {
        let points = grains.iter();
        points.map(move |grain| grain.points.get(which).map(|point| (grain.step_s, point)))
    };
    for which in 0..count {
        let coefficient = of(which).flatten().next()?.1.coefficient;
        let Some((line, area)) = classes(coefficient) else {
            continue;
        };
        let ranges: Vec<_> = of(which)
            .map(|point| point.and_then(|(step, point)| Some((step, point.range?))))
            .map(|point| point.map(|(step, (low, high))| (step, low, high)))
            .collect();
        plot.area(area, &ranges);
        plot.line(
            line,
            of(which).map(|point| point.and_then(|(step, point)| Some((step, point.value?)))),
        );
        keys.push(Key::new(line, title(coefficient)));
    }
    Some(Figure {
        title: "With coarser logs".to_owned(),
        across: format!(
            "Across: length of the intervals of the servers' logs, {}",
            with_unit("had they been written less often", plot.across_unit())
        ),
        up: "Upwards: coefficients, numbers without a unit.".to_owned(),
        keys,
        notes: vec![
            "Lines are means over ways to begin the intervals, shades the least to the greatest."
                .to_owned(),
        ],
        table: filled(tables::grains(grains)),
        plot,
        wide: false,
    })
}

const fn classes(coefficient: Coefficient) -> Option<(&'static str, &'static str)> {
    match coefficient {
        Coefficient::Pearson => Some(("pearson", "area pearson")),
        Coefficient::Spearman => Some(("spearman", "area spearman")),
        Coefficient::Distance => Some(("distance", "area distance")),
        Coefficient::DistanceCorrected | Coefficient::Information { .. } => None,
    }
}

/// The rank correlation by what clocks may differ; `None` where there is nothing to see.
pub(super) fn lags(group: &ShownGroup<'_>) -> Option<Figure> {
    let lags = group.lags;
    if lags.len() < 2 {
        return None;
    }
    let (low, high) = ends(lags.iter().map(|lag| lag.ahead_s));
    let across = Axis::of(low, high, Scale::of_times)?;
    let up = of_coefficients(lags.iter().filter_map(|lag| lag.value))?;
    let alt = "Rank correlation by difference of clocks; the table below holds the same figures";
    let mut plot = Plot::new(across, up, HEIGHT, alt);
    plot.mark("zero", 0.0, String::new(), 0);
    let points = || {
        lags.iter()
            .map(|lag| lag.value.map(|value| (lag.ahead_s, value)))
    };
    plot.line("spearman", points());
    plot.dots("spearman knots", points().flatten());
    // Of equals, the one that doubts the clocks least.
    let strongest = points().flatten().max_by(|a, b| {
        let nearer = b.0.abs().total_cmp(&a.0.abs());
        a.1.abs().total_cmp(&b.1.abs()).then(nearer)
    });
    let says = match strongest {
        None => "Undetermined at every difference of clocks.".to_owned(),
        Some((ahead, value)) => format!(
            "Strongest, {}, {}. These are many looks at the same jobs: a small difference tells nothing.",
            number(value),
            match ahead {
                0.0 => "as the clocks are".to_owned(),
                ahead if ahead > 0.0 =>
                    format!("had the servers' clocks been {} ahead", duration(ahead)),
                ahead => format!("had the servers' clocks been {} behind", duration(-ahead)),
            }
        ),
    };
    Some(Figure {
        title: "With other clocks".to_owned(),
        across: format!(
            "Across: by how much the servers' clocks {}",
            with_unit("would be ahead", plot.across_unit())
        ),
        up: "Upwards: Spearman's coefficient, a number without a unit.".to_owned(),
        keys: Vec::new(),
        notes: vec![says],
        table: filled(tables::lags(lags)),
        plot,
        wide: false,
    })
}

fn filled(table: Table) -> Option<Table> {
    (!table.rows.is_empty()).then_some(table)
}
