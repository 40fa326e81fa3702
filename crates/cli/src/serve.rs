//! `papan serve`: the web server.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use anyhow::Context as _;
use clap::Args;
use papan_store::Address;
use papan_strategies::{TimeError, parse_time};
use papan_view::Messages;
use papan_web::{EngineFiles, OfferedProgram, Settings};

use crate::output::{print, status};
use crate::serve_program::NamedProgram;

#[derive(Args, Debug)]
pub(crate) struct ServeArgs {
    /// Address to listen on
    #[arg(
        long,
        value_name = "ADDR",
        env = "PAPAN_LISTEN",
        default_value = "127.0.0.1:7272"
    )]
    listen: SocketAddr,
    /// Serve /metrics, and deletion, on this address instead of the public one. The host of a
    /// request must be an IP address, localhost or a --host name
    #[arg(long, value_name = "ADDR", env = "PAPAN_METRICS_LISTEN")]
    metrics_listen: Option<SocketAddr>,
    /// Directory of the database [default: papan in the user's data directory]
    #[arg(long, value_name = "DIR", env = "PAPAN_DATA_DIR")]
    data: Option<PathBuf>,
    /// Database: `sqlite:FILE` for one server, `postgres://USER@HOST/NAME` for several
    /// [default: games.sqlite in the data directory]
    #[arg(long, value_name = "URL", env = "PAPAN_DATABASE")]
    database: Option<String>,
    /// Job server for reviews and proofs, computed by workers (papan worker) where there are any:
    /// nats://HOST:PORT
    #[arg(
        long,
        alias = "queue",
        value_name = "URL",
        env = "PAPAN_JOBS",
        hide_env_values = true
    )]
    jobs: Option<String>,
    /// Public URL of the server, such as `https://play.example`
    #[arg(long, value_name = "URL", env = "PAPAN_PUBLIC_URL")]
    public_url: Option<String>,
    /// Host name that clients use, if there is no --public-url; repeatable. IP addresses and
    /// localhost are always served
    #[arg(
        long = "host",
        value_name = "NAME",
        env = "PAPAN_HOST",
        value_delimiter = ','
    )]
    hosts: Vec<String>,
    /// Program that visitors may choose as an opponent: NAME=ugi:COMMAND, or with gtp:, piskvork:,
    /// nboard: or move:; repeatable. NAME(GAME,GAME)=ugi:COMMAND offers it for these games only
    #[arg(
        long = "player",
        value_name = "NAME=PROGRAM",
        env = "PAPAN_PLAYER",
        value_delimiter = '\n'
    )]
    players: Vec<NamedProgram>,
    /// Trust the client address that a reverse proxy forwards
    #[arg(long, env = "PAPAN_TRUST_FORWARDED")]
    trust_forwarded: bool,
    /// Number of engine threads for analysis, besides the one for opponents' moves
    #[arg(long, value_name = "N", env = "PAPAN_ENGINE_THREADS")]
    engine_threads: Option<usize>,
    /// Thinking time of an opponent per move; a plain number is milliseconds
    #[arg(
        long,
        value_name = "TIME",
        env = "PAPAN_MOVE_TIME",
        default_value = "1s",
        value_parser = milliseconds
    )]
    move_time: Duration,
    /// Time limit for a hint or for one position of an analysis; a plain number is milliseconds
    #[arg(
        long,
        value_name = "TIME",
        env = "PAPAN_STUDY_TIME",
        default_value = "1s",
        value_parser = milliseconds
    )]
    study_time: Duration,
    /// Maximum number of connections per client address
    #[arg(
        long,
        value_name = "N",
        env = "PAPAN_CONNECTIONS_PER_ADDRESS",
        default_value_t = 128
    )]
    connections_per_address: usize,
    /// Maximum number of connections
    #[arg(
        long,
        value_name = "N",
        env = "PAPAN_CONNECTIONS",
        default_value_t = 8192
    )]
    connections: usize,
    /// Maximum number of event streams per client address
    #[arg(
        long,
        value_name = "N",
        env = "PAPAN_STREAMS_PER_ADDRESS",
        default_value_t = 32
    )]
    streams_per_address: usize,
    /// Reading requests per second from one address, sustained
    #[arg(
        long,
        value_name = "RATE",
        env = "PAPAN_READS_PER_SECOND",
        default_value_t = 50.0
    )]
    reads_per_second: f64,
    /// Rate limit for changes, per client address and second
    #[arg(
        long,
        value_name = "RATE",
        env = "PAPAN_CHANGES_PER_SECOND",
        default_value_t = 20.0
    )]
    changes_per_second: f64,
    /// Rate limit for engine requests, per client address and second
    #[arg(
        long,
        value_name = "RATE",
        env = "PAPAN_STUDIES_PER_SECOND",
        default_value_t = 4.0
    )]
    studies_per_second: f64,
    /// Rate limit for expensive pages such as analyses of large boards, per client address and
    /// second
    #[arg(
        long,
        value_name = "RATE",
        env = "PAPAN_PAGES_PER_SECOND",
        default_value_t = 10.0
    )]
    pages_per_second: f64,
    /// Allow other sites to embed positions (/embed) in their pages
    #[arg(long, env = "PAPAN_EMBEDDING")]
    embedding: bool,
    /// Folder of the engine that browsers run, made by `cargo xtask engine`: hints, analyses and reviews
    /// then cost the server no time
    #[arg(long, value_name = "DIR", env = "PAPAN_ENGINE")]
    engine: Option<PathBuf>,
    /// Memory for all engines together, in MiB; proofs may use five sixths as much in addition
    #[arg(
        long,
        value_name = "MIB",
        env = "PAPAN_ENGINE_MEMORY",
        default_value_t = 192
    )]
    engine_memory: usize,
    /// Timeout for reading the head of a request
    #[arg(
        long,
        value_name = "TIME",
        env = "PAPAN_HEAD_TIMEOUT",
        default_value = "20s",
        value_parser = parse_time
    )]
    head_timeout: Duration,
    /// Timeout for a whole request and its response
    #[arg(
        long,
        value_name = "TIME",
        env = "PAPAN_REQUEST_TIMEOUT",
        default_value = "30s",
        value_parser = parse_time
    )]
    request_timeout: Duration,
    /// Timeout for a client that does not read its response
    #[arg(
        long,
        value_name = "TIME",
        env = "PAPAN_WRITE_TIMEOUT",
        default_value = "30s",
        value_parser = parse_time
    )]
    write_timeout: Duration,
    /// Delete unfinished games after this time without a move; a plain number is days
    #[arg(
        long,
        value_name = "TIME",
        env = "PAPAN_EXPIRE_AFTER",
        default_value = "720h",
        value_parser = days
    )]
    expire_after: Duration,
    /// Time for running requests to finish when the server shuts down
    #[arg(
        long,
        value_name = "TIME",
        env = "PAPAN_SHUTDOWN_DEADLINE",
        default_value = "10s",
        value_parser = parse_time
    )]
    shutdown_deadline: Duration,
    /// Log level: error, warn, info, debug or trace
    #[arg(long, value_name = "LEVEL", env = "PAPAN_LOG", default_value = "info")]
    log: tracing::Level,
    /// Log in JSON, one object per line
    #[arg(long, env = "PAPAN_LOG_JSON")]
    log_json: bool,
}

