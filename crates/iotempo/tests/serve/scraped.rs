//! One traced program, followed by `predict`, by `serve`, and by a real Prometheus that scrapes it.

use crate::prometheus_server::{self, Server as Prometheus};
use crate::support::{Answer, Jobs, Server, command, end, traced_by_the_clock, wait};
use serde_json::Value;
use std::io::{BufRead, BufReader, Write};
use std::net::TcpStream;
use std::process::{Child, Stdio};

/// The value of a query that gives one series.
fn asked(prometheus: &Prometheus, query: &str) -> Option<(Value, f64)> {
    let address = prometheus.url.strip_prefix("http://").unwrap();
    let mut stream = TcpStream::connect(address).ok()?;
    let request = format!(
        "GET /api/v1/query?query={query} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n"
    );
    stream.write_all(request.as_bytes()).ok()?;
    let answer = Answer::read(stream);
    // Chunks have their length before them.
    let from = answer.body.find('{')?;
    let to = answer.body.rfind('}')?;
    let json: Value = serde_json::from_str(&answer.body[from..=to]).ok()?;
    let series = json["data"]["result"].as_array()?.first()?;
    let value = series["value"][1].as_str()?.parse().ok()?;
    Some((series["metric"].clone(), value))
}

/// Whether it is the second that the program follows. The first few phases tell a period roughly, and a busy
/// machine delays some of them.
fn is_right(period: f64) -> bool {
    (period - 1.0).abs() < 0.1
}

/// Waits until `predict` prints the period.
fn is_told(predict: &mut Child) -> bool {
    let lines = BufReader::new(predict.stdout.take().unwrap()).lines();
    let mut periods = lines.filter_map(|line| {
        let line: Value = serde_json::from_str(&line.unwrap()).unwrap();
        line["period_s"].as_f64()
    });
    periods.any(is_right)
}

#[test]
fn a_running_program_is_seen_by_predict_by_serve_and_by_prometheus() {
    let Some(program) = prometheus_server::program() else {
        eprintln!(
            "SKIPPED a_running_program_is_seen_by_predict_by_serve_and_by_prometheus: there is no \
             prometheus (scripts/setup.sh unpacks it)"
        );
        return;
    };
    let jobs = Jobs::new();
    let server = Server::start(&jobs, &["--op", "write"]);
    let data = tempfile::tempdir().unwrap();
    let prometheus = Prometheus::new(&program, data.path(), server.address.port());
    let running = traced_by_the_clock(&jobs, "heat");
    let mut predict = command()
        .arg("predict")
        .arg(jobs.path().join("heat"))
        .args(["--op", "write", "--every", "50ms"])
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();

    server.wait_for("heat", |job| {
        job["prediction"]["period_s"].as_f64().is_some_and(is_right)
    });
    assert!(is_told(&mut predict));
    let query = "iotempo_job_period_seconds%7Bjob_id%3D%22heat%22%7D";
    let labels = wait("the period in Prometheus", || {
        let (labels, period) = asked(&prometheus, query)?;
        is_right(period).then_some(labels)
    });
    assert_eq!(
        (&labels["job_id"], &labels["job"]),
        (&"heat".into(), &"demo".into())
    );
    let query = "iotempo_job_written_bytes_total";
    let (_, bytes) = wait("bytes in Prometheus", || asked(&prometheus, query));
    assert!(bytes >= 8.0 * 1048576.0, "{bytes}");

    predict.kill().unwrap();
    predict.wait().unwrap();
    end(running);
}
