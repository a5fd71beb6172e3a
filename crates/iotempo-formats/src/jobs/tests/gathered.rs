//! What people gather: logs put together, exported from databases, cut by widths and delimiters.

use super::*;
use iotempo_model::JobState;

#[test]
fn documents_of_several_months_are_all_read() {
    let month = |id: u32| {
        format!(
            r#"{{"jobs": [{{"job_id": {id}, "user": "ada", "time": {{"start": 1794728700, "end": 1794728760}},
                 "state": {{"current": ["COMPLETED"]}}}}]}}"#
        )
    };
    let (_, jobs) = read(format!("{}\n{}\n", month(1), month(2)));
    assert_eq!(ids(&jobs), ["1", "2"]);
}

#[test]
fn resources_are_told_apart_in_any_order_of_keys() {
    let log = r#"{"jobs": [{"job_id": 7, "tres": {"allocated": [
        {"count": 8, "id": 1, "name": "", "type": "cpu"},
        {"count": 1000, "id": 2, "name": "", "type": "mem"},
        {"count": 2, "id": 4, "name": "", "type": "node"}]}}]}"#;
    let (_, jobs) = read(log);
    assert_eq!((jobs[0].processes, jobs[0].nodes), (Some(8), Some(2)));
}

#[test]
fn commas_within_brackets_part_no_fields() {
    let log = "JobID,JobName,User,NodeList,State\n\
               1,relax,ada,\"nid1\",COMPLETED\n\
               2,relax,ada,nid[00001,00003],COMPLETED\n";
    let (_, jobs) = read(log);
    let two = &jobs[1];
    assert_eq!(two.name.as_deref(), Some("relax"));
    assert_eq!(two.user.as_deref(), Some("ada"));
    assert_eq!(two.node_list.as_deref(), Some("nid[00001,00003]"));
    assert_eq!(two.nodes, Some(2), "counted by their names");
}

#[test]
fn a_quote_in_a_name_swallows_no_rows() {
    let log = "JOBID|USER|NAME|STATE|START_TIME\n\
               1|ada|\"relax|COMPLETED|2026-11-15T07:00:00\n\
               2|ada|relax|COMPLETED|2026-11-15T08:00:00\n";
    let (_, jobs) = read(log);
    assert_eq!(ids(&jobs), ["1", "2"]);
}

#[test]
fn steps_whose_ids_are_cut_are_steps() {
    let log = "       JobID      User    JobName      State \n\
               ------------ --------- ---------- ---------- \n\
               1234567_100        ada      relax  COMPLETED \n\
               1234567_100+                batch  COMPLETED \n\
               1234567_100+                a.out  COMPLETED \n\
               1234567_101        ada      relax  COMPLETED \n";
    let (reading, jobs) = read(log);
    assert_eq!(ids(&jobs), ["1234567_100", "1234567_101"]);
    assert_eq!(reading.steps, 2);
}

#[test]
fn without_states_exit_codes_tell_who_failed() {
    let log = "job_id,user,start,end,exit_status\n\
               1,ada,1794728700,1794728760,0\n2,ada,1794728800,1794728860,139\n";
    let (_, jobs) = read(log);
    let states: Vec<&JobState> = jobs.iter().map(|job| &job.state).collect();
    assert_eq!(states, [&JobState::Completed, &JobState::Failed]);
}

#[test]
fn databases_write_times_in_their_own_ways() {
    let log = "id_job,id_user,time_start,time_end\n\
               1,7,1794728700,1794728760\n\
               2,7,0,0\n\
               3,7,1794728700000,1794728760500\n\
               4,7,NULL,\\N\n";
    let (reading, jobs) = read(log);
    assert_eq!(jobs.len(), 4, "{:?}", said(&reading));
    let times: Vec<_> = jobs
        .iter()
        .map(|job| (job.start_epoch_s, job.run_time_s()))
        .collect();
    let start = Some(1_794_728_700.0);
    assert_eq!(
        times,
        [
            (start, Some(60.0)),
            (None, None),
            (start, Some(60.5)),
            (None, None)
        ]
    );
    let (_, jobs) = read("job_id,user,submit,end,runtime\n1,ada,1794728000,1794728760,60\n");
    assert_eq!(jobs[0].start_epoch_s, start);
}

#[test]
fn who_is_refused_is_told_how_to_name_columns() {
    let told = refused("what,when\n1,2\n", &utc());
    assert!(told.contains("--job-columns"), "{told}");
}
