//! Wall clocks and instants.
//!
//! Schedulers and system monitors mostly write local time and do not say whose. A [`TimeZone`] tells
//! which instant that was; a [`Clock`] reads the times of one log under it, and counts the hours that
//! clocks show twice or not at all.

mod civil;

pub use civil::{Civil, DateOrder, Written};
use iotempo_model::{Warning, counted};
use jiff::Timestamp;
use jiff::tz::{AmbiguousOffset, Offset, TimeZone as Rules};
use std::fmt;
use std::str::FromStr;

/// Where a wall clock hangs.
#[derive(Clone, PartialEq)]
pub struct TimeZone {
    rules: Rules,
    name: String,
    /// Whether nobody said so.
    assumed: bool,
}

/// A word that names no time zone.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "unknown time zone {0:?}: it is UTC, local, a name such as Europe/Paris, an offset such as \
     +01:00, or a rule such as CET-1CEST,M3.5.0,M10.5.0/3"
)]
pub struct UnknownZone(pub String);

/// What makes a wall clock doubtful.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Doubt {
    /// Clocks were set back, and showed this time twice.
    Twice,
    /// Clocks were set forward, and never showed this time.
    Never,
}

impl TimeZone {
    /// Coordinated universal time.
    #[must_use]
    pub fn utc() -> Self {
        Self {
            rules: Rules::UTC,
            name: "UTC".to_owned(),
            assumed: false,
        }
    }

    /// The zone of this machine; UTC where it has none.
    #[must_use]
    pub fn system() -> Self {
        let rules = Rules::try_system().unwrap_or(Rules::UTC);
        let name = rules.iana_name().unwrap_or("of this machine").to_owned();
        Self {
            rules,
            name,
            assumed: true,
        }
    }

    /// What people call it.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Whether it was taken because nobody named one.
    #[must_use]
    pub fn is_assumed(&self) -> bool {
        self.assumed
    }

    /// Seconds since 1970-01-01 UTC when a clock here showed `civil`. A time that it showed twice is
    /// the first of them; one that it never showed is as long after the last before it as it says.
    /// `None` beyond the year 9999.
    #[must_use]
    pub fn epoch_s(&self, civil: Civil) -> Option<(f64, Option<Doubt>)> {
        let shown = civil.as_utc();
        // No offset changes in the middle of a second.
        let second = Timestamp::from_second(shown.floor() as i64).ok()?;
        let (offset, doubt) = match self
            .rules
            .to_ambiguous_timestamp(Offset::UTC.to_datetime(second))
            .offset()
        {
            AmbiguousOffset::Unambiguous { offset } => (offset, None),
            AmbiguousOffset::Gap { before, .. } => (before, Some(Doubt::Never)),
            AmbiguousOffset::Fold { before, .. } => (before, Some(Doubt::Twice)),
        };
        Some((shown - f64::from(offset.seconds()), doubt))
    }

    /// Whether this is what people call the time that clocks here showed at an instant.
    fn is_called(&self, name: &str, epoch_s: f64) -> bool {
        Timestamp::from_second(epoch_s.floor() as i64)
            .is_ok_and(|at| self.rules.to_offset_info(at).abbreviation() == name)
    }

    /// Whether the time here is called so in some season.
    fn is_called_within_a_year(&self, name: &str, civil: Civil) -> bool {
        let half = 182.0 * 86_400.0;
        let at = civil.as_utc();
        [at, at - half, at + half]
            .iter()
            .any(|at| self.is_called(name, *at))
    }

    /// Whether clocks here showed the time of an instant twice, then or an hour before or after.
    #[must_use]
    pub fn shows_twice(&self, epoch_s: f64) -> bool {
        Timestamp::from_second(epoch_s.floor() as i64).is_ok_and(|at| {
            let shown = self.rules.to_offset(at).to_datetime(at);
            let offset = self.rules.to_ambiguous_timestamp(shown).offset();
            matches!(offset, AmbiguousOffset::Fold { .. })
        })
    }

