//! Valgrind finds nothing wrong with the tracer's memory, and no data that threads share unguarded.
#![allow(clippy::print_stderr, clippy::unwrap_used)]

mod common;

use common::{Bench, compile, have};
use std::path::Path;
use std::process::Output;

fn valgrind(bench: &Bench, traced: bool, words: &[&str], program: &Path) -> Output {
    let mut command = match traced {
        true => bench.traced("valgrind"),
        false => bench.plain("valgrind"),
    };
    command.args(words).arg(program);
    command.output().unwrap()
}

/// What valgrind says of the process itself, and not of its children.
fn said(output: &Output, words: &str) -> String {
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    let mut lines = text.lines().filter(|line| line.contains(words));
    let line = lines
        .next_back()
        .unwrap_or_else(|| panic!("no {words}: {text}"));
    line.split_once(words).unwrap().1.trim().to_owned()
}

#[test]
fn memcheck_finds_no_error_and_no_allocation() {
    let test = "memcheck_finds_no_error_and_no_allocation";
    let bench = Bench::new();
    if !have(test, "valgrind") {
        return;
    }
    let Some(program) = compile(&bench, test, "every_call.c") else {
        return;
    };
    let plain = valgrind(&bench, false, &[], &program);
    let traced = valgrind(&bench, true, &[], &program);
    assert!(
        plain.status.success() && traced.status.success(),
        "{traced:?}"
    );
    assert_eq!(traced.stdout, plain.stdout);
    let errors = said(&traced, "ERROR SUMMARY:");
    assert!(errors.starts_with("0 errors"), "{errors}");
    let count = |output| {
        said(output, "total heap usage:")
            .split_once(" frees")
            .unwrap()
            .0
            .to_owned()
    };
    assert_eq!(
        count(&traced),
        count(&plain),
        "the tracer allocates nothing"
    );
    assert!(!bench.read().is_empty());
}

#[test]
fn memcheck_finds_no_error_in_hardships() {
    let bench = Bench::new();
    if !have("memcheck_finds_no_error_in_hardships", "valgrind") {
        return;
    }
    let Some(program) = compile(
        &bench,
        "memcheck_finds_no_error_in_hardships",
        "hardships.c",
    ) else {
        return;
    };
    for work in [
        ["many", "20000"],
        ["threads", "4"],
        ["forks", "3"],
        ["churn", "20"],
    ] {
        let output = bench
            .traced("valgrind")
            .args(["-q", "--error-exitcode=9", "--leak-check=full"])
            .arg(&program)
            .args(work)
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(
            output.status.success() && said.is_empty(),
            "{work:?}: {said}"
        );
    }
    assert!(bench.bytes("shared").1 >= 160_000);
}

/// DRD takes loads and stores that are atomic for plain ones. So it finds those, and must find
/// nothing else: each finding begins with what was accessed and, in the next line, by whom. All
/// threads live at once here: what one leaves to another when it ends, the kernel orders.
#[test]
fn what_threads_share_is_atomic() {
    let test = "what_threads_share_is_atomic";
    let bench = Bench::new();
    if !have(test, "valgrind") {
        return;
    }
    let Some(program) = compile(&bench, test, "hardships.c") else {
        return;
    };
    let mut command = bench.traced("valgrind");
    command
        .args(["--tool=drd", "--show-confl-seg=no"])
        .arg(&program);
    let output = command.args(["threads", "16"]).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    let text = String::from_utf8_lossy(&output.stderr);
    let lines: Vec<&str> = text.lines().collect();
    let findings = lines
        .windows(2)
        .filter(|pair| pair[0].contains("Conflicting "));
    let plain: Vec<_> = findings
        .filter(|pair| !pair[1].contains("sync/atomic.rs"))
        .collect();
    assert!(plain.is_empty(), "{plain:#?}");
    assert_eq!(bench.bytes("shared"), (0, 16 * 3000 * 3));
}
