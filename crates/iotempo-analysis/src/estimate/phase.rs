//! From a phase of a log to what benchmarks are asked for.

use super::demand::Demand;
use crate::phases::IoPhase;
use iotempo_model::{Api, FileStrategy, Scenario, Spatiality};

/// How phases become scenarios.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Mimicry {
    /// Nodes that the job ran on, which logs do not tell.
    pub nodes: u64,
    /// Processes of the job, where the log tells.
    pub processes: Option<u64>,
    /// Requests of different sizes are looked up one by one, and not as if all were of their mean size.
    pub by_size: bool,
}

impl Mimicry {
    /// How many processes a benchmark like a phase has, by section 6 of the report: those of a phase of
    /// shared files are as many as share most files, those of others as many as there are files, and never
    /// more than took part, or than made a request. `None` where nobody says how many did.
    #[must_use]
    pub fn processes_of(&self, phase: &IoPhase) -> Option<u64> {
        let took_part = self.took_part(phase);
        let processes = match phase.strategy {
            FileStrategy::Shared => Some(phase.mode_of_processes).filter(|mode| *mode > 0),
            FileStrategy::Unique => Some(phase.files),
        };
        let processes = processes.or(took_part)?;
        Some(processes.clamp(1, took_part.unwrap_or(u64::MAX).max(1)))
    }

    /// The processes of a phase, which are not more than those of the job, or than requests.
    fn took_part(&self, phase: &IoPhase) -> Option<u64> {
        let counted = match (phase.ranks.count, self.processes) {
            (Some(count), Some(all)) => Some(count.min(all)),
            (count, all) => count.or(all),
        };
        match phase.requests {
            0 => counted,
            requests => counted.map(|counted| counted.min(requests)),
        }
    }

    /// What a phase asks for. Where files are shared by groups, each process moves what is its share among
    /// all that took part, not among one group.
    ///
    /// Where nobody says how many processes took part, it has 0, and no parts: there is no benchmark like
    /// it.
    #[must_use]
    pub fn demand(&self, phase: &IoPhase) -> Demand {
        let processes = self.processes_of(phase).unwrap_or(0);
        let divided_by = match phase.strategy {
            FileStrategy::Shared => self.took_part(phase).unwrap_or(processes).max(processes),
            FileStrategy::Unique => processes,
        };
        let empty = phase
            .sizes
            .shares
            .iter()
            .filter(|share| share.size_bytes == 0.0);
        let empty = empty.fold(0, |sum: u64, share| sum.saturating_add(share.requests));
        let scenario = Scenario {
            op: phase.op,
            api: phase.api,
            files: phase.strategy,
            spatiality: spatiality(phase),
            nodes: self.nodes.clamp(1, processes.max(1)),
            processes,
            bytes_per_process: divided(phase.bytes, divided_by),
            request_bytes: divided(phase.bytes, phase.requests.saturating_sub(empty)),
        };
        let mut demand = Demand::even(scenario, phase.start_s, phase.end_s);
        // What was moved, not what is left of it after division.
        demand.bytes = phase.bytes as f64;
        for part in &mut demand.parts {
            part.bytes = demand.bytes;
        }
        if self.by_size && !demand.parts.is_empty() {
            let shares = phase.sizes.shares.iter();
            demand = demand.of_sizes(shares.map(|share| (share.size_bytes, share.bytes())));
        }
        demand.in_whole_requests()
    }
}

/// MPI-IO, STDIO and traces of requests do not tell where requests lie: their benchmark is contiguous.
fn spatiality(phase: &IoPhase) -> Spatiality {
    match (phase.api, phase.spatiality) {
        (Api::Posix | Api::MpiIo | Api::Stdio, Spatiality::Unknown) => Spatiality::Consecutive,
        (_, spatiality) => spatiality,
    }
}

