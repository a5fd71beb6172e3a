//! Tables of jobs: `sacct -P` and any table with a heading.

use super::JobOptions;
use super::draft::{Draft, Problem};
use super::heading::{self, Heading};
use super::intake::Intake;
use super::queue;
use super::role::Role;
use crate::error::{Error, ErrorKind, Place};
use crate::input::Input;
use crate::table::lines::Lines;
use crate::table::rows::{Delimiter, Row, Rows};
use iotempo_model::{JobRecord, JobState, Warning, counted};
use std::collections::HashSet;

/// Reads a table of jobs.
pub(super) fn read(
    input: Input,
    options: &JobOptions,
    intake: &mut Intake<'_>,
) -> Result<(), Error> {
    let Some(heading) = heading::sniff(input.head(), options) else {
        let kind = ErrorKind::UnknownFormat("no heading".to_owned());
        return Err(Error::new("", Place::Line(1), kind));
    };
    let heading = heading?;
    let waits = queue::holds_waits(&heading, input.head(), options);
    let mut columns = Columns::new(heading, options, waits);
    if waits {
        let message = "the column of queues holds how long jobs waited: left out";
        intake.warnings.push(Warning::new("queue-is-wait", message));
    }
    let lines = Lines::new(input.into_reader(), &options.limits);
    let joined = match (columns.heading.quotes, columns.heading.delimiter.as_slice()) {
        (true, [byte]) => {
            let rows = Rows::new(lines, Delimiter::Byte(*byte));
            quoted(rows, &mut columns, intake)?
        }
        _ => unquoted(lines, &mut columns, intake)?,
    };
    if joined > 0 {
        let message = format!(
            "{} with the delimiter inside a name: the parts were joined",
            counted(joined, "job")
        );
        intake
            .warnings
            .push(Warning::new("delimiter-in-name", message));
    }
    if !columns.any_times {
        let message = "the log has no times: neither submit, start nor end";
        intake.warnings.push(Warning::new("no-times", message));
    }
    Ok(())
}

/// What the columns of a table hold, until a row names them anew.
struct Columns<'a> {
    heading: Heading,
    first: Heading,
    options: &'a JobOptions,
    /// The first row, where it names the columns as `first` says; empty before it.
    names: Option<Vec<Vec<u8>>>,
    any_times: bool,
    /// Whether what is called a queue is none.
    waits: bool,
}

impl<'a> Columns<'a> {
    fn new(mut heading: Heading, options: &'a JobOptions, waits: bool) -> Self {
        if waits {
            heading.leave_out(Role::Partition);
        }
        Self {
            waits,
            options,
            names: heading.has_names.then(Vec::new),
            any_times: heading.has_times(),
            first: heading.clone(),
            heading,
        }
    }

    /// Whether a row names the columns: the first does, and others where logs were put together, perhaps of other
    /// columns.
    fn are_named_by(&mut self, fields: &[&[u8]]) -> bool {
        match &mut self.names {
            Some(names) if names.is_empty() => {
                *names = fields.iter().map(|field| field.to_vec()).collect();
                return true;
            }
            Some(names) if names.iter().map(Vec::as_slice).eq(fields.iter().copied()) => {
                self.heading = self.first.clone();
                return true;
            }
            _ => {}
        }
        let anew = self.heading.named_anew(fields, self.options);
        let is_heading = anew.is_some();
        if let Some(mut heading) = anew {
            if self.waits {
                heading.leave_out(Role::Partition);
            }
            self.any_times |= heading.has_times();
            self.heading = heading;
        }
        is_heading
    }
}

/// Rows whose fields may stand in quotes.
fn quoted(
    mut rows: Rows,
    columns: &mut Columns<'_>,
    intake: &mut Intake<'_>,
) -> Result<u64, Error> {
    let mut joined = 0;
    let mut draft = Draft::default();
    while let Some(row) = rows.next()? {
        let number = row.number;
        let fields: Vec<&[u8]> = (0..row.len()).map(|i| row.get(i)).collect();
        if columns.are_named_by(&fields) {
            draft.forget_dates();
            continue;
        }
        if has_nul(row, number, intake)? {
            continue;
        }
        joined += u64::from(take(&fields, number, &columns.heading, &mut draft, intake)?);
    }
    Ok(joined)
}

