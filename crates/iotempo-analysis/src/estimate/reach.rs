//! How far benchmarks may be stretched, and why a scenario has no match.

use super::coordinates::{NAMES, Point, SIZES, Volume};
use iotempo_model::{Kind, Scenario, counted};
use serde::Serialize;
use std::fmt;

/// How far from benchmarks a scenario may lie.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Reach {
    /// In each size, so many times the step from one benchmark to the next, of which none is taken for more
    /// than a factor of 4. One benchmark must be that near in all sizes at once.
    pub cells: f64,
}

impl Default for Reach {
    fn default() -> Self {
        Self { cells: 1.0 }
    }
}

/// The step where there is but one value: a doubling.
const ONLY_STEP: f64 = std::f64::consts::LN_2;

/// The longest step, a factor of 4: whoever measures 4 KiB and 1 GiB knows nothing of what lies between.
const LONGEST_STEP: f64 = 2.0 * std::f64::consts::LN_2;

/// A hair, because sizes are rounded.
const HAIR: f64 = 0.01;

/// Why nothing can be said of a scenario.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Unmatched {
    /// There are no benchmarks at all.
    Empty,
    /// There are benchmarks, but none of its kind.
    Kind {
        /// What was looked for.
        wanted: Kind,
        /// What there is.
        known: Vec<Kind>,
    },
    /// Its kind was benchmarked, but nothing near its size.
    Size {
        /// Which size.
        what: &'static str,
        /// Its value.
        value: f64,
        /// The smallest and the largest of the benchmarks.
        known: [f64; 2],
        /// The smallest and the largest that can be spoken of.
        reached: [f64; 2],
    },
    /// Each of its sizes was benchmarked, but never all of them together.
    Far {
        /// What comes nearest.
        nearest: Scenario,
    },
    /// It moves nothing, or by nobody.
    Nothing,
    /// It moves bytes, but nobody says in how many requests.
    NoRequests,
    /// Nobody says how many processes it has.
    ProcessesUnknown,
}

impl fmt::Display for Unmatched {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => f.write_str("there are no benchmarks"),
            Self::Nothing => f.write_str("it moves nothing"),
            Self::NoRequests => f.write_str("the log does not tell how many requests it made"),
            Self::Far { nearest } => {
                let size = |bytes: u64| told(bytes as f64, "bytes");
                let ending = if nearest.processes == 1 { "" } else { "es" };
                write!(
                    f,
                    "no benchmark of its kind is near it in all sizes at once; the nearest one has {}, {} \
                     process{ending}, and {} per process in requests of {}",
                    counted(nearest.nodes, "node"),
                    nearest.processes,
                    size(nearest.bytes_per_process),
                    size(nearest.request_bytes),
                )
            }
            Self::ProcessesUnknown => {
                f.write_str("the log does not tell how many processes took part")
            }
            Self::Kind { wanted, known } => {
                write!(f, "no benchmark of its kind ({wanted}); there are: ")?;
                for (at, kind) in known.iter().enumerate() {
                    let between = if at == 0 { "" } else { "; " };
                    write!(f, "{between}{kind}")?;
                }
                Ok(())
            }
            Self::Size {
                what,
                value,
                known: [first, last],
                reached: [low, high],
            } => {
                let [value, first, last, low, high] =
                    [value, first, last, low, high].map(|size| told(*size, what));
                let known = match first == last {
                    true => first,
                    false => format!("{first} to {last}"),
                };
                let mut what = what.strip_prefix("bytes ").unwrap_or(what).to_owned();
                if value == "1" {
                    what = what
                        .replacen("processes", "process", 1)
                        .replacen("nodes", "node", 1);
                }
                write!(
                    f,
                    "it has {value} {what}; the benchmarks of its kind have {known}, and reach from {low} to {high}"
                )
            }
        }
    }
}

impl std::error::Error for Unmatched {}

/// A size with so many digits that a percent shows: `8`, `1.5 MiB`.
fn told(size: f64, what: &str) -> String {
    const NAMES: [&str; 5] = ["bytes", "KiB", "MiB", "GiB", "TiB"];
    if what.starts_with("bytes") && size.round() == 1.0 {
        return "1 byte".to_owned();
    }
    if !what.starts_with("bytes") {
        return digits(size);
    }
    let (mut size, mut name) = (size, 0);
    while size >= 1023.5 && name + 1 < NAMES.len() {
        size /= 1024.0;
        name += 1;
    }
    format!("{} {}", digits(size), NAMES[name])
}

