//! Which jobs are runs of the same application.

use iotempo_model::JobRecord;
use serde::Serialize;
use std::collections::BTreeMap;

/// What runs of the same application have in common, as far as a job log knows it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub struct Application {
    /// Who runs it.
    pub user: Option<String>,
    /// What it is called: its program where the log names that, else the job's name.
    pub name: Option<String>,
    /// On how many nodes.
    pub nodes: Option<u64>,
    /// In how many processes, where the log does not count nodes.
    pub processes: Option<u64>,
}

/// By what jobs are told apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Likeness {
    /// Jobs of different names are different applications. The log that the idea was made for had no
    /// names: same user, same size.
    pub by_name: bool,
    /// Jobs of different sizes are.
    pub by_nodes: bool,
}

impl Default for Likeness {
    fn default() -> Self {
        Self {
            by_name: true,
            by_nodes: true,
        }
    }
}

impl Application {
    /// What a job is a run of.
    #[must_use]
    pub fn of(job: &JobRecord, likeness: Likeness) -> Self {
        let name = job.exe.as_ref().or(job.name.as_ref());
        let processes = job.processes.filter(|_| job.nodes.is_none());
        Self {
            user: job.user.clone(),
            name: name
                .filter(|_| likeness.by_name)
                .map(|name| without_number(name)),
            nodes: job.nodes.filter(|_| likeness.by_nodes),
            processes: processes.filter(|_| likeness.by_nodes),
        }
    }

    /// How people call it: `alice, s3d, 64 nodes`.
    #[must_use]
    pub fn label(&self) -> String {
        let many = |count: u64, one: &str, many: &str| match count {
            1 => format!("1 {one}"),
            _ => format!("{count} {many}"),
        };
        let nodes = self.nodes.map(|count| many(count, "node", "nodes"));
        let processes = self
            .processes
            .map(|count| many(count, "process", "processes"));
        let parts = [self.user.clone(), self.name.clone(), nodes, processes];
        let parts: Vec<String> = parts.into_iter().flatten().collect();
        match parts.is_empty() {
            true => "all jobs".to_owned(),
            false => parts.join(", "),
        }
    }
}

/// People number their runs (`relax_12`, `step-003`): the number does not make another application.
fn without_number(name: &str) -> String {
    let stem = name.trim_end_matches(|c: char| c.is_ascii_digit());
    let stem = match stem.len() < name.len() {
        true => stem.strip_suffix(['-', '_', '.', '#']).unwrap_or(name),
        false => name,
    };
    if stem.is_empty() { name } else { stem }.to_owned()
}

/// Every application, with the places of its jobs in `jobs`, in order of time; those with most runs
/// first. Steps of jobs are no jobs.
#[must_use]
pub fn applications(jobs: &[JobRecord], likeness: Likeness) -> Vec<(Application, Vec<usize>)> {
    let mut found: BTreeMap<Application, Vec<usize>> = BTreeMap::new();
    for (index, job) in jobs.iter().enumerate().filter(|(_, job)| !job.is_step()) {
        let application = Application::of(job, likeness);
        found.entry(application).or_default().push(index);
    }
    let start = |index: &usize| jobs[*index].start_epoch_s.unwrap_or(f64::INFINITY);
    let mut found: Vec<_> = found.into_iter().collect();
    for (_, runs) in &mut found {
        runs.sort_by(|a, b| start(a).total_cmp(&start(b)));
    }
    found.sort_by_key(|(_, runs)| std::cmp::Reverse(runs.len()));
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn job(user: &str, name: &str, nodes: u64, start: f64) -> JobRecord {
        JobRecord {
            user: Some(user.to_owned()),
            name: Some(name.to_owned()),
            nodes: Some(nodes),
            start_epoch_s: Some(start),
            ..JobRecord::default()
        }
    }

    #[test]
    fn jobs_of_one_user_size_and_name_are_one_application() {
        let mut jobs = vec![
            job("ann", "s3d_2", 64, 20.0),
            job("ann", "s3d_1", 64, 10.0),
            job("ann", "s3d_3", 128, 30.0),
            job("bob", "s3d", 64, 5.0),
        ];
        jobs.push(JobRecord {
            step: Some("batch".to_owned()),
            ..job("ann", "s3d_1", 64, 10.0)
        });
        let found = applications(&jobs, Likeness::default());
        assert_eq!(found[0].0.label(), "ann, s3d, 64 nodes");
        assert_eq!(found[0].1, [1, 0], "in order of time, without steps");
        assert_eq!(found.len(), 3);
        let by_user = applications(
            &jobs,
            Likeness {
                by_name: false,
                by_nodes: false,
            },
        );
        assert_eq!(by_user[0].1, [1, 0, 2]);
        assert_eq!(by_user[0].0.label(), "ann");
        let processes = JobRecord {
            processes: Some(64),
            nodes: None,
            ..job("ann", "s3d", 1, 0.0)
        };
        let application = Application::of(&processes, Likeness::default());
        assert_eq!(application.label(), "ann, s3d, 64 processes");
    }

    #[test]
    fn a_number_alone_is_a_name() {
        for (name, stem) in [
            ("relax_12", "relax"),
            ("step-003", "step"),
            ("2024", "2024"),
            ("lmp2", "lmp2"),
            ("_7", "_7"),
            ("a.b", "a.b"),
        ] {
            assert_eq!(without_number(name), stem);
        }
    }
}
