//! Several inputs at a time, results in the order of the inputs.

use crate::failure::Failure;
use crate::inputs::{Archive, Found, Inputs, Log, Member, Opened, Opener};
use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError, mpsc};
use std::thread;

/// What became of an input.
pub(crate) enum Done<T> {
    /// It was read.
    Read(T),
    /// It could not be opened.
    Failed(Failure),
    /// It lay among logs and is none.
    NoLog(Failure),
}

/// The place of a piece of work: of the input on the command line, then of the member in it.
type Ticket = (u64, u64);

enum Job {
    Open(Found),
    Member(String, Member),
    Failed(Failure),
    /// The archive has no more members.
    End,
}

enum Step<T> {
    Done(Done<T>),
    /// An archive: its members come next.
    Begin,
    End,
}

/// Results that may wait for an earlier one, per thread.
const WAITING: usize = 16;

/// More threads than any machine has cores help nobody.
const MOST_THREADS: usize = 1024;

/// How many threads to use: what was asked for, else what the batch system gave us, else all cores
/// that the operating system lets us use.
pub(crate) fn threads(asked: Option<NonZeroUsize>) -> usize {
    let slurm = || std::env::var("SLURM_CPUS_PER_TASK").ok()?.parse().ok();
    let chosen = asked.or_else(slurm);
    let chosen = chosen.or_else(|| thread::available_parallelism().ok());
    chosen.map_or(1, NonZeroUsize::get).min(MOST_THREADS)
}

/// Hands out work in order. An archive that somebody opens comes before any later input, and no
/// more is handed out than may wait to be taken.
struct Queue {
    state: Mutex<State>,
    changed: Condvar,
    most: usize,
}

struct State {
    /// `None` at their end.
    inputs: Option<Inputs>,
    /// Open archives with their input and their next member.
    archives: BTreeMap<u64, (u64, Archive)>,
    next: u64,
    /// Inputs that are being opened, and may turn out to be archives.
    opening: usize,
    /// Work that was handed out and whose result has not been taken.
    outstanding: usize,
    stopped: bool,
}

impl Queue {
    fn new(inputs: Inputs, most: usize) -> Self {
        Self {
            state: Mutex::new(State {
                inputs: Some(inputs),
                archives: BTreeMap::new(),
                next: 0,
                opening: 0,
                outstanding: 0,
                stopped: false,
            }),
            changed: Condvar::new(),
            most,
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Changes something that others may be waiting for.
    fn change(&self, change: impl FnOnce(&mut State)) {
        change(&mut self.lock());
        self.changed.notify_all();
    }

    fn next(&self) -> Option<(Ticket, Job)> {
        let mut state = self.lock();
        loop {
            if state.stopped {
                return None;
            }
            // Results of later inputs may fill the room while an archive is being opened: its
            // members get as much again.
            let most = self.most << usize::from(!state.archives.is_empty());
            if state.outstanding < most {
                if let Some(job) = state.next_job() {
                    return Some(job);
                }
                if state.opening == 0 {
                    return None;
                }
            }
            let waited = self.changed.wait(state);
            state = waited.unwrap_or_else(PoisonError::into_inner);
        }
    }
}

impl State {
    fn next_job(&mut self) -> Option<(Ticket, Job)> {
        let job = match self.next_member() {
            Some(job) => job,
            None => self.next_input()?,
        };
        self.outstanding += 1;
        self.opening += usize::from(job.0.1 == 0);
        Some(job)
    }

    fn next_member(&mut self) -> Option<(Ticket, Job)> {
        let mut entry = self.archives.first_entry()?;
        let input = *entry.key();
        let (number, archive) = entry.get_mut();
        let ticket = (input, *number);
        *number += 1;
        Some(match archive.next() {
            Some(Ok((name, member))) => (ticket, Job::Member(name, member)),
            Some(Err(failure)) => (ticket, Job::Failed(failure)),
            None => {
                entry.remove();
                (ticket, Job::End)
            }
        })
    }

    fn next_input(&mut self) -> Option<(Ticket, Job)> {
        let Some(found) = self.inputs.as_mut()?.next() else {
            self.inputs = None;
            return None;
        };
        let ticket = (self.next, 0);
        self.next += 1;
        Some((ticket, found.map_or_else(Job::Failed, Job::Open)))
    }
}

/// Does one piece of work.
fn step<T>(
    queue: &Queue,
    opener: &Opener,
    (ticket, job): (Ticket, Job),
    work: impl Fn(Log) -> T,
) -> Step<T> {
    let opened = match job {
        Job::Open(found) => opener.open(found),
        Job::Member(name, member) => opener.member(name, member),
        Job::Failed(failure) => Err(failure),
        Job::End => return Step::End,
    };
    let (input, member) = ticket;
    if member == 0 && !matches!(opened, Ok(Opened::Archive(_))) {
        queue.change(|state| state.opening -= 1);
    }
    match opened {
        Ok(Opened::Log(log)) => Step::Done(Done::Read(work(log))),
        Ok(Opened::NoLog(why)) => Step::Done(Done::NoLog(why)),
        Err(failure) => Step::Done(Done::Failed(failure)),
        Ok(Opened::Archive(archive)) => {
            // In one step, so that nobody sees neither and goes home.
            queue.change(|state| {
                state.opening -= 1;
                state.archives.insert(input, (1, archive));
            });
            Step::Begin
        }
    }
}

/// Which ticket comes after this one.
fn after<T>((input, member): Ticket, step: &Step<T>) -> Ticket {
    match step {
        Step::Begin => (input, 1),
        Step::Done(_) if member > 0 => (input, member + 1),
        Step::Done(_) | Step::End => (input + 1, 0),
    }
}

/// A result that never comes must not keep the others waiting.
struct StopOnPanic<'a>(&'a Queue);

impl Drop for StopOnPanic<'_> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.change(|state| state.stopped = true);
        }
    }
}

