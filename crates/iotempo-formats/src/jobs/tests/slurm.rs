//! What Slurm writes.

use super::*;
use iotempo_model::JobState;

#[test]
fn any_delimiter_is_found_in_the_heading() {
    for delimiter in ["|", ";", ",", "\t", "::", "^|^", " | ", "~~~", "@"] {
        let row = |fields: [&str; 4]| fields.join(delimiter) + "\n";
        let log = row(["JobID", "User", "State", "Start"])
            + &row(["1", "ada", "COMPLETED", "1794728762"]);
        let (reading, jobs) = read(log);
        assert_eq!(reading.format, JobFormat::Sacct, "{delimiter}");
        assert_eq!(jobs[0].user.as_deref(), Some("ada"), "{delimiter}");
        assert_eq!(jobs[0].start_epoch_s, Some(1_794_728_762.0), "{delimiter}");
    }
    // Letters between fields cannot be told from the names.
    let log = "JobIDxxUserxxState\n1xxadaxxFAILED\n";
    assert!(refused(log, &utc()).starts_with("line 1: not a job log"));
    let options = JobOptions {
        delimiter: Some("xx".to_owned()),
        ..utc()
    };
    let (_, jobs) = read_with(log, &options);
    assert_eq!(jobs[0].state, JobState::Failed);
}

#[test]
fn names_may_hold_the_delimiter_any_number_of_times() {
    let log = "JobID|JobName|Comment|State|Start\n\
               1|a|b|c||COMPLETED|1794728762\n\
               2|plain|with|bar|FAILED|1794728762\n\
               3|||||PENDING|Unknown\n";
    let (reading, jobs) = read(log);
    let names: Vec<_> = jobs.iter().map(|job| job.name.as_deref()).collect();
    assert_eq!(names, [Some("a|b|c"), Some("plain|with"), Some("||")]);
    assert!(said(&reading)[0].starts_with("3 jobs with the delimiter inside a name"));
    // Where only the comment can be it, it is.
    let log = "JobID|Comment|Start\n1|a|b|1794728762\n";
    assert_eq!(read(log).1[0].start_epoch_s, Some(1_794_728_762.0));
}

#[test]
fn what_has_no_heading_is_known_by_the_columns_that_sacct_prints() {
    let log = "1|ior|debug|acct1|2|COMPLETED|0:0\n\
               1.batch|batch||acct1|2|COMPLETED|0:0\n\
               2|odd|name|debug|acct1|8|CANCELLED by 7|0:15\n";
    let (reading, jobs) = read(log);
    assert_eq!((reading.rows, reading.steps), (2, 1));
    assert_eq!(jobs[0].partition.as_deref(), Some("debug"));
    assert_eq!(
        (jobs[1].processes, &jobs[1].state),
        (Some(8), &JobState::Cancelled)
    );
    assert_eq!(jobs[1].name.as_deref(), Some("odd|name"));
    let codes: Vec<_> = reading
        .warnings
        .iter()
        .map(|one| one.code.as_ref())
        .collect();
    assert_eq!(
        codes,
        ["delimiter-in-name", "no-times", "job-without-start"]
    );
    // With `-p` a bar stands behind the last.
    assert_eq!(read("1|ior|debug|acct1|2|COMPLETED|0:0|\n").0.rows, 1);
}

#[test]
fn columns_without_a_heading_are_those_that_the_user_numbers() {
    let log = "ada|1|2026-11-15T07:46:02|2026-11-15T07:46:04\n\
               bob|2|2026-11-15T07:46:03|Unknown\n";
    let columns = [("user", "1"), ("id", "2"), ("start", "3"), ("end", "4")];
    let options = JobOptions {
        columns: columns.map(|(a, b)| (a.to_owned(), b.to_owned())).to_vec(),
        ..utc()
    };
    let (_, jobs) = read_with(log, &options);
    assert_eq!(ids(&jobs), ["1", "2"]);
    assert_eq!(jobs[0].run_time_s(), Some(2.0));
    assert_eq!(jobs[1].user.as_deref(), Some("bob"));
    let mut wrong = options.clone();
    wrong.columns[3].1 = "9".to_owned();
    assert_eq!(
        refused(log, &wrong),
        "line 1: the table has 4 columns, and not number: 9"
    );
    wrong.columns.truncate(1);
    assert_eq!(
        refused(log, &wrong),
        "a table of jobs needs a column for `id`, and was given: user"
    );
}

#[test]
fn arrays_parts_and_runs_keep_their_ids() {
    let log = "JobID|State|Start|End\n\
               2_3|COMPLETED|1794728762|1794728763\n\
               2_[4-9%2]|PENDING|Unknown|Unknown\n\
               5+0|RUNNING|1794728762|Unknown\n\
               5+1|RUNNING|1794728762|Unknown\n\
               7|NODE_FAIL|1794728700|1794728710\n\
               7|REQUEUED|1794728720|1794728730\n\
               7|COMPLETED|1794728740|1794728750\n";
    let (reading, jobs) = read(log);
    assert_eq!(
        ids(&jobs),
        ["2_3", "2_[4-9%2]", "5+0", "5+1", "7", "7", "7"]
    );
    assert_eq!(
        said(&reading),
        ["1 job without a start [job-without-start]"]
    );
    assert_eq!(jobs[2].end_epoch_s, None);
}

