//! One kept connection to a server on this machine, as the load programs use it.

use std::net::{Ipv4Addr, SocketAddr};
use std::time::Duration;

use serde_json::Value;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::{TcpSocket, TcpStream};

pub(crate) type Failure = Box<dyn std::error::Error + Send + Sync>;

/// One kept connection.
pub(crate) struct Client {
    pub(crate) stream: BufReader<TcpStream>,
    /// The body of the last answer.
    pub(crate) body: Vec<u8>,
    cookie: String,
    line: String,
}

impl Client {
    /// Connects from an address of this machine: for the server it is the visitor's.
    pub(crate) async fn connect(from: Ipv4Addr, server: SocketAddr) -> Result<Self, Failure> {
        let socket = TcpSocket::new_v4()?;
        socket.bind(SocketAddr::from((from, 0)))?;
        let stream = socket.connect(server).await?;
        stream.set_nodelay(true)?;
        Ok(Self {
            stream: BufReader::new(stream),
            body: Vec::new(),
            cookie: String::new(),
            line: String::new(),
        })
    }

    /// Asks, and gives the status of the answer.
    pub(crate) async fn ask(
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
                return Err("the server hung up".into());
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

    /// Asks as a program does; a body of null is none.
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
        let status = self.ask(method, path, "application/json", &body).await?;
        let answer = serde_json::from_slice(&self.body).unwrap_or(Value::Null);
        Ok((status, answer))
    }

    /// Begins a game, and gives its address.
    pub(crate) async fn new_game(&mut self, new_game: &Value) -> Result<String, Failure> {
        let (status, made) = self.json("POST", "/games", new_game).await?;
        match made["id"].as_str() {
            Some(id) => Ok(format!("/games/{id}")),
            None => Err(format!("{status}: {made}").into()),
        }
    }
}

/// The middle, the worst but one in a hundred, and the worst, in milliseconds.
pub(crate) fn percentiles(took: &mut [Duration]) -> [f64; 3] {
    took.sort();
    let part = |p: f64| match took.len() {
        0 => f64::NAN,
        many => took[((many - 1) as f64 * p) as usize].as_secs_f64() * 1000.0,
    };
    [part(0.5), part(0.99), part(1.0)]
}
