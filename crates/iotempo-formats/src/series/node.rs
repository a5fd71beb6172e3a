//! The part of a document that matters: named series, totals, and where they lie.

use super::names::{Column, Names, Scalar};
use super::token::{Token, Tokens};
use crate::error::{Error, ErrorKind, Place};
use std::collections::HashSet;

/// A list of numbers that means something.
#[derive(Debug)]
pub(crate) struct Values {
    pub(crate) column: Column,
    /// Its name in the document.
    pub(crate) name: String,
    /// Where it begins.
    pub(crate) at: u64,
    /// In bytes, seconds, bytes per second.
    pub(crate) values: Vec<f64>,
}

impl Values {
    /// Whether it has one of the names that only GekkoFS uses.
    pub(crate) fn is_of_gekkofs(&self) -> bool {
        self.name.ends_with("_t_micro")
    }
}

/// A map of a document, without what means nothing here.
#[derive(Debug, Default)]
pub(crate) struct Node {
    pub(crate) name: String,
    pub(crate) at: u64,
    pub(crate) columns: Vec<Values>,
    pub(crate) scalars: Vec<(Scalar, f64)>,
    pub(crate) direction: Option<String>,
    pub(crate) children: Vec<Self>,
    /// Whether it is a metric of a proxy: a series of any unit, named by its map.
    pub(crate) metric: bool,
}

impl Node {
    /// The number that means `scalar`.
    pub(crate) fn scalar(&self, scalar: Scalar) -> Option<f64> {
        let found = self.scalars.iter().find(|(known, _)| *known == scalar);
        found
            .map(|(_, value)| *value)
            .filter(|value| value.is_finite())
    }

    /// A metric without samples.
    fn metric(name: String, at: u64) -> Self {
        let list = |column, name: &str| Values {
            column,
            name: name.to_owned(),
            at,
            values: Vec::new(),
        };
        Self {
            name,
            at,
            columns: vec![
                list(Column::Time, "the times"),
                list(Column::Rate, "the values"),
            ],
            metric: true,
            ..Self::default()
        }
    }

    fn is_empty(&self) -> bool {
        self.columns.is_empty()
            && self.scalars.is_empty()
            && self.children.is_empty()
            && self.direction.is_none()
    }

    /// Takes the last of several children of one name, as other readers of such files do.
    fn drop_repeated_children(&mut self) -> u64 {
        let before = self.children.len();
        let mut seen = HashSet::new();
        let last: Vec<bool> = self
            .children
            .iter()
            .rev()
            .map(|child| seen.insert(child.name.as_str()))
            .collect();
        let mut last = last.into_iter().rev();
        self.children.retain(|_| last.next().unwrap_or(true));
        (before - self.children.len()) as u64
    }
}

/// Reads documents into [`Node`]s. What was read before an error stays in the node.
pub(crate) struct NodeReader<'a, T> {
    pub(crate) tokens: &'a mut T,
    pub(crate) names: &'a mut Names,
    /// The most bytes that one document may take in memory.
    pub(crate) limit: u64,
    /// How many keys were met twice in a map.
    pub(crate) repeated: u64,
    held: u64,
}

impl<'a, T: Tokens> NodeReader<'a, T> {
    pub(crate) fn new(tokens: &'a mut T, names: &'a mut Names, limit: u64) -> Self {
        Self {
            tokens,
            names,
            limit,
            repeated: 0,
            held: 0,
        }
    }

    /// Reads the rest of a map whose first token was taken.
    pub(crate) fn map(&mut self, node: &mut Node) -> Result<(), Error> {
        node.at = self.tokens.at();
        let mut key = String::new();
        loop {
            key.clear();
            match self.tokens.next()? {
                Token::End => break,
                Token::Text(text) => key.push_str(text),
                Token::List | Token::Map => {
                    let place = Place::Byte(self.tokens.at());
                    return Err(Error::invalid(
                        node.name.clone(),
                        place,
                        "a key is not a text",
                        "a list or map",
                    ));
                }
                // MessagePack allows any key; those that are no names mean nothing here.
                _ => {}
            }
            self.entry(&key, node)?;
        }
        self.repeated += node.drop_repeated_children();
        Ok(())
    }

    fn entry(&mut self, key: &str, node: &mut Node) -> Result<(), Error> {
        match self.tokens.next()? {
            Token::Map => self.child(key, node),
            Token::List => self.list(key, node),
            Token::Number(value) => {
                self.scalar(key, value, node);
                Ok(())
            }
            Token::Text(text) => {
                if self.names.is_direction(key) {
                    node.direction = Some(text.to_owned());
                }
                Ok(())
            }
            Token::Null | Token::Bool(_) | Token::Opaque | Token::End => Ok(()),
        }
    }

