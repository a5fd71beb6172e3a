//! `iotempo phases`: the tables of the paper on SummarIO, and everything that the verb writes.
#![allow(clippy::unwrap_used)]

mod common;
use common::Place;
use common::schema::{check, schema};
use iotempo_formats::darshan::writer::{CounterRecord, LogWriter};
use iotempo_formats::darshan::{JobRecord, LogVersion, Module};

const MIB: i64 = 1 << 20;

/// A log of a job with so many processes.
fn log(processes: i64) -> LogWriter {
    LogWriter::new(LogVersion::V321).job(JobRecord {
        nprocs: processes,
        start_s: 1_600_000_000,
        end_s: 1_600_000_200,
        jobid: 17,
        exe: "./app".to_owned(),
        ..JobRecord::default()
    })
}

/// Writes to a file through POSIX: requests, bytes, and how many of them are consecutive and sequential.
fn written(
    name: &str,
    rank: i64,
    [requests, bytes, consecutive, sequential]: [i64; 4],
    [start, end, time]: [f64; 3],
) -> CounterRecord {
    CounterRecord::new(Module::Posix, name)
        .rank(rank)
        .counter("POSIX_WRITES", requests)
        .counter("POSIX_BYTES_WRITTEN", bytes)
        .counter("POSIX_CONSEC_WRITES", consecutive)
        .counter("POSIX_SEQ_WRITES", sequential)
        .float("POSIX_F_WRITE_START_TIMESTAMP", start)
        .float("POSIX_F_WRITE_END_TIMESTAMP", end)
        .float("POSIX_F_WRITE_TIME", time)
}

/// 128 processes write 64 requests of 2 MiB each to one file; each process to its own part of it.
fn single_a() -> LogWriter {
    let counts = [8192, 8192 * 2 * MIB, 63 * 128, 64 * 128 - 1];
    log(128).record(written(
        "/shared",
        -1,
        counts,
        [0.026459, 71.625603, 6082.274540],
    ))
}

/// 512 processes write 16 requests of 4 MiB each to a file of their own.
fn single_b() -> LogWriter {
    log(512).records((0..512).map(|rank| {
        let times = match rank {
            100 => [0.064315, 98.9, 98.8],
            200 => [0.072, 99.164715, 99.092545],
            _ => [0.07 + 1e-5 * rank as f64, 90.0, 80.0],
        };
        written(
            &format!("/file.{rank}"),
            rank,
            [16, 64 * MIB, 15, 15],
            times,
        )
    }))
}

/// Eight times, 24 processes write 256 requests of 512 KiB each to a new file, in turns.
fn periodic_a() -> LogWriter {
    let counts = [6144, 6144 * MIB / 2, 0, 6144 - 1];
    log(24).records((0..8).map(|phase| {
        let later = 24.0 * f64::from(phase);
        let times = [10.031531 + later, 24.02671 + later, 267.331453];
        written(&format!("/shared.{phase}"), -1, counts, times)
    }))
}

/// Eight times, 24 processes write 32,768 requests of 4 KiB each to a file of their own.
fn periodic_b() -> LogWriter {
    let counts = [32_768, 128 * MIB, 32_767, 32_767];
    let files = (0..8).flat_map(|phase| (0..24).map(move |rank| (phase, rank)));
    log(24).records(files.map(|(phase, rank)| {
        let later = 20.5 * f64::from(phase);
        let times = match rank {
            3 => [10.030157 + later, 20.2 + later, 10.1],
            5 => [10.05 + later, 20.391011 + later, 10.334366],
            _ => [10.04 + later, 20.0 + later, 9.9],
        };
        written(&format!("/file.{phase}.{rank}"), rank, counts, times)
    }))
}

/// HACC-IO: 64 processes write nine arrays and a header to a file of their own.
fn hacc() -> LogWriter {
    log(64).records((0..64).map(|rank| {
        let times = match rank {
            7 => [0.032241, 2.2, 2.1],
            9 => [0.04, 2.386244, 2.337255],
            _ => [0.035, 2.0, 1.9],
        };
        let sizes = [(400_000, 7), (25_165_824, 1), (800_000, 1), (200_000, 1)];
        let bytes = sizes.iter().map(|(size, count)| size * count).sum();
        let mut record = written(&format!("/part.{rank}"), rank, [10, bytes, 9, 9], times)
            .counter("POSIX_SIZE_WRITE_100K_1M", 9)
            .counter("POSIX_SIZE_WRITE_10M_100M", 1);
        for (place, (size, count)) in sizes.into_iter().enumerate() {
            record.set(format!("POSIX_ACCESS{}_ACCESS", place + 1), size);
            record.set(format!("POSIX_ACCESS{}_COUNT", place + 1), count);
        }
        record
    }))
}

