//! What people gather: logs put together, exported from databases, cut by widths and delimiters.

use super::*;
use iotempo_model::{ExitCode, JobState};
use std::time::{Duration, Instant};

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
               4,7,NULL,\\N\n\
               5,7,0.0,0.000\n";
    let (reading, jobs) = read(log);
    assert_eq!(jobs.len(), 5, "{:?}", said(&reading));
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
            (None, None),
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

#[test]
fn what_follows_a_document_is_not_passed_over() {
    let job = r#"{"jobs": [{"job_id": 1, "state": {"current": "COMPLETED"}}]}"#;
    let (reading, jobs) = read(format!("{job}\n$ sacct --json\n{job}\n"));
    assert_eq!(ids(&jobs), ["1"]);
    let told = said(&reading);
    let told: Vec<_> = told.iter().filter(|one| one.contains("$ sacct")).collect();
    assert!(reading.damaged && told.len() == 1, "{told:?}");
    assert!(told[0].contains("byte 61"), "{told:?}");
}

#[test]
fn a_job_that_runs_has_not_completed_whatever_its_exit_code() {
    let log = "job_id,user,start,end,exit_status\n1,ada,1794728700,,0\n";
    let (_, jobs) = read(log);
    assert_eq!(jobs[0].state, JobState::default());
}

#[test]
fn the_first_day_of_1970_and_the_year_1_are_no_times() {
    let log = "JobID|State|Start|End\n\
               1|COMPLETED|1970-01-01T00:00:00|2026-11-15T07:00:00\n\
               2|COMPLETED|1969-12-31T19:00:00|2026-11-15T07:00:00\n\
               3|COMPLETED|1970-01-01T14:00:00|0001-01-01T00:00:00\n\
               4|COMPLETED|0001-01-01T00:00:00|4294967294\n\
               5|COMPLETED|1970-01-02T00:00:00|1970-01-02T00:00:10\n";
    for zone in ["UTC", "+14:00", "-12:00"] {
        let zone = zone.parse().expect("a zone");
        let options = JobOptions { zone, ..utc() };
        let (reading, jobs) = read_with(log, &options);
        let starts: Vec<_> = jobs.iter().filter_map(|job| job.start_epoch_s).collect();
        assert!(starts.iter().all(|start| *start >= 86_400.0), "{starts:?}");
        assert_eq!(jobs.len(), 5, "{:?}", said(&reading));
        assert_eq!((jobs[2].end_epoch_s, jobs[3].end_epoch_s), (None, None));
    }
    let (_, jobs) = read(log);
    assert_eq!(jobs[4].run_time_s(), Some(10.0));
    let iso = "job_id,user,start,end\n1,ada,0001-01-01T00:00:00Z,0001-01-01 00:00:00+00:00\n\
               2,ada,2026-11-15T07:00:00Z,1900-01-01T00:00:00Z\n";
    let (reading, jobs) = read(iso);
    assert_eq!(jobs.len(), 2, "{:?}", said(&reading));
    assert_eq!((jobs[0].start_epoch_s, jobs[1].end_epoch_s), (None, None));
}

#[test]
fn thousandths_and_millionths_of_seconds_are_told() {
    let log = "id_job,id_user,time_start,time_end\n\
               1,7,1794728700000000,1794728760500000\n2,7,1794728700000,1794728760500\n";
    let (reading, jobs) = read(log);
    for job in &jobs {
        assert_eq!(job.start_epoch_s, Some(1_794_728_700.0));
        assert_eq!(job.run_time_s(), Some(60.5));
    }
    let told = said(&reading).join("\n");
    assert!(
        told.contains("4 times taken as thousandths or millionths"),
        "{told}"
    );
}

#[test]
fn a_job_that_ran_for_no_time_has_no_start() {
    let log = "job_id,user,state,start,end,runtime\n1,ada,CANCELLED,,1794728760,0\n";
    let (_, jobs) = read(log);
    assert_eq!(jobs[0].start_epoch_s, None);
}

#[test]
fn cut_ids_of_steps_are_told_without_users_too() {
    let by_partition = "       JobID    JobName  Partition      State \n\
                        ------------ ---------- ---------- ---------- \n\
                        1234567_100       relax      batch  COMPLETED \n\
                        1234567_100+      batch             COMPLETED \n\
                        1234567_[1-+      relax      batch    PENDING \n\
                        12345678_10+      relax      batch  COMPLETED \n\
                        12345678_10+     extern             COMPLETED \n\
                        1234568.bat+      batch             COMPLETED \n";
    let (reading, jobs) = read(by_partition);
    assert_eq!(ids(&jobs), ["1234567_100", "1234567_[1-+", "12345678_10+"]);
    assert_eq!(reading.steps, 3);
    let bare = "       JobID    JobName      State \n\
                ------------ ---------- ---------- \n\
                1234567_100       relax  COMPLETED \n\
                1234567_100+      a.out  COMPLETED \n\
                12345678_10+      relax  COMPLETED \n\
                12345678_10+      batch  COMPLETED \n";
    let (reading, jobs) = read(bare);
    assert_eq!(ids(&jobs), ["1234567_100", "12345678_10+"]);
    assert_eq!(reading.steps, 2);
}

