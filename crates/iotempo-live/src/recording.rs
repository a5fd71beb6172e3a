//! How fast a job read and wrote, over all its time and in bounded memory: the recent past finely, the
//! distant past coarsely.

use iotempo_model::{Bytes, Interval, Op};
use std::collections::VecDeque;

/// Bars of one level.
const BARS: usize = 512;
/// The length of a bar of the finest level, in seconds.
const FINEST: f64 = 1.0 / 64.0;
/// Levels at the most: bars of the last one are some thousand years long.
const LEVELS: usize = 48;

/// The bytes that a job read and wrote over time.
///
/// Level after level, bars are twice as long; each level has the newest ones, and the last level all
/// there are. A day takes 14 levels, some 120 kB.
#[derive(Debug, Clone, Default)]
pub struct Recording {
    levels: Vec<Level>,
}

/// Bars of one length.
#[derive(Debug, Clone)]
struct Level {
    step: f64,
    /// The number of the first bar that is held; bar 0 begins at time 0.
    first: i64,
    bars: VecDeque<Bar>,
}

/// Bytes that were moved during a stretch of time.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Bar {
    /// Bytes that were read.
    pub read: f64,
    /// Bytes that were written.
    pub written: f64,
}

/// Bars side by side.
#[derive(Debug, Clone, PartialEq)]
pub struct Bars {
    /// When the first begins, in seconds.
    pub start_s: f64,
    /// How long each is, in seconds.
    pub step_s: f64,
    /// The bars.
    pub bars: Vec<Bar>,
}

/// Some bars in one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Stretch {
    /// When it begins, in seconds.
    pub start_s: f64,
    /// When it ends, in seconds.
    pub end_s: f64,
    /// How fast the job read.
    pub read: Rates,
    /// How fast it wrote.
    pub written: Rates,
}

/// Bytes per second of some bars.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rates {
    /// The lowest.
    pub lowest: f64,
    /// The mean.
    pub mean: f64,
    /// The highest.
    pub highest: f64,
}

impl Bar {
    fn add(&mut self, op: Op, bytes: f64) {
        let sum = match op {
            Op::Read => &mut self.read,
            Op::Write => &mut self.written,
        };
        *sum += bytes;
    }

    fn plus(self, other: Self) -> Self {
        Self {
            read: self.read + other.read,
            written: self.written + other.written,
        }
    }
}

impl Bars {
    /// At most that many stretches of equal length, each with the lowest, the mean and the highest rate of
    /// its bars: peaks stay visible however few there are.
    #[must_use]
    pub fn decimated(&self, most: usize) -> Vec<Stretch> {
        let together = self.bars.len().div_ceil(most.max(1)).max(1);
        let groups = self.bars.chunks(together).enumerate();
        groups
            .map(|(place, bars)| {
                let start_s = self.start_s + (place * together) as f64 * self.step_s;
                let rates = |bytes: fn(&Bar) -> f64| {
                    Rates::of(bars.iter().map(|bar| bytes(bar) / self.step_s))
                };
                Stretch {
                    start_s,
                    end_s: start_s + bars.len() as f64 * self.step_s,
                    read: rates(|bar| bar.read),
                    written: rates(|bar| bar.written),
                }
            })
            .collect()
    }
}

impl Rates {
    fn of(rates: impl Iterator<Item = f64>) -> Self {
        let (mut lowest, mut highest, mut sum, mut many) = (f64::INFINITY, 0.0_f64, 0.0, 0.0);
        for rate in rates {
            lowest = lowest.min(rate);
            highest = highest.max(rate);
            sum += rate;
            many += 1.0;
        }
        Self {
            lowest,
            mean: sum / many,
            highest,
        }
    }
}

impl Recording {
    /// Takes in a transfer. Times may come in any order; what lies before all that a level holds is in
    /// the coarser ones.
    pub fn add(&mut self, op: Op, when: Interval, bytes: Bytes) {
        let (start, end) = (when.start().get(), when.end().get());
        if bytes.get() <= 0.0 {
            return;
        }
        self.make_room(start, end);
        for level in &mut self.levels {
            level.add(op, start, end, bytes.get());
        }
    }

