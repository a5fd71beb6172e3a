//! What the tests of the command line share.
#![allow(
    clippy::unwrap_used,
    dead_code,
    unreachable_pub,
    reason = "every test uses a part of it"
)]

pub mod schema;

use assert_cmd::Command;
use serde_json::Value;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// Two ranks, three files, 1000 bytes written and 50 read.
pub const REQUESTS: &str = "rank,op,api,file,start,end,bytes\n\
                            0,write,posix,/a,0,1,600\n\
                            1,write,posix,/b,1,2.5,400\n\
                            0,read,stdio,/c,3,3,50\n";

/// A Darshan log.
pub const DARSHAN: &[u8] = include_bytes!("../../../../testdata/small/checkpoint.darshan");

/// The text of `darshan-dxt-parser`.
pub const DXT_TEXT: &[u8] = include_bytes!("../../../../testdata/corpus/dxt_text/run.txt");

/// What is left of a Darshan log after its header: nothing that could be read.
pub fn cut_darshan() -> &'static [u8] {
    &DARSHAN[..1328]
}

/// A folder of its own, in which `iotempo` runs.
pub struct Place(TempDir);

impl Place {
    pub fn new() -> Self {
        Self(tempfile::tempdir().expect("a temporary folder"))
    }

    /// A folder with `requests.csv`.
    pub fn with_requests() -> Self {
        let place = Self::new();
        place.write("requests.csv", REQUESTS);
        place
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub fn write(&self, name: &str, bytes: impl AsRef<[u8]>) {
        let path = self.path(name);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        std::fs::write(path, bytes).expect("a file");
    }

    pub fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    /// The names of all files here, sorted, hidden ones too.
    pub fn files(&self) -> Vec<String> {
        let mut names = Vec::new();
        list(self.0.path(), self.0.path(), &mut names);
        names.sort();
        names
    }

    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::cargo_bin("iotempo").expect("the program");
        command.current_dir(self.0.path()).args(arguments);
        for name in ["SLURM_CPUS_PER_TASK", "NO_COLOR", "COLUMNS"] {
            command.env_remove(name);
        }
        command
    }

    pub fn run(&self, arguments: &[&str]) -> Ran {
        self.run_with(arguments, "")
    }

    pub fn run_with(&self, arguments: &[&str], stdin: impl Into<Vec<u8>>) -> Ran {
        let output = self
            .command(arguments)
            .write_stdin(stdin)
            .output()
            .expect("it runs");
        Ran {
            code: output.status.code(),
            out: String::from_utf8_lossy(&output.stdout).into_owned(),
            bytes: output.stdout,
            err: String::from_utf8_lossy(&output.stderr).into_owned(),
        }
    }
}

fn list(root: &Path, folder: &Path, names: &mut Vec<String>) {
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() && !path.is_symlink() {
            list(root, &path, names);
        } else {
            let name = path.strip_prefix(root).expect("below the root");
            names.push(name.display().to_string());
        }
    }
}

/// What came of a run.
#[derive(Debug)]
pub struct Ran {
    pub code: Option<i32>,
    pub out: String,
    pub bytes: Vec<u8>,
    pub err: String,
}

impl Ran {
    /// It ended well; what it printed.
    pub fn ok(self) -> Self {
        assert_eq!(self.code, Some(0), "{self:?}");
        self
    }

    /// It ended with this code; what it said.
    pub fn code(self, code: i32) -> Self {
        assert_eq!(self.code, Some(code), "{self:?}");
        self
    }

    pub fn json(&self) -> Value {
        serde_json::from_str(&self.out).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }

    /// The lines on standard output.
    pub fn lines(&self) -> Vec<&str> {
        self.out.lines().collect()
    }
}

/// A tar archive of files with their contents.
pub fn tar(files: &[(&str, &[u8])]) -> Vec<u8> {
    let mut builder = tar::Builder::new(Vec::new());
    for (name, bytes) in files {
        let mut header = tar::Header::new_ustar();
        header.set_size(bytes.len() as u64);
        header.set_mode(0o644);
        // Through the raw name: `..` and absolute names are for the tests, too.
        let field = &mut header.as_old_mut().name;
        field[..name.len()].copy_from_slice(name.as_bytes());
        header.set_cksum();
        builder.append(&header, *bytes).expect("in memory");
    }
    builder.into_inner().expect("in memory")
}

/// The same bytes, compressed.
pub fn gzip(bytes: &[u8]) -> Vec<u8> {
    use std::io::Write;
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(bytes).expect("in memory");
    encoder.finish().expect("in memory")
}
