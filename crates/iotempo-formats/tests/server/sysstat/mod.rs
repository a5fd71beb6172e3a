//! sysstat's tools, as they wrote while a machine wrote 16 MiB every other second, and as other
//! versions, options and locales make them write.

mod iostat;
mod json;
mod sar;

use crate::kept::{Kept, codes, read_file, read_input};
use crate::log;
use iotempo_formats::Input;
use iotempo_formats::server::{Clock, Options, Reading};
use iotempo_formats::zone::TimeZone;

fn utc() -> Options {
    Options {
        zone: TimeZone::utc(),
        ..Options::default()
    }
}

fn read_utc(text: &str) -> (Reading, Kept) {
    read_input(Input::bytes(text), &utc()).unwrap_or_else(|error| panic!("{error}"))
}

/// Format, volumes, bytes read and written by file. From Python: sums of the columns by name, times
/// 1024 (512 for blocks), times intervals of 1 s, without the first report where it is since boot.
const TOTALS: [(&str, &str, u64, f64, f64); 15] = [
    (
        "iostat_k_1s.txt",
        "iostat text",
        14,
        7_995_392.0,
        67_420_160.0,
    ),
    (
        "iostat_kxt_iso_1s.txt",
        "iostat text",
        14,
        11_930_306.56,
        133_422_458.88,
    ),
    (
        "iostat_kxty_clocale_1s.txt",
        "iostat text",
        16,
        3_244_032.0,
        114_192_384.0,
    ),
    ("iostat_k.json", "iostat JSON", 8, 3_125_248.0, 51_830_784.0),
    ("iostat_mdp.json", "iostat JSON", 8, 0.0, 16_777_216.0),
    (
        "iostat_xkt.json",
        "iostat JSON",
        6,
        610_304.0,
        16_615_157.76,
    ),
    ("sadf_d_dev.csv", "sadf -d", 12, 3_547_136.0, 67_214_632.96),
    ("sadf_dT_dev.csv", "sadf -d", 4, 0.0, 33_647_912.96),
    ("sadf_dU_dev.csv", "sadf -d", 4, 0.0, 33_647_912.96),
    ("sadf_d_b.csv", "sadf -d", 12, 3_547_136.0, 67_214_627.84),
    ("sadf_p_dev.txt", "sadf -p", 12, 3_547_136.0, 67_214_632.96),
    // These write sectors, too, which are finer than kB.
    ("sadf_j.json", "sadf JSON", 12, 3_547_136.0, 67_214_627.84),
    ("sadf_x.xml", "sadf XML", 12, 3_547_136.0, 67_214_627.84),
    ("sar_d_p.txt", "sar text", 12, 3_547_136.0, 67_214_632.96),
    ("sar_live.txt", "sar text", 12, 3_547_136.0, 67_214_632.96),
];

#[test]
fn every_form_holds_the_bytes_that_its_columns_add_up_to() {
    for (name, format, samples, read, written) in TOTALS {
        let Some(path) = log(
            "every_form_holds_the_bytes_that_its_columns_add_up_to",
            name,
        ) else {
            return;
        };
        let (reading, _) = read_file(&path);
        assert_eq!(reading.format, format, "{name}");
        assert_eq!(reading.samples, samples, "{name}: {:?}", reading.warnings);
        for (found, expected) in reading.bytes.into_iter().zip([read, written]) {
            assert!(
                (found - expected).abs() < 0.01,
                "{name}: {found} {expected}"
            );
        }
        let interval = reading.interval.unwrap().get();
        assert!((interval - 1.0).abs() < 0.02, "{name}: {interval}");
        assert!(!reading.damaged, "{name}");
    }
}

#[test]
fn all_forms_of_one_recording_tell_the_same() {
    let mut first: Option<Vec<(f64, f64, f64)>> = None;
    for name in [
        "sadf_d_dev.csv",
        "sadf_p_dev.txt",
        "sadf_j.json",
        "sadf_x.xml",
        "sar_d_p.txt",
        "sar_live.txt",
    ] {
        let Some(path) = log("all_forms_of_one_recording_tell_the_same", name) else {
            return;
        };
        let input = Input::bytes(std::fs::read(&path).unwrap());
        let (reading, kept) = read_input(input, &utc()).unwrap();
        assert_eq!(kept.targets.len(), 1, "{name}");
        assert_eq!(kept.targets[0].label(), "vm/vda", "{name}");
        let volumes = kept.volumes(iotempo_model::Op::Write);
        assert_eq!(volumes[0].0, 1_794_727_510.0, "{name}");
        assert_eq!(reading.missing.get(), 0.0, "{name}");
        let first = &*first.get_or_insert_with(|| volumes.clone());
        assert_eq!(volumes.len(), first.len(), "{name}");
        for (found, expected) in volumes.iter().zip(first) {
            assert_eq!((found.0, found.1), (expected.0, expected.1), "{name}");
            // Half of the last digit of a kB/s.
            assert!(
                (found.2 - expected.2).abs() <= 5.12 + 1e-6,
                "{name}: {found:?}"
            );
        }
    }
}

#[test]
fn a_log_that_was_cut_off_while_a_model_trained_is_whole() {
    let name = "mlperf-polaris-run0/iostat.json.gz";
    let Some(path) = log(
        "a_log_that_was_cut_off_while_a_model_trained_is_whole",
        name,
    ) else {
        return;
    };
    let (reading, kept) = read_file(&path);
    assert!(!reading.damaged);
    // 697 reports of two disks and two directions. None is since boot: -y was given.
    assert_eq!(reading.samples, 697 * 4);
    assert_eq!(kept.targets.len(), 2, "no loop devices");
    let expected = [2_301_058_130_903.04, 16_944_988.16];
    for (found, expected) in reading.bytes.into_iter().zip(expected) {
        assert!((found - expected).abs() < 1.0, "{found} {expected}");
    }
    assert_eq!(codes(&reading), ["cut-off", "left-out", "zone-assumed"]);
    let observed = reading.observed.unwrap();
    assert_eq!(observed.length().get(), 697.0);
}

