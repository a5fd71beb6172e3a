//! Every answer is what the OpenAPI document says.

use crate::common::schema::{check, schema};
use crate::support::{Answer, Events, Jobs, Server, wait};
use serde_json::{Value, json};

/// A job that repeats, one without data, and one that cannot be read.
fn jobs() -> Jobs {
    let jobs = Jobs::new();
    jobs.append_phases("a.csv", 0..16);
    jobs.append_phases("empty.csv", 0..0);
    std::fs::write(
        jobs.path().join("broken.jsonl"),
        "no such thing\n".repeat(10),
    )
    .unwrap();
    jobs
}

fn started(jobs: &Jobs) -> Server {
    let server = Server::start(jobs, &[]);
    server.wait_for("a.csv", |job| !job["prediction"].is_null());
    server.wait_for("broken.jsonl", |job| !job["error"].is_null());
    server
}

/// Checks an answer against the document.
fn assert_documented(document: &Value, path: &str, answer: &Answer) {
    let operation = &document["paths"][path]["get"];
    let response = &operation["responses"][answer.status.to_string()];
    assert!(response.is_object(), "{path}: {answer:?}");
    let content = response["content"].as_object().unwrap();
    let (kind, content) = content.iter().next().unwrap();
    assert!(
        answer.head.contains(&format!("content-type: {kind}")),
        "{path}: {answer:?}"
    );
    // The document does not describe itself.
    if kind == "application/json" && path != "/api/openapi.json" {
        let wrong = check(&answer.json(), &content["schema"], document, path);
        assert!(wrong.is_empty(), "{wrong:#?}");
    }
}

#[test]
fn answers_are_what_the_document_says() {
    let jobs = jobs();
    let server = started(&jobs);
    let document = server.json("/api/openapi.json");
    assert_eq!(document, schema("openapi"));
    let cases = [
        ("/", "/", 200),
        ("/healthz", "/healthz", 200),
        ("/metrics", "/metrics", 200),
        ("/api/jobs", "/api/jobs", 200),
        (
            "/api/jobs",
            "/api/jobs?limit=1&after=a.csv&status=running",
            200,
        ),
        ("/api/jobs", "/api/jobs?limit=0", 400),
        ("/api/jobs", "/api/jobs?limit=1001", 400),
        ("/api/jobs", "/api/jobs?status=dead", 400),
        ("/api/jobs", "/api/jobs?what=ever", 400),
        ("/api/jobs/{id}", "/api/jobs/a.csv", 200),
        ("/api/jobs/{id}", "/api/jobs/empty.csv", 200),
        ("/api/jobs/{id}", "/api/jobs/broken.jsonl", 200),
        ("/api/jobs/{id}", "/api/jobs/none", 404),
        ("/api/jobs/{id}/signal", "/api/jobs/a.csv/signal", 200),
        (
            "/api/jobs/{id}/signal",
            "/api/jobs/a.csv/signal?from=10&to=50&points=7",
            200,
        ),
        ("/api/jobs/{id}/signal", "/api/jobs/empty.csv/signal", 200),
        (
            "/api/jobs/{id}/signal",
            "/api/jobs/a.csv/signal?points=513",
            400,
        ),
        (
            "/api/jobs/{id}/signal",
            "/api/jobs/a.csv/signal?from=nan",
            400,
        ),
        (
            "/api/jobs/{id}/signal",
            "/api/jobs/a.csv/signal?from=10&to=5",
            400,
        ),
        ("/api/jobs/{id}/signal", "/api/jobs/none/signal", 404),
        ("/api/jobs/{id}/events", "/api/jobs/none/events", 404),
        ("/api/openapi.json", "/api/openapi.json", 200),
    ];
    for (path, asked, status) in cases {
        let answer = server.get(asked);
        assert_eq!(answer.status, status, "{asked}: {answer:?}");
        assert_documented(&document, path, &answer);
    }
    // Every path of the document was asked for, here or as a stream.
    for path in document["paths"].as_object().unwrap().keys() {
        let asked = cases
            .iter()
            .any(|(known, _, status)| known == path && *status == 200);
        assert!(asked || path.ends_with("/events"), "{path}");
    }
    let refused = server.ask("GET /api/events HTTP/1.1", &["Last-Event-ID: x"]);
    assert_eq!(refused.status, 400);
    assert_documented(&document, "/api/events", &refused);
}

