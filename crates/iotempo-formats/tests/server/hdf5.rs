//! The same day of LMT as pylmt and as TOKIO stored it, and the rates of burst-buffer nodes that
//! collectd's documents hold, too.

use crate::kept::{codes, read_file, read_text};
use crate::{collectd, lmt, log};
use iotempo_formats::Input;
use iotempo_formats::server::{Clock, Options};
use iotempo_model::{Op, Seconds, TargetKind};
use std::fs::File;
use std::path::Path;

const H5LMT: &str = "lmt/snx11025_2018-01-28.h5lmt";
const TOKIO: &str = "lmt/snx11025_2018-01-28.hdf5";

fn close(found: f64, expected: f64) -> bool {
    (found - expected).abs() <= 1e-12 * expected.abs()
}

/// Sums by h5py and NumPy; those of the database are the same.
#[test]
fn the_same_day_has_the_same_bytes_in_every_store() {
    let test = "the_same_day_has_the_same_bytes_in_every_store";
    let (Some(h5lmt), Some(tokio), Some(database)) = (
        log(test, H5LMT),
        log(test, TOKIO),
        log(test, "lmt/snx11025_2018-01-28.sqlite3"),
    ) else {
        return;
    };
    let (pylmt, pylmt_kept) = read_file(&h5lmt);
    let (tokio, tokio_kept) = read_file(&tokio);
    let options = Options {
        zone: lmt::CALIFORNIA.parse().unwrap(),
        ..Options::default()
    };
    let input = Input::file(File::open(database).unwrap()).unwrap();
    let (database, database_kept) = crate::kept::read_input(input, &options).unwrap();

    assert_eq!(tokio.bytes, [6_347_173_888.0, 119_037_925_429.0]);
    assert_eq!(tokio.bytes, database.bytes);
    for (found, expected) in pylmt.bytes.into_iter().zip(tokio.bytes) {
        assert!(close(found, expected), "{found} {expected}");
    }
    assert_eq!(
        (pylmt.format.as_str(), pylmt.clock),
        ("pylmt HDF5 (h5lmt)", Clock::Epoch)
    );
    assert_eq!(
        (tokio.format.as_str(), tokio.clock),
        ("TOKIO time series (HDF5)", Clock::Epoch)
    );
    for interval in [pylmt.interval, tokio.interval, database.interval] {
        assert_eq!(interval, Seconds::new(5.0));
    }
    for kept in [&pylmt_kept, &tokio_kept, &database_kept] {
        assert_eq!((kept.targets.len(), kept.moved.len()), (24, 24 * 60 * 2));
        assert!(
            kept.targets
                .iter()
                .all(|one| one.kind == TargetKind::StorageTarget)
        );
    }
    // Interval by interval, whatever a stamp means to each of them.
    for op in [Op::Read, Op::Write] {
        let sorted = |kept: &crate::kept::Kept| {
            let mut volumes: Vec<_> = kept
                .moved
                .iter()
                .filter(|one| one.op == op)
                .map(|one| {
                    let name = kept.targets[one.target.0 as usize].name.clone();
                    (
                        name,
                        one.when.start().get() as i64,
                        one.when.end().get() as i64,
                        one.bytes.get(),
                    )
                })
                .collect();
            volumes.sort_by(|a, b| a.partial_cmp(b).unwrap());
            volumes
        };
        let (pylmt, tokio) = (sorted(&pylmt_kept), sorted(&tokio_kept));
        assert_eq!(tokio, sorted(&database_kept));
        for (a, b) in pylmt.iter().zip(&tokio) {
            assert_eq!((&a.0, a.1, a.2), (&b.0, b.1, b.2));
            assert!(close(a.3, b.3), "{a:?} {b:?}");
        }
    }
}

