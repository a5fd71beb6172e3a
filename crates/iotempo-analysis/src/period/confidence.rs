//! From evidence to a probability.
//!
//! The tables say how often answers with as much evidence were right among 13,000 generated signals,
//! with and without a period: those of `docs/experiments/period.md`, made with other seeds. That page
//! shows how well they hold.

use super::train::Train;
use std::f64::consts::LN_10;

/// How surprising the regularity of phases is, as −log10 of its probability, and the share of right
/// answers: of phases that are certain to be such.
const CERTAIN: [(f64, f64); 12] = [
    (0.0, 0.01),
    (0.05, 0.2),
    (0.25, 0.38),
    (0.4, 0.5),
    (0.6, 0.68),
    (0.85, 0.82),
    (1.5, 0.85),
    (2.25, 0.89),
    (3.0, 0.925),
    (7.0, 0.97),
    (9.0, 0.99),
    (20.0, 0.999),
];

/// The same of bursts that may have been joined by chance.
const UNCERTAIN: [(f64, f64); 7] = [
    (0.0, 0.01),
    (1.5, 0.1),
    (2.75, 0.2),
    (3.5, 0.7),
    (4.5, 0.885),
    (5.5, 0.955),
    (7.0, 0.99),
];

/// The same of lines in the spectrum of a signal that resembles itself one period later.
const LINE: [(f64, f64); 4] = [(3.0, 0.1), (5.0, 0.6), (8.0, 0.95), (12.0, 0.99)];

/// How sure the period of a train is.
pub(super) fn of_train(train: &Train) -> f64 {
    let surprise = -train.p_value().max(f64::MIN_POSITIVE).log10();
    interpolated(if train.certain { &CERTAIN } else { &UNCERTAIN }, surprise)
}

/// How sure a period is that only lines in the spectrum show.
pub(super) fn of_line(ln_p: f64, resembles: bool) -> f64 {
    if resembles {
        interpolated(&LINE, -ln_p / LN_10)
    } else {
        of_guess(false)
    }
}

/// How sure a guess is that nothing but the strongest wave supports. Where there is a rhythm at all,
/// half of them are right; but most signals that come this far have none.
pub(super) fn of_guess(resembles: bool) -> f64 {
    if resembles { 0.05 } else { 0.03 }
}

/// The value at `x` on straight lines between the points of a table, and its ends beyond them.
fn interpolated(table: &[(f64, f64)], x: f64) -> f64 {
    let after = table.partition_point(|(at, _)| *at <= x);
    if after == 0 {
        return table[0].1;
    }
    let (from, low) = table[after - 1];
    match table.get(after) {
        Some((to, high)) => low + (high - low) * (x - from) / (to - from),
        None => low,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_evidence_is_never_less_sure() {
        for table in [&CERTAIN[..], &UNCERTAIN, &LINE] {
            assert!(table.is_sorted_by(|a, b| a.0 < b.0 && a.1 < b.1));
        }
    }

    #[test]
    fn tables_are_read_between_their_points_and_end_where_they_end() {
        assert_eq!(interpolated(&LINE, -1.0), 0.1);
        assert!((interpolated(&LINE, 4.0) - 0.35).abs() < 1e-12);
        assert_eq!(interpolated(&LINE, 300.0), 0.99);
    }
}
