//! Which targets are to be seen, and where they are not.

use super::Binned;
use super::binned::on_boundary;
use super::coverage::Coverage;
use crate::request::Op;
use crate::throughput::Target;

/// A step is a hole where more than this share of the targets, or of what they usually move, is unseen.
const UNSEEN: f64 = 0.1;

/// A target is there in a stretch of time of which it covers this share.
const THERE: f64 = 0.5;

/// A target that is there in one of so many stretches of time is expected in all: it is one whose log has
/// holes rather than a new one.
const OFTEN: usize = 3;

/// Where on the average more than this is unseen, more than a tenth of the steps are holes: nobody needs
/// to look at each.
const HOPELESS: f64 = 0.25;

/// A stretch that a log does not cover.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Hole {
    /// The first step that is missing.
    pub first: i64,
    /// How many are.
    pub steps: i64,
}

/// Targets that are there often, each in one direction. Where one of them is unseen, what all
/// of them moved is not known.
#[derive(Debug, Clone, Default)]
pub struct Expected {
    series: Vec<Series>,
    /// What they move in all.
    bytes: f64,
}

#[derive(Debug, Clone, Copy)]
struct Series {
    target: usize,
    op: Op,
    bytes: f64,
}

/// A target that is there at some times and not at others.
#[derive(Debug, Clone, PartialEq)]
pub struct Seldom<'a> {
    /// The target.
    pub target: &'a Target,
    /// In how many of the stretches of time that were asked about it is there.
    pub there: usize,
    /// In how many of them any target is.
    pub of: usize,
    /// From its first interval to its last.
    pub hull: (f64, f64),
    /// The first log that speaks of it.
    pub log: &'a str,
}

/// What is unseen in a stretch of time.
#[derive(Debug, Clone, PartialEq)]
pub struct Unseen<'a> {
    /// Targets that are absent for most of it, where they are enough to matter.
    pub absent: Vec<&'a Target>,
    /// The direction in which they are, where all are there in the other.
    pub direction: Option<Op>,
    /// Whether so much is unseen that holes need not be looked for one by one.
    pub is_hopeless: bool,
    /// For how long a target is unseen, of that which is so for longest.
    pub seconds: f64,
    /// The longest gap of that target: when it begins, and how long it is.
    pub longest: (f64, f64),
}

impl Binned {
    /// The targets that are there in many of these stretches of time, of those in which any is, in each
    /// direction that their logs have: where one is there and the other is not, what they moved is not
    /// known. Ask after the last log has been read.
    #[must_use]
    pub fn expected(&self, ops: &[Op], windows: &[(f64, f64)]) -> Expected {
        let mut there = vec![false; windows.len()];
        let mut counts = Vec::new();
        for (target, track) in self.tracks.iter().enumerate() {
            let of_target = counts.len();
            for &op in ops {
                let coverage = &track.coverage[op as usize];
                if coverage.is_empty() {
                    continue;
                }
                let mut count = 0;
                for (&(from, to), any) in windows.iter().zip(&mut there) {
                    if coverage.seconds(from, to) >= THERE * (to - from) {
                        count += 1;
                        *any = true;
                    }
                }
                let bytes = track.bytes[op as usize];
                counts.push((Series { target, op, bytes }, count));
            }
            let both = &mut counts[of_target..];
            let most = both.iter().map(|(_, count)| *count).max().unwrap_or(0);
            both.iter_mut().for_each(|(_, count)| *count = most);
        }
        let windows = there.iter().filter(|any| **any).count();
        let enough = |(_, count): &(Series, usize)| OFTEN * count >= windows && *count > 0;
        let series: Vec<Series> = counts
            .into_iter()
            .filter(enough)
            .map(|(one, _)| one)
            .collect();
        let bytes = series.iter().map(|one| one.bytes).sum();
        Expected { series, bytes }
    }

