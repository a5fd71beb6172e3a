//! What is wrong with something that grows, counted: a person is told once, and again when it is much more.

use iotempo_model::{Warning, counted};
use std::borrow::Cow;
use std::collections::BTreeMap;

/// Told again when there is so many times as much of it.
const MUCH_MORE: u64 = 10;

/// Counts what is wrong.
#[derive(Debug, Default)]
pub(super) struct Tally {
    met: BTreeMap<Cow<'static, str>, Met>,
    /// What is damaged.
    noun: &'static str,
}

/// One kind of trouble.
#[derive(Debug)]
struct Met {
    /// The first of its kind.
    first: String,
    count: u64,
    told: u64,
}

impl Tally {
    /// The line or item of this number could not be read.
    pub(super) fn damaged(&mut self, noun: &'static str, number: u64, reason: &str) {
        self.noun = noun;
        let first = format!("{noun} {number} was left out, or a part of it: {reason}");
        self.count("damaged-lines", first);
    }

    /// A reader warned of what it took all the same.
    pub(super) fn met(&mut self, warning: &Warning) {
        // Each part of what comes is read by itself.
        let of_parts = ["empty", "damaged", "bad-rows", "last-sample", "no-requests"];
        if !of_parts.contains(&&*warning.code) {
            self.count(warning.code.clone(), warning.message.clone());
        }
    }

    fn count(&mut self, code: impl Into<Cow<'static, str>>, first: String) {
        let met = self.met.entry(code.into()).or_insert(Met {
            first,
            count: 0,
            told: 0,
        });
        met.count += 1;
    }

    /// What is new, or much more than when it was last told.
    pub(super) fn take(&mut self) -> Vec<Warning> {
        self.told(|met| met.told == 0 || met.count >= MUCH_MORE * met.told)
    }

    /// All that is more than when it was last told: there is no later.
    pub(super) fn take_all(&mut self) -> Vec<Warning> {
        self.told(|met| met.count > met.told)
    }

    fn told(&mut self, is_due: impl Fn(&Met) -> bool) -> Vec<Warning> {
        let noun = self.noun;
        let due = self.met.iter_mut().filter(|(_, met)| is_due(met));
        due.map(|(code, met)| {
            let again = met.told > 0;
            met.told = met.count;
            let message = match met.count {
                1 => met.first.clone(),
                _ if code == "damaged-lines" => {
                    format!(
                        "{} so far; the first: {}",
                        counted(met.count, noun),
                        met.first
                    )
                }
                count if again => format!("{count} times so far; the first: {}", met.first),
                _ => met.first.clone(),
            };
            Warning {
                code: code.clone(),
                message,
            }
        })
        .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_happens_again_and_again_is_told_ever_more_seldom() {
        let mut tally = Tally::default();
        let mut told = Vec::new();
        for line in 1..=1000 {
            tally.damaged("line", line, "not a time: x");
            let warnings = tally.take();
            told.extend((!warnings.is_empty()).then_some(line));
        }
        assert_eq!(told, [1, 10, 100, 1000]);
        assert!(tally.take_all().is_empty());
        tally.damaged("line", 1001, "not a time: x");
        assert!(tally.take().is_empty());
        let last = tally.take_all().remove(0).message;
        assert!(last.starts_with("1001 lines so far"), "{last}");
        assert!(last.contains("line 1 ") && last.ends_with("not a time: x"));
    }
}