impl ServeArgs {
    fn settings(&self, words: Messages) -> anyhow::Result<Settings> {
        let rate = |name: &str, rate: f64| {
            let is_valid = rate.is_finite() && rate > 0.0;
            anyhow::ensure!(is_valid, "--{name} must be greater than 0, not {rate}");
            Ok(rate)
        };
        let public_url = self
            .public_url
            .as_deref()
            .map(|url| url.trim_end_matches('/').to_owned());
        if let Some(url) = &public_url {
            let rest = url.strip_prefix("https://").or(url.strip_prefix("http://"));
            let is_valid = rest.is_some_and(|host| !host.is_empty() && !host.contains('/'));
            anyhow::ensure!(
                is_valid,
                "--public-url must be https://HOST or http://HOST, not {url}"
            );
        }
        let defaults = Settings::default();
        Ok(Settings {
            listen: self.listen,
            metrics_listen: self.metrics_listen,
            database: self.database()?,
            jobs: self.jobs.as_deref().map(str::parse).transpose()?,
            public_url,
            hosts: self.hosts.clone(),
            trust_forwarded: self.trust_forwarded,
            programs: self.programs(words)?,
            engine_threads: self.engine_threads.unwrap_or(defaults.engine_threads),
            move_time: self.move_time,
            study_time: self.study_time,
            connections_per_address: self.connections_per_address,
            connections: self.connections,
            streams_per_address: self.streams_per_address,
            reads_per_second: rate("reads-per-second", self.reads_per_second)?,
            changes_per_second: rate("changes-per-second", self.changes_per_second)?,
            studies_per_second: rate("studies-per-second", self.studies_per_second)?,
            pages_per_second: rate("pages-per-second", self.pages_per_second)?,
            engine_memory: self.engine_memory,
            embedding: self.embedding,
            engine: self.engine.as_deref().map(EngineFiles::open).transpose()?,
            head_timeout: self.head_timeout,
            request_timeout: self.request_timeout,
            write_timeout: self.write_timeout,
            expire_after: self.expire_after,
            shutdown_deadline: self.shutdown_deadline,
            ..defaults
        })
    }

