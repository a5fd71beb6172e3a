//! Jobs that repeat each other: only these may be compared.
//!
//! Jobs of the same user, executable and number of processes are alike where what they read, and then what
//! they wrote, differs by no more than a tolerance **from the least to the most of a whole group**: likeness
//! is not handed on from neighbour to neighbour, so that a group never drifts along a row of jobs that each
//! move a little more than the last. Of all groups that could be cut so, the one with most jobs is cut
//! first (of several, that with the fewest bytes), then that of the rest.

use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt;

/// What is known of a job.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct RepeatedJob {
    /// Who ran it.
    pub user: Option<String>,
    /// Its command line.
    pub command: Option<String>,
    /// How many processes it had.
    pub processes: Option<u64>,
    /// What it read.
    pub read_bytes: u64,
    /// What it wrote.
    pub written_bytes: u64,
}

/// What makes a group.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct GroupSettings {
    /// By how much the most of a group may exceed the least, in bytes read and in bytes written.
    pub tolerance: f64,
    /// Fewer jobs are no group.
    pub fewest: usize,
}

impl Default for GroupSettings {
    fn default() -> Self {
        Self {
            tolerance: 0.01,
            fewest: 10,
        }
    }
}

/// What jobs of a group have in common.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub struct Likeness {
    /// Who ran them.
    pub user: Option<String>,
    /// The file name of the program.
    pub executable: Option<String>,
    /// How many processes they had.
    pub processes: Option<u64>,
}

/// Jobs that repeat each other.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Group {
    /// What they have in common.
    pub likeness: Likeness,
    /// Their places among the jobs that were given, in that order.
    pub jobs: Vec<usize>,
    /// What they read.
    pub read: Volume,
    /// What they wrote.
    pub written: Volume,
}

/// A volume that is nearly the same for all jobs of a group.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Volume {
    /// The mean, in bytes.
    pub mean_bytes: f64,
    /// The coefficient of variation (population); 0 where nothing was moved.
    pub cv: f64,
}

/// Jobs that are in no group.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TooFew {
    /// What they have in common.
    pub likeness: Likeness,
    /// Their places among the jobs that were given.
    pub jobs: Vec<usize>,
    /// How many a group needs.
    pub needed: usize,
}

impl fmt::Display for TooFew {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let jobs = match self.jobs.len() {
            1 => "1 job".to_owned(),
            more => format!("{more} jobs"),
        };
        write!(
            f,
            "{jobs} of {} with like volumes, and a group needs {}",
            self.likeness, self.needed
        )
    }
}

impl fmt::Display for Likeness {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = |word: &Option<String>, what: &str| {
            word.clone().unwrap_or_else(|| format!("an unknown {what}"))
        };
        write!(
            f,
            "{}, {}",
            text(&self.user, "user"),
            text(&self.executable, "program")
        )?;
        match self.processes {
            Some(1) => f.write_str(", 1 process"),
            Some(more) => write!(f, ", {more} processes"),
            None => Ok(()),
        }
    }
}

/// Groups, and what is in none.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct Grouping {
    /// Those with most jobs first.
    pub groups: Vec<Group>,
    /// Jobs that nothing repeats often enough.
    pub too_few: Vec<TooFew>,
}

/// Groups jobs; see the module.
#[must_use]
pub fn groups(jobs: &[RepeatedJob], settings: &GroupSettings) -> Grouping {
    let mut alike: BTreeMap<Likeness, Vec<usize>> = BTreeMap::new();
    for (place, job) in jobs.iter().enumerate() {
        alike.entry(likeness(job)).or_default().push(place);
    }
    let mut grouping = Grouping::default();
    for (likeness, places) in alike {
        let by_reads = cut(&places, |at| jobs[at].read_bytes, settings.tolerance);
        let by_both = by_reads
            .iter()
            .flat_map(|part| cut(part, |at| jobs[at].written_bytes, settings.tolerance));
        for mut part in by_both {
            part.sort_unstable();
            let likeness = likeness.clone();
            if part.len() < settings.fewest {
                grouping.too_few.push(TooFew {
                    likeness,
                    jobs: part,
                    needed: settings.fewest,
                });
                continue;
            }
            let volume = |of: fn(&RepeatedJob) -> u64| {
                Volume::of(part.iter().map(|&at| of(&jobs[at]) as f64))
            };
            grouping.groups.push(Group {
                likeness,
                read: volume(|job| job.read_bytes),
                written: volume(|job| job.written_bytes),
                jobs: part,
            });
        }
    }
    grouping
        .groups
        .sort_by_key(|group| std::cmp::Reverse(group.jobs.len()));
    grouping
}

fn likeness(job: &RepeatedJob) -> Likeness {
    Likeness {
        user: job.user.clone(),
        executable: job.command.as_deref().and_then(executable),
        processes: job.processes,
    }
}

/// The file name of the first word of a command line.
#[must_use]
pub fn executable(command: &str) -> Option<String> {
    let word = command.split_whitespace().next()?;
    let name = word.trim_end_matches('/').rsplit('/').next()?;
    (!name.is_empty()).then(|| name.to_owned())
}

impl Volume {
    fn of(volumes: impl Iterator<Item = f64> + Clone) -> Self {
        let count = volumes.clone().count().max(1) as f64;
        let mean = volumes.clone().sum::<f64>() / count;
        let squares: f64 = volumes.map(|volume| (volume - mean).powi(2)).sum();
        let cv = match mean > 0.0 {
            true => (squares / count).sqrt() / mean,
            false => 0.0,
        };
        Self {
            mean_bytes: mean,
            cv,
        }
    }
}

