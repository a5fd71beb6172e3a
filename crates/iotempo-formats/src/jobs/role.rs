//! What a column of a job log holds, by its heading.

/// What is known of a job.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    Id,
    RawId,
    /// The id that the tasks of an array share.
    ArrayId,
    ArrayTask,
    /// Those of an array that wait, which are one job until they start.
    ArrayTasks,
    /// The id that the parts of a heterogeneous job share.
    HetId,
    HetOffset,
    Step,
    User,
    Group,
    Account,
    Name,
    Exe,
    Partition,
    State,
    ExitCode,
    Signal,
    Nodes,
    Processes,
    Tasks,
    NodeList,
    Submit,
    Start,
    End,
    Wait,
    RunTime,
    TimeLimit,
    TimeLimitMinutes,
}

/// As many roles as there are.
pub(super) const ROLES: usize = 28;

impl Role {
    pub(super) const ALL: [Self; ROLES] = [
        Self::Id,
        Self::RawId,
        Self::ArrayId,
        Self::ArrayTask,
        Self::ArrayTasks,
        Self::HetId,
        Self::HetOffset,
        Self::Step,
        Self::User,
        Self::Group,
        Self::Account,
        Self::Name,
        Self::Exe,
        Self::Partition,
        Self::State,
        Self::ExitCode,
        Self::Signal,
        Self::Nodes,
        Self::Processes,
        Self::Tasks,
        Self::NodeList,
        Self::Submit,
        Self::Start,
        Self::End,
        Self::Wait,
        Self::RunTime,
        Self::TimeLimit,
        Self::TimeLimitMinutes,
    ];

