//! IO500, and what IOR's rows are about.

use super::*;

#[test]
fn io500_needs_its_nodes_from_somebody() {
    let text = "[run]\nprocs = 40\n[ior-easy-write]\n\
                exe = ./ior -C -e -o f -t 2m -b 992000m -F -w -D 300 -a POSIX\nscore = 2.5\nt_delta = 320\n\
                [mdtest-easy-write]\nscore = 12\n\
                [ior-hard-write]\nexe = ./ior -C -e -t 47008 -b 47008 -s 10000000 -w -a MPIIO\nscore = 0.5\n";
    let error = read(text).unwrap_err();
    assert!(matches!(error.kind, ErrorKind::Unstated(_)), "{error}");
    assert_eq!(
        error.to_string(),
        "line 3: the number of nodes is not stated"
    );
    let options = BenchmarkOptions {
        nodes: Some(10),
        io_nodes: Some(0),
        ..BenchmarkOptions::default()
    };
    let reading = read_with(text, &options);
    assert_eq!((reading.format, reading.rows), (BenchmarkFormat::Io500, 2));
    let easy = &reading.benchmarks[0];
    assert_eq!(easy.bandwidths, [2.5 * 1024.0 * MIB]);
    assert_eq!(
        (easy.scenario.files, easy.scenario.api),
        (FileStrategy::Unique, Api::Posix)
    );
    // 800 GiB of 40 processes, and not the 38 TiB that they never got to.
    assert_eq!(easy.scenario.bytes_per_process, 20 << 30);
    let hard = &reading.benchmarks[1];
    assert_eq!(
        (hard.scenario.api, hard.scenario.request_bytes),
        (Api::MpiIo, 47_008)
    );
    assert_eq!(hard.scenario.spatiality, Spatiality::Sequential);
    assert_eq!(hard.scenario.bytes_per_process, 470_080_000_000);
    let summary = "[RESULT]       ior-easy-write        2.345 GiB/s : time 312.1 seconds\n";
    assert!(
        read(summary)
            .unwrap_err()
            .to_string()
            .contains("result.txt")
    );
}

#[test]
fn io500_moves_what_it_got_to_before_the_clock_ended_it() {
    let options = BenchmarkOptions {
        nodes: Some(4),
        io_nodes: Some(0),
        ..BenchmarkOptions::default()
    };
    let of = |section: &str| {
        let whole = "[ior-hard-write]\nexe = ior -t 1m -b 1g -w -a POSIX\nscore = 1\n";
        let reading = read_with(&format!("procs = 32\n{whole}{section}"), &options);
        assert_eq!(reading.format, BenchmarkFormat::Io500);
        reading
    };
    let moved = |section: &str| {
        let reading = of(section);
        let own = |one: &&Benchmark| one.scenario.files == FileStrategy::Unique;
        let found = reading.benchmarks.iter().find(own).unwrap();
        found.scenario.bytes_per_process
    };
    // Reads end where writes did, which a file tells them.
    let exe = "exe = ior -t 2m -b 9920000m -F -O stoneWallingStatusFile=x -a POSIX";
    let read = format!("[ior-easy-read]\n{exe} -r\nscore = 4\nt_delta = 80\n");
    assert_eq!(moved(&read), 10 << 30);
    // The clock ran on after all blocks were full.
    let full = "[ior-easy-write]\nexe = ior -t 4m -b 64m -F -w -D 300\nscore = 2\nt_delta = 1.5\n";
    assert_eq!(moved(full), 64 << 20);
    let unknown = "[ior-easy-write]\nexe = ior -t 4m -b 64m -F -w -D 300\nscore = 2\n";
    let reading = of(unknown);
    assert_eq!((reading.rows, codes(&reading)), (1, vec!["row-left-out"]));
    assert_eq!(
        reading.warnings[0].message,
        "1 row left out, the first in line 5: ended by a clock, and no t_delta tells what \
         ior-easy-write moved"
    );
    let unlimited = unknown.replace("-D 300", "-D 0");
    assert_eq!(moved(&unlimited), 64 << 20);
}

#[test]
fn rows_of_ior_with_other_words_are_left_out_and_told() {
    let text = "access,bw(MiB/s),nproc,nodes,xfersize,aggsize_bytes,io_nodes,api\n\
                WRITE,100,4,1,1048576,4194304,0,posix\n\
                Write,110,4,1,1048576,4194304,0,posix\n\
                remove,120,4,1,1048576,4194304,0,posix\n\
                wrote,130,4,1,1048576,4194304,0,posix\n\
                ,140,4,1,1048576,4194304,0,posix\n";
    let options = BenchmarkOptions {
        files: Some(FileStrategy::Shared),
        ..BenchmarkOptions::default()
    };
    let reading = read_with(text, &options);
    assert_eq!(reading.benchmarks[0].bandwidths, [100.0 * MIB, 110.0 * MIB]);
    assert_eq!(codes(&reading), ["row-left-out"]);
    assert_eq!(
        reading.warnings[0].message,
        "2 rows left out, the first in line 5: access is neither write nor read: wrote"
    );
    let json = include_str!("../../../../../testdata/corpus/benchmarks/ior.json")
        .replace("\"write\"", "\"Write\"")
        .replace("\"read\"", "\"trim\"");
    let reading = read(&json).unwrap();
    assert_eq!(reading.rows, 1);
    let left_out = reading.warnings.last().unwrap().to_string();
    assert!(
        left_out.contains("access is neither write nor read: trim"),
        "{left_out}"
    );
}
