//! `papan serve`: the same games in a browser.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use anyhow::Context as _;
use clap::Args;
use papan_store::Address;
use papan_strategies::{TimeError, parse_time};
use papan_web::Settings;

use crate::queue_line::reproduced_by;

/// Where the server listens and keeps its games, and what it allows.
#[derive(Args, Debug)]
pub(crate) struct ServeArgs {
    /// Where to listen
    #[arg(
        long,
        value_name = "ADDR",
        env = "PAPAN_LISTEN",
        default_value = "127.0.0.1:7272"
    )]
    listen: SocketAddr,
    /// Where to show /metrics instead, away from visitors
    #[arg(long, value_name = "ADDR", env = "PAPAN_METRICS_LISTEN")]
    metrics_listen: Option<SocketAddr>,
    /// The folder that holds the database [default: papan's folder in the data directory]
    #[arg(long, value_name = "DIR", env = "PAPAN_DATA_DIR")]
    data: Option<PathBuf>,
    /// The database, `sqlite:FILE` for one server or `postgres://USER@HOST/NAME` for any number;
    /// without it games.sqlite in the data folder
    #[arg(long, value_name = "URL", env = "PAPAN_DATABASE")]
    database: Option<String>,
    /// The address that visitors use, such as `https://play.example`
    #[arg(long, value_name = "URL", env = "PAPAN_PUBLIC_URL")]
    public_url: Option<String>,
    /// Believe the visitor's address that a proxy forwards
    #[arg(long, env = "PAPAN_TRUST_FORWARDED")]
    trust_forwarded: bool,
    /// Threads that think, beside the one for opponents' moves
    #[arg(long, value_name = "N", env = "PAPAN_ENGINE_THREADS")]
    engine_threads: Option<usize>,
    /// How long an opponent may think about a move; a number alone is milliseconds
    #[arg(
        long,
        value_name = "TIME",
        env = "PAPAN_MOVE_TIME",
        default_value = "1s",
        value_parser = milliseconds
    )]
    move_time: Duration,
    /// How long a hint or one position of an analysis may take; a number alone is milliseconds
    #[arg(
        long,
        value_name = "TIME",
        env = "PAPAN_STUDY_TIME",
        default_value = "1s",
        value_parser = milliseconds
    )]
    study_time: Duration,
    /// Connections from one address
    #[arg(
        long,
        value_name = "N",
        env = "PAPAN_CONNECTIONS_PER_ADDRESS",
        default_value_t = 128
    )]
    connections_per_address: usize,
    /// Connections altogether
    #[arg(
        long,
        value_name = "N",
        env = "PAPAN_CONNECTIONS",
        default_value_t = 8192
    )]
    connections: usize,
    /// Event streams of one address
    #[arg(
        long,
        value_name = "N",
        env = "PAPAN_STREAMS_PER_ADDRESS",
        default_value_t = 32
    )]
    streams_per_address: usize,
    /// Changes a second from one address, in the long run
    #[arg(
        long,
        value_name = "RATE",
        env = "PAPAN_CHANGES_PER_SECOND",
        default_value_t = 20.0
    )]
    changes_per_second: f64,
    /// Engine requests a second from one address, in the long run
    #[arg(
        long,
        value_name = "RATE",
        env = "PAPAN_STUDIES_PER_SECOND",
        default_value_t = 4.0
    )]
    studies_per_second: f64,
    /// Costly pages a second from one address, such as analyses of large boards
    #[arg(
        long,
        value_name = "RATE",
        env = "PAPAN_PAGES_PER_SECOND",
        default_value_t = 10.0
    )]
    pages_per_second: f64,
    /// Let other sites show /embed, a position that can only be looked at, in their pages
    #[arg(long, env = "PAPAN_EMBEDDING")]
    embedding: bool,
    /// Mebibytes for what all strategies remember together, and two thirds as much for a proof
    #[arg(
        long,
        value_name = "MIB",
        env = "PAPAN_ENGINE_MEMORY",
        default_value_t = 192
    )]
    engine_memory: usize,
    /// How long the head of a request may take to arrive
    #[arg(
        long,
        value_name = "TIME",
        env = "PAPAN_HEAD_TIMEOUT",
        default_value = "20s",
        value_parser = parse_time
    )]
    head_timeout: Duration,
    /// How long a whole request may take to arrive and be answered
    #[arg(
        long,
        value_name = "TIME",
        env = "PAPAN_REQUEST_TIMEOUT",
        default_value = "30s",
        value_parser = parse_time
    )]
    request_timeout: Duration,
    /// How long a visitor may take nothing of what is sent to them
    #[arg(
        long,
        value_name = "TIME",
        env = "PAPAN_WRITE_TIMEOUT",
        default_value = "30s",
        value_parser = parse_time
    )]
    write_timeout: Duration,
    /// After how long an unfinished game in which nothing happens is forgotten; a number alone is days
    #[arg(
        long,
        value_name = "TIME",
        env = "PAPAN_EXPIRE_AFTER",
        default_value = "720h",
        value_parser = days
    )]
    expire_after: Duration,
    /// How long running requests have when the server ends
    #[arg(
        long,
        value_name = "TIME",
        env = "PAPAN_SHUTDOWN_DEADLINE",
        default_value = "10s",
        value_parser = parse_time
    )]
    shutdown_deadline: Duration,
    /// How much is logged: error, warn, info, debug or trace
    #[arg(long, value_name = "LEVEL", env = "PAPAN_LOG", default_value = "info")]
    log: tracing::Level,
    /// Log as JSON lines
    #[arg(long, env = "PAPAN_LOG_JSON")]
    log_json: bool,
}

