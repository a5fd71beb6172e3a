//! Jobs of a ready table.

use super::args::{CorrelateArgs, TableArgs};
use super::dates::Dates;
use super::group::{Common, Jobs, LeftOut, Named, Origins, Subject};
use super::rows::{Rows, rows};
use crate::failure::Failure;
use crate::servers::{digested, opened};
use anyhow::Context;
use iotempo_analysis::correlate::groups::{GroupSettings, RepeatedJob, groups};
use iotempo_analysis::correlate::study::Points;
use iotempo_formats::zone::TimeZone;
use std::path::Path;

const DAY_S: f64 = 86_400.0;

/// A sum of columns, divided by one.
struct Expression {
    terms: Vec<(f64, usize)>,
    divisor: Option<usize>,
}

impl Expression {
    fn parse(text: &str, names: &[String]) -> Result<Self, String> {
        let place = |name: &str| column(name.trim(), names);
        // A column may be called so.
        if names.iter().any(|name| name == text.trim()) {
            let one = place(text)?;
            return Ok(Self {
                terms: vec![(1.0, one)],
                divisor: None,
            });
        }
        let (sum, divisor) = match text.rsplit_once('/') {
            Some((sum, divisor)) => (sum, Some(place(divisor)?)),
            None => (text, None),
        };
        let mut terms = Vec::new();
        for part in sum.split('+') {
            let mut parts = part.split('-');
            terms.push((1.0, place(parts.next().unwrap_or_default())?));
            for part in parts {
                terms.push((-1.0, place(part)?));
            }
        }
        Ok(Self { terms, divisor })
    }

    fn places(&self) -> impl Iterator<Item = usize> + '_ {
        let terms = self.terms.iter().map(|(_, place)| *place);
        terms.chain(self.divisor)
    }

    /// Its value in a row; `None` where a field is no number.
    fn value(&self, number: impl Fn(usize) -> Option<f64>) -> Option<f64> {
        let mut sum = 0.0;
        for &(sign, place) in &self.terms {
            sum += sign * number(place)?;
        }
        let value = match self.divisor {
            Some(place) => sum / number(place)?,
            None => sum,
        };
        value.is_finite().then_some(value)
    }
}

/// The place of a column that is there once.
fn column(name: &str, names: &[String]) -> Result<usize, String> {
    let mut found = names.iter().enumerate().filter(|(_, one)| *one == name);
    match (found.next(), found.next()) {
        (Some((place, _)), None) => Ok(place),
        (Some((first, _)), Some((second, _))) => Err(format!(
            "two columns are called {name:?}: columns {} and {}",
            first + 1,
            second + 1
        )),
        (None, _) => Err(unknown(name, names)),
    }
}

fn unknown(name: &str, names: &[String]) -> String {
    let close = |one: &&String| one.contains(name) || name.contains(one.as_str());
    let close: Vec<&str> = names
        .iter()
        .filter(close)
        .take(4)
        .map(String::as_str)
        .collect();
    let hint = match close.as_slice() {
        [] => format!("the first are {}", names[..names.len().min(4)].join(", ")),
        close => format!("there are {}", close.join(", ")),
    };
    format!("no column is called {name:?}: {hint}")
}

/// Which columns mean what.
struct Plan {
    x: Expression,
    y: Expression,
    group: Vec<usize>,
    bytes: Vec<usize>,
    when: Option<usize>,
    /// All of them, once.
    wanted: Vec<usize>,
}

impl Plan {
    fn new(words: &TableArgs, names: &[String]) -> Result<Self, String> {
        let place = |name: &String| column(name, names);
        let expression =
            |text: &Option<String>| Expression::parse(text.as_deref().unwrap_or_default(), names);
        let mut plan = Self {
            x: expression(&words.x)?,
            y: expression(&words.y)?,
            group: words.group.iter().map(place).collect::<Result<_, _>>()?,
            bytes: words.bytes.iter().map(place).collect::<Result<_, _>>()?,
            when: words.when.as_ref().map(place).transpose()?,
            wanted: Vec::new(),
        };
        let all = plan.x.places().chain(plan.y.places());
        let all = all.chain(plan.group.iter().copied());
        let all = all.chain(plan.bytes.iter().copied()).chain(plan.when);
        let mut wanted: Vec<usize> = all.collect();
        wanted.sort_unstable();
        wanted.dedup();
        plan.wanted = wanted;
        Ok(plan)
    }
}

