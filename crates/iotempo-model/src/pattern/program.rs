//! What a pattern is compiled to: steps one after another, and jumps that count from where they
//! stand, so that a stretch of steps can be moved and repeated as it is.

use super::class::Class;

/// Enough for hundreds of letters.
pub(super) const MOST_STEPS: usize = 1024;
/// Different sets of bytes in one pattern.
const MOST_CLASSES: usize = 64;

/// One step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Step {
    /// Takes this byte.
    Byte(u8),
    /// Takes a byte of this class.
    Class(u8),
    /// Passes at the start of the text only.
    Start,
    /// Passes at its end only.
    End,
    /// Goes on behind itself, and also so far from here.
    Fork(i16),
    /// Goes on so far from here.
    Jump(i16),
}

/// The pattern has more steps or classes than there is room for.
#[derive(Debug, Clone, Copy)]
pub(super) struct Full;

/// A pattern is found when its end is reached.
#[derive(Debug, Clone)]
pub(super) struct Program {
    steps: [Step; MOST_STEPS],
    len: usize,
    classes: [Class; MOST_CLASSES],
    class_count: usize,
}

impl Program {
    pub(super) fn new() -> Self {
        Self {
            steps: [Step::Start; MOST_STEPS],
            len: 0,
            classes: [Class::default(); MOST_CLASSES],
            class_count: 0,
        }
    }

    pub(super) fn len(&self) -> usize {
        self.len
    }

    pub(super) fn step(&self, index: usize) -> Option<Step> {
        self.steps.get(..self.len)?.get(index).copied()
    }

    pub(super) fn class(&self, number: u8) -> Class {
        let class = self.classes.get(usize::from(number));
        class.copied().unwrap_or_default()
    }

    pub(super) fn push(&mut self, step: Step) -> Result<(), Full> {
        *self.steps.get_mut(self.len).ok_or(Full)? = step;
        self.len += 1;
        Ok(())
    }

    /// A step for this class, which is kept once.
    pub(super) fn push_class(&mut self, class: Class) -> Result<(), Full> {
        let known = self.classes.iter().take(self.class_count);
        let number = match known.into_iter().position(|one| *one == class) {
            Some(number) => number,
            None => {
                *self.classes.get_mut(self.class_count).ok_or(Full)? = class;
                self.class_count += 1;
                self.class_count - 1
            }
        };
        self.push(Step::Class(number as u8))
    }

    /// Puts a step before the stretch that goes from `at` to the end.
    pub(super) fn insert(&mut self, at: usize, step: Step) -> Result<(), Full> {
        self.push(step)?;
        if let Some(stretch) = self.steps.get_mut(at..self.len) {
            stretch.rotate_right(1);
        }
        Ok(())
    }

    /// Repeats a stretch at the end.
    pub(super) fn repeat(&mut self, from: usize, to: usize) -> Result<(), Full> {
        (from..to).try_for_each(|index| self.push(self.step(index).ok_or(Full)?))
    }

    pub(super) fn replace(&mut self, at: usize, step: Step) {
        if let Some(slot) = self.steps.get_mut(at) {
            *slot = step;
        }
    }

    /// Drops all from `at` on.
    pub(super) fn cut(&mut self, at: usize) {
        self.len = self.len.min(at);
    }
}