#[test]
fn every_state_of_slurm_is_known() {
    let states = [
        "BOOT_FAIL",
        "CANCELLED by 1000",
        "COMPLETED",
        "COMPLETING",
        "DEADLINE",
        "FAILED",
        "NODE_FAIL",
        "OUT_OF_MEMORY",
        "PREEMPTED",
        "RUNNING",
        "REQUEUED",
        "RESIZING",
        "REVOKED",
        "SUSPENDED",
        "TIMEOUT",
    ];
    let mut log = "JobID|State|Start\n".to_owned();
    for (id, state) in states.iter().enumerate() {
        log += &format!("{id}|{state}|1794728762\n");
    }
    let (reading, jobs) = read(log);
    assert_eq!(said(&reading), [""; 0]);
    for (job, state) in jobs.iter().zip(states) {
        assert!(state.starts_with(&*job.state.name()), "{state}");
    }
    // When one that waits may start is no start.
    let (_, jobs) = read("JobID|State|Start\n1|PENDING|1794728762\n");
    assert_eq!(
        (&jobs[0].state, jobs[0].start_epoch_s),
        (&JobState::Pending, None)
    );
    let (reading, _) = read("JobID|State|Start\n1|LOST|1794728762\n");
    assert_eq!(
        said(&reading),
        ["1 job in a state that is not known (such as \"LOST\") [job-state]"]
    );
}

#[test]
fn local_times_follow_the_zone_and_say_which() {
    let log = "JobID|State|Start|End\n\
               1|COMPLETED|2026-10-25T01:30:00|2026-10-25T02:30:00\n\
               2|COMPLETED|2026-11-15T08:46:02|2026-11-15T08:46:04\n";
    let options = JobOptions {
        zone: "CET-1CEST,M3.5.0,M10.5.0/3".parse().expect("a zone"),
        ..JobOptions::default()
    };
    let (reading, jobs) = read_with(log, &options);
    assert_eq!(jobs[1].start_epoch_s, Some(1_794_728_762.0));
    assert_eq!(jobs[0].run_time_s(), Some(3600.0));
    assert_eq!(reading.clock, Some(options.zone));
    let codes: Vec<_> = reading
        .warnings
        .iter()
        .map(|one| one.code.as_ref())
        .collect();
    assert_eq!(codes, ["clock-set-back"]);
    let (reading, _) = read_with(log, &JobOptions::default());
    assert!(reading.clock.expect("local times").is_assumed());
    assert_eq!(reading.warnings[0].code, "zone-assumed");
}

#[test]
fn a_job_of_the_night_in_which_clocks_are_set_back_does_not_end_before_it_starts() {
    let options = JobOptions {
        zone: "CET-1CEST,M3.5.0,M10.5.0/3".parse().expect("a zone"),
        ..JobOptions::default()
    };
    let rows = "1|COMPLETED|2026-10-25T02:58:00|2026-10-25T02:10:00|720\n\
                2|COMPLETED|2026-10-25T02:30:00|2026-10-25T03:10:00|2400\n\
                3|COMPLETED|2026-10-25T02:30:00|2026-10-25T03:10:00|6000\n";
    let (_, jobs) = read_with(
        format!("JobID|State|Start|End|ElapsedRaw\n{rows}"),
        &options,
    );
    let ran: Vec<_> = jobs.iter().map(|job| job.run_time_s()).collect();
    assert_eq!(ran, [Some(720.0), Some(2400.0), Some(6000.0)]);
    // In UTC, where no clock is set back, the first ends before it starts, and that is for others to tell.
    let (_, jobs) = read_with(format!("JobID|State|Start|End|ElapsedRaw\n{rows}"), &utc());
    assert_eq!(jobs[1].run_time_s(), Some(2400.0));
}

#[test]
fn times_of_other_formats_are_read_where_they_can_be_told() {
    for (start, expected) in [
        ("2026-11-15 07:46:02", Some(1_794_728_762.0)),
        ("2026-11-15 07:46", Some(1_794_728_760.0)),
        ("11/15/2026 07:46:02", Some(1_794_728_762.0)),
        ("Sun Nov 15 07:46:02 2026", Some(1_794_728_762.0)),
        ("2026-11-15T07:46:02+0000", Some(1_794_728_762.0)),
        ("None", None),
        ("Unknown", None),
    ] {
        let (_, jobs) = read(format!("JobID|State|Start\n1|COMPLETED|{start}\n"));
        assert_eq!(jobs[0].start_epoch_s, expected, "{start}");
    }
    let error = refused("JobID|State|Start\n1|COMPLETED|07:46:02\n", &utc());
    assert_eq!(
        error,
        "start, line 2: not a time (1 of the first 1 rows cannot be read): 07:46:02"
    );
}