#[test]
fn a_refusal_says_what_was_asked_and_what_may_be() {
    let jobs = jobs();
    let server = started(&jobs);
    let long = format!("/api/jobs?status={}", "x".repeat(100));
    for (asked, said) in [
        (
            "/api/jobs?limit=many",
            "limit=many: limit is a whole number from 1 to 1000",
        ),
        (
            "/api/jobs?limit=-1",
            "limit=-1: limit is a whole number from 1 to 1000",
        ),
        (
            "/api/jobs?limit=",
            "limit=: limit is a whole number from 1 to 1000",
        ),
        (
            "/api/jobs?status=dead",
            "status=dead: status is one of running, idle, unreadable, ended, gone",
        ),
        (
            "/api/jobs?what=e%20ver",
            "what=e ver: there is no parameter what here, only limit, after, status",
        ),
        ("/api/jobs?limit=1&limit=2", "limit is given twice"),
        (
            &long,
            &format!(
                "status={}…: status is one of running, idle, unreadable, ended, gone",
                "x".repeat(64)
            ),
        ),
        (
            "/api/jobs/a.csv/signal?from=nan",
            "from=nan: from is a time of the job in seconds, such as 12.5",
        ),
        (
            "/api/jobs/a.csv/signal?points=513",
            "points=513: points is a whole number from 1 to 512",
        ),
        (
            "/api/jobs/a.csv/signal?from=10&to=5",
            "from=10&to=5: from is later than to",
        ),
        (
            "/api/jobs/n%20one",
            "no such job: 'n one'; GET /api/jobs lists those that there are",
        ),
        (
            "/api/jobs/%ff/events",
            "no such job: ''; GET /api/jobs lists those that there are",
        ),
        (
            "/api/job",
            "there is nothing here; GET /api/openapi.json lists what there is",
        ),
    ] {
        assert_eq!(server.get(asked).json()["error"], said, "{asked}");
    }
    assert_eq!(server.get("/api/jobs/a.csv/signal?from=5&to=5").status, 200);
}

#[test]
fn a_signal_is_as_fine_as_its_beginning_is_recent() {
    let jobs = jobs();
    let server = started(&jobs);
    // The newest data are of 302 s.
    for (part, resolution) in [
        ("from=295", 1.0 / 64.0),
        ("from=290", 1.0 / 32.0),
        ("from=290&to=291", 1.0 / 32.0),
        ("from=240", 1.0 / 8.0),
        ("from=240&points=3", 1.0 / 8.0),
        ("from=0&to=5", 1.0),
        ("", 1.0),
    ] {
        let signal = server.json(&format!("/api/jobs/a.csv/signal?{part}"));
        assert_eq!(signal["resolution_s"], resolution, "{part}");
    }
}

#[test]
fn a_prediction_in_the_document_is_what_predict_prints() {
    let mut line = schema("predict");
    for key in ["$schema", "$id"] {
        line.as_object_mut().unwrap().remove(key);
    }
    assert_eq!(
        schema("openapi")["components"]["schemas"]["Prediction"],
        line
    );
}

#[test]
fn events_are_what_the_document_says() {
    let jobs = jobs();
    let server = started(&jobs);
    let document = schema("openapi");
    let checked = |name: &str, data: &Value| {
        let reference = json!({ "$ref": format!("#/components/schemas/{name}") });
        let wrong = check(data, &reference, &document, name);
        assert!(wrong.is_empty(), "{wrong:#?}");
    };
    let mut all = Events::open(&server, "/api/events", Some(0));
    let mut one = Events::open(&server, "/api/jobs/a.csv/events", None);
    let (first, data) = all.prediction();
    assert_eq!(first, 1);
    checked("PredictionEvent", &data);
    jobs.append_phases("new.csv", 0..1);
    loop {
        let (name, id, data) = all.next();
        if name == "job" && data["id"] == "new.csv" {
            assert_eq!(id, None);
            checked("JobSummary", &data);
            break;
        }
    }
    jobs.append_phases("a.csv", 16..17);
    let (_, data) = one.prediction();
    assert_eq!(
        (&data["job"], &data["line"]["number"]),
        (&json!("a.csv"), &json!(2))
    );
}

