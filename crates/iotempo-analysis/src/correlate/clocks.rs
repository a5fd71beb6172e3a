//! Whether the clocks of servers agree.
//!
//! Servers of one file system mostly rise and fall together, because files lie on many of them. Where one of
//! them does so as clearly some time later, and only then, its clock is doubted; nothing is moved because of it.

use crate::plans;
use std::collections::BTreeMap;
use std::fmt;

/// What each server moved, as far as it takes to compare clocks.
#[derive(Debug, Default)]
pub struct ServerClocks {
    /// The length of a cell: that of the first interval.
    step_s: Option<f64>,
    servers: Vec<Heard>,
    chunks: usize,
    /// Whether some of it was too much to keep.
    is_full: bool,
}

#[derive(Debug)]
struct Heard {
    name: String,
    is_named: bool,
    hull: (f64, f64),
    chunks: BTreeMap<i64, Box<[f32]>>,
}

/// Something about the clocks of servers that a person should look at.
#[derive(Debug, Clone, PartialEq)]
pub enum ClockDoubt {
    /// A server does what the others do, but later.
    Ahead {
        /// The server.
        server: String,
        /// The other one; `None` where it is held against several.
        than: Option<String>,
        /// By how much later; negative where it is earlier.
        seconds: f64,
        /// To this length it is known.
        step_s: f64,
        /// How the changes of both correlate then, and as logs have it.
        correlation: (f64, f64),
    },
    /// A server's log begins and ends later than that of the others, by the same time.
    Later {
        /// The server.
        server: String,
        /// The other one; `None` where it is held against several.
        than: Option<String>,
        /// By how much; negative where it is earlier.
        seconds: f64,
    },
    /// A server's log is of another time than the others.
    Apart {
        /// The server.
        server: String,
        /// The other one; `None` where it is held against several.
        than: Option<String>,
        /// When its log begins and ends, in seconds since 1970.
        own: (f64, f64),
        /// When those of the others do.
        others: (f64, f64),
    },
    /// There are too many servers, or too long logs of them.
    NotCompared {
        /// How many servers.
        servers: usize,
    },
}

const CHUNK: i64 = 1024;
/// Of more chunks than these, which are some 130 MB, clocks are not compared any more.
const MOST_CHUNKS: usize = 1 << 15;
/// Nor of more servers: each is held against all others.
const MOST_SERVERS: usize = 64;
/// So many cells are compared, three months of minutes: a clock that is wrong is so all the time.
const MOST_CELLS: usize = 1 << 17;
/// The longest offset that is looked for.
const FARTHEST_S: f64 = 86_400.0;
/// Fewer changes tell nothing.
const FEWEST_CHANGES: usize = 200;
/// The least correlation that is spoken of, and in deviations of what chance gives: the largest of thousands of
/// offsets is about four of them.
const CLEAR: f64 = 0.2;
const DEVIATIONS: f64 = 6.0;
/// By how much the best offset must beat all others.
const SHARP: f64 = 2.0;
/// An offset of fewer cells may come from where intervals begin.
const LEAST_CELLS: i64 = 2;
/// The share of time that logs must have in common.
const COMMON: f64 = 0.9;

impl ServerClocks {
    /// The number of a server, for [`ServerClocks::hear`]. One that is known by its log alone (`is_named` is
    /// false) may have more logs of other times.
    pub fn server(&mut self, name: &str, is_named: bool) -> usize {
        let known = self.servers.iter().position(|one| one.name == name);
        known.unwrap_or_else(|| {
            self.servers.push(Heard {
                name: name.to_owned(),
                is_named,
                hull: (f64::INFINITY, f64::NEG_INFINITY),
                chunks: BTreeMap::new(),
            });
            self.servers.len() - 1
        })
    }

    /// Takes what a server moved from one instant to another.
    pub fn hear(&mut self, server: usize, (start_s, end_s): (f64, f64), bytes: f64) {
        let length = end_s - start_s;
        let Some(heard) = self.servers.get_mut(server).filter(|_| length > 0.0) else {
            return;
        };
        heard.hull = (heard.hull.0.min(start_s), heard.hull.1.max(end_s));
        let step = *self.step_s.get_or_insert(length);
        let cells = (length / step).round().clamp(1.0, 8.0);
        for part in 0..cells as i64 {
            let at = start_s + (part as f64 + 0.5) / cells * length;
            let cell = (at / step).floor() as i64;
            let key = cell.div_euclid(CHUNK);
            if !heard.chunks.contains_key(&key) {
                if self.chunks == MOST_CHUNKS {
                    self.is_full = true;
                    return;
                }
                self.chunks += 1;
            }
            let empty = || vec![f32::NAN; CHUNK as usize].into_boxed_slice();
            let chunk = heard.chunks.entry(key).or_insert_with(empty);
            let moved = &mut chunk[cell.rem_euclid(CHUNK) as usize];
            // Adding to what was not seen would leave it unseen.
            *moved = if moved.is_nan() { 0.0 } else { *moved } + (bytes / cells) as f32;
        }
    }

