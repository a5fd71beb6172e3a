//! What BeeGFS' tools print.

use crate::kept::{codes, read_file, read_input, read_text};
use crate::log;
use iotempo_formats::Input;
use iotempo_formats::server::{Clock, Options};
use iotempo_model::Op;

const MIB: f64 = 1_048_576.0;

#[test]
fn users_move_what_each_block_says_and_nothing_before_the_first() {
    let test = "users_move_what_each_block_says_and_nothing_before_the_first";
    let Some(path) = log(test, "synthetic_beegfs_userstats.txt") else {
        return;
    };
    let (reading, kept) = read_file(&path);
    // By hand: the blocks at 1 s and 3 s hold 1024, 127.969 and 256.25 MiB.
    assert_eq!(reading.bytes, [127.969 * MIB, (1024.0 + 256.25) * MIB]);
    assert_eq!(reading.clock, Clock::Relative);
    assert_eq!(reading.interval.unwrap().get(), 1.0);
    let written = kept.by_target(Op::Write);
    assert_eq!(written["1001"], 1024.0 * MIB);
    assert_eq!(written["-1"], 256.25 * MIB);
    // User 1001 is known since the first second, and quiet in the two after it.
    let volumes: Vec<_> = kept.volumes(Op::Write).into_iter().take(3).collect();
    assert_eq!(volumes[0], (0.0, 1.0, 1024.0 * MIB));
    assert_eq!(volumes[1], (1.0, 2.0, 0.0));
    assert_eq!(codes(&reading), ["left-out"]);
}

#[test]
fn servers_move_kib_in_each_second() {
    let test = "servers_move_kib_in_each_second";
    let Some(path) = log(test, "synthetic_beegfs_serverstats.txt") else {
        return;
    };
    let (reading, kept) = read_file(&path);
    // awk 'NR>2{w+=$2;r+=$3}END{print r*1024,w*1024}'
    assert_eq!(reading.bytes, [131_072.0, 1_610_612_736.0]);
    assert_eq!(reading.clock, Clock::Epoch);
    assert_eq!(kept.targets[0].name, "all 2 nodes");
    let first = kept.volumes(Op::Write)[0];
    assert_eq!(first, (1_699_999_999.0, 1_700_000_000.0, 0.0));
}

const BLOCKS: &str = "====== 0 s ======\nSum:            5 [sum]  9 [MiB-wr/s]  \n\
                      7               5 [sum]  9 [MiB-wr/s]  \n\n";

#[test]
fn rates_hold_for_the_whole_interval_and_volumes_do_not() {
    for (item, bytes) in [
        ("2 [MiB-wr/s]", 20.0 * MIB),
        ("2 [MiB-wr]", 2.0 * MIB),
        ("2 [B-wr/s]", 20.0),
        ("2e+06 [B-wr]", 2e6),
    ] {
        let text = format!(
            "{BLOCKS}====== 10 s ======\nSum:            1 [sum]  {item}  \n7               1 [sum]  {item}  \n"
        );
        let (reading, kept) = read_text(text).unwrap();
        assert_eq!(reading.bytes, [0.0, bytes], "{item}");
        assert_eq!(kept.volumes(Op::Write), [(0.0, 10.0, bytes)]);
    }
}

#[test]
fn a_start_makes_times_of_the_day() {
    let options = Options {
        start: Some(1.7e9),
        ..Options::default()
    };
    let text = format!("{BLOCKS}====== 5 s ======\n7               1 [sum]  1 [B-wr]  \n");
    let (reading, kept) = read_input(Input::bytes(text), &options).unwrap();
    assert_eq!(reading.clock, Clock::Epoch);
    assert_eq!(kept.volumes(Op::Write), [(1.7e9, 1.7e9 + 5.0, 1.0)]);
}

#[test]
fn what_is_in_the_sum_and_in_no_line_is_called_others() {
    let text = format!(
        "{BLOCKS}====== 1 s ======\nSum:            9 [sum]  10 [B-wr]  \n7               1 [sum]  4 [B-wr]  \n\n====== 2 s ======\n"
    );
    let (reading, kept) = read_text(text).unwrap();
    assert_eq!(reading.bytes, [0.0, 10.0]);
    assert_eq!(kept.by_target(Op::Write)["(others)"], 6.0);
    assert_eq!(codes(&reading), ["left-out", "not-listed"]);
}

