//! The names under which files keep their series, and the user's own.

use crate::reading::ReadOptions;
use iotempo_model::Warning;

/// What a list of numbers means. Overlap: of the whole application; rank: of one rank's phases.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Column {
    OverlapRate,
    OverlapTime,
    RankRate,
    RankStart,
    RankEnd,
    Rate,
    Time,
    Start,
    End,
    Bytes,
}

/// What a single number means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Scalar {
    TotalBytes,
    Ranks,
    Phases,
    Requests,
    /// A field that TMIO dropped when it changed from MB to bytes.
    OldTransferSize,
    /// TMIO: how long rank 0 ran since the last flush.
    RunTime,
}

/// A list's name, its meaning, and how many of its units make a byte, a second, a byte per second.
const COLUMNS: [(&str, Column, f64); 20] = [
    ("b_overlap_avr", Column::OverlapRate, 1.0),
    ("t_overlap", Column::OverlapTime, 1.0),
    ("b_rank_avr", Column::RankRate, 1.0),
    ("t_rank_s", Column::RankStart, 1.0),
    ("t_rank_e", Column::RankEnd, 1.0),
    ("b", Column::Rate, 1.0),
    ("bandwidth", Column::Rate, 1.0),
    ("t", Column::Time, 1.0),
    ("time", Column::Time, 1.0),
    ("ts", Column::Start, 1.0),
    ("start", Column::Start, 1.0),
    ("te", Column::End, 1.0),
    ("end", Column::End, 1.0),
    ("bytes", Column::Bytes, 1.0),
    // GekkoFS, older and newer.
    ("avg_thruput_mib", Column::Rate, PER_MIB),
    ("avg_throughput_mib", Column::Rate, PER_MIB),
    ("avg_throughput", Column::Rate, PER_MIB),
    ("start_t_micro", Column::Start, 1e6),
    ("end_t_micro", Column::End, 1e6),
    ("req_size", Column::Bytes, 1.0),
];

const PER_MIB: f64 = 1.0 / (1 << 20) as f64;

const SCALARS: [(&str, Scalar); 8] = [
    ("total_bytes", Scalar::TotalBytes),
    ("number_of_ranks", Scalar::Ranks),
    ("ranks", Scalar::Ranks),
    ("total_io_phases", Scalar::Phases),
    ("total_io_ops", Scalar::Requests),
    ("total_iops", Scalar::Requests),
    ("max_transfersize_over_ranks", Scalar::OldTransferSize),
    ("delta_t_rank0", Scalar::RunTime),
];

/// The name of the text that says whether GekkoFS wrote or read.
const DIRECTION: &str = "io_type";

/// What the user said about a name: `our name=their name`, or `our name=their name*factor` for
/// other units.
#[derive(Debug)]
struct Mapping {
    ours: String,
    theirs: String,
    /// How many of their units make one of ours.
    per: f64,
    used: bool,
}

/// The names that mean something here.
#[derive(Debug, Default)]
pub(crate) struct Names {
    mappings: Vec<Mapping>,
}

impl Names {
    /// The names of the formats, and those that the user gave.
    pub(crate) fn new(options: &ReadOptions) -> Self {
        let mapping = |(ours, theirs): &(String, String)| {
            let (theirs, per) = with_factor(theirs);
            Mapping {
                ours: ours.clone(),
                theirs: theirs.to_owned(),
                per,
                used: false,
            }
        };
        Self {
            mappings: options.columns.iter().map(mapping).collect(),
        }
    }

    /// The format's name for `key`, which may be the user's.
    fn known<'a>(&'a mut self, key: &'a str) -> (&'a str, f64) {
        match self
            .mappings
            .iter_mut()
            .find(|mapping| mapping.theirs == key)
        {
            None => (key, 1.0),
            Some(mapping) => {
                mapping.used = true;
                (&mapping.ours, mapping.per)
            }
        }
    }

    /// What a list means, and how many of its units make one of ours.
    pub(crate) fn column(&mut self, key: &str) -> Option<(Column, f64)> {
        let of_user = self.mappings.iter().any(|mapping| mapping.theirs == key);
        let (name, per) = self.known(key);
        let (column, own_per) = column_of(name)?;
        (of_user || !self.is_mapped(column)).then_some((column, per * own_per))
    }

    /// Whether the user said where to find a column.
    fn is_mapped(&self, column: Column) -> bool {
        let mut ours = self.mappings.iter().map(|mapping| mapping.ours.as_str());
        ours.any(|name| column_of(name).is_some_and(|(known, _)| known == column))
    }

    /// What a number means.
    pub(crate) fn scalar(&mut self, key: &str) -> Option<(Scalar, f64)> {
        let (name, per) = self.known(key);
        let (_, scalar) = SCALARS.into_iter().find(|(known, _)| *known == name)?;
        Some((scalar, per))
    }

    /// Whether a text says in which direction data moved.
    pub(crate) fn is_direction(&mut self, key: &str) -> bool {
        let (name, _) = self.known(key);
        name == DIRECTION || name == "op"
    }

    /// What the user named and nobody has.
    pub(crate) fn warnings(&self) -> Vec<Warning> {
        let unused = self.mappings.iter().filter(|mapping| !mapping.used);
        unused
            .map(|Mapping { ours, theirs, .. }| {
                let message = format!("nothing is called {theirs:?}, which was to be the {ours}");
                Warning::new("column-not-found", message)
            })
            .collect()
    }
}

fn column_of(name: &str) -> Option<(Column, f64)> {
    let found = COLUMNS.into_iter().find(|(known, ..)| *known == name);
    found.map(|(_, column, per)| (column, per))
}

fn with_factor(theirs: &str) -> (&str, f64) {
    let parts = theirs.rsplit_once('*');
    let factor = parts.and_then(|(name, factor)| Some((name.trim(), factor.trim().parse().ok()?)));
    match factor {
        // Dividing by 10^6 is exact where multiplying by 10^-6 is not.
        Some((name, factor)) if f64::is_finite(factor) && factor > 0.0 => (name, factor.recip()),
        _ => (theirs, 1.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_users_names_stand_beside_the_formats() {
        let columns = [
            ("start", "began_us*1e-6"),
            ("bandwidth", "speed"),
            ("end", "nowhere"),
        ];
        let options = ReadOptions {
            columns: columns
                .map(|(ours, theirs)| (ours.to_owned(), theirs.to_owned()))
                .to_vec(),
            ..ReadOptions::default()
        };
        let mut names = Names::new(&options);
        assert_eq!(names.column("began_us"), Some((Column::Start, 1e6)));
        assert_eq!(names.column("speed"), Some((Column::Rate, 1.0)));
        assert_eq!(names.column("t_rank_s"), Some((Column::RankStart, 1.0)));
        assert_eq!(names.column("foo"), None);
        assert_eq!(
            names.column("b"),
            None,
            "the user's bandwidth is another list"
        );
        let warnings = names.warnings();
        assert_eq!(warnings.len(), 1);
        assert!(warnings[0].message.contains("nowhere"), "{}", warnings[0]);
    }

    #[test]
    fn a_star_without_a_factor_belongs_to_the_name() {
        assert_eq!(with_factor("a*b"), ("a*b", 1.0));
        assert_eq!(with_factor("a*0"), ("a*0", 1.0));
        assert_eq!(with_factor("a * 1000"), ("a", 1e-3));
    }
}
