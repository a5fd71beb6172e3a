//! Eqs. 2 to 5 by hand.
#![allow(clippy::unwrap_used)]

use super::*;
use Series::{ReadBytes, ReadOperations, WriteBytes};

/// Six minutes from `START` on, at 1, 2, 4, 8, 16 and 32 bytes per second.
const START: f64 = 1_500_000_000.0;
const RATES: [f64; 6] = [1.0, 2.0, 4.0, 8.0, 16.0, 32.0];

fn load() -> Load {
    let load = Load::new(START, 60.0, 6).unwrap();
    load.with(ReadBytes, RATES.map(Some)).unwrap()
}

fn with_gaps() -> Load {
    let rates = [Some(1.0), Some(2.0), None, Some(8.0), None, None];
    let load = Load::new(START, 60.0, 6).unwrap();
    load.with(ReadBytes, rates).unwrap()
}

fn psi(start: f64, end: f64) -> f64 {
    let amount = load().between(ReadBytes, START + start, START + end);
    let amount = amount.unwrap();
    assert!((amount.seconds - (end - start)).abs() < 1e-9);
    amount.amount
}

fn windows(spans: &[(f64, f64)]) -> Windows {
    let windows = spans
        .iter()
        .map(|&(from, to)| Window::new(START + from, START + to).unwrap());
    windows.collect()
}

fn psi_d(spans: &[(f64, f64)]) -> Amount {
    load().over(ReadBytes, &windows(spans), 0.0).unwrap()
}

fn touched(spans: &[(f64, f64)]) -> u64 {
    load().touched(&windows(spans), 0.0).unwrap()
}

#[test]
fn eq_2_takes_the_first_and_the_last_interval_in_proportion() {
    // T_0 = 0, T_start = 45, T_end = 200, T_n = 240.
    let by_hand = 60.0 * (1.0 + 2.0 + 4.0 + 8.0) - 45.0 * 1.0 - 40.0 * 8.0;
    assert_eq!(psi(45.0, 200.0), by_hand);
    assert_eq!(psi(0.0, 360.0), 60.0 * 63.0, "the whole log");
    assert_eq!(psi(60.0, 180.0), 60.0 * 6.0, "on boundaries");
}

#[test]
fn a_job_inside_one_interval_has_its_share_of_it() {
    assert_eq!(psi(130.0, 131.5), 1.5 * 4.0);
    assert_eq!(psi(120.0, 180.0), 240.0);
    assert_eq!(psi(130.0, 130.0), 0.0);
    let instant = load().between(ReadBytes, START + 1.0, START + 1.0).unwrap();
    assert_eq!(instant.rate(), None, "an instant has no rate");
}

#[test]
fn eq_3_is_eq_2_of_counts() {
    // Counts per interval are rates times its length.
    let counts = [600.0, 120.0, 60.0];
    let rates = counts.map(|count| Some(count / 60.0));
    let load = Load::new(0.0, 60.0, 3).unwrap();
    let load = load.with(ReadOperations, rates).unwrap();
    let (start, end) = (30.0, 135.0);
    let by_hand = 780.0 - start / 60.0 * 600.0 - (180.0 - end) / 60.0 * 60.0;
    let psi = load.between(ReadOperations, start, end).unwrap();
    assert_eq!(psi.amount, by_hand);
}

#[test]
fn eq_4_sums_whole_intervals_but_for_the_ends() {
    // Intervals 0, 2 and 5 are touched; T^D_start = 30, T^D_end = 310.
    let spans = [(30.0, 40.0), (130.0, 131.0), (150.0, 150.5), (305.0, 310.0)];
    let by_hand = 60.0 * (1.0 + 4.0 + 32.0) - 30.0 * 1.0 - 50.0 * 32.0;
    let psi = psi_d(&spans);
    assert_eq!(psi.amount, by_hand);
    assert_eq!(psi.seconds, 180.0 - 30.0 - 50.0);
    assert_eq!(touched(&spans), 3);
    let phi = load().touched_s(&windows(&spans), 0.0);
    assert_eq!(phi, Ok(180.0), "Eq. 5");
}

#[test]
fn of_one_window_without_gaps_eq_4_is_eq_2() {
    for (start, end) in [(45.0, 200.0), (1.0, 2.0), (60.0, 120.0), (0.0, 360.0)] {
        assert_eq!(psi_d(&[(start, end)]).amount, psi(start, end));
    }
    let parts = [(45.0, 100.0), (90.0, 119.0), (120.5, 200.0)];
    assert_eq!(psi_d(&parts).amount, psi(45.0, 200.0), "all are touched");
}