    /// Tries the programs and says which games they play.
    fn programs(&self, words: Messages) -> anyhow::Result<Vec<OfferedProgram>> {
        let mut offered: Vec<OfferedProgram> = Vec::new();
        for player in &self.players {
            let program = player.offer(self.move_time, words)?;
            let is_taken = offered.iter().any(|other| other.name == program.name);
            anyhow::ensure!(
                !is_taken,
                "--player {}: the name is given twice",
                program.name
            );
            let values = [
                ("program", program.name.clone().into()),
                ("games", program.games.join(", ").into()),
            ];
            status(words.with("serve-program", values));
            offered.push(program);
        }
        Ok(offered)
    }

    /// Returns the address of the database. Creates the data directory if it is needed.
    fn database(&self) -> anyhow::Result<Address> {
        if let Some(url) = &self.database {
            return url.parse().context("--database");
        }
        let folder = match &self.data {
            Some(folder) => folder.clone(),
            None => papan_catalog::dirs::data_dir()
                .context("there is no home directory; use --data DIR")?,
        };
        std::fs::create_dir_all(&folder)
            .with_context(|| format!("cannot create {}", folder.display()))?;
        Ok(Address::Sqlite(folder.join("games.sqlite")))
    }
}

/// Parses a duration such as `1m30s`, or a number of milliseconds.
fn milliseconds(text: &str) -> Result<Duration, TimeError> {
    match text.parse() {
        Ok(milliseconds) => Ok(Duration::from_millis(milliseconds)),
        Err(_) => parse_time(text),
    }
}

/// Parses a duration such as `36h`, or a number of days.
fn days(text: &str) -> Result<Duration, TimeError> {
    let time = match text.parse::<f64>() {
        Ok(days) => Duration::try_from_secs_f64(days * 86_400.0)
            .map_err(|_| TimeError::Unreadable(text.into()))?,
        Err(_) => parse_time(text)?,
    };
    if time.is_zero() {
        return Err(TimeError::Nothing(text.into()));
    }
    Ok(time)
}

/// Runs the server until it receives SIGINT or SIGTERM.
pub(crate) fn run(args: &ServeArgs, words: Messages) -> anyhow::Result<ExitCode> {
    let settings = args.settings(words)?;
    papan_web::log(args.log, args.log_json);
    let runtime = tokio::runtime::Runtime::new()?;
    runtime.block_on(papan_web::serve(
        settings,
        papan_os::stop_requested(),
        |bound| {
            let address = bound.public;
            // The server runs just as well if the message cannot be written.
            let greeting = format!("Serving on http://{address}/ (Ctrl-C to stop)\n");
            let _ = print(&words.phrase(&greeting));
        },
    ))?;
    Ok(ExitCode::SUCCESS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_numbers_are_milliseconds_or_days() {
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
