//! Who gets what, and how much of it.

use crate::support::{Answer, Events, Jobs, PATIENCE, Server, command, wait};
use serde_json::Value;
use std::io::{Read, Write};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::process::{Command, Output};
use std::time::{Duration, Instant};

const TOKEN: &str = "a-secret-of-some-length";

fn one_job() -> Jobs {
    let jobs = Jobs::new();
    jobs.append_phases("a.csv", 0..8);
    jobs
}

fn token_file(jobs: &Jobs, text: &str, mode: u32) -> PathBuf {
    let path = jobs.path().join("token");
    std::fs::write(&path, text).unwrap();
    std::fs::set_permissions(&path, PermissionsExt::from_mode(mode)).unwrap();
    path
}

/// What comes of a server that does not start.
fn refused(jobs: &Jobs, words: &[&str]) -> String {
    let mut command = command();
    command.arg("serve").arg(jobs.path()).args(words);
    let Output { status, stderr, .. } = command.output().unwrap();
    let said = String::from_utf8_lossy(&stderr).into_owned();
    assert_eq!(status.code(), Some(1), "{said}");
    said
}

#[test]
fn with_a_token_only_who_knows_it_learns_anything() {
    let jobs = one_job();
    let path = token_file(&jobs, &format!("{TOKEN}\n"), 0o600);
    let mut server = Server::start(&jobs, &["--token-file", path.to_str().unwrap()]);
    for path in ["/", "/healthz"] {
        assert_eq!(server.get(path).status, 200, "{path}");
    }
    let secret = [
        "/api/jobs",
        "/api/jobs/a.csv",
        "/api/events",
        "/metrics",
        "/api/openapi.json",
    ];
    for path in secret {
        let answer = server.get(path);
        assert_eq!(answer.status, 401, "{path}");
        assert!(
            answer.head.contains("www-authenticate: bearer"),
            "{answer:?}"
        );
        assert_eq!(server.get(&format!("{path}?token={TOKEN}")).status, 401);
        let none = "this server wants a token: send it in a header, Authorization: Bearer TOKEN";
        assert_eq!(answer.json()["error"], none);
        let wrong = "this is not the token of this server: send it in a header, \
                     Authorization: Bearer TOKEN";
        for (sent, said) in [
            ("Bearer", none),
            ("Bearer a-secret-of-some-lengtH", wrong),
            ("Bearer x", wrong),
            ("Basic a-secret-of-some-length", none),
        ] {
            let header = format!("Authorization: {sent}");
            let answer = server.ask(&format!("GET {path} HTTP/1.1"), &[&header]);
            assert_eq!(answer.status, 401, "{sent}");
            assert_eq!(answer.json()["error"], said, "{sent}");
        }
    }
    server.token = Some(TOKEN.to_owned());
    server.wait_for("a.csv", |job| !job["prediction"].is_null());
    assert_eq!(server.get("/metrics").status, 200);
}

#[test]
fn a_token_that_others_can_read_or_guess_is_refused() {
    let jobs = one_job();
    let path = token_file(&jobs, TOKEN, 0o644);
    let words = ["--token-file", path.to_str().unwrap()];
    assert!(refused(&jobs, &words).contains("chmod 600"));
    token_file(&jobs, "short", 0o600);
    std::fs::set_permissions(&path, PermissionsExt::from_mode(0o600)).unwrap();
    assert!(refused(&jobs, &words).contains("16 to 512"));
}

#[test]
fn what_others_can_reach_needs_a_token() {
    let jobs = one_job();
    for address in ["0.0.0.0:0", "[::]:0"] {
        let said = refused(&jobs, &["--listen", address]);
        assert!(said.contains("needs a token"), "{said}");
    }
}

#[test]
fn without_a_token_only_local_names_are_answered() {
    let jobs = one_job();
    let server = Server::start(&jobs, &[]);
    for (host, status) in [
        ("Host: localhost", 200),
        ("Host: 127.0.0.1:1", 200),
        ("Host: example.org", 421),
        ("Host: 127.0.0.1.example.org", 421),
    ] {
        let answer = server.ask("GET /api/jobs HTTP/1.1", &[host]);
        assert_eq!(answer.status, status, "{host}");
        assert!(!answer.head.contains("access-control"), "{answer:?}");
    }
}

