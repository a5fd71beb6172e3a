//! Hard cases: rhythms that real applications have and that detectors stumble over.

mod kind;
mod score;

pub use kind::ShapeKind;

use crate::clock::{SECOND, Ticks, ticks};
use crate::error::{SimError, within};
use crate::random::{generator, normal};
use crate::semi::SemiSynthetic;
use crate::synthetic::Synthetic;
use crate::truth::Truth;
use iotempo_model::{Hertz, Op, Seconds, Signal};
use rand::RngExt;
use score::{Cycle, Part, Score};

/// A hard case with its parameters. I/O comes at the end of each repetition.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Shape {
    /// Which case.
    pub kind: ShapeKind,
    /// The period that the case is built around.
    pub period: Seconds,
    /// How often it repeats.
    pub repetitions: u32,
    /// The number of ranks.
    pub ranks: u32,
    /// The standard deviation of a repetition's length, as a share of it.
    pub jitter: f64,
    /// What decides about all that is random.
    pub seed: u64,
}

/// The rate of a rank, in bytes per second.
const RATE: u64 = 1_000_000_000;

impl Shape {
    /// The case as it is usually tried.
    #[must_use]
    pub fn new(kind: ShapeKind) -> Self {
        let (period, repetitions) = kind.usual();
        Self {
            kind,
            period: Seconds::new(period).unwrap_or_default(),
            repetitions,
            ranks: 4,
            jitter: 0.02,
            seed: 0,
        }
    }

    /// The bandwidth at `rate` over the whole run, and what is true of it.
    ///
    /// # Errors
    /// As [`generate`](Self::generate), and where the run has too many samples at this rate.
    pub fn signal(&self, rate: Hertz) -> Result<(Signal, Truth), SimError> {
        let made = self.generate()?;
        Ok((made.signal(rate)?, made.truth))
    }

    /// The trace, and what is true of it.
    ///
    /// # Errors
    /// [`SimError`] where a parameter makes no sense, or all together ask for too much.
    pub fn generate(&self) -> Result<Synthetic, SimError> {
        self.check()?;
        let mut score = Score::default();
        match self.kind {
            ShapeKind::LowDuty => self.plain(&mut score, 0.002),
            ShapeKind::FewRepetitions => self.plain(&mut score, 0.15),
            ShapeKind::LongFirst => self.long_first(&mut score),
            ShapeKind::DelayedFirst => self.delayed_first(&mut score),
            ShapeKind::TwoPeriods => self.two_periods(&mut score),
            ShapeKind::Drift => self.drift(&mut score),
            ShapeKind::Doubling => self.doubling(&mut score),
            ShapeKind::Joining => self.joining(&mut score),
            ShapeKind::Alias => self.alias(&mut score),
            ShapeKind::Background => self.background(&mut score),
            ShapeKind::MultiBurst => self.multi_burst(&mut score),
        }
        Ok(score.finish())
    }

    fn check(&self) -> Result<(), SimError> {
        const COUNT: &str = "between 1 and 1000000";
        let period = self.period.get();
        within("period", period, 1e-3..=1e7, "between 0.001 s and 1e7 s")?;
        within("repetitions", f64::from(self.repetitions), 1.0..=1e6, COUNT)?;
        within("ranks", f64::from(self.ranks), 1.0..=1e6, COUNT)?;
        within("jitter", self.jitter, 0.0..=0.3, "between 0 and 0.3")?;
        let rows = u64::from(self.repetitions) * self.kind.bursts_per_repetition(period);
        let requests = rows.saturating_mul(u64::from(self.ranks));
        let most = SemiSynthetic::MAX_REQUESTS;
        if requests > most {
            return Err(SimError::TooManyRequests { requests, most });
        }
        // A repetition is cut at one and a half of its mean, the longest mean is twice the period.
        let longest = f64::from(self.repetitions + 10) * period * 3.0;
        if longest > 1e10 {
            return Err(SimError::TooLong);
        }
        Ok(())
    }

    /// Repetitions from `from` on, whose mean length is given for each.
    fn cycles(&self, from: Ticks, lengths: impl Iterator<Item = f64>) -> Vec<Cycle> {
        let mut random = generator(self.seed, 0);
        let mut now = from;
        lengths
            .map(|length| {
                let stray = (self.jitter * normal(&mut random)).clamp(-0.5, 0.5);
                let cycle = (now, now + ticks(length * (1.0 + stray)));
                now = cycle.1;
                cycle
            })
            .collect()
    }

    fn even(&self, from: Ticks, period: f64, count: u32) -> Vec<Cycle> {
        self.cycles(from, (0..count).map(|_| period))
    }

    /// Bursts of all ranks at the end of each repetition, as long as this share of the period.
    fn phases(&self, name: &'static str, share: f64) -> Part {
        Part {
            name,
            ranks: 0..self.ranks,
            op: Op::Write,
            rate: RATE,
            bursts: vec![Part::last(ticks(share * self.period.get()))],
        }
    }

    fn plain(&self, score: &mut Score, share: f64) {
        let cycles = self.even(0, self.period.get(), self.repetitions);
        score.play(&self.phases("bursts", share), &cycles);
        score.one_segment();
    }

    /// A first phase of three periods, such as the writing of initial conditions, then a rhythm.
    fn long_first(&self, score: &mut Score) {
        let first = ticks(3.0 * self.period.get());
        score.write_once("first", self.ranks, (0, first), RATE);
        let cycles = self.even(first, self.period.get(), self.repetitions);
        score.play(&self.phases("bursts", 0.2), &cycles);
        score.segments_at(&[first]);
    }

