//! Which jobs are wanted.

use iotempo_model::JobRecord;
use iotempo_model::JobState;
use iotempo_model::pattern::{Pattern, PatternError};
use std::ops::RangeInclusive;

/// Says which jobs to keep. The default keeps every whole job, and no steps.
///
/// ```
/// use iotempo_formats::jobs::{JobFilter, NameTest};
/// use iotempo_model::{JobRecord, JobState};
///
/// let filter = JobFilter {
///     names: vec![NameTest::new("hacc_*")?],
///     states: vec![JobState::Completed],
///     ..JobFilter::default()
/// };
/// let mut job = JobRecord {
///     name: Some("hacc_io".to_owned()),
///     state: JobState::Completed,
///     ..JobRecord::default()
/// };
/// assert!(filter.matches(&job));
/// job.state = JobState::Timeout;
/// assert!(!filter.matches(&job));
/// # Ok::<(), iotempo_model::pattern::PatternError>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct JobFilter {
    /// Only of one of these users; empty is any. So are the other lists.
    pub users: Vec<NameTest>,
    /// Only with one of these names.
    pub names: Vec<NameTest>,
    /// Only charged to one of these accounts.
    pub accounts: Vec<NameTest>,
    /// Only in one of these partitions or queues.
    pub partitions: Vec<NameTest>,
    /// Only in one of these states.
    pub states: Vec<JobState>,
    /// Only with so many nodes. A job that does not tell is none of them.
    pub nodes: Option<RangeInclusive<u64>>,
    /// Only what ran at or after this time, in seconds since 1970-01-01 UTC.
    pub from_epoch_s: Option<f64>,
    /// Only what ran before this time.
    pub to_epoch_s: Option<f64>,
    /// Whether steps are wanted, too.
    pub steps: bool,
}

impl JobFilter {
    /// Whether a job is wanted.
    #[must_use]
    pub fn matches(&self, job: &JobRecord) -> bool {
        (self.steps || !job.is_step())
            && any(&self.users, job.user.as_deref())
            && any(&self.names, job.name.as_deref())
            && any(&self.accounts, job.account.as_deref())
            && any(&self.partitions, job.partition.as_deref())
            && (self.states.is_empty() || self.states.contains(&job.state))
            && self.has_its_nodes(job)
            && self.is_in_time(job)
    }

    fn has_its_nodes(&self, job: &JobRecord) -> bool {
        match (&self.nodes, job.nodes) {
            (Some(range), Some(nodes)) => range.contains(&nodes),
            (Some(_), None) => false,
            (None, _) => true,
        }
    }

    /// Whether some of it lies between the two times; what has not started, does not.
    fn is_in_time(&self, job: &JobRecord) -> bool {
        let after = |from: f64| match (job.start_epoch_s, job.end_epoch_s) {
            (_, Some(end)) => end >= from,
            // It still runs.
            (Some(_), None) => true,
            (None, None) => false,
        };
        let before = |to: f64| job.start_epoch_s.is_some_and(|start| start < to);
        self.from_epoch_s.is_none_or(after) && self.to_epoch_s.is_none_or(before)
    }
}

fn any(tests: &[NameTest], name: Option<&str>) -> bool {
    tests.is_empty() || name.is_some_and(|name| tests.iter().any(|test| test.matches(name)))
}

/// What a name must be.
#[derive(Debug, Clone)]
pub enum NameTest {
    /// Just this; `*` stands for any letters, `?` for one.
    Glob(String),
    /// A pattern that must occur in it.
    Regex(Box<Pattern>),
}

impl NameTest {
    /// `hacc`, `hacc_*`, or `/^hacc_[0-9]+$/`: a regular expression stands between strokes.
    ///
    /// # Errors
    /// Where that is none.
    pub fn new(text: &str) -> Result<Self, PatternError> {
        let regex = text
            .strip_prefix('/')
            .and_then(|text| text.strip_suffix('/'));
        Ok(match regex.filter(|regex| !regex.is_empty()) {
            Some(regex) => Self::Regex(Box::new(Pattern::new(regex)?)),
            None => Self::Glob(text.to_owned()),
        })
    }

    /// Whether a name is meant.
    #[must_use]
    pub fn matches(&self, name: &str) -> bool {
        match self {
            Self::Glob(glob) => globs(glob, name),
            Self::Regex(pattern) => pattern.finds(name.as_bytes()),
        }
    }
}

