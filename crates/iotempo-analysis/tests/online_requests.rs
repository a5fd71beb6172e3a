//! Jobs whose phases are made of many requests, followed while they run.
#![allow(clippy::unwrap_used)]

use iotempo_analysis::online::{Follower, Prediction, Settings, State};
use iotempo_model::{Bytes, Interval, Origin, Seconds, Source};

const MIB: f64 = 1048576.0;

fn seconds(value: f64) -> Seconds {
    Seconds::new(value).unwrap()
}

/// Requests as they come: when they begin and end, and bytes.
type Requests = Vec<(f64, f64, f64)>;

/// Phases: seconds to the next one, how many MiB are written one by one, and over how many seconds.
fn phases(all: &[(f64, u32, f64)]) -> Requests {
    let mut requests = Vec::new();
    let mut now = 0.2;
    for &(period, blocks, length) in all {
        for block in 0..blocks {
            let start =
                now + length * f64::from(block) / f64::from(blocks) + 3e-4 * f64::from(block);
            requests.push((start, start + 3e-4, MIB));
        }
        now += period;
    }
    requests
}

/// Looks at a job every `step` seconds.
fn followed(requests: &Requests, step: f64, end: f64) -> Vec<Prediction> {
    let mut follower = Follower::new(Settings::default(), Origin::new(Source::Requests));
    let mut made = Vec::new();
    let mut requests = requests.iter().peekable();
    let mut now = 0.0;
    while now < end {
        now += step;
        while let Some((start, end, bytes)) = requests.next_if(|request| request.1 <= now) {
            let when = Interval::new(seconds(*start), seconds(*end)).unwrap();
            follower.add(when, Bytes::new(*bytes).unwrap());
        }
        if follower.is_due(seconds(now)) {
            made.push(follower.predict(seconds(now)));
        }
    }
    made
}

/// Whether all that is said between two instants is this period.
fn assert_told(name: &str, made: &[Prediction], between: (f64, f64), period: f64) {
    let during = |word: &&Prediction| (between.0..between.1).contains(&word.at.get());
    let words: Vec<&Prediction> = made.iter().filter(during).collect();
    assert!(!words.is_empty(), "{name}");
    for word in words {
        let told = word.period.map(|period| period.value.get());
        let right = told.is_some_and(|told| (told / period - 1.0).abs() < 0.03);
        assert!(right, "{name}, at {}: {told:?}", word.at);
        let (next, seen) = (word.next.unwrap().start.value, word.window.unwrap().end());
        assert!(next > seen, "{name}, at {}: {next} is past", word.at);
    }
}

const LOOKS: [f64; 3] = [0.1, 0.3, 1.0];

#[test]
fn requests_within_phases_are_no_rhythm_however_often_somebody_looks() {
    for step in LOOKS {
        let name = format!("a look every {step} s");
        let made = followed(&phases(&[(4.0, 20, 0.5); 30]), step, 116.0);
        assert_told(&name, &made, (16.5, 116.0), 4.0);
        let fast = |word: &Prediction| word.period.is_some_and(|period| period.value.get() < 1.0);
        assert!(!made.iter().any(fast), "{name}");
        let made = followed(&phases(&[(6.0, 60, 2.5); 12]), step, 66.0);
        assert_told(&name, &made, (32.2, 66.0), 6.0);
    }
}

#[test]
fn checkpoints_are_told_beside_the_lines_of_a_log() {
    for step in LOOKS {
        let mut requests = phases(&[(5.0, 16, 0.005); 20]);
        let lines = (0..200).map(|i| 0.5 * f64::from(i));
        requests.extend(lines.map(|at| (at, at + 1e-5, 200.0)));
        requests.sort_by(|a, b| a.0.total_cmp(&b.0));
        let made = followed(&requests, step, 98.0);
        assert_told(&format!("a look every {step} s"), &made, (20.0, 98.0), 5.0);
    }
}

#[test]
fn a_change_to_a_part_or_a_multiple_of_the_period_is_told_for_good() {
    for step in LOOKS {
        for (before, after) in [(8.0, 2.0), (9.0, 2.0), (3.0, 9.0), (2.0, 6.0)] {
            let all = [[(before, 10, 0.3); 12], [(after, 10, 0.3); 12]].concat();
            let changed = 0.2 + 12.0 * before;
            let end = changed + 11.0 * after;
            let made = followed(&phases(&all), step, end);
            let name = format!("{before} s to {after} s, a look every {step} s");
            assert_told(&name, &made, (changed + 4.1 * after, end), after);
        }
    }
}

#[test]
fn a_phase_that_moves_more_than_was_expected_is_judged_by_all_of_it() {
    let all = [[(5.0, 10, 0.3); 8], [(5.0, 60, 3.0); 8]].concat();
    let made = followed(&phases(&all), 1.0, 80.0);
    let large = made.iter().filter(|word| word.at.get() > 40.2);
    let bytes = large.filter_map(|word| word.outcome?.bytes);
    let moved: Vec<f64> = bytes.map(|bytes| bytes.get() / MIB).collect();
    assert!(moved.len() >= 5, "{moved:?}");
    // A look may come just when as much has moved as was expected.
    let cut = moved.iter().filter(|moved| **moved < 57.0).count();
    assert!(cut <= 1, "{moved:?}");
}

#[test]
fn a_period_that_was_withdrawn_does_not_come_back_when_the_job_ends() {
    let mut follower = Follower::new(Settings::default(), Origin::new(Source::Requests));
    for (start, end, bytes) in phases(&[(4.0, 5, 0.1); 8]) {
        let when = Interval::new(seconds(start), seconds(end)).unwrap();
        follower.add(when, Bytes::new(bytes).unwrap());
    }
    let known = follower.predict(seconds(29.0));
    assert_eq!(known.state, State::Periodic);
    let withdrawn = follower.predict(seconds(36.0));
    assert_eq!((withdrawn.state, withdrawn.period), (State::Changed, None));
    let ended = follower.end(seconds(50.0));
    assert_eq!((ended.state, ended.period), (State::Ended, None));
    assert_eq!(ended.number, withdrawn.number + 1);
}
