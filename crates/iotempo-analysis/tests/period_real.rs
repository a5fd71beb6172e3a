//! Periods of real applications and of series whose period everybody knows.
#![allow(
    clippy::unwrap_used,
    clippy::print_stderr,
    clippy::disallowed_types,
    clippy::disallowed_methods
)]

mod common;

use common::data;
use iotempo_analysis::autocorrelation::autocorrelation;
use iotempo_analysis::period::{Detector, PeriodFinding, Verdict};
use iotempo_analysis::sampling;
use iotempo_formats::{Input, ReadOptions, read_trace};
use iotempo_model::{Bandwidth, Hertz, Interval, Op, Seconds, Selection, Signal, Source, Trace};
use std::fs::{self, File};
use std::path::Path;

fn trace(path: &Path, options: &ReadOptions) -> Trace {
    let input = Input::file(File::open(path).unwrap()).unwrap();
    read_trace(input, options).unwrap().1
}

/// All of a trace as its source has it.
fn signal(trace: &Trace) -> Signal {
    let bandwidth = trace.bandwidth();
    let window = sampling::window(&bandwidth, trace.origin.observed, None).unwrap();
    sampling::as_recorded(&bandwidth, &trace.origin, window).unwrap()
}

fn detect(trace: &Trace) -> PeriodFinding {
    Detector::default().detect(&signal(trace))
}

fn periods(finding: &PeriodFinding) -> Vec<f64> {
    let rhythms = finding.rhythms.iter();
    rhythms.map(|rhythm| rhythm.period.value.get()).collect()
}

fn assert_near(found: f64, truth: f64, share: f64, what: &str) {
    let error = (found / truth - 1.0).abs();
    assert!(error <= share, "{what}: {found} s instead of {truth} s");
}

#[test]
fn lammps_dumps_every_2_37_seconds() {
    let Some(data) = data("lammps_dumps_every_2_37_seconds") else {
        return;
    };
    let log = data.join("darshan/lammps-summit/lammps.darshan");
    let finding = detect(&trace(&log, &ReadOptions::default()));
    let main = finding.main().unwrap();
    assert_near(main.period.value.get(), 2.37, 0.02, "LAMMPS");
    // The deck says every 100 of 1000 steps, and the start.
    assert_eq!(main.phases.len(), 11);
}

/// The lag in seconds at which a signal resembles itself most, of those at which it does so more than
/// a little earlier and later.
fn strongest_resemblance(signal: &Signal) -> Option<f64> {
    let acf = autocorrelation(signal.samples())?;
    let peaks =
        (1..acf.len() - 1).filter(|&lag| acf[lag] > acf[lag - 1] && acf[lag] > acf[lag + 1]);
    let lag = peaks.max_by(|a, b| acf[*a].total_cmp(&acf[*b]))?;
    Some(lag as f64 * signal.step().get())
}

#[test]
fn epochs_of_dlio_take_as_long_as_the_autocorrelation_says() {
    let Some(data) = data("epochs_of_dlio_take_as_long_as_the_autocorrelation_says") else {
        return;
    };
    let heatmap = ReadOptions {
        source: Some(Source::Heatmap),
        ..ReadOptions::default()
    };
    let (mut eights, mut periodic) = (0, 0);
    for entry in fs::read_dir(data.join("darshan/official/dlio_logs")).unwrap() {
        let path = entry.unwrap().path();
        let signal = signal(&trace(&path, &heatmap));
        let lag = strongest_resemblance(&signal);
        if lag.is_none_or(|lag| !(7.2..=8.8).contains(&lag)) {
            continue;
        }
        eights += 1;
        if let Some(main) = Detector::default().detect(&signal).main() {
            periodic += 1;
            let period = main.period.value.get();
            assert!((7.4..=8.3).contains(&period), "{path:?}: {period} s");
        }
    }
    assert_eq!((eights, periodic), (16, 16));
}

/// A table of samples, a second apart.
fn series(data: &Path, file: &str, time: &str, value: &str) -> Trace {
    let column = |ours: &str, theirs: &str| (ours.to_owned(), theirs.to_owned());
    let options = ReadOptions {
        columns: vec![column("time", time), column("bandwidth", value)],
        step: Seconds::new(1.0),
        ..ReadOptions::default()
    };
    trace(&data.join("series").join(file), &options)
}