    /// The second of the instants at which a clock here showed `civil`, where it did so twice.
    fn second_epoch_s(&self, civil: Civil) -> Option<f64> {
        let shown = civil.as_utc();
        let second = Timestamp::from_second(shown.floor() as i64).ok()?;
        let shown_here = Offset::UTC.to_datetime(second);
        match self.rules.to_ambiguous_timestamp(shown_here).offset() {
            AmbiguousOffset::Fold { after, .. } => Some(shown - f64::from(after.seconds())),
            _ => None,
        }
    }
}

impl Default for TimeZone {
    fn default() -> Self {
        Self::system()
    }
}

impl FromStr for TimeZone {
    type Err = UnknownZone;

    fn from_str(text: &str) -> Result<Self, UnknownZone> {
        let named = |rules| Self {
            rules,
            name: text.to_owned(),
            assumed: false,
        };
        if ["utc", "gmt", "z"].contains(&text.to_ascii_lowercase().as_str()) {
            return Ok(Self::utc());
        }
        if text.eq_ignore_ascii_case("local") {
            let system = Self::system();
            return Ok(Self {
                assumed: false,
                ..system
            });
        }
        if let Some(offset) = offset(text) {
            return Ok(named(Rules::fixed(offset)));
        }
        // A rule has digits in it right behind its first name; no name of a place has.
        let rules = match Rules::get(text) {
            Ok(rules) => rules,
            Err(_) => Rules::posix(text).map_err(|_| UnknownZone(text.to_owned()))?,
        };
        Ok(named(rules))
    }
}

/// `+01:00`, `-0800`, `+1`.
fn offset(text: &str) -> Option<Offset> {
    let (sign, digits) = match text.split_at_checked(1)? {
        ("+", digits) => (1, digits),
        ("-", digits) => (-1, digits),
        _ => return None,
    };
    let (hours, minutes) = match digits.split_once(':') {
        Some(parts) => parts,
        None if digits.len() == 4 => digits.split_at_checked(2)?,
        None => (digits, "0"),
    };
    let number = |text: &str| {
        let plain = (1..=2).contains(&text.len()) && text.bytes().all(|b| b.is_ascii_digit());
        plain.then(|| text.parse::<i32>().ok()).flatten()
    };
    let (hours, minutes) = (number(hours)?, number(minutes)?);
    let possible = hours <= 18 && minutes < 60;
    possible.then(|| Offset::from_seconds(sign * (hours * 3600 + minutes * 60)).ok())?
}

impl fmt::Display for TimeZone {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)
    }
}

impl fmt::Debug for TimeZone {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let assumed = if self.assumed { ", assumed" } else { "" };
        write!(f, "TimeZone({}{assumed})", self.name)
    }
}

/// What the name of a zone beside a time tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Naming {
    /// What the time was called then: `CEST` in summer.
    Season,
    /// Where the clock hung: `CET` in summer, too.
    Zone,
}

/// Whether a text is a time that a [`Clock`] may read, with or without the name of a zone.
pub(crate) fn is_time(text: &str) -> bool {
    let order = DateOrder::MonthFirst;
    Written::parse(text, order).is_some() || civil::named(text, order).is_some()
}

/// What is wrong with a text that no [`Clock`] took for a time.
pub(crate) fn why_no_time(text: &str) -> &'static str {
    match is_time(text) {
        true => "a time with the name of a zone that clocks of the log's zone did not show then",
        false => "not a time",
    }
}

/// Reads the times of one log.
#[derive(Debug, Clone)]
pub struct Clock {
    zone: TimeZone,
    order: DateOrder,
    local: u64,
    twice: u64,
    /// Times of an hour that was shown twice which are of its second pass, by what came before them or by what else
    /// is told.
    second: u64,
    never: u64,
    /// The time before, in a log whose times run forwards.
    last: Option<f64>,
    runs_forwards: bool,
    /// The first doubtful time, as it is written.
    example: Option<String>,
}

impl Clock {
    /// For a log that writes the local times of `zone`, months before days.
    #[must_use]
    pub fn new(zone: TimeZone) -> Self {
        Self::with_order(zone, DateOrder::MonthFirst)
    }

    /// For a log whose dates of three numbers have this order.
    #[must_use]
    pub fn with_order(zone: TimeZone, order: DateOrder) -> Self {
        Self {
            zone,
            order,
            local: 0,
            twice: 0,
            second: 0,
            never: 0,
            last: None,
            runs_forwards: false,
            example: None,
        }
    }

