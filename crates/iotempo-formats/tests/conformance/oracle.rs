//! pydarshan in processes of its own.

use super::corpus::workspace;
use serde::{Deserialize, Deserializer};
use std::borrow::Cow;
use std::collections::HashMap;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

/// The Python that has pydarshan, or why there is none.
pub fn python() -> Result<PathBuf, String> {
    if let Some(python) = std::env::var_os("IOTEMPO_PYTHON") {
        return Ok(python.into());
    }
    let python = workspace().join(".venv/bin/python");
    if python.is_file() {
        return Ok(python);
    }
    let reason = std::fs::read_to_string(workspace().join(".venv-missing"));
    let reason = reason.map_or_else(
        |_| "run scripts/setup.sh".to_owned(),
        |text| text.trim().to_owned(),
    );
    Err(format!("no Python with pydarshan ({reason})"))
}

/// A running oracle.
pub struct Oracle {
    child: Child,
    questions: Option<ChildStdin>,
    answers: BufReader<ChildStdout>,
    pub greeting: Greeting,
}

/// What the oracle says of itself.
#[derive(Deserialize)]
pub struct Greeting {
    /// The version of pydarshan.
    pub version: String,
    /// The names of integer and floating-point counters, by module.
    pub counters: HashMap<String, (Vec<String>, Vec<String>)>,
}

/// What became of a log.
#[derive(Deserialize)]
pub struct Answer {
    /// `read`, or the signal or error that ended the reading.
    pub outcome: String,
    pub dump: Option<Dump>,
}

/// A log as pydarshan reads it.
#[derive(Deserialize)]
pub struct Dump {
    /// Why the log was rewritten before pydarshan could read it.
    pub rewritten: Vec<String>,
    /// The bits of modules that dropped records, as on disk.
    pub partial_bits: u64,
    /// Length of the decompressed job record.
    pub job_bytes: u64,
    pub metadata_line_ends: bool,
    pub exe_line_ends: bool,
    pub job: Job,
    pub names: Table,
    pub modules: Vec<Module>,
}

#[derive(Deserialize)]
pub struct Job {
    pub version: String,
    #[serde(deserialize_with = "words")]
    pub words: Vec<u64>,
    pub metadata: Vec<(String, String)>,
    pub exe: String,
    /// Mount points and their types.
    pub mounts: Vec<(String, String)>,
}

/// Numbers and texts, record after record.
#[derive(Deserialize)]
pub struct Table {
    #[serde(deserialize_with = "words")]
    pub words: Vec<u64>,
    #[serde(deserialize_with = "texts")]
    pub texts: Vec<String>,
}

#[derive(Deserialize)]
pub struct Module {
    pub id: u32,
    pub name: String,
    pub version: u32,
    pub partial: bool,
    /// Whether pydarshan hands the records out, or only libdarshan below it.
    pub by_pydarshan: bool,
    /// The number of the module in its log, which is not always its id.
    pub slot: u32,
    /// A field per record that libdarshan does not hand out; see `facts` of `darshan_disk.py`.
    pub facts: Vec<i64>,
    /// What the oracle read from the disk by itself, because libdarshan cannot: thread ids, and the
    /// targets of LUSTRE layouts with an unused component.
    pub own: Vec<u64>,
    /// What ended the records: 0 for their end, negative for an error.
    pub status: i32,
    pub count: u64,
    #[serde(deserialize_with = "words")]
    pub words: Vec<u64>,
    #[serde(deserialize_with = "texts")]
    pub texts: Vec<String>,
}

impl Oracle {
    pub fn start(python: &Path) -> Self {
        let mut child = Command::new(python)
            .arg(workspace().join("python/oracle/darshan_dump.py"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap_or_else(|error| panic!("{}: {error}", python.display()));
        let questions = child.stdin.take();
        let mut answers = BufReader::new(child.stdout.take().expect("piped"));
        let mut line = Vec::new();
        answers.read_until(b'\n', &mut line).expect("a greeting");
        let greeting = serde_json::from_slice(&line).unwrap_or_else(|error| {
            panic!("{}: the oracle does not start: {error}", python.display())
        });
        Self {
            child,
            questions,
            answers,
            greeting,
        }
    }

    /// What pydarshan makes of a log.
    pub fn ask(&mut self, log: &Path) -> Answer {
        let questions = self.questions.as_mut().expect("open");
        writeln!(questions, "{}", log.display()).expect("the oracle listens");
        let mut line = Vec::new();
        self.answers
            .read_until(b'\n', &mut line)
            .expect("an answer");
        serde_json::from_slice(&line).unwrap_or_else(|error| panic!("{}: {error}", log.display()))
    }
}

impl Drop for Oracle {
    fn drop(&mut self) {
        drop(self.questions.take());
        let _ = self.child.wait();
    }
}

fn words<'de, D: Deserializer<'de>>(source: D) -> Result<Vec<u64>, D::Error> {
    let bytes = base64(&Cow::<str>::deserialize(source)?);
    let word = |chunk: &[u8]| u64::from_le_bytes(chunk.try_into().expect("8 bytes"));
    Ok(bytes.chunks_exact(8).map(word).collect())
}

fn texts<'de, D: Deserializer<'de>>(source: D) -> Result<Vec<String>, D::Error> {
    let bytes = base64(&Cow::<str>::deserialize(source)?);
    let texts = bytes.split(|&byte| byte == 0);
    let mut texts: Vec<_> = texts
        .map(|text| String::from_utf8_lossy(text).into_owned())
        .collect();
    // Every text is closed by a NUL, the last one too.
    texts.pop();
    Ok(texts)
}

fn base64(text: &str) -> Vec<u8> {
    let digit = |byte: u8| match byte {
        b'A'..=b'Z' => byte - b'A',
        b'a'..=b'z' => byte - b'a' + 26,
        b'0'..=b'9' => byte - b'0' + 52,
        b'+' => 62,
        b'/' => 63,
        _ => 0,
    };
    let mut bytes = Vec::with_capacity(text.len() / 4 * 3);
    for quartet in text.as_bytes().chunks_exact(4) {
        let bits = quartet
            .iter()
            .fold(0, |bits, &byte| bits << 6 | u32::from(digit(byte)));
        bytes.extend_from_slice(&bits.to_be_bytes()[1..]);
    }
    let padding = text.bytes().rev().take_while(|&byte| byte == b'=').count();
    bytes.truncate(bytes.len() - padding);
    bytes
}
