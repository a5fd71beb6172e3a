//! The Standard Workload Format: comments that begin with `;`, then 18 numbers a line.
//!
//! Feitelson, Tsafrir, Krakov: Experience with using the Parallel Workloads Archive, JPDC 2014,
//! <https://doi.org/10.1016/j.jpdc.2014.06.013>.

use super::JobOptions;
use super::intake::Intake;
use super::text::{lines, unmarked};
use super::values::number;
use crate::error::{Error, Place};
use crate::input::Input;
use crate::table::lines::Lines;
use iotempo_model::{JobRecord, JobState, Warning, counted};

/// As many fields as a line has.
const FIELDS: usize = 18;

/// Whether these bytes begin such a log.
pub(super) fn sniff(head: &[u8]) -> bool {
    let mut known_comment = false;
    for line in lines(head) {
        let text = String::from_utf8_lossy(line);
        match comment(&text) {
            Some((key, _)) => {
                known_comment |=
                    ["UnixStartTime", "MaxJobs", "MaxProcs", "MaxNodes"].contains(&key);
            }
            None if text.trim_start().starts_with(';') => {}
            None => return fields(&text).is_ok(),
        }
    }
    known_comment
}

/// `; Key: value`.
fn comment(line: &str) -> Option<(&str, &str)> {
    let text = line.trim_start().strip_prefix(';')?;
    let (key, value) = text.split_once(':')?;
    Some((key.trim(), value.trim()))
}

/// The numbers of a line; what is wrong where it has others.
fn fields(line: &str) -> Result<[f64; FIELDS], (&'static str, String)> {
    let mut all = [0.0; FIELDS];
    let mut words = line.split_ascii_whitespace();
    for (count, place) in all.iter_mut().enumerate() {
        let Some(word) = words.next() else {
            let what = "a line of fewer than 18 fields, which ends after field";
            return Err((what, count.to_string()));
        };
        *place = number(word).ok_or_else(|| ("not a number", word.to_owned()))?;
    }
    match words.next() {
        Some(word) => Err((
            "a line of more than 18 fields; the next is",
            word.to_owned(),
        )),
        None => Ok(all),
    }
}

/// Reads such a log.
pub(super) fn read(
    input: Input,
    options: &JobOptions,
    intake: &mut Intake<'_>,
) -> Result<(), Error> {
    let mut lines = Lines::new(input.into_reader(), &options.limits);
    let mut begin: Option<f64> = None;
    let mut start_is_submit = 0;
    while let Some(line) = lines.next()?.map(<[u8]>::to_vec) {
        let number_of_line = lines.number();
        let place = Place::Line(number_of_line);
        let Some(line) = intake.without_nul(unmarked(&line), number_of_line) else {
            continue;
        };
        // A header may be in any encoding: names of people and places.
        let text = String::from_utf8_lossy(line);
        if let Some((key, value)) = comment(&text) {
            if key.eq_ignore_ascii_case("UnixStartTime") && begin.is_none() {
                begin = number(value).filter(|time| *time >= 0.0);
            }
            continue;
        }
        if text.trim().is_empty() || text.trim_start().starts_with(';') {
            continue;
        }
        match fields(&text) {
            Ok(fields) => {
                let (job, assumed) = job(&fields, begin.unwrap_or(0.0));
                start_is_submit += u64::from(assumed);
                intake.push(job);
            }
            Err((what, value)) => intake.refuse(|| Error::invalid("", place, what, value))?,
        }
    }
    if begin.is_none() {
        let message = "the log does not say when it begins (UnixStartTime): \
                       its times are seconds since its beginning";
        intake.warnings.push(Warning::new("no-epoch", message));
    }
    if start_is_submit > 0 {
        let message = format!(
            "{} without a waiting time: taken as started when submitted",
            counted(start_is_submit, "job")
        );
        intake.warnings.push(Warning::new("no-wait", message));
    }
    Ok(())
}

/// A job, and whether its start is only that of its submission.
fn job(fields: &[f64; FIELDS], begin: f64) -> (JobRecord, bool) {
    let known = |field: usize| Some(fields[field - 1]).filter(|value| *value >= 0.0);
    let count = |field| {
        known(field)
            .filter(|n| *n >= 1.0 && *n < 1e15)
            .map(|n| n as u64)
    };
    let label = |field| known(field).map(|value| value.to_string());
    let submit = known(2).map(|submit| begin + submit);
    let (wait, run) = (known(3), known(4));
    // Logs that know no waiting times have jobs that ran all the same.
    let assumed = wait.is_none() && run.is_some() && submit.is_some();
    let start = match wait {
        Some(wait) => submit.map(|submit| submit + wait),
        None => submit.filter(|_| run.is_some()),
    };
    let job = JobRecord {
        id: fields[0].to_string(),
        user: label(12),
        group: label(13),
        exe: label(14),
        partition: label(15).or_else(|| label(16)),
        state: state(fields[10]),
        processes: count(5).or_else(|| count(8)),
        submit_epoch_s: submit,
        start_epoch_s: start,
        end_epoch_s: start.zip(run).map(|(start, run)| start + run),
        time_limit_s: known(9),
        ..JobRecord::default()
    };
    (job, assumed)
}

fn state(status: f64) -> JobState {
    match status as i64 {
        0 | 4 => JobState::Failed,
        1 | 3 => JobState::Completed,
        2 => JobState::Partial,
        5 => JobState::Cancelled,
        -1 => JobState::default(),
        _ => JobState::Unknown(status.to_string()),
    }
}
