//! A server that runs, and a client that knows just enough of HTTP.

use serde_json::Value;
use std::fs::OpenOptions;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// How long anything may take on a machine that has other things to do.
pub const PATIENCE: Duration = Duration::from_secs(120);

/// A folder of jobs.
pub struct Jobs(TempDir);

impl Jobs {
    pub fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    pub fn path(&self) -> &Path {
        self.0.path()
    }

    pub fn state(&self) -> PathBuf {
        self.path().join(".iotempo-serve")
    }

    /// Phases of a job that writes every 20 s, in a table.
    pub fn append_phases(&self, name: &str, phases: std::ops::Range<u32>) {
        let path = self.path().join(name);
        let mut text = String::new();
        if !path.exists() {
            text.push_str("op,start,end,bytes\n");
        }
        for phase in phases {
            let start = 20 * phase;
            text.push_str(&format!("write,{start},{},1000000\n", start + 2));
        }
        let file = OpenOptions::new().append(true).create(true).open(path);
        file.unwrap().write_all(text.as_bytes()).unwrap();
    }

    /// The lines of the journal.
    pub fn journal(&self) -> Vec<Value> {
        let path = self.state().join("predictions.jsonl");
        let text = std::fs::read_to_string(path).unwrap_or_default();
        text.lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect()
    }
}

/// A server that runs.
pub struct Server {
    child: Child,
    pub address: SocketAddr,
    pub token: Option<String>,
}

impl Server {
    pub fn start(jobs: &Jobs, words: &[&str]) -> Self {
        let mut command = command();
        command.arg("serve").arg(jobs.path());
        command.args(["--every", "50ms"]);
        if !words.contains(&"--listen") {
            command.args(["--listen", "127.0.0.1:0"]);
        }
        Self::of(command.args(words))
    }

