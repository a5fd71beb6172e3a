//! Events as they happen, in the form that browsers read.

use super::Shared;
use super::answer::{FRESH, Refusal};
use super::asked::Id;
use super::jobs::find;
use crate::board::{Missed, Published, lost};
use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::header::CONTENT_TYPE;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use futures_util::stream;
use std::collections::VecDeque;
use std::convert::Infallible;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use tokio::sync::broadcast::error::{RecvError, TryRecvError};
use tokio::sync::{OwnedSemaphorePermit, broadcast, watch};
use tokio::time::{Interval, MissedTickBehavior, interval};

/// Bytes after which a piece of a stream is sent.
const PIECE: usize = 64 << 10;

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
    Id(id): Id,
    headers: HeaderMap,
) -> Result<Response, Refusal> {
    let view = find(&shared, &id).await?;
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
        None => Err(Refusal::bad(
            "Last-Event-ID is the number of an event, such as 42",
        )),
    }
}

/// One client that listens.
struct Listener {
    shared: Arc<Shared>,
    job: Option<Arc<str>>,
    ready: VecDeque<Bytes>,
    /// The number of the last prediction, of whichever job, that is sent or need not be.
    position: u64,
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
        let (position, missed) = (subscription.position, subscription.missed);
        // The first words open the stream at once, and say where it begins: who hears no more than them can
        // come back to there.
        let opening = match missed {
            Missed::Count(0) => Bytes::from(format!("retry: 2000\nid: {position}\n\n")),
            _ => Bytes::from_static(b"retry: 2000\n\n"),
        };
        let mut ready = VecDeque::from([opening]);
        if missed != Missed::Count(0) {
            ready.push_back(lost(missed, position));
        }
        let mut heartbeat = interval(shared.settings.limits.heartbeat);
        heartbeat.set_missed_tick_behavior(MissedTickBehavior::Delay);
        heartbeat.reset();
        shared.board.counters.streams.fetch_add(1, Relaxed);
        let mut listener = Self {
            shared: Arc::clone(shared),
            job,
            ready,
            position,
            receiver: subscription.receiver,
            stopping: shared.stopping.clone(),
            heartbeat,
            _permit: permit,
        };
        listener.queue(&subscription.backlog);
        listener
    }

    fn queue(&mut self, backlog: &[Arc<Published>]) {
        for event in backlog {
            self.position = event.seq.unwrap_or(self.position);
            if concerns(self.job.as_ref(), event) {
                self.ready.push_back(event.frame.clone());
            }
        }
    }

    /// Fetches what came too fast. Changes of jobs cannot be fetched, so that it is said in any case.
    fn catch_up(&mut self) -> Bytes {
        let subscription = self.shared.board.subscribe(Some(self.position));
        (self.position, self.receiver) = (subscription.position, subscription.receiver);
        self.queue(&subscription.backlog);
        lost(subscription.missed, subscription.position)
    }

    /// What to send next; `None` where the server stops. A round over a thousand jobs is told in a few
    /// pieces, not in a thousand.
    async fn next(&mut self) -> Option<Bytes> {
        let first = match self.at_hand() {
            Some(frame) => frame,
            None => self.hear().await?,
        };
        let Some(second) = self.at_hand() else {
            return Some(first);
        };
        let mut piece = first.to_vec();
        piece.extend_from_slice(&second);
        while piece.len() < PIECE
            && let Some(frame) = self.at_hand()
        {
            piece.extend_from_slice(&frame);
        }
        Some(Bytes::from(piece))
    }

    /// What can be sent without waiting for it.
    fn at_hand(&mut self) -> Option<Bytes> {
        loop {
            if let Some(frame) = self.ready.pop_front() {
                return Some(frame);
            }
            let frame = match self.receiver.try_recv() {
                Ok(event) => self.take_in(&event),
                Err(TryRecvError::Lagged(_)) => Some(self.catch_up()),
                Err(TryRecvError::Empty | TryRecvError::Closed) => return None,
            };
            if frame.is_some() {
                return frame;
            }
        }
    }

    /// An event as this client gets it, if it concerns it.
    fn take_in(&mut self, event: &Published) -> Option<Bytes> {
        self.position = event.seq.unwrap_or(self.position);
        concerns(self.job.as_ref(), event).then(|| event.frame.clone())
    }

    async fn hear(&mut self) -> Option<Bytes> {
        loop {
            let position = self.position;
            let event = tokio::select! {
                _ = self.stopping.wait_for(|stop| *stop) => return None,
                _ = self.heartbeat.tick() => return Some(sign_of_life(position)),
                event = self.receiver.recv() => event,
            };
            match event {
                Ok(event) => {
                    if let Some(frame) = self.take_in(&event) {
                        self.heartbeat.reset();
                        return Some(frame);
                    }
                }
                Err(RecvError::Lagged(_)) => return Some(self.catch_up()),
                Err(RecvError::Closed) => return None,
            }
        }
    }
}

impl Drop for Listener {
    fn drop(&mut self) {
        self.shared.board.counters.streams.fetch_sub(1, Relaxed);
    }
}

/// Says how far the stream has come as well: on that of one job, the others' predictions are no loss.
fn sign_of_life(position: u64) -> Bytes {
    Bytes::from(format!(":\nid: {position}\n\n"))
}

