//! How good estimates are on a store of benchmarks.

use super::stores::{StoreSource, Stores};
use crate::cli::CommonArgs;
use crate::envelope::Envelope;
use crate::human::plural;
use anyhow::bail;
use iotempo_analysis::estimate::evaluate::{
    Estimator, HeldOut, Scores, SplitScores, Truth, held_out, split,
};
use iotempo_analysis::estimate::metrics::Errors;
use iotempo_analysis::estimate::{Prior, Reach, Store};
use serde::Serialize;
use std::io::{self, BufWriter, Write};

/// How often repetitions are dealt out.
const REPEATS: usize = 20;
const SEED: u64 = 1;
/// How much coarser than their own grid benchmarks are made.
const RATIOS: [f64; 3] = [1.0, 3.0, 5.0];

#[derive(Serialize)]
struct Settings<'a> {
    repeats: usize,
    seed: u64,
    benchmarks: &'a [StoreSource],
}

#[derive(Serialize)]
struct Evaluation {
    scenarios: usize,
    repetitions: usize,
    by_median: Vec<Scores>,
    by_mean: Vec<Scores>,
    coarser: Vec<Coarser>,
    priors: Vec<OtherPrior>,
    split: Option<SplitScores>,
}

#[derive(Serialize)]
struct Coarser {
    request_ratio: f64,
    scores: Option<Scores>,
}

/// Estimates under other beliefs.
#[derive(Serialize)]
struct OtherPrior {
    #[serde(flatten)]
    prior: Prior,
    scores: Option<Scores>,
}

/// Halves and doubles of what is believed.
const PRIORS: [f64; 3] = [0.5, 1.0, 2.0];

fn other_priors(store: &Store, reach: Reach) -> Vec<OtherPrior> {
    let usual = Prior::default();
    let pairs = PRIORS
        .iter()
        .flat_map(|range| PRIORS.map(|scale| (*range, scale)));
    pairs
        .map(|(range, scale)| {
            let prior = Prior {
                range: range * usual.range,
                scale: scale * usual.scale,
            };
            let how = HeldOut {
                request_ratio: 1.0,
                truth: Truth::Median,
                reach,
            };
            let scores = held_out(&store.with_prior(prior), Estimator::Ours, how);
            OtherPrior { prior, scores }
        })
        .collect()
}

pub(super) fn run(stores: &Stores, reach: Reach, common: &CommonArgs) -> anyhow::Result<()> {
    let store = &stores.store;
    let mut ways = vec![
        Estimator::Ours,
        Estimator::Nearest(4),
        Estimator::Nearest(1),
    ];
    ways.extend(store.io_nodes().into_iter().map(Estimator::Always));
    let all = |truth: Truth| -> Vec<Scores> {
        let how = HeldOut {
            request_ratio: 1.0,
            truth,
            reach,
        };
        ways.iter()
            .filter_map(|&way| held_out(store, way, how))
            .collect()
    };
    let coarser = |&request_ratio: &f64| Coarser {
        request_ratio,
        scores: held_out(
            store,
            Estimator::Ours,
            HeldOut {
                request_ratio,
                truth: Truth::Median,
                reach,
            },
        ),
    };
    let found = Evaluation {
        scenarios: store.scenarios().count(),
        repetitions: store.repetitions(),
        by_median: all(Truth::Median),
        by_mean: all(Truth::Mean),
        coarser: RATIOS.iter().map(coarser).collect(),
        priors: other_priors(store, reach),
        split: split(store, REPEATS, SEED),
    };
    if found.by_median.is_empty() && found.split.is_none() {
        bail!(
            "nothing to evaluate: no scenario was run with several numbers of I/O nodes, and none twice"
        );
    }
    let mut out = BufWriter::new(io::stdout().lock());
    if common.json {
        let settings = Settings {
            repeats: REPEATS,
            seed: SEED,
            benchmarks: &stores.sources,
        };
        let mut envelope = Envelope::new(&mut out, "estimate-evaluation", &settings)?;
        envelope.result(&found)?;
        for failure in &stores.failures {
            envelope.error(failure.clone());
        }
        envelope.finish()?;
    } else {
        print(&mut out, &found)?;
    }
    Ok(out.flush()?)
}

