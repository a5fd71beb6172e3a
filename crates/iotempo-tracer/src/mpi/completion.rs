//! How requests end: what calls that wait or test have in common.

use super::call::Call;
use super::inside::has_ended;
use super::library::Outcome;
use super::requests::{Listed, Started};
use crate::log;

/// Which of the requests a call has completed.
pub(super) enum Done {
    /// None of them.
    None,
    /// All; statuses are in the order of requests.
    All,
    /// One, by its index; there is one status.
    One(usize),
    /// Several: their indices are in this array, and their statuses in the same order.
    Some { indices: usize, count: usize },
    /// It failed: those whose handles have changed.
    Failed,
}

/// Whether all that was done is complete, or each status tells how its request stands.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Told {
    Complete,
    InStatus,
}

impl Done {
    /// Where the status of a request is, if the request is complete.
    fn status_of(&self, index: usize) -> Option<usize> {
        match *self {
            Self::None | Self::Failed => None,
            Self::All => Some(index),
            Self::One(done) => (done == index).then_some(0),
            Self::Some { indices, count } => (0..count).find(|&place| {
                let indices = indices as *const i32;
                usize::try_from(unsafe { indices.add(place).read() }) == Ok(index)
            }),
        }
    }
}

/// The requests of a call, and where their statuses go.
#[derive(Clone, Copy)]
pub(super) struct Waiting {
    pub(super) call: Call,
    requests: usize,
}

impl Waiting {
    /// Begins, unless none of the requests is ours.
    #[inline(always)]
    pub(super) fn on(requests: usize, count: usize) -> Option<Self> {
        // Null is for the library to complain about.
        if requests == 0 {
            return None;
        }
        Call::completing().and_then(|call| Self::list(call, requests, count))
    }

    extern "C" fn list(call: Call, requests: usize, count: usize) -> Option<Self> {
        let mut listed = Listed::default();
        for index in 0..count {
            let handle = unsafe { call.library.request_at(requests, index) };
            call.process.mpi.requests.list(&mut listed, handle, index);
        }
        if listed.is_empty() {
            call.leave();
            return None;
        }
        call.inside().waits(listed, requests);
        Some(Self { call, requests })
    }

    /// Whether a call that failed tells of each request by its status.
    pub(super) extern "C" fn tells_each(self, result: i32, statuses: usize) -> bool {
        let library = self.call.library;
        statuses != library.ignored && library.is_in_status(result)
    }

    /// Records what is complete. `statuses` may be what stands for none.
    pub(super) extern "C" fn finish(self, done: &Done, told: Told, statuses: usize) {
        let Call {
            process, library, ..
        } = self.call;
        let listed = self.call.inside().take_listed();
        process
            .mpi
            .requests
            .settle(listed, |index, handle, what| match done {
                Done::Failed => has_ended(process, library, self.requests, index, handle),
                _ => self.has_settled(done.status_of(index), told, what, statuses),
            });
    }

    fn has_settled(self, place: Option<usize>, told: Told, what: Started, statuses: usize) -> bool {
        let Some(place) = place else { return false };
        let library = self.call.library;
        let status = (statuses != library.ignored)
            .then(|| statuses.wrapping_add(place * library.status_size));
        let outcome = match (told, status) {
            (Told::InStatus, Some(status)) => unsafe { library.outcome(status) },
            _ => Outcome::Complete,
        };
        match outcome {
            Outcome::Complete => self.call.transferred(what, status),
            Outcome::UnderWay => return false,
            Outcome::Failed => log::count_dropped(self.call.process),
        }
        true
    }
}