#[test]
fn a_binary_file_says_what_makes_it_readable() {
    let Some(path) = log("a_binary_file_says_what_makes_it_readable", "sa.bin") else {
        return;
    };
    let bytes = std::fs::read(path).unwrap();
    let error = read_input(Input::bytes(bytes), &utc()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "byte 0: a binary file of sadc: `sadf -d FILE -- -d` makes it readable"
    );
}

const SADF: &str = "# hostname;interval;timestamp;DEV;tps;rkB/s;wkB/s;%util\n";

#[test]
fn restarts_and_comments_are_no_intervals() {
    let rows = "n1;10;2026-11-15 07:00:10 UTC;sda;1.00;1.00;2.00;0.10\n\
                n1;-1;2026-11-15 07:00:15 UTC;LINUX-RESTART\t(2 CPU)\n\
                n1;-1;2026-11-15 07:00:16 UTC;COM hello\n\
                n1;10;2026-11-15 07:01:00 UTC;sda;1.00;3.00;0.00;0.10\n";
    let (reading, kept) = read_utc(&format!("{SADF}{rows}"));
    assert_eq!(reading.bytes, [40.0 * 1024.0, 20.0 * 1024.0]);
    assert_eq!(reading.missing.get(), 40.0);
    assert_eq!(codes(&reading), ["gaps"]);
    assert_eq!(reading.clock, Clock::Epoch);
    assert_eq!(kept.targets[0].label(), "n1/sda");
}

#[test]
fn rows_of_several_disks_may_stand_side_by_side() {
    let text = "# hostname;interval;timestamp;tps;bread/s;bwrtn/s;DEV;tps;rkB/s;wkB/s;%util[...]\n\
                n1;1;1794727511;9;6.00;6.00;sda;1.00;1.00;2.00;0.10;sdb;1.00;2.00;1.00;0.10\n\
                n1;1;1794727512;9;6.00;6.00;sda;1.00;1.00;2.00;0.10;sdb;1.00;2.00;1.00;0.10\n";
    let (reading, kept) = read_utc(text);
    assert_eq!(kept.targets.len(), 2);
    assert_eq!(reading.bytes, [6.0 * 1024.0, 6.0 * 1024.0]);
}

#[test]
fn an_interval_of_0_s_tells_no_volume() {
    let rows = "n1;1;1794727511;sda;1.00;1.00;0.00;0.10\nn1;0;1794727511;sda;9.00;9.00;9.00;0.10\n\
                n1;1;1794727512;sda;1.00;1.00;0.00;0.10\n";
    let (reading, _) = read_utc(&format!("{SADF}{rows}"));
    assert_eq!(reading.bytes[0], 2048.0);
    let (reading, _) = read_utc(&format!(
        "{SADF}{}",
        rows.replace("n1;0;1794727511", "n1;0;1794727510")
    ));
    assert_eq!(codes(&reading), ["no-interval"]);
}

#[test]
fn local_times_need_a_zone() {
    let rows = "n1;1;2026-11-15 08:25:11;sda;1.00;1.00;0.00;0.10\n";
    let options = Options {
        zone: "+01:00".parse().unwrap(),
        ..Options::default()
    };
    let (reading, kept) = read_input(Input::bytes(format!("{SADF}{rows}")), &options).unwrap();
    assert_eq!(kept.volumes(iotempo_model::Op::Read)[0].1, 1_794_727_511.0);
    assert_eq!(reading.clock, Clock::Zone("+01:00".to_owned()));
}

#[test]
fn damaged_rows_cost_themselves() {
    let good = |at: u32| format!("n1;1;{};sda;1.00;1.00;2.00;0.10\n", 1_794_727_511 + at);
    let text = format!(
        "{SADF}{}{}n1;1;x;sda;1.00;1.00;2.00;0.10\nn1;1;1794727599;sda;1.00\n\0\0\0\n{}{}{}{}",
        good(0),
        good(1),
        good(2),
        good(2),
        good(3),
        "n1;1;1794727515;sda;1.00;NaN;-2.00;0.10\n"
    );
    let (reading, _) = read_utc(&text.replace('\n', "\r\n"));
    assert_eq!(reading.bytes, [4096.0, 8192.0]);
    let mut found = codes(&reading);
    found.sort_unstable();
    assert_eq!(
        found,
        ["bad-rows", "doubled-rows", "negative-volume", "not-finite"]
    );
    assert!(
        reading
            .warnings
            .iter()
            .any(|warning| warning.message.contains("line 4: not a time: x")),
        "{:?}",
        reading.warnings
    );
}

#[test]
fn a_log_of_other_statistics_is_told_so() {
    for text in [
        "# hostname;interval;timestamp;CPU;%user\nn1;1;1794727511;-1;3.00\n",
        "Linux 6.1 (n1) \t11/15/26 \t_x86_64_\t(2 CPU)\n\n07:25:10  CPU  %user\n07:25:11  all  1.00\n",
    ] {
        let error = read_input(Input::bytes(text), &utc()).unwrap_err();
        assert!(
            error.to_string().starts_with("the log holds no disk"),
            "{error}"
        );
    }
}
