//! How far phases made of counters lie from what finer evidence of the same job shows.

use super::IoPhase;
use iotempo_model::{Api, Op};
use serde::Serialize;
use std::collections::HashMap;

/// Counters' times may be off by this share of a phase's length.
const CLOSE_SHARE: f64 = 0.05;

/// Darshan's clocks tick in microseconds, and its text prints as many digits.
const TICK_S: f64 = 2e-6;

/// Stretches of time that are remembered apart; beyond them, those that lie closest become one.
const MOST_STRETCHES: usize = 10_000;

/// What finer evidence was asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Witness {
    /// Single requests.
    Dxt,
    /// Bytes per bin of time, of all files together.
    Heatmap,
}

/// How a phase compares with finer evidence.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Agreement {
    /// What was asked.
    pub witness: Witness,
    /// When the phase begins there.
    pub start_s: f64,
    /// When it ends there.
    pub end_s: f64,
    /// How much later the counters say it begins.
    pub start_off_s: f64,
    /// How much later the counters say it ends.
    pub end_off_s: f64,
    /// By how much both may be off.
    pub tolerance_s: f64,
    /// Whether neither is off by more.
    pub agrees: bool,
    /// Why it does not.
    pub disagreement: Option<Disagreement>,
    /// How many stretches of activity lie in it, further apart than the time distance: what the
    /// counters of an open file hide.
    pub stretches: u64,
    /// The share of the phase's bytes that are there; `None` for evidence that does not know files.
    pub bytes_share: Option<f64>,
}

/// Why counters and finer evidence differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Disagreement {
    /// It does not hold all requests of the phase: its memory was full, or it was told to trace some
    /// ranks or files only.
    MissesBytes,
    /// It holds requests before the first or after the last access that was counted.
    ReachesFurther,
    /// The counters' times reach further than any request: flushes and syncs count as writes.
    CountersReachFurther,
}

impl Disagreement {
    /// In a sentence.
    #[must_use]
    pub const fn text(self) -> &'static str {
        match self {
            Self::MissesBytes => "it does not hold all requests of the phase",
            Self::ReachesFurther => "it shows activity outside the times that were counted",
            Self::CountersReachFurther => {
                "the counted times reach further than what was moved: flushes and syncs, and calls \
                 that move nothing, count as accesses"
            }
        }
    }
}

/// Gathers finer evidence of phases.
#[derive(Debug, Clone)]
pub struct Checks<'a> {
    phases: &'a [IoPhase],
    time_distance_s: f64,
    /// Which phase a file's requests belong to.
    places: HashMap<(u64, Api, Op), usize>,
    found: Vec<Seen>,
    /// Requests of files that no phase is about.
    elsewhere: u64,
}

#[derive(Debug, Clone, Default)]
struct Seen {
    stretches: Stretches,
    bytes: u64,
}

impl<'a> Checks<'a> {
    /// Nothing was seen yet.
    #[must_use]
    pub fn new(phases: &'a [IoPhase], time_distance_s: f64) -> Self {
        let mut places = HashMap::new();
        for (place, phase) in phases.iter().enumerate() {
            for &file in &phase.handles {
                places.insert((file, phase.api, phase.op), place);
            }
        }
        Self {
            phases,
            time_distance_s,
            places,
            found: vec![Seen::default(); phases.len()],
            elsewhere: 0,
        }
    }

    /// A request of a file, with its start and end. One that moved nothing is an access all the same.
    pub fn request(&mut self, file: u64, api: Api, op: Op, span: (f64, f64), bytes: u64) {
        let (start, end) = span;
        if !start.is_finite() || !end.is_finite() {
            return;
        }
        let Some(&place) = self.places.get(&(file, api, op)) else {
            self.elsewhere += 1;
            return;
        };
        let seen = &mut self.found[place];
        seen.bytes = seen.bytes.saturating_add(bytes);
        let (start, end) = (start.min(end), end.max(start));
        seen.stretches.add(start, end, self.time_distance_s);
    }

    /// How many requests were of files that no phase is about.
    #[must_use]
    pub fn elsewhere(&self) -> u64 {
        self.elsewhere
    }

