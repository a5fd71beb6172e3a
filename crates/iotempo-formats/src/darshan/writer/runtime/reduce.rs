//! The records of all ranks on a file as one.

use super::tally::{Direction, Share, Spread, Stamps, Tally};

/// One record of rank −1 for a file that all ranks used.
pub(super) fn all_ranks(tallies: &[Tally]) -> Tally {
    let mut all = Tally {
        rank: -1,
        spread: spread(tallies),
        ..Tally::default()
    };
    for one in tallies {
        add(&mut all, one);
    }
    all
}

fn add(all: &mut Tally, one: &Tally) {
    all.opens += one.opens;
    all.flushes += one.flushes;
    all.switches += one.switches;
    all.unaligned += one.unaligned;
    all.alignment = one.alignment;
    all.meta.total += one.meta.total;
    add_direction(&mut all.read, &one.read);
    add_direction(&mut all.write, &one.write);
    add_stamps(&mut all.opened, one.opened);
    add_stamps(&mut all.closed, one.closed);
    all.sizes.add(&one.sizes);
    all.strides.add(&one.strides);
}

fn add_direction(all: &mut Direction, one: &Direction) {
    all.calls += one.calls;
    all.collective += one.collective;
    all.bytes += one.bytes;
    all.max_byte = all.max_byte.max(one.max_byte);
    all.consecutive += one.consecutive;
    all.sequential += one.sequential;
    for (sum, count) in all.sizes.iter_mut().zip(one.sizes) {
        *sum += count;
    }
    all.time.total += one.time.total;
    if one.longest > all.longest {
        all.longest = one.longest;
        all.longest_size = one.longest_size;
    }
    add_stamps(&mut all.stamps, one.stamps);
}

/// The first start that is set, and the last end.
fn add_stamps(all: &mut Stamps, one: Stamps) {
    if one.start != 0.0 && (all.start == 0.0 || one.start < all.start) {
        all.start = one.start;
    }
    all.end = all.end.max(one.end);
}

fn spread(tallies: &[Tally]) -> Spread {
    let shares: Vec<Share> = tallies
        .iter()
        .map(|tally| Share {
            rank: tally.rank,
            bytes: tally.bytes(),
            time: tally.time(),
        })
        .collect();
    let by_time = |a: &&Share, b: &&Share| a.time.total_cmp(&b.time);
    Spread {
        fastest: shares.iter().min_by(by_time).copied().unwrap_or_default(),
        slowest: shares.iter().max_by(by_time).copied().unwrap_or_default(),
        time_variance: variance(shares.iter().map(|share| share.time)),
        bytes_variance: variance(shares.iter().map(|share| share.bytes as f64)),
    }
}

/// Of a whole population: divided by its size.
fn variance(values: impl ExactSizeIterator<Item = f64> + Clone) -> f64 {
    let count = values.len().max(1) as f64;
    let mean = values.clone().sum::<f64>() / count;
    values.map(|value| (value - mean).powi(2)).sum::<f64>() / count
}
