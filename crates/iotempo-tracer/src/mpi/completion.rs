//! How requests end: what calls that wait or test have in common.

use super::call::Call;
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
    listed: Listed,
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
        Some(Self {
            call,
            requests,
            listed,
        })
    }

    /// Records what is complete, and leaves. `statuses` may be what stands for none.
    pub(super) extern "C" fn finish(self, done: &Done, statuses: usize) {
        let requests = &self.call.process.mpi.requests;
        requests.settle(self.listed, |index, handle, what| match done {
            Done::Failed => self.failed(index, handle),
            _ => self.completed(done.status_of(index), what, statuses),
        });
        self.call.leave();
    }

    fn completed(self, place: Option<usize>, what: Started, statuses: usize) -> bool {
        let Some(place) = place else { return false };
        let library = self.call.library;
        let status = (statuses != library.ignored)
            .then(|| statuses.wrapping_add(place * library.status_size));
        self.call.transferred(what, status);
        true
    }

    /// A request whose handle is gone came to an end, well or not: which, nobody can tell.
    fn failed(self, index: usize, handle: usize) -> bool {
        let gone = unsafe { self.call.library.request_at(self.requests, index) } != handle;
        if gone {
            log::count_dropped(self.call.process);
        }
        gone
    }
}
