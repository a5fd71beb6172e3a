//! What the names of columns, fields and metrics say: which way bytes flow, in which unit, and whether
//! they are counted since some start or anew in each interval.

mod operations;

use super::quantity::Quantity;
use crate::error::{Error, Place};
use crate::table::units::{Dimension, Scale, may_be_bits, period, scale};
use iotempo_model::Op;
use std::iter::Peekable;
use std::slice::Iter;

/// What numbers under a name are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Nature {
    /// All since some start: it only grows.
    Counter,
    /// As a counter, unless values tell otherwise: what a database derives of it may have its name.
    Counted,
    /// Bytes per second, or per another time.
    Rate,
    /// Bytes of an interval.
    Volume,
    /// The name does not say.
    Unstated,
}

/// What a name says.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Words {
    /// The direction; `None` where it names none, or both.
    pub(super) op: Option<Op>,
    pub(super) nature: Nature,
    /// The unit of bytes, or of bytes per second; one, where operations are counted.
    pub(super) scale: Option<Scale>,
    /// How many seconds the time is that a rate is per.
    pub(super) per: f64,
    /// Whether it speaks of something else than what is asked for: of bytes to and from disks, say, where it
    /// is calls, times, the network.
    pub(super) is_other: bool,
    /// A unit in it that may count bits.
    pub(super) unclear: Option<String>,
    /// All other words: of whom it speaks.
    pub(super) rest: Vec<String>,
}

impl Words {
    /// Refuses a unit that may count bits, of the column or series of this name.
    pub(super) fn clear(&self, name: &str) -> Result<(), Error> {
        let Some(unit) = &self.unclear else {
            return Ok(());
        };
        let [bits, bytes] = self.clear_names();
        let what = format!(
            "{unit} may count bits or bytes: state the unit, as in {bits}=… or {bytes}=… (--columns, or \
             --log-columns of signature)"
        );
        Err(Error::invalid("", Place::Whole, what, name))
    }

    /// Names that say whether it is bits or bytes, where its unit may be either.
    pub(super) fn clear_names(&self) -> [String; 2] {
        let way = self.op.map_or("bytes", Op::name);
        let unit = self.unclear.as_deref().unwrap_or("Mb").to_ascii_lowercase();
        let per_second = unit.ends_with("ps");
        let prefix = unit.trim_end_matches("ps").trim_end_matches('b');
        let is_rate = per_second || self.nature == Nature::Rate;
        let ending = match self.nature {
            Nature::Counter => "_total",
            _ if is_rate => match self.per {
                60.0 => "_per_minute",
                3600.0 => "_per_hour",
                _ => "_s",
            },
            _ => "",
        };
        let bytes = if prefix.is_empty() { "bytes" } else { "b" };
        ["bit", bytes].map(|unit| format!("{way}_{prefix}{unit}{ending}"))
    }

    /// What is told, and what these leave open, as `theirs` has it: of two names of the same.
    pub(super) fn or(&self, theirs: Self) -> Self {
        let (nature, per) = match self.nature {
            Nature::Unstated => (theirs.nature, theirs.per),
            nature => (nature, self.per),
        };
        Self {
            op: self.op.or(theirs.op),
            nature,
            per,
            scale: self.scale.or(theirs.scale),
            unclear: self
                .unclear
                .clone()
                .or(theirs.unclear.filter(|_| self.scale.is_none())),
            ..self.clone()
        }
    }

    /// What a number is times, to be bytes, or bytes per second.
    pub(super) fn scale_to_base(&self) -> Option<Scale> {
        Some(self.scale?.per(self.per))
    }
}