/// The rows that a log gives, without the heading.
fn rows(log: &LogWriter, name: &str, options: &[&str]) -> Vec<String> {
    let place = Place::new();
    place.write(name, log.finish().unwrap());
    let mut words = vec!["phases", name, "--csv"];
    words.extend(options);
    let ran = place.run(&words).ok();
    ran.lines()[1..]
        .iter()
        .map(|line| (*line).to_owned())
        .collect()
}

#[test]
fn tables_2_5_and_7_of_the_paper_come_out() {
    let tables = [
        (
            "SINGLE-A",
            single_a(),
            1,
            "0.026459,71.625603,write,all,17179869184,47.51776984375,POSIX,8192,contiguous,shared,1,128",
        ),
        (
            "SINGLE-B",
            single_b(),
            1,
            "0.064315,99.164715,write,all,34359738368,99.092545,POSIX,8192,contiguous,unique,512,1",
        ),
        (
            "PER.-A",
            periodic_a(),
            8,
            "10.031531,24.02671,write,all,3221225472,11.1388105416667,POSIX,6144,sequential,shared,1,24",
        ),
        (
            "PER.-B",
            periodic_b(),
            8,
            "10.030157,20.391011,write,all,3221225472,10.334366,POSIX,786432,contiguous,unique,24,1",
        ),
        (
            "HACC-IO",
            hacc(),
            1,
            "0.032241,2.386244,write,all,1853812736,2.337255,POSIX,640,contiguous,unique,64,1",
        ),
    ];
    for (job, log, phases, expected) in tables {
        let found = rows(&log, job, &["--compat"]);
        assert_eq!(found.len(), phases, "{job}");
        // The paper prints 15 digits of times.
        let digits = |cell: &str| match cell.parse::<f64>() {
            Ok(number) => format!("{number:.13}"),
            Err(_) => cell.to_owned(),
        };
        let row: Vec<String> = found[0].split(',').map(digits).collect();
        let expected = format!("{job},{expected}");
        let expected: Vec<String> = expected.split(',').map(digits).collect();
        assert_eq!(row, expected);
        // What we put right does not concern these.
        let ours = rows(&log, job, &[]);
        assert_eq!(ours.len(), phases);
        let processes = expected_ranks(job);
        for (ours, theirs) in ours.iter().zip(&found) {
            let ours = ours.replace("consecutive", "contiguous");
            assert_eq!(ours, format!("{theirs},{processes},,"));
        }
    }
}

/// How many processes the jobs of the paper had.
fn expected_ranks(job: &str) -> u64 {
    match job {
        "SINGLE-A" => 128,
        "SINGLE-B" => 512,
        "HACC-IO" => 64,
        _ => 24,
    }
}

#[test]
fn the_columns_are_those_of_summario() {
    let place = Place::new();
    place.write("a.darshan", single_a().finish().unwrap());
    let theirs = "job,start,end,type,rank,bytes,time,api,#requests,spatiality,files,#files,\
                  mode of #processes";
    let ran = place
        .run(&["phases", "a.darshan", "--csv", "--compat"])
        .ok();
    assert_eq!(ran.lines()[0], theirs);
    let ran = place.run(&["phases", "a.darshan", "--csv"]).ok();
    assert_eq!(ran.lines()[0], format!("{theirs},#ranks,flags,error"));
}

