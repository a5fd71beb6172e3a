//! Steps in order of time.

use crate::bandwidth::Step;
use std::thread;

/// From this many steps on, sorting is shared between threads, and in place.
const PARALLEL: usize = 1 << 17;

/// Below this many steps, or with as few runs that ascend already, comparing and merging is faster
/// than counting digits.
const FEW: usize = 1 << 10;
const FEW_RUNS: usize = 16;

/// Sorts by time, then by rate, so that the order of the requests cannot show in the result.
pub(crate) fn sort(steps: &mut [Step]) {
    if steps.len() >= PARALLEL {
        let threads = thread::available_parallelism().map_or(1, usize::from);
        return sort_in_place(steps, threads.min(16));
    }
    if is_soon_sorted(steps) {
        return steps.sort_by_key(place);
    }
    sort_by_digits(steps, |alike| alike.sort_unstable_by_key(place));
}

/// Sorts by time alone: what happens at the same instant stays in its order.
pub fn sort_by_time(steps: &mut [Step]) {
    let time = |step: &Step| ordered(step.at);
    if steps.len() >= PARALLEL || is_soon_sorted(steps) {
        return steps.sort_by_key(time);
    }
    sort_by_digits(steps, |alike| alike.sort_by_key(time));
}

fn is_soon_sorted(steps: &[Step]) -> bool {
    let runs = steps.windows(2).filter(|pair| pair[1].at < pair[0].at);
    steps.len() < FEW || runs.count() < FEW_RUNS
}

/// Splitting at the median keeps it in place, however many threads take part.
fn sort_in_place(steps: &mut [Step], threads: usize) {
    if threads < 2 || steps.len() < PARALLEL {
        return steps.sort_unstable_by_key(place);
    }
    let middle = steps.len() / 2;
    let (low, _, high) = steps.select_nth_unstable_by_key(middle, place);
    thread::scope(|scope| {
        scope.spawn(|| sort_in_place(low, threads / 2));
        sort_in_place(high, threads - threads / 2);
    });
}

/// Sorts by the higher digits of the time, the lowest of them first, and has sorted what is left
/// alike. They tell a microsecond in a minute: what is alike is little, or beyond the clock.
fn sort_by_digits(steps: &mut [Step], mut sort_alike: impl FnMut(&mut [Step])) {
    const DIGIT: u32 = 8;
    const VALUES: usize = 1 << DIGIT;
    const LOWEST: u32 = 24;
    let digit = |step: &Step, shift: u32| (ordered(step.at) >> shift) as usize % VALUES;
    let mut other = steps.to_vec();
    let (mut from, mut to) = (&mut steps[..], &mut other[..]);
    let mut passes = 0;
    for shift in (LOWEST..u64::BITS).step_by(DIGIT as usize) {
        let mut next = [0; VALUES];
        from.iter().for_each(|step| next[digit(step, shift)] += 1);
        // A digit that all have in common, as the highest of times often is, orders nothing.
        if next.contains(&from.len()) {
            continue;
        }
        let mut before = 0;
        for count in &mut next {
            before += std::mem::replace(count, before);
        }
        for step in from.iter() {
            let place = &mut next[digit(step, shift)];
            to[*place] = *step;
            *place += 1;
        }
        std::mem::swap(&mut from, &mut to);
        passes += 1;
    }
    if passes % 2 == 1 {
        to.copy_from_slice(from);
    }
    let alike = |a: &Step, b: &Step| ordered(a.at) >> LOWEST == ordered(b.at) >> LOWEST;
    steps.chunk_by_mut(alike).for_each(&mut sort_alike);
}

/// A number that orders as time and then rate do: one comparison, without a branch that random
/// times would have mispredicted half of the time.
fn place(step: &Step) -> u128 {
    u128::from(ordered(step.at)) << 64 | u128::from(ordered(step.rate))
}

/// A whole number that orders as the value does.
fn ordered(value: f64) -> u64 {
    let bits = value.to_bits();
    let negative = (bits as i64 >> 63) as u64;
    bits ^ (negative | 1 << 63)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn by_comparison(steps: &[Step]) -> Vec<Step> {
        let mut steps = steps.to_vec();
        steps.sort_by(|a, b| a.at.total_cmp(&b.at).then(a.rate.total_cmp(&b.rate)));
        steps
    }

    /// Times of which many are equal, in no order.
    fn scattered(len: usize) -> Vec<Step> {
        let step = |i: usize| Step {
            at: ((i * 7919) % (len / 2)) as f64 * 0.1 - 50.0,
            rate: ((i * 31) % 5) as f64 - 2.0,
        };
        (0..len).map(step).collect()
    }

    #[test]
    fn every_number_of_steps_is_sorted_alike() {
        for len in [2, 500, FEW, 10 * FEW + 1, PARALLEL, 3 * PARALLEL + 1] {
            let steps = scattered(len);
            let mut sorted = steps.clone();
            sort(&mut sorted);
            assert_eq!(sorted, by_comparison(&steps), "{len}");
        }
    }

    #[test]
    fn what_happens_at_the_same_instant_stays_in_its_order() {
        for len in [2, FEW, 10 * FEW + 1, PARALLEL] {
            let mut by_hand = scattered(len);
            let mut sorted = by_hand.clone();
            by_hand.sort_by(|a, b| a.at.total_cmp(&b.at));
            sort_by_time(&mut sorted);
            assert_eq!(sorted, by_hand, "{len}");
        }
    }

    #[test]
    fn what_is_in_order_stays() {
        let steps = by_comparison(&scattered(4 * FEW));
        let mut sorted = steps.clone();
        sort(&mut sorted);
        assert_eq!(sorted, steps);
    }

    proptest! {
        #[test]
        fn digits_order_as_comparison_does(
            steps in proptest::collection::vec((-1e300..1e300_f64, -9..9_i32), 1..200)
        ) {
            let steps: Vec<Step> = steps
                .into_iter()
                .map(|(at, rate)| Step { at, rate: f64::from(rate) })
                .collect();
            let mut sorted = steps.clone();
            sort_by_digits(&mut sorted, |alike| alike.sort_unstable_by_key(place));
            prop_assert_eq!(sorted, by_comparison(&steps));
        }
    }
}
