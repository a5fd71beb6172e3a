//! A query to a real Prometheus, which scrapes this test.

use crate::common::Place;
use crate::prometheus_server::{Server, program};
use crate::running::{PATIENCE, Running};
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::time::{Duration, Instant};

/// The counter rises for a second out of three.
const PERIOD_S: f64 = 3.0;
const BURST_S: f64 = 1.0;
const BYTES: f64 = 1e9;

/// What moved after that many seconds.
fn counter(seconds: f64) -> f64 {
    let whole = (seconds / PERIOD_S).floor();
    let part = ((seconds - whole * PERIOD_S) / BURST_S).min(1.0);
    ((whole + part) * BYTES).round()
}

/// Answers whoever scrapes, and gives the port.
fn exporter() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    std::thread::spawn(move || {
        let start = Instant::now();
        for stream in listener.incoming() {
            let stream = stream.unwrap();
            std::thread::spawn(move || answer(stream, start));
        }
    });
    port
}

/// Answers until the connection ends.
fn answer(mut stream: TcpStream, start: Instant) -> std::io::Result<()> {
    let mut heard = Vec::new();
    loop {
        let mut byte = [0];
        stream.read_exact(&mut byte)?;
        heard.push(byte[0]);
        if heard.ends_with(b"\r\n\r\n") {
            heard.clear();
            let bytes = counter(start.elapsed().as_secs_f64());
            let body = format!(
                "# TYPE demo_written_bytes_total counter\n\
                 demo_written_bytes_total {bytes}\n\
                 demo_two{{n=\"1\"}} 1\ndemo_two{{n=\"2\"}} 2\n"
            );
            let length = body.len();
            write!(
                stream,
                "HTTP/1.1 200 OK\r\nContent-Type: text/plain; version=0.0.4\r\n\
                 Content-Length: {length}\r\n\r\n{body}"
            )?;
        }
    }
}

#[test]
fn the_period_of_a_counter_in_prometheus_is_found() {
    let Some(program) = program() else {
        eprintln!(
            "SKIPPED the_period_of_a_counter_in_prometheus_is_found: there is no prometheus \
             (scripts/setup.sh unpacks it)"
        );
        return;
    };
    let place = Place::new();
    let server = Server::new(&program, &place.path("."), exporter());
    let query = |expression: &'static str| ["--prometheus", &server.url, "--query", expression];
    let words = [&query("demo_written_bytes_total")[..], &["--counter"]].concat();
    let words = [&words[..], &["--step", "0.5s", "--every", "100ms"]].concat();
    // It may be there before the server is, and waits.
    let mut running = Running::new(&place, &words);
    let line = running.wait_for_period_of(PERIOD_S, 0.1);
    assert!(line["start_epoch_s"].as_f64().unwrap() > 1.7e9, "{line}");
    let bytes = line["next_bytes"].as_f64().unwrap();
    assert!((bytes / BYTES - 1.0).abs() < 0.3, "{line}");

    for (expression, words) in [("demo_two", "2 series"), ("rate(", "parse error")] {
        let mut refused = Running::new(&place, &query(expression));
        refused.wait_for(words);
        assert_eq!(refused.child.wait().unwrap().code(), Some(1));
    }
}

#[test]
fn a_server_that_is_not_there_is_asked_again() {
    let free = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", free.local_addr().unwrap());
    drop(free);
    let place = Place::new();
    let words = ["--prometheus", &url, "--query", "x", "--until-idle", "3s"];
    let mut running = Running::new(&place, &words);
    running.wait_for("asking again");
    let end = Instant::now() + PATIENCE;
    while running.child.try_wait().unwrap().is_none() {
        assert!(Instant::now() < end, "it goes on");
        std::thread::sleep(Duration::from_millis(50));
    }
    assert_eq!(running.count("asking again"), 1);
}
