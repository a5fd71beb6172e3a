#![allow(clippy::unwrap_used)]

mod ior;

use super::*;
use iotempo_model::{Op, Scenario, Spatiality};

const MIB: f64 = 1_048_576.0;

fn read(text: &str) -> Result<BenchmarkReading, Error> {
    read_benchmarks(Input::bytes(text), &BenchmarkOptions::default())
}

fn read_with(text: &str, options: &BenchmarkOptions) -> BenchmarkReading {
    read_benchmarks(Input::bytes(text), options).unwrap()
}

fn codes(reading: &BenchmarkReading) -> Vec<&str> {
    reading.warnings.iter().map(|w| w.code.as_ref()).collect()
}

const HEADING: &str = "op,api,files,spatiality,nodes,processes,mib_per_process,request_kib,io_nodes,\
                       bandwidth_mib_per_s\n";

fn own(rows: &[&str]) -> Result<BenchmarkReading, Error> {
    read(&format!("{HEADING}{}\n", rows.join("\n")))
}

#[test]
fn our_own_table_keeps_units_in_the_names_of_columns() {
    let reading = own(&[
        "write,posix,shared,sequential,8,96,1024,512,2,100",
        "write,POSIX,shared,sequential,8,96,1024,512,2,120",
        "read,mpi-io,unique,collective,8,96,1024,512,0,100",
    ])
    .unwrap();
    assert_eq!((reading.format, reading.rows), (BenchmarkFormat::Own, 3));
    assert_eq!(reading.benchmarks.len(), 2);
    let write = &reading.benchmarks[1];
    let expected = Scenario {
        op: Op::Write,
        api: Api::Posix,
        files: FileStrategy::Shared,
        spatiality: Spatiality::Sequential,
        nodes: 8,
        processes: 96,
        bytes_per_process: 1 << 30,
        request_bytes: 1 << 19,
    };
    assert_eq!((write.scenario, write.io_nodes), (expected, 2));
    assert_eq!(write.bandwidths, [100.0 * MIB, 120.0 * MIB]);
    assert!(reading.warnings.is_empty(), "{:?}", reading.warnings);
}

#[test]
fn a_bandwidth_without_a_unit_is_refused() {
    let text = HEADING.replace("bandwidth_mib_per_s", "bandwidth");
    let error = read(&format!("{text}write,posix,shared,random,1,1,1,1,0,5\n")).unwrap_err();
    assert_eq!(
        error.to_string(),
        "line 1: the table has no column with a unit in its name, such as: bandwidth_mib_per_s"
    );
}

#[test]
fn requests_larger_than_what_a_process_moves_are_named_with_line_and_value() {
    // The request in bytes under a heading of KiB.
    let row = "write,posix,shared,consecutive,8,96,1024,2097152,2,100";
    let error = own(&[row]).unwrap_err().to_string();
    assert!(
        error.starts_with("line 2: no repetition can be used"),
        "{error}"
    );
    let good = "write,posix,shared,consecutive,8,96,1024,1024,2,100";
    let reading = own(&[good, row]).unwrap();
    assert_eq!((reading.rows, codes(&reading)), (1, vec!["row-left-out"]));
    let message = &reading.warnings[0].message;
    assert!(
        message.contains("line 3") && message.contains("2147483648 bytes"),
        "{message}"
    );
}

#[test]
fn bandwidths_in_bytes_among_others_in_mib_are_pointed_out_and_left_out() {
    let mib = "write,posix,shared,consecutive,8,96,1024,1024,2,100";
    let bytes = "write,posix,shared,consecutive,8,96,1024,1024,2,104857600";
    let reading = own(&[mib, bytes, mib]).unwrap();
    assert_eq!((reading.rows, codes(&reading)), (2, vec!["units-mixed"]));
    assert_eq!(reading.benchmarks[0].bandwidths, [100.0 * MIB; 2]);
    let message = &reading.warnings[0].message;
    assert!(
        message.starts_with("1 row left out, the first in line 3"),
        "{message}"
    );
    // Of two, nobody knows which is right.
    let error = own(&[mib, bytes]).unwrap_err().to_string();
    assert!(
        error.contains("line 2: no repetition can be used"),
        "{error}"
    );
    let far = "write,posix,shared,consecutive,8,96,1024,1024,2,1e12";
    let reading = own(&[mib, far]).unwrap();
    assert_eq!((reading.rows, codes(&reading)), (1, vec!["units"]));
}

