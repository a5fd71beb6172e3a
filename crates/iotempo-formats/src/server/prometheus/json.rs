//! What Prometheus answers to a query, as somebody saved it.

use super::super::metrics::{Emitter, Identity, Stop, Taker};
use crate::error::{Error, ErrorKind, Place};
use crate::json::Json;
use crate::limits::Limits;
use crate::series::{Token, Tokens, Window};
use std::io::Cursor;

/// What an answer says beside its series.
#[derive(Debug, Default)]
pub(super) struct Said {
    failed: bool,
    error_type: String,
    error: String,
    result_type: String,
    warnings: Vec<String>,
}

/// So many warnings of the server are repeated.
const REPEATED: usize = 4;

impl Said {
    /// Repeats what the server warned of.
    ///
    /// # Errors
    /// Where the server answered with an error.
    pub(super) fn tell(self, emitter: &mut Emitter<'_>) -> Result<(), Error> {
        if self.failed {
            let message = format!(
                "an error that Prometheus answered with, {}: {}",
                self.error_type,
                crate::error::shortened(&self.error)
            );
            return Err(Error::new(
                "",
                Place::Whole,
                ErrorKind::Unsupported(message),
            ));
        }
        if ["scalar", "string"].contains(&self.result_type.as_str()) {
            let message = format!(
                "a {} that Prometheus answered with, not series over time",
                self.result_type
            );
            return Err(Error::new(
                "",
                Place::Whole,
                ErrorKind::Unsupported(message),
            ));
        }
        for warning in self.warnings {
            emitter.warn("prometheus", format!("Prometheus says: {warning}"));
        }
        Ok(())
    }
}

/// Whether these bytes begin such an answer, or its list of series alone.
pub(super) fn sniff(head: &[u8]) -> bool {
    let head = head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(head);
    if !matches!(head.trim_ascii_start().first(), Some(b'{' | b'[')) {
        return false;
    }
    // Strings of an unknown text may be long; names of series are not.
    let limits = Limits {
        name: 64 << 10,
        ..Limits::default()
    };
    let mut json = Json::new(Window::new(Cursor::new(head.to_vec())), &limits);
    Sniffed::of(&mut json).unwrap_or(false)
}

struct Sniffed;

impl Sniffed {
    /// Looks for `status` beside `data` or `errorType`, or for `metric` beside `values`.
    fn of(json: &mut Json) -> Result<bool, Error> {
        let mut status = false;
        let mut metric_at = None;
        loop {
            let depth = json.depth();
            let key = match json.next()? {
                Token::Text(
                    text @ ("status" | "resultType" | "errorType" | "metric" | "value" | "values"),
                ) => text.to_owned(),
                _ => String::new(),
            };
            if json.depth() == 0 {
                return Ok(false);
            }
            match (key.as_str(), depth) {
                ("status", 1) => match json.next()? {
                    Token::Text("success" | "error") => status = true,
                    _ => return Ok(false),
                },
                ("errorType", 1) if status => return Ok(true),
                ("resultType", 2) if status => return Ok(true),
                ("metric", depth) => match json.next()? {
                    Token::Map => metric_at = Some(depth),
                    _ => return Ok(false),
                },
                ("value" | "values", depth) if metric_at == Some(depth) => {
                    return Ok(matches!(json.next()?, Token::List));
                }
                _ => {}
            }
        }
    }
}

/// Walks through one answer after the other.
pub(super) fn walk(json: &mut Json, taker: &mut dyn Taker, said: &mut Said) -> Result<(), Stop> {
    json.bytes().peek()?;
    if json.bytes().rest().starts_with(b"\xef\xbb\xbf") {
        json.bytes().advance(3);
    }
    while json.more()? {
        match json.next()? {
            Token::Map => object(json, taker, said)?,
            Token::List => list(json, taker, said)?,
            _ => {}
        }
    }
    Ok(())
}

fn list(json: &mut Json, taker: &mut dyn Taker, said: &mut Said) -> Result<(), Stop> {
    loop {
        match json.next()? {
            Token::End => return Ok(()),
            Token::Map => object(json, taker, said)?,
            Token::List => list(json, taker, said)?,
            _ => {}
        }
    }
}

/// What a key of an object announces.
enum Key {
    Metric,
    Value,
    Values,
    Status,
    ErrorType,
    Error,
    ResultType,
    Warnings,
    Other,
}