#[test]
fn a_mixture_of_sizes_adds_up_to_the_bytes() {
    let place = Place::new();
    place.write("hacc.darshan", hacc().finish().unwrap());
    let json = place.run(&["phases", "hacc.darshan", "--json"]).ok().json();
    let sizes = &json["results"][0]["phases"][0]["sizes"];
    assert_eq!(sizes["exact"], true);
    let told = sizes["shares"].as_array().unwrap().iter();
    let told: Vec<_> = told
        .map(|share| [&share["size_bytes"], &share["requests"]].map(|n| n.as_u64().unwrap()))
        .collect();
    assert_eq!(
        told,
        [
            [200_000, 64],
            [400_000, 448],
            [800_000, 64],
            [25_165_824, 64]
        ]
    );
    let bytes: u64 = told.iter().map(|[size, count]| size * count).sum();
    assert_eq!(bytes, 1_853_812_736);
}

/// A log in which everything is odd.
fn odd() -> LogWriter {
    let stdio = |name: &str| {
        CounterRecord::new(Module::Stdio, name)
            .counter("STDIO_WRITES", 3)
            .counter("STDIO_BYTES_WRITTEN", 77)
    };
    log(4)
        .partial(Module::Posix)
        .record(written("/negative", -1, [8, 800, 4, 7], [1.0, 2.0, -0.25]))
        .record(written("/nan", 1, [8, 800, 7, 7], [1.0, 2.0, f64::NAN]))
        .record(written("/empty", 1, [2, 0, 0, 0], [1.0, 2.0, 0.1]))
        .record(written("/beyond", 9, [8, 800, 7, 7], [1.0, 2.0, 0.1]))
        .record(stdio("/timeless"))
        .record(
            stdio("<STDOUT>")
                .float("STDIO_F_WRITE_START_TIMESTAMP", 0.5)
                .float("STDIO_F_WRITE_END_TIMESTAMP", 0.6),
        )
        .record(
            CounterRecord::new(Module::MpiIo, "/overflow")
                .counter("MPIIO_INDEP_READS", 4)
                .counter("MPIIO_BYTES_READ", -22_238)
                .float("MPIIO_F_READ_START_TIMESTAMP", 0.5)
                .float("MPIIO_F_READ_END_TIMESTAMP", 0.6),
        )
}

#[test]
fn what_is_odd_has_a_clear_answer() {
    let place = Place::new();
    place.write("odd.darshan", odd().finish().unwrap());
    let json = place.run(&["phases", "odd.darshan", "--json"]).ok().json();
    let result = &json["results"][0];
    let codes = result["warnings"].as_array().unwrap().iter();
    let codes: Vec<_> = codes
        .map(|warning| warning["code"].as_str().unwrap())
        .collect();
    for code in [
        "partial",
        "negative-timers",
        "negative-counts",
        "not-a-number",
        "odd-ranks",
        "no-timestamps",
    ] {
        assert!(codes.contains(&code), "{code}: {codes:?}");
    }
    assert_eq!(result["left_out"]["bytes_without_times"], 77);
    assert_eq!(result["left_out"]["zero_bytes"], 2);
    let phases = result["phases"].as_array().unwrap();
    let posix: Vec<_> = phases
        .iter()
        .filter(|phase| phase["api"] == "posix")
        .collect();
    assert!(posix.iter().all(|phase| phase["flags"]["partial"] == true));
    let shared = posix
        .iter()
        .find(|phase| phase["strategy"] == "shared")
        .unwrap();
    assert_eq!(shared["time_s"], 0);
    let stdio = phases.iter().find(|phase| phase["api"] == "stdio").unwrap();
    assert_eq!(
        (&stdio["spatiality"], &stdio["flags"]["partial"]),
        (&"unknown".into(), &false.into())
    );
}

#[test]
fn rank_minus_one_of_one_process_is_that_process() {
    let log = log(1).record(written("/f", -1, [8, 800, 7, 7], [1.0, 2.0, 0.5]));
    let [row] = <[String; 1]>::try_from(rows(&log, "one", &[])).unwrap();
    assert_eq!(
        row,
        "one,1,2,write,all,800,0.5,POSIX,8,consecutive,unique,1,1,1,,"
    );
    let [row] = <[String; 1]>::try_from(rows(&log, "one", &["--compat"])).unwrap();
    assert_eq!(
        row,
        "one,1,2,write,all,800,0.5,POSIX,8,contiguous,shared,1,1"
    );
}

