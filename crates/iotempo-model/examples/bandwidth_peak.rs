//! `bandwidth_peak REQUESTS`: the bandwidth of a generated trace of that many requests by 1024
//! ranks, the time it took, and the most memory this process ever held (Linux).
#![allow(clippy::print_stdout)]

use iotempo_model::*;
use std::time::Instant;

fn main() {
    let count: u64 = std::env::args()
        .nth(1)
        .and_then(|n| n.parse().ok())
        .unwrap_or(10_000_000);
    let mut builder = TraceBuilder::default();
    let file = builder.file("data");
    // A multiplicative generator: no two runs differ, and no order helps the sorting.
    let mut state = 0x2545_f491_4f6c_dd1d_u64;
    let mut random = move || {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (state >> 11) as f64 / (1_u64 << 53) as f64
    };
    for index in 0..count {
        let start = random() * 86_400.0;
        let seconds = |value| Seconds::new(value).unwrap_or_default();
        let when = Interval::new(seconds(start), seconds(start + 0.001 + random()));
        let request = Request {
            rank: Rank((index % 1024) as i32),
            op: if index % 3 == 0 { Op::Read } else { Op::Write },
            api: Api::Posix,
            file,
            when: when.expect("it runs forwards"),
            bytes: Bytes::from(1 << 20),
        };
        builder.push(request).expect("a builder never fails");
    }
    let trace = builder.finish(Origin::new(Source::Requests), Vec::new());
    let start = Instant::now();
    let bandwidth = trace.bandwidth();
    let elapsed = start.elapsed().as_secs_f64();
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let peak = status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:"))
        .unwrap_or("?")
        .trim();
    println!(
        "{count} requests, {} steps, {elapsed:.2} s, peak {peak}",
        bandwidth.steps().len()
    );
}
