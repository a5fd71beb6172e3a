//! Which evidence of a log is used, and which layer: on logs made here, where the truth is known.
#![allow(clippy::unwrap_used)]

use iotempo_formats::{Input, Inspection, Layer, ReadOptions, inspect, inspect_part, read_trace};
use iotempo_model::{Selection, Source};
use std::path::{Path, PathBuf};

fn shipped(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../testdata")
        .join(name)
}

fn demo() -> Vec<u8> {
    std::fs::read(shipped("checkpoint.darshan")).unwrap()
}

fn look(log: Vec<u8>, options: &ReadOptions) -> Inspection {
    inspect(Input::bytes(log), options).unwrap()
}

fn codes(inspection: &Inspection) -> Vec<&str> {
    inspection
        .warnings
        .iter()
        .map(|w| w.code.as_ref())
        .collect()
}

/// Offset and length of a module's region in a log of version 3.41.
fn region(log: &[u8], slot: usize) -> (usize, usize) {
    let word = |at: usize| u64::from_le_bytes(log[at..at + 8].try_into().unwrap()) as usize;
    (word(48 + 16 * slot), word(56 + 16 * slot))
}

const DXT_POSIX: usize = 10;
const DXT_MPIIO: usize = 11;
const HEATMAP: usize = 15;

/// Flips a bit in the first stream of a region and in its middle.
fn damage(log: &mut [u8], slot: usize) {
    let (offset, len) = region(log, slot);
    for at in [offset + 20, offset + len / 2] {
        log[at] ^= 0x10;
    }
}

/// Makes every stream of a region unreadable.
fn destroy(log: &mut [u8], slot: usize) {
    let (offset, len) = region(log, slot);
    log[offset..offset + len].fill(0xff);
}

/// Takes a module out of the header.
fn remove(log: &mut [u8], slot: usize) {
    log[48 + 16 * slot..64 + 16 * slot].fill(0);
}

const WRITTEN: f64 = 80.0 * (1_u64 << 30) as f64;

#[test]
fn destroyed_requests_give_way_to_the_heatmap_and_then_to_counters() {
    let mut log = demo();
    destroy(&mut log, DXT_POSIX);
    destroy(&mut log, DXT_MPIIO);
    let found = look(log.clone(), &ReadOptions::default());
    assert_eq!(found.source, Source::Heatmap);
    assert!(
        (found.bytes_written - WRITTEN).abs() < 0.001 * WRITTEN,
        "{}",
        found.bytes_written
    );
    assert!(found.damaged);
    let codes_found = codes(&found);
    assert!(codes_found.contains(&"damaged"), "{codes_found:?}");
    assert!(
        codes_found.contains(&"source-passed-over"),
        "{codes_found:?}"
    );
    destroy(&mut log, HEATMAP);
    let found = look(log, &ReadOptions::default());
    assert_eq!(found.source, Source::Counters);
    assert!(found.bytes_written >= WRITTEN, "{}", found.bytes_written);
}

#[test]
fn a_damaged_region_is_used_while_it_shows_half_of_the_bytes() {
    let mut log = demo();
    damage(&mut log, DXT_MPIIO);
    let found = look(log, &ReadOptions::default());
    assert_eq!(found.source, Source::Dxt);
    assert_eq!(
        found.bytes_written,
        look(demo(), &ReadOptions::default()).bytes_written
    );
    assert!(found.damaged);
}

#[test]
fn a_layer_that_the_requests_lack_is_looked_for_elsewhere() {
    let mut log = demo();
    remove(&mut log, DXT_MPIIO);
    let options = ReadOptions {
        layer: Layer::MpiIo,
        ..ReadOptions::default()
    };
    let found = look(log, &options);
    assert_eq!(found.source, Source::Heatmap);
    assert!((found.bytes_written - WRITTEN).abs() < 0.001 * WRITTEN);
}

