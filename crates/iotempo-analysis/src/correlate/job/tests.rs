//! Eqs. 1 and 6 by hand, and files that several layers saw.

#![allow(clippy::unwrap_used)]

use super::*;
use crate::correlate::{Load, LoadMetric, Measure, Series, TimeMetric, Traffic};
use iotempo_model::{Api, Seconds};

const SPAN: JobSpan = JobSpan {
    start_s: 1000.0,
    end_s: 1500.0,
};

fn record(file: u64, api: Api, rank: Option<i32>) -> FileCounters {
    let mut counters = FileCounters::new(file, api);
    counters.rank = rank.map(Rank);
    counters.processes = Some(4);
    counters.meta_time_s = Some(0.0);
    counters
}

/// Sets the bytes, time and window of a direction.
fn moved(
    mut file: FileCounters,
    op: Op,
    bytes: u64,
    time_s: f64,
    span: (f64, f64),
) -> FileCounters {
    let counted = file.of_mut(op);
    (counted.requests, counted.bytes, counted.time_s) = (1, bytes, time_s);
    (counted.start, counted.end) = (Seconds::new(span.0), Seconds::new(span.1));
    file
}

fn meta(mut file: FileCounters, meta_s: f64) -> FileCounters {
    file.meta_time_s = Some(meta_s);
    file
}

fn shared(mut file: FileCounters, opened: f64, slowest_s: f64) -> FileCounters {
    (file.opened, file.slowest_time_s) = (Seconds::new(opened), Some(slowest_s));
    file
}

fn everywhere(files: &[FileCounters]) -> JobMetrics {
    JobMetrics::of(files, SPAN, |_| Place::Monitored)
}

fn spans(share: &Share) -> Vec<(f64, f64)> {
    let windows = share.windows.as_slice().iter();
    windows.map(|one| (one.start_s(), one.end_s())).collect()
}

#[test]
fn the_slowest_process_gives_the_time_of_files_of_its_own() {
    let posix = |file, rank| record(file, Api::Posix, Some(rank));
    let files = [
        // 3 s of metadata and 2 s of reads in two files.
        meta(moved(posix(1, 0), Op::Read, 5, 1.5, (1.0, 2.0)), 2.0),
        meta(moved(posix(2, 0), Op::Write, 5, 0.5, (3.0, 9.0)), 1.0),
        // Less metadata, more of both together.
        meta(moved(posix(3, 1), Op::Read, 7, 4.5, (1.0, 8.0)), 1.0),
        // A tie: the first process is taken.
        meta(moved(posix(4, 2), Op::Read, 7, 0.5, (2.0, 4.0)), 5.0),
    ];
    let job = everywhere(&files);
    assert_eq!(job.job_s(), 500.0);
    assert_eq!(job.unique.rank, Some(Rank(1)));
    assert_eq!((job.unique.meta_s, job.unique.rw_s), (Some(1.0), 4.5));
    assert_eq!(job.shared.span_s, None);
    assert_eq!(job.io_s(SharedTime::Slowest), Some(5.5));
    assert_eq!(
        (job.longest_read_s, job.longest_write_s),
        (Some(7.0), Some(6.0))
    );
    assert_eq!((job.all.read_bytes, job.all.written_bytes), (19, 5));
    assert_eq!(spans(&job.all), [(1001.0, 1009.0)]);
    let whole = job.during(During::Run);
    assert_eq!(spans(&whole.all), [(1000.0, 1500.0)]);
    assert_eq!(spans(&whole.monitored), [(1000.0, 1500.0)]);
    assert_eq!((whole.unique, whole.all.read_bytes), (job.unique, 19));
    assert_eq!(spans(&job.during(During::Files).all), spans(&job.all));
    assert_eq!(spans(&job.during(During::Reads).all), [(1001.0, 1008.0)]);
    let writes = job.during(During::Writes);
    assert_eq!(spans(&writes.monitored), [(1003.0, 1009.0)]);
    assert_eq!((job.all.files, job.odd), (4, Oddities::default()));
}

