//! Which samples are looked at.

use super::{PERIOD, close, period, place, samples};
use crate::common::Place;
use serde_json::Value;

#[test]
fn samples_are_taken_as_they_are() {
    let place = place();
    let found = period(&place, &["samples.csv"]);
    assert_eq!(
        (&found["step_s"], &found["n_samples"]),
        (&1.into(), &600.into())
    );
    assert_eq!(
        (&found["start_s"], &found["end_s"]),
        (&0.into(), &600.into())
    );
    // A window that begins inside a sample moves no boundary.
    let found = period(&place, &["samples.csv", "--start", "99.5", "--end", "400"]);
    assert_eq!(
        (&found["start_s"], &found["n_samples"]),
        (&99.into(), &301.into())
    );
    close(&found["period_s"], 15.0, 0.1);
}

#[test]
fn idle_time_that_the_source_watched_is_kept() {
    let place = Place::new();
    let mut table = samples(300);
    for second in 300..600 {
        table += &format!("{second},0,0,0\n");
    }
    place.write("x.csv", table);
    let found = period(&place, &["x.csv"]);
    assert_eq!(
        (&found["n_samples"], &found["end_s"]),
        (&600.into(), &600.into())
    );
}

#[test]
fn a_rate_may_be_chosen() {
    let place = place();
    for rate in ["-f2", "--freq=2", "-f=2"] {
        let found = period(&place, &["job.csv", rate]);
        assert_eq!(found["step_s"], 0.5, "{rate}");
        close(&found["period_s"], PERIOD, 0.2);
    }
    // The shortest time between two events is 1 s: the end of the read to the first write is 4 s,
    // and phases last 2 s.
    let found = period(&place, &["job.csv", "-f", "-1"]);
    assert_eq!(found["step_s"], 0.5);
    for wrong in ["0", "-2", "nan", "fast"] {
        let ran = place.run(&["period", "job.csv", "-f", wrong]).code(2);
        assert!(ran.err.contains("-1 for an automatic rate"), "{ran:?}");
    }
    let ran = place.run(&["period", "job.csv", "-f", "1e300"]).code(2);
    assert!(ran.err.contains("a sample per nanosecond"), "{ran:?}");
}

#[test]
fn memory_has_a_limit() {
    let place = place();
    let ran = place.run(&["period", "job.csv", "-f", "1e9"]).code(1);
    for said in [
        "job.csv: -f 1000000000 makes 227,000,000,000 samples out of 3 min 47 s",
        "--memory-limit 0.5 GB allows 7,812,500: take -f 34400 or less, or choose",
    ] {
        assert!(ran.err.contains(said), "{ran:?}");
    }
    let ran = place
        .run(&["period", "job.csv", "-f", "1e9", "--method", "ftio"])
        .code(1);
    assert!(
        ran.err.contains("--memory-limit 0.5 GB allows 62,500,000"),
        "{ran:?}"
    );
    // 227 samples of 64 bytes.
    let limit = "--memory-limit=0.000014528";
    let found = period(&place, &["job.csv", "-f", "1", limit]);
    assert_eq!(found["n_samples"], 227);
    place
        .run(&["period", "job.csv", "-f", "1.01", limit])
        .code(1);
    let found = period(&place, &["job.csv", "-f", "-1", limit]);
    assert_eq!(found["n_samples"], 227, "an automatic rate is lowered");
    place
        .run(&["period", "job.csv", "--memory-limit", "0"])
        .code(2);
}

#[test]
fn the_first_phase_may_be_skipped() {
    let place = Place::new();
    let mut table = String::from("op,start,end,bytes\nread,0,30,900000000\n");
    for phase in 0..12 {
        let start = 100.0 + 20.0 * f64::from(phase);
        table += &format!("write,{start},{},50000000\n", start + 2.0);
    }
    place.write("x.csv", table);
    let found = period(&place, &["x.csv", "--skip-first"]);
    close(&found["start_s"], 30.0, 0.1);
    close(&found["bytes"], 12.0 * 5e7, 1e5);
    close(&found["period_s"], 20.0, 0.2);
    let found = period(
        &place,
        &["x.csv", "--skip-first", "--method", "ftio", "--op", "both"],
    );
    close(&found["start_s"], 100.0, 0.1);
    place.write("one.csv", "op,start,end,bytes\nread,0,30,900000000\n");
    let found = period(&place, &["one.csv", "--skip-first"]);
    assert_eq!(found["warnings"][0]["code"], "nothing-skipped");
}

