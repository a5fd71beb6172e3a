use super::*;
use crate::request::Interval;
use crate::throughput::Hole;
use crate::throughput::TargetKind;
use crate::units::{Bytes, Seconds};

fn moved(start: f64, end: f64, bytes: f64) -> Moved {
    of(0, start, end, bytes)
}

fn of(target: u32, start: f64, end: f64, bytes: f64) -> Moved {
    let seconds = |at| Seconds::new(at).expect("finite");
    Moved {
        target: TargetId(target),
        op: Op::Write,
        when: Interval::new(seconds(start), seconds(end)).expect("forwards"),
        bytes: Bytes::new(bytes).expect("a volume"),
    }
}

fn announce(binned: &mut Binned, targets: usize) {
    for target in 0..targets {
        let name = format!("oss{target}");
        binned.target(&Target::new(name, "", TargetKind::Server));
    }
}

fn binned(all: &[Moved]) -> Binned {
    let mut binned = Binned::new();
    let targets = all.iter().map(|one| one.target.0 as usize + 1).max();
    announce(&mut binned, targets.unwrap_or(0));
    take(&mut binned, all);
    binned
}

fn take(binned: &mut Binned, all: &[Moved]) {
    for &moved in all {
        binned.moved(moved).expect("taken");
    }
    binned.finish();
}

fn bandwidth(binned: &Binned, first: i64, steps: usize) -> (Vec<f64>, Vec<Hole>) {
    let ops = [Op::Write];
    let expected = binned.usually_expected(&ops);
    let holes = binned.holes(first, steps, &ops, &expected);
    (binned.rates(first, steps, &ops), holes)
}

fn all_bytes(binned: &Binned) -> f64 {
    let (first, end) = binned.span().expect("something");
    let rates = binned.rates(first, (end - first) as usize, &[Op::Read, Op::Write]);
    rates.iter().sum::<f64>() * binned.step().expect("a step")
}

fn codes(binned: &Binned) -> Vec<String> {
    let warnings = binned.warnings().into_iter();
    warnings.map(|one| one.code.into_owned()).collect()
}

/// A target's rows every `step` seconds, each of `bytes`.
fn rows(target: u32, from: u32, to: u32, step: u32, bytes: f64) -> Vec<Moved> {
    let times = (from..to).step_by(step as usize).map(f64::from);
    times
        .map(|at| of(target, at, at + f64::from(step), bytes))
        .collect()
}

#[test]
fn the_step_is_the_logs_own() {
    let binned = binned(&[
        moved(0.0, 2.004, 10.0),
        moved(2.004, 4.001, 20.0),
        moved(4.001, 6.0, 30.0),
    ]);
    assert_eq!(binned.step(), Some(2.0));
    assert_eq!(binned.span(), Some((0, 3)));
    let (rates, holes) = bandwidth(&binned, 0, 3);
    assert_eq!(rates, [5.0, 10.0, 15.0]);
    assert_eq!(holes, []);
}

#[test]
fn what_no_target_saw_is_a_hole_and_what_was_quiet_is_not() {
    let mut all: Vec<_> = (0..10)
        .map(|at| moved(f64::from(at), f64::from(at) + 1.0, 0.0))
        .collect();
    all.drain(4..6);
    // A second target that is missing once.
    for at in (0..10).filter(|at| *at != 8) {
        all.push(of(1, f64::from(at), f64::from(at) + 1.0, 7.0));
    }
    let binned = binned(&all);
    let (rates, holes) = bandwidth(&binned, 0, 10);
    assert_eq!(rates[0], 7.0);
    let hole = |first, steps| Hole { first, steps };
    assert_eq!(holes, [hole(4, 2), hole(8, 1)]);
    let (_, none) = bandwidth(&binned, -3, 2);
    assert_eq!(none, [hole(-3, 2)]);
}

#[test]
fn steps_begin_where_the_logs_intervals_do() {
    let at = |n: u32| 1000.7 + 2.0 * f64::from(n);
    let all: Vec<_> = (0..4)
        .map(|n| moved(at(n), at(n + 1), f64::from(n)))
        .collect();
    let binned = binned(&all);
    let (first, end) = binned.span().expect("something");
    assert_eq!(end - first, 4);
    assert!((binned.time_of(first) - 1000.7).abs() < 1e-9);
    let (rates, holes) = bandwidth(&binned, first, 4);
    assert_eq!((rates, holes), (vec![0.0, 0.5, 1.0, 1.5], vec![]));
    assert_eq!(binned.steps_inside(1001.0, 1008.0), (first + 1, 2));
    assert_eq!(binned.steps_inside(5.0, 1.0).1, 0);
}

