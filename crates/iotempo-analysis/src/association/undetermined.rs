//! Why a question about two columns has no answer.

use serde::Serialize;
use std::fmt;

/// One of the two columns.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Column {
    /// The first, such as the traffic of a file system.
    X,
    /// The second, such as the I/O time of jobs.
    Y,
}

/// Why nothing can be said. Never a NaN.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[serde(tag = "reason", rename_all = "snake_case")]
#[non_exhaustive]
pub enum Undetermined {
    /// The columns are not equally long.
    Lengths {
        /// How long the first is.
        x: usize,
        /// How long the other is.
        y: usize,
    },
    /// There are too few points.
    TooFew {
        /// The least number that can be spoken of.
        needed: usize,
        /// How many there are.
        found: usize,
    },
    /// A value is infinite, or none at all.
    NotFinite {
        /// Where.
        column: Column,
        /// At which place, from 0.
        index: usize,
        /// What is there.
        value: f64,
    },
    /// All values of a column are the same.
    Constant {
        /// Which column.
        column: Column,
        /// Its only value.
        value: f64,
    },
    /// A column differs from a constant one in too few values: nothing is left of it once the estimate
    /// is corrected for bias.
    Outweighed {
        /// Which column.
        column: Column,
    },
    /// All points lie on a straight line: they have no density.
    Collinear,
    /// There are not as many labels of blocks as points.
    Labels {
        /// How many labels.
        labels: usize,
        /// How many points.
        points: usize,
    },
    /// There is but one block, which cannot be exchanged with any other.
    OneBlock,
    /// There are so few days that no chance of them is small, and no interval holds what it says.
    FewDays {
        /// The least number that can be spoken of.
        needed: usize,
        /// How many there are.
        found: usize,
    },
    /// It is so by construction: volumes grow with the length of a job, whatever the traffic.
    BuiltIn,
    /// Points that are drawn twice would be mistaken for dependence.
    Repeats,
    /// A setting that has no meaning.
    Setting {
        /// Which one.
        name: &'static str,
        /// Its value.
        value: f64,
    },
}

impl fmt::Display for Column {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::X => "the first column",
            Self::Y => "the second column",
        })
    }
}

impl fmt::Display for Undetermined {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Lengths { x, y } => write!(f, "the columns have {x} and {y} values"),
            Self::TooFew { needed, found } => {
                let are = if *found == 1 {
                    "point is"
                } else {
                    "points are"
                };
                write!(f, "{found} {are} too few: it takes {needed}")
            }
            Self::NotFinite {
                column,
                index,
                value,
            } => write!(f, "{column} holds {value} at place {index}"),
            Self::Constant { column, value } => write!(f, "{column} is always {value}"),
            Self::Outweighed { column } => write!(f, "too few values of {column} differ"),
            Self::Collinear => f.write_str("all points lie on a straight line"),
            Self::Labels { labels, points } => {
                write!(f, "{labels} labels of blocks for {points} points")
            }
            Self::OneBlock => f.write_str("all points are of one block"),
            Self::FewDays { needed, found: 1 } => {
                write!(f, "all are of one day, and it takes {needed}")
            }
            Self::FewDays { needed, found } => {
                write!(f, "they are of {found} days only, and it takes {needed}")
            }
            Self::BuiltIn => f.write_str(
                "the runs that met the largest volumes are the longest ones by construction",
            ),
            Self::Repeats => f.write_str("points drawn twice would look like dependence"),
            Self::Setting { name, value } => write!(f, "{value} is no {name}"),
        }
    }
}

impl std::error::Error for Undetermined {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reason_names_the_place_and_the_value() {
        let nan = Undetermined::NotFinite {
            column: Column::Y,
            index: 7,
            value: f64::NAN,
        };
        assert_eq!(nan.to_string(), "the second column holds NaN at place 7");
        let few = Undetermined::TooFew {
            needed: 3,
            found: 2,
        };
        assert_eq!(few.to_string(), "2 points are too few: it takes 3");
    }
}