/// Opens every input and does `work` on it, on several threads; hands what came of it to `take`,
/// one after the other and in the order of the inputs.
///
/// # Errors
/// What `take` answers; then no more inputs are opened.
pub(crate) fn in_order<T: Send, E>(
    inputs: Inputs,
    opener: &Opener,
    threads: usize,
    work: impl Fn(Log) -> T + Sync,
    mut take: impl FnMut(Done<T>) -> Result<(), E>,
) -> Result<(), E> {
    let queue = Queue::new(inputs, threads * WAITING);
    let (sender, receiver) = mpsc::channel();
    thread::scope(|scope| {
        for _ in 0..threads {
            let (queue, work, sender) = (&queue, &work, sender.clone());
            scope.spawn(move || {
                let _guard = StopOnPanic(queue);
                while let Some(job) = queue.next() {
                    let ticket = job.0;
                    let step = step(queue, opener, job, work);
                    if sender.send((ticket, step)).is_err() {
                        return;
                    }
                }
            });
        }
        drop(sender);
        let mut waiting = BTreeMap::new();
        let mut expected = (0, 0);
        for (ticket, step) in receiver {
            waiting.insert(ticket, step);
            while let Some(step) = waiting.remove(&expected) {
                expected = after(expected, &step);
                queue.change(|state| state.outstanding -= 1);
                if let Step::Done(done) = step
                    && let Err(error) = take(done)
                {
                    queue.change(|state| state.stopped = true);
                    return Err(error);
                }
            }
        }
        Ok(())
    })
}

/// Opens every input, one after the other, on this thread.
///
/// # Errors
/// What `take` answers; then no more inputs are opened.
pub(crate) fn one_by_one<E>(
    inputs: Inputs,
    opener: &Opener,
    mut take: impl FnMut(Done<Log>) -> Result<(), E>,
) -> Result<(), E> {
    let queue = Queue::new(inputs, 1);
    while let Some(job) = queue.next() {
        let step = step(&queue, opener, job, |log| log);
        queue.change(|state| state.outstanding -= 1);
        if let Step::Done(done) = step {
            take(done)?;
        }
    }
    Ok(())
}
