//! What a column's heading says it holds.

use super::units::{Dimension, Scale, scale};

/// What a column can hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    Rank,
    Op,
    Start,
    End,
    Duration,
    Bytes,
    File,
    Api,
    Time,
    Rate(Direction),
}

/// Which way a rate flows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Direction {
    Read,
    Write,
    /// Both together, or not said.
    Both,
}

impl Role {
    pub(super) const ALL: [Self; 12] = [
        Self::Rank,
        Self::Op,
        Self::Start,
        Self::End,
        Self::Duration,
        Self::Bytes,
        Self::File,
        Self::Api,
        Self::Time,
        Self::Rate(Direction::Read),
        Self::Rate(Direction::Write),
        Self::Rate(Direction::Both),
    ];

    /// The names that tools give to it, best first.
    const fn names(self) -> &'static [&'static str] {
        match self {
            Self::Rank => &[
                "rank",
                "mpi_rank",
                "rank_id",
                "proc",
                "process",
                "process_id",
                "pid",
            ],
            Self::Op => &["op", "operation", "rw", "direction", "io_type", "type"],
            Self::Start => &[
                "start",
                "start_time",
                "t_start",
                "tstart",
                "starttime",
                "begin",
                "begin_time",
                "t_begin",
                "ts",
            ],
            Self::End => &[
                "end",
                "end_time",
                "t_end",
                "tend",
                "endtime",
                "finish",
                "finish_time",
                "stop",
                "stop_time",
                "te",
            ],
            Self::Duration => &["duration", "dur", "elapsed", "elapsed_time"],
            Self::Bytes => &[
                "bytes",
                "nbytes",
                "num_bytes",
                "size",
                "length",
                "len",
                "volume",
                "count",
            ],
            Self::File => &[
                "file",
                "filename",
                "file_name",
                "path",
                "filepath",
                "file_path",
                "fname",
            ],
            Self::Api => &["api", "layer", "interface", "module"],
            Self::Time => &["time", "t", "timestamp", "time_stamp", "datetime", "ts"],
            Self::Rate(Direction::Both) => &[
                "bandwidth",
                "bw",
                "rate",
                "throughput",
                "b",
                "both",
                "total",
                "value",
            ],
            Self::Rate(Direction::Read) => &[
                "read",
                "read_bandwidth",
                "read_bw",
                "read_rate",
                "read_throughput",
                "bandwidth_read",
                "bw_read",
            ],
            Self::Rate(Direction::Write) => &[
                "write",
                "write_bandwidth",
                "write_bw",
                "write_rate",
                "write_throughput",
                "bandwidth_write",
                "bw_write",
            ],
        }
    }

    /// Our own name for it.
    pub(super) const fn name(self) -> &'static str {
        self.names()[0]
    }

    const fn dimension(self) -> Dimension {
        match self {
            Self::Start | Self::End | Self::Duration | Self::Time => Dimension::Time,
            Self::Bytes => Dimension::Size,
            Self::Rate(_) => Dimension::Rate,
            Self::Rank | Self::Op | Self::File | Self::Api => Dimension::None,
        }
    }
}

/// A heading that names a role.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Fit {
    /// The place of its name among the role's names: lower is better.
    pub(super) priority: usize,
    /// The unit that the heading states; `None` where it states none.
    pub(super) scale: Option<Scale>,
}

/// Whether `heading` names `role`, as `start`, `Start`, `start_us` or `start [us]` name a start.
pub(super) fn fit(heading: &str, role: Role) -> Option<Fit> {
    let plain = plain(heading);
    let priority = |stem: &str| {
        let mut names = role.names().iter();
        names.position(|name| name.eq_ignore_ascii_case(stem))
    };
    if let Some(priority) = priority(&plain) {
        return Some(Fit {
            priority,
            scale: None,
        });
    }
    // A heading such as `MiB/s` or `bytes_per_s` is nothing but a unit.
    if role == Role::Rate(Direction::Both) && scale(Dimension::Rate, &plain).is_some() {
        return Some(Fit {
            priority: role.names().len(),
            scale: scale(Dimension::Rate, &plain),
        });
    }
    plain.match_indices('_').find_map(|(at, _)| {
        let priority = priority(&plain[..at])?;
        let scale = scale(role.dimension(), &plain[at + 1..])?;
        Some(Fit {
            priority,
            scale: Some(scale),
        })
    })
}

/// The unit at the end of a heading that a person has assigned to `role`, whatever its name.
pub(super) fn unit(heading: &str, role: Role) -> Option<Scale> {
    let plain = plain(heading);
    let mut words = plain.match_indices('_');
    words.find_map(|(at, _)| scale(role.dimension(), &plain[at + 1..]))
}

/// `Bandwidth (MiB/s)` becomes `Bandwidth_MiB/s`.
fn plain(heading: &str) -> String {
    let words = heading
        .split(|c: char| !(c.is_alphanumeric() || c == '/'))
        .filter(|word| !word.is_empty());
    words.collect::<Vec<_>>().join("_")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(heading: &str, role: Role) -> Option<f64> {
        fit(heading, role).map(|fit| fit.scale.unwrap_or(Scale::ONE).apply(1.0))
    }

    #[test]
    fn headings_of_many_tools_are_understood() {
        for (heading, role) in [
            ("t_start", Role::Start),
            ("Start Time", Role::Start),
            ("finish", Role::End),
            ("nbytes", Role::Bytes),
            ("mpi_rank", Role::Rank),
            ("Timestamp", Role::Time),
            ("bytes_per_s", Role::Rate(Direction::Both)),
            ("read_bytes_per_s", Role::Rate(Direction::Read)),
            ("write_bw", Role::Rate(Direction::Write)),
        ] {
            assert_eq!(value(heading, role), Some(1.0), "{heading}");
        }
    }

    #[test]
    fn units_in_headings_are_honoured() {
        assert_eq!(value("start_us", Role::Start), Some(1e-6));
        assert_eq!(value("start [ms]", Role::Start), Some(1e-3));
        assert_eq!(value("size_kib", Role::Bytes), Some(1024.0));
        assert_eq!(
            value("bandwidth_mb_s", Role::Rate(Direction::Both)),
            Some(1e6)
        );
        assert_eq!(
            value("Write (MiB/s)", Role::Rate(Direction::Write)),
            Some(1_048_576.0)
        );
        assert_eq!(
            value("MiB/s", Role::Rate(Direction::Both)),
            Some(1_048_576.0)
        );
    }

    #[test]
    fn what_is_not_clear_is_not_guessed() {
        assert_eq!(value("start_ticks", Role::Start), None);
        assert_eq!(value("bandwidth_mbps", Role::Rate(Direction::Both)), None);
        assert_eq!(value("read_bytes", Role::Rate(Direction::Read)), None);
        assert_eq!(value("offset", Role::Bytes), None);
    }

    #[test]
    fn the_usual_name_is_preferred() {
        let priority = |heading| fit(heading, Role::Bytes).map(|fit| fit.priority);
        assert!(priority("bytes") < priority("count"));
    }
}
