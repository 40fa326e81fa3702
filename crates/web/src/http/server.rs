//! The listener: HTTP/1.1 connections with timeouts and limits, graceful shutdown.

use std::convert::Infallible;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::ConnectInfo;
use hyper::Request;
use hyper::body::Incoming;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use papan_store::StoreError;
use papan_strategies::SystemClock;
use tokio::net::{TcpListener, TcpSocket, TcpStream};
use tower::ServiceExt;

use crate::http::app::{admin_app, app};
use crate::http::write_timeout::with_write_timeout;
use crate::settings::Settings;
use crate::state::AppState;
use crate::system::raise_open_files;

/// Kernel send buffer per connection: larger than a page, small enough for thousands of
/// clients that do not read.
const SEND_BUFFER: u32 = 128 << 10;
/// Maximum size of a request head.
const MAX_HEAD: usize = 64 << 10;
/// `listen` backlog.
const BACKLOG: u32 = 1024;
/// Pause after `accept` failed, for instance because no descriptor is free.
const ACCEPT_RETRY: Duration = Duration::from_millis(50);
/// Time that search threads have on shutdown. Those still busy end with the process.
const POOL_SHUTDOWN: Duration = Duration::from_secs(2);

/// Why the server cannot start.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// The database cannot be opened.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The address cannot be bound.
    #[error("cannot listen on {address}: {cause}")]
    Listen {
        /// The address.
        address: SocketAddr,
        /// The cause.
        cause: std::io::Error,
    },
}

/// Initializes logging to standard error, as text or JSON lines.
pub fn log(level: tracing::Level, json: bool) {
    let subscriber = tracing_subscriber::fmt()
        .with_max_level(level)
        .with_writer(std::io::stderr);
    // A test may have installed a subscriber before.
    let _ = if json {
        subscriber.json().try_init()
    } else {
        subscriber.with_target(false).try_init()
    };
}

/// Serves until `stop` completes, then closes event streams, lets running requests finish
/// within the deadline, and closes the database. `ready` is called with the bound address.
///
/// # Errors
/// If the database cannot be opened or an address cannot be bound.
pub async fn serve(
    settings: Settings,
    stop: impl Future<Output = ()>,
    ready: impl FnOnce(SocketAddr),
) -> Result<(), ServeError> {
    let store = settings.database.open().await?;
    let fitting = raise_open_files(settings.connections);
    if fitting < settings.connections {
        let wanted = settings.connections;
        tracing::warn!(
            wanted,
            fitting,
            "the limit on open files is below the number of connections; raise it with ulimit -n"
        );
    }
    let state = AppState::open(settings, store, Arc::new(SystemClock)).await?;
    let (listener, address) = bind(state.settings.listen)?;
    let admin_listener = state.settings.metrics_listen.map(bind).transpose()?;
    tracing::info!(%address, "listening");
    let graceful = GracefulShutdown::new();
    let public = accept_loop(&state, app(&state), listener, &graceful);
    let admin = async {
        match admin_listener {
            Some((listener, address)) => {
                tracing::info!(%address, "admin listener");
                accept_loop(&state, admin_app(&state), listener, &graceful).await;
            }
            None => std::future::pending().await,
        }
    };
    ready(address);
    let maintenance = tokio::spawn(state.clone().run_maintenance());
    let cluster = tokio::spawn(state.clone().run_cluster());
    // The listeners are closed when these futures are dropped.
    tokio::select! {
        () = public => {}
        () = admin => {}
        () = stop => {}
    }
    tracing::info!("stopping");
    state.stop();
    let deadline = state.settings.shutdown_deadline;
    if tokio::time::timeout(deadline, graceful.shutdown())
        .await
        .is_err()
    {
        tracing::warn!("some requests did not finish in time");
    }
    maintenance.abort();
    cluster.abort();
    state.heartbeat().await;
    let pool = Arc::clone(&state.pool);
    let closed = tokio::task::spawn_blocking(move || pool.close());
    let _ = tokio::time::timeout(POOL_SHUTDOWN, closed).await;
    state.store.close().await?;
    tracing::info!("stopped");
    Ok(())
}

/// Binds a listener and returns it with its address.
fn bind(address: SocketAddr) -> Result<(TcpListener, SocketAddr), ServeError> {
    let bind = || {
        let socket = match address {
            SocketAddr::V4(_) => TcpSocket::new_v4()?,
            SocketAddr::V6(_) => TcpSocket::new_v6()?,
        };
        // A restarted server must not wait for connections in TIME_WAIT.
        #[cfg(unix)]
        socket.set_reuseaddr(true)?;
        // Inherited by accepted connections.
        socket.set_send_buffer_size(SEND_BUFFER)?;
        socket.bind(address)?;
        let listener = socket.listen(BACKLOG)?;
        let address = listener.local_addr()?;
        Ok((listener, address))
    };
    bind().map_err(|cause| ServeError::Listen { address, cause })
}

async fn accept_loop(
    state: &AppState,
    router: Router,
    listener: TcpListener,
    graceful: &GracefulShutdown,
) {
    loop {
        match listener.accept().await {
            Ok((stream, peer)) => spawn_connection(state, &router, stream, peer, graceful),
            Err(error) => {
                tracing::warn!(%error, "accept failed");
                tokio::time::sleep(ACCEPT_RETRY).await;
            }
        }
    }
}

fn spawn_connection(
    state: &AppState,
    router: &Router,
    stream: TcpStream,
    peer: SocketAddr,
    graceful: &GracefulShutdown,
) {
    let settings = &state.settings;
    // Behind a proxy every connection has the proxy's address; only the total counts.
    let per_address = if settings.trust_forwarded {
        usize::MAX
    } else {
        settings.connections_per_address
    };
    let connections = &state.limits.connections;
    let Some(permit) = connections.acquire(peer.ip(), per_address, settings.connections) else {
        tracing::debug!(%peer, "too many connections");
        return;
    };
    // Events are small and time-critical.
    let _ = stream.set_nodelay(true);
    let router = router.clone();
    let service = service_fn(move |mut request: Request<Incoming>| {
        request.extensions_mut().insert(ConnectInfo(peer));
        let router = router.clone();
        async move { Ok::<_, Infallible>(respond(router, request.map(Body::new)).await) }
    });
    let mut http = hyper::server::conn::http1::Builder::new();
    // The head timeout also runs between requests, so it is the keep-alive timeout.
    http.timer(TokioTimer::new())
        .header_read_timeout(settings.head_timeout)
        .max_buf_size(MAX_HEAD)
        .half_close(false);
    let io = TokioIo::new(with_write_timeout(stream, settings.write_timeout));
    let connection = graceful.watch(http.serve_connection(io, service));
    tokio::spawn(async move {
        if let Err(error) = connection.await {
            tracing::debug!(%error, "connection failed");
        }
        drop(permit);
    });
}

async fn respond(router: Router, request: Request<Body>) -> axum::response::Response {
    match router.oneshot(request).await {
        Ok(response) => response,
        Err(never) => match never {},
    }
}
