use super::*;

fn write(offset: i64, length: i64, start: f64, end: f64) -> Call {
    Call {
        op: Op::Write,
        offset,
        length,
        start,
        end,
        collective: false,
    }
}

fn read(offset: i64, length: i64, start: f64, end: f64) -> Call {
    Call {
        op: Op::Read,
        ..write(offset, length, start, end)
    }
}

/// The record of one rank that opens a POSIX file at second 1, makes `calls`, and closes it.
fn posix(calls: &[Call]) -> CounterRecord {
    let mut runtime = Runtime::new(1, 1024, vec!["node".to_owned()]);
    runtime.open(Module::Posix, 0, "/f", 1.0, 1.25);
    for &call in calls {
        runtime.call(Module::Posix, 0, "/f", call);
    }
    runtime.close(Module::Posix, 0, "/f", 90.0, 90.5);
    runtime.counters().remove(0)
}

fn ints<const N: usize>(record: &CounterRecord, names: [&str; N]) -> [i64; N] {
    names.map(|name| record.int(name).expect("a counter"))
}

fn floats<const N: usize>(record: &CounterRecord, names: [&str; N]) -> [f64; N] {
    names.map(|name| record.float_value(name).expect("a counter"))
}

#[test]
fn a_contiguous_stream_of_n_writes_has_n_minus_1_consecutive_ones() {
    let calls: Vec<Call> = (0..5)
        .map(|at| write(at * 2048, 2048, 2.0 + at as f64, 2.5 + at as f64))
        .collect();
    let record = posix(&calls);
    let names = ["POSIX_WRITES", "POSIX_CONSEC_WRITES", "POSIX_SEQ_WRITES"];
    assert_eq!(ints(&record, names), [5, 4, 4]);
    let names = ["POSIX_BYTES_WRITTEN", "POSIX_MAX_BYTE_WRITTEN"];
    assert_eq!(ints(&record, names), [10_240, 10_239]);
    let names = [
        "POSIX_ACCESS1_ACCESS",
        "POSIX_ACCESS1_COUNT",
        "POSIX_STRIDE1_COUNT",
    ];
    assert_eq!(
        record.int(names[2]),
        None,
        "consecutive writes have no stride"
    );
    assert_eq!(
        (record.int(names[0]), record.int(names[1])),
        (Some(2048), Some(5))
    );
}

#[test]
fn gaps_are_strides_and_jumps_back_are_neither_sequential_nor_strided() {
    let record = posix(&[
        write(0, 100, 2.0, 2.1),
        write(1000, 100, 2.1, 2.2),
        write(2000, 100, 2.2, 2.3),
        write(50, 100, 2.3, 2.4),
    ]);
    let names = [
        "POSIX_SEQ_WRITES",
        "POSIX_CONSEC_WRITES",
        "POSIX_FILE_NOT_ALIGNED",
    ];
    assert_eq!(ints(&record, names), [2, 0, 3]);
    let names = ["POSIX_STRIDE1_STRIDE", "POSIX_STRIDE1_COUNT"];
    assert_eq!(ints(&record, names), [900, 2]);
}

#[test]
fn sizes_on_a_bound_belong_to_the_lower_bucket() {
    let sizes = [100, 101, 1 << 20, (1 << 20) + 1, 1 << 30, (1 << 30) + 1];
    let calls = sizes.map(|size| write(0, size, 2.0, 2.1));
    let names = [
        "POSIX_SIZE_WRITE_0_100",
        "POSIX_SIZE_WRITE_100_1K",
        "POSIX_SIZE_WRITE_100K_1M",
        "POSIX_SIZE_WRITE_1M_4M",
        "POSIX_SIZE_WRITE_100M_1G",
        "POSIX_SIZE_WRITE_1G_PLUS",
    ];
    assert_eq!(ints(&posix(&calls), names), [1; 6]);
}

#[test]
fn overlapping_calls_count_their_time_once_and_stamps_span_all() {
    let record = posix(&[
        write(0, 10, 2.0, 4.0),
        write(10, 10, 3.0, 5.0),
        read(0, 10, 6.0, 6.5),
        write(0, 10, 8.0, 9.0),
    ]);
    let names = [
        "POSIX_F_WRITE_TIME",
        "POSIX_F_READ_TIME",
        "POSIX_F_META_TIME",
        "POSIX_F_MAX_WRITE_TIME",
    ];
    assert_eq!(floats(&record, names), [4.0, 0.5, 0.75, 2.0]);
    let names = [
        "POSIX_F_OPEN_START_TIMESTAMP",
        "POSIX_F_WRITE_START_TIMESTAMP",
        "POSIX_F_WRITE_END_TIMESTAMP",
        "POSIX_F_CLOSE_END_TIMESTAMP",
    ];
    assert_eq!(floats(&record, names), [1.0, 2.0, 9.0, 90.5]);
    assert_eq!(ints(&record, ["POSIX_RW_SWITCHES"]), [2]);
}

#[test]
fn a_file_of_all_ranks_has_one_record_with_its_fastest_and_slowest_rank() {
    let mut runtime = Runtime::new(3, 0, vec!["a".to_owned(), "b".to_owned()]);
    for (rank, time) in [(0, 1.0), (1, 4.0), (2, 1.0)] {
        let call = write(100 * i64::from(rank), 100, 10.0, 10.0 + time);
        runtime.call(Module::Stdio, rank, "/shared", call);
    }
    runtime.call(Module::Stdio, 1, "/own", write(0, 7, 1.0, 2.0));
    let records = runtime.counters();
    assert_eq!(records.len(), 2);
    assert_eq!(
        records[0].int("STDIO_SLOWEST_RANK_BYTES"),
        Some(0),
        "of one rank: unset"
    );
    let shared = &records[1];
    let names = [
        "STDIO_BYTES_WRITTEN",
        "STDIO_FASTEST_RANK",
        "STDIO_SLOWEST_RANK",
        "STDIO_SLOWEST_RANK_BYTES",
    ];
    assert_eq!(ints(shared, names), [300, 0, 1, 100]);
    let names = [
        "STDIO_F_SLOWEST_RANK_TIME",
        "STDIO_F_VARIANCE_RANK_TIME",
        "STDIO_F_VARIANCE_RANK_BYTES",
        "STDIO_F_WRITE_END_TIMESTAMP",
    ];
    assert_eq!(floats(shared, names), [4.0, 2.0, 0.0, 14.0]);
    assert_eq!((runtime.hostname(1), runtime.hostname(2)), ("a", "b"));
}

#[test]
fn a_heatmap_widens_its_bins_until_the_job_fits_and_keeps_every_byte() {
    let mut runtime = Runtime::new(1, 0, Vec::new());
    runtime.call(Module::Posix, 0, "/f", write(0, 1000, 0.05, 0.06));
    runtime.call(Module::Posix, 0, "/f", read(0, 1000, 3.0, 3.4));
    let heatmaps = runtime.heatmaps(25.0);
    assert_eq!(heatmaps[0].bin_width_s, 0.2);
    assert_eq!(heatmaps[0].writes.len(), 125);
    assert_eq!(heatmaps[0].writes[0], 1000);
    assert_eq!(heatmaps[0].reads[14..=17], [0, 500, 500, 0]);
}
