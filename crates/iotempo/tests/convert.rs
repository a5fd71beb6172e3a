//! `iotempo convert`: CSV and JSON lines, selections, signals, and where outputs go.
#![allow(clippy::unwrap_used)]

mod common;
use common::{Place, REQUESTS};
use std::io::Read;
use std::process::{Command, Stdio};

const CSV: &str = "rank,op,api,file,start_s,end_s,bytes\n\
                   0,write,posix,/a,0,1,600\n\
                   1,write,posix,/b,1,2.5,400\n\
                   0,read,stdio,/c,3,3,50\n";

#[test]
fn requests_become_csv_on_standard_output() {
    let place = Place::with_requests();
    let ran = place.run(&["convert", "requests.csv"]).ok();
    assert_eq!((ran.out.as_str(), ran.err.as_str()), (CSV, ""));
    assert_eq!(
        place.run(&["convert", "requests.csv", "-o", "-"]).ok().out,
        CSV
    );
}

#[test]
fn requests_become_json_lines() {
    let place = Place::new();
    place.write("samples.csv", "time,write\n0,0.1\n0.25,1\n");
    let ran = place.run(&["convert", "samples.csv", "--to", "jsonl"]).ok();
    assert_eq!(
        ran.lines(),
        [
            r#"{"rank":-1,"op":"write","api":"unknown","file":null,"start_s":0,"end_s":0.25,"bytes":0.025}"#,
            r#"{"rank":-1,"op":"write","api":"unknown","file":null,"start_s":0.25,"end_s":0.5,"bytes":0.25}"#,
        ]
    );
}

#[test]
fn what_was_converted_reads_back_the_same() {
    let place = Place::new();
    let odd = "rank,op,api,file,start_s,end_s,bytes\n\
               3,read,mpiio,\"a,\"\"b\"\"\nc\",0.1,0.30000000000000004,9007199254740991\n\
               3,read,mpiio,\"# no comment\",1e-7,1.5e300,0.5\n\
               3,read,mpiio,\" spaced \",-2,-1,1\n\
               -1,write,unknown,,0,0,1\n";
    place.write("odd.csv", odd);
    let csv = place.run(&["convert", "odd.csv"]).ok();
    assert_eq!(csv.out, odd);
    place.run(&["convert", "odd.csv", "-o", "odd.jsonl"]).ok();
    assert_eq!(place.run(&["convert", "odd.jsonl"]).ok().out, odd);
}

#[test]
fn a_selection_keeps_its_part() {
    let place = Place::with_requests();
    for (arguments, expected) in [
        (&["--op", "read"][..], "0,read,stdio,/c,3,3,50\n"),
        (&["--ranks", "1-5"], "1,write,posix,/b,1,2.5,400\n"),
        (
            &["--files", "^/[ab]$", "--end", "0.5"],
            "0,write,posix,/a,0,0.5,300\n",
        ),
        (
            &["--start", "2", "--op", "write"],
            "1,write,posix,/b,2,2.5,133.33333333333331\n",
        ),
        (&["--api", "stdio"], "0,read,stdio,/c,3,3,50\n"),
    ] {
        let mut all = vec!["convert", "requests.csv"];
        all.extend(arguments);
        let ran = place.run(&all).ok();
        let rows = ran.out.split_once('\n').unwrap().1;
        assert_eq!(rows, expected, "{arguments:?}");
    }
}

#[test]
fn a_selection_that_keeps_nothing_is_said() {
    let place = Place::with_requests();
    let ran = place.run(&["convert", "requests.csv", "--ranks", "7"]).ok();
    assert_eq!(ran.out.lines().count(), 1, "a heading and no rows");
    assert!(
        ran.err
            .contains("nothing is left of its 3 requests [nothing-left]"),
        "{ran:?}"
    );
}

#[test]
fn a_signal_has_a_row_per_step_and_loses_no_byte() {
    let place = Place::with_requests();
    let ran = place
        .run(&["convert", "requests.csv", "--signal", "--rate", "2"])
        .ok();
    assert_eq!(
        ran.lines(),
        [
            "time_s,read_bytes_per_s,write_bytes_per_s",
            "0,0,600",
            "0.5,0,600",
            "1,0,266.6666666666667",
            "1.5,0,266.6666666666667",
            "2,0,266.6666666666667",
            "2.5,0,0",
            "3,100,0",
        ]
    );
    // A signal is a table of samples, which can be read.
    place.write("signal.csv", &ran.out);
    let json = place.run(&["inspect", "signal.csv", "--json"]).ok().json();
    let result = &json["results"][0];
    assert_eq!(
        (&result["bytes_read"], &result["format"]),
        (&50.into(), &"table of samples".into())
    );
    assert!((result["bytes_written"].as_f64().unwrap() - 1000.0).abs() < 1e-9);
}

