//! HACC-IO of FTIO's paper (Tarraf et al., IPDPS 2024, section III-B and Figure 15), followed while it
//! runs: ten phases, of which the first is late.
#![allow(clippy::unwrap_used)]

use iotempo_analysis::ftio::online::{Predictor, Step, Strategy};
use iotempo_analysis::ftio::{self, Method, Points};
use iotempo_analysis::online::{Follower, Prediction, Settings, State};
use iotempo_model::{Bandwidth, Request, Seconds};
use iotempo_sim::{Shape, ShapeKind, Synthetic};

fn hacc() -> Synthetic {
    let shape = Shape {
        jitter: 0.0,
        ..Shape::new(ShapeKind::DelayedFirst)
    };
    shape.generate().unwrap()
}

/// What is known at the end of each phase, which is when HACC-IO flushes.
fn flushes(job: &Synthetic) -> Vec<(Seconds, Vec<Request>)> {
    let before = |end| job.trace.iter().filter(move |r| r.when.end() <= end);
    let phases = job.truth.rhythms[0].phases.iter();
    let flush = phases.map(|phase| (phase.end, before(phase.end).collect()));
    flush.collect()
}

/// The bandwidth from the start of the run on.
fn points(requests: &[Request]) -> Points {
    let transfer = |r: &Request| (r.when.start().get(), r.when.end().get(), r.bytes.get());
    let bandwidth = Bandwidth::of_transfers(requests.len(), requests.iter().map(transfer));
    let active = Points::of_bandwidth(&bandwidth);
    let from_start = |values: &[f64]| [&[0.0], values].concat();
    Points::new(from_start(active.times()), from_start(active.rates())).unwrap()
}

/// FTIO by its paper: k = 3, and a prediction begins before the one before it has ended.
fn predicted(job: &Synthetic) -> Vec<Step> {
    let settings = ftio::Settings {
        method: Method::Paper,
        ..ftio::Settings::default()
    };
    let mut predictor = Predictor::new(settings, Strategy::FrequencyHits, 3).lagging(1);
    let flushes = flushes(job).into_iter();
    flushes
        .map(|(end, requests)| predictor.step(&points(&requests), Some(end)))
        .collect()
}

fn followed(job: &Synthetic) -> Vec<Prediction> {
    let mut follower = Follower::new(Settings::default(), job.trace.origin.clone());
    let mut known = 0;
    let mut made = Vec::new();
    for (end, requests) in flushes(job) {
        for request in &requests[known..] {
            follower.add(request.when, request.bytes);
        }
        known = requests.len();
        made.push(follower.predict(end));
    }
    made
}

fn is_near(value: f64, wanted: f64, within: f64) -> bool {
    (value - wanted).abs() <= within
}

/// The mean distance from start to start, from phase `first` on.
fn mean_distance(job: &Synthetic, first: usize) -> f64 {
    let phases = &job.truth.rhythms[0].phases[first..];
    let span = phases[phases.len() - 1].start - phases[0].start;
    span.get() / (phases.len() - 1) as f64
}

#[test]
fn the_run_is_that_of_the_paper() {
    let job = hacc();
    let phases = &job.truth.rhythms[0].phases;
    assert_eq!(phases.len(), 10);
    assert!(is_near(phases[0].start.get(), 4.1, 1e-6));
    assert!(is_near(phases[0].end.get(), 15.3, 1e-6));
    assert!(is_near(mean_distance(&job, 0), 8.7, 1e-6));
    assert!(is_near(mean_distance(&job, 1), 7.7, 1e-6));
    assert!(is_near(job.truth.mean_period().unwrap().get(), 8.7, 1e-6));
    // The times of the third, the fifth, the seventh and the eighth prediction.
    for (phase, at) in [(3, 32.4), (5, 47.4), (7, 63.0), (8, 71.1)] {
        assert!(is_near(phases[phase - 1].end.get(), at, 0.4), "{phase}");
    }
}

#[test]
fn the_window_is_adapted_as_in_figure_15() {
    let job = hacc();
    let steps = predicted(&job);
    let period = |number: usize| steps[number - 1].finding.period_s.unwrap();
    let end = |number: usize| steps[number - 1].finding.sampling.unwrap().t_end_s;
    let hits: Vec<usize> = steps.iter().map(|step| step.hits).collect();
    assert_eq!(hits, [1, 2, 3, 1, 2, 3, 1, 2, 3, 1]);
    for (step, phase) in steps.iter().zip(&job.truth.rhythms[0].phases) {
        let end = step.finding.sampling.unwrap().t_end_s;
        assert!(is_near(end, phase.end.get(), 1e-9));
    }
    // The third hit is known to the fifth prediction, the sixth to the eighth.
    let after_third = end(5) - 3.0 * period(3);
    let after_sixth = end(8) - 3.0 * period(6);
    let (all, third, sixth) = (0.0, after_third, after_sixth);
    let wanted = [all, all, all, all, third, third, third, sixth, sixth, sixth];
    for (step, start) in steps.iter().zip(wanted) {
        assert!(is_near(step.ts_in_s, start, 1e-9), "{step:?}");
        // A window starts with the first event in it.
        assert!(step.finding.sampling.unwrap().t_start_s >= start - 1e-9);
    }
    // The paper's numbers, which a phase of 0.1 s more or less moves by as much.
    assert!(is_near(after_third, 23.1, 0.5), "{after_third}");
    assert!(is_near(after_sixth, 47.3, 0.5), "{after_sixth}");
    assert!(is_near(period(3), 8.1, 0.1), "{}", period(3));
}

#[test]
fn the_mean_of_ftios_predictions_is_the_period() {
    let job = hacc();
    let periods: Vec<f64> = predicted(&job)
        .iter()
        .map(|step| step.finding.period_s.unwrap())
        .collect();
    let mean = periods.iter().sum::<f64>() / 10.0;
    let truth = mean_distance(&job, 0);
    assert!((mean / truth - 1.0).abs() < 0.02, "{mean}: {periods:?}");
}

#[test]
fn the_follower_tells_the_period_that_goes_on() {
    let job = hacc();
    let phases = &job.truth.rhythms[0].phases;
    let made = followed(&job);
    let periodic = |word: &&Prediction| word.state == State::Periodic;
    let found: Vec<&Prediction> = made.iter().filter(periodic).collect();
    // From the fifth phase of the rhythm on, that is the sixth of the run.
    assert_eq!(found.len(), 5);
    assert!(made[5..].iter().all(|word| word.state == State::Periodic));
    let mean = found.iter().map(|word| word.period.unwrap().value.get());
    let mean = mean.sum::<f64>() / found.len() as f64;
    let truth = mean_distance(&job, 1);
    assert!((mean / truth - 1.0).abs() < 0.02, "{mean}");
    for (word, next) in made[5..].iter().zip(&phases[6..]) {
        let period = word.period.unwrap().value.get();
        assert!((period / truth - 1.0).abs() < 0.005, "{word:?}");
        let expected = word.next.unwrap().start.value;
        assert!(is_near(expected.get(), next.start.get(), 0.1), "{word:?}");
    }
}
