//! Nothing that was told is lost or told again, however the server ended.

use crate::support::{Events, Jobs, Server, end, numbers, traced, wait};
use serde_json::Value;

fn number(job: &Value) -> u64 {
    job["prediction"]["number"].as_u64().unwrap_or(0)
}

/// The numbers are 1, 2, 3 and so on.
fn assert_whole(numbers: &[u64]) {
    let whole: Vec<u64> = (1..=numbers.len() as u64).collect();
    assert_eq!(numbers, whole);
}

#[test]
fn a_server_that_was_killed_goes_on_where_it_ended() {
    let jobs = Jobs::new();
    let mut phases = 0;
    let mut before: Option<Value> = None;
    let mut last_event = 0;
    for _ in 0..4 {
        let server = Server::start(&jobs, &[]);
        if let Some(before) = before.take() {
            let now = server.wait_for("a.csv", |job| job["requests"] == before["requests"]);
            for field in [
                "run",
                "predictions",
                "prediction",
                "bytes_written",
                "newest_s",
            ] {
                assert_eq!(now[field], before[field], "{field}");
            }
        }
        // Whoever was listening hears what it has not heard yet.
        let mut events = Events::open(&server, "/api/events", Some(last_event));
        for _ in 0..3 {
            let seen = jobs.journal().len();
            jobs.append_phases("a.csv", phases..phases + 1);
            phases += 1;
            wait("a prediction", || {
                (jobs.journal().len() > seen).then_some(())
            });
            let (id, data) = events.prediction();
            assert_eq!(id, last_event + 1);
            assert_eq!(
                (data["job"].as_str(), data["seq"].as_u64()),
                (Some("a.csv"), Some(id))
            );
            last_event = id;
        }
        let written = jobs.journal().len() as u64;
        let requests = phases;
        before = Some(server.wait_for("a.csv", |job| {
            number(job) == written && job["requests"] == requests
        }));
        server.kill();
    }
    let journal = jobs.journal();
    assert_whole(&numbers(&journal, "a.csv", 1));
    assert!(journal.len() >= 12 && journal.iter().all(|entry| entry["run"] == 1));
    let last = &journal.last().unwrap()["line"];
    assert_eq!(last["state"], "periodic", "{last}");
    assert!(last["accuracy"]["judged"].as_u64().unwrap() >= 5, "{last}");
    assert_eq!(last["accuracy"]["missed"], 0, "{last}");
}

#[test]
fn phases_that_came_while_nobody_looked_are_taken_in() {
    let jobs = Jobs::new();
    jobs.append_phases("a.csv", 0..8);
    let server = Server::start(&jobs, &[]);
    server.wait_for("a.csv", |job| number(job) == 1);
    server.kill();
    jobs.append_phases("a.csv", 8..12);
    let server = Server::start(&jobs, &[]);
    let job = server.wait_for("a.csv", |job| number(job) == 2);
    assert_eq!(job["requests"], 12);
    assert_eq!(
        job["prediction"]["next_start_s"].as_f64().map(f64::round),
        Some(240.0)
    );
    // The forecast of the server before was judged by this one.
    assert_eq!(job["prediction"]["accuracy"]["judged"], 1, "{job}");
}

#[test]
fn a_file_that_was_written_anew_is_another_run() {
    let jobs = Jobs::new();
    jobs.append_phases("a.csv", 0..8);
    let server = Server::start(&jobs, &[]);
    server.wait_for("a.csv", |job| number(job) == 1);
    let anew = |phases| {
        std::fs::remove_file(jobs.path().join("a.csv")).unwrap();
        jobs.append_phases("a.csv", 0..phases);
    };
    anew(4);
    let job = server.wait_for("a.csv", |job| job["run"] == 2 && number(job) == 1);
    assert_eq!(job["requests"], 4);
    server.kill();
    // While nobody looks.
    anew(3);
    let server = Server::start(&jobs, &[]);
    let job = server.wait_for("a.csv", |job| job["run"] == 3 && number(job) == 1);
    assert_eq!(job["requests"], 3);
    let journal = jobs.journal();
    for run in 1..=3 {
        assert_whole(&numbers(&journal, "a.csv", run));
    }
}

#[test]
fn half_a_line_at_the_end_of_the_journal_is_nobody_s_loss() {
    let jobs = Jobs::new();
    jobs.append_phases("a.csv", 0..8);
    let server = Server::start(&jobs, &[]);
    server.wait_for("a.csv", |job| number(job) == 1);
    server.kill();
    let path = jobs.state().join("predictions.jsonl");
    let mut text = std::fs::read_to_string(&path).unwrap();
    text.push_str("{\"seq\":2,\"job\":\"a.c");
    std::fs::write(&path, text).unwrap();
    let server = Server::start(&jobs, &[]);
    jobs.append_phases("a.csv", 8..9);
    server.wait_for("a.csv", |job| number(job) == 2);
    assert_whole(&numbers(&jobs.journal(), "a.csv", 1));
}

#[test]
fn two_servers_do_not_share_a_journal() {
    use crate::support::command;
    let jobs = Jobs::new();
    let server = Server::start(&jobs, &[]);
    let mut second = command();
    second.arg("serve").arg(jobs.path());
    let second = second.args(["--listen", "127.0.0.1:0"]).output().unwrap();
    let said = String::from_utf8_lossy(&second.stderr).into_owned();
    assert_eq!(second.status.code(), Some(1), "{said}");
    assert!(said.contains("--state"), "{said}");
    drop(server);
}

#[test]
fn a_traced_job_keeps_its_time_across_restarts() {
    let jobs = Jobs::new();
    let program = traced(&jobs, "job");
    let mut start = None;
    for round in 1..=3 {
        let server = Server::start(&jobs, &[]);
        let job = server.wait_for("job", |job| number(job) >= 4 * round);
        let began = job["start_epoch_s"].as_f64().unwrap();
        assert!((began - *start.get_or_insert(began)).abs() < 1e-6);
        server.kill();
    }
    end(program);
    let journal = jobs.journal();
    assert_whole(&numbers(&journal, "job", 1));
    let times: Vec<f64> = journal
        .iter()
        .map(|entry| entry["line"]["at_s"].as_f64().unwrap())
        .collect();
    assert!(times.is_sorted(), "{times:?}");
}