#[test]
fn a_wild_stamp_costs_one_chunk() {
    let mut all: Vec<_> = (0..600)
        .map(|at| moved(f64::from(at), f64::from(at) + 1.0, 1.0))
        .collect();
    all.push(moved(4e18, 4e18, 1.0));
    all.push(moved(9.1e15, 9.1e15 + 2.0, 1.0));
    all.push(moved(1e12, 1e12 + 1.0, 1.0));
    let binned = binned(&all);
    assert_eq!(binned.chunks.len(), 2);
    let warnings = binned.warnings();
    assert!(
        warnings[0].message.contains("2 bytes in 2 intervals"),
        "{warnings:?}"
    );
}

#[test]
fn bytes_that_span_a_gap_are_in_no_step() {
    let mut all: Vec<_> = (0..5)
        .map(|at| moved(f64::from(at), f64::from(at) + 1.0, 1.0))
        .collect();
    all.push(moved(5.0, 65.0, 600.0));
    let binned = binned(&all);
    let warnings = binned.warnings();
    let expected = "oss0: 600 bytes in 1 interval: longer than";
    assert!(warnings[0].message.starts_with(expected), "{warnings:?}");
    assert_eq!(binned.span(), Some((0, 5)));
}

#[test]
fn logs_of_different_paces_lose_no_byte_in_either_order() {
    for coarse_first in [false, true] {
        let mut binned = Binned::new();
        announce(&mut binned, 2);
        let mut logs = [rows(0, 0, 1000, 2, 20.0), rows(1, 0, 1000, 5, 50.0)];
        if coarse_first {
            logs.reverse();
        }
        for (index, log) in logs.iter().enumerate() {
            binned.begin_log(format!("log {index}"));
            take(&mut binned, log);
        }
        assert_eq!(binned.step(), Some(5.0));
        assert!((all_bytes(&binned) - 20_000.0).abs() < 1e-6);
        assert_eq!(bandwidth(&binned, 0, 200).1, []);
        let told = if coarse_first {
            vec![]
        } else {
            vec!["coarse-log"]
        };
        assert_eq!(codes(&binned), told);
    }
}

#[test]
fn what_a_counter_shows_after_a_lost_look_is_spread() {
    let mut all = rows(0, 0, 100, 1, 3.0);
    all.drain(50..52);
    all[50] = moved(50.0, 53.0, 9.0);
    let binned = binned(&all);
    let (rates, holes) = bandwidth(&binned, 0, 100);
    assert_eq!((rates, holes), (vec![3.0; 100], vec![]));
    assert_eq!(codes(&binned), [""; 0]);
}

#[test]
fn the_first_interval_of_many_targets_does_not_set_the_step() {
    let mut all: Vec<Moved> = (0..700).map(|target| of(target, 7.0, 10.0, 1.0)).collect();
    for report in 1..9 {
        let at = 10.0 * f64::from(report);
        all.extend((0..700).map(|target| of(target, at, at + 10.0, 1.0)));
    }
    assert_eq!(binned(&all).step(), Some(10.0));
}

#[test]
fn a_server_whose_log_is_missing_for_days_leaves_a_hole() {
    let mut all = rows(0, 0, 10_000, 1, 1.0);
    all.extend(rows(1, 0, 6000, 1, 1.0));
    let binned = binned(&all);
    let (_, holes) = bandwidth(&binned, 8000, 1000);
    assert_eq!(
        holes,
        [Hole {
            first: 8000,
            steps: 1000
        }]
    );
    let ops = [Op::Write];
    let expected = binned.usually_expected(&ops);
    let unseen = binned.unseen(5000.0, 9000.0, &ops, &expected);
    let absent: Vec<String> = unseen.absent.iter().map(|one| one.label()).collect();
    assert_eq!((absent, unseen.seconds), (vec!["oss1".to_owned()], 3000.0));
    assert_eq!(unseen.longest, (6000.0, 3000.0));
}

#[test]
fn a_direction_that_is_unseen_is_not_hidden_by_the_other() {
    let mut all = rows(0, 0, 100, 1, 1.0);
    all.drain(40..50);
    let reads = rows(0, 0, 100, 1, 1.0).into_iter();
    all.extend(reads.map(|one| Moved {
        op: Op::Read,
        ..one
    }));
    let binned = binned(&all);
    let ops = [Op::Read, Op::Write];
    let expected = binned.usually_expected(&ops);
    let hole = Hole {
        first: 40,
        steps: 10,
    };
    assert_eq!(binned.holes(0, 100, &ops, &expected), [hole]);
    assert_eq!(
        binned.holes(0, 100, &ops[..1], &binned.usually_expected(&ops[..1])),
        []
    );
}

