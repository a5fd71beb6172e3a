//! Jobs of logs, beside logs of servers.

use super::args::{CorrelateArgs, MetricArgs};
use super::clocks::Listening;
use super::group::{Common, Jobs, LeftOut, Named, Origins, Subject, Traced};
use crate::cli::{CommonArgs, InputArgs};
use crate::failure::{Failure, Unread};
use crate::human::plural;
use crate::inputs::{Inputs, Log, Opener};
use crate::pool::{self, Done};
use crate::servers::{Counting, LogSource, digested, opened};
use crate::talk::Talk;
use iotempo_analysis::correlate::groups::{GroupSettings, Likeness, RepeatedJob, groups};
use iotempo_analysis::correlate::study::Points;
use iotempo_analysis::correlate::{
    JobMetrics, JobSpan, Load, Measure, Place, Series, ServerClocks, TimeMetric, Traffic,
};
use iotempo_formats::darshan::CountedLog;
use iotempo_formats::{ReadOptions, server};
use iotempo_model::{Binned, FileCounters, Op, Seconds};
use std::collections::HashSet;
use std::sync::Arc;

const DAY_S: f64 = 86_400.0;

/// What a log says of its job.
struct ReadJob {
    named: Named,
    repeated: RepeatedJob,
    /// Why its counters are not all.
    odd: Option<&'static str>,
    /// `None` where nobody knows when it ran.
    metrics: Option<JobMetrics>,
    /// In which of the folders of --mount it has files.
    mounts: Vec<bool>,
}

/// Reads all logs.
///
/// # Errors
/// Where no job, or no log of a server, could be read.
pub(super) fn read(
    words: &CorrelateArgs,
    common: &CommonArgs,
    talk: &Talk,
) -> anyhow::Result<Jobs> {
    let mut jobs = Jobs::default();
    let read = read_jobs(words, common, talk, &mut jobs)?;
    anyhow::ensure!(!read.is_empty(), "no log of a job could be read");
    let spans = read
        .iter()
        .filter_map(|job| Some(job.metrics.as_ref()?.span));
    let (from, to) = spans.fold((f64::INFINITY, f64::NEG_INFINITY), |(from, to), span| {
        (from.min(span.start_s), to.max(span.end_s))
    });
    let load = Arc::new(read_servers(words, talk, &mut jobs, (from, to))?);
    group(words, read, &load, &mut jobs);
    Ok(jobs)
}

fn read_jobs(
    words: &CorrelateArgs,
    common: &CommonArgs,
    talk: &Talk,
    jobs: &mut Jobs,
) -> anyhow::Result<Vec<ReadJob>> {
    let mut inputs = Inputs::new(InputArgs {
        inputs: words.darshan.clone(),
        from: None,
    })?;
    if let Some(page) = &words.output {
        inputs.leave_out(page);
    }
    let opener = Opener {
        options: ReadOptions::default(),
        // Also to know a log that is named twice.
        hash: true,
    };
    let mut read = Vec::new();
    let work = |log| job_of(log, &words.metrics);
    let threads = pool::threads(common.threads);
    pool::in_order(inputs, &opener, threads, work, |done| {
        match done {
            Done::Read(Ok(job)) => {
                talk.done(1);
                read.push(job);
            }
            Done::Read(Err(Unread::Failed(failure))) | Done::Failed(failure) => {
                talk.error(&failure);
                jobs.failures.push(failure);
            }
            Done::Read(Err(Unread::NoLog(why))) | Done::NoLog(why) => talk.detail(&why),
        }
        anyhow::Ok(())
    })?;
    let mut known = HashSet::new();
    let all = read.len();
    read.retain(|job: &ReadJob| {
        let digest = job.named.sha256.as_ref();
        digest.is_none_or(|digest| known.insert(digest.clone()))
    });
    let twice = (all - read.len()) as u64;
    if twice > 0 {
        let message = format!(
            "{} left out: the same logs were read before",
            plural(twice, "log")
        );
        jobs.warnings.push(message);
    }
    jobs.read = read.len() as u64;
    for job in read.iter().filter(|job: &&ReadJob| job.odd.is_some()) {
        let odd = job.odd.unwrap_or_default();
        jobs.warnings
            .push(format!("{}: the log is {odd}", job.named.input));
    }
    check_mounts(&words.metrics, &read, jobs)?;
    Ok(read)
}

