//! Every JSON output is what its schema says.
#![allow(clippy::unwrap_used)]

mod common;
use common::Place;
use common::schema::{check, schema};
use serde_json::Value;

/// Requests, samples, a damaged table and one that cannot be read.
fn place() -> Place {
    let place = Place::with_requests();
    place.write("logs/samples.csv", "time,bandwidth\n0,0.5\n1,2\n");
    let whole = common::gzip(common::REQUESTS.as_bytes());
    place.write("logs/cut.csv.gz", &whole[..whole.len() - 9]);
    place.write("logs/bad.darshan", common::cut_darshan());
    place.write("logs/empty.csv", "start,end,bytes\n");
    place
}

#[test]
fn inspections_are_what_their_schema_says() {
    let schema = schema("inspect");
    for arguments in [
        &["inspect", "requests.csv", "--json"][..],
        &["inspect", "logs", "requests.csv", "--json"],
        &[
            "inspect",
            "requests.csv",
            "--json",
            "--op",
            "read",
            "--ranks",
            "0-3",
            "--files",
            "c",
            "--start",
            "1",
            "--source",
            "dxt",
            "--api",
            "stdio",
            "--columns",
            "bytes=bytes",
        ],
    ] {
        let json = place().run(arguments).json();
        let none: [String; 0] = [];
        assert_eq!(check(&json, &schema, &schema, ""), none);
        assert!(!json["results"].as_array().unwrap().is_empty());
    }
}

#[test]
fn conversions_are_what_their_schema_says() {
    let schema = schema("convert");
    for arguments in [
        &["convert", "requests.csv", "--json", "-o", "out.jsonl"][..],
        &[
            "convert",
            "logs",
            "--json",
            "--out-dir",
            "out",
            "--signal",
            "--rate",
            "1",
        ],
    ] {
        let json = place().run(arguments).json();
        let none: [String; 0] = [];
        assert_eq!(check(&json, &schema, &schema, ""), none);
        assert!(!json["results"].as_array().unwrap().is_empty());
    }
}

#[test]
fn reports_are_what_their_schema_says() {
    let schema = schema("report");
    for arguments in [
        &["report", "requests.csv", "--json", "--op", "write"][..],
        &["report", "logs", "--json", "--out-dir", "out"],
    ] {
        let json = place().run(arguments).json();
        let none: [String; 0] = [];
        assert_eq!(check(&json, &schema, &schema, ""), none);
        assert!(!json["results"].as_array().unwrap().is_empty());
    }
}

#[test]
fn truths_are_what_their_schema_says() {
    let schema = schema("generate");
    for arguments in [
        &["generate", "--json"][..],
        &["generate", "bursts", "--equal", "--json", "-o", "out.csv"],
        &["generate", "noise", "--uniform", "--json", "--samples", "9"],
        &[
            "generate",
            "joining",
            "--json",
            "--count",
            "2",
            "--out-dir",
            "out",
            "--signal",
        ],
    ] {
        let json = place().run(arguments).json();
        let none: [String; 0] = [];
        assert_eq!(check(&json, &schema, &schema, ""), none);
        assert!(!json["results"].as_array().unwrap().is_empty());
    }
}

#[test]
fn periods_are_what_their_schema_says() {
    let schema = schema("period");
    let place = place();
    let mut table = String::from("op,start,end,bytes\n");
    for start in (0..400).step_by(20) {
        table += &format!("w,{start},{},1000\n", start + 2);
    }
    place.write("job.csv", table);
    for arguments in [
        &["period", "job.csv", "--json"][..],
        &[
            "period",
            "job.csv",
            "--json",
            "--threshold",
            "1",
            "-f",
            "-1",
        ],
        &["period", "logs", "requests.csv", "--json"],
        &["period", "job.csv", "--json", "-au", "-n", "3", "-f", "2"],
        &[
            "period", "job.csv", "--json", "--method", "paper", "-o", "dbscan", "-ts", "1",
        ],
        &[
            "period",
            "logs",
            "--json",
            "--method",
            "ftio",
            "--step",
            "2",
            "--skip-first",
        ],
    ] {
        let json = place.run(arguments).json();
        let none: [String; 0] = [];
        assert_eq!(check(&json, &schema, &schema, ""), none, "{arguments:?}");
        assert!(!json["results"].as_array().unwrap().is_empty());
    }
}

