//! The calls of POSIX, and those of Linux beside them.

mod descriptors;
mod invisible;
mod open;
mod transfer;