    /// The finest bars that reach back to `from` and on to `to`, both in seconds: 512 at the most.
    #[must_use]
    pub fn bars(&self, from: f64, to: f64) -> Option<Bars> {
        let last = self.levels.last()?;
        let (from, to) = (from.max(last.start()), to.min(last.end()));
        if to < from {
            return None;
        }
        let reaches_back = |level: &&Level| level.start() <= from;
        let level = self.levels.iter().find(reaches_back).unwrap_or(last);
        Some(level.part(from, to))
    }

    /// The time of the first bar and the end of the last one, in seconds.
    #[must_use]
    pub fn extent(&self) -> Option<(f64, f64)> {
        let last = self.levels.last()?;
        Some((last.start(), last.end()))
    }

    /// Adds levels until the last one has room for everything.
    fn make_room(&mut self, start: f64, end: f64) {
        if self.levels.is_empty() {
            self.levels.push(Level::at(FINEST, start));
        }
        while self.levels.len() < LEVELS
            && let Some(last) = self.levels.last()
            && last.span(start, end) > BARS as i64
        {
            let coarser = last.coarser();
            self.levels.push(coarser);
        }
    }
}

impl Level {
    fn at(step: f64, start: f64) -> Self {
        Self {
            step,
            first: number(start, step),
            bars: VecDeque::new(),
        }
    }

    fn start(&self) -> f64 {
        self.first as f64 * self.step
    }

    fn end(&self) -> f64 {
        (self.first + self.bars.len() as i64) as f64 * self.step
    }

    /// How many bars it would have with this transfer.
    fn span(&self, start: f64, end: f64) -> i64 {
        let first = self.first.min(number(start, self.step));
        let last = self.first + self.bars.len() as i64;
        let last = last.max(number(end, self.step).saturating_add(1));
        last.saturating_sub(first)
    }

    /// The same in bars twice as long.
    fn coarser(&self) -> Self {
        let mut coarser = Self::at(2.0 * self.step, self.start());
        for (place, bar) in self.bars.iter().enumerate() {
            let number = (self.first + place as i64).div_euclid(2);
            let at = (number - coarser.first) as usize;
            if at >= coarser.bars.len() {
                coarser.bars.push_back(*bar);
            } else {
                coarser.bars[at] = coarser.bars[at].plus(*bar);
            }
        }
        coarser
    }

    fn add(&mut self, op: Op, start: f64, end: f64, bytes: f64) {
        let (first, last) = (number(start, self.step), number(end, self.step));
        self.reach(first, last);
        let length = end - start;
        let newest = self.first + self.bars.len() as i64 - 1;
        for number in first.max(self.first)..=last.min(newest) {
            let share = if length > 0.0 {
                let begins = number as f64 * self.step;
                let inside = end.min(begins + self.step) - start.max(begins);
                inside.max(0.0) / length
            } else {
                1.0
            };
            self.bars[(number - self.first) as usize].add(op, share * bytes);
        }
    }

    /// Makes bars up to `last`, letting the oldest go, and back to `first` where there is room.
    fn reach(&mut self, first: i64, last: i64) {
        let next = self.first.saturating_add(self.bars.len() as i64);
        if last.saturating_sub(next) >= BARS as i64 {
            // Nothing of what is held is near enough.
            self.bars.clear();
            self.first = last - BARS as i64 + 1;
        }
        while self.first + (self.bars.len() as i64) <= last {
            self.bars.push_back(Bar::default());
            if self.bars.len() > BARS {
                self.bars.pop_front();
                self.first += 1;
            }
        }
        while first < self.first && self.bars.len() < BARS {
            self.bars.push_front(Bar::default());
            self.first -= 1;
        }
    }

    fn part(&self, from: f64, to: f64) -> Bars {
        let held = self.bars.len() as i64;
        let first = (number(from, self.step) - self.first).clamp(0, held);
        let end = (number(to, self.step) + 1 - self.first).clamp(first, held);
        Bars {
            start_s: (self.first + first) as f64 * self.step,
            step_s: self.step,
            bars: self
                .bars
                .range(first as usize..end as usize)
                .copied()
                .collect(),
        }
    }
}

/// The number of the bar that an instant lies in.
fn number(instant: f64, step: f64) -> i64 {
    // Far from both ends, so that sums of a few of them do not overflow.
    ((instant / step).floor() as i64).clamp(i64::MIN / 8, i64::MAX / 8)
}