fn has_nul(row: &Row, number: u64, intake: &mut Intake<'_>) -> Result<bool, Error> {
    let found = (0..row.len()).find(|i| memchr::memchr(0, row.get(*i)).is_some());
    let Some(field) = found else {
        return Ok(false);
    };
    intake.refuse(|| {
        let value = String::from_utf8_lossy(row.get(field));
        Error::invalid(
            "",
            Place::Line(number),
            "a line with NUL bytes in it",
            value,
        )
    })?;
    Ok(true)
}

/// Lines in which nothing is quoted.
fn unquoted(
    mut lines: Lines,
    columns: &mut Columns<'_>,
    intake: &mut Intake<'_>,
) -> Result<u64, Error> {
    let delimiter = columns.heading.delimiter.clone();
    let finder = memchr::memmem::Finder::new(&delimiter);
    let mut joined = 0;
    let mut draft = Draft::default();
    while let Some(line) = lines.next()?.map(<[u8]>::to_vec) {
        let number = lines.number();
        let Some(line) = intake.without_nul(super::text::unmarked(&line), number) else {
            continue;
        };
        if line.trim_ascii().is_empty() || line.starts_with(b"#") {
            continue;
        }
        let mut fields = Vec::with_capacity(columns.heading.width + 1);
        let mut begin = 0;
        for end in finder.find_iter(line) {
            fields.push(&line[begin..end]);
            begin = end + delimiter.len();
        }
        fields.push(&line[begin..]);
        if columns.are_named_by(&fields) {
            draft.forget_dates();
            continue;
        }
        joined += u64::from(take(&fields, number, &columns.heading, &mut draft, intake)?);
    }
    Ok(joined)
}

/// Takes a row; whether fields had to be joined.
fn take(
    fields: &[&[u8]],
    number: u64,
    heading: &Heading,
    draft: &mut Draft,
    intake: &mut Intake<'_>,
) -> Result<bool, Error> {
    let place = Place::Line(number);
    let fields = match fields {
        [rest @ .., []] if heading.trailing => rest,
        _ => fields,
    };
    let surplus = match fields.len().checked_sub(heading.width) {
        Some(0) => {
            fill(draft, fields, heading, None, intake);
            intake.take(draft, heading.dialect, place)?;
            return Ok(false);
        }
        Some(surplus) => surplus,
        None => 0,
    };
    // Lists of nodes hold commas within brackets: nid[00001,00003].
    let mut whole = rejoined(fields, &heading.delimiter);
    if whole.len() > heading.width {
        whole = with_resources(whole, &heading.delimiter);
    }
    let whole: Vec<&[u8]> = whole.iter().map(Vec::as_slice).collect();
    if surplus > 0 && whole.len() == heading.width {
        fill(draft, &whole, heading, None, intake);
        intake.take(draft, heading.dialect, place)?;
        return Ok(false);
    }
    // The delimiter is in a text that a user wrote: that with which the other columns make sense. A bracket there
    // may have held too much together.
    let parts = match whole.len() > heading.width {
        true => &whole,
        false => fields,
    };
    let surplus = parts.len().saturating_sub(heading.width);
    for column in heading.free.iter().filter(|_| surplus > 0) {
        fill(draft, parts, heading, Some((*column, surplus)), intake);
        let mut times = intake.times.clone();
        let made: Result<JobRecord, Problem> = draft.finish(heading.dialect, &mut times);
        // A limit that cannot be read is that of a wrong column.
        let fits = times.unread_limits() == intake.times.unread_limits();
        if made.is_ok_and(|job| fits && (says_something(&job) || !heading.says_something())) {
            intake.take(draft, heading.dialect, place)?;
            return Ok(true);
        }
    }
    let (found, width) = (fields.len(), heading.width);
    intake.refuse(|| {
        let what = format!("a row of {found} fields where there are {width} columns");
        Error::invalid("", place, what, String::from_utf8_lossy(fields[0]))
    })?;
    Ok(false)
}

