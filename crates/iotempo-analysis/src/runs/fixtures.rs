//! Logs and jobs that tests share.

use iotempo_model::{
    Binned, Bytes, Interval, JobRecord, Moved, Op, Seconds, Target, TargetKind, ThroughputSink,
};

/// A log of one target with 10 bytes more in every second than in the one before.
pub(super) fn log(seconds: impl Iterator<Item = u32>) -> Binned {
    let mut binned = Binned::new();
    let target = binned.target(&Target::new("oss1", "sda", TargetKind::Device));
    let at = |second: u32| Seconds::new(f64::from(second)).expect("finite");
    for second in seconds {
        let moved = Moved {
            target,
            op: Op::Write,
            when: Interval::new(at(second), at(second + 1)).expect("forwards"),
            bytes: Bytes::new(10.0 * f64::from(second)).expect("a volume"),
        };
        binned.moved(moved).expect("taken");
    }
    binned.finish();
    binned
}

pub(super) fn job(start: f64, end: f64) -> JobRecord {
    JobRecord {
        start_epoch_s: Some(start),
        end_epoch_s: Some(end),
        ..JobRecord::default()
    }
}
