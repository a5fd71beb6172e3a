//! Tables of jobs that no scheduler wrote itself.

use super::*;
use iotempo_model::JobState;

#[test]
fn public_logs_of_alcf_are_read_by_their_headings() {
    let log = "\"JOB_NAME\",\"COBALT_JOBID\",\"MACHINE_NAME\",\"QUEUED_TIMESTAMP\",\"QUEUED_DATE_ID\",\
\"START_TIMESTAMP\",\"START_DATE_ID\",\"END_TIMESTAMP\",\"END_DATE_ID\",\"USERNAME_GENID\",\
\"PROJECT_NAME_GENID\",\"QUEUE_NAME\",\"WALLTIME_SECONDS\",\"RUNTIME_SECONDS\",\"NODES_USED\",\
\"NODES_REQUESTED\",\"CORES_USED\",\"CORES_REQUESTED\",\"LOCATION\",\"EXIT_STATUS\"\n\
\"1234.theta, twice\",\"1234\",\"theta\",\"2019-01-01 00:00:05\",\"20190101\",\
\"2019-01-01 00:10:00.250000\",\"20190101\",\"2019-01-01 01:00:00\",\"20190101\",\"777\",\"88\",\
\"default\",\"3600.0000\",\"2999.75\",\"512.0000\",\"512.0000\",\"32768.0000\",\"32768.0000\",\
\"0-511\",\"0\"\n";
    let (reading, jobs) = read(log);
    assert_eq!(reading.format, JobFormat::Table);
    let job = &jobs[0];
    assert_eq!(
        (job.id.as_str(), job.name.as_deref()),
        ("1234", Some("1234.theta, twice"))
    );
    assert_eq!(
        (job.user.as_deref(), job.account.as_deref()),
        (Some("777"), Some("88"))
    );
    assert_eq!((job.nodes, job.processes), (Some(512), Some(32_768)));
    assert_eq!(
        (job.run_time_s(), job.time_limit_s),
        (Some(2999.75), Some(3600.0))
    );
    assert_eq!(job.exit_code.expect("a code").status, 0);
    assert_eq!(job.partition.as_deref(), Some("default"));
}

#[test]
fn the_older_names_of_alcf_are_known() {
    let log = "QUEUED_TIMESTAMP,START_TIMESTAMP,END_TIMESTAMP,REQUESTED_NODES,USED_NODES,\
COBALT_USER_NAME_GENID,EXIT_CODE,JOBID\n\
\"2014-01-01 00:00:00\",\"2014-01-01 00:10:00\",\"2014-01-01 01:00:00\",\"1024.0000\",\
\"512.0000\",\"42\",\"143.0000\",\"9001.0000\"\n";
    let (_, jobs) = read(log);
    assert_eq!((jobs[0].id.as_str(), jobs[0].nodes), ("9001", Some(512)));
    assert_eq!(jobs[0].user.as_deref(), Some("42"));
    assert_eq!(jobs[0].exit_code.expect("a code").status, 143);
}

#[test]
fn a_user_may_name_the_columns() {
    let log = "run;who;began;over\n1;ada;2026-11-15 07:46:02;2026-11-15 07:46:04\n";
    assert!(refused(log, &utc()).starts_with("line 1: not a job log that iotempo reads"));
    let columns = [
        ("id", "Run"),
        ("user", "who"),
        ("start", "began"),
        ("end", "over"),
    ];
    let mut options = JobOptions {
        columns: columns.map(|(a, b)| (a.to_owned(), b.to_owned())).to_vec(),
        ..utc()
    };
    let (_, jobs) = read_with(log, &options);
    assert_eq!(
        (jobs[0].user.as_deref(), jobs[0].run_time_s()),
        (Some("ada"), Some(2.0))
    );
    options.columns[3].1 = "done".to_owned();
    assert_eq!(
        refused(log, &options),
        "line 1: no column for `end`: the heading has no column: done"
    );
    options.columns[3].0 = "finale".to_owned();
    let error = refused(log, &options);
    assert!(
        error.starts_with("unknown column: jobs have id, raw_id,"),
        "{error}"
    );
    assert!(error.ends_with("not: finale"), "{error}");
}

#[test]
fn tables_of_requests_and_samples_are_none_of_jobs() {
    for head in [
        "rank,op,start,end,bytes\n0,write,0,1,4096\n",
        "time,bandwidth\n0,1\n",
        "job_id,bytes\n1,2\n",
        "id,start,end\n1,2,3\n",
        "#Time,Time_usec,ProducerName,component_id,job_id,open\n1,2,n,3,4,5\n",
        "JobID\n1\n",
        "{}",
        "hello\n",
    ] {
        assert!(detect_jobs(head.as_bytes(), &utc()).is_err(), "{head}");
    }
}

#[test]
fn days_may_come_first() {
    let log = "job_id,user,status,start_time\n7,ada,done,15/11/2026 07:46:02\n";
    let error = refused(log, &utc());
    assert_eq!(
        error,
        "start, line 2: not a time (1 of the first 1 rows cannot be read): 15/11/2026 07:46:02"
    );
    let options = JobOptions {
        date_order: DateOrder::DayFirst,
        ..utc()
    };
    let (_, jobs) = read_with(log, &options);
    assert_eq!(jobs[0].start_epoch_s, Some(1_794_728_762.0));
    assert_eq!(jobs[0].state, JobState::Completed);
}
