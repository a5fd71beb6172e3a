//! The release logs of Darshan 1.x and 2.x: the same program, `mpi-io-test`, under every version.
#![allow(clippy::unwrap_used)]

use iotempo_formats::darshan::{self, CounterTable, Log, Module};
use iotempo_formats::{Format, Input, Limits};
use std::fs::{self, File};
use std::path::PathBuf;

/// What an independent decoder, written from the description of the format, found in each log:
/// release, log version, byte order, user, start, end, processes, job, mounts, record id, name, and
/// Σ (k+1)·counter[k] modulo 2⁶⁴ over the integers and over the bits of the floating-point numbers.
const EXPECTED: &str = "\
ppc32-1.1.0 1.21 BE 4279 77 78 4 0 0 4109726133873600486 ...t-1.1.0.dat 00000003aa00178b 7ac21aab4e847ee4
ppc32-1.1.10 1.23 BE 4279 74 75 4 0 5 6455677362074014770 ...-1.1.10.dat 0000000425001e9a 369ac0f25e7cb2b6
ppc32-1.1.11 1.23 BE 4279 75 76 4 0 5 13568908771348206681 ...-1.1.11.dat 0000000425001eaa 369eaade370f1725
ppc32-1.1.12 1.24 BE 4279 74 75 4 0 5 3077704405974064537 ...-1.1.12.dat 0000000425001eaa 36b7a959f6916732
ppc32-1.1.13 1.24 BE 4279 78 80 4 0 5 1082633397306514923 ...-1.1.13.dat 0000000425001e9a 36ec6221cf496aa0
ppc32-1.1.14 1.24 BE 4279 78 79 4 0 5 6911215833159914992 ...-1.1.14.dat 0000000425001e9a 36d19f809224f410
ppc32-1.1.15 1.24 BE 4279 78 79 4 0 5 16129387981177822559 ...-1.1.15.dat 0000000425001e9a 37a34d637f657506
ppc32-1.1.1 1.21 BE 4279 74 75 4 0 0 17035615172155808077 ...t-1.1.1.dat 00000003aa00178b 7ad3a1b9171c8b18
ppc32-1.1.2 1.21 BE 4279 79 81 4 0 0 5476172593901870496 ...t-1.1.2.dat 00000003aa00178b 7ae5a070df5703b2
ppc32-1.1.3 1.21 BE 4279 75 76 4 0 0 9267050378342725758 ...t-1.1.3.dat 00000003aa00178b 7aafffa2b431313a
ppc32-1.1.4 1.22 BE 4279 76 78 4 0 0 17674591594253155140 ...t-1.1.4.dat 000000042500179b 364b80ab32092812
ppc32-1.1.5 1.22 BE 4279 72 73 4 0 0 15083774509073036714 ...t-1.1.5.dat 000000042500178b 36bbad9bba7c0827
ppc32-1.1.6 1.22 BE 4279 78 79 4 0 0 1100433949810021142 ...t-1.1.6.dat 000000042500178b 36bb8adcb43232c5
ppc32-1.1.7 1.22 BE 4279 75 78 4 0 0 12386631949878373380 ...t-1.1.7.dat 000000042500178b 3d59ae9a33aa07c1
ppc32-1.1.8 1.23 BE 4279 78 79 4 0 5 4277007971670479087 ...t-1.1.8.dat 0000000425001e9a 3680842010b77de3
ppc32-1.1.9 1.23 BE 4279 80 81 4 0 5 13906757425892594877 ...t-1.1.9.dat 0000000425001e9a 36e05d52f1bf74fe
ppc32-2.0.0 2.00 BE 4279 79 80 4 180936 5 13549963488736760933 ...mpi-io-test.dat 0000002961001fb8 2bc135e781c93414
ppc32-2.0.2 2.00 BE 4279 1291824873 1291824875 4 205555 6 13549963488736760933 ...mpi-io-test.dat 0000002961002041 2e3ae9e584b563f2
ppc32-2.1.1 2.01 BE 4279 1308850867 1308850868 4 240158 5 13549963488736760933 ...mpi-io-test.dat 00000006523c1ff8 2a99f01b269dc248
ppc32-2.2.0 2.01 BE 4279 1330531616 1330531619 4 100 5 13549963488736760933 ...mpi-io-test.dat 00000006523c1dc6 337a6dbdd318d217
ppc32-2.2.4 2.02 BE 4279 1355419009 1355419011 4 100 5 17928687514454907925 ...o-test-xl-c.dat 00000006523c1f1e 30d0893947667e8a
ppc32-2.2.5 2.02 BE 4279 168 169 1 100 5 12832850176579405561 ...io-test-gcc.dat 000000040f000ee6 e40a4ea34f43514f
ppc32-2.2.6 2.02 BE 4279 169 171 4 100 5 13549963488736760933 ...mpi-io-test.dat ec7426615c485131 32bad6a06ba163d7
ppc64-2.2.4 2.02 BE 4279 1355424185 1355424201 256 47560 4 15900899952354076475 ...amples/test.out 000000c93be541c5 62d2a1b5b8df5afd
ppc64-2.2.5 2.02 BE 4279 1361892589 1361892598 64 60773 4 12334303440290591546 ...io-test-gcc.dat 00000034d8013ba6 557945cd460dcb77
ppc64-2.2.6 2.02 BE 4279 1366738643 1366738696 128 80230 4 17123101450278377321 ...amples/test.out ab1ee21e3b47b260 75bc9d2c0b00ca0a
ppc64-2.2.8 2.02 BE 4279 1377707756 1377707778 16 121829 4 17123101450278377321 ...amples/test.out ab1ee1c79b457e3c 5c073fd10d58b000
ppc64-2.2.9 2.05 BE 4279 1399401353 1399401374 1024 259616 6 9915330611780026051 ...mpi-io-test.dat ab687d8edc710dd7 70b2f1910e44e662
ppc64-2.3.1 2.06 BE 4279 1426266675 1426266676 1 426989 6 9915330611780026051 ...mpi-io-test.dat ab687a77a25d18de db672d29d28be080
x86-2.0.0 2.00 LE 1000 1279286780 1279286781 4 3251 4 9768866593518137693 ...test.out 000000088208314a 441aa2ea3e237e3e
x86-2.0.2 2.00 LE 1000 1291735315 1291735315 1 18650 4 9768866593518137693 ...test.out 0000000630082285 faec6219a6d5b3ae
x86-2.1.1 2.01 LE 1000 1308845383 1308845384 1 19454 4 9768866593518137693 ...test.out 000000048c08224f 01999283b8351247
x86-64-2.2.4 2.02 LE 1000 1355418544 1355418544 4 20631 4 13525867493470965549 ...amples/test.out 0000000652046d19 2802f8b65029c017
x86-64-2.2.6 2.02 LE 1000 1366728371 1366728371 4 23755 3 12994857806622435942 ...e2/bin/test.out 1c70f77f578219bd 2a8ad7bc8b890057
x86_64-2.0.0 2.00 LE 4279 1279294459 1279294460 4 16795 9 9768866593518137693 ...test.out 0000000891001fc6 55ca0760d1df22ca
x86_64-2.0.2 2.00 LE 4279 1291825621 1291825622 1 15172 9 9768866593518137693 ...test.out 000000063f0012aa 0c9ce2f0a621c5f1
x86_64-2.1.1 2.01 LE 4279 1308850617 1308850617 1 20947 9 9768866593518137693 ...test.out 000000040f001274 f759c0970d343c74
x86_64-2.2.0 2.01 LE 1000 1330528200 1330528200 1 3850 4 9768866593518137693 ...test.out 0000000630081f69 e68ebe0eda48f987
x86_64-2.2.5 2.02 LE 1000 1361982603 1361982603 4 5824 4 13525867493470965549 ...amples/test.out 0000000652082fec 265f1ce348a3cca5
x86_64-2.2.8 2.02 LE 1000 1377708456 1377708456 4 12451 3 13525867493470965549 ...amples/test.out 1c70f77f578219bf 2908fdbf0ad2db36
x86_64-2.2.9 2.05 LE 1000 1399392685 1399392685 4 8751 4 15705357843671501122 ...xamples/foo.dat 1c70f77f578219bf fbb5095468280000
x86_64-2.3.1 2.06 LE 1000 1426266325 1426266325 1 13154 4 13525867493470965549 ...amples/test.out 1c70f77d0582093d c2c8c2c000000000
";

