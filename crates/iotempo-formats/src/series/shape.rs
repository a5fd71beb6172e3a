//! From named lists to transfers: which lists belong together, and what they say.

use super::names::Column;
use super::node::{Node, Values};
use crate::error::{Error, Place};

/// Lists that together say when how much moved.
#[derive(Debug, PartialEq)]
pub(crate) enum Series {
    /// A rate that holds from each time to the next; nothing says how long the last one does.
    Steps { rates: Vec<f64>, times: Vec<f64> },
    /// A rate over an interval.
    Phases {
        rates: Vec<f64>,
        starts: Vec<f64>,
        ends: Vec<f64>,
    },
    /// A volume over an interval.
    Transfers {
        bytes: Vec<f64>,
        starts: Vec<f64>,
        ends: Vec<f64>,
    },
}

/// Lists that belong together, the best evidence first. What the user mapped comes before the
/// formats' own, and FTIO prefers the application's level to the ranks'.
const SHAPES: [&[Column]; 6] = [
    &[Column::Bytes, Column::Start, Column::End],
    &[Column::Rate, Column::Start, Column::End],
    &[Column::Rate, Column::Time],
    STARTS_ALONE,
    &[Column::OverlapRate, Column::OverlapTime],
    &[Column::RankRate, Column::RankStart, Column::RankEnd],
];

/// FTIO's messages may leave the ends out, where each rate holds to the next start.
const STARTS_ALONE: &[Column] = &[Column::Rate, Column::Start];

impl Node {
    /// Takes the series of this node; `None` where it has none.
    ///
    /// Where the document was `cut`, lists may be missing or end early: what they have in common
    /// is kept.
    ///
    /// # Errors
    /// Where a list is missing beside another, or their lengths differ.
    pub(crate) fn take_series(&mut self, mode: &str, cut: bool) -> Result<Option<Series>, Error> {
        let columns = std::mem::take(&mut self.columns);
        if columns.is_empty() {
            return Ok(None);
        }
        let Some(shape) = shape_of(&columns, cut) else {
            return if cut {
                Ok(None)
            } else {
                Err(missing(mode, &columns))
            };
        };
        let mut lists: Vec<Values> = columns
            .into_iter()
            .filter(|known| shape.contains(&known.column))
            .collect();
        lists.sort_by_key(|known| shape.iter().position(|column| *column == known.column));
        if cut {
            let shortest = lists
                .iter()
                .map(|list| list.values.len())
                .min()
                .unwrap_or(0);
            lists
                .iter_mut()
                .for_each(|list| list.values.truncate(shortest));
        }
        same_length(mode, &lists)?;
        Ok(series_of(shape, lists))
    }
}

fn shape_of(columns: &[Values], cut: bool) -> Option<&'static [Column]> {
    let has = |column: &Column| columns.iter().any(|known| known.column == *column);
    // Ends may be what a cut took away, and GekkoFS always has them.
    let needs_ends = cut || columns.iter().any(Values::is_of_gekkofs);
    let complete =
        |shape: &&[Column]| shape.iter().all(has) && !(needs_ends && *shape == STARTS_ALONE);
    SHAPES.into_iter().find(complete)
}

fn series_of(shape: &[Column], lists: Vec<Values>) -> Option<Series> {
    let exact = shape[0] == Column::Bytes;
    let mut lists = lists.into_iter().map(|list| list.values);
    let (first, starts, ends) = (lists.next()?, lists.next()?, lists.next());
    Some(match ends {
        None => Series::Steps {
            rates: first,
            times: starts,
        },
        Some(ends) if exact => Series::Transfers {
            bytes: first,
            starts,
            ends,
        },
        Some(ends) => Series::Phases {
            rates: first,
            starts,
            ends,
        },
    })
}

fn same_length(mode: &str, lists: &[Values]) -> Result<(), Error> {
    let Some((first, others)) = lists.split_first() else {
        return Ok(());
    };
    match others
        .iter()
        .find(|list| list.values.len() != first.values.len())
    {
        None => Ok(()),
        Some(other) => Err(Error::invalid(
            mode.to_owned(),
            Place::Byte(other.at),
            format!("{} and {} have different lengths", first.name, other.name),
            format!("{} and {}", first.values.len(), other.values.len()),
        )),
    }
}

