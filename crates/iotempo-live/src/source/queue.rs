//! What threads have read and nobody has looked at yet, bounded by its bytes.
//!
//! A bound by pieces would hold up those who send many small ones: a look comes once in a second.

use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Bytes that wait, at the most.
const WAITING: usize = 4 << 20;
/// Bytes that one look takes at the most.
const MOST: usize = 16 << 20;
/// What a piece costs beside its bytes.
const PIECE: usize = 256;
/// Who was held up because all room was taken goes on within this time.
const LULL: Duration = Duration::from_millis(10);
/// A look takes no longer, however steadily more comes.
const LONGEST: Duration = Duration::from_millis(250);

/// How much waits.
#[derive(Debug, Default)]
struct Room {
    state: Mutex<Waiting>,
    freed: Condvar,
}

#[derive(Debug, Default)]
struct Waiting {
    bytes: usize,
    /// Nobody looks any more.
    closed: bool,
}

/// Where a thread puts what it has read.
#[derive(Debug)]
pub(super) struct To<T> {
    room: Arc<Room>,
    sender: mpsc::Sender<(usize, T)>,
}

/// Where it is taken from.
#[derive(Debug)]
pub(super) struct From<T> {
    room: Arc<Room>,
    receiver: mpsc::Receiver<(usize, T)>,
}

/// What a look leaves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Left {
    Nothing,
    /// There is more to be had at once.
    More,
    /// Nothing, and nobody is there who could send more.
    End,
}

/// A queue of pieces.
pub(super) fn queue<T>() -> (To<T>, From<T>) {
    let (sender, receiver) = mpsc::channel();
    let room = Arc::<Room>::default();
    let to = To {
        room: Arc::clone(&room),
        sender,
    };
    (to, From { room, receiver })
}

impl Room {
    fn state(&self) -> MutexGuard<'_, Waiting> {
        // Numbers are sound whoever panicked.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<T> Clone for To<T> {
    fn clone(&self) -> Self {
        Self {
            room: Arc::clone(&self.room),
            sender: self.sender.clone(),
        }
    }
}

impl<T> To<T> {
    /// Adds a piece of so many bytes, once there is room; `None` where nobody looks any more.
    pub(super) fn send(&self, bytes: usize, piece: T) -> Option<()> {
        let cost = bytes + PIECE;
        let mut state = self.room.state();
        while state.bytes > 0 && state.bytes + cost > WAITING && !state.closed {
            let freed = self.room.freed.wait(state);
            state = freed.unwrap_or_else(PoisonError::into_inner);
        }
        if state.closed {
            return None;
        }
        state.bytes += cost;
        drop(state);
        self.sender.send((cost, piece)).ok()
    }
}

impl<T> From<T> {
    /// Takes all that waits, and what those bring who were held up by it, up to the bytes of one look.
    pub(super) fn take(&self, pieces: &mut Vec<T>) -> Left {
        let began = Instant::now();
        let mut taken = 0;
        loop {
            let patience = if taken == 0 { Duration::ZERO } else { LULL };
            match self.receiver.recv_timeout(patience) {
                Ok((cost, piece)) => {
                    pieces.push(piece);
                    taken += cost;
                    self.free(cost);
                }
                Err(RecvTimeoutError::Timeout) => return Left::Nothing,
                Err(RecvTimeoutError::Disconnected) => return Left::End,
            }
            if taken >= MOST {
                return Left::More;
            }
            if began.elapsed() >= LONGEST {
                return match self.room.state().bytes {
                    0 => Left::Nothing,
                    _ => Left::More,
                };
            }
        }
    }

    fn free(&self, cost: usize) {
        self.room.state().bytes -= cost;
        self.room.freed.notify_all();
    }
}

impl<T> Drop for From<T> {
    fn drop(&mut self) {
        self.room.state().closed = true;
        self.room.freed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::thread;

    #[test]
    fn many_small_pieces_hold_nobody_up_and_are_taken_in_one_look() {
        let (to, from) = queue();
        for piece in 0..5000 {
            to.send(10, piece).expect("room");
        }
        let mut pieces = Vec::new();
        assert_eq!(from.take(&mut pieces), Left::Nothing);
        assert!(pieces.into_iter().eq(0..5000));
        drop(to);
        assert_eq!(from.take(&mut Vec::new()), Left::End);
    }

    #[test]
    fn what_exceeds_a_look_is_left_for_the_next() {
        let (to, from) = queue();
        to.send(MOST, 0).expect("room");
        let sending = thread::spawn(move || {
            for piece in 1..400 {
                to.send(64 << 10, piece).expect("room");
            }
        });
        let mut pieces = Vec::new();
        assert_eq!(from.take(&mut pieces), Left::More);
        assert_eq!(pieces, [0]);
        while from.take(&mut pieces) != Left::End {}
        assert!(pieces.into_iter().eq(0..400));
        sending.join().expect("it ends");
    }

    #[test]
    fn who_waits_for_room_is_let_go_when_nobody_looks_any_more() {
        let (to, from) = queue();
        to.send(WAITING, 0).expect("room");
        let sending = thread::spawn(move || to.send(1, 1));
        thread::sleep(Duration::from_millis(20));
        drop(from);
        assert_eq!(sending.join().expect("it ends"), None);
    }
}
