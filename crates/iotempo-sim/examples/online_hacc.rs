//! HACC-IO of FTIO's paper, predicted while it runs, as a table.
//!
//! `cargo run --release -p iotempo-sim --example online_hacc`; docs/experiments/online.md has it.
#![allow(clippy::print_stdout)]

use iotempo_analysis::ftio::online::{Predictor, Strategy};
use iotempo_analysis::ftio::{self, Method, Points};
use iotempo_analysis::online::{Follower, Settings};
use iotempo_model::{Bandwidth, Request, Seconds};
use iotempo_sim::{Shape, ShapeKind, SimError};

/// The bandwidth from the start of the run on.
fn points(requests: &[Request]) -> Points {
    let transfer = |r: &Request| (r.when.start().get(), r.when.end().get(), r.bytes.get());
    let bandwidth = Bandwidth::of_transfers(requests.len(), requests.iter().map(transfer));
    let active = Points::of_bandwidth(&bandwidth);
    let from_start = |values: &[f64]| [&[0.0], values].concat();
    let points = Points::new(from_start(active.times()), from_start(active.rates()));
    points.unwrap_or(active)
}

fn or_dash(period: Option<f64>) -> String {
    period.map_or_else(|| "–".to_owned(), |period| format!("{period:.2} s"))
}

fn main() -> Result<(), SimError> {
    let shape = Shape {
        jitter: 0.0,
        ..Shape::new(ShapeKind::DelayedFirst)
    };
    let job = shape.generate()?;
    let settings = ftio::Settings {
        method: Method::Paper,
        ..ftio::Settings::default()
    };
    let mut predictor = Predictor::new(settings, Strategy::FrequencyHits, 3).lagging(1);
    let mut follower = Follower::new(Settings::default(), job.trace.origin.clone());
    let mut known: Vec<Request> = Vec::new();
    let mut periods = Vec::new();
    println!("| prediction | at | window from | hits | period, FTIO's paper | period, iotempo |");
    println!("|---|---|---|---|---|---|");
    let phases = job.truth.rhythms.iter().flat_map(|rhythm| &rhythm.phases);
    for (number, phase) in (1..).zip(phases) {
        let until: Vec<Request> = job
            .trace
            .iter()
            .filter(|r| r.when.end() <= phase.end)
            .collect();
        for request in &until[known.len()..] {
            follower.add(request.when, request.bytes);
        }
        known = until;
        let step = predictor.step(&points(&known), Some(phase.end));
        let ours = follower.predict(phase.end).period;
        periods.extend(step.finding.period_s);
        println!(
            "| {number} | {:.1} s | {:.1} s | {} | {} | {} |",
            phase.end.get(),
            step.ts_in_s,
            step.hits,
            or_dash(step.finding.period_s),
            or_dash(ours.map(|period| period.value.get())),
        );
    }
    let mean = periods.iter().sum::<f64>() / periods.len() as f64;
    let truth = job.truth.mean_period().map(Seconds::get);
    println!(
        "\nThe mean of FTIO's predictions is {mean:.2} s, that of the run {}.",
        or_dash(truth)
    );
    Ok(())
}
