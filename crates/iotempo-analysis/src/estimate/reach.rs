//! How far benchmarks may be stretched, and why a scenario has no match.

use super::coordinates::{NAMES, Point, Volume};
use iotempo_model::{Kind, Scenario};
use serde::Serialize;
use std::fmt;

/// How far from benchmarks a scenario may lie.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Reach {
    /// Beyond the smallest and the largest benchmark, so many times the step between the last two.
    pub cells: f64,
}

impl Default for Reach {
    fn default() -> Self {
        Self { cells: 1.0 }
    }
}

/// The step at an edge where there is but one value: a doubling.
const ONLY_STEP: f64 = std::f64::consts::LN_2;

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
        /// The smallest that can be spoken of.
        low: f64,
        /// The largest.
        high: f64,
    },
    /// It moves nothing, by nobody, or in no requests.
    Nothing,
    /// Nobody says how many processes it has.
    ProcessesUnknown,
}

impl fmt::Display for Unmatched {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => f.write_str("there are no benchmarks"),
            Self::Nothing => f.write_str("it moves nothing"),
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
                low,
                high,
            } => {
                let [value, low, high] = [value, low, high].map(|size| told(*size, what));
                let what = what.strip_prefix("bytes ").unwrap_or(what);
                write!(
                    f,
                    "it has {value} {what}; the benchmarks of its kind speak of {low} to {high}"
                )
            }
        }
    }
}

impl std::error::Error for Unmatched {}

/// A size with so many digits that a percent shows: `8`, `1.5 MiB`.
fn told(size: f64, what: &str) -> String {
    const NAMES: [&str; 5] = ["bytes", "KiB", "MiB", "GiB", "TiB"];
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

impl Reach {
    /// Whether a place is near enough to some others of its kind, size by size.
    pub(super) fn check<'a>(
        &self,
        place: &Point,
        others: impl Iterator<Item = &'a Point> + Clone,
        volume: Volume,
    ) -> Result<(), Unmatched> {
        for (size, name) in NAMES.into_iter().enumerate() {
            let mut values: Vec<f64> = others.clone().map(|other| other.0[size]).collect();
            values.sort_by(f64::total_cmp);
            values.dedup_by(|a, b| (*a - *b).abs() < 0.01);
            let (Some(first), Some(last)) = (values.first(), values.last()) else {
                return Err(Unmatched::Empty);
            };
            let step = |one: Option<&f64>, other: Option<&f64>| match (one, other) {
                (Some(one), Some(other)) => (one - other).abs(),
                _ => ONLY_STEP,
            };
            let below = self.cells * step(values.first(), values.get(1));
            let above = self.cells
                * step(
                    values.last(),
                    values.len().checked_sub(2).map(|i| &values[i]),
                );
            // A hair, because sizes are rounded.
            let (low, high) = (first - below - 0.01, last + above + 0.01);
            if !(low..=high).contains(&place.0[size]) {
                let what = if size == 2 { volume.name() } else { name };
                return Err(Unmatched::Size {
                    what,
                    value: place.0[size].exp(),
                    // There is no half a node.
                    low: (first - below).exp().max(1.0),
                    high: (last + above).exp(),
                });
            }
        }
        Ok(())
    }
}

/// Whether a scenario is one at all.
pub(super) fn is_something(scenario: &Scenario) -> bool {
    let sizes = [
        scenario.nodes,
        scenario.processes,
        scenario.bytes_per_process,
        scenario.request_bytes,
    ];
    sizes.iter().all(|&size| size > 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_told_with_units_and_so_that_they_differ() {
        let why = |what, value, low, high| {
            let why = Unmatched::Size {
                what,
                value,
                low,
                high,
            };
            why.to_string()
        };
        let mib = 1_048_576.0;
        assert_eq!(
            why("bytes per request", 4.04 * mib, 0.5 * mib, 4.0 * mib),
            "it has 4.04 MiB per request; the benchmarks of its kind speak of 512 KiB to 4 MiB"
        );
        assert_eq!(
            why("bytes in all", 100.0, 2048.0, 1536.0 * mib),
            "it has 100 bytes in all; the benchmarks of its kind speak of 2 KiB to 1.5 GiB"
        );
        assert_eq!(
            why("processes per node", 5.333_333, 8.0, 4096.0),
            "it has 5.333 processes per node; the benchmarks of its kind speak of 8 to 4096"
        );
    }
}
