//! What PBS, Torque, Cobalt and archives of workloads write.

use super::*;
use iotempo_model::{JobState, expand_nodes};

const PBS: &str = "\
11/15/2026 07:46:01;Q;7.srv;queue=batch
11/15/2026 07:46:02;S;7.srv;user=ada group=hpc
11/15/2026 07:46:04;E;7.srv;user=ada group=hpc project=\"a b\" jobname=heat queue=batch \
ctime=1794728760 qtime=1794728761 etime=1794728761 start=1794728762 exec_host=n1/0*16+n2/0*16 \
Resource_List.ncpus=32 Resource_List.nodect=2 Resource_List.select=2:ncpus=16 \
Resource_List.walltime=01:00:00 session=99 end=1794728764 Exit_status=0 \
resources_used.walltime=00:00:02
11/15/2026 07:50:00;S;8[4].srv;user=bob
11/15/2026 07:51:00;R;8[4].srv;user=bob start=1794729000 end=1794729060 Exit_status=-11
11/15/2026 07:52:00;S;8[4].srv;user=bob
11/15/2026 07:53:00;E;8[4].srv;user=bob queue=batch start=1794729120 end=1794729180 \
exec_host=n3/0+n3/1+n3/2 Exit_status=271
11/15/2026 07:54:00;E;9.srv;user=eve start=1794729200.25 end=1794729230.75 exec_host=n4/0-3 \
Exit_status=-29
11/15/2026 07:55:00;S;10.srv;user=eve
";

#[test]
fn pbs_tells_all_at_the_end_of_a_job() {
    let (reading, jobs) = read(PBS);
    assert_eq!(reading.format, JobFormat::Pbs);
    assert_eq!(ids(&jobs), ["7.srv", "8[4].srv", "8[4].srv", "9.srv"]);
    let job = &jobs[0];
    assert_eq!(
        (job.user.as_deref(), job.account.as_deref()),
        (Some("ada"), Some("a b"))
    );
    assert_eq!(
        (job.name.as_deref(), job.partition.as_deref()),
        (Some("heat"), Some("batch"))
    );
    assert_eq!((job.nodes, job.processes), (Some(2), Some(32)));
    assert_eq!(job.node_list.as_deref(), Some("n1,n2"));
    assert_eq!(
        (job.wait_time_s(), job.run_time_s()),
        (Some(1.0), Some(2.0))
    );
    assert_eq!(job.time_limit_s, Some(3600.0));
    let states: Vec<_> = jobs.iter().map(|job| &job.state).collect();
    let expected = [
        JobState::Completed,
        JobState::Requeued,
        JobState::Killed,
        JobState::Timeout,
    ];
    assert!(states.into_iter().eq(&expected));
    assert_eq!((jobs[2].nodes, jobs[2].processes), (Some(1), Some(3)));
    assert_eq!(
        (jobs[3].processes, jobs[3].run_time_s()),
        (Some(4), Some(30.5))
    );
    assert_eq!(
        said(&reading),
        ["1 job started and not ended in this log, and left out [job-open]"]
    );
}

#[test]
fn processors_of_torque_are_those_of_its_hosts() {
    let end = |id: u32, more: &str| {
        format!(
            "11/15/2026 08:00:00;E;{id}.srv;user=ada start=1794729000 end=1794729300 Exit_status=0 {more}\n"
        )
    };
    let log = end(1, "exec_host=n1/0-15+n2/0-15 Resource_List.ncpus=1")
        + &end(
            2,
            "Resource_List.ncpus=1 exec_host=n1/0-15+n2/0-15 total_execution_slots=24",
        )
        + &end(3, "exec_host=n1/0+n2/0 Resource_List.ncpus=64")
        + &end(4, "exec_host=n1/0*16+n2/0*16")
        + &end(
            5,
            "exec_host= Resource_List.ncpus=64 Resource_List.nodect=1",
        );
    let (_, jobs) = read(log);
    let processes: Vec<_> = jobs.iter().map(|job| job.processes).collect();
    assert_eq!(processes, [32, 24, 64, 32, 64].map(Some));
    assert_eq!(
        (jobs[4].nodes, jobs[4].node_list.as_deref()),
        (Some(1), None)
    );
}