    /// Targets that are in none, or in few, of these stretches of time: in `there` of them.
    #[must_use]
    pub fn seldom(&self, ops: &[Op], windows: &[(f64, f64)]) -> Vec<Seldom<'_>> {
        let mut any = vec![false; windows.len()];
        let mut found = Vec::new();
        for (target, track) in self.targets().iter().zip(&self.tracks) {
            let covered = ops.iter().map(|&op| &track.coverage[op as usize]);
            let covered: Vec<&Coverage> = covered.filter(|one| !one.is_empty()).collect();
            let mut there = 0;
            for (&(from, to), any) in windows.iter().zip(&mut any) {
                let is = covered.iter().any(|one| one.seconds(from, to) > 0.0);
                there += usize::from(is);
                *any |= is;
            }
            let first = covered.first().and_then(|one| one.stretches().first());
            if let (Some(first), Some(hull)) = (first, covered.first().and_then(|one| one.hull())) {
                found.push(Seldom {
                    target,
                    there,
                    of: 0,
                    hull,
                    log: self.told.name(first.log),
                });
            }
        }
        let of = any.iter().filter(|any| **any).count();
        found.retain(|one| OFTEN * one.there < of || one.there == 0);
        for one in &mut found {
            one.of = of;
        }
        found
    }

    /// The targets that are there for much of the time of the logs.
    #[must_use]
    pub fn usually_expected(&self, ops: &[Op]) -> Expected {
        let windows: Vec<(f64, f64)> = self.hull.into_iter().collect();
        self.expected(ops, &windows)
    }

    fn coverage(&self, series: Series) -> &Coverage {
        &self.tracks[series.target].coverage[series.op as usize]
    }

    /// What is unseen from one instant to another, by length alone.
    #[must_use]
    pub fn unseen(&self, from: f64, to: f64, ops: &[Op], expected: &Expected) -> Unseen<'_> {
        let length = to - from;
        let (mut share, mut absence) = (Weight::default(), Weight::default());
        let mut absent: Vec<usize> = Vec::new();
        let mut directions: Vec<Op> = Vec::new();
        let (mut seconds, mut longest) = (0.0, (from, 0.0));
        let mut note = |gaps: &[(f64, f64)]| {
            let missing: f64 = gaps.iter().map(|(start, end)| end - start).sum();
            if missing > seconds {
                seconds = missing;
                let gap = gaps
                    .iter()
                    .max_by(|a, b| (a.1 - a.0).total_cmp(&(b.1 - b.0)));
                longest = gap.map_or(longest, |(start, end)| (*start, end - start));
            }
            missing
        };
        if expected.series.is_empty() {
            share.count = note(&self.nobody(from, to, ops)) / length;
        }
        for &one in &expected.series {
            let gaps: Vec<(f64, f64)> = self.coverage(one).gaps(from, to).collect();
            let missing = note(&gaps);
            share.add(expected, one, missing / length);
            if missing > (1.0 - THERE) * length {
                absence.add(expected, one, 1.0);
                absent.push(one.target);
                directions.push(one.op);
            }
        }
        absent.dedup();
        let direction = directions.first().copied();
        let is_one = directions.iter().all(|&op| Some(op) == direction) && ops.len() > 1;
        // Where none is there, no one of them is to be named.
        let matters = absence.share() > UNSEEN && absent.len() < expected.targets();
        Unseen {
            absent: match matters {
                true => absent.iter().map(|&one| &self.targets()[one]).collect(),
                false => Vec::new(),
            },
            direction: direction.filter(|_| is_one && absence.share() > UNSEEN),
            is_hopeless: share.share() > HOPELESS,
            seconds,
            longest,
        }
    }

    /// The stretches from one instant to another of which no target at all says anything.
    fn nobody(&self, from: f64, to: f64, ops: &[Op]) -> Vec<(f64, f64)> {
        let mut seen: Vec<(f64, f64)> = Vec::new();
        for track in &self.tracks {
            for &op in ops {
                let stretches = track.coverage[op as usize].stretches().iter();
                let within = stretches.filter(|one| one.end > from && one.start < to);
                seen.extend(within.map(|one| (one.start, one.end)));
            }
        }
        seen.sort_by(|a, b| a.0.total_cmp(&b.0));
        let mut all = Coverage::default();
        for (start, end) in seen {
            all.add(start, end, 0, 0.0);
        }
        all.gaps(from, to).collect()
    }

    /// Steps of which too little is seen, among `steps` from `first` on.
    #[must_use]
    pub fn holes(&self, first: i64, steps: usize, ops: &[Op], expected: &Expected) -> Vec<Hole> {
        let last = first.saturating_add_unsigned(steps as u64);
        let (from, to) = (self.time_of(first), self.time_of(last));
        let step = self.step().unwrap_or(1.0);
        let mut count = Shares::new(steps);
        let mut bytes = Shares::new(steps);
        let mut miss = |gap: (f64, f64), weight: f64, volume: f64| {
            let place = |at: f64| on_boundary((at - from) / step);
            let (begin, end) = (place(gap.0), place(gap.1));
            count.add(begin, end, weight);
            bytes.add(begin, end, volume);
        };
        if expected.series.is_empty() {
            for gap in self.nobody(from, to, ops) {
                miss(gap, 1.0, 0.0);
            }
        }
        let (number, moved) = expected.whole();
        for &one in &expected.series {
            for gap in self.coverage(one).gaps(from, to) {
                miss(gap, 1.0 / number, one.bytes / moved);
            }
        }
        let mut holes = Vec::new();
        let (count, bytes) = (count.sums(), bytes.sums());
        for (at, (count, bytes)) in count.into_iter().zip(bytes).enumerate() {
            // A hundredth of a step more or less is the clock's.
            if count.max(bytes) > UNSEEN + 1e-9 {
                extend(&mut holes, first + at as i64);
            }
        }
        holes
    }
}

