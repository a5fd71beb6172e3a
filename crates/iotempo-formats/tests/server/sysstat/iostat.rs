//! `iostat`'s text under other options, versions and locales.

use super::{read_utc, utc};
use crate::kept::{codes, read_input};
use iotempo_formats::Input;
use iotempo_formats::server::{Clock, Options};
use iotempo_model::{Op, Seconds};

const BANNER: &str = "Linux 6.1.0 (n1) \t11/15/26 \t_x86_64_\t(2 CPU)\n\n";
const HEADING: &str = "Device tps kB_read/s kB_wrtn/s kB_dscd/s kB_read kB_wrtn kB_dscd\n";
const EXTENDED: &str = "Device r/s rkB/s rrqm/s %rrqm r_await rareq-sz w/s wkB/s wrqm/s %util\n";

/// A report since boot, and one for each of `reports`.
fn log(heading: &str, boot: &str, reports: &[&str]) -> String {
    let mut text = format!("{BANNER}{heading}{boot}\n\n");
    for report in reports {
        text += &format!("{heading}{report}\n\n");
    }
    text
}

const BOOT: &str = "sda 154.03 2549.86 6832.87 0.00 5195257 13921760 0\n";

#[test]
fn the_first_report_is_left_out_where_it_is_since_boot() {
    let second = "sda 27.00 92.00 16392.00 0.00 92 16392 0\n";
    let (reading, _) = read_utc(&log(HEADING, BOOT, &[second, second]));
    assert_eq!(
        reading.bytes,
        [2.0 * 92.0 * 1024.0, 2.0 * 16_392.0 * 1024.0]
    );
    assert_eq!(codes(&reading), ["since-boot"]);
    // With -y, it is a report as any other.
    let (reading, _) = read_utc(&log(HEADING, second, &[second, second]));
    assert_eq!(reading.bytes[0], 3.0 * 92.0 * 1024.0);
    assert!(codes(&reading).is_empty());
    let error = read_input(Input::bytes(log(HEADING, BOOT, &[])), &utc()).unwrap_err();
    assert!(
        error.to_string().contains("a second one is needed"),
        "{error}"
    );
}

#[test]
fn without_times_a_log_begins_at_zero_or_where_the_user_says() {
    let report = "sda 27.00 92.00 16392.00 0.00 460 81960 0\n";
    let text = log(HEADING, BOOT, &[report, report]);
    let (reading, kept) = read_utc(&text);
    assert_eq!(reading.clock, Clock::Relative);
    let ends: Vec<f64> = kept.volumes(Op::Read).iter().map(|one| one.1).collect();
    assert!(
        (ends[0] - 5.0).abs() < 0.01 && (ends[1] - 10.0).abs() < 0.01,
        "{ends:?}"
    );
    let options = Options {
        start: Some(1e9),
        ..utc()
    };
    let (reading, kept) = read_input(Input::bytes(text), &options).unwrap();
    assert_eq!(reading.clock, Clock::Epoch);
    assert_eq!(kept.volumes(Op::Read)[0].0, 1e9);
}

#[test]
fn rates_without_times_need_an_interval() {
    let report = "sda 2.00 8.00 0.00 0.00 0.10 4.00 0.00 0.00 0.00 0.10\n";
    let text = log(EXTENDED, report, &[report, report]);
    let error = read_input(Input::bytes(text.clone()), &utc()).unwrap_err();
    assert!(error.to_string().contains("--step"), "{error}");
    let options = Options {
        interval: Seconds::new(5.0),
        ..utc()
    };
    let (reading, kept) = read_input(Input::bytes(text), &options).unwrap();
    assert_eq!(reading.bytes[0], 2.0 * 8.0 * 1024.0 * 5.0);
    assert_eq!(kept.volumes(Op::Read)[1], (5.0, 10.0, 8.0 * 1024.0 * 5.0));
}