/// What others moved while a job read, where it also wrote: some of it at the same time, the rest later.
#[test]
fn of_its_own_bytes_those_are_taken_off_that_a_job_moved_at_the_time_that_is_looked_at() {
    let file = record(1, Api::Posix, Some(0));
    let file = moved(file, Op::Read, 600, 1.0, (5.0, 15.0));
    let job = everywhere(&[moved(file, Op::Write, 4000, 1.0, (10.0, 50.0))]);
    // Ten seconds an interval; others move 100 bytes in each, in both directions together.
    let own_read = [30.0, 30.0, 0.0, 0.0, 0.0, 0.0];
    let own_written = [0.0, 100.0, 100.0, 100.0, 100.0, 0.0];
    let load = Load::new(1000.0, 10.0, 6).unwrap();
    let load = load.with(Series::ReadBytes, own_read.map(Some)).unwrap();
    let written = own_written.map(|rate| Some(rate + 10.0));
    let load = load.with(Series::WriteBytes, written).unwrap();
    let metric = LoadMetric {
        traffic: Traffic::Bytes,
        measure: Measure::Others,
        monitored: true,
    };
    let long = JobSpan {
        start_s: 1000.0,
        end_s: 1060.0,
    };
    let job = JobMetrics { span: long, ..job };
    for during in [During::Run, During::Files, During::Reads, During::Writes] {
        let job = job.during(during);
        assert_eq!(metric.of(&job, &load, 0.0), Ok(10.0), "{during:?}");
        // What the job puts into the log is where it is, whatever is looked at.
        let own = load.of_jobs(&[&job]);
        assert_eq!(own.rate(Series::ReadBytes, 1), Some(30.0), "{during:?}");
        assert_eq!(own.rate(Series::WriteBytes, 4), Some(100.0), "{during:?}");
        assert_eq!(own.rate(Series::WriteBytes, 0), Some(0.0), "{during:?}");
        let elsewhere = metric.elsewhere(&job, &load, &own, 0.0);
        assert_eq!(elsewhere, Ok(10.0), "{during:?}");
    }
    // Coarser intervals hold more of what it wrote.
    let coarse = load.coarser(3, 0).unwrap();
    let reads = job.during(During::Reads);
    assert_eq!(metric.of(&reads, &coarse, 0.0), Ok(10.0));
    let rate = LoadMetric {
        measure: Measure::Rate,
        ..metric
    };
    // Half of an interval with 40 bytes a second, half of one with 140.
    assert_eq!(rate.of(&reads, &load, 0.0), Ok(90.0));
}

#[test]
fn a_time_is_held_against_the_load_of_what_it_is_the_time_of() {
    for (time, during) in [
        (TimeMetric::Job, During::Run),
        (TimeMetric::Meta, During::Run),
        (TimeMetric::Read, During::Reads),
        (TimeMetric::Write, During::Writes),
        (TimeMetric::Io, During::Files),
        (TimeMetric::Touched, During::Files),
        (TimeMetric::Monitored, During::Files),
    ] {
        assert_eq!(time.during(), during, "{time:?}");
    }
}

#[test]
fn files_of_all_processes_are_timed_in_three_ways() {
    let posix = |file| record(file, Api::Posix, None);
    let files = [
        shared(moved(posix(1), Op::Read, 1, 3.0, (11.0, 12.0)), 10.0, 1.0),
        shared(moved(posix(2), Op::Write, 1, 3.0, (31.0, 35.0)), 30.0, 2.5),
        // Opened and never used.
        shared(meta(posix(3), 1.0), 5.0, 0.25),
    ];
    let job = everywhere(&files);
    assert_eq!(job.shared.span_s, Some(30.0), "from 5 to 35");
    assert_eq!(job.shared.open_to_last_s, 2.0 + 5.0);
    assert_eq!(job.shared.slowest_s, Some(3.75));
    assert_eq!(
        job.unique,
        UniqueTimes {
            meta_s: Some(0.0),
            ..UniqueTimes::default()
        }
    );
    assert_eq!(job.io_s(SharedTime::Span), Some(30.0));
    assert_eq!(job.io_s(SharedTime::OpenToLast), Some(7.0));
    let mut unsaid = files.clone();
    unsaid[1].slowest_time_s = None;
    assert_eq!(everywhere(&unsaid).io_s(SharedTime::Slowest), None);
}

#[test]
fn a_file_of_several_processes_has_one_window_per_direction() {
    let posix = |rank| record(1, Api::Posix, Some(rank));
    let files = [
        moved(posix(0), Op::Read, 1, 0.1, (1.0, 2.0)),
        moved(posix(1), Op::Read, 1, 0.1, (6.0, 8.0)),
        moved(posix(2), Op::Write, 1, 0.1, (20.0, 21.0)),
    ];
    let job = everywhere(&files);
    assert_eq!(
        (job.longest_read_s, job.longest_write_s),
        (Some(7.0), Some(1.0))
    );
    assert_eq!(spans(&job.all), [(1001.0, 1008.0), (1020.0, 1021.0)]);
    assert_eq!(job.all.files, 1);
}

