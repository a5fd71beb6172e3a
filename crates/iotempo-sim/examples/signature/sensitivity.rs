//! What becomes of signatures when parameters change: figures 17 and 18 of IOSI's paper.

use crate::logged;
use crate::measure::{Score, by, dozens, ior, score};
use iotempo_analysis::signature::{BurstEdges, BurstShape, BurstTime, Mapping, Method, Settings};
use iotempo_sim::SimError;
use iotempo_sim::server::{Application, PlannedBurst, ServerSamples};

/// Ours, and the paper's text in three readings: how bursts of different lengths are compared, and where they
/// begin and end.
fn methods() -> [(&'static str, Settings); 4] {
    let read = |time, shape| Settings {
        mapping: Some(Mapping { time, shape }),
        ..by(Method::Iosi)
    };
    let trimmed = Settings {
        edges: BurstEdges::MeanCrest,
        ..read(BurstTime::Centroid, BurstShape::Resampled)
    };
    [
        ("iotempo", by(Method::Auto)),
        (
            "IOSI, stretched",
            read(BurstTime::Crest, BurstShape::Resampled),
        ),
        (
            "IOSI, in windows",
            read(BurstTime::Crest, BurstShape::Window),
        ),
        ("IOSI, trimmed", trimmed),
    ]
}

const LEVELS: [f64; 4] = [1.0, 2.0, 3.0, 4.0];

fn level(settings: &mut Settings, value: f64) {
    settings.level = value as usize;
}

/// All tables, under the usual load and beside a real log.
pub(crate) fn tables() -> Result<(), SimError> {
    println!("\n## What parameters do\n");
    let applications: Vec<Application> = ior().into_iter().chain([Application::s3d()]).collect();
    let all = runs(&applications, None)?;
    readings(&all);
    figures(&all[..3]);
    widths()?;
    println!("\n### Beside a real log\n");
    let Some(others) = logged::others() else {
        println!("SKIPPED: there is no log of a real file system in IOTEMPO_DATA.");
        return Ok(());
    };
    let all = runs(&applications, Some(&others))?;
    readings(&all);
    figures(&all[..3]);
    Ok(())
}

fn runs(
    applications: &[Application],
    others: Option<&[f64]>,
) -> Result<Vec<Vec<ServerSamples>>, SimError> {
    applications.iter().map(|one| dozens(one, others)).collect()
}

/// How accurate each reading of the paper is, which its figure 16 tells.
fn readings(all: &[Vec<ServerSamples>]) {
    println!("| method | IOR_A | IOR_B | IOR_C | S3D |\n|---|---|---|---|---|");
    for (name, settings) in methods() {
        let cells: Vec<String> = all
            .iter()
            .map(|sets| score(sets, settings).cell())
            .collect();
        println!("| {name} | {} |", cells.join(" | "));
    }
}

/// The three figures, over A, B and C.
fn figures(all: &[Vec<ServerSamples>]) {
    table(all, "level", &LEVELS, level);
    let shares = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0];
    table(all, "γ", &shares, |settings, value| {
        settings.density = value;
    });
    table(all, "κ", &shares[4..], |settings, value| {
        settings.neighbourhood = value;
    });
}

fn table(
    all: &[Vec<ServerSamples>],
    name: &str,
    values: &[f64],
    change: impl Fn(&mut Settings, f64),
) {
    let methods = methods();
    let names: Vec<&str> = methods.iter().map(|(name, _)| *name).collect();
    println!(
        "\n| {name} | {} |\n|---|---|---|---|---|",
        names.join(" | ")
    );
    for &value in values {
        let cells: Vec<String> = methods
            .iter()
            .map(|&(_, mut settings)| {
                change(&mut settings, value);
                let scores: Vec<Score> = all.iter().map(|sets| score(sets, settings)).collect();
                finer(&Score::together(&scores))
            })
            .collect();
        println!("| {value} | {} |", cells.join(" | "));
    }
}

/// A cell with one more digit, because differences are small.
fn finer(score: &Score) -> String {
    format!(
        "{:.3} / {:.3} / {:.2} / {:.2} / {:.2}",
        score.correlation, score.cross_correlation, score.volume, score.missed, score.false_bursts
    )
}

/// Which level suits bursts of which length: eight of them, every 120 s.
fn widths() -> Result<(), SimError> {
    println!("\n| bursts of | level 1 | level 2 | level 3 | level 4 |\n|---|---|---|---|---|");
    let [_, (_, paper), ..] = methods();
    for seconds in [2.0, 4.0, 6.0, 10.0, 16.0, 26.0, 51.0] {
        let burst = PlannedBurst {
            compute_s: 120.0,
            bytes: seconds * 2.5e9,
            rate: 2.5e9,
        };
        let application = Application {
            name: format!("{seconds} s"),
            bursts: vec![burst; 8],
        };
        let sets = dozens(&application, None)?;
        let cells = LEVELS.map(|value| {
            let mut settings = paper;
            level(&mut settings, value);
            finer(&score(&sets, settings))
        });
        println!("| {seconds} s | {} |", cells.join(" | "));
    }
    Ok(())
}