    /// For a log that writes times as they pass: where they go back within the hour that clocks show twice,
    /// its second pass has begun.
    #[must_use]
    pub fn of_running_log(zone: TimeZone) -> Self {
        Self {
            runs_forwards: true,
            ..Self::new(zone)
        }
    }

    /// Seconds since 1970-01-01 UTC of a time in any form of [`Written::parse`], which may have the name
    /// of a zone beside it.
    pub fn epoch_s(&mut self, text: &str) -> Option<f64> {
        self.written_epoch_s(text, self.order, Naming::Season)
    }

    /// As [`epoch_s`](Self::epoch_s), in a log that has its own order of dates and names zones in its own way.
    pub(crate) fn written_epoch_s(
        &mut self,
        text: &str,
        order: DateOrder,
        naming: Naming,
    ) -> Option<f64> {
        match Written::parse(text, order) {
            Some(Written::Epoch(epoch)) => Some(epoch),
            Some(Written::Civil(civil)) => self.civil_epoch_s(civil, text),
            None => {
                let (civil, name) = civil::named(text, order)?;
                if matches!(name, "UTC" | "GMT") {
                    return Some(civil.as_utc());
                }
                if let Some(offset) = offset(name) {
                    return Some(civil.as_utc() - f64::from(offset.seconds()));
                }
                match naming {
                    Naming::Season => self.named_epoch_s(civil, name),
                    Naming::Zone => {
                        let is_here = self.zone.is_called_within_a_year(name, civil);
                        is_here.then(|| self.civil_epoch_s(civil, text)).flatten()
                    }
                }
            }
        }
    }

    /// Of a time with `CET` or `EDT` beside it, where clocks of this zone showed it then: in others, the same letters
    /// mean something else.
    fn named_epoch_s(&mut self, civil: Civil, name: &str) -> Option<f64> {
        let first = self.zone.epoch_s(civil)?.0;
        let both = [Some(first), self.zone.second_epoch_s(civil)];
        let named = both
            .into_iter()
            .flatten()
            .find(|epoch| self.zone.is_called(name, *epoch))?;
        self.local += 1;
        self.last = Some(named);
        Some(named)
    }

    /// The second of the instants that a text tells, where clocks showed that time twice.
    #[must_use]
    pub fn second_epoch_s(&self, text: &str) -> Option<f64> {
        match Written::parse(text, self.order)? {
            Written::Epoch(_) => None,
            Written::Civil(civil) => self.zone.second_epoch_s(civil),
        }
    }

    /// Whoever reads the log knows that the second of two instants is meant, and not the first.
    pub fn took_second(&mut self) {
        self.twice = self.twice.saturating_sub(1);
        self.second += 1;
    }

    /// Seconds since 1970-01-01 UTC of what a wall clock showed; `text` is how the log writes it.
    pub fn civil_epoch_s(&mut self, civil: Civil, text: &str) -> Option<f64> {
        let (epoch, doubt) = self.zone.epoch_s(civil)?;
        self.local += 1;
        if doubt == Some(Doubt::Twice)
            && let Some(second) = self.second_pass(civil, epoch)
        {
            self.second += 1;
            self.last = Some(second);
            return Some(second);
        }
        self.last = Some(epoch);
        match doubt {
            None => return Some(epoch),
            Some(Doubt::Twice) => self.twice += 1,
            Some(Doubt::Never) => self.never += 1,
        }
        self.example.get_or_insert_with(|| text.to_owned());
        Some(epoch)
    }

    /// The instant of the second pass, where that fits what came before.
    fn second_pass(&self, civil: Civil, first: f64) -> Option<f64> {
        let last = self.last.filter(|_| self.runs_forwards)?;
        let second = self.zone.second_epoch_s(civil)?;
        // Rows that are late by a little do not begin it.
        let half = (second - first) / 2.0;
        (last - first > half && last - second < half).then_some(second)
    }

    /// The zone that mattered: `None` where every time was an instant.
    #[must_use]
    pub fn zone(&self) -> Option<&TimeZone> {
        (self.local > 0).then_some(&self.zone)
    }

