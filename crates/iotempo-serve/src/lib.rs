//! What is expected of many jobs that still run, over HTTP.
//!
//! A [`Server`] looks for jobs below some folders and follows each of them. One thread, the hub, reads
//! files and makes predictions; it writes them into a journal and puts what is known on a board. The
//! threads of the HTTP server only read the board, and so can neither wait for a file nor be waited for.

mod board;
mod catalogue;
mod followed;
mod http;
mod hub;
mod identity;
mod journal;
mod ledger;
mod resume;
mod server;
mod settings;
mod view;

pub use server::{Error, Server};
pub use settings::{Limits, Notice, Settings, Token, WeakToken};