#[test]
fn bad_logs_are_rows_of_errors_and_stop_nothing() {
    let place = Place::new();
    place.write("logs/a.darshan", single_a().finish().unwrap());
    place.write("logs/b.darshan", common::cut_darshan());
    place.write("logs/c.darshan", hacc().finish().unwrap());
    place.write("logs/notes.txt", "dear diary\n");
    place.write("logs/samples.csv", "time,bandwidth\n0,1\n1,1\n");
    let ran = place.run(&["phases", "logs", "--csv"]).code(1);
    let jobs: Vec<_> = ran
        .lines()
        .iter()
        .map(|line| line.split(',').next().unwrap().to_owned())
        .collect();
    assert_eq!(
        jobs,
        ["job", "logs/a.darshan", "logs/b.darshan", "logs/c.darshan"]
    );
    assert!(!ran.out.contains("samples"), "{ran:?}");
    assert!(
        ran.lines()[2].starts_with("logs/b.darshan,,,,,,,,,,,,,,,"),
        "{ran:?}"
    );
    assert!(ran.lines()[2].len() > 35);
    let json = place.run(&["phases", "logs", "--json"]).code(1).json();
    assert_eq!(json["results"].as_array().unwrap().len(), 2);
    assert_eq!(json["errors"][0]["input"], "logs/b.darshan");
    let ran = place.run(&["phases", "logs"]).code(1);
    assert!(ran.out.contains("2 logs, 2 phases"), "{ran:?}");
    assert!(ran.out.contains("counters cannot show"));
}

#[test]
fn requests_of_any_trace_are_counted() {
    let place = Place::with_requests();
    place.write("dxt.txt", common::DXT_TEXT);
    let json = place
        .run(&["phases", "--json", "requests.csv", "dxt.txt"])
        .ok()
        .json();
    let schema = schema("phases");
    assert_eq!(check(&json, &schema, &schema, ""), Vec::<String>::new());
    let result = &json["results"][0];
    assert_eq!(
        (&result["source"], &result["job"]["ranks"]),
        (&"requests".into(), &2.into())
    );
    let told: Vec<_> = result["phases"]
        .as_array()
        .unwrap()
        .iter()
        .map(|phase| format!("{} {} {}", phase["api"], phase["op"], phase["bytes"]))
        .collect();
    assert_eq!(told, ["\"posix\" \"write\" 1000", "\"stdio\" \"read\" 50"]);
    let dxt = &json["results"][1];
    assert_eq!(dxt["source"], "dxt");
    assert!(
        dxt["phases"]
            .as_array()
            .unwrap()
            .iter()
            .all(|phase| phase["spatiality"] == "unknown")
    );
    // Each layer of the text is there, and each byte once.
    let all: Vec<_> = dxt["phases"].as_array().unwrap().iter().collect();
    let sum = |key: &str| {
        all.iter()
            .map(|phase| phase[key].as_u64().unwrap())
            .sum::<u64>()
    };
    let text = String::from_utf8_lossy(common::DXT_TEXT);
    let lengths: u64 = text
        .lines()
        .filter(|line| !line.starts_with('#'))
        .filter_map(|line| line.split_whitespace().nth(5)?.parse::<u64>().ok())
        .sum();
    assert!(lengths > 0);
    assert_eq!(sum("bytes"), lengths, "{dxt}");
    let below: u64 = all
        .iter()
        .filter(|phase| phase["flags"]["shadow"] == true)
        .map(|phase| phase["bytes"].as_u64().unwrap())
        .sum();
    assert_eq!(sum("shadow_bytes"), below, "{dxt}");
    let ran = place.run(&["phases", "requests.csv", "dxt.txt"]).ok();
    // The text has offsets: it is not the input that cannot show them.
    let told = "phases of requests cannot show where in files they lie: offsets, if there are any, are not used";
    assert_eq!(ran.out.matches(told).count(), 1);
    place.write("nameless.csv", "start,end,bytes\n0,1,5\n");
    let ran = place.run(&["phases", "nameless.csv"]).ok();
    assert!(
        ran.out.contains("1 request of a file without a name"),
        "{ran:?}"
    );
}

