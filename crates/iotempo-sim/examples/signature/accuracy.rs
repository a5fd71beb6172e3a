//! How close signatures are to the truth.

use crate::measure::{DRIFTS, LOADS, SEEDS, Score, by, ior, score, sets};
use iotempo_analysis::signature::{Method, Preprocessing, Settings, Warping};
use iotempo_sim::SimError;
use iotempo_sim::server::{Application, Runs, ServerSamples};

/// What is compared, by the names of the page.
const METHODS: [(&str, Method); 4] = [
    ("iotempo", Method::Auto),
    ("clusters", Method::Clusters),
    ("IOSI", Method::Iosi),
    ("median", Method::Median),
];

/// The three IOR applications together.
pub(crate) fn summary() -> Result<(), SimError> {
    println!("## A, B and C together\n");
    println!(
        "| load | drift | method | correlation | cross correlation | volume | missed of 25 | false |"
    );
    println!("|---|---|---|---|---|---|---|---|");
    for load in LOADS {
        for drift in DRIFTS {
            let all: Vec<Vec<ServerSamples>> = ior()
                .iter()
                .map(|application| sets(application, load, drift, SEEDS))
                .collect::<Result<_, _>>()?;
            for (name, method) in METHODS {
                let scores: Vec<Score> = all.iter().map(|sets| score(sets, by(method))).collect();
                let score = Score::together(&scores);
                println!(
                    "| {load} | {drift} | {name} | {:.3} | {:.3} | {:.3} | {:.2} | {:.2} |",
                    score.correlation,
                    score.cross_correlation,
                    score.volume,
                    score.missed,
                    score.false_bursts
                );
            }
        }
    }
    Ok(())
}

/// Each application by itself.
pub(crate) fn by_application() -> Result<(), SimError> {
    println!("\n## Each application\n");
    println!(
        "| load | drift | method | IOR_A | IOR_B | IOR_C | S3D |\n|---|---|---|---|---|---|---|"
    );
    let applications = with_s3d();
    for load in LOADS {
        for drift in DRIFTS {
            let all: Vec<Vec<ServerSamples>> = applications
                .iter()
                .map(|application| sets(application, load, drift, SEEDS))
                .collect::<Result<_, _>>()?;
            for (name, method) in METHODS {
                let cells: Vec<String> = all
                    .iter()
                    .map(|sets| score(sets, by(method)).cell())
                    .collect();
                println!("| {load} | {drift} | {name} | {} |", cells.join(" | "));
            }
        }
    }
    Ok(())
}

fn with_s3d() -> Vec<Application> {
    ior().into_iter().chain([Application::s3d()]).collect()
}

/// Time warping, which takes its time.
pub(crate) fn warping() -> Result<(), SimError> {
    println!("\n## Time warping\n");
    println!("| load | method | IOR_A | IOR_B | IOR_C | S3D |\n|---|---|---|---|---|---|");
    let methods = [
        ("iotempo", Method::Auto),
        ("path, resampled", Method::Warping(Warping::PathResampled)),
        ("path", Method::Warping(Warping::Path)),
        ("projected", Method::Warping(Warping::Projected)),
    ];
    for load in LOADS {
        let all: Vec<Vec<ServerSamples>> = with_s3d()
            .iter()
            .map(|application| sets(application, load, 0.004, SEEDS.start..SEEDS.start + 5))
            .collect::<Result<_, _>>()?;
        for (name, method) in methods {
            // Its sequences grow with every sample, and minutes with them.
            let grows = method == Method::Warping(Warping::Path);
            let cells: Vec<String> = all
                .iter()
                .enumerate()
                .map(|(i, sets)| {
                    if grows && i == 3 {
                        "–".to_owned()
                    } else {
                        score(sets, by(method)).cell()
                    }
                })
                .collect();
            println!("| {load} | {name} | {} |", cells.join(" | "));
        }
    }
    Ok(())
}

/// With and without preprocessing.
pub(crate) fn preprocessing() -> Result<(), SimError> {
    println!("\n## With and without preprocessing\n");
    println!("| method | preprocessing | IOR_A | IOR_B | IOR_C | S3D |\n|---|---|---|---|---|---|");
    let all: Vec<Vec<ServerSamples>> = with_s3d()
        .iter()
        .map(|application| sets(application, 1.0, 0.004, SEEDS))
        .collect::<Result<_, _>>()?;
    for (name, method) in METHODS {
        for (how, preprocessing) in [
            ("full", Preprocessing::Full),
            ("finer steps only", Preprocessing::RefineOnly),
        ] {
            let settings = Settings {
                preprocessing,
                ..by(method)
            };
            let cells: Vec<String> = all
                .iter()
                .map(|sets| score(sets, settings).cell())
                .collect();
            println!("| {name} | {how} | {} |", cells.join(" | "));
        }
    }
    Ok(())
}

/// How many runs it takes.
pub(crate) fn by_samples() -> Result<(), SimError> {
    println!("\n## How many runs it takes\n");
    println!("| runs | method | correlation | cross correlation | volume | missed of 25 | false |");
    println!("|---|---|---|---|---|---|---|");
    for runs in [3, 4, 5, 7, 10, 15, 20] {
        let all: Vec<Vec<ServerSamples>> = ior()
            .iter()
            .map(|application| {
                let make = |seed| {
                    Runs {
                        runs,
                        disturbed: 0,
                        seed,
                        ..Runs::new(application.clone())
                    }
                    .generate()
                };
                SEEDS.map(make).collect::<Result<_, _>>()
            })
            .collect::<Result<_, _>>()?;
        for (name, method) in [("iotempo", Method::Auto), ("IOSI", Method::Iosi)] {
            let scores: Vec<Score> = all.iter().map(|sets| score(sets, by(method))).collect();
            let score = Score::together(&scores);
            println!(
                "| {runs} | {name} | {:.3} | {:.3} | {:.3} | {:.2} | {:.2} |",
                score.correlation,
                score.cross_correlation,
                score.volume,
                score.missed,
                score.false_bursts
            );
        }
    }
    Ok(())
}
