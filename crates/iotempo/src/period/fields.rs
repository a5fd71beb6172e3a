//! The scalars of a result: a row of a table.

use super::result::{ResultView, word};
use iotempo_analysis::character::Character;
use iotempo_model::BytesPerSecond;

/// One value of a row.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Field {
    Text(String),
    Flag(bool),
    Count(u64),
    /// `None` where it could not be determined.
    Number(Option<f64>),
}

/// The names of the columns, with the kind of each as an empty value.
pub(super) fn columns() -> Vec<(&'static str, Field)> {
    COLUMNS
        .iter()
        .map(|(name, kind, _)| (*name, kind.empty()))
        .collect()
}

/// The values of a result, in the order of the columns.
pub(super) fn row(outcome: &ResultView<'_>) -> Vec<Field> {
    COLUMNS.iter().map(|(_, _, value)| value(outcome)).collect()
}

/// What a column holds.
#[derive(Clone, Copy)]
enum Kind {
    Text,
    Flag,
    Count,
    Number,
}

impl Kind {
    fn empty(self) -> Field {
        match self {
            Self::Text => Field::Text(String::new()),
            Self::Flag => Field::Flag(false),
            Self::Count => Field::Count(0),
            Self::Number => Field::Number(None),
        }
    }
}

type Column = (&'static str, Kind, fn(&ResultView<'_>) -> Field);

const COLUMNS: &[Column] = &[
    ("input", Kind::Text, |o| text(o.input)),
    ("format", Kind::Text, |o| text(o.format)),
    ("source", Kind::Text, |o| text(o.source.name())),
    ("resolution_s", Kind::Number, |o| {
        Field::Number(o.resolution_s)
    }),
    ("method", Kind::Text, |o| Field::Text(word(&o.method))),
    ("start_s", Kind::Number, |o| Field::Number(o.start_s)),
    ("end_s", Kind::Number, |o| Field::Number(o.end_s)),
    ("step_s", Kind::Number, |o| Field::Number(o.step_s)),
    ("n_samples", Kind::Count, |o| count(o.n_samples)),
    ("bytes", Kind::Number, |o| Field::Number(Some(o.bytes))),
    ("verdict", Kind::Text, |o| text(&o.verdict)),
    ("periodic", Kind::Flag, |o| Field::Flag(o.periodic)),
    ("period_s", Kind::Number, |o| Field::Number(o.period_s)),
    ("period_low_s", Kind::Number, |o| {
        Field::Number(o.period_low_s)
    }),
    ("period_high_s", Kind::Number, |o| {
        Field::Number(o.period_high_s)
    }),
    ("confidence", Kind::Number, |o| Field::Number(o.confidence)),
    ("jitter_fraction", Kind::Number, |o| {
        Field::Number(o.jitter_fraction)
    }),
    ("phases", Kind::Count, |o| count(o.phases.len())),
    ("phase_length_s", Kind::Number, |o| {
        Field::Number(o.phase_length_s)
    }),
    ("bytes_per_phase", Kind::Number, |o| {
        Field::Number(o.bytes_per_phase)
    }),
    ("next_start_s", Kind::Number, |o| {
        Field::Number(o.next_start_s)
    }),
    ("next_start_low_s", Kind::Number, |o| {
        Field::Number(o.next_start_low_s)
    }),
    ("next_start_high_s", Kind::Number, |o| {
        Field::Number(o.next_start_high_s)
    }),
    ("second_period_s", Kind::Number, |o| {
        Field::Number(o.other_periods.first().map(|other| other.period_s))
    }),
    ("other_periods", Kind::Count, |o| {
        count(o.other_periods.len())
    }),
    ("candidate_period_s", Kind::Number, |o| {
        Field::Number(o.candidate.as_ref().map(|candidate| candidate.period_s))
    }),
    ("segments", Kind::Count, |o| count(o.segments.len())),
    ("alias", Kind::Flag, |o| Field::Flag(o.alias.is_some())),
    ("sigma_vol", Kind::Number, |o| {
        character(o, |c| Some(c.sigma_vol))
    }),
    ("sigma_time", Kind::Number, |o| {
        character(o, |c| Some(c.sigma_time))
    }),
    ("periodicity_score", Kind::Number, |o| {
        character(o, |c| Some(c.periodicity_score))
    }),
    ("io_time_ratio", Kind::Number, |o| {
        character(o, |c| Some(c.io_time_ratio))
    }),
    ("io_bandwidth_bytes_per_s", Kind::Number, |o| {
        character(o, |c| c.io_bandwidth.map(BytesPerSecond::get))
    }),
    ("dominant_frequency_hz", Kind::Number, |o| {
        Field::Number(o.ftio.as_ref().and_then(|ftio| ftio.dominant_frequency_hz))
    }),
    ("abstraction_error", Kind::Number, |o| {
        Field::Number(o.ftio.as_ref().and_then(|ftio| ftio.abstraction_error))
    }),
    ("damaged", Kind::Flag, |o| Field::Flag(o.damaged)),
    ("warnings", Kind::Count, |o| count(o.warnings.len())),
];

fn character(outcome: &ResultView<'_>, value: fn(&Character) -> Option<f64>) -> Field {
    Field::Number(outcome.character.as_ref().and_then(value))
}

fn text(text: &str) -> Field {
    Field::Text(text.to_owned())
}

fn count(count: usize) -> Field {
    Field::Count(count as u64)
}
