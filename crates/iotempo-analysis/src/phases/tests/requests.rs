//! Phases of single requests.

use super::*;
use iotempo_model::{Bytes, FileId, Interval, Manner, Request, RequestSink};

#[derive(Debug, Clone, Copy)]
struct Made {
    file: &'static str,
    api: Api,
    rank: i32,
    span: [f64; 2],
    bytes: f64,
    manner: Manner,
}

fn wrote(file: &'static str, rank: i32, span: [f64; 2], bytes: f64) -> Made {
    Made {
        file,
        api: Api::Posix,
        rank,
        span,
        bytes,
        manner: Manner {
            beneath_mpi: Some(false),
            ..Manner::default()
        },
    }
}

fn made(all: &[Made], settings: Settings) -> Phases {
    made_by(all, Some(2), settings)
}

fn made_by(all: &[Made], processes: Option<u64>, settings: Settings) -> Phases {
    let mut requests = RequestPhases::new(settings);
    for one in all {
        let file: FileId = requests.file(one.file);
        let [start, end] = one.span.map(|time| Seconds::new(time).unwrap());
        let request = Request {
            rank: Rank(one.rank),
            op: Op::Write,
            api: one.api,
            file,
            when: Interval::new(start, end).unwrap(),
            bytes: Bytes::new(one.bytes).unwrap(),
        };
        requests.push_made(request, one.manner).unwrap();
    }
    requests.finish(processes)
}

#[test]
fn a_file_that_rests_has_several_phases() {
    let requests = [
        wrote("/log", 0, [10.0, 10.5], 100.0),
        wrote("/log", 1, [0.0, 0.5], 100.0),
        wrote("/log", 0, [1.2, 1.3], 50.0),
        wrote("/log", 0, [11.5, 12.0], 100.0),
    ];
    let phases = made(&requests, Settings::default()).phases;
    let told: Vec<_> = phases
        .iter()
        .map(|phase| {
            (
                phase.start_s,
                phase.end_s,
                phase.bytes,
                phase.ranks.count,
                phase.strategy,
            )
        })
        .collect();
    // Who shares it may rest, too.
    let shared = FileStrategy::Shared;
    assert_eq!(
        told,
        [
            (0.0, 1.3, 150, Some(2), shared),
            (10.0, 12.0, 200, Some(1), shared)
        ]
    );
    // A profiler has one record of it.
    let whole = only(made(&requests, compat()));
    assert_eq!((whole.start_s, whole.end_s, whole.requests), (0.0, 12.0, 4));
}

#[test]
fn a_file_that_rests_while_others_go_on_is_one_file() {
    let requests = [
        wrote("/a", 0, [0.0, 1.0], 10.0),
        wrote("/b", 1, [0.5, 5.0], 10.0),
        wrote("/a", 0, [5.5, 6.0], 10.0),
    ];
    let phase = only(made(&requests, Settings::default()));
    assert_eq!((phase.files, phase.requests), (2, 3));
}

#[test]
fn the_time_of_a_file_is_that_of_all_its_sittings() {
    let mut requests = vec![
        wrote("/a", 0, [0.0, 1.0], 10.0),
        wrote("/a", 0, [3.0, 4.0], 10.0),
        wrote("/a", 0, [6.0, 7.0], 10.0),
    ];
    // Another goes on, nine tenths of a second after the other.
    let instants = (0..8).map(|at| 0.9 * f64::from(at));
    requests.extend(instants.map(|at| wrote("/b", 1, [at, at + 0.1], 10.0)));
    let phase = only(made(&requests, Settings::default()));
    assert_eq!((phase.files, phase.mode_of_processes), (2, 1));
    assert_eq!((phase.time_s, phase.flags.serial), (3.0, false));
}

#[test]
fn processes_that_take_turns_with_a_file_spend_their_own_time() {
    let requests = [
        wrote("/a", 0, [0.0, 1.0], 10.0),
        wrote("/b", 0, [0.5, 7.0], 10.0),
        wrote("/b", 1, [0.5, 0.6], 10.0),
        wrote("/a", 1, [3.0, 5.0], 10.0),
        wrote("/a", 0, [7.0, 8.5], 10.0),
    ];
    let phases = made(&requests, Settings::default());
    let phase = only(phases);
    // Both files are shared, although no sitting of the first one is.
    assert_eq!(phase.strategy, FileStrategy::Shared);
    assert_eq!((phase.files, phase.mode_of_processes), (2, 2));
    // Threads of the first process write both: it spends no more time than there is.
    assert_eq!(phase.time_s, 8.5);
    let [first, .., second] = requests;
    let phase = only(made(
        &[
            first,
            requests[3],
            second,
            wrote("/b", 0, [0.5, 0.6], 10.0),
            wrote("/b", 1, [1.5, 2.5], 10.0),
            wrote("/b", 1, [5.9, 6.1], 10.0),
        ],
        Settings::default(),
    ));
    assert!((phase.time_s - 3.2).abs() < 1e-9);
}