#[test]
fn requests_that_are_none_of_ours_are_refused() {
    let jobs = one_job();
    let server = Server::start(&jobs, &[]);
    server.wait_for("a.csv", |job| !job["prediction"].is_null());
    for path in [
        "/api/jobs/..%2f..%2fetc%2fpasswd",
        "/api/jobs/%2e%2e",
        "/api/jobs/../../etc/passwd",
        "/api/jobs/a.csv%00",
        "/api/jobs//",
        "/..",
        "/api/jobs/%ff%fe",
    ] {
        let answer = server.get(path);
        assert!([400, 404].contains(&answer.status), "{path}: {answer:?}");
        assert!(!answer.body.contains("root:"), "{path}");
    }
    for (request, headers, status) in [
        ("POST /api/jobs HTTP/1.1", &[][..], 405),
        ("DELETE /api/jobs/a.csv HTTP/1.1", &[], 405),
        ("GET /api/jobs HTTP/1.1", &["Content-Length: 5"], 413),
        (
            "GET /api/jobs HTTP/1.1",
            &["Transfer-Encoding: chunked"],
            413,
        ),
        ("HEAD /api/jobs HTTP/1.1", &[], 200),
        ("nonsense", &[], 400),
    ] {
        let answer = server.ask(request, headers);
        assert_eq!(answer.status, status, "{request} {headers:?}: {answer:?}");
    }
    let long = format!("/api/jobs?after={}", "x".repeat(5000));
    assert_eq!(server.get(&long).status, 414);
    // Whether all of it was taken when it is refused or not, the answer comes.
    for length in [17_000, 40_000, 600_000] {
        let header = format!("X-Long: {}", "x".repeat(length));
        let answer = server.ask("GET /api/jobs HTTP/1.1", &[&header]);
        assert_eq!(answer.status, 431, "{length}: {answer:?}");
    }
    assert_eq!(server.get("/api/jobs").status, 200);
}

#[test]
fn the_page_runs_nothing_but_its_own() {
    let jobs = Jobs::new();
    let server = Server::start(&jobs, &[]);
    let (first, second) = (server.get("/"), server.get("/"));
    let policy = |answer: &Answer| {
        let line = answer
            .head
            .lines()
            .find(|line| line.starts_with("content-security-policy"));
        line.unwrap().to_owned()
    };
    assert!(policy(&first).contains("default-src 'none'"), "{first:?}");
    assert!(!policy(&first).contains("unsafe"), "{first:?}");
    assert_ne!(
        policy(&first),
        policy(&second),
        "what marks its scripts can be foreseen"
    );
    for mark in ["<script>", "<style>", "src=\"http", "href=\"http"] {
        assert!(!first.body.contains(mark), "{mark}");
    }
}

#[test]
fn names_that_are_no_text_do_not_matter() {
    let jobs = Jobs::new();
    let name = std::ffi::OsStr::from_bytes(b"\xff<b>\n.csv");
    std::fs::write(jobs.path().join(name), "op,start,end,bytes\nwrite,0,1,5\n").unwrap();
    let server = Server::start(&jobs, &[]);
    let id = wait("the job", || {
        let list = server.json("/api/jobs");
        list["jobs"][0]["id"].as_str().map(str::to_owned)
    });
    let job = server.wait_for(&id, |job| job["requests"] == 1);
    assert_eq!(job["name"], "\u{fffd}<b>\n.csv");
    assert!(
        server
            .get("/metrics")
            .body
            .contains(&format!("{{job_id=\"{id}\"}}"))
    );
}

#[test]
fn who_does_not_finish_its_request_is_let_go() {
    let jobs = one_job();
    let server = Server::start(&jobs, &[]);
    let mut slow = server.connect();
    slow.write_all(b"GET /api/jobs HTTP/1.1\r\nHost: local")
        .unwrap();
    let mut silent = server.connect();
    let began = Instant::now();
    for stream in [&mut slow, &mut silent] {
        let mut rest = Vec::new();
        let _ = stream.read_to_end(&mut rest);
        assert!(began.elapsed() < PATIENCE, "still open");
    }
    assert!(began.elapsed() > Duration::from_secs(5));
}

#[test]
fn connections_beyond_the_limit_are_turned_away() {
    let jobs = one_job();
    let server = Server::start(&jobs, &[]);
    let open: Vec<_> = (0..512).map(|_| server.connect()).collect();
    let answer = server.get("/api/jobs");
    assert_eq!(answer.status, 503, "{answer:?}");
    drop(open);
    wait("room", || {
        (server.get("/api/jobs").status == 200).then_some(())
    });
}

#[test]
fn streams_beyond_the_limit_are_turned_away() {
    let jobs = one_job();
    let server = Server::start(&jobs, &[]);
    let open: Vec<_> = (0..256)
        .map(|_| Events::open(&server, "/api/events", None))
        .collect();
    assert_eq!(server.get("/api/events").status, 503);
    assert_eq!(server.get("/api/jobs").status, 200);
    drop(open);
    wait("room", || {
        let figures = server.get("/metrics").body;
        figures.contains("iotempo_serve_streams 0\n").then_some(())
    });
}