    fn child(&mut self, name: &str, node: &mut Node) -> Result<(), Error> {
        self.hold(size_of::<Node>() + name.len())?;
        node.children.push(Node {
            name: name.to_owned(),
            ..Node::default()
        });
        if let Some(child) = node.children.last_mut() {
            self.map(child)?;
            if child.is_empty() {
                node.children.pop();
            }
        }
        Ok(())
    }

    /// A number of a map.
    pub(crate) fn scalar(&mut self, key: &str, value: f64, node: &mut Node) {
        if let Some((scalar, per)) = self.names.scalar(key) {
            let before = node.scalars.len();
            node.scalars.retain(|(known, _)| *known != scalar);
            self.repeated += (before - node.scalars.len()) as u64;
            node.scalars.push((scalar, value / per));
        }
    }

    /// The rest of a list called `key`, whose first token was taken.
    pub(crate) fn list(&mut self, key: &str, node: &mut Node) -> Result<(), Error> {
        match self.names.column(key) {
            Some((column, per)) => self.column(key, column, per, node),
            None if node.name == "metrics" => self.metric(key, node),
            None => self.tokens.leave(self.tokens.depth()),
        }
    }

    fn column(
        &mut self,
        name: &str,
        column: Column,
        per: f64,
        node: &mut Node,
    ) -> Result<(), Error> {
        let before = node.columns.len();
        node.columns.retain(|known| known.column != column);
        self.repeated += (before - node.columns.len()) as u64;
        node.columns.push(Values {
            column,
            name: name.to_owned(),
            at: self.tokens.at(),
            values: Vec::new(),
        });
        let Some(Values { name, values, .. }) = node.columns.last_mut() else {
            return Ok(());
        };
        while let Some(value) = self.number(name)? {
            values.push(value / per);
        }
        Ok(())
    }

    /// The next number of a list; `None` at its end.
    fn number(&mut self, list: &str) -> Result<Option<f64>, Error> {
        self.hold(size_of::<f64>())?;
        if let Some(number) = self.tokens.plain_number() {
            return Ok(Some(number));
        }
        let token = match self.tokens.next()? {
            Token::Number(value) => return Ok(Some(value)),
            Token::Null => return Ok(Some(f64::NAN)),
            Token::End => return Ok(None),
            other => other.to_string(),
        };
        let place = Place::Byte(self.tokens.at());
        Err(Error::invalid(
            list.to_owned(),
            place,
            "not a number",
            token,
        ))
    }

    /// A metric of a proxy: a list of pairs of a time and a value. Other lists mean nothing.
    fn metric(&mut self, name: &str, node: &mut Node) -> Result<(), Error> {
        self.hold(size_of::<Node>() + name.len())?;
        let depth = self.tokens.depth();
        node.children
            .push(Node::metric(name.to_owned(), self.tokens.at()));
        let Some(Node { name, columns, .. }) = node.children.last_mut() else {
            return Ok(());
        };
        loop {
            match self.tokens.next()? {
                Token::End => return Ok(()),
                Token::List => {}
                _ => break,
            }
            let pair = self.pair(name)?;
            columns
                .iter_mut()
                .zip(pair)
                .for_each(|(column, number)| column.values.push(number));
        }
        node.children.pop();
        self.tokens.leave(depth)
    }

    fn pair(&mut self, metric: &str) -> Result<[f64; 2], Error> {
        let at = self.tokens.at();
        let numbers = [self.number(metric)?, self.number(metric)?];
        if let [Some(time), Some(value)] = numbers
            && self.number(metric)?.is_none()
        {
            return Ok([time, value]);
        }
        let what = "not a pair of a time and a value";
        let found = format!("{:?}", numbers.into_iter().flatten().collect::<Vec<_>>());
        Err(Error::invalid(
            metric.to_owned(),
            Place::Byte(at),
            what,
            found,
        ))
    }

    fn hold(&mut self, bytes: usize) -> Result<(), Error> {
        self.held += bytes as u64;
        if self.held <= self.limit {
            return Ok(());
        }
        let kind = ErrorKind::Budget {
            what: "one document's series",
            limit: self.limit,
        };
        Err(Error::new("", Place::Byte(self.tokens.at()), kind))
    }
}
