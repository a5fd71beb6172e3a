//! Counters of Lustre: what versions 1.8 to 2.15 show once, and what they tell when they are looked
//! at again.

use crate::kept::{codes, read_file, read_input, read_text};
use crate::log;
use iotempo_formats::Input;
use iotempo_formats::server::{Clock, Options, Reading};
use iotempo_model::{Op, TargetKind};

fn message<'a>(reading: &'a Reading, code: &str) -> &'a str {
    let mut found = reading.warnings.iter().filter(|one| one.code == code);
    &found.next().unwrap_or_else(|| panic!("no {code}")).message
}

/// Targets, bytes read and written since the counters began: the seventh field of `read_bytes`
/// and `write_bytes`; of jobs, Python's sum of what stands behind `sum:`.
const SHOWN: [(&str, u64, u64, u64); 8] = [
    (
        "llite_lustrefs-ffff88105db50000_stats.txt",
        1,
        4_194_304,
        93_813_797_294_080,
    ),
    (
        "obdfilter_lustrefs-OST0000_exports_172.20.20.4@o2ib_stats.txt",
        1,
        0,
        16_552_048_697_344,
    ),
    (
        "obdfilter_lustrefs-OST0000_job_stats.txt",
        36,
        18_432_000,
        3_265_210_228_736,
    ),
    (
        "obdfilter_lustrefs-OST0000_stats.txt",
        1,
        0,
        16_552_048_697_344,
    ),
    (
        "obdfilter_stats_lustre_1.8.3.txt",
        1,
        471_987_441_490,
        744_266_735_272,
    ),
    (
        "obdfilter_stats_lustre_2.10.8.txt",
        1,
        2_092_334_829_568,
        2_798_370_021_441,
    ),
    ("obdfilter_stats_lustre_2.12.9_12.txt", 1, 0, 1_098_907_648),
    (
        "obdfilter_stats_lustre_2.15.4_1.txt",
        1,
        1_788_336_930_816,
        1_786_842_710_016,
    ),
];

#[test]
fn one_snapshot_tells_what_the_counters_show_and_asks_for_another() {
    for (name, targets, read, written) in SHOWN {
        let test = "one_snapshot_tells_what_the_counters_show_and_asks_for_another";
        let Some(path) = log(test, &format!("lustre/{name}")) else {
            return;
        };
        let (reading, kept) = read_file(&path);
        assert_eq!(reading.format, "Lustre counters");
        assert_eq!(codes(&reading), ["one-snapshot"], "{name}");
        let message = message(&reading, "one-snapshot");
        let shown = format!("{read} bytes read and {written} bytes written");
        assert!(message.contains(&shown), "{name}: {message}");
        assert!(message.contains("take a second snapshot"), "{message}");
        assert_eq!((reading.targets, reading.samples), (targets, 0), "{name}");
        assert!(kept.moved.is_empty());
        let kind = match name {
            name if name.starts_with("llite") => TargetKind::Client,
            name if name.contains("job_stats") => TargetKind::Job,
            // Nothing in the counters of an export tells them from those of its OST.
            _ => TargetKind::StorageTarget,
        };
        assert_eq!(kept.targets[0].kind, kind, "{name}");
    }
}

#[test]
fn what_holds_no_bytes_over_time_says_so() {
    for (name, expected) in [
        (
            "brw_stats.txt",
            "brw_stats of Lustre: sizes of requests, no bytes over time",
        ),
        (
            "mdt_lustrefs-MDT0000_job_stats.txt",
            "without read_bytes or write_bytes: no bytes over time",
        ),
    ] {
        let Some(path) = log(
            "what_holds_no_bytes_over_time_says_so",
            &format!("lustre/{name}"),
        ) else {
            return;
        };
        let error = read_text(std::fs::read(path).unwrap())
            .unwrap_err()
            .to_string();
        assert!(error.contains(expected), "{name}: {error}");
        assert!(error.contains("take obdfilter.*.stats"), "{error}");
    }
}

