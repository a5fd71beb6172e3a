//! `iotempo report`: pages appear where they should, whole, and hold what is known.
#![allow(clippy::unwrap_used, clippy::print_stderr)]

mod common;
use common::{DARSHAN, Place, REQUESTS};
use serde_json::Value;
use std::path::{Path, PathBuf};

/// Twelve checkpoints, one every 20 s.
fn checkpoints() -> String {
    let rows = (0..12).map(|i| format!("0,write,/dump,{},{},1000000\n", 20 * i, 20 * i + 3));
    format!("rank,op,file,start,end,bytes\n{}", rows.collect::<String>())
}

/// The JSON that pictures are drawn from.
fn data(html: &str) -> Value {
    let start = html.split("id=\"data\">").nth(1).unwrap();
    serde_json::from_str(start.split("</script>").next().unwrap()).unwrap()
}

fn is_whole(html: &str) -> bool {
    html.starts_with("<!doctype html>") && html.ends_with("</html>")
}

#[test]
fn a_page_is_called_after_its_input_and_its_name_is_printed() {
    let place = Place::new();
    place.write("logs/job.2024.csv", checkpoints());
    let ran = place.run(&["report", "logs/job.2024.csv"]).ok();
    assert_eq!(
        (ran.out.as_str(), ran.err.as_str()),
        ("job.2024.html\n", "")
    );
    let html = place.read("job.2024.html");
    assert!(is_whole(&html));
    assert!(html.contains("<h1>job.2024.csv</h1>"));
    assert_eq!(place.files(), ["job.2024.html", "logs/job.2024.csv"]);
    // Our own pages are replaced.
    place.run(&["report", "logs/job.2024.csv"]).ok();
}

#[test]
fn a_page_holds_what_inspect_prints_and_what_period_finds() {
    let place = Place::new();
    place.write("run.csv", checkpoints());
    place.run(&["report", "run.csv", "-o", "page.html"]).ok();
    let html = place.read("page.html");
    let found = place.run(&["period", "run.csv", "--json"]).ok().json();
    let found = &found["results"][0];
    assert_eq!(found["periodic"], true, "{found}");
    let part = &data(&html)["parts"][0];
    let period = part["period"].as_f64().unwrap();
    assert!((period - found["period_s"].as_f64().unwrap()).abs() < 1e-6);
    assert_eq!(part["phases"].as_array().unwrap().len(), 12);
    let text = html.replace('\u{a0}', " ");
    for said in [
        "I/O repeats every ",
        "table of requests",
        found["sha256"].as_str().unwrap(),
        "<dt>written</dt><dd>11.4 MiB</dd>",
        "<td>requests</td>",
        "<dt>api</dt><dd>auto</dd>",
        "requests cannot show what the tracer did not intercept",
    ] {
        assert!(text.contains(said), "{said}");
    }
    for picture in [
        "bandwidth",
        "scalogram",
        "spacing",
        "spectrum",
        "autocorrelation",
    ] {
        assert!(
            html.contains(&format!("data-picture=\"{picture}\"")),
            "{picture}"
        );
    }
}

#[test]
fn each_part_is_what_period_finds_in_that_direction() {
    let place = Place::new();
    let reads = (0..40).map(|i| format!("1,read,/in,{},{},70000\n", 5 + 7 * i, 6 + 7 * i));
    place.write("run.csv", checkpoints() + &reads.collect::<String>());
    place.run(&["report", "run.csv"]).ok();
    let parts = &data(&place.read("run.html"))["parts"];
    for (index, op) in ["both", "read", "write"].iter().enumerate() {
        let found = place.run(&["period", "run.csv", "--op", op, "--json"]).ok();
        let found = &found.json()["results"][0];
        let (period, expected) = (&parts[index]["period"], &found["period_s"]);
        let close = |period: f64, expected: f64| (period / expected - 1.0).abs() < 1e-9;
        let same = match (period.as_f64(), expected.as_f64()) {
            (Some(period), Some(expected)) => close(period, expected),
            (period, expected) => period.is_none() && expected.is_none(),
        };
        assert!(same, "{op}: {period} and {expected}");
        assert_eq!(parts[index]["signal"]["step"], found["step_s"], "{op}");
    }
}

#[test]
fn directions_are_shown_together_and_one_by_one() {
    let place = Place::with_requests();
    place.run(&["report", "requests.csv"]).ok();
    let html = place.read("requests.html");
    for name in ["read and write", "read", "write"] {
        assert!(html.contains(&format!("\">{name}</h2>")), "{name}");
    }
    place.run(&["report", "requests.csv", "--op", "write"]).ok();
    let html = place.read("requests.html");
    assert_eq!(data(&html)["parts"].as_array().unwrap().len(), 1);
    assert!(html.contains("<dt>op</dt><dd>write</dd>"));
    place
        .run(&["report", "requests.csv", "--start", "100"])
        .ok();
    let html = place.read("requests.html");
    assert!(html.contains("No data moved.") && html.contains("nothing-left"));
}

