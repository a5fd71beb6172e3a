//! Texts of `darshan-parser` and `darshan-dxt-parser` that others made from real logs.
#![allow(clippy::unwrap_used)]

use iotempo_formats::darshan::{self, CounterTable, DxtTable, Log, Module, Records};
use iotempo_formats::{Format, Input, Limits};
use std::fs::File;
use std::path::PathBuf;

/// Where data that nobody here wrote is kept; `None`, and a line that says so, where it is not.
#[allow(clippy::print_stderr)]
fn data(test: &str, file: &str) -> Option<PathBuf> {
    let default = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/data");
    let root = std::env::var_os("IOTEMPO_DATA").unwrap_or_else(|| default.into());
    let path = PathBuf::from(root).join("darshan").join(file);
    if path.is_file() {
        return Some(path);
    }
    eprintln!("SKIPPED {test}: no data under {}", path.display());
    None
}

/// Reads a text of either tool.
fn read(path: &PathBuf) -> Log {
    let input = Input::file(File::open(path).unwrap())
        .unwrap()
        .unwrapped()
        .unwrap();
    match iotempo_formats::detect(input.head()).unwrap() {
        Format::DarshanParserText => {
            darshan::read_parser_text(input.into_reader(), &Limits::default())
        }
        Format::DarshanDxtText => darshan::read_dxt_text(input.into_reader(), &Limits::default()),
        other => panic!("{}: {other:?}", path.display()),
    }
    .unwrap()
}

/// What a log says about one module, in figures that a line of awk can add up. Logs that were read
/// from a text and from the file it was made of have the same, but for rounding.
#[derive(Debug, PartialEq, Eq)]
struct Sums {
    records: usize,
    ints: i128,
    microseconds: i128,
    bytes: [i128; 2],
}

fn sums_of(log: &Log, module: Module) -> Sums {
    match &log.module(module).unwrap().records {
        Records::Counters(table) => sums_of_counters(table),
        Records::Lustre(layouts) => Sums {
            records: layouts.len(),
            ints: layouts
                .iter()
                .map(|layout| {
                    let (osts, mdts) = layout.targets.unwrap();
                    let component = &layout.components[0];
                    // The offset of stripes is −1 throughout.
                    let counters = [
                        osts,
                        mdts,
                        -1,
                        component.stripe_size,
                        component.stripe_count,
                    ];
                    counters
                        .iter()
                        .chain(&layout.osts)
                        .map(|value| i128::from(*value))
                        .sum::<i128>()
                })
                .sum(),
            microseconds: 0,
            bytes: [0, 0],
        },
        Records::Heatmap(maps) => Sums {
            records: maps.len(),
            ints: maps
                .iter()
                .flat_map(|map| map.reads.iter().chain(&map.writes))
                .map(|b| i128::from(*b))
                .sum(),
            microseconds: maps.iter().map(|map| micro(map.bin_width_s)).sum(),
            bytes: [0, 0],
        },
        other => panic!("{other:?}"),
    }
}

fn sums_of_counters(table: &CounterTable) -> Sums {
    let column = |end: &str| {
        let place = table
            .layout
            .ints
            .iter()
            .position(|name| name.ends_with(end))
            .unwrap();
        (0..table.len())
            .map(|record| i128::from(table.ints_of(record)[place]))
            .sum()
    };
    Sums {
        records: table.len(),
        ints: table.ints.iter().map(|value| i128::from(*value)).sum(),
        microseconds: table.floats.iter().map(|value| micro(*value)).sum(),
        bytes: [column("_BYTES_READ"), column("_BYTES_WRITTEN")],
    }
}

fn micro(value: f64) -> i128 {
    (value * 1e6).round() as i128
}

fn check(
    log: &Log,
    module: Module,
    records: usize,
    ints: i128,
    microseconds: i128,
    bytes: [i128; 2],
) {
    let expected = Sums {
        records,
        ints,
        microseconds,
        bytes,
    };
    assert_eq!(sums_of(log, module), expected, "{module}");
}

#[test]
fn counters_of_lammps_add_up() {
    let Some(path) = data(
        "counters_of_lammps_add_up",
        "lammps-summit/lammps.parser.txt",
    ) else {
        return;
    };
    let log = read(&path);
    check(
        &log,
        Module::Posix,
        7,
        177_267_579,
        311_521_885,
        [1436, 39_448_288],
    );
    check(&log, Module::Stdio, 6, 14_303, 238_945_745, [646, 6431]);
    let job = &log.job;
    assert_eq!(
        (log.version.as_str(), job.jobid, job.nprocs, job.run_time_s),
        ("3.10", 438_762, 1, 25.0)
    );
    assert_eq!(
        (job.start_s, job.end_s, job.mounts.len()),
        (1_603_642_414, 1_603_642_438, 11)
    );
    assert_eq!(job.metadata[0], ("lib_ver".to_owned(), "3.1.7".to_owned()));
    assert_eq!(log.module(Module::Posix).unwrap().version, 4);
    let codes: Vec<_> = log.warnings.iter().map(|warning| &*warning.code).collect();
    assert_eq!(codes, ["text-lacks-modules", "text-rounding"]);
}

