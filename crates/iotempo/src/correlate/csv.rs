//! A row per group.

use super::studied::Studied;
use super::words;
use crate::convert::csv_field;
use crate::envelope::{json, write_number};
use std::io::{self, Write};

/// All groups, with their heading.
pub(super) fn write(out: &mut impl Write, groups: &[Studied]) -> io::Result<()> {
    write!(
        out,
        "group,jobs,days,verdict,p_adjusted,ranks_within_weeks,ranks_within_weeks_low,ranks_within_weeks_high"
    )?;
    let names = [
        "pearson",
        "spearman",
        "distance",
        "distance_corrected",
        "information",
    ];
    for name in names {
        write!(
            out,
            ",{name},{name}_low,{name}_high,{name}_p,{name}_shift_p,{name}_built_in"
        )?;
    }
    for name in ["slowdown", "slowdown_within_weeks"] {
        write!(out, ",{name},{name}_low,{name}_high")?;
    }
    let expected = "expected_load,expected_low_s,expected_median_s,expected_high_s";
    writeln!(out, ",oob_r2,{expected},says")?;
    for studied in groups {
        row(out, studied)?;
    }
    Ok(())
}

fn row(out: &mut impl Write, studied: &Studied) -> io::Result<()> {
    let study = &studied.study;
    out.write_all(&csv_field(&studied.subject.label))?;
    let verdict = json(&studied.verdict())?;
    write!(
        out,
        ",{},{},{}",
        study.jobs,
        study.days.map_or_else(String::new, |days| days.to_string()),
        verdict.trim_matches('"')
    )?;
    field(out, studied.adjusted)?;
    let weeks = study.within.as_ref().map(|within| &within.rank);
    let range = weeks.and_then(|rank| rank.interval.as_ref().ok());
    for number in [
        weeks.map(|rank| rank.value),
        range.map(|range| range.low),
        range.map(|range| range.high),
    ] {
        field(out, number)?;
    }
    for outcome in &study.measured {
        let measured = outcome.value.as_ref().ok();
        let interval = measured.and_then(|one| one.interval.as_ref().ok());
        let permuted = measured.and_then(|one| one.permuted.as_ref().ok());
        let shifted = measured.and_then(|one| one.shifted.as_ref());
        let built_in = shifted.filter(|null| null.keeps_built_in);
        for number in [
            measured.map(|one| one.value),
            interval.map(|one| one.low),
            interval.map(|one| one.high),
            permuted.map(|one| one.p_value),
            shifted.map(|one| one.p_value),
            built_in.map(|null| null.mean),
        ] {
            field(out, number)?;
        }
    }
    let within = study.within.as_ref();
    let within = within.and_then(|one| one.slowdown.as_ref().ok());
    for slowdown in [study.slowdown.as_ref().ok(), within] {
        let interval = slowdown.and_then(|one| one.interval.as_ref());
        field(out, slowdown.map(|one| one.ratio))?;
        field(out, interval.map(|one| one.low))?;
        field(out, interval.map(|one| one.high))?;
    }
    let forest = studied.curves.forest.as_ref().ok();
    field(out, forest.and_then(|one| one.oob_r2))?;
    let expected = studied.expected.as_ref().and_then(|one| one.as_ref().ok());
    field(out, expected.map(|one| one.load))?;
    for which in 0..3 {
        field(out, expected.map(|one| one.times_s[which]))?;
    }
    out.write_all(b",")?;
    out.write_all(&csv_field(&words::sentence(studied)))?;
    out.write_all(b"\n")
}

/// A number, or nothing.
fn field(out: &mut impl Write, number: Option<f64>) -> io::Result<()> {
    out.write_all(b",")?;
    match number {
        Some(number) => write_number(out, number),
        None => Ok(()),
    }
}