#[test]
fn repetitions_of_two_prefixes_are_pointed_out_and_the_fewer_left_out() {
    let row = |value: f64| format!("write,posix,shared,consecutive,8,96,1024,1024,2,{value}");
    let of = |values: &[f64]| {
        let rows: Vec<String> = values.iter().map(|value| row(*value)).collect();
        own(&rows.iter().map(String::as_str).collect::<Vec<_>>())
    };
    // MB among GB; runs differ, too.
    for prefix in [1000.0, 1024.0] {
        let reading = of(&[410.0, 520.0, 390.0, 286.0 * prefix, 450.0]).unwrap();
        assert_eq!((reading.rows, codes(&reading)), (4, vec!["units-mixed"]));
        let message = &reading.warnings[0].message;
        let start = "1 row left out, the first in line 5: line 5 is ";
        assert!(message.starts_with(start), "{message}");
        let end = "times as fast as line 4 with the same sizes: are the units mixed up?";
        assert!(message.ends_with(end), "{message}");
    }
    // One run was helped by a cache: whether that one is of the other unit, or another.
    for values in [
        [3010.0, 2950.0, 3120.0, 2.18e7, 3060.0],
        [3010.0, 2950.0, 21_800.0, 3.12e6, 3060.0],
    ] {
        let reading = of(&values).unwrap();
        assert_eq!((reading.rows, codes(&reading)), (4, vec!["units-mixed"]));
    }
    // Of two, nobody knows which is right.
    let error = of(&[410.0, 410_000.0]).unwrap_err().to_string();
    assert!(error.contains("are the units mixed"), "{error}");
    for as_measured in [
        // HACC-IO without I/O nodes, of the report: a cache.
        &[370.1, 287.1, 52_145.5, 50_370.5, 383.0][..],
        // Whatever lies between.
        &[100.0, 1_500.0, 20_000.0, 100_000.0],
        // Two heaps, but no prefix apart.
        &[100.0, 30_000.0],
    ] {
        let reading = of(as_measured).unwrap();
        assert_eq!(codes(&reading), Vec::<&str>::new(), "{as_measured:?}");
    }
}

#[test]
fn what_ior_prints_is_in_one_unit_however_far_apart() {
    let text = IOR_3.replace("1300.0", "1300000.0");
    assert_ne!(text, IOR_3);
    assert_eq!(codes(&read(&text).unwrap()), ["assumed-io-nodes"]);
}

#[test]
fn what_our_own_table_has_no_column_for_somebody_else_says() {
    let text = "op,api,files,spatiality,processes,mib_per_process,request_kib,bandwidth_mib_per_s\n\
                write,posix,shared,consecutive,96,1024,1024,100\n";
    let error = read(text).unwrap_err();
    assert!(matches!(error.kind, ErrorKind::Unstated(_)), "{error}");
    let mut options = BenchmarkOptions {
        nodes: Some(8),
        io_nodes: Some(4),
        ..BenchmarkOptions::default()
    };
    let reading = read_with(text, &options);
    assert_eq!(reading.benchmarks[0].scenario.nodes, 8);
    assert_eq!(reading.benchmarks[0].io_nodes, 4);
    assert!(reading.warnings.is_empty());
    options.io_nodes = None;
    assert_eq!(codes(&read_with(text, &options)), ["assumed-io-nodes"]);
    let columns = ["Op", "request_kib", "bw(MiB/s)", "forwarders"];
    assert!(columns.into_iter().all(is_benchmark_column) && !is_benchmark_column("notes"));
}

#[test]
fn bandwidths_that_are_none_are_left_out_and_counted() {
    let row = |value: &str| format!("write,posix,shared,consecutive,8,96,1024,1024,2,{value}");
    let rows = ["100", "0", "NaN", "-3", "inf"].map(row);
    let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
    let reading = own(&rows).unwrap();
    assert_eq!(reading.benchmarks[0].bandwidths, [100.0 * MIB]);
    let message = &reading.warnings[0].message;
    assert_eq!(
        message,
        "4 rows left out, the first in line 3: a bandwidth of 0"
    );
}

