//! What InfluxDB 1 answers to a query: `results`, of `series`, of `columns` and `values`.

use super::super::metrics::{Stop, Taker};
use super::super::options::Options;
use super::Notes;
use super::sheet::{Cell, Sheet};
use crate::error::{Error, ErrorKind, Place};
use crate::json::Json;
use crate::limits::Limits;
use crate::series::{Token, Tokens, Window};
use std::io::{BufRead, Cursor};

/// So many columns a series may have.
const COLUMNS: usize = 4096;

/// Whether these bytes begin with `{"results":[{` and a `statement_id`, `series` or `error`.
pub(super) fn sniff(head: &[u8]) -> bool {
    let head = head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(head);
    if !head.trim_ascii_start().starts_with(b"{") {
        return false;
    }
    let mut json = Json::new(Window::new(Cursor::new(head.to_vec())), &Limits::default());
    begins(&mut json).unwrap_or(false)
}

fn begins(json: &mut Json) -> Result<bool, Error> {
    let is_results = matches!(json.next()?, Token::Map)
        && matches!(json.next()?, Token::Text("results"))
        && matches!(json.next()?, Token::List)
        && matches!(json.next()?, Token::Map);
    Ok(is_results
        && matches!(
            json.next()?,
            Token::Text("statement_id" | "series" | "error")
        ))
}

/// A cell that outlives the token it came in.
enum Kept {
    Number(f64),
    Text(String),
    Empty,
}

pub(super) fn walk(
    reader: Box<dyn BufRead + Send>,
    options: &Options,
    taker: &mut dyn Taker,
    notes: &mut Notes,
) -> Result<(), Stop> {
    let mut bytes = Window::new(reader);
    bytes.peek()?;
    if bytes.rest().starts_with(b"\xef\xbb\xbf") {
        bytes.advance(3);
    }
    let mut json = Json::new(bytes, &options.limits);
    // With `chunked=true`, one document comes after the other.
    while json.more()? {
        match json.next()? {
            Token::Map => object(&mut json, taker, notes)?,
            Token::List => list(&mut json, taker, notes)?,
            _ => {}
        }
    }
    Ok(())
}

fn list(json: &mut Json, taker: &mut dyn Taker, notes: &mut Notes) -> Result<(), Stop> {
    loop {
        match json.next()? {
            Token::End => return Ok(()),
            Token::Map => object(json, taker, notes)?,
            Token::List => list(json, taker, notes)?,
            _ => {}
        }
    }
}

enum Key {
    Name,
    Tags,
    Columns,
    Values,
    Error,
    Other,
}

fn object(json: &mut Json, taker: &mut dyn Taker, notes: &mut Notes) -> Result<(), Stop> {
    let (mut name, mut tags) = (String::new(), Vec::new());
    let mut sheet: Option<Sheet> = None;
    loop {
        let key = match json.next()? {
            Token::End => return Ok(()),
            Token::Text("name") => Key::Name,
            Token::Text("tags") => Key::Tags,
            Token::Text("columns") => Key::Columns,
            Token::Text("values") => Key::Values,
            Token::Text("error") => Key::Error,
            _ => Key::Other,
        };
        match (key, json.next()?) {
            (Key::Name, Token::Text(text)) => text.clone_into(&mut name),
            (Key::Tags, Token::Map) => tags = texts(json)?,
            (Key::Columns, Token::List) => sheet = Some(Sheet::new(&columns(json)?)),
            (Key::Values, Token::List) => {
                let place = Place::Byte(json.at());
                let Some(sheet) = sheet.as_mut().filter(|sheet| sheet.has_time()) else {
                    let what = "values without a column of times before them";
                    return Err(Error::invalid("", place, what, "[").into());
                };
                name.clone_into(&mut sheet.measurement);
                sheet.tags.clone_from(&tags);
                rows(json, sheet, taker, notes)?;
            }
            (Key::Error, Token::Text(text)) => {
                let message = format!(
                    "an error that InfluxDB answered with: {}",
                    crate::error::shortened(text)
                );
                let kind = ErrorKind::Unsupported(message);
                return Err(Error::new("", Place::Byte(json.at()), kind).into());
            }
            (_, Token::Map) => object(json, taker, notes)?,
            (_, Token::List) => list(json, taker, notes)?,
            _ => {}
        }
    }
}

fn texts(json: &mut Json) -> Result<Vec<(String, String)>, Error> {
    let mut pairs = Vec::new();
    loop {
        let name = match json.next()? {
            Token::End => return Ok(pairs),
            other => other.to_string(),
        };
        let depth = json.depth();
        match json.next()? {
            Token::Map | Token::List => json.leave(depth + 1)?,
            value => pairs.push((name, value.to_string())),
        }
    }
}

fn columns(json: &mut Json) -> Result<Vec<String>, Error> {
    let mut names = Vec::new();
    loop {
        let depth = json.depth();
        match json.next()? {
            Token::End => return Ok(names),
            Token::Map | Token::List => json.leave(depth + 1)?,
            name => names.push(name.to_string()),
        }
        if names.len() > COLUMNS {
            let place = Place::Byte(json.at());
            return Err(Error::invalid("", place, "more columns than", COLUMNS));
        }
    }
}

fn rows(
    json: &mut Json,
    sheet: &mut Sheet,
    taker: &mut dyn Taker,
    notes: &mut Notes,
) -> Result<(), Stop> {
    let mut cells = Vec::new();
    loop {
        match json.next()? {
            Token::End => return Ok(()),
            Token::List => {}
            other => {
                let value = other.to_string();
                return Err(Error::invalid("", Place::Byte(json.at()), "not a row", value).into());
            }
        }
        let at = json.at();
        cells.clear();
        loop {
            let depth = json.depth();
            match json.next()? {
                Token::End => break,
                Token::Number(number) => cells.push(Kept::Number(number)),
                Token::Text(text) => cells.push(Kept::Text(text.to_owned())),
                Token::Map | Token::List => {
                    json.leave(depth + 1)?;
                    cells.push(Kept::Empty);
                }
                _ => cells.push(Kept::Empty),
            }
            if cells.len() > COLUMNS {
                let place = Place::Byte(json.at());
                return Err(Error::invalid("", place, "more columns than", COLUMNS).into());
            }
        }
        let cell = |index: usize| match cells.get(index) {
            Some(Kept::Number(number)) => Cell::Number(*number),
            Some(Kept::Text(text)) => Cell::Text(text.as_bytes()),
            Some(Kept::Empty) | None => Cell::Empty,
        };
        if let Some((what, value)) = sheet.row(&cell, taker, notes)? {
            notes.bad(|| Error::invalid("", Place::Byte(at), what, value));
        }
    }
}