#[test]
fn json_of_newer_versions_is_read() {
    let log = r#"{"jobs":[{"account":"p","array":{"job_id":40,"limits":{"max":{"running":{"tasks":0}}},
        "task_id":{"set":true,"infinite":false,"number":3},"task":""},
        "allocation_nodes":2,"job_id":43,"name":"heat","nodes":"n[1-2]","partition":"gpu","group":"g",
        "het":{"job_id":0,"job_offset":{"set":false,"infinite":false,"number":0}},
        "state":{"current":["COMPLETED"],"reason":"None"},
        "exit_code":{"status":["SIGNALED"],"return_code":{"set":false,"infinite":false,"number":0},
          "signal":{"id":{"set":true,"infinite":false,"number":9},"name":"Killed"}},
        "time":{"elapsed":2,"end":1794728764,"start":1794728762,"submission":1794728761,
          "limit":{"set":true,"infinite":false,"number":30}},
        "steps":[{"step":{"id":"43.batch","name":"batch"},"state":["COMPLETED"],
          "time":{"start":{"set":true,"infinite":false,"number":1794728762},
                  "end":{"set":true,"infinite":false,"number":1794728764}},
          "nodes":{"count":1,"range":"n1"},"tasks":{"count":1}}],
        "tres":{"allocated":[{"type":"cpu","count":8},{"type":"node","count":2}]},"user":"ada"},
        {"job_id":44,"state":{"current":["RUNNING","COMPLETING"]},"user":"bob",
         "array":{"job_id":0,"task_id":{"set":false,"infinite":false,"number":0}},
         "time":{"start":1794728762,"end":0,"submission":1794728761,
           "limit":{"set":true,"infinite":true,"number":0}}},
        {"job_id":45,"state":{"current":["PENDING"]},"array":{"job_id":45,"task":"1-3",
         "task_id":{"set":false,"infinite":false,"number":0}},"time":{"start":0,"end":0}}],
        "meta":{"slurm":{"release":"23.11.4"}},"errors":[]}"#;
    let options = JobOptions {
        steps: true,
        ..utc()
    };
    let (reading, jobs) = read_with(log, &options);
    assert_eq!(reading.format, JobFormat::SacctJson);
    assert_eq!(ids(&jobs), ["40_3", "40_3", "44", "45_[1-3]"]);
    let job = &jobs[0];
    assert_eq!(
        (job.raw_id.as_deref(), job.user.as_deref()),
        (Some("43"), Some("ada"))
    );
    assert_eq!((job.nodes, job.processes), (Some(2), Some(8)));
    assert_eq!(
        (&job.state, job.time_limit_s),
        (&JobState::Completed, Some(1800.0))
    );
    assert_eq!(job.exit_code.expect("a code").signal, Some(9));
    assert_eq!(
        (jobs[1].step.as_deref(), jobs[1].run_time_s()),
        (Some("batch"), Some(2.0))
    );
    assert_eq!(
        (&jobs[2].state, jobs[2].time_limit_s),
        (&JobState::Running, None)
    );
    assert_eq!((jobs[2].end_epoch_s, jobs[3].start_epoch_s), (None, None));
}

#[test]
fn an_empty_answer_of_slurm_is_a_log_without_jobs() {
    let (reading, _) = read(r#"{"jobs":[],"meta":{"slurm":{"release":"23.11"}},"errors":[]}"#);
    assert_eq!(said(&reading), ["the log holds no jobs [no-jobs]"]);
    // What other programs call jobs is not meant.
    assert!(detect_jobs(br#"{"jobs":[{"id":"a","status":"running"}]}"#, &utc()).is_err());
}

#[test]
fn scontrol_expects_what_has_not_come_yet() {
    let job = |id: u32, state: &str, start: &str| {
        format!(
            "JobId={id} JobName=a b=c\n   UserId=ada(1000) GroupId=hpc(100) MCS_label=N/A\n   \
             JobState={state} Reason=None Dependency=(null)\n   \
             StartTime={start} EndTime=2026-11-16T07:46:02 Deadline=N/A\n   \
             NodeList=(null)\n   NumNodes=2-4 NumCPUs=8 TimeLimit=1-00:00:00\n\n"
        )
    };
    let log = job(1, "RUNNING", "2026-11-15T07:46:02")
        + &job(2, "PENDING", "2026-11-15T09:00:00")
        + &job(3, "COMPLETED", "2026-11-15T07:46:02");
    let (_, jobs) = read(log);
    let times: Vec<_> = jobs
        .iter()
        .map(|job| (job.start_epoch_s, job.end_epoch_s))
        .collect();
    let (start, end) = (Some(1_794_728_762.0), Some(1_794_815_162.0));
    assert_eq!(times, [(start, None), (None, None), (start, end)]);
    assert_eq!(jobs[0].name.as_deref(), Some("a b=c"));
    assert_eq!(
        (jobs[0].user.as_deref(), jobs[0].group.as_deref()),
        (Some("ada"), Some("hpc"))
    );
    assert_eq!(
        (jobs[0].nodes, jobs[0].node_list.as_deref()),
        (Some(2), None)
    );
    assert_eq!(jobs[0].time_limit_s, Some(86_400.0));
}