/// A journal with so much to tell that no buffer holds it.
fn write_long_journal(jobs: &Jobs) {
    let line: Value = serde_json::json!({
        "number": 1, "at_s": 1.0, "state": "learning", "period_s": null, "confidence": 0.0,
        "accuracy": {"judged": 0, "missed": 0, "within_interval": 0},
        "source": "x".repeat(4000),
    });
    let mut text = String::new();
    for seq in 1..=4000 {
        let entry = serde_json::json!({
            "seq": seq, "job": "old", "run": seq, "start_epoch_ns": null, "made_epoch_s": 0.0,
            "line": line,
        });
        text.push_str(&format!("{entry}\n"));
    }
    std::fs::create_dir(jobs.state()).unwrap();
    std::fs::write(jobs.state().join("predictions.jsonl"), text).unwrap();
}

#[test]
fn who_never_reads_is_let_go_and_keeps_nobody_waiting() {
    let jobs = one_job();
    write_long_journal(&jobs);
    let server = Server::start(&jobs, &[]);
    let deaf = Events::open(&server, "/api/events", Some(0));
    let mut other = Events::open(&server, "/api/events", None);
    let streams = || {
        server
            .get("/metrics")
            .body
            .contains("iotempo_serve_streams 2\n")
    };
    wait("both", || streams().then_some(()));
    jobs.append_phases("a.csv", 8..9);
    let (_, data) = other.prediction();
    assert_eq!(data["job"], "a.csv");
    wait("it to be let go", || {
        let figures = server.get("/metrics").body;
        figures.contains("iotempo_serve_streams 1\n").then_some(())
    });
    drop(deaf);
}

#[test]
fn a_server_that_is_asked_to_stop_does_so_at_once() {
    let jobs = one_job();
    let server = Server::start(&jobs, &[]);
    server.wait_for("a.csv", |job| !job["prediction"].is_null());
    let streams: Vec<_> = (0..8)
        .map(|_| Events::open(&server, "/api/events", None))
        .collect();
    let idle = server.connect();
    let took = server.stop();
    assert!(took < Duration::from_secs(5), "{took:?}");
    assert!(streams.into_iter().all(Events::has_ended));
    drop(idle);
}

/// A network of its own with a way to this one; `None` where that cannot be had.
struct Network(String);

impl Network {
    const HERE: &str = "10.213.77.1";

    fn new() -> Option<Self> {
        let name = format!("iotempo{}", std::process::id());
        let (here, there) = (format!("ith{}", std::process::id()), "itt0");
        let network = Self(name.clone());
        ip(&["netns", "add", &name])?;
        ip(&[
            "link", "add", &here, "type", "veth", "peer", "name", there, "netns", &name,
        ])?;
        ip(&["addr", "add", &format!("{}/30", Self::HERE), "dev", &here])?;
        ip(&["link", "set", &here, "up"])?;
        ip(&["-n", &name, "addr", "add", "10.213.77.2/30", "dev", there])?;
        ip(&["-n", &name, "link", "set", there, "up"])?;
        Some(network)
    }

    /// The status of an answer to a request from there.
    fn status(&self, port: u16, token: Option<&str>) -> Option<String> {
        let header = format!("Authorization: Bearer {}", token.unwrap_or_default());
        let output = Command::new("ip")
            .args([
                "netns",
                "exec",
                &self.0,
                "curl",
                "-s",
                "-m",
                "20",
                "-o",
                "/dev/null",
            ])
            .args(["-w", "%{http_code}", "-H", &header])
            .arg(format!("http://{}:{port}/api/jobs", Self::HERE))
            .output();
        let output = output.unwrap();
        let status = String::from_utf8(output.stdout).unwrap();
        output.status.success().then_some(status)
    }
}

impl Drop for Network {
    fn drop(&mut self) {
        // Its end of the cable goes with it, and so does ours.
        ip(&["netns", "del", &self.0]);
    }
}

fn ip(words: &[&str]) -> Option<()> {
    let output = Command::new("ip").args(words).output().ok()?;
    output.status.success().then_some(())
}

#[test]
fn another_machine_reaches_only_what_it_may() {
    let curl = Command::new("curl").arg("--version").output();
    let (Some(network), Ok(_)) = (Network::new(), curl) else {
        eprintln!("SKIPPED a server seen from another network: needs root, iproute2 and curl");
        return;
    };
    let jobs = one_job();
    let local = Server::start(&jobs, &[]);
    assert_eq!(network.status(local.address.port(), None), None);
    assert_eq!(local.get("/api/jobs").status, 200);
    drop(local);
    let mut command = command();
    command.arg("serve").arg(jobs.path());
    command
        .args(["--listen", "0.0.0.0:0"])
        .env("IOTEMPO_TOKEN", TOKEN);
    let open = Server::of(&mut command);
    let port = open.address.port();
    assert_eq!(network.status(port, None).as_deref(), Some("401"));
    assert_eq!(network.status(port, Some(TOKEN)).as_deref(), Some("200"));
}
