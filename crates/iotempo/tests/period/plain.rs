//! What a person is told when something is odd, missing, or not what was meant.

use super::{checkpoints, irregular, period, place};
use crate::common::Place;
use serde_json::Value;
use std::fmt::Write;

#[test]
fn samples_that_are_no_numbers_are_missing_and_not_idle() {
    let place = Place::new();
    let mut table = String::from("time,write\n");
    for second in 0..300 {
        match second % 50 {
            7 => writeln!(table, "{second},NaN").unwrap(),
            _ => writeln!(table, "{second},1000000").unwrap(),
        }
    }
    place.write("x.csv", table);
    let found = period(&place, &["x.csv"]);
    assert_eq!(found["bytes"], 300_000_000);
    assert_eq!(found["verdict"], "constant", "holes are no rhythm");
    let ran = place.run(&["period", "x.csv", "--no-chart"]).ok();
    let said = "6 samples without a rate (the first in line 9): filled in on a straight line";
    assert!(ran.out.contains(said), "{ran:?}");
}

#[test]
fn one_of_something_is_not_called_several() {
    let place = Place::new();
    place.write("x.csv", checkpoints() + "0,write,posix,/x,nan,1,5\n");
    let ran = place.run(&["period", "x.csv", "--no-chart"]).ok();
    assert!(ran.out.contains("\n  1 request with a time"), "{ran:?}");
}

#[test]
fn a_rate_that_cannot_work_says_what_would() {
    let place = place();
    let ran = place.run(&["period", "job.csv", "-f", "0.01"]).code(1);
    let said = "-f 0.01 makes 3 samples out of 3 min 47 s, and nothing can be seen to repeat in \
                fewer than 6: take -f 0.0265 or more, or leave it out (without -f: 13.9 ms a sample)";
    assert!(ran.err.contains(said), "{ran:?}");
    place.run(&["period", "job.csv", "-f", "0.0265"]).ok();
    let ftio = ["period", "job.csv", "-f", "0.01", "--method", "ftio"];
    let ran = place.run(&ftio).ok();
    assert!(
        ran.out
            .contains("-f 0.01 makes 2 samples out of 3 min 42 s"),
        "{ran:?}"
    );
    let ran = place.run(&["period", "job.csv", "-f", "1e5"]).code(1);
    assert!(
        ran.err
            .contains("take -f 34400 or less, raise --memory-limit to 1.46"),
        "{ran:?}"
    );
    place
        .run(&[
            "period",
            "irregular.csv",
            "-f",
            "1e5",
            "--start",
            "1",
            "--end",
            "5",
        ])
        .ok();
}

#[test]
fn six_samples_are_the_fewest() {
    let place = place();
    // 227 s: five samples and no more, then a bit of a sixth.
    place.run(&["period", "job.csv", "-f", "0.022"]).code(1);
    let found = period(&place, &["job.csv", "-f", "0.0221"]);
    assert_eq!(found["n_samples"], 6);
    // FTIO leaves out what does not fill a sample: 222 s hold less than six of 0.027 a second.
    let warned = |rate: &str| {
        let found = period(&place, &["job.csv", "-f", rate, "--method", "ftio"]);
        let samples = found["n_samples"].as_u64().unwrap();
        let warned = found["warnings"].to_string().contains("rate-low");
        assert_eq!(warned, samples < 6, "{found}");
        samples
    };
    assert_eq!((warned("0.027"), warned("0.0271")), (5, 6));
}

#[test]
fn the_rate_that_ftio_takes_unasked_is_not_called_a_choice() {
    let place = Place::new();
    let requests = "op,start,end,bytes\nwrite,0,0.1,5\nwrite,0.2,0.25,5\nwrite,0.4,0.44,5\n";
    place.write("x.csv", requests);
    let found = period(&place, &["x.csv", "--method", "ftio"]);
    let said = "10 samples a second, FTIO's default, make 4 out of 440 ms, and nothing can be seen \
                to repeat in fewer than 6: take -f 13.7 or more, or -f -1";
    assert_eq!(found["warnings"][0]["message"], said);
    let found = period(&place, &["x.csv", "--method", "ftio", "-f", "13.7"]);
    assert!(
        !found["warnings"].to_string().contains("rate-low"),
        "{found}"
    );
}