/// Says which folders of --mount hold no file of any job.
///
/// # Errors
/// Where none of them does, and files elsewhere do not count.
fn check_mounts(metrics: &MetricArgs, read: &[ReadJob], jobs: &mut Jobs) -> anyhow::Result<()> {
    let is_empty = |place: usize| !read.iter().any(|job| job.mounts.get(place) == Some(&true));
    let mounts = metrics.mount.iter().enumerate();
    let empty = mounts.filter(|(place, _)| is_empty(*place));
    let empty: Vec<&str> = empty.map(|(_, mount)| mount.as_str()).collect();
    let all = empty.len() == metrics.mount.len();
    anyhow::ensure!(
        !(all && metrics.is_mounted_alone() && !read.is_empty()),
        "--mount {}: no file of any log lies there ({} read)",
        empty.join(","),
        plural(read.len() as u64, "log")
    );
    let message = |mount| format!("--mount {mount}: no file of any job lies there");
    jobs.warnings.extend(empty.into_iter().map(message));
    Ok(())
}

fn job_of(log: Log, metrics: &MetricArgs) -> Result<ReadJob, Unread> {
    let Log {
        name,
        input,
        sha256,
        guessed,
        ..
    } = log;
    let mut counted = CountedLog::open(input, &ReadOptions::default())
        .map_err(|error| Unread::of(&name, guessed, &error))?;
    let mut files: Vec<FileCounters> = Vec::new();
    counted.each_file(|file| files.push(file.clone()));
    let odd = match counted.is_damaged() {
        true => Some("damaged: what it lacks is missing from its times and bytes"),
        false if files.iter().any(|file| file.partial) => {
            Some("partial: its profiler ran out of memory, and counted fewer files than there were")
        }
        false => None,
    };
    let job = counted.job();
    let span = job.start_epoch_s.zip(job.run_time_s);
    let span = span.map(|(start_s, run_s)| JobSpan {
        start_s,
        end_s: start_s + run_s,
    });
    let mounts = metrics.mount.iter().map(|mount| {
        let mut names = files.iter().map(|file| counted.file_name(file.file));
        names.any(|name| is_below(&name, mount))
    });
    let mounts = mounts.collect();
    let place = |file: u64| match place(&counted.file_name(file), &metrics.mount) {
        Place::Elsewhere if metrics.is_mounted_alone() => Place::Nowhere,
        place => place,
    };
    // Bytes do not depend on when a job ran.
    let nowhen = JobSpan {
        start_s: 0.0,
        end_s: 0.0,
    };
    let metrics = JobMetrics::of(&files, span.unwrap_or(nowhen), place);
    let repeated = RepeatedJob {
        user: job.uid.map(|uid| uid.to_string()),
        command: job.exe.clone(),
        processes: job.ranks,
        read_bytes: metrics.all.read_bytes,
        written_bytes: metrics.all.written_bytes,
    };
    let sha256 = sha256
        .finish()
        .map_err(|error| Unread::Failed(Failure::new(name.clone(), error)))?;
    Ok(ReadJob {
        named: Named {
            input: name,
            sha256,
        },
        repeated,
        odd,
        metrics: span.map(|_| metrics),
        mounts,
    })
}

/// Where a file lies; without any --mount every file is on a file system that is watched.
fn place(name: &str, mounts: &[String]) -> Place {
    if name.starts_with('<') {
        return Place::Nowhere;
    }
    match mounts.is_empty() || mounts.iter().any(|mount| is_below(name, mount)) {
        true => Place::Monitored,
        false => Place::Elsewhere,
    }
}