#[test]
fn nobody_knows_how_busy_a_process_without_a_rank_was() {
    let wrote = |file: &'static str, span: [f64; 2]| wrote(file, -1, span, 10.0);
    let requests = [
        wrote("/a", [0.0, 4.0]),
        wrote("/b", [1.0, 3.0]),
        wrote("/b", [8.0, 10.0]),
        wrote("/a", [8.5, 9.0]),
    ];
    let together = Settings {
        time_distance_s: 60.0,
        ..Settings::default()
    };
    // The longest file, not the sum of all that may be many processes.
    assert_eq!(only(made_by(&requests, None, together)).time_s, 4.5);
}

#[test]
fn files_that_take_turns_add_their_times_up() {
    let requests = [
        wrote("/a", 0, [0.0, 1.0], 10.0),
        wrote("/b", 0, [1.5, 2.5], 10.0),
        wrote("/a", 0, [3.0, 4.0], 10.0),
    ];
    let phase = only(made(&requests, Settings::default()));
    assert_eq!((phase.files, phase.time_s), (2, 3.0));
    assert!(phase.flags.serial);
}

#[test]
fn where_requests_lie_is_not_guessed() {
    let phase = only(made(
        &[wrote("/a", 0, [0.0, 1.0], 10.0)],
        Settings::default(),
    ));
    assert_eq!(phase.spatiality, Spatiality::Unknown);
}

#[test]
fn what_mpi_does_below_is_a_shadow_and_what_the_program_does_is_none() {
    let beneath = |beneath_mpi, one: Made| Made {
        manner: Manner {
            beneath_mpi,
            ..one.manner
        },
        ..one
    };
    let collective = Made {
        api: Api::MpiIo,
        manner: Manner {
            collective: true,
            ..Manner::default()
        },
        ..wrote("/a", 0, [0.0, 2.0], 100.0)
    };
    let below = wrote("/a", 0, [0.5, 1.5], 100.0);
    let later = wrote("/a", 1, [60.0, 61.0], 7.0);
    let shadows = |requests: &[Made]| -> Vec<_> {
        let phases = made(requests, Settings::default()).phases;
        let of = |phase: &IoPhase| (phase.spatiality, phase.flags.shadow, phase.bytes);
        phases.iter().map(of).collect()
    };
    let unknown = Spatiality::Unknown;
    assert_eq!(
        shadows(&[later, beneath(Some(true), below), collective]),
        [
            (Spatiality::Collective, false, 100),
            (unknown, true, 100),
            (unknown, false, 7)
        ]
    );
    // Where nobody says who did it, a file of MPI-IO was moved by it.
    let unsaid = [beneath(None, later), collective];
    assert_eq!(shadows(&unsaid)[1], (unknown, true, 7));
    // Without a request of MPI-IO there is nothing that it could be a shadow of.
    assert_eq!(
        shadows(&[beneath(Some(true), below)]),
        [(unknown, false, 100)]
    );
}

#[test]
fn requests_in_one_record_count_and_their_sizes_are_means() {
    let several = Made {
        manner: Manner {
            requests: 10,
            ..Manner::default()
        },
        ..wrote("/a", 0, [0.0, 1.0], 1000.0)
    };
    let phase = only(made(
        &[several, wrote("/a", 0, [1.0, 1.5], 300.0)],
        Settings::default(),
    ));
    assert_eq!((phase.requests, phase.bytes), (11, 1300));
    assert!(!phase.sizes.exact);
    assert_eq!(phase.sizes.bytes(), 1300.0);
}

#[test]
fn threads_of_a_process_take_no_longer_than_the_time_there_is() {
    let requests = [
        wrote("/a", 0, [0.0, 1.0], 10.0),
        wrote("/a", 0, [0.0, 1.0], 10.0),
    ];
    let phase = only(made(&requests, Settings::default()));
    assert_eq!(phase.time_s, 1.0);
}

#[test]
fn requests_that_move_nothing_are_no_phase_of_their_own() {
    let found = made(
        &[
            wrote("/a", 0, [0.0, 1.0], 10.0),
            wrote("/a", 0, [1.0, 1.0], 0.0),
            wrote("/b", 1, [0.0, 1.0], 0.0),
        ],
        Settings::default(),
    );
    assert_eq!(found.left_out.zero_bytes, 1);
    let phase = only(found);
    assert_eq!((phase.requests, phase.files), (2, 1));
}