#[test]
fn pages_of_jobs_follow_each_other() {
    let jobs = Jobs::new();
    for number in 0..25 {
        jobs.append_phases(&format!("job{number:02}.csv"), 0..1);
    }
    let server = Server::start(&jobs, &[]);
    wait("all jobs", || {
        (server.json("/api/jobs")["total"] == 25).then_some(())
    });
    let (mut seen, mut path) = (Vec::new(), "/api/jobs?limit=10".to_owned());
    loop {
        let page = server.json(&path);
        assert_eq!(page["total"], 25);
        let ids = page["jobs"].as_array().unwrap().iter();
        seen.extend(ids.map(|job| job["id"].as_str().unwrap().to_owned()));
        match page["next"].as_str() {
            Some(next) => path = format!("/api/jobs?limit=10&after={next}"),
            None => break,
        }
    }
    let expected: Vec<_> = (0..25)
        .map(|number| format!("job{number:02}.csv"))
        .collect();
    assert_eq!(seen, expected);
}

#[test]
fn figures_are_as_prometheus_reads_them() {
    let jobs = jobs();
    let server = started(&jobs);
    let text = server.get("/metrics").body;
    let value = |name: &str| {
        let line = text
            .lines()
            .find_map(|line| line.strip_prefix(&format!("{name} ")));
        let line = line.unwrap_or_else(|| panic!("{name} is not in {text}"));
        line.parse::<f64>().unwrap()
    };
    let of_job = |name: &str| value(&format!("iotempo_job_{name}{{job_id=\"a.csv\"}}"));
    assert!((of_job("period_seconds") - 20.0).abs() < 0.2);
    assert!((of_job("next_phase_bytes") / 1e6 - 1.0).abs() < 0.01);
    assert!((0.0..20.0).contains(&of_job("next_phase_seconds_until")));
    assert_eq!(of_job("written_bytes_total"), 16e6);
    assert_eq!(of_job("predictions_total"), 1.0);
    assert_eq!(value("iotempo_jobs{status=\"running\"}"), 2.0);
    assert_eq!(value("iotempo_jobs{status=\"unreadable\"}"), 1.0);
    assert_eq!(value("iotempo_job_failed{job_id=\"broken.jsonl\"}"), 1.0);
    assert!(value("iotempo_serve_looks_total") > 0.0);
    // Of a job whose time 0 is not known there is no date.
    assert!(!text.contains("next_phase_start_timestamp_seconds{job_id=\"a.csv\"}"));
    // Every name is explained once, before its values, as the format wants it.
    let mut explained = Vec::new();
    for line in text.lines() {
        match line.strip_prefix("# TYPE ") {
            Some(rest) => {
                let name = rest.split(' ').next().unwrap();
                assert!(!explained.contains(&name), "{name}");
                explained.push(name);
            }
            None if line.starts_with('#') => {}
            None => {
                let name = line.split(['{', ' ']).next().unwrap();
                assert_eq!(Some(&name), explained.last(), "{line}");
            }
        }
    }
}

#[test]
fn few_figures_are_told_of_many_jobs() {
    let jobs = jobs();
    let server = Server::start(&jobs, &["--metrics-jobs", "1"]);
    wait("three jobs", || {
        (server.json("/api/jobs")["total"] == 3).then_some(())
    });
    let text = server.get("/metrics").body;
    assert!(text.contains("iotempo_jobs_omitted 2\n"), "{text}");
    assert_eq!(text.matches("iotempo_job_requests_total{").count(), 1);
}
