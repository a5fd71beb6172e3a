//! What names say that count operations: `node_disk_reads_completed_total`, `write_ops`, `r/s`.

use super::{DIRECTIONS, KNOWN, Nature, OTHER, Words, is_second, nature_of, per, split};
use crate::table::units::{Dimension, Scale, scale};
use iotempo_model::Op;

/// Names whose words mislead, or are none.
const KNOWN_OPERATIONS: [(&str, Op, Nature); 12] = [
    // iostat and sar.
    ("r/s", Op::Read, Nature::Rate),
    ("w/s", Op::Write, Nature::Rate),
    ("rtps", Op::Read, Nature::Rate),
    ("wtps", Op::Write, Nature::Rate),
    ("riops", Op::Read, Nature::Rate),
    ("wiops", Op::Write, Nature::Rate),
    // beegfs-mon: what users and clients did in an interval.
    ("ops-rd", Op::Read, Nature::Volume),
    ("ops-wr", Op::Write, Nature::Volume),
    // Ceph's own exporter.
    ("ceph_osd_op_r", Op::Read, Nature::Counter),
    ("ceph_osd_op_w", Op::Write, Nature::Counter),
    ("ceph_pool_rd", Op::Read, Nature::Counter),
    ("ceph_pool_wr", Op::Write, Nature::Counter),
];

/// Words of what is counted one by one.
const COUNTS: &[&str] = &[
    "ops",
    "iops",
    "ios",
    "tps",
    "operations",
    "request",
    "requests",
    "reqs",
    "call",
    "calls",
    "samples",
    "count",
    "counts",
    "completed",
];

/// Takes a name apart; [`Words::scale`] is none where it does not count operations.
pub(in crate::server) fn words(name: &str) -> Words {
    let lower = name.trim().to_ascii_lowercase();
    if let Some((_, op, nature)) = KNOWN_OPERATIONS.iter().find(|(known, ..)| *known == lower) {
        return Words {
            op: Some(*op),
            nature: *nature,
            scale: Some(Scale::ONE),
            per: 1.0,
            is_other: false,
            unclear: None,
            rest: Vec::new(),
        };
    }
    let mut told = Words {
        op: None,
        nature: Nature::Unstated,
        scale: None,
        per: 1.0,
        is_other: KNOWN.iter().any(|(known, ..)| *known == lower),
        unclear: None,
        rest: Vec::new(),
    };
    let mut ways = [false; 2];
    let mut counted_before = false;
    let all = split(name);
    let mut words = all.iter().peekable();
    while let Some(word) = words.next() {
        let lower = word.to_ascii_lowercase();
        let counted_here = std::mem::take(&mut counted_before);
        if let Some((_, op)) = DIRECTIONS.iter().find(|(one, _)| *one == lower) {
            ways[*op as usize] = true;
            // Bytes are read, and reads are counted.
            if matches!(lower.as_str(), "reads" | "writes") {
                told.scale = Some(Scale::ONE);
                counted_before = true;
            }
        } else if COUNTS.contains(&lower.as_str()) {
            told.scale = Some(Scale::ONE);
            counted_before = true;
            if matches!(lower.as_str(), "iops" | "tps") {
                told.nature = Nature::Rate;
            }
        } else if let Some(seconds) = per(&lower, &mut words) {
            (told.nature, told.per) = (Nature::Rate, seconds);
        } else if counted_here && matches!(lower.as_str(), "s" | "sec") {
            told.nature = Nature::Rate;
        } else if let Some(nature) = nature_of(&lower) {
            told.nature = nature;
        } else {
            told.is_other |= OTHER.contains(&lower.as_str())
                || is_second(&lower)
                || scale(Dimension::Size, &lower).is_some();
            told.rest.push(word.clone());
        }
    }
    told.op = match ways {
        [true, false] => Some(Op::Read),
        [false, true] => Some(Op::Write),
        _ => None,
    };
    told.is_other |= told.scale.is_none();
    told
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_many_tools_count_operations() {
        use Nature::{Counter, Rate, Unstated, Volume};
        for (name, op, nature) in [
            ("node_disk_reads_completed_total", Op::Read, Counter),
            ("node_disk_writes_completed_total", Op::Write, Counter),
            ("lustre_read_samples_total", Op::Read, Counter),
            ("lustre_job_write_samples_total", Op::Write, Counter),
            ("jobstats_read_calls", Op::Read, Unstated),
            ("ost_write_calls", Op::Write, Unstated),
            ("instance:node_disk_reads_completed:rate5m", Op::Read, Rate),
            ("gpfs_fs_read_ops", Op::Read, Unstated),
            ("ops-wr", Op::Write, Volume),
            ("reads", Op::Read, Unstated),
            ("write_iops", Op::Write, Rate),
            ("r/s", Op::Read, Rate),
            ("Read ops/s", Op::Read, Rate),
            ("writes_per_second", Op::Write, Rate),
            ("ost0_reads_s", Op::Read, Rate),
            ("readRequests", Op::Read, Unstated),
            ("ceph_pool_wr", Op::Write, Counter),
            ("writes per minute", Op::Write, Rate),
        ] {
            let told = words(name);
            assert_eq!((told.op, told.nature), (Some(op), nature), "{name}");
            assert!(told.scale.is_some() && !told.is_other, "{name}: {told:?}");
        }
        assert_eq!(words("ost0_reads").rest, ["ost0"]);
        assert_eq!(words("write_ops/min").per, 60.0);
        let labelled = words("gpfs_perf_operations_total");
        assert!(labelled.op.is_none() && !labelled.is_other);
    }

    #[test]
    fn bytes_times_and_merges_are_no_operations() {
        for name in [
            "node_disk_read_bytes_total",
            "node_disk_reads_merged_total",
            "node_disk_read_time_seconds_total",
            "merged_reads",
            "read_bytes",
            "B-rd",
            "diskReadBytes",
            "read_time",
            "read",
            "rbytes",
            "queuedRequests",
            "write_latency_seconds_count",
            "read_errors_count",
            "network_requests",
            "",
        ] {
            let told = words(name);
            let counts = told.scale.is_some() && !told.is_other;
            assert!(!counts, "{name}: {told:?}");
        }
    }
}
