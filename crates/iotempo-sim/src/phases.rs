//! A library of I/O phases, in the likeness of the 99 IOR runs that FTIO was measured with
//! (Tarraf et al., IPDPS 2024, section III-A): 32 processes write 3.5 GB each, in requests of 1 MB,
//! within 10.22 s to 13.34 s, 10.4 s in the mean.

use crate::clock::{Ticks, ticks};
use crate::random::{beta, exponential, generator, lognormal_millionths};
use rand::RngExt;
use rand_chacha::ChaCha8Rng;

/// How finely a phase is resolved.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Grain {
    /// One request a rank, at a constant rate.
    #[default]
    Coarse,
    /// All 3500 requests of a rank.
    Fine,
}

/// The phases that traces are put together from. A phase is made when it is asked for, and always
/// the same.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PhaseLibrary {
    /// The number of ranks that write in a phase.
    pub ranks: u32,
    /// How finely phases are resolved.
    pub grain: Grain,
    /// The spread of the lengths of single requests: the σ of their logarithm.
    pub request_spread: f64,
    /// What decides about all that is random.
    pub seed: u64,
}

/// One I/O phase: what each rank does in it.
#[derive(Debug, Clone, PartialEq)]
pub struct IoPhase {
    /// The ranks, in order.
    pub ranks: Vec<RankPart>,
}

/// What one rank does in a phase: back-to-back writes from the start of the phase on.
#[derive(Debug, Clone, PartialEq)]
pub struct RankPart {
    /// When each request ends, in nanoseconds since the start of the phase.
    pub ends: Vec<u64>,
    /// The volume of each request, in bytes.
    pub request_bytes: u64,
}

impl RankPart {
    /// When the rank is done, in nanoseconds since the start of the phase.
    #[must_use]
    pub fn finish(&self) -> u64 {
        self.ends.last().copied().unwrap_or_default()
    }
}

impl IoPhase {
    /// When all ranks are done, in nanoseconds since the start of the phase.
    #[must_use]
    pub fn length(&self) -> u64 {
        self.ranks.iter().map(RankPart::finish).max().unwrap_or(0)
    }

    /// What all ranks write, in bytes.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        let of_rank = |rank: &RankPart| rank.ends.len() as u64 * rank.request_bytes;
        self.ranks.iter().map(of_rank).sum()
    }

    /// The same phase with `share` times the volume, in `share` times the time.
    #[must_use]
    pub fn scaled(mut self, share: f64) -> Self {
        let scale = |value: &mut u64| *value = (*value as f64 * share).round() as u64;
        for rank in &mut self.ranks {
            rank.ends.iter_mut().for_each(scale);
            scale(&mut rank.request_bytes);
        }
        self
    }
}

impl PhaseLibrary {
    /// The number of phases.
    pub const LEN: usize = 99;
    /// The number of requests of a rank in a phase.
    pub const REQUESTS: u64 = 3500;
    /// The volume of such a request, in bytes.
    pub const REQUEST_BYTES: u64 = 1_000_000;
    /// The volume of a rank in a phase, in bytes.
    pub const RANK_BYTES: u64 = Self::REQUESTS * Self::REQUEST_BYTES;

    /// The shortest and the longest phase, in seconds.
    const BOUNDS: (f64, f64) = (10.22, 13.34);
    /// What a phase lasts longer than the shortest one, in the mean.
    const MEAN_EXCESS: f64 = 0.18;
    /// How much earlier than the last rank the first ones are done at most, as a share.
    const EARLIEST: f64 = 0.12;

    /// A library of phases of `ranks` ranks.
    #[must_use]
    pub const fn new(ranks: u32, grain: Grain) -> Self {
        Self {
            ranks,
            grain,
            request_spread: 0.3,
            seed: 99,
        }
    }

    /// How many requests a phase has.
    #[must_use]
    pub const fn requests_per_phase(&self) -> u64 {
        let each = match self.grain {
            Grain::Coarse => 1,
            Grain::Fine => Self::REQUESTS,
        };
        self.ranks as u64 * each
    }

    /// Phase `index`, counted round and round.
    #[must_use]
    pub fn phase(&self, index: usize) -> IoPhase {
        let finishes = self.finishes(index % Self::LEN);
        let parts = finishes.into_iter().enumerate();
        IoPhase {
            ranks: parts
                .map(|(rank, finish)| self.part(index % Self::LEN, rank, finish))
                .collect(),
        }
    }

    /// When each rank is done.
    fn finishes(&self, index: usize) -> Vec<Ticks> {
        let mut random = generator(self.seed, index as u64);
        let length = Self::length(index, &mut random);
        let slowest = random.random_range(0..self.ranks.max(1));
        (0..self.ranks)
            .map(|rank| {
                let share = 1.0 - Self::EARLIEST * beta(&mut random);
                ticks(if rank == slowest {
                    length
                } else {
                    length * share
                })
            })
            .collect()
    }

    /// The length of phase `index` in seconds; the last one is the longest that was seen.
    fn length(index: usize, random: &mut ChaCha8Rng) -> f64 {
        let (shortest, longest) = Self::BOUNDS;
        if index + 1 == Self::LEN {
            return longest;
        }
        loop {
            let length = shortest + exponential(Self::MEAN_EXCESS, random);
            if length <= longest {
                return length;
            }
        }
    }

    fn part(&self, index: usize, rank: usize, finish: Ticks) -> RankPart {
        match self.grain {
            Grain::Coarse => RankPart {
                ends: vec![finish],
                request_bytes: Self::RANK_BYTES,
            },
            Grain::Fine => RankPart {
                ends: self.request_ends(index, rank, finish),
                request_bytes: Self::REQUEST_BYTES,
            },
        }
    }

    /// Requests of lognormal lengths, back to back until `finish`.
    fn request_ends(&self, index: usize, rank: usize, finish: Ticks) -> Vec<Ticks> {
        // Streams beyond those of the phases themselves: one a rank of a phase.
        let stream = (index as u64 + 1) << 32 | rank as u64;
        let mut random = generator(self.seed, stream);
        let mut sum = 0;
        let sums: Vec<u64> = (0..Self::REQUESTS)
            .map(|_| {
                sum += lognormal_millionths(self.request_spread, &mut random);
                sum
            })
            .collect();
        let scaled = |until: u64| (u128::from(until) * u128::from(finish) / u128::from(sum)) as u64;
        sums.iter().map(|&until| scaled(until)).collect()
    }
}
