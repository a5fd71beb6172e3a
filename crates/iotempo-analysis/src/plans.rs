//! Plans of Fourier transforms, kept for the next signal of the same length.

use realfft::{ComplexToReal, RealFftPlanner, RealToComplex};
use std::cell::RefCell;
use std::sync::Arc;

/// A batch of signals has few lengths and plans each once; a study with a length per job starts
/// anew before the plans take more memory than the signals.
#[derive(Default)]
struct Plans {
    planner: RealFftPlanner<f64>,
    planned: Vec<usize>,
}

/// The most samples, over all lengths, that plans are kept for: some 32 bytes each.
const MOST_PLANNED: usize = 1 << 20;

thread_local! {
    static PLANS: RefCell<Plans> = RefCell::new(Plans::default());
}

/// The transform of `length` real samples, which must not be 0.
pub(crate) fn forward(length: usize) -> Arc<dyn RealToComplex<f64>> {
    PLANS.with_borrow_mut(|plans| {
        let plan = plans.planner.plan_fft_forward(length);
        plans.remember(length);
        plan
    })
}

/// The transform back to `length` real samples, which must not be 0.
pub(crate) fn inverse(length: usize) -> Arc<dyn ComplexToReal<f64>> {
    PLANS.with_borrow_mut(|plans| {
        let plan = plans.planner.plan_fft_inverse(length);
        plans.remember(length);
        plan
    })
}

impl Plans {
    fn remember(&mut self, length: usize) {
        if !self.planned.contains(&length) {
            self.planned.push(length);
        }
        if self.planned.iter().sum::<usize>() > MOST_PLANNED {
            *self = Self::default();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plans_are_forgotten_before_they_fill_the_memory() {
        for length in 2000..3000 {
            forward(length);
            let planned: usize = PLANS.with_borrow(|plans| plans.planned.iter().sum());
            assert!(planned <= MOST_PLANNED);
        }
        forward(MOST_PLANNED + 1);
        PLANS.with_borrow(|plans| assert!(plans.planned.is_empty()));
    }
}