    /// What is odd about them; of two servers, about the second.
    #[must_use]
    pub fn doubts(&self) -> Vec<ClockDoubt> {
        let heard: Vec<&Heard> = self
            .servers
            .iter()
            .filter(|one| !one.chunks.is_empty())
            .collect();
        let Some(step_s) = self.step_s.filter(|_| heard.len() > 1) else {
            return Vec::new();
        };
        let mut starts: Vec<f64> = heard.iter().map(|one| one.hull.0).collect();
        starts.sort_unstable_by(f64::total_cmp);
        // A single wild stamp does not decide where to look.
        let from = starts[(starts.len() - 1) / 2] - FARTHEST_S.min(step_s * 1e4);
        let first = (from / step_s).floor() as i64;
        let too_much = self.is_full || heard.len() > MOST_SERVERS;
        let series: Vec<Vec<f32>> = match too_much {
            true => Vec::new(),
            false => heard.iter().map(|one| one.cells(first)).collect(),
        };
        let two = heard.len() == 2;
        let looked_at = usize::from(two)..heard.len();
        let not_compared = too_much.then_some(ClockDoubt::NotCompared {
            servers: heard.len(),
        });
        looked_at
            .flat_map(|at| {
                let than = two.then(|| heard[0].name.clone());
                let found = ahead(&series, at).map(|(steps, correlation)| ClockDoubt::Ahead {
                    server: heard[at].name.clone(),
                    than: than.clone(),
                    seconds: steps as f64 * step_s,
                    step_s,
                    correlation,
                });
                let spans = spans(&heard, at, than, step_s, found.is_some());
                found.into_iter().chain(spans)
            })
            .chain(not_compared)
            .collect()
    }
}

impl Heard {
    /// What was moved in each cell from `first` on; NaN where nobody looked.
    fn cells(&self, first: i64) -> Vec<f32> {
        let mut cells = vec![f32::NAN; MOST_CELLS];
        for (key, chunk) in &self.chunks {
            for (index, moved) in (0..).zip(chunk.iter()) {
                let place = usize::try_from(key * CHUNK + index - first).ok();
                if let Some(cell) = place.and_then(|place| cells.get_mut(place)) {
                    *cell = *moved;
                }
            }
        }
        cells
    }
}

/// What the spans of logs say.
fn spans(
    heard: &[&Heard],
    at: usize,
    than: Option<String>,
    step_s: f64,
    is_ahead: bool,
) -> Option<ClockDoubt> {
    let own = heard[at].hull;
    // Logs that name no server, and follow each other, are of one: only those of the same time are of others.
    let others = heard.iter().enumerate().filter(|(place, one)| {
        let common = own.1.min(one.hull.1) - own.0.max(one.hull.0);
        *place != at && (heard[at].is_named || one.is_named || common > 0.0)
    });
    let others = others.fold((f64::INFINITY, f64::NEG_INFINITY), |hull, (_, one)| {
        (hull.0.min(one.hull.0), hull.1.max(one.hull.1))
    });
    let length = |(start, end): (f64, f64)| end - start;
    let common = length((own.0.max(others.0), own.1.min(others.1)));
    if others.0 > others.1 {
        return None;
    }
    let server = heard[at].name.clone();
    let (late, later) = (own.0 - others.0, own.1 - others.1);
    let alike = (late - later).abs() <= step_s && late.abs() >= 2.0 * step_s;
    if alike && !is_ahead && common > 0.0 {
        return Some(ClockDoubt::Later {
            server,
            than,
            seconds: late,
        });
    }
    let apart = common < COMMON * length(own).max(length(others));
    (apart && !is_ahead).then_some(ClockDoubt::Apart {
        server,
        than,
        own,
        others,
    })
}

/// How traffic changes from cell to cell; 0 where that is not known.
fn changes(cells: impl Iterator<Item = f32>) -> Vec<f64> {
    let logs: Vec<f64> = cells.map(|moved| f64::from(moved).ln_1p()).collect();
    let change = |pair: &[f64]| {
        let change = pair[1] - pair[0];
        if change.is_finite() { change } else { 0.0 }
    };
    logs.windows(2).map(change).collect()
}