#[test]
fn units_are_those_of_the_heading() {
    let half = "Device: tps Blk_read/s Blk_wrtn/s Blk_read Blk_wrtn\n";
    let boot = "sda 9.99 9.99 9.99 99999 99999\n";
    let (reading, _) = read_utc(&log(half, boot, &["sda 1.00 200.00 400.00 200 400\n"]));
    assert_eq!(reading.bytes, [200.0 * 512.0, 400.0 * 512.0]);
    let mebi = "Device tps MB_read/s MB_wrtn/s MB_read MB_wrtn\n";
    let boot = "sda 9.99 9.99 9.99 99999 99999\n";
    let (reading, _) = read_utc(&log(mebi, boot, &["sda 1.00 0.25 40.75 0 40\n"]));
    assert_eq!(
        reading.bytes,
        [0.25 * 1_048_576.0, 40.75 * 1_048_576.0],
        "rates are finer than volumes here"
    );
}

#[test]
fn versions_before_12_have_other_columns() {
    let old = "Device:         rrqm/s   wrqm/s     r/s     w/s    rkB/s    wkB/s avgrq-sz avgqu-sz   await r_await w_await  svctm  %util\n";
    let row = "sda               0.00     1.00    2.00    3.00    64.00   128.00    38.40     0.01    1.00    0.50    1.33   0.20   0.10\n";
    let boot = "sda               0.03     1.23    2.34    3.45    64.12   128.34    38.40     0.01    1.00    0.50    1.33   0.20   0.10\n";
    let mut text = format!("{BANNER}11/15/2026 11:59:58 PM\n{old}{boot}\n");
    for time in ["11/15/2026 11:59:59 PM", "11/16/2026 12:00:00 AM"] {
        text += &format!("{time}\n{old}{row}\n");
    }
    let (reading, kept) = read_utc(&text);
    assert_eq!(reading.bytes, [128.0 * 1024.0, 256.0 * 1024.0]);
    assert_eq!(kept.volumes(Op::Read)[1].1, 1_794_787_200.0, "midnight");
    assert_eq!(codes(&reading), ["since-boot"]);
}

#[test]
fn very_old_versions_write_times_without_dates() {
    let old = "Device: tps Blk_read/s Blk_wrtn/s Blk_read Blk_wrtn\n";
    let mut text = BANNER.to_owned();
    for time in ["11:59:58 PM", "11:59:59 PM", "12:00:00 AM"] {
        text += &format!("Time: {time}\n{old}sda 1.00 200.00 400.00 200 400\n\n");
    }
    let (reading, kept) = read_utc(&text);
    assert_eq!(reading.bytes[0], 3.0 * 200.0 * 512.0);
    assert_eq!(kept.volumes(Op::Read)[2].1, 1_794_787_200.0);
}

#[test]
fn people_may_have_asked_for_their_units() {
    let heading = "      tps    kB_read/s    kB_wrtn/s    kB_dscd/s    kB_read    kB_wrtn    kB_dscd Device\n";
    let boot =
        "   217.76         4.4M        12.1M         6.0M      55.6G     152.5G      76.2G sda\n";
    let row = "   204.00       964.0k        12.0M        22.0M     964.0k      12.0M      22.0M sda\n\
               \u{20}  204.00       964.0k        12.0M        22.0M     964.0k      12.0M      22.0M  ALL\n";
    let (reading, kept) = read_utc(&log(heading, boot, &[row]));
    assert_eq!(reading.bytes, [964.0 * 1024.0, 12.0 * 1_048_576.0]);
    assert_eq!(kept.targets.len(), 1, "the group is a sum");
}

#[test]
fn decimal_commas_and_dates_of_other_countries_are_read() {
    let row = "sda 27,00 92,00 16392,00 0,00 92 16392 0\n";
    for time in [
        "15.11.2026 07:23:3",
        "15/11/2026 07:23:3",
        "2026年11月15日 07時23分3",
    ] {
        let end = if time.contains('年') { "秒" } else { "" };
        let mut text = BANNER.to_owned();
        for second in 1..4 {
            text += &format!("{time}{second}{end}\n{HEADING}{row}\n");
        }
        let (reading, kept) = read_utc(&text.replace('\n', "\r\n"));
        assert_eq!(reading.bytes[0], 3.0 * 92.0 * 1024.0, "{time}");
        assert_eq!(kept.volumes(Op::Read)[2].1, 1_794_727_413.0, "{time}");
    }
}

