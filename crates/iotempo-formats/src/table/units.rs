//! Units that headings name: `start_us`, `size_kib`, `Bandwidth (MiB/s)`.

/// How a number becomes seconds, bytes or bytes per second.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Scale {
    times: f64,
    /// Kept apart from `times`: dividing by 10⁶ rounds once, multiplying by 10⁻⁶ rounds twice.
    over: f64,
}

impl Scale {
    /// Already in the base unit.
    pub(crate) const ONE: Self = Self {
        times: 1.0,
        over: 1.0,
    };

    const fn times(times: f64) -> Self {
        Self { times, over: 1.0 }
    }

    const fn over(over: f64) -> Self {
        Self { times: 1.0, over }
    }

    /// Of a rate whose unit is per so many seconds.
    pub(crate) fn per(self, seconds: f64) -> Self {
        Self {
            over: self.over * seconds,
            ..self
        }
    }

    pub(crate) fn apply(self, value: f64) -> f64 {
        // Most tables are in base units, and divisions are slow.
        if self == Self::ONE {
            return value;
        }
        value * self.times / self.over
    }
}

/// What a column measures.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Dimension {
    Time,
    Size,
    Rate,
    /// Words and whole numbers: no unit.
    None,
}

/// The scale that `word` names; `None` where it is no unit of that dimension, or not a clear one.
pub(crate) fn scale(dimension: Dimension, word: &str) -> Option<Scale> {
    match dimension {
        Dimension::Time => time(word),
        Dimension::Size => size(word),
        Dimension::Rate => rate(word),
        Dimension::None => None,
    }
}

fn time(word: &str) -> Option<Scale> {
    Some(match word.to_lowercase().as_str() {
        "s" | "sec" | "secs" | "second" | "seconds" => Scale::ONE,
        "ms" | "msec" | "msecs" | "millis" | "milliseconds" => Scale::over(1e3),
        "us" | "usec" | "usecs" | "µs" | "μs" | "micros" | "microseconds" => Scale::over(1e6),
        "ns" | "nsec" | "nsecs" | "nanos" | "nanoseconds" => Scale::over(1e9),
        _ => return None,
    })
}

/// `Mb` may be megabits and is refused; `mb` in a heading without capitals is megabytes. Words that
/// speak of bits are eighths.
fn size(word: &str) -> Option<Scale> {
    if matches!(word, "Kb" | "Mb" | "Gb" | "Tb" | "Pb") {
        return None;
    }
    Some(Scale::times(match word.to_lowercase().as_str() {
        "b" | "byte" | "bytes" => 1.0,
        "kb" | "kbyte" | "kbytes" | "kilobyte" | "kilobytes" => 1e3,
        "mb" | "mbyte" | "mbytes" | "megabyte" | "megabytes" => 1e6,
        "gb" | "gbyte" | "gbytes" | "gigabyte" | "gigabytes" => 1e9,
        "tb" | "tbyte" | "tbytes" | "terabyte" | "terabytes" => 1e12,
        "pb" | "pbyte" | "pbytes" | "petabyte" | "petabytes" => 1e15,
        "bit" | "bits" => 1.0 / 8.0,
        "kbit" | "kbits" | "kilobit" | "kilobits" => 1e3 / 8.0,
        "mbit" | "mbits" | "megabit" | "megabits" => 1e6 / 8.0,
        "gbit" | "gbits" | "gigabit" | "gigabits" => 1e9 / 8.0,
        "tbit" | "tbits" | "terabit" | "terabits" => 1e12 / 8.0,
        "kib" | "kibibyte" | "kibibytes" => 1024.0,
        "mib" | "mebibyte" | "mebibytes" => 1024.0 * 1024.0,
        "gib" | "gibibyte" | "gibibytes" => 1024.0 * 1024.0 * 1024.0,
        "tib" | "tebibyte" | "tebibytes" => 1024.0 * 1024.0 * 1024.0 * 1024.0,
        "pib" | "pebibyte" | "pebibytes" => 1024.0 * 1024.0 * 1024.0 * 1024.0 * 1024.0,
        _ => return None,
    }))
}

