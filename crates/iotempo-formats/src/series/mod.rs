//! Rates and volumes over time under well-known names: what TMIO, FTIO, GekkoFS and the metric
//! proxy write, whether as JSON, MessagePack or plain text.
//!
//! A decoder gives [`Token`]s; [`NodeReader`] keeps the lists and totals of a document that have a
//! known name; [`Gathering`] finds the modes among them and pushes their requests.

mod gather;
mod mode;
mod names;
mod node;
mod offer;
mod repairs;
mod shape;
mod token;
mod walk;
mod window;

pub(crate) use gather::{Dialect, Gathering};
pub(crate) use names::Names;
pub(crate) use node::{Node, NodeReader};
pub(crate) use token::{DEEPEST, Token, Tokens};
pub(crate) use window::Window;

use crate::error::{Error, ErrorKind, Place};
use crate::reading::{ReadOptions, Reading};
use iotempo_model::RequestSink;

/// Reads the documents that `tokens` gives, one after another, each a map.
pub(crate) fn read_documents<T: Tokens>(
    mut tokens: T,
    container: impl Fn(u64) -> &'static str,
    options: &ReadOptions,
    sink: &mut dyn RequestSink,
) -> Result<Reading, Error> {
    let mut names = Names::new(options);
    let mut gathering = Gathering::new(sink);
    let mut documents = 0;
    let damage = loop {
        match next_document(&mut tokens, &mut names, options, &mut gathering) {
            Ok(true) => documents += 1,
            Ok(false) => break None,
            Err(error) => break Some(error),
        }
    };
    let damage = damage.or_else(|| gathering.nothing_found());
    gathering.finish(container(documents), &names, damage)
}

/// Takes the next document; `false` where none follows.
fn next_document<T: Tokens>(
    tokens: &mut T,
    names: &mut Names,
    options: &ReadOptions,
    gathering: &mut Gathering<'_>,
) -> Result<bool, Error> {
    if !tokens.more()? {
        return Ok(false);
    }
    match tokens.next()? {
        Token::Map => {}
        other => {
            let found = other.to_string();
            let place = Place::Byte(tokens.at());
            return Err(Error::invalid(
                "",
                place,
                "not a map with series of bandwidth",
                found,
            ));
        }
    }
    read_map(tokens, names, options, gathering)?;
    Ok(true)
}

/// Takes a document whose first token, a map, was taken. Of a document that breaks off, what
/// comes before the damage is taken too.
pub(crate) fn read_map<T: Tokens>(
    tokens: &mut T,
    names: &mut Names,
    options: &ReadOptions,
    gathering: &mut Gathering<'_>,
) -> Result<(), Error> {
    let mut document = Node::default();
    let mut reader = NodeReader::new(tokens, names, options.limits.spooled);
    let read = reader.map(&mut document);
    gathering.repairs.repeated_keys += reader.repeated;
    match read {
        Ok(()) => gathering.document(document, None),
        Err(error) => {
            let taken = gathering.document(document, Some(&error));
            if gathering.sink_failed {
                taken.and(Err(error))
            } else {
                Err(error)
            }
        }
    }
}

impl Gathering<'_> {
    /// The error of an input without a single series. TMIO writes the times of a flush on a line of their own, which
    /// may come alone while it is written.
    pub(crate) fn nothing_found(&self) -> Option<Error> {
        let message = "no series of bandwidth: none of the lists b_rank_avr, b_overlap_avr, \
                       bandwidth, b, req_size, avg_thruput_mib is there (foreign names can be mapped)";
        let nothing = self.modes.is_empty() && self.dialect != Dialect::Tmio;
        nothing.then(|| Error::new("", Place::Whole, ErrorKind::Unsupported(message.to_owned())))
    }
}
