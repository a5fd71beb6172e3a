#![allow(clippy::unwrap_used)]

mod agreement;
mod layers;
mod requests;
mod sizes;

use super::*;
use iotempo_model::{Rank, Seconds, SizeCount, size_bin};
use proptest::prelude::*;

/// What one process wrote to one file: consecutive requests of 1000 bytes.
fn written(file: u64, rank: i32, start: f64, end: f64) -> FileCounters {
    let mut counters = FileCounters::new(file, Api::Posix);
    (counters.rank, counters.processes) = (Some(Rank(rank)), Some(4));
    counters.write = iotempo_model::OpCounters {
        requests: 100,
        bytes: 100_000,
        consecutive: 99,
        sequential: 99,
        start: Seconds::new(start),
        end: Seconds::new(end),
        time_s: (end - start) / 2.0,
        ..Default::default()
    };
    counters
}

/// What all four processes wrote to one file.
fn shared(file: u64, start: f64, end: f64) -> FileCounters {
    FileCounters {
        rank: None,
        ..written(file, 0, start, end)
    }
}

fn found(files: &[FileCounters]) -> Phases {
    found_with(files, Settings::default())
}

fn found_with(files: &[FileCounters], settings: Settings) -> Phases {
    let mut finder = PhaseFinder::new(settings);
    files.iter().for_each(|file| finder.push(file));
    finder.finish()
}

fn compat() -> Settings {
    Settings {
        compat: true,
        ..Settings::default()
    }
}

fn only(phases: Phases) -> IoPhase {
    let [phase] = <[IoPhase; 1]>::try_from(phases.phases).unwrap();
    phase
}

#[test]
fn a_file_per_process_is_one_phase() {
    let files: Vec<_> = (0..4)
        .map(|rank| written(rank as u64, rank, 1.0 + f64::from(rank) / 10.0, 3.0))
        .collect();
    let phase = only(found(&files));
    assert_eq!((phase.start_s, phase.end_s), (1.0, 3.0));
    assert_eq!((phase.bytes, phase.requests), (400_000, 400));
    assert_eq!((phase.files, phase.mode_of_processes), (4, 1));
    assert_eq!(phase.strategy, FileStrategy::Unique);
    assert_eq!(phase.ranks.to_string(), "all");
    assert_eq!(phase.time_s, 1.0);
    assert_eq!(phase.flags, Flags::default());
}

#[test]
fn processes_that_share_a_file_are_one_phase_with_the_time_of_the_busiest() {
    let phase = only(found(&[
        written(7, 0, 1.0, 2.0),
        written(7, 2, 1.5, 4.5),
        written(7, 2, 1.5, 2.5),
    ]));
    assert_eq!(phase.strategy, FileStrategy::Shared);
    assert_eq!(
        (phase.ranks.to_string(), phase.mode_of_processes),
        ("2".to_owned(), 2)
    );
    // The second one's two records are of one process.
    assert_eq!((phase.start_s, phase.end_s, phase.time_s), (1.0, 4.5, 2.0));
}

#[test]
fn a_process_spends_the_sum_of_what_it_spends_on_its_files() {
    // Half of the time each: files that are open at the same time, so that they are not one after the other.
    let files = [
        written(1, 0, 0.0, 8.0),
        written(2, 0, 1.0, 3.0),
        written(3, 0, 2.0, 4.0),
        written(4, 1, 0.0, 10.0),
    ];
    let phase = only(found(&files));
    assert_eq!((phase.time_s, phase.flags.serial), (6.0, false));
    assert_eq!(only(found_with(&files, compat())).time_s, 5.0);
    // Each process spends the mean on a file of all: 5 s and 4 s by four.
    let phase = only(found(&[shared(1, 0.0, 10.0), shared(2, 1.0, 9.0)]));
    assert_eq!(phase.time_s, 5.0 / 4.0 + 4.0 / 4.0);
    // Threads of one process are not longer at it than there is time.
    let busy = |file| {
        let mut counters = written(file, 0, 0.0, 10.0);
        counters.write.time_s = 9.0;
        counters
    };
    assert_eq!(only(found(&[busy(1), busy(2)])).time_s, 10.0);
    // A record of all beside one of a process is everybody's, and so the process's, too.
    let both = [shared(1, 0.0, 10.0), written(1, 2, 2.0, 4.0)];
    assert_eq!(only(found(&both)).time_s, 5.0 / 4.0 + 1.0);
}

