//! One traced program, followed by `predict`, by `serve`, and by a real Prometheus that scrapes it.

use crate::prometheus_server::{self, Server as Prometheus};
use crate::support::{Answer, Jobs, Server, command, end, traced, wait};
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

/// A period that `predict` prints.
fn told(predict: &mut Child) -> f64 {
    let lines = BufReader::new(predict.stdout.take().unwrap()).lines();
    let mut periods = lines.map(|line| {
        let line: Value = serde_json::from_str(&line.unwrap()).unwrap();
        line["period_s"].as_f64()
    });
    periods.find_map(|period| period).unwrap()
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
    let running = traced(&jobs, "heat");
    let mut predict = command()
        .arg("predict")
        .arg(jobs.path().join("heat"))
        .args(["--op", "write", "--every", "50ms"])
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();

    let job = server.wait_for("heat", |job| job["prediction"]["period_s"].is_f64());
    let served = job["prediction"]["period_s"].as_f64().unwrap();
    // The program sleeps for half a second and writes for a moment.
    assert!((0.45..2.0).contains(&served), "{job:#}");
    let printed = told(&mut predict);
    assert!(
        (printed / served - 1.0).abs() < 0.2,
        "{printed} and {served}"
    );
    let query = "iotempo_job_period_seconds%7Bjob_id%3D%22heat%22%7D";
    let (labels, scraped) = wait("a period in Prometheus", || asked(&prometheus, query));
    assert!(
        (scraped / served - 1.0).abs() < 0.2,
        "{scraped} and {served}"
    );
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