#[test]
fn rows_with_other_words_or_numbers_are_left_out() {
    let reading = own(&[
        "write,posix,shared,consecutive,8,96,1024,1024,2,100",
        "append,posix,shared,consecutive,8,96,1024,1024,2,100",
        "write,posix,some,consecutive,8,96,1024,1024,2,100",
        "write,posix,shared,consecutive,96,8,1024,1024,2,100",
        "write,posix,shared,consecutive,8,96,1024,1024,1.5,100",
        "write,posix",
    ])
    .unwrap();
    assert_eq!(reading.rows, 1);
    let message = &reading.warnings[0].message;
    assert_eq!(
        message,
        "5 rows left out, the first in line 3: no op: append"
    );
}

#[test]
fn what_holds_nothing_is_an_error() {
    assert!(matches!(read("").unwrap_err().kind, ErrorKind::Empty));
    assert!(matches!(
        read("# nothing\n\n").unwrap_err().kind,
        ErrorKind::Empty
    ));
    let error = own(&[]).unwrap_err().to_string();
    assert_eq!(error, "no repetitions in it: table of benchmarks");
    assert!(
        read("dear diary\n")
            .unwrap_err()
            .to_string()
            .contains("dear diary")
    );
}

const FORGE: &str = "forwarders;clients;processes;layout;spatiality;odirect;stonewall;request;total;\
                     operation;time;transfered;bandwidth\n";

#[test]
fn forge_counts_requests_in_kib_and_all_else_in_mib() {
    let text = format!(
        "{FORGE}4;32;1536;0;0;1;60;4096;131072;write;62.05568;128068.0;2063.75944\n\
         0;16;192;1;1;1;60;4096;131072;write;68.63929;5784.0;84.26661\n"
    );
    let reading = read(&text).unwrap();
    assert_eq!(reading.format, BenchmarkFormat::Forge);
    let shared = &reading.benchmarks[0];
    assert_eq!(
        (shared.scenario.files, shared.io_nodes),
        (FileStrategy::Shared, 0)
    );
    assert_eq!(shared.scenario.spatiality, Spatiality::Sequential);
    assert_eq!(shared.scenario.request_bytes, 4 << 20);
    let own = &reading.benchmarks[1];
    assert_eq!(
        (own.scenario.files, own.scenario.nodes),
        (FileStrategy::Unique, 32)
    );
    assert_eq!(own.scenario.bytes_per_process, (131_072_u64 << 20) / 1536);
    assert_eq!(own.bandwidths, [2063.75944 * MIB]);
}

#[test]
fn forge_rows_whose_bandwidth_is_in_another_unit_are_left_out() {
    let text = format!(
        "{FORGE}4;32;1536;0;0;1;60;4096;131072;write;62.05568;128068.0;2063.75944\n\
         4;32;1536;0;0;1;60;4096;131072;write;62.05568;128068.0;2164.0086\n"
    );
    let reading = read(&text).unwrap();
    assert_eq!((reading.rows, codes(&reading)), (1, vec!["row-left-out"]));
    assert!(reading.warnings[0].message.contains("2164.0086"));
}

/// What IOR prints, without the line that says how many I/O nodes there were.
const IOR_3: &str = include_str!("../../../../testdata/corpus/benchmarks/ior-3.txt")
    .split_at("iotempo io_nodes=4\n".len())
    .1;

#[test]
fn ior_3_prints_a_row_per_repetition() {
    let reading = read(IOR_3).unwrap();
    assert_eq!(
        (reading.format, reading.rows),
        (BenchmarkFormat::IorText, 3)
    );
    let write = &reading.benchmarks[1];
    assert_eq!(write.bandwidths, [1206.52 * MIB, 1300.0 * MIB]);
    let scenario = write.scenario;
    assert_eq!((scenario.nodes, scenario.processes), (2, 32));
    assert_eq!(
        (scenario.bytes_per_process, scenario.request_bytes),
        (16 << 20, 1 << 20)
    );
    // A block per segment: the tasks' blocks alternate in the file.
    assert_eq!(scenario.spatiality, Spatiality::Sequential);
    assert_eq!(codes(&reading), ["assumed-io-nodes"]);
}

