//! What is remembered of a job: all of it, the older the more coarsely.

use crate::period::Phase;
use iotempo_model::{Bandwidth, Bytes, Interval, Seconds};

/// A transfer: start and end in seconds, and bytes.
type Transfer = (f64, f64, f64);

/// Cells into which the time between an age and twice that age is put when there are too many
/// transfers: whichever stretch up to now is looked at, its older half has as many at least.
const CELLS: f64 = 512.0;

/// The shortest cells that are tried first, as a share of what is remembered.
const FINEST: f64 = 1.0 / (1 << 20) as f64;

/// Pauses that differ by less than this factor are alike.
const ALIKE: f64 = 1.5;

/// Data that pauses interrupt.
#[derive(Debug, Clone, Copy)]
pub(super) struct Interrupted {
    pub(super) times: usize,
    /// The longest pause, and the longest stretch before one, in seconds.
    pub(super) longest_pause: f64,
    pub(super) longest_stretch: f64,
    /// When data came again after the last pause.
    pub(super) resumed: Seconds,
}

/// The transfers of a job, in bounded memory.
#[derive(Debug, Clone)]
pub(super) struct History {
    transfers: Vec<Transfer>,
    /// Transfers that are kept at the most, 24 bytes each.
    most: usize,
    /// The first and the last instant with data.
    start: f64,
    end: Option<f64>,
    /// Transfers before this instant are not wanted, and whether there were some.
    from: Option<f64>,
    forgotten: bool,
    /// The shortest cell that was needed so far, in seconds; 0 before.
    shortest: f64,
}

impl History {
    /// Keeps at most so many transfers.
    pub(super) fn new(most: usize) -> Self {
        Self {
            transfers: Vec::new(),
            most: most.max(16),
            start: f64::INFINITY,
            end: None,
            from: None,
            forgotten: false,
            shortest: 0.0,
        }
    }

    pub(super) fn add(&mut self, when: Interval, bytes: Bytes) {
        let (start, end) = (when.start().get(), when.end().get());
        if bytes.get() <= 0.0 {
            return;
        }
        if self.from.is_some_and(|from| end < from) {
            self.forgotten = true;
            return;
        }
        self.start = self.start.min(start);
        self.end = Some(self.end.map_or(end, |last| last.max(end)));
        if self.transfers.len() >= self.most {
            self.coarsen();
        }
        if self.transfers.len() == self.transfers.capacity() {
            let free = self.most - self.transfers.len();
            self.transfers
                .reserve_exact(free.clamp(1, self.transfers.len().max(8)));
        }
        self.transfers.push((start, end, bytes.get()));
    }

    /// Forgets what ended before an instant.
    pub(super) fn forget_before(&mut self, instant: Seconds) {
        let from = instant.get();
        self.from = Some(self.from.map_or(from, |old| old.max(from)));
        let before = self.transfers.len();
        self.transfers.retain(|transfer| transfer.1 >= from);
        self.forgotten |= self.transfers.len() < before;
        self.transfers.shrink_to(2 * self.transfers.len());
        let starts = self.transfers.iter().map(|transfer| transfer.0);
        self.start = starts.fold(f64::INFINITY, f64::min);
        if self.transfers.is_empty() {
            self.end = None;
        }
    }

    /// Whether it once knew more.
    pub(super) fn has_forgotten(&self) -> bool {
        self.forgotten
    }

    /// The last instant with data.
    pub(super) fn end(&self) -> Option<Seconds> {
        self.end.and_then(Seconds::new)
    }

    /// From the first to the last instant with data.
    pub(super) fn known(&self) -> Option<Interval> {
        Interval::new(Seconds::new(self.start)?, self.end()?).ok()
    }

    /// All bytes that are remembered.
    pub(super) fn bytes(&self) -> f64 {
        self.transfers.iter().map(|transfer| transfer.2).sum()
    }

    /// The bandwidth over time, of all that is remembered.
    pub(super) fn bandwidth(&self) -> Bandwidth {
        Bandwidth::of_transfers(self.transfers.len(), self.transfers.iter().copied())
    }

