//! What is remembered of a job: all of it, the older the more coarsely.

use iotempo_model::{Bandwidth, Bytes, Interval, Seconds};

/// A transfer: start and end in seconds, and bytes.
type Transfer = (f64, f64, f64);

/// Transfers that are kept at the most, 24 bytes each.
const MOST: usize = 1 << 16;

/// Cells into which everything is put when there are too many transfers: twice as many as an analysis
/// ever looks at.
const CELLS: usize = 1 << 15;

/// The transfers of a job, in bounded memory.
#[derive(Debug, Clone, Default)]
pub(super) struct History {
    transfers: Vec<Transfer>,
    /// Transfers before this instant were forgotten.
    from: Option<f64>,
}

impl History {
    pub(super) fn add(&mut self, when: Interval, bytes: Bytes) {
        let (start, end) = (when.start().get(), when.end().get());
        if bytes.get() <= 0.0 || self.from.is_some_and(|from| end < from) {
            return;
        }
        self.transfers.push((start, end, bytes.get()));
        if self.transfers.len() > MOST {
            self.coarsen();
        }
    }

    /// Forgets what ended before an instant.
    pub(super) fn forget_before(&mut self, instant: Seconds) {
        let from = instant.get();
        self.from = Some(self.from.map_or(from, |old| old.max(from)));
        self.transfers.retain(|transfer| transfer.1 >= from);
    }

    /// Whether it once knew more.
    pub(super) fn has_forgotten(&self) -> bool {
        self.from.is_some()
    }

    /// The last instant with data.
    pub(super) fn end(&self) -> Option<Seconds> {
        let ends = self.transfers.iter().map(|transfer| transfer.1);
        ends.reduce(f64::max).and_then(Seconds::new)
    }

    /// The bandwidth over time.
    pub(super) fn bandwidth(&self) -> Bandwidth {
        Bandwidth::of_transfers(self.transfers.len(), self.transfers.iter().copied())
    }

    /// How many transfers are remembered.
    #[cfg(test)]
    pub(super) fn len(&self) -> usize {
        self.transfers.len()
    }

    /// Puts the bytes of all transfers into cells of equal length: no byte is lost, and what was apart
    /// by less than a cell becomes one.
    fn coarsen(&mut self) {
        let starts = self.transfers.iter().map(|transfer| transfer.0);
        let start = starts.fold(f64::INFINITY, f64::min);
        let ends = self.transfers.iter().map(|transfer| transfer.1);
        let end = ends.fold(start, f64::max);
        let cell = (end - start) / CELLS as f64;
        if cell <= 0.0 {
            let bytes = self.transfers.iter().map(|transfer| transfer.2).sum();
            self.transfers = vec![(start, end, bytes)];
            return;
        }
        let mut cells = vec![0.0; CELLS];
        for transfer in &self.transfers {
            spread(&mut cells, start, cell, *transfer);
        }
        let time = |index: usize| start + index as f64 * cell;
        let filled = cells.iter().enumerate().filter(|(_, bytes)| **bytes > 0.0);
        self.transfers = filled
            .map(|(index, bytes)| (time(index), time(index + 1), *bytes))
            .collect();
    }
}

/// Adds the bytes of a transfer to the cells that it lies in, each its share.
fn spread(cells: &mut [f64], origin: f64, cell: f64, (start, end, bytes): Transfer) {
    let last = cells.len() - 1;
    let place = |time: f64| ((time - origin) / cell).clamp(0.0, (last + 1) as f64);
    let (from, to) = (place(start), place(end));
    let (first, end_cell) = (
        (from as usize).min(last),
        (to.ceil() as usize).min(last + 1),
    );
    if end_cell <= first + 1 || to <= from {
        cells[first] += bytes;
        return;
    }
    let rate = bytes / (to - from);
    for (index, sum) in cells.iter_mut().enumerate().take(end_cell).skip(first) {
        let inside = to.min((index + 1) as f64) - from.max(index as f64);
        *sum += rate * inside.max(0.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn history(transfers: impl IntoIterator<Item = Transfer>) -> History {
        let mut history = History::default();
        for (start, end, bytes) in transfers {
            let seconds = |value| Seconds::new(value).expect("finite");
            let when = Interval::new(seconds(start), seconds(end)).expect("in order");
            history.add(when, Bytes::new(bytes).expect("not negative"));
        }
        history
    }

    #[test]
    fn a_million_requests_keep_their_bytes_in_little_memory() {
        let all = history((0..1_000_000).map(|i| {
            let start = f64::from(i) * 1e-3;
            (start, start + 3e-4, 7.0)
        }));
        assert!(all.len() <= MOST);
        let bytes = all.bandwidth().volume().get();
        assert!((bytes / 7e6 - 1.0).abs() < 1e-9, "{bytes}");
        assert!((all.end().expect("data").get() - 1000.0).abs() < 0.1);
    }

    #[test]
    fn requests_that_take_no_time_keep_their_bytes() {
        let at_once = history((0..100_000).map(|_| (5.0, 5.0, 1.0)));
        assert_eq!(at_once.bandwidth().volume().get(), 1e5);
    }

    #[test]
    fn what_is_forgotten_does_not_come_back() {
        let mut some = history([(0.0, 1.0, 5.0), (10.0, 11.0, 6.0)]);
        some.forget_before(Seconds::new(5.0).expect("finite"));
        assert_eq!(some.bandwidth().volume().get(), 6.0);
        let late = Interval::new(Seconds::ZERO, Seconds::new(2.0).expect("finite"));
        some.add(late.expect("in order"), Bytes::from(9));
        assert_eq!(some.bandwidth().volume().get(), 6.0);
    }
}
