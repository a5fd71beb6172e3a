//! Inputs: files, folders, globs, manifests, standard input; and what fails.
#![allow(clippy::unwrap_used)]

mod common;
use common::{Place, REQUESTS, Ran, gzip};

/// The inputs that `inspect --json` read, in order.
fn inputs(ran: &Ran) -> Vec<String> {
    let json = ran.json();
    let results = json["results"].as_array().unwrap();
    let name = |result: &serde_json::Value| result["input"].as_str().unwrap().to_owned();
    results.iter().map(name).collect()
}

#[test]
fn standard_input_is_an_input() {
    let place = Place::new();
    let ran = place.run_with(&["inspect", "-", "--json"], REQUESTS).ok();
    assert_eq!(inputs(&ran), ["-"]);
    assert_eq!(ran.json()["results"][0]["bytes_written"], 1000);
    let ran = place
        .run_with(&["inspect", "-"], gzip(REQUESTS.as_bytes()))
        .ok();
    assert!(ran.out.contains("table of requests"), "{ran:?}");
}

#[test]
fn a_folder_is_read_in_order_and_what_is_no_log_is_skipped() {
    let place = Place::new();
    for name in ["logs/b.csv", "logs/a/z.csv", "logs/c.csv"] {
        place.write(name, REQUESTS);
    }
    place.write("logs/README", "nothing to see here\n");
    place.write("logs/empty", "");
    let ran = place.run(&["inspect", "logs", "--json"]).ok();
    assert_eq!(inputs(&ran), ["logs/a/z.csv", "logs/b.csv", "logs/c.csv"]);
    assert_eq!(
        ran.err,
        "iotempo: skipped 2 files of no format that iotempo reads (-v: which)\n"
    );
    let ran = place.run(&["inspect", "logs", "-v"]).ok();
    assert!(ran.err.contains("logs/README: skipped"), "{ran:?}");
    assert_eq!(place.run(&["inspect", "logs", "-q"]).ok().err, "");
}

#[test]
fn the_order_does_not_depend_on_the_number_of_threads() {
    let place = Place::new();
    for number in 0..200 {
        // The first are the largest, so that they are ready last.
        let rows = "0,write,posix,/a,0,1,600\n".repeat(2000 / (number + 1));
        place.write(
            &format!("logs/{number:03}.csv"),
            format!("{REQUESTS}{rows}"),
        );
    }
    let one = place
        .run(&["inspect", "logs", "--json", "--threads", "1"])
        .ok();
    let many = place
        .run(&["inspect", "logs", "--json", "--threads", "7"])
        .ok();
    assert_eq!(inputs(&one).len(), 200);
    assert_eq!(one.out, many.out);
}

#[cfg(unix)]
#[test]
fn links_in_circles_come_to_an_end() {
    let place = Place::new();
    place.write("logs/a/x.csv", REQUESTS);
    std::os::unix::fs::symlink("../..", place.path("logs/a/up")).unwrap();
    std::os::unix::fs::symlink("x.csv", place.path("logs/a/y.csv")).unwrap();
    std::os::unix::fs::symlink("nowhere", place.path("logs/a/z.csv")).unwrap();
    let ran = place.run(&["inspect", "logs", "--json"]).code(1);
    let read = inputs(&ran);
    assert_eq!(read, ["logs/a/x.csv", "logs/a/y.csv"]);
    assert!(ran.err.contains("logs/a/z.csv: No such file"), "{ran:?}");
}

#[test]
fn a_glob_that_the_shell_left_alone_is_expanded() {
    let place = Place::new();
    for name in ["b1.csv", "a1.csv", "c.txt"] {
        place.write(name, REQUESTS);
    }
    let ran = place.run(&["inspect", "*1.csv", "--json"]).ok();
    assert_eq!(inputs(&ran), ["a1.csv", "b1.csv"]);
    let ran = place.run(&["inspect", "*.log"]).code(1);
    assert_eq!(ran.err, "iotempo: *.log: no file matches\n");
    place.write("[x].csv", REQUESTS);
    let ran = place.run(&["inspect", "[x].csv", "--json"]).ok();
    assert_eq!(inputs(&ran), ["[x].csv"]);
}

#[test]
fn a_manifest_names_inputs() {
    let place = Place::with_requests();
    place.write("with space.csv", REQUESTS);
    place.write(
        "list.txt",
        " # mine\n\n  requests.csv\t\r\nwith space.csv \n",
    );
    let ran = place.run(&["inspect", "--from", "list.txt", "--json"]).ok();
    assert_eq!(inputs(&ran), ["requests.csv", "with space.csv"]);
    let ran = place
        .run_with(&["inspect", "--from", "-", "--json"], "requests.csv\n")
        .ok();
    assert_eq!(inputs(&ran), ["requests.csv"]);
    let ran = place.run(&["inspect", "--from", "none.txt"]).code(1);
    assert!(
        ran.err.starts_with("iotempo: none.txt: No such file"),
        "{ran:?}"
    );
    let ran = place.run(&["inspect", "-", "--from", "-"]).code(2);
    assert!(ran.err.contains("only once"), "{ran:?}");
}

