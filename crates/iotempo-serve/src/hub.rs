//! The one thread that reads files and makes predictions.

use crate::board::{Board, Published};
use crate::catalogue::{Catalogue, Found, Scan};
use crate::followed::{Followed, Looked};
use crate::journal::{self, Entry, Journal, LastRun, Pasts};
use crate::ledger::Ledger;
use crate::resume::epoch_s;
use crate::settings::{Notice, Settings};
use crate::view::Told;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;
use std::thread;
use std::time::{Duration, Instant};

/// How soon after the end of a phase it is noticed.
const TICK: Duration = Duration::from_millis(100);

/// Jobs that are there no more and whose last run is remembered.
const MOST_RUNS: usize = 10_000;

/// Follows all jobs.
pub(crate) struct Hub {
    settings: Arc<Settings>,
    board: Arc<Board>,
    notice: Notice,
    catalogue: Catalogue,
    jobs: BTreeMap<Arc<str>, Followed>,
    /// Roots that could not be looked at the last time.
    unreadable: BTreeSet<PathBuf>,
    ledger: Ledger,
    /// What is known from before a restart, until the first look around.
    pasts: Option<Pasts>,
    /// The last runs of jobs that are not listed any more.
    runs: HashMap<Arc<str>, LastRun>,
    /// Jobs that may be in the middle of a phase.
    busy: BTreeSet<Arc<str>>,
    /// The number of the last prediction.
    seq: u64,
    /// Turns true when nobody needs it any more.
    stop: Arc<AtomicBool>,
}

impl Hub {
    pub(crate) fn new(
        settings: Arc<Settings>,
        board: Arc<Board>,
        notice: Notice,
        journal: Option<Journal>,
        mut pasts: Pasts,
    ) -> Self {
        for event in pasts.take_recent() {
            board.remember(event);
        }
        Self {
            ledger: Ledger::new(journal),
            seq: pasts.last_seq(),
            pasts: Some(pasts),
            runs: HashMap::new(),
            busy: BTreeSet::new(),
            catalogue: Catalogue::new(settings.roots.clone()),
            settings,
            board,
            notice,
            jobs: BTreeMap::new(),
            stop: Arc::default(),
            unreadable: BTreeSet::new(),
        }
    }

