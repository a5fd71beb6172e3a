//! MessagePack: TMIO's flushes, FTIO's messages, GekkoFS, the metric proxy; single or appended.

mod decoder;
mod gekkofs;
mod tmio;
mod unfinished;

pub(crate) use unfinished::Unfinished;

use crate::error::{Error, ErrorKind};
use crate::input::Input;
use crate::limits::Limits;
use crate::reading::{ReadOptions, Reading};
use crate::series::{self, Gathering, Names, Token, Tokens, Window};
use decoder::MessagePack;
use gekkofs::Fields;
use iotempo_model::RequestSink;

/// How much of an input is looked at to judge it.
const LOOKED_AT: usize = 512;

/// Whether these bytes begin one of the known kinds of MessagePack. Almost any byte begins some
/// MessagePack, so the first values must make sense.
pub(crate) fn sniff(head: &[u8]) -> bool {
    // As most texts begin: to MessagePack, two numbers in a row.
    if head.get(..2).is_some_and(<[u8]>::is_ascii) {
        return false;
    }
    let begin = head[..head.len().min(LOOKED_AT)].to_vec();
    let mut tokens = MessagePack::new(Window::new(std::io::Cursor::new(begin)), &Limits::default());
    makes_sense(&mut tokens).unwrap_or(false)
}

fn makes_sense(tokens: &mut MessagePack) -> Result<bool, Error> {
    Ok(match tokens.next()? {
        Token::Map => matches!(tokens.next()?, Token::Text(key) if is_name(key)),
        Token::List => match tokens.next()? {
            Token::Text(name) => tmio::is_item(name),
            Token::Number(_) => matches!(tokens.next()?, Token::Text(host) if is_name(host)),
            _ => false,
        },
        // GekkoFS: the time of the flush, the host, the process, the direction.
        Token::Number(_) => {
            matches!(tokens.next()?, Token::Text(host) if is_name(host))
                && matches!(tokens.next()?, Token::Number(_))
                && matches!(tokens.next()?, Token::Text(_))
        }
        _ => false,
    })
}

fn is_name(text: &str) -> bool {
    !text.is_empty() && !text.contains(|c: char| c.is_control() || c == char::REPLACEMENT_CHARACTER)
}

/// Reads one item after another.
pub(crate) fn read(
    input: Input,
    options: &ReadOptions,
    sink: &mut dyn RequestSink,
) -> Result<Reading, Error> {
    let mut reader = Reader {
        tokens: MessagePack::new(Window::new(input.into_reader()), &options.limits),
        names: Names::new(options),
        gathering: Gathering::new(sink),
        fields: Fields::default(),
        options,
    };
    let damage = loop {
        match reader.item() {
            Ok(true) => {}
            Ok(false) => break None,
            Err(error) => break Some(error),
        }
    };
    let damage = damage.or_else(|| reader.fields.unfinished(reader.tokens.at()));
    let damage = damage.or_else(|| reader.gathering.nothing_found());
    reader.gathering.finish("msgpack", &reader.names, damage)
}

struct Reader<'a> {
    tokens: MessagePack,
    names: Names,
    gathering: Gathering<'a>,
    fields: Fields,
    options: &'a ReadOptions,
}

impl Reader<'_> {
    /// Takes the next item; `false` where none follows.
    fn item(&mut self) -> Result<bool, Error> {
        if !self.tokens.more()? {
            return Ok(false);
        }
        match self.tokens.next()? {
            Token::Map if self.fields.is_empty() => {
                series::read_map(
                    &mut self.tokens,
                    &mut self.names,
                    self.options,
                    &mut self.gathering,
                )?;
            }
            Token::List if self.fields.is_empty() => self.list()?,
            other => {
                let field = gekkofs::Field::of(other);
                self.field(field)?;
            }
        }
        Ok(true)
    }

    /// A list: an item of TMIO, or the fields of GekkoFS in one.
    fn list(&mut self) -> Result<(), Error> {
        let depth = self.tokens.depth();
        match self.tokens.next()? {
            Token::Text(name) => {
                let name = name.to_owned();
                tmio::read_item(&name, &mut self.tokens, &mut self.gathering)?;
                self.tokens.leave(depth)
            }
            other => {
                let mut field = gekkofs::Field::of(other);
                while self.tokens.depth() >= depth {
                    self.field(field)?;
                    field = gekkofs::Field::of(self.tokens.next()?);
                }
                Ok(())
            }
        }
    }

    fn field(&mut self, field: gekkofs::Field) -> Result<(), Error> {
        let limit = self.options.limits.spooled;
        let Some(node) = self
            .fields
            .take(field, &mut self.tokens, &mut self.names, limit)?
        else {
            return Ok(());
        };
        self.gathering.document(node, None)
    }
}

/// Where each item of these bytes ends that is whole: what still comes may end within one.
///
/// # Errors
/// Where the bytes begin with what is no item, however much follows.
pub(crate) fn whole_items(bytes: &[u8], limits: &Limits) -> Result<Vec<usize>, Error> {
    let window = Window::new(std::io::Cursor::new(bytes.to_vec()));
    let mut tokens = MessagePack::new(window, limits);
    let mut ends = Vec::new();
    while tokens.depth() > 0 || tokens.more()? {
        match tokens.next() {
            Ok(_) => {}
            Err(error) if matches!(error.kind, ErrorKind::UnexpectedEnd(_)) => break,
            Err(error) if ends.is_empty() => return Err(error),
            // What comes before is read first.
            Err(_) => break,
        }
        if tokens.depth() == 0 {
            ends.push((tokens.reached() as usize).min(bytes.len()));
        }
    }
    Ok(ends)
}