#[test]
fn a_signal_of_too_many_samples_is_refused() {
    let place = Place::new();
    place.write("long.csv", "start,end,bytes,op\n0,1,1,w\n1e12,1e12,1,w\n");
    let ran = place
        .run(&["convert", "long.csv", "--signal", "--rate", "1000"])
        .code(1);
    assert!(
        ran.err.contains("long.csv") && ran.err.contains("samples"),
        "{ran:?}"
    );
    assert_eq!(ran.out, "");
}

#[test]
fn several_inputs_become_one_table_with_their_names() {
    let place = Place::with_requests();
    place.write("more/x,y.csv", "op,start,end,bytes\nw,0,1,8\n");
    let ran = place.run(&["convert", "requests.csv", "more"]).ok();
    let lines = ran.lines();
    assert_eq!(lines[0], "input,rank,op,api,file,start_s,end_s,bytes");
    assert_eq!(lines[1], "requests.csv,0,write,posix,/a,0,1,600");
    assert_eq!(lines[4], "\"more/x,y.csv\",-1,write,unknown,,0,1,8");
    // Even where a folder holds only one: the columns depend on the question, not on the answer.
    let ran = place.run(&["convert", "more", "--to", "jsonl"]).ok();
    assert!(
        ran.out
            .starts_with("{\"input\":\"more/x,y.csv\",\"rank\":-1,"),
        "{ran:?}"
    );
}

#[test]
fn the_rest_is_converted_where_one_input_fails() {
    let place = Place::with_requests();
    place.write("bad.csv", "start,end,bytes\n0,1,x\n");
    let ran = place
        .run(&["convert", "bad.csv", "requests.csv", "-o", "all.csv"])
        .code(1);
    assert_eq!(place.read("all.csv").lines().count(), 4);
    assert!(
        ran.err
            .ends_with("iotempo: 1 of 2 inputs could not be read\n"),
        "{ran:?}"
    );
}

#[test]
fn a_failure_leaves_an_old_target_as_it_was() {
    let place = Place::new();
    place.write("bad.csv", "start,end,bytes\n0,1,x\n");
    place.write("old.csv", "precious\n");
    place.run(&["convert", "bad.csv", "-o", "old.csv"]).code(1);
    place.run(&["convert", "gone.csv", "-o", "old.csv"]).code(1);
    assert_eq!(place.read("old.csv"), "precious\n");
    assert_eq!(place.files(), ["bad.csv", "old.csv"]);
}

#[test]
fn a_target_is_replaced_and_has_the_permissions_of_a_new_file() {
    let place = Place::with_requests();
    place.write("out.csv", "old\n");
    place
        .run(&["convert", "requests.csv", "-o", "out.csv"])
        .ok();
    assert_eq!(place.read("out.csv"), CSV);
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        place.write("new", "");
        let mode = |name| std::fs::metadata(place.path(name)).unwrap().mode();
        assert_eq!(mode("out.csv"), mode("new"));
    }
}

#[cfg(unix)]
#[test]
fn a_link_keeps_pointing_to_what_is_replaced() {
    let place = Place::with_requests();
    place.write("real.csv", "old\n");
    std::os::unix::fs::symlink("real.csv", place.path("link.csv")).unwrap();
    place
        .run(&["convert", "requests.csv", "-o", "link.csv"])
        .ok();
    assert!(place.path("link.csv").is_symlink());
    assert_eq!(place.read("real.csv"), CSV);
}

#[cfg(target_os = "linux")]
#[test]
fn a_device_is_written_and_not_replaced() {
    let place = Place::with_requests();
    place
        .run(&["convert", "requests.csv", "-o", "/dev/null", "--to", "csv"])
        .ok();
    assert!(!std::fs::metadata("/dev/null").unwrap().is_file());
    let ran = place
        .run(&["convert", "requests.csv", "-o", "/dev/full", "--to", "csv"])
        .code(1);
    assert!(ran.err.starts_with("iotempo: /dev/full: "), "{ran:?}");
}

#[test]
fn outputs_that_cannot_be_are_mistakes() {
    let place = Place::with_requests();
    for arguments in [
        &["-o", "out.xyz"][..],
        &["-o", "out"],
        &["--json"],
        &["--signal"],
        &["--rate", "2"],
        &["--signal", "--rate", "0"],
        &["-o", "a.csv", "--out-dir", "b"],
        &["--to", "xlsx"],
    ] {
        let mut all = vec!["convert", "requests.csv"];
        all.extend(arguments);
        place.run(&all).code(2);
    }
    place.write("folder/x", "");
    let ran = place
        .run(&["convert", "requests.csv", "-o", "folder"])
        .code(2);
    let expected = "error: folder: it is a folder: use --out-dir\n\nFor more";
    assert!(ran.err.starts_with(expected), "{ran:?}");
    let ran = place
        .run(&["convert", "requests.csv", "--out-dir", "folder/x"])
        .code(2);
    assert!(
        ran.err.starts_with("error: folder/x: it is a file"),
        "{ran:?}"
    );
    let ran = place
        .run(&["convert", "requests.csv", "-o", "gone/out.csv"])
        .code(1);
    assert_eq!(
        ran.err,
        "iotempo: gone/out.csv: the folder gone does not exist\n"
    );
    assert_eq!(place.files(), ["folder/x", "requests.csv"]);
}

