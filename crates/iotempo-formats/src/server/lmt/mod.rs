//! LMT: what it keeps in its database, and the strings that its agents send.

pub(super) mod cerebro;
pub(super) mod database;