impl ServeArgs {
    fn settings(&self) -> anyhow::Result<Settings> {
        let rate = |name: &str, rate: f64| {
            let right = rate.is_finite() && rate > 0.0;
            anyhow::ensure!(right, "--{name} takes a number above 0, not {rate}");
            Ok(rate)
        };
        let public_url = self.public_url.as_deref();
        let public_url = public_url.map(|url| url.trim_end_matches('/').to_owned());
        if let Some(url) = &public_url {
            let rest = url.strip_prefix("https://").or(url.strip_prefix("http://"));
            let right = rest.is_some_and(|host| !host.is_empty() && !host.contains('/'));
            anyhow::ensure!(
                right,
                "--public-url takes https://HOST or http://HOST, not {url}"
            );
        }
        let defaults = Settings::default();
        Ok(Settings {
            listen: self.listen,
            metrics_listen: self.metrics_listen,
            database: self.database()?,
            reproduced_by: Some(reproduced_by()),
            public_url,
            trust_forwarded: self.trust_forwarded,
            engine_threads: self.engine_threads.unwrap_or(defaults.engine_threads),
            move_time: self.move_time,
            study_time: self.study_time,
            connections_per_address: self.connections_per_address,
            connections: self.connections,
            streams_per_address: self.streams_per_address,
            changes_per_second: rate("changes-per-second", self.changes_per_second)?,
            studies_per_second: rate("studies-per-second", self.studies_per_second)?,
            pages_per_second: rate("pages-per-second", self.pages_per_second)?,
            engine_memory: self.engine_memory,
            embedding: self.embedding,
            head_timeout: self.head_timeout,
            request_timeout: self.request_timeout,
            write_timeout: self.write_timeout,
            expire_after: self.expire_after,
            shutdown_deadline: self.shutdown_deadline,
            ..defaults
        })
    }

    /// Where the database is; the folder of a file is made.
    fn database(&self) -> anyhow::Result<Address> {
        if let Some(url) = &self.database {
            return url.parse().context("--database");
        }
        let folder = match &self.data {
            Some(folder) => folder.clone(),
            None => papan_catalog::dirs::data_dir()
                .context("there is no home directory; give --data DIR")?,
        };
        std::fs::create_dir_all(&folder)
            .with_context(|| format!("cannot make {}", folder.display()))?;
        Ok(Address::Sqlite(folder.join("games.sqlite")))
    }
}

/// A time of the house's grammar, or a number of milliseconds.
fn milliseconds(text: &str) -> Result<Duration, TimeError> {
    match text.parse() {
        Ok(milliseconds) => Ok(Duration::from_millis(milliseconds)),
        Err(_) => parse_time(text),
    }
}

/// A time of the house's grammar, or a number of days.
fn days(text: &str) -> Result<Duration, TimeError> {
    let time = match text.parse::<f64>() {
        Ok(days) => Duration::try_from_secs_f64(days * 86_400.0)
            .map_err(|_| TimeError::Unreadable(text.into()))?,
        Err(_) => parse_time(text)?,
    };
    match time.is_zero() {
        true => Err(TimeError::Nothing(text.into())),
        false => Ok(time),
    }
}

/// Serves until the process is told to end.
pub(crate) fn run(args: &ServeArgs) -> anyhow::Result<ExitCode> {
    let settings = args.settings()?;
    papan_web::log(args.log, args.log_json);
    let runtime = tokio::runtime::Runtime::new()?;
    runtime.block_on(papan_web::serve(settings, stopped(), |address| {
        println!("papan serves on http://{address}/ (Ctrl+C ends it)");
    }))?;
    Ok(ExitCode::SUCCESS)
}

/// Waits for Ctrl+C, or for the signal by which services are ended.
pub(crate) async fn stopped() {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        if let Ok(mut terminate) = signal(SignalKind::terminate()) {
            tokio::select! {
                _ = tokio::signal::ctrl_c() => {}
                _ = terminate.recv() => {}
            }
            return;
        }
    }
    // Without a handler there is nothing to wait for.
    let _ = tokio::signal::ctrl_c().await;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_alone_mean_what_they_meant_before_times_were_read() {
        assert_eq!(milliseconds("1500"), parse_time("1.5s"));
        assert_eq!(milliseconds("1m30s"), parse_time("90s"));
        assert_eq!(days("30"), parse_time("720h"));
        assert_eq!(days("0.5"), parse_time("12h"));
        assert_eq!(days("36h"), parse_time("36h"));
        for wrong in ["0", "-1", "nan", "inf", "soon", "1e300"] {
            assert!(days(wrong).is_err(), "{wrong}");
        }
        assert!(milliseconds("-1").is_err() && milliseconds("soon").is_err());
    }
}
