//! Numbers as people read them: short, and with their unit.

/// Prefixes of bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Units {
    /// KiB of 1024 bytes.
    #[default]
    Iec,
    /// kB of 1000 bytes.
    Si,
}

impl Units {
    /// The factor from one prefix to the next.
    #[must_use]
    pub const fn base(self) -> f64 {
        match self {
            Self::Iec => 1024.0,
            Self::Si => 1000.0,
        }
    }

    /// Bytes with every prefix, the smallest first.
    #[must_use]
    pub const fn names(self) -> [&'static str; 7] {
        match self {
            Self::Iec => ["B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"],
            Self::Si => ["B", "kB", "MB", "GB", "TB", "PB", "EB"],
        }
    }
}

/// `1.5 GiB`, `1.6 GB`, `12 B`.
#[must_use]
pub fn bytes(bytes: f64, units: Units) -> String {
    let (base, names) = (units.base(), units.names());
    let mut value = bytes;
    let mut index = 0;
    // 999.95 and more would be printed as 1000.0.
    while value >= base - 0.05 && index + 1 < names.len() {
        value /= base;
        index += 1;
    }
    format!("{} {}", short(value, 1), names[index])
}

/// `1.5 GiB/s`.
#[must_use]
pub fn rate(bytes_per_s: f64, units: Units) -> String {
    format!("{}/s", bytes(bytes_per_s, units))
}

/// A length of time: `250 ms`, `42.5 s`, `2 min 5 s`, `1 h 2 min`, `14 d 3 h`.
#[must_use]
pub fn duration(seconds: f64) -> String {
    let whole = seconds.round();
    if seconds < 0.001 && seconds > 0.0 {
        format!("{} µs", short(seconds * 1e6, 1))
    } else if seconds < 1.0 && seconds > 0.0 {
        format!("{} ms", short(seconds * 1e3, 1))
    } else if whole < 120.0 {
        format!("{} s", short(seconds, 2))
    } else if whole < 3600.0 {
        both(whole, 60.0, "min", "s")
    } else if whole < 172_800.0 {
        both((seconds / 60.0).round(), 60.0, "h", "min")
    } else {
        both((seconds / 3600.0).round(), 24.0, "d", "h")
    }
}

/// So many of the smaller unit, `factor` of which make one of the larger.
fn both(number: f64, factor: f64, larger: &str, smaller: &str) -> String {
    let (whole, rest) = ((number / factor).floor(), number % factor);
    match rest {
        0.0 => format!("{whole} {larger}"),
        _ => format!("{whole} {larger} {rest} {smaller}"),
    }
}

/// A point in time: `12.25 s`.
#[must_use]
pub fn instant(seconds: f64) -> String {
    format!("{} s", short(seconds, 6))
}

/// `1,234,567`.
#[must_use]
pub fn count(count: u64) -> String {
    let digits = count.to_string();
    let mut text = String::with_capacity(digits.len() * 4 / 3);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// At most so many decimals, and no zeros at the end.
#[must_use]
pub fn short(value: f64, decimals: usize) -> String {
    let text = format!("{value:.decimals$}");
    match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.').to_owned(),
        false => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_have_the_prefix_that_fits() {
        assert_eq!(bytes(0.0, Units::Iec), "0 B");
        assert_eq!(bytes(1023.0, Units::Iec), "1023 B");
        assert_eq!(bytes(1536.0, Units::Iec), "1.5 KiB");
        assert_eq!(bytes(1_048_575.9, Units::Iec), "1 MiB");
        assert_eq!(bytes(999_999.0, Units::Si), "1 MB");
        assert_eq!(bytes(1e30, Units::Si), "1000000000000 EB");
        assert_eq!(rate(1536.0, Units::Iec), "1.5 KiB/s");
    }

    #[test]
    fn times_are_short() {
        for (seconds, expected) in [
            (0.0, "0 s"),
            (0.000_25, "250 µs"),
            (0.25, "250 ms"),
            (42.5, "42.5 s"),
            (125.0, "2 min 5 s"),
            (3_599.9, "1 h"),
            (7_380.0, "2 h 3 min"),
            (1_220_400.0, "14 d 3 h"),
        ] {
            assert_eq!(duration(seconds), expected);
        }
        assert_eq!(instant(1_396_310_700.25), "1396310700.25 s");
    }

    #[test]
    fn large_counts_are_grouped() {
        assert_eq!(count(0), "0");
        assert_eq!(count(999), "999");
        assert_eq!(count(1_234_567), "1,234,567");
    }
}
