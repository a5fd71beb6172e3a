//! Logs of a computing centre.
#![allow(clippy::unwrap_used)]

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