/// In time linear in the name for every star: only the last star seen can need to take more.
fn globs(glob: &str, name: &str) -> bool {
    let (glob, name): (Vec<char>, Vec<char>) = (glob.chars().collect(), name.chars().collect());
    let (mut g, mut n) = (0, 0);
    let mut star: Option<(usize, usize)> = None;
    while n < name.len() {
        match glob.get(g) {
            Some('*') => {
                star = Some((g, n));
                g += 1;
            }
            Some(c) if *c == '?' || *c == name[n] => {
                g += 1;
                n += 1;
            }
            _ => match &mut star {
                Some((at, taken)) => {
                    *taken += 1;
                    (g, n) = (*at + 1, *taken);
                }
                None => return false,
            },
        }
    }
    glob[g..].iter().all(|c| *c == '*')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn globs_stand_for_whole_names() {
        for (glob, name, expected) in [
            ("hacc", "hacc", true),
            ("hacc", "hacc_io", false),
            ("hacc*", "hacc", true),
            ("*io", "hacc_io", true),
            ("h?cc*i*", "hacc_io_2", true),
            ("*a*b", "aabab", true),
            ("*a*b", "aabac", false),
            ("é?", "éa", true),
            ("", "", true),
            ("", "a", false),
            ("***", "", true),
        ] {
            assert_eq!(globs(glob, name), expected, "{glob} {name}");
        }
        let long = "a".repeat(2000);
        assert!(!globs(&format!("{}b", "a*".repeat(200)), &long));
    }

    #[test]
    fn regular_expressions_stand_between_strokes() {
        let test = NameTest::new("/^arr[0-9]/").expect("a pattern");
        assert!(test.matches("arr7") && !test.matches("array"));
        assert!(NameTest::new("/(/").is_err());
        assert!(NameTest::new("/").expect("a name").matches("/"));
    }

    fn job() -> JobRecord {
        JobRecord {
            id: "1".to_owned(),
            user: Some("ada".to_owned()),
            account: Some("p1".to_owned()),
            partition: Some("gpu".to_owned()),
            nodes: Some(4),
            start_epoch_s: Some(100.0),
            end_epoch_s: Some(200.0),
            ..JobRecord::default()
        }
    }

    #[test]
    fn every_condition_must_hold() {
        let all = JobFilter::default();
        assert!(all.matches(&job()));
        let of = |text| vec![NameTest::new(text).expect("a name")];
        for (filter, expected) in [
            (
                JobFilter {
                    users: of("ad?"),
                    ..all.clone()
                },
                true,
            ),
            (
                JobFilter {
                    users: of("bob"),
                    ..all.clone()
                },
                false,
            ),
            (
                JobFilter {
                    names: of("*"),
                    ..all.clone()
                },
                false,
            ),
            (
                JobFilter {
                    accounts: of("p1"),
                    ..all.clone()
                },
                true,
            ),
            (
                JobFilter {
                    partitions: of("cpu"),
                    ..all.clone()
                },
                false,
            ),
            (
                JobFilter {
                    states: vec![JobState::Completed],
                    ..all.clone()
                },
                false,
            ),
            (
                JobFilter {
                    nodes: Some(2..=4),
                    ..all.clone()
                },
                true,
            ),
            (
                JobFilter {
                    nodes: Some(5..=9),
                    ..all.clone()
                },
                false,
            ),
            (
                JobFilter {
                    from_epoch_s: Some(200.0),
                    ..all.clone()
                },
                true,
            ),
            (
                JobFilter {
                    from_epoch_s: Some(201.0),
                    ..all.clone()
                },
                false,
            ),
            (
                JobFilter {
                    to_epoch_s: Some(100.5),
                    ..all.clone()
                },
                true,
            ),
            (
                JobFilter {
                    to_epoch_s: Some(100.0),
                    ..all.clone()
                },
                false,
            ),
        ] {
            assert_eq!(filter.matches(&job()), expected, "{filter:?}");
        }
    }

    #[test]
    fn steps_and_jobs_without_a_start_are_told_apart() {
        let step = JobRecord {
            step: Some("0".to_owned()),
            ..job()
        };
        assert!(!JobFilter::default().matches(&step));
        assert!(
            JobFilter {
                steps: true,
                ..JobFilter::default()
            }
            .matches(&step)
        );
        let waiting = JobRecord {
            start_epoch_s: None,
            end_epoch_s: None,
            ..job()
        };
        assert!(JobFilter::default().matches(&waiting));
        let timed = JobFilter {
            from_epoch_s: Some(0.0),
            ..JobFilter::default()
        };
        assert!(!timed.matches(&waiting));
        let running = JobRecord {
            end_epoch_s: None,
            ..job()
        };
        assert!(timed.matches(&running));
    }
}