#[test]
fn an_interval_is_touched_once_and_boundaries_belong_to_one() {
    assert_eq!(touched(&[(0.0, 60.0)]), 1, "it ends with the first");
    assert_eq!(touched(&[(0.0, 60.1)]), 2);
    assert_eq!(touched(&[(60.0, 120.0)]), 1);
    assert_eq!(touched(&[(10.0, 20.0), (30.0, 70.0), (80.0, 90.0)]), 2);
    assert_eq!(touched(&[(60.0, 60.0)]), 1, "an instant touches one");
    assert_eq!(touched(&[(360.0, 360.0)]), 1, "also at the end of the log");
    assert_eq!(psi_d(&[(360.0, 360.0)]).amount, 0.0);
    assert_eq!(psi_d(&[(30.0, 30.0), (120.0, 120.0)]).amount, 30.0);
    // What arithmetic on seconds since 1970 makes of a boundary.
    assert_eq!(touched(&[(59.999_999_8, 120.000_000_2)]), 1);
}

#[test]
fn jobs_at_the_edges_of_the_log_are_inside_it_or_told() {
    assert_eq!(psi(0.0, 1.0), 1.0);
    assert_eq!(psi(359.0, 360.0), 32.0);
    for (start, end) in [(-1.0, 30.0), (350.0, 361.0), (-60.0, 0.0), (360.0, 400.0)] {
        let why = load().between(ReadBytes, START + start, START + end);
        let expected = Unknown::OutsideLog {
            start_s: START + start,
            end_s: START + end,
            log_start_s: START,
            log_end_s: START + 360.0,
        };
        assert_eq!(why, Err(expected), "{start} {end}");
        assert_eq!(expected.code(), "outside-log");
    }
    let far = windows(&[(-600.0, -590.0), (1.0, 2.0)]);
    assert_eq!(load().touched(&far, 0.0), Ok(2), "intervals go on");
}

#[test]
fn a_gap_is_named_where_it_is_needed() {
    let load = with_gaps();
    let at = |minute: f64| START + 60.0 * minute;
    assert!(load.between(ReadBytes, at(0.0), at(2.0)).is_ok());
    assert!(load.between(ReadBytes, at(3.2), at(3.5)).is_ok());
    let why = load.between(ReadBytes, at(0.5), at(5.5)).unwrap_err();
    let expected = Unknown::Gap {
        series: ReadBytes,
        start_s: at(2.0),
        end_s: at(3.0),
        missing: 3,
    };
    assert_eq!(why, expected);
    let told = "nothing is known of bytes read from 1500000120 to 1500000180, \
                nor in 2 more of the intervals needed";
    assert_eq!(why.to_string(), told);
    // Windows that do not touch the gap do not need it.
    let around = windows(&[(90.0, 120.0), (180.0, 200.0)]);
    let psi = load.over(ReadBytes, &around, 0.0).unwrap();
    assert_eq!(psi.amount, 60.0 * 10.0 - 30.0 * 2.0 - 40.0 * 8.0);
    let instant = load.between(ReadBytes, at(2.0), at(2.0)).unwrap_err();
    assert_eq!(instant.code(), "gap-in-log");
    assert_eq!(load.missing(ReadBytes), Some(3));
    assert_eq!(
        (load.rate(ReadBytes, 3), load.rate(ReadBytes, 2)),
        (Some(8.0), None)
    );
    assert_eq!(load.rate(ReadBytes, 6), None);
}

#[test]
fn what_cannot_be_asked_is_told() {
    let load = load();
    let nothing = load.over(ReadBytes, &Windows::default(), 0.0);
    assert_eq!(nothing, Err(Unknown::NoWindows));
    let unmeasured = load.between(WriteBytes, START, START + 1.0);
    assert_eq!(unmeasured, Err(Unknown::NotMeasured(WriteBytes)));
    for (start, end) in [(2.0, 1.0), (f64::NAN, 1.0), (0.0, f64::INFINITY)] {
        let why = load.between(ReadBytes, start, end).unwrap_err();
        assert_eq!(why.code(), "no-span");
    }
    let shifted = load.over(ReadBytes, &windows(&[(0.0, 1.0)]), f64::NAN);
    assert_eq!(shifted.unwrap_err().code(), "no-span");
    let far = load.between(ReadBytes, -1e300, 1e300).unwrap_err();
    assert_eq!(far.code(), "no-span");
}

#[test]
fn a_shift_moves_the_job_and_not_the_traffic() {
    let spans = windows(&[(10.0, 20.0), (70.0, 80.0)]);
    let shifted = load().over(ReadBytes, &spans, 120.0).unwrap();
    assert_eq!(shifted, psi_d(&[(130.0, 140.0), (190.0, 200.0)]));
    let out = load().over(ReadBytes, &spans, 300.0);
    assert_eq!(out.unwrap_err().code(), "outside-log");
}

#[test]
fn a_shift_out_of_the_log_goes_round_by_whole_days() {
    let load = Load::new(0.0, 3600.0, 24 * 10 + 5).unwrap();
    let day = 86_400.0;
    let job = (2.0 * day, 2.0 * day + 600.0);
    assert_eq!(load.wrapped(job.0, job.1, 3.0 * day), 3.0 * day);
    assert_eq!(load.wrapped(job.0, job.1, 9.0 * day), -day);
    assert_eq!(load.wrapped(job.0, job.1, -3.0 * day), 7.0 * day);
    assert_eq!(load.wrapped(job.0, job.1, 99.0 * day), 99.0 * day);
}