#[test]
fn a_direction_that_is_seen_seldom_is_expected_where_the_other_is() {
    let mut all = rows(0, 0, 100, 1, 1.0);
    let writes = rows(0, 80, 100, 1, 9.0).into_iter();
    all.iter_mut().for_each(|one| one.op = Op::Read);
    all.extend(writes);
    let binned = binned(&all);
    let ops = [Op::Read, Op::Write];
    let windows: Vec<(f64, f64)> = (0..10)
        .map(|at| f64::from(at * 10))
        .map(|at| (at, at + 10.0))
        .collect();
    let expected = binned.expected(&ops, &windows);
    let hole = Hole {
        first: 0,
        steps: 80,
    };
    assert_eq!(binned.holes(0, 100, &ops, &expected), [hole]);
    let unseen = binned.unseen(0.0, 10.0, &ops, &expected);
    assert_eq!((unseen.direction, unseen.seconds), (Some(Op::Write), 10.0));
    let seen = binned.unseen(85.0, 95.0, &ops, &expected);
    assert_eq!((seen.direction, seen.seconds), (None, 0.0));
    // Who asks for reads alone misses nothing.
    let reads = binned.expected(&ops[..1], &windows);
    assert_eq!(binned.holes(0, 100, &ops[..1], &reads), []);
}

#[test]
fn a_long_interval_in_which_nothing_was_moved_is_known() {
    let mut all: Vec<_> = (0..5)
        .map(|at| moved(f64::from(at), f64::from(at) + 1.0, 1.0))
        .collect();
    all.push(moved(5.0, 65.0, 0.0));
    all.push(moved(65.0, 66.0, 1.0));
    let binned = binned(&all);
    assert!(binned.warnings().is_empty());
    assert_eq!(bandwidth(&binned, 0, 66).1, []);
}

#[test]
fn what_two_logs_say_of_one_target_counts_once() {
    let mut binned = Binned::new();
    announce(&mut binned, 1);
    for (name, from, to) in [("day1", 0, 600), ("day2", 400, 1000), ("day2", 400, 1000)] {
        binned.begin_log(name);
        take(&mut binned, &rows(0, from, to, 2, 4.0));
    }
    assert!((all_bytes(&binned) - 2000.0).abs() < 1e-6);
    let warnings = binned.warnings();
    assert_eq!(codes(&binned), ["target-twice"]);
    assert!(
        warnings[0].message.starts_with("oss0: 800 s are in"),
        "{warnings:?}"
    );
}

#[test]
fn servers_without_names_are_added_up() {
    let mut binned = Binned::new();
    binned.target(&Target::new("", "", TargetKind::Unknown));
    for name in ["a", "b"] {
        binned.begin_log(name);
        take(&mut binned, &rows(0, 0, 600, 2, 4.0));
    }
    assert_eq!(all_bytes(&binned), 2400.0);
    assert_eq!(codes(&binned), ["servers-unnamed"]);
}

#[test]
fn targets_that_come_and_go_are_not_missed() {
    let mut all = Vec::new();
    for job in 0..20 {
        all.extend(rows(job, job * 50, job * 50 + 50, 1, 1.0));
    }
    all.retain(|one| !(300.0..310.0).contains(&one.when.start().get()));
    let (_, holes) = bandwidth(&binned(&all), 0, 1000);
    assert_eq!(
        holes,
        [Hole {
            first: 300,
            steps: 10
        }]
    );
}

#[test]
fn longer_steps_hold_what_a_log_skipped() {
    // A log of a row a second that skipped six of them once.
    let mut all = rows(0, 0, 10, 1, 5.0);
    all.push(moved(10.0, 16.0, 30.0));
    all.extend(rows(0, 16, 40, 1, 5.0));
    let fine = binned(&all);
    assert_eq!(codes(&fine), ["bytes-not-placed"]);
    let mut coarse = Binned::at_least(10.0);
    announce(&mut coarse, 1);
    take(&mut coarse, &all);
    assert_eq!(coarse.step(), Some(10.0));
    let (rates, holes) = bandwidth(&coarse, 0, 4);
    assert_eq!((rates, holes), (vec![5.0; 4], vec![]));
    assert!(codes(&coarse).is_empty());
    // A log that is coarser still keeps its own.
    let mut slow = Binned::at_least(10.0);
    announce(&mut slow, 1);
    take(&mut slow, &rows(0, 0, 300, 30, 30.0));
    assert_eq!(slow.step(), Some(30.0));
}
