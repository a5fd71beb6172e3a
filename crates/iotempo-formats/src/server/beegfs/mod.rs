//! BeeGFS: what its command-line tools print about users, clients and servers.

mod operations;
mod servers;
mod text;

use super::options::{Options, Reading};
use super::quantity::{Quantity, no_operations};
use crate::error::Error;
use crate::input::Input;
use crate::table::field;
use iotempo_model::ThroughputSink;

/// Which of the tools printed a log.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Tool {
    /// `beegfs-ctl --userstats`, `--clientstats`; `beegfs stats` of version 8.
    Operations,
    /// `beegfs-ctl --serverstats`, also with `--perserver`.
    Servers,
}

impl Tool {
    /// By the first line that is its own.
    fn of(head: &[u8]) -> Option<Self> {
        let begin = String::from_utf8_lossy(&head[..head.len().min(16 << 10)]);
        let mut lines = begin.lines().take(64).map(str::trim).peekable();
        while let Some(line) = lines.next() {
            if servers::is_heading(line) || servers::time_index(line).is_some() {
                return Some(Self::Servers);
            }
            if let Some(block) = text::block(line) {
                // Others may draw lines around a number of seconds: what follows must fit, too.
                let mut next = lines.by_ref().filter(|line| !line.is_empty());
                let fits = next.next().is_none_or(|line| text::fits(&block, line));
                return fits.then_some(Self::Operations);
            }
            let is_banner = line.is_empty()
                || line.bytes().all(|byte| byte == b'*')
                || line.contains("PRESS ANY KEY")
                || line.starts_with("Total results for ")
                || line.starts_with("Warning: ");
            if !is_banner {
                return None;
            }
        }
        None
    }
}

pub(super) fn sniff(head: &[u8]) -> bool {
    Tool::of(head).is_some()
}

pub(super) fn read(
    input: Input,
    options: &Options,
    sink: &mut dyn ThroughputSink,
) -> Result<Reading, Error> {
    match Tool::of(input.head()) {
        Some(Tool::Operations) => operations::read(input, options, sink),
        Some(Tool::Servers) if options.quantity == Quantity::Operations => Err(no_operations(
            "beegfs-ctl --serverstats",
            "it adds them up (reqs); log with --userstats or --clientstats --nodetype=storage",
        )),
        Some(Tool::Servers) => servers::read(input, options, sink),
        None => Err(super::unknown(input.head())),
    }
}

/// A number; some locales write its decimals behind a comma.
fn number(text: &str) -> Option<f64> {
    field::number(text.as_bytes()).or_else(|| field::number(text.replacen(',', ".", 1).as_bytes()))
}
