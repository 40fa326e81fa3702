//! Listening: connections with timeouts and limits, and an orderly end.

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

use crate::http::app;
use crate::http::write_timeout::WriteTimeout;
use crate::settings::Settings;
use crate::state::AppState;
use crate::system::raise_open_files;

/// Between two notes that the server is up.
const BEAT: Duration = Duration::from_secs(5);
/// Between two looks at the clocks of games.
const TICK: Duration = Duration::from_millis(250);
/// Between two rounds of forgetting.
const FORGET: Duration = Duration::from_secs(60);

/// What the system keeps for a client who reads more slowly than we write: more
/// than a page, and little enough for thousands of them.
const SEND_BUFFER: u32 = 128 << 10;

/// Why the server could not start.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// The database could not be opened.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// It could not listen there.
    #[error("cannot listen on {address}: {cause}")]
    Listen {
        /// Where.
        address: SocketAddr,
        /// Why not.
        cause: std::io::Error,
    },
}

/// Writes logs to standard error, as text or as JSON lines.
pub fn log(level: tracing::Level, json: bool) {
    let logs = tracing_subscriber::fmt()
        .with_max_level(level)
        .with_writer(std::io::stderr);
    // A test or another part of the program may have set up logs before.
    let _ = match json {
        true => logs.json().try_init(),
        false => logs.with_target(false).try_init(),
    };
}

/// Serves until `stop` is there, then ends event streams, lets running requests
/// finish within the deadline, and closes the store. `ready` hears the address.
///
/// # Errors
/// When the database cannot be opened or the address is taken.
pub async fn serve(
    settings: Settings,
    stop: impl Future<Output = ()>,
    ready: impl FnOnce(SocketAddr),
) -> Result<(), ServeError> {
    let store = settings.database.open().await?;
    let fit = raise_open_files(settings.connections);
    if fit < settings.connections {
        let wanted = settings.connections;
        tracing::warn!(
            wanted,
            fit,
            "the limit on open files is below the number of connections; raise it with ulimit -n"
        );
    }
    let app = AppState::open(settings, store, Arc::new(SystemClock)).await?;
    let (door, address) = bind(app.settings.listen)?;
    let back_door = app.settings.metrics_listen.map(bind).transpose()?;
    tracing::info!(%address, "listening");
    let graceful = GracefulShutdown::new();
    let visitors = admit(&app, app::app(&app), door, &graceful);
    let operators = async {
        match back_door {
            Some((door, address)) => {
                tracing::info!(%address, "showing metrics");
                admit(&app, app::admin_app(&app), door, &graceful).await;
            }
            None => std::future::pending().await,
        }
    };
    ready(address);
    let chores = tokio::spawn(chores(Arc::clone(&app)));
    let others = tokio::spawn(Arc::clone(&app).hear_others());
    // Whichever ends, all end: the doors close when these are dropped.
    tokio::select! {
        () = visitors => {}
        () = operators => {}
        () = stop => {}
    }
    tracing::info!("stopping");
    app.stop();
    let deadline = app.settings.shutdown_deadline;
    if tokio::time::timeout(deadline, graceful.shutdown())
        .await
        .is_err()
    {
        tracing::warn!("some requests did not finish in time");
    }
    chores.abort();
    others.abort();
    app.beat().await;
    let pool = Arc::clone(&app.pool);
    // Threads that still think end with the process.
    let closed = tokio::task::spawn_blocking(move || pool.close());
    let _ = tokio::time::timeout(Duration::from_secs(2), closed).await;
    app.store.close().await?;
    tracing::info!("stopped");
    Ok(())
}

/// Listens at an address, and says which it is.
fn bind(address: SocketAddr) -> Result<(TcpListener, SocketAddr), ServeError> {
    let bound = || {
        let socket = match address {
            SocketAddr::V4(_) => TcpSocket::new_v4()?,
            SocketAddr::V6(_) => TcpSocket::new_v6()?,
        };
        // A server that starts again need not wait for its old connections.
        #[cfg(unix)]
        socket.set_reuseaddr(true)?;
        // Connections inherit it.
        socket.set_send_buffer_size(SEND_BUFFER)?;
        socket.bind(address)?;
        let listener = socket.listen(1024)?;
        let address = listener.local_addr()?;
        Ok((listener, address))
    };
    bound().map_err(|cause| ServeError::Listen { address, cause })
}

/// Lets everybody in, without end.
async fn admit(app: &Arc<AppState>, site: Router, door: TcpListener, graceful: &GracefulShutdown) {
    loop {
        match door.accept().await {
            Ok((stream, peer)) => welcome(app, &site, stream, peer, graceful),
            Err(error) => {
                // No more files, for instance: it passes, and busy waiting does not help.
                tracing::warn!(%error, "a connection was not accepted");
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
        }
    }
}

fn welcome(
    app: &Arc<AppState>,
    site: &Router,
    stream: TcpStream,
    peer: SocketAddr,
    graceful: &GracefulShutdown,
) {
    let settings = &app.settings;
    let permit = app.gates.connections.acquire(
        peer.ip(),
        settings.connections_per_address,
        settings.connections,
    );
    // Behind a proxy every connection has its address; only the total counts there.
    let permit = match (permit, settings.trust_forwarded) {
        (Some(permit), _) => Some(permit),
        (None, true) => app
            .gates
            .connections
            .acquire(peer.ip(), usize::MAX, settings.connections),
        (None, false) => None,
    };
    let Some(permit) = permit else {
        tracing::debug!(%peer, "too many connections");
        return;
    };
    // Events are small and people wait for them.
    let _ = stream.set_nodelay(true);
    let site = site.clone();
    let service = service_fn(move |mut request: Request<Incoming>| {
        request.extensions_mut().insert(ConnectInfo(peer));
        let site = site.clone();
        async move { Ok::<_, Infallible>(answer(site, request.map(Body::new)).await) }
    });
    let mut http = hyper::server::conn::http1::Builder::new();
    // Between two requests the head of the next is awaited: this is the idle
    // timeout too.
    http.timer(TokioTimer::new())
        .header_read_timeout(settings.head_timeout)
        .max_buf_size(64 << 10)
        .half_close(false);
    let stream = TokioIo::new(WriteTimeout::new(stream, settings.write_timeout));
    let connection = graceful.watch(http.serve_connection(stream, service));
    tokio::spawn(async move {
        if let Err(error) = connection.await {
            tracing::debug!(%error, "a connection ended badly");
        }
        drop(permit);
    });
}

async fn answer(site: Router, request: Request<Body>) -> axum::response::Response {
    match site.oneshot(request).await {
        Ok(response) => response,
        Err(never) => match never {},
    }
}

/// What has to be done from time to time.
async fn chores(app: Arc<AppState>) {
    let mut beat = tokio::time::interval(BEAT);
    let mut tick = tokio::time::interval(TICK);
    let mut forget = tokio::time::interval(FORGET);
    loop {
        tokio::select! {
            _ = beat.tick() => app.beat().await,
            _ = tick.tick() => app.sweep().await,
            _ = forget.tick() => {
                app.forget().await;
            }
        }
    }
}
