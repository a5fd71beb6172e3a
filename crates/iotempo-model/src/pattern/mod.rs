//! Regular expressions over the bytes of paths, for places where nothing may allocate or lock.
//!
//! A [`Pattern`] has a fixed size and is searched in time linear in the text, whatever the pattern:
//! a set of states is moved along it (Thompson, CACM 1968, <https://doi.org/10.1145/363347.363387>).
//! `core` only. The syntax is the common part of what the `regex` crate knows: literals, `.`,
//! `[a-z]`, `[^a-z]`, `\d \w \s \D \W \S`, `\n \t \r \f \v \xHH`, `( )`, `(?: )`, `|`, `* + ?`,
//! `{m}`, `{m,}`, `{m,n}`, `^` and `$`. Bytes are matched, not letters: `.` is one byte.

mod class;
mod parse;
mod program;
mod search;

pub use parse::PatternError;
use program::Program;

/// A compiled pattern.
///
/// ```
/// use iotempo_model::pattern::Pattern;
///
/// let pattern = Pattern::new(r"\.(h5|nc)$").unwrap();
/// assert!(pattern.finds(b"/scratch/run/out.h5"));
/// assert!(!pattern.finds(b"/scratch/run/out.h5.log"));
/// assert_eq!(Pattern::new("a(b").unwrap_err().to_string(), "at byte 2, `(`: the group does not end");
/// ```
#[derive(Debug, Clone)]
pub struct Pattern(Program);

impl Pattern {
    /// Compiles a pattern.
    ///
    /// # Errors
    /// Where it is none, or needs more than [`MOST_STEPS`](Self::MOST_STEPS).
    pub fn new(text: &str) -> Result<Self, PatternError> {
        parse::compile(text).map(Self)
    }

    /// How many steps a pattern may have: one for a literal or a set, one or two for an operator.
    pub const MOST_STEPS: usize = program::MOST_STEPS;

    /// Whether the pattern occurs anywhere in `text`.
    #[must_use]
    pub fn finds(&self, text: &[u8]) -> bool {
        search::finds(&self.0, text)
    }
}
