//! What JSON and MessagePack have in common: a stream of values, lists and maps.

use crate::error::Error;
use std::fmt;

/// How deep lists and maps may lie in each other. The deepest real file has 4 levels.
pub(crate) const DEEPEST: usize = 128;

/// A value, or the edge of a list or map. In a map, keys and values take turns.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Token<'a> {
    Null,
    Bool(bool),
    /// Any number; JSON's bare `NaN` and `Infinity` too.
    Number(f64),
    Text(&'a str),
    /// Bytes without a meaning here.
    Opaque,
    List,
    Map,
    /// Of the innermost list or map.
    End,
}

impl fmt::Display for Token<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Null => f.write_str("null"),
            Self::Bool(value) => value.fmt(f),
            Self::Number(value) => value.fmt(f),
            Self::Text(text) => f.write_str(text),
            Self::Opaque => f.write_str("binary data"),
            Self::List => f.write_str("a list"),
            Self::Map => f.write_str("a map"),
            Self::End => f.write_str("nothing"),
        }
    }
}

/// A decoder that gives one token at a time and holds nothing back.
pub(crate) trait Tokens {
    /// Whether another value follows outside all lists and maps.
    fn more(&mut self) -> Result<bool, Error>;

    /// The next token.
    fn next(&mut self) -> Result<Token<'_>, Error>;

    /// The next token, where it is a number of a list and lies at hand as a whole: a short way
    /// through long lists. `None` takes nothing and says nothing; ask [`next`](Self::next).
    fn plain_number(&mut self) -> Option<f64>;

    /// The next list, where it has just `N` such numbers: a short way through a list of many short
    /// ones. `None` takes nothing and says nothing.
    fn plain_list<const N: usize>(&mut self) -> Option<[f64; N]> {
        None
    }

    /// Passes over such numbers of a list that nobody asks for, or some of them.
    fn skip_numbers(&mut self) {
        while self.plain_number().is_some() {}
    }

    /// Where the latest token began.
    fn at(&self) -> u64;

    /// How many lists and maps are open.
    fn depth(&self) -> usize;

    /// Passes over the rest of the list or map that made the depth `depth`.
    fn leave(&mut self, depth: usize) -> Result<(), Error> {
        while self.depth() >= depth {
            self.skip_numbers();
            self.next()?;
        }
        Ok(())
    }
}
