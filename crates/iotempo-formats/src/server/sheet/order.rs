//! Tables whose newest rows come first, as databases print them (`ORDER BY time DESC`).

use std::io;

/// So many values are held to be put in order: 100 MB.
const HELD: usize = 1 << 22;

/// A value of a row.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Held {
    pub(super) series: usize,
    pub(super) at: f64,
    pub(super) value: f64,
}

/// Holds values back until it is known which way the rows of a table run, and to the end where they run
/// backwards.
#[derive(Debug, Default)]
pub(super) struct Order {
    held: Vec<Held>,
    way: Way,
}

#[derive(Debug, Default, Clone, Copy, PartialEq)]
enum Way {
    #[default]
    Unknown,
    Forwards,
    Backwards,
}

impl Order {
    /// Takes a value: what is to be handed on now.
    ///
    /// # Errors
    /// Where the newest rows come first, and are too many to be held.
    pub(super) fn take(&mut self, value: Held) -> io::Result<Vec<Held>> {
        if self.way == Way::Forwards {
            return Ok(vec![value]);
        }
        let first = self.held.first().map_or(value.at, |first| first.at);
        self.held.push(value);
        if self.way == Way::Unknown && value.at < first {
            self.way = Way::Backwards;
        }
        if self.way == Way::Unknown && value.at > first {
            self.way = Way::Forwards;
            return Ok(std::mem::take(&mut self.held));
        }
        if self.held.len() < HELD {
            return Ok(Vec::new());
        }
        if self.way == Way::Backwards && value.at < first {
            let message = format!(
                "the newest rows come first, and there are more than {HELD} values of them: sort the \
                 table by time"
            );
            return Err(io::Error::new(io::ErrorKind::InvalidData, message));
        }
        // Only its first rows were out of order.
        self.way = Way::Forwards;
        Ok(sorted(std::mem::take(&mut self.held)))
    }

    /// What is still held, oldest first, and whether it was turned round.
    pub(super) fn finish(&mut self) -> (Vec<Held>, bool) {
        let held = std::mem::take(&mut self.held);
        let ends = held.first().zip(held.last());
        let turned = self.way == Way::Backwards && ends.is_some_and(|(a, b)| b.at < a.at);
        (sorted(held), turned)
    }
}

/// By time; what is of the same time stays in its order.
fn sorted(mut held: Vec<Held>) -> Vec<Held> {
    held.sort_by(|a, b| a.at.total_cmp(&b.at));
    held
}
