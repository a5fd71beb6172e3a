//! Events as they happen, in the form that browsers read.

use super::Shared;
use super::answer::{FRESH, Refusal};
use super::jobs::find;
use crate::board::{Published, lost};
use axum::body::{Body, Bytes};
use axum::extract::{Path, State};
use axum::http::header::CONTENT_TYPE;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use futures_util::stream;
use std::collections::VecDeque;
use std::convert::Infallible;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use tokio::sync::broadcast::error::RecvError;
use tokio::sync::{OwnedSemaphorePermit, broadcast, watch};
use tokio::time::{Interval, MissedTickBehavior, interval};

/// The events of all jobs.
pub(super) async fn all(
    State(shared): State<Arc<Shared>>,
    headers: HeaderMap,
) -> Result<Response, Refusal> {
    subscribe(&shared, None, &headers)
}

/// The events of one job.
pub(super) async fn of_job(
    State(shared): State<Arc<Shared>>,
    Path(id): Path<String>,
    headers: HeaderMap,
) -> Result<Response, Refusal> {
    let view = find(&shared, &id)?;
    subscribe(&shared, Some(Arc::clone(&view.id)), &headers)
}

fn subscribe(
    shared: &Arc<Shared>,
    job: Option<Arc<str>>,
    headers: &HeaderMap,
) -> Result<Response, Refusal> {
    let after = last_seen(headers)?;
    let permit = Arc::clone(&shared.streams).try_acquire_owned();
    let permit = permit.map_err(|_| {
        let message = "too many streams of events";
        Refusal::new(StatusCode::SERVICE_UNAVAILABLE, message)
    })?;
    let listener = Listener::new(shared, job, after, permit);
    let frames = stream::unfold(listener, |mut listener| async {
        let frame = listener.next().await?;
        Some((Ok::<_, Infallible>(frame), listener))
    });
    let kind = (CONTENT_TYPE, "text/event-stream");
    Ok(([kind, FRESH], Body::from_stream(frames)).into_response())
}

/// What a client that comes back has seen last.
fn last_seen(headers: &HeaderMap) -> Result<Option<u64>, Refusal> {
    let Some(value) = headers.get("last-event-id") else {
        return Ok(None);
    };
    let number = value.to_str().ok().and_then(|text| text.parse().ok());
    match number {
        Some(number) => Ok(Some(number)),
        None => Err(Refusal::bad("Last-Event-ID is the number of an event")),
    }
}

/// One client that listens.
struct Listener {
    shared: Arc<Shared>,
    job: Option<Arc<str>>,
    ready: VecDeque<Bytes>,
    receiver: broadcast::Receiver<Arc<Published>>,
    stopping: watch::Receiver<bool>,
    heartbeat: Interval,
    _permit: OwnedSemaphorePermit,
}

impl Listener {
    fn new(
        shared: &Arc<Shared>,
        job: Option<Arc<str>>,
        after: Option<u64>,
        permit: OwnedSemaphorePermit,
    ) -> Self {
        let subscription = shared.board.subscribe(after);
        // The first words open the stream at once.
        let mut ready = VecDeque::from([Bytes::from_static(b"retry: 2000\n\n")]);
        if subscription.missed > 0 {
            ready.push_back(lost(subscription.missed));
        }
        let backlog = subscription.backlog.iter();
        let backlog = backlog.filter(|event| concerns(job.as_ref(), event));
        ready.extend(backlog.map(|event| event.frame.clone()));
        let mut heartbeat = interval(shared.settings.limits.heartbeat);
        heartbeat.set_missed_tick_behavior(MissedTickBehavior::Delay);
        heartbeat.reset();
        shared.board.counters.streams.fetch_add(1, Relaxed);
        Self {
            shared: Arc::clone(shared),
            job,
            ready,
            receiver: subscription.receiver,
            stopping: shared.stopping.clone(),
            heartbeat,
            _permit: permit,
        }
    }

    /// What to send next; `None` where the server stops.
    async fn next(&mut self) -> Option<Bytes> {
        if let Some(frame) = self.ready.pop_front() {
            return Some(frame);
        }
        loop {
            tokio::select! {
                _ = self.stopping.wait_for(|stop| *stop) => return None,
                _ = self.heartbeat.tick() => return Some(Bytes::from_static(b":\n\n")),
                event = self.receiver.recv() => match event {
                    Ok(event) if concerns(self.job.as_ref(), &event) => {
                        self.heartbeat.reset();
                        return Some(event.frame.clone());
                    }
                    Ok(_) => {}
                    Err(RecvError::Lagged(missed)) => return Some(lost(missed)),
                    Err(RecvError::Closed) => return None,
                },
            }
        }
    }
}

impl Drop for Listener {
    fn drop(&mut self) {
        self.shared.board.counters.streams.fetch_sub(1, Relaxed);
    }
}

fn concerns(job: Option<&Arc<str>>, event: &Published) -> bool {
    job.is_none_or(|job| *job == event.job)
}
