//! Moving a set of steps along a text.

use super::program::{MOST_STEPS, Program, Step};

/// Steps to be looked at, each of them once.
struct States {
    seen: [u64; MOST_STEPS / 64 + 1],
    waiting: [u16; MOST_STEPS + 1],
    len: usize,
}

impl States {
    const fn new() -> Self {
        Self {
            seen: [0; MOST_STEPS / 64 + 1],
            waiting: [0; MOST_STEPS + 1],
            len: 0,
        }
    }

    fn clear(&mut self) {
        self.seen = [0; MOST_STEPS / 64 + 1];
        self.len = 0;
    }

    fn add(&mut self, state: usize) {
        let bit = 1 << (state % 64);
        let Some(word) = self
            .seen
            .get_mut(state / 64)
            .filter(|word| **word & bit == 0)
        else {
            return;
        };
        *word |= bit;
        if let Some(slot) = self.waiting.get_mut(self.len) {
            *slot = state as u16;
            self.len += 1;
        }
    }

    fn get(&self, index: usize) -> Option<usize> {
        let waiting = self.waiting.get(..self.len)?;
        waiting.get(index).map(|state| usize::from(*state))
    }
}

/// Whether `program` reaches its end from anywhere in `text`.
pub(super) fn finds(program: &Program, text: &[u8]) -> bool {
    let (mut now, mut next) = (States::new(), States::new());
    for at in 0..=text.len() {
        now.add(0);
        if advance(program, text, at, &mut now, &mut next) {
            return true;
        }
        core::mem::swap(&mut now, &mut next);
        next.clear();
    }
    false
}

/// Follows all states at a place of the text; those that take the byte there go on in `next`.
fn advance(program: &Program, text: &[u8], at: usize, now: &mut States, next: &mut States) -> bool {
    let byte = text.get(at).copied();
    let mut index = 0;
    while let Some(state) = now.get(index) {
        index += 1;
        let Some(step) = program.step(state) else {
            return true;
        };
        let takes = match step {
            Step::Byte(wanted) => byte == Some(wanted),
            Step::Class(number) => byte.is_some_and(|byte| program.class(number).has(byte)),
            Step::Start | Step::End | Step::Fork(_) | Step::Jump(_) => false,
        };
        if takes {
            next.add(state + 1);
        }
        let passes = match step {
            Step::Start => at == 0,
            Step::End => byte.is_none(),
            Step::Fork(_) => true,
            Step::Byte(_) | Step::Class(_) | Step::Jump(_) => false,
        };
        if passes {
            now.add(state + 1);
        }
        if let Step::Fork(far) | Step::Jump(far) = step {
            now.add(state.wrapping_add_signed(far.into()));
        }
    }
    false
}
