//! A job that has ended is not called late.

use crate::support::{Events, Jobs, Server, command};
use serde_json::Value;

/// Runs a program under the tracer to its end: phases 0.3 s apart.
fn run(jobs: &Jobs, name: &str, phases: u32) {
    let script = format!(
        "for i in $(seq {phases}); do echo {name} > {}/{name}.$i; sleep 0.3; done",
        jobs.path().display()
    );
    let mut command = command();
    command.args(["trace", "-q", "-o"]).arg(jobs.path());
    command.args(["--", "sh", "-c", &script]);
    let ended = command.env("IOTEMPO_JOB", name).status().unwrap();
    assert!(ended.success());
}

fn has_ended(job: &Value) -> bool {
    job["status"] == "ended"
}

#[test]
fn a_job_that_has_ended_says_so_everywhere_and_after_a_restart() {
    let jobs = Jobs::new();
    let server = Server::start(&jobs, &[]);
    let mut events = Events::open(&server, "/api/events", None);
    run(&jobs, "a", 6);
    let job = server.wait_for("a", has_ended);
    assert_eq!(job["prediction"]["state"], "ended", "{job}");
    assert!(job["prediction"]["next_start_s"].is_null(), "{job}");
    let listed = server.json("/api/jobs?status=ended");
    assert_eq!(listed["total"], 1, "{listed}");
    let told = std::iter::repeat_with(|| events.next());
    let mut told = told.filter(|(name, _, _)| name == "job");
    assert!(told.any(|(_, _, job)| has_ended(&job)));
    let figures = server.get("/metrics").body;
    for line in [
        "iotempo_jobs{status=\"ended\"} 1\n",
        "iotempo_job_state{job_id=\"a\",state=\"ended\"} 1\n",
    ] {
        assert!(figures.contains(line), "{figures}");
    }
    assert!(!figures.contains("next_phase_bytes{"), "{figures}");
    let last = job["prediction"]["number"].clone();
    server.kill();
    let server = Server::start(&jobs, &[]);
    std::thread::sleep(std::time::Duration::from_secs(3));
    let job = server.wait_for("a", has_ended);
    assert_eq!(job["prediction"]["number"], last, "{job}");
    // Another program of the same job.
    run(&jobs, "a", 2);
    server.wait_for("a", |job| {
        job["prediction"]["number"].as_u64() > last.as_u64()
    });
}
