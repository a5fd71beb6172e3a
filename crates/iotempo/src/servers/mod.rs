//! Servers' logs, for all verbs that read them.

mod args;
mod opened;
mod source;

pub(crate) use args::ClockArgs;
pub(crate) use opened::{OpenedLog, digested, opened, path_of};
pub(crate) use source::{Counting, LogSource};
