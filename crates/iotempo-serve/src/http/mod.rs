//! Requests and their answers.

mod answer;
mod asked;
mod connection;
mod events;
mod guard;
mod jobs;
mod metrics;
mod openapi;
mod page;
mod patience;
mod routes;

pub(crate) use connection::listen;

use crate::board::Board;
use crate::settings::Settings;
use std::sync::Arc;
use tokio::sync::{Semaphore, watch};

/// What all requests share.
#[derive(Debug)]
pub(crate) struct Shared {
    settings: Arc<Settings>,
    board: Arc<Board>,
    /// Turns true when the server is to stop.
    stopping: watch::Receiver<bool>,
    connections: Arc<Semaphore>,
    streams: Arc<Semaphore>,
}

impl Shared {
    pub(crate) fn new(
        settings: Arc<Settings>,
        board: Arc<Board>,
        stopping: watch::Receiver<bool>,
    ) -> Self {
        Self {
            connections: Arc::new(Semaphore::new(settings.limits.connections)),
            streams: Arc::new(Semaphore::new(settings.limits.streams)),
            settings,
            board,
            stopping,
        }
    }
}

/// Ends when the server is to stop.
async fn stopped(mut stopping: watch::Receiver<bool>) {
    // Where nobody can say so any more, it is to stop as well.
    let _ = stopping.wait_for(|stop| *stop).await;
}
