//! Figures as tables.

use super::words::{NONE, between, chance, interval, number, permuted, same, title};
use super::{ShownGroup, words};
use crate::page::Table;
use crate::plain::table;
use crate::quantity::{Units, duration};
use iotempo_analysis::association::Band;
use iotempo_analysis::correlate::study::{Grain, Lag, Measured, Outcome, ShiftNull, Study, Within};

fn none() -> String {
    NONE.to_owned()
}

/// The cells of a group in the table of all, behind its name.
pub(super) fn ranked(group: &ShownGroup<'_>) -> Vec<String> {
    let study = group.study;
    let rank = study.telling();
    let range = rank.and_then(|rank| rank.interval.as_ref().ok());
    vec![
        group.verdict.words().to_owned(),
        study.jobs.to_string(),
        study.days.map_or_else(none, |days| days.to_string()),
        rank.map_or_else(none, |rank| number(rank.value)),
        range.map_or_else(none, interval),
        group.adjusted.map_or_else(none, chance),
        study.cost().map_or_else(|_| none(), words::slowdown),
    ]
}

/// Columns that tell of the coefficient alone, and those that tell of other days.
const OF_COEFFICIENT: [&str; 3] = ["coefficient", "value", "95 % interval"];
const DAYS_PERMUTED: &str = "by chance, days permuted";
const JOBS_PERMUTED: &str = "by chance, jobs permuted";
const OF_OTHER_DAYS: [&str; 2] = ["by chance, other days", "other days, 95 %"];
const BUILT_IN: &str = "built in";
const WITH_OTHER_DAYS: &str = "Built in: the mean of the same jobs on other days of the log, whose traffic \
                               cannot have delayed them. Only what differs from it is evidence.";
const BESIDE_OTHER_JOBS: &str = "Other days: times beside the loads of jobs of later days, counted in days that have \
                                 jobs, those of the last days beside the first. That keeps what both remember from \
                                 day to day.";
const WITHOUT_OTHER_DAYS: &str = "What is built in is undetermined: that takes logs of servers over twenty \
                                  days or more, to which jobs can be moved.";

/// All coefficients, with what tells whether to believe them.
pub(super) fn coefficients(name: &str, study: &Study) -> Table {
    let measured = &study.measured;
    let nulls = || measured.iter().filter_map(shifted);
    let other_days = nulls().next().is_some();
    let built_in = nulls().any(|null| null.keeps_built_in);
    let mut columns = OF_COEFFICIENT.to_vec();
    columns.push(match study.days {
        Some(_) => DAYS_PERMUTED,
        None => JOBS_PERMUTED,
    });
    if other_days {
        columns.extend(OF_OTHER_DAYS);
    }
    if built_in {
        columns.push(BUILT_IN);
    }
    let row = |outcome: &Outcome| {
        let mut row = row(outcome);
        row.truncate(columns.len());
        row
    };
    let mut rows: Vec<Vec<String>> = measured.iter().map(row).collect();
    if let Some(within) = &study.within {
        let mut cells = measured_row(&within.rank);
        cells.truncate(columns.len());
        cells[0] = format!("Spearman, beside the same {}", same(within));
        rows.push(cells);
    }
    let mut made = table(name, &columns, rows);
    made.notes = reasons(study);
    made.notes.extend(study.within.as_ref().map(beside));
    if other_days && !built_in {
        made.notes.push(BESIDE_OTHER_JOBS.to_owned());
    }
    let note = match built_in {
        true => WITH_OTHER_DAYS,
        false => WITHOUT_OTHER_DAYS,
    };
    made.notes.push(note.to_owned());
    made
}

/// What jobs are held against, and why.
fn beside(within: &Within) -> String {
    let (of, against) = match (within.stretches > 1, within.weekly) {
        (true, false) => (
            format!("{} days", within.days),
            "slow changes of the system",
        ),
        (true, true) => (
            format!(
                "{} days, and of their day of the week because both follow the week",
                within.days
            ),
            "slow changes of the system and rhythms",
        ),
        (false, _) => (
            "day of the week, because both follow the week".to_owned(),
            "rhythms",
        ),
    };
    format!(
        "Beside the same {}: times and loads beside the medians of their {of}, so that {against} neither hide nor \
         make up a dependence. The verdict rests on this one.",
        same(within)
    )
}

fn shifted(outcome: &Outcome) -> Option<&ShiftNull> {
    outcome.value.as_ref().ok()?.shifted.as_ref()
}

fn row(outcome: &Outcome) -> Vec<String> {
    let coefficient = outcome.coefficient;
    let name = title(coefficient).to_owned();
    let Ok(measured) = &outcome.value else {
        let mut row = vec![name, "undetermined".to_owned()];
        row.resize_with(OF_COEFFICIENT.len() + 1 + OF_OTHER_DAYS.len() + 1, none);
        return row;
    };
    measured_row(measured)
}