    /// What a person should know about the times that were read.
    #[must_use]
    pub fn warnings(&self) -> Vec<Warning> {
        let mut warnings = Vec::new();
        let example = self.example.as_deref().unwrap_or_default();
        let zone = &self.zone;
        if self.local > 0 && zone.assumed {
            let message = format!(
                "{} without a zone: taken as local time of this machine ({zone})",
                counted(self.local, "time")
            );
            warnings.push(Warning::new("zone-assumed", message));
        }
        if self.twice > 0 {
            let taken = match self.second {
                0 => "taken as the first of both".to_owned(),
                second => format!(
                    "taken as the first of both, and {second} more as the second, by what the log tells"
                ),
            };
            let message = format!(
                "{} in an hour that clocks of {zone} showed twice, {taken} (such as {example})",
                counted(self.twice, "time")
            );
            warnings.push(Warning::new("clock-set-back", message));
        }
        if self.never > 0 {
            let message = format!(
                "{} in an hour that clocks of {zone} never showed (such as {example}): is that the \
                 right time zone?",
                counted(self.never, "time")
            );
            warnings.push(Warning::new("clock-set-forward", message));
        }
        warnings
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Berlin, by its rule, so that no database is needed.
    const BERLIN: &str = "CET-1CEST,M3.5.0,M10.5.0/3";

    fn clock(zone: &str) -> Clock {
        Clock::new(zone.parse().expect("a zone"))
    }

    #[test]
    fn local_times_follow_the_rule_of_their_zone() {
        for (zone, text, expected) in [
            ("UTC", "2026-11-15T07:46:02", 1_794_728_762.0),
            ("+01:00", "2026-11-15T08:46:02", 1_794_728_762.0),
            ("-0830", "2026-11-14T23:16:02", 1_794_728_762.0),
            (BERLIN, "2026-11-15T08:46:02", 1_794_728_762.0),
            (BERLIN, "2026-07-15T09:46:02.25", 1_784_101_562.25),
            // A database of a site in California holds this midnight with this epoch.
            (
                "PST8PDT,M3.2.0,M11.1.0",
                "2018-01-28 00:00:00",
                1_517_126_400.0,
            ),
            (BERLIN, "2026-11-15T07:46:02Z", 1_794_728_762.0),
            (BERLIN, "1794728762", 1_794_728_762.0),
        ] {
            assert_eq!(clock(zone).epoch_s(text), Some(expected), "{zone} {text}");
        }
    }

    #[test]
    #[allow(clippy::print_stderr, reason = "what is skipped is said")]
    fn places_are_known_where_the_system_has_a_database() {
        match "Europe/Stockholm".parse::<TimeZone>() {
            Ok(zone) => {
                let mut clock = Clock::new(zone);
                // The header of a public workload log states both.
                let start = clock.epoch_s("1996-09-23 14:00:31");
                assert_eq!(start, Some(843_480_031.0));
            }
            Err(error) => eprintln!("SKIPPED: this machine has no time zones: {error}"),
        }
    }

    #[test]
    fn names_of_zones_are_understood_where_clocks_here_showed_them() {
        for (text, expected) in [
            ("2026-11-15 08:46:02 CET", Some(1_794_728_762.0)),
            ("Sun Nov 15 08:46:02 CET 2026", Some(1_794_728_762.0)),
            ("Sun Nov 15 08:46:02 AM CET 2026", Some(1_794_728_762.0)),
            ("Sun Nov 15 07:46:02 UTC 2026", Some(1_794_728_762.0)),
            ("Sun Nov 15 04:46:02 -03 2026", Some(1_794_728_762.0)),
            ("2026-11-15 13:16:02 +0530", Some(1_794_728_762.0)),
            ("2026-11-15 08:46:02 CEST", None),
            ("2026-11-15 08:46:02 EST", None),
            ("2026-10-25 02:30:00 CEST", Some(1_792_888_200.0)),
            ("2026-10-25 02:30:00 CET", Some(1_792_891_800.0)),
        ] {
            let mut clock = clock(BERLIN);
            assert_eq!(clock.epoch_s(text), expected, "{text}");
            assert!(
                clock.warnings().is_empty(),
                "the name tells which of two hours"
            );
        }
        assert_eq!(clock("UTC").epoch_s("2026-11-15 08:46:02 CET"), None);
    }

    #[test]
    fn an_hour_that_is_shown_twice_is_the_first_and_is_told() {
        let mut clock = clock(BERLIN);
        // 2026-10-25, 03:00 summer time is 02:00 winter time.
        let first = clock.epoch_s("2026-10-25T02:30:00");
        assert_eq!(first, Some(1_792_888_200.0));
        assert_eq!(
            clock.warnings(),
            [Warning::new(
                "clock-set-back",
                "1 time in an hour that clocks of CET-1CEST,M3.5.0,M10.5.0/3 showed twice, taken as \
                 the first of both (such as 2026-10-25T02:30:00)"
            )]
        );
    }

    #[test]
    fn both_passes_of_an_hour_are_shown_twice() {
        let zone: TimeZone = BERLIN.parse().expect("a zone");
        // 02:30 in summer time.
        let first = 1_792_888_200.0;
        let at = [-3600.0, -1801.0, -1800.0, 0.0, 3600.0, 5399.0, 5400.0];
        let twice = at.map(|after| zone.shows_twice(first + after));
        assert_eq!(twice, [false, false, true, true, true, true, false]);
        assert!(!TimeZone::utc().shows_twice(first));
    }

    #[test]
    fn a_log_that_runs_on_shows_the_hour_twice() {
        let mut clock = Clock::of_running_log(BERLIN.parse().expect("a zone"));
        let mut last = clock.epoch_s("2026-10-25T01:50:00").expect("a time");
        let minutes = |pass: u32| (0..60).step_by(10).map(move |minute| (pass, minute));
        for (pass, minute) in minutes(1).chain(minutes(2)) {
            let at = clock.epoch_s(&format!("2026-10-25T02:{minute:02}:00"));
            assert_eq!(at, Some(last + 600.0), "pass {pass}, minute {minute}");
            last += 600.0;
        }
        assert_eq!(clock.epoch_s("2026-10-25T03:00:00"), Some(last + 600.0));
        // A row that is late is none of the second pass, and neither is another target's day.
        let mut clock = Clock::of_running_log(BERLIN.parse().expect("a zone"));
        let first = clock.epoch_s("2026-10-25T02:20:00").expect("a time");
        assert_eq!(clock.epoch_s("2026-10-25T02:10:00"), Some(first - 600.0));
        clock.epoch_s("2026-10-25T23:50:00").expect("a time");
        assert_eq!(clock.epoch_s("2026-10-25T02:20:00"), Some(first));
    }

    #[test]
    fn an_hour_that_is_never_shown_is_told() {
        let mut clock = clock(BERLIN);
        assert_eq!(clock.epoch_s("2026-03-29T02:30:00"), Some(1_774_747_800.0));
        assert_eq!(clock.epoch_s("2026-03-29T03:30:00"), Some(1_774_747_800.0));
        let codes: Vec<_> = clock.warnings().into_iter().map(|one| one.code).collect();
        assert_eq!(codes, ["clock-set-forward"]);
    }

    #[test]
    fn a_zone_that_nobody_named_is_told_where_it_mattered() {
        let mut clock = Clock::new(TimeZone::default());
        assert_eq!(clock.epoch_s("1794728762"), Some(1_794_728_762.0));
        assert!(clock.zone().is_none() && clock.warnings().is_empty());
        clock.epoch_s("2026-11-15T07:46:02").expect("a time");
        assert!(clock.zone().expect("it mattered").is_assumed());
        let codes: Vec<_> = clock.warnings().into_iter().map(|one| one.code).collect();
        assert_eq!(codes, ["zone-assumed"]);
        assert!(!"local".parse::<TimeZone>().expect("a zone").is_assumed());
    }

    #[test]
    fn what_is_no_zone_is_refused_by_name() {
        for text in [
            "",
            "Nowhere/Town",
            "+25:00",
            "+1:2:3",
            "++1",
            "é",
            "12",
            "UTC+",
        ] {
            let error = text.parse::<TimeZone>().expect_err(text);
            assert_eq!(error, UnknownZone(text.to_owned()));
        }
    }

    #[test]
    fn times_beyond_all_calendars_are_none() {
        let civil = Civil {
            days: i64::MAX / 86_400,
            seconds: 0.0,
        };
        assert_eq!(TimeZone::utc().epoch_s(civil), None);
    }
}