#[test]
fn parts_of_the_input_are_selected() {
    let place = place();
    let bytes = |options: &[&str]| period(&place, options)["bytes"].as_f64().unwrap();
    assert_eq!(bytes(&["job.csv", "--op", "read"]), 10_000.0);
    assert_eq!(bytes(&["job.csv", "--ranks", "1"]), 12e6);
    assert_eq!(bytes(&["job.csv", "--files", "out.0$"]), 12e6);
    assert_eq!(bytes(&["job.csv", "--start", "5", "--end", "26"]), 3e6);
    assert_eq!(bytes(&["job.csv", "--api", "stdio"]), 0.0);
    let found = period(&place, &["job.csv", "--start", "1000"]);
    assert_eq!(found["warnings"][0]["code"], "nothing-left");
    assert_eq!(found["n_samples"], 0);
    let ran = place
        .run(&["period", "job.csv", "--start", "5", "--end", "1"])
        .code(2);
    assert!(ran.err.contains("--end 1 lies before --start 5"), "{ran:?}");
}

#[test]
fn bytes_of_a_part_are_the_same_wherever_they_are_stated() {
    let place = place();
    let ftio = |options: &[&str]| {
        let part = ["--method", "ftio", "--start", "5", "--end", "47"];
        place.run(&[&["period"], options, &part].concat()).ok()
    };
    let json = ftio(&["job.csv", "--json"]).json();
    assert_eq!(json["results"][0]["bytes"], 6e6);
    let table = ftio(&["job.csv", "job.csv", "--units", "si"]);
    assert!(table.lines()[1].contains("   6 MB  "), "{table:?}");
    assert!(table.out.contains(" 12 MB moved"), "{table:?}");
    // Between two phases there is nothing, and no sample is taken.
    let none = ["--method", "ftio", "--start", "8", "--end", "20"];
    let found = period(&place, &[&["job.csv"], &none[..]].concat());
    assert_eq!(found["bytes"], 0.0);
}

#[test]
fn evidence_of_a_darshan_log_is_a_choice() {
    let place = Place::new();
    let log = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../testdata/checkpoint.darshan"
    );
    let found = |options: &[&str]| period(&place, &[&[log], options].concat());
    let best = found(&[]);
    assert_eq!(
        (&best["source"], &best["n_samples"]),
        (&"dxt".into(), &16384.into())
    );
    let coarse = found(&["--source", "heatmap"]);
    assert_eq!(coarse["source"], "heatmap");
    close(&coarse["step_s"], 3.2, 1e-9);
    for found in [best, coarse, found(&["--source", "counters"])] {
        assert_eq!(found["periodic"], true);
        // Checkpoints start every 47 s, up to 1.2 s early or late.
        close(&found["period_s"], 47.0, 0.5);
        assert_eq!(found["job"]["ranks"], 64);
    }
}

#[test]
fn tables_of_unknown_columns_are_read_as_the_user_says() {
    let place = Place::new();
    let mut table = String::from("Date,Passengers\n");
    for month in 0..120 {
        let (year, of_year) = (1949 + month / 12, month % 12 + 1);
        let value = 200.0 - 100.0 * f64::cos(f64::from(month) / 12.0 * std::f64::consts::TAU);
        table += &format!("{year}-{of_year:02},{value}\n");
    }
    place.write("x.csv", table);
    let ran = place.run(&["period", "x.csv"]).code(1);
    assert!(ran.err.contains("--columns says"), "{ran:?}");
    let options = ["x.csv", "--columns", "bandwidth=Passengers", "--step", "1"];
    let found = period(&place, &options);
    assert_eq!(
        (&found["n_samples"], &found["step_s"]),
        (&120.into(), &1.into())
    );
    close(&found["period_s"], 12.0, 0.1);
    let found = period(
        &place,
        &["x.csv", "--columns", "time=Date,bandwidth=Passengers"],
    );
    close(&found["period_s"], 365.25 * 86400.0, 5.0 * 86400.0);
    assert_eq!(found["candidate"], Value::Null);
    for wrong in ["0", "-1", "x"] {
        let step = format!("--step={wrong}");
        place
            .run(&[
                "period",
                "x.csv",
                "--columns",
                "bandwidth=Passengers",
                &step,
            ])
            .code(2);
    }
}