    /// A command that begins to listen somewhere.
    pub fn of(command: &mut Command) -> Self {
        command.stdout(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let mut line = String::new();
        let mut out = BufReader::new(child.stdout.take().unwrap());
        out.read_line(&mut line).unwrap();
        let address = line.trim().strip_prefix("listening on http://");
        let address = address.unwrap_or_else(|| panic!("{line:?}"));
        Self {
            child,
            address: address.parse().unwrap(),
            token: None,
        }
    }

    /// Ends it without a word.
    pub fn kill(mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    /// Asks it to end; how long that took.
    pub fn stop(mut self) -> Duration {
        let began = Instant::now();
        self.signal("TERM");
        let status = self.child.wait().unwrap();
        assert!(status.success(), "{status:?}");
        began.elapsed()
    }

    pub fn signal(&self, name: &str) {
        signal(self.child.id(), name);
    }

    pub fn get(&self, path: &str) -> Answer {
        self.ask(&format!("GET {path} HTTP/1.1"), &[])
    }

    pub fn json(&self, path: &str) -> Value {
        let answer = self.get(path);
        assert_eq!(answer.status, 200, "{path}: {answer:?}");
        answer.json()
    }

    /// What comes of a request with these headers beside the usual ones.
    pub fn ask(&self, request: &str, headers: &[&str]) -> Answer {
        let mut stream = self.connect();
        let mut text = format!("{request}\r\nConnection: close\r\n");
        if !headers.iter().any(|header| header.starts_with("Host:")) {
            text.push_str(&format!("Host: {}\r\n", self.address));
        }
        if let Some(token) = &self.token {
            text.push_str(&format!("Authorization: Bearer {token}\r\n"));
        }
        for header in headers {
            text.push_str(&format!("{header}\r\n"));
        }
        text.push_str("\r\n");
        // Who is refused may be so before all was said.
        let _ = stream.write_all(text.as_bytes());
        Answer::read(stream)
    }

    pub fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(self.address).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        stream
    }

    /// The job once it is as wanted.
    pub fn wait_for(&self, id: &str, wanted: impl Fn(&Value) -> bool) -> Value {
        let path = format!("/api/jobs/{id}");
        wait(&format!("job {id}"), || {
            let answer = self.get(&path);
            let job = (answer.status == 200).then(|| answer.json());
            job.filter(&wanted)
        })
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

pub fn command() -> Command {
    let mut command = Command::new(assert_cmd::cargo::cargo_bin("iotempo"));
    command.env_remove("IOTEMPO_TOKEN");
    command
}

/// What comes of asking again and again.
pub fn wait<T>(what: &str, mut ask: impl FnMut() -> Option<T>) -> T {
    let began = Instant::now();
    loop {
        if let Some(answer) = ask() {
            return answer;
        }
        assert!(began.elapsed() < PATIENCE, "waited in vain for {what}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// An answer.
#[derive(Debug)]
pub struct Answer {
    pub status: u16,
    pub head: String,
    pub body: String,
}

impl Answer {
    /// Reads until the other end closes.
    pub fn read(mut stream: impl Read) -> Self {
        let mut bytes = Vec::new();
        // A connection that is reset has said what it had to say.
        let _ = stream.read_to_end(&mut bytes);
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let (head, body) = text.split_once("\r\n\r\n").unwrap_or((&text, ""));
        let status = head.split(' ').nth(1).and_then(|word| word.parse().ok());
        Self {
            status: status.unwrap_or(0),
            head: head.to_ascii_lowercase(),
            body: body.to_owned(),
        }
    }

    pub fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }
}

/// A stream of events.
pub struct Events(BufReader<TcpStream>);

impl Events {
    pub fn open(server: &Server, path: &str, last: Option<u64>) -> Self {
        let mut stream = server.connect();
        let last = last.map_or(String::new(), |id| format!("Last-Event-ID: {id}\r\n"));
        let token = server.token.as_deref().unwrap_or_default();
        let head = format!(
            "GET {path} HTTP/1.0\r\nHost: localhost\r\nAuthorization: Bearer {token}\r\n{last}\r\n"
        );
        stream.write_all(head.as_bytes()).unwrap();
        let mut events = Self(BufReader::new(stream));
        assert!(events.line().contains(" 200 "));
        while !events.line().is_empty() {}
        events
    }

    fn line(&mut self) -> String {
        let mut line = String::new();
        assert!(self.0.read_line(&mut line).unwrap() > 0, "the stream ended");
        line.trim_end().to_owned()
    }

    /// The next event: its name, its number and its data.
    pub fn next(&mut self) -> (String, Option<u64>, Value) {
        let (mut name, mut id) = (String::new(), None);
        loop {
            let line = self.line();
            if let Some(event) = line.strip_prefix("event: ") {
                name = event.to_owned();
            } else if let Some(number) = line.strip_prefix("id: ") {
                id = Some(number.parse().unwrap());
            } else if let Some(data) = line.strip_prefix("data: ") {
                return (name, id, serde_json::from_str(data).unwrap());
            } else if line.is_empty() {
                id = None;
            }
        }
    }

    /// The next prediction: its number and its data.
    pub fn prediction(&mut self) -> (u64, Value) {
        loop {
            let (name, id, data) = self.next();
            if name == "prediction" {
                return (id.unwrap(), data);
            }
        }
    }

    /// Whether the other end has closed it.
    pub fn has_ended(mut self) -> bool {
        let mut rest = Vec::new();
        self.0.read_to_end(&mut rest).is_ok()
    }
}

/// The numbers of the predictions of a job's run in the journal.
pub fn numbers(journal: &[Value], job: &str, run: u64) -> Vec<u64> {
    let own = journal
        .iter()
        .filter(|entry| entry["job"] == job && entry["run"] == run);
    own.map(|entry| entry["line"]["number"].as_u64().unwrap())
        .collect()
}

/// A program that writes now and then, under the tracer.
pub fn traced(jobs: &Jobs, name: &str) -> Child {
    let script = "i=0; while [ $i -lt 400 ]; do \
                  dd if=/dev/zero of=$0 bs=1M count=8 conv=notrunc 2>/dev/null; \
                  sleep 0.5; i=$((i+1)); done";
    traced_program(jobs, name, &["sh", "-c", script])
}

/// A program that writes 4 MiB every second, under the tracer.
pub fn traced_by_the_clock(jobs: &Jobs, name: &str) -> Child {
    let program = include_str!("../common/steady.py");
    traced_program(jobs, name, &["python3", "-c", program])
}

/// A program that writes into the file that is its last word.
fn traced_program(jobs: &Jobs, name: &str, words: &[&str]) -> Child {
    let data = jobs.path().join(format!("{name}.data"));
    Command::new(assert_cmd::cargo::cargo_bin("iotempo"))
        .args(["trace", "-q", "-o"])
        .arg(jobs.path())
        .arg("--")
        .args(words)
        .arg(data)
        .env("IOTEMPO_JOB", name)
        .spawn()
        .unwrap()
}

/// Ends a program that is traced; `iotempo trace` hands the signal on.
pub fn end(mut program: Child) {
    signal(program.id(), "TERM");
    program.wait().unwrap();
}

pub fn signal(process: u32, name: &str) {
    let id = process.to_string();
    let sent = Command::new("kill").args(["-s", name, &id]).status();
    assert!(sent.unwrap().success());
}
