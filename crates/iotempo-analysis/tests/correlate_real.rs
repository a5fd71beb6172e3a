//! Times of real jobs, by their counters, beside those that their logs' own modules give.
#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    clippy::print_stderr,
    clippy::disallowed_types,
    clippy::disallowed_methods
)]

mod common;

use iotempo_analysis::correlate::{JobMetrics, JobSpan, Load, Oddities, Place};
use iotempo_formats::darshan::{CountedLog, Log, Module, derived};
use iotempo_formats::{Input, Limits, ReadOptions};
use iotempo_model::{Api, FileCounters};
use std::fs::File;
use std::path::{Path, PathBuf};

fn logs(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        match path.is_dir() {
            true => logs(&path, found),
            false if path.extension().is_some_and(|word| word == "darshan") => found.push(path),
            false => {}
        }
    }
}

/// Both are sums of the same numbers, in different orders.
fn same(found: f64, expected: f64, what: &str) {
    let near = (found - expected).abs() <= 1e-9 * expected.abs().max(1.0);
    assert!(near, "{what}: {found} is not {expected}");
}

#[test]
fn one_layer_of_a_log_takes_as_long_as_its_module_says() {
    let Some(data) = common::data("one_layer_of_a_log_takes_as_long_as_its_module_says") else {
        return;
    };
    let mut paths = Vec::new();
    logs(&data.join("darshan"), &mut paths);
    let layers = [
        (Module::Posix, Api::Posix),
        (Module::MpiIo, Api::MpiIo),
        (Module::Stdio, Api::Stdio),
    ];
    let (mut compared, mut spans) = ([0; 3], 0);
    for path in paths {
        let whole = Log::read(File::open(&path).unwrap(), &Limits::default());
        let options = ReadOptions::default();
        let input = Input::bytes(std::fs::read(&path).unwrap());
        let (Ok(log), Ok(mut counted)) = (whole, CountedLog::open(input, &options)) else {
            continue;
        };
        let mut files: Vec<FileCounters> = Vec::new();
        counted.each_file(|file| files.push(file.clone()));
        if !counted.warnings().is_empty() {
            continue;
        }
        for (place, (module, api)) in layers.into_iter().enumerate() {
            let Some(phi) = derived::phi(&log, module) else {
                continue;
            };
            let own: Vec<FileCounters> =
                files.iter().filter(|one| one.api == api).cloned().collect();
            let start_s = counted.job().start_epoch_s.unwrap();
            let span = JobSpan {
                start_s,
                end_s: start_s + phi.phi_j_s,
            };
            let job = JobMetrics::of(&own, span, |_| Place::Monitored);
            let odd = Oddities {
                partial: false,
                ..job.odd
            };
            if odd != Oddities::default() {
                continue;
            }
            let name = format!("{} {module:?}", path.display());
            same(job.unique.meta_s.unwrap(), phi.phi_u_m_s, &name);
            same(job.unique.rw_s, phi.phi_u_rw_s, &name);
            // Streams are never opened; modules count from the start of the job then, or not at all.
            let mut shared = own.iter().filter(|one| one.rank.is_none());
            if shared.all(|one| one.opened.is_some()) {
                let (found, expected) = (job.shared.span_s, phi.phi_s_span_s);
                same(found.unwrap_or(0.0), expected.unwrap_or(0.0), &name);
                same(job.shared.open_to_last_s, phi.phi_s_open_lastio_s, &name);
                spans += usize::from(found.is_some());
            }
            same(job.shared.slowest_s.unwrap(), phi.phi_s_slowest_s, &name);
            same(
                job.longest_read_s.unwrap_or(-1.0),
                phi.phi_f_r_s.unwrap_or(-1.0),
                &name,
            );
            same(
                job.longest_write_s.unwrap_or(-1.0),
                phi.phi_f_w_s.unwrap_or(-1.0),
                &name,
            );
            // Minutes of the calendar.
            let load = Load::new(0.0, derived::PHI_DELTA_S, 1).unwrap();
            let touched_s = load.touched_s(&job.all.windows, 0.0).unwrap_or(0.0);
            same(touched_s, phi.phi_d_s, &name);
            compared[place] += 1;
        }
    }
    println!("{compared:?} layers of logs compared, {spans} with files of all processes");
    assert!(spans > 20, "{spans}");
    assert!(compared.iter().all(|&count| count > 20), "{compared:?}");
}
