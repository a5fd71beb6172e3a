//! What people see.

use super::{checkpoints, place};
use crate::common::Place;

#[test]
fn one_input_is_shown_at_length() {
    let ran = place().run(&["period", "job.csv"]).ok();
    assert_eq!(ran.err, "");
    let lines = ran.lines();
    assert_eq!(lines[0], "job.csv");
    assert!(lines[1].starts_with("  repeats every 20.0"), "{ran:?}");
    assert!(
        lines[1].contains("confidence") && lines[1].ends_with("%)"),
        "{ran:?}"
    );
    let fact = |name: &str| {
        let mut found = lines
            .iter()
            .filter(|line| line.trim_start().starts_with(name));
        found
            .next()
            .unwrap_or_else(|| panic!("{name}: {ran:?}"))
            .to_string()
    };
    assert!(
        fact("phases").contains("12, each 2 s long and 1.9 MiB on average"),
        "{ran:?}"
    );
    assert!(fact("next phase").contains("at 245"), "{ran:?}");
    assert!(
        fact("looked at").contains("22.9 MiB from 0 s to 227 s, 16,384 samples"),
        "{ran:?}"
    );
    assert!(
        fact("source").contains("requests (table of requests)"),
        "{ran:?}"
    );
    assert!(
        fact("cannot show").contains("what the tracer did not intercept"),
        "{ran:?}"
    );
}

#[test]
fn the_chart_is_drawn_with_what_the_terminal_has() {
    let place = place();
    let braille = |text: &str| text.chars().any(|c| ('\u{2800}'..='\u{28ff}').contains(&c));
    let ran = place.run(&["period", "job.csv"]).ok();
    assert!(braille(&ran.out) && ran.out.contains("KiB/s"), "{ran:?}");
    assert!(
        ran.lines()
            .iter()
            .all(|line| !braille(line) || line.chars().count() <= 80)
    );
    let ran = place.run(&["period", "job.csv", "--ascii"]).ok();
    assert!(!braille(&ran.out) && ran.out.contains("  0 +"), "{ran:?}");
    let ran = place
        .run(&["period", "job.csv", "--ascii", "--units", "si"])
        .ok();
    assert!(ran.out.contains("\n  MB/s\n"), "{ran:?}");
    let ran = place.run(&["period", "job.csv", "--no-chart"]).ok();
    assert!(!braille(&ran.out) && !ran.out.contains('┤'), "{ran:?}");
    assert!(!ran.out.contains('\x1b'));
    let ran = place.run(&["period", "job.csv", "--color", "always"]).ok();
    assert!(ran.out.contains("\x1b[1;32mrepeats every"), "{ran:?}");
}

#[test]
fn what_does_not_repeat_says_why() {
    let ran = place().run(&["period", "irregular.csv", "--no-chart"]).ok();
    let headline = ran.lines()[1];
    assert!(headline.starts_with("  not periodic: "), "{ran:?}");
    assert!(!ran.out.contains("next phase"), "{ran:?}");
}

#[test]
fn warnings_and_selections_are_stated() {
    let place = Place::new();
    place.write("job.csv", checkpoints() + "0,write,posix,/out.0,x,1,1\n");
    let ran = place
        .run(&["period", "job.csv", "--op", "write", "--ranks", "1"])
        .ok();
    assert!(
        ran.out.contains("  selected     ranks 1, writes\n"),
        "{ran:?}"
    );
    assert!(
        ran.out
            .contains("\nwarnings\n  1 of 26 rows could not be read"),
        "{ran:?}"
    );
}

#[test]
fn a_report_is_written_for_one_input() {
    let place = place();
    let ran = place.run(&["period", "job.csv", "-o", "job.html"]).ok();
    assert!(ran.out.contains("repeats every"), "{ran:?}");
    let page = place.read("job.html");
    assert!(page.starts_with("<!DOCTYPE html>") || page.starts_with("<!doctype html>"));
    assert!(page.contains("job.csv"));
    let ran = place
        .run(&["period", "job.csv", "-o", "ftio.html", "--method", "ftio"])
        .ok();
    assert!(ran.out.contains("dominant frequency 0.0495"), "{ran:?}");
    assert!(place.read("ftio.html").contains("FTIO"));
    for (arguments, message) in [
        (
            &["period", "job.csv", "samples.csv", "-o", "a.html"][..],
            "about one input",
        ),
        (
            &["period", "job.csv", "-o", "report.txt"],
            "its name ends in .html",
        ),
        (&["period", "job.csv", "-o", "z_score"], "neither a report"),
    ] {
        let ran = place.run(arguments).code(2);
        assert!(ran.err.contains(message) && ran.out.is_empty(), "{ran:?}");
    }
    let mut files = place.files();
    files.retain(|name| name.ends_with(".html") || name.contains("score"));
    assert_eq!(files, ["ftio.html", "job.html"]);
}

#[test]
fn exit_codes_tell_scripts_what_was_found() {
    let place = place();
    place.run(&["period", "irregular.csv"]).code(0);
    place
        .run(&["period", "irregular.csv", "--exit-code"])
        .code(3);
    place.run(&["period", "job.csv", "--exit-code"]).code(0);
    // One that repeats is enough, and one that cannot be read is worse.
    place
        .run(&["period", "irregular.csv", "job.csv", "--exit-code"])
        .code(0);
    place
        .run(&["period", "irregular.csv", "missing.csv", "--exit-code"])
        .code(1);
}

#[test]
fn help_names_the_methods_and_what_ftio_users_know() {
    let ran = place().run(&["period", "--help"]).ok();
    for word in [
        "--method",
        "iotempo",
        "ftio",
        "paper",
        "-f, --freq",
        "-m, --mode",
        "--csv",
    ] {
        assert!(ran.out.contains(word), "{word}: {}", ran.out);
    }
}
