//! Times over loads: jobs, how densely they lie, and what to expect.

use super::ShownGroup;
use super::contours::Grid;
use super::plot::{Axis, Plot};
use super::tables;
use super::view::{Figure, Key};
use super::words::counted;
use crate::axis::Scale;
use crate::figures::percent;
use crate::quantity::Units;
use iotempo_analysis::correlate::study::usual;

/// Jobs that are drawn; a page must stay small.
const MOST_DOTS: usize = 4000;
/// Shares of the jobs that contours enclose.
const SHARES: [f64; 4] = [0.25, 0.5, 0.75, 0.9];
const CLASSES: [&str; 4] = ["contour c25", "contour c50", "contour c75", "contour c90"];
const HEIGHT: u32 = 380;

/// `None` where there is no job to draw.
pub(super) fn figure(group: &ShownGroup<'_>, units: Units) -> Option<Figure> {
    let (loads, times) = (&group.points.load, &group.points.time);
    let (low, high) = usual(loads)?;
    let across = Axis::of(low, high, |highest| group.load.unit.scale(highest, units))?;
    let (low, high) = with_band(group, usual(times)?);
    let up = Axis::of(low, high, Scale::of_times)?;
    let jobs: Vec<(f64, f64)> = loads.iter().copied().zip(times.iter().copied()).collect();
    let inside = |job: &&(f64, f64)| across.holds(job.0) && up.holds(job.1);
    let seen: Vec<(f64, f64)> = jobs.iter().filter(inside).copied().collect();
    let beyond = jobs.len() - seen.len();
    let alt = "Times of jobs over loads; the table below holds what to expect at which load";
    let mut plot = Plot::new(across, up, HEIGHT, alt);
    let mut keys = vec![Key::new("dots", "a job")];
    let mut notes = Vec::new();
    band(group, &mut plot, &mut keys, &mut notes);
    let stride = seen.len().div_ceil(MOST_DOTS).max(1);
    plot.dots("dots", seen.iter().step_by(stride).copied());
    if stride > 1 {
        notes.push(format!("One in {stride} jobs is drawn."));
    }
    if beyond > 0 {
        let lie = if beyond == 1 { "lies" } else { "lie" };
        notes.push(format!(
            "{} {lie} far outside the picture, and {} part of all figures.",
            counted(beyond as u64, "job"),
            if beyond == 1 { "is" } else { "are" },
        ));
    }
    contours(group, &mut plot, &mut keys, &mut notes);
    middle(group, &mut plot, &mut keys);
    forest(group, &mut plot, &mut keys, &mut notes);
    // Within weeks, busy is no place on this axis.
    if let (None, Ok(slowdown)) = (&group.study.within, &group.study.slowdown) {
        plot.mark("busy", slowdown.busy.from, "busy from here".to_owned(), 0);
    }
    Some(Figure {
        title: "Time over load".to_owned(),
        across: format!(
            "Across: {}",
            with_unit(&group.load.name, plot.across_unit())
        ),
        up: format!("Upwards: {}", with_unit(&group.time, plot.up_unit())),
        keys,
        notes,
        table: tables::expected(group, units),
        plot,
        wide: true,
    })
}

/// The span of times, with what nine of ten jobs are expected to take where that is not much more.
fn with_band(group: &ShownGroup<'_>, (low, high): (f64, f64)) -> (f64, f64) {
    let most = 0.5 * (high - low);
    let bands = group.curves.bands.iter().flatten();
    let quantiles = bands.filter_map(|band| band.quantiles);
    let (least, greatest) = quantiles.fold((low, high), |(least, greatest), [from, _, to]| {
        (least.min(from), greatest.max(to))
    });
    // No time is below 0, and no picture of times should look so.
    let floor = if low >= 0.0 { 0.0 } else { f64::NEG_INFINITY };
    (least.max(low - most).max(floor), greatest.min(high + most))
}

/// A name with the unit of its axis.
pub(super) fn with_unit(name: &str, unit: &str) -> String {
    match unit.is_empty() {
        true => format!("{name}."),
        false => format!("{name}, in {unit}."),
    }
}

fn band(group: &ShownGroup<'_>, plot: &mut Plot, keys: &mut Vec<Key>, notes: &mut Vec<String>) {
    let bands = match &group.curves.bands {
        Ok(bands) => bands,
        Err(why) => {
            notes.push(format!("No median over the load: {why}."));
            return;
        }
    };
    let bounds: Vec<Option<(f64, f64, f64)>> = bands
        .iter()
        .map(|band| band.quantiles.map(|[low, _, high]| (band.x, low, high)))
        .collect();
    if bounds.iter().all(Option::is_none) {
        notes.push("No median over the load: nowhere are there enough jobs.".to_owned());
        return;
    }
    if bounds.iter().any(Option::is_none) {
        notes.push("Where too few jobs were seen, the median has a gap.".to_owned());
    }
    plot.area("band", &bounds);
    keys.push(Key::new("band", "nine of ten jobs"));
}

fn middle(group: &ShownGroup<'_>, plot: &mut Plot, keys: &mut Vec<Key>) {
    let Ok(bands) = &group.curves.bands else {
        return;
    };
    let medians = bands
        .iter()
        .map(|band| band.quantiles.map(|[_, median, _]| (band.x, median)));
    if bands.iter().any(|band| band.quantiles.is_some()) {
        plot.line("median", medians);
        keys.push(Key::new("median", "their median"));
    }
}

fn contours(group: &ShownGroup<'_>, plot: &mut Plot, keys: &mut Vec<Key>, notes: &mut Vec<String>) {
    let spread = match &group.curves.density {
        Ok(spread) => spread,
        Err(why) => {
            notes.push(format!("No contours: {why}."));
            return;
        }
    };
    let grid = Grid {
        x: &spread.x,
        y: &spread.y,
        density: &spread.density,
    };
    let Some(levels) = grid.levels(SHARES) else {
        notes.push("No contours: the density is 0 everywhere.".to_owned());
        return;
    };
    for (level, class) in levels.into_iter().zip(CLASSES) {
        plot.lines(class, &grid.lines(level));
    }
    let shares = SHARES.map(|share| format!("{:.0}", 100.0 * share));
    let label = format!("around the densest {} % of them", shares.join(", "));
    keys.push(Key::new("contour", label));
}

fn forest(group: &ShownGroup<'_>, plot: &mut Plot, keys: &mut Vec<Key>, notes: &mut Vec<String>) {
    let forest = match &group.curves.forest {
        Ok(forest) => forest,
        Err(why) => {
            notes.push(format!("No random forest: {why}."));
            return;
        }
    };
    let curve = group.curves.loads.iter().zip(&forest.times);
    plot.line("forest", curve.map(|(&load, &time)| Some((load, time))));
    keys.push(Key::new("forest", "mean, by a random forest"));
    notes.push(match forest.oob_r2 {
        Some(r2) if r2 > 0.0 => format!(
            "The forest explains {} of the variance of times of jobs that it has not seen (out-of-bag R² {}).",
            percent(r2),
            super::words::number(r2)
        ),
        Some(r2) => format!(
            "The forest explains nothing of times of jobs that it has not seen (out-of-bag R² {}).",
            super::words::number(r2)
        ),
        None => "How much the forest explains is undetermined: too few jobs were left out of its trees."
            .to_owned(),
    });
}
