//! The load of a system from the logs of its servers.

use super::error::LoadError;
use super::system::{Load, MOST_INTERVALS, Series};
use iotempo_model::{Binned, Op};

impl Load {
    /// What all targets of servers' logs moved, step by step. A step in which too little of the targets was
    /// seen is a gap. `counted` says what the logs were read for: [`Series::bytes`] or [`Series::operations`].
    /// Nothing beyond `within` is looked at, in seconds since 1970: a log may have a stamp that is centuries
    /// away.
    ///
    /// # Errors
    /// Where the logs hold nothing there, or too many steps.
    pub fn of_throughput(
        binned: &Binned,
        counted: fn(Op) -> Series,
        within: Option<(f64, f64)>,
    ) -> Result<Self, LoadError> {
        let (step_s, span) = binned.step().zip(binned.span()).ok_or(LoadError::Empty)?;
        let (mut first, mut end) = span;
        if let Some((from_s, to_s)) = within {
            // A float beyond all integers is the last of them.
            let place = |at_s: f64| (at_s - binned.time_of(0)) / step_s;
            first = first.max(place(from_s).floor() as i64);
            end = end.min(place(to_s).ceil() as i64);
        }
        let steps = u64::try_from(end.saturating_sub(first)).unwrap_or(0);
        if steps > MOST_INTERVALS as u64 {
            return Err(LoadError::TooMany {
                intervals: steps,
                most: MOST_INTERVALS as u64,
            });
        }
        let steps = steps as usize;
        let mut load = Self::new(binned.time_of(first), step_s, steps)?;
        let window = (binned.time_of(first), binned.time_of(end));
        for op in Op::ALL {
            if !binned.has(op) {
                continue;
            }
            let expected = binned.expected(&[op], &[window]);
            let mut rates: Vec<Option<f64>> = binned
                .rates(first, steps, &[op])
                .into_iter()
                .map(Some)
                .collect();
            for hole in binned.holes(first, steps, &[op], &expected) {
                let from = (hole.first - first) as usize;
                rates[from..from + hole.steps as usize].fill(None);
            }
            load = load.with(counted(op), rates)?;
        }
        Ok(load)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::correlate::Unknown;
    use iotempo_model::{Bytes, Interval, Moved, Seconds, Target, TargetKind, ThroughputSink};

    /// A log of writes, 10 bytes more in every minute than in the one before.
    fn log(minutes: impl IntoIterator<Item = f64>) -> Binned {
        let mut binned = Binned::new();
        let target = binned.target(&Target::new("oss1", "sda", TargetKind::Device));
        let at = |minute: f64| Seconds::new(1e9 + 60.0 * minute).expect("finite");
        for minute in minutes {
            let moved = Moved {
                target,
                op: Op::Write,
                when: Interval::new(at(minute), at(minute + 1.0)).expect("forwards"),
                bytes: Bytes::new(600.0 * minute).expect("a volume"),
            };
            binned.moved(moved).expect("taken");
        }
        binned.finish();
        binned
    }

    #[test]
    fn servers_logs_become_a_load_with_gaps() {
        let minutes = (0..100).filter(|minute| !(30..33).contains(minute));
        let load =
            Load::of_throughput(&log(minutes.map(f64::from)), Series::bytes, None).expect("a log");
        assert_eq!((load.step_s(), load.intervals()), (60.0, 100));
        assert_eq!(load.start_s(), 1e9);
        assert_eq!(load.missing(Series::WriteBytes), Some(3));
        let ten = load.between(Series::WriteBytes, 1e9 + 630.0, 1e9 + 690.0);
        assert_eq!(ten.expect("known").amount, 0.5 * 6000.0 + 0.5 * 6600.0);
        let gap = load.between(Series::WriteBytes, 1e9 + 1790.0, 1e9 + 1810.0);
        let expected = Unknown::Gap {
            series: Series::WriteBytes,
            start_s: 1e9 + 1800.0,
            end_s: 1e9 + 1860.0,
            missing: 1,
        };
        assert_eq!(gap, Err(expected));
        let reads = load.between(Series::ReadBytes, 1e9, 1e9 + 60.0);
        assert_eq!(reads, Err(Unknown::NotMeasured(Series::ReadBytes)));
    }

    #[test]
    fn logs_of_operations_hold_no_bytes() {
        let log = log((0..10).map(f64::from));
        let load = Load::of_throughput(&log, Series::operations, None).expect("a log");
        let two = load.between(Series::WriteOperations, 1e9 + 120.0, 1e9 + 180.0);
        assert_eq!(two.expect("known").amount, 1200.0);
        assert!(!load.has(Series::WriteBytes) && !load.has(Series::ReadOperations));
    }

    #[test]
    fn a_wild_stamp_is_refused_or_passed_over() {
        let minutes = (0..100).map(f64::from).chain([5e8]);
        let wild = log(minutes);
        let error = Load::of_throughput(&wild, Series::bytes, None).expect_err("a thousand years");
        assert!(matches!(error, LoadError::TooMany { .. }), "{error}");
        let load =
            Load::of_throughput(&wild, Series::bytes, Some((1e9, 1e9 + 6000.0))).expect("a log");
        assert_eq!(
            (load.intervals(), load.missing(Series::WriteBytes)),
            (100, Some(0))
        );
        let nothing = Load::of_throughput(&wild, Series::bytes, Some((0.0, 1e6)));
        assert_eq!(nothing, Err(LoadError::Empty));
        assert_eq!(
            Load::of_throughput(&Binned::new(), Series::bytes, None),
            Err(LoadError::Empty)
        );
    }
}
