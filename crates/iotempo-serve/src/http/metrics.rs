//! What is known, as Prometheus reads it.

use super::Shared;
use super::answer::FRESH;
use crate::board::Counters;
use crate::view::{Figures, JobView, Status};
use axum::extract::State;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use std::fmt::Write;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// The text format of Prometheus.
const TEXT: &str = "text/plain; version=0.0.4; charset=utf-8";

/// A figure of a job, where it has one.
type Of = fn(&JobView) -> Option<f64>;

/// The figures of a job: name, kind, what it is.
const JOB: [(&str, &str, &str, Of); 13] = [
    (
        "period_seconds",
        "gauge",
        "Mean time from the start of an I/O phase to the start of the next.",
        |job| last(job)?.period_s,
    ),
    (
        "period_confidence_ratio",
        "gauge",
        "Probability that the job's I/O repeats with this period.",
        |job| last(job).map(|last| last.confidence),
    ),
    (
        "next_phase_start_timestamp_seconds",
        "gauge",
        "When the next phase begins, in seconds since 1970.",
        |job| Some(last(job)?.next_start_s? + job.start_epoch_s?),
    ),
    (
        "next_phase_seconds_until",
        "gauge",
        "Seconds until the next phase begins; negative where it is late.",
        |job| Some(last(job)?.next_start_s? - job.now_s()),
    ),
    (
        "next_phase_length_seconds",
        "gauge",
        "How long the next phase lasts.",
        |job| last(job)?.next_length_s,
    ),
    (
        "next_phase_bytes",
        "gauge",
        "What the next phase moves.",
        |job| last(job)?.next_bytes,
    ),
    (
        "prediction_error_ratio",
        "gauge",
        "Mean distance of phases from where they were expected, as a share of the period.",
        |job| last(job)?.accuracy.mean_error_fraction,
    ),
    (
        "predictions_total",
        "counter",
        "Predictions that were made.",
        |job| last(job).map(|last| last.number as f64),
    ),
    (
        "read_bytes_total",
        "counter",
        "Bytes that were read.",
        |job| Some(job.totals.bytes_read),
    ),
    (
        "written_bytes_total",
        "counter",
        "Bytes that were written.",
        |job| Some(job.totals.bytes_written),
    ),
    (
        "requests_total",
        "counter",
        "Requests that were seen.",
        |job| Some(job.totals.requests as f64),
    ),
    (
        "idle_seconds",
        "gauge",
        "For how long nothing new has come.",
        |job| Some(job.idle_s()),
    ),
    (
        "failed",
        "gauge",
        "Whether the job's files cannot be read.",
        |job| Some(f64::from(u8::from(job.error.is_some()))),
    ),
];

/// A figure of the server itself.
type OfServer = fn(&Counters) -> &AtomicU64;

/// The figures of the server itself: name, kind, what it is.
const SERVER: [(&str, &str, &str, OfServer); 10] = [
    (
        "rounds_total",
        "counter",
        "Times that all jobs were looked at.",
        |counters| &counters.rounds,
    ),
    (
        "looks_total",
        "counter",
        "Looks at single jobs.",
        |counters| &counters.looks,
    ),
    (
        "notices_total",
        "counter",
        "Warnings and errors about jobs.",
        |counters| &counters.notices,
    ),
    (
        "predictions_total",
        "counter",
        "Predictions since the start of the server.",
        |counters| &counters.predictions,
    ),
    (
        "journal_failures_total",
        "counter",
        "Attempts to write the journal that failed.",
        |counters| &counters.journal_failures,
    ),
    (
        "journal_lost_total",
        "counter",
        "Predictions that never came into the journal.",
        |counters| &counters.journal_lost,
    ),
    (
        "journal_waiting",
        "gauge",
        "Predictions that wait for room in the journal.",
        |counters| &counters.journal_waiting,
    ),
    (
        "streams",
        "gauge",
        "Clients that listen to events.",
        |counters| &counters.streams,
    ),
    ("connections", "gauge", "Open connections.", |counters| {
        &counters.connections
    }),
    (
        "refused_connections_total",
        "counter",
        "Connections for which there was no room.",
        |counters| &counters.refused,
    ),
];

