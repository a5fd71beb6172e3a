use super::*;
use crate::outliers::random::Random;

/// Traffic that both servers take half of, each with some of its own. The clock of the second is ahead.
fn servers(minutes: usize, ahead_s: f64, own: f64) -> ServerClocks {
    let mut random = Random::stream(5, 0);
    let mut clocks = ServerClocks::default();
    let ids = [clocks.server("oss1", true), clocks.server("oss2", true)];
    let mut common = 0.0;
    for minute in 0..minutes {
        common = 0.9 * common + 0.35 * random.normal();
        for (id, ahead_s) in ids.into_iter().zip([0.0, ahead_s]) {
            let start = 1.7e9 + 60.0 * minute as f64 + ahead_s;
            let moved = 1e11 * (common + own * random.normal()).exp();
            clocks.hear(id, (start, start + 60.0), moved);
        }
    }
    clocks
}

#[test]
fn a_clock_that_is_ahead_is_doubted_by_name_and_offset() {
    for (minutes, ahead_s) in [(2000, 300.0), (2000, -420.0), (600, 14_400.0)] {
        let doubts = servers(minutes, ahead_s, 0.1).doubts();
        let [
            ClockDoubt::Ahead {
                server, seconds, ..
            },
        ] = doubts.as_slice()
        else {
            panic!("{ahead_s}: {doubts:?}");
        };
        assert_eq!((server.as_str(), *seconds), ("oss2", ahead_s));
    }
}

#[test]
fn clocks_that_agree_and_servers_that_do_not_are_not_doubted() {
    assert_eq!(servers(2000, 0.0, 0.1).doubts(), []);
    assert_eq!(servers(2000, 20.0, 0.1).doubts(), [], "less than a step");
    assert_eq!(servers(2000, 0.0, 3.0).doubts(), [], "servers on their own");
    assert_eq!(servers(100, 0.0, 0.1).doubts(), [], "too short");
    assert_eq!(ServerClocks::default().doubts(), []);
}

#[test]
fn logs_of_other_times_are_named() {
    // On their own, with offsets: only when they begin and end can be said.
    let doubts = servers(2000, 600.0, 3.0).doubts();
    assert!(
        matches!(
            doubts.as_slice(),
            [ClockDoubt::Later { seconds: 600.0, .. }]
        ),
        "{doubts:?}"
    );
    let mut clocks = servers(100, 0.0, 0.1);
    let late = clocks.server("oss3", true);
    clocks.hear(late, (1.8e9, 1.8e9 + 60.0), 5.0);
    let doubts = clocks.doubts();
    let words = doubts.iter().map(ToString::to_string);
    let words: Vec<String> = words.filter(|one| one.starts_with("oss3")).collect();
    assert!(
        words.len() == 1 && words[0].contains("1800000000"),
        "{words:?}"
    );
    let mut rotated = ServerClocks::default();
    for (log, start) in [("a.log", 0.0), ("b.log", 3600.0), ("c.log", 7200.0)] {
        let server = rotated.server(log, false);
        rotated.hear(server, (start, start + 3600.0), 5.0);
    }
    assert_eq!(rotated.doubts(), [], "one log after the other");
}

#[test]
fn what_repeats_every_hour_is_no_offset() {
    let mut clocks = ServerClocks::default();
    let ids = [clocks.server("oss1", true), clocks.server("oss2", true)];
    for minute in 0..3000 {
        for (server, late) in ids.into_iter().zip([0, 7]) {
            let burst = (minute + 60 - late) % 60 < 3;
            let start = 60.0 * f64::from(minute);
            clocks.hear(
                server,
                (start, start + 60.0),
                if burst { 1e12 } else { 1e9 },
            );
        }
    }
    assert_eq!(clocks.doubts(), []);
}

#[test]
fn too_many_servers_are_not_compared_and_that_is_said() {
    let mut clocks = ServerClocks::default();
    for number in 0..65 {
        let server = clocks.server(&format!("oss{number}"), true);
        clocks.hear(server, (0.0, 60.0), 5.0);
    }
    assert_eq!(clocks.doubts(), [ClockDoubt::NotCompared { servers: 65 }]);
}
