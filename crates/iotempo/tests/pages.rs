//! The examples in the pages on the verbs print what the pages say.
#![cfg(all(unix, feature = "tables"))]
#![allow(clippy::unwrap_used)]

mod common;
use common::Place;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Commands about files in this folder run at the root of the workspace.
const SHIPPED: &str = "testdata/";

/// The folder that the pages talk about.
fn place() -> Place {
    let page = page("inspect");
    let table = page.split("$ cat ior.csv\n").nth(1).unwrap();
    let table = table.split_once("\n\n").unwrap().0;
    let place = Place::new();
    place.write("ior.csv", format!("{table}\n"));
    place.write("jobs/ior.csv", format!("{table}\n"));
    place.write(
        "jobs/node7.csv",
        "time,write_mb_s\n0,100\n1,80\n2,0\n3,100\n",
    );
    place.write("jobs/notes.txt", "dear diary\n");
    place
}

fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn path_of(name: &str) -> PathBuf {
    let folder = if name == "README" { "" } else { "docs" };
    workspace().join(folder).join(format!("{name}.md"))
}

fn page(name: &str) -> String {
    std::fs::read_to_string(path_of(name)).unwrap()
}

/// Commands with what they print; only those about the files of this test and those that ship.
fn examples(page: &str) -> Vec<(String, String)> {
    let blocks = page.split("```\n").skip(1).step_by(2);
    let examples = blocks.flat_map(|block| {
        let parts = format!("\n{block}");
        let parts: Vec<_> = parts.split("\n$ ").skip(1).map(str::to_owned).collect();
        parts.into_iter().map(|part| {
            let (command, printed) = part.split_once('\n').unwrap_or((&part, ""));
            (command.to_owned(), printed.trim_end().to_owned())
        })
    });
    let ours = |command: &str| {
        ["ior.csv", "jobs", "generate", "semi", SHIPPED]
            .iter()
            .any(|f| command.contains(f))
    };
    examples.filter(|(command, _)| ours(command)).collect()
}

fn printed(place: &Place, command: &str) -> String {
    let program = assert_cmd::cargo::cargo_bin("iotempo");
    let folder = program.parent().unwrap().display();
    let here = if command.contains(SHIPPED) {
        workspace()
    } else {
        place.path(".")
    };
    let output = Command::new("sh")
        .args(["-c", &format!("PATH='{folder}':$PATH; ( {command} ) 2>&1")])
        .current_dir(here)
        .output()
        .unwrap();
    String::from_utf8(output.stdout)
        .unwrap()
        .trim_end()
        .to_owned()
}

fn has_jq() -> bool {
    Command::new("jq").arg("--version").output().is_ok()
}

#[test]
fn examples_print_what_the_pages_say() {
    let place = place();
    let mut checked = 0;
    let pages = [
        "README",
        "inspect",
        "convert",
        "period",
        "report",
        "generate",
        "darshan",
        "traces",
        "signature",
        "estimate",
        "phases",
    ];
    for name in pages {
        let mut text = page(name);
        for (command, expected) in examples(&page(name)) {
            if command.contains("jq") && !has_jq() {
                continue;
            }
            let printed = printed(&place, &command);
            let block = |printed: &str| format!("$ {command}\n{printed}\n");
            text = text.replace(&block(&expected), &block(&printed));
            if std::env::var_os("BLESS").is_none() {
                assert_eq!(printed, expected, "$ {command} (BLESS=1 rewrites {name})");
            }
            checked += 1;
        }
        if text != page(name) {
            std::fs::write(path_of(name), text).unwrap();
        }
    }
    assert!(checked >= 25, "only {checked} examples were found");
}