#[test]
fn series_that_everybody_knows_have_the_period_that_everybody_knows() {
    let Some(data) = data("series_that_everybody_knows_have_the_period_that_everybody_knows")
    else {
        return;
    };
    let main = |file, time, value| {
        let finding = detect(&series(&data, file, time, value));
        finding.main().unwrap().period.value.get()
    };
    let airline = main("known/Airline.csv", "Date", "Passengers");
    assert_near(airline, 12.0, 0.01, "months of a year");
    let co2 = main("known/co2.csv", "date", "co2");
    assert_near(co2, 52.18, 0.01, "weeks of a year");
    let nile = detect(&series(&data, "known/nile.csv", "year", "volume"));
    assert!(!nile.is_periodic(), "{nile:?}");
}

#[test]
fn electricity_has_days_and_weeks() {
    let Some(data) = data("electricity_has_days_and_weeks") else {
        return;
    };
    let demand = series(&data, "known/mstl_elec_vic.csv", "ds", "y");
    let mut found = periods(&detect(&demand));
    found.sort_by(f64::total_cmp);
    assert_eq!(found.len(), 2, "{found:?}");
    assert_near(found[0], 24.0, 0.01, "hours of a day");
    assert_near(found[1], 168.0, 0.01, "hours of a week");
}

#[test]
fn artificial_days_are_days_and_noise_is_none() {
    let Some(data) = data("artificial_days_are_days_and_noise_is_none") else {
        return;
    };
    let nab = |name: &str| {
        let path = data.join(format!("series/nab/{name}.csv"));
        detect(&trace(&path, &ReadOptions::default()))
    };
    for name in ["no_noise", "perfect_square_wave", "small_noise"] {
        let finding = nab(&format!("art_daily_{name}"));
        let main = finding.main().unwrap();
        assert_near(main.period.value.get(), 86_400.0, 0.01, name);
        assert_eq!(main.phases.len(), 14, "{name}");
    }
    assert_eq!(nab("art_flatline").verdict, Verdict::Constant);
    assert!(!nab("art_noisy").is_periodic());
}

/// Samples from `start` on: at a rate, or else as the source has them.
fn sampled(trace: &Trace, bandwidth: &Bandwidth, later: f64, rate: Option<f64>) -> Signal {
    let window = sampling::window(bandwidth, trace.origin.observed, None).unwrap();
    let start = Seconds::new(window.start().get() + later).unwrap();
    let window = Interval::new(start, window.end()).unwrap();
    match rate {
        Some(rate) => sampling::at_rate(bandwidth, Hertz::new(rate).unwrap(), window, 1 << 20),
        None => sampling::as_recorded(bandwidth, &trace.origin, window),
    }
    .unwrap()
}

/// Asks about one trace at many rates, each from many instants on: whatever is called periodic has the
/// period to this share, and most are.
fn assert_one_answer(trace: &Trace, period: f64, share: f64) {
    let bandwidth = trace.bandwidth();
    let rates = [
        1.0, 1.5, 2.0, 3.0, 4.0, 5.0, 7.0, 10.0, 15.0, 20.0, 30.0, 50.0, 75.0, 100.0,
    ]
    .map(Some);
    let (mut asked, mut wrong) = (0, Vec::new());
    let mut unsure = 0;
    for rate in rates.into_iter().chain([None]) {
        for shift in 0..20 {
            let later = 0.005 * f64::from(shift);
            let signal = sampled(trace, &bandwidth, later, rate);
            asked += 1;
            match Detector::default().detect(&signal).main() {
                None => unsure += 1,
                Some(main) => {
                    let found = main.period.value.get();
                    if (found / period - 1.0).abs() > share {
                        wrong.push((rate, shift, found, main.confidence));
                    }
                }
            }
        }
    }
    assert!(wrong.is_empty(), "rate, shift, found, sure: {wrong:?}");
    assert!(2 * unsure < asked, "{unsure} of {asked}");
}

fn written(trace: &Trace) -> Trace {
    trace.select(&Selection {
        op: Some(Op::Write),
        ..Selection::default()
    })
}

#[test]
fn a_run_of_8_ranks_has_one_period_however_it_is_sampled() {
    let Some(data) = data("a_run_of_8_ranks_has_one_period_however_it_is_sampled") else {
        return;
    };
    let both = trace(
        &data.join("tmio/tmio__JSONL__8.jsonl"),
        &ReadOptions::default(),
    );
    assert_one_answer(&written(&both), 1.894, 0.03);
    assert_one_answer(&both, 1.894, 0.03);
}

#[test]
fn a_run_of_384_ranks_has_one_period_however_it_is_sampled() {
    let Some(data) = data("a_run_of_384_ranks_has_one_period_however_it_is_sampled") else {
        return;
    };
    let path = data.join("tmio/tmio__ior__parallel__384.msgpack");
    let both = trace(&path, &ReadOptions::default());
    assert_one_answer(&written(&both), 10.170, 0.03);
    assert_one_answer(&both, 10.170, 0.03);
}
