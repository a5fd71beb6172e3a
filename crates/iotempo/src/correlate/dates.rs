//! When jobs of a table began.

use iotempo_formats::iso8601;
use iotempo_formats::zone::{Clock, DateOrder, TimeZone, Written};

/// Reads the times of a column.
pub(super) struct Dates {
    clock: Clock,
    /// How numbers, and dates that could be others, are taken.
    taken: Vec<String>,
}

impl Dates {
    /// For a column of this name and these fields, with the local times of a zone.
    pub(super) fn new(name: &str, fields: &[String], zone: TimeZone) -> Self {
        let (order, taken) = order(name, fields);
        Self {
            clock: Clock::with_order(zone, order),
            taken: units(name, fields).into_iter().chain(taken).collect(),
        }
    }

    /// Seconds since 1970 of a field, which may be a number.
    pub(super) fn moment(&mut self, text: &str, number: Option<f64>) -> Option<f64> {
        match number {
            Some(number) => Some(number / unit(number)?.1),
            // A month alone is no time of a log.
            None => self.clock.epoch_s(text).or_else(|| iso8601(text)),
        }
    }

    /// What a person should know.
    pub(super) fn warnings(self) -> Vec<String> {
        let clock = self.clock.warnings().into_iter();
        let clock = clock.map(|warning| warning.message);
        self.taken.into_iter().chain(clock).collect()
    }
}

/// Which of day and month comes first, and a word about it where a date would be another one the other way round:
/// months, as in job logs, unless days beyond the twelfth say otherwise.
fn order(name: &str, fields: &[String]) -> (DateOrder, Option<String>) {
    let (mut fit, mut example) = ([0_u64; 2], None);
    for text in fields {
        let orders = [DateOrder::MonthFirst, DateOrder::DayFirst];
        let read = orders.map(|order| Written::parse(text, order));
        for (fit, read) in fit.iter_mut().zip(&read) {
            *fit += u64::from(read.is_some());
        }
        if read[0] != read[1] {
            example.get_or_insert(text);
        }
    }
    let (order, words) = match fit[1] > fit[0] {
        true => (DateOrder::DayFirst, "day/month/year"),
        false => (DateOrder::MonthFirst, "month/day/year"),
    };
    let taken = example.map(|text| format!("{name}: dates such as {text} are taken for {words}"));
    (order, taken)
}

/// What a number since 1970 counts, and how many of it are a second: told by its size, because nobody keeps
/// jobs of the year 5138. `None` of what is none of them.
fn unit(number: f64) -> Option<(&'static str, f64)> {
    Some(match number.abs() {
        size if size < 1e11 => ("seconds", 1.0),
        size if size < 1e14 => ("milliseconds", 1e3),
        size if size < 1e17 => ("microseconds", 1e6),
        size if size < 1e20 => ("nanoseconds", 1e9),
        _ => return None,
    })
}

/// Says so where times are not in seconds.
fn units(name: &str, fields: &[String]) -> Option<String> {
    let mut finer = fields.iter().filter_map(|text| {
        let (unit, in_second) = unit(text.parse().ok()?)?;
        (in_second > 1.0)
            .then(|| format!("{name}: numbers such as {text} are taken for {unit} since 1970"))
    });
    if let Some(finer) = finer.next() {
        return Some(finer);
    }
    let mut numbers = fields.iter();
    let early = |text: &&String| {
        let number: Option<f64> = text.parse().ok();
        number.is_some_and(|number| (0.0..EARLY_S).contains(&number))
    };
    let early = numbers.find(early)?;
    Some(format!(
        "{name}: numbers such as {early} are taken for seconds since 1970, which makes them days of 1970"
    ))
}

/// A year: no log of a job is as old.
const EARLY_S: f64 = 366.0 * 86_400.0;