#[test]
fn files_one_after_the_other_take_no_less_than_their_busiest_process() {
    // Two records of one process and file: its time is both of theirs.
    let files = [
        written(1, 0, 0.0, 1.0),
        written(1, 0, 0.2, 1.0),
        written(2, 0, 2.0, 3.0),
    ];
    let phase = only(found(&files));
    assert!(phase.flags.serial);
    assert!((phase.time_s - (0.5 + 0.4 + 0.5)).abs() < 1e-12);
}

#[test]
fn a_record_of_all_processes_has_their_mean_time() {
    let phase = only(found(&[shared(1, 0.0, 10.0)]));
    assert_eq!(phase.time_s, 5.0 / 4.0);
    assert_eq!(phase.ranks.count, Some(4));
    assert!(phase.ranks.all);
}

#[test]
fn a_single_process_shares_nothing_even_where_its_record_says_all() {
    let one = FileCounters {
        processes: Some(1),
        ..shared(1, 0.0, 10.0)
    };
    let phase = only(found(std::slice::from_ref(&one)));
    assert_eq!(phase.strategy, FileStrategy::Unique);
    assert_eq!((phase.ranks.rank, phase.ranks.all), (Some(Rank(0)), true));
    assert_eq!((phase.time_s, phase.mode_of_processes), (5.0, 1));
    let as_the_paper = only(found_with(&[one], compat()));
    assert_eq!(as_the_paper.strategy, FileStrategy::Shared);
}

#[test]
fn phases_further_apart_than_the_distance_stay_apart() {
    let files = [
        shared(1, 0.5, 1.0),
        shared(2, 2.0, 3.0),
        shared(3, 4.5, 5.0),
    ];
    let starts: Vec<f64> = found(&files).phases.iter().map(|p| p.start_s).collect();
    assert_eq!(starts, [0.5, 4.5]);
    let settings = Settings {
        time_distance_s: 2.0,
        ..Settings::default()
    };
    assert_eq!(found_with(&files, settings).phases.len(), 1);
}

#[test]
fn a_long_phase_takes_in_what_begins_before_its_end() {
    let files = [
        shared(1, 0.5, 100.0),
        shared(2, 3.0, 4.0),
        shared(3, 50.0, 51.0),
    ];
    assert_eq!(only(found(&files)).files, 3);
}

#[test]
fn files_one_after_the_other_add_their_times_up() {
    let files = [
        shared(1, 0.5, 4.5),
        shared(2, 5.0, 9.0),
        shared(3, 9.0, 13.0),
    ];
    let phase = only(found(&files));
    assert!(phase.flags.serial);
    assert_eq!(phase.time_s, 1.5);
    let as_the_paper = only(found_with(&files, compat()));
    assert_eq!(
        (as_the_paper.time_s, as_the_paper.flags.serial),
        (0.5, false)
    );
    let at_once = [
        shared(1, 0.5, 4.5),
        shared(2, 0.6, 4.5),
        shared(3, 0.7, 4.6),
    ];
    assert!(!only(found(&at_once)).flags.serial);
    let instants = [shared(1, 1.0, 1.0), shared(2, 1.0, 1.0)];
    assert!(!only(found(&instants)).flags.serial);
}

#[test]
fn posix_under_mpi_io_is_a_shadow_and_joins_no_other() {
    let mut upper = shared(1, 1.0, 2.0);
    upper.api = Api::MpiIo;
    upper.write.collective = 100;
    let files = [upper, shared(1, 1.0, 2.0), shared(2, 1.0, 2.0)];
    let told: Vec<_> = found(&files)
        .phases
        .iter()
        .map(|phase| (phase.api, phase.spatiality, phase.flags.shadow))
        .collect();
    let expected = [
        (Api::Posix, Spatiality::Consecutive, false),
        (Api::Posix, Spatiality::Consecutive, true),
        (Api::MpiIo, Spatiality::Collective, false),
    ];
    assert_eq!(told, expected);
    let as_the_paper = found_with(&files, compat()).phases;
    assert_eq!(as_the_paper.len(), 2);
    assert!(as_the_paper.iter().all(|phase| !phase.flags.shadow));
}

#[test]
fn spatiality_is_what_most_requests_are() {
    let of = |consecutive, sequential| {
        let mut file = written(1, 0, 1.0, 2.0);
        (file.write.consecutive, file.write.sequential) = (consecutive, sequential);
        only(found(&[file])).spatiality
    };
    assert_eq!(of(80, 80), Spatiality::Consecutive);
    assert_eq!(of(79, 80), Spatiality::Sequential);
    assert_eq!(of(0, 79), Spatiality::Random);
    let mut stdio = written(1, 0, 1.0, 2.0);
    stdio.api = Api::Stdio;
    assert_eq!(only(found(&[stdio])).spatiality, Spatiality::Unknown);
    let mut mpi = written(1, 0, 1.0, 2.0);
    (mpi.api, mpi.write.collective) = (Api::MpiIo, 79);
    assert_eq!(only(found(&[mpi])).spatiality, Spatiality::Unknown);
}