impl Plan {
    /// Whether the load is divided by the very time, with the job's own bytes still in it.
    fn holds_own_traffic(&self) -> bool {
        let time = match self.y.terms.as_slice() {
            [(_, place)] if self.y.divisor.is_none() => Some(*place),
            _ => None,
        };
        let all_added = self.x.terms.iter().all(|(sign, _)| *sign > 0.0);
        all_added && time.is_some() && self.x.divisor == time
    }
}

/// Reads a table into groups of jobs.
pub(super) fn read(words: &CorrelateArgs) -> anyhow::Result<Jobs> {
    let (table, fewest) = (&words.table, words.sure.min_jobs);
    let path = table.table.clone().context("--table names no file")?;
    let opened = opened(&[path])?.next().context("--table names no file")?;
    let opened = opened.map_err(|failure| anyhow::anyhow!("{failure}"))?;
    let (input, log, sha256) = digested(opened);
    let (mut plan, mut unknown) = (None, None);
    let rows = rows(log, |names| {
        let made = Plan::new(table, names).inspect_err(|why| unknown = Some(why.clone()))?;
        Ok(plan.insert(made).wanted.clone())
    });
    let rows = rows.map_err(|error| match &unknown {
        Some(why) => anyhow::anyhow!("{input}: {why}"),
        None => anyhow::anyhow!(Failure::of(&input, &error)),
    })?;
    let plan = plan.context("the table has no heading")?;
    let column = |place: usize| {
        let at = plan.wanted.binary_search(&place).ok()?;
        Some((
            rows.columns.names[place].as_str(),
            rows.columns.fields[at].as_slice(),
        ))
    };
    let (name, fields) = plan.when.and_then(column).unwrap_or_default();
    let zone = words.clocks.zone.clone().unwrap_or_else(TimeZone::utc);
    let mut dates = Dates::new(name, fields, zone);
    let mut jobs = grouped(&rows, &plan, &mut dates, fewest);
    jobs.warnings.extend(dates.warnings());
    let numbers = plan.x.places().chain(plan.y.places());
    let mut numbers = numbers.chain(plan.bytes.iter().copied()).filter_map(column);
    let commas = numbers.find_map(|(name, fields)| rows.decimal_commas(name, fields));
    jobs.warnings.extend(commas);
    for message in &rows.warnings {
        jobs.warnings.push(format!("{input}: {message}"));
    }
    if plan.when.is_none() {
        let message = "without --when all jobs are taken for independent of each other; those of one \
                       campaign are not";
        jobs.warnings.push(message.to_owned());
    }
    if plan.holds_own_traffic() {
        let message = "the load is per second of the time that it is held against, and nothing is taken off: \
                       what the jobs themselves moved makes quick ones look busy; subtract it \
                       (--x all-own/seconds)";
        jobs.warnings.push(message.to_owned());
    }
    jobs.inputs = vec![Named { input, sha256 }];
    Ok(jobs)
}

/// A row whose numbers are all there.
struct Read {
    load: f64,
    time: f64,
    day: i64,
    row: usize,
}