fn snapshot(at: u32, read: u64, written: u64) -> String {
    format!(
        "snapshot_time             {at}.500000000 secs.nsecs\n\
         read_bytes                2 samples [bytes] 4096 1048576 {read}\n\
         write_bytes               2 samples [bytes] 4096 1048576 {written} 7\n\
         punch                     57 samples [reqs]\n"
    )
}

#[test]
fn snapshots_that_cat_appends_are_one_target_over_time() {
    let text = snapshot(100, 10, 1000) + &snapshot(110, 30, 1000) + &snapshot(120, 35, 1600);
    let (reading, kept) = read_text(text).unwrap();
    assert_eq!(reading.clock, Clock::Epoch);
    assert_eq!(reading.interval.unwrap().get(), 10.0);
    assert_eq!(
        kept.volumes(Op::Read),
        [(100.5, 110.5, 20.0), (110.5, 120.5, 5.0)]
    );
    assert_eq!(
        kept.volumes(Op::Write),
        [(100.5, 110.5, 0.0), (110.5, 120.5, 600.0)]
    );
    assert_eq!(codes(&reading), [""; 0]);
    assert_eq!(kept.targets[0].kind, TargetKind::StorageTarget);
}

#[test]
fn times_blank_lines_and_line_ends_of_a_script_do_not_matter() {
    let text = format!(
        "Mon Nov 16 04:00:00 2026\n{}\n1794801610\n\n{}",
        snapshot(100, 10, 0),
        snapshot(110, 30, 0)
    );
    let expected = read_text(text.clone()).unwrap().0;
    assert_eq!((expected.bytes, codes(&expected).len()), ([20.0, 0.0], 0));
    let windows = read_text(text.replace('\n', "\r\n")).unwrap().0;
    assert_eq!(windows.bytes, [20.0, 0.0]);
    assert!(windows.warnings.is_empty());
    // As `date` prints it. The counters have their own times, so whose zone that is does not matter.
    for named in [
        "Mon Nov 16 04:00:00 CET 2026",
        "Mon Nov 16 04:00:00 AM -03 2026",
    ] {
        let text = format!("{}{named}\n{}", snapshot(100, 10, 0), snapshot(110, 30, 0));
        for text in [format!("{named}\n{text}"), text] {
            let (reading, _) = read_text(text).unwrap();
            assert_eq!(reading.bytes, [20.0, 0.0], "{named}");
            assert!(reading.warnings.is_empty(), "{:?}", reading.warnings);
        }
    }
}

#[test]
fn parameters_name_the_targets_and_each_byte_is_counted_once() {
    let at = |time: u32, bytes: u64| {
        let stats = snapshot(time, bytes, 0);
        format!(
            "obdfilter.fs-OST0000.stats=\n{stats}obdfilter.fs-OST0001.stats=\n{stats}\
             obdfilter.fs-OST0000.exports.10.0.0.1@o2ib.stats=\n{stats}\
             obdfilter.fs-OST0000.job_stats=job_stats:\n- job_id: 7\n  snapshot_time: {time}\n  \
             read_bytes: {{ samples: 1, unit: bytes, min: 1, max: 1, sum: {bytes} }}\n\
             obdfilter.fs-OST0000.kbytesfree=123\nosd-ldiskfs.fs-OST0000.brw_stats=\n\
             snapshot_time:         {time}.1 (secs.nsecs)\n1:\t\t 13  56  56   |  153   0   0\n"
        )
    };
    let text = at(100, 5) + &at(110, 25);
    let (reading, kept) = read_text(text.clone()).unwrap();
    assert_eq!(reading.bytes, [40.0, 0.0], "two OSTs");
    assert_eq!(
        kept.by_target(Op::Read).into_iter().collect::<Vec<_>>(),
        [
            ("fs-OST0000".to_owned(), 20.0),
            ("fs-OST0001".to_owned(), 20.0)
        ]
    );
    assert_eq!(codes(&reading), ["left-out", "left-out"]);
    let left_out = message(&reading, "left-out");
    assert!(
        left_out.starts_with("stats of exports, job_stats count"),
        "{left_out}"
    );

    let options = Options {
        targets: vec!["fs-OST0000/10.0.0.1@o2ib".to_owned(), "7".to_owned()],
        ..Options::default()
    };
    let (_, kept) = read_input(Input::bytes(text), &options).unwrap();
    let kinds: Vec<_> = kept
        .targets
        .iter()
        .map(|one| (one.label(), one.kind))
        .collect();
    assert_eq!(
        kinds,
        [
            ("fs-OST0000/10.0.0.1@o2ib".to_owned(), TargetKind::Client),
            ("fs-OST0000/7".to_owned(), TargetKind::Job)
        ]
    );
}

