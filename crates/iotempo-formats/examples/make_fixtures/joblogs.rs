//! Small job logs of every form. All tell of the same jobs.

use super::{Fixture, fixture};
use flate2::write::DeflateEncoder;
use flate2::{Compression, Crc};
use std::io::Write;

/// A log per form.
pub(crate) fn all() -> Vec<Fixture> {
    vec![
        fixture("joblog/sacct.txt", SACCT),
        fixture("joblog/sacct-trailing.txt", trailing()),
        fixture("joblog/sacct-table.txt", TABLE),
        fixture("joblog/sacct-noheader.txt", NO_HEADER),
        fixture("joblog/sacct.json", JSON),
        fixture("joblog/sacct-new.json", NEW_JSON),
        fixture("joblog/pytokio.json", PYTOKIO),
        fixture("joblog/jobcomp.log", JOBCOMP),
        fixture("joblog/scontrol.txt", SCONTROL),
        fixture("joblog/workload.swf", SWF),
        fixture("joblog/workload.swf.zip", zip(SWF.as_bytes())),
        fixture("joblog/pbs.log", PBS),
        fixture("joblog/jobs.csv", CSV),
    ]
}

const SACCT: &str = "\
JobID|JobIDRaw|User|Account|JobName|Partition|State|ExitCode|Submit|Start|End|Timelimit|NNodes|NCPUS|NodeList
41|41|ada|p1|heat|cpu|COMPLETED|0:0|2026-03-01T10:00:00|2026-03-01T10:05:00|2026-03-01T11:05:00|02:00:00|4|256|n[001-004]
41.batch|41.batch||p1|batch||COMPLETED|0:0|2026-03-01T10:05:00|2026-03-01T10:05:00|2026-03-01T11:05:00||1|64|n001
42_1|43|bob|p2|odd|name|gpu|CANCELLED by 1000|0:15|2026-03-01T10:01:00|2026-03-01T10:06:00|2026-03-01T10:07:00|UNLIMITED|1|8|g1
42_[2-3]|42|bob|p2|odd|gpu|PENDING|0:0|2026-03-01T10:01:00|Unknown|Unknown|UNLIMITED|1|8|None assigned
44+0|44|ada|p1|pair|cpu|RUNNING|0:0|2026-03-01T10:02:00|2026-03-01T10:08:00|Unknown|1-00:00:00|2|128|n[005-006]
";

/// As `sacct -p --delimiter=::` prints it.
fn trailing() -> String {
    "\
JobID::User::State::Start::End::
41::ada::COMPLETED::1772359500::1772363100::
45::bob::OUT_OF_MEMORY::1772359560::1772359620::
"
    .to_owned()
}

const TABLE: &str = "\
JobID           JobName      User      State               Start                 End   NNodes 
------------ ---------- --------- ---------- ------------------- ------------------- -------- 
41                 heat       ada  COMPLETED 2026-03-01T10:05:00 2026-03-01T11:05:00        4 
41.batch          batch            COMPLETED 2026-03-01T10:05:00 2026-03-01T11:05:00        1 
42_1         odd|name,+       bob CANCELLED+ 2026-03-01T10:06:00 2026-03-01T10:07:00        1 
";

const NO_HEADER: &str = "\
41|heat|cpu|p1|256|COMPLETED|0:0
41.batch|batch||p1|64|COMPLETED|0:0
42_1|odd|name|gpu|p2|8|CANCELLED by 1000|0:15
";

const JSON: &str = r#"{"meta":{"Slurm":{"release":"22.05.8"}},"errors":[],"jobs":[
{"account":"p1","allocation_nodes":4,"array":{"job_id":0,"task":null,"task_id":null},
 "time":{"elapsed":3600,"start":1772359500,"end":1772363100,"submission":1772359200,"limit":120},
 "exit_code":{"status":"SUCCESS","return_code":0},"group":"hpc","job_id":41,"name":"heat",
 "nodes":"n[001-004]","partition":"cpu","state":{"current":"COMPLETED","reason":"None"},
 "steps":[{"step":{"job_id":41,"id":"batch","name":"batch"},"state":"COMPLETED",
  "time":{"start":1772359500,"end":1772363100},"nodes":{"count":1,"range":"n001"},"tasks":{"count":1}}],
 "tres":{"allocated":[{"type":"cpu","count":256},{"type":"node","count":4}]},"user":"ada"}]}
"#;

const NEW_JSON: &str = r#"{"jobs":[
{"account":"p2","array":{"job_id":42,"task_id":{"set":true,"infinite":false,"number":1},"task":""},
 "time":{"start":1772359560,"end":0,"submission":1772359260,
  "limit":{"set":true,"infinite":true,"number":0}},
 "exit_code":{"status":["PENDING"],"return_code":{"set":false,"infinite":false,"number":0}},
 "job_id":43,"name":"odd|name","nodes":"g1","state":{"current":["RUNNING","COMPLETING"]},
 "steps":[],"user":"bob"}],"meta":{"slurm":{"release":"23.11.4"}},"errors":[]}