#[test]
fn several_inputs_have_a_page_each() {
    let place = Place::with_requests();
    place.write("logs/a/x.csv", checkpoints());
    place.write("logs/b/x.csv", REQUESTS);
    let ran = place.run(&["report", "logs", "--out-dir", "pages"]).ok();
    assert_eq!(ran.out, "pages/a/x.csv.html\npages/b/x.csv.html\n");
    // Here, both would be x.html.
    let ran = place.run(&["report", "logs"]).code(1);
    assert_eq!(ran.out, "x.html\n");
    assert!(
        ran.err
            .contains("logs/b/x.csv: its page x.html is that of logs/a/x.csv already")
    );
    let ran = place.run(&["report", "logs", "-o", "one.html"]).code(2);
    assert!(ran.err.contains("--out-dir"), "{ran:?}");
    let tar = common::tar(&[
        ("a.csv", REQUESTS.as_bytes()),
        ("b.csv", REQUESTS.as_bytes()),
    ]);
    place.write("logs.tar", tar);
    let ran = place.run(&["report", "logs.tar"]).ok();
    assert_eq!(ran.out, "a.html\nb.html\n");
    let ran = place.run(&["report", "logs.tar", "-o", "one.html"]).code(1);
    assert!(
        ran.err
            .contains("its page one.html is that of logs.tar:a.csv already"),
        "{ran:?}"
    );
}

#[test]
fn streams_are_read_twice_as_well() {
    let place = Place::new();
    for input in [DARSHAN.to_vec(), common::gzip(REQUESTS.as_bytes())] {
        place.run_with(&["report", "-"], input).ok();
        assert!(is_whole(&place.read("stdin.html")));
    }
    let ran = place.run_with(&["report", "-", "-o", "-"], REQUESTS).ok();
    assert!(is_whole(&ran.out));
    assert_eq!(place.files(), ["stdin.html"]);
}

#[test]
fn nothing_that_is_no_page_is_overwritten_unasked() {
    let place = Place::with_requests();
    place.write("requests.html", "<html>my notes</html>");
    let ran = place.run(&["report", "requests.csv"]).code(1);
    assert!(
        ran.err
            .contains("requests.html exists and is no page of iotempo's"),
        "{ran:?}"
    );
    assert_eq!(place.read("requests.html"), "<html>my notes</html>");
    place
        .run(&["report", "requests.csv", "-o", "requests.html"])
        .ok();
    assert!(is_whole(&place.read("requests.html")));
    let ran = place
        .run(&["report", "requests.csv", "-o", "requests.csv"])
        .code(2);
    assert!(ran.err.contains("the output is an input"), "{ran:?}");
    place.write("other.darshan", DARSHAN);
    let ran = place
        .run(&["report", "requests.csv", "-o", "other.darshan"])
        .code(2);
    assert!(ran.err.contains("Darshan log"), "{ran:?}");
    let ran = place
        .run(&["report", "requests.csv", "-o", "no/where.html"])
        .code(1);
    assert!(ran.err.contains("the folder no does not exist"), "{ran:?}");
    assert_eq!(place.read("requests.csv"), REQUESTS);
    assert_eq!(
        place.files(),
        ["other.darshan", "requests.csv", "requests.html"]
    );
}

#[test]
fn what_cannot_be_read_has_no_page() {
    let place = Place::new();
    place.write("bad.darshan", common::cut_darshan());
    place.write("notes.txt", "dear diary\n");
    for input in ["bad.darshan", "notes.txt", "missing.csv"] {
        let ran = place.run(&["report", input]).code(1);
        assert!(ran.err.contains(input) && ran.out.is_empty(), "{ran:?}");
    }
    assert_eq!(place.files(), ["bad.darshan", "notes.txt"]);
}

#[cfg(unix)]
#[test]
fn hostile_names_become_text() {
    let place = Place::new();
    let name = "<script>alert(1)<|script>.csv";
    place.write(name, REQUESTS.replace("/a", "<img src=x onerror=alert(1)>"));
    let ran = place.run(&["report", name, "-o", "page.html"]).ok();
    assert_eq!(ran.out, "page.html\n");
    let html = place.read("page.html");
    assert!(!html.contains("<script>alert") && !html.contains("<img"));
    assert!(html.contains("&#60;script&#62;alert(1)"), "escaped as text");
}

fn data_folder() -> PathBuf {
    let default = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data");
    std::env::var_os("IOTEMPO_DATA").map_or(default, PathBuf::from)
}

#[test]
fn logs_of_real_applications_have_pages() {
    let folder = data_folder().join("darshan");
    if !folder.is_dir() {
        let test = "logs_of_real_applications_have_pages";
        eprintln!("SKIPPED {test}: no data under {}", folder.display());
        return;
    }
    let place = Place::new();
    for (name, expected) in [("official", 80), ("lammps-summit", 7), ("cori", 12)] {
        let input = folder.join(name).display().to_string();
        let ran = place.run(&["report", &input, "--out-dir", name, "-q"]).ok();
        let pages = ran.lines();
        assert!(pages.len() >= expected, "{name}: {} pages", pages.len());
        for page in pages {
            let html = place.read(page);
            assert!(is_whole(&html), "{page}");
            assert!(html.len() < 800_000, "{page}: {} bytes", html.len());
            data(&html);
        }
    }
}
