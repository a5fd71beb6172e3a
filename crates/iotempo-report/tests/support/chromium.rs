//! Chromium without a window.
#![allow(dead_code, unreachable_pub, reason = "every test uses a part of it")]

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use tempfile::TempDir;

/// A browser that is installed here.
pub struct Chromium(PathBuf);

/// Quiet, alone, and cut off: no host but this has an address.
const FLAGS: [&str; 9] = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
];

impl Chromium {
    /// The browser named by `IOTEMPO_CHROMIUM`, else one of the usual names.
    pub fn find() -> Option<Self> {
        let named = std::env::var_os("IOTEMPO_CHROMIUM").map(PathBuf::from);
        let usual = ["chromium", "chromium-browser", "google-chrome"].map(PathBuf::from);
        let runs = |path: &PathBuf| {
            let mut command = Command::new(path);
            let quiet = command
                .arg("--version")
                .stdout(Stdio::null())
                .stderr(Stdio::null());
            quiet.status().is_ok_and(|status| status.success())
        };
        named.into_iter().chain(usual).find(runs).map(Self)
    }

    /// Starts it to be driven: it takes commands on its standard input and answers on its standard output.
    pub fn driven(&self, place: &TempDir) -> Command {
        let profile = format!("--user-data-dir={}", place.path().join("profile").display());
        let mut command = Command::new("sh");
        // It wants them as files 3 and 4.
        command
            .args(["-c", "exec \"$0\" \"$@\" 3<&0 4>&1 </dev/null >&2"])
            .arg(&self.0)
            .args(FLAGS)
            .args(["--remote-debugging-pipe", &profile]);
        command
    }

    fn run(&self, page: &str, arguments: &[&str], place: &TempDir) -> String {
        let file = place.path().join("page.html");
        std::fs::write(&file, page).unwrap();
        let profile = format!("--user-data-dir={}", place.path().join("profile").display());
        let output = Command::new(&self.0)
            .args(FLAGS)
            .args(["--virtual-time-budget=10000", &profile])
            .args(arguments)
            .arg(format!("file://{}", file.display()))
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{said}");
        String::from_utf8(output.stdout).unwrap()
    }

    /// What became of a page after its scripts ran.
    pub fn dom(&self, page: &str) -> String {
        self.dom_with(page, &[])
    }

    /// The same, with more flags.
    pub fn dom_with(&self, page: &str, flags: &[&str]) -> String {
        let flags = [flags, &["--dump-dom"]].concat();
        self.run(page, &flags, &tempfile::tempdir().unwrap())
    }

    /// Every address that a page made the browser ask for.
    pub fn requests(&self, page: &str) -> Vec<String> {
        let place = tempfile::tempdir().unwrap();
        let log = place.path().join("net.json");
        let flag = format!("--log-net-log={}", log.display());
        self.run(page, &["--dump-dom", &flag], &place);
        addresses(&log)
    }
}

/// The addresses in a log of the browser's network, without those that the browser asks for itself.
fn addresses(log: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(log).unwrap();
    // A browser that ends at once leaves the list open.
    let whole = serde_json::from_str(&text);
    let closed = || serde_json::from_str(&format!("{}]}}", text.trim_end().trim_end_matches(',')));
    let log: Value = whole.or_else(|_| closed()).unwrap();
    let events = log["events"].as_array().unwrap().iter();
    let requests = events.map(|event| &event["params"]);
    let by_a_page = requests.filter(|request| {
        let initiator = request["initiator"].as_str();
        initiator.is_some_and(|origin| origin != "not an origin")
    });
    let urls = by_a_page.filter_map(|request| request["url"].as_str());
    urls.map(str::to_owned).collect()
}