#[test]
fn a_byte_is_counted_on_one_device() {
    let report = "sda 3.00 100.00 0.00 0.00 100 0 0\nsda1 3.00 100.00 0.00 0.00 100 0 0\n\
                  dm-0 3.00 60.00 0.00 0.00 60 0 0\nvg0-home 1.00 40.00 0.00 0.00 40 0 0\n\
                  loop0 1.00 40.00 0.00 0.00 40 0 0\n ALL 9.00 340.00 0.00 0.00 340 0 0\n";
    let text = log(HEADING, BOOT, &[report]);
    let (reading, kept) = read_utc(&text);
    assert_eq!(reading.bytes[0], 100.0 * 1024.0);
    assert_eq!(kept.targets.len(), 1);
    assert_eq!(codes(&reading), ["since-boot", "left-out", "left-out"]);
    let message = &reading.warnings[1].message;
    assert!(message.contains("sda1, dm-0, vg0-home, loop0"), "{message}");
    let options = Options {
        targets: vec!["sda1".to_owned(), "n1/dm-0".to_owned()],
        ..utc()
    };
    let (reading, _) = read_input(Input::bytes(text), &options).unwrap();
    assert_eq!(reading.bytes[0], 160.0 * 1024.0);
}

#[test]
fn a_group_that_stands_alone_is_all_there_is() {
    let report = " all 9.00 340.00 0.00 0.00 340 0 0\n";
    let (reading, kept) = read_utc(&log(
        HEADING,
        " all 9.99 3.41 0.00 0.00 34000 0 0\n",
        &[report],
    ));
    assert_eq!(reading.bytes[0], 340.0 * 1024.0);
    assert_eq!(kept.targets[0].name, "all");
}

#[test]
fn devices_that_are_passed_over_were_quiet() {
    let both = "sda 3.00 100.00 0.00 0.00 100 0 0\nsdb 3.00 100.00 0.00 0.00 100 0 0\n";
    let one = "sdb 3.00 100.00 0.00 0.00 100 0 0\n";
    let (reading, kept) = read_utc(&log(HEADING, BOOT, &[both, one, "", both]));
    assert_eq!(reading.samples, 4 * 2 * 2);
    assert_eq!(reading.bytes[0], 500.0 * 1024.0);
    let quiet = kept
        .volumes(Op::Read)
        .iter()
        .filter(|one| one.2 == 0.0)
        .count();
    assert_eq!(quiet, 3);
}

#[test]
fn devices_of_a_machine_that_comes_again_were_quiet_too() {
    let both = "sda 3.00 100.00 0.00 0.00 100 0 0\nsdb 3.00 100.00 0.00 0.00 100 0 0\n";
    let one = "sdb 3.00 100.00 0.00 0.00 100 0 0\n";
    let first = log(HEADING, BOOT, &[both]);
    let other = first.replace("(n1)", "(n2)");
    let again = log(HEADING, BOOT, &[one, one]);
    let (_, kept) = read_utc(&format!("{first}{other}{again}"));
    let quiet = kept.volumes(Op::Read);
    let quiet = quiet.iter().filter(|one| one.2 == 0.0).count();
    // The first report of both logs of that machine has the same time.
    assert_eq!(quiet, 1, "sda in the last report");
}

#[test]
fn a_log_that_goes_on_after_a_restart_leaves_out_both_first_reports() {
    let report = "sda 27.00 92.00 16392.00 0.00 92 16392 0\n";
    let once = log(HEADING, BOOT, &[report, report]);
    let (reading, kept) = read_utc(&format!("{once}{once}"));
    assert_eq!(reading.bytes[0], 4.0 * 92.0 * 1024.0);
    assert_eq!(codes(&reading), ["since-boot", "gaps-unknown"]);
    assert_eq!(kept.targets.len(), 1);
    let other = once.replace("(n1)", "(n2)");
    let (_, kept) = read_utc(&format!("{once}{other}"));
    let labels: Vec<String> = kept.targets.iter().map(|one| one.label()).collect();
    assert_eq!(labels, ["n1/sda", "n2/sda"]);
}

