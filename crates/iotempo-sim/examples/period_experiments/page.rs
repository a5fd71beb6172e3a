//! The results as a page for people.

use crate::calibration::{Calibration, RIGHT};
use crate::measure::{Distribution, Summary};
use crate::methods::Method;
use crate::results::{Agreement, Claim, OneExperiment, Results, Unit};
use std::fmt::Write;

const HEAD: &str = "\
# How well periods are found

Made by `make experiments`, which runs `crates/iotempo-sim/examples/period_experiments`; every number of it stands in
[period.json](period.json), too. The same command gives the same page on every machine.

The experiments are those of FTIO's paper (Tarraf et al., *Capturing Periodic I/O Using Frequency Techniques*, IPDPS 2024, section III-A).
Its I/O phases are measurements with IOR that are not available here. The traces of this page are [generated](../generate.md) in their likeness, so
the columns of this page can be compared with each other, and with the paper's numbers only as far as that likeness goes. Where the paper does
not tell its grid, ours is given.
";

/// Writes to a text, which cannot fail.
macro_rules! put {
    ($text:expr, $($format:tt)*) => {
        let _ = writeln!($text, $($format)*);
    };
}

/// The whole page.
pub(crate) fn page(results: &Results, peer: bool) -> String {
    let mut text = HEAD.to_owned();
    put!(text, "\n{}\n", setting(results));
    text += &who(results, peer);
    text += &claims(results);
    for experiment in &results.experiments {
        text += &table(experiment);
    }
    text += &false_periods(results);
    text += &confidences(results);
    text
}

fn setting(results: &Results) -> String {
    format!(
        "All signals are mean rates at {} Hz over the whole run, from the start of the first compute phase to the end of the \
         last I/O phase: 20 repetitions of 32 ranks, {} traces a point. The error of a period *T* is |*T* − *T̄*|/*T̄*, where *T̄* is the true mean \
         period.",
        results.rate_hz, results.traces_per_point
    )
}

fn who(results: &Results, peer: bool) -> String {
    let mut text = "\
## Who is compared

- **iotempo**: `iotempo period`. Where it finds no period, its best guess counts among *all*, or else the strongest frequency.
- **FTIO mode**: this project's implementation of FTIO 0.0.9 (Fourier transform and Z-score, the defaults). Where no frequency is dominant, the strongest one counts among *all*.
- **FTIO mode, paper's rules**: the same with the rules of the paper where the tool differs from it; its rows of the experiments are in [period.json](period.json).
"
    .to_owned();
    match (&results.agreement, peer) {
        (Some(same), true) => {
            put!(
                text,
                "- **ftio-hpc 0.0.9**: the tool of FTIO's authors, asked through its Python interface about the same samples. Our FTIO mode gives its \
                 frequency and its confidence in {} of {} signals{}.",
                same.same,
                same.signals,
                differences(same)
            );
        }
        _ => {
            put!(
                text,
                "- ftio-hpc, the tool of FTIO's authors, was not asked (`--peer`)."
            );
        }
    }
    text
}

/// On which signals both FTIOs differ.
fn differences(agreement: &Agreement) -> String {
    let mut text = String::new();
    if agreement.differ_on_flat > 0 {
        let _ = write!(
            text,
            "; in {} others all samples are equal, or all but one: what stands out of such a spectrum are rounding errors",
            agreement.differ_on_flat
        );
    }
    for (kind, many) in &agreement.differ {
        let _ = write!(text, "; in {many} more ({kind}) they differ");
    }
    text
}

fn percent(fraction: f64) -> String {
    format!("{:.1} %", 100.0 * fraction)
}

fn maybe(value: Option<String>) -> String {
    value.unwrap_or_else(|| "–".to_owned())
}

/// The methods that were asked anything.
fn methods(results: &Results) -> Vec<Method> {
    let asked = |method: &Method| {
        let experiments = results.experiments.iter();
        experiments
            .into_iter()
            .any(|e| e.all.contains_key(method.key()))
    };
    Method::ALL.into_iter().filter(asked).collect()
}

fn heading(first: &str, methods: &[Method]) -> String {
    let names: Vec<_> = methods.iter().map(|method| method.name()).collect();
    let line = "---|".repeat(methods.len());
    format!(
        "| {first} | {} |\n|{}{line}\n",
        names.join(" | "),
        "---|".repeat(first.matches('|').count() + 1)
    )
}

fn claims(results: &Results) -> String {
    let methods = methods(results);
    let mut text = "\n## What the paper says, and what comes out here\n\n".to_owned();
    text += &heading("experiment | quantity | paper", &methods);
    for claim in &results.claims {
        let values: Vec<_> = methods
            .iter()
            .map(|method| value_of(claim, *method))
            .collect();
        put!(
            text,
            "| {} | {} | {} | {} |",
            claim.experiment,
            claim.quantity,
            claim.paper,
            values.join(" | ")
        );
    }
    text += "\nErrors are those of all traces. The time share of I/O and the periodicity score belong to a signal and to the period of our FTIO mode.\n";
    text
}

fn value_of(claim: &Claim, method: Method) -> String {
    let value = claim.values.get(method.key()).copied();
    maybe(value.map(|value| match claim.unit {
        Unit::Fraction => percent(value),
        Unit::Traces => format!("{value}"),
    }))
}