#[test]
fn every_input_may_have_an_output_of_its_own() {
    let place = Place::new();
    place.write("logs/a/x.csv", REQUESTS);
    place.write("logs/b/x.csv", REQUESTS);
    place.write("logs/b/bad.darshan", common::cut_darshan());
    let ran = place
        .run(&[
            "convert",
            "logs",
            "--out-dir",
            "out",
            "--to",
            "jsonl",
            "--json",
        ])
        .code(1);
    assert_eq!(
        place.files()[3..],
        ["out/a/x.csv.jsonl", "out/b/x.csv.jsonl"]
    );
    let json = ran.json();
    assert_eq!(json["results"][1]["output"], "out/b/x.csv.jsonl");
    assert_eq!(json["results"][1]["rows"], 3);
    assert_eq!(json["errors"][0]["input"], "logs/b/bad.darshan");
}

#[test]
fn two_inputs_are_never_written_to_one_output() {
    let place = Place::new();
    place.write("a/x.csv", REQUESTS);
    place.write("b/x.csv", "op,start,end,bytes\nw,0,1,8\n");
    let ran = place
        .run(&["convert", "a/x.csv", "b/x.csv", "--out-dir", "out"])
        .code(1);
    assert_eq!(place.read("out/x.csv.csv"), CSV);
    assert!(
        ran.err
            .contains("b/x.csv: its output out/x.csv.csv is that of a/x.csv already"),
        "{ran:?}"
    );
    assert!(
        ran.err.contains("1 of 2 inputs were not written")
            && !ran.err.contains("could not be read"),
        "{ran:?}"
    );
}

#[test]
fn an_output_among_the_inputs_is_no_input() {
    let place = Place::new();
    place.write("logs/a.csv", REQUESTS);
    place.write("logs/z/b.csv", REQUESTS);
    for _ in 0..2 {
        place.run(&["convert", "logs", "-o", "logs/z/all.csv"]).ok();
        assert_eq!(place.read("logs/z/all.csv").lines().count(), 7);
    }
    std::fs::remove_file(place.path("logs/z/all.csv")).unwrap();
    for _ in 0..2 {
        place
            .run(&["convert", "logs", "--out-dir", "logs/out"])
            .ok();
        let made = ["logs/out/a.csv.csv", "logs/out/z/b.csv.csv"];
        assert_eq!(place.files()[1..3], made);
    }
}

#[test]
fn who_has_read_enough_may_leave() {
    let place = Place::new();
    let rows = "0,write,posix,/a,0,1,600\n".repeat(200_000);
    place.write("big.csv", format!("{REQUESTS}{rows}"));
    let mut child = Command::new(assert_cmd::cargo::cargo_bin("iotempo"))
        .args(["convert", "big.csv"])
        .current_dir(place.path("."))
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut begin = [0; 100];
    child.stdout.take().unwrap().read_exact(&mut begin).unwrap();
    let mut said = String::new();
    child
        .stderr
        .take()
        .unwrap()
        .read_to_string(&mut said)
        .unwrap();
    assert!(child.wait().unwrap().success());
    assert_eq!(said, "");
}

#[test]
fn a_damaged_input_is_kept_with_a_warning() {
    let place = Place::new();
    let rows = "0,write,posix,/a,0,1,600\n".repeat(1000);
    let whole = common::gzip(format!("{REQUESTS}{rows}").as_bytes());
    place.write("cut.csv.gz", &whole[..whole.len() - 12]);
    let ran = place
        .run(&["convert", "cut.csv.gz", "-o", "out.csv", "--json"])
        .ok();
    let json = ran.json();
    let result = &json["results"][0];
    assert_eq!(result["damaged"], true);
    assert!(result["rows"].as_u64().unwrap() > 500, "{ran:?}");
    assert!(
        ran.err
            .contains("warning: the rest could not be read: line "),
        "{ran:?}"
    );
}

#[cfg(unix)]
#[test]
fn an_output_that_replaces_a_file_keeps_its_permissions() {
    use std::os::unix::fs::PermissionsExt;
    let place = Place::with_requests();
    place.write("out.csv", "old");
    let mode = |mode| std::fs::Permissions::from_mode(mode);
    std::fs::set_permissions(place.path("out.csv"), mode(0o600)).unwrap();
    place
        .run(&["convert", "requests.csv", "-o", "out.csv"])
        .ok();
    let about = std::fs::metadata(place.path("out.csv")).unwrap();
    assert_eq!(about.permissions().mode() & 0o777, 0o600);
    assert!(place.read("out.csv").starts_with("rank,"));
}
