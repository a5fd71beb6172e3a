//! A script of benchmarks that are like the phases of a log.

use super::args::EstimateArgs;
use super::estimated::Phased;
use super::ior::Run;
use crate::cli::Units;
use crate::human::{self, printable};
use anyhow::bail;
use iotempo_analysis::estimate::Mimicry;
use iotempo_model::Scenario;
use iotempo_report::estimate::percent;
use std::collections::{BTreeMap, BTreeSet};

/// Phases that are named beside a run, and above all of them.
const NAMED: usize = 8;

/// What of a log becomes a run.
#[derive(Default)]
struct Runs {
    /// The phases of each.
    of: BTreeMap<Run, BTreeSet<usize>>,
    /// The sizes of requests that a run stands for, where they are not its own.
    rounded: BTreeMap<Run, BTreeSet<u64>>,
    /// Phases that IOR has nothing like.
    without: BTreeSet<usize>,
    /// Phases of which nobody says how many processes they have.
    uncounted: BTreeSet<usize>,
    /// What all phases move, and what those move that are in the script.
    bytes: f64,
    planned_bytes: f64,
}

impl Runs {
    fn of(phased: &Phased, mimicry: &Mimicry) -> Self {
        let mut runs = Self::default();
        for (phase, &number) in phased.phases.iter().zip(&phased.numbers) {
            if mimicry.processes_of(phase).is_none() {
                runs.uncounted.insert(number);
            }
            let demand = mimicry.demand(phase);
            runs.bytes += demand.bytes;
            for part in &demand.parts {
                if runs.add(number, &part.scenario) {
                    runs.planned_bytes += part.bytes;
                }
            }
        }
        runs
    }

    /// The share of the log's bytes that phases with a run move.
    fn covered(&self) -> f64 {
        self.planned_bytes / self.bytes.max(1.0)
    }

    /// Whether IOR has something like it.
    fn add(&mut self, number: usize, scenario: &Scenario) -> bool {
        let Some(run) = Run::like(scenario) else {
            self.without.insert(number);
            return false;
        };
        self.of.entry(run).or_default().insert(number);
        if run.transfer() != scenario.request_bytes {
            let sizes = self.rounded.entry(run).or_default();
            sizes.insert(scenario.request_bytes);
        }
        true
    }
}

/// A script, and which share of a log's bytes is moved by phases that it mimics.
pub(super) struct Script {
    pub(super) text: String,
    pub(super) covered: f64,
}

/// The script; an error where there is nothing to mimic.
pub(super) fn script(
    phased: &Phased,
    words: &EstimateArgs,
    units: Units,
) -> anyhow::Result<Script> {
    let runs = Runs::of(phased, &phased.mimicry(words));
    if runs.of.is_empty() {
        let why = match runs.uncounted.is_empty() {
            true => "no phase that IOR can mimic",
            false => "it does not tell how many processes took part in its phases",
        };
        bail!("{}: {why}", phased.input);
    }
    let mut script = head(phased, words, &runs, units);
    script += &format!(
        "for repetition in $(seq {}); do\n  for io_nodes in {}; do\n    \
         set_io_nodes \"$io_nodes\" || {{\n      \
         echo \"iotempo: no $io_nodes I/O nodes: their runs are left out\" >&2\n      \
         failed=$((failed + {}))\n      continue\n    }}\n",
        words.plan_repetitions,
        io_nodes(words).join(" "),
        runs.of.len(),
    );
    for (run, phases) in &runs.of {
        let rounded = runs.rounded.get(run).map(|sizes| {
            let sizes = listed(sizes.iter());
            format!("; for requests of {sizes} bytes: IOR takes multiples of 8")
        });
        script += &format!(
            "    # phase {}: {}{}\n    run {} {} {}\n",
            listed(phases.iter()),
            run.kind(),
            rounded.unwrap_or_default(),
            run.nodes(),
            run.processes(),
            run.options(),
        );
    }
    script += "  done\ndone\n\
               [ \"$failed\" -eq 0 ] || {\n  echo \"iotempo: $failed runs failed\" >&2\n  exit 1\n}\n";
    Ok(Script {
        text: script,
        covered: runs.covered(),
    })
}

/// What a reader must know and set, and how one benchmark is run.
fn head(phased: &Phased, words: &EstimateArgs, runs: &Runs, units: Units) -> String {
    let nodes = runs.of.keys().map(Run::nodes).max().unwrap_or(1);
    let tasks = runs.of.keys().map(Run::processes).max().unwrap_or(1);
    let times = io_nodes(words).len() as u64 * u64::from(words.plan_repetitions);
    let moved: f64 = runs.of.keys().map(Run::bytes).sum();
    let mut head = format!(
        "#!/bin/sh\n\
         #SBATCH --nodes={nodes}\n\
         #SBATCH --ntasks={tasks}\n\
         # Benchmarks like the I/O phases of {}. Keep what this prints:\n\
         #   iotempo estimate LOG --nodes {} --benchmarks OUTPUT\n\
         # {}, which read and write {} in all; they are like phases with {} % of the log's bytes.\n\
         # TARGET is a folder on the file system. SITE is a script that defines a function\n\
         # set_io_nodes: with a number, it gives this job so many I/O nodes (0 is none).\n\
         # LAUNCH runs a program on -N nodes by -n tasks; it may hold options, or be a function of SITE.\n\
         # A run that fails is told, and stops nothing.\n",
        printable(&phased.input),
        words.nodes.unwrap_or(1),
        human::plural(times.saturating_mul(runs.of.len() as u64), "run"),
        human::bytes(moved * times as f64, units),
        percent(runs.covered()),
    );
    for (phases, why) in [
        (&runs.without, "IOR has nothing like"),
        (
            &runs.uncounted,
            "nobody says how many processes took part in",
        ),
    ] {
        if !phases.is_empty() {
            let phases = listed(phases.iter());
            head += &format!("# Not in this script: {why} phase {phases}.\n");
        }
    }
    head + "set -eu\n\
            : \"${TARGET:?a folder on the file system to measure}\"\n\
            : \"${SITE:?a script that defines set_io_nodes}\"\n\
            : \"${LAUNCH:=srun}\"\n\
            : \"${IOR:=ior}\"\n\
            . \"$SITE\"\n\
            failed=0\n\
            run() {\n  \
            nodes=$1 tasks=$2\n  \
            shift 2\n  \
            echo \"iotempo io_nodes=$io_nodes\"\n  \
            $LAUNCH -N \"$nodes\" -n \"$tasks\" \"$IOR\" \"$@\" -o \"$TARGET/iotempo.ior\" || {\n    \
            echo \"iotempo: this run failed ($?): $*\" >&2\n    \
            failed=$((failed + 1))\n  \
            }\n\
            }\n"
}

/// The numbers of I/O nodes, each once.
fn io_nodes(words: &EstimateArgs) -> Vec<String> {
    let mut numbers: Vec<u32> = Vec::new();
    for &number in &words.plan_io_nodes {
        if !numbers.contains(&number) {
            numbers.push(number);
        }
    }
    numbers.iter().map(u32::to_string).collect()
}

/// `1, 2, 3 and 4 more`.
fn listed<T: ToString>(numbers: impl ExactSizeIterator<Item = T>) -> String {
    let more = numbers.len().saturating_sub(NAMED);
    let named: Vec<String> = numbers.take(NAMED).map(|one| one.to_string()).collect();
    let named = named.join(", ");
    match more {
        0 => named,
        more => format!("{named} and {more} more"),
    }
}