/// All figures.
pub(super) async fn metrics(State(shared): State<Arc<Shared>>) -> Response {
    let jobs: Vec<Arc<JobView>> = shared.board.jobs().values().cloned().collect();
    let mut text = String::new();
    write_jobs(&mut text, jobs, shared.settings.metrics_jobs);
    write_server(&mut text, &shared);
    ([(CONTENT_TYPE, TEXT), FRESH], text).into_response()
}

fn write_jobs(text: &mut String, mut jobs: Vec<Arc<JobView>>, most: usize) {
    head(text, "iotempo_jobs", "gauge", "Jobs that are listed.");
    for status in Status::ALL {
        let many = jobs.iter().filter(|job| job.status == status).count();
        let labels = format!("status=\"{}\"", status.name());
        sample(text, "iotempo_jobs", &labels, many as f64);
    }
    let omitted = jobs.len().saturating_sub(most);
    let help = "Jobs that are not told of here: those that were active last are.";
    head(text, "iotempo_jobs_omitted", "gauge", help);
    sample(text, "iotempo_jobs_omitted", "", omitted as f64);
    if omitted > 0 {
        jobs.sort_by_key(|job| std::cmp::Reverse(job.arrived));
        jobs.truncate(most);
        jobs.sort_by(|a, b| a.id.cmp(&b.id));
    }
    let labels: Vec<_> = jobs
        .iter()
        .map(|job| format!("job_id=\"{}\"", escaped(&job.id)))
        .collect();
    for (name, kind, help, of) in JOB {
        let name = format!("iotempo_job_{name}");
        head(text, &name, kind, help);
        for (job, labels) in jobs.iter().zip(&labels) {
            if let Some(value) = of(job) {
                sample(text, &name, labels, value);
            }
        }
    }
    let name = "iotempo_job_state";
    head(
        text,
        name,
        "gauge",
        "1 for the state of a job's last prediction.",
    );
    for job in &jobs {
        if let Some(last) = last(job) {
            let state = escaped(&last.state);
            let labels = format!("job_id=\"{}\",state=\"{state}\"", escaped(&job.id));
            sample(text, name, &labels, 1.0);
        }
    }
}

fn write_server(text: &mut String, shared: &Shared) {
    let counters = &shared.board.counters;
    for (name, kind, help, of) in SERVER {
        let name = format!("iotempo_serve_{name}");
        head(text, &name, kind, help);
        sample(text, &name, "", of(counters).load(Relaxed) as f64);
    }
    let name = "iotempo_serve_look_seconds_total";
    head(text, name, "counter", "Time that was spent on looks.");
    let spent = counters.look_nanoseconds.load(Relaxed) as f64 * 1e-9;
    sample(text, name, "", spent);
    let name = "iotempo_serve_build_info";
    head(text, name, "gauge", "The version of the server.");
    let labels = concat!("version=\"", env!("CARGO_PKG_VERSION"), "\"");
    sample(text, name, labels, 1.0);
}

fn last(job: &JobView) -> Option<&Figures> {
    job.last().map(|told| &told.figures)
}

// Writing into a string does not fail.

fn head(text: &mut String, name: &str, kind: &str, help: &str) {
    let _ = writeln!(text, "# HELP {name} {help}\n# TYPE {name} {kind}");
}

fn sample(text: &mut String, name: &str, labels: &str, value: f64) {
    let _ = if labels.is_empty() {
        writeln!(text, "{name} {value}")
    } else {
        writeln!(text, "{name}{{{labels}}} {value}")
    };
}

fn escaped(value: &str) -> String {
    let value = value.replace('\\', "\\\\").replace('"', "\\\"");
    value.replace('\n', "\\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_are_escaped() {
        assert_eq!(escaped("a\"b\\c\nd"), "a\\\"b\\\\c\\nd");
    }
}