#[test]
fn columns_of_a_table_of_requests_can_be_named() {
    let place = Place::new();
    place.write("odd.csv", "von,bis,len\n0,1000,8\n");
    let ran = place.run(&["phases", "odd.csv"]).code(1);
    assert!(ran.err.contains("--columns says what"), "{ran:?}");
    let words = ["--columns", "start_ms=von,end_ms=bis,bytes_kib=len"];
    let json = place
        .run(&[&["phases", "odd.csv", "--json"], &words[..]].concat())
        .ok()
        .json();
    let schema = schema("phases");
    assert_eq!(check(&json, &schema, &schema, ""), Vec::<String>::new());
    assert_eq!(json["settings"]["columns"]["start_ms"], "von");
    let phase = &json["results"][0]["phases"][0];
    assert_eq!(
        (&phase["end_s"], &phase["bytes"]),
        (&1.into(), &8192.into())
    );
    // An estimate reads the same phases.
    let plan = ["estimate", "odd.csv", "--nodes", "1", "--plan"];
    let ran = place.run(&plan).code(1);
    assert!(ran.err.contains("--columns says what"), "{ran:?}");
    let ran = place.run(&[&plan, &words[..]].concat());
    assert!(!ran.err.contains("--columns"), "{ran:?}");
}

#[test]
fn what_holds_neither_counters_nor_requests_is_told() {
    let place = Place::with_requests();
    place.write("samples.csv", "time,bandwidth\n0,1\n1,1\n");
    let ran = place.run(&["phases", "samples.csv"]).code(1);
    assert!(ran.err.contains("it holds samples"), "{ran:?}");
    for (words, told) in [
        (&["--threshold", "2"][..], "between 0 and 1"),
        (&["--time-distance", "-1"], "seconds from 0 on"),
        (&["-o", "page.txt"], "ends in .html"),
    ] {
        let mut all = vec!["phases", "requests.csv"];
        all.extend(words);
        let ran = place.run(&all).code(2);
        assert!(ran.err.contains(told), "{ran:?}");
    }
}

#[test]
fn finer_evidence_in_the_log_is_held_against_the_phases() {
    let place = Place::new();
    place.write("log.darshan", common::DARSHAN);
    let ran = place.run(&["phases", "log.darshan", "--ascii"]).ok();
    assert!(
        ran.out.contains("begin and end within 5 % of their length"),
        "{ran:?}"
    );
    assert!(ran.out.contains("POSIX write"), "{ran:?}");
    let json = place.run(&["phases", "log.darshan", "--json"]).ok().json();
    let phases = json["results"][0]["phases"].as_array().unwrap();
    let posix: Vec<_> = phases
        .iter()
        .filter(|phase| phase["api"] == "posix")
        .collect();
    assert!(!posix.is_empty());
    for phase in posix {
        assert_eq!(phase["agreement"]["agrees"], true, "{phase}");
        assert_eq!(phase["agreement"]["witness"], "dxt");
        assert_eq!(phase["agreement"]["bytes_share"], 1);
    }
}

#[test]
fn json_is_what_its_schema_says() {
    let schema = schema("phases");
    let place = Place::new();
    place.write("logs/log.darshan", common::DARSHAN);
    place.write("logs/odd.darshan", odd().finish().unwrap());
    place.write("logs/bad.darshan", common::cut_darshan());
    place.write("logs/hacc.darshan", hacc().finish().unwrap());
    for options in [
        &[][..],
        &["--compat", "--threshold", "0.5", "--time-distance", "2s"],
    ] {
        let mut words = vec!["phases", "logs", "--json"];
        words.extend(options);
        let json = place.run(&words).json();
        let none: [String; 0] = [];
        assert_eq!(check(&json, &schema, &schema, ""), none);
        assert_eq!(json["results"].as_array().unwrap().len(), 3);
    }
}

#[test]
fn a_page_stands_alone_and_holds_every_phase() {
    let place = Place::new();
    place.write("<b>.darshan", odd().finish().unwrap());
    place
        .run(&["phases", "<b>.darshan", "-o", "page.html"])
        .ok();
    let page = place.read("page.html");
    assert!(page.starts_with("<!doctype html>") && page.contains("</html>"));
    assert!(!page.contains("<b>.darshan"), "names are escaped");
    for outside in ["http://", "https://", "src="] {
        assert!(!page.contains(outside), "{outside}");
    }
    let json = place.run(&["phases", "<b>.darshan", "--json"]).ok().json();
    let phases = json["results"][0]["phases"].as_array().unwrap().len();
    assert_eq!(page.matches("<rect").count(), phases);
    // As on a terminal: how large requests are; and the format once.
    assert!(page.contains("mean request</th>"), "{page}");
    assert_eq!(page.matches("<dt>format</dt>").count(), 1, "{page}");
    assert!(page.contains("Counters cannot show"));
    let two = place
        .run(&["phases", "<b>.darshan", "<b>.darshan", "-o", "p.html"])
        .code(2);
    assert!(two.err.contains("a page is about one log"), "{two:?}");
}

