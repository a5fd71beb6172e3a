//! What becomes of signatures when parameters change: figures 17 and 18 of IOSI's paper.

use crate::measure::{SEEDS, Score, by, ior, score, sets};
use iotempo_analysis::signature::{Method, Settings};
use iotempo_sim::SimError;
use iotempo_sim::server::ServerSamples;

const METHODS: [(&str, Method); 3] = [
    ("iotempo", Method::Auto),
    ("clusters", Method::Clusters),
    ("IOSI", Method::Iosi),
];

/// All tables, over A, B and C under the usual load.
pub(crate) fn tables() -> Result<(), SimError> {
    let all: Vec<Vec<ServerSamples>> = ior()
        .iter()
        .map(|application| sets(application, 1.0, 0.004, SEEDS))
        .collect::<Result<_, _>>()?;
    table(
        &all,
        "Smoothing",
        "level",
        &[1.0, 2.0, 3.0, 4.0],
        |settings, value| {
            settings.level = value as usize;
        },
    );
    let shares = [0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0];
    table(&all, "Dense cells", "γ", &shares, |settings, value| {
        settings.density = value;
    });
    let shares = [0.5, 0.6, 0.7, 0.8, 0.9, 1.0];
    table(
        &all,
        "Dense neighbourhoods",
        "κ",
        &shares,
        |settings, value| {
            settings.neighbourhood = value;
        },
    );
    Ok(())
}

fn table(
    all: &[Vec<ServerSamples>],
    title: &str,
    name: &str,
    values: &[f64],
    change: impl Fn(&mut Settings, f64),
) {
    println!("\n## {title}\n");
    let names: Vec<&str> = METHODS.iter().map(|(name, _)| *name).collect();
    println!("| {name} | {} |\n|---|---|---|---|", names.join(" | "));
    for &value in values {
        let cells: Vec<String> = METHODS
            .iter()
            .map(|&(_, method)| {
                let mut settings = by(method);
                change(&mut settings, value);
                let scores: Vec<Score> = all.iter().map(|sets| score(sets, settings)).collect();
                Score::together(&scores).cell()
            })
            .collect();
        println!("| {value} | {} |", cells.join(" | "));
    }
}
