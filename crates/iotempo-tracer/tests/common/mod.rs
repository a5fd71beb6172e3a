//! Runs programs under the tracer and reads back what it wrote, as plainly as can be.
#![allow(dead_code)]

pub(crate) mod mpi;
pub(crate) mod reading;

use reading::Log;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;
use tempfile::TempDir;

/// The library, which cargo puts beside the test programs' folder.
pub(crate) fn library() -> PathBuf {
    static LIBRARY: OnceLock<PathBuf> = OnceLock::new();
    LIBRARY
        .get_or_init(|| {
            let test = std::env::current_exe().unwrap();
            let deps = test.parent().unwrap();
            let places = [deps.to_owned(), deps.parent().unwrap().to_owned()];
            let mut found = places
                .iter()
                .map(|place| place.join("libiotempo_tracer.so"));
            found
                .find(|path| path.exists())
                .expect("cargo has built the library")
        })
        .clone()
}

/// A folder to work in, with a place for logs.
pub(crate) struct Bench {
    folder: TempDir,
}

impl Bench {
    pub(crate) fn new() -> Self {
        Self {
            folder: tempfile::tempdir().unwrap(),
        }
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(crate) fn logs(&self) -> PathBuf {
        self.path("logs")
    }

    /// A command that runs in the folder, not traced.
    pub(crate) fn plain(&self, program: impl AsRef<Path>) -> Command {
        let mut command = Command::new(program.as_ref());
        command.current_dir(self.folder.path()).env("LC_ALL", "C");
        command
    }

    /// A command that runs in the folder under the tracer.
    pub(crate) fn traced(&self, program: impl AsRef<Path>) -> Command {
        let mut command = self.plain(program);
        command
            .env("LD_PRELOAD", library())
            .env("IOTEMPO_DIR", self.logs())
            .env("IOTEMPO_JOB", "test");
        command
    }

    /// Runs a line of shell under the tracer and expects it to succeed.
    pub(crate) fn shell(&self, line: &str) -> Output {
        let output = self.traced("/bin/sh").args(["-c", line]).output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{line}: {}: {said}", output.status);
        output
    }

    /// All logs, one per process.
    pub(crate) fn read(&self) -> Vec<Log> {
        let Ok(folder) = std::fs::read_dir(self.logs().join("test")) else {
            return Vec::new();
        };
        let mut paths: Vec<_> = folder.map(|entry| entry.unwrap().path()).collect();
        paths.sort();
        paths.iter().map(|path| Log::read(path)).collect()
    }

    /// Bytes read from and written to a file of the folder, over all processes.
    pub(crate) fn bytes(&self, name: &str) -> (u64, u64) {
        let path = std::fs::canonicalize(self.folder.path())
            .unwrap()
            .join(name);
        bytes_of(&self.read(), path.to_str().unwrap())
    }
}

/// Bytes read from and written to a file, by its name in the logs.
pub(crate) fn bytes_of(logs: &[Log], name: &str) -> (u64, u64) {
    let sums = logs.iter().map(|log| log.bytes(name));
    sums.fold((0, 0), |(read, written), (r, w)| (read + r, written + w))
}

/// Compiles a program of the tests; `None`, and a line that says so, without a compiler.
pub(crate) fn compile(bench: &Bench, test: &str, source: &str) -> Option<PathBuf> {
    // Optimised, getc_unlocked and its like become code of the program that no hook sees.
    compile_with(bench, test, source, &["-O0"])
}

/// The same with flags for the compiler.
pub(crate) fn compile_with(
    bench: &Bench,
    test: &str,
    source: &str,
    flags: &[&str],
) -> Option<PathBuf> {
    let source = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/programs")
        .join(source);
    let program = bench.path("program");
    let compiled = Command::new("cc")
        .args(flags)
        .args(["-g", "-Wall", "-Werror", "-pthread", "-o"])
        .arg(&program)
        .arg(&source)
        .output();
    let Ok(output) = compiled else {
        eprintln!("SKIPPED {test}: no C compiler");
        return None;
    };
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}");
    Some(program)
}

/// Whether a program is there; if not, a line says so.
pub(crate) fn have(test: &str, program: &str) -> bool {
    let found = Command::new(program).arg("--version").output().is_ok();
    if !found {
        eprintln!("SKIPPED {test}: no {program}");
    }
    found
}
