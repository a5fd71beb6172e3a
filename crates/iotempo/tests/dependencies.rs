//! Every crate depends on what the architecture lets it depend on, and on nothing else.
#![allow(clippy::unwrap_used)]

use serde_json::Value;
use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

/// Who may use what, besides itself; the program may use anything.
const MAY_DEPEND_ON: [(&str, &[&str]); 8] = [
    ("iotempo-model", &["serde"]),
    (
        "iotempo-formats",
        &[
            "iotempo-model",
            "bzip2",
            "csv",
            "flate2",
            "jiff",
            "libc",
            "memchr",
            "rmp",
            "rustix",
            "rmp-serde",
            "rmpv",
            "serde",
            "serde_json",
            "sonic-rs",
            "thiserror",
        ],
    ),
    (
        "iotempo-analysis",
        &["iotempo-model", "rayon", "realfft", "serde", "statrs"],
    ),
    ("iotempo-tracer", &["iotempo-model", "libc"]),
    (
        "iotempo-sim",
        &[
            "iotempo-model",
            "iotempo-analysis",
            "rand",
            "rand_chacha",
            "rand_distr",
            "serde",
        ],
    ),
    (
        "iotempo-live",
        &[
            "iotempo-model",
            "iotempo-formats",
            "iotempo-analysis",
            "serde",
            "serde_json",
            "ureq",
        ],
    ),
    (
        "iotempo-serve",
        &[
            "iotempo-model",
            "iotempo-formats",
            "iotempo-analysis",
            "iotempo-live",
            "axum",
            "futures-util",
            "hyper",
            "hyper-util",
            "rustix",
            "serde",
            "serde_json",
            "thiserror",
            "tokio",
        ],
    ),
    (
        "iotempo-report",
        &[
            "iotempo-model",
            "iotempo-analysis",
            "askama",
            "serde",
            "serde_json",
        ],
    ),
];

/// What belongs to the program alone.
const PROGRAM_ONLY: [&str; 5] = ["anyhow", "clap", "clap_complete", "indicatif", "ratatui"];

fn metadata() -> Value {
    let output = Command::new(env!("CARGO"))
        .args([
            "metadata",
            "--format-version",
            "1",
            "--offline",
            "--no-deps",
        ])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}");
    serde_json::from_slice(&output.stdout).unwrap()
}

/// What each of our crates needs, tests aside.
fn dependencies() -> BTreeMap<String, Vec<String>> {
    let metadata = metadata();
    let packages = metadata["packages"].as_array().unwrap();
    let name = |value: &Value| value["name"].as_str().unwrap().to_owned();
    let needed = |package: &Value| {
        let all = package["dependencies"].as_array().unwrap();
        all.iter()
            .filter(|one| one["kind"] != "dev")
            .map(name)
            .collect()
    };
    packages
        .iter()
        .map(|package| (name(package), needed(package)))
        .collect()
}

#[test]
fn crates_depend_only_on_what_they_may() {
    let found = dependencies();
    for (name, allowed) in MAY_DEPEND_ON {
        let extra: Vec<_> = found[name]
            .iter()
            .filter(|one| !allowed.contains(&one.as_str()))
            .collect();
        assert!(extra.is_empty(), "{name} may not depend on {extra:?}");
    }
}

#[test]
fn every_crate_has_its_rule() {
    let ruled: Vec<_> = MAY_DEPEND_ON.iter().map(|(name, _)| *name).collect();
    for name in dependencies().keys().filter(|name| *name != "iotempo") {
        assert!(
            ruled.contains(&name.as_str()),
            "{name} has no rule in this test"
        );
    }
}

/// What every crate of the lock file uses, on any platform and with any feature.
fn locked() -> BTreeMap<String, Vec<String>> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../Cargo.lock");
    let text = std::fs::read_to_string(path).unwrap();
    let mut uses: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let mut current = String::new();
    for line in text.lines() {
        if let Some(name) = line.strip_prefix("name = ") {
            current = name.trim_matches('"').to_owned();
        } else if let Some(used) = line.strip_prefix(" \"") {
            // A version follows where there are several.
            let name = used.split(['"', ' ']).next().unwrap();
            uses.entry(current.clone())
                .or_default()
                .push(name.to_owned());
        }
    }
    uses
}

/// Not even through another crate.
#[test]
fn what_belongs_to_the_program_stays_out_of_the_libraries() {
    let (direct, locked) = (dependencies(), locked());
    assert!(
        locked["iotempo"].contains(&"clap".to_owned()),
        "the lock file is understood"
    );
    for (name, _) in MAY_DEPEND_ON {
        let mut reached = direct[name].clone();
        let mut next = 0;
        while let Some(crate_name) = reached.get(next) {
            let ours = direct.get(crate_name);
            let uses = ours
                .or_else(|| locked.get(crate_name))
                .into_iter()
                .flatten();
            let more: Vec<_> = uses.filter(|one| !reached.contains(one)).cloned().collect();
            reached.extend(more);
            next += 1;
        }
        let wrong: Vec<_> = reached
            .iter()
            .filter(|one| PROGRAM_ONLY.contains(&one.as_str()))
            .collect();
        assert!(wrong.is_empty(), "{name} reaches {wrong:?}");
    }
}