#[test]
fn jobs_of_squeue_as_json_are_whole_and_their_expected_ends_are_left_out() {
    let job = |id: u32, state: &str, times: &str| {
        format!(
            r#"{{"job_id": {id}, "array_job_id": {{"set": true, "number": 0}}, "job_state": {state}, "name": "relax",
                 "node_count": {{"set": true, "infinite": false, "number": 2}}, "partition": "batch", {times},
                 "user_name": "ada", "user_id": 7, "exit_code": {{"return_code": {{"set": true, "number": 0}}}}}}"#
        )
    };
    let set = r#""start_time": {"set": true, "number": 1794728700}, "end_time": {"set": true, "number": 1794728760},
                 "submit_time": {"set": true, "number": 1794728600}"#;
    let plain = r#""start_time": 1794728700, "end_time": 1794728760, "submit_time": 1794728600"#;
    let log = format!(
        r#"{{"jobs": [{}, {}, {}, {}]}}"#,
        job(1, r#"["COMPLETED"]"#, set),
        job(2, r#""COMPLETED""#, plain),
        job(3, r#"["RUNNING"]"#, set),
        job(4, r#""PENDING""#, plain),
    );
    let (_, jobs) = read(log);
    assert_eq!(ids(&jobs), ["1", "2", "3", "4"]);
    for job in &jobs {
        assert_eq!(job.user.as_deref(), Some("ada"));
        assert_eq!(
            (job.nodes, job.submit_epoch_s),
            (Some(2), Some(1_794_728_600.0))
        );
    }
    let runs: Vec<_> = jobs
        .iter()
        .map(|job| (job.start_epoch_s, job.run_time_s()))
        .collect();
    let start = Some(1_794_728_700.0);
    let ended = (start, Some(60.0));
    assert_eq!(runs, [ended, ended, (start, None), (None, None)]);
    assert_eq!(jobs[1].state, JobState::Completed);
    assert_eq!(jobs[2].state, JobState::Running, "whatever its exit code");
}

#[test]
fn jobs_of_squeue_that_run_have_no_end() {
    let log = "JOBID|USER|STATE|START_TIME|END_TIME|NODES|NODELIST(REASON)\n\
               1|ada|RUNNING|2026-11-15T07:00:00|2026-11-16T07:00:00|2|n[1-2]\n\
               2|ada|PENDING|2026-11-17T07:00:00|N/A|2|(Resources)\n";
    let (_, jobs) = read(log);
    assert_eq!((jobs[0].end_epoch_s, jobs[1].start_epoch_s), (None, None));
    let lists: Vec<_> = jobs.iter().map(|job| job.node_list.as_deref()).collect();
    assert_eq!(lists, [Some("n[1-2]"), None]);
}

#[test]
fn commas_between_resources_part_no_fields() {
    let log = "JobID,User,JobName,AllocTRES,NNodes,State\n\
               1,ada,relax,billing=2,cpu=2,node=1,1,COMPLETED\n\
               2,ada,relax,billing=64,cpu=64,gres/gpu:a100=4,mem=100.5G,node=4,4,COMPLETED\n";
    let (_, jobs) = read(log);
    let told: Vec<_> = jobs
        .iter()
        .map(|job| (job.name.as_deref(), job.nodes))
        .collect();
    assert_eq!(told, [(Some("relax"), Some(1)), (Some("relax"), Some(4))]);
}

#[test]
fn the_database_of_slurm_has_numbers_for_states_and_minutes_for_limits() {
    let log = "id_job,id_user,job_name,nodes_alloc,state,timelimit,time_submit,time_start,time_end\n\
               1,7,relax,4,3,1440,1794699990,1794700000,1794701200\n\
               2,7,relax,4,1,4294967295,1794699990,1794700000,0\n\
               3,7,relax,4,99,60,1794699990,1794700000,1794701200\n";
    let (reading, jobs) = read(log);
    let told: Vec<_> = jobs
        .iter()
        .map(|job| (job.state.clone(), job.nodes, job.time_limit_s))
        .collect();
    let unknown = JobState::Unknown("99".to_owned());
    assert_eq!(
        told,
        [
            (JobState::Completed, Some(4), Some(86_400.0)),
            (JobState::Running, Some(4), None),
            (unknown, Some(4), Some(3600.0))
        ]
    );
    assert_eq!(said(&reading).len(), 1, "{:?}", said(&reading));
}

#[test]
fn a_time_in_the_queue_is_no_queue() {
    let log = "job_id,user,state,submit_time,start_time,end_time,queue\n\
               1,ada,COMPLETED,1794699400,1794700000,1794701200,600\n\
               2,ada,COMPLETED,1794699400,1794699400,1794701200,0\n\
               3,ada,COMPLETED,1794699400,1794699407,1794701200,6\n";
    let told = "the column of queues holds how long jobs waited: left out [queue-is-wait]";
    let queues = |log: String| {
        let (reading, jobs) = read(log);
        let queues: Vec<_> = jobs.into_iter().map(|job| job.partition).collect();
        (queues, said(&reading) == [told])
    };
    assert_eq!(queues(log.to_owned()), (vec![None; 3], true));
    // Another queue is called as the seconds that some jobs waited, by chance.
    let numbers = log.replace(",0\n", ",600\n").replace(",6\n", ",7\n");
    let numbered = ["600", "600", "7"].map(|queue| Some(queue.to_owned()));
    assert_eq!(queues(numbers), (numbered.to_vec(), false));
    let names = log.replace(",0\n", ",large\n");
    let named = ["600", "large", "6"].map(|queue| Some(queue.to_owned()));
    assert_eq!(queues(names), (named.to_vec(), false));
}

#[test]
fn lengths_of_time_of_pandas_are_read_and_a_limit_that_is_none_costs_itself() {
    let log = "job_id,user,start_time,run_time,time_limit,nodes\n\
               1.0,ada,2026-11-15 07:46:02,0 days 00:30:00,1 days 01:00:00,2.0\n\
               2.0,ada,2026-11-15 07:46:02,0 days 00:00:00.500000,a long time,2.0\n";
    let (reading, jobs) = read(log);
    let told: Vec<_> = jobs
        .iter()
        .map(|job| (job.run_time_s(), job.time_limit_s))
        .collect();
    assert_eq!(told, [(Some(1800.0), Some(90_000.0)), (Some(0.5), None)]);
    assert_eq!(
        said(&reading),
        ["1 time limit that could not be read: left out (such as \"a long time\") [time-limit]"]
    );
}

#[test]
fn a_job_whose_end_is_unknown_runs_where_states_are_not_told() {
    let log = "JobID|User|Start|End|Elapsed|NNodes|ExitCode\n\
               5|ada|2026-11-15T07:46:02|Unknown|00:10:00|2|0:0\n\
               6|ada|2026-11-15T07:46:02|2026-11-15T08:16:02|00:30:00|2|0:0\n\
               7|ada|2026-11-15T07:46:02||00:30:00|2|0:0\n";
    let (_, jobs) = read(log);
    let runs: Vec<_> = jobs.iter().map(JobRecord::run_time_s).collect();
    assert_eq!(runs, [None, Some(1800.0), Some(1800.0)]);
    let states: Vec<_> = jobs
        .iter()
        .map(|job| job.state == JobState::Completed)
        .collect();
    assert_eq!(states, [false, true, true]);
}

#[test]
fn tables_of_the_database_put_arrays_and_parts_together() {
    let log = "job_db_inx,id_array_job,id_array_task,array_task_str,id_job,id_user,het_job_id,het_job_offset,state,\
               time_submit,time_start,time_end\n\
               1,0,4294967294,NULL,599,7,0,4294967294,3,1794728700,1794728762,1794728764\n\
               2,0,4294967294,NULL,600,7,600,0,3,1794728700,1794728762,1794728764\n\
               3,0,4294967294,NULL,601,7,600,1,3,1794728700,1794728762,1794728764\n\
               4,610,3,NULL,612,7,0,4294967294,3,1794728700,1794728762,1794728764\n\
               5,610,4294967294,5-9%2,610,7,0,4294967294,0,1794728700,0,0\n";
    let (_, jobs) = read(log);
    assert_eq!(
        ids(&jobs),
        ["599", "600+0", "600+1", "610_3", "610_[5-9%2]"]
    );
    let raw: Vec<_> = jobs.iter().map(|job| job.raw_id.as_deref()).collect();
    assert_eq!(
        raw,
        [None, Some("600"), Some("601"), Some("612"), Some("610")]
    );
}

#[test]
fn arrays_that_wait_are_called_as_squeue_calls_them_whatever_the_order_of_keys() {
    let job = |id: u32, task: &str, tasks: &str, state: &str| {
        format!(
            r#"{{"array_job_id": {{"infinite": false, "number": 97, "set": true}}, "array_task_id": {task},
                "array_task_string": "{tasks}", "job_id": {id}, "job_state": ["{state}"], "start_time": 1794728762,
                "time_limit": {{"infinite": true, "number": 0, "set": false}}, "user_name": "ada"}}"#
        )
    };
    let none = r#"{"infinite": false, "number": 0, "set": false}"#;
    let zero = r#"{"infinite": false, "number": 0, "set": true}"#;
    let log = format!(
        r#"{{"jobs": [{}, {}]}}"#,
        job(97, none, "1-4%2", "PENDING"),
        job(98, zero, "", "RUNNING")
    );
    let (_, jobs) = read(log);
    assert_eq!(ids(&jobs), ["97_[1-4%2]", "97_0"]);
    assert_eq!(jobs[0].time_limit_s, None);
    let text = "JobId=97 ArrayJobId=97 ArrayTaskId=1-4%2 JobName=a\n   UserId=ada(7) JobState=PENDING\n\n\
                JobId=98 ArrayJobId=97 ArrayTaskId=0 JobName=a\n   UserId=ada(7) JobState=RUNNING\n";
    assert_eq!(ids(&read(text).1), ["97_[1-4%2]", "97_0"]);
}

#[test]
fn names_of_pbs_jobs_may_have_spaces() {
    let log = "11/15/2026 07:46:02;E;1.srv;user=ada jobname=a = b c queue=batch start=1794728700 end=1794728760 \
               Exit_status=0\n";
    let (_, jobs) = read(log);
    assert_eq!(jobs[0].name.as_deref(), Some("a = b c"));
    assert_eq!(jobs[0].partition.as_deref(), Some("batch"));
}

#[test]
fn resources_beside_each_other_and_beside_names_with_commas_are_told_apart() {
    let log = "JobID,JobName,ReqTRES,AllocTRES,State,NNodes\n\
               1,relax,cpu=4,mem=8G,node=1,cpu=4,mem=8G,node=2,COMPLETED,2\n\
               2,fine,coarse,cpu=4,node=1,cpu=8,node=1,COMPLETED,1\n\
               3,relax,,,CANCELLED,1\n";
    let (_, jobs) = read(log);
    let names: Vec<_> = jobs.iter().map(|job| job.name.as_deref()).collect();
    assert_eq!(names, [Some("relax"), Some("fine,coarse"), Some("relax")]);
    assert_eq!(jobs[0].nodes, Some(2));
}

#[test]
fn a_heading_further_down_names_the_columns_anew() {
    let first = "JobID|User|State|Start|End\n1|ada|COMPLETED|1794728700|1794728760\n";
    let second = "User|JobID|JobName|End|Start|State\nbob|2|relax|1794728860|1794728800|FAILED\n";
    let third = "3|eve|COMPLETED|1794728900|1794728960\n";
    let heading = first.lines().next().expect("a heading");
    let (reading, jobs) = read(format!("{first}{second}{heading}\n{third}"));
    let told: Vec<_> = jobs
        .iter()
        .map(|job| (job.id.as_str(), job.user.as_deref(), job.run_time_s()))
        .collect();
    let ran = Some(60.0);
    assert_eq!(
        told,
        [
            ("1", Some("ada"), ran),
            ("2", Some("bob"), ran),
            ("3", Some("eve"), ran)
        ]
    );
    assert_eq!(said(&reading), [""; 0]);
    let comma = |text: &str| text.replace('|', ",");
    assert_eq!(read(comma(first) + &comma(second)).1, jobs[..2]);
    let table = "       JobID      User      State \n------------ --------- ---------- \n\
                 1                  ada  COMPLETED \n$ sacct -o User,JobID,State\n\
                 \u{20}    User        JobID      State \n--------- ------------ ---------- \n\
                 \u{20}     bob            2     FAILED \n\
                 \u{20}     bob            3  COMPLETED \n";
    let (reading, jobs) = read(table);
    assert_eq!(ids(&jobs), ["1", "2", "3"]);
    assert_eq!(jobs[1].user.as_deref(), Some("bob"));
    let told = said(&reading).join("\n");
    assert!(
        told.contains("line 4: a line without an id of Slurm: $ sacct"),
        "{told}"
    );
}

#[test]
fn jobs_taken_out_of_their_document_are_jobs() {
    let job = |id: u32| {
        format!(
            r#"{{"job_id": {id}, "user": "ada", "state": {{"current": ["COMPLETED"]}}, "time": {{"start": 1794728700,
                 "end": 1794728760}}, "steps": [{{"step": {{"id": "{id}.batch"}}}}]}}"#
        )
    };
    let jobs = [job(1), job(2)];
    for log in [jobs.join("\n"), format!("[{}]", jobs.join(",\n"))] {
        let (reading, jobs) = read(log);
        assert_eq!(ids(&jobs), ["1", "2"]);
        assert_eq!((jobs[1].run_time_s(), reading.steps), (Some(60.0), 2));
        assert_eq!(said(&reading), [""; 0]);
    }
    // Others have ids of jobs, too.
    let trace = br#"{"job_id": 7, "rank": 0, "state": "open", "time": 1.5}"#;
    assert!(detect_jobs(trace, &utc()).is_err());
}

