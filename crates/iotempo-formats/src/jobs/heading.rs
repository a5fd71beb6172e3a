//! Recognises tables of jobs by their heading, or by their first row.

use super::draft::Dialect;
use super::role::{Role, roles_of};
use super::{JobFormat, JobOptions};
use crate::error::{Error, Place};
use crate::table::rows::{Delimiter, Row};
use iotempo_model::JobState;

/// How a table of jobs is written.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Heading {
    pub(super) format: JobFormat,
    pub(super) dialect: Dialect,
    pub(super) delimiter: Vec<u8>,
    /// Whether a field may stand in quotes.
    pub(super) quotes: bool,
    /// How many columns there are, without the empty one behind a last delimiter.
    pub(super) width: usize,
    /// Whether a delimiter stands behind the last column.
    pub(super) trailing: bool,
    /// Whether the first row is no job.
    pub(super) has_names: bool,
    pub(super) roles: Vec<(usize, Role)>,
    /// Columns whose text may hold the delimiter, most likely first.
    pub(super) free: Vec<usize>,
}

/// What `sacct --format` knows that is of no use here, but tells that this is its heading.
const OTHER_FIELDS: [&str; 12] = [
    "AllocTRES",
    "CPUTime",
    "CPUTimeRAW",
    "Cluster",
    "Comment",
    "ConsumedEnergy",
    "Eligible",
    "MaxRSS",
    "QOS",
    "ReqMem",
    "ReqTRES",
    "WorkDir",
];

/// Columns of `sacct` that hold what users write.
const FREE_TEXT: [&str; 5] = [
    "JobName",
    "Comment",
    "SubmitLine",
    "WorkDir",
    "AdminComment",
];

/// The columns that `sacct` prints where nobody names any.
const DEFAULT: [Role; 7] = [
    Role::Id,
    Role::Name,
    Role::Partition,
    Role::Account,
    Role::Processes,
    Role::State,
    Role::ExitCode,
];

impl Heading {
    pub(super) fn has_times(&self) -> bool {
        has(&self.roles, Role::is_time)
    }

    pub(super) fn leave_out(&mut self, role: Role) {
        self.roles.retain(|(_, known)| *known != role);
    }

    /// Whether a job has a time or a state.
    pub(super) fn says_something(&self) -> bool {
        self.has_times() || has(&self.roles, |role| role == Role::State)
    }

    /// Whether a line may be a row of such a table, or of one with a column more or less.
    pub(super) fn may_have(&self, line: &[u8]) -> bool {
        let line = String::from_utf8_lossy(line);
        let fields = split(&line, &self.delimiter, self.quotes);
        // What stands between the bars of a command has spaces.
        let is_value = |field: &String| {
            field.starts_with(|c: char| c.is_ascii_digit()) && !field.contains(' ')
        };
        fields.len() > 1 && fields.len().abs_diff(self.width) <= 1 && fields.iter().any(is_value)
    }

    /// The heading that a row further down is: logs of other columns may be put together.
    pub(super) fn named_anew(&self, fields: &[&[u8]], options: &JobOptions) -> Option<Self> {
        // Names begin with letters, and some value of every job with a digit: most rows need no second look.
        let is_value = |field: &&[u8]| {
            let text = field.trim_ascii_start();
            text.first().is_some_and(u8::is_ascii_digit)
        };
        if fields.iter().any(is_value) {
            return None;
        }
        let line = fields.join(self.delimiter.as_slice());
        let line = std::str::from_utf8(&line).ok()?;
        named(line, self.delimiter.clone(), options).ok().flatten()
    }
}

/// The table that begins with `head`; `None` where it is none of jobs.
pub(super) fn sniff(head: &[u8], options: &JobOptions) -> Option<Result<Heading, Error>> {
    let line = first_line(head)?;
    match numbered(line, options) {
        Ok(Some(heading)) => return Some(Ok(heading)),
        Ok(None) => {}
        Err(error) => return Some(Err(error)),
    }
    let mut best: Option<Heading> = None;
    let mut failure = None;
    for delimiter in delimiters(line, options) {
        match named(line, delimiter, options) {
            Ok(Some(heading)) if better(&heading, best.as_ref()) => best = Some(heading),
            Ok(_) => {}
            Err(error) => failure = Some(error),
        }
    }
    if let Some(heading) = best {
        return Some(Ok(heading));
    }
    if let Some(error) = failure {
        return Some(Err(error));
    }
    delimiters(line, options).find_map(|delimiter| nameless(line, delimiter).map(Ok))
}

/// What Slurm wrote is known by names that are its own to the letter; of other tables, the one with
/// more columns that are known.
fn better(heading: &Heading, than: Option<&Heading>) -> bool {
    let rank = |heading: &Heading| (heading.format == JobFormat::Sacct, heading.roles.len());
    than.is_none_or(|than| rank(heading) > rank(than))
}

