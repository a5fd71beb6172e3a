//! A server from its start to its end.

use crate::board::Board;
use crate::http::{self, Shared};
use crate::hub::Hub;
use crate::journal::{Failure, Journal, Pasts};
use crate::settings::{Notice, Settings};
use std::io;
use std::net::{SocketAddr, TcpListener};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::{Sender, channel};
use std::thread::{self, JoinHandle};
use std::time::Duration;
use tokio::runtime::{Builder, Runtime};
use tokio::sync::watch;

/// Threads that answer requests.
const WORKERS: usize = 2;
/// How long answers that are under way may take when the server is stopped.
const LAST_WORDS: Duration = Duration::from_secs(1);

/// Why a server cannot be started.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// Who can reach it is not asked for anything.
    #[error("{0} can be reached from other machines: that needs a token")]
    Open(SocketAddr),
    /// Nobody can reach it.
    #[error("cannot listen on {0}: {1}")]
    Listen(SocketAddr, io::Error),
    /// Another server keeps its journal there.
    #[error("another server uses {0}: give this one another --state")]
    Taken(PathBuf),
    /// There are no threads to be had.
    #[error("cannot start a thread: {0}")]
    Thread(io::Error),
}

/// A server that runs.
#[derive(Debug)]
pub struct Server {
    address: SocketAddr,
    runtime: Runtime,
    stop_http: watch::Sender<bool>,
    stop_hub: Sender<()>,
    hub: JoinHandle<()>,
}

impl Server {
    /// Begins to follow jobs and to answer requests.
    ///
    /// # Errors
    /// Where nobody could or everybody might reach it.
    pub fn start(settings: Settings, notice: Notice) -> Result<Self, Error> {
        let listen = settings.listen;
        if settings.token.is_none() && !listen.ip().is_loopback() {
            return Err(Error::Open(listen));
        }
        let failed = |error| Error::Listen(listen, error);
        let listener = TcpListener::bind(listen).map_err(failed)?;
        listener.set_nonblocking(true).map_err(failed)?;
        let address = listener.local_addr().map_err(failed)?;
        let (journal, pasts) = open_journal(&settings, &notice)?;
        let settings = Arc::new(settings);
        let board = Arc::new(Board::new());
        let (stop_hub, stopped) = channel();
        let hub = Hub::new(
            Arc::clone(&settings),
            Arc::clone(&board),
            notice,
            journal,
            pasts,
        );
        let hub = thread::Builder::new()
            .name("hub".to_owned())
            .spawn(move || hub.run(&stopped))
            .map_err(Error::Thread)?;
        let mut builder = Builder::new_multi_thread();
        let runtime = builder.worker_threads(WORKERS).enable_all().build();
        let runtime = runtime.map_err(Error::Thread)?;
        let (stop_http, stopping) = watch::channel(false);
        let shared = Arc::new(Shared::new(settings, board, stopping));
        runtime.spawn(http::listen(listener, shared));
        Ok(Self {
            address,
            runtime,
            stop_http,
            stop_hub,
            hub,
        })
    }

    /// Where it listens.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Ends what is under way, and stops.
    pub fn stop(self) {
        // Who has ended already needs no word.
        let _ = self.stop_http.send(true);
        let _ = self.stop_hub.send(());
        let _ = self.hub.join();
        self.runtime.shutdown_timeout(LAST_WORDS);
    }
}

/// The journal, if it can be written, and what it holds.
fn open_journal(settings: &Settings, notice: &Notice) -> Result<(Option<Journal>, Pasts), Error> {
    let state = &settings.state;
    match Journal::open(state) {
        Ok((journal, pasts)) => {
            if pasts.damaged() > 0 {
                let damaged = pasts.damaged();
                let place = state.display();
                notice(&format!(
                    "{place}: {damaged} lines of the journal are damaged and left out"
                ));
            }
            Ok((Some(journal), pasts))
        }
        Err(Failure::Taken) => Err(Error::Taken(state.clone())),
        Err(Failure::Io(error)) => {
            let place = state.display();
            notice(&format!(
                "{place}: {error}: predictions will not outlive this server"
            ));
            Ok((None, Pasts::default()))
        }
    }
}
