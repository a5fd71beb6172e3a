//! An estimate in words.

use crate::quantity::{Units, duration, rate};
use iotempo_analysis::estimate::{Combined, CombinedPoint};

/// Why there is no curve, where there is none.
#[must_use]
pub fn no_estimate(combined: &Combined) -> &'static str {
    if combined.matched_bytes > 0.0 {
        "no estimate: phases have a match, but no number of I/O nodes was benchmarked for all of them"
    } else {
        "no estimate: no phase has a match"
    }
}

/// How fast, within which range, and how long, with the share of bytes that this is about.
#[must_use]
pub fn headline(combined: &Combined, point: &CombinedPoint, units: Units) -> String {
    let share = combined.matched_bytes / combined.bytes.max(1.0);
    let about = match share < 0.995 {
        true => format!("for the {} % of bytes that have a match", percent(share)),
        false => "of I/O".to_owned(),
    };
    format!(
        "{} ({} to {} in 4 of 5 runs), {} {about}",
        rate(point.bytes_per_s, units),
        rate(point.low_bytes_per_s, units),
        rate(point.high_bytes_per_s, units),
        duration(point.time_s)
    )
}

/// A share in percent, with a digit where it is small.
#[must_use]
pub fn percent(share: f64) -> String {
    let percent = 100.0 * share;
    if percent < 9.95 && percent > 0.0 {
        format!("{percent:.1}")
    } else {
        format!("{percent:.0}")
    }
}

/// What to know where the number of I/O nodes that is best for a typical run is not the one with the least
/// expected loss, which few runs that are far faster or slower can decide; `None` where it is.
#[must_use]
pub fn second_thought(combined: &Combined) -> Option<String> {
    let (best, least) = (combined.best()?, combined.least_loss()?);
    (best.io_nodes != least.io_nodes).then(|| {
        format!(
            "A typical run is fastest with {}, but whoever runs often loses least with {}: {:.1} % on \
             average instead of {:.1} %.",
            io_nodes(best.io_nodes),
            least.io_nodes,
            100.0 * least.expected_regret,
            100.0 * best.expected_regret
        )
    })
}

/// `1 I/O node`, `4 I/O nodes`.
pub(super) fn io_nodes(count: u32) -> String {
    match count {
        1 => "1 I/O node".to_owned(),
        count => format!("{count} I/O nodes"),
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    fn combined(regrets: [f64; 2]) -> Combined {
        let point = |(io_nodes, expected_regret)| CombinedPoint {
            io_nodes,
            time_s: 1.0,
            overlapping_time_s: 1.0,
            bytes_per_s: 1.0,
            low_bytes_per_s: 1.0,
            high_bytes_per_s: 1.0,
            expected_regret,
        };
        Combined {
            bytes: 1.0,
            matched_bytes: 1.0,
            curve: [0, 4].into_iter().zip(regrets).map(point).collect(),
            best: Some(4),
            left_out: Vec::new(),
        }
    }

    #[test]
    fn a_headline_tells_the_range_and_what_it_is_about() {
        let mut own = combined([0.1, 0.0]);
        own.bytes = 2.0;
        own.curve[1].low_bytes_per_s = 0.5;
        own.curve[1].high_bytes_per_s = 3e3;
        assert_eq!(
            headline(&own, &own.curve[1], Units::Si),
            "1 B/s (0.5 B/s to 3 kB/s in 4 of 5 runs), 1 s for the 50 % of bytes that have a match"
        );
        own.bytes = 1.0;
        assert!(headline(&own, &own.curve[1], Units::Si).ends_with("1 s of I/O"));
    }

    #[test]
    fn matches_without_a_number_in_common_are_not_no_matches() {
        let mut own = combined([0.1, 0.0]);
        own.curve.clear();
        assert!(no_estimate(&own).contains("for all of them"));
        own.matched_bytes = 0.0;
        assert_eq!(no_estimate(&own), "no estimate: no phase has a match");
    }

    #[test]
    fn two_numbers_that_are_best_in_two_ways_are_told() {
        let text = second_thought(&combined([0.039, 0.058])).unwrap();
        assert_eq!(
            text,
            "A typical run is fastest with 4 I/O nodes, but whoever runs often loses least with 0: \
             3.9 % on average instead of 5.8 %."
        );
        assert_eq!(second_thought(&combined([0.1, 0.0])), None);
        assert_eq!(
            second_thought(&combined([0.1, 0.1])),
            None,
            "of equals, the best"
        );
    }
}
