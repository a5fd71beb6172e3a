//! `iotempo serve`: many jobs over HTTP, by the program itself.
#![allow(clippy::print_stderr, clippy::unwrap_used, unreachable_pub)]
#![cfg(target_os = "linux")]

#[path = "../common/mod.rs"]
mod common;

mod api;
mod client;
mod ended;
#[path = "../common/prometheus.rs"]
mod prometheus_server;
mod restart;
mod scraped;
mod security;
mod start;
mod support;
mod trouble;
