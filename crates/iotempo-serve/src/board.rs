//! Where the hub puts what it knows, and everybody else reads it.

use crate::view::JobView;
use axum::body::Bytes;
use serde::Serialize;
use serde_json::value::RawValue;
use std::collections::{BTreeMap, VecDeque};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock, RwLockReadGuard};
use std::time::{Duration, Instant};
use tokio::sync::broadcast;

/// Predictions that a client can catch up with.
const RING: usize = 4096;
/// Events that a client may lag behind.
const LAG: usize = 1024;

/// What is known of all jobs, and the events that changed it.
#[derive(Debug)]
pub(crate) struct Board {
    jobs: RwLock<BTreeMap<Arc<str>, Arc<JobView>>>,
    /// The last predictions. Held while one is sent, so that who joins misses none and gets none twice.
    ring: Mutex<VecDeque<Arc<Published>>>,
    sender: broadcast::Sender<Arc<Published>>,
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
    pub(crate) backlog: Vec<Arc<Published>>,
    /// Predictions before those that are not held any more.
    pub(crate) missed: u64,
    pub(crate) receiver: broadcast::Receiver<Arc<Published>>,
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

/// Events that were missed, as an event.
pub(crate) fn lost(missed: u64) -> Bytes {
    #[derive(Serialize)]
    struct Data {
        missed: u64,
    }
    frame("lost", None, &Data { missed })
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
        let Some(after) = after else {
            return Subscription {
                backlog: Vec::new(),
                missed: 0,
                receiver,
            };
        };
        let first = ring.front().and_then(|event| event.seq).unwrap_or(after);
        let newer = ring.iter().filter(|event| event.seq > Some(after));
        Subscription {
            backlog: newer.cloned().collect(),
            missed: first.saturating_sub(after.saturating_add(1)),
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