fn stamped(reports: &[(&str, &str)]) -> String {
    let mut text = BANNER.to_owned();
    for (time, row) in reports {
        text += &format!("2026-11-15T07:{time}+0000\n{HEADING}{row}\n");
    }
    text
}

#[test]
fn gaps_doubles_and_rows_out_of_order_are_told() {
    let row = "sda 27.00 92.00 16392.00 0.00 920 163920 0\n";
    let times = [
        "00:10", "00:20", "00:30", "00:30", "01:30", "01:20", "01:40",
    ];
    let reports: Vec<_> = times.into_iter().map(|time| (time, row)).collect();
    let (reading, _) = read_utc(&stamped(&reports));
    assert_eq!(reading.bytes[0], 6.0 * 920.0 * 1024.0);
    // Four reports between the third and the one that came late.
    assert_eq!(reading.missing.get(), 40.0);
    assert_eq!(codes(&reading), ["doubled-rows", "reordered-rows", "gaps"]);
}

#[test]
fn volumes_that_do_not_fit_times_are_told() {
    // What is called a rate is what was moved in 5 s.
    let row = "sda 27.00 460.00 0.00 0.00 460 0 0\n";
    let times = ["00:05", "00:10", "00:15", "00:20", "00:25"];
    let reports: Vec<_> = times.into_iter().map(|time| (time, row)).collect();
    let (reading, _) = read_utc(&stamped(&reports));
    assert!(
        codes(&reading).contains(&"unit-doubtful"),
        "{:?}",
        reading.warnings
    );
    assert_eq!(reading.bytes[0], 5.0 * 460.0 * 1024.0);
}

#[test]
fn rows_that_cannot_be_read_cost_themselves() {
    let good = "sda 27.00 92.00 16392.00 0.00 92 16392 0\n";
    let text = log(
        HEADING,
        BOOT,
        &[
            good,
            "sda 27.00 92.00 x 0.00 92 16392 0\n",
            good,
            "sda 27.00 \0\0\n",
            good,
            good,
        ],
    );
    let text = format!("{text}{HEADING}sda 27.00 92.00 163");
    let (reading, _) = read_utc(&text);
    assert_eq!(reading.bytes[0], 4.0 * 92.0 * 1024.0);
    let told = reading.warnings.iter().find(|one| one.code == "bad-rows");
    let message = &told.unwrap().message;
    assert!(message.contains("3 of 8 rows"), "{message}");
    assert!(message.contains("line 12: not a number: x"), "{message}");
}

#[test]
fn a_last_line_without_an_end_may_have_lost_digits() {
    let heading = "Device: tps kB_read/s kB_wrtn/s kB_read kB_wrtn\n";
    let row = "sda 27.00 92.00 1639.00 92 1639";
    let text = log(
        heading,
        "sda 27.12 9.20 163.90 9200 163900\n",
        &[&format!("{row}\n")],
    );
    let (reading, _) = read_utc(&format!("{text}{heading}{row}"));
    assert_eq!(reading.bytes[1], 1639.0 * 1024.0);
    assert!(codes(&reading).contains(&"bad-rows"));
}

#[test]
fn a_line_without_end_is_damage() {
    let mut options = utc();
    options.limits.name = 4096;
    let row = "sda 27.00 92.00 16392.00 0.00 92 16392 0\n";
    let text = format!("{}{}", log(HEADING, BOOT, &[row, row]), "x".repeat(10_000));
    let (reading, _) = read_input(Input::bytes(text), &options).unwrap();
    assert!(reading.damaged);
    assert_eq!(reading.bytes[0], 2.0 * 92.0 * 1024.0);
}

#[test]
fn sums_of_both_directions_are_refused() {
    let text =
        format!("{BANNER}Device tps kB/s rqm/s await areq-sz aqu-sz %util\nsda 1 2 3 4 5 6 7\n");
    let error = read_input(Input::bytes(text), &utc()).unwrap_err();
    assert!(error.to_string().contains("leave -s away"), "{error}");
}
