#![allow(
    clippy::unwrap_used,
    clippy::print_stderr,
    clippy::disallowed_types,
    clippy::disallowed_methods
)]
use iotempo_analysis::period::{Detector, PeriodFinding};
use iotempo_analysis::{autocorrelation::autocorrelation, sampling};
use iotempo_formats::{Input, ReadOptions, read_trace};
use iotempo_model::*;
use std::path::{Path, PathBuf};
use std::time::Instant;
fn data() -> PathBuf {
    PathBuf::from("/work/shared/data")
}
fn trace(path: &Path, options: &ReadOptions) -> Trace {
    let input = Input::file(std::fs::File::open(path).unwrap()).unwrap();
    read_trace(input, options).unwrap().1
}
fn sig(t: &Trace, part: Option<Interval>) -> Signal {
    let b = t.bandwidth();
    let w = sampling::window(&b, t.origin.observed, part).unwrap();
    sampling::as_recorded(&b, &t.origin, w).unwrap()
}
fn show(name: &str, s: &Signal, f: &PeriodFinding) {
    eprint!(
        "{name}: N {} step {:.5} {:?}",
        s.samples().len(),
        s.step().get(),
        f.verdict
    );
    for r in f.rhythms.iter().chain(&f.candidate) {
        eprint!(
            " | T {:.4} [{:.4},{:.4}] c {:.3} n {} bytes {:.3e}",
            r.period.value.get(),
            r.period.low.get(),
            r.period.high.get(),
            r.confidence,
            r.phases.len(),
            r.bytes.get()
        );
    }
    eprintln!();
}
#[test]
fn lammps() {
    let t = trace(
        &data().join("darshan/lammps-summit/lammps.darshan"),
        &ReadOptions::default(),
    );
    let s = sig(&t, None);
    let f = Detector::default().detect(&s);
    show("lammps", &s, &f);
}
#[test]
fn dlio() {
    for e in std::fs::read_dir(data().join("darshan/official/dlio_logs")).unwrap() {
        let p = e.unwrap().path();
        let opts = ReadOptions {
            source: Some(Source::Heatmap),
            ..ReadOptions::default()
        };
        let name = p.file_name().unwrap().to_string_lossy()[15..40].to_owned();
        for op in [None, Some(Op::Read)] {
            let t = trace(&p, &opts);
            let t = match op {
                None => t,
                Some(op) => t.select(&Selection {
                    op: Some(op),
                    ..Selection::default()
                }),
            };
            if t.is_empty() {
                eprintln!("{name} empty");
                continue;
            }
            let s = sig(&t, None);
            let f = Detector::default().detect(&s);
            let a = autocorrelation(s.samples());
            // highest peak beyond first zero crossing
            let peak = a.map(|a| {
                let z = a.iter().position(|x| *x < 0.0).unwrap_or(a.len());
                let k = (z..a.len()).max_by(|x, y| a[*x].total_cmp(&a[*y]));
                k.map(|k| (k as f64 * s.step().get(), a[k]))
            });
            show(&format!("{name} {op:?} acf {peak:?}"), &s, &f);
        }
    }
}
#[test]
fn series() {
    let cols = |t: &str, v: &str| {
        vec![
            ("time".to_owned(), t.to_owned()),
            ("bandwidth".to_owned(), v.to_owned()),
        ]
    };
    for (f, t, v) in [
        ("Airline", "Date", "Passengers"),
        ("co2", "date", "co2"),
        ("mstl_elec_vic", "ds", "y"),
        ("nile", "year", "volume"),
        ("sunspots", "YEAR", "SUNACTIVITY"),
    ] {
        let opts = ReadOptions {
            columns: cols(t, v),
            step: Seconds::new(1.0),
            ..ReadOptions::default()
        };
        let p = data().join(format!("series/known/{f}.csv"));
        let input = Input::file(std::fs::File::open(&p).unwrap()).unwrap();
        match read_trace(input, &opts) {
            Err(e) => eprintln!("{f}: {e}"),
            Ok((_, t)) => {
                let s = sig(&t, None);
                show(f, &s, &Detector::default().detect(&s));
            }
        }
    }
    for f in [
        "art_daily_no_noise",
        "art_daily_perfect_square_wave",
        "art_daily_small_noise",
        "art_flatline",
        "art_noisy",
        "ec2_disk_write_bytes_1ef3de",
        "ec2_disk_write_bytes_c0d644",
    ] {
        let opts = ReadOptions {
            columns: cols("timestamp", "value"),
            ..ReadOptions::default()
        };
        let p = data().join(format!("series/nab/{f}.csv"));
        let input = Input::file(std::fs::File::open(&p).unwrap()).unwrap();
        match read_trace(input, &opts) {
            Err(e) => eprintln!("{f}: {e}"),
            Ok((_, t)) => {
                let s = sig(&t, None);
                show(f, &s, &Detector::default().detect(&s));
            }
        }
    }
}
#[test]
fn one_answer() {
    for (file, truth) in [
        ("tmio__JSONL__8.jsonl", 1.894),
        ("tmio__ior__parallel__384.msgpack", 10.170),
    ] {
        let all = trace(&data().join("tmio").join(file), &ReadOptions::default());
        eprintln!(
            "{file} {:?} {:?} {:?}",
            all.len(),
            all.origin.observed,
            all.span()
        );
        for op in [Some(Op::Write), None] {
            let t = match op {
                None => trace(&data().join("tmio").join(file), &ReadOptions::default()),
                Some(op) => all.select(&Selection {
                    op: Some(op),
                    ..Selection::default()
                }),
            };
            let b = t.bandwidth();
            for rate in [0.0, 1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0] {
                let mut worst: f64 = 0.0;
                let mut un = 0;
                let clock = Instant::now();
                let mut n = 0;
                let mut bad = vec![];
                for shift in 0..20 {
                    let w = sampling::window(&b, t.origin.observed, None).unwrap();
                    let w = Interval::new(
                        Seconds::new(w.start().get() + 0.005 * f64::from(shift)).unwrap(),
                        w.end(),
                    )
                    .unwrap();
                    let s = if rate == 0.0 {
                        sampling::as_recorded(&b, &t.origin, w)
                    } else {
                        sampling::at_rate(&b, Hertz::new(rate).unwrap(), w, 1 << 26)
                    }
                    .unwrap();
                    n = s.samples().len();
                    let f = Detector::default().detect(&s);
                    match f.main() {
                        Some(r) => {
                            let e = (r.period.value.get() / truth - 1.0).abs();
                            worst = worst.max(e);
                            if e > 0.03 {
                                bad.push((shift, r.period.value.get(), r.confidence));
                            }
                        }
                        None => un += 1,
                    }
                }
                eprintln!(
                    "{file} {op:?} rate {rate} N {n}: worst {worst:.4} unsure {un} of 20, {:.2} s bad {bad:?}",
                    clock.elapsed().as_secs_f64()
                );
            }
        }
    }
}