#[test]
fn counters_stripes_and_heat_maps_of_h5bench_add_up() {
    let test = "counters_stripes_and_heat_maps_of_h5bench_add_up";
    let Some(path) = data(test, "pair/valid_trace.txt") else {
        return;
    };
    let log = read(&path);
    let variances = 2_915_776_330_361_037_313_652_515_971;
    check(
        &log,
        Module::Posix,
        11,
        1_550_595_069_246,
        variances,
        [58_379, 516_318_897_920],
    );
    let variances = 9_314_014_188_337_916_758_756;
    check(
        &log,
        Module::MpiIo,
        10,
        1_841_727_173,
        variances,
        [58_240, 920_150_240],
    );
    check(&log, Module::Lustre, 11, 11_539_109, 0, [0, 0]);
    check(&log, Module::Stdio, 2, 1674, 722_512_310, [0, 777]);
    check(
        &log,
        Module::Heatmap,
        4,
        517_241_114_074,
        25_600_000,
        [0, 0],
    );
    assert_eq!((log.job.nprocs, log.job.run_time_s), (8, 722.4011));
    assert!(log.modules.iter().all(|module| module.damage.is_none()));
    assert_eq!(
        log.names.get(8_009_514_441_454_708_199),
        Some("/pscratch/h5bench/build-offsets/plt00000.h5")
    );
}

#[test]
fn a_text_cut_anywhere_keeps_the_records_before_the_cut() {
    let test = "a_text_cut_anywhere_keeps_the_records_before_the_cut";
    let Some(path) = data(test, "lammps-summit/lammps.parser.txt") else {
        return;
    };
    let text = std::fs::read(path).unwrap();
    let whole = darshan::read_parser_text(&text[..], &Limits::default()).unwrap();
    let whole = whole.counters(Module::Posix).unwrap();
    for end in (0..text.len()).step_by(997) {
        let log = darshan::read_parser_text(&text[..end], &Limits::default()).unwrap();
        let Some(table) = log.counters(Module::Posix) else {
            continue;
        };
        assert_eq!(table.ints, whole.ints[..table.ints.len()], "{end}");
        assert_eq!(table.floats, whole.floats[..table.floats.len()], "{end}");
        // A cut between two records leaves no trace.
        let begun = text[..end]
            .windows(12)
            .filter(|window| window == b"POSIX_OPENS\t")
            .count();
        let damaged = log.module(Module::Posix).unwrap().damage.is_some();
        assert!(damaged || begun == table.len(), "{end}");
    }
}

/// File, module, records, writes, reads, bytes written, bytes read, and the sums of offsets, of
/// starts and ends in units of 100 µs, and of the records' ranks.
const DXT: [(&str, Module, [i128; 9]); 7] = [
    (
        "lammps-summit/lammps.dxt.log",
        Module::DxtPosix,
        [
            5,
            35,
            2,
            39_448_288,
            1436,
            197_248_961,
            4_420_259,
            4_420_315,
            0,
        ],
    ),
    (
        "warpx-summit/warpx.collision.dxt.log",
        Module::DxtPosix,
        [
            176,
            1136,
            1,
            210_378_720,
            1928,
            281_833_566,
            59_082_241,
            59_082_845,
            165,
        ],
    ),
    (
        "warpx-summit/warpx.laser_acc.dxt.log",
        Module::DxtPosix,
        [
            50,
            230,
            1,
            394_953_989,
            2913,
            280_437_989,
            24_835_596,
            24_842_413,
            223,
        ],
    ),
    (
        "warpx-summit/warpx.plasma_acc.dxt.log",
        Module::DxtPosix,
        [
            1198,
            1506,
            1,
            273_439_273,
            4252,
            3_363_418,
            498_038_585,
            498_040_435,
            4618,
        ],
    ),
    (
        "warpx-summit/warpx.uniform_plasma.dxt.log",
        Module::DxtPosix,
        [
            472,
            1020,
            1,
            102_518_691,
            1395,
            57_801_976,
            39_701_226,
            39_704_399,
            2294,
        ],
    ),
    (
        "specfem-frontera/xmeshfem3D_dxt.log",
        Module::DxtPosix,
        [
            49,
            902,
            90,
            614_483_259,
            702_343,
            16_885_024_941,
            289_552_017,
            289_591_250,
            140,
        ],
    ),
    (
        "specfem-frontera/xmeshfem3D_dxt.log",
        Module::DxtMpiio,
        [
            40,
            135,
            40,
            556_138_138,
            358_366,
            16_436_723_956,
            59_226_421,
            59_264_882,
            140,
        ],
    ),
];