/// A file that POSIX wrote and MPI-IO read.
fn written_below_and_read_above() -> LogWriter {
    let moved = |module, prefix: &str, requests: &str, word: &str, bytes| {
        let (first, last) = match word {
            "READ" => (5.0, 6.0),
            _ => (1.0, 2.0),
        };
        let counted = if word == "READ" {
            "BYTES_READ"
        } else {
            "BYTES_WRITTEN"
        };
        CounterRecord::new(module, "/f")
            .rank(-1)
            .counter(format!("{prefix}_{requests}"), 8)
            .counter(format!("{prefix}_{counted}"), bytes)
            .float(format!("{prefix}_F_{word}_START_TIMESTAMP"), first)
            .float(format!("{prefix}_F_{word}_END_TIMESTAMP"), last)
    };
    let mut below = moved(Module::Posix, "POSIX", "WRITES", "WRITE", 400 * MIB);
    below.set("POSIX_READS", 8);
    below.set("POSIX_BYTES_READ", 900 * MIB);
    let below = below
        .float("POSIX_F_READ_START_TIMESTAMP", 5.0)
        .float("POSIX_F_READ_END_TIMESTAMP", 6.0);
    let above = moved(Module::MpiIo, "MPIIO", "COLL_READS", "READ", 900 * MIB);
    log(8).record(below).record(above)
}

#[test]
fn what_one_layer_wrote_and_another_read_is_in_the_sums() {
    let place = Place::new();
    place.write("log", written_below_and_read_above().finish().unwrap());
    for options in [&[][..], &["--compat"]] {
        let mut words = vec!["phases", "log"];
        words.extend(options);
        let ran = place.run(&words).ok();
        assert!(ran.out.contains("900 MiB read, 400 MiB written"), "{ran:?}");
    }
}

/// MPI-IO writes parts of blocks that the library below it reads and writes whole.
fn sieved() -> LogWriter {
    let above = CounterRecord::new(Module::MpiIo, "/f")
        .rank(-1)
        .counter("MPIIO_INDEP_WRITES", 8)
        .counter("MPIIO_BYTES_WRITTEN", 10 * MIB)
        .float("MPIIO_F_WRITE_START_TIMESTAMP", 1.0)
        .float("MPIIO_F_WRITE_END_TIMESTAMP", 9.0)
        .float("MPIIO_F_WRITE_TIME", 60.0);
    let counts = [512, 512 * MIB, 0, 511];
    let below = written("/f", -1, counts, [1.2, 8.9, 20.0])
        .counter("POSIX_READS", 512)
        .counter("POSIX_BYTES_READ", 511 * MIB)
        .counter("POSIX_SEQ_READS", 511)
        .float("POSIX_F_READ_START_TIMESTAMP", 1.1)
        .float("POSIX_F_READ_END_TIMESTAMP", 8.8)
        .float("POSIX_F_READ_TIME", 20.0);
    log(8).record(above).record(below)
}

#[test]
fn what_the_mpi_library_reads_to_write_is_neither_summed_nor_planned() {
    let place = Place::new();
    place.write("log", sieved().finish().unwrap());
    let ran = place.run(&["phases", "log"]).ok();
    assert!(ran.out.contains("0 B read, 10 MiB written"), "{ran:?}");
    assert!(ran.out.contains("[data-sieving]"), "{ran:?}");
    let plan = ["estimate", "log", "--nodes", "8", "--plan"];
    let ran = place.run(&plan).ok();
    assert!(ran.out.contains(": write, mpiio,"), "{ran:?}");
    assert!(!ran.out.contains(": read, "), "{ran:?}");
    assert!(ran.err.contains("[data-sieving]"), "{ran:?}");
    // The report takes them for reads of the program.
    let ran = place.run(&["phases", "log", "--compat"]).ok();
    assert!(ran.out.contains("511 MiB read, 10 MiB written"), "{ran:?}");
}