#[test]
fn one_bad_file_among_good_ones_does_not_stop_the_rest() {
    let place = Place::with_requests();
    place.write("bad.csv", "start,end,bytes\n0,1,x\n");
    let ran = place
        .run(&["inspect", "bad.csv", "requests.csv", "gone.csv", "--json"])
        .code(1);
    assert_eq!(inputs(&ran), ["requests.csv"]);
    let errors = &ran.json()["errors"];
    assert_eq!(errors[0]["input"], "bad.csv");
    assert_eq!(errors[0]["offset"], 2);
    assert_eq!(
        errors[0]["message"],
        "column bytes, line 2: not a number (1 of the first 1 rows cannot be read): x"
    );
    assert_eq!(errors[1]["input"], "gone.csv");
    let said: Vec<_> = ran.err.lines().collect();
    assert_eq!(
        said[0],
        "iotempo: bad.csv: column bytes, line 2: not a number \
         (1 of the first 1 rows cannot be read): x"
    );
    assert_eq!(said[2], "iotempo: 2 of 3 inputs could not be read");
}

#[test]
fn a_named_file_must_be_readable() {
    let place = Place::new();
    place.write("notes.txt", "dear diary\n");
    place.write("empty", "");
    let ran = place.run(&["inspect", "notes.txt"]).code(1);
    assert!(
        ran.err
            .starts_with("iotempo: notes.txt: byte 0: not a format that iotempo reads"),
        "{ran:?}"
    );
    assert_eq!(ran.err.lines().count(), 1);
    let ran = place.run(&["inspect", "empty"]).code(1);
    assert_eq!(ran.err, "iotempo: empty: the input is empty\n");
    place.write("folder/notes.txt", "dear diary\n");
    let ran = place.run(&["inspect", "folder"]).code(1);
    assert_eq!(
        ran.err,
        "iotempo: nothing to read: 1 file, and no log among them\n"
    );
}

#[test]
fn mistakes_on_the_command_line_have_their_own_code() {
    let place = Place::with_requests();
    for arguments in [
        &["inspect"][..],
        &["inspect", "requests.csv", "--op", "both ways"],
        &["inspect", "requests.csv", "--ranks", "3-1"],
        &["inspect", "requests.csv", "--files", "("],
        &["inspect", "requests.csv", "--start", "nan"],
        &["inspect", "requests.csv", "--start", "2", "--end", "1"],
        &["inspect", "requests.csv", "--columns", "start"],
        &["inspect", "requests.csv", "--threads", "0"],
        &["analyse", "requests.csv"],
    ] {
        let ran = place.run(arguments).code(2);
        assert!(ran.out.is_empty() && !ran.err.is_empty(), "{ran:?}");
    }
    place.run(&["--help"]).ok();
    let ran = place.run(&["--version"]).ok();
    let version = concat!("iotempo ", env!("CARGO_PKG_VERSION"));
    let rest = ran.out.trim_end().strip_prefix(version).unwrap();
    assert!(
        rest.is_empty() || rest.len() == " (1234567)".len(),
        "{ran:?}"
    );
}

#[test]
fn columns_of_other_names_can_be_named() {
    let place = Place::new();
    place.write("odd.csv", "from,to,len\n0,1000,8\n");
    place.run(&["inspect", "odd.csv"]).code(1);
    let columns = "start_ms=from,end_ms=to,bytes_kib=len";
    let ran = place
        .run(&["inspect", "odd.csv", "--json", "--columns", columns])
        .ok();
    let result = &ran.json()["results"][0];
    assert_eq!(result["end_s"], 1);
    assert_eq!(result["bytes_written"], 8192);
    let ran = place
        .run(&["inspect", "odd.csv", "--columns", "start=when"])
        .code(1);
    assert!(
        ran.err
            .contains("has no such column, but from, to, len: when"),
        "{ran:?}"
    );
}

#[test]
fn completions_are_printed_for_a_shell() {
    let ran = Place::new().run(&["completions", "bash"]).ok();
    assert!(
        ran.out.contains("iotempo") && ran.out.contains("convert"),
        "{ran:?}"
    );
}