fn concerns(job: Option<&Arc<str>>, event: &Published) -> bool {
    job.is_none_or(|job| *job == event.job)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Board, RING};
    use crate::settings::Settings;
    use serde_json::value::RawValue;
    use std::time::Duration;
    use tokio::runtime::Builder;
    use tokio::sync::Semaphore;

    fn prediction(seq: u64, job: &str) -> Published {
        let line = RawValue::from_string("{}".to_owned()).expect("JSON");
        Published::prediction(seq, &Arc::from(job), &line)
    }

    /// An event that nobody can catch up with.
    fn nameless(job: &str) -> Published {
        Published {
            seq: None,
            ..prediction(0, job)
        }
    }

    fn listener(
        board: &Arc<Board>,
        job: Option<&str>,
        after: Option<u64>,
    ) -> (Listener, watch::Sender<bool>) {
        let mut settings = Settings::of(std::path::Path::new(""));
        settings.limits.heartbeat = Duration::from_millis(200);
        let (stop, stopping) = watch::channel(false);
        let shared = Arc::new(Shared::new(Arc::new(settings), Arc::clone(board), stopping));
        let permit = Arc::new(Semaphore::new(1)).try_acquire_owned();
        let listener = Listener::new(&shared, job.map(Arc::from), after, permit.expect("room"));
        (listener, stop)
    }

    async fn text(listener: &mut Listener) -> String {
        let piece = listener.next().await.expect("a piece");
        String::from_utf8(piece.to_vec()).expect("text")
    }

    /// The frames up to and with that of a prediction.
    async fn frames_until(listener: &mut Listener, seq: u64) -> Vec<String> {
        let mut frames: Vec<String> = Vec::new();
        let last = format!("\nid: {seq}\n");
        while !frames.last().is_some_and(|frame| frame.contains(&last)) {
            let text = text(listener).await;
            frames.extend(text.split_inclusive("\n\n").map(str::to_owned));
        }
        frames
    }

    fn run(test: impl Future<Output = ()>) {
        let runtime = Builder::new_current_thread().enable_time().build();
        runtime.expect("a runtime").block_on(test);
    }

    #[test]
    fn who_is_too_slow_gets_all_that_is_still_held() {
        run(async {
            let board = Arc::new(Board::new());
            board.publish(prediction(1, "a"));
            let (mut listener, _stop) = listener(&board, None, None);
            assert_eq!(text(&mut listener).await, "retry: 2000\nid: 1\n\n");
            let last = RING as u64;
            for seq in 2..=last {
                board.publish(prediction(seq, "a"));
                board.publish(nameless("a"));
            }
            let frames = frames_until(&mut listener, last).await;
            assert_eq!(frames[0], "event: lost\nid: 1\ndata: {\"missed\":0}\n\n");
            for (frame, seq) in frames[1..].iter().zip(2..) {
                assert!(frame.contains(&format!("\nid: {seq}\n")), "{frame}");
            }
            assert_eq!(frames.len() as u64, last);
            board.publish(prediction(last + 1, "a"));
            let next = format!("\nid: {}\n", last + 1);
            assert!(text(&mut listener).await.contains(&next));
        });
    }

    #[test]
    fn a_round_is_sent_in_a_few_pieces() {
        run(async {
            let board = Arc::new(Board::new());
            let (mut listener, _stop) = listener(&board, None, None);
            for seq in 1..=1000 {
                board.publish(prediction(seq, "a"));
            }
            let mut pieces: Vec<String> = Vec::new();
            while !pieces.concat().contains("\nid: 1000\n") {
                pieces.push(text(&mut listener).await);
            }
            assert!(pieces.len() < 4, "{}", pieces.len());
            assert!(!pieces.concat().contains("lost"));
            let numbers = pieces.concat().matches("event: prediction").count();
            assert_eq!(numbers, 1000);
        });
    }

    #[test]
    fn what_is_held_no_more_is_counted() {
        run(async {
            let board = Arc::new(Board::new());
            for seq in 1..=RING as u64 + 904 {
                board.publish(prediction(seq, "a"));
            }
            let (mut listener, _stop) = listener(&board, None, Some(4));
            let frames = frames_until(&mut listener, RING as u64 + 904).await;
            assert_eq!(frames[0], "retry: 2000\n\n");
            let told = "event: lost\nid: 904\ndata: {\"missed\":900}\n\n";
            assert_eq!(frames[1], told);
            assert!(frames[2].contains("\nid: 905\n"));
        });
    }

    #[test]
    fn the_stream_of_a_job_moves_on_past_what_is_told_of_others() {
        run(async {
            let board = Arc::new(Board::new());
            let (mut listener, _stop) = listener(&board, Some("a"), None);
            assert_eq!(text(&mut listener).await, "retry: 2000\nid: 0\n\n");
            board.publish(prediction(1, "b"));
            board.publish(prediction(2, "a"));
            assert!(text(&mut listener).await.contains("\nid: 2\n"));
            board.publish(prediction(3, "b"));
            assert_eq!(text(&mut listener).await, ":\nid: 3\n\n");
        });
    }
}