/// Names whose words mislead, or leave open what is known.
const KNOWN: [(&str, Op, Nature); 12] = [
    // beegfs-mon: what disks moved in a second; what users and clients moved in an interval.
    ("diskreadbytes", Op::Read, Nature::Rate),
    ("diskwritebytes", Op::Write, Nature::Rate),
    ("b-rd", Op::Read, Nature::Volume),
    ("b-wr", Op::Write, Nature::Volume),
    // An exporter of BeeGFS, with its own spelling.
    ("beegfs__read_bytes", Op::Read, Nature::Counter),
    ("beegfs__writen_bytes", Op::Write, Nature::Counter),
    // node_exporter before its version 0.16, and Telegraf for Prometheus.
    ("node_disk_bytes_read", Op::Read, Nature::Counter),
    ("node_disk_bytes_written", Op::Write, Nature::Counter),
    ("diskio_read_bytes", Op::Read, Nature::Counter),
    ("diskio_write_bytes", Op::Write, Nature::Counter),
    // Telegraf, of processes and of containers.
    ("rbytes", Op::Read, Nature::Unstated),
    ("wbytes", Op::Write, Nature::Unstated),
];

/// Words that name a direction.
const DIRECTIONS: [(&str, Op); 12] = [
    ("read", Op::Read),
    ("reads", Op::Read),
    ("rd", Op::Read),
    ("reading", Op::Read),
    ("write", Op::Write),
    ("writes", Op::Write),
    ("written", Op::Write),
    ("writen", Op::Write),
    ("wr", Op::Write),
    ("wrtn", Op::Write),
    ("writing", Op::Write),
    ("wrote", Op::Write),
];

/// Words of what is no volume, or one of something else.
const OTHER: &[&str] = &[
    "net",
    "network",
    "send",
    "sent",
    "recv",
    "received",
    "receive",
    "transmit",
    "transmitted",
    "tx",
    "rx",
    "eth",
    "time",
    "latency",
    "wait",
    "await",
    "ops",
    "iops",
    "request",
    "requests",
    "reqs",
    "call",
    "calls",
    "samples",
    "min",
    "max",
    "minimum",
    "maximum",
    "merged",
    "completed",
    "errors",
    "queue",
    "queued",
    "discard",
    "discarded",
    "dscd",
    "free",
    "used",
    "available",
    "avail",
    "bucket",
    "quota",
    "limit",
    "capacity",
    "cached",
    "sumsq",
    "histogram",
];

/// Takes a name apart that may speak of this.
pub(super) fn words_of(name: &str, quantity: Quantity) -> Words {
    match quantity {
        Quantity::Bytes => words(name),
        Quantity::Operations => operations::words(name),
    }
}

/// Takes a name apart that may speak of bytes.
pub(super) fn words(name: &str) -> Words {
    let lower = name.to_ascii_lowercase();
    if let Some((_, op, nature)) = KNOWN.iter().find(|(known, ..)| *known == lower) {
        return Words {
            op: Some(*op),
            nature: *nature,
            scale: Some(Scale::ONE),
            per: 1.0,
            is_other: false,
            unclear: None,
            rest: Vec::new(),
        };
    }
    let mut told = Words {
        op: None,
        nature: Nature::Unstated,
        scale: None,
        per: 1.0,
        is_other: false,
        unclear: None,
        rest: Vec::new(),
    };
    let (mut read, mut written) = (false, false);
    let mut unit_before = false;
    let all = split(name);
    let mut words = all.iter().peekable();
    while let Some(word) = words.next() {
        let lower = word.to_ascii_lowercase();
        let unit_here = std::mem::take(&mut unit_before);
        if let Some(seconds) = per(&lower, &mut words) {
            (told.nature, told.per) = (Nature::Rate, seconds);
            continue;
        }
        match lower.as_str() {
            word if DIRECTIONS.iter().any(|(one, _)| *one == word) => {
                let way = |op| DIRECTIONS.contains(&(word, op));
                read |= way(Op::Read);
                written |= way(Op::Write);
            }
            word if unit_here && is_second(word) => told.nature = Nature::Rate,
            word if nature_of(word).is_some() => {
                told.nature = nature_of(word).unwrap_or(told.nature);
            }
            _ if scale(Dimension::Size, word).is_some() => {
                told.scale = scale(Dimension::Size, word);
                unit_before = true;
            }
            // `MBps`.
            _ if scale(Dimension::Rate, word).is_some() => {
                told.scale = scale(Dimension::Rate, word);
                told.nature = Nature::Rate;
            }
            _ if may_be_bits(word) => told.unclear = Some(word.clone()),
            // `rkB/s` and `wkB/s`, as iostat calls them.
            _ if directed_unit(word).is_some() => {
                if let Some((op, unit, nature)) = directed_unit(word) {
                    read |= op == Op::Read;
                    written |= op == Op::Write;
                    told.scale = Some(unit);
                    told.nature = nature.unwrap_or(told.nature);
                    unit_before = true;
                }
            }
            other => {
                told.is_other |= OTHER.contains(&other);
                told.rest.push(word.clone());
            }
        }
    }
    told.op = match (read, written) {
        (true, false) => Some(Op::Read),
        (false, true) => Some(Op::Write),
        _ => None,
    };
    told
}

