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
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Duration;
use tokio::runtime::{Builder, Runtime};
use tokio::sync::watch;

/// Threads that answer requests.
const WORKERS: usize = 2;
/// How long a look at a job may take when the server is stopped; answers are sent meanwhile.
const LAST_LOOK: Duration = Duration::from_secs(1);
/// How long the threads that answer have to come to rest after that; what they have not sent then is dropped.
const REST: Duration = Duration::from_millis(500);

/// Why a server cannot be started.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// Who can reach it is not asked for anything.
    #[error(
        "{0} can be reached from other machines: that needs a token, by --token-file FILE or in IOTEMPO_TOKEN \
         (16 characters or more); 127.0.0.1:{port} needs none",
        port = .0.port()
    )]
    Open(SocketAddr),
    /// Nobody can reach it.
    #[error("cannot listen on {0}: {1}{hint}", hint = if .1.kind() == io::ErrorKind::AddrInUse {
        ": another program does; --listen 127.0.0.1:0 takes any port that is free"
    } else {
        ""
    })]
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
    stop_hub: Arc<AtomicBool>,
    /// Closed when the hub has ended.
    hub: Receiver<()>,
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
        let hub = Hub::new(
            Arc::clone(&settings),
            Arc::clone(&board),
            notice,
            journal,
            pasts,
        );
        let stop_hub = hub.stopper();
        let (alive, ended) = channel();
        thread::Builder::new()
            .name("hub".to_owned())
            .spawn(move || {
                let _alive = alive;
                hub.run();
            })
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
            hub: ended,
        })
    }

    /// Where it listens.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Ends what is under way, and stops. A look that takes too long, say at files of a server that does not
    /// answer, is not waited for: what it finds is found again after a restart.
    pub fn stop(self) {
        // Who has ended already needs no word.
        let _ = self.stop_http.send(true);
        self.stop_hub.store(true, Relaxed);
        let _ = self.hub.recv_timeout(LAST_LOOK);
        self.runtime.shutdown_timeout(REST);
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
