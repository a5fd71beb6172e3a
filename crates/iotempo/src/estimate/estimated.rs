//! From a log to how fast it would be.

use super::args::EstimateArgs;
use crate::failure::Failure;
use crate::phases::Found;
use iotempo_analysis::estimate::{
    Combined, FEW_REPETITIONS, LeftOut, Lookup, Mimicry, PhaseEstimate, Store, Unmatched, combine,
};
use iotempo_analysis::phases::IoPhase;
use iotempo_model::{Api, Job, Spatiality, Warning, counted};

/// What is known of an application.
pub(super) struct Estimated {
    pub(super) input: String,
    /// Whether it is one of several in an archive.
    pub(super) member: bool,
    pub(super) format: String,
    pub(super) job: Job,
    /// The phases that move bytes of their own, as many as their estimates.
    pub(super) phases: Vec<IoPhase>,
    /// Where each stands among all phases of the log, counted from 1.
    pub(super) numbers: Vec<usize>,
    pub(super) estimates: Vec<PhaseEstimate>,
    pub(super) combined: Combined,
    pub(super) warnings: Vec<Warning>,
    pub(super) damaged: bool,
}

/// The phases of a log.
pub(super) struct Phased {
    pub(super) input: String,
    /// Whether it is one of several in an archive.
    pub(super) member: bool,
    pub(super) format: String,
    pub(super) job: Job,
    pub(super) phases: Vec<IoPhase>,
    /// Where each stands among all phases of the log, counted from 1.
    pub(super) numbers: Vec<usize>,
    pub(super) warnings: Vec<Warning>,
    pub(super) damaged: bool,
}

impl Phased {
    /// Phases that are shadows of others are left out: their bytes would count twice.
    ///
    /// A log that lacks files, or is damaged, is refused, unless `partial` ones will do.
    pub(super) fn of(found: Found, partial: bool) -> Result<Self, Failure> {
        let mut warnings = found.warnings;
        let lacks = [
            (
                found.partial,
                "partial",
                "Darshan ran out of memory for files: there are phases that it did not see",
            ),
            (
                found.damaged,
                "damaged",
                "a part of the log is damaged: there may be phases that cannot be seen",
            ),
        ];
        for (_, code, message) in lacks.into_iter().filter(|(lacks, ..)| *lacks) {
            if !partial {
                let message = format!("{message}; --partial estimates the others");
                return Err(Failure::new(found.input, message));
            }
            warnings.push(Warning::new(code, message));
        }
        let all = found.phases.phases.into_iter().zip(1..);
        let (phases, numbers): (Vec<IoPhase>, Vec<usize>) =
            all.filter(|(phase, _)| !phase.flags.shadow).unzip();
        warnings.extend(unplaced(&phases));
        Ok(Self {
            input: found.input,
            member: found.member,
            format: found.format,
            job: found.job,
            phases,
            numbers,
            warnings,
            damaged: found.damaged,
        })
    }

    pub(super) fn mimicry(&self, words: &EstimateArgs) -> Mimicry {
        Mimicry {
            nodes: words.nodes.unwrap_or(1),
            processes: self.job.ranks,
            by_size: !words.how.mean_size,
        }
    }

    pub(super) fn estimated(self, words: &EstimateArgs, store: &Store) -> Estimated {
        let mimicry = self.mimicry(words);
        let mut lookup = Lookup::new(store, words.how.reach());
        let estimate = |phase: &IoPhase| {
            let mut estimate = lookup.phase(mimicry.demand(phase));
            if mimicry.processes_of(phase).is_none() {
                estimate.parts = Err(Unmatched::ProcessesUnknown);
            }
            estimate
        };
        let estimates: Vec<PhaseEstimate> = self.phases.iter().map(estimate).collect();
        let mut combined = combine(&estimates);
        for left_out in &mut combined.left_out {
            for place in &mut left_out.phases_without {
                *place = self.numbers[*place - 1];
            }
        }
        let mut warnings = self.warnings;
        let long = self
            .phases
            .iter()
            .filter(|phase| phase.flags.long_lived)
            .count();
        if long > 0 {
            let message = format!(
                "{long} of {} phases hold a file open far longer than they move bytes: there may be \
                 several phases in each",
                self.phases.len()
            );
            warnings.push(Warning::new("long-lived", message));
        }
        warnings.extend(left_out(&combined));
        warnings.extend(averaged(&estimates, &self.numbers));
        warnings.extend(few_repetitions(&estimates));
        Estimated {
            input: self.input,
            member: self.member,
            format: self.format,
            job: self.job,
            phases: self.phases,
            numbers: self.numbers,
            estimates,
            combined,
            warnings,
            damaged: self.damaged,
        }
    }
}

