//! Lists of nodes as schedulers write them.

use std::fmt;

/// More nodes than any machine has: what asks for more is no list of nodes.
pub const MOST_NODES: usize = 1 << 20;

/// Why a text is no list of nodes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NodeListError {
    /// What is wrong.
    pub what: &'static str,
    /// The part of the list that it is wrong with.
    pub part: String,
}

impl fmt::Display for NodeListError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.what, self.part)
    }
}

impl std::error::Error for NodeListError {}

/// The names in a list such as `nid[00012-00015,00020],a1`. Numbers keep their zeros, a name may have
/// several brackets (`rack[1-2]node[1-4]`), and nodes come in the order of the list.
///
/// ```
/// use iotempo_model::expand_nodes;
/// assert_eq!(expand_nodes("n[08-10],a1").unwrap(), ["n08", "n09", "n10", "a1"]);
/// assert!(expand_nodes("n[10-8]").is_err());
/// ```
///
/// # Errors
/// Where a bracket or a range is wrong, or there would be more than [`MOST_NODES`].
pub fn expand_nodes(list: &str) -> Result<Vec<String>, NodeListError> {
    let mut nodes = Vec::new();
    let list = list.trim();
    if list.is_empty() || ["None assigned", "None", "(null)", "N/A"].contains(&list) {
        return Ok(nodes);
    }
    let mut rest = Some(list);
    while let Some(text) = rest {
        let (name, after) = split_name(text)?;
        expand_name(name, &mut nodes)?;
        rest = after;
    }
    Ok(nodes)
}

fn error(what: &'static str, part: &str) -> NodeListError {
    let part = part.chars().take(80).collect();
    NodeListError { what, part }
}

/// The first name, and what follows the comma behind it, if one does.
fn split_name(text: &str) -> Result<(&str, Option<&str>), NodeListError> {
    let mut inside = false;
    for (at, byte) in text.bytes().enumerate() {
        match (byte, inside) {
            (b'[', false) => inside = true,
            (b']', true) => inside = false,
            (b'[', true) | (b']', false) => {
                return Err(error("brackets of a list of nodes do not match", text));
            }
            (b',', false) => return Ok((&text[..at], Some(&text[at + 1..]))),
            _ => {}
        }
    }
    match inside {
        true => Err(error("a bracket of a list of nodes is not closed", text)),
        false => Ok((text, None)),
    }
}

/// A name with any number of brackets, each of them closed.
fn expand_name(name: &str, nodes: &mut Vec<String>) -> Result<(), NodeListError> {
    let name = name.trim();
    if name.is_empty() {
        return Err(error("a name is missing in a list of nodes", name));
    }
    let mut begun = vec![String::new()];
    let mut rest = name;
    while let Some((before, bracket)) = rest.split_once('[') {
        let (ranges, after) = bracket.split_once(']').unwrap_or((bracket, ""));
        let numbers = numbers(ranges)?;
        if begun.len().saturating_mul(numbers.len()) > MOST_NODES {
            return Err(error("more nodes than any machine has", name));
        }
        begun = begun
            .iter()
            .flat_map(|begin| {
                numbers
                    .iter()
                    .map(move |number| format!("{begin}{before}{number}"))
            })
            .collect();
        rest = after;
    }
    if nodes.len() + begun.len() > MOST_NODES {
        return Err(error("more nodes than any machine has", name));
    }
    nodes.extend(begun.into_iter().map(|begin| begin + rest));
    Ok(())
}

/// `00012-00015,00020`.
fn numbers(ranges: &str) -> Result<Vec<String>, NodeListError> {
    let mut all = Vec::new();
    for range in ranges.split(',') {
        let (first, last) = range.split_once('-').unwrap_or((range, range));
        let wrong = || error("not a range of nodes", range);
        let number = |text: &str| {
            let plain = !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
            plain.then(|| text.parse::<u64>().ok()).flatten()
        };
        let (from, to) = (
            number(first).ok_or_else(wrong)?,
            number(last).ok_or_else(wrong)?,
        );
        if from > to {
            return Err(wrong());
        }
        let count = usize::try_from(to - from).unwrap_or(usize::MAX);
        if count.saturating_add(all.len()) >= MOST_NODES {
            return Err(error("more nodes than any machine has", range));
        }
        let width = first.len();
        all.extend((from..=to).map(|number| format!("{number:0width$}")));
    }
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_expanded_in_their_order() {
        for (list, expected) in [
            ("vm", vec!["vm"]),
            (
                "nid[00012-00015,00020],a1",
                vec![
                    "nid00012", "nid00013", "nid00014", "nid00015", "nid00020", "a1",
                ],
            ),
            ("a1,b[2-3]", vec!["a1", "b2", "b3"]),
            ("n[9-11]", vec!["n9", "n10", "n11"]),
            ("n[098-101]", vec!["n098", "n099", "n100", "n101"]),
            ("r[1-2]n[1-2]x", vec!["r1n1x", "r1n2x", "r2n1x", "r2n2x"]),
            ("[0-1,4]", vec!["0", "1", "4"]),
            ("None assigned", vec![]),
            ("", vec![]),
        ] {
            assert_eq!(expand_nodes(list).expect("a list"), expected, "{list}");
        }
    }

    #[test]
    fn what_is_no_list_is_said_with_its_part() {
        for (list, expected) in [
            ("n[1-", "a bracket of a list of nodes is not closed: n[1-"),
            ("n]1[", "brackets of a list of nodes do not match: n]1["),
            (
                "n[1,[2]]",
                "brackets of a list of nodes do not match: n[1,[2]]",
            ),
            ("n[2-1]", "not a range of nodes: 2-1"),
            ("n[a-b]", "not a range of nodes: a-b"),
            ("n[1-2-3]", "not a range of nodes: 1-2-3"),
            ("n[]", "not a range of nodes: "),
            ("a,,b", "a name is missing in a list of nodes: "),
        ] {
            let error = expand_nodes(list).expect_err(list);
            assert_eq!(error.to_string(), expected, "{list}");
        }
    }

    #[test]
    fn a_list_cannot_ask_for_all_memory() {
        for list in [
            "n[0-18446744073709551615]",
            "n[0-99999999]",
            "a[1-9999]b[1-9999]",
            "n[0-1048575],x",
        ] {
            let error = expand_nodes(list).expect_err(list);
            assert_eq!(error.what, "more nodes than any machine has", "{list}");
        }
        assert_eq!(
            expand_nodes("n[0-1048575]")
                .expect("as many as may be")
                .len(),
            MOST_NODES
        );
    }
}
