//! The one thread that reads files and makes predictions.

use crate::board::{Board, Published};
use crate::catalogue::{Catalogue, Scan};
use crate::followed::{Followed, Looked};
use crate::settings::{Notice, Settings};
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

/// Follows all jobs.
pub(crate) struct Hub {
    settings: Arc<Settings>,
    board: Arc<Board>,
    notice: Notice,
    catalogue: Catalogue,
    jobs: BTreeMap<Arc<str>, Followed>,
    /// Roots that could not be looked at the last time.
    unreadable: BTreeSet<PathBuf>,
    seq: u64,
}

impl Hub {
    pub(crate) fn new(settings: Arc<Settings>, board: Arc<Board>, notice: Notice) -> Self {
        Self {
            catalogue: Catalogue::new(settings.roots.clone()),
            settings,
            board,
            notice,
            jobs: BTreeMap::new(),
            unreadable: BTreeSet::new(),
            seq: 0,
        }
    }

    /// Looks at everything again and again, until `stop` says something or is dropped.
    pub(crate) fn run(mut self, stop: &Receiver<()>) {
        let mut next = Instant::now();
        loop {
            self.round();
            // A round that took too long is followed by the next one, not by all that it delayed.
            next = (next + self.settings.every).max(Instant::now());
            let pause = next.saturating_duration_since(Instant::now());
            match stop.recv_timeout(pause) {
                Err(RecvTimeoutError::Timeout) => {}
                Ok(()) | Err(RecvTimeoutError::Disconnected) => break,
            }
        }
    }

    fn round(&mut self) {
        self.board.beat();
        self.take_stock();
        let ids: Vec<_> = self.jobs.keys().cloned().collect();
        for id in ids {
            self.look(&id);
            self.board.beat();
        }
        self.board.counters.rounds.fetch_add(1, Relaxed);
    }

    /// Finds out which jobs are there.
    fn take_stock(&mut self) {
        let scan = self.catalogue.scan();
        self.complain(&scan);
        for (id, found) in &scan.jobs {
            match self.jobs.get_mut(&**id) {
                None => {
                    let id: Arc<str> = Arc::from(&**id);
                    let path = found.path.clone();
                    let job = Followed::new(Arc::clone(&id), &found.name, path, &self.settings);
                    announce(&self.board, &job);
                    self.jobs.insert(id, job);
                }
                Some(job) if job.gone().is_some() => {
                    job.come_back(found.path.clone(), &self.settings);
                    announce(&self.board, job);
                }
                Some(_) => {}
            }
        }
        self.miss(&scan);
    }

    /// Notes which jobs are there no more, and forgets those that are not since long.
    fn miss(&mut self, scan: &Scan) {
        // What cannot be looked at need not be gone.
        let blind = !scan.failures.is_empty();
        let (board, keep) = (&self.board, self.settings.keep);
        self.jobs.retain(|id, job| {
            if scan.jobs.contains_key(&**id) {
                return true;
            }
            match job.gone() {
                None if blind => {}
                None => {
                    job.leave();
                    announce(board, job);
                }
                Some(since) if since.elapsed() > keep => {
                    board.remove(id);
                    return false;
                }
                Some(_) => {}
            }
            true
        });
    }

    /// Says once which roots cannot be looked at.
    fn complain(&mut self, scan: &Scan) {
        for (root, error) in &scan.failures {
            if !self.unreadable.contains(root) {
                (self.notice)(&format!("{}: {error}", root.display()));
            }
        }
        let unreadable = scan.failures.iter().map(|(root, _)| root.clone());
        self.unreadable = unreadable.collect();
    }

    fn look(&mut self, id: &Arc<str>) {
        let Some(job) = self.jobs.get_mut(id) else {
            return;
        };
        if job.gone().is_some() {
            return;
        }
        let began = Instant::now();
        let looked = job.look(&self.settings);
        let counters = &self.board.counters;
        counters.looks.fetch_add(1, Relaxed);
        let took = began.elapsed().as_nanos() as u64;
        counters.look_nanoseconds.fetch_add(took, Relaxed);
        self.tell(id, looked);
    }

    /// Publishes what a look brought.
    fn tell(&mut self, id: &Arc<str>, looked: Looked) {
        let Some(job) = self.jobs.get(id) else {
            return;
        };
        if let Some(error) = looked.failed {
            self.board.counters.look_failures.fetch_add(1, Relaxed);
            (self.notice)(&format!("{id}: {error}"));
        }
        if looked.changed {
            self.board.put(job.view());
        }
        if looked.turned {
            self.board.publish(Published::job(&job.view()));
        }
        if let Some(told) = looked.told {
            self.seq += 1;
            self.board.counters.predictions.fetch_add(1, Relaxed);
            let event = Published::prediction(self.seq, id, &told.json);
            self.board.publish(event);
        }
    }
}

fn announce(board: &Board, job: &Followed) {
    let view = job.view();
    board.publish(Published::job(&view));
    board.put(view);
}

/// How long the hub may be silent before it is taken for dead.
pub(crate) const SILENCE: Duration = Duration::from_secs(60);