/// Whether a job that was put together has more than an id: else anything is one, where others have more.
fn says_something(job: &JobRecord) -> bool {
    let times = [job.submit_epoch_s, job.start_epoch_s, job.end_epoch_s];
    times.iter().any(Option::is_some) || !matches!(job.state, JobState::Unknown(_))
}

/// Fields, where those that a bracket holds together are one.
fn rejoined(fields: &[&[u8]], delimiter: &[u8]) -> Vec<Vec<u8>> {
    let depth = |text: &[u8]| {
        text.iter().fold(0_i64, |depth, byte| match byte {
            b'[' => depth + 1,
            b']' => depth - 1,
            _ => depth,
        })
    };
    let mut whole: Vec<Vec<u8>> = Vec::with_capacity(fields.len());
    let mut open = 0;
    for field in fields {
        match whole.last_mut().filter(|_| open > 0) {
            Some(last) => {
                last.extend_from_slice(delimiter);
                last.extend_from_slice(field);
                open += depth(field);
            }
            None => {
                whole.push(field.to_vec());
                open = depth(field);
            }
        }
    }
    whole
}

/// Fields, where resources that follow each other are one: `billing=2,cpu=2,node=1`. A kind that comes again is the
/// first of the next field.
fn with_resources(fields: Vec<Vec<u8>>, delimiter: &[u8]) -> Vec<Vec<u8>> {
    let mut whole: Vec<Vec<u8>> = Vec::with_capacity(fields.len());
    let mut kinds: HashSet<Vec<u8>> = HashSet::new();
    for field in fields {
        let kind = resource(&field).map(<[u8]>::to_vec);
        let goes_on = kind.as_ref().is_some_and(|kind| !kinds.contains(kind)) && !kinds.is_empty();
        if !goes_on {
            // To clear a set that once was large takes long, however little is in it.
            kinds = HashSet::new();
        }
        kinds.extend(kind);
        match whole.last_mut().filter(|_| goes_on) {
            Some(last) => {
                last.extend_from_slice(delimiter);
                last.extend_from_slice(&field);
            }
            None => whole.push(field),
        }
    }
    whole
}

/// The kind of `cpu=2`, `gres/gpu:a100=4`, `mem=100G`.
fn resource(field: &[u8]) -> Option<&[u8]> {
    let mut parts = field.split(|byte| *byte == b'=');
    let (Some(kind), Some(amount), None) = (parts.next(), parts.next(), parts.next()) else {
        return None;
    };
    let is_one = kind.first().is_some_and(u8::is_ascii_lowercase)
        && amount.first().is_some_and(u8::is_ascii_digit);
    is_one.then_some(kind)
}

/// Puts fields where they belong; `joined` is a column that goes on over so many more fields.
fn fill(
    draft: &mut Draft,
    fields: &[&[u8]],
    heading: &Heading,
    joined: Option<(usize, usize)>,
    intake: &mut Intake<'_>,
) {
    draft.clear();
    for (column, role) in &heading.roles {
        match joined {
            Some((free, surplus)) if *column == free => {
                let parts = fields.get(free..=free + surplus).unwrap_or_default();
                let text = parts.join(heading.delimiter.as_slice());
                draft.set(*role, &intake.text(&text));
            }
            Some((free, surplus)) if *column > free => {
                set(draft, *role, fields.get(column + surplus), intake);
            }
            _ => set(draft, *role, fields.get(*column), intake),
        }
    }
}

fn set(draft: &mut Draft, role: Role, field: Option<&&[u8]>, intake: &mut Intake<'_>) {
    draft.set(role, &intake.text(field.copied().unwrap_or_default()));
}