/// By how many cells a server does later what the others do, with the correlation then and at once. `None`
/// where that is not clear.
fn ahead(series: &[Vec<f32>], at: usize) -> Option<(i64, (f64, f64))> {
    let changed = series.get(at)?;
    let others = (0..MOST_CELLS).map(|cell| {
        let seen = series.iter().enumerate().filter(|(place, _)| *place != at);
        let seen = seen
            .map(|(_, cells)| cells[cell])
            .filter(|one| !one.is_nan());
        seen.reduce(|sum, one| sum + one).unwrap_or(f32::NAN)
    });
    let (own, others) = (changes(changed.iter().copied()), changes(others));
    let known = |changes: &[f64]| changes.iter().filter(|change| **change != 0.0).count();
    let count = known(&own).min(known(&others));
    if count < FEWEST_CHANGES {
        return None;
    }
    let lags = correlations(&own, &others)?;
    // Up to half of what there is: with less in common a correlation is no evidence.
    let farthest = (count / 2).min(lags.len() / 2 - 1) as i64;
    let value = |lag: i64| lags[lag.rem_euclid(lags.len() as i64) as usize];
    let best = (-farthest..=farthest).max_by(|a, b| value(*a).total_cmp(&value(*b)))?;
    let clear = value(best) >= CLEAR.max(DEVIATIONS / (count as f64).sqrt());
    let mut rivals = (-farthest..=farthest).filter(|lag| *lag == 0 || (lag - best).abs() > 2);
    let sharp = rivals.all(|lag| value(best) >= SHARP * value(lag));
    (best.abs() >= LEAST_CELLS && clear && sharp).then(|| (best, (value(best), value(0))))
}

/// `Σ a(t) b(t − lag)` over the root of both energies, at the lags from 0 on; negative ones are at the end.
fn correlations(a: &[f64], b: &[f64]) -> Option<Vec<f64>> {
    let energy = |column: &[f64]| column.iter().map(|x| x * x).sum::<f64>();
    let scale = (energy(a) * energy(b)).sqrt();
    if !(scale.is_finite() && scale > 0.0) {
        return None;
    }
    let padded = (a.len() + b.len()).next_power_of_two();
    let (forward, inverse) = (plans::forward(padded), plans::inverse(padded));
    let transform = |column: &[f64]| {
        let mut signal = forward.make_input_vec();
        signal[..column.len()].copy_from_slice(column);
        let mut spectrum = forward.make_output_vec();
        // It fails on buffers of the wrong length only; these are of its own.
        let _ = forward.process(&mut signal, &mut spectrum);
        spectrum
    };
    let (mut both, other) = (transform(a), transform(b));
    for (bin, other) in both.iter_mut().zip(other) {
        *bin *= other.conj();
    }
    // The ends of a product of two spectra of real signals are real, but for rounding.
    if let [first, .., last] = both.as_mut_slice() {
        (first.im, last.im) = (0.0, 0.0);
    }
    let mut lags = inverse.make_output_vec();
    inverse.process(&mut both, &mut lags).ok()?;
    lags.iter_mut()
        .for_each(|lag| *lag /= padded as f64 * scale);
    Some(lags)
}

impl ClockDoubt {
    /// For a person, who reads times as `date` writes them.
    pub fn words(&self, date: impl Fn(f64) -> String) -> String {
        let named = |than: &Option<String>| match than {
            Some(one) => one.clone(),
            None => "the others".to_owned(),
        };
        match self {
            Self::Ahead {
                server,
                than,
                seconds,
                step_s,
                correlation: (then, now),
            } => format!(
                "{server}: it does what {} did, {} s {} (changes correlate at {then:.2} then, at {now:.2} as the logs have \
                 them): its clock seems to be {} by {} s, to about {step_s} s; traffic is blurred by as much, and its log is better \
                 set right first",
                named(than),
                seconds.abs(),
                if *seconds > 0.0 { "later" } else { "earlier" },
                if *seconds > 0.0 { "ahead" } else { "behind" },
                seconds.abs(),
            ),
            Self::Later {
                server,
                than,
                seconds,
            } => format!(
                "{server}: its log begins and ends {:.0} s {} than that of {}: if they were kept at the same time, its clock is {} by as \
                 much",
                seconds.abs(),
                if *seconds > 0.0 { "later" } else { "earlier" },
                named(than),
                if *seconds > 0.0 { "ahead" } else { "behind" },
            ),
            Self::NotCompared { servers } => format!(
                "whether the clocks of servers agree was not looked at: there are {servers} of them, or their logs are too long"
            ),
            Self::Apart {
                server,
                than,
                own,
                others,
            } => format!(
                "{server}: its log goes from {} to {}, that of {} from {} to {}: where one of them is missing, so is what it moved, or nothing is known at all; if they \
                 were kept at the same time, a clock or a zone is wrong (--log-zone)",
                date(own.0),
                date(own.1),
                named(than),
                date(others.0),
                date(others.1),
            ),
        }
    }
}

impl fmt::Display for ClockDoubt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.words(|at| format!("{at} s")))
    }
}

#[cfg(test)]
mod tests;
