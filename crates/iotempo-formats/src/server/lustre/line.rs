//! One line of `stats` or `job_stats`.

use super::super::quantity::Quantity;
use crate::table::field;

/// When counters were looked at, or began: `1510782606.789671326 secs.nsecs`.
///
/// What follows the point is a count of micro- or nanoseconds, not decimals: some versions pad it
/// with zeros, some with spaces, and some not at all.
pub(super) fn instant(text: &str) -> Option<f64> {
    let text = text.trim();
    let (number, unit) = match text.find("secs") {
        Some(at) => (text[..at].trim_end().trim_end_matches('('), &text[at..]),
        None => (text, ""),
    };
    let (seconds, fraction) = number.trim().split_once('.').unwrap_or((number.trim(), ""));
    let digits = |text: &str| {
        let plain = (1..=18).contains(&text.len()) && text.bytes().all(|b| b.is_ascii_digit());
        plain.then(|| text.parse::<u64>().ok()).flatten()
    };
    let whole = digits(seconds)? as f64;
    let fraction = fraction.trim();
    if fraction.is_empty() {
        return Some(whole);
    }
    let parts = match unit {
        unit if unit.starts_with("secs.usecs") => 1e6,
        unit if unit.starts_with("secs.nsecs") => 1e9,
        // Without a unit they are decimals.
        _ => return digits(fraction).and_then(|_| format!("{seconds}.{fraction}").parse().ok()),
    };
    let part = digits(fraction)? as f64 / parts;
    (part < 1.0).then_some(whole + part)
}

/// A counter: how often, in which unit, and the sum of it all where it has one.
#[derive(Debug, PartialEq)]
pub(super) struct Counter<'a> {
    pub(super) name: &'a str,
    pub(super) unit: &'a str,
    pub(super) samples: Option<f64>,
    pub(super) sum: Option<f64>,
}

impl<'a> Counter<'a> {
    /// `write_bytes  4298711 samples [bytes] 4096 4194304 16552048697344 [sum of squares]`.
    pub(super) fn of_stats(line: &'a str) -> Option<Self> {
        let mut words = line.split_ascii_whitespace();
        let name = words.next()?;
        let samples = field::whole(words.next()?.as_bytes())? as f64;
        let of_samples = words.next()? == "samples";
        let unit = words.next()?.strip_prefix('[')?.strip_suffix(']')?;
        let numbers: Option<Vec<f64>> = words.map(|word| field::number(word.as_bytes())).collect();
        let sum = numbers?.get(2).copied();
        of_samples.then_some(Self {
            name,
            unit,
            samples: Some(samples),
            sum,
        })
    }

    /// `read_bytes: { samples: 125, unit: bytes, min: 4096, max: 4096, sum: 512000 }`.
    pub(super) fn of_job(line: &'a str) -> Option<Self> {
        let (name, fields) = line.split_once(':')?;
        let fields = fields.trim().strip_prefix('{')?.strip_suffix('}')?;
        let mut counter = Self {
            name: name.trim(),
            unit: "",
            samples: None,
            sum: None,
        };
        for field in fields.split(',') {
            let (key, value) = field.split_once(':')?;
            match key.trim() {
                "unit" => counter.unit = value.trim(),
                "samples" => counter.samples = Some(field::number(value.as_bytes())?),
                "sum" => counter.sum = Some(field::number(value.as_bytes())?),
                _ => {}
            }
        }
        Some(counter)
    }

    /// What it counts of this: its sum of bytes, or how often it was added to.
    pub(super) fn amount(&self, quantity: Quantity) -> Option<f64> {
        match quantity {
            Quantity::Bytes => self.sum,
            Quantity::Operations => self.samples,
        }
    }

    /// The direction, where it counts bytes that were moved. Before 2.8 or so, `read` and `write` of
    /// jobs did; since 2.15 they are times.
    pub(super) fn op(&self) -> Option<iotempo_model::Op> {
        use iotempo_model::Op;
        if self.unit != "bytes" {
            return None;
        }
        match self.name {
            "read_bytes" | "read" => Some(Op::Read),
            "write_bytes" | "write" => Some(Op::Write),
            _ => None,
        }
    }
}

/// The id of a job as it is written: bare, in quotes, or not at all.
pub(super) fn job_id(text: &str) -> &str {
    let text = text.trim();
    let unquoted = ['"', '\'']
        .into_iter()
        .find_map(|quote| text.strip_prefix(quote)?.strip_suffix(quote));
    match unquoted.unwrap_or(text) {
        "" => "(no job id)",
        id => id,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use iotempo_model::Op;

    #[test]
    fn fractions_of_a_second_are_counts() {
        for (text, expected) in [
            ("1284241188.775657 secs.usecs", Some(1_284_241_188.775_657)),
            ("1284241188.7757 secs.usecs", Some(1_284_241_188.007_757)),
            (
                "1510782606.789671326 secs.nsecs",
                Some(1_510_782_606.789_671_4),
            ),
            (
                "1510782606.  9671326 secs.nsecs",
                Some(1_510_782_606.009_671_2),
            ),
            (
                "1510782606.797216394 (secs.nsecs)",
                Some(1_510_782_606.797_216_4),
            ),
            ("1510782606", Some(1_510_782_606.0)),
            ("1510782606.5", Some(1_510_782_606.5)),
            ("1510782606.05", Some(1_510_782_606.05)),
            ("1284241188.7756570 secs.usecs", None),
            ("-5 secs.usecs", None),
            ("", None),
            ("now", None),
            ("99999999999999999999", None),
        ] {
            assert_eq!(instant(text), expected, "{text}");
        }
    }

    #[test]
    fn sums_are_found_whatever_follows_them() {
        let sum = |line| Counter::of_stats(line).and_then(|counter| counter.sum);
        assert_eq!(
            sum("read_bytes 2 samples [bytes] 0 1048576 4096"),
            Some(4096.0)
        );
        assert_eq!(
            sum("read_bytes 2 samples [bytes] 0 1048576 4096 99999"),
            Some(4096.0)
        );
        assert_eq!(sum("read_bytes 2 samples [bytes] 0 10"), None);
        assert_eq!(sum("punch 57 samples [reqs]"), None);
        assert_eq!(
            Counter::of_stats("read_bytes x samples [bytes] 0 1 2"),
            None
        );
        let job = Counter::of_job("  write: { samples: 1, unit: bytes, min: 1, max: 1, sum: 7 }");
        let job = job.expect("a counter");
        assert_eq!((job.op(), job.sum), (Some(Op::Write), Some(7.0)));
        assert_eq!(job.amount(Quantity::Operations), Some(1.0));
        let times = Counter::of_job("write: { samples: 1, unit: usecs, min: 1, max: 1, sum: 7 }");
        assert_eq!(times.expect("a counter").op(), None);
        assert_eq!(
            Counter::of_job("write: { samples: 1, unit: bytes, sum: 7"),
            None
        );
    }

    #[test]
    fn ids_of_jobs_are_kept() {
        assert_eq!(job_id("          24"), "24");
        assert_eq!(job_id(" \"dd with spaces.0\""), "dd with spaces.0");
        assert_eq!(job_id(""), "(no job id)");
    }
}
