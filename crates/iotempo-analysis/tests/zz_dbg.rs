//! x
#![allow(
    clippy::unwrap_used,
    clippy::print_stderr,
    clippy::disallowed_types,
    clippy::disallowed_methods
)]
use iotempo_analysis::period::Detector;
use iotempo_analysis::sampling;
use iotempo_formats::{Input, ReadOptions, read_trace};
use iotempo_model::*;
#[test]
fn held_out() {
    for (file, truth) in [
        ("tmio__JSONL__8.jsonl", 1.894),
        ("tmio__ior__parallel__384.msgpack", 10.170),
    ] {
        let input =
            Input::file(std::fs::File::open(format!("/work/shared/data/tmio/{file}")).unwrap())
                .unwrap();
        let all = read_trace(input, &ReadOptions::default()).unwrap().1;
        for op in [None, Some(Op::Write), Some(Op::Read)] {
            let t = all.select(&Selection {
                op,
                ..Selection::default()
            });
            let b = t.bandwidth();
            for rate in [1.5, 3.0, 4.0, 5.0, 7.0, 10.0, 15.0, 30.0, 40.0, 50.0, 75.0] {
                let mut bad = vec![];
                let mut un = 0;
                for shift in 0..100 {
                    let w = sampling::window(&b, t.origin.observed, None).unwrap();
                    let w = Interval::new(
                        Seconds::new(w.start().get() + 0.002 * f64::from(shift)).unwrap(),
                        w.end(),
                    )
                    .unwrap();
                    let s = sampling::at_rate(&b, Hertz::new(rate).unwrap(), w, 1 << 26).unwrap();
                    let f = Detector::default().detect(&s);
                    match f.main() {
                        None => un += 1,
                        Some(r) => {
                            let e = r.period.value.get() / truth - 1.0;
                            if e.abs() > 0.03 {
                                bad.push((
                                    shift,
                                    (r.period.value.get() * 1000.0).round() / 1000.0,
                                    (r.confidence * 100.0).round() / 100.0,
                                ));
                            }
                        }
                    }
                }
                eprintln!(
                    "{file} {op:?} {rate}: unsure {un}, bad {} {:?}",
                    bad.len(),
                    &bad[..bad.len().min(6)]
                );
            }
        }
    }
}
