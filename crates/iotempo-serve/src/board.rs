//! Where the hub puts what it knows, and everybody else reads it.

use crate::view::JobView;
use axum::body::Bytes;
use serde::Serialize;
use serde_json::value::RawValue;
use std::collections::{BTreeMap, VecDeque};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock, RwLockReadGuard};
use std::time::{Duration, Instant};
use tokio::sync::{broadcast, watch};
use tokio::time::timeout;

/// Predictions that a client can catch up with.
pub(crate) const RING: usize = 8192;
/// Events that a client may lag behind: some rounds over a thousand jobs, each of which may be told twice.
const LAG: usize = 8192;

/// What is known of all jobs, and the events that changed it.
#[derive(Debug)]
pub(crate) struct Board {
    jobs: RwLock<BTreeMap<Arc<str>, Arc<JobView>>>,
    /// The last predictions. Held while one is sent, so that who joins misses none and gets none twice.
    ring: Mutex<VecDeque<Arc<Published>>>,
    sender: broadcast::Sender<Arc<Published>>,
    /// Whether it is known which jobs are there.
    stocked: watch::Sender<bool>,
    pub(crate) counters: Counters,
    started: Instant,
}

/// What is counted of the server itself.
#[derive(Debug, Default)]
pub(crate) struct Counters {
    pub(crate) rounds: AtomicU64,
    pub(crate) looks: AtomicU64,
    pub(crate) look_nanoseconds: AtomicU64,
    pub(crate) notices: AtomicU64,
    pub(crate) predictions: AtomicU64,
    pub(crate) journal_failures: AtomicU64,
    pub(crate) journal_lost: AtomicU64,
    pub(crate) journal_waiting: AtomicU64,
    pub(crate) streams: AtomicU64,
    pub(crate) connections: AtomicU64,
    pub(crate) refused: AtomicU64,
    /// When the hub was last seen, in ms after the start.
    beat_ms: AtomicU64,
}

/// An event, as it goes to every client.
#[derive(Debug)]
pub(crate) struct Published {
    /// The number of a prediction; other events have none, and cannot be caught up with.
    pub(crate) seq: Option<u64>,
    pub(crate) job: Arc<str>,
    pub(crate) frame: Bytes,
}

/// What a client gets first, and where it gets the rest.
pub(crate) struct Subscription {
    /// The number of the prediction before those.
    pub(crate) position: u64,
    pub(crate) backlog: Vec<Arc<Published>>,
    /// Predictions of all jobs before those that are not held any more.
    pub(crate) missed: Missed,
    pub(crate) receiver: broadcast::Receiver<Arc<Published>>,
}

/// Predictions that a client cannot get.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Missed {
    /// This many.
    Count(u64),
    /// Nobody knows: it has seen numbers that were never given here.
    Unknown,
}

impl Published {
    /// A prediction as an event.
    pub(crate) fn prediction(seq: u64, job: &Arc<str>, line: &RawValue) -> Self {
        #[derive(Serialize)]
        struct Data<'a> {
            job: &'a str,
            seq: u64,
            line: &'a RawValue,
        }
        let data = Data { job, seq, line };
        Self {
            seq: Some(seq),
            job: Arc::clone(job),
            frame: frame("prediction", Some(seq), &data),
        }
    }

    /// A job that appeared or is otherwise than it was.
    pub(crate) fn job(view: &JobView) -> Self {
        Self {
            seq: None,
            job: Arc::clone(&view.id),
            frame: frame("job", None, &view.heading()),
        }
    }
}

/// Events that were missed, as an event; who comes back after it goes on at `position`.
pub(crate) fn lost(missed: Missed, position: u64) -> Bytes {
    #[derive(Serialize)]
    struct Data {
        missed: Option<u64>,
    }
    let missed = match missed {
        Missed::Count(count) => Some(count),
        Missed::Unknown => None,
    };
    frame("lost", Some(position), &Data { missed })
}

/// JSON has no line breaks, and so is one line of data.
fn frame(event: &str, seq: Option<u64>, data: &impl Serialize) -> Bytes {
    let data = serde_json::to_string(data).unwrap_or_else(|_| "null".to_owned());
    let id = seq.map_or(String::new(), |seq| format!("id: {seq}\n"));
    Bytes::from(format!("event: {event}\n{id}data: {data}\n\n"))
}

impl Board {
    pub(crate) fn new() -> Self {
        Self {
            jobs: RwLock::default(),
            ring: Mutex::default(),
            sender: broadcast::channel(LAG).0,
            stocked: watch::Sender::new(false),
            counters: Counters::default(),
            started: Instant::now(),
        }
    }

    /// All jobs by their ids. Nobody panics while holding this, and a map is whole at any time.
    pub(crate) fn jobs(&self) -> RwLockReadGuard<'_, BTreeMap<Arc<str>, Arc<JobView>>> {
        self.jobs.read().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn job(&self, id: &str) -> Option<Arc<JobView>> {
        self.jobs().get(id).cloned()
    }

    pub(crate) fn put(&self, view: JobView) {
        let mut jobs = self.jobs.write().unwrap_or_else(PoisonError::into_inner);
        jobs.insert(Arc::clone(&view.id), Arc::new(view));
    }

