//! Damaged Darshan logs: what precedes the damage is kept, what follows it is not made up.
#![allow(clippy::unwrap_used, missing_docs, unreachable_pub)]

#[path = "conformance/corpus.rs"]
#[allow(dead_code, reason = "the conformance test uses the rest")]
mod corpus;
mod robustness;
#[path = "conformance/rows.rs"]
#[allow(dead_code, reason = "the conformance test uses the rest")]
mod rows;

use iotempo_formats::darshan::{Log, Module};
use iotempo_formats::{Error, Limits};
use robustness::corrupt;
use robustness::damage::{Regions, is_start_of};
use std::fs;
use std::io::Cursor;
use std::path::Path;

#[test]
fn every_corrupt_log_gives_an_error_or_what_is_sound_in_it() {
    let test = "every_corrupt_log_gives_an_error_or_what_is_sound_in_it";
    let Some(data) = corpus::darshan(test) else {
        return;
    };
    let (files, expected) = (corpus::entries(&data.join("corrupt")), corrupt::expected());
    assert_eq!(files.len(), expected.len());
    for (file, (name, expected)) in files.iter().zip(&expected) {
        assert_eq!(file.file_stem().unwrap().to_str(), Some(*name));
        let left = corrupt::left(Log::read(fs::File::open(file).unwrap(), &Limits::default()));
        let agrees = left
            .iter()
            .zip(expected)
            .all(|(line, expected)| corrupt::agrees(line, expected));
        assert!(agrees && left.len() == expected.len(), "{name}: {left:#?}");
    }
}

#[test]
fn logs_of_a_fork_are_refused_by_name() {
    let Some(data) = corpus::darshan("logs_of_a_fork_are_refused_by_name") else {
        return;
    };
    let files = corpus::entries(&data.join("damaged"));
    assert_eq!(files.len(), 6);
    for file in files {
        let error = Log::read(fs::File::open(&file).unwrap(), &Limits::default()).unwrap_err();
        let said =
            "header, byte 1328: written by a fork of Darshan whose header is 9520 bytes long";
        assert!(
            error.to_string().starts_with(said),
            "{}: {error}",
            file.display()
        );
    }
}

/// Logs to damage: of every version but the faulty 3.20, of both byte orders and compressions, with
/// counters, segments, heatmaps and MPI counters; and every how many of their bits are flipped, one
/// after the other. The slower a log is to read, the fewer.
const WHOLE: [(&str, usize); 5] = [
    ("official/release_logs/mpi-io-test-ppc64-3.0.0.darshan", 1),
    ("official/release_logs/mpi-io-test-ppc64-3.1.6.darshan", 1),
    ("official/release_logs/mpi-io-test-x86_64-3.3.1.darshan", 5),
    ("official/release_logs/mpi-io-test-x86_64-3.5.0.darshan", 1),
    ("synthetic/s_310_1_le_bz.darshan", 27),
];

fn read(bytes: &[u8]) -> Result<Log, Error> {
    Log::read(Cursor::new(bytes), &Limits::default())
}

#[test]
fn a_log_cut_off_at_any_byte_keeps_what_came_before() {
    let Some(data) = corpus::darshan("a_log_cut_off_at_any_byte_keeps_what_came_before") else {
        return;
    };
    for (name, _) in WHOLE {
        let bytes = fs::read(data.join(name)).unwrap();
        let whole = read(&bytes).unwrap();
        let regions = Regions::of(&bytes);
        for cut in 0..bytes.len() {
            match read(&bytes[..cut]) {
                Err(error) => assert!(cut < regions.job.end, "{name} cut at {cut}: {error}"),
                Ok(log) => check_cut(&format!("{name} cut at {cut}"), &whole, &log, &regions, cut),
            }
        }
    }
}

/// A region before the cut is whole, and one behind it is empty; the one that is cut is a start.
fn check_cut(name: &str, whole: &Log, log: &Log, regions: &Regions, cut: usize) {
    assert!(cut >= regions.job.end, "{name}: read");
    assert!(
        log.names
            .iter_unsorted()
            .all(|(id, name)| whole.names.get(id) == Some(name)),
        "{name}"
    );
    assert!(
        cut < regions.names.end || log.names.len() == whole.names.len(),
        "{name}"
    );
    assert_eq!(log.modules.len(), whole.modules.len(), "{name}");
    for ((ours, all), region) in log.modules.iter().zip(&whole.modules).zip(&regions.modules) {
        let kept = is_start_of(ours, all).unwrap_or_else(|why| panic!("{name}: {why}"));
        assert_eq!(
            ours.damage.is_none(),
            cut >= region.end,
            "{name}: {:?}",
            ours.damage
        );
        assert!(
            cut < region.end || kept.is_all,
            "{name}: {} is not whole",
            ours.name()
        );
        assert!(
            cut > region.start || kept.records == 0,
            "{name}: {} is made up",
            ours.name()
        );
    }
}

