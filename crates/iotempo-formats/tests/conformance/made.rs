//! A log made in memory, for what no log at hand shows.

/// Where 3.41 keeps what is needed here, and the number of LUSTRE.
const HEADER: usize = 1328;
const JOB: usize = 4096;
const NAMES_AT: usize = 32;
const MAP_AT: usize = 48;
const VERSIONS_AT: usize = 1072;
const LUSTRE: usize = 8;

/// An uncompressed log with one record of LUSTRE 2: a stripe size and count per component, and the
/// targets that follow them.
pub fn lustre_log(components: &[(i64, i64)], targets: &[i64]) -> Vec<u8> {
    let mut log = vec![0; HEADER + JOB];
    log[..4].copy_from_slice(b"3.41");
    put(&mut log, 8, 6_567_223);
    log[16] = 2;
    // The number of processes, and the text after the metadata.
    put(&mut log, HEADER + 40, 1);
    log[HEADER + 1080..][..15].copy_from_slice(b"./a.out\next4\t/x");
    let names = log.len();
    log.extend(7_i64.to_le_bytes());
    log.extend(b"/x/file\0");
    let records = log.len();
    log.extend(record(components, targets));
    place(&mut log, NAMES_AT, names, records);
    let end = log.len();
    place(&mut log, MAP_AT + 16 * LUSTRE, records, end);
    log[VERSIONS_AT + 4 * LUSTRE] = 2;
    log
}

fn record(components: &[(i64, i64)], targets: &[i64]) -> Vec<u8> {
    let mut words = vec![7, 0, components.len() as i64, targets.len() as i64];
    for &(stripe_size, stripe_count) in components {
        words.extend([stripe_size, stripe_count, 0, 0, 0, -1, 0, 0, 0]);
    }
    words.extend(targets);
    words.into_iter().flat_map(i64::to_le_bytes).collect()
}

fn place(log: &mut [u8], at: usize, start: usize, end: usize) {
    put(log, at, start as i64);
    put(log, at + 8, (end - start) as i64);
}

fn put(log: &mut [u8], at: usize, value: i64) {
    log[at..at + 8].copy_from_slice(&value.to_le_bytes());
}