fn job(id: &str, at: &str, written: u64) -> String {
    format!(
        "- job_id:          {id}\n  snapshot_time:   {at}\n  \
         write_bytes:     {{ samples: 3, unit: bytes, min: 4096, max: 4194304, sum: {written} }}\n  \
         getattr:         {{ samples: 7, unit:  reqs }}\n"
    )
}

#[test]
fn a_job_that_comes_later_began_at_zero_and_an_idle_one_costs_no_warning() {
    let text = format!(
        "job_stats:\n{}{}job_stats:\n{}{}{}",
        job("24", "100", 1000),
        job("\"make all.0\"", "90", 50),
        job("24", "110", 1500),
        job("\"make all.0\"", "90", 50),
        job("99", "108", 300)
    );
    let (reading, kept) = read_text(text).unwrap();
    let written = kept.by_target(Op::Write);
    assert_eq!((written["24"], written["99"]), (500.0, 300.0));
    assert_eq!(
        kept.volumes(Op::Write),
        [
            (100.0, 110.0, 500.0),
            (90.0, 100.0, 0.0),
            (100.0, 108.0, 300.0)
        ]
    );
    assert_eq!(codes(&reading), [""; 0]);
    assert!(kept.targets.iter().all(|one| one.kind == TargetKind::Job));
    let names: Vec<_> = kept.targets.iter().map(|one| one.name.as_str()).collect();
    assert_eq!(names, ["24", "make all.0", "99"]);
}

/// A look at the jobs of an OST: one that is busy, and another.
fn look(at: u32, other: &str) -> String {
    format!("job_stats:\n{}{other}", job("busy", &at.to_string(), 1))
}

/// What a job wrote, by interval.
fn written_by(kept: &crate::kept::Kept, name: &str) -> Vec<(f64, f64, f64)> {
    let is_its = |moved: &&iotempo_model::Moved| {
        moved.op == Op::Write && kept.targets[moved.target.0 as usize].name == name
    };
    let its = kept.moved.iter().filter(is_its);
    its.map(|moved| {
        let when = moved.when;
        (when.start().get(), when.end().get(), moved.bytes.get())
    })
    .collect()
}

#[test]
fn what_an_idle_job_writes_at_last_was_written_since_the_look_before() {
    // Its entry keeps the time of its last request, 100, while the looks at 110 to 140 pass.
    let mut text: String = [100, 110, 120, 130, 140]
        .map(|at| look(at, &job("bursty", "100", 1000)))
        .concat();
    text += &look(150, &job("bursty", "149", 5000));
    let (reading, kept) = read_text(text).unwrap();
    let bursty = written_by(&kept, "bursty");
    assert_eq!(
        bursty,
        [
            (100.0, 110.0, 0.0),
            (110.0, 120.0, 0.0),
            (120.0, 130.0, 0.0),
            (130.0, 140.0, 0.0),
            (140.0, 149.0, 4000.0)
        ]
    );
    assert_eq!(codes(&reading), [""; 0]);
}

#[test]
fn an_entry_that_expired_and_began_anew_counts_from_zero_however_much_it_shows() {
    let anew = |start: u32, at: u32, written: u64| {
        job("app", &format!("{at}\n  start_time:      {start}"), written)
    };
    let text = look(100, &anew(50, 100, 1000))
        + &look(110, &anew(50, 100, 1000))
        + &look(120, "")
        + &look(130, &anew(124, 129, 1500))
        + &look(140, &anew(124, 139, 1600));
    let (reading, kept) = read_text(text).unwrap();
    let app = written_by(&kept, "app");
    assert_eq!(
        app,
        [
            (100.0, 124.0, 0.0),
            (124.0, 129.0, 1500.0),
            (129.0, 130.0, 0.0),
            (130.0, 139.0, 100.0)
        ]
    );
    let told = message(&reading, "counter-reset");
    assert!(told.starts_with("counters began anew 1 time:"), "{told}");
}