/// The first line that is no comment, where it is text.
fn first_line(head: &[u8]) -> Option<&str> {
    let line = super::text::lines(head).find(|line| !line.starts_with(b"#"))?;
    let line = std::str::from_utf8(line).ok()?;
    let plain = !line.chars().any(|c| c.is_control() && c != '\t');
    plain.then_some(line)
}

/// The delimiter that the user names; else the common ones, and what stands behind the first word.
fn delimiters(line: &str, options: &JobOptions) -> impl Iterator<Item = Vec<u8>> {
    let named = options.delimiter.clone().filter(|text| !text.is_empty());
    let behind = line
        .trim_start_matches(|c: char| c.is_ascii_alphanumeric())
        .split(|c: char| c.is_ascii_alphanumeric())
        .next()
        .filter(|text| !text.is_empty() && !text.contains('"'))
        .map(str::to_owned);
    let common = ["|", ",", ";", "\t"].map(|text| Some(text.to_owned()));
    let guesses = common
        .into_iter()
        .chain([behind, Some(":".to_owned())])
        .flatten();
    let all: Vec<Vec<u8>> = match named {
        Some(delimiter) => vec![delimiter.into_bytes()],
        None => guesses.map(String::into_bytes).collect(),
    };
    all.into_iter()
}

/// The fields of a line.
pub(super) fn split(line: &str, delimiter: &[u8], quotes: bool) -> Vec<String> {
    match (delimiter, quotes) {
        ([byte], true) => {
            let mut row = Row::default();
            row.split(line.as_bytes(), Delimiter::Byte(*byte));
            (0..row.len())
                .map(|i| String::from_utf8_lossy(row.get(i)).into_owned())
                .collect()
        }
        _ => match std::str::from_utf8(delimiter) {
            Ok(delimiter) => line.split(delimiter).map(str::to_owned).collect(),
            Err(_) => vec![line.to_owned()],
        },
    }
}

/// A table whose first row names its columns.
fn named(line: &str, delimiter: Vec<u8>, options: &JobOptions) -> Result<Option<Heading>, Error> {
    // Slurm quotes nothing, and writes names without spaces or underscores.
    let plain = split(line, &delimiter, false);
    let author = Author::of(&plain);
    // Names with a stray quote are common in tables of `squeue -o '%i|%j'`, and bars are chosen to need none.
    let quotes = delimiter == b","
        || (author == Author::Other && (delimiter != b"|" || line.starts_with('"')));
    let mut names = match quotes {
        true => split(line, &delimiter, true),
        false => plain,
    };
    let trailing = names.len() > 1 && names.last().is_some_and(String::is_empty);
    if trailing {
        names.pop();
    }
    let mut roles = roles_of(&names);
    for (ours, theirs) in &options.columns {
        let role = role_named(ours)?;
        let found = names
            .iter()
            .position(|name| name.trim().eq_ignore_ascii_case(theirs));
        let Some(column) = found else {
            if names.len() == 1 {
                return Ok(None);
            }
            let what = format!("no column for `{ours}`: the heading has no column");
            return Err(Error::invalid("", Place::Line(1), what, theirs));
        };
        roles.retain(|(known, other)| *known != column && *other != role);
        roles.push((column, role));
    }
    let is_log = match author {
        Author::Slurm => true,
        Author::Other if options.columns.is_empty() => tells_jobs(&roles),
        Author::Other => has(&roles, |role| matches!(role, Role::Id | Role::RawId)),
    };
    let free_names = FREE_TEXT.iter().flat_map(|free| {
        let place = names
            .iter()
            .position(|name| name.eq_ignore_ascii_case(free));
        place.into_iter()
    });
    Ok(is_log.then(|| Heading {
        format: author.format(),
        dialect: match author {
            Author::Other if is_database(&names) => Dialect::Database,
            _ => author.dialect(),
        },
        delimiter,
        quotes,
        width: names.len(),
        trailing,
        has_names: true,
        roles,
        free: free_names.collect(),
    }))
}

/// Who wrote a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Author {
    Slurm,
    Other,
}

impl Author {
    /// By the names of its columns.
    fn of(names: &[String]) -> Self {
        match is_slurm(names) {
            true => Self::Slurm,
            false => Self::Other,
        }
    }

    const fn format(self) -> JobFormat {
        match self {
            Self::Slurm => JobFormat::Sacct,
            Self::Other => JobFormat::Table,
        }
    }

    const fn dialect(self) -> Dialect {
        match self {
            Self::Slurm => Dialect::Slurm,
            Self::Other => Dialect::Table,
        }
    }
}

/// Whether these are columns of the table of jobs in Slurm's database.
fn is_database(names: &[String]) -> bool {
    let has = |wanted: &str| names.iter().any(|name| name.eq_ignore_ascii_case(wanted));
    has("id_job") && has("time_start")
}