#[test]
fn what_slurm_hands_to_databases_of_documents_is_of_utc() {
    let job = r#"{"jobid":7,"username":"ada","user_id":1000,"@start":"2026-11-15T07:46:02","@end":"2026-11-15T07:47:02",
        "elapsed":60,"partition":"batch","nodes":"n[1-2]","total_cpus":8,"total_nodes":2,"exit_code":"0:9",
        "state":"FAILED","array_job_id":5,"array_task_id":3,"@submit":"2026-11-15T07:46:00","time_limit":3600,
        "job_name":"relax","account":"p"}"#;
    let options = JobOptions {
        zone: "+05:00".parse().expect("a zone"),
        ..utc()
    };
    for log in [
        job.to_owned(),
        format!(r#"{{"_index":"slurm","_source":{job}}}"#),
    ] {
        let (reading, jobs) = read_with(log, &options);
        let expected = JobRecord {
            id: "5_3".to_owned(),
            raw_id: Some("7".to_owned()),
            user: Some("ada".to_owned()),
            account: Some("p".to_owned()),
            name: Some("relax".to_owned()),
            partition: Some("batch".to_owned()),
            state: JobState::Failed,
            exit_code: jobs[0].exit_code,
            nodes: Some(2),
            processes: Some(8),
            node_list: Some("n[1-2]".to_owned()),
            submit_epoch_s: Some(1_794_728_760.0),
            start_epoch_s: Some(1_794_728_762.0),
            end_epoch_s: Some(1_794_728_822.0),
            time_limit_s: Some(3600.0),
            ..JobRecord::default()
        };
        assert_eq!(jobs, [expected]);
        assert_eq!(jobs[0].exit_code.and_then(|code| code.signal), Some(9));
        assert_eq!((said(&reading).len(), reading.clock), (0, None));
    }
}