#[test]
fn older_and_newer_entries_of_jobs_are_read() {
    let older = "job_stats:\n- job_id: a\n  snapshot_time: 100\n  write: { samples: 1, unit: bytes, min: 1, max: 1, sum: 10 }\n";
    let newer = "job_stats:\n- job_id: a\n  snapshot_time: 105.250000000 secs.nsecs\n  start_time: 50.0 secs.nsecs\n  elapsed_time: 55.250000000 secs.nsecs\n  write_bytes: { samples: 2, unit: bytes, min: 1, max: 1, sum: 30, sumsq: 9 }\n  write: { samples: 2, unit: usecs, min: 1, max: 1, sum: 999, sumsq: 9 }\n";
    let (_, kept) = read_text(format!("{older}{newer}")).unwrap();
    assert_eq!(kept.volumes(Op::Write), [(100.0, 105.25, 20.0)]);
}

#[test]
fn a_counter_that_is_not_there_yet_is_zero() {
    let quiet = "snapshot_time 100.0 secs.nsecs\nping 1 samples [reqs]\n";
    let (reading, kept) = read_text(quiet.to_owned() + &snapshot(110, 4096, 0)).unwrap();
    assert_eq!(kept.volumes(Op::Read), [(100.0, 110.5, 4096.0)]);
    assert_eq!(codes(&reading), [""; 0]);
}

#[test]
fn resets_gaps_and_doubled_snapshots_are_told() {
    let text: String = [
        (100, 10),
        (110, 20),
        (110, 20),
        (120, 30),
        (160, 70),
        (170, 5),
    ]
    .map(|(at, read)| snapshot(at, read, 0))
    .concat();
    let (reading, _) = read_text(text).unwrap();
    assert_eq!(reading.bytes, [65.0, 0.0]);
    assert!(
        codes(&reading).contains(&"counter-reset"),
        "{:?}",
        codes(&reading)
    );
    assert!(
        codes(&reading).contains(&"doubled-rows"),
        "{:?}",
        codes(&reading)
    );
}

#[test]
fn a_number_that_is_cut_off_is_no_reset() {
    let whole = snapshot(100, 1000, 0) + &snapshot(110, 2000, 0) + &snapshot(120, 3000, 0);
    let at = whole.rfind("3000").unwrap();
    let (reading, _) = read_text(&whole.as_bytes()[..at + 2]).unwrap();
    assert_eq!(reading.bytes, [1000.0, 0.0]);
    assert_eq!(codes(&reading), ["cut-off"]);
}

#[test]
fn lines_that_are_none_cost_themselves_and_are_told() {
    let bad = "read_bytes                x samples [bytes] 1 2 3\nread_bytes 1 samples [bytes] 1 2\n\0\0\0\nerror: get_param: no such\n";
    let text = snapshot(100, 10, 0) + bad + &snapshot(110, 30, 0) + &snapshot(120, 30, 0);
    let (reading, _) = read_text(text).unwrap();
    assert_eq!(reading.bytes, [20.0, 0.0]);
    assert_eq!(codes(&reading), ["bad-rows"]);
    let told = message(&reading, "bad-rows");
    assert!(
        told.contains("line 5: not a line of Lustre's counters: read_bytes"),
        "{told}"
    );
}

#[test]
fn a_file_of_nothing_but_rubbish_behind_its_first_line_is_an_error() {
    let text = format!("snapshot_time 1.0 secs.nsecs\n{}", "rubbish\n".repeat(50));
    let error = read_text(text).unwrap_err().to_string();
    assert!(
        error.contains("line 2: not a line of Lustre's counters"),
        "{error}"
    );
}