/// Where data that nobody here wrote is kept; `None`, and a line that says so, where it is not.
#[allow(clippy::print_stderr)]
fn data(test: &str) -> Option<PathBuf> {
    let default = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/data");
    let root = std::env::var_os("IOTEMPO_DATA").unwrap_or_else(|| default.into());
    let folder = PathBuf::from(root).join("darshan/legacy");
    if folder.is_dir() {
        return Some(folder);
    }
    eprintln!("SKIPPED {test}: no data under {}", folder.display());
    None
}

fn read(path: &PathBuf) -> Log {
    let input = Input::file(File::open(path).unwrap())
        .unwrap()
        .unwrapped()
        .unwrap();
    assert_eq!(
        iotempo_formats::detect(input.head()).unwrap(),
        Format::DarshanLegacy
    );
    darshan::read_legacy(input.into_reader(), &Limits::default()).unwrap()
}

/// Every log with the release that wrote it, such as `ppc32-1.1.10`.
fn logs(test: &str) -> Vec<(String, Log)> {
    let Some(folder) = data(test) else {
        return Vec::new();
    };
    let paths = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path());
    let release = |path: &PathBuf| {
        let name = path.file_name()?.to_str()?;
        Some(
            name.split_once("mpi-io-test-")?
                .1
                .split_once("_id")?
                .0
                .to_owned(),
        )
    };
    let mut logs: Vec<_> = paths
        .map(|path| (release(&path).unwrap(), read(&path)))
        .collect();
    logs.sort_by(|one, other| one.0.cmp(&other.0));
    logs
}

fn table(log: &Log) -> &CounterTable {
    log.counters(Module::Cp).unwrap()
}

