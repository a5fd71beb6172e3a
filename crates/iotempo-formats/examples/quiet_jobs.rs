//! What a look at a job costs that does nothing: `cargo run --release --example quiet_jobs`.
#![allow(clippy::print_stdout, reason = "it is what it is for")]

#[path = "../tests/support/iot_log.rs"]
mod iot_log;

use iot_log::IotLog;
use iotempo_formats::ReadOptions;
use iotempo_formats::live::GrowingJob;
use iotempo_model::TraceBuilder;
use iotempo_model::wire::{api, kind, op};
use std::thread;
use std::time::{Duration, Instant};

/// After this, logs count as quiet.
const SETTLED: Duration = Duration::from_secs(11);

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = tempfile::tempdir()?;
    for count in [1, 100] {
        let job = folder.path().join(format!("{count}"));
        std::fs::create_dir(&job)?;
        for number in 0..count {
            let mut log = IotLog::new("another-machine", number, number as i32);
            log.record([kind::TRANSFER, op::WRITE, api::POSIX], 1, [0, 9], 4096);
            std::fs::write(job.join(format!("host.{number}.iot")), log.finish())?;
        }
        let mut job = GrowingJob::new(job, &ReadOptions::default());
        let mut sink = TraceBuilder::default();
        assert_eq!(job.poll(&mut sink)?, u64::from(count));
        thread::sleep(Duration::from_secs(4));
        let busy = microseconds(&mut job)?;
        thread::sleep(SETTLED);
        let quiet = microseconds(&mut job)?;
        println!(
            "{count} logs: {quiet:.1} µs a look; {busy:.1} µs within 10 s of their last record"
        );
    }
    Ok(())
}

/// The median over many looks.
fn microseconds(job: &mut GrowingJob) -> Result<f64, Box<dyn std::error::Error>> {
    let mut sink = TraceBuilder::default();
    let mut times = Vec::new();
    for _ in 0..2000 {
        let start = Instant::now();
        assert_eq!(job.poll(&mut sink)?, 0);
        times.push(start.elapsed().as_secs_f64() * 1e6);
    }
    times.sort_by(f64::total_cmp);
    Ok(times[times.len() / 2])
}
