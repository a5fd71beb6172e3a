//! Logs of servers and jobs with a known signature in them: a folder of three files.

use super::told;
use super::words::{GenerateArgs, Kind};
use crate::Outcome;
use crate::cli::CommonArgs;
use crate::envelope::{json, write_number};
use crate::human::plural;
use crate::report::write_bytes;
use crate::settings::usage_error;
use crate::talk::Talk;
use anyhow::Context;
use iotempo_sim::server::{Application, Centre, CentreLog, Runs, ServerSamples};
use serde::Serialize;
use std::fs;
use std::io::Write;
use std::path::Path;

/// When the logs begin: 2026-01-01 00:00:00 UTC.
const BEGIN: f64 = 1_767_225_600.0;

/// Both logs, as text.
struct Made {
    servers: Vec<u8>,
    jobs: Vec<u8>,
    truth: String,
    rows: usize,
    runs: usize,
}

/// Makes the logs of a kind; `None` where it is a trace.
pub(super) fn run(words: &GenerateArgs, common: &CommonArgs) -> anyhow::Result<Option<Outcome>> {
    refuse_foreign(words)?;
    let made = match words.kind {
        Kind::IorA => of_runs(words, Application::ior_a()),
        Kind::IorB => of_runs(words, Application::ior_b()),
        Kind::IorC => of_runs(words, Application::ior_c()),
        Kind::S3d => of_runs(words, Application::s3d()),
        Kind::Centre => of_centre(words),
        _ => return Ok(None),
    }?;
    let Some(folder) = &words.out_dir else {
        let message = "these are several files: name a folder for them with --out-dir";
        return Err(usage_error(message).into());
    };
    fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
    let files: [(&str, &[u8]); 3] = [
        ("servers.csv", &made.servers),
        ("jobs.txt", &made.jobs),
        ("truth.json", made.truth.as_bytes()),
    ];
    for (name, bytes) in files {
        write_bytes(&folder.join(name), bytes)?;
    }
    tell(folder, &made, &Talk::new(common, "logs"));
    Ok(Some(Outcome::AllRead))
}

/// Refuses parameters of other kinds: they would change nothing, in silence.
fn refuse_foreign(words: &GenerateArgs) -> Result<(), clap::Error> {
    let given = &words.servers;
    let kind = words.kind;
    let is_runs = matches!(kind, Kind::IorA | Kind::IorB | Kind::IorC | Kind::S3d);
    let is_centre = kind == Kind::Centre;
    let options = [
        ("--runs", given.runs.is_some(), is_runs),
        ("--load", given.load.is_some(), is_runs),
        ("--drift", given.drift.is_some(), is_runs),
        ("--jobs", given.jobs.is_some(), is_centre),
        ("--applications", given.applications.is_some(), is_centre),
        ("--days", given.days.is_some(), is_centre),
    ];
    match options.iter().find(|(_, given, fits)| *given && !fits) {
        None => Ok(()),
        Some((option, ..)) => {
            let message = format!("{option} is no parameter of {}", kind.name());
            Err(usage_error(message))
        }
    }
}

fn tell(folder: &Path, made: &Made, talk: &Talk) {
    talk.warn(format!(
        "{}: servers.csv ({}), jobs.txt ({}), truth.json",
        folder.display(),
        plural(made.rows as u64, "row"),
        plural(made.runs as u64, "job")
    ));
}

/// Runs of one application, one after the other, with pauses in which others go on.
fn of_runs(words: &GenerateArgs, application: Application) -> anyhow::Result<Made> {
    let servers = &words.servers;
    let name = application.name.clone();
    let made = Runs {
        seed: words.seed,
        runs: servers.runs.unwrap_or(10),
        load: servers.load.unwrap_or(1.0),
        drift: servers.drift.unwrap_or(0.004),
        ..Runs::new(application)
    };
    let samples = made.generate().map_err(told)?;
    let mut logs = Writer::new();
    let step = ServerSamples::STEP_S;
    for (index, run) in samples.runs.iter().enumerate() {
        let start = logs.now;
        run.rates.iter().for_each(|rate| logs.rate(*rate, step));
        logs.job(index + 1, "ann", &name, 64, (start, logs.now));
        run.after.iter().for_each(|rate| logs.rate(*rate, step));
    }
    let truth = Truth {
        application: &name,
        interval_s: samples.truth.interval_s,
        bursts: samples
            .truth
            .bursts
            .iter()
            .map(|burst| [burst.start_s, burst.end_s, burst.bytes])
            .collect(),
        bytes_per_s: &samples.truth.rates,
    };
    Ok(logs.finish(json(&truth)?, samples.runs.len()))
}

/// What an application does where nobody is in its way, a rate for each second.
#[derive(Serialize)]
struct Truth<'a> {
    application: &'a str,
    interval_s: f64,
    /// Start and end in seconds, and bytes.
    bursts: Vec<[f64; 3]>,
    bytes_per_s: &'a [f64],
}

/// Months of a computing centre.
fn of_centre(words: &GenerateArgs) -> anyhow::Result<Made> {
    let plain = Centre::default();
    let servers = &words.servers;
    let centre = Centre {
        jobs: servers.jobs.unwrap_or(plain.jobs),
        applications: servers.applications.unwrap_or(plain.applications),
        days: servers.days.unwrap_or(plain.days),
        seed: words.seed,
    };
    let made = centre.generate().map_err(told)?;
    let mut logs = Writer::new();
    made.rates
        .iter()
        .for_each(|rate| logs.rate(*rate, CentreLog::STEP_S));
    for job in &made.jobs {
        let (user, name) = (format!("u{}", job.user), format!("app{}x", job.application));
        let times = (BEGIN + job.start_s, BEGIN + job.end_s);
        logs.job(job.id, &user, &name, job.nodes, times);
    }
    let bursts = |application: &Application| application.bursts.len();
    let truth: Vec<usize> = made.applications.iter().map(bursts).collect();
    let truth = format!("{{\"bursts_by_application\":{}}}\n", json(&truth)?);
    Ok(logs.finish(truth, made.jobs.len()))
}

/// Writes both logs.
struct Writer {
    servers: Vec<u8>,
    jobs: Vec<u8>,
    now: f64,
    rows: usize,
}

impl Writer {
    fn new() -> Self {
        Self {
            servers: b"time,write_bytes_per_s\n".to_vec(),
            jobs: b"JobID|User|JobName|NNodes|State|Start|End\n".to_vec(),
            now: BEGIN,
            rows: 0,
        }
    }

    fn rate(&mut self, rate: f64, step: f64) {
        // Writing into memory does not fail.
        let _ = write_number(&mut self.servers, self.now);
        let _ = writeln!(self.servers, ",{rate:.0}");
        self.now += step;
        self.rows += 1;
    }

    fn job(&mut self, id: usize, user: &str, name: &str, nodes: u32, (start, end): (f64, f64)) {
        let _ = writeln!(
            self.jobs,
            "{id}|{user}|{name}|{nodes}|COMPLETED|{start:.0}|{end:.0}"
        );
    }

    fn finish(self, truth: String, runs: usize) -> Made {
        Made {
            servers: self.servers,
            jobs: self.jobs,
            truth,
            rows: self.rows,
            runs,
        }
    }
}