/// What a word says about how numbers are meant.
fn nature_of(word: &str) -> Option<Nature> {
    Some(match word {
        "total" | "counter" | "cumulative" => Nature::Counter,
        "rate" | "irate" | "bandwidth" | "bw" | "throughput" => Nature::Rate,
        "volume" | "moved" | "delta" | "interval" => Nature::Volume,
        word => {
            // Recording rules of Prometheus: `…:rate5m`.
            let rest = word.strip_prefix("rate").or(word.strip_prefix("irate"))?;
            return starts_with_digit(rest).then_some(Nature::Rate);
        }
    })
}

/// The seconds that a rate is per: of `per minute`, of which the second word is taken, and of `/h`.
fn per(word: &str, behind: &mut Peekable<Iter<'_, String>>) -> Option<f64> {
    if word != "per" {
        return period(word.strip_prefix('/')?);
    }
    let seconds = period(behind.peek()?)?;
    behind.next();
    Some(seconds)
}

fn is_second(word: &str) -> bool {
    ["s", "sec", "second", "seconds"]
        .iter()
        .any(|one| word.eq_ignore_ascii_case(one))
}

fn starts_with_digit(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_digit())
}

/// `rkB` and `wMBps`.
fn directed_unit(word: &str) -> Option<(Op, Scale, Option<Nature>)> {
    let (first, unit) = word.split_at_checked(1)?;
    let op = match first {
        "r" | "R" => Op::Read,
        "w" | "W" => Op::Write,
        _ => return None,
    };
    // Not `rb` and `wb`: too short to be sure.
    if let Some(size) = scale(Dimension::Size, unit).filter(|_| unit.len() > 1) {
        return Some((op, size, None));
    }
    Some((op, scale(Dimension::Rate, unit)?, Some(Nature::Rate)))
}

/// `node_disk_read_bytes_total`, `diskWriteBytes` and `ost0 read [MiB/s]` as words; `/s` is one.
fn split(name: &str) -> Vec<String> {
    let mut words = Vec::new();
    for part in name.split(|c: char| !(c.is_alphanumeric() || c == '/')) {
        let (stem, per) = match part.find('/') {
            Some(at) => part.split_at(at),
            None => (part, ""),
        };
        let is_unit = [Dimension::Size, Dimension::Rate]
            .iter()
            .any(|one| scale(*one, stem).is_some());
        if is_unit || may_be_bits(stem) || directed_unit(stem).is_some() {
            words.push(stem.to_owned());
        } else {
            words.extend(camel(stem));
        }
        words.extend((!per.is_empty()).then(|| per.to_ascii_lowercase()));
    }
    words
}

