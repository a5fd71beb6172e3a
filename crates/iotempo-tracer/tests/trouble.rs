//! Where no log can be written, programs go on as if there were no tracer.
#![allow(clippy::print_stderr, clippy::unwrap_used)]

mod common;

use common::Bench;
use iotempo_model::wire::flag;
use std::process::{Command, Output};

const LINE: &str = "dd if=/dev/zero of=out bs=10 count=20000 status=none && cksum out";

fn run(command: &mut Command) -> Output {
    let output = command.args(["-c", LINE]).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    output
}

/// The line that says why, and nothing else.
fn complaint(output: &Output) -> String {
    let said = String::from_utf8(output.stderr.clone()).unwrap();
    assert!(
        said.lines()
            .all(|line| line.starts_with("iotempo: tracing stops")),
        "{said}"
    );
    said
}

#[test]
fn without_a_folder_nothing_is_traced() {
    let bench = Bench::new();
    let output = run(bench.traced("/bin/sh").env_remove("IOTEMPO_DIR"));
    assert!(output.stderr.is_empty() && !bench.logs().exists());
}

#[test]
fn with_a_pattern_that_is_none_nothing_is_traced() {
    let bench = Bench::new();
    let output = bench
        .traced("/bin/true")
        .env("IOTEMPO_EXCLUDE", "*")
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.starts_with("iotempo: nothing is traced"), "{said}");
    assert!(output.status.success() && !bench.logs().exists());
}

#[test]
fn a_folder_that_cannot_be_made_costs_a_line_per_process() {
    let bench = Bench::new();
    std::fs::write(bench.path("file"), "").unwrap();
    let plain = run(&mut bench.plain("/bin/sh"));
    let folder = bench.path("file/logs");
    let output = run(bench.traced("/bin/sh").env("IOTEMPO_DIR", folder));
    assert_eq!(output.stdout, plain.stdout);
    let said = complaint(&output);
    assert!(said.contains("not a folder (error 20)"), "{said}");
    assert_eq!(said.lines().count(), 2, "dd and cksum: {said}");
}

#[test]
fn a_limit_of_file_sizes_ends_the_log_and_not_the_program() {
    let bench = Bench::new();
    let plain = run(&mut bench.plain("/bin/sh"));
    let line = format!("ulimit -f 600; {LINE}");
    let output = bench
        .traced("/bin/sh")
        .args(["-c", &line])
        .output()
        .unwrap();
    assert!(output.status.success(), "{output:?}");
    assert_eq!(output.stdout, plain.stdout);
    assert!(complaint(&output).contains("limit of file sizes"));
    let logs = bench.read();
    let stopped: Vec<_> = logs
        .iter()
        .filter(|log| log.flags() & flag::STOPPED != 0)
        .collect();
    assert_eq!(stopped.len(), 1);
    assert!(stopped[0].records.len() > 2000, "what fitted is there");
}

/// A file system of 512 kB, if we may make one.
struct SmallDisk<'a>(&'a Bench);

impl<'a> SmallDisk<'a> {
    fn mount(bench: &'a Bench) -> Option<Self> {
        std::fs::create_dir(bench.path("disk")).unwrap();
        let options = ["-t", "tmpfs", "-o", "size=512k", "tmpfs"];
        let mounted = Command::new("mount")
            .args(options)
            .arg(bench.path("disk"))
            .output();
        mounted
            .is_ok_and(|output| output.status.success())
            .then_some(Self(bench))
    }
}

impl Drop for SmallDisk<'_> {
    fn drop(&mut self) {
        Command::new("umount")
            .arg(self.0.path("disk"))
            .status()
            .unwrap();
    }
}

#[test]
fn a_full_disk_ends_the_log_and_not_the_program() {
    let bench = Bench::new();
    let Some(disk) = SmallDisk::mount(&bench) else {
        eprintln!("SKIPPED a_full_disk: no right to mount a small file system");
        return;
    };
    let plain = run(&mut bench.plain("/bin/sh"));
    let output = run(bench
        .traced("/bin/sh")
        .env("IOTEMPO_DIR", bench.path("disk")));
    assert_eq!(output.stdout, plain.stdout);
    let said = complaint(&output);
    assert!(said.contains("no space is left (error 28)"), "{said}");
    drop(disk);
}
