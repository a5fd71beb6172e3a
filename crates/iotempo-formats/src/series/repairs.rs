//! What had to be repaired or left out.

use iotempo_model::{Warning, counted};

/// How often, and where.
#[derive(Debug, Default)]
pub(crate) struct Repairs {
    pub(crate) zero_duration: u64,
    pub(crate) backwards: u64,
    pub(crate) unsorted: u64,
    pub(crate) without_time: u64,
    pub(crate) repeated_keys: u64,
    pub(crate) without_direction: Vec<String>,
    pub(crate) unknown_items: Vec<String>,
}

impl Repairs {
    /// A warning for each kind of repair.
    pub(crate) fn warnings(&self) -> Vec<Warning> {
        let mut warnings = Vec::new();
        let mut count = |count: u64, noun, code, what| {
            if count > 0 {
                warnings.push(Warning::new(
                    code,
                    format!("{} {what}", counted(count, noun)),
                ));
            }
        };
        count(
            self.zero_duration,
            "record",
            "zero-duration",
            "with a rate but no duration: the bytes are not known, left out",
        );
        count(
            self.backwards,
            "record",
            "clock-backwards",
            "with an end before its start: a rate gives no bytes there, left out",
        );
        count(
            self.unsorted,
            "curve",
            "unsorted",
            "not in order of time: sorted",
        );
        count(
            self.without_time,
            "sample",
            "not-finite",
            "without a finite time: left out",
        );
        count(
            self.repeated_keys,
            "key",
            "duplicate-key",
            "met twice in one map: the last one is taken",
        );
        warnings.extend(self.named());
        warnings
    }

    fn named(&self) -> impl Iterator<Item = Warning> {
        let kinds = [
            (
                &self.without_direction,
                "op-assumed",
                "nothing says whether this was read or written, taken as written",
            ),
            (
                &self.unknown_items,
                "unknown-section",
                "not known, left out",
            ),
        ];
        let met = kinds.into_iter().filter(|(names, ..)| !names.is_empty());
        met.map(|(names, code, what)| Warning::new(code, format!("{what}: {}", some_of(names))))
    }
}

/// The first few of a list.
fn some_of(names: &[String]) -> String {
    const MOST: usize = 4;
    let shown = names[..names.len().min(MOST)].join(", ");
    match names.len() {
        0..=MOST => shown,
        more => format!("{shown} and {} more", more - MOST),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_names_are_not_a_page() {
        let names: Vec<String> = (0..9).map(|n| format!("m{n}")).collect();
        assert_eq!(some_of(&names[..2]), "m0, m1");
        assert_eq!(some_of(&names), "m0, m1, m2, m3 and 5 more");
    }
}
