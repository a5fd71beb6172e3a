//! A run of IOR that is like a scenario, within IOR's rules.

use iotempo_model::{Api, FileStrategy, Kind, Op, Scenario, Spatiality};

/// IOR checks data in words of so many bytes, and refuses sizes that are no multiples of them.
const WORD: u64 = 8;

/// A run: a scenario of sizes that IOR takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Run {
    scenario: Scenario,
    requests: u64,
}

impl Run {
    /// The run that is like a scenario; `None` where IOR has none.
    pub(super) fn like(scenario: &Scenario) -> Option<Self> {
        match (scenario.api, scenario.spatiality, scenario.files) {
            // Buffered streams it has not. DFS needs a pool and a container, which no log tells.
            (Api::Stdio | Api::Dfs | Api::Daos | Api::Unknown, ..) => return None,
            (_, Spatiality::Unknown, _) => return None,
            // Segments of a file of one's own follow each other.
            (_, Spatiality::Sequential, FileStrategy::Unique) => return None,
            // Only libraries of MPI make requests together.
            (Api::Posix, Spatiality::Collective, _) => return None,
            _ => {}
        }
        let request = Some(scenario.request_bytes).filter(|request| *request > 0)?;
        let transfer = match request % WORD {
            0 => request,
            rest if rest * 2 < WORD && request > WORD => request - rest,
            rest => request.checked_add(WORD - rest)?,
        };
        // To the nearest request.
        let requests = scenario.bytes_per_process.checked_add(transfer / 2)? / transfer;
        // A single block would not be strided.
        let fewest = match scenario.spatiality {
            Spatiality::Sequential => 2,
            _ => 1,
        };
        let requests = requests.max(fewest);
        Some(Self {
            scenario: Scenario {
                request_bytes: transfer,
                bytes_per_process: transfer.checked_mul(requests)?,
                ..*scenario
            },
            requests,
        })
    }

    pub(super) fn kind(&self) -> Kind {
        self.scenario.kind()
    }

    pub(super) fn nodes(&self) -> u64 {
        self.scenario.nodes
    }

    pub(super) fn processes(&self) -> u64 {
        self.scenario.processes
    }

    /// The size of a request.
    pub(super) fn transfer(&self) -> u64 {
        self.scenario.request_bytes
    }

    /// What it reads and writes: what is to be read must be written before.
    pub(super) fn bytes(&self) -> f64 {
        match self.scenario.op {
            Op::Write => self.scenario.bytes(),
            Op::Read => 2.0 * self.scenario.bytes(),
        }
    }