#[test]
fn posix_under_mpi_io_counts_once() {
    let upper = moved(
        record(1, Api::MpiIo, None),
        Op::Write,
        100,
        8.0,
        (10.0, 20.0),
    );
    let files = [
        shared(meta(upper, 1.0), 9.0, 3.0),
        // The same through POSIX: two processes write for all, and read what they fill up.
        meta(
            moved(
                record(1, Api::Posix, Some(0)),
                Op::Write,
                60,
                2.0,
                (11.0, 22.0),
            ),
            5.0,
        ),
        moved(
            record(1, Api::Posix, Some(1)),
            Op::Write,
            60,
            2.0,
            (11.0, 19.0),
        ),
        // Opened through MPI-IO, and read by POSIX.
        meta(record(2, Api::MpiIo, Some(3)), 7.0),
        meta(
            moved(
                record(2, Api::Posix, Some(3)),
                Op::Read,
                10,
                1.0,
                (1.0, 2.0),
            ),
            0.5,
        ),
        // Only MPI-IO saw it.
        moved(
            record(3, Api::MpiIo, Some(3)),
            Op::Read,
            30,
            0.25,
            (3.0, 4.0),
        ),
    ];
    let job = everywhere(&files);
    assert_eq!((job.unique.rank, job.unique.rw_s), (Some(Rank(3)), 1.25));
    assert_eq!(job.unique.meta_s, Some(0.5));
    assert_eq!(job.shared.slowest_s, Some(3.0));
    assert_eq!(job.shared.open_to_last_s, 11.0);
    assert_eq!((job.all.read_bytes, job.all.written_bytes), (40, 120));
    assert_eq!(job.longest_write_s, Some(12.0), "from 10 to 22");
    assert_eq!(job.all.files, 3);
}

#[test]
fn daos_under_dfs_counts_once() {
    let files = [
        moved(record(1, Api::Dfs, Some(0)), Op::Read, 10, 1.0, (1.0, 2.0)),
        moved(record(8, Api::Daos, Some(0)), Op::Read, 10, 1.0, (1.0, 2.0)),
        moved(
            record(9, Api::MpiIo, Some(0)),
            Op::Read,
            10,
            1.0,
            (1.0, 2.0),
        ),
        moved(record(2, Api::Stdio, Some(0)), Op::Read, 3, 1.0, (1.0, 2.0)),
    ];
    let job = everywhere(&files);
    assert_eq!((job.all.read_bytes, job.unique.rw_s), (13, 2.0));
}

#[test]
fn files_elsewhere_are_in_no_monitored_window_and_streams_in_none() {
    let file = |id| {
        moved(
            record(id, Api::Posix, Some(0)),
            Op::Read,
            10,
            1.0,
            (id as f64, 40.0),
        )
    };
    let files = [file(1), file(2), file(3)];
    let job = JobMetrics::of(&files, SPAN, |id| match id {
        1 => Place::Nowhere,
        2 => Place::Elsewhere,
        _ => Place::Monitored,
    });
    assert_eq!(spans(&job.all), [(1002.0, 1040.0)]);
    assert_eq!(spans(&job.monitored), [(1003.0, 1040.0)]);
    assert_eq!(
        (job.all.bytes(Op::Read), job.monitored.bytes(Op::Read)),
        (20, 10)
    );
    assert_eq!((job.all.files, job.monitored.files), (2, 1));
    assert_eq!(job.unique.rw_s, 2.0);
}

#[test]
fn what_the_counters_do_not_say_is_not_guessed() {
    let posix = |file, rank| record(file, Api::Posix, Some(rank));
    let mut no_times = moved(posix(1, 0), Op::Read, 10, 1.0, (0.0, 0.0));
    (no_times.read.start, no_times.read.end) = (None, None);
    no_times.meta_time_s = None;
    let mut half = moved(posix(2, 0), Op::Read, 10, 1.0, (5.0, 6.0));
    half.read.start = None;
    let backwards = moved(posix(3, 0), Op::Write, 10, 1.0, (9.0, 8.0));
    let job = everywhere(&[no_times, half, backwards]);
    let odd = Oddities {
        without_times: 1,
        half_timed: 1,
        backwards: 1,
        without_meta: 1,
        partial: false,
    };
    assert_eq!(job.odd, odd);
    assert_eq!(spans(&job.all), [(1006.0, 1006.0), (1008.0, 1009.0)]);
    assert_eq!(job.longest_read_s, Some(0.0));
    assert_eq!((job.unique.meta_s, job.unique.rw_s), (None, 3.0));
    assert_eq!(job.io_s(SharedTime::Slowest), None);
    let nothing = everywhere(&[]);
    assert_eq!(nothing.longest_s(Op::Read), None);
    assert!(nothing.all.windows.is_empty());
    assert_eq!(nothing.io_s(SharedTime::Slowest), Some(0.0));
}