#[test]
fn what_only_looked_like_a_log_is_skipped_in_a_folder_and_an_error_where_named() {
    let foreign = [
        ("x.ini", "[section]\na = 1\n"),
        ("conf.json", "{\"a\": 1}\n"),
        ("list.json", "[1, 2]\n"),
        (
            "events.pfw",
            "[\n{\"id\":1,\"name\":\"open\",\"ph\":\"X\"}\n",
        ),
        ("other.csv", "time,value\nmonday,high\n"),
    ];
    let place = Place::new();
    place.write("logs/requests.csv", REQUESTS);
    for (name, text) in foreign {
        place.write(&format!("logs/{name}"), text);
        let ran = place.run(&["inspect", &format!("logs/{name}")]).code(1);
        assert_eq!(ran.err.lines().count(), 1, "{ran:?}");
    }
    let files: Vec<_> = foreign.map(|(name, text)| (name, text.as_bytes())).into();
    place.write("logs.tar", common::tar(&files));
    for arguments in [
        &["inspect", "logs", "logs.tar"][..],
        &["convert", "logs", "logs.tar", "-o", "out.csv"],
        &["convert", "logs", "logs.tar", "--out-dir", "out"],
    ] {
        let ran = place.run(arguments).ok();
        assert!(ran.err.contains("skipped 10 files"), "{ran:?}");
        let ran = place.run(&[arguments, &["-v"]].concat()).ok();
        for (name, _) in foreign {
            assert!(
                ran.err.contains(&format!("logs/{name}: skipped: ")),
                "{ran:?}"
            );
        }
    }
    assert_eq!(place.read("out.csv").lines().count(), 4);
}

#[test]
fn a_damaged_log_in_a_folder_is_an_error() {
    let place = Place::new();
    place.write("logs/requests.csv", REQUESTS);
    place.write("logs/cut.darshan", common::cut_darshan());
    for verb in ["inspect", "convert"] {
        let ran = place.run(&[verb, "logs"]).code(1);
        assert!(ran.err.contains("logs/cut.darshan: "), "{ran:?}");
    }
}

#[test]
fn what_is_named_like_a_log_and_is_none_is_an_error_in_a_folder_too() {
    let place = Place::new();
    place.write("logs/requests.csv", REQUESTS);
    let damaged: [(&str, &[u8]); 6] = [
        ("cut.darshan", &common::DARSHAN[..10]),
        ("cut.msgpack", b"\x85\xa9time_"),
        ("empty.csv", b""),
        ("empty.darshan", b""),
        ("zeros.json", &[0; 64]),
        ("zeros.jsonl", &[0; 64]),
    ];
    for (name, bytes) in damaged {
        place.write(&format!("logs/{name}"), bytes);
    }
    place.write("logs/notes.txt", "nothing to see here\n");
    place.write("logs/app.jsonl", "{\"level\": \"info\"}\n");
    let ran = place.run(&["inspect", "logs", "--json"]).code(1);
    assert_eq!(inputs(&ran), ["logs/requests.csv"]);
    let json = ran.json();
    let errors = json["errors"].as_array().unwrap().iter();
    let errors: Vec<_> = errors
        .map(|error| error["input"].as_str().unwrap())
        .collect();
    assert_eq!(errors, damaged.map(|(name, _)| format!("logs/{name}")));
    assert!(
        ran.err.contains("6 of 7 inputs could not be read"),
        "{ran:?}"
    );
    assert!(ran.err.contains("skipped 2 files of no format"), "{ran:?}");
}

#[test]
fn a_log_of_which_nothing_is_left_could_not_be_read() {
    let place = Place::new();
    // Its job and its names survive, none of its modules does.
    place.write("cut.darshan", &common::DARSHAN[..1812]);
    let ran = place.run(&["inspect", "cut.darshan", "--json"]).code(1);
    let json = ran.json();
    assert_eq!(json["results"].as_array().unwrap().len(), 0);
    let message = json["errors"][0]["message"].as_str().unwrap();
    assert!(
        message.starts_with("nothing in it could be read: "),
        "{ran:?}"
    );
    let ran = place
        .run(&["convert", "cut.darshan", "-o", "out.csv"])
        .code(1);
    assert!(
        ran.err.contains("no request of it could be read: "),
        "{ran:?}"
    );
    assert_eq!(place.files(), ["cut.darshan"]);
}

#[test]
fn an_empty_folder_is_named_whatever_else_there_is() {
    let place = Place::with_requests();
    std::fs::create_dir_all(place.path("none/at/all")).unwrap();
    let said = "iotempo: none: a folder without a file to read\n";
    assert_eq!(place.run(&["inspect", "none"]).code(1).err, said);
    let ran = place
        .run(&["inspect", "none", "requests.csv", "--json"])
        .code(1);
    assert!(ran.err.starts_with(said), "{ran:?}");
    assert_eq!(inputs(&ran), ["requests.csv"]);
    assert_eq!(ran.json()["errors"][0]["input"], "none");
}

#[test]
fn help_shows_examples_and_all_verbs() {
    let place = Place::new();
    assert!(place.run(&["--help"]).ok().out.contains("\n  completions "));
    for verb in ["inspect", "convert"] {
        let help = place.run(&[verb, "--help"]).ok().out;
        let examples = help.split_once("Examples:\n").unwrap().1;
        assert_eq!(examples.matches(&format!("  iotempo {verb} ")).count(), 3);
    }
}
