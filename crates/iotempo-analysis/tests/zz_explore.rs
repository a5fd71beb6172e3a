#![allow(clippy::unwrap_used, clippy::print_stderr)]
use iotempo_analysis::period::Detector;
use iotempo_model::Hertz;
use iotempo_sim::{Shape, ShapeKind};
#[test]
fn explore() {
    for kind in ShapeKind::ALL {
        for seed in 0..12 {
            let shape = Shape {
                seed,
                ..Shape::new(kind)
            };
            let (signal, truth) = shape.signal(Hertz::new(1.0).unwrap()).unwrap();
            let f = Detector::default().detect(&signal);
            eprintln!(
                "== {} seed {seed} N {} verdict {:?}",
                kind.name(),
                signal.samples().len(),
                f.verdict
            );
            for t in &truth.rhythms {
                let next = t.phases.last().unwrap().start.get() + t.mean_period().unwrap().get();
                eprintln!(
                    "  truth {} T {:.3} n {} bytes {:.4e} first {:.2} last {:.2} next~{next:.2}",
                    t.name,
                    t.mean_period().unwrap().get(),
                    t.phases.len(),
                    t.bytes().get(),
                    t.phases[0].start.get(),
                    t.phases.last().unwrap().start.get()
                );
            }
            for r in f.rhythms.iter().chain(&f.candidate) {
                eprintln!(
                    "  found T {:.3} [{:.3},{:.3}] conf {:.3} n {} bytes {:.4e} first {:.2} last {:.2} next {:?}",
                    r.period.value.get(),
                    r.period.low.get(),
                    r.period.high.get(),
                    r.confidence,
                    r.phases.len(),
                    r.bytes.get(),
                    r.phases.first().map_or(-1.0, |p| p.start.get()),
                    r.phases.last().map_or(-1.0, |p| p.start.get()),
                    r.next_start
                        .map(|n| (n.low.get(), n.value.get(), n.high.get()))
                );
                // phases vs truth
                for t in &truth.rhythms {
                    if (t.mean_period().unwrap().get() / r.period.value.get() - 1.0).abs() > 0.6 {
                        continue;
                    }
                    let mut worst = (0.0f64, 0.0f64, 0.0f64);
                    let mut miss = 0;
                    for p in &r.phases {
                        let q = t
                            .phases
                            .iter()
                            .min_by(|a, b| {
                                (a.start.get() - p.start.get())
                                    .abs()
                                    .total_cmp(&(b.start.get() - p.start.get()).abs())
                            })
                            .unwrap();
                        let d = (p.start.get() - q.start.get()).abs();
                        if d > 5.0 {
                            miss += 1;
                        }
                        worst.0 = worst.0.max(d);
                        worst.1 = worst.1.max((p.end.get() - q.end.get()).abs());
                        worst.2 = worst.2.max((p.bytes.get() / q.bytes.get() - 1.0).abs());
                    }
                    eprintln!(
                        "    vs {}: start {:.2} end {:.2} bytes {:.3} miss {miss}",
                        t.name, worst.0, worst.1, worst.2
                    );
                }
            }
            for s in &truth.segments {
                eprint!(
                    "  tseg {:.1}-{:.1} {:?}",
                    s.start.get(),
                    s.end.get(),
                    s.period.map(|p| p.get())
                );
            }
            eprintln!();
            for s in &f.segments {
                eprint!(
                    "  fseg {:.1}-{:.1} {:?}",
                    s.start.get(),
                    s.end.get(),
                    s.period.map(|p| p.value.get())
                );
            }
            eprintln!();
            eprintln!(
                "  alias {:?}",
                f.alias
                    .map(|a| (a.apparent.get(), a.could_be.map(|c| c.get())))
            );
        }
    }
}
