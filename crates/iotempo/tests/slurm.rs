//! A real Slurm, whose `sacct` prints the log of jobs, and a real `iostat` beside it: does
//! `iotempo signature` find the bursts of a job that was run five times while others write, too?
#![allow(clippy::unwrap_used, clippy::print_stderr)]
#![cfg(target_os = "linux")]

mod common;

use common::Place;
use std::fs::{self, File};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread::{self, JoinHandle, sleep};
use std::time::{Duration, Instant};

const RUNS: usize = 5;
/// When a job begins its bursts, in seconds after its own start.
const BURSTS: [f64; 2] = [4.0, 14.0];
/// Slurm and `iostat` write whole seconds, and a script starts a moment after its job.
const TOLERANCE: f64 = 2.0;

/// What each run does. A burst is 400 MiB in five pieces over some three seconds, however fast the disk
/// is: a log of one row per second shows little that is shorter. Between bursts it is idle for longer than
/// they last, or nobody could tell them from chance. Bytes go past the page cache, or, where the file
/// system knows no such way, are flushed, so that `iostat` sees them at once.
const JOB: &str = r#"#!/bin/sh
began=$(date +%s%3N)
until_second() {
    left=$((began + $1 * 1000 - $(date +%s%3N)))
    [ "$left" -le 0 ] || sleep "$((left / 1000)).$(printf %03d $((left % 1000)))"
}
piece() {
    dd if=/dev/zero of=data bs=1M count=80 oflag=direct ||
        dd if=/dev/zero of=data bs=1M count=80 conv=fsync
}
burst() {
    for i in 1 2 3 4 5; do
        piece
        sleep 0.4
    done
}
until_second 4
burst
until_second 14
burst
until_second 23
rm data
"#;

fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// A folder on a disk, and the disk's name.
fn folder_on_a_disk() -> Result<(tempfile::TempDir, String), String> {
    let below = [
        PathBuf::from(env!("CARGO_TARGET_TMPDIR")),
        std::env::temp_dir(),
    ];
    let mut found = below.iter().filter_map(|path| {
        let folder = tempfile::Builder::new().prefix("s").tempdir_in(path).ok()?;
        let disk = disk_of(folder.path())?;
        Some((folder, disk))
    });
    let reason = || "neither target nor the temporary folder is on a disk".to_owned();
    found.next().ok_or_else(reason)
}

/// The disk that a folder is on; of a partition, the whole.
fn disk_of(folder: &Path) -> Option<String> {
    let device = fs::metadata(folder).ok()?.dev();
    // As <sys/sysmacros.h> splits the number of a device.
    let major = ((device >> 8) & 0xfff) | ((device >> 32) & !0xfff);
    let minor = (device & 0xff) | ((device >> 12) & !0xff);
    let mut block = fs::canonicalize(format!("/sys/dev/block/{major}:{minor}")).ok()?;
    if block.join("partition").exists() {
        block.pop();
    }
    Some(block.file_name()?.to_str()?.to_owned())
}

/// A Slurm of our own, which ends with the test.
struct Slurm(PathBuf);

impl Slurm {
    fn start(folder: &Path) -> Result<Self, String> {
        let slurm = Self(folder.join("slurm"));
        let output = slurm.script("up");
        // Also where it fails half-way, its end is the end of everything it started.
        if output.status.success() {
            return Ok(slurm);
        }
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        Err(said.lines().last().unwrap_or("slurm.sh failed").to_owned())
    }

    fn script(&self, word: &str) -> Output {
        let script = workspace().join("scripts/slurm.sh");
        let mut command = Command::new("sh");
        command.arg(script).arg(word).arg(&self.0);
        command.stdin(Stdio::null()).output().unwrap()
    }

    /// What a command of Slurm prints.
    fn ask(&self, words: &[&str]) -> String {
        let mut command = Command::new(words[0]);
        command.args(&words[1..]).stdin(Stdio::null());
        // Where the tests are themselves a job of another Slurm, its settings are not for ours.
        for (name, _) in std::env::vars_os() {
            let text = name.to_string_lossy();
            if ["SLURM_", "SBATCH_", "SACCT_", "SQUEUE_"]
                .iter()
                .any(|start| text.starts_with(start))
            {
                command.env_remove(name);
            }
        }
        command.env("SLURM_CONF", self.0.join("slurm.conf"));
        let output = command.output().unwrap();
        assert!(output.status.success(), "{words:?}: {output:?}");
        String::from_utf8(output.stdout).unwrap()
    }

    /// Runs a script in a folder, from its submission to its end.
    fn run(&self, name: &str, script: &Path, folder: &Path) {
        let (script, folder) = (script.to_str().unwrap(), folder.to_str().unwrap());
        self.ask(&[
            "sbatch",
            "-J",
            name,
            "-D",
            folder,
            "-o",
            "job.%j.out",
            script,
        ]);
        // `sbatch --wait` asks too seldom.
        until("the job has ended", || {
            self.ask(&["squeue", "-h"]).is_empty()
        });
    }

    /// The log of jobs, once it has the end of so many.
    fn jobs(&self, completed: usize) -> String {
        let words = [
            "sacct",
            "-P",
            "-o",
            "JobID,User,JobName,NNodes,State,Start,End",
        ];
        let mut log = String::new();
        until("all jobs have completed in the log", || {
            log = self.ask(&words);
            let done = |line: &&str| line.contains("|relax|") && line.contains("|COMPLETED|");
            log.lines().filter(done).count() == completed
        });
        log
    }
}