fn dxt(log: &Log, module: Module) -> &DxtTable {
    match &log.module(module).unwrap().records {
        Records::Dxt(table) => table,
        other => panic!("{other:?}"),
    }
}

fn sums_of_requests(table: &DxtTable) -> [i128; 9] {
    let mut sums = [0; 9];
    for record in &table.records {
        let (first, writes) = (record.first, record.writes as usize);
        let reads = first + writes..first + writes + record.reads as usize;
        let bytes = |range: std::ops::Range<usize>| -> i128 {
            table.lengths[range]
                .iter()
                .map(|length| i128::from(*length))
                .sum()
        };
        let found = [
            1,
            record.writes.into(),
            record.reads.into(),
            bytes(first..first + writes),
            bytes(reads),
        ];
        sums.iter_mut()
            .zip(found)
            .for_each(|(sum, value)| *sum += value);
        sums[8] += i128::from(record.rank);
    }
    let ticks = |times: &[f64]| times.iter().map(|time| (time * 1e4).round() as i128).sum();
    sums[5] = table.offsets.iter().map(|offset| i128::from(*offset)).sum();
    sums[6] = ticks(&table.starts);
    sums[7] = ticks(&table.ends);
    sums
}

#[test]
fn requests_of_real_texts_add_up() {
    for (file, module, expected) in DXT {
        let Some(path) = data("requests_of_real_texts_add_up", file) else {
            return;
        };
        let log = read(&path);
        let table = dxt(&log, module);
        assert_eq!(sums_of_requests(table), expected, "{file}");
        assert_eq!(log.module(module).unwrap().damage, None, "{file}");
        for record in &table.records {
            assert!(
                log.names
                    .get(record.id)
                    .is_some_and(|name| name.starts_with(['/', '<'])),
                "{file}"
            );
            assert!(
                !record.hostname.is_empty() && record.rank < log.job.nprocs,
                "{file}"
            );
        }
    }
}

#[test]
fn the_requests_of_lammps_have_the_bytes_that_its_counters_have() {
    let test = "the_requests_of_lammps_have_the_bytes_that_its_counters_have";
    let Some(counters) = data(test, "lammps-summit/lammps.parser.txt") else {
        return;
    };
    let Some(requests) = data(test, "lammps-summit/lammps.dxt.log") else {
        return;
    };
    let (counters, requests) = (read(&counters), read(&requests));
    let bytes = sums_of_requests(dxt(&requests, Module::DxtPosix));
    assert_eq!(
        sums_of(&counters, Module::Posix).bytes,
        [bytes[4], bytes[3]]
    );
    assert_eq!(counters.job, requests.job);
}

/// The bytes with one to four flips, cuts, insertions or repetitions, different for every seed.
fn damaged(bytes: &[u8], seed: u64) -> Vec<u8> {
    let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    let mut below = |limit: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state % limit.max(1) as u64) as usize
    };
    let mut bytes = bytes.to_vec();
    for _ in 0..=below(4) {
        let at = below(bytes.len());
        let end = (at + below(300)).min(bytes.len());
        match below(6) {
            0 => bytes.truncate(at),
            1 => drop(bytes.drain(at..end)),
            2 => bytes.insert(at.min(bytes.len()), b"\t\n -9.e\0\xff#"[below(10)]),
            3 => bytes.extend_from_within(at..end),
            _ => bytes
                .iter_mut()
                .skip(at)
                .take(1)
                .for_each(|byte| *byte ^= 1 << below(8)),
        }
    }
    bytes
}

#[test]
fn no_damage_makes_a_reader_panic_or_lie_about_its_tables() {
    let test = "no_damage_makes_a_reader_panic_or_lie_about_its_tables";
    let Some(counters) = data(test, "lammps-summit/lammps.parser.txt") else {
        return;
    };
    let Some(requests) = data(test, "lammps-summit/lammps.dxt.log") else {
        return;
    };
    let (counters, requests) = (
        std::fs::read(counters).unwrap(),
        std::fs::read(requests).unwrap(),
    );
    for seed in 0..3000 {
        let text = damaged(&counters[..40_000], seed);
        let log = darshan::read_parser_text(&text[..], &Limits::default()).unwrap();
        for table in log.modules.iter().filter_map(|m| log.counters(m.module?)) {
            assert_eq!(
                table.ints.len(),
                table.len() * table.layout.ints.len(),
                "{seed}"
            );
            assert_eq!(
                table.floats.len(),
                table.len() * table.layout.floats.len(),
                "{seed}"
            );
        }
        let text = damaged(&requests, seed);
        let log = darshan::read_dxt_text(&text[..], &Limits::default()).unwrap();
        for module in &log.modules {
            let table = dxt(&log, module.module.unwrap());
            let requests: u64 = table.records.iter().map(|r| r.writes + r.reads).sum();
            assert_eq!(requests as usize, table.starts.len(), "{seed}");
        }
    }
}