fn int(log: &Log, name: &str) -> i64 {
    table(log).ints_of(0)[table(log).layout.int(name).unwrap()]
}

fn float(log: &Log, name: &str) -> f64 {
    table(log).floats_of(0)[table(log).layout.float(name).unwrap()]
}

fn weighted(values: impl Iterator<Item = u64>) -> u64 {
    let terms = values
        .zip(1..)
        .map(|(value, weight): (u64, u64)| value.wrapping_mul(weight));
    terms.fold(0, u64::wrapping_add)
}

#[test]
fn every_value_of_every_log_is_what_an_independent_decoder_found() {
    let logs = logs("every_value_of_every_log_is_what_an_independent_decoder_found");
    for (release, log) in &logs {
        let (job, records) = (&log.job, table(log));
        let found = format!(
            "{release} {} {} {} {} {} {} {} {} {} {} {:016x} {:016x}",
            log.version,
            if log.big_endian { "BE" } else { "LE" },
            job.uid,
            job.start_s,
            job.end_s,
            job.nprocs,
            job.jobid,
            job.mounts.len(),
            records.ids[0],
            log.names.get(records.ids[0]).unwrap(),
            weighted(records.ints_of(0).iter().map(|value| *value as u64)),
            weighted(records.floats_of(0).iter().map(|value| value.to_bits())),
        );
        assert!(EXPECTED.lines().any(|line| line == found), "{found}");
        assert_eq!((records.len(), log.modules.len()), (1, 1));
        assert_eq!(log.modules[0].damage, None, "{release}");
        assert!(log.warnings.is_empty(), "{release}: {:?}", log.warnings);
    }
    assert!(logs.is_empty() || logs.len() == EXPECTED.lines().count());
}

#[test]
fn every_process_wrote_and_read_16_mib_of_a_shared_file() {
    for (release, log) in logs("every_process_wrote_and_read_16_mib_of_a_shared_file") {
        let nprocs = log.job.nprocs;
        assert_eq!(table(&log).ranks, [-1], "{release}");
        for (counter, value) in [
            ("CP_BYTES_READ", nprocs << 24),
            ("CP_BYTES_WRITTEN", nprocs << 24),
            ("CP_MAX_BYTE_WRITTEN", (nprocs << 24) - 1),
            ("CP_INDEP_READS", nprocs),
            ("CP_INDEP_WRITES", nprocs),
            ("CP_POSIX_READS", nprocs),
            ("CP_POSIX_WRITES", nprocs),
            ("CP_SIZE_WRITE_10M_100M", nprocs),
            ("CP_SIZE_READ_AGG_10M_100M", nprocs),
            ("CP_ACCESS1_ACCESS", 1 << 24),
            ("CP_ACCESS1_COUNT", 2 * nprocs),
        ] {
            assert_eq!(int(&log, counter), value, "{release}: {counter}");
        }
    }
}

#[test]
fn stamps_are_in_order_and_inside_the_job() {
    for (release, log) in logs("stamps_are_in_order_and_inside_the_job") {
        let stamps = ["OPEN", "WRITE_START", "WRITE_END", "READ_END", "CLOSE"]
            .map(|event| float(&log, &format!("CP_F_{event}_TIMESTAMP")));
        assert!(stamps.is_sorted(), "{release}: {stamps:?}");
        let origin = darshan::legacy_time_origin(&log);
        let (first, last) = (stamps[0] - origin, stamps[4] - origin);
        assert!(
            first >= 0.0 && last <= log.job.run_time_s + 1.0,
            "{release}: {first} to {last}"
        );
    }
}

#[test]
fn the_device_of_the_file_is_a_mount() {
    for (release, log) in logs("the_device_of_the_file_is_a_mount") {
        // Versions before 1.23 knew neither; on Mira the table lacks the file system of the file.
        if log.job.mounts.is_empty()
            || release.starts_with("ppc64-2.2.9")
            || release.starts_with("ppc64-2.3")
        {
            continue;
        }
        let device = Some(int(&log, "CP_DEVICE"));
        assert!(
            log.job.mounts.iter().any(|mount| mount.device == device),
            "{release}"
        );
    }
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
            2 => bytes.insert(at.min(bytes.len()), below(256) as u8),
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
fn no_damage_makes_the_reader_panic() {
    let Some(folder) = data("no_damage_makes_the_reader_panic") else {
        return;
    };
    for (k, entry) in fs::read_dir(folder).unwrap().enumerate() {
        let input = Input::file(File::open(entry.unwrap().path()).unwrap()).unwrap();
        let bytes = input
            .unwrapped()
            .unwrap()
            .into_bytes(&Limits::default())
            .unwrap();
        for seed in 0..100 {
            let bytes = damaged(&bytes, (k * 100 + seed) as u64);
            if let Ok(log) = darshan::read_legacy(&bytes[..], &Limits::default()) {
                assert_eq!(table(&log).ints.len(), table(&log).len() * 144);
                assert!(table(&log).len() * 1000 <= bytes.len());
            }
        }
    }
}
