//! Numbers and lengths of time as schedulers write them.

use iotempo_model::ExitCode;

/// Whether a text says that nothing is known.
pub(super) fn is_nothing(text: &str) -> bool {
    matches!(
        text,
        "" | "(null)"
            | "N/A"
            | "n/a"
            | "None"
            | "none"
            | "NULL"
            | "Unknown"
            | "UNKNOWN"
            | "-1"
            | "nan"
            | "NaN"
            | "None assigned"
            | "None Assigned"
            | "0000-00-00 00:00:00"
            | "NA"
            | "<NA>"
            | "NaT"
            | "null"
            | "\\N"
            | "-"
    )
}

/// Whether a number is what Slurm writes for "none" and "never" where one is due.
pub(super) fn is_no_value(text: &str) -> bool {
    matches!(text, "4294967294" | "4294967295")
}

/// `35079.0` without what means nothing.
pub(super) fn without_zero_decimals(text: &str) -> &str {
    match text.split_once('.') {
        Some((whole, zeros))
            if !whole.is_empty()
                && whole.bytes().all(|b| b.is_ascii_digit())
                && zeros.bytes().all(|b| b == b'0') =>
        {
            whole
        }
        _ => text,
    }
}

/// A whole number, which may be written with decimals (`512.0000`), with a letter for thousands
/// (`2K`), or as the range of what a job would take (`2-4`): then it is the least.
pub(super) fn count(text: &str) -> Result<Option<u64>, ()> {
    if let Ok(number) = text.parse() {
        return Ok(Some(number));
    }
    let (digits, factor) = match text.as_bytes().last() {
        Some(b'K' | b'k') => (&text[..text.len() - 1], 1000.0),
        Some(b'M' | b'm') => (&text[..text.len() - 1], 1e6),
        _ => (text, 1.0),
    };
    if let Some((least, most)) = digits.split_once('-')
        && !least.is_empty()
    {
        count(most)?;
        return count(least);
    }
    let number: f64 = number(digits).ok_or(())? * factor;
    match number {
        ..0.0 => Ok(None),
        0.0..1e15 if number.fract() == 0.0 => Ok(Some(number as u64)),
        _ => Err(()),
    }
}

/// Beyond all counts and times: sums of smaller numbers stay numbers.
const LARGEST: f64 = 1e18;

/// A plain decimal number: nothing that Rust would call one beyond that, such as `inf`.
pub(super) fn number(text: &str) -> Option<f64> {
    let plain = text
        .bytes()
        .all(|b| b.is_ascii_digit() || matches!(b, b'.' | b'-' | b'+' | b'e' | b'E'));
    let number: f64 = plain.then(|| text.parse().ok()).flatten()?;
    (number.abs() < LARGEST).then_some(number)
}

/// Seconds of `[D-]HH:MM:SS`, `D days HH:MM:SS`, `MM:SS`, or a number of `unit_s`. `None` where there is no limit, or
/// none is known.
pub(super) fn duration_s(text: &str, unit_s: f64) -> Result<Option<f64>, ()> {
    if [
        "UNLIMITED",
        "INFINITE",
        "Partition_Limit",
        "NOT_SET",
        "INVALID",
    ]
    .iter()
    .any(|word| word.eq_ignore_ascii_case(text))
    {
        return Ok(None);
    }
    if !text.contains(':') {
        let number = number(text).ok_or(())? * unit_s;
        return Ok((number >= 0.0).then_some(number));
    }
    // Python writes `1 day, 1:00:00`, and pandas `0 days 01:00:00.500000` and `-1 days +23:59:50`.
    let (days, clock) = match (text.split_once(" day"), text.split_once('-')) {
        (Some((days, rest)), _) => {
            let clock = rest.trim_start_matches(['s', ',', ' ', '+']);
            match days.parse::<i32>().map_err(drop)? {
                ..0 => return Ok(None),
                days => (days.unsigned_abs(), clock),
            }
        }
        (None, Some((days, clock))) => (days.parse::<u32>().map_err(drop)?, clock),
        (None, None) => (0, text),
    };
    let mut parts = clock.rsplit(':');
    let mut seconds = part(parts.next(), true)?;
    for unit in [60.0, 3600.0] {
        match parts.next() {
            Some(text) => seconds += unit * part(Some(text), false)?,
            None => break,
        }
    }
    match parts.next() {
        Some(_) => Err(()),
        None => Ok(Some(f64::from(days) * 86_400.0 + seconds)),
    }
}

