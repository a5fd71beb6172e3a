//! The line protocol: `measurement,tag=value field=1,other=2i 1700000000000000000`.

use super::super::metrics::{Identity, Stop, Taker};
use super::super::options::Options;
use super::{Notes, epoch_s};
use crate::error::{Error, Place};
use crate::table::lines::Lines;
use std::collections::HashMap;
use std::io::BufRead;

/// A point, taken apart as far as its bytes go.
struct Point<'a> {
    /// The measurement and its tags, still escaped.
    key: &'a [u8],
    fields: &'a [u8],
    time: Option<&'a [u8]>,
}

/// The value of a field.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Value {
    Number(f64),
    /// A text or a truth value.
    Other,
}

/// Splits at the first spaces that are neither escaped nor in quotes.
fn point(line: &[u8]) -> Option<Point<'_>> {
    let (key, rest) = split(line, b' ', false)?;
    let rest = rest.trim_ascii_start();
    let (fields, time) = match split(rest, b' ', true) {
        Some((fields, time)) => (fields, Some(time.trim_ascii())),
        None => (rest, None),
    };
    let time = time.filter(|time| !time.is_empty());
    (!key.is_empty() && !key.starts_with(b",") && !fields.is_empty()).then_some(Point {
        key,
        fields,
        time,
    })
}

/// What stands before and behind the first `byte` that is not escaped; where there may be quotes,
/// not one inside them.
fn split(text: &[u8], byte: u8, quotes: bool) -> Option<(&[u8], &[u8])> {
    let (mut escaped, mut quoted) = (false, false);
    for (at, &one) in text.iter().enumerate() {
        if std::mem::take(&mut escaped) {
            continue;
        }
        match one {
            b'\\' => escaped = true,
            b'"' if quotes => quoted = !quoted,
            _ if one == byte && !quoted => return Some((&text[..at], &text[at + 1..])),
            _ => {}
        }
    }
    None
}

fn parts(text: &[u8], byte: u8, quotes: bool) -> impl Iterator<Item = &[u8]> {
    let mut rest = Some(text);
    std::iter::from_fn(move || {
        let text = rest?;
        let (part, behind) = match split(text, byte, quotes) {
            Some((part, behind)) => (part, Some(behind)),
            None => (text, None),
        };
        rest = behind;
        Some(part)
    })
}

/// Without the backslashes that stand before commas, equals signs and spaces.
fn unescaped(text: &[u8]) -> String {
    let text = String::from_utf8_lossy(text);
    let mut plain = String::with_capacity(text.len());
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        match letter {
            '\\' if letters.peek().is_some_and(|next| ",= ".contains(*next)) => {}
            other => plain.push(other),
        }
    }
    plain
}

fn value(text: &[u8]) -> Option<Value> {
    if text.starts_with(b"\"") {
        return (text.len() > 1 && text.ends_with(b"\"")).then_some(Value::Other);
    }
    if matches!(
        text,
        b"t" | b"T" | b"true" | b"True" | b"TRUE" | b"f" | b"F" | b"false" | b"False" | b"FALSE"
    ) {
        return Some(Value::Other);
    }
    let digits = text
        .strip_suffix(b"i")
        .or(text.strip_suffix(b"u"))
        .unwrap_or(text);
    // `inf` and `nan` are words here, not numbers.
    if digits
        .iter()
        .any(|byte| byte.is_ascii_alphabetic() && !b"eE".contains(byte))
    {
        return None;
    }
    std::str::from_utf8(digits)
        .ok()?
        .parse()
        .ok()
        .map(Value::Number)
}

/// Name and value of every field; `None` where one of them is none.
fn fields(text: &[u8]) -> Option<Vec<(&[u8], Value)>> {
    parts(text, b',', true)
        .map(|part| {
            let (name, text) = split(part, b'=', false)?;
            (!name.is_empty()).then_some(())?;
            Some((name, value(text)?))
        })
        .collect()
}

fn time(text: &[u8]) -> Option<f64> {
    let digits = text.strip_prefix(b"-").unwrap_or(text);
    if digits.is_empty() || !digits.iter().all(u8::is_ascii_digit) {
        return None;
    }
    let number: i64 = std::str::from_utf8(text).ok()?.parse().ok()?;
    Some(epoch_s(number as f64))
}

/// Lines of an export that are no points: comments, and what would make its database.
fn is_beside(line: &[u8]) -> bool {
    line.starts_with(b"#") || line.starts_with(b"CREATE DATABASE ")
}

