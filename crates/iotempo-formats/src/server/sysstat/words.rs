//! Columns, numbers and times as sysstat's tools print them, in any locale.

use crate::server::gate::Gate;
use crate::server::quantity::Quantity;
use crate::server::reports::{Figure, Flow};
use crate::zone::{Civil, Clock, DateOrder, Naming, Written};
use iotempo_model::Op;

/// What a column holds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Column {
    pub(super) op: Op,
    /// Bytes, or operations, in one of its unit.
    unit: f64,
    is_rate: bool,
}

const SECTOR: f64 = 512.0;
const KIB: f64 = 1024.0;
const MIB: f64 = 1024.0 * 1024.0;

impl Column {
    /// What the column of this name holds; `None` for all that is not about what is asked for. Discards move
    /// nothing.
    pub(super) fn named(name: &str, quantity: Quantity) -> Option<Self> {
        match quantity {
            Quantity::Bytes => Self::of_bytes(name),
            Quantity::Operations => Self::of_operations(name),
        }
    }

    fn of_operations(name: &str) -> Option<Self> {
        let op = match name {
            "r/s" | "rtps" => Op::Read,
            "w/s" | "wtps" => Op::Write,
            _ => return None,
        };
        let (unit, is_rate) = (1.0, true);
        Some(Self { op, unit, is_rate })
    }

    fn of_bytes(name: &str) -> Option<Self> {
        let (op, unit, is_rate) = match name {
            "kB_read/s" | "rkB/s" => (Op::Read, KIB, true),
            "kB_wrtn/s" | "wkB/s" => (Op::Write, KIB, true),
            "MB_read/s" | "rMB/s" => (Op::Read, MIB, true),
            "MB_wrtn/s" | "wMB/s" => (Op::Write, MIB, true),
            "Blk_read/s" | "rsec/s" | "rd_sec/s" | "bread/s" => (Op::Read, SECTOR, true),
            "Blk_wrtn/s" | "wsec/s" | "wr_sec/s" | "bwrtn/s" => (Op::Write, SECTOR, true),
            "kB_read" => (Op::Read, KIB, false),
            "kB_wrtn" => (Op::Write, KIB, false),
            "MB_read" => (Op::Read, MIB, false),
            "MB_wrtn" => (Op::Write, MIB, false),
            "Blk_read" => (Op::Read, SECTOR, false),
            "Blk_wrtn" => (Op::Write, SECTOR, false),
            _ => return None,
        };
        Some(Self { op, unit, is_rate })
    }

    /// As [`named`](Self::named), for `sadf -j` and `-x`, which leave the `/s` of rates away.
    pub(super) fn named_by_sadf(name: &str, quantity: Quantity) -> Option<Self> {
        match name {
            "rkB" | "wkB" | "rd_sec" | "wr_sec" | "bread" | "bwrtn" => {
                Self::named(&format!("{name}/s"), quantity)
            }
            "rtps" | "wtps" => Self::named(name, quantity),
            _ => None,
        }
    }

    /// Puts a number of this column where it belongs; `false` where it contradicts what another
    /// column says about the same.
    pub(super) fn put(self, number: Number, flows: &mut [Flow; 2]) -> bool {
        let unit = number.unit.unwrap_or(self.unit);
        let figure = Figure {
            value: number.value * unit,
            // Rates are rounded; volumes are cut.
            grain: number.grain * unit * if self.is_rate { 0.5 } else { 1.0 },
        };
        let flow = &mut flows[self.op as usize];
        let place = if self.is_rate {
            &mut flow.rate
        } else {
            &mut flow.volume
        };
        match place {
            None => {
                *place = Some(figure);
                true
            }
            Some(before) => {
                let off = 2.0 * (figure.grain + before.grain) + 1e-6 * before.value.abs();
                // What is no number is told elsewhere.
                let apart = (figure.value - before.value).abs();
                apart.is_nan() || off.is_nan() || apart <= off
            }
        }
    }
}

/// Whether a column counts requests.
pub(super) fn is_count(name: &str) -> bool {
    matches!(
        name,
        "tps" | "r/s" | "w/s" | "d/s" | "f/s" | "rrqm/s" | "wrqm/s" | "drqm/s"
    )
}

/// A number as it is printed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Number {
    pub(super) value: f64,
    /// One of its last digit.
    grain: f64,
    /// Bytes, where the number itself says its unit, as with `-h`.
    unit: Option<f64>,
}

impl Number {
    /// A number of JSON or XML: two digits behind the point, or none.
    pub(super) fn plain(value: f64, is_whole: bool) -> Self {
        let grain = if is_whole { 1.0 } else { 0.01 };
        Self {
            value,
            grain,
            unit: None,
        }
    }