#[test]
fn a_prompt_above_a_log_is_passed_over_and_told() {
    let prompt = "Last login: Sun Nov 15\n\n[ada@login1 ~]$ sacct\n";
    for log in [
        "JobID|User|State|Start\n1|ada|COMPLETED|never\n2|ada|COMPLETED|1794728700\n",
        "job_id,user,state,start\n1,ada,done,never\n2,ada,done,1794728700\n",
        "       JobID      User               Start \n------------ --------- ------------------- \n\
         1                  ada               never\n2                  ada          1794728700 \n",
        "JobId=1 JobState=FAILED StartTime=never\n\nJobId=2 JobState=FAILED StartTime=1794728700\n",
        "{\"jobs\": [{\"job_id\": 2, \"state\": {\"current\": \"FAILED\"}}]}",
    ] {
        let format = detect_jobs(log.as_bytes(), &utc()).expect("a log");
        let (reading, jobs) = read(format!("{prompt}{log}"));
        assert_eq!((reading.format, ids(&jobs)), (format, vec!["2"]));
        let mut told = said(&reading);
        let above =
            "2 lines above the log skipped (the first: \"Last login: Sun Nov 15\") [lines-above]";
        assert!(told.iter().any(|one| one == above), "{told:?}");
        told.retain(|one| one.contains("not a time"));
        let line = 3
            + log
                .lines()
                .position(|line| line.contains("never"))
                .unwrap_or(0)
            + 1;
        let line = format!("line {line}:");
        assert!(told.iter().all(|one| one.contains(&line)), "{told:?}");
    }
    let numbers = "1 0 1 9 4 -1 -1 4 6 -1 1 5 2 7 1 1 -1 -1\n";
    assert!(refused(format!("{prompt}{numbers}"), &utc()).contains("Last login"));
}