/// Whether the first line is a point with a tag or a time, and so can be nothing else.
pub(super) fn sniff(head: &[u8]) -> bool {
    let head = head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(head);
    let mut lines = head.split_inclusive(|&byte| byte == b'\n');
    let first = lines.find(|line| !is_beside(line) && !line.trim_ascii().is_empty());
    let Some(line) = first else { return false };
    let line = line.trim_ascii_end();
    if line.iter().any(|&byte| byte < b' ') {
        return false;
    }
    let Some(point) = point(line) else {
        return false;
    };
    let tags: Vec<_> = parts(point.key, b',', false).skip(1).collect();
    let tagged = !tags.is_empty() && tags.iter().all(|tag| split(tag, b'=', false).is_some());
    let bare = tags.is_empty();
    let timed = point.time.map(time);
    fields(point.fields).is_some()
        && timed != Some(None)
        && (tagged || (bare && point.time.is_some_and(|text| text.len() >= 9)))
}

/// A series by its key: the numbers of its fields, and how many points without a time it has.
#[derive(Default)]
struct Known {
    fields: HashMap<Vec<u8>, Option<usize>>,
    timeless: u64,
}

pub(super) fn walk(
    reader: Box<dyn BufRead + Send>,
    options: &Options,
    taker: &mut dyn Taker,
    notes: &mut Notes,
) -> Result<(), Stop> {
    let mut lines = Lines::new(reader, &options.limits);
    let mut known: HashMap<Vec<u8>, Known> = HashMap::new();
    loop {
        let number = lines.number() + 1;
        let Some(line) = lines.next()? else {
            return Ok(());
        };
        let line = line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line);
        let line = line.trim_ascii();
        if line.is_empty() || is_beside(line) {
            continue;
        }
        let read = point(line).and_then(|point| {
            let at = match point.time {
                Some(text) => Some(time(text)?),
                None => None,
            };
            Some((point.key, fields(point.fields)?, at))
        });
        let Some((key, fields, at)) = read else {
            let text = String::from_utf8_lossy(line).into_owned();
            notes.bad(|| Error::invalid("", Place::Line(number), "not a point", text));
            continue;
        };
        if !fields.iter().any(|(_, value)| *value != Value::Other) {
            continue;
        }
        if !known.contains_key(key) {
            known.insert(key.to_vec(), Known::default());
        }
        let Some(series) = known.get_mut(key) else {
            continue;
        };
        let at = match (at, notes.interval) {
            (Some(at), _) => at,
            (None, Some(interval)) => {
                notes.undated = true;
                series.timeless += 1;
                notes.start.unwrap_or_default() + series.timeless as f64 * interval
            }
            (None, None) => f64::NAN,
        };
        let mut wanted = false;
        for (name, value) in fields {
            let Value::Number(value) = value else {
                continue;
            };
            let number = match series.fields.get(name) {
                Some(number) => *number,
                None => {
                    let number = taker.series(identity(key, name))?;
                    series.fields.insert(name.to_vec(), number);
                    number
                }
            };
            if let Some(number) = number {
                wanted = true;
                if !at.is_nan() {
                    taker.reading(number, at, value)?;
                }
            }
        }
        notes.timeless += u64::from(wanted && at.is_nan());
    }
}

fn identity(key: &[u8], field: &[u8]) -> Identity {
    let mut words = parts(key, b',', false);
    let measurement = unescaped(words.next().unwrap_or_default());
    let mut labels: Vec<_> = words
        .filter_map(|tag| split(tag, b'=', false))
        .map(|(name, value)| (unescaped(name), unescaped(value)))
        .collect();
    labels.sort();
    Identity {
        measurement,
        name: unescaped(field),
        labels,
        counts: false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_are_taken_apart_whatever_their_names_hold() {
        let line = br#"my\ disk,host=a\,b,path=/x\=y\ z a\ b=1.5e3,n=7i,s="x, y=\" z",ok=t 1700000000000000000"#;
        let point = point(line).expect("a point");
        let found = identity(point.key, b"a\\ b");
        assert_eq!(found.measurement, "my disk");
        let labels = [("host", "a,b"), ("path", "/x=y z")];
        assert_eq!(
            found.labels,
            labels.map(|(a, b)| (a.to_owned(), b.to_owned()))
        );
        assert_eq!(found.name, "a b");
        let fields = fields(point.fields).expect("fields");
        let values: Vec<_> = fields.iter().map(|(_, value)| *value).collect();
        let number = Value::Number;
        assert_eq!(
            values,
            [number(1500.0), number(7.0), Value::Other, Value::Other]
        );
        assert_eq!(point.time.and_then(time), Some(1.7e9));
    }

    #[test]
    fn other_texts_are_no_points() {
        for line in [
            "",
            "time,read,write",
            "0,write,0.0,1.0,4096",
            "a b c",
            "hello world=1",
            "key: [1, 2]",
            "cpu,host=a value=nan 1",
            "x y=1 2",
            "# darshan log version: 3.41",
            "{\"a\": 1}",
        ] {
            assert!(!sniff(line.as_bytes()), "{line}");
        }
        assert!(sniff(b"cpu,host=a value=1"));
        assert!(sniff(b"# DML\ncpu value=1 1700000000\n"));
    }
}
