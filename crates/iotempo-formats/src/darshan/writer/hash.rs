//! The ids that Darshan gives to names.

/// The id of a record: a hash of its name, the same in every module and every log.
///
/// Jenkins' `lookup8` (1997, public domain) from level 0. Anonymised logs keep ids and replace
/// names, so an id that does not fit its name is no sign of damage.
#[must_use]
pub fn record_id(name: impl AsRef<[u8]>) -> u64 {
    let name = name.as_ref();
    let mut state = [0, 0, 0x9e37_79b9_7f4a_7c13_u64];
    let blocks = name.chunks_exact(24);
    let tail = blocks.remainder();
    for block in blocks {
        for (word, bytes) in state.iter_mut().zip(block.chunks_exact(8)) {
            *word = word.wrapping_add(little_endian(bytes));
        }
        mix(&mut state);
    }
    // The lowest byte of the last word is kept for the length.
    let (first, rest) = tail.split_at(tail.len().min(8));
    let (second, third) = rest.split_at(rest.len().min(8));
    state[0] = state[0].wrapping_add(little_endian(first));
    state[1] = state[1].wrapping_add(little_endian(second));
    state[2] = state[2]
        .wrapping_add(name.len() as u64)
        .wrapping_add(little_endian(third) << 8);
    mix(&mut state);
    state[2]
}

/// Up to 8 bytes as a number, the first one lowest.
fn little_endian(bytes: &[u8]) -> u64 {
    bytes
        .iter()
        .rev()
        .fold(0, |number, &byte| number << 8 | u64::from(byte))
}

fn mix([a, b, c]: &mut [u64; 3]) {
    for (right_a, left_b, right_c) in [(43, 9, 8), (38, 23, 5), (35, 49, 11), (12, 18, 22)] {
        *a = a.wrapping_sub(*b).wrapping_sub(*c) ^ (*c >> right_a);
        *b = b.wrapping_sub(*c).wrapping_sub(*a) ^ (*a << left_b);
        *c = c.wrapping_sub(*a).wrapping_sub(*b) ^ (*b >> right_c);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_darshan_uses_in_every_log_have_their_known_ids() {
        for (name, id) in [
            ("<STDIN>", 14_734_109_647_742_566_553),
            ("<STDOUT>", 15_920_181_672_442_173_319),
            ("<STDERR>", 7_238_257_241_479_193_519),
            ("heatmap:POSIX", 16_592_106_915_301_738_621),
            ("heatmap:STDIO", 3_989_511_027_826_779_520),
            ("heatmap:MPIIO", 3_668_870_418_325_792_824),
            ("heatmap:DFS", 1_597_927_878_319_380_788),
            ("heatmap:DAOS", 4_131_494_093_108_637_317),
            ("darshan-bgq-record", 17_224_881_367_579_287_459),
            ("APMPI", 2_250_748_219_237_254_214),
            ("darshan-apmpi-header", 7_713_204_788_897_956_166),
            ("APXC", 4_517_659_415_186_091_864),
            ("darshan-apxc-header", 17_895_523_780_076_722_003),
        ] {
            assert_eq!(record_id(name), id, "{name}");
        }
    }
}