#[test]
fn scripts_behind_their_jobs_are_no_rows() {
    let job = |id: u32| {
        format!(
            "JobId={id} JobName=relax\n   JobState=COMPLETED StartTime=1794728700 EndTime=1794728760\n   \
             NumNodes=2\n     Nodes=n[1-2] CPU_IDs=0-3 Mem=2048 GRES=\n   BatchScript=\n#!/bin/bash\n\n\
             JobState=FAILED\nsrun ./relax\n\n"
        )
    };
    let (reading, jobs) = read(job(1) + &job(2));
    assert_eq!(ids(&jobs), ["1", "2"]);
    assert_eq!(
        (jobs[0].nodes, &jobs[0].state),
        (Some(2), &JobState::Completed)
    );
    assert_eq!(said(&reading), [""; 0]);
}

#[test]
fn scripts_behind_jobs_of_one_line_are_no_rows() {
    let job = |id: u32| {
        format!(
            "JobId={id} JobName=relax JobState=COMPLETED StartTime=1794728700 EndTime=1794728760 BatchScript=\n\
             #!/bin/bash\n#SBATCH -N 4\nexport X=1 EndTime=1794720000\n\n"
        )
    };
    let (reading, jobs) = read(job(1) + &job(2));
    assert_eq!(ids(&jobs), ["1", "2"]);
    assert_eq!(jobs[0].run_time_s(), Some(60.0));
    assert_eq!(said(&reading), [""; 0]);
}

