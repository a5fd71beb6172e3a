//! Logs of a computing centre.
#![allow(clippy::unwrap_used)]

use iotempo_analysis::signature::accuracy::Accuracy;
use iotempo_analysis::signature::{Sample, SignatureMiner, alone};
use iotempo_model::Seconds;
use iotempo_sim::server::{Centre, CentreLog};

#[test]
fn jobs_and_log_fit_together() {
    let centre = Centre {
        jobs: 500,
        applications: 20,
        days: 1.0,
        seed: 4,
    };
    let log = centre.generate().unwrap();
    assert_eq!(log, centre.generate().unwrap());
    assert_eq!(log.jobs.len(), 500);
    assert_eq!(log.rates.len(), 43_200);
    assert!(
        log.jobs
            .windows(2)
            .all(|pair| pair[0].start_s <= pair[1].start_s)
    );
    for job in &log.jobs {
        assert!(job.start_s < job.end_s);
        let steps = log.sample(job).len() as f64;
        let within = ((job.end_s.min(86_400.0) - job.start_s) / CentreLog::STEP_S).ceil();
        assert!(steps <= within && steps + 2.0 >= within, "{job:?}: {steps}");
    }
    // The first application is run far more often than the last.
    let count = |number| {
        log.jobs
            .iter()
            .filter(|job| job.application == number)
            .count()
    };
    assert!(count(0) > 5 * count(19).max(1));
}

#[test]
fn nonsense_makes_no_log() {
    for (jobs, applications, days) in [(0, 1, 1.0), (1, 0, 1.0), (1, 1, f64::NAN), (1, 1, -1.0)] {
        let centre = Centre {
            jobs,
            applications,
            days,
            seed: 0,
        };
        assert!(centre.generate().is_err());
    }
}

/// What is always there is nobody's own: the first application is in progress most of the time, and there is
/// one of its bursts near any place of any other's run.
#[test]
fn the_bursts_of_one_that_is_always_running_are_not_those_of_all() {
    let centre = Centre {
        jobs: 12_000,
        applications: 300,
        days: 13.0,
        seed: 77,
    };
    let log = centre.generate().unwrap();
    let (mut quiet, mut quiet_told) = (0, 0);
    let (mut planned, mut missed, mut wrong) = (0, 0, 0);
    for (number, application) in log.applications.iter().enumerate() {
        let jobs: Vec<_> = log
            .jobs
            .iter()
            .filter(|job| job.application == number)
            .collect();
        let spans: Vec<_> = jobs
            .iter()
            .map(|job| Some((job.start_s, job.end_s)))
            .collect();
        let alone = alone(&spans);
        let runs: Vec<_> = jobs
            .iter()
            .zip(alone)
            .filter(|run| run.1)
            .map(|run| run.0)
            .collect();
        if runs.len() < 10 {
            continue;
        }
        let samples: Vec<Sample> = runs
            .iter()
            .map(|job| Sample {
                id: "",
                rates: log.sample(job),
                step: Seconds::new(CentreLog::STEP_S).unwrap(),
            })
            .collect();
        let finding = SignatureMiner::default().mine(&samples);
        let bytes = application.bursts[0].bytes;
        if bytes < 0.2e9 {
            quiet += 1;
            quiet_told += usize::from(finding.signature().is_some());
        } else if bytes > 5e9 {
            let bursts = application.planned();
            planned += bursts.len();
            match finding.signature() {
                Some(found) => {
                    let accuracy = Accuracy::of(found, &[], &bursts, application.interval_s());
                    missed += accuracy.missed;
                    wrong += accuracy.false_bursts;
                }
                None => missed += bursts.len(),
            }
        }
    }
    assert!(quiet > 80 && planned > 100, "{quiet} {planned}");
    assert!(
        quiet_told * 10 < quiet,
        "{quiet_told} of {quiet} quiet applications"
    );
    assert!(
        missed * 20 < planned && wrong * 20 < planned,
        "{missed}, {wrong} of {planned}"
    );
}