    /// What requests say of each phase; `None` of those that none was seen of.
    #[must_use]
    pub fn of_requests(&self) -> Vec<Option<Agreement>> {
        let pairs = self.phases.iter().zip(&self.found);
        pairs
            .map(|(phase, seen)| {
                let (start_s, end_s) = seen.stretches.hull()?;
                let share = seen.bytes as f64 / phase.bytes as f64;
                let tolerance_s = (CLOSE_SHARE * phase.length_s()).max(TICK_S);
                Some(compared(
                    phase,
                    Witness::Dxt,
                    (start_s, end_s),
                    tolerance_s,
                    seen.stretches.list.len() as u64,
                    Some(share),
                ))
            })
            .collect()
    }
}

/// What a heatmap says of each phase of a layer and direction: whether something moved where it begins
/// and ends. `active` are the bins with bytes, each with its start and end, in order.
#[must_use]
pub fn of_bins(
    phase: &IoPhase,
    active: &[(f64, f64)],
    bin_width_s: f64,
    time_distance_s: f64,
) -> Option<Agreement> {
    let inside = |bin: &&(f64, f64)| {
        bin.1 >= phase.start_s - bin_width_s && bin.0 <= phase.end_s + bin_width_s
    };
    let mut stretches = Stretches::default();
    for &(start, end) in active.iter().filter(inside) {
        // A bin may have been active at its start or at its end alone.
        stretches.add(start, end, time_distance_s.max(bin_width_s));
    }
    let (first, last) = stretches.hull()?;
    // Within the first and last bin, the heatmap cannot tell.
    let start_s = phase.start_s.clamp(first, (first + bin_width_s).min(last));
    let end_s = phase.end_s.clamp((last - bin_width_s).max(first), last);
    Some(compared(
        phase,
        Witness::Heatmap,
        (start_s, end_s),
        bin_width_s,
        stretches.list.len() as u64,
        None,
    ))
}

fn compared(
    phase: &IoPhase,
    witness: Witness,
    (start_s, end_s): (f64, f64),
    tolerance_s: f64,
    stretches: u64,
    bytes_share: Option<f64>,
) -> Agreement {
    let (start_off_s, end_off_s) = (phase.start_s - start_s, phase.end_s - end_s);
    let agrees = start_off_s.abs() <= tolerance_s && end_off_s.abs() <= tolerance_s;
    let further = start_off_s > tolerance_s || end_off_s < -tolerance_s;
    let disagreement = match (agrees, bytes_share) {
        (true, _) => None,
        (false, _) if further => Some(Disagreement::ReachesFurther),
        (false, Some(share)) if share < 1.0 => Some(Disagreement::MissesBytes),
        (false, _) => Some(Disagreement::CountersReachFurther),
    };
    Agreement {
        witness,
        start_s,
        end_s,
        start_off_s,
        end_off_s,
        tolerance_s,
        agrees,
        disagreement,
        stretches,
        bytes_share,
    }
}

/// Stretches of time that lie further apart than a distance, in order.
#[derive(Debug, Clone, Default)]
struct Stretches {
    list: Vec<(f64, f64)>,
}

impl Stretches {
    fn add(&mut self, start: f64, end: f64, distance: f64) {
        // The first that is not wholly before, and the first that is wholly behind.
        let from = self
            .list
            .partition_point(|known| known.1 + distance < start);
        let to = self.list.partition_point(|known| known.0 <= end + distance);
        if from >= to {
            self.list.insert(from, (start, end));
        } else {
            let joined = (start.min(self.list[from].0), end.max(self.list[to - 1].1));
            self.list.splice(from..to, [joined]);
        }
        if self.list.len() > MOST_STRETCHES {
            self.join_closest();
        }
    }

    fn join_closest(&mut self) {
        let gap = |place: usize| self.list[place + 1].0 - self.list[place].1;
        let closest =
            (0..self.list.len() - 1).min_by(|&one, &other| gap(one).total_cmp(&gap(other)));
        if let Some(place) = closest {
            self.list[place].1 = self.list[place + 1].1;
            self.list.remove(place + 1);
        }
    }

    fn hull(&self) -> Option<(f64, f64)> {
        Some((self.list.first()?.0, self.list.last()?.1))
    }
}