#[test]
fn own_bytes_are_taken_off_and_rates_are_per_second() {
    let amount = Amount {
        amount: 900.0,
        seconds: 60.0,
    };
    assert_eq!(amount.rate(), Some(15.0));
    assert_eq!(amount.without(300.0).rate(), Some(10.0));
    assert_eq!(amount.without(1000.0).amount, -100.0);
}

#[test]
fn numbers_that_are_no_load_are_refused() {
    let start = Load::new(f64::NAN, 1.0, 1).unwrap_err();
    assert_eq!(
        start.to_string(),
        "the start of the log is NaN, which is no time"
    );
    assert_eq!(Load::new(0.0, 0.0, 1), Err(LoadError::Step(0.0)));
    assert_eq!(Load::new(0.0, 1.0, 0), Err(LoadError::Empty));
    let many = Load::new(0.0, 1.0, usize::MAX).unwrap_err();
    assert!(matches!(many, LoadError::TooMany { .. }));
    let new = || Load::new(0.0, 1.0, 2).unwrap();
    for value in [-1.0, f64::NAN, f64::INFINITY] {
        let why = new().with(ReadBytes, [Some(0.0), Some(value)]).unwrap_err();
        assert!(matches!(why, LoadError::Rate { interval: 1, .. }), "{why}");
    }
    let short = new().with(ReadBytes, [Some(1.0)]).unwrap_err();
    assert_eq!(short.to_string(), "1 intervals of bytes read, not 2");
    let endless = new().with(ReadBytes, std::iter::repeat(None)).unwrap_err();
    assert!(matches!(endless, LoadError::Length { intervals: 3, .. }));
}

/// Eq. 4 interval by interval: ψ^D and m; `None` where a touched interval is missing.
fn by_intervals(rates: &[Option<f64>], spans: &[(f64, f64)], step: f64) -> (Option<f64>, u64) {
    let (mut sum, mut touched) = (Some(0.0), Vec::new());
    for (interval, rate) in rates.iter().enumerate() {
        let (begin, end) = (interval as f64 * step, (interval + 1) as f64 * step);
        let meets = |&(from, to): &(f64, f64)| match from < to {
            true => from < end && to > begin,
            false => begin <= from && from < end,
        };
        if spans.iter().any(meets) {
            touched.push(interval);
            sum = sum.zip(*rate).map(|(sum, rate)| sum + step * rate);
        }
    }
    let start = spans.iter().fold(f64::MAX, |least, one| least.min(one.0));
    let end = spans.iter().fold(0.0, |most: f64, one| most.max(one.1));
    let (first, last) = (touched[0], touched[touched.len() - 1]);
    let before = (start - first as f64 * step) * rates[first].unwrap_or(0.0);
    let behind = ((last + 1) as f64 * step - end) * rates[last].unwrap_or(0.0);
    (sum.map(|sum| sum - before - behind), touched.len() as u64)
}

proptest::proptest! {
    #[test]
    fn sums_of_stretches_are_sums_of_intervals(
        step in 1_u32..9,
        rates in proptest::collection::vec(proptest::option::weighted(0.95, 0.0_f64..1e9), 1..40),
        spans in proptest::collection::vec((0.0_f64..1.0, 0.0_f64..0.3), 1..8),
        shift in -1000_i32..1000,
    ) {
        let step = f64::from(step);
        let log_s = step * rates.len() as f64;
        // Whole seconds meet boundaries; instants do not, where two windows could claim them.
        let spans = spans.iter().map(|&(from, length)| {
            let (from, to) = ((from * log_s).floor(), ((from + length) * log_s).floor().min(log_s));
            if from < to { (from, to) } else { (from + 0.5, from + 0.5) }
        });
        let spans: Vec<(f64, f64)> = spans.collect();
        let load = Load::new(START, step, rates.len()).unwrap();
        let load = load.with(WriteBytes, rates.iter().copied()).unwrap();
        let shift = f64::from(shift);
        let shifted: Vec<_> = spans.iter().map(|one| (one.0 - shift, one.1 - shift)).collect();
        let (psi, touched) = by_intervals(&rates, &spans, step);
        let found = load.over(WriteBytes, &windows(&shifted), shift);
        proptest::prop_assert_eq!(load.touched(&windows(&shifted), shift), Ok(touched));
        match (psi, found) {
            (Some(psi), Ok(found)) => {
                proptest::prop_assert!((found.amount - psi).abs() <= 1e-9 * (1e9 * log_s));
                proptest::prop_assert!(found.seconds >= 0.0);
            }
            (None, Err(Unknown::Gap { .. })) => {}
            (psi, found) => proptest::prop_assert!(false, "{:?} {:?}", psi, found),
        }
    }
}