#[test]
fn a_heatmap_has_a_rate_of_its_own_under_ftio() {
    let place = Place::new();
    let log = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../testdata/checkpoint.darshan"
    );
    let heatmap = ["--source", "heatmap", "--method", "ftio"];
    let unasked = period(&place, &[&[log], &heatmap[..]].concat());
    for rate in ["0.001", "1e9"] {
        let found = period(&place, &[&[log], &heatmap[..], &["-f", rate]].concat());
        assert_eq!(found, unasked, "{rate}");
        assert!(
            !found["warnings"].to_string().contains("rate-low"),
            "{found}"
        );
    }
    let limit = ["--memory-limit", "1e-6"];
    let ran = place.run(&[&["period", log], &heatmap[..], &limit].concat());
    let said = "1.5625 samples a second, by the bins of the heatmap, make";
    assert!(ran.code(1).err.contains(said));
}

#[test]
fn a_rate_that_hides_or_pretends_is_told() {
    let place = place();
    let warning = |arguments: &[&str], code: &str| {
        let found = period(&place, arguments);
        let warnings = found["warnings"].as_array().unwrap();
        let found = warnings.iter().find(|warning| warning["code"] == code);
        found.map(|warning| warning["message"].as_str().unwrap().to_owned())
    };
    let low = warning(&["job.csv", "-f", "0.1"], "rate-low").unwrap();
    assert!(
        low.starts_with("-f 0.1 takes a sample every 10 s, which shows nothing faster than 30 s"),
        "{low}"
    );
    let high = warning(&["samples.csv", "-f", "20"], "rate-beyond-source").unwrap();
    assert!(
        high.ends_with("only one every 1 s: more than -f 1 shows nothing new"),
        "{high}"
    );
    for fine in [
        &["job.csv", "-f", "2"][..],
        &["samples.csv"],
        &["samples.csv", "-f", "1"],
    ] {
        assert_eq!(warning(fine, "rate-low"), None, "{fine:?}");
        assert_eq!(warning(fine, "rate-beyond-source"), None, "{fine:?}");
    }
}

#[test]
fn a_selection_without_data_names_what_there_is() {
    let place = place();
    let headline = |arguments: &[&str]| {
        let ran = place.run(&[&["period"], arguments].concat()).ok();
        assert!(
            !ran.out.contains('┤') && !ran.out.contains("warnings"),
            "{ran:?}"
        );
        ran.lines()[1].to_owned()
    };
    assert_eq!(
        headline(&["irregular.csv", "--op", "read"]),
        "  no data moved in what is selected (reads); there is 13.4 MiB written from 3 s to 571.5 s"
    );
    assert_eq!(
        headline(&["job.csv", "--start", "10", "--end", "20"]),
        "  no data moved in what is selected (from 10 s, to 20 s); there is 9.8 KiB read and \
         22.9 MiB written from 0 s to 227 s"
    );
    assert!(headline(&["irregular.csv", "--op", "read", "--method", "ftio"]).contains("13.4 MiB"));
    let found = period(&place, &["irregular.csv", "--op", "read"]);
    assert_eq!(found["warnings"][0]["code"], "nothing-left");
}

#[test]
fn where_nothing_moves_no_chart_is_drawn() {
    let place = Place::new();
    place.write("x.csv", "time,write\n0,0\n1,0\n2,0\n3,0\n");
    let ran = place.run(&["period", "x.csv"]).ok();
    assert_eq!(ran.lines()[1], "  no data moved");
    assert!(!ran.out.contains('┤'), "{ran:?}");
}

