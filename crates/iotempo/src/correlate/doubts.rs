//! What is odd about jobs of groups.

use super::group::Subject;
use crate::human::plural;

/// So many groups are named one by one to a person.
const NAMED: usize = 3;

/// What is odd about jobs of groups.
#[derive(Default)]
pub(super) struct Doubts {
    /// For a person: of many groups, only the one with the most such jobs has a name.
    pub(super) short: Vec<String>,
    /// For programs: a sentence about each group.
    pub(super) all: Vec<String>,
}

/// What is odd, once groups have names.
pub(super) fn doubts(subjects: &[Subject]) -> Doubts {
    // All are of logs, or all of a table.
    let below_0 = match subjects.iter().any(|subject| subject.traced.is_some()) {
        true => {
            "with a load below 0: the servers' logs count fewer bytes than these jobs moved (caches, other \
             file systems: --mount); what is missing looks like a dependence of quick jobs"
        }
        false => "with a load below 0: what is subtracted in --x is more than was counted there",
    };
    let untimed = "with bytes that nobody knows the time of: these count as their own, wherever they \
                   were moved";
    let mut doubts = Doubts::default();
    doubts.tell(subjects, loads_below_0, below_0);
    doubts.tell(subjects, without_times, untimed);
    doubts
}

fn loads_below_0(subject: &Subject) -> u64 {
    let loads = subject.points.load.iter();
    loads.filter(|load| **load < 0.0).count() as u64
}

fn without_times(subject: &Subject) -> u64 {
    let jobs = subject.traced.iter().flat_map(|traced| &traced.jobs);
    jobs.filter(|job| job.odd.without_times > 0).count() as u64
}

/// A group with jobs that are odd in a way.
struct Odd<'a> {
    label: &'a str,
    jobs: u64,
    all: u64,
}

impl Doubts {
    /// How many jobs of which group are odd in a way.
    fn tell(&mut self, subjects: &[Subject], odd: impl Fn(&Subject) -> u64, what: &str) {
        let groups = subjects.iter().map(|subject| Odd {
            label: &subject.label,
            jobs: odd(subject),
            all: subject.points.load.len() as u64,
        });
        let groups: Vec<Odd<'_>> = groups.filter(|group| group.jobs > 0).collect();
        let one = |group: &Odd<'_>| {
            let (label, jobs, all) = (group.label, group.jobs, plural(group.all, "job"));
            format!("{label}: {jobs} of {all} {what}")
        };
        self.all.extend(groups.iter().map(one));
        if groups.len() <= NAMED {
            self.short.extend(groups.iter().map(one));
            return;
        }
        let jobs = plural(groups.iter().map(|group| group.jobs).sum(), "job");
        // By number, and not by share: two of two jobs are less than ninety of a hundred.
        let most = groups.iter().max_by_key(|group| group.jobs);
        let named = |most: &Odd<'_>| {
            let share = format!("{} of {} in {}", most.jobs, most.all, most.label);
            format!("{} groups have {jobs} (most: {share}) {what}", groups.len())
        };
        self.short.extend(most.map(named));
    }
}
