//! Compiles and runs programs with the MPI libraries of Debian, which can stand side by side.

use super::reading::Log;
use super::{Bench, have};
use iotempo_model::wire::{Header, api, kind, op};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::Mutex;

pub(crate) const RANKS: i32 = 4;

/// Requests and bytes by rank, file and direction.
pub(crate) type Volumes = BTreeMap<(i32, String, String), (u64, u64)>;

/// An MPI library, by the ending of its commands.
#[derive(Clone, Copy)]
pub(crate) struct Mpi(pub(crate) &'static str);

impl Mpi {
    /// Compiles a program or a library of the tests; `None`, and a line that says so, where that
    /// cannot be done.
    pub(crate) fn compile(
        self,
        bench: &Bench,
        test: &str,
        source: &str,
        flags: &[&str],
    ) -> Option<PathBuf> {
        let is_fortran = source.ends_with(".f90");
        let compiler = if is_fortran { "mpifort" } else { "mpicc" };
        let compiler = format!("{compiler}.{}", self.0);
        if !have(test, &compiler) || (is_fortran && !have(test, "gfortran")) {
            return None;
        }
        let programs = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs");
        let result = bench.path(&format!("{source}.{}", flags.len()));
        let compiled = Command::new(compiler)
            .args(["-O0", "-g", "-Wall", "-o"])
            .arg(&result)
            .arg(programs.join(source))
            .args(flags)
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&compiled.stderr);
        assert!(compiled.status.success(), "{said}");
        Some(result)
    }

    /// Lets a command launch a program on all ranks, and gives up where they wait for one another
    /// forever.
    fn launch(self, mut command: Command, program: &[&Path]) -> Output {
        // Ranks wait by looking again and again: more of them than processors take long.
        static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());
        let _turn = ONE_AT_A_TIME.lock();
        command.args(["300", &format!("mpirun.{}", self.0)]);
        if self.0 == "openmpi" {
            command.args(["--allow-run-as-root", "--oversubscribe"]);
        }
        let output = command
            .args(["-n", &RANKS.to_string()])
            .args(program)
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{}: {said}", output.status);
        output
    }

    /// Runs a program without the tracer, in a folder of its own.
    pub(crate) fn plain(self, bench: &Bench, program: &[&Path]) -> Output {
        let folder = bench.path("plain");
        std::fs::create_dir_all(&folder).unwrap();
        let mut command = bench.plain("timeout");
        command.current_dir(folder);
        self.launch(command, program)
    }

    /// Runs a program under the tracer, in another one.
    pub(crate) fn traced(self, bench: &Bench, program: &[&Path], more: &[(&str, &str)]) -> Output {
        let folder = bench.path("traced");
        std::fs::create_dir_all(&folder).unwrap();
        let mut command = bench.traced("timeout");
        command.current_dir(folder).envs(more.iter().copied());
        self.launch(command, program)
    }
}

/// What programs said they moved: lines of "rank file op requests bytes".
pub(crate) fn said(output: &Output) -> Volumes {
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let mut volumes = Volumes::new();
    for line in text.lines() {
        let words: Vec<_> = line.split_whitespace().collect();
        let [rank, file, op, requests, bytes] = words[..] else {
            panic!("not a line of the program: {line}");
        };
        let key = (rank.parse().unwrap(), file.to_owned(), op.to_owned());
        let volume = (requests.parse().unwrap(), bytes.parse().unwrap());
        assert_eq!(volumes.insert(key, volume), None, "{line}");
    }
    volumes
}

fn rank_of(log: &Log) -> i32 {
    log.header_u64(std::mem::offset_of!(Header, rank)) as i32
}

/// The logs of ranks, without those of launchers, in the order of ranks.
pub(crate) fn ranks(bench: &Bench) -> Vec<Log> {
    let mut logs = bench.read();
    logs.retain(|log| rank_of(log) >= 0);
    logs.sort_by_key(rank_of);
    logs
}

/// What logs say that a layer moved.
pub(crate) fn logged(bench: &Bench, logs: &[Log], layer: u8) -> Volumes {
    let folder = std::fs::canonicalize(bench.path("traced")).unwrap();
    let mut volumes = Volumes::new();
    for log in logs {
        for seen in log.records.iter().filter(|seen| seen.api == layer) {
            let name = Path::new(&log.names[&seen.file]);
            let (Ok(name), kind::TRANSFER) = (name.strip_prefix(&folder), seen.kind) else {
                continue;
            };
            assert!(seen.start <= seen.end);
            let name = name.to_str().unwrap();
            // Open MPI takes what stands before the colon for a part of the name.
            let name = name.strip_prefix("ufs:").unwrap_or(name).to_owned();
            let op = if seen.op == op::READ { "read" } else { "write" };
            let volume = volumes.entry((rank_of(log), name, op.to_owned()));
            let volume = volume.or_default();
            volume.0 += 1;
            volume.1 += seen.bytes;
        }
    }
    volumes
}

/// How often a layer opened, closed and synced a file.
pub(crate) fn metadata(logs: &[Log], ending: &str, op: u8) -> usize {
    let of_file = |log: &&Log| {
        let seen = log.records.iter().filter(|seen| {
            let known = seen.api == api::MPIIO && seen.op == op && seen.kind == kind::METADATA;
            known && log.names[&seen.file].ends_with(ending)
        });
        seen.count()
    };
    logs.iter().map(|log| of_file(&log)).sum()
}

/// Files of both runs are the same, byte by byte.
pub(crate) fn assert_same_files(bench: &Bench) {
    let names = |folder: &str| {
        let folder = std::fs::read_dir(bench.path(folder)).unwrap();
        let mut names: Vec<_> = folder.map(|entry| entry.unwrap().file_name()).collect();
        names.sort();
        names
    };
    assert_eq!(names("plain"), names("traced"));
    for name in names("plain") {
        let bytes = |folder: &str| std::fs::read(bench.path(folder).join(&name)).unwrap();
        assert!(bytes("plain") == bytes("traced"), "{name:?} differs");
    }
}