#[test]
fn times_since_1970_are_dates_for_people_and_seconds_for_programs() {
    let place = Place::new();
    let mut table = String::from("time,write\n");
    for second in 0..600 {
        let rate = if second % 15 < 3 { 5_000_000 } else { 0 };
        writeln!(table, "{},{rate}", 1_700_000_000 + second).unwrap();
    }
    place.write("x.csv", table);
    let ran = place.run(&["period", "x.csv"]).ok();
    for said in [
        "  next phase   at 2023-11-14T22:23:20Z ± 1 s, had the run gone on\n",
        " from 2023-11-14T22:13:20Z to 2023-11-14T22:23:20Z, 600 samples",
        " s after 2023-11-14T22:13:20Z\n",
    ] {
        assert!(ran.out.contains(said), "{said}: {}", ran.out);
    }
    let widest = ran
        .lines()
        .into_iter()
        .take(13)
        .map(|line| line.chars().count())
        .max();
    assert!(widest <= Some(80), "{}", ran.out);
    let found = period(&place, &["x.csv"]);
    assert_eq!(found["phases"][1]["start_s"], 1_700_000_015);
    let (start, end) = ("2023-11-14T22:15Z", "2023-11-14 22:20:00");
    let part = period(&place, &["x.csv", "--start", start, "--end", end]);
    assert_eq!(
        (&part["start_s"], &part["n_samples"]),
        (&1_700_000_100.into(), &300.into())
    );
    place
        .run(&["period", "x.csv", "--start", "yesterday"])
        .code(2);
    let page = place.run(&["report", "x.csv", "-o", "-"]).ok().out;
    assert!(page.contains("start (UTC)") && page.contains("2023-11-14T22:13:35Z"));
}

#[test]
fn pictures_are_as_wide_as_columns_says() {
    let place = place();
    let widest = |columns: Option<&str>| {
        let mut command = place.command(&["period", "job.csv"]);
        columns.map(|columns| command.env("COLUMNS", columns));
        let out = String::from_utf8(command.output().unwrap().stdout).unwrap();
        let axis = out
            .lines()
            .find(|line| line.contains('┼'))
            .unwrap()
            .to_owned();
        axis.chars().count()
    };
    assert_eq!(widest(None), 80);
    assert_eq!(widest(Some("50")), 50);
    assert_eq!(widest(Some("132")), 132);
    for nonsense in ["", "0", "-5", "wide", "99999999999"] {
        assert_eq!(widest(Some(nonsense)), 80, "{nonsense}");
    }
}

#[test]
fn outputs_that_cannot_be_written_are_refused_before_the_work() {
    let place = place();
    for option in ["-o", "--parquet"] {
        let path = if option == "-o" {
            "no/x.html"
        } else {
            "no/x.parquet"
        };
        for form in [&[][..], &["--json"]] {
            let ran = place
                .run(&[&["period", "job.csv", option, path], form].concat())
                .code(1);
            assert_eq!(
                ran.err,
                format!("iotempo: {path}: the folder no does not exist\n")
            );
            assert_eq!(ran.out, "");
        }
    }
}

#[test]
fn an_answer_is_not_lost_with_its_report() {
    let place = place();
    // A device that takes nothing.
    if !std::path::Path::new("/dev/full").exists() {
        return;
    }
    std::os::unix::fs::symlink("/dev/full", place.path("full.html")).unwrap();
    let ran = place.run(&["period", "job.csv", "-o", "full.html"]).code(1);
    assert!(ran.out.contains("repeats every 20.0"), "{ran:?}");
    assert!(
        ran.err.contains("job.csv: full.html: No space left"),
        "{ran:?}"
    );
    let ran = place
        .run(&["period", "job.csv", "-o", "full.html", "--json"])
        .code(1);
    let json = ran.json();
    assert_eq!(json["results"][0]["periodic"], true);
    assert_eq!(json["errors"].as_array().map(Vec::len), Some(1));
}