/// Cuts jobs into parts whose largest amount exceeds the smallest by the tolerance at most.
fn cut(jobs: &[usize], amount: impl Fn(usize) -> u64, tolerance: f64) -> Vec<Vec<usize>> {
    let mut sorted: Vec<(u64, usize)> = jobs.iter().map(|&at| (amount(at), at)).collect();
    sorted.sort_unstable();
    let alike = |least: u64, most: u64| most as f64 <= least as f64 * (1.0 + tolerance);
    let mut parts = Vec::new();
    // Stretches between which no part can reach are cut one by one.
    for stretch in sorted.chunk_by(|one, next| alike(one.0, next.0)) {
        cut_stretch(stretch.to_vec(), alike, &mut parts);
    }
    parts
}

fn cut_stretch(
    mut rest: Vec<(u64, usize)>,
    alike: impl Fn(u64, u64) -> bool,
    parts: &mut Vec<Vec<usize>>,
) {
    while !rest.is_empty() {
        let (mut best, mut end) = (0..0, 0);
        for start in 0..rest.len() {
            while end < rest.len() && alike(rest[start].0, rest[end].0) {
                end += 1;
            }
            // A tolerance below 0 would leave a job unlike itself.
            end = end.max(start + 1);
            if end - start > best.len() {
                best = start..end;
            }
        }
        parts.push(rest.drain(best).map(|(_, at)| at).collect());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn job(user: &str, command: &str, processes: u64, bytes: (u64, u64)) -> RepeatedJob {
        RepeatedJob {
            user: Some(user.to_owned()),
            command: Some(command.to_owned()),
            processes: Some(processes),
            read_bytes: bytes.0,
            written_bytes: bytes.1,
        }
    }

    fn grouped(jobs: &[RepeatedJob], fewest: usize) -> Grouping {
        let settings = GroupSettings {
            fewest,
            ..GroupSettings::default()
        };
        groups(jobs, &settings)
    }

    fn places(grouping: &Grouping) -> Vec<&[usize]> {
        let groups = grouping.groups.iter();
        groups.map(|group| group.jobs.as_slice()).collect()
    }

    #[test]
    fn jobs_of_one_user_program_size_and_volume_are_a_group() {
        let jobs = [
            job("ann", "/opt/s3d in.txt", 64, (1000, 0)),
            job("ann", "./s3d other.txt", 64, (1005, 0)),
            job("ann", "s3d", 64, (1000, 7)),
            job("ann", "s3d", 32, (1000, 0)),
            job("bob", "s3d", 64, (1000, 0)),
            job("ann", "lmp", 64, (1000, 0)),
            job("ann", "s3d", 64, (1011, 0)),
            job("ann", "s3d", 64, (1010, 0)),
        ];
        let grouping = grouped(&jobs, 2);
        assert_eq!(places(&grouping), [&[0, 1, 7][..]]);
        let group = &grouping.groups[0];
        assert_eq!(group.likeness.to_string(), "ann, s3d, 64 processes");
        assert_eq!(group.read.mean_bytes, 1005.0);
        let cv = (50.0_f64 / 3.0).sqrt() / 1005.0;
        assert!((group.read.cv - cv).abs() < 1e-15);
        assert_eq!((group.written.mean_bytes, group.written.cv), (0.0, 0.0));
        let left: usize = grouping.too_few.iter().map(|few| few.jobs.len()).sum();
        assert_eq!(left, 5, "each job is somewhere");
        let few = grouping.too_few.iter().find(|few| few.jobs == [4]);
        let told = "1 job of bob, s3d, 64 processes with like volumes, and a group needs 2";
        assert_eq!(few.expect("bob's").to_string(), told);
    }

    #[test]
    fn a_group_does_not_drift() {
        // Each reads half a percent more than the one before.
        let mut bytes = 1e9;
        let jobs: Vec<_> = (0..40)
            .map(|_| {
                bytes *= 1.005;
                job("ann", "s3d", 1, (bytes as u64, 5))
            })
            .collect();
        let grouping = grouped(&jobs, 1);
        assert!(grouping.groups.len() > 10);
        for group in &grouping.groups {
            let reads = || group.jobs.iter().map(|&at| jobs[at].read_bytes as f64);
            let (least, most) = (
                reads().fold(f64::MAX, f64::min),
                reads().fold(0.0, f64::max),
            );
            assert!(most <= least * 1.01, "{least} {most}");
        }
    }

    #[test]
    fn the_largest_group_is_cut_first() {
        // Cut from below, 990 would take 999 with it.
        let amounts = [990, 999, 1000, 1001, 1002, 1003, 1008];
        let jobs = amounts.map(|bytes| job("ann", "s3d", 1, (bytes, 0)));
        let grouping = grouped(&jobs, 2);
        assert_eq!(places(&grouping), [&[1, 2, 3, 4, 5, 6][..]]);
    }

    #[test]
    fn nothing_and_a_little_are_not_alike() {
        let jobs = [0, 0, 1, 1].map(|bytes| job("ann", "s3d", 1, (bytes, 0)));
        assert_eq!(places(&grouped(&jobs, 2)), [&[0, 1][..], &[2, 3][..]]);
        assert_eq!(grouped(&[], 2), Grouping::default());
        let odd = GroupSettings {
            tolerance: f64::NAN,
            fewest: 1,
        };
        assert_eq!(groups(&jobs, &odd).groups.len(), 4, "each is like itself");
    }

    #[test]
    fn the_executable_is_the_name_of_the_first_word() {
        for (command, name) in [
            ("/a/b/c -x /d/e", Some("c")),
            ("  ./run.sh", Some("run.sh")),
            ("dir/", Some("dir")),
            ("", None),
            ("/", None),
        ] {
            assert_eq!(executable(command).as_deref(), name, "{command:?}");
        }
    }
}