#[test]
#[cfg(target_os = "linux")]
fn runs_are_what_their_schema_says() {
    let schema = schema("trace");
    for (options, line, code) in [
        (&[][..], "echo talk >&2; echo 12345 > a; exit 3", 3),
        (
            &["--posix", "--include", "/b$", "--max-size", "1MiB"],
            "echo 1 > a",
            0,
        ),
        (&["-q", "--coalesce", "1ms", "--pipes"], "true", 0),
    ] {
        let words = [&["trace", "--json"], options, &["--", "sh", "-c", line]].concat();
        let ran = place().run(&words).code(code);
        assert_eq!(ran.out, "");
        let json: Value = serde_json::from_str(ran.err.lines().last().unwrap()).unwrap();
        let none: [String; 0] = [];
        assert_eq!(check(&json, &schema, &schema, ""), none, "{line}");
        let result = &json["results"][0];
        assert_eq!(result["exit_code"], code);
        let io = code == 3;
        assert_eq!(result["io"]["bytes_written"].as_f64(), io.then_some(6.0));
    }
}

#[test]
fn predictions_are_what_their_schema_says() {
    let schema = schema("predict");
    // A rhythm that is forecast, comes, and doubles its period.
    let starts = (0..8).map(|i| 10 * i).chain((1..7).map(|i| 70 + 20 * i));
    let place = Place::new();
    let mut seen = Vec::new();
    let mut table = "op,start,end,bytes\n".to_owned();
    for start in starts {
        table += &format!("write,{start},{},4000\n", start + 1);
        place.write("growing.csv", &table);
        let words = [
            "predict",
            "growing.csv",
            "--every",
            "1ms",
            "--until-idle",
            "20ms",
        ];
        let ran = place.run(&words);
        seen.extend(ran.ok().out.lines().map(str::to_owned));
    }
    let none: [String; 0] = [];
    for line in &seen {
        let json: Value = serde_json::from_str(line).unwrap();
        assert_eq!(check(&json, &schema, &schema, ""), none, "{line}");
    }
    for state in ["learning", "periodic", "ended"] {
        let named = format!("\"state\":\"{state}\"");
        assert!(seen.iter().any(|line| line.contains(&named)), "{seen:#?}");
    }
}

#[test]
fn predictions_of_ftio_are_what_their_schema_says() {
    let schema = schema("predict-ftio");
    let rows = (0..8).map(|i| format!("write,{},{},4000\n", 10 * i, 10 * i + 1));
    let table = format!("op,start,end,bytes\n{}", rows.collect::<String>());
    let none: [String; 0] = [];
    let words = ["predict", "-", "--every", "1ms", "--method", "ftio"];
    let ran = Place::new().run_with(&words, table.as_str()).ok();
    let json: Value = serde_json::from_str(ran.lines()[0]).unwrap();
    assert_eq!(check(&json, &schema, &schema, ""), none, "{json:#}");
    let ran = Place::new().run_with(&words, "op,start,end,bytes\n").ok();
    assert_eq!(
        (ran.out.as_str(), ran.err.as_str()),
        ("", "iotempo: -: no request was seen\n")
    );
}

#[test]
fn the_check_finds_what_is_wrong() {
    let schema = schema("inspect");
    let mut json = place().run(&["inspect", "requests.csv", "--json"]).json();
    json["results"][0]["requests"] = "3".into();
    json["results"][0]["source"] = "hearsay".into();
    json["results"][0]["sha256"] = "0".into();
    json["tool"]["name"] = "other".into();
    json["errors"] = serde_json::json!([{ "input": "x" }]);
    json["more"] = 1.into();
    json.as_object_mut().unwrap().remove("schema");
    assert_eq!(check(&json, &schema, &schema, "").len(), 8);
}
