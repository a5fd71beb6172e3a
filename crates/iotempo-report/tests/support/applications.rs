//! Pages about applications whose signatures are known, because they were made up.
#![allow(dead_code, unreachable_pub, reason = "every test uses a part of it")]

use crate::made::{HOSTILE, checkpoints, noise};
use iotempo_analysis::signature::{Clash, HourClash, SampleBurst, Signature, SignatureBurst};
use iotempo_model::Warning;
use iotempo_report::signature::{Beside, RejectedJobs, RunPart, ShownLog, ShownRun, SignaturePage};
use iotempo_report::{Fact, Units};

const GIB: f64 = 1024.0 * 1024.0 * 1024.0;

/// When bursts of 40 s begin, in a run of an hour.
const STARTS: [f64; 5] = [300.0, 1000.0, 1700.0, 2400.0, 3100.0];

/// 2026-09-21T14:13:20Z.
const FIRST: f64 = 1_790_000_000.0;

pub fn signature() -> Signature {
    let inside = |second: f64| {
        STARTS
            .iter()
            .any(|start| (*start..start + 40.0).contains(&second))
    };
    let rate = |second: u32| {
        if inside(f64::from(second)) {
            2.0 * GIB
        } else {
            0.0
        }
    };
    Signature {
        start_s: 0.0,
        step_s: 1.0,
        timing: None,
        rates: (0..3600).map(rate).collect(),
        bursts: STARTS
            .iter()
            .map(|start| SignatureBurst {
                time_s: start + 20.0,
                start_s: *start,
                end_s: start + 40.0,
                bytes: 80.0 * GIB,
                bytes_low: 80.0 * GIB,
                bytes_high: 80.0 * GIB,
                peak: 2.0 * GIB,
                support: 9,
            })
            .collect(),
    }
}

/// A run in steps of 2 s, with a burst of somebody else's at 2000 s.
pub fn run(number: usize) -> ShownRun {
    let mut random = noise(number as u64);
    let common = signature();
    let foreign = 1000..1010;
    let rates = (0..1800).map(|step| {
        let others = if foreign.contains(&step) { GIB } else { 0.0 };
        common.rates[2 * step] * (0.9 + 0.2 * random()) + others + 1e7
    });
    let burst = |start_s: f64, length: f64| SampleBurst {
        start_s,
        crest_s: start_s + 0.5 * length,
        end_s: start_s + length,
        bytes: length * GIB,
    };
    let mut bursts: Vec<_> = STARTS
        .iter()
        .enumerate()
        .map(|(place, start)| (burst(*start, 40.0), Some(place)))
        .collect();
    bursts.push((burst(2000.0, 20.0), None));
    ShownRun {
        job: (418_000 + number).to_string(),
        start_epoch_s: FIRST + 5000.0 * number as f64,
        step_s: 2.0,
        rates: rates.collect(),
        filled: u64::from(number == 2) * 3,
        part: RunPart::Used(bursts),
    }
}

/// A run that is ten times as high as all others.
pub fn outlier(number: usize) -> ShownRun {
    let mut run = run(number);
    run.rates.iter_mut().for_each(|rate| *rate *= 10.0);
    run.part = RunPart::LeftOut("far more bytes than the others".to_owned());
    run
}

fn clash(met: f64, hours: std::ops::Range<usize>) -> Clash {
    let hour = |hour: usize| HourClash {
        hour,
        met_bytes_per_s: met * (1.0 + hour as f64 / 24.0),
        starts: 6,
    };
    Clash {
        others_bytes_per_s: 0.9 * met,
        met_bytes_per_s: met,
        correlation: 0.1,
        starts: 6 * hours.len(),
        by_hour: (0..24)
            .map(|h| hours.contains(&h).then(|| hour(h)))
            .collect(),
    }
}

pub fn page(runs: Vec<ShownRun>) -> SignaturePage {
    let text = |text: &str| text.to_owned();
    SignaturePage {
        application: text("alice, s3d, 64 nodes"),
        signature: Ok(signature()),
        period: Some(checkpoints(1.0).finding),
        threshold: 0.5,
        jobs: runs.len() + 8,
        runs,
        overlapping: 2,
        rejected: vec![
            RejectedJobs {
                reason: text("did not end well: FAILED"),
                jobs: vec![text("7")],
            },
            RejectedJobs {
                reason: text("the servers' log does not cover it"),
                jobs: (900..907).map(|id| id.to_string()).collect(),
            },
        ],
        background: 1e7,
        compared: vec![
            Beside {
                log: text("quiet.csv"),
                clash: Some(clash(1e8, 3..20)),
            },
            Beside {
                log: text("short.csv"),
                clash: None,
            },
            Beside {
                log: text("busy.csv"),
                clash: Some(clash(3e9, 0..24)),
            },
        ],
        moved: text("read and write"),
        interval_s: Some(2.0),
        targets: 1008,
        logs: vec![
            ShownLog {
                input: text("sacct.txt"),
                sha256: Some(text(
                    "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
                )),
                kind: text("jobs"),
                format: text("sacct"),
                rows: 12_345,
                interval_s: None,
                unit: None,
                zone: Some(text("Europe/Berlin")),
                damaged: false,
            },
            ShownLog {
                input: text("servers.csv"),
                sha256: None,
                kind: text("server"),
                format: text("LDMS CSV"),
                rows: 2_000_000,
                interval_s: Some(2.0),
                unit: Some(text("bytes, counted since the mount")),
                zone: None,
                damaged: true,
            },
        ],
        warnings: vec![Warning::new("short-samples", "smoothed once, not twice")],
        settings: vec![
            Fact::new("method", "auto"),
            Fact::new("density_fraction", "0.5"),
        ],
        tool: text("iotempo 0.1.0"),
        units: Units::Iec,
    }
}

/// Ten runs, one of which was left out.
pub fn usual() -> SignaturePage {
    let mut runs: Vec<ShownRun> = (0..10).map(run).collect();
    runs[3] = outlier(3);
    page(runs)
}

/// Every text as bad as a log can hold.
pub fn hostile() -> SignaturePage {
    let bad = || format!("{HOSTILE}\u{1b}[31m\0\u{202e}{}", "long".repeat(5000));
    let mut page = usual();
    page.application = bad();
    page.moved = bad();
    page.tool = bad();
    page.settings = vec![Fact::new(bad(), bad())];
    page.warnings = vec![Warning::new("x", bad())];
    for run in &mut page.runs {
        run.job = bad();
        if let RunPart::LeftOut(why) = &mut run.part {
            *why = bad();
        }
    }
    for rejected in &mut page.rejected {
        rejected.reason = bad();
        rejected.jobs.fill(bad());
    }
    for beside in &mut page.compared {
        beside.log = bad();
    }
    for log in &mut page.logs {
        (log.input, log.kind, log.format) = (bad(), bad(), bad());
        (log.unit, log.zone, log.sha256) = (Some(bad()), Some(bad()), Some(bad()));
    }
    page
}

pub fn html(page: &SignaturePage) -> String {
    let mut out = Vec::new();
    page.write_into(&mut out).unwrap();
    String::from_utf8(out).unwrap()
}
