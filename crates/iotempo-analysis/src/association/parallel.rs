//! Work that is shared out among threads, with results that do not tell how many there were.

use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// What `work` makes of each number below `count`, in their order. Each thread has a room of its own.
/// `None` takes as many threads as the machine runs at once.
pub(crate) fn map<R: Default, T: Send>(
    count: usize,
    threads: Option<NonZeroUsize>,
    work: impl Fn(&mut R, usize) -> T + Sync,
) -> Vec<T> {
    let threads = threads.or_else(|| thread::available_parallelism().ok());
    let threads = threads.map_or(1, NonZeroUsize::get).min(count);
    if threads <= 1 {
        let mut room = R::default();
        return (0..count).map(|number| work(&mut room, number)).collect();
    }
    let next = AtomicUsize::new(0);
    let one = || {
        let mut room = R::default();
        let mine = || Some(next.fetch_add(1, Ordering::Relaxed)).filter(|&number| number < count);
        let numbers = std::iter::from_fn(mine);
        numbers
            .map(|number| (number, work(&mut room, number)))
            .collect::<Vec<_>>()
    };
    let mut done: Vec<(usize, T)> = thread::scope(|scope| {
        let others: Vec<_> = (1..threads).map(|_| scope.spawn(one)).collect();
        let mut done = one();
        for other in others {
            match other.join() {
                Ok(results) => done.extend(results),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        done
    });
    done.sort_unstable_by_key(|(number, _)| *number);
    done.into_iter().map(|(_, result)| result).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_come_in_order_from_any_number_of_threads() {
        for threads in [1, 2, 7] {
            let squares = map(100, NonZeroUsize::new(threads), |(): &mut (), i| i * i);
            assert!(
                squares
                    .iter()
                    .enumerate()
                    .all(|(i, square)| i * i == *square)
            );
        }
        assert!(map(0, None, |(): &mut (), i| i).is_empty());
    }
}
