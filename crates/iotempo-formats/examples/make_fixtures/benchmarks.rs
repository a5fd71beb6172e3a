//! Small results of benchmarks, one of every form, and a store for the run of `heat3d`.

use super::{Fixture, fixture};

/// A file per form.
pub(crate) fn all() -> Vec<Fixture> {
    vec![
        fixture("benchmarks/own.csv", OWN),
        fixture("benchmarks/forge.csv", FORGE),
        fixture("benchmarks/ior-rows.csv", IOR_ROWS),
        fixture("benchmarks/ior-3.txt", IOR_TEXT),
        fixture("benchmarks/ior.json", IOR_JSON),
        fixture("benchmarks/io500.txt", IO500),
    ]
}

/// How fast `heat3d` would be, by number of I/O nodes: its checkpoints of 64 processes, and reads by half and by
/// twice as many. One run in five found an empty cache.
pub(crate) fn of_heat3d() -> String {
    let mut table = String::from(
        "op,api,files,spatiality,nodes,processes,mib_per_process,request_kib,io_nodes,bandwidth_mib_per_s\n",
    );
    for (io_nodes, runs) in WRITES {
        for rate in runs {
            table += &format!("write,mpiio,shared,collective,8,64,128,131072,{io_nodes},{rate}\n");
        }
    }
    for (nodes, processes, tenths) in [(4, 32, 7), (16, 128, 13)] {
        for (io_nodes, runs) in READS {
            for rate in runs.map(|rate| rate * tenths / 10) {
                table += &format!(
                    "read,mpiio,shared,collective,{nodes},{processes},32,32768,{io_nodes},{rate}\n"
                );
            }
        }
    }
    table
}

/// MiB/s by number of I/O nodes.
const WRITES: [(u32, [u32; 5]); 5] = [
    (0, [3010, 2950, 3120, 21800, 3060]),
    (1, [1630, 1590, 1660, 1610, 1650]),
    (2, [2410, 2440, 2380, 2520, 2400]),
    (4, [3680, 3770, 3640, 3720, 3550]),
    (8, [3290, 3350, 3180, 3400, 3310]),
];
const READS: [(u32, [u32; 3]); 5] = [
    (0, [5200, 5350, 5100]),
    (1, [1750, 1720, 1790]),
    (2, [3400, 3350, 3450]),
    (4, [6300, 6150, 6420]),
    (8, [7100, 7300, 6900]),
];

const OWN: &str = "\
# A row per repetition.
op,api,files,spatiality,nodes,processes,mib_per_process,request_kib,io_nodes,bandwidth_mib_per_s
write,posix,shared,sequential,8,96,1024,512,2,100
write,posix,shared,sequential,8,96,1024,512,2,120
read,mpiio,unique,collective,8,96,1024,512,0,100
";

const FORGE: &str = "\
forwarders;clients;processes;layout;spatiality;odirect;stonewall;request;total;operation;time;transfered;bandwidth
4;32;1536;0;0;1;60;4096;131072;write;64.0;128000.0;2000.0
0;16;192;1;1;1;60;4096;131072;write;50.0;5000.0;100.0
";

const IOR_ROWS: &str = "\
access,bw(mib/s),block(kib),xfer(kib),ordering,nodes,nproc,ppn,xfersize,aggsize_bytes
read,52.5,1048576.0,4.0,random,1,16,16,4096.0,17179869184.0
write,99.5,1048576.0,4.0,sequential,1,16,16,4096.0,17179869184.0
";

const IOR_TEXT: &str = "\
iotempo io_nodes=4
IOR-3.3.0: MPI Coordinated Test of Parallel I/O
Began               : Mon Nov 16 08:00:00 2026
Command line        : ior -a POSIX -b 16m -t 1m -s 16
Options:
api                 : POSIX
apiVersion          :
test filename       : testFile
access              : single-shared-file
type                : independent
segments            : 16
ordering in a file  : sequential
ordering inter file : no tasks offsets
nodes               : 2
tasks               : 32
clients per node    : 16
repetitions         : 2
xfersize            : 1 MiB
blocksize           : 1 MiB
aggregate filesize  : 512 MiB

Results:

access    bw(MiB/s)  block(KiB) xfer(KiB)  open(s)    wr/rd(s)   close(s)   total(s)   iter
------    ---------  ---------- ---------  --------   --------   --------   --------   ----
write     1206.52    1024.00    1024.00    0.001      0.42       0.0001     0.42       0
read      5000.00    1024.00    1024.00    0.001      0.10       0.0001     0.10       0
remove    -          -          -          -          -          -          0.001      0
write     1300.00    1024.00    1024.00    0.001      0.40       0.0001     0.39       1
Max Write: 1300.00 MiB/sec (1363.15 MB/sec)
Max Read:  5000.00 MiB/sec (5242.88 MB/sec)

Summary of all tests:
Operation   Max(MiB)   Min(MiB)  Mean(MiB)
write        1300.00    1206.52    1253.26
";

const IOR_JSON: &str = r#"{"Version": "4.0.0", "tests": [{"TestID": 0,
"Parameters": {"api": "MPIIO", "collective": 1, "transferSize": 262144, "blockSize": 1048576, "segmentCount": 4, "filePerProc": 0, "tasksPerNode": 4},
"Options": {"api": "MPIIO", "access": "single-shared-file", "tasks": "8", "nodes": 2, "xfersize": "262144 bytes"},
"Results": [{"access": "write", "bwMiB": 2000.5, "blockKiB": 1024, "xferKiB": 256}, {"access": "read", "bwMiB": 3000.5}]}]}
"#;

const IO500: &str = "\
[run]
procs = 40
[ior-easy-write]
exe = ./ior -C -e -o f -t 2m -b 992000m -F -w -D 300 -a POSIX
score = 2.5
t_delta = 310
[ior-hard-write]
exe = ./ior -C -e -t 47008 -b 47008 -s 10000000 -w -a MPIIO
score = 0.5
";