fn role_named(ours: &str) -> Result<Role, Error> {
    Role::from_name(ours).ok_or_else(|| {
        let names: Vec<_> = Role::ALL.iter().map(|role| role.name()).collect();
        let what = format!("unknown column: jobs have {}, not", names.join(", "));
        Error::invalid("", Place::Whole, what, ours)
    })
}

/// Whether Slurm wrote these names: `JobID` or `JobIDRaw`, and another field of its own.
pub(super) fn is_slurm(names: &[String]) -> bool {
    let is_id = |name: &String| name == "JobID" || name == "JobIDRaw";
    let known = |name: &String| {
        OTHER_FIELDS.contains(&name.as_str())
            || (name.starts_with(|c: char| c.is_ascii_uppercase())
                && Role::of_heading(name).is_some())
    };
    names.iter().any(is_id) && names.iter().filter(|name| known(name)).count() >= 2
}

/// Whether columns are those of jobs: an id, a time, and who, where or how.
fn tells_jobs(roles: &[(usize, Role)]) -> bool {
    let is_more = |role| {
        matches!(
            role,
            Role::User
                | Role::State
                | Role::Account
                | Role::Partition
                | Role::Nodes
                | Role::Processes
                | Role::NodeList
                | Role::Name
        )
    };
    has(roles, |role| matches!(role, Role::Id | Role::RawId))
        && has(roles, Role::is_time)
        && has(roles, is_more)
}

fn has(roles: &[(usize, Role)], test: impl Fn(Role) -> bool) -> bool {
    roles.iter().any(|(_, role)| test(*role))
}

/// A table without names, of which the user has said by number what its columns are.
fn numbered(line: &str, options: &JobOptions) -> Result<Option<Heading>, Error> {
    let mut roles = Vec::new();
    for (ours, theirs) in &options.columns {
        let Ok(column @ 1..) = theirs.parse::<usize>() else {
            return Ok(None);
        };
        roles.push((column - 1, role_named(ours)?));
    }
    let Some(last) = roles.iter().map(|(column, _)| *column).max() else {
        return Ok(None);
    };
    if !has(&roles, |role| matches!(role, Role::Id | Role::RawId)) {
        let what = "a table of jobs needs a column for `id`, and was given";
        let given: Vec<_> = options
            .columns
            .iter()
            .map(|(ours, _)| ours.as_str())
            .collect();
        return Err(Error::invalid("", Place::Whole, what, given.join(", ")));
    }
    let fields = |delimiter: &Vec<u8>| split(line, delimiter, delimiter != b"|").len();
    // A colon is last: it is in every time.
    let fitting = delimiters(line, options).find(|delimiter| fields(delimiter) > last);
    let any = || delimiters(line, options).find(|delimiter| fields(delimiter) > 1);
    let Some(delimiter) = fitting.or_else(any) else {
        return Ok(None);
    };
    let mut width = fields(&delimiter);
    let trailing = width > last + 1 && line.as_bytes().ends_with(&delimiter);
    width -= usize::from(trailing);
    if last >= width {
        let what = format!("the table has {width} columns, and not number");
        return Err(Error::invalid("", Place::Line(1), what, last + 1));
    }
    // Only `sacct -P` is known to write bars.
    let author = match delimiter.as_slice() {
        b"|" => Author::Slurm,
        _ => Author::Other,
    };
    let free = roles.iter().filter(|(_, role)| *role == Role::Name);
    Ok(Some(Heading {
        format: author.format(),
        dialect: author.dialect(),
        quotes: author == Author::Other,
        width,
        trailing,
        has_names: false,
        free: free.map(|(column, _)| *column).collect(),
        roles,
        delimiter,
    }))
}

/// What `sacct --noheader` prints where nobody names columns: an id, then five others, then a state
/// and an exit code.
fn nameless(line: &str, delimiter: Vec<u8>) -> Option<Heading> {
    let mut fields = split(line, &delimiter, false);
    let trailing = fields.last().is_some_and(String::is_empty);
    if trailing {
        fields.pop();
    }
    let from_end = |back: usize| fields.len().checked_sub(back).map(|at| fields[at].as_str());
    let (id, state, exit) = (fields.first()?, from_end(2)?, from_end(1)?);
    let is_exit = exit
        .split_once(':')
        .is_some_and(|(a, b)| a.parse::<i64>().is_ok() && b.parse::<u32>().is_ok());
    let known = !matches!(JobState::parse(state), JobState::Unknown(_));
    let is_default = fields.len() >= DEFAULT.len()
        && id.starts_with(|c: char| c.is_ascii_digit())
        && known
        && is_exit;
    is_default.then(|| Heading {
        format: JobFormat::Sacct,
        dialect: Dialect::Slurm,
        delimiter,
        quotes: false,
        width: DEFAULT.len(),
        trailing,
        has_names: false,
        roles: DEFAULT.into_iter().enumerate().collect(),
        free: vec![1],
    })
}