#[test]
fn the_first_request_of_a_process_does_not_make_a_file_random() {
    let mut file = written(1, 0, 1.0, 2.0);
    (
        file.write.requests,
        file.write.consecutive,
        file.write.sequential,
    ) = (1, 0, 0);
    let of = |file: &FileCounters, settings| only(found_with(std::slice::from_ref(file), settings));
    assert_eq!(
        of(&file, Settings::default()).spatiality,
        Spatiality::Consecutive
    );
    assert_eq!(of(&file, compat()).spatiality, Spatiality::Random);
    (
        file.write.requests,
        file.write.consecutive,
        file.write.sequential,
    ) = (4, 3, 3);
    assert_eq!(
        of(&file, Settings::default()).spatiality,
        Spatiality::Consecutive
    );
    assert_eq!(of(&file, compat()).spatiality, Spatiality::Random);
    (file.write.consecutive, file.write.sequential) = (0, 0);
    assert_eq!(
        of(&file, Settings::default()).spatiality,
        Spatiality::Random
    );
}

#[test]
fn the_mode_of_processes_is_the_larger_of_two() {
    let files = [
        written(1, 0, 1.0, 2.0),
        written(1, 1, 1.0, 2.0),
        written(2, 0, 1.0, 2.0),
        written(2, 1, 1.0, 2.0),
        written(2, 2, 1.0, 2.0),
    ];
    assert_eq!(only(found(&files)).mode_of_processes, 3);
}

#[test]
fn requests_that_move_nothing_are_no_phase() {
    let mut file = written(1, 0, 1.0, 2.0);
    file.write.bytes = 0;
    let found = found(&[file]);
    assert_eq!((found.phases.len(), found.left_out.zero_bytes), (0, 1));
    assert!(found.left_out.warnings().is_empty());
}

#[test]
fn bytes_without_a_time_are_told_and_in_no_phase() {
    let mut file = written(1, 0, 1.0, 2.0);
    (file.write.start, file.write.end) = (None, None);
    let none = found(std::slice::from_ref(&file));
    assert_eq!(none.phases.len(), 0);
    assert_eq!(none.left_out.bytes_without_times, 100_000);
    assert_eq!(none.left_out.warnings()[0].code, "no-timestamps");
    file.write.end = Seconds::new(3.0);
    let half = found(&[file]);
    assert_eq!((half.phases[0].start_s, half.phases[0].end_s), (3.0, 3.0));
    assert_eq!(half.left_out.half_timed, 1);
}

#[test]
fn a_last_access_before_the_first_is_swapped_and_told() {
    let found = found(&[written(1, 0, 5.0, 2.0)]);
    assert_eq!((found.phases[0].start_s, found.phases[0].end_s), (2.0, 5.0));
    assert_eq!(found.left_out.warnings()[0].code, "clock-backwards");
}

#[test]
fn all_of_an_unknown_number_of_processes_is_told() {
    let file = FileCounters {
        processes: None,
        ..shared(1, 0.0, 10.0)
    };
    let found = found(&[file]);
    assert_eq!(found.left_out.processes_unknown, 1);
    assert_eq!(found.phases[0].ranks.to_string(), "all");
    assert_eq!(found.phases[0].time_s, 5.0);
}

#[test]
fn a_file_that_is_idle_most_of_its_time_is_long_lived() {
    let mut file = shared(1, 0.0, 100.0);
    file.write.time_s = 4.0 * 19.9;
    assert!(only(found(std::slice::from_ref(&file))).flags.long_lived);
    file.write.time_s = 4.0 * 20.1;
    assert!(!only(found(&[file])).flags.long_lived);
}

#[test]
fn uneven_processes_are_told() {
    let mut file = shared(1, 0.0, 1.0);
    // The mean is 25,000 bytes.
    file.bytes_variance = Some(5_001.0_f64.powi(2));
    let phase = only(found(std::slice::from_ref(&file)));
    assert!(phase.flags.imbalance && (phase.imbalance_cv.unwrap() - 0.20004).abs() < 1e-9);
    file.bytes_variance = Some(5_000.0_f64.powi(2));
    assert!(!only(found(&[file])).flags.imbalance);
    let mut uneven = [written(1, 0, 0.0, 1.0), written(2, 1, 0.0, 1.0)];
    uneven[1].write.bytes = 200_000;
    assert!(only(found(&uneven)).flags.imbalance);
}