#[test]
fn a_single_request_is_a_single_phase() {
    let place = Place::new();
    place.write("x.csv", "op,start,end,bytes\nwrite,0,10,1000\n");
    assert_eq!(period(&place, &["x.csv"])["verdict"], "single-phase");
    let ran = place
        .run(&["report", "x.csv", "-o", "x.html", "--json"])
        .ok();
    assert_eq!(
        ran.json()["results"][0]["parts"][0]["verdict"],
        "single-phase"
    );
    let ftio = ["period", "x.csv", "--method", "ftio", "-o", "x.html"];
    place.run(&ftio).ok();
    assert!(place.read("x.html").contains("all I/O is one phase"));
    place.write("x.csv", "time,write\n0,0\n1,5\n2,0\n3,0\n");
    let part = period(&place, &["x.csv", "--start", "1", "--end", "2"]);
    assert_eq!(
        (&part["n_samples"], &part["verdict"]),
        (&1.into(), &"single-phase".into())
    );
    let even = "op,start,end,bytes\nwrite,0,10,1000\nwrite,10,20,1000\n";
    place.write("x.csv", even);
    assert_eq!(period(&place, &["x.csv"])["verdict"], "single-phase");
    place.write("x.csv", "time,write\n0,5\n1,5\n2,5\n3,5\n4,5\n5,5\n6,5\n");
    assert_eq!(period(&place, &["x.csv"])["verdict"], "constant");
}

#[test]
fn a_generated_burst_is_a_single_phase_in_every_format() {
    let place = Place::new();
    for name in ["s.csv", "s.darshan"] {
        place.run(&["generate", "single", "-o", name]).ok();
        assert_eq!(period(&place, &[name])["verdict"], "single-phase", "{name}");
    }
}

#[test]
fn nothing_is_certain_of_what_is_not_periodic() {
    let place = Place::new();
    place.write("x.csv", irregular());
    let ran = place.run(&["period", "x.csv", "x.csv"]).ok();
    let row = ran.lines()[1]
        .split_whitespace()
        .take(3)
        .collect::<Vec<_>>();
    assert_eq!(row, ["-", "-", "-"], "{ran:?}");
}

#[test]
fn a_threshold_is_no_reason_to_call_phases_irregular() {
    let ran = place()
        .run(&["period", "job.csv", "--threshold", "0.9999", "--no-chart"])
        .ok();
    let headline = ran.lines()[1];
    assert!(
        headline.starts_with("  not sure enough: every 20.0"),
        "{headline}"
    );
    assert!(
        headline.ends_with("where 99.99 % are asked for"),
        "{headline}"
    );
}

#[test]
fn a_report_states_the_threshold_that_was_asked_for() {
    let place = place();
    let asked = ["--threshold", "0.9999", "-o", "job.html"];
    place
        .run(&[&["period", "job.csv"], &asked[..]].concat())
        .ok();
    let page = place.read("job.html");
    assert!(page.contains("where 99.99\u{a0}% are asked for"), "{page}");
}

#[test]
fn modes_of_ftio_are_checked() {
    let place = place();
    for wrong in ["foo", "show", "write_", "sync", "read_write", ""] {
        let ran = place.run(&["period", "job.csv", "-m", wrong]).code(2);
        assert!(
            ran.err.contains("write_sync") && ran.err.contains("read_async"),
            "{ran:?}"
        );
    }
    let bytes = |mode: &str| period(&place, &["job.csv", "-m", mode])["bytes"].clone();
    assert_eq!(bytes("async_write"), Value::from(24_000_000));
    assert_eq!(bytes("r"), Value::from(10_000));
}

#[test]
fn options_that_only_ftio_has_are_named_with_what_to_do() {
    let place = place();
    for (option, hint) in [
        (&["-w", "frequency_hits"][..], "complete"),
        (&["-hi", "3"], "complete"),
        (&["-ce"], "-o report.html"),
        (&["--filter_type", "lowpass"], "-f chooses"),
        (&["-cf", "custom.py"], "--columns"),
        (&["--zmq"], "complete"),
    ] {
        let ran = place
            .run(&[&["period", "job.csv"], option].concat())
            .code(2);
        assert!(ran.out.is_empty() && ran.err.contains(hint), "{ran:?}");
        assert!(ran.err.contains("is FTIO's and not known here"), "{ran:?}");
    }
}
