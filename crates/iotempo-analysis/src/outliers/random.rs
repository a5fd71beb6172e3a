//! Random numbers that depend on nothing but their seed.

/// SplitMix64 (Steele, Lea and Flood, OOPSLA 2014).
#[derive(Debug, Clone)]
pub(super) struct Random(u64);

impl Random {
    pub(super) const fn new(seed: u64) -> Self {
        Self(seed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// From 0 up to, but not including, 1.
    pub(super) fn fraction(&mut self) -> f64 {
        (self.next() >> 11) as f64 * 2_f64.powi(-53)
    }

    /// From 0 up to, but not including, `bound`.
    pub(super) fn below(&mut self, bound: usize) -> usize {
        // The product's upper half; its bias is below 2⁻⁴⁰ for any number of points.
        ((u128::from(self.next()) * bound as u128) >> 64) as usize
    }

    /// `count` different numbers below `bound`, in no order (Floyd's algorithm).
    pub(super) fn sample(&mut self, bound: usize, count: usize) -> Vec<usize> {
        let mut drawn = std::collections::BTreeSet::new();
        for last in bound - count.min(bound)..bound {
            let number = self.below(last + 1);
            if !drawn.insert(number) {
                drawn.insert(last);
            }
        }
        drawn.into_iter().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sample_holds_different_numbers_and_every_number_has_its_chance() {
        let mut random = Random::new(1);
        let mut hits = [0; 10];
        for _ in 0..10_000 {
            let sample = random.sample(10, 3);
            assert_eq!(sample.len(), 3);
            sample.iter().for_each(|&i| hits[i] += 1);
        }
        assert!(
            hits.iter().all(|&count| (2800..3200).contains(&count)),
            "{hits:?}"
        );
        assert_eq!(random.sample(4, 9), [0, 1, 2, 3]);
    }
}
