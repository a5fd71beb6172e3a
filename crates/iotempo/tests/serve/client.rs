//! `iotempo predict --follow`: what a server says, on the command line.

use crate::support::{Jobs, PATIENCE, Server, command};
use serde_json::Value;
use std::io::{BufRead, BufReader, Lines};
use std::process::{Child, ChildStdout, Stdio};
use std::time::Instant;

struct Client(Child, Lines<BufReader<ChildStdout>>);

impl Client {
    fn start(words: &[&str], token: Option<&str>) -> Self {
        let mut command = command();
        command.arg("predict").args(words).stdout(Stdio::piped());
        command.envs(token.map(|token| ("IOTEMPO_TOKEN", token)));
        let mut child = command.spawn().unwrap();
        let out = BufReader::new(child.stdout.take().unwrap());
        Self(child, out.lines())
    }

    fn next(&mut self) -> Value {
        serde_json::from_str(&self.1.next().unwrap().unwrap()).unwrap()
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn listens(server: &Server) {
    crate::support::wait("a client", || {
        let figures = server.get("/metrics").body;
        figures.contains("iotempo_serve_streams 1\n").then_some(())
    });
}

#[test]
fn lines_come_as_they_are_made_and_go_on_after_a_restart() {
    let jobs = Jobs::new();
    jobs.append_phases("a.csv", 0..8);
    jobs.append_phases("b.csv", 0..8);
    let server = Server::start(&jobs, &[]);
    for id in ["a.csv", "b.csv"] {
        server.wait_for(id, |job| !job["prediction"].is_null());
    }
    let url = format!("http://{}/api/jobs/a.csv", server.address);
    let mut client = Client::start(&["--follow", &url], None);
    listens(&server);
    jobs.append_phases("b.csv", 8..9);
    jobs.append_phases("a.csv", 8..9);
    let line = client.next();
    assert_eq!(
        (&line["source"], &line["number"]),
        (&"a.csv".into(), &2.into())
    );
    assert_eq!(line["schema"], "iotempo/prediction/1");
    let port = server.address.port().to_string();
    server.kill();
    // What is made while the client is away is what it hears first.
    let listen = format!("127.0.0.1:{port}");
    jobs.append_phases("a.csv", 9..10);
    let server = Server::start(&jobs, &["--listen", &listen]);
    server.wait_for("a.csv", |job| job["prediction"]["number"] == 3);
    assert_eq!(client.next()["number"], 3);
    listens(&server);
    jobs.append_phases("a.csv", 10..11);
    assert_eq!(client.next()["number"], 4);
}

#[test]
fn a_client_needs_the_token_and_ends_when_nothing_comes() {
    let jobs = Jobs::new();
    let token = "a-secret-of-some-length";
    let mut serve = command();
    serve
        .arg("serve")
        .arg(jobs.path())
        .args(["--listen", "127.0.0.1:0"]);
    let server = Server::of(serve.env("IOTEMPO_TOKEN", token));
    let url = format!("http://{}", server.address);
    let words = ["predict", "--follow", &url, "--until-idle", "300ms"];
    let refused = command().args(words).output().unwrap();
    let said = String::from_utf8_lossy(&refused.stderr);
    assert!(
        refused.status.code() == Some(1) && said.contains("401") && said.contains("--token-file"),
        "{said}"
    );
    assert!(said.contains("this server wants a token"), "{said}");
    let ended = command()
        .args(words)
        .env("IOTEMPO_TOKEN", token)
        .output()
        .unwrap();
    assert!(
        ended.status.success() && ended.stdout.is_empty(),
        "{ended:?}"
    );
    let wrong = command()
        .args(["predict", "--follow", "login:7788"])
        .output()
        .unwrap();
    assert_eq!(wrong.status.code(), Some(2));
}

#[test]
fn a_server_that_is_not_there_yet_is_waited_for() {
    let jobs = Jobs::new();
    // A port that was free a moment ago.
    let port = Server::start(&jobs, &[]).address.port();
    let listen = format!("127.0.0.1:{port}");
    // As the address stands in a browser.
    let url = format!("http://{listen}/#job/a.csv");
    let mut command = command();
    command.args(["predict", "--follow", &url]);
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut said = BufReader::new(child.stderr.take().unwrap()).lines();
    let out = BufReader::new(child.stdout.take().unwrap());
    let mut client = Client(child, out.lines());
    let first = said.next().unwrap().unwrap();
    assert!(
        first.contains("refused") && first.contains("waiting for it, up to 30 s"),
        "{first}"
    );
    let server = Server::start(&jobs, &["--listen", &listen]);
    // Neither is a job that has not begun a reason to give up.
    let mut later = said.by_ref().map(Result::unwrap);
    let waits = |line: &String| line.contains("no such job: 'a.csv'") && line.contains("waiting");
    assert!(later.any(|line| waits(&line)));
    jobs.append_phases("a.csv", 0..8);
    server.wait_for("a.csv", |job| !job["prediction"].is_null());
    let third = said.next().unwrap().unwrap();
    assert!(third.ends_with("there now"), "{third}");
    // What was said of it before it was asked for again is heard all the same.
    assert_eq!(client.next()["number"], 1);
    listens(&server);
    jobs.append_phases("a.csv", 8..9);
    assert_eq!(client.next()["number"], 2);
}

#[test]
fn waiting_for_a_server_has_an_end() {
    let jobs = Jobs::new();
    let port = Server::start(&jobs, &[]).address.port();
    let url = format!("http://127.0.0.1:{port}");
    for (words, warned) in [
        (["--connect-timeout", "0"], false),
        (["--connect-timeout", "400ms"], true),
        (["--until-idle", "400ms"], true),
    ] {
        let began = Instant::now();
        let mut command = command();
        command.args(["predict", "--follow", &url]).args(words);
        let output = command.output().unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(1), "{said}");
        assert!(began.elapsed() < PATIENCE / 4, "{words:?}");
        assert!(said.contains("refused") && said.contains(&url), "{said}");
        assert_eq!(said.contains("waiting for it"), warned, "{said}");
    }
}

#[test]
fn an_address_that_cannot_be_followed_says_what_can() {
    for (url, wanted) in [
        ("https://login:7788", "https is not spoken here"),
        ("http://login:7788/jobs", "http://login:7788/#job/ID"),
    ] {
        let output = command().args(["predict", "--follow", url]).output();
        let output = output.unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(said.contains(url) && said.contains(wanted), "{said}");
    }
}
