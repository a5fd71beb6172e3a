//! Jobs whose phases are made of many requests, followed while they run.
#![allow(clippy::unwrap_used)]

use iotempo_analysis::online::{Follower, Prediction, Settings, State, Window};
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
    let bytes = large.filter_map(|word| word.outcome()?.bytes);
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

/// Phases of these sizes in turn, MiB that are written one by one every `gap` seconds.
fn in_turn(period: f64, sizes: &[u32], gap: f64, count: usize) -> Requests {
    let mut requests = Vec::new();
    for phase in 0..count {
        let start = 0.02 + period * phase as f64;
        for block in 0..sizes[phase % sizes.len()] {
            let at = start + (gap + 3e-4) * f64::from(block);
            requests.push((at, at + 3e-4, MIB));
        }
    }
    requests
}

#[test]
fn phases_of_several_sizes_are_one_rhythm_and_forecast_each_by_its_turn() {
    for (period, sizes) in [(4.0, &[16, 64][..]), (4.0, &[8, 64]), (5.0, &[16, 32, 64])] {
        for step in LOOKS {
            let name = format!("{sizes:?}, a look every {step} s");
            let requests = in_turn(period, sizes, 0.004, 25);
            let made = followed(&requests, step, 24.5 * period);
            assert_told(&name, &made, (4.2 * period, 24.5 * period), period);
            let outcomes = made.iter().flat_map(|word| &word.outcomes);
            assert!(outcomes.clone().count() >= 20, "{name}");
            for outcome in outcomes {
                assert!(outcome.within, "{name}: {outcome:?}");
                let moved = outcome.bytes.unwrap().get();
                let settled = outcome.expected_start.get() > 9.5 * period;
                let right = (outcome.expected_bytes.get() / moved - 1.0).abs() < 0.01;
                assert!(right || !settled, "{name}: {outcome:?}");
            }
        }
    }
}

#[test]
fn requests_that_are_slow_and_regular_are_told_as_a_rhythm_in_the_first_phase_at_most() {
    for (period, blocks, gap) in [(6.0, 32, 0.06), (8.0, 64, 0.02), (5.0, 64, 0.01)] {
        for step in LOOKS {
            let name = format!("{blocks} every {gap} s, a look every {step} s");
            let made = followed(&in_turn(period, &[blocks], gap, 17), step, 16.5 * period);
            let fast = |word: &&Prediction| word.period.is_some_and(|p| p.value.get() < 1.0);
            let last = made
                .iter()
                .filter(fast)
                .map(|word| word.at.get())
                .next_back();
            assert!(last.is_none_or(|at| at < period), "{name}: {last:?}");
            assert_told(&name, &made, (4.2 * period, 16.5 * period), period);
        }
    }
}

#[test]
fn a_forecast_that_came_true_is_right_although_the_rhythm_is_gone() {
    // One look brings the phase that was expected, and much else.
    let mut follower = Follower::new(Settings::default(), Origin::new(Source::Requests));
    let add = |follower: &mut Follower, start: f64, mib: f64| {
        let when = Interval::new(seconds(start), seconds(start + 0.5)).unwrap();
        follower.add(when, Bytes::new(mib * MIB).unwrap());
    };
    for phase in 0..8 {
        add(&mut follower, 10.0 * f64::from(phase), 100.0);
    }
    let next = follower.predict(seconds(72.0)).next.unwrap();
    assert!((next.start.value.get() - 80.0).abs() < 0.1);
    add(&mut follower, 80.0, 100.0);
    for (start, mib) in [
        (84.0, 3500.0),
        (85.5, 2000.0),
        (91.0, 6000.0),
        (93.0, 2500.0),
    ] {
        add(&mut follower, start, mib);
    }
    let after = follower.predict(seconds(97.0));
    let outcome = after.outcomes[0];
    assert_eq!(outcome.start, Some(seconds(80.0)), "{outcome:?}");
    assert!(outcome.within, "{outcome:?}");
    assert_eq!(outcome.bytes.map(|bytes| bytes.get() / MIB), Some(100.0));
}

#[test]
fn phases_that_halve_their_distance_come_when_they_were_expected() {
    let all = [[(6.0, 32, 0.01); 10], [(3.0, 32, 0.01); 10]].concat();
    let made = followed(&phases(&all), 1.0, 88.0);
    let outcomes = made.iter().flat_map(|word| &word.outcomes);
    let missed = outcomes.filter(|outcome| outcome.start.is_none());
    assert_eq!(missed.count(), 0);
    assert_eq!(made.last().unwrap().accuracy.missed, 0);
}

#[test]
fn who_comes_late_to_a_job_is_told_that_its_rhythm_is_over() {
    let mut follower = Follower::new(Settings::default(), Origin::new(Source::Requests));
    for (start, end, bytes) in phases(&[(4.0, 5, 0.1); 11]) {
        let when = Interval::new(seconds(start), seconds(end)).unwrap();
        follower.add(when, Bytes::new(bytes).unwrap());
    }
    let late = follower.predict(seconds(768.0));
    assert_eq!((late.state, late.period), (State::Changed, None));
}

#[test]
fn nothing_is_forgotten_where_all_is_to_be_looked_at() {
    let settings = Settings {
        window: Window::All,
        ..Settings::default()
    };
    let mut follower = Follower::new(settings, Origin::new(Source::Requests));
    let all = [[(10.0, 5, 0.1); 10], [(25.0, 5, 0.1); 10]].concat();
    for (start, end, bytes) in phases(&all) {
        let when = Interval::new(seconds(start), seconds(end)).unwrap();
        follower.add(when, Bytes::new(bytes).unwrap());
        if follower.is_due(seconds(end + 1.0)) {
            let window = follower.predict(seconds(end + 1.0)).window.unwrap();
            assert!(window.start().get() < 0.3, "{window:?}");
        }
    }
}
