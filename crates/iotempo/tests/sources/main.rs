//! `iotempo predict`: sources that are no files.
#![allow(clippy::unwrap_used, clippy::print_stderr)]
#![cfg(target_os = "linux")]

#[path = "../common/mod.rs"]
mod common;
mod prometheus;
#[path = "../common/prometheus.rs"]
mod prometheus_server;
mod running;
mod sockets;
mod zeromq;