    /// What stops it, once it is true. A look that is under way is finished.
    pub(crate) fn stopper(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.stop)
    }

    /// Looks at everything again and again, until it is stopped.
    pub(crate) fn run(mut self) {
        let mut next = Instant::now();
        loop {
            self.round();
            // A round that took too long is followed by the next one, not by all that it delayed.
            next = (next + self.settings.every).max(Instant::now());
            self.wait(next);
            if self.is_stopped() {
                break;
            }
        }
        self.keep_journal();
    }

    /// Waits for the next round, and tells meanwhile that a phase is over as soon as it is.
    fn wait(&mut self, next: Instant) {
        while !self.is_stopped() {
            // The next round may be hours away.
            self.board.beat();
            let pause = next.saturating_duration_since(Instant::now());
            thread::sleep(pause.min(TICK));
            if pause <= TICK {
                return;
            }
            self.look_at_due();
        }
    }

    fn is_stopped(&self) -> bool {
        self.stop.load(Relaxed)
    }

    /// Looks at jobs whose phase is over, unless it goes on.
    fn look_at_due(&mut self) {
        let (jobs, busy) = (&self.jobs, &self.busy);
        let due = busy
            .iter()
            .filter(|id| jobs.get(*id).is_some_and(Followed::is_due));
        let due: Vec<_> = due.cloned().collect();
        self.look_at(&due);
    }

    fn round(&mut self) {
        self.board.beat();
        self.take_stock();
        self.busy.clear();
        let ids: Vec<_> = self.jobs.keys().cloned().collect();
        self.look_at(&ids);
        self.keep_journal();
        self.board.counters.rounds.fetch_add(1, Relaxed);
    }

    /// Looks at some jobs, as long as anybody needs that.
    fn look_at(&mut self, ids: &[Arc<str>]) {
        for id in ids {
            if self.is_stopped() {
                return;
            }
            self.look(id);
            self.board.beat();
        }
    }

    /// Finds out which jobs are there.
    fn take_stock(&mut self) {
        let scan = self.catalogue.scan();
        self.complain(&scan);
        for (id, found) in &scan.jobs {
            match self.jobs.get_mut(&**id) {
                None => self.follow(Arc::from(&**id), found),
                Some(job) if job.gone().is_some() => {
                    job.come_back(found.path.clone(), &self.settings);
                    announce(&self.board, job);
                }
                Some(_) => {}
            }
        }
        self.miss(&scan);
        self.board.take_note_of_stock();
        if let Some(pasts) = self.pasts.take_if(|_| scan.failures.is_empty()) {
            self.runs.extend(pasts.into_runs());
        }
    }

    fn follow(&mut self, id: Arc<str>, found: &Found) {
        let past = self.pasts.as_mut().and_then(|pasts| pasts.take(&id));
        let job = match past {
            Some(past) => Followed::resume(Arc::clone(&id), found, past, &self.settings),
            None => {
                let runs = self.runs.remove(&id).map_or(0, |last| last.run);
                Followed::new(Arc::clone(&id), found, runs, &self.settings)
            }
        };
        announce(&self.board, &job);
        self.jobs.insert(id, job);
    }

    /// Notes which jobs are there no more, and forgets those that are not since long.
    fn miss(&mut self, scan: &Scan) {
        // What cannot be looked at need not be gone.
        let blind = !scan.failures.is_empty();
        let (board, keep, runs) = (&self.board, self.settings.keep, &mut self.runs);
        let mut left = Vec::new();
        self.jobs.retain(|id, job| {
            if scan.jobs.contains_key(&**id) {
                return true;
            }
            match job.gone() {
                None if blind => {}
                None => {
                    let told = job.leave();
                    announce(board, job);
                    left.push((Arc::clone(id), told));
                }
                Some(since) if since.elapsed() > keep => {
                    board.remove(id);
                    runs.extend(job.last_run().map(|last| (Arc::clone(id), last)));
                    return false;
                }
                Some(_) => {}
            }
            true
        });
        for (id, told) in left {
            let looked = Looked {
                changed: told.is_some(),
                told,
                ..Looked::default()
            };
            self.tell(&id, looked);
        }
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
        if job.has_news() {
            self.busy.insert(Arc::clone(id));
        } else {
            self.busy.remove(id);
        }
        let counters = &self.board.counters;
        counters.looks.fetch_add(1, Relaxed);
        let took = began.elapsed().as_nanos() as u64;
        counters.look_nanoseconds.fetch_add(took, Relaxed);
        self.tell(id, looked);
    }

    /// Publishes what a look brought.
    fn tell(&mut self, id: &Arc<str>, looked: Looked) {
        let Some(job) = self.jobs.get_mut(id) else {
            return;
        };
        for notice in looked.notices {
            self.board.counters.notices.fetch_add(1, Relaxed);
            (self.notice)(&format!("{id}: {notice}"));
        }
        let event = looked.told.map(|told| {
            self.seq += 1;
            // What is JSON once is JSON twice.
            if let Ok(line) = entry(self.seq, id, job, &told) {
                job.set_entry(self.seq, &line);
                self.ledger.append(line, &self.board, &self.notice);
            }
            Published::prediction(self.seq, id, &told.json)
        });
        if job.gone().is_some() {
            self.catalogue.doubt(job.path());
        }
        if looked.changed {
            self.board.put(job.view());
        }
        if looked.turned {
            self.board.publish(Published::job(&job.view()));
        }
        if let Some(event) = event {
            self.board.counters.predictions.fetch_add(1, Relaxed);
            self.board.publish(event);
        }
    }

    fn keep_journal(&mut self) {
        self.forget_oldest_runs();
        let lines = self.jobs.values().filter_map(Followed::entry);
        let lines = lines.chain(self.runs.values().map(|last| &*last.entry));
        let lines = lines.chain(self.pasts.iter().flat_map(Pasts::entries));
        self.ledger.keep(lines, &self.board, &self.notice);
    }

    /// There may be jobs by other names for ever.
    fn forget_oldest_runs(&mut self) {
        if self.runs.len() <= 2 * MOST_RUNS {
            return;
        }
        let mut numbers: Vec<u64> = self.runs.values().map(|last| last.seq).collect();
        numbers.sort_unstable();
        let oldest = numbers[numbers.len() - MOST_RUNS];
        self.runs.retain(|_, last| last.seq >= oldest);
    }
}

/// The line of the journal about a prediction.
fn entry(seq: u64, id: &str, job: &Followed, told: &Told) -> serde_json::Result<Vec<u8>> {
    journal::line(&Entry {
        seq,
        job: id,
        run: job.run(),
        start_epoch_ns: job.start_epoch_ns(),
        made_epoch_s: epoch_s(),
        identity: job.identity().cloned(),
        returned: job.has_returned(),
        line: &told.json,
    })
}

fn announce(board: &Board, job: &Followed) {
    let view = job.view();
    board.publish(Published::job(&view));
    board.put(view);
}

/// How long the hub may be silent before it is taken for dead.
pub(crate) const SILENCE: Duration = Duration::from_secs(60);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::journal::Pasts;
    use std::fs;

    fn hub(settings: Settings) -> Hub {
        let board = Arc::new(Board::new());
        let notice: Notice = Box::new(|_| ());
        Hub::new(Arc::new(settings), board, notice, None, Pasts::default())
    }

    #[test]
    fn a_stop_is_heeded_between_two_jobs() {
        let folder = tempfile::tempdir().expect("a folder");
        for name in ["a.csv", "b.csv"] {
            fs::write(folder.path().join(name), "op,start,end,bytes\n").expect("room");
        }
        let mut hub = hub(Settings::of(folder.path()));
        let looks = |hub: &Hub| hub.board.counters.looks.load(Relaxed);
        hub.round();
        assert_eq!((hub.jobs.len(), looks(&hub)), (2, 2));
        hub.stopper().store(true, Relaxed);
        hub.round();
        assert_eq!(looks(&hub), 2);
        hub.wait(Instant::now() + Duration::from_secs(3600));
    }

    #[test]
    fn a_hub_that_waits_for_its_next_round_is_alive() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut hub = hub(Settings::of(folder.path()));
        hub.round();
        let wait = Duration::from_secs(1);
        hub.wait(Instant::now() + wait);
        let silence = hub.board.silence();
        assert!(silence < wait / 2, "{silence:?}");
    }
}