    pub(crate) fn remove(&self, id: &str) {
        let mut jobs = self.jobs.write().unwrap_or_else(PoisonError::into_inner);
        jobs.remove(id);
    }

    /// All jobs that are there are on the board.
    pub(crate) fn take_note_of_stock(&self) {
        self.stocked.send_replace(true);
    }

    /// Whether they are, after a while at the most.
    pub(crate) async fn is_stocked_within(&self, longest: Duration) -> bool {
        let mut stocked = self.stocked.subscribe();
        let known = timeout(longest, stocked.wait_for(|stocked| *stocked)).await;
        known.is_ok_and(|known| known.is_ok())
    }

    /// Remembers a prediction that was made before this server was started.
    pub(crate) fn remember(&self, event: Published) {
        push(&mut self.ring(), Arc::new(event));
    }

    /// Sends an event to all who listen.
    pub(crate) fn publish(&self, event: Published) {
        let event = Arc::new(event);
        let mut ring = self.ring();
        if event.seq.is_some() {
            push(&mut ring, Arc::clone(&event));
        }
        // Nobody listens: nobody is told.
        let _ = self.sender.send(event);
    }

    /// All events from now on, and before them the predictions after number `after`.
    pub(crate) fn subscribe(&self, after: Option<u64>) -> Subscription {
        let ring = self.ring();
        let receiver = self.sender.subscribe();
        let number = |event: Option<&Arc<Published>>| event.and_then(|event| event.seq);
        let last = number(ring.back()).unwrap_or(0);
        let before = number(ring.front()).map_or(0, |first| first.saturating_sub(1));
        let (position, missed) = match after {
            None => (last, Missed::Count(0)),
            // These were numbers of another journal, and say nothing of ours.
            Some(after) if after > last => (before, Missed::Unknown),
            Some(after) => {
                let missed = before.saturating_sub(after);
                (after.max(before), Missed::Count(missed))
            }
        };
        let newer = ring.iter().filter(|event| event.seq > Some(position));
        Subscription {
            position,
            backlog: newer.cloned().collect(),
            missed,
            receiver,
        }
    }

    /// The hub is alive.
    pub(crate) fn beat(&self) {
        let now = self.started.elapsed().as_millis() as u64;
        self.counters.beat_ms.store(now, Ordering::Relaxed);
    }

    /// For how long the hub was not seen.
    pub(crate) fn silence(&self) -> Duration {
        let beat = Duration::from_millis(self.counters.beat_ms.load(Ordering::Relaxed));
        self.started.elapsed().saturating_sub(beat)
    }

    fn ring(&self) -> MutexGuard<'_, VecDeque<Arc<Published>>> {
        self.ring.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn push(ring: &mut VecDeque<Arc<Published>>, event: Arc<Published>) {
    if ring.len() == RING {
        ring.pop_front();
    }
    ring.push_back(event);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn prediction(seq: u64) -> Published {
        let line = RawValue::from_string("{}".to_owned()).expect("JSON");
        Published::prediction(seq, &Arc::from("a"), &line)
    }

    fn backlog(board: &Board, after: u64) -> (Vec<u64>, Missed) {
        let subscription = board.subscribe(Some(after));
        let backlog = subscription.backlog.iter();
        let numbers = backlog.filter_map(|event| event.seq).collect();
        (numbers, subscription.missed)
    }

    #[test]
    fn who_comes_back_gets_what_it_missed_and_is_told_what_is_gone() {
        let board = Board::new();
        for seq in 1..=3 {
            board.remember(prediction(seq));
        }
        board.publish(prediction(4));
        assert_eq!(backlog(&board, 2), (vec![3, 4], Missed::Count(0)));
        assert_eq!(backlog(&board, 4), (vec![], Missed::Count(0)));
        let new = board.subscribe(None);
        assert_eq!((new.backlog.len(), new.position), (0, 4));
        for seq in 5..=RING as u64 + 10 {
            board.publish(prediction(seq));
        }
        let (numbers, missed) = backlog(&board, 4);
        assert_eq!((numbers.len(), numbers[0]), (RING, 11));
        assert_eq!(missed, Missed::Count(6));
    }

    #[test]
    fn who_is_ahead_of_the_server_gets_all_there_is_and_is_told_so() {
        let board = Board::new();
        assert_eq!(backlog(&board, 9), (vec![], Missed::Unknown));
        for seq in 1..=3 {
            board.publish(prediction(seq));
        }
        assert_eq!(backlog(&board, 9), (vec![1, 2, 3], Missed::Unknown));
        assert_eq!(board.subscribe(Some(9)).position, 0);
        let told = lost(Missed::Unknown, 0);
        assert_eq!(told, "event: lost\nid: 0\ndata: {\"missed\":null}\n\n");
    }

    #[test]
    fn an_event_is_what_browsers_read() {
        let frame = prediction(7).frame;
        let expected = "event: prediction\nid: 7\ndata: {\"job\":\"a\",\"seq\":7,\"line\":{}}\n\n";
        assert_eq!(frame, expected);
    }
}