    /// IOR's options.
    pub(super) fn options(&self) -> String {
        let Scenario {
            op,
            api,
            files,
            spatiality,
            ..
        } = self.scenario;
        let (random, shared) = (
            spatiality == Spatiality::Random,
            files == FileStrategy::Shared,
        );
        let (transfer, whole) = (self.transfer(), self.scenario.bytes_per_process);
        // Strided is a block of one request per segment.
        let (block, segments) = match spatiality {
            Spatiality::Sequential => (transfer, self.requests),
            _ => (whole, 1),
        };
        let mut words = vec![match api {
            Api::MpiIo => "-a MPIIO",
            _ => "-a POSIX",
        }];
        // Data must be there before it is read, and be read by others than those whose caches hold it:
        // of a shared file at random places, IOR cannot.
        words.extend(match op {
            Op::Write => vec!["-w"],
            Op::Read if random && shared => vec!["-w", "-r"],
            Op::Read => vec!["-w", "-r", "-C"],
        });
        let sizes = format!("-t {transfer} -b {block} -s {segments} -e");
        words.push(&sizes);
        let flags = [
            (!shared, "-F"),
            (random, "-z"),
            (spatiality == Spatiality::Collective, "-c"),
        ];
        words.extend(flags.iter().filter(|(set, _)| *set).map(|(_, flag)| *flag));
        words.join(" ")
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn scenario(spatiality: Spatiality) -> Scenario {
        Scenario {
            op: Op::Write,
            api: Api::Posix,
            files: FileStrategy::Shared,
            spatiality,
            nodes: 2,
            processes: 24,
            bytes_per_process: (128 << 20) + 5,
            request_bytes: 512 << 10,
        }
    }

    fn options(scenario: &Scenario) -> String {
        Run::like(scenario).unwrap().options()
    }

    #[test]
    fn scenarios_become_options_of_ior() {
        let strided = options(&scenario(Spatiality::Sequential));
        assert_eq!(strided, "-a POSIX -w -t 524288 -b 524288 -s 256 -e");
        let mut own = scenario(Spatiality::Consecutive);
        (own.files, own.op) = (FileStrategy::Unique, Op::Read);
        let own = options(&own);
        assert_eq!(own, "-a POSIX -w -r -C -t 524288 -b 134217728 -s 1 -e -F");
        let mut collective = scenario(Spatiality::Collective);
        collective.api = Api::MpiIo;
        assert!(options(&collective).ends_with("-e -c"));
        assert!(options(&scenario(Spatiality::Random)).ends_with("-z"));
    }

    /// What IOR says to options before it runs anything, as its `ValidateTests` does.
    fn refused(options: &str) -> Option<&'static str> {
        let words: Vec<&str> = options.split(' ').collect();
        let has = |flag: &str| words.contains(&flag);
        let number = |flag: &str| -> u64 {
            let at = words.iter().position(|word| *word == flag).unwrap();
            words[at + 1].parse().unwrap()
        };
        let (transfer, block, segments) = (number("-t"), number("-b"), number("-s"));
        let rules = [
            (segments == 0, "segment count must be positive"),
            (block == 0 || transfer == 0, "sizes must be positive"),
            (
                block % 8 != 0,
                "block size must be a multiple of access size",
            ),
            (
                transfer % 8 != 0,
                "transfer size must be a multiple of access size",
            ),
            (
                transfer == 0 || block % transfer != 0,
                "block size must be a multiple of transfer size",
            ),
            (
                block < transfer,
                "block size must not be smaller than transfer size",
            ),
            (
                has("-z") && has("-C") && !has("-F"),
                "random offset and constant reorder tasks with single-shared-file",
            ),
            (
                has("-z") && has("-c") && has("MPIIO"),
                "random offset not available with collective MPIIO",
            ),
            (has("-c") && has("POSIX"), "collective is of MPI-IO"),
        ];
        rules
            .iter()
            .find(|(broken, _)| *broken)
            .map(|(_, why)| *why)
    }

    #[test]
    fn no_scenario_breaks_a_rule_of_ior() {
        use Spatiality::{Collective, Consecutive, Random, Sequential, Unknown};
        assert!(refused("-a POSIX -w -r -C -t 8 -b 8 -s 1 -z").is_some());
        assert!(refused("-a POSIX -w -t 45 -b 45 -s 1").is_some());
        let apis = [
            Api::Posix,
            Api::MpiIo,
            Api::Stdio,
            Api::Dfs,
            Api::Daos,
            Api::Unknown,
        ];
        let sizes = [
            (0, 0),
            (1, 1),
            (223, 45),
            (7_200, 72),
            (100, 1_000),
            (28_965_824, 2_896_582),
            (u64::MAX, 7),
            (u64::MAX, u64::MAX),
        ];
        let mut like = 0;
        for api in apis {
            for op in Op::ALL {
                for files in [FileStrategy::Shared, FileStrategy::Unique] {
                    for spatiality in [Consecutive, Sequential, Random, Collective, Unknown] {
                        for (bytes_per_process, request_bytes) in sizes {
                            let scenario = Scenario {
                                op,
                                api,
                                files,
                                bytes_per_process,
                                request_bytes,
                                ..scenario(spatiality)
                            };
                            let Some(run) = Run::like(&scenario) else {
                                continue;
                            };
                            let options = run.options();
                            assert_eq!(refused(&options), None, "{scenario:?}: {options}");
                            like += 1;
                        }
                    }
                }
            }
        }
        assert!(like > 100, "{like}");
        let mut dfs = scenario(Consecutive);
        dfs.api = Api::Dfs;
        assert_eq!(Run::like(&dfs), None);
    }

    #[test]
    fn a_run_moves_what_the_phase_moves_to_the_nearest_request() {
        let of = |bytes_per_process, request_bytes| {
            let scenario = Scenario {
                bytes_per_process,
                request_bytes,
                ..scenario(Spatiality::Consecutive)
            };
            Run::like(&scenario).unwrap().scenario.bytes_per_process
        };
        assert_eq!(of(999, 100 * 8), 800);
        assert_eq!(of(1_999, 800), 1_600);
        assert_eq!(of(2_001, 800), 2_400);
        assert_eq!(of(10, 800), 800);
    }
}
