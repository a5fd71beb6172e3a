//! What others do on a real file system, from the log of its servers.

use iotempo_formats::server::{Options, read};
use iotempo_formats::{Error, Input};
use iotempo_model::{Moved, Op, Target, TargetId, ThroughputSink};
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

/// Five minutes of Edison's scratch file system, every five seconds: the longest log of a whole file
/// system with steps of seconds that there is.
const LOG: &str = "serverlogs/lmt/snx11025_2018-01-28.sqlite3";

/// What all targets wrote, as `(start, end, bytes)`.
#[derive(Default)]
struct Written(Vec<(f64, f64, f64)>);

impl ThroughputSink for Written {
    fn target(&mut self, _: &Target) -> TargetId {
        TargetId(0)
    }

    fn moved(&mut self, moved: Moved) -> io::Result<()> {
        if moved.op == Op::Write {
            let when = moved.when;
            self.0
                .push((when.start().get(), when.end().get(), moved.bytes.get()));
        }
        Ok(())
    }
}

/// The bytes that all servers wrote in each second, if there is such a log here, scaled so that its
/// background, by IOSI's measure, is what IOSI's paper tells of Spider.
pub(crate) fn others() -> Option<Vec<f64>> {
    let beside = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data");
    let data = std::env::var_os("IOTEMPO_DATA").map_or(beside, PathBuf::from);
    let log = data.join(LOG);
    match seconds(&log) {
        Ok(seconds) => Some(scaled(seconds)),
        Err(error) => {
            println!("{}: {error}", log.display());
            None
        }
    }
}

fn seconds(path: &Path) -> Result<Vec<f64>, Error> {
    let file = File::open(path).and_then(Input::file)?;
    let mut written = Written::default();
    read(file, &Options::default(), &mut written)?;
    let starts = written.0.iter().map(|(start, ..)| *start);
    let first = starts.fold(f64::INFINITY, f64::min);
    let ends = written.0.iter().map(|(_, end, _)| *end);
    let last = ends.fold(first, f64::max);
    let mut seconds = vec![0.0; (last - first) as usize];
    for (start, end, bytes) in written.0 {
        // Its steps are whole seconds.
        for second in &mut seconds[(start - first) as usize..(end - first) as usize] {
            *second += bytes / (end - start);
        }
    }
    Ok(seconds)
}

/// The background of Spider, in bytes per second.
const SPIDER: f64 = 0.11e9;

fn scaled(seconds: Vec<f64>) -> Vec<f64> {
    let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len().max(1) as f64;
    let usual = mean(&seconds);
    let low: Vec<f64> = seconds.iter().copied().filter(|x| *x < usual).collect();
    let by = SPIDER / mean(&low);
    seconds.into_iter().map(|x| by * x).collect()
}