fn grouped(rows: &Rows, plan: &Plan, dates: &mut Dates, fewest: usize) -> Jobs {
    let columns = &rows.columns;
    let field = |place: usize, row: usize| {
        let at = plan.wanted.binary_search(&place).ok();
        at.map_or("", |at| columns.fields[at][row].as_str())
    };
    let number = |place: usize, row: usize| rows.number(field(place, row));
    // The first field that is no number.
    let example = |expression: &Expression, row: usize| {
        let bad = expression
            .places()
            .find(|&place| number(place, row).is_none());
        let bad = bad.map_or("", |place| field(place, row));
        format!("line {}: {bad:?}", columns.lines[row])
    };
    let mut left_out = LeftOut::default();
    let mut read = Vec::new();
    for &row in &rows.once {
        let load = plan.x.value(|place| number(place, row));
        let time = plan.y.value(|place| number(place, row));
        let day = match plan.when {
            None => Some(row as i64),
            Some(place) => dates
                .moment(field(place, row), number(place, row))
                .map(|at| (at / DAY_S).floor() as i64),
        };
        let sized = plan.bytes.iter().all(|&place| number(place, row).is_some());
        match (load, time, day) {
            _ if !sized => left_out.add("no bytes: a field is empty or no number"),
            (_, Some(time), _) if time <= 0.0 => {
                left_out.add("its time (--y, in seconds) is not above 0")
            }
            (Some(load), Some(time), Some(day)) => read.push(Read {
                load,
                time,
                day,
                row,
            }),
            (None, ..) => left_out.add_with("no load: a field is empty or no number", || {
                example(&plan.x, row)
            }),
            (_, None, _) => left_out.add_with(
                "no time (--y, in seconds): a field is empty or no number",
                || example(&plan.y, row),
            ),
            (.., None) => left_out.add_with("nobody knows when it began", || {
                let when = plan.when.map_or("", |place| field(place, row));
                format!("line {}: {when:?}", columns.lines[row])
            }),
        }
    }
    let bytes = |row: usize, which: usize| {
        let place = plan.bytes.get(which).copied();
        place.and_then(|place| number(place, row)).unwrap_or(0.0) as u64
    };
    // Columns that jobs have in common stand for the user, so that groups are told apart by bytes, too.
    let repeated: Vec<RepeatedJob> = read
        .iter()
        .map(|job| RepeatedJob {
            user: Some(likeness(plan, |place| field(place, job.row))),
            command: None,
            processes: None,
            read_bytes: bytes(job.row, 0),
            written_bytes: bytes(job.row, 1),
        })
        .collect();
    let settings = GroupSettings {
        fewest,
        ..GroupSettings::default()
    };
    let grouping = groups(&repeated, &settings);
    let subjects = grouping.groups.iter().map(|group| {
        let mut members: Vec<&Read> = group.jobs.iter().map(|&job| &read[job]).collect();
        members.sort_by_key(|job| job.row);
        let common = plan.group.iter().map(|&place| {
            let value = members.first().map_or("", |job| field(place, job.row));
            (columns.names[place].clone(), file_name(value).to_owned())
        });
        Subject {
            common: Common(common.collect()),
            label: String::new(),
            volumes: (!plan.bytes.is_empty()).then_some([group.read, group.written]),
            points: Points {
                load: members.iter().map(|job| job.load).collect(),
                time: members.iter().map(|job| job.time).collect(),
                day: members.iter().map(|job| job.day).collect(),
                dated: plan.when.is_some(),
            },
            origins: Origins::Line(members.iter().map(|job| columns.lines[job.row]).collect()),
            traced: None,
            left_out: LeftOut::default(),
        }
    });
    Jobs {
        subjects: subjects.collect(),
        read: rows.once.len() as u64,
        too_few: grouping.too_few.len() as u64,
        too_few_jobs: grouping
            .too_few
            .iter()
            .map(|few| few.jobs.len() as u64)
            .sum(),
        left_out,
        ..Jobs::default()
    }
}

fn likeness<'a>(plan: &Plan, field: impl Fn(usize) -> &'a str) -> String {
    let fields = plan.group.iter().map(|&place| file_name(field(place)));
    fields.collect::<Vec<_>>().join("\u{1f}")
}

/// Of a path only the last part: programs are moved.
fn file_name(value: &str) -> &str {
    let path = Path::new(value);
    match value.starts_with('/') {
        true => path
            .file_name()
            .and_then(|name| name.to_str())
            .unwrap_or(value),
        false => value,
    }
}