#[test]
fn stdio_is_not_in_dxt() {
    let options = ReadOptions {
        layer: Layer::Stdio,
        ..ReadOptions::default()
    };
    let found = look(demo(), &options);
    assert_ne!(found.source, Source::Dxt);
    assert!(
        found.bytes_written > 0.0 && found.bytes_written < 1e5,
        "{}",
        found.bytes_written
    );
}

#[test]
fn files_are_not_looked_for_in_a_heatmap() {
    let log = std::fs::read(shipped("checkpoint-heatmap.darshan")).unwrap();
    assert_eq!(
        look(log.clone(), &ReadOptions::default()).source,
        Source::Heatmap
    );
    let selection = Selection {
        files: Some(Box::new(|name| name.contains("ckpt"))),
        ..Selection::default()
    };
    let found = inspect_part(Input::bytes(log), &ReadOptions::default(), &selection).unwrap();
    assert_eq!(found.source, Source::Counters);
    assert!(
        (found.bytes_written - WRITTEN).abs() < 0.001 * WRITTEN,
        "{}",
        found.bytes_written
    );
}

#[test]
fn a_choice_of_ranks_misses_what_belongs_to_all_of_them() {
    let selection = Selection {
        ranks: Some(vec![0..=3]),
        ..Selection::default()
    };
    let options = ReadOptions {
        source: Some(Source::Counters),
        ..ReadOptions::default()
    };
    let found = inspect_part(Input::bytes(demo()), &options, &selection).unwrap();
    assert!(
        codes(&found).contains(&"shared-left-out"),
        "{:?}",
        found.warnings
    );
}

#[test]
fn a_module_of_an_unknown_version_is_damage() {
    let mut log = demo();
    let version = 48 + 16 * 64 + 4; // of POSIX, in slot 1
    log[version] = 9;
    let (reading, _) = read_trace(Input::bytes(log), &ReadOptions::default()).unwrap();
    assert!(reading.damaged);
    let told = reading
        .warnings
        .iter()
        .filter(|w| w.message.contains("version 9"));
    assert_eq!(told.count(), 1, "{:?}", reading.warnings);
}

#[test]
fn a_bzip2_bomb_stops_at_a_budget_that_fits_its_size() {
    use std::io::Write;
    let zeros = vec![0; 1 << 20];
    let mut encoder = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::best());
    for _ in 0..200 {
        encoder.write_all(&zeros).unwrap();
    }
    let bomb = encoder.finish().unwrap();
    // The job of the demo, compressed anew, then the bomb as POSIX records.
    let job = {
        let mut encoder = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::best());
        encoder.write_all(&vec![0; 1100]).unwrap();
        encoder.finish().unwrap()
    };
    let mut log = demo()[..1328].to_vec();
    log[16] = 1;
    log[32..1072].fill(0);
    let put = |log: &mut Vec<u8>, at: usize, word: usize| {
        log[at..at + 8].copy_from_slice(&(word as u64).to_le_bytes());
    };
    put(&mut log, 48 + 16, 1328 + job.len());
    put(&mut log, 56 + 16, bomb.len());
    log.extend([job, bomb].concat());
    assert!(log.len() < 10_000, "{} bytes", log.len());
    let found = look(log, &ReadOptions::default());
    let posix = &found.sections[0];
    assert!(
        posix
            .damage
            .as_ref()
            .unwrap()
            .contains("more than 67108864 bytes"),
        "{posix:?}"
    );
}

#[test]
fn a_bomb_around_a_whole_file_stops_too() {
    use std::io::Write;
    let mut encoder = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::best());
    encoder.write_all(b"rank,op,start,end,bytes\n").unwrap();
    for _ in 0..200 {
        encoder.write_all(&[b'\n'; 1 << 20]).unwrap();
    }
    let bomb = encoder.finish().unwrap();
    assert!(bomb.len() < 2000, "{} bytes", bomb.len());
    let read = read_trace(Input::bytes(bomb), &ReadOptions::default());
    let told = match read {
        Ok((reading, _)) => format!("{:?}", reading.warnings),
        Err(error) => error.to_string(),
    };
    assert!(
        told.contains("decompresses to more than 67108864 bytes"),
        "{told}"
    );
}
