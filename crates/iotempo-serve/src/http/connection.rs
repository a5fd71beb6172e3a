//! Connections, from the first to the last byte.

use super::patience::Patient;
use super::{Shared, routes, stopped};
use axum::Router;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use std::net::TcpListener;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;
use tokio::sync::OwnedSemaphorePermit;
use tokio::time::{sleep, timeout};

/// Bytes of the headers of a request at the most.
const HEADERS: usize = 16 << 10;
/// How long to wait when there are no descriptors left.
const BREATHER: Duration = Duration::from_millis(50);
/// What those get for whom there is no room.
const FULL: &[u8] =
    b"HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";

/// Takes connections until the server stops.
pub(crate) async fn listen(listener: TcpListener, shared: Arc<Shared>) {
    let Ok(listener) = tokio::net::TcpListener::from_std(listener) else {
        return;
    };
    let router = routes::router(Arc::clone(&shared));
    let mut stop = std::pin::pin!(stopped(shared.stopping.clone()));
    loop {
        tokio::select! {
            () = stop.as_mut() => return,
            taken = listener.accept() => match taken {
                Ok((stream, _)) => take(stream, &shared, &router),
                Err(_) => sleep(BREATHER).await,
            },
        }
    }
}

fn take(stream: TcpStream, shared: &Arc<Shared>, router: &Router) {
    match Arc::clone(&shared.connections).try_acquire_owned() {
        Ok(permit) => {
            tokio::spawn(serve(stream, Arc::clone(shared), router.clone(), permit));
        }
        Err(_) => {
            shared.board.counters.refused.fetch_add(1, Relaxed);
            tokio::spawn(turn_away(stream));
        }
    }
}

async fn serve(
    stream: TcpStream,
    shared: Arc<Shared>,
    router: Router,
    _permit: OwnedSemaphorePermit,
) {
    let limits = shared.settings.limits;
    // Events are small, and nobody wants to wait for the next one.
    let _ = stream.set_nodelay(true);
    let stream = TokioIo::new(Patient::new(stream, limits.stalled));
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(limits.header)
        .max_buf_size(HEADERS)
        .serve_connection(stream, TowerToHyperService::new(router));
    let mut connection = std::pin::pin!(connection);
    let counters = &shared.board.counters;
    counters.connections.fetch_add(1, Relaxed);
    tokio::select! {
        // How a connection broke is of no interest to anybody.
        _ = connection.as_mut() => {}
        () = stopped(shared.stopping.clone()) => {
            connection.as_mut().graceful_shutdown();
            let _ = connection.await;
        }
    }
    counters.connections.fetch_sub(1, Relaxed);
}

async fn turn_away(mut stream: TcpStream) {
    let _ = timeout(Duration::from_secs(1), stream.write_all(FULL)).await;
}
