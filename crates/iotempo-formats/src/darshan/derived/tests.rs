#![allow(clippy::unwrap_used)]

use super::*;
use crate::darshan::layout::Layout;
use crate::darshan::log::{ModuleData, Records};

/// A log with one module, built record by record.
struct Built {
    module: Module,
    table: CounterTable,
    log: Log,
}

const MIB: i64 = 1 << 20;

impl Built {
    fn new(module: Module) -> Self {
        let mut log = Log::default();
        log.job.nprocs = 4;
        (log.job.start_s, log.job.end_s) = (600, 900);
        Self {
            module,
            table: CounterTable::new(Layout::latest(module).unwrap()),
            log,
        }
    }

    /// A record of rank `rank` on file `id`; counters are named without the module's prefix.
    fn record(mut self, id: u64, rank: i64, ints: &[(&str, i64)], floats: &[(&str, f64)]) -> Self {
        let prefix = match self.module {
            Module::MpiIo => "MPIIO",
            module => module.name(),
        };
        let layout = self.table.layout;
        self.table.ids.push(id);
        self.table.ranks.push(rank);
        let mut row = vec![0; layout.ints.len()];
        for (name, value) in ints {
            row[layout.int(&format!("{prefix}_{name}")).unwrap()] = *value;
        }
        self.table.ints.extend(row);
        let mut row = vec![0.0; layout.floats.len()];
        for (name, value) in floats {
            row[layout.float(&format!("{prefix}_F_{name}")).unwrap()] = *value;
        }
        self.table.floats.extend(row);
        self
    }

    fn log(mut self) -> Log {
        self.log.modules.push(ModuleData {
            id: self.module as u32,
            module: Some(self.module),
            version: 4,
            partial: false,
            damage: None,
            records: Records::Counters(self.table),
        });
        self.log
    }
}

#[test]
fn the_slowest_rank_and_the_shared_files_give_the_time() {
    let log = Built::new(Module::Posix)
        .record(
            1,
            2,
            &[("BYTES_READ", 3 * MIB)],
            &[("READ_TIME", 1.0), ("META_TIME", 0.5)],
        )
        .record(2, 0, &[("BYTES_WRITTEN", MIB)], &[("WRITE_TIME", 2.0)])
        .record(3, 2, &[], &[("WRITE_TIME", 0.75)])
        .record(
            4,
            -1,
            &[("BYTES_READ", 4 * MIB)],
            &[("SLOWEST_RANK_TIME", 1.75), ("READ_TIME", 9.0)],
        )
        .log();
    let perf = perf(&log, Module::Posix).unwrap();
    assert_eq!(perf.total_bytes, 8 * MIB);
    let unique = UniqueTimes {
        slowest_rank: Some(2),
        io_s: 2.25,
        meta_s: 0.5,
        rw_s: 1.75,
    };
    assert_eq!(perf.unique, unique);
    assert_eq!(
        (perf.shared_time_by_slowest_s, perf.agg_time_by_slowest_s),
        (1.75, 4.0)
    );
    assert_eq!(perf.agg_perf_by_slowest_mib_per_s, Some(2.0));
}

#[test]
fn of_equally_slow_ranks_the_first_counts() {
    let log = Built::new(Module::Stdio)
        .record(1, 3, &[], &[("META_TIME", 1.0)])
        .record(2, 1, &[], &[("READ_TIME", 1.0)])
        .log();
    assert_eq!(
        perf(&log, Module::Stdio).unwrap().unique.slowest_rank,
        Some(1)
    );
}

#[test]
fn without_time_there_is_no_rate() {
    let log = Built::new(Module::Dfs)
        .record(1, 0, &[("BYTES_READ", 5)], &[])
        .log();
    let perf = perf(&log, Module::Dfs).unwrap();
    assert_eq!(
        (perf.unique.slowest_rank, perf.agg_perf_by_slowest_mib_per_s),
        (None, None)
    );
    assert!(super::perf(&log, Module::Posix).is_none());
}