fn is_below(name: &str, mount: &str) -> bool {
    let rest = name.strip_prefix(mount.trim_end_matches('/'));
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// A log may go on for this long before and behind all jobs, and is used: other days are what jobs are
/// held against.
const AROUND_S: f64 = 400.0 * DAY_S;

/// What the servers' logs are read for, and what a load of it counts.
fn quantity(traffic: Traffic) -> (server::Quantity, fn(Op) -> Series) {
    match traffic.is_bytes() {
        true => (server::Quantity::Bytes, Series::bytes),
        false => (server::Quantity::Operations, Series::operations),
    }
}

fn read_servers(
    words: &CorrelateArgs,
    talk: &Talk,
    jobs: &mut Jobs,
    (from, to): (f64, f64),
) -> anyhow::Result<Load> {
    let zone = words.clocks.zone.clone().unwrap_or_default();
    let (quantity, counted) = quantity(words.metrics.load().traffic);
    let options = server::Options {
        quantity,
        ..words.clocks.log_options(&zone)
    };
    let mut throughput = Binned::at_least(words.metrics.step.map_or(0.0, Seconds::get));
    let mut clocks = ServerClocks::default();
    for opened in opened(&words.log)? {
        let read = opened.map(digested).and_then(|(input, log, sha256)| {
            throughput.begin_log(&input);
            let sink = Counting::new(&mut throughput, talk);
            let mut sink = Listening::new(sink, &mut clocks, &input);
            let reading = server::read(log, &options, &mut sink);
            let reading =
                reading.map_err(|error| Failure::of_table(&input, &error, "--log-columns"))?;
            Ok(LogSource {
                input,
                sha256,
                ..LogSource::of_server(reading, options.start)
            })
        });
        match read {
            Ok(source) => {
                let told = source.warnings.iter();
                let told = told.map(|warning| format!("{}: {}", source.input, warning.message));
                jobs.warnings.extend(told);
                jobs.servers.push(source);
            }
            Err(failure) => {
                talk.error(&failure);
                jobs.failures.push(failure);
            }
        }
    }
    anyhow::ensure!(!jobs.servers.is_empty(), "no log of a server could be read");
    throughput.finish();
    let warnings = throughput.warnings();
    jobs.warnings
        .extend(warnings.into_iter().map(|one| one.message));
    let doubts = clocks.doubts();
    let doubts = doubts.iter().map(|doubt| doubt.words(date));
    jobs.warnings.extend(doubts);
    let ahead = words.clocks.clocks_ahead.get();
    let within = (from + ahead - AROUND_S, to + ahead + AROUND_S);
    let within = Some(within).filter(|(from, to)| from.is_finite() && to.is_finite());
    let load = Load::of_throughput(&throughput, counted, within).map_err(|error| {
        let undated = |log: &LogSource| log.lacks_dates(from);
        if let Some(undated) = jobs.servers.iter().find_map(undated) {
            return anyhow::anyhow!(undated);
        }
        let logs = throughput.span().map_or_else(String::new, |(first, end)| {
            let (first, end) = (throughput.time_of(first), throughput.time_of(end));
            format!(", the servers' logs are from {} to {}", date(first), date(end))
        });
        anyhow::anyhow!(
            "the servers' logs say nothing of the time of the jobs ({error}): jobs ran from {} to {}{logs} \
             (--log-start, --log-zone)",
            date(from),
            date(to)
        )
    })?;
    Ok(load.set_back(ahead))
}

/// A time as people write it, in UTC.
fn date(at: f64) -> String {
    iotempo_report::clock::utc(at).unwrap_or_else(|| format!("{at} s"))
}

fn group(words: &CorrelateArgs, read: Vec<ReadJob>, load: &Arc<Load>, jobs: &mut Jobs) {
    let settings = GroupSettings {
        fewest: words.sure.min_jobs,
        ..GroupSettings::default()
    };
    let repeated: Vec<RepeatedJob> = read.iter().map(|job| job.repeated.clone()).collect();
    let grouping = groups(&repeated, &settings);
    jobs.too_few = grouping.too_few.len() as u64;
    jobs.too_few_jobs = grouping
        .too_few
        .iter()
        .map(|few| few.jobs.len() as u64)
        .sum();
    let metric = words.metrics.load();
    if metric.measure == Measure::Others && !metric.traffic.is_bytes() {
        let message = "nobody knows which of the operations that servers count are a job's own: nothing is taken off, \
                       and the load is that of all (as with --measure rate, over whole intervals)";
        jobs.warnings.push(message.to_owned());
    }
    for group in &grouping.groups {
        let time = words.metrics.time.map_or_else(
            || match group.read.mean_bytes > group.written.mean_bytes {
                true => TimeMetric::Read,
                false => TimeMetric::Write,
            },
            super::args::TimeChoice::metric,
        );
        let mut left_out = LeftOut::default();
        let mut met: Vec<Met> = Vec::new();
        for &at in &group.jobs {
            let Some(job) = &read[at].metrics else {
                left_out.add_with("the log does not say when the job ran", || {
                    read[at].named.input.clone()
                });
                continue;
            };
            // A job that did nothing of the kind has no time to look at either.
            let values = time.of(job, load).and_then(|time_s| {
                let looked_at = job.during(time.during());
                Ok((metric.of(&looked_at, load, 0.0)?, time_s))
            });
            match values {
                Ok((load, time_s)) => met.push(Met {
                    job: job.clone(),
                    input: &read[at].named.input,
                    load,
                    time_s,
                }),
                Err(why) => left_out.add_with(reason(why.code()), || {
                    format!("{}: {}", read[at].named.input, why.words(date))
                }),
            }
        }
        met.sort_by(|a, b| a.job.span.start_s.total_cmp(&b.job.span.start_s));
        let days = met
            .iter()
            .map(|met| (met.job.span.start_s / DAY_S).floor() as i64);
        jobs.subjects.push(Subject {
            common: common(&group.likeness),
            label: String::new(),
            volumes: Some([group.read, group.written]),
            points: Points {
                day: days.collect(),
                dated: true,
                load: met.iter().map(|met| met.load).collect(),
                time: met.iter().map(|met| met.time_s).collect(),
            },
            origins: Origins::Input(met.iter().map(|met| met.input.to_owned()).collect()),
            traced: Some(Traced {
                jobs: met.into_iter().map(|met| met.job).collect(),
                load: Arc::clone(load),
                time,
                metric,
            }),
            left_out,
        });
    }
    jobs.inputs = read.into_iter().map(|job| job.named).collect();
}

/// A job that is known well enough to take part.
struct Met<'a> {
    job: JobMetrics,
    input: &'a str,
    load: f64,
    time_s: f64,
}

/// Codes of what is not known, for a person.
fn reason(code: &str) -> &'static str {
    match code {
        "not-measured" => "the servers' logs do not count this",
        "no-io" => "no file was read or written at a known time",
        "outside-log" => "it did not run while the servers' logs were written",
        "gap-in-log" => "the servers' logs have a gap there",
        "no-time" => "it did nothing of the kind",
        _ => "its times are none",
    }
}

fn common(likeness: &Likeness) -> Common {
    let named = |name: &str, value: Option<String>| Some((name.to_owned(), value?));
    let parts = [
        named("executable", likeness.executable.clone()),
        named(
            "user",
            likeness.user.as_ref().map(|user| format!("user {user}")),
        ),
        named(
            "processes",
            likeness.processes.map(|count| plural(count, "rank")),
        ),
    ];
    Common(parts.into_iter().flatten().collect())
}
