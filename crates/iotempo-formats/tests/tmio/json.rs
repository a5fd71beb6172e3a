//! What JSON files of every dialect become.

use crate::{codes, read, read_mapped, transfers};
use iotempo_model::{Api, Op, Rank, Source};

/// A mode as TMIO prints it.
fn tmio_mode(
    name: &str,
    rates: &str,
    starts: &str,
    ends: &str,
    total: &str,
    phases: u32,
) -> String {
    format!(
        r#"{{"{name}":{{"total_bytes": {total},"max_bytes_per_rank": 1.00e+03,"total_io_phases": {phases},"total_io_ops": {phases},"number_of_ranks": 4,"bandwidth": {{"weighted_harmonic_mean": NaN,"b_rank_avr": [{rates}],"b_rank_sum": [{rates}],"t_rank_s": [{starts}],"t_rank_e": [{ends}],"b_ind": [{rates}],"t_ind_s": [{starts}],"t_ind_e": [{ends}]}}}}}}"#
    )
}

fn io_time(seconds: f64) -> String {
    format!(
        r#"{{"io_time":{{"delta_t_agg": 2.74e+00,"delta_t_rank0": {seconds},"delta_t_sr": NaN}}}}"#
    )
}

/// Two flushes with a blank line between them.
fn flushes() -> String {
    let lines = [
        tmio_mode("read_sync", "", "", "", "0.00e+00", 0),
        tmio_mode("write_async_t", "5000", "1", "3", "1.00e+04", 1),
        tmio_mode("write_async_b", "2500", "1", "5", "1.00e+04", 1),
        tmio_mode("write_sync", "20000, 40000", "1, 2", "2, 3", "6.00e+04", 2),
        io_time(4.0),
        String::new(),
        tmio_mode("write_sync", "30000", "11", "12", "3.00e+04", 1),
        io_time(9.5),
    ];
    lines.map(|line| format!("\t{line}\n")).concat()
}

#[test]
fn flushes_of_tmio_are_joined_mode_by_mode() {
    let (reading, trace) = read(flushes()).unwrap();
    assert_eq!(reading.format, "tmio json lines");
    assert_eq!(reading.origin.source, Source::Phases);
    assert_eq!(reading.origin.job.ranks, Some(4));
    assert_eq!(reading.origin.job.run_time_s, Some(13.5));
    assert!(codes(&reading).is_empty(), "{:?}", reading.warnings);
    assert!(!reading.damaged);
    let expected = [
        (1.0, 3.0, 1e4),
        (1.0, 2.0, 2e4),
        (2.0, 3.0, 4e4),
        (11.0, 12.0, 3e4),
    ];
    assert_eq!(transfers(&trace), expected);
    assert!(
        trace
            .iter()
            .all(|r| r.op == Op::Write && r.api == Api::MpiIo && r.rank == Rank::SHARED)
    );
}

#[test]
fn the_times_of_a_flush_may_come_alone() {
    let (reading, trace) = read(io_time(4.0)).unwrap();
    assert!(transfers(&trace).is_empty() && !reading.damaged);
}

#[test]
fn the_required_bandwidth_is_a_section_and_never_counted() {
    let (reading, trace) = read(flushes()).unwrap();
    let section = |name: &str| reading.sections.iter().find(|s| s.name == name).unwrap();
    assert_eq!(section("write_async_b").records, 1);
    assert_eq!(section("write_async_b").bytes_written, None);
    assert_eq!(section("write_async_t").bytes_written, Some(1e4));
    assert_eq!(section("write_sync").records, 3);
    assert_eq!(section("write_sync").requests, Some(3));
    assert_eq!(section("read_sync").bytes_read, Some(0.0));
    let counted: f64 = reading
        .sections
        .iter()
        .filter_map(|s| s.bytes_written)
        .sum();
    assert_eq!(counted, trace.volume().get());
}