impl Drop for Slurm {
    fn drop(&mut self) {
        self.script("down");
    }
}

fn until(what: &str, mut holds: impl FnMut() -> bool) {
    let begin = Instant::now();
    while !holds() {
        assert!(
            begin.elapsed() < Duration::from_secs(60),
            "not in a minute: {what}"
        );
        sleep(Duration::from_millis(250));
    }
}

/// `iostat` at work, as docs/signature.md says.
struct Monitor(Child);

impl Monitor {
    fn start(disk: &str, log: &Path) -> Result<Self, String> {
        let unpacked = workspace().join("target/debian");
        let places = [
            Path::new("/usr/bin/iostat").to_owned(),
            unpacked.join("usr/bin/iostat"),
        ];
        let iostat = places.into_iter().find(|path| path.exists());
        let iostat = iostat.ok_or("there is no iostat (scripts/setup.sh unpacks it)")?;
        let child = Command::new(iostat)
            .args(["-k", "-d", "-t", "-y", disk, "1"])
            .env("LD_LIBRARY_PATH", unpacked.join("usr/lib/x86_64-linux-gnu"))
            .stdin(Stdio::null())
            .stdout(File::create(log).unwrap())
            .spawn();
        Ok(Self(child.map_err(|error| format!("iostat: {error}"))?))
    }
}

impl Drop for Monitor {
    /// As by Ctrl-C, so that it prints what it has.
    fn drop(&mut self) {
        let process = self.0.id().to_string();
        let _ = Command::new("kill").args(["-INT", &process]).status();
        let _ = self.0.wait();
    }
}

/// Somebody else, who writes up to 40 MiB now and then.
struct Others(Option<Sender<()>>, Option<JoinHandle<()>>);

impl Others {
    fn start(folder: &Path) -> Self {
        let (stop, stopped) = mpsc::channel();
        let file = format!("of={}", folder.join("others").display());
        let writer = thread::spawn(move || {
            let mut state = 1_u64;
            let mut random = |below: u64| {
                state = state
                    .wrapping_mul(6_364_136_223_846_793_005)
                    .wrapping_add(1);
                (state >> 33) % below
            };
            loop {
                let size = format!("count={}", 5 + random(36));
                let words = ["if=/dev/zero", &file, "bs=1M", &size];
                let written = |how| {
                    Command::new("dd")
                        .args(words)
                        .arg(how)
                        .output()
                        .unwrap()
                        .status
                };
                if !written("oflag=direct").success() {
                    written("conv=fsync");
                }
                let pause = Duration::from_millis(300 + random(3700));
                if stopped.recv_timeout(pause) != Err(RecvTimeoutError::Timeout) {
                    return;
                }
            }
        });
        Self(Some(stop), Some(writer))
    }
}

impl Drop for Others {
    fn drop(&mut self) {
        self.0.take();
        let _ = self.1.take().map(JoinHandle::join);
    }
}

/// Logs of five jobs, one after the other, in a folder: of Slurm and of `iostat`.
fn recorded(folder: &Path, disk: &str) -> Result<(), String> {
    let slurm = Slurm::start(folder)?;
    let script = folder.join("job.sh");
    fs::write(&script, JOB).unwrap();
    let _monitor = Monitor::start(disk, &folder.join("disk.txt"))?;
    let _others = Others::start(folder);
    // The log begins before the first job and ends after the last.
    sleep(Duration::from_secs(2));
    for _ in 0..RUNS {
        slurm.run("relax", &script, folder);
    }
    sleep(Duration::from_secs(2));
    fs::write(folder.join("jobs.txt"), slurm.jobs(RUNS)).unwrap();
    Ok(())
}

#[test]
fn bursts_of_jobs_under_slurm_are_found_in_the_log_of_iostat() {
    let ready = folder_on_a_disk().and_then(|(folder, disk)| {
        recorded(folder.path(), &disk)?;
        Ok(folder)
    });
    let folder = match ready {
        Ok(folder) => folder,
        Err(reason) => {
            let test = "bursts_of_jobs_under_slurm_are_found_in_the_log_of_iostat";
            eprintln!("SKIPPED {test}: {reason}");
            return;
        }
    };
    let path = |name| folder.path().join(name).to_str().unwrap().to_owned();
    let (jobs, log) = (path("jobs.txt"), path("disk.txt"));
    let words = ["signature", "--jobs", &jobs, "--log", &log, "--json"];
    let json = Place::new().run(&words).ok().json();
    let seen = || {
        let read = |path| fs::read_to_string(path).unwrap();
        format!("{json:#}\n{}\n{}", read(&jobs), read(&log))
    };
    let result = &json["results"][0];
    assert_eq!(result["application"]["name"], "relax", "{}", seen());
    assert_eq!(result["jobs"], RUNS, "{}", seen());
    let found = result["bursts"].as_array().unwrap();
    assert_eq!(found.len(), BURSTS.len(), "{}", seen());
    for (burst, begin) in found.iter().zip(BURSTS) {
        let number = |name: &str| burst[name].as_f64().unwrap();
        assert!((number("start_s") - begin).abs() <= TOLERANCE, "{}", seen());
        assert!(number("support") + 1.0 >= RUNS as f64, "{}", seen());
    }
}