#[test]
fn what_elasticsearch_finds_are_jobs() {
    let hit = |id: u32, end: &str| {
        format!(
            r#"{{"_index": "slurm", "_id": "{id}", "_source": {{"jobid": {id}, "username": "ada", "state": "COMPLETED",
                 "@start": "2026-11-15T07:45:00", "@end": "{end}"}}}}"#
        )
    };
    let hits = [
        hit(1, "2026-11-15T07:46:00"),
        hit(2, "2026-11-15T08:46:00+01:00"),
    ]
    .join(",");
    let (_, jobs) = read(format!(
        r#"{{"took": 3, "hits": {{"total": {{"value": 2}}, "hits": [{hits}]}}}}"#
    ));
    assert_eq!(ids(&jobs), ["1", "2"]);
    assert_eq!(jobs[0].run_time_s(), Some(60.0));
    assert_eq!(jobs[1].run_time_s(), Some(60.0));
}

#[test]
fn dates_in_winter_are_not_cut_and_those_of_another_table_neither() {
    let options = JobOptions {
        zone: "CET-1CEST,M3.5.0,M10.5.0/3".parse().expect("a zone"),
        ..utc()
    };
    let log = "JobID|User|State|Start|End\n\
               1|ada|COMPLETED|2026-10-24 10:00:00 CEST|2026-10-24 11:00:00 CEST\n\
               2|ada|COMPLETED|2026-10-26 10:00:00 CET|2026-10-26 11:00:00 CET\n";
    let (reading, jobs) = read_with(log, &options);
    assert_eq!(ids(&jobs), ["1", "2"]);
    assert_eq!(said(&reading), [""; 0]);
    let log = "JobID|User|State|Start|End\n\
               1|ada|COMPLETED|2026-10-24T10:00:00+02:00|2026-10-24T11:00:00+02:00\n\
               JobID|User|State|End|Start\n\
               2|ada|COMPLETED|2026-10-26T11:00:00|2026-10-26T10:00:00\n";
    let (reading, jobs) = read(log);
    assert_eq!(ids(&jobs), ["1", "2"]);
    assert_eq!(said(&reading), [""; 0]);
    // What is cut is still no time.
    let cut = "JobID|User|State|Start\n1|ada|COMPLETED|2026-10-24 10:00:00\n2|ada|COMPLETED|2026-10-24 10:0\n";
    assert_eq!(read(cut).0.rows, 1);
}

#[test]
fn the_pass_of_an_hour_that_the_length_tells_is_told_as_such() {
    let options = JobOptions {
        zone: "CET-1CEST,M3.5.0,M10.5.0/3".parse().expect("a zone"),
        ..utc()
    };
    let log = "JobID|User|State|Start|End|ElapsedRaw\n\
               1|ada|COMPLETED|2026-10-25T01:30:00|2026-10-25T02:30:00|7200\n\
               2|ada|COMPLETED|2026-10-25T01:30:00|2026-10-25T02:30:00|3600\n";
    let (reading, jobs) = read_with(log, &options);
    let ran: Vec<_> = jobs.iter().map(JobRecord::run_time_s).collect();
    assert_eq!(ran, [Some(7200.0), Some(3600.0)]);
    let told = said(&reading).join("\n");
    assert!(told.starts_with("1 time in an hour"), "{told}");
    assert!(told.contains("and 1 more as the second"), "{told}");
}

/// A row that a disk or a user spoilt costs no more time than others.
#[test]
fn rows_of_a_million_fields_are_refused_at_once() {
    let kinds = |count: u32| (0..count).map(|k| format!("a{k}=1|")).collect::<String>();
    let spoilt = [
        format!("2|ada|[{}", "|".repeat(1_000_000)),
        format!("2|ada|{}", kinds(200_000)),
        format!("2|ada|{}{}", kinds(800_000), "a=1|".repeat(1_500_000)),
    ];
    let begin = Instant::now();
    for row in spoilt {
        let good = "1|ada|x|COMPLETED|1794728700";
        let log = format!(
            "JobID|User|JobName|State|Start\n{good}\n{row}\n3{}\n",
            &good[1..]
        );
        let (reading, jobs) = read(log);
        assert_eq!(ids(&jobs), ["1", "3"]);
        assert!(said(&reading).join("\n").contains("could not be read"));
    }
    // It takes a second or two, and took half a minute.
    let took = begin.elapsed();
    assert!(took < Duration::from_secs(20), "{took:?}");
}