    /// Our name for it, which users may give a column of theirs.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Id => "id",
            Self::RawId => "raw_id",
            Self::ArrayId => "array_id",
            Self::ArrayTask => "array_task",
            Self::ArrayTasks => "array_tasks",
            Self::HetId => "het_id",
            Self::HetOffset => "het_offset",
            Self::Step => "step",
            Self::User => "user",
            Self::Group => "group",
            Self::Account => "account",
            Self::Name => "name",
            Self::Exe => "exe",
            Self::Partition => "partition",
            Self::State => "state",
            Self::ExitCode => "exit_code",
            Self::Signal => "signal",
            Self::Nodes => "nodes",
            Self::Processes => "processes",
            Self::Tasks => "tasks",
            Self::NodeList => "node_list",
            Self::Submit => "submit",
            Self::Start => "start",
            Self::End => "end",
            Self::Wait => "wait",
            Self::RunTime => "run_time",
            Self::TimeLimit => "time_limit",
            Self::TimeLimitMinutes => "time_limit_minutes",
        }
    }

    pub(super) fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|role| role.name() == name)
    }

    /// What logs call it, best first, without anything but letters and digits.
    const fn headings(self) -> &'static [&'static str] {
        match self {
            Self::Id => &[
                "jobid",
                "job",
                "cobaltjobid",
                "pbsjobid",
                "pbsid",
                "slurmjobid",
                "jobnumber",
                "jid",
                "id",
            ],
            Self::RawId => &["jobidraw", "idjob"],
            Self::ArrayId => &["arrayjobid", "idarrayjob"],
            Self::ArrayTask => &["arraytaskid", "idarraytask"],
            Self::ArrayTasks => &["arraytaskstr"],
            Self::HetId => &["hetjobid", "packjobid"],
            Self::HetOffset => &["hetjoboffset", "packjoboffset"],
            Self::User => &[
                "user",
                "username",
                "usernamegenid",
                "cobaltusernamegenid",
                "owner",
                "userid",
                "iduser",
                "uid",
            ],
            Self::Group => &["group", "groupname", "groupid", "gid"],
            Self::Account => &[
                "account",
                "project",
                "projectname",
                "projectnamegenid",
                "cobaltprojectnamegenid",
                "accountname",
            ],
            Self::Name => &["jobname", "name"],
            Self::Exe => &["exe", "executable", "command", "application", "app"],
            Self::Partition => &["partition", "queue", "queuename"],
            Self::State => &["newstatus", "state", "jobstate", "status", "jobstatus"],
            Self::ExitCode => &["exitcode", "exitstatus"],
            Self::Nodes => &[
                "nnodes",
                "allocnodes",
                "nodesused",
                "usednodes",
                "nodenum",
                "nodesalloc",
                "numnodes",
                "nodect",
                "nodecnt",
                "nodecount",
                "nodes",
                "nodesrequested",
                "requestednodes",
                "reqnodes",
            ],
            Self::Processes => &[
                "ncpus",
                "alloccpus",
                "coresused",
                "usedcores",
                "cpunum",
                "numcpus",
                "proccnt",
                "cores",
                "cpus",
                "ncores",
                "processes",
                "processors",
                "procs",
                "coresrequested",
                "reqcpus",
                "cpusreq",
            ],
            Self::Tasks => &["ntasks", "numtasks", "tasks"],
            Self::NodeList => &[
                "nodelist",
                "nodelistreason",
                "exechost",
                "hostlist",
                "hosts",
                "location",
            ],
            Self::Submit => &[
                "submit",
                "submittime",
                "queuedtimestamp",
                "submittimestamp",
                "queuedtime",
                "qtime",
                "timesubmit",
                "submittedat",
            ],
            Self::Start => &[
                "start",
                "starttime",
                "starttimestamp",
                "timestart",
                "startedat",
                "begin",
                "begintime",
            ],
            Self::End => &[
                "end",
                "endtime",
                "endtimestamp",
                "finishtime",
                "timeend",
                "endedat",
                "finishedat",
                "finish",
            ],
            Self::Wait => &["waittime", "wait", "waitseconds"],
            Self::RunTime => &[
                "elapsedraw",
                "runtimeseconds",
                "runtime",
                "elapsed",
                "duration",
            ],
            Self::TimeLimit => &[
                "timelimit",
                "walltime",
                "walltimeseconds",
                "requestedtime",
                "reqtime",
            ],
            Self::TimeLimitMinutes => &["timelimitraw"],
            Self::Step | Self::Signal => &[],
        }
    }

    /// What a heading says, and how well it says it: less is better.
    pub(super) fn of_heading(heading: &str) -> Option<(Self, usize)> {
        let plain: String = heading
            .chars()
            .filter(char::is_ascii_alphanumeric)
            .map(|c| c.to_ascii_lowercase())
            .collect();
        Self::ALL.into_iter().find_map(|role| {
            let place = role.headings().iter().position(|name| *name == plain)?;
            Some((role, place))
        })
    }

    pub(super) const fn is_time(self) -> bool {
        matches!(self, Self::Submit | Self::Start | Self::End)
    }
}

/// Which columns hold what: of several that fit a role, the one with the best heading, and of two
/// that are equally good the first.
pub(super) fn roles_of(names: &[String]) -> Vec<(usize, Role)> {
    let mut best: Vec<(usize, Role, usize)> = Vec::new();
    for (column, name) in names.iter().enumerate() {
        let Some((role, rank)) = Role::of_heading(name) else {
            continue;
        };
        match best.iter_mut().find(|(_, known, _)| *known == role) {
            Some(known) if rank < known.2 => *known = (column, role, rank),
            Some(_) => {}
            None => best.push((column, role, rank)),
        }
    }
    best.into_iter()
        .map(|(column, role, _)| (column, role))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_role_has_its_place_and_no_heading_is_two_of_them() {
        for (place, role) in Role::ALL.into_iter().enumerate() {
            assert_eq!(role as usize, place, "{role:?}");
            assert_eq!(Role::from_name(role.name()), Some(role));
            for (rank, heading) in role.headings().iter().enumerate() {
                assert_eq!(Role::of_heading(heading), Some((role, rank)), "{heading}");
            }
        }
    }

    #[test]
    fn the_best_heading_wins() {
        let names = [
            "state",
            "new_status",
            "NODES_REQUESTED",
            "NODES_USED",
            "User",
            "USER",
        ];
        let roles = roles_of(&names.map(str::to_owned));
        assert_eq!(roles, [(1, Role::State), (3, Role::Nodes), (4, Role::User)]);
    }
}