#[test]
fn a_half_written_last_line_keeps_the_lines_before() {
    let whole = flushes();
    let last = whole.rfind("\t{\"write_sync").unwrap();
    let cut = whole[..last + 60].to_owned();
    let (reading, trace) = read(cut.clone()).unwrap();
    assert!(reading.damaged);
    assert_eq!(codes(&reading), ["damaged"]);
    assert!(
        reading.warnings[0]
            .message
            .contains(&format!("byte {}", cut.len())),
        "{}",
        reading.warnings[0]
    );
    assert_eq!(trace.len(), 3);
}

#[test]
fn of_a_mode_that_breaks_off_the_whole_phases_are_kept() {
    let line = tmio_mode(
        "write_sync",
        "2e4, 4e4, 6e4",
        "1, 2, 3",
        "2, 3, 4",
        "1.20e+05",
        3,
    );
    let cut = &line[..line.find("3, 4],\"b_ind").unwrap() + 3];
    let (reading, trace) = read(cut).unwrap();
    // Of the ends only 2 and 3 are whole: the cut may have taken digits of the next.
    assert_eq!(transfers(&trace), [(1.0, 2.0, 2e4), (2.0, 3.0, 4e4)]);
    assert!(reading.damaged);
    assert_eq!(
        codes(&reading),
        ["damaged"],
        "a total is not to be believed here"
    );
    assert!(
        reading.sections[0]
            .damage
            .as_deref()
            .unwrap()
            .contains("ends inside")
    );
}

#[test]
fn damage_before_the_first_request_is_an_error() {
    let line = tmio_mode("write_sync", "2e4", "1", "2", "2.00e+04", 1);
    let error = read(&line[..line.find("t_rank_s").unwrap()]).unwrap_err();
    assert!(
        error
            .to_string()
            .ends_with("the data ends inside a JSON text"),
        "{error}"
    );
}

#[test]
fn an_old_file_in_megabytes_is_scaled_and_says_so() {
    let old = |rate: &str, total: &str| {
        format!(
            r#"{{"write_sync":{{"total_bytes": {total},"max_transfersize_over_ranks": 2.52e+01,"total_io_phases": 2,"bandwidth":{{"b_rank_avr":[{rate},{rate}],"t_rank_s":[0,1],"t_rank_e":[1,3]}}}}}}"#
        )
    };
    let (reading, trace) = read(old("25.2", "7.56e+01")).unwrap();
    assert_eq!(reading.format, "tmio json (MB)");
    assert_eq!(codes(&reading), ["unit-megabytes"]);
    assert!((trace.volume().get() - 75.6e6).abs() < 1.0);
    // FTIO's converter multiplies the rates by 10^6, forgets the totals and keeps the old names.
    let (reading, trace) = read(old("25200000", "7.56e+01")).unwrap();
    assert_eq!(reading.format, "tmio json");
    assert!(codes(&reading).is_empty(), "{:?}", reading.warnings);
    assert_eq!(trace.volume().get(), 75.6e6);
}

#[test]
fn a_total_that_contradicts_the_phases_is_told_with_both_figures() {
    let (reading, _) = read(tmio_mode("write_sync", "8e6", "0", "1", "2.00e+06", 2)).unwrap();
    assert_eq!(codes(&reading), ["total-mismatch", "count-mismatch"]);
    let message = &reading.warnings[0].message;
    assert!(
        message.contains("2000000") && message.contains("8000000"),
        "{message}"
    );
    // Three digits are no contradiction.
    let (reading, _) = read(tmio_mode("write_sync", "1004000", "0", "1", "1.00e+06", 1)).unwrap();
    assert!(codes(&reading).is_empty(), "{:?}", reading.warnings);
}

