//! Connecting and reconnecting.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use async_nats::{Client, ConnectOptions, Event};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use tokio::sync::broadcast;

use super::streams::REQUEST_TIMEOUT;
use super::subjects;
use crate::JobsError;
use crate::address::{Login, NatsAddress};
use crate::notice::Notice;

/// Between two attempts to connect again, at most.
const MAX_RECONNECT_DELAY: Duration = Duration::from_secs(1);
/// How often the connection is tested while nothing is received.
const PING_INTERVAL: Duration = Duration::from_secs(5);
/// Commands that may wait while the server is away.
const CLIENT_CAPACITY: usize = 8192;

/// Connects to a server that has to be there now; after an outage the client reconnects by
/// itself.
pub(super) async fn connect(
    address: &NatsAddress,
    notice: Notice,
    reconnected: broadcast::Sender<()>,
) -> Result<Client, JobsError> {
    let mut options = ConnectOptions::new()
        .name("papan")
        .ping_interval(PING_INTERVAL)
        .request_timeout(Some(REQUEST_TIMEOUT))
        .connection_timeout(Duration::from_secs(5))
        .client_capacity(CLIENT_CAPACITY)
        .max_reconnects(None)
        .reconnect_delay_callback(|attempts| {
            let delay = Duration::from_millis(50 * attempts as u64);
            delay.min(MAX_RECONNECT_DELAY)
        })
        .event_callback(on_event(address.to_string(), notice, reconnected));
    // The client library ignores the user of a URL.
    match address.login() {
        Some(Login::User { name, password }) => {
            // Replies to one user cannot be read by another, if the server permits only its own.
            options = options.custom_inbox_prefix(subjects::inbox(&name));
            options = options.user_and_password(name, password);
        }
        Some(Login::Token(token)) => options = options.token(token),
        None => {}
    }
    if let Some(path) = &address.credentials {
        let wrong = |error: std::io::Error| JobsError::File {
            path: path.display().to_string(),
            reason: error.to_string(),
        };
        let text = tokio::fs::read_to_string(path).await.map_err(wrong)?;
        options = options.credentials(&text).map_err(wrong)?;
        if let Some(name) = user_name(&text) {
            options = options.custom_inbox_prefix(subjects::inbox(&name));
        }
    }
    if let Some(path) = &address.ca {
        options = options.add_root_certificates(path.clone());
    }
    if let Some((certificate, key)) = &address.client_certificate {
        options = options.add_client_certificate(certificate.clone(), key.clone());
    }
    if address.servers.iter().any(|url| url.scheme() == "tls") {
        options = options.require_tls(true);
    }
    let unreachable = |reason: String| JobsError::Unreachable {
        server: address.to_string(),
        reason,
    };
    let servers: Result<Vec<_>, _> = address
        .servers
        .iter()
        .map(|url| async_nats::ServerAddr::from_url(url.clone()))
        .collect();
    let servers = servers.map_err(|error| unreachable(error.to_string()))?;
    let connected = options.connect(servers).await;
    connected.map_err(|error| unreachable(error.to_string()))
}

/// Returns the name of the user in a credentials file: its token (JWT) is the first line that is not
/// part of a frame.
fn user_name(credentials: &str) -> Option<String> {
    #[derive(serde::Deserialize)]
    struct User {
        name: String,
    }
    let mut lines = credentials.lines().map(str::trim);
    let token = lines.find(|line| !line.is_empty() && !line.starts_with('-'))?;
    let claims = URL_SAFE_NO_PAD.decode(token.split('.').nth(1)?).ok()?;
    let user: User = serde_json::from_slice(&claims).ok()?;
    Some(user.name)
}

/// Reports each outage once, and tells the receivers of events when it is over.
fn on_event(
    server: String,
    notice: Notice,
    reconnected: broadcast::Sender<()>,
) -> impl Fn(Event) -> std::future::Ready<()> + Send + Sync + 'static {
    let is_away = Arc::new(AtomicBool::new(false));
    move |event| {
        match event {
            Event::Disconnected if !is_away.swap(true, Ordering::Relaxed) => {
                notice.say(&format!(
                    "{server} cannot be reached; waiting until it is back"
                ));
            }
            Event::Connected => {
                if is_away.swap(false, Ordering::Relaxed) {
                    notice.say(&format!("{server} is back"));
                }
                // Without receivers there is no one to tell.
                let _ = reconnected.send(());
            }
            Event::ServerError(error) => notice.say(&format!("{server}: {error}")),
            _ => {}
        }
        std::future::ready(())
    }
}
