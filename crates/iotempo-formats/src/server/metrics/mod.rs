//! Series of monitoring databases, Prometheus and InfluxDB: names with labels, and values over time.
//!
//! Decoders call a [`Taker`]. A [`Survey`] learns which series there are; an [`Emitter`] then hands on
//! those that hold each byte once. So every log is walked through twice.

mod emitter;
mod identity;
mod wishes;

pub(in crate::server) use emitter::Emitter;
pub(in crate::server) use identity::{Identity, is_label};
pub(in crate::server) use wishes::Wishes;

use crate::error::{Error, ErrorKind, Place};
use crate::limits::Limits;
use std::collections::HashSet;
use std::io;

/// Takes what a decoder finds.
pub(in crate::server) trait Taker {
    /// The number of a series; `None` where its values are not wanted.
    ///
    /// # Errors
    /// Where there are too many of them.
    fn series(&mut self, identity: Identity) -> Result<Option<usize>, Error>;

    /// Takes a value of a series, in seconds since 1970.
    ///
    /// # Errors
    /// Whatever the sink answers.
    fn reading(&mut self, series: usize, at: f64, value: f64) -> io::Result<()>;
}

/// What names of series may take in memory.
const MOST_NAMES: u64 = 256 << 20;

/// Room for names of series.
struct Room {
    left: u64,
    most: u64,
}

impl Room {
    fn new(limits: &Limits) -> Self {
        let most = limits.decoded.min(MOST_NAMES);
        Self { left: most, most }
    }

    fn take(&mut self, identity: &Identity) -> Result<(), Error> {
        let letters = |(name, value): &(String, String)| name.len() + value.len() + 64;
        let size = identity.name.len() + identity.measurement.len() + 128;
        let size = 2 * (size + identity.labels.iter().map(letters).sum::<usize>()) as u64;
        let Some(left) = self.left.checked_sub(size) else {
            let kind = ErrorKind::Budget {
                what: "the names of series",
                limit: self.most,
            };
            return Err(Error::new("", Place::Whole, kind));
        };
        self.left = left;
        Ok(())
    }
}

/// Which series there are.
pub(in crate::server) struct Survey {
    order: Vec<Identity>,
    seen: HashSet<Identity>,
    room: Room,
}

impl Survey {
    pub(in crate::server) fn new(limits: &Limits) -> Self {
        Self {
            order: Vec::new(),
            seen: HashSet::new(),
            room: Room::new(limits),
        }
    }
}

impl Taker for Survey {
    fn series(&mut self, identity: Identity) -> Result<Option<usize>, Error> {
        if !self.seen.contains(&identity) {
            self.room.take(&identity)?;
            self.seen.insert(identity.clone());
            self.order.push(identity);
        }
        Ok(None)
    }

    fn reading(&mut self, _: usize, _: f64, _: f64) -> io::Result<()> {
        Ok(())
    }
}

/// Why a decoder stopped.
pub(in crate::server) enum Stop {
    /// The log is damaged: what came before it counts.
    Damage(Error),
    /// The sink takes no more, or the log asks for too much.
    Failure(Error),
}

impl From<Error> for Stop {
    fn from(error: Error) -> Self {
        match error.kind {
            ErrorKind::Budget { .. } => Self::Failure(error),
            _ => Self::Damage(error),
        }
    }
}

impl From<io::Error> for Stop {
    fn from(error: io::Error) -> Self {
        Self::Failure(error.into())
    }
}

impl Stop {
    /// The damage; a failure is passed on.
    ///
    /// # Errors
    /// Where it is a failure.
    pub(in crate::server) fn damage(self) -> Result<Error, Error> {
        match self {
            Self::Damage(error) => Ok(error),
            Self::Failure(error) => Err(error),
        }
    }
}