/// The seconds of `s`, `min` and `hour`, which a rate may be per.
pub(crate) fn period(word: &str) -> Option<f64> {
    Some(match word.to_ascii_lowercase().as_str() {
        "s" | "sec" | "second" | "seconds" => 1.0,
        "min" | "minute" | "minutes" => 60.0,
        "h" | "hr" | "hour" | "hours" => 3600.0,
        _ => return None,
    })
}

/// A size per second, spelt `MiB/s`, `mib_s`, `mib_per_s`, `MiBps` or `MBps`, or per minute or hour; `mbps` may
/// count bits.
fn rate(word: &str) -> Option<Scale> {
    let lower = word.to_ascii_lowercase();
    for between in ["/", "_per_"] {
        if let Some((stem, time)) = lower.rsplit_once(between)
            && let Some(seconds) = period(time)
            && let Some(scale) = size(&word[..stem.len()])
        {
            return Some(scale.per(seconds));
        }
    }
    // Not `_min`, which is the least of some.
    if let Some(stem) = lower.strip_suffix("_s")
        && let Some(scale) = size(&word[..stem.len()])
    {
        return Some(scale);
    }
    let stem = word.get(..word.len().checked_sub(2)?)?;
    let clear = lower.ends_with("ibps") || (lower.ends_with("bps") && stem.ends_with('B'));
    size(stem).filter(|_| clear)
}

/// Whether a word may be a unit of bits as well as one of bytes.
pub(crate) fn may_be_bits(word: &str) -> bool {
    matches!(word, "Kb" | "Mb" | "Gb" | "Tb" | "Pb")
        || (matches!(
            word.to_ascii_lowercase().as_str(),
            "bps" | "kbps" | "mbps" | "gbps" | "tbps" | "pbps"
        ) && rate(word).is_none())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_are_eighths() {
        for (word, eighths) in [("bits_per_s", 1.0), ("Mbit/s", 1e6), ("Tbits/s", 1e12)] {
            let unit = scale(Dimension::Rate, word).expect("a unit");
            assert_eq!(unit.apply(8.0), eighths, "{word}");
        }
    }

    #[test]
    fn microseconds_are_divided_not_multiplied() {
        let us = scale(Dimension::Time, "us").expect("a unit");
        // 3 · 1e-6 is not the number nearest to 0.000003.
        assert_eq!(us.apply(3.0), 0.000_003);
    }

    #[test]
    fn decimal_and_binary_prefixes_differ() {
        let bytes = |word| scale(Dimension::Size, word).map(|s| s.apply(1.0));
        assert_eq!(bytes("MB"), Some(1e6));
        assert_eq!(bytes("MiB"), Some(1_048_576.0));
        assert_eq!(bytes("Mb"), None, "may be megabits");
        assert_eq!(bytes("blocks"), None);
        for (word, clear) in [
            ("megabytes", 1e6),
            ("PB", 1e15),
            ("pebibyte", 1024_f64.powi(5)),
        ] {
            assert_eq!(bytes(word), Some(clear), "{word}");
        }
    }

    #[test]
    fn rates_are_sizes_per_second() {
        let rate = |word| scale(Dimension::Rate, word).map(|s| s.apply(1.0));
        for word in ["MB/s", "mb_s", "mb_per_s", "MB_per_second"] {
            assert_eq!(rate(word), Some(1e6), "{word}");
        }
        assert_eq!(rate("MB/min"), Some(1e6 / 60.0));
        assert_eq!(rate("MB_per_hour"), Some(1e6 / 3600.0));
        assert_eq!(rate("mb_min"), None, "the least volume");
        assert_eq!(rate("KiBps"), Some(1024.0));
        assert_eq!(rate("MBps"), Some(1e6));
        assert_eq!(rate("Mbytes/sec"), Some(1e6));
        assert_eq!(rate("Gbit/s"), Some(125e6));
        assert_eq!(rate("mbps"), None, "may be megabits");
        assert_eq!(rate("Mb/s"), None, "may be megabits");
        assert_eq!(rate("bytes"), None, "a volume is no rate");
        for word in ["", "s", "ps", "Bps", "é"] {
            assert!(rate(word).is_none_or(|one| one == 1.0), "{word}");
        }
        for (word, may) in [("mbps", true), ("Mb", true), ("MBps", false), ("MB", false)] {
            assert_eq!(may_be_bits(word), may, "{word}");
        }
    }
}