#[test]
fn files_are_classed_by_direction_and_by_ranks() {
    let read = |bytes| [("BYTES_READ", bytes), ("MAX_BYTE_READ", bytes - 1)];
    let write = |bytes| [("BYTES_WRITTEN", bytes), ("MAX_BYTE_WRITTEN", bytes - 1)];
    let log = Built::new(Module::Posix)
        .record(1, 0, &read(10), &[])
        .record(2, 0, &read(20), &[])
        .record(2, 1, &write(30), &[])
        .record(3, -1, &write(40), &[])
        .record(4, 3, &[], &[])
        .log();
    let counts = file_counts(&log, Module::Posix).unwrap();
    let class = |files, bytes, offset| FileClass {
        files,
        bytes,
        max_offset: Some(offset),
    };
    assert_eq!(counts.total, class(4, 100, 39));
    assert_eq!(counts.read_only, class(1, 10, 9));
    assert_eq!(counts.write_only, class(1, 40, 39));
    assert_eq!(counts.read_write, class(1, 50, 29));
    assert_eq!(counts.unique, class(2, 10, 9));
    assert_eq!(counts.shared_by_all, class(1, 40, 39));
    assert_eq!(counts.shared_by_some, class(1, 50, 29));
    assert_eq!(counts.shared, class(2, 90, 39 + 29));
}

#[test]
fn modules_without_offsets_have_none() {
    let log = Built::new(Module::MpiIo)
        .record(1, -1, &[("BYTES_READ", 5)], &[])
        .log();
    let counts = file_counts(&log, Module::MpiIo).unwrap();
    assert_eq!(
        counts.read_only,
        FileClass {
            files: 1,
            bytes: 5,
            max_offset: None
        }
    );
}

#[test]
fn the_total_sums_counts_and_keeps_the_outermost_stamps() {
    let log = Built::new(Module::Posix)
        .record(
            1,
            0,
            &[
                ("READS", 3),
                ("MMAPS", -1),
                ("MODE", 420),
                ("MAX_BYTE_READ", 9),
                ("MAX_READ_TIME_SIZE", 7),
            ],
            &[
                ("READ_TIME", 1.5),
                ("READ_START_TIMESTAMP", 4.0),
                ("READ_END_TIMESTAMP", 5.0),
                ("MAX_READ_TIME", 0.5),
            ],
        )
        .record(
            2,
            0,
            &[
                ("READS", 4),
                ("MMAPS", -1),
                ("MODE", 384),
                ("MAX_BYTE_READ", 5),
                ("MAX_READ_TIME_SIZE", 8),
            ],
            &[
                ("READ_TIME", 0.25),
                ("READ_START_TIMESTAMP", 3.0),
                ("READ_END_TIMESTAMP", -1.0),
                ("MAX_READ_TIME", 0.25),
            ],
        )
        .record(2, 0, &[("MODE", 1)], &[("VARIANCE_RANK_TIME", 3.0)])
        .log();
    let total = total(&log, Module::Posix).unwrap();
    let int = |name: &str| total.int(&format!("POSIX_{name}")).unwrap();
    let float = |name: &str| total.float(&format!("POSIX_F_{name}")).unwrap();
    assert_eq!((int("READS"), int("MMAPS"), int("MODE")), (7, -1, 1));
    assert_eq!((int("MAX_BYTE_READ"), int("MAX_READ_TIME_SIZE")), (9, 7));
    assert_eq!((float("READ_TIME"), float("MAX_READ_TIME")), (1.75, 0.5));
    assert_eq!(
        (float("READ_START_TIMESTAMP"), float("READ_END_TIMESTAMP")),
        (3.0, 5.0)
    );
    assert_eq!(float("VARIANCE_RANK_TIME"), 0.0);
    assert_eq!((total.id, total.rank), (None, Some(0)));
    assert_eq!((int("SLOWEST_RANK"), int("SLOWEST_RANK_BYTES")), (-1, -1));
    assert_eq!(float("SLOWEST_RANK_TIME"), 0.0);
}

