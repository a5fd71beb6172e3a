//! `iotempo correlate` on jobs and logs of real systems.
#![allow(clippy::unwrap_used, clippy::print_stderr)]

mod common;
use common::Place;
use common::schema::{check, schema};
use std::path::PathBuf;

/// Where the real data are; `None` where there are none.
fn data(test: &str) -> Option<PathBuf> {
    let beside = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/data");
    let data = std::env::var_os("IOTEMPO_DATA").map_or_else(|| PathBuf::from(beside), Into::into);
    if !data.is_dir() {
        eprintln!(
            "SKIPPED {test}: {} does not exist (IOTEMPO_DATA)",
            data.display()
        );
        return None;
    }
    Some(data)
}

#[test]
fn a_year_of_real_jobs_is_read_in_one_go() {
    let Some(data) = data("a_year_of_real_jobs_is_read_in_one_go") else {
        return;
    };
    let folder = data.join("correlation");
    let files = std::fs::read_dir(&folder).unwrap();
    let mut names: Vec<PathBuf> = files.map(|file| file.unwrap().path()).collect();
    names.sort();
    let name = names[0].display().to_string();
    let others = "fs_tot_bytes_read+fs_tot_bytes_written-darshan_tot_bytes_read_posix\
                  -darshan_tot_bytes_written_posix/darshan_walltime";
    let words = [
        "correlate",
        "--table",
        &name,
        "--x",
        others,
        "--y",
        "darshan_walltime",
        "--group",
        "darshan_app,_file_system",
        "--bytes",
        "darshan_tot_bytes_read_posix,darshan_tot_bytes_written_posix",
        "--when",
        "darshan_start_time",
        "--permutations",
        "199",
        "--json",
    ];
    let json = Place::new().run(&words).ok().json();
    let schema = schema("correlate");
    assert_eq!(check(&json, &schema, &schema, ""), [""; 0]);
    assert_eq!(json["settings"]["jobs"], 7500);
    assert!(
        json["settings"]["warnings"]
            .to_string()
            .contains("row's label")
    );
    let groups = json["results"].as_array().unwrap();
    let jobs: u64 = groups.iter().map(|one| one["jobs"].as_u64().unwrap()).sum();
    assert!(
        groups.len() >= 24 && jobs > 7000,
        "{} groups, {jobs} jobs",
        groups.len()
    );
    let large = groups
        .iter()
        .filter(|one| one["jobs"].as_u64().unwrap() > 200);
    let slow = large.clone().filter(|one| one["verdict"] == "slows-down");
    let (slow, large) = (slow.count(), large.count());
    // Over the whole year some of them hide it: their system was changed in the middle of it.
    assert_eq!((slow, large), (24, 24));
    let ior = groups
        .iter()
        .find(|one| one["label"].as_str().unwrap().contains("512 GiB read"))
        .unwrap();
    let coefficients = ior["coefficients"].as_array().unwrap();
    let spearman = coefficients.iter().find(|one| one["name"] == "spearman");
    let whole = spearman.unwrap()["value"].as_f64().unwrap();
    let within = ior["within_weeks"]["coefficient"]["value"]
        .as_f64()
        .unwrap();
    assert!(whole < 0.2 && within > 0.3, "{whole} {within}");
}

/// Jobs of HACC-IO whose own traffic is all there is: what the system counts is what they moved.
#[test]
fn what_a_system_counts_is_what_its_only_jobs_moved() {
    let Some(data) = data("what_a_system_counts_is_what_its_only_jobs_moved") else {
        return;
    };
    let logs = data.join("darshan/hacc-eclipse").display().to_string();
    let servers = data.join("serverlogs/ldms-eclipse").display().to_string();
    for (traffic, moved) in [
        ("bytes-read", "read_bytes"),
        ("bytes-written", "written_bytes"),
    ] {
        let words = [
            "correlate",
            "--darshan",
            &logs,
            "--log",
            &servers,
            // Reads and writes together.
            "--time",
            "touched",
            "--measure",
            "volume",
            "--load",
            traffic,
            "--target",
            "pscratch",
            "--min-jobs",
            "3",
            "--json",
        ];
        let json = Place::new().run(&words).ok().json();
        let schema = schema("correlate");
        assert_eq!(check(&json, &schema, &schema, ""), [""; 0]);
        assert_eq!(json["settings"]["jobs"], 12);
        let mut compared = 0;
        for group in json["results"].as_array().unwrap() {
            let own = group[moved]["mean_bytes"].as_f64().unwrap();
            for load in group["points"]["load"].as_array().unwrap() {
                let share = load.as_f64().unwrap() / own;
                // Some nodes were asked too seldom for all of their bytes to be placed; that is said.
                assert!((0.92..1.01).contains(&share), "{traffic}: {share}");
                compared += 1;
            }
            // Logs that began after the job did: it is not guessed what they did not see.
            let left = &group["left_out"][0];
            assert_eq!(left["reason"], "the servers' logs have a gap there");
            assert!(group["jobs"].as_u64().unwrap() + left["jobs"].as_u64().unwrap() == 6);
        }
        assert_eq!(compared, 5);
    }
}