fn print(out: &mut impl Write, found: &Evaluation) -> io::Result<()> {
    writeln!(
        out,
        "{}, {}\n",
        plural(found.scenarios as u64, "scenario"),
        plural(found.repetitions as u64, "repetition")
    )?;
    for (name, scores) in [("median", &found.by_median), ("mean", &found.by_mean)] {
        if scores.is_empty() {
            continue;
        }
        writeln!(
            out,
            "Each scenario estimated from the others; the truth is the {name} of its runs.\n"
        )?;
        writeln!(
            out,
            "| estimator | median error | mean error | regret | within 5 % | best | shape error | τ-b |\n\
             |---|---|---|---|---|---|---|---|"
        )?;
        for one in scores {
            writeln!(out, "{}", row(one))?;
        }
        writeln!(out)?;
    }
    if !found.by_median.is_empty() {
        coarser(out, &found.coarser)?;
        priors(out, &found.priors)?;
    }
    if let Some(split) = &found.split {
        runs(out, split)?;
    }
    Ok(())
}

fn row(scores: &Scores) -> String {
    let name = match scores.estimator {
        Estimator::Ours => "iotempo".to_owned(),
        Estimator::Nearest(count) => {
            format!("{} by distance", plural(count as u64, "nearest scenario"))
        }
        Estimator::Always(io_nodes) => {
            format!("always {}", plural(u64::from(io_nodes), "I/O node"))
        }
    };
    let number = |value: Option<f64>| value.map_or("–".to_owned(), |value| format!("{value:.3}"));
    format!(
        "| {name} | {} | {} | {:.4} | {:.1} % | {:.1} % | {} | {} |",
        number(scores.errors.map(|errors| errors.median)),
        number(scores.errors.map(|errors| errors.mean)),
        scores.mean_regret,
        100.0 * scores.good_choices,
        100.0 * scores.top_1,
        number(scores.shape_error),
        number(scores.tau_b)
    )
}

fn coarser(out: &mut impl Write, all: &[Coarser]) -> io::Result<()> {
    writeln!(
        out,
        "Coarser benchmarks: the nearest request size is at least so many times larger or smaller.\n\n\
         | ratio | scenarios | refused | median error | regret | within 5 % |\n|---|---|---|---|---|---|"
    )?;
    for one in all {
        let Some(scores) = &one.scores else {
            writeln!(out, "| {} | 0 | all | – | – | – |", one.request_ratio)?;
            continue;
        };
        let error = scores.errors.map_or(f64::NAN, |errors| errors.median);
        writeln!(
            out,
            "| {} | {} | {} | {error:.3} | {:.4} | {:.1} % |",
            one.request_ratio,
            scores.scenarios,
            scores.refused,
            scores.mean_regret,
            100.0 * scores.good_choices
        )?;
    }
    writeln!(out)
}

fn priors(out: &mut impl Write, all: &[OtherPrior]) -> io::Result<()> {
    writeln!(
        out,
        "Other beliefs beforehand: how far effects reach, and how much bandwidths vary.\n\n\
         | range | variance | median error | regret | within 5 % |\n|---|---|---|---|---|"
    )?;
    for OtherPrior { prior, scores } in all {
        let Some(scores) = scores else { continue };
        let error = scores.errors.map_or(f64::NAN, |errors| errors.median);
        writeln!(
            out,
            "| {} | {} | {error:.3} | {:.4} | {:.1} % |",
            prior.range,
            prior.scale,
            scores.mean_regret,
            100.0 * scores.good_choices
        )?;
    }
    writeln!(out)
}

fn runs(out: &mut impl Write, split: &SplitScores) -> io::Result<()> {
    writeln!(
        out,
        "Runs of one scenario, dealt out {} times as application and benchmark.\n\n\
         | estimate | min | mean | median | max |\n|---|---|---|---|---|",
        split.repeats
    )?;
    let mut line = |name: &str, errors: &Errors| {
        writeln!(
            out,
            "| {name} | {:.3} | {:.3} | {:.3} | {:.2} |",
            errors.min, errors.mean, errors.median, errors.max
        )
    };
    line("each run by the mean of the benchmark", &split.of_mean)?;
    if let Some(errors) = &split.of_mean_unimodal {
        line("the same, where runs are of one kind", errors)?;
    }
    line("each run by the median", &split.of_median)?;
    line("each run by its kind, of two", &split.of_modes)?;
    line("the median of runs by the median", &split.typical)?;
    writeln!(
        out,
        "\nRuns of {:.1} % of benchmarks are of two kinds ({:.1} % of scenarios have such). \
         Wasserstein-1 of ln B: {:.3}. Dunn's test calls {:.1} % of pairs different.",
        100.0 * split.bimodal_benchmarks,
        100.0 * split.bimodal_scenarios,
        split.wasserstein,
        100.0 * split.different
    )
}