/// Experiment C has more points than a page needs.
fn shown(experiment: &OneExperiment, x: f64) -> bool {
    experiment.id != "C" || [0.0, 0.2, 0.5, 1.0, 1.5, 2.0, 2.5, 3.0, 3.3].contains(&x)
}

fn table(experiment: &OneExperiment) -> String {
    let mut text = format!("\n## {}\n\n", section(experiment));
    put!(
        text,
        "| {} | method | found | error of found: mean | median | third quartile | largest | of all: mean | median | third quartile | largest |",
        experiment.varies
    );
    put!(text, "|---|---|---|---|---|---|---|---|---|---|---|");
    let methods = [Method::Iotempo, Method::Ftio, Method::FtioHpc];
    for point in experiment.points.iter().filter(|p| shown(experiment, p.x)) {
        for method in methods {
            if let Some(summary) = point.methods.get(method.key()) {
                put!(text, "{}", row(&point.point, method, summary));
            }
        }
    }
    if experiment.id != "hard" {
        for method in methods {
            if let Some(summary) = experiment.all.get(method.key()) {
                put!(text, "{}", row("*all*", method, summary));
            }
        }
    }
    text + note(experiment)
}

fn section(experiment: &OneExperiment) -> String {
    match experiment.id {
        "hard" => experiment.title.to_owned(),
        id => format!("Experiment {id}: {}", experiment.title.to_lowercase()),
    }
}

fn note(experiment: &OneExperiment) -> &'static str {
    match experiment.id {
        "A" => "\nCompute times do not vary (σ = 0), and ranks are in step (ϕ = 0).\n",
        "B" => {
            "\nThe mean compute time is 11 s. Each rank but the first begins Exp(ϕ) late; beyond ϕ ≈ 10 s there are idle times inside a phase.\n"
        }
        "C" => {
            "\nThe mean compute time µ is 11 s before it is cut to positive values. The other points are in [period.json](period.json).\n"
        }
        "D" => {
            "\nNot in the paper, whose phases all move the same volume, which helps whoever looks at volumes. Here the volume of each phase is normally distributed, and its \
             length with it; ± is the standard deviation.\n"
        }
        _ => {
            "\nThe cases are described in [generate](../generate.md#kinds). A period is compared with that of the rhythm that moves most data; where that changes \
             midway (`doubling`, `joining`), with that of the part of the run that it is nearest to.\n"
        }
    }
}

fn row(point: &str, method: Method, summary: &Summary) -> String {
    let distribution = |errors: &Option<Distribution>| {
        let Distribution {
            mean,
            median,
            q3,
            max,
        } = match errors {
            Some(errors) => errors,
            None => return "– | – | – | –".to_owned(),
        };
        [mean, median, q3, max]
            .map(|value| percent(*value))
            .join(" | ")
    };
    format!(
        "| {point} | {} | {} | {} | {} |",
        method.name(),
        percent(summary.found_fraction),
        distribution(&summary.error_of_found),
        distribution(&summary.error_of_all)
    )
}

fn false_periods(results: &Results) -> String {
    let methods = methods(results);
    let mut text = format!(
        "\n## False periods\n\nThe share of signals without a period in which one is found, of {} each, and the mean confidence in it.\n\n",
        results.trials_per_point
    );
    text += &heading("signal | samples", &methods);
    for kind in &results.false_periods {
        let values: Vec<_> = methods
            .iter()
            .map(|method| {
                let found = kind.methods.get(method.key());
                maybe(found.map(|found| match found.mean_confidence {
                    Some(sure) => format!("{} ({sure:.2})", percent(found.found_fraction)),
                    None => percent(found.found_fraction),
                }))
            })
            .collect();
        put!(
            text,
            "| {} | {} | {} |",
            kind.kind,
            kind.samples,
            values.join(" | ")
        );
    }
    text
}

fn confidences(results: &Results) -> String {
    let mut text = format!(
        "\n## Whether confidences mean what they say\n\nAll answers of experiments A to D and about signals without a period, by their confidence. An answer is right where there is a period and it lies within \
         {} of it; an answer about a signal without a period is wrong. Confidences that mean what they say lie near the share of right answers.\n",
        percent(RIGHT)
    );
    for method in Method::ALL {
        if let Some(calibration) = results.calibration.get(method.key()) {
            text += &reliability(method, calibration);
        }
    }
    text
}

fn reliability(method: Method, calibration: &Calibration) -> String {
    let mut text = format!(
        "\n**{}**: {} answers; expected calibration error {:.3}; Brier score {:.3}.\n\n",
        method.name(),
        calibration.answers,
        calibration.expected_calibration_error,
        calibration.brier_score
    );
    put!(
        text,
        "| confidence | answers | mean confidence | right | about signals without a period | right of the others |"
    );
    put!(text, "|---|---|---|---|---|---|");
    for bin in &calibration.bins {
        put!(
            text,
            "| {:.1} to {:.1} | {} | {} | {} | {} | {} |",
            bin.from,
            bin.from + 0.1,
            bin.answers,
            maybe(bin.mean_confidence.map(|c| format!("{c:.2}"))),
            maybe(bin.right_fraction.map(percent)),
            bin.without_period,
            maybe(bin.right_fraction_periodic.map(percent))
        );
    }
    text
}