#[test]
fn damage_costs_lines_and_is_told() {
    let text = format!(
        "{BLOCKS}====== 1 s ======\r\nWarning: Operation counters changed\r\n7               1 [sum]  x [B-wr]  \r\n8               1 [sum]  3 [B-wr]  \r\n====== 0 s ======\n7     1 [sum]  99 [B-wr]\n====== 1 s ======\n7     1 [sum]  5 [B-wr]\n8               1 [sum]  7 [B-w"
    );
    let (reading, _) = read_text(text).unwrap();
    assert_eq!(reading.bytes, [0.0, 8.0]);
    assert_eq!(
        codes(&reading),
        ["left-out", "new-run", "beegfs", "bad-rows"]
    );
    assert!(
        reading.warnings[3]
            .message
            .contains("line 7: not a number: x")
    );
}

#[test]
fn logs_without_bytes_say_why() {
    let alone = read_text(BLOCKS).unwrap_err().to_string();
    assert!(alone.contains("one block"), "{alone}");
    let meta =
        "====== 0 s ======\n7     1 [sum]  9 [mkdir]\n====== 1 s ======\n\n====== 2 s ======\n";
    let meta = read_text(meta).unwrap_err().to_string();
    assert!(meta.contains("--nodetype=storage"), "{meta}");
}

#[test]
fn version_8_prints_tables_of_volumes() {
    let text = "------- 0s -------\nuser sum ops-rd rd ops-wr wr\n1001 5 1 9GiB 1 9GiB\n\n\
                ------- 2s -------\nuser sum ops-rd rd ops-wr wr\nsum 5 1 4KiB 1 3MiB\n1001 5 1 4KiB 1 3MiB\n";
    let (reading, kept) = read_text(text).unwrap();
    assert_eq!(reading.format, "beegfs stats");
    assert_eq!(reading.bytes, [4096.0, 3.0 * MIB]);
    assert_eq!(kept.volumes(Op::Read), [(0.0, 2.0, 4096.0)]);
    assert_eq!(codes(&reading), ["left-out", "rounded-values"]);
}

const ROWS: &str = " time_index write_KiB  read_KiB   reqs   qlen bsy\n 100000001 2 0 3 0 0\n 100000002 3 1 3 0 0\n 100000003 0 0 3 0 0\n";

#[test]
fn histories_that_overlap_count_once() {
    let text = format!(
        "Total results for 1 nodes:\n{ROWS}\nTotal results for 1 nodes:\n{ROWS} 100000004 7 0 1 0 0\n"
    );
    let (reading, _) = read_text(text).unwrap();
    assert_eq!(reading.bytes, [1024.0, 12.0 * 1024.0]);
    assert_eq!(codes(&reading), ["doubled-rows"]);
    assert_eq!(reading.missing.get(), 0.0);
}

#[test]
fn servers_of_their_own_are_targets_and_their_sum_is_not() {
    let block = |at: u32, first: u32, second: u32| {
        format!(
            "===== time index: {at} =====\n nodeID write_KiB  read_KiB   reqs   qlen bsy\n stor01 [ID: 1] {first} 0 1 0 0\n stor02 [ID: 2] {second} 0 1 0 0\n Total: {} 0 2 0 0\n\n",
            first + second
        )
    };
    let text = block(1_700_000_000, 1, 2) + &block(1_700_000_001, 3, 4);
    let (reading, kept) = read_text(text).unwrap();
    assert_eq!(reading.bytes, [0.0, 10.0 * 1024.0]);
    let written = kept.by_target(Op::Write);
    assert_eq!(written["stor01 [ID: 1]"], 4096.0);
    assert_eq!(written.len(), 2);
}

#[test]
fn rows_that_are_cut_or_no_numbers_are_told_with_their_line() {
    let text = format!("{ROWS} 100000004 x 0 1 0 0\n 100000005 1 0 1 0 0\n 100000006 4");
    let (reading, _) = read_text(text).unwrap();
    assert_eq!(reading.bytes, [1024.0, 6.0 * 1024.0]);
    assert!(codes(&reading).contains(&"bad-rows"));
    assert!(
        reading
            .warnings
            .iter()
            .any(|one| one.message.contains("line 5: not a number"))
    );
}
