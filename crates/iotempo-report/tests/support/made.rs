//! Pages about runs whose answers are known, because they were made up.
#![allow(dead_code, unreachable_pub, reason = "every test uses a part of it")]

use iotempo_analysis::period::{
    Alias, Estimate, PeriodFinding, Phase, Rhythm, Segment, Verdict, Witness, WitnessKind,
};
use iotempo_analysis::scalogram::Scalogram;
use iotempo_model::{Bytes, Seconds, Signal, Source, Warning};
use iotempo_report::{Autocorrelation, Fact, Mark, Part, PeriodPage, Spectrum, Table, Units};
use std::f64::consts::TAU;

const GIB: f64 = 1024.0 * 1024.0 * 1024.0;

pub fn seconds(value: f64) -> Seconds {
    Seconds::new(value).unwrap()
}

fn bytes(value: f64) -> Bytes {
    Bytes::new(value).unwrap()
}

pub fn estimate(value: f64, error: f64) -> Estimate {
    Estimate {
        value: seconds(value),
        low: seconds(value - error),
        high: seconds(value + error),
    }
}

/// Numbers from 0 to 1 that look random and are the same every time.
pub fn noise(seed: u64) -> impl FnMut() -> f64 {
    let mut state = seed;
    move || {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (state >> 11) as f64 / (1_u64 << 53) as f64
    }
}

/// Phases of `length` seconds that begin at `starts`, each with a rate of its own.
pub fn signal(starts: &[f64], length: f64, end: f64, step: f64) -> (Signal, Vec<Phase>) {
    let mut random = noise(7);
    let mut samples = vec![0.0; (end / step) as usize];
    let mut phases = Vec::new();
    for start in starts {
        let rate = (3.0 + 1.5 * random()) * GIB;
        let (first, last) = ((start / step) as usize, ((start + length) / step) as usize);
        let last = last.min(samples.len());
        for sample in &mut samples[first..last] {
            *sample = rate * (0.7 + 0.3 * random());
        }
        let moved: f64 = samples[first..last].iter().sum();
        phases.push(Phase {
            start: seconds(*start),
            end: seconds(start + length),
            bytes: bytes(moved * step),
        });
    }
    (Signal::new(seconds(0.0), seconds(step), samples), phases)
}

/// The evidence of a signal, computed the slow way.
pub fn part(name: &str, signal: Signal, finding: PeriodFinding) -> Part {
    let samples = signal.samples();
    let count = samples.len();
    let mean = samples.iter().sum::<f64>() / count as f64;
    let waves: Vec<_> = (0..count)
        .map(|n| (TAU * n as f64 / count as f64).sin_cos())
        .collect();
    let power = |k: usize| {
        let (mut re, mut im) = (0.0, 0.0);
        for (n, x) in samples.iter().enumerate() {
            let (sin, cos) = waves[n * k % count];
            (re, im) = (re + x * cos, im - x * sin);
        }
        (re * re + im * im) / count as f64
    };
    let lag = |k: usize| -> f64 {
        let pairs = samples.iter().zip(&samples[k..]);
        pairs.map(|(a, b)| (a - mean) * (b - mean)).sum()
    };
    let all = lag(0).max(f64::MIN_POSITIVE);
    let length = count as f64 * signal.step().get();
    let period = finding.best().map(|best| best.period.value.get());
    let mark = |at: f64, label: &str| Mark {
        at,
        label: label.to_owned(),
    };
    Part {
        spectrum: Some(Spectrum {
            frequencies_hz: (0..=count / 2).map(|k| k as f64 / length).collect(),
            power: (0..=count / 2).map(power).collect(),
            candidates: period
                .iter()
                .map(|period| mark(2.0 / period, "2nd harmonic"))
                .collect(),
        }),
        autocorrelation: Some(Autocorrelation {
            step: signal.step(),
            coefficients: (0..count).map(|k| lag(k) / all).collect(),
            peaks: period
                .iter()
                .flat_map(|period| [mark(*period, "first"), mark(2.0 * period, "second")])
                .collect(),
        }),
        scalogram: Scalogram::of(&signal),
        ..Part::new(name, signal, finding)
    }
}

/// What a run says that writes every `period` seconds.
pub fn rhythm(period: f64, phases: Vec<Phase>) -> Rhythm {
    let last = phases.last().map_or(0.0, |phase| phase.start.get());
    Rhythm {
        period: estimate(period, 0.004 * period),
        confidence: 0.984,
        jitter: Some(0.021),
        bytes: bytes(phases.iter().map(|phase| phase.bytes.get()).sum()),
        phases,
        next_start: Some(estimate(last + period, 0.05 * period)),
    }
}

pub fn nothing(verdict: Verdict) -> PeriodFinding {
    PeriodFinding {
        verdict,
        rhythms: Vec::new(),
        candidate: None,
        segments: Vec::new(),
        alias: None,
        witnesses: Vec::new(),
    }
}