#[test]
fn sums_of_mpi_io_stay_negative_where_its_counters_overflowed() {
    let log = Built::new(Module::MpiIo)
        .record(1, 0, &[("BYTES_READ", -22_238)], &[])
        .record(1, 1, &[("BYTES_READ", -2)], &[])
        .log();
    let total = total(&log, Module::MpiIo).unwrap();
    assert_eq!(total.int("MPIIO_BYTES_READ"), Some(-22_240));
}

#[test]
fn ranks_of_one_file_compete_for_fastest_and_slowest() {
    let log = Built::new(Module::Posix)
        .record(
            1,
            2,
            &[("BYTES_READ", 5)],
            &[("READ_TIME", 1.0), ("META_TIME", 0.5)],
        )
        .record(1, 0, &[("BYTES_WRITTEN", 6)], &[("WRITE_TIME", 1.0)])
        .record(1, 3, &[("BYTES_WRITTEN", 7)], &[("WRITE_TIME", 2.0)])
        .log();
    let total = total(&log, Module::Posix).unwrap();
    let int = |name: &str| total.int(&format!("POSIX_{name}")).unwrap();
    assert_eq!((total.id, total.rank), (Some(1), None));
    assert_eq!((int("FASTEST_RANK"), int("FASTEST_RANK_BYTES")), (0, 6));
    assert_eq!((int("SLOWEST_RANK"), int("SLOWEST_RANK_BYTES")), (3, 7));
    assert_eq!(total.float("POSIX_F_FASTEST_RANK_TIME"), Some(1.0));
    assert_eq!(total.float("POSIX_F_SLOWEST_RANK_TIME"), Some(2.0));
}

/// The common sizes of two records, folded.
fn common(one: [(i64, i64); 4], other: [(i64, i64); 4]) -> Vec<(i64, i64)> {
    let names: Vec<_> = (1..=4)
        .map(|k| [format!("ACCESS{k}_ACCESS"), format!("ACCESS{k}_COUNT")])
        .collect();
    let counters = |values: [(i64, i64); 4]| -> Vec<(&str, i64)> {
        let pairs = names.iter().zip(values);
        pairs
            .flat_map(|([value, count], (v, c))| [(&**value, v), (&**count, c)])
            .collect()
    };
    let log = Built::new(Module::MpiIo)
        .record(1, 0, &counters(one), &[])
        .record(2, 0, &counters(other), &[])
        .log();
    let total = total(&log, Module::MpiIo).unwrap();
    let int = |name: &String| total.int(&format!("MPIIO_{name}")).unwrap();
    names
        .iter()
        .map(|[value, count]| (int(value), int(count)))
        .collect()
}

#[test]
fn common_sizes_are_merged_by_value() {
    let none = (0, 0);
    // A known value keeps its place though its count grows.
    let merged = common([(8, 5), (4, 3), none, none], [(4, 9), none, none, none]);
    assert_eq!(merged, [(8, 5), (4, 12), none, none]);
    // A new value goes before smaller counts, and before smaller values with the same count.
    let merged = common([(8, 5), (4, 3), none, none], [(16, 4), (5, 3), none, none]);
    assert_eq!(merged, [(8, 5), (16, 4), (5, 3), (4, 3)]);
    // The fifth falls out.
    let merged = common(
        [(1, 9), (2, 8), (3, 7), (4, 6)],
        [(5, 7), (6, 1), none, none],
    );
    assert_eq!(merged, [(1, 9), (2, 8), (5, 7), (3, 7)]);
}

