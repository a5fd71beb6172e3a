//! Random numbers that depend on nothing but their seed.

/// SplitMix64 (Steele, Lea and Flood, OOPSLA 2014).
#[derive(Debug, Clone)]
pub(crate) struct Random(u64);

impl Random {
    pub(crate) const fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// One of many streams of the same seed, so that work can be shared out without a common order.
    pub(crate) fn stream(seed: u64, number: u64) -> Self {
        let mut first = Self::new(seed);
        let mut second = Self::new(first.next() ^ number);
        Self::new(second.next())
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// From 0 up to, but not including, 1.
    pub(crate) fn fraction(&mut self) -> f64 {
        (self.next() >> 11) as f64 * 2_f64.powi(-53)
    }

    /// From 0 up to, but not including, `bound`.
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        // The product's upper half; its bias is below 2⁻⁴⁰ for any number of points.
        ((u128::from(self.next()) * bound as u128) >> 64) as usize
    }

    /// From the standard normal distribution (Box and Muller).
    pub(crate) fn normal(&mut self) -> f64 {
        // 1 is possible and 0 is not, whose logarithm there is none.
        let radius = (-2.0 * (1.0 - self.fraction()).ln()).sqrt();
        radius * (std::f64::consts::TAU * self.fraction()).cos()
    }

    /// Puts things in any order, all orders being equally likely (Fisher and Yates).
    pub(crate) fn shuffle<T>(&mut self, things: &mut [T]) {
        for last in (1..things.len()).rev() {
            things.swap(last, self.below(last + 1));
        }
    }

    /// `count` different numbers below `bound`, in no order (Floyd's algorithm).
    pub(crate) fn sample(&mut self, bound: usize, count: usize) -> Vec<usize> {
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

    #[test]
    fn all_orders_are_equally_likely_and_streams_differ() {
        let mut seen = std::collections::BTreeMap::new();
        for number in 0..6000 {
            let mut order = [0, 1, 2];
            Random::stream(7, number).shuffle(&mut order);
            *seen.entry(order).or_insert(0) += 1;
        }
        assert_eq!(seen.len(), 6);
        assert!(
            seen.values().all(|count| (850..1150).contains(count)),
            "{seen:?}"
        );
    }

    #[test]
    fn normal_numbers_have_their_moments() {
        let mut random = Random::new(2);
        let values: Vec<f64> = (0..40_000).map(|_| random.normal()).collect();
        let moment = |power| values.iter().map(|x| x.powi(power)).sum::<f64>() / 40_000.0;
        // Standard errors are 0.005, 0.007 and 0.05.
        assert!(moment(1).abs() < 0.02);
        assert!((moment(2) - 1.0).abs() < 0.03);
        assert!((moment(4) - 3.0).abs() < 0.2);
    }
}