/// Checkpoints every 47 s, and every 94 s from 564 s on.
pub fn checkpoints(step: f64) -> Part {
    let mut random = noise(3);
    let mut starts = Vec::new();
    let mut at = 20.0;
    while at < 1100.0 {
        starts.push(at);
        let period = if at < 540.0 { 47.0 } else { 94.0 };
        at += period + 2.0 * (random() - 0.5);
    }
    let (signal, phases) = signal(&starts, 7.0, 1180.0, step);
    let segment = |start, end, period: f64| Segment {
        start: seconds(start),
        end: seconds(end),
        bytes: bytes(120.0 * GIB),
        period: Some(estimate(period, 0.3)),
        confidence: 0.97,
    };
    let witness = |kind, period, p_value, agrees| Witness {
        kind,
        period: seconds(period),
        p_value,
        agrees,
    };
    let main: Vec<_> = phases.iter().copied().take(12).collect();
    let finding = PeriodFinding {
        rhythms: vec![rhythm(47.0, phases), rhythm(94.0, main)],
        segments: vec![segment(0.0, 564.0, 47.0), segment(564.0, 1180.0, 94.0)],
        witnesses: vec![
            witness(WitnessKind::Spacing, 47.02, 3e-9, true),
            witness(WitnessKind::Spectrum, 46.9, 2e-14, true),
            witness(WitnessKind::Autocorrelation, 47.1, 1e-6, true),
            witness(WitnessKind::Volume, 94.2, 0.03, false),
        ],
        ..nothing(Verdict::Periodic)
    };
    Part {
        ftio: vec![
            Fact::new("verdict", "a frequency stands out"),
            Fact::new("dominant frequency", "0.0213 Hz"),
            Fact::new("confidence", "71 %"),
        ],
        ..part("write", signal, finding)
    }
}

/// Reads at times without a rule.
pub fn irregular(step: f64) -> Part {
    let starts = [3.0, 61.0, 130.0, 139.0, 420.0, 700.0, 731.0, 1010.0];
    let (signal, phases) = signal(&starts, 3.0, 1100.0, step);
    let finding = PeriodFinding {
        candidate: Some(Rhythm {
            confidence: 0.22,
            jitter: Some(0.8),
            next_start: None,
            ..rhythm(139.0, phases)
        }),
        ..nothing(Verdict::Irregular)
    };
    part("read", signal, finding)
}

pub fn page(input: &str, parts: Vec<Part>) -> PeriodPage {
    let text = |texts: &[&str]| {
        texts
            .iter()
            .map(|&text| text.to_owned())
            .collect::<Vec<_>>()
    };
    PeriodPage {
        input: input.to_owned(),
        sha256: Some("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad".to_owned()),
        format: "darshan 3.41".to_owned(),
        source: Source::Dxt,
        resolution: Some(seconds(1e-6)),
        facts: vec![
            Fact::new(
                "program",
                "/home/user/bin/heat3d --steps 2000 --checkpoint-every 200",
            ),
            Fact::new("job", "418372"),
            Fact::new("ranks", "64"),
            Fact::new("run time", "19 min 40 s"),
        ],
        tables: vec![Table {
            title: "Modules".to_owned(),
            columns: text(&["name", "version", "records", "read", "written"]),
            rows: vec![
                text(&["POSIX", "4", "11", "2 GiB", "80 GiB"]),
                text(&["DXT_POSIX", "1", "704", "2 GiB", "80 GiB"]),
            ],
            notes: vec!["dxt cannot show STDIO".to_owned()],
        }],
        warnings: vec![Warning::new(
            "clock-backwards",
            "12 requests end before they begin, by at most 3 µs: their length is taken as 0",
        )],
        parts,
        settings: vec![Fact::new("op", "both"), Fact::new("start_s", "-")],
        tool: "iotempo 0.1.0".to_owned(),
        units: Units::Iec,
    }
}

pub fn html(page: &PeriodPage) -> String {
    let mut out = Vec::new();
    page.write_into(&mut out).unwrap();
    String::from_utf8(out).unwrap()
}

/// Text that would run, or break out of wherever it stands.
pub const HOSTILE: &str =
    "</script><script>hacked=1</script><img src=x onerror=hacked=1>\"' onload=hacked=1 &lt;<!--";

pub fn hostile() -> PeriodPage {
    let mut part = checkpoints(1.0);
    part.name = HOSTILE.to_owned();
    part.ftio = vec![Fact::new(HOSTILE, HOSTILE)];
    part.spectrum.as_mut().unwrap().candidates[0].label = HOSTILE.to_owned();
    let other = irregular(1.0);
    PeriodPage {
        sha256: Some(HOSTILE.to_owned()),
        format: HOSTILE.to_owned(),
        facts: vec![Fact::new(HOSTILE, HOSTILE)],
        warnings: vec![Warning::new("x", HOSTILE)],
        settings: vec![Fact::new(HOSTILE, HOSTILE)],
        tool: HOSTILE.to_owned(),
        tables: vec![Table {
            title: HOSTILE.to_owned(),
            columns: vec![HOSTILE.to_owned()],
            rows: vec![vec![HOSTILE.to_owned()]],
            notes: vec![HOSTILE.to_owned()],
        }],
        ..page(HOSTILE, vec![part, other])
    }
}

/// Signals that are hardly any.
pub fn odd() -> Vec<Part> {
    let odd = |samples: Vec<f64>, step: f64| {
        let signal = Signal::new(seconds(0.0), seconds(step), samples);
        part("odd", signal, nothing(Verdict::NoRepetition))
    };
    let mut aliased = odd(vec![1.0, 0.0, 1.0, 0.0], 1.0);
    aliased.finding.alias = Some(Alias {
        apparent: seconds(2.0),
        step: seconds(1.0),
        could_be: [seconds(0.666_7), seconds(2.0)],
    });
    vec![
        Part::new(
            "no samples",
            Signal::new(seconds(0.0), seconds(1.0), vec![]),
            nothing(Verdict::Empty),
        ),
        odd(vec![5.0], 1.0),
        odd(vec![5.0, 1.0], 1.0),
        odd(vec![5.0, 1.0, 0.0, 2.0], 1e-9),
        odd(vec![0.0; 100], 1.0),
        odd(vec![4e9; 100], 1e-6),
        odd(vec![f64::NAN, 1.0, f64::INFINITY, 2.0], 1.0),
        odd(vec![f64::MAX; 40], 1.0),
        aliased,
    ]
}