/// Users write whole texts into comments.
#[test]
fn a_comment_of_half_a_million_words_is_read_at_once() {
    let words = "a ".repeat(500_000);
    let rest = "JobState=COMPLETED StartTime=1794728700";
    let log = format!(
        "JobId=1 UserId=ada(1) Comment=a {rest}\nJobId=2 UserId=ada(1) Comment={words} {rest}\n\
         JobId=3 UserId=ada(1) Name={words}= b {rest}\n"
    );
    let begin = Instant::now();
    let (_, jobs) = read(log);
    assert_eq!(ids(&jobs), ["1", "2", "3"]);
    assert!(jobs.iter().all(|job| job.state == JobState::Completed));
    // Half a second, and a minute and more when each word was looked at up to the next `=`.
    let took = begin.elapsed();
    assert!(took < Duration::from_secs(20), "{took:?}");
}

#[test]
fn dates_that_may_have_the_day_first_are_told_until_one_has_it_not() {
    let log = |day: &str| {
        format!(
            "job_id,user,start,end\n1,ada,05/11/2026 07:46:02,05/11/2026 07:47:02\n\
             2,ada,{day} 07:46:02,{day} 07:47:02\n3,ada,11/11/2026 07:46:02,\n"
        )
    };
    let (reading, _) = read(log("06/11/2026"));
    assert_eq!(
        said(&reading),
        [
            "4 times taken as month/day/year, and nothing in the log tells that the day is not first (such as \
             05/11/2026 07:46:02) [date-doubtful]"
        ]
    );
    assert_eq!(said(&read(log("05/18/2026")).0), [""; 0]);
    let told = said(&read(log("18/11/2026")).0).join("\n");
    assert!(
        told.contains("not a time: 18/11/2026")
            && told.contains(
                "2 times taken as month/day/year (such as 05/11/2026 07:46:02), though 18/11/2026 07:46:02 has the \
                 day first, and they may have [date-order]"
            ),
        "{told}"
    );
    let options = JobOptions {
        date_order: DateOrder::DayFirst,
        ..utc()
    };
    assert_eq!(said(&read_with(log("06/11/2026"), &options).0), [""; 0]);
}

#[test]
fn names_of_zones_are_never_passed_over() {
    let log = "job_id,user,start,end\n1,ada,2026-11-15 08:46:02 CET,2026-11-15 08:47:02 CET\n";
    let told = refused(log, &utc());
    assert!(
        told.contains("not a time") && told.contains("08:46:02 CET"),
        "{told}"
    );
    let options = JobOptions {
        zone: "CET-1CEST,M3.5.0,M10.5.0/3".parse().expect("a zone"),
        ..utc()
    };
    let (_, jobs) = read_with(log, &options);
    assert_eq!(
        (jobs[0].start_epoch_s, jobs[0].run_time_s()),
        (Some(1_794_728_762.0), Some(60.0))
    );
}

#[test]
fn rows_above_a_heading_are_not_passed_over_as_a_greeting() {
    let rows = "1|ada|COMPLETED|1794728700|1794728760\n2|ada|FAILED|1794728800|1794728860\n";
    let named = "JobID|User|State|Start|End\n3|eve|COMPLETED|1794728900|1794728960\n";
    let wide = "JobID|User|JobName|State|Start|End\n3|eve|relax|COMPLETED|1794728900|1794728960\n";
    for log in [named, wide] {
        let told = refused(format!("{rows}{log}"), &utc());
        assert!(told.contains("it begins with: 1|ada|COMPLETED"), "{told}");
    }
    let prompt = "08:15 $ sacct -S 2026-11-15 -o JobID,User,State,Start,End -P | tee a | tee b | tee c | less\n";
    let (_, jobs) = read(format!("{prompt}{named}"));
    assert_eq!(ids(&jobs), ["3"]);
}

#[test]
fn a_job_that_waits_has_no_start_however_long_it_has_waited() {
    let log = "job_id,user,state,submit_time,wait_time\n\
               1,ada,PENDING,1794699400,600\n2,ada,RUNNING,1794699400,600\n";
    let (_, jobs) = read(log);
    let starts: Vec<_> = jobs.iter().map(|job| job.start_epoch_s).collect();
    assert_eq!(starts, [None, Some(1_794_700_000.0)]);
}

#[test]
fn ends_are_expected_of_the_same_states_in_every_log() {
    let (start, end) = ("2026-11-15T07:46:02", "2026-11-15T07:47:02");
    for (state, ends) in [
        ("RUNNING", false),
        ("SUSPENDED", false),
        ("STOPPED", false),
        ("SIGNALING", false),
        ("COMPLETING", true),
        ("REQUEUED", true),
        // Slurm's database ends the record of a job that changes its size, and begins another.
        ("RESIZING", true),
        ("TIMEOUT", true),
    ] {
        let table = format!("JobID|State|Start|End\n1|{state}|{start}|{end}\n");
        let shown = format!(
            "JobId=1 JobName=a\n   JobState={state} Reason=None\n   StartTime={start} EndTime={end}\n"
        );
        for log in [table, shown] {
            let (_, jobs) = read(log.as_str());
            let expected = ends.then_some(60.0);
            assert_eq!(jobs[0].run_time_s(), expected, "{log}");
        }
    }
}

