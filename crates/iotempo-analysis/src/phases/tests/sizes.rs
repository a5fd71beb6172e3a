//! How large requests were.

use super::*;

/// A file of HACC-IO with 100,000 particles a process: nine arrays and a header.
fn hacc(file: u64, rank: i32) -> FileCounters {
    let mut counters = written(file, rank, 1.0, 2.0);
    counters.processes = Some(64);
    let sizes = [(400_000, 7), (25_165_824, 1), (800_000, 1), (200_000, 1)];
    counters.write.requests = 10;
    counters.write.bytes = 0;
    for (place, (size, count)) in sizes.into_iter().enumerate() {
        counters.frequent[place] = SizeCount { size, count };
        counters.write.bytes += size * count;
        counters.write.sizes[size_bin(size)] += count;
    }
    counters
}

#[test]
fn four_frequent_sizes_tell_all_requests_of_hacc_io() {
    let files: Vec<_> = (0..64).map(|rank| hacc(rank as u64, rank)).collect();
    let phase = only(found(&files));
    assert_eq!(phase.bytes, 1_853_812_736);
    assert_eq!(
        phase.bytes,
        64 * (7 * 400_000 + 800_000 + 200_000 + 25_165_824)
    );
    let told = phase
        .sizes
        .shares
        .iter()
        .map(|s| (s.size_bytes, s.requests, s.exact));
    let expected = [
        (200_000.0, 64, true),
        (400_000.0, 448, true),
        (800_000.0, 64, true),
        (25_165_824.0, 64, true),
    ];
    assert_eq!(told.collect::<Vec<_>>(), expected);
    assert!(phase.sizes.exact);
    assert_eq!(phase.sizes.bytes(), 1_853_812_736.0);
}

#[test]
fn a_frequent_size_belongs_to_the_direction_that_used_its_bin() {
    let mut file = written(1, 0, 1.0, 2.0);
    file.read = file.write;
    (file.read.requests, file.write.requests) = (10, 4);
    (file.read.bytes, file.write.bytes) = (10 * 4096, 4 * 50_000_000);
    file.read.sizes[size_bin(4096)] = 10;
    file.write.sizes[size_bin(50_000_000)] = 4;
    file.frequent[0] = SizeCount {
        size: 4096,
        count: 10,
    };
    file.frequent[1] = SizeCount {
        size: 50_000_000,
        count: 4,
    };
    let phases = found(&[file]).phases;
    for (phase, size) in phases.iter().zip([4096.0, 50_000_000.0]) {
        assert_eq!(phase.sizes.shares.len(), 1);
        assert_eq!(
            (phase.sizes.shares[0].size_bytes, phase.sizes.exact),
            (size, true)
        );
    }
}

#[test]
fn a_size_that_both_directions_used_is_split_and_the_rest_makes_the_bytes_add_up() {
    let mut file = written(1, 0, 1.0, 2.0);
    file.read = file.write;
    (file.read.requests, file.write.requests) = (30, 10);
    (file.read.bytes, file.write.bytes) = (30 * 4096, 8 * 4096 + 6_000);
    (file.read.sizes[2], file.write.sizes[2]) = (30, 10);
    file.frequent[0] = SizeCount {
        size: 4096,
        count: 32,
    };
    let phases = found(&[file]).phases;
    let told = |op: Op| {
        let phase = phases.iter().find(|phase| phase.op == op).unwrap();
        assert!((phase.sizes.bytes() - phase.bytes as f64).abs() < 1e-6);
        assert!(!phase.sizes.exact);
        let shares = &phase.sizes.shares;
        shares
            .iter()
            .map(|s| (s.requests, s.exact))
            .collect::<Vec<_>>()
    };
    assert_eq!(told(Op::Write), [(2, false), (8, true)]);
    assert_eq!(told(Op::Read), [(24, true), (6, false)]);
}

#[test]
fn without_a_histogram_requests_are_of_the_mean_size() {
    let phase = only(found(&[written(1, 0, 1.0, 2.0)]));
    let [share] = phase.sizes.shares[..] else {
        panic!()
    };
    assert_eq!(
        (share.size_bytes, share.requests, share.exact),
        (1000.0, 100, false)
    );
}
