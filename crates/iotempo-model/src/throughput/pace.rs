//! How long the intervals of a log mostly are: known once some of them were seen.

use super::Moved;
use std::collections::HashMap;

/// So many intervals of one target are looked at, its first one aside: that is often a shorter one, or
/// all the time since the server was started.
const OF_ONE: u32 = 64;

/// So many intervals are held at most until the pace is known.
const HELD: usize = 1 << 20;

/// With fewer intervals a log does not set the pace of the others.
const FEW: usize = 8;

/// The intervals of a log whose pace is not known yet.
#[derive(Debug, Default)]
pub(super) struct Waiting {
    held: Vec<Moved>,
    seen: HashMap<(u32, u8), u32>,
    later: Vec<f64>,
    most: u32,
}

/// The pace of a log.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Pace {
    pub(super) length: f64,
    /// Whether enough intervals were seen to say so.
    pub(super) is_sure: bool,
}

impl Waiting {
    /// Takes an interval; `true` where enough of them wait.
    pub(super) fn take(&mut self, moved: Moved) -> bool {
        let seen = self
            .seen
            .entry((moved.target.0, moved.op as u8))
            .or_default();
        if *seen > 0 {
            self.later.extend(length(&moved));
        }
        *seen += 1;
        self.most = self.most.max(*seen);
        self.held.push(moved);
        self.most > OF_ONE || self.held.len() >= HELD
    }

    /// The pace, and what waited for it.
    pub(super) fn settle(&mut self) -> (Option<Pace>, Vec<Moved>) {
        let all = std::mem::take(self);
        let is_sure = all.later.len() >= FEW;
        let mut lengths = all.later;
        if lengths.is_empty() {
            lengths.extend(all.held.iter().filter_map(length));
        }
        let pace = usual(lengths).map(|length| Pace { length, is_sure });
        (pace, all.held)
    }
}

fn length(moved: &Moved) -> Option<f64> {
    let length = (moved.when.end() - moved.when.start()).get();
    (length > 0.0).then_some(length)
}

/// The length that most intervals have, to the millisecond.
fn usual(mut lengths: Vec<f64>) -> Option<f64> {
    lengths.sort_by(f64::total_cmp);
    let middle = *lengths.get(lengths.len() / 2)?;
    // Clocks jitter around what they were told: 1.003 s is a second.
    let round = if middle >= 0.5 {
        middle.round()
    } else {
        middle
    };
    Some(if (middle - round).abs() < 0.05 * round {
        round
    } else {
        (middle * 1000.0).round().max(1.0) / 1000.0
    })
}
