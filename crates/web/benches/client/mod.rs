//! A keep-alive HTTP/1.1 client for the load programs, to this machine only.

use std::net::{Ipv4Addr, SocketAddr};
use std::time::Duration;

use serde_json::Value;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::{TcpSocket, TcpStream};

pub(crate) type Failure = Box<dyn std::error::Error + Send + Sync>;

/// Returns the arguments of the benchmark, without the one that cargo adds.
pub(crate) fn arguments() -> impl Iterator<Item = String> {
    std::env::args().skip(1).filter(|text| text != "--bench")
}

/// Connects from an address of this machine, which is the client's for the server.
async fn connect(from: Ipv4Addr, server: SocketAddr) -> Result<TcpStream, Failure> {
    let socket = TcpSocket::new_v4()?;
    socket.bind(SocketAddr::from((from, 0)))?;
    let stream = socket.connect(server).await?;
    stream.set_nodelay(true)?;
    Ok(stream)
}

/// A keep-alive connection.
pub(crate) struct Client {
    pub(crate) stream: BufReader<TcpStream>,
    /// Body of the last response.
    pub(crate) body: Vec<u8>,
    cookie: String,
    line: String,
}

impl Client {
    /// Connects from an address of this machine.
    pub(crate) async fn connect(from: Ipv4Addr, server: SocketAddr) -> Result<Self, Failure> {
        Ok(Self {
            stream: BufReader::new(connect(from, server).await?),
            body: Vec::new(),
            cookie: String::new(),
            line: String::new(),
        })
    }

    /// Sends a request and returns the status of the response.
    pub(crate) async fn request(
        &mut self,
        method: &str,
        path: &str,
        accept: &str,
        body: &str,
    ) -> Result<u16, Failure> {
        let request = format!(
            "{method} {path} HTTP/1.1\r\nhost: localhost\r\naccept: {accept}\r\n\
             content-type: application/json\r\ncookie: {}\r\ncontent-length: {}\r\n\r\n{body}",
            self.cookie,
            body.len()
        );
        self.stream.get_mut().write_all(request.as_bytes()).await?;
        let (mut status, mut length) = (0, 0);
        loop {
            self.line.clear();
            if self.stream.read_line(&mut self.line).await? == 0 {
                return Err("the server closed the connection".into());
            }
            let line = self.line.trim_end();
            if line.is_empty() {
                break;
            }
            if status == 0 {
                status = line.split(' ').nth(1).ok_or("no status")?.parse()?;
            } else if let Some(value) = line.strip_prefix("content-length: ") {
                length = value.parse()?;
            } else if let Some(value) = line.strip_prefix("set-cookie: ") {
                self.cookie = value.split(';').next().unwrap_or("").into();
            }
        }
        self.body.resize(length, 0);
        self.stream.read_exact(&mut self.body).await?;
        Ok(status)
    }

    /// Sends JSON, or no body for null, and returns the status and the JSON response.
    pub(crate) async fn json(
        &mut self,
        method: &str,
        path: &str,
        body: &Value,
    ) -> Result<(u16, Value), Failure> {
        let body = match body {
            Value::Null => String::new(),
            body => body.to_string(),
        };
        let status = self
            .request(method, path, "application/json", &body)
            .await?;
        let response = serde_json::from_slice(&self.body).unwrap_or(Value::Null);
        Ok((status, response))
    }

    /// Creates a game and returns its path.
    pub(crate) async fn new_game(&mut self, new_game: &Value) -> Result<String, Failure> {
        let (status, created) = self.json("POST", "/games", new_game).await?;
        match created["id"].as_str() {
            Some(id) => Ok(format!("/games/{id}")),
            None => Err(format!("{status}: {created}").into()),
        }
    }
}

/// The event stream of a game.
#[allow(dead_code, reason = "not every program follows a game")]
pub(crate) struct EventStream(BufReader<TcpStream>);

#[allow(dead_code, reason = "not every program follows a game")]
impl EventStream {
    /// Follows a game from its first event.
    pub(crate) async fn open(
        from: Ipv4Addr,
        server: SocketAddr,
        game: &str,
    ) -> Result<Self, Failure> {
        let mut stream = connect(from, server).await?;
        let request = format!("GET {game}/events?after=0 HTTP/1.1\r\nhost: localhost\r\n\r\n");
        stream.write_all(request.as_bytes()).await?;
        Ok(Self(BufReader::new(stream)))
    }

    /// Waits for a version and returns the state after it.
    pub(crate) async fn wait_for(&mut self, version: u64) -> Result<Value, Failure> {
        let mut line = String::new();
        loop {
            line.clear();
            if self.0.read_line(&mut line).await? == 0 {
                return Err("the event stream ended".into());
            }
            let Some(data) = line.strip_prefix("data: ") else {
                continue;
            };
            let mut update: Value = serde_json::from_str(data)?;
            if update["state"]["version"].as_u64() >= Some(version) {
                return Ok(update["state"].take());
            }
        }
    }
}

/// Returns percentiles in milliseconds.
pub(crate) fn percentiles<const N: usize>(times: &mut [Duration], at: [f64; N]) -> [f64; N] {
    times.sort();
    at.map(|percentile| match times.len() {
        0 => f64::NAN,
        count => times[((count - 1) as f64 * percentile) as usize].as_secs_f64() * 1000.0,
    })
}