#[test]
fn shared_files_are_timed_in_four_ways() {
    let log = Built::new(Module::Posix)
        .record(
            1,
            -1,
            &[("BYTES_WRITTEN", 6 * MIB)],
            &[
                ("READ_TIME", 1.0),
                ("WRITE_TIME", 4.0),
                ("META_TIME", 3.0),
                ("SLOWEST_RANK_TIME", 2.5),
                ("OPEN_START_TIMESTAMP", 10.0),
                ("READ_END_TIMESTAMP", 12.0),
                ("WRITE_END_TIMESTAMP", 14.0),
                ("CLOSE_END_TIMESTAMP", 15.0),
            ],
        )
        // Opened, and neither used nor closed.
        .record(2, -1, &[], &[("OPEN_START_TIMESTAMP", 20.0)])
        .record(3, 1, &[], &[("META_TIME", 1.0)])
        .log();
    let times = shared_times(&log, Module::Posix).unwrap();
    assert_eq!(
        (times.by_cumul_s, times.meta_by_cumul_s),
        (Some(2.0), Some(0.75))
    );
    assert_eq!(
        (times.by_open_s, times.by_open_lastio_s, times.by_slowest_s),
        (5.0, 4.0, 2.5)
    );
    assert_eq!(times.agg_perf_by_cumul_mib_per_s, Some(2.0));
    assert_eq!(times.agg_perf_by_open_mib_per_s, Some(1.0));
    assert_eq!(times.agg_perf_by_open_lastio_mib_per_s, Some(1.2));
    assert_eq!(times.agg_perf_by_slowest_mib_per_s, Some(6.0 / 3.5));
    let mut log = log;
    log.job.nprocs = 0;
    assert_eq!(shared_times(&log, Module::Posix).unwrap().by_cumul_s, None);
}

#[test]
fn phi_tells_the_ways_to_time_shared_files_apart() {
    let shared = |open, end, slowest| {
        [
            ("OPEN_START_TIMESTAMP", open),
            ("WRITE_START_TIMESTAMP", open + 0.5),
            ("WRITE_END_TIMESTAMP", end),
            ("SLOWEST_RANK_TIME", slowest),
        ]
    };
    // Two files of 2 s each, ten seconds apart.
    let log = Built::new(Module::Posix)
        .record(1, -1, &[], &shared(10.0, 12.0, 1.0))
        .record(2, -1, &[], &shared(20.0, 22.0, 1.5))
        .record(
            3,
            0,
            &[],
            &[
                ("READ_TIME", 2.0),
                ("META_TIME", 1.0),
                ("READ_START_TIMESTAMP", 30.0),
                ("READ_END_TIMESTAMP", 34.0),
            ],
        )
        .record(
            3,
            1,
            &[],
            &[
                ("READ_TIME", 1.0),
                ("READ_START_TIMESTAMP", 29.0),
                ("READ_END_TIMESTAMP", 31.0),
            ],
        )
        .log();
    let phi = phi(&log, Module::Posix).unwrap();
    assert_eq!(phi.phi_j_s, 300.0);
    assert_eq!(
        (phi.phi_u_m_s, phi.phi_u_rw_s, phi.phi_u_s),
        (1.0, 2.0, 3.0)
    );
    assert_eq!(phi.phi_s_span_s, Some(12.0));
    assert_eq!(phi.phi_s_open_lastio_s, 4.0);
    assert_eq!(phi.phi_s_slowest_s, 2.5);
    assert_eq!(phi.phi_s, 5.5);
    assert_eq!((phi.phi_f_r_s, phi.phi_f_w_s), (Some(5.0), Some(1.5)));
    assert_eq!(phi.phi_d_s, 60.0);
}

/// φ^D of a log that starts at second 630 since 1970 and writes in these stretches.
fn active(stretches: &[(f64, f64)]) -> f64 {
    let mut built = Built::new(Module::Posix);
    built.log.job.start_s = 630;
    for (id, (start, end)) in stretches.iter().enumerate() {
        let stamps = [
            ("WRITE_START_TIMESTAMP", *start),
            ("WRITE_END_TIMESTAMP", *end),
        ];
        built = built.record(id as u64, 0, &[], &stamps);
    }
    phi(&built.log(), Module::Posix).unwrap().phi_d_s
}