/// Breaks where a small letter meets a capital one, but not inside `MiB`.
fn camel(word: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut was_small = false;
    for letter in word.chars() {
        if (letter.is_uppercase() && was_small) || words.is_empty() {
            words.push(String::new());
        }
        was_small = letter.is_lowercase();
        if let Some(last) = words.last_mut() {
            last.push(letter);
        }
    }
    let mut joined: Vec<String> = Vec::new();
    for word in words {
        match joined.last_mut() {
            Some(last) if word == "B" && last.len() == 2 && last.ends_with('i') => last.push('B'),
            _ => joined.push(word),
        }
    }
    joined
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_many_tools_tell_direction_unit_and_nature() {
        use Nature::{Counter, Rate, Unstated, Volume};
        for (name, op, nature, bytes) in [
            ("node_disk_read_bytes_total", Op::Read, Counter, 1.0),
            ("node_disk_written_bytes_total", Op::Write, Counter, 1.0),
            ("lustre_job_write_bytes_total", Op::Write, Counter, 1.0),
            ("gpfs_perf_read_bytes_total", Op::Read, Counter, 1.0),
            ("beegfs__writen_bytes", Op::Write, Counter, 1.0),
            ("instance:node_disk_read_bytes:rate5m", Op::Read, Rate, 1.0),
            ("diskWriteBytes", Op::Write, Rate, 1.0),
            ("B-rd", Op::Read, Volume, 1.0),
            ("read_bytes", Op::Read, Unstated, 1.0),
            ("MiB-wr/s", Op::Write, Rate, 1_048_576.0),
            ("ost0_read_mib_s", Op::Read, Rate, 1_048_576.0),
            ("Write (MB/s)", Op::Write, Rate, 1e6),
            ("write_gib_per_s", Op::Write, Rate, 1_073_741_824.0),
            ("rkB/s", Op::Read, Rate, 1000.0),
            ("rMBps", Op::Read, Rate, 1e6),
            ("wkBps", Op::Write, Rate, 1e3),
            ("Write GB/h", Op::Write, Rate, 1e9 / 3600.0),
            ("read_mib_per_min", Op::Read, Rate, 1_048_576.0 / 60.0),
            ("written megabytes per hour", Op::Write, Rate, 1e6 / 3600.0),
            ("read_gigabytes_per_second", Op::Read, Rate, 1e9),
            ("diskReadMiB", Op::Read, Unstated, 1_048_576.0),
        ] {
            let told = words(name);
            assert_eq!((told.op, told.nature), (Some(op), nature), "{name}");
            let unit = told.scale_to_base().expect(name);
            assert_eq!(unit.apply(1.0), bytes, "{name}");
            assert!(!told.is_other, "{name}");
        }
    }

    #[test]
    fn what_is_no_volume_of_a_disk_is_told_apart() {
        for name in [
            "netSendBytes",
            "node_network_receive_bytes_total",
            "node_disk_read_time_seconds_total",
            "ops-wr",
            "node_disk_reads_completed_total",
            "read_bytes_max",
            "diskSpaceFree",
            "queuedRequests",
            "readwrite",
            "",
        ] {
            let told = words(name);
            let is_volume = told.op.is_some() && told.scale.is_some() && !told.is_other;
            assert!(!is_volume, "{name}: {told:?}");
        }
        assert_eq!(words("read_write_bytes").op, None);
    }

    #[test]
    fn units_that_may_count_bits_are_to_be_stated_as_large_as_they_are() {
        for (name, clear) in [
            ("read_gbps", ["read_gbit_s", "read_gb_s"]),
            ("Write (Kb/s)", ["write_kbit_s", "write_kb_s"]),
            ("write bps", ["write_bit_s", "write_bytes_s"]),
            (
                "write Mb per hour",
                ["write_mbit_per_hour", "write_mb_per_hour"],
            ),
            ("read_Tb_total", ["read_tbit_total", "read_tb_total"]),
        ] {
            let told = words(name);
            assert!(told.unclear.is_some(), "{name}");
            assert_eq!(told.clear_names(), clear, "{name}");
            for clear in clear {
                let stated = words(clear);
                assert!(stated.scale.is_some() && stated.rest.is_empty(), "{clear}");
                assert_eq!(stated.op, told.op, "{clear}");
            }
        }
    }

    #[test]
    fn what_is_left_names_the_target() {
        assert_eq!(words("ost0_read").rest, ["ost0"]);
        assert_eq!(
            words("scratch-OST0004 write_bytes").rest,
            ["scratch", "OST0004"]
        );
        assert_eq!(words("read_sda_kib_s").rest, ["sda"]);
    }
}