    /// Reads `12.50`, `12,50` and, as `--human` prints them, `12.5k` and `1.2%`.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let (digits, unit) = match text.char_indices().last()? {
            (_, '0'..='9') => (text, None),
            (at, 's') => (&text[..at], Some(SECTOR)),
            (at, 'B') => (&text[..at], Some(1.0)),
            (at, 'k') => (&text[..at], Some(KIB)),
            (at, 'M') => (&text[..at], Some(MIB)),
            (at, 'G') => (&text[..at], Some(MIB * KIB)),
            (at, 'T') => (&text[..at], Some(MIB * MIB)),
            (at, 'P') => (&text[..at], Some(MIB * MIB * KIB)),
            (at, '%') => (&text[..at], None),
            // `nan` and `inf` are numbers, too: the gate tells of them.
            _ => (text, None),
        };
        let point = digits.find(['.', ',']);
        let value = match digits.contains(',') {
            true => digits.replacen(',', ".", 1).parse().ok()?,
            false => digits.parse().ok()?,
        };
        let places = point.map_or(0, |at| digits.len() - at - 1);
        let grain = 0.1_f64.powi(i32::try_from(places.min(9)).unwrap_or(9));
        Some(Self { value, grain, unit })
    }
}

/// Whether a word is a time of day, such as `07:25:10` or `07時25分10秒`.
pub(super) fn is_time_of_day(word: &str) -> bool {
    let first = word.as_bytes().first().is_some_and(u8::is_ascii_digit);
    first && word.len() <= 24 && of_day(word, None).is_some()
}

/// Seconds since midnight.
pub(super) fn of_day(word: &str, half: Option<&str>) -> Option<f64> {
    let text = match half {
        Some(half) => format!("2000-01-01 {} {half}", plain(word)),
        None => format!("2000-01-01 {}", plain(word)),
    };
    match Written::parse(&text, DateOrder::MonthFirst)? {
        Written::Civil(civil) => Some(civil.seconds),
        Written::Epoch(_) => None,
    }
}

/// A time in plain digits: some locales name their units.
fn plain(text: &str) -> String {
    let mut plain = text.trim().to_owned();
    for (word, sign) in [
        ("年", "-"),
        ("月", "-"),
        ("日", ""),
        ("時", ":"),
        ("时", ":"),
        ("分", ":"),
        ("秒", ""),
        (" h ", ":"),
        (" min ", ":"),
    ] {
        if plain.contains(word) {
            plain = plain.replace(word, sign);
        }
    }
    match plain.strip_suffix(" s") {
        Some(short) => short.to_owned(),
        None => plain,
    }
}

/// Reads times whose dates may have days before months.
#[derive(Debug)]
pub(super) struct Dates {
    pub(super) clock: Clock,
    order: Option<DateOrder>,
    /// A date that both orders fit, before any that only one does, and how it was read.
    doubtful: Option<(String, DateOrder)>,
    /// A date that only the other order fits.
    otherwise: Option<String>,
}

impl Dates {
    pub(super) fn new(clock: Clock) -> Self {
        Self {
            clock,
            order: None,
            doubtful: None,
            otherwise: None,
        }
    }

    /// Seconds since 1970-01-01 UTC.
    pub(super) fn epoch_s(&mut self, text: &str) -> Option<f64> {
        let text = plain(text);
        let order = self.order_of(&text);
        // sysstat asks the C library for the name that a zone has in winter, and writes it all year.
        self.clock.written_epoch_s(&text, order, Naming::Zone)
    }

    pub(super) fn civil_epoch_s(&mut self, civil: Civil, text: &str) -> Option<f64> {
        self.clock.civil_epoch_s(civil, text)
    }

    /// The day of a date without a time.
    pub(super) fn day(&mut self, text: &str) -> Option<i64> {
        let text = plain(text);
        match Written::parse(&text, self.order_of(&text))? {
            Written::Civil(civil) => Some(civil.days),
            Written::Epoch(_) => None,
        }
    }

    /// Which number is the month. The C locale writes years with two digits; locales that write
    /// four and no `AM` put days first.
    fn order_of(&mut self, text: &str) -> DateOrder {
        let mut parts = text.split('/');
        let (Some(first), Some(second), Some(rest)) = (parts.next(), parts.next(), parts.next())
        else {
            return DateOrder::MonthFirst;
        };
        let number = |text: &str| text.parse::<u32>().unwrap_or(0);
        let (first, second) = (number(first), number(second));
        if first > 31 {
            return DateOrder::MonthFirst;
        }
        if first > 12 || second > 12 {
            let order = match first > 12 {
                true => DateOrder::DayFirst,
                false => DateOrder::MonthFirst,
            };
            if self.doubtful.as_ref().is_some_and(|(_, was)| *was != order) {
                self.otherwise.get_or_insert_with(|| text.to_owned());
            }
            self.order = Some(order);
            return order;
        }
        if let Some(order) = self.order {
            return order;
        }
        let year = rest.bytes().take_while(u8::is_ascii_digit).count();
        let upper = rest.to_ascii_uppercase();
        let halves = upper.ends_with("AM") || upper.ends_with("PM");
        let order = match year == 4 && !halves && rest.contains(':') {
            true => DateOrder::DayFirst,
            false => DateOrder::MonthFirst,
        };
        // Four digits and halves of days together are American.
        if first != second && !(year == 4 && halves) {
            self.doubtful
                .get_or_insert_with(|| (text.to_owned(), order));
        }
        order
    }

