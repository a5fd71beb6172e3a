//! The times of a job log.

use super::JobOptions;
use super::values::without_zero_decimals;
use crate::zone::{Clock, DateOrder, TimeZone};
use iotempo_model::{Warning, counted};

/// Reads the times of one log, and remembers what a person should know about them.
#[derive(Debug, Clone)]
pub(super) struct Times {
    clock: Clock,
    order: DateOrder,
    /// How many are numbers of thousandths or millionths of a second, and the first of them.
    fine: u64,
    example: Option<String>,
    strokes: Strokes,
    /// How many time limits could not be read, and the first of them.
    unread_limits: u64,
    unread_limit: Option<String>,
}

/// Dates of three numbers between strokes, of which the first is taken as the month.
#[derive(Debug, Clone, Default)]
struct Strokes {
    /// How many of them are dates with the day first, too, and the first of them.
    doubtful: u64,
    example: Option<String>,
    /// Whether one of them has a month first for certain.
    sure: bool,
    /// One that has the day first for certain, and so is no time.
    otherwise: Option<String>,
}

impl Strokes {
    fn look_at(&mut self, text: &str, is_time: bool) {
        let mut numbers = text.splitn(3, '/').map(|part| part.parse::<u8>().ok());
        let (Some(Some(month)), Some(Some(day)), Some(_)) =
            (numbers.next(), numbers.next(), numbers.next())
        else {
            return;
        };
        self.sure |= is_time && day > 12;
        if is_time && day <= 12 && day != month {
            self.doubtful += 1;
            self.example.get_or_insert_with(|| text.to_owned());
        } else if (13..=31).contains(&month) && (1..=12).contains(&day) {
            self.otherwise.get_or_insert_with(|| text.to_owned());
        }
    }

    fn warning(&self) -> Option<Warning> {
        let example = self.example.as_deref()?;
        let taken = format!("{} taken as month/day/year", counted(self.doubtful, "time"));
        if let Some(otherwise) = &self.otherwise {
            let message = format!(
                "{taken} (such as {example}), though {otherwise} has the day first, and they may have"
            );
            return Some(Warning::new("date-order", message));
        }
        let message = format!(
            "{taken}, and nothing in the log tells that the day is not first (such as {example})"
        );
        (!self.sure).then(|| Warning::new("date-doubtful", message))
    }
}

/// No job ran before 1970-01-02: databases write zero, as a date of some zone, and the years 1 or 1900
/// for what has not happened.
const FIRST_S: f64 = 86_400.0;

/// What Slurm writes for "none" and "never" where a number is due.
const NO_VALUE_S: [f64; 2] = [4_294_967_294.0, 4_294_967_295.0];

impl Times {
    pub(super) fn new(options: &JobOptions) -> Self {
        Self {
            clock: Clock::with_order(options.zone.clone(), options.date_order),
            order: options.date_order,
            fine: 0,
            example: None,
            strokes: Strokes::default(),
            unread_limits: 0,
            unread_limit: None,
        }
    }

    /// Seconds since 1970-01-01 UTC; `None` where a text says that there is no such time.
    pub(super) fn epoch_s(&mut self, text: &str) -> Result<Option<f64>, ()> {
        if without_zero_decimals(text) == "0" {
            return Ok(None);
        }
        let time = self.clock.epoch_s(text);
        let time = time.or_else(|| self.fine_epoch_s(text));
        if self.order == DateOrder::MonthFirst {
            self.strokes.look_at(text, time.is_some());
        }
        let time = time.ok_or(())?;
        Ok(Some(time).filter(|time| *time >= FIRST_S && !NO_VALUE_S.contains(time)))
    }

    /// The second of the instants that a text tells, where clocks showed that time twice.
    pub(super) fn second_epoch_s(&self, text: &str) -> Option<f64> {
        self.clock.second_epoch_s(text)
    }

    /// The second of both was taken, by what else a log tells of a job.
    pub(super) fn took_second(&mut self) {
        self.clock.took_second();
    }

    /// A time limit that cannot be read costs nothing but itself.
    pub(super) fn lose_limit(&mut self, text: &str) {
        self.unread_limits += 1;
        self.unread_limit.get_or_insert_with(|| text.to_owned());
    }

    pub(super) fn unread_limits(&self) -> u64 {
        self.unread_limits
    }

    /// Of as many thousandths or millionths, which have 13 and 16 digits from 2001 to 2286.
    fn fine_epoch_s(&mut self, text: &str) -> Option<f64> {
        let whole = text.split('.').next().unwrap_or_default();
        let unit = match whole.len() {
            13 => 1e3,
            16 => 1e6,
            _ => return None,
        };
        let plain = text
            .bytes()
            .all(|byte| byte.is_ascii_digit() || byte == b'.');
        let number: f64 = plain.then(|| text.parse().ok()).flatten()?;
        self.fine += 1;
        self.example.get_or_insert_with(|| text.to_owned());
        Some(number / unit)
    }

    /// The zone that mattered: `None` where every time was an instant.
    pub(super) fn zone(&self) -> Option<&TimeZone> {
        self.clock.zone()
    }

    pub(super) fn warnings(&self) -> Vec<Warning> {
        let mut warnings = self.clock.warnings();
        if self.fine > 0 {
            let message = format!(
                "{} taken as thousandths or millionths of a second since 1970, by the number of digits (such as {})",
                counted(self.fine, "time"),
                self.example.as_deref().unwrap_or_default()
            );
            warnings.push(Warning::new("fine-times", message));
        }
        if self.unread_limits > 0 {
            let message = format!(
                "{} that could not be read: left out (such as {:?})",
                counted(self.unread_limits, "time limit"),
                self.unread_limit.as_deref().unwrap_or_default()
            );
            warnings.push(Warning::new("time-limit", message));
        }
        warnings.extend(self.strokes.warning());
        warnings
    }
}