#[test]
fn a_damaged_log_says_at_least_and_is_flagged() {
    let place = Place::new();
    let streams = CounterRecord::new(Module::Stdio, "/log")
        .counter("STDIO_WRITES", 3)
        .counter("STDIO_BYTES_WRITTEN", 77)
        .float("STDIO_F_WRITE_START_TIMESTAMP", 0.5)
        .float("STDIO_F_WRITE_END_TIMESTAMP", 0.6);
    let mut log = single_a().record(streams).finish().unwrap();
    // The end of the last module is cut off; what was before it stands.
    log.truncate(log.len() - 10);
    place.write("cut.darshan", log);
    let ran = place.run(&["phases", "cut.darshan", "--csv"]).ok();
    assert!(ran.lines()[1].ends_with(",128,damaged,"), "{ran:?}");
    let ran = place.run(&["phases", "cut.darshan"]).ok();
    assert!(
        ran.out.contains("at least 0 B read, 16 GiB written"),
        "{ran:?}"
    );
    // An estimate would be of a part of the job.
    place.write(
        "store.csv",
        include_str!("../../../testdata/benchmarks.csv"),
    );
    let words = [
        "estimate",
        "cut.darshan",
        "--nodes",
        "8",
        "--benchmarks",
        "store.csv",
    ];
    let ran = place.run(&words).code(1);
    assert!(ran.err.contains("a part of the log is damaged"), "{ran:?}");
    place.run(&[&words[..], &["--partial"]].concat()).ok();
}

/// The first sentence of a page.
fn lead(place: &Place, name: &str) -> String {
    let page = place.read(name);
    let (_, rest) = page.split_once("<p class=\"lead\">").unwrap();
    let (lead, _) = rest.split_once("</p>").unwrap();
    // Numbers and their units are tied together.
    lead.replace(['\u{a0}', '\u{202f}'], " ")
}

#[test]
fn a_partial_log_says_at_least() {
    let place = Place::new();
    place.write("odd.darshan", odd().finish().unwrap());
    let ran = place.run(&["phases", "odd.darshan", "-o", "odd.html"]).ok();
    assert!(ran.out.contains("at least 0 B read"), "{ran:?}");
    let lead = lead(&place, "odd.html");
    assert!(lead.contains(": at least 0 B read"), "{lead}");
}

#[test]
fn a_log_without_counters_has_moved_nobody_knows_how_much() {
    let place = Place::new();
    place.write("none.darshan", log(4).finish().unwrap());
    let ran = place
        .run(&["phases", "none.darshan", "-o", "none.html"])
        .ok();
    assert!(ran.out.contains("not known"), "{ran:?}");
    assert!(!ran.out.contains("0 B"), "{ran:?}");
    assert_eq!(
        lead(&place, "none.html"),
        "0 phases; what was moved is not known: nothing was counted."
    );
    let ran = place.run(&["phases", "none.darshan", "--csv"]).ok();
    assert_eq!(ran.lines()[1], "none.darshan,,,,,,,,,,,,,,not-counted,");
    assert_eq!(
        ran.lines()[0].matches(',').count(),
        ran.lines()[1].matches(',').count()
    );
    let empty = log(4).record(written("/empty", 1, [2, 0, 0, 0], [1.0, 2.0, 0.1]));
    place.write("empty.darshan", empty.finish().unwrap());
    let ran = place.run(&["phases", "empty.darshan", "--csv"]).ok();
    assert_eq!(ran.lines()[1], "empty.darshan,,,,,,,,,,,,,,no-phases,");
}

#[test]
fn more_phases_than_can_be_told_apart_are_told_aloud() {
    let place = Place::new();
    let rows: String = (0..70_000)
        .map(|at| format!("0,write,posix,/f,{at},{at}.25,8\n"))
        .collect();
    place.write(
        "many.csv",
        format!("rank,op,api,file,start,end,bytes\n{rows}"),
    );
    let words = ["phases", "many.csv", "--time-distance", "0", "--csv"];
    let ran = place.run(&words).ok();
    assert!(ran.err.contains("[too-many-phases]"), "{}", ran.err);
}