#[test]
fn a_label_that_contradicts_the_name_is_told() {
    let test = "a_label_that_contradicts_the_name_is_told";
    let (Some(tokio), Some(h5lmt)) = (log(test, TOKIO), log(test, H5LMT)) else {
        return;
    };
    let (reading, _) = read_file(&tokio);
    assert_eq!(codes(&reading), ["unit-doubtful", "unit-doubtful"]);
    let message = &reading.warnings[0].message;
    assert_eq!(
        message,
        "readbytes is labelled \"bytes/sec\", and by its name holds bytes in each interval: taken by \
         its name"
    );
    assert_eq!(codes(&read_file(&h5lmt).0), [""; 0]);
}

#[test]
fn rates_in_several_chunks_are_those_of_the_documents() {
    let test = "rates_in_several_chunks_are_those_of_the_documents";
    let Some(path) = log(test, "lmt/sample_tokiots.hdf5") else {
        return;
    };
    let (reading, kept) = read_file(&path);
    for (found, expected) in reading.bytes.into_iter().zip(collectd::TOTALS) {
        assert!((found / expected - 1.0).abs() < 1e-12, "{found} {expected}");
    }
    assert_eq!(reading.interval.unwrap().get(), 10.0);
    // As many as there are documents; 16,002 of each table are marked as missing by a negative zero.
    assert_eq!((reading.targets, reading.samples), (64, 7038 * 2));
    let missing = reading
        .warnings
        .iter()
        .find(|one| one.code == "missing-values");
    assert!(
        missing
            .unwrap()
            .message
            .starts_with("16002 values of read missing"),
        "{missing:?}"
    );
    assert_eq!(kept.targets[0].label(), "bb1/nvme0n1");
    assert_eq!(kept.targets[0].kind, TargetKind::Device);
}

#[test]
fn files_that_are_cut_off_or_other_say_what_is_wrong() {
    let test = "files_that_are_cut_off_or_other_say_what_is_wrong";
    let Some(path) = log(test, TOKIO) else {
        return;
    };
    let bytes = std::fs::read(path).unwrap();
    for length in (8..bytes.len() - 1).step_by(997) {
        match read_text(&bytes[..length]) {
            Ok((reading, _)) => assert!(reading.bytes[1] <= 119_037_925_429.0),
            Err(error) => assert!(error.to_string().starts_with("HDF5"), "{error}"),
        }
    }
    let mut newer = bytes.clone();
    newer[8] = 2;
    let error = read_text(newer).unwrap_err().to_string();
    assert!(
        error.contains("superblock 2") && error.contains("h5repack"),
        "{error}"
    );
    let at = bytes
        .windows(11)
        .position(|name| name == b"datatargets")
        .unwrap();
    let mut renamed = bytes;
    renamed[at..at + 11].copy_from_slice(b"datatargetz");
    let error = read_text(renamed).unwrap_err().to_string();
    assert!(
        error.contains("it has dataservers, datatargetz, fullness"),
        "{error}"
    );
}

/// Chunks over the edge of their table, shuffled; what h5py reads of the same files.
#[test]
fn made_tables_are_read_to_the_last_number() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/corpus/hdf5");
    let (reading, kept) = read_file(&folder.join("tokio.hdf5"));
    // Row r of five and column c of three hold 4096 r + c; written is 1, but nothing in one row.
    assert_eq!(reading.bytes, [122_895.0, 12.0]);
    assert_eq!(kept.volumes(Op::Read)[4], (140.0, 150.0, 16_384.0));
    assert_eq!(kept.targets[2].name, "OST2");
    let expected = ["unit-doubtful", "unit-doubtful", "missing-values", "gaps"];
    for code in codes(&reading) {
        assert!(expected.contains(&code), "{code}");
    }
    let (reading, kept) = read_file(&folder.join("pylmt.h5lmt"));
    assert_eq!(reading.bytes, [30.0, 30.0]);
    assert_eq!(kept.volumes(Op::Read)[0], (100.0, 105.0, 2.5));
}