#[cfg(test)]
mod tests {
    use super::*;
    use iotempo_model::Seconds;
    use proptest::prelude::*;

    fn interval(start: f64, length: f64) -> Interval {
        let seconds = |value| Seconds::new(value).expect("finite");
        Interval::new(seconds(start), seconds(start + length)).expect("forwards")
    }

    fn bytes(many: f64) -> Bytes {
        Bytes::new(many).expect("some")
    }

    fn written(bars: &Bars) -> f64 {
        bars.bars.iter().map(|bar| bar.written).sum()
    }

    #[test]
    fn a_day_is_all_there_and_its_end_is_sharp() {
        let mut recording = Recording::default();
        for second in 0..86_400 {
            let when = interval(f64::from(second), 0.25);
            recording.add(Op::Write, when, bytes(100.0));
        }
        let all = recording.bars(0.0, 86_400.0).expect("bars");
        assert!(all.bars.len() <= 512 && all.start_s == 0.0);
        assert!((written(&all) / 8_640_000.0 - 1.0).abs() < 1e-4);
        let last = recording.bars(86_395.0, 86_400.0).expect("bars");
        assert_eq!(last.step_s, FINEST);
        assert!((written(&last) - 500.0).abs() < 1e-3, "{last:?}");
        assert!(recording.levels.len() <= 16);
    }

    #[test]
    fn directions_are_kept_apart() {
        let mut recording = Recording::default();
        recording.add(Op::Read, interval(1.0, 0.0), bytes(3.0));
        recording.add(Op::Write, interval(2.0, 1.0), bytes(5.0));
        let all = recording.bars(0.0, 9.0).expect("bars");
        let read: f64 = all.bars.iter().map(|bar| bar.read).sum();
        assert!(read == 3.0 && (written(&all) - 5.0).abs() < 1e-4);
        assert_eq!(
            all.bars[0],
            Bar {
                read: 3.0,
                written: 0.0
            }
        );
    }

    #[test]
    fn few_stretches_show_every_peak() {
        let mut recording = Recording::default();
        for phase in 0..6 {
            let when = interval(f64::from(phase), FINEST);
            recording.add(Op::Write, when, bytes(10.0));
        }
        let bars = recording.bars(0.0, 6.0).expect("bars");
        let few = bars.decimated(3);
        assert_eq!(few.len(), 3);
        for stretch in &few {
            let written = stretch.written;
            assert_eq!((written.lowest, written.highest), (0.0, 10.0 / FINEST));
            assert_eq!(stretch.read.highest, 0.0);
        }
        let bytes_of = |stretch: &Stretch| stretch.written.mean * (stretch.end_s - stretch.start_s);
        let sum: f64 = few.iter().map(bytes_of).sum();
        assert!((sum - 60.0).abs() < 1e-6 && bars.decimated(0).len() == 1);
    }

    #[test]
    fn small_transfers_count_after_large_ones() {
        let mut recording = Recording::default();
        let when = interval(0.0, FINEST / 2.0);
        recording.add(Op::Write, when, bytes(1e12));
        for _ in 0..1000 {
            recording.add(Op::Write, when, bytes(4096.0));
        }
        let bars = recording.bars(0.0, FINEST).expect("bars");
        assert_eq!(written(&bars), 1e12 + 4_096_000.0);
    }

    #[test]
    fn nothing_was_recorded() {
        let recording = Recording::default();
        assert!(recording.bars(0.0, 1.0).is_none() && recording.extent().is_none());
    }

    proptest! {
        /// Whatever comes, in whichever order: the last level has every byte, and memory is bounded.
        #[test]
        fn no_byte_is_lost(transfers in prop::collection::vec(
            (-1e6..1e9_f64, 0.0..1e5_f64, 1.0..1e6_f64), 1..60,
        )) {
            let mut recording = Recording::default();
            let mut sum = 0.0;
            for (start, length, many) in transfers {
                recording.add(Op::Write, interval(start, length), bytes(many));
                sum += many;
            }
            let (from, to) = recording.extent().expect("bars");
            let all = recording.bars(from, to).expect("bars");
            prop_assert!((written(&all) / sum - 1.0).abs() < 1e-4, "{} {sum}", written(&all));
            prop_assert!(recording.levels.iter().all(|level| level.bars.len() <= BARS));
        }
    }
}