/// What is missing of the shape that lacks least.
fn missing(mode: &str, columns: &[Values]) -> Error {
    let lacks = |shape: &&[Column]| {
        shape
            .iter()
            .filter(|column| columns.iter().all(|known| known.column != **column))
            .count()
    };
    let begun = SHAPES
        .into_iter()
        .filter(|shape| columns.iter().any(|known| shape.contains(&known.column)))
        .filter(|shape| lacks(shape) > 0)
        .min_by_key(lacks);
    let lacking = begun
        .unwrap_or_default()
        .iter()
        .filter(|column| columns.iter().all(|known| known.column != **column));
    let names: Vec<&str> = lacking.map(|column| name_of(*column)).collect();
    let present: Vec<&str> = columns.iter().map(|known| known.name.as_str()).collect();
    Error::invalid(
        mode.to_owned(),
        Place::Byte(columns[0].at),
        format!("beside {} there is no", present.join(", ")),
        names.join(", "),
    )
}

fn name_of(column: Column) -> &'static str {
    match column {
        Column::OverlapRate => "b_overlap_avr",
        Column::OverlapTime => "t_overlap",
        Column::RankRate => "b_rank_avr",
        Column::RankStart => "t_rank_s",
        Column::RankEnd => "t_rank_e",
        Column::Rate => "bandwidth",
        Column::Time => "time",
        Column::Start => "start",
        Column::End => "end",
        Column::Bytes => "bytes",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn node(lists: &[(Column, &str, &[f64])]) -> Node {
        let values = |(column, name, values): &(Column, &str, &[f64])| Values {
            column: *column,
            name: (*name).to_owned(),
            at: 7,
            values: values.to_vec(),
        };
        Node {
            columns: lists.iter().map(values).collect(),
            ..Node::default()
        }
    }

    #[test]
    fn the_level_of_the_application_is_preferred_to_that_of_the_ranks() {
        let mut both = node(&[
            (Column::RankEnd, "t_rank_e", &[2.0]),
            (Column::RankRate, "b_rank_avr", &[1.0]),
            (Column::RankStart, "t_rank_s", &[1.0]),
            (Column::OverlapTime, "t_overlap", &[5.0]),
            (Column::OverlapRate, "b_overlap_avr", &[4.0]),
        ]);
        let steps = Series::Steps {
            rates: vec![4.0],
            times: vec![5.0],
        };
        assert_eq!(
            both.take_series("write_sync", false).expect("whole"),
            Some(steps)
        );
    }

    #[test]
    fn lists_that_do_not_fit_are_errors_that_name_them() {
        let mut short = node(&[
            (Column::RankRate, "b_rank_avr", &[1.0, 1.0]),
            (Column::RankStart, "t_rank_s", &[1.0, 2.0]),
            (Column::RankEnd, "t_rank_e", &[2.0]),
        ]);
        let error = short
            .take_series("write_sync", false)
            .expect_err("one end is missing");
        assert_eq!(
            error.to_string(),
            "write_sync, byte 7: b_rank_avr and t_rank_e have different lengths: 2 and 1"
        );
        let mut lone = node(&[(Column::RankRate, "b_rank_avr", &[1.0])]);
        let error = lone.take_series("read_sync", false).expect_err("no times");
        assert_eq!(
            error.to_string(),
            "read_sync, byte 7: beside b_rank_avr there is no: t_rank_s, t_rank_e"
        );
    }

    #[test]
    fn of_a_cut_document_the_common_part_is_kept() {
        let mut cut = node(&[
            (Column::RankRate, "b_rank_avr", &[1.0, 2.0, 3.0]),
            (Column::RankStart, "t_rank_s", &[1.0, 2.0, 3.0]),
            (Column::RankEnd, "t_rank_e", &[2.0]),
        ]);
        let kept = Series::Phases {
            rates: vec![1.0],
            starts: vec![1.0],
            ends: vec![2.0],
        };
        assert_eq!(
            cut.take_series("write_sync", true).expect("cut"),
            Some(kept)
        );
        let mut early = node(&[(Column::RankRate, "b_rank_avr", &[1.0])]);
        assert_eq!(early.take_series("write_sync", true).expect("cut"), None);
    }
}