fn object(json: &mut Json, taker: &mut dyn Taker, said: &mut Said) -> Result<(), Stop> {
    let mut series: Option<Option<usize>> = None;
    loop {
        let key = match json.next()? {
            Token::End => return Ok(()),
            Token::Text("metric") => Key::Metric,
            Token::Text("value") => Key::Value,
            Token::Text("values") => Key::Values,
            Token::Text("status") => Key::Status,
            Token::Text("errorType") => Key::ErrorType,
            Token::Text("error") => Key::Error,
            Token::Text("resultType") => Key::ResultType,
            Token::Text("warnings" | "infos") => Key::Warnings,
            _ => Key::Other,
        };
        let depth = json.depth();
        match (key, json.next()?) {
            (Key::Metric, Token::Map) => {
                let identity = labels(json)?;
                series = Some(taker.series(identity)?);
            }
            (Key::Values, Token::List) => match known(json, series)? {
                Some(series) => values(json, taker, series)?,
                None => json.leave(depth + 1)?,
            },
            (Key::Value, Token::List) => match known(json, series)? {
                Some(series) => pair(json, taker, series)?,
                None => json.leave(depth + 1)?,
            },
            (Key::Status, Token::Text(text)) => said.failed |= text == "error",
            (Key::ErrorType, Token::Text(text)) => text.clone_into(&mut said.error_type),
            (Key::Error, Token::Text(text)) => text.clone_into(&mut said.error),
            (Key::ResultType, Token::Text(text)) => text.clone_into(&mut said.result_type),
            (Key::Warnings, Token::List) => texts(json, &mut said.warnings)?,
            (_, Token::Map) => object(json, taker, said)?,
            (_, Token::List) => list(json, taker, said)?,
            _ => {}
        }
    }
}

/// The series that values belong to: its labels must stand before them.
fn known(json: &Json, series: Option<Option<usize>>) -> Result<Option<usize>, Error> {
    let place = Place::Byte(json.at());
    series.ok_or_else(|| Error::invalid("", place, "values without a metric before them", "["))
}

fn labels(json: &mut Json) -> Result<Identity, Error> {
    let mut identity = Identity::default();
    loop {
        let name = match json.next()? {
            Token::End => break,
            Token::Text(name) => name.to_owned(),
            _ => String::new(),
        };
        let depth = json.depth();
        match json.next()? {
            Token::Text(value) if name == "__name__" => value.clone_into(&mut identity.name),
            Token::Text(value) => identity.labels.push((name, value.to_owned())),
            Token::Map | Token::List => json.leave(depth + 1)?,
            _ => {}
        }
    }
    identity.labels.sort();
    Ok(identity)
}

fn values(json: &mut Json, taker: &mut dyn Taker, series: usize) -> Result<(), Stop> {
    loop {
        match json.next()? {
            Token::End => return Ok(()),
            Token::List => pair(json, taker, series)?,
            other => {
                let value = other.to_string();
                let place = Place::Byte(json.at());
                return Err(
                    Error::invalid("", place, "not a pair of time and value", value).into(),
                );
            }
        }
    }
}

/// `[1794727871, "15440982016"]`, behind its first bracket.
fn pair(json: &mut Json, taker: &mut dyn Taker, series: usize) -> Result<(), Stop> {
    let invalid =
        |at, what, value: String| Stop::from(Error::invalid("", Place::Byte(at), what, value));
    let time = match json.next()? {
        Token::Number(time) => Ok(time),
        other => Err(other.to_string()),
    };
    let time = time.map_err(|value| invalid(json.at(), "not a time", value))?;
    let value = match json.next()? {
        Token::Text(text) => text.parse().map_err(|_| text.to_owned()),
        Token::Number(value) => Ok(value),
        Token::Null => Ok(f64::NAN),
        other => Err(other.to_string()),
    };
    let value = value.map_err(|value| invalid(json.at(), "not a number", value))?;
    match json.next()? {
        Token::End => {}
        other => {
            let other = other.to_string();
            return Err(invalid(json.at(), "more than a time and a value", other));
        }
    }
    taker.reading(series, time, value)?;
    Ok(())
}

fn texts(json: &mut Json, into: &mut Vec<String>) -> Result<(), Error> {
    loop {
        let depth = json.depth();
        match json.next()? {
            Token::End => return Ok(()),
            Token::Map | Token::List => json.leave(depth + 1)?,
            Token::Text(text) if into.len() < REPEATED && into.iter().all(|one| one != text) => {
                into.push(crate::error::shortened(text));
            }
            _ => {}
        }
    }
}