"#;

const PYTOKIO: &str = r#"{"41.0": {"jobidraw": "41.0", "start": "2026-03-01T10:05:00",
"end": "2026-03-01T11:05:00", "nodelist": ["n001", "n002"]}, "41": {"jobidraw": "41",
"start": "2026-03-01T10:05:00", "end": "2026-03-01T11:05:00", "nodelist": ["n001", "n002"]}}
"#;

const JOBCOMP: &str = "\
JobId=41 UserId=ada(1000) GroupId=hpc(100) Name=heat JobState=COMPLETED Partition=cpu TimeLimit=120 \
StartTime=2026-03-01T10:05:00 EndTime=2026-03-01T11:05:00 NodeList=n[001-004] NodeCnt=4 ProcCnt=256 \
WorkDir=/home/ada Account=p1 SubmitTime=2026-03-01T10:00:00 ExitCode=0:0 
JobId=43 UserId=bob(1001) GroupId=hpc(100) Name=odd|name, with sep JobState=CANCELLED Partition=gpu \
TimeLimit=UNLIMITED StartTime=2026-03-01T10:06:00 EndTime=2026-03-01T10:07:00 NodeList=g1 NodeCnt=1 \
ProcCnt=8 WorkDir=/home/bob Account=p2 SubmitTime=2026-03-01T10:01:00 ArrayJobId=42 ArrayTaskId=1 \
ExitCode=0:15 
";

const SCONTROL: &str = "\
JobId=44 JobName=pair
   UserId=ada(1000) GroupId=hpc(100) MCS_label=N/A
   JobState=RUNNING Reason=None Dependency=(null)
   RunTime=00:10:00 TimeLimit=1-00:00:00 TimeMin=N/A
   SubmitTime=2026-03-01T10:02:00 EligibleTime=2026-03-01T10:02:00
   StartTime=2026-03-01T10:08:00 EndTime=2026-03-02T10:08:00 Deadline=N/A
   Partition=cpu AllocNode:Sid=login:1
   NodeList=n[005-006]
   NumNodes=2 NumCPUs=128 NumTasks=128 CPUs/Task=1

";

const SWF: &str = "\
; Version: 2.2
; UnixStartTime: 1772359200
; MaxProcs: 1024
1 0 300 3600 256 -1 -1 256 7200 -1 1 5 2 7 1 1 -1 -1
2 60 300 60.5 8 -1 -1 8 -1 -1 0 6 2 8 2 1 -1 -1
3 90 -1 -1 -1 -1 -1 16 600 -1 5 7 2 -1 1 1 2 30
";

const PBS: &str = "\
03/01/2026 10:05:00;S;41.srv;user=ada group=hpc
03/01/2026 11:05:00;E;41.srv;user=ada group=hpc project=\"p 1\" jobname=heat queue=cpu \
ctime=1772359200 qtime=1772359200 start=1772359500 exec_host=n1/0*64+n2/0*64 Resource_List.nodect=2 \
Resource_List.walltime=02:00:00 end=1772363100 Exit_status=0
03/01/2026 10:07:00;E;42[1].srv;user=bob start=1772359560.5 end=1772359620.25 exec_host=\"0-4,6\" \
Exit_status=271
";

const CSV: &str = "\
\"JOB_NAME\",\"COBALT_JOBID\",\"QUEUED_TIMESTAMP\",\"START_TIMESTAMP\",\"END_TIMESTAMP\",\
\"USERNAME_GENID\",\"QUEUE_NAME\",\"WALLTIME_SECONDS\",\"NODES_USED\",\"EXIT_STATUS\"
\"heat, twice\",\"41\",\"2026-03-01 10:00:00\",\"2026-03-01 10:05:00.250000\",\"2026-03-01 11:05:00\",\
\"777\",\"cpu\",\"7200.0000\",\"4.0000\",\"0\"
";

/// A zip file with one member, which is all that a reader looks at.
fn zip(text: &[u8]) -> Vec<u8> {
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::default());
    let mut crc = Crc::new();
    crc.update(text);
    let packed = match encoder.write_all(text).and_then(|()| encoder.finish()) {
        Ok(packed) => packed,
        Err(error) => unreachable!("memory takes what is written: {error}"),
    };
    let mut zip = b"PK\x03\x04\x14\0\0\0\x08\0\0\0\0\0".to_vec();
    zip.extend(crc.sum().to_le_bytes());
    zip.extend((packed.len() as u32).to_le_bytes());
    zip.extend((text.len() as u32).to_le_bytes());
    zip.extend([12, 0, 0, 0]);
    zip.extend(b"workload.swf");
    zip.extend(packed);
    zip.extend(b"PK\x01\x02");
    zip
}