    /// The bandwidth over time, of what ended after an instant.
    pub(super) fn bandwidth_after(&self, instant: Seconds) -> Bandwidth {
        let after = |transfer: &Transfer| transfer.1 > instant.get();
        Bandwidth::of_transfers(0, self.transfers.iter().copied().filter(after))
    }

    /// When data came again after the longest pause since an instant; `None` where others are about as
    /// long, as those of a rhythm are.
    pub(super) fn resumed_after(&self, instant: Seconds) -> Option<Seconds> {
        let (mut longest, mut second, mut resumed) = (0.0, 0.0, None);
        self.each_pause(instant.get(), |pause, start| {
            if pause > longest {
                (longest, second, resumed) = (pause, longest, Some(start));
            } else if pause > second {
                second = pause;
            }
        });
        resumed
            .filter(|_| longest > ALIKE * second)
            .and_then(Seconds::new)
    }

    /// How data was interrupted by pauses that are longer than this many seconds; `None` where it was not.
    pub(super) fn interrupted(&self, longer: f64) -> Option<Interrupted> {
        let mut told = Interrupted {
            times: 0,
            longest_pause: 0.0,
            longest_stretch: 0.0,
            resumed: Seconds::ZERO,
        };
        let mut began = self.start;
        self.each_pause(f64::NEG_INFINITY, |pause, start| {
            if pause > longer {
                told.times += 1;
                told.longest_pause = f64::max(told.longest_pause, pause);
                told.longest_stretch = f64::max(told.longest_stretch, start - pause - began);
                began = start;
            }
        });
        told.resumed = Seconds::new(began)?;
        Some(told).filter(|told| told.times > 0)
    }

    /// What was moved after an instant, put together where nothing lies between for longer than `pause` seconds.
    pub(super) fn bursts_after(&self, instant: Seconds, pause: f64) -> Vec<Phase> {
        let after = |transfer: &&Transfer| transfer.0 >= instant.get();
        let mut transfers: Vec<Transfer> = self.transfers.iter().filter(after).copied().collect();
        transfers.sort_by(|a, b| a.0.total_cmp(&b.0));
        let mut bursts: Vec<Transfer> = Vec::new();
        for (start, end, bytes) in transfers {
            match bursts.last_mut() {
                Some(last) if start - last.1 <= pause => {
                    *last = (last.0, last.1.max(end), last.2 + bytes);
                }
                _ => bursts.push((start, end, bytes)),
            }
        }
        let phase = |(start, end, bytes): Transfer| {
            Some(Phase {
                start: Seconds::new(start)?,
                end: Seconds::new(end)?,
                bytes: Bytes::new(bytes)?,
            })
        };
        bursts.into_iter().filter_map(phase).collect()
    }

    /// Moves the edges of phases, which are known to a sample of so many seconds, to those of transfers, by no more
    /// than `most` seconds.
    pub(super) fn sharpen(&self, phases: &mut [Phase], sample: f64, most: f64) {
        let mut edges = vec![(f64::INFINITY, f64::NEG_INFINITY); phases.len()];
        for (start, end, _) in &self.transfers {
            let middle = 0.5 * (start + end);
            let next = phases.partition_point(|phase| phase.end.get() + sample < middle);
            let inside = |phase: &Phase| phase.start.get() - sample <= middle;
            if let Some(edge) = edges.get_mut(next).filter(|_| inside(&phases[next])) {
                *edge = (edge.0.min(*start), edge.1.max(*end));
            }
        }
        for (phase, (start, end)) in phases.iter_mut().zip(edges) {
            // Older transfers may have been put together with what is beside a phase.
            let near = |edge: f64, old: Seconds| (edge - old.get()).abs() <= most;
            if near(start, phase.start) && near(end, phase.end) {
                phase.start = Seconds::new(start).unwrap_or(phase.start);
                phase.end = Seconds::new(end).unwrap_or(phase.end);
            }
        }
    }

    /// Calls back with the length of each pause since an instant and when it ended, in order of time.
    fn each_pause(&self, since: f64, mut tell: impl FnMut(f64, f64)) {
        let after = self.transfers.iter().filter(|transfer| transfer.1 > since);
        let mut spans: Vec<(f64, f64)> = after.map(|transfer| (transfer.0, transfer.1)).collect();
        spans.sort_by(|a, b| a.0.total_cmp(&b.0));
        let mut latest = f64::INFINITY;
        for (start, end) in spans {
            if start > latest {
                tell(start - latest, start);
            }
            latest = if latest.is_finite() {
                latest.max(end)
            } else {
                end
            };
        }
    }

