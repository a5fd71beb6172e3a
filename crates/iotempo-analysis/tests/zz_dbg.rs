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
fn dbg() {
    for (file, rate) in [("tmio__ior__parallel__384.msgpack", 10.0)] {
        let input =
            Input::file(std::fs::File::open(format!("/work/shared/data/tmio/{file}")).unwrap())
                .unwrap();
        let t = read_trace(input, &ReadOptions::default()).unwrap().1;
        let b = t.bandwidth();
        for shift in [2, 3, 4] {
            let w = sampling::window(&b, t.origin.observed, None).unwrap();
            let w = Interval::new(
                Seconds::new(w.start().get() + 0.005 * f64::from(shift)).unwrap(),
                w.end(),
            )
            .unwrap();
            let s = sampling::at_rate(&b, Hertz::new(rate).unwrap(), w, 1 << 26).unwrap();
            let f = Detector::default().detect(&s);
            eprintln!("== {file} {rate} {shift} {:?}", f.verdict);
            for r in f.rhythms.iter().chain(&f.candidate) {
                eprintln!(
                    " T {:.4} [{:.4} {:.4}] c {:.3} jitter {:?}",
                    r.period.value.get(),
                    r.period.low.get(),
                    r.period.high.get(),
                    r.confidence,
                    r.jitter
                );
                eprintln!(
                    "   {}",
                    r.phases
                        .iter()
                        .map(|p| format!(
                            "{:.2}-{:.2}:{:.3e}",
                            p.start.get(),
                            p.end.get(),
                            p.bytes.get()
                        ))
                        .collect::<Vec<_>>()
                        .join(" ")
                );
            }
            for w in &f.witnesses {
                eprintln!("   {w:?}");
            }
        }
    }
}