#[test]
fn files_that_were_dropped_are_told() {
    let mut file = shared(1, 0.0, 1.0);
    file.partial = true;
    let phase = only(found(&[file]));
    assert_eq!(
        phase.flags.up().map(|flag| flag.name).collect::<Vec<_>>(),
        ["partial"]
    );
}

#[test]
fn counters_as_large_as_they_get_overflow_nothing() {
    let mut file = written(1, 0, 1.0, f64::MAX);
    file.processes = Some(u64::MAX);
    let write = &mut file.write;
    (write.requests, write.bytes, write.time_s) = (u64::MAX, u64::MAX, f64::MAX);
    (write.consecutive, write.sequential, write.collective) = (u64::MAX, u64::MAX, u64::MAX);
    write.sizes = [u64::MAX; iotempo_model::SIZE_BINS];
    file.frequent = [SizeCount {
        size: u64::MAX,
        count: u64::MAX,
    }; 4];
    file.read = file.write;
    let other = FileCounters {
        rank: None,
        bytes_variance: Some(f64::MAX),
        ..file.clone()
    };
    let mut timeless = FileCounters {
        file: 2,
        ..file.clone()
    };
    (timeless.write.start, timeless.write.end) = (None, None);
    let files = [file.clone(), file, other, timeless.clone(), timeless];
    let found = found(&files);
    assert_eq!(found.left_out.bytes_without_times, u64::MAX);
    for phase in found.phases {
        assert_eq!((phase.bytes, phase.requests), (u64::MAX, u64::MAX));
        assert!(
            phase
                .sizes
                .shares
                .iter()
                .all(|share| share.size_bytes.is_finite())
        );
    }
}

fn any_file() -> impl Strategy<Value = FileCounters> {
    let ranks = prop_oneof![Just(None), (0..4_i32).prop_map(|rank| Some(Rank(rank)))];
    let apis = prop_oneof![Just(Api::Posix), Just(Api::MpiIo), Just(Api::Stdio)];
    let times = (0.0..30.0_f64, 0.0..3.0_f64, 0.0..9.0_f64);
    let counts = (0..12_u64, 0..3_u64, 0..12_u64, 0..12_u64);
    (0..6_u64, apis, ranks, times, counts).prop_map(
        |(file, api, rank, (start, length, time_s), (requests, kilobytes, one, two))| {
            let mut counters = written(file, 0, start, start + length);
            (counters.api, counters.rank) = (api, rank);
            counters.write.time_s = time_s;
            (counters.write.requests, counters.write.bytes) = (requests, 1000 * kilobytes);
            counters.write.consecutive = one.min(requests);
            counters.write.sequential = one.max(two).min(requests);
            counters.write.collective = two.min(requests);
            counters.write.sizes[1] = requests;
            counters.frequent[0] = SizeCount {
                size: 1000,
                count: one,
            };
            counters
        },
    )
}

proptest! {
    #[test]
    fn the_order_of_records_does_not_matter(
        files in prop::collection::vec(any_file(), 0..40),
        turn in 0..40_usize,
    ) {
        let mut turned = files.clone();
        turned.rotate_left(turn % files.len().max(1));
        turned.reverse();
        for settings in [Settings::default(), compat()] {
            prop_assert_eq!(found_with(&files, settings), found_with(&turned, settings));
        }
    }

    #[test]
    fn no_byte_and_no_request_is_lost(files in prop::collection::vec(any_file(), 0..40)) {
        let found = found(&files);
        let bytes: u64 = files.iter().map(|file| file.write.bytes).sum();
        let in_phases: u64 = found.phases.iter().map(|phase| phase.bytes).sum();
        prop_assert_eq!(in_phases, bytes);
        let moving = files.iter().filter(|file| file.write.bytes > 0);
        let requests: u64 = moving.map(|file| file.write.requests).sum();
        let in_phases: u64 = found.phases.iter().map(|phase| phase.requests).sum();
        prop_assert_eq!(in_phases, requests);
        // Of each file, one layer moved the bytes that are added up.
        for phase in &found.phases {
            prop_assert_eq!(phase.own_bytes() == 0, phase.flags.shadow);
        }
        for phase in &found.phases {
            prop_assert!((phase.sizes.bytes() - phase.bytes as f64).abs() <= 1e-6 * phase.bytes as f64
                || phase.requests == 0);
            prop_assert!(phase.start_s <= phase.end_s && phase.time_s >= 0.0);
        }
    }
}