/// Rounded to the nearest, but not to nothing; 0 by nobody.
fn divided(bytes: u64, by: u64) -> u64 {
    match by {
        0 => 0,
        by => ((bytes as f64 / by as f64).round() as u64).max(bytes.min(1)),
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::phases::{PhaseFinder, Settings};
    use iotempo_model::{FileCounters, Op, Rank, Seconds, SizeCount};

    /// HACC-IO of the report: 64 processes, ten requests each of four sizes, a file per process.
    fn hacc() -> IoPhase {
        let mut finder = PhaseFinder::new(Settings::default());
        for rank in 0..64_i32 {
            let mut file = FileCounters::new(rank as u64, Api::Posix);
            (file.rank, file.processes) = (Some(Rank(rank)), Some(64));
            let sizes = [(400_000, 7), (800_000, 1), (200_000, 1), (25_165_824, 1)];
            for (slot, (size, count)) in file.frequent.iter_mut().zip(sizes) {
                *slot = SizeCount { size, count };
            }
            let write = file.of_mut(Op::Write);
            (write.requests, write.bytes, write.consecutive) = (10, 28_965_824, 9);
            for (size, count) in sizes {
                write.sizes[iotempo_model::size_bin(size)] += count;
            }
            (write.start, write.end) = (Seconds::new(0.03), Seconds::new(2.4));
            finder.push(&file);
        }
        finder.finish().phases.remove(0)
    }

    #[test]
    fn hacc_is_mimicked_as_in_the_report_and_by_its_sizes() {
        let phase = hacc();
        let mut how = Mimicry {
            nodes: 8,
            processes: Some(64),
            by_size: false,
        };
        let whole = how.demand(&phase);
        assert_eq!(whole.bytes, 1_853_812_736.0);
        let scenario = whole.parts[0].scenario;
        assert_eq!((scenario.processes, scenario.nodes), (64, 8));
        assert_eq!(
            (scenario.bytes_per_process, scenario.request_bytes),
            // Ten whole requests.
            (28_965_820, 2_896_582)
        );
        how.by_size = true;
        let sizes: Vec<u64> = how
            .demand(&phase)
            .parts
            .iter()
            .map(|p| p.scenario.request_bytes)
            .collect();
        assert_eq!(sizes, [200_000, 400_000, 800_000, 25_165_824]);
        let of_last = how.demand(&phase).parts[3].scenario.bytes_per_process;
        assert_eq!(of_last, 25_165_824, "no benchmark makes 1.15 requests");
    }

    /// What a process wrote to a file: ten requests of 1000 bytes.
    fn wrote(file: u64, rank: Option<i32>, processes: Option<u64>) -> FileCounters {
        let mut counters = FileCounters::new(file, Api::Posix);
        (counters.rank, counters.processes) = (rank.map(Rank), processes);
        let write = counters.of_mut(Op::Write);
        (write.requests, write.bytes, write.consecutive) = (10, 10_000, 9);
        (write.start, write.end) = (Seconds::new(1.0), Seconds::new(2.0));
        counters
    }

    fn only(files: &[FileCounters]) -> IoPhase {
        let mut finder = PhaseFinder::new(Settings::default());
        files.iter().for_each(|file| finder.push(file));
        let [phase] = <[IoPhase; 1]>::try_from(finder.finish().phases).unwrap();
        phase
    }

    fn how(processes: Option<u64>) -> Mimicry {
        Mimicry {
            nodes: 1,
            processes,
            by_size: true,
        }
    }

    #[test]
    fn one_process_with_many_files_is_one_process() {
        let files: Vec<_> = (0..50).map(|file| wrote(file, Some(0), Some(64))).collect();
        let scenario = how(Some(64)).demand(&only(&files)).whole;
        assert_eq!(
            (scenario.processes, scenario.bytes_per_process),
            (1, 500_000)
        );
    }

    #[test]
    fn processes_that_share_files_in_groups_move_their_own_share() {
        // Eight files, each of eight of 64 processes.
        let files: Vec<_> = (0..64)
            .map(|rank| wrote(rank as u64 / 8, Some(rank), Some(64)))
            .collect();
        let demand = how(Some(64)).demand(&only(&files));
        assert_eq!(
            (demand.whole.processes, demand.whole.bytes_per_process),
            (8, 10_000)
        );
        assert_eq!(demand.bytes, 640_000.0);
    }

    #[test]
    fn processes_that_nobody_counted_are_not_one() {
        let phase = only(&[wrote(1, None, None)]);
        assert_eq!(how(None).processes_of(&phase), None);
        assert_eq!(how(None).demand(&phase).parts, []);
        assert_eq!(how(Some(8)).processes_of(&phase), Some(8));
    }

    #[test]
    fn requests_that_move_nothing_make_the_others_no_smaller() {
        let mut file = wrote(1, Some(0), Some(1));
        file.frequent[0] = SizeCount { size: 0, count: 6 };
        file.frequent[1] = SizeCount {
            size: 2500,
            count: 4,
        };
        let write = file.of_mut(Op::Write);
        (write.sizes[0], write.sizes[iotempo_model::size_bin(2500)]) = (6, 4);
        let demand = how(Some(1)).demand(&only(&[file]));
        assert_eq!(demand.whole.request_bytes, 2500);
        assert_eq!(demand.parts.len(), 1);
    }

    #[test]
    fn who_makes_no_request_is_not_mimicked() {
        let mut file = wrote(1, None, Some(64));
        let write = file.of_mut(Op::Write);
        (write.requests, write.bytes) = (4, 23);
        let demand = how(Some(64)).demand(&only(&[file]));
        let Scenario {
            processes,
            bytes_per_process,
            request_bytes,
            ..
        } = demand.whole;
        assert_eq!((processes, bytes_per_process, request_bytes), (4, 6, 6));
        assert_eq!(demand.bytes, 23.0);
    }

    #[test]
    fn a_few_bytes_by_many_are_not_nothing() {
        let mut file = wrote(1, None, Some(64));
        let write = file.of_mut(Op::Write);
        (write.requests, write.bytes) = (64, 24);
        let demand = how(Some(64)).demand(&only(&[file]));
        assert_eq!(demand.whole.bytes_per_process, 1);
        assert_eq!((demand.parts.len(), demand.bytes), (1, 24.0));
    }

    #[test]
    fn there_are_never_more_processes_than_the_job_has() {
        let how = Mimicry {
            nodes: 100,
            processes: Some(16),
            by_size: false,
        };
        let scenario = how.demand(&hacc()).whole;
        assert_eq!((scenario.processes, scenario.nodes), (16, 16));
    }
}
