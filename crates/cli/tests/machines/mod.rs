//! Processes that tests start: servers, workers and clients.
#![allow(dead_code, reason = "every test takes what it needs")]

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

/// A process that is killed on drop.
pub(crate) struct Running(pub(crate) Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

pub(crate) fn papan(words: &[&str]) -> Command {
    let mut command = mortal();
    command.args(words).stdin(Stdio::null());
    command
}

/// Debian's program that lets the kernel kill a child when its parent ends, however it ends.
const SETPRIV: &str = "/usr/bin/setpriv";

/// Returns papan as a process that ends with the thread that started it, also if that is killed.
fn mortal() -> Command {
    let papan = env!("CARGO_BIN_EXE_papan");
    if cfg!(windows) || !Path::new(SETPRIV).is_file() {
        return Command::new(papan);
    }
    let mut command = Command::new(SETPRIV);
    command.args(["--pdeathsig", "KILL", "--", papan]);
    command
}

pub(crate) fn worker(url: &str, name: &str) -> Running {
    worker_with(url, name, &[])
}

fn worker_with(url: &str, name: &str, more: &[&str]) -> Running {
    let words = ["worker", "--jobs", url, "--threads", "1", "--name", name];
    let words = [&words[..], more].concat();
    Running(papan(&words).stderr(Stdio::null()).spawn().unwrap())
}

/// Lets a worker finish some jobs and waits until it has ended. With no other worker connected,
/// the rest of the work then waits, however fast this machine is.
pub(crate) fn finish_jobs(url: &str, jobs: u32) {
    let mut worker = worker_with(url, "starter", &["--max-jobs", &jobs.to_string()]);
    assert!(worker.0.wait().unwrap().success());
    until_jobs_say(url, |said| done(said) >= jobs);
}

/// Waits until the output of `papan jobs` satisfies a condition.
pub(crate) fn until_jobs_say(url: &str, right: impl Fn(&str) -> bool) -> String {
    let deadline = Instant::now() + Duration::from_secs(300);
    loop {
        let said = papan(&["jobs", "--jobs", url]).output().unwrap();
        let said = String::from_utf8_lossy(&said.stdout).into_owned();
        if right(&said) {
            return said;
        }
        assert!(Instant::now() < deadline, "{said}");
        std::thread::sleep(Duration::from_millis(100));
    }
}

/// Returns the number of finished jobs from the output of `papan jobs`.
pub(crate) fn done(said: &str) -> u32 {
    let words: Vec<&str> = said.split_whitespace().collect();
    let at = words.iter().position(|word| *word == "done,");
    at.map_or(0, |at| words[at - 1].parse().unwrap())
}

/// A running server, killed on drop.
pub(crate) struct Server {
    pub(crate) process: Child,
    pub(crate) address: String,
}

impl Server {
    pub(crate) fn start(folder: &Path, options: &[&str]) -> Self {
        Self::start_with(folder, options, "error", Stdio::inherit())
    }

    /// Starts a server that logs warnings to a file.
    pub(crate) fn start_logging(folder: &Path, options: &[&str], log: &Path) -> Self {
        let log = std::fs::File::create(log).expect("a new file");
        Self::start_with(folder, options, "warn", log.into())
    }

    fn start_with(folder: &Path, options: &[&str], level: &str, log: Stdio) -> Self {
        let mut command = mortal();
        papan_os::make_interruptible(&mut command);
        let mut process = command
            .args(["serve", "--listen", "127.0.0.1:0", "--log", level, "--data"])
            .arg(folder)
            .args(["--changes-per-second", "1000000"])
            .args(["--reads-per-second", "1000000"])
            .args(options)
            .stdout(Stdio::piped())
            .stderr(log)
            .spawn()
            .unwrap();
        let mut line = String::new();
        let mut output = BufReader::new(process.stdout.take().unwrap());
        output.read_line(&mut line).unwrap();
        let address = line
            .split("http://")
            .nth(1)
            .and_then(|rest| rest.split('/').next());
        let address = address
            .unwrap_or_else(|| panic!("no address in {line:?}"))
            .to_owned();
        Self { process, address }
    }

    /// Asks the server to end, and returns whether it did so in order.
    pub(crate) fn stop(mut self) -> bool {
        // Wine has no console to interrupt it through; `cargo xtask test --platforms` does it.
        if std::env::var_os("WINEPREFIX").is_some() {
            return true;
        }
        papan_os::interrupt(&self.process).unwrap();
        self.process.wait().unwrap().success()
    }

    pub(crate) fn signal(&self, signal: &str) {
        let id = self.process.id().to_string();
        let done = Command::new("kill").args([signal, &id]).status().unwrap();
        assert!(done.success());
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// A keep-alive connection with the client's cookie.
pub(crate) struct Client {
    stream: BufReader<TcpStream>,
    pub(crate) cookie: String,
}

impl Client {
    pub(crate) fn connect(address: &str) -> std::io::Result<Self> {
        let stream = TcpStream::connect(address)?;
        stream.set_read_timeout(Some(Duration::from_secs(10)))?;
        stream.set_nodelay(true)?;
        Ok(Self {
            stream: BufReader::new(stream),
            cookie: String::new(),
        })
    }

    /// Sends a request and returns the response, or an error if the connection breaks.
    pub(crate) fn ask(
        &mut self,
        method: &str,
        path: &str,
        body: &Value,
    ) -> std::io::Result<(u16, Value)> {
        let body = if body.is_null() {
            String::new()
        } else {
            body.to_string()
        };
        let request = format!(
            "{method} {path} HTTP/1.1\r\nhost: localhost\r\naccept: application/json\r\n\
             content-type: application/json\r\ncookie: {}\r\ncontent-length: {}\r\n\r\n{body}",
            self.cookie,
            body.len()
        );
        self.stream.get_mut().write_all(request.as_bytes())?;
        let mut status = String::new();
        self.stream.read_line(&mut status)?;
        let broken = || std::io::Error::other("no answer");
        let code = status.split(' ').nth(1).and_then(|code| code.parse().ok());
        let mut length = 0;
        loop {
            let mut line = String::new();
            if self.stream.read_line(&mut line)? == 0 {
                return Err(broken());
            }
            let Some((name, value)) = line.trim().split_once(": ") else {
                break;
            };
            match name.to_ascii_lowercase().as_str() {
                "content-length" => length = value.parse().map_err(|_| broken())?,
                "set-cookie" => self.cookie = value.split(';').next().unwrap_or("").into(),
                _ => {}
            }
        }
        let mut body = vec![0; length];
        self.stream.read_exact(&mut body)?;
        let body = serde_json::from_slice(&body).unwrap_or(Value::Null);
        Ok((code.ok_or_else(broken)?, body))
    }
}