impl Expected {
    /// By what to divide numbers of series, and bytes.
    fn whole(&self) -> (f64, f64) {
        let moved = if self.bytes > 0.0 { self.bytes } else { 1.0 };
        (self.series.len().max(1) as f64, moved)
    }

    /// How many targets there are.
    fn targets(&self) -> usize {
        let mut targets: Vec<usize> = self.series.iter().map(|one| one.target).collect();
        targets.dedup();
        targets.len()
    }
}

/// How many of the expected series, and how much of their bytes.
#[derive(Default)]
struct Weight {
    count: f64,
    bytes: f64,
}

impl Weight {
    fn add(&mut self, expected: &Expected, series: Series, share: f64) {
        let (number, moved) = expected.whole();
        self.count += share / number;
        self.bytes += share * series.bytes / moved;
    }

    fn share(&self) -> f64 {
        self.count.max(self.bytes)
    }
}

/// A sum per step of what holds for stretches of steps.
struct Shares {
    /// What begins (and, negative, ends) to hold at a step.
    begin: Vec<f64>,
    /// What holds for a part of a step alone.
    part: Vec<f64>,
}

impl Shares {
    fn new(steps: usize) -> Self {
        Self {
            begin: vec![0.0; steps + 1],
            part: vec![0.0; steps + 1],
        }
    }

    fn add(&mut self, begin: f64, end: f64, weight: f64) {
        let last = self.begin.len() - 1;
        let within = |at: f64| (at.max(0.0) as usize).min(last);
        let (first, behind) = (within(begin.ceil()), within(end.floor()));
        if first > behind {
            self.part[behind] += weight * (end - begin);
            return;
        }
        self.begin[first] += weight;
        self.begin[behind] -= weight;
        if let Some(before) = first.checked_sub(1) {
            self.part[before] += weight * (first as f64 - begin).max(0.0);
        }
        self.part[behind] += weight * (end - behind as f64).max(0.0);
    }

    fn sums(self) -> Vec<f64> {
        let steps = self.begin.len() - 1;
        let mut sum = 0.0;
        let all = self.begin.into_iter().zip(self.part).take(steps);
        all.map(|(begin, part)| {
            sum += begin;
            sum + part
        })
        .collect()
    }
}

fn extend(holes: &mut Vec<Hole>, at: i64) {
    match holes.last_mut() {
        Some(hole) if hole.first + hole.steps == at => hole.steps += 1,
        _ => holes.push(Hole {
            first: at,
            steps: 1,
        }),
    }
}