#[test]
fn a_step_function_holds_each_rate_to_the_next_time() {
    let steps = r#"{"b_overlap_avr":[0,1e9,-1e-7,3e9,5e9,7],"t_overlap":[0,1,2,3,3,4]}"#;
    let (reading, trace) = read(format!(r#"{{"read":{{"bandwidth":{steps}}}}}"#)).unwrap();
    // The residue of a running sum is no rate, and equal times hold nothing.
    assert_eq!(transfers(&trace), [(1.0, 2.0, 1e9), (3.0, 4.0, 5e9)]);
    assert_eq!(reading.origin.source, Source::Samples);
    let observed = reading.origin.observed.unwrap();
    assert_eq!((observed.start().get(), observed.end().get()), (0.0, 4.0));
    assert_eq!(reading.origin.resolution.unwrap().get(), 1.0);
    assert!(
        trace
            .iter()
            .all(|r| r.op == Op::Read && r.api == Api::Unknown)
    );
}

#[test]
fn the_smallest_files_need_no_mode() {
    for text in [
        r#"{"b":[1e6,2e6,0],"t":[0,10,20]}"#,
        r#"{"bandwidth":[1e6,2e6,0],"time":[0,10,20]}"#,
        r#"{"bandwidth":{"b_overlap_avr":[1000000,2000000,0],"t_overlap":[0,10,20]}}"#,
        r#"{"b":[1e6,2e6,0],"ts":[0,10,20],"ranks":3}"#,
        r#"{"b":[1e6,2e6],"ts":[0,10],"te":[10,20],"ranks":3}"#,
        r#"{"bytes":[1e7,2e7],"start":[0,10],"end":[10,20]}"#,
        "\u{feff}{\"b\":[1e6,2e6,0],\"t\":[0,10,20]}",
    ] {
        let (reading, trace) = read(text).unwrap();
        assert_eq!(
            transfers(&trace),
            [(0.0, 10.0, 1e7), (10.0, 20.0, 2e7)],
            "{text}"
        );
        assert_eq!(codes(&reading), ["op-assumed"], "{text}");
        assert_eq!(reading.format, "ftio json");
    }
}

#[test]
fn foreign_names_are_mapped_with_their_units() {
    let text = r#"{"speed":[1,2],"from_us":[0,10000000],"to_us":[10000000,20000000],"b":[7]}"#;
    let names = [
        "bandwidth=speed*1e6",
        "start=from_us*1e-6",
        "end=to_us*1e-6",
        "ranks=procs",
    ];
    let (reading, trace) = read_mapped(text, &names);
    assert_eq!(transfers(&trace), [(0.0, 10.0, 1e7), (10.0, 20.0, 2e7)]);
    assert_eq!(codes(&reading), ["op-assumed", "column-not-found"]);
    assert!(reading.warnings[1].message.contains("procs"));
}

#[test]
fn single_requests_of_tmio_are_read_where_the_user_maps_them() {
    let line = r#"{"write_sync":{"total_io_phases":1,"bandwidth":{"b_rank_avr":[1e6],"t_rank_s":[0],"t_rank_e":[4],"b_ind":[1e6,3e6],"t_ind_s":[0,3],"t_ind_e":[1,4]}}}"#;
    let names = ["bandwidth=b_ind", "start=t_ind_s", "end=t_ind_e"];
    let (_, trace) = read_mapped(line, &names);
    assert_eq!(transfers(&trace), [(0.0, 1.0, 1e6), (3.0, 4.0, 3e6)]);
}

#[test]
fn gekkofs_volumes_are_exact_where_it_gives_them() {
    let text = r#"{"avg_thruput_mib":[1.0,2.0],"start_t_micro":[1000000,3000000],"end_t_micro":[2000000,4000000],"req_size":[1048570,2097150],"io_type":"r","total_bytes":3145720,"total_iops":2}"#;
    let (reading, trace) = read(text).unwrap();
    assert_eq!(reading.format, "gekkofs json");
    assert_eq!(reading.origin.source, Source::Requests);
    assert_eq!(
        transfers(&trace),
        [(1.0, 2.0, 1048570.0), (3.0, 4.0, 2097150.0)]
    );
    assert_eq!(reading.sections[0].bytes_read, Some(3145720.0));
    assert_eq!(reading.sections[0].name, "read");
    assert!(codes(&reading).is_empty(), "{:?}", reading.warnings);
    // Without them, a throughput in MiB/s gives them, and the total is checked to 1 %.
    let rates = text.replace("req_size", "ignored");
    let (reading, trace) = read(rates.clone()).unwrap();
    assert_eq!(
        transfers(&trace),
        [(1.0, 2.0, 1048576.0), (3.0, 4.0, 2097152.0)]
    );
    assert!(codes(&reading).is_empty(), "{:?}", reading.warnings);
    let (reading, _) = read(rates.replace("3145720", "3000000")).unwrap();
    assert_eq!(codes(&reading), ["total-mismatch"]);
}

#[test]
fn what_cannot_be_is_left_out_and_counted() {
    let phases = |rates: &str, starts: &str, ends: &str| {
        read(format!(
            r#"{{"write_sync":{{"bandwidth":{{"b_rank_avr":[{rates}],"t_rank_s":[{starts}],"t_rank_e":[{ends}]}}}}}}"#
        ))
        .unwrap()
    };
    for (rates, starts, ends, code) in [
        ("1e6,NaN", "0,5", "2,6", "not-finite"),
        ("1e6,null", "0,5", "2,6", "not-finite"),
        ("1e6,1e6", "0,NaN", "2,6", "not-finite"),
        ("1e6,Infinity", "0,5", "2,6", "not-finite"),
        ("1e6,1e308", "0,-1e308", "2,1e308", "not-finite"),
        ("1e6,-1e6", "0,5", "2,6", "negative-bytes"),
        ("1e6,1e6", "0,5", "2,4", "clock-backwards"),
        ("1e6,1e6", "0,5", "2,5", "zero-duration"),
    ] {
        let (reading, trace) = phases(rates, starts, ends);
        assert_eq!(codes(&reading), [code], "{rates} {starts} {ends}");
        assert_eq!(
            transfers(&trace),
            [(0.0, 2.0, 2e6)],
            "{rates} {starts} {ends}"
        );
    }
}

#[test]
fn steps_out_of_order_are_sorted_and_steps_without_a_time_are_not_guessed() {
    let (reading, trace) = read(r#"{"write":{"b":[0,2e6,1e6],"t":[20,10,0]}}"#).unwrap();
    assert_eq!(transfers(&trace), [(0.0, 10.0, 1e7), (10.0, 20.0, 2e7)]);
    assert_eq!(codes(&reading), ["unsorted"]);
    let (reading, trace) = read(r#"{"write":{"b":[1e6,1e6,1e6,0],"t":[0,NaN,20,30]}}"#).unwrap();
    assert_eq!(transfers(&trace), [(20.0, 30.0, 1e7)]);
    assert_eq!(codes(&reading), ["not-finite"]);
    let (reading, trace) = read(r#"{"write":{"b":[0,9,2e6,1e6],"t":[20,NaN,10,0]}}"#).unwrap();
    assert_eq!(transfers(&trace), [(0.0, 10.0, 1e7), (10.0, 20.0, 2e7)]);
    assert_eq!(codes(&reading), ["unsorted", "not-finite"]);
}

#[test]
fn a_metric_that_breaks_off_keeps_its_samples_and_the_metrics_before() {
    let text = r#"{"metrics":{"infos":[1,2],"metrics":{"read":[[0,1e6],[1,2e6],[2,0]],"write":[[0,1e6],[1,3e6],[2"#;
    let (reading, trace) = read(text).unwrap();
    assert_eq!(
        transfers(&trace),
        [(0.0, 1.0, 1e6), (1.0, 2.0, 2e6), (0.0, 1.0, 1e6)]
    );
    assert!(reading.damaged);
    let damaged: Vec<bool> = reading
        .sections
        .iter()
        .map(|s| s.damage.is_some())
        .collect();
    assert_eq!(damaged, [false, true]);
}

#[test]
fn the_last_of_repeated_keys_is_taken_with_a_warning() {
    let (reading, trace) = read(r#"{"write":{"b":[1],"b":[1e6,0],"t":[0,1]}}"#).unwrap();
    assert_eq!(trace.volume().get(), 1e6);
    assert_eq!(codes(&reading), ["duplicate-key"]);
    let modes = r#"{"write":{"b":[1e9,0],"t":[0,1]},"read":{"b":[3e6,0],"t":[0,1]},"write":{"b":[1e6,0],"t":[0,1]}}"#;
    let (reading, trace) = read(modes).unwrap();
    assert_eq!(trace.volume().get(), 4e6);
    assert_eq!(codes(&reading), ["duplicate-key"]);
}

#[test]
fn lists_that_are_missing_or_hold_other_things_are_errors() {
    for (text, expected) in [
        (
            r#"{"write":{"b":[1,2]}}"#,
            "write, byte 14: beside b there is no: time",
        ),
        (
            r#"{"t_rank_s":[1],"t_rank_e":[2]}"#,
            "byte 12: beside t_rank_s, t_rank_e there is no: b_rank_avr",
        ),
        (r#"{"b":[1,"2"],"t":[0,1]}"#, "b, byte 8: not a number: 2"),
        (
            r#"{"b":[1,[2]],"t":[0,1]}"#,
            "b, byte 8: not a number: a list",
        ),
        (
            r#"{"b":[1,true],"t":[0,1]}"#,
            "b, byte 8: not a number: true",
        ),
        (
            r#"{"avg_thruput_mib":[1],"start_t_micro":[0]}"#,
            "byte 19: beside avg_thruput_mib, start_t_micro there is no: end",
        ),
        (r#"{"b":"x","t":"y"}"#, "no series of bandwidth"),
        (
            r#"{"b":[],"t":[1]}"#,
            "byte 12: b and t have different lengths: 0 and 1",
        ),
        ("{}", "no series of bandwidth"),
        ("{", "byte 1: the data ends inside a JSON object"),
        (
            "[[1,2]]",
            "byte 0: not a map with series of bandwidth: a list",
        ),
    ] {
        let error = read(text).unwrap_err().to_string();
        assert!(error.starts_with(expected), "{text}: {error}");
    }
}

#[test]
fn what_follows_a_good_document_cannot_take_it_away() {
    let good = r#"{"write":{"b":[1e6,0],"t":[0,1]}}"#;
    for (rest, said) in [
        ("garbage", "byte 33: not a number: garbage"),
        (r#"{"write":{"b":[1],"t":[0,1]}}"#, "different lengths"),
        (r#"{"write":{"b":["x"],"t":[0]}}"#, "not a number: x"),
    ] {
        let (reading, trace) = read(format!("{good}{rest}")).unwrap();
        assert_eq!(trace.volume().get(), 1e6, "{rest}");
        assert!(reading.damaged, "{rest}");
        let message = &reading.warnings.last().unwrap().message;
        assert!(message.contains(said), "{message}");
    }
}

#[test]
fn nesting_without_end_is_an_error_and_no_overflow() {
    let deep = r#"{"a":"#.repeat(100_000);
    let error = read(deep).unwrap_err().to_string();
    assert!(error.contains("nested deeper than: 128"), "{error}");
    let deep = format!(r#"{{"a":{}"#, "[".repeat(1_000_000));
    assert!(
        read(deep)
            .unwrap_err()
            .to_string()
            .contains("nested deeper")
    );
}

#[test]
fn a_million_requests_are_read_without_losing_one() {
    let list = |of: fn(u32) -> u32| {
        let numbers: Vec<String> = (0..1_000_000).map(|i| of(i).to_string()).collect();
        numbers.join(",")
    };
    let text = format!(
        r#"{{"write_sync":{{"bandwidth":{{"b_rank_avr":[{}],"t_rank_s":[{}],"t_rank_e":[{}]}}}}}}"#,
        list(|i| 4096 + i % 7),
        list(|i| i),
        list(|i| i + 2),
    );
    let (reading, trace) = read(text).unwrap();
    assert_eq!(trace.len(), 1_000_000);
    let expected: u64 = (0..1_000_000).map(|i| 2 * (4096 + i % 7)).sum();
    assert_eq!(trace.volume().get(), expected as f64);
    assert!(codes(&reading).is_empty());
}
