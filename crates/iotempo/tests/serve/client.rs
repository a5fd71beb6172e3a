//! `iotempo predict --follow`: what a server says, on the command line.

use crate::support::{Jobs, Server, command};
use serde_json::Value;
use std::io::{BufRead, BufReader, Lines};
use std::process::{Child, ChildStdout, Stdio};

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
        refused.status.code() == Some(1) && said.contains("401"),
        "{said}"
    );
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