/// One of the numbers between colons.
fn part(text: Option<&str>, decimals: bool) -> Result<f64, ()> {
    let text = text
        .filter(|text| !text.is_empty() && text.len() < 16)
        .ok_or(())?;
    let plain = text
        .bytes()
        .all(|b| b.is_ascii_digit() || (decimals && b == b'.'));
    plain.then(|| text.parse().ok()).flatten().ok_or(())
}

/// `3:0` is a status and a signal; `271` a status alone; `none` where a job had none.
pub(super) fn exit_code(text: &str, signal: Option<&str>) -> Result<Option<ExitCode>, ()> {
    let (status, signal) = match text.split_once(':') {
        Some((status, signal)) => (status, Some(signal)),
        None => (without_zero_decimals(text), signal),
    };
    let status = status.parse().map_err(drop)?;
    let signal: Option<u32> = match signal {
        Some(signal) => Some(signal.parse().map_err(drop)?),
        None => None,
    };
    let signal = signal.filter(|signal| *signal != 0);
    Ok(Some(ExitCode { status, signal }))
}

/// What `wait` tells of a process: a signal in its lowest seven bits, a status in the byte above.
pub(super) fn wait_status(text: &str) -> Result<Option<ExitCode>, ()> {
    let told: u32 = without_zero_decimals(text).parse().map_err(drop)?;
    let signal = Some(told & 0x7f).filter(|signal| *signal != 0);
    let [_, status, ..] = told.to_le_bytes();
    Ok(Some(ExitCode {
        status: i64::from(status),
        signal,
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_whole() {
        for (text, expected) in [
            ("1", Ok(Some(1))),
            ("512.0000", Ok(Some(512))),
            ("2K", Ok(Some(2000))),
            ("2-4", Ok(Some(2))),
            ("-3", Ok(None)),
            ("1.5", Err(())),
            ("inf", Err(())),
            ("1e30", Err(())),
            ("many", Err(())),
            ("2-", Err(())),
            ("é", Err(())),
        ] {
            assert_eq!(count(text), expected, "{text}");
        }
    }

    #[test]
    fn lengths_of_time_are_seconds() {
        for (text, expected) in [
            ("00:01:13", Ok(Some(73.0))),
            ("2-00:00:01", Ok(Some(172_801.0))),
            ("01:13.250", Ok(Some(73.25))),
            ("100:00:00", Ok(Some(360_000.0))),
            ("2305.54", Ok(Some(2305.54))),
            ("0 days 01:00:00", Ok(Some(3600.0))),
            ("1 days 00:00:01.500000", Ok(Some(86_401.5))),
            ("1 day, 1:00:00", Ok(Some(90_000.0))),
            ("-1 days +23:59:50", Ok(None)),
            ("1 dayz 1:00:00", Err(())),
            ("-1", Ok(None)),
            ("UNLIMITED", Ok(None)),
            ("Partition_Limit", Ok(None)),
            ("1:2:3:4", Err(())),
            (":", Err(())),
            ("a-00:00:01", Err(())),
            ("long", Err(())),
            ("00:0a:00", Err(())),
        ] {
            assert_eq!(duration_s(text, 1.0), expected, "{text}");
        }
        assert_eq!(duration_s("1", 60.0), Ok(Some(60.0)));
    }

    #[test]
    fn exit_codes_have_a_status_and_perhaps_a_signal() {
        let code = |status, signal| Ok(Some(ExitCode { status, signal }));
        assert_eq!(exit_code("3:0", None), code(3, None));
        assert_eq!(exit_code("0:15", None), code(0, Some(15)));
        assert_eq!(exit_code("-29", None), code(-29, None));
        assert_eq!(exit_code("139.0000", None), code(139, None));
        assert_eq!(exit_code("0", Some("9")), code(0, Some(9)));
        for text in ["x", "1:x", "1:-2", ":", "1.5"] {
            assert_eq!(exit_code(text, None), Err(()), "{text}");
        }
    }
}