#[test]
fn the_scripts_of_a_plan_tell_the_io_nodes_of_each_run() {
    let text = format!("iotempo io_nodes=4\n{IOR_3}iotempo io_nodes=8\n{IOR_3}");
    let reading = read(&text).unwrap();
    let nodes: Vec<u32> = reading.benchmarks.iter().map(|b| b.io_nodes).collect();
    assert_eq!((nodes, reading.warnings.len()), (vec![4, 8, 4, 8], 0));
}

#[test]
fn ior_4_has_more_columns_and_3_0_other_signs() {
    let four = IOR_3
        .replace("IOR-3.3.0", "IOR-4.0.0")
        .replace(
            "bw(MiB/s)  block",
            "bw(MiB/s)  IOPS       Latency(s)  block",
        )
        .replace("write     1206.52", "write     1206.52    1206.5     0.02")
        .replace("single-shared-file", "file-per-process");
    let reading = read(&four).unwrap();
    assert_eq!(reading.benchmarks[1].bandwidths[0], 1206.52 * MIB);
    assert_eq!(reading.benchmarks[1].scenario.files, FileStrategy::Unique);
    let old = "IOR-3.0.1: MPI Coordinated Test of Parallel I/O\n\nSummary:\n\
               \tapi                = MPIIO (version=3, subversion=0)\n\
               \taccess             = single-shared-file\n\
               \tordering in a file = random offsets\n\
               \tclients            = 16 (8 per node)\n\
               \txfersize           = 262144 bytes\n\
               \tblocksize          = 16 MiB\n\
               \taggregate filesize = 256 MiB\n\n\
               access    bw(MiB/s)  block(KiB) xfer(KiB)  open(s)\n\
               write     99.5       16384      256        0.1\n";
    let old = read(old).unwrap().benchmarks[0].clone();
    assert_eq!((old.scenario.api, old.scenario.nodes), (Api::MpiIo, 2));
    assert_eq!(
        (old.scenario.spatiality, old.scenario.request_bytes),
        (Spatiality::Random, 262_144)
    );
}

#[test]
fn ior_as_json_is_read_with_and_without_lists_of_results() {
    let result = r#"{"access":"write","bwMiB":2000.5,"blockKiB":1024,"xferKiB":256}"#;
    let document = |results: &str| {
        format!(
            r#"{{"Version":"4.0.0","tests":[{{"TestID":0,
               "Parameters":{{"api":"MPIIO","collective":1,"transferSize":262144,"blockSize":1048576,
               "segmentCount":4,"filePerProc":0,"tasksPerNode":4}},
               "Options":{{"api":"MPIIO","access":"single-shared-file","tasks":"8","nodes":2,
               "xfersize":"262144 bytes"}},"Results":{results}}}]}}"#
        )
    };
    let options = BenchmarkOptions {
        io_nodes: Some(2),
        ..BenchmarkOptions::default()
    };
    for results in [format!("[{result}]"), format!("[[{result}],[]]")] {
        let reading = read_with(&document(&results), &options);
        let found = &reading.benchmarks[0];
        assert_eq!(
            (reading.format, found.io_nodes),
            (BenchmarkFormat::IorJson, 2)
        );
        assert_eq!(found.scenario.spatiality, Spatiality::Collective);
        assert_eq!(found.scenario.bytes_per_process, 4 << 20);
        assert_eq!(found.bandwidths, [2000.5 * MIB]);
    }
    let error = read("{\"tests\": [").unwrap_err().to_string();
    assert!(error.contains("no JSON"), "{error}");
}

#[test]
fn tables_of_ior_rows_say_what_they_assume() {
    let text = "access,bw(mib/s),block(kib),xfer(kib),ordering,nodes,nproc,ppn,xfersize,aggsize_bytes\n\
                read,52.65,28311552.0,4.0,random,1,16,16,4096.0,463856467968.0\n\
                write,,1,4,random,1,16,16,4096,463856467968\n";
    let reading = read(text).unwrap();
    let found = &reading.benchmarks[0];
    assert_eq!(found.scenario.spatiality, Spatiality::Random);
    assert_eq!(found.scenario.bytes_per_process, 27 << 30);
    let expected = [
        "assumed",
        "assumed-files",
        "assumed-io-nodes",
        "row-left-out",
    ];
    assert_eq!(codes(&reading), expected);
}
