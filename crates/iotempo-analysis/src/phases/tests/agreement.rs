//! Phases beside finer evidence.

use super::*;

#[test]
fn requests_are_held_against_the_phase_of_their_file() {
    let phases = found(&[shared(1, 1.0, 101.0), shared(2, 200.0, 300.0)]).phases;
    let mut checks = Checks::new(&phases, 1.0);
    for (start, end) in [(1.0, 2.0), (50.0, 51.0), (52.0, 53.0), (99.0, 100.9)] {
        checks.request(1, Api::Posix, Op::Write, (start, end), 25_000);
    }
    checks.request(2, Api::Posix, Op::Write, (200.0, 220.0), 10_000);
    checks.request(3, Api::Posix, Op::Write, (200.0, 220.0), 10_000);
    let [one, other] = <[_; 2]>::try_from(checks.of_requests()).unwrap();
    let (one, other) = (one.unwrap(), other.unwrap());
    assert!(one.agrees && one.disagreement.is_none());
    assert_eq!((one.stretches, one.bytes_share), (3, Some(1.0)));
    assert!((one.end_off_s - 0.1).abs() < 1e-9 && one.start_off_s == 0.0);
    assert_eq!(other.disagreement, Some(Disagreement::MissesBytes));
    assert_eq!(checks.elsewhere(), 1);
}

#[test]
fn a_heatmap_agrees_within_a_bin() {
    let phase = only(found(&[shared(1, 1.5, 8.5)]));
    let bins = [(1.0, 2.0), (2.0, 3.0), (8.0, 9.0), (30.0, 31.0)];
    let agreement = of_bins(&phase, &bins, 1.0, 1.0).unwrap();
    assert!(agreement.agrees);
    assert_eq!((agreement.start_off_s, agreement.end_off_s), (0.0, 0.0));
    assert_eq!(agreement.stretches, 2);
    let late = of_bins(&phase, &[(6.0, 7.0)], 1.0, 1.0).unwrap();
    assert_eq!(late.disagreement, Some(Disagreement::CountersReachFurther));
    assert_eq!(of_bins(&phase, &[(30.0, 31.0)], 1.0, 1.0), None);
}