#[test]
fn the_database_of_slurm_has_what_wait_tells_for_exit_codes() {
    let log = "id_job,id_user,state,exit_code,time_start,time_end\n\
               1,7,3,0,1794700000,1794701200\n2,7,5,256,1794700000,1794701200\n\
               3,7,4,9,1794700000,1794701200\n4,7,5,139,1794700000,1794701200\n\
               5,7,5,x,1794700000,1794701200\n";
    let (reading, jobs) = read(log);
    let code = |status, signal| Some(ExitCode { status, signal });
    let codes: Vec<_> = jobs.iter().map(|job| job.exit_code).collect();
    let (ended, killed, dumped) = (code(1, None), code(0, Some(9)), code(0, Some(11)));
    assert_eq!(codes, [code(0, None), ended, killed, dumped]);
    let told = said(&reading).join("\n");
    assert!(told.contains("not an exit code: x"), "{told}");
}

#[test]
fn prompts_that_begin_with_a_time_are_no_jobs() {
    let table = "       JobID      User      State \n------------ --------- ---------- \n\
                 1                  ada  COMPLETED \n08:15:22 ada@login:~$ sacct -o JobID,User,State -S 08:15\n\
                 2026-11-15 08:15:22 $ date   done\n\
                 2_[1-3,7%2]        ada    PENDING \n3+0                ada  COMPLETED \n\
                 4.batch                 COMPLETED \n1234567_100+       ada  COMPLETED \n";
    let (reading, jobs) = read(table);
    assert_eq!(ids(&jobs), ["1", "2_[1-3,7%2]", "3+0", "1234567_100+"]);
    assert_eq!(reading.steps, 1);
    let told = said(&reading).join("\n");
    assert!(
        told.contains("2 of 7 rows") && told.contains("line 4: a line without an id"),
        "{told}"
    );
}

#[test]
fn names_with_delimiters_are_joined_where_a_table_has_neither_times_nor_states() {
    let log = "JobID,JobName,User,NNodes\n1,a,b,ada,2\n2,relax,ada,4\n";
    let (_, jobs) = read(log);
    let told: Vec<_> = jobs
        .iter()
        .map(|job| (job.name.as_deref(), job.nodes))
        .collect();
    assert_eq!(told, [(Some("a,b"), Some(2)), (Some("relax"), Some(4))]);
}

#[test]
fn rows_with_spaces_before_their_numbers_are_no_headings() {
    let log = " id | job_name | owner | start_time \n  1 | job      | user  | begin      \n\
               \u{20} 2 | relax    | ada   | 1794728700 \n  3 | relax    | ada   | 1794728700 \n";
    let (reading, jobs) = read(log);
    assert_eq!(ids(&jobs), ["2", "3"]);
    let told = said(&reading).join("\n");
    assert!(told.contains("line 2: not a time: begin"), "{told}");
}

#[test]
fn dates_without_dashes_are_not_cut() {
    let log = "JobID|User|State|Start|End\n\
               1|ada|COMPLETED|20261115T07:46:02-0500|20261115T07:47:02-0500\n";
    let (_, jobs) = read(log);
    assert_eq!(
        (jobs[0].start_epoch_s, jobs[0].run_time_s()),
        (Some(1_794_746_762.0), Some(60.0))
    );
    let cut = "JobID|User|State|Start|End\n\
               1|ada|COMPLETED|20261115T07:46:02-0500|20261115T07:47:02-0500\n\
               2|ada|COMPLETED|20261115T07:46:02-0500|20261115T07:47-0500\n";
    assert_eq!(ids(&read(cut).1), ["1"]);
}

#[test]
fn utc_and_gmt_mean_the_same_wherever_clocks_hang() {
    let log = "job_id,user,start,end\n\
               1,ada,Sun Nov 15 08:46:02 UTC 2026,Sun Nov 15 08:47:02 GMT 2026\n";
    let options = JobOptions {
        zone: "CET-1CEST,M3.5.0,M10.5.0/3".parse().expect("a zone"),
        ..utc()
    };
    let (reading, jobs) = read_with(log, &options);
    assert_eq!(
        (jobs[0].start_epoch_s, jobs[0].run_time_s()),
        (Some(1_794_732_362.0), Some(60.0))
    );
    assert_eq!(reading.clock, None, "no time is one of that zone");
}
