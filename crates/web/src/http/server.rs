//! The listener: HTTP/1.1 connections with timeouts and limits, graceful shutdown.

use std::convert::Infallible;
use std::io::{IsTerminal as _, stderr};
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
use crate::http::line_endings::StrictLines;
use crate::http::rate_limit::{ConcurrencyLimit, Permit};
use crate::http::write_timeout::with_write_timeout;
use crate::settings::Settings;
use crate::state::AppState;
use crate::system::{MAX_ADMIN_CONNECTIONS, raise_open_files};

/// Kernel send buffer per connection: larger than a page, small enough for thousands of
/// clients that do not read.
const SEND_BUFFER: u32 = 128 << 10;
/// Maximum size of a request head.
pub(crate) const MAX_HEAD: usize = 64 << 10;
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
        .with_writer(stderr)
        // Colours are for people, not for files.
        .with_ansi(stderr().is_terminal());
    // A test may have installed a subscriber before.
    let _ = if json {
        subscriber.json().try_init()
    } else {
        subscriber.with_target(false).try_init()
    };
}

/// The addresses that a server listens on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BoundAddresses {
    /// Of the public listener.
    pub public: SocketAddr,
    /// Of the admin listener.
    pub admin: Option<SocketAddr>,
}

/// Maximum numbers of connections of a listener. Each listener counts its own, so that visitors
/// cannot keep operators out.
#[derive(Clone)]
struct ConnectionLimits {
    open: ConcurrencyLimit,
    per_address: usize,
    total: usize,
}

impl ConnectionLimits {
    fn public(state: &AppState) -> Self {
        let settings = &state.settings;
        Self {
            open: state.limits.connections.clone(),
            // Behind a proxy every connection has the proxy's address; only the total counts.
            per_address: if settings.trust_forwarded {
                usize::MAX
            } else {
                settings.connections_per_address
            },
            total: settings.connections,
        }
    }

    fn admin(state: &AppState) -> Self {
        Self {
            open: state.limits.admin_connections.clone(),
            per_address: MAX_ADMIN_CONNECTIONS,
            total: MAX_ADMIN_CONNECTIONS,
        }
    }
}

/// Serves until `stop` completes, then closes event streams, lets running requests finish
/// within the deadline, and closes the database. `ready` is called with the bound addresses.
///
/// # Errors
/// If the database cannot be opened or an address cannot be bound.
pub async fn serve(
    mut settings: Settings,
    stop: impl Future<Output = ()>,
    ready: impl FnOnce(BoundAddresses),
) -> Result<(), ServeError> {
    let store = settings.database.open().await?;
    let wanted = settings.connections;
    settings.connections = raise_open_files(wanted);
    if settings.connections < wanted {
        let connections = settings.connections;
        tracing::warn!(
            wanted,
            connections,
            "fewer connections because of the limit on open files; raise it with ulimit -n"
        );
    }
    let state = AppState::open(settings, store, Arc::new(SystemClock)).await?;
    state.analysis.warm_up();
    let (listener, address) = bind(state.settings.listen)?;
    let admin_listener = state.settings.metrics_listen.map(bind).transpose()?;
    tracing::info!(%address, "listening");
    let graceful = GracefulShutdown::new();
    let public = accept_loop(
        &state,
        app(&state),
        listener,
        ConnectionLimits::public(&state),
        &graceful,
    );
    let bound = BoundAddresses {
        public: address,
        admin: admin_listener.as_ref().map(|(_, address)| *address),
    };
    let admin = async {
        match admin_listener {
            Some((listener, address)) => {
                tracing::info!(%address, "admin listener");
                let limits = ConnectionLimits::admin(&state);
                accept_loop(&state, admin_app(&state), listener, limits, &graceful).await;
            }
            None => std::future::pending().await,
        }
    };
    ready(bound);
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
        socket.set_reuseaddr(papan_os::REUSES_ADDRESS)?;
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
    limits: ConnectionLimits,
    graceful: &GracefulShutdown,
) {
    loop {
        match listener.accept().await {
            Ok((stream, peer)) => {
                let ConnectionLimits {
                    open,
                    per_address,
                    total,
                } = &limits;
                match open.acquire(peer.ip(), *per_address, *total) {
                    Some(permit) => {
                        spawn_connection(state, &router, stream, peer, permit, graceful);
                    }
                    None => tracing::debug!(%peer, "too many connections"),
                }
            }
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
    permit: Permit,
    graceful: &GracefulShutdown,
) {
    let settings = &state.settings;
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
    let bounded = with_write_timeout(stream, settings.write_timeout);
    let io = TokioIo::new(StrictLines::new(bounded));
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