#[test]
fn activity_counts_minutes_of_the_calendar() {
    assert_eq!(active(&[]), 0.0);
    assert_eq!(active(&[(1.0, 29.0)]), 60.0);
    assert_eq!(active(&[(29.0, 31.0)]), 120.0);
    assert_eq!(active(&[(1.0, 2.0), (3.0, 25.0)]), 60.0);
    assert_eq!(active(&[(200.0, 205.0), (1.0, 2.0)]), 120.0);
    assert_eq!(active(&[(1.0, 100.0), (31.0, 80.0), (95.0, 160.0)]), 240.0);
    // Never happened, never recorded, and backwards.
    assert_eq!(active(&[(0.0, 0.0), (-1.0, -1.0), (9.0, 8.0)]), 0.0);
}

#[test]
fn nothing_shared_and_nothing_read_is_none() {
    let log = Built::new(Module::Posix)
        .record(1, -1, &[], &[("OPEN_START_TIMESTAMP", 5.0)])
        .log();
    let phi = phi(&log, Module::Posix).unwrap();
    assert_eq!(
        (phi.phi_s_span_s, phi.phi_f_r_s, phi.phi_f_w_s),
        (None, None, None)
    );
}

#[test]
fn logs_before_3_0_use_the_timers_of_mpi_io_for_files_opened_through_it() {
    let times = [
        ("POSIX_READ_TIME", 1.0),
        ("POSIX_META_TIME", 0.5),
        ("MPI_READ_TIME", 3.0),
        ("MPI_META_TIME", 1.5),
    ];
    let log = Built::new(Module::Cp)
        .record(1, 0, &[("POSIX_OPENS", 1), ("BYTES_READ", MIB)], &times)
        .record(2, 1, &[("COLL_OPENS", 1)], &times)
        .log();
    let perf = perf(&log, Module::Cp).unwrap();
    let unique = UniqueTimes {
        slowest_rank: Some(1),
        io_s: 4.5,
        meta_s: 1.5,
        rw_s: 3.0,
    };
    assert_eq!(perf.unique, unique);
    assert!(total(&log, Module::Cp).is_none());
}

#[test]
fn raw_stamps_of_old_logs_count_from_their_origin() {
    let stamps = [
        ("WRITE_START_TIMESTAMP", 1000.0),
        ("WRITE_END_TIMESTAMP", 1050.0),
    ];
    let mut log = Built::new(Module::Cp).record(1, 0, &[], &stamps).log();
    log.job.start_s = 1_200_000_000;
    log.version = "2.06".to_owned();
    assert_eq!(phi(&log, Module::Cp).unwrap().phi_d_s, 120.0);
    log.version = "2.02".to_owned();
    assert_eq!(phi(&log, Module::Cp).unwrap().phi_d_s, 60.0);
}

#[test]
fn hostile_counters_neither_panic_nor_allocate() {
    let extremes = [i64::MIN, i64::MAX, -1];
    let times = [
        f64::NAN,
        f64::INFINITY,
        f64::NEG_INFINITY,
        f64::MAX,
        -0.0,
        1e300,
    ];
    for module in DERIVABLE {
        let mut built = Built::new(module);
        built.log.job.nprocs = i64::MAX;
        (built.log.job.start_s, built.log.job.end_s) = (i64::MAX, i64::MIN);
        for (k, rank) in [i64::MIN, -7, -1, 0, i64::MAX]
            .into_iter()
            .cycle()
            .take(60)
            .enumerate()
        {
            built = built.record(k as u64 % 3, rank, &[], &[]);
            let (ints, floats) = (
                built.table.layout.ints.len(),
                built.table.layout.floats.len(),
            );
            let row = built.table.ints.len() - ints;
            built.table.ints[row..].fill(extremes[k % 3]);
            let row = built.table.floats.len() - floats;
            built.table.floats[row..].fill(times[k % 6]);
        }
        let log = built.log();
        assert!(perf(&log, module).is_some());
        assert!(file_counts(&log, module).is_some());
        assert!(shared_times(&log, module).is_some());
        assert!(phi(&log, module).is_some());
        assert_eq!(total(&log, module).is_some(), module != Module::Cp);
    }
}