    /// What it takes of the memory, in bytes.
    pub(super) fn memory(&self) -> usize {
        self.transfers.capacity() * size_of::<Transfer>()
    }

    /// How many transfers are remembered.
    #[cfg(test)]
    pub(super) fn len(&self) -> usize {
        self.transfers.len()
    }

    /// Makes one of what lies in the same cell, the older the longer cells are, until a quarter of the
    /// room is free. No byte is lost, and a burst that is alone in its cell stays as it is.
    fn coarsen(&mut self) {
        let apart = apart(&self.bandwidth());
        let start = apart.first().map_or(0.0, |first| first.0);
        let end = self.end.unwrap_or(start);
        // One step back each time: what made long cells necessary may be long ago by now.
        let mut shortest = (0.5 * self.shortest).max(FINEST * (end - start));
        while shortest > 0.0 && shortest < end - start {
            let cells = Cells { end, shortest };
            if let Some(merged) = cells.merged(&apart, self.most / 4 * 3) {
                self.shortest = shortest;
                self.transfers.clear();
                self.transfers.extend(merged);
                return;
            }
            shortest *= 2.0;
        }
        let bytes = apart.iter().map(|transfer| transfer.2).sum();
        self.transfers.clear();
        self.transfers.push((start, end, bytes));
    }
}

/// The same bandwidth as transfers of which no two overlap, in order of time.
fn apart(bandwidth: &Bandwidth) -> Vec<Transfer> {
    let steps = bandwidth.steps().windows(2);
    let steps = steps.map(|pair| {
        let length = pair[1].at - pair[0].at;
        (pair[0].at, pair[1].at, pair[0].rate * length)
    });
    let impulses = bandwidth.impulses().iter();
    let impulses = impulses.map(|impulse| (impulse.at, impulse.at, impulse.bytes));
    let mut transfers: Vec<Transfer> = steps.filter(|step| step.2 > 0.0).chain(impulses).collect();
    transfers.sort_by(|a, b| a.0.total_cmp(&b.0));
    transfers
}

/// Cells of time, each a power of two long and at a multiple of that: as they age they become larger
/// ones, whole.
struct Cells {
    end: f64,
    shortest: f64,
}

impl Cells {
    /// The length of the cell at a time.
    fn length(&self, time: f64) -> f64 {
        let wanted = ((self.end - time) / CELLS).max(self.shortest);
        wanted.log2().floor().exp2()
    }

    /// What lies in one cell becomes one transfer; `None` where these are more than `most`.
    fn merged(&self, transfers: &[Transfer], most: usize) -> Option<Vec<Transfer>> {
        let mut merged: Vec<Transfer> = Vec::new();
        let mut last = f64::NAN;
        for &transfer in transfers {
            let mut rest = Some(transfer);
            while let Some(whole) = rest {
                let (cell, part);
                (cell, part, rest) = self.cut(whole);
                match merged.last_mut() {
                    Some(sum) if cell == last => *sum = (sum.0, sum.1.max(part.1), sum.2 + part.2),
                    _ => merged.push(part),
                }
                last = cell;
                if merged.len() > most {
                    return None;
                }
            }
        }
        Some(merged)
    }

    /// The end of the cell that a transfer begins in, what lies in that cell, and the rest.
    fn cut(&self, (start, end, bytes): Transfer) -> (f64, Transfer, Option<Transfer>) {
        let length = self.length(start);
        let border = ((start / length).floor() + 1.0) * length;
        if border >= end || border <= start {
            return (border, (start, end, bytes), None);
        }
        let inside = bytes * (border - start) / (end - start);
        let rest = (border, end, bytes - inside);
        (border, (start, border, inside), Some(rest))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MOST: usize = 1 << 13;

    fn history(transfers: impl IntoIterator<Item = Transfer>) -> History {
        let mut history = History::new(MOST);
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