#[test]
fn sizes_do_not_depend_on_the_order_of_requests_however_many_there_are() {
    let of = |at: u32| {
        let start = f64::from(at) / 1000.0;
        // One size is frequent, and 999 others come once.
        let bytes = if at.is_multiple_of(2) {
            4096.0
        } else {
            f64::from(at)
        };
        wrote("/a", 0, [start, start], bytes)
    };
    let all: Vec<Made> = (0..2000).map(of).collect();
    let turned: Vec<Made> = all.iter().rev().copied().collect();
    let [one, other] = [all, turned].map(|all| only(made(&all, Settings::default())).sizes);
    assert_eq!(one, other);
    let known = |sizes: &SizeMixture| sizes.shares.iter().filter(|share| share.exact).count();
    assert!(known(&one) > 4, "{one:?}");
}

#[test]
fn every_size_of_a_process_is_handed_on() {
    let sizes = [10.0, 20.0, 30.0, 40.0, 50.0, 60.0];
    let requests = sizes.map(|bytes| wrote("/a", 0, [0.0, 1.0], bytes));
    let phase = only(made(&requests, Settings::default()));
    assert!(phase.sizes.exact);
    assert_eq!(phase.sizes.shares.len(), 6);
}

#[test]
fn more_pauses_than_can_be_told_apart_are_told() {
    let none = Settings {
        time_distance_s: 0.0,
        ..Settings::default()
    };
    let mut requests = RequestPhases::new(none);
    let file = requests.file("/a");
    let count = 200_000_i32;
    for at in 0..count {
        let [start, end] = [0.0, 0.25].map(|later| Seconds::new(f64::from(at) + later).unwrap());
        let request = Request {
            rank: Rank(0),
            op: Op::Write,
            api: Api::Posix,
            file,
            when: Interval::new(start, end).unwrap(),
            bytes: Bytes::new(1.0).unwrap(),
        };
        requests.push(request).unwrap();
    }
    assert_eq!(requests.warnings()[0].code, "too-many-phases");
    let phases = requests.finish(Some(1)).phases;
    assert!(phases.len() < 1 << 17, "{}", phases.len());
    let moved: u64 = phases.iter().map(|phase| phase.bytes).sum();
    assert_eq!(moved, u64::from(count.unsigned_abs()));
}

#[test]
fn pauses_of_many_processes_are_not_all_told_apart() {
    let mut requests = RequestPhases::new(Settings::default());
    let file = requests.file("/a");
    let (ranks, sittings) = (1000, 400);
    for rank in 0..ranks {
        for sitting in 0..sittings {
            let at = Seconds::new(10.0 * f64::from(sitting)).unwrap();
            let request = Request {
                rank: Rank(rank),
                op: Op::Write,
                api: Api::Posix,
                file,
                when: Interval::at(at),
                bytes: Bytes::new(1.0).unwrap(),
            };
            requests.push(request).unwrap();
        }
    }
    assert_eq!(requests.warnings()[0].code, "too-many-phases");
    let phase = only(requests.finish(None));
    assert_eq!(phase.bytes, 400_000);
    assert_eq!(phase.mode_of_processes, 1000);
}

#[test]
fn many_processes_alone_are_no_pauses() {
    let mut requests = RequestPhases::new(Settings::default());
    for rank in 0..70_000_i32 {
        for (name, time) in [("/a", 0.0), ("/b", 0.0), ("/a", 10.0), ("/b", 10.0)] {
            let file = requests.file(name);
            let request = Request {
                rank: Rank(rank),
                op: Op::Write,
                api: Api::Posix,
                file,
                when: Interval::at(Seconds::new(time).unwrap()),
                bytes: Bytes::new(1.0).unwrap(),
            };
            requests.push(request).unwrap();
        }
    }
    assert!(requests.warnings().is_empty());
    assert_eq!(requests.finish(None).phases.len(), 2);
}

proptest! {
    #[test]
    fn the_order_of_requests_does_not_matter(
        requests in proptest::collection::vec((0..3_usize, 0..3_i32, -40..40_i32, 0..12_i32, 0..5_u8), 1..40),
        turn in 0..40_usize,
    ) {
        let all: Vec<Made> = requests
            .iter()
            .map(|&(file, rank, start, length, size)| {
                let start = f64::from(start) / 4.0;
                let span = [start, start + f64::from(length) / 8.0];
                wrote(["/a", "/b", ""][file], rank, span, 100.0 * f64::from(size))
            })
            .collect();
        let mut turned = all.clone();
        turned.rotate_left(turn % all.len());
        turned.reverse();
        let names = |found: Phases| {
            found.phases.into_iter().map(|phase| IoPhase { handles: Vec::new(), ..phase }).collect::<Vec<_>>()
        };
        let (one, other) = (made(&all, Settings::default()), made(&turned, Settings::default()));
        let moved: u64 = one.phases.iter().map(|phase| phase.bytes).sum();
        prop_assert_eq!(moved, all.iter().map(|one| one.bytes as u64).sum::<u64>());
        prop_assert_eq!(names(one), names(other));
    }
}
