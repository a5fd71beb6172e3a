//! Loads, with their units.

use crate::axis::Scale;
use crate::figures::significant;
use crate::quantity::{self, Units};
use iotempo_analysis::correlate::{LoadMetric, Measure};

/// What loads are, and in which unit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Quantity {
    /// What they are.
    pub name: String,
    /// In which unit.
    pub unit: Unit,
}

/// The unit of loads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unit {
    /// Bytes.
    Bytes,
    /// Bytes per second.
    BytesPerSecond,
    /// Operations.
    Operations,
    /// Operations per second.
    OperationsPerSecond,
    /// That of a column, which nobody told.
    OfColumn,
}

/// Thousands, by their power.
const THOUSANDS: [&str; 7] = ["", "10³", "10⁶", "10⁹", "10¹²", "10¹⁵", "10¹⁸"];

impl Unit {
    /// The unit of the loads of logs.
    #[must_use]
    pub const fn of(metric: LoadMetric) -> Self {
        match (metric.traffic.is_bytes(), metric.measure) {
            (true, Measure::Volume) => Self::Bytes,
            (true, Measure::Rate | Measure::Others) => Self::BytesPerSecond,
            (false, Measure::Volume) => Self::Operations,
            (false, Measure::Rate | Measure::Others) => Self::OperationsPerSecond,
        }
    }

    /// Its name; `None` where nobody told.
    #[must_use]
    pub const fn name(self) -> Option<&'static str> {
        match self {
            Self::Bytes => Some("bytes"),
            Self::BytesPerSecond => Some("bytes/s"),
            Self::Operations => Some("operations"),
            Self::OperationsPerSecond => Some("operations/s"),
            Self::OfColumn => None,
        }
    }

    /// A load for a person.
    pub(super) fn write(self, load: f64, units: Units) -> String {
        // Prefixes are chosen for what is above 0.
        let sign = if load < 0.0 { "−" } else { "" };
        let size = load.abs();
        let number = match size {
            1e6.. => format!("{size:.2e}"),
            _ => significant(size, 4),
        };
        let text = match self {
            Self::Bytes => quantity::bytes(size, units),
            Self::BytesPerSecond => quantity::rate(size, units),
            Self::Operations => format!("{number} operations"),
            Self::OperationsPerSecond => format!("{number} operations/s"),
            Self::OfColumn => number,
        };
        format!("{sign}{text}")
    }

    /// What the numbers of an axis that ends at `highest` are multiples of.
    pub(super) fn scale(self, highest: f64, units: Units) -> Scale {
        let of_bytes = Scale::of_rates(highest, units);
        match self {
            Self::BytesPerSecond => of_bytes,
            Self::Bytes => Scale {
                unit: of_bytes.unit.trim_end_matches("/s").to_owned(),
                ..of_bytes
            },
            Self::Operations => thousands(highest, "operations"),
            Self::OperationsPerSecond => thousands(highest, "operations/s"),
            Self::OfColumn => thousands(highest, ""),
        }
    }
}

fn thousands(highest: f64, of: &str) -> Scale {
    let fits = |power: &usize| highest < 1000_f64.powi(*power as i32 + 1);
    let last = THOUSANDS.len() - 1;
    // Up to 10,000 zeros are easier to read than powers.
    let power = match highest < 1e4 {
        true => 0,
        false => (0..=last).find(fits).unwrap_or(last),
    };
    Scale {
        unit: [THOUSANDS[power], of].join(" ").trim().to_owned(),
        size: 1000_f64.powi(power as i32),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn loads_have_their_unit() {
        for (unit, load, said) in [
            (Unit::Bytes, 1.5e9, "1.5 GB"),
            (Unit::BytesPerSecond, 1.5e9, "1.5 GB/s"),
            (Unit::BytesPerSecond, -2e6, "−2 MB/s"),
            (Unit::Operations, 12_345.678, "12350 operations"),
            (Unit::OperationsPerSecond, 0.25, "0.25 operations/s"),
            (Unit::OfColumn, 3.214e10, "3.21e10"),
        ] {
            assert_eq!(unit.write(load, Units::Si), said);
        }
    }

    #[test]
    fn axes_have_one_unit() {
        for (unit, highest, name, size) in [
            (Unit::Bytes, 3e12, "TB", 1e12),
            (Unit::BytesPerSecond, 3e9, "GB/s", 1e9),
            (Unit::OfColumn, 3e10, "10⁹", 1e9),
            (Unit::OfColumn, 8000.0, "", 1.0),
            (Unit::Operations, 2e6, "10⁶ operations", 1e6),
            (Unit::OfColumn, 1e30, "10¹⁸", 1e18),
        ] {
            let scale = unit.scale(highest, Units::Si);
            assert_eq!((scale.unit.as_str(), scale.size), (name, size));
        }
    }
}