fn measured_row(measured: &Measured) -> Vec<String> {
    let coefficient = measured.coefficient;
    let null = measured.shifted.as_ref();
    let built_in = null.filter(|null| null.keeps_built_in);
    vec![
        title(coefficient).to_owned(),
        number(measured.value),
        measured.interval.as_ref().map_or_else(|_| none(), interval),
        permuted(measured).unwrap_or_else(|_| none()),
        null.map_or_else(none, |null| chance(null.p_value)),
        null.map_or_else(none, |null| between(null.low, null.high)),
        built_in.map_or_else(none, |null| number(null.mean)),
    ]
}

/// Why coefficients lack numbers, each reason once.
fn reasons(study: &Study) -> Vec<String> {
    let outcomes = &study.measured;
    let untested = format!("Without a test by permuted {}", study.exchanged());
    let mut lacking: Vec<(&str, String, Vec<&str>)> = Vec::new();
    let mut add = |what, why: String, name| {
        let known = lacking
            .iter_mut()
            .find(|(one, reason, _)| *one == what && *reason == why);
        match known {
            Some((.., names)) => names.push(name),
            None => lacking.push((what, why, vec![name])),
        }
    };
    for outcome in outcomes {
        let name = title(outcome.coefficient);
        match &outcome.value {
            Err(why) => add("Undetermined", why.to_string(), name),
            Ok(measured) => {
                if let Err(why) = &measured.interval {
                    add("Without an interval", why.to_string(), name);
                }
                if let Err(why) = permuted(measured) {
                    add(&untested, why, name);
                }
            }
        }
    }
    let note = |(what, why, names): (&str, String, Vec<&str>)| {
        let who = match names.len() == outcomes.len() {
            true => "all of them".to_owned(),
            false => names.join("; "),
        };
        format!("{what}: {who}, because {why}.")
    };
    lacking.into_iter().map(note).collect()
}

/// Rows of the table of what to expect.
const EXPECTED_ROWS: usize = 9;

/// What time to expect at some of the loads.
pub(super) fn expected(group: &ShownGroup<'_>, units: Units) -> Option<Table> {
    let curves = group.curves;
    let bands: Option<&Vec<Band>> = curves.bands.as_ref().ok();
    let forest = curves.forest.as_ref().ok();
    let last = curves.loads.len().checked_sub(1)?;
    let known = |bands: &&Vec<Band>| bands.iter().any(|band| band.quantiles.is_some());
    if bands.filter(known).is_none() && forest.is_none() {
        return None;
    }
    let row = |number: usize| {
        let at = number * last / (EXPECTED_ROWS - 1);
        let band = bands.and_then(|bands| bands.get(at));
        let quantiles = band.and_then(|band| band.quantiles);
        let time = |which: usize| quantiles.map_or_else(none, |times| duration(times[which]));
        let mean = forest.and_then(|forest| forest.times.get(at));
        vec![
            group.load.unit.write(curves.loads[at], units),
            time(1),
            time(0),
            time(2),
            mean.map_or_else(none, |mean| duration(*mean)),
            band.map_or_else(none, |band| format!("{:.0}", band.effective)),
        ]
    };
    let columns = [
        "load",
        "median time",
        "5 % take less than",
        "5 % take more than",
        "mean, by the forest",
        "rests on so many jobs",
    ];
    let rows = (0..EXPECTED_ROWS).map(row).collect();
    Some(table("Time to expect by load", &columns, rows))
}

/// Coefficients by length of intervals.
pub(super) fn grains(grains: &[Grain]) -> Table {
    let mut columns = vec!["interval"];
    let points = grains.first().map_or(&[][..], |grain| &grain.points);
    for point in points {
        columns.extend([title(point.coefficient), "least to greatest"]);
    }
    let row = |grain: &Grain| {
        let mut row = vec![duration(grain.step_s)];
        for point in &grain.points {
            row.push(
                point
                    .value
                    .map_or_else(|| "undetermined".to_owned(), number),
            );
            row.push(
                point
                    .range
                    .map_or_else(none, |(low, high)| between(low, high)),
            );
        }
        row
    };
    table(
        "Coefficients by length of intervals",
        &columns,
        grains.iter().map(row).collect(),
    )
}

/// The rank correlation by what clocks may differ.
pub(super) fn lags(lags: &[Lag]) -> Table {
    let row = |lag: &Lag| {
        let value = lag.value.map_or_else(|| "undetermined".to_owned(), number);
        vec![ahead(lag.ahead_s), value]
    };
    table(
        "Rank correlation by difference of clocks",
        &["servers' clocks ahead by", "Spearman (ranks)"],
        lags.iter().map(row).collect(),
    )
}

fn ahead(seconds: f64) -> String {
    let sign = if seconds < 0.0 { "−" } else { "" };
    format!("{sign}{}", duration(seconds.abs()))
}