/// Four digits, or as many as stand before the point.
fn digits(value: f64) -> String {
    let before = value.abs().max(1.0).log10().floor() as usize + 1;
    let text = format!("{value:.*}", 4_usize.saturating_sub(before));
    match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.').to_owned(),
        false => text,
    }
}

/// The sizes of all benchmarks of a kind, each in order.
#[derive(Debug, Clone)]
pub(super) struct Grid([Vec<f64>; SIZES]);

impl Grid {
    pub(super) fn of<'a>(points: impl Iterator<Item = &'a Point> + Clone) -> Self {
        Self(std::array::from_fn(|size| {
            let mut values: Vec<f64> = points.clone().map(|point| point.0[size]).collect();
            values.sort_by(f64::total_cmp);
            values.dedup_by(|a, b| (*a - *b).abs() < HAIR);
            values
        }))
    }

    /// From one benchmark to the next, around a value of one size: the longer way where it is one of theirs,
    /// and that between the last two where it lies outside.
    fn step(&self, size: usize, value: f64) -> f64 {
        let values = &self.0[size];
        let from = values.partition_point(|other| *other < value - HAIR);
        let to = values.partition_point(|other| *other <= value + HAIR);
        // The neighbours on both sides, or the two at the edge.
        let low = from.saturating_sub(1).min(values.len().saturating_sub(2));
        let high = to.max(1).min(values.len().saturating_sub(1));
        let steps = values.get(low..=high).unwrap_or_default().windows(2);
        let longest = steps.map(|pair| pair[1] - pair[0]).reduce(f64::max);
        longest.unwrap_or(ONLY_STEP).min(LONGEST_STEP)
    }
}

impl Reach {
    /// Whether a size is not beyond all others.
    pub(super) fn check(
        &self,
        place: &Point,
        grid: &Grid,
        volume: Volume,
    ) -> Result<(), Unmatched> {
        for (size, name) in NAMES.into_iter().enumerate() {
            let (Some(&first), Some(&last)) = (grid.0[size].first(), grid.0[size].last()) else {
                return Err(Unmatched::Empty);
            };
            let beyond = |edge: f64| self.cells * grid.step(size, edge);
            let (low, high) = (first - beyond(first), last + beyond(last));
            if !(low - HAIR..=high + HAIR).contains(&place.0[size]) {
                let what = if size == 2 { volume.name() } else { name };
                return Err(Unmatched::Size {
                    what,
                    value: place.0[size].exp(),
                    known: [first, last].map(f64::exp),
                    // There is no half a node.
                    reached: [low.exp().max(1.0), high.exp()],
                });
            }
        }
        Ok(())
    }

    /// Whether a benchmark is near a place in all sizes at once.
    pub(super) fn is_near(&self, place: &Point, grid: &Grid, other: &Point) -> bool {
        (0..SIZES).all(|size| {
            let apart = (place.0[size] - other.0[size]).abs();
            apart <= self.cells * grid.step(size, place.0[size]) + HAIR
        })
    }
}

/// Whether a scenario is one at all.
pub(super) fn is_something(scenario: &Scenario) -> Result<(), Unmatched> {
    let sizes = [
        scenario.nodes,
        scenario.processes,
        scenario.bytes_per_process,
    ];
    if sizes.contains(&0) {
        return Err(Unmatched::Nothing);
    }
    match scenario.request_bytes {
        0 => Err(Unmatched::NoRequests),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_told_with_units_and_so_that_they_differ() {
        let why = |what, value, known, reached| {
            let why = Unmatched::Size {
                what,
                value,
                known,
                reached,
            };
            why.to_string()
        };
        let mib = 1_048_576.0;
        assert_eq!(
            why(
                "bytes per request",
                4.04 * mib,
                [mib, mib],
                [0.5 * mib, 4.0 * mib]
            ),
            "it has 4.04 MiB per request; the benchmarks of its kind have 1 MiB, and reach from 512 KiB to 4 MiB"
        );
        assert_eq!(
            why("bytes in all", 100.0, [4096.0, mib], [1.0, 1536.0 * mib]),
            "it has 100 bytes in all; the benchmarks of its kind have 4 KiB to 1 MiB, and reach from 1 byte to 1.5 GiB"
        );
        assert_eq!(
            why("processes per node", 1.0, [16.0, 2048.0], [8.0, 4096.0]),
            "it has 1 process per node; the benchmarks of its kind have 16 to 2048, and reach from 8 to 4096"
        );
    }
}
