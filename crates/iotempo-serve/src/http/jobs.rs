//! Jobs as JSON.

use super::Shared;
use super::answer::{Refusal, json};
use super::asked::{Id, Parameters, no_such_job};
use crate::resume::epoch_s;
use crate::view::{JobSummary, JobView, Status};
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use iotempo_live::Rates;
use serde::Serialize;
use serde_json::value::RawValue;
use std::ops::Bound;
use std::sync::Arc;
use std::time::Duration;

/// Jobs in one answer: unless asked for another number, and at the most.
const PAGE: usize = 100;
const LONGEST_PAGE: usize = 1000;
/// Stretches of a signal: unless asked for another number, and at the most.
const POINTS: usize = 256;
const MOST_POINTS: usize = 512;
/// How long a request waits for the first look around.
const FIRST_LOOK: Duration = Duration::from_secs(1);

#[derive(Debug, Serialize)]
struct Jobs<'a> {
    schema: &'static str,
    now_epoch_s: f64,
    total: usize,
    jobs: Vec<JobSummary<'a>>,
    next: Option<&'a str>,
}

#[derive(Debug, Serialize)]
struct Job<'a> {
    schema: &'static str,
    now_epoch_s: f64,
    #[serde(flatten)]
    summary: JobSummary<'a>,
    predictions: Vec<&'a RawValue>,
}

#[derive(Debug, Serialize)]
struct Signal<'a> {
    schema: &'static str,
    id: &'a str,
    from_s: Option<f64>,
    to_s: Option<f64>,
    resolution_s: Option<f64>,
    points: Vec<Point>,
}

#[derive(Debug, Serialize)]
struct Point {
    start_s: f64,
    end_s: f64,
    read: [f64; 3],
    written: [f64; 3],
}

/// All jobs, page by page.
pub(super) async fn list(
    State(shared): State<Arc<Shared>>,
    parameters: Parameters,
) -> Result<Response, Refusal> {
    let parameters = parameters.only(&["limit", "after", "status"])?;
    let limit = parameters.number("limit", LONGEST_PAGE)?.unwrap_or(PAGE);
    let status = wanted_status(&parameters)?;
    let is_wanted = |view: &&Arc<JobView>| status.is_none_or(|status| view.status == status);
    await_stock(&shared).await?;
    // What is listed is shared, so that nobody waits while it becomes JSON.
    let (total, views): (usize, Vec<_>) = {
        let jobs = shared.board.jobs();
        let total = jobs.values().filter(is_wanted).count();
        let after = parameters.text("after");
        let after = after.map_or(Bound::Unbounded, Bound::Excluded);
        let from = jobs.range::<str, _>((after, Bound::Unbounded));
        let views = from.map(|(_, view)| view).filter(is_wanted);
        (total, views.take(limit + 1).cloned().collect())
    };
    let shown = &views[..views.len().min(limit)];
    let more = views.len() > limit;
    Ok(json(&Jobs {
        schema: "iotempo/jobs/1",
        now_epoch_s: epoch_s(),
        total,
        jobs: shown.iter().map(|view| view.summary()).collect(),
        next: shown.last().filter(|_| more).map(|view| &*view.id),
    }))
}

fn wanted_status(parameters: &Parameters) -> Result<Option<Status>, Refusal> {
    let names = Status::ALL.map(Status::name).join(", ");
    parameters.value("status", format_args!("one of {names}"), |text| {
        let mut all = Status::ALL.into_iter();
        all.find(|status| status.name() == text)
    })
}

/// One job.
pub(super) async fn one(
    State(shared): State<Arc<Shared>>,
    Id(id): Id,
) -> Result<Response, Refusal> {
    let view = find(&shared, &id).await?;
    Ok(json(&Job {
        schema: "iotempo/job/1",
        now_epoch_s: epoch_s(),
        summary: view.summary(),
        predictions: view.predictions.iter().map(|told| &*told.json).collect(),
    }))
}

/// What a job read and wrote over time.
pub(super) async fn signal(
    State(shared): State<Arc<Shared>>,
    Id(id): Id,
    parameters: Parameters,
) -> Result<Response, Refusal> {
    let parameters = parameters.only(&["from", "to", "points"])?;
    let points = parameters.number("points", MOST_POINTS)?.unwrap_or(POINTS);
    let (from, to) = (parameters.seconds("from")?, parameters.seconds("to")?);
    if let (Some(from), Some(to)) = (from, to)
        && from > to
    {
        return Err(Refusal::bad(format_args!(
            "from={from}&to={to}: from is later than to"
        )));
    }
    let view = find(&shared, &id).await?;
    let bars = view.bars(from, to);
    let stretches = bars.as_ref().map(|bars| bars.decimated(points));
    let rates = |rates: Rates| [rates.lowest, rates.mean, rates.highest];
    let points: Vec<_> = stretches
        .into_iter()
        .flatten()
        .map(|stretch| Point {
            start_s: stretch.start_s,
            end_s: stretch.end_s,
            read: rates(stretch.read),
            written: rates(stretch.written),
        })
        .collect();
    Ok(json(&Signal {
        schema: "iotempo/signal/1",
        id: &view.id,
        from_s: points.first().map(|point| point.start_s),
        to_s: points.last().map(|point| point.end_s),
        resolution_s: bars.map(|bars| bars.step_s),
        points,
    }))
}

/// A server that has just been started does not know yet which jobs are there, nor which are not.
async fn await_stock(shared: &Shared) -> Result<(), Refusal> {
    if shared.board.is_stocked_within(FIRST_LOOK).await {
        return Ok(());
    }
    let message = "jobs are being looked for: ask again";
    Err(Refusal::new(StatusCode::SERVICE_UNAVAILABLE, message))
}

/// Ids are looked up among those of the jobs that are there: they are never part of a path.
pub(super) async fn find(shared: &Shared, id: &str) -> Result<Arc<JobView>, Refusal> {
    await_stock(shared).await?;
    let found = shared.board.job(id);
    found.ok_or_else(|| no_such_job(id))
}
