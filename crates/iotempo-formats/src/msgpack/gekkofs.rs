//! The fields of GekkoFS, which its clients send one after another and without names.

use crate::error::{Error, ErrorKind, Place};
use crate::series::{Names, Node, NodeReader, Token, Tokens};
use std::fmt;

/// The fields in the order in which they come.
const FIELDS: [&str; 9] = [
    "flush_t",
    "hostname",
    "pid",
    "io_type",
    "start_t_micro",
    "end_t_micro",
    "req_size",
    "total_iops",
    "total_bytes",
];

/// The value of a field, or the beginning of one.
#[derive(Debug)]
pub(super) enum Field {
    Number(f64),
    Text(String),
    List,
    Other(String),
}

impl Field {
    pub(super) fn of(token: Token<'_>) -> Self {
        match token {
            Token::Number(number) => Self::Number(number),
            Token::Text(text) => Self::Text(text.to_owned()),
            Token::List => Self::List,
            other => Self::Other(other.to_string()),
        }
    }
}

impl fmt::Display for Field {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(number) => number.fmt(f),
            Self::Text(text) | Self::Other(text) => f.write_str(text),
            Self::List => f.write_str("a list"),
        }
    }
}

/// The fields of a flush so far.
#[derive(Debug, Default)]
pub(super) struct Fields {
    count: usize,
    node: Node,
}

impl Fields {
    pub(super) fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Takes the next field; the last one completes a flush.
    pub(super) fn take<T: Tokens>(
        &mut self,
        field: Field,
        tokens: &mut T,
        names: &mut Names,
        limit: u64,
    ) -> Result<Option<Node>, Error> {
        let name = FIELDS[self.count];
        let mut reader = NodeReader::new(tokens, names, limit);
        match (name, field) {
            ("hostname", Field::Text(_)) => {}
            ("io_type", Field::Text(text)) => self.node.direction = Some(text),
            ("start_t_micro" | "end_t_micro" | "req_size", Field::List) => {
                reader.list(name, &mut self.node)?;
            }
            ("flush_t" | "pid" | "total_iops" | "total_bytes", Field::Number(number)) => {
                reader.scalar(name, number, &mut self.node);
            }
            (_, other) => {
                let place = Place::Byte(tokens.at());
                let what = "not what GekkoFS sends in this place";
                return Err(Error::invalid(name, place, what, other.to_string()));
            }
        }
        self.count = (self.count + 1) % FIELDS.len();
        Ok(self.is_empty().then(|| std::mem::take(&mut self.node)))
    }

    /// The error of an input that ends inside a flush.
    pub(super) fn unfinished(&self, at: u64) -> Option<Error> {
        let kind = ErrorKind::UnexpectedEnd("the fields of a flush of GekkoFS");
        (!self.is_empty()).then(|| Error::new(FIELDS[self.count], Place::Byte(at), kind))
    }
}
