//! Moving a set of steps along a text, with little stack: a signal handler may stand on 8 KiB of it.

use super::program::{MOST_STEPS, Program, Step};

/// The end of the program is a state, too.
const WORDS: usize = MOST_STEPS / 64 + 1;

/// A bit for each state.
type Bits = [u64; WORDS];

/// Steps to be looked at, each of them once.
struct States {
    seen: Bits,
    waiting: Bits,
}

impl States {
    const fn new() -> Self {
        Self {
            seen: [0; WORDS],
            waiting: [0; WORDS],
        }
    }

    fn add(&mut self, state: usize) {
        let (word, bit) = (state / 64, 1 << (state % 64));
        if let (Some(seen), Some(waiting)) = (self.seen.get_mut(word), self.waiting.get_mut(word)) {
            *waiting |= bit & !*seen;
            *seen |= bit;
        }
    }

    fn take(&mut self) -> Option<usize> {
        let mut words = self.waiting.iter_mut().enumerate();
        let (index, word) = words.find(|(_, word)| **word != 0)?;
        let bit = word.trailing_zeros() as usize;
        *word &= *word - 1;
        Some(64 * index + bit)
    }
}

/// Whether `program` reaches its end from anywhere in `text`.
pub(super) fn finds(program: &Program, text: &[u8]) -> bool {
    let mut now = States::new();
    for at in 0..=text.len() {
        let mut next = States::new();
        now.add(0);
        while let Some(state) = now.take() {
            let Some(step) = program.step(state) else {
                return true;
            };
            follow(
                program,
                (state, step),
                (at, text.get(at)),
                &mut now,
                &mut next,
            );
        }
        now = next;
    }
    false
}

/// Goes on from one step: behind it in `next` if it takes a byte, else from it in `now`.
fn follow(
    program: &Program,
    (state, step): (usize, Step),
    (at, byte): (usize, Option<&u8>),
    now: &mut States,
    next: &mut States,
) {
    let goes_on = |passes: bool, to: &mut States| {
        if passes {
            to.add(state + 1);
        }
    };
    match step {
        Step::Byte(wanted) => goes_on(byte == Some(&wanted), next),
        Step::Class(number) => goes_on(byte.is_some_and(|b| program.class(number).has(*b)), next),
        Step::Start => goes_on(at == 0, now),
        Step::End => goes_on(byte.is_none(), now),
        Step::Fork(far) => {
            now.add(state + 1);
            now.add(state.wrapping_add_signed(far.into()));
        }
        Step::Jump(far) => now.add(state.wrapping_add_signed(far.into())),
    }
}