/// Phases that a warning names.
const NAMED: usize = 5;

/// Numbers of I/O nodes that were benchmarked, but not for all phases.
fn left_out(combined: &Combined) -> Option<Warning> {
    let told = |left_out: &LeftOut| {
        let phases = named(&left_out.phases_without);
        format!("{} (not near {phases})", left_out.io_nodes)
    };
    let told: Vec<String> = combined.left_out.iter().map(told).collect();
    (!told.is_empty()).then(|| {
        let message = format!(
            "numbers of I/O nodes that were not benchmarked near all phases are not in the curve: {}",
            told.join("; ")
        );
        Warning::new(IO_NODES_LEFT_OUT, message)
    })
}

/// `phase 3`, `phases 1, 2 and 7 more`.
fn named(numbers: &[usize]) -> String {
    let named: Vec<String> = numbers.iter().take(NAMED).map(usize::to_string).collect();
    let more = match numbers.len().saturating_sub(NAMED) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let noun = if numbers.len() == 1 {
        "phase"
    } else {
        "phases"
    };
    format!("{noun} {}{more}", named.join(", "))
}

/// Phases with requests that no benchmark is near.
fn averaged(estimates: &[PhaseEstimate], numbers: &[usize]) -> Option<Warning> {
    let averaged = estimates.iter().zip(numbers);
    let averaged: Vec<(&Unmatched, usize)> = averaged
        .filter_map(|(estimate, number)| Some((estimate.averaged.as_ref()?, *number)))
        .collect();
    let (why, first) = averaged.first()?;
    let numbers: Vec<usize> = averaged.iter().map(|(_, number)| *number).collect();
    let message = format!(
        "requests of all sizes are taken for ones of their mean size in {}, because no benchmark is near some of \
         them (phase {first}: {why})",
        named(&numbers)
    );
    Some(Warning::new(MEAN_SIZE, message))
}

/// What to know of one of many logs, too.
pub(super) const MEAN_SIZE: &str = "mean-size";
pub(super) const IO_NODES_LEFT_OUT: &str = "io-nodes-left-out";

/// Phases whose benchmarks were hardly repeated.
fn few_repetitions(estimates: &[PhaseEstimate]) -> Option<Warning> {
    let few = |phase: &&PhaseEstimate| {
        let parts = phase.parts.iter().flatten();
        let mut points = parts.flat_map(|part| &part.curve.points);
        points.any(|point| point.distribution.repetitions < FEW_REPETITIONS)
    };
    let count = estimates.iter().filter(few).count();
    (count > 0).then(|| {
        let message = format!(
            "{} of {} with benchmarks that ran fewer than {FEW_REPETITIONS} times: by how much runs differ is taken \
             from others of their kind, or to be 10 %",
            count,
            counted(estimates.len() as u64, "phase")
        );
        Warning::new("single-repetition", message)
    })
}

/// Phases that do not tell where their requests lie.
fn unplaced(phases: &[IoPhase]) -> Option<Warning> {
    let unplaced =
        |phase: &&IoPhase| phase.api == Api::Posix && phase.spatiality == Spatiality::Unknown;
    let unplaced = phases.iter().filter(unplaced).count();
    (unplaced > 0).then(|| {
        let message = format!(
            "{unplaced} of {} phases do not tell where in files their requests lie: taken for \
             consecutive",
            phases.len()
        );
        Warning::new("spatiality-unknown", message)
    })
}
