//! `iotempo serve`: many jobs over HTTP, by the program itself.
#![allow(clippy::unwrap_used, unreachable_pub)]
#![cfg(target_os = "linux")]

#[path = "../common/mod.rs"]
mod common;

mod restart;
mod support;