#[test]
fn an_array_is_not_a_job_beside_its_parts() {
    let end = |id: &str, start: u32, end: u32| {
        format!(
            "11/15/2026 08:00:00;E;{id};user=ada jobname=sweep start=17947{start} end=17947{end} \
             exec_host=n1/0 Exit_status=0\n"
        )
    };
    let log = end("55[].srv", 29000, 29900)
        + &end("55[1].srv", 29000, 29400)
        + &end("55[2].srv", 29400, 29900)
        + &end("55[1].other", 29000, 29400)
        + &end("56[].srv", 29000, 29300)
        + &end("57[3].srv", 29000, 29300)
        + &end("57[].srv", 29000, 29300);
    let (reading, jobs) = read(log);
    assert_eq!(
        ids(&jobs),
        [
            "55[1].srv",
            "55[2].srv",
            "55[1].other",
            "57[3].srv",
            "56[].srv"
        ]
    );
    assert_eq!(
        said(&reading),
        ["2 job arrays as a whole, whose jobs are in this log one by one: left out [job-array]"]
    );
}

#[test]
fn cobalt_numbers_its_nodes() {
    let log = "08/01/2016 10:16:27;E;1053102;user=prd account=\"Project X\" \
               start=1470042958.31 end=1470042987.66 exec_host=\"0-4,6-7\" Exit_status=0 \
               Resource_List.nodect=7 Resource_List.walltime=3600\n";
    let (_, jobs) = read(log);
    assert_eq!(jobs[0].account.as_deref(), Some("Project X"));
    assert_eq!(jobs[0].time_limit_s, Some(3600.0));
    let nodes = expand_nodes(jobs[0].node_list.as_deref().expect("nodes")).expect("a list");
    assert_eq!(nodes.len(), 7);
}

#[test]
fn a_workload_may_have_several_lines_for_a_job() {
    let log = "; UnixStartTime: 1000000000\n\
               1 0 10 100 4 -1 -1 4 600 -1 2 5 2 7 1 1 -1 -1\n\
               1 0 300 50 4 -1 -1 4 600 -1 3 5 2 7 1 1 -1 -1\n\
               2 9 1 50.25 4 -1 -1 4 600 -1 4 -1 -1 -1 -1 6 -1 -1\n";
    let (reading, jobs) = read(log);
    assert_eq!(said(&reading), [""; 0]);
    assert_eq!(ids(&jobs), ["1", "1", "2"]);
    let states: Vec<_> = jobs.iter().map(|job| job.state.to_string()).collect();
    assert_eq!(states, ["PARTIAL", "COMPLETED", "FAILED"]);
    assert_eq!(
        (jobs[2].user.as_deref(), jobs[2].partition.as_deref()),
        (None, Some("6"))
    );
    assert_eq!(jobs[2].run_time_s(), Some(50.25));
}

#[test]
fn a_workload_that_does_not_say_when_it_began_says_so() {
    let (reading, jobs) =
        read("; UnixStartTime: UNKNOWN\n1 0 10 9 4 -1 -1 4 6 -1 1 5 2 7 1 1 -1 -1\n");
    assert_eq!(jobs[0].start_epoch_s, Some(10.0));
    assert_eq!(reading.warnings[0].code, "no-epoch");
    let (reading, _) = read("; Computer: none\n; MaxJobs: 0\n");
    assert_eq!(reading.format, JobFormat::Swf);
}

#[test]
fn arguments_of_a_job_are_not_its_program() {
    let line = |id: u32| {
        format!(
            "11/14/2023 22:30:00;E;{id};user=ann jobname=s3d start=1700000000 end=1700001000 \
             args=\"-in step{id}.xml\" executable=\"/soft/s3d.x\"\n"
        )
    };
    let mut jobs = Vec::new();
    let text = line(1) + &line(2);
    let options = crate::jobs::JobOptions::default();
    crate::jobs::read_jobs(crate::Input::bytes(text), &options, &mut |job| {
        jobs.push(job)
    })
    .expect("a log");
    let programs: Vec<_> = jobs.iter().map(|job| job.exe.as_deref()).collect();
    assert_eq!(programs, [Some("/soft/s3d.x"); 2]);
}