#[test]
fn a_stream_that_is_cut_off_keeps_its_first_records() {
    let Some(data) = corpus::darshan("a_stream_that_is_cut_off_keeps_its_first_records") else {
        return;
    };
    for (name, module) in [
        (
            "official/partial_data_dxt/partial_data_dxt.darshan",
            Module::DxtPosix,
        ),
        (
            "official/imbalanced_io/imbalanced-io.darshan",
            Module::Lustre,
        ),
        (
            "official/partial_data_stdio/partial_data_stdio.darshan",
            Module::Stdio,
        ),
    ] {
        let bytes = fs::read(data.join(name)).unwrap();
        let whole = read(&bytes).unwrap();
        let index = whole
            .modules
            .iter()
            .position(|data| data.module == Some(module))
            .unwrap();
        let region = &Regions::of(&bytes).modules[index];
        let log = read(&bytes[..region.start.midpoint(region.end)]).unwrap();
        let kept = is_start_of(&log.modules[index], &whole.modules[index]).unwrap();
        assert!((0.1..0.9).contains(&kept.share), "{name}: {}", kept.share);
    }
}

#[test]
fn a_flipped_bit_never_changes_a_record() {
    let Some(data) = corpus::darshan("a_flipped_bit_never_changes_a_record") else {
        return;
    };
    for (name, step) in WHOLE {
        let mut bytes = fs::read(data.join(name)).unwrap();
        let whole = read(&bytes).unwrap();
        let regions = Regions::of(&bytes);
        for place in (0..8 * bytes.len()).step_by(step) {
            let (at, bit) = (place / 8, place % 8);
            bytes[at] ^= 1 << bit;
            let read = read(&bytes);
            bytes[at] ^= 1 << bit;
            // Nothing vouches for the header: its flips must only be survived.
            if at >= regions.job.start {
                let name = format!("{name} with bit {bit} of byte {at} flipped");
                check_flip(&name, &whole, read, &regions, at);
            }
        }
    }
}

/// The region that was hit keeps the streams before the hit; all others are whole.
fn check_flip(name: &str, whole: &Log, read: Result<Log, Error>, regions: &Regions, at: usize) {
    let log = match read {
        Err(error) => return assert!(regions.job.contains(&at), "{name}: {error}"),
        Ok(log) => log,
    };
    assert_eq!(log.job, whole.job, "{name}");
    assert!(
        log.names
            .iter_unsorted()
            .all(|(id, name)| whole.names.get(id) == Some(name)),
        "{name}"
    );
    assert!(
        regions.names.contains(&at) || log.names.len() == whole.names.len(),
        "{name}"
    );
    for ((ours, all), region) in log.modules.iter().zip(&whole.modules).zip(&regions.modules) {
        let kept = is_start_of(ours, all).unwrap_or_else(|why| panic!("{name}: {why}"));
        let hit = region.contains(&at);
        assert!(kept.is_all || hit, "{name}: {} is not whole", ours.name());
        assert!(
            kept.is_all || ours.damage.is_some(),
            "{name}: {} lost in silence",
            ours.name()
        );
        assert!(hit || ours.damage.is_none(), "{name}: {:?}", ours.damage);
    }
}

/// Set for a process that decodes the log of this name and says how much memory that took.
const CHILD: &str = "IOTEMPO_TEST_DECODE";

#[test]
#[cfg(target_os = "linux")]
fn a_log_that_inflates_to_256_mib_takes_at_most_twice_that() {
    let test = "a_log_that_inflates_to_256_mib_takes_at_most_twice_that";
    if let Some(path) = std::env::var_os(CHILD) {
        return decode_and_say_peak(Path::new(&path));
    }
    let Some(data) = corpus::darshan(test) else {
        return;
    };
    let output = std::process::Command::new(std::env::current_exe().unwrap())
        .args(["--exact", test, "--nocapture"])
        .env(CHILD, data.join("corrupt/c90_bomb_posix_256M.darshan"))
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    let peak = said.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let peak = peak.unwrap_or_else(|| panic!("{said}"));
    let kib: u64 = peak.trim().trim_end_matches(" kB").parse().unwrap();
    assert!((256 << 10..512 << 10).contains(&kib), "{kib} KiB");
}

#[cfg(target_os = "linux")]
fn decode_and_say_peak(path: &Path) {
    let log = Log::read(fs::File::open(path).unwrap(), &Limits::default()).unwrap();
    assert_eq!(log.modules.len(), 1);
    let status = fs::read_to_string("/proc/self/status").unwrap();
    corpus::say(
        status
            .lines()
            .find(|line| line.starts_with("VmHWM:"))
            .unwrap(),
    );
}