    /// A code and what to say of dates that may have been read wrongly, or were.
    fn doubt(&self) -> Option<(&'static str, String)> {
        let (date, order) = self.doubtful.as_ref()?;
        let taken = match order {
            DateOrder::MonthFirst => "the month",
            DateOrder::DayFirst => "the day",
        };
        let remedy = "dates like 2026-10-12 (S_TIME_FORMAT=ISO) leave no doubt";
        if let Some(later) = &self.otherwise {
            let message = format!(
                "{date} was read with {taken} first, and {later} shows that it comes second: times before that \
                 are wrong; {remedy}"
            );
            return Some(("date-order", message));
        }
        let message = format!(
            "{date}: whether the month or the day comes first is not to be seen; {taken} was taken; {remedy}"
        );
        self.order.is_none().then_some(("date-doubtful", message))
    }

    pub(super) fn tell(&self, gate: &mut Gate<'_>) {
        if let Some((code, message)) = self.doubt() {
            gate.warn(code, message);
        }
    }
}

/// The machine and the date in `Linux 6.1 (host) \t11/15/26 \t_x86_64_\t(2 CPU)`.
pub(super) fn banner(line: &str) -> Option<(&str, &str)> {
    let rest = line.strip_prefix("Linux ")?;
    let (_, rest) = rest.split_once('(')?;
    let (host, rest) = rest.split_once(')')?;
    let rest = rest.trim_start();
    let end = rest.find('\t').or_else(|| rest.find(' '));
    let date = rest[..end.unwrap_or(rest.len())].trim();
    let is_date = date.len() <= 32 && date.bytes().any(|b| b.is_ascii_digit());
    is_date.then_some((host, date))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::zone::TimeZone;

    #[test]
    fn numbers_carry_their_precision_and_unit() {
        for (text, value, grain, unit) in [
            ("12.50", 12.5, 0.01, None),
            ("12,50", 12.5, 0.01, None),
            ("4.4M", 4.4, 0.1, Some(MIB)),
            ("964,0k", 964.0, 0.1, Some(KIB)),
            ("1.6%", 1.6, 0.1, None),
            ("7", 7.0, 1.0, None),
        ] {
            let number = Number::parse(text).expect(text);
            assert_eq!((number.value, number.unit), (value, unit), "{text}");
            assert!((number.grain - grain).abs() < 1e-12, "{text}");
        }
        for text in ["", "x", "1.2.3", "1,2,3", "k", "é"] {
            assert_eq!(Number::parse(text), None, "{text}");
        }
    }

    #[test]
    fn times_of_every_locale_are_the_same() {
        for text in [
            "11/15/26 07:23:31",
            "11/15/2026 07:23:31 AM",
            "15/11/2026 07:23:31",
            "15/11/26 07:23:31",
            "15.11.2026 07:23:31",
            "2026-11-15 07:23:31",
            "2026-11-15T07:23:31+0000",
            "2026年11月15日 07時23分31秒",
            "2026年11月15日 07时23分31秒",
            "2026-11-15 07 h 23 min 31 s",
        ] {
            let mut dates = Dates::new(Clock::new(TimeZone::utc()));
            assert_eq!(dates.epoch_s(text), Some(1_794_727_411.0), "{text}");
            assert_eq!(dates.doubt(), None);
        }
    }

    #[test]
    fn a_date_that_two_orders_fit_is_doubtful() {
        let mut dates = Dates::new(Clock::new(TimeZone::utc()));
        let month_first = dates.epoch_s("03/04/26 00:00:00");
        assert_eq!(month_first, dates.epoch_s("2026-03-04T00:00:00Z"));
        let (code, message) = dates.doubt().expect("a doubt");
        assert_eq!(code, "date-doubtful");
        assert!(message.starts_with("03/04/26 00:00:00: "), "{message}");
        assert!(message.contains("the month was taken"), "{message}");
        let mut dates = Dates::new(Clock::new(TimeZone::utc()));
        let day_first = dates.epoch_s("03/04/2026 00:00:00");
        assert_eq!(day_first, dates.epoch_s("2026-04-03T00:00:00Z"));
    }

    #[test]
    fn a_later_date_settles_which_order_it_is() {
        let read = |texts: [&str; 2]| {
            let mut dates = Dates::new(Clock::new(TimeZone::utc()));
            for text in texts {
                dates.epoch_s(text).expect("a time");
            }
            dates.doubt().map(|(code, _)| code)
        };
        let wrong = read(["12/10/26 23:59:59", "13/10/26 00:00:01"]);
        assert_eq!(wrong, Some("date-order"));
        assert_eq!(read(["10/12/26 23:59:59", "10/13/26 00:00:01"]), None);
    }

    #[test]
    fn a_banner_names_the_machine_and_the_day() {
        let line = "Linux 6.18.44-fc-v445 (vm) \t11/15/26 \t_x86_64_\t(2 CPU)";
        assert_eq!(banner(line), Some(("vm", "11/15/26")));
        assert_eq!(
            banner("Linux 5.3 (node 1) 2026-11-15"),
            Some(("node 1", "2026-11-15"))
        );
        assert_eq!(banner("Linux is nice (very)"), None);
    }
}
