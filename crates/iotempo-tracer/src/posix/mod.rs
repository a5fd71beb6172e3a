//! The calls of POSIX, and those of Linux beside them.

mod descriptors;
mod ending;
mod invisible;
mod open;
mod transfer;

pub(crate) use ending::ending;