    /// HACC-IO in a loop, as FTIO's paper tells of it (section III-B and Figure 15): ten phases of which
    /// the first lasts from 4.1 s to 15.3 s. They start every 8.7 s in the mean, and every 7.7 s without
    /// the first. What the paper does not tell is chosen: the first phase begins for a tenth of a second, and
    /// stalls; all take 3.8 s and 0.8 s to verify, which agrees with when predictions were made.
    fn delayed_first(&self, score: &mut Score) {
        let share = |seconds: f64| seconds / 7.7;
        let time = |seconds: f64| ticks(share(seconds) * self.period.get());
        let usual = (2..self.repetitions).map(|_| 1.0);
        let lengths = [share(16.1), share(9.3)].into_iter().chain(usual);
        let lengths = lengths.take(self.repetitions as usize);
        let cycles = self.cycles(0, lengths.map(|share| share * self.period.get()));
        let late = Part {
            bursts: vec![(time(12.0), time(0.1)), (time(4.6), time(3.8))],
            ..self.phases("phases", 0.0)
        };
        score.play(&late, &cycles[..1]);
        let usual = Part {
            bursts: vec![(time(4.6), time(3.8))],
            ..self.phases("phases", 0.0)
        };
        score.play(&usual, &cycles[1..]);
        score.one_segment();
    }

    /// Checkpoints, and a log twelve times as often.
    fn two_periods(&self, score: &mut Score) {
        let period = self.period.get();
        let cycles = self.even(0, period, self.repetitions);
        score.play(&self.phases("checkpoints", 0.1), &cycles);
        let log = Part {
            name: "logs",
            ranks: 0..1,
            rate: RATE / 2,
            bursts: vec![Part::last(ticks(period / 240.0))],
            op: Op::Write,
        };
        let every = period / 12.0;
        let end = cycles.last().map_or(0, |cycle| cycle.1);
        score.play(&log, &regular(0, end, ticks(every)));
        score.one_segment();
    }

    /// Repetitions that grow by half from the first to the last.
    fn drift(&self, score: &mut Score) {
        let last = f64::from(self.repetitions.saturating_sub(1).max(1));
        let growing =
            (0..self.repetitions).map(|i| self.period.get() * (1.0 + 0.5 * f64::from(i) / last));
        let cycles = self.cycles(0, growing);
        score.play(&self.phases("bursts", 0.2), &cycles);
        score.one_segment();
    }

    /// Half of the repetitions, and then half of them twice as long.
    fn doubling(&self, score: &mut Score) {
        let half = self.repetitions / 2;
        let lengths = (0..self.repetitions).map(|i| {
            let times = if i < half { 1.0 } else { 2.0 };
            times * self.period.get()
        });
        let cycles = self.cycles(0, lengths);
        score.play(&self.phases("bursts", 0.2), &cycles);
        let change = cycles.get(half as usize).map_or(0, |cycle| cycle.0);
        score.segments_at(&[change]);
    }

    /// A rhythm of small writes, which large checkpoints every eight periods join midway.
    fn joining(&self, score: &mut Score) {
        let cycles = self.even(0, self.period.get(), self.repetitions);
        let steps = Part {
            rate: RATE / 20,
            ..self.phases("steps", 0.2)
        };
        score.play(&steps, &cycles);
        let middle = cycles.len() / 2;
        let groups: Vec<Cycle> = cycles[middle..]
            .chunks_exact(8)
            .map(|group| (group[0].0, group[7].1))
            .collect();
        score.play(&self.phases("checkpoints", 0.8), &groups);
        score.segments_at(&[cycles.get(middle).map_or(0, |cycle| cycle.0)]);
    }

    /// Epochs of training that read a batch a step, 102 steps an epoch, and then validate without
    /// I/O. With the usual period of 139 s a step takes 1.36 s: at 1 Hz it looks like 3.78 s.
    fn alias(&self, score: &mut Score) {
        let step = self.period.get() * 1.36 / 139.0;
        let cycles = self.even(0, self.period.get(), self.repetitions);
        for &(start, end) in &cycles {
            let steps = regular(start, start + (end - start) / 10 * 9, ticks(step));
            let batch = Part {
                op: Op::Read,
                bursts: vec![Part::last(ticks(step * 0.5))],
                ..self.phases("steps", 0.0)
            };
            score.play(&batch, &steps);
        }
        score.gather("epochs", "steps", &cycles);
        score.one_segment();
    }

    /// Bursts in a background of another process that moves anything up to their rate.
    fn background(&self, score: &mut Score) {
        let cycles = self.even(0, self.period.get(), self.repetitions);
        score.play(&self.phases("bursts", 0.1), &cycles);
        let mut random = generator(self.seed, 1);
        let end = cycles.last().map_or(0, |cycle| cycle.1);
        for (from, to) in regular(0, end, SECOND.min(ticks(self.period.get() / 10.0))) {
            let rate = random.random_range(0..RATE * u64::from(self.ranks) / 2);
            score.noise(self.ranks, (from, to), rate);
        }
        score.one_segment();
    }

    /// Phases of three bursts each.
    fn multi_burst(&self, score: &mut Score) {
        let period = self.period.get();
        let burst = ticks(period * 0.03);
        let part = Part {
            bursts: [0.23, 0.13, 0.03]
                .map(|before| (ticks(period * before), burst))
                .to_vec(),
            ..self.phases("phases", 0.0)
        };
        let cycles = self.even(0, period, self.repetitions);
        score.play(&part, &cycles);
        score.one_segment();
    }
}

/// Repetitions of equal length that fit between two times.
fn regular(from: Ticks, to: Ticks, length: Ticks) -> Vec<Cycle> {
    let count = (to - from) / length.max(1);
    (0..count)
        .map(|i| (from + i * length, from + (i + 1) * length))
        .collect()
}
